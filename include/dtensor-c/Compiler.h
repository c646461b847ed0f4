/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * C interface of the compiler library (libDTensorCompiler): program text in,
 * plan file bytes out. dtensor-run loads it when it is given a program instead
 * of a plan, so that it links no LLVM itself.
 */
#ifndef DTENSOR_C_COMPILER_H
#define DTENSOR_C_COMPILER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Receives a piece of output. `user` is what the caller passed. */
typedef void (*dtensorSink)(const char *data, size_t size, void *user);

/* Compiles the program in the file `path` (MLIR text or bytecode, at any
 * stage) as `dtensor-compile path` does and gives the plan file's bytes to
 * `plan`, or diagnostics with file, line and column to `diagnostics`.
 * Entry: `entry`, or NULL for `main`, else the only public function.
 * Returns 0 on success, 1 if the program was refused. */
int dtensorCompileToPlan(const char *path, const char *entry, dtensorSink plan,
                         dtensorSink diagnostics, void *user);

#ifdef __cplusplus
}
#endif

#endif /* DTENSOR_C_COMPILER_H */
