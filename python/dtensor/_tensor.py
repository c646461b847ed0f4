# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Distributed tensors."""

from __future__ import annotations

import ctypes
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import dtypes, errors
from ._arrays import ArrayHandle, contiguous, lend, resolve_dtype, take_back, to_numpy
from ._native import Handle, PlacementStruct, check, int64s, lib, make, read_ints
from .device_mesh import DeviceMesh, resolve_mesh
from .placement_types import Placement, Placements, from_struct, to_struct


class DTensor(Handle):
    """A tensor of a global shape, of which each rank of a mesh holds its part.

    Made by distribute_tensor, from_local, the factories, and compiled programs.
    There is no arithmetic on it: programs are compiled (dtensor.compile).
    """

    _release = staticmethod(lib.dtensorRelease)

    def __init__(self, handle, dtype: dtypes.AnyDType, read_only: bool = False):
        super().__init__(handle)
        self._dtype = dtype
        self._read_only = read_only  # memory that was lent by a read-only array
        take_back()

    # -- values ---------------------------------------------------------------

    def to_local(self) -> np.ndarray:
        """This rank's part, as an array of the same memory. Waits for the value.

        Raises:
            InvalidArgumentError: on ranks outside of the mesh.
            DTensorError: what ended an asynchronous redistribution.
        """
        local = ArrayHandle(make(lib.dtensorToLocal, self._handle)).numpy(self._dtype)
        if self._read_only:
            local.flags.writeable = False
        return local

    def full_tensor(self) -> np.ndarray:
        """The whole tensor on every rank. All ranks of the mesh call it."""
        return ArrayHandle(make(lib.dtensorFullTensor, self._handle)).numpy(self._dtype)

    def redistribute(
        self,
        device_mesh: Optional[DeviceMesh] = None,
        placements: Placements = None,
        *,
        async_op: bool = False,
    ) -> "DTensor":
        """The same values in another layout, by the planner's cheapest plan. All
        ranks of the mesh call it; of both meshes, where `device_mesh` is another.

        Args:
            placements: None replicates.
            async_op: return at once; the first use of the result waits.

        Raises:
            InvalidArgumentError: for placements that do not fit.
            MismatchError: where the ranks call different things.
        """
        if device_mesh is not None and not isinstance(device_mesh, DeviceMesh):
            raise errors.InvalidArgumentError(
                f"device_mesh is {device_mesh!r}; the placements come second: "
                "redistribute(mesh, placements) or redistribute(placements=placements)"
            )
        struct = to_struct(placements, dtypes.is_unsigned(self._dtype))
        handle = make(
            lib.dtensorRedistribute,
            self._handle,
            device_mesh._handle if device_mesh is not None else None,
            ctypes.byref(struct) if struct is not None else None,
            int(async_op),
        )
        return DTensor(handle, self._dtype, self._read_only)

    def wait(self) -> "DTensor":
        """Waits for an asynchronous redistribution and returns the tensor.

        Raises:
            DTensorError: what ended it, now and at every later use.
        """
        check(lib.dtensorWait(self._handle))
        return self

    @property
    def is_ready(self) -> bool:
        """False while an asynchronous redistribution is under way."""
        return bool(lib.dtensorIsReady(self._handle))

    # -- metadata -------------------------------------------------------------

    @property
    def shape(self) -> Tuple[int, ...]:
        """Of the whole tensor."""
        return read_ints(lib.dtensorShape, self._handle, self.ndim)

    def size(self, dim: Optional[int] = None) -> Union[int, Tuple[int, ...]]:
        """The shape, or the extent of one dimension."""
        return self.shape if dim is None else self.shape[self._check_dim(dim)]

    def stride(self, dim: Optional[int] = None) -> Union[int, Tuple[int, ...]]:
        """Of the contiguous global tensor, in elements."""
        strides = read_ints(lib.dtensorStride, self._handle, self.ndim)
        return strides if dim is None else strides[self._check_dim(dim)]

    def _check_dim(self, dim: int) -> int:
        if -self.ndim <= dim < self.ndim:
            return dim
        raise errors.InvalidArgumentError(
            f"dimension {dim} is out of range for a tensor of rank {self.ndim}"
        )

    @property
    def ndim(self) -> int:
        return lib.dtensorNdim(self._handle)

    def dim(self) -> int:
        return self.ndim

    def numel(self) -> int:
        """Elements of the whole tensor."""
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def dtype(self) -> dtypes.AnyDType:
        return self._dtype

    @property
    def device(self) -> str:
        """The device type of the mesh."""
        return self.device_mesh.device_type

    @property
    def device_mesh(self) -> DeviceMesh:
        return DeviceMesh._wrap(make(lib.dtensorMeshOf, self._handle))

    @property
    def placements(self) -> Tuple[Union[Placement, Tuple[str, Placement]], ...]:
        """One per mesh dimension; (axis, placement) pairs in their order where a
        layout has an order of its own or parts of axes."""
        items, in_mesh_order = self._placements()
        return tuple(placement if in_mesh_order else (axis, placement) for axis, placement in items)

    def _placements(self) -> Tuple[List[Tuple[Optional[str], Placement]], bool]:
        capacity = 64
        while True:
            array = (PlacementStruct * capacity)()
            count, in_mesh_order = ctypes.c_size_t(), ctypes.c_int32()
            check(
                lib.dtensorPlacementsOf(
                    self._handle, array, capacity, ctypes.byref(count), ctypes.byref(in_mesh_order)
                )
            )
            if count.value <= capacity:
                break
            capacity = count.value
        unsigned = dtypes.is_unsigned(self._dtype)
        items = [
            (item.axis.decode() if item.axis is not None else None, from_struct(item, unsigned))
            for item in array[: count.value]
        ]
        return items, bool(in_mesh_order.value)

    @property
    def layout_text(self) -> str:
        """As tools write it: "dp=shard(0), tp=partial(sum)"."""
        return lib.dtensorLayoutText(self._handle).decode()

    @property
    def requires_grad(self) -> bool:
        return bool(lib.dtensorRequiresGrad(self._handle))

    def local_box(self, rank: Optional[int] = None) -> Optional[Tuple[slice, ...]]:
        """The part of the whole tensor that a rank holds (this one), as slices;
        None outside of the mesh. `whole[x.local_box()]` is `x.to_local()`."""
        if rank is None:
            rank = self.device_mesh.get_rank()
        lo, hi = int64s([0] * self.ndim), int64s([0] * self.ndim)
        if not lib.dtensorBoxOf(self._handle, rank, lo, hi):
            return None
        return tuple(slice(lo[d], hi[d]) for d in range(self.ndim))

    def __len__(self) -> int:
        if self.ndim == 0:
            raise errors.InvalidArgumentError("a tensor of rank 0 has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        return lib.dtensorText(self._handle).decode()

    @staticmethod
    def from_local(*args, **kwargs) -> "DTensor":
        """The same as dtensor.from_local."""
        return from_local(*args, **kwargs)

    # -- what there is not ----------------------------------------------------

    def __array__(self, *args, **kwargs):
        raise errors.NotSupportedError(
            "a DTensor is no plain array; ask for its part with to_local(), or for the whole "
            "tensor with full_tensor()"
        )


def _refuse_arithmetic(name: str):
    def refuse(self, *args, **kwargs):
        raise errors.NotSupportedError(
            f"there is no arithmetic on DTensors ({name}): write the program once, for the whole "
            "tensors, and compile it with dtensor.compile; or work on the parts (to_local)"
        )

    refuse.__name__ = name
    return refuse


for _name in (
    "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or".split()
):
    for _prefix in ("__", "__r", "__i"):
        if (_prefix, _name) != ("__i", "divmod"):
            setattr(DTensor, f"{_prefix}{_name}__", _refuse_arithmetic(f"{_prefix}{_name}__"))
for _name in "neg pos abs invert lt le gt ge getitem setitem iter bool float int".split():
    setattr(DTensor, f"__{_name}__", _refuse_arithmetic(f"__{_name}__"))
for _name in ("__array_ufunc__", "__array_function__"):
    setattr(DTensor, _name, _refuse_arithmetic(_name))


def distribute_tensor(
    tensor: Any,
    device_mesh: Optional[DeviceMesh] = None,
    placements: Placements = None,
    *,
    src_data_rank: Optional[int] = 0,
    dtype: Any = None,
    requires_grad: bool = False,
) -> DTensor:
    """Puts a tensor onto a mesh. All ranks of the mesh call it.

    Args:
        tensor: an array (of NumPy, or that speaks DLPack) of one shape and type
            on all ranks, or a DTensor, which is redistributed.
        device_mesh: None for the current one.
        placements: None replicates.
        src_data_rank: position in the mesh, row-major, of the rank whose values
            count; its chunks go to the others. None: every rank has the data,
            and keeps its part without any traffic.
        dtype: bfloat16 and such, for arrays that hold their bits.
        requires_grad: of float tensors.

    Raises:
        InvalidArgumentError: for placements that do not fit, and a source
            outside of the mesh.
        MismatchError: where the ranks call different things.
    """
    if isinstance(tensor, DTensor):
        return tensor.redistribute(device_mesh, placements)
    mesh = resolve_mesh(device_mesh)
    array = to_numpy(tensor)
    kind = resolve_dtype(array, dtype)
    struct = to_struct(placements, dtypes.is_unsigned(kind))
    if src_data_rank is not None and src_data_rank < 0:
        raise errors.InvalidArgumentError(
            f"src_data_rank {src_data_rank} is outside of the mesh {mesh}"
        )
    lent = lend(contiguous(array), kind, requires_grad)
    handle = make(
        lib.dtensorDistributeTensor,
        lent._handle,
        mesh._handle,
        ctypes.byref(struct) if struct is not None else None,
        -1 if src_data_rank is None else src_data_rank,
    )
    return DTensor(handle, kind)


def from_local(
    local_tensor: Any,
    device_mesh: Optional[DeviceMesh] = None,
    placements: Placements = None,
    *,
    run_check: bool = False,
    shape: Optional[Sequence[int]] = None,
    stride: Optional[Sequence[int]] = None,
    dtype: Any = None,
    requires_grad: bool = False,
) -> DTensor:
    """Makes a tensor of the parts that the ranks hold, sharing their memory where
    they are contiguous (else copied, with a CopyWarning). No traffic.

    Args:
        run_check: all ranks compare shapes, types, layouts and, of replicas,
            hashes of the data; the data itself does not move.
        shape: the global shape. Without it, equal parts are assumed.
        stride: only that of the contiguous global tensor, in elements.

    Raises:
        InvalidArgumentError: on a rank whose part is not the box that layout and
            shape give it; with run_check on all of them.
        MismatchError: with run_check, where parts do not go together.
    """
    mesh = resolve_mesh(device_mesh)
    array = to_numpy(local_tensor)
    kind = resolve_dtype(array, dtype)
    struct = to_struct(placements, dtypes.is_unsigned(kind))
    if shape is not None and stride is not None and len(shape) != len(stride):
        raise errors.InvalidArgumentError(
            f"{len(stride)} strides do not fit a shape of {len(shape)} dimensions"
        )
    given = shape if shape is not None else stride
    lent = lend(contiguous(array), kind, requires_grad)
    handle = make(
        lib.dtensorFromLocal,
        lent._handle,
        mesh._handle,
        ctypes.byref(struct) if struct is not None else None,
        int(run_check),
        int64s(shape),
        int64s(stride),
        len(given) if given is not None else 0,
    )
    return DTensor(handle, kind, not array.flags.writeable)
