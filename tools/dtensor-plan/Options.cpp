// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of dtensor-plan.
#include "Options.h"

#include <algorithm>
#include <optional>

using namespace dtensor;

const char *const dtensor::planToolHelp =
    R"help(dtensor-plan: plans the redistribution of one tensor and prices it

usage: dtensor-plan --mesh NAME=SIZE,... --shape NxM --from LAYOUT --to LAYOUT

  --mesh MESH            the device mesh, as in x=2,y=4
  --devices LIST         device order: the rank at each grid position
  --shape SHAPE          the tensor's shape, as in 64x32 ("" for rank 0)
  --dtype TYPE           element type (default f32)
  --from, --to LAYOUT    layouts, as in "x=shard(0), y=partial(sum)" or, in
                         mesh order, "S(0), P(sum)"
  --topology NAME        builtin:threads (default) or builtin:h100x8
  --objective WHAT       time (default) or bytes
  --json                 print one JSON object
  --boxes                with --json: the box of every rank before and after
  --execute              run the plan on threads and compare every element
  --help                 this text

example:
  dtensor-plan --mesh x=2,y=4 --shape 64x32 \
    --from "x=shard(0), y=shard(0)" --to "y=shard(0)"

exit codes: 0 success, 1 refused input, 2 usage, 3 --execute found a wrong
element, 4 --execute failed
)help";

static bool isOneOf(std::initializer_list<const char *> names,
                    const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Expected<PlanOptions>
dtensor::parsePlanOptions(const std::vector<std::string> &args) {
  PlanOptions options;
  for (size_t i = 0; i < args.size(); ++i) {
    std::string flag = args[i];
    if (flag == "-h")
      flag = "--help";
    if (flag.substr(0, 2) != "--")
      return Error{"unexpected argument '" + flag + "'; see --help"};
    flag.erase(0, 2);
    std::optional<std::string> value;
    size_t equals = flag.find('=');
    if (equals != std::string::npos) {
      value = flag.substr(equals + 1);
      flag.resize(equals);
    }
    if (isOneOf({"batch", "to-mesh", "to-devices", "memory-limit", "calibrate",
                 "backend"},
                flag))
      return Error{"--" + flag + " is not supported yet"};
    if (isOneOf({"json", "boxes", "execute", "help"}, flag)) {
      if (value)
        return Error{"--" + flag + " takes no value"};
      (flag == "json"      ? options.json
       : flag == "boxes"   ? options.boxes
       : flag == "execute" ? options.execute
                           : options.help) = true;
      continue;
    }
    if (!isOneOf({"mesh", "devices", "shape", "dtype", "from", "to", "topology",
                  "objective"},
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
  for (const char *flag : {"mesh", "shape", "from", "to"})
    if (!options.values.count(flag))
      return Error{"--" + std::string(flag) + " is missing; see --help"};
  std::string objective = options.value("objective", "time");
  if (objective != "time" && objective != "bytes")
    return Error{"--objective is '" + objective +
                 "', but must be time or bytes"};
  return options;
}

/// Reads "64x32" or "3,1,2": non-negative integers between `separator`s.
static Expected<std::vector<int64_t>>
parseIntegers(const std::string &text, char separator, const char *what) {
  std::vector<int64_t> numbers;
  if (text.empty())
    return numbers;
  size_t at = 0;
  for (;;) {
    size_t end = text.find(separator, at);
    std::string part = text.substr(at, end - at);
    bool digits = !part.empty() && part.size() <= 18 &&
                  part.find_first_not_of("0123456789") == std::string::npos;
    if (!digits)
      return Error{"cannot read '" + part + "' in the " + what + " '" + text +
                   "' as a number of at most 18 digits"};
    numbers.push_back(std::stoll(part));
    if (end == std::string::npos)
      return numbers;
    at = end + 1;
  }
}

Expected<RedistributionRequest>
dtensor::makeRequest(const PlanOptions &options) {
  auto devices =
      parseIntegers(options.value("devices", ""), ',', "device order");
  if (!devices)
    return devices.error();
  auto mesh = parseMesh(options.value("mesh", ""), *devices);
  if (!mesh)
    return mesh.error();
  auto shape = parseIntegers(options.value("shape", ""), 'x', "shape");
  if (!shape)
    return shape.error();
  std::string typeName = options.value("dtype", "f32");
  auto type = parseElementType(typeName);
  if (!type)
    return Error{"unknown dtype '" + typeName +
                 "' (types are f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, "
                 "i16, i32, i64)"};
  auto topology = parseTopology(options.value("topology", "builtin:threads"));
  if (!topology)
    return topology.error();
  RedistributionRequest request;
  int rank = static_cast<int>(shape->size());
  for (bool isFrom : {true, false}) {
    const char *flag = isFrom ? "from" : "to";
    auto layout = parseLayout(*mesh, rank, options.value(flag, ""));
    if (!layout)
      return Error{"--" + std::string(flag) + ": " + layout.error().message};
    (isFrom ? request.from : request.to) = std::move(*layout);
  }
  request.mesh = std::move(*mesh);
  request.shape = std::move(*shape);
  request.type = *type;
  request.topology = std::move(*topology);
  request.objective = options.value("objective", "time") == "bytes"
                          ? Objective::Bytes
                          : Objective::Time;
  return request;
}
