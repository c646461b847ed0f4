// RUN: dtensor-compile %s --emit=plan-json | FileCheck %s
// RUN: dtensor-compile %s --emit=plan-json --no-reference | FileCheck %s --check-prefix=ALONE
// RUN: dtensor-compile %s -o %t.first && dtensor-compile %s -o %t.second && cmp %t.first %t.second
//
// The metadata of a plan: programs, steps, collectives with their price. Equal
// programs give equal bytes.

dtensor.mesh @mesh ["x" = 2]

// CHECK: "producer": "dtensor-opt
// CHECK: "source": "plan-json.mlir"
// CHECK: "topology": "builtin:threads"
// CHECK: "kernels": [
// CHECK: "symbol": "kernel0"
// CHECK: "name": "main"
// CHECK: "name": "x"
// CHECK-NEXT: "size": 2
// CHECK: "inputs": [
// CHECK: "name": "a"
// CHECK: "layout": "x=shard(0)"
// CHECK: "requires_grad": true
// CHECK: "results": [
// CHECK: "name": "result0"
// CHECK: "layout": ""
// CHECK: "requires_grad": true
// CHECK: "steps": [
// CHECK: "kind": "kernel"
// CHECK: "kind": "collective"
// CHECK: "collectives": [
// CHECK: "name": "all_gather.0"
// CHECK-NEXT: "kind": "all_gather"
// CHECK: "recv_bytes": 16
// CHECK: "modelled_us":
// CHECK: "reference": 1
// CHECK: "name": "main.reference"

// ALONE-NOT: main.reference
func.func @main(%a: tensor<8xf32> {dtensor.name = "a", dtensor.requires_grad, dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
    -> (tensor<8xf32> {dtensor.requires_grad, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %0 = math.exp %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
