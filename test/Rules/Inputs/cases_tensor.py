# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# tensor: slices, joins, and tensors out of nothing.
import numpy as np

from rule_case import Case


def sizes(shape):
    return "".join("%dx" % size for size in shape)


def concat(dim, shapes, rule, element="f32"):
    names = "abc"[: len(shapes)]
    result = list(shapes[0])
    result[dim] = sum(shape[dim] for shape in shapes)
    types = ", ".join("{%s}" % name for name in names)
    return Case(
        name="tensor.concat dim %d of %s%s" % (dim, " ".join(sizes(s) for s in shapes), element), op="tensor.concat",
        ins=" ".join("%s=%s%s" % (n, sizes(s), element) for n, s in zip(names, shapes)),
        outs="r=%s%s" % (sizes(result), element), rule=rule, numpy=lambda *all: np.concatenate(all, axis=dim),
        body="%%r = tensor.concat dim(%d) %s : (%s) -> {r}" % (dim, ", ".join("%" + n for n in names), types))


def extract_slice(shape, offsets, counts, strides, rule, element="f32", result=None):
    index = tuple(slice(o, o + c * s, s) for o, c, s in zip(offsets, counts, strides))
    kept = result or counts
    return Case(
        name="tensor.extract_slice %s%s %s %s %s" % (sizes(shape), element, offsets, counts, strides)
        + (" to %s" % (result,) if result else ""),
        op="tensor.extract_slice", ins="a=%s%s" % (sizes(shape), element), outs="r=%s%s" % (sizes(kept), element), rule=rule,
        numpy=lambda a: a[index].reshape(kept),
        body="%%r = tensor.extract_slice %%a%s%s%s : {a} to {r}" % (list(offsets), list(counts), list(strides)))


def concats():
    # The joined dimension lies differently in every operand.
    return [
        concat(0, [(5, 7), (3, 7)], "([k, j], [l, j]) -> ([i, j]), need_replication = [i, k, l]"),
        concat(1, [(5, 7), (5, 7)], "([i, k], [i, l]) -> ([i, j]), need_replication = [j, k, l]"),
        concat(1, [(5, 1, 3), (5, 4, 3), (5, 2, 3)],
               "([i, l, k], [i, m, k], [i, n, k]) -> ([i, j, k]), need_replication = [j, l, m, n]"),
        concat(0, [(4,), (1,)], "([j], [k]) -> ([i]), need_replication = [i, j, k]", "i32"),
    ]


def slices():
    return [
        extract_slice((5, 7), (1, 0), (3, 7), (1, 1), "([i, k]) -> ([j, k]), need_replication = [i, j]"),
        extract_slice((5, 7), (0, 1), (5, 3), (1, 2), "([i, j]) -> ([i, k]), need_replication = [j, k]"),
        extract_slice((5, 7), (4, 2), (1, 4), (1, 1), "([i, k]) -> ([j, l]), need_replication = [i, j, k, l]"),
        extract_slice((5, 7), (0, 0), (5, 7), (1, 1), "([i, j]) -> ([i, j])"),
        extract_slice((5, 6, 7), (0, 2, 0), (5, 1, 7), (1, 1, 1), "([i, j, k]) -> ([i, k]), need_replication = [j]",
                      result=(5, 7)),
        extract_slice((3, 7), (0, 2), (3, 4), (1, 1), "([i, j]) -> ([i, k]), need_replication = [j, k]", "i8"),
    ]


def new_tensors():
    """Made anew on any layout."""
    return [
        Case(name="tensor.splat", op="tensor.splat", ins="", outs="r=5x7xf32", rule="new", factors="-> ([i, j])",
             numpy=lambda: np.full((5, 7), 0.75),
             body="%c = arith.constant 0.75 : f32\n%r = tensor.splat %c : {r}"),
        # Its values are nobody's business: written before they are read.
        Case(name="tensor.empty", op="tensor.empty", ins="a=5x7xf32", outs="r=5x7xf32", rule="new",
             factors="([i, j]) -> ([i, j])", numpy=lambda a: a,
             body="%e = tensor.empty() : {r}\n%r = linalg.copy ins(%a : {a}) outs(%e : {r}) -> {r}"),
    ]


def cases():
    return concats() + slices() + new_tensors()


def more_cases():
    return [concat(0, [(4, 8), (8, 8), (1, 8)], "([k, j], [l, j], [m, j]) -> ([i, j]), need_replication = [i, k, l, m]", "f64"),
            extract_slice((8, 12), (2, 3), (4, 4), (1, 2), "([i, k]) -> ([j, l]), need_replication = [i, j, k, l]", "f64")]
