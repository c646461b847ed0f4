// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting ranks as threads, and joining the ranks of a launcher.
#include "API/RankContext.h"
#include "API/Routine.h"
#include "dtrt/MpiRanks.h"

#include <cstdio>
#include <cstdlib>

using namespace dtensor;

namespace {

Topology readTopologyOption(const SpmdOptions &options) {
  Expected<Topology> topology = parseTopology(options.topology);
  if (!topology)
    throw DTensorError(ErrorCode::InvalidArgument, topology.error().message);
  return std::move(*topology);
}

dtrt::Launcher launcher() {
  Expected<dtrt::Launcher> found = dtrt::detectLauncher();
  if (!found)
    throw DTensorError(ErrorCode::Io, found.error().message);
  if (found->kind == dtrt::Launcher::Torchrun)
    throw DTensorError(
        ErrorCode::NotSupported,
        "the environment variable " + found->variable +
            " is set, as by torchrun, whose processes need the nccl backend; "
            "this build has mpi (mpirun -n N ...) and threads (with the "
            "variable unset)");
  return *found;
}

/// The only rank of a program without a launcher.
class OneRank : public dtrt::Communicator {
public:
  int64_t rank() const override { return 0; }
  int64_t numRanks() const override { return 1; }
  Status attach(dtrt::PreparedCollective &) override {
    return Status::success();
  }
  bool runsOnOtherThreads() const override { return true; }
  dtrt::RunStatus barrier(const std::string &) override { return std::nullopt; }
  void abort(const dtrt::Failure &) override {}

protected:
  dtrt::RunStatus runCollective(const dtrt::PreparedCollective &collective,
                                const std::byte *source,
                                std::byte *target) override {
    for (const dtrt::BoxCopy &copy : collective.copies)
      dtrt::copyBox(copy.loop, source, target);
    return std::nullopt;
  }
};

/// This process as a rank: of an mpirun, or alone.
class ProcessRank {
public:
  static ProcessRank &instance() {
    static auto *one = new ProcessRank; // ended by atexit
    return *one;
  }

  const std::shared_ptr<RankContext> &context() const { return rank; }

  void start(const dtrt::Launcher &from, const SpmdOptions &options) {
    if (ended)
      throw DTensorError(ErrorCode::InvalidArgument,
                         "this process has left its launcher's ranks and "
                         "cannot join them again");
    Topology topology = readTopologyOption(options);
    dtrt::Communicator *communicator = &alone;
    if (from.isMpi()) {
      auto started = dtrt::MpiWorld::start(from, options.timeoutSeconds);
      if (!started)
        throw DTensorError(ErrorCode::Io, started.error().message);
      mpi = std::move(*started);
      communicator = &mpi->communicator();
      std::atexit([] { instance().leave(); });
    }
    auto world = std::make_shared<World>(communicator->numRanks(), options,
                                         std::move(topology), !mpi);
    rank = std::make_shared<RankContext>(std::move(world), *communicator);
  }

  /// Runs this process's part; a failure reaches the other processes.
  void run(const std::function<void()> &rankMain) {
    RankScope scope(rank);
    try {
      rankMain();
    } catch (const DTensorError &error) {
      rank->endWith(error);
      throw;
    } catch (const std::exception &error) {
      DTensorError asError(ErrorCode::RankFailed,
                           "rank " + std::to_string(rank->rank) +
                               " failed: " + error.what(),
                           rank->rank);
      rank->endWith(asError);
      throw asError;
    }
  }

  void leave() {
    if (!rank || ended)
      return;
    ended = true;
    rank->close();
    if (!mpi)
      return;
    // Leaving in order needs all ranks, which a failed run has not.
    if (rank->world->firstError())
      mpi->abort(4);
    mpi->finish();
  }

private:
  OneRank alone;
  std::unique_ptr<dtrt::MpiWorld> mpi;
  std::shared_ptr<RankContext> rank;
  bool ended = false;
};

void runThreads(int64_t numRanks, const std::function<void()> &rankMain,
                const SpmdOptions &options) {
  auto world = std::make_shared<World>(numRanks, options,
                                       readTopologyOption(options), true);
  dtrt::RankOptions rankOptions;
  rankOptions.timeoutSeconds = options.timeoutSeconds;
  auto body = [&](dtrt::Communicator &communicator) -> dtrt::RunStatus {
    auto context = std::make_shared<RankContext>(world, communicator);
    RankScope scope(context);
    std::optional<dtrt::Failure> failure;
    try {
      rankMain();
      context->close(); // what is pending may fail, too
      context->throwIfFailed();
    } catch (const DTensorError &error) {
      failure = context->endWith(error);
    } catch (const std::exception &error) {
      failure = context->endWith(DTensorError(
          ErrorCode::RankFailed,
          "rank " + std::to_string(context->rank) + " failed: " + error.what(),
          context->rank));
    } catch (...) {
      failure = context->endWith(DTensorError(
          ErrorCode::RankFailed,
          "rank " + std::to_string(context->rank) +
              " failed: it threw something that is not a std::exception",
          context->rank));
    }
    context->close();
    return failure;
  };
  dtrt::RunReport report = dtrt::runRanks(numRanks, rankOptions, body);
  if (std::optional<DTensorError> error = world->firstError())
    throw *error;
  if (!report.succeeded())
    throw toError(*report.cause);
}

} // namespace

void dtensor::spmd(int64_t numRanks, const std::function<void()> &rankMain,
                   const SpmdOptions &options) {
  if (numRanks < 0 || numRanks > 4096)
    throw DTensorError(ErrorCode::InvalidArgument,
                       "spmd with " + std::to_string(numRanks) +
                           " ranks: there may be 1 to 4096, or 0 for as many "
                           "as the launcher started");
  if (!(options.timeoutSeconds > 0))
    throw DTensorError(ErrorCode::InvalidArgument,
                       "a timeout of " +
                           std::to_string(options.timeoutSeconds) +
                           " seconds: it must be above 0");
  if (RankContext::current())
    throw DTensorError(ErrorCode::InvalidArgument,
                       "this thread is a rank already; spmd starts ranks and "
                       "is not called by them");
  dtrt::Launcher from = launcher();
  if (!from.isMpi())
    return runThreads(numRanks == 0 ? 1 : numRanks, rankMain, options);
  if (numRanks != 0 && numRanks != from.size)
    throw DTensorError(ErrorCode::InvalidArgument,
                       "spmd with " + std::to_string(numRanks) +
                           " ranks, but " + from.variable + " says that " +
                           std::to_string(from.size) +
                           " processes were started; use 0 or that number");
  ProcessRank &process = ProcessRank::instance();
  if (!process.context())
    process.start(from, options);
  process.context()->throwIfFailed();
  process.run(rankMain);
}

std::shared_ptr<RankContext> RankContext::currentOrInitialize() {
  if (!current())
    initialize();
  return current();
}

void dtensor::initialize(const SpmdOptions &options) {
  if (RankContext::current())
    return;
  ProcessRank &process = ProcessRank::instance();
  if (!process.context())
    process.start(launcher(), options);
  RankContext::current() = process.context();
}

void dtensor::finalize() {
  ProcessRank &process = ProcessRank::instance();
  if (RankContext::current() != process.context())
    throw DTensorError(ErrorCode::InvalidArgument,
                       "finalize belongs to initialize; ranks of spmd end by "
                       "returning");
  process.leave();
  RankContext::current() = nullptr;
}

bool dtensor::isInitialized() { return RankContext::current() != nullptr; }

int64_t dtensor::worldRank() { return RankContext::require()->rank; }
int64_t dtensor::worldSize() { return RankContext::require()->world->size; }

void dtensor::barrier() {
  RankContext &context = *RankContext::require();
  runOnChannel(context, 0, context.everyone(), [](Agreement &all) {
    all.check(Call::make("barrier"));
    std::byte nothing{0};
    all.gather(&nothing, 1);
  });
}

void dtensor::manualSeed(uint64_t seed) {
  RankContext::require()->setSeed(seed);
}

CommCounts dtensor::commCounts() { return RankContext::require()->counts(); }

std::shared_ptr<RankContext> dtensor::currentRank() {
  return RankContext::require();
}

RankScope::RankScope(std::shared_ptr<RankContext> rank)
    : previous(std::move(RankContext::current())) {
  RankContext::current() = std::move(rank);
}

RankScope::~RankScope() { RankContext::current() = std::move(previous); }
