// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// What comm.start and comm.wait refuse.

dtensor.mesh @mesh ["x" = 2]
func.func @start_of_compute(%a: tensor<4xf32>) {
  %t = comm.start : <tensor<4xf32>> {
    // (C1)
    // expected-error @+1 {{'math.exp' op stands among the collectives of a comm.start; move it before}}
    %e = math.exp %a : tensor<4xf32>
    comm.yield %e : tensor<4xf32>
  }
  %0 = comm.wait %t : !comm.token<tensor<4xf32>>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @start_of_nothing(%a: tensor<4xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.start' op starts no collective}}
  %t = comm.start : <tensor<4xf32>> {
    comm.yield %a : tensor<4xf32>
  }
  %0 = comm.wait %t : !comm.token<tensor<4xf32>>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @start_yields_what_was_there(%a: tensor<4xf32>) {
  %t = comm.start : <tensor<4xf32>> {
    %s = comm.all_reduce sum %a over @mesh["x"] : tensor<4xf32>
    // (C2)
    // expected-error @+1 {{'comm.yield' op gives a value that no collective of its comm.start makes}}
    comm.yield %a : tensor<4xf32>
  }
  %0 = comm.wait %t : !comm.token<tensor<4xf32>>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @start_yields_other_type(%a: tensor<4xf32>) {
  // (C2)
  // expected-error @+1 {{'comm.start' op promises 'tensor<8xf32>' and yields 'tensor<4xf32>'}}
  %t = comm.start : <tensor<8xf32>> {
    %s = comm.all_reduce sum %a over @mesh["x"] : tensor<4xf32>
    comm.yield %s : tensor<4xf32>
  }
  %0 = comm.wait %t : !comm.token<tensor<8xf32>>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @start_without_yield(%a: tensor<4xf32>) {
  // (C2)
  // expected-error @+1 {{'comm.start' op must end in comm.yield}}
  %t = "comm.start"() ({
    %s = comm.all_reduce sum %a over @mesh["x"] : tensor<4xf32>
    llvm.unreachable
  }) : () -> !comm.token<tensor<4xf32>>
  %0 = comm.wait %t : !comm.token<tensor<4xf32>>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @never_waited_for(%a: tensor<4xf32>) {
  // (C3)
  // expected-error @+1 {{'comm.start' op must be waited for by one comm.wait in its block, there are 0}}
  %t = comm.start : <tensor<4xf32>> {
    %s = comm.all_reduce sum %a over @mesh["x"] : tensor<4xf32>
    comm.yield %s : tensor<4xf32>
  }
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @waited_for_twice(%a: tensor<4xf32>) {
  // (C3)
  // expected-error @+1 {{'comm.start' op must be waited for by one comm.wait in its block, there are 2}}
  %t = comm.start : <tensor<4xf32>> {
    %s = comm.all_reduce sum %a over @mesh["x"] : tensor<4xf32>
    comm.yield %s : tensor<4xf32>
  }
  %0 = comm.wait %t : !comm.token<tensor<4xf32>>
  %1 = comm.wait %t : !comm.token<tensor<4xf32>>
  return
}

// -----

func.func @wait_for_argument(%t: !comm.token<tensor<4xf32>>) {
  // (C1)
  // expected-error @+1 {{'comm.wait' op waits for a token that no comm.start makes}}
  %0 = comm.wait %t : !comm.token<tensor<4xf32>>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @wait_gives_other_type(%a: tensor<4xf32>) {
  %t = comm.start : <tensor<4xf32>> {
    %s = comm.all_reduce sum %a over @mesh["x"] : tensor<4xf32>
    comm.yield %s : tensor<4xf32>
  }
  // (C2)
  // expected-error @+1 {{'comm.wait' op gives 'tensor<8xf32>', its token names 'tensor<4xf32>'}}
  %0 = "comm.wait"(%t) : (!comm.token<tensor<4xf32>>) -> tensor<8xf32>
  return
}
