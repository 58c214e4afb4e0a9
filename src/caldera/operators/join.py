"""Joins: the right input's rows are kept in a JoinTable, the left input's rows look their partners up and stream on.

    right ─▶ JoinBuild ─▶ arrivals of each worker ─▶ JoinTable: rows in their places
    left  ─▶ Probe: hash ─ directory ─ compare ─▶ blocks of pairs ─▶ the same pipeline goes on

A row with several partners comes out in several passes: in each pass every row of the block that still has candidates gives
at most one pair, so that nothing can overflow, and the steps behind are staged once. A chain of joins is one fused loop.

A row whose partner is looked up directly (direct_rows.py) has one at most, and comes out in one pass.

Equalities between the inputs are the keys (`plan.predicates.equalities`); what else the condition says is evaluated for rows
whose keys are equal. Without keys, all rows of the right input are candidates: a nested loop. Where comparisons say between
which bounds a partner is, rows are sorted, and candidates found by bisection (row_search.py). A full join remembers which
rows were met, and a second pipeline adds the others.

Left, semi, anti and mark joins may keep the left input's rows instead (`builds_left`), which pays where those are fewer:

    left  ─▶ JoinBuild ─▶ JoinTable
    right ─▶ MarkPartners: each of its rows marks all kept rows that it matches
             (left) Probe: the pairs, while the kept rows of these are marked
             KeptRows ─▶ those that were met (semi), were not (anti, left), or all and whether they were (mark)
"""
from caldera.kernel.blocks import Block, Row, buffer_reader, claimed, write_column
from caldera.kernel.interface import I8, I32, I64, Owner, Struct
from caldera.kernel.nullable import Sql, is_true
from caldera.kernel.structures.arena import Arena
from caldera.kernel.structures.join_table import Arrivals, JoinTable, RowLayout, hash_of_keys
from caldera.kernel.structures.row_store import PartitionRows
from caldera.operators.collect import Collect
from caldera.operators.direct_rows import DirectRows
from caldera.operators.join_spill import JoinDetour
from caldera.operators.key_filter import KeptKey
from caldera.operators.pipeline import FansOut, Sink, Source, Stream
from caldera.operators.row_search import RowSearch
from caldera.operators.rows_in_memory import MORSEL_ROWS, from_memory
from caldera.operators.shared import lasting
from caldera.operators.spilled_rows import FEW_ROWS
from caldera.optimize.estimates import join_costs
from caldera.optimize.range_joins import key_ranges
from caldera.plan import nodes
from caldera.plan.expressions import Column
from caldera.plan.operator import Operator, runs
from caldera.plan.outline import shown_condition
from caldera.plan.predicates import conjunction, equalities

PLACED_ROWS_MIN = 1 << 14       # rows that it takes another worker to put in their places
NAMES = {"inner": "Join", "left": "Left Join", "full": "Full Join", "semi": "Semi Join", "anti": "Anti Join",
         "mark": "Mark Join", "asof": "As-of Join"}
MET = {"full": False, "left": False, "semi": True, "anti": False, "mark": None}         # see KeptRows


@runs(nodes.Join)
class JoinOperator(Operator):
    """Builds a table of the right input, and streams the left one through it."""

    def describe(self, node):
        keys, rest = equalities(node)
        way = "Hash" if keys else "Range" if node.ranges else "Nested Loop"
        name = f"{way} {'Right ' if node.builds_left else ''}{NAMES[node.kind]}".replace("Right Left", "Right")
        details = {} if node.number is None else {"Key Filter": node.number}
        if keys:
            details["Hash Cond"] = shown_condition([f"({left} = {right})" for left, right in keys])
        if node.ranges:
            details["Range Cond"] = shown_condition([f"({each})" for each in key_ranges(node)])
        if node.order:
            details["First By"] = [str(key) for key in node.order]
        if rest:
            details["Join Filter"] = shown_condition([str(condition) for condition in rest])
        return name, name, details

    def estimate(self, estimates, node):
        (left, _, left_cost), (right, _, right_cost) = estimates.of(node.left), estimates.of(node.right)
        keys, rest = equalities(node)
        rows = estimates.join_rows(node, keys, rest)
        if node.builds_left:
            building, probing = join_costs(right, left, rows, bool(keys), bool(node.ranges))
            total = left_cost + building + right_cost + probing
            return rows, total, total
        building, probing = join_costs(left, right, rows, bool(keys), bool(node.ranges))
        return rows, right_cost + building, right_cost + building + left_cost + probing

    def build(self, builder, node):
        keys, rest = equalities(node)
        join = JoinState(node, keys, conjunction(rest), builder.evaluator)
        kept = builder.build(join.kept)
        kept.evaluates(join.kept_keys)
        builder.end(kept, JoinBuild(join), "join build")
        builder.end(Stream(join.partitions, []), join.table, "join table", guard=join.table)
        join.detour = JoinDetour(join, builder.pipelines[-1])
        if node.number is not None:
            builder.join_keys[node.number] = join.table.known_keys = [
                KeptKey(join.table, id, type, len(keys) == 1) for id, type in zip(join.key_ids, join.types)]
        stream = builder.build(join.streamed)
        stream.evaluates([*join.streamed_keys, *rest])
        stream.plain_columns = None
        stream.steps.append(MarkPartners(join) if node.builds_left and node.kind != "left" else Probe(join))
        if join.rows.mark is None:
            stream.releases.append(join.release)
            return stream
        rows = lasting(Collect(node.output))
        builder.end(stream, rows, "full join" if node.kind == "full" else "partners")
        missing = {"full": node.left, "left": node.right}.get(node.kind)
        source = KeptRows(join, MET[node.kind], () if missing is None else missing.output)
        met = Stream(source, [], releases=[join.release])
        builder.end(met, rows, "kept rows", guard=NoDetour(join))
        join.detour.kept_rows = builder.pipelines[-1]
        return from_memory(node.output, rows.finish, row_count=lambda: rows.row_count, batches=rows.batches,
                           read=rows.give_up)


class JoinState:
    """What the pipelines of one join share. keys: pairs of expressions over the left and the right input, of one type.

    kept: the input whose rows are kept in the table, with `kept_keys`; streamed: the other one, whose rows look them up.
    keeps_all: whether rows are kept although a key is NULL, since they come out without a partner.
    """

    def __init__(self, node, keys, rest, evaluator):
        self.kind, self.rest, self.mark, self.evaluator = node.kind, rest, node.mark, evaluator
        self.builds_left = node.builds_left
        left, right = (node.left, [key for key, _ in keys]), (node.right, [key for _, key in keys])
        (self.kept, self.kept_keys), (self.streamed, self.streamed_keys) = \
            (left, right) if node.builds_left else (right, left)
        self.keeps_all = self.kind == "full" or node.builds_left and self.kind != "semi"
        self.types = [key.type for key in self.kept_keys]
        entries = {column.id: (column.id, column.type, column.nullable) for column in self.kept.output}
        self.key_ids = []
        for number, key in enumerate(self.kept_keys):           # keys that are columns are stored once
            id = key.id if isinstance(key, Column) else ("join key", number)
            entries.setdefault(id, (id, key.type, self.keeps_all and key.nullable))
            self.key_ids.append(id)
        self.search = RowSearch(node, evaluator, bool(keys)) if node.ranges or node.order else None
        if self.search is not None:
            entries |= {id: (id, type, nullable) for id, type, nullable in self.search.entries}
        self.arena = Arena()
        self.rows = RowLayout(entries.values(), marked=self.kind == "full" or node.builds_left)
        self.arrivals = Arrivals(self.rows, self.arena)
        self.partitions = ArrivedRows(self.arrivals)
        self.table = PlacedRows(self.partitions)
        if len(keys) == 1 and rest is None and self.search is None and self.rows.mark is None:
            self.table.direct = DirectRows(self.table, self.key_ids[0], self.types[0])
        if self.search is not None:
            self.search.table = self.table

    def release(self, run):
        """The pipeline that looked for partners has run: only texts of rows may still be read."""
        run.shut(self.table)
        run.give_up(self.arrivals, self.detour.left)


class ArrivedRows(PartitionRows, Source):
    """The source of the pipeline that puts rows in their places: partitions instead of blocks."""
    gives_rows = False
    words = "Rows of Workers"

    @property
    def parallel(self):
        """Few rows are not worth waking others, even fewer if that is not once for each round."""
        return self.row_count > (FEW_ROWS if self.table.spill.runs else PLACED_ROWS_MIN)

    def blocks(self, k):
        """Pairs (partition, how many rows it has)."""
        return self.partitions(k)


class PlacedRows(JoinTable, Sink):
    """Its sink, and as its guard the one who gives back what has been copied. known_keys: the KeptKeys that look at the
    rows when they are there. direct: their numbers by the key, if that can be."""
    words, known_keys, texts_are_alike = "Join Table", (), True

    def __init__(self, partitions):
        super().__init__(partitions)
        self.direct = DirectRows(self)

    def wanted(self, run):
        """Unless the rows are on disk."""
        spill = self.arrivals.spill
        if spill.has_rows and self.known_keys:
            self.arrivals.move_all_out()
            self.look(spill.row_count, spill.waiting_rows, False)
        return not spill.has_rows

    def ended(self, exception):
        """Whether it ended well."""
        if exception is None:
            self.arrivals.give_up()
            self.look(self.row_count, self.placed_rows, True)
            self.direct.look(*self.placed_rows())
        return exception is None

    def look(self, row_count, batches, in_memory):
        """Let the KeptKeys look at the rows."""
        for key in self.known_keys:
            key.look(row_count, batches, in_memory)

    def close(self):
        super().close()
        self.direct.forget()
        for key in self.known_keys:
            key.forget()


class NoDetour:
    """A guard: only if all rows are in memory; if not, the JoinDetour runs the pipeline itself."""

    def __init__(self, join):
        self.join = join

    def wanted(self, run):
        return not self.join.detour.is_taken

    @staticmethod
    def ended(exception):
        return exception is None


class JoinBuild(Sink):
    """The sink of the input that is kept. Rows with a NULL among their keys have no partner, and are dropped where only
    partners count."""
    words = "Join Build"

    def __init__(self, join):
        self.join, self.spills = join, [join.arrivals.spill]

    def open(self, run):
        """Empty stores, and an arena for texts."""
        self.join.rows.lifetime = "part"
        run.open(self.join.arena)
        run.open(self.join.arrivals)

    def consume(self, k, blocks):
        join = self.join
        computed = {id: (key.columns, lambda row, key=key: join.evaluator.eval(k, key, row))
                    for id, key in zip(join.key_ids, join.kept_keys) if not isinstance(key, Column)}
        ids = {id for id, _, _ in join.rows.entries}
        if join.search is not None:
            computed |= join.search.computed(k)

        def hash_of(row):
            keys = [row[id] for id in join.key_ids]
            valid = [key.valid for key in keys] + ([] if join.search is None else join.search.validity(k, row))
            wanted = k.and_(*valid) if not join.keeps_all else True
            return hash_of_keys(k, join.types, [key.value for key in keys]), wanted
        for block in blocks:
            join.arrivals.append(k, block.settled().extended(computed), ids, hash_of)
        join.arrivals.partition(k)


class Probe(FansOut):
    """A step: pairs of the block's rows and their partners; or, for semi and anti joins, the rows that have one, or none."""

    def __init__(self, join):
        self.join = join
        self.kind = "inner" if join.builds_left else join.kind      # for the streamed rows

    @property
    def detour(self):
        """See Pipeline.pieces."""
        return self.join.detour

    @property
    def words(self):
        return "Probe" if self.join.streamed_keys else "Loop"

    @property
    def facts(self):
        """Whether partners are looked up directly."""
        return self.join.table.direct.is_ready and not self.join.detour.is_taken

    def rows_for_one(self):
        """All rows of the right input."""
        return self.join.table.row_count

    def blocks(self, k, blocks):
        return self.looked_up(k, blocks) if self.facts else self.in_passes(k, blocks)

    def looked_up(self, k, blocks):
        """Blocks of pairs where a row has one partner at most, whose number its key tells."""
        key, = self.join.streamed_keys
        for block in blocks:
            block = block.settled()
            positions, partners = k.buffer(I32, k.block_rows), k.buffer(I64, k.block_rows)
            pairs, rows = k.variable(I64, 0), k.memory(self.join.table).rows
            for row in block.rows(set(key.columns), vectorize=False):
                partner, to = self.join.table.direct.row_of(k, self.join.evaluator.eval(k, key, row)), pairs.get()
                found = partner >= 0
                k.prefetch(rows, partner * self.join.rows.width)
                gives = {"inner": found, "semi": found, "anti": k.not_(found)}.get(self.kind, True)
                positions[to], partners[to] = k.convert(row.number, I32), partner
                pairs.set(to + (1 if gives is True else k.convert(k.as_condition(gives), I64)))
            for _ in k.when(pairs.get() > 0):
                yield block.narrowed(pairs.get(), positions, self.partner_columns(k, partners))

    def in_passes(self, k, blocks):
        """Blocks of pairs, for each block that comes as many as one of its rows has candidates."""
        for block in blocks:
            keyed, *found = self.hashed(k, block.settled())
            count, numbers, starts, stops = self.candidates(k, keyed.count, *found, self.kind not in ("inner", "semi"))
            left, first_pass = k.variable(I64, count), k.variable(I8, 1)
            for _ in k.while_(lambda: k.and_(left.get() > 0, k.not_(self.must_stop(k)))):
                found = self.one_pass(k, keyed, left, first_pass, numbers, starts, stops)
                for _ in k.when(found.count > 0):       # a block is never empty
                    yield found

    def hashed(self, k, block):
        """(the block with its keys in buffers, the buffer of their hashes, buffers of the words of bounds, one of bytes
        that are 0 where a key or bound is NULL, or None where none can be)."""
        join, hashes, keys, usable = self.join, k.buffer(I64, k.block_rows), {}, None
        ids = {"hash"} if join.detour.is_taken else set()           # which the rows bring from the disk
        bounds = [] if join.search is None else [(bound, k.buffer(I64, k.block_rows)) for bound in join.search.bounds]
        needed = ids.union(*(key.columns for key in join.streamed_keys), *(bound.expression.columns for bound, _ in bounds))
        for row in block.rows(needed, vectorize=False if keys else None):
            values = [join.evaluator.eval(k, key, row) for key in join.streamed_keys]
            for number, sql in enumerate(values):
                write_column(k, keys, ("probe key", number), join.types[number].layout, row.number, sql)
            hashes[row.number] = row["hash"].value if ids else hash_of_keys(k, join.types, [sql.value for sql in values])
            validity = [sql.valid for sql in values]
            for bound, words in bounds:
                words[row.number], valid = bound.word(k, join.evaluator, row)
                validity.append(valid)
            valid = k.and_(*validity)
            if valid is not True:
                usable = usable or k.buffer(I8, k.block_rows)
                usable[row.number] = k.convert(k.as_condition(valid), I8)
        readers = {id: (lambda buffer=buffer: buffer_reader(k, *buffer)) for id, buffer in keys.items()}
        keyed = Block(k, block.count, readers, parent=block)
        words = [words for _, words in bounds]
        return keyed, hashes, words, usable

    def candidates(self, k, count, hashes, words, usable, keeps_all):
        """See JoinTable.candidates; only those within the bounds whose words are in buffers."""
        found, numbers, starts, stops = self.join.table.candidates(k, hashes, count, usable, keeps_all)
        if self.join.search is not None:
            for at in k.range(0, found, vectorize=False):
                number = numbers[at]
                starts[at], stops[at] = self.join.search.narrow(k, hashes[number], starts[at], stops[at],
                                                                [each[number] for each in words])
        return found, numbers, starts, stops

    def one_pass(self, k, keyed, left, first_pass, numbers, starts, stops):
        """The pairs of one pass over the rows that still have candidates, which `numbers`, `starts` and `stops` list."""
        join = self.join
        looked_at, partners = k.buffer(I32, k.block_rows), k.buffer(I64, k.block_rows)
        k.routine(shorten, left.get(), k.address(numbers), k.address(looked_at))
        candidates = keyed.narrowed(left.get(), looked_at)
        rest_ids = set() if join.rest is None else {id for id in join.rest.columns if id not in join.rows.word}
        ids = {("probe key", number) for number in range(len(join.types))} | rest_ids
        pairs, remaining, positions = k.variable(I64, 0), k.variable(I64, 0), k.buffer(I32, k.block_rows)
        for row in candidates.rows(ids, vectorize=False):
            at, stop, partner = k.variable(I64, starts[row.number]), stops[row.number], k.variable(I64, -1)
            for _ in k.while_(lambda: k.and_(at.get() < stop, partner.get() < 0)):
                self.compare(k, candidates, row, at.get(), partner)
                at.set(at.get() + 1)
            number, found, is_first = numbers[row.number], partner.get() >= 0, first_pass.get() != 0
            gives = {"inner": found, "semi": found, "anti": k.not_(found)}.get(self.kind, k.or_(found, is_first))
            more = at.get() < stop if self.kind in ("inner", "left", "full") else False
            to = pairs.get()
            positions[to], partners[to] = k.convert(number, I32), partner.get()
            pairs.set(to + k.convert(k.as_condition(gives), I64))
            keep = remaining.get()
            numbers[keep], starts[keep], stops[keep] = number, at.get(), stop
            remaining.set(keep + k.convert(k.as_condition(more), I64))
        left.set(remaining.get())
        first_pass.set(0)
        return keyed.narrowed(pairs.get(), positions, self.partner_columns(k, partners))

    def partner_columns(self, k, partners):
        """The right input's columns in a block whose row n has the partner `partners[n]`, -1 where there is none."""
        join = self.join
        if join.kind in ("semi", "anti"):
            return {}
        if join.kind == "mark":
            return {join.mark.id: lambda: lambda number, row: Sql(k.as_condition(partners[number] >= 0), True)}
        rows = k.memory(join.table).rows
        if self.kind == "inner":
            return join.rows.columns(k, rows, lambda number: partners[number])
        zero = k.constant(I64, 0)
        return join.rows.columns(k, rows, lambda number: k.greatest(partners[number], zero),
                                 lambda number: partners[number] >= 0)

    def compare(self, k, block, row, at, partner):
        """Set `partner` to a candidate if its keys are the row's and the rest of the condition holds."""
        join = self.join
        for holds in self.matches(k, block, row, at):
            partner.set(k.choose(k.as_condition(holds), at, k.constant(I64, -1)))
            if join.rows.mark is not None:
                for _ in k.when(holds):
                    k.memory(join.table).rows[at * join.rows.width + join.rows.mark] = 1

    def matches(self, k, block, row, at, unless_marked=False):
        """`for holds in ...`: the body runs where a candidate's keys are the row's, `holds` tells whether the rest of the
        condition does. unless_marked: not for candidates that are marked already."""
        join, rows = self.join, k.memory(self.join.table).rows
        first = at * join.rows.width
        equal = [rows[first + join.rows.mark] == 0] if unless_marked else []
        if join.keeps_all:                      # others have kept no row with a NULL key
            equal += [join.rows.is_valid(rows, first, id) for id in join.key_ids]
        for number, (id, type) in enumerate(zip(join.key_ids, join.types)):
            mine = type.layout.from_words(k, rows, first + join.rows.word[id])
            equal.append(type.equal(k, mine, row["probe key", number].value))
        for _ in k.when(k.and_(*equal)):
            if join.rest is None:
                yield True
            else:
                pair = Block(k, block.count, join.rows.columns(k, rows, lambda _: at), parent=block)
                pair.fetch(sorted(join.rest.columns, key=str))
                yield is_true(k, join.evaluator.eval(k, join.rest, Row(pair, row.number, row.faults, row)))


def shorten(k, count, numbers, shortened):
    """Routine: write the numbers (I64) at an address as I32 to another one."""
    numbers, shortened = k.array(I64, numbers, scope="numbers"), k.array(I32, shortened, scope="shortened")
    for number in k.range(0, count):
        shortened[number] = k.convert(numbers[number], I32)
    return count


class MarkPartners(Probe):
    """The step in place of Probe where the left input's rows are kept: the right one's mark those that they match, and go
    no further."""
    words = "Mark Partners"

    def blocks(self, k, blocks):
        join = self.join
        rest_ids = set() if join.rest is None else {id for id in join.rest.columns if id not in join.rows.word}
        ids = {("probe key", number) for number in range(len(join.types))} | rest_ids
        for block in blocks:
            keyed, *found = self.hashed(k, block.settled())
            count, numbers, starts, stops = self.candidates(k, keyed.count, *found, False)
            positions = k.buffer(I32, k.block_rows)
            for n in k.range(0, count):
                positions[n] = k.convert(numbers[n], I32)
            candidates = keyed.narrowed(count, positions)
            for row in candidates.rows(ids, vectorize=False):
                for at in k.range(starts[row.number], stops[row.number], vectorize=False):
                    for holds in self.matches(k, candidates, row, at, unless_marked=True):
                        for _ in k.when(holds):
                            k.memory(join.table).rows[at * join.rows.width + join.rows.mark] = 1
        yield from ()


class KeptRows(Owner, Source):
    """A source: rows of the table, by whether they were met. met: True for those that were, False for the others, None for
    all, with what tells in the join's column `mark`. missing: columns that are NULL."""
    layout = Struct(next=I64, morsels=I64, rows=I64)

    def __init__(self, join, met, missing=()):
        super().__init__()
        self.join, self.met, self.missing = join, met, missing

    @property
    def words(self):
        """For EXPLAIN."""
        return {True: "Rows with Partner", False: "Rows without Partner", None: "Rows and Whether Met"}[self.met]

    def open(self, run):
        self.row_count = self.join.table.row_count
        self.morsel_count = -(-self.row_count // MORSEL_ROWS)
        self.instances = [self.layout.make(morsels=self.morsel_count, rows=self.row_count)]

    def close(self):
        self.instances = []

    def blocks(self, k):
        join, here = self.join, k.memory(self)
        rows = k.memory(join.table).rows
        missing = {column.id: (lambda column=column: lambda number, row: Sql(column.type.layout.default(k), False))
                   for column in self.missing}
        for morsel in claimed(k, here.field("next"), here.morsels):
            first = morsel * MORSEL_ROWS
            stop = k.least(first + MORSEL_ROWS, here.rows)
            for at in k.range(first, stop, step=k.block_rows, vectorize=False):
                count = k.least(stop - at, k.constant(I64, k.block_rows))

                def met(number, at=at):
                    return rows[(at + number) * join.rows.width + join.rows.mark] != 0
                columns = join.rows.columns(k, rows, lambda number, at=at: at + number) | missing
                if self.met is None:
                    columns[join.mark.id] = lambda met=met: lambda number, row: Sql(met(number), True)
                    yield Block(k, count, columns)
                else:
                    chosen = self.chosen(k, Block(k, count, columns), met)
                    for _ in k.when(chosen.count > 0):
                        yield chosen

    def chosen(self, k, block, met):
        """The rows of a block that are wanted."""
        selected, positions = k.variable(I64, 0), k.buffer(I32, k.block_rows)
        for number in k.range(0, block.count, vectorize=False):
            positions[selected.get()] = k.convert(number, I32)
            wanted = met(number) if self.met else k.not_(met(number))
            selected.set(selected.get() + k.convert(wanted, I64))
        return block.narrowed(selected.get(), positions)
