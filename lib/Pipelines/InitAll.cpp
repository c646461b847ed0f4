// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration for embedders.

#include "dtensor/InitAll.h"

#include "dtensor/Conversion/Passes.h"
#include "dtensor/Dialect/Comm/Comm.h"
#include "dtensor/Dialect/Sched/Sched.h"
#include "dtensor/Import/Passes.h"
#include "dtensor/Import/StubDialects.h"
#include "dtensor/Interfaces/ShardingRule.h"
#include "dtensor/Pipelines/Pipelines.h"
#include "dtensor/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

void mlir::dtensor::registerAllDialects(DialectRegistry &registry) {
  registry
      .insert<dtensor::DTensorDialect, comm::CommDialect, sched::SchedDialect,
              arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect,
              linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect>();
  registerStubDialects(registry);
}

void mlir::dtensor::registerAllExtensions(DialectRegistry &registry) {
  func::registerInlinerExtension(registry);
  registerArithShardingModels(registry);
  registerLinalgShardingModels(registry);
  registerTensorShardingModels(registry);
  registerSliceShardingModels(registry);
  registerStructuredShardingModels(registry);
}

void mlir::dtensor::registerAllPasses() {
  registerDTensorTransformsPasses();
  registerDTensorConversionPasses();
  registerDTensorImportPasses();
  registerPipelines();
}
