"""Automata: from a tree of syntax to an NFA, and from it, while texts are scanned, to a DFA.

The alphabet of a pattern are the classes of characters that it tells apart; a text becomes a list of class numbers with END
behind the last. A node of the DFA is a set of NFA states before anything at its position has been decided, and the kind of
character before it. One step looks at the next class: then assertions are decided, it is known whether a match may end
here, and which node follows. What depends on lookaround is decided anew at each position, all else is remembered.
"""
from bisect import bisect_right

from caldera.functions import unicode
from caldera.functions.regexp.syntax import (Alternatives, Assertion, Back, Chars, Group, Look, Repeat, Sequence, invalid)

OTHER, NEWLINE, WORD, START = range(4)          # what stands before a position
STATES_MAX = 100_000
NODES_MAX = 10_000


def parts_of(tree):
    """All objects of a tree of syntax."""
    yield tree
    for name in ("branches", "items"):
        for child in getattr(tree, name, ()):
            yield from parts_of(child)
    for name in ("content", "atom"):
        if hasattr(tree, name):
            yield from parts_of(getattr(tree, name))


class Alphabet:
    """The classes of characters that a pattern tells apart, numbered from 0; `end` is the number behind the last."""

    def __init__(self, tree):
        sets = {part.ranges for part in parts_of(tree) if isinstance(part, Chars)}
        kinds = {part.kind for part in parts_of(tree) if isinstance(part, Assertion)}
        self.newline = bool(kinds & {"line start", "line end"})
        self.word = any("word" in kind for kind in kinds)
        if self.newline:
            sets.add(((10, 10),))
        if self.word:
            sets.add(unicode.char_class("word"))
        sets = sorted(sets)
        borders = {0} | {border for ranges in sets for first, last in ranges for border in (first, last + 1)}
        borders = sorted(border for border in borders if border <= unicode.CODE_MAX)
        signatures, numbers = {}, []
        members = [self.membership(ranges, borders) for ranges in sets]
        for column in zip(*members) if members else [()] * len(borders):
            numbers.append(signatures.setdefault(column, len(signatures)))
        self.borders, self.numbers, self.end = borders, numbers, len(signatures)
        self.of_set = {ranges: frozenset(number for column, number in signatures.items() if column[at])
                       for at, ranges in enumerate(sets)}
        self.contexts = [OTHER] * (self.end + 1)
        for ranges, kind, wanted in ((((10, 10),), NEWLINE, self.newline), (unicode.char_class("word"), WORD, self.word)):
            for number in self.of_set.get(ranges, ()) if wanted else ():
                self.contexts[number] = kind
        self.known = {}

    @staticmethod
    def membership(ranges, borders):
        """For each stretch between borders, whether it is in the set."""
        found, at = [], 0
        for border in borders:
            while at < len(ranges) and ranges[at][1] < border:
                at += 1
            found.append(at < len(ranges) and ranges[at][0] <= border)
        return found

    def class_of(self, letter):
        """The class of a character."""
        number = self.known[letter] = self.numbers[bisect_right(self.borders, ord(letter)) - 1]
        return number

    def codes(self, text):
        """A text as class numbers, END at the end."""
        known = self.known
        codes = [known[letter] if letter in known else self.class_of(letter) for letter in text]
        codes.append(self.end)
        return codes


class Node:
    """A state of the DFA: `core`, NFA states; `before`, what stands before; `moves`, class -> (match may end here, next)."""
    __slots__ = ("core", "before", "moves", "fresh")

    def __init__(self, core, before, fresh):
        self.core, self.before, self.moves, self.fresh = core, before, {}, fresh


class Automaton:
    """Matches one expression. With `anywhere`, matches may start at or behind the position where a scan starts."""

    def __init__(self, expression, regex, anywhere=False):
        self.regex, self.alphabet = regex, regex.alphabet
        self.empty, self.on = [], []
        self.first = self.state()
        if anywhere:
            self.on[self.first].append((frozenset(range(self.alphabet.end)), self.first))
        inner = self.state()
        self.empty[self.first].append((None, inner))
        self.final = self.build(expression, inner, False)
        self.nodes, self.conditional = {}, self.states_before_conditions()
        self.start_core = frozenset([self.first])

    # the NFA
    def state(self):
        """A new state."""
        if len(self.empty) >= STATES_MAX:
            raise invalid("complex")
        self.empty.append([])
        self.on.append([])
        return len(self.empty) - 1

    def build(self, tree, start, bare):
        """States for an expression behind `start`; returns the last one. `bare`: leave out assertions."""
        if isinstance(tree, Chars):
            stop = self.state()
            self.on[start].append((self.alphabet.of_set[tree.ranges], stop))
            return stop
        if isinstance(tree, Sequence):
            for item in tree.items:
                start = self.build(item, start, bare)
            return start
        if isinstance(tree, Repeat):
            return self.build_repeat(tree, start, bare)
        if isinstance(tree, Group):
            return self.build(tree.content, start, bare)
        if isinstance(tree, Back):
            return self.build(self.regex.syntax.contents[tree.number], start, True)
        stop = self.state()
        if isinstance(tree, Alternatives):
            for branch in tree.branches:
                inner = self.state()
                self.empty[start].append((None, inner))
                self.empty[self.build(branch, inner, bare)].append((None, stop))
        else:
            self.empty[start].append((None if bare else tree, stop))
        return stop

    def build_repeat(self, tree, start, bare):
        for _ in range(tree.least):
            start = self.build(tree.atom, start, bare)
        if tree.most is None:
            hub, stop = self.state(), self.state()
            self.empty[start].append((None, hub))
            self.empty[self.build(tree.atom, hub, bare)].append((None, hub))
            self.empty[hub].append((None, stop))
            return stop
        ends = [start]
        for _ in range(tree.most - tree.least):
            inner = self.state()
            self.empty[ends[-1]].append((None, inner))
            ends.append(self.build(tree.atom, inner, bare))
        stop = self.state()
        for end in ends:
            self.empty[end].append((None, stop))
        return stop

    def states_before_conditions(self):
        """The states from which an assertion can be reached without a character."""
        backwards = {}
        for state, edges in enumerate(self.empty):
            for _, target in edges:
                backwards.setdefault(target, []).append(state)
        found = {state for state, edges in enumerate(self.empty) if any(condition for condition, _ in edges)}
        pending = list(found)
        while pending:
            for state in backwards.get(pending.pop(), ()):
                if state not in found:
                    found.add(state)
                    pending.append(state)
        return found

    # the DFA
    def node(self, core, before):
        """The node for NFA states behind a kind of character; None for no states."""
        if not core:
            return None
        if core.isdisjoint(self.conditional):
            before = OTHER
        key = core, before
        found = self.nodes.get(key)
        if found is None:
            if len(self.nodes) >= NODES_MAX:
                self.nodes = {}
            found = self.nodes[key] = Node(core, before, core == self.start_core)
        return found

    def start(self, codes, at):
        """The node at which a scan from a position starts."""
        return self.node(self.start_core, self.alphabet.contexts[codes[at - 1]] if at else START)

    def closure(self, core, before, code, subject, at):
        """The states reachable without a character, and whether lookaround had a part in it."""
        found, pending, looked = set(core), list(core), False
        after = self.alphabet.contexts[code]
        while pending:
            for condition, target in self.empty[pending.pop()]:
                if target in found:
                    continue
                if condition is not None:
                    if isinstance(condition, Look):
                        looked = True
                        if not subject.holds(condition, at):
                            continue
                    elif not asserted(condition.kind, before, after, code == self.alphabet.end):
                        continue
                found.add(target)
                pending.append(target)
        return found, looked

    def step(self, node, code, subject, at):
        """(whether a match may end here, the next node or None), for the class of the next character."""
        states, looked = self.closure(node.core, node.before, code, subject, at)
        core = frozenset(target for state in states for classes, target in self.on[state] if code in classes)
        result = self.final in states, self.node(core, self.alphabet.contexts[code])
        if not looked:
            node.moves[code] = result
        return result

    # scans
    def longest(self, subject, start, stop):
        """The last end, at most `stop`, of a match that starts at `start`; None if there is none."""
        codes, found = subject.codes, None
        node = self.start(codes, start)
        for at in range(start, stop + 1):
            code = codes[at]
            accepts, node = node.moves.get(code) or self.step(node, code, subject, at)
            if accepts:
                found = at
            if node is None:
                break
        return found

    def shortest(self, subject, start, least, stop):
        """The first end from `least` to `stop` of a match that starts at `start`; None if there is none."""
        codes = subject.codes
        node = self.start(codes, start)
        for at in range(start, stop + 1):
            code = codes[at]
            accepts, node = node.moves.get(code) or self.step(node, code, subject, at)
            if accepts and at >= least:
                return at
            if node is None:
                return None
        return None

    def first_end(self, subject, start):
        """For an automaton that matches anywhere: (the first end of any match, a position at or before which it cannot have
        started), or None."""
        codes, cold = subject.codes, start
        node = self.start(codes, start)
        for at in range(start, len(codes)):
            code = codes[at]
            if node.fresh:
                cold = at
            accepts, node = node.moves.get(code) or self.step(node, code, subject, at)
            if accepts:
                return at, cold
            if node is None:
                return None
        return None

    def all_ends(self, subject):
        """For every position of the text, whether a match ends there that starts anywhere before."""
        codes, found = subject.codes, []
        node = self.start(codes, 0)
        for at, code in enumerate(codes):
            if node is None:
                found.append(False)
                continue
            accepts, node = node.moves.get(code) or self.step(node, code, subject, at)
            found.append(accepts)
        return found


def asserted(kind, before, after, at_end):
    """Whether an assertion holds between two kinds of characters."""
    if kind == "start":
        return before == START
    if kind == "end":
        return at_end
    if kind == "line start":
        return before in (START, NEWLINE)
    if kind == "line end":
        return at_end or after == NEWLINE
    word_before, word_after = before == WORD, after == WORD and not at_end
    if kind == "word start":
        return word_after and not word_before
    if kind == "word end":
        return word_before and not word_after
    return (word_before != word_after) == (kind == "word edge")
