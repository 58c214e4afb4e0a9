"""min, max and any_value, for all types that have them.

    integers, dates, ...    one word, compared as an integer; the loop uses lanes
    floats                  their bits as an integer of the same order, NaN above all (`order_of_float`)
    numeric, interval       two words; of equal ones (1.0 and 1.00) the later stays, as in PostgreSQL
    text, bytea             the two words of a cell; the bytes of a long one are copied when it takes the lead
"""
from caldera.functions.aggregate.counting import count_where
from caldera.functions.registry import Aggregate, aggregate
from caldera.kernel.interface import F64, I64
from caldera.kernel.layouts import TEXT, Scalar
from caldera.kernel.nullable import Sql
from caldera.kernel.text import text_of_cell
from caldera.types.registry import TYPES

EXTREMES_OF = ("int2", "int4", "int8", "oid", "float4", "float8", "numeric", "text", "bpchar", "bytea", "date", "time",
               "timestamp", "timestamptz", "interval", "record")
LEAST, GREATEST = -2**63, 2**63 - 1
EXAMPLES = {"text": ("'a'", "'b'", "a", "b"), "bpchar": ("'a'", "'b'", "a", "b"),
            "bytea": (r"'\x01'", r"'\x02'", r"\x01", r"\x02"),
            "date": ("'2024-01-01'", "'2024-01-02'", "2024-01-01", "2024-01-02"),
            "time": ("'09:00'", "'10:00'", "09:00:00", "10:00:00"),
            "timestamp": ("'2024-01-01'", "'2024-01-02'", "2024-01-01 00:00:00", "2024-01-02 00:00:00"),
            "timestamptz": ("'2024-01-01 0:00+0'", "'2024-01-02 0:00+0'", "2024-01-01 00:00:00+00",
                            "2024-01-02 00:00:00+00"),
            "interval": ("'1 day'", "'2 days'", "1 day", "2 days"), "bool": ("true", "true", "t", "t"),
            "uuid": ("'00000000-0000-0000-0000-000000000001'",) * 2 + ("00000000-0000-0000-0000-000000000001",) * 2,
            "jsonpath": ("'$'", "'@'", "$", "@"),
            "record": ("ROW(1)", "ROW(2)", "(1)", "(2)"),
            "json": ("'1'", "'2'", "1", "2"), "jsonb": ("'1'", "'2'", "1", "2")}


def held(k, layout, cells):
    """The value whose words are in cells."""
    words = [cell.get() for cell in cells]
    if layout is not TEXT:
        return layout.from_words(k, words, 0)
    buffer = k.buffer(I64, 5)                   # a short text's bytes are read where its cell stands
    buffer[0], buffer[1] = words
    return text_of_cell(k, buffer, "cell")


def hold(k, layout, cells, value, condition=True):
    """Put a value's words into cells where a condition holds."""
    for cell, word in zip(cells, layout.to_words(k, value)):
        cell.set(k.choose(condition, word, cell.get()))


def order_of_float(k, value):
    """A float's place in the order as I64: the bits, those below the sign turned over for negative numbers."""
    value = k.convert(value, F64)
    value = k.choose(value == value, value, k.constant(F64, float("nan")))       # one NaN, without a sign
    return turned(k, k.reinterpret(value, I64))


def turned(k, bits):
    """The bits below the sign turned over where the sign is set; its own inverse."""
    return bits ^ (k.binary("ashr", bits, 63) & GREATEST)


class WordExtreme(Aggregate):
    """min or max of what is ordered as integers are. Cells: the word, count."""
    greatest = True

    def __init__(self, types, result):
        super().__init__(types, result)
        self.cells, self.initial = (I64, I64), (LEAST if self.greatest else GREATEST, 0)
        self.is_float = result.layout.type.is_float

    def better(self, k, word, other):
        """The one of two words that leads."""
        return k.greatest(word, other) if self.greatest else k.least(word, other)

    def update(self, call, cells, mask, value):
        k = call.k
        word = order_of_float(k, value) if self.is_float else k.convert(value, I64)
        leader = self.better(k, cells[0].get(), word)
        cells[0].set(leader if mask is True else k.choose(mask, leader, cells[0].get()))
        count_where(k, cells[1], mask)

    def combine(self, call, cells, others):
        cells[0].set(self.better(call.k, cells[0].get(), others[0].get()))
        cells[1].set(cells[1].get() + others[1].get())

    def final(self, call, cells):
        k, word = call.k, cells[0].get()
        if self.is_float:
            word = k.reinterpret(turned(k, word), F64)
        return Sql(k.convert(word, self.result.layout.type), cells[1].get() != 0)


class ValueExtreme(Aggregate):
    """min or max by the type's own order. Cells: the value's words, whether there is one."""
    greatest = True

    def __init__(self, types, result):
        super().__init__(types, result)
        self.width = result.layout.words
        self.cells, self.initial = (I64,) * (self.width + 1), (0,) * (self.width + 1)
        self.text_cells = (0,) if result.layout is TEXT else ()

    def update(self, call, cells, mask, value):
        k, type, leader = call.k, self.result, held(call.k, self.result.layout, cells[:-1])
        if type.layout is TEXT:
            ahead = type.less(k, leader, value) if self.greatest else type.less(k, value, leader)
        else:                                   # the later of equal ones
            ahead = k.not_(type.less(k, value, leader) if self.greatest else type.less(k, leader, value))
        self.take(call, cells, k.and_(mask, k.or_(cells[-1].get() == 0, ahead)), value)

    def take(self, call, cells, condition, value):
        """The value leads where a condition holds."""
        k, layout = call.k, self.result.layout
        if layout is TEXT:
            for _ in k.when(condition):
                hold(k, layout, cells[:-1], call.own(value))
        else:
            hold(k, layout, cells[:-1], value, condition)
        cells[-1].set(k.choose(condition, k.constant(I64, 1), cells[-1].get()))

    def combine(self, call, cells, others):
        self.update(call, cells, others[-1].get() != 0, held(call.k, self.result.layout, others[:-1]))

    def final(self, call, cells):
        return Sql(held(call.k, self.result.layout, cells[:-1]), cells[-1].get() != 0)


class WordMinimum(WordExtreme):
    """min of a word."""
    greatest = False


class ValueMinimum(ValueExtreme):
    """min of a value of several words."""
    greatest = False


class AnyValue(ValueExtreme):
    """The first value that is not NULL."""

    def update(self, call, cells, mask, value):
        self.take(call, cells, call.k.and_(mask, cells[-1].get() == 0), value)


for type in [TYPES[name] for name in EXTREMES_OF if name in TYPES]:
    low, high, shown_low, shown_high = EXAMPLES.get(type.name, ("1", "2", "1", "2"))
    source = f"FROM (VALUES ({low}::{type}), ({high})) t (x)"
    is_word = isinstance(type.layout, Scalar)
    aggregate(f"max({type}) -> {type}", doc="The greatest value.", example=f"SELECT max(x) {source}  -- {shown_high}",
              )(WordExtreme if is_word else ValueExtreme)
    aggregate(f"min({type}) -> {type}", doc="The least value.", example=f"SELECT min(x) {source}  -- {shown_low}",
              )(WordMinimum if is_word else ValueMinimum)

aggregate("any_value(anyelement) -> anyelement", doc="Some value that is not NULL.",
          example="SELECT any_value(x) FROM (VALUES (NULL), (2)) t (x)  -- 2")(AnyValue)
aggregate("max(anyenum) -> anyenum", doc="The last value.")(WordExtreme)
aggregate("min(anyenum) -> anyenum", doc="The first value.")(WordMinimum)

ARRAYS = "FROM (VALUES (ARRAY[1, 2]), (ARRAY[1, 3])) t (x)"
aggregate("max(anyarray) -> anyarray", doc="The greatest value.",
          example=f"SELECT max(x) {ARRAYS}  -- {{1,3}}")(ValueExtreme)
aggregate("min(anyarray) -> anyarray", doc="The least value.", example=f"SELECT min(x) {ARRAYS}  -- {{1,2}}")(ValueMinimum)
