// What the interpreter refuses, and where it says so.
// RUN: split-file %s %t && cd %t
// RUN: not interpret-program unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not interpret-program body.mlir 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: not interpret-program dynamic.mlir 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not interpret-program dynamic.mlir --entry cast 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: not interpret-program dynamic.mlir --entry negative 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not interpret-program dynamic.mlir --entry different 2>&1 | FileCheck %s --check-prefix=DIFFERENT
// RUN: not interpret-program dynamic.mlir --entry loops 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: not interpret-program dynamic.mlir --entry expand 2>&1 | FileCheck %s --check-prefix=EXPAND
// RUN: not interpret-program dynamic.mlir --entry pad 2>&1 | FileCheck %s --check-prefix=PAD
// RUN: not interpret-program dynamic.mlir --entry concat 2>&1 | FileCheck %s --check-prefix=CONCAT
// RUN: not interpret-program complex.mlir 2>&1 | FileCheck %s --check-prefix=COMPLEX
// RUN: not interpret-program complex.mlir --entry index 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: not interpret-program huge.mlir 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not interpret-program zero.mlir 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not interpret-program zero.mlir --entry inside 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: not interpret-program bounds.mlir 2>&1 | FileCheck %s --check-prefix=EXTRACT
// RUN: not interpret-program bounds.mlir --entry slice 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not interpret-program bounds.mlir --entry gather 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not interpret-program bounds.mlir --entry dimension 2>&1 | FileCheck %s --check-prefix=DIMENSION
// RUN: not interpret-program recursion.mlir 2>&1 | FileCheck %s --check-prefix=RECURSION
// RUN: not interpret-program blocks.mlir 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not interpret-program blocks.mlir --entry outside 2>&1 | FileCheck %s --check-prefix=EXTERNAL
// RUN: not interpret-program blocks.mlir --entry absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not interpret-program buffers.mlir 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: not interpret-program replicas.mlir 2>&1 | FileCheck %s --check-prefix=REPLICAS
// RUN: not interpret-program meshes.mlir 2>&1 | FileCheck %s --check-prefix=MESHES
// RUN: not interpret-program cluster.mlir 2>&1 | FileCheck %s --check-prefix=CLUSTER
// RUN: not interpret-program average.mlir 2>&1 | FileCheck %s --check-prefix=AVERAGE
// RUN: not interpret-program control.mlir --entry step 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not interpret-program control.mlir --entry unsigned 2>&1 | FileCheck %s --check-prefix=UNSIGNED
// RUN: not interpret-program control.mlir --entry ways 2>&1 | FileCheck %s --check-prefix=WAYS

//--- unknown.mlir
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // UNKNOWN: unknown.mlir:5:8: error: 'scf.execute_region' op has no implementation in the interpreter; write it with linalg, tensor, arith and math ops
  %c = arith.constant true
  // The next line is the fifth.
  %0 = scf.execute_region -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

//--- body.mlir
func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {
  %0 = linalg.map ins(%a : tensor<4xi32>) outs(%a : tensor<4xi32>) (%in: i32, %out: i32) {
    // BODY: body.mlir:4:20: error: 'arith.addui_extended' op has no implementation in the interpreter
    %sum, %carry = arith.addui_extended %in, %in : i32, i1
    linalg.yield %sum : i32
  }
  return %0 : tensor<4xi32>
}

//--- dynamic.mlir
// DYNAMIC: dynamic.mlir:2:1: error: 'func.func' op argument 0 has type 'tensor<?xf32>', a program needs static shapes: give every dimension a size
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
func.func @cast(%a: tensor<4xf32>) -> tensor<3xf32> {
  %0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  // CAST: dynamic.mlir:8:8: error: 'tensor.cast' op makes a tensor of shape [4], which is none of 'tensor<3xf32>'
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<3xf32>
  return %1 : tensor<3xf32>
}
func.func @negative(%a: tensor<4xf32>, %n: i64) -> tensor<4xf32> {
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %minus = arith.subi %c5, %c8 : index
  // NEGATIVE: dynamic.mlir:16:8: error: 'tensor.empty' op makes a tensor of shape [-3], which is none of 'tensor<?xf32>'
  %0 = tensor.empty(%minus) : tensor<?xf32>
  return %a : tensor<4xf32>
}
func.func @different(%a: tensor<4xf32>, %b: tensor<3xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %b : tensor<3xf32> to tensor<?xf32>
  // DIFFERENT: dynamic.mlir:23:8: error: 'arith.addf' op has operands of different shapes when it is run
  %2 = arith.addf %0, %1 : tensor<?xf32>
  return %a : tensor<4xf32>
}
func.func @loops(%a: tensor<4xf32>, %b: tensor<3xf32>) -> tensor<4xf32> {
  %1 = tensor.cast %b : tensor<3xf32> to tensor<?xf32>
  // LOOPS: dynamic.mlir:29:8: error: 'linalg.add' op loop 0 runs 4 times over one operand and 3 times over operand 1
  %2 = linalg.add ins(%a, %1 : tensor<4xf32>, tensor<?xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @expand(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c3 = arith.constant 3 : index
  %0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  // EXPAND: dynamic.mlir:36:8: error: 'tensor.expand_shape' op makes 6 elements of 4
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%c3, 2] : tensor<?xf32> into tensor<?x2xf32>
  return %a : tensor<4xf32>
}
func.func @pad(%a: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %minus = arith.subi %c5, %c8 : index
  // PAD: dynamic.mlir:45:8: error: 'tensor.pad' op pads dimension 0 by -3 and 0 elements
  %0 = tensor.pad %a low[%minus] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %a : tensor<4xf32>
}
func.func @concat(%a: tensor<2x4xf32>, %b: tensor<2x3xf32>) -> tensor<2x4xf32> {
  %0 = tensor.cast %b : tensor<2x3xf32> to tensor<2x?xf32>
  // CONCAT: dynamic.mlir:54:8: error: 'tensor.concat' op joins pieces of 4 and 3 elements in dimension 1
  %1 = tensor.concat dim(0) %a, %0 : (tensor<2x4xf32>, tensor<2x?xf32>) -> tensor<4x?xf32>
  return %a : tensor<2x4xf32>
}

//--- complex.mlir
// COMPLEX: complex.mlir:2:1: error: 'func.func' op argument 0 has type 'complex<f32>', which the interpreter does not know
func.func @main(%a: complex<f32>) {
  return
}
// INDEX: complex.mlir:6:1: error: 'func.func' op argument 0 has type 'index', which tensors in files do not have
func.func @index(%a: index) {
  return
}

//--- huge.mlir
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  // HUGE: huge.mlir:4:8: error: 'tensor.empty' op has type 'tensor<1000000x1000000xf32>', the interpreter holds at most 4294967296 elements in a tensor
  %0 = tensor.empty() : tensor<1000000x1000000xf32>
  %1 = tensor.extract %0[%c0, %c0] : tensor<1000000x1000000xf32>
  return %1 : f32
}

//--- zero.mlir
func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {
  // The first input is 0, 1, 2, 3.
  // ZERO: zero.mlir:4:8: error: 'arith.divsi' op divides by zero at element 0
  %0 = arith.divsi %a, %a : tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @inside(%a: tensor<4xi32>) -> tensor<4xi32> {
  %0 = linalg.map ins(%a : tensor<4xi32>) outs(%a : tensor<4xi32>) (%in: i32, %out: i32) {
    // INSIDE: zero.mlir:10:10: error: 'arith.remui' op divides by zero at iteration [0]
    %1 = arith.remui %in, %in : i32
    linalg.yield %1 : i32
  }
  return %0 : tensor<4xi32>
}

//--- bounds.mlir
func.func @main(%a: tensor<4xf32>) -> f32 {
  %c4 = arith.constant 4 : index
  // EXTRACT: bounds.mlir:4:8: error: 'tensor.extract' op accesses index 4 in dimension 0, which has 4 elements
  %0 = tensor.extract %a[%c4] : tensor<4xf32>
  return %0 : f32
}
func.func @slice(%a: tensor<4xf32>) -> tensor<2xf32> {
  %c3 = arith.constant 3 : index
  // SLICE: bounds.mlir:10:8: error: 'tensor.extract_slice' op takes elements 3 to 4 of dimension 0, which has 4 elements
  %0 = tensor.extract_slice %a[%c3] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @gather(%a: tensor<4xf32>) -> tensor<2xf32> {
  %c3 = arith.constant 3 : index
  %0 = tensor.generate {
  ^bb0(%i: index):
    %at = arith.addi %i, %c3 : index
    // GATHER: bounds.mlir:19:10: error: 'tensor.extract' op reads element [4] of a tensor of shape [4] at iteration [1]
    %v = tensor.extract %a[%at] : tensor<4xf32>
    tensor.yield %v : f32
  } : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @dimension(%a: tensor<4xf32>) -> i64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.addi %one, %one : index
  // DIMENSION: bounds.mlir:29:8: error: 'tensor.dim' op asks for dimension 2 of a tensor of rank 1
  %d = tensor.dim %a, %two : tensor<4xf32>
  %0 = arith.index_cast %d : index to i64
  return %0 : i64
}

//--- recursion.mlir
// RECURSION: recursion.mlir:2:1: error: 'func.func' op calls itself
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @main(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- blocks.mlir
// BLOCKS: blocks.mlir:2:1: error: 'func.func' op has 2 blocks, the interpreter takes functions of one block
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  llvm.br ^bb1
^bb1:
  return %a : tensor<4xf32>
}
// EXTERNAL: blocks.mlir:8:1: error: 'func.func' op has no body to interpret
func.func private @outside(%a: tensor<4xf32>) -> tensor<4xf32>
// ABSENT: error: has no function @absent to interpret (its functions: main, outside)

//--- buffers.mlir
func.func @main() {
  %0 = arith.constant 0.0 : f32
  // BUFFERS: buffers.mlir:4:8: error: 'memref.alloc' op has type 'memref<4xf32>', which the interpreter does not know
  %1 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%0 : f32) outs(%1 : memref<4xf32>)
  return
}

//--- replicas.mlir
dtensor.mesh @m ["x" = 2]

// Each rank keeps another half: they are no replicas.
// REPLICAS: replicas.mlir:5:1: error: 'func.func' op result 0: replicas differ: ranks 0 and 1 at element 0 of what they hold
func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {
  %0 = comm.slice %a over @m["x"] dim 0 : tensor<4xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

//--- meshes.mlir
dtensor.mesh @m ["x" = 2]
dtensor.mesh @n ["x" = 2]

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = comm.all_reduce max %a over @m["x"] : tensor<4xf32>
  // MESHES: meshes.mlir:7:8: error: 'comm.all_reduce' op is on mesh @n, the interpreter runs a program on one mesh
  %1 = comm.all_reduce max %0 over @n["x"] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

//--- cluster.mlir
dtensor.mesh @m ["x" = 8192]

// CLUSTER: cluster.mlir:4:1: error: 'func.func' op runs on 8192 ranks, the interpreter takes at most 4096
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = comm.all_reduce max %a over @m["x"] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- average.mlir
dtensor.mesh @m ["x" = 2]

func.func @main(%a: tensor<4xf32>) -> tensor<8xf32> {
  // AVERAGE: average.mlir:5:8: error: 'comm.to_partial' op a shard cannot become partial(avg) in one step; gather it first
  %0 = comm.to_partial avg %a over @m["x"] dim 0 : tensor<4xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

//--- control.mlir
dtensor.mesh @m ["x" = 2]
func.func @step(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // STEP: control.mlir:6:8: error: 'scf.for' op has a step of 0, and would not end
  %r = scf.for %i = %c0 to %c4 step %c0 iter_args(%x = %a) -> (tensor<4xf32>) {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @ways(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %i = comm.axis_index over @m["x"] : index
  %first = arith.cmpi eq, %i, %c0 : index
  // WAYS: control.mlir:16:8: error: 'scf.if' op goes another way on one rank than on another; the interpreter runs all alike
  %r = scf.if %first -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @unsigned(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %n = arith.constant 200 : i8
  // UNSIGNED: error: 'scf.for' op compares its bounds as unsigned numbers; the interpreter counts with signed ones
  %r = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4xf32>) : i8 {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
