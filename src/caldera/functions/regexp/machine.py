"""Regular expressions in generated code: complete DFAs as tables in memory, and the loops that run over them.

    Regex ─ tables_of ─▶ Tables, an owner: one table for each automaton of the pattern, or None if it is too large
    staged:  matches(k, tables, text)               whether there is a match anywhere
             search(k, tables, text, groups)        where the first match is, and its groups

The code is the same for every pattern with the same tree of parts, since the tables are reached through the state block. A
row of a table is a state, a column the class of the next character, the last column the end of the text. An entry is

    state of the next row, times the width, << 2 | whether it accepts whatever follows, at the end << 1 | may end here

and negative if there is no next state. ASCII finds its class in a table of 256; other characters are decoded and looked up
in pages of 256 code points. Lookaround, back references and repeated groups that may be absent are left to `matching`.
"""
from dataclasses import dataclass

import numpy as np

from caldera.functions.regexp.automaton import NEWLINE, OTHER, START, WORD, parts_of
from caldera.functions.regexp.syntax import Look, is_anchored, literal_prefix
from caldera.functions.unicode import CODE_MAX
from caldera.kernel.interface import BOOL, I16, I32, I64, Owner, Pointer, Struct
from caldera.kernel.patterns import finder
from caldera.kernel.text import Text
from caldera.kernel.utf8 import byte_at, decode_char, last_char

NODES_MAX, ENTRIES_MAX = 2_000, 400_000
CONTEXTS = OTHER, NEWLINE, WORD, START
MULTIBYTE = -1                      # in the table of bytes: the character must be decoded
# Words of a header: addresses, the width of a row, below which states are fresh, and the start state by what stands before.
ENTRIES, BYTES, PAGE_NUMBERS, PAGES, CLASS_CONTEXTS, WIDTH, FRESH, STARTS = range(8)
HEADER_WORDS = STARTS + len(CONTEXTS)


class TooLarge(Exception):
    """The DFA would need too many states."""


class Tables(Owner):
    """The tables of a pattern: `headers` holds HEADER_WORDS words for each automaton, numbered by `number`."""
    layout = Struct(headers=Pointer(I64))

    def __init__(self, regex):
        super().__init__()
        self.regex, self.numbers, headers = regex, {}, []
        shared = self.class_tables(regex.alphabet)
        for number, automaton in enumerate(automata(regex)):
            self.numbers[automaton] = number
            headers += self.header(automaton, shared)
        self.instances = [self.layout.make(headers=self.keep(np.array(headers, np.int64)))]

    def class_tables(self, alphabet):
        """Addresses of the tables from characters to classes, which all automata of a pattern share."""
        codes = np.searchsorted(np.array(alphabet.borders), np.arange(CODE_MAX + 1), side="right") - 1
        classes = np.array(alphabet.numbers, np.int16)[codes]
        by_byte = np.full(256, MULTIBYTE, np.int16)
        by_byte[:128] = classes[:128]
        pages, numbers = np.unique(np.resize(classes, ((CODE_MAX >> 8) + 1, 256)), axis=0, return_inverse=True)
        numbers, contexts = numbers.reshape(-1).astype(np.int16), np.array(alphabet.contexts, np.int16)
        return [self.keep(array) for array in (by_byte, numbers, np.ascontiguousarray(pages), contexts)]

    def header(self, automaton, shared):
        """The words of one automaton's header."""
        width = automaton.alphabet.end + 1
        starts = [automaton.node(automaton.start_core, context) for context in CONTEXTS]
        nodes = complete(automaton, list(dict.fromkeys(starts)))
        accepting = absorbing(nodes, automaton.alphabet.end)
        entries = np.full((len(nodes), width), -4, np.int32)
        numbers = {node: number for number, node in enumerate(nodes)}
        for node, row in zip(nodes, entries):
            for code in range(width):
                accepts, following = node.moves[code]
                state = -1 if following is None else numbers[following] * width
                row[code] = state * 4 + 2 * (following in accepting) + accepts
        fresh = sum(node.fresh for node in nodes) * width
        return [self.keep(entries), *shared, width, fresh, *(numbers[start] * width for start in starts)]

    def number(self, automaton):
        return self.numbers[automaton]


def automata(regex):
    """All automata that a search may need: matching anywhere, the whole, and the parts."""
    yield regex.anywhere
    yield regex.whole
    pending = list(regex.tree.children)
    while pending:
        part = pending.pop()
        yield regex.automaton(part)
        pending += part.children


def complete(automaton, nodes):
    """All nodes that can be reached, with all moves made; fresh ones first."""
    found, pending, width = dict.fromkeys(nodes), list(nodes), automaton.alphabet.end + 1
    while pending:
        node = pending.pop()
        for code in range(width):
            _, following = node.moves.get(code) or automaton.step(node, code, None, 0)
            if following is not None and following not in found:
                found[following] = None
                pending.append(following)
        if len(found) > NODES_MAX or len(found) * width > ENTRIES_MAX:
            raise TooLarge
    return sorted(found, key=lambda node: not node.fresh)


def absorbing(nodes, end):
    """The nodes from which every text is accepted at its end."""
    found = {node for node in nodes if node.moves[end][0]}
    while True:
        kept = {node for node in found
                if all(following in found for code, (_, following) in node.moves.items() if code != end)}
        if len(kept) == len(found):
            return kept
        found = kept


def tables_of(regex):
    """The Tables of a Regex, made once; None if generated code cannot do it."""
    if not hasattr(regex, "tables"):
        regex.tables = None
        if not regex.refers and not any(isinstance(part, Look) for part in parts_of(regex.syntax.tree)):
            try:
                regex.tables = Tables(regex)
            except TooLarge:
                pass
    return regex.tables


def can_find_groups(part):
    """Whether `dissect` can take a part apart: it cannot if groups are repeated with the chance of no repetition."""
    if part.kind == "repeat" and part.most != 1:
        return False
    return all(map(can_find_groups, part.children))


# ------------------------------------------------------------------------------------------------ staged

def header_of(k, tables, automaton):
    """The address of an automaton's header."""
    return k.address(k.memory(tables).headers, tables.number(automaton) * HEADER_WORDS)


class Header:
    """An automaton's header in a routine: what its loops need, loaded once."""

    def __init__(self, k, address):
        self.k, self.words = k, k.array(I64, address)
        self.entries, self.width = k.array(I32, self.words[ENTRIES]), self.words[WIDTH]
        self.by_byte, self.page_numbers = k.array(I16, self.words[BYTES]), k.array(I16, self.words[PAGE_NUMBERS])
        self.pages = k.array(I16, self.words[PAGES])

    def class_at(self, address):
        """(class as I64, size in bytes) of the character at an address."""
        k, byte = self.k, byte_at(self.k, address)
        found, size = k.variable(I64, k.convert(self.by_byte[byte], I64)), k.variable(I64, 1)
        for _ in k.when(found.get() == MULTIBYTE):
            code, bytes = decode_char(k, address)
            page = k.convert(self.page_numbers[code >> 8], I64)
            found.set(k.convert(self.pages[page << 8 | code & 255], I64))
            size.set(bytes)
        return found.get(), size.get()

    def start_state(self, address, at):
        """The state at which a scan from byte `at` starts."""
        k = self.k
        before = k.variable(I64, START)
        for _ in k.when(at > 0):
            place = k.routine(last_char, address, at)
            number, _ = self.class_at(address + place)
            before.set(k.convert(k.array(I16, self.words[CLASS_CONTEXTS])[number], I64))
        return self.words[before.get() + STARTS]

    def accepts_at(self, address, length, stop, state):
        """Whether a match may end at byte `stop`, where a state has been reached."""
        k = self.k
        number = k.variable(I64, self.width - 1)
        for _ in k.when(stop < length):
            number.set(self.class_at(address + stop)[0])
        return (self.entries[state + number.get()] & 1) != 0


def find_any(k, header_address, address, length, start):
    """Routine: whether there is a match that starts at byte `start` or, if the automaton matches anywhere, behind it."""
    header = Header(k, header_address)
    state, at, found = k.variable(I64, header.start_state(address, start)), k.variable(I64, start), k.variable(BOOL, False)
    for _ in k.while_(lambda: k.and_(at.get() < length, state.get() >= 0, k.not_(found.get()))):
        number, size = header.class_at(address + at.get())
        entry = header.entries[state.get() + number]
        found.set((entry & 3) != 0)
        state.set(next_state(k, entry))
        at.set(at.get() + size)
    for _ in k.when(k.and_(k.not_(found.get()), state.get() >= 0)):
        found.set((header.entries[state.get() + header.width - 1] & 1) != 0)
    return found.get()


def find_end(k, header_address, address, length, start):
    """Routine over an automaton that matches anywhere: (the first end of any match at or behind byte `start`, or -1; a place
    at or before which it did not start)."""
    header = Header(k, header_address)
    entries, fresh = header.entries, header.words[FRESH]
    state, at = k.variable(I64, header.start_state(address, start)), k.variable(I64, start)
    found, cold = k.variable(I64, -1), k.variable(I64, start)
    for _ in k.while_(lambda: k.and_(at.get() < length, found.get() < 0, state.get() >= 0)):
        number, size = header.class_at(address + at.get())
        entry = entries[state.get() + number]
        cold.set(k.choose(state.get() < fresh, at.get(), cold.get()))
        found.set(k.choose((entry & 1) != 0, at.get(), found.get()))
        state.set(next_state(k, entry))
        at.set(at.get() + size)
    for _ in k.when(k.and_(found.get() < 0, state.get() >= 0)):
        cold.set(k.choose(state.get() < fresh, length, cold.get()))
        found.set(k.choose((entries[state.get() + header.width - 1] & 1) != 0, length, found.get()))
    return found.get(), cold.get()


def next_state(k, entry):
    """The state in an entry; negative if there is none."""
    return k.binary("ashr", k.convert(entry, I64), 2)


def find_longest(k, header_address, address, length, start, stop):
    """Routine: the last end, at most `stop`, of a match that starts at byte `start`; -1 if there is none."""
    header = Header(k, header_address)
    state, at, found = k.variable(I64, header.start_state(address, start)), k.variable(I64, start), k.variable(I64, -1)
    decided = k.variable(BOOL, False)
    for _ in k.while_(lambda: k.and_(at.get() < stop, state.get() >= 0, k.not_(decided.get()))):
        number, size = header.class_at(address + at.get())
        entry = header.entries[state.get() + number]
        found.set(k.choose((entry & 1) != 0, at.get(), found.get()))
        state.set(next_state(k, entry))
        decided.set(k.and_((entry & 2) != 0, stop == length))
        at.set(at.get() + size)
    for _ in k.when(k.and_(state.get() >= 0, k.not_(decided.get()))):
        found.set(k.choose(header.accepts_at(address, length, stop, state.get()), stop, found.get()))
    return k.choose(decided.get(), length, found.get())


def find_shortest(k, header_address, address, length, start, least, stop):
    """Routine: the first end from `least` to `stop` of a match that starts at byte `start`; -1 if there is none."""
    header = Header(k, header_address)
    state, at, found = k.variable(I64, header.start_state(address, start)), k.variable(I64, start), k.variable(I64, -1)
    for _ in k.while_(lambda: k.and_(at.get() < stop, state.get() >= 0, found.get() < 0)):
        number, size = header.class_at(address + at.get())
        entry = header.entries[state.get() + number]
        found.set(k.choose(k.and_((entry & 1) != 0, at.get() >= least), at.get(), found.get()))
        state.set(next_state(k, entry))
        at.set(at.get() + size)
    for _ in k.when(k.and_(state.get() >= 0, found.get() < 0, at.get() >= least)):
        found.set(k.choose(header.accepts_at(address, length, stop, state.get()), stop, found.get()))
    return found.get()


def first_place(k, tables, text):
    """Where to start searching (I64, in bytes): where the text that all matches start with stands; -1 if it does not."""
    prefix = literal_prefix(tables.regex.syntax.tree).encode()
    if not prefix:
        return k.constant(I64, 0)
    return k.routine(finder(prefix), text.address, text.length, k.constant(I64, 0))


def matches(k, tables, text):
    """Staged BOOL: the pattern matches somewhere in the text."""
    regex = tables.regex
    if is_anchored(regex.syntax.tree):
        return k.routine(find_any, header_of(k, tables, regex.whole), text.address, text.length, k.constant(I64, 0))
    start, found = first_place(k, tables, text), k.variable(BOOL, False)
    for _ in k.when(start >= 0):
        found.set(k.routine(find_any, header_of(k, tables, regex.anywhere), text.address, text.length, start))
    return found.get()


@dataclass
class Span:
    """Variables for a stretch of bytes; `start` is -1 where it is absent."""
    start: object
    stop: object

    @classmethod
    def absent(cls, k):
        return cls(k.variable(I64, -1), k.variable(I64, -1))

    def set(self, start, stop):
        self.start.set(start)
        self.stop.set(stop)

    def slice(self, k, text):
        """The stretch of a text; empty where absent."""
        start = k.greatest(self.start.get(), k.constant(I64, 0))
        return Text(k, text.address + start, k.greatest(self.stop.get(), k.constant(I64, 0)) - start, text.lifetime)


def search(k, tables, text, groups):
    """The spans of the first match and, if `groups`, of its groups, by number from 0. `can_find_groups` must hold then."""
    regex = tables.regex
    spans = [Span.absent(k) for _ in range(regex.groups + 1 if groups else 1)]
    whole = header_of(k, tables, regex.whole)
    begin, last_start = k.variable(I64, 0), k.variable(I64, -1 if not is_anchored(regex.syntax.tree) else 0)
    if not is_anchored(regex.syntax.tree):
        start = first_place(k, tables, text)
        for _ in k.when(start >= 0):
            end, first_start = k.routine(find_end, header_of(k, tables, regex.anywhere), text.address, text.length, start)
            begin.set(first_start)
            last_start.set(end)
    for _ in k.while_(lambda: k.and_(spans[0].start.get() < 0, begin.get() <= last_start.get())):
        end = longest_or_shortest(k, whole, regex.tree, text, begin.get(), begin.get(), text.length)
        for _ in k.when(end >= 0):
            spans[0].set(begin.get(), end)
        begin.set(k.routine(next_char, text.address, text.length, begin.get()))
    if groups and regex.groups:
        for _ in k.when(spans[0].start.get() >= 0):
            dissect(k, tables, regex.tree, text, spans[0].start.get(), spans[0].stop.get(), spans)
    return spans


def next_char(k, address, length, at):
    """Routine: where the next character starts; one byte behind the end at the end."""
    after = k.variable(I64, at + 1)
    for _ in k.while_(lambda: k.and_(after.get() < length, (byte_at(k, address + after.get()) & 0xC0) == 0x80)):
        after.set(after.get() + 1)
    return after.get()


def longest_or_shortest(k, header, part, text, start, least, most):
    """The end of a part's match from `start` on that it prefers among those from `least` to `most`; -1 for none."""
    if part.short:
        return k.routine(find_shortest, header, text.address, text.length, start, least, most)
    return k.routine(find_longest, header, text.address, text.length, start, most)


def dissect(k, tables, part, text, begin, end, spans):
    """Set the spans of the groups in a part that matched from `begin` to `end`."""
    if part.group:
        spans[part.group].set(begin, end)
    if not any(child.groups for child in part.children):
        return
    if part.kind == "wrap":
        dissect(k, tables, part.children[0], text, begin, end, spans)
    elif part.kind == "join":
        dissect_join(k, tables, part, text, begin, end, spans)
    elif part.kind == "either":
        done = k.variable(BOOL, False)
        for branch in part.children:
            for _ in k.when(k.and_(k.not_(done.get()), covers(k, tables, branch, text, begin, end))):
                dissect(k, tables, branch, text, begin, end, spans)
                done.set(True)
    elif part.kind == "repeat":
        child = part.children[0]
        taken = k.and_(covers(k, tables, child, text, begin, end), begin < end if child.short else True)
        for _ in k.when(taken):
            dissect(k, tables, child, text, begin, end, spans)


def covers(k, tables, part, text, begin, end):
    """Whether a part matches just this stretch."""
    header = header_of(k, tables, tables.regex.automaton(part))
    return k.routine(find_longest, header, text.address, text.length, begin, end) == end


def dissect_join(k, tables, part, text, begin, end, spans):
    """Where left ends and right starts: the first place, in left's order of preference, from which right covers the rest."""
    left, right = part.children
    header = header_of(k, tables, tables.regex.automaton(left))
    least, most, middle = k.variable(I64, begin), k.variable(I64, end), k.variable(I64, -1)
    for _ in k.while_(lambda: k.and_(middle.get() < 0, least.get() <= most.get())):
        place = longest_or_shortest(k, header, left, text, begin, least.get(), most.get())
        fits = k.and_(place >= 0, covers(k, tables, right, text, k.greatest(place, begin), end))
        middle.set(k.choose(fits, place, middle.get()))
        least.set(k.choose(place < 0, end + 1, place + 1 if left.short else least.get()))
        most.set(most.get() if left.short else previous_char(k, text, place, begin))
    dissect(k, tables, left, text, begin, middle.get(), spans)
    dissect(k, tables, right, text, middle.get(), end, spans)


def previous_char(k, text, place, begin):
    """Where the character before a place starts; below `begin` if the place is there."""
    inside = place > begin
    start = k.routine(last_char, text.address + begin, k.choose(inside, place - begin, k.constant(I64, 0)))
    return k.choose(inside, begin + start, begin - 1)
