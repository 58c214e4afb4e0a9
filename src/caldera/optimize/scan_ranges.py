"""What a predicate says about single columns goes to the scan, which leaves out granules by zone maps.

    Filter(Scan, id >= 5 AND id < 9 AND name LIKE 'ab%')   ──▶   Scan: id between 5 and 8, name between 'ab' and 'ac'

The predicate itself stays: a range may be wider than the condition, never narrower. Bounds may be parameters; they are known
when the run starts.
"""
from dataclasses import replace
from functools import reduce

from caldera.plan.expressions import And, Call, Column, Constant, InList, IsDistinct, IsNull, Not, Or
from caldera.plan.nodes import Filter, Scan, ScanRange
from caldera.plan.predicates import bare_column, comparison, conjuncts, is_known
from caldera.plan.walk import rewrite_nodes
from caldera.types.calendar import DATE_EARLY, DATE_LATE, DAY, MOMENT_EARLY, MOMENT_END, MOMENT_LATE, MOMENT_MIN
from caldera.types.registry import TYPES

INTEGERS, FLOATS, TEXTS = {"int2", "int4", "int8"}, {"float4", "float8"}, {"text", "varchar", "name"}
ALONE = {"bool", "numeric", "date", "time", "timestamp", "timestamptz", "uuid", "bytea", "oid"}
TIGHTENED = INTEGERS | {"date"}             # between two of whose values there may be none


def scan_ranges(plan, session):
    """Tell scans what the predicates above them say about columns."""
    return rewrite_nodes(plan, ranged)


def ranged(node):
    """A Filter over a Scan with the scan's ranges set."""
    if not isinstance(node, Filter) or not isinstance(node.input, Scan):
        return node
    names, found = {column.id: name for column, name in node.input.columns}, {}
    nullable = {name for column, name in node.input.columns if column.nullable}
    for condition in conjuncts(node.predicate):
        for range in ranges_of(condition, names):
            if range.low is None and range.high is None and range.column not in nullable:
                continue
            before = found.get(range.column)
            found[range.column] = range if before is None else intersection(before, range)
    return replace(node, input=replace(node.input, ranges=tuple(found.values()))) if found else node


def ranges_of(condition, names):
    """The ScanRanges that hold wherever a condition is true. `names`: {column id: name in the relation}."""
    if isinstance(condition, Or):
        return united([ranges_of(argument, names) for argument in condition.arguments])
    if isinstance(condition, And):
        return [range for argument in condition.arguments for range in ranges_of(argument, names)]
    if (compared := comparison(condition)) is not None:
        return compared_range(compared, names)
    column = range = None
    if isinstance(condition, Column) or isinstance(condition, Not) and isinstance(condition.argument, Column):
        column = condition if isinstance(condition, Column) else condition.argument
        truth = Constant(column is condition, column.type)
        range = truth, truth
    elif isinstance(condition, IsNull) and condition.negated:
        column, range = bare_column(condition.argument), (None, None)
    elif isinstance(condition, IsDistinct) and condition.negated and is_known(condition.right):
        column = bare_column(condition.left)
        range = column and bounds("=", column.type.name, condition.right)
    elif isinstance(condition, InList) and not condition.negated and condition.values:
        column = bare_column(condition.argument)
        range = column and list_bounds(condition, column.type.name)
    elif isinstance(condition, Call) and condition.function.operator in ("~~", "^@"):
        column, range = bare_column(condition.arguments[0]), pattern_bounds(condition)
    return [] if column is None or range is None or column.id not in names else [ScanRange(names[column.id], *range)]


def compared_range(compared, names):
    """The range of a comparison with a column."""
    column = bare_column(compared.left)
    if column is None or column.id not in names:
        return []
    found = bounds(compared.operator, column.type.name, compared.right)
    return [] if found is None else [ScanRange(names[column.id], *found)]


def bounds(operator, type, bound):
    """(low, high) for `column operator bound`, or None. `type`: the column's type's name."""
    if operator == "<>" or isinstance(bound, Constant) and bound.value is None:
        return None if operator != "<>" else (None, None)
    if {type, bound.type.name} == {"date", "timestamp"}:
        bound = converted(type, bound)
        if bound is None:
            return None
        operator = operator.rstrip("=") + "="
    elif not comparable(type, bound.type.name):
        return None
    if is_known(bound) and type in TIGHTENED and operator in ("<", ">"):
        bound = replace(bound, value=bound.value - 1 if operator == "<" else bound.value + 1)
        operator += "="
    return bound if ">" in operator or operator == "=" else None, bound if "<" in operator or operator == "=" else None


def comparable(type, other):
    """Whether a bound of another type stands for the same place in the order of a column's type."""
    if type == other:
        return type in ALONE or type in INTEGERS or type in FLOATS or type in TEXTS or TYPES[type].kind == "e"
    return any({type, other} <= group for group in (INTEGERS, FLOATS, TEXTS))


def converted(type, bound):
    """A known date as a timestamp or a timestamp as the date in which it lies; None where that is not exact."""
    if not is_known(bound):
        return None
    if type == "date":
        return Constant(bound.value // DAY, TYPES["date"]) if MOMENT_EARLY < bound.value < MOMENT_LATE else None
    if not (DATE_EARLY < bound.value < DATE_LATE and MOMENT_MIN <= bound.value * DAY < MOMENT_END):
        return None
    return Constant(bound.value * DAY, TYPES["timestamp"])


def list_bounds(member, type):
    """(low, high) of the values of an IN list."""
    if not comparable(type, member.argument.type.name):
        return None
    order = (lambda value: value.encode()) if type in TEXTS else lambda value: (value != value, value)
    ordered = sorted(member.values, key=order)
    return Constant(ordered[0], member.argument.type), Constant(ordered[-1], member.argument.type)


def pattern_bounds(call):
    """(low, high) of texts that match LIKE 'prefix%', or start with a text."""
    pattern = call.arguments[1]
    if not is_known(pattern) or pattern.type.name not in TEXTS:
        return None
    prefix = pattern.value if call.function.operator == "^@" else like_prefix(pattern.value)
    if not prefix:
        return None
    after = successor(prefix)
    return replace(pattern, value=prefix), None if after is None else replace(pattern, value=after)


def like_prefix(pattern):
    """The characters with which every match of a LIKE pattern begins.

    >>> like_prefix("ab%c"), like_prefix("a\\\\_b_"), like_prefix("%x")
    ('ab', 'a_b', '')
    """
    prefix, position = "", 0
    while position < len(pattern) and pattern[position] not in "%_":
        position += pattern[position] == "\\"
        prefix += pattern[position:position + 1]
        position += 1
    return prefix


def successor(prefix):
    """A text that sorts behind all that begin with a prefix; None if there is none.

    >>> successor("ab"), successor("a\\U0010ffff")
    ('ac', 'b')
    """
    stem = prefix.rstrip("\U0010ffff")
    if not stem:
        return None
    following = ord(stem[-1]) + 1
    return stem[:-1] + chr(0xE000 if following == 0xD800 else following)


# ------------------------------------------------------------------------------------------------ several conditions

def intersection(one, other):
    """A range that contains all that is in both. Where two bounds cannot be compared yet, one is as good as the other."""
    return replace(one, low=tighter(one.low, other.low, max), high=tighter(one.high, other.high, min))


def tighter(bound, other, choose):
    """The inner one of two bounds."""
    if bound is None or other is None:
        return other if bound is None else bound
    return choose(bound, other, key=place) if is_known(bound) and is_known(other) else bound if is_known(bound) else other


def place(constant):
    """A key for the order of constants of one column's type."""
    value = constant.value
    return (False, value.encode()) if isinstance(value, str) else (value != value, value)


def united(alternatives):
    """The ranges that hold whichever of several lists of ranges does."""
    columns = reduce(set.intersection, ({range.column for range in ranges} for ranges in alternatives))
    result = []
    for name in sorted(columns):
        ranges = [reduce(intersection, (range for range in ranges if range.column == name)) for ranges in alternatives]
        low, high = wider([range.low for range in ranges], min), wider([range.high for range in ranges], max)
        result.append(ScanRange(name, low, high))
    return result


def wider(bounds, choose):
    """The outermost of some bounds; None if one is open or not known yet."""
    return choose(bounds, key=place) if all(bound is not None and is_known(bound) for bound in bounds) else None
