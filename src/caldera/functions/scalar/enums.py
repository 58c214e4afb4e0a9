"""Enums: comparisons, casts to text, and what labels there are."""
from functools import lru_cache

from caldera.base.errors import error
from caldera.functions.registry import Function, scalar
from caldera.functions.scalar.arrays import comparison
from caldera.functions.scalar.comparison import OPERATORS
from caldera.kernel.layouts import TEXT
from caldera.types.array_image import Array
from caldera.types.registry import lookup

for operator, (suffix, words, _) in OPERATORS.items():
    scalar(f"enum_{suffix}(anyenum, anyenum) -> bool", operator=operator, cheap=True,
           doc=f"Whether the left value is {words} the right one, in the order of the type's labels.")(comparison(operator))


LABELS_COMPARED_MAX = 64         # with more of them, calling Python for each row is not much slower


@lru_cache(maxsize=256)
def label_choice(type, codes):
    """The function (value, label, ...) -> text that gives the label of a value; the labels in the order of the codes."""
    def choose_label(call, value, *labels):
        found = labels[-1]
        for code, label in zip(codes[-2::-1], labels[-2::-1]):
            found = TEXT.choose(call.k, value == code, label, found)
        return found
    text = lookup("text")
    return Function("enum_as_text", (type,) + (text,) * len(codes), text, choose_label, cast="assignment", volatility="s")


def safe_codes(session, type, chosen=slice(None)):
    """The codes of an enum that a session sees, or a slice of them. Raises 55P04 if its transaction has added one."""
    codes = type.codes_for(session)[chosen]
    type.check_safe(codes, session)
    return codes


def end_code(session, type, chosen):
    """The code at an end. Raises 55000 for an enum without labels."""
    codes = safe_codes(session, type, chosen)
    if not codes:
        raise error("55000", f"enum {type.sql_name} contains no values")
    return codes[0]


@scalar("enum_first(anyenum) -> anyenum", python=True, strict=False, wants_session=True, wants_types=True,
        volatility="s", doc="The first value of an enum; of the argument only the type counts.")
def enum_first(session, types, value):
    return end_code(session, types[0], slice(1))


@scalar("enum_last(anyenum) -> anyenum", python=True, strict=False, wants_session=True, wants_types=True,
        volatility="s", doc="The last value of an enum; of the argument only the type counts.")
def enum_last(session, types, value):
    return end_code(session, types[0], slice(-1, None))


@scalar("enum_range(anyenum) -> anyarray", python=True, strict=False, wants_session=True, wants_types=True,
        volatility="s", doc="All values of an enum in order; of the argument only the type counts.")
def enum_range(session, types, value):
    return Array.of(safe_codes(session, types[0]))


@scalar("enum_range(anyenum, anyenum) -> anyarray", python=True, strict=False, wants_session=True, wants_types=True,
        volatility="s", doc="The values of an enum between two, both included; NULL for the first or the last one.")
def enum_range_between(session, types, low, high):
    codes = [code for code in types[0].codes_for(session)
             if (low is None or low <= code) and (high is None or code <= high)]
    types[0].check_safe(codes, session)
    return Array.of(codes)
