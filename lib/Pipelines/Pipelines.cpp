// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipelines: the only place that knows the order of passes.

#include "dtensor/Pipelines/Pipelines.h"

#include "dtensor/Conversion/Passes.h"
#include "dtensor/Transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::dtensor;

static void addVerifier(OpPassManager &pm, StringRef stage) {
  VerifyStagePassOptions options;
  options.stage = stage.str();
  pm.addPass(createVerifyStagePass(options));
}

void mlir::dtensor::buildSpmdPipelineUntil(OpPassManager &pm,
                                           const SpmdPipelineOptions &options,
                                           Stage last) {
  // Factories and attention become plain ops, manual regions part of the
  // program around them; nothing below knows of these.
  pm.addPass(createExpandFactoriesPass());
  pm.addPass(createExpandAttentionPass());
  pm.addPass(createInlineManualPass());
  pm.addPass(createNormalizePass());

  // Then calls: everything below works on whole programs. The inliner's own
  // clean-up is left out, since it would merge constrain ops away.
  pm.addPass(createPinAnnotationsPass());
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createSymbolDCEPass());

  // On the whole program: uses of parameters are where they were called.
  pm.addPass(createParallelizePass());

  // Before anything knows of layouts: the copy must be the user's program.
  if (options.reference)
    pm.addPass(createCloneReferencePass());

  // Layouts live in attributes that upstream passes drop, so the three passes
  // that use them follow each other with nothing in between.
  PropagatePassOptions propagate;
  propagate.topology = options.topology;
  propagate.unknownOps = options.unknownOps;
  propagate.explain = options.explain;
  pm.addPass(createPropagatePass(propagate));
  addVerifier(pm, "laid-out");
  if (last == Stage::LaidOut)
    return;

  InsertRedistributionsPassOptions insert;
  insert.topology = options.topology;
  insert.implicit = options.implicit;
  pm.addPass(createInsertRedistributionsPass(insert));
  addVerifier(pm, "explicit");
  if (last == Stage::Explicit)
    return;

  ConvertDTensorToCommPassOptions convert;
  convert.topology = options.topology;
  pm.addPass(createConvertDTensorToCommPass(convert));
  addVerifier(pm, "local");
}

void mlir::dtensor::buildSpmdPipeline(OpPassManager &pm,
                                      const SpmdPipelineOptions &options) {
  buildSpmdPipelineUntil(pm, options, Stage::Local);
}

void mlir::dtensor::buildSchedulePipeline(OpPassManager &pm) {
  // Groups of ranks are axes of some mesh from here on.
  pm.addPass(createNameGroupsPass());
  pm.addPass(createWidenReductionsPass());
  // Kernels before places: they decide which values exist in memory.
  pm.addPass(createOutlineKernelsPass());
  // Then places for those, in the order of the steps.
  pm.addPass(createPlaceBuffersPass());
  addVerifier(pm, "scheduled");
}

void mlir::dtensor::registerPipelines() {
  PassPipelineRegistration<SpmdPipelineOptions>(
      "dtensor-spmd-pipeline",
      "From global tensors with layouts to local tensors with collectives",
      buildSpmdPipeline);
  PassPipelineRegistration<>(
      "dtensor-schedule-pipeline",
      "From local tensors with collectives to placed steps",
      buildSchedulePipeline);
}
