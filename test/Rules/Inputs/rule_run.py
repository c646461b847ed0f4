# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs programs of copies: sharded against unsharded, against the interpreter,
# and against NumPy.
import json
import os
import re
import subprocess
import zlib

import numpy as np

from rule_case import TOLERANCES, TYPES, load, random_value
from rule_known import not_interpreted
from rule_program import numbered, program


def write_safetensors(path, tensors):
    """`tensors` maps names to (element type, array)."""
    header, data, offset = {}, [], 0
    for name, (type, array) in tensors.items():
        bytes = np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": TYPES[type][1], "shape": list(array.shape), "data_offsets": [offset, offset + len(bytes)]}
        data.append(bytes)
        offset += len(bytes)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + b"".join(data))


def inputs_of(copies, seed):
    """Values of all inputs. Those of a copy follow from its names and the seed
    alone, so that a copy fails alone as it fails among others."""
    values = {}
    for copy in copies:
        for name, type in copy.case.inputs.items():
            key = zlib.crc32(("%s %s" % (copy, name)).encode())
            generator = np.random.default_rng([seed, key])
            values["%d.%s" % (copy.number, name)] = (
                type.type, random_value(generator, type, copy.case.values.get(name)))
    return values


@np.errstate(all="ignore")
def against_numpy(copy, values, results):
    """What differs from NumPy, or nothing."""
    if copy.case.numpy is None:
        return []
    arguments = [load(values["%d.%s" % (copy.number, name)][1], type.type) for name, type in copy.case.inputs.items()]
    expected = copy.case.numpy(*arguments)
    expected = expected if isinstance(expected, tuple) else (expected,)
    problems = []
    for (name, type), want, got in zip(copy.case.results.items(), expected, results):
        want = np.asarray(want)
        if want.shape != type.shape:
            problems.append("NumPy's %s has shape %s" % (name, want.shape))
            continue
        if got.shape != type.shape or got.dtype.itemsize != np.dtype(TYPES[type.type][0]).itemsize:
            problems.append("%s is %s of %s" % (name, got.shape, got.dtype))
            continue
        got = load(got, type.type)
        if not type.is_float:
            if not np.array_equal(got, want.astype(TYPES[type.type][0])):
                problems.append("%s differs from NumPy" % name)
            continue
        finite = np.isfinite(want)
        scale = np.abs(want[finite]).max(initial=0.0)
        # Said the other way round, NaN would be near everything.
        bad = finite & ~(np.abs(got - want) <= TOLERANCES[type.type] * scale)
        bad |= ~finite & ~((got == want) | (np.isnan(got) & np.isnan(want)))
        if bad.any():
            error = np.abs(got - want)[bad].max()
            problems.append("%s differs from NumPy by %g (relative to %g)" % (name, error, scale))
    return problems


class Runner:
    """Compiles and runs copies in as few processes as it can. Where a program
    is refused or fails as a whole, halves of it say whose fault it is."""

    def __init__(self, directory, mesh, seed, interpreter, options=(), devices=""):
        self.directory, self.mesh, self.seed, self.interpreter = directory, mesh, seed, interpreter
        self.options, self.devices = list(options), devices
        self.failures, self.programs = [], 0
        os.makedirs(directory, exist_ok=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def fail(self, copy, why):
        self.failures.append((copy, why))

    def command(self, *words):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def run(self, copies):
        without = lambda copy: self.interpreter and copy.case.op in not_interpreted
        self.run_program([copy for copy in copies if not without(copy)], self.interpreter)
        self.run_program([copy for copy in copies if without(copy)], False)

    def run_program(self, copies, interpreter):
        if not copies:
            return
        self.programs += 1
        numbered(copies)
        source, plan = self.path("program.mlir"), self.path("program.plan")
        with open(source, "w") as file:
            file.write(program(copies, self.mesh, self.devices))
        code, output = self.command("dtensor-compile", source, "-o", plan, *self.options)
        if code:
            return self.divide(copies, "dtensor-compile", code, output)
        values = inputs_of(copies, self.seed)
        write_safetensors(self.path("inputs.safetensors"), values)
        ranks = str(int(np.prod([size for _, size in self.mesh])))
        outputs = self.path("results")
        run = ["dtensor-run", plan, "--ranks", ranks, "--weights", self.path("inputs.safetensors")]
        for name in os.listdir(outputs) if os.path.isdir(outputs) else []:
            os.remove(os.path.join(outputs, name))
        checks = [("--check", ["--output-dir", outputs])]
        if interpreter:
            checks.append(("--check=interp", []))
        for check, options in checks:
            code, output = self.command(*run, check, *options)
            if code not in (0, 3):
                return self.divide(copies, "dtensor-run " + check, code, output)
            self.read(copies, check, code, output)
        index = 0
        for copy in copies:
            count = len(copy.case.results)
            results = [np.load(os.path.join(outputs, "result%d.npy" % (index + i))) for i in range(count)]
            index += count
            for problem in against_numpy(copy, values, results):
                self.fail(copy, problem)

    def read(self, copies, check, code, output):
        """The largest error of each result, as dtensor-run prints it."""
        lines = dict(re.findall(r"^result(\d+): (.*)$", output, re.M))
        index = 0
        for copy in copies:
            for name in copy.case.results:
                line = lines.get(str(index))
                if line is None:
                    self.fail(copy, "%s says nothing of %s" % (check, name))
                elif not line.endswith(": ok"):
                    self.fail(copy, "%s of %s: %s" % (check, name, line))
                index += 1
        if (code == 3) != any(not line.endswith(": ok") for line in lines.values()):
            raise SystemExit("exit code %d of %s does not fit what it says" % (code, check))

    def taken(self, copies):
        """Those that the compiler takes, and why not the others."""
        if not copies:
            return [], []
        source = self.path("probe.mlir")
        with open(source, "w") as file:
            file.write(program(numbered(copies), self.mesh, self.devices))
        code, output = self.command("dtensor-compile", source, "-o", self.path("probe.plan"))
        if not code:
            return copies, []
        if len(copies) == 1:
            return [], [(copies[0], next((line for line in output.splitlines() if "error" in line), output[:200]))]
        middle = len(copies) // 2
        halves = [self.taken(copies[:middle]), self.taken(copies[middle:])]
        return halves[0][0] + halves[1][0], halves[0][1] + halves[1][1]

    def divide(self, copies, what, code, output):
        if len(copies) == 1:
            first = next((line for line in output.splitlines() if "error" in line), output.strip().split("\n")[0])
            return self.fail(copies[0], "%s: exit code %d: %s" % (what, code, first))
        middle = len(copies) // 2
        self.run(copies[:middle])
        self.run(copies[middle:])
