// Bodies and maps that no named op has: answers by hand.
// RUN: interpret-program %s --entry index | FileCheck %s --check-prefix=INDEX
// RUN: interpret-program %s --entry two_results | FileCheck %s --check-prefix=TWO
// RUN: interpret-program %s --entry gather | FileCheck %s --check-prefix=GATHER
// RUN: interpret-program %s --entry maps | FileCheck %s --check-prefix=MAPS
// RUN: interpret-program %s --entry scan | FileCheck %s --check-prefix=SCAN
// RUN: interpret-program %s --entry contraction | FileCheck %s --check-prefix=CONTRACTION

#id = affine_map<(i, j) -> (i, j)>

// A causal mask.
// INDEX: result0: 3x3 f32: 0 -1 -1 3 4 -1 6 7 8
func.func @index(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %minus = arith.constant -1.0 : f32
  %e = tensor.empty() : tensor<3x3xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
       ins(%a : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %keep = arith.cmpi sge, %i, %j : index
    %v = arith.select %keep, %in, %minus : f32
    linalg.yield %v : f32
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// Sum and maximum of each row in one op.
// TWO: result0: 2 f32: 3 12
// TWO: result1: 2 f32: 2 5
func.func @two_results(%a: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %0:2 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
       ins(%a : tensor<2x3xf32>) outs(%zero, %zero : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%in: f32, %sum: f32, %max: f32):
    %s = arith.addf %in, %sum : f32
    %m = arith.maximumf %in, %max : f32
    linalg.yield %s, %m : f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// Rows 2, 0, 2 of a table.
// GATHER: result0: 3x2 f32: 4 5 0 1 4 5
func.func @gather(%table: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %rows = arith.constant dense<[2, 0, 2]> : tensor<3xi32>
  %e = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, #id], iterator_types = ["parallel", "parallel"]}
       ins(%rows : tensor<3xi32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%row: i32, %out: f32):
    %r = arith.index_cast %row : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%r, %j] : tensor<3x2xf32>
    linalg.yield %v : f32
  } -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// Reversed, repeated by pairs, every second element, the diagonal.
// MAPS: result0: 4 f32: 3 2 1 0
// MAPS: result1: 4 f32: 0 0 1 1
// MAPS: result2: 2 f32: 0 2
// MAPS: result3: 2 f32: 0 3
func.func @maps(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2xf32>) {
  %e4 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<2xf32>
  %square = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %a3 = tensor.extract_slice %a[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %a2 = tensor.extract_slice %a[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (3 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
       ins(%a : tensor<4xf32>) outs(%e4 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
       ins(%a2 : tensor<2xf32>) outs(%e4 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i * 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
       ins(%a3 : tensor<3xf32>) outs(%e2 : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
       ins(%square : tensor<2x2xf32>) outs(%e2 : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2xf32>
}

// out = 2 * out + in along j, which is no plain sum: ((0*2+0)*2+1)*2+2 = 4 and
// ((0*2+3)*2+4)*2+5 = 25.
// SCAN: result0: 2 f32: 4 25
func.func @scan(%a: tensor<2x3xf32>) -> tensor<2xf32> {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %two = arith.constant 2.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
       ins(%a : tensor<2x3xf32>) outs(%zero : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %d = arith.mulf %out, %two : f32
    %s = arith.addf %d, %in : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Two contracted dimensions at once: sum over j and k of a[i,j,k] * b[k,j].
// a[0] = [[0,1],[2,3]], b = [[0,1],[2,3]]: 0*0 + 1*2 + 2*1 + 3*3 = 13;
// a[1] = [[4,5],[6,7]]: 4*0 + 5*2 + 6*1 + 7*3 = 37.
// CONTRACTION: result0: 2 f32: 13 37
func.func @contraction(%a: tensor<2x2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2xf32> {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i)>]
       ins(%a, %b : tensor<2x2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
