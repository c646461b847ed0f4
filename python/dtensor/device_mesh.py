# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device meshes: ranks in a grid with named dimensions."""

from __future__ import annotations

import threading
from typing import List, Optional, Sequence, Tuple, Union

import numpy as np

from . import errors
from ._native import Handle, check, int64s, lib, make, read_ints, strings

_current = threading.local()


def _names(mesh_dim_names: Optional[Sequence[str]], ndim: int) -> Optional[Tuple[str, ...]]:
    if mesh_dim_names is None:
        return None
    names = tuple(mesh_dim_names)
    if len(names) != ndim:
        raise errors.InvalidArgumentError(
            f"{len(names)} names do not fit a mesh of {ndim} dimensions; give one for each, or none"
        )
    return names


class DeviceMesh(Handle):
    """A grid of ranks. Each mesh has communicators of its own.

    Args:
        device_type: "cpu".
        mesh: the ranks, nested as the grid is; each at most once, and not all
            ranks need be in it. All ranks call it, also those outside.
        mesh_dim_names: one name per dimension.

    Raises:
        InvalidArgumentError: for ranks that do not exist or are there twice.
        NotSupportedError: for other devices.

    As a context manager, makes itself the mesh that functions take which are
    given none.
    """

    _release = staticmethod(lib.dtensorMeshRelease)

    def __init__(
        self,
        device_type: str,
        mesh: Union[Sequence, np.ndarray],
        *,
        mesh_dim_names: Optional[Sequence[str]] = None,
    ):
        ranks = np.asarray(mesh)
        if ranks.dtype.kind not in "iu" or ranks.ndim == 0:
            raise errors.InvalidArgumentError(
                f"a mesh is a nested list of ranks, such as [[0, 1], [2, 3]], not {mesh!r}"
            )
        super().__init__(
            make(
                lib.dtensorMeshCreate,
                device_type.encode(),
                int64s(ranks.shape),
                ranks.ndim,
                int64s([int(rank) for rank in ranks.flat]),
                ranks.size,
                strings(_names(mesh_dim_names, ranks.ndim)),
            )
        )

    @classmethod
    def _wrap(cls, handle) -> "DeviceMesh":
        mesh = cls.__new__(cls)
        Handle.__init__(mesh, handle)
        return mesh

    @property
    def device_type(self) -> str:
        return lib.dtensorMeshDeviceType(self._handle).decode()

    @property
    def shape(self) -> Tuple[int, ...]:
        """Ranks along each dimension."""
        return read_ints(lib.dtensorMeshShape, self._handle, self.ndim)

    @property
    def ndim(self) -> int:
        return lib.dtensorMeshNdim(self._handle)

    @property
    def mesh_dim_names(self) -> Optional[Tuple[str, ...]]:
        """None where none were given."""
        if not lib.dtensorMeshHasNames(self._handle):
            return None
        return self._axis_names

    names = mesh_dim_names

    @property
    def _axis_names(self) -> Tuple[str, ...]:
        """Also where none were given: "dim0", "dim1", ..."""
        return tuple(
            lib.dtensorMeshName(self._handle, dim).decode() for dim in range(self.ndim)
        )

    @property
    def mesh(self) -> np.ndarray:
        """The ranks, in the shape of the grid."""
        count = lib.dtensorMeshSize(self._handle)
        ranks = read_ints(lib.dtensorMeshRanks, self._handle, count)
        return np.array(ranks, np.int64).reshape(self.shape)

    def size(self, mesh_dim: Union[None, int, str] = None) -> int:
        """Ranks in all, or along one dimension."""
        if mesh_dim is None:
            return lib.dtensorMeshSize(self._handle)
        return self.shape[self._dim(mesh_dim)]

    def _dim(self, mesh_dim: Union[int, str]) -> int:
        names = self._axis_names
        if isinstance(mesh_dim, str):
            if mesh_dim in names:
                return names.index(mesh_dim)
            raise errors.InvalidArgumentError(
                f"the mesh has no dimension '{mesh_dim}'; it has {', '.join(names)}"
            )
        if -len(names) <= mesh_dim < len(names):
            return mesh_dim % len(names)
        raise errors.InvalidArgumentError(
            f"mesh dimension {mesh_dim} is out of range for a mesh of {len(names)} dimensions"
        )

    def __getitem__(self, names: Union[str, Tuple[str, ...]]) -> "DeviceMesh":
        """The part that this rank shares the other coordinates with: `mesh["tp"]`
        is this rank's row along "tp". No traffic.

        Raises:
            InvalidArgumentError: for unknown names, and outside of the mesh.
        """
        names = (names,) if isinstance(names, str) else tuple(names)
        part = DeviceMesh._wrap(
            make(lib.dtensorMeshSlice, self._handle, strings(names), len(names))
        )
        part._parent = self
        return part

    @property
    def _root(self) -> "DeviceMesh":
        """The mesh that this one is a part of, or itself."""
        mesh = self
        while getattr(mesh, "_parent", None) is not None:
            mesh = mesh._parent
        return mesh

    def flatten(self, mesh_dim_name: Optional[str] = None) -> "DeviceMesh":
        """All ranks along one dimension, row-major; called like its parts joined
        by "_" unless named."""
        name = mesh_dim_name.encode() if mesh_dim_name is not None else None
        return DeviceMesh._wrap(make(lib.dtensorMeshFlatten, self._handle, name))

    _flatten = flatten

    def _part(self, ranks: Sequence[int]) -> "DeviceMesh":
        """Some ranks of the mesh as one of their own, without traffic."""
        return DeviceMesh._wrap(
            make(lib.dtensorMeshPart, self._handle, int64s(list(ranks)), len(ranks))
        )

    def get_group(self, mesh_dim: Union[None, int, str] = None) -> "DeviceMesh":
        """The ranks along one dimension, as a mesh of one dimension: what the
        collectives of `dtensor.distributed` take as a group."""
        if mesh_dim is None:
            self._need_one_dim("get_group")
            mesh_dim = 0
        return self[self._axis_names[self._dim(mesh_dim)]]

    def get_all_groups(self) -> List["DeviceMesh"]:
        return [self.get_group(dim) for dim in range(self.ndim)]

    def get_rank(self) -> int:
        """This rank's number in the world."""
        rank = int64s([0])
        check(lib.dtensorWorldRank(rank))
        return rank[0]

    def get_coordinate(self) -> Optional[List[int]]:
        """This rank's coordinates; None outside of the mesh."""
        out = int64s([0] * self.ndim)
        inside = lib.dtensorMeshCoordinate(self._handle, out)
        return list(out[: self.ndim]) if inside else None

    def get_local_rank(self, mesh_dim: Union[None, int, str] = None) -> int:
        """This rank's coordinate on one dimension.

        Raises:
            InvalidArgumentError: outside of the mesh.
        """
        if mesh_dim is None:
            self._need_one_dim("get_local_rank")
            mesh_dim = 0
        dim = self._dim(mesh_dim)
        coordinate = self.get_coordinate()
        if coordinate is None:
            raise errors.InvalidArgumentError(
                f"rank {self.get_rank()} is not in the mesh {self}"
            )
        return coordinate[dim]

    def _need_one_dim(self, what: str) -> None:
        if self.ndim != 1:
            raise errors.InvalidArgumentError(
                f"{what} needs a dimension: the mesh {self} has {self.ndim}"
            )

    def __enter__(self) -> "DeviceMesh":
        if not hasattr(_current, "meshes"):
            _current.meshes = []
        _current.meshes.append(self)
        return self

    def __exit__(self, *unused) -> None:
        _current.meshes.pop()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DeviceMesh):
            return NotImplemented
        return bool(lib.dtensorMeshEqual(self._handle, other._handle))

    def __hash__(self) -> int:
        return hash((self.shape, tuple(self.mesh.flat)))

    def __repr__(self) -> str:
        return f"DeviceMesh{lib.dtensorMeshText(self._handle).decode()}"

    def __str__(self) -> str:
        return lib.dtensorMeshText(self._handle).decode()


def init_device_mesh(
    device_type: str,
    mesh_shape: Sequence[int],
    *,
    mesh_dim_names: Optional[Sequence[str]] = None,
) -> DeviceMesh:
    """A mesh of all ranks, in order. Joins the launcher's ranks where this thread
    is none yet. All ranks call it.

    Raises:
        InvalidArgumentError: where the product of the sizes is not the number of
            ranks, and for names that are no identifiers or are used twice.
        NotSupportedError: for other devices than "cpu".
    """
    shape = tuple(int(size) for size in mesh_shape)
    return DeviceMesh._wrap(
        make(
            lib.dtensorInitDeviceMesh,
            device_type.encode(),
            int64s(shape),
            len(shape),
            strings(_names(mesh_dim_names, len(shape))),
        )
    )


def resolve_mesh(mesh: Optional[DeviceMesh]) -> DeviceMesh:
    """The mesh given, or the current one."""
    if mesh is not None:
        return mesh
    meshes = getattr(_current, "meshes", None)
    if not meshes:
        raise errors.InvalidArgumentError(
            "no device_mesh is given and none is current; pass one, or write `with mesh:`"
        )
    return meshes[-1]
