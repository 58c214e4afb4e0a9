"""What is in a text of JSON, as it is written there: json keeps white space, numbers and keys that occur twice."""
from json.decoder import scanstring  # type: ignore[attr-defined]

from caldera.types.json_syntax import ANY_SPACE
from caldera.types.json_values import SYNTAX_ONLY


def skip_space(text, at):
    """The first place from one on that is no white space."""
    return ANY_SPACE.match(text, at).end()


def parts(text):
    """Pairs (key, text of the value) of an object, (None, text of the element) of an array; none of a scalar."""
    at = skip_space(text, 0)
    is_object = text[at] == "{"
    if text[at] not in "[{":
        return
    at = skip_space(text, at + 1)
    while text[at] not in "]}":
        key = None
        if is_object:
            key, at = scanstring(text, at + 1)
            at = skip_space(text, skip_space(text, at) + 1)
        start = at
        _, at = SYNTAX_ONLY.raw_decode(text, start)
        yield key, text[start:at]
        at = skip_space(text, at)
        if text[at] == ",":
            at = skip_space(text, at + 1)


def member(text, key):
    """The text of the last member with a key, None if there is none."""
    found = None
    for name, part in parts(text):
        found = part if name == key else found
    return found


def kind_of(text):
    """The first character of a value, which tells what it is."""
    return text[skip_space(text, 0)]
