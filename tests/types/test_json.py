"""json and jsonb: what Python sees of them, and where a text that is no JSON is wrong."""
import pytest

import caldera


@pytest.mark.parametrize("text, detail, context", [
    ("", "The input string ended unexpectedly.", "JSON data, line 1: "),
    ("[1,", "The input string ended unexpectedly.", "JSON data, line 1: [1,"),
    ('{"a": nothing}', 'Token "nothing" is invalid.', 'JSON data, line 1: {"a": nothing...'),
    ('{"a" 1}', 'Expected ":", but found "1".', 'JSON data, line 1: {"a" 1...'),
    ('[\n1\n2]', 'Expected "," or "]", but found "2".', "JSON data, line 3: 2..."),
    ('"\\x"', 'Escape sequence "\\x" is invalid.', 'JSON data, line 1: "\\x...'),
])
def test_an_error_tells_what_is_wrong_and_where(text, detail, context):
    with pytest.raises(caldera.Error) as raised:
        caldera.connect().execute("SELECT %s::json", (text,))
    assert (raised.value.sqlstate, raised.value.detail, raised.value.context) == ("22P02", detail, context)


def test_objects_of_python_go_in_and_come_out():
    document = {"b": [1, 2.5, None, True], "a": {"text": "é"}}
    row = caldera.connect().execute("SELECT %s, %s::json, NULL::jsonb", (document, '{"x": 1}')).fetchone()
    assert row == (document, {"x": 1}, None)


def test_arrow_has_the_text():
    table = caldera.connect().sql("""SELECT '{"b": 1.50, "a": null}'::jsonb AS j""").arrow()
    assert table.column("j").to_pylist() == ['{"a": null, "b": 1.50}']
