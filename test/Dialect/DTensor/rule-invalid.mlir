// RUN: %dtensor-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @no_attribute(%a: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'dtensor.rule' must be a #dtensor.rule, got "([i])->([i])"}}
  "my.op"(%a) {dtensor.rule = "([i])->([i])"} : (tensor<4xf32>) -> ()
  return
}

// -----

// expected-error @+1 {{cannot read the rule '([i,k)->([i])' at position 5; write one list of factors per tensor, as in ([i,k],[k,j])->([i,j])}}
#r = #dtensor.rule<"([i,k)->([i])">

// -----

// expected-error @+1 {{cannot read the rule '([i])->([i]) and more' at position 13}}
#r = #dtensor.rule<"([i])->([i]) and more">

// -----

// expected-error @+1 {{unknown part 'reductions' of a rule (one of reduction, need_replication, reduce_op)}}
#r = #dtensor.rule<"([i])->([])", reductions = [i]>

// -----

// expected-error @+1 {{unknown reduce op 'plus'}}
#r = #dtensor.rule<"([i])->([])", reduction = [i], reduce_op = plus>

// -----

// (C3)
// expected-error @+1 {{factor k is not in the rule '([i])->([i])'}}
#r = #dtensor.rule<"([i])->([i])", need_replication = [k]>

// -----

// (C3)
// expected-error @+1 {{factor i is both a reduction and needed whole}}
#r = #dtensor.rule<"([i])->([])", reduction = [i], need_replication = [i]>

// -----

// (C3)
// expected-error @+1 {{factor i is a reduction, but a dimension of a result}}
#r = #dtensor.rule<"([i])->([i])", reduction = [i]>

// -----

// (C1)
func.func @count(%a: tensor<4xf32>) {
  // expected-error @+1 {{has 1 operands, the rule '([i],[i])->()' is for 2}}
  "my.op"(%a) {dtensor.rule = #dtensor.rule<"([i],[i])->()">} : (tensor<4xf32>) -> ()
  return
}

// -----

// (C1)
func.func @rank(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{operand 0 has rank 2, the rule '([i])->()' lists 1 dimensions}}
  "my.op"(%a) {dtensor.rule = #dtensor.rule<"([i])->()">} : (tensor<4x4xf32>) -> ()
  return
}

// -----

// (C1)
func.func @dynamic(%a: tensor<?xf32>) {
  // expected-error @+1 {{operand 0 has a dynamic shape}}
  "my.op"(%a) {dtensor.rule = #dtensor.rule<"([i])->()">} : (tensor<?xf32>) -> ()
  return
}

// -----

// (C2)
func.func @sizes(%a: tensor<4xf32>) {
  // expected-error @+1 {{result 0 has size 5 in dimension 0, but factor i of the rule has 4 elsewhere}}
  %0 = "my.op"(%a) {dtensor.rule = #dtensor.rule<"([i])->([i])">} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

// (C2)
func.func @joined_sizes(%a: tensor<4x3xf32>) {
  // expected-error @+1 {{result 0 has size 13 in dimension 0, but its factors make 12}}
  %0 = "my.op"(%a) {dtensor.rule = #dtensor.rule<"([i,j])->([ij])">} : (tensor<4x3xf32>) -> tensor<13xf32>
  return
}

// -----

// (C4)
func.func @joined_unknown(%a: tensor<4x3xf32>) {
  // expected-error @+1 {{result 0 joins factor k in dimension 0, which is no dimension of its own elsewhere}}
  %0 = "my.op"(%a) {dtensor.rule = #dtensor.rule<"([i,j])->([ik])">} : (tensor<4x3xf32>) -> tensor<12xf32>
  return
}

// -----

// (C5)
func.func @type(%a: tensor<4x3xf32>) {
  // expected-error @+1 {{has results of type f32, which have no band}}
  %0 = "my.op"(%a) {dtensor.rule = #dtensor.rule<"([i,j])->([i])", reduction = [j], reduce_op = band>} : (tensor<4x3xf32>) -> tensor<4xf32>
  return
}
