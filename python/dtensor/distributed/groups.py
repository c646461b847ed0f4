# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Process groups. A group is a mesh of one dimension."""

from __future__ import annotations

from typing import Optional, Sequence

from .. import _spmd, errors
from .._native import lib, make
from ..device_mesh import DeviceMesh


#: Whether init_process_group made this process a rank.
_joined = False


def init_process_group(
    backend: Optional[str] = None,
    init_method: Optional[str] = None,
    timeout: float = 300.0,
    world_size: int = -1,
    rank: int = -1,
    store=None,
    group_name: str = "",
) -> None:
    """Joins the ranks: those of spmd (threads, already joined), those of an mpirun,
    else this process is the only one. All ranks call it.

    Args:
        backend: None, or what the ranks are: "threads" or "mpi".
        timeout: seconds that a rank waits for others in one collective.
        world_size, rank: checked, where they are given.

    Raises:
        NotSupportedError: for other backends, and for a rendezvous by store or
            init_method: ranks come from spmd and from mpirun.
        InvalidArgumentError: for another rank or number of ranks.
    """
    if store is not None or init_method not in (None, "env://"):
        raise errors.NotSupportedError(
            "ranks come from dtensor.spmd or from mpirun, not from a store or an init_method; the "
            "stores are there for programs to share values"
        )
    global _joined
    if not _spmd.is_initialized():
        _spmd.initialize(timeout=timeout)
        _joined = True
    actual = get_backend()
    if backend not in (None, actual):
        raise errors.NotSupportedError(
            f"backend '{backend}' is not there; the ranks run on '{actual}'"
        )
    if rank not in (-1, _spmd.get_rank()) or world_size not in (-1, _spmd.get_world_size()):
        raise errors.InvalidArgumentError(
            f"this is rank {_spmd.get_rank()} of {_spmd.get_world_size()}, not {rank} of {world_size}"
        )


def destroy_process_group(group: Optional[DeviceMesh] = None) -> None:
    """Forgets a group; without one, leaves what init_process_group has joined (the
    ranks of spmd end by returning)."""
    if group is not None:
        return
    if _joined and _spmd.under_launcher() and _spmd.is_initialized():
        _spmd.finalize()


def is_initialized() -> bool:
    return _spmd.is_initialized()


def is_available() -> bool:
    return True


def get_backend(group: Optional[DeviceMesh] = None) -> str:
    """"mpi" or "threads"."""
    return "mpi" if _spmd.under_launcher() else "threads"


def _world() -> DeviceMesh:
    """All ranks; without traffic, so that two of them may begin."""
    return DeviceMesh._wrap(make(lib.dtensorMeshWorld))


def resolve_group(group: Optional[DeviceMesh]) -> DeviceMesh:
    """The group given, or all ranks."""
    if group is None:
        if not is_initialized():
            raise errors.InvalidArgumentError(
                "there is no process group yet; call init_process_group on all ranks first"
            )
        return _world()
    if not isinstance(group, DeviceMesh) or group.ndim != 1:
        raise errors.InvalidArgumentError(
            f"a group is what new_group and get_group give (a mesh of one dimension), not {group!r}"
        )
    if group.get_coordinate() is None:
        raise errors.InvalidArgumentError(
            f"rank {group.get_rank()} is not in the group of ranks {group.mesh.tolist()}"
        )
    return group


def group_rank(group: DeviceMesh, rank: int) -> int:
    """The place in a group of a rank of the world."""
    ranks = group.mesh.tolist()
    if rank in ranks:
        return ranks.index(rank)
    raise errors.InvalidArgumentError(f"rank {rank} is not in the group of ranks {ranks}")


get_group_rank = group_rank


def get_global_rank(group: DeviceMesh, rank: int) -> int:
    """The rank in the world of a place in a group."""
    ranks = group.mesh.tolist()
    if 0 <= rank < len(ranks):
        return ranks[rank]
    raise errors.InvalidArgumentError(f"the group has {len(ranks)} ranks, there is no {rank}")


def get_process_group_ranks(group: Optional[DeviceMesh] = None) -> list:
    return (group if group is not None else resolve_group(None)).mesh.tolist()


def get_rank(group: Optional[DeviceMesh] = None) -> int:
    """This rank in the world, or its place in a group (-1 outside of it)."""
    if group is None:
        return _spmd.get_rank()
    coordinate = group.get_coordinate()
    return coordinate[0] if coordinate is not None else -1


def get_world_size(group: Optional[DeviceMesh] = None) -> int:
    """All ranks, or those of a group (-1 outside of it)."""
    if group is None:
        return _spmd.get_world_size()
    return group.size() if group.get_coordinate() is not None else -1


def new_group(ranks: Optional[Sequence[int]] = None) -> DeviceMesh:
    """A group of some ranks, with a communicator of its own. All ranks call it,
    also those outside."""
    count = _spmd.get_world_size()
    return DeviceMesh("cpu", list(range(count)) if ranks is None else [int(r) for r in ranks])
