"""Staged values with SQL's meaning: what the body of a user's function computes with.

    def tax(amount, rate):                  amount, rate: Staged, not numbers; the body runs once for each query, and what
        return amount * (1 + rate)          it does to them is emitted into the query's loop

Every operator is the SQL operator of that name for the operands' types, with its checks: `+` on int4 fails with "integer out
of range", `/` with "division by zero", NULL gives NULL. Python's numbers, texts, dates are constants. Python's names for
operators are used where SQL's cannot be spelled: == is SQL's =, != is <>, ** is ^, ^ is #, and & | ~ between truth values
are AND, OR, NOT. Every SQL function is a method of its first argument: x.sqrt(), name.upper(), price.round(2).
"""
from caldera.base.errors import error
from caldera.functions import registry
from caldera.kernel.interface import BOOL, I64, Value
from caldera.kernel.layouts import TEXT, Pair
from caldera.kernel.nullable import Sql, both_true, either_true, is_true
from caldera.kernel.text import Text
from caldera.types.datums import TO_WORDS
from caldera.types.registry import TYPES, lookup

NATURAL = {"bool": "bool", "int": "int4", "float": "float8", "Decimal": "numeric", "str": "text", "bytes": "bytea",
           "date": "date", "datetime": "timestamp", "time": "time", "timedelta": "interval", "UUID": "uuid"}
INTEGERS = {"int2": 1 << 15, "int4": 1 << 31, "int8": 1 << 63}
REJECTED = None


class Staged:
    """A value of a SQL type in a query that is being staged. `constant`: its datum, if it is known by now."""
    __hash__ = None                 # type: ignore[assignment]

    def __init__(self, call, type, sql, constant=None):
        self.call, self.type, self.sql, self.constant = call, type, sql, constant

    def __repr__(self):
        return f"<a staged {self.type.sql_name}>"

    def unknown_yet(self, *_):
        """What Python would need the value itself for: `if x`, float(x), f"{x}", for ... in x."""
        raise TypeError("what a staged value is will be known when the query runs; choose with "
                        "caldera.choose(condition, a, b), combine conditions with & | ~, convert with x.cast(\"text\"), "
                        "call SQL's functions as methods: x.sqrt()")

    __bool__ = __str__ = __format__ = __int__ = __float__ = __index__ = __len__ = __iter__ = unknown_yet  # type: ignore

    # arithmetic and comparison: (SQL's operator, reflected)
    def __add__(self, other): return operate(self.call, "+" if not self.is_text else "||", self, other)
    def __radd__(self, other): return operate(self.call, "+" if not self.is_text else "||", other, self)
    def __sub__(self, other): return operate(self.call, "-", self, other)
    def __rsub__(self, other): return operate(self.call, "-", other, self)
    def __mul__(self, other): return operate(self.call, "*", self, other)
    def __rmul__(self, other): return operate(self.call, "*", other, self)
    def __truediv__(self, other): return operate(self.call, "/", self, other)
    def __rtruediv__(self, other): return operate(self.call, "/", other, self)
    def __mod__(self, other): return operate(self.call, "%", self, other)
    def __rmod__(self, other): return operate(self.call, "%", other, self)
    def __pow__(self, other): return operate(self.call, "^", self, other)
    def __rpow__(self, other): return operate(self.call, "^", other, self)
    def __xor__(self, other): return operate(self.call, "#", self, other)
    def __lshift__(self, other): return operate(self.call, "<<", self, other)
    def __rshift__(self, other): return operate(self.call, ">>", self, other)
    def __neg__(self): return operate(self.call, "-", self)
    def __pos__(self): return self
    def __abs__(self): return operate(self.call, "@", self)
    def __eq__(self, other): return operate(self.call, "=", self, other)
    def __ne__(self, other): return operate(self.call, "<>", self, other)
    def __lt__(self, other): return operate(self.call, "<", self, other)
    def __le__(self, other): return operate(self.call, "<=", self, other)
    def __gt__(self, other): return operate(self.call, ">", self, other)
    def __ge__(self, other): return operate(self.call, ">=", self, other)
    def __round__(self, digits=None): return self.round() if digits is None else self.round(digits)

    # logic between truth values, bits between integers
    def __and__(self, other): return self.logic(both_true, "&", other)
    def __rand__(self, other): return self.logic(both_true, "&", other)
    def __or__(self, other): return self.logic(either_true, "|", other)
    def __ror__(self, other): return self.logic(either_true, "|", other)

    def logic(self, combine, operator, other):
        """AND or OR by SQL's three-valued logic; between integers the operator on bits."""
        if self.type.name != "bool":
            return operate(self.call, operator, self, other)
        return Staged(self.call, self.type, combine(self.call.k, self.sql, converted(self.call, other, self.type).sql))

    def __invert__(self):
        if self.type.name != "bool":
            return operate(self.call, "~", self)
        return Staged(self.call, self.type, Sql(self.call.k.not_(self.sql.value), self.sql.valid))

    @property
    def is_text(self):
        return self.type.category == "S"

    def is_null(self):
        """Whether it is NULL; only a function with strict=False ever sees one."""
        k = self.call.k
        return Staged(self.call, TYPES["bool"], Sql(k.as_condition(k.not_(self.sql.valid)), True))

    def cast(self, type):
        """The value as another type, by its name in SQL. Raises 42846 if there is no cast."""
        return converted(self.call, self, type_named(type))

    def __getattr__(self, name):
        """SQL's functions as methods."""
        if name.startswith("_") or name not in registry.FUNCTIONS:
            raise AttributeError(f"there is no SQL function {name}")
        return lambda *arguments: applied(self.call, registry.FUNCTIONS[name], name, (self, *arguments))


def choose(condition, a, b):
    """`a` where the condition holds, else `b`, value by value; what CASE is in SQL.

    An arm that may fail is given as a function without arguments: `choose(n == 0, 0, lambda: total / n)`; then its errors
    count only where the arm is wanted. None stands for NULL. Outside of staged bodies it chooses between plain values.
    """
    if not isinstance(condition, Staged):
        arm = a if condition else b
        return arm() if callable(arm) else arm
    call, k = condition.call, condition.call.k
    holds = is_true(k, condition.sql)
    a, b = (arm_value(call, arm, wanted) for arm, wanted in ((a, holds), (b, k.not_(holds))))
    type = common_type(a, b)
    a, b = converted(call, a, type), converted(call, b, type)
    if isinstance(holds, bool):
        return a if holds else b
    valid = True if a.sql.valid is b.sql.valid is True else k.choose(
        holds, k.as_condition(a.sql.valid), k.as_condition(b.sql.valid))
    return Staged(call, type, Sql(type.layout.choose(k, holds, a.sql.value, b.sql.value), valid))


def arm_value(call, arm, wanted):
    """The value of an arm; errors of one that is a function count only where it is wanted."""
    if not callable(arm):
        return arm
    with call.row.faults.guarded(wanted):
        return arm()


def common_type(a, b):
    """The type of two arms. Raises 42804 if neither becomes the other's."""
    types = [arm.type if isinstance(arm, Staged) else None if arm is None else natural_type(arm) for arm in (a, b)]
    if None in types:
        return next((type for type in types if type is not None), TYPES["text"])
    if types[0] is types[1]:
        return types[0]
    for one, arm in ((types[0], b), (types[1], a)):
        if cost(arm, one) is not REJECTED:
            return one
    raise error("42804", f"the arms of choose have types {types[0].sql_name} and {types[1].sql_name}, which do not match")


# ------------------------------------------------------------------------------------------------ constants and casts

def type_named(name):
    """The SqlType of a name, PostgreSQL's short one or the one that SQL spells. Raises 42704; 0A000 for a modifier."""
    if not isinstance(name, str):
        return name
    if "(" in name:
        raise error("0A000", f"modifiers of type {name.partition('(')[0].strip()} are not supported here",
                    hint="Round a number in the function: x.round(2). Or cast the function's result in the statement.")
    wanted = " ".join(name.lower().split())
    wanted = {"int": "int4", "float": "float8", "decimal": "numeric", "string": "text"}.get(wanted, wanted)
    try:
        return lookup(wanted)
    except KeyError:
        for type in TYPES.values():
            if type.sql_name == wanted:
                return type
    raise error("42704", f'type "{name}" does not exist')


def natural_type(thing):
    """The type that a Python constant is of by itself. Raises 42846."""
    for kind in type(thing).__mro__:
        if kind.__name__ in NATURAL:
            name = NATURAL[kind.__name__]
            if name == "int4":
                name = next((wider for wider in ("int4", "int8") if -INTEGERS[wider] <= thing < INTEGERS[wider]), "numeric")
            elif name == "timestamp" and thing.tzinfo is not None:
                name = "timestamptz"
            return TYPES[name]
    raise error("42846", f'an object of type "{type(thing).__name__}" cannot be a value of SQL')


def constant(call, thing, type):
    """A Python constant as a Staged of a type."""
    k = call.k
    if thing is None:
        return Staged(call, type, Sql(type.layout.default(k), False))
    datum = type.from_python(thing)
    if type.layout is TEXT:
        value = constant_text(k, type.to_bytes(datum))
    elif type.layout.name in TO_WORDS:
        value = Pair(*(k.constant(I64, word) for word in TO_WORDS[type.layout.name](datum)))
    else:
        value = k.constant(type.layout.type, datum)
    return Staged(call, type, Sql(value, True), datum)


def constant_text(k, data):
    """A Text of known bytes."""
    count = len(data) // 8 + 3
    buffer, filled = k.buffer(I64, count), data.ljust(8 * count, b"\0")
    for word in range(count):
        buffer[word] = k.constant(I64, int.from_bytes(filled[8 * word:8 * word + 8], "little", signed=True))
    return Text(k, k.address(buffer), k.constant(I64, len(data)), "block")


def converted(call, thing, type):
    """A Staged or a Python constant as a value of a type. Raises 42846 if there is no cast."""
    if not isinstance(thing, Staged):
        if thing is None or cost(thing, type) is not REJECTED:
            return constant(call, thing, type)
        thing = constant(call, thing, natural_type(thing))
    if thing.type is type:
        return thing
    if same_bits(thing.type, type):
        return Staged(call, type, thing.sql, thing.constant)
    cast = registry.CASTS.get((thing.type, type))
    if cast is None:
        raise error("42846", f"cannot cast type {thing.type.sql_name} to {type.sql_name}")
    return emitted(call, cast, [thing])


def same_bits(source, target):
    """Whether a value of one type is one of the other as it stands."""
    return source.name == "varchar" and target.name == "text" or source.name == "text" and target.name == "varchar"


def cost(thing, target):
    """How far a Staged or a constant is from a type: 0 for of that type, more for what a cast or another spelling makes of
    it, REJECTED for what would need an explicit cast."""
    if target in registry.PSEUDO_TYPES:
        return 3
    if not isinstance(thing, Staged):
        natural = natural_type(thing)
        if natural is target:
            return 0
        if natural.name in INTEGERS:
            fits = target.name not in INTEGERS or -INTEGERS[target.name] <= thing < INTEGERS[target.name]
            return 0.25 if fits and target.category == "N" and target.name != "oid" else REJECTED
        if natural.name == "text" and target.category in ("S", "D", "T"):
            return 0.5
        source = natural
    else:
        source = thing.type
    if source is target or same_bits(source, target):
        return 0
    cast = registry.CASTS.get((source, target))
    if cast is None or cast.cast != "implicit":
        return REJECTED
    return 1 if target.preferred else 1.5


# ------------------------------------------------------------------------------------------------ application

def operate(call, operator, *operands):
    """A SQL operator applied."""
    return applied(call, registry.OPERATORS.get(operator, ()), operator, operands)


def applied(call, candidates, name, operands):
    """The overload that is nearest to the operands, applied to them. Raises 42883 if none takes them."""
    best, least = None, None
    for function in candidates:
        if len(function.arguments) != len(operands):
            continue
        costs = [0 if operand is None else cost(operand, argument)
                 for operand, argument in zip(operands, function.arguments)]
        if REJECTED not in costs and (least is None or sum(costs) < least):
            best, least = function, sum(costs)
    if best is None:
        shown = [own_type(operand).sql_name for operand in operands]
        if name.isidentifier():
            raise error("42883", f"function {name}({', '.join(shown)}) does not exist")
        written = f" {name} ".join(shown) if len(shown) > 1 else f"{name} {shown[0]}"
        raise error("42883", f"operator does not exist: {written}")
    operands = [converted(call, operand, own_type(operand) if argument in registry.PSEUDO_TYPES else argument)
                for operand, argument in zip(operands, best.arguments)]
    return emitted(call, best, operands)


def own_type(thing):
    """The type of a Staged, or of a constant by itself."""
    return thing.type if isinstance(thing, Staged) else natural_type(thing)


def emitted(call, function, operands):
    """Emit a built-in function's body for operands of its types."""
    k, types = call.k, [operand.type for operand in operands]
    known = [operand.constant if number in function.static else None for number, operand in enumerate(operands)]
    inner = registry.Call(k, call.row, types, function.result, [None] * len(types), None, known, call.session,
                          call.scratch_arena)
    inner.python = call.python
    valid = k.and_(*(operand.sql.valid for operand in operands))
    if function.strict and valid is False:
        return Staged(call, function.result, Sql(function.result.layout.default(k), False))
    if not function.strict and not function.python:
        result = function.body(inner, *(operand.sql for operand in operands))
        return Staged(call, function.result, result if isinstance(result, Sql) else Sql(result, True))
    with call.row.faults.guarded(valid):
        values = [operand.sql.value for operand in operands]
        result = call.python(session_bound(call, function, types), types, function.result, values) if function.python \
            else function.body(inner, *values)
    if isinstance(result, Sql):
        return Staged(call, function.result, Sql(result.value, k.and_(valid, result.valid)))
    return Staged(call, function.result, Sql(result, valid))


def session_bound(call, function, types):
    """A plain Python function with the arguments in front that it wants besides the values."""
    leading = ([call.session] if function.wants_session else []) + ([types] if function.wants_types else [])
    leading += [function.result] if function.wants_result else []
    return (lambda *datums: function.body(*leading, *datums)) if leading else function.body


def result_of(call, thing, type):
    """What a body returned, as the Sql of a type: a Staged, a constant, None, or something of the kernel."""
    if isinstance(thing, Sql):
        return thing
    if isinstance(thing, (Value, Pair, Text)):
        return Sql(call.k.convert(thing, type.layout.type) if isinstance(thing, Value) and thing.type != type.layout.type
                   and BOOL not in (thing.type, type.layout.type) else thing, True)
    return converted(call, thing, type).sql
