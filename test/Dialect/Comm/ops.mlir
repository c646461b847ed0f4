// RUN: %dtensor-opt %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --verify-roundtrip %s -o %t
// RUN: %dtensor-opt --emit-bytecode %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --mlir-print-op-generic %s | %dtensor-opt | FileCheck %s

// Every collective of comm: over one axis, several axes and parts of axes.

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6, "one" = 1]
dtensor.mesh @ring ["x" = 4] devices = [3, 1, 2, 0]

// CHECK-LABEL: func.func @all_gather_over_one_axis
// CHECK-SAME: (%[[INPUT:.*]]: tensor<4x8xf32>)
func.func @all_gather_over_one_axis(%input: tensor<4x8xf32>) -> tensor<16x8xf32> {
  // CHECK-NEXT: %[[GATHERED:.*]] = comm.all_gather %[[INPUT]] over @mesh["y"] dim 0 : tensor<4x8xf32> -> tensor<16x8xf32>{{$}}
  %gathered = comm.all_gather %input over @mesh["y"] dim 0 : tensor<4x8xf32> -> tensor<16x8xf32>
  // CHECK-NEXT: return %[[GATHERED]]
  return %gathered : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @all_gather_over_two_axes_in_list_order
// CHECK-SAME: (%[[INPUT:.*]]: tensor<4x8xf32>)
func.func @all_gather_over_two_axes_in_list_order(%input: tensor<4x8xf32>) -> tensor<4x64xf32> {
  // CHECK-NEXT: %[[GATHERED:.*]] = comm.all_gather %[[INPUT]] over @mesh["y", "x"] dim 1 : tensor<4x8xf32> -> tensor<4x64xf32>{{$}}
  %gathered = comm.all_gather %input over @mesh["y", "x"] dim 1 : tensor<4x8xf32> -> tensor<4x64xf32>
  // CHECK-NEXT: return %[[GATHERED]]
  return %gathered : tensor<4x64xf32>
}

// CHECK-LABEL: func.func @all_gather_over_a_major_part
// CHECK-SAME: (%[[INPUT:.*]]: tensor<4x8xf32>)
func.func @all_gather_over_a_major_part(%input: tensor<4x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[GATHERED:.*]] = comm.all_gather %[[INPUT]] over @mesh["y":(1)2] dim 0 : tensor<4x8xf32> -> tensor<8x8xf32>{{$}}
  %gathered = comm.all_gather %input over @mesh["y":(1)2] dim 0 : tensor<4x8xf32> -> tensor<8x8xf32>
  // CHECK-NEXT: return %[[GATHERED]]
  return %gathered : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @all_gather_over_parts_of_one_axis
// CHECK-SAME: (%[[INPUT:.*]]: tensor<1xi64>)
func.func @all_gather_over_parts_of_one_axis(%input: tensor<1xi64>) -> tensor<6xi64> {
  // CHECK-NEXT: %[[GATHERED:.*]] = comm.all_gather %[[INPUT]] over @mesh["z":(3)2, "z":(1)3] dim 0 : tensor<1xi64> -> tensor<6xi64>{{$}}
  %gathered = comm.all_gather %input over @mesh["z":(3)2, "z":(1)3] dim 0 : tensor<1xi64> -> tensor<6xi64>
  // CHECK-NEXT: return %[[GATHERED]]
  return %gathered : tensor<6xi64>
}

// CHECK-LABEL: func.func @all_gather_over_axis_of_size_one
// CHECK-SAME: (%[[INPUT:.*]]: tensor<4xf32>)
func.func @all_gather_over_axis_of_size_one(%input: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[GATHERED:.*]] = comm.all_gather %[[INPUT]] over @mesh["one"] dim 0 : tensor<4xf32> -> tensor<4xf32>{{$}}
  %gathered = comm.all_gather %input over @mesh["one"] dim 0 : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: return %[[GATHERED]]
  return %gathered : tensor<4xf32>
}

// CHECK-LABEL: func.func @all_gather_of_empty_pieces
// CHECK-SAME: (%[[INPUT:.*]]: tensor<0x8xi1>)
func.func @all_gather_of_empty_pieces(%input: tensor<0x8xi1>) -> tensor<0x8xi1> {
  // CHECK-NEXT: %[[GATHERED:.*]] = comm.all_gather %[[INPUT]] over @mesh["y"] dim 0 : tensor<0x8xi1> -> tensor<0x8xi1>{{$}}
  %gathered = comm.all_gather %input over @mesh["y"] dim 0 : tensor<0x8xi1> -> tensor<0x8xi1>
  // CHECK-NEXT: return %[[GATHERED]]
  return %gathered : tensor<0x8xi1>
}

// CHECK-LABEL: func.func @all_gather_on_a_mesh_with_device_order
// CHECK-SAME: (%[[INPUT:.*]]: tensor<4xbf16>)
func.func @all_gather_on_a_mesh_with_device_order(%input: tensor<4xbf16>) -> tensor<16xbf16> {
  // CHECK-NEXT: %[[GATHERED:.*]] = comm.all_gather %[[INPUT]] over @ring["x"] dim 0 : tensor<4xbf16> -> tensor<16xbf16>{{$}}
  %gathered = comm.all_gather %input over @ring["x"] dim 0 : tensor<4xbf16> -> tensor<16xbf16>
  // CHECK-NEXT: return %[[GATHERED]]
  return %gathered : tensor<16xbf16>
}

// CHECK-LABEL: func.func @all_reduce_over_one_axis
// CHECK-SAME: (%[[INPUT:.*]]: tensor<16x8xf32>)
func.func @all_reduce_over_one_axis(%input: tensor<16x8xf32>) -> tensor<16x8xf32> {
  // CHECK-NEXT: %[[REDUCED:.*]] = comm.all_reduce sum %[[INPUT]] over @mesh["x"] : tensor<16x8xf32>{{$}}
  %reduced = comm.all_reduce sum %input over @mesh["x"] : tensor<16x8xf32>
  // CHECK-NEXT: return %[[REDUCED]]
  return %reduced : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @all_reduce_over_all_axes
// CHECK-SAME: (%[[INPUT:.*]]: tensor<16x8xf16>)
func.func @all_reduce_over_all_axes(%input: tensor<16x8xf16>) -> tensor<16x8xf16> {
  // CHECK-NEXT: %[[REDUCED:.*]] = comm.all_reduce avg %[[INPUT]] over @mesh["x", "y", "z"] : tensor<16x8xf16>{{$}}
  %reduced = comm.all_reduce avg %input over @mesh["x", "y", "z"] : tensor<16x8xf16>
  // CHECK-NEXT: return %[[REDUCED]]
  return %reduced : tensor<16x8xf16>
}

// CHECK-LABEL: func.func @all_reduce_over_a_minor_part
// CHECK-SAME: (%[[INPUT:.*]]: tensor<16x8xi8>)
func.func @all_reduce_over_a_minor_part(%input: tensor<16x8xi8>) -> tensor<16x8xi8> {
  // CHECK-NEXT: %[[REDUCED:.*]] = comm.all_reduce max %[[INPUT]] over @mesh["y":(2)2] : tensor<16x8xi8>{{$}}
  %reduced = comm.all_reduce max %input over @mesh["y":(2)2] : tensor<16x8xi8>
  // CHECK-NEXT: return %[[REDUCED]]
  return %reduced : tensor<16x8xi8>
}

// CHECK-LABEL: func.func @all_reduce_over_an_axis_and_a_part
// CHECK-SAME: (%[[INPUT:.*]]: tensor<16x8xi1>)
func.func @all_reduce_over_an_axis_and_a_part(%input: tensor<16x8xi1>) -> tensor<16x8xi1> {
  // CHECK-NEXT: %[[REDUCED:.*]] = comm.all_reduce bxor %[[INPUT]] over @mesh["x", "y":(1)2] : tensor<16x8xi1>{{$}}
  %reduced = comm.all_reduce bxor %input over @mesh["x", "y":(1)2] : tensor<16x8xi1>
  // CHECK-NEXT: return %[[REDUCED]]
  return %reduced : tensor<16x8xi1>
}

// CHECK-LABEL: func.func @all_reduce_of_rank_0
// CHECK-SAME: (%[[INPUT:.*]]: tensor<f64>)
func.func @all_reduce_of_rank_0(%input: tensor<f64>) -> tensor<f64> {
  // CHECK-NEXT: %[[REDUCED:.*]] = comm.all_reduce min %[[INPUT]] over @mesh["x"] : tensor<f64>{{$}}
  %reduced = comm.all_reduce min %input over @mesh["x"] : tensor<f64>
  // CHECK-NEXT: return %[[REDUCED]]
  return %reduced : tensor<f64>
}

// CHECK-LABEL: func.func @reduce_scatter_over_one_axis
// CHECK-SAME: (%[[INPUT:.*]]: tensor<16x8xf32>)
func.func @reduce_scatter_over_one_axis(%input: tensor<16x8xf32>) -> tensor<16x2xf32> {
  // CHECK-NEXT: %[[CHUNK:.*]] = comm.reduce_scatter sum %[[INPUT]] over @mesh["y"] dim 1 : tensor<16x8xf32> -> tensor<16x2xf32>{{$}}
  %chunk = comm.reduce_scatter sum %input over @mesh["y"] dim 1 : tensor<16x8xf32> -> tensor<16x2xf32>
  // CHECK-NEXT: return %[[CHUNK]]
  return %chunk : tensor<16x2xf32>
}

// CHECK-LABEL: func.func @reduce_scatter_over_two_axes
// CHECK-SAME: (%[[INPUT:.*]]: tensor<16x8xi32>)
func.func @reduce_scatter_over_two_axes(%input: tensor<16x8xi32>) -> tensor<2x8xi32> {
  // CHECK-NEXT: %[[CHUNK:.*]] = comm.reduce_scatter product %[[INPUT]] over @mesh["x", "y"] dim 0 : tensor<16x8xi32> -> tensor<2x8xi32>{{$}}
  %chunk = comm.reduce_scatter product %input over @mesh["x", "y"] dim 0 : tensor<16x8xi32> -> tensor<2x8xi32>
  // CHECK-NEXT: return %[[CHUNK]]
  return %chunk : tensor<2x8xi32>
}

// CHECK-LABEL: func.func @reduce_scatter_over_a_middle_part
// CHECK-SAME: (%[[INPUT:.*]]: tensor<9xi16>)
func.func @reduce_scatter_over_a_middle_part(%input: tensor<9xi16>) -> tensor<3xi16> {
  // CHECK-NEXT: %[[CHUNK:.*]] = comm.reduce_scatter umin %[[INPUT]] over @mesh["z":(2)3] dim 0 : tensor<9xi16> -> tensor<3xi16>{{$}}
  %chunk = comm.reduce_scatter umin %input over @mesh["z":(2)3] dim 0 : tensor<9xi16> -> tensor<3xi16>
  // CHECK-NEXT: return %[[CHUNK]]
  return %chunk : tensor<3xi16>
}

// CHECK-LABEL: func.func @all_to_all_over_one_axis
// CHECK-SAME: (%[[INPUT:.*]]: tensor<16x2xf32>)
func.func @all_to_all_over_one_axis(%input: tensor<16x2xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[TURNED:.*]] = comm.all_to_all %[[INPUT]] over @mesh["y"] split 0 concat 1 : tensor<16x2xf32> -> tensor<4x8xf32>{{$}}
  %turned = comm.all_to_all %input over @mesh["y"] split 0 concat 1 : tensor<16x2xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: return %[[TURNED]]
  return %turned : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @all_to_all_over_two_axes
// CHECK-SAME: (%[[INPUT:.*]]: tensor<1x3x8xf32>)
func.func @all_to_all_over_two_axes(%input: tensor<1x3x8xf32>) -> tensor<8x3x1xf32> {
  // CHECK-NEXT: %[[TURNED:.*]] = comm.all_to_all %[[INPUT]] over @mesh["x", "y"] split 2 concat 0 : tensor<1x3x8xf32> -> tensor<8x3x1xf32>{{$}}
  %turned = comm.all_to_all %input over @mesh["x", "y"] split 2 concat 0 : tensor<1x3x8xf32> -> tensor<8x3x1xf32>
  // CHECK-NEXT: return %[[TURNED]]
  return %turned : tensor<8x3x1xf32>
}

// CHECK-LABEL: func.func @all_to_all_over_a_part
// CHECK-SAME: (%[[INPUT:.*]]: tensor<16x2xf32>)
func.func @all_to_all_over_a_part(%input: tensor<16x2xf32>) -> tensor<32x1xf32> {
  // CHECK-NEXT: %[[TURNED:.*]] = comm.all_to_all %[[INPUT]] over @mesh["y":(1)2] split 1 concat 0 : tensor<16x2xf32> -> tensor<32x1xf32>{{$}}
  %turned = comm.all_to_all %input over @mesh["y":(1)2] split 1 concat 0 : tensor<16x2xf32> -> tensor<32x1xf32>
  // CHECK-NEXT: return %[[TURNED]]
  return %turned : tensor<32x1xf32>
}

// CHECK-LABEL: func.func @slice_over_one_axis
// CHECK-SAME: (%[[INPUT:.*]]: tensor<16x8xf32>)
func.func @slice_over_one_axis(%input: tensor<16x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[CHUNK:.*]] = comm.slice %[[INPUT]] over @mesh["y"] dim 0 : tensor<16x8xf32> -> tensor<4x8xf32>{{$}}
  %chunk = comm.slice %input over @mesh["y"] dim 0 : tensor<16x8xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: return %[[CHUNK]]
  return %chunk : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @slice_over_two_axes
// CHECK-SAME: (%[[INPUT:.*]]: tensor<16x8xf32>)
func.func @slice_over_two_axes(%input: tensor<16x8xf32>) -> tensor<16x1xf32> {
  // CHECK-NEXT: %[[CHUNK:.*]] = comm.slice %[[INPUT]] over @mesh["y", "x"] dim 1 : tensor<16x8xf32> -> tensor<16x1xf32>{{$}}
  %chunk = comm.slice %input over @mesh["y", "x"] dim 1 : tensor<16x8xf32> -> tensor<16x1xf32>
  // CHECK-NEXT: return %[[CHUNK]]
  return %chunk : tensor<16x1xf32>
}

// CHECK-LABEL: func.func @slice_over_a_part
// CHECK-SAME: (%[[INPUT:.*]]: tensor<6xf64>)
func.func @slice_over_a_part(%input: tensor<6xf64>) -> tensor<2xf64> {
  // CHECK-NEXT: %[[CHUNK:.*]] = comm.slice %[[INPUT]] over @mesh["z":(1)3] dim 0 : tensor<6xf64> -> tensor<2xf64>{{$}}
  %chunk = comm.slice %input over @mesh["z":(1)3] dim 0 : tensor<6xf64> -> tensor<2xf64>
  // CHECK-NEXT: return %[[CHUNK]]
  return %chunk : tensor<2xf64>
}

// CHECK-LABEL: func.func @to_partial_of_a_replicated_tensor
// CHECK-SAME: (%[[INPUT:.*]]: tensor<16x8xf32>)
func.func @to_partial_of_a_replicated_tensor(%input: tensor<16x8xf32>) -> tensor<16x8xf32> {
  // CHECK-NEXT: %[[CONTRIBUTION:.*]] = comm.to_partial sum %[[INPUT]] over @mesh["y"] : tensor<16x8xf32> -> tensor<16x8xf32>{{$}}
  %contribution = comm.to_partial sum %input over @mesh["y"] : tensor<16x8xf32> -> tensor<16x8xf32>
  // CHECK-NEXT: return %[[CONTRIBUTION]]
  return %contribution : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @to_partial_of_a_chunk
// CHECK-SAME: (%[[INPUT:.*]]: tensor<4x8xf32>)
func.func @to_partial_of_a_chunk(%input: tensor<4x8xf32>) -> tensor<16x8xf32> {
  // CHECK-NEXT: %[[CONTRIBUTION:.*]] = comm.to_partial sum %[[INPUT]] over @mesh["y"] dim 0 : tensor<4x8xf32> -> tensor<16x8xf32>{{$}}
  %contribution = comm.to_partial sum %input over @mesh["y"] dim 0 : tensor<4x8xf32> -> tensor<16x8xf32>
  // CHECK-NEXT: return %[[CONTRIBUTION]]
  return %contribution : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @to_partial_over_two_axes
// CHECK-SAME: (%[[INPUT:.*]]: tensor<4x1xi64>)
func.func @to_partial_over_two_axes(%input: tensor<4x1xi64>) -> tensor<4x8xi64> {
  // CHECK-NEXT: %[[CONTRIBUTION:.*]] = comm.to_partial band %[[INPUT]] over @mesh["x", "y"] dim 1 : tensor<4x1xi64> -> tensor<4x8xi64>{{$}}
  %contribution = comm.to_partial band %input over @mesh["x", "y"] dim 1 : tensor<4x1xi64> -> tensor<4x8xi64>
  // CHECK-NEXT: return %[[CONTRIBUTION]]
  return %contribution : tensor<4x8xi64>
}

// CHECK-LABEL: func.func @to_partial_over_a_part
// CHECK-SAME: (%[[INPUT:.*]]: tensor<i32>)
func.func @to_partial_over_a_part(%input: tensor<i32>) -> tensor<i32> {
  // CHECK-NEXT: %[[CONTRIBUTION:.*]] = comm.to_partial umax %[[INPUT]] over @mesh["y":(2)2] : tensor<i32> -> tensor<i32>{{$}}
  %contribution = comm.to_partial umax %input over @mesh["y":(2)2] : tensor<i32> -> tensor<i32>
  // CHECK-NEXT: return %[[CONTRIBUTION]]
  return %contribution : tensor<i32>
}

// CHECK-LABEL: func.func @exchange_swaps_two_axes
// CHECK-SAME: (%[[INPUT:.*]]: tensor<8x4xf32>)
func.func @exchange_swaps_two_axes(%input: tensor<8x4xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[MOVED:.*]] = comm.exchange %[[INPUT]] over @mesh["x", "y"] : tensor<8x4xf32> -> tensor<4x8xf32> of [16, 16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]> to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(1)]>{{$}}
  %moved = comm.exchange %input over @mesh["x", "y"] : tensor<8x4xf32> -> tensor<4x8xf32> of [16, 16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]> to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(1)]>
  // CHECK-NEXT: return %[[MOVED]]
  return %moved : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @exchange_permutes_boxes
// CHECK-SAME: (%[[INPUT:.*]]: tensor<2xf32>)
func.func @exchange_permutes_boxes(%input: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK-NEXT: %[[MOVED:.*]] = comm.exchange %[[INPUT]] over @mesh["x", "y"] permute : tensor<2xf32> -> tensor<2xf32> of [16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]> to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(0)]>{{$}}
  %moved = comm.exchange %input over @mesh["x", "y"] permute : tensor<2xf32> -> tensor<2xf32> of [16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]> to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(0)]>
  // CHECK-NEXT: return %[[MOVED]]
  return %moved : tensor<2xf32>
}

// CHECK-LABEL: func.func @exchange_between_parts
// CHECK-SAME: (%[[INPUT:.*]]: tensor<4x8xi8>)
func.func @exchange_between_parts(%input: tensor<4x8xi8>) -> tensor<8x4xi8> {
  // CHECK-NEXT: %[[MOVED:.*]] = comm.exchange %[[INPUT]] over @mesh["y"] : tensor<4x8xi8> -> tensor<8x4xi8> of [8, 8] from #dtensor.layout<@mesh, ["y":(1)2 = shard(0)]> to #dtensor.layout<@mesh, ["y":(2)2 = shard(1)]>{{$}}
  %moved = comm.exchange %input over @mesh["y"] : tensor<4x8xi8> -> tensor<8x4xi8> of [8, 8] from #dtensor.layout<@mesh, ["y":(1)2 = shard(0)]> to #dtensor.layout<@mesh, ["y":(2)2 = shard(1)]>
  // CHECK-NEXT: return %[[MOVED]]
  return %moved : tensor<8x4xi8>
}

// CHECK-LABEL: func.func @exchange_over_a_part
// CHECK-SAME: (%[[INPUT:.*]]: tensor<4x8xi8>)
func.func @exchange_over_a_part(%input: tensor<4x8xi8>) -> tensor<8x4xi8> {
  // CHECK-NEXT: %[[MOVED:.*]] = comm.exchange %[[INPUT]] over @mesh["y":(1)2] : tensor<4x8xi8> -> tensor<8x4xi8> of [8, 8] from #dtensor.layout<@mesh, ["y":(1)2 = shard(0)]> to #dtensor.layout<@mesh, ["y":(1)2 = shard(1)]>{{$}}
  %moved = comm.exchange %input over @mesh["y":(1)2] : tensor<4x8xi8> -> tensor<8x4xi8> of [8, 8] from #dtensor.layout<@mesh, ["y":(1)2 = shard(0)]> to #dtensor.layout<@mesh, ["y":(1)2 = shard(1)]>
  // CHECK-NEXT: return %[[MOVED]]
  return %moved : tensor<8x4xi8>
}

// CHECK-LABEL: func.func @exchange_of_rank_0
// CHECK-SAME: (%[[INPUT:.*]]: tensor<f32>)
func.func @exchange_of_rank_0(%input: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: %[[MOVED:.*]] = comm.exchange %[[INPUT]] over @mesh["x"] : tensor<f32> -> tensor<f32> of [] from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, []>{{$}}
  %moved = comm.exchange %input over @mesh["x"] : tensor<f32> -> tensor<f32> of [] from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, []>
  // CHECK-NEXT: return %[[MOVED]]
  return %moved : tensor<f32>
}

// CHECK-LABEL: func.func @attributes_are_kept
func.func @attributes_are_kept(%input: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: comm.all_reduce sum %{{.*}} over @mesh["x"] : tensor<8xf32> {test.note = 1 : i64}
  %reduced = comm.all_reduce sum %input over @mesh["x"] : tensor<8xf32> {test.note = 1 : i64}
  // CHECK: comm.exchange %{{.*}} over @mesh["x"] : tensor<8xf32> -> tensor<8xf32> of [8] from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, []> {test.note = 2 : i64}
  %moved = comm.exchange %reduced over @mesh["x"] : tensor<8xf32> -> tensor<8xf32> of [8] from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, []> {test.note = 2 : i64}
  return %moved : tensor<8xf32>
}

// CHECK-LABEL: func.func @scale_between_sum_and_average
func.func @scale_between_sum_and_average(%input: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: comm.scale sum %{{.*}} over @mesh["x"] : tensor<8xf32>
  %average = comm.scale sum %input over @mesh["x"] : tensor<8xf32>
  // CHECK: comm.scale avg %{{.*}} over @mesh["x"] : tensor<8xf32>
  %sum = comm.scale avg %average over @mesh["x"] : tensor<8xf32>
  return %sum : tensor<8xf32>
}

// CHECK-LABEL: func.func @extent_of_an_uneven_dimension
func.func @extent_of_an_uneven_dimension() -> index {
  // CHECK: comm.local_extent 7 over @mesh["x"] : index
  %extent = comm.local_extent 7 over @mesh["x"] : index
  return %extent : index
}

// CHECK-LABEL: func.func @index_on_axes
func.func @index_on_axes() -> index {
  // CHECK: comm.axis_index over @mesh["y", "x":(1)2] : index
  %index = comm.axis_index over @mesh["y", "x":(1)2] : index
  return %index : index
}

// CHECK-LABEL: func.func @collectives_with_a_root
func.func @collectives_with_a_root(%input: tensor<8xf32>, %piece: tensor<?xf32>) {
  // CHECK: comm.broadcast %{{.*}} root 1 over @mesh["x"] : tensor<8xf32>{{$}}
  %0 = comm.broadcast %input root 1 over @mesh["x"] : tensor<8xf32>
  // CHECK: comm.reduce max %{{.*}} root 0 over @mesh["x"] : tensor<8xf32>{{$}}
  %1 = comm.reduce max %input root 0 over @mesh["x"] : tensor<8xf32>
  // CHECK: comm.scatter %{{.*}} root 1 over @mesh["x"] dim 0 : tensor<8xf32> -> tensor<4xf32>{{$}}
  %2 = comm.scatter %input root 1 over @mesh["x"] dim 0 : tensor<8xf32> -> tensor<4xf32>
  // CHECK: comm.gather %{{.*}} root 1 over @mesh["x"] dim 0 : tensor<8xf32> -> tensor<16xf32>{{$}}
  %3 = comm.gather %input root 1 over @mesh["x"] dim 0 : tensor<8xf32> -> tensor<16xf32>
  // CHECK: comm.gather %{{.*}} root 0 over @mesh["x"] dim 0 : tensor<?xf32> -> tensor<7xf32> of [7] from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  %4 = comm.gather %piece root 0 over @mesh["x"] dim 0 : tensor<?xf32> -> tensor<7xf32> of [7] from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  return
}

// CHECK-LABEL: func.func @frame_of_unequal_pieces
func.func @frame_of_unequal_pieces(%input: tensor<?xf32>) -> tensor<7xf32> {
  // CHECK: comm.all_gather %{{.*}} over @mesh["x"] dim 0 : tensor<?xf32> -> tensor<7xf32> of [7] from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  %gathered = comm.all_gather %input over @mesh["x"] dim 0 : tensor<?xf32> -> tensor<7xf32> of [7] from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  return %gathered : tensor<7xf32>
}
