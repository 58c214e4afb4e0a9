"""Pieces of a text as rows: string_to_table, regexp_split_to_table."""
from caldera.functions.registry import TABLE_FUNCTIONS, TableFunction
from caldera.functions.scalar.regexps import compiled, options_of
from caldera.types.registry import lookup


def pieces_of(session, text, delimiter, null=None):
    """The pieces between delimiters, NULL for those that are `null`; of NULL as delimiter all characters."""
    if text:
        for piece in text if delimiter is None else text.split(delimiter) if delimiter else [text]:
            yield (None if piece == null else piece,)


def pieces_between_matches(session, text, pattern, flags=""):
    """The pieces between what matches a regular expression. Empty matches at the ends and right behind another do not
    count."""
    if None in (text, pattern, flags):
        return
    regex, start, previous_end = compiled(pattern, options_of(flags, "regexp_split_to_table")), 0, 0
    for (first, stop), *_ in regex.find_all(text, groups=False):
        if first < len(text) and stop > previous_end:
            yield (text[start:first],)
            start = stop
        previous_end = stop
    yield (text[start:],)


TEXT = lookup("text")
for name, rows, doc in (("string_to_table", pieces_of, "The pieces of a text between delimiters"),
                        ("regexp_split_to_table", pieces_between_matches, "The pieces of a text between matches")):
    for count in (2, 3):
        TABLE_FUNCTIONS.setdefault(name, []).append(TableFunction(name, (TEXT,) * count, ((name, TEXT),), rows, doc=doc))
