// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traffic of steps. Even sizes are counted by formula and uneven ones once per
// class of ranks, so that the work does not grow with the mesh.
#include "StepTraffic.h"

#include "CostModel.h"
#include "EvenOverlap.h"
#include "RankClasses.h"

#include <algorithm>

using namespace dtensor;

namespace {

/// Groups up to this size are priced from their exact transfers.
constexpr int64_t maxExactGroup = 32;
/// Groups up to this size are priced from the boxes of all their members.
constexpr int64_t maxCountedGroup = 1 << 12;

class Counter {
public:
  Counter(const RedistributionRequest &request, const RedistributionStep &step)
      : request(request), mesh(request.mesh), step(step),
        bytes(elementBytes(request.type)), groupSize(totalSize(step.axes)),
        even(isEven(step.from, request.shape) &&
             isEven(step.to, request.shape)) {}

  Traffic run() {
    switch (step.kind) {
    case StepKind::Slice:
    case StepKind::ToPartial:
    case StepKind::Scale:
      break;
    case StepKind::ReduceScatter:
    case StepKind::AllReduce:
      countReduction();
      break;
    case StepKind::AllGather:
    case StepKind::AllToAll:
    case StepKind::Permute:
    case StepKind::Exchange:
      countMove();
      break;
    case StepKind::Broadcast:
    case StepKind::Reduce:
    case StepKind::Scatter:
    case StepKind::Gather:
      for (const RankClass &group : groups())
        countRooted(group);
    }
    return traffic;
  }

private:
  Box boxOf(const Layout &layout, int64_t rank) const {
    return localBox(mesh, layout, request.shape, rank);
  }
  int64_t bytesOf(const Layout &layout, int64_t rank) const {
    return boxOf(layout, rank).numElements() * bytes;
  }

  /// One first member per class of equal groups.
  std::vector<RankClass> groups() const {
    if (even)
      return {{mesh.rankAt(0), mesh.numRanks() / groupSize}};
    return rankClasses(mesh, request.shape, {&step.from, &step.to}, step.axes);
  }

  std::vector<RankClass> classes() const {
    if (even)
      return {{mesh.rankAt(0), mesh.numRanks()}};
    return rankClasses(mesh, request.shape, {&step.from, &step.to});
  }

  void countMove() {
    bool moves =
        step.kind == StepKind::AllGather || step.kind == StepKind::AllToAll;
    if (moves && even) {
      int64_t in = bytesOf(step.from, mesh.rankAt(0));
      int64_t moved = step.kind == StepKind::AllGather
                          ? (groupSize - 1) * in
                          : in / groupSize * (groupSize - 1);
      traffic.addReceivers(moved, groupSize - 1, mesh.numRanks());
      traffic.sendMax = moved;
      return;
    }
    if (moves && areNested(step.from, step.to)) {
      for (const RankClass &one : classes())
        countNested(one);
      return;
    }
    bool combines = combinesOnTheWay(step.from, step.to);
    for (const RankClass &group : groups()) {
      if (combines)
        countCombinations(group);
      else if (groupSize <= maxExactGroup)
        countTransfers(group);
      else if (even && countOverlap())
        return;
      else if (groupSize <= maxCountedGroup)
        countBoxes(group);
      else
        boundGroup(group);
    }
  }

  /// All-gather and all-to-all: everyone meets everyone.
  void countNested(const RankClass &one) {
    Box held = boxOf(step.from, one.rank), wanted = boxOf(step.to, one.rank);
    int64_t kept = intersect(held, wanted).numElements();
    traffic.addReceivers((wanted.numElements() - kept) * bytes, groupSize - 1,
                         one.count);
    int64_t sent = step.kind == StepKind::AllGather
                       ? (groupSize - 1) * held.numElements()
                       : held.numElements() - kept;
    traffic.sendMax = std::max(traffic.sendMax, sent * bytes);
  }

  /// Adds the transfers inside a group.
  void countTransfers(const RankClass &group) {
    auto members = mesh.group(group.rank, step.axes);
    auto transfers = groupTransfers(
        mesh, request.shape, {step.from, step.to, step.axes}, group.rank);
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
      traffic.addReceivers(received, peers, group.count);
    }
    addSent(sent);
  }

  /// An exchange that combines: everyone takes all contributions to its box.
  void countCombinations(const RankClass &group) {
    if (groupSize > maxExactGroup) {
      int64_t most = bytesOf(step.to, group.rank) * groupSize;
      traffic.addReceivers(most, groupSize - 1, group.count * groupSize);
      traffic.sendMax = std::max(traffic.sendMax, most);
      return;
    }
    std::vector<int64_t> members = mesh.group(group.rank, step.axes);
    std::vector<std::pair<int64_t, int64_t>> sent; // source rank, bytes
    for (int64_t rank : members) {
      int64_t received = 0, peers = 0;
      for (const Combination &one : combinationsInto(
               mesh, request.shape, {step.from, step.to, step.axes}, rank))
        for (int64_t source : one.sources) {
          if (source == rank)
            continue;
          received += one.box.numElements() * bytes;
          ++peers;
          sent.push_back({source, one.box.numElements() * bytes});
        }
      traffic.addReceivers(received, peers, group.count);
    }
    addSent(sent);
  }

  /// The busiest sender among (source rank, bytes).
  void addSent(std::vector<std::pair<int64_t, int64_t>> &sent) {
    std::sort(sent.begin(), sent.end());
    for (size_t i = 0; i < sent.size();) {
      int64_t total = 0;
      size_t first = i;
      for (; i < sent.size() && sent[i].first == sent[first].first; ++i)
        total += sent[i].second;
      traffic.sendMax = std::max(traffic.sendMax, total);
      traffic.peersMax =
          std::max(traffic.peersMax, static_cast<int64_t>(i - first));
    }
  }

  /// Number of boxes of the source that `box` meets, from its largest chunks.
  int64_t countSourceBoxes(const std::vector<int64_t> &tile,
                           const Box &box) const {
    int64_t count = 1;
    for (size_t d = 0; d < tile.size(); ++d)
      count *= box.hi[d] > box.lo[d] && tile[d] > 0
                   ? (box.hi[d] - 1) / tile[d] - box.lo[d] / tile[d] + 1
                   : 0;
    return count;
  }

  /// Even sizes of any group, exactly; false where cuts do not divide.
  bool countOverlap() {
    auto overlap = evenOverlap(mesh, step.from, step.to, request.shape);
    if (!overlap)
      return false;
    Box wanted = boxOf(step.to, mesh.rankAt(0));
    auto tile = maxLocalShape(mesh, step.from, request.shape);
    int64_t most = wanted.numElements() -
                   (overlap->someKeepNothing ? 0 : overlap->keptMost);
    traffic.addReceivers(most * bytes,
                         countSourceBoxes(tile, wanted) -
                             !overlap->someKeepNothing,
                         mesh.numRanks());
    traffic.recvTotal = (static_cast<double>(wanted.numElements()) *
                             static_cast<double>(mesh.numRanks()) -
                         overlap->keptTotal) *
                        static_cast<double>(bytes);
    traffic.sendMax = traffic.recvMax;
    return true;
  }

  void countBoxes(const RankClass &group) {
    auto tile = maxLocalShape(mesh, step.from, request.shape);
    for (int64_t rank : mesh.group(group.rank, step.axes)) {
      Box held = boxOf(step.from, rank), wanted = boxOf(step.to, rank);
      int64_t kept = intersect(held, wanted).numElements();
      traffic.addReceivers((wanted.numElements() - kept) * bytes,
                           countSourceBoxes(tile, wanted) - (kept > 0),
                           group.count);
    }
    // Equal receivers spread over equal sources: sends balance like receipts.
    traffic.sendMax = traffic.recvMax;
  }

  /// Groups too large to look at every member. What a rank gets at most is
  /// exact as soon as one that wants a largest box holds nothing of it; the
  /// average counts what is wanted.
  void boundGroup(const RankClass &group) {
    auto tile = maxLocalShape(mesh, step.from, request.shape);
    Box largest = boxOf(step.to, group.rank);
    traffic.addReceivers(largest.numElements() * bytes,
                         countSourceBoxes(tile, largest),
                         group.count * groupSize);
    traffic.sendMax = traffic.recvMax;
  }

  /// Ring traffic of an ordered reduction: shares are exchanged, summed and,
  /// for all_reduce, gathered. The first share is the largest.
  void countReduction() {
    int64_t p = groupSize;
    int64_t largest = maxLocalBytes(request, step.to) / bytes;
    for (const RankClass &one : classes()) {
      int64_t in = boxOf(step.from, one.rank).numElements();
      if (step.kind == StepKind::ReduceScatter) {
        int64_t out = boxOf(step.to, one.rank).numElements();
        traffic.addReceivers((p - 1) * out * bytes, p - 1, one.count);
        // A step that also cuts by other axes reads a part of its input.
        int64_t sent = std::min(in - out, (p - 1) * largest);
        traffic.sendMax = std::max(traffic.sendMax, sent * bytes);
        continue;
      }
      int64_t lo = 0, hi = in;
      chunk(lo, hi, p, 0);
      traffic.recvMax = std::max(traffic.recvMax, (in + (p - 2) * hi) * bytes);
      traffic.sendMax = traffic.recvMax;
      traffic.recvTotal +=
          2.0 * static_cast<double>(p - 1) / static_cast<double>(p) *
          static_cast<double>(in * bytes) * static_cast<double>(one.count);
      traffic.peersMax = 2 * (p - 1);
      traffic.ranks += one.count;
    }
  }

  /// Traffic of the kinds with a root: direct messages between it and the
  /// others, of what each of them gets (broadcast: the box, scatter: its
  /// chunk) or gives (reduce: its contribution, gather: its piece).
  void countRooted(const RankClass &group) {
    bool gives =
        step.kind == StepKind::Broadcast || step.kind == StepKind::Scatter;
    int64_t root = mesh.groupMember(group.rank, step.axes, step.root);
    int64_t total = 0, peers = 0;
    for (int64_t rank : mesh.group(group.rank, step.axes)) {
      if (rank == root)
        continue;
      int64_t moved = bytesOf(gives ? step.to : step.from, rank);
      traffic.addReceivers(gives ? moved : 0, 1, group.count);
      traffic.sendMax = std::max(traffic.sendMax, gives ? 0 : moved);
      total += moved;
      ++peers;
    }
    traffic.addReceivers(gives ? 0 : total, peers, group.count);
    traffic.sendMax = std::max(traffic.sendMax, gives ? total : 0);
  }

  const RedistributionRequest &request;
  const Mesh &mesh;
  const RedistributionStep &step;
  int64_t bytes, groupSize;
  bool even;
  Traffic traffic;
};

} // namespace

bool dtensor::areNested(const Layout &from, const Layout &to) {
  for (int d = 0; d < from.rank(); ++d)
    if (commonPrefix(from.dims[d], to.dims[d]) !=
        std::min(from.dims[d].size(), to.dims[d].size()))
      return false;
  return true;
}

Traffic dtensor::stepTraffic(const RedistributionRequest &request,
                             const RedistributionStep &step) {
  return Counter(request, step).run();
}

int64_t dtensor::maxInputOutput(const RedistributionRequest &request,
                                const RedistributionStep &step) {
  // With even sizes all ranks hold as much.
  std::vector<RankClass> classes = {{request.mesh.rankAt(0), 1}};
  if (!isEven(step.from, request.shape) || !isEven(step.to, request.shape))
    classes = rankClasses(request.mesh, request.shape, {&step.from, &step.to});
  int64_t peak = 0, bytes = elementBytes(request.type);
  for (const RankClass &one : classes) {
    Box in = localBox(request.mesh, step.from, request.shape, one.rank);
    Box out = localBox(request.mesh, step.to, request.shape, one.rank);
    peak = std::max(peak, (in.numElements() + out.numElements()) * bytes);
  }
  return peak;
}
