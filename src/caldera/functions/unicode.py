"""Characters as PostgreSQL's builtin locale C.UTF-8 sees them: classes, and simple case mapping (one code point to one).

The tables come from `unicode.json`, written by tools/generate_unicode.py; they follow the version of Unicode that PostgreSQL
18 has, whatever the version of Python. They are read when first needed.

    CLASSES   first, last, first, last, ... of the code points of "alpha", "lower", ..., each as distance from the one before
    to_lower  runs of four numbers: first, last, step, distance from a letter to its lower form; to_upper and to_fold (for
              comparisons that ignore case) likewise
"""
from functools import cache
from pathlib import Path

import msgspec

CODE_MAX = 0x10FFFF
ASCII_CLASSES = {"digit": ((48, 57),), "xdigit": ((48, 57), (65, 70), (97, 102)), "blank": ((9, 9), (32, 32)),
                 "ascii": ((0, 127),)}


@cache
def tables():
    """The file's content."""
    return msgspec.json.decode(Path(__file__).with_name("unicode.json").read_bytes())


def merged(ranges):
    """Ranges (first, last) in order, those that touch joined."""
    found = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return tuple(found)


@cache
def char_class(name):
    """The members of a POSIX class as sorted ranges (first, last); KeyError if there is no such class."""
    if name in ASCII_CLASSES:
        return ASCII_CLASSES[name]
    if name == "alnum":
        return merged(char_class("alpha") + char_class("digit"))
    if name == "word":
        return merged(char_class("alnum") + ((95, 95),))
    if name.startswith("to_"):
        raise KeyError(name)
    numbers, at = [], 0
    for difference in tables()[name]:
        at += difference
        numbers.append(at)
    return tuple(zip(numbers[::2], numbers[1::2]))


@cache
def members(name):
    """The same as a set of characters."""
    return frozenset(chr(code) for first, last in char_class(name) for code in range(first, last + 1))


@cache
def case_map(name):
    """"to_lower", "to_upper" or "to_fold": {code point: mapped code point}, as str.translate takes it."""
    numbers, found = tables()[name], {}
    for first, last, step, distance in zip(*[iter(numbers)] * 4):
        for code in range(first, last + 1, step):
            found[code] = code + distance
    return found


def lower(text):
    """Simple lower case; the number of characters stays."""
    return text.lower() if text.isascii() else text.translate(case_map("to_lower"))


def upper(text):
    """Simple upper case."""
    return text.upper() if text.isascii() else text.translate(case_map("to_upper"))


def fold(text):
    """The form in which texts that differ only in case are equal."""
    return text.lower() if text.isascii() else text.translate(case_map("to_fold"))


def initcap(text):
    """Every word's first letter in upper case, the others in lower; words consist of letters and ASCII digits."""
    letters, found, inside = members("alnum"), [], False
    for letter in text:
        found.append(lower(letter) if inside else upper(letter))
        inside = letter in letters
    return "".join(found)
