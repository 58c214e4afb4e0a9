"""Blocks, and the stages that end where rows are written to buffers.

A pipeline is one function. Its source yields blocks of about a thousand rows, and steps map blocks to blocks:

    scan ─▶ block ─▶ filter ─▶ block with a selection ─▶ project ─▶ block with computed columns ─▶ sink

A column is a function from a row's number in its block to a staged Sql value. So a selection, a projection and the
result of a join copy nothing: row n of the narrower block is row positions[n] of the wider one, and a computed column is
evaluated when it is first asked for. A *stage* is one loop over a block, opened by whoever needs the rows: `Block.rows`.
Row steps, generators over rows, run inside that loop. `Block.settled` ends a stage by writing columns to buffers.

No block is empty: the kernel that executes would not meet what is staged for its rows.

Columns are known by their ids in the plan; structures that need names of their own use strings.
"""
from caldera.kernel.interface import BOOL, I8, I32, I64, Fault
from caldera.kernel.nullable import Sql

LANES = 16


class Block:
    """`count` rows. `columns` maps an id to `fetch()`, which emits what a block needs once (a base address, a call
    that decodes) and returns `read(number, row)`, which emits what a row needs. Other columns come from `parent`. `morsel`:
    the staged number of the morsel that the rows come from, or None."""

    def __init__(self, k, count, columns, parent=None, positions=None, row_steps=()):
        self.k, self.count, self.columns = k, count, columns
        self.parent, self.positions, self.row_steps = parent, positions, row_steps
        self.readers, self.morsel = {}, None if parent is None else parent.morsel

    def narrowed(self, count, positions, columns=None):
        """The rows of this block at `positions`, an array of row numbers, with further columns beside them."""
        return Block(self.k, count, columns or {}, parent=self, positions=positions)

    def extended(self, expressions):
        """This block with computed columns, {id: (ids it needs, function of a row that gives an Sql)}. They are fused: their
        code appears where they are first read."""
        def fetch_computed(needs, evaluate):
            self.fetch(sorted(needs, key=str))

            def read(number, row):
                return evaluate(row.wider_row())
            read.is_computed = True
            return read
        columns = {id: (lambda needs=needs, evaluate=evaluate: fetch_computed(needs, evaluate))
                   for id, (needs, evaluate) in expressions.items()}
        return Block(self.k, self.count, columns, parent=self)

    def fused(self, row_steps):
        """This block with row steps that will run in the loop of its next reader."""
        return Block(self.k, self.count, {}, parent=self, row_steps=tuple(row_steps))

    def fetch(self, ids):
        """Prepare columns for reading. It must happen before a row loop opens, since decoding is done per block."""
        for id in ids:
            if id not in self.columns:
                self.parent.fetch((id,))
            elif id not in self.readers or not self.readers[id][0].open:
                self.readers[id] = self.k.regions[-1], self.columns[id]()

    def rows(self, ids, vectorize=None):
        """The loop of a stage: yields every row once, with row steps applied, and tests for faults after it."""
        self.fetch(sorted(ids, key=str))
        faults = Faults(self.k)
        yield from self.open_rows(faults, vectorize)
        faults.test()

    def open_rows(self, faults, vectorize):
        """Rows by number; or, where this block only adds to its parent, the rows that come out of the parent's loop."""
        if self.same_rows_as_parent:
            rows = (Row(self, row.number, faults, row) for row in self.parent.open_rows(faults, vectorize))
        else:
            rows = (Row(self, number, faults) for number in self.k.range(0, self.count, vectorize=vectorize))
        for step in self.row_steps:
            self.fetch(step.columns)
            rows = step.rows(self.k, rows)
        return rows

    @property
    def same_rows_as_parent(self):
        return self.parent is not None and self.positions is None

    @property
    def is_open(self):
        """Whether row steps are still to run."""
        return bool(self.row_steps) or self.same_rows_as_parent and self.parent.is_open

    def settled(self, columns=()):
        """End the stage: the rows that survive the row steps, with `columns` ({id: layout}) in buffers and the rest by
        position."""
        k = self.k
        if not self.is_open and not columns:
            return self
        positions, count, buffers = k.buffer(I32, k.block_rows), k.variable(I64, 0), {}
        for row in self.rows(columns):
            at = count.get()
            positions[at] = k.convert(row.number, I32)
            for id in columns:
                write_column(k, buffers, id, columns[id], at, row[id])
            count.set(at + 1)
        fetched = {id: (lambda buffer=buffer: buffer_reader(k, *buffer)) for id, buffer in buffers.items()}
        return self.narrowed(count.get(), positions, fetched)


class Row:
    """One row inside an open loop. A column is emitted at first use and remembered while that place is open; what is
    computed, only under the guards that were in force there: elsewhere errors did not count, functions were not called."""

    def __init__(self, block, number, faults, wider=None):
        self.block, self.number, self.faults, self.wider, self.seen = block, number, faults, wider, {}

    def __getitem__(self, id):
        if id not in self.block.columns:
            return self.wider_row()[id]
        _, read = self.block.readers[id]
        guards = self.faults.guards if hasattr(read, "is_computed") else ()
        return self.once(id, lambda: read(self.number, self), guards)

    def wider_row(self):
        """This row in the block that this row's block was narrowed from."""
        def find():
            positions, k = self.block.positions, self.block.k
            number = self.number if positions is None else k.convert(positions[self.number], I64)
            return Row(self.block.parent, number, self.faults)
        return self.wider or self.once(None, find)

    def once(self, key, make, guards=()):
        """What `make` emitted, made anew only where the earlier one is out of reach, or other `guards` were in force."""
        region, before, thing = self.seen.get(key, (None, (), None))
        if region is None or not region.open or not is_beginning(before, guards):
            thing = make()
            self.seen[key] = self.block.k.regions[-1], tuple(guards), thing
        return thing

    def report(self, sqlstate, message, bad, culprit=None, detail=None):
        """An error of this row, where `bad` holds and no guard says that the value is not wanted."""
        self.faults.report(Fault(sqlstate, message, detail), bad, culprit)


def is_beginning(first, guards):
    """Whether a list of guards begins with other ones."""
    return len(first) <= len(guards) and all(one is other for one, other in zip(first, guards))


class Faults:
    """What went wrong in one stage. A bit for each fault that the program knows is OR-ed for each row and tested after the
    loop, so that the loop itself stays free of branches. `guards`: staged conditions under which code is being emitted
    (an arm of CASE, the right side of AND, validity); a fault counts only where all hold."""

    def __init__(self, k):
        self.k, self.mask, self.reported, self.guards = k, k.variable(I64, 0), False, []

    def report(self, fault, bad, culprit=None):
        k, self.reported = self.k, True
        bad = k.and_(bad, *(guard for guard in self.guards))
        if bad is False:
            return
        number = k.fault_number(fault)
        bit = k.convert(k.as_condition(bad), I64) << min(number, k.control.BIT_OF_LATE)
        self.mask.set(self.mask.get() | bit)
        for _ in k.when(bad if culprit is not None or number >= k.control.BIT_OF_LATE else False):
            control = k.memory(k.control)
            if culprit is not None:
                control.culprit, control.culprit_length = culprit.address, culprit.length
            if number >= k.control.BIT_OF_LATE:
                control.late = k.constant(I64, number)

    def guarded(self, condition):
        """`with faults.guarded(condition)`: faults inside count only where it holds."""
        return Guard(self, condition)

    def test(self):
        """Tell all workers to stop. A stage in which nothing can fail has no test."""
        k = self.k
        for _ in k.when(self.mask.get() != 0 if self.reported else False):
            control = k.memory(k.control)
            control.faults = control.faults | self.mask.get()
            control.stop = control.stop | k.control.STOP_FAULT


class Attempt(Row):
    """A row for an expression whose errors do not count: `failed` (a staged variable) tells whether there was one."""

    def __init__(self, row):
        super().__init__(row.block, row.number, Failures(row.block.k))
        self.row = row

    def __getitem__(self, id):
        return self.row[id]

    @property
    def failed(self):
        return self.faults.failed.get()


class Failures(Faults):
    """Faults that are only noted."""

    def __init__(self, k):
        super().__init__(k)
        self.failed = k.variable(BOOL, False)

    def report(self, fault, bad, culprit=None):
        k = self.k
        self.failed.set(k.or_(self.failed.get(), k.as_condition(k.and_(bad, *self.guards))))


class Guard:
    """A condition that is on the stack of guards while the `with` block runs."""

    def __init__(self, faults, condition):
        self.faults, self.condition = faults, condition

    def __enter__(self):
        self.faults.guards.append(self.condition)

    def __exit__(self, *_):
        self.faults.guards.pop()


def write_column(k, buffers, id, layout, at, sql):
    """Append a value to the block buffers of a column, made at its first row (code for rows is emitted once)."""
    if id not in buffers:
        spare = 1 if layout.width > 1 else 0          # a short text's bytes are read by words
        values = k.buffer(layout.element, (k.block_rows + spare) * layout.width)
        buffers[id] = layout, values, None if sql.valid is True else k.buffer(I8, k.block_rows)
    _, values, valid = buffers[id]
    layout.store(k, values, at, sql.value)
    if valid is not None:
        valid[at] = k.convert(k.as_condition(sql.valid), I8)


def buffer_reader(k, layout, values, valid):
    """Reads a column from arrays: `values`, and `valid` with a byte for each row, or None for NOT NULL."""
    return lambda number, row: Sql(layout.load(k, values, number, "block"), True if valid is None else valid[number] != 0)


def select(k, keep, count, positions):
    """Write the row numbers whose byte in `keep` is not zero to `positions`; returns how many. Both buffers have LANES
    elements to spare."""
    return k.routine(select_rows, k.address(keep), count, k.address(positions))


def select_rows(k, keep, count, positions):
    """Routine: the same with the addresses of the buffers.

    Sixteen rows at a time are compressed in a register and stored whole; the next store overwrites the surplus.
    """
    keep, positions = k.array(I8, keep, scope="kept rows"), k.array(I32, positions, scope="selected rows")
    k.store(keep, count, k.constant(I8.times(LANES), 0))
    selected, numbers = k.variable(I64, 0), k.variable(I32.times(LANES), k.lane_numbers(I32, LANES))
    for first in k.range(0, count, step=LANES, vectorize=False):
        mask = k.load(keep, first, lanes=LANES) != 0
        k.store(positions, selected.get(), k.compress(numbers.get(), mask))
        selected.set(selected.get() + k.ones(k.bits(mask)))
        numbers.set(numbers.get() + LANES)
    return selected.get()


def claimed(k, counter, count):
    """`for number in claimed(k, counter, count)`: numbers below `count` that no other worker has, from a counter that
    workers share. Whoever is to stop claims no more, so that nothing is lost when the work goes on with another program."""
    done = k.variable(I64, 0)
    for _ in k.while_(lambda: k.and_(done.get() == 0, k.stop_flags() == 0)):
        number = k.atomic_add(counter, 0, 1)
        done.set(k.convert(number >= count, I64))
        for _ in k.when(number < count):
            yield number
