# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is known to be wrong, and why. An entry goes when its bug is fixed;
# `enumerate_rules.py --known-wrong` runs these too.
import re

# (regular expression of `CASE [LAYOUTS]`, reason)
known_wrong = [
]


def known_case(case):
    """Why nothing of a case is right, if so."""
    return next((reason for pattern, reason in known_wrong if re.match(pattern, case.name + " ")), None)


def known_reason(copy):
    text = str(copy)
    return next((reason for pattern, reason in known_wrong if re.match(pattern, text)), None)
