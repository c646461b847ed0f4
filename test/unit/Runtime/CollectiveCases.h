// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives with dense references, for tests of every communicator.
#ifndef DTRT_TEST_COLLECTIVECASES_H
#define DTRT_TEST_COLLECTIVECASES_H

#include "Data/SmallFloat.h"
#include "dtrt/Communicator.h"

#include <gtest/gtest.h>

#include <cstring>

namespace dtrt::test {

using dtensor::Box;
using dtensor::ElementType;
using dtensor::Mesh;
using dtensor::ReduceOp;
using dtensor::StepKind;

constexpr ElementType kTypes[] = {
    ElementType::F64,  ElementType::F32,      ElementType::F16,
    ElementType::BF16, ElementType::F8E4M3FN, ElementType::F8E5M2,
    ElementType::I1,   ElementType::I8,       ElementType::I16,
    ElementType::I32,  ElementType::I64};
constexpr ReduceOp kOps[] = {ReduceOp::Sum, ReduceOp::Product, ReduceOp::Min,
                             ReduceOp::Max, ReduceOp::UMin,    ReduceOp::UMax,
                             ReduceOp::Avg, ReduceOp::BAnd,    ReduceOp::BOr,
                             ReduceOp::BXor};

template <typename T> void put(std::byte *at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

/// Writes a small number in an element type.
inline void encode(ElementType type, double value, std::byte *at) {
  switch (type) {
  case ElementType::F64:
    return put(at, value);
  case ElementType::F32:
    return put(at, static_cast<float>(value));
  case ElementType::F16:
    return put(at, floatToF16(static_cast<float>(value)));
  case ElementType::BF16:
    return put(at, floatToBf16(static_cast<float>(value)));
  case ElementType::I1:
    return put(at, static_cast<uint8_t>(value != 0));
  case ElementType::I16:
    return put(at, static_cast<int16_t>(value));
  case ElementType::I32:
    return put(at, static_cast<int32_t>(value));
  case ElementType::I64:
    return put(at, static_cast<int64_t>(value));
  default:
    return put(at, static_cast<int8_t>(value));
  }
}

/// What contribution `c` holds at global element `index`. An i1 is 0 or -1,
/// as a signed integer of one bit.
inline int64_t contribution(ElementType type, ReduceOp op, int64_t c,
                            int64_t index) {
  if (type == ElementType::I1)
    return -((index * 5 + c * 3 + index * c) % 2);
  if (op == ReduceOp::Product)
    return 1 + (index + c) % 2;
  return (index * 7 + c * 3) % 11 - 5;
}

inline int64_t combine(ReduceOp op, int64_t a, int64_t b) {
  // Sign extension keeps the order of unsigned values of any width.
  uint64_t ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  switch (op) {
  case ReduceOp::Sum:
  case ReduceOp::Avg:
    return a + b;
  case ReduceOp::Product:
    return a * b;
  case ReduceOp::Min:
    return std::min(a, b);
  case ReduceOp::Max:
    return std::max(a, b);
  case ReduceOp::UMin:
    return ua < ub ? a : b;
  case ReduceOp::UMax:
    return ua < ub ? b : a;
  case ReduceOp::BAnd:
    return a & b;
  case ReduceOp::BOr:
    return a | b;
  case ReduceOp::BXor:
    return a ^ b;
  }
  return 0;
}

/// Calls `function(global index, position in the box)` in row-major order.
template <typename Function>
void forEachElement(const Box &box, const std::vector<int64_t> &shape,
                    Function function) {
  std::vector<int64_t> at = box.lo;
  for (int64_t k = 0; k < box.numElements(); ++k) {
    int64_t index = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      index = index * shape[d] + at[d];
    function(index, k);
    for (int d = static_cast<int>(shape.size()) - 1; d >= 0; --d) {
      if (++at[d] < box.hi[d])
        break;
      at[d] = box.lo[d];
    }
  }
}

struct Case {
  CollectiveSpec spec;
  std::vector<std::vector<std::byte>> sources, targets, expected;
};

inline bool reduces(StepKind kind) {
  return kind == StepKind::AllReduce || kind == StepKind::ReduceScatter ||
         kind == StepKind::Reduce;
}

/// Kinds whose ranks that are not the root end with zeros.
inline bool endsOnRoot(StepKind kind) {
  return kind == StepKind::Reduce || kind == StepKind::Gather;
}

/// Kinds that read what the root holds, whatever the others do.
inline bool beginsOnRoot(StepKind kind) {
  return kind == StepKind::Broadcast || kind == StepKind::Scatter;
}

/// One collective with its buffers. Layouts are texts.
inline Case makeCase(const Mesh &mesh, StepKind kind, ElementType type,
                     ReduceOp op, const std::vector<int64_t> &shape,
                     const std::string &from, const std::string &to,
                     const std::string &axes, int64_t root = -1) {
  int rank = static_cast<int>(shape.size());
  Case out;
  CollectiveSpec &spec = out.spec;
  spec.kind = kind;
  spec.type = type;
  spec.op = op;
  spec.shape = shape;
  spec.root = root;
  spec.name =
      std::string(dtensor::stepKindName(kind)) + " " + from + " -> " + to;
  spec.change.from = *dtensor::parseLayout(mesh, rank, from);
  spec.change.to = *dtensor::parseLayout(mesh, rank, to);
  for (char axis : axes)
    spec.change.axes.push_back(
        *dtensor::parseAxisRef(mesh, std::string(1, axis)));
  int64_t width = dtensor::elementBytes(type);
  int64_t parts = dtensor::totalSize(spec.change.axes);
  for (int64_t r = 0; r < mesh.numRanks(); ++r) {
    Box source = dtensor::localBox(mesh, spec.change.from, shape, r);
    Box target = dtensor::localBox(mesh, spec.change.to, shape, r);
    int64_t place = mesh.flatCoordinate(r, spec.change.axes);
    int64_t mine = reduces(kind) || beginsOnRoot(kind) ? place : 0;
    int64_t shown = beginsOnRoot(kind) ? root : 0;
    out.sources.emplace_back(source.numElements() * width);
    out.targets.emplace_back(target.numElements() * width, std::byte(0xEE));
    out.expected.emplace_back(target.numElements() * width);
    forEachElement(source, shape, [&](int64_t index, int64_t k) {
      encode(type, contribution(type, op, mine, index),
             out.sources.back().data() + k * width);
    });
    forEachElement(target, shape, [&](int64_t index, int64_t k) {
      int64_t value = contribution(type, op, shown, index);
      for (int64_t c = 1; reduces(kind) && c < parts; ++c)
        value = combine(op, value, contribution(type, op, c, index));
      double result = static_cast<double>(value);
      if (reduces(kind) && op == ReduceOp::Avg)
        result /= static_cast<double>(parts);
      if (endsOnRoot(kind) && place != root)
        result = 0;
      encode(type, result, out.expected.back().data() + k * width);
    });
  }
  return out;
}

/// Every kind that moves data, with every type and sizes that do not divide.
inline std::vector<Case> movingCases(const Mesh &mesh) {
  struct Move {
    StepKind kind;
    const char *from, *to, *axes;
  };
  const Move moves[] = {
      {StepKind::Slice, "", "x=shard(0)", "x"},
      {StepKind::Slice, "y=shard(1)", "y=shard(1), x=shard(1)", "x"},
      {StepKind::AllGather, "x=shard(0)", "", "x"},
      {StepKind::AllGather, "y=shard(0), x=shard(1)", "y=shard(0)", "x"},
      {StepKind::AllGather, "x=shard(0), y=shard(0)", "", "xy"},
      {StepKind::AllToAll, "x=shard(0)", "x=shard(1)", "x"},
      {StepKind::AllToAll, "y=shard(1)", "y=shard(0)", "y"},
      {StepKind::Permute, "x=shard(0), y=shard(0)", "y=shard(0), x=shard(0)",
       "xy"},
      {StepKind::Exchange, "x=shard(0), y=shard(1)", "x=shard(1), y=shard(0)",
       "xy"},
      {StepKind::Exchange, "x=shard(0)", "y=shard(0)", "xy"},
  };
  std::vector<Case> cases;
  for (ElementType type : kTypes)
    for (int64_t size = 0; size < 10; ++size)
      for (const Move &move : moves)
        cases.push_back(makeCase(mesh, move.kind, type, ReduceOp::Sum,
                                 {size, 9 - size / 2}, move.from, move.to,
                                 move.axes));
  return cases;
}

/// Every reduction that a type has, with sizes that do not divide.
inline std::vector<Case> reducingCases(const Mesh &mesh) {
  std::vector<Case> cases;
  for (ElementType type : kTypes)
    for (ReduceOp op : kOps) {
      if (!dtensor::isReductionSupported(op, type))
        continue;
      std::string partial = "partial(" + std::string(reduceOpName(op)) + ")";
      for (int64_t size : {0, 1, 2, 5, 9}) {
        std::vector<int64_t> shape = {size, 3};
        auto add = [&](StepKind kind, const std::string &from,
                       const std::string &to, const char *axes) {
          cases.push_back(
              makeCase(mesh, kind, type, op, shape, from, to, axes));
        };
        add(StepKind::AllReduce, "x=" + partial, "", "x");
        add(StepKind::AllReduce, "x=" + partial + ", y=" + partial, "", "xy");
        add(StepKind::AllReduce, "y=shard(1), x=" + partial, "y=shard(1)", "x");
        add(StepKind::ReduceScatter, "x=" + partial, "x=shard(0)", "x");
        add(StepKind::ReduceScatter, "y=shard(0), x=" + partial,
            "y=shard(0), x=shard(1)", "x");
        add(StepKind::ReduceScatter, "x=" + partial + ", y=" + partial,
            "x=shard(1), y=shard(1)", "xy");
      }
    }
  return cases;
}

/// Every kind with a root, from each place.
inline std::vector<Case> rootedCases(const Mesh &mesh) {
  std::vector<Case> cases;
  for (ElementType type : kTypes)
    for (int64_t size : {0, 1, 2, 5, 9}) {
      std::vector<int64_t> shape = {size, 3};
      auto add = [&](StepKind kind, ReduceOp op, const std::string &from,
                     const std::string &to, const std::string &axes) {
        int64_t members = 1;
        for (char axis : axes)
          members *= dtensor::parseAxisRef(mesh, std::string(1, axis))->size;
        for (int64_t root = 0; root < members; ++root)
          cases.push_back(
              makeCase(mesh, kind, type, op, shape, from, to, axes, root));
      };
      for (const char *axes : {"x", "xy", "yx"}) {
        std::string shard, partial;
        for (const char *axis = axes; *axis; ++axis) {
          std::string comma = axis == axes ? "" : ", ";
          shard += comma + *axis + "=shard(0)";
          partial += comma + *axis + "=partial(max)";
        }
        add(StepKind::Broadcast, ReduceOp::Sum, "", "", axes);
        add(StepKind::Scatter, ReduceOp::Sum, "", shard, axes);
        add(StepKind::Gather, ReduceOp::Sum, shard, "", axes);
        if (dtensor::isReductionSupported(ReduceOp::Max, type))
          add(StepKind::Reduce, ReduceOp::Max, partial, "", axes);
      }
      add(StepKind::Broadcast, ReduceOp::Sum, "y=shard(0)", "y=shard(0)", "x");
      add(StepKind::Gather, ReduceOp::Sum, "y=shard(0), x=shard(1)",
          "y=shard(0)", "x");
      if (dtensor::isReductionSupported(ReduceOp::Avg, type))
        add(StepKind::Reduce, ReduceOp::Avg, "y=shard(0), x=partial(avg)",
            "y=shard(0)", "x");
    }
  return cases;
}

/// Prepares the cases for one rank, numbered in order.
inline void prepareCases(const Mesh &mesh, std::vector<Case> &cases,
                         int64_t rank, std::vector<PreparedCollective> &out) {
  for (size_t i = 0; i < cases.size(); ++i) {
    cases[i].spec.step = static_cast<int64_t>(i);
    Expected<PreparedCollective> one =
        prepareCollective(mesh, cases[i].spec, rank);
    ASSERT_TRUE(one) << one.error().message;
    out.push_back(std::move(*one));
  }
}

/// What one rank does with prepared cases.
inline RunStatus runOnRank(Communicator &comm, std::vector<Case> &cases,
                           std::vector<PreparedCollective> &prepared) {
  int64_t rank = comm.rank();
  for (size_t i = 0; i < cases.size(); ++i) {
    if (Status status = comm.attach(prepared[i]); !status)
      return Failure{FailureCode::Setup, rank, -1, "", status.message()};
    if (RunStatus failure = comm.run(prepared[i], cases[i].sources[rank].data(),
                                     cases[i].targets[rank].data()))
      return failure;
  }
  return std::nullopt;
}

inline void expectCase(const Mesh &mesh, const Case &c, int64_t rank) {
  ASSERT_EQ(c.targets[rank], c.expected[rank])
      << c.spec.name << " on " << dtensor::printMesh(mesh) << " "
      << dtensor::elementTypeName(c.spec.type) << " "
      << dtensor::reduceOpName(c.spec.op) << " size " << c.spec.shape[0]
      << " rank " << rank;
}

} // namespace dtrt::test

#endif // DTRT_TEST_COLLECTIVECASES_H
