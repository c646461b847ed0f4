# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The sweep finds what is wrong: cases that have to fail, among one that has not.
import tempfile

import numpy as np

from rule_case import Case
from rule_program import Copy
from rule_run import Runner
from rule_variants import variants

ALIKE = "([i, j], [i, j]) -> ([i, j])"


def right():
    return Case(name="right", op="arith.addf", ins="a=5x7xf32 b=5x7xf32", outs="r=5x7xf32", rule=ALIKE,
                numpy=lambda a, b: a + b, body="%r = arith.addf %a, %b : {r}")


def wrong():
    """Each with words of the failure that it has to give."""
    claimed = ('%%e = tensor.empty() : {r}\n%%r = dtensor.scan sum dim 1 ins(%%a : {a}) outs(%%e : {r}) -> {r} '
               '{dtensor.rule = #dtensor.rule<"%s">}')
    return [
        (Case(name="another function in NumPy", op="arith.subf", ins="a=5x7xf32 b=5x7xf32", outs="r=5x7xf32", rule=ALIKE,
              numpy=lambda a, b: a + b, body="%r = arith.subf %a, %b : {r}"), "differs from NumPy"),
        (Case(name="NaN in the place of numbers", op="math.log", ins="a=5x7xf32", outs="r=5x7xf32", rule="([i, j]) -> ([i, j])",
              numpy=lambda a: np.log(abs(a)), body="%r = math.log %a : {a}"), "differs from NumPy"),
        # A running sum is not the same piece by piece.
        (Case(name="a rule that is not true", op="dtensor.scan", ins="a=5x7xf32", outs="r=5x7xf32", rule=ALIKE,
              body=claimed % "([i,j],[i,j])->([i,j])"), "MISMATCH"),
        (Case(name="a dimension that is none", op="dtensor.scan", ins="a=5x7xf32", outs="r=5x7xf32", rule=ALIKE,
              body=(claimed % "([i,j],[i,j])->([i,j])").replace("dim 1", "dim 2")), "exit code 1"),
    ]


def run():
    mesh, good, bad = [("x", 3)], right(), wrong()
    copies = [Copy(case, variant) for case in [good] + [case for case, _ in bad] for variant in variants(case, mesh, False)]
    with tempfile.TemporaryDirectory(prefix="rules-") as scratch:
        runner = Runner(scratch, mesh, 1, True)
        runner.run(copies)
    problems = ["%s fails: %s" % (copy, why) for copy, why in runner.failures if copy.case is good]
    for case, words in bad:
        if not any(copy.case is case and words in why for copy, why in runner.failures):
            problems.append("%s: nothing says %s" % (case.name, words))
    print("\n".join(problems) or "%d failures, as expected" % len(runner.failures))
    return 1 if problems else 0
