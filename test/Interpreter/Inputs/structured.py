#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the results of the compiled structured.mlir with the answers that
the test states for the interpreter."""
import sys

import numpy as np

nan, inf = np.nan, np.inf
expected = [
    [-1, 0, -0.0, 2, inf, nan], [2, 1, 4, 5, 0, 3],
    [nan, inf, 2, 0, -0.0, -1], [3, 0, 5, 1, 4, 2],
    [0, 0, 1, 1],
    [[3, 3, 2], [9, 8, 7]], [[0, 2, 3], [1, 3, 0]],
    [[0, 1], [2, 3], [4, 5]], [10, 15, 10], [10, 3, 10],
    [0, 1, 3, 6], [10, 9, 7, 4], [3, 9, 9], [4, 6, 8],
]
for index, answer in enumerate(expected):
    value = np.load(f"{sys.argv[1]}/result{index}.npy")
    answer = np.array(answer)
    assert value.shape == answer.shape, (index, value.shape)
    assert np.array_equal(value, answer, equal_nan=value.dtype.kind == "f"), (index, value)
    if value.dtype.kind == "f":
        assert np.array_equal(np.signbit(value), np.signbit(answer)), (index, value)
