"""One aggregate of a plan, staged: cells of the group's row, and what happens to them.

    update   one row of the input         definition.update, masked by validity and FILTER
    combine  two workers' states          definition.combine
    final    the result                   definition.final

Aggregates in plain Python have one cell, the number of a state that Python keeps; their steps are calls out of the row loop.
"""
import functools
import itertools
import sys
from typing import Any

from caldera.functions.registry import Call
from caldera.kernel.interface import I64, Owner
from caldera.kernel.layouts import BOOLEAN, INT8
from caldera.kernel.nullable import Sql, is_true
from caldera.operators.kept_values import KeptValues
from caldera.operators.python_calls import PythonCall
from caldera.plan.volatility import is_volatile
from caldera.types.registry import TYPES

ROW_BYTES = 80                  # of a tuple in a list, about
ACCOUNTED_BYTES = 1 << 18       # so often the budget is asked


def aggregate_use(call, evaluator, arena):
    """The use of an AggregateCall (plan.expressions) in one query."""
    if not call.signature.implementation.python:
        return StagedUse(call, evaluator, arena)
    kind = OrderedUse if is_ordered_by_word(call) else GatheredUse if is_gathered_by_word(call) else PythonUse
    return kind(call, evaluator, arena)


def is_gathered_by_word(call):
    """Whether an aggregate keeps all values of its one argument, of one word, as they come."""
    return call.signature.implementation.gathers and not call.order_by and call.arguments[0].type.layout.words == 1


def is_ordered_by_word(call):
    """Whether an ordered-set aggregate has arguments of one word, the last of which it is ordered by."""
    return call.signature.implementation.within_group and len(call.order_by) == 1 and \
        call.order_by[0].expression == call.arguments[-1] and all(a.type.layout.words == 1 for a in call.arguments)


class KnownCell:
    """A cell whose value is known already: what `combine` and `final` read."""

    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value


class StagedUse:
    """An aggregate with a staged definition. `cells`: pairs (machine type, initial number). `kept`: the States whose numbers
    the first cell has, if there are any."""
    kept: Any = None

    def __init__(self, call, evaluator, arena):
        self.call, self.evaluator, self.arena = call, evaluator, arena
        self.definition = call.signature.implementation([argument.type for argument in call.arguments], call.type)
        definition = self.definition
        definition.session = evaluator.session
        self.cells = list(zip(definition.cells, definition.initial or [0] * len(definition.cells)))

    @property
    def state(self):
        """What uses have in common whose cells hold the same; None if nobody else's do."""
        kind = type(self.definition)
        if any(map(is_volatile, self.call.arguments)):
            return None
        return (kind.update, kind.combine, kind.cells, self.call.arguments, self.call.filter) if kind.shares_state else None

    @property
    def columns(self):
        """The ids of the input's columns that `update` reads."""
        needed = set() if self.call.filter is None else set(self.call.filter.columns)
        return needed.union(*(argument.columns for argument in self.call.arguments))

    @property
    def owners(self):
        return []

    @property
    def text_cells(self):
        """Numbers of the cells with which the cell of a text begins."""
        return self.definition.text_cells

    def use(self, k, row, block_sum=None):
        call = Call(k, row, [argument.type for argument in self.call.arguments], self.call.type,
                    [argument.modifier for argument in self.call.arguments], self.call.modifier, (), self.evaluator.session,
                    self.evaluator.scratch)
        call.block_sum = block_sum
        call.own = lambda text: self.arena.own(k, text)
        call.python = lambda *use: self.evaluator.python_value(k, *use, row)
        return call

    def wanted(self, k, row):
        """Whether FILTER lets the row count: True or a staged BOOL."""
        return True if self.call.filter is None else is_true(k, self.evaluator.eval(k, self.call.filter, row))

    def begin_block(self, k):
        """What gathers the rows of one block for `end_block`, or None."""
        return self.definition.begin_block(k)

    def end_block(self, k, cells, block_sum, row):
        """Bring to the cells what `update` has put elsewhere."""
        if block_sum is not None:
            self.definition.end_block(self.use(k, row, block_sum), cells)

    def update(self, k, cells, row, block_sum=None):
        mask = self.wanted(k, row)
        with row.faults.guarded(mask):
            values = [self.evaluator.eval(k, argument, row) for argument in self.call.arguments]
        if not self.definition.strict:
            with row.faults.guarded(mask):
                self.definition.update(self.use(k, row), cells, mask, *values)
            return
        mask = k.and_(mask, *(value.valid for value in values))
        if mask is not False:
            with row.faults.guarded(mask):
                self.definition.update(self.use(k, row, block_sum), cells, mask, *(value.value for value in values))

    def combine(self, k, cells, others, row):
        self.definition.combine(self.use(k, row), cells, others)

    def final(self, k, cells, row):
        result = self.definition.final(self.use(k, row), cells)
        return result if isinstance(result, Sql) else Sql(result, True)


class States(Owner):
    """The states of an aggregate in plain Python during one run, by number, and an account of the memory they hold.
    `when_full`: functions that are called when that is too much: what has the numbers may then `take` states to the disk."""

    def __init__(self):
        super().__init__()
        self.when_full = []
        self.by_number, self.allocation, self.bytes, self.accounted = {}, None, 0, 0

    def open(self, run):
        self.by_number, self.allocation, self.bytes, self.accounted = {}, run.allocation, 0, 0

    def close(self):
        self.by_number = {}

    def keep(self, datums):
        """One more row is kept. The run's budget hears of it now and then; it may end the run."""
        self.bytes += ROW_BYTES + sum(map(sys.getsizeof, datums))
        if self.bytes >= ACCOUNTED_BYTES:
            if self.when_full and not self.allocation.allows(self.accounted, self.bytes):
                for listener in self.when_full:
                    listener()
            self.account(self.bytes)
            self.bytes = 0

    def account(self, size):
        """The states hold that many bytes more, or, if it is negative, less."""
        self.accounted += size
        (self.allocation.account if size >= 0 else self.allocation.discount)(abs(size))

    def take(self, numbers):
        """{number: state} of those with some numbers, which are no longer kept."""
        count = len(self.by_number)
        taken = {number: self.by_number.pop(number) for number in numbers if number in self.by_number}
        self.account(-(self.accounted * len(taken) // max(1, count)))
        return taken

    def restore(self, states, size):
        """The opposite; `size`: about how many bytes they hold."""
        self.by_number.update(states)
        self.account(size)


class PythonUse(StagedUse):
    """An aggregate in plain Python. States are numbered from 1; 0 is a group that has seen no row."""
    state = None

    def __init__(self, call, evaluator, arena):
        super().__init__(call, evaluator, arena)
        self.cells, self.kept, self.numbers = [(I64, 0)], States(), itertools.count(1)
        int8, session, scratch = TYPES["int8"], evaluator.session, evaluator.scratch
        self.keys = tuple(key.expression for key in call.order_by) if self.definition.ordered else ()
        self.grows = bool(self.keys) or self.definition.grows
        self.inputs = call.arguments + self.keys
        self.step_call = PythonCall.of_function(self.step, [int8, *(e.type for e in self.inputs)], int8, scratch, session)
        self.step_call.function.strict = False
        self.merge_call = PythonCall.of_function(self.merge, [int8, int8], int8, scratch, session)
        self.finish_call = PythonCall.of_function(self.finish, [int8], call.type, scratch, session)

    @property
    def columns(self):
        return super().columns.union(*(key.columns for key in self.keys))

    @property
    def owners(self):
        return [self.kept, self.step_call, self.merge_call, self.finish_call]

    @property
    def states(self):
        return self.kept.by_number

    # in Python
    def step(self, number, *datums):
        """One row into a state; the number of the state."""
        if self.grows:
            self.kept.keep(datums)
        if number not in self.states:
            number = next(self.numbers)
            self.states[number] = [] if self.keys else self.definition.start()
        if self.keys:
            self.states[number].append(datums)
        else:
            self.states[number] = self.definition.step(self.states[number], *datums)
        return number

    def merge(self, number, other):
        if not number or not other:
            return number or other
        state = self.states.pop(other)
        self.states[number] = self.states[number] + state if self.keys else self.definition.merge(self.states[number], state)
        return number

    def finish(self, number):
        state = self.states.get(number)
        if self.keys and state is not None:
            state = self.folded(state)
        return self.definition.finish(self.definition.start() if state is None else state)

    def folded(self, rows):
        """The state of rows that were kept to be brought in order first."""
        count = len(self.call.arguments)
        for offset, key in reversed(list(enumerate(self.call.order_by, count))):
            rows.sort(key=functools.partial(sort_datum, offset=offset, type=key.expression.type), reverse=key.descending)
            rows.sort(key=lambda row, offset=offset, first=key.nulls_first: (row[offset] is None) != first)
        state = self.definition.start()
        for row in rows:
            state = self.definition.step(state, *row[:count])
        return state

    # staged
    def update(self, k, cells, row, block_sum=None):
        mask = self.wanted(k, row)
        with row.faults.guarded(mask):
            values = [self.evaluator.eval(k, argument, row) for argument in self.inputs]
            if self.definition.strict:
                mask = k.and_(mask, *(value.valid for value in values[:len(self.call.arguments)]))
        with row.faults.guarded(mask):
            number = self.step_call.stage(k, [Sql(cells[0].get(), True), *values], row)
        cells[0].set(k.choose(number.valid, number.value, cells[0].get()))

    def combine(self, k, cells, others, row):
        number = self.merge_call.stage(k, [Sql(cells[0].get(), True), Sql(others[0].get(), True)], row)
        cells[0].set(k.choose(number.valid, number.value, cells[0].get()))

    def final(self, k, cells, row):
        return self.finish_call.stage(k, [Sql(cells[0].get(), True)], row)


class KeptValuesUse(PythonUse):
    """Base of aggregates over values of one word, which generated code keeps, so that Python is called once for a group.
    `values`: the KeptValues; their numbers take the place of states."""

    def __init__(self, call, evaluator, arena, values):
        super().__init__(call, evaluator, arena)
        self.values, self.kept = values, None

    @property
    def owners(self):
        return [self.values, self.merge_call, self.finish_call]

    def merge(self, number, other):
        return self.values.join(number, other)


class OrderedUse(KeptValuesUse):
    """An ordered-set aggregate; NULLs do not count."""

    def __init__(self, call, evaluator, arena):
        super().__init__(call, evaluator, arena, KeptValues([argument.type.layout for argument in call.arguments]))

    def finish(self, number):
        state = self.definition.start()
        if number:
            *direct, values = self.values.of_group(number)
            values = values[::-1] if self.call.order_by[0].descending else values
            state = self.definition.gathered(*(column[0].item() for column in direct), values.tolist())
        return self.definition.finish(state)

    def update(self, k, cells, row, block_sum=None):
        mask = self.wanted(k, row)
        with row.faults.guarded(mask):
            values = [self.evaluator.eval(k, argument, row) for argument in self.call.arguments]
        for _ in k.when(k.and_(mask, *(value.valid for value in values))):
            words = [argument.type.layout.to_words(k, value.value)[0]
                     for argument, value in zip(self.call.arguments, values)]
            self.values.append(k, cells[0], words)


class GatheredUse(KeptValuesUse):
    """An aggregate of the values as they come, NULLs as well: each is kept with a word that tells whether it is one."""

    def __init__(self, call, evaluator, arena):
        super().__init__(call, evaluator, arena, KeptValues([call.arguments[0].type.layout, INT8], in_order=False))

    def finish(self, number):
        if not number:
            return self.definition.finish(self.definition.start())
        values, valid = self.values.of_group(number)
        values = (values != 0).tolist() if self.call.arguments[0].type.layout is BOOLEAN else values.tolist()
        return self.definition.finish([value if there else None for value, there in zip(values, valid.tolist())])

    def update(self, k, cells, row, block_sum=None):
        argument, mask = self.call.arguments[0], self.wanted(k, row)
        with row.faults.guarded(mask):
            value = self.evaluator.eval(k, argument, row)
        for _ in k.when(mask):
            word, = argument.type.layout.to_words(k, value.value)
            self.values.append(k, cells[0], [word, k.convert(k.as_condition(value.valid), I64)])


def sort_datum(row, offset, type):
    """A key for Python's sort of rows: by one datum, NULLs equal each other."""
    return () if row[offset] is None else (type.sort_key(row[offset]),)
