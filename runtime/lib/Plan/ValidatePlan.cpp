// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of a plan's contents that go beyond a FlatBuffer's structure. After
// them the executor may use every index, view and layout without looking.
#include "dtrt/PlanTypes.h"

#include <algorithm>
#include <map>
#include <set>

using namespace dtrt;

namespace {

std::string viewText(const schema::View &view) {
  return "[" + std::to_string(view.offset()) + ", +" +
         std::to_string(view.bytes()) + ")";
}

bool overlap(const schema::View &a, const schema::View &b) {
  return a.bytes() > 0 && b.bytes() > 0 &&
         a.offset() < b.offset() + b.bytes() &&
         b.offset() < a.offset() + a.bytes();
}

bool sameView(const schema::View &a, const schema::View &b) {
  return a.offset() == b.offset() && a.bytes() == b.bytes();
}

/// Deeper loops and branches than this are refused before a stack ends.
constexpr int kMaxNesting = 64;

/// Checks one program; messages say "program 'p' step 3: ...".
class ProgramValidator {
public:
  ProgramValidator(const PlanFile &file, const schema::ProgramT &program,
                   const dtensor::Mesh &mesh)
      : file(file), program(program), mesh(mesh),
        where("program '" + program.name + "'") {}

  Status run() {
    if (program.peak_bytes > program.slab_bytes)
      return fail("peak_bytes " + std::to_string(program.peak_bytes) +
                  " is above slab_bytes " + std::to_string(program.slab_bytes));
    if (program.slab_bytes >> 62)
      return fail("slab_bytes " + std::to_string(program.slab_bytes) +
                  " is more than 2^62");
    if (Status status = tensors("input", program.inputs); !status)
      return status;
    if (Status status = tensors("result", program.results); !status)
      return status;
    if (Status status = steps(); !status)
      return status;
    return structure(0, program.steps.size(), {});
  }

private:
  Error fail(const std::string &what) const {
    return Error{where + ": " + what};
  }

  Status view(const char *what, const std::unique_ptr<schema::View> &view) {
    if (!view)
      return fail(std::string("has no view '") + what + "'");
    return viewInSlab(what, *view);
  }

  Status viewInSlab(const std::string &what, const schema::View &view) {
    if (view.offset() > program.slab_bytes ||
        view.bytes() > program.slab_bytes - view.offset())
      return fail("view '" + what + "' " + viewText(view) +
                  " leaves the slab of " + std::to_string(program.slab_bytes) +
                  " bytes");
    if (view.offset() % 8 != 0)
      return fail("view '" + what + "' " + viewText(view) +
                  " does not start at a multiple of 8");
    return Status::success();
  }

  Status disjoint(const char *aName, const schema::View &a, const char *bName,
                  const schema::View &b) {
    if (!overlap(a, b))
      return Status::success();
    return fail(std::string("view '") + aName + "' " + viewText(a) +
                " overlaps view '" + bName + "' " + viewText(b));
  }

  Status shape(const std::vector<int64_t> &shape) {
    // Layouts chunk with sums of extents, so these stay far from 2^63.
    int64_t count = 1;
    for (int64_t extent : shape)
      if (extent < 0)
        return fail("extent " + std::to_string(extent) + " is negative");
      else if (extent > 0 && __builtin_mul_overflow(count, extent, &count))
        return fail("the shape has more than 2^63 elements");
    return count >> 58 ? Status(fail("the shape has more than 2^58 elements"))
                       : Status::success();
  }

  template <typename Enum> Status inRange(const char *what, Enum value) {
    if (value <= Enum::MAX)
      return Status::success();
    return fail(std::string(what) + " " +
                std::to_string(static_cast<int>(value)) + " is unknown");
  }

  Status localBytes(const char *what, const dtensor::Mesh &on,
                    const dtensor::Layout &layout,
                    const std::vector<int64_t> &shape, schema::ElementType type,
                    const schema::View &view) {
    Expected<int64_t> bytes =
        maxLocalBytes(on, layout, shape, toElementType(type));
    if (!bytes)
      return fail(bytes.error().message);
    if (static_cast<uint64_t>(*bytes) == view.bytes())
      return Status::success();
    return fail(std::string("view '") + what + "' has " +
                std::to_string(view.bytes()) + " bytes, its layout takes " +
                std::to_string(*bytes));
  }

  Status tensors(const std::string &what,
                 const std::vector<std::unique_ptr<schema::TensorT>> &tensors) {
    std::string outer = where;
    for (size_t i = 0; i < tensors.size(); ++i) {
      where = outer + " " + what + " " + std::to_string(i) + " '" +
              tensors[i]->name + "'";
      if (Status status = tensor(*tensors[i]); !status)
        return status;
    }
    where = outer;
    return Status::success();
  }

  Status tensor(const schema::TensorT &tensor) {
    if (Status status = inRange("element type", tensor.type); !status)
      return status;
    if (Status status = shape(tensor.shape); !status)
      return status;
    if (Status status = view("view", tensor.view); !status)
      return status;
    Expected<dtensor::Layout> layout = dtensor::parseLayout(
        mesh, static_cast<int>(tensor.shape.size()), tensor.layout);
    if (!layout)
      return fail("layout: " + layout.error().message);
    if (Status status =
            dtensor::checkElementType(*layout, toElementType(tensor.type));
        !status)
      return fail("layout: " + status.message());
    return localBytes("view", mesh, *layout, tensor.shape, tensor.type,
                      *tensor.view);
  }

  Status steps() {
    std::string outer = where;
    for (size_t i = 0; i < program.steps.size(); ++i) {
      where = outer + " step " + std::to_string(i);
      if (Status status = step(program.steps[i]); !status)
        return status;
    }
    where = outer;
    return Status::success();
  }

  template <typename T>
  Status indexIn(const char *what, uint32_t index, const T &table) {
    if (index < table.size())
      return Status::success();
    return fail(std::string(what) + " " + std::to_string(index) +
                " does not exist, there are " + std::to_string(table.size()));
  }

  Status step(const schema::Step &step) {
    Status status = inRange("step kind", step.kind());
    if (!status)
      return status;
    uint32_t index = step.index();
    switch (step.kind()) {
    case schema::StepKind::kernel:
      status = indexIn("kernel call", index, program.kernel_calls);
      return status ? kernelCall(*program.kernel_calls[index]) : status;
    case schema::StepKind::gemm:
      status = indexIn("gemm", index, program.gemms);
      return status ? gemm(*program.gemms[index]) : status;
    case schema::StepKind::copy:
      status = indexIn("copy", index, program.copies);
      return status ? copy(*program.copies[index]) : status;
    case schema::StepKind::collective:
      status = indexIn("collective", index, program.collectives);
      return status ? collective(*program.collectives[index]) : status;
    case schema::StepKind::start:
      return indexIn("start", index, program.starts);
    case schema::StepKind::wait:
      return indexIn("wait", index, program.waits);
    case schema::StepKind::loop:
      status = indexIn("loop", index, program.loops);
      return status ? loop(*program.loops[index]) : status;
    case schema::StepKind::branch:
      status = indexIn("branch", index, program.branches);
      return status ? branch(*program.branches[index]) : status;
    }
    return status;
  }

  Status loop(const schema::LoopT &loop) {
    if (loop.count == 0 || loop.count >> 62)
      return fail("runs " + std::to_string(loop.count) + " times");
    if (!loopNumbers.insert(loop.number).second)
      return fail("a second loop " + std::to_string(loop.number));
    for (const schema::View &view : loop.carried)
      if (Status status = viewInSlab("carried", view); !status)
        return status;
    return Status::success();
  }

  Status branch(const schema::BranchT &branch) {
    if (Status status = view("condition", branch.condition); !status)
      return status;
    if (branch.condition->bytes() != 1)
      return fail("its condition has " +
                  std::to_string(branch.condition->bytes()) +
                  " bytes instead of 1");
    for (const schema::View &view : branch.results)
      if (Status status = viewInSlab("result", view); !status)
        return status;
    return Status::success();
  }

  /// Steps that belong to others lie inside of them, events are waited for
  /// once where they are started, and counters are those of loops around.
  Status structure(size_t begin, size_t end, std::set<uint32_t> around,
                   int depth = 0) {
    std::string outer = where;
    if (depth > kMaxNesting)
      return fail("nests loops and branches deeper than " +
                  std::to_string(kMaxNesting));
    std::set<uint32_t> pending;
    for (size_t i = begin; i < end;) {
      const schema::Step &step = program.steps[i];
      where = "program '" + program.name + "' step " + std::to_string(i);
      size_t first = i + 1, room = end - first;
      auto takes = [&](uint64_t count) -> Status {
        if (count <= room)
          return Status::success();
        return fail("takes " + std::to_string(count) + " steps, " +
                    std::to_string(room) + " follow");
      };
      i = first;
      Status status = Status::success();
      if (step.kind() == schema::StepKind::start) {
        status = handOver(first, room, *program.starts[step.index()], pending);
        i += program.starts[step.index()]->count;
      } else if (step.kind() == schema::StepKind::wait) {
        uint32_t event = program.waits[step.index()]->event;
        if (pending.erase(event) == 0)
          return fail("waits for event " + std::to_string(event) +
                      ", which is not under way");
      } else if (step.kind() == schema::StepKind::loop) {
        const schema::LoopT &loop = *program.loops[step.index()];
        status = takes(loop.steps);
        i += loop.steps;
        std::set<uint32_t> inside = around;
        inside.insert(loop.number);
        if (status)
          status = structure(first, i, std::move(inside), depth + 1);
      } else if (step.kind() == schema::StepKind::branch) {
        const schema::BranchT &branch = *program.branches[step.index()];
        uint64_t both = uint64_t(branch.then_steps) + branch.else_steps;
        size_t between = first + branch.then_steps;
        status = takes(both);
        i += both;
        if (status)
          status = structure(first, between, around, depth + 1);
        if (status)
          status = structure(between, i, around, depth + 1);
      } else if (step.kind() == schema::StepKind::kernel) {
        for (const auto &extent : program.kernel_calls[step.index()]->extents)
          if (extent->counter >= 0 &&
              !around.count(static_cast<uint32_t>(extent->counter)))
            return fail("counts by loop " + std::to_string(extent->counter) +
                        ", which is not around it");
      }
      if (!status)
        return status;
    }
    where = outer;
    if (!pending.empty())
      return fail("nothing waits for event " +
                  std::to_string(*pending.begin()));
    return Status::success();
  }

  /// The steps from `first` on that `start` hands to another queue.
  Status handOver(size_t first, size_t room, const schema::StartT &start,
                  std::set<uint32_t> &pending) {
    if (start.queue != 1)
      return fail("hands steps to queue " + std::to_string(start.queue) +
                  ", there is queue 1");
    if (start.count == 0 || start.count > room)
      return fail("hands over " + std::to_string(start.count) + " steps, " +
                  std::to_string(room) + " follow");
    if (!events.insert(start.event).second)
      return fail("starts event " + std::to_string(start.event) +
                  " a second time");
    pending.insert(start.event);
    for (size_t i = first; i < first + start.count; ++i)
      if (program.steps[i].kind() != schema::StepKind::collective) {
        where = "program '" + program.name + "' step " + std::to_string(i);
        return fail("is no collective, and handed to another queue");
      }
    return Status::success();
  }

  Status extent(const std::unique_ptr<schema::LocalExtentT> &extent) {
    if (!extent)
      return Status::success();
    if (extent->size < 0 || extent->size >> 58)
      return fail("local extent of a dimension of " +
                  std::to_string(extent->size));
    for (const std::string &axis : extent->axes)
      if (auto parsed = dtensor::parseAxisRef(mesh, axis); !parsed)
        return fail("local extent: " + parsed.error().message);
    if (extent->counter < -1)
      return fail("counter of loop " + std::to_string(extent->counter));
    if (extent->counter < 0 &&
        (extent->counter_start != 0 || extent->counter_step != 0))
      return fail("a counter's start or step, and no counter");
    if (extent->counter >= 0 &&
        (extent->is_index || extent->size != 0 || !extent->axes.empty()))
      return fail("a counter has a size or axes");
    if (extent->is_index && (extent->size != 0 || extent->axes.empty()))
      return fail("an index over axes has " +
                  std::to_string(extent->axes.size()) + " axes and size " +
                  std::to_string(extent->size) + ", it takes axes only");
    return Status::success();
  }

  Status kernelCall(const schema::KernelCallT &call) {
    for (const auto &local : call.extents)
      if (Status status = extent(local); !status)
        return status;
    if (Status status = indexIn("kernel", call.kernel, file.plan.kernels);
        !status)
      return status;
    for (const schema::View &view : call.reads)
      if (Status status = viewInSlab("read", view); !status)
        return status;
    for (size_t i = 0; i < call.writes.size(); ++i) {
      const schema::View &write = call.writes[i];
      if (Status status = viewInSlab("write", write); !status)
        return status;
      for (const schema::View &read : call.reads)
        if (Status status = disjoint("write", write, "read", read); !status)
          return status;
      for (size_t k = 0; k < i; ++k)
        if (Status status = disjoint("write", write, "write", call.writes[k]);
            !status)
          return status;
    }
    return Status::success();
  }

  /// The last byte that `batch` matrices of rows x columns touch must lie in
  /// the view.
  Status matrix(const char *what, const schema::GemmT &gemm, int64_t rows,
                int64_t columns, int64_t stride, const schema::View &view) {
    int64_t elements = 0;
    int64_t span = 0;
    if (stride < 0 || __builtin_mul_overflow(rows, columns, &elements) ||
        __builtin_mul_overflow(gemm.batch > 0 ? gemm.batch - 1 : 0, stride,
                               &span) ||
        __builtin_add_overflow(span, elements, &span) ||
        __builtin_mul_overflow(
            span, dtensor::elementBytes(toElementType(gemm.type)), &span))
      return fail(std::string("matrix ") + what + " has a bad stride or size");
    if (gemm.batch == 0 || elements == 0 ||
        static_cast<uint64_t>(span) <= view.bytes())
      return Status::success();
    return fail(std::string("matrix ") + what + " takes " +
                std::to_string(span) + " bytes, its view has " +
                std::to_string(view.bytes()));
  }

  Status gemm(const schema::GemmT &gemm) {
    if (Status status = inRange("element type", gemm.type); !status)
      return status;
    if (!dtensor::isReductionSupported(dtensor::ReduceOp::Sum,
                                       toElementType(gemm.type)))
      return fail("gemm is not defined on " +
                  std::string(elementTypeName(toElementType(gemm.type))));
    if (gemm.m < 0 || gemm.n < 0 || gemm.k < 0 || gemm.batch < 0)
      return fail("gemm size is negative");
    if (Status status = view("a", gemm.a); !status)
      return status;
    if (Status status = view("b", gemm.b); !status)
      return status;
    if (Status status = view("c", gemm.c); !status)
      return status;
    if (Status status =
            matrix("a", gemm, gemm.m, gemm.k, gemm.stride_a, *gemm.a);
        !status)
      return status;
    if (Status status =
            matrix("b", gemm, gemm.k, gemm.n, gemm.stride_b, *gemm.b);
        !status)
      return status;
    if (Status status =
            matrix("c", gemm, gemm.m, gemm.n, gemm.stride_c, *gemm.c);
        !status)
      return status;
    for (const auto *local :
         {&gemm.local_m, &gemm.local_n, &gemm.local_k, &gemm.local_batch})
      if (Status status = extent(*local); !status)
        return status;
      else if (*local && ((*local)->is_index || (*local)->counter >= 0))
        return fail("a gemm size is an index or a counter");
    // Two products into one place would be a race between batch entries.
    if (gemm.batch > 1 && gemm.stride_c < gemm.m * gemm.n)
      return fail("matrices c of a batch overlap: stride_c " +
                  std::to_string(gemm.stride_c) + " is below m * n");
    if (Status status = disjoint("c", *gemm.c, "a", *gemm.a); !status)
      return status;
    return disjoint("c", *gemm.c, "b", *gemm.b);
  }

  Status copy(const schema::CopyT &copy) {
    if (Status status = view("source", copy.source); !status)
      return status;
    if (Status status = view("target", copy.target); !status)
      return status;
    if (copy.source->bytes() != copy.target->bytes())
      return fail("copies " + std::to_string(copy.source->bytes()) +
                  " bytes into a view of " +
                  std::to_string(copy.target->bytes()));
    return disjoint("target", *copy.target, "source", *copy.source);
  }

  Status collective(const schema::CollectiveT &op) {
    if (Status status = inRange("collective kind", op.kind); !status)
      return status;
    if (Status status = inRange("reduce op", op.op); !status)
      return status;
    if (Status status = inRange("reduction", op.reduction); !status)
      return status;
    if (Status status = inRange("element type", op.type); !status)
      return status;
    if (!names.insert(op.name).second)
      return fail("a second collective called '" + op.name + "'");
    if (Status status = shape(op.shape); !status)
      return status;
    if (Status status = view("source", op.source); !status)
      return status;
    if (Status status = view("target", op.target); !status)
      return status;
    Expected<dtensor::Mesh> on = meshOf(mesh, op);
    if (!on)
      return fail(on.error().message);
    Expected<dtensor::LayoutChange> change = toLayoutChange(*on, op);
    if (!change)
      return fail(change.error().message);
    int64_t members = dtensor::totalSize(change->axes);
    bool isRooted = dtensor::isRooted(toStepKind(op.kind));
    if (isRooted ? op.root < 0 || op.root >= members : op.root != -1)
      return fail("root " + std::to_string(op.root) +
                  (isRooted ? " is not in a group of " +
                                  std::to_string(members) + " ranks"
                            : " of a collective that has none"));
    if (Status status = localBytes("source", *on, change->from, op.shape,
                                   op.type, *op.source);
        !status)
      return status;
    if (Status status = localBytes("target", *on, change->to, op.shape, op.type,
                                   *op.target);
        !status)
      return status;
    // Element-wise kinds may work in place; the others read while they write.
    bool elementWise = op.kind == schema::CollectiveKind::all_reduce ||
                       op.kind == schema::CollectiveKind::scale;
    if (elementWise && sameView(*op.source, *op.target))
      return Status::success();
    return disjoint("target", *op.target, "source", *op.source);
  }

  const PlanFile &file;
  const schema::ProgramT &program;
  const dtensor::Mesh &mesh;
  std::string where;
  std::set<std::string> names;
  std::set<uint32_t> events, loopNumbers;
};

Status validateReference(const schema::PlanT &plan,
                         const schema::ProgramT &program,
                         const std::vector<dtensor::Mesh> &meshes) {
  if (program.reference < 0)
    return Status::success();
  std::string where = "program '" + program.name + "': reference ";
  if (static_cast<size_t>(program.reference) >= plan.programs.size())
    return Error{where + std::to_string(program.reference) +
                 " does not exist, there are " +
                 std::to_string(plan.programs.size()) + " programs"};
  const schema::ProgramT &reference = *plan.programs[program.reference];
  where += "'" + reference.name + "' ";
  if (meshes[program.reference].numRanks() != 1)
    return Error{where + "is not for one rank"};
  auto same = [](const auto &a, const auto &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto &x, const auto &y) {
                        return x->type == y->type && x->shape == y->shape;
                      });
  };
  if (!same(program.inputs, reference.inputs))
    return Error{where + "has other inputs"};
  if (!same(program.results, reference.results))
    return Error{where + "has other results"};
  return Status::success();
}

} // namespace

Status dtrt::validatePlan(const PlanFile &file) {
  const schema::PlanT &plan = file.plan;
  std::vector<dtensor::Mesh> meshes;
  std::set<std::string> names;
  bool callsKernels = false;
  for (const auto &program : plan.programs) {
    std::string where = "program '" + program->name + "': ";
    if (!names.insert(program->name).second)
      return Error{where + "a second program of this name"};
    if (!program->mesh)
      return Error{where + "has no mesh"};
    Expected<dtensor::Mesh> mesh = toMesh(*program->mesh);
    if (!mesh)
      return Error{where + "mesh: " + mesh.error().message};
    meshes.push_back(*mesh);
    callsKernels |= !program->kernel_calls.empty();
  }
  if (callsKernels && file.kernels.empty())
    return Error{"calls kernels, but has no kernels section"};
  for (size_t i = 0; i < plan.programs.size(); ++i) {
    const schema::ProgramT &program = *plan.programs[i];
    if (Status status = ProgramValidator(file, program, meshes[i]).run();
        !status)
      return status;
    if (Status status = validateReference(plan, program, meshes); !status)
      return status;
  }
  return Status::success();
}
