# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Placements: what one dimension of a mesh does to a tensor."""

from __future__ import annotations

import ctypes
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

from . import errors
from ._native import PlacementsStruct, PlacementStruct


class Placement:
    """Base of Shard, Replicate and Partial; compares by value."""

    __slots__ = ()

    def is_shard(self, dim: Optional[int] = None) -> bool:
        """True for a Shard (of that dimension)."""
        return isinstance(self, Shard) and (dim is None or self.dim == dim)

    def is_replicate(self) -> bool:
        return isinstance(self, Replicate)

    def is_partial(self, reduce_op: Optional[str] = None) -> bool:
        """True for a Partial (of that operator)."""
        return isinstance(self, Partial) and reduce_op in (None, self.reduce_op)

    def _key(self) -> tuple:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Placement) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


class Shard(Placement):
    """Chunks of tensor dimension `dim`, of ceil(n / parts) elements until they
    run out: later chunks are short or empty. Negative dims count from the end."""

    __slots__ = ("dim",)

    def __init__(self, dim: int):
        self.dim = int(dim)

    def _key(self) -> tuple:
        return ("shard", self.dim)

    def __repr__(self) -> str:
        return f"Shard(dim={self.dim})"


class Replicate(Placement):
    """The whole tensor on every rank of the mesh dimension."""

    __slots__ = ()

    def _key(self) -> tuple:
        return ("replicate",)

    def __repr__(self) -> str:
        return "Replicate()"


REDUCE_OPS = ("sum", "product", "min", "max", "umin", "umax", "avg", "band", "bor", "bxor")


class Partial(Placement):
    """Contributions that `reduce_op` still has to combine: sum, product, min,
    max, avg (floats), band, bor, bxor (integers); umin and umax compare as
    unsigned, and min and max of unsigned arrays mean these.

    Raises:
        InvalidArgumentError: for an operator that there is not.
    """

    __slots__ = ("reduce_op",)

    def __init__(self, reduce_op: str = "sum"):
        if reduce_op not in REDUCE_OPS:
            raise errors.InvalidArgumentError(
                f"there is no reduce op {reduce_op!r}; there are {', '.join(REDUCE_OPS)}"
            )
        self.reduce_op = reduce_op

    def _key(self) -> tuple:
        return ("partial", self.reduce_op)

    def __repr__(self) -> str:
        return f"Partial({self.reduce_op})"


#: A placement per mesh dimension; or (axis, placement) pairs, or a mapping, in
#: an order of its own ("x:(1)2" is a part of an axis); or a layout's text.
Placements = Union[
    None, str, Sequence[Placement], Sequence[Tuple[str, Placement]], Mapping[str, Placement]
]

_UNSIGNED = {"min": "umin", "max": "umax"}


def _fill(out: PlacementStruct, placement: Any, axis: Optional[str], unsigned: bool) -> None:
    if isinstance(placement, Shard):
        out.kind, out.dim = 0, placement.dim
    elif isinstance(placement, Replicate):
        out.kind = 1
    elif isinstance(placement, Partial):
        op = placement.reduce_op
        out.kind, out.op = 2, (_UNSIGNED.get(op, op) if unsigned else op).encode()
    else:
        raise errors.InvalidArgumentError(
            f"{placement!r} is no placement; there are Shard(dim), Replicate() and Partial(op)"
        )
    out.axis = axis.encode() if axis is not None else None


def to_struct(placements: Placements, unsigned: bool = False):
    """The C form; None for None. The result keeps what it points to alive."""
    if placements is None:
        return None
    if isinstance(placements, str):
        return PlacementsStruct(None, 0, placements.encode())
    if isinstance(placements, Placement):
        raise errors.InvalidArgumentError(
            f"placements are a list: write [{placements!r}], one for each mesh dimension"
        )
    items = list(placements.items() if isinstance(placements, Mapping) else placements)
    if not items and isinstance(placements, Mapping):
        return None
    array = (PlacementStruct * max(len(items), 1))()
    for out, item in zip(array, items):
        if isinstance(item, tuple):
            _fill(out, item[1], item[0], unsigned)
        else:
            _fill(out, item, None, unsigned)
    return PlacementsStruct(ctypes.cast(array, ctypes.POINTER(PlacementStruct)), len(items), None)


def from_struct(item: PlacementStruct, unsigned: bool = False) -> Placement:
    """A placement from its C form."""
    if item.kind == 0:
        return Shard(item.dim)
    if item.kind == 1:
        return Replicate()
    op = item.op.decode()
    return Partial(op[1:] if unsigned and op in ("umin", "umax") else op)
