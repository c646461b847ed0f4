// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributed tensors in C++: four ranks as threads (or, under
// `mpirun -n 4`, as processes).
#include <dtensor/DTensor.h>

#include <cstdio>

using namespace dtensor;

int main() {
  try {
    spmd(4, [] {
      DeviceMesh mesh = initDeviceMesh("cpu", {2, 2}, {"dp", "tp"});

      // Rank 0's values, in chunks of rows over "dp" and columns over "tp".
      std::vector<float> values(48);
      for (int i = 0; i < 48; ++i)
        values[i] = static_cast<float>(i);
      DTensor x = distributeTensor(Array::of(values, {8, 6}), mesh,
                                   {Shard(0), Shard(1)});

      // The planner finds the way; nobody holds more than it has to.
      DTensor y = x.redistribute({Shard(1), Shard(0)});
      DTensor whole = y.redistribute({Replicate(), Replicate()});

      // Every rank contributes one; the sum is their number.
      DTensor sum = fromLocal(Array::of<float>({1}), mesh,
                              {Partial("sum"), Partial("sum")});

      Array part = y.toLocal(), all = whole.toLocal(), n = sum.fullTensor();
      if (worldRank() == 0) {
        std::printf("%s\n", y.text().c_str());
        std::printf(
            "rank 0 holds %lldx%lld, the last element is %g, %g ranks\n",
            static_cast<long long>(part.shape()[0]),
            static_cast<long long>(part.shape()[1]), all.as<float>()[47],
            n.as<float>()[0]);
      }
    });
  } catch (const DTensorError &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}
