// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attaching: the members of a group compare what they are about to run, and
// tell each other which boxes they will take. A rank so learns what to send
// without working out the transfers of all others.
#include "Mpi/MpiCommunicator.h"

#include <algorithm>

using namespace dtrt;

namespace {

/// What every member tells every other one before the boxes.
struct Header {
  uint64_t key = 0;
  int64_t step = 0;
  int64_t words = 0; ///< of the request that follows
};

std::string describe(const PreparedCollective &collective) {
  return std::string(dtensor::stepKindName(collective.kind)) + " '" +
         collective.name + "' (step " + std::to_string(collective.step) + ", " +
         std::to_string(collective.sourceBytes) + " bytes)";
}

} // namespace

Status MpiCommunicator::attach(PreparedCollective &collective) {
  if (collective.rank != myRank)
    return Error{"a collective of rank " + std::to_string(collective.rank) +
                 " cannot run on rank " + std::to_string(myRank)};
  if (collective.group.back() >= worldSize)
    return Error{"rank " + std::to_string(collective.group.back()) +
                 " takes part in '" + collective.name + "', but only " +
                 std::to_string(worldSize) + " ranks run"};
  if (!dtensor::isCollective(collective.kind))
    return Status::success();
  if (!collective.combinations.empty())
    return Error{"'" + collective.name +
                 "' combines contributions while it exchanges boxes, which the "
                 "mpi backend does not do"};
  Attached own;
  Requests requests = planReceives(collective, own);
  if (collective.group.size() > 1) {
    Expected<int32_t> group = groupOf(collective.group);
    if (!group)
      return group.error();
    own.group = *group;
    if (Status status = planSends(collective, own, requests); !status)
      return status;
  }
  collective.handle = static_cast<int>(attached.size());
  attached.push_back(std::move(own));
  return Status::success();
}

Expected<int32_t> MpiCommunicator::groupOf(const std::vector<int64_t> &ranks) {
  auto known = groups.find(ranks);
  if (known != groups.end())
    return known->second;
  std::vector<int32_t> members(ranks.begin(), ranks.end());
  int32_t group = 0;
  if (mpi.makeGroup(members.data(), static_cast<int32_t>(members.size()),
                    &group) != MpiOutcome::Done)
    return Error{mpi.lastError()};
  groups[ranks] = group;
  return group;
}

MpiCommunicator::Requests
MpiCommunicator::planReceives(const PreparedCollective &collective,
                              Attached &out) {
  Requests requests(collective.group.size());
  auto take = [&](int member, const StridedLoop &from, Piece piece) {
    if (member == collective.myIndex || from.totalBytes() == 0)
      return;
    piece.member = member;
    piece.bytes = from.totalBytes();
    if (!piece.direct) {
      piece.at = out.receiveStaging;
      out.receiveStaging += piece.bytes;
    }
    out.receives.push_back(std::move(piece));
    std::vector<int64_t> numbers = from.encode();
    auto &list = requests[static_cast<size_t>(member)];
    list.insert(list.end(), numbers.begin(), numbers.end());
  };
  for (const BoxCopy &copy : collective.copies) {
    Piece piece;
    piece.loop = copy.loop.unpacking(1);
    piece.direct = piece.loop.numRows() == 1;
    piece.at = piece.direct ? piece.loop.start(1) : 0;
    take(copy.member, copy.loop.packing(0), std::move(piece));
  }
  if (collective.reducesByLoop()) {
    for (size_t k = 0; k < collective.contributors.size(); ++k)
      take(collective.contributors[k], collective.reductionLoop.packing(k), {});
    out.receiveStaging += collective.targetBytes; // my own contribution
  }
  return requests;
}

Status MpiCommunicator::checkSame(const PreparedCollective &collective,
                                  int32_t group, const Requests &mine,
                                  std::vector<int64_t> &wordsOfPeers) {
  size_t size = collective.group.size();
  std::vector<Header> sent(size), received(size);
  sendList.clear();
  receiveList.clear();
  for (size_t member = 0; member < size; ++member) {
    if (static_cast<int>(member) == collective.myIndex)
      continue;
    int32_t peer = static_cast<int32_t>(member);
    sent[member] = {collective.key, collective.step,
                    static_cast<int64_t>(mine[member].size())};
    sendList.push_back({peer, 0, &sent[member], sizeof(Header)});
    receiveList.push_back({peer, 0, &received[member], sizeof(Header)});
  }
  MpiWait wait = startWaiting(true);
  if (RunStatus failure = statusOf(
          mpi.exchange(group, 0, sendList.data(), sendList.size(),
                       receiveList.data(), receiveList.size(), maxPiece, &wait),
          collective))
    return Error{failure->detail};
  wordsOfPeers.assign(size, 0);
  for (size_t member = 0; member < size; ++member) {
    if (static_cast<int>(member) == collective.myIndex)
      continue;
    const Header &other = received[member];
    if (other.key != collective.key || other.step != collective.step)
      return Error{
          "rank " + std::to_string(myRank) + " runs " + describe(collective) +
          ", rank " + std::to_string(collective.group[member]) +
          " runs something else at step " + std::to_string(other.step)};
    // A request cannot name more boxes than the source has bytes.
    if (other.words < 0 || other.words > (int64_t(1) << 32))
      return Error{"rank " + std::to_string(collective.group[member]) +
                   " asks for a senseless number of boxes"};
    wordsOfPeers[member] = other.words;
  }
  return Status::success();
}

Status MpiCommunicator::planSends(const PreparedCollective &collective,
                                  Attached &out, const Requests &mine) {
  std::vector<int64_t> words;
  if (Status status = checkSame(collective, out.group, mine, words); !status)
    return status;
  std::vector<std::vector<int64_t>> wanted(words.size());
  sendList.clear();
  receiveList.clear();
  for (size_t member = 0; member < words.size(); ++member) {
    int32_t peer = static_cast<int32_t>(member);
    wanted[member].resize(static_cast<size_t>(words[member]));
    if (!mine[member].empty())
      sendList.push_back({peer, 0, const_cast<int64_t *>(mine[member].data()),
                          mine[member].size() * sizeof(int64_t)});
    if (!wanted[member].empty())
      receiveList.push_back({peer, 0, wanted[member].data(),
                             wanted[member].size() * sizeof(int64_t)});
  }
  MpiWait wait = startWaiting(true);
  if (RunStatus failure = statusOf(
          mpi.exchange(out.group, 0, sendList.data(), sendList.size(),
                       receiveList.data(), receiveList.size(), maxPiece, &wait),
          collective))
    return Error{failure->detail};
  for (size_t member = 0; member < wanted.size(); ++member)
    if (Status status = addSends(wanted[member], static_cast<int>(member),
                                 collective.sourceBytes, out);
        !status)
      return Error{
          "rank " + std::to_string(collective.group[member]) +
          " asks for what this rank does not have: " + status.message()};
  return Status::success();
}

Status MpiCommunicator::addSends(const std::vector<int64_t> &numbers,
                                 int member, int64_t sourceBytes,
                                 Attached &out) {
  for (size_t at = 0; at < numbers.size();) {
    size_t left = numbers.size() - at;
    if (left < 3 || numbers[at + 2] < 0 ||
        static_cast<uint64_t>(numbers[at + 2]) > (left - 3) / 2)
      return Error{"its request is cut short"};
    size_t count = 3 + 2 * static_cast<size_t>(numbers[at + 2]);
    Expected<StridedLoop> loop = StridedLoop::decode(
        {numbers.begin() + static_cast<std::ptrdiff_t>(at),
         numbers.begin() + static_cast<std::ptrdiff_t>(at + count)},
        sourceBytes);
    if (!loop)
      return loop.error();
    Piece piece;
    piece.member = member;
    piece.bytes = loop->totalBytes();
    piece.direct = loop->numRows() == 1;
    piece.at = piece.direct ? loop->start(0) : out.sendStaging;
    out.sendStaging += piece.direct ? 0 : piece.bytes;
    piece.loop = std::move(*loop);
    out.sends.push_back(std::move(piece));
    at += count;
  }
  return Status::success();
}
