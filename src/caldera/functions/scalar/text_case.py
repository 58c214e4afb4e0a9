"""Changing case, by simple mapping of one character to one, as the locale C.UTF-8 does. Normal forms of Unicode.

A text is first taken for ASCII, eight bytes at a time. If other characters turn up, it is done again, character by
character, with a table of code points in memory.
"""
import unicodedata

import numpy as np

from caldera.base.errors import error
from caldera.functions import unicode
from caldera.functions.registry import scalar
from caldera.kernel.interface import I32, I64, Owner, Pointer, Struct
from caldera.kernel.text import Text
from caldera.kernel.utf8 import copy_by_table, copy_lower, copy_upper

NORMAL_FORMS = "NFC", "NFD", "NFKC", "NFKD"


class CaseTable(Owner):
    """Code point to code point, in memory; made when first used."""
    layout = Struct(codes=Pointer(I32), size=I64)

    def __init__(self, mapping):
        super().__init__()
        self.mapping = mapping

    def address(self, worker):
        if not self.instances:
            changes = unicode.case_map(self.mapping)
            table = np.arange(max(changes) + 1, dtype=np.int32)
            table[list(changes)] = list(changes.values())
            self.instances = [self.layout.make(codes=self.keep(table), size=len(table))]
        return super().address(worker)


LOWER, UPPER, FOLD = CaseTable("to_lower"), CaseTable("to_upper"), CaseTable("to_fold")


def mapped(call, text, copy_ascii, table):
    """A text with every character changed."""
    k = call.k
    target = call.scratch(text.length + (text.length >> 1) + 8)
    length = k.variable(I64, text.length)
    for _ in k.when(k.routine(copy_ascii, text.address, text.length, target) != 0):
        here = k.memory(table)
        codes = k.address(here.codes)
        length.set(k.routine(copy_by_table, text.address, text.length, target, codes, here.size))
    return Text(k, target, length.get(), "block")


def lower_text(call, text):
    """A staged text in lower case."""
    return mapped(call, text, copy_lower, LOWER)


@scalar("lower(text) -> text", doc="The text in lower case.", example="SELECT lower('TOM É')  -- tom é")
def lower(call, text):
    return lower_text(call, text)


@scalar("upper(text) -> text", doc="The text in upper case.", example="SELECT upper('tom é')  -- TOM É")
def upper(call, text):
    return mapped(call, text, copy_upper, UPPER)


@scalar("casefold(text) -> text", doc="The text in a form that is equal for texts that differ only in case.",
        example="SELECT casefold('ΣΊΣΥΦΟΣ')  -- σίσυφοσ")
def casefold(call, text):
    return mapped(call, text, copy_lower, FOLD)


@scalar("initcap(text) -> text", python=True, doc="The first letter of each word in upper case, the others in lower.",
        example="SELECT initcap('hi THOMAS')  -- Hi Thomas")
def initcap(text):
    return unicode.initcap(text)


def normal_form(name):
    """The normal form of that name; 22023 if there is none."""
    if name.upper() not in NORMAL_FORMS:
        raise error("22023", f"invalid normalization form: {name}")
    return name.upper()


@scalar("normalize(text, text) -> text", python=True, doc="The text in a normal form of Unicode.",
        example="SELECT length(normalize(U&'\\0061\\0308', NFC))  -- 1")
def normalize(text, form):
    return unicodedata.normalize(normal_form(form), text)


@scalar("normalize(text) -> text", python=True, doc="The text in Unicode's normal form C.",
        example="SELECT length(normalize(U&'\\0061\\0308'))  -- 1")
def normalize_c(text):
    return unicodedata.normalize("NFC", text)


@scalar("is_normalized(text, text) -> bool", python=True, doc="Whether the text is in a normal form of Unicode.",
        example="SELECT is_normalized('é', 'NFD')  -- f")
def is_normalized(text, form):
    return unicodedata.is_normalized(normal_form(form), text)


@scalar("is_normalized(text) -> bool", python=True, doc="Whether the text is in Unicode's normal form C.",
        example="SELECT is_normalized('é')  -- t")
def is_normalized_c(text):
    return unicodedata.is_normalized("NFC", text)
