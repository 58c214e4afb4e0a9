"""One way for rows to find their groups, whichever table holds them.

    Grouping.open      looks at the keys: small numbers ─▶ CodeTable, anything else ─▶ GroupTable (hashing)
    Grouping.rows      one loop over a block of the input: yields each row with the cells of its group
    Grouping.blocks    a source for the next pipeline: the groups of all workers, brought together

Groups by code that are not unique (`must_merge`) pass through the hash table in a pipeline between the two. Groups that had
to move out to disk come back partition by partition, each through the hash table in a pipeline of its own (`rounds`).
"""
import itertools
import pickle

from caldera.kernel.blocks import Block
from caldera.kernel.interface import I64
from caldera.kernel.layouts import TEXT
from caldera.kernel.structures.arena import Arena
from caldera.kernel.structures.group_table import GroupTable, WordsOf
from caldera.kernel.structures.pages import Spill, WaitingPartitions
from caldera.kernel.structures.row_store import PartitionRows, TableRows
from caldera.operators.aggregate_use import KnownCell
from caldera.operators.code_table import CodeRows, CodeTable, code_keys
from caldera.operators.pipeline import Pipeline, Sink, Source
from caldera.operators.spilled_rows import SpilledRows
from caldera.plan.expressions import Constant


class Grouping(Sink):
    """`keys`: expressions over the input. `cells`: pairs (machine type, initial number). `combine(k, cells, others,
    row)` emits the union of two states. `scan`: (TableSource, origins) that the input comes from, or None.
    `always_merge`: whether the groups must be in the hash table, for a pipeline that finds them by their keys. `compared`:
    for each key what compares its values, and whether it may be NULL; by default as the keys are. `is_settled`: whether the
    groups of all workers stay, brought together, in the table `final`. `uses`: the aggregates whose cells they are; `arena`:
    where texts of the groups are put, while they may move out to disk by nobody else."""

    def __init__(self, keys, cells, combine, evaluator, block_rows, scan=None, always_merge=False, compared=None, uses=(),
                 arena=None):
        self.keys, self.cells, self.combine, self.evaluator = keys, cells, combine, evaluator
        self.scan, self.always_merge, self.codes, self.is_settled = scan, always_merge, None, False
        self.arena = arena or Arena()
        spec = compared or [(compared_type(key), key.nullable) for key in keys]
        # All that staged programs may reach is made once: a program is run again with the same owners.
        self.table = StatefulGroups(spec, cells, self.arena, block_rows, uses)
        self.final = GroupTable(spec, cells, self.arena, block_rows)
        self.code_table = CodeTable(len(keys), cells)
        self.code_rows = CodeRows(self.code_table, self.combine_here)
        self.merged_rows = CodeRows(self.code_table, self.combine_here)
        self.table_rows, self.partition_rows = TableRows(self.table), PartitionRows(self.table)
        self.spilled_rows = SpilledRows(self.table)
        self.regroup = Pipeline(self.spilled_rows, [], Regrouping(self), "spilled groups")

    words = "Merged Groups"         # where it is the sink of the pipeline in between

    def combine_here(self, cells, others, row):
        self.combine(self.kernel, cells, others, row)

    # in Python
    def decide(self, run):
        """Choose the table, when the scan has seen its data."""
        keys = None
        if self.scan is not None and "direct_groups" not in run.disabled and run.pipeline.source is self.scan[0]:
            run.open(self.scan[0])
            keys = code_keys(self.keys, *self.scan)
        self.code_table.keys = keys
        self.codes = self.code_table if keys and run.allocation.allows(0, self.code_table.bytes_wanted(run)) else None

    def open(self, run):
        self.decide(run)
        self.workers, self.table.may_forget = run.workers, run.workers > 1
        self.table.spill.begin(run)
        self.table.lifetime = self.final.lifetime = "part"
        run.open(self.arena)
        run.open(self.codes or self.table)

    @property
    def must_merge(self):
        """Whether groups by code have to pass through the hash table."""
        return self.codes is not None and (self.always_merge or not self.codes.is_unique)

    @property
    def facts(self):
        """What programs over this grouping take for granted."""
        return self.codes.facts if self.codes is not None else None, self.workers == 1, self.table.lifetime

    @property
    def few_groups(self):
        """The CodeTable, if it has so few rows that a block may have such a table for itself."""
        return self.codes if self.codes is not None and self.codes.has_few else None

    # staged: the input's pipeline
    def rows(self, k, block, ids):
        """Emit one loop over a settled block: yields (row, cells of its group). `ids`: what else the loop reads."""
        if self.codes is not None:
            yield from self.codes.rows(k, block, ids)
            return
        yield from self.hashed_rows(k, block, ids, self.keys)

    def hashed_rows(self, k, block, ids, keys):
        """The same by the hash table, with other expressions for the keys."""
        row_of = self.table.find(k, block, set().union(*(key.columns for key in keys)),
                                 lambda row: [self.evaluator.eval(k, key, row) for key in keys])
        for row in block.rows(ids, vectorize=False):
            yield row, self.table.cells_of(k, row_of(row))

    def end_input(self, k):
        """Emit what ends a worker's part."""
        if self.codes is None:
            self.table.partition(k)

    # the pipeline in between
    def merge_source(self):
        return MergeSource(self)

    def consume(self, k, blocks):
        """The sink of that pipeline: groups by code into the hash table."""
        self.gather(k, blocks)

    def gather(self, k, blocks, hash_of=None):
        """Groups, as blocks of them, into the hash table. `hash_of(row)`: the hash, if it is known."""
        key_ids, cell_ids = self.ids()
        for block in blocks:
            block = block.settled()
            row_of = self.table.find(k, block, [*key_ids, *(["hash"] if hash_of else [])],
                                     lambda row: [row[id] for id in key_ids], hash_of)
            for row in block.rows(cell_ids, vectorize=False):
                others = [KnownCell(row[id].value) for id in cell_ids]
                self.combine(k, self.table.cells_of(k, row_of(row)), others, row)
        self.table.partition(k)

    def ids(self):
        return [("key", i) for i in range(len(self.keys))], [("cell", i) for i in range(len(self.cells))]

    # the next pipeline's source
    def rounds(self, run):
        """Yield each time when the next pipeline shall run over the groups that are there: once, or, if groups had to move
        out, for each Partition of them that fits."""
        if not self.table.is_on_disk:
            yield
            return
        for _ in self.brought_back(run, WaitingPartitions(self.table)):
            for source in (self.table_rows, self.partition_rows):
                run.shut(source)
            yield

    def brought_back(self, run, partitions):
        """Yield a Partition each time when its groups, and no others, are in the workers' tables."""
        self.table.lifetime = self.final.lifetime = "block"
        while partitions.waiting:
            partition = partitions.take()
            self.spilled_rows.pages = partition.pages
            self.table.begin_partition(partition)
            run.shut(self.spilled_rows)
            run.run_once(self.regroup)
            if self.table.spill.has_rows:
                partitions.gather()
                continue
            partitions.learn(partition)
            yield partition

    def open_source(self, run):
        """Prepare `blocks`. The tables are as the pipelines before have left them."""
        if self.codes is not None and not self.must_merge:
            self.source = self.code_rows
        elif self.workers == 1:
            self.source = self.table_rows
        else:
            self.source = self.partition_rows
            run.open(self.final)
        run.open(self.source)

    def blocks(self, k):
        """Blocks of groups with the columns ("key", i) and ("cell", i)."""
        self.kernel = k
        return self.combined(k) if self.source is self.partition_rows else self.source.blocks(k)

    def combined(self, k):
        """Each partition of all workers' tables brought together in a table of its own."""
        key_ids, cell_ids = self.ids()
        for part, expected in self.source.partitions(k):
            here = k.memory(self.final)
            if not self.is_settled:
                here.row_count = 0
            self.final.clear_index(k, expected)
            first = k.memory(self.final).first_indexed
            for block in self.source.blocks_of(k, part):
                row_of = self.final.find(k, block, [*key_ids, "hash"], lambda row: [row[id] for id in key_ids],
                                         hash_of=lambda row: row["hash"].value)
                for row in block.rows(cell_ids, vectorize=False):
                    others = [KnownCell(row[id].value) for id in cell_ids]
                    self.combine(k, self.final.cells_of(k, row_of(row)), others, row)
            here = k.memory(self.final)
            rows = here.rows
            for at in k.range(first, here.row_count, step=k.block_rows, vectorize=False):
                count = k.least(here.row_count - at, k.constant(I64, k.block_rows))
                yield Block(k, count, self.final.columns(k, rows, lambda n, at=at: at + n))


class StatefulGroups(GroupTable):
    """Groups that may move out, with all that the aggregates know about them: texts, and states that Python keeps."""

    def __init__(self, keys, cells, arena, block_rows, uses):
        starts = list(itertools.accumulate((len(use.cells) for use in uses), initial=0))
        super().__init__(keys, cells, arena, block_rows,
                         [start + cell for start, use in zip(starts, uses) for cell in use.text_cells])
        self.states = [(self.first_cell + start, use.kept) for start, use in zip(starts, uses) if use.kept is not None]
        for _, kept in self.states:
            kept.when_full.append(self.settle_all)
        on_the_way = (self.taken_states, self.restore) if self.states else ()
        self.spill = Spill(self.width, self.text_words, *on_the_way)

    def settle_all(self):
        """Let all workers look at what they hold."""
        for worker in range(len(self.instances)):
            self.settle(worker)

    def held_beside(self):
        """Bytes of the states that Python keeps."""
        return sum(kept.accounted for _, kept in self.states)

    def taken_states(self, rows):
        """The states whose numbers are in rows."""
        return pickle.dumps([kept.take(rows[:, word].tolist()) for word, kept in self.states])

    def restore(self, data):
        """The opposite."""
        for (_, kept), states in zip(self.states, pickle.loads(data)):
            kept.restore(states, len(data))


class Regrouping(Sink):
    """The sink of groups from the disk: into the hash table, by the hashes that they bring."""
    words = "Merged Groups"

    def __init__(self, grouping):
        self.grouping = grouping

    def open(self, run):
        """The table is open."""

    def consume(self, k, blocks):
        self.grouping.gather(k, blocks, lambda row: row["hash"].value)
        self.grouping.table.partition(k)


def compared_type(key):
    """What compares the values of a key: its type, or their words alone where that is enough."""
    function = key.called
    constants = function is not None and all(isinstance(key.arguments[number], Constant) for number in function.static)
    is_canonical = constants and function.canonical and key.type.layout.words == 2 and key.type.layout is not TEXT
    return WordsOf(key.type) if is_canonical else key.type


class MergeSource(Source):
    """The groups by code as the source of the pipeline in between."""
    words = "Groups of Workers"

    def __init__(self, grouping):
        self.grouping, self.rows = grouping, grouping.merged_rows

    @property
    def facts(self):
        return self.grouping.facts

    @property
    def row_count(self):
        return self.rows.row_count

    @property
    def morsel_count(self):
        return self.rows.morsel_count

    def open(self, run):
        run.open(self.rows)
        run.open(self.grouping.table)

    def blocks(self, k):
        self.grouping.kernel = k
        return self.rows.blocks(k)


class MergeGuard:
    """Decides whether the pipeline in between is needed (see operators.pipeline.Pipeline.guard)."""

    def __init__(self, grouping):
        self.grouping = grouping

    def wanted(self, run):
        return self.grouping.must_merge

    @staticmethod
    def ended(exception):
        return exception is None
