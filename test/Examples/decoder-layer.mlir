// One layer of a Llama-style decoder: RMSNorm, rotary embedding, causal softmax
// attention with grouped key/value heads, SwiGLU. Hidden size 2048, 32 query
// and 8 key/value heads of 64, sequence 128, f32.
//
// The batch is sharded over "dp", weights over "tp" as in Megatron: columns of
// the first matrices, rows of the second ones. Two sums over "tp" are all that
// has to be communicated; propagation finds everything between.
dtensor.mesh @mesh ["dp" = 2, "tp" = 2]

#batch = #dtensor.layout<@mesh, ["dp" = shard(0)]>
#whole = #dtensor.layout<@mesh, []>
#columns = #dtensor.layout<@mesh, ["tp" = shard(1)]>
#rows = #dtensor.layout<@mesh, ["tp" = shard(0)]>

#token = affine_map<(t, h) -> (t)>
#hidden = affine_map<(t, h) -> (h)>
#both = affine_map<(t, h) -> (t, h)>

// Rotation of a head's halves: batch, position, head, (group,) element.
#q = affine_map<(b, s, k, g, d) -> (b, s, k, g, d)>
#q_angle = affine_map<(b, s, k, g, d) -> (s, d)>
#k = affine_map<(b, s, k, d) -> (b, s, k, d)>
#k_angle = affine_map<(b, s, k, d) -> (s, d)>

// Attention: batch, head, group, query position, key position, element.
#score_q = affine_map<(b, k, g, s, t, d) -> (b, s, k, g, d)>
#score_k = affine_map<(b, k, g, s, t, d) -> (b, t, k, d)>
#score = affine_map<(b, k, g, s, t, d) -> (b, k, g, s, t)>
#all = affine_map<(b, k, g, s, t) -> (b, k, g, s, t)>
#query = affine_map<(b, k, g, s, t) -> (b, k, g, s)>
#mix_p = affine_map<(b, s, k, g, d, t) -> (b, k, g, s, t)>
#mix_v = affine_map<(b, s, k, g, d, t) -> (b, t, k, d)>
#mix = affine_map<(b, s, k, g, d, t) -> (b, s, k, g, d)>

func.func @main(
    %x: tensor<2x128x2048xf32> {dtensor.name = "x", dtensor.layout = #batch},
    %cos: tensor<128x32xf32> {dtensor.name = "cos", dtensor.layout = #whole},
    %sin: tensor<128x32xf32> {dtensor.name = "sin", dtensor.layout = #whole},
    %attention_norm: tensor<2048xf32> {dtensor.name = "attention_norm", dtensor.layout = #whole},
    %wq: tensor<2048x2048xf32> {dtensor.name = "wq", dtensor.layout = #columns},
    %wk: tensor<2048x512xf32> {dtensor.name = "wk", dtensor.layout = #columns},
    %wv: tensor<2048x512xf32> {dtensor.name = "wv", dtensor.layout = #columns},
    %wo: tensor<2048x2048xf32> {dtensor.name = "wo", dtensor.layout = #rows},
    %mlp_norm: tensor<2048xf32> {dtensor.name = "mlp_norm", dtensor.layout = #whole},
    %w_gate: tensor<2048x8192xf32> {dtensor.name = "w_gate", dtensor.layout = #columns},
    %w_up: tensor<2048x8192xf32> {dtensor.name = "w_up", dtensor.layout = #columns},
    %w_down: tensor<8192x2048xf32> {dtensor.name = "w_down", dtensor.layout = #rows})
    -> (tensor<2x128x2048xf32> {dtensor.layout = #batch}) {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x128x2048xf32> into tensor<256x2048xf32>

  // RMSNorm.
  %normed_empty = tensor.empty() : tensor<256xf32>
  %normed_init = linalg.fill ins(%zero : f32) outs(%normed_empty : tensor<256xf32>) -> tensor<256xf32>
  %normed_squares = linalg.generic {indexing_maps = [#both, #token], iterator_types = ["parallel", "reduction"]}
      ins(%tokens : tensor<256x2048xf32>) outs(%normed_init : tensor<256xf32>) {
  ^bb0(%value: f32, %sum: f32):
    %square = arith.mulf %value, %value : f32
    %next = arith.addf %sum, %square : f32
    linalg.yield %next : f32
  } -> tensor<256xf32>
  %normed_out = tensor.empty() : tensor<256x2048xf32>
  %normed = linalg.generic {indexing_maps = [#both, #token, #hidden, #both], iterator_types = ["parallel", "parallel"]}
      ins(%tokens, %normed_squares, %attention_norm : tensor<256x2048xf32>, tensor<256xf32>, tensor<2048xf32>)
      outs(%normed_out : tensor<256x2048xf32>) {
  ^bb0(%value: f32, %squares: f32, %weight: f32, %out: f32):
    %size = arith.constant 2048.0 : f32
    %epsilon = arith.constant 1.0e-5 : f32
    %mean = arith.divf %squares, %size : f32
    %shifted = arith.addf %mean, %epsilon : f32
    %scale = math.rsqrt %shifted : f32
    %scaled = arith.mulf %value, %scale : f32
    %weighted = arith.mulf %scaled, %weight : f32
    linalg.yield %weighted : f32
  } -> tensor<256x2048xf32>

  // Queries, keys and values; heads become dimensions of their own.
  %q_flat_empty = tensor.empty() : tensor<256x2048xf32>
  %q_flat_init = linalg.fill ins(%zero : f32) outs(%q_flat_empty : tensor<256x2048xf32>) -> tensor<256x2048xf32>
  %q_flat = linalg.matmul ins(%normed, %wq : tensor<256x2048xf32>, tensor<2048x2048xf32>) outs(%q_flat_init : tensor<256x2048xf32>) -> tensor<256x2048xf32>
  %k_flat_empty = tensor.empty() : tensor<256x512xf32>
  %k_flat_init = linalg.fill ins(%zero : f32) outs(%k_flat_empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %k_flat = linalg.matmul ins(%normed, %wk : tensor<256x2048xf32>, tensor<2048x512xf32>) outs(%k_flat_init : tensor<256x512xf32>) -> tensor<256x512xf32>
  %v_flat_empty = tensor.empty() : tensor<256x512xf32>
  %v_flat_init = linalg.fill ins(%zero : f32) outs(%v_flat_empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %v_flat = linalg.matmul ins(%normed, %wv : tensor<256x2048xf32>, tensor<2048x512xf32>) outs(%v_flat_init : tensor<256x512xf32>) -> tensor<256x512xf32>
  %q_heads = tensor.expand_shape %q_flat [[0, 1], [2, 3, 4, 5]] output_shape [2, 128, 8, 4, 2, 32]
      : tensor<256x2048xf32> into tensor<2x128x8x4x2x32xf32>
  %k_heads = tensor.expand_shape %k_flat [[0, 1], [2, 3, 4]] output_shape [2, 128, 8, 2, 32]
      : tensor<256x512xf32> into tensor<2x128x8x2x32xf32>
  %v = tensor.expand_shape %v_flat [[0, 1], [2, 3]] output_shape [2, 128, 8, 64]
      : tensor<256x512xf32> into tensor<2x128x8x64xf32>

  // Rotary embedding: the two halves of each head turn by an angle that grows
  // with the position.
  %q0 = tensor.extract_slice %q_heads[0, 0, 0, 0, 0, 0] [2, 128, 8, 4, 1, 32] [1, 1, 1, 1, 1, 1]
      : tensor<2x128x8x4x2x32xf32> to tensor<2x128x8x4x32xf32>
  %q1 = tensor.extract_slice %q_heads[0, 0, 0, 0, 1, 0] [2, 128, 8, 4, 1, 32] [1, 1, 1, 1, 1, 1]
      : tensor<2x128x8x4x2x32xf32> to tensor<2x128x8x4x32xf32>
  %k0 = tensor.extract_slice %k_heads[0, 0, 0, 0, 0] [2, 128, 8, 1, 32] [1, 1, 1, 1, 1]
      : tensor<2x128x8x2x32xf32> to tensor<2x128x8x32xf32>
  %k1 = tensor.extract_slice %k_heads[0, 0, 0, 1, 0] [2, 128, 8, 1, 32] [1, 1, 1, 1, 1]
      : tensor<2x128x8x2x32xf32> to tensor<2x128x8x32xf32>
  %q_empty = tensor.empty() : tensor<2x128x8x4x32xf32>
  %q_turned:2 = linalg.generic {indexing_maps = [#q, #q, #q_angle, #q_angle, #q, #q],
                                 iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%q0, %q1, %cos, %sin : tensor<2x128x8x4x32xf32>, tensor<2x128x8x4x32xf32>, tensor<128x32xf32>, tensor<128x32xf32>)
      outs(%q_empty, %q_empty : tensor<2x128x8x4x32xf32>, tensor<2x128x8x4x32xf32>) {
  ^bb0(%first: f32, %second: f32, %c: f32, %s: f32, %out0: f32, %out1: f32):
    %fc = arith.mulf %first, %c : f32
    %ss = arith.mulf %second, %s : f32
    %turned0 = arith.subf %fc, %ss : f32
    %sc = arith.mulf %second, %c : f32
    %fs = arith.mulf %first, %s : f32
    %turned1 = arith.addf %sc, %fs : f32
    linalg.yield %turned0, %turned1 : f32, f32
  } -> (tensor<2x128x8x4x32xf32>, tensor<2x128x8x4x32xf32>)
  %k_empty = tensor.empty() : tensor<2x128x8x32xf32>
  %k_turned:2 = linalg.generic {indexing_maps = [#k, #k, #k_angle, #k_angle, #k, #k],
                                 iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k0, %k1, %cos, %sin : tensor<2x128x8x32xf32>, tensor<2x128x8x32xf32>, tensor<128x32xf32>, tensor<128x32xf32>)
      outs(%k_empty, %k_empty : tensor<2x128x8x32xf32>, tensor<2x128x8x32xf32>) {
  ^bb0(%first: f32, %second: f32, %c: f32, %s: f32, %out0: f32, %out1: f32):
    %fc = arith.mulf %first, %c : f32
    %ss = arith.mulf %second, %s : f32
    %turned0 = arith.subf %fc, %ss : f32
    %sc = arith.mulf %second, %c : f32
    %fs = arith.mulf %first, %s : f32
    %turned1 = arith.addf %sc, %fs : f32
    linalg.yield %turned0, %turned1 : f32, f32
  } -> (tensor<2x128x8x32xf32>, tensor<2x128x8x32xf32>)

  // Scores of each query with the keys that are not after it, and their softmax.
  %scores_empty = tensor.empty() : tensor<2x8x4x128x128xf32>
  %scores_init = linalg.fill ins(%zero : f32) outs(%scores_empty : tensor<2x8x4x128x128xf32>) -> tensor<2x8x4x128x128xf32>
  %scores = linalg.generic {indexing_maps = [#score_q, #score_q, #score_k, #score_k, #score],
                            iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q_turned#0, %q_turned#1, %k_turned#0, %k_turned#1 : tensor<2x128x8x4x32xf32>, tensor<2x128x8x4x32xf32>, tensor<2x128x8x32xf32>, tensor<2x128x8x32xf32>)
      outs(%scores_init : tensor<2x8x4x128x128xf32>) {
  ^bb0(%qa: f32, %qb: f32, %ka: f32, %kb: f32, %sum: f32):
    %pa = arith.mulf %qa, %ka : f32
    %pb = arith.mulf %qb, %kb : f32
    %p = arith.addf %pa, %pb : f32
    %next = arith.addf %sum, %p : f32
    linalg.yield %next : f32
  } -> tensor<2x8x4x128x128xf32>
  %masked_empty = tensor.empty() : tensor<2x8x4x128x128xf32>
  %masked = linalg.generic {indexing_maps = [#all, #all],
                            iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%scores : tensor<2x8x4x128x128xf32>) outs(%masked_empty : tensor<2x8x4x128x128xf32>) {
  ^bb0(%value: f32, %out: f32):
    %factor = arith.constant 0.125 : f32
    %lowest = arith.constant -1.0e30 : f32
    %query = linalg.index 3 : index
    %key = linalg.index 4 : index
    %later = arith.cmpi ugt, %key, %query : index
    %scaled = arith.mulf %value, %factor : f32
    %kept = arith.select %later, %lowest, %scaled : f32
    linalg.yield %kept : f32
  } -> tensor<2x8x4x128x128xf32>
  %lowest = arith.constant -1.0e30 : f32
  %row_max_empty = tensor.empty() : tensor<2x8x4x128xf32>
  %max_init = linalg.fill ins(%lowest : f32) outs(%row_max_empty : tensor<2x8x4x128xf32>) -> tensor<2x8x4x128xf32>
  %row_max = linalg.reduce {arith.maximumf} ins(%masked : tensor<2x8x4x128x128xf32>) outs(%max_init : tensor<2x8x4x128xf32>) dimensions = [4]
  %exp_empty = tensor.empty() : tensor<2x8x4x128x128xf32>
  %exp = linalg.generic {indexing_maps = [#all, #query, #all],
                         iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%masked, %row_max : tensor<2x8x4x128x128xf32>, tensor<2x8x4x128xf32>) outs(%exp_empty : tensor<2x8x4x128x128xf32>) {
  ^bb0(%value: f32, %m: f32, %out: f32):
    %shifted = arith.subf %value, %m : f32
    %e = math.exp %shifted : f32
    linalg.yield %e : f32
  } -> tensor<2x8x4x128x128xf32>
  %total_empty = tensor.empty() : tensor<2x8x4x128xf32>
  %total_init = linalg.fill ins(%zero : f32) outs(%total_empty : tensor<2x8x4x128xf32>) -> tensor<2x8x4x128xf32>
  %total = linalg.reduce {arith.addf} ins(%exp : tensor<2x8x4x128x128xf32>) outs(%total_init : tensor<2x8x4x128xf32>) dimensions = [4]
  %weights_empty = tensor.empty() : tensor<2x8x4x128x128xf32>
  %weights = linalg.generic {indexing_maps = [#all, #query, #all],
                             iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %total : tensor<2x8x4x128x128xf32>, tensor<2x8x4x128xf32>) outs(%weights_empty : tensor<2x8x4x128x128xf32>) {
  ^bb0(%value: f32, %s: f32, %out: f32):
    %p = arith.divf %value, %s : f32
    linalg.yield %p : f32
  } -> tensor<2x8x4x128x128xf32>

  // Values mixed by these weights, heads back into one dimension.
  %mixed_empty = tensor.empty() : tensor<2x128x8x4x64xf32>
  %mixed_init = linalg.fill ins(%zero : f32) outs(%mixed_empty : tensor<2x128x8x4x64xf32>) -> tensor<2x128x8x4x64xf32>
  %mixed = linalg.generic {indexing_maps = [#mix_p, #mix_v, #mix],
                           iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%weights, %v : tensor<2x8x4x128x128xf32>, tensor<2x128x8x64xf32>) outs(%mixed_init : tensor<2x128x8x4x64xf32>) {
  ^bb0(%p: f32, %value: f32, %acc: f32):
    %product = arith.mulf %p, %value : f32
    %next = arith.addf %acc, %product : f32
    linalg.yield %next : f32
  } -> tensor<2x128x8x4x64xf32>
  %mixed_flat = tensor.collapse_shape %mixed [[0, 1], [2, 3, 4]]
      : tensor<2x128x8x4x64xf32> into tensor<256x2048xf32>
  %attention_empty = tensor.empty() : tensor<256x2048xf32>
  %attention_init = linalg.fill ins(%zero : f32) outs(%attention_empty : tensor<256x2048xf32>) -> tensor<256x2048xf32>
  %attention = linalg.matmul ins(%mixed_flat, %wo : tensor<256x2048xf32>, tensor<2048x2048xf32>) outs(%attention_init : tensor<256x2048xf32>) -> tensor<256x2048xf32>
  %after_attention = arith.addf %tokens, %attention : tensor<256x2048xf32>

  // RMSNorm.
  %mlp_input_empty = tensor.empty() : tensor<256xf32>
  %mlp_input_init = linalg.fill ins(%zero : f32) outs(%mlp_input_empty : tensor<256xf32>) -> tensor<256xf32>
  %mlp_input_squares = linalg.generic {indexing_maps = [#both, #token], iterator_types = ["parallel", "reduction"]}
      ins(%after_attention : tensor<256x2048xf32>) outs(%mlp_input_init : tensor<256xf32>) {
  ^bb0(%value: f32, %sum: f32):
    %square = arith.mulf %value, %value : f32
    %next = arith.addf %sum, %square : f32
    linalg.yield %next : f32
  } -> tensor<256xf32>
  %mlp_input_out = tensor.empty() : tensor<256x2048xf32>
  %mlp_input = linalg.generic {indexing_maps = [#both, #token, #hidden, #both], iterator_types = ["parallel", "parallel"]}
      ins(%after_attention, %mlp_input_squares, %mlp_norm : tensor<256x2048xf32>, tensor<256xf32>, tensor<2048xf32>)
      outs(%mlp_input_out : tensor<256x2048xf32>) {
  ^bb0(%value: f32, %squares: f32, %weight: f32, %out: f32):
    %size = arith.constant 2048.0 : f32
    %epsilon = arith.constant 1.0e-5 : f32
    %mean = arith.divf %squares, %size : f32
    %shifted = arith.addf %mean, %epsilon : f32
    %scale = math.rsqrt %shifted : f32
    %scaled = arith.mulf %value, %scale : f32
    %weighted = arith.mulf %scaled, %weight : f32
    linalg.yield %weighted : f32
  } -> tensor<256x2048xf32>

  // SwiGLU.
  %gate_empty = tensor.empty() : tensor<256x8192xf32>
  %gate_init = linalg.fill ins(%zero : f32) outs(%gate_empty : tensor<256x8192xf32>) -> tensor<256x8192xf32>
  %gate = linalg.matmul ins(%mlp_input, %w_gate : tensor<256x2048xf32>, tensor<2048x8192xf32>) outs(%gate_init : tensor<256x8192xf32>) -> tensor<256x8192xf32>
  %up_empty = tensor.empty() : tensor<256x8192xf32>
  %up_init = linalg.fill ins(%zero : f32) outs(%up_empty : tensor<256x8192xf32>) -> tensor<256x8192xf32>
  %up = linalg.matmul ins(%mlp_input, %w_up : tensor<256x2048xf32>, tensor<2048x8192xf32>) outs(%up_init : tensor<256x8192xf32>) -> tensor<256x8192xf32>
  %active_empty = tensor.empty() : tensor<256x8192xf32>
  %active = linalg.generic {indexing_maps = [#both, #both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%gate, %up : tensor<256x8192xf32>, tensor<256x8192xf32>) outs(%active_empty : tensor<256x8192xf32>) {
  ^bb0(%g: f32, %u: f32, %out: f32):
    %one = arith.constant 1.0 : f32
    %negative = arith.negf %g : f32
    %e = math.exp %negative : f32
    %denominator = arith.addf %e, %one : f32
    %silu = arith.divf %g, %denominator : f32
    %product = arith.mulf %silu, %u : f32
    linalg.yield %product : f32
  } -> tensor<256x8192xf32>
  %mlp_empty = tensor.empty() : tensor<256x2048xf32>
  %mlp_init = linalg.fill ins(%zero : f32) outs(%mlp_empty : tensor<256x2048xf32>) -> tensor<256x2048xf32>
  %mlp = linalg.matmul ins(%active, %w_down : tensor<256x8192xf32>, tensor<8192x2048xf32>) outs(%mlp_init : tensor<256x2048xf32>) -> tensor<256x2048xf32>
  %out_flat = arith.addf %after_attention, %mlp : tensor<256x2048xf32>
  %out = tensor.expand_shape %out_flat [[0, 1], [2]] output_shape [2, 128, 2048]
      : tensor<256x2048xf32> into tensor<2x128x2048xf32>
  return %out : tensor<2x128x2048xf32>
}

// RUN: dtensor-compile %s --emit=local | FileCheck %s
// RUN: dtensor-compile %s -o %t.plan
// RUN: dtensor-run %t.plan --random-inputs 1 --check | FileCheck %s --check-prefix=RAN

// RUN: dtensor-run %t.plan --random-inputs 1 --check=interp | FileCheck %s --check-prefix=RAN

// CHECK-LABEL: func.func @main
// CHECK-NOT:   comm.
// CHECK:       comm.all_reduce sum %{{.*}} over @mesh["tp"] : tensor<128x2048xf32>
// CHECK-NOT:   comm.
// CHECK:       comm.all_reduce sum %{{.*}} over @mesh["tp"] : tensor<128x2048xf32>
// CHECK-NOT:   comm.

// RAN: all_reduce over "tp"  1048576 bytes/rank
// RAN: all_reduce over "tp"  1048576 bytes/rank
// RAN: total received: 2097152 bytes/rank, 4 ranks
// RAN: result0: largest error {{.*}}: ok
