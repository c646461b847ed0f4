# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of NumPy, or of anything that speaks DLPack, as memory of the library
and back; without copies where they are contiguous."""

from __future__ import annotations

import ctypes
import itertools
import threading
import warnings
from typing import Any, Optional

import numpy as np

from . import dtypes, errors
from ._native import Handle, int64s, lib, make, read_ints


class CopyWarning(UserWarning):
    """A strided array was copied; later writes to it do not reach the tensor."""


# Arrays whose memory the library uses, by token. The library only ever gives
# tokens back, so that none of its threads calls into Python.
_lent = {}
_tokens = itertools.count(1)
_lock = threading.Lock()


def take_back() -> None:
    """Lets go of arrays that the library does not use any more."""
    buffer = (ctypes.c_uint64 * 64)()
    while True:
        count = lib.dtensorTakeReleased(buffer, 64)
        for token in buffer[:count]:
            _lent.pop(token, None)
        if count < 64:
            return


class ArrayHandle(Handle):
    """Memory of the library as NumPy sees it."""

    _release = staticmethod(lib.dtensorArrayRelease)

    def numpy(self, dtype: dtypes.AnyDType) -> np.ndarray:
        """An array of the same memory, which keeps it alive."""
        storage = dtypes.storage_of(dtype)
        handle = self._handle
        shape = read_ints(lib.dtensorArrayShape, handle, lib.dtensorArrayNdim(handle))
        if 0 in shape:
            return np.empty(shape, storage)
        self.__array_interface__ = {
            "shape": shape,
            "typestr": storage.str,
            "data": (lib.dtensorArrayData(handle), False),
            "version": 3,
        }
        return np.asarray(self)


def to_numpy(value: Any) -> np.ndarray:
    """`value` as a NumPy array, sharing memory where that can be: an array, an
    object that speaks DLPack, or nested lists of numbers."""
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, "__dlpack__") and not isinstance(value, np.generic):
        try:
            return np.from_dlpack(value)
        except (RuntimeError, BufferError, TypeError) as error:
            raise errors.InvalidArgumentError(
                f"an array of type {type(value).__name__} does not come through DLPack: {error}"
            ) from error
    return np.asarray(value)


def contiguous(value: np.ndarray) -> np.ndarray:
    """`value` as dense row-major memory; a copy of it is said."""
    if value.flags.c_contiguous and value.dtype.isnative and value.flags.aligned:
        return value
    warnings.warn(
        f"an array of shape {value.shape} and strides {value.strides} (bytes) is not dense "
        "row-major memory and was copied",
        CopyWarning,
        stacklevel=4,
    )
    return np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("="))


def lend(value: np.ndarray, dtype: dtypes.AnyDType, requires_grad: bool) -> ArrayHandle:
    """A contiguous array as memory of the library."""
    take_back()
    with _lock:
        token = next(_tokens)
        _lent[token] = value
    try:
        handle = make(
            lib.dtensorArrayWrapToken,
            value.ctypes.data,
            dtypes.code_of(dtype),
            int64s(value.shape),
            value.ndim,
            token,
        )
    except BaseException:
        _lent.pop(token, None)
        raise
    if requires_grad:
        lib.dtensorArraySetRequiresGrad(handle, 1)
    return ArrayHandle(handle)


def resolve_dtype(value: np.ndarray, dtype: Optional[Any]) -> dtypes.AnyDType:
    """The element type of an array: what is asked, where its bits are that."""
    own = dtypes.canonical(value.dtype)
    if dtype is None:
        return own
    asked = dtypes.canonical(dtype)
    if dtypes.storage_of(asked) != dtypes.storage_of(own):
        raise errors.InvalidArgumentError(
            f"an array of {own} does not hold elements of {asked}; convert it first "
            f"(arrays of {asked} are of {dtypes.storage_of(asked)})"
        )
    return asked
