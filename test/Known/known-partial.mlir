// RUN: %dtensor-opt %s --dtensor-spmd-pipeline | FileCheck %s
//
// Contributions that are still to be added up, and reductions: cases of
// pytorch/pytorch by the number of their issue (README.md). Each says what went
// wrong there, and what is right. Two ranks.

dtensor.mesh @two ["x" = 2]

#rows = #dtensor.layout<@two, ["x" = shard(0)]>
#all = #dtensor.layout<@two, []>
#sum = #dtensor.layout<@two, ["x" = partial(sum)]>
#max = #dtensor.layout<@two, ["x" = partial(max)]>

// 163193: a number added to a partial sum was added on every rank, and counted
// twice. It counts once: 45 + 10.
// RUN: %python %S/Inputs/run.py %s case_163193 %t 'x=arange(10.).reshape(10, 1)' 'result0=55' 'result1=55'
// CHECK-LABEL: func.func @case_163193
// CHECK: %[[P:.*]] = linalg.reduce
// CHECK: %[[S:.*]] = comm.all_reduce sum %[[P]] over @two["x"] : tensor<f32>
// CHECK: arith.addf %[[S]],
func.func @case_163193(%x: tensor<10x1xf32> {dtensor.name = "x", dtensor.layout = #rows})
    -> (tensor<f32> {dtensor.layout = #all}, tensor<f32> {dtensor.layout = #sum}) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %ten = arith.constant dense<10.0> : tensor<f32>
  %reduced = linalg.reduce {arith.addf} ins(%x : tensor<10x1xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
  %sum = dtensor.constrain %reduced : tensor<f32> to #sum
  %more = arith.addf %sum, %ten : tensor<f32>
  return %more, %more : tensor<f32>, tensor<f32>
}

// The number as what the sum starts from.
// RUN: %python %S/Inputs/run.py %s case_163193_init %t 'x=arange(10.).reshape(10, 1)' 'result0=55'
// CHECK-LABEL: func.func @case_163193_init
// CHECK-NOT: comm.all_
func.func @case_163193_init(%x: tensor<10x1xf32> {dtensor.name = "x", dtensor.layout = #rows}) -> (tensor<f32> {dtensor.layout = #sum}) {
  %ten = arith.constant dense<10.0> : tensor<f32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<10x1xf32>) outs(%ten : tensor<f32>) dimensions = [0, 1]
  return %sum : tensor<f32>
}

// 149768: likewise with a norm, which is no sum of the ranks' norms either.
// RUN: %python %S/Inputs/run.py %s case_149768 %t 'x=arange(10.).reshape(10, 1)' 'result0=sqrt((x * x).sum()) + 0.5'
// CHECK-LABEL: func.func @case_149768
// CHECK: %[[P:.*]] = linalg.reduce
// CHECK: %[[S:.*]] = comm.all_reduce sum %[[P]] over @two["x"] : tensor<f32>
// CHECK: math.sqrt %[[S]]
func.func @case_149768(%x: tensor<10x1xf32> {dtensor.name = "x", dtensor.layout = #rows}) -> (tensor<f32> {dtensor.layout = #all}) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %little = arith.constant dense<0.5> : tensor<f32>
  %squares = arith.mulf %x, %x : tensor<10x1xf32>
  %reduced = linalg.reduce {arith.addf} ins(%squares : tensor<10x1xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
  %sum = dtensor.constrain %reduced : tensor<f32> to #sum
  %norm = math.sqrt %sum : tensor<f32>
  %more = arith.addf %norm, %little : tensor<f32>
  return %more : tensor<f32>
}

// 162692: the mean of the ranks' means is no mean where they hold unequal parts
// (6.5 for 5.5), and not a number where one holds nothing.
// RUN: %python %S/Inputs/run.py %s case_162692 %t 'x=arange(12.).reshape(3, 4)' 'y=arange(4.).reshape(1, 4)' 'result0=5.5' 'result1=1.5'
// CHECK-LABEL: func.func @case_162692
// CHECK-SAME: (%arg0: tensor<?x4xf32>
// CHECK-COUNT-2: comm.all_reduce sum %{{.*}} over @two["x"] : tensor<f32>
func.func @case_162692(%x: tensor<3x4xf32> {dtensor.name = "x", dtensor.layout = #rows},
                       %y: tensor<1x4xf32> {dtensor.name = "y", dtensor.layout = #rows})
    -> (tensor<f32> {dtensor.layout = #all}, tensor<f32> {dtensor.layout = #all}) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %twelve = arith.constant dense<12.0> : tensor<f32>
  %four = arith.constant dense<4.0> : tensor<f32>
  %x0 = linalg.reduce {arith.addf} ins(%x : tensor<3x4xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
  %x1 = dtensor.constrain %x0 : tensor<f32> to #sum
  %x2 = arith.divf %x1, %twelve : tensor<f32>
  %y0 = linalg.reduce {arith.addf} ins(%y : tensor<1x4xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
  %y1 = dtensor.constrain %y0 : tensor<f32> to #sum
  %y2 = arith.divf %y1, %four : tensor<f32>
  return %x2, %y2 : tensor<f32>, tensor<f32>
}

// 159856: the norm of contributions is not that of their sum: [1, 3] and [2, 1]
// make [3, 4], whose norm is 5.
// RUN: %python %S/Inputs/run.py %s case_159856 %t --local 'x=array([1., 3, 2, 1])' 'result0=5'
// CHECK-LABEL: func.func @case_159856
// CHECK: %[[S:.*]] = comm.all_reduce sum %arg0 over @two["x"] : tensor<2xf32>
// CHECK: arith.mulf %[[S]], %[[S]]
func.func @case_159856(%x: tensor<4xf32> {dtensor.name = "x", dtensor.layout = #rows}) -> (tensor<f32> {dtensor.layout = #all}) {
  %l = dtensor.to_local %x : tensor<4xf32> in #rows -> tensor<2xf32>
  %p = dtensor.from_local %l : tensor<2xf32> in #sum -> tensor<2xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %squares = arith.mulf %p, %p : tensor<2xf32>
  %sum = linalg.reduce {arith.addf} ins(%squares : tensor<2xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  %norm = math.sqrt %sum : tensor<f32>
  return %norm : tensor<f32>
}

// 165962: largest, smallest and clipped values of contributions are none of
// their sum, which comes first: [-1, 2] here, once for all three.
// RUN: %python %S/Inputs/run.py %s case_165962 %t 'x=array([[1., -3], [-2, 5]])' 'result0=2' 'result1=-1' 'result2=array([-1, 1])' received=8
// CHECK-LABEL: func.func @case_165962
// CHECK: %[[P:.*]] = linalg.reduce { arith.addf }
// CHECK: %[[S:.*]] = comm.all_reduce sum %[[P]] over @two["x"] : tensor<2xf32>
// CHECK-NOT: comm.
// CHECK: linalg.reduce { arith.maximumf } ins(%[[S]]
// CHECK: linalg.reduce { arith.minimumf } ins(%[[S]]
// CHECK: arith.minimumf %[[S]],
func.func @case_165962(%x: tensor<2x2xf32> {dtensor.name = "x", dtensor.layout = #rows})
    -> (tensor<f32> {dtensor.layout = #all}, tensor<f32> {dtensor.layout = #all}, tensor<2xf32> {dtensor.layout = #all}) {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %low = arith.constant dense<0xFF800000> : tensor<f32>
  %high = arith.constant dense<0x7F800000> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %minus = arith.constant dense<-1.0> : tensor<2xf32>
  %reduced = linalg.reduce {arith.addf} ins(%x : tensor<2x2xf32>) outs(%zero : tensor<2xf32>) dimensions = [0]
  %p = dtensor.constrain %reduced : tensor<2xf32> to #sum
  %max = linalg.reduce {arith.maximumf} ins(%p : tensor<2xf32>) outs(%low : tensor<f32>) dimensions = [0]
  %min = linalg.reduce {arith.minimumf} ins(%p : tensor<2xf32>) outs(%high : tensor<f32>) dimensions = [0]
  %below = arith.minimumf %p, %one : tensor<2xf32>
  %clipped = arith.maximumf %below, %minus : tensor<2xf32>
  return %max, %min, %clipped : tensor<f32>, tensor<f32>, tensor<2xf32>
}

// 173936: where the largest element is, among parts [10, 5] and [3, 8]: at 0,
// not at 1, where the second part has its own.
// RUN: %python %S/Inputs/run.py %s case_173936 %t 'x=array([10., 5, 3, 8])' 'result0=0' 'result1=array([0])'
// RUN: %python %S/Inputs/run.py %s case_173936 %t 'x=array([1., 5, 3, 8])' 'result0=3' 'result1=array([3])'
// CHECK-LABEL: func.func @case_173936
func.func @case_173936(%x: tensor<4xf32> {dtensor.name = "x", dtensor.layout = #rows})
    -> (tensor<i64> {dtensor.layout = #all}, tensor<1xi64> {dtensor.layout = #all}) {
  %low = arith.constant dense<0xFF800000> : tensor<f32>
  %first = arith.constant dense<0> : tensor<i64>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4xf32>) outs(%low, %first : tensor<f32>, tensor<i64>) {
  ^bb0(%value: f32, %best: f32, %at: i64):
    %i = linalg.index 0 : index
    %here = arith.index_cast %i : index to i64
    %more = arith.cmpf ogt, %value, %best : f32
    %b = arith.select %more, %value, %best : f32
    %a = arith.select %more, %here, %at : i64
    linalg.yield %b, %a : f32, i64
  } -> (tensor<f32>, tensor<i64>)
  %e = tensor.empty() : tensor<1xf32>
  %f = tensor.empty() : tensor<1xi64>
  %v, %i = dtensor.top_k dim 0 ins(%x : tensor<4xf32>) outs(%e, %f : tensor<1xf32>, tensor<1xi64>) -> tensor<1xf32>, tensor<1xi64>
  return %0#1, %i : tensor<i64>, tensor<1xi64>
}

// 163374: a sum clamped in place, whose contributions were clamped instead: 144
// is 2 after it, also where the result is to be partial again.
// RUN: %python %S/Inputs/run.py %s case_163374 %t 'x=array([72., 72])' 'result0=2' 'result1=2'
// CHECK-LABEL: func.func @case_163374
// CHECK: %[[S:.*]] = comm.all_reduce sum %{{.*}} over @two["x"] : tensor<f32>
// CHECK: arith.minimumf %[[S]],
func.func @case_163374(%x: tensor<2xf32> {dtensor.name = "x", dtensor.layout = #rows})
    -> (tensor<f32> {dtensor.layout = #all}, tensor<f32> {dtensor.layout = #sum}) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %two = arith.constant dense<2.0> : tensor<f32>
  %reduced = linalg.reduce {arith.addf} ins(%x : tensor<2xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  %sum = dtensor.constrain %reduced : tensor<f32> to #sum
  %r = arith.minimumf %sum, %two : tensor<f32>
  return %r, %r : tensor<f32>, tensor<f32>
}

// 170632: the larger of a partial sum and a partial maximum took one
// redistribution or two, depending on which came first. It is one of each
// kind, both ways.
// RUN: %python %S/Inputs/run.py %s case_170632 %t --local 'a=array([1., 3, 2, 1])' 'b=array([4., 3, 2, 5])' 'result0=array([4, 5])' received=16
// RUN: %python %S/Inputs/run.py %s case_170632_swapped %t --local 'a=array([1., 3, 2, 1])' 'b=array([4., 3, 2, 5])' 'result0=array([4, 5])' received=16
// CHECK-LABEL: func.func @case_170632(
// CHECK-DAG: %[[S:.*]] = comm.all_reduce sum %arg0 over @two["x"] : tensor<2xf32>
// CHECK-DAG: %[[M:.*]] = comm.all_reduce max %arg1 over @two["x"] : tensor<2xf32>
// CHECK-NOT: comm.
// CHECK: arith.maximumf %[[S]], %[[M]] : tensor<2xf32>
func.func @case_170632(%a: tensor<4xf32> {dtensor.name = "a", dtensor.layout = #rows},
                       %b: tensor<4xf32> {dtensor.name = "b", dtensor.layout = #rows}) -> (tensor<2xf32> {dtensor.layout = #all}) {
  %la = dtensor.to_local %a : tensor<4xf32> in #rows -> tensor<2xf32>
  %lb = dtensor.to_local %b : tensor<4xf32> in #rows -> tensor<2xf32>
  %sum = dtensor.from_local %la : tensor<2xf32> in #sum -> tensor<2xf32>
  %max = dtensor.from_local %lb : tensor<2xf32> in #max -> tensor<2xf32>
  %r = arith.maximumf %sum, %max : tensor<2xf32>
  return %r : tensor<2xf32>
}
// CHECK-LABEL: func.func @case_170632_swapped(
// CHECK-DAG: %[[S:.*]] = comm.all_reduce sum %arg0 over @two["x"] : tensor<2xf32>
// CHECK-DAG: %[[M:.*]] = comm.all_reduce max %arg1 over @two["x"] : tensor<2xf32>
// CHECK-NOT: comm.
// CHECK: arith.maximumf %[[M]], %[[S]] : tensor<2xf32>
func.func @case_170632_swapped(%a: tensor<4xf32> {dtensor.name = "a", dtensor.layout = #rows},
                               %b: tensor<4xf32> {dtensor.name = "b", dtensor.layout = #rows}) -> (tensor<2xf32> {dtensor.layout = #all}) {
  %la = dtensor.to_local %a : tensor<4xf32> in #rows -> tensor<2xf32>
  %lb = dtensor.to_local %b : tensor<4xf32> in #rows -> tensor<2xf32>
  %sum = dtensor.from_local %la : tensor<2xf32> in #sum -> tensor<2xf32>
  %max = dtensor.from_local %lb : tensor<2xf32> in #max -> tensor<2xf32>
  %r = arith.maximumf %max, %sum : tensor<2xf32>
  return %r : tensor<2xf32>
}

// 172932: contributions that leave the global view and come back were
// differentiated otherwise than ones that stay. The way out and back is nothing:
// no op, no communication, the same value.
// RUN: %python %S/Inputs/run.py %s case_172932 %t --local 'x=array([1., 3, 2, 1])' 'result0=array([3, 4])' 'result1=result0' received=0
// CHECK-LABEL: func.func @case_172932
// CHECK-NEXT: return %arg0, %arg0 : tensor<2xf32>, tensor<2xf32>
func.func @case_172932(%x: tensor<4xf32> {dtensor.name = "x", dtensor.layout = #rows})
    -> (tensor<2xf32> {dtensor.layout = #sum}, tensor<2xf32> {dtensor.layout = #sum}) {
  %l = dtensor.to_local %x : tensor<4xf32> in #rows -> tensor<2xf32>
  %p = dtensor.from_local %l : tensor<2xf32> in #sum -> tensor<2xf32>
  %q = dtensor.to_local %p : tensor<2xf32> in #sum -> tensor<2xf32>
  %r = dtensor.from_local %q : tensor<2xf32> in #sum -> tensor<2xf32>
  return %p, %r : tensor<2xf32>, tensor<2xf32>
}
