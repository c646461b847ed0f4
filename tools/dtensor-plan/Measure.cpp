// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs lists of steps again and again, on threads or between MPI processes, and
// takes the time.
#include "Measure.h"

#include "dtrt/ThreadRanks.h"

#include <algorithm>
#include <chrono>

using namespace dtensor;

namespace {

constexpr int64_t maxRanks = 256;
/// Bytes that all ranks' buffers may take together.
constexpr int64_t maxTotalBytes = int64_t(1) << 32;
constexpr int warmUpRounds = 2;
constexpr int minRounds = 9, maxRounds = 200;
/// Rounds end when a list has run for so long.
constexpr double enoughUs = 60000;

using Clock = std::chrono::steady_clock;

/// What one rank needs for one list.
struct Prepared {
  std::vector<dtrt::PreparedCollective> steps;
  std::vector<std::vector<std::byte>> buffers; ///< before each step, and last
};

class Timer {
public:
  Timer(const RedistributionRequest &request,
        const std::vector<std::vector<RedistributionStep>> &lists,
        dtrt::MpiWorld *world)
      : request(request), lists(lists), world(world), times(lists.size()) {}

  dtrt::RunStatus runRank(dtrt::Communicator &comm) {
    std::vector<Prepared> mine(lists.size());
    int64_t index = 0;
    for (size_t i = 0; i < lists.size(); ++i)
      if (Status status = prepare(comm, lists[i], index, mine[i]); !status)
        return dtrt::Failure{dtrt::FailureCode::Setup, comm.rank(), index, "",
                             status.message()};
    for (int round = 0; round < warmUpRounds + maxRounds; ++round) {
      for (size_t i = 0; i < lists.size(); ++i)
        if (auto failure = runOnce(comm, mine[i], i, round >= warmUpRounds))
          return failure;
      // Rank 0 decides for all, so that all take part in equal rounds.
      if (comm.rank() == 0)
        finished = hasEnough();
      if (auto failure = agree(comm))
        return failure;
      if (finished)
        break;
    }
    return std::nullopt;
  }

  std::vector<double> medians() {
    std::vector<double> result;
    for (std::vector<double> &list : times) {
      std::sort(list.begin(), list.end());
      result.push_back(list[list.size() / 2]);
    }
    return result;
  }

private:
  Status prepare(dtrt::Communicator &comm,
                 const std::vector<RedistributionStep> &steps, int64_t &index,
                 Prepared &out) {
    int64_t rank = comm.rank();
    const Layout &from = steps.empty() ? request.from : steps.front().from;
    Box box = localBox(request.mesh, from, request.shape, rank);
    // Ones are as good as any data, and no slow numbers.
    out.buffers.emplace_back(box.numElements() * elementBytes(request.type),
                             std::byte(1));
    for (const RedistributionStep &step : steps) {
      auto collective = dtrt::prepareStep(request, step, rank, index++);
      if (!collective)
        return collective.error();
      if (Status status = comm.attach(*collective); !status)
        return status;
      out.buffers.emplace_back(collective->targetBytes, std::byte(1));
      out.steps.push_back(std::move(*collective));
    }
    return Status::success();
  }

  dtrt::RunStatus runOnce(dtrt::Communicator &comm, Prepared &mine, size_t list,
                          bool counts) {
    if (auto failure = comm.barrier("begin"))
      return failure;
    Clock::time_point begin = Clock::now();
    for (size_t i = 0; i < mine.steps.size(); ++i)
      if (auto failure = comm.run(mine.steps[i], mine.buffers[i].data(),
                                  mine.buffers[i + 1].data()))
        return failure;
    if (auto failure = comm.barrier("end"))
      return failure;
    std::chrono::duration<double, std::micro> spent = Clock::now() - begin;
    if (counts && (world || comm.rank() == 0))
      times[list].push_back(spent.count());
    return std::nullopt;
  }

  /// Rank 0's `finished` to all.
  dtrt::RunStatus agree(dtrt::Communicator &comm) {
    if (!world)
      return comm.barrier("round");
    std::vector<uint8_t> word = {static_cast<uint8_t>(finished)};
    if (auto failure = world->broadcast(word))
      return failure;
    finished = word.front();
    return std::nullopt;
  }

  bool hasEnough() const {
    for (const std::vector<double> &list : times) {
      double sum = 0;
      for (double time : list)
        sum += time;
      if (list.size() < minRounds || sum < enoughUs)
        return list.size() >= maxRounds;
    }
    return true;
  }

  const RedistributionRequest &request;
  const std::vector<std::vector<RedistributionStep>> &lists;
  dtrt::MpiWorld *world;                  ///< null: ranks are threads
  std::vector<std::vector<double>> times; ///< of this process, or of thread 0
  bool finished = false; ///< written by rank 0 before it tells the others
};

} // namespace

Status dtensor::checkMeasurable(
    const RedistributionRequest &request,
    const std::vector<std::vector<RedistributionStep>> &lists,
    const std::string &flag) {
  int64_t ranks = request.mesh.numRanks();
  if (ranks > maxRanks)
    return Error{flag + " runs at most " + std::to_string(maxRanks) +
                 " ranks on this machine, but the mesh has " +
                 std::to_string(ranks)};
  int64_t perRank = maxTotalBytes / ranks, needed = 0;
  for (const std::vector<RedistributionStep> &steps : lists)
    for (const RedistributionStep &step : steps)
      needed += std::min(step.peakBytes, maxTotalBytes);
  if (needed > perRank)
    return Error{flag + " would need " + std::to_string(needed) +
                 " bytes per rank, but has " + std::to_string(perRank) +
                 "; choose a smaller shape or fewer ranks"};
  return Status::success();
}

Expected<std::vector<double>>
dtensor::measureSteps(const RedistributionRequest &request,
                      const std::vector<std::vector<RedistributionStep>> &lists,
                      dtrt::MpiWorld *world) {
  Timer timer(request, lists, world);
  auto rankMain = [&](dtrt::Communicator &comm) { return timer.runRank(comm); };
  dtrt::RankOptions options;
  options.timeoutSeconds = measureTimeoutSeconds;
  auto outcome =
      world ? world->run(rankMain)
            : dtrt::runRanks(request.mesh.numRanks(), options, rankMain);
  if (!outcome.succeeded())
    return Error{"measuring failed: " + dtrt::failureLine(*outcome.cause)};
  return timer.medians();
}

Expected<Measurement> dtensor::measurePlan(const RedistributionRequest &request,
                                           const RedistributionPlan &plan) {
  std::vector<std::vector<RedistributionStep>> lists = {plan.steps};
  for (const PlanAlternative &other : plan.alternatives)
    lists.push_back(other.steps);
  if (Status status = checkMeasurable(request, lists, "--measure"); !status)
    return status.error();
  auto times = measureSteps(request, lists);
  if (!times)
    return times.error();
  Measurement measurement;
  measurement.timeUs = times->front();
  measurement.alternatives.assign(times->begin() + 1, times->end());
  return measurement;
}
