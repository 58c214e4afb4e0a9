"""Records as text: '(1,"a b",)', where nothing at all stands for NULL.

    read(text, readers)     the fields of a literal, each read by its own function
    write(texts)
"""
from caldera.base.errors import error

SPACE = " \t\n\r\v\f"
QUOTED = set('"\\(),' + SPACE)


# ------------------------------------------------------------------------------------------------ reading

def read(text, readers):
    """The tuple of datums that a text means; `readers`: for each field a function of its text. Raises 22P02."""
    at = skip_space(text, 0)
    if text[at:at + 1] != "(":
        raise malformed(text, "Missing left parenthesis.")
    at, datums = at + 1, []
    for number, read_field in enumerate(readers):
        if number > 0:
            if text[at:at + 1] != ",":
                raise malformed(text, "Too few columns.")
            at += 1
        part, at = field_at(text, at)
        datums.append(None if part is None else read_field(part))
    if text[at:at + 1] != ")":
        raise malformed(text, "Too many columns.")
    if skip_space(text, at + 1) < len(text):
        raise malformed(text, "Junk after right parenthesis.")
    return tuple(datums)


def malformed(text, detail):
    """The error for a text that is no record."""
    return error("22P02", f'malformed record literal: "{text}"', detail=detail)


def skip_space(text, at):
    """The place of the next character that is no white space."""
    while text[at:at + 1] and text[at] in SPACE:
        at += 1
    return at


def field_at(text, at):
    """(the text of the field that begins at a place, None for NULL; the place behind it)."""
    if text[at:at + 1] in (",", ")") and at < len(text):
        return None, at
    parts, is_quoted = [], False
    while is_quoted or text[at:at + 1] not in (",", ")"):
        character = character_at(text, at)
        at += 1
        if character == "\\":
            parts.append(character_at(text, at))
            at += 1
        elif character != '"':
            parts.append(character)
        elif is_quoted and text[at:at + 1] == '"':          # doubled, it stands for itself
            parts.append(character)
            at += 1
        else:
            is_quoted = not is_quoted
    return "".join(parts), at


def character_at(text, at):
    """The character at a place, which must be there."""
    if at >= len(text):
        raise malformed(text, "Unexpected end of input.")
    return text[at]


# ------------------------------------------------------------------------------------------------ writing

def write(texts):
    """The text of a record of which the fields' texts are given, None for NULL."""
    return f"({','.join('' if text is None else quoted_if_needed(text) for text in texts)})"


def quoted_if_needed(text):
    """A field's text as it stands in a record's."""
    if text and not QUOTED.intersection(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '""') + '"'
