# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DTensors from Python: creation, values, metadata, refusals."""

import threading
import unittest
import warnings

import numpy as np

import dtensor
from dtensor import Partial, Replicate, Shard


def on_ranks(count):
    """Runs a test method on ranks."""

    def decorate(method):
        def test(self):
            dtensor.spmd(count, timeout=20)(method)(self)

        return test

    return decorate


class Creation(unittest.TestCase):
    @on_ranks(4)
    def test_eight_elements_on_four_ranks(self):
        mesh = dtensor.init_device_mesh("cpu", (4,))
        sharded = dtensor.ones(8, device_mesh=mesh, placements=[Shard(0)])
        self.assertEqual(sharded.to_local().tolist(), [1, 1])
        replicated = dtensor.ones(8, device_mesh=mesh, placements=[Replicate()])
        self.assertEqual(replicated.to_local().tolist(), [1] * 8)

    @on_ranks(4)
    def test_distribute_tensor(self):
        mesh = dtensor.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        whole = np.arange(35, dtype=np.float64).reshape(7, 5)
        mine = whole + 1000 * dtensor.get_rank()
        for source in range(4):
            x = dtensor.distribute_tensor(mine, mesh, [Shard(0), Shard(1)], src_data_rank=source)
            np.testing.assert_array_equal(x.to_local(), (whole + 1000 * source)[x.local_box()])
        with dtensor.CommDebugMode() as comm:
            x = dtensor.distribute_tensor(mine, mesh, [Shard(-1), Replicate()], src_data_rank=None)
        self.assertEqual(comm.get_total_counts(), 0)
        np.testing.assert_array_equal(x.to_local(), mine[x.local_box()])
        y = dtensor.distribute_tensor(x, mesh, [Replicate(), Shard(0)])
        self.assertEqual(y.placements, (Replicate(), Shard(0)))

    @on_ranks(4)
    def test_from_local(self):
        mesh = dtensor.init_device_mesh("cpu", (4,))
        rank = dtensor.get_rank()
        part = np.full((2, 3), rank, np.float32)
        x = dtensor.from_local(part, mesh, [Shard(0)], run_check=True)
        self.assertEqual(x.shape, (8, 3))
        self.assertTrue(np.shares_memory(x.to_local(), part))
        part[:] = 7
        self.assertEqual(x.full_tensor()[2 * rank, 0], 7)
        rows = 1 if rank == 3 else 3
        y = dtensor.DTensor.from_local(
            np.zeros((rows, 2)), mesh, [Shard(0)], shape=(10, 2), stride=(2, 1)
        )
        self.assertEqual(y.full_tensor().shape, (10, 2))

    @on_ranks(2)
    def test_strided_arrays_are_copied_and_said(self):
        mesh = dtensor.init_device_mesh("cpu", (2,))
        grid = np.arange(6.0).reshape(2, 3)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            x = dtensor.from_local(grid.T, mesh, [Replicate()])
        np.testing.assert_array_equal(x.to_local(), grid.T)
        self.assertFalse(np.shares_memory(x.to_local(), grid))
        # Threads share the list of warnings, so that one may miss another's.
        for warning in seen:
            self.assertTrue(issubclass(warning.category, dtensor.CopyWarning))

    @on_ranks(2)
    def test_dlpack(self):
        class Foreign:
            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **kwargs):
                return self.array.__dlpack__()

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        mesh = dtensor.init_device_mesh("cpu", (2,))
        array = np.arange(4.0)
        x = dtensor.from_local(Foreign(array), mesh, [Shard(0)])
        self.assertTrue(np.shares_memory(x.to_local(), array))
        back = np.from_dlpack(x.to_local()) if x.to_local().flags.writeable else x.to_local()
        np.testing.assert_array_equal(back, array)

    @on_ranks(2)
    def test_read_only_arrays_stay_so(self):
        mesh = dtensor.init_device_mesh("cpu", (2,))
        array = np.arange(4.0)
        array.flags.writeable = False
        x = dtensor.from_local(array, mesh, [Shard(0)])
        self.assertFalse(x.to_local().flags.writeable)

    @on_ranks(3)
    def test_types(self):
        mesh = dtensor.init_device_mesh("cpu", (3,))
        for dtype in (
            "float64 float32 float16 bool int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
        ):
            whole = np.arange(10).astype(dtype)
            x = dtensor.distribute_tensor(whole, mesh, [Shard(0)])
            self.assertEqual(x.dtype, np.dtype(dtype))
            back = x.full_tensor()
            self.assertEqual(back.dtype, whole.dtype)
            np.testing.assert_array_equal(back, whole)
        bits = np.arange(10, dtype=np.uint16)
        x = dtensor.distribute_tensor(bits, mesh, [Shard(0)], dtype=dtensor.bfloat16)
        self.assertIs(x.dtype, dtensor.bfloat16)
        np.testing.assert_array_equal(x.full_tensor(), bits)
        # Unsigned numbers compare as such.
        high = np.array([200 + dtensor.get_rank()], np.uint8)
        y = dtensor.from_local(high, mesh, [Partial("max")])
        self.assertEqual(y.placements, (Partial("max"),))
        self.assertEqual(y.full_tensor().tolist(), [202])
        with self.assertRaisesRegex(dtensor.InvalidArgumentError, "cannot have elements of complex128"):
            dtensor.distribute_tensor(np.zeros(3, complex), mesh)

    @on_ranks(4)
    def test_factories(self):
        mesh = dtensor.init_device_mesh("cpu", (4,))
        with mesh:
            self.assertEqual(dtensor.zeros((3, 2)).to_local().tolist(), [[0, 0]] * 3)
            self.assertEqual(
                dtensor.full((5,), 2**62 + 1, dtype="int64", placements=[Shard(0)])
                .full_tensor()
                .tolist(),
                [2**62 + 1] * 5,
            )
            self.assertEqual(
                dtensor.full((2,), 2**64 - 1, dtype=np.uint64).to_local().tolist(), [2**64 - 1] * 2
            )
            a = dtensor.rand(5, 3, seed=9, placements=[Shard(0)]).full_tensor()
            b = dtensor.rand((5, 3), seed=9, placements=[Shard(1)]).full_tensor()
            np.testing.assert_array_equal(a, b)
            dtensor.manual_seed(9)
            np.testing.assert_array_equal(dtensor.rand(5, 3).to_local(), a)
            self.assertEqual(dtensor.randn(4, dtype="float64").to_local().dtype, np.float64)
            self.assertEqual(dtensor.empty(2, 2).shape, (2, 2))
            self.assertTrue(dtensor.ones(2, requires_grad=True).requires_grad)


class Redistribution(unittest.TestCase):
    @on_ranks(4)
    def test_layouts(self):
        mesh = dtensor.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        whole = np.arange(54.0).reshape(9, 6)
        x = dtensor.distribute_tensor(whole, mesh, [Shard(0), Shard(0)])
        for placements in (
            None,
            [Replicate(), Shard(1)],
            {"tp": Shard(0), "dp": Shard(0)},
            [("tp", Shard(0)), ("dp", Shard(0))],
            "tp=shard(0), dp=shard(1)",
            [Shard(-1), Shard(-2)],
            {},
        ):
            y = x.redistribute(placements=placements)
            np.testing.assert_array_equal(y.to_local(), whole[y.local_box()])
        self.assertEqual(
            x.redistribute(placements="tp=shard(0), dp=shard(0)").placements,
            (("tp", Shard(0)), ("dp", Shard(0))),
        )
        self.assertEqual(y.placements, (Replicate(), Replicate()))
        z = x.redistribute(mesh, [Partial(), Replicate()])
        self.assertEqual(z.layout_text, "dp=partial(sum)")
        np.testing.assert_array_equal(z.full_tensor(), whole)

    @on_ranks(4)
    def test_asynchronous(self):
        mesh = dtensor.init_device_mesh("cpu", (4,))
        whole = np.arange(40.0)
        x = dtensor.distribute_tensor(whole, mesh, [Shard(0)])
        y = x.redistribute(placements=[Replicate()], async_op=True)
        z = y.redistribute(placements=[Shard(0)], async_op=True)
        np.testing.assert_array_equal(z.to_local(), whole[z.local_box()])
        self.assertIs(y.wait(), y)
        self.assertTrue(y.is_ready)

    @on_ranks(4)
    def test_metadata(self):
        mesh = dtensor.init_device_mesh("cpu", (4,))
        x = dtensor.ones(4, 31, 10, device_mesh=mesh, placements=[Shard(1)])
        self.assertEqual(x.shape, (4, 31, 10))
        self.assertEqual((x.size(), x.size(-1)), ((4, 31, 10), 10))
        self.assertEqual((x.stride(), x.stride(0)), ((310, 10, 1), 310))
        self.assertEqual((x.ndim, x.dim(), x.numel(), len(x)), (3, 3, 1240, 4))
        self.assertEqual((x.dtype, x.device), (np.float32, "cpu"))
        self.assertEqual(x.device_mesh, mesh)
        self.assertEqual(x.placements, (Shard(1),))
        self.assertFalse(x.requires_grad)
        self.assertEqual(repr(x), "DTensor(4x31x10 f32, dim0=shard(1) on (dim0=4))")
        self.assertTrue(x.placements[0].is_shard(1))
        self.assertFalse(x.placements[0].is_replicate())

    @on_ranks(2)
    def test_threads_of_a_rank(self):
        meshes = [dtensor.init_device_mesh("cpu", (2,)) for _ in range(2)]
        rank = dtensor.current_rank()
        failed = []

        def work(mesh, offset):
            with rank:
                whole = np.arange(10.0) + offset
                x = dtensor.distribute_tensor(whole, mesh, [Shard(0)])
                for _ in range(20):
                    if not np.array_equal(x.full_tensor(), whole):
                        failed.append(offset)

        threads = [threading.Thread(target=work, args=(mesh, i)) for i, mesh in enumerate(meshes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])


class Refusals(unittest.TestCase):
    @on_ranks(2)
    def test_arithmetic_points_to_the_compiler(self):
        mesh = dtensor.init_device_mesh("cpu", (2,))
        x = dtensor.ones(4, device_mesh=mesh)
        for call in (
            lambda: x + x,
            lambda: 2 * x,
            lambda: np.ones(4) - x,
            lambda: np.sin(x),
            lambda: np.concatenate([x, x]),
            lambda: x @ x,
            lambda: -x,
            lambda: x[0],
            lambda: x < 1,
            lambda: bool(x),
            lambda: list(x),
        ):
            with self.assertRaisesRegex(dtensor.NotSupportedError, "compile it with dtensor.compile"):
                call()
        with self.assertRaisesRegex(dtensor.NotSupportedError, "to_local"):
            np.asarray(x)

    @on_ranks(2)
    def test_arguments(self):
        mesh = dtensor.init_device_mesh("cpu", (2,), mesh_dim_names=("tp",))
        x = dtensor.ones(4, device_mesh=mesh)
        for call, text in (
            (lambda: x.redistribute([Shard(0)]), "the placements come second"),
            (lambda: x.redistribute(placements=Shard(0)), "placements are a list"),
            (lambda: x.redistribute(placements=[0]), "is no placement"),
            (lambda: x.redistribute(placements=[Shard(3)]), "out of range for rank 1"),
            (lambda: x.redistribute(placements=[Shard(0)] * 2), "2 placements do not fit"),
            (lambda: x.redistribute(placements={"pp": Shard(0)}), "unknown axis 'pp'"),
            (lambda: Partial("mean"), "there is no reduce op 'mean'"),
            (lambda: x.size(1), "dimension 1 is out of range"),
            (lambda: mesh["dp"], "no dimension 'dp'"),
            (lambda: dtensor.init_device_mesh("cpu", (3,)), "has 3 ranks, but 2 run"),
            (lambda: dtensor.DeviceMesh("cpu", [0, 9]), "rank 9 of the mesh does not exist"),
            (lambda: dtensor.ones(2), "no device_mesh is given"),
            (lambda: dtensor.full((2,), 300, dtype="int8", device_mesh=mesh), "300 is no value"),
            (
                lambda: dtensor.distribute_tensor(np.ones(2), mesh, src_data_rank=2),
                "src_data_rank 2 is outside",
            ),
        ):
            with self.assertRaisesRegex(dtensor.InvalidArgumentError, text):
                call()
        with self.assertRaises(dtensor.NotSupportedError):
            dtensor.init_device_mesh("cuda", (2,))
        self.assertTrue(issubclass(dtensor.InvalidArgumentError, ValueError))


class Meshes(unittest.TestCase):
    @on_ranks(4)
    def test_surface(self):
        mesh = dtensor.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        rank = dtensor.get_rank()
        self.assertEqual(mesh.mesh.tolist(), [[0, 1], [2, 3]])
        self.assertEqual((mesh.shape, mesh.ndim, mesh.size(), mesh.size(0)), ((2, 2), 2, 4, 2))
        self.assertEqual((mesh.names, mesh.mesh_dim_names), (("dp", "tp"),) * 2)
        self.assertEqual(mesh.get_coordinate(), [rank // 2, rank % 2])
        self.assertEqual(mesh.get_local_rank("tp"), rank % 2)
        self.assertEqual(mesh["tp"].mesh.tolist(), [rank // 2 * 2, rank // 2 * 2 + 1])
        self.assertEqual(mesh.get_group(0).mesh.tolist(), [rank % 2, rank % 2 + 2])
        self.assertEqual(mesh["tp", "dp"].mesh.tolist(), [[0, 2], [1, 3]])
        self.assertEqual(mesh.flatten().names, ("dp_tp",))
        self.assertEqual(len(mesh.get_all_groups()), 2)
        self.assertIsNone(dtensor.init_device_mesh("cpu", (4,)).mesh_dim_names)
        pair = dtensor.DeviceMesh("cpu", [3, 1])
        self.assertEqual(pair.get_coordinate(), {3: [0], 1: [1]}.get(rank))
        x = dtensor.distribute_tensor(np.arange(5.0), pair, [Shard(0)])
        if rank % 2 == 0:
            with self.assertRaisesRegex(dtensor.InvalidArgumentError, "not in the mesh"):
                x.to_local()
            with self.assertRaisesRegex(dtensor.InvalidArgumentError, "not in the mesh"):
                pair.get_local_rank()
            self.assertIsNone(x.local_box())
        self.assertEqual(mesh, dtensor.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp")))

    @on_ranks(4)
    def test_drawing(self):
        mesh = dtensor.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        x = dtensor.ones(3, 4, device_mesh=mesh, placements=[Shard(0), Replicate()])
        self.assertEqual(
            dtensor.visualize_sharding(x),
            "    | 0:4\n----+-----\n0:2 | 0, 1\n2:3 | 2, 3\n"
            "DTensor(3x4 f32, dp=shard(0) on (dp=2,tp=2))".replace("-+-----\n", "-+-----\n"),
        )


if __name__ == "__main__":
    unittest.main()
