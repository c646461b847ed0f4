// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// What dtensor.parallelize_plan and its entries refuse.

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// (C1) of the plan.
// expected-error @+1 {{'dtensor.parallelize_plan' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
dtensor.parallelize_plan @plan on @grid {
  dtensor.style "w" colwise "x"
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C2) of the plan.
  // expected-error @+1 {{'arith.constant' op stands in a dtensor.parallelize_plan, which holds dtensor.style, dtensor.place, dtensor.prepare_input and dtensor.prepare_output only}}
  %zero = arith.constant 0 : i32
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C1)
  // expected-error @+1 {{'dtensor.style' op pattern "" is empty}}
  dtensor.style "" colwise "x"
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C1)
  // expected-error @+1 {{'dtensor.style' op pattern "a}" has a '}' without '{'}}
  dtensor.style "a}" colwise "x"
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C1)
  // expected-error @+1 {{'dtensor.style' op pattern "{a" has a '{' without '}'}}
  dtensor.style "{a" colwise "x"
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C1)
  // expected-error @+1 {{'dtensor.style' op pattern}}
  dtensor.style "{a,{b}}" colwise "x"
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C1)
  // expected-error @+1 {{'dtensor.style' op pattern "w.{a,}" has an empty name in '{...}'}}
  dtensor.style "w.{a,}" colwise "x"
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C1)
  // expected-error @+1 {{'dtensor.style' op pattern "w.{}" has an empty name in '{...}'}}
  dtensor.style "w.{}" colwise "x"
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C2)
  // expected-error @+1 {{'dtensor.style' op unknown axis 'z' (the mesh has x, y)}}
  dtensor.style "w" colwise "z"
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // expected-error @+1 {{unknown style 'columns' (one of colwise, rowwise, sequence, replicate, fully_sharded, expert)}}
  dtensor.style "w" columns "x"
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C1)
  // expected-error @+1 {{'dtensor.prepare_input' op prepares argument -1; arguments count from 0}}
  dtensor.prepare_input -1 []
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // (C2)
  // expected-error @+1 {{'dtensor.prepare_input' op unknown axis 'z' (the mesh has x, y)}}
  dtensor.prepare_input 0 ["z" = shard(0)]
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
dtensor.parallelize_plan @plan on @mesh {
  // expected-error @+1 {{'...' must be the last entry of a layout}}
  dtensor.prepare_input 0 [..., "x" = shard(0)]
}

// -----

// expected-error @+1 {{'dtensor.style' op expects parent op 'dtensor.parallelize_plan'}}
dtensor.style "w" colwise "x"

// -----

// expected-error @+1 {{'dtensor.prepare_input' op expects parent op 'dtensor.parallelize_plan'}}
dtensor.prepare_input 0 []

// -----

dtensor.mesh @mesh ["x" = 2]

dtensor.parallelize_plan @plan on @mesh {
  // (C1)
  // expected-error @+1 {{'dtensor.place' op pattern "" is empty; write names, '*' and '{a,b}'}}
  dtensor.place "" ["x" = shard(0)]
}

// -----

dtensor.mesh @mesh ["x" = 2]

dtensor.parallelize_plan @plan on @mesh {
  // (C2)
  // expected-error @+1 {{'dtensor.place' op unknown axis 'y' (the mesh has x)}}
  dtensor.place "w" ["y" = shard(0)]
}

// -----

dtensor.mesh @mesh ["x" = 2]

dtensor.parallelize_plan @plan on @mesh {
  // (C1)
  // expected-error @+1 {{'dtensor.prepare_output' op prepares result -1; results count from 0}}
  dtensor.prepare_output -1 ["x" = shard(0)]
}

// -----

dtensor.mesh @mesh ["x" = 2]

dtensor.parallelize_plan @plan on @mesh {
  // (C2)
  // expected-error @+1 {{'dtensor.prepare_output' op unknown axis 'y' (the mesh has x)}}
  dtensor.prepare_output 0 ["y" = shard(0)]
}
