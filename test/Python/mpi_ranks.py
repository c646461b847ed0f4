# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run under mpirun: the API on processes. With an argument, one rank goes wrong,
and every rank has to say the same and end."""

import sys
import time

import numpy as np

import dtensor
import dtensor.distributed as dist
from dtensor import Partial, Replicate, Shard


@dtensor.spmd(0, timeout=20)
def right():
    mesh = dtensor.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    whole = np.arange(35.0).reshape(7, 5)
    x = dtensor.distribute_tensor(whole, mesh, [Shard(0), Shard(1)])
    for placements in ([Shard(1), Shard(0)], [Replicate(), Partial()], {"tp": Shard(0), "dp": Shard(0)}):
        y = x.redistribute(placements=placements, async_op=True)
        np.testing.assert_array_equal(y.full_tensor(), whole)
    pair = dtensor.DeviceMesh("cpu", [3, 1])
    z = x.redistribute(pair, [Shard(0)])
    if pair.get_coordinate() is not None:
        np.testing.assert_array_equal(z.to_local(), whole[z.local_box()])
    rank = dtensor.get_rank()
    dist.init_process_group("mpi")
    total = np.array([float(rank)])
    dist.all_reduce(total)
    assert total[0] == 6
    got = np.zeros(3)
    if rank == 2:
        dist.send(np.arange(3.0), dst=1)
    elif rank == 1:
        dist.recv(got, src=2)
        assert got.tolist() == [0, 1, 2]
    dist.destroy_process_group()
    return rank


def wrong_shape(mesh):
    rows = 3 if dtensor.get_rank() == 1 else 2
    dtensor.from_local(np.ones((rows, 2)), mesh, [Shard(0)], shape=(8, 2)).full_tensor()


def other_call(mesh):
    x = dtensor.distribute_tensor(np.ones((8, 8)), mesh, [Shard(0)])
    x.redistribute(placements=[Shard(1) if dtensor.get_rank() == 2 else Replicate()])
    dtensor.barrier()


def foreign_exception(mesh):
    if dtensor.get_rank() == 3:
        raise KeyError("tea")
    dtensor.barrier()


@dtensor.spmd(0, timeout=20)
def wrong(which):
    try:
        which(dtensor.init_device_mesh("cpu", (4,)))
    except dtensor.DTensorError as error:
        # In one write, so that lines of ranks do not mix.
        sys.stdout.write(f"[{type(error).__name__}] {error}\n")
        sys.stdout.flush()
        time.sleep(0.3)  # the others say so, too, before the launcher ends all
        raise


if len(sys.argv) > 1:
    wrong(globals()[sys.argv[1]])
else:
    assert right() == [0, 1, 2, 3]
    sys.stdout.write("right\n")  # in one write, as above
