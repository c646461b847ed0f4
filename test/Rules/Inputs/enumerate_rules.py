# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs ops sharded in every way against the unsharded run.
#
#   enumerate_rules.py FAMILY --mesh x=2,y=2 [--interp] [--only NAME]
#   enumerate_rules.py FAMILY --print-rules      a program that expects the rules
#   enumerate_rules.py --complete INCLUDE SOURCE every op has a case, or a reason
#   enumerate_rules.py --self-test               wrong cases are found
#
# Cases are in cases_FAMILY.py. DTENSOR_LONG_TESTS=1 takes all of their shapes
# and more combinations of layouts, and runs ops that share a rule on all meshes
# (otherwise on three ranks, where nothing divides).
import argparse
import fnmatch
import os
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import rule_cases  # noqa: E402
import rule_ops  # noqa: E402
import rule_print  # noqa: E402
import rule_selftest  # noqa: E402
from rule_known import known_reason  # noqa: E402
from rule_program import Copy  # noqa: E402
from rule_run import Runner  # noqa: E402
from rule_variants import variants  # noqa: E402

# Copies per program: few processes, and a failing one is found soon.
COPIES = 200


def parse_mesh(text):
    return [(axis, int(size)) for axis, size in (part.split("=") for part in text.split(","))]


def wanted(case, mesh, thorough):
    """Ops that share a rule with others run on three ranks in CI."""
    return thorough or not case.shared or mesh == [("x", 3)]


def without_pending(runner, cases, arguments):
    """The cases that run: pending ones as soon as the compiler takes the op."""
    whole = lambda case: Copy(case, {**{n: () for n in case.inputs}, **{n: None for n in case.results}})
    if arguments.options:
        return cases
    taken, refused = runner.taken([whole(case) for case in cases if case.pending])
    for copy, why in refused:
        print("pending: %s: %s" % (copy.case.name, why))
    left_out = {id(copy.case) for copy, _ in refused}
    return [case for case in cases if id(case) not in left_out]


def sweep(arguments):
    mesh = parse_mesh(arguments.mesh)
    thorough = bool(os.environ.get("DTENSOR_LONG_TESTS"))
    start = time.time()
    with tempfile.TemporaryDirectory(prefix="rules-") as scratch:
        runner = Runner(arguments.keep or scratch, mesh, arguments.seed, arguments.interp, arguments.options.split(),
                        arguments.devices)
        cases = [case for case in rule_cases.cases(arguments.family, thorough)
                 if fnmatch.fnmatch(case.name, arguments.only) and wanted(case, mesh, thorough)]
        cases = without_pending(runner, cases, arguments)
        copies = [Copy(case, variant) for case in cases for variant in variants(case, mesh, thorough)]
        right = [copy for copy in copies if arguments.known_wrong or not known_reason(copy, arguments.mesh, arguments.devices)]
        for first in range(0, len(right), arguments.copies):
            runner.run(right[first:first + arguments.copies])
    report(runner.failures, arguments)
    print("%s on %s: %d cases, %d variants, %d known wrong left out, %d programs, %.1f s, %d failures"
          % (arguments.family, arguments.mesh, len(cases), len(right), len(copies) - len(right), runner.programs,
             time.time() - start, len(runner.failures)))
    return 1 if runner.failures else 0


def report(failures, arguments):
    """The first failures of each case, and how many more there are."""
    by_case = {}
    for copy, why in failures:
        by_case.setdefault(copy.case.name, []).append("%s: %s" % (copy, why))
    for name, lines in by_case.items():
        for line in lines[: arguments.show]:
            print("FAILED on %s: %s" % (arguments.mesh, line))
        if len(lines) > arguments.show:
            print("... and %d more of %s" % (len(lines) - arguments.show, name))


def main():
    parser = argparse.ArgumentParser(description="Ops sharded in every way against the unsharded run.")
    parser.add_argument("family", nargs="?", choices=sorted(rule_cases.FAMILIES))
    parser.add_argument("--mesh", default="x=2", help="axes and their sizes")
    parser.add_argument("--devices", default="", help="the mesh's order of devices, as 3,1,2,0")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--interp", action="store_true", help="compare with the interpreter too")
    parser.add_argument("--only", default="*", help="cases whose name matches")
    parser.add_argument("--known-wrong", action="store_true", help="run what is known to be wrong too")
    parser.add_argument("--options", default="", help="of dtensor-compile; runs pending cases too")
    parser.add_argument("--copies", type=int, default=COPIES, help="copies per program")
    parser.add_argument("--keep", help="folder for the last program, its inputs and results")
    parser.add_argument("--show", type=int, default=3, help="failures shown per case")
    parser.add_argument("--print-rules", action="store_true")
    parser.add_argument("--complete", nargs=2, metavar=("INCLUDE", "SOURCE"), help="MLIR's headers, and this project")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return rule_selftest.run()
    if arguments.complete:
        return rule_ops.check(*arguments.complete)
    if arguments.family is None:
        parser.error("a family is needed")
    if arguments.print_rules:
        print(rule_print.program(arguments.family), end="")
        return 0
    return sweep(arguments)


if __name__ == "__main__":
    sys.exit(main())
