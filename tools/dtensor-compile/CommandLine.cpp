// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of dtensor-compile.

#include "CommandLine.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;
using mlir::dtensor::Emit;

static cl::OptionCategory category("dtensor-compile options");

static cl::opt<std::string> inputFile(cl::Positional,
                                      cl::desc("IN (- for standard input)"),
                                      cl::init("-"), cl::cat(category));
static cl::opt<std::string> outputFile("o", cl::desc("output file"),
                                       cl::value_desc("OUT"),
                                       cl::cat(category));
static cl::opt<Emit> emit(
    "emit", cl::desc("what to write:"),
    cl::values(
        clEnumValN(Emit::LaidOut, "laid-out", "MLIR: every value has a layout"),
        clEnumValN(Emit::Explicit, "explicit", "MLIR: redistributions are ops"),
        clEnumValN(Emit::Local, "local", "MLIR: collectives on local tensors"),
        clEnumValN(Emit::Scheduled, "scheduled",
                   "MLIR: placed steps in one order"),
        clEnumValN(Emit::Plan, "plan", "a plan file (default)"),
        clEnumValN(Emit::PlanJson, "plan-json", "the plan's metadata as JSON")),
    cl::init(Emit::Plan), cl::cat(category));
static cl::opt<std::string> target("target", cl::desc("cpu"), cl::init("cpu"),
                                   cl::cat(category));
static cl::opt<std::string> topology(
    "topology",
    cl::desc("machine: builtin:threads (default) | builtin:h100x8 | ... | "
             "FILE"),
    cl::init("builtin:threads"), cl::cat(category));
static cl::opt<std::string>
    implicit("implicit",
             cl::desc("redistributions that the program does not write: allow "
                      "(default) | warn | forbid"),
             cl::init("allow"), cl::cat(category));
static cl::opt<std::string> unknownOps(
    "unknown-ops",
    cl::desc("an op without sharding rule: error (default) | replicate"),
    cl::init("error"), cl::cat(category));
static cl::opt<std::string>
    explain("explain",
            cl::desc("say on standard error why values lie as they do: text | "
                     "json (a JSON object in each remark)"),
            cl::value_desc("FORM"), cl::cat(category));
static cl::opt<std::string> maxRecvBytes(
    "max-recv-bytes",
    cl::desc("refuse a program in which a rank receives more (2GiB, 64KiB)"),
    cl::value_desc("BYTES"), cl::cat(category));
static cl::opt<std::string>
    mesh("mesh", cl::desc("sizes of mesh axes instead of the program's"),
         cl::value_desc("dp=4,tp=2"), cl::cat(category));
static cl::opt<bool>
    noReference("no-reference",
                cl::desc("leave the unsharded program out of the plan"),
                cl::cat(category));
static cl::opt<std::string> entry("entry", cl::desc("function to compile"),
                                  cl::value_desc("NAME"), cl::cat(category));
static cl::opt<std::string> memoryLimit("memory-limit",
                                        cl::desc("not supported yet"),
                                        cl::Hidden, cl::cat(category));
static cl::opt<std::string>
    parallelize("parallelize",
                cl::desc("a plan: layouts of parameters by their names"),
                cl::value_desc("FILE.json"), cl::cat(category));

static cl::extrahelp example(R"help(
EXAMPLE:
  dtensor-compile mlp.mlir -o mlp.plan
  dtensor-run mlp.plan --random-inputs 1 --check

--parallelize FILE.json holds what dtensor.parallelize_plan does:
  {"mesh": "mesh",
   "styles": [{"pattern": "layers.*.up", "style": "colwise", "axis": "tp"}],
   "layouts": [{"pattern": "embedding", "layout": "tp=shard(0)"}],
   "inputs": [{"index": 0, "layout": "dp=shard(0)", "open": false}],
   "outputs": [{"index": 0, "layout": "dp=shard(0)"}]}
Styles are colwise, rowwise, sequence, replicate, fully_sharded and expert.
"mesh" may be left out where the program has one; "open" is false where it is
left out.
)help");

/// Prints a misuse of the command line.
static std::nullopt_t usage(const Twine &message) {
  errs() << "dtensor-compile: error: " << message << '\n';
  return std::nullopt;
}

/// "4096", "64KiB", "2GiB" in bytes.
static std::optional<int64_t> parseBytes(StringRef text) {
  int shift = 0;
  for (auto [suffix, bits] : {std::pair("KiB", 10), std::pair("MiB", 20),
                              std::pair("GiB", 30), std::pair("TiB", 40)})
    if (text.consume_back(suffix))
      shift = bits;
  int64_t value = 0;
  if (text.getAsInteger(10, value) || value < 0 ||
      value > (std::numeric_limits<int64_t>::max() >> shift))
    return std::nullopt;
  return value << shift;
}

std::optional<CommandLine> parseCommandLine(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Compiles a program of distributed tensors to a plan.\n",
          &errs()))
    return std::nullopt;
  if (!memoryLimit.empty())
    return usage("--memory-limit is not supported yet");
  if (target != "cpu")
    return usage("--target=" + target + " is not supported yet (cpu is)");
  if (implicit != "allow" && implicit != "warn" && implicit != "forbid")
    return usage("--implicit must be allow, warn or forbid, got '" + implicit +
                 "'");
  if (explain.getNumOccurrences() && explain != "text" && explain != "json")
    return usage("--explain must be text or json, got '" + explain + "'");
  if (unknownOps != "error" && unknownOps != "replicate")
    return usage("--unknown-ops must be error or replicate, got '" +
                 unknownOps + "'");
  if (!maxRecvBytes.empty() &&
      (emit == Emit::LaidOut || emit == Emit::Explicit))
    return usage(
        "--max-recv-bytes counts collectives, which --emit=laid-out and "
        "explicit do not have yet");
  CommandLine result;
  result.input = inputFile;
  result.output = outputFile;
  if (result.output.empty()) {
    if (emit == Emit::Plan)
      return usage("a plan file needs a name: -o OUT");
    result.output = "-";
  }
  result.options.emit = emit;
  result.options.topology = topology;
  result.options.implicit = implicit;
  result.options.unknownOps = unknownOps;
  result.options.explain = explain;
  result.options.reference = !noReference;
  result.options.entry = entry;
  result.options.parallelize = parallelize;
  if (!maxRecvBytes.empty()) {
    std::optional<int64_t> bytes = parseBytes(maxRecvBytes);
    if (!bytes)
      return usage("--max-recv-bytes must be a size like 4096, 64KiB or 2GiB, "
                   "got '" +
                   maxRecvBytes + "'");
    result.options.maxRecvBytes = *bytes;
  }
  if (!mesh.empty()) {
    auto parsed = ::dtensor::parseMesh(mesh);
    if (!parsed)
      return usage("--mesh: " + parsed.error().message);
    result.options.meshSizes = parsed->axes();
  }
  return result;
}
