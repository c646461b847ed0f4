# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is known to be wrong, and why. An entry goes when its bug is fixed;
# `enumerate_rules.py --known-wrong` runs these too.
import re

# (regular expression of `CASE [LAYOUTS] on MESH devices ORDER`, reason)
known_wrong = [
]

# Ops that the interpreter does not have; they are compared with the unsharded
# run and with NumPy.
not_interpreted = {
    "tensor.gather", "tensor.scatter",
}


def known_case(case):
    """Why nothing of a case is right, if so."""
    return next((reason for pattern, reason in known_wrong if re.match(pattern, case.name + " ")), None)


def known_reason(copy, mesh, devices):
    text = "%s on %s devices %s" % (copy, mesh, devices)
    return next((reason for pattern, reason in known_wrong if re.match(pattern, text)), None)
