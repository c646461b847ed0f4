# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks as processes of an mpirun, also when one goes wrong."""

import os
import shlex
import subprocess
import sys
import time
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mpi_ranks.py")
LAUNCHERS = [shlex.split(line) for line in os.environ.get("MPI_LAUNCHERS", "").split(";") if line]


@unittest.skipUnless(LAUNCHERS, "this build has no MPI module")
class Mpi(unittest.TestCase):
    def launch(self, launcher, *arguments):
        command = [*launcher, "-n", "4", sys.executable, SCRIPT, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def test_right(self):
        for launcher in LAUNCHERS:
            done = self.launch(launcher)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.split(), ["right"] * 4)

    def expect_one_error(self, case, kind, text, ranks):
        for launcher in LAUNCHERS:
            start = time.monotonic()
            done = self.launch(launcher, case)
            self.assertLess(time.monotonic() - start, 15)
            self.assertNotEqual(done.returncode, 0)
            lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
            self.assertEqual(len(lines), ranks, done.stdout + done.stderr)
            self.assertEqual(len(set(lines)), 1, done.stdout)
            self.assertIn(f"[{kind}] ", lines[0])
            self.assertIn(text, lines[0])

    def test_wrong_shape_on_one_rank(self):
        self.expect_one_error(
            "wrong_shape", "InvalidArgumentError", "rank 1 gives a part of shape 3x2", 4
        )

    def test_another_call_on_one_rank(self):
        self.expect_one_error("other_call", "MismatchError", "rank 2 calls redistribute", 4)

    def test_an_exception_ends_all(self):
        self.expect_one_error(
            "foreign_exception", "RankFailedError", "rank 3 failed: KeyError: 'tea'", 3
        )


if __name__ == "__main__":
    unittest.main()
