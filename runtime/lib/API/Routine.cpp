// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running what ranks do together: they agree on the call, then walk the steps
// of the plan on the existing communicators.
#include "API/Routine.h"

#include <algorithm>
#include <cstring>

using namespace dtensor;

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

Channel::Channel(uint64_t number, dtrt::Communicator &communicator,
                 std::unique_ptr<dtrt::Communicator> owned,
                 std::shared_ptr<TaskQueue> queue)
    : number(number), communicator(communicator), owned(std::move(owned)),
      queue(std::move(queue)) {}

Channel::~Channel() = default;

Agreement &Channel::agreement(RankContext &context,
                              const std::vector<int64_t> &ranks) {
  std::unique_ptr<Agreement> &entry = agreements[ranks];
  if (!entry)
    entry = std::make_unique<Agreement>(context, *this, ranks);
  return *entry;
}

void dtensor::runOnChannel(RankContext &context, uint64_t number,
                           const std::vector<int64_t> &ranks,
                           const std::function<void(Agreement &)> &work) {
  Channel &channel = context.channel(number);
  std::lock_guard<std::mutex> lock(channel.mutex);
  channel.queue->drain();
  context.throwIfFailed();
  work(channel.agreement(context, ranks));
}

void dtensor::placeOnWorld(dtrt::PreparedCollective &collective,
                           const std::vector<int64_t> &ranks) {
  collective.rank = ranks[collective.rank];
  for (int64_t &member : collective.group)
    member = ranks[member];
}

//===----------------------------------------------------------------------===//
// Agreement
//===----------------------------------------------------------------------===//

Agreement::Agreement(RankContext &context, Channel &channel,
                     std::vector<int64_t> members)
    : context(context), channel(channel), ranks(std::move(members)) {
  if (context.world->ranksAreThreads)
    ledger = &context.world->ledger(channel.number, ranks);
}

static DTensorError differentCalls(int64_t rankA, const std::string &a,
                                   int64_t rankB, const std::string &b) {
  if (rankB < rankA)
    return differentCalls(rankB, b, rankA, a);
  return DTensorError(ErrorCode::Mismatch,
                      "the ranks make different calls: rank " +
                          std::to_string(rankA) + " calls " + a + ", rank " +
                          std::to_string(rankB) + " calls " + b +
                          "; all ranks must make the same calls in one order");
}

void Agreement::check(const std::shared_ptr<const Call> &call) {
  if (ranks.size() < 2)
    return;
  if (ledger) {
    if (auto other = ledger->record(callNumber++, call, context.rank))
      context.fail(differentCalls(context.rank, call->text, other->rank,
                                  other->call->text));
    return;
  }
  if (!context.world->options.checkCalls)
    return;
  std::vector<std::byte> all = gather(
      reinterpret_cast<const std::byte *>(&call->hash), sizeof(call->hash));
  bool same = true;
  for (size_t at = 0; at < all.size(); at += sizeof(call->hash))
    same &= std::memcmp(all.data() + at, &call->hash, sizeof(call->hash)) == 0;
  if (same)
    return;
  std::vector<std::string> texts = gatherTexts(call->text);
  for (size_t i = 1; i < texts.size(); ++i)
    if (texts[i] != texts[0])
      context.fail(differentCalls(ranks[0], texts[0], ranks[i], texts[i]));
}

dtrt::PreparedCollective Agreement::makeGather(size_t bytes) {
  int64_t members = static_cast<int64_t>(ranks.size());
  Mesh line = *Mesh::create({{"ranks", members}});
  dtrt::CollectiveSpec spec;
  spec.step = takeSteps(1);
  spec.name = "agree";
  spec.kind = StepKind::AllGather;
  spec.type = ElementType::I8;
  spec.shape = {members, static_cast<int64_t>(bytes)};
  spec.change.to = Layout::replicated(2);
  spec.change.from = spec.change.to;
  spec.change.from.dims[0] = {line.wholeAxis(0)};
  spec.change.axes = {line.wholeAxis(0)};
  int64_t me = std::lower_bound(ranks.begin(), ranks.end(), context.rank) -
               ranks.begin();
  auto prepared = dtrt::prepareCollective(line, spec, me);
  if (!prepared)
    throw DTensorError(ErrorCode::Internal, prepared.error().message);
  placeOnWorld(*prepared, ranks);
  if (Status status = channel.communicator.attach(*prepared); !status)
    context.fail(dtrt::Failure{dtrt::FailureCode::Setup, context.rank,
                               spec.step, spec.name, status.message()});
  return std::move(*prepared);
}

std::vector<std::byte> Agreement::gather(const std::byte *mine, size_t bytes) {
  auto known = gathers.find(bytes);
  if (known == gathers.end())
    known = gathers.emplace(bytes, makeGather(bytes)).first;
  std::vector<std::byte> all(bytes * ranks.size());
  if (auto failure =
          channel.communicator.run(known->second, mine, all.data())) {
    if (!context.world->ranksAreThreads)
      context.keepForever(
          std::make_shared<std::vector<std::byte>>(std::move(all)));
    context.fail(*failure);
  }
  return all;
}

std::vector<std::string> Agreement::gatherTexts(const std::string &mine) {
  uint64_t size = mine.size();
  std::vector<std::byte> sizes =
      gather(reinterpret_cast<const std::byte *>(&size), sizeof(size));
  std::vector<uint64_t> lengths(ranks.size());
  std::memcpy(lengths.data(), sizes.data(), sizes.size());
  // One size for all, of few different ones, since each is kept.
  size_t longest = 256;
  while (longest < *std::max_element(lengths.begin(), lengths.end()))
    longest *= 2;
  std::string padded = mine;
  padded.resize(longest);
  std::vector<std::byte> all =
      gather(reinterpret_cast<const std::byte *>(padded.data()), longest);
  std::vector<std::string> texts;
  for (size_t i = 0; i < lengths.size(); ++i)
    texts.emplace_back(reinterpret_cast<const char *>(all.data()) + i * longest,
                       lengths[i]);
  return texts;
}

//===----------------------------------------------------------------------===//
// Routines
//===----------------------------------------------------------------------===//

namespace {

/// Runs the steps that stay on one rank.
class LocalSteps : public dtrt::Communicator {
public:
  explicit LocalSteps(int64_t rank) : myRank(rank) {}

  int64_t rank() const override { return myRank; }
  int64_t numRanks() const override { return myRank + 1; }
  Status attach(dtrt::PreparedCollective &) override {
    return Status::success();
  }
  dtrt::RunStatus barrier(const std::string &) override { return std::nullopt; }
  void abort(const dtrt::Failure &) override {}

protected:
  dtrt::RunStatus runCollective(const dtrt::PreparedCollective &collective,
                                const std::byte *source,
                                std::byte *target) override {
    if (collective.group.size() != 1)
      return dtrt::Failure{dtrt::FailureCode::Setup, myRank, collective.step,
                           collective.name, "is no step of one rank"};
    for (const dtrt::BoxCopy &copy : collective.copies)
      dtrt::copyBox(copy.loop, source, target);
    return std::nullopt;
  }

private:
  int64_t myRank;
};

} // namespace

Routine::Routine(RankContext &context, uint64_t channel,
                 std::vector<int64_t> ranks, std::shared_ptr<const Call> call,
                 size_t numSteps, bool communicates,
                 std::function<Steps()> prepare)
    : context(context), channelNumber(channel), ranks(std::move(ranks)),
      theCall(std::move(call)), numSteps(numSteps), moves(communicates),
      prepare(std::move(prepare)) {}

void Routine::prepareSteps(Agreement *agreement,
                           dtrt::Communicator &communicator) {
  if (isPrepared)
    return;
  steps = prepare();
  if (agreement) {
    int64_t first = agreement->takeSteps(static_cast<int64_t>(numSteps));
    for (dtrt::PreparedCollective &step : steps) {
      step.step += first;
      if (Status status = communicator.attach(step); !status)
        context.fail(dtrt::Failure{dtrt::FailureCode::Setup, context.rank,
                                   step.step, step.name, status.message()});
    }
  }
  prepare = nullptr;
  isPrepared = true;
}

void Routine::walk(dtrt::Communicator &communicator, const Array &source,
                   const Array &target) {
  const std::byte *from = source.data();
  std::vector<Array> between;
  for (size_t i = 0; i < steps.size(); ++i) {
    std::byte *to = target.data();
    if (i + 1 < steps.size()) {
      between.emplace_back(ElementType::I8,
                           std::vector<int64_t>{steps[i].targetBytes});
      to = between.back().data();
    }
    if (auto failure = communicator.run(steps[i], from, to)) {
      // Messages that are under way may still be written.
      if (!context.world->ranksAreThreads) {
        between.push_back(source);
        between.push_back(target);
        context.keepForever(
            std::make_shared<std::vector<Array>>(std::move(between)));
      }
      context.fail(*failure);
    }
    context.count(steps[i].kind, 1, steps[i].recvBytes);
    if (between.size() > 1) // only the last one is still read
      between.erase(between.begin());
    from = to;
  }
}

void Routine::runOn(Channel &channel, const Array &source,
                    const Array &target) {
  context.throwIfFailed();
  if (!agreement)
    agreement = &channel.agreement(context, ranks);
  agreement->check(theCall);
  prepareSteps(agreement, channel.communicator);
  walk(channel.communicator, source, target);
}

bool Routine::takesPart() const {
  return std::binary_search(ranks.begin(), ranks.end(), context.rank);
}

void Routine::run(const Array &source, const Array &target) {
  if (!takesPart())
    return;
  if (!moves) {
    LocalSteps here(context.rank);
    {
      std::lock_guard<std::mutex> lock(preparing);
      prepareSteps(nullptr, here);
    }
    return walk(here, source, target);
  }
  Channel &channel = context.channel(channelNumber);
  std::lock_guard<std::mutex> lock(channel.mutex);
  channel.queue->drain();
  runOn(channel, source, target);
}

std::shared_ptr<Pending> Routine::start(const Array &source,
                                        const Array &target,
                                        std::function<void()> before) {
  if (!takesPart())
    return nullptr;
  Channel &channel = context.channel(channelNumber);
  std::lock_guard<std::mutex> lock(channel.mutex);
  return channel.queue->submit(
      [this, &channel, source, target, before = std::move(before)] {
        before();
        runOn(channel, source, target);
      });
}
