"""The kernel that executes: every verb is performed at once, on real memory. It is the definition of each verb.

Integers are typed and wrap; a vector is a numpy array, and what a verb does to it is what it does to every lane. Fresh
buffers are filled with a pattern, so that reading what was never written shows. In `checked` mode every access must lie
within memory that was announced: buffers, and what owners say that they reach (`Owner.reachable`).
"""
import bisect
import ctypes
import math
import operator
import struct

import numpy as np

from caldera.kernel.interface import (BOOL, CTYPES, F32, I64, PROTOTYPES, Array, Kernel, Memory, Pointer, Region, Value,
                                      Variable)

BINARY = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "and": operator.and_, "or": operator.or_,
          "xor": operator.xor, "shl": operator.lshift, "ashr": operator.rshift}
DIVISIONS = {"div", "rem", "udiv", "urem"}
DTYPES = {BOOL: np.bool_, **CTYPES}
COMPARE = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge}
NUMPY_MATH = {"sqrt": np.sqrt, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint, "fabs": np.fabs}
LIBRARY = ctypes.CDLL(None)


def wrap(type, number):
    """The number that remains when `type` keeps its low bits; two's complement, as the machine does."""
    if type.is_float:
        return round_to_float4(number) if type == F32 else number
    if type == BOOL:
        return bool(number & 1)
    half = 1 << (type.bits - 1)
    return ((number + half) & (2 * half - 1)) - half


def unsigned(type, number):
    """The number that the same bits mean without a sign."""
    return number & ((1 << type.bits) - 1)


def round_to_float4(number):
    """The nearest number of 32 bits; too large ones become infinite."""
    return ctypes.c_float(number).value


def to_float(type, number):
    """The nearest number of a float type. An integer is rounded once: by way of 64 bits it would be rounded twice."""
    if type == F32 and not isinstance(number, float):
        return float(np.float32(np.int64(number) if number < 1 << 63 else np.uint64(number)))
    return wrap(type, float(number))


def by_lanes(type, function, *operands):
    """`function` of the operands or, if they are vectors, of each lane of them; `type` is what results."""
    if not any(isinstance(operand, np.ndarray) for operand in operands):
        return function(*operands)
    return np.array([function(*lane) for lane in zip(*(operand.tolist() for operand in operands))], DTYPES[type.times(1)])


def binary(type, name, x, y):
    """`Verbs.binary` of two numbers."""
    if name in DIVISIONS:
        return wrap(type, divide_floats(name, x, y)) if type.is_float else divide(type, name, x, y)
    return wrap(type, unsigned(type, x) >> y if name == "lshr" else BINARY[name](x, y))


def compare(type, name, x, y):
    """`Verbs.compare` of two numbers."""
    if name[0] == "u":
        return COMPARE[name[1:]](unsigned(type, x), unsigned(type, y))
    return COMPARE[name](x, y)


def convert(source, type, number, signed):
    """`Verbs.convert` of a number."""
    if not signed and not source.is_float:
        number = unsigned(source, number)
    if type.is_float:
        return to_float(type, number)
    if source.is_float:
        half = 1 << (type.bits - 1)
        number = 0 if math.isnan(number) else -half if number < -half else half - 1 if number >= half else int(number)
    return wrap(type, int(number))


def divide(type, name, x, y):
    """Total division of integers, towards zero."""
    if name[0] == "u":
        x, y = unsigned(type, x), unsigned(type, y)
    y = y or 1
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return wrap(type, quotient if name.endswith("div") else x - quotient * y)


def divide_floats(name, x, y):
    """IEEE 754 division and C's fmod, without Python's exceptions."""
    if name == "rem":
        return math.nan if y == 0 or math.isinf(x) else math.fmod(x, y)
    if y != 0:
        return x / y
    return math.nan if x == 0 or math.isnan(x) else math.copysign(math.inf, x) * math.copysign(1, y)


class TooLong(Exception):
    """A routine has gone through its loops too often for being executed one verb at a time."""


class PythonKernel(Kernel):
    """Performs every verb for one worker. `routine_steps_max`: how often a routine may go through its loops, if the kernel
    knows what else to do (`run_long_routine`)."""
    routine_steps_max = steps_left = None

    def __init__(self, control, worker=0, checked=False, **options):
        self.worker, self.kept = worker, []        # `kept` keeps the memory behind buffers alive
        self.checked, self.known = checked, []     # sorted pairs (start, stop) of memory that may be touched
        super().__init__(control, **options)

    # values
    def constant(self, type, number):
        if type.lanes > 1:
            lane = type.times(1)
            return self.root_value(type, np.full(type.lanes, self.constant(lane, number).operand, DTYPES[lane]))
        return self.root_value(type, wrap(type, float(number) if type.is_float else int(number)))

    def binary(self, name, a, b):
        x, y = self.use(a), self.use(self.lift(b, a.type))
        if name in DIVISIONS:
            self.refuse_wide(a.type)
        return self.value(a.type, by_lanes(a.type, lambda x, y: binary(a.type.times(1), name, x, y), x, y))

    def compare(self, name, a, b):
        x, y = self.use(a), self.use(self.lift(b, a.type))
        return self.value(BOOL.times(a.type.lanes), by_lanes(BOOL, lambda x, y: compare(a.type.times(1), name, x, y), x, y))

    def convert(self, value, type, signed=True):
        source, type = value.type.times(1), type.times(1)
        if source.is_float != type.is_float:
            self.refuse_wide(source, type)
        number = by_lanes(type, lambda number: convert(source, type, number, signed), self.use(value))
        return self.value(type.times(value.type.lanes), number)

    def reinterpret(self, value, type):
        source, type = value.type.times(1), type.times(1)
        if type == source:
            return value
        codes = {(True, 32): "f", (True, 64): "d", (False, 32): "i", (False, 64): "q"}
        read, write = codes[source.is_float, source.bits], codes[type.is_float, type.bits]
        number = by_lanes(type, lambda number: struct.unpack(write, struct.pack(read, number))[0], self.use(value))
        return self.value(type.times(value.type.lanes), number)

    def choose(self, condition, a, b):
        if isinstance(condition, bool):
            return a if condition else b
        type = (a if isinstance(a, Value) else b).type
        if condition.type.lanes > 1:
            arms = (self.use(self.lift(arm, type)) for arm in (a, b))
            return self.value(type, np.where(self.use(condition), *arms))
        return self.value(type, self.use(self.lift(a if self.use(condition) else b, type)))

    def accumulate(self, total, value):
        return total + value

    def math(self, name, *arguments):
        type = next(argument.type for argument in arguments if isinstance(argument, Value))
        numbers = [self.use(self.lift(argument, type)) for argument in arguments]
        if name in NUMPY_MATH:
            lane_type, function = type.times(1), NUMPY_MATH[name]
            with np.errstate(all="ignore"):
                return self.value(type, by_lanes(type, lambda number: wrap(lane_type, float(function(number))), *numbers))
        routine = getattr(LIBRARY, name)
        routine.restype, routine.argtypes = ctypes.c_double, [ctypes.c_double] * len(numbers)
        return self.value(type, routine(*numbers))

    # storage
    def variable(self, type, initial):
        return Variable(self, type, [self.use(self.lift(initial, type))])

    def read_variable(self, variable):
        return self.value(variable.type, variable.slot[0])

    def write_variable(self, variable, value):
        variable.slot[0] = self.use(value)

    def buffer(self, type, count):
        memory = ctypes.create_string_buffer(b"\xaa" * (type.size * count + 64))
        self.kept.append(memory)
        start = ctypes.addressof(memory)
        aligned = -(-start // 64) * 64
        if self.checked:
            self.announce(aligned, type.size * count)
        return Array(self, type, self.root_value(I64, aligned))

    def memory(self, owner):
        if owner not in self.owners:
            self.owners.append(owner)
        return Memory(self, owner, self.root_value(I64, owner.address(self.worker)))

    def announce(self, start, size):
        """Tell checked mode of memory that may be touched."""
        bisect.insort(self.known, (start, start + size))

    def known_owners(self):
        """Whose memory may be touched in checked mode."""
        return self.owners

    def check(self, address, size):
        """In checked mode, that an access lies in known memory. What owners keep may have changed since, so look again."""
        at = bisect.bisect_right(self.known, (address, 1 << 63)) - 1
        if at >= 0 and address + size <= self.known[at][1]:
            return
        for owner in self.known_owners():
            for start, length in owner.reachable():
                self.announce(start, length)
        self.known = merged(self.known)
        at = bisect.bisect_right(self.known, (address, 1 << 63)) - 1
        if at < 0 or address + size > self.known[at][1]:
            raise IndexError(f"an access of {size} bytes at {address:#x} is outside of all known memory")

    def array(self, type, address, scope=None, alignment=None):
        return Array(self, type, address, scope, alignment)

    def address(self, array, index=0):
        return self.element_address(array, index)

    def element_address(self, array, index):
        return self.value(I64, self.use(array.base) + self.use(self.lift(index, I64)) * array.type.size)

    def load(self, array, index, lanes=1):
        address, type = self.use(self.element_address(array, index)), array.type
        if self.checked:
            self.check(address, type.size * lanes)
        if isinstance(type, Pointer):
            return Array(self, type.target, self.value(I64, ctypes.c_int64.from_address(address).value), scope=array.scope)
        if lanes > 1:
            return self.value(type.times(lanes), np.array((CTYPES[type] * lanes).from_address(address)))
        return self.value(type, CTYPES[type].from_address(address).value)

    def store(self, array, index, value):
        value = self.lift(value, array.type)
        address = self.use(self.element_address(array, index))
        if self.checked:
            self.check(address, array.type.size * (1 if isinstance(value, Array) else value.type.lanes))
        if isinstance(value, Array):
            ctypes.c_int64.from_address(address).value = self.use(value.base)
        elif value.type.lanes > 1:
            ctypes.memmove(address, self.use(value).ctypes.data, array.type.size * value.type.lanes)
        else:
            CTYPES[array.type].from_address(address).value = self.use(value)

    def atomic_add(self, array, index, amount):
        before = self.load(array, index)
        self.store(array, index, before + amount)
        return before

    def atomic_load(self, array, index):
        return self.load(array, index)

    def prefetch(self, array, index):
        pass

    # control
    def range(self, start, stop, step=1, vectorize=None):
        for number in range(self.use(self.lift(start, I64)), self.use(self.lift(stop, I64)), step):
            self.count_step()
            with self.region("range"):
                yield self.value(I64, number)

    def when(self, condition):
        if condition is True or condition is not False and self.use(condition):
            with self.region("when"):
                yield

    def while_(self, condition):
        while True:
            self.count_step()
            with self.region("while_"):
                more = condition()
                if more is False or more is not True and not self.use(more):
                    return
                yield

    def routine(self, function, *arguments):
        operands = [self.use(argument) for argument in arguments]
        direct = getattr(function, "direct", None)
        if direct is not None and not self.checked:
            return self.value(function.result, wrap(function.result, direct(*operands)))
        regions = list(self.regions)
        try:
            single, numbers = self.executed(function, [argument.type for argument in arguments], operands)
        except TooLong:
            numbers = None
        if numbers is None:                     # by now the loops that were left have closed, which is no mistake here
            self.poison, self.regions[:] = None, regions
            single, numbers = self.run_long_routine(function, [argument.type for argument in arguments], operands)
        values = tuple(self.value(type, number) for type, number in numbers)
        return values[0] if single else values

    def executed(self, function, types, operands):
        """A routine, verb by verb: (whether it has one result, [(type, number)])."""
        outer, steps_left = self.regions, self.steps_left
        self.regions, self.steps_left = [Region()], self.routine_steps_max
        try:
            with self.entered(function):
                results = function(self, *(self.root_value(type, operand) for type, operand in zip(types, operands)))
            self.check_finished()
            single = isinstance(results, Value)
            return single, [(result.type, self.use(result)) for result in ((results,) if single else results)]
        finally:
            self.regions, self.steps_left = outer, steps_left

    def count_step(self):
        """One more step of a loop. Raises TooLong if the routine that is being executed has had its share."""
        if self.steps_left is not None:
            self.steps_left -= 1
            if self.steps_left < 0:
                raise TooLong

    def run_long_routine(self, function, types, numbers):
        """Where `routine_steps_max` is set: another way to do a routine that has gone on too long, from its beginning; what
        it wrote it writes again. Returns (whether it has one result, [(type, number)])."""
        raise NotImplementedError

    def call(self, function, *arguments):
        operands = [self.use(self.lift(argument, I64)) for argument in arguments]
        return self.value(I64, PROTOTYPES[len(operands)](self.use(function))(*operands))

    def finish(self):
        self.check_finished()

    # bits and lanes
    def of_bits(self, value, function):
        """A function of a number without a sign, which gives a number of the same type."""
        type = value.type.times(1)
        number = by_lanes(type, lambda number: wrap(type, function(unsigned(type, number))), self.use(value))
        return self.value(value.type, number)

    def ones(self, value):
        return self.of_bits(value, int.bit_count)

    def leading_zeros(self, value):
        return self.of_bits(value, lambda number: value.type.bits - number.bit_length())

    def trailing_zeros(self, value):
        return self.of_bits(value, lambda number: (number & -number).bit_length() - 1 if number else value.type.bits)

    def swap_bytes(self, value):
        size = value.type.size
        return self.of_bits(value, lambda number: int.from_bytes(number.to_bytes(size, "little"), "big"))

    def lane_numbers(self, type, lanes):
        return self.value(type.times(lanes), np.arange(lanes, dtype=CTYPES[type]))

    def bits(self, mask):
        return self.value(I64, wrap(I64, sum(1 << lane for lane, bit in enumerate(self.use(mask)) if bit)))

    def compress(self, vector, mask):
        kept = self.use(vector)[self.use(mask)]
        return self.value(vector.type, np.concatenate([kept, np.zeros(vector.type.lanes - len(kept), kept.dtype)]))


def merged(ranges):
    """Sorted ranges of memory without overlaps, so that the last one to start at or before an address decides."""
    result = []
    for start, stop in sorted(ranges):
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(stop, result[-1][1])
        else:
            result.append((start, stop))
    return result
