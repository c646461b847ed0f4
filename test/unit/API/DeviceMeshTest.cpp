// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device meshes: coordinates, parts, the current one.
#include "ApiTest.h"

using namespace dtensor;
using namespace dtensor::test;

TEST(DeviceMesh, Coordinates) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2}, {"dp", "tp"});
    int64_t rank = worldRank();
    EXPECT_EQ(mesh.ndim(), 2);
    EXPECT_EQ(mesh.size(), 4);
    EXPECT_EQ(mesh.size(-1), 2);
    EXPECT_EQ(mesh.size("dp"), 2);
    EXPECT_EQ(mesh.shape(), (std::vector<int64_t>{2, 2}));
    EXPECT_EQ(mesh.names(), (std::vector<std::string>{"dp", "tp"}));
    EXPECT_EQ(mesh.getRank(), rank);
    EXPECT_EQ(mesh.getLocalRank("dp"), rank / 2);
    EXPECT_EQ(mesh.getLocalRank(1), rank % 2);
    EXPECT_EQ(*mesh.getCoordinate(),
              (std::vector<int64_t>{rank / 2, rank % 2}));
    EXPECT_EQ(thrownBy([&] { mesh.getLocalRank("pp"); }),
              "InvalidArgument: the mesh has no dimension 'pp'; it has dp, tp");
    EXPECT_TRUE(initDeviceMesh("cpu", {4}).names().empty());
  });
}

TEST(DeviceMesh, PartsShareTheOtherCoordinates) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2}, {"dp", "tp"});
    int64_t rank = worldRank();
    DeviceMesh row = mesh["tp"];
    EXPECT_EQ(row.ranks(),
              (std::vector<int64_t>{rank / 2 * 2, rank / 2 * 2 + 1}));
    EXPECT_EQ(row.getLocalRank(), rank % 2);
    DeviceMesh column = mesh.getGroup("dp");
    EXPECT_EQ(column.ranks(), (std::vector<int64_t>{rank % 2, rank % 2 + 2}));
    EXPECT_EQ(mesh["tp"], row);
    EXPECT_EQ(mesh.flatten().ranks(), (std::vector<int64_t>{0, 1, 2, 3}));
    EXPECT_EQ(mesh.flatten().text(), "(dp_tp=4)");
    EXPECT_EQ(mesh.slice({"tp", "dp"}).ranks(),
              (std::vector<int64_t>{0, 2, 1, 3}));
    // Each row sums up on its own.
    Array mine = Array::of<float>({static_cast<float>(rank)});
    EXPECT_EQ(fromLocal(mine, row, {Partial()}).fullTensor().values<float>(),
              (std::vector<float>{static_cast<float>(rank / 2 * 4 + 1)}));
    EXPECT_EQ(fromLocal(mine, column, {Shard(0)}).fullTensor().values<float>(),
              (std::vector<float>{static_cast<float>(rank % 2),
                                  static_cast<float>(rank % 2 + 2)}));
  });
}

TEST(DeviceMesh, AnyOrderOfRanks) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh ring = DeviceMesh::create("cpu", {4}, {3, 1, 2, 0}, {"x"});
    Array whole = counting({8});
    DTensor x = distributeTensor(whole, ring, {Shard(0)});
    const int64_t position[] = {3, 1, 2, 0};
    EXPECT_EQ(ring.getLocalRank(), position[worldRank()]);
    EXPECT_EQ(x.localBox()->lo[0], 2 * position[worldRank()]);
    expectHolds(x, whole);
    EXPECT_EQ(x.fullTensor().values<float>(), whole.values<float>());
  });
}

TEST(DeviceMesh, RanksOutsideHoldNothing) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh pair = DeviceMesh::create("cpu", {2}, {1, 3});
    bool inside = worldRank() % 2 == 1;
    EXPECT_EQ(pair.contains(), inside);
    EXPECT_EQ(pair.getCoordinate().has_value(), inside);
    Array whole = counting({5});
    DTensor x = distributeTensor(whole, pair, {Shard(0)});
    DTensor y = x.redistribute({Replicate()});
    EXPECT_EQ(y.localBox().has_value(), inside);
    EXPECT_EQ(x.boxOf(3)->lo[0], 3);
    EXPECT_FALSE(x.boxOf(0));
    if (inside)
      expectHolds(y, whole);
    else
      EXPECT_EQ(thrownBy([&] { y.toLocal(); }),
                "InvalidArgument: rank " + std::to_string(worldRank()) +
                    " holds no part of the tensor: it is not in the mesh "
                    "(dim0=2)");
  });
}

TEST(DeviceMesh, CurrentMesh) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    EXPECT_EQ(
        thrownBy([] { ones({4}); }),
        "InvalidArgument: no mesh is given and none is current; pass one, "
        "or open a scope with it");
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    MeshScope scope(mesh);
    EXPECT_EQ(ones({4}).deviceMesh(), mesh);
    EXPECT_EQ(ones({4}).layoutText(), ""); // replicated
    {
      MeshScope inner(mesh.flatten("all"));
      EXPECT_EQ(ones({4}).deviceMesh().text(), "(all=4)");
    }
    EXPECT_EQ(currentMesh(), mesh);
  });
}
