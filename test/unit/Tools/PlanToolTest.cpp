// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-plan as its users see it: output, exit codes, every message.
#include "PlanTool.h"

#include <gtest/gtest.h>

#include <sstream>

using namespace dtensor;

namespace {

struct Answer {
  int code;
  std::string out, err;
};

Answer ask(const std::vector<std::string> &args) {
  std::ostringstream out, err;
  int code = runPlanTool(args, out, err);
  return {code, out.str(), err.str()};
}

std::vector<std::string> gather(std::vector<std::string> more) {
  std::vector<std::string> args = {"--mesh", "x=4",  "--shape", "10x10",
                                   "--from", "S(0)", "--to=R"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

void expectUsage(const std::vector<std::string> &args,
                 const std::string &message) {
  Answer answer = ask(args);
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err, "dtensor-plan: error: " + message + "\n");
}

void expectRefused(const std::vector<std::string> &args,
                   const std::string &message) {
  Answer answer = ask(args);
  EXPECT_EQ(answer.code, 1);
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err, "dtensor-plan: error: " + message + "\n");
}

TEST(PlanTool, PrintsStepsForPeople) {
  Answer answer = ask(gather({}));
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_NE(answer.out.find("all_gather over x dim 0: receives 360 bytes"),
            std::string::npos)
      << answer.out;
  EXPECT_NE(answer.out.find("lower bound: 360 bytes, which the plan meets"),
            std::string::npos);
  EXPECT_NE(answer.out.find("proved: "), std::string::npos);
}

TEST(PlanTool, ExplainsWhatThePlanBeatAndByHowMuch) {
  std::vector<std::string> asked = {"--mesh",  "x=2,y=4",
                                    "--shape", "64x32",
                                    "--from",  "x=shard(0), y=shard(0)",
                                    "--to",    "y=shard(0)"};
  Answer answer = ask(asked);
  EXPECT_NE(
      answer.out.find(
          "total: receives 2048 bytes at most (1792.00 on average), 4.34 us, "
          "peak 3072 bytes per rank\n"
          "better than:\n"
          "  all_gather y:(2)2, permute x, y: 4.47 us (+0.13), 3072 bytes "
          "(+1024)\n"
          "  exchange x, y: 4.60 us (+0.26), 2048 bytes (+0)\n"),
      std::string::npos)
      << answer.out;
  EXPECT_NE(answer.out.find("ranks that hold each piece before:\n"
                            "         | 0..31\n"
                            "  0..7   | 0\n"
                            "  8..15  | 1\n"),
            std::string::npos)
      << answer.out;
  EXPECT_NE(answer.out.find("and after:\n"
                            "         | 0..31\n"
                            "  0..15  | 0, 4\n"),
            std::string::npos);
  // The objective's measure comes first.
  asked.insert(asked.end(), {"--alternatives", "1", "--objective", "bytes"});
  answer = ask(asked);
  EXPECT_NE(answer.out.find("exchange x, y: 2560 bytes (+512), 6.83 us "),
            std::string::npos)
      << answer.out;
  asked.push_back("--json");
  answer = ask(asked);
  EXPECT_NE(answer.out.find("\"alternatives\":[{\"steps\":[{\"op\":"
                            "\"all_to_all\""),
            std::string::npos)
      << answer.out;
  expectUsage(gather({"--alternatives", "101"}),
              "--alternatives is '101', but must be a number from 0 to 100");
}

TEST(PlanTool, SaysHowFarThePlanIsFromTheBound) {
  Answer answer =
      ask({"--mesh", "x=2,y=4", "--shape", "16x16", "--from",
           "x=shard(0), y=shard(1)", "--to", "y=shard(0), x=shard(1)"});
  EXPECT_NE(answer.out.find("lower bound: 128 bytes, which the plan meets"),
            std::string::npos)
      << answer.out;
  answer = ask({"--mesh", "dp=16,tp=8", "--shape", "8192x8192", "--from",
                "dp=shard(0)", "--to", "dp=shard(1)", "--topology",
                "builtin:h100x8x16"});
  EXPECT_NE(answer.out.find("lower bound: 15728640 bytes, the plan receives "
                            "1048576 more (6.67 %)"),
            std::string::npos)
      << answer.out;
  // Contributions have no bound, three dimensions no drawing.
  answer =
      ask({"--mesh", "x=2", "--shape", "4", "--from", "P(sum)", "--to", "R"});
  EXPECT_EQ(answer.out.find("lower bound"), std::string::npos);
  EXPECT_NE(answer.out.find("ranks that hold each piece before (contributions "
                            "along x):\n   | 0..3\n   | 0, 1\n"),
            std::string::npos)
      << answer.out;
  answer =
      ask({"--mesh", "x=2", "--shape", "4x4x4", "--from", "S(0)", "--to", "R"});
  EXPECT_EQ(answer.out.find("hold each piece"), std::string::npos);
}

TEST(PlanTool, PrintsTheContractsJson) {
  Answer answer = ask(gather({"--json", "--boxes"}));
  EXPECT_EQ(answer.code, 0);
  for (const char *part :
       {"{\"steps\":[{\"op\":\"all_gather\",\"axes\":[\"x\"],\"dim\":0,",
        "\"recv_bytes_max\":360,\"recv_bytes_avg\":300,",
        "\"link_bytes\":{\"x\":360}", "\"lower_bound_bytes_max\":360",
        "\"topology\":{\"name\":\"builtin:threads\",\"hash\":\"",
        "\"checked\":true",
        "\"from_boxes\":[[[0,3],[0,10]],[[3,6],[0,10]],[[6,9],[0,10]],[[9,10],"
        "[0,10]]]",
        "\"to_boxes\":[[[0,10],[0,10]],"})
    EXPECT_NE(answer.out.find(part), std::string::npos)
        << part << " in " << answer.out;
}

TEST(PlanTool, BoundIsNullWhereASideIsPartial) {
  Answer answer = ask({"--mesh", "x=2,y=2", "--shape", "8", "--from",
                       "x=partial(sum)", "--to", "x=shard(0)", "--json",
                       "--objective", "bytes", "--devices", "3,1,2,0"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_NE(answer.out.find("\"lower_bound_bytes_max\":null"),
            std::string::npos)
      << answer.out;
  EXPECT_NE(answer.out.find("\"reduce_op\":\"sum\""), std::string::npos);
}

TEST(PlanTool, HelpHasAnExample) {
  Answer answer = ask({"--help"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_NE(answer.out.find("example:"), std::string::npos);
  EXPECT_NE(answer.out.find("NAME:(BEFORE)SIZE"), std::string::npos);
}

TEST(PlanTool, UsageErrorsExitWithTwo) {
  expectUsage({"--mesh", "x=2"}, "--shape is missing; see --help");
  expectUsage({"--mash", "x=2"}, "unknown flag '--mash'; see --help");
  expectUsage({"mesh"}, "unexpected argument 'mesh'; see --help");
  expectUsage({"--mesh"}, "--mesh needs a value; see --help");
  expectUsage({"--mesh=x=2", "--mesh=x=3"}, "--mesh is given twice");
  expectUsage({"--json=yes"}, "--json takes no value");
  expectUsage(gather({"--objective", "cost"}),
              "--objective is 'cost', but must be time or bytes");
  expectUsage({"--batch", "cases.jsonl", "--from", ""},
              "--from stands in the cases of --batch, not beside it");
  expectUsage(gather({"--topology", "builtin:cray"}),
              "--topology: unknown topology 'builtin:cray' (the shipped ones "
              "are builtin:threads, builtin:h100x8, builtin:h100x8x16)");
  expectUsage(gather({"--backend", "gloo"}),
              "--backend is 'gloo', but must be threads, mpi or nccl");
  for (const char *size : {"", "-1", "4kB", "9000000TiB", "1.5GiB"})
    expectUsage(gather({"--memory-limit", size}),
                "--memory-limit: cannot read '" + std::string(size) +
                    "' as a number of bytes below 2^63; write 65536, 64KiB, "
                    "16MiB or 2GiB");
}

TEST(PlanTool, KeepsAMemoryLimit) {
  Answer answer = ask(gather({"--memory-limit", "1KiB", "--json"}));
  EXPECT_EQ(answer.code, 0);
  EXPECT_NE(answer.out.find("\"peak_bytes\":520"), std::string::npos)
      << answer.out;
  expectRefused(gather({"--memory-limit=519"}),
                "no plan keeps the memory limit of 519 bytes per rank; the "
                "smallest possible is 520 bytes");
  // Rows of the gathered tensor arrive in place, columns are staged.
  answer = ask(gather({"--memory-limit", "520", "--backend", "mpi"}));
  EXPECT_EQ(answer.code, 0) << answer.err;
}

TEST(PlanTool, NumbersThatOverflowAreRefused) {
  auto ask = [](const char *mesh, const char *shape) {
    return std::vector<std::string>{"--mesh", mesh, "--shape", shape,
                                    "--from", "",   "--to",    ""};
  };
  expectRefused(ask("x=4294967296,y=4294967296", "4"),
                "axis 'x' of size 4294967296 makes the mesh larger than 2^31 "
                "ranks");
  expectRefused(ask("x=65536,y=65536", "4"),
                "axis 'y' of size 65536 makes the mesh larger than 2^31 ranks");
  expectRefused(ask("x=99999999999999999999", "4"),
                "cannot read 'x=99999999999999999999' as a mesh axis; write "
                "NAME=SIZE, as in x=2,y=4");
  expectRefused(ask("x=2", "1099511627776x1099511627776"),
                "the tensor is larger than 2^58 bytes at dim 1 of size "
                "1099511627776; such sizes cannot be addressed");
  expectRefused(ask("x=2", "99999999999999999999"),
                "cannot read '99999999999999999999' in the shape "
                "'99999999999999999999' as a number of at most 18 digits");
  std::vector<std::string> repeated = ask("x=4", "4");
  repeated.insert(repeated.end(), {"--devices", "0,1,1,2"});
  expectRefused(repeated, "device 1 appears twice in the device order; list "
                          "each of 0..3 once");
}

TEST(PlanTool, RefusalsExitWithOne) {
  expectRefused(gather({"--dtype", "f31"}),
                "unknown dtype 'f31' (types are f64, f32, f16, bf16, "
                "f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64)");
  expectRefused(
      gather({"--topology", "fast"}),
      "cannot read topology file 'fast': No such file or directory (shipped "
      "machines are builtin:threads, builtin:h100x8 and builtin:h100x8x16)");
  expectRefused({"--mesh", "x=16", "--shape", "64", "--from", "S(0)", "--to",
                 "R", "--topology", "builtin:h100x8"},
                "the mesh has 16 ranks, but topology 'builtin:h100x8' has 8");
  expectRefused(gather({"--devices", "0,1"}),
                "device order lists 2 devices, but the mesh has 4 ranks; list "
                "each of 0..3 once");
  expectRefused(gather({"--to-mesh", "x=2,x=2"}),
                "--to-mesh: axis 'x' appears twice in the mesh; name each axis "
                "once");
  expectRefused(gather({"--to-devices", "4,4,5,6"}),
                "target mesh: device 4 stands twice in a device order");
  expectRefused({"--batch", "no/such/file"},
                "no/such/file: cannot open: No such file or directory");
  expectRefused({"--mesh", "x=2", "--shape", "4x", "--from", "", "--to", ""},
                "cannot read '' in the shape '4x' as a number of at most 18 "
                "digits");
  expectRefused(
      {"--mesh", "x=2", "--shape", "4", "--from", "tq=shard(0)", "--to", ""},
      "--from: unknown axis 'tq' (the mesh has x)");
  expectRefused({"--mesh", "x=2", "--shape", "4", "--from", "x=partial(avg)",
                 "--to", "", "--dtype", "i32"},
                "partial(avg) is not defined on element type i32; use an op "
                "or a type that go together");
}

} // namespace
