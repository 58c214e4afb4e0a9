"""SEARCH and CYCLE: columns of a recursive query that say in which order rows were found, and whether one repeats another.

    SEARCH DEPTH FIRST BY a SET q       q: an array of records of a, of all rows on the way to this one
    SEARCH BREADTH FIRST BY a SET q     q: a record, of how many rows are on the way, and of a
    CYCLE a SET c USING p               p: as q in depth; c: whether a record of it is this row's, which then leads nowhere

    first term  ▸ Project  ARRAY[ROW(a)] AS q, false AS c, ARRAY[ROW(a)] AS p
    step        ▸ Filter   NOT c                         of the row of the last round that it comes from
                ▸ Project  q || ROW(a), ROW(a) = ANY (p), p || ROW(a)

The step hands the last round's q, c and p on without seeing them: they go by no name there.
"""
from caldera.bind.arrays import quantified
from caldera.bind.binder import strings
from caldera.bind.conversions import common_type, to_common_type
from caldera.bind.operators import apply
from caldera.bind.rules import bind_expression
from caldera.bind.scope import PlanSource, Scope, mention
from caldera.bind.select import Select, Target
from caldera.bind.set_operations import Branch, Rows
from caldera.plan.arrays import ArrayOf
from caldera.plan.expressions import Case, Constant, new_column
from caldera.plan.nodes import Filter, Project, WorkingScan
from caldera.plan.records import RowOf, field_of
from caldera.types.array import array_of
from caldera.types.record import Field, record_of
from caldera.types.registry import TYPES

DEPTH = "*DEPTH*"                       # what PostgreSQL calls the first field of q in breadth


def bind_search_and_cycle(binder, table, names, columns):
    """The SearchAndCycle of a CommonTable, whose own columns are given with their names. Raises 42601, 42701 and others for
    what its clauses must not say."""
    search, cycle = table.fields.get("search_clause"), table.fields.get("cycle_clause")
    if search is not None:
        check_list(binder, search, "search", search["search_col_list"], names)
        check_new(binder, search, "search sequence", search["search_seq_column"], names)
    if cycle is not None:
        check_list(binder, cycle, "cycle", cycle["cycle_col_list"], names)
        for what, key in (("cycle mark", "cycle_mark_column"), ("cycle path", "cycle_path_column")):
            check_new(binder, cycle, what, cycle[key], names)
        check_apart(binder, search, cycle)
    return SearchAndCycle(binder, table, names, columns, search, cycle)


def check_list(binder, clause, what, nodes, names):
    """Raise 42601 for a column that is not there, 42701 for one that is listed twice."""
    listed = strings(nodes)
    for number, name in enumerate(listed):
        if name not in names:
            raise binder.error("42601", f'{what} column "{name}" not in WITH query column list', clause.get("location", 0))
        if name in listed[:number]:
            raise binder.error("42701", f'{what} column "{name}" specified more than once', clause.get("location", 0))


def check_new(binder, clause, what, name, names):
    """Raise 42601 for a new column whose name is taken."""
    if name in names:
        raise binder.error("42601", f'{what} column name "{name}" already used in WITH query column list',
                           clause.get("location", 0))


def check_apart(binder, search, cycle):
    """Raise 42601 for new columns of one name."""
    mark, path = cycle["cycle_mark_column"], cycle["cycle_path_column"]
    sequence = search and search["search_seq_column"]
    for one, other, what in ((mark, path, "cycle mark column name and cycle path column name are the same"),
                             (sequence, mark, "search sequence column name and cycle mark column name are the same"),
                             (sequence, path, "search sequence column name and cycle path column name are the same")):
        if one == other:
            raise binder.error("42601", what, (search if one == sequence else cycle).get("location", 0))


class SearchAndCycle:
    """The further columns of a recursive query. names, columns: theirs, in order; own: the query's own columns, as the last
    round has them."""

    def __init__(self, binder, table, names, columns, search, cycle):
        self.binder, self.table, self.search, self.cycle = binder, table, search, cycle
        self.own_names, self.columns = list(names), []
        if search is not None:
            self.ordered = self.numbers(search["search_col_list"])
            record = self.record_type(columns, self.ordered, search.get("search_breadth_first", False))
            self.add(search["search_seq_column"], record if self.is_breadth else array_of(record))
        if cycle is not None:
            self.compared = self.numbers(cycle["cycle_col_list"])
            self.mark, self.unmarked = self.bind_marks()
            self.add(cycle["cycle_mark_column"], self.mark.type)
            self.add(cycle["cycle_path_column"], array_of(self.record_type(columns, self.compared)))

    @property
    def is_breadth(self):
        return self.search.get("search_breadth_first", False)

    @property
    def names(self):
        return tuple(column.name for column in self.columns)

    def numbers(self, nodes):
        """The numbers of the columns of a list."""
        return [self.own_names.index(name) for name in strings(nodes)]

    def record_type(self, columns, numbers, has_depth=False):
        """The type of records of some columns."""
        fields = tuple(Field(self.own_names[number], columns[number].type, columns[number].modifier) for number in numbers)
        return record_of((Field(DEPTH, TYPES["int8"]), *fields) if has_depth else fields)

    def add(self, name, type):
        """A new column."""
        self.columns.append(new_column(name, type))

    def bind_marks(self):
        """What stands in the column of CYCLE for rows that repeat another and for others, in their common type.
        Raises 42804, and 42883 for a type without =."""
        scope = Scope(self.binder, self.table.parent, self.table.visible)
        marks = [bind_expression(scope, self.cycle[key]) for key in ("cycle_mark_value", "cycle_mark_default")]
        type = common_type(self.binder, marks, "CYCLE")
        if not type.comparable:
            raise self.binder.error("42883", f"could not identify an equality operator for type {type.sql_name}")
        return [to_common_type(self.binder, mark, type, "CYCLE") for mark in marks]

    # ---- the terms

    def with_columns(self, rows, expressions, condition=None):
        """Rows with the further columns behind their own; `condition`: which rows count."""
        own = rows.columns[:len(self.own_names)]
        plan = rows.plan if condition is None else Filter(rows.plan, condition)
        new = [new_column(column.name, column.type) for column in self.columns]
        plan = Project(plan, (*((column, column) for column in own), *zip(new, expressions)))
        return Rows(plan, [*own, *new], rows.names)

    def of_first(self, rows):
        """The first term's Rows with the columns as they begin."""
        types, expressions = [column.type for column in self.columns], []
        if self.search is not None:
            sequence = types.pop(0)
            expressions.append(self.row_of(rows, self.ordered, sequence, Constant(0, TYPES["int8"])) if self.is_breadth else
                               ArrayOf((self.row_of(rows, self.ordered, sequence.element),), sequence))
        if self.cycle is not None:
            path = types.pop()
            expressions += [self.unmarked, ArrayOf((self.row_of(rows, self.compared, path.element),), path)]
        return self.with_columns(rows, expressions)

    def carry(self, first, step):
        """Let the step hand on the columns of the last round's row. Raises 0A000 or 42601 where it cannot. first, step: the
        terms, Branches if they are no set operations."""
        for sqlstate, side, term in (("0A000", "left", first), ("42601", "right", step)):
            if not (isinstance(term, Branch) and type(term.query) is Select):
                raise self.binder.error(
                    sqlstate, f"with a SEARCH or CYCLE clause, the {side} side of the UNION must be a SELECT")
        query = step.query
        source = next((source for source in query.scope.sources if isinstance(source, PlanSource)
                       and isinstance(source.node, WorkingScan) and source.node.number == self.table.number), None)
        if source is None:
            raise self.binder.error(
                "0A000", "with a SEARCH or CYCLE clause, the recursive reference to WITH query "
                         f'"{self.table.name}" must be at the top level of its right-hand SELECT')
        carried = [mention(column) for column in source.node.output[len(self.own_names):]]
        query.targets += [Target(column.name, column) for column in carried]

    def of_step(self, scope, rows):
        """The step's Rows, which have the last round's columns behind their own, with the columns as they go on."""
        carried, expressions, condition = list(rows.plan.output[len(self.own_names):]), [], None
        if self.search is not None:
            sequence = carried.pop(0)
            if self.is_breadth:
                depth = apply(scope, "+", field_of(sequence, 0), Constant(1, TYPES["int8"]), None)
                expressions.append(self.row_of(rows, self.ordered, sequence.type, depth))
            else:
                expressions.append(self.longer(scope, sequence, rows, self.ordered))
        if self.cycle is not None:
            mark, path = carried
            condition = apply(scope, "<>", mark, self.mark, None)
            here = self.row_of(rows, self.compared, path.type.element)
            repeats = quantified(scope, here, path, "=", None, True)
            expressions += [Case((repeats,), (self.mark,), self.unmarked, mark.type),
                            self.longer(scope, path, rows, self.compared)]
        return self.with_columns(rows, expressions, condition)

    @staticmethod
    def row_of(rows, numbers, type, depth=None):
        """The record of some columns of rows; in breadth with the depth in front."""
        fields = tuple(rows.columns[number] for number in numbers)
        return RowOf(fields if depth is None else (depth, *fields), type)

    def longer(self, scope, path, rows, numbers):
        """An array of records with that of a row at its end."""
        return apply(scope, "||", path, self.row_of(rows, numbers, path.type.element), None)
