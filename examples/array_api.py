# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Distributed tensors in Python: four ranks as threads, or as processes under
`mpirun -n 4`."""

import numpy as np

import dtensor
from dtensor import Partial, Replicate, Shard


@dtensor.spmd(4)
def main():
    mesh = dtensor.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))

    # Rank 0's values, in chunks of rows over "dp" and columns over "tp".
    whole = np.arange(48, dtype=np.float32).reshape(8, 6)
    x = dtensor.distribute_tensor(whole, mesh, [Shard(0), Shard(1)])

    # The planner finds the way; nobody holds more than it has to.
    with dtensor.CommDebugMode() as comm:
        y = x.redistribute(placements=[Shard(1), Shard(0)])
    np.testing.assert_array_equal(y.to_local(), whole[y.local_box()])
    np.testing.assert_array_equal(y.full_tensor(), whole)

    # Every rank contributes one; the sum is their number.
    count = dtensor.from_local(np.ones(1), mesh, [Partial(), Partial()])
    assert count.full_tensor() == [4]

    # Random numbers depend on the seed and the element, never on the layout.
    a = dtensor.rand(5, 3, seed=7, device_mesh=mesh, placements=[Shard(0), Replicate()])
    b = dtensor.rand(5, 3, seed=7, device_mesh=mesh, placements=[Shard(1), Shard(0)])
    np.testing.assert_array_equal(a.full_tensor(), b.full_tensor())

    if dtensor.get_rank() == 0:
        print(y)
        print(dtensor.visualize_sharding(y))
        print(comm.get_comm_counts())
    return y.to_local().shape


if __name__ == "__main__":
    print(main())
