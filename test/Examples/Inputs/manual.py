#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the two results of manual.mlir, made on the directory given: one
computed rank by rank, the other as a partial tensor. The bits are the same."""
import sys

import numpy as np

a = np.load(sys.argv[1] + "/result0.npy")
b = np.load(sys.argv[1] + "/result1.npy")
assert a.shape == (6, 8), a.shape
assert np.any(a != 0)
assert np.array_equal(a.view(np.uint32), b.view(np.uint32)), abs(a - b).max()
