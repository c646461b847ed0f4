// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meshes: coordinates, groups, device orders, and every message of parsing.
#include "PlannerTestUtils.h"

using namespace dtensor;
using namespace dtensor::test;

namespace {

std::string meshError(std::string_view text,
                      std::vector<int64_t> devices = {}) {
  auto parsed = parseMesh(text, std::move(devices));
  return parsed ? "" : parsed.error().message;
}

std::string refError(const Mesh &mesh, std::string_view text) {
  auto parsed = parseAxisRef(mesh, text);
  return parsed ? "" : parsed.error().message;
}

TEST(Mesh, CoordinatesAreRowMajor) {
  Mesh grid = mesh("x=2,y=4");
  EXPECT_EQ(grid.numRanks(), 8);
  EXPECT_EQ(grid.coordinate(6, grid.wholeAxis(0)), 1);
  EXPECT_EQ(grid.coordinate(6, grid.wholeAxis(1)), 2);
  EXPECT_EQ(grid.coordinate(6, {1, 1, 2}), 1);
  EXPECT_EQ(grid.coordinate(6, {1, 2, 2}), 0);
  EXPECT_EQ(grid.flatCoordinate(6, {grid.wholeAxis(1), grid.wholeAxis(0)}), 5);
}

TEST(Mesh, GroupsFollowTheFlatCoordinate) {
  Mesh grid = mesh("x=2,y=4");
  EXPECT_EQ(grid.group(6, {grid.wholeAxis(1)}),
            (std::vector<int64_t>{4, 5, 6, 7}));
  EXPECT_EQ(grid.group(6, {{1, 2, 2}, grid.wholeAxis(0)}),
            (std::vector<int64_t>{2, 6, 3, 7}));
  EXPECT_EQ(grid.group(3, {}), (std::vector<int64_t>{3}));
}

TEST(Mesh, DeviceOrderMapsPositionsToRanks) {
  Mesh ring = mesh("x=4", {3, 1, 2, 0});
  EXPECT_EQ(ring.position(3), 0);
  EXPECT_EQ(ring.rankAt(3), 0);
  EXPECT_EQ(ring.coordinate(0, ring.wholeAxis(0)), 3);
  EXPECT_EQ(ring.group(1, {ring.wholeAxis(0)}),
            (std::vector<int64_t>{3, 1, 2, 0}));
  EXPECT_EQ(mesh("x=4", {0, 1, 2, 3}), mesh("x=4"));
}

TEST(Mesh, PrintsWhatItReads) {
  EXPECT_EQ(printMesh(mesh(" x = 2 , y=4")), "x=2,y=4");
  Mesh grid = mesh("x=2,y=4");
  EXPECT_EQ(printAxisRef(grid, *parseAxisRef(grid, "y:(2)2")), "y:(2)2");
  EXPECT_EQ(printAxisRef(grid, *parseAxisRef(grid, "y:(1)4")), "y");
  EXPECT_EQ(printAxisRefs(grid, {{0, 1, 2}, {1, 1, 2}}), "x, y:(1)2");
}

TEST(Mesh, RefusalsNameTheMend) {
  EXPECT_EQ(meshError(""),
            "the mesh has no axes; write NAME=SIZE, as in x=2,y=4");
  EXPECT_EQ(meshError("x=2,y"), "cannot read 'y' as a mesh axis; write "
                                "NAME=SIZE, as in x=2,y=4");
  EXPECT_EQ(meshError("x=2 y=3"), "cannot read 'x=2 y=3' as a mesh axis; "
                                  "write NAME=SIZE, as in x=2,y=4");
  EXPECT_EQ(meshError("x=2,x=3"),
            "axis 'x' appears twice in the mesh; name each axis once");
  EXPECT_EQ(meshError("x=0"), "axis 'x' has size 0, but sizes start at 1");
  EXPECT_EQ(meshError("x=65536,y=65536"),
            "axis 'y' of size 65536 makes the mesh larger than 2^31 ranks");
  auto named = Mesh::create({{"2x", 2}});
  ASSERT_FALSE(bool(named));
  EXPECT_EQ(named.error().message,
            "bad axis name '2x' (names match [A-Za-z_][A-Za-z0-9_]*)");
  EXPECT_EQ(meshError("x=4", {0, 1}),
            "device order lists 2 devices, but the mesh has 4 ranks; list "
            "each of 0..3 once");
  EXPECT_EQ(meshError("x=4", {0, 1, 2, 4}),
            "device 4 in the device order is outside 0..3");
  EXPECT_EQ(meshError("x=4", {0, 1, 1, 2}),
            "device 1 appears twice in the device order; list each of 0..3 "
            "once");
}

TEST(Mesh, AxisRefusalsNameTheMend) {
  Mesh grid = mesh("x=2,tp=6");
  EXPECT_EQ(refError(grid, "tq"), "unknown axis 'tq' (the mesh has x, tp)");
  EXPECT_EQ(refError(grid, "tp:(2)2"),
            "part 'tp:(2)2' does not divide axis 'tp' of size 6; 2 * 2 must "
            "be positive and divide it");
  EXPECT_EQ(refError(grid, "tp:2"),
            "cannot read 'tp:2' as an axis; write NAME, or NAME:(BEFORE)SIZE "
            "for a part");
}

} // namespace
