#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# dtensor-propagate beside upstream's sharding-propagation, on programs that
# both accept: seconds of the passes, as --mlir-timing counts them, one JSON
# line per program.
#
#   tools/dev/compare-propagation.py build/test/bin/dtensor-opt [mlir-opt-22]
import json
import os
import re
import subprocess
import sys
import tempfile

SQUARE = "tensor<64x64xf32>"


def binary(op, first, ops):
    for i in range(ops):
        last = f"%{i - 1}" if i else "%x"
        yield f"%{i} = linalg.{op} ins({first or last}, {last} : {SQUARE}, {SQUARE}) outs(%z : {SQUARE}) -> {SQUARE}"


def chain(ops):
    return binary("add", None, ops)


def products(ops):
    return binary("matmul", None, ops)


def users(ops):
    """One value that all ops use."""
    return binary("add", "%x", ops)


def ours(body, ops):
    layout = '{dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0)]>}'
    return "\n".join(['dtensor.mesh @mesh ["dp" = 4, "tp" = 2]', f"func.func @main(%x: {SQUARE} {layout}) -> {SQUARE} {{",
                      f"%z = arith.constant dense<0.0> : {SQUARE}", *body, f"return %{ops - 1} : {SQUARE}", "}"])


def theirs(body, ops):
    return "\n".join(["shard.grid @grid(shape = 4x2)", f"func.func @main(%arg: {SQUARE}) -> {SQUARE} {{",
                      "%s = shard.sharding @grid split_axes = [[0]] : !shard.sharding",
                      f"%x = shard.shard %arg to %s : {SQUARE}", f"%z = arith.constant dense<0.0> : {SQUARE}", *body,
                      f"return %{ops - 1} : {SQUARE}", "}"])


def seconds(command, passes, limit=120):
    """Of the passes whose names end so; None where the run fails or takes too long."""
    try:
        run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    found = re.findall(r"^\s*([\d.]+) \(.*?\)\s+(\S+)$", run.stderr, re.M)
    times = [float(time) for time, name in found if name in passes]
    return sum(times) if run.returncode == 0 and times else None


def main():
    own = sys.argv[1]
    upstream = sys.argv[2] if len(sys.argv) > 2 else "mlir-opt-22"
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "program.mlir")
        for program in (chain, products, users):
            for ops in (1000, 10000):
                times = []
                for write, command, passes in (
                        (ours, [own, path, "--dtensor-propagate"], ("PropagatePass",)),
                        (theirs, [upstream, path, "--pass-pipeline=builtin.module(func.func(sharding-propagation))"],
                         ("ShardingPropagation",))):
                    with open(path, "w") as file:
                        file.write(write(program(ops), ops))
                    times.append(seconds(command + ["--mlir-timing", "-o", os.path.join(scratch, "out.mlir"), "--mlir-disable-threading"], passes))
                print(json.dumps({"program": program.__name__, "ops": ops, "ours_s": times[0], "upstream_s": times[1]}))


main()
