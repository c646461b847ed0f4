// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module of one MPI implementation. Everything waits by polling, because
// MPI's own blocking calls can neither time out nor hear of a failed rank.
#include "Mpi/MpiTransport.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <mpi.h>
#include <sched.h>
#include <string>
#include <vector>

using namespace dtrt;

namespace {

constexpr int kSignalTag = 1;
/// Bytes of an MPI_Test-able piece of work must be counted by an int.
constexpr uint64_t kIntLimit = 1u << 30;

struct State {
  std::vector<MPI_Comm> groups;
  MPI_Group worldGroup = MPI_GROUP_NULL;
  MPI_Comm control = MPI_COMM_NULL;
  int rank = 0, size = 1;
  bool startedHere = false; ///< not by the host program
  std::string error;
  std::vector<MPI_Request> requests; ///< scratch
  std::vector<MPI_Status> statuses;  ///< scratch
};

State &state() {
  static State instance;
  return instance;
}

/// Failed with MPI's words, or Done.
MpiOutcome check(int code, const char *call) {
  if (code == MPI_SUCCESS)
    return MpiOutcome::Done;
  int errorClass = MPI_ERR_UNKNOWN;
  MPI_Error_class(code, &errorClass);
  if (errorClass == MPI_ERR_TRUNCATE)
    return MpiOutcome::WrongSize;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  state().error = std::string(call) + ": " + text;
  return MpiOutcome::Failed;
}

/// Polls less and less eagerly: a rank that waits for long leaves its core to
/// those that compute.
class Patience {
public:
  explicit Patience(const MpiWait *wait) : wait(wait) {}

  /// True to go on.
  bool goOn() {
    ++polls;
    if (polls < 200)
      return true;
    if (polls % 64 == 0 && wait && wait->giveUp && wait->giveUp(wait->user))
      return false;
    if (polls < 264) {
      ::sched_yield();
      return true;
    }
    timespec pause = {0, 50 * 1000};
    ::nanosleep(&pause, nullptr);
    return true;
  }

private:
  const MpiWait *wait;
  uint64_t polls = 0;
};

MpiOutcome waitForAll(const MpiWait *wait, const char *call) {
  State &s = state();
  int count = static_cast<int>(s.requests.size());
  s.statuses.resize(s.requests.size());
  Patience patience(wait);
  while (true) {
    int done = 0;
    int code = MPI_Testall(count, s.requests.data(), &done, s.statuses.data());
    if (code == MPI_ERR_IN_STATUS)
      for (const MPI_Status &status : s.statuses)
        if (status.MPI_ERROR != MPI_SUCCESS &&
            status.MPI_ERROR != MPI_ERR_PENDING)
          code = status.MPI_ERROR;
    if (code != MPI_SUCCESS)
      return check(code, call);
    if (done)
      return MpiOutcome::Done;
    if (!patience.goOn())
      return MpiOutcome::GaveUp;
  }
}

MpiOutcome waitForOne(MPI_Request request, const MpiWait *wait,
                      const char *call) {
  state().requests.assign(1, request);
  return waitForAll(wait, call);
}

MpiOutcome addGroup(MPI_Comm comm, int32_t *number) {
  State &s = state();
  *number = static_cast<int32_t>(s.groups.size());
  s.groups.push_back(comm);
  return check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN),
               "MPI_Comm_set_errhandler");
}

MpiOutcome start(int32_t *rank, int32_t *size) {
  State &s = state();
  int given = 0, initialized = 0;
  MPI_Initialized(&initialized);
  s.startedHere = !initialized;
  if (!initialized)
    if (MpiOutcome out = check(
            MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given),
            "MPI_Init_thread");
        out != MpiOutcome::Done)
      return out;
  // Ours alone, so that a host program's messages cannot meet with them.
  MPI_Comm world = MPI_COMM_NULL;
  int32_t number = 0;
  MpiOutcome out = check(MPI_Comm_dup(MPI_COMM_WORLD, &world), "MPI_Comm_dup");
  if (out == MpiOutcome::Done)
    out = addGroup(world, &number);
  if (out == MpiOutcome::Done)
    out = check(MPI_Comm_dup(world, &s.control), "MPI_Comm_dup");
  if (out != MpiOutcome::Done)
    return out;
  MPI_Comm_group(world, &s.worldGroup);
  MPI_Comm_rank(world, &s.rank);
  MPI_Comm_size(world, &s.size);
  *rank = s.rank;
  *size = s.size;
  return MpiOutcome::Done;
}

/// Who started MPI ends it.
MpiOutcome finish() {
  return state().startedHere ? check(MPI_Finalize(), "MPI_Finalize")
                             : MpiOutcome::Done;
}

void abortAll(int32_t code) {
  int ended = 0;
  MPI_Finalized(&ended);
  if (!ended)
    MPI_Abort(MPI_COMM_WORLD, code);
}

const char *lastError() { return state().error.c_str(); }

MpiOutcome makeGroup(const int32_t *ranks, int32_t count, int32_t *group) {
  State &s = state();
  MPI_Group members = MPI_GROUP_NULL;
  MpiOutcome out = check(MPI_Group_incl(s.worldGroup, count, ranks, &members),
                         "MPI_Group_incl");
  if (out != MpiOutcome::Done)
    return out;
  MPI_Comm comm = MPI_COMM_NULL;
  out = check(MPI_Comm_create_group(s.groups[0], members, 0, &comm),
              "MPI_Comm_create_group");
  MPI_Group_free(&members);
  return out == MpiOutcome::Done ? addGroup(comm, group) : out;
}

/// Calls `piece(pointer, bytes)` for each piece of a message.
template <typename Function>
MpiOutcome inPieces(const MpiMessage &message, uint64_t maxPiece,
                    Function piece) {
  maxPiece = std::min(maxPiece, kIntLimit);
  for (uint64_t at = 0; at < message.bytes; at += maxPiece) {
    int bytes = static_cast<int>(std::min(maxPiece, message.bytes - at));
    int code = piece(static_cast<char *>(message.data) + at, bytes);
    if (code != MPI_SUCCESS)
      return check(code, "MPI message");
  }
  return MpiOutcome::Done;
}

size_t countPieces(const MpiMessage &message, uint64_t maxPiece) {
  maxPiece = std::min(maxPiece, kIntLimit);
  return static_cast<size_t>((message.bytes + maxPiece - 1) / maxPiece);
}

/// Which messages had come through when the waiting ended early.
void markDone(MpiMessage *messages, size_t count, uint64_t maxPiece,
              size_t &request) {
  for (size_t i = 0; i < count; ++i) {
    messages[i].done = 1;
    for (size_t k = countPieces(messages[i], maxPiece); k > 0; --k) {
      int done = 0;
      if (MPI_Test(&state().requests[request++], &done, MPI_STATUS_IGNORE) !=
              MPI_SUCCESS ||
          !done)
        messages[i].done = 0;
    }
  }
}

MpiOutcome exchange(int32_t group, int32_t tag, MpiMessage *sends,
                    size_t numSends, MpiMessage *receives, size_t numReceives,
                    uint64_t maxPiece, const MpiWait *wait) {
  State &s = state();
  MPI_Comm comm = s.groups[group];
  s.requests.clear();
  auto next = [&] {
    s.requests.push_back(MPI_REQUEST_NULL);
    return &s.requests.back();
  };
  MpiOutcome out = MpiOutcome::Done;
  for (size_t i = 0; i < numReceives && out == MpiOutcome::Done; ++i)
    out = inPieces(receives[i], maxPiece, [&](void *data, int bytes) {
      return MPI_Irecv(data, bytes, MPI_BYTE, receives[i].peer, tag, comm,
                       next());
    });
  for (size_t i = 0; i < numSends && out == MpiOutcome::Done; ++i)
    out = inPieces(sends[i], maxPiece, [&](void *data, int bytes) {
      return MPI_Isend(data, bytes, MPI_BYTE, sends[i].peer, tag, comm, next());
    });
  if (out != MpiOutcome::Done)
    return out;
  out = waitForAll(wait, "MPI message");
  if (out == MpiOutcome::GaveUp) {
    size_t request = 0;
    markDone(receives, numReceives, maxPiece, request);
    markDone(sends, numSends, maxPiece, request);
  }
  if (out != MpiOutcome::Done)
    return out;
  // Shorter messages than expected are no error to MPI.
  size_t request = 0;
  for (size_t i = 0; i < numReceives; ++i) {
    uint64_t received = 0;
    for (size_t k = countPieces(receives[i], maxPiece); k > 0; --k) {
      int bytes = 0;
      MPI_Get_count(&s.statuses[request++], MPI_BYTE, &bytes);
      received += static_cast<uint64_t>(bytes);
    }
    if (received != receives[i].bytes)
      return MpiOutcome::WrongSize;
  }
  return MpiOutcome::Done;
}

MpiOutcome allGather(int32_t group, const void *mine, void *all, int32_t bytes,
                     const MpiWait *wait) {
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE,
                            state().groups[group], &request);
  if (code != MPI_SUCCESS)
    return check(code, "MPI_Iallgather");
  return waitForOne(request, wait, "MPI_Iallgather");
}

MpiOutcome broadcast(int32_t group, void *data, uint64_t bytes,
                     uint64_t maxPiece, const MpiWait *wait) {
  MpiMessage whole{0, 0, data, bytes};
  MpiOutcome waited = MpiOutcome::Done;
  MpiOutcome out = inPieces(whole, maxPiece, [&](void *piece, int size) {
    MPI_Request request = MPI_REQUEST_NULL;
    int code =
        MPI_Ibcast(piece, size, MPI_BYTE, 0, state().groups[group], &request);
    if (code == MPI_SUCCESS && waited == MpiOutcome::Done)
      waited = waitForOne(request, wait, "MPI_Ibcast");
    return code;
  });
  return out == MpiOutcome::Done ? waited : out;
}

MPI_Datatype datatype(MpiNumber type) {
  switch (type) {
  case MpiNumber::F64:
    return MPI_DOUBLE;
  case MpiNumber::F32:
    return MPI_FLOAT;
  case MpiNumber::I8:
    return MPI_INT8_T;
  case MpiNumber::I16:
    return MPI_INT16_T;
  case MpiNumber::I32:
    return MPI_INT32_T;
  case MpiNumber::I64:
    return MPI_INT64_T;
  }
  return MPI_DATATYPE_NULL;
}

MPI_Op operation(MpiOperator op) {
  switch (op) {
  case MpiOperator::Sum:
    return MPI_SUM;
  case MpiOperator::Product:
    return MPI_PROD;
  case MpiOperator::Min:
    return MPI_MIN;
  case MpiOperator::Max:
    return MPI_MAX;
  case MpiOperator::BAnd:
    return MPI_BAND;
  case MpiOperator::BOr:
    return MPI_BOR;
  case MpiOperator::BXor:
    return MPI_BXOR;
  }
  return MPI_OP_NULL;
}

MpiOutcome allReduce(int32_t group, MpiNumber type, MpiOperator op,
                     const void *source, void *target, uint64_t count,
                     const MpiWait *wait) {
  MPI_Datatype element = datatype(type);
  int width = 0;
  MPI_Type_size(element, &width);
  const auto *from = static_cast<const char *>(source);
  auto *to = static_cast<char *>(target);
  for (uint64_t at = 0; at < count; at += kIntLimit) {
    int number = static_cast<int>(std::min(kIntLimit, count - at));
    uint64_t offset = at * static_cast<uint64_t>(width);
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_Iallreduce(from + offset, to + offset, number, element,
                              operation(op), state().groups[group], &request);
    if (code != MPI_SUCCESS)
      return check(code, "MPI_Iallreduce");
    MpiOutcome out = waitForOne(request, wait, "MPI_Iallreduce");
    if (out != MpiOutcome::Done)
      return out;
  }
  return MpiOutcome::Done;
}

void signalAll(const void *data, int32_t bytes) {
  State &s = state();
  // Never freed: the run ends, and nobody may wait for a peer that hangs.
  auto *copy = new std::string(static_cast<const char *>(data), bytes);
  for (int rank = 0; rank < s.size; ++rank) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank != s.rank &&
        MPI_Isend(copy->data(), bytes, MPI_BYTE, rank, kSignalTag, s.control,
                  &request) == MPI_SUCCESS) {
      int done = 0; // pushes the message out
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
  }
}

int32_t takeSignal(void *data, int32_t capacity) {
  State &s = state();
  int arrived = 0, bytes = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, kSignalTag, s.control, &arrived, &status) !=
          MPI_SUCCESS ||
      !arrived)
    return -1;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  if (bytes > capacity)
    return -1;
  if (MPI_Recv(data, bytes, MPI_BYTE, status.MPI_SOURCE, kSignalTag, s.control,
               MPI_STATUS_IGNORE) != MPI_SUCCESS)
    return -1;
  return bytes;
}

#if defined(OPEN_MPI)
constexpr const char *kImplementation = "Open MPI";
#elif defined(MPICH_VERSION)
constexpr const char *kImplementation = "MPICH";
#else
constexpr const char *kImplementation = "MPI";
#endif

const MpiTransport kTransport = {kMpiTransportVersion,
                                 kImplementation,
                                 start,
                                 finish,
                                 abortAll,
                                 lastError,
                                 makeGroup,
                                 exchange,
                                 allGather,
                                 broadcast,
                                 allReduce,
                                 signalAll,
                                 takeSignal};

} // namespace

extern "C" __attribute__((visibility("default"))) const dtrt::MpiTransport *
dtrtMpiTransport(uint32_t version) {
  return version == kMpiTransportVersion ? &kTransport : nullptr;
}
