"""How a match is taken apart for its groups: the tree of Parts.

    plan(syntax) ─▶ Part
        "plain"   matched by its automaton alone; nothing inside is asked for
        "join"    left then right: split where the left part ends longest, or shortest if it prefers short matches
        "either"  the first branch that matches
        "repeat"  a repeated part in which groups or back references matter
        "back"    a back reference with its own repetition

A part is *intricate* if it holds a group that captures, a back reference, or quantifiers of both preferences; all else is
left to one automaton. Atoms are collected into a plain part until one is intricate or would mix preferences; that one splits
the branch into what stands before it, itself, and the rest. A repeated group without back references is rewritten from
x{m,n} to x{m-1,n-1}x, where only the last x captures.
"""
from dataclasses import dataclass, field

from caldera.functions.regexp.syntax import LONG, SHORT, Alternatives, Assertion, Back, Group, Look, Repeat, Sequence

MIXED, CAPTURES, REFERS = 4, 8, 16      # LONG and SHORT are 1 and 2
INTRICATE = MIXED | CAPTURES | REFERS
EMPTY = Sequence(())


def upward(flags):
    """What of a part's flags its surroundings see: not its preference, but that it has both."""
    return flags & ~(LONG | SHORT) | (MIXED if flags & LONG and flags & SHORT else 0)


def combined(first, second):
    """Flags of two things in a row: the first preference counts."""
    preference = first & (LONG | SHORT) or second & (LONG | SHORT)
    return upward(first | second) | preference


@dataclass(eq=False)
class Part:
    """`expression`: what it matches, as a tree of syntax. `group`: the number of the group whose span this is, or 0."""
    kind: str
    expression: object
    flags: int = 0
    children: tuple = ()
    group: int = 0
    least: int = 1
    most: int | None = 1
    number: int = 0                     # of the group that a back reference names
    automaton: object = field(default=None, repr=False)

    @property
    def short(self):
        return bool(self.flags & SHORT)

    @property
    def groups(self):
        """The numbers of all groups inside."""
        found = {self.group} if self.group else set()
        return found.union(*(child.groups for child in self.children))


def plan(syntax):
    """The tree of a parsed pattern."""
    return alternatives(syntax.tree)


def alternatives(tree):
    """One branch is itself; several prefer long matches."""
    branches = [branch(items.items) for items in tree.branches]
    if len(branches) == 1:
        return branches[0]
    flags = LONG
    for part in branches:
        flags |= upward(flags | part.flags)
    if not flags & INTRICATE:
        return Part("plain", tree, flags)
    return Part("either", tree, flags, tuple(branches))


def branch(items):
    """A sequence of items."""
    flags = 0
    for number, item in enumerate(items):
        if isinstance(item, (Assertion, Look)) or item.most == 0:
            continue
        atom = atom_part(item.atom)
        here = flags | item.prefer | atom.flags
        captures = isinstance(item.atom, Group) and item.atom.number
        if captures or isinstance(item.atom, Back) or upward(here) & INTRICATE:
            return split(items, number, Part("plain", Sequence(items[:number]), flags), atom)
        flags = here
    return Part("plain", Sequence(items), flags)


def atom_part(atom):
    """An atom without its quantifier."""
    if isinstance(atom, Back):
        return Part("back", atom, REFERS, number=atom.number)
    if not isinstance(atom, Group):
        return Part("plain", atom)
    part = alternatives(atom.content)
    if atom.number and part.group:
        part = Part("wrap", atom.content, part.flags, (part,))
    if atom.number:
        part.flags |= CAPTURES
        part.group = atom.number
    return part


def split(items, number, before, atom):
    """The branch around its first intricate atom: `before` it, the atom with its quantifier, and the rest."""
    item, rest = items[number], items[number + 1:]
    middle = repeated(item, atom)
    flags = combined(item.prefer, atom.flags)
    if not rest:
        if number == 0:
            return middle
        return Part("join", Sequence(items), before.flags | combined(before.flags, middle.flags), (before, middle))
    after = branch(rest)
    flags |= combined(flags, after.flags)
    whole = before.flags | combined(before.flags, flags)
    if number == 0:
        return Part("join", Sequence(items), whole, (middle, after))
    tail = Part("join", Sequence(items[number:]), flags, (middle, after))
    if middle.kind == after.kind == "plain" and not upward(middle.flags | after.flags) & INTRICATE:
        tail = Part("plain", tail.expression, combined(flags, after.flags))
    return Part("join", Sequence(items), whole, (before, tail))


def repeated(item, atom):
    """An atom with its quantifier as a part."""
    least, most, prefer = item.least, item.most, item.prefer
    own = atom.flags & (LONG | SHORT | MIXED)
    if isinstance(item.atom, Back):
        atom.least, atom.most = least, most
        atom.flags |= combined(prefer, atom.flags)
        atom.expression = item
        return atom
    if least == most == 1 and (not prefer or not own or prefer == own):
        return atom
    flags = combined(prefer, atom.flags)
    if not atom.flags & (CAPTURES | REFERS):
        return Part("plain", item, flags)
    if least > 0 and not atom.flags & REFERS:
        fewer = Repeat(item.atom, least - 1, None if most is None else most - 1, prefer)
        return Part("join", item, flags, (Part("plain", fewer, flags & (LONG | SHORT)), atom))
    return Part("repeat", item, flags, (atom,), least=least, most=most)


__all__ = ["EMPTY", "Alternatives", "Part", "plan"]
