"""Nodes of a plan: one tree for what is wanted (logical) and how it is done (algorithms); plan/spec.py says which are legal
after which stage.

Every node is frozen and has `output`, a tuple of Columns, the rows it gives. `inputs` and `with_inputs` let rules walk.
Column ids are unique in the query: a node that computes something makes new columns, one that only drops, sorts or limits
rows hands its input's columns on.

A node says what it is. What it costs, how EXPLAIN words it and how it runs is its operator's affair (plan/operator.py).
"""
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from caldera.plan.basis import Node
from caldera.plan.expressions import Column, Expression, SortKey, expressions_in, kept  # noqa: F401
from caldera.plan.windows import Windowed


@dataclass(frozen=True)
class ScanRange:
    """low <= column <= high, where None is open: what every row that is wanted satisfies. `column`: the name in the
    relation; the bounds are expressions that are the same for all rows of a run. `nulls`: NULL rows may be wanted, too."""
    column: str
    low: Expression | None = None
    high: Expression | None = None
    nulls: bool = False

    def __str__(self):
        if self.low is not None and self.low == self.high:
            return f"{self.column} = {self.low}"
        bounds = [f"{self.column} {sign} {bound}" for sign, bound in ((">=", self.low), ("<=", self.high))
                  if bound is not None]
        return " AND ".join(bounds) or f"{self.column} IS NOT NULL"


@dataclass(frozen=True)
class Scan(Node):
    """Rows of a table. `relation`: storage.engine.Relation. `columns`: pairs (Column, name in the relation). `ranges`: what
    may be used to leave out granules. `label`: the table's name, for people; `alias`: what the query calls it. `row_id`: a
    further column of int8, the number by which a RowFetch finds the row again."""
    relation: Any
    columns: tuple
    label: str
    ranges: tuple = ()
    row_id: Column | None = None
    alias: str = ""

    @kept
    def output(self):
        columns = tuple(column for column, _ in self.columns)
        return columns if self.row_id is None else (*columns, self.row_id)

    @property
    def evaluated(self):
        return [bound for range in self.ranges for bound in (range.low, range.high) if bound is not None]

    @property
    def is_logical(self):
        return not self.ranges and self.row_id is None


@dataclass(frozen=True)
class Sample(Node):
    """A random part of a table's rows, `percent` of them (0 to 100, float4). method: "bernoulli" draws single rows, "system"
    runs of rows. The same `seed` (float8) draws the same."""
    input: Node
    method: str
    percent: Expression
    seed: Expression
    per_row = False


@dataclass(frozen=True)
class Values(Node):
    """Rows of expressions that use no columns."""
    rows: tuple                     # of tuples of Expression, one for each column
    columns: tuple

    @property
    def output(self):
        return self.columns

    @property
    def evaluated(self):
        return list(expressions_in(self.rows))


@dataclass(frozen=True)
class Series(Node):
    """generate_series over integers: start, stop, step are expressions without columns; one column of int4 or int8."""
    start: Expression
    stop: Expression
    step: Expression
    column: Column

    @property
    def output(self):
        return (self.column,)

    @property
    def evaluated(self):
        return [self.start, self.stop, self.step]


@dataclass(frozen=True)
class FunctionScan(Node):
    """Rows of a table function (functions.registry.TableFunction) over expressions that use no columns."""
    function: Any
    arguments: tuple
    columns: tuple

    @property
    def output(self):
        return self.columns

    @property
    def evaluated(self):
        return list(self.arguments)


@dataclass(frozen=True)
class Filter(Node):
    """Rows of the input where the predicate is true."""
    input: Node
    predicate: Expression

    @property
    def conditions(self):
        return (self.predicate,)


@dataclass(frozen=True)
class Project(Node):
    """Exactly these columns: pairs (Column, Expression over the input's columns)."""
    input: Node
    items: tuple

    @kept
    def output(self):
        return tuple(column for column, _ in self.items)

    @property
    def computed(self):
        return self.items

@dataclass(frozen=True)
class KeyRange:
    """Between which bounds a `key`, over the rows that a join keeps, must be for a row that looks for partners: pairs of an
    expression over that row and whether equal keys are out of bounds."""
    key: Expression
    lows: tuple = ()
    highs: tuple = ()

    def __str__(self):
        bounds = [(">" if strict else ">=", bound) for bound, strict in self.lows]
        bounds += [("<" if strict else "<=", bound) for bound, strict in self.highs]
        return " AND ".join(f"{self.key} {sign} {bound}" for sign, bound in bounds)


@dataclass(frozen=True)
class Join(Node):
    """Pairs of rows of two inputs for which the condition is true; None: all pairs. `kind`:

    inner        nothing else               left, full   also the left input's (full: both inputs') rows without a partner,
    semi, anti   instead the left input's                with NULLs in the other input's columns; those keep their ids, and
                 rows with, without one                  are nullable from here on
    mark         instead each row of the left input once, and whether it has a partner in the column `mark`
    asof         each row of the left input once, with the first of its partners in the `order` (SortKeys over the right
                 input), or with NULLs

    A right join is a left join of the inputs in the other order. As the binder makes it, the right input of an inner or left
    join may use the left input's columns (LATERAL); optimize.unnesting makes ordinary joins of those.

    builds_left: of a left, semi, anti or mark join: rows of the left input are kept, and the right input's rows look for
    them, not the other way round. number: by which KeyFilters find the join, whose kept rows they know; None if there are
    none. ranges: KeyRanges, which follow from the condition: kept rows are sorted by the first one's key, and searched. The
    second one, if there is one, has lows only.
    """
    left: Node
    right: Node
    kind: str
    condition: Expression | None = None
    mark: Column | None = None
    builds_left: bool = False
    number: int | None = None
    order: tuple = ()
    ranges: tuple = ()

    @kept
    def output(self):
        if self.kind in ("semi", "anti"):
            return self.left.output
        if self.mark is not None:
            return (*self.left.output, self.mark)
        left = nulled(self.left.output) if self.kind == "full" else self.left.output
        return left + (self.right.output if self.kind == "inner" else nulled(self.right.output))

    @property
    def conditions(self):
        return () if self.condition is None else (self.condition,)

    @property
    def evaluated(self):
        return [*self.conditions, *(key.expression for key in self.order)]

    @property
    def is_logical(self):
        return not self.builds_left and self.number is None and not self.ranges


@dataclass(frozen=True)
class KeyFilter(Node):
    """Rows of the input that may find a partner in the Join of this `number` above, whose rows are kept by then: those whose
    `key` may be among the values of the join's key `place`. There may be more of them, never fewer. values: about how many
    values the key could have. is_early: whether there is work between here and the join that rows are spared."""
    input: Node
    key: Expression
    number: int
    place: int
    values: float
    is_early: bool
    is_logical = False

    @property
    def evaluated(self):
        return [self.key]


@dataclass(frozen=True)
class Append(Node):
    """All rows of several inputs, one input after the other. `given`: for each input those of its columns, of the same
    types, that become `columns`."""
    branches: tuple
    given: tuple
    columns: tuple

    @property
    def inputs(self):
        return self.branches

    def with_inputs(self, inputs):
        return replace(self, branches=tuple(inputs))

    @property
    def output(self):
        return self.columns

    @property
    def evaluated(self):
        return list(expressions_in(self.given))


@dataclass(frozen=True)
class Repeat(Node):
    """Each row of the input `times` times: an expression of int8 over its columns, which is not handed on itself."""
    input: Node
    times: Expression


@dataclass(frozen=True)
class Shared(Node):
    """The rows of an input that several places of a plan read and that is computed once; places with the same `number` have
    the same input. `given`: the input's columns that become `columns` here."""
    input: Node
    number: int
    given: tuple
    columns: tuple

    @property
    def output(self):
        return self.columns

    @property
    def evaluated(self):
        return list(self.given)


@dataclass(frozen=True)
class CommonScan(Node):
    """The rows of a WITH query that is computed once, whoever reads them: places with the same `number` read the same rows.
    `given`: those of the plan's columns that become `columns`. is_materialized: even if it is read at one place only."""
    plan: Node
    number: int
    name: str
    given: tuple
    columns: tuple
    is_materialized: bool = False

    @property
    def inputs(self):
        return ()

    @property
    def inner(self):
        return (self.plan,)

    def with_inner(self, plans):
        return replace(self, plan=plans[0])

    @property
    def output(self):
        return self.columns

    evaluated = ()


@dataclass(frozen=True)
class Recursion(Node):
    """WITH RECURSIVE: the rows of `first`, then those of `step` over the rows that came last, until there are no more; with
    `is_distinct` each row once. The WorkingScans of the same `number` in `step` read the rows that came last. `given`: for
    both plans those of their columns that become `columns`."""
    first: Node
    step: Node
    number: int
    name: str
    given: tuple
    columns: tuple
    is_distinct: bool

    @property
    def inputs(self):
        return ()

    @property
    def inner(self):
        return self.first, self.step

    terms = inner

    def with_inner(self, plans):
        return replace(self, first=plans[0], step=plans[1])

    @property
    def output(self):
        return self.columns

    evaluated = ()


@dataclass(frozen=True)
class WorkingScan(Node):
    """In a Recursion's step: the rows that came last."""
    number: int
    name: str
    columns: tuple

    @property
    def output(self):
        return self.columns

    evaluated = ()


def nulled(columns):
    """The same columns where NULLs may stand for rows that are not there."""
    return tuple(column if column.nullable else replace(column, nullable=True) for column in columns)


@dataclass(frozen=True)
class Aggregate(Node):
    """One row for each distinct combination of keys; without keys one row in all. `keys`: pairs (Column, Expression);
    `aggregates`: pairs (Column, AggregateCall). Without aggregates this is DISTINCT."""
    input: Node
    keys: tuple
    aggregates: tuple

    @kept
    def output(self):
        return tuple(column for column, _ in self.computed)

    @property
    def computed(self):
        return self.keys + self.aggregates

    @property
    def aggregate_calls(self):
        return self.aggregates


@dataclass(frozen=True)
class GroupingSets(Node):
    """An Aggregate for each of several sets of keys over one input. `sets`: for each set the numbers of its keys, rising; in
    rows of other sets a key is NULL. The set without keys has one row, even over no input. `groupings`: pairs (Column of
    int4, its value in the rows of each set)."""
    input: Node
    keys: tuple
    sets: tuple
    aggregates: tuple
    groupings: tuple = ()
    computed, aggregate_calls = Aggregate.computed, Aggregate.aggregate_calls

    @kept
    def output(self):
        return tuple(column for column, _ in self.keys + self.groupings + self.aggregates)


@dataclass(frozen=True)
class Window(Windowed, Node):
    """The input's rows with further columns: window functions over one window. `calls`: pairs (Column, WindowCall), which
    have no windows of their own. Rows come in the order of the partition's and the order's keys. `rank_limit`: rows of a
    higher rank in their partition may be left out; None for none."""
    input: Any = None               # a Node
    calls: tuple = ()
    rank_limit: int | None = None

    @kept
    def output(self):
        return self.input.output + tuple(column for column, _ in self.calls)

    @property
    def computed(self):
        return self.calls

    @property
    def evaluated(self):
        return list(expressions_in((self.partition, self.order, self.bounds, tuple(call for _, call in self.calls))))

    @property
    def window_calls(self):
        return self.calls

    @property
    def keys(self):
        """What the rows are sorted by, as SortKeys."""
        return tuple(map(SortKey, self.partition)) + self.order


@dataclass(frozen=True)
class TableFacts(Node):
    """The row of an Aggregate over a whole table, taken from what its segments know, or else from the Aggregate itself.
    `items`: triples (Column, fact, name in the relation), see operators.table_facts."""
    input: Aggregate
    items: tuple
    is_logical, evaluated = False, ()


@dataclass(frozen=True)
class Sort(Node):
    """The input's rows in the order of keys; with `limit`, only that many of the first rows (top-N), of which `offset` are
    left out."""
    input: Node
    keys: tuple                     # of SortKey
    limit: int | None = None
    offset: int = 0

    @property
    def is_logical(self):
        return self.limit is None and self.offset == 0


@dataclass(frozen=True)
class RowFetch(Node):
    """The rows of a Sort with further columns, which are read from the table for these rows only. `row_id`: the input's
    column with the numbers that the Scan below gave its rows; it is not handed on. `columns`: pairs (Column, name in the
    relation)."""
    input: Node
    row_id: Column
    columns: tuple
    label: str
    is_logical = False

    @kept
    def output(self):
        kept = tuple(column for column in self.input.output if column.id != self.row_id.id)
        return kept + tuple(column for column, _ in self.columns)

    @property
    def evaluated(self):
        return (self.row_id,)


@dataclass(frozen=True)
class Limit(Node):
    """At most `limit` rows (None: all) after leaving out `offset`. Both are expressions without columns, of int8."""
    input: Node
    limit: Expression | None
    offset: Expression | None = None
    per_row = False


# ------------------------------------------------------------------------------------------------ statements

class Statement(Node):
    """What is done with the input's rows: it stands on top of a plan. `name`: what EXPLAIN calls it, `title`: the same with
    what it is about; a query has none, its rows are all there is to tell."""
    name: ClassVar[str | None] = None
    title: Any = None


@dataclass(frozen=True)
class Query(Statement):
    """A SELECT: what `names` the columns of the input's output have for the client."""
    input: Node
    names: tuple = ()


@dataclass(frozen=True)
class Insert(Statement):
    """Append the input's rows to a table: `entry` is the catalog's; the input's output columns have the table's types, in
    the order of all its columns. `tag`: what the command tag says before the number of rows."""
    input: Node
    entry: Any
    tag: str = "INSERT 0"
    name = "Insert"

    @property
    def title(self):
        return f"Insert on {self.entry.name}"


@dataclass(frozen=True)
class CreateTableAs(Statement):
    """Make a table from the input's rows. `statement`: the CreateTable that makes it."""
    input: Node
    statement: Any
    name = "Create Table"
    title = name


@dataclass(frozen=True)
class CopyTo(Statement):
    """Write the input's rows to a file, in the format and with the options of COPY."""
    input: Node
    path: str
    format: str
    options: dict = field(hash=False)
    names: tuple = ()
    name = "Copy"

    @property
    def title(self):
        return f"Copy to {self.path}"


@dataclass(frozen=True)
class Explain(Statement):
    """Tell how the statement would run; with `analyze`, run it."""
    input: Node
    options: dict = field(hash=False)       # analyze, verbose, costs, pipelines, code, asm: bool; format: "text" or "json"


@dataclass
class PreparedStatement:
    """What PREPARE keeps. statement: the caldera.sql.parse.Statement inside; types: of its parameters; text: of the whole
    PREPARE; result_types: of the columns, None for a statement without rows; prepared_at: an aware datetime. generic_plans,
    custom_plans: how often it was run by a plan for all values, and by one for its values. Each is itself alone: a name
    that is prepared again stands for another."""
    name: str
    statement: Any
    types: tuple
    text: str
    result_types: tuple | None = None
    prepared_at: Any = None
    generic_plans: int = 0
    custom_plans: int = 0
    __hash__, __eq__ = object.__hash__, object.__eq__


@dataclass(frozen=True)
class Execution(Statement):
    """Run a PreparedStatement with these values, datums, for $1, $2, ..."""
    statement: PreparedStatement
    values: tuple


@dataclass(frozen=True)
class DeclareCursor(Statement):
    """Give a query a name under which its rows are fetched. scrolls: whether backwards, too; holds: whether it outlives the
    transaction. text: of the statement."""
    query: Query
    cursor: str
    scrolls: bool = False
    holds: bool = False
    text: str = ""


@dataclass(frozen=True)
class Utility(Statement):
    """A statement that no pipeline runs: SET, CREATE TABLE, DROP, BEGIN, ... `run(session)` does it and returns the command
    tag, or (names, types, rows) for those that answer with rows (SHOW)."""
    tag: str
    run: Any

    @property
    def output(self):
        return ()
