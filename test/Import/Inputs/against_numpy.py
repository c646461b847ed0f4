# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs small StableHLO programs on two ranks and compares their results with
# NumPy's on the same inputs, computed in double precision where they are
# floats:
#   against_numpy.py FOLDER
import pathlib
import subprocess
import sys

import numpy as np

HEADER = 'sdy.mesh @mesh = <["x"=2]>\n'
ROWS = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
COLUMNS = '{sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}'
random = np.random.default_rng(5)


def floats(*shape, low=-2.0, high=2.0):
    return random.uniform(low, high, shape).astype(np.float32)


def integers(*shape, low=-50, high=50, dtype=np.int32):
    return random.integers(low, high, shape).astype(dtype)


def wide(x):
    return x.astype(np.float64) if x.dtype == np.float32 else x


def unary(op, reference, low=-2.0, high=2.0):
    """One op on floats, sharded by rows."""
    text = f"""func.func @main(%a: tensor<4x6xf32> {ROWS}) -> tensor<4x6xf32> {{
      %0 = stablehlo.{op} %a : tensor<4x6xf32>
      return %0 : tensor<4x6xf32>
    }}"""
    return (op, text, [floats(4, 6, low=low, high=high)], reference)


def binary(op, element, inputs, reference):
    """One op on two tensors; only the first says how it is sharded."""
    type = f"tensor<4x6x{element}>"
    text = f"""func.func @main(%a: {type} {COLUMNS}, %b: {type}) -> {type} {{
      %0 = stablehlo.{op} %a, %b : {type}
      return %0 : {type}
    }}"""
    return (f"{op}_{element}", text, inputs, reference)


def divide(a, b):
    """C's division; -1 where b is 0, as the importer documents."""
    safe = np.where(b == 0, 1, b).astype(np.int64)
    quotient = np.trunc(a.astype(np.int64) / safe).astype(np.int64)
    return np.where(b == 0, -1, quotient).astype(np.int32)


def remainder(a, b):
    return np.where(b == 0, a, a - divide(a, b) * b).astype(np.int32)


def softmax(a):
    e = np.exp(a - a.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def pick(a, b, p):
    return np.where(p, np.clip(a, -1.0, 1.0), b)


mixed = integers(4, 6)
mixed[0, :3] = [np.iinfo(np.int32).min, 7, 0]
divisors = integers(4, 6, low=-5, high=6)
divisors[0, :3] = [-1, 0, 0]

PROGRAMS = [
    unary("abs", np.abs),
    unary("ceil", np.ceil),
    unary("cosine", np.cos),
    unary("exponential", np.exp),
    unary("exponential_minus_one", np.expm1),
    unary("floor", np.floor),
    unary("log", np.log, low=0.1),
    unary("log_plus_one", np.log1p, low=-0.9),
    unary("logistic", lambda x: 1 / (1 + np.exp(-x))),
    unary("negate", np.negative),
    unary("rsqrt", lambda x: 1 / np.sqrt(x), low=0.1),
    unary("sign", np.sign),
    unary("sine", np.sin),
    unary("sqrt", np.sqrt, low=0.0),
    unary("tanh", np.tanh),
    binary("add", "f32", [floats(4, 6), floats(4, 6)], np.add),
    binary("subtract", "f32", [floats(4, 6), floats(4, 6)], np.subtract),
    binary("divide", "f32", [floats(4, 6), floats(4, 6, low=0.5)], np.divide),
    binary("maximum", "f32", [floats(4, 6), floats(4, 6)], np.maximum),
    binary("power", "f32", [floats(4, 6, low=0.1), floats(4, 6)], np.power),
    binary("remainder", "f32", [floats(4, 6), floats(4, 6, low=0.5)], np.fmod),
    binary("atan2", "f32", [floats(4, 6), floats(4, 6)], np.arctan2),
    binary("multiply", "i32", [mixed, divisors], np.multiply),
    binary("divide", "i32", [mixed, divisors], divide),
    binary("remainder", "i32", [mixed, divisors], remainder),
    binary("minimum", "i32", [mixed, divisors], np.minimum),
    binary("xor", "i32", [mixed, divisors], np.bitwise_xor),
    (
        "select_and_clamp",
        f"""func.func @main(%a: tensor<4x6xf32> {ROWS}, %b: tensor<4x6xf32>, %p: tensor<4x6xi1>) -> tensor<4x6xf32> {{
      %lo = stablehlo.constant dense<-1.0> : tensor<4x6xf32>
      %hi = stablehlo.constant dense<1.0> : tensor<4x6xf32>
      %0 = stablehlo.clamp %lo, %a, %hi : tensor<4x6xf32>
      %1 = stablehlo.select %p, %0, %b : tensor<4x6xi1>, tensor<4x6xf32>
      return %1 : tensor<4x6xf32>
    }}""",
        [floats(4, 6), floats(4, 6), integers(4, 6) > 0],
        pick,
    ),
    (
        "compare_and_convert",
        f"""func.func @main(%a: tensor<4x6xf32> {ROWS}, %b: tensor<4x6xf32>) -> tensor<4x6xi32> {{
      %0 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
      %1 = stablehlo.convert %0 : (tensor<4x6xi1>) -> tensor<4x6xi32>
      %2 = stablehlo.convert %b : (tensor<4x6xf32>) -> tensor<4x6xi32>
      %3 = stablehlo.add %1, %2 : tensor<4x6xi32>
      return %3 : tensor<4x6xi32>
    }}""",
        [floats(4, 6), floats(4, 6)],
        lambda a, b: (a < b).astype(np.int32) + np.trunc(b).astype(np.int32),
    ),
    (
        "softmax",
        f"""func.func @main(%a: tensor<4x6xf32> {COLUMNS}) -> tensor<4x6xf32> {{
      %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
      %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
      %2 = stablehlo.subtract %a, %1 : tensor<4x6xf32>
      %3 = stablehlo.exponential %2 : tensor<4x6xf32>
      %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
      %6 = stablehlo.divide %3, %5 : tensor<4x6xf32>
      return %6 : tensor<4x6xf32>
    }}""",
        [floats(4, 6)],
        softmax,
    ),
    (
        "start_value",
        f"""func.func @main(%a: tensor<4x6xf32> {ROWS}, %c: tensor<f32>) -> tensor<6xf32> {{
      %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
      return %0 : tensor<6xf32>
    }}""",
        [floats(4, 6), np.float32(3.0).reshape(())],
        lambda a, c: a.sum(axis=0) + c,
    ),
    (
        "dot_with_transposes",
        f"""func.func @main(%a: tensor<8x4xf32> {ROWS}, %b: tensor<6x8xf32> {COLUMNS}) -> tensor<4x6xf32> {{
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<8x4xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
      return %0 : tensor<4x6xf32>
    }}""",
        [floats(8, 4), floats(6, 8)],
        lambda a, b: a.T @ b.T,
    ),
    (
        "moves",
        f"""func.func @main(%a: tensor<4x6xf32> {ROWS}, %b: tensor<1x6xf32>) -> tensor<3x8xf32> {{
      %0 = stablehlo.broadcast_in_dim %b, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<4x6xf32>
      %1 = stablehlo.iota dim = 1 : tensor<4x6xf32>
      %2 = stablehlo.add %0, %1 : tensor<4x6xf32>
      %3 = stablehlo.multiply %a, %2 : tensor<4x6xf32>
      %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
      %5 = stablehlo.reshape %4 : (tensor<6x4xf32>) -> tensor<3x8xf32>
      return %5 : tensor<3x8xf32>
    }}""",
        [floats(4, 6), floats(1, 6)],
        lambda a, b: (a * (b + np.arange(6.0))).T.reshape(3, 8),
    ),
    (
        "slice",
        f"""func.func @main(%a: tensor<4x6xf32> {ROWS}) -> tensor<2x3xf32> {{
      %0 = stablehlo.slice %a [1:3, 0:6:2] : (tensor<4x6xf32>) -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    }}""",
        [floats(4, 6)],
        lambda a: a[1:3, 0:6:2],
    ),
    (
        "batch_dot",
        """func.func @main(%a: tensor<4x2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %b: tensor<2x8x3xf32>) -> tensor<2x4x3xf32> {
      %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<4x2x8xf32>, tensor<2x8x3xf32>) -> tensor<2x4x3xf32>
      return %0 : tensor<2x4x3xf32>
    }""",
        [floats(4, 2, 8), floats(2, 8, 3)],
        lambda a, b: np.einsum("ibk,bkj->bij", a, b),
    ),
    (
        "contraction",
        """func.func @main(%a: tensor<2x3x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"x"}]>}, %b: tensor<2x3x8x2xf32>) -> tensor<2x3x4x2xf32> {
      %0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x3x4x8xf32>, tensor<2x3x8x2xf32>) -> tensor<2x3x4x2xf32>
      return %0 : tensor<2x3x4x2xf32>
    }""",
        [floats(2, 3, 4, 8), floats(2, 3, 8, 2)],
        lambda a, b: a @ b,
    ),
]


def run(folder, name, text, inputs, reference):
    folder = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "program.mlir"
    program.write_text(HEADER + text + "\n")
    command = ["dtensor-run", str(program), "--output-dir", str(folder)]
    for index, array in enumerate(inputs):
        np.save(folder / f"in{index}.npy", array)
        command += ["--input", f"{index}={folder}/in{index}.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stderr.strip()}"
    got = np.load(folder / "result0.npy")
    with np.errstate(over="ignore"):
        want = np.asarray(reference(*(wide(array) for array in inputs)))
    if got.shape != want.shape:
        return f"shape {got.shape}, NumPy has {want.shape}"
    if got.dtype != np.float32:
        return "" if np.array_equal(got, want) else f"{got} differs from {want}"
    error = np.abs(got - want).max() / max(np.abs(want).max(), 1e-30)
    return "" if error < 2e-6 else f"error {error}"


folder = pathlib.Path(sys.argv[1])
failures = 0
for name, *rest in PROGRAMS:
    problem = run(folder, name, *rest)
    failures += bool(problem)
    print(f"{name}: {problem or 'agrees'}")
sys.exit(1 if failures else 0)
