"""Calls from generated code into plain Python, one row at a time.

A function that has no staged body yet is called through a pointer, with its arguments' words in a struct of the worker. It
stands inside the row loop, under the guards that are in force there, so no function makes a query leave the engine. What it
raises stops the run and is raised again by whoever started it.
"""
import ctypes
import functools
import struct

from caldera.kernel.interface import FUNCTION, I64, Owner, Pointer, Struct
from caldera.kernel.layouts import BOOLEAN, FLOAT4, FLOAT8, TEXT
from caldera.kernel.nullable import Sql
from caldera.kernel.text import INLINE_BYTES, Text
from caldera.types.datums import FROM_WORDS, TO_WORDS

SHORT_TEXT, LONG_TEXT = struct.Struct(f"<i{INLINE_BYTES}s"), struct.Struct("<i4sq")     # the forms of a text's cell
SINGLE = struct.Struct("<f")


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
            strict, wants_session, wants_types, wants_result = True, False, False, False
        bare = Bare()
        bare.body = body
        return cls(bare, types, result, scratch, session)

    def open(self, run):
        run.open(self.scratch)
        self.instances, self.arrays = [], []
        for worker in range(run.workers):
            words = run.allocation.take(self.size, zeroed=True)
            self.arrays.append(words)
            call = self.callback(run.control.guarded(self.entry(memoryview(words), run.check, worker)))
            self.instances.append(self.layout.make(words=words.ctypes.data, call=call))

    def close(self):
        self.instances, self.arrays = [], []

    def entry(self, words, check, worker):
        """What a worker's machine code calls for each row: arguments from words to datums, call, result to words. All that
        is known of the types is settled here, once."""
        function, last = self.function, self.offsets[-1]
        leading = [self.session] if function.wants_session else []
        leading += [self.types] if function.wants_types else []
        leading += [self.result] if function.wants_result else []
        body = functools.partial(function.body, *leading) if leading else function.body
        readers = [reader(type, words, at) for type, at in zip(self.types, self.offsets)]
        if not function.strict:
            readers = [optional(read, words, at) for read, at in zip(readers, self.offsets)]
        write = writer(self.result, words, last + 1, lambda data: self.place(worker, data))

        def call(_):
            check()                             # no scan looks for a cancel while functions take their time
            result = body(*[read() for read in readers])
            if result is not None:
                write(result)
                words[last] = 1
        return call

    def place(self, worker, data):
        address = self.scratch.allocate_in_python(worker, len(data))
        ctypes.memmove(address, data, len(data))
        return address

    def stage(self, k, arguments, row):
        """Emit the call. A strict function is called only where all arguments are there."""
        here, at = k.memory(self), self.offsets[-1]
        words = here.words
        k_valid = k.and_(*(argument.valid for argument in arguments)) if self.function.strict else True
        control = k.control
        harmless = control.STOP_SWAP | control.STOP_ENOUGH | control.STOP_SOURCE    # this block's rows are still wanted
        going_on = (k.stop_flags() & ~harmless) == 0
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


def reader(type, words, at):
    """A function that gives the datum of a type whose word of validity is number `at` of a memoryview of words."""
    layout, data, start = type.layout, words.cast("B"), 8 * (at + 1)
    if layout is TEXT:
        inline, of_bytes = start + 4, type.from_bytes

        def text():
            length = words[at + 1] & 0xFFFFFFFF
            return of_bytes(bytes(data[inline:inline + length]) if length <= INLINE_BYTES
                            else ctypes.string_at(words[at + 2], length))
        return text
    if layout.name in FROM_WORDS:
        of_words = FROM_WORDS[layout.name]
        return lambda: of_words(words[at + 1], words[at + 2])
    if layout is FLOAT8:
        return functools.partial(data.cast("d").__getitem__, at + 1)
    if layout is FLOAT4:
        return lambda: SINGLE.unpack_from(data, start)[0]
    if layout is BOOLEAN:
        return lambda: words[at + 1] != 0
    return functools.partial(words.__getitem__, at + 1)


def optional(read, words, at):
    """The same for a value that may be NULL."""
    return lambda: read() if words[at] else None


def writer(type, words, at, place):
    """A function that writes a datum to the words from number `at` on. `place(bytes)` puts a long text somewhere and returns
    its address."""
    layout, data, start = type.layout, words.cast("B"), 8 * at
    if layout is TEXT:
        to_bytes = type.to_bytes

        def text(datum):
            encoded = to_bytes(datum)
            length = len(encoded)
            if length <= INLINE_BYTES:
                SHORT_TEXT.pack_into(data, start, length, encoded)
            else:
                LONG_TEXT.pack_into(data, start, length, encoded[:4], place(encoded))
        return text
    if layout.name in TO_WORDS:
        to_words = TO_WORDS[layout.name]

        def pair(datum):
            words[at], words[at + 1] = to_words(datum)
        return pair
    if layout is FLOAT8:
        return functools.partial(data.cast("d").__setitem__, at)
    if layout is FLOAT4:
        def single(datum):
            SINGLE.pack_into(data, start, datum)
        return single

    def integer(datum):
        words[at] = int(datum)
    return integer
