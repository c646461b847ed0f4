// A program whose inputs are whole on every rank: each keeps its part, and the
// result is made whole again. Only the last step moves data.
dtensor.mesh @mesh ["x" = 4]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>

func.func @main(%x: tensor<8x6xf32> {dtensor.name = "x"}) -> tensor<8x6xf32> {
  %parts = dtensor.distribute %x src_rank 0 : tensor<8x6xf32> to #rows
  %active = math.tanh %parts : tensor<8x6xf32>
  %whole = dtensor.full_tensor %active : tensor<8x6xf32>
  return %whole : tensor<8x6xf32>
}

// RUN: dtensor-compile %s --emit=local | FileCheck %s
// RUN: dtensor-compile %s --implicit=forbid --emit=local -o %t
// RUN: dtensor-run %s --random-inputs 1 --check | FileCheck %s --check-prefix=RAN
// RUN: dtensor-run %s --random-inputs 1 --check=interp | FileCheck %s --check-prefix=RAN

// CHECK-LABEL: func.func @main(%arg0: tensor<8x6xf32>
// CHECK-NEXT:  %[[PART:.*]] = comm.slice %arg0 over @mesh["x"] dim 0 : tensor<8x6xf32> -> tensor<2x6xf32>
// CHECK-NEXT:  %[[ACTIVE:.*]] = math.tanh %[[PART]] : tensor<2x6xf32>
// CHECK-NEXT:  %[[WHOLE:.*]] = comm.all_gather %[[ACTIVE]] over @mesh["x"] dim 0 : tensor<2x6xf32> -> tensor<8x6xf32>
// CHECK-NEXT:  return %[[WHOLE]]

// RAN: all_gather over "x"
// RAN: result0: largest error {{.*}}: ok
