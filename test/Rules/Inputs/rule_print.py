# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Programs that expect dtensor-print-rules to say the rules of cases.
import re

import rule_cases
from rule_known import known_case

HEAD = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of {family} ops, as they follow from what the ops mean.
// Written by Inputs/enumerate_rules.py {family} --print-rules.
// RUN: %dtensor-opt %s --dtensor-print-rules --verify-diagnostics=only-expected
// RUN: %python %S/Inputs/enumerate_rules.py {family} --print-rules | diff %s -

dtensor.mesh @mesh ["x" = 2]
"""


def one_of_each(family):
    """A case for each op and rule, those that are printed."""
    found = {}
    for case in rule_cases.cases(family):
        if case.rule and not known_case(case):
            found.setdefault((case.op, case.rule), case)
    return list(found.values())


def expected(case):
    return "is made anew for any layout" if case.rule == "new" else "rule " + case.rule


def lines_of(case, number):
    """The case's ops, the one under test below the remark that it gets."""
    lines = [line.strip() for line in case.text("").strip().splitlines()]
    test = next(i for i, line in enumerate(lines) if re.search(r"= %s\b" % re.escape(case.op), line))
    lines.insert(test, "// expected-remark-re @+1 {{%s{{$}}}}" % expected(case))
    # Bodies of regions stand further right; a name is a case's own.
    depth, out = 1, []
    for line in lines:
        closes = line.startswith("}") or line.startswith("^")
        out.append("  " * (depth - (1 if closes else 0)) + re.sub(r"([%^])([A-Za-z_]\w*)", r"\g<1>\g<2>%d" % number, line)
                   if not line.startswith("//") else "  " * depth + line)
        depth += line.count("{") - line.count("}") - 2 * line.count("{{") + 2 * line.count("}}") if not line.startswith("//") else 0
    return out


def program(family):
    arguments, body = [], []
    for number, case in enumerate(one_of_each(family)):
        for name, type in case.inputs.items():
            arguments.append("%%%s%d: %s" % (name, number, type))
        body += lines_of(case, number)
    signature, line = [], "func.func @rules("
    for index, argument in enumerate(arguments):
        piece = argument + (") {" if index == len(arguments) - 1 else ", ")
        if len(line) + len(piece.rstrip()) > 120:
            signature.append(line.rstrip())
            line = "                "
        line += piece
    signature.append(line if arguments else line + ") {")
    return HEAD.replace("{family}", family) + "\n" + "\n".join(signature + body + ["  return", "}"]) + "\n"
