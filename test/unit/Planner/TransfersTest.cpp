// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transfers: complete, disjoint, inside the group, and spread over replicas.
#include "PlannerTestUtils.h"

using namespace dtensor;
using namespace dtensor::test;

namespace {

TEST(Transfers, RankTakesItsOwnDataFirst) {
  Mesh grid = mesh("x=2,y=2");
  LayoutChange change = {layout(grid, 1, "x=shard(0)"),
                         layout(grid, 1, ""),
                         {grid.wholeAxis(0), grid.wholeAxis(1)}};
  auto transfers = transfersInto(grid, {4}, change, 3);
  ASSERT_EQ(transfers.size(), 2u);
  EXPECT_EQ(transfers[1].source, 3);
  EXPECT_EQ(transfers[1].box, (Box{{2}, {4}}));
}

TEST(Transfers, EqualReceiversSpreadOverEqualSources) {
  Mesh grid = mesh("x=2,y=4");
  LayoutChange change = {layout(grid, 1, "x=shard(0)"),
                         layout(grid, 1, ""),
                         {grid.wholeAxis(0), grid.wholeAxis(1)}};
  std::vector<int> served(8, 0);
  for (int64_t rank = 0; rank < 8; ++rank)
    for (const Transfer &transfer : transfersInto(grid, {8}, change, rank))
      if (transfer.source != rank)
        ++served[transfer.source];
  EXPECT_EQ(served, std::vector<int>(8, 1));
}

TEST(Transfers, SubgroupsKeepToThemselves) {
  Mesh grid = mesh("x=2,y=2");
  LayoutChange change = {layout(grid, 2, "x=shard(0), y=shard(1)"),
                         layout(grid, 2, "x=shard(0)"),
                         {grid.wholeAxis(1)}};
  for (const Transfer &transfer : transfersInto(grid, {5, 5}, change, 2))
    EXPECT_GE(transfer.source, 2);
}

TEST(Transfers, GroupAnswersAgreeWithSingleOnes) {
  Mesh line = mesh("x=4", {2, 0, 3, 1});
  LayoutChange change = {
      layout(line, 1, "x=shard(0)"), layout(line, 1, ""), {line.wholeAxis(0)}};
  auto members = line.group(0, change.axes);
  auto together = groupTransfers(line, {7}, change, 0);
  for (size_t i = 0; i < members.size(); ++i) {
    auto alone = transfersInto(line, {7}, change, members[i]);
    ASSERT_EQ(alone.size(), together[i].size());
    for (size_t j = 0; j < alone.size(); ++j) {
      EXPECT_EQ(alone[j].source, together[i][j].source);
      EXPECT_EQ(alone[j].box, together[i][j].box);
    }
  }
}

/// In the order of coordinates, not of ranks: groups of a mesh with a device
/// order sum alike.
TEST(Transfers, ContributorsStandInTheOrderOfTheAxis) {
  Mesh line = mesh("x=4", {2, 0, 3, 1});
  LayoutChange change = {layout(line, 1, "x=partial(sum)"),
                         layout(line, 1, ""),
                         {line.wholeAxis(0)}};
  EXPECT_EQ(contributors(line, change, 3), (std::vector<int64_t>{2, 0, 3, 1}));
}

} // namespace
