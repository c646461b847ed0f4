# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Dimensions of no elements, and of one: no rank, or one, has any.
import numpy as np

from cases_linalg import MATMUL, filled, product
from cases_positions import pad
from cases_reshapes import collapse, expand
from cases_tensor import concat, extract_slice
from rule_case import Case


def reduce(shape, dim):
    result = [size for d, size in enumerate(shape) if d != dim]
    text = lambda sizes: "".join("%dx" % size for size in sizes) + "f32"
    return Case(
        name="linalg.reduce dim %d of %s" % (dim, text(shape)), op="linalg.reduce", ins="a=" + text(shape), outs="r=" + text(result),
        factors="[i, j] -> [%s]" % "ij"[1 - dim], numpy=lambda a: a.sum(dim),
        body=filled(text(result)) + "%%r = linalg.reduce {arith.addf} ins(%%a : {a}) outs(%%i : {r}) dimensions = [%d]" % dim)


def elementwise(shape):
    text = "".join("%dx" % size for size in shape) + "f32"
    return Case(name="arith.addf %s" % text, op="arith.addf", ins="a=%s b=%s" % (text, text), outs="r=" + text,
                factors="[i, j], [i, j] -> [i, j]", numpy=lambda a, b: a + b, body="%r = arith.addf %a, %b : {a}")


def structured():
    return [
        Case(name="dtensor.scan of no elements", op="dtensor.scan", ins="a=5x0xf32", outs="r=5x0xf32", factors="[i, j] -> [i, j]",
             numpy=lambda a: a, body="%e = tensor.empty() : {r}\n%r = dtensor.scan sum dim 1 ins(%a : {a}) outs(%e : {r}) -> {r}"),
        Case(name="dtensor.sort of no lines", op="dtensor.sort", ins="a=0x7xf32", outs="r=0x7xf32", factors="[i, j] -> [i, j]",
             numpy=lambda a: a, body="%e = tensor.empty() : {r}\n%r = dtensor.sort dim 1 ins(%a : {a}) outs(%e : {r}) -> {r}"),
        Case(name="dtensor.gather of no rows", op="dtensor.gather", ins="a=7x5xf32 b=0x1xi64", outs="r=0x5xf32",
             factors="[i, j], [k, l] -> [k, j]", numpy=lambda a, b: a[:0], values={"b": "below 7"},
             body="%e = tensor.empty() : {r}\n%r = dtensor.gather dims [0] ins(%a, %b : {a}, {b}) outs(%e : {r}) -> {r}"),
        Case(name="dtensor.scatter of no rows", op="dtensor.scatter", ins="a=0x5xf32 b=0x1xi64 c=7x5xf32", outs="r=7x5xf32",
             factors="[k, j], [k, l], [i, j] -> [i, j]", numpy=lambda a, b, c: c, values={"b": "below 7"},
             body="%r = dtensor.scatter sum dims [0] ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {r}"),
        Case(name="dtensor.top_k of no places", op="dtensor.top_k", ins="a=5x7xf32", outs="r=5x0xf32 s=5x0xi32",
             factors="[i, j] -> [i, k], [i, k]", numpy=lambda a: (a[:, :0], np.zeros((5, 0), "i4")),
             body="""%e = tensor.empty() : {r}
             %f = tensor.empty() : {s}
             %r, %s = dtensor.top_k dim 1 ins(%a : {a}) outs(%e, %f : {r}, {s}) -> {r}, {s}"""),
        Case(name="dtensor.attention of no queries", op="dtensor.attention", ins="a=2x0x4xf32 b=2x7x4xf32 c=2x7x3xf32",
             outs="r=2x0x3xf32", factors="[m, i, d], [m, j, d], [m, j, e] -> [m, i, e]", numpy=lambda a, b, c: np.zeros((2, 0, 3)),
             body="%e = tensor.empty() : {r}\n"
             "%r = dtensor.attention ins(%a, %b, %c : {a}, {b}, {c}) outs(%e : {r}) -> {r}"),
    ]


def cases():
    found = [
        elementwise((0, 7)), elementwise((5, 0)), elementwise((1, 1)),
        reduce((5, 0), 1), reduce((5, 0), 0), reduce((0, 7), 0), reduce((1, 7), 0),
        product("linalg.matmul", "0x6xf32", "6x7xf32", "0x7xf32", MATMUL, lambda a, b: a @ b),
        product("linalg.matmul", "5x0xf32", "0x7xf32", "5x7xf32", MATMUL, lambda a, b: a @ b),
        product("linalg.matmul", "1x1xf32", "1x1xf32", "1x1xf32", MATMUL, lambda a, b: a @ b),
        concat(0, [(0, 7), (5, 7)], "([k, j], [l, j]) -> ([i, j]), need_replication = [i, k, l]"),
        concat(1, [(5, 0), (5, 0)], "([i, k], [i, l]) -> ([i, j]), need_replication = [j, k, l]"),
        extract_slice((5, 7), (2, 0), (0, 7), (1, 1), "([i, k]) -> ([j, k]), need_replication = [i, j]"),
        collapse((0, 7), (0,), [[0, 1]], "([i, j]) -> ([ij])"), collapse((5, 0), (0,), [[0, 1]], "([i, j]) -> ([ij])"),
        expand((0,), (0, 7), [[0, 1]], "([ij]) -> ([i, j])"), pad((0, 7), (2, 0), (3, 0)), pad((5, 0), (0, 0), (0, 4)),
    ] + structured()
    for case in found:
        # Their rules are those of other sizes, which are printed there.
        case.rule, case.few = "", True
    return found
