// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of dtensor-run.
#include "Driver/Driver.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace dtrt;

const char *dtrt::runHelpText() {
  return R"(usage: dtensor-run PROGRAM [options]

Runs a plan file, or compiles and runs an MLIR program (with the compiler
library), on all ranks of its mesh.

  --ranks N             number of ranks; must be the size of the mesh
  --backend NAME        how ranks run: threads, or mpi under mpirun (default:
                        the launcher's, else threads; nccl: not in this build).
                        mpi with --ranks N and no launcher starts mpirun itself
  --entry NAME          program to run (default: main, else the only one)
  --input NAME=FILE     global input from a .npy file, by name or index;
                        may be repeated
  --weights FILE        inputs by name from a .safetensors file
  --random-inputs SEED  values for inputs that have no file
  --output-dir DIR      write every result to DIR/NAME.npy
  --local-io            one file per rank for inputs and results, of its part:
                        NAME.rankR.npy
  --check               compare with the unsharded program on one rank
  --check=interp        compare with a plain interpreter of the program, which
                        shares no compiled code (with the compiler library)
  --rtol R, --atol A    tolerance of --check: A + R * largest magnitude
  --stats FILE          write times and bytes as JSON
  --trace FILE          write when each step ran, for Chrome's trace viewer
  --timeout SECONDS     how long a rank waits for others (default 300)
  --repeat N            run N times
  --help                this text

exit codes: 0 success, 1 input refused, 2 usage, 3 --check found a difference,
4 the run failed

example: dtensor-run mlp.plan --random-inputs 1 --check
         mpirun -n 4 dtensor-run mlp.plan --random-inputs 1 --check
)";
}

namespace {

class OptionParser {
public:
  explicit OptionParser(const std::vector<std::string> &arguments)
      : arguments(arguments) {}

  Expected<RunOptions> parse() {
    for (at = 0; at < arguments.size(); ++at) {
      Status status = argument(arguments[at]);
      if (!status)
        return status.error();
      if (options.help)
        return options;
    }
    if (options.program.empty())
      return Error{"no program given"};
    if (!options.check && (options.rtol || options.atol))
      return Error{"--rtol and --atol need --check"};
    return options;
  }

private:
  Status argument(const std::string &text) {
    if (text == "--help" || text == "-h") {
      options.help = true;
      return Status::success();
    }
    if (text.size() > 1 && text[0] == '-')
      return option(text);
    if (!options.program.empty())
      return Error{"two programs given: '" + options.program + "' and '" +
                   text + "'"};
    options.program = text;
    return Status::success();
  }

  Status option(const std::string &text) {
    size_t equals = text.find('=');
    name = text.substr(0, equals);
    if (name == "--check")
      return check(equals == std::string::npos ? "" : text.substr(equals + 1));
    if (name == "--local-io") {
      if (equals != std::string::npos)
        return Error{name + " takes no value"};
      options.localIo = true;
      return Status::success();
    }
    if (!isKnown())
      return Error{"unknown option " + name};
    if (equals != std::string::npos)
      value = text.substr(equals + 1);
    else if (at + 1 < arguments.size())
      value = arguments[++at];
    else
      return Error{name + " needs a value"};
    return setOption();
  }

  bool isKnown() const {
    for (const char *known :
         {"--ranks", "--backend", "--entry", "--input", "--random-inputs",
          "--output-dir", "--rtol", "--atol", "--stats", "--timeout",
          "--repeat", "--weights", "--trace"})
      if (name == known)
        return true;
    return false;
  }

  Status check(const std::string &kind) {
    if (kind == "interp")
      options.interpret = true;
    else if (!kind.empty())
      return Error{"unknown kind of check '" + kind + "'"};
    options.check = true;
    return Status::success();
  }

  Status setOption() {
    if (name == "--backend")
      return backend();
    if (name == "--input")
      return input();
    if (name == "--entry")
      options.entry = value;
    else if (name == "--output-dir")
      options.outputDir = value;
    else if (name == "--stats")
      options.statsFile = value;
    else if (name == "--trace")
      options.traceFile = value;
    else if (name == "--weights")
      options.weights = value;
    else
      return number();
    return Status::success();
  }

  Status backend() {
    options.backend = value;
    if (value == "threads" || value == "mpi")
      return Status::success();
    if (value == "nccl")
      return Error{"backend '" + value + "' is not available in this build"};
    return Error{"unknown backend '" + value + "' (threads, mpi or nccl)"};
  }

  Status input() {
    size_t equals = value.find('=');
    if (equals == std::string::npos || equals == 0 ||
        equals + 1 == value.size())
      return Error{"--input wants NAME=FILE, not '" + value + "'"};
    options.inputs.push_back(
        {value.substr(0, equals), value.substr(equals + 1)});
    return Status::success();
  }

  Status number() {
    if (name == "--random-inputs") {
      options.seed = 0;
      return unsignedNumber(*options.seed);
    }
    if (name == "--ranks" || name == "--repeat") {
      uint64_t count = 0;
      if (Status status = unsignedNumber(count); !status)
        return status;
      if (count < 1 || count > 1000000000)
        return Error{name + " wants a positive number, not '" + value + "'"};
      if (name == "--ranks")
        options.ranks = static_cast<int64_t>(count);
      else
        options.repeat = static_cast<int64_t>(count);
      return Status::success();
    }
    char *end = nullptr;
    double real = std::strtod(value.c_str(), &end);
    bool mayBeZero = name != "--timeout";
    if (end == value.c_str() || *end || !std::isfinite(real) || real < 0 ||
        (real == 0 && !mayBeZero))
      return Error{name + " wants a " +
                   (mayBeZero ? "non-negative" : "positive") +
                   " number, not '" + value + "'"};
    if (name == "--rtol")
      options.rtol = real;
    else if (name == "--atol")
      options.atol = real;
    else
      options.timeoutSeconds = real;
    return Status::success();
  }

  Status unsignedNumber(uint64_t &out) {
    char *end = nullptr;
    errno = 0;
    out = std::strtoull(value.c_str(), &end, 10);
    if (value.empty() || !std::strchr("0123456789", value[0]) || *end || errno)
      return Error{name + " wants a number, not '" + value + "'"};
    return Status::success();
  }

  const std::vector<std::string> &arguments;
  size_t at = 0;
  std::string name, value;
  RunOptions options;
};

} // namespace

Expected<RunOptions>
dtrt::parseRunOptions(const std::vector<std::string> &arguments) {
  return OptionParser(arguments).parse();
}
