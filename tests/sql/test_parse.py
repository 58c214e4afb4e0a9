"""Text to syntax trees: errors and positions, files as tables, scripts. The right values are PostgreSQL 18's."""
import os
import subprocess
import sys
import threading

import pytest

from caldera.base.errors import Error
from caldera.sql import libpg_query
from caldera.sql.parse import parse, parse_one, split

SYNTAX_ERRORS = [
    # text, SQLSTATE, message, position in characters
    ("select from where", "42601", 'syntax error at or near "where"', 13),
    ("selec 1", "42601", 'syntax error at or near "selec"', 1),
    ("select 1 +", "42601", "syntax error at end of input", 11),
    ("select 'é' x y", "42601", 'syntax error at or near "y"', 14),
    ("select '𝄞é' x y", "42601", 'syntax error at or near "y"', 15),
    ("select 'abc", "42601", "unterminated quoted string at or near \"'abc\"", 8),
    ('select "abc', "42601", 'unterminated quoted identifier at or near ""abc"', 8),
    ("/* abc", "42601", 'unterminated /* comment at or near "/* abc"', 1),
    ("select 1x", "42601", 'trailing junk after numeric literal at or near "1x"', 8),
    ("select 1 limit 1, 2", "42601", "LIMIT #,# syntax is not supported", 10),
    ("select float(0) '1'", "22023", "precision for type float must be at least 1 bit", 14),
    (r"select U&'\00zz'", "42601", "invalid Unicode escape", 11),
    (r"select E'\u12'", "22025", "invalid Unicode escape", 10),
    (r"select E'\xff'", "22021", 'invalid byte sequence for encoding "UTF8": 0xff', None),
    ("create assertion a check (true)", "0A000", "CREATE ASSERTION is not yet implemented", None),
    ("select 1\0", "22021", 'invalid byte sequence for encoding "UTF8": 0x00', 9),
    ("select 1; select 2; selec", "42601", 'syntax error at or near "selec"', 21),
]


@pytest.mark.parametrize("text, state, message, position", SYNTAX_ERRORS)
def test_a_mistake_is_reported_in_postgresqls_words_at_its_place(text, state, message, position):
    with pytest.raises(Error) as caught:
        parse(text)
    assert (caught.value.sqlstate, caught.value.message) == (state, message)
    if position is not None and state == "42601":
        assert caught.value.position == position


def test_a_reserved_word_as_the_name_of_an_argument_gets_a_hint():
    with pytest.raises(Error) as caught:
        parse("select * from read_csv('f.csv', null => 'NA')")
    assert caught.value.sqlstate == "42601" and '"null" => ...' in caught.value.hint
    assert parse("select * from read_csv('f.csv', \"null\" => 'NA')")


@pytest.mark.parametrize("text, files", [
    ("select x from 'a.parquet'", {14: "a.parquet"}),
    ("select x from 'a.parquet' as b, 'é''.csv' join 'c' on true", {14: "a.parquet", 32: "é'.csv", 48: "c"}),
    ("select 'é' from 'a'", {17: "a"}),
    ("select (select 1 from 'x'), 'a' from 'b', (select 1), 'd'", {22: "x", 37: "b", 54: "d"}),
    ("insert into t select * from E'x\\ty'", {28: "x\ty"}),
    ("select trim(both from 'x'), a is distinct from 'y', extract(year from 'z') from t", {}),
    ("copy t from 'x' (format csv)", {}),
])
def test_a_quoted_file_may_stand_where_a_table_goes(text, files):
    statement = parse_one(text)
    assert statement.files == files
    assert statement.source == text


@pytest.mark.parametrize("text, position", [
    ("create table t (a int, 'b' text)", 24), ("select 1 from 'x' 'y'", 19),
    ("select 1,'x' 'y'", 14), ("select 1 from ''", 15)])
def test_a_misplaced_text_that_names_no_file_stays_an_error(text, position):
    with pytest.raises(Error) as caught:
        parse(text)
    assert caught.value.position == position


def test_the_statements_of_a_script_know_their_own_text():
    statements = parse("select 'é';\n insert into t values (1) ; ;")
    assert [(statement.kind, statement.text) for statement in statements] == [
        ("SelectStmt", "select 'é'"), ("InsertStmt", "insert into t values (1)")]
    assert parse(" -- nothing\n;") == []


def test_a_location_in_bytes_becomes_a_position_in_characters():
    statement = parse_one("select 'é', b")
    column = statement.fields["targetList"][1]["ResTarget"]["val"]["ColumnRef"]
    assert column["location"] == 13
    assert statement.position(column["location"]) == 13 and statement.position(-1) is None


@pytest.mark.parametrize("script, statements", [
    ("select 1; selec ; 'a;b'; -- x\n /* ; */ 12 -- d\n", ["select 1", "selec", "'a;b'", "12"]),
    ("", []), (" ; ;", []),
    ("select $$;$$; select (1", ["select $$;$$", "select (1"]),
])
def test_a_script_is_split_at_its_semicolons_even_if_statements_are_wrong(script, statements):
    assert split(script) == statements


@pytest.mark.parametrize("text", [
    "select " + "1+" * 300_000 + "1", "select 1" + "::int" * 60_000, "select " + "1+" * 3000 + "1"])
def test_a_tree_that_is_too_deep_is_an_error_and_not_a_crash(text):
    with pytest.raises(Error) as caught:
        parse(text)
    assert caught.value.sqlstate == "54001"


def test_nesting_beyond_the_grammars_own_bound_is_a_syntax_error():
    with pytest.raises(Error) as caught:
        parse("select " + "(" * 50_000)
    assert caught.value.message == 'memory exhausted at or near "("'


def test_constants_are_replaced_and_fingerprints_do_not_see_them():
    assert libpg_query.normalize("select 1, 'a' from t where x = 3") == "select $1, $2 from t where x = $3"
    assert libpg_query.fingerprint("select 1 from t") == libpg_query.fingerprint("SELECT  2 FROM t")
    assert libpg_query.fingerprint("select 1 from t") != libpg_query.fingerprint("select 1 from u")


def test_tokens_have_bytes_numbers_and_keyword_kinds():
    assert [token[:2] + token[3:] for token in libpg_query.scan("select é from b")] == [
        (0, 6, 4), (7, 9, 0), (10, 14, 4), (15, 16, 0)]


def test_threads_parse_at_once():
    wrong = []

    def work(number):
        for _ in range(200):
            fields = parse_one(f"select {number}").fields
            if fields["targetList"][0]["ResTarget"]["val"]["A_Const"]["ival"].get("ival", 0) != number:
                wrong.append(number)
    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_parsers_package_is_not_imported():
    code = "import sys; from caldera.sql.parse import parse; parse('SELECT 1'); print('postgast' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={"PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.stdout.strip() == "False"
