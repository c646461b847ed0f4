# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs a command and fails unless it exits with the given code:
#   expect.py CODE COMMAND...
import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
if code != int(sys.argv[1]):
    sys.exit(f"expect.py: {sys.argv[2]} exited with {code}, not {sys.argv[1]}")
