# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights in a safetensors file: saved from one layout, loaded into another. Each
rank touches only its part of the file, and nothing else moves.

    safetensors_resharding.py [FILE]
"""

import os
import sys
import tempfile

import numpy as np

import dtensor
from dtensor import Replicate, Shard


def save_and_load(path):
    mesh = dtensor.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    tensors = {
        "up": dtensor.randn(
            64, 96, seed=1, device_mesh=mesh, placements=[Replicate(), Shard(1)]
        ),
        "down": dtensor.randn(
            96, 64, seed=2, device_mesh=mesh, placements=[Shard(0), Shard(0)], dtype="float16"
        ),
    }
    dtensor.save_safetensors(path, tensors)

    # Rows on all four ranks now, whatever the layout was when it was saved.
    line = dtensor.init_device_mesh("cpu", (4,), mesh_dim_names=("x",))
    with dtensor.CommDebugMode() as comm:
        loaded = dtensor.load_safetensors(path, line, {"up": [Shard(0)]})
    assert comm.get_total_counts() == 0
    assert loaded["up"].placements == (Shard(0),)
    assert loaded["down"].placements == (Replicate(),)
    for name, tensor in tensors.items():
        np.testing.assert_array_equal(loaded[name].full_tensor(), tensor.full_tensor())
    if dtensor.get_rank() == 0:
        print(", ".join(f"{name}: {tensor}" for name, tensor in sorted(loaded.items())))


if __name__ == "__main__":
    main = dtensor.spmd(4)(save_and_load)
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(os.path.join(folder, "weights.safetensors"))
