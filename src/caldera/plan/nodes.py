"""Nodes of a plan: one tree for what is wanted (logical) and how it is done (algorithms); plan/spec.py says which are legal
after which stage.

Every node is frozen and has `output`, a tuple of Columns, the rows it gives. `inputs` and `with_inputs` let rules walk.
Column ids are unique in the query: a node that computes something makes new columns, one that only drops, sorts or limits
rows hands its input's columns on.
"""
from dataclasses import dataclass, field, fields, replace
from typing import Any

from caldera.plan.expressions import Column, Expression


class Node:
    """Base of all nodes."""

    @property
    def inputs(self):
        """The nodes below."""
        return tuple(value for member in fields(self) if isinstance(value := getattr(self, member.name), Node))

    def with_inputs(self, inputs):
        """The same node over other inputs."""
        names = [member.name for member in fields(self) if isinstance(getattr(self, member.name), Node)]
        return replace(self, **dict(zip(names, inputs)))

    @property
    def output(self):
        """The columns of the rows that this node gives."""
        return self.input.output

    def __str__(self):
        from caldera.plan.outline import lines, outline
        return "\n".join(lines(outline(self)))


@dataclass(frozen=True)
class SortKey:
    """One key of an order. NULLs sort last by default when ascending, first when descending, as in PostgreSQL."""
    expression: Expression
    descending: bool = False
    nulls_first: bool = False

    def __str__(self):
        nulls = "" if self.nulls_first == self.descending else " NULLS FIRST" if self.nulls_first else " NULLS LAST"
        return f"{self.expression}{' DESC' if self.descending else ''}{nulls}"


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
    may be used to leave out granules. `label`: the table's name, for people. `row_id`: a further column of int8, the number
    by which a RowFetch finds the row again."""
    relation: Any
    columns: tuple
    label: str
    ranges: tuple = ()
    row_id: Column | None = None

    @property
    def output(self):
        columns = tuple(column for column, _ in self.columns)
        return columns if self.row_id is None else (*columns, self.row_id)


@dataclass(frozen=True)
class Values(Node):
    """Rows of expressions that use no columns."""
    rows: tuple                     # of tuples of Expression, one for each column
    columns: tuple

    @property
    def output(self):
        return self.columns


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


@dataclass(frozen=True)
class FunctionScan(Node):
    """Rows of a table function (functions.registry.TableFunction) over expressions that use no columns."""
    function: Any
    arguments: tuple
    columns: tuple

    @property
    def output(self):
        return self.columns


@dataclass(frozen=True)
class Filter(Node):
    """Rows of the input where the predicate is true."""
    input: Node
    predicate: Expression


@dataclass(frozen=True)
class Project(Node):
    """Exactly these columns: pairs (Column, Expression over the input's columns)."""
    input: Node
    items: tuple

    @property
    def output(self):
        return tuple(column for column, _ in self.items)


@dataclass(frozen=True)
class Aggregate(Node):
    """One row for each distinct combination of keys; without keys one row in all. `keys`: pairs (Column, Expression);
    `aggregates`: pairs (Column, AggregateCall). Without aggregates this is DISTINCT."""
    input: Node
    keys: tuple
    aggregates: tuple

    @property
    def output(self):
        return tuple(column for column, _ in self.keys + self.aggregates)


@dataclass(frozen=True)
class TableFacts(Node):
    """The row of an Aggregate over a whole table, taken from what its segments know, or else from the Aggregate itself.
    `items`: triples (Column, fact, name in the relation), see operators.table_facts."""
    input: Aggregate
    items: tuple


@dataclass(frozen=True)
class Sort(Node):
    """The input's rows in the order of keys; with `limit`, only that many of the first rows (top-N), of which `offset` are
    left out."""
    input: Node
    keys: tuple                     # of SortKey
    limit: int | None = None
    offset: int = 0


@dataclass(frozen=True)
class RowFetch(Node):
    """The rows of a Sort with further columns, which are read from the table for these rows only. `row_id`: the input's
    column with the numbers that the Scan below gave its rows; it is not handed on. `columns`: pairs (Column, name in the
    relation)."""
    input: Node
    row_id: Column
    columns: tuple
    label: str

    @property
    def output(self):
        kept = tuple(column for column in self.input.output if column.id != self.row_id.id)
        return kept + tuple(column for column, _ in self.columns)


@dataclass(frozen=True)
class Limit(Node):
    """At most `limit` rows (None: all) after leaving out `offset`. Both are expressions without columns, of int8."""
    input: Node
    limit: Expression | None
    offset: Expression | None = None


# ------------------------------------------------------------------------------------------------ statements

@dataclass(frozen=True)
class Query(Node):
    """A SELECT: what `names` the columns of the input's output have for the client."""
    input: Node
    names: tuple = ()


@dataclass(frozen=True)
class Insert(Node):
    """Append the input's rows to a table: `entry` is the catalog's; the input's output columns have the table's types, in
    the order of all its columns. `tag`: what the command tag says before the number of rows."""
    input: Node
    entry: Any
    tag: str = "INSERT 0"


@dataclass(frozen=True)
class CreateTableAs(Node):
    """Make a table from the input's rows. `statement`: the CreateTable that makes it."""
    input: Node
    statement: Any


@dataclass(frozen=True)
class CopyTo(Node):
    """Write the input's rows to a file, in the format and with the options of COPY."""
    input: Node
    path: str
    format: str
    options: dict = field(hash=False)
    names: tuple = ()


@dataclass(frozen=True)
class Explain(Node):
    """Tell how the statement would run; with `analyze`, run it."""
    input: Node
    options: dict = field(hash=False)       # analyze, verbose, costs, pipelines, code, asm: bool; format: "text" or "json"


@dataclass(frozen=True)
class Utility(Node):
    """A statement that no pipeline runs: SET, CREATE TABLE, DROP, BEGIN, ... `run(session)` does it and returns the command
    tag, or (names, types, rows) for those that answer with rows (SHOW)."""
    tag: str
    run: Any

    @property
    def output(self):
        return ()
