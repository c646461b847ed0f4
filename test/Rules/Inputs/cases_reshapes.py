# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reshapes: a sharding of the major factor of a joined dimension can be said on
# both sides; others can where sizes divide.
import numpy as np

from rule_case import Case


def sizes(shape):
    return "".join("%dx" % size for size in shape)


def groups_text(groups):
    return "[%s]" % ", ".join("[%s]" % ", ".join(map(str, group)) for group in groups)


def collapse(source, target, groups, rule, element="f32"):
    return Case(
        name="tensor.collapse_shape %s to %s" % (sizes(source) + element, sizes(target) + element), op="tensor.collapse_shape",
        ins="a=" + sizes(source) + element, outs="r=" + sizes(target) + element, rule=rule,
        numpy=lambda a: a.reshape(target),
        body="%%r = tensor.collapse_shape %%a %s : {a} into {r}" % groups_text(groups))


def expand(source, target, groups, rule, element="f32"):
    return Case(
        name="tensor.expand_shape %s to %s" % (sizes(source) + element, sizes(target) + element), op="tensor.expand_shape",
        ins="a=" + sizes(source) + element, outs="r=" + sizes(target) + element, rule=rule,
        numpy=lambda a: a.reshape(target),
        body="%%r = tensor.expand_shape %%a %s output_shape %s : {a} into {r}" % (groups_text(groups), list(target)))


def there_and_back(source, target, back, groups_to, groups_back):
    """Two reshapes with an op between: what the middle is sharded by has to be
    right on both sides."""
    return Case(
        name="tensor.collapse_shape and expand_shape %s, %s, %s" % (source, target, back), op="tensor.collapse_shape",
        ins="a=%sf32 b=%sf32" % (sizes(source), sizes(target)), outs="r=%sf32" % sizes(back), factors="[i, j], [k] -> [l, m]",
        numpy=lambda a, b: (a.reshape(target) * b).reshape(back),
        body="""%%s = tensor.collapse_shape %%a %s : {a} into {b}
        %%t = arith.mulf %%s, %%b : {b}
        %%r = tensor.expand_shape %%t %s output_shape %s : {b} into {r}"""
        % (groups_text(groups_to), groups_text(groups_back), list(back)))


def pairs(sizes_of, element="f32"):
    """Two dimensions joined and split, of these sizes."""
    m, n = sizes_of
    return [collapse((m, n), (m * n,), [[0, 1]], "([i, j]) -> ([ij])", element),
            expand((m * n,), (m, n), [[0, 1]], "([ij]) -> ([i, j])", element)]


def among_others():
    """Joined dimensions beside ones that stay."""
    return [
        collapse((5, 6, 7), (30, 7), [[0, 1], [2]], "([i, j, k]) -> ([ij, k])"),
        collapse((5, 4, 6), (5, 24), [[0], [1, 2]], "([i, j, k]) -> ([i, jk])"),
        collapse((4, 3, 5), (60,), [[0, 1, 2]], "([i, j, k]) -> ([ijk])"),
        expand((30, 7), (5, 6, 7), [[0, 1], [2]], "([ij, k]) -> ([i, j, k])"),
        expand((5, 24), (5, 4, 6), [[0], [1, 2]], "([i, jk]) -> ([i, j, k])"),
        expand((60,), (4, 3, 5), [[0, 1, 2]], "([ijk]) -> ([i, j, k])"),
    ]


def with_ones():
    """Dimensions of size one are factors too, of which one rank has all."""
    return [
        expand((5, 7), (1, 5, 7), [[0, 1], [2]], "([ij, k]) -> ([i, j, k])"),
        expand((7,), (7, 1), [[0, 1]], "([ij]) -> ([i, j])"),
        collapse((5, 1, 7), (5, 7), [[0, 1], [2]], "([i, j, k]) -> ([ij, k])"),
        collapse((1, 7), (7,), [[0, 1]], "([i, j]) -> ([ij])"),
        collapse((1, 1), (), [], "([i, j]) -> ([]), need_replication = [i, j]"),
        expand((), (1, 1), [], "([]) -> ([i, j]), need_replication = [i, j]"),
    ]


def round_trips():
    return [
        there_and_back((6, 4), (24,), (4, 6), [[0, 1]], [[0, 1]]),
        there_and_back((4, 6), (24,), (8, 3), [[0, 1]], [[0, 1]]),
        there_and_back((5, 6), (30,), (6, 5), [[0, 1]], [[0, 1]]),
        there_and_back((3, 5), (15,), (5, 3), [[0, 1]], [[0, 1]]),
        there_and_back((2, 7), (14,), (7, 2), [[0, 1]], [[0, 1]]),
    ]


def cases():
    found = []
    # Nothing divides; the major part divides; the minor one; both do.
    for shape in ((5, 7), (6, 5), (5, 6), (4, 6), (2, 3)):
        found += pairs(shape)
    return found + among_others() + with_ones() + round_trips() + pairs((6, 4), "i8")


def more_cases():
    found = []
    for shape in ((8, 8), (12, 5), (3, 8), (9, 4), (1, 5), (7, 12), (16, 2)):
        found += pairs(shape, "f64")
    return found
