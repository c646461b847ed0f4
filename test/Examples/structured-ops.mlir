// The structured ops on a mesh of 2 x 2, uneven sizes too: what a rank computes
// with them is the same as what the unsharded program and the interpreter do.
dtensor.mesh @mesh ["x" = 2, "y" = 2]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#both = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>
#flat = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]>

// Running sums of lines that lie whole on a rank, and of ones that do not.
func.func @scan(%a: tensor<7x6xf32> {dtensor.name = "a", dtensor.layout = #flat},
                %b: tensor<7x6xbf16> {dtensor.name = "b", dtensor.layout = #both},
                %i: tensor<5x3xi32> {dtensor.name = "i", dtensor.layout = #rows})
    -> (tensor<7x6xf32>, tensor<7x6xbf16>, tensor<5x3xi32>, tensor<7x6xf32>, tensor<5x3xi32>) {
  %e = tensor.empty() : tensor<7x6xf32>
  %f = tensor.empty() : tensor<7x6xbf16>
  %g = tensor.empty() : tensor<5x3xi32>
  %0 = dtensor.scan sum dim 1 ins(%a : tensor<7x6xf32>) outs(%e : tensor<7x6xf32>) -> tensor<7x6xf32>
  %1 = dtensor.scan sum dim 0 ins(%b : tensor<7x6xbf16>) outs(%f : tensor<7x6xbf16>) -> tensor<7x6xbf16>
  %2 = dtensor.scan max reverse dim 0 ins(%i : tensor<5x3xi32>) outs(%g : tensor<5x3xi32>) -> tensor<5x3xi32>
  %3 = dtensor.scan product exclusive dim 1 ins(%a : tensor<7x6xf32>) outs(%e : tensor<7x6xf32>) -> tensor<7x6xf32>
  %4 = dtensor.scan min exclusive reverse dim 1 ins(%i : tensor<5x3xi32>) outs(%g : tensor<5x3xi32>) -> tensor<5x3xi32>
  return %0, %1, %2, %3, %4 : tensor<7x6xf32>, tensor<7x6xbf16>, tensor<5x3xi32>, tensor<7x6xf32>, tensor<5x3xi32>
}

// Ties keep their order: the keys are the rounded halves of the values.
func.func @sort(%a: tensor<37x5xf32> {dtensor.name = "a", dtensor.layout = #both},
                %i: tensor<37x5xi64> {dtensor.name = "i", dtensor.layout = #both})
    -> (tensor<37x5xi64>, tensor<37x5xf32>, tensor<37x5xf32>, tensor<37x5xi64>, tensor<37x2xf32>, tensor<37x2xi32>) {
  %four = arith.constant dense<4> : tensor<37x5xi64>
  %keys = arith.divsi %i, %four : tensor<37x5xi64>
  %e = tensor.empty() : tensor<37x5xi64>
  %f = tensor.empty() : tensor<37x5xf32>
  %0:2 = dtensor.sort dim 0 ins(%keys, %a : tensor<37x5xi64>, tensor<37x5xf32>)
                            outs(%e, %f : tensor<37x5xi64>, tensor<37x5xf32>) -> tensor<37x5xi64>, tensor<37x5xf32>
  %1:2 = dtensor.sort dim 1 descending ins(%a, %i : tensor<37x5xf32>, tensor<37x5xi64>)
                                       outs(%f, %e : tensor<37x5xf32>, tensor<37x5xi64>) -> tensor<37x5xf32>, tensor<37x5xi64>
  %g = tensor.empty() : tensor<37x2xf32>
  %h = tensor.empty() : tensor<37x2xi32>
  %2:2 = dtensor.top_k dim 1 ins(%a : tensor<37x5xf32>) outs(%g, %h : tensor<37x2xf32>, tensor<37x2xi32>) -> tensor<37x2xf32>, tensor<37x2xi32>
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1 : tensor<37x5xi64>, tensor<37x5xf32>, tensor<37x5xf32>, tensor<37x5xi64>, tensor<37x2xf32>, tensor<37x2xi32>
}

// Rows of a table by ids that are sharded, and both ways of putting them back.
// Ids beyond the table are clamped or dropped.
func.func @positions(%table: tensor<9x6xf32> {dtensor.name = "table", dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(1)]>},
                     %ids: tensor<11x1xi64> {dtensor.name = "ids", dtensor.layout = #rows},
                     %pairs: tensor<4x2xi64> {dtensor.name = "pairs", dtensor.layout = #rows})
    -> (tensor<11x6xf32>, tensor<9x6xf32>, tensor<9x6xf32>, tensor<4xf32>, tensor<9x6xf32>) {
  %e = tensor.empty() : tensor<11x6xf32>
  %rows = dtensor.gather dims [0] ins(%table, %ids : tensor<9x6xf32>, tensor<11x1xi64>) outs(%e : tensor<11x6xf32>) -> tensor<11x6xf32>
  %zero = arith.constant dense<0.0> : tensor<9x6xf32>
  %sum = dtensor.scatter sum dims [0] ins(%rows, %ids : tensor<11x6xf32>, tensor<11x1xi64>) outs(%zero : tensor<9x6xf32>) -> tensor<9x6xf32>
  %largest = dtensor.scatter max dims [0] ins(%rows, %ids : tensor<11x6xf32>, tensor<11x1xi64>) outs(%table : tensor<9x6xf32>) -> tensor<9x6xf32>
  %f = tensor.empty() : tensor<4xf32>
  %points = dtensor.gather dims [0, 1] ins(%table, %pairs : tensor<9x6xf32>, tensor<4x2xi64>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  %set = dtensor.scatter dims [0, 1] ins(%points, %pairs : tensor<4xf32>, tensor<4x2xi64>) outs(%table : tensor<9x6xf32>) -> tensor<9x6xf32>
  return %rows, %sum, %largest, %points, %set : tensor<11x6xf32>, tensor<9x6xf32>, tensor<9x6xf32>, tensor<4xf32>, tensor<9x6xf32>
}

func.func @windows(%a: tensor<7x9xf32> {dtensor.name = "a", dtensor.layout = #both})
    -> (tensor<7x5xf32>, tensor<3x9xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<7x5xf32>
  %init = linalg.fill ins(%low : f32) outs(%e : tensor<7x5xf32>) -> tensor<7x5xf32>
  %0 = dtensor.reduce_window max window [1, 3] strides [1, 2] dilations [1, 1] low [0, 1] high [0, 1]
       ins(%a : tensor<7x9xf32>) outs(%init : tensor<7x5xf32>) -> tensor<7x5xf32>
  %one = arith.constant dense<1.0> : tensor<3x9xf32>
  %1 = dtensor.reduce_window sum window [3, 1] strides [2, 1] dilations [2, 1] low [1, 0] high [1, 0]
       ins(%a : tensor<7x9xf32>) outs(%one : tensor<3x9xf32>) -> tensor<3x9xf32>
  return %0, %1 : tensor<7x5xf32>, tensor<3x9xf32>
}

// Heads over x, queries over y; a mask on parts of the queries.
func.func @attention(%q: tensor<3x7x8xf32> {dtensor.name = "q", dtensor.layout = #both},
                     %k: tensor<3x9x8xf32> {dtensor.name = "k", dtensor.layout = #rows},
                     %v: tensor<3x9x4xf32> {dtensor.name = "v", dtensor.layout = #rows},
                     %h: tensor<2x3x6x8xf16> {dtensor.name = "h", dtensor.layout = #both},
                     %s: tensor<6x8xf64> {dtensor.name = "s", dtensor.layout = #rows})
    -> (tensor<3x7x4xf32>, tensor<3x7x4xf32>, tensor<2x3x6x8xf16>, tensor<6x8xf64>) {
  %e = tensor.empty() : tensor<3x7x4xf32>
  %0 = dtensor.attention causal ins(%q, %k, %v : tensor<3x7x8xf32>, tensor<3x9x8xf32>, tensor<3x9x4xf32>) outs(%e : tensor<3x7x4xf32>) -> tensor<3x7x4xf32>
  %1 = dtensor.attention scale 2.0 ins(%q, %k, %v : tensor<3x7x8xf32>, tensor<3x9x8xf32>, tensor<3x9x4xf32>) outs(%e : tensor<3x7x4xf32>) -> tensor<3x7x4xf32>
  %f = tensor.empty() : tensor<2x3x6x8xf16>
  %2 = dtensor.attention causal ins(%h, %h, %h : tensor<2x3x6x8xf16>, tensor<2x3x6x8xf16>, tensor<2x3x6x8xf16>) outs(%f : tensor<2x3x6x8xf16>) -> tensor<2x3x6x8xf16>
  %g = tensor.empty() : tensor<6x8xf64>
  %3 = dtensor.attention ins(%s, %s, %s : tensor<6x8xf64>, tensor<6x8xf64>, tensor<6x8xf64>) outs(%g : tensor<6x8xf64>) -> tensor<6x8xf64>
  return %0, %1, %2, %3 : tensor<3x7x4xf32>, tensor<3x7x4xf32>, tensor<2x3x6x8xf16>, tensor<6x8xf64>
}

func.func @bits() -> (tensor<7x5xi32> {dtensor.layout = #both}, tensor<33xi64> {dtensor.layout = #rows}, tensor<9xi8>) {
  %0 = dtensor.rng_bits seed 42 : tensor<7x5xi32> to #both
  %1 = dtensor.rng_bits seed -1 : tensor<33xi64> to #rows
  %2 = dtensor.rng_bits seed 3 : tensor<9xi8>
  return %0, %1, %2 : tensor<7x5xi32>, tensor<33xi64>, tensor<9xi8>
}

// RUN: dtensor-run %s --entry scan --random-inputs 1 --check | FileCheck %s --check-prefix=SCAN
// RUN: dtensor-run %s --entry scan --random-inputs 2 --check=interp | FileCheck %s --check-prefix=SCAN
// RUN: dtensor-run %s --entry sort --random-inputs 1 --check --rtol 0 | FileCheck %s --check-prefix=SORT
// RUN: dtensor-run %s --entry sort --random-inputs 2 --check=interp --rtol 0 | FileCheck %s --check-prefix=SORT
// RUN: dtensor-run %s --entry positions --random-inputs 1 --check | FileCheck %s --check-prefix=POSITIONS
// RUN: dtensor-run %s --entry positions --random-inputs 2 --check=interp | FileCheck %s --check-prefix=POSITIONS
// RUN: dtensor-run %s --entry windows --random-inputs 1 --check | FileCheck %s --check-prefix=WINDOWS
// RUN: dtensor-run %s --entry windows --random-inputs 2 --check=interp | FileCheck %s --check-prefix=WINDOWS
// RUN: dtensor-run %s --entry attention --random-inputs 1 --check | FileCheck %s --check-prefix=ATTENTION
// RUN: dtensor-run %s --entry attention --random-inputs 2 --check=interp | FileCheck %s --check-prefix=ATTENTION
// RUN: dtensor-run %s --entry bits --check --rtol 0 | FileCheck %s --check-prefix=BITS
// RUN: dtensor-run %s --entry bits --check=interp --rtol 0 | FileCheck %s --check-prefix=BITS
// RUN: dtensor-compile %s --entry sort -o %t.plan && dtensor-verify %t.plan

// SCAN-COUNT-5: largest error {{.*}}: ok
// SORT-COUNT-6: largest error 0 {{.*}}: ok
// POSITIONS-COUNT-5: largest error {{.*}}: ok
// WINDOWS-COUNT-2: largest error {{.*}}: ok
// ATTENTION-COUNT-4: largest error {{.*}}: ok
// BITS-COUNT-3: largest error 0 {{.*}}: ok
