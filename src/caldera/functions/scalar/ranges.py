"""Ranges and multiranges: constructors, comparisons, containment, what they have in common, their bounds.

The definitions are those of PostgreSQL's manual. A range among operands counts as the multirange of its values; where only
ranges are operands, results that are no range are errors (`types.range_algebra`).
"""
from functools import cache

from caldera.base.errors import error
from caldera.functions.registry import Function, add, scalar
from caldera.functions.scalar.arrays import comparison
from caldera.functions.scalar.comparison import OPERATORS
from caldera.types import range_algebra as algebra
from caldera.types.array import list_of
from caldera.types.range_algebra import EMPTY
from caldera.types.ranges import RANGES
from caldera.types.registry import FIRST_USERS_OID, lookup

FLAGS = {"[]": (True, True), "[)": (True, False), "(]": (False, True), "()": (False, False)}
KINDS = ("range", "multirange")

for kind, low, high in (("range", "'[1,3)'::int4range", "'[1,5)'::int4range"),
                        ("multirange", "'{[1,3)}'::int4multirange", "'{[1,5)}'::int4multirange")):
    for operator, (suffix, words, holds) in OPERATORS.items():
        scalar(f"{kind}_{suffix}(any{kind}, any{kind}) -> bool", operator=operator,
               doc=f"Whether the left {kind} is {words} the right one: by lower bounds, then by upper bounds.",
               example=f"SELECT {low} {operator} {high}  -- {'t' if holds else 'f'}")(comparison(operator))


# ------------------------------------------------------------------------------------------------ constructors

def range_constructors(type):
    """The Functions that make ranges of a type, and are called as it is."""
    def of_bounds(lower, upper):
        return type.make(lower, upper)

    def of_bounds_and_flags(lower, upper, flags):
        if flags is None:
            raise error("22000", "range constructor flags argument must not be null")
        if flags not in FLAGS:
            raise error("42601", "invalid range bound flags", hint='Valid values are "[]", "[)", "(]", and "()".')
        return type.make(lower, upper, *FLAGS[flags])
    subtype, text = type.subtype, lookup("text")
    return [constructor(type, (subtype, subtype), of_bounds, "The range [a, b)."),
            constructor(type, (subtype, subtype, text), of_bounds_and_flags,
                        'The range between two bounds, which belong to it as "[]", "[)", "(]" or "()" says.')]


def multirange_constructors(type):
    """The same for a multirange type. The second is the cast from its range type; the last is of PostgreSQL's variadic
    function for arrays written out."""
    def of_nothing():
        return ()

    def of_one(range):
        return algebra.merged(type.range, [range])

    def of_array(ranges):
        return of_ranges(*ranges.elements)

    def of_ranges(*ranges):
        if None in ranges:
            raise error("22004", "multirange values cannot contain null members")
        return algebra.merged(type.range, ranges)
    some = "The multirange of some ranges."
    return [constructor(type, (), of_nothing, "The multirange of no range."),
            constructor(type, (type.range,), of_one, "The multirange of a range.", strict=True, cast="explicit"),
            constructor(type, (type.range, type.range), of_ranges, some, variadic=True),
            constructor(type, (list_of(type.range),), of_array, some, strict=True)]


def constructor(type, arguments, body, doc, strict=False, **options):
    """One of the functions of a type."""
    return Function(type.catalog_name, arguments, type, body, python=True, strict=strict, doc=doc, **options)


for type in RANGES:
    for function in range_constructors(type) + multirange_constructors(type.multirange):
        add(function)


@cache
def users_constructors(type):
    """The Functions that make values of a user's range or multirange type, but for the one that takes an array."""
    return tuple(range_constructors(type) if type.kind == "r" else multirange_constructors(type)[:-1])


def users_cast(source, target):
    """The cast from a user's range type to its multirange type; None for other types."""
    if target.kind != "m" or target.oid < FIRST_USERS_OID or target.range is not source:
        return None
    return next(function for function in users_constructors(target) if function.cast)


@scalar("multirange(anyrange) -> anymultirange", python=True, wants_types=True, doc="The multirange of a range.",
        example="SELECT multirange(int4range(1, 3))  -- {[1,3)}")
def multirange(types, range):
    return algebra.merged(types[0], [range])


# ------------------------------------------------------------------------------------------------ operands

def range_type(type):
    """The RangeType of the ranges in a range or multirange."""
    return type if type.kind == "r" else type.range


def parts(type, datum):
    """The ranges of a range or multirange that are not empty."""
    return [range for range in type.parts(datum) if not range.is_empty]


def of_pairs(symbol, name, doc, test, pairs=(("range", "range"), ("range", "multirange"), ("multirange", "range"),
                                            ("multirange", "multirange")), names=None):
    """Register an operator for pairs of kinds: test(RangeType, ranges of the left side, ranges of the right side)."""
    for left, right in pairs:
        full = f"{left}_{name}" if left == right else f"{left}_{name}_{right}"
        scalar(f"{full}(any{left}, any{right}) -> bool", operator=symbol, python=True, wants_types=True, doc=doc)(
            lambda types, a, b: test(range_type(types[0]), parts(types[0], a), parts(types[1], b)))


def all_in(type, a, b):
    """Whether each of the ranges b lies in one of a."""
    return all(any(algebra.contains(type, outer, inner) for outer in a) for inner in b)


of_pairs("@>", "contains", "Whether all values of the right side lie in the left one.", all_in)
of_pairs("<@", "contained_by", "Whether all values of the left side lie in the right one.",
         lambda type, a, b: all_in(type, b, a))
of_pairs("&&", "overlaps", "Whether there is a value in both.",
         lambda type, a, b: any(algebra.overlap(type, one, other) for one in a for other in b))
of_pairs("<<", "before", "Whether the left side ends before the right one begins.",
         lambda type, a, b: bool(a and b) and algebra.is_before(type, a[-1], b[0]))
of_pairs(">>", "after", "Whether the left side begins after the right one ends.",
         lambda type, a, b: bool(a and b) and algebra.is_before(type, b[-1], a[0]))
of_pairs("&<", "overleft", "Whether the left side does not reach beyond the right one's end.",
         lambda type, a, b: bool(a and b) and algebra.high(type, a[-1]) <= algebra.high(type, b[-1]))
of_pairs("&>", "overright", "Whether the left side does not begin before the right one.",
         lambda type, a, b: bool(a and b) and algebra.low(type, a[0]) >= algebra.low(type, b[0]))
of_pairs("-|-", "adjacent", "Whether nothing lies between the two sides, nor in both.",
         lambda type, a, b: bool(a and b) and (algebra.meets(type, a[-1], b[0]) or algebra.meets(type, b[-1], a[0])))

for kind in KINDS:
    scalar(f"{kind}_contains_elem(any{kind}, anyelement) -> bool", operator="@>", python=True, wants_types=True,
           doc="Whether a value lies in it.")(
        lambda types, a, value: any(algebra.holds(range_type(types[0]), range, value) for range in types[0].parts(a)))
    scalar(f"elem_contained_by_{kind}(anyelement, any{kind}) -> bool", operator="<@", python=True, wants_types=True,
           doc="Whether a value lies in it.")(
        lambda types, value, a: any(algebra.holds(range_type(types[1]), range, value) for range in types[1].parts(a)))

for symbol, name, doc, of_ranges, of_multiranges in (
        ("+", "union", "What lies in either.", algebra.union, lambda type, a, b: algebra.merged(type, a + b)),
        ("*", "intersect", "What lies in both.", algebra.intersection, algebra.common),
        ("-", "minus", "What lies in the left side but not in the right one.", algebra.difference, algebra.without)):
    scalar(f"range_{name}(anyrange, anyrange) -> anyrange", operator=symbol, python=True, wants_types=True, doc=doc)(
        lambda types, a, b, compute=of_ranges: compute(types[0], a, b))
    scalar(f"multirange_{name}(anymultirange, anymultirange) -> anymultirange", operator=symbol, python=True,
           wants_types=True, doc=doc)(lambda types, a, b, compute=of_multiranges: compute(types[0].range, a, b))


@scalar("range_merge(anyrange, anyrange) -> anyrange", python=True, wants_types=True,
        doc="The least range that contains both.", example="SELECT range_merge('[1,2)'::int4range, '[5,7)')  -- [1,7)")
def range_merge(types, a, b):
    return algebra.hull(types[0], a, b)


@scalar("range_merge(anymultirange) -> anyrange", python=True, wants_types=True,
        doc="The least range that contains all of a multirange.",
        example="SELECT range_merge('{[1,2), [5,7)}'::int4multirange)  -- [1,7)")
def range_merge_of_parts(types, ranges):
    return algebra.hull(types[0].range, ranges[0], ranges[-1]) if ranges else EMPTY


# ------------------------------------------------------------------------------------------------ bounds

for kind in KINDS:
    for name, number, doc in (("lower", 0, "The lower bound; NULL if there is none."),
                              ("upper", -1, "The upper bound; NULL if there is none.")):
        scalar(f"{name}(any{kind}) -> anyelement", python=True, wants_types=True, doc=doc)(
            lambda types, datum, name=name, number=number: next(
                (getattr(range, name) for range in parts(types[0], datum)[number:][:1]), None))
        scalar(f"{name}_inc(any{kind}) -> bool", python=True, wants_types=True,
               doc=f"Whether the {name} bound belongs to it.")(
            lambda types, datum, name=f"{name}_inc", number=number: any(
                getattr(range, name) for range in parts(types[0], datum)[number:][:1]))
        scalar(f"{name}_inf(any{kind}) -> bool", python=True, wants_types=True, doc=f"Whether there is no {name} bound.")(
            lambda types, datum, name=name, number=number: any(
                getattr(range, name) is None for range in parts(types[0], datum)[number:][:1]))
    scalar(f"isempty(any{kind}) -> bool", python=True, wants_types=True, doc="Whether there is no value in it.")(
        lambda types, datum: not parts(types[0], datum))
