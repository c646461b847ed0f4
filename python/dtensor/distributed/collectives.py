# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collectives on arrays. Each is a redistribution of a tensor that the group's
arrays are the parts of, so that one planner and one executor do all of them.

All ranks of the group call one with arrays of equal shape and type. Results are
written to the arrays given. With async_op, a Work is returned at once, and
wait() writes the results; arrays must be left alone until then.
"""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Sequence

import numpy as np

from .. import errors
from .._tensor import DTensor, distribute_tensor, from_local
from ..device_mesh import DeviceMesh
from ..placement_types import Partial, Replicate, Shard
from .groups import group_rank, resolve_group


class ReduceOp:
    """Names of operators."""

    SUM, PRODUCT, MIN, MAX, AVG = "sum", "product", "min", "max", "avg"
    BAND, BOR, BXOR = "band", "bor", "bxor"


class Work:
    """A collective under way."""

    def __init__(self, tensor: Optional[DTensor], finish: Callable[[], None]):
        self._tensor, self._finish, self._done = tensor, finish, False

    def is_completed(self) -> bool:
        return self._done or self._tensor is None or self._tensor.is_ready

    def wait(self) -> bool:
        """Waits, and writes the results. Raises what went wrong."""
        if not self._done:
            self._finish()
            self._done = True
        return True


def _end(tensor: Optional[DTensor], finish: Callable[[], None], async_op: bool) -> Optional[Work]:
    work = Work(tensor, finish)
    if async_op:
        return work
    work.wait()
    return None


def _array(value: Any, what: str) -> np.ndarray:
    if not isinstance(value, np.ndarray):
        raise errors.InvalidArgumentError(f"{what} is a {type(value).__name__}, not a NumPy array")
    return value


def _target(value: Any, what: str) -> np.ndarray:
    array = _array(value, what)
    if not array.flags.writeable:
        raise errors.InvalidArgumentError(f"{what} is read-only, but takes a result")
    return array


def _same(arrays: Sequence[np.ndarray], count: int, like: np.ndarray, what: str) -> None:
    if len(arrays) != count:
        raise errors.InvalidArgumentError(
            f"{what} has {len(arrays)} arrays for a group of {count} ranks; give one for each"
        )
    for array in arrays:
        if _array(array, what).shape != like.shape or array.dtype != like.dtype:
            raise errors.InvalidArgumentError(
                f"{what} holds {array.dtype} {array.shape} beside {like.dtype} {like.shape}; "
                "all have to be alike"
            )


def _part(array: np.ndarray) -> np.ndarray:
    """Dense memory of the array's values; a copy that nobody need be told of."""
    return np.ascontiguousarray(array).reshape(array.shape)


def all_reduce(tensor, op: str = ReduceOp.SUM, group: Optional[DeviceMesh] = None, async_op=False):
    """Combines the arrays of all ranks, in rank order, on every rank."""
    array, group = _target(tensor, "tensor"), resolve_group(group)
    source = from_local(_part(array), group, [Partial(op)])
    out = source.redistribute(placements=[Replicate()], async_op=async_op)

    def finish():
        array[...] = out.to_local()

    return _end(out, finish, async_op)


def reduce(tensor, dst: int, op: str = ReduceOp.SUM, group: Optional[DeviceMesh] = None, async_op=False):
    """Combines the arrays on rank `dst` of the world; the others keep theirs."""
    array, group = _target(tensor, "tensor"), resolve_group(group)
    source = from_local(_part(array), group, [Partial(op)])
    out = source.redistribute(_only(group, dst), [Replicate()], async_op=async_op)

    def finish():
        out.wait()
        if group.get_rank() == dst:
            array[...] = out.to_local()

    return _end(out, finish, async_op)


def broadcast(tensor, src: int, group: Optional[DeviceMesh] = None, async_op=False):
    """The array of rank `src` of the world, on every rank."""
    array, group = _target(tensor, "tensor"), resolve_group(group)
    out = distribute_tensor(
        _part(array), group, [Replicate()], src_data_rank=group_rank(group, src)
    )

    def finish():
        array[...] = out.to_local()

    return _end(out, finish, async_op)


def all_gather_into_tensor(output, input, group: Optional[DeviceMesh] = None, async_op=False):
    """The arrays of all ranks one after another along the first dimension (or
    along a new one, where `output` has one more)."""
    target, source, group = _target(output, "output"), _array(input, "input"), resolve_group(group)
    count = group.size()
    stacked, joined = (count, *source.shape), (count * (source.shape or (0,))[0], *source.shape[1:])
    if target.dtype != source.dtype or target.shape not in (stacked, joined):
        raise errors.InvalidArgumentError(
            f"output is {target.dtype} {target.shape}; for {count} ranks with {source.dtype} "
            f"{source.shape} it has to be {stacked} or {joined}"
        )
    part = from_local(_part(source)[None], group, [Shard(0)])
    out = part.redistribute(placements=[Replicate()], async_op=async_op)

    def finish():
        target[...] = out.to_local().reshape(target.shape)

    return _end(out, finish, async_op)


def all_gather(tensor_list: List, tensor, group: Optional[DeviceMesh] = None, async_op=False):
    """The arrays of all ranks, in rank order."""
    source, group = _array(tensor, "tensor"), resolve_group(group)
    _same(tensor_list, group.size(), source, "tensor_list")
    part = from_local(_part(source)[None], group, [Shard(0)])
    out = part.redistribute(placements=[Replicate()], async_op=async_op)

    def finish():
        for target, value in zip(tensor_list, out.to_local()):
            target[...] = value

    return _end(out, finish, async_op)


def reduce_scatter_tensor(
    output, input, op: str = ReduceOp.SUM, group: Optional[DeviceMesh] = None, async_op=False
):
    """Combines the arrays; each rank gets its equal part along the first dimension."""
    target, source, group = _target(output, "output"), _array(input, "input"), resolve_group(group)
    count = group.size()
    stacked, joined = (count, *target.shape), (count * (target.shape or (0,))[0], *target.shape[1:])
    if target.dtype != source.dtype or source.shape not in (stacked, joined):
        raise errors.InvalidArgumentError(
            f"input is {source.dtype} {source.shape}; for {count} ranks with {target.dtype} "
            f"{target.shape} it has to be {stacked} or {joined}"
        )
    part = from_local(_part(source).reshape(stacked), group, [Partial(op)])
    out = part.redistribute(placements=[Shard(0)], async_op=async_op)

    def finish():
        target[...] = out.to_local()[0]

    return _end(out, finish, async_op)


def reduce_scatter(
    output, input_list: List, op: str = ReduceOp.SUM, group: Optional[DeviceMesh] = None, async_op=False
):
    """Combines array i of all ranks on rank i."""
    target, group = _target(output, "output"), resolve_group(group)
    _same(input_list, group.size(), target, "input_list")
    return reduce_scatter_tensor(target, np.stack(input_list), op, group, async_op)


def all_to_all_single(output, input, group: Optional[DeviceMesh] = None, async_op=False):
    """Equal part i of the input, along the first dimension, to rank i; parts arrive
    in rank order."""
    target, source, group = _target(output, "output"), _array(input, "input"), resolve_group(group)
    count = group.size()
    if target.shape != source.shape or target.dtype != source.dtype or not source.shape:
        raise errors.InvalidArgumentError(
            f"output is {target.dtype} {target.shape}, input {source.dtype} {source.shape}; "
            "both have to be alike"
        )
    if source.shape[0] % count:
        raise errors.InvalidArgumentError(
            f"{source.shape[0]} rows do not divide among {count} ranks; use all_to_all with a list"
        )
    rows = _part(source).reshape(1, count, source.shape[0] // count, *source.shape[1:])
    part = from_local(rows, group, [Shard(0)])
    out = part.redistribute(placements=[Shard(1)], async_op=async_op)

    def finish():
        target[...] = out.to_local().reshape(target.shape)

    return _end(out, finish, async_op)


def all_to_all(output_list: List, input_list: List, group: Optional[DeviceMesh] = None, async_op=False):
    """Array i of the input to rank i; arrays arrive in rank order."""
    group = resolve_group(group)
    if not input_list:
        raise errors.InvalidArgumentError("input_list is empty; give one array for each rank")
    like = _array(input_list[0], "input_list")
    _same(input_list, group.size(), like, "input_list")
    _same(output_list, group.size(), like, "output_list")
    part = from_local(np.stack(input_list)[None], group, [Shard(0)])
    out = part.redistribute(placements=[Shard(1)], async_op=async_op)

    def finish():
        for target, value in zip(output_list, out.to_local()):
            target[...] = value[0]

    return _end(out, finish, async_op)


def scatter(
    tensor, scatter_list: Optional[List] = None, src: int = 0, group: Optional[DeviceMesh] = None, async_op=False
):
    """Array i of rank `src` of the world to rank i of the group."""
    target, group = _target(tensor, "tensor"), resolve_group(group)
    if group.get_rank() == src:
        _same(scatter_list or [], group.size(), target, "scatter_list")
        whole = np.stack(scatter_list)
    else:  # whose values do not count: no memory is touched
        whole = np.empty((group.size(), *target.shape), target.dtype)
    out = distribute_tensor(whole, group, [Shard(0)], src_data_rank=group_rank(group, src))

    def finish():
        target[...] = out.to_local()[0]

    return _end(out, finish, async_op)


def gather(
    tensor, gather_list: Optional[List] = None, dst: int = 0, group: Optional[DeviceMesh] = None, async_op=False
):
    """The arrays of all ranks to rank `dst` of the world."""
    source, group = _array(tensor, "tensor"), resolve_group(group)
    if group.get_rank() == dst:
        _same(gather_list or [], group.size(), source, "gather_list")
    part = from_local(_part(source)[None], group, [Shard(0)])
    out = part.redistribute(_only(group, dst), [Replicate()], async_op=async_op)

    def finish():
        out.wait()
        if group.get_rank() == dst:
            for target, value in zip(gather_list, out.to_local()):
                target[...] = value

    return _end(out, finish, async_op)


def _only(group: DeviceMesh, rank: int) -> DeviceMesh:
    """A rank of the group as a mesh of its own."""
    group_rank(group, rank)
    return group._part([rank])


def _move(array: np.ndarray, source: int, target: int, group: DeviceMesh, async_op: bool) -> DTensor:
    """One rank's array on another rank."""
    sends = group.get_rank() == source
    local = _part(array) if sends else np.empty(0, array.dtype)
    tensor = from_local(local, _only(group, source), [Replicate()], shape=array.shape)
    return tensor.redistribute(_only(group, target), [Replicate()], async_op=async_op)


def isend(tensor, dst: int, group: Optional[DeviceMesh] = None) -> Work:
    """As send; wait() of the result ends it."""
    array, group = _array(tensor, "tensor"), resolve_group(group)
    me = group.get_rank()
    if dst == me:
        raise errors.InvalidArgumentError(f"rank {me} sends to itself")
    out = _move(array, me, dst, group, True)
    return Work(out, out.wait)


def irecv(tensor, src: int, group: Optional[DeviceMesh] = None) -> Work:
    """As recv; wait() of the result ends it and writes the array."""
    array, group = _target(tensor, "tensor"), resolve_group(group)
    me = group.get_rank()
    if src == me:
        raise errors.InvalidArgumentError(f"rank {me} receives from itself")
    out = _move(array, src, me, group, True)

    def finish():
        array[...] = out.to_local()

    return Work(out, finish)


def send(tensor, dst: int, group: Optional[DeviceMesh] = None) -> None:
    """Gives the array to rank `dst` of the world, which has to call recv with one
    of equal shape and type. Ends when it has been taken."""
    isend(tensor, dst, group).wait()


def recv(tensor, src: int, group: Optional[DeviceMesh] = None) -> int:
    """Takes an array from rank `src` of the world; returns `src`."""
    irecv(tensor, src, group).wait()
    return src


def barrier(group: Optional[DeviceMesh] = None) -> None:
    """Waits for all ranks of the group."""
    group = resolve_group(group)
    if group.size() > 1:
        from_local(np.zeros(1, np.int8), group, [Shard(0)]).full_tensor()
