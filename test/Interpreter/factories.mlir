// Factories, by what they are defined to be. The first words for seed 0 are
// 6627e8d5 e169c58d bc57ac4c 9b00dbd8, a test vector of the generator's
// authors.
// RUN: interpret-program %s | FileCheck %s
//
// The interpreter evaluates the ops themselves, compiled programs what
// dtensor-expand-factories makes of them.
// RUN: interpret-program %s --spmd | FileCheck %s --check-prefix=SPMD
// RUN: interpret-program %examples/factories.mlir --spmd | FileCheck %s --check-prefix=SPMD
// RUN: dtensor-opt %s --dtensor-expand-factories | interpret-program - | FileCheck %s

// CHECK: result0: 2 f32: 1 1
// CHECK: result1: 2 i1: -1 -1
// CHECK: result2: 2 i8: 0 0
// CHECK: result3: 2 f16: 2.5 2.5
// CHECK: result4: 1 f32: 0.399046
// CHECK: result5: scalar f16: 0.3989258
// CHECK: result6: 1 bf16: 0.3984375
// CHECK: result7: 1 f64: 0.399046
// CHECK: result8: 1 f64: -0.121518
// CHECK: result9: 1 f32: -0.121518

// SPMD: result4: largest error 0 {{.*}}: ok
// SPMD: result8: largest error {{.*}}: ok

dtensor.mesh @mesh ["x" = 2]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>

func.func @main() -> (tensor<2xf32>, tensor<2xi1>, tensor<2xi8>, tensor<2xf16>, tensor<1xf32>, tensor<f16>,
                      tensor<1xbf16>, tensor<1xf64>, tensor<1xf64>, tensor<1xf32>) {
  %0 = dtensor.ones : tensor<2xf32> to #rows
  %1 = dtensor.ones : tensor<2xi1>
  %2 = dtensor.zeros : tensor<2xi8> to #rows
  %3 = dtensor.full(2.5 : f16) : tensor<2xf16>
  %4 = dtensor.rand seed 0 : tensor<1xf32> to #rows
  %5 = dtensor.rand seed 0 : tensor<f16>
  %6 = dtensor.rand seed 0 : tensor<1xbf16>
  %7 = dtensor.rand seed 0 : tensor<1xf64>
  %8 = dtensor.randn seed 0 : tensor<1xf64>
  %9 = dtensor.randn seed 0 : tensor<1xf32> to #rows
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
      : tensor<2xf32>, tensor<2xi1>, tensor<2xi8>, tensor<2xf16>, tensor<1xf32>, tensor<f16>,
        tensor<1xbf16>, tensor<1xf64>, tensor<1xf64>, tensor<1xf32>
}
