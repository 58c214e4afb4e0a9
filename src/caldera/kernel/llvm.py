"""The kernel that compiles: every verb appends a line of LLVM IR text. Only this file spells LLVM instructions.

The result of staging is a module whose function `i64 @run(ptr %state)` is one pipeline. The state block is an array of
pointers to structs, one for each of `owners`; the text therefore holds no address, and can be cached and sent to another
machine. Routines (`Verbs.routine`) are internal functions of the same module. They are given the structs that they reach,
and named after their text, so that programs which have the same one need not compile it each for itself
(compile/routines.py). Those of functions that know nothing of a query are staged once in a process (`KeptRoutine`).
With `origins`, each line ends in a comment that names the line of the generator that asked for it.
"""
import functools
import hashlib
import itertools
import re
import struct
import sys
from dataclasses import dataclass
from types import FunctionType

from caldera.kernel.interface import (BOOL, F64, I64, INTRINSIC_MATH, Array, Control, Kernel, Memory, Pointer, Region, Type,
                                      Value, Variable)

COMPARE_INTEGER = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge",
                   "ult": "ult", "ule": "ule", "ugt": "ugt", "uge": "uge"}
COMPARE_FLOAT = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}
DIVISIONS = {"div": "sdiv", "rem": "srem", "udiv": "udiv", "urem": "urem"}
ADDRESS = Type("ptr", 64)
NOTES = re.compile(r", ![a-z._]+ ![0-9]+")              # metadata of an instruction, whose numbers are the module's
FACTS = re.compile(r"(?:, ![a-z._]+ ![0-9]+)+")         # all that one instruction has of it
SMALL = 1 << 31                 # numbers below are written as they are, in types that have room for them
SCOPES_MAX = 128                # fields with alias facts; what LLVM makes of them costs time with the square of their number
KERNEL_FILES = "kernel/llvm.py", "kernel/interface.py", "kernel/nullable.py", "kernel/layouts.py", "contextlib.py"


def spell_constant(type, number):
    """A number of a type as LLVM writes it; for a vector type, the same in every lane."""
    if number.__class__ is int and type.is_word and -SMALL <= number < SMALL:
        return str(number)
    if type.is_float:           # decimal notation would round; the bit pattern does not. A float is written as a double
        if type.bits == 32:
            number = struct.unpack("f", struct.pack("f", number))[0]
        text = "0x" + struct.pack(">d", number).hex()
    elif type.bits > 1:
        half = 1 << (type.bits - 1)
        text = str(((int(number) + half) & (2 * half - 1)) - half)
    else:
        text = "true" if number else "false"
    return text if type.lanes == 1 else f"splat ({type.name} {text})"


def alignment(array, type):
    """What an access to elements of an array says of their address, unless it is what LLVM expects of the type."""
    return "" if array.alignment is None and type.lanes == 1 and type.bits <= 64 else f", align {array.element_alignment}"


class Function:
    """The text of one function while it grows: its entry block (allocas, struct addresses) and its body. structs: {id of an
    owner: (the owner, the operand that points to its struct)}. is_routine: whether structs are parameters, which in `run`
    come from the state block. fields: {(id of an owner, name of a field): the field}. names: how many names it has given."""

    def __init__(self, is_routine=False):
        self.entry, self.body, self.block, self.structs, self.fields = [], [], "start", {}, {}
        self.is_routine, self.names = is_routine, 0


@dataclass
class KeptRoutine:
    """A routine that means the same in all programs. told: what `LlvmKernel.emit_routine` gives; pieces: its text, cut where
    metadata stands, whose numbers are the module's; facts: what stands at the cuts, as (method of the kernel, argument);
    calls: (function, types) of the routines that it calls; declared: what it asks the module to declare."""
    told: tuple
    pieces: list
    facts: list
    calls: list
    declared: dict


KEPT = {}                       # (function, types, options of the kernel) -> KeptRoutine, or None where it cannot be kept
NOBODY = Control()              # of kernels that stage what is kept: a routine that reaches it belongs to a run


def knows_no_query(function):
    """Whether what a function stages follows from its arguments' types."""
    return isinstance(function, FunctionType) and function.__closure__ is None and "<locals>" not in function.__qualname__


class LlvmKernel(Kernel):
    """Appends IR text for every verb; `finish` returns the module."""

    def __init__(self, control, origins=False, **options):
        self.metadata, self.declared, self.scopes = ["!0 = distinct !{!0}"], {}, {}
        self.routines, self.names, self.finished, self.origins, self.facts = {}, set(), [], origins, {}
        self.function = Function()
        self.body = self.function.body
        super().__init__(control, **options)

    # emission
    def line(self, text):
        """Append a line to the body, with its origin if wanted."""
        self.body.append("  " + text + (self.origin() if self.origins else ""))

    def origin(self):
        """A comment that names the nearest caller outside the kernel's verbs."""
        frame = sys._getframe(2)
        while frame.f_back and frame.f_code.co_filename.endswith(KERNEL_FILES):
            frame = frame.f_back
        path = frame.f_code.co_filename.partition("caldera/")[2] or frame.f_code.co_filename
        return f"    ; {path}:{frame.f_lineno} {frame.f_code.co_name}"

    def fresh(self, prefix="v"):
        """A name that the function has not used."""
        self.function.names += 1
        return f"{prefix}{self.function.names}"

    def emit(self, type, instruction):
        """Append an instruction that has a result."""
        function = self.function
        function.names += 1
        name = f"%v{function.names}"
        self.body.append(f"  {name} = {instruction}{self.origin() if self.origins else ''}")
        return Value(self, type, name, self.regions[-1])

    def declared_call(self, type, name, *arguments):
        """Call an intrinsic or a function of the C library."""
        operands = ", ".join(f"{argument.type.spelled} {self.use(argument)}" for argument in arguments)
        parameters = ", ".join(argument.type.spelled for argument in arguments)
        self.declared[name] = f"declare {type.spelled} @{name}({parameters})"
        return self.emit(type, f"call {type.spelled} @{name}({operands})")

    def intrinsic(self, type, stem, *arguments):
        """Call an intrinsic that is overloaded on its result's type."""
        suffix = type.name if not type.is_float else {32: "f32", 64: "f64"}[type.bits]
        lanes = f"v{type.lanes}" if type.lanes > 1 else ""
        return self.declared_call(type, f"llvm.{stem}.{lanes}{suffix}", *arguments)

    def open_block(self, label):
        self.body.append(f"{label}:")
        self.function.block = label

    def note(self, content):
        """A metadata node; returns its number. A node that names itself is written with `{self}`."""
        number = len(self.metadata)
        self.metadata.append(f"!{number} = " + content.replace("{self}", f"!{number}"))
        return number

    def alias_facts(self, scope):
        """Metadata that says this access touches its own scope and no other. LLVM cannot see that by itself, because
        the bases were loaded from memory. The lists of other scopes are known only at the end, so `finish` writes them."""
        if scope is None:
            return ""
        if scope.__class__ is tuple and scope[0] == "struct":           # LLVM sees that the fields of one lie apart
            scope = scope[:2]
        if scope not in self.scopes:
            number = len(self.metadata)
            self.metadata += f"!{number} = distinct !{{!{number}, !0}}", f"!{number + 1} = !{{!{number}}}", "others"
            text = f", !alias.scope !{number + 1}, !noalias !{number + 2}"
            self.scopes[scope] = text, number, number + 2
            self.facts[text] = LlvmKernel.alias_facts, scope
        return self.scopes[scope][0]

    # values
    def constant(self, type, number):
        return self.root_value(type, spell_constant(type, number))

    def operand(self, value, type):
        """What stands for a staged value, or for a Python number of that type."""
        return self.use(value) if value.__class__ is Value else spell_constant(type, value)

    def binary(self, name, a, b):
        type = a.type
        if name in DIVISIONS and not type.is_float:
            return self.divide(name, a, self.lift(b, type), b if not isinstance(b, Value) else None)
        return self.emit(type, f"{'f' if type.is_float else ''}{name} {type.spelled} {self.use(a)}, {self.operand(b, type)}")

    def divide(self, name, a, b, known):
        """Total division: LLVM's is undefined for a divisor of zero and for the smallest number by -1."""
        self.refuse_wide(a.type)
        if name in ("div", "rem") and (known is None or known in (0, -1)):
            minus_one = self.compare("eq", b, -1)
            safe = self.choose(self.or_(minus_one, self.compare("eq", b, 0)), self.constant(a.type, 1), b)
            quotient = self.emit(a.type, f"{DIVISIONS[name]} {a.type.spelled} {self.use(a)}, {self.use(safe)}")
            return self.choose(minus_one, self.constant(a.type, 0) - a, quotient) if name == "div" else quotient
        if known is None or known == 0:
            b = self.choose(self.compare("eq", b, 0), self.constant(a.type, 1), b)
        return self.emit(a.type, f"{DIVISIONS[name]} {a.type.spelled} {self.use(a)}, {self.use(b)}")

    def compare(self, name, a, b):
        if a.type.is_float:
            predicate = "fcmp " + COMPARE_FLOAT[name]
        else:                                       # true is 1, where LLVM's signed order would take its only bit for a sign
            predicate = "icmp " + COMPARE_INTEGER[name].replace("s", "u" if a.type.bits == 1 else "s")
        operands = f"{a.type.spelled} {self.use(a)}, {self.operand(b, a.type)}"
        return self.emit(BOOL.times(a.type.lanes), f"{predicate} {operands}")

    def convert(self, value, type, signed=True):
        source, type = value.type, type.times(value.type.lanes)
        if type == source:
            return value
        if source.is_float != type.is_float:
            self.refuse_wide(source, type)
        if source.is_float and not type.is_float:
            suffix = "f32" if source.bits == 32 else "f64"
            lanes = f"v{type.lanes}" if type.lanes > 1 else ""
            return self.declared_call(type, f"llvm.fptosi.sat.{lanes}{type.name}.{lanes}{suffix}", value)
        if source.is_float:
            instruction = "fpext" if type.bits > source.bits else "fptrunc"
        elif type.is_float:
            instruction = "uitofp" if source.bits == 1 or not signed else "sitofp"
        elif type.bits < source.bits:
            instruction = "trunc"
        else:
            instruction = "zext" if source.bits == 1 or not signed else "sext"
        return self.emit(type, f"{instruction} {source.spelled} {self.use(value)} to {type.spelled}")

    def reinterpret(self, value, type):
        type = type.times(value.type.lanes)
        if type == value.type:
            return value
        return self.emit(type, f"bitcast {value.type.spelled} {self.use(value)} to {type.spelled}")

    def choose(self, condition, a, b):
        if isinstance(condition, bool):
            return a if condition else b
        type = (a if isinstance(a, Value) else b).type
        spelled = type.spelled
        arms = f"{spelled} {self.operand(a, type)}, {spelled} {self.operand(b, type)}"
        return self.emit(type, f"select {condition.type.spelled} {self.use(condition)}, {arms}")

    def accumulate(self, total, value):
        if not total.type.is_float:
            return total + value
        return self.emit(total.type, f"fadd reassoc nsz {total.type.spelled} {self.use(total)}, {self.use(value)}")

    def math(self, name, *arguments):
        type = next(argument.type for argument in arguments if isinstance(argument, Value))
        arguments = [self.lift(argument, type) for argument in arguments]
        if name in INTRINSIC_MATH:
            return self.intrinsic(type, name, *arguments)
        return self.declared_call(F64, name, *arguments)

    # storage
    def variable(self, type, initial):
        slot = f"%{self.fresh('slot')}"
        self.function.entry.append(f"  {slot} = alloca {type.spelled}")     # in the entry block, so it becomes a register
        variable = Variable(self, type, slot)
        variable.set(initial)
        return variable

    def read_variable(self, variable):
        return self.emit(variable.type, f"load {variable.type.spelled}, ptr {variable.slot}")

    def write_variable(self, variable, value):
        self.line(f"store {value.type.spelled} {self.use(value)}, ptr {variable.slot}")

    def buffer(self, type, count):
        name = f"%{self.fresh('buffer')}"
        self.function.entry.append(f"  {name} = alloca [{count} x {type.spelled}], align 64")
        return Array(self, type, self.root_value(ADDRESS, name))

    def memory(self, owner):
        return Memory(self, owner, self.root_value(ADDRESS, self.struct_of(owner)))

    def field(self, memory, name):
        """The addresses of an owner's fields are computed once, in the entry block."""
        function, owner, base = self.function, memory.owner, memory.base.operand
        if function.structs.get(id(owner), (None, None))[1] != base:
            return super().field(memory, name)
        key = id(owner), name
        if key not in function.fields:
            offset, address = memory.layout.offset(name), base
            if offset:
                address = f"%{self.fresh('field')}"
                function.entry.append(f"  {address} = getelementptr inbounds i8, ptr {base}, i64 {offset}")
            function.fields[key] = Array(self, memory.layout.fields[name], self.root_value(ADDRESS, address),
                                         scope=("struct", owner, name))
        return function.fields[key]

    def struct_of(self, owner):
        """The operand that points to an owner's struct."""
        function = self.function
        if id(owner) not in function.structs:
            if function.is_routine:
                operand = f"%owner{len(function.structs)}"
            else:
                if owner not in self.owners:
                    self.owners.append(owner)
                slot = self.owners.index(owner)
                operand = f"%struct.{slot}"
                function.entry.append(f"  %slot.{slot} = getelementptr inbounds ptr, ptr %state, i64 {slot}")
                load = f"load ptr, ptr %slot.{slot}, !invariant.load !{self.empty_note}"
                function.entry.append(f"  {operand} = {load}")
            function.structs[id(owner)] = owner, operand
        return function.structs[id(owner)][1]

    @functools.cached_property
    def empty_note(self):
        """The number of a note that says nothing, as the loads of what never changes carry one."""
        return self.note("!{}")

    def array(self, type, address, scope=None, alignment=None):
        return Array(self, type, self.emit(ADDRESS, f"inttoptr i64 {self.use(address)} to ptr"), scope, alignment)

    def address(self, array, index=0):
        return self.emit(I64, f"ptrtoint ptr {self.use(self.element_address(array, index))} to i64")

    def element_address(self, array, index):
        if isinstance(index, int) and index == 0:
            return array.base
        place = f"ptr {self.use(array.base)}, i64 {self.operand(index, I64)}"
        return self.emit(ADDRESS, f"getelementptr inbounds {array.type.spelled}, {place}")

    def load(self, array, index, lanes=1):
        address, type = self.use(self.element_address(array, index)), array.type
        if isinstance(type, Pointer):
            base = self.emit(ADDRESS, f"load ptr, ptr {address}" + self.alias_facts(array.scope))
            return Array(self, type.target, base, scope=("target of", array.scope))
        type = type.times(lanes)
        facts = alignment(array, type) + self.alias_facts(array.scope)
        return self.emit(type, f"load {type.spelled}, ptr {address}{facts}")

    def store(self, array, index, value):
        address = self.use(self.element_address(array, index))
        if isinstance(value, Array):
            type, operand = ADDRESS, self.use(value.base)
        else:
            type, operand = value.type if isinstance(value, Value) else array.type, self.operand(value, array.type)
        self.line(f"store {type.spelled} {operand}, ptr {address}{alignment(array, type)}{self.alias_facts(array.scope)}")

    def atomic_add(self, array, index, amount):
        address = self.use(self.element_address(array, index))
        type, operand = array.type.spelled, self.use(self.lift(amount, array.type))
        return self.emit(array.type, f"atomicrmw add ptr {address}, {type} {operand} monotonic")

    def atomic_load(self, array, index):
        address = self.use(self.element_address(array, index))
        return self.emit(array.type, f"load atomic {array.type.spelled}, ptr {address} monotonic, align {array.type.size}")

    def prefetch(self, array, index):
        address = self.use(self.element_address(array, index))
        self.declared["llvm.prefetch.p0"] = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
        self.line(f"call void @llvm.prefetch.p0(ptr {address}, i32 1, i32 3, i32 1)")

    # control
    def range(self, start, stop, step=1, vectorize=None):
        start, stop = self.lift(start, I64), self.lift(stop, I64)
        name, function = self.fresh("range"), self.function
        self.line(f"br label %{name}")
        preheader = function.block
        self.open_block(name)
        phi_line = len(self.body)
        self.body.append("")                        # the phi, patched below once the latch is known
        self.body.append(f"  %{name}.more = icmp slt i64 %{name}.i, {self.use(stop)}")
        self.body.append(f"  br i1 %{name}.more, label %{name}.body, label %{name}.done")
        self.open_block(f"{name}.body")
        with self.region("range"):
            yield self.value(I64, f"%{name}.i")
        self.body.append(f"  %{name}.next = add nsw i64 %{name}.i, {step}")
        self.body.append(f"  br label %{name}{self.loop_facts(vectorize)}")
        incoming = f"[{self.use(start)}, %{preheader}], [%{name}.next, %{function.block}]"
        self.body[phi_line] = f"  %{name}.i = phi i64 {incoming}"
        self.open_block(f"{name}.done")

    def loop_facts(self, vectorize):
        """Hints for one loop. None leaves the choice to LLVM; a module-wide switch would be wrong for some loop."""
        if vectorize is None:
            return ""
        hint = self.note(f'!{{!"llvm.loop.vectorize.enable", i1 {str(vectorize).lower()}}}')
        text = f", !llvm.loop !{self.note(f'distinct !{{{{self}}, !{hint}}}')}"
        self.facts[text] = LlvmKernel.loop_facts, vectorize
        return text

    def when(self, condition):
        if isinstance(condition, bool):             # known while staging: no branch
            if condition:
                with self.region("when"):
                    yield
            return
        name = self.fresh("when")
        self.line(f"br i1 {self.use(condition)}, label %{name}, label %{name}.done")
        self.open_block(name)
        with self.region("when"):
            yield
        self.body.append(f"  br label %{name}.done")
        self.open_block(f"{name}.done")

    def while_(self, condition):
        name = self.fresh("while")
        self.line(f"br label %{name}")
        self.open_block(name)
        with self.region("while_"):
            more = self.as_condition(condition())
            self.line(f"br i1 {self.use(more)}, label %{name}.body, label %{name}.done")
            self.open_block(f"{name}.body")
            yield
        self.body.append(f"  br label %{name}")
        self.open_block(f"{name}.done")

    def routine(self, function, *arguments):
        name, owners, types, single = self.known_routine(function, tuple(argument.type for argument in arguments))
        operands = ", ".join([*(f"ptr {self.struct_of(owner)}" for owner in owners),
                              *(f"{argument.type.spelled} {self.use(argument)}" for argument in arguments)])
        if single:
            return self.emit(types[0], f"call {types[0].spelled} @{name}({operands})")
        packed = "{" + ", ".join(type.spelled for type in types) + "}"
        result = self.emit(ADDRESS, f"call {packed} @{name}({operands})").operand
        return tuple(self.emit(type, f"extractvalue {packed} {result}, {number}") for number, type in enumerate(types))

    def known_routine(self, function, types):
        """What `emit_routine` gives, for a function and the types of its arguments, staged only where that has to be."""
        key = function, types
        if key not in self.routines:
            kept = self.routine_to_keep(function, types) if knows_no_query(function) and not self.origins else None
            self.routines[key] = self.emit_routine(function, types) if kept is None else self.take_over(kept)
        return self.routines[key]

    def routine_to_keep(self, function, types):
        """The KeptRoutine of a function; None if it turns out to belong to a run."""
        options = dict(block_rows=self.block_rows, equal_hashes=self.equal_hashes)
        key = function, types, *options.values()
        if key not in KEPT:
            k = LlvmKernel(NOBODY, **options)
            k.inside = self.inside
            told = k.emit_routine(function, types)
            text = "\n".join(k.finished[-1])
            facts = [k.facts[found] for found in FACTS.findall(text)]
            kept = KeptRoutine(told, FACTS.split(text), facts, list(k.routines), k.declared)
            KEPT[key] = None if NOBODY in told[1] or k.faults else kept
        return KEPT[key]

    def take_over(self, kept):
        """Put a routine and those that it calls into the module, unless they are there; what `emit_routine` gives."""
        for function, types in kept.calls:
            self.known_routine(function, types)
        if kept.told[0] not in self.names:
            self.names.add(kept.told[0])
            facts = [spelled(self, fact) for spelled, fact in kept.facts]
            self.finished.append(["".join(itertools.chain(*zip(kept.pieces, [*facts, ""])))])
            self.declared |= kept.declared
        return kept.told

    def emit_routine(self, function, types):
        """Stage `function` as an internal function of the module: (name, the owners whose structs it is given, result types,
        whether there is just one result)."""
        outer, outer_regions = self.function, self.regions
        self.function, self.regions = Function(is_routine=True), [Region()]
        self.body = self.function.body
        parameters = [self.root_value(type, f"%argument{number}") for number, type in enumerate(types)]
        with self.entered(function):
            results = function(self, *parameters)
        self.check_finished()
        single = isinstance(results, Value)
        results = (results,) if single else results
        packed = ", ".join(result.type.spelled for result in results)
        if single:
            result_type, operand = packed, self.use(results[0])
        else:
            result_type, operand = "{" + packed + "}", "undef"
            for number, result in enumerate(results):
                member = f"{result.type.spelled} {self.use(result)}"
                operand = self.emit(ADDRESS, f"insertvalue {result_type} {operand}, {member}, {number}").operand
        structs = self.function.structs.values()
        signature = ", ".join([*(f"ptr {operand}" for _, operand in structs),
                               *(f"{parameter.type.spelled} {parameter.operand}" for parameter in parameters)])
        name = self.close_routine(function.__name__, result_type, signature, f"  ret {result_type} {operand}")
        self.function, self.regions = outer, outer_regions
        self.body = outer.body
        return name, [owner for owner, _ in structs], [result.type for result in results], single

    def close_routine(self, name, result_type, signature, tail):
        """Complete a routine, unless the module has its like; returns its full name."""
        text = NOTES.sub("", "\n".join([signature, *self.function.entry, *self.function.body, tail]))
        name = f"{name}.{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        if name not in self.names:
            self.names.add(name)
            self.close_function(f"define internal {result_type} @{name}({signature}) {{", tail)
        return name

    def close_function(self, head, tail):
        function = self.function
        self.finished.append([head, "entry:", *function.entry, "  br label %start", "start:", *function.body, tail, "}"])

    def call(self, function, *arguments):
        target = self.emit(ADDRESS, f"inttoptr i64 {self.use(function)} to ptr")
        operands = ", ".join(f"i64 {self.use(self.lift(argument, I64))}" for argument in arguments)
        return self.emit(I64, f"call i64 {self.use(target)}({operands})")

    def finish(self):
        """The text of the module."""
        return self.finish_as("ptr noalias %state", "0")

    def finish_as(self, signature, result):
        """The module, whose outer function `run` has this signature and result (an operand of i64)."""
        self.check_finished()
        listed = [f"!{scope}, " for _, scope, _ in self.scopes.values()][:SCOPES_MAX]
        whole = "".join(listed)
        for number, (_, scope, others) in enumerate(self.scopes.values()):
            rest = whole.replace(f"!{scope}, ", "", 1)[:-2] if number < SCOPES_MAX else ""
            self.metadata[others] = f"!{others} = !{{{rest}}}"
        self.close_function(f"define i64 @run({signature}) {{", f"  ret i64 {result}")
        functions = [line for function in reversed(self.finished) for line in function]
        return "\n".join([*functions, *self.declared.values(), *self.metadata]) + "\n"

    # bits and lanes
    def ones(self, value):
        return self.intrinsic(value.type, "ctpop", value)

    def leading_zeros(self, value):
        return self.intrinsic(value.type, "ctlz", value, self.constant(BOOL, False))

    def trailing_zeros(self, value):
        return self.intrinsic(value.type, "cttz", value, self.constant(BOOL, False))

    def swap_bytes(self, value):
        return value if value.type.bits == 8 else self.intrinsic(value.type, "bswap", value)

    def lane_numbers(self, type, lanes):
        numbers = ", ".join(f"{type.name} {lane}" for lane in range(lanes))
        return self.root_value(type.times(lanes), f"<{numbers}>")

    def bits(self, mask):
        lanes = mask.type.lanes
        number = self.emit(Type(f"i{lanes}", lanes), f"bitcast {mask.type.spelled} {self.use(mask)} to i{lanes}")
        return number if number.type == I64 else self.emit(I64, f"zext {number.type.spelled} {self.use(number)} to i64")

    def compress(self, vector, mask):
        return self.intrinsic(vector.type, "experimental.vector.compress", vector, mask,
                              self.root_value(vector.type, "poison"))


def plain_function(function, argument_count):
    """The module of `i64 @run(i64, ...)` whose body is `function(k, *arguments)`, which returns an I64 and reaches no owner:
    decoders, and other functions that generated code calls through a pointer."""
    k = LlvmKernel(None)
    arguments = [k.root_value(I64, f"%p{number}") for number in range(argument_count)]
    result = k.use(function(k, *arguments))
    return k.finish_as(", ".join(f"i64 {argument.operand}" for argument in arguments), result)
