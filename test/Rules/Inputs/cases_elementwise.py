# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# arith, math and named linalg ops that work element by element.
import math

import numpy as np

from rule_case import TOLERANCES, Case

LETTERS = "ijklmn"

# All of these ops share one rule; these take every variant.
THOROUGH = {("arith.addf", "f32"), ("arith.mulf", "f32"), ("arith.subi", "i32"), ("math.exp", "f32")}


def same_factors(count, rank):
    """The rule of an op whose operands and results all have one shape."""
    dims = "[%s]" % ", ".join(LETTERS[:rank])
    return ", ".join([dims] * count)


def elementwise(op, types, result, numpy, values=None, shape=(5, 7), attributes="", form="{op} {values} : {types}", name=""):
    """`types` are the element types of operands. `form` is how the op is
    written; {values} and {types} stand for all operands and their types."""
    sizes = "".join("%dx" % size for size in shape)
    names = "abc"[: len(types)]
    results = "rs"[: len(result.split())]
    ins = " ".join("%s=%s%s" % (n, sizes, t) for n, t in zip(names, types))
    outs = " ".join("%s=%s%s" % (n, sizes, t) for n, t in zip(results, result.split()))
    text = form.replace("{op}", op).replace("{attributes}", attributes)
    text = text.replace("{values}", ", ".join("%" + n for n in names)).replace(
        "{types}", ", ".join("{%s}" % n for n in names))
    values = values or [None] * len(types)
    values = values if isinstance(values, list) else [values] * len(types)
    label = name or " ".join([op] + ([attributes] if attributes else []) + ["x".join(map(str, shape)), ",".join(types), "to", result])
    return Case(
        name=label, op=op, ins=ins, outs=outs, numpy=numpy, shared=(op, types[-1]) not in THOROUGH,
        rule="(%s) -> (%s)" % (same_factors(len(types), len(shape)), same_factors(len(results), len(shape))),
        values=dict(zip(names, values)), body=", ".join("%" + n for n in results) + " = " + text)


# The operands' type says all.
ALIKE = "{op} {values} : {a}"
CAST = "{op} {values} : {a} to {r}"


def unsigned(function):
    """An operation on integers read as unsigned ones."""
    def run(*arrays):
        results = function(*[a if a.dtype == bool else a.view("u%d" % a.dtype.itemsize) for a in arrays])
        return results if results.dtype == bool else results.view("i%d" % results.dtype.itemsize)
    return run


def truncated(a, b):
    quotient = np.abs(a.astype(np.int64)) // np.abs(b.astype(np.int64))
    return (np.sign(a) * np.sign(b) * quotient).astype(a.dtype)


def float_arith(element, shape=(5, 7)):
    two = [element] * 2
    table = [
        ("addf", np.add, None), ("subf", np.subtract, None), ("mulf", np.multiply, None),
        ("divf", np.divide, [None, "nonzero"]), ("remf", np.fmod, [None, "nonzero"]),
        ("maximumf", np.maximum, None), ("minimumf", np.minimum, None), ("maxnumf", np.fmax, "nans"),
        ("minnumf", np.fmin, "nans")]
    cases = [elementwise("arith." + op, two, element, numpy, values, shape, form=ALIKE) for op, numpy, values in table]
    cases.append(elementwise("arith.negf", [element], element, np.negative, None, shape, form=ALIKE))
    return cases


def integer_arith(element, shape=(5, 7)):
    two = [element] * 2
    same = lambda function: lambda a, b: function(a, b).astype(a.dtype)
    table = [
        ("addi", np.add, "wide"), ("subi", np.subtract, "wide"), ("muli", np.multiply, "wide"),
        ("divsi", truncated, ["above_min", "nonzero"]), ("divui", unsigned(np.floor_divide), ["wide", "nonzero"]),
        ("remsi", np.fmod, ["above_min", "nonzero"]), ("remui", unsigned(np.remainder), ["wide", "nonzero"]),
        ("ceildivsi", lambda a, b: -(-a // b), [None, "nonzero"]), ("floordivsi", np.floor_divide, [None, "nonzero"]),
        ("ceildivui", lambda a, b: -(-a // b), "positive"),
        ("andi", np.bitwise_and, "wide"), ("ori", np.bitwise_or, "wide"), ("xori", np.bitwise_xor, "wide"),
        ("shli", np.left_shift, ["wide", "shift"]), ("shrsi", np.right_shift, ["wide", "shift"]),
        ("shrui", unsigned(np.right_shift), ["wide", "shift"]),
        ("maxsi", np.maximum, "wide"), ("minsi", np.minimum, "wide"),
        ("maxui", unsigned(np.maximum), "wide"), ("minui", unsigned(np.minimum), "wide")]
    return [elementwise("arith." + op, two, element, same(numpy), values, shape, form=ALIKE) for op, numpy, values in table]


def comparisons():
    floats = {"oeq": np.equal, "olt": np.less, "oge": np.greater_equal, "one": lambda a, b: (a < b) | (a > b),
              "une": np.not_equal, "ult": lambda a, b: ~(a >= b), "ord": lambda a, b: ~(np.isnan(a) | np.isnan(b)),
              "uno": lambda a, b: np.isnan(a) | np.isnan(b)}
    integers = {"eq": np.equal, "slt": np.less, "sge": np.greater_equal, "ult": unsigned(np.less),
                "uge": unsigned(np.greater_equal)}
    form = "{op} {attributes}, {values} : {a}"
    return ([elementwise("arith.cmpf", ["f32"] * 2, "i1", numpy, "nans", attributes=p, form=form) for p, numpy in floats.items()]
            + [elementwise("arith.cmpi", ["i32"] * 2, "i1", numpy, "wide", attributes=p, form=form) for p, numpy in integers.items()]
            + [elementwise("arith.cmpi", ["i8"] * 2, "i1", np.equal, "ties", attributes="eq", form=form)])


def selections():
    form = "{op} {values} : {a}, {b}"
    return [elementwise("arith.select", ["i1", t, t], t, np.where, form=form) for t in ("f32", "i64", "f16")] + [
        elementwise("arith.select", ["i1", "i1", "i1"], "i1", np.where, form=form)]


def casts():
    def cast(op, source, target, numpy, values=None):
        return elementwise("arith." + op, [source], target, numpy, values, form=CAST)
    to = lambda type: lambda a: a.astype(type)
    return [
        cast("extf", "f16", "f32", lambda a: a), cast("extf", "bf16", "f32", lambda a: a), cast("extf", "f32", "f64", lambda a: a),
        cast("truncf", "f32", "f16", lambda a: a), cast("truncf", "f32", "bf16", lambda a: a),
        cast("truncf", "f64", "f32", lambda a: a),
        cast("sitofp", "i32", "f32", lambda a: a, "wide"), cast("sitofp", "i8", "f16", lambda a: a, "wide"),
        cast("uitofp", "i32", "f64", lambda a: a.view("u4"), "wide"), cast("uitofp", "i1", "f32", to(float)),
        cast("fptosi", "f32", "i32", np.trunc), cast("fptosi", "f64", "i8", np.trunc), cast("fptoui", "f32", "i16", np.trunc, "positive"),
        cast("extsi", "i8", "i32", to("i4"), "wide"), cast("extsi", "i1", "i32", lambda a: -a.astype("i4")),
        cast("extui", "i8", "i32", lambda a: a.view("u1").astype("i4"), "wide"), cast("extui", "i1", "i8", to("i1")),
        cast("trunci", "i64", "i32", to("i4"), "wide"), cast("trunci", "i32", "i8", to("i1"), "wide"),
        cast("trunci", "i32", "i1", lambda a: (a & 1).astype(bool), "wide"),
        cast("bitcast", "f32", "i32", lambda a: a.astype("f4").view("i4")),
        cast("bitcast", "i16", "f16", lambda a: a.view("f2").astype(float), "below 30000"),
    ]


def pairs_of_results():
    """One op, two results of one rule."""
    product = lambda a, b: a.astype(object) * b.astype(object)
    low = lambda p: (p & 0xFFFFFFFF).astype(np.uint64).astype("u4").view("i4")
    high = lambda p: ((p >> 32) & 0xFFFFFFFF).astype(np.uint64).astype("u4").view("i4")
    unsigned_sum = lambda a, b: (a + b, a.view("u4").astype("u8") + b.view("u4") > 0xFFFFFFFF)
    return [
        elementwise("arith.addui_extended", ["i32"] * 2, "i32 i1", unsigned_sum, "wide", form="{op} {values} : {a}, {s}"),
        elementwise("arith.mulsi_extended", ["i32"] * 2, "i32 i32",
                    lambda a, b: (low(product(a, b)), high(product(a, b))), "wide", form=ALIKE),
        elementwise("arith.mului_extended", ["i32"] * 2, "i32 i32",
                    lambda a, b: (low(product(a.view("u4"), b.view("u4"))), high(product(a.view("u4"), b.view("u4")))), "wide",
                    form=ALIKE),
    ]


# math on floats: NumPy's version and the values where it is defined.
each = lambda function: np.vectorize(function, otypes=[float])
MATH = {
    "absf": (np.abs, None), "ceil": (np.ceil, None), "floor": (np.floor, None), "trunc": (np.trunc, None),
    "round": (lambda a: np.copysign(np.floor(np.abs(a) + 0.5), a), None), "roundeven": (np.rint, None),
    "exp": (np.exp, None), "exp2": (np.exp2, None), "expm1": (np.expm1, None), "log": (np.log, "positive"),
    "log2": (np.log2, "positive"), "log10": (np.log10, "positive"), "log1p": (np.log1p, "positive"),
    "sqrt": (np.sqrt, "positive"), "rsqrt": (lambda a: 1 / np.sqrt(a), "positive"), "cbrt": (np.cbrt, None),
    "sin": (np.sin, None), "cos": (np.cos, None), "tan": (np.tan, "unit"), "sinh": (np.sinh, None), "cosh": (np.cosh, None),
    "tanh": (np.tanh, None), "asin": (np.arcsin, "unit"), "acos": (np.arccos, "unit"), "atan": (np.arctan, None),
    "asinh": (np.arcsinh, None), "acosh": (np.arccosh, "above_one"), "atanh": (np.arctanh, "unit"),
    "erf": (each(math.erf), None), "erfc": (each(math.erfc), None),
}


def float_math(element, names=None, shape=(5, 7)):
    return [elementwise("math." + op, [element], element, numpy, values, shape, form=ALIKE)
            for op, (numpy, values) in MATH.items() if names is None or op in names]


def bit_count(a):
    return np.vectorize(lambda v: bin(int(v) & 0xFFFFFFFF).count("1"))(a).astype("i4")


def other_math():
    leading = np.vectorize(lambda v: 32 - (int(v) & 0xFFFFFFFF).bit_length())
    trailing = np.vectorize(lambda v: 32 if not v else ((int(v) & -int(v)).bit_length() - 1))
    to_bool = [("isnan", np.isnan), ("isinf", np.isinf), ("isfinite", np.isfinite),
               ("isnormal", lambda a: np.isfinite(a) & (a != 0))]
    return [
        elementwise("math.atan2", ["f32"] * 2, "f32", np.arctan2, form=ALIKE),
        elementwise("math.powf", ["f32"] * 2, "f32", np.power, ["positive", None], form=ALIKE),
        elementwise("math.copysign", ["f32"] * 2, "f32", np.copysign, form=ALIKE),
        elementwise("math.fma", ["f32"] * 3, "f32", lambda a, b, c: a * b + c, form=ALIKE),
        elementwise("math.clampf", ["f32"] * 3, "f32", lambda a, b, c: np.minimum(np.maximum(a, b), c),
                    [None, "unit", "above_one"], form="{op} %a to [%b, %c] : {a}"),
        elementwise("math.fpowi", ["f32", "i32"], "f32", lambda a, b: a ** b, ["near_one", None], form="{op} {values} : {a}, {b}"),
        elementwise("math.ipowi", ["i32"] * 2, "i32", lambda a, b: np.power(a, b), [None, "positive"], form=ALIKE),
        elementwise("math.absi", ["i32"], "i32", np.abs, form=ALIKE),
        elementwise("math.ctpop", ["i32"], "i32", bit_count, "wide", form=ALIKE),
        elementwise("math.ctlz", ["i32"], "i32", lambda a: leading(a).astype("i4"), "positive", form=ALIKE),
        elementwise("math.cttz", ["i32"], "i32", lambda a: trailing(a).astype("i4"), "wide", form=ALIKE),
        elementwise("math.sincos", ["f32"], "f32 f32", lambda a: (np.sin(a), np.cos(a)), form=ALIKE),
    ] + [elementwise("math." + op, ["f32"], "i1", numpy, "nans", form=ALIKE) for op, numpy in to_bool]


def constants():
    """A constant that is not a splat has to be cut by hand, a splat not."""
    numbers = "[[1.0, -2.0, 3.5], [0.25, 5.0, -6.0], [7.0, 8.0, 9.0], [-1.0, 0.0, 2.0], [4.0, 1.5, 0.5]]"
    value = np.array(eval(numbers))
    return [
        Case(name="arith.constant not a splat", op="arith.addf", ins="a=5x3xf32", outs="r=5x3xf32",
             rule="([i, j], [i, j]) -> ([i, j])", factors="([i, j]) -> ([i, j])", numpy=lambda a: a + value,
             body="%%c = arith.constant dense<%s> : {r}\n%%r = arith.addf %%a, %%c : {r}" % numbers),
        Case(name="arith.constant splat", op="arith.constant", ins="", outs="r=5x7xf32", rule="new", factors="-> ([i, j])",
             numpy=lambda: np.full((5, 7), 2.5), body="%r = arith.constant dense<2.5> : {r}"),
    ]


# linalg's named ops of one and of two operands.
NAMED = {
    "abs": np.abs, "ceil": np.ceil, "floor": np.floor, "exp": np.exp, "log": np.log, "negf": np.negative,
    "reciprocal": np.reciprocal, "round": lambda a: np.copysign(np.floor(np.abs(a) + 0.5), a), "rsqrt": lambda a: 1 / np.sqrt(a),
    "sqrt": np.sqrt, "square": np.square, "tanh": np.tanh, "erf": each(math.erf),
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "max": np.maximum, "min": np.minimum,
    "powf": np.power, "select": np.where,
}


def named(op, numpy, shape=(5, 7), element="f32"):
    count = 3 if op == "select" else 2 if op in ("add", "sub", "mul", "div", "max", "min", "powf") else 1
    types = (["i1"] if op == "select" else []) + [element] * (count - (op == "select"))
    sizes = "".join("%dx" % size for size in shape)
    names = "abc"[:count]
    return Case(
        name="linalg.%s %s" % (op, sizes + element), op="linalg." + op, shared=op not in ("add", "exp"),
        ins=" ".join("%s=%s%s" % (n, sizes, t) for n, t in zip(names, types)), outs="r=%s%s" % (sizes, element),
        rule="(%s) -> (%s)" % (same_factors(count + 1, len(shape)), same_factors(1, len(shape))), numpy=numpy,
        values={name: "positive" for name in names},
        body="%%e = tensor.empty() : {r}\n%%r = linalg.%s ins(%s : %s) outs(%%e : {r}) -> {r}"
        % (op, ", ".join("%" + n for n in names), ", ".join("{%s}" % n for n in names)))


def named_ops(shape=(5, 7), element="f32"):
    return [named(op, numpy, shape, element) for op, numpy in NAMED.items()]


def other_named_ops():
    return [
        Case(name="linalg.elementwise exp", op="linalg.elementwise", ins="a=5x7xf32", outs="r=5x7xf32",
             rule="([i, j], [i, j]) -> ([i, j])", numpy=np.exp,
             body="%e = tensor.empty() : {r}\n"
             "%r = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a : {a}) outs(%e : {r}) -> {r}"),
        Case(name="linalg.div_unsigned", op="linalg.div_unsigned", ins="a=5x7xi32 b=5x7xi32", outs="r=5x7xi32",
             rule="([i, j], [i, j], [i, j]) -> ([i, j])", numpy=unsigned(np.floor_divide), values={"a": "wide", "b": "nonzero"},
             body="%e = tensor.empty() : {r}\n"
             "%r = linalg.div_unsigned ins(%a, %b : {a}, {b}) outs(%e : {r}) -> {r}"),
    ]


def cases():
    return (float_arith("f32") + integer_arith("i32") + comparisons() + selections() + casts() + pairs_of_results()
            + float_math("f32") + other_math() + constants() + named_ops() + other_named_ops()
            # Other types and ranks, and dimensions that are shorter than the axis.
            + [case for t in ("f64", "f16", "bf16") for case in float_math(t, ("exp", "tanh", "rsqrt"))]
            + [case for t in ("f64", "f16", "bf16") for case in float_arith(t)[:3]]
            + [case for t in ("i8", "i64") for case in integer_arith(t)[:3]]
            + [elementwise("arith." + op, ["i1"] * 2, "i1", numpy, form=ALIKE)
               for op, numpy in (("andi", np.bitwise_and), ("ori", np.bitwise_or), ("xori", np.bitwise_xor))]
            + float_math("f32", ("sin",), (2,)) + float_arith("f32", (3, 1, 5))[:1] + float_arith("f32", ())[:1])


def more_cases():
    return ([case for t in TOLERANCES for case in float_arith(t, (8, 3)) + float_math(t, None, (4, 6))]
            + [case for t in ("i8", "i16", "i32", "i64") for case in integer_arith(t, (9, 2))] + named_ops((4, 9), "f64"))
