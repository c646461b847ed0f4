# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled programs, modules and plans. Needs the compiler library, but for plans
of single redistributions."""

import os
import tempfile
import unittest

import numpy as np

import dtensor
from dtensor import (
    ColwiseParallel,
    PrepareModuleInput,
    PrepareModuleOutput,
    Replicate,
    RowwiseParallel,
    SequenceParallel,
    Shard,
)

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Examples")
HAS_COMPILER = bool(os.environ.get("DTENSOR_COMPILER_LIBRARY"))

#: Without a mesh and without annotations.
PLAIN = """
func.func @main(%x: tensor<8x16xf32> {dtensor.name = "x"},
                %up: tensor<16x24xf32> {dtensor.name = "layers.0.up"},
                %down: tensor<24x4xf32> {dtensor.name = "layers.0.down"}) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x24xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %h = linalg.matmul ins(%x, %up : tensor<8x16xf32>, tensor<16x24xf32>)
                     outs(%i0 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %a = math.tanh %h : tensor<8x24xf32>
  %e1 = tensor.empty() : tensor<8x4xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %y = linalg.matmul ins(%a, %down : tensor<8x24xf32>, tensor<24x4xf32>)
                     outs(%i1 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
"""


def numbers(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32) / 4


class Plans(unittest.TestCase):
    def test_costs_of_a_redistribution(self):
        plan = dtensor.plan("x=2,y=4", (64, 32), "x=shard(0), y=shard(0)", "y=shard(0)")
        self.assertEqual([step["op"] for step in plan["steps"]], ["permute", "all_gather"])
        self.assertEqual((plan["recv_bytes_max"], plan["peak_bytes"]), (2048, 3072))
        self.assertTrue(plan["checked"])
        self.assertEqual(plan, dtensor.plan({"x": 2, "y": 4}, (64, 32), "S(0), S(0)", "R, S(0)"))
        with self.assertRaisesRegex(dtensor.InvalidArgumentError, "unknown axis 'z'"):
            dtensor.plan("x=2", (4,), "z=shard(0)", "")
        with self.assertRaisesRegex(dtensor.InvalidArgumentError, "objective 'tea'"):
            dtensor.plan("x=2", (4,), "", "", objective="tea")
        with self.assertRaisesRegex(dtensor.InvalidArgumentError, "memory"):
            dtensor.plan("x=2", (4000,), "x=shard(0)", "", memory_limit=1)

    def test_of_a_mesh(self):
        @dtensor.spmd(2)
        def main():
            mesh = dtensor.init_device_mesh("cpu", (2,), mesh_dim_names=("x",))
            return dtensor.plan(mesh, (4,), "x=shard(0)", "")["steps"][0]["op"]

        self.assertEqual(main(), ["all_gather"] * 2)


@unittest.skipUnless(HAS_COMPILER, "this build has no compiler library")
class Programs(unittest.TestCase):
    def mlp(self):
        with open(os.path.join(EXAMPLES, "mlp.mlir"), encoding="utf-8") as file:
            return file.read()

    def test_program_as_a_function(self):
        program = dtensor.compile(self.mlp(), name="mlp.mlir")
        x, w1, w2 = numbers((64, 512), 1), numbers((512, 2048), 2), numbers((2048, 512), 3)
        expected = np.tanh(x @ w1) @ w2
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mlp.plan")
            program.save(path)
            loaded = dtensor.load(path)

        @dtensor.spmd(4, timeout=30)
        def main():
            loaded.set_parameters({"w1": w1, "w2": w2})
            self.assertEqual([port.name for port in loaded.inputs], ["x", "w1", "w2"])
            mesh = dtensor.init_device_mesh("cpu", (4,))
            y = loaded(x)
            for given in (x, dtensor.distribute_tensor(x, mesh, [Shard(1)])):
                with dtensor.CommDebugMode() as comm:
                    y = loaded(given)
                if given is x:
                    self.assertEqual(comm.get_comm_counts(), {"all_reduce": 1})
                    self.assertEqual(comm.received_bytes, 65536)
                np.testing.assert_allclose(y.full_tensor(), expected, rtol=1e-4, atol=1e-4)
            again = loaded(x=y)  # results are fed back
            np.testing.assert_allclose(
                again.full_tensor(), np.tanh(expected @ w1) @ w2, rtol=1e-3, atol=1e-3
            )
            with self.assertRaisesRegex(dtensor.InvalidArgumentError, "no input 'w3'"):
                loaded(x, w3=w1)
            with self.assertRaisesRegex(dtensor.InvalidArgumentError, "is set and stays so"):
                loaded(x, w1=dtensor.distribute_tensor(w1, mesh))
            with self.assertRaisesRegex(dtensor.InvalidArgumentError, "f32 64x512, not f32 64x511"):
                loaded(x[:, :511].copy())

        main()
        main()  # ranks of another run load it again

    def test_other_mesh_sizes(self):
        program = dtensor.compile(self.mlp(), mesh={"dp": 1, "tp": 3})

        @dtensor.spmd(3)
        def main():
            x, w1, w2 = numbers((64, 512), 1), numbers((512, 2048), 2), numbers((2048, 512), 3)
            np.testing.assert_allclose(
                program(x, w1, w2).full_tensor(), np.tanh(x @ w1) @ w2, rtol=1e-4, atol=1e-4
            )

        main()

    def test_diagnostics(self):
        with self.assertRaisesRegex(
            dtensor.InvalidArgumentError, "<program>:2:3: error: .*no_such_op"
        ):
            dtensor.compile("func.func @main() {\n  dtensor.no_such_op\n  return\n}")
        with self.assertRaisesRegex(dtensor.InvalidArgumentError, "implicit must be"):
            dtensor.compile(self.mlp(), implicit="tea")

        @dtensor.spmd(2)
        def too_small():
            dtensor.compile(self.mlp())(1)

        with self.assertRaisesRegex(dtensor.InvalidArgumentError, "is for 4 ranks .*but 2 run"):
            too_small()


@unittest.skipUnless(HAS_COMPILER, "this build has no compiler library")
class Modules(unittest.TestCase):
    params = {"layers.0.up": numbers((16, 24), 1), "layers.0.down": numbers((24, 4), 2)}
    x = numbers((8, 16), 3)
    expected = np.tanh(x @ params["layers.0.up"]) @ params["layers.0.down"]

    def check(self, main):
        for output in dtensor.spmd(4, timeout=30)(main)():
            np.testing.assert_allclose(output, self.expected, rtol=1e-4, atol=1e-5)

    def test_distribute_module(self):
        def partition(name, param, mesh):
            return [Replicate(), Shard(1)] if name.endswith("up") else None

        def main():
            mesh = dtensor.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
            module = dtensor.distribute_module(
                dtensor.Module(PLAIN, self.params),
                mesh,
                partition,
                lambda module, inputs, mesh: (
                    dtensor.distribute_tensor(inputs[0], mesh, [Shard(0), Replicate()]),
                ),
                lambda module, outputs, mesh: outputs.full_tensor(),
            )
            layouts = {port.name: port.layout for port in module.program.inputs}
            self.assertEqual(layouts["layers.0.up"], "tp=shard(1)")
            self.assertEqual(layouts["layers.0.down"], "")
            self.assertEqual(dict(module.named_parameters())["layers.0.up"].placements[1], Shard(1))
            return module(self.x)

        self.check(main)

    def test_parallelize_module(self):
        def main():
            mesh = dtensor.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
            module = dtensor.parallelize_module(
                dtensor.Module(PLAIN, self.params),
                mesh["tp"],
                {
                    "layers.*.up": ColwiseParallel(),
                    "layers.*.down": RowwiseParallel(),
                    "": [
                        PrepareModuleInput(desired_input_layouts=[[Shard(0), Replicate()]]),
                        PrepareModuleOutput(desired_output_layouts=[[Shard(0), Replicate()]]),
                    ],
                },
            )
            layouts = {port.name: port.layout for port in module.program.inputs}
            self.assertEqual(layouts["layers.0.up"], "tp=shard(1)")
            self.assertEqual(layouts["layers.0.down"], "tp=shard(0)")
            self.assertEqual(layouts["x"], "dp=shard(0)")
            module(self.x)
            with dtensor.CommDebugMode() as comm:
                y = module(self.x)
            # Weights stay; one sum over "tp" is all that moves.
            self.assertEqual(comm.get_comm_counts(), {"all_reduce": 1})
            self.assertEqual(y.placements, (Shard(0), Replicate()))
            return y.full_tensor()

        self.check(main)

    def test_refusals(self):
        @dtensor.spmd(4)
        def main():
            mesh = dtensor.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
            module = dtensor.Module(PLAIN, self.params)
            with self.assertRaisesRegex(dtensor.InvalidArgumentError, "lies on no mesh yet"):
                module(self.x)
            with self.assertRaisesRegex(dtensor.InvalidArgumentError, "along one dimension"):
                dtensor.parallelize_module(module, mesh, ColwiseParallel())
            with self.assertRaisesRegex(dtensor.NotSupportedError, "whole module"):
                dtensor.parallelize_module(module, mesh, {"a": PrepareModuleInput()})
            dtensor.parallelize_module(module, mesh["tp"], {"nothing.*": SequenceParallel()})
            with self.assertRaisesRegex(dtensor.InvalidArgumentError, "nothing"):
                module(self.x)

        main()


if __name__ == "__main__":
    unittest.main()
