// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipelines: the only place that knows the order of passes.
#ifndef DTENSOR_PIPELINES_PIPELINES_H
#define DTENSOR_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::dtensor {

/// Options of dtensor-spmd-pipeline.
struct SpmdPipelineOptions : PassPipelineOptions<SpmdPipelineOptions> {
  Option<std::string> topology{
      *this, "topology",
      llvm::cl::desc(
          "machine to plan for: builtin:threads | builtin:h100x8 | ... | FILE"),
      llvm::cl::init("builtin:threads")};
  Option<std::string> implicit{
      *this, "implicit",
      llvm::cl::desc("redistributions that the program does not write: allow "
                     "| warn | forbid"),
      llvm::cl::init("allow")};
  Option<std::string> unknownOps{
      *this, "unknown-ops",
      llvm::cl::desc(
          "what to do with an op without sharding rule: error | replicate"),
      llvm::cl::init("error")};
  Option<std::string> explain{
      *this, "explain",
      llvm::cl::desc("say in remarks why values lie as they do: text | json"),
      llvm::cl::init("")};
  Option<bool> reference{
      *this, "reference",
      llvm::cl::desc("keep the unsharded form of each program beside it"),
      llvm::cl::init(false)};
};

/// A stage of compilation (DESIGN: S1 to S4).
enum class Stage { LaidOut, Explicit, Local, Scheduled };

/// S0 to S3: layouts, redistributions, collectives on local tensors.
void buildSpmdPipeline(OpPassManager &pm, const SpmdPipelineOptions &options);
/// The part of it that ends at `last` (LaidOut, Explicit or Local).
void buildSpmdPipelineUntil(OpPassManager &pm,
                            const SpmdPipelineOptions &options, Stage last);

/// S3 to S4: kernels, order, buffers.
void buildSchedulePipeline(OpPassManager &pm);

/// Makes the pipelines known by name: dtensor-spmd-pipeline and
/// dtensor-schedule-pipeline.
void registerPipelines();

} // namespace mlir::dtensor

#endif // DTENSOR_PIPELINES_PIPELINES_H
