# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Process groups, collectives on arrays, stores, and the other names."""

import os
import tempfile
import threading
import time
import unittest

import numpy as np

import dtensor
import dtensor.distributed as dist


def on_ranks(count):
    def decorate(method):
        def test(self):
            def main():
                dist.init_process_group()
                method(self)
                dist.destroy_process_group()

            dtensor.spmd(count, timeout=20)(main)()

        return test

    return decorate


class Collectives(unittest.TestCase):
    @on_ranks(4)
    def test_all_reduce(self):
        rank = dist.get_rank()
        for op, value in (("sum", 6), ("max", 3), ("min", 0), ("product", 0), ("avg", 1.5)):
            array = np.full((2, 3), rank, np.float64)
            self.assertIsNone(dist.all_reduce(array, op))
            np.testing.assert_array_equal(array, np.full((2, 3), value))
        bits = np.array([1 << rank], np.uint8)
        dist.all_reduce(bits, dist.ReduceOp.BOR)
        self.assertEqual(bits.tolist(), [15])
        scalar = np.array(float(rank))
        dist.all_reduce(scalar)
        self.assertEqual(float(scalar), 6)

    @on_ranks(3)
    def test_gathers(self):
        rank = dist.get_rank()
        mine = np.array([rank, 10 * rank])
        every = [np.zeros(2, mine.dtype) for _ in range(3)]
        dist.all_gather(every, mine)
        self.assertEqual([array.tolist() for array in every], [[0, 0], [1, 10], [2, 20]])
        joined, stacked = np.zeros(6, mine.dtype), np.zeros((3, 2), mine.dtype)
        dist.all_gather_into_tensor(joined, mine)
        dist.all_gather_into_tensor(stacked, mine)
        self.assertEqual(joined.tolist(), [0, 0, 1, 10, 2, 20])
        self.assertEqual(stacked.tolist(), [[0, 0], [1, 10], [2, 20]])
        for dst in range(3):
            target = [np.zeros(2, mine.dtype) for _ in range(3)] if rank == dst else None
            dist.gather(mine, target, dst=dst)
            if rank == dst:
                self.assertEqual([array.tolist() for array in target], [[0, 0], [1, 10], [2, 20]])

    @on_ranks(4)
    def test_from_one_rank(self):
        rank = dist.get_rank()
        array = np.arange(3.0) + rank
        dist.broadcast(array, src=2)
        self.assertEqual(array.tolist(), [2, 3, 4])
        target = np.zeros(2)
        parts = [np.array([i, -i], float) for i in range(4)] if rank == 1 else None
        dist.scatter(target, parts, src=1)
        self.assertEqual(target.tolist(), [rank, -rank])
        total = np.array([1.0 + rank])
        dist.reduce(total, dst=3)
        self.assertEqual(total.tolist(), [10.0] if rank == 3 else [1.0 + rank])

    @on_ranks(4)
    def test_reduce_scatter(self):
        rank = dist.get_rank()
        out = np.zeros(2)
        dist.reduce_scatter_tensor(out, np.arange(8.0))
        self.assertEqual(out.tolist(), [8 * rank, 8 * rank + 4])
        dist.reduce_scatter(out, [np.full(2, float(i)) for i in range(4)], op="max")
        self.assertEqual(out.tolist(), [rank, rank])

    @on_ranks(3)
    def test_all_to_all(self):
        rank = dist.get_rank()
        out = np.zeros(6)
        dist.all_to_all_single(out, np.arange(6.0) + 10 * rank)
        self.assertEqual(out.tolist(), [10 * s + 2 * rank + i for s in range(3) for i in range(2)])
        targets = [np.zeros(1) for _ in range(3)]
        dist.all_to_all(targets, [np.array([10.0 * rank + i]) for i in range(3)])
        self.assertEqual([target[0] for target in targets], [10 * s + rank for s in range(3)])

    @on_ranks(4)
    def test_point_to_point(self):
        rank = dist.get_rank()
        # Ranks 2 and 3 have no part in it.
        array = np.full(3, float(rank))
        if rank == 0:
            dist.send(np.array([1.0, 2, 3]), dst=1)
            dist.recv(array, src=1)
            self.assertEqual(array.tolist(), [-1, -2, -3])
        elif rank == 1:
            self.assertEqual(dist.recv(array, src=0), 0)
            dist.send(-array, dst=0)
        # A ring of asynchronous ones.
        sent = dist.isend(np.array([rank]), (rank + 1) % 4)
        got = np.array([-1])
        received = dist.irecv(got, (rank - 1) % 4)
        sent.wait()
        received.wait()
        self.assertEqual(got.tolist(), [(rank - 1) % 4])

    @on_ranks(4)
    def test_groups(self):
        rank = dist.get_rank()
        pair = dist.new_group([3, 1])
        self.assertEqual(dist.get_process_group_ranks(pair), [3, 1])
        self.assertEqual(dist.get_rank(pair), {3: 0, 1: 1}.get(rank, -1))
        self.assertEqual(dist.get_world_size(pair), 2 if rank % 2 else -1)
        self.assertEqual(dist.get_global_rank(pair, 0), 3)
        array = np.array([rank])
        if rank % 2:
            dist.all_reduce(array, group=pair)
            self.assertEqual(array.tolist(), [4])
            dist.broadcast(array, src=1, group=pair)
            dist.barrier(pair)
        else:
            with self.assertRaisesRegex(dtensor.InvalidArgumentError, "not in the group"):
                dist.all_reduce(array, group=pair)
        mesh = dtensor.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        dist.all_reduce(array := np.array([rank]), group=mesh.get_group("tp"))
        self.assertEqual(array.tolist(), [1 if rank < 2 else 5])
        dist.barrier()

    @on_ranks(4)
    def test_asynchronous(self):
        rank = dist.get_rank()
        arrays = [np.full(5, float(rank + i)) for i in range(3)]
        works = [dist.all_reduce(array, async_op=True) for array in arrays]
        for i, (work, array) in enumerate(zip(works, arrays)):
            self.assertTrue(work.wait())
            self.assertTrue(work.is_completed())
            self.assertEqual(array.tolist(), [6 + 4 * i] * 5)

    @on_ranks(2)
    def test_refusals(self):
        array = np.zeros(3)
        for call, text in (
            (lambda: dist.all_gather([array], array), "1 arrays for a group of 2"),
            (lambda: dist.all_gather([array, np.zeros(2)], array), "beside float64"),
            (lambda: dist.all_reduce([1, 2]), "not a NumPy array"),
            (lambda: dist.all_reduce(array, "mean"), "no reduce op 'mean'"),
            (lambda: dist.broadcast(array, src=5), "rank 5 is not in the group"),
            (lambda: dist.all_to_all_single(array, array), "do not divide among 2"),
            (lambda: dist.send(array, dist.get_rank()), "sends to itself"),
            (lambda: dist.all_reduce(array, group=3), "a group is what"),
        ):
            with self.assertRaisesRegex(dtensor.InvalidArgumentError, text):
                call()
        with self.assertRaisesRegex(dtensor.NotSupportedError, "backend 'nccl'"):
            dist.init_process_group("nccl")
        with self.assertRaisesRegex(dtensor.NotSupportedError, "from a store"):
            dist.init_process_group(store=dist.HashStore())
        with self.assertRaisesRegex(dtensor.InvalidArgumentError, "of 2, not 7 of 9"):
            dist.init_process_group(rank=7, world_size=9)

    def test_ranks_that_disagree(self):
        @dtensor.spmd(2, timeout=5)
        def main():
            array = np.zeros(3 if dist.get_rank() else 4)
            dist.all_reduce(array)

        with self.assertRaisesRegex(dtensor.MismatchError, "f64 4 .*f64 3 "):
            main()


class Stores(unittest.TestCase):
    def use(self, store, other):
        """Two handles of one store."""
        store.set("a", "one")
        self.assertEqual(other.get("a"), b"one")
        self.assertEqual([store.add("n", 2), other.add("n", 3)], [2, 5])
        self.assertEqual(store.get("n"), b"5")
        self.assertEqual(other.compare_set("a", "one", "two"), b"two")
        self.assertEqual(store.compare_set("a", "one", "three"), b"two")
        self.assertEqual(store.compare_set("new", "", "first"), b"first")
        self.assertTrue(store.check(["a", "n"]))
        self.assertFalse(store.check(["a", "none"]))
        self.assertEqual(store.num_keys(), 3)
        self.assertTrue(other.delete_key("a"))
        self.assertFalse(store.delete_key("a"))
        with self.assertRaisesRegex(dtensor.RankTimeoutError, "waited 0.05 s for key 'never'"):
            store.wait(["n", "never"], timeout=0.05)
        with self.assertRaisesRegex(dtensor.InvalidArgumentError, "no number to add to"):
            store.add("new", 1)
        threading.Timer(0.1, lambda: other.set("later", b"\x00\xff")).start()
        start = time.monotonic()
        self.assertEqual(store.get("later"), b"\x00\xff")
        self.assertLess(time.monotonic() - start, 2)

    def test_hash_store(self):
        store = dist.HashStore()
        self.use(store, store)

    def test_file_store(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "store")
            self.use(dist.FileStore(path, 2), dist.FileStore(path))
            with open(path, "w", encoding="utf-8") as file:
                file.write("tea")
            with self.assertRaisesRegex(dtensor.IoError, "no file of a FileStore"):
                dist.FileStore(path)
        with self.assertRaisesRegex(dtensor.IoError, "No such file"):
            dist.FileStore("/no/such/folder/store")

    def test_tcp_store(self):
        master = dist.TCPStore("127.0.0.1", 0, is_master=True, timeout=10)
        client = dist.TCPStore("127.0.0.1", master.port, timeout=10)
        try:
            self.use(master, client)
        finally:
            client.close()
            master.close()
        with self.assertRaisesRegex(dtensor.RankTimeoutError, "no store on 127.0.0.1"):
            dist.TCPStore("127.0.0.1", master.port, timeout=0.2)


class Names(unittest.TestCase):
    def test_other_names(self):
        import dtensor.distributed.device_mesh as device_mesh
        import dtensor.distributed.tensor as tensor
        import dtensor.distributed.tensor.debug as debug
        import dtensor.distributed.tensor.parallel as parallel

        self.assertIs(device_mesh.init_device_mesh, dtensor.init_device_mesh)
        self.assertIs(debug.CommDebugMode, dtensor.CommDebugMode)
        for module in (tensor, parallel):
            for name in module.__all__:
                if hasattr(dtensor, name):
                    self.assertIs(getattr(module, name), getattr(dtensor, name))

        # The page that the users of these names know.
        @dtensor.spmd(4)
        def main():
            from dtensor.distributed.tensor import Shard, ones

            dist.init_process_group()
            mesh = device_mesh.init_device_mesh("cpu", (4,))
            return ones(8, device_mesh=mesh, placements=[Shard(0)]).to_local().size

        self.assertEqual(main(), [2, 2, 2, 2])


if __name__ == "__main__":
    unittest.main()
