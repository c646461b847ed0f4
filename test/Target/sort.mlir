// Sorting lines of many lengths and types: compiled code and the interpreter
// agree bit by bit, equal elements included (the second operand tells them
// apart).
// RUN: dtensor-run %s --random-inputs 5 --check=interp --rtol 0 | FileCheck %s
// CHECK-COUNT-16: largest error 0 {{.*}}: ok

dtensor.mesh @mesh ["x" = 2]

func.func @main(%a0: tensor<0x3xf32> {dtensor.name = "a0"}, %p0: tensor<0x3xi32> {dtensor.name = "p0"},
                %a1: tensor<1x3xbf16> {dtensor.name = "a1"}, %p1: tensor<1x3xi32> {dtensor.name = "p1"},
                %a2: tensor<2x3xf64> {dtensor.name = "a2"}, %p2: tensor<2x3xi32> {dtensor.name = "p2"},
                %a3: tensor<3x3xi8> {dtensor.name = "a3"}, %p3: tensor<3x3xi32> {dtensor.name = "p3"},
                %a4: tensor<4x3xi1> {dtensor.name = "a4"}, %p4: tensor<4x3xi32> {dtensor.name = "p4"},
                %a7: tensor<7x3xf16> {dtensor.name = "a7"}, %p7: tensor<7x3xi32> {dtensor.name = "p7"},
                %a33: tensor<33x3xi32> {dtensor.name = "a33"}, %p33: tensor<33x3xi32> {dtensor.name = "p33"},
                %a1000: tensor<1000x3xi64> {dtensor.name = "a1000"}, %p1000: tensor<1000x3xi32> {dtensor.name = "p1000"})
    -> (tensor<0x3xf32>, tensor<0x3xi32>, tensor<1x3xbf16>, tensor<1x3xi32>, tensor<2x3xf64>, tensor<2x3xi32>, tensor<3x3xi8>, tensor<3x3xi32>, tensor<4x3xi1>, tensor<4x3xi32>, tensor<7x3xf16>, tensor<7x3xi32>, tensor<33x3xi32>, tensor<33x3xi32>, tensor<1000x3xi64>, tensor<1000x3xi32>) {
  %e0 = tensor.empty() : tensor<0x3xf32>
  %f0 = tensor.empty() : tensor<0x3xi32>
  %s0:2 = dtensor.sort dim 0 ins(%a0, %p0 : tensor<0x3xf32>, tensor<0x3xi32>) outs(%e0, %f0 : tensor<0x3xf32>, tensor<0x3xi32>) -> tensor<0x3xf32>, tensor<0x3xi32>
  %e1 = tensor.empty() : tensor<1x3xbf16>
  %f1 = tensor.empty() : tensor<1x3xi32>
  %s1:2 = dtensor.sort dim 0 descending ins(%a1, %p1 : tensor<1x3xbf16>, tensor<1x3xi32>) outs(%e1, %f1 : tensor<1x3xbf16>, tensor<1x3xi32>) -> tensor<1x3xbf16>, tensor<1x3xi32>
  %e2 = tensor.empty() : tensor<2x3xf64>
  %f2 = tensor.empty() : tensor<2x3xi32>
  %s2:2 = dtensor.sort dim 0 ins(%a2, %p2 : tensor<2x3xf64>, tensor<2x3xi32>) outs(%e2, %f2 : tensor<2x3xf64>, tensor<2x3xi32>) -> tensor<2x3xf64>, tensor<2x3xi32>
  %e3 = tensor.empty() : tensor<3x3xi8>
  %f3 = tensor.empty() : tensor<3x3xi32>
  %s3:2 = dtensor.sort dim 0 descending ins(%a3, %p3 : tensor<3x3xi8>, tensor<3x3xi32>) outs(%e3, %f3 : tensor<3x3xi8>, tensor<3x3xi32>) -> tensor<3x3xi8>, tensor<3x3xi32>
  %e4 = tensor.empty() : tensor<4x3xi1>
  %f4 = tensor.empty() : tensor<4x3xi32>
  %s4:2 = dtensor.sort dim 0 ins(%a4, %p4 : tensor<4x3xi1>, tensor<4x3xi32>) outs(%e4, %f4 : tensor<4x3xi1>, tensor<4x3xi32>) -> tensor<4x3xi1>, tensor<4x3xi32>
  %e7 = tensor.empty() : tensor<7x3xf16>
  %f7 = tensor.empty() : tensor<7x3xi32>
  %s7:2 = dtensor.sort dim 0 descending ins(%a7, %p7 : tensor<7x3xf16>, tensor<7x3xi32>) outs(%e7, %f7 : tensor<7x3xf16>, tensor<7x3xi32>) -> tensor<7x3xf16>, tensor<7x3xi32>
  %e33 = tensor.empty() : tensor<33x3xi32>
  %f33 = tensor.empty() : tensor<33x3xi32>
  %s33:2 = dtensor.sort dim 0 descending ins(%a33, %p33 : tensor<33x3xi32>, tensor<33x3xi32>) outs(%e33, %f33 : tensor<33x3xi32>, tensor<33x3xi32>) -> tensor<33x3xi32>, tensor<33x3xi32>
  %e1000 = tensor.empty() : tensor<1000x3xi64>
  %f1000 = tensor.empty() : tensor<1000x3xi32>
  %s1000:2 = dtensor.sort dim 0 ins(%a1000, %p1000 : tensor<1000x3xi64>, tensor<1000x3xi32>) outs(%e1000, %f1000 : tensor<1000x3xi64>, tensor<1000x3xi32>) -> tensor<1000x3xi64>, tensor<1000x3xi32>
  return %s0#0, %s0#1, %s1#0, %s1#1, %s2#0, %s2#1, %s3#0, %s3#1, %s4#0, %s4#1, %s7#0, %s7#1, %s33#0, %s33#1, %s1000#0, %s1000#1
      : tensor<0x3xf32>, tensor<0x3xi32>, tensor<1x3xbf16>, tensor<1x3xi32>, tensor<2x3xf64>, tensor<2x3xi32>, tensor<3x3xi8>, tensor<3x3xi32>, tensor<4x3xi1>, tensor<4x3xi32>, tensor<7x3xf16>, tensor<7x3xi32>, tensor<33x3xi32>, tensor<33x3xi32>, tensor<1000x3xi64>, tensor<1000x3xi32>
}
