# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares the results of kernels.mlir with NumPy: kernels.py INPUTS OUTPUTS
import sys

import numpy as np

inputs, outputs = sys.argv[1:]
f, d, i = (np.load(f"{inputs}.{name}.npy") for name in "fdi")
f64 = f.astype("f8")
expected = [
    np.log(np.exp(f64 - f64.max(1, keepdims=True)) + 1),
    np.tanh(d) * d,
    np.where(i < 0, 0, i * 3),
    f.max(1),
    i.sum(1, dtype="i4"),
]
for index, want in enumerate(expected):
    got = np.load(f"{outputs}/result{index}.npy")
    tolerance = {"f4": 1e-6, "f8": 1e-14, "i4": 0}[got.dtype.str[1:]]
    error = np.abs(got.astype("f8") - want).max() / max(1, np.abs(want).max())
    assert got.shape == want.shape and error <= tolerance, (index, error)
