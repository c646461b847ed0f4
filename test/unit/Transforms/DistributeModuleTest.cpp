// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts by callbacks: who is asked, in which order, and what is refused.
#include "dtensor/Transforms/DistributeModule.h"

#include "dtensor/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::dtensor;

namespace {

const char *const program = R"mlir(
dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
func.func @main(%x: tensor<8x16xf32>,
                %w: tensor<16x32xf32> {dtensor.name = "w"},
                %b: tensor<32xf32> {dtensor.name = "b"},
                %own: tensor<4xf32> {dtensor.name = "own", dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0)]>},
                %n: f32) -> tensor<8x16xf32> {
  return %x : tensor<8x16xf32>
}
func.func private @helper(%w: tensor<4xf32> {dtensor.name = "private"}) {
  return
}
)mlir";

class DistributeModule : public testing::Test {
protected:
  DistributeModule() : context(registry()) {
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(program, &context);
  }

  static DialectRegistry registry() {
    DialectRegistry result;
    registerAllDialects(result);
    return result;
  }

  /// What stops the distribution, or "".
  std::string distribute(StringRef mesh = "mesh") {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message += diagnostic.str();
      return success();
    });
    bool ok = succeeded(distributeModule(*module, mesh, callbacks));
    EXPECT_EQ(ok, message.empty());
    return message;
  }

  std::string layoutOf(unsigned argument) {
    auto func = module->lookupSymbol<func::FuncOp>("main");
    std::string text;
    llvm::raw_string_ostream os(text);
    if (Attribute attr = func.getArgAttr(argument, kLayoutAttr))
      os << attr;
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  DistributeCallbacks callbacks;
};

planner::Layout layoutOn(const planner::Mesh &mesh, int rank,
                         const char *text) {
  return *planner::parseLayout(mesh, rank, text);
}

TEST_F(DistributeModule, ReplicatesParametersThatAreLeftAlone) {
  std::vector<std::string> asked;
  callbacks.partition =
      [&](StringRef name, RankedTensorType type,
          const planner::Mesh &mesh) -> std::optional<planner::Layout> {
    asked.push_back(name.str());
    if (name != "w")
      return std::nullopt;
    return layoutOn(mesh, type.getRank(), "tp=shard(1)");
  };
  callbacks.input = [&](unsigned index, RankedTensorType type,
                        const planner::Mesh &mesh) {
    asked.push_back("input " + std::to_string(index));
    return layoutOn(mesh, type.getRank(), "dp=shard(0)");
  };
  callbacks.output = [&](unsigned index, RankedTensorType type,
                         const planner::Mesh &mesh) {
    asked.push_back("output " + std::to_string(index));
    return layoutOn(mesh, type.getRank(), "dp=shard(0)");
  };
  EXPECT_EQ(distribute(), "");
  EXPECT_EQ(asked, (std::vector<std::string>{"input 0", "w", "b", "output 0"}));
  EXPECT_EQ(layoutOf(0), "#dtensor.layout<@mesh, [\"dp\" = shard(0)]>");
  EXPECT_EQ(layoutOf(1), "#dtensor.layout<@mesh, [\"tp\" = shard(1)]>");
  EXPECT_EQ(layoutOf(2), "#dtensor.layout<@mesh, []>");
  EXPECT_EQ(layoutOf(3), "#dtensor.layout<@mesh, [\"dp\" = shard(0)]>");
}

TEST_F(DistributeModule, LeavesInputsToPropagationWithoutCallbacks) {
  EXPECT_EQ(distribute(), "");
  EXPECT_EQ(layoutOf(0), "");
  EXPECT_EQ(layoutOf(1), "#dtensor.layout<@mesh, []>");
}

TEST_F(DistributeModule, RefusesWhatDoesNotFit) {
  EXPECT_EQ(distribute("grid"),
            "has no dtensor.mesh @grid to distribute it on");
  callbacks.partition = [&](StringRef, RankedTensorType,
                            const planner::Mesh &mesh) {
    return layoutOn(mesh, 3, "dp=shard(2)");
  };
  EXPECT_EQ(distribute(),
            "'func.func' op argument 1 is given a layout that does not fit: it "
            "is for rank 3, the type is 'tensor<16x32xf32>'");
}

} // namespace
