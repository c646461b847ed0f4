# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What moved, and how tensors lie."""

from __future__ import annotations

import ctypes
from typing import Dict

from ._native import NUM_STEP_KINDS, CommCounts, check, lib
from ._tensor import DTensor

_KINDS = tuple(lib.dtensorStepKindName(kind).decode() for kind in range(NUM_STEP_KINDS))
#: Steps of a plan that stay on one rank.
_LOCAL = ("slice", "to_partial", "scale")


def comm_counts() -> Dict[str, int]:
    """What this rank has moved so far on all meshes: steps by kind, and
    "received_bytes" from other ranks."""
    counts = CommCounts()
    check(lib.dtensorGetCommCounts(ctypes.byref(counts)))
    result = dict(zip(_KINDS, counts.steps))
    result["received_bytes"] = counts.received_bytes
    return result


class CommDebugMode:
    """Counts what this rank communicates inside a `with` block.

    Example::

        with dtensor.CommDebugMode() as comm:
            y = x.redistribute(placements=[dtensor.Replicate()])
        assert comm.get_comm_counts() == {"all_gather": 1}
    """

    def __enter__(self) -> "CommDebugMode":
        self._before = comm_counts()
        self._after = None
        return self

    def __exit__(self, *unused) -> None:
        self._after = comm_counts()

    def _difference(self) -> Dict[str, int]:
        after = self._after if self._after is not None else comm_counts()
        return {name: after[name] - self._before[name] for name in after}

    def get_comm_counts(self) -> Dict[str, int]:
        """Collectives by kind; kinds that did not run are left out."""
        return {
            name: count
            for name, count in self._difference().items()
            if count and name in _KINDS and name not in _LOCAL
        }

    def get_total_counts(self) -> int:
        """Collectives in all."""
        return sum(self.get_comm_counts().values())

    @property
    def received_bytes(self) -> int:
        """Bytes that this rank got from others."""
        return self._difference()["received_bytes"]


def visualize_sharding(tensor: DTensor) -> str:
    """A drawing of a tensor of up to two dimensions: each distinct box and the
    ranks that hold it. Rows are the first dimension. Returns the text.

    Raises:
        InvalidArgumentError: for tensors of more than two dimensions.
    """
    from .errors import InvalidArgumentError

    if tensor.ndim > 2:
        raise InvalidArgumentError(
            f"a drawing has two dimensions, the tensor has {tensor.ndim}; see local_box() instead"
        )
    boxes: Dict[tuple, list] = {}
    empty = []
    for rank in tensor.device_mesh.mesh.flat:
        box = tensor.local_box(int(rank))
        bounds = tuple((part.start, part.stop) for part in box)
        if any(lo == hi for lo, hi in bounds):
            empty.append(int(rank))
        else:
            boxes.setdefault(bounds, []).append(int(rank))
    full = [((0, 1),) * (2 - tensor.ndim) + bounds for bounds in boxes]
    rows = sorted({bounds[0] for bounds in full})
    columns = sorted({bounds[1] for bounds in full})
    table = [[""] + [f"{lo}:{hi}" for lo, hi in columns]]
    held = {bounds: ranks for bounds, ranks in zip(full, boxes.values())}
    for row in rows:
        cells = [f"{row[0]}:{row[1]}" if tensor.ndim == 2 else ""]
        cells += [", ".join(map(str, held.get((row, column), []))) for column in columns]
        table.append(cells)
    widths = [max(len(line[i]) for line in table) for i in range(len(table[0]))]
    lines = [
        " | ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
        for line in table
    ]
    lines.insert(1, "-+-".join("-" * width for width in widths))
    lines.append(f"{tensor!r}")
    if empty:
        lines.append("empty on " + ", ".join(map(str, empty)))
    return "\n".join(lines)
