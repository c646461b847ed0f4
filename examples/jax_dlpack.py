# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An array of JAX as a distributed tensor, through DLPack and without a copy."""

import sys

import numpy as np

import dtensor
from dtensor import Shard

try:
    import jax.numpy as jnp
except ImportError:
    print("skipped: jax is not installed")
    sys.exit(0)

array = jnp.arange(48, dtype=jnp.float32).reshape(8, 6)


@dtensor.spmd(4)
def main():
    mesh = dtensor.init_device_mesh("cpu", (4,))
    x = dtensor.distribute_tensor(array, mesh, [Shard(0)], src_data_rank=None)
    y = x.redistribute(placements=[Shard(1)])
    # What comes back is NumPy's, which JAX takes as it is.
    return jnp.asarray(y.to_local())


for rank, part in enumerate(main()):
    columns = slice(2 * rank, min(2 * rank + 2, 6))
    np.testing.assert_array_equal(part, np.asarray(array)[:, columns])
print("columns of", array.shape)
