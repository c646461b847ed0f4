# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# linalg: products, data movement, and generics with maps of every kind.
import numpy as np

from rule_case import Case, tensor


def filled(result, value="0.0", element=None):
    """Lines that make %i, a tensor of the result's type full of a value."""
    element = element or result.split("x")[-1]
    return """%%z = arith.constant %s : %s
      %%e = tensor.empty() : {r}
      %%i = linalg.fill ins(%%z : %s) outs(%%e : {r}) -> {r}
      """ % (value, element, element)


def product(op, a, b, r, rule, numpy, suffix="", values=None):
    element = r.split("x")[-1]
    zero = "0.0" if element[0] in "fb" else "0"
    return Case(
        name="%s %s,%s%s" % (op, a, b, suffix), op=op, ins="a=%s b=%s" % (a, b), outs="r=" + r, rule=rule, numpy=numpy,
        values={"a": values, "b": values},
        body=filled(r, zero) + "%%r = %s ins(%%a, %%b : {a}, {b}) outs(%%i : {r}) -> {r}" % op)


MATMUL = "([i, k], [k, j], [i, j]) -> ([i, j]), reduction = [k]"


def products(m, k, n, element="f32"):
    shape = lambda *sizes: "x".join(map(str, sizes)) + "x" + element
    return [
        product("linalg.matmul", shape(m, k), shape(k, n), shape(m, n), MATMUL, lambda a, b: a @ b),
        product("linalg.batch_matmul", shape(3, m, k), shape(3, k, n), shape(3, m, n),
                "([i, j, l], [i, l, k], [i, j, k]) -> ([i, j, k]), reduction = [l]", lambda a, b: a @ b),
        product("linalg.matvec", shape(m, k), shape(k), shape(m),
                "([i, j], [j], [i]) -> ([i]), reduction = [j]", lambda a, b: a @ b),
        product("linalg.vecmat", shape(k), shape(k, n), shape(n),
                "([j], [j, i], [i]) -> ([i]), reduction = [j]", lambda a, b: a @ b),
        product("linalg.dot", shape(k), shape(k), element,
                "([i], [i], []) -> ([]), reduction = [i]", np.dot, values="positive"),
    ]


def accumulating(m, k, n):
    """A destination that counts once, however many ranks sum."""
    return Case(
        name="linalg.matmul onto c %dx%dx%d" % (m, k, n), op="linalg.matmul",
        ins="a=%dx%dxf32 b=%dx%dxf32 c=%dx%dxf32" % (m, k, k, n, m, n), outs="r=%dx%dxf32" % (m, n), rule=MATMUL,
        body="%r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {r}", numpy=lambda a, b, c: a @ b + c)


def other_products():
    """Products with more dimensions, other types of operands, other maps."""
    transposed = ("indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, "
                  "affine_map<(m, n, k) -> (m, n)>]")
    return [
        Case(name="linalg.matmul transposed a", op="linalg.matmul", ins="a=6x5xf32 b=6x7xf32", outs="r=5x7xf32",
             rule="([k, i], [k, j], [i, j]) -> ([i, j]), reduction = [k]", numpy=lambda a, b: a.T @ b,
             body=filled("5x7xf32") + "%%r = linalg.matmul %s ins(%%a, %%b : {a}, {b}) outs(%%i : {r}) -> {r}" % transposed),
        product("linalg.batch_matvec", "3x5x6xf32", "3x6xf32", "3x5xf32",
                "([i, j, k], [i, k], [i, j]) -> ([i, j]), reduction = [k]", lambda a, b: np.einsum("ijk,ik->ij", a, b)),
        product("linalg.batch_vecmat", "3x6xf32", "3x6x5xf32", "3x5xf32",
                "([i, k], [i, k, j], [i, j]) -> ([i, j]), reduction = [k]", lambda a, b: np.einsum("ik,ikj->ij", a, b)),
        product("linalg.batch_reduce_matmul", "3x5x6xf32", "3x6x7xf32", "5x7xf32",
                "([i, j, l], [i, l, k], [j, k]) -> ([j, k]), reduction = [i, l]",
                lambda a, b: np.einsum("ijl,ilk->jk", a, b)),
        product("linalg.mmt4d", "3x2x5x2xf32", "2x2x3x2xf32", "3x2x5x3xf32",
                "([i, k, l, n], [j, k, m, n], [i, j, l, m]) -> ([i, j, l, m]), reduction = [k, n]",
                lambda a, b: np.einsum("ikln,jkmn->ijlm", a, b)),
        Case(name="linalg.contract", op="linalg.contract", ins="a=3x5x6xf32 b=6x3x7xf32", outs="r=5x7xf32",
             rule="([l, i, k], [k, l, j], [i, j]) -> ([i, j]), reduction = [k, l]",
             numpy=lambda a, b: np.einsum("lik,klj->ij", a, b),
             body=filled("5x7xf32") +
             "%r = linalg.contract indexing_maps = [affine_map<(i, j, k, l) -> (l, i, k)>, "
             "affine_map<(i, j, k, l) -> (k, l, j)>, affine_map<(i, j, k, l) -> (i, j)>] "
             "ins(%a, %b : {a}, {b}) outs(%i : {r}) -> {r}"),
        product("linalg.batch_mmt4d", "3x2x2x5x2xf32", "3x1x2x3x2xf32", "3x2x1x5x3xf32",
                "([i, j, l, m, o], [i, k, l, n, o], [i, j, k, m, n]) -> ([i, j, k, m, n]), reduction = [l, o]",
                lambda a, b: np.einsum("ijlmo,iklno->ijkmn", a, b)),
        # Operands that are widened first.
        product("linalg.matmul", "5x6xf16", "6x7xf16", "5x7xf32", MATMUL, lambda a, b: a @ b, " to f32"),
        product("linalg.matmul", "5x6xi8", "6x7xi8", "5x7xi32", MATMUL,
                lambda a, b: a.astype(np.int32) @ b.astype(np.int32), " to i32"),
    ]


def quantised():
    """Zero points are taken off the operands."""
    def case(op, a, b, r, rule):
        return Case(
            name=op, op=op, ins="a=%s b=%s" % (a, b), outs="r=" + r, rule=rule, factors=rule.replace(", [], []", ""),
            numpy=lambda a, b: (a.astype(np.int32) - 3) @ (b.astype(np.int32) + 2),
            body=filled(r, "0") + """%%p = arith.constant 3 : i32
            %%q = arith.constant -2 : i32
            %%r = %s ins(%%a, %%b, %%p, %%q : {a}, {b}, i32, i32) outs(%%i : {r}) -> {r}""" % op)
    return [case("linalg.quantized_matmul", "5x6xi8", "6x7xi8", "5x7xi32",
                 "([i, k], [k, j], [], [], [i, j]) -> ([i, j]), reduction = [k]"),
            case("linalg.quantized_batch_matmul", "3x5x6xi8", "3x6x7xi8", "3x5x7xi32",
                 "([i, j, l], [i, l, k], [], [], [i, j, k]) -> ([i, j, k]), reduction = [l]")]


def random_fill():
    """Its numbers follow from positions in the whole tensor."""
    return Case(name="linalg.fill_rng_2d", op="linalg.fill_rng_2d", ins="", outs="r=5x7xf32", rule="([], [], [], [i, j]) -> ([i, j])",
                factors="-> [i, j]",
                body="""%l = arith.constant -1.0 : f64
                %h = arith.constant 1.0 : f64
                %s = arith.constant 42 : i32
                %e = tensor.empty() : {r}
                %r = linalg.fill_rng_2d ins(%l, %h, %s : f64, f64, i32) outs(%e : {r}) -> {r}""")


def moves(m, n):
    a, flat = "%dx%dxf32" % (m, n), "%dx%dxf32" % (n, m)
    return [
        Case(name="linalg.transpose %s" % a, op="linalg.transpose", ins="a=" + a, outs="r=" + flat,
             rule="([j, i], [i, j]) -> ([i, j])", numpy=lambda a: a.T,
             body="""%e = tensor.empty() : {r}
             %r = linalg.transpose ins(%a : {a}) outs(%e : {r}) permutation = [1, 0]"""),
        Case(name="linalg.broadcast %s" % a, op="linalg.broadcast", ins="a=%dxf32" % n, outs="r=" + a,
             rule="([j], [i, j]) -> ([i, j])", numpy=lambda a: np.broadcast_to(a, (m, n)),
             body="""%e = tensor.empty() : {r}
             %r = linalg.broadcast ins(%a : {a}) outs(%e : {r}) dimensions = [0]"""),
        Case(name="linalg.copy %s" % a, op="linalg.copy", ins="a=" + a, outs="r=" + a,
             rule="([i, j], [i, j]) -> ([i, j])", numpy=lambda a: a,
             body="""%e = tensor.empty() : {r}
             %r = linalg.copy ins(%a : {a}) outs(%e : {r}) -> {r}"""),
        Case(name="linalg.map %s" % a, op="linalg.map", ins="a=%s b=%s" % (a, a), outs="r=" + a,
             rule="([i, j], [i, j], [i, j]) -> ([i, j])", numpy=lambda a, b: a * b,
             body="""%e = tensor.empty() : {r}
             %r = linalg.map {arith.mulf} ins(%a, %b : {a}, {b}) outs(%e : {r})"""),
        Case(name="linalg.fill %s" % a, op="linalg.fill", ins="", outs="r=" + a,
             rule="new", factors="-> ([i, j])", numpy=lambda: np.full((m, n), 1.5),
             body="""%z = arith.constant 1.5 : f32
             %e = tensor.empty() : {r}
             %r = linalg.fill ins(%z : f32) outs(%e : {r}) -> {r}"""),
    ]


def generic(name, ins, r, maps, iterators, body, rule, numpy, init="%i = tensor.empty() : {r}\n"):
    """A linalg.generic; `maps` are the right sides of its indexing maps."""
    loops = ", ".join("ijklmn"[: len(iterators)])
    names = [part.split("=")[0] for part in ins.split()]
    element = lambda text: text.split("x")[-1]
    arguments = ["%%in_%s: %s" % (part.split("=")[0], element(part.split("=")[1])) for part in ins.split()]
    arguments.append("%%out: %s" % element(r))
    kinds = ", ".join('"%s"' % {"p": "parallel", "r": "reduction"}[kind] for kind in iterators)
    text = init + "%%r = linalg.generic {indexing_maps = [%s], iterator_types = [%s]}\n" % (
        ", ".join("affine_map<(%s) -> (%s)>" % (loops, map) for map in maps), kinds)
    if names:
        text += "ins(%s : %s) " % (", ".join("%" + n for n in names), ", ".join("{%s}" % n for n in names))
    text += "outs(%i : {r}) {\n^bb0(" + ", ".join(arguments) + "):\n" + body + "\n} -> {r}"
    return Case(name="linalg.generic " + name, op="linalg.generic", ins=ins, outs="r=" + r, rule=rule, numpy=numpy,
                body=text)


def generics(m, n, k):
    row, whole = "%dxf32" % n, "%dx%dxf32" % (m, n)
    turned = "%dx%dxf32" % (n, m)
    add = "%s = arith.addf %in_a, %in_b : f32\nlinalg.yield %s : f32"
    index = np.arange
    return [
        generic("broadcast bias %s" % whole, "a=%s b=%s" % (whole, row), whole, ["i, j", "j", "i, j"], "pp", add,
                "([i, j], [j], [i, j]) -> ([i, j])", lambda a, b: a + b),
        generic("transposed operand %s" % whole, "a=%s b=%s" % (whole, turned), whole, ["i, j", "j, i", "i, j"], "pp", add,
                "([i, j], [j, i], [i, j]) -> ([i, j])", lambda a, b: a + b.T),
        generic("outer sum %dx%d" % (m, n), "a=%dxf32 b=%s" % (m, row), whole, ["i", "j", "i, j"], "pp", add,
                "([i], [j], [i, j]) -> ([i, j])", lambda a, b: a[:, None] + b),
        generic("same operand twice %s" % whole, "a=%s b=%s" % (whole, whole), whole, ["i, j", "i, j", "i, j"], "pp",
                "%s = arith.mulf %in_a, %in_b : f32\n%t = arith.subf %s, %in_b : f32\nlinalg.yield %t : f32",
                "([i, j], [i, j], [i, j]) -> ([i, j])", lambda a, b: a * b - b),
        # Positions are those of the whole tensor on every rank.
        generic("index rows and columns %s" % whole, "a=%s" % whole, whole, ["i, j", "i, j"], "pp",
                """%p = linalg.index 0 : index
                %q = linalg.index 1 : index
                %c = arith.constant 10 : index
                %t = arith.muli %p, %c : index
                %u = arith.addi %t, %q : index
                %v = arith.index_cast %u : index to i32
                %w = arith.sitofp %v : i32 to f32
                %x = arith.addf %w, %in_a : f32
                linalg.yield %x : f32""",
                "([i, j], [i, j]) -> ([i, j])",
                lambda a: a + 10 * index(m)[:, None] + index(n)),
        generic("triangle by index %s" % whole, "a=%s" % whole, whole, ["i, j", "i, j"], "pp",
                """%p = linalg.index 0 : index
                %q = linalg.index 1 : index
                %c = arith.cmpi sge, %p, %q : index
                %o = arith.constant -5.0 : f32
                %x = arith.select %c, %in_a, %o : f32
                linalg.yield %x : f32""",
                "([i, j], [i, j]) -> ([i, j])", lambda a: np.where(np.tri(m, n, dtype=bool), a, -5.0)),
        generic("iota %dx%dxi32" % (m, n), "", "%dx%dxi32" % (m, n), ["i, j"], "pp",
                """%p = linalg.index 0 : index
                %q = linalg.index 1 : index
                %c = arith.constant 100 : index
                %t = arith.muli %q, %c : index
                %u = arith.addi %t, %p : index
                %v = arith.index_cast %u : index to i32
                linalg.yield %v : i32""",
                "([i, j]) -> ([i, j])", lambda: (index(m)[:, None] + 100 * index(n)).astype(np.int32)),
        generic("weighted by index, reduced %s" % whole, "a=%s" % whole, "%dxf32" % m, ["i, j", "i"], "pr",
                """%q = linalg.index 1 : index
                %v = arith.index_cast %q : index to i32
                %w = arith.sitofp %v : i32 to f32
                %x = arith.mulf %w, %in_a : f32
                %s = arith.addf %out, %x : f32
                linalg.yield %s : f32""",
                "([i, j], [i]) -> ([i]), reduction = [j]", lambda a: a @ index(n),
                init=filled("%dxf32" % m)),
        generic("three operands, two reductions %dx%dx%d" % (m, n, k),
                "a=%dx%dxf32 b=%dx%dxf32 c=%dxf32" % (m, n, n, k, k), "%dxf32" % m, ["i, j", "j, k", "k", "i"], "prr",
                """%s = arith.mulf %in_a, %in_b : f32
                %t = arith.mulf %s, %in_c : f32
                %u = arith.addf %out, %t : f32
                linalg.yield %u : f32""",
                "([i, j], [j, k], [k], [i]) -> ([i]), reduction = [j, k]", lambda a, b, c: a @ b @ c,
                init=filled("%dxf32" % m)),
    ]


def two_results():
    whole = "5x7xf32"
    body = """%e = tensor.empty() : {r}
      %f = tensor.empty() : {s}
      %r, %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
          affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
        ins(%a, %b : {a}, {b}) outs(%e, %f : {r}, {s}) {
      ^bb0(%x: f32, %y: f32, %o: f32, %p: f32):
        %t = arith.mulf %x, %y : f32
        %u = arith.subf %x, %y : f32
        linalg.yield %t, %u : f32, f32
      } -> ({r}, {s})"""
    return Case(name="linalg.generic two results", op="linalg.generic", ins="a=5x7xf32 b=7xf32", outs="r=5x7xf32 s=7x5xf32",
                rule="([i, j], [j], [i, j], [j, i]) -> ([i, j], [j, i])", numpy=lambda a, b: (a * b, (a - b).T), body=body)


# Types and generics that differ from a thorough case in little.
FEW = ("linalg.generic transposed", "linalg.generic outer", "linalg.generic same", "linalg.generic triangle", "linalg.contract",
       "linalg.matvec", "linalg.dot", "linalg.batch_vecmat", "linalg.batch_matvec", "linalg.mmt4d", "linalg.map", "linalg.copy",
       "linalg.batch_mmt4d", "linalg.quantized_batch", "linalg.matmul 5x6xf16", "linalg.matmul 5x6xi8", "linalg.batch_reduce", "linalg.batch_matmul",
       "linalg.generic three", "linalg.matmul 2x3", "linalg.matmul onto c 1x")


def cases():
    found = (products(5, 6, 7) + [accumulating(5, 7, 6)] + other_products() + quantised() + moves(5, 7) + generics(5, 7, 6)
             + [two_results(), random_fill()]
             # Fewer elements than ranks: some ranks have none.
             + [product("linalg.matmul", "2x3xf32", "3x1xf32", "2x1xf32", MATMUL, lambda a, b: a @ b), accumulating(1, 2, 3)])
    of_types = [product("linalg.matmul", "5x6x" + t, "6x7x" + t, "5x7x" + t, MATMUL, lambda a, b: a @ b)
                for t in ("f64", "f16", "bf16", "i32")]
    for case in found:
        case.few = case.name.startswith(FEW)
    for case in of_types:
        case.few = True
    return found + of_types


def more_cases():
    return (products(8, 4, 12) + products(2, 1, 3) + products(9, 10, 3, "f64") + [accumulating(4, 9, 8)]
            + moves(8, 3) + moves(1, 2) + generics(8, 4, 12) + generics(2, 3, 1))
