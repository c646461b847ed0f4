# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""safetensors files: layouts, types, wrong files."""

import json
import os
import struct
import tempfile
import unittest

import numpy as np

import dtensor
from dtensor import Partial, Replicate, Shard


class Safetensors(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "w.safetensors")
        self.addCleanup(self.folder.cleanup)

    def test_saved_and_loaded_in_other_layouts(self):
        @dtensor.spmd(4, timeout=20)
        def main():
            mesh = dtensor.init_device_mesh("cpu", (2, 2), mesh_dim_names=("x", "y"))
            wholes = {
                "a": np.arange(35, dtype=np.float32).reshape(7, 5),
                "b": np.arange(9, dtype=np.uint8),
                "scalar": np.array(2.5),
                "none": np.zeros((3, 0), np.int64),
                "bits": np.arange(6, dtype=np.uint16),
            }
            tensors = {
                "a": dtensor.distribute_tensor(wholes["a"], mesh, [Shard(0), Shard(0)]),
                "b": dtensor.distribute_tensor(wholes["b"], mesh, [Replicate(), Shard(0)]),
                "scalar": dtensor.distribute_tensor(wholes["scalar"], mesh, [Partial(), Replicate()]),
                "none": dtensor.distribute_tensor(wholes["none"], mesh, [Shard(0), Shard(1)]),
                "bits": dtensor.distribute_tensor(
                    wholes["bits"], mesh, [Shard(0), Replicate()], dtype=dtensor.bfloat16
                ),
            }
            dtensor.save_safetensors(self.path, tensors, {"made": "here"})
            line = dtensor.DeviceMesh("cpu", [2, 0, 1])
            loaded = dtensor.load_safetensors(self.path, line, {"a": [Shard(1)], "b": [Shard(0)]})
            self.assertEqual(sorted(loaded), sorted(wholes))
            self.assertIs(loaded["bits"].dtype, dtensor.bfloat16)
            for name, whole in wholes.items():
                if line.get_coordinate() is not None:
                    np.testing.assert_array_equal(loaded[name].full_tensor(), whole)
            with self.assertRaisesRegex(dtensor.InvalidArgumentError, "no tensor 'c'; it has a, b"):
                dtensor.load_safetensors(self.path, line, {"c": [Shard(0)]})

        main()
        with open(self.path, "rb") as file:
            header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        self.assertEqual(header["__metadata__"], {"made": "here"})
        self.assertEqual(header["bits"]["dtype"], "BF16")

    def test_wrong_files(self):
        def expect(error, text, data=None):
            if data is not None:
                with open(self.path, "wb") as file:
                    file.write(data)

            @dtensor.spmd(2, timeout=20)
            def main():
                dtensor.load_safetensors(self.path, dtensor.init_device_mesh("cpu", (2,)))

            with self.assertRaisesRegex(error, text):
                main()

        def made(entry, data=b""):
            header = json.dumps({"t": entry}).encode()
            return struct.pack("<Q", len(header)) + header + data

        expect(dtensor.IoError, "No such file")
        expect(dtensor.IoError, "is no safetensors file", b"tea")
        expect(dtensor.IoError, "is no safetensors file", struct.pack("<Q", 1 << 40) + b"{}")
        expect(dtensor.IoError, "is no safetensors file", struct.pack("<Q", 2) + b"te")
        cut = {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}
        expect(dtensor.IoError, "not its 4 elements", made(cut, b"\0" * 8))
        other = {"dtype": "C64", "shape": [1], "data_offsets": [0, 8]}
        expect(dtensor.NotSupportedError, "elements of C64", made(other, b"\0" * 8))

    def test_a_place_that_cannot_be_written(self):
        @dtensor.spmd(2, timeout=20)
        def main():
            x = dtensor.ones(4, device_mesh=dtensor.init_device_mesh("cpu", (2,)))
            with self.assertRaisesRegex(dtensor.IoError, "/no/such/folder/w: No such file"):
                dtensor.save_safetensors("/no/such/folder/w", {"x": x})
            dtensor.barrier()

        main()


if __name__ == "__main__":
    unittest.main()
