"""LIKE and ILIKE, their operators, and escapes.

A constant pattern without _ becomes comparisons and searches for its literal pieces while the program is staged; one with _
becomes a regular expression's automaton; one that is no constant is matched by a routine. ILIKE is LIKE of the lower-case
text and the lower-case pattern.
"""
from functools import lru_cache

from caldera.base.errors import error
from caldera.functions import unicode
from caldera.functions.regexp import machine
from caldera.functions.regexp.matching import Regex
from caldera.functions.regexp.syntax import Alternatives, Assertion, Chars, Options, Repeat, Sequence, Syntax
from caldera.functions.registry import scalar
from caldera.functions.scalar.text_case import lower_text
from caldera.kernel.patterns import match_byte_pattern, match_pattern, matches_pieces, split_pattern

LONE_ESCAPE = "22025", "LIKE pattern must not end with escape character"
INVALID_ESCAPE = "22025", "invalid escape string"
ESCAPE_HINT = "Escape string must be empty or one character."


def like_staged(call, text, pattern, fold=False):
    """Staged BOOL: the text is LIKE the pattern. `fold`: in any case."""
    k, known = call.k, call.known(1)
    if fold:
        text = lower_text(call, text)
        known = None if known is None else unicode.lower(known)
    pieces = None if known is None else split_pattern(known if isinstance(known, bytes) else known.encode())
    if pieces is not None:
        return k.as_condition(matches_pieces(k, text, pieces))
    tables = None if known is None or isinstance(known, bytes) else automaton_of(known)
    if tables is not None:
        return machine.matches(k, tables, text)
    if fold:
        pattern = lower_text(call, pattern)
    routine = match_byte_pattern if call.types[0].name == "bytea" else match_pattern
    matched, bad = k.routine(routine, text.address, text.length, pattern.address, pattern.length)
    call.fault(bad, *LONE_ESCAPE)
    return matched


ANY_CHARACTER = Chars(((0, unicode.CODE_MAX),))


@lru_cache(maxsize=256)
def automaton_of(pattern):
    """The machine.Tables of a pattern; None if it would be too large, or if the pattern ends in a lone backslash."""
    items, at = [Assertion("start")], 0
    while at < len(pattern):
        letter = pattern[at]
        if letter == "%":
            items.append(Repeat(ANY_CHARACTER, 0, None))
        elif letter == "_":
            items.append(Repeat(ANY_CHARACTER))
        else:
            at += letter == "\\"
            if at == len(pattern):
                return None
            items.append(Repeat(Chars(((ord(pattern[at]), ord(pattern[at])),))))
        at += 1
    tree = Alternatives((Sequence((*items, Assertion("end"))),))
    return machine.tables_of(Regex(pattern, syntax=Syntax(tree, Options(), 0, {})))


def register(operator, names, signatures, fold, negated, doc, example):
    """One of the operators, for all types it takes."""
    def body(call, text, pattern):
        matched = like_staged(call, text, pattern, fold)
        return call.k.not_(matched) if negated else matched
    body.__name__ = names[0]
    for name, signature in zip(names, signatures):
        scalar(f"{name}({signature}, {'bytea' if signature == 'bytea' else 'text'}) -> bool", operator=operator, static=(1,),
               doc=doc, example=example)(body)
    return body


TEXTS = "text", "bpchar", "bytea"
like = register("~~", ("textlike", "bpcharlike", "bytealike"), TEXTS, False, False,
                "Whether a text matches a pattern: % stands for any text, _ for a character.",
                "SELECT 'abc' LIKE 'a%'  -- t")
not_like = register("!~~", ("textnlike", "bpcharnlike", "byteanlike"), TEXTS, False, True,
        "Whether a text does not match a pattern.",
                    "SELECT 'abc' NOT LIKE '_b_'  -- f")
register("~~*", ("texticlike", "bpchariclike"), TEXTS, True, False, "Whether a text matches a pattern in any case.",
         "SELECT 'ABC' ILIKE 'a%'  -- t")
register("!~~*", ("texticnlike", "bpcharicnlike"), TEXTS, True, True, "Whether a text does not match a pattern in any case.",
         "SELECT 'ABC' NOT ILIKE 'a%'  -- f")
scalar("like(text, text) -> bool", "like(bytea, bytea) -> bool", static=(1,), doc="Whether a text matches a LIKE pattern.",
       example="SELECT pg_catalog.like('abc', 'a%')  -- t")(like)
scalar("notlike(text, text) -> bool", "notlike(bytea, bytea) -> bool", static=(1,),
       doc="Whether a text does not match a LIKE pattern.", example="SELECT notlike('abc', 'a%')  -- f")(not_like)


@scalar("like_escape(text, text) -> text", python=True,
        doc="A LIKE pattern with another escape character, rewritten for \\.",
        example=r"SELECT like_escape('10#%', '#')  -- 10\%")
def like_escape(pattern, escape):
    return escaped(pattern, escape)


@scalar("like_escape(bytea, bytea) -> bytea", python=True, doc="A LIKE pattern with another escape byte, rewritten for \\.",
        example=r"SELECT like_escape('a#_'::bytea, '#'::bytea)  -- \x615c5f")
def like_escape_bytes(pattern, escape):
    return escaped(pattern.decode("latin-1"), escape.decode("latin-1")).encode("latin-1")


def escaped(pattern, escape):
    """The pattern for \\ as the escape character; an empty `escape` means that there is none."""
    if len(escape) > 1:
        raise error(*INVALID_ESCAPE, hint=ESCAPE_HINT)
    if escape == "\\":
        return pattern
    parts, after_escape = [], False
    for letter in pattern:
        if letter == escape and not after_escape:
            parts.append("\\")
            after_escape = True
            continue
        parts.append("\\\\" if letter == "\\" and not after_escape else letter)
        after_escape = False
    return "".join(parts)
