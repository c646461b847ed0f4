// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration for embedders: three calls bring in everything.
#ifndef DTENSOR_INITALL_H
#define DTENSOR_INITALL_H

namespace mlir {
class DialectRegistry;

namespace dtensor {

/// The dtensor, comm and sched dialects, the upstream dialects that programs
/// and passes use, and stand-ins for stablehlo, sdy, chlo and mhlo (so leave
/// this out of a context that has the real ones).
void registerAllDialects(DialectRegistry &registry);
/// Sharding rules of upstream ops and what the passes need of upstream.
void registerAllExtensions(DialectRegistry &registry);
/// Passes and pipelines, for textual pipelines and mlir-opt-like tools.
void registerAllPasses();

} // namespace dtensor
} // namespace mlir

#endif // DTENSOR_INITALL_H
