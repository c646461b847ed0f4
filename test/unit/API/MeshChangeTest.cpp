// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redistribution between meshes: other grids, orders and ranks.
#include "ApiTest.h"

using namespace dtensor;
using namespace dtensor::test;

TEST(MeshChange, DisjointMeshes) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh left = DeviceMesh::create("cpu", {2}, {0, 1});
    DeviceMesh right = DeviceMesh::create("cpu", {2}, {2, 3});
    Array whole = counting({7, 3});
    DTensor x = distributeTensor(whole, left, {Shard(0)});
    CommCounts before = commCounts();
    DTensor y = x.redistribute(right, {Shard(1)});
    CommCounts after = commCounts();
    EXPECT_EQ(y.deviceMesh(), right);
    if (worldRank() < 2) {
      EXPECT_FALSE(y.localBox());
      EXPECT_EQ(after.receivedBytes, before.receivedBytes);
    } else {
      expectHolds(y, whole);
      // Exactly its box came in.
      EXPECT_EQ(after.receivedBytes - before.receivedBytes,
                y.toLocal().bytes());
    }
    DTensor back = y.redistribute(left, {Replicate()});
    if (worldRank() < 2)
      expectHolds(back, whole);
  });
}

TEST(MeshChange, OverlappingMeshesAndOrders) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh three = DeviceMesh::create("cpu", {3}, {2, 0, 1}, {"a"});
    DeviceMesh square =
        DeviceMesh::create("cpu", {2, 2}, {3, 1, 2, 0}, {"x", "y"});
    Array whole = counting({5, 6});
    DTensor x = distributeTensor(whole, three, {Shard(1)});
    for (int repeat = 0; repeat < 2; ++repeat) { // planned, then remembered
      DTensor y = x.redistribute(square, {Shard(0), Shard(1)});
      expectHolds(y, whole);
      DTensor z = y.redistribute(three, {Shard(0)});
      if (three.contains())
        expectHolds(z, whole);
    }
  });
}

TEST(MeshChange, ContributionsAreCombinedFirst) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh left = DeviceMesh::create("cpu", {2}, {0, 1});
    DeviceMesh right = DeviceMesh::create("cpu", {2}, {2, 3});
    Array part = left.contains() ? counting({4}) : Array();
    FromLocalOptions options;
    options.shape = {4};
    DTensor x = fromLocal(part, left, {Partial()}, options);
    DTensor y = x.redistribute(right, {Shard(0)});
    Array twice = Array::of<float>({0, 2, 4, 6});
    if (right.contains())
      expectHolds(y, twice);
    // And to contributions on the other mesh.
    DTensor z = x.redistribute(right, {Partial("sum")});
    DTensor whole = z.redistribute({Replicate()});
    if (right.contains())
      expectHolds(whole, twice);
  });
}

TEST(MeshChange, SameRanksInAnotherGridFollowAPlan) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh square = initDeviceMesh("cpu", {2, 2}, {"x", "y"});
    DeviceMesh line = initDeviceMesh("cpu", {4}, {"t"});
    Array whole = counting({8, 4});
    DTensor x = distributeTensor(whole, square, {Shard(0), Shard(0)});
    CommCounts before = commCounts();
    DTensor y = x.redistribute(line, {Shard(0)}); // the same boxes
    EXPECT_EQ(commCounts().totalCollectives(), before.totalCollectives());
    expectHolds(y, whole);
    expectHolds(y.redistribute(square, {Replicate(), Shard(1)}), whole);
  });
}
