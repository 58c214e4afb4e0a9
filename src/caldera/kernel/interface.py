"""The kernel: a small language of staged values. One operator text, executed at once or compiled.

A Python value is known while staging, a staged value when the query runs. Operators are written against the verbs of
`Kernel`; `llvm.py` turns each verb into a line of IR text and `python.py` performs it at once, so the second is the
definition of what the first must do. Control flow is spelled with `for`, since a `for` body may run no time:

    for i in k.range(0, count):                 total = k.variable(I64, 0)
        for _ in k.when(values[i] > 10):
            total.set(total.get() + values[i])

The verbs are methods of a kernel, documented in `Verbs` (operators on Value stand for `binary` and `compare`):

    values    constant  binary  compare  convert  reinterpret  choose  accumulate  math  and_  or_  not_
    storage   variable  buffer  memory  array  address  load  store  atomic_add  atomic_load  prefetch
    control   range  when  while_  routine  call  finish
    bits      ones  leading_zeros  trailing_zeros  swap_bytes
    lanes     load(..., lanes=n)  lane_numbers  bits  compress

Three guards catch what a staged language makes easy to get wrong. A value in a Python truth test raises (its truth is
not known yet). A value used after the loop or condition that made it has closed raises (it may never have been computed;
a variable carries it out). A loop body that is left early, by `break`, `return` or an abandoned generator, poisons the
kernel: raising inside a generator that is being closed would be swallowed, so `finish` raises instead.
"""
import ctypes
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

BLOCK_ROWS = 1024


@dataclass(frozen=True)
class Type:
    """A machine type: its LLVM name, width in bits, and how many lanes (1 for a scalar)."""
    name: str
    bits: int
    is_float: bool = False
    lanes: int = 1

    @cached_property
    def size(self):
        return max(1, self.bits // 8)

    @cached_property
    def spelled(self):
        """The type as LLVM writes it."""
        return self.name if self.lanes == 1 else f"<{self.lanes} x {self.name}>"

    @cached_property
    def is_word(self):
        """Whether it is one integer of 32 bits or more."""
        return self.lanes == 1 and not self.is_float and self.bits >= 32

    def times(self, lanes):
        """The type of so many lanes."""
        return self if lanes == self.lanes else Type(self.name, self.bits, self.is_float, lanes)


@dataclass(frozen=True)
class Pointer:
    """The type of a struct field or array element that points to an array of `target`."""
    target: object
    size: int = 8
    spelled = "ptr"


BOOL, I8, I16, I32, I64, I128 = (Type(f"i{bits}", bits) for bits in (1, 8, 16, 32, 64, 128))
F32, F64 = Type("float", 32, is_float=True), Type("double", 64, is_float=True)
FUNCTION = I64                      # the address of a routine that takes and returns 64-bit integers
CTYPES = {I8: ctypes.c_int8, I16: ctypes.c_int16, I32: ctypes.c_int32, I64: ctypes.c_int64,
          F32: ctypes.c_float, F64: ctypes.c_double}
PROTOTYPES = [ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * count) for count in range(7)]
INTRINSIC_MATH = {"sqrt", "floor", "ceil", "trunc", "rint", "fabs"}         # the others are routines of the C library


class Struct:
    """One definition of a layout in memory. `make` gives an instance for Python, `offset` serves generated code."""

    def __init__(self, **fields):
        """Raises ValueError for names that a Memory has for itself."""
        if taken := fields.keys() & {"kernel", "owner", "base", "layout", "field"}:
            raise ValueError(f"a struct cannot have fields with these names: {sorted(taken)}")
        self.fields = fields
        members = [(name, CTYPES.get(type, ctypes.c_int64)) for name, type in fields.items()]
        self.instance = type("Instance", (ctypes.Structure,), {"_fields_": members})

    def make(self, **values):
        return self.instance(**values)

    def offset(self, name):
        return getattr(self.instance, name).offset


class Owner:
    """Something that owns memory which generated code reaches: one struct shared by all workers, or one for each."""
    layout = Struct()

    def __init__(self):
        self.instances, self.arrays = [], []        # `arrays` keeps alive what the structs point to

    def open(self, run):
        """Make the structs for a run, before generated code looks at them. Owners of fixed tables have made theirs."""

    def close(self):
        """The run has ended: let go of its memory."""

    def address(self, worker):
        return ctypes.addressof(self.instances[worker % len(self.instances)])

    def reachable(self):
        """Yield pairs (address, size in bytes) of all memory that generated code may touch on this owner's behalf. Asked by
        the Python kernel in checked mode only."""
        for instance in self.instances:
            yield ctypes.addressof(instance), ctypes.sizeof(instance)
        for array in self.arrays:
            if hasattr(array, "nbytes"):            # callbacks are kept, too
                yield array.ctypes.data, array.nbytes

    def keep(self, array):
        """The address of a numpy array, which then lives as long as this owner keeps it."""
        self.arrays.append(array)
        return array.ctypes.data

    def callback(self, function, arguments=1):
        """The address of a Python function for generated code to call with `arguments` 64-bit integers. It returns an
        integer, or None for 0; what it raises is kept by the kernel's control (see `Control.guarded`)."""
        pointer = PROTOTYPES[arguments](function)
        self.arrays.append(pointer)
        return ctypes.cast(pointer, ctypes.c_void_p).value


class Control(Owner):
    """How a run is stopped and where it reports faults. Shared by all workers.

    stop: not 0 once workers shall return (STOP_*); with STOP_SOURCE alone the rows that are on their way are still wanted.
    faults: bit i for the i-th fault that the program knows; the last bit
    stands for all that have no bit of their own, `late` is then the number of the one that was met. culprit: the text
    whose value a fault's message names, if it names one.
    """
    layout = Struct(stop=I64, faults=I64, culprit=I64, culprit_length=I64, late=I64)
    STOP_FAULT, STOP_CANCEL, STOP_ENOUGH, STOP_SWAP, STOP_SOURCE = 1, 2, 4, 8, 16
    BIT_OF_LATE = 63

    def __init__(self):
        super().__init__()
        self.instances, self.exception = [self.layout.make()], None

    def guarded(self, function):
        """The function, such that an exception stops all workers and is raised by whoever started them."""
        def call(*arguments):
            try:
                return function(*arguments) or 0
            except BaseException as exception:
                self.fail(exception)
                return 0
        return call

    def fail(self, exception):
        """Stop all workers; the exception is what the run will raise."""
        self.exception = self.exception or exception
        self.instances[0].stop |= self.STOP_FAULT


@dataclass(frozen=True)
class Fault:
    """An error that generated code can find. `message` may hold one {}, for the text of the culprit. raised: a function
    that gives the Error instead, where it is known only when the query runs."""
    sqlstate: str
    message: str
    detail: str | None = None
    raised: Callable | None = None


class Region:
    """The body of one loop or condition. Values made in it may be used while it is open."""
    __slots__ = ("open",)

    def __init__(self):
        self.open = True


class Value:
    """A staged scalar or vector. `operand` is the IR name in one kernel and the number itself in the other."""
    __slots__ = ("kernel", "type", "operand", "region")

    def __init__(self, kernel, type, operand, region):
        self.kernel, self.type, self.operand, self.region = kernel, type, operand, region

    def __bool__(self):
        raise TypeError("a staged value has no truth while staging: use k.when, k.choose, k.and_, k.or_, k.not_")

    __hash__ = object.__hash__      # == stages a comparison, so only identity can be hashed

    def __add__(self, other): return self.kernel.binary("add", self, other)
    def __sub__(self, other): return self.kernel.binary("sub", self, other)
    def __mul__(self, other): return self.kernel.binary("mul", self, other)
    def __and__(self, other): return self.kernel.binary("and", self, other)
    def __or__(self, other): return self.kernel.binary("or", self, other)
    def __xor__(self, other): return self.kernel.binary("xor", self, other)
    def __lshift__(self, other): return self.kernel.binary("shl", self, other)
    def __rshift__(self, other): return self.kernel.binary("lshr", self, other)     # shifts zeros in, as bits
    def __eq__(self, other): return self.kernel.compare("eq", self, other)
    def __ne__(self, other): return self.kernel.compare("ne", self, other)
    def __lt__(self, other): return self.kernel.compare("lt", self, other)
    def __le__(self, other): return self.kernel.compare("le", self, other)
    def __gt__(self, other): return self.kernel.compare("gt", self, other)
    def __ge__(self, other): return self.kernel.compare("ge", self, other)


@dataclass
class Variable:
    """A mutable local. It outlives the region that made it: this is how values leave a loop."""
    kernel: object
    type: Type
    slot: object

    def get(self): return self.kernel.read_variable(self)
    def set(self, value): self.kernel.write_variable(self, self.kernel.lift(value, self.type))


@dataclass
class Array:
    """A typed address. Arrays with different `scope` never overlap, which is what lets loops be vectorised. Elements are
    aligned as their type asks, unless `alignment` (bytes) says less: text starts anywhere."""
    kernel: object
    type: object
    base: Value
    scope: object = None
    alignment: int | None = None

    @property
    def element_alignment(self):
        return self.alignment or (8 if self.type.size >= 8 else self.type.size)

    def __getitem__(self, index): return self.kernel.load(self, index)
    def __setitem__(self, index, value): self.kernel.store(self, index, value)
    def cell(self, index): return Cell(self, index)

    def starting_at(self, index):
        """The array that starts at one of its elements."""
        return Array(self.kernel, self.type, self.kernel.element_address(self, index), self.scope, self.alignment)

    def of(self, type): return replace(self, type=type)


@dataclass
class Cell:
    """One array element with the interface of a variable, so an accumulator may live in either."""
    array: Array
    index: object

    @property
    def type(self): return self.array.type
    def get(self): return self.array[self.index]
    def set(self, value): self.array[self.index] = value


class Memory:
    """A staged view of one struct: reading a field loads it now, so it is current after a call that changed it."""

    def __init__(self, kernel, owner, base):
        self.__dict__.update(kernel=kernel, owner=owner, base=base, layout=owner.layout)

    def __getattr__(self, name):
        return self.kernel.load(self.field(name), 0)

    def __setattr__(self, name, value):
        self.kernel.store(self.field(name), 0, value)

    def field(self, name):
        """The field as an array of one element, for atomic_add and the like."""
        return self.kernel.field(self, name)


class Verbs:
    """The verbs that each kernel implements. A method with only a docstring is a definition to be fulfilled.

    Where an argument is called a value, a Python number may stand for a constant of the fitting type.
    """

    def constant(self, type, number) -> Value:
        """A number known while staging; for a vector type, the same in every lane."""

    def binary(self, name, a, b) -> Value:
        """add sub mul and or xor shl lshr ashr, div rem (signed, towards zero), udiv urem; by lanes. Integers wrap and
        nothing can fail: a divisor of zero counts as one, and the smallest number divided by -1 is itself.
        `nullable.checked` detects overflow. Integers of 128 bits are not divided (TypeError). Shift counts must be
        below the width. Floats have add sub mul div (IEEE 754) and rem (C's fmod)."""

    def compare(self, name, a, b) -> Value:
        """eq ne lt le gt ge (signed integers or floats), ult ule ugt uge (unsigned), as BOOL lanes. Comparisons with NaN are
        false, but ne is true; true is greater than false."""

    def convert(self, value, type, signed=True) -> Value:
        """To a wider integer (sign kept unless not `signed`; BOOL gives 0 or 1), to a narrower one (low bits kept), between
        floats and to a float (nearest, ties to even), or from a float to an integer (towards zero, saturating, NaN gives
        0). Integers of 128 bits are not converted to floats or from them (TypeError)."""

    def reinterpret(self, value, type) -> Value:
        """The same bits as another type of the same width."""

    def choose(self, condition, a, b) -> Value:
        """`a` or `b`; both are evaluated, so the code stays free of branches."""

    def accumulate(self, total, value) -> Value:
        """total + value in a sum whose order does not matter: floats may be regrouped, which lets the loop use lanes."""

    def math(self, name, *arguments) -> Value:
        """A function of the C library over floats of 64 bits: sqrt floor ceil trunc rint fabs exp log log10 pow sin ..."""

    def variable(self, type, initial) -> Variable:
        """A mutable local, set to `initial` here."""

    def buffer(self, type, count) -> Array:
        """Scratch memory for the whole function, `count` elements; what it holds at first is undefined."""

    def memory(self, owner) -> Memory:
        """The struct of an owner, reached through the state block."""

    def array(self, type, address, scope=None, alignment=None) -> Array:
        """The array of `type` that starts at an address (I64)."""

    def address(self, array, index=0) -> Value:
        """The address of an element, as I64."""

    def load(self, array, index, lanes=1) -> Value:
        """An element, or `lanes` adjacent ones as a vector. An element that is a pointer comes as an Array."""

    def store(self, array, index, value):
        """Write an element, or as many as the vector has lanes; an Array is stored as its address."""

    def atomic_add(self, array, index, amount) -> Value:
        """Add to an element that workers share; the value before."""

    def atomic_load(self, array, index) -> Value:
        """An element as it is now, which other threads may write: never a value that was read before."""

    def prefetch(self, array, index):
        """The element will be wanted soon."""

    def range(self, start, stop, step=1, vectorize=None):
        """`for i in k.range(...)`: the body is staged once. `vectorize` is a hint for this loop; None leaves it to LLVM."""

    def when(self, condition):
        """`for _ in k.when(...)`: the body runs if the condition holds. Python's True and False cost no branch."""

    def while_(self, condition):
        """`for _ in k.while_(f)`: runs while f() holds; a function, because its code stands at the head of the loop."""

    def routine(self, function, *arguments):
        """`function(k, *arguments)` out of line: its code is emitted once for each list of argument types and called from
        everywhere. It returns a Value or a tuple of Values. It reaches nothing but its arguments and `k.memory`, and does
        not call itself (RuntimeError). An attribute `direct` of the function tells how the Python kernel may do the same at
        once: `direct(*numbers)` gives the number (kernel.text.directly)."""

    def call(self, function, *arguments) -> Value:
        """Call a routine whose address (I64) was loaded from a struct, with up to six I64 arguments. It may change structs:
        load bases anew afterwards."""

    def finish(self):
        """End of the function. Raises if the kernel was poisoned. The text, for a kernel that makes text."""

    def lane_numbers(self, type, lanes) -> Value:
        """The vector 0, 1, 2, ..."""

    def bits(self, mask) -> Value:
        """BOOL lanes (up to 64) as the low bits of an I64, lane 0 lowest."""

    def compress(self, vector, mask) -> Value:
        """The lanes that the mask keeps, moved to the front; what follows them is undefined."""

    def ones(self, value) -> Value:
        """How many bits are set."""

    def leading_zeros(self, value) -> Value:
        """How many zeros stand above the highest bit that is set; the width if there is none."""

    def trailing_zeros(self, value) -> Value:
        """The number of the lowest bit that is set; the width if there is none."""

    def swap_bytes(self, value) -> Value:
        """The bytes in reverse order."""


class Kernel(Verbs):
    """What both kernels share: the guards, and the verbs that are compositions of other verbs.

    `block_rows` sizes buffers; `equal_hashes` is a hostile setting for tests. `control` owns the struct through which
    a run is stopped and errors are reported; `owners` lists every struct reached, in the order of the state block; `faults`
    lists what can go wrong, in the order of their numbers.
    """

    def __init__(self, control, block_rows=BLOCK_ROWS, equal_hashes=False):
        self.regions, self.poison, self.owners, self.faults = [Region()], None, [control], []
        self.control, self.block_rows, self.equal_hashes = control, block_rows, equal_hashes
        self.inside = []                            # routines whose body is being staged

    def fault_number(self, fault):
        """The number by which the program knows a fault."""
        if fault not in self.faults:
            self.faults.append(fault)
        return self.faults.index(fault)

    @staticmethod
    def refuse_wide(*types):
        """Raise TypeError for integers of 128 bits, where the machine would need a routine of a library to handle them."""
        if any(type.bits > 64 for type in types):
            raise TypeError("integers of 128 bits are neither divided nor converted to floats or from them: write a routine")

    def stop_flags(self) -> Value:
        """Why workers shall stop, as other threads say now: of the control's STOP_... or 0. A plain load would be taken out
        of loops that write nothing which LLVM thinks may be it."""
        return self.atomic_load(self.memory(self.control).field("stop"), 0)

    def field(self, memory, name):
        """A field of a Memory, as an array of one element."""
        address = self.element_address(Array(self, I8, memory.base), memory.layout.offset(name))
        return Array(self, memory.layout.fields[name], address, scope=("struct", memory.owner, name))

    @contextmanager
    def region(self, name):
        """Open a region around the body of a `for`; the body runs while the generator that called this is suspended."""
        region = Region()
        self.regions.append(region)
        try:
            yield
        except GeneratorExit:
            self.poison = self.poison or f"the body of k.{name} was left early: a staged loop has no break or return"
            raise
        finally:
            if not self.regions or self.regions.pop() is not region:
                self.poison = "two staged loops were advanced in lock-step: use cursors"
            region.open = False

    @contextmanager
    def entered(self, function):
        """Around the body of a routine: its code is staged once, so it cannot contain itself."""
        if function in self.inside:
            raise RuntimeError(f"the routine {function.__name__} calls itself: staged code has no recursion")
        self.inside.append(function)
        try:
            yield
        finally:
            self.inside.pop()

    def use(self, value):
        """The operand of a value that may be used here."""
        if not value.region.open:
            raise RuntimeError("this value was made in a loop or condition that has closed: carry it out in k.variable")
        return value.operand

    def value(self, type, operand):
        """A value that is good in the innermost open region."""
        return Value(self, type, operand, self.regions[-1])

    def root_value(self, type, operand):
        """A value that is good anywhere in the function: a constant, or something made in its entry block."""
        return Value(self, type, operand, self.regions[0])

    def lift(self, value, type):
        """A Python number becomes a constant of `type`; a staged value stays as it is."""
        return value if isinstance(value, (Value, Array)) else self.constant(type, value)

    def check_finished(self):
        """Raise what a guard has seen, or that a loop is still open."""
        if self.poison or len(self.regions) != 1:
            raise RuntimeError(self.poison or "a staged loop is still open")

    def and_(self, *conditions):
        """Conjunction in which Python's True and False fold away: a column that is NOT NULL costs no code."""
        staged = [condition for condition in conditions if condition is not True]
        if any(condition is False for condition in staged):
            return False
        result = staged[0] if staged else True
        for condition in staged[1:]:
            result = self.binary("and", result, condition)
        return result

    def or_(self, *conditions):
        """Disjunction, with the same folding."""
        staged = [condition for condition in conditions if condition is not False]
        if any(condition is True for condition in staged):
            return True
        result = staged[0] if staged else False
        for condition in staged[1:]:
            result = self.binary("or", result, condition)
        return result

    def not_(self, condition):
        """Negation, with the same folding."""
        return not condition if isinstance(condition, bool) else self.binary("xor", condition, True)

    def as_condition(self, condition):
        """Python's True and False as a staged BOOL; a staged one as it is."""
        return self.constant(BOOL, condition) if isinstance(condition, bool) else condition

    def least(self, a, b):
        """The smaller of two signed integers."""
        return self.choose(a < b, a, b)

    def greatest(self, a, b):
        """The larger of two signed integers."""
        return self.choose(a > b, a, b)

    def negate(self, a):
        """-a; for floats the sign is flipped, also that of zero and NaN."""
        return self.constant(a.type, -0.0 if a.type.is_float else 0) - a
