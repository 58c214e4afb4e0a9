"""String and bytea functions over a grid of texts, compared with PostgreSQL value by value, under the Python kernel and as
machine code; and once more with the constants that a body may know while staging."""
import pytest

import caldera.functions
from caldera.types.registry import lookup
from tests.functions import staged

caldera.functions.load()

TEXTS = ["", "a", "abc", "é", "日本語", "aébc", "  a b  ", "xyxtrimyyx", "abcdefghijklmnop", "ÀÉÎõü ẞß İıſ Ⱥⱥ Ǆǅǆ",
         "a" * 50 + "é" * 20 + "B" * 10, "😀x😀", "\t\n ", "hELLO wORLD-foo_bar 1st éCOLE ǆ", "a,b,,c", "12345678"]
FEW = TEXTS[:6]
NEEDLES = ["", "a", "é", "xy", "日", "  ", "zyx", ",", "bc"]
NUMBERS = [-2**31, -5, -1, 0, 1, 2, 3, 8, 100, 2**31 - 1]
BYTES = [b"", b"\0", b"\xff\x01abc", b"\\a\"'", bytes(range(256)), b"abcdefg" * 12]
INVALID = [b"\xe9", b"\xe2\x82", b"\xe2\x82A", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"A\xffB", b"\xf0\x9f\x98"]
ENCODED = ["", "00ff", "0", "zz", "a b", "ab cd", "\\", "\\\\", "\\001", "\\400", "\\12", "YQ==", "YQ=", "YQ", "Y Q = =",
           "YQ=x", "=", "YWJjZA==", "YQ==YQ==", "a!", "é0"]
UNICODE = ["d\\0061t\\+000061 \\u0061 \\U00000061 \\\\", "\\x", "\\D83D", "\\D83D\\DE00", "\\DE00", "\\00", "\\+110000",
           "\\0000", "\\D83Dx\\DE00", "\\D83D\\\\", "\\", "\\U0011FFFF"]
ENCODINGS = ["utf8", "UTF-8", "latin1", "LATIN9", "win1252", "foo", "SQL_ASCII", "koi8r", "ISO-8859-15"]


def product(*lists):
    """All tuples of one item of each list."""
    rows = [()]
    for items in lists:
        rows = [(*row, item) for row in rows for item in items]
    return rows


def encoded(texts):
    return [text.encode() for text in texts]


GRID = {
    **{f"{name}(text)": product(TEXTS) for name in (
        "length", "octet_length", "bit_length", "lower", "upper", "casefold", "initcap", "btrim", "ltrim", "rtrim",
        "reverse", "ascii", "quote_ident", "quote_literal", "md5")},
    **{f"{name}(bpchar)": product([text + "  " for text in TEXTS]) for name in ("length", "octet_length", "text")},
    **{f"{name}(text, int4)": product(TEXTS, NUMBERS) for name in ("left", "right", "substring", "lpad", "rpad")},
    "repeat(text, int4)": product(TEXTS[1:], [-5, 0, 1, 3, 2**31 - 1]),
    "substring(text, int4, int4)": product(FEW, NUMBERS, NUMBERS),
    "substring(bytea, int4, int4)": product(encoded(FEW), NUMBERS, NUMBERS),
    **{f"{name}(text, text)": product(TEXTS, NEEDLES) for name in (
        "btrim", "ltrim", "rtrim", "strpos", "starts_with", "textcat")},
    **{f"{name}(bytea, bytea)": product(encoded(TEXTS), encoded(NEEDLES)) for name in (
        "btrim", "ltrim", "rtrim", "position", "byteacat")},
    **{f"{name}(text, text, text)": product(TEXTS, NEEDLES, NEEDLES[:5]) for name in ("replace", "translate")},
    **{f"{name}(text, int4, text)": product(FEW, NUMBERS, NEEDLES) for name in ("lpad", "rpad")},
    "split_part(text, text, int4)": product(TEXTS, NEEDLES, [-3, -2, -1, 0, 1, 2, 3, 4]),
    "overlay(text, text, int4, int4)": product(FEW, NEEDLES[:4], NUMBERS, [-2**31, -1, 0, 3, 2**31 - 1]),
    "overlay(text, text, int4)": product(FEW, NEEDLES[:4], NUMBERS),
    "overlay(bytea, bytea, int4, int4)": product(encoded(FEW), encoded(NEEDLES[:4]), [-1, 0, 1, 2, 9], [-1, 0, 3]),
    "chr(int4)": product([-1, 0, 1, 65, 127, 128, 233, 0x7FF, 0x800, 0xD800, 0xFFFF, 0x10000, 0x10FFFF, 0x110000]),
    **{f"{name}(bytea)": product(BYTES) for name in (
        "md5", "sha224", "sha256", "sha384", "sha512", "crc32", "crc32c", "bit_count", "reverse")},
    "encode(bytea, text)": product(BYTES, ["hex", "HEX", "base64", "escape", "foo"]),
    "decode(text, text)": product(ENCODED, ["hex", "base64", "escape"]),
    "get_byte(bytea, int4)": product(BYTES, [-1, 0, 5, 10**6]),
    "get_bit(bytea, int8)": product(BYTES, [-1, 0, 7, 8, 10**6]),
    "set_byte(bytea, int4, int4)": product(BYTES, [-1, 0, 5], [-1, 0, 256]),
    "set_bit(bytea, int8, int4)": product(BYTES, [-1, 0, 5], [0, 1, 2]),
    "convert_from(bytea, name)": product(BYTES + INVALID, ENCODINGS),
    "convert_to(text, name)": product(TEXTS, ENCODINGS),
    **{f"{name}({type})": product(NUMBERS) for name in ("to_hex", "to_bin", "to_oct") for type in ("int4", "int8")},
    **{f"{type}(bytea)": product([b"\xff" * size for size in range(10)] + [b"\1" * size for size in range(10)])
       for type in ("int2", "int4", "int8")},
    **{f"bytea({type})": product([0, 1, -1, 32767, -32768]) for type in ("int2", "int4", "int8")},
    "unistr(text)": product(UNICODE),
}
KNOWN = {"strpos(text, text)": 1, "position(bytea, bytea)": 1, "replace(text, text, text)": 1,
         "split_part(text, text, int4)": 1}


def literal(type, datum):
    """A datum as SQL."""
    quoted = type.format(datum).replace("'", "''")
    return f"'{quoted}'::" + (f"bpchar({max(len(datum), 1)})" if type.name == "bpchar" else type.name)


def expected(oracle, function, rows):
    """PostgreSQL's results: texts as it prints them, or (sqlstate, message). One query for all, or one by one on errors."""
    calls = [f'pg_catalog."{function.name}"({", ".join(map(literal, function.arguments, row))})' for row in rows]
    if function.result.name != "bool":
        lines = [f"SELECT {number} AS n, ({call})::text" for number, call in enumerate(calls)]
        whole = oracle.query(" UNION ALL ".join(lines) + " ORDER BY n")
        if not whole.failed:
            return [row[1] for row in whole.rows]
    answers = [oracle.query(f"SELECT {call}") for call in calls]
    return [(answer.sqlstate, answer.message) if answer.failed else answer.rows[0][0] for answer in answers]


def shown(function, result):
    """A result of `evaluate` in the same form."""
    return result if result is None or isinstance(result, tuple) else function.result.format(result)


@pytest.mark.oracle
@pytest.mark.parametrize("signature", GRID)
def test_function_gives_postgresqls_results(oracle, signature):
    function, rows = staged.find(signature), GRID[signature]
    wanted = expected(oracle, function, rows)
    for tier in ("python",) if function.python else ("python", "fast"):
        found = [shown(function, result) for result in staged.evaluate(function, rows, tier)]
        differences = [(row, want, got) for row, want, got in zip(rows, wanted, found) if want != got]
        assert not differences, f"{signature} [{tier}]: {differences[:3]}"
    if signature in KNOWN:
        for number, (row, want) in enumerate(zip(rows, wanted)):
            if number % 5 == 0:
                known = [datum if at == KNOWN[signature] else None for at, datum in enumerate(row)]
                assert shown(function, staged.evaluate(function, [row], known=known)[0]) == want, row


@pytest.mark.parametrize("type, modifier, strict, text, wanted", [
    ("varchar", 2, False, "abc", "ab"),
    ("varchar", 2, True, "abc", ("22001", "value too long for type character varying(2)")),
    ("varchar", 3, True, "abc   ", "abc"), ("varchar", 2, True, "é日", "é日"), ("bpchar", 4, True, "é日", "é日  "),
    ("bpchar", 2, False, "é日本", "é日"), ("bpchar", 2, True, "é日本", ("22001", "value too long for type character(2)")),
    ("bpchar", 40, True, "", " " * 40)])
def test_texts_are_fitted_to_their_length(type, modifier, strict, text, wanted):
    function = staged.find(f"{'assign_' if strict else ''}{type}({type})")
    for tier in ("python", "fast"):
        assert staged.evaluate(function, [(text,), (None,)], tier, result_modifier=(modifier,)) == [wanted, None]


def test_uuids_are_made_in_order_and_tell_their_version():
    from caldera.functions.scalar.uuids import uuid_extract_timestamp, uuid_extract_version, uuidv7
    made = [uuidv7() for _ in range(1000)]
    assert made == sorted(made) and len(set(made)) == 1000
    assert {uuid_extract_version(value) for value in made} == {7}
    assert uuid_extract_timestamp(lookup("uuid").parse("c232ab00-9414-11ec-b3c8-9f6bdeced846")) == 698872942000000
