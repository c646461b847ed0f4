// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs an exchange between meshes on threads, one per device, and compares
// every element.
#include "Execute.h"

#include "IndexData.h"
#include "dtrt/ThreadRanks.h"

#include <algorithm>
#include <cmath>

using namespace dtensor;

namespace {

constexpr int64_t maxDevices = 256;
/// Bytes that all devices' buffers may take together.
constexpr int64_t maxTotalBytes = int64_t(1) << 31;

std::vector<std::byte> indexBytes(ElementType type,
                                  const std::vector<int64_t> &shape,
                                  const std::optional<Box> &box) {
  std::vector<std::byte> buffer;
  if (!box)
    return buffer;
  int64_t bytes = elementBytes(type);
  buffer.resize(box->numElements() * bytes);
  forEachElement(*box, shape, [&](int64_t global, int64_t local) {
    encodeElement(type, indexValue(type, global),
                  buffer.data() + local * bytes);
  });
  return buffer;
}

dtrt::PreparedCollective prepare(ElementType type, const MeshExchange &exchange,
                                 int64_t me) {
  int64_t bytes = elementBytes(type);
  dtrt::PreparedCollective out;
  out.name = "exchange";
  out.type = type;
  out.rank = me;
  out.myIndex = static_cast<int>(me);
  for (size_t i = 0; i < exchange.devices.size(); ++i)
    out.group.push_back(static_cast<int64_t>(i));
  if (exchange.held[me])
    out.sourceBytes = exchange.held[me]->numElements() * bytes;
  if (exchange.wanted[me])
    out.targetBytes = exchange.wanted[me]->numElements() * bytes;
  for (const Transfer &transfer : exchange.transfers[me]) {
    dtrt::StridedLoop loop(
        transfer.box, {*exchange.held[transfer.source], *exchange.wanted[me]},
        bytes);
    if (transfer.source != me)
      out.recvBytes += loop.totalBytes();
    out.copies.push_back({static_cast<int>(transfer.source), std::move(loop)});
  }
  return out;
}

/// What a participant of the source mesh holds before the reduction.
std::vector<std::byte> contributionBytes(const RedistributionRequest &request,
                                         int64_t rank) {
  std::vector<int64_t> coordinates;
  for (const PartialAxis &partial : request.from.partials)
    coordinates.push_back(request.mesh.coordinate(rank, partial.axis));
  Box box = localBox(request.mesh, request.from, request.shape, rank);
  int64_t bytes = elementBytes(request.type);
  std::vector<std::byte> buffer(box.numElements() * bytes);
  forEachElement(box, request.shape, [&](int64_t global, int64_t local) {
    int64_t value =
        contributionTo(indexValue(request.type, global), global, request.type,
                       request.from.partials, coordinates);
    encodeElement(request.type, value, buffer.data() + local * bytes);
  });
  return buffer;
}

/// Participants by rank of the source mesh: those that hold something.
std::vector<int64_t> sourceParticipants(const MeshExchange &exchange) {
  std::vector<int64_t> participants;
  for (size_t i = 0; i < exchange.held.size(); ++i)
    if (exchange.held[i])
      participants.push_back(static_cast<int64_t>(i));
  return participants;
}

/// Runs the steps of the reduction on participant `me`; its data goes in and
/// out of `data`. Ranks of the source mesh are participants in the same order.
dtrt::RunStatus reduce(dtrt::Communicator &comm, const MeshExchange &exchange,
                       std::vector<std::vector<std::byte>> &buffers,
                       std::vector<std::byte> &data, int64_t &index) {
  const MeshReduction &reduction = *exchange.reduction;
  std::vector<int64_t> participants = sourceParticipants(exchange);
  auto mine = std::find(participants.begin(), participants.end(), comm.rank());
  for (const RedistributionStep &step : reduction.plan.steps) {
    int64_t at = index++;
    if (mine == participants.end())
      continue;
    auto collective = dtrt::prepareStep(reduction.request, step,
                                        mine - participants.begin(), at);
    if (!collective)
      return dtrt::Failure{dtrt::FailureCode::Setup, comm.rank(), at, "",
                           collective.error().message};
    collective->rank = comm.rank();
    for (int64_t &member : collective->group)
      member = participants[static_cast<size_t>(member)];
    if (Status status = comm.attach(*collective); !status)
      return dtrt::Failure{dtrt::FailureCode::Setup, comm.rank(), at, "",
                           status.message()};
    // Peers may still read this buffer: it stays until all have ended.
    buffers.push_back(std::move(data));
    data.assign(collective->targetBytes, std::byte(0));
    if (auto failure =
            comm.run(*collective, buffers.back().data(), data.data()))
      return failure;
  }
  return std::nullopt;
}

/// avg divides, which may round.
bool isRight(const MeshExchange &exchange, ElementType type,
             const std::vector<std::byte> &found,
             const std::vector<std::byte> &wanted) {
  if (found == wanted || found.size() != wanted.size())
    return found == wanted;
  bool rounds = false;
  if (exchange.reduction)
    for (const PartialAxis &partial : exchange.reduction->request.from.partials)
      rounds |= partial.op == ReduceOp::Avg;
  for (size_t at = 0; rounds && at < found.size(); at += elementBytes(type)) {
    double a = decodeElement(type, found.data() + at).real;
    double b = decodeElement(type, wanted.data() + at).real;
    if (std::abs(a - b) > 3e-2 * std::max(1.0, std::abs(b)))
      return false;
  }
  return rounds;
}

} // namespace

Expected<Execution> dtensor::executeExchange(ElementType type,
                                             const std::vector<int64_t> &shape,
                                             const MeshExchange &exchange) {
  int64_t count = static_cast<int64_t>(exchange.devices.size());
  if (count > maxDevices)
    return Error{"--execute runs at most " + std::to_string(maxDevices) +
                 " ranks as threads, but the meshes have " +
                 std::to_string(count) + " devices"};
  if (exchange.plan.peakBytes > maxTotalBytes / count)
    return Error{
        "--execute would need " + std::to_string(exchange.plan.peakBytes) +
        " bytes per rank, but has " + std::to_string(maxTotalBytes / count) +
        "; choose a smaller shape"};
  Execution execution;
  execution.recvBytes.assign(count, 0);
  std::vector<std::vector<std::byte>> sources(count), targets(count);
  std::vector<int64_t> participants = sourceParticipants(exchange);
  for (size_t rank = 0; rank < participants.size(); ++rank)
    sources[participants[rank]] =
        exchange.reduction
            ? contributionBytes(exchange.reduction->request,
                                static_cast<int64_t>(rank))
            : indexBytes(type, shape, exchange.held[participants[rank]]);
  std::vector<std::vector<std::vector<std::byte>>> kept(count);
  dtrt::RankOptions options;
  options.timeoutSeconds = 60;
  auto outcome = dtrt::runRanks(
      count, options, [&](dtrt::Communicator &comm) -> dtrt::RunStatus {
        int64_t me = comm.rank();
        int64_t index = 0;
        if (exchange.reduction)
          if (auto failure =
                  reduce(comm, exchange, kept[me], sources[me], index))
            return failure;
        dtrt::PreparedCollective mine = prepare(type, exchange, me);
        mine.step = index;
        if (Status status = comm.attach(mine); !status)
          return dtrt::Failure{dtrt::FailureCode::Setup, me, 0, mine.name,
                               status.message()};
        targets[me].resize(mine.targetBytes);
        if (auto failure =
                comm.run(mine, sources[me].data(), targets[me].data()))
          return failure;
        execution.recvBytes[me] = comm.stats().recvBytes;
        return std::nullopt;
      });
  if (!outcome.succeeded()) {
    execution.message = dtrt::failureLine(*outcome.cause);
    return execution;
  }
  execution.completed = execution.ok = true;
  // Right bits everywhere are equal bits on replicas.
  for (int64_t i = 0; i < count && execution.ok; ++i)
    if (!isRight(exchange, type, targets[i],
                 indexBytes(type, shape, exchange.wanted[i]))) {
      execution.ok = false;
      execution.message = "device " + std::to_string(exchange.devices[i]) +
                          " ends with wrong elements";
    }
  execution.identicalReplicas = execution.ok;
  return execution;
}
