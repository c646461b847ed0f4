// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs an exchange between meshes on threads, one per device, and compares
// every element.
#include "Execute.h"

#include "IndexData.h"
#include "dtrt/ThreadRanks.h"

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
  for (int64_t i = 0; i < count; ++i)
    sources[i] = indexBytes(type, shape, exchange.held[i]);
  dtrt::RankOptions options;
  options.timeoutSeconds = 60;
  auto outcome = dtrt::runRanks(
      count, options, [&](dtrt::Communicator &comm) -> dtrt::RunStatus {
        int64_t me = comm.rank();
        dtrt::PreparedCollective mine = prepare(type, exchange, me);
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
    if (targets[i] != indexBytes(type, shape, exchange.wanted[i])) {
      execution.ok = false;
      execution.message = "device " + std::to_string(exchange.devices[i]) +
                          " ends with wrong elements";
    }
  execution.identicalReplicas = execution.ok;
  return execution;
}
