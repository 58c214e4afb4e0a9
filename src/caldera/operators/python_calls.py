"""Calls from generated code into plain Python, one row at a time.

A function that has no staged body yet is called through a pointer, with its arguments' words in a struct of the worker. It
stands inside the row loop, under the guards that are in force there, so no function makes a query leave the engine. What it
raises stops the run and is raised again by whoever started it.
"""
import ctypes

from caldera.kernel.interface import FUNCTION, I64, Owner, Pointer, Struct
from caldera.kernel.layouts import TEXT
from caldera.kernel.nullable import Sql
from caldera.kernel.text import INLINE_BYTES, Text
from caldera.operators.constants import datum_of_words, datum_words


class PythonCall(Owner):
    """One place where a function is called: words of the arguments (a word of validity first), then those of the result."""
    layout = Struct(words=Pointer(I64), call=FUNCTION)

    def __init__(self, function, types, result, scratch, session):
        super().__init__()
        self.function, self.types, self.result, self.scratch, self.session = function, types, result, scratch, session
        self.offsets, at = [], 0
        for type in [*types, result]:
            self.offsets.append(at)
            at += 1 + type.layout.words
        self.size = at + 2

    @classmethod
    def of_function(cls, body, types, result, scratch, session):
        """A call of a bare function over datums that are never None."""
        class Bare:
            """What stands for a definition in the registry."""
            strict, wants_session, wants_types = True, False, False
        bare = Bare()
        bare.body = body
        return cls(bare, types, result, scratch, session)

    def open(self, run):
        run.open(self.scratch)
        self.instances, self.arrays, self.check = [], [], run.check
        for worker in range(run.workers):
            words = run.allocation.take(self.size, zeroed=True)
            self.arrays.append(words)
            call = self.callback(run.control.guarded(lambda _, worker=worker, words=words: self.call(worker, words)))
            self.instances.append(self.layout.make(words=words.ctypes.data, call=call))

    def close(self):
        self.instances, self.arrays = [], []

    def call(self, worker, words):
        """Arguments from words to datums, call, result to words."""
        self.check()                                # no scan looks for a cancel while functions take their time
        base = words.ctypes.data
        arguments = [self.read(type, base + 8 * at) for type, at in zip(self.types, self.offsets)]
        if self.function.wants_types:
            arguments.insert(0, self.types)
        if self.function.wants_session:
            arguments.insert(0, self.session)
        result = self.function.body(*arguments)
        at = self.offsets[-1]
        words[at] = result is not None
        if result is not None:
            packed = datum_words(self.result.layout, result, lambda data: self.place(worker, data))
            words[at + 1:at + 1 + len(packed)] = packed

    def read(self, type, address):
        words = (ctypes.c_int64 * (1 + type.layout.words)).from_address(address)
        return datum_of_words(type, type.layout, words[1:], address + 8) if words[0] else None

    def place(self, worker, data):
        address = self.scratch.allocate_in_python(worker, len(data))
        ctypes.memmove(address, data, len(data))
        return address

    def stage(self, k, arguments, row):
        """Emit the call. A strict function is called only where all arguments are there."""
        here, at = k.memory(self), self.offsets[-1]
        words = here.words
        k_valid = k.and_(*(argument.valid for argument in arguments)) if self.function.strict else True
        harmless = k.control.STOP_SWAP | k.control.STOP_ENOUGH       # the rows of this block are still wanted then
        going_on = (k.memory(k.control).stop & ~harmless) == 0
        wanted = k.and_(k_valid, *row.faults.guards, going_on)
        words[at] = 0
        for word in range(self.result.layout.words):
            words[at + 1 + word] = 0
        for _ in k.when(wanted):
            for type, offset, argument in zip(self.types, self.offsets, arguments):
                words[offset] = k.convert(k.as_condition(argument.valid), I64)
                for number, word in enumerate(type.layout.to_words(k, argument.value)):
                    words[offset + 1 + number] = word
            k.call(here.call, 0)
        return Sql(self.result_value(k, words, at), words[at] != 0)

    def result_value(self, k, words, at):
        """The result; a short text is copied out of the struct, which the next row overwrites."""
        if self.result.layout is not TEXT:
            return self.result.layout.from_words(k, words, at + 1)
        first, second = words[at + 1], words[at + 2]
        length = first & 0xFFFFFFFF
        address = k.variable(I64, second)
        for _ in k.when(length <= INLINE_BYTES):
            address.set(self.scratch.allocate(k, k.constant(I64, 16)))
            copy = k.array(I64, address.get(), alignment=1)
            copy[0] = first >> 32 | second << 32
            copy[1] = second >> 32
        return Text(k, address.get(), length, "block")
