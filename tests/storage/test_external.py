"""Files and frames as tables, and COPY: PostgreSQL's rules for what a file means, and its errors."""
import datetime
import decimal
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from caldera.base.errors import Error
from caldera.catalog.columns import ColumnSchema
from caldera.storage.engine import Range
from caldera.storage.external import copy_to, open_copy, open_file, open_frame
from caldera.types.columns import to_text
from tests.storage.columns import column, lookup


def shown(relation, names=None, ranges=()):
    """The rows of a relation as PostgreSQL would print them."""
    names, rows = names or [column.name for column in relation.columns], []
    if relation.is_streamed:
        found = [[piece.columns[name] for name in names] for piece in relation.stream(names, ranges).pieces()]
    else:
        segments = relation.scan(None, names, ranges).segments
        found = [[segment.column(name).decode() for name in names] for segment in segments]
    for columns in found:
        rows += zip(*(to_text(data.type, data.values, data.valid) for data in columns))
    return rows


def schema(**types):
    """ColumnSchemas from names and types: `a="int4"`, `b=("varchar", (3,))`."""
    return [ColumnSchema(name, lookup(type), None) if isinstance(type, str) else ColumnSchema(name, lookup(type[0]), type[1])
            for name, type in types.items()]


# ------------------------------------------------------------------------------------------------ files in place

@pytest.fixture
def parquet(tmp_path):
    """Two Parquet files of row groups of four rows."""
    for number in range(2):
        table = pa.table({"n": pa.array(range(10 * number, 10 * number + 10), pa.int32()),
                          "t": ["x", None] * 5, "f": [1.5, float("nan")] * 5,
                          "day": [datetime.date(2013, 7, number + 1)] * 10, "m": [decimal.Decimal("1.50")] * 10})
        pq.write_table(table, tmp_path / f"{number}.parquet", row_group_size=4)
    return tmp_path


def test_parquet_files_are_tables(parquet):
    relation = open_file(str(parquet / "*.parquet"))
    assert [(column.name, column.type.name, column.modifier) for column in relation.columns] == [
        ("n", "int4", None), ("t", "text", None), ("f", "float8", None), ("day", "date", None), ("m", "numeric", (3, 2))]
    assert relation.row_estimate(None) == 20
    assert shown(relation)[9:11] == [("9", None, "NaN", "2013-07-01", "1.50"), ("10", "x", "1.5", "2013-07-02", "1.50")]


@pytest.mark.parametrize("wanted, groups", [
    (Range("n", 8, 11), [8, 9, 10, 11, 12, 13]), (Range("n", 100, None), []), (Range("n", None, 2), [0, 1, 2, 3]),
    (Range("t", "y", None), []), (Range("day", 4931, 4931), list(range(10, 20))),
    (Range("f", 2.0, None), list(range(20))), (Range("m", decimal.Decimal(2), None), [])])
def test_row_groups_are_left_out_by_their_statistics(parquet, wanted, groups):
    relation = open_file(str(parquet / "*.parquet"))
    assert [int(row[0]) for row in shown(relation, ["n"], [wanted])] == groups


def test_null_counts_decide_where_null_satisfies(tmp_path):
    pq.write_table(pa.table({"n": pa.array([None, None, 1, 2], pa.int32())}), tmp_path / "n.parquet", row_group_size=2)
    relation = open_file(str(tmp_path / "n.parquet"))
    assert shown(relation, ["n"], [Range("n", 5, None, nulls=True)]) == [(None,), (None,)]
    assert shown(relation, ["n"], [Range("n")]) == [("1",), ("2",)]


def test_counting_rows_reads_no_column(parquet, monkeypatch):
    stream = open_file(str(parquet / "0.parquet")).stream([])
    monkeypatch.setattr("pyarrow.parquet.ParquetFile", None)
    assert [(piece.row_count, piece.columns, piece.size) for piece in stream.pieces()] == [(10, {}, 0)]


def test_parquet_files_are_read_in_pieces(parquet, monkeypatch):
    monkeypatch.setattr("caldera.storage.external.parquet.PIECE_ROWS", 8)
    pieces = list(open_file(str(parquet / "*.parquet")).stream(["n"]).pieces())
    assert [piece.columns["n"].values.tolist() for piece in pieces] == [[*range(8)], [8, 9], [*range(10, 18)], [18, 19]]


def test_a_changed_file_is_read_again(parquet):
    path = str(parquet / "0.parquet")
    first = open_file(path)
    assert open_file(path) is first
    pq.write_table(pa.table({"n": [7]}), path)
    os.utime(path, ns=(1, 1))
    assert shown(open_file(path)) == [("7",)]


def test_files_with_other_columns_are_refused(parquet):
    pq.write_table(pa.table({"n": ["7"]}), parquet / "2.parquet")
    with pytest.raises(Error) as caught:
        open_file(str(parquet / "*.parquet"))
    assert caught.value.sqlstate == "42804"


@pytest.mark.parametrize("name, content, sqlstate", [
    ("missing.parquet", None, "58P01"), ("none_*.parquet", None, "58P01"), ("broken.parquet", b"PAR1", "XX001"),
    ("empty.parquet", b"", "XX001"), ("empty.csv", b"", "22P04"), ("ragged.csv", b"a,b\n1,2\n3\n", "22P04"),
    ("letter.doc", b"dear reader", "42809")])
def test_files_that_cannot_be_read_are_told(tmp_path, name, content, sqlstate):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(Error) as caught:
        shown(open_file(str(tmp_path / name)))
    assert caught.value.sqlstate == sqlstate and name.split("_")[0] in caught.value.message


def test_a_file_cannot_be_written_by_insert(parquet):
    relation = open_file(str(parquet / "0.parquet"))
    for change in (lambda: relation.append(None, {}), lambda: relation.truncate(None)):
        with pytest.raises(Error) as caught:
            change()
        assert caught.value.sqlstate == "0A000"


def test_types_of_csv_files_are_inferred(tmp_path):
    (tmp_path / "a.csv").write_text('id,name,at,day,share,yes\n1,"a ""b""",2013-07-01 10:00:00,2013-07-01,1.5,true\n'
                                    '2,,,,,\n3,"",,,,\n')
    relation = open_file(str(tmp_path / "a.csv"))
    assert [column.type.name for column in relation.columns] == ["int8", "text", "timestamp", "date", "float8", "bool"]
    assert shown(relation) == [("1", 'a "b"', "2013-07-01 10:00:00", "2013-07-01", "1.5", "t"),
                               ("2", None, None, None, None, None), ("3", "", None, None, None, None)]


def test_csv_files_may_be_read_with_options(tmp_path):
    (tmp_path / "a.txt").write_text("1;'x;y';NA\n")
    relation = open_file(str(tmp_path / "a.txt"), "csv", {"delimiter": ";", "quote": "'", "header": False, "null": "NA"})
    assert shown(relation) == [("1", "x;y", None)]
    options = {"sep": ";", "quote": "'", "header": "false", "names": "a, b, c", "all_varchar": True}
    relation = open_file(str(tmp_path / "a.txt"), "csv", options)
    assert [(column.name, column.type.name) for column in relation.columns] == [("a", "text"), ("b", "text"), ("c", "text")]
    with pytest.raises(Error) as caught:
        open_file(str(tmp_path / "a.txt"), "csv", {"separator": ";"})
    assert caught.value.sqlstate == "22023"


def test_types_of_csv_files_hold_for_all_rows(tmp_path, monkeypatch):
    monkeypatch.setattr("caldera.storage.external.csv.SAMPLE_BYTES", 1 << 10)
    path, lines = tmp_path / "a.csv", [f"{n},2024-01-01 10:00:00,\n" for n in range(200)]
    path.write_text("n,at,t\n" + "".join(lines) + "200,2024-01-01 10:00:00.5,x\n")
    assert shown(open_file(str(path)))[-2:] == [("199", "2024-01-01 10:00:00", None), ("200", "2024-01-01 10:00:00.5", "x")]
    assert sum(piece.row_count for piece in open_file(str(path)).stream([]).pieces()) == 201
    path.write_text("n,at,t\n" + "".join(lines) + "none,,\n")
    with pytest.raises(Error) as caught:
        shown(open_file(str(path)))
    assert caught.value.sqlstate == "22P02" and str(path) in caught.value.message and "all_varchar" in caught.value.hint
    assert shown(open_file(str(path), options={"all_varchar": True}))[-1] == ("none", None, None)


def test_csv_files_need_not_have_all_columns(tmp_path):
    for number, text in enumerate(("a,b\n1,x\n", "b,a\ny,2.5\n", "b\nz\n")):
        (tmp_path / f"{number}.csv").write_text(text)
    assert shown(open_file(str(tmp_path / "*.csv")), ["a", "b"]) == [("1", "x"), ("2.5", "y"), (None, "z")]
    (tmp_path / "3.csv").write_text("a\nx\n")
    with pytest.raises(Error) as caught:
        open_file(str(tmp_path / "*.csv"))
    assert caught.value.sqlstate == "42804" and "3.csv" in caught.value.message


def test_frames_are_tables():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    data = {"n": [1, 2, None], "t": ["a", None, "größer"]}
    expected = [("1", "a"), ("2", None), (None, "größer")]
    assert shown(open_frame(pa.table(data))) == expected
    assert shown(open_frame(polars.DataFrame(data))) == expected
    assert shown(open_frame(polars.DataFrame(data).lazy())) == expected
    frame = pandas.DataFrame({"n": pandas.array(data["n"], "Int64"), "t": data["t"]})
    assert shown(open_frame(frame)) == expected
    assert shown(open_frame(pa.RecordBatch.from_pydict(data))) == expected
    with pytest.raises(Error) as caught:
        open_frame({"n": [1]}, "data")
    assert caught.value.sqlstate == "42846"
    with pytest.raises(Error) as caught:
        shown(open_frame(pa.table({"n": [{"a": 1}]}), "data"))
    assert caught.value.sqlstate == "0A000"


@pytest.mark.parametrize("reader, options, sqlstate, words", [
    ("csv", {"nulls": "NA"}, "22023", 'unrecognized option "nulls" of read_csv.*It takes delimiter.*nullstr'),
    ("parquet", {"header": True}, "22023", 'unrecognized option "header" of read_parquet.*It takes binary_as_string'),
    ("csv", {"header": "x"}, "42601", "header requires a Boolean value"),
    ("csv", {"all_varchar": 5}, "42601", "all_varchar requires a Boolean value")])
def test_options_that_readers_do_not_take_are_refused(parquet, reader, options, sqlstate, words):
    (parquet / "a.csv").write_text("n\n1\n")
    with pytest.raises(Error, match=f"(?s){words}") as caught:
        open_file(str(parquet / ("0.parquet" if reader == "parquet" else "a.csv")), reader, options)
    assert caught.value.sqlstate == sqlstate


# ------------------------------------------------------------------------------------------------ COPY FROM

CSV, TEXT = "csv", "text"
FROM_FILES = [                              # (format, options, columns, content): PostgreSQL is asked what it means
    (CSV, {}, dict(a="int4", b="text"), '1,x\n2,\n3,""\n,"a ""b"", c"\n'),
    (CSV, {}, dict(a="int4", b="text"), '1,x\r\n2,"line\r\nend"\r\n'),
    (CSV, {}, dict(a="int4", b="text"), ' 1 , x \n'),
    (CSV, {}, dict(a="int4", b="text"), '1,a"b,c"d\n2,"x"y\n'),
    (CSV, {}, dict(a="int4", b="text"), '1,2\n3\n'),
    (CSV, {}, dict(a="int4", b="text"), '1,2\n3,4,5\n'),
    (CSV, {}, dict(a="int4", b="text"), '1,2\n\n'),
    (CSV, {}, dict(a="int4", b="text"), '1,"2\n'),
    (CSV, {}, dict(a="int4", b="int4"), '1,2\n3,x\n'),
    (CSV, {}, dict(a="int4", b="int4"), '1,99999999999\nx,2\n'),
    (CSV, {}, dict(a="int2", b="int8"), '0x10,1_000\n-32768,-9223372036854775808\n'),
    (CSV, {}, dict(a="float8", b="float4"), '1e308,1e38\n-0,nan\ninfinity,-inf\n 5e-324 ,1e-45\n1.5,.5\n'),
    (CSV, {}, dict(a="float8"), '1e400\n'),
    (CSV, {}, dict(a="float8"), '1e-400\n'),
    (CSV, {}, dict(a="float4"), '1e39\n'),
    (CSV, {}, dict(a="bool"), 'true\nf\n1\nno\nON\n'),
    (CSV, {}, dict(a="bool"), 'maybe\n'),
    (CSV, {}, dict(a="date", b="timestamp"),
     '2013-07-01,2013-07-01 10:11:12.123456\n1/8/1999,epoch\n"July 4, 1776",infinity\n'),
    (CSV, {}, dict(a="date"), '2013-02-30\n'),
    (CSV, {}, dict(a="numeric", b=("numeric", (5, 2))), '1.50,1.005\n1e3,999.99\nNaN,-0.001\n'),
    (CSV, {}, dict(a=("numeric", (5, 2))), '999.999\n'),
    (CSV, {}, dict(a=("varchar", (3,)), b=("bpchar", (3,))), 'abc,a\nabc  ,abc \n"",\n'),
    (CSV, {}, dict(a=("varchar", (3,))), 'abc\nabcd\n'),
    (CSV, {}, dict(a="interval", b="uuid", c="bytea", d="time"),
     '1 day,a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11,\\x00ff,23:59:60\n,,"",24:00\n'),
    (CSV, {"header": True}, dict(a="int4"), 'anything\n1\n'),
    (CSV, {"header": "match"}, dict(a="int4", b="text"), 'a,b\n1,x\n'),
    (CSV, {"header": "match"}, dict(a="int4", b="text"), 'a,c\n1,x\n'),
    (CSV, {"header": "match"}, dict(a="int4", b="text"), 'a\n1,x\n'),
    (CSV, {"null": "NA"}, dict(a="int4", b="text"), 'NA,NA\n1,"NA"\n2,\n'),
    (CSV, {"delimiter": ";", "quote": "'"}, dict(a="int4", b="text"), "1;'a;''b'\n"),
    (CSV, {"escape": "\\"}, dict(a="int4", b="text"), '1,"a\\"b\\\\c\\n"\n2,a\\b\n'),
    (CSV, {"force_not_null": ["b"]}, dict(a="int4", b="text"), '1,\n'),
    (CSV, {"force_null": ["b"]}, dict(a="int4", b="text"), '1,""\n2,\n'),
    (TEXT, {}, dict(a="int4", b="text"), '1\tx\n2\t\\N\n\\N\t\n'),
    (TEXT, {}, dict(a="int4", b="text"), '1\ta\\tb\\nc\\\\d\\x41\\101\\q\n'),
    (TEXT, {}, dict(a="int4", b="text"), '1\t\\\\N\n2\ta\\\nb\n'),
    (TEXT, {}, dict(a="int4", b="text"), '1\tx\n\\.\nrest'),
    (TEXT, {}, dict(a="int4", b="text"), '1\n'),
    (TEXT, {}, dict(a="int4", b="text"), '1\t2\t3\n'),
    (TEXT, {"null": "-", "delimiter": "|"}, dict(a="int4", b="text"), '1|-\n-|x\\|y\n'),
    (TEXT, {}, dict(a="text"), 'no line end'),
    (CSV, {}, dict(a="text"), 'a\n\nb\n""\n'),
    (CSV, {}, dict(a="text"), ''),
]


def spelled_options(format, options):
    """The options of COPY in SQL."""
    words = [f"FORMAT {format}"]
    for name, value in options.items():
        if isinstance(value, list):
            words.append(f"{name} ({', '.join(value)})")
        elif value == "*":
            words.append(f"{name} *")
        else:
            words.append(f"{name} {value}" if name == "header" else f"{name} '{value.replace(chr(39), chr(39) * 2)}'")
    return f"({', '.join(words)})"


def copied_by_postgres(postgres, format, options, columns, content):
    """PostgreSQL's rows as texts, or (sqlstate, message)."""
    names = ", ".join(f"{column.name} {column.type.spell(column.modifier)}" for column in columns)
    postgres.run("DROP TABLE IF EXISTS copied")
    postgres.run(f"CREATE TABLE copied ({names}, number serial)")
    wanted = ", ".join(column.name for column in columns)
    connection, fields = postgres.connection, postgres.pq.DiagnosticField
    result = connection.exec_(f"COPY copied ({wanted}) FROM STDIN {spelled_options(format, options)}".encode())
    if result.status == postgres.pq.ExecStatus.COPY_IN:
        connection.put_copy_data(content.encode())
        connection.put_copy_end()
        result = connection.get_result()
        while connection.get_result() is not None:
            pass
    if result.status != postgres.pq.ExecStatus.COMMAND_OK:
        return tuple(result.error_field(field).decode() for field in (fields.SQLSTATE, fields.MESSAGE_PRIMARY))
    return postgres.query(f"SELECT {wanted} FROM copied ORDER BY number").rows


def copied(path, format, options, columns):
    try:
        return shown(open_copy(str(path), format, options, columns))
    except Error as fault:
        return fault.sqlstate, fault.message


@pytest.mark.oracle
@pytest.mark.parametrize("case", range(len(FROM_FILES)))
def test_copy_from_reads_what_postgresql_reads(postgres, tmp_path, case, monkeypatch):
    format, options, types, content = FROM_FILES[case]
    (tmp_path / "file").write_text(content, newline="")
    expected = copied_by_postgres(postgres, format, options, schema(**types), content)
    for chunk_bytes in (1 << 20, 1, 3, 8):
        monkeypatch.setattr("caldera.storage.external.copy_reader.CHUNK_BYTES", chunk_bytes)
        assert copied(tmp_path / "file", format, options, schema(**types)) == expected


@pytest.mark.parametrize("content, detail", [
    ("1,2\n3,x\n", 'line 2, column b: "x"'), ('"1","2\n3"\n4,y\n', 'line 2, column b: "2\n3"'), ("1,2\n3\n", 'line 2: "3"')])
def test_copy_errors_say_where(tmp_path, content, detail):
    (tmp_path / "file.csv").write_text(content)
    with pytest.raises(Error) as caught:
        shown(open_copy(str(tmp_path / "file.csv"), "csv", {}, schema(a="int4", b="int4")))
    assert caught.value.detail == f'File "{tmp_path}/file.csv", {detail}'


def test_a_large_regular_file_is_read_whole(tmp_path):
    rows = 200_000
    lines = (f'{n},"text {n % 100}",{n / 4},2013-07-{n % 30 + 1:02}\n' for n in range(rows))
    (tmp_path / "file.csv").write_text("".join(lines))
    relation = open_copy(str(tmp_path / "file.csv"), "csv", {}, schema(a="int4", b="text", c="numeric", d="date"))
    found = shown(relation)
    assert len(found) == rows and found[-1] == ("199999", "text 99", "49999.75", "2013-07-20")


@pytest.mark.parametrize("end, sqlstate", [("", None), ("x,y,z,1\n", "22P02"), ("1\n", "22P04"),
                                           ('1,"a,2,2013-07-01', "22P04"),
                                           ('1,a"b"c,2,2013-07-01\n', None), ("\n", "22P04")])
def test_large_files_come_in_batches(tmp_path, monkeypatch, end, sqlstate):
    monkeypatch.setattr("caldera.storage.external.copy_reader.BLOCK_BYTES", 4_000)
    monkeypatch.setattr("caldera.storage.external.copy_reader.CHUNK_BYTES", 20_000)
    rows = 5_000
    lines = "".join(f"{n},text {n % 100},{n / 4},2013-07-{n % 30 + 1:02}\n" for n in range(rows))
    (tmp_path / "file.csv").write_text(lines + end)
    relation = open_copy(str(tmp_path / "file.csv"), "csv", {}, schema(a="int4", b="text", c="numeric", d="date"))
    numbers, count = [], 0
    try:
        for piece in relation.stream(["a", "b"]).pieces():
            numbers += piece.columns["a"].values.tolist()
            count += 1
    except Error as fault:
        assert fault.sqlstate == sqlstate and f"line {rows + 1}" in fault.detail
    else:
        assert sqlstate is None and numbers == list(range(rows)) + [1] * bool(end)
    assert count > 1


def test_bytes_that_are_not_utf8_are_refused(tmp_path):
    (tmp_path / "file.csv").write_bytes(b"a\nb\xffc\n")
    assert copied(tmp_path / "file.csv", "csv", {}, schema(a="text")) == (
        "22021", 'invalid byte sequence for encoding "UTF8": 0xff')


# ------------------------------------------------------------------------------------------------ COPY TO

TO_FILES = [("csv", {}), ("csv", {"header": True, "delimiter": ";"}), ("csv", {"null": "x"}), ("csv", {"force_quote": "*"}),
            ("csv", {"force_quote": ["t"], "escape": "\\"}), ("csv", {"quote": "'"}), ("text", {}),
            ("text", {"header": True}), ("text", {"delimiter": "|", "null": "-"})]
AWKWARD = ["", "x", None, 'say "hi"', "a,b;c|d", "tab\there", "line\nend", "back\\slash", "\\.", "\\N", "it's",
           "größer", "\r", "\x08"]


def awkward_columns():
    """Columns n, t, f of awkward rows."""
    count = len(AWKWARD)
    return [column("int4", np.arange(count), np.arange(count) != 3),
            column("text", [(text or "").encode() for text in AWKWARD], [text is not None for text in AWKWARD]),
            column("float8", [1e15, 0.1, -0.0, np.nan, np.inf, *[1.5] * (count - 5)])]


@pytest.mark.oracle
@pytest.mark.parametrize("format, options", TO_FILES)
def test_copy_to_writes_what_postgresql_writes(postgres, tmp_path, format, options):
    columns = awkward_columns()
    types = [(data.type, None) for data in columns]
    copy_to(str(tmp_path / "file"), format, options, ["n", "t", "f"], types, columns)
    postgres.run("DROP TABLE IF EXISTS written")
    postgres.run("CREATE TABLE written (n int, t text, f float8, number serial)")
    texts = [to_text(data.type, data.values, data.valid) for data in columns]
    for row in zip(*texts):
        literals = ["NULL" if text is None else "'" + text.replace("'", "''") + "'" for text in row]
        postgres.run(f"INSERT INTO written (n, t, f) VALUES ({', '.join(literals)})")
    connection, expected = postgres.connection, b""
    statement = f"COPY (SELECT n, t, f FROM written ORDER BY number) TO STDOUT {spelled_options(format, options)}"
    connection.exec_(statement.encode())
    while (block := connection.get_copy_data(0))[0] > 0:
        expected += bytes(block[1])
    while connection.get_result() is not None:
        pass
    assert (tmp_path / "file").read_bytes() == expected


@pytest.mark.parametrize("format, options", TO_FILES + [("parquet", {}), ("parquet", {"compression": "none"})])
def test_what_copy_to_writes_copy_from_reads(tmp_path, format, options):
    columns = awkward_columns()
    path = str(tmp_path / "file.parquet")
    copy_to(path, format, options, ["n", "t", "f"], [(data.type, None) for data in columns], columns)
    reading = {name: value for name, value in options.items() if name != "force_quote"} if format != "parquet" else {}
    again = shown(open_copy(path, format, reading, schema(n="int4", t="text", f="float8")))
    assert again == list(zip(*(to_text(data.type, data.values, data.valid) for data in columns)))


def test_copy_to_leaves_no_file_behind_when_it_fails(tmp_path):
    with pytest.raises(Error) as caught:
        copy_to(str(tmp_path / "missing" / "file.csv"), "csv", {}, ["n"], [(lookup("int4"), None)], [column("int4", [1])])
    assert caught.value.sqlstate == "58P01"
    with pytest.raises(Error) as caught:
        copy_to(str(tmp_path / "f.parquet"), "parquet", {"compression": "zip"}, ["n"], [(lookup("int4"), None)],
                [column("int4", [1])])
    assert caught.value.sqlstate == "22023" and os.listdir(tmp_path) == []
