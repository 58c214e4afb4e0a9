"""Sideways information passing: what a join knows of its keys, before the rows that look for partners are worked on.

    rows kept, in memory or on disk ─▶ KeptKey.look ─▶ bounds, and a bit for each value between them
    scan ─▶ KeyFilter: drops rows without a partner ─▶ other joins, aggregates ─▶ the join's Probe

A KeptKey of integers that lie close together becomes a bit map, whose answers are exact; other keys are asked of the join
table's directory, whose entries have a small Bloom filter each: that is as much work as the join's own look, and done where
something between the two is spared, unless the rows are on disk. Bounds also leave out granules of the scan. Which of these
pays is known when the rows are there, so it is decided then. (After Ives and Taylor: "Sideways Information Passing for
Push-Style Query Processing", ICDE 2008.)
"""
import numpy as np

from caldera.kernel.interface import I8, I64, Owner, Pointer, Struct
from caldera.kernel.structures.join_table import hash_of_keys
from caldera.operators.filter import Filter
from caldera.operators.scan import TableSource
from caldera.optimize.estimates import OPERATOR_COST
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs
from caldera.plan.predicates import bare_column
from caldera.storage.engine import Range

INTEGERS = {"int2", "int4", "int8", "date"}
SPAN_MIN, SPAN_FACTOR = 1 << 23, 32         # bits that a map may always have, and for each row
SPARSE_FACTOR = 256                         # of a map with fewer bits than one in so many, single bits are set
SHARE_MAX = 0.6                             # of the values that a key could have; with more of them few rows are dropped


@runs(nodes.KeyFilter)
class KeyFilterOperator(Operator):
    """Drops rows that will find no partner in a join above."""

    def describe(self, node):
        return "Key Filter", f"Key Filter {node.number} on {node.key}", {}

    def estimate(self, estimates, node):
        rows, startup, total = estimates.of(node.input)
        return rows, startup, total + rows * OPERATOR_COST

    def build(self, builder, node):
        stream, key = builder.build(node.input), builder.join_keys[node.number][node.place]
        stream.plain_columns = None
        stream.evaluates([node.key])
        stream.steps.append(FilterByKey(node, key, builder.evaluator))
        key.values = max(key.values, node.values)
        column = bare_column(node.key)
        if column is not None and isinstance(stream.source, TableSource) and column.id in stream.origins:
            narrow(stream.source, stream.origins[column.id], key)
        return stream


def narrow(source, name, key):
    """Have a TableSource leave out granules where a column is outside of a KeptKey's bounds."""
    ranges = source.ranges
    source.ranges = lambda: [*ranges(), *key.ranges(name)]


class KeptKey(Owner):
    """What is known of one key of a join's kept rows, once they are there.

    table: the JoinTable. id: of the key in its rows. type: an SqlType. is_only: whether the rows' hashes are those of this
    key. values: of so many values the filters that ask may drop rows.
    row_count: None as long as nothing is known. low, high: the bounds of integers; map_bits: whether there is a bit map.
    distinct: how many values there are, or the number of rows where nobody has counted. in_memory: whether the table has
    all rows.
    """
    layout = Struct(low=I64, span=I64, bits=Pointer(I8))

    def __init__(self, table, id, type, is_only):
        super().__init__()
        self.table, self.id, self.type, self.is_only, self.values = table, id, type, is_only, 0
        self.instances = [self.layout.make()]
        self.forget()

    def forget(self):
        """The rows have gone."""
        self.row_count = self.low = self.high = self.distinct = None
        self.has_map, self.in_memory, self.arrays = False, False, []

    def look(self, row_count, batches, in_memory):
        """Look at the rows, if that may pay: `batches()` gives them as int64[n, width], as often as it is asked."""
        self.forget()
        self.row_count, self.distinct, self.in_memory = row_count, row_count, in_memory
        if self.type.name not in INTEGERS or row_count >= self.values:
            return
        bounds = [(values.min(), values.max()) for rows in batches() if len(values := self.values_in(rows))]
        self.low = min((int(low) for low, _ in bounds), default=0)
        self.high = max((int(high) for _, high in bounds), default=0)
        span = self.high - self.low + 1
        if span <= max(SPAN_MIN, SPAN_FACTOR * row_count):
            bits = np.zeros(span // 8 + 1, np.uint8)
            for rows in batches():
                set_bits(bits, self.values_in(rows) - self.low)
            self.distinct, self.has_map = int(np.bitwise_count(bits).sum()), True
            state = self.instances[0]
            state.low, state.span, state.bits = self.low, span, self.keep(bits)

    def values_in(self, rows):
        """The key's values in the rows that have one."""
        layout = self.table.row_layout
        values = rows[:, layout.word[self.id]]
        if self.id in layout.validity:
            word, bit = layout.validity[self.id]
            values = values[rows[:, word] >> bit & 1 == 1]
        return np.ascontiguousarray(values)

    def ranges(self, name):
        """What is known of a column that shall be among the values, as Ranges of a scan."""
        return [Range(name, self.low, self.high)] if self.low is not None and self.distinct else []

    def may_have(self, k, value, by_map):
        """Staged: whether a value may be among those of the key."""
        if not by_map:
            return self.table.may_have(k, hash_of_keys(k, [self.type], [value]))
        here = k.memory(self)
        place = k.convert(value, I64) - here.low
        is_inside = k.compare("ult", place, here.span)
        place = k.choose(is_inside, place, k.constant(I64, 0))
        byte = k.convert(here.bits[place >> 3], I64, signed=False)
        return k.and_(is_inside, ((byte >> (place & 7)) & 1) != 0)


def set_bits(bits, places):
    """Set the bits at `places` (int64) in bytes (uint8); the lowest bit of a byte comes first."""
    if len(places) * SPARSE_FACTOR < 8 * len(bits):
        np.bitwise_or.at(bits, places >> 3, np.left_shift(1, places & 7).astype(np.uint8))
        return
    flags = np.zeros(8 * len(bits), bool)
    flags[places] = True
    bits |= np.packbits(flags, bitorder="little")


class FilterByKey(Filter):
    """The step. It does nothing where it would hardly drop a row; `refused` says why, once that is known."""
    refused = None

    def __init__(self, node, join_key, evaluator):
        super().__init__(node.key, evaluator)
        self.node, self.join_key = node, join_key

    @property
    def words(self):
        return f"Key Filter {self.predicate}"

    @property
    def facts(self):
        """How rows are looked up: "map", "directory", or None for not at all."""
        key, most = self.join_key, SHARE_MAX * self.node.values
        if key.row_count is None or key.distinct >= most:
            return None
        if key.has_map:
            return "map"
        return "directory" if self.node.is_early and key.is_only and key.in_memory else None

    def why_not(self):
        """Why it does nothing, once that is known; None if it does something."""
        key = self.join_key
        if key.row_count is None or self.facts:
            return None
        if key.distinct >= SHARE_MAX * self.node.values:
            return f"Key Filter (up to {key.distinct} values are kept, of about {self.node.values:.0f})"
        return "Key Filter (the join itself looks rows up as fast)"

    def holds(self, k, row):
        sql = self.evaluator.eval(k, self.predicate, row)
        return k.and_(sql.valid, self.join_key.may_have(k, sql.value, self.facts == "map"))

    def blocks(self, k, blocks):
        self.refused = self.why_not()               # the join gives its rows back when they are read
        return super().blocks(k, blocks) if self.facts else blocks
