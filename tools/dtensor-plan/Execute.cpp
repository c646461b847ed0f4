// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a plan for real, on the threads backend, and compares the result with
// the meaning of the layouts.
#include "Execute.h"

#include "IndexData.h"
#include "dtrt/Tensor.h"
#include "dtrt/ThreadRanks.h"

#include <cmath>

using namespace dtensor;

namespace {

constexpr int64_t maxRanks = 256;
/// Bytes that all ranks' buffers may take together.
constexpr int64_t maxTotalBytes = int64_t(1) << 31;

/// Relative error that a type's avg and scaling may leave.
double tolerance(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return 1e-12;
  case ElementType::F32:
    return 1e-5;
  case ElementType::F16:
    return 4e-3;
  default:
    return 3e-2;
  }
}

/// One run: the buffers of all ranks after every step.
class Run {
public:
  Run(const RedistributionRequest &request, const RedistributionPlan &plan)
      : request(request), plan(plan), mesh(request.mesh),
        bytes(elementBytes(request.type)) {}

  /// Makes the buffers and fills those of the source.
  void begin();
  dtrt::RunStatus runRank(dtrt::Communicator &comm);
  /// What came of it; `failure` stopped some rank.
  Execution finish(const std::optional<dtrt::Failure> &failure) const;

private:
  Box boxOf(const Layout &layout, int64_t rank) const {
    return localBox(mesh, layout, request.shape, rank);
  }
  void fill(int64_t rank);
  std::string compare(int64_t rank) const;
  Element combined(const std::vector<int64_t> &members, int64_t local) const;

  const RedistributionRequest &request;
  const RedistributionPlan &plan;
  const Mesh &mesh;
  int64_t bytes;
  /// buffers[rank][i]: before step i; the last is the result.
  std::vector<std::vector<std::vector<std::byte>>> buffers;
  std::vector<int64_t> recvBytes;
};

void Run::fill(int64_t rank) {
  std::vector<int64_t> coordinates;
  for (const PartialAxis &partial : request.from.partials)
    coordinates.push_back(mesh.coordinate(rank, partial.axis));
  Box box = boxOf(request.from, rank);
  std::vector<std::byte> &buffer = buffers[rank].front();
  buffer.resize(box.numElements() * bytes);
  forEachElement(box, request.shape, [&](int64_t global, int64_t local) {
    int64_t value =
        contributionTo(indexValue(request.type, global), global, request.type,
                       request.from.partials, coordinates);
    encodeElement(request.type, value, buffer.data() + local * bytes);
  });
}

dtrt::RunStatus Run::runRank(dtrt::Communicator &comm) {
  int64_t rank = comm.rank();
  comm.resetStats();
  std::vector<dtrt::PreparedCollective> prepared;
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    auto setupFailure = [&](const std::string &detail) {
      return dtrt::Failure{dtrt::FailureCode::Setup, rank,
                           static_cast<int64_t>(i), "", detail};
    };
    auto step = dtrt::prepareStep(request, plan.steps[i], rank,
                                  static_cast<int64_t>(i));
    if (!step)
      return setupFailure(step.error().message);
    if (Status status = comm.attach(*step); !status)
      return setupFailure(status.message());
    buffers[rank][i + 1].resize(step->targetBytes);
    prepared.push_back(std::move(*step));
  }
  for (size_t i = 0; i < prepared.size(); ++i)
    if (auto failure = comm.run(prepared[i], buffers[rank][i].data(),
                                buffers[rank][i + 1].data()))
      return failure;
  recvBytes[rank] = comm.stats().recvBytes;
  return std::nullopt;
}

/// The value that the partial group `members` holds together.
Element Run::combined(const std::vector<int64_t> &members,
                      int64_t local) const {
  std::vector<Element> values;
  for (int64_t member : members)
    values.push_back(decodeElement(request.type, buffers[member].back().data() +
                                                     local * bytes));
  for (size_t i = request.to.partials.size(); i-- > 0;) {
    const PartialAxis &partial = request.to.partials[i];
    size_t size = static_cast<size_t>(partial.axis.size);
    std::vector<Element> reduced;
    for (size_t at = 0; at < values.size(); at += size) {
      Element sum = values[at];
      for (size_t j = 1; j < size; ++j)
        sum = combineElements(partial.op, request.type, sum, values[at + j]);
      if (partial.op == ReduceOp::Avg)
        sum.real /= static_cast<double>(size);
      reduced.push_back(sum);
    }
    values = std::move(reduced);
  }
  return values.front();
}

/// What is wrong with the result that `rank` takes part in; empty if nothing.
std::string Run::compare(int64_t rank) const {
  std::vector<AxisRef> axes;
  bool rounds = false;
  for (const PartialAxis &partial : request.to.partials)
    axes.push_back(partial.axis);
  for (const Layout *layout : {&request.from, &request.to})
    for (const PartialAxis &partial : layout->partials)
      rounds |= partial.op == ReduceOp::Avg;
  std::vector<int64_t> members = mesh.group(rank, axes);
  Box box = boxOf(request.to, rank);
  for (int64_t member : members)
    if (static_cast<int64_t>(buffers[member].back().size()) !=
        box.numElements() * bytes)
      return "rank " + std::to_string(member) + " ends with " +
             std::to_string(buffers[member].back().size()) +
             " bytes instead of " + std::to_string(box.numElements() * bytes);
  std::string wrong;
  std::vector<std::byte> expectedBytes(bytes);
  forEachElement(box, request.shape, [&](int64_t global, int64_t local) {
    encodeElement(request.type, indexValue(request.type, global),
                  expectedBytes.data());
    Element expected = decodeElement(request.type, expectedBytes.data());
    Element found = combined(members, local);
    double allowed = rounds ? tolerance(request.type) *
                                  std::max(1.0, std::abs(expected.real))
                            : 0;
    if (found.whole == expected.whole &&
        std::abs(found.real - expected.real) <= allowed)
      return;
    if (wrong.empty())
      wrong = "element " + std::to_string(global) + " on rank " +
              std::to_string(rank) + " is " +
              std::to_string(isFloat(request.type)
                                 ? found.real
                                 : static_cast<double>(found.whole)) +
              " instead of " + std::to_string(indexValue(request.type, global));
  });
  return wrong;
}

void Run::begin() {
  int64_t ranks = mesh.numRanks();
  buffers.assign(ranks,
                 std::vector<std::vector<std::byte>>(plan.steps.size() + 1));
  recvBytes.assign(ranks, 0);
  for (int64_t rank = 0; rank < ranks; ++rank)
    fill(rank);
}

Execution Run::finish(const std::optional<dtrt::Failure> &failure) const {
  Execution execution;
  execution.recvBytes = recvBytes;
  if (failure) {
    execution.message = dtrt::failureLine(*failure);
    return execution;
  }
  execution.completed = true;
  for (int64_t rank = 0; rank < mesh.numRanks() && execution.message.empty();
       ++rank)
    execution.message = compare(rank);
  execution.ok = execution.message.empty();
  Status replicas = dtrt::checkReplicas(
      mesh, request.to, request.type, request.shape,
      [this](int64_t rank) { return buffers[rank].back().data(); });
  execution.identicalReplicas = bool(replicas);
  if (!replicas) {
    execution.ok = false;
    if (execution.message.empty())
      execution.message = replicas.message();
  }
  return execution;
}

/// Refuses what does not fit this machine.
Status checkFits(const RedistributionRequest &request,
                 const RedistributionPlan &plan) {
  int64_t ranks = request.mesh.numRanks();
  if (ranks > maxRanks)
    return Error{"--execute runs at most " + std::to_string(maxRanks) +
                 " ranks as threads, but the mesh has " +
                 std::to_string(ranks)};
  int64_t perRank = maxTotalBytes / ranks;
  int64_t needed = elementBytes(request.type);
  for (int64_t extent :
       maxLocalShape(request.mesh, request.from, request.shape))
    needed *= extent;
  for (const RedistributionStep &step : plan.steps)
    needed += step.peakBytes;
  if (needed > perRank)
    return Error{"--execute would need " + std::to_string(needed) +
                 " bytes per rank, but has " + std::to_string(perRank) +
                 "; choose a smaller shape"};
  return Status::success();
}

} // namespace

Expected<Execution> dtensor::executePlan(const RedistributionRequest &request,
                                         const RedistributionPlan &plan) {
  auto all = executePlans({{request, plan}});
  if (!all)
    return all.error();
  return std::move(all->front());
}

Expected<std::vector<Execution>>
dtensor::executePlans(const std::vector<PlannedRequest> &cases) {
  std::vector<Execution> executions;
  if (cases.empty())
    return executions;
  int64_t ranks = cases.front().request.mesh.numRanks();
  std::vector<Run> runs;
  for (const PlannedRequest &one : cases) {
    if (one.request.mesh.numRanks() != ranks)
      return Error{"plans for " + std::to_string(ranks) + " and for " +
                   std::to_string(one.request.mesh.numRanks()) +
                   " ranks cannot run together"};
    if (Status status = checkFits(one.request, one.plan); !status)
      return status.error();
    runs.emplace_back(one.request, one.plan);
  }
  for (Run &run : runs)
    run.begin();
  dtrt::RankOptions options;
  options.timeoutSeconds = 60;
  auto outcome = dtrt::runRanks(
      ranks, options, [&](dtrt::Communicator &comm) -> dtrt::RunStatus {
        for (Run &run : runs)
          if (auto failure = run.runRank(comm))
            return failure;
        return std::nullopt;
      });
  std::optional<dtrt::Failure> failure;
  if (!outcome.succeeded())
    failure = *outcome.cause;
  for (const Run &run : runs)
    executions.push_back(run.finish(failure));
  return executions;
}
