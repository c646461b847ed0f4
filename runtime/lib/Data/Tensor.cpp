// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global tensors onto ranks, and back.
#include "dtrt/Tensor.h"

#include "dtrt/Arithmetic.h"
#include "dtrt/StridedLoop.h"

#include <cstring>
#include <map>

using namespace dtrt;
using dtensor::Box;
using dtensor::Layout;
using dtensor::Mesh;
using dtensor::ReduceOp;

namespace {

Box wholeBox(const std::vector<int64_t> &shape) {
  return {std::vector<int64_t>(shape.size(), 0), shape};
}

/// What a rank holds: a box, of one of the contributions.
struct Holding {
  std::vector<int64_t> lo, hi, contribution;

  bool operator<(const Holding &other) const {
    return std::tie(lo, hi, contribution) <
           std::tie(other.lo, other.hi, other.contribution);
  }
};

Holding holdingOf(const Mesh &mesh, const Layout &layout,
                  const std::vector<int64_t> &shape, int64_t rank) {
  Box box = dtensor::localBox(mesh, layout, shape, rank);
  Holding holding{box.lo, box.hi, {}};
  for (const dtensor::PartialAxis &partial : layout.partials)
    holding.contribution.push_back(mesh.coordinate(rank, partial.axis));
  return holding;
}

} // namespace

Expected<int64_t> dtrt::countElements(const std::vector<int64_t> &shape,
                                      dtensor::ElementType type) {
  int64_t count = 1;
  int64_t nonZero = dtensor::elementBytes(type);
  for (int64_t extent : shape) {
    if (extent < 0)
      return Error{"negative extent " + std::to_string(extent)};
    count *= extent > 0 ? 1 : 0;
    if (extent > 0 && __builtin_mul_overflow(nonZero, extent, &nonZero))
      return Error{"shape " + shapeText(shape) + " is too large"};
  }
  return count == 0 ? 0 : nonZero / dtensor::elementBytes(type);
}

std::string dtrt::shapeText(const std::vector<int64_t> &shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

void dtrt::distributeBox(
    const Mesh &mesh, const Layout &layout, dtensor::ElementType type,
    const std::vector<int64_t> &shape, int64_t rank, std::byte *local,
    const std::function<void(const Box &, std::byte *)> &read) {
  Box box = dtensor::localBox(mesh, layout, shape, rank);
  bool contributes = true;
  ReduceOp op = ReduceOp::Sum;
  for (const dtensor::PartialAxis &partial : layout.partials)
    if (!isIdempotent(partial.op)) {
      op = partial.op;
      contributes &= mesh.coordinate(rank, partial.axis) == 0;
    }
  if (!contributes)
    return fillIdentity(type, op, box.numElements(), local);
  read(box, local);
}

void dtrt::distributeTensor(const Mesh &mesh, const Layout &layout,
                            const GlobalTensor &global, int64_t rank,
                            std::byte *local) {
  distributeBox(mesh, layout, global.type, global.shape, rank, local,
                [&](const Box &box, std::byte *out) {
                  copyBox(StridedLoop(box, {wholeBox(global.shape), box},
                                      dtensor::elementBytes(global.type)),
                          global.data.data(), out);
                });
}

GlobalTensor
dtrt::assembleTensor(const Mesh &mesh, const Layout &layout,
                     dtensor::ElementType type,
                     const std::vector<int64_t> &shape,
                     const std::function<const std::byte *(int64_t)> &local) {
  // One rank per distinct contribution, by box; maps keep rank order because
  // the first rank of each wins and they are visited in order.
  std::map<Holding, int64_t> holders;
  std::map<Holding, std::vector<int64_t>> boxes;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    Holding holding = holdingOf(mesh, layout, shape, rank);
    if (holders.emplace(holding, rank).second)
      boxes[Holding{holding.lo, holding.hi, {}}].push_back(rank);
  }
  ReduceOp op = ReduceOp::Sum;
  double divisor = 1;
  for (const dtensor::PartialAxis &partial : layout.partials)
    if (partial.op == ReduceOp::Avg)
      divisor *= static_cast<double>(partial.axis.size);
    else
      op = partial.op;
  if (divisor != 1)
    op = ReduceOp::Avg;

  int64_t width = dtensor::elementBytes(type);
  GlobalTensor global{type, shape, {}};
  global.data.resize(
      static_cast<size_t>(wholeBox(shape).numElements() * width));
  std::vector<std::byte> reduced;
  for (const auto &[key, ranks] : boxes) {
    Box box{key.lo, key.hi};
    const std::byte *source = local(ranks.front());
    if (ranks.size() > 1) {
      std::vector<const std::byte *> sources;
      for (int64_t rank : ranks)
        sources.push_back(local(rank));
      reduced.resize(static_cast<size_t>(box.numElements() * width));
      reduceElements(type, op, sources.data(), sources.size(),
                     box.numElements(), divisor, reduced.data());
      source = reduced.data();
    }
    copyBox(StridedLoop(box, {box, wholeBox(shape)}, width), source,
            global.data.data());
  }
  return global;
}

Status
dtrt::checkReplicas(const Mesh &mesh, const Layout &layout,
                    dtensor::ElementType type,
                    const std::vector<int64_t> &shape,
                    const std::function<const std::byte *(int64_t)> &local) {
  std::map<Holding, int64_t> first;
  int64_t width = dtensor::elementBytes(type);
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    Holding holding = holdingOf(mesh, layout, shape, rank);
    auto [entry, isNew] = first.emplace(holding, rank);
    int64_t bytes = Box{holding.lo, holding.hi}.numElements() * width;
    if (isNew || bytes == 0 ||
        std::memcmp(local(rank), local(entry->second), bytes) == 0)
      continue;
    return Error{"rank " + std::to_string(rank) + " and rank " +
                 std::to_string(entry->second) +
                 " hold different bits of the same replica"};
  }
  return Status::success();
}
