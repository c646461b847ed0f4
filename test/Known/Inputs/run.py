# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs one function of a program on all ranks and compares with NumPy:
#   run.py PROGRAM ENTRY DIR [NAME=EXPRESSION...] [received=BYTES] [--FLAG...]
# NAME is an input's name, or resultN for what is expected of a result.
# Expressions see NumPy, the inputs before them, and results the other results.
# Floats go in as f32, and come out right to 1e-6. `received` is what a rank may
# receive in the whole program, to the byte. The interpreter checks too, except
# with --local: it has no word for values that differ between ranks.
import glob
import os
import re
import subprocess
import sys

import numpy

program, entry, folder, *rest = sys.argv[1:]
folder = os.path.join(folder, entry)
os.makedirs(folder, exist_ok=True)
for file in glob.glob(f"{folder}/*.npy"):
    os.remove(file)
scope = dict(vars(numpy))
command = ["dtensor-run", program, "--entry", entry, "--output-dir", folder]
if "--local" in rest:
    rest.remove("--local")
else:
    command.append("--check=interp")
results = {}
received = None
for argument in rest:
    if argument.startswith("--"):
        command.append(argument)
        continue
    name, expression = argument.split("=", 1)
    if name == "received":
        received = int(expression)
    elif name.startswith("result"):
        results[name] = expression
    else:
        value = numpy.asarray(eval(expression, scope))
        if value.dtype == numpy.float64:
            value = value.astype(numpy.float32)
        scope[name] = value
        numpy.save(f"{folder}/{name}.npy", value)
        command += ["--input", f"{name}={folder}/{name}.npy"]

run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
print(run.stdout, end="")
if run.returncode:
    sys.exit(f"run.py: {' '.join(command)} exited with {run.returncode}")
if received is not None:
    said = int(re.search(r"^total received: (\d+) bytes/rank", run.stdout, re.M)[1])
    assert said == received, f"received {said} bytes, not {received}"
for file in glob.glob(f"{folder}/result*.npy"):
    scope[os.path.basename(file)[: -len(".npy")]] = numpy.load(file)
for name, expression in results.items():
    got, want = scope[name], numpy.asarray(eval(expression, scope))
    assert got.shape == want.shape, (name, got.shape, want.shape)
    tolerance = 1e-6 if got.dtype.kind == "f" else 0
    numpy.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance, err_msg=name)
