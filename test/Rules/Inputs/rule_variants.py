# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every way of laying out the inputs and results of a case on a mesh.
#
# A variant maps names of inputs and results to layouts: a tuple of
# `axis = placement` texts, or None where the program says nothing.
import itertools


def shard(*pairs):
    """A layout of (axis, dimension) pairs."""
    return tuple("%s = shard(%d)" % pair for pair in pairs)


def simple_factors(case):
    """Factors that are a whole dimension somewhere among the inputs."""
    found = []
    for name in case.inputs:
        for factor in case.dims[name]:
            if factor not in found and factor != "-":
                found.append(factor)
    return found


def alike(case, names, axes_of):
    """Layouts in which every dimension of a factor has that factor's axes."""
    return {name: shard(*[(axis, dim) for factor, axis in axes_of
                          for dim, own in enumerate(case.dims[name]) if own == factor])
            for name in names}


def splits(mesh, thorough):
    """What can shard something by itself: whole axes, and the halves of 4. The
    second axis and the second half act as the first ones do, for other ranks."""
    found = ['"%s"' % axis for axis, _ in mesh[: None if thorough else 1]]
    for axis, size in mesh:
        if size == 4:
            found += ['"%s":(1)2' % axis] + (['"%s":(2)2' % axis] if thorough else [])
    return found


def pairs_of_splits(mesh, thorough):
    """Two things that can shard at once. (That the second axis is the major one
    is a matter of pairs on one dimension, which `variants` adds.)"""
    if len(mesh) > 1:
        pairs = [('"%s"' % a, '"%s"' % b) for (a, _), (b, _) in itertools.permutations(mesh[:2], 2)]
        return pairs if thorough else pairs[:1]
    axis, size = mesh[0]
    return [('"%s":(1)2' % axis, '"%s":(2)2' % axis)] if size == 4 else []


def partials(type, thorough):
    """Contributions that a tensor of this type can be made of."""
    if type.is_float:
        return ["sum", "max"] + (["product", "min", "avg"] if thorough else [])
    if type.type == "i1":
        return ["bor"] + (["band", "bxor", "umax"] if thorough else [])
    return ["sum", "min"] + (["product", "max", "umin", "umax", "band", "bor", "bxor"] if thorough else [])


def variants(case, mesh, thorough):
    """All variants of a case, each once. `thorough` has every combination of
    two dimensions of different operands too; a case of `few` leaves out what
    tests the choice between shardings rather than the op."""
    found = {}
    few = case.few and not thorough

    def add(inputs, results=None):
        variant = {name: () for name in case.inputs}
        variant.update({name: None for name in case.results})
        variant.update(inputs)
        variant.update(results or {})
        found.setdefault(tuple(variant.items()), variant)

    open_inputs = {name: None for name in case.inputs}
    whole = {name: () for name in case.results}
    dims = lambda name: range(len({**case.inputs, **case.results}[name].shape))
    add({})
    for axis in splits(mesh, thorough)[: 1 if few else None]:
        # Each operand alone.
        for name in case.inputs:
            for dim in dims(name):
                add({name: shard((axis, dim))})
        # Everything that shares a factor, and results that agree or do not.
        for factor in simple_factors(case):
            inputs = alike(case, case.inputs, [(factor, axis)])
            add(inputs)
            if few:
                continue
            add(inputs, whole)
            results = alike(case, case.results, [(factor, axis)])
            add(inputs, results)
            add(inputs, {name: shard((axis, (dims_of[0] + 1) % len(dims(name)) if dims_of else 0))
                         for name in case.results if len(dims(name))
                         for dims_of in [[d for d, own in enumerate(case.dims[name]) if own == factor]]})
        # What a result asks, of inputs that are free or whole.
        for name in case.results:
            for dim in dims(name):
                add(open_inputs, {name: shard((axis, dim))})
                if not few:
                    add({}, {name: shard((axis, dim))})
        # Contributions: may pass linear ops, and no others.
        for name, type in case.inputs.items():
            for op in partials(type, thorough):
                add({name: ("%s = partial(%s)" % (axis, op),)})
        for name, type in case.results.items():
            for op in partials(type, thorough)[: None if thorough else 1]:
                add(open_inputs, {name: ("%s = partial(%s)" % (axis, op),)})
        if few:
            continue
        # Operands that want the axis for different dimensions.
        for first, second in itertools.combinations(case.inputs, 2):
            for d, e in itertools.product(dims(first), dims(second)):
                if thorough or case.dims[first][d] != case.dims[second][e]:
                    add({first: shard((axis, d)), second: shard((axis, e))})
    for first, second in pairs_of_splits(mesh, thorough):
        factors = simple_factors(case)
        for f in factors:
            add(alike(case, case.inputs, [(f, second), (f, first)]))
        for f, g in itertools.product(factors, factors):
            inputs = alike(case, case.inputs, [(f, first), (g, second)])
            add(inputs)
            if not few:
                add(inputs, alike(case, case.results, [(g, first), (f, second)]))
        if few:
            continue
        for name in list(case.inputs) + list(case.results):
            base = {} if name in case.inputs else open_inputs
            for d, e in itertools.product(dims(name), dims(name)):
                add({**base, name: shard((first, d), (second, e))})
        if thorough:
            for one, other in itertools.permutations(case.inputs, 2):
                for d, e in itertools.product(dims(one), dims(other)):
                    add({one: shard((first, d)), other: shard((second, e))})
    return list(found.values())


def describe(variant):
    """`a: x = shard(0); r: open`."""
    say = lambda layout: "open" if layout is None else ", ".join(layout).replace('"', "") or "whole"
    return "; ".join("%s: %s" % (name, say(layout)) for name, layout in variant.items())
