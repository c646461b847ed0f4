// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices of steps. Even sizes are priced by formula, so that the cost of
// pricing does not grow with the number of ranks; uneven ones by counting the
// boxes that the step moves.
#include "CostModel.h"

#include "dtensor/Planner/LayoutOps.h"

#include <algorithm>

using namespace dtensor;

namespace {

/// Groups up to this size are priced from their exact transfers.
constexpr int64_t maxExactGroup = 32;
/// Groups up to this size are priced from the boxes of all their members.
constexpr int64_t maxCountedGroup = 1 << 16;

/// Bytes and messages of one step, gathered over ranks.
struct Traffic {
  int64_t recvMax = 0, sendMax = 0, peersMax = 0;
  double recvTotal = 0;
  int64_t ranks = 0;

  void addReceiver(int64_t bytes, int64_t peers) {
    recvMax = std::max(recvMax, bytes);
    peersMax = std::max(peersMax, peers);
    recvTotal += static_cast<double>(bytes);
    ++ranks;
  }
  double recvAvg() const { return ranks ? recvTotal / ranks : 0; }
};

/// Adds the transfers inside the group of `rank`.
void addGroupTraffic(const RedistributionRequest &request,
                     const RedistributionStep &step, int64_t rank,
                     Traffic &traffic) {
  int64_t bytes = elementBytes(request.type);
  auto members = request.mesh.group(rank, step.axes);
  auto transfers = groupTransfers(request.mesh, request.shape,
                                  {step.from, step.to, step.axes}, rank);
  std::vector<std::pair<int64_t, int64_t>> sent; // source rank, bytes
  for (size_t i = 0; i < members.size(); ++i) {
    int64_t received = 0, peers = 0;
    for (const Transfer &transfer : transfers[i]) {
      if (transfer.source == members[i])
        continue;
      int64_t size = transfer.box.numElements() * bytes;
      received += size;
      ++peers;
      sent.push_back({transfer.source, size});
    }
    traffic.addReceiver(received, peers);
  }
  std::sort(sent.begin(), sent.end());
  for (size_t i = 0; i < sent.size();) {
    int64_t total = 0, first = i;
    for (; i < sent.size() && sent[i].first == sent[first].first; ++i)
      total += sent[i].second;
    traffic.sendMax = std::max(traffic.sendMax, total);
    traffic.peersMax = std::max<int64_t>(traffic.peersMax, i - first);
  }
}

/// Number of source boxes of an even layout that `box` meets.
int64_t countSourceBoxes(const std::vector<int64_t> &shape,
                         const std::vector<int64_t> &tile, const Box &box) {
  int64_t count = 1;
  for (size_t d = 0; d < shape.size(); ++d)
    count *= box.hi[d] > box.lo[d]
                 ? (box.hi[d] - 1) / tile[d] - box.lo[d] / tile[d] + 1
                 : 0;
  return count;
}

/// Traffic of a move on even sizes, where all groups are alike: that of the
/// first group, and for very large groups an upper bound.
Traffic evenMoveTraffic(const RedistributionRequest &request,
                        const RedistributionStep &step) {
  Traffic traffic;
  int64_t origin = request.mesh.rankAt(0);
  int64_t groupSize = totalSize(step.axes);
  if (groupSize <= maxExactGroup) {
    addGroupTraffic(request, step, origin, traffic);
    return traffic;
  }
  int64_t bytes = elementBytes(request.type);
  auto tile = maxLocalShape(request.mesh, step.from, request.shape);
  if (groupSize > maxCountedGroup) {
    Box largest = localBox(request.mesh, step.to, request.shape, origin);
    traffic.addReceiver(largest.numElements() * bytes,
                        countSourceBoxes(request.shape, tile, largest));
    traffic.sendMax = traffic.recvMax;
    return traffic;
  }
  for (int64_t rank : request.mesh.group(origin, step.axes)) {
    Box held = localBox(request.mesh, step.from, request.shape, rank);
    Box wanted = localBox(request.mesh, step.to, request.shape, rank);
    int64_t kept = intersect(held, wanted).numElements();
    traffic.addReceiver((wanted.numElements() - kept) * bytes,
                        countSourceBoxes(request.shape, tile, wanted) -
                            (kept > 0));
  }
  // Equal receivers spread over equal sources: sends balance like receipts.
  traffic.sendMax = traffic.recvMax;
  return traffic;
}

/// Traffic of a move on sizes that need not divide: every group counts.
Traffic unevenMoveTraffic(const RedistributionRequest &request,
                          const RedistributionStep &step) {
  Traffic traffic;
  for (int64_t rank = 0; rank < request.mesh.numRanks(); ++rank)
    if (request.mesh.flatCoordinate(rank, step.axes) == 0)
      addGroupTraffic(request, step, rank, traffic);
  return traffic;
}

/// Ring traffic of an ordered reduction: shares are exchanged, summed and, for
/// all_reduce, gathered. The first share is the largest.
Traffic reductionTraffic(const RedistributionRequest &request,
                         const RedistributionStep &step, bool even) {
  Traffic traffic;
  int64_t p = totalSize(step.axes), bytes = elementBytes(request.type);
  auto addRank = [&](int64_t rank) {
    int64_t in =
        localBox(request.mesh, step.from, request.shape, rank).numElements();
    if (step.kind == StepKind::ReduceScatter) {
      int64_t out =
          localBox(request.mesh, step.to, request.shape, rank).numElements();
      traffic.addReceiver((p - 1) * out * bytes, p - 1);
      traffic.sendMax = std::max(traffic.sendMax, (in - out) * bytes);
      return;
    }
    int64_t lo = 0, hi = in;
    chunk(lo, hi, p, 0);
    traffic.recvMax = std::max(traffic.recvMax, (in + (p - 2) * hi) * bytes);
    traffic.sendMax = traffic.recvMax;
    traffic.recvTotal += 2.0 * (p - 1) / p * in * bytes;
    traffic.peersMax = 2 * (p - 1);
    ++traffic.ranks;
  };
  if (even)
    addRank(request.mesh.rankAt(0));
  else
    for (int64_t rank = 0; rank < request.mesh.numRanks(); ++rank)
      addRank(rank);
  return traffic;
}

/// Traffic of the kinds with a root: direct messages between it and the others,
/// of what each of them gets (broadcast: the box, scatter: its chunk) or gives
/// (reduce: its contribution, gather: its piece).
Traffic rootedTraffic(const RedistributionRequest &request,
                      const RedistributionStep &step, bool even) {
  Traffic traffic;
  int64_t bytes = elementBytes(request.type);
  bool gives =
      step.kind == StepKind::Broadcast || step.kind == StepKind::Scatter;
  auto addGroup = [&](int64_t first) {
    int64_t root = request.mesh.groupMember(first, step.axes, step.root);
    int64_t total = 0, peers = 0;
    for (int64_t rank : request.mesh.group(first, step.axes)) {
      if (rank == root)
        continue;
      int64_t moved = localBox(request.mesh, gives ? step.to : step.from,
                               request.shape, rank)
                          .numElements() *
                      bytes;
      traffic.addReceiver(gives ? moved : 0, 1);
      traffic.sendMax = std::max(traffic.sendMax, gives ? 0 : moved);
      total += moved;
      ++peers;
    }
    traffic.addReceiver(gives ? 0 : total, peers);
    traffic.sendMax = std::max(traffic.sendMax, gives ? total : 0);
  };
  for (int64_t rank = 0; rank < request.mesh.numRanks(); ++rank) {
    if (request.mesh.flatCoordinate(rank, step.axes) != 0)
      continue;
    addGroup(rank);
    if (even)
      break; // all groups are alike
  }
  return traffic;
}

int64_t maxStepPeak(const RedistributionRequest &request,
                    const RedistributionStep &step, bool even) {
  if (even)
    return maxLocalBytes(request, step.from) + maxLocalBytes(request, step.to);
  int64_t peak = 0, bytes = elementBytes(request.type);
  for (int64_t rank = 0; rank < request.mesh.numRanks(); ++rank) {
    Box in = localBox(request.mesh, step.from, request.shape, rank);
    Box out = localBox(request.mesh, step.to, request.shape, rank);
    peak = std::max(peak, (in.numElements() + out.numElements()) * bytes);
  }
  return peak;
}

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
  int64_t bytes = elementBytes(request.type), worst = 0;
  int64_t most = maxLocalBytes(request, request.to) / bytes;
  int64_t origin = mesh.rankAt(0), count = totalSize(axes);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rank = mesh.groupMember(origin, axes, i);
    Box held = localBox(mesh, request.from, request.shape, rank);
    Box wanted = localBox(mesh, request.to, request.shape, rank);
    int64_t missing =
        wanted.numElements() - intersect(held, wanted).numElements();
    worst = std::max(worst, missing);
    if (worst == most)
      break;
  }
  return worst * bytes;
}

bool dtensor::isExactStep(const RedistributionRequest &request,
                          const RedistributionStep &step) {
  const Mesh &mesh = request.mesh;
  if (step.from.dims == step.to.dims ||
      (isEven(step.from, request.shape) && isEven(step.to, request.shape)))
    return true;
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

void dtensor::priceStep(const RedistributionRequest &request,
                        RedistributionStep &step) {
  bool even =
      isEven(step.from, request.shape) && isEven(step.to, request.shape);
  double in = static_cast<double>(maxLocalBytes(request, step.from));
  double out = static_cast<double>(maxLocalBytes(request, step.to));
  int64_t p = totalSize(step.axes);
  StepWork work = evenWork(step.kind, in, out, p);
  Traffic traffic;
  switch (step.kind) {
  case StepKind::Slice:
  case StepKind::ToPartial:
  case StepKind::Scale:
    break;
  case StepKind::ReduceScatter:
  case StepKind::AllReduce:
    traffic = reductionTraffic(request, step, even);
    break;
  case StepKind::AllGather:
  case StepKind::AllToAll:
    if (even) {
      double moved = work.linkBytes;
      traffic.addReceiver(static_cast<int64_t>(moved + 0.5), p - 1);
      traffic.sendMax = traffic.recvMax;
    } else {
      traffic = unevenMoveTraffic(request, step);
    }
    break;
  case StepKind::Permute:
  case StepKind::Exchange:
    traffic = even ? evenMoveTraffic(request, step)
                   : unevenMoveTraffic(request, step);
    // Even a rank that needs nothing meets the others once.
    work.rounds = std::max(1.0, messageRounds(traffic.peersMax + 1));
    if (step.kind == StepKind::Exchange) // unpacks boxes into the new tile
      work.memoryBytes = 2 * out;
    break;
  case StepKind::Broadcast:
  case StepKind::Reduce:
  case StepKind::Scatter:
  case StepKind::Gather:
    traffic = rootedTraffic(request, step, even);
    break;
  }
  step.recvBytesMax = traffic.recvMax;
  step.recvBytesAvg = traffic.recvAvg();
  step.sendBytesMax = traffic.sendMax;
  step.peakBytes = maxStepPeak(request, step, even);
  work.linkBytes =
      static_cast<double>(std::max(traffic.recvMax, traffic.sendMax));
  step.timeUs = work.timeUs(request.topology.link(request.mesh, step.axes),
                            request.topology.memoryBytesPerUs);
}
