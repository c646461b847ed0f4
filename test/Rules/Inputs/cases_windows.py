# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Convolutions and pooling: output positions read windows of the input, so that
# neighbours need each other's edges (a halo).
import numpy as np

from rule_case import Case

# Dimensions by letter: n batch, c channels, f features, g groups, m multiplier,
# d h w space. In a filter d, h, w are the window's.
SIZES = {"n": 3, "c": 5, "f": 6, "g": 3, "m": 2, "d": 5, "h": 7, "w": 6}
WINDOW = {"d": 2, "h": 3, "w": 2}
SPACE = "dhw"


def extent(size, window, stride, dilation):
    return (size - (window - 1) * dilation - 1) // stride + 1


def windows_of(a, letters, spec, window):
    """The input at each position of the window: (place in it, input there)."""
    space = [letter for letter in letters if letter in SPACE]
    for place in np.ndindex(*[window[letter] for letter in space]):
        index = [slice(None)] * len(letters)
        for letter, at in zip(space, place):
            stride, dilation = spec[letter]
            first = at * dilation
            count = extent(a.shape[letters.index(letter)], window[letter], stride, dilation)
            index[letters.index(letter)] = slice(first, first + (count - 1) * stride + 1, stride)
        yield place, a[tuple(index)]


# The loops of ops that do not go over their output's dimensions first, in
# order: capitals are positions in the window.
LOOPS = {
    "depthwise_conv_1d_ncw_cw": "nwcW", "depthwise_conv_2d_nchw_chw": "nhwcHW", "depthwise_conv_3d_ndhwc_dhwc": "ndhwDHWc",
    "depthwise_conv_3d_ncdhw_cdhw": "ndhwDHWc", "depthwise_conv_3d_ndhwc_dhwcm": "ndhwmDHWc",
}


def rule(op, input, filter, output, scalars=0):
    """Positions, windows and what they read are brought whole; channels that are
    summed over are a reduction, all others parallel."""
    own = lambda letters: [letter.upper() if letter in SPACE else letter for letter in letters]
    loops = list(LOOPS.get(op, "")) or list(output) + [letter for letter in own(filter) if letter not in output]
    # What windows read is no loop, and named after them.
    names = dict(zip(loops + ["in " + letter for letter in input if letter in SPACE], "ijklmnopqrstuv"))
    text = lambda letters: "[%s]" % ", ".join(names[letter] for letter in letters)
    operands = [text(["in " + letter if letter in SPACE else letter for letter in input]), text(own(filter))]
    whole = sorted(name for letter, name in names.items() if letter[-1].lower() in SPACE)
    summed = [names[letter] for letter in loops if letter == "c" and "c" not in output]
    return "(%s) -> (%s)%s, need_replication = [%s]" % (
        ", ".join(operands + ["[]"] * scalars + [text(output)]), text(output),
        ", reduction = [%s]" % ", ".join(summed) if summed else "", ", ".join(whole))


def types(letters, sizes, element):
    return "x".join([str(sizes[letter]) for letter in letters] + [element])


def dims(letters, space=str.lower):
    return "[%s]" % ", ".join(space(letter) if letter in SPACE else letter for letter in letters)


def attributes(space, spec):
    lists = [", ".join(str(spec[letter][k]) for letter in space) for k in (0, 1)]
    return "{strides = dense<[%s]> : tensor<%dxi64>, dilations = dense<[%s]> : tensor<%dxi64>} " % (
        lists[0], len(space), lists[1], len(space))


def convolution(op, input, filter, output, strides=1, dilations=1, element="f32", into=None, few=True, sizes=None, zero_points=None):
    sizes = {**SIZES, **(sizes or {})}
    into = into or element
    space = [letter for letter in input if letter in SPACE]
    spec = {letter: (strides, dilations) for letter in space}
    out_sizes = {**sizes, **{x: extent(sizes[x], WINDOW[x], strides, dilations) for x in space}}
    kernel = {**sizes, **WINDOW}
    rest = "".join(letter for letter in filter if letter not in SPACE)

    def run(a, b):
        if zero_points:
            a, b = a.astype(np.int64) - zero_points[0], b.astype(np.int64) - zero_points[1]
        elif element != into:
            a, b = (a.astype(np.int64), b.astype(np.int64)) if into[0] == "i" else (a, b)
        total = 0
        for place, part in windows_of(a, input, spec, WINDOW):
            weights = b[tuple(place[space.index(x)] if x in SPACE else slice(None) for x in filter)]
            total = total + np.einsum("%s,%s->%s" % (input, rest, output), part, weights)
        return total
    zero = "0.0" if into[0] in "fb" else "0"
    more_ins = more_types = scalars = ""
    if zero_points:
        scalars = "%%p = arith.constant %d : i32\n%%q = arith.constant %d : i32\n" % zero_points
        more_ins, more_types = ", %p, %q", ", i32, i32"
    attribute = "" if op in ("conv_1d", "conv_2d", "conv_3d") else attributes(space, spec)
    label = "linalg.%s%s%s%s" % (op, " stride %d" % strides if strides > 1 else "",
                                 " dilation %d" % dilations if dilations > 1 else "", "" if element == "f32" else " " + element)
    return Case(
        name=label + (" of %s" % sizes["w"] if sizes["w"] != SIZES["w"] else ""), op="linalg." + op, shared=few, numpy=run,
        ins="a=%s b=%s" % (types(input, sizes, element), types(filter, kernel, element)), outs="r=" + types(output, out_sizes, into),
        factors="%s, %s -> %s" % (dims(input), dims(filter, str.upper), dims(output)),
        rule=rule(op, input, filter, output, 2 if zero_points else 0),
        body=scalars + """%%z = arith.constant %s : %s
        %%e = tensor.empty() : {r}
        %%i = linalg.fill ins(%%z : %s) outs(%%e : {r}) -> {r}
        %%r = linalg.%s %sins(%%a, %%b%s : {a}, {b}%s) outs(%%i : {r}) -> {r}"""
        % (zero, into, into, op, attribute, more_ins, more_types))


# Each with one of input, filter and output.
CONVOLUTIONS = [
    ("conv_1d", "w", "w", "w"), ("conv_2d", "hw", "hw", "hw"), ("conv_3d", "dhw", "dhw", "dhw"),
    ("conv_1d_nwc_wcf", "nwc", "wcf", "nwf"), ("conv_1d_ncw_fcw", "ncw", "fcw", "nfw"),
    ("conv_2d_nhwc_hwcf", "nhwc", "hwcf", "nhwf"), ("conv_2d_nhwc_fhwc", "nhwc", "fhwc", "nhwf"),
    ("conv_2d_nchw_fchw", "nchw", "fchw", "nfhw"), ("conv_2d_ngchw_fgchw", "ngchw", "fgchw", "ngfhw"),
    ("conv_2d_ngchw_gfchw", "ngchw", "gfchw", "ngfhw"), ("conv_2d_nhwgc_gfhwc", "nhwgc", "gfhwc", "nhwgf"),
    ("conv_3d_ndhwc_dhwcf", "ndhwc", "dhwcf", "ndhwf"), ("conv_3d_ncdhw_fcdhw", "ncdhw", "fcdhw", "nfdhw"),
    ("depthwise_conv_1d_nwc_wc", "nwc", "wc", "nwc"), ("depthwise_conv_1d_ncw_cw", "ncw", "cw", "ncw"),
    ("depthwise_conv_1d_nwc_wcm", "nwc", "wcm", "nwcm"), ("depthwise_conv_2d_nhwc_hwc", "nhwc", "hwc", "nhwc"),
    ("depthwise_conv_2d_nchw_chw", "nchw", "chw", "nchw"), ("depthwise_conv_2d_nhwc_hwcm", "nhwc", "hwcm", "nhwcm"),
    ("depthwise_conv_3d_ndhwc_dhwc", "ndhwc", "dhwc", "ndhwc"), ("depthwise_conv_3d_ncdhw_cdhw", "ncdhw", "cdhw", "ncdhw"),
    ("depthwise_conv_3d_ndhwc_dhwcm", "ndhwc", "dhwcm", "ndhwcm"),
]
QUANTISED = [
    ("conv_2d_nhwc_hwcf_q", "nhwc", "hwcf", "nhwf"), ("conv_2d_nhwc_fhwc_q", "nhwc", "fhwc", "nhwf"),
    ("conv_2d_nchw_fchw_q", "nchw", "fchw", "nfhw"), ("conv_2d_nhwgc_gfhwc_q", "nhwgc", "gfhwc", "nhwgf"),
    ("conv_2d_ngchw_gfchw_q", "ngchw", "gfchw", "ngfhw"), ("conv_3d_ndhwc_dhwcf_q", "ndhwc", "dhwcf", "ndhwf"),
    ("depthwise_conv_2d_nhwc_hwc_q", "nhwc", "hwc", "nhwc"), ("depthwise_conv_2d_nhwc_hwcm_q", "nhwc", "hwcm", "nhwcm"),
]
EVERY_VARIANT = ("conv_1d_nwc_wcf", "conv_1d")


def convolutions():
    found = [convolution(*shape, few=shape[0] not in EVERY_VARIANT) for shape in CONVOLUTIONS]
    found += [convolution(*shape, element="i8", into="i32", zero_points=(3, -2)) for shape in QUANTISED]
    one = ("conv_1d_nwc_wcf", "nwc", "wcf", "nwf")
    two = ("conv_2d_nhwc_hwcf", "nhwc", "hwcf", "nhwf")
    return found + [
        # A stride shifts pieces against one another, a dilation widens windows
        # beyond the neighbour, and short lines leave ranks without any.
        convolution(*one, strides=2, few=False, sizes={"w": 9}), convolution(*one, dilations=3, few=False, sizes={"w": 9}),
        convolution(*one, strides=3, dilations=2, sizes={"w": 11}), convolution(*one, few=False, sizes={"w": 3}),
        convolution(*two, strides=2), convolution(*two, dilations=2), convolution(*two, element="f64"),
        convolution(*one, element="f16", into="f32"), convolution(*one, element="i8", into="i32"),
    ]


POOLED = {"sum": (np.add, "0.0"), "max": (np.maximum, "-1.0e4"), "min": (np.minimum, "1.0e4"),
          "max_unsigned": (np.maximum, "0"), "min_unsigned": (np.minimum, "100")}


def pooling(letters, kind, strides=1, dilations=1, few=True, width=None):
    sizes = {**SIZES, **({"w": width} if width else {})}
    element = "i32" if "unsigned" in kind else "f32"
    function, start = POOLED[kind]
    space = [letter for letter in letters if letter in SPACE]
    spec = {letter: (strides, dilations) for letter in space}
    out_sizes = {**sizes, **{x: extent(sizes[x], WINDOW[x], strides, dilations) for x in space}}

    def run(a):
        total = None
        for _, part in windows_of(a, letters, spec, WINDOW):
            total = part if total is None else function(total, part)
        return total
    op = "pooling_%s_%s" % (letters, kind)
    return Case(
        name="linalg.%s%s%s%s" % (op, " stride %d" % strides if strides > 1 else "", " dilation %d" % dilations if dilations > 1 else "",
                                  " of %d" % width if width else ""),
        op="linalg." + op, shared=few, numpy=run, values={"a": "positive" if element == "i32" else None},
        ins="a=" + types(letters, sizes, element), outs="r=" + types(letters, out_sizes, element),
        factors="%s -> %s" % (dims(letters), dims(letters)), rule="" if width else rule(op, letters, space, letters),
        body="""%%z = arith.constant %s : %s
        %%e = tensor.empty() : {r}
        %%i = linalg.fill ins(%%z : %s) outs(%%e : {r}) -> {r}
        %%w = tensor.empty() : tensor<%s>
        %%r = linalg.%s %sins(%%a, %%w : {a}, tensor<%s>) outs(%%i : {r}) -> {r}"""
        % (start, element, element, types(space, WINDOW, element), op, attributes(space, spec), types(space, WINDOW, element)))


POOLINGS = [("nhwc", "sum max max_unsigned min min_unsigned"), ("nchw", "sum max"), ("nwc", "sum max max_unsigned min min_unsigned"),
            ("ncw", "sum max"), ("ndhwc", "sum max min")]


def poolings():
    found = [pooling(letters, kind, few=(letters, kind) != ("nwc", "max")) for letters, kinds in POOLINGS for kind in kinds.split()]
    return found + [pooling("nwc", "sum", 2), pooling("nwc", "max", 1, 2), pooling("nwc", "sum", 3, 1, width=2),
                    pooling("nhwc", "max", 2)]


def cases():
    return convolutions() + poolings()
