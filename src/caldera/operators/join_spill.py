"""Joins of what memory has no room for: both inputs go to disk in partitions by hash, and are joined pair by pair.

    right ─▶ arrivals ─▶ Partitions on disk ─┐
    left  ─▶ steps ─▶ LeftSink ─▶ "          ─┴─ pair ─▶ arrivals ─▶ join table ─▶ PairRows ─▶ Probe ─▶ what comes next

It shows only when the right input is there that it does not fit, so nothing of this is in the plan: a pipeline whose Probe
finds its rows on disk is cut before that step (`Pipeline.pieces`). The pipelines of a pair are those of a join in memory.

A pair whose right side still does not fit is divided by further bits of the hash. Rows that share one hash cannot be: an
inner join then takes the right side a piece at a time, against the whole left side; other kinds need all candidates of a row
at once, and take it whole. (Kitsuregawa, Tanaka, Moto-oka: "Application of Hash to Data Base Machine", 1983.)
"""
from dataclasses import dataclass

from caldera.kernel.interface import I64
from caldera.kernel.structures.arena import Arena
from caldera.kernel.structures.join_table import Arrivals, RowLayout, hash_of_keys
from caldera.kernel.structures.pages import Partition, WaitingPartitions, in_pieces
from caldera.operators.pipeline import Pipeline, Sink
from caldera.operators.spilled_rows import SpilledRows


@dataclass
class Pair:
    """Partitions of the right and the left input whose hashes began alike."""
    right: Partition
    left: Partition

    @property
    def byte_count(self):
        """Of the pages that have to fit."""
        return self.right.byte_count

    @property
    def turns(self):
        """What is the same for Pairs that may be joined together."""
        return self.right.turns, self.left.turns

    def add(self, other):
        """Have another Pair's pages as well."""
        self.right.add(other.right)
        self.left.add(other.left)

    def arrange(self):
        """Have the pages in the order of the files."""
        self.right.arrange()
        self.left.arrange()


class JoinDetour:
    """How a join goes on when the rows that it keeps went to disk. They are called the right ones here, as they are of the
    right input but in joins that keep the left one. `join`: operators.join.JoinState; `table_pipeline`: puts arrivals in
    their places. kept_rows: the pipeline that gives kept rows by whether they were met; it then follows each pair."""
    kept_rows = None

    def __init__(self, join, table_pipeline):
        self.join, self.table_pipeline = join, table_pipeline
        layout = RowLayout([(column.id, column.type, column.nullable) for column in join.streamed.output])
        layout.lifetime = "block"
        self.left = Arrivals(layout, Arena())
        self.right_rows, self.left_rows = SpilledRows(join.arrivals), SpilledRows(self.left)
        self.rebuild = Pipeline(self.right_rows, [], Rearrival(join.arrivals), "spilled build")
        self.divide_left = Pipeline(self.left_rows, [], Rearrival(self.left), "spilled rows")
        self.sink, self.source = LeftSink(self), PairRows(self)

    @property
    def is_taken(self):
        """Whether rows of the right input are on disk."""
        return self.join.arrivals.spill.runs > 0

    def pairs(self):
        """All rows of both inputs as Pairs on disk."""
        self.left.move_all_out()
        pairs = map(Pair, self.join.arrivals.spill.take_each(), self.left.spill.take_each())
        return [pair for pair in pairs if self.matters(pair.right, pair.left)]

    def matters(self, right, left):
        """Whether the rows of two Partitions give any."""
        kind, builds_left = self.join.kind, self.join.builds_left
        needs_right = kind in ("inner", "semi") or builds_left
        needs_left = kind == "semi" or kind != "full" and not builds_left
        return bool((right.pages or not needs_right) and (left.pages or not needs_left))

    def rounds(self, run):
        """Yield when the table has the right side of a pair, or a piece of it, and `source` the left one."""
        self.join.rows.lifetime = "block"
        pairs = WaitingPartitions(self.join.arrivals, self.pairs)
        while pairs.waiting:
            pair = pairs.take()
            for pages in self.sides(pair, pairs):
                self.bring_back(run, self.rebuild, Partition(pages, pair.right.level, pair.right.divides))
                if self.join.arrivals.spill.has_rows:
                    self.bring_back(run, self.divide_left, pair.left)
                    pairs.gather()
                    break
                run.shut(self.join.search)
                run.shut(self.join.table)
                run.shut(self.join.partitions)
                run.run_once(self.table_pipeline)
                self.join.arrivals.release_rows()
                self.source.pages = pair.left.pages
                run.shut(self.source)
                yield
                if self.kept_rows is not None:
                    run.shut(self.kept_rows.source)
                    run.run_once(self.kept_rows)

    def sides(self, pair, pairs):
        """The right side's pages of one of the `pairs`, as lists to be joined one after the other."""
        if pair.right.divides or self.join.kind != "inner":
            return [pair.right.pages]
        return in_pieces(pair.right.pages, pairs.bytes_at_once)

    @staticmethod
    def bring_back(run, pipeline, partition):
        """Run a pipeline that reads a Partition and makes arrivals of its rows again."""
        pipeline.source.pages = partition.pages
        pipeline.source.store.begin_partition(partition)
        run.shut(pipeline.source)
        run.run_once(pipeline)


class Rearrival(Sink):
    """The sink of rows from the disk: arrivals, with the hashes that they bring."""
    words = "Arrivals"

    def __init__(self, arrivals):
        self.arrivals = arrivals

    def open(self, run):
        """The arrivals are open."""

    def consume(self, k, blocks):
        ids = {id for id, _, _ in self.arrivals.row.entries}
        for block in blocks:
            self.arrivals.append(k, block, {*ids, "hash"}, lambda row: (row["hash"].value, True))
        self.arrivals.partition(k)


class LeftSink(Sink):
    """The sink of the left input, when it has to go to disk. Rows with a NULL among their keys stay only where rows without
    partner count."""
    words = "Rows to Disk"

    def __init__(self, detour):
        self.detour, self.join = detour, detour.join

    def open(self, run):
        """Empty stores, and an arena for texts."""
        run.open(self.detour.left.arena)
        run.open(self.detour.left)

    def consume(self, k, blocks):
        join, left = self.join, self.detour.left
        ids = {id for id, _, _ in left.row.entries}.union(*(key.columns for key in join.streamed_keys))

        def hash_of(row):
            keys = [join.evaluator.eval(k, key, row) for key in join.streamed_keys]
            valid = k.and_(*(key.valid for key in keys))
            hash = hash_of_keys(k, join.types, [key.value for key in keys])
            if join.kind in ("inner", "semi") or join.builds_left or valid is True:
                return hash, valid
            return k.choose(k.as_condition(valid), hash, k.constant(I64, 0)), True
        for block in blocks:
            left.append(k, block.settled(), ids, hash_of)


class PairRows(SpilledRows):
    """The source of what follows: the left rows of pair after pair."""

    def __init__(self, detour):
        super().__init__(detour.left)
        self.detour, self.maps = detour, {}

    def rounds(self, run):
        """`maps`: those over dictionaries of the scan that the rows have left behind."""
        for map in self.maps.values():
            map.active = False
        yield from self.detour.rounds(run)
