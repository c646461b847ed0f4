// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiler and runtime in one program: a product whose contracted dimension is
// sharded is compiled from text, loaded by four ranks, and run on distributed
// tensors.
#include <dtensor-c/Compiler.h>
#include <dtensor/DTensor.h>

#include <cstdio>
#include <string>

using namespace dtensor;

static const char *kProgram = R"(
dtensor.mesh @mesh ["tp" = 4]
func.func @main(
    %x: tensor<8x64xf32>  {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(1)]>},
    %w: tensor<64x16xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>})
    -> (tensor<8x16xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x16xf32>)
                     outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
)";

struct Output {
  std::string plan, diagnostics;
};

int main() {
  Output output;
  std::string text = kProgram;
  int refused = dtensorCompile(
      text.data(), text.size(), "matmul.mlir", nullptr,
      [](const char *data, size_t size, void *user) {
        static_cast<Output *>(user)->plan.append(data, size);
      },
      [](const char *data, size_t size, void *user) {
        static_cast<Output *>(user)->diagnostics.append(data, size);
      },
      &output);
  if (refused) {
    std::fprintf(stderr, "%s", output.diagnostics.c_str());
    return 1;
  }
  bool right = true;
  try {
    spmd(4, [&] {
      Program program = Program::fromBytes(output.plan.data(),
                                           output.plan.size(), "matmul.plan");
      FactoryOptions options;
      options.deviceMesh = program.deviceMesh();
      options.placements = {Shard(0)}; // not the program's layout
      DTensor x = ones({8, 64}, options), w = full({64, 16}, 0.5, options);
      DTensor y = program({x, w}).front();
      Array result = y.fullTensor();
      for (int64_t i = 0; i < result.numel(); ++i)
        right &= worldRank() != 0 || result.as<float>()[i] == 32.0f;
    });
  } catch (const DTensorError &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  std::printf("8x64 ones times 64x16 halves is 32 everywhere: %s\n",
              right ? "yes" : "no");
  return right ? 0 : 1;
}
