#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random programs, written several times with their ops in another legal order
# and their values renamed: dtensor-propagate must give every value the same
# layout.
#
#   shuffle_ops.py DTENSOR-OPT [SEED [PROGRAMS]]
import os
import random
import re
import subprocess
import sys
import tempfile

SQUARE = "tensor<96x96xf32>"
LAYOUTS = ["", '["dp" = shard(0)]', '["tp" = shard(1)]', '["dp" = shard(0), "tp" = shard(1)]', '["tp" = shard(0)]', "[]"]


class Program:
    """A random graph: op number -> (kind, operands); negative operands are arguments."""

    def __init__(self, rng):
        self.arguments = [rng.choice(LAYOUTS) for _ in range(rng.randint(2, 4))]
        self.ops = []
        for i in range(rng.randint(4, 14)):
            kind = rng.choice(["matmul", "addf", "tanh", "matmul", "transpose"])
            count = 2 if kind in ("matmul", "addf") else 1
            self.ops.append((kind, [rng.randint(-len(self.arguments), i - 1) for _ in range(count)]))
        used = {operand for _, operands in self.ops for operand in operands}
        self.results = [i for i in range(len(self.ops)) if i not in used]
        self.result_layouts = [rng.choice(LAYOUTS) for _ in self.results]

    def order(self, rng):
        """A random legal order of the ops; program order without `rng`."""
        if rng is None:
            return list(range(len(self.ops)))
        left, done = set(range(len(self.ops))), []
        while left:
            ready = [i for i in sorted(left) if all(o < 0 or o in done for o in self.ops[i][1])]
            done.append(rng.choice(ready))
            left.remove(done[-1])
        return done

    def text(self, order, prefix):
        def name(value):
            return f"%a{-value}" if value < 0 else f"%{prefix}{value}"

        def layout(text):
            return " {dtensor.layout = #dtensor.layout<@mesh, %s>}" % text if text else ""

        arguments = ", ".join(f"%a{i + 1}: {SQUARE}{layout(text)}" for i, text in enumerate(self.arguments))
        results = ", ".join(SQUARE + layout(text) for text in self.result_layouts)
        lines = ['dtensor.mesh @mesh ["dp" = 4, "tp" = 2]', f"func.func @main({arguments}) -> ({results}) {{",
                 f"%zero = arith.constant dense<0.0> : {SQUARE}", f"%empty = tensor.empty() : {SQUARE}"]
        for i in order:
            kind, operands = self.ops[i]
            names = [name(operand) for operand in operands]
            # The number is kept where printing cannot lose it.
            mark = f"{{number = {i} : i64}}"
            if kind == "matmul":
                lines.append(f"{name(i)} = linalg.matmul {mark} ins({names[0]}, {names[1]} : {SQUARE}, {SQUARE}) "
                             f"outs(%zero : {SQUARE}) -> {SQUARE}")
            elif kind == "transpose":
                lines.append(f"{name(i)} = linalg.transpose ins({names[0]} : {SQUARE}) outs(%empty : {SQUARE}) "
                             f"permutation = [1, 0] {mark}")
            elif kind == "addf":
                lines.append(f"{name(i)} = arith.addf {names[0]}, {names[1]} {mark} : {SQUARE}")
            else:
                lines.append(f"{name(i)} = math.tanh {names[0]} {mark} : {SQUARE}")
        lines.append("return " + ", ".join(name(i) for i in self.results) + " : " +
                     ", ".join([SQUARE] * len(self.results)))
        return "\n".join(lines + ["}"])


def layouts(tool, text):
    """What propagation gives the function's signature and each op."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "program.mlir")
        with open(path, "w") as file:
            file.write(text)
        run = subprocess.run([tool, path, "--dtensor-propagate"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        raise SystemExit("dtensor-propagate failed:\n" + run.stderr + text)
    found = {}
    for line in run.stdout.splitlines():
        if "func.func" in line:
            found["signature"] = re.findall(r"#dtensor.layout<@mesh, \[.*?\]>", line)
        mark = re.search(r"number = (\d+)", line)
        if mark:
            found[int(mark.group(1))] = re.findall(r"dtensor\.\w*layouts = \[.*?\]>?\]", line)
    return found


def main():
    tool = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20261130
    programs = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    rng = random.Random(seed)
    differ = 0
    for number in range(programs):
        program = Program(rng)
        first = layouts(tool, program.text(program.order(None), "v"))
        for _ in range(3):
            text = program.text(program.order(rng), rng.choice("klmn"))
            other = layouts(tool, text)
            if other != first:
                differ += 1
                print(f"program {number} of seed {seed}: other layouts in another order")
                for key in first:
                    if first[key] != other.get(key):
                        print(" ", key, program.ops[key] if isinstance(key, int) else "", first[key], other.get(key))
                print(program.text(program.order(None), "v"), text, sep="\n---\n")
                break
    print(f"{programs} programs of seed {seed}: {differ} differ")
    sys.exit(1 if differ else 0)


main()
