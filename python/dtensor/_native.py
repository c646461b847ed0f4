# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtime library, loaded by ctypes; its calls release the GIL."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from typing import Optional, Sequence

from . import errors

#: The version of dtensor-c/Runtime.h that this package is written for.
VERSION = (1, 0)

NUM_STEP_KINDS = 13


class SpmdOptions(ctypes.Structure):
    _fields_ = [("timeout", c_double), ("topology", c_char_p), ("check_calls", c_int32)]


class CommCounts(ctypes.Structure):
    _fields_ = [("received_bytes", c_int64), ("steps", c_int64 * NUM_STEP_KINDS)]


class PlacementStruct(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("dim", c_int64), ("op", c_char_p), ("axis", c_char_p)]


class PlacementsStruct(ctypes.Structure):
    _fields_ = [("list", POINTER(PlacementStruct)), ("count", c_size_t), ("text", c_char_p)]


class FactoryOptions(ctypes.Structure):
    _fields_ = [
        ("type", c_int32),
        ("requires_grad", c_int32),
        ("mesh", c_void_p),
        ("placements", POINTER(PlacementsStruct)),
        ("layout", c_char_p),
        ("has_seed", c_int32),
        ("seed", c_uint64),
    ]


class Port(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("type", c_int32),
        ("shape", POINTER(c_int64)),
        ("ndim", c_size_t),
        ("layout", c_char_p),
        ("requires_grad", c_int32),
        ("is_set", c_int32),
    ]


RANK_MAIN = ctypes.CFUNCTYPE(c_int32, c_void_p)
SINK = ctypes.CFUNCTYPE(None, c_void_p, c_size_t, c_void_p)

_out = POINTER(c_void_p)
_ints = POINTER(c_int64)
_names = POINTER(c_char_p)
_placements = POINTER(PlacementsStruct)
_factory = [_ints, c_size_t, POINTER(FactoryOptions), _out]

# Functions that return a status come first; then those that return something.
_STATUS = {
    "Spmd": [c_int64, RANK_MAIN, c_void_p, POINTER(SpmdOptions)],
    "Initialize": [POINTER(SpmdOptions)],
    "Finalize": [],
    "Abort": [c_int32, c_char_p],
    "WorldRank": [_ints],
    "WorldSize": [_ints],
    "Barrier": [],
    "ManualSeed": [c_uint64],
    "CurrentRank": [_out],
    "SetCurrentRank": [c_void_p],
    "GetCommCounts": [POINTER(CommCounts)],
    "InitDeviceMesh": [c_char_p, _ints, c_size_t, _names, _out],
    "MeshCreate": [c_char_p, _ints, c_size_t, _ints, c_size_t, _names, _out],
    "MeshSlice": [c_void_p, _names, c_size_t, _out],
    "MeshFlatten": [c_void_p, c_char_p, _out],
    "MeshWorld": [_out],
    "MeshPart": [c_void_p, _ints, c_size_t, _out],
    "ArrayWrapToken": [c_void_p, c_int32, _ints, c_size_t, c_uint64, _out],
    "DistributeTensor": [c_void_p, c_void_p, _placements, c_int64, _out],
    "FromLocal": [c_void_p, c_void_p, _placements, c_int32, _ints, _ints, c_size_t, _out],
    "Ones": _factory,
    "Zeros": _factory,
    "Empty": _factory,
    "Rand": _factory,
    "Randn": _factory,
    "Full": [_ints, c_size_t, c_double, POINTER(FactoryOptions), _out],
    "FullInteger": [_ints, c_size_t, c_int64, POINTER(FactoryOptions), _out],
    "ToLocal": [c_void_p, _out],
    "FullTensor": [c_void_p, _out],
    "Redistribute": [c_void_p, c_void_p, _placements, c_int32, _out],
    "Wait": [c_void_p],
    "LocalBox": [c_void_p, _ints, c_size_t, _placements, _ints, _ints, POINTER(c_int32)],
    "Plan": [
        c_char_p, _ints, c_size_t, c_int32, c_char_p, c_char_p, c_char_p, c_char_p, c_int64, SINK,
        c_void_p,
    ],
    "ProgramLoad": [c_char_p, c_char_p, _out],
    "ProgramFromBytes": [c_char_p, c_size_t, c_char_p, c_char_p, _out],
    "ProgramMesh": [c_void_p, _out],
    "ProgramInput": [c_void_p, c_size_t, POINTER(Port)],
    "ProgramResult": [c_void_p, c_size_t, POINTER(Port)],
    "ProgramSet": [c_void_p, c_size_t, c_void_p],
    "ProgramSetArray": [c_void_p, c_size_t, c_void_p],
    "ProgramCall": [c_void_p, _out, _out],
    "MeshOf": [c_void_p, _out],
    "PlacementsOf": [
        c_void_p,
        POINTER(PlacementStruct),
        c_size_t,
        POINTER(c_size_t),
        POINTER(c_int32),
    ],
}
_OTHERS = {
    "Version": ([], c_int32),
    "LastMessage": ([], c_char_p),
    "LastRank": ([], c_int64),
    "SetError": ([c_int32, c_char_p, c_int64], None),
    "IsInitialized": ([], c_int32),
    "IsLaunched": ([], c_int32),
    "RankIdentity": ([], c_uint64),
    "RankRelease": ([c_void_p], None),
    "StepKindName": ([c_int32], c_char_p),
    "MeshRelease": ([c_void_p], None),
    "MeshNdim": ([c_void_p], c_size_t),
    "MeshShape": ([c_void_p, _ints], None),
    "MeshSize": ([c_void_p], c_int64),
    "MeshRanks": ([c_void_p, _ints], None),
    "MeshHasNames": ([c_void_p], c_int32),
    "MeshName": ([c_void_p, c_size_t], c_char_p),
    "MeshDeviceType": ([c_void_p], c_char_p),
    "MeshCoordinate": ([c_void_p, _ints], c_int32),
    "MeshEqual": ([c_void_p, c_void_p], c_int32),
    "MeshText": ([c_void_p], c_char_p),
    "TakeReleased": ([POINTER(c_uint64), c_size_t], c_size_t),
    "ArrayRelease": ([c_void_p], None),
    "ArrayType": ([c_void_p], c_int32),
    "ArrayNdim": ([c_void_p], c_size_t),
    "ArrayShape": ([c_void_p, _ints], None),
    "ArrayData": ([c_void_p], c_void_p),
    "ArrayRequiresGrad": ([c_void_p], c_int32),
    "ArraySetRequiresGrad": ([c_void_p, c_int32], None),
    "Release": ([c_void_p], None),
    "IsReady": ([c_void_p], c_int32),
    "Type": ([c_void_p], c_int32),
    "Ndim": ([c_void_p], c_size_t),
    "Shape": ([c_void_p, _ints], None),
    "Stride": ([c_void_p, _ints], None),
    "RequiresGrad": ([c_void_p], c_int32),
    "LayoutText": ([c_void_p], c_char_p),
    "BoxOf": ([c_void_p, c_int64, _ints, _ints], c_int32),
    "Text": ([c_void_p], c_char_p),
    "ProgramRelease": ([c_void_p], None),
    "ProgramName": ([c_void_p], c_char_p),
    "ProgramNumInputs": ([c_void_p], c_size_t),
    "ProgramNumResults": ([c_void_p], c_size_t),
}


def library_path() -> str:
    """Where the runtime library is: $DTENSOR_LIBRARY, else in this package."""
    given = os.environ.get("DTENSOR_LIBRARY")
    if given:
        return given
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "_lib", "libdtensor.so")


def _load() -> ctypes.CDLL:
    path = library_path()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise errors.IoError(
            f"the runtime library cannot be loaded: {error}; install the package "
            "with pip, or set DTENSOR_LIBRARY to the libdtensor.so of a build"
        ) from None
    for name, arguments in _STATUS.items():
        function = getattr(library, "dtensor" + name)
        function.argtypes, function.restype = arguments, c_int32
    for name, (arguments, result) in _OTHERS.items():
        function = getattr(library, "dtensor" + name)
        function.argtypes, function.restype = arguments, result
    version = library.dtensorVersion()
    if version // 1000 != VERSION[0] or version % 1000 < VERSION[1]:
        raise errors.IoError(
            f"{path} has version {version // 1000}.{version % 1000} of the C interface, "
            f"this package needs {VERSION[0]}.{VERSION[1]}"
        )
    return library


lib = _load()


def last_error(status: int) -> errors.DTensorError:
    """The error that the last failed call on this thread left."""
    message = lib.dtensorLastMessage().decode("utf-8", "replace")
    return errors.BY_CODE.get(status, errors.InternalError)(message, lib.dtensorLastRank())


def check(status: int) -> None:
    """Raises where a call has failed."""
    if status:
        raise last_error(status)


def make(function, *arguments) -> c_void_p:
    """Calls a function that gives a handle at its end."""
    handle = c_void_p()
    check(function(*arguments, ctypes.byref(handle)))
    return handle


def int64s(values: Optional[Sequence[int]]):
    """A C array of numbers; None for None."""
    if values is None:
        return None
    return (c_int64 * max(len(values), 1))(*values)


def strings(values: Optional[Sequence[str]]):
    """A C array of texts; None for None."""
    if values is None:
        return None
    return (c_char_p * max(len(values), 1))(*[value.encode() for value in values])


class Collector:
    """Collects what a function writes to a sink."""

    def __init__(self):
        self._pieces = []
        self.sink = SINK(self._add)

    def _add(self, data, size, unused) -> None:
        self._pieces.append(ctypes.string_at(data, size))

    @property
    def data(self) -> bytes:
        return b"".join(self._pieces)


def read_ints(function, handle, count: int) -> tuple:
    """The numbers that a function writes about a handle."""
    out = (c_int64 * max(count, 1))()
    function(handle, out)
    return tuple(out[:count])


class Handle:
    """Owns one handle of the library."""

    _release = staticmethod(lib.dtensorRelease)

    def __init__(self, handle: c_void_p):
        self._handle = handle

    def __del__(self):
        handle = getattr(self, "_handle", None)
        if handle:
            self._release(handle)
            self._handle = None
