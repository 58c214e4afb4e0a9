"""Column arrays: to and from datums, texts and Arrow."""
import datetime
import uuid
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from caldera.base.errors import Error
from caldera.kernel.text import TEXT_PADDING
from caldera.types.columns import from_arrow, from_datums, sql_type_of, to_arrow, to_datums, to_text
from caldera.types.interval_fields import EARLY, LATE, Interval
from caldera.types.registry import lookup
from caldera.types.text_arrays import text_from_bytes, text_strings

LAST_UUID = uuid.UUID(int=2**128 - 1)
DATUMS = {
    "bool": [True, None, False],
    "int2": [1, -2**15, None, 2**15 - 1],
    "int4": [1, None, -2**31],
    "int8": [2**63 - 1, None, -2**63],
    "oid": [2**32 - 1, None, 0],
    "float4": [1.5, None, float("inf"), -0.0],
    "float8": [1e300, None, float("-inf"), 5e-324],
    "text": ["", "a", None, "é" * 10, "x" * 100],
    "varchar": ["a", None],
    "bytea": [b"\0\xff", None, b""],
    "date": [0, -10957, 2**31 - 1, -2**31, None],
    "time": [0, 86399999999, None],
    "timestamp": [0, None, 2**63 - 1, -2**63, -1],
    "timestamptz": [5, None],
    "interval": [Interval(1, 2, 3), Interval(-1, -2, -3), None, EARLY, LATE],
    "uuid": [uuid.UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), None, LAST_UUID],
    "numeric": [Decimal("1.50"), Decimal("-2"), None, Decimal("12345678901234567890123.456"), Decimal("0")],
}


def converted(name, array):
    """The datums of an Arrow array read as an SQL type."""
    return to_datums(lookup(name), *from_arrow(lookup(name), array))


@pytest.mark.parametrize("name", DATUMS)
def test_datums_survive_column_arrays(name):
    type, datums = lookup(name), DATUMS[name]
    for some in (datums, [datum for datum in datums if datum is not None], [], [None, None]):
        values, valid = from_datums(type, some)
        assert repr(to_datums(type, values, valid)) == repr(some)
        assert (valid is None) == (None not in some)


@pytest.mark.parametrize("name", DATUMS)
def test_arrow_arrays_hold_the_same_values(name):
    type, datums = lookup(name), DATUMS[name]
    for some in (datums, [datum for datum in datums if datum is not None], [], [None, None]):
        array = to_arrow(type, None, *from_datums(type, some))
        array.validate(full=True)
        assert len(array) == len(some) and array.null_count == some.count(None)
        assert to_datums(type, *from_arrow(type, array)) == some
        if len(some) > 2:
            assert to_datums(type, *from_arrow(type, array.slice(1))) == some[1:]
            chunks = pa.chunked_array([array.slice(0, 2), array.slice(2)])
            assert to_datums(type, *from_arrow(type, chunks)) == some


def test_nulls_are_zeros_in_column_arrays():
    for name in DATUMS:
        values, valid = from_arrow(lookup(name), to_arrow(lookup(name), None, *from_datums(lookup(name), DATUMS[name])))
        parts = np.diff(values[0]) if isinstance(values, tuple) else values
        assert not np.any(parts[valid == 0]), name


def test_text_has_room_behind_it_for_reading_in_wide_steps():
    for offsets, blob in (from_datums(lookup("text"), ["abc"])[0], from_arrow(lookup("text"), pa.array(["abc", "d"]))[0]):
        assert len(blob) == offsets[-1] + TEXT_PADDING and not blob[offsets[-1]:].any()


@pytest.mark.parametrize("name, array, datums", [
    ("int2", pa.array([1, None, 255], pa.uint8()), [1, None, 255]),
    ("int4", pa.array([1.5, 2.5, -1.5]), [2, 2, -2]),
    ("int4", pa.array([Decimal("2.5"), Decimal("-2.5")]), [3, -3]),
    ("int4", pa.array(["12", None]), [12, None]),
    ("bool", pa.array([5, 0, None]), [True, False, None]),
    ("float4", pa.array([1.5, None], pa.float16()), [1.5, None]),
    ("float8", pa.array([2**53 + 1]), [2.0**53]),
    ("numeric", pa.array([2**64 - 1, None], pa.uint64()), [Decimal(2**64 - 1), None]),
    ("numeric", pa.array([Decimal("1.20")], pa.decimal32(5, 2)), [Decimal("1.20")]),
    ("numeric", pa.array([Decimal(10**37 + 1), Decimal(5)], pa.decimal128(38, 0)), [Decimal(10**37 + 1), Decimal(5)]),
    ("numeric", pa.array([Decimal("1.5")], pa.decimal256(60, 10)), [Decimal("1.5000000000")]),
    ("numeric", pa.array([100], pa.decimal128(5, -2)), [Decimal("100")]),
    ("numeric", pa.array([1.5, None]), [Decimal("1.5"), None]),
    ("text", pa.array(["a", "b", None, "a"]).dictionary_encode(), ["a", "b", None, "a"]),
    ("text", pa.array(["a", None], pa.string_view()), ["a", None]),
    ("text", pa.array([b"a", None]), ["a", None]),
    ("text", pa.nulls(2), [None, None]),
    ("text", pa.array([1, 2]), ["1", "2"]),
    ("bytea", pa.array([b"abc"], pa.binary(3)), [b"abc"]),
    ("date", pa.array([datetime.date(2000, 1, 3)], pa.date64()), [2]),
    ("time", pa.array([5], pa.time32("s")), [5_000_000]),
    ("time", pa.array([5999], pa.time64("ns")), [5]),
    ("timestamp", pa.array([946684800_000_000_999, 946684799_999_999_999], pa.timestamp("ns")), [0, -1]),
    ("timestamp", pa.array([946684801, None], pa.timestamp("s")), [1_000_000, None]),
    ("timestamp", pa.array([datetime.date(2000, 1, 2)]), [86_400_000_000]),
    ("timestamptz", pa.array([946684800_001], pa.timestamp("ms", "Europe/Paris")), [1000]),
    ("interval", pa.array([5], pa.duration("ms")), [Interval(0, 0, 5000)]),
    ("uuid", pa.array([LAST_UUID.bytes], pa.binary(16)), [LAST_UUID]),
    ("uuid", pa.array([str(LAST_UUID)]), [LAST_UUID]),
], ids=str)
def test_arrow_values_of_other_types_are_converted(name, array, datums):
    assert repr(converted(name, array)) == repr(datums)


def test_not_a_number_stays_what_it_is():
    values, valid = from_arrow(lookup("float8"), pa.array([float("nan"), None]))
    assert np.isnan(values[0]) and values[1] == 0 and valid.tolist() == [1, 0]


@pytest.mark.parametrize("name, array, sqlstate, message", [
    ("int2", pa.array([40000]), "22003", "smallint out of range"),
    ("int4", pa.array([3e10]), "22003", "integer out of range"),
    ("int4", pa.array(["x"]), "22P02", 'invalid input syntax for type integer: "x"'),
    ("date", pa.array([2**31 - 2], pa.int32()).cast(pa.date32()), "22008", "date out of range"),
    ("timestamp", pa.array([2**62], pa.timestamp("s")), "22008", "timestamp out of range"),
    ("text", pa.array([b"ok", b"a\xffb"]), "22021", 'invalid byte sequence for encoding "UTF8": 0xff'),
    ("text", pa.array([b"\xc3", b"\xa9"]), "22021", 'invalid byte sequence for encoding "UTF8": 0xc3'),
    ("text", pa.array(["a\0b"]), "22021", 'invalid byte sequence for encoding "UTF8": 0x00'),
    ("interval", pa.array([5]), "42846", "cannot cast Arrow type int64 to interval"),
    ("time", pa.array([5]), "42846", "cannot cast Arrow type int64 to time without time zone"),
    ("int4", pa.array([[1]]), "42846", "cannot cast Arrow type list<item: int64> to integer"),
], ids=str)
def test_values_that_do_not_fit_are_refused(name, array, sqlstate, message):
    with pytest.raises(Error) as fault:
        from_arrow(lookup(name), array)
    assert (fault.value.sqlstate, fault.value.message) == (sqlstate, message)


@pytest.mark.parametrize("modifier, texts, arrow_type", [
    ((10, 2), ["1.50", "-3.00", None], pa.decimal128(10, 2)),
    ((50, 3), ["1.000"], pa.decimal256(50, 3)),
    ((3, -2), ["100"], pa.decimal128(38, 0)),
    (None, ["1.50", "2.25", "100.00"], pa.decimal128(38, 2)),
    (None, ["1e30", "0.0000000001"], pa.decimal256(76, 10)),
    (None, ["NaN", "1"], pa.string()),
    (None, ["1e80"], pa.string()),
    (None, [], pa.decimal128(38, 0)),
])
def test_numerics_become_decimals_where_they_fit(modifier, texts, arrow_type):
    numeric = lookup("numeric")
    datums = [None if text is None else numeric.parse(text) for text in texts]
    array = to_arrow(numeric, modifier, *from_datums(numeric, datums))
    assert array.type == arrow_type
    if pa.types.is_string(arrow_type):
        assert array.to_pylist() == [numeric.format(datum) for datum in datums]
    else:
        assert array.to_pylist() == datums


@pytest.mark.parametrize("arrow_type, name, modifier", [
    (pa.int8(), "int2", None), (pa.uint16(), "int4", None), (pa.uint32(), "int8", None), (pa.uint64(), "numeric", (20, 0)),
    (pa.float16(), "float4", None), (pa.dictionary(pa.int8(), pa.string()), "text", None), (pa.string_view(), "text", None),
    (pa.timestamp("ns"), "timestamp", None), (pa.timestamp("us", "UTC"), "timestamptz", None),
    (pa.decimal128(10, 2), "numeric", (10, 2)), (pa.date64(), "date", None), (pa.time32("s"), "time", None),
    (pa.duration("s"), "interval", None), (pa.binary(16), "uuid", None), (pa.uuid(), "uuid", None),
    (pa.binary(4), "bytea", None), (pa.null(), "text", None),
], ids=str)
def test_each_arrow_type_has_an_sql_type(arrow_type, name, modifier):
    assert sql_type_of(arrow_type) == (lookup(name), modifier)


@pytest.mark.parametrize("arrow_type", [pa.list_(pa.struct([])), pa.struct([]), pa.map_(pa.int8(), pa.int8())], ids=str)
def test_nested_arrow_types_are_not_supported(arrow_type):
    with pytest.raises(Error) as fault:
        sql_type_of(arrow_type)
    assert fault.value.sqlstate == "0A000"


def test_texts_are_what_postgresql_sends():
    assert to_text(lookup("bool"), *from_datums(lookup("bool"), [True, None])) == ["t", None]
    assert to_text(lookup("float4"), *from_datums(lookup("float4"), [0.1, 1e10])) == ["0.1", "1e+10"]
    assert to_text(lookup("int8"), *from_datums(lookup("int8"), [5, None])) == ["5", None]


def test_half_a_surrogate_pair_is_no_text():
    with pytest.raises(Error) as fault:
        from_datums(lookup("text"), ["\ud800"])
    assert fault.value.sqlstate == "22021"


@pytest.mark.parametrize("texts", [["", "abc", ""], ["żółw", "", "abc", "日本"], []], ids=str)
def test_texts_come_back_wherever_their_column_begins(texts):
    offsets, blob = text_from_bytes(text.encode() for text in ["before", *texts])
    assert text_strings((offsets[1:], blob)) == texts
