# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Factories: every rank makes its own part, without traffic."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Sequence, Union

from . import dtypes
from ._native import FactoryOptions, check, int64s, lib, make
from ._tensor import DTensor
from .device_mesh import DeviceMesh, resolve_mesh
from .placement_types import Placements, to_struct

#: The one memory format that there is.
strided = "strided"

_ARGUMENTS = """

    Args:
        size: the global shape, as numbers or as one sequence.
        dtype: float32 unless given.
        layout: memory format, "strided" only.
        requires_grad: of float tensors.
        device_mesh: None for the current one.
        placements: None replicates.

    Raises:
        InvalidArgumentError: for sizes, types and placements that do not fit.
    """


def _make(function, size, dtype, layout, requires_grad, mesh, placements, *value, seed=None):
    if len(size) == 1 and not isinstance(size[0], int) and hasattr(size[0], "__iter__"):
        size = tuple(size[0])
    shape = [int(extent) for extent in size]
    mesh = resolve_mesh(mesh)
    kind = dtypes.canonical(dtypes.float32 if dtype is None else dtype)
    struct = to_struct(placements, dtypes.is_unsigned(kind))
    options = FactoryOptions(
        dtypes.code_of(kind),
        int(requires_grad),
        mesh._handle,
        ctypes.pointer(struct) if struct is not None else None,
        str(layout).encode(),
        int(seed is not None),
        (seed or 0) & 0xFFFFFFFFFFFFFFFF,
    )
    return DTensor(make(function, int64s(shape), len(shape), *value, ctypes.byref(options)), kind)


def ones(
    *size: Union[int, Sequence[int]],
    dtype: Any = None,
    layout: str = strided,
    requires_grad: bool = False,
    device_mesh: Optional[DeviceMesh] = None,
    placements: Placements = None,
) -> DTensor:
    """A tensor of ones."""
    return _make(lib.dtensorOnes, size, dtype, layout, requires_grad, device_mesh, placements)


def zeros(
    *size: Union[int, Sequence[int]],
    dtype: Any = None,
    layout: str = strided,
    requires_grad: bool = False,
    device_mesh: Optional[DeviceMesh] = None,
    placements: Placements = None,
) -> DTensor:
    """A tensor of zeros."""
    return _make(lib.dtensorZeros, size, dtype, layout, requires_grad, device_mesh, placements)


def empty(
    *size: Union[int, Sequence[int]],
    dtype: Any = None,
    layout: str = strided,
    requires_grad: bool = False,
    device_mesh: Optional[DeviceMesh] = None,
    placements: Placements = None,
) -> DTensor:
    """A tensor to be written before it is read."""
    return _make(lib.dtensorEmpty, size, dtype, layout, requires_grad, device_mesh, placements)


def full(
    size: Sequence[int],
    fill_value: Union[int, float],
    *,
    dtype: Any = None,
    layout: str = strided,
    requires_grad: bool = False,
    device_mesh: Optional[DeviceMesh] = None,
    placements: Placements = None,
) -> DTensor:
    """A tensor that repeats one value; refuses one that the type does not have."""
    function, value = lib.dtensorFull, fill_value
    if isinstance(fill_value, int):
        kind = dtypes.canonical(dtypes.float32 if dtype is None else dtype)
        if not dtypes.is_float(kind):
            function = lib.dtensorFullInteger
            if fill_value >= 1 << 63 and kind == dtypes.uint64:
                value = fill_value - (1 << 64)  # the same bits
    return _make(
        function, tuple(size), dtype, layout, requires_grad, device_mesh, placements, value
    )


def rand(
    *size: Union[int, Sequence[int]],
    dtype: Any = None,
    layout: str = strided,
    requires_grad: bool = False,
    device_mesh: Optional[DeviceMesh] = None,
    placements: Placements = None,
    seed: Optional[int] = None,
) -> DTensor:
    """Uniform random numbers in [0, 1), of floats with at least 16 bits. They follow
    from the seed and the global element alone: the same on every layout and
    every number of ranks. Without a seed, the next one (manual_seed)."""
    return _make(
        lib.dtensorRand, size, dtype, layout, requires_grad, device_mesh, placements, seed=seed
    )


def randn(
    *size: Union[int, Sequence[int]],
    dtype: Any = None,
    layout: str = strided,
    requires_grad: bool = False,
    device_mesh: Optional[DeviceMesh] = None,
    placements: Placements = None,
    seed: Optional[int] = None,
) -> DTensor:
    """Normal random numbers, of mean 0 and variance 1; otherwise as rand."""
    return _make(
        lib.dtensorRandn, size, dtype, layout, requires_grad, device_mesh, placements, seed=seed
    )


for _function in (ones, zeros, empty, full, rand, randn):
    _function.__doc__ += _ARGUMENTS


def manual_seed(seed: int) -> None:
    """Seeds the random factories that are given no seed: the first one after it
    uses `seed` itself, later ones numbers that follow from it. All ranks call
    it with the same number; a rank starts with 0."""
    check(lib.dtensorManualSeed(seed & 0xFFFFFFFFFFFFFFFF))
