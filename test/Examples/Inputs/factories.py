# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The results of factories.mlir against Philox 4x32-10 in NumPy.
import sys

import numpy as np

MASK = np.uint64(0xFFFFFFFF)
SHIFT = np.uint64(32)


def philox(seed, count):
    """The four words of each of the counters below `count`, as uint64."""
    at = np.arange(count, dtype=np.uint64)
    c = [at & MASK, at >> SHIFT, np.zeros_like(at), np.zeros_like(at)]
    key = [seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF]
    for _ in range(10):
        a = np.uint64(0xD2511F53) * c[0]
        b = np.uint64(0xCD9E8D57) * c[2]
        c = [
            (b >> SHIFT) ^ c[1] ^ np.uint64(key[0]),
            b & MASK,
            (a >> SHIFT) ^ c[3] ^ np.uint64(key[1]),
            a & MASK,
        ]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def upper53(high, low):
    return ((high << SHIFT) | low) >> np.uint64(11)


def rand(seed, shape, dtype):
    words = philox(seed, int(np.prod(shape)))
    if dtype == np.float64:
        value = upper53(words[0], words[1]) * 2.0**-53
    else:
        bits = {np.float32: 24, np.float16: 11}[dtype]
        value = (words[0] >> np.uint64(32 - bits)) * 2.0**-bits
    return value.astype(dtype).reshape(shape)


def randn(seed, shape, dtype):
    words = philox(seed, int(np.prod(shape)))
    u = (upper53(words[0], words[1]) + np.uint64(1)) * 2.0**-53
    v = upper53(words[2], words[3]) * 2.0**-53
    return (np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)).astype(dtype).reshape(shape)


def result(index):
    return np.load(f"{sys.argv[1]}/result{index}.npy")


uniform = rand(42, (7, 5), np.float32)
for index in range(3):
    np.testing.assert_array_equal(result(index), uniform)
np.testing.assert_array_equal(result(3), rand(-3, (300,), np.float64))
np.testing.assert_array_equal(result(4), rand(42, (7, 5), np.float16))
np.testing.assert_allclose(result(5), randn(12345678901, (3, 2, 4), np.float32), rtol=3e-7)
np.testing.assert_allclose(result(6), randn(5, (300,), np.float64), rtol=1e-13)
np.testing.assert_array_equal(result(7), rand(9, (), np.float32))
np.testing.assert_array_equal(result(8), np.full((4, 4), 24, np.float32))
np.testing.assert_array_equal(result(9), np.full((4,), 7, np.int32))
assert 0 <= uniform.min() and uniform.max() < 1
assert abs(result(6).mean()) < 0.2 and abs(result(6).std() - 1) < 0.2
