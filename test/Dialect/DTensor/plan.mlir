// RUN: %dtensor-opt %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --verify-roundtrip %s -o %t
// RUN: %dtensor-opt --emit-bytecode %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --mlir-print-op-generic %s | %dtensor-opt | FileCheck %s

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]

// CHECK-LABEL: dtensor.parallelize_plan @megatron on @mesh {
// CHECK-NEXT:    dtensor.style "layers.*.attn.{wq,wk,wv}" colwise "tp"
// CHECK-NEXT:    dtensor.style "layers.*.attn.wo" rowwise "tp"
// CHECK-NEXT:    dtensor.style "*.norm" sequence "tp"
// CHECK-NEXT:    dtensor.style "embedding" replicate "tp" {test.note = 1 : i64}
// CHECK-NEXT:    dtensor.prepare_input 0 ["dp" = shard(0)]
// CHECK-NEXT:    dtensor.prepare_input 1 [...]
// CHECK-NEXT:    dtensor.prepare_input 2 ["dp" = shard(0), "tp":(1)2 = replicate, ...]
// CHECK-NEXT:    dtensor.prepare_input 3 []
// CHECK-NEXT:  }
dtensor.parallelize_plan @megatron on @mesh {
  dtensor.style "layers.*.attn.{wq,wk,wv}" colwise "tp"
  dtensor.style "layers.*.attn.wo" rowwise "tp"
  dtensor.style "*.norm" sequence "tp"
  dtensor.style "embedding" replicate "tp" {test.note = 1 : i64}
  dtensor.prepare_input 0 ["dp" = shard(0)]
  dtensor.prepare_input 1 [...]
  dtensor.prepare_input 2 ["dp" = shard(0), "tp":(1)2 = replicate, ...]
  dtensor.prepare_input 3 []
}

// CHECK-LABEL: dtensor.parallelize_plan @empty on @mesh {
// CHECK-NEXT:  }
dtensor.parallelize_plan @empty on @mesh {
}
