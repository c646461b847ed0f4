# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Distributed tensors, under their other name."""

from ..._factories import empty, full, ones, rand, randn, zeros
from ..._module import distribute_module
from ..._tensor import DTensor, distribute_tensor, from_local
from ...device_mesh import DeviceMesh, init_device_mesh
from ...placement_types import Partial, Placement, Replicate, Shard
from . import debug, parallel

__all__ = [
    "DTensor",
    "DeviceMesh",
    "Partial",
    "Placement",
    "Replicate",
    "Shard",
    "distribute_module",
    "distribute_tensor",
    "empty",
    "from_local",
    "full",
    "init_device_mesh",
    "ones",
    "rand",
    "randn",
    "zeros",
]
