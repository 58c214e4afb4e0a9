"""Running staged code under every kernel: for tests that have one body and one expected outcome.

    rows(kernel, [(1, 2), (3, 4)], (I32, I32), lambda k, a, b: (a + b, a < b))   ->  [(3, True), (7, True)]
    run(kernel, body, {"xs": array}, n=3)                                        ->  what `body(k, here)` left in the arrays

A kernel is a name: "python" executes, the others are tiers of compiled code. The Python kernel runs in checked mode.
"""
import ctypes
import struct

import numpy as np
import pytest

from caldera.compile.jit import Jit
from caldera.kernel.interface import BOOL, F32, F64, I8, I16, I32, I64, I128, Control, Owner, Pointer, Struct, Value
from caldera.kernel.llvm import LlvmKernel
from caldera.kernel.python import PythonKernel
from caldera.kernel.structures.memory import Allocation, Budget

KERNELS = "python", "fast", "plain", "o3"
MACHINE_TYPES = {np.dtype(dtype): type for type, dtype in (
    (I8, np.int8), (I16, np.int16), (I32, np.int32), (I64, np.int64), (F32, np.float32), (F64, np.float64))}
INTEGERS, FLOATS = (I8, I16, I32, I64), (F32, F64)
JIT = Jit()

every_kernel = pytest.mark.parametrize("kernel", KERNELS)


class Arrays(Owner):
    """Arrays and numbers that a staged body reaches by their names."""

    def __init__(self, arrays, numbers):
        super().__init__()
        fields = {name: Pointer(MACHINE_TYPES[array.dtype]) for name, array in arrays.items()}
        fields |= {name: F64 if isinstance(number, float) else I64 for name, number in numbers.items()}
        self.layout = Struct(**fields)
        pointers = {name: self.keep(array) for name, array in arrays.items()}
        self.instances = [self.layout.make(**pointers, **numbers)]


def run(kernel, body, arrays=None, options=None, owners=(), **numbers):
    """Run `body(k, here)`; returns {name: array or number} as it leaves them. `owners`: what the body reaches besides."""
    arrays = {name: np.array(array) for name, array in (arrays or {}).items()}
    here, control = Arrays(arrays, numbers), Control()
    execute(kernel, lambda k: body(k, k.memory(here)), control, [here, *owners], **(options or {}))
    return arrays | {name: getattr(here.instances[0], name) for name in numbers}


def execute(kernel, body, control, owners=(), worker=0, **options):
    """Run `body(k)` as the code of one worker; the kernel, for its faults. Owners are open already."""
    if kernel == "python":
        k = PythonKernel(control, worker=worker, checked=True, **options)
        body(k)
        k.finish()
        return k
    k = LlvmKernel(control, **options)
    body(k)
    program = JIT.program(k.finish(), kernel)
    assert set(k.owners) <= {control, *owners}
    state = (ctypes.c_void_p * len(k.owners))(*(owner.address(worker) for owner in k.owners))
    program(ctypes.addressof(state))
    return k


def rows(kernel, values, types, body, **options):
    """Run `body(k, *values)` for each row of values; a list of what it gave for each, as tuples of Python numbers."""
    words = [[word for number, type in zip(row, types) for word in packed(type, number)] for row in values]
    words = np.array(words, np.int64)
    found = {}

    def staged(k, here):
        for i in k.range(0, len(values), vectorize=False if kernel == "fast" else None):
            arguments, at = [], i * words.shape[1]
            for type in types:
                arguments.append(loaded(k, here.input, at, type))
                at = at + (2 if type is I128 else 1)
            results = body(k, *arguments)
            results = [results] if isinstance(results, Value) else list(results)
            found["types"] = [k.as_condition(result).type for result in results]
            for number, result in enumerate(results):
                stored(k, here.output, i * 32 + number * 2, k.as_condition(result))
    outcome = run(kernel, staged, {"input": words.reshape(-1), "output": np.zeros(32 * len(values), np.int64)}, options)
    output = outcome["output"].reshape(len(values), 16, 2)
    return [tuple(unpacked(type, row[number].tolist()) for number, type in enumerate(found["types"])) for row in output]


def packed(type, number):
    """The words of a number in the input."""
    if type.is_float:
        return [int.from_bytes(struct.pack("<f" if type == F32 else "<d", number).ljust(8, b"\0"), "little", signed=True)]
    pattern = int(number) & (1 << 128) - 1
    words = [pattern & (1 << 64) - 1, pattern >> 64]
    return [word - (1 << 64) if word >> 63 else word for word in words][:2 if type is I128 else 1]


def unpacked(type, words):
    """The number that two words of the output hold."""
    data = b"".join(word.to_bytes(8, "little", signed=True) for word in words)
    if type.is_float:
        return struct.unpack("<f" if type == F32 else "<d", data[:type.size])[0]
    return bool(data[0]) if type == BOOL else int.from_bytes(data[:type.size], "little", signed=True)


def loaded(k, words, at, type):
    """A value of `type` from the words of the input."""
    if type == BOOL:
        return words[at] != 0
    if type == I128:
        return k.convert(words[at + 1], I128) << 64 | k.convert(words[at], I128, signed=False)
    return words.starting_at(at).of(type)[0]


def stored(k, words, at, value):
    """Write a value to the words of the output."""
    if value.type == BOOL:
        words[at] = k.convert(value, I64)
    elif value.type == I128:
        words[at], words[at + 1] = k.convert(value, I64), k.convert(value >> 64, I64)
    else:
        words.starting_at(at).of(value.type)[0] = value


def same(a, b):
    """Equality under which NaN is itself and the zeros differ."""
    return repr(a) == repr(b) if isinstance(a, float) else a == b


def differing(values, found, expected):
    """The rows whose outcome is not what is expected, for the message of an assertion; empty if all is well."""
    return [(row, ours, theirs) for row, ours, theirs in zip(values, found, expected)
            if len(ours) != len(theirs) or not all(map(same, ours, theirs))]


class Workers:
    """What data structures ask of a run: so many workers, all of which have work."""
    pipeline = None

    def __init__(self, workers=1, block_rows=1024):
        self.workers, self.control, self.block_rows, self.opened = workers, Control(), block_rows, []
        self.allocation = Allocation(Budget(), self.control.fail)

    def active_workers(self, _pipeline):
        return self.workers

    def open(self, owner):
        """Open an owner once."""
        if owner not in self.opened:
            self.opened.append(owner)
            owner.open(self)
