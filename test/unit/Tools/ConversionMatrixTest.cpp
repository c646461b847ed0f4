// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every conversion of placements, on every element type with every reduce op,
// for sizes 0 to 9: planned, proved, run on threads and compared with the
// dense meaning of the layouts.
#include "Execute.h"
#include "PlannerTestUtils.h"

#include <algorithm>
#include <iostream>

using namespace dtensor;
using namespace dtensor::test;

namespace {

std::vector<ElementType> allTypes() {
  std::vector<ElementType> types;
  for (int i = 0; i <= static_cast<int>(ElementType::I64); ++i)
    types.push_back(static_cast<ElementType>(i));
  return types;
}

std::vector<ReduceOp> opsOf(ElementType type) {
  std::vector<ReduceOp> ops;
  for (int i = 0; i <= static_cast<int>(ReduceOp::BXor); ++i)
    if (isReductionSupported(static_cast<ReduceOp>(i), type))
      ops.push_back(static_cast<ReduceOp>(i));
  return ops;
}

/// A tensor whose two sizes both take every value from 0 to 9.
std::vector<int64_t> shapeOf(int64_t n) { return {n, (3 * n + 1) % 10}; }

/// What one axis does; Partial stands for any op.
enum class Place : uint8_t { Replicate, Shard0, Shard1, Partial };
constexpr Place allPlaces[] = {Place::Replicate, Place::Shard0, Place::Shard1,
                               Place::Partial};

/// The layout in which axis i does what digit i of `code`, to base 4, says.
Layout layoutOf(const Mesh &mesh, int code, ReduceOp op) {
  std::vector<PlacementEntry> entries;
  for (size_t axis = 0; axis < mesh.axes().size(); ++axis, code /= 4) {
    AxisRef whole = mesh.wholeAxis(static_cast<int>(axis));
    Place place = allPlaces[code % 4];
    if (place == Place::Partial)
      entries.push_back({whole, PlacementEntry::Kind::Partial, 0, op});
    else if (place != Place::Replicate)
      entries.push_back({whole, PlacementEntry::Kind::Shard,
                         place == Place::Shard1, ReduceOp::Sum});
  }
  return *makeLayout(mesh, 2, entries);
}

class ConversionMatrix : public testing::TestWithParam<const char *> {
protected:
  void TearDown() override {
    runWaiting();
    std::cout << printMesh(grid) << ": " << count << " conversions\n";
  }

  void convert(ElementType type, int64_t n, Layout from, Layout to) {
    RedistributionRequest asked;
    asked.mesh = grid;
    asked.shape = shapeOf(n);
    asked.type = type;
    asked.from = std::move(from);
    asked.to = std::move(to);
    asked.topology = topology;
    ++count;
    auto plan = planRedistribution(asked);
    ASSERT_TRUE(bool(plan)) << textOf(asked) << plan.error().message;
    Status proof = checkRedistribution(asked, *plan);
    ASSERT_TRUE(bool(proof)) << textOf(asked) << proof.message();
    waiting.push_back({std::move(asked), std::move(*plan)});
    if (waiting.size() == 256)
      runWaiting();
  }

  /// Starting threads takes longer than a conversion, so many share them.
  void runWaiting() {
    auto runs = executePlans(waiting);
    ASSERT_TRUE(bool(runs)) << runs.error().message;
    for (size_t i = 0; i < waiting.size(); ++i) {
      const Execution &run = (*runs)[i];
      int64_t most =
          *std::max_element(run.recvBytes.begin(), run.recvBytes.end());
      if (!run.ok || !run.identicalReplicas ||
          most > waiting[i].plan.recvBytesMax)
        ADD_FAILURE() << textOf(waiting[i].request) << run.message
                      << ", received " << most;
    }
    waiting.clear();
  }

  std::string textOf(const RedistributionRequest &asked) const {
    return printMesh(grid) + " " + std::string(elementTypeName(asked.type)) +
           " " + std::to_string(asked.shape[0]) + "x" +
           std::to_string(asked.shape[1]) + ": '" +
           printLayout(grid, asked.from) + "' -> '" +
           printLayout(grid, asked.to) + "': ";
  }

  Mesh grid = mesh(GetParam());
  Topology topology = *Topology::builtin("threads");
  int64_t count = 0;
  std::vector<PlannedRequest> waiting;
};

class OneAxis : public ConversionMatrix {};
INSTANTIATE_TEST_SUITE_P(Meshes, OneAxis, testing::Values("x=2", "x=3", "x=4"));

// Nothing is left out: all pairs of placements, types, ops and sizes.
TEST_P(OneAxis, EveryConversion) {
  constexpr int partial = 3;
  for (ElementType type : allTypes())
    for (int64_t n = 0; n < 10 && !HasFailure(); ++n) {
      for (int from = 0; from < partial; ++from)
        for (int to = 0; to < partial; ++to)
          convert(type, n, layoutOf(grid, from, ReduceOp::Sum),
                  layoutOf(grid, to, ReduceOp::Sum));
      for (ReduceOp op : opsOf(type)) {
        for (int other = 0; other < partial; ++other) {
          convert(type, n, layoutOf(grid, partial, op),
                  layoutOf(grid, other, op));
          convert(type, n, layoutOf(grid, other, op),
                  layoutOf(grid, partial, op));
        }
        for (ReduceOp next : opsOf(type))
          convert(type, n, layoutOf(grid, partial, op),
                  layoutOf(grid, partial, next));
      }
    }
}

class SeveralAxes : public ConversionMatrix {};
INSTANTIATE_TEST_SUITE_P(Meshes, SeveralAxes,
                         testing::Values("x=2,y=2", "x=2,y=3", "x=2,y=2,z=2"));

// All pairs of placements of the axes; types, ops and sizes take turns, so
// that each pair meets many of them and each of them meets many pairs.
TEST_P(SeveralAxes, EveryPairOfLayouts) {
  struct Data {
    ElementType type;
    ReduceOp from, to;
  };
  std::vector<Data> data;
  for (ElementType type : allTypes()) {
    std::vector<ReduceOp> ops = opsOf(type);
    if (ops.empty()) // f8 is moved only
      data.push_back({type, ReduceOp::Sum, ReduceOp::Sum});
    for (size_t i = 0; i < ops.size(); ++i) {
      data.push_back({type, ops[i], ops[i]});
      data.push_back({type, ops[i], ops[(i + 1) % ops.size()]});
    }
  }
  int layouts = 1 << 2 * grid.axes().size();
  size_t rounds = layouts > 16 ? 1 : 20, turn = 0;
  for (size_t round = 0; round < rounds; ++round)
    for (int from = 0; from < layouts && !HasFailure(); ++from)
      for (int to = 0; to < layouts; ++to, ++turn) {
        const Data *now = &data[turn % data.size()];
        auto isPartial = [&](int code) {
          for (; code; code /= 4)
            if (code % 4 == 3)
              return true;
          return false;
        };
        while ((isPartial(from) || isPartial(to)) && opsOf(now->type).empty())
          now = &data[++turn % data.size()];
        convert(now->type, static_cast<int64_t>((turn + round) % 10),
                layoutOf(grid, from, now->from), layoutOf(grid, to, now->to));
      }
}

// Sum and avg are the two ops that one layout may mix.
TEST_P(SeveralAxes, SumsOfAverages) {
  for (ElementType type : {ElementType::F64, ElementType::F32, ElementType::F16,
                           ElementType::BF16})
    for (int64_t n = 0; n < 10 && !HasFailure(); ++n)
      for (const char *mixed : {"x=partial(sum), y=partial(avg)",
                                "x=partial(avg), y=partial(sum)"}) {
        Layout from = layout(grid, 2, mixed);
        for (const char *to :
             {"", "x=shard(0), y=shard(1)", "y=shard(0), x=shard(0)",
              "x=partial(avg), y=partial(avg)", "x=partial(sum)",
              "x=partial(max), y=shard(0)"})
          convert(type, n, from, layout(grid, 2, to));
        convert(type, n, layout(grid, 2, "x=shard(0)"), from);
        convert(type, n, layout(grid, 2, ""), from);
      }
}

} // namespace
