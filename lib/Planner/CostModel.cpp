// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices of steps, bounds, and which steps can be done at all.
#include "CostModel.h"

#include "RankClasses.h"
#include "StepTraffic.h"
#include "dtensor/Planner/LayoutOps.h"

#include <algorithm>
#include <cmath>

using namespace dtensor;

namespace {

/// Meshes up to this size are looked at rank by rank where classes of ranks do
/// not decide.
constexpr int64_t maxRanksByBox = 1 << 12;

/// Where both lists begin with parts of one axis cut at the same place, drops
/// what they share.
void dropCommonMajor(std::vector<AxisRef> &a, std::vector<AxisRef> &b,
                     bool even) {
  while (!a.empty() && !b.empty() && a[0].axis == b[0].axis &&
         a[0].preSize == b[0].preSize) {
    int64_t size = std::min(a[0].size, b[0].size);
    // A part of a chunked axis refines it only where the sizes divide.
    if (a[0].size != b[0].size &&
        (!even || a[0].size % size != 0 || b[0].size % size != 0))
      return;
    for (std::vector<AxisRef> *list : {&a, &b}) {
      AxisRef &head = list->front();
      head.preSize *= size;
      head.size /= size;
      if (head.size == 1)
        list->erase(list->begin());
    }
  }
}

} // namespace

double dtensor::messageRounds(int64_t groupSize) {
  double rounds = 0;
  for (int64_t reached = 1; reached < groupSize; reached *= 2)
    ++rounds;
  return rounds;
}

StepWork dtensor::evenWork(StepKind kind, double inBytes, double outBytes,
                           int64_t groupSize) {
  double p = static_cast<double>(groupSize);
  double rounds = messageRounds(groupSize);
  switch (kind) {
  case StepKind::Slice:
    return {0, 0, 2 * outBytes};
  case StepKind::ToPartial:
    return {0, 0, inBytes + outBytes};
  case StepKind::Scale:
    return {0, 0, 2 * inBytes};
  case StepKind::AllGather:
    return {rounds, outBytes - inBytes, inBytes};
  case StepKind::AllToAll:
    return {rounds, inBytes * (p - 1) / p, 2 * outBytes};
  case StepKind::Permute:
  case StepKind::Exchange:
    return {1, inBytes, 0};
  case StepKind::ReduceScatter:
    return {rounds, inBytes * (p - 1) / p, inBytes + outBytes};
  case StepKind::AllReduce:
    return {2 * rounds, 2 * inBytes * (p - 1) / p, inBytes + inBytes / p};
  // The root's link, and its memory.
  case StepKind::Broadcast:
    return {rounds, inBytes * (p - 1), outBytes};
  case StepKind::Reduce:
    return {rounds, inBytes * (p - 1), inBytes * p + outBytes};
  case StepKind::Scatter:
    return {rounds, inBytes * (p - 1) / p, outBytes};
  case StepKind::Gather:
    return {rounds, outBytes - inBytes, inBytes};
  }
  return {};
}

double dtensor::collectiveTimeUs(const Topology &topology, StepKind kind,
                                 const GroupShape &group, const Link &slowest,
                                 const Link &insideNode, const StepWork &work) {
  if (!topology.tables.empty() && isCollective(kind))
    if (const CollectiveTable *table =
            topology.table(stepKindName(kind), group)) {
      double time = table->timeUs(work.linkBytes);
      if (kind != StepKind::Exchange)
        return time;
      // The table is of exchanges in which all ranks take from all; what a
      // rank keeps beyond its part of that is copied as well.
      double size = static_cast<double>(group.size);
      double kept = work.memoryBytes / 2 - work.linkBytes * size / (size - 1);
      return time + 2 * std::max(0.0, kept) / topology.memoryBytesPerUs;
    }
  if (kind != StepKind::AllToAll || group.nodes == 1 ||
      group.nodes == group.size)
    return work.timeUs(slowest, topology.memoryBytesPerUs);
  double size = static_cast<double>(group.size);
  double near = size / static_cast<double>(group.nodes);
  StepWork inside;
  inside.linkBytes = work.linkBytes * (near - 1) / (size - 1);
  StepWork outside = work;
  outside.linkBytes -= inside.linkBytes;
  return outside.timeUs(slowest, topology.memoryBytesPerUs) +
         inside.timeUs(insideNode, topology.memoryBytesPerUs);
}

std::vector<AxisRef> dtensor::exchangeAxes(const Layout &from, const Layout &to,
                                           bool even) {
  std::vector<AxisRef> refs;
  for (int d = 0; d < from.rank(); ++d) {
    std::vector<AxisRef> a = from.dims[d], b = to.dims[d];
    dropCommonMajor(a, b, even);
    refs.insert(refs.end(), a.begin(), a.end());
    refs.insert(refs.end(), b.begin(), b.end());
  }
  return coveringAxes(std::move(refs));
}

int64_t dtensor::maxLocalBytes(const RedistributionRequest &request,
                               const Layout &layout) {
  int64_t count = elementBytes(request.type);
  for (int64_t extent : maxLocalShape(request.mesh, layout, request.shape))
    count *= extent;
  return count;
}

int64_t dtensor::lowerBoundBytes(const RedistributionRequest &request) {
  const Mesh &mesh = request.mesh;
  int64_t bytes = elementBytes(request.type), worst = 0;
  auto missing = [&](int64_t rank) {
    Box held = localBox(mesh, request.from, request.shape, rank);
    Box wanted = localBox(mesh, request.to, request.shape, rank);
    return wanted.numElements() - intersect(held, wanted).numElements();
  };
  if (areNested(request.from, request.to)) {
    for (const RankClass &one :
         rankClasses(mesh, request.shape, {&request.from, &request.to}))
      worst = std::max(worst, missing(one.rank));
    return worst * bytes;
  }
  bool even =
      isEven(request.from, request.shape) && isEven(request.to, request.shape);
  std::vector<AxisRef> axes;
  if (even) {
    axes = exchangeAxes(request.from, request.to, true);
  } else {
    for (const Layout *layout : {&request.from, &request.to})
      for (const std::vector<AxisRef> &list : layout->dims)
        axes.insert(axes.end(), list.begin(), list.end());
    axes = coveringAxes(std::move(axes));
  }
  int64_t most = maxLocalBytes(request, request.to) / bytes;
  int64_t origin = mesh.rankAt(0), count = totalSize(axes);
  for (int64_t i = 0; i < count && worst < most; ++i)
    worst = std::max(worst, missing(mesh.groupMember(origin, axes, i)));
  return worst * bytes;
}

/// True when every chunk of dimension `dim` that the step's target cuts lies
/// in the chunks that the step sees, by the lists of axes alone.
static bool isCleanCut(const RedistributionRequest &request,
                       const RedistributionStep &step, int dim) {
  const std::vector<AxisRef> &a = step.from.dims[dim], &b = step.to.dims[dim];
  if (a == b || (isEvenDim(step.from, request.shape, dim) &&
                 isEvenDim(step.to, request.shape, dim)))
    return true;
  size_t common = commonPrefix(a, b);
  switch (step.kind) {
  case StepKind::Slice:
  case StepKind::ReduceScatter:
    return common == a.size();
  case StepKind::ToPartial:
  case StepKind::AllGather:
    return common == b.size();
  case StepKind::AllToAll:
    return common == std::min(a.size(), b.size());
  default: {
    // Below the common chunk the group must hold everything.
    std::vector<AxisRef> seen = step.axes;
    for (const std::vector<AxisRef> *list : {&a, &b})
      seen.insert(seen.end(), list->begin() + common, list->end());
    return coveringAxes(seen) == coveringAxes(step.axes);
  }
  }
}

bool dtensor::isCleanStep(const RedistributionRequest &request,
                          const RedistributionStep &step) {
  for (int d = 0; d < step.from.rank(); ++d)
    if (!isCleanCut(request, step, d))
      return false;
  return true;
}

bool dtensor::isExactStep(const RedistributionRequest &request,
                          const RedistributionStep &step) {
  const Mesh &mesh = request.mesh;
  if (isCleanStep(request, step))
    return true;
  // Box by box: too dear on a large mesh, where a plan can do without.
  if (mesh.numRanks() > maxRanksByBox)
    return false;
  bool isLocal =
      step.kind == StepKind::Slice || step.kind == StepKind::ReduceScatter;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    if (isLocal || step.kind == StepKind::ToPartial) {
      Box inner = localBox(mesh, step.from, request.shape, rank);
      Box outer = localBox(mesh, step.to, request.shape, rank);
      if (isLocal)
        std::swap(inner, outer);
      if (!inner.isEmpty() && !(intersect(inner, outer) == inner))
        return false;
      continue;
    }
    if (mesh.flatCoordinate(rank, step.axes) != 0)
      continue;
    auto members = mesh.group(rank, step.axes);
    auto transfers = groupTransfers(mesh, request.shape,
                                    {step.from, step.to, step.axes}, rank);
    for (size_t i = 0; i < members.size(); ++i) {
      int64_t found = 0;
      for (const Transfer &transfer : transfers[i])
        found += transfer.box.numElements();
      if (found !=
          localBox(mesh, step.to, request.shape, members[i]).numElements())
        return false;
    }
  }
  return true;
}

bool dtensor::setCombination(const RedistributionRequest &request,
                             RedistributionStep &step) {
  bool even =
      isEven(step.from, request.shape) && isEven(step.to, request.shape);
  std::vector<AxisRef> axes = exchangeAxes(step.from, step.to, even);
  std::optional<ReduceOp> reduced, created;
  for (const Layout *layout : {&step.from, &step.to}) {
    const Layout &other = layout == &step.from ? step.to : step.from;
    std::optional<ReduceOp> &op = layout == &step.from ? reduced : created;
    for (const PartialAxis &partial : layout->partials) {
      if (withoutPartials(other, {partial.axis}, partial.op))
        continue; // stays as it is
      // Half of it may stay: too rare to be worth a step of its own.
      for (const PartialAxis &kept : other.partials)
        if (overlaps(kept.axis, partial.axis) && kept.op == partial.op)
          return false;
      if (op && *op != partial.op)
        return false;
      op = partial.op;
      axes.push_back(partial.axis);
    }
  }
  axes = coveringAxes(std::move(axes));
  // What stays partial has its contributions on either side.
  for (const PartialAxis &kept : step.to.partials)
    if (withoutPartials(step.from, {kept.axis}, kept.op))
      for (const AxisRef &ref : axes)
        if (overlaps(ref, kept.axis))
          return false;
  step.axes = std::move(axes);
  step.op = reduced ? *reduced : created ? *created : ReduceOp::Sum;
  return true;
}

int64_t dtensor::stagingBytes(const RedistributionRequest &request,
                              const RedistributionStep &step) {
  if (request.backend == Backend::Threads || !isCollective(step.kind))
    return 0;
  // True where a box spans more than one row of the given side's tile: then
  // its part is packed for a message, or unpacked from one.
  auto isSplit = [&](const Layout &layout, int dim) {
    auto extents = maxLocalShape(request.mesh, layout, request.shape);
    for (int d = 0; d < dim; ++d)
      if (extents[d] > 1)
        return true;
    return false;
  };
  int64_t p = totalSize(step.axes);
  int64_t in = maxLocalBytes(request, step.from);
  int64_t out = maxLocalBytes(request, step.to);
  switch (step.kind) {
  case StepKind::AllGather:
    return isSplit(step.to, step.fromDim) ? step.recvBytesMax : 0;
  case StepKind::AllToAll:
    return (isSplit(step.from, step.toDim) ? step.sendBytesMax : 0) +
           (isSplit(step.to, step.fromDim) ? step.recvBytesMax : 0);
  case StepKind::ReduceScatter: {
    int cut = 0; // dimensions; chunks of several are no whole rows
    for (int d = 0; d < step.from.rank(); ++d)
      cut += step.from.dims[d] != step.to.dims[d];
    bool packs = cut > 1 || isSplit(step.from, step.toDim);
    // Everyone's contribution to my chunk, mine among them.
    return p * out + (packs ? step.sendBytesMax : 0);
  }
  case StepKind::AllReduce:
    return (p - 1) * (in / p + elementBytes(request.type));
  case StepKind::Exchange:
    if (combinesOnTheWay(step.from, step.to)) // all contributions at once
      return step.sendBytesMax + step.recvBytesMax + out;
    return step.sendBytesMax + step.recvBytesMax;
  default:
    return 0; // whole boxes go as they are
  }
}

int64_t dtensor::linkBytes(const RedistributionStep &step, int axis) {
  int64_t p = totalSize(step.axes), parts = 1;
  for (const AxisRef &ref : step.axes)
    if (ref.axis == axis)
      parts *= ref.size;
  if (parts == 1 || p == 1)
    return 0;
  if (step.kind == StepKind::Exchange || step.kind == StepKind::Permute)
    return step.recvBytesMax;
  // Everyone takes as much from everyone else.
  double share =
      static_cast<double>(p - p / parts) / static_cast<double>(p - 1);
  return static_cast<int64_t>(
      std::ceil(static_cast<double>(step.recvBytesMax) * share - 1e-6));
}

void dtensor::priceStep(const RedistributionRequest &request,
                        RedistributionStep &step) {
  double in = static_cast<double>(maxLocalBytes(request, step.from));
  double out = static_cast<double>(maxLocalBytes(request, step.to));
  StepWork work = evenWork(step.kind, in, out, totalSize(step.axes));
  Traffic traffic = stepTraffic(request, step);
  if (step.kind == StepKind::Permute || step.kind == StepKind::Exchange) {
    // Even a rank that needs nothing meets the others once.
    work.rounds = std::max(1.0, messageRounds(traffic.peersMax + 1));
    if (step.kind == StepKind::Exchange) // unpacks boxes into the new tile
      work.memoryBytes = 2 * out;
  }
  step.recvBytesMax = traffic.recvMax;
  step.recvBytesAvg = traffic.recvAvg();
  step.sendBytesMax = traffic.sendMax;
  step.peakBytes = maxInputOutput(request, step) + stagingBytes(request, step);
  work.linkBytes =
      static_cast<double>(std::max(traffic.recvMax, traffic.sendMax));
  const Topology &topology = request.topology;
  step.timeUs = collectiveTimeUs(
      topology, step.kind, topology.groupShape(request.mesh, step.axes),
      topology.link(request.mesh, step.axes),
      topology.linkInsideNode(request.mesh, step.axes), work);
}
