# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# tensor ops whose elements lie at positions that the program computes: padding,
# insertion, offsets that are values, gather and scatter, generated tensors.
import numpy as np

from rule_case import Case


# Ops that the compiler is to take.
PENDING = ("tensor.extract", "tensor.insert", "tensor.from_elements", "tensor.bitcast")


def case(name, op, ins, outs, factors, body, numpy, values=None, few=False, rule=""):
    """`rule` where the op has one; the others are written with other ops before
    anything is laid out."""
    return Case(name=name, op=op, ins=ins, outs=outs, factors=factors, rule=rule, body=body, numpy=numpy, values=values or {},
                few=few, pending=op in PENDING or "tensor.extract " in body)


def pad(shape, low, high, element="f32", value="1.5", few=False):
    text = lambda sizes: "".join("%dx" % size for size in sizes) + element
    result = [l + size + h for l, size, h in zip(low, shape, high)]
    letters = "ijkl"[: len(shape)]
    # A dimension that is padded is another one in the result.
    own = [letter if not l + h else letter.upper() for letter, l, h in zip(letters, low, high)]
    return case(
        "tensor.pad %s low %s high %s" % (text(shape), low, high), "tensor.pad", "a=" + text(shape), "r=" + text(result),
        "[%s] -> [%s]" % (", ".join(letters), ", ".join(own)),
        """%%c = arith.constant %s : %s
        %%r = tensor.pad %%a low%s high%s {
        ^bb0(%s):
          tensor.yield %%c : %s
        } : {a} to {r}""" % (value, element, list(low), list(high), ", ".join("%%%s: index" % x for x in "pqst"[: len(shape)]), element),
        lambda a: np.pad(a, list(zip(low, high)), constant_values=float(value)), few=few)


def pads():
    return [
        pad((5, 7), (0, 1), (0, 2)), pad((5, 7), (3, 0), (0, 0)), pad((5, 7), (0, 0), (6, 0)), pad((5, 7), (1, 2), (3, 1)),
        pad((5, 7), (0, 0), (0, 0)), pad((2, 3), (1, 0), (5, 0)), pad((5, 7), (0, 2), (0, 0), "i32", "-7", few=True),
        pad((3, 5, 4), (0, 1, 0), (0, 1, 0), few=True),
    ]


def insert(shape, into, offsets, strides, rule):
    text = lambda sizes: "".join("%dx" % size for size in sizes) + "f32"
    index = tuple(slice(o, o + (n - 1) * s + 1, s) for o, n, s in zip(offsets, shape, strides))

    def run(a, b):
        result = b.copy()
        result[index] = a
        return result
    return case(
        "tensor.insert_slice %s into %s at %s %s" % (text(shape), text(into), offsets, strides), "tensor.insert_slice",
        "a=%s b=%s" % (text(shape), text(into)), "r=" + text(into), "",
        "%%r = tensor.insert_slice %%a into %%b%s%s%s : {a} into {b}" % (list(offsets), list(shape), list(strides)), run, rule=rule)


def inserts():
    return [
        insert((3, 7), (5, 7), (1, 0), (1, 1), "([j, k], [i, k]) -> ([i, k]), need_replication = [i, j]"),
        insert((5, 3), (5, 7), (0, 2), (1, 2), "([i, k], [i, j]) -> ([i, j]), need_replication = [j, k]"),
        insert((2, 3), (5, 7), (3, 1), (1, 1), "([j, l], [i, k]) -> ([i, k]), need_replication = [i, j, k, l]"),
        insert((5, 7), (5, 7), (0, 0), (1, 1), "([i, j], [i, j]) -> ([i, j])"),
        case("tensor.insert_slice of a row", "tensor.insert_slice", "a=7xf32 b=5x7xf32", "r=5x7xf32", "",
             "%r = tensor.insert_slice %a into %b[3, 0][1, 7][1, 1] : {a} into {b}",
             lambda a, b: np.concatenate([b[:3], a[None], b[4:]]),
             rule="([j], [i, j]) -> ([i, j]), need_replication = [i]"),
    ]


# The offset is element 0 of an input, within range.
OFFSET = """%n = arith.constant 0 : index
%t = tensor.extract %o[%n] : tensor<1xi32>
%p = arith.index_cast %t : i32 to index
"""


def at_values():
    return [
        case("tensor.extract_slice at a value, rows", "tensor.extract_slice", "a=5x7xf32 o=1xi32", "r=3x7xf32", "[i, k], [l] -> [j, k]",
             OFFSET + "%r = tensor.extract_slice %a[%p, 0][3, 7][1, 1] : {a} to {r}", lambda a, o: a[o[0]:o[0] + 3], {"o": "below 3"}),
        case("tensor.extract_slice at a value, columns", "tensor.extract_slice", "a=5x7xf32 o=1xi32", "r=5x3xf32", "[i, j], [l] -> [i, k]",
             OFFSET + "%r = tensor.extract_slice %a[0, %p][5, 3][1, 2] : {a} to {r}",
             lambda a, o: a[:, o[0]:o[0] + 5:2], {"o": "below 3"}),
        case("tensor.extract_slice at a constant", "tensor.extract_slice", "a=5x7xf32", "r=3x7xf32", "[i, k] -> [j, k]",
             "%p = arith.constant 1 : index\n%r = tensor.extract_slice %a[%p, 0][3, 7][1, 1] : {a} to {r}", lambda a: a[1:4],
             rule="([i, k], []) -> ([j, k]), need_replication = [i, j]"),
        case("tensor.insert_slice at a value", "tensor.insert_slice", "a=2x7xf32 b=5x7xf32 o=1xi32", "r=5x7xf32",
             "[k, j], [i, j], [l] -> [i, j]", OFFSET + "%r = tensor.insert_slice %a into %b[%p, 0][2, 7][1, 1] : {a} into {b}",
             lambda a, b, o: np.concatenate([b[:o[0]], a, b[o[0] + 2:]]), {"o": "below 4"}),
    ]


def generated():
    return [
        case("tensor.generate", "tensor.generate", "", "r=5x7xi32", "-> [i, j]",
             """%r = tensor.generate {
             ^bb0(%p: index, %q: index):
               %c = arith.constant 10 : index
               %s = arith.muli %p, %c : index
               %t = arith.addi %s, %q : index
               %u = arith.index_cast %t : index to i32
               tensor.yield %u : i32
             } : {r}""", lambda: 10 * np.arange(5)[:, None] + np.arange(7)),
        case("tensor.generate of short lines", "tensor.generate", "", "r=2xf32", "-> [i]",
             """%r = tensor.generate {
             ^bb0(%p: index):
               %u = arith.index_cast %p : index to i32
               %v = arith.sitofp %u : i32 to f32
               tensor.yield %v : f32
             } : {r}""", lambda: np.arange(2)),
        case("tensor.from_elements", "tensor.from_elements", "", "r=3xf32", "-> [i]",
             "%p = arith.constant 1.0 : f32\n%q = arith.constant -2.5 : f32\n%r = tensor.from_elements %p, %q, %p : {r}",
             lambda: np.array([1.0, -2.5, 1.0])),
    ]


def reshaped():
    def to(source, target, shape):
        text = lambda sizes: "".join("%dx" % size for size in sizes) + "f32"
        return case(
            "tensor.reshape %s to %s" % (text(source), text(target)), "tensor.reshape", "a=" + text(source), "r=" + text(target),
            "[%s] -> [%s]" % (", ".join("ijk"[: len(source)]), ", ".join("lmn"[: len(target)])),
            "%%s = arith.constant dense<%s> : tensor<%dxi64>\n%%r = tensor.reshape %%a(%%s) : ({a}, tensor<%dxi64>) -> {r}"
            % (list(target), len(target), len(target)), lambda a: a.reshape(target))
    return [to((5, 6), (30,), 1), to((4, 6), (6, 4), 2), to((30,), (5, 6), 2), to((4, 6), (8, 3), 2), to((5, 7), (7, 5), 2),
            to((2, 3, 5), (6, 5), 2)]


def at_indices():
    clip = lambda b: b[:, 0]

    def scattered(a, b, c):
        result = c.copy()
        result[b[:, 0]] = a[:, 0]
        return result
    return [
        case("tensor.gather rows", "tensor.gather", "a=7x5xf32 b=6x1xi64", "r=6x1x5xf32", "[i, j], [k, l] -> [k, m, j]",
             "%r = tensor.gather %a[%b] gather_dims([0]) : ({a}, {b}) -> {r}", lambda a, b: a[clip(b)][:, None], {"b": "below 7"}),
        case("tensor.gather elements", "tensor.gather", "a=7x5xf32 b=6x2xi32", "r=6x1x1xf32", "[i, j], [k, l] -> [k, m, n]",
             "%r = tensor.gather %a[%b] gather_dims([0, 1]) : ({a}, {b}) -> {r}", lambda a, b: a[b[:, 0], b[:, 1]][:, None, None],
             {"b": "below 5"}),
        case("tensor.gather columns, rank reduced", "tensor.gather", "a=7x5xf32 b=6x1xi64", "r=6x7xf32", "[i, j], [k, l] -> [k, i]",
             "%r = tensor.gather %a[%b] gather_dims([1]) : ({a}, {b}) -> {r}", lambda a, b: a[:, clip(b)].T, {"b": "below 5"}),
        case("tensor.scatter rows", "tensor.scatter", "a=3x1x5xf32 b=3x1xi64 c=7x5xf32", "r=7x5xf32",
             "[k, l, j], [k, m], [i, j] -> [i, j]", "%r = tensor.scatter %a into %c[%b] scatter_dims([0]) unique : ({a}, {c}, {b}) -> {r}",
             scattered, {"b": "distinct 7"}),
    ]


def scalars():
    return [
        case("tensor.extract", "tensor.extract", "a=5x7xf32", "r=5xf32", "[i, j] -> [k]",
             """%p = arith.constant 3 : index
             %q = arith.constant 4 : index
             %s = tensor.extract %a[%p, %q] : {a}
             %r = tensor.splat %s : {r}""", lambda a: np.full(5, a[3, 4])),
        case("tensor.insert", "tensor.insert", "a=5x7xf32", "r=5x7xf32", "[i, j] -> [i, j]",
             """%p = arith.constant 3 : index
             %q = arith.constant 4 : index
             %s = arith.constant 9.0 : f32
             %r = tensor.insert %s into %a[%p, %q] : {a}""",
             lambda a: np.where((np.arange(5)[:, None] == 3) & (np.arange(7) == 4), 9.0, a)),
        case("tensor.dim", "tensor.dim", "a=5x7xf32", "r=5x7xi32", "[i, j] -> [i, j]",
             """%p = arith.constant 1 : index
             %s = tensor.dim %a, %p : {a}
             %t = arith.index_cast %s : index to i32
             %r = tensor.splat %t : {r}""", lambda a: np.full((5, 7), 7)),
        case("tensor.bitcast", "tensor.bitcast", "a=5x7xf32", "r=5x7xi32", "[i, j] -> [i, j]",
             "%r = tensor.bitcast %a : {a} to {r}", lambda a: a.astype("f4").view("i4")),
    ]


def softmaxes():
    def softmax(shape, dim, element, few=False):
        def run(a):
            weights = np.exp(a - a.max(dim, keepdims=True))
            return weights / weights.sum(dim, keepdims=True)
        text = "".join("%dx" % size for size in shape) + element
        letters = "[%s]" % ", ".join("ijk"[: len(shape)])
        return case("linalg.softmax dim %d %s" % (dim, text), "linalg.softmax", "a=" + text, "r=" + text, "%s -> %s" % (letters, letters),
                    "%%e = tensor.empty() : {r}\n%%r = linalg.softmax dimension(%d) ins(%%a : {a}) outs(%%e : {r}) -> {r}" % dim,
                    run, few=few)
    return [softmax((5, 7), 1, "f32"), softmax((5, 7), 0, "f32"), softmax((3, 5, 2), 1, "f64", True), softmax((7,), 0, "f32"),
            softmax((3, 5), 1, "bf16", True)]


def cases():
    return pads() + inserts() + at_values() + generated() + reshaped() + at_indices() + scalars() + softmaxes()
