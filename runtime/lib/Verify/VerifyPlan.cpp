// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// verifyPlan: the rules of a correct schedule, one program at a time, in one
// walk over its steps.
#include "dtrt/VerifyPlan.h"

#include "Verify/KnownLayouts.h"
#include "Verify/LiveBuffers.h"
#include "Verify/OpenQueues.h"
#include "dtensor/Planner/LayoutOps.h"

#include <algorithm>
#include <set>

using namespace dtrt;

namespace {

class ProgramVerifier {
public:
  ProgramVerifier(const schema::PlanT &plan, const schema::ProgramT &program,
                  dtensor::Mesh mesh)
      : plan(plan), program(program), mesh(std::move(mesh)),
        live(nameTime, this) {}

  Status run() {
    if (Status status = placeInputs(); !status)
      return status;
    for (size_t i = 0; i < program.steps.size(); ++i)
      if (Status status = step(i); !status)
        return status;
    if (Status status = leaveScopes(program.steps.size()); !status)
      return status;
    if (Status status = readResults(); !status)
      return status;
    if (auto conflict = live.checkParts(kBufferLine))
      return fail(conflict->at, 2, conflict->what);
    if (Status status = checkAllUseful(); !status)
      return status;
    if (Status status = checkAllMet(); !status)
      return status;
    return checkPeak();
  }

private:
  Time end() const { return program.steps.size() + 1; }

  /// "step 3 (all_reduce.0)".
  std::string name(Time time) const {
    if (time == 0)
      return "the inputs";
    if (time == end())
      return "a result";
    return "step " + std::to_string(time - 1) + " (" +
           stepName(plan, program, program.steps[time - 1]) + ")";
  }
  static std::string nameTime(const void *self, Time time) {
    return static_cast<const ProgramVerifier *>(self)->name(time);
  }

  Error fail(Time time, int rule, const std::string &what) const {
    std::string where = "program '" + program.name + "'";
    if (time > 0 && time < end())
      where += " " + name(time);
    return Error{where + ": rule " + std::to_string(rule) + ": " + what};
  }

  Status placeInputs() {
    for (const auto &input : program.inputs) {
      if (auto conflict = live.addInput(*input->view))
        return fail(0, 2, "input '" + input->name + "': " + conflict->what);
      auto layout = dtensor::parseLayout(
          mesh, static_cast<int>(input->shape.size()), input->layout);
      if (!layout)
        return layout.error();
      know(*input->view, KnownTensor{toElementType(input->type), input->shape,
                                     std::move(*layout)});
    }
    return Status::success();
  }

  /// A loop or branch that the walk is in.
  struct Scope {
    size_t end = 0;     ///< index of the step after it
    size_t between = 0; ///< of a branch: index of its second list's first step
    Time beginTime = 0; ///< of the loop or branch itself
    bool isLoop = false;
    std::vector<ByteRange> kept;  ///< carried buffers, or results
    std::vector<ByteRange> reads; ///< of a loop: what was there before it
    /// Of a branch: what of `kept` the list of steps has written.
    std::vector<ByteRange> written;
  };

  static bool contains(const std::vector<ByteRange> &ranges,
                       const ByteRange &range) {
    return std::find(ranges.begin(), ranges.end(), range) != ranges.end();
  }

  /// What a loop reads from before it must be there in every iteration, so it
  /// is read once more at its end; what a loop or a branch leaves behind is
  /// read there too, and its layout is not known.
  Status leave(Scope &scope, size_t end) {
    for (const ByteRange &range : scope.kept)
      if (!scope.isLoop &&
          (scope.end == scope.between || !contains(scope.written, range)))
        return fail(scope.beginTime, 4,
                    "leaves bytes " + range.text() + " in one way only");
    for (const ByteRange &range : scope.reads)
      if (!live.isMadeBefore(range, scope.beginTime))
        return fail(scope.beginTime, 2,
                    "reads bytes " + range.text() +
                        " in every iteration, and overwrites them");
    std::vector<ByteRange> last = scope.kept;
    last.insert(last.end(), scope.reads.begin(), scope.reads.end());
    for (const ByteRange &range : last)
      if (auto conflict = live.read(range, end))
        return fail(conflict->at, 2, conflict->what);
    for (const ByteRange &range : scope.kept)
      know(range, std::nullopt);
    // The other way did not make what only this one made.
    if (!scope.isLoop)
      for (const ByteRange &range : scope.written)
        if (!contains(scope.kept, range))
          live.forget(range, scope.beginTime);
    scope.written.clear();
    return Status::success();
  }

  /// Ends the lists of steps that end before step `index`.
  Status leaveScopes(size_t index) {
    while (!scopes.empty() && scopes.back().end == index) {
      if (Status status = leave(scopes.back(), index); !status)
        return status;
      scopes.pop_back();
    }
    // Of those around only the innermost can be between its lists.
    if (!scopes.empty() && !scopes.back().isLoop &&
        scopes.back().between == index)
      return leave(scopes.back(), index);
    return Status::success();
  }

  void enterScope(size_t index, const schema::Step &step) {
    Scope scope;
    scope.beginTime = index + 1;
    if (step.kind() == schema::StepKind::loop) {
      const schema::LoopT &loop = *program.loops[step.index()];
      scope.isLoop = true;
      scope.end = index + 1 + loop.steps;
      scope.kept.assign(loop.carried.begin(), loop.carried.end());
      for (const ByteRange &range : scope.kept)
        know(range, std::nullopt);
    } else {
      const schema::BranchT &branch = *program.branches[step.index()];
      scope.between = index + 1 + branch.then_steps;
      scope.end = scope.between + branch.else_steps;
      scope.kept.assign(branch.results.begin(), branch.results.end());
    }
    scopes.push_back(std::move(scope));
  }

  /// True for buffers that a loop or branch around writes again.
  bool isKept(const ByteRange &range) const {
    return std::any_of(scopes.begin(), scopes.end(), [&](const Scope &scope) {
      return contains(scope.kept, range);
    });
  }

  /// What is changed in place in a loop or branch is made in it, or is what it
  /// leaves: else it would be changed in every iteration, or in one way only.
  Status updates(Time time, const ByteRange &range) const {
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
      if (contains(scope->kept, range))
        return Status::success();
      if (live.isMadeBefore(range, scope->beginTime))
        return fail(time, 2,
                    "changes bytes " + range.text() + ", which " +
                        (scope->isLoop ? "the loop" : "the branch") +
                        " around it found there and does not " +
                        (scope->isLoop ? "carry" : "give"));
    }
    return Status::success();
  }

  /// What the second list of a branch reads of what the branch gives, it has
  /// written itself.
  Status readsOwn(size_t index, const ByteRange &range) const {
    for (const Scope &scope : scopes)
      if (!scope.isLoop && index >= scope.between &&
          contains(scope.kept, range) && !contains(scope.written, range))
        return fail(index + 1, 2,
                    "reads bytes " + range.text() +
                        ", which only the other way has written");
    return Status::success();
  }

  Status step(size_t index) {
    Time time = index + 1;
    const schema::Step &step = program.steps[index];
    if (Status status = leaveScopes(index); !status)
      return status;
    StepAccess access = accessOf(program, step);
    if (Status status = queues(time, step, access); !status)
      return status;
    for (const ByteRange &range : access.reads) {
      if (auto conflict = live.read(range, time))
        return fail(conflict->at, 2, conflict->what);
      if (Status status = readsOwn(index, range); !status)
        return status;
      for (Scope &scope : scopes)
        if (scope.isLoop && live.isMadeBefore(range, scope.beginTime))
          scope.reads.push_back(range);
    }
    if (step.kind() == schema::StepKind::loop ||
        step.kind() == schema::StepKind::branch)
      enterScope(index, step);
    std::optional<KnownTensor> made;
    if (step.kind() == schema::StepKind::copy)
      made = known(access.reads.front());
    if (step.kind() == schema::StepKind::collective)
      if (Status status = collective(time, step.index(), made); !status)
        return status;
    for (const ByteRange &range : access.writes) {
      bool inPlace = contains(access.reads, range);
      if (inPlace)
        if (Status status = updates(time, range); !status)
          return status;
      live.write(range, time, inPlace || isKept(range));
      know(range, made);
      for (Scope &scope : scopes)
        scope.written.push_back(range);
    }
    return Status::success();
  }

  /// Rule 2 between the rank's own steps and those of other queues.
  Status queues(Time time, const schema::Step &step, StepAccess &access) {
    std::optional<uint32_t> event = open.enter(program, time - 1);
    if (step.kind() == schema::StepKind::wait) {
      // What was read counts as in use until here.
      access.reads = open.close(program.waits[step.index()]->event);
      return Status::success();
    }
    for (const ByteRange &range : access.reads)
      if (auto common = open.findWrite(range, event))
        return fail(time, 2,
                    "reads bytes " + common->text() +
                        ", which another queue is writing");
    for (const ByteRange &range : access.writes) {
      if (auto common = open.findWrite(range, event))
        return fail(time, 2,
                    "writes bytes " + common->text() +
                        ", which another queue is writing");
      if (auto common = open.findRead(range, event))
        return fail(time, 2,
                    "writes bytes " + common->text() +
                        ", which another queue is reading");
    }
    if (event)
      open.add(*event, access);
    return Status::success();
  }

  /// Rules 1 and 4 on one collective; `made` is what is known of its target.
  Status collective(Time time, uint32_t index,
                    std::optional<KnownTensor> &made) {
    const schema::CollectiveT &op = *program.collectives[index];
    if (!met.insert(index).second)
      return fail(time, 1, "is met a second time");
    auto on = meshOf(mesh, op);
    if (!on)
      return on.error();
    auto change = toLayoutChange(*on, op);
    if (!change)
      return change.error();
    dtensor::StepKind kind = toStepKind(op.kind);
    bool combines = kind == dtensor::StepKind::AllReduce ||
                    kind == dtensor::StepKind::ReduceScatter ||
                    kind == dtensor::StepKind::Reduce ||
                    kind == dtensor::StepKind::ToPartial ||
                    kind == dtensor::StepKind::Scale;
    dtensor::ElementType type = toElementType(op.type);
    if (combines && !isReductionSupported(toReduceOp(op.op), type))
      return fail(time, 1,
                  "element type " + std::string(elementTypeName(type)) +
                      " has no " +
                      std::string(reduceOpName(toReduceOp(op.op))));
    if (Status status = prove(op, *on, *change); !status)
      return fail(time, 4, status.message());
    auto source = known(*op.source);
    if (!source)
      return Status::success();
    // No layout of the program's mesh says what the ranks hold afterwards, or
    // held before.
    if (dtensor::isRooted(kind) || op.mesh || program.local_values)
      return source->type == type
                 ? Status::success()
                 : Status(fail(time, 4,
                               "takes " + std::string(elementTypeName(type)) +
                                   ", but its source holds " +
                                   std::string(elementTypeName(source->type))));
    auto applied = applyCollective(mesh, *source, op, *change);
    if (!applied)
      return fail(time, 4, applied.error().message);
    made = std::move(*applied);
    return Status::success();
  }

  /// The kind whose proof says that the root gets or gives each element once:
  /// the one that does the same for all ranks.
  static dtensor::StepKind provedKind(dtensor::StepKind kind) {
    switch (kind) {
    case dtensor::StepKind::Broadcast:
      return dtensor::StepKind::Exchange;
    case dtensor::StepKind::Reduce:
      return dtensor::StepKind::AllReduce;
    case dtensor::StepKind::Scatter:
      return dtensor::StepKind::Slice;
    case dtensor::StepKind::Gather:
      return dtensor::StepKind::AllGather;
    default:
      return kind;
    }
  }

  /// A broadcast lies between ranks that hold boxes of one place.
  Status checkBroadcast(const dtensor::Mesh &on,
                        const dtensor::LayoutChange &change) const {
    bool isSame = dataLayout(change.from) == dataLayout(change.to);
    for (const std::vector<dtensor::AxisRef> &dim : change.from.dims)
      for (const dtensor::AxisRef &held : dim)
        for (const dtensor::AxisRef &axis : change.axes)
          isSame &= !overlaps(held, axis);
    if (isSame)
      return Status::success();
    return Error{"broadcasts over '" + printAxisRefs(on, change.axes) +
                 "' from '" + printLayout(on, change.from) + "' to '" +
                 printLayout(on, change.to) +
                 "', between ranks that hold different parts"};
  }

  /// The planner's proof of a plan of one step. Programs repeat themselves, so
  /// each distinct collective is proved once.
  Status prove(const schema::CollectiveT &op, const dtensor::Mesh &on,
               const dtensor::LayoutChange &change) {
    dtensor::RedistributionRequest request;
    request.mesh = on;
    request.shape = op.shape;
    std::string key = op.from + "|" + op.to;
    if (op.mesh) { // which names alone do not identify
      key += "|" + op.mesh->name;
      for (const dtensor::MeshAxis &axis : on.axes())
        key += "|" + std::to_string(axis.size);
    }
    for (const std::string &axis : op.axes)
      key += "|" + axis;
    for (int64_t number : {int64_t(op.kind), int64_t(op.op),
                           int64_t(op.from_dim), int64_t(op.to_dim)})
      key += "|" + std::to_string(number);
    for (int64_t extent : request.shape)
      key += "|" + std::to_string(extent);
    if (proved.count(key))
      return Status::success();
    request.type = toElementType(op.type);
    request.from = change.from;
    request.to = change.to;
    dtensor::RedistributionStep step;
    if (op.kind == schema::CollectiveKind::broadcast)
      if (Status status = checkBroadcast(on, change); !status)
        return status;
    step.kind = provedKind(toStepKind(op.kind));
    step.axes = change.axes;
    step.fromDim = op.from_dim;
    step.toDim = op.to_dim;
    step.op = toReduceOp(op.op);
    step.from = change.from;
    step.to = change.to;
    dtensor::RedistributionPlan single;
    single.steps.push_back(std::move(step));
    if (Status status = checkRedistribution(request, single); !status)
      return status;
    proved.insert(std::move(key));
    return Status::success();
  }

  Status readResults() {
    for (const auto &result : program.results) {
      std::string what = "result '" + result->name + "' ";
      ByteRange range = *result->view;
      if (auto conflict = live.read(range, end()))
        return conflict->isMissing
                   ? fail(end(), 4, what + conflict->what)
                   : fail(conflict->at, 2,
                          conflict->at == end() ? what + conflict->what
                                                : conflict->what);
      auto held = known(range);
      if (!held || held->shape != result->shape)
        continue;
      auto layout = dtensor::parseLayout(
          mesh, static_cast<int>(result->shape.size()), result->layout);
      if (!layout)
        return layout.error();
      if (held->type != toElementType(result->type))
        return fail(
            end(), 4,
            what + "holds " + std::string(elementTypeName(held->type)) +
                " instead of " +
                std::string(elementTypeName(toElementType(result->type))));
      if (held->layout != *layout && !program.local_values)
        return fail(end(), 4,
                    what + "ends with layout '" +
                        printLayout(mesh, held->layout) + "' instead of '" +
                        printLayout(mesh, *layout) + "'");
    }
    return Status::success();
  }

  /// The compiler emits no step in vain: one whose results nothing reads has a
  /// reader that looks elsewhere.
  Status checkAllUseful() const {
    std::set<uint64_t> carried;
    for (const auto &loop : program.loops)
      for (const ByteRange range : loop->carried)
        carried.insert(range.begin);
    for (size_t i = 0; i < program.steps.size(); ++i) {
      std::vector<ByteRange> writes =
          accessOf(program, program.steps[i]).writes;
      bool writesBytes =
          std::any_of(writes.begin(), writes.end(),
                      [](const ByteRange &range) { return !range.isEmpty(); });
      // Loops start from what was copied to what they carry, read or not.
      bool starts = program.steps[i].kind() == schema::StepKind::copy &&
                    !writes.empty() && carried.count(writes.front().begin);
      if (writesBytes && !starts && !live.isUseful(i + 1))
        return fail(i + 1, 4,
                    "writes bytes " + writes.front().text() +
                        ", which nothing reads");
    }
    return Status::success();
  }

  Status checkAllMet() const {
    for (size_t i = 0; i < program.collectives.size(); ++i)
      if (!met.count(static_cast<uint32_t>(i)))
        return fail(end(), 1,
                    "collective '" + program.collectives[i]->name +
                        "' stands in no step");
    return Status::success();
  }

  Status checkPeak() const {
    auto [bytes, when] = live.peak(kBufferLine, end());
    // The place of what a branch gives is kept in all of its ways; here it
    // lives from the write in each of them. Never more is live than is held.
    bool kept = !program.branches.empty() &&
                static_cast<uint64_t>(bytes) <
                    static_cast<uint64_t>(program.peak_bytes);
    if (kept || bytes == program.peak_bytes)
      return Status::success();
    return fail(when, 3,
                std::to_string(bytes) +
                    " bytes are live at once, but the header says peak_bytes " +
                    std::to_string(program.peak_bytes));
  }

  void know(const ByteRange &range, std::optional<KnownTensor> tensor) {
    // Without bytes nothing can be wrong.
    auto buffer = live.exact(range);
    if (!buffer || range.isEmpty())
      return;
    if (tensor)
      contents[*buffer] = std::move(*tensor);
    else
      contents.erase(*buffer);
  }

  std::optional<KnownTensor> known(const ByteRange &range) const {
    auto buffer = live.exact(range);
    auto found = buffer ? contents.find(*buffer) : contents.end();
    if (found == contents.end())
      return std::nullopt;
    return found->second;
  }

  const schema::PlanT &plan;
  const schema::ProgramT &program;
  dtensor::Mesh mesh;
  LiveBuffers live;
  OpenQueues open;
  std::vector<Scope> scopes;              ///< outermost first
  std::map<size_t, KnownTensor> contents; ///< by buffer
  std::set<uint32_t> met;                 ///< collectives, by index
  std::set<std::string> proved;
};

} // namespace

Status dtrt::verifyPlan(const PlanFile &file,
                        std::vector<ProgramSummary> *summaries) {
  for (const auto &program : file.plan.programs) {
    Expected<dtensor::Mesh> mesh = toMesh(*program->mesh);
    if (!mesh)
      return mesh.error();
    if (Status status = ProgramVerifier(file.plan, *program, *mesh).run();
        !status)
      return status;
    if (summaries)
      summaries->push_back({program->name, program->steps.size(),
                            program->collectives.size(), program->peak_bytes});
  }
  return Status::success();
}
