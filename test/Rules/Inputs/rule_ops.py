# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every op of the dialects whose ops work on whole tensors has a case, or a
# reason here why it has none.
import os
import re
import subprocess
import tempfile

import rule_cases

DIALECTS = {
    "arith": "Dialect/Arith/IR", "linalg": "Dialect/Linalg/IR", "math": "Dialect/Math/IR", "tensor": "Dialect/Tensor/IR",
}

INSIDE = "stands in the body of another op"
LOCAL = "makes or takes values of single ranks"
PROGRAM = "says something of the program, and has no tensors"
INDEX = "tensors of index cannot lie on a mesh"
without_case = {
    "linalg.index": INSIDE, "linalg.yield": INSIDE, "tensor.yield": INSIDE, "tensor.parallel_insert_slice": INSIDE,
    "tensor.rank": "folds to a constant", "tensor.cast": "changes shapes between static and dynamic; global shapes are static",
    "arith.index_cast": INDEX, "arith.index_castui": INDEX,
    "arith.scaling_extf": "of types of 8 bits", "arith.scaling_truncf": "of types of 8 bits",
    "dtensor.mesh": PROGRAM, "dtensor.parallelize_plan": PROGRAM, "dtensor.style": PROGRAM, "dtensor.prepare_input": PROGRAM,
    "dtensor.place": PROGRAM, "dtensor.prepare_output": PROGRAM,
    "dtensor.to_local": LOCAL, "dtensor.from_local": LOCAL, "dtensor.manual": LOCAL, "dtensor.yield": LOCAL,
}

# Ops without rule: the compiler refuses these, naming the op. When it takes one
# the op needs a case.
refused = {
    "linalg.pack": ("tensor<8x6xf32>", "tensor<4x3x2x2xf32>", """%e = tensor.empty() : tensor<4x3x2x2xf32>
      %r = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<8x6xf32> -> tensor<4x3x2x2xf32>"""),
    "linalg.unpack": ("tensor<4x3x2x2xf32>", "tensor<8x6xf32>", """%e = tensor.empty() : tensor<8x6xf32>
      %r = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<4x3x2x2xf32> -> tensor<8x6xf32>"""),
    "linalg.winograd_filter_transform": ("tensor<2x3x3x5xf32>", "tensor<6x6x5x2xf32>", """%e = tensor.empty() : tensor<6x6x5x2xf32>
      %r = linalg.winograd_filter_transform fmr(F_4_3) ins(%a : tensor<2x3x3x5xf32>) outs(%e : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>"""),
    "linalg.winograd_input_transform": ("tensor<2x6x6x5xf32>", "tensor<6x6x1x1x2x5xf32>", """%e = tensor.empty() : tensor<6x6x1x1x2x5xf32>
      %r = linalg.winograd_input_transform fmr(F_4_3) ins(%a : tensor<2x6x6x5xf32>) outs(%e : tensor<6x6x1x1x2x5xf32>) -> tensor<6x6x1x1x2x5xf32>"""),
    "linalg.winograd_output_transform": ("tensor<6x6x1x1x2x2xf32>", "tensor<2x4x4x2xf32>", """%e = tensor.empty() : tensor<2x4x4x2xf32>
      %r = linalg.winograd_output_transform fmr(F_4_3) ins(%a : tensor<6x6x1x1x2x2xf32>) outs(%e : tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xf32>"""),
}


def defined_ops(folder, dialect):
    """The names of ops that a dialect's .td files define."""
    found = set()
    for name in sorted(os.listdir(folder)):
        if name.endswith(".td"):
            with open(os.path.join(folder, name)) as file:
                text = file.read()
            # `def X : Base<"name"`, with the dialect first where the base is Op.
            for match in re.finditer(r'^def \w+\s*:\s*(\w+)<\s*(?:\w+_Dialect,\s*)?"(\w+)"', text, re.M):
                base, op = match.groups()
                if re.search(r"(Attr|Enum|Interface|Pass|I32|Property|Dialect|Resource)", base) is None:
                    found.add("%s.%s" % (dialect, op))
    return found


def refusal(op):
    """What the compiler says of an op that it refuses, or nothing."""
    operand, result, body = refused[op]
    with tempfile.TemporaryDirectory(prefix="rules-") as scratch:
        path = os.path.join(scratch, "program.mlir")
        with open(path, "w") as file:
            file.write('dtensor.mesh @mesh ["x" = 2]\nfunc.func @main(%%a: %s) -> %s {\n%s\nreturn %%r : %s\n}\n'
                       % (operand, result, body, result))
        done = subprocess.run(["dtensor-compile", path, "-o", path + ".plan"], stderr=subprocess.PIPE, text=True)
    return done.stderr if done.returncode == 1 else None


def check(mlir_include, source):
    covered = set(rule_cases.covered_ops())
    problems = []
    defined = defined_ops(os.path.join(source, "dialects", "DTensor"), "dtensor")
    for dialect, folder in DIALECTS.items():
        found = defined_ops(os.path.join(mlir_include, "mlir", folder), dialect)
        if not found:
            problems.append("no ops of %s are found" % dialect)
        defined |= found
    for op in sorted(defined - covered - set(without_case) - set(refused)):
        problems.append("%s has no case" % op)
    for op in sorted(covered & (set(without_case) | set(refused))):
        problems.append("%s has a case, and a reason to have none" % op)
    for op in sorted((set(without_case) | set(refused)) - defined):
        problems.append("%s is no op" % op)
    for op in refused:
        said = refusal(op)
        if said is None:
            problems.append("%s is taken by the compiler, and has no case" % op)
        elif "'%s'" % op not in said:
            problems.append("%s is refused in words that do not name it: %s" % (op, said.strip().split("\n")[0]))
    print("\n".join(problems) or "%d ops, %d with cases" % (len(defined), len(defined & covered)))
    return 1 if problems else 0
