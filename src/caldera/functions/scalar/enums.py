"""Enums: comparisons, casts to text, and what labels there are."""
from functools import lru_cache

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


@scalar("enum_first(anyenum) -> anyenum", python=True, strict=False, wants_types=True, volatility="s",
        doc="The first value of an enum; of the argument only the type counts.")
def enum_first(types, value):
    return min(types[0].labels)


@scalar("enum_last(anyenum) -> anyenum", python=True, strict=False, wants_types=True, volatility="s",
        doc="The last value of an enum; of the argument only the type counts.")
def enum_last(types, value):
    return max(types[0].labels)


@scalar("enum_range(anyenum) -> anyarray", python=True, strict=False, wants_types=True, volatility="s",
        doc="All values of an enum in order; of the argument only the type counts.")
def enum_range(types, value):
    return Array.of(sorted(types[0].labels))


@scalar("enum_range(anyenum, anyenum) -> anyarray", python=True, strict=False, wants_types=True, volatility="s",
        doc="The values of an enum between two, both included; NULL for the first or the last one.")
def enum_range_between(types, low, high):
    codes = sorted(types[0].labels)
    return Array.of(code for code in codes if (low is None or low <= code) and (high is None or code <= high))
