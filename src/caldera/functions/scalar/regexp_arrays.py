"""Regular expressions whose results are arrays: regexp_match, regexp_split_to_array."""
from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.scalar.regexps import compiled, options_of
from caldera.types.array_image import Array


def captured(text, regex, spans):
    """What the groups of a match have captured, NULL for those that did not take part; the whole, if there are none."""
    chosen = spans[1:] if regex.groups else spans[:1]
    return Array.of(None if span is None else text[span[0]:span[1]] for span in chosen)


@scalar("regexp_match(text, text) -> _text", "regexp_match(text, text, text) -> _text", python=True,
        doc="What the groups of the first match have captured.",
        example="SELECT regexp_match('foobarbequebaz', '(bar)(beque)')  -- {bar,beque}")
def regexp_match(text, pattern, flags=""):
    if "g" in flags:
        raise error("22023", 'regexp_match() does not support the "global" option',
                    hint="Use the regexp_matches function instead.")
    regex = compiled(pattern, options_of(flags))
    return next((captured(text, regex, spans) for spans in regex.find_all(text, groups=True)), None)


def pieces_between_matches(text, pattern, flags, function):
    """The pieces between what matches a regular expression. Empty matches at the ends and right behind another do not
    count."""
    regex, start, previous_end = compiled(pattern, options_of(flags, function)), 0, 0
    for (first, stop), *_ in regex.find_all(text, groups=False):
        if first < len(text) and stop > previous_end:
            yield text[start:first]
            start = stop
        previous_end = stop
    yield text[start:]


@scalar("regexp_split_to_array(text, text) -> _text", "regexp_split_to_array(text, text, text) -> _text", python=True,
        doc="The pieces between matches.", example=r"SELECT regexp_split_to_array('hello world', '\s+')  -- {hello,world}")
def regexp_split_to_array(text, pattern, flags=""):
    return Array.of(pieces_between_matches(text, pattern, flags, "regexp_split_to_array"))
