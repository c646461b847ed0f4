// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a change of layout to what one rank does: box copies for everything
// that moves data, contributors and shares for everything that combines it.
#include "dtensor/Planner/LayoutOps.h"
#include "dtrt/Arithmetic.h"
#include "dtrt/Communicator.h"

#include "Plan/Xxh64.h"

#include <algorithm>

using namespace dtrt;
using dtensor::Box;
using dtensor::ReduceOp;
using dtensor::StepKind;

namespace {

class Preparation {
public:
  Preparation(const dtensor::Mesh &mesh, const CollectiveSpec &spec,
              int64_t rank)
      : mesh(mesh), spec(spec), change(spec.change),
        width(dtensor::elementBytes(spec.type)) {
    out.step = spec.step;
    out.name = spec.name;
    out.kind = spec.kind;
    out.type = spec.type;
    out.op = out.fillOp = spec.op;
    out.reduction = spec.reduction;
    out.rank = rank;
    source = dtensor::localBox(mesh, change.from, spec.shape, rank);
    target = dtensor::localBox(mesh, change.to, spec.shape, rank);
    out.sourceBytes = source.numElements() * width;
    out.targetBytes = target.numElements() * width;
  }

  Expected<PreparedCollective> run() {
    out.group = mesh.group(out.rank, change.axes);
    std::sort(out.group.begin(), out.group.end());
    out.myIndex = memberOf(out.rank);
    out.key = programKey();
    if (Status status = checkReduction(); !status)
      return status.error();
    if (Status status = findRoot(); !status)
      return status.error();
    if (Status status = dispatch(); !status)
      return status.error();
    return std::move(out);
  }

private:
  Error fail(const std::string &what) const {
    return Error{"step " + std::to_string(spec.step) + " (" +
                 std::string(dtensor::stepKindName(spec.kind)) + " over \"" +
                 dtensor::printAxisRefs(mesh, change.axes) + "\"): " + what};
  }

  Status dispatch() {
    switch (spec.kind) {
    case StepKind::ToPartial:
      return toPartial();
    case StepKind::Scale:
      return scale();
    case StepKind::ReduceScatter:
      return reduceScatter();
    case StepKind::AllReduce:
      return allReduce();
    case StepKind::Slice:
    case StepKind::AllGather:
    case StepKind::AllToAll:
    case StepKind::Permute:
    case StepKind::Exchange:
      return move();
    case StepKind::Broadcast:
    case StepKind::Scatter:
      return takeFromRoot();
    case StepKind::Reduce:
    case StepKind::Gather:
      out.clearsTarget = out.rank != root;
      if (out.clearsTarget)
        return Status::success();
      return spec.kind == StepKind::Gather ? move() : reduceScatter();
    }
    return Status::success();
  }

  int memberOf(int64_t rank) const {
    auto found = std::lower_bound(out.group.begin(), out.group.end(), rank);
    return found != out.group.end() && *found == rank
               ? static_cast<int>(found - out.group.begin())
               : -1;
  }

  Box sourceBoxOf(int64_t rank) const {
    return dtensor::localBox(mesh, change.from, spec.shape, rank);
  }

  /// A hash of all that must be equal on the members. Layouts go in as text
  /// so that it means the same in every process.
  uint64_t programKey() const {
    std::string text = spec.name;
    for (std::string part :
         {std::string(dtensor::stepKindName(spec.kind)),
          std::string(dtensor::elementTypeName(spec.type)),
          std::string(dtensor::reduceOpName(spec.op)),
          dtensor::printLayout(mesh, change.from),
          dtensor::printLayout(mesh, change.to),
          dtensor::printAxisRefs(mesh, change.axes), dtensor::printMesh(mesh)})
      text += "|" + part;
    text += "|" + std::to_string(spec.root);
    for (int64_t extent : spec.shape)
      text += "|" + std::to_string(extent);
    return xxh64(text.data(), text.size());
  }

  bool usesOp() const {
    return spec.kind == StepKind::ToPartial || spec.kind == StepKind::Scale ||
           spec.kind == StepKind::ReduceScatter ||
           spec.kind == StepKind::AllReduce || spec.kind == StepKind::Reduce;
  }

  Status findRoot() {
    if (!dtensor::isRooted(spec.kind))
      return Status::success();
    int64_t size = static_cast<int64_t>(out.group.size());
    if (spec.root < 0 || spec.root >= size)
      return fail("root " + std::to_string(spec.root) +
                  " is not in a group of " + std::to_string(size) + " ranks");
    root = mesh.groupMember(out.rank, change.axes, spec.root);
    return Status::success();
  }

  Status checkReduction() const {
    if (!usesOp() || dtensor::isReductionSupported(spec.op, spec.type))
      return Status::success();
    return fail("type " + std::string(dtensor::elementTypeName(spec.type)) +
                " has no " + std::string(dtensor::reduceOpName(spec.op)));
  }

  /// An exchange that combines contributions, or creates them, on the way.
  Status combine() {
    int64_t covered = 0;
    for (const dtensor::Combination &one :
         dtensor::combinationsInto(mesh, spec.shape, change, out.rank)) {
      std::vector<Box> boxes;
      std::vector<int> contributors;
      for (int64_t source : one.sources) {
        int member = memberOf(source);
        if (member < 0)
          return fail("takes a box from rank " + std::to_string(source) +
                      ", which is not in the group of rank " +
                      std::to_string(out.rank));
        boxes.push_back(sourceBoxOf(source));
        contributors.push_back(member);
      }
      boxes.push_back(target);
      StridedLoop loop(one.box, boxes, width);
      covered += loop.totalBytes();
      out.recvBytes += loop.totalBytes() *
                       static_cast<int64_t>(std::count_if(
                           one.sources.begin(), one.sources.end(),
                           [&](int64_t source) { return source != out.rank; }));
      if (contributors.size() == 1)
        out.copies.push_back({contributors.front(), std::move(loop)});
      else
        out.combinations.push_back({std::move(contributors), std::move(loop)});
      out.divisor = spec.op == ReduceOp::Avg && one.sources.size() > 1
                        ? static_cast<double>(one.sources.size())
                        : 1;
    }
    // Ranks that write nothing contribute the identity.
    if (covered == 0 && !change.to.partials.empty()) {
      out.fillElements = target.numElements();
      for (const dtensor::PartialAxis &partial : change.to.partials)
        if (!dtensor::withoutPartials(change.from, {partial.axis}, partial.op))
          out.fillOp = partial.op;
      return Status::success();
    }
    if (covered == out.targetBytes)
      return Status::success();
    return fail("only " + std::to_string(covered) + " of the " +
                std::to_string(out.targetBytes) + " bytes of rank " +
                std::to_string(out.rank) + " are held in its group");
  }

  Status move() {
    if (spec.kind == StepKind::Exchange &&
        dtensor::combinesOnTheWay(change.from, change.to))
      return combine();
    int64_t covered = 0;
    for (const dtensor::Transfer &transfer :
         dtensor::transfersInto(mesh, spec.shape, change, out.rank)) {
      int member = memberOf(transfer.source);
      if (member < 0)
        return fail("takes a box from rank " + std::to_string(transfer.source) +
                    ", which is not in the group of rank " +
                    std::to_string(out.rank));
      if (spec.kind == StepKind::Slice && transfer.source != out.rank)
        return fail("rank " + std::to_string(out.rank) +
                    " does not hold what it has to keep");
      StridedLoop loop(transfer.box, {sourceBoxOf(transfer.source), target},
                       width);
      covered += loop.totalBytes();
      if (transfer.source != out.rank)
        out.recvBytes += loop.totalBytes();
      out.copies.push_back({member, std::move(loop)});
    }
    if (covered == out.targetBytes)
      return Status::success();
    return fail("only " + std::to_string(covered) + " of the " +
                std::to_string(out.targetBytes) + " bytes of rank " +
                std::to_string(out.rank) + " are held in its group");
  }

  Status takeFromRoot() {
    Box given = sourceBoxOf(root);
    if (!target.isEmpty() && !(intersect(given, target) == target))
      return fail("rank " + std::to_string(root) +
                  ", the root, does not hold what rank " +
                  std::to_string(out.rank) + " has to get");
    if (target.isEmpty())
      return Status::success();
    out.copies.push_back(
        {memberOf(root), StridedLoop(target, {given, target}, width)});
    if (out.rank != root)
      out.recvBytes = out.targetBytes;
    return Status::success();
  }

  /// The first member that holds a box contributes it: replicas of it hold
  /// the identity, unless repeating the value does no harm.
  Status toPartial() {
    bool whole = source == target;
    if (!whole && spec.op == ReduceOp::Avg)
      return fail("shards do not become partial(avg) in one step");
    if (!(intersect(source, target) == source) && !source.isEmpty())
      return fail("the box of rank " + std::to_string(out.rank) +
                  " lies outside its new one");
    bool contributes = whole && isIdempotent(spec.op);
    if (!contributes) {
      std::vector<int64_t> byCoordinate = mesh.group(out.rank, change.axes);
      auto first = std::find_if(
          byCoordinate.begin(), byCoordinate.end(),
          [&](int64_t rank) { return sourceBoxOf(rank) == source; });
      contributes = *first == out.rank;
    }
    if (!contributes || !whole)
      out.fillElements = target.numElements();
    if (contributes && !source.isEmpty())
      out.copies.push_back(
          {out.myIndex, StridedLoop(source, {source, target}, width)});
    return Status::success();
  }

  Status scale() {
    if (!(source == target))
      return fail("source and target boxes differ");
    double size = static_cast<double>(dtensor::totalSize(change.axes));
    if (spec.op == ReduceOp::Sum)
      out.multiplier = size;
    else if (spec.op == ReduceOp::Avg)
      out.scaleDivisor = size;
    else
      return fail("scales from sum or avg only");
    return Status::success();
  }

  Status findContributors() {
    std::vector<int64_t> ranks = dtensor::contributors(mesh, change, out.rank);
    if (ranks.empty())
      return fail("nobody contributes");
    for (int64_t rank : ranks) {
      int member = memberOf(rank);
      if (member < 0)
        return fail("rank " + std::to_string(rank) +
                    " contributes, but is not in the group of rank " +
                    std::to_string(out.rank));
      out.contributors.push_back(member);
    }
    if (spec.op == ReduceOp::Avg)
      out.divisor = static_cast<double>(ranks.size());
    return Status::success();
  }

  Status reduceScatter() {
    if (Status status = findContributors(); !status)
      return status;
    std::vector<Box> holders;
    for (int member : out.contributors) {
      holders.push_back(sourceBoxOf(out.group[member]));
      if (!target.isEmpty() && !(intersect(holders.back(), target) == target))
        return fail("rank " + std::to_string(out.group[member]) +
                    " holds no contribution to the box of rank " +
                    std::to_string(out.rank));
      if (member != out.myIndex)
        out.recvBytes += out.targetBytes;
    }
    holders.push_back(target);
    out.reductionLoop = StridedLoop(target, holders, width);
    return Status::success();
  }

  Status allReduce() {
    if (Status status = findContributors(); !status)
      return status;
    if (!(source == target) || out.contributors.size() != out.group.size())
      return fail("the members of a group hold different boxes");
    for (int64_t rank : out.group)
      if (!(sourceBoxOf(rank) == target))
        return fail("the members of a group hold different boxes");
    int64_t parts = static_cast<int64_t>(out.group.size());
    out.shareEnd = target.numElements();
    dtensor::chunk(out.shareBegin, out.shareEnd, parts, out.myIndex);
    int64_t share = (out.shareEnd - out.shareBegin) * width;
    out.recvBytes = (parts - 1) * share + (out.targetBytes - share);
    return Status::success();
  }

  const dtensor::Mesh &mesh;
  const CollectiveSpec &spec;
  const dtensor::LayoutChange &change;
  int64_t width;
  int64_t root = -1; ///< a rank
  Box source, target;
  PreparedCollective out;
};

} // namespace

Expected<PreparedCollective> dtrt::prepareCollective(const dtensor::Mesh &mesh,
                                                     const CollectiveSpec &spec,
                                                     int64_t rank) {
  return Preparation(mesh, spec, rank).run();
}

Expected<PreparedCollective>
dtrt::prepareStep(const dtensor::RedistributionRequest &request,
                  const dtensor::RedistributionStep &step, int64_t rank,
                  int64_t index) {
  CollectiveSpec spec;
  spec.step = index;
  spec.name = dtensor::stepKindName(step.kind);
  spec.kind = step.kind;
  spec.type = request.type;
  spec.op = step.op;
  spec.shape = request.shape;
  spec.change = {step.from, step.to, step.axes};
  return prepareCollective(request.mesh, spec, rank);
}
