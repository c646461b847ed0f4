// RUN: %dtensor-opt %s --split-input-file --dtensor-parallelize --verify-diagnostics

// The constraints of dtensor-parallelize.

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.parallelize_plan @first on @mesh {
}
// (C1)
// expected-error @+1 {{'dtensor.parallelize_plan' op is another plan; name the one to apply (the module has @first, @second)}}
dtensor.parallelize_plan @second on @mesh {
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C2)
  // expected-error @+1 {{'dtensor.style' op pattern "layers.*" matches no parameter; the program's are a, b}}
  dtensor.style "layers.*" replicate "x"
}
func.func @main(%a: tensor<8xf32> {dtensor.name = "a"}, %b: tensor<8xf32> {dtensor.name = "b"}) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C2)
  // expected-error @+1 {{'dtensor.style' op pattern "*" matches no parameter; no argument has a dtensor.name}}
  dtensor.style "*" replicate "x"
}
func.func @main(%a: tensor<8xf32>) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // expected-note @+1 {{the other entry is here}}
  dtensor.style "{a,b}" replicate "x"
  // (C3)
  // expected-error @+1 {{'dtensor.style' op lays out argument 1 of @main, "b", which another entry of the plan does already; narrow one of them}}
  dtensor.style "*b" replicate "x"
}
func.func @main(%a: tensor<8xf32> {dtensor.name = "a"}, %b: tensor<8xf32> {dtensor.name = "b"}) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // expected-note @+1 {{the other entry is here}}
  dtensor.style "a" replicate "x"
  // (C3)
  // expected-error @+1 {{'dtensor.prepare_input' op lays out argument 0 of @main, "a", which another entry of the plan does already; narrow one of them}}
  dtensor.prepare_input 0 []
}
func.func @main(%a: tensor<8xf32> {dtensor.name = "a"}) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C4)
  // expected-error @+1 {{'dtensor.style' op lays out argument 0 of @main, "a", which has a dtensor.layout of its own; keep one of the two}}
  dtensor.style "a" replicate "x"
}
func.func @main(
    // expected-note @+1 {{it is here}}
    %a: tensor<8xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@mesh, []>}) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C5)
  // expected-error @+1 {{'dtensor.style' op 'colwise' of argument 0 of @main, "bias": no matrix product uses it, directly or through transpositions, reshapes and conversions; give the argument a dtensor.layout instead}}
  dtensor.style "bias" colwise "x"
}
func.func @main(%a: tensor<8xf32> {dtensor.name = "bias"}) {
  %sum = arith.addf %a, %a : tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C5)
  // expected-error @+1 {{'dtensor.style' op 'colwise' of argument 1 of @main, "v": the matrix product that uses it keeps 0 of its dimensions; give the argument a dtensor.layout instead}}
  dtensor.style "v" colwise "x"
}
func.func @main(%m: tensor<4x8xf32>, %v: tensor<8xf32> {dtensor.name = "v"}, %init: tensor<4xf32>) {
  // expected-note @+1 {{the product is here}}
  %p = linalg.matvec ins(%m, %v : tensor<4x8xf32>, tensor<8xf32>) outs(%init : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C5) A reshape that joins what is summed over with what is kept.
  // expected-error @+1 {{'dtensor.style' op 'rowwise' of argument 1 of @main, "w": the matrix product that uses it sums over 0 of its dimensions; give the argument a dtensor.layout instead}}
  dtensor.style "w" rowwise "x"
}
func.func @main(%m: tensor<4x8xf32>, %w: tensor<2x4x8xf32> {dtensor.name = "w"}, %init: tensor<4x8xf32>) {
  %flat = tensor.collapse_shape %w [[0, 1], [2]] : tensor<2x4x8xf32> into tensor<8x8xf32>
  // expected-note @+1 {{the product is here}}
  %p = linalg.matmul ins(%m, %flat : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C5)
  // expected-error @+1 {{'dtensor.style' op matches argument 0 of @main, "scale", which is no tensor but a 'f32'}}
  dtensor.style "scale" replicate "x"
}
func.func @main(%a: f32 {dtensor.name = "scale"}) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C6)
  // expected-error @+1 {{'dtensor.prepare_input' op prepares argument 1, @main has 1 (counted from 0)}}
  dtensor.prepare_input 1 []
}
func.func @main(%a: tensor<8xf32>) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C6)
  // expected-error @+1 {{'dtensor.prepare_input' op lays out argument 0 of @main: shard(1) of axis 'x': dim 1 is out of range, the tensor has rank 1 (dims 0..0)}}
  dtensor.prepare_input 0 ["x" = shard(1)]
}
func.func @main(%a: tensor<8xf32>) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C7)
  // expected-error @+1 {{'dtensor.style' op 'sequence' of argument 0 of @main, "norm": nothing applies it, element by element, to a tensor with a dimension that it has not; use 'replicate', and dtensor.constrain on the activations}}
  dtensor.style "norm" sequence "x"
}
func.func @main(%a: tensor<8xf32> {dtensor.name = "norm"}) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

dtensor.parallelize_plan @plan on @mesh {
  // (C8)
  // expected-error @+1 {{'dtensor.style' op 'expert' of argument 0 of @main, "scale": a tensor of rank 0 has no dimension that counts experts}}
  dtensor.style "scale" expert "x"
}

func.func @main(%a: tensor<f32> {dtensor.name = "scale"}) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

dtensor.parallelize_plan @plan on @mesh {
  // (C2)
  // expected-error @+1 {{'dtensor.place' op pattern "v" matches no parameter; the program's are w}}
  dtensor.place "v" ["x" = shard(0)]
}

func.func @main(%a: tensor<4xf32> {dtensor.name = "w"}) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

dtensor.parallelize_plan @plan on @mesh {
  // (C6)
  // expected-error @+1 {{'dtensor.prepare_output' op prepares result 1, @main has 1 (counted from 0)}}
  dtensor.prepare_output 1 ["x" = shard(0)]
}

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

dtensor.parallelize_plan @plan on @mesh {
  // (C6)
  // expected-error @+1 {{'dtensor.prepare_output' op lays out result 0 of @main: shard(1) of axis 'x': dim 1 is out of range, the tensor has rank 1 (dims 0..0)}}
  dtensor.prepare_output 0 ["x" = shard(1)]
}

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

dtensor.parallelize_plan @plan on @mesh {
  // expected-note @+1 {{the other entry is here}}
  dtensor.prepare_output 0 ["x" = shard(0)]
  // (C3)
  // expected-error @+1 {{'dtensor.prepare_output' op lays out result 0 of @main, which another entry of the plan does already; narrow one of them}}
  dtensor.prepare_output 0 []
}

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

dtensor.parallelize_plan @plan on @mesh {
  // (C4)
  // expected-error @+1 {{'dtensor.prepare_output' op lays out result 0 of @main, which has a dtensor.layout of its own; keep one of the two}}
  dtensor.prepare_output 0 ["x" = shard(0)]
}

// expected-note @+1 {{it is here}}
func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  return %a : tensor<4xf32>
}
