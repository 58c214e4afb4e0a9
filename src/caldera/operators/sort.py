"""ORDER BY: rows are kept in columns, with the words of their sort keys, and put in order at the end.

The words come from the types (`SqlType.key`): signed numbers in the order of the values; descending keys are inverted,
and a word in front tells NULLs. Texts and numerics, whose words are only a beginning, are ranked: texts by Arrow. The
order itself is numpy's work: a vectorised library sort is hard to beat on plain words. What memory has no room for goes to
disk as sorted runs, which are merged (sort_runs.py).

With a limit (top-N), a worker whose store is full keeps the best N rows and drops what cannot be among them any more: its
N-th row's first word becomes a bound that later rows are compared with before anything else of them is read.
"""
import math

import numpy as np

from caldera.kernel.blocks import LANES, select
from caldera.kernel.interface import FUNCTION, I8, I32, I64, Struct
from caldera.kernel.nullable import Sql
from caldera.operators.collect import Collect
from caldera.operators.project import Project
from caldera.operators.rows_in_memory import from_memory
from caldera.operators.sort_runs import SortRuns, joined, places_of
from caldera.operators.spilled_columns import SpilledColumns
from caldera.optimize.estimates import OPERATOR_COST, ROW_COST
from caldera.plan import nodes
from caldera.plan.expressions import Column, SortKey, new_column
from caldera.plan.operator import Operator, runs
from caldera.storage import arrays
from caldera.types.columns import to_datums
from caldera.types.registry import TYPES

PRUNE_ROWS = 1 << 13            # a store of top-N is pruned when it holds that many rows more than the limit
LARGEST = (1 << 63) - 1


@runs(nodes.Sort)
class SortOperator(Operator):
    """Keeps all rows, or with a limit the best, and puts them in order."""

    def describe(self, node):
        keys = {"Sort Key": [str(key) for key in node.keys]}
        if node.limit is None:
            return "Sort", "Sort", keys
        bounds = {"Limit": node.limit - node.offset} | ({"Offset": node.offset} if node.offset else {})
        return "Top-N Sort", "Top-N Sort", keys | bounds

    def estimate(self, estimates, node):
        rows, _, total = estimates.of(node.input)
        kept = rows if node.limit is None else min(rows, node.limit)
        total += 2 * OPERATOR_COST * rows * math.log2(max(2, kept))
        return max(0, kept - node.offset), total, total + kept * ROW_COST

    def build(self, builder, node):
        stream, keys, computed = builder.build(node.input), [], []
        for key in node.keys:
            expression = key.expression
            if not isinstance(expression, Column):
                column = new_column("key", expression.type, expression.modifier, expression.nullable)
                computed.append((column, expression))
                expression = column
            keys.append(SortKey(expression, key.descending, key.nulls_first))
        if computed:
            stream.evaluates([expression for _, expression in computed])
            stream.steps.append(Project(tuple(computed), builder.evaluator))
        sink = Sort(node.output, tuple(keys), builder.word_ids, node.limit)
        builder.end(stream, sink, "sort" if node.limit is None else "top-N")
        sorted_rows = SortedRows(sink, node.offset)
        return from_memory(node.output, sorted_rows.columns, sorted_rows.order, batches=sorted_rows.batches,
                           read=sink.give_up)


class KeyWord:
    """One word of a sort key: the plan column that carries it, and, for texts, the column to rank instead."""

    def __init__(self, column, ranked=None, descending=False):
        self.column, self.ranked, self.descending = column, ranked, descending


class Sort(Collect):
    """`keys`: SortKeys whose expressions are Columns; `columns`: what the sorted rows consist of."""

    def __init__(self, columns, keys, ids, limit=None):
        """`ids`: an iterator of fresh column ids. `limit`: a number, or None."""
        self.keys, self.limit, self.order_words = keys, limit, []
        int8 = TYPES["int8"]
        kept = {column.id: column for column in columns}
        for key in keys:
            self.order_words.append(KeyWord(Column(next(ids), "null", int8)))
            if not key.expression.type.key_is_exact:
                kept.setdefault(key.expression.id, key.expression)
            for number in range(key.expression.type.key_words):
                ranked = None if key.expression.type.key_is_exact or number else key.expression
                self.order_words.append(KeyWord(Column(next(ids), "word", int8), ranked, key.descending))
        self.kept = list(kept.values())
        super().__init__([*self.kept, *(word.column for word in self.order_words)])
        self.output, self.spill = list(columns), SpilledColumns()
        self.layout = Struct(**self.layout.fields, bound=I64, prune=FUNCTION)

    @property
    def words(self):
        return "Sort" if self.limit is None else f"Top-N Sort (limit {self.limit})"

    def open(self, run):
        super().open(run)
        self.runs = SortRuns(self, self.spill)
        for worker, state in enumerate(self.instances):
            state.bound = LARGEST
            state.prune = self.callback(run.control.guarded(lambda _, worker=worker: self.prune(worker)))

    def consume(self, k, blocks):
        """Append every block's rows with their key words, as long as they may be wanted."""
        for block in blocks:
            block = self.with_words(k, block.settled())
            if self.limit is None:
                self.append(k, block)
                continue
            here = k.memory(self)
            positions, keep = k.buffer(I32, k.block_rows + LANES), k.buffer(I8, k.block_rows + LANES)
            leading = self.bound_word()
            bound = here.bound
            for row in block.rows([leading.id]):
                keep[row.number] = k.convert(row[leading.id].value <= bound, I8)
            selected = k.variable(I64, select(k, keep, block.count, positions))
            for _ in k.when(selected.get() > 0):
                self.append(k, block.narrowed(selected.get(), positions))
                for _ in k.when(here.row_count > self.limit + PRUNE_ROWS):
                    k.call(here.prune, 0)

    def bound_word(self):
        """The column that is compared with the bound: the first word that is not constant. If the first key may be NULL the
        word of NULLs decides first, so it is folded into the bound's word: see `with_words`."""
        return self.order_words[1].column if self.order_words[1:] else self.order_words[0].column

    def with_words(self, k, block):
        """The block with key words as computed columns. A NULL's words are the least or the greatest numbers, so that the
        second word alone is a sound bound."""
        expressions, position = {}, 0
        for key in self.keys:
            source, null_word = key.expression, self.order_words[position].column
            count = source.type.key_words
            expressions[null_word.id] = {source.id}, self.null_word(k, key)
            for number in range(count):
                column = self.order_words[position + 1 + number].column
                expressions[column.id] = {source.id}, self.value_word(k, key, number)
            position += 1 + count
        return block.extended(expressions)

    @staticmethod
    def null_word(k, key):
        def word(row):
            valid = row[key.expression.id].valid
            if isinstance(valid, bool):
                return Sql(k.constant(I64, 0 if valid else -1 if key.nulls_first else 1), True)
            return Sql(k.choose(valid, k.constant(I64, 0), k.constant(I64, -1 if key.nulls_first else 1)), True)
        return word

    @staticmethod
    def value_word(k, key, number):
        def word(row):
            sql = row[key.expression.id]
            value = key.expression.type.key(k, sql.value)[number]
            value = value ^ -1 if key.descending else value
            if sql.valid is True:
                return Sql(value, True)
            extreme = k.constant(I64, -LARGEST - 1 if key.nulls_first else LARGEST)
            return Sql(k.choose(k.as_condition(sql.valid), value, extreme), True)
        return word

    # in Python
    def make_way(self, worker):
        """With a limit, dropping the rows that are not wanted may do in place of writing all to disk."""
        if self.refuses_always or self.limit is None or self.instances[worker].row_count <= 2 * self.limit:
            super().make_way(worker)
        else:
            self.prune(worker)

    def write_out(self, worker, columns, count):
        """Write a worker's rows to disk in order, as a run."""
        places = places_of(self.beginnings[worker], worker, self.seen[worker], count)
        with self.lock:
            self.runs.add(columns, places)

    def batches(self):
        """If rows went to disk: all rows in order, as lists of ColumnData for `self.columns` and for their places, of which
        there is one for each row whatever else is kept; else None."""
        if not self.runs.has_rows:
            return None
        for worker in range(len(self.instances)):
            self.hand_over(worker)
        return self.limited(self.runs.merged())

    def limited(self, batches):
        """The first `limit` rows."""
        left = math.inf if self.limit is None else self.limit
        for columns in batches:
            count = len(columns[-1].values)
            if left > 0:
                yield columns if count <= left else [arrays.cut(data, 0, left) for data in columns]
            left -= count

    def prune(self, worker):
        """Called by generated code when a worker's store is full: keep the best `limit` rows, and tighten the bound."""
        columns = self.gathered([worker])
        best = self.order_of(columns)[:self.limit]
        kept = [arrays.take(data, best) for data in columns]
        if len(best) == self.limit:
            words = kept[self.position_of(self.bound_word())].values
            self.instances[worker].bound = self.bound_behind(int(words.max())) if self.limit else -LARGEST - 1
        self.replace_rows(worker, kept)
        self.beginnings[worker].clear()                 # they are no longer in the order of morsels

    def bound_behind(self, last):
        """The largest word that can still be among the first rows, when the last of `limit` rows has the word `last`.
        Rows that tie with it are not wanted, if its word is all there is to compare (NULLs share the extreme words)."""
        type = self.keys[0].expression.type
        decides = len(self.keys) == 1 and type.key_is_exact and type.key_words == 1 and abs(last) < LARGEST
        return last - 1 if decides else last

    def position_of(self, column):
        return next(number for number, other in enumerate(self.columns) if other.id == column.id)

    def replace_rows(self, worker, columns):
        """Write columns over the store of a worker, whose arrays are large enough."""
        state, store, count = self.instances[worker], self.stores[worker], 0
        for number, data in enumerate(columns):
            count = len(data.values[0]) - 1 if isinstance(data.values, tuple) else len(data.values)
            store[f"valid{number}"].view(np.uint8)[:count] = 1 if data.valid is None else data.valid
            if isinstance(data.values, tuple):
                offsets, blob = data.values
                used = int(offsets[-1])
                store[f"values{number}"][:count] = offsets[1:]
                store[f"bytes{number}"].view(np.uint8)[:used] = blob[:used]
                setattr(state, f"used{number}", used)
            else:
                flat = np.ascontiguousarray(data.values).reshape(-1)
                store[f"values{number}"].view(data.type.layout.dtype)[:len(flat)] = flat
        state.row_count = count

    def finish(self):
        """(columns of the output, order): row numbers in the wanted order, at most `limit`."""
        columns = super().finish()
        order = self.order_of(columns)
        return columns[:len(self.output)], order if self.limit is None else order[:self.limit]

    def order_of(self, columns):
        """Row numbers in order, by the key words of columns as `Collect.finish` gives them; with a limit, of those rows that
        can be among the first."""
        count = len(columns[-1].values)
        first = None if self.limit is None else up_to(
            columns[self.position_of(self.bound_word())].values, np.arange(count), self.limit)
        if first is None or len(first) > count // 2:
            return self.order_of_words(self.key_words(columns), count)
        return first[self.order_of_words(self.key_words(columns, first), len(first))]

    def key_words(self, columns, rows=slice(None), count=None):
        """The arrays that some rows, or all, are ordered by, the first one first; the first `count` of them."""
        by_id = {column.id: data for column, data in zip(self.columns, columns)}
        words = []
        for word in self.order_words[:count]:
            if word.ranked is None:
                array = by_id[word.column.id].values[rows]
            else:
                ranked = by_id[word.ranked.id]
                array = ranks(ranked if isinstance(rows, slice) else arrays.take(ranked, rows))
                array = -array if word.descending else array
            words.append(array)
        return words

    @staticmethod
    def order_of_words(words, count):
        """Row numbers in the order of the words of `count` rows; those that are equal stay as they are."""
        words = [array for array in words if len(array) and array[0] != array[-1] or (array != array[:1]).any()]
        return arrays.order_of(words) if words else np.arange(count)


class SortedRows:
    """What a Sort leaves, as a ColumnsSource asks for it: the columns first, then the order of their rows, from row number
    `offset` on. If rows went to disk they come in `batches`; whoever wants all at once gets them nevertheless."""

    def __init__(self, sink, offset=0):
        self.sink, self.offset, self.outcome = sink, offset, None

    def batches(self):
        """Pairs (columns, row count) in order, or None if all rows are in memory."""
        found = self.sink.batches()
        return None if found is None else self.shown(found)

    def shown(self, batches):
        """The columns of the output, without the first `offset` rows."""
        skipped = 0
        for columns in batches:
            columns, count = columns[:len(self.sink.output)], len(columns[-1].values)
            first = min(count, max(0, self.offset - skipped))
            skipped += first
            if first < count:
                yield [arrays.cut(data, first, count - first) for data in columns], count - first

    def columns(self):
        batches = self.batches()
        if batches is not None:
            pairs = [([arrays.empty(column.type) for column in self.sink.output], 0), *batches]
            columns, count = joined([columns for columns, _ in pairs]), sum(count for _, count in pairs)
            self.outcome = columns, np.arange(count)
            return columns
        columns, order = self.sink.finish()
        self.outcome = columns, order[self.offset:]
        return columns

    def order(self):
        return self.outcome[1]


def ranks(data):
    """The rank of every text, numeric or array of a column, or other numbers of the same order (int64, not the least one);
    equal ones have equal ranks. What NULLs get does not matter (a word in front tells them)."""
    if not arrays.in_text_form(data):
        data = arrays.without_null_values(data)
        numbers = arrays.numeric_numbers(data.values) if data.type.layout.name == "NUMERIC" else None
        if numbers is not None:
            return numbers
        different, inverse = np.unique(data.values, axis=0, return_inverse=True)
        return arrays.rank_datums(data.type, to_datums(data.type, different))[inverse.reshape(-1)]
    return arrays.text_rank(data.type, data.values)


def up_to(words, rows, count):
    """Those of some rows whose word is among the `count` least of them or equals the last of these; None for all of them."""
    if not 0 < count < len(rows):
        return None
    words = words[rows]
    return rows[words <= np.partition(words, count - 1)[count - 1]]
