// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long dtensor-propagate and dtensor-insert-redistributions take together
// on programs of 1,000, 10,000 and 100,000 ops. `us_per_op` says whether that
// is linear. Time of this thread, not of the clock: what else the machine does
// is left out. Parsing is not timed.
#include "dtensor/InitAll.h"
#include "dtensor/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <benchmark/benchmark.h>

#include <ctime>

using namespace mlir;

namespace {

const std::string header =
    "dtensor.mesh @mesh [\"dp\" = 4, \"tp\" = 2]\n"
    "#batch = #dtensor.layout<@mesh, [\"dp\" = shard(0)]>\n"
    "#columns = #dtensor.layout<@mesh, [\"tp\" = shard(1)]>\n"
    "#rows = #dtensor.layout<@mesh, [\"tp\" = shard(0)]>\n";
const std::string square = "tensor<64x64xf32>";
const std::string annotated = "%x: " + square + " {dtensor.layout = #batch}";

std::string name(int64_t index) { return "%" + std::to_string(index); }

/// Elementwise ops one after the other.
std::string chain(int64_t ops) {
  std::string text =
      header + "func.func @main(" + annotated + ") -> " + square + " {\n";
  for (int64_t i = 0; i < ops; ++i)
    text += name(i) + " = math.tanh " + (i ? name(i - 1) : "%x") + " : " +
            square + "\n";
  return text + "return " + name(ops - 1) + " : " + square + "\n}\n";
}

/// Layers of two products, an activation and a residual; the same two weights
/// over and over.
std::string products(int64_t ops) {
  std::string text = header + "func.func @main(" + annotated +
                     ", %w: " + square +
                     " {dtensor.layout = #columns}, %v: " + square +
                     " {dtensor.layout = #rows}) -> " + square +
                     " {\n%z = arith.constant dense<0.0> : " + square + "\n";
  auto product = [&](int64_t index, const std::string &a,
                     const std::string &b) {
    text += name(index) + " = linalg.matmul ins(" + a + ", " + b + " : " +
            square + ", " + square + ") outs(%z : " + square + ") -> " +
            square + "\n";
  };
  std::string last = "%x";
  int64_t i = 0;
  for (; i + 4 <= ops; i += 4) {
    product(i, last, "%w");
    text += name(i + 1) + " = math.tanh " + name(i) + " : " + square + "\n";
    product(i + 2, name(i + 1), "%v");
    text += name(i + 3) + " = arith.addf " + name(i + 2) + ", " + last + " : " +
            square + "\n";
    last = name(i + 3);
  }
  return text + "return " + last + " : " + square + "\n}\n";
}

/// One value that all ops use, half of them in another layout.
std::string users(int64_t ops) {
  std::string text = header + "func.func @main(" + annotated + ") -> " +
                     square + " {\n%r = math.exp %x : " + square + "\n";
  for (int64_t i = 0; i < ops; ++i) {
    std::string last = i ? name(i - 1) : "%x";
    text += name(i) + " = arith.addf %r, " + last + " : " + square + "\n";
  }
  return text + "return " + name(ops - 1) + " : " + square + "\n}\n";
}

/// Structured ops of 64 operands each.
std::string operands(int64_t ops) {
  const int64_t count = 64;
  std::string map = "affine_map<(i, j) -> (i, j)>", maps = map, types = square,
              arguments = "%a0: f32";
  for (int64_t i = 1; i < count; ++i) {
    maps += ", " + map;
    types += ", " + square;
    arguments += ", %a" + std::to_string(i) + ": f32";
  }
  std::string text = header + "func.func @main(" + annotated + ") -> " +
                     square + " {\n%e = tensor.empty() : " + square + "\n";
  for (int64_t i = 0; i < ops; ++i) {
    std::string inputs;
    for (int64_t k = 0; k < count; ++k)
      inputs += (k ? ", " : "") + (i > k ? name(i - 1 - k) : "%x");
    text += name(i) + " = linalg.generic {indexing_maps = [" + maps + ", " +
            map + "], iterator_types = [\"parallel\", \"parallel\"]} ins(" +
            inputs + " : " + types + ") outs(%e : " + square + ") {\n^bb0(" +
            arguments +
            ", %o: f32):\n%s = arith.addf %a0, %a63 : f32\n"
            "linalg.yield %s : f32\n} -> " +
            square + "\n";
  }
  return text + "return " + name(ops - 1) + " : " + square + "\n}\n";
}

double threadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

void run(benchmark::State &state, std::string (*program)(int64_t)) {
  DialectRegistry registry;
  dtensor::registerAllDialects(registry);
  dtensor::registerAllExtensions(registry);
  std::string text = program(state.range(0));
  double best = 0;
  for (auto _ : state) {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, ParserConfig(&context));
    PassManager pm(&context);
    pm.enableVerifier(false);
    pm.addPass(dtensor::createPropagatePass());
    pm.addPass(dtensor::createInsertRedistributionsPass());
    double begin = threadSeconds();
    if (!module || failed(pm.run(*module))) {
      state.SkipWithError("the program does not compile");
      return;
    }
    double spent = threadSeconds() - begin;
    state.SetIterationTime(spent);
    best = best == 0 ? spent : std::min(best, spent);
  }
  state.counters["us_per_op"] =
      best * 1e6 / static_cast<double>(state.range(0));
}

} // namespace

#define PROGRAM(NAME, LARGEST)                                                 \
  BENCHMARK_CAPTURE(run, NAME, NAME)                                           \
      ->RangeMultiplier(10)                                                    \
      ->Range(LARGEST / 100, LARGEST)                                          \
      ->Iterations(3)                                                          \
      ->UseManualTime()                                                        \
      ->Unit(benchmark::kMillisecond)

PROGRAM(chain, 100000);
PROGRAM(products, 100000);
PROGRAM(users, 100000);
PROGRAM(operands, 10000);

BENCHMARK_MAIN();
