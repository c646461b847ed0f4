# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program of mpi4py that hands its arrays over and goes on with MPI:

    mpirun -n 4 python3 mpi4py_program.py

Both use the MPI that mpi4py has started; messages do not mix, because the ranks
of dtensor communicate on duplicates of MPI_COMM_WORLD.
"""

import os
import sys

import numpy as np

try:
    from mpi4py import MPI
except ImportError:
    print("skipped: mpi4py is not installed")
    sys.exit(0)
if "Open MPI" in MPI.Get_library_version() and "OMPI_COMM_WORLD_SIZE" not in os.environ:
    print("skipped: mpi4py was built with another MPI than this launcher's")
    sys.exit(0)

import dtensor
from dtensor import Replicate, Shard

comm = MPI.COMM_WORLD
rows = np.full((2, 3), comm.Get_rank(), np.float64)

mesh = dtensor.init_device_mesh("cpu", (comm.Get_size(),))
x = dtensor.from_local(rows, mesh, [Shard(0)])
whole = x.redistribute(placements=[Replicate()]).to_local()

total = comm.allreduce(float(rows.sum()))
assert total == float(whole.sum()), (total, whole.sum())
if comm.Get_rank() == 0:
    print("mpi4py and dtensor agree:", total)
