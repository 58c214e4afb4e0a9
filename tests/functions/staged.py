"""Functions and aggregates of the registry on lists of datums, without SQL: for tests of one definition at a time.

    evaluate("int4pl(int4, int4)", [(1, 2), (2**31 - 1, 1), (None, 1)])
        -> [3, ("22003", "integer out of range"), None]
    evaluate(..., tier="python" | "fast" | "o3")
    aggregate("sum(int4)", [(1,), (None,)], tier=...)

Each row's arguments are written to arrays in the layouts of their types, the body is staged once in a loop, results and
faults are read back. A Python body is simply called.
"""
import ctypes
import re
import uuid
from contextlib import contextmanager

import numpy as np

from caldera.base.errors import Error
from caldera.functions import registry
from caldera.kernel import decimal
from caldera.kernel.interface import I8, I32, I64, Control, Owner, Pointer, Struct
from caldera.kernel.layouts import INTERVAL, NUMERIC, TEXT, UUID, Pair, Scalar
from caldera.kernel.llvm import LlvmKernel
from caldera.kernel.nullable import Sql
from caldera.kernel.python import PythonKernel
from caldera.kernel.structures.arena import Arena
from caldera.operators.python_calls import PythonCall
from caldera.types import registry as types

TIERS = "python", "fast", "o3"
SIGNATURE = re.compile(r'\s*"?(\w+)"?\s*\(([^)]*)\)\s*$')


def find(signature):
    """The Function of "name(type, ...)"."""
    name, arguments = SIGNATURE.match(signature).groups()
    wanted = tuple(types.lookup(word.strip()) for word in arguments.split(",") if word.strip())
    return next(function for function in registry.FUNCTIONS[name] if function.arguments == wanted)


def find_aggregate(signature):
    """The AggregateSignature of "name(type, ...)"; a parameter "any" takes every type."""
    name, arguments = SIGNATURE.match(signature).groups()
    wanted = tuple(types.lookup(word.strip()) for word in arguments.split(",") if word.strip() not in ("", "*"))
    return next(found for found in registry.AGGREGATES[name] if found.arguments in (wanted, (registry.ANY,) * len(wanted)))


class Allocation:
    """The memory interface that arenas ask for."""
    workers = 1

    def __init__(self, control):
        self.control, self.allocation = control, self

    def take(self, words, zeroed=True):
        """An array of so many words."""
        return np.zeros(words, np.int64)

    def open(self, arena):
        """It is open."""

    def check(self):
        """Nobody cancels."""


class Column(Owner):
    """One argument or result: values, validity, and the bytes of texts."""
    layout = Struct(values=Pointer(I64), valid=Pointer(I8))

    def __init__(self, layout, count):
        super().__init__()
        self.form = layout
        self.values = np.zeros(count * layout.width + 2, layout.dtype)
        self.valid = np.zeros(count, np.int8)
        self.instances = [self.layout.make(values=self.keep(self.values), valid=self.keep(self.valid))]

    def fill(self, datums):
        """Write datums; None is NULL."""
        for row, datum in enumerate(datums):
            self.valid[row] = datum is not None
            if datum is not None:
                self.put(row, datum)
        return self

    def put(self, row, datum):
        if isinstance(self.form, Scalar):
            self.values[row] = datum
        elif self.form is NUMERIC:
            self.values[2 * row:2 * row + 2] = decimal.words_of(datum)
        elif self.form is INTERVAL:
            self.values[2 * row:2 * row + 2] = datum.microseconds, datum.months << 32 | datum.days & 0xFFFFFFFF
        elif self.form is UUID:
            self.values[2 * row:2 * row + 2] = np.frombuffer(datum.bytes, ">i8")
        else:
            self.put_text(row, datum if isinstance(datum, bytes) else datum.encode())

    def put_text(self, row, data):
        words = len(data).to_bytes(4, "little") + data[:12].ljust(12, b"\0")
        if len(data) > 12:
            blob = np.frombuffer(data + bytes(128), np.int8).copy()
            words = words[:8] + self.keep(blob).to_bytes(8, "little")
        self.values[2 * row:2 * row + 2] = np.frombuffer(words, np.int64)

    def datum(self, row, type):
        """The datum of a row, None if NULL."""
        if not self.valid[row]:
            return None
        if self.form.width == 1:
            value = self.values[row].item()
            return bool(value) if type.name == "bool" else value
        low, high = map(int, self.values[2 * row:2 * row + 2])
        if self.form is NUMERIC:
            return decimal.number_of(low, high)
        if self.form is INTERVAL:
            from caldera.types.interval_fields import Interval
            return Interval(high >> 32, ctypes.c_int32(high).value, low)
        if self.form is UUID:
            return uuid.UUID(bytes=self.values[2 * row:2 * row + 2].astype(">i8").tobytes())
        if self.form is TEXT:
            data = self.values[2 * row:2 * row + 2].tobytes()
            length = low & 0xFFFFFFFF
            data = data[4:4 + length] if length <= 12 else ctypes.string_at(high, length)
            return data if type.name == "bytea" else data.decode()
        raise TypeError(f"a layout unknown here: {self.form}")

    def load(self, k, row, always):
        """The staged Sql of a row."""
        here = k.memory(self)
        values = k.array(self.form.element, k.address(here.values))
        return Sql(self.form.load(k, values, row), True if always else here.valid[row] != 0)

    def store(self, k, row, sql):
        """Write a staged Sql to a row."""
        here = k.memory(self)
        self.form.store(k, k.array(self.form.element, k.address(here.values)), row, sql.value)
        here.valid[row] = k.convert(k.as_condition(sql.valid), I8)


class Faults(Owner):
    """For each row the number of the first fault reported, plus one."""
    layout = Struct(found=Pointer(I32))

    def __init__(self, count):
        super().__init__()
        self.found, self.messages, self.culprits = np.zeros(count, np.int32), [], {}
        self.instances = [self.layout.make(found=self.keep(self.found))]

    def begin(self, k, row, valid):
        """Faults reported from now on are those of a row; they count where it is valid."""
        self.k, self.row, self.valid = k, row, valid
        self.faults, self.guards = self, [valid]        # as a Row has them: what calls into Python stand under

    @contextmanager
    def guarded(self, condition):
        """As `Faults.guarded` of blocks."""
        self.guards.append(condition)
        yield
        self.guards.pop()

    def report(self, sqlstate, message, bad, culprit=None, detail=None):
        """As `Row.report`."""
        k, found = self.k, k_found(self.k, self)
        if (sqlstate, message) not in self.messages:
            self.messages.append((sqlstate, message))
        number = self.messages.index((sqlstate, message)) + 1
        bad = k.as_condition(k.and_(bad, self.valid))
        found[self.row] = k.choose(k.and_(bad, found[self.row] == 0), k.constant(I32, number), found[self.row])

    def of(self, row):
        """(sqlstate, message) of a row, or None."""
        return self.messages[self.found[row] - 1] if self.found[row] else None


def k_found(k, faults):
    """The staged array of fault numbers."""
    return k.memory(faults).found


def run(stage, tier, control):
    """Stage `stage(k)` and run it; returns the IR text, if there is one."""
    if tier == "python":
        k = PythonKernel(control)
        stage(k)
        k.finish()
        return None
    from caldera.compile.jit import Jit
    k = LlvmKernel(control)
    stage(k)
    text = k.finish()
    global jit
    jit = jit or Jit(NoDisk())
    program = jit.program(text, tier)
    state = (ctypes.c_void_p * len(k.owners))(*(owner.address(0) for owner in k.owners))
    program(ctypes.addressof(state))
    return text


jit = None


class NoDisk:
    """A disk cache that keeps nothing."""

    def get(self, key):
        return None

    def put(self, key, object_bytes):
        pass

    def prune(self):
        pass


def scratch_arena(control):
    """An arena for texts under construction."""
    arena = Arena()
    arena.open(Allocation(control))
    return arena


def evaluate(function, rows, tier="python", session=None, known=(), result_modifier=None):
    """The result of each row: a datum, None for NULL, or (sqlstate, message) for a fault."""
    function = find(function) if isinstance(function, str) else function
    if function.python:
        return [call_python(function, row, session) for row in rows]
    control, count = Control(), len(rows)
    types_of = [types.lookup("text") if type == registry.ANY else type for type in function.arguments]
    columns = [Column(type.layout, count).fill(column) for type, column in zip(types_of, zip(*rows))]
    result, faults, arena = Column(function.result.layout, count), Faults(count), scratch_arena(control)

    def stage(k):
        for row in k.range(0, count):
            values = [column.load(k, row, column.valid.all()) for column in columns]
            valid = k.and_(True, *(value.valid for value in values))
            faults.begin(k, row, valid if function.strict else True)
            call = registry.Call(k, faults, types_of, function.result, (None,) * len(columns), result_modifier, known,
                                 session, arena)
            call.python = lambda *use, k=k: called_in_python(k, *use, arena, session, control, faults)
            answer = function.body(call, *(value.value if function.strict else value for value in values))
            if not isinstance(answer, Sql):
                answer = Sql(answer, True)
            result.store(k, row, Sql(answer.value, k.and_(answer.valid, valid) if function.strict else answer.valid))
    run(stage, tier, control)
    if control.exception:
        raise control.exception
    return [faults.of(row) or result.datum(row, function.result) for row in range(count)]


def called_in_python(k, function, types, result, values, arena, session, control, faults):
    """What a staged body asks of plain Python for a row, as the evaluator does it."""
    site = PythonCall.of_function(function, types, result, arena, session)
    site.open(Allocation(control))
    return site.stage(k, [Sql(value, True) for value in values], faults)


def call_python(function, row, session):
    """A Python body on one row."""
    if function.strict and None in row:
        return None
    try:
        return function.body(*([session] if function.wants_session else []), *row)
    except Error as exception:
        return exception.sqlstate, exception.message


class AggregateCall(registry.Call):
    """What methods of aggregates get: a Call that can also own texts."""

    def own(self, text):
        return self.scratch_arena.own(self.k, text)


def aggregate(signature, rows, tier="python", parts=2):
    """The result over rows (tuples of datums), aggregated in `parts` groups of rows that are then combined."""
    found = find_aggregate(signature) if isinstance(signature, str) else signature
    argument_types = [types.lookup("int4") if type == registry.ANY else type for type in found.arguments]
    instance = found.implementation(argument_types, found.result)
    bounds = [len(rows) * part // parts for part in range(parts + 1)]
    pieces = [rows[start:stop] for start, stop in zip(bounds, bounds[1:])]
    if instance.python:
        return aggregate_in_python(instance, pieces)
    control, count = Control(), len(rows)
    columns = [Column(type.layout, count).fill(column) for type, column in zip(argument_types, list(zip(*rows)) or [()] * 9)]
    result, faults, arena = Column(found.result.layout, 1), Faults(1), scratch_arena(control)

    def stage(k):
        faults.begin(k, 0, True)
        call = AggregateCall(k, faults, argument_types, found.result, scratch=arena)
        states = []
        for start, stop in zip(bounds, bounds[1:]):
            cells = [k.variable(type, initial) for type, initial in zip(instance.cells, instance.initial)]
            for row in k.range(start, stop):
                values = [column.load(k, row, column.valid.all()) for column in columns]
                if instance.strict:
                    instance.update(call, cells, k.and_(True, *(v.valid for v in values)), *(v.value for v in values))
                else:
                    instance.update(call, cells, True, *values)
            states.append(cells)
        for others in states[1:]:
            instance.combine(call, states[0], others)
        result.store(k, 0, instance.final(call, states[0]))
    run(stage, tier, control)
    if control.exception:
        raise control.exception
    return faults.of(0) or result.datum(0, found.result)


def aggregate_in_python(instance, pieces):
    """The same for an aggregate whose methods are Python."""
    states = []
    try:
        for piece in pieces:
            state = instance.start()
            for row in piece:
                if None not in row or not instance.strict:
                    state = instance.step(state, *row)
            states.append(state)
        first, *others = states
        for other in others:
            first = instance.merge(first, other)
        return instance.finish(first)
    except Error as exception:
        return exception.sqlstate, exception.message


def pair(k, words):
    """A staged constant of two words."""
    return Pair(k.constant(I64, words[0]), k.constant(I64, words[1]))
