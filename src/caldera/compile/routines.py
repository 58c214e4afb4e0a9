"""A program's text taken apart: what it does by itself, and the routines that it shares with others.

    define i64 @run ...  ─┐                 ┌─▶ run, with a declaration in place of each routine
    define internal @f   ─┼─ take_apart ────┼─▶ Routine f: a module of its own
    define internal @g   ─┘                 └─▶ Routine g

Most programs compare texts, add decimals and select rows by the same few routines, each named after its text. Compiled by
themselves they are compiled once, and better than the fast tier does; a program is linked to them.
"""
import re
from dataclasses import dataclass

from caldera.kernel.llvm import NOTES

START, END, OPEN = "\ndefine internal ", "\n}", ") {\n"
CALL = re.compile(r" @([\w.]+)\(")
KNOWN_MAX = 4096                # routines whose texts are kept


@dataclass(frozen=True)
class Routine:
    """A routine: its name, the module whose `run` it is, and the names of the routines that it calls."""
    name: str
    text: str
    calls: tuple


KNOWN = {}                      # by name, which says all about a routine's text


def take_apart(text):
    """(the text without its routines, the Routines, callees first). Texts are long, so they are searched for words only."""
    program, *pieces = text.split(START)
    if not pieces:
        return text, []
    last, _, tail = pieces[-1].partition(END + "\n")
    pieces[-1] = last + END
    declarations = {name_of(line): line + "\n" for line in tail.splitlines() if line.startswith("declare ")}
    heads = {}
    for piece in pieces:
        head = piece[:piece.index(OPEN)]
        heads[name_of(head)] = f"declare {head})\n"
    routines = [routine(name, piece, heads, declarations) for name, piece in zip(heads, pieces)]
    return f"{program}\n{''.join(heads.values())}{tail}", routines[::-1]           # callers come first in a text


def name_of(head):
    """The name in the first line of a function, or in a declaration."""
    return head.partition(" @")[2].partition("(")[0]


def routine(name, piece, heads, declarations):
    """The Routine whose text, after `define internal`, is a piece of a module with these heads and declarations."""
    if name not in KNOWN:
        if len(KNOWN) >= KNOWN_MAX:
            KNOWN.clear()
        head, _, body = NOTES.sub("", piece.removesuffix(END)).partition(OPEN)
        called = sorted(set(CALL.findall(body)))
        needed = "".join(heads.get(other) or declarations[other] for other in called)
        text = f"define {head.replace(f' @{name}(', ' @run(', 1)}{OPEN}{body}{END}\n{needed}"
        KNOWN[name] = Routine(name, text, tuple(other for other in called if other in heads))
    return KNOWN[name]
