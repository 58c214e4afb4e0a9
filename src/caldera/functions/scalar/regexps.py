"""Regular expressions in SQL: ~ and its like, SIMILAR TO, regexp_replace, regexp_substr, regexp_count and the others.

Where the pattern is a constant and generated code can do it (`regexp.machine`), the operators, substring and the replacement
of the first match are staged; all else is Python, row by row.
"""
from functools import lru_cache

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.functions.regexp import machine
from caldera.functions.regexp.matching import compiled
from caldera.functions.regexp.syntax import Options, parse_options
from caldera.functions.scalar.patterns import ESCAPE_HINT, INVALID_ESCAPE
from caldera.functions.scalar.text_building import joined
from caldera.kernel.layouts import TEXT
from caldera.kernel.nullable import Sql
from caldera.kernel.text import Text

ANY_CASE = Options(ignore_case=True)
TOO_MANY_QUOTES = "2200C", "SQL regular expression may not contain more than two escape-double-quote separators"
# What signs outside of brackets are in an advanced regular expression.
IN_ARE = {"%": ".*", "_": ".", "(": "(?:", "\\": "\\\\", ".": "\\.", "^": "\\^", "$": "\\$"}
START_HINT = "If you meant to use regexp_replace() with a start parameter, cast the fourth argument to integer explicitly."


@lru_cache(maxsize=256)
def options_of(flags, function=None):
    """Options from a flags argument. With a `function`, "g" is refused in its name; else it is allowed."""
    if function and "g" in flags:
        raise error("22023", f'{function}() does not support the "global" option')
    return parse_options(flags, "g")


def at_least(name, value, least):
    """Raise 22023 if a parameter is too small."""
    if value < least:
        raise error("22023", f'invalid value for parameter "{name}": {value}')


# ------------------------------------------------------------------------------------------------ operators

def tables_of(call, number, options, groups=False):
    """The machine.Tables of the pattern that is argument `number`, if it is known and generated code can do it."""
    pattern = call.known(number)
    regex = None if pattern is None else compiled(pattern, options)
    if regex is None or groups and not machine.can_find_groups(regex.tree):
        return None
    return machine.tables_of(regex)


def in_python(call, function, *values):
    """The result of a plain function over datums, called for this row."""
    return call.python(function, call.types, call.result, values)


def register(operator, name, any_case, negated, doc, example):
    """One of the four operators, for text and char(n)."""
    options = ANY_CASE if any_case else Options()

    @scalar(f"text{name}(text, text) -> bool", f"bpchar{name}(bpchar, text) -> bool", operator=operator, static=(1,),
            doc=doc,
            example=example)
    def matches(call, text, pattern):
        tables = tables_of(call, 1, options)
        if tables is None:
            return in_python(call, lambda text, pattern: compiled(pattern, options).matches(text) != negated, text, pattern)
        found = machine.matches(call.k, tables, text)
        return call.k.not_(found) if negated else found


register("~", "regexeq", False, False, "Whether a regular expression matches somewhere in the text.",
         "SELECT 'thomas' ~ 't.*ma'  -- t")
register("~*", "icregexeq", True, False, "Whether a regular expression matches somewhere, in any case.",
         "SELECT 'thomas' ~* 'T.*ma'  -- t")
register("!~", "regexne", False, True, "Whether a regular expression matches nowhere in the text.",
         "SELECT 'thomas' !~ 't.*max'  -- t")
register("!~*", "icregexne", True, True, "Whether a regular expression matches nowhere, in any case.",
         "SELECT 'thomas' !~* 'T.*ma'  -- f")


@scalar("regexp_like(text, text) -> bool", static=(1,), doc="Whether a regular expression matches somewhere in the text.",
        example="SELECT regexp_like('Hello World', 'world$')  -- f")
def regexp_like(call, text, pattern):
    tables = tables_of(call, 1, Options())
    if tables is None:
        return in_python(call, lambda text, pattern: compiled(pattern).matches(text), text, pattern)
    return machine.matches(call.k, tables, text)


@scalar("regexp_like(text, text, text) -> bool", python=True, doc="The same with flags.",
        example="SELECT regexp_like('Hello World', 'world$', 'i')  -- t")
def regexp_like_flags(text, pattern, flags):
    return compiled(pattern, options_of(flags, "regexp_like")).matches(text)


# ------------------------------------------------------------------------------------------------ replacing

@lru_cache(maxsize=256)
def replacement_parts(template):
    r"""A replacement as texts and numbers of groups (0 for \&)."""
    parts, at = [""], 0
    while at < len(template):
        following = template[at + 1:at + 2]
        if template[at] == "\\" and following and following in "123456789&":
            parts += [0 if following == "&" else int(following), ""]
            at += 2
        elif template[at] == "\\" and following == "\\":
            parts[-1] += "\\"
            at += 2
        else:
            parts[-1] += template[at]
            at += 1
    return tuple(part for part in parts if part != "")


def replaced(text, pattern, template, options, start=0, number=1):
    """The text with match number `number` (from 1) replaced, or all for 0, from character `start` (from 0) on."""
    regex, parts = compiled(pattern, options), replacement_parts(template)
    groups = any(isinstance(part, int) and part for part in parts)
    result, copied, seen = [], 0, 0
    for spans in regex.find_all(text, start, groups):
        seen += 1
        if number and seen != number:
            continue
        first, last = spans[0]
        result.append(text[copied:first])
        for part in parts:
            if isinstance(part, str):
                result.append(part)
            elif part < len(spans) and spans[part] is not None:
                result.append(text[slice(*spans[part])])
        copied = last
        if number:
            break
    return "".join([*result, text[copied:]]) if copied or result else text


@scalar("regexp_replace(text, text, text) -> text", static=(1, 2),
        doc=r"The first match replaced; \1 stands for a group, \& for the match.",
        example="SELECT regexp_replace('foobarbaz', 'b..', 'X')  -- fooXbaz")
def regexp_replace(call, text, pattern, template):
    tables, known = tables_of(call, 1, Options(), groups=True), call.known(2)
    if tables is None or known is None:
        return in_python(call, lambda *datums: replaced(*datums, Options()), text, pattern, template)
    return replaced_staged(call, tables, text, replacement_parts(known))


@scalar("regexp_replace(text, text, text, text) -> text", static=(1, 2, 3),
        doc="The same with flags; g replaces all matches.",
        example="SELECT regexp_replace('foobarbaz', 'b(..)', 'X\\1Y', 'g')  -- fooXarYXazY")
def regexp_replace_flags(call, text, pattern, template, flags):
    known, known_flags = call.known(2), call.known(3)
    if known is not None and known_flags is not None and set(known_flags) <= set("icnpwsxt"):
        tables = tables_of(call, 1, options_of(known_flags), groups=True)
        if tables is not None:
            return replaced_staged(call, tables, text, replacement_parts(known))
    return in_python(call, replaced_with_flags, text, pattern, template, flags)


def replaced_with_flags(text, pattern, template, flags):
    """The form with four texts; a number as flags was meant to be a start."""
    if flags[:1] in tuple("0123456789"):
        raise error("22023", f'invalid regular expression option: "{flags[0]}"', hint=START_HINT)
    return replaced(text, pattern, template, options_of(flags), number=0 if "g" in flags else 1)


def replaced_staged(call, tables, text, parts):
    """The text with its first match replaced by texts and groups (by number)."""
    k, groups = call.k, any(isinstance(part, int) and part for part in parts)
    spans = machine.search(k, tables, text, groups)
    parts = [part for part in parts if isinstance(part, str) or part < len(spans)]
    result = TEXT.variable(k, text)
    for _ in k.when(spans[0].start.get() >= 0):
        begin, end = spans[0].start.get(), spans[0].stop.get()
        pieces = [part.encode() if isinstance(part, str) else spans[part].slice(k, text) for part in parts]
        before, behind = Text(k, text.address, begin), Text(k, text.address + end, text.length - end)
        if len(pieces) == 1 and isinstance(pieces[0], Text):                # often the match is all of the text: no copy
            result.set(pieces[0])
            for _ in k.when(k.or_(begin > 0, end < text.length)):
                result.set(joined(call, before, pieces[0], behind))
        else:
            result.set(joined(call, before, *pieces, behind))
    return result.get()


@scalar("regexp_replace(text, text, text, int4) -> text", python=True, doc="The first match from a character on replaced.",
        example="SELECT regexp_replace('abcabc', 'b', 'X', 3)  -- abcaXc")
def regexp_replace_from(text, pattern, template, start):
    at_least("start", start, 1)
    return replaced(text, pattern, template, Options(), start - 1)


@scalar("regexp_replace(text, text, text, int4, int4) -> text", python=True,
        doc="The n-th match from a character on replaced, all for 0.",
        example="SELECT regexp_replace('abcabc', 'b', 'X', 1, 0)  -- aXcaXc")
def regexp_replace_number(text, pattern, template, start, number):
    at_least("start", start, 1)
    at_least("n", number, 0)
    return replaced(text, pattern, template, Options(), start - 1, number)


@scalar("regexp_replace(text, text, text, int4, int4, text) -> text", python=True, doc="The same with flags.",
        example="SELECT regexp_replace('abcabc', 'B', 'X', 1, 2, 'i')  -- abcaXc")
def regexp_replace_all(text, pattern, template, start, number, flags):
    at_least("start", start, 1)
    at_least("n", number, 0)
    return replaced(text, pattern, template, options_of(flags), start - 1, number)


# ------------------------------------------------------------------------------------------------ finding

@scalar("regexp_count(text, text) -> int4", "regexp_count(text, text, int4) -> int4",
        "regexp_count(text, text, int4, text) -> int4",
        python=True, doc="How many matches there are from a character on.",
        example="SELECT regexp_count('123456789012', '\\d\\d\\d', 2)  -- 3")
def regexp_count(text, pattern, start=1, flags=""):
    at_least("start", start, 1)
    regex = compiled(pattern, options_of(flags, "regexp_count"))
    return sum(1 for _ in regex.find_all(text, start - 1, groups=False))


def nth(text, pattern, start, number, flags, group, function):
    """The span of a group (0: the whole) of the n-th match, or None. Where no group captures, 1 is the whole, too."""
    regex = compiled(pattern, options_of(flags, function))
    if group > max(regex.groups, 1):
        return None
    for seen, spans in enumerate(regex.find_all(text, start - 1, groups=group > 0), 1):
        if seen == number:
            return spans[min(group, regex.groups)]
    return None


@scalar("regexp_instr(text, text) -> int4", "regexp_instr(text, text, int4) -> int4",
        "regexp_instr(text, text, int4, int4) -> int4",
        "regexp_instr(text, text, int4, int4, int4) -> int4", "regexp_instr(text, text, int4, int4, int4, text) -> int4",
        "regexp_instr(text, text, int4, int4, int4, text, int4) -> int4", python=True,
        doc="Where the n-th match starts, or the character behind it; 0 if there is none.",
        example="SELECT regexp_instr('ABCDEF', 'c(.)(..)', 1, 1, 0, 'i')  -- 3")
def regexp_instr(text, pattern, start=1, number=1, end_option=0, flags="", group=0):
    at_least("start", start, 1)
    at_least("n", number, 1)
    if end_option not in (0, 1):
        raise error("22023", f'invalid value for parameter "endoption": {end_option}')
    at_least("subexpr", group, 0)
    span = nth(text, pattern, start, number, flags, group, "regexp_instr")
    return 0 if span is None else span[end_option] + 1


@scalar("regexp_substr(text, text) -> text", static=(1,), may_be_null=True,
        doc="The first match; NULL if there is none.",
        example="SELECT regexp_substr('ABCDEF', 'C..')  -- CDE")
def regexp_substr(call, text, pattern):
    tables = tables_of(call, 1, Options())
    if tables is None:
        return in_python(call, regexp_substr_from, text, pattern)
    span = machine.search(call.k, tables, text, groups=False)[0]
    return Sql(span.slice(call.k, text), span.start.get() >= 0)


@scalar("regexp_substr(text, text, int4) -> text", "regexp_substr(text, text, int4, int4) -> text",
        "regexp_substr(text, text, int4, int4, text) -> text", "regexp_substr(text, text, int4, int4, text, int4) -> text",
        python=True,
        doc="The n-th match from a character on, or a group of it; NULL if there is none.",
        example="SELECT regexp_substr('ABCDEF', 'c(.)(..)', 1, 1, 'i')  -- CDEF")
def regexp_substr_from(text, pattern, start=1, number=1, flags="", group=0):
    at_least("start", start, 1)
    at_least("n", number, 1)
    at_least("subexpr", group, 0)
    span = nth(text, pattern, start, number, flags, group, "regexp_substr")
    return None if span is None else text[slice(*span)]


@scalar("substring(text, text) -> text", static=(1,), may_be_null=True,
        doc="The first group of the first match, or all of it if there is no group.",
        example="SELECT substring('Thomas' FROM '...$')  -- mas")
def substring_regexp(call, text, pattern):
    tables = tables_of(call, 1, Options(), groups=True)
    if tables is None:
        return in_python(call, substring_by_pattern, text, pattern)
    span = machine.search(call.k, tables, text, groups=True)[min(tables.regex.groups, 1)]
    return Sql(span.slice(call.k, text), span.start.get() >= 0)


def substring_by_pattern(text, pattern):
    """substring over datums."""
    regex = compiled(pattern)
    spans = regex.search(text)
    span = None if spans is None else spans[min(regex.groups, 1)]
    return None if span is None else text[slice(*span)]


# ------------------------------------------------------------------------------------------------ SIMILAR TO

@scalar("substring(text, text, text) -> text", python=True,
        doc="What SQL's regular expression encloses in escape-double-quotes.",
        example="SELECT substring('Thomas' SIMILAR '%#\"o_a#\"_' ESCAPE '#')  -- oma")
def substring_similar(text, pattern, escape):
    return substring_by_pattern(text, similar_pattern(pattern, escape))


@scalar("similar_to_escape(text) -> text", python=True, doc="A SIMILAR TO pattern as a regular expression.",
        example="SELECT similar_to_escape('%(b|d)%')  -- ^(?:.*(?:b|d).*)$")
def similar_to_escape(pattern):
    return similar_pattern(pattern, "\\")


@scalar("similar_to_escape(text, text) -> text", python=True,
        doc="A SIMILAR TO pattern with an escape character as a regular expression.",
        example=r"SELECT similar_to_escape('10#%', '#')  -- ^(?:10\%)$")
def similar_to_escape_with(pattern, escape):
    return similar_pattern(pattern, escape)


@scalar("similar_escape(text, text) -> text", python=True, strict=False, doc="The same; NULL as escape character means \\.",
        example="SELECT similar_escape('a_', NULL)  -- ^(?:a.)$")
def similar_escape(pattern, escape):
    return None if pattern is None else similar_pattern(pattern, "\\" if escape is None else escape)


@lru_cache(maxsize=256)
def similar_pattern(pattern, escape):
    """SQL's regular expression as an advanced one. Two escaped double quotes split it in three; the middle is a group, the
    first part is made to prefer short matches."""
    if len(escape) > 1:
        raise error(*INVALID_ESCAPE, hint=ESCAPE_HINT)
    parts, quotes, after_escape, brackets = ["^(?:"], 0, False, Brackets()
    for letter in pattern:
        if after_escape:
            after_escape = False
            if letter == '"' and not brackets.inside:
                if quotes == 2:
                    raise error(*TOO_MANY_QUOTES)
                parts.append(("){1,1}?(", "){1,1}(?:")[quotes])
                quotes += 1
            else:
                parts.append("\\" + letter)
                brackets.passed()
        elif letter == escape:
            after_escape = True
        elif brackets.inside:
            parts.append("\\\\" if letter == "\\" else letter)
            brackets.read(letter)
        else:
            brackets.open(letter)
            parts.append(IN_ARE.get(letter, letter))
    return "".join([*parts, ")$"])


class Brackets:
    """Where in a bracket expression we are: `depth`, opening brackets less closing ones; `start`: 1 at its start, 2 behind
    an initial ^, 3 or more further on. At the start a ] is a member."""

    def __init__(self):
        self.depth, self.start = 0, 0

    @property
    def inside(self):
        return self.depth > 0

    def open(self, letter):
        """A character outside was read."""
        if letter == "[":
            self.depth = self.start = 1

    def passed(self):
        """An escaped character was read."""
        self.start = 3

    def read(self, letter):
        """A character inside was read."""
        if letter == "]" and self.start > 2:
            self.depth -= 1
        elif letter == "[":
            self.depth += 1
        self.start = self.start + 1 if letter == "^" else 3
