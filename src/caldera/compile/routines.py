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

ROUTINE = re.compile(r"^define internal (?P<type>.+?) @(?P<name>[\w.]+)\((?P<parameters>.*?)\) \{\n(?P<body>.*?)^\}\n",
                     re.M | re.S)
DECLARATION = re.compile(r"^declare .* @(?P<name>[\w.]+)\(.*\n", re.M)
CALL = re.compile(r" @([\w.]+)\(")


@dataclass(frozen=True)
class Routine:
    """A routine: its name, the module whose `run` it is, and the names of the routines that it calls."""
    name: str
    text: str
    calls: tuple


def take_apart(text):
    """(the text without its routines, the Routines, callees first)."""
    found = list(ROUTINE.finditer(text)) if "\ndefine internal " in text else []
    if not found:
        return text, []
    declarations = {declared["name"]: declared[0] for declared in DECLARATION.finditer(text, found[-1].end())}
    heads = {routine["name"]: "declare {type} @{name}({parameters})\n".format_map(routine.groupdict()) for routine in found}
    routines = []
    for routine in reversed(found):                     # callers come first in a text
        called = sorted(set(CALL.findall(routine["body"])))
        head = f"define {routine['type']} @run({routine['parameters']}) {{\n"
        needed = "".join((heads | declarations)[name] for name in called)
        calls = tuple(name for name in called if name in heads)
        routines.append(Routine(routine["name"], head + NOTES.sub("", routine["body"]) + "}\n" + needed, calls))
    return ROUTINE.sub(lambda routine: heads[routine["name"]], text), routines
