# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares the results of math.mlir with NumPy in double precision.
import math
import sys

import numpy as np

x = np.array([0.25, 0.5, 1.5, 3.0])
y = np.array([2.0, -1.0, 0.5, -0.25])
erf = np.vectorize(math.erf)
expected = [
    np.exp(x), np.exp2(y), np.expm1(x), np.log(x), np.log2(x), np.log1p(x),
    np.sqrt(x), 1 / np.sqrt(x), np.tanh(y), erf(y), np.sin(y), np.cos(y),
    x**y, x * y + x, np.abs(y), np.arctan(y), np.arctan2(x, y),
    np.copysign(x, y), np.cbrt(y), np.log10(x),
]
lines = open(sys.argv[1]).read().splitlines()
assert len(lines) == len(expected), lines
for number, (line, want) in enumerate(zip(lines, expected)):
    head, _, values = line.partition(": 4 f32: ")
    assert head == f"result{number}", line
    got = np.array([float(value) for value in values.split()])
    # Seven digits are printed.
    assert np.allclose(got, want.astype("f4"), rtol=6e-7, atol=1e-12), (line, want)
