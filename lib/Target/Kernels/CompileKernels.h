// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles kernel functions to one ELF shared object, in process.
#ifndef DTENSOR_LIB_TARGET_KERNELS_COMPILEKERNELS_H
#define DTENSOR_LIB_TARGET_KERNELS_COMPILEKERNELS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::dtensor {

/// Machine code of kernels.
struct KernelImage {
  /// ELF shared object that exports each kernel under its own name as
  ///   void NAME(void *const *buffers, const int64_t *extents)
  std::vector<uint8_t> object;
  /// What the host must be able to run: "x86-64" or "x86-64-v3".
  std::string target;
};

/// Compiles the functions of `kernels` (public funcs of memrefs of static
/// shape, inputs then outputs). The module is left as it is.
FailureOr<KernelImage> compileKernels(ModuleOp kernels);

/// Adds the conversions to 16-bit floats that LLVM may call to `module`, whose
/// triple and data layout are set. On failure returns false and sets
/// `message`.
bool linkFloatHelpers(llvm::Module &module, std::string &message);

/// Links one relocatable object to a shared object with lld, in this process.
/// On failure returns nothing and sets `message`.
std::optional<std::vector<uint8_t>> linkSharedObject(StringRef object,
                                                     std::string &message);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TARGET_KERNELS_COMPILEKERNELS_H
