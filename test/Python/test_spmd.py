# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks: results, failures, and what they leave behind."""

import os
import signal
import threading
import time
import unittest

import numpy as np

import dtensor
from dtensor import Replicate, Shard


class Spmd(unittest.TestCase):
    def test_results_by_rank(self):
        @dtensor.spmd(4)
        def main(factor, offset=0):
            return factor * dtensor.get_rank() + offset

        self.assertEqual(main(2, offset=1), [1, 3, 5, 7])
        self.assertEqual(main.__name__, "main")
        self.assertFalse(dtensor.is_initialized())

    def expect_all(self, main, error, text, seconds=1.5):
        """`main` ends on all ranks with one error; returns what they saw."""
        seen = {}

        @dtensor.spmd(4, timeout=20)
        def run():
            try:
                main()
            except dtensor.DTensorError as caught:
                seen[dtensor.get_rank()] = (type(caught), str(caught))
                raise

        start = time.monotonic()
        with self.assertRaisesRegex(error, text) as context:
            run()
        self.assertLess(time.monotonic() - start, seconds)
        for kind, message in seen.values():
            if issubclass(error, dtensor.DTensorError):
                self.assertEqual((kind, message), (type(context.exception), str(context.exception)))
            else:
                self.assertEqual(kind, dtensor.RankFailedError)
        return seen

    def test_an_exception_ends_all(self):
        def main():
            dtensor.init_device_mesh("cpu", (4,))
            if dtensor.get_rank() == 2:
                raise KeyError("tea")
            dtensor.barrier()

        seen = self.expect_all(main, KeyError, "tea")
        self.assertEqual(sorted(seen), [0, 1, 3])
        for kind, message in seen.values():
            self.assertEqual(message, "rank 2 failed: KeyError: 'tea'")

    def test_wrong_use_on_one_rank(self):
        def wrong_shape():
            mesh = dtensor.init_device_mesh("cpu", (4,))
            rows = 3 if dtensor.get_rank() == 1 else 2
            x = dtensor.from_local(np.ones((rows, 2)), mesh, [Shard(0)], shape=(8, 2))
            x.full_tensor()

        seen = self.expect_all(
            wrong_shape, dtensor.InvalidArgumentError, "rank 1 gives a part of shape 3x2"
        )
        self.assertEqual(len(seen), 4)

        def other_placements():
            mesh = dtensor.init_device_mesh("cpu", (4,))
            x = dtensor.distribute_tensor(np.ones((8, 8)), mesh, [Shard(0)])
            x.redistribute(placements=[Shard(1) if dtensor.get_rank() == 3 else Replicate()])
            dtensor.barrier()

        seen = self.expect_all(
            other_placements, dtensor.MismatchError, "the ranks make different calls"
        )
        self.assertEqual(len(seen), 4)

        def partial_not_allowed():
            mesh = dtensor.init_device_mesh("cpu", (4,))
            op = "avg" if dtensor.get_rank() == 0 else "sum"
            dtensor.ones(4, dtype="int32", device_mesh=mesh, placements=[dtensor.Partial(op)])
            dtensor.barrier()

        seen = self.expect_all(
            partial_not_allowed, dtensor.InvalidArgumentError, "partial\\(avg\\) is not defined"
        )
        self.assertEqual(len(seen), 4)

    def test_checks_are_recoverable(self):
        @dtensor.spmd(4)
        def main():
            mesh = dtensor.init_device_mesh("cpu", (4,))
            part = np.ones(3 if dtensor.get_rank() == 1 else 2)
            with self.assertRaises(dtensor.DTensorError) as context:
                dtensor.from_local(part, mesh, [Shard(0)], run_check=True)
            dtensor.barrier()
            return str(context.exception)

        texts = main()
        self.assertEqual(len(set(texts)), 1)
        self.assertIn("uneven parts need the global shape", texts[0])

    def test_timeout(self):
        @dtensor.spmd(2, timeout=0.3)
        def main():
            mesh = dtensor.init_device_mesh("cpu", (2,))
            x = dtensor.distribute_tensor(np.ones(4), mesh, [Shard(0)])
            if dtensor.get_rank() == 0:
                return x.full_tensor()
            time.sleep(0.8)

        with self.assertRaisesRegex(
            dtensor.RankTimeoutError, "rank 0 in redistribute.all_gather: waited 0.3"
        ):
            main()

    def test_tensors_outlive_their_ranks(self):
        @dtensor.spmd(2)
        def main():
            mesh = dtensor.init_device_mesh("cpu", (2,))
            return dtensor.distribute_tensor(np.arange(4.0), mesh, [Shard(0)])

        first, second = main()
        self.assertEqual(second.to_local().tolist(), [2, 3])
        self.assertEqual(first.placements, (Shard(0),))
        with self.assertRaisesRegex(dtensor.InvalidArgumentError, "have ended"):
            first.full_tensor()

    def test_blocking_calls_release_the_gil(self):
        progress = []

        @dtensor.spmd(2)
        def main():
            dtensor.init_device_mesh("cpu", (2,))
            if dtensor.get_rank() == 1:
                time.sleep(0.3)
            dtensor.barrier()

        ticking = threading.Event()

        def tick():
            while not ticking.wait(0.01):
                progress.append(time.monotonic())

        ticker = threading.Thread(target=tick)
        ticker.start()
        main()
        ticking.set()
        ticker.join()
        self.assertGreater(len(progress), 10)

    def test_nested_calls_are_refused(self):
        @dtensor.spmd(2)
        def main():
            dtensor.spmd(2)(lambda: None)()

        with self.assertRaisesRegex(dtensor.InvalidArgumentError, "is a rank already"):
            main()

    def test_runs_from_several_threads(self):
        results = {}

        def run(offset):
            @dtensor.spmd(2)
            def main():
                mesh = dtensor.init_device_mesh("cpu", (2,))
                x = dtensor.distribute_tensor(np.arange(5.0) + offset, mesh, [Shard(0)])
                return x.full_tensor().sum()

            results[offset] = main()

        threads = [threading.Thread(target=run, args=(i,)) for i in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, {i: [10 + 5 * i] * 2 for i in range(3)})

    def test_ctrl_c(self):
        @dtensor.spmd(2)
        def main():
            mesh = dtensor.init_device_mesh("cpu", (2,))
            if dtensor.get_rank() == 0:
                os.kill(os.getpid(), signal.SIGINT)
                dtensor.barrier()  # rank 1 does not come before the signal
                return
            time.sleep(0.5)
            dtensor.barrier()
            dtensor.barrier()

        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            main()
        self.assertLess(time.monotonic() - start, 3)

    def test_outside_of_ranks(self):
        with self.assertRaisesRegex(dtensor.InvalidArgumentError, "this thread is no rank"):
            dtensor.get_rank()

        # Alone, a process is the only rank.
        def alone():
            dtensor.initialize()
            mesh = dtensor.init_device_mesh("cpu", (1,))
            x = dtensor.distribute_tensor(np.arange(3.0), mesh, [Shard(0)])
            self.assertEqual(x.placements, (Shard(0),))
            self.assertEqual(x.full_tensor().tolist(), [0, 1, 2])
            done.append(dtensor.get_world_size())

        done = []
        thread = threading.Thread(target=alone)
        thread.start()
        thread.join()
        self.assertEqual(done, [1])


if __name__ == "__main__":
    unittest.main()
