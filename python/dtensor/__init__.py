# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Distributed tensors, with every redistribution planned.

The names are the field's: init_device_mesh, Shard, Replicate, Partial,
distribute_tensor, from_local, redistribute, to_local, full_tensor. Ranks are
threads of this process (spmd), or the processes of an mpirun. Works on NumPy
arrays and on whatever speaks DLPack. docs/Api.md of the source tree compares
it, name by name, with torch.distributed.tensor.
"""

from ._arrays import CopyWarning
from . import distributed, parallel
from ._factories import empty, full, manual_seed, ones, rand, randn, strided, zeros
from ._module import Module, distribute_module
from ._program import Program, ProgramTensor, compile, load, plan
from ._safetensors import load_safetensors, save_safetensors
from ._spmd import (
    barrier,
    current_rank,
    finalize,
    get_rank,
    get_world_size,
    initialize,
    is_initialized,
    spmd,
)
from ._tensor import DTensor, distribute_tensor, from_local
from .debug import CommDebugMode, comm_counts, visualize_sharding
from .device_mesh import DeviceMesh, init_device_mesh
from .dtypes import (
    DType,
    bfloat16,
    bool_,
    float8_e4m3fn,
    float8_e5m2,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from .errors import (
    DTensorError,
    InternalError,
    InvalidArgumentError,
    IoError,
    MismatchError,
    NotSupportedError,
    OutOfMemoryError,
    RankFailedError,
    RankTimeoutError,
)
from .parallel import (
    ColwiseParallel,
    PrepareModuleInput,
    PrepareModuleOutput,
    RowwiseParallel,
    SequenceParallel,
    parallelize_module,
)
from .placement_types import Partial, Placement, Replicate, Shard

__version__ = "0.1.0"
