# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is known to be wrong, and why. An entry goes when its bug is fixed;
# `enumerate_rules.py --known-wrong` runs these too.
import re

# (regular expression of `CASE [LAYOUTS]`, reason)
known_wrong = [
    (r"arith\.(addui|mulsi|mului)_extended |math\.sincos ",
     "ops of two results have a rule, and are refused when kernels are made of them"),
    (r"tensor\.collapse_shape 1x1xf32 to f32 ",
     "dimensions of size one that are dropped are not brought whole: ranks without the element have none"),
    (r"tensor\.expand_shape f32 to 1x1xf32 \[.*r: .*shard",
     "the compiler crashes where a dimension of a scalar's expansion is sharded"),
    (r"linalg\.softmax dim (1 .* \[a: x\S* = shard\(1\); r: x\S* = shard\(0\)|0 .* \[a: x\S* = shard\(0\); r: x\S* = shard\(1\))\]",
     "the schedule of a softmax whose lines change into columns holds a kernel that nothing reads"),
    (r"math\.(isinf|isnormal) ", "nothing makes kernels of them"),
    (r"linalg\.reduce (addf|mulf) 5x7xf16 ",
     "kernels round a running f16 reduction at every step: further from the exact one than the tolerance of f16"),
]

# Ops that the interpreter does not have; they are compared with the unsharded
# run and with NumPy.
not_interpreted = {"tensor.gather", "tensor.scatter", "linalg.softmax"}


def known_case(case):
    """Why nothing of a case is right, if so."""
    return next((reason for pattern, reason in known_wrong if re.match(pattern, case.name + " ")), None)


def known_reason(copy):
    text = str(copy)
    return next((reason for pattern, reason in known_wrong if re.match(pattern, text)), None)
