"""bool_and, bool_or, every; bit_and, bit_or, bit_xor."""
from caldera.functions.aggregate.counting import count_where
from caldera.functions.registry import Aggregate, aggregate
from caldera.kernel.interface import I64
from caldera.kernel.nullable import Sql


class Fold(Aggregate):
    """A bitwise operation over all values. Cells: the result so far, count."""
    cells = (I64, I64)
    operation, neutral = "or", 0

    def __init__(self, types, result):
        super().__init__(types, result)
        self.initial = (self.neutral, 0)

    def update(self, call, cells, mask, value):
        k = call.k
        word = k.convert(k.as_condition(value), I64)
        word = word if mask is True else k.choose(mask, word, k.constant(I64, self.neutral))
        cells[0].set(k.binary(self.operation, cells[0].get(), word))
        count_where(k, cells[1], mask)

    def combine(self, call, cells, others):
        cells[0].set(call.k.binary(self.operation, cells[0].get(), others[0].get()))
        cells[1].set(cells[1].get() + others[1].get())

    def final(self, call, cells):
        result = self.result.layout.from_words(call.k, [cells[0].get()], 0)
        return Sql(result, cells[1].get() != 0)


@aggregate("bool_or(bool) -> bool", doc="Whether any value is true.",
           example="SELECT bool_or(x) FROM (VALUES (true), (false)) t (x)  -- t")
class AnyTrue(Fold):
    """OR."""


@aggregate("bool_and(bool) -> bool", "every(bool) -> bool", doc="Whether all values are true.",
           example="SELECT bool_and(x) FROM (VALUES (true), (false)) t (x)  -- f")
class AllTrue(Fold):
    """AND."""
    operation, neutral = "and", 1


INTEGERS = "int2", "int4", "int8"


@aggregate(*(f"bit_or({name}) -> {name}" for name in INTEGERS), doc="Bitwise OR of all values.",
           example="SELECT bit_or(x) FROM (VALUES (6), (3)) t (x)  -- 7")
class BitOr(Fold):
    """OR of bits."""


@aggregate(*(f"bit_and({name}) -> {name}" for name in INTEGERS), doc="Bitwise AND of all values.",
           example="SELECT bit_and(x) FROM (VALUES (6), (3)) t (x)  -- 2")
class BitAnd(Fold):
    """AND of bits."""
    operation, neutral = "and", -1


@aggregate(*(f"bit_xor({name}) -> {name}" for name in INTEGERS), doc="Bitwise exclusive OR of all values.",
           example="SELECT bit_xor(x) FROM (VALUES (6), (3)) t (x)  -- 5")
class BitXor(Fold):
    """Exclusive OR of bits."""
    operation, neutral = "xor", 0
