/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * C interface of the compiler library (libDTensorCompiler): program text in,
 * plan file bytes out; and the interpreter. dtensor-run loads it when it is
 * given a program instead of a plan, or --check=interp, so that it links no
 * LLVM itself.
 */
#ifndef DTENSOR_C_COMPILER_H
#define DTENSOR_C_COMPILER_H

#include <stddef.h>
#include <stdint.h>

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

/* What dtensor-compile takes as options; NULL or -1 leaves one out. */
typedef struct dtensorCompileOptions {
  const char *entry;       /* --entry */
  const char *topology;    /* --topology; NULL for builtin:threads */
  const char *implicit;    /* --implicit: allow, warn, forbid */
  const char *parallelize; /* --parallelize: a JSON file */
  const char *mesh;        /* --mesh: "dp=4,tp=2" */
  int64_t maxRecvBytes;    /* --max-recv-bytes; -1 for no limit */
  int32_t reference;       /* 0 as --no-reference */
} dtensorCompileOptions;

/* Compiles a program in memory: text or bytecode of `size` bytes, called `name`
 * in diagnostics. `options` may be NULL. Otherwise as dtensorCompileToPlan. */
int dtensorCompile(const char *text, size_t size, const char *name,
                   const dtensorCompileOptions *options, dtensorSink plan,
                   dtensorSink diagnostics, void *user);

/* A dense row-major global tensor. `type` is the element type's name in MLIR
 * ("f32", "bf16", "i1"); i1 takes one byte per element. */
typedef struct dtensorTensor {
  const char *type;
  const int64_t *shape;
  size_t rank;
  const void *data;
  size_t size; /* of data, in bytes */
} dtensorTensor;

/* Receives result number `index`; the tensor lives during the call only. */
typedef void (*dtensorTensorSink)(size_t index, const dtensorTensor *result,
                                  void *user);

/* Interprets the program in `text` (MLIR text or bytecode, `size` bytes, of
 * the stages before placing) on `inputs`, without compiling it: see
 * dtensor/Interpreter/Interpreter.h for what is computed how. Gives every
 * result to `results`, or diagnostics that call the program `name` to
 * `diagnostics`. Entry as above. Returns 0 on success, 1 if the program or the
 * inputs were refused. */
int dtensorInterpret(const char *text, size_t size, const char *name,
                     const char *entry, const dtensorTensor *inputs,
                     size_t numInputs, dtensorTensorSink results,
                     dtensorSink diagnostics, void *user);

#ifdef __cplusplus
}
#endif

#endif /* DTENSOR_C_COMPILER_H */
