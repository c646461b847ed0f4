// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// What the structured ops refuse; the labels are those of their documentation.

func.func @result_of_another_type(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>) {
  // (S1)
  // expected-error @+1 {{'dtensor.scan' op gives 'tensor<8xf32>', its destinations are of 'tensor<4x8xf32>'}}
  %0 = dtensor.scan sum dim 0 ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @scan_dim(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>) {
  // (S2)
  // expected-error @+1 {{'dtensor.scan' op dimension 2 is out of range for a tensor of rank 2}}
  %0 = dtensor.scan sum dim 2 ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sort_dim(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>) {
  // (S2)
  // expected-error @+1 {{'dtensor.sort' op dimension -1 is out of range for a tensor of rank 2}}
  %0 = dtensor.sort dim -1 ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scan_of_two(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.scan' op takes 1 operands and 1 destinations, got 2 and 1}}
  %0 = dtensor.scan sum dim 0 ins(%a, %e : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scan_into_another_shape(%a: tensor<4x8xf32>, %e: tensor<8x4xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.scan' op scans 'tensor<4x8xf32>' into 'tensor<8x4xf32>'; both must be alike}}
  %0 = dtensor.scan sum dim 0 ins(%a : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @scan_avg(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.scan' op combines elements of type 'f32' by 'avg', which is not defined here}}
  %0 = dtensor.scan avg dim 0 ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scan_band_of_floats(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.scan' op combines elements of type 'f32' by 'band', which is not defined here}}
  %0 = dtensor.scan band dim 0 ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sort_nothing() {
  // (C1)
  // expected-error @+1 {{'dtensor.sort' op sorts nothing}}
  "dtensor.sort"() <{dim = 0 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  return
}

// -----

func.func @sort_other_shape(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.sort' op sorts 'tensor<5xf32>' into 'tensor<5xf32>' by keys of 'tensor<4xf32>'; all must have one shape}}
  %0:2 = dtensor.sort dim 0 ins(%a, %b : tensor<4xf32>, tensor<5xf32>) outs(%a, %b : tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>, tensor<5xf32>
  return
}

// -----

func.func @sort_dynamic_lines(%a: tensor<?xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.sort' op sorts along dimension 0, whose size is not known}}
  %0 = dtensor.sort dim 0 ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @sort_small_floats(%a: tensor<4xf8E5M2>) {
  // (C3)
  // expected-error @+1 {{'dtensor.sort' op compares elements of type 'f8E5M2'; use integers, or floats of 16 bits and more}}
  %0 = dtensor.sort dim 0 ins(%a : tensor<4xf8E5M2>) outs(%a : tensor<4xf8E5M2>) -> tensor<4xf8E5M2>
  return
}

// -----

func.func @top_k_places(%a: tensor<4x8xf32>, %g: tensor<4x3xf32>, %h: tensor<4x3xi16>, %i: tensor<4x3xi32>, %j: tensor<4x9xf32>, %k: tensor<4x9xi32>, %f: tensor<4x3xf8E5M2>, %b: tensor<4x8xf8E5M2>) {
  // (C1)
  // expected-error @+1 {{'dtensor.top_k' op of 'tensor<4x8xf32>' gives values of 'tensor<4x3xf32>' and positions of 'tensor<4x3xi16>'; they have one shape, the operand's element type, and i32 or i64}}
  %0:2 = dtensor.top_k dim 1 ins(%a : tensor<4x8xf32>) outs(%g, %h : tensor<4x3xf32>, tensor<4x3xi16>) -> tensor<4x3xf32>, tensor<4x3xi16>
  return
}

// -----

func.func @top_k_longer(%a: tensor<4x8xf32>, %g: tensor<4x3xf32>, %h: tensor<4x3xi16>, %i: tensor<4x3xi32>, %j: tensor<4x9xf32>, %k: tensor<4x9xi32>, %f: tensor<4x3xf8E5M2>, %b: tensor<4x8xf8E5M2>) {
  // (C2)
  // expected-error @+1 {{'dtensor.top_k' op along dimension 1 of 'tensor<4x8xf32>' cannot give 'tensor<4x9xf32>'}}
  %0:2 = dtensor.top_k dim 1 ins(%a : tensor<4x8xf32>) outs(%j, %k : tensor<4x9xf32>, tensor<4x9xi32>) -> tensor<4x9xf32>, tensor<4x9xi32>
  return
}

// -----

func.func @top_k_other_dim(%a: tensor<4x8xf32>, %g: tensor<4x3xf32>, %h: tensor<4x3xi16>, %i: tensor<4x3xi32>, %j: tensor<4x9xf32>, %k: tensor<4x9xi32>, %f: tensor<4x3xf8E5M2>, %b: tensor<4x8xf8E5M2>) {
  // (C2)
  // expected-error @+1 {{'dtensor.top_k' op along dimension 0 of 'tensor<4x8xf32>' cannot give 'tensor<4x3xf32>'}}
  %0:2 = dtensor.top_k dim 0 ins(%a : tensor<4x8xf32>) outs(%g, %i : tensor<4x3xf32>, tensor<4x3xi32>) -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----

func.func @top_k_small_floats(%a: tensor<4x8xf32>, %g: tensor<4x3xf32>, %h: tensor<4x3xi16>, %i: tensor<4x3xi32>, %j: tensor<4x9xf32>, %k: tensor<4x9xi32>, %f: tensor<4x3xf8E5M2>, %b: tensor<4x8xf8E5M2>) {
  // (C3)
  // expected-error @+1 {{'dtensor.top_k' op compares elements of type 'f8E5M2'; use integers, or floats of 16 bits and more}}
  %0:2 = dtensor.top_k dim 1 ins(%b : tensor<4x8xf8E5M2>) outs(%f, %i : tensor<4x3xf8E5M2>, tensor<4x3xi32>) -> tensor<4x3xf8E5M2>, tensor<4x3xi32>
  return
}

// -----

func.func @gather_dim(%t: tensor<9x6xf32>, %i: tensor<4x1xi32>, %j: tensor<4x1xi16>, %r: tensor<4x6xf32>, %p: tensor<4xf32>, %z: tensor<0x6xf32>) {
  // (S2)
  // expected-error @+1 {{'dtensor.gather' op dimension 2 is out of range for a tensor of rank 2}}
  %0 = dtensor.gather dims [2] ins(%t, %i : tensor<9x6xf32>, tensor<4x1xi32>) outs(%r : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @gather_dim_twice(%t: tensor<9x6xf32>, %i: tensor<4x1xi32>, %j: tensor<4x1xi16>, %r: tensor<4x6xf32>, %p: tensor<4xf32>, %z: tensor<0x6xf32>) {
  // (S2)
  // expected-error @+1 {{'dtensor.gather' op names dimension 0 twice}}
  %0 = dtensor.gather dims [0, 0] ins(%t, %i : tensor<9x6xf32>, tensor<4x1xi32>) outs(%r : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @gather_without_indices(%t: tensor<9x6xf32>, %i: tensor<4x1xi32>, %j: tensor<4x1xi16>, %r: tensor<4x6xf32>, %p: tensor<4xf32>, %z: tensor<0x6xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.gather' op takes 2 operands and 1 destinations, got 1 and 1}}
  %0 = dtensor.gather dims [0] ins(%t : tensor<9x6xf32>) outs(%r : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @gather_index_type(%t: tensor<9x6xf32>, %i: tensor<4x1xi32>, %j: tensor<4x1xi16>, %r: tensor<4x6xf32>, %p: tensor<4xf32>, %z: tensor<0x6xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.gather' op has indices of 'tensor<4x1xi16>'; for 1 dimensions their last one has as many elements, of i32 or i64}}
  %0 = dtensor.gather dims [0] ins(%t, %j : tensor<9x6xf32>, tensor<4x1xi16>) outs(%r : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @gather_index_count(%t: tensor<9x6xf32>, %i: tensor<4x1xi32>, %j: tensor<4x1xi16>, %r: tensor<4x6xf32>, %p: tensor<4xf32>, %z: tensor<0x6xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.gather' op has indices of 'tensor<4x1xi32>'; for 2 dimensions their last one has as many elements, of i32 or i64}}
  %0 = dtensor.gather dims [0, 1] ins(%t, %i : tensor<9x6xf32>, tensor<4x1xi32>) outs(%p : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_shape(%t: tensor<9x6xf32>, %i: tensor<4x1xi32>, %j: tensor<4x1xi16>, %r: tensor<4x6xf32>, %p: tensor<4xf32>, %z: tensor<0x6xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.gather' op of 'tensor<9x6xf32>' at 'tensor<4x1xi32>' has parts of 'tensor<4x6xf32>', got 'tensor<4xf32>'}}
  %0 = dtensor.gather dims [0] ins(%t, %i : tensor<9x6xf32>, tensor<4x1xi32>) outs(%p : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_from_nothing(%t: tensor<9x6xf32>, %i: tensor<4x1xi32>, %j: tensor<4x1xi16>, %r: tensor<4x6xf32>, %p: tensor<4xf32>, %z: tensor<0x6xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.gather' op takes parts of dimension 0 of 'tensor<0x6xf32>', which is empty}}
  %0 = dtensor.gather dims [0] ins(%z, %i : tensor<0x6xf32>, tensor<4x1xi32>) outs(%r : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @scatter_without_indices(%t: tensor<9x6xf32>, %i: tensor<4x1xi32>, %j: tensor<4x1xi16>, %r: tensor<4x6xf32>, %p: tensor<4xf32>, %z: tensor<0x6xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.scatter' op takes 2 operands and 1 destinations, got 1 and 1}}
  %0 = dtensor.scatter dims [0] ins(%r : tensor<4x6xf32>) outs(%t : tensor<9x6xf32>) -> tensor<9x6xf32>
  return
}

// -----

func.func @scatter_shape(%t: tensor<9x6xf32>, %i: tensor<4x1xi32>, %j: tensor<4x1xi16>, %r: tensor<4x6xf32>, %p: tensor<4xf32>, %z: tensor<0x6xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.scatter' op of 'tensor<9x6xf32>' at 'tensor<4x1xi32>' has parts of 'tensor<4x6xf32>', got 'tensor<4xf32>'}}
  %0 = dtensor.scatter dims [0] ins(%p, %i : tensor<4xf32>, tensor<4x1xi32>) outs(%t : tensor<9x6xf32>) -> tensor<9x6xf32>
  return
}

// -----

func.func @scatter_avg(%t: tensor<9x6xf32>, %i: tensor<4x1xi32>, %j: tensor<4x1xi16>, %r: tensor<4x6xf32>, %p: tensor<4xf32>, %z: tensor<0x6xf32>) {
  // (C3)
  // expected-error @+1 {{'dtensor.scatter' op combines elements of type 'f32' by 'avg', which is not defined here}}
  %0 = dtensor.scatter avg dims [0] ins(%r, %i : tensor<4x6xf32>, tensor<4x1xi32>) outs(%t : tensor<9x6xf32>) -> tensor<9x6xf32>
  return
}

// -----

func.func @window_of_two(%a: tensor<9xf32>, %e: tensor<5xf32>, %i: tensor<5xi32>, %d: tensor<?xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.reduce_window' op takes 1 operands and 1 destinations, got 2 and 1}}
  %0 = dtensor.reduce_window max window [3] strides [2] dilations [1] low [1] high [1] ins(%a, %a : tensor<9xf32>, tensor<9xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @window_lists(%a: tensor<9xf32>, %e: tensor<5xf32>, %i: tensor<5xi32>, %d: tensor<?xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.reduce_window' op has a list of 2 entries for an operand of rank 1}}
  %0 = dtensor.reduce_window max window [3] strides [2, 2] dilations [1] low [1] high [1] ins(%a : tensor<9xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @window_types(%a: tensor<9xf32>, %e: tensor<5xf32>, %i: tensor<5xi32>, %d: tensor<?xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.reduce_window' op reduces windows of 'tensor<9xf32>' into 'tensor<5xi32>'; both have one rank and element type}}
  %0 = dtensor.reduce_window max window [3] strides [2] dilations [1] low [1] high [1] ins(%a : tensor<9xf32>) outs(%i : tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @window_stride(%a: tensor<9xf32>, %e: tensor<5xf32>, %i: tensor<5xi32>, %d: tensor<?xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.reduce_window' op has a window, stride or dilation of 0 in dimension 0; they are at least 1 and at most 2^31}}
  %0 = dtensor.reduce_window max window [3] strides [0] dilations [1] low [1] high [1] ins(%a : tensor<9xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @window_padding(%a: tensor<9xf32>, %e: tensor<5xf32>, %i: tensor<5xi32>, %d: tensor<?xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.reduce_window' op has -1 elements around dimension 0; there are at least 0, at most 2^31}}
  %0 = dtensor.reduce_window max window [3] strides [2] dilations [1] low [-1] high [1] ins(%a : tensor<9xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @window_count(%a: tensor<9xf32>, %e: tensor<5xf32>, %i: tensor<5xi32>, %d: tensor<?xf32>) {
  // (C3)
  // expected-error @+1 {{'dtensor.reduce_window' op has 4 windows in dimension 0 of 'tensor<9xf32>', got 'tensor<5xf32>'}}
  %0 = dtensor.reduce_window max window [3] strides [2] dilations [1] low [0] high [0] ins(%a : tensor<9xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @window_unknown_size(%a: tensor<9xf32>, %e: tensor<5xf32>, %i: tensor<5xi32>, %d: tensor<?xf32>) {
  // (C3)
  // expected-error @+1 {{'dtensor.reduce_window' op slides over dimension 0, whose size is not known}}
  %0 = dtensor.reduce_window max window [3] strides [2] dilations [1] low [1] high [1] ins(%d : tensor<?xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @window_avg(%a: tensor<9xf32>, %e: tensor<5xf32>, %i: tensor<5xi32>, %d: tensor<?xf32>) {
  // (C4)
  // expected-error @+1 {{'dtensor.reduce_window' op combines elements of type 'f32' by 'avg', which is not defined here}}
  %0 = dtensor.reduce_window avg window [3] strides [2] dilations [1] low [1] high [1] ins(%a : tensor<9xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @attention_of_two(%q: tensor<2x4x8xf32>, %k: tensor<2x5x8xf32>, %v: tensor<2x5x3xf32>, %o: tensor<2x4x3xf32>, %b: tensor<3x5x8xf32>, %w: tensor<2x6x3xf32>, %s: tensor<2x3x8xf32>, %t: tensor<2x3x3xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.attention' op takes 3 operands and 1 destinations, got 2 and 1}}
  %0 = dtensor.attention ins(%q, %k : tensor<2x4x8xf32>, tensor<2x5x8xf32>) outs(%o : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @attention_batches(%q: tensor<2x4x8xf32>, %k: tensor<2x5x8xf32>, %v: tensor<2x5x3xf32>, %o: tensor<2x4x3xf32>, %b: tensor<3x5x8xf32>, %w: tensor<2x6x3xf32>, %s: tensor<2x3x8xf32>, %t: tensor<2x3x3xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.attention' op of 'tensor<2x4x8xf32>', 'tensor<3x5x8xf32>' and 'tensor<2x5x3xf32>' into 'tensor<2x4x3xf32>'; all have one rank of at least 2, the same batches, and one type of floats}}
  %0 = dtensor.attention ins(%q, %b, %v : tensor<2x4x8xf32>, tensor<3x5x8xf32>, tensor<2x5x3xf32>) outs(%o : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @attention_values(%q: tensor<2x4x8xf32>, %k: tensor<2x5x8xf32>, %v: tensor<2x5x3xf32>, %o: tensor<2x4x3xf32>, %b: tensor<3x5x8xf32>, %w: tensor<2x6x3xf32>, %s: tensor<2x3x8xf32>, %t: tensor<2x3x3xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.attention' op of queries 'tensor<2x4x8xf32>', keys 'tensor<2x5x8xf32>' and values 'tensor<2x6x3xf32>' cannot give 'tensor<2x4x3xf32>'}}
  %0 = dtensor.attention ins(%q, %k, %w : tensor<2x4x8xf32>, tensor<2x5x8xf32>, tensor<2x6x3xf32>) outs(%o : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @attention_causal(%q: tensor<2x4x8xf32>, %k: tensor<2x5x8xf32>, %v: tensor<2x5x3xf32>, %o: tensor<2x4x3xf32>, %b: tensor<3x5x8xf32>, %w: tensor<2x6x3xf32>, %s: tensor<2x3x8xf32>, %t: tensor<2x3x3xf32>) {
  // (C3)
  // expected-error @+1 {{'dtensor.attention' op is causal and has 4 queries of 3 keys; the first ones see none}}
  %0 = dtensor.attention causal ins(%q, %s, %t : tensor<2x4x8xf32>, tensor<2x3x8xf32>, tensor<2x3x3xf32>) outs(%o : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @bits_of_floats() {
  // (C5)
  // expected-error @+1 {{'dtensor.rng_bits' op makes random bits of type 'f32'; use i8, i16, i32 or i64}}
  %0 = dtensor.rng_bits seed 1 : tensor<4xf32>
  return
}
