"""Where the containers of a document lie in PostgreSQL's jsonb: .keyvalue() makes its ids of that.

A container is a word, a word for each element (for each key and each value), then their bytes: of strings as they are, of
numbers as numeric has them, of containers again such; numbers and containers start at multiples of four.
"""
from decimal import Decimal

from caldera.types import arithmetic
from caldera.types.registry import utf8

WORD = 4
BASE_DISTANCE = 10_000_000_000              # between the ids of different documents
SHORT_SCALE_MAX, SHORT_WEIGHT_MIN, SHORT_WEIGHT_MAX = 63, -64, 63


def groups_of(number):
    """The digits of a number in base 10000, without zeros at either end."""
    whole, _, fraction = format(abs(number), "f").partition(".")
    whole = whole.rjust(-(-len(whole) // 4) * 4, "0")
    digits = whole + fraction.ljust(-(-len(fraction) // 4) * 4, "0")
    groups = [digits[at:at + 4] for at in range(0, len(digits), 4)]
    used = [place for place, group in enumerate(groups) if group != "0000"]
    return groups[used[0]:used[-1] + 1] if used else []


def number_size(number):
    """The bytes of a numeric: a length, a head, and two for each digit in base 10000."""
    number = Decimal(number)
    weight = arithmetic.weight(number) if number else 0
    is_short = arithmetic.scale(number) <= SHORT_SCALE_MAX and SHORT_WEIGHT_MIN <= weight <= SHORT_WEIGHT_MAX
    return WORD + (2 if is_short else 4) + 2 * len(groups_of(number))


def aligned(at):
    """The next multiple of four."""
    return -(-at // WORD) * WORD


class Places:
    """The places of a document's containers, by identity; and the numbers of documents that .keyvalue() made."""

    def __init__(self, root):
        self.found, self.kept, self.bases = {}, [root], 0
        if isinstance(root, (dict, list)):
            self.lay_out(root, 0)

    def of(self, container):
        """The id of a container."""
        return self.found.get(id(container), 0)

    def add_base(self, value):
        """One more document, whose containers have ids of their own."""
        self.bases += 1
        self.kept.append(value)
        self.found[id(value)] = self.bases * BASE_DISTANCE

    def lay_out(self, container, at):
        """Note a container that begins at a place, and all inside; where it ends."""
        self.found[id(container)] = at
        is_object = isinstance(container, dict)
        at += WORD + WORD * len(container) * (2 if is_object else 1)
        if is_object:
            at += sum(len(utf8(key)) for key in container)
        for value in container.values() if is_object else container:
            if isinstance(value, (dict, list)):
                at = self.lay_out(value, aligned(at))
            elif isinstance(value, str):
                at += len(utf8(value))
            elif value is not None and not isinstance(value, bool):
                at = aligned(at) + number_size(value)
        return at
