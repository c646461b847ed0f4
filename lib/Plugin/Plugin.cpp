// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our dialects, passes and pipelines for the stock mlir-opt:
//   mlir-opt --load-dialect-plugin=DTensorPlugin.so --load-pass-plugin=... \
//     --pass-pipeline="builtin.module(dtensor-spmd-pipeline)" FILE
// (mlir-opt knows passes of plugins by --pass-pipeline only.)

#include "dtensor/InitAll.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "DTensor", "0.1",
          [](mlir::DialectRegistry *registry) {
            mlir::dtensor::registerAllDialects(*registry);
            mlir::dtensor::registerAllExtensions(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "DTensor", "0.1",
          [] { mlir::dtensor::registerAllPasses(); }};
}
