"""Names in scope: the tables of a FROM list and their columns.

    Scope ── sources: [TableSource "t", PlanSource "s"] ── parent: the scope around a subquery
      find_column(["t", "x"]) ─▶ Column, with a fresh object for each mention so that each has its own place

A table's columns get their ids when they are first mentioned, and its Scan reads only those: binding a query over a table
of a hundred columns costs what the query mentions.
"""
from contextlib import contextmanager

from caldera.bind.names import suggestion
from caldera.plan.expressions import Column, Constant, new_column
from caldera.plan.nodes import Join, Project, Scan
from caldera.plan.records import RowOf
from caldera.types.record import Field, record_of, row_type
from caldera.types.registry import TYPES
from caldera.types.void import Unreadable


def mention(column, nulled=False):
    """Another object for the same column; `nulled`: which an outer join may have replaced by NULL."""
    return Column(column.id, column.name, column.type, column.modifier, column.nullable or nulled)


class Source:
    """One item of a FROM list. `alias`: the name it goes by; `name`: the table's own; `schema`: of a table without alias, by
    which `schema.table.column` may refer to it. `column_names`: in order, after renaming.

    nulled: whether an outer join may have replaced its columns by NULL. named, open: whether its alias, and its columns'
    bare names, can be seen: a join stands for its sides' columns, and hides their names if it has one itself. mark: a column
    that is NULL where an outer join has found no row. is_value: whether its rows are values of one type, not records.
    entry: the catalog's of the relation that it is, if it is one. composite: the type of its rows, if a function gives those
    of a type with a name."""
    mark, is_value, entry, composite = None, False, None, None

    def __init__(self, alias, column_names, name=None, schema=None, location=None):
        self.nulled, self.named, self.open = False, alias is not None, True
        self.alias, self.column_names, self.name, self.schema = alias, column_names, name, schema
        self.location = location
        self.numbers = {}
        for number, column_name in enumerate(column_names):
            self.numbers.setdefault(column_name, []).append(number)

    def expression(self, number):
        """A mention of the nth column."""
        return mention(self.column(number), self.nulled)

    def row(self, fields):
        """The record of mentions of all columns. Of an item that an outer join may have replaced by NULL, a column of its
        own tells where it has not; of a function that gives values of one type, the row is the value."""
        if self.is_value:
            return fields[0]
        if self.nulled and self.mark is None:
            self.mark = new_column("there", TYPES["bool"], None, False)
        there = mention(self.mark, nulled=True) if self.nulled else None
        members = tuple(Field(name, field.type, field.modifier) for name, field in zip(self.column_names, fields))
        type = self.composite or (record_of(members) if self.entry is None else
                                  row_type(members, self.entry.name, self.entry.oid))
        return RowOf(fields, type, there)

    def marked(self, node):
        """The node that gives the columns, and the mark if it is wanted."""
        if self.mark is None:
            return node
        columns = tuple((column, column) for column in node.output)
        return Project(node, (*columns, (self.mark, Constant(True, TYPES["bool"]))))


class TableSource(Source):
    """A relation that is scanned; only columns that are mentioned are read."""

    def __init__(self, relation, schemas, label, alias, column_names, name=None, schema=None, location=None):
        super().__init__(alias, column_names, name, schema, location)
        self.relation, self.schemas, self.label, self._columns = relation, schemas, label, {}

    def column(self, number):
        """The Column of the nth column."""
        found = self._columns.get(number)
        if found is None:
            schema = self.schemas[number]
            found = new_column(self.column_names[number], schema.type, schema.modifier, schema.nullable)
            self._columns[number] = found
        return found

    def plan(self):
        """The node that gives the columns mentioned so far, in the table's order."""
        used = sorted(self._columns)
        return self.marked(Scan(self.relation, tuple((self._columns[n], self.schemas[n].name) for n in used), self.label,
                                alias=self.alias))


class PlanSource(Source):
    """A subquery, a VALUES list or a function in FROM: a plan whose output are the columns."""

    def __init__(self, node, alias, column_names, location=None, name=None, schema=None):
        super().__init__(alias, column_names, name, schema, location)
        self.node = node

    def column(self, number):
        """The Column of the nth column."""
        return self.node.output[number]

    def plan(self):
        """The node that gives the columns."""
        return self.marked(self.node)


class JoinSource(Source):
    """A join in FROM. `columns`: for each name either (source, number) or the function that makes the expression of a column
    that USING has merged. left, right: the Sources below; `kind` and `condition` as the plan's Join has them."""

    def __init__(self, alias, names, columns, left, right, kind, condition):
        super().__init__(alias, names)
        self.columns, self.left, self.right, self.kind, self.condition = columns, left, right, kind, condition

    def column(self, number):
        """The Column of the nth column, if it is no merged one."""
        found = self.columns[number]
        return found[0].column(found[1]) if isinstance(found, tuple) else found()

    def expression(self, number):
        """A mention of the nth column."""
        found = self.columns[number]
        return found[0].expression(found[1]) if isinstance(found, tuple) else found()

    def plan(self):
        """The Join of what has been mentioned. A right join is a left join the other way round."""
        left, right = self.left.plan(), self.right.plan()
        if self.kind == "right":
            return self.marked(Join(right, left, "left", self.condition))
        return self.marked(Join(left, right, self.kind, self.condition))


class Scope:
    """What names mean while one SELECT is bound, and what its clause allows.

    clause: the clause being bound, as messages call it ("WHERE"). aggregates_allowed: whether an aggregate may stand here.
    has_aggregates: whether one was met. in_window: whether the arguments of a window function are being bound; windows: the
    WindowDefinitions. roots: the sources that no join stands above. unreachable: sources that the clause
    being bound may not mention, though the statement has them. parent: the scope around, whose columns may be used, too;
    outer: the ids of those that are. outer_aggregates: pairs (Column, AggregateCall) that stand in subqueries, but are about
    rows of this SELECT; outer_groupings: likewise for GROUPING. set_calls: the set-returning functions of the SELECT list;
    last_set: where the last one stands. not_lateral: sources that a LATERAL item must not mention. no_subqueries_in: what
    may hold no subqueries, as messages call it, or None.
    """
    no_subqueries_in: str | None = None

    def __init__(self, binder, parent=None, common_tables=None):
        self.binder, self.parent = binder, parent
        self.sources, self.roots, self.unreachable, self.outer, self.outer_aggregates = [], [], [], set(), []
        self.not_lateral, self.outer_groupings = [], []
        self.clause, self.aggregates_allowed, self.in_aggregate, self.has_aggregates = "SELECT", True, False, False
        self.in_window, self.windows = False, None
        self.set_calls, self.last_set = [], None
        self.common_tables = common_tables if common_tables is not None else parent.common_tables if parent else {}

    def add(self, source):
        """Put a FROM item into scope; raises 42712 if its alias is taken."""
        if source.named and any(other.named and other.alias == source.alias for other in self.sources + self.unreachable):
            raise self.binder.error("42712", f'table name "{source.alias}" specified more than once')
        self.sources.append(source)
        self.roots.append(source)

    @contextmanager
    def in_clause(self, clause, aggregates=False):
        """While a clause is bound, which may hold aggregates or not."""
        before = self.clause, self.aggregates_allowed
        self.clause, self.aggregates_allowed = clause, aggregates
        try:
            yield
        finally:
            self.clause, self.aggregates_allowed = before

    @contextmanager
    def in_from(self, lateral):
        """While a query in FROM is bound: the FROM items so far are in its sight only if it is LATERAL."""
        before = self.sources, self.unreachable, self.clause, self.aggregates_allowed
        self.clause, self.aggregates_allowed = "FROM clause of their own query level", False
        if not lateral:
            self.sources, self.unreachable = [], self.unreachable + self.sources
        try:
            yield
        finally:
            self.sources, self.unreachable, self.clause, self.aggregates_allowed = before

    @property
    def open_sources(self):
        """The sources whose columns go by their bare names."""
        return [source for source in self.sources if source.open]

    def mention(self, source, number, syntax):
        """The expression for a mention of a source's nth column."""
        return self.binder.note(source.expression(number), syntax)

    # ---- columns

    def find_column(self, names, syntax):
        """The expression of a column's name, qualified or not. Raises 42703, 42702, 42P01 in PostgreSQL's words."""
        location = syntax["ColumnRef"].get("location", 0)
        if len(names) == 1:
            return self.find_bare(names[0], syntax, location)
        if len(names) > 3:
            raise self.too_many_names(names, location)
        *qualifier, name = names
        source, level = self.find_source(qualifier, location)
        found = source.numbers.get(name)
        if found is None:
            raise self.missing_column(name, qualifier[-1], location)
        if len(found) > 1:
            raise self.binder.error("42702", f'column reference "{name}" is ambiguous', location)
        level.check_lateral(source, location)
        return self.of_level(level, self.named_column(source, found[0], syntax, location))

    def named_column(self, source, number, syntax, location):
        """The mention of a column by its name, whose values are wanted then: * may give some that cannot be had."""
        column = self.mention(source, number, syntax)
        if isinstance(column.type, Unreadable):
            raise self.binder.error("0A000", column.type.reason, location)
        return column

    def too_many_names(self, names, location):
        if len(names) == 4:
            return self.binder.error("0A000", f"cross-database references are not implemented: {'.'.join(names)}", location)
        return self.binder.error("42601", f"improper qualified name (too many dotted names): {'.'.join(names)}", location)

    def find_bare(self, name, syntax, location):
        level = self
        while level is not None:
            found = [(source, number) for source in level.open_sources for number in source.numbers.get(name, ())]
            if len(found) > 1:
                raise self.binder.error("42702", f'column reference "{name}" is ambiguous', location)
            if found:
                level.check_lateral(found[0][0], location)
                return self.of_level(level, self.named_column(*found[0], syntax, location))
            level = level.parent
        if self.by_alias(name) is not None:
            return self.whole_row([name], syntax)
        raise self.missing_column(name, None, location)

    def whole_row(self, qualifier, syntax):
        """The record of all columns of a FROM item, by its name."""
        location = syntax["ColumnRef"].get("location", 0)
        source, level = self.find_source(qualifier, location)
        level.check_lateral(source, location)
        fields = tuple(level.mention(source, number, syntax) for number in range(len(source.column_names)))
        return self.of_level(level, self.binder.note(source.row(fields), syntax))

    def has_column(self, name):
        """Whether the FROM list has a column of that name."""
        return any(name in source.numbers for source in self.open_sources)

    def check_lateral(self, source, location):
        """Raise 42P10 for a source that a LATERAL item may not mention, for the join that combines them."""
        if source in self.not_lateral:
            raise self.binder.error("42P10", f'invalid reference to FROM-clause entry for table "{source.alias}"', location,
                                    detail="The combining JOIN type must be INNER or LEFT for a LATERAL reference.")

    def of_level(self, level, expression):
        """An expression made of columns of this scope or one around it, noted as such in all scopes between."""
        for inner in self.levels(level):
            inner.outer |= expression.columns
        return expression

    def home_of(self, call):
        """The scope of the query whose groups an aggregate, or GROUPING, is about: of nothing but outer columns it is an
        outer one's."""
        level = self
        while call.columns and call.columns <= level.outer:
            level = level.parent
        return level

    def levels(self, last):
        """This scope and those around it, up to `last`, which is not among them."""
        level = self
        while level is not last:
            yield level
            level = level.parent

    def all_sources(self, hidden=False):
        """The FROM items of this SELECT, then of those around it; `hidden`: also those that a join's alias hides."""
        level = self
        while level is not None:
            yield from (source for source in level.sources + level.unreachable if source.named or hidden and source.alias)
            level = level.parent

    def missing_column(self, name, qualifier, location):
        tables = [(source.alias, source.column_names) for source in self.all_sources()]
        shown = f'"{name}"' if qualifier is None else f"{qualifier}.{name}"
        return self.binder.error("42703", f"column {shown} does not exist", location,
                                 hint=suggestion(name, qualifier, tables))

    # ---- tables

    def by_alias(self, alias, schema=None):
        level = self
        while level is not None:
            for source in level.sources:
                if source.named and source.alias == alias and (schema is None or source.schema == schema):
                    return source, level
            level = level.parent
        return None

    def find_source(self, qualifier, location):
        """The FROM item (source, scope) that a qualifier, `t` or `schema.t`, means. Raises 42P01."""
        name = qualifier[-1]
        found = self.by_alias(name, qualifier[0] if len(qualifier) > 1 else None)
        if found:
            return found
        hidden = next((source for source in self.all_sources(hidden=True) if name in (source.alias, source.name)), None)
        if hidden is not None:
            hint = detail = None
            if hidden.alias != name:
                hint = f'Perhaps you meant to reference the table alias "{hidden.alias}".'
            else:
                detail = f'There is an entry for table "{name}", but it cannot be referenced from this part of the query.'
            raise self.binder.error("42P01", f'invalid reference to FROM-clause entry for table "{name}"', location,
                                    detail=detail, hint=hint)
        raise self.binder.error("42P01", f'missing FROM-clause entry for table "{name}"', location)
