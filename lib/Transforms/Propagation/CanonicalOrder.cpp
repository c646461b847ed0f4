// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An order of ops that does not depend on how the program is written down.

#include "CanonicalOrder.h"

#include "dtensor/Interfaces/ControlFlow.h"

using namespace mlir;
using namespace mlir::dtensor;

/// A hash that is the same in every process: FNV-1a, then mixed.
static uint64_t mix(uint64_t seed, uint64_t value) {
  seed ^= value + 0x9e3779b97f4a7c15 + (seed << 6) + (seed >> 2);
  seed *= 0xff51afd7ed558ccd;
  return seed ^ (seed >> 33);
}

static uint64_t hashName(StringRef name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : name)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

static uint64_t hashType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 1;
  uint64_t hash = tensor.getElementTypeBitWidth();
  for (int64_t extent : tensor.getShape())
    hash = mix(hash, static_cast<uint64_t>(extent));
  return hash;
}

static uint64_t hashRule(const ShardingRule &rule) {
  uint64_t hash = 0;
  for (const Factor &factor : rule.factors)
    hash = mix(hash, static_cast<uint64_t>(factor.kind) * 31 +
                         static_cast<uint64_t>(factor.reduceOp));
  for (const auto *tensors : {&rule.operands, &rule.results})
    for (const DimFactors &dims : *tensors)
      for (ArrayRef<int> factors : dims)
        for (int factor : factors)
          hash = mix(hash, static_cast<uint64_t>(factor));
  return hash;
}

namespace {

class CanonicalOrder {
public:
  explicit CanonicalOrder(PropagationState &state) : state(state) {}
  void run();

private:
  struct Place {
    Operation *op;
    uint64_t number; ///< in program order, for ops that are alike
    uint64_t depth = 0, made = 0, uses = 0;
    auto key() const { return std::tie(depth, made, uses, number); }
  };

  void sort(Block *block, SmallVectorImpl<Operation *> &sorted);
  void readDown(Place &place);
  void readUp(Place &place);
  uint64_t hashOfValue(Value value);

  PropagationState &state;
  /// The ops of each block, in program order.
  DenseMap<Block *, SmallVector<Operation *>> blocks;
  DenseMap<Operation *, std::pair<uint64_t, uint64_t>> down; ///< depth, hash
  DenseMap<Operation *, uint64_t> up;
};

} // namespace

uint64_t CanonicalOrder::hashOfValue(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return mix(2, argument.getArgNumber());
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  auto known = down.find(op);
  uint64_t hash = known != down.end() ? known->second.second
                                      : hashName(op->getName().getStringRef());
  return mix(hash, result.getResultNumber());
}

void CanonicalOrder::readDown(Place &place) {
  Operation *op = place.op;
  place.made = hashName(op->getName().getStringRef());
  if (auto rule = state.rules.find(op); rule != state.rules.end())
    place.made = mix(place.made, hashRule(*rule->second));
  for (Value operand : op->getOperands()) {
    place.made = mix(place.made, hashOfValue(operand));
    if (Operation *def = operand.getDefiningOp())
      if (auto known = down.find(def);
          known != down.end() && def->getBlock() == op->getBlock())
        place.depth = std::max(place.depth, known->second.first + 1);
  }
  for (Type type : op->getResultTypes())
    place.made = mix(place.made, hashType(type));
  // What a region reads from around the op comes before it, too.
  if (isControlFlow(op))
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (auto known = down.find(def);
              known != down.end() && def->getBlock() == op->getBlock())
            place.depth = std::max(place.depth, known->second.first + 1);
    });
  down[op] = {place.depth, place.made};
}

/// Users add up, so that their order is no matter.
void CanonicalOrder::readUp(Place &place) {
  for (OpResult result : place.op->getResults())
    for (OpOperand &use : result.getUses()) {
      Operation *user = use.getOwner();
      uint64_t hash = mix(result.getResultNumber(), use.getOperandNumber());
      if (auto known = down.find(user); known != down.end())
        hash = mix(hash, known->second.second);
      place.uses += mix(hash, up.lookup(user));
    }
  up[place.op] = place.uses;
}

void CanonicalOrder::sort(Block *block, SmallVectorImpl<Operation *> &sorted) {
  SmallVector<Place> places;
  for (Operation *op : blocks.lookup(block))
    places.push_back({op, places.size()});
  for (Place &place : places)
    readDown(place);
  for (Place &place : llvm::reverse(places))
    readUp(place);
  // What ends the block stays at its end.
  auto isEnd = [](const Place &place) {
    return place.op->hasTrait<OpTrait::IsTerminator>();
  };
  llvm::sort(places, [&](const Place &a, const Place &b) {
    return isEnd(a) != isEnd(b) ? isEnd(b) : a.key() < b.key();
  });
  for (const Place &place : places) {
    sorted.push_back(place.op);
    if (isControlFlow(place.op))
      for (Region &region : place.op->getRegions())
        if (!region.empty())
          sort(&region.front(), sorted);
  }
}

void CanonicalOrder::run() {
  for (Operation *op : state.ops)
    blocks[op->getBlock()].push_back(op);
  SmallVector<Operation *> sorted;
  sorted.reserve(state.ops.size());
  sort(&state.func.getBody().front(), sorted);
  state.ops = std::move(sorted);
}

void mlir::dtensor::sortCanonically(PropagationState &state) {
  CanonicalOrder(state).run();
}
