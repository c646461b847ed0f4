# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The structured ops of the dtensor dialect, and its factories.
import numpy as np

from rule_case import Case

SCANNED = {
    "sum": (np.add, 0, None), "product": (np.multiply, 1, "near_one"), "max": (np.maximum, -np.inf, None),
    "min": (np.minimum, np.inf, None),
}


def running(function, identity, dim, exclusive, reverse):
    def run(a):
        a = np.flip(a, dim) if reverse else a
        result = function.accumulate(a, axis=dim, dtype=a.dtype)
        if exclusive:
            result = np.roll(result, 1, dim)
            first = [slice(None)] * a.ndim
            first[dim] = 0
            result[tuple(first)] = identity
        return np.flip(result, dim) if reverse else result
    return run


def scan(op, dim, element="f32", exclusive=False, reverse=False, shape="5x7x"):
    function, identity, values = SCANNED[op] if element[0] in "fb" else {
        "sum": (np.add, 0, "wide"), "bxor": (np.bitwise_xor, 0, "wide"), "max": (np.maximum, -128, "wide")}[op]
    words = " ".join([op] + (["exclusive"] if exclusive else []) + (["reverse"] if reverse else []) + ["dim", str(dim)])
    return Case(
        name="dtensor.scan %s %s%s" % (words, shape, element), op="dtensor.scan", ins="a=" + shape + element,
        outs="r=" + shape + element, rule="([i, j], [i, j]) -> ([i, j]), need_replication = [%s]" % "ij"[dim],
        values={"a": values}, numpy=running(function, identity, dim, exclusive, reverse),
        body="%%e = tensor.empty() : {r}\n%%r = dtensor.scan %s ins(%%a : {a}) outs(%%e : {r}) -> {r}" % words)


def scans():
    return [scan("sum", 1), scan("sum", 0, reverse=True), scan("product", 1, exclusive=True), scan("max", 0),
            scan("min", 1, exclusive=True, reverse=True), scan("sum", 1, "i32"), scan("bxor", 0, "i64", True),
            scan("sum", 0, "bf16", shape="2x3x"), scan("max", 1, "i8")]


def sort_of(dim, descending):
    """Keys and values in the order of the keys; equal ones stay in order."""
    def run(a, b):
        keys = -a.astype(float) if descending else a
        order = np.argsort(keys, axis=dim, kind="stable")
        return np.take_along_axis(a, order, dim), np.take_along_axis(b, order, dim)
    return run


def sorts():
    def pair(dim, keys, values, descending=False, shape="5x7x"):
        words = "dim %d%s" % (dim, " descending" if descending else "")
        return Case(
            name="dtensor.sort %s %s%s by %s" % (words, shape, values, keys), op="dtensor.sort",
            ins="a=%s%s b=%s%s" % (shape, keys, shape, values), outs="r=%s%s s=%s%s" % (shape, keys, shape, values),
            rule="([i, j], [i, j], [i, j], [i, j]) -> ([i, j], [i, j]), need_replication = [%s]" % "ij"[dim],
            values={"a": "ties"}, numpy=sort_of(dim, descending),
            body="""%%e = tensor.empty() : {r}
            %%f = tensor.empty() : {s}
            %%r, %%s = dtensor.sort %s ins(%%a, %%b : {a}, {b}) outs(%%e, %%f : {r}, {s}) -> {r}, {s}""" % words)
    one = Case(
        name="dtensor.sort dim 1 5x7xf32", op="dtensor.sort", ins="a=5x7xf32", outs="r=5x7xf32",
        rule="([i, j], [i, j]) -> ([i, j]), need_replication = [j]", numpy=lambda a: np.sort(a, 1), values={"a": "nans"},
        body="%e = tensor.empty() : {r}\n%r = dtensor.sort dim 1 ins(%a : {a}) outs(%e : {r}) -> {r}")
    return [one, pair(0, "i32", "f32"), pair(1, "f32", "i64", True), pair(1, "f16", "i8", shape="3x2x")]


def top_k(dim, shape, count, element, index):
    result = list(shape)
    result[dim] = count
    text = lambda s, e: "x".join(map(str, s)) + "x" + e

    def run(a):
        order = np.argsort(-a.astype(float), axis=dim, kind="stable").take(range(count), axis=dim)
        return np.take_along_axis(a, order, dim), order.astype("i%d" % (int(index[1:]) // 8))
    names = ["[i, j]", "[i, k]"] if dim == 1 else ["[i, j]", "[k, j]"]
    return Case(
        name="dtensor.top_k %d of dim %d %s" % (count, dim, text(shape, element)), op="dtensor.top_k",
        ins="a=" + text(shape, element), outs="r=%s s=%s" % (text(result, element), text(result, index)),
        rule="(%s, %s, %s) -> (%s, %s), need_replication = [%s]"
        % (names[0], names[1], names[1], names[1], names[1], "j, k" if dim == 1 else "i, k"),
        values={"a": "ties"}, numpy=run,
        body="""%%e = tensor.empty() : {r}
        %%f = tensor.empty() : {s}
        %%r, %%s = dtensor.top_k dim %d ins(%%a : {a}) outs(%%e, %%f : {r}, {s}) -> {r}, {s}""" % dim)


def gathers():
    def case(name, dims, ins, out, rule, numpy, values):
        return Case(
            name="dtensor.gather " + name, op="dtensor.gather", ins=ins, outs=out, rule=rule, numpy=numpy, values=values,
            body="%%e = tensor.empty() : {r}\n"
            "%%r = dtensor.gather dims %s ins(%%a, %%b : {a}, {b}) outs(%%e : {r}) -> {r}" % dims)
    clip = lambda b, column, size: np.clip(b[..., column], 0, size - 1)
    return [
        case("rows", [0], "a=7x5xf32 b=6x1xi64", "r=6x5xf32",
             "([i, j], [k, l], [k, j]) -> ([k, j]), need_replication = [i, l]", lambda a, b: a[clip(b, 0, 7)], {"b": "around 7"}),
        case("columns", [1], "a=7x5xf32 b=6x1xi32", "r=6x7xf32",
             "([i, j], [k, l], [k, i]) -> ([k, i]), need_replication = [j, l]", lambda a, b: a[:, clip(b, 0, 5)].T, {"b": "around 5"}),
        case("elements", [0, 1], "a=7x5xf32 b=6x2xi64", "r=6xf32",
             "([i, j], [k, l], [k]) -> ([k]), need_replication = [i, j, l]",
             lambda a, b: a[clip(b, 0, 7), clip(b, 1, 5)], {"b": "around 5"}),
        case("batches of rows", [1], "a=3x7x5xf16 b=2x5x1xi64", "r=2x5x3x5xf16",
             "([i, j, k], [l, m, n], [l, m, i, k]) -> ([l, m, i, k]), need_replication = [j, n]",
             lambda a, b: a[:, clip(b, 0, 7)].transpose(1, 2, 0, 3), {"b": "below 7"}),
    ]


def scatters():
    def case(name, op, dims, ins, out, rule, numpy, values):
        return Case(
            name="dtensor.scatter " + name, op="dtensor.scatter", ins=ins, outs=out, rule=rule, numpy=numpy, values=values,
            body="%%r = dtensor.scatter %s dims %s ins(%%a, %%b : {a}, {b}) outs(%%c : {c}) -> {r}" % (op, dims))

    def rows(combine):
        def run(a, b, c):
            result = c.copy()
            for update, (row,) in zip(a, b):
                if 0 <= row < len(result):
                    result[row] = combine(result[row], update)
            return result
        return run

    def elements(a, b, c):
        result = c.copy()
        for update, (row, column) in zip(a, b):
            if 0 <= row < c.shape[0] and 0 <= column < c.shape[1]:
                result[row, column] = update
        return result
    ins, out = "a=6x5xf32 b=6x1xi64 c=7x5xf32", "r=7x5xf32"
    summed = "([k, j], [k, l], [i, j]) -> ([i, j]), reduction = [k], need_replication = [i, l]"
    placed = "([k, j], [k, l], [i, j]) -> ([i, j]), need_replication = [i, k, l]"
    around = {"b": "around 7"}
    return [
        case("sum of rows", "sum", [0], ins, out, summed, rows(np.add), around),
        case("max of rows", "max", [0], ins, out, summed, rows(np.maximum), around),
        case("product of rows", "product", [0], ins, out, summed, rows(np.multiply), around),
        case("rows", "", [0], ins, out, placed, rows(lambda old, new: new), around),
        case("sum of integers", "sum", [0], "a=6x5xi32 b=6x1xi32 c=7x5xi32", "r=7x5xi32", summed, rows(np.add), around),
        case("elements", "", [0, 1], "a=6xf32 b=6x2xi64 c=7x5xf32", "r=7x5xf32",
             "([k], [k, l], [i, j]) -> ([i, j]), need_replication = [i, j, k, l]", elements, {"b": "around 5"}),
    ]


def reduce_window(op, rows, columns, rule, function, start, element="f32"):
    """`rows` and `columns` are (window, stride, dilation, low, high) over 5 x 7."""
    def extent(size, spec):
        window, stride, dilation, low, high = spec
        return max(0, (size + low + high - (window - 1) * dilation - 1) // stride + 1)
    m, n = extent(5, rows), extent(7, columns)

    def run(a, b):
        result = b.copy()
        for i in range(m):
            for j in range(n):
                for v in range(rows[0]):
                    for w in range(columns[0]):
                        y, x = i * rows[1] + v * rows[2] - rows[3], j * columns[1] + w * columns[2] - columns[3]
                        if 0 <= y < 5 and 0 <= x < 7:
                            result[i, j] = function(result[i, j], a[y, x])
        return result
    lists = [[rows[k], columns[k]] for k in range(5)]
    return Case(
        name="dtensor.reduce_window %s rows %s columns %s %s" % (op, rows, columns, element), op="dtensor.reduce_window",
        ins="a=5x7x%s b=%dx%dx%s" % (element, m, n, element), outs="r=%dx%dx%s" % (m, n, element), rule=rule, numpy=run,
        values={"a": start, "b": start},
        body="%%r = dtensor.reduce_window %s window %s strides %s dilations %s low %s high %s "
        "ins(%%a : {a}) outs(%%b : {b}) -> {r}" % tuple([op] + lists))


def windows():
    one = (1, 1, 1, 0, 0)
    columns = "([i, j], [i, k]) -> ([i, k]), need_replication = [j, k]"
    both = "([i, j], [k, l]) -> ([k, l]), need_replication = [i, j, k, l]"
    return [
        reduce_window("max", one, (3, 2, 1, 1, 1), columns, max, None),
        reduce_window("sum", one, (3, 1, 1, 1, 1), columns, lambda a, b: a + b, None),
        reduce_window("sum", (2, 1, 1, 0, 0), (2, 2, 2, 0, 1), both, lambda a, b: a + b, None),
        reduce_window("min", one, (7, 1, 1, 6, 0), columns, min, None),
        reduce_window("sum", one, (2, 1, 1, 1, 0), columns, lambda a, b: a + b, None, "i32"),
    ]


def softmax(scores):
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def attention(name, words, q, k, v, element, causal, scale=None):
    def run(q, k, v):
        scores = q @ np.swapaxes(k, -1, -2) * (scale or 1 / np.sqrt(q.shape[-1]))
        m, n = scores.shape[-2:]
        if causal:
            scores = np.where(np.arange(n) <= np.arange(m)[:, None] + n - m, scores, -np.inf)
        return softmax(scores) @ v
    text = lambda shape: "x".join(map(str, shape)) + "x" + element
    result = q[:-1] + v[-1:]
    # Queries and batches are parallel; keys are summed over (max and sum
    # together), and so is the length of a query.
    batch = "".join("%s, " % letter for letter in "mn"[: len(q) - 2])
    return Case(
        name="dtensor.attention " + name, op="dtensor.attention", ins="a=%s b=%s c=%s" % (text(q), text(k), text(v)),
        outs="r=" + text(result), factors="[%si, d], [%sj, d], [%sj, e] -> [%si, e]" % ((batch,) * 4), numpy=run,
        body="%%e = tensor.empty() : {r}\n"
        "%%r = dtensor.attention %s ins(%%a, %%b, %%c : {a}, {b}, {c}) outs(%%e : {r}) -> {r}" % words)


def attentions():
    return [
        attention("batched", "", (3, 5, 4), (3, 7, 4), (3, 7, 6), "f32", False),
        attention("causal", "causal", (2, 5, 4), (2, 7, 4), (2, 7, 3), "f32", True),
        attention("without batches, scaled", "scale 0.25", (5, 3), (7, 3), (7, 2), "f64", False, 0.25),
    ]


def factories():
    def case(name, head, result, numpy):
        return Case(name="dtensor.%s %s" % (name, result), op="dtensor." + name, ins="", outs="r=" + result,
                    factors="-> [i, j]", numpy=numpy, body="%%r = dtensor.%s%s : {r}" % (name, head))
    shape = (5, 7)
    return [
        case("ones", "", "5x7xf32", lambda: np.ones(shape)), case("ones", "", "5x7xi1", lambda: np.ones(shape)),
        case("zeros", "", "5x7xi32", lambda: np.zeros(shape)), case("full", "(0.5 : f16)", "5x7xf16", lambda: np.full(shape, 0.5)),
        case("full", "(-3 : i64)", "5x7xi64", lambda: np.full(shape, -3)),
        case("rand", " seed 42", "5x7xf32", None), case("rand", " seed 7", "3x2xbf16", None),
        case("randn", " seed 42", "5x7xf32", None), case("rng_bits", " seed 42", "5x7xi32", None),
        case("rng_bits", " seed -1", "3x2xi64", None),
        Case(name="dtensor.empty", op="dtensor.empty", ins="a=5x7xf32", outs="r=5x7xf32", factors="[i, j] -> [i, j]",
             numpy=lambda a: a, body="%e = dtensor.empty : {r}\n%r = linalg.copy ins(%a : {a}) outs(%e : {r}) -> {r}"),
    ]


def layouts():
    """Ops that say where a value lies."""
    def case(op, text, rule=""):
        return Case(name="dtensor." + op, op="dtensor." + op, ins="a=5x7xf32", outs="r=5x7xf32", rule=rule,
                    factors="([i, j]) -> ([i, j])", numpy=lambda a: a * 2 + 1,
                    body="""%c = arith.constant dense<2.0> : {a}
                    %o = arith.constant dense<1.0> : {a}
                    %s = arith.mulf %a, %c : {a}
                    %t = """ + text + "\n%r = arith.addf %t, %o : {r}")
    rows = '#dtensor.layout<@mesh, ["x" = shard(0)]>'
    return [
        case("constrain", "dtensor.constrain %%s : {r} to %s" % rows, "([i, j]) -> ([i, j])"),
        case("redistribute", "dtensor.redistribute %%s : {r} to %s" % rows, "([i, j]) -> ([i, j])"),
        case("distribute", "dtensor.distribute %%s : {r} to %s" % rows),
        case("full_tensor", "dtensor.full_tensor %s : {r}"),
    ]


# These take every variant; the others differ from one of them in little.
THOROUGH = ("dtensor.scan sum dim 1 5x7xf32", "dtensor.sort dim 0", "dtensor.gather rows", "dtensor.scatter sum of rows",
            "dtensor.reduce_window max")


def cases():
    found = (scans() + sorts() + [top_k(1, (5, 7), 3, "f32", "i32"), top_k(0, (7, 3), 2, "i32", "i64")] + gathers() + scatters()
            + windows() + attentions() + factories() + layouts())
    for case in found:
        case.few = not case.name.startswith(THOROUGH)
        # Written with linalg, of which there are many cases.
        case.shared = case.op == "dtensor.attention" and "causal" not in case.name
    return found
