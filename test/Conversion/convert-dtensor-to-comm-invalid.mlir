// RUN: %dtensor-opt %s --convert-dtensor-to-comm --split-input-file --verify-diagnostics
//
// What convert-dtensor-to-comm refuses; the labels are those of its
// documentation.

dtensor.mesh @mesh ["x" = 2]

// (C1)
// expected-error @+1 {{'func.func' op a tensor has no layout; run dtensor-insert-redistributions before}}
func.func @no_layout(%a: tensor<8xf32>) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

// (C2)
// expected-error @+1 {{'func.func' op dimension 0 of 'tensor<7xf32>' has 7 elements, which do not divide over 2 ranks (x); uneven shards are not compiled yet, choose a size that divides or leave the dimension whole}}
func.func @uneven(%a: tensor<7xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

func.func @no_comm_op(%a: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum)]>}) {
  // expected-error @+1 {{'dtensor.redistribute' op from #dtensor.layout<@mesh, ["x" = partial(sum)]> to #dtensor.layout<@mesh, ["x" = partial(avg)]> needs the step scale, which is not compiled yet}}
  %0 = dtensor.redistribute %a : tensor<8xf32> to #dtensor.layout<@mesh, ["x" = partial(avg)]>
  return
}
