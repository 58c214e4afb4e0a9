"""Arrays: their text form, their bytes, Python's lists."""
import pyarrow as pa
import pytest

from caldera.base.errors import Error
from caldera.types.array import array_of, list_of
from caldera.types.array_image import EMPTY, Array
from caldera.types.columns import from_arrow, from_datums, sql_type_of, to_arrow
from caldera.types.registry import TYPES

INTS, TEXTS = array_of(TYPES["int4"]), array_of(TYPES["text"])
VALUES = {"int4": ("1", "-7"), "text": ("a", "a text that is longer than a cell"), "bool": ("t", "f"),
          "float8": ("1.5", "NaN"), "numeric": ("1.50", "-1e30"), "date": ("2024-02-29", "infinity"),
          "interval": ("1 mon", "-1 day"),
          "uuid": ("00000000-0000-0000-0000-000000000001",) * 2, "bytea": (r"\x00ff", ""), "float4": ("0.1", "-0")}


@pytest.mark.parametrize("text, array", [
    ("{}", EMPTY), ("{{},{}}", EMPTY), (" { a , \"b c\" } ", Array.of(["a", "b c"])),
    ('{"a,b",NULL,"NULL",a\\,b}', Array.of(["a,b", None, "NULL", "a,b"])), ('{"a\\"b"}', Array.of(['a"b'])),
    ("{{1,2},{3,4}}", Array(("1", "2", "3", "4"), (2, 2), (1, 1))),
    ("[0:1][-2:-2]={{1},{2}}", Array(("1", "2"), (2, 1), (0, -2)))])
def test_literals_are_read(text, array):
    assert TEXTS.parse(text) == array


@pytest.mark.parametrize("text, sqlstate, words", [
    ("", "22P02", 'Array value must start with "{" or dimension information.'),
    ("{1,,2}", "22P02", 'Unexpected "," character.'),
    ("{1,}", "22P02", 'Unexpected "}" character.'), ("{1} x", "22P02", "Junk after closing right brace."),
    ("{1,2", "22P02", "Unexpected end of input."), ('{"a" b}', "22P02", "Incorrectly quoted array element."),
    ("{{1},{2,3}}", "22P02", "Multidimensional arrays must have sub-arrays with matching dimensions."),
    ("[2:1]={1}", "2202E", None), ("[1:2]={1}", "22P02", "Specified array dimensions do not match array contents."),
    ("{{{{{{{1}}}}}}}", "54000", None)])
def test_faulty_literals_are_refused(text, sqlstate, words):
    with pytest.raises(Error) as caught:
        INTS.parse(text)
    assert (caught.value.sqlstate, caught.value.detail) == (sqlstate, words)


@pytest.mark.parametrize("name", VALUES)
def test_bytes_and_texts_give_back_the_array(name):
    type = array_of(TYPES[name])
    first, second = map(TYPES[name].parse, VALUES[name])
    for array in (EMPTY, Array.of([first]), Array.of([first, None, second]),
                  Array((first, second, second, None), (2, 2), (0, 5))):
        assert repr(type.from_bytes(type.to_bytes(array))) == repr(array)
        assert repr(type.parse(type.format(array))) == repr(array)


def test_texts_are_quoted_where_they_must_be():
    array = Array.of(["plain", "", "null", "a b", "{", "back\\slash", 'quo"te', None])
    assert TEXTS.format(array) == '{plain,"","null","a b","{","back\\\\slash","quo\\"te",NULL}'


def test_lists_of_python_come_and_go():
    assert INTS.from_python([[1, 2], [3, None]]) == Array((1, 2, 3, None), (2, 2), (1, 1))
    assert INTS.to_python(Array((1, 2, 3, None), (2, 2), (0, 1))) == [[1, 2], [3, None]]
    assert INTS.from_python([]) == EMPTY
    with pytest.raises(Error, match="malformed array literal"):
        INTS.from_python([[1], [2, 3]])


def test_arrays_of_arrays_are_for_the_engine_alone():
    inner = Array.of(["a", None])
    type = list_of(TEXTS)
    assert type.from_bytes(type.to_bytes(Array.of([inner, inner]))) == Array.of([inner, inner])
    assert type.name not in TYPES


@pytest.mark.parametrize("lists", [[[1, 2], [], None, [3, None]], [[[1, 2], [3, 4]], [], None, [[5, 6]]]])
def test_lists_of_arrow_come_and_go(lists):
    values, valid = from_arrow(INTS, pa.array(lists))
    assert to_arrow(INTS, None, values, valid).to_pylist() == lists
    assert sql_type_of(pa.list_(pa.list_(pa.int32()))) == sql_type_of(pa.large_list(pa.int32())) == (INTS, None)


def test_arrays_unlike_each_other_have_no_arrow_form():
    values, valid = from_datums(INTS, [Array.of([1]), Array((1,), (1, 1), (1, 1))])
    with pytest.raises(Error) as caught:
        to_arrow(INTS, None, values, valid)
    assert caught.value.sqlstate == "0A000"
    with pytest.raises(Error) as caught:
        from_arrow(INTS, pa.array([[[1], [2, 3]]]))
    assert caught.value.sqlstate == "2202E"
