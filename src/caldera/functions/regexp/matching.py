"""Regex: a compiled pattern that finds matches and their groups. `compiled` makes them and remembers some hundred."""
from functools import lru_cache

from caldera.functions import unicode
from caldera.functions.regexp.automaton import Alphabet, Automaton, parts_of
from caldera.functions.regexp.dissection import plan
from caldera.functions.regexp.syntax import DEFAULTS, Back, invalid, parse


@lru_cache(maxsize=512)
def compiled(pattern, options=DEFAULTS):
    """The Regex of a pattern; raises 2201B if it is wrong."""
    return Regex(pattern, options)


class Subject:
    """A text while it is searched: its class numbers, and what lookaround has found out."""

    def __init__(self, regex, text):
        self.regex, self.text = regex, text
        self.codes, self.looks = regex.alphabet.codes(text), {}

    def holds(self, look, at):
        """Whether a lookaround constraint holds at a position."""
        if look.ahead:
            key = look, at
            if key not in self.looks:
                automaton = self.regex.look_automaton(look)
                self.looks[key] = automaton.shortest(self, at, at, len(self.text)) is not None
            return self.looks[key] == look.positive
        if look not in self.looks:
            self.looks[look] = self.regex.look_automaton(look).all_ends(self)
        return self.looks[look][at] == look.positive


class Regex:
    """A compiled pattern. `groups`: how many groups capture. `syntax`: the tree, if there is no text to parse."""

    def __init__(self, pattern, options=DEFAULTS, syntax=None):
        self.pattern, self.syntax = pattern, syntax or parse(pattern, options)
        self.groups = self.syntax.groups
        try:
            self.alphabet = Alphabet(self.syntax.tree)
            self.tree = plan(self.syntax)
            self.refers = any(isinstance(part, Back) for part in parts_of(self.syntax.tree))
            self.whole = self.tree.automaton = Automaton(self.syntax.tree, self)
            self.anywhere = Automaton(self.syntax.tree, self, anywhere=True)
        except RecursionError:
            raise invalid("complex") from None
        self.look_automata = {}

    def look_automaton(self, look):
        if look not in self.look_automata:
            self.look_automata[look] = Automaton(look.content, self, anywhere=not look.ahead)
        return self.look_automata[look]

    def automaton(self, part):
        """The automaton of a part, made when first needed."""
        if part.automaton is None:
            part.automaton = Automaton(part.expression, self)
        return part.automaton

    # finding
    def matches(self, text):
        """Whether the pattern matches anywhere in a text."""
        if self.refers:
            return self.search(text) is not None
        return self.anywhere.first_end(Subject(self, text), 0) is not None

    def search(self, text, start=0, groups=True, subject=None):
        """The first match at or behind `start`: a list of spans (start, stop), that of the whole match first, then those of
        the groups (None where a group took no part); or None. Without `groups` only the first."""
        subject = subject or Subject(self, text)
        if start > len(subject.text):
            return None
        return self.search_referring(subject, start) if self.refers else self.search_plain(subject, start, groups)

    def find_all(self, text, start=0, groups=True):
        """All matches, each behind the one before; behind an empty one, a character is passed over."""
        subject = Subject(self, text)
        while (spans := self.search(text, start, groups, subject)) is not None:
            yield spans
            start = spans[0][1] + (spans[0][0] == spans[0][1])

    def search_plain(self, subject, start, groups):
        found = self.anywhere.first_end(subject, start)
        if found is None:
            return None
        first_end, first_start = found
        for begin in range(first_start, first_end + 1):
            end = self.end_of_match(subject, begin)
            if end is not None:
                spans = [(begin, end)] + [None] * (self.groups if groups else 0)
                if groups and self.groups:
                    self.dissect(self.tree, subject, begin, end, spans)
                return spans
        raise AssertionError(f"a match of {self.pattern!r} that has no start")

    def end_of_match(self, subject, begin):
        if self.tree.short:
            return self.whole.shortest(subject, begin, begin, len(subject.text))
        return self.whole.longest(subject, begin, len(subject.text))

    def search_referring(self, subject, start):
        """With back references a span that the automaton offers may fail when it is taken apart; then try the next one."""
        size = len(subject.text)
        while (found := self.anywhere.first_end(subject, start)) is not None:
            close, first_start = found
            for begin in range(first_start, close + 1):
                spans = self.dissected_from(subject, begin, size)
                if spans is not None:
                    return spans
            start = close + 1
            if start > size:
                break
        return None

    def dissected_from(self, subject, begin, size):
        least, most = begin, size
        while least <= most:
            if self.tree.short:
                end = self.whole.shortest(subject, begin, least, size)
            else:
                end = self.whole.longest(subject, begin, most)
            if end is None:
                return None
            spans = [None] * (self.groups + 1)
            if self.dissect(self.tree, subject, begin, end, spans):
                spans[0] = begin, end
                return spans
            least, most = (end + 1, most) if self.tree.short else (least, end - 1)
        return None

    # taking apart
    def dissect(self, part, subject, begin, end, spans):
        """Fill `spans` for a part that its automaton matched from begin to end. False only if a back reference fails."""
        found = getattr(self, "dissect_" + part.kind)(part, subject, begin, end, spans)
        if found and part.group:
            spans[part.group] = begin, end
        return found

    def dissect_plain(self, part, subject, begin, end, spans):
        return True

    def dissect_wrap(self, part, subject, begin, end, spans):
        return self.dissect(part.children[0], subject, begin, end, spans)

    def dissect_join(self, part, subject, begin, end, spans):
        left, right = part.children
        left_automaton, right_automaton = self.automaton(left), self.automaton(right)
        least, most = begin, end
        while least <= most:
            if left.short:
                middle = left_automaton.shortest(subject, begin, least, end)
            else:
                middle = left_automaton.longest(subject, begin, most)
            if middle is None:
                return False
            if right_automaton.longest(subject, middle, end) == end:
                if self.dissect(left, subject, begin, middle, spans) and self.dissect(right, subject, middle, end, spans):
                    return True
                forget(spans, part)
            least, most = (middle + 1, most) if left.short else (least, middle - 1)
        return False

    def dissect_either(self, part, subject, begin, end, spans):
        for branch in part.children:
            if self.automaton(branch).longest(subject, begin, end) == end:
                if self.dissect(branch, subject, begin, end, spans):
                    return True
        return False

    def dissect_back(self, part, subject, begin, end, spans):
        if spans[part.number] is None:
            return False
        first, last = spans[part.number]
        size, length = last - first, end - begin
        if size == 0:
            return length == 0 and (part.most is None or part.least <= part.most)
        if length == 0:
            return part.least == 0
        if length % size or length // size < part.least or part.most is not None and length // size > part.most:
            return False
        word, found = subject.text[first:last], subject.text[begin:end]
        if self.syntax.options.ignore_case:
            word, found = unicode.lower(word), unicode.lower(found)
        return word * (length // size) == found

    def dissect_repeat(self, part, subject, begin, end, spans):
        """Split the span into `least` to `most` matches of the child, each the longest (or shortest) that leads to a
        solution; empty ones only as far as needed to reach `least`. An empty span is one empty match rather than none,
        unless the child prefers short matches."""
        child, least = part.children[0], max(part.least, 1)
        if part.least == 0 and begin == end and child.short:
            return True
        most = end - begin if part.most is None else min(end - begin, part.most)
        most = max(most, least)
        automaton = self.automaton(child)

        def ends(at, count):
            """Where the match number `count` (from 1) that starts at `at` may end, in the order to try them."""
            empty_allowed = at == end or count < least and least - count >= end - at
            low, high = (at if empty_allowed else at + 1), end
            while low <= high:
                if child.short:
                    stop = automaton.shortest(subject, at, low, high)
                else:
                    stop = automaton.longest(subject, at, high)
                if stop is None or stop < low:
                    return
                yield stop
                low, high = (stop + 1, high) if child.short else (low, stop - 1)

        def rest(at, count):
            """Whether the rest of the span can be split from match number `count` on: a list of ends, last one first."""
            for stop in ends(at, count):
                if stop == end and count >= least:
                    yield [stop]
                if stop != end and count < most:
                    for later in rest(stop, count + 1):
                        yield later + [stop]

        for reversed_ends in rest(begin, 1):
            borders = [begin] + reversed_ends[::-1]
            if all(self.dissected_again(child, subject, *span, spans) for span in zip(borders, borders[1:])):
                return True
        forget(spans, child)
        return part.least == 0 and begin == end

    def dissected_again(self, child, subject, begin, end, spans):
        forget(spans, child)
        return self.dissect(child, subject, begin, end, spans)


def forget(spans, part):
    """Drop what the groups inside a part have matched."""
    for group in part.groups:
        spans[group] = None
