// RUN: %dtensor-opt %s --dtensor-parallelize="plan=third" --verify-diagnostics

// (C1)
// expected-error @+1 {{has no dtensor.parallelize_plan @third (it has @first, @second)}}
module {
  dtensor.mesh @mesh ["x" = 2]
  dtensor.parallelize_plan @first on @mesh {
  }
  dtensor.parallelize_plan @second on @mesh {
  }
}
