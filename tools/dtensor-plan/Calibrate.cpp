// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calibration: tables of collectives, and the latency, bandwidth and memory
// bandwidth that explain local steps and direct exchanges.
#include "Calibrate.h"

#include "Measure.h"

#include <algorithm>
#include <cmath>

using namespace dtensor;

namespace {

constexpr int64_t rowElements = 1024; // of f32: rows of 4 KiB
constexpr int64_t elementSize = 4;
/// Copies of fewer bytes stay in caches.
constexpr double smallestCopy = 1 << 20;

/// Each rank has buffers for all patterns, about 15 times the tensor, and so
/// the tensor gets smaller where ranks are many.
constexpr int64_t maxBytesOfAll = int64_t(128) << 20;

/// A step as it is measured: from one layout to another by one collective.
struct Pattern {
  StepKind kind;
  const char *from, *to;
  int fromDim, toDim;
};

/// Both dimensions, since packing differs: their mean stands in the table.
constexpr Pattern patterns[] = {
    {StepKind::AllGather, "x=shard(0)", "", 0, -1},
    {StepKind::AllGather, "x=shard(1)", "", 1, -1},
    {StepKind::AllToAll, "x=shard(0)", "x=shard(1)", 0, 1},
    {StepKind::AllToAll, "x=shard(1)", "x=shard(0)", 1, 0},
    {StepKind::ReduceScatter, "x=partial(sum)", "x=shard(0)", -1, 0},
    {StepKind::ReduceScatter, "x=partial(sum)", "x=shard(1)", -1, 1},
    {StepKind::AllReduce, "x=partial(sum)", "", -1, -1},
    {StepKind::Exchange, "x=shard(0)", "x=shard(1)", -1, -1},
    {StepKind::Exchange, "x=shard(1)", "x=shard(0)", -1, -1},
    {StepKind::Slice, "", "x=shard(0)", -1, 0},
    {StepKind::Slice, "", "x=shard(1)", -1, 1},
};

class Calibration {
public:
  explicit Calibration(const CalibrateOptions &options) : options(options) {
    this->options.maxBytes =
        std::min(options.maxBytes, maxBytesOfAll / options.ranks);
    topology.name =
        (options.world ? "mpi-" : "threads-") + std::to_string(options.ranks);
    topology.ranks = 0;
  }

  Status check() const {
    for (int64_t group = 2; group <= options.ranks; ++group)
      if (options.ranks % group == 0)
        for (int64_t bytes : sizes()) {
          RedistributionRequest request = requestFor(group, bytes);
          if (Status status =
                  checkMeasurable(request, listsFor(request), "--calibrate");
              !status)
            return status;
        }
    return Status::success();
  }

  Expected<Topology> run() {
    // Better to refuse before the work than in the middle of it.
    if (Status status = check(); !status)
      return status.error();
    for (int64_t group = 2; group <= options.ranks; ++group)
      if (options.ranks % group == 0)
        if (Status status = measureGroup(group); !status)
          return status.error();
    fitLink();
    roundAll();
    return topology;
  }

private:
  /// A tensor of about `bytes` on groups of `group` ranks, all of them busy.
  RedistributionRequest requestFor(int64_t group, int64_t bytes) const {
    RedistributionRequest request;
    request.mesh = *Mesh::create({{"y", options.ranks / group}, {"x", group}});
    int64_t rows = std::max<int64_t>(1, bytes / (rowElements * elementSize));
    request.shape = {(rows + group - 1) / group * group,
                     (rowElements + group - 1) / group * group};
    request.topology = *Topology::builtin("threads");
    return request;
  }

  std::vector<int64_t> sizes() const {
    std::vector<int64_t> list;
    for (int64_t bytes = 16 << 10; bytes <= options.maxBytes;
         bytes *= bytes < 1 << 20 ? 8 : 2)
      list.push_back(bytes);
    return list;
  }

  std::vector<std::vector<RedistributionStep>>
  listsFor(const RedistributionRequest &request) const {
    std::vector<std::vector<RedistributionStep>> lists;
    for (const Pattern &pattern : patterns) {
      RedistributionStep step;
      step.kind = pattern.kind;
      step.axes = {request.mesh.wholeAxis(1)};
      step.fromDim = pattern.fromDim;
      step.toDim = pattern.toDim;
      step.from = *parseLayout(request.mesh, 2, pattern.from);
      step.to = *parseLayout(request.mesh, 2, pattern.to);
      priceStep(request, step);
      lists.push_back({step});
    }
    return lists;
  }

  /// All patterns of one size are measured in turns: alone, each would find
  /// its tensor in a cache.
  Status measureGroup(int64_t group) {
    for (int64_t bytes : sizes()) {
      RedistributionRequest request = requestFor(group, bytes);
      auto lists = listsFor(request);
      auto times = measureSteps(request, lists, options.world);
      if (!times)
        return times.error();
      for (size_t i = 0; i < lists.size(); ++i)
        addTime(group, lists[i].front(), (*times)[i]);
    }
    for (CollectiveTable &table : topology.tables)
      // More bytes never take less time, whatever the clock says.
      for (size_t i = 1; i < table.points.size(); ++i)
        table.points[i].second =
            std::max(table.points[i].second, table.points[i - 1].second);
    return Status::success();
  }

  /// A slice writes what it reads: two bytes of traffic for one of result.
  /// Rows are quick to copy and columns are not; the mean of all large ones
  /// stands in the file.
  void addTime(int64_t group, const RedistributionStep &step, double time) {
    if (step.kind != StepKind::Slice) {
      addPoint(
          step.kind, group,
          static_cast<double>(std::max(step.recvBytesMax, step.sendBytesMax)),
          time);
      return;
    }
    double out =
        static_cast<double>(step.peakBytes) / static_cast<double>(group + 1);
    // Where ranks are many only small groups have slices that take longer than
    // the barriers around them; all ranks are busy in any case.
    int64_t smallest = 2;
    while (options.ranks % smallest != 0)
      ++smallest;
    double largest = static_cast<double>(options.maxBytes / smallest);
    if (out < std::min(smallestCopy, largest / 2))
      return;
    logOfCopies += std::log(2 * out / std::max(time, 0.01));
    ++copies;
    topology.memoryBytesPerUs = std::exp(logOfCopies / copies);
  }

  /// The geometric mean of the dimensions; points come in ascending order.
  void addPoint(StepKind kind, int64_t group, double bytes, double time) {
    std::string op(stepKindName(kind));
    GroupShape shape = {group, 1};
    auto known =
        std::find_if(topology.tables.begin(), topology.tables.end(),
                     [&](const CollectiveTable &table) {
                       return table.op == op && table.group.size == group;
                     });
    if (known == topology.tables.end()) {
      topology.tables.push_back({op, shape, {}});
      known = std::prev(topology.tables.end());
    }
    for (auto &[otherBytes, otherTime] : known->points)
      if (otherBytes == bytes) {
        otherTime = std::sqrt(otherTime * time);
        return;
      }
    known->points.push_back({bytes, time});
  }

  /// For groups without a table, the line through the ends of the largest
  /// group's all-to-all.
  void fitLink() {
    for (const CollectiveTable &table : topology.tables) {
      if (table.op != "all_to_all" || table.group.size != options.ranks)
        continue;
      auto [firstBytes, firstTime] = table.points.front();
      auto [lastBytes, lastTime] = table.points.back();
      double rounds = std::ceil(std::log2(static_cast<double>(options.ranks)));
      topology.defaultLink.latencyUs = firstTime / rounds;
      topology.defaultLink.bytesPerUs =
          (lastBytes - firstBytes) / std::max(0.01, lastTime - firstTime);
    }
  }

  /// More than five digits say nothing about a machine.
  void roundAll() {
    auto round = [](double &value) {
      if (value <= 0)
        return;
      double scale = std::pow(10.0, 4 - std::floor(std::log10(value)));
      value = std::round(value * scale) / scale;
    };
    round(topology.memoryBytesPerUs);
    round(topology.defaultLink.latencyUs);
    round(topology.defaultLink.bytesPerUs);
    for (CollectiveTable &table : topology.tables)
      for (auto &[bytes, time] : table.points)
        round(time);
  }

  CalibrateOptions options;
  Topology topology;
  double logOfCopies = 0;
  int copies = 0;
};

} // namespace

Status dtensor::checkCalibration(const CalibrateOptions &options) {
  return Calibration(options).check();
}

Expected<Topology> dtensor::calibrateMachine(const CalibrateOptions &options) {
  return Calibration(options).run();
}
