# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""safetensors files: every rank writes and reads only its part of each tensor."""

from __future__ import annotations

import ctypes
import json
import os
import struct
from typing import Dict, Mapping, Optional, Sequence, Union

import numpy as np

from . import _spmd, dtypes, errors
from ._native import check, int64s, lib
from ._tensor import DTensor, from_local
from .device_mesh import DeviceMesh, resolve_mesh
from .placement_types import Placements, to_struct

_NAMES = {
    "F64": dtypes.float64,
    "F32": dtypes.float32,
    "F16": dtypes.float16,
    "BF16": dtypes.bfloat16,
    "F8_E4M3": dtypes.float8_e4m3fn,
    "F8_E5M2": dtypes.float8_e5m2,
    "BOOL": dtypes.bool_,
    "I8": dtypes.int8,
    "I16": dtypes.int16,
    "I32": dtypes.int32,
    "I64": dtypes.int64,
    "U8": dtypes.uint8,
    "U16": dtypes.uint16,
    "U32": dtypes.uint32,
    "U64": dtypes.uint64,
}


def _name_of(dtype: dtypes.AnyDType) -> str:
    return next(name for name, known in _NAMES.items() if known is dtype or known == dtype)


def _map(path: str, mode: str, offset: int, dtype: dtypes.AnyDType, shape: Sequence[int]):
    """A tensor's data in the file; nothing is read or written by that alone."""
    storage = dtypes.storage_of(dtype).newbyteorder("<")
    if 0 in shape:
        return np.empty(shape, storage)
    return np.memmap(path, storage, mode, offset, tuple(shape) or (1,)).reshape(shape)


def save_safetensors(
    path: Union[str, os.PathLike],
    tensors: Mapping[str, DTensor],
    metadata: Optional[Mapping[str, str]] = None,
) -> None:
    """Writes tensors into one file that all ranks reach. All ranks call it, with
    the same names in any order; partial tensors are reduced first.

    Raises:
        IoError: where the file cannot be written.
    """
    path = os.fspath(path)
    header, offset = {}, 0
    if metadata:
        header["__metadata__"] = dict(metadata)
    for name in sorted(tensors):
        tensor = tensors[name]
        size = tensor.numel() * dtypes.storage_of(tensor.dtype).itemsize
        header[name] = {
            "dtype": _name_of(tensor.dtype),
            "shape": list(tensor.shape),
            "data_offsets": [offset, offset + size],
        }
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    problem = ""
    if _spmd.get_rank() == 0:
        try:
            with open(path, "wb") as file:
                file.write(struct.pack("<Q", len(text)) + text)
                file.truncate(8 + len(text) + offset)
        except OSError as error:
            problem = f"{path}: {error.strerror}"
    _agree(problem)
    for name in sorted(tensors):
        tensor = _without_partials(tensors[name])
        box = tensor.local_box()
        if box is None or not _writes(tensor, box):
            continue
        data = _map(
            path, "r+", 8 + len(text) + header[name]["data_offsets"][0], tensor.dtype, tensor.shape
        )
        data[box] = tensor.to_local()
        if isinstance(data, np.memmap):
            data.flush()
    _spmd.barrier()


def _agree(problem: str) -> None:
    """Raises rank 0's problem on all ranks."""
    mesh = DeviceMesh("cpu", list(range(_spmd.get_world_size())))
    length = 512
    text = np.zeros(length, np.uint8)
    data = problem.encode()[:length]
    text[: len(data)] = np.frombuffer(data, np.uint8)
    if _spmd.get_rank() != 0:
        text[:] = 0
    told = from_local(text[None], mesh, "dim0=shard(0)").full_tensor()[0]
    if told.any():
        raise errors.IoError(told.tobytes().rstrip(b"\0").decode("utf-8", "replace"))


def _without_partials(tensor: DTensor) -> DTensor:
    items, _ = tensor._placements()
    if not any(placement.is_partial() for _, placement in items):
        return tensor
    kept = [
        entry.strip() for entry in tensor.layout_text.split(",") if "=partial" not in entry
    ]
    return tensor.redistribute(placements=", ".join(kept))


def _writes(tensor: DTensor, box) -> bool:
    """True on the first of the ranks that hold this box."""
    mine = tensor.device_mesh.get_rank()
    for rank in sorted(int(rank) for rank in tensor.device_mesh.mesh.flat):
        if tensor.local_box(rank) == box:
            return rank == mine
    return False


def read_safetensors_header(path: Union[str, os.PathLike]) -> dict:
    """What a file says about its tensors: dtype, shape, data_offsets (from the end
    of the header), by name. Adds "__offset__", where the data begins.

    Raises:
        IoError: for files that cannot be read, and for other files.
    """
    path = os.fspath(path)
    try:
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            start = file.read(8)
            length = struct.unpack("<Q", start)[0] if len(start) == 8 else size
            if length > size - 8:
                raise errors.IoError(f"{path}: is no safetensors file")
            header = json.loads(file.read(length))
    except OSError as error:
        raise errors.IoError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise errors.IoError(f"{path}: is no safetensors file") from None
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        lo, hi = entry["data_offsets"]
        if entry["dtype"] not in _NAMES:
            raise errors.NotSupportedError(f"{path}: '{name}' has elements of {entry['dtype']}")
        width = dtypes.storage_of(_NAMES[entry["dtype"]]).itemsize
        count = int(np.prod(entry["shape"], dtype=object)) if entry["shape"] else 1
        if lo < 0 or hi - lo != count * width or 8 + length + hi > size:
            raise errors.IoError(
                f"{path}: '{name}' has {hi - lo} bytes at {lo}, which are not its {count} elements"
            )
    header["__offset__"] = 8 + length
    return header


def load_safetensors(
    path: Union[str, os.PathLike],
    device_mesh: Optional[DeviceMesh] = None,
    placements: Optional[Mapping[str, Placements]] = None,
) -> Dict[str, DTensor]:
    """Reads all tensors of a file onto a mesh: every rank its part, without traffic.
    All ranks call it.

    Args:
        placements: by name; those left out replicate.

    Raises:
        IoError: for files that cannot be read, and for other files.
        InvalidArgumentError: for names that the file does not have.
    """
    path, mesh = os.fspath(path), resolve_mesh(device_mesh)
    header = read_safetensors_header(path)
    names = [name for name in header if name not in ("__metadata__", "__offset__")]
    for name in placements or {}:
        if name not in names:
            raise errors.InvalidArgumentError(
                f"{path} has no tensor '{name}'; it has {', '.join(sorted(names)) or 'none'}"
            )
    loaded = {}
    for name in sorted(names):
        entry = header[name]
        dtype, shape = _NAMES[entry["dtype"]], tuple(entry["shape"])
        layout = (placements or {}).get(name)
        box = _box_of(mesh, shape, dtype, layout)
        data = _map(path, "r", header["__offset__"] + entry["data_offsets"][0], dtype, shape)
        storage = dtypes.storage_of(dtype)
        part = np.empty(0, storage) if box is None else np.array(data[box], storage)
        loaded[name] = from_local(
            part,
            mesh,
            layout,
            shape=shape,
            dtype=dtype if isinstance(dtype, dtypes.DType) else None,
        )
    return loaded


def _box_of(mesh: DeviceMesh, shape, dtype, layout):
    """The part of such a tensor that this rank holds, without making one."""
    struct = to_struct(layout)
    lo, hi = int64s([0] * len(shape)), int64s([0] * len(shape))
    holds = ctypes.c_int32()
    check(
        lib.dtensorLocalBox(
            mesh._handle,
            int64s(shape),
            len(shape),
            ctypes.byref(struct) if struct is not None else None,
            lo,
            hi,
            ctypes.byref(holds),
        )
    )
    if not holds.value:
        return None
    return tuple(slice(lo[d], hi[d]) for d in range(len(shape)))
