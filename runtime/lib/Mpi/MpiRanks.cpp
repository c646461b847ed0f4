// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the MPI module of a launcher, and what a rank does around its
// collectives.
#include "dtrt/MpiRanks.h"

#include "Data/NeighbourFile.h"
#include "Mpi/MpiCommunicator.h"

#include <chrono>
#include <cstring>
#include <dlfcn.h>
#include <exception>
#include <thread>
#include <unistd.h>

using namespace dtrt;

namespace {

std::string moduleName(Launcher::Kind kind) {
  return kind == Launcher::Mpich ? "dtrt-mpi-mpich.so" : "dtrt-mpi-openmpi.so";
}

Expected<const MpiTransport *> loadModule(Launcher::Kind kind) {
  std::string name = moduleName(kind);
  std::string path;
  for (const std::string &candidate : neighbourPaths(name)) {
    path = candidate;
    if (::access(path.c_str(), F_OK) == 0)
      break;
  }
  // A program that brought the other implementation's library cannot run both.
  if (kind == Launcher::Mpich && ::dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world"))
    return Error{"this process was started by the launcher of MPICH, but has "
                 "loaded the library of Open MPI; start it with the launcher "
                 "of the MPI that it was built with"};
  // Open MPI loads plugins that look for its symbols in the global scope.
  void *module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!module) {
    std::string why = ::dlerror();
    if (::access(path.c_str(), F_OK) != 0)
      why = "this build has no module for it: " + name +
            " (it was configured where that MPI was not installed)";
    return Error{std::string("cannot run under the launcher of ") +
                 (kind == Launcher::Mpich ? "MPICH" : "Open MPI") + ": " + why};
  }
  auto function = reinterpret_cast<MpiTransportFunction>(
      ::dlsym(module, kMpiTransportSymbol));
  const MpiTransport *transport =
      function ? function(kMpiTransportVersion) : nullptr;
  if (!transport)
    return Error{path + ": is the module of another version"};
  return transport;
}

} // namespace

class MpiWorld::Impl {
public:
  Impl(const MpiTransport &mpi, int64_t rank, int64_t size, double timeout)
      : mpi(mpi), communicator(mpi, rank, size, timeout) {}

  const MpiTransport &mpi;
  MpiCommunicator communicator;
  bool failedHere = false; ///< this rank was the first to know
};

MpiWorld::MpiWorld(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
MpiWorld::~MpiWorld() = default;

Expected<std::unique_ptr<MpiWorld>> MpiWorld::start(const Launcher &launcher,
                                                    double timeoutSeconds) {
  Expected<const MpiTransport *> transport = loadModule(launcher.kind);
  if (!transport)
    return transport.error();
  const MpiTransport &mpi = **transport;
  int32_t rank = 0, size = 0;
  if (mpi.start(&rank, &size) != MpiOutcome::Done)
    return Error{std::string(mpi.implementation) +
                 " does not start: " + mpi.lastError()};
  if (size != launcher.size)
    return Error{std::string(mpi.implementation) + " sees " +
                 std::to_string(size) + " ranks, " + launcher.variable +
                 " says " + std::to_string(launcher.size)};
  return std::unique_ptr<MpiWorld>(
      new MpiWorld(std::make_unique<Impl>(mpi, rank, size, timeoutSeconds)));
}

int64_t MpiWorld::rank() const { return impl->communicator.rank(); }
int64_t MpiWorld::numRanks() const { return impl->communicator.numRanks(); }
std::string MpiWorld::implementation() const {
  return impl->mpi.implementation;
}
Communicator &MpiWorld::communicator() { return impl->communicator; }
void MpiWorld::setMaxPiece(uint64_t bytes) {
  impl->communicator.setMaxPiece(bytes);
}

RunStatus MpiWorld::broadcast(std::vector<uint8_t> &bytes) {
  uint64_t size = bytes.size();
  if (RunStatus failure =
          impl->communicator.broadcast("broadcast", &size, sizeof(size)))
    return failure;
  bytes.resize(size);
  return impl->communicator.broadcast("broadcast", bytes.data(), size);
}

RunStatus MpiWorld::allGather(uint64_t mine, std::vector<uint64_t> &all) {
  return impl->communicator.allGather("agree", mine, all);
}

RunStatus MpiWorld::gather(const std::byte *data, size_t bytes,
                           std::vector<std::vector<std::byte>> &all) {
  std::vector<uint64_t> sizes;
  if (RunStatus failure = allGather(bytes, sizes))
    return failure;
  std::vector<MpiMessage> sends, receives;
  if (rank() != 0) {
    if (bytes > 0)
      sends.push_back({0, 0, const_cast<std::byte *>(data), bytes});
    return impl->communicator.exchangeAll("gather", sends, receives);
  }
  all.assign(sizes.size(), {});
  all[0].assign(data, data + bytes);
  for (size_t rank = 1; rank < sizes.size(); ++rank) {
    all[rank].resize(sizes[rank]);
    if (sizes[rank] > 0)
      receives.push_back(
          {static_cast<int32_t>(rank), 0, all[rank].data(), sizes[rank]});
  }
  return impl->communicator.exchangeAll("gather", sends, receives);
}

RunReport
MpiWorld::run(const std::function<RunStatus(Communicator &)> &rankMain) {
  RunReport report;
  Failure thrown{FailureCode::Kernel, rank(), -1, "", ""};
  try {
    report.cause = rankMain(impl->communicator);
  } catch (const std::exception &exception) {
    thrown.detail = std::string("threw: ") + exception.what();
    report.cause = thrown;
  } catch (...) {
    thrown.detail = "threw something that is not a std::exception";
    report.cause = thrown;
  }
  if (!report.cause)
    return report;
  report.failures.push_back(*report.cause);
  impl->failedHere = report.cause->code != FailureCode::PeerFailed;
  if (impl->failedHere)
    impl->communicator.abort(*report.cause);
  return report;
}

void MpiWorld::finish() { impl->mpi.finish(); }

void MpiWorld::abort(int exitCode) {
  // The first to fail waits until the others have heard of it and said so;
  // they wait for it, and end the run themselves if it cannot.
  std::this_thread::sleep_for(
      std::chrono::milliseconds(impl->failedHere ? 500 : 2000));
  impl->mpi.abort(exitCode);
  std::_Exit(exitCode);
}
