# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Control flow on whole tensors: layouts agree on every path and in every turn.
import numpy as np

from rule_case import Case


# What the compiler is to take.
PENDING = ("scf.while", "scf.forall", "cf.cond_br")


def case(name, op, ins, outs, factors, body, numpy, values=None, helpers=""):
    return Case(name=name, op=op, ins=ins, outs=outs, factors=factors, body=body, numpy=numpy, values=values or {}, pending=op in PENDING,
                helpers=helpers)


BOUNDS = """%l = arith.constant 0 : index
%u = arith.constant 3 : index
%d = arith.constant 1 : index
"""


def product_in_loop(a, b):
    for _ in range(3):
        a = np.tanh(a @ b)
    return a


def loops():
    return [
        case("scf.for of elements", "scf.for", "a=5x7xf32 b=5x7xf32", "r=5x7xf32", "[i, j], [i, j] -> [i, j]",
             BOUNDS + """%r = scf.for %k = %l to %u step %d iter_args(%x = %a) -> ({a}) {
               %s = arith.mulf %x, %b : {a}
               %t = arith.addf %s, %b : {a}
               scf.yield %t : {a}
             }""", lambda a, b: ((a * b + b) * b + b) * b + b),
        # The carried value is contracted in every turn.
        case("scf.for of products", "scf.for", "a=5x6xf32 b=6x6xf32", "r=5x6xf32", "[i, j], [k, j] -> [i, j]",
             BOUNDS + """%z = arith.constant 0.0 : f32
             %r = scf.for %k = %l to %u step %d iter_args(%x = %a) -> ({a}) {
               %e = tensor.empty() : {a}
               %i = linalg.fill ins(%z : f32) outs(%e : {a}) -> {a}
               %s = linalg.matmul ins(%x, %b : {a}, {b}) outs(%i : {a}) -> {a}
               %t = math.tanh %s : {a}
               scf.yield %t : {a}
             }""", product_in_loop),
        # What one turn makes rows of, the next one takes as columns.
        case("scf.for that turns", "scf.for", "a=6x6xf32", "r=6x6xf32", "[i, j] -> [i, j]",
             BOUNDS + """%r = scf.for %k = %l to %u step %d iter_args(%x = %a) -> ({a}) {
               %e = tensor.empty() : {a}
               %s = linalg.transpose ins(%x : {a}) outs(%e : {a}) permutation = [1, 0]
               %t = arith.addf %s, %a : {a}
               scf.yield %t : {a}
             }""", lambda a: ((a.T + a).T + a).T + a),
        # Two carried values that change places.
        case("scf.for that swaps", "scf.for", "a=5x7xf32 b=5x7xf32", "r=5x7xf32 s=5x7xf32", "[i, j], [i, j] -> [i, j], [i, j]",
             BOUNDS + """%r, %s = scf.for %k = %l to %u step %d iter_args(%x = %a, %y = %b) -> ({a}, {b}) {
               %t = arith.addf %x, %y : {a}
               scf.yield %y, %t : {a}, {b}
             }""", lambda a, b: (a + 2 * b, 2 * a + 3 * b)),
        case("scf.for with a sum over rows", "scf.for", "a=5x7xf32 b=7xf32", "r=7xf32", "[i, j], [j] -> [j]",
             BOUNDS + """%r = scf.for %k = %l to %u step %d iter_args(%x = %b) -> ({b}) {
               %t = linalg.reduce {arith.addf} ins(%a : {a}) outs(%x : {b}) dimensions = [0]
               scf.yield %t : {b}
             }""", lambda a, b: b + 3 * a.sum(0)),
        case("scf.for never entered", "scf.for", "a=5x7xf32", "r=5x7xf32", "[i, j] -> [i, j]",
             """%l = arith.constant 2 : index
             %d = arith.constant 1 : index
             %r = scf.for %k = %l to %l step %d iter_args(%x = %a) -> ({a}) {
               %t = math.exp %x : {a}
               scf.yield %t : {a}
             }""", lambda a: a),
        case("scf.for with slices at the turn", "scf.for", "a=3x7xf32 b=7xf32", "r=7xf32", "[i, j], [j] -> [j]",
             BOUNDS + """%r = scf.for %k = %l to %u step %d iter_args(%x = %b) -> ({b}) {
               %s = tensor.extract_slice %a[%k, 0][1, 7][1, 1] : {a} to {b}
               %m = arith.mulf %s, %x : {b}
               scf.yield %m : {b}
             }""", lambda a, b: a.prod(0) * b),
    ]


CONDITION = "%c = tensor.extract %p[] : tensor<i1>\n"


def branches():
    both = lambda p, a, b: np.where(p, a + b, a * 2)
    return [
        case("scf.if of elements", "scf.if", "p=i1 a=5x7xf32 b=5x7xf32", "r=5x7xf32", "[], [i, j], [i, j] -> [i, j]",
             CONDITION + """%r = scf.if %c -> ({a}) {
               %s = arith.addf %a, %b : {a}
               scf.yield %s : {a}
             } else {
               %t = arith.addf %a, %a : {a}
               scf.yield %t : {a}
             }""", both),
        # One path sums over a sharded dimension, the other one does not.
        case("scf.if with a product", "scf.if", "p=i1 a=5x6xf32 b=6x7xf32 d=5x7xf32", "r=5x7xf32", "[], [i, k], [k, j], [i, j] -> [i, j]",
             CONDITION + """%r = scf.if %c -> ({d}) {
               %s = linalg.matmul ins(%a, %b : {a}, {b}) outs(%d : {d}) -> {d}
               scf.yield %s : {d}
             } else {
               scf.yield %d : {d}
             }""", lambda p, a, b, d: np.where(p, a @ b + d, d)),
        case("scf.if in scf.for", "scf.for", "p=i1 a=5x7xf32", "r=5x7xf32", "[], [i, j] -> [i, j]",
             CONDITION + BOUNDS + """%r = scf.for %k = %l to %u step %d iter_args(%x = %a) -> ({a}) {
               %y = scf.if %c -> ({a}) {
                 %s = arith.mulf %x, %a : {a}
                 scf.yield %s : {a}
               } else {
                 scf.yield %x : {a}
               }
               scf.yield %y : {a}
             }""", lambda p, a: np.where(p, a ** 4, a)),
    ]


def whiles():
    """Doubles until the sum of all elements is large."""
    def run(a):
        while a.sum() < 100:
            a = a * 2
        return a
    return [
        case("scf.while on a sum", "scf.while", "a=5x7xf32", "r=5x7xf32", "[i, j] -> [i, j]",
             """%z = arith.constant 0.0 : f32
             %h = arith.constant 100.0 : f32
             %r = scf.while (%x = %a) : ({a}) -> {a} {
               %e = tensor.empty() : tensor<f32>
               %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
               %s = linalg.reduce {arith.addf} ins(%x : {a}) outs(%i : tensor<f32>) dimensions = [0, 1]
               %v = tensor.extract %s[] : tensor<f32>
               %c = arith.cmpf olt, %v, %h : f32
               scf.condition(%c) %x : {a}
             } do {
             ^bb0(%y: {a}):
               %t = arith.addf %y, %y : {a}
               scf.yield %t : {a}
             }""", run, {"a": "positive"}),
        case("scf.while that counts", "scf.while", "a=5x7xf32 n=i32", "r=5x7xf32", "[i, j], [] -> [i, j]",
             """%o = arith.constant dense<1> : tensor<i32>
             %g = arith.constant 0 : i32
             %r, %m = scf.while (%x = %a, %k = %n) : ({a}, tensor<i32>) -> ({a}, tensor<i32>) {
               %v = tensor.extract %k[] : tensor<i32>
               %c = arith.cmpi sgt, %v, %g : i32
               scf.condition(%c) %x, %k : {a}, tensor<i32>
             } do {
             ^bb0(%y: {a}, %q: tensor<i32>):
               %t = arith.addf %y, %a : {a}
               %w = arith.subi %q, %o : tensor<i32>
               scf.yield %t, %w : {a}, tensor<i32>
             }""", lambda a, n: a * (1 + n), {"n": "below 5"}),
    ]


def parallel_loops():
    """Rows in any order, each put into its place."""
    return [
        case("scf.forall over rows", "scf.forall", "a=5x7xf32", "r=5x7xf32", "[i, j] -> [i, j]",
             """%e = tensor.empty() : {r}
             %r = scf.forall (%k) in (5) shared_outs(%o = %e) -> ({r}) {
               %s = tensor.extract_slice %a[%k, 0][1, 7][1, 1] : {a} to tensor<1x7xf32>
               %t = math.exp %s : tensor<1x7xf32>
               scf.forall.in_parallel {
                 tensor.parallel_insert_slice %t into %o[%k, 0][1, 7][1, 1] : tensor<1x7xf32> into {r}
               }
             }""", np.exp),
    ]


def blocks():
    """A function of several blocks; tensors go along as their arguments."""
    return [
        case("func.call of blocks", "cf.cond_br", "p=i1 a=5x7xf32 b=5x7xf32", "r=5x7xf32", "[], [i, j], [i, j] -> [i, j]",
             "%r = func.call @blocks(%p, %a, %b) : ({p}, {a}, {b}) -> {r}", lambda p, a, b: np.where(p, a * b, b) + a,
             helpers="""func.func private @blocks(%p: tensor<i1>, %a: tensor<5x7xf32>, %b: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %c = tensor.extract %p[] : tensor<i1>
  cf.cond_br %c, ^yes, ^join(%b : tensor<5x7xf32>)
^yes:
  %s = arith.mulf %a, %b : tensor<5x7xf32>
  cf.br ^join(%s : tensor<5x7xf32>)
^join(%x: tensor<5x7xf32>):
  %t = arith.addf %x, %a : tensor<5x7xf32>
  return %t : tensor<5x7xf32>
}"""),
    ]


def calls():
    """A function with two callers, and one with two blocks."""
    return [
        case("func.call twice", "func.call", "a=5x6xf32 b=6x6xf32", "r=5x6xf32", "[i, j], [k, j] -> [i, j]",
             """%s = func.call @step(%a, %b) : ({a}, {b}) -> {a}
             %r = func.call @step(%s, %b) : ({a}, {b}) -> {r}""", lambda a, b: np.tanh(np.tanh(a @ b) @ b),
             helpers="""func.func private @step(%x: tensor<5x6xf32>, %w: tensor<6x6xf32>) -> tensor<5x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x6xf32>, tensor<6x6xf32>) outs(%i : tensor<5x6xf32>) -> tensor<5x6xf32>
  %t = math.tanh %p : tensor<5x6xf32>
  return %t : tensor<5x6xf32>
}"""),
    ]


def cases():
    return loops() + branches() + whiles() + parallel_loops() + blocks() + calls()
