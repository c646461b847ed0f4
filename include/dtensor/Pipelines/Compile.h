// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler driver as a library: a program in, any stage or a plan out.
#ifndef DTENSOR_PIPELINES_COMPILE_H
#define DTENSOR_PIPELINES_COMPILE_H

#include "dtensor/Dialect/DTensor/DTensor.h"
#include "dtensor/Pipelines/Pipelines.h"
#include "dtrt/PlanFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::dtensor {

/// What the driver can stop at.
enum class Emit { LaidOut, Explicit, Local, Scheduled, Plan, PlanJson };

struct CompileOptions {
  Emit emit = Emit::Plan;
  std::string topology = "builtin:threads";
  std::string implicit = "allow";
  std::string unknownOps = "error";
  /// "text" or "json": remarks that say why values lie as they do.
  std::string explain;
  /// Keep the unsharded program in the plan, for `dtensor-run --check`.
  bool reference = true;
  /// Largest number of bytes that any rank may receive in the program; -1 for
  /// no limit.
  int64_t maxRecvBytes = -1;
  /// New sizes of axes of the program's meshes, by name.
  std::vector<planner::MeshAxis> meshSizes;
  /// A JSON file with a plan for dtensor-parallelize; empty for none.
  /// ParallelizePlanFile.cpp says what it holds.
  std::string parallelize;
  /// Entry: `main`, else the only public function. The plan lists it first.
  std::string entry;
};

/// Compiles the text or bytecode in the file `path` and returns what
/// `options.emit` asks for: MLIR text, a plan file's bytes, or JSON. Reports
/// through `diagnostics`, each message with file, line and column.
FailureOr<std::string> compileFile(llvm::StringRef path,
                                   const CompileOptions &options,
                                   llvm::raw_ostream &diagnostics);

/// The same for text or bytecode in memory; the buffer's identifier takes the
/// place of the path.
FailureOr<std::string> compileBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                     const CompileOptions &options,
                                     llvm::raw_ostream &diagnostics);

} // namespace mlir::dtensor

#endif // DTENSOR_PIPELINES_COMPILE_H
