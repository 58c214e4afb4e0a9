"""How the shell reads: statements, what keeps them open, backslash commands, variables."""
import pytest

from caldera.client.script import Reader, substituted


def items(text):
    reader = Reader()
    found = [item for line in text.split("\n") for item in reader.feed(line)]
    return [item.text for item in [*found, *reader.finish()]]


@pytest.mark.parametrize("text, expected", [
    ("select 1; select 2;", ["select 1;", "select 2;"]),
    ("select\n 1\n;", ["select\n 1\n;"]),
    ("select ';' || \";\" || $$;$$ || $a$;$b$;$a$;", ["select ';' || \";\" || $$;$$ || $a$;$b$;$a$;"]),
    ("select E'\\';' ; select 'x\\';", ["select E'\\';' ;", "select 'x\\';"]),
    ("select 1 -- ; no\n; select /* ; /* ; */ ; */ 2;", ["select 1 -- ; no\n;", "select /* ; /* ; */ ; */ 2;"]),
    ("-- nothing\n\n/* here */\n;;", []),
    ("create rule r as (select 1; select 2);", ["create rule r as (select 1; select 2);"]),
    ("select name'x' , a$b$c from t; select 2", ["select name'x' , a$b$c from t;", "select 2"]),
    ("\\d t\nselect 1;", ["\\d t", "select 1;"]),
    ("\\x \\timing", ["\\x", "\\timing"]),
    ("\\echo 'a \\b' c \\d", ["\\echo 'a \\b' c", "\\d"]),
    ("\\! ls \\d", ["\\! ls \\d"]),
    ("select 'a\n\\d\nb';", ["select 'a\n\\d\nb';"]),
])
def test_a_script_is_cut_into_statements_and_commands_outside_of_quotes_and_comments(text, expected):
    assert items(text) == expected


@pytest.mark.parametrize("lines, waits_for, pending", [
    ([], "=", ""), (["select 1"], "-", "select 1\n"), (["select (1"], "(", "select (1\n"),
    (["select 'a"], "'", "select 'a\n"), (["select \"a"], '"', "select \"a\n"), (["/* a"], "*", "/* a\n"),
    (["select $x$ a"], "$", "select $x$ a\n"), (["-- a"], "=", "-- a\n")])
def test_a_reader_tells_what_an_unfinished_statement_waits_for(lines, waits_for, pending):
    reader = Reader()
    for line in lines:
        assert list(reader.feed(line)) == []
    assert (reader.waits_for, reader.pending) == (waits_for, pending)


def test_a_command_sees_what_was_typed_before_it():
    reader = Reader()
    item, = [(item.text, reader.pending) for item in reader.feed("select 1 \\g")]
    assert item == ("\\g", "select 1 ")
    assert [item.line for item in reader.feed(";")] == [2]


def test_long_scripts_are_read_in_one_pass():
    reader = Reader()
    count = sum(1 for number in range(20_000) for _ in reader.feed(f"insert into t values ({number}, 'x;y');"))
    assert count == 20_000


@pytest.mark.parametrize("text, expected", [
    ("select :n, :'t', :\"c\"", "select 7, 'it''s', \"a b\""), ("select 1::n, ':n', $$x$$", "select 1::n, ':n', $$x$$"),
    ("select :missing -- :n", "select :missing -- :n"), ("select a[1:n]", "select a[17]")])
def test_variables_are_put_in_outside_of_quotes_and_comments_only(text, expected):
    assert substituted(text, {"n": "7", "t": "it's", "c": "a b"}) == expected
