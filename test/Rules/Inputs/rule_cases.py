# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# All cases, by family.
import importlib

FAMILIES = ("linalg", "reductions", "elementwise", "reshapes", "tensor", "structured", "windows",
            "positions", "control", "sharing", "empty")


def cases(family, thorough=False):
    """The cases of a family; `thorough` adds shapes that CI leaves out."""
    module = importlib.import_module("cases_" + family)
    found = module.cases() + (module.more_cases() if thorough and hasattr(module, "more_cases") else [])
    names = [case.name for case in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SystemExit("cases of one name: " + ", ".join(twice))
    return found


def covered_ops():
    return sorted({case.op for family in FAMILIES for case in cases(family, True)})
