"""What types do besides reading and writing texts: modifiers, Python's objects, the clock, staged comparison."""
import datetime
import uuid
from decimal import Decimal

import pytest

from caldera.base.errors import Error
from caldera.functions.registry import Function
from caldera.types import registry
from caldera.types.calendar import civil_from_days, days_from_civil
from caldera.types.interval_fields import ALL_FIELDS, EARLY, LATE, RANGES, Interval
from caldera.types.registry import lookup
from caldera.types.zones import find_zone, zone_of_setting
from tests.functions.staged import TIERS, evaluate


@pytest.mark.parametrize("name, numbers, spelled", [
    ("varchar", [5], "character varying(5)"), ("bpchar", [5], "character(5)"), ("numeric", [10, 2], "numeric(10,2)"),
    ("numeric", [5], "numeric(5,0)"), ("time", [3], "time(3) without time zone"),
    ("timestamptz", [9], "timestamp(6) with time zone"),
    ("interval", [ALL_FIELDS, 3], "interval(3)"), ("interval", [RANGES["day to second"], 2], "interval day to second(2)"),
    ("interval", [RANGES["year"]], "interval year"),
])
def test_types_are_spelled_with_their_modifier(name, numbers, spelled):
    type = lookup(name)
    assert type.spell(type.encode_modifier(numbers)) == spelled


@pytest.mark.parametrize("name, numbers, sqlstate, message", [
    ("varchar", [0], "22023", "length for type varchar must be at least 1"),
    ("bpchar", [10485761], "22023", "length for type char cannot exceed 10485760"),
    ("numeric", [0], "22023", "NUMERIC precision 0 must be between 1 and 1000"),
    ("numeric", [1, 2, 3], "22023", "invalid NUMERIC type modifier"),
    ("timestamptz", [-1], "22023", "TIMESTAMP(-1) WITH TIME ZONE precision must not be negative"),
    ("int4", [3], "42601", 'type modifier is not allowed for type "int4"'),
])
def test_wrong_modifiers_are_refused(name, numbers, sqlstate, message):
    with pytest.raises(Error) as fault:
        lookup(name).encode_modifier(numbers)
    assert (fault.value.sqlstate, fault.value.message) == (sqlstate, message)


def test_too_long_text_is_cut_by_an_explicit_cast_only():
    varchar, bpchar = lookup("varchar"), lookup("bpchar")
    assert varchar.apply_modifier("abcdef", (3,), explicit=True) == "abc"
    assert varchar.apply_modifier("abc   ", (3,)) == "abc"
    assert bpchar.apply_modifier("ab", (4,)) == "ab  "
    for type, spelled in ((varchar, "character varying(3)"), (bpchar, "character(3)")):
        with pytest.raises(Error) as fault:
            type.apply_modifier("abcd", (3,))
        assert (fault.value.sqlstate, fault.value.message) == ("22001", f"value too long for type {spelled}")


@pytest.mark.parametrize("name, thing", [
    ("bool", True), ("int4", 7), ("float8", 1.5), ("numeric", Decimal("1.50")), ("text", "é"), ("bytea", b"\0"),
    ("date", datetime.date(1, 1, 1)), ("date", datetime.date(9999, 12, 31)), ("time", datetime.time(1, 2, 3, 4)),
    ("timestamp", datetime.datetime(2001, 2, 3, 4, 5, 6, 7)),
    ("timestamptz", datetime.datetime(2001, 2, 3, 4, 5, 6, 7, tzinfo=datetime.UTC)),
    ("interval", datetime.timedelta(days=-3, seconds=4, microseconds=5)), ("uuid", uuid.UUID(int=5)),
])
def test_python_objects_go_in_and_come_out(name, thing):
    assert lookup(name).to_python(lookup(name).from_python(thing)) == thing


def test_what_python_cannot_hold_comes_as_text():
    for name, text in (("date", "infinity"), ("date", "0044-03-15 BC"), ("time", "24:00:00"),
                       ("timestamp", "294276-12-31 23:59:59"), ("timestamptz", "-infinity")):
        assert lookup(name).to_python(lookup(name).parse(text)) == text


class Clock:
    """A session in New York at a known time."""

    def setting(self, name):
        return {"timezone": "America/New_York", "datestyle": "ISO, MDY"}[name.lower()]

    def now(self):
        return datetime.datetime(2001, 2, 3, 2, 30, 0, 5, tzinfo=datetime.UTC)


@pytest.mark.parametrize("name, text, written", [
    ("timestamptz", "now", "2001-02-02 21:30:00.000005-05"), ("timestamp", "now", "2001-02-02 21:30:00.000005"),
    ("date", "today", "2001-02-02"), ("date", "tomorrow", "2001-02-03"),
    ("timestamp", "yesterday 04:05", "2001-02-01 04:05:00"),
    ("time", "now", "21:30:00.000005"), ("timestamptz", "today allballs", "2001-02-01 19:00:00-05"),
])
def test_now_and_today_are_the_sessions(name, text, written):
    assert lookup(name).format(lookup(name).parse(text, None, Clock()), Clock()) == written


def test_the_calendar_agrees_with_pythons():
    for ordinal in range(1, datetime.date.max.toordinal(), 397):
        date = datetime.date.fromordinal(ordinal)
        days = ordinal - datetime.date(2000, 1, 1).toordinal()
        assert days_from_civil(date.year, date.month, date.day) == days
        assert civil_from_days(days) == (date.year, date.month, date.day)


def test_zones_are_found_by_name_in_any_case_and_by_rule():
    assert find_zone("europe/PARIS").name == "Europe/Paris"
    assert find_zone("CET-1CEST").offset_at(0) == 3600
    assert find_zone("No/Where") is None
    assert zone_of_setting("<-03:30>+03:30").offset_at(0) == -12600
    with pytest.raises(Error) as fault:
        zone_of_setting("No/Where")
    assert fault.value.sqlstate == "22023"


def compared(type, pairs, tier):
    """(a = b, a < b, equal hashes) of pairs of datums, by the staged methods of a type."""
    def function(body):
        return Function("compared", (type, type), lookup("bool"), body)
    equal = evaluate(function(lambda call, a, b: type.equal(call.k, a, b)), pairs, tier)
    less = evaluate(function(lambda call, a, b: type.less(call.k, a, b)), pairs, tier)
    hashes = evaluate(function(lambda call, a, b: type.hash(call.k, a) == type.hash(call.k, b)), pairs, tier)
    return list(zip(equal, less, hashes))


@pytest.mark.parametrize("tier", TIERS)
def test_padding_does_not_count_in_comparisons_of_char(tier):
    pairs = [("ab  ", "ab"), ("", "   "), ("a b", "ab"), ("x" * 20 + "  ", "x" * 20), ("a", "b   "), (" a", "a")]
    expected = [(True, False, True), (True, False, True), (False, True, False), (True, False, True), (False, True, False),
                (False, True, False)]
    assert compared(lookup("bpchar"), pairs, tier) == expected


@pytest.mark.parametrize("tier", TIERS)
def test_intervals_compare_with_months_of_30_days(tier):
    day = 86_400_000_000
    pairs = [(Interval(1, 0, 0), Interval(0, 30, 0)), (Interval(0, 1, 0), Interval(0, 0, day)),
             (Interval(0, 0, -1), Interval(0, 0, 0)), (Interval(2**31 - 1, 0, 0), Interval(2**31 - 1, 1, -1)),
             (EARLY, Interval(-2**31, 0, 0)), (LATE, EARLY), (Interval(-1, 29, day), Interval(0, 0, 0))]
    spans = [(a.span == b.span, a.span < b.span, a.span == b.span) for a, b in pairs]
    assert compared(lookup("interval"), pairs, tier) == spans


def test_every_type_has_a_layout_and_a_name():
    for type in registry.TYPES.values():
        assert type.layout is not None and type.name and type.sql_name and type.oid
