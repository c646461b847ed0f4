// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts: canonical form, chunking, text forms, and every message.
#include "PlannerTestUtils.h"

using namespace dtensor;
using namespace dtensor::test;

namespace {

std::string layoutError(const Mesh &mesh, int rank, std::string_view text) {
  auto parsed = parseLayout(mesh, rank, text);
  return parsed ? "" : parsed.error().message;
}

std::string canonical(const Mesh &mesh, int rank, std::string_view text) {
  return printLayout(mesh, layout(mesh, rank, text));
}

/// [lo, hi) of every rank on dimension 0.
std::vector<std::pair<int64_t, int64_t>> pieces(const Mesh &mesh, int64_t n,
                                                std::string_view text) {
  std::vector<std::pair<int64_t, int64_t>> found;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    Box box = localBox(mesh, layout(mesh, 1, text), {n}, rank);
    found.push_back({box.lo[0], box.hi[0]});
  }
  return found;
}

using Pieces = std::vector<std::pair<int64_t, int64_t>>;

TEST(Layout, CanonicalFormMergesAndSorts) {
  Mesh grid = mesh("x=4,y=2,one=1");
  EXPECT_EQ(canonical(grid, 2, "x:(1)2=shard(0), x:(2)2=shard(0)"),
            "x=shard(0)");
  EXPECT_EQ(canonical(grid, 2, "x:(2)2=shard(0), x:(1)2=shard(0)"),
            "x:(2)2=shard(0), x:(1)2=shard(0)");
  EXPECT_EQ(canonical(grid, 2,
                      "y=partial(sum), x:(2)2=partial(sum), "
                      "x:(1)2=partial(sum)"),
            "x=partial(sum), y=partial(sum)");
  EXPECT_EQ(canonical(grid, 2, "x:(2)2=replicate, x:(1)2=replicate"),
            "x=replicate");
  EXPECT_EQ(canonical(grid, 2, "one=shard(0), y=shard(1), x=shard(0)"),
            "x=shard(0), y=shard(1)");
  EXPECT_EQ(layout(grid, 2, "x=shard(0), y=replicate, ..."),
            layout(grid, 2, "x=shard(0)"));
  EXPECT_TRUE(layout(grid, 2, "").isReplicated());
}

TEST(Layout, NestingOrderMatters) {
  Mesh grid = mesh("x=2,y=2");
  EXPECT_NE(layout(grid, 1, "x=shard(0), y=shard(0)"),
            layout(grid, 1, "y=shard(0), x=shard(0)"));
  EXPECT_EQ(pieces(grid, 4, "y=shard(0), x=shard(0)"),
            (Pieces{{0, 1}, {2, 3}, {1, 2}, {3, 4}}));
}

TEST(Layout, ChunksFollowTorch) {
  Mesh line = mesh("x=4");
  EXPECT_EQ(pieces(line, 5, "x=shard(0)"),
            (Pieces{{0, 2}, {2, 4}, {4, 5}, {5, 5}}));
  EXPECT_EQ(pieces(line, 0, "x=shard(0)"),
            (Pieces{{0, 0}, {0, 0}, {0, 0}, {0, 0}}));
  EXPECT_EQ(pieces(line, 2, "x=shard(0)"),
            (Pieces{{0, 1}, {1, 2}, {2, 2}, {2, 2}}));
  // The merged form is what is chunked: 2, 2, 1, 0 and not 2, 1, 1, 1.
  EXPECT_EQ(pieces(line, 5, "x:(1)2=shard(0), x:(2)2=shard(0)"),
            pieces(line, 5, "x=shard(0)"));
}

TEST(Layout, EmptyChunkStartsAtTheEndOfItsPiece) {
  // x cuts 3 into 2, 1; y cuts the piece [2, 3) into [2, 3) and [3, 3).
  EXPECT_EQ(pieces(mesh("x=2,y=2"), 3, "x=shard(0), y=shard(0)"),
            (Pieces{{0, 1}, {1, 2}, {2, 3}, {3, 3}}));
  EXPECT_EQ(pieces(mesh("x=2,y=3"), 4, "x=shard(0), y=shard(0)"),
            (Pieces{{0, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 4}, {4, 4}}));
}

TEST(Layout, SizesOfShards) {
  Mesh grid = mesh("x=4,y=2");
  Layout both = layout(grid, 2, "x=shard(0), y=shard(1)");
  EXPECT_EQ(maxLocalShape(grid, both, {10, 3}), (std::vector<int64_t>{3, 2}));
  EXPECT_FALSE(isEven(both, {10, 4}));
  EXPECT_TRUE(isEven(both, {8, 4}));
  EXPECT_TRUE(isEven(both, {0, 0}));
}

TEST(Layout, BoxesMeet) {
  Box a = {{0, 2}, {4, 6}}, b = {{3, 0}, {8, 3}}, far = {{9, 0}, {9, 9}};
  EXPECT_EQ(intersect(a, b), (Box{{3, 2}, {4, 3}}));
  EXPECT_EQ(intersect(a, b).numElements(), 1);
  EXPECT_TRUE(intersect(a, far).isEmpty());
  EXPECT_EQ(a.extents(), (std::vector<int64_t>{4, 4}));
  EXPECT_EQ(Box().numElements(), 1);
  EXPECT_FALSE(Box().isEmpty());
}

TEST(Layout, TextReadsBack) {
  Mesh grid = mesh("x=4,y=2,z=3");
  for (const char *text :
       {"", "x=shard(0), y=shard(1)", "y=shard(0), x:(1)2=shard(0)",
        "x:(1)2=partial(sum), z=partial(avg)", "y=replicate, ...",
        "x=shard(1), ...(0, 2)", "x=partial(bxor)"})
    EXPECT_EQ(canonical(grid, 3, text), text);
  EXPECT_EQ(canonical(grid, 3, "S(0), R, P"),
            "x=shard(0), z=partial(sum), y=replicate");
  EXPECT_EQ(canonical(grid, 3, "S(2), S(2), P(max)"),
            "x=shard(2), y=shard(2), z=partial(max)");
  EXPECT_EQ(canonical(grid, 3, "...(2, 0, 2)"), "...(0, 2)");
}

TEST(Layout, EntriesRebuildTheLayout) {
  constexpr uint32_t seed = 7;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 rng(seed);
  Mesh grid = mesh("x=8,y=6,z=2");
  for (int i = 0; i < 500; ++i) {
    Layout made = randomLayout(rng, grid, 3, true);
    auto rebuilt = makeLayout(grid, 3, layoutEntries(made));
    ASSERT_TRUE(bool(rebuilt));
    EXPECT_EQ(*rebuilt, made);
    EXPECT_EQ(layout(grid, 3, printLayout(grid, made)), made);
  }
}

TEST(Layout, OrderIsTotal) {
  Mesh grid = mesh("x=2,y=2");
  Layout a = layout(grid, 1, "x=shard(0)"), b = layout(grid, 1, "y=shard(0)");
  Layout c = layout(grid, 1, "x=partial(sum)"),
         d = layout(grid, 1, "x=partial(max)");
  EXPECT_NE(a < b, b < a);
  EXPECT_NE(c < d, d < c);
  EXPECT_FALSE(a < a);
}

TEST(Layout, RefusalsNameTheMend) {
  Mesh grid = mesh("x=6,tp=2");
  EXPECT_EQ(layoutError(grid, 2, "tq=shard(0)"),
            "unknown axis 'tq' (the mesh has x, tp)");
  EXPECT_EQ(layoutError(grid, 2, "x=shard(0), x=shard(1)"),
            "axis 'x' is used twice in one layout; name each axis once");
  EXPECT_EQ(layoutError(grid, 2, "x=shard(0), x:(1)2=shard(1)"),
            "axis parts 'x' and 'x:(1)2' overlap; use each part of an axis "
            "once");
  EXPECT_EQ(layoutError(grid, 2, "x:(1)2=shard(0), x:(1)3=shard(1)"),
            "parts 'x:(1)2' and 'x:(1)3' of one axis do not nest; cut the "
            "axis at sizes that divide each other");
  EXPECT_EQ(layoutError(grid, 2, "x=shard(2)"),
            "shard(2) of axis 'x': dim 2 is out of range, the tensor has rank "
            "2 (dims 0..1)");
  EXPECT_EQ(layoutError(grid, 0, "x=shard(0)"),
            "shard(0) of axis 'x': a rank-0 tensor has no dimension to shard; "
            "replicate it");
  EXPECT_EQ(layoutError(grid, 2, "x=partial(sum), tp=partial(max)"),
            "layout mixes partial(sum) and partial(max); only sum and avg may "
            "be mixed, reduce one of them first");
  EXPECT_EQ(layoutError(grid, 2, "x=partial(sum), tp=partial(avg)"), "");
  EXPECT_EQ(layoutError(grid, 2, "x:(1)4=shard(0)"),
            "part 'x:(1)4' does not divide axis 'x' of size 6; 1 * 4 must be "
            "positive and divide it");
}

TEST(Layout, TextRefusalsNameTheMend) {
  Mesh grid = mesh("x=6,tp=2");
  EXPECT_EQ(layoutError(grid, 2, "x=shard"),
            "cannot read 'x=shard'; write axis=shard(dim)");
  EXPECT_EQ(layoutError(grid, 2, "S, R"), "cannot read 'S'; write S(dim)");
  EXPECT_EQ(layoutError(grid, 2, "x=partial"),
            "cannot read 'x=partial'; write axis=partial(op)");
  EXPECT_EQ(layoutError(grid, 2, "x=partial(mean)"),
            "unknown reduce op 'mean' in 'x=partial(mean)' (ops are sum, "
            "product, min, max, umin, umax, avg, band, bor, bxor)");
  EXPECT_EQ(layoutError(grid, 2, "x=partial(sum"),
            "missing ')' in 'x=partial(sum'");
  EXPECT_EQ(layoutError(grid, 2, "x=split(0)"),
            "unknown placement in 'x=split(0)' (placements are shard(dim), "
            "replicate, partial(op))");
  EXPECT_EQ(layoutError(grid, 2, "Q, R"),
            "unknown placement in 'Q' (placements are S(dim), R, P(op))");
  EXPECT_EQ(layoutError(grid, 2, "x=shard(0),"),
            "cannot read ',' in a layout; separate entries with one comma");
  EXPECT_EQ(layoutError(grid, 2, "S(0)"),
            "layout has 1 placements, but the mesh has 2 axes; write one "
            "S(dim), R or P(op) per axis");
  EXPECT_EQ(layoutError(grid, 2, "R, R, R"),
            "layout has more placements than the mesh has axes (2) at 'R'");
  EXPECT_EQ(layoutError(grid, 2, "x=shard(0), R"),
            "layout mixes 'axis=placement' with placements in mesh order at "
            "'R'; use one form");
  EXPECT_EQ(layoutError(grid, 2, "..., x=shard(0)"),
            "', x=shard(0)' follows '...', which must be the last entry");
  EXPECT_EQ(layoutError(grid, 2, "...(q)"),
            "cannot read 'q)' as an open dim; write ...(0, 2)");
  EXPECT_EQ(layoutError(grid, 2, "...(0"),
            "missing ')' after the open dims; write ...(0, 2)");
  EXPECT_EQ(layoutError(grid, 2, "...(5)"),
            "open dim 5 is out of range, the tensor has rank 2");
}

} // namespace
