// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions to 16-bit floats that LLVM calls by name where the CPU has no
// instruction. Kernels import nothing but libm, and Debian 12's libgcc lacks
// the ones for bf16, so each kernel object brings its own.

#include "CompileKernels.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::dtensor;

/// Round to nearest, ties to even; NaNs stay NaNs. A double is rounded to odd
/// at float precision first, so that the second rounding sees what was lost.
static constexpr StringLiteral kHelpers = R"(
define hidden bfloat @__truncsfbf2(float %x) {
  %bits = bitcast float %x to i32
  %nan = fcmp uno float %x, 0.0
  %high = lshr i32 %bits, 16
  %last = and i32 %high, 1
  %half = add i32 %last, 32767
  %sum = add i32 %bits, %half
  %rounded = lshr i32 %sum, 16
  %quiet = or i32 %high, 64
  %chosen = select i1 %nan, i32 %quiet, i32 %rounded
  %short = trunc i32 %chosen to i16
  %result = bitcast i16 %short to bfloat
  ret bfloat %result
}

define internal float @dtensor_round_to_odd(double %x) {
  %near = fptrunc double %x to float
  %back = fpext float %near to double
  %bits = bitcast float %near to i32
  %size = call double @llvm.fabs.f64(double %x)
  %backsize = call double @llvm.fabs.f64(double %back)
  %above = fcmp ogt double %backsize, %size
  %less = sub i32 %bits, 1
  %cut = select i1 %above, i32 %less, i32 %bits
  %inexact = fcmp one double %back, %x
  %odd = or i32 %cut, 1
  %chosen = select i1 %inexact, i32 %odd, i32 %bits
  %result = bitcast i32 %chosen to float
  ret float %result
}

define hidden bfloat @__truncdfbf2(double %x) {
  %odd = call float @dtensor_round_to_odd(double %x)
  %result = call bfloat @__truncsfbf2(float %odd)
  ret bfloat %result
}

define hidden half @__truncdfhf2(double %x) {
  %odd = call float @dtensor_round_to_odd(double %x)
  %result = fptrunc float %odd to half
  ret half %result
}

declare double @llvm.fabs.f64(double)
)";

bool mlir::dtensor::linkFloatHelpers(llvm::Module &module,
                                     std::string &message) {
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> helpers =
      llvm::parseAssemblyString(kHelpers, diagnostic, module.getContext());
  if (!helpers) {
    message = diagnostic.getMessage().str();
    return false;
  }
  helpers->setDataLayout(module.getDataLayout());
  helpers->setTargetTriple(module.getTargetTriple());
  if (llvm::Linker::linkModules(module, std::move(helpers))) {
    message = "cannot link the float helpers";
    return false;
  }
  return true;
}
