# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One value in several places, each of which may want another layout of it.
import numpy as np

from rule_case import Case

TWO_REDUCTIONS = """%r = linalg.reduce {arith.addf} ins(%a : {a}) outs(%i : {r}) dimensions = [1]
%s = linalg.reduce {arith.addf} ins(%b : {b}) outs(%j : {s}) dimensions = [1]"""


def starts():
    """Starts of two reductions out of one tensor.empty, one fill, one constant."""
    def case(name, op, text):
        return Case(name=name, op=op, ins="a=5x7xf32 b=5x6xf32", outs="r=5xf32 s=5xf32", factors="[i, j], [i, k] -> [i], [i]",
                    numpy=lambda a, b: (a.sum(1), b.sum(1)), body=text)
    filled = "%e = tensor.empty() : {r}\n%z = arith.constant 0.0 : f32\n%i = linalg.fill ins(%z : f32) outs(%e : {r}) -> {r}\n"
    return [
        case("tensor.empty shared by two fills", "tensor.empty",
             filled + "%j = linalg.fill ins(%z : f32) outs(%e : {s}) -> {s}\n" + TWO_REDUCTIONS),
        case("linalg.fill shared by two sums", "linalg.fill", filled + TWO_REDUCTIONS.replace("%j", "%i")),
        case("arith.constant shared by two sums", "arith.constant",
             "%i = arith.constant dense<0.0> : {r}\n" + TWO_REDUCTIONS.replace("%j", "%i")),
        case("tensor.splat shared by two sums", "tensor.splat",
             "%z = arith.constant 0.0 : f32\n%i = tensor.splat %z : {r}\n" + TWO_REDUCTIONS.replace("%j", "%i")),
    ]


def operands():
    """A tensor that is two operands of one op."""
    zero = "%z = arith.constant 0.0 : f32\n%e = tensor.empty() : {r}\n%i = linalg.fill ins(%z : f32) outs(%e : {r}) -> {r}\n"
    return [
        Case(name="linalg.matmul of a tensor with itself", op="linalg.matmul", ins="a=6x6xf32", outs="r=6x6xf32",
             factors="[i, j] -> [i, j]", numpy=lambda a: a @ a,
             body=zero + "%r = linalg.matmul ins(%a, %a : {a}, {a}) outs(%i : {r}) -> {r}"),
        Case(name="linalg.matmul onto its operand", op="linalg.matmul", ins="a=6x6xf32 b=6x6xf32", outs="r=6x6xf32",
             factors="[i, k], [k, j] -> [i, j]", numpy=lambda a, b: a @ b + a,
             body="%r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%a : {a}) -> {r}"),
        Case(name="arith.addf of a tensor with itself", op="arith.addf", ins="a=5x7xf32", outs="r=5x7xf32",
             factors="[i, j] -> [i, j]", numpy=lambda a: 2 * a, body="%r = arith.addf %a, %a : {a}"),
        Case(name="linalg.generic of a tensor and its transpose", op="linalg.generic", ins="a=5x5xf32", outs="r=5x5xf32",
             factors="[i, j] -> [i, j]", numpy=lambda a: a - a.T,
             body="""%e = tensor.empty() : {r}
             %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>,
                 affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
               ins(%a, %a : {a}, {a}) outs(%e : {r}) {
             ^bb0(%x: f32, %y: f32, %o: f32):
               %t = arith.subf %x, %y : f32
               linalg.yield %t : f32
             } -> {r}"""),
    ]


def results():
    """A tensor that is two results, or an argument and a result."""
    return [
        Case(name="arith.addf returned twice", op="arith.addf", ins="a=5x7xf32 b=5x7xf32", outs="r=5x7xf32 s=5x7xf32",
             factors="[i, j], [i, j] -> [i, j], [i, j]", numpy=lambda a, b: (a + b, a + b),
             # The second result is the first one, by a slice that is all of it.
             body="""%r = arith.addf %a, %b : {a}
             %s = tensor.extract_slice %r[0, 0][5, 7][1, 1] : {r} to {s}"""),
        Case(name="arith.mulf beside its operand", op="arith.mulf", ins="a=5x7xf32", outs="r=5x7xf32 s=5x7xf32",
             factors="[i, j] -> [i, j], [i, j]", numpy=lambda a: (a * a, a),
             body="""%r = arith.mulf %a, %a : {a}
             %s = tensor.extract_slice %a[0, 0][5, 7][1, 1] : {a} to {s}"""),
        # A contribution that is summed for one user and goes on for another.
        Case(name="linalg.matmul used by exp and by a sum", op="linalg.matmul", ins="a=5x6xf32 b=6x7xf32", outs="r=5x7xf32 s=5x7xf32",
             factors="[i, k], [k, j] -> [i, j], [i, j]", numpy=lambda a, b: (np.tanh(a @ b), 2 * (a @ b)),
             body="""%z = arith.constant 0.0 : f32
             %e = tensor.empty() : {r}
             %i = linalg.fill ins(%z : f32) outs(%e : {r}) -> {r}
             %p = linalg.matmul ins(%a, %b : {a}, {b}) outs(%i : {r}) -> {r}
             %r = math.tanh %p : {r}
             %s = arith.addf %p, %p : {s}"""),
    ]


def contributions():
    """What may go on as a contribution: sums of equal ones, scaled ones, moved
    ones; everything else needs the whole value."""
    def case(name, body, numpy):
        return Case(name="contributions: " + name, op="linalg.matmul", ins="a=5x6xf32 b=6x7xf32 c=5x7xf32", outs="r=5x7xf32",
                    factors="[i, k], [k, j], [i, j] -> [i, j]", numpy=numpy, few=True,
                    body="""%z = arith.constant 0.0 : f32
                    %e = tensor.empty() : {c}
                    %i = linalg.fill ins(%z : f32) outs(%e : {c}) -> {c}
                    %p = linalg.matmul ins(%a, %b : {a}, {b}) outs(%i : {c}) -> {c}
                    """ + body)
    return [
        case("plus a whole tensor", "%r = arith.addf %p, %c : {c}", lambda a, b, c: a @ b + c),
        case("minus a whole tensor", "%r = arith.subf %p, %c : {c}", lambda a, b, c: a @ b - c),
        case("times a whole tensor", "%r = arith.mulf %p, %c : {c}", lambda a, b, c: a @ b * c),
        case("divided by a constant", "%d = arith.constant dense<4.0> : {c}\n%r = arith.divf %p, %d : {c}", lambda a, b, c: a @ b / 4),
        case("a constant divided", "%d = arith.constant dense<4.0> : {c}\n%q = arith.mulf %p, %p : {c}\n"
             "%s = arith.addf %q, %d : {c}\n%r = arith.divf %d, %s : {c}", lambda a, b, c: 4 / ((a @ b) ** 2 + 4)),
        case("squared", "%r = arith.mulf %p, %p : {c}", lambda a, b, c: (a @ b) ** 2),
        case("plus a constant", "%d = arith.constant dense<1.0> : {c}\n%r = arith.addf %p, %d : {c}", lambda a, b, c: a @ b + 1),
        case("negative", "%r = arith.negf %p : {c}", lambda a, b, c: -(a @ b)),
        case("absolute", "%r = math.absf %p : {c}", lambda a, b, c: abs(a @ b)),
        case("the larger one", "%r = arith.maximumf %p, %c : {c}", lambda a, b, c: np.maximum(a @ b, c)),
        case("twice", "%q = linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}\n%r = arith.addf %p, %q : {c}",
             lambda a, b, c: 2 * (a @ b) + c),
        case("the start of another", "%r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%p : {c}) -> {c}", lambda a, b, c: 2 * (a @ b)),
        case("rounded and back", "%q = arith.truncf %p : {c} to tensor<5x7xf16>\n%r = arith.extf %q : tensor<5x7xf16> to {c}",
             lambda a, b, c: (a @ b).astype("f2").astype(float)),
        case("chosen by sign", "%d = arith.constant dense<0.0> : {c}\n%k = arith.cmpf ogt, %p, %d : {c}\n"
             "%r = arith.select %k, %p, %c : tensor<5x7xi1>, {c}", lambda a, b, c: np.where(a @ b > 0, a @ b, c)),
        case("chosen by another", "%d = arith.constant dense<0.0> : {c}\n%k = arith.cmpf ogt, %c, %d : {c}\n"
             "%r = arith.select %k, %p, %c : tensor<5x7xi1>, {c}", lambda a, b, c: np.where(c > 0, a @ b, c)),
    ]


def cases():
    return starts() + operands() + results() + contributions()
