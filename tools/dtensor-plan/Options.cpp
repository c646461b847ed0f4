// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of dtensor-plan.
#include "Options.h"

#include "dtensor/Planner/Topology.h"

#include <algorithm>
#include <optional>

using namespace dtensor;

const char *const dtensor::planToolHelp =
    R"help(dtensor-plan: plans the redistribution of one tensor and prices it

usage: dtensor-plan --mesh NAME=SIZE,... --shape NxM --from LAYOUT --to LAYOUT
       dtensor-plan --batch CASES.jsonl
       dtensor-plan --calibrate --backend threads|mpi -o FILE

  --mesh MESH            the device mesh, as in x=2,y=4
  --devices LIST         device order: the rank at each grid position
  --shape SHAPE          the tensor's shape, as in 64x32 ("" for rank 0)
  --dtype TYPE           element type (default f32)
  --from, --to LAYOUT    layouts, as in "x=shard(0), y=partial(sum)" or, in
                         mesh order, "S(0), P(sum)"
                         NAME:(BEFORE)SIZE is a part of an axis, as in
                         "x:(1)2=shard(0)" for the first half-way split
  --to-mesh MESH         another mesh for --to (default: --mesh's)
  --to-devices LIST      its device order (default 0,1,2,...); with either flag
                         both device lists may name any devices
  --batch FILE           one JSON case per line, one JSON answer per line: keys
                         mesh [[name, size], ...], shape, dtype, from, to, and
                         optionally devices, to_mesh, to_devices; a refused
                         case answers {"error": "..."}; other keys are ignored
  --topology WHAT        builtin:threads (default), builtin:h100x8,
                         builtin:h100x8x16, or a topology file (JSON)
  --objective WHAT       time (default) or bytes
  --memory-limit BYTES   most that a step may hold per rank: input, output and
                         staging; suffixes KiB, MiB, GiB
  --backend NAME         threads (default), mpi or nccl: whose staging counts
  --alternatives N       plans that lost to print, 0 to 100 (default 4, with
                         --json or --batch 0)
  --json                 print one JSON object
  --boxes                with --json: the box of every rank before and after
  --execute              run the plan on threads and compare every element
  --measure              run the plan and its alternatives on threads and
                         compare their times with the modelled ones
  --calibrate            measure this machine and write a topology file
  -o FILE                with --calibrate: the file
  --ranks N              with --calibrate: how many threads, 2 to 64 (default 2);
                         under mpirun, with --backend mpi, its processes
  --help                 this text

example:
  dtensor-plan --mesh x=2,y=4 --shape 64x32 \
    --from "x=shard(0), y=shard(0)" --to "y=shard(0)"

exit codes: 0 success (of --batch too, refused cases included), 1 refused
input, 2 usage, 3 --execute found a wrong element, 4 --execute failed
)help";

static bool isOneOf(std::initializer_list<const char *> names,
                    const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Reads "65536", "64KiB", "2GiB".
static Expected<int64_t> parseBytes(const std::string &text) {
  constexpr std::pair<const char *, int> suffixes[] = {
      {"", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};
  size_t digits = text.find_first_not_of("0123456789");
  std::string number = text.substr(0, digits), suffix;
  if (digits != std::string::npos)
    suffix = text.substr(digits);
  for (auto [name, shift] : suffixes)
    if (suffix == name && !number.empty() && number.size() <= 18) {
      int64_t value = std::stoll(number);
      if (value <= (INT64_MAX >> shift))
        return value << shift;
    }
  return Error{"cannot read '" + text +
               "' as a number of bytes below 2^63; write 65536, 64KiB, 16MiB "
               "or 2GiB"};
}

/// The flags of --calibrate, and that nothing else stands beside it.
static Status checkCalibrate(PlanOptions &options) {
  if (!options.calibrate) {
    for (const char *flag : {"output", "ranks"})
      if (options.values.count(flag))
        return Error{std::string(flag[0] == 'o' ? "-o" : "--ranks") +
                     " goes with --calibrate"};
    return Status::success();
  }
  for (const auto &[flag, value] : options.values)
    if (!isOneOf({"output", "ranks", "backend"}, flag))
      return Error{"--" + flag + " does not go with --calibrate"};
  if (options.json || options.boxes || options.execute || options.measure)
    return Error{"--calibrate plans nothing: leave --json, --boxes, --execute "
                 "and --measure away"};
  if (options.value("output", "").empty())
    return Error{"--calibrate needs -o FILE"};
  std::string ranks = options.value("ranks", "2");
  if (ranks.empty() || ranks.size() > 3 ||
      ranks.find_first_not_of("0123456789") != std::string::npos ||
      std::stoi(ranks) < 2 || std::stoi(ranks) > 64)
    return Error{"--ranks is '" + ranks +
                 "', but must be a number from 2 to 64"};
  options.ranks = std::stoi(ranks);
  std::string backend = options.value("backend", "threads");
  if (!isOneOf({"threads", "mpi", "nccl"}, backend))
    return Error{"--backend is '" + backend +
                 "', but must be threads, mpi or nccl"};
  return Status::success();
}

Expected<PlanOptions>
dtensor::parsePlanOptions(const std::vector<std::string> &args) {
  PlanOptions options;
  for (size_t i = 0; i < args.size(); ++i) {
    std::string flag = args[i];
    if (flag == "-h")
      flag = "--help";
    if (flag == "-o")
      flag = "--output";
    if (flag.substr(0, 2) != "--")
      return Error{"unexpected argument '" + flag + "'; see --help"};
    flag.erase(0, 2);
    std::optional<std::string> value;
    size_t equals = flag.find('=');
    if (equals != std::string::npos) {
      value = flag.substr(equals + 1);
      flag.resize(equals);
    }
    if (isOneOf({"json", "boxes", "execute", "help", "calibrate", "measure"},
                flag)) {
      if (value)
        return Error{"--" + flag + " takes no value"};
      (flag == "json"        ? options.json
       : flag == "boxes"     ? options.boxes
       : flag == "execute"   ? options.execute
       : flag == "calibrate" ? options.calibrate
       : flag == "measure"   ? options.measure
                             : options.help) = true;
      continue;
    }
    if (!isOneOf({"mesh", "devices", "shape", "dtype", "from", "to", "topology",
                  "objective", "batch", "to-mesh", "to-devices", "memory-limit",
                  "backend", "alternatives", "output", "ranks"},
                 flag))
      return Error{"unknown flag '--" + flag + "'; see --help"};
    if (!value) {
      if (i + 1 == args.size())
        return Error{"--" + flag + " needs a value; see --help"};
      value = args[++i];
    }
    if (!options.values.emplace(flag, *value).second)
      return Error{"--" + flag + " is given twice"};
  }
  if (options.help)
    return options;
  if (Status status = checkCalibrate(options); !status)
    return status.error();
  if (options.calibrate)
    return options;
  bool batch = options.values.count("batch");
  for (const char *flag : {"mesh", "shape", "from", "to"})
    if (!batch && !options.values.count(flag))
      return Error{"--" + std::string(flag) + " is missing; see --help"};
  for (const char *flag : {"mesh", "devices", "shape", "dtype", "from", "to",
                           "to-mesh", "to-devices"})
    if (batch && options.values.count(flag))
      return Error{"--" + std::string(flag) +
                   " stands in the cases of --batch, not beside it"};
  std::string objective = options.value("objective", "time");
  if (objective != "time" && objective != "bytes")
    return Error{"--objective is '" + objective +
                 "', but must be time or bytes"};
  std::string count =
      options.value("alternatives", options.json || batch ? "0" : "4");
  if (count.empty() || count.size() > 3 ||
      count.find_first_not_of("0123456789") != std::string::npos ||
      std::stoi(count) > 100)
    return Error{"--alternatives is '" + count +
                 "', but must be a number from 0 to 100"};
  options.alternatives = std::stoi(count);
  std::string topology = options.value("topology", "builtin:threads");
  if (topology.rfind("builtin:", 0) == 0)
    if (auto known = parseTopology(topology); !known)
      return Error{"--topology: " + known.error().message};
  std::string backend = options.value("backend", "threads");
  if (!isOneOf({"threads", "mpi", "nccl"}, backend))
    return Error{"--backend is '" + backend +
                 "', but must be threads, mpi or nccl"};
  if (options.values.count("memory-limit")) {
    auto limit = parseBytes(options.value("memory-limit", ""));
    if (!limit)
      return Error{"--memory-limit: " + limit.error().message};
    options.memoryLimit = *limit;
  }
  return options;
}
