"""Random expressions over the verbs: compiled code gives what the kernel that executes gives, whatever is nested."""
import os
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caldera.kernel.interface import BOOL, F32, F64, I8, I16, I32, I64
from tests.kernel.staged import KERNELS, differing, rows

TYPES = I8, I16, I32, I64, F32, F64
COLUMNS = (I8, I16, I32, I64, I64, F32, F64, F64, BOOL)
INTEGER_VERBS = "add", "sub", "mul", "and", "or", "xor", "div", "rem", "udiv", "urem", "shl", "lshr", "ashr"
FLOAT_VERBS = "add", "sub", "mul", "div"
MATH = "floor", "ceil", "trunc", "rint", "fabs", "sqrt"
COMPARISONS = "eq", "ne", "lt", "le", "gt", "ge", "ult", "uge"
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 1e300, -1e-300, float("inf"), float("nan"), 2.0**31, -2.0**63, 123456789.75]


class Shape:
    """A random expression: a tree of tuples (verb, type, children...) drawn once, staged by `stage`."""

    def __init__(self, draw):
        self.draw = draw

    def tree(self, type, depth):
        choice = self.draw(st.integers(0, 9))
        if depth == 0 or choice == 0:
            columns = [number for number, other in enumerate(COLUMNS) if other == type]
            if columns and self.draw(st.booleans()):
                return "column", type, self.draw(st.sampled_from(columns))
            return "constant", type, self.constant(type)
        if type == BOOL:
            return self.truth(depth - 1)
        if choice == 1:
            source = self.draw(st.sampled_from((*TYPES, BOOL)))
            return "convert", type, self.tree(source, depth - 1), self.draw(st.booleans())
        if choice in (2, 3):
            return "choose", type, self.tree(BOOL, depth - 1), self.tree(type, depth - 1), self.tree(type, depth - 1)
        if choice == 4:
            return self.draw(st.sampled_from(("loop", "when"))), type, self.tree(type, depth - 1), self.tree(type, depth - 1)
        if type.is_float:
            if choice == 5:
                return "math", type, self.draw(st.sampled_from(MATH)), self.tree(type, depth - 1)
            return self.binary(FLOAT_VERBS, type, depth - 1)
        if choice == 5:
            return "bits", type, self.draw(st.sampled_from(("ones", "leading_zeros", "trailing_zeros", "swap_bytes"))), \
                self.tree(type, depth - 1)
        return self.binary(INTEGER_VERBS, type, depth - 1)

    def binary(self, verbs, type, depth):
        return "binary", type, self.draw(st.sampled_from(verbs)), self.tree(type, depth), self.tree(type, depth)

    def truth(self, depth):
        if self.draw(st.booleans()):
            type = self.draw(st.sampled_from(TYPES))
            name = self.draw(st.sampled_from(COMPARISONS[:6] if type.is_float else COMPARISONS))
            return "compare", BOOL, name, self.tree(type, depth), self.tree(type, depth)
        return self.draw(st.sampled_from(("and", "or", "not"))), BOOL, self.tree(BOOL, depth), self.tree(BOOL, depth)

    def constant(self, type):
        if type == BOOL:
            return self.draw(st.booleans())
        if type.is_float:
            return self.draw(st.sampled_from(FLOATS))
        half = 1 << (type.bits - 1)
        return self.draw(st.one_of(st.sampled_from([-half, half - 1, -1, 0, 1]), st.integers(-half, half - 1)))


def stage(k, tree, columns):
    """The staged value of a tree."""
    kind, type, *parts = tree
    if kind == "column":
        return columns[parts[0]]
    if kind == "constant":
        return k.constant(type, parts[0])
    if kind == "convert":
        return k.convert(stage(k, parts[0], columns), type, signed=parts[1])
    if kind == "choose":
        return k.choose(*(stage(k, part, columns) for part in parts))
    if kind in ("loop", "when"):
        first, second = (stage(k, part, columns) for part in parts)
        variable = k.variable(type, first)
        for i in k.range(0, 3) if kind == "loop" else k.when(first != second):
            step = second if kind == "when" else k.convert(i, type)
            variable.set(variable.get() + step)
        return variable.get()
    if kind == "math":
        return k.math(parts[0], stage(k, parts[1], columns))
    if kind == "bits":
        return getattr(k, parts[0])(stage(k, parts[1], columns))
    if kind == "not":
        return k.not_(stage(k, parts[0], columns))
    if kind in ("and", "or"):
        return getattr(k, kind + "_")(*(stage(k, part, columns) for part in parts))
    a, b = (stage(k, part, columns) for part in parts[1:])
    if parts[0] in ("shl", "lshr", "ashr"):
        b = b & (type.bits - 1)
    return getattr(k, kind)(parts[0], a, b)


@st.composite
def expressions(draw):
    shape = Shape(draw)
    return [shape.tree(draw(st.sampled_from(TYPES + (BOOL,))), 4) for _ in range(6)]


def inputs(seed):
    """Rows with edges in every column."""
    source, values = random.Random(seed), []
    for _ in range(12):
        row = []
        for type in COLUMNS:
            half = 1 << (type.bits - 1)
            if type == BOOL:
                row.append(source.random() < 0.5)
            elif type.is_float:
                number = source.choice(FLOATS + [source.uniform(-1e6, 1e6)])
                row.append(number if type is F64 else max(-3e38, min(3e38, number)) if number == number else number)
            else:
                row.append(source.choice([-half, half - 1, -1, 0, 1, source.randrange(-half, half)]))
        values.append(tuple(row))
    return values


def agree(trees, seed):
    """Run trees under all kernels; the differences from the kernel that executes."""
    values = inputs(seed)
    body = lambda k, *columns: [stage(k, tree, columns) for tree in trees]
    expected = rows("python", values, COLUMNS, body)
    for kernel in KERNELS[1:]:
        assert differing(values, rows(kernel, values, COLUMNS, body), expected) == [], kernel


@settings(max_examples=int(os.environ.get("CALDERA_EXAMPLES", 25)), deadline=None, derandomize=True, database=None,
          suppress_health_check=list(HealthCheck))
@given(expressions(), st.integers(0, 1000))
def test_compiled_expressions_agree_with_executed_ones(trees, seed):
    agree(trees, seed)


@pytest.mark.campaign
@settings(max_examples=5000, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(expressions(), st.integers(0, 10**6))
def test_random_compiled_expressions_agree_with_executed_ones(trees, seed):
    agree(trees, seed)
