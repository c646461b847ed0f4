# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the ```console blocks of a document and compares what they print:
#   run_console.py DOCUMENT SOURCE_DIR WORK_DIR
# A line "$ COMMAND" is run; the lines after it are its output, in which "..."
# stands for anything within a line. Paths that exist in SOURCE_DIR are taken
# from there.
import os
import re
import subprocess
import sys

document, source, work = sys.argv[1:]
os.makedirs(work, exist_ok=True)
for name in ("test", "docs", "examples"):
    if not os.path.exists(os.path.join(work, name)):
        os.symlink(os.path.join(source, name), os.path.join(work, name))

blocks = re.findall(r"^```console\n(.*?)^```", open(document).read(), re.M | re.S)
commands = [part.split("\n", 1) for block in blocks for part in re.split(r"^\$ ", block, flags=re.M)[1:]]
assert commands, f"{document} has no console blocks"
for command, expected in commands:
    run = subprocess.run(command, shell=True, cwd=work, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    pattern = re.escape(expected.rstrip("\n")).replace(r"\.\.\.", ".*")
    if run.returncode != 0 or not re.fullmatch(pattern, run.stdout.rstrip("\n")):
        sys.exit(f"{document}: `{command}` exited with {run.returncode} and printed\n{run.stdout}\ninstead of\n{expected}")
print(f"{len(commands)} commands of {os.path.basename(document)} do what it says")
