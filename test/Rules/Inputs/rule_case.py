# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A case: one op on given global shapes, with the rule that follows from what
# the op means, and a NumPy version of it.
import re
from dataclasses import dataclass, field

import numpy as np

# Element types: how NumPy and safetensors name them. bf16 is kept as the upper
# half of an f32, in 16 bits.
TYPES = {
    "f64": (np.float64, "F64"), "f32": (np.float32, "F32"), "f16": (np.float16, "F16"), "bf16": (np.uint16, "BF16"),
    "i64": (np.int64, "I64"), "i32": (np.int32, "I32"), "i16": (np.int16, "I16"), "i8": (np.int8, "I8"),
    "i1": (np.bool_, "BOOL"),
}

# The tolerances of dtensor-run --check, relative to a result's largest
# magnitude; integers are exact.
TOLERANCES = {"f64": 1e-12, "f32": 1e-5, "f16": 1e-3, "bf16": 2e-2}


@dataclass(frozen=True)
class Tensor:
    shape: tuple
    type: str

    def __str__(self):
        return "tensor<%s>" % "x".join([str(size) for size in self.shape] + [self.type])

    @property
    def is_float(self):
        return self.type in TOLERANCES


def tensor(text):
    """`5x6xf32` as a type."""
    *sizes, element = text.split("x")
    return Tensor(tuple(int(size) for size in sizes), element)


@dataclass
class Case:
    """`ins` and `outs` are `a=5x6xf32 b=6x7xf32`. `body` is MLIR in which
    %a and %b are the inputs, %r (the names of `outs`) the results, and {a} the
    type of %a. `op` is the op under test, the first of its name in `body`.

    `rule` is what dtensor-opt says of it. `factors` gives those of inputs and
    results where they are not the first operands of the op:
    `[i, k], [k, j] -> [i, j]`.

    `values` says which numbers an input takes (see `random_value`); `numpy`
    computes the results from the inputs, floats as f64."""
    name: str
    op: str
    ins: str
    outs: str
    body: str
    rule: str = ""
    numpy: object = None
    values: dict = field(default_factory=dict)
    factors: str = ""
    # Leaves out variants that test the choice between shardings.
    few: bool = False
    # One of many ops that share a rule; few variants, in CI on three ranks only.
    shared: bool = False
    # Runs as soon as the compiler takes the op.
    pending: bool = False
    helpers: str = ""

    def __post_init__(self):
        self.inputs = {}
        self.results = {}
        for into, text in ((self.inputs, self.ins), (self.results, self.outs)):
            for part in text.split():
                name, _, shape = part.partition("=")
                into[name] = tensor(shape)
        self.few = self.few or self.shared
        self.dims = self._dims()

    def _dims(self):
        """The factors of each dimension of inputs and results."""
        operands, results = parse_factors(self.factors or self.rule)
        dims = {}
        for names, lists in ((self.inputs, operands), (self.results, results)):
            for index, (name, type) in enumerate(names.items()):
                found = lists[index] if index < len(lists) else ["-"] * len(type.shape)
                if len(found) != len(type.shape):
                    raise ValueError("%s: %s has another rank than %s" % (self.name, name, found))
                dims[name] = found
        return dims

    def text(self, prefix):
        """The body with value names of its own, inputs and results named too."""
        types = {name: str(type) for name, type in {**self.inputs, **self.results}.items()}
        text = re.sub(r"\{(\w+)\}", lambda match: types.get(match[1], match[0]), self.body)
        return re.sub(r"([%^])([A-Za-z_]\w*)", lambda match: match[1] + prefix + match[2], text)


def parse_factors(rule):
    """`([i, k], [k, j]) -> ([ij]), reduction = [k]` as lists of factors per
    dimension of operands and results; `ij` is one dimension of two factors."""
    if not rule:
        return [], []
    left, _, right = rule.partition("->")
    right = re.sub(r", (reduction|need_replication|reduce_op|permutation) =.*", "", right)
    parse = lambda side: [[dim.strip() for dim in inner.split(",") if dim.strip()]
                          for inner in re.findall(r"\[([^\]]*)\]", side)]
    return parse(left), parse(right)


def to_bf16(values):
    """Rounds to nearest even, as bits."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def store(values, type):
    """Numbers as the array of an element type."""
    return to_bf16(values) if type == "bf16" else np.asarray(values).astype(TYPES[type][0])


def load(array, type):
    """An array of an element type as numbers: f64, or its own integers."""
    if type == "bf16":
        return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64) if type in TOLERANCES else array


def random_value(generator, type, kind):
    """Kinds: `any` (the default; floats in [-2, 2), integers of one digit),
    `positive`, `unit` (floats in [-0.9, 0.9)), `above_one`, `near_one` (stays
    in range under long products), `wide` (all integers of the type), `above_min`
    (but the smallest, which has no quotient by -1), `nonzero`,
    `shift` (0 to the number of bits), `below N` (indices) and `around N`
    (indices, some out of range), `distinct N`, `ties` (few different values), `nans` (half of the
    numbers are none)."""
    shape = type.shape
    word, _, bound = (kind or "any").partition(" ")
    if word == "distinct":
        return store(generator.permutation(int(bound))[: int(np.prod(shape))].reshape(shape), type.type)
    if word in ("below", "around"):
        low, high = (0, int(bound)) if word == "below" else (-2, int(bound) + 2)
        return store(generator.integers(low, high, shape), type.type)
    if word == "nans":
        numbers = generator.uniform(-2, 2, shape)
        return store(np.where(generator.integers(0, 2, shape), numbers, np.nan), type.type)
    if word == "ties":
        return store(generator.integers(-2, 3, shape), type.type)
    if type.type == "i1":
        return generator.integers(0, 2, shape).astype(bool)
    if type.is_float:
        low, high = {"any": (-2, 2), "positive": (0.25, 2), "unit": (-0.9, 0.9), "above_one": (1.1, 3),
                     "near_one": (0.8, 1.2), "nonzero": (0.5, 2)}[word]
        return store(generator.uniform(low, high, shape), type.type)
    bits = int(type.type[1:])
    if word in ("wide", "above_min"):
        return generator.integers(-(1 << (bits - 1)) + (word == "above_min"), (1 << (bits - 1)) - 1, shape, endpoint=True).astype(TYPES[type.type][0])
    low, high = {"any": (-9, 10), "positive": (1, 10), "nonzero": (1, 10), "shift": (0, bits)}[word]
    values = generator.integers(low, high, shape)
    if word == "nonzero":
        values = values * generator.choice([-1, 1], shape)
    return store(values, type.type)
