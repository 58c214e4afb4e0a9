"""Pieces of a text as rows: string_to_table, regexp_split_to_table, regexp_matches."""
from caldera.functions.registry import TABLE_FUNCTIONS, TableFunction
from caldera.functions.scalar.regexp_arrays import captured, pieces_between_matches
from caldera.functions.scalar.regexps import compiled, options_of
from caldera.types.registry import lookup


def pieces_of(session, text, delimiter, null=None):
    """The pieces between delimiters, NULL for those that are `null`; of NULL as delimiter all characters."""
    if text:
        for piece in text if delimiter is None else text.split(delimiter) if delimiter else [text]:
            yield (None if piece == null else piece,)


def pieces_by_pattern(session, text, pattern, flags=""):
    """The pieces between what matches a regular expression."""
    if None not in (text, pattern, flags):
        for piece in pieces_between_matches(text, pattern, flags, "regexp_split_to_table"):
            yield (piece,)


def matches(session, text, pattern, flags=""):
    """What the groups of the first match have captured; with the flag g, of all matches."""
    if None in (text, pattern, flags):
        return
    regex = compiled(pattern, options_of(flags))
    for spans in regex.find_all(text, groups=True):
        yield (captured(text, regex, spans),)
        if "g" not in flags:
            return


TEXT = lookup("text")
for name, type, rows, doc in (
        ("string_to_table", "text", pieces_of, "The pieces of a text between delimiters"),
        ("regexp_split_to_table", "text", pieces_by_pattern, "The pieces of a text between matches"),
        ("regexp_matches", "_text", matches, "What matches have captured")):
    for count in (2, 3):
        function = TableFunction(name, (TEXT,) * count, ((name, lookup(type)),), rows, doc=doc)
        TABLE_FUNCTIONS.setdefault(name, []).append(function)
