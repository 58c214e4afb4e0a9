"""Rows of a JoinTable in an order, in which a row finds its candidates by bisection: for joins by comparisons.

    order    for each row the word that rows with equal hashes are sorted by
    reach    for each row the greatest word of another key among the rows up to it, from the first one with its hash

A row's candidates begin where `order` reaches its low bounds, and end where it exceeds its high ones. Where bounds are of
two columns (intervals that contain a point, or meet), rows in front of the first whose `reach` is far enough are left out as
well: those end too early. That helps as long as intervals are short beside all of them together.

Bounds and keys are compared by the first words of their types' keys, whose order never contradicts that of the values. Where
computing a bound fails (t + interval '1 day'), there is none, and where computing a key does, nothing is left out: it is for
the condition to fail, if it comes to that.
"""
import numpy as np

from caldera.kernel.blocks import Attempt
from caldera.kernel.interface import I64, Owner, Pointer, Struct
from caldera.kernel.nullable import Sql
from caldera.plan.expressions import SortKey
from caldera.plan.predicates import cannot_fail
from caldera.types.registry import TYPES

LEAST, GREATEST = -1 << 63, (1 << 63) - 1


class RowSearch(Owner):
    """How the rows of one join are sorted and searched. `node`: the Join, with ranges or an order."""
    layout = Struct(order=Pointer(I64), reach=Pointer(I64), failed=I64)

    def __init__(self, node, evaluator, has_keys):
        """has_keys: whether there are equalities as well, so that rows lie by hash first."""
        super().__init__()
        self.evaluator, self.ranges, self.has_keys, self.table = evaluator, node.ranges, has_keys, None
        self.keys = node.order or (SortKey(node.ranges[0].key),)
        self.strict_keys = [range.key for range in node.ranges]         # whose NULLs have no partner
        self.entries, self.words = [], {}
        for number, key in enumerate(self.keys):
            if key.expression.nullable and key.expression not in self.strict_keys:
                self.add(("null word", number), key.expression, lambda k, sql, key=key: null_word(k, sql, key))
            for place in range(key.expression.type.key_words if node.order else 1):
                self.add(("word", number, place), key.expression,
                         lambda k, sql, key=key, place=place: word_of_key(k, sql, key, place))
        self.sort_ids = [id for id, _, _ in self.entries]
        if len(node.ranges) > 1:
            self.add("reach", node.ranges[1].key, lambda k, sql: value_word(k, sql, node.ranges[1].key.type, 0, False))
        if not all(map(cannot_fail, self.strict_keys)):
            self.entries.append(("failed", TYPES["int8"], False))
        self.bounds = list(self.found_bounds())

    def add(self, id, expression, word):
        """Have rows keep a further word of an expression."""
        self.entries.append((id, TYPES["int8"], False))
        self.words[id] = expression, word

    def found_bounds(self):
        """Bound after Bound. Words of a descending order are inverted, which makes low bounds of high ones."""
        for number, range in enumerate(self.ranges):
            inverted = number == 0 and self.keys[0].descending
            exact = range.key.type.key_is_exact and range.key.type.key_words == 1
            for bounds, is_low in ((range.lows, True), (range.highs, False)):
                for expression, strict in bounds:
                    yield Bound(expression, strict and exact, is_low != inverted, inverted, "reach" if number else "order")

    # in Python
    def open(self, run):
        """Sort the table's rows, which are in their places by now."""
        table, self.allocation = self.table, run.allocation
        width, count = table.row_layout.width, table.row_count
        rows = table.arrays[0][:count * width].reshape(count, width)
        self.allocation.account(rows.nbytes)                # of the copy
        rows[:] = np.take(rows, self.places(rows), axis=0)
        self.allocation.discount(rows.nbytes)
        self.arrays = []
        columns = {name: np.ascontiguousarray(column) for name, column in self.searched(rows)}
        failed = int(rows[:, table.row_layout.word["failed"]].any()) if "failed" in table.row_layout.word else 0
        self.instances = [self.layout.make(failed=failed, **{name: self.keep(column) for name, column in columns.items()})]
        self.held = sum(column.nbytes for column in columns.values())
        self.allocation.account(self.held)

    def close(self):
        if self.instances:
            self.allocation.discount(self.held)
        self.instances, self.arrays = [], []

    def places(self, rows):
        """Which row comes where: by hash as the table has them, then by the words."""
        word = self.table.row_layout.word
        words = [np.ascontiguousarray(rows[:, word[id]]) for id in self.sort_ids]
        if self.has_keys:
            words.insert(0, np.ascontiguousarray(rows[:, 0]).view(np.uint64))
        places = np.argsort(words.pop())
        for array in reversed(words):
            places = places[np.argsort(array[places], kind="stable")]
        return places

    def searched(self, rows):
        """Pairs of a field's name and its array."""
        word = self.table.row_layout.word
        if self.ranges:
            yield "order", rows[:, word["word", 0, 0]]
        if "reach" in word:
            hashes = rows[:, 0] if self.has_keys else np.zeros(len(rows), np.int64)
            yield "reach", running_greatest(hashes, rows[:, word["reach"]])

    # staged
    def validity(self, k, row):
        """Whether a row to be kept has the keys that bounds are about, one after the other."""
        return [self.tried(k, key, row)[0].valid for key in self.strict_keys]

    def computed(self, k):
        """{id: (ids of columns, row -> Sql)} of the words that rows keep."""
        words = {id: (expression.columns, lambda row, expression=expression, word=word:
                      Sql(word(k, self.tried(k, expression, row)[0]), True))
                 for id, (expression, word) in self.words.items()}
        needed = set().union(*(key.columns for key in self.strict_keys))
        return words | {"failed": (needed, lambda row: Sql(k.convert(k.as_condition(k.or_(
            *(self.tried(k, key, row)[1] for key in self.strict_keys))), I64), True))}

    def tried(self, k, expression, row):
        """(the value of an expression, whether it failed); then it counts as valid."""
        if cannot_fail(expression) or expression not in self.strict_keys:
            return self.evaluator.eval(k, expression, row), False
        return attempted(k, self.evaluator, expression, row)

    def narrow(self, k, hash, start, stop, bounds):
        """(first, behind the last) of the candidates `start` to `stop` of a row that are within its bounds, given as words
        in the order of `self.bounds`."""
        rows, width, here, all = k.memory(self.table).rows, self.table.row_layout.width, k.memory(self), (start, stop)
        if self.has_keys:
            start, stop = same_hash(k, lambda place: rows[place * width], hash, start, stop)
        for bound, word in sorted(zip(self.bounds, bounds), key=lambda pair: pair[0].is_low):        # high bounds first
            array, from_equal = getattr(here, bound.array), bound.is_low != bound.strict
            is_before = (lambda place: array[place] < word) if from_equal else (lambda place: array[place] <= word)
            place = first_place(k, start, stop, is_before)
            start, stop = (place, stop) if bound.is_low else (start, place)
        if "failed" not in self.table.row_layout.word:
            return start, stop
        return tuple(k.choose(here.failed != 0, every, found) for every, found in zip(all, (start, stop)))


class Bound:
    """A bound of the words in one of a RowSearch's arrays. expression: over the row that searches. strict: whether rows with
    just that word are out. is_low, or high; inverted: whether words are."""

    def __init__(self, expression, strict, is_low, inverted, array):
        self.expression, self.strict, self.is_low, self.inverted, self.array = expression, strict, is_low, inverted, array

    def word(self, k, evaluator, row):
        """(the word of the expression's value, whether it is not NULL)."""
        if cannot_fail(self.expression):
            sql = evaluator.eval(k, self.expression, row)
            return value_word(k, sql, self.expression.type, 0, self.inverted), sql.valid
        sql, failed = attempted(k, evaluator, self.expression, row)
        extreme = k.constant(I64, LEAST if self.is_low else GREATEST)
        return k.choose(failed, extreme, value_word(k, sql, self.expression.type, 0, self.inverted)), sql.valid


def attempted(k, evaluator, expression, row):
    """(the value of an expression, whether it failed); then it counts as valid."""
    attempt = Attempt(row)
    sql = evaluator.eval(k, expression, attempt)
    return Sql(sql.value, True if sql.valid is True else k.or_(sql.valid, attempt.failed)), attempt.failed


def value_word(k, sql, type, place, inverted):
    """A word of a value's key; what NULL has does not matter."""
    word = type.key(k, sql.value)[place]
    return word ^ -1 if inverted else word


def word_of_key(k, sql, key, place):
    """A word of a value, for a SortKey."""
    return value_word(k, sql, key.expression.type, place, key.descending)


def null_word(k, sql, key):
    """The word in front that tells NULLs."""
    extreme = k.constant(I64, -1 if key.nulls_first else 1)
    return k.choose(k.as_condition(sql.valid), k.constant(I64, 0), extreme) if sql.valid is not True else k.constant(I64, 0)


def first_place(k, start, stop, is_before):
    """The first place from `start` on for which `is_before` does not hold; `stop` if it holds for all. Those for which it
    holds come first."""
    low, high = k.variable(I64, start), k.variable(I64, stop)
    for _ in k.while_(lambda: low.get() < high.get()):
        middle = (low.get() + high.get()) >> 1
        before = is_before(middle)
        low.set(k.choose(before, middle + 1, low.get()))
        high.set(k.choose(before, high.get(), middle))
    return low.get()


def same_hash(k, hash_at, hash, start, stop):
    """(first, behind the last) of the places with a hash; most often that is all of them."""
    first, last = k.variable(I64, start), k.variable(I64, stop)
    for _ in k.when(start < stop):
        for _ in k.when(k.or_(hash_at(start) != hash, hash_at(stop - 1) != hash)):
            first.set(first_place(k, start, stop, lambda place: k.compare("ult", hash_at(place), hash)))
            last.set(first_place(k, first.get(), stop, lambda place: hash_at(place) == hash))
    return first.get(), last.get()


def running_greatest(groups, words):
    """For each row the greatest word (int64) of the rows of its group up to it; groups lie together."""
    if not len(words):
        return words
    different, ranks = np.unique(words, return_inverse=True)
    bases = np.cumsum(np.concatenate([[False], groups[1:] != groups[:-1]])) * len(different)
    return different[np.maximum.accumulate(bases + ranks) - bases]
