// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives on threads against dense references: all kinds, types and
// operators, on meshes of 1 to 6 ranks, with sizes that do not divide.
#include "Data/SmallFloat.h"
#include "dtrt/Arithmetic.h"
#include "dtrt/ThreadRanks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

using namespace dtrt;
using dtensor::Box;
using dtensor::ElementType;
using dtensor::Mesh;
using dtensor::ReduceOp;
using dtensor::StepKind;

namespace {

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
void encode(ElementType type, double value, std::byte *at) {
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
int64_t contribution(ElementType type, ReduceOp op, int64_t c, int64_t index) {
  if (type == ElementType::I1)
    return -((index * 5 + c * 3 + index * c) % 2);
  if (op == ReduceOp::Product)
    return 1 + (index + c) % 2;
  return (index * 7 + c * 3) % 11 - 5;
}

int64_t combine(ReduceOp op, int64_t a, int64_t b) {
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

bool reduces(StepKind kind) {
  return kind == StepKind::AllReduce || kind == StepKind::ReduceScatter;
}

/// One collective with its buffers. Layouts are texts.
Case makeCase(const Mesh &mesh, StepKind kind, ElementType type, ReduceOp op,
              const std::vector<int64_t> &shape, const std::string &from,
              const std::string &to, const std::string &axes) {
  int rank = static_cast<int>(shape.size());
  Case out;
  CollectiveSpec &spec = out.spec;
  spec.kind = kind;
  spec.type = type;
  spec.op = op;
  spec.shape = shape;
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
    int64_t mine = reduces(kind) ? mesh.flatCoordinate(r, spec.change.axes) : 0;
    out.sources.emplace_back(source.numElements() * width);
    out.targets.emplace_back(target.numElements() * width, std::byte(0xEE));
    out.expected.emplace_back(target.numElements() * width);
    forEachElement(source, shape, [&](int64_t index, int64_t k) {
      encode(type, contribution(type, op, mine, index),
             out.sources.back().data() + k * width);
    });
    forEachElement(target, shape, [&](int64_t index, int64_t k) {
      int64_t value = contribution(type, op, 0, index);
      for (int64_t c = 1; reduces(kind) && c < parts; ++c)
        value = combine(op, value, contribution(type, op, c, index));
      double shown = static_cast<double>(value);
      if (reduces(kind) && op == ReduceOp::Avg)
        shown /= static_cast<double>(parts);
      encode(type, shown, out.expected.back().data() + k * width);
    });
  }
  return out;
}

/// Runs all cases in one set of ranks and compares.
void runCases(const Mesh &mesh, std::vector<Case> &cases) {
  for (size_t i = 0; i < cases.size(); ++i)
    cases[i].spec.step = static_cast<int64_t>(i);
  std::vector<std::vector<PreparedCollective>> prepared(mesh.numRanks());
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
    for (Case &c : cases) {
      Expected<PreparedCollective> one = prepareCollective(mesh, c.spec, rank);
      ASSERT_TRUE(one) << one.error().message;
      prepared[rank].push_back(*one);
    }
  RunReport report =
      runRanks(mesh.numRanks(), {}, [&](Communicator &comm) -> RunStatus {
        int64_t rank = comm.rank();
        for (size_t i = 0; i < cases.size(); ++i) {
          PreparedCollective &one = prepared[rank][i];
          if (Status status = comm.attach(one); !status)
            return Failure{FailureCode::Setup, rank, -1, "", status.message()};
          if (RunStatus failure = comm.run(one, cases[i].sources[rank].data(),
                                           cases[i].targets[rank].data()))
            return failure;
        }
        return std::nullopt;
      });
  ASSERT_TRUE(report.succeeded()) << failureLine(*report.cause);
  for (const Case &c : cases)
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
      ASSERT_EQ(c.targets[rank], c.expected[rank])
          << c.spec.name << " on " << dtensor::printMesh(mesh) << " "
          << dtensor::elementTypeName(c.spec.type) << " "
          << dtensor::reduceOpName(c.spec.op) << " size " << c.spec.shape[0]
          << " rank " << rank;
}

class OnMesh : public ::testing::TestWithParam<const char *> {
protected:
  Mesh mesh = *dtensor::parseMesh(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Meshes, OnMesh,
                         ::testing::Values("x=1,y=1", "x=2,y=1", "x=3,y=1",
                                           "x=4,y=1", "x=2,y=2", "x=3,y=2",
                                           "x=1,y=6"));

TEST_P(OnMesh, moves_every_type_with_every_size) {
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
  runCases(mesh, cases);
}

TEST_P(OnMesh, reduces_every_type_with_every_operator) {
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
  runCases(mesh, cases);
}

/// Buffers of one tensor on all ranks, changed step by step.
class Pipeline {
public:
  Pipeline(const Mesh &mesh, ElementType type, std::vector<int64_t> shape)
      : mesh(mesh), type(type), shape(std::move(shape)) {}

  void run(StepKind kind, ReduceOp op, const std::string &from,
           const std::string &to, const std::string &axes) {
    Case c = makeCase(mesh, kind, type, op, shape, from, to, axes);
    if (!buffers.empty())
      c.sources = buffers;
    c.expected.clear();
    RunReport report =
        runRanks(mesh.numRanks(), {}, [&](Communicator &comm) -> RunStatus {
          Expected<PreparedCollective> one =
              prepareCollective(mesh, c.spec, comm.rank());
          if (!one)
            return Failure{FailureCode::Setup, comm.rank(), -1, "",
                           one.error().message};
          if (!comm.attach(*one))
            return Failure{FailureCode::Setup, comm.rank(), -1, "", "attach"};
          return comm.run(*one, c.sources[comm.rank()].data(),
                          c.targets[comm.rank()].data());
        });
    ASSERT_TRUE(report.succeeded()) << failureLine(*report.cause);
    if (buffers.empty())
      start = c.sources;
    buffers = c.targets;
  }

  std::vector<std::vector<std::byte>> start, buffers;

private:
  const Mesh &mesh;
  ElementType type;
  std::vector<int64_t> shape;
};

TEST_P(OnMesh, becoming_partial_and_reducing_gives_the_bits_back) {
  for (ElementType type : {ElementType::F32, ElementType::F16, ElementType::I8,
                           ElementType::I1, ElementType::F64})
    for (ReduceOp op : kOps) {
      if (!dtensor::isReductionSupported(op, type))
        continue;
      std::string partial = "x=partial(" + std::string(reduceOpName(op)) + ")";
      Pipeline replicated(mesh, type, {5, 3});
      replicated.run(StepKind::ToPartial, op, "", partial, "x");
      replicated.run(StepKind::AllReduce, op, partial, "", "x");
      EXPECT_EQ(replicated.start, replicated.buffers) << reduceOpName(op);
      if (op == ReduceOp::Avg)
        continue;
      Pipeline sharded(mesh, type, {5, 3});
      sharded.run(StepKind::ToPartial, op, "x=shard(0)", partial, "x");
      sharded.run(StepKind::ReduceScatter, op, partial, "x=shard(0)", "x");
      EXPECT_EQ(sharded.start, sharded.buffers) << reduceOpName(op);
    }
}

TEST_P(OnMesh, sum_and_avg_scale_into_each_other) {
  Pipeline pipeline(mesh, ElementType::F32, {4, 3});
  pipeline.run(StepKind::ToPartial, ReduceOp::Sum, "", "x=partial(sum)", "x");
  pipeline.run(StepKind::Scale, ReduceOp::Sum, "x=partial(sum)",
               "x=partial(avg)", "x");
  pipeline.run(StepKind::AllReduce, ReduceOp::Avg, "x=partial(avg)", "", "x");
  EXPECT_EQ(pipeline.start, pipeline.buffers);
}

TEST(Collective, ordered_sums_are_the_same_bits_on_all_replicas) {
  Mesh mesh = *dtensor::parseMesh("x=4,y=1");
  Case c = makeCase(mesh, StepKind::AllReduce, ElementType::F32, ReduceOp::Sum,
                    {1001, 3}, "x=partial(sum)", "", "x");
  std::mt19937 random(1);
  for (auto &source : c.sources)
    for (size_t i = 0; i < source.size(); i += 4)
      encode(ElementType::F32, std::ldexp(double(random()), -20),
             source.data() + i);
  for (size_t i = 0; i < c.expected[0].size(); i += 4) {
    float sum = 0;
    for (size_t rank = 0; rank < 4; ++rank) {
      float value;
      std::memcpy(&value, c.sources[rank].data() + i, 4);
      sum = rank == 0 ? value : sum + value;
    }
    for (auto &expected : c.expected)
      std::memcpy(expected.data() + i, &sum, 4);
  }
  std::vector<Case> cases{c};
  runCases(mesh, cases);
}

TEST(Collective, counts_bytes_from_other_ranks) {
  Mesh mesh = *dtensor::parseMesh("x=4,y=1");
  auto bytes = [&](StepKind kind, const char *from, const char *to) {
    Case c = makeCase(mesh, kind, ElementType::F32, ReduceOp::Sum, {8, 2}, from,
                      to, "x");
    return prepareCollective(mesh, c.spec, 1)->recvBytes;
  };
  EXPECT_EQ(bytes(StepKind::AllGather, "x=shard(0)", ""), 48);
  EXPECT_EQ(bytes(StepKind::Slice, "", "x=shard(0)"), 0);
  EXPECT_EQ(bytes(StepKind::ReduceScatter, "x=partial(sum)", "x=shard(0)"), 48);
  EXPECT_EQ(bytes(StepKind::AllReduce, "x=partial(sum)", ""), 96);
}

TEST(Collective, impossible_steps_are_refused) {
  Mesh mesh = *dtensor::parseMesh("x=2,y=2");
  auto refusal = [&](StepKind kind, ElementType type, ReduceOp op,
                     const char *from, const char *to, const char *axes) {
    Case c = makeCase(mesh, kind, type, op, {4, 4}, from, to, axes);
    Expected<PreparedCollective> one = prepareCollective(mesh, c.spec, 1);
    return one ? std::string("accepted") : one.error().message;
  };
  EXPECT_NE(refusal(StepKind::Slice, ElementType::F32, ReduceOp::Sum,
                    "x=shard(0)", "", "x"),
            "accepted");
  EXPECT_EQ(refusal(StepKind::AllReduce, ElementType::F8E5M2, ReduceOp::Sum,
                    "x=partial(sum)", "", "x"),
            "step 0 (all_reduce over \"x\"): type f8E5M2 has no sum");
  EXPECT_NE(refusal(StepKind::ToPartial, ElementType::F32, ReduceOp::Avg,
                    "x=shard(0)", "x=partial(avg)", "x")
                .find("shards do not become partial(avg)"),
            std::string::npos);
  EXPECT_NE(refusal(StepKind::Scale, ElementType::F32, ReduceOp::Max,
                    "x=partial(max)", "x=partial(max)", "x")
                .find("scales from sum or avg only"),
            std::string::npos);
}

} // namespace
