"""Values of every layout: in arrays, in words of rows, in variables, chosen; under every kernel."""
import ctypes

import numpy as np
import pytest

from caldera.kernel import layouts
from caldera.kernel.interface import BOOL, I64, Control, Owner, Pointer, Struct
from caldera.kernel.layouts import Pair
from caldera.kernel.python import PythonKernel
from caldera.kernel.text import Text
from tests.kernel.staged import every_kernel, execute

SAMPLES = {
    layouts.BOOLEAN: [1, 0, 1], layouts.INT2: [-32768, 32767, 5], layouts.INT4: [-2**31, 2**31 - 1, 0],
    layouts.INT8: [-2**63, 2**63 - 1, -1], layouts.FLOAT4: [1.5, -0.0, np.inf], layouts.FLOAT8: [0.1, -np.inf, 5e-324],
    layouts.NUMERIC: [[1, -2], [2**63 - 1, 0], [-2**63, 7]], layouts.INTERVAL: [[1, 2], [3, 4], [-5, -6]],
    layouts.UUID: [[-1, 0], [5, 6], [7, -8]],
}
every_layout = pytest.mark.parametrize("layout", [*SAMPLES, layouts.TEXT], ids=str)
TEXTS = b"short", b"exactly 12 b", b"a text that does not fit into a cell"


class Column(Owner):
    """Three values of a layout, room for three more, and words for rows."""

    def __init__(self, layout):
        super().__init__()
        self.layout_of_values = layout
        self.layout = Struct(values=Pointer(layout.element), out=Pointer(layout.element), words=Pointer(I64))
        if layout is layouts.TEXT:
            self.values = np.zeros((4, 2), np.int64)
            for row, text in enumerate(TEXTS):
                blob = np.frombuffer(text + bytes(16), np.uint8)
                self.values[row, 0] = len(text) | int.from_bytes(text[:4], "little") << 32
                self.values[row, 1] = int.from_bytes(text[4:12], "little") if len(text) <= 12 else self.keep(blob)
        else:
            self.values = np.array(SAMPLES[layout], layout.dtype)
        self.out, self.words = np.zeros_like(self.values), np.zeros(64, np.int64)
        arrays = {name: self.keep(getattr(self, name)) for name in ("values", "out", "words")}
        self.instances = [self.layout.make(**arrays)]

    def result(self, count=3):
        """The values that were written, such that equal ones are equal."""
        if self.layout_of_values is layouts.TEXT:
            return [text_of(self.out, row) for row in range(count)]
        return [repr(value) for value in self.out[:count].tolist()]

    def expected(self, *rows):
        if self.layout_of_values is layouts.TEXT:
            return [TEXTS[row] for row in rows]
        return [repr(value) for value in self.values[list(rows)].tolist()]


def text_of(cells, row):
    """The bytes of a cell."""
    length = int(cells[row, 0]) & 0xFFFFFFFF
    return cells[row].tobytes()[4:4 + length] if length <= 12 else ctypes.string_at(int(cells[row, 1]), length)


def run(kernel, layout, body):
    """`body(k, here)` over a Column, which is returned."""
    column = Column(layout)
    execute(kernel, lambda k: body(k, k.memory(column)), Control(), [column])
    return column


@every_kernel
@every_layout
def test_arrays_are_read_and_written(kernel, layout):
    def body(k, here):
        for i in k.range(0, 3):
            layout.store(k, here.out, i, layout.load(k, here.values, k.constant(I64, 2) - i))
    column = run(kernel, layout, body)
    assert column.result() == column.expected(2, 1, 0)


@every_kernel
@every_layout
def test_words_of_rows_give_the_value_back(kernel, layout):
    def body(k, here):
        for i in k.range(0, 3):
            words = layout.to_words(k, layout.load(k, here.values, i))
            assert len(words) == layout.words and all(word.type == I64 for word in words)
            for offset, word in enumerate(words):
                here.words[i * 5 + 1 + offset] = word
        for i in k.range(0, 3):
            layout.store(k, here.out, i, layout.from_words(k, here.words, i * 5 + 1))
    column = run(kernel, layout, body)
    assert column.result() == column.expected(0, 1, 2)


@every_kernel
@every_layout
def test_a_variable_and_a_choice(kernel, layout):
    def body(k, here):
        variable = layout.variable(k, layout.load(k, here.values, 0))
        layout.store(k, here.out, 0, variable.get())
        for i in k.range(0, 3):
            for _ in k.when(i == 1):
                variable.set(layout.load(k, here.values, i))
        layout.store(k, here.out, 1, variable.get())
        for i in k.range(2, 3):
            a, b = layout.load(k, here.values, 0), layout.load(k, here.values, i)
            layout.store(k, here.out, i, layout.choose(k, i != 2, a, b))
    column = run(kernel, layout, body)
    assert column.result() == column.expected(0, 1, 2)


@every_kernel
@every_layout
def test_a_default_is_harmless(kernel, layout):
    def body(k, here):
        for _ in k.range(0, 1):
            value = layout.choose(k, here.words[0] == 0, layout.default(k), layout.load(k, here.values, 1))
            if isinstance(value, Text):
                here.words[1] = value.length
            else:
                parts = [value.low, value.high] if isinstance(value, Pair) else layout.to_words(k, value)
                for number, part in enumerate(parts):
                    here.words[1 + number] = part
    assert run(kernel, layout, body).words[1:3].tolist() == [0, 0]


@every_kernel
def test_truth_is_zero_or_one_in_arrays_and_a_condition_while_staging(kernel):
    def body(k, here):
        value = layouts.BOOLEAN.load(k, here.values, 0)
        assert value.type == BOOL
        layouts.BOOLEAN.store(k, here.out, 0, True)
        layouts.BOOLEAN.store(k, here.out, 1, k.not_(value))
        layouts.BOOLEAN.store(k, here.out, 2, value)
    assert run(kernel, layouts.BOOLEAN, body).out.tolist() == [1, 0, 1]


def test_a_variable_of_texts_remembers_the_shortest_lifetime():
    k = PythonKernel(Control())
    part, block = (Text(k, k.constant(I64, 64), k.constant(I64, 3), lifetime) for lifetime in ("part", "block"))
    variable = layouts.TEXT.variable(k, part)
    assert variable.get().lifetime == "part"
    variable.set(block)
    assert variable.get().lifetime == "block"
    assert layouts.TEXT.choose(k, k.constant(BOOL, True), part, block).lifetime == "block"
    cell = Text(k, k.constant(I64, 64), k.constant(I64, 3), "cell")
    assert layouts.TEXT.choose(k, k.constant(BOOL, True), part, cell).lifetime == "cell"
    assert layouts.TEXT.choose(k, k.constant(BOOL, True), cell, part).lifetime == "cell"
