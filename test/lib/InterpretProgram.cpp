// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interprets a program on inputs that are easy to know by heart, and prints
// its results; or interprets it before and after the SPMD pipeline and
// compares. Exit codes: 0, 1 the program was refused, 2 usage, 3 a mismatch.

#include "Driver/Driver.h"
#include "dtensor/InitAll.h"
#include "dtensor/Interpreter/Interpreter.h"
#include "dtensor/Pipelines/Pipelines.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"

#include <cstring>
#include <iostream>

using namespace mlir;
using namespace llvm;
namespace planner = ::dtensor;

static cl::opt<std::string> path(cl::Positional, cl::desc("PROGRAM"),
                                 cl::Required);
static cl::opt<std::string> entry("entry", cl::desc("function to interpret"));
static cl::opt<bool> spmd("spmd",
                          cl::desc("compare with the program of stage S3"));
static cl::opt<int64_t> seed("random-inputs",
                             cl::desc("random inputs instead of 0, 1, 2, ..."),
                             cl::init(-1));

/// 0, 1, 2, ... in the tensor's type; in i1 the lowest bits of that.
static dtrt::GlobalTensor makeIndexTensor(const mlir::dtensor::ProgramTensor &t,
                                          MLIRContext *context) {
  dtrt::GlobalTensor tensor{t.type, t.shape, {}};
  int64_t count = 1;
  for (int64_t extent : t.shape)
    count *= extent;
  int64_t width = planner::elementBytes(t.type);
  auto name = planner::elementTypeName(t.type);
  Type type = parseType(StringRef(name.data(), name.size()), context);
  tensor.data.resize(count * width);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = t.type == planner::ElementType::I1 ? i & 1 : i;
    if (auto floatType = dyn_cast<FloatType>(type)) {
      APFloat value(static_cast<double>(i));
      bool losesInfo = false;
      value.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      bits = value.bitcastToAPInt().getZExtValue();
    }
    std::memcpy(tensor.data.data() + i * width, &bits, width);
  }
  return tensor;
}

static void printElement(const dtrt::GlobalTensor &tensor, int64_t index,
                         MLIRContext *context) {
  int64_t width = planner::elementBytes(tensor.type);
  auto name = planner::elementTypeName(tensor.type);
  Type type = parseType(StringRef(name.data(), name.size()), context);
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.data.data() + index * width, width);
  if (auto floatType = dyn_cast<FloatType>(type)) {
    APFloat value(floatType.getFloatSemantics(),
                  APInt(floatType.getWidth(), bits));
    outs() << ' ' << format("%.7g", value.convertToDouble());
  } else {
    outs() << ' ' << APInt(type.getIntOrFloatBitWidth(), bits).getSExtValue();
  }
}

static void printTensor(size_t number, const dtrt::GlobalTensor &tensor,
                        MLIRContext *context) {
  auto name = planner::elementTypeName(tensor.type);
  outs() << "result" << number << ": " << dtrt::shapeText(tensor.shape) << ' '
         << StringRef(name.data(), name.size()) << ':';
  int64_t count = tensor.data.size() / planner::elementBytes(tensor.type);
  for (int64_t i = 0; i < count; ++i)
    printElement(tensor, i, context);
  outs() << '\n';
}

static int compare(ModuleOp module, ArrayRef<dtrt::GlobalTensor> inputs,
                   ArrayRef<dtrt::GlobalTensor> expected) {
  PassManager pm(module.getContext());
  mlir::dtensor::SpmdPipelineOptions options;
  options.reference = false;
  mlir::dtensor::buildSpmdPipeline(pm, options);
  if (failed(pm.run(module)))
    return 1;
  auto actual = mlir::dtensor::interpretProgram(module, entry, inputs);
  if (failed(actual))
    return 1;
  bool ok = true;
  for (size_t i = 0; i < expected.size(); ++i) {
    dtrt::Comparison comparison =
        dtrt::compareTensors((*actual)[i], expected[i], {}, {});
    dtrt::printComparison("result" + std::to_string(i), comparison, std::cout);
    ok &= comparison.ok;
  }
  std::cout << std::flush;
  return ok ? 0 : 3;
}

int main(int argc, char **argv) {
  if (!cl::ParseCommandLineOptions(argc, argv, "", &errs()))
    return 2;
  DialectRegistry registry;
  mlir::dtensor::registerAllDialects(registry);
  mlir::dtensor::registerAllExtensions(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string message;
  auto file = openInputFile(path, &message);
  if (!file) {
    errs() << message << '\n';
    return 1;
  }
  SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;
  auto signature = mlir::dtensor::getProgramSignature(*module, entry);
  if (failed(signature))
    return 1;
  std::vector<dtrt::GlobalTensor> inputs;
  for (const auto &input : signature->inputs)
    inputs.push_back(seed < 0 ? makeIndexTensor(input, &context)
                              : dtrt::randomTensor(input.type, input.shape,
                                                   seed, inputs.size()));
  auto results = mlir::dtensor::interpretProgram(*module, entry, inputs);
  if (failed(results))
    return 1;
  if (spmd)
    return compare(*module, inputs, *results);
  for (auto [i, result] : llvm::enumerate(*results))
    printTensor(i, result, &context);
  return 0;
}
