// RUN: %dtensor-opt %s --dtensor-import-stablehlo | FileCheck %s
//
// After a round trip through XLA meshes and shardings stand in strings.

// CHECK: module @jit_f {
module @jit_f attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22x\\\22=2]>, other = #sdy.mesh<[\22y\22=4], device_ids=[0, 1, 3, 2]>}"}, mhlo.num_partitions = 2 : i32} {
  // CHECK: dtensor.mesh @mesh ["x" = 2]
  // CHECK: dtensor.mesh @other ["y" = 4] devices = [0, 1, 3, 2]
  // CHECK: func.func @main(%arg0: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>, dtensor.name = "args_1"}) -> tensor<8xf32>
  func.func public @main(%a: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x\22}]>"}, mhlo.sharding = "{devices=[2]<=[2]}", ttir.name = "args_1"}) -> tensor<8xf32> {
    // CHECK-NEXT: dtensor.constrain %arg0 : tensor<8xf32> to #dtensor.layout<@mesh, []>
    %0 = stablehlo.custom_call @Sharding(%a) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{}]>]>"}, mhlo.sharding = "{replicated}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
