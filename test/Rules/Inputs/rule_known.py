# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is known to be wrong, and why. An entry goes when its bug is fixed;
# `enumerate_rules.py --known-wrong` runs these too.
import re

# (regular expression of `CASE [LAYOUTS]`, reason)
known_wrong = [
    (r"tensor\.empty shared by two fills ",
     "a tensor.empty of two users is brought from one layout into another, and what is brought is not used"),
    # The softmax is written with two fills of one tensor.empty.
    (r"linalg\.softmax dim (\d) .* \[a: x\S* = shard\(\1\); r: x\S* = shard\((?!\1)\d\)\]", "as above"),
]

# Ops that the interpreter does not have; they are compared with the unsharded
# run and with NumPy.
not_interpreted = {
    "tensor.gather", "tensor.scatter", "linalg.softmax", "math.isnormal",
    # Of several results.
    "arith.addui_extended", "arith.mulsi_extended", "arith.mului_extended", "math.sincos",
}


def known_case(case):
    """Why nothing of a case is right, if so."""
    return next((reason for pattern, reason in known_wrong if re.match(pattern, case.name + " ")), None)


def known_reason(copy):
    text = str(copy)
    return next((reason for pattern, reason in known_wrong if re.match(pattern, text)), None)
