"""Printed tables, to the character as psql prints them, and places of errors."""
import pytest

from caldera.client.printing import Style, Table, lines_of
from caldera.client.source_line import marked_line
from caldera.client.text_width import cut, width

TABLE = Table(["id", "a long name", "text"], [True, False, False], [["1", "200"], [None, "x"], ["a\nbc", "日本"]], 2)


def printed(table, **style):
    return "\n".join(lines_of(table, Style(**style)))


def dotted(text):
    """What is printed, with a dot for a space at the end of a line."""
    return text.replace("·\n", " \n")


def test_columns_are_aligned_numbers_right_and_lines_of_a_value_continued():
    assert printed(TABLE) == dotted("""\
 id  | a long name | text·
-----+-------------+------
   1 |             | a   +
     |             | bc
 200 | x           | 日本
(2 rows)
""")


def test_a_title_is_centred_and_null_is_shown_as_it_is_set():
    table = Table(["n"], [False], [[None]], 1, "A title that is long")
    assert printed(table, null="∅") == "A title that is long\n n \n---\n ∅\n(1 row)\n"
    assert printed(Table(["name", "kind"], [False, False], [["t"], ["table"]], 1, "List")) == \
        "     List\n name | kind  \n------+-------\n t    | table\n(1 row)\n"


def test_tables_without_rows_or_columns_still_have_a_frame():
    assert printed(Table(["a", "b"], [True, False], [[], []], 0)) == " a | b \n---+---\n(0 rows)\n"
    assert printed(Table([], [], [], 0)) == "\n--\n(0 rows)\n"


def test_expanded_records_have_a_line_for_each_column():
    assert printed(TABLE, expanded="on") == dotted("""\
-[ RECORD 1 ]-----
id          | 1
a long name |·
text        | a   +
            | bc
-[ RECORD 2 ]-----
id          | 200
a long name | x
text        | 日本
""")


def test_expanded_by_itself_where_rows_are_too_wide():
    wide = Table(["a"], [False], [["x" * 100]], 1)
    assert printed(wide, expanded="auto", screen_width=80).startswith("-[ RECORD 1 ]")
    assert printed(wide, expanded="auto", screen_width=120).startswith(" ")
    assert printed(Table(["a"], [False], [[]], 0), expanded="on") == "(0 rows)\n"


@pytest.mark.parametrize("style, expected", [
    (dict(format="unaligned"), "id|a long name|text\n1||a\nbc\n200|x|日本\n(2 rows)"),
    (dict(format="unaligned", tuples_only=True, separator="\t"), "1\t\ta\nbc\n200\tx\t日本"),
    (dict(format="csv"), 'id,a long name,text\n1,,"a\nbc"\n200,x,日本'),
    (dict(tuples_only=True), "   1 |             | a   +\n     |             | bc\n 200 | x           | 日本\n")])
def test_forms_for_programs_leave_out_what_is_for_the_eye(style, expected):
    assert printed(TABLE, **style) == expected


def test_control_characters_are_spelled_out():
    assert printed(Table(["a"], [False], [["x\ty\r\x01"]], 1)).splitlines()[2] == " x       y\\r\\x01"


def test_widths_count_what_a_terminal_shows_of_wide_and_combining_characters():
    assert width("aé日") == 4 and width("e\u0301") == 1
    assert cut("abcdef", 4) == "abc…" and cut("日本語", 4) == "日…" and cut("abc", 3) == "abc"


@pytest.mark.parametrize("text, position, expected", [
    ("selec 1", 1, "LINE 1: selec 1\n        ^"),
    ("select 1\nfrom nope", 15, "LINE 2: from nope\n             ^"),
    ("select '日本', x", 14, "LINE 1: select '日本', x\n                       ^"),
    ("select 1 +", 11, "LINE 1: select 1 +\n                  ^")])
def test_the_place_of_an_error_is_marked_under_its_line(text, position, expected):
    assert marked_line(text, position) == expected


def test_long_lines_are_cut_around_the_place():
    text = "select " + ", ".join(f"column_{number}" for number in range(100))
    line, mark = marked_line(text, text.index("column_50") + 1).split("\n")
    assert line[mark.index("^"):].startswith("column_50")
    assert len(line) <= 78 and line[8:].startswith("...") and line.endswith("...")
