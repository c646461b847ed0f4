# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types. Those that NumPy has are NumPy's; the others are DType."""

from __future__ import annotations

from typing import Union

import numpy as np

from . import errors


class DType:
    """An element type that NumPy does not have. Its arrays hold the bits.

    Attributes:
        name: as in MLIR ("bf16").
        storage: the NumPy type of arrays of it (uint16 for bf16).
    """

    def __init__(self, name: str, storage: type):
        self.name = name
        self.storage = np.dtype(storage)

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.storage.itemsize

    def __repr__(self) -> str:
        return f"dtensor.{_SPELLED[self.name]}"


_SPELLED = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}

bfloat16 = DType("bf16", np.uint16)
float8_e4m3fn = DType("f8E4M3FN", np.uint8)
float8_e5m2 = DType("f8E5M2", np.uint8)
float64, float32, float16 = np.dtype(np.float64), np.dtype(np.float32), np.dtype(np.float16)
int8, int16, int32, int64 = (np.dtype(t) for t in (np.int8, np.int16, np.int32, np.int64))
uint8, uint16, uint32, uint64 = (np.dtype(t) for t in (np.uint8, np.uint16, np.uint32, np.uint64))
bool_ = np.dtype(np.bool_)

AnyDType = Union[np.dtype, DType]

# In the order of dtensorElementType.
_BY_CODE = [float64, float32, float16, bfloat16, float8_e4m3fn, float8_e5m2, bool_]
_BY_CODE += [int8, int16, int32, int64]
# The integers are signless: an unsigned type travels as its width.
_SIGNED = {uint8: int8, uint16: int16, uint32: int32, uint64: int64}
# JAX and others register these names with NumPy.
_FOREIGN = {"bfloat16": bfloat16, "float8_e4m3fn": float8_e4m3fn, "float8_e5m2": float8_e5m2}


def canonical(dtype) -> AnyDType:
    """`dtype` as NumPy's or ours. Raises for types that tensors cannot have."""
    if isinstance(dtype, DType):
        return dtype
    if isinstance(dtype, str):
        for known in (bfloat16, float8_e4m3fn, float8_e5m2):
            if dtype in (known.name, _SPELLED[known.name]):
                return known
    try:
        dtype = np.dtype(dtype)
    except TypeError:
        raise errors.InvalidArgumentError(f"{dtype!r} is no element type") from None
    if dtype.name in _FOREIGN:
        return _FOREIGN[dtype.name]
    if dtype.newbyteorder("=") in _BY_CODE or dtype.newbyteorder("=") in _SIGNED:
        return dtype.newbyteorder("=")
    raise errors.InvalidArgumentError(
        f"tensors cannot have elements of {dtype}; there are float16 to float64, bfloat16, "
        "float8_e4m3fn, float8_e5m2, bool, and integers of 8 to 64 bits"
    )


def code_of(dtype: AnyDType) -> int:
    """The number of the C interface."""
    return _BY_CODE.index(_SIGNED.get(dtype, dtype) if isinstance(dtype, np.dtype) else dtype)


def of_code(code: int) -> AnyDType:
    """The type of a number of the C interface; integers are signed."""
    return _BY_CODE[code]


def storage_of(dtype: AnyDType) -> np.dtype:
    """The NumPy type of arrays that hold such elements."""
    return dtype.storage if isinstance(dtype, DType) else dtype


def is_unsigned(dtype: AnyDType) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind == "u"


def is_float(dtype: AnyDType) -> bool:
    return isinstance(dtype, DType) or dtype.kind == "f"
