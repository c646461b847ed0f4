# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reductions with every combiner, of every type, from several dimensions.
import numpy as np

from rule_case import Case

REDUCED = "([i, j], [i]) -> ([i]), reduction = [j]"
WHOLE = "([i, j], [i]) -> ([i]), need_replication = [j]"
# These take every variant, the others of a rule fewer.
THOROUGH = {("addf", "f32"), ("maximumf", "f32"), ("mulf", "f64"), ("addi", "i32"), ("minui", "i8"), ("xori", "i1")}
BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}


def unsigned(reduce):
    """A NumPy reduction over the values as unsigned ones."""
    def run(a, axis):
        if a.dtype == bool:
            return reduce(a, axis=axis)
        return reduce(a.view("u%d" % a.dtype.itemsize), axis=axis).view(a.dtype)
    return run


def wrapping(reduce):
    return lambda a, axis: reduce(a, axis=axis, dtype=a.dtype)


# Combiner: its identity by kind of type, NumPy's version, the inputs' values.
FLOATS = {
    "addf": ("0.0", np.sum, None), "mulf": ("1.0", np.prod, "near_one"),
    "maximumf": ("-1.0e4", np.max, None), "minimumf": ("1.0e4", np.min, None),
    "maxnumf": ("-1.0e4", np.max, None), "minnumf": ("1.0e4", np.min, None),
}
INTEGERS = {
    "addi": (lambda bits: "0", wrapping(np.sum), "wide"), "muli": (lambda bits: "1", wrapping(np.prod), "wide"),
    "maxsi": (lambda bits: str(-(1 << (bits - 1))), np.max, "wide"),
    "minsi": (lambda bits: str((1 << (bits - 1)) - 1), np.min, "wide"),
    "maxui": (lambda bits: "0", unsigned(np.max), "wide"), "minui": (lambda bits: "-1", unsigned(np.min), "wide"),
    "andi": (lambda bits: "-1", np.bitwise_and.reduce, "wide"),
    "ori": (lambda bits: "0", np.bitwise_or.reduce, "wide"),
    "xori": (lambda bits: "0", np.bitwise_xor.reduce, "wide"),
}


def constant(name, value, element):
    return "%%%s = arith.constant %s" % (name, value if value in ("true", "false") else value + " : " + element)


def reduce(combiner, element, start, numpy, values, rows=5, columns=7):
    return Case(
        name="linalg.reduce %s %dx%dx%s" % (combiner, rows, columns, element), op="linalg.reduce",
        ins="a=%dx%dx%s" % (rows, columns, element), outs="r=%dx%s" % (rows, element), rule=REDUCED,
        values={"a": values}, numpy=lambda a: numpy(a, axis=1), shared=(combiner, element) not in THOROUGH,
        body="""%s
        %%e = tensor.empty() : {r}
        %%i = linalg.fill ins(%%z : %s) outs(%%e : {r}) -> {r}
        %%r = linalg.reduce {arith.%s} ins(%%a : {a}) outs(%%i : {r}) dimensions = [1]"""
        % (constant("z", start, element), element, combiner))


def every_combiner(rows, columns, floats, integers):
    cases = [reduce(combiner, element, start, numpy, values, rows, columns)
             for element in floats for combiner, (start, numpy, values) in FLOATS.items()]
    cases += [reduce(combiner, element, start(BITS[element]), numpy, values, rows, columns)
              for element in integers for combiner, (start, numpy, values) in INTEGERS.items()]
    return cases


def of_bools():
    """On i1 only these are reductions of the design; sum and product are not."""
    return [reduce(combiner, "i1", start, numpy, None)
            for combiner, start, numpy in (("andi", "true", np.bitwise_and.reduce), ("ori", "false", np.bitwise_or.reduce),
                                           ("xori", "false", np.bitwise_xor.reduce))]


def onto_start(combiner, numpy, values, element="f32"):
    """The start value counts once on any number of ranks."""
    return Case(
        name="linalg.reduce %s onto start %s" % (combiner, element), op="linalg.reduce",
        ins="a=5x7x%s b=5x%s" % (element, element), outs="r=5x" + element, rule=REDUCED, values={"a": values, "b": values},
        numpy=numpy, body="%%r = linalg.reduce {arith.%s} ins(%%a : {a}) outs(%%b : {b}) dimensions = [1]" % combiner)


def starts():
    return [
        onto_start("addf", lambda a, b: a.sum(1) + b, None),
        onto_start("mulf", lambda a, b: a.prod(1) * b, "near_one"),
        onto_start("maximumf", lambda a, b: np.maximum(a.max(1), b), None),
        onto_start("minimumf", lambda a, b: np.minimum(a.min(1), b), None),
        onto_start("addi", lambda a, b: a.sum(1, dtype=a.dtype) + b, "wide", "i32"),
        onto_start("muli", lambda a, b: a.prod(1, dtype=a.dtype) * b, "wide", "i32"),
        onto_start("xori", lambda a, b: np.bitwise_xor.reduce(a, axis=1) ^ b, "wide", "i32"),
        onto_start("andi", lambda a, b: np.bitwise_and.reduce(a, axis=1) & b, "wide", "i64"),
        onto_start("maxui", lambda a, b: np.maximum(a.view("u4").max(1), b.view("u4")).view("i4"), "wide", "i32"),
    ]


def with_nans():
    """maximumf hands on NaN, maxnumf looks for numbers: on every layout."""
    return [
        Case(name="linalg.reduce %s with NaN" % combiner, op="linalg.reduce", ins="a=5x7xf32", outs="r=5xf32", rule=REDUCED,
             values={"a": "nans"}, numpy=lambda a, numpy=numpy: numpy(a, axis=1),
             body="""%%z = arith.constant %s : f32
             %%e = tensor.empty() : {r}
             %%i = linalg.fill ins(%%z : f32) outs(%%e : {r}) -> {r}
             %%r = linalg.reduce {arith.%s} ins(%%a : {a}) outs(%%i : {r}) dimensions = [1]""" % (start, combiner))
        for combiner, start, numpy in (("maximumf", "0xFF800000", np.max), ("minimumf", "0x7F800000", np.min),
                                       ("maxnumf", "-1.0e4", lambda a, axis: np.fmax.reduce(a, axis=axis, initial=-1e4)),
                                       ("minnumf", "1.0e4", lambda a, axis: np.fmin.reduce(a, axis=axis, initial=1e4)))]


def dimensions():
    """Other dimensions than the last, several, and all."""
    def case(dims, result, rule, axis):
        # Positive, so that what all elements add up to is not near zero.
        return Case(
            name="linalg.reduce dims %s" % dims, op="linalg.reduce", ins="a=5x6x7xf32", outs="r=" + result, rule=rule,
            numpy=lambda a: a.sum(axis), values={"a": "positive"},
            body="""%%z = arith.constant 0.0 : f32
            %%e = tensor.empty() : {r}
            %%i = linalg.fill ins(%%z : f32) outs(%%e : {r}) -> {r}
            %%r = linalg.reduce {arith.addf} ins(%%a : {a}) outs(%%i : {r}) dimensions = %s""" % dims)
    return [
        case([0], "6x7xf32", "([i, j, k], [j, k]) -> ([j, k]), reduction = [i]", 0),
        case([0, 2], "6xf32", "([i, j, k], [j]) -> ([j]), reduction = [i, k]", (0, 2)),
        case([0, 1, 2], "f32", "([i, j, k], []) -> ([]), reduction = [i, j, k]", (0, 1, 2)),
    ]


def not_reductions():
    """Bodies that depend on the order of elements: lines stay whole."""
    subtract = Case(
        name="linalg.reduce by a difference", op="linalg.reduce", ins="a=5x7xf32 b=5xf32", outs="r=5xf32", rule=WHOLE,
        numpy=lambda a, b: b - a.sum(1),
        body="""%r = linalg.reduce ins(%a : {a}) outs(%b : {b}) dimensions = [1]
          (%in: f32, %out: f32) {
            %s = arith.subf %out, %in : f32
            linalg.yield %s : f32
          }""")
    # Horner's rule: out * 0.5 + in.
    horner = Case(
        name="linalg.reduce by Horner's rule", op="linalg.reduce", ins="a=5x7xf32 b=5xf32", outs="r=5xf32", rule=WHOLE,
        numpy=lambda a, b: b * 0.5 ** 7 + a @ (0.5 ** np.arange(6, -1, -1)),
        body="""%r = linalg.reduce ins(%a : {a}) outs(%b : {b}) dimensions = [1]
          (%in: f32, %out: f32) {
            %h = arith.constant 0.5 : f32
            %m = arith.mulf %out, %h : f32
            %s = arith.addf %m, %in : f32
            linalg.yield %s : f32
          }""")
    # The largest element and where it is: two results that depend on one another.
    largest = Case(
        name="linalg.reduce argmax", op="linalg.reduce", ins="a=5x7xf32 b=5x7xi32", outs="r=5xf32 s=5xi32",
        rule="([i, j], [i, j], [i], [i]) -> ([i], [i]), need_replication = [j]",
        numpy=lambda a, b: (a.max(1), np.take_along_axis(b, a.argmax(1)[:, None], 1)[:, 0]),
        body="""%z = arith.constant -1.0e4 : f32
        %y = arith.constant 0 : i32
        %e = tensor.empty() : {r}
        %f = tensor.empty() : {s}
        %i = linalg.fill ins(%z : f32) outs(%e : {r}) -> {r}
        %j = linalg.fill ins(%y : i32) outs(%f : {s}) -> {s}
        %r, %s = linalg.reduce ins(%a, %b : {a}, {b}) outs(%i, %j : {r}, {s}) dimensions = [1]
          (%in: f32, %at: i32, %best: f32, %where: i32) {
            %c = arith.cmpf ogt, %in, %best : f32
            %t = arith.select %c, %in, %best : f32
            %u = arith.select %c, %at, %where : i32
            linalg.yield %t, %u : f32, i32
          }""")
    return [subtract, horner, largest]


def fused():
    """Generics whose body does more than combine."""
    squares = Case(
        name="linalg.generic sum of squares", op="linalg.generic", ins="a=5x7xf32", outs="r=7xf32",
        rule="([i, j], [j]) -> ([j]), reduction = [i]", numpy=lambda a: (a * a).sum(0),
        body="""%z = arith.constant 0.0 : f32
        %e = tensor.empty() : {r}
        %i = linalg.fill ins(%z : f32) outs(%e : {r}) -> {r}
        %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
            iterator_types = ["reduction", "parallel"]} ins(%a : {a}) outs(%i : {r}) {
        ^bb0(%in: f32, %out: f32):
          %s = arith.mulf %in, %in : f32
          %t = arith.addf %s, %out : f32
          linalg.yield %t : f32
        } -> {r}""")
    # Widened before the sum, and counted.
    count = Case(
        name="linalg.generic count of positive", op="linalg.generic", ins="a=5x7xf32", outs="r=5xi32", rule=REDUCED,
        numpy=lambda a: (a > 0).sum(1).astype(np.int32),
        body="""%z = arith.constant 0 : i32
        %o = arith.constant 0.0 : f32
        %e = tensor.empty() : {r}
        %i = linalg.fill ins(%z : i32) outs(%e : {r}) -> {r}
        %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
            iterator_types = ["parallel", "reduction"]} ins(%a : {a}) outs(%i : {r}) {
        ^bb0(%in: f32, %out: i32):
          %s = arith.cmpf ogt, %in, %o : f32
          %t = arith.extui %s : i1 to i32
          %u = arith.addi %out, %t : i32
          linalg.yield %u : i32
        } -> {r}""")
    both = Case(
        name="linalg.generic sum and max", op="linalg.generic", ins="a=5x7xf32", outs="r=5xf32 s=5xf32",
        rule="([i, j], [i], [i]) -> ([i], [i]), need_replication = [j]", numpy=lambda a: (a.sum(1), a.max(1)),
        body="""%z = arith.constant 0.0 : f32
        %y = arith.constant -1.0e4 : f32
        %e = tensor.empty() : {r}
        %f = tensor.empty() : {s}
        %i = linalg.fill ins(%z : f32) outs(%e : {r}) -> {r}
        %j = linalg.fill ins(%y : f32) outs(%f : {s}) -> {s}
        %r, %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
            affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : {a}) outs(%i, %j : {r}, {s}) {
        ^bb0(%in: f32, %sum: f32, %most: f32):
          %t = arith.addf %in, %sum : f32
          %u = arith.maximumf %in, %most : f32
          linalg.yield %t, %u : f32, f32
        } -> ({r}, {s})""")
    return [squares, count, both]


def cases():
    return (every_combiner(5, 7, ["f32", "f16"], ["i32"]) + of_bools() + starts() + with_nans() + dimensions()
            + not_reductions() + fused()
            # Two columns on up to four ranks: the last ones have none.
            + every_combiner(3, 2, ["f64", "bf16"], ["i8"])
            + [reduce("addf", "f16", "0.0", np.sum, None, 5, 2), reduce("mulf", "f16", "1.0", np.prod, "near_one", 5, 2),
               reduce("addi", "i64", "0", wrapping(np.sum), "wide"), reduce("minui", "i16", "-1", unsigned(np.min), "wide")])


def more_cases():
    return (every_combiner(4, 9, ["f64", "f32", "f16", "bf16"], ["i8", "i16", "i32", "i64"])
            + every_combiner(1, 1, ["f32"], ["i64"]))
