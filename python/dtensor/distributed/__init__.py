# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Process groups, collectives on arrays, and key-value stores.

`dtensor.distributed.tensor` and `dtensor.distributed.device_mesh` are other
names of what `dtensor` has.
"""

from . import device_mesh, tensor
from .collectives import (
    ReduceOp,
    Work,
    all_gather,
    all_gather_into_tensor,
    all_reduce,
    all_to_all,
    all_to_all_single,
    barrier,
    broadcast,
    gather,
    irecv,
    isend,
    recv,
    reduce,
    reduce_scatter,
    reduce_scatter_tensor,
    scatter,
    send,
)
from .device_mesh import DeviceMesh, init_device_mesh
from .groups import (
    destroy_process_group,
    get_backend,
    get_global_rank,
    get_group_rank,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    init_process_group,
    is_available,
    is_initialized,
    new_group,
)
from .stores import FileStore, HashStore, Store, TCPStore
