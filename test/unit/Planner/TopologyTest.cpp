// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Topology files: the shipped ones, every refusal with its place, tables, and
// what slow links make of a plan.
#include "PlannerTestUtils.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>

using namespace dtensor;
using namespace dtensor::test;

namespace {

/// Written with single quotes here.
Expected<Topology> read(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  return readTopology(text, "t.json");
}

const char *const link = "'default_link': {'latency_us': 1, "
                         "'gigabytes_per_second': 2}";

std::string minimal(const std::string &more = "") {
  return "{'name': 'm', " + std::string(link) +
         ", 'memory_gigabytes_per_second': 10" + more + "}";
}

std::string refusal(const std::string &text) {
  auto topology = read(text);
  EXPECT_FALSE(topology) << text;
  return topology ? "" : topology.error().message;
}

TEST(TopologyFile, ShippedFilesAreTheBuiltinMachines) {
  for (auto [builtin, file] :
       {std::pair("threads", "laptop-threads"), std::pair("h100x8", "h100x8"),
        std::pair("h100x8x16", "h100x8x16")}) {
    auto known = Topology::builtin(builtin);
    auto shipped =
        parseTopology(std::string(DTENSOR_TOPOLOGY_DIR) + "/" + file + ".json");
    ASSERT_TRUE(bool(shipped)) << shipped.error().message;
    EXPECT_EQ(shipped->name, file);
    EXPECT_EQ(topologyHash(*shipped), topologyHash(*known));
    EXPECT_EQ(shipped->ranks, known->ranks);
  }
}

TEST(TopologyFile, PrintsWhatItReads) {
  Topology full = *Topology::builtin("h100x8x16");
  full.name = "a \"name\"";
  full.axisLinks = {{"dp", {3.25, 100}}, {"tp", {0, 7000, 4}}};
  full.typeFlopsPerUs = {{ElementType::BF16, 5e8}};
  full.nodeLink.sharedBy = 2;
  full.tables = {{"all_gather", {8, 1}, {{0, 5}, {1024, 5.5}}},
                 {"all_reduce", {16, 2}, {{4096, 90}}}};
  auto again = readTopology(printTopology(full), "t.json");
  ASSERT_TRUE(bool(again)) << again.error().message;
  EXPECT_EQ(printTopology(*again), printTopology(full));
  EXPECT_EQ(topologyHash(*again), topologyHash(full));
  again->tables[0].points[1].second = 6;
  EXPECT_NE(topologyHash(*again), topologyHash(full));
}

TEST(TopologyFile, RefusalsAreLocated) {
  EXPECT_TRUE(bool(read(minimal())));
  EXPECT_EQ(refusal("{\n  'name': 'm',\n}"),
            "t.json:3:1: expected a member name in quotes");
  EXPECT_EQ(refusal("[]"),
            "t.json:1:1: 'topology' must be an object in braces");
  EXPECT_EQ(refusal("{}"), "t.json:1:1: 'name' must be a text in quotes");
  EXPECT_EQ(refusal("{'name': 'builtin:x'}"),
            "t.json:1:10: 'name' begins with 'builtin:', which only the "
            "shipped topologies do");
  EXPECT_EQ(refusal("{'name': 'm'}"),
            "t.json:1:1: 'topology' needs 'default_link'");
  EXPECT_EQ(refusal("{'name': 'm', " + std::string(link) + "}"),
            "t.json:1:1: 'topology' needs 'memory_gigabytes_per_second'");
  EXPECT_EQ(refusal(minimal(",\n 'speed': 3")),
            "t.json:2:11: unknown key 'speed' in 'topology' (its keys are "
            "name, ranks, ranks_per_node, default_link, node_link, axes, "
            "memory_gigabytes_per_second, teraflops, kernel_floor_us, "
            "collectives)");
}

TEST(TopologyFile, WhatHasNoTextIsRefused) {
  std::string path = testing::TempDir() + "/empty-topology.json";
  std::ofstream(path).close();
  EXPECT_EQ(parseTopology(path).error().message,
            path + ":1:1: the text ends where a value is expected");
  std::remove(path.c_str());
  std::string folder = testing::TempDir();
  EXPECT_EQ(parseTopology(folder).error().message,
            "cannot read topology file '" + folder +
                "': Is a directory (shipped machines are builtin:threads, "
                "builtin:h100x8 and builtin:h100x8x16)");
}

TEST(TopologyFile, NumbersOutOfRangeAreRefused) {
  auto withLink = [](const std::string &members) {
    return refusal("{'name': 'm', 'default_link': {" + members + "}}");
  };
  EXPECT_EQ(withLink("'latency_us': -1, 'gigabytes_per_second': 1"),
            "t.json:1:46: 'default_link.latency_us' must be a number from 0 "
            "to 1e+09");
  EXPECT_EQ(withLink("'latency_us': 1, 'gigabytes_per_second': 0"),
            "t.json:1:73: 'default_link.gigabytes_per_second' must be a number "
            "from 1e-06 to 1e+09");
  EXPECT_EQ(withLink("'latency_us': 1, 'gigabytes_per_second': 1e400"),
            "t.json:1:73: a number is out of the range of a double");
  // No division by it is infinite.
  EXPECT_EQ(withLink("'latency_us': 1, 'gigabytes_per_second': 1e-320"),
            "t.json:1:73: 'default_link.gigabytes_per_second' must be a number "
            "from 1e-06 to 1e+09");
  EXPECT_EQ(withLink("'latency_us': 1, 'gigabytes_per_second': '1'"),
            "t.json:1:73: 'default_link.gigabytes_per_second' must be a number "
            "from 1e-06 to 1e+09");
  EXPECT_EQ(withLink("'latency_us': 1"),
            "t.json:1:31: 'default_link' needs 'gigabytes_per_second'");
  EXPECT_EQ(
      withLink("'latency_us': 1, 'gigabytes_per_second': 1, 'shared_by': 0"),
      "t.json:1:89: 'default_link.shared_by' must be an integer from 1 to "
      "2147483648");
  EXPECT_EQ(refusal("{'name': 'm', " + std::string(link) +
                    ", 'memory_gigabytes_per_second': 9e-7}"),
            "t.json:1:108: 'topology.memory_gigabytes_per_second' must be a "
            "number from 1e-06 to 1e+09");
  EXPECT_EQ(refusal(minimal(", 'teraflops': {'f32': 1e-320}")),
            "t.json:1:133: 'teraflops.f32' must be a number from 1e-06 to "
            "1e+09");
  auto slowest = read("{'name': 'm', 'default_link': {'latency_us': 1, "
                      "'gigabytes_per_second': 1e-6}, "
                      "'memory_gigabytes_per_second': 1e-6}");
  ASSERT_TRUE(bool(slowest)) << slowest.error().message;
  EXPECT_TRUE(bool(readTopology(printTopology(*slowest), "t.json")));
  EXPECT_EQ(refusal(minimal(", 'teraflops': {'f31': 1}")),
            "t.json:1:133: 'teraflops' names 'f31', which is neither an "
            "element type nor 'default'");
  EXPECT_EQ(refusal(minimal(", 'axes': {'a b': {}}")),
            "t.json:1:128: 'axes' names 'a b', which is no axis name "
            "([A-Za-z_][A-Za-z0-9_]*)");
}

TEST(TopologyFile, MembersOfAnotherKindAreRefused) {
  EXPECT_EQ(refusal(minimal(", 'axes': []")),
            "t.json:1:120: 'axes' must be an object in braces");
  EXPECT_EQ(refusal(minimal(", 'teraflops': 3")),
            "t.json:1:125: 'teraflops' must be an object in braces");
  EXPECT_EQ(refusal(minimal(", 'collectives': {}")),
            "t.json:1:127: 'collectives' must be an array of objects");
}

TEST(TopologyFile, ContradictionsAreRefused) {
  const std::string node =
      ", 'node_link': {'latency_us': 5, 'gigabytes_per_second': 1}";
  EXPECT_EQ(refusal(minimal(node)),
            "t.json:1:125: 'node_link' needs 'ranks_per_node'");
  EXPECT_EQ(refusal(minimal(", 'ranks_per_node': 4")),
            "t.json:1:130: 'ranks_per_node' needs 'node_link'");
  EXPECT_EQ(refusal(minimal(", 'ranks': 6, 'ranks_per_node': 4" + node)),
            "t.json:1:142: 'ranks' of 6 do not fill nodes of 4 "
            "('ranks_per_node')");
  EXPECT_EQ(refusal(minimal(", 'ranks_per_node': 4, 'node_link': "
                            "{'latency_us': 5, 'gigabytes_per_second': 1, "
                            "'shared_by': 8}")),
            "t.json:1:146: 'node_link.shared_by' is 8, more than the 4 ranks "
            "of a node");
}

TEST(TopologyFile, TablesAreChecked) {
  auto table = [](const std::string &members) {
    return refusal(minimal(",\n'collectives': [{" + members + "}]"));
  };
  EXPECT_EQ(table("'op': 'slice', 'ranks': 2"),
            "t.json:2:24: 'collectives[0].op' must be all_gather, all_reduce, "
            "all_to_all, reduce_scatter, permute or exchange");
  EXPECT_EQ(table("'op': 'all_gather'"),
            "t.json:2:17: 'collectives[0]' needs 'ranks'");
  EXPECT_EQ(table("'op': 'all_gather', 'ranks': 2"),
            "t.json:2:17: 'collectives[0]' needs 'points'");
  EXPECT_EQ(table("'op': 'all_gather', 'ranks': 6, 'nodes': 4"),
            "t.json:2:17: 'collectives[0]' spreads 6 ranks over 4 nodes, which "
            "does not divide");
  EXPECT_EQ(table("'op': 'all_gather', 'ranks': 8, 'nodes': 4"),
            "t.json:2:17: 'collectives[0]' spans nodes, but the file has no "
            "'ranks_per_node'");
  EXPECT_EQ(refusal(minimal(", 'ranks_per_node': 4, 'node_link': "
                            "{'latency_us': 5, 'gigabytes_per_second': 1},\n"
                            "'collectives': [{'op': 'all_gather', 'ranks': 16, "
                            "'nodes': 2, 'points': [[1, 1]]}]")),
            "t.json:2:17: 'collectives[0]' puts 8 ranks on a node of 4");
  const std::string two = "'op': 'all_gather', 'ranks': 2, 'points': ";
  EXPECT_EQ(table(two + "[]"),
            "t.json:2:60: 'collectives[0].points' must be an array of [bytes, "
            "us] pairs");
  EXPECT_EQ(table(two + "[[1, -2]]"),
            "t.json:2:61: 'collectives[0].points' has a point out of range: "
            "bytes go from 0 to 1e+18, times from 0 to 1e+09");
  EXPECT_EQ(table(two + "[[1, 2], [1, 3]]"),
            "t.json:2:69: 'collectives[0].points' must have ascending bytes");
  EXPECT_EQ(table(two + "[[1, 2], [2, 1]]"),
            "t.json:2:69: 'collectives[0].points' says that more bytes take "
            "less time");
  EXPECT_EQ(table(two + "[[1, 2]]}, {" + two + "[[1, 2]]"),
            "t.json:2:71: 'collectives[1]' repeats the table of all_gather for "
            "groups of 2 ranks on 1 nodes");
}

TEST(Topology, TablesInterpolate) {
  CollectiveTable table = {
      "all_gather", {4, 1}, {{100, 10}, {200, 20}, {400, 80}}};
  EXPECT_DOUBLE_EQ(table.timeUs(0), 10);
  EXPECT_DOUBLE_EQ(table.timeUs(150), 15);
  EXPECT_DOUBLE_EQ(table.timeUs(200), 20);
  EXPECT_DOUBLE_EQ(table.timeUs(300), 50);
  EXPECT_DOUBLE_EQ(table.timeUs(500), 110);
  auto asked = request(mesh("x=4"), {16}, "x=shard(0)", "");
  asked.topology.tables = {{"all_gather", {4, 1}, {{0, 1}, {96, 3}}}};
  auto plan = planAndCheck(asked);
  ASSERT_EQ(kinds(plan), "all_gather");
  EXPECT_DOUBLE_EQ(plan.timeUs, 2);
  // A table that says so makes another collective the better one.
  asked.topology.tables[0].points = {{0, 1000}};
  EXPECT_NE(kinds(planAndCheck(asked)), "all_gather");
}

TEST(Topology, SharedLinksDivideTheirBandwidth) {
  Topology nodes = *Topology::builtin("h100x8x16");
  nodes.nodeLink.sharedBy = 4;
  Mesh grid = mesh("dp=16,tp=8");
  EXPECT_DOUBLE_EQ(nodes.link(grid, {grid.wholeAxis(0)}).bytesPerUs, 11250);
  EXPECT_DOUBLE_EQ(nodes.link(grid, {grid.wholeAxis(1)}).bytesPerUs, 345000);
  EXPECT_EQ(nodes.groupShape(grid, {grid.wholeAxis(0)}).nodes, 16);
  Mesh flat = mesh("x=128");
  EXPECT_EQ(nodes.groupShape(flat, {flat.wholeAxis(0)}).nodes, 16);
  EXPECT_EQ(nodes.groupShape(flat, {{0, 64, 2}}).nodes, 1);
}

/// Against the count, for every part of every axis and every size of a node.
TEST(Topology, GroupsSpanTheNodesThatTheirRanksLieOn) {
  Topology nodes = *Topology::builtin("h100x8x16");
  Mesh dozens = mesh("y=2,x=12");
  EXPECT_EQ(nodes.groupShape(dozens, {dozens.wholeAxis(1)}).nodes, 2);
  EXPECT_EQ(nodes.groupShape(dozens, {dozens.wholeAxis(0)}).nodes, 2);
  for (const char *text : {"y=2,x=12", "x=12", "y=8,x=3", "a=4,b=6,c=4",
                           "a=6,b=4,c=5", "y=12,x=10", "x=3,y=3,z=4"}) {
    Mesh grid = mesh(text);
    for (int64_t perNode = 1; perNode < grid.numRanks(); ++perNode)
      for (size_t axis = 0; axis < grid.axes().size(); ++axis) {
        // The machine's ranks fill its nodes.
        if (grid.numRanks() % perNode != 0)
          continue;
        SCOPED_TRACE(std::string(text) + " axis " + std::to_string(axis) +
                     " on nodes of " + std::to_string(perNode));
        nodes.ranksPerNode = perNode;
        AxisRef whole = grid.wholeAxis(static_cast<int>(axis));
        for (int64_t pre = 1; pre <= whole.size; ++pre)
          for (int64_t size = 2; pre * size <= whole.size; ++size) {
            if (whole.size % pre != 0 || whole.size / pre % size != 0)
              continue;
            AxisRef ref = {whole.axis, pre, size};
            size_t most = 0;
            for (int64_t rank = 0; rank < grid.numRanks(); ++rank) {
              std::set<int64_t> found;
              for (int64_t member : grid.group(rank, {ref}))
                found.insert(member / perNode);
              most = std::max(most, found.size());
            }
            EXPECT_EQ(nodes.groupShape(grid, {ref}).nodes,
                      static_cast<int64_t>(most));
          }
      }
  }
}

/// The gradient of 16 nodes with 8 GPUs each, replicated in every node.
TEST(Topology, GradientsAreReducedByAnEighthBetweenNodes) {
  auto asked = request(mesh("dp=16,tp=8"), {8192, 8192}, "dp=partial(sum)", "");
  asked.topology = *Topology::builtin("h100x8x16");
  auto plan = planAndCheck(asked);
  EXPECT_EQ(kinds(plan), "slice all_reduce all_gather");
  int64_t between = 0, flat = 2 * (int64_t(8192) * 8192 * 4) / 16 * 15;
  for (const RedistributionStep &step : plan.steps)
    between += linkBytes(step, 0);
  EXPECT_EQ(between, flat / 8);
}

/// Case 30 of the research page: two nodes with four GPUs each.
TEST(Topology, ReplicasShareTheWayBetweenNodes) {
  auto asked =
      request(mesh("x=2,y=4"), {8192, 8192}, "x=shard(0)", "x=shard(1)");
  int64_t bytes = int64_t(8192) * 8192 * 4;
  asked.topology = *Topology::builtin("h100x8x16");
  asked.topology.ranksPerNode = 4;
  auto plan = planAndCheck(asked);
  EXPECT_EQ(kinds(plan), "exchange all_gather");
  int64_t between = 0;
  for (const RedistributionStep &step : plan.steps)
    between += linkBytes(step, 0);
  EXPECT_EQ(between, bytes / 16);
  // On one node the direct way is the shorter one.
  asked.topology.ranksPerNode = 8;
  plan = planAndCheck(asked);
  EXPECT_EQ(kinds(plan), "all_to_all");
  EXPECT_EQ(plan.recvBytesMax, bytes / 4);
}

TEST(Topology, HasRoomForSoManyRanks) {
  EXPECT_TRUE(
      bool(checkCapacity(*Topology::builtin("threads"), mesh("x=999"))));
  EXPECT_TRUE(bool(checkCapacity(*Topology::builtin("h100x8"), mesh("x=8"))));
  EXPECT_EQ(checkCapacity(*Topology::builtin("h100x8"), mesh("x=9")).message(),
            "the mesh has 9 ranks, but topology 'builtin:h100x8' has 8");
}

} // namespace
