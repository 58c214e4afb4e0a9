"""UNION, INTERSECT and EXCEPT: types as PostgreSQL finds them, and what becomes of the rows.

    a UNION ALL b       Append(a, b)
    a UNION b           Aggregate(Append(a, b), all columns)
    a INTERSECT b       Aggregate(Append(a with true, b with false), all columns; how many of a, how many of b),
    a EXCEPT b          of which a Filter keeps groups; with ALL, a Repeat gives each group as often as it is left

Operations take two branches at a time, so types are found from the inside out, as PostgreSQL does it: a literal in quotes
becomes what the branch beside it has, and text if that is one, too.
"""
from dataclasses import dataclass, field
from typing import Any

from caldera.bind.conversions import check_equality, common_modifier, common_type, to_common_type
from caldera.bind.operators import apply
from caldera.bind.record_types import has_records
from caldera.bind.scope import PlanSource
from caldera.bind.select import Select, Target, analyzed
from caldera.functions import registry as functions
from caldera.plan.expressions import AggregateCall, And, Constant, Extreme, Not, new_column
from caldera.plan.nodes import Aggregate, Append, Filter, Project, Repeat
from caldera.types.registry import TYPES

OF_WHOLE = {"sortClause", "limitCount", "limitOffset", "lockingClause", "withClause"}


class SetOperation(Select):
    """The binding of a set operation with its ORDER BY and LIMIT, which see output columns only."""

    def __init__(self, scope, fields):
        super().__init__(scope, {name: fields[name] for name in fields if name not in ("larg", "rarg")}, None)
        self.rows = combined(scope, fields)

    def bind_input(self):
        self.scope.add(PlanSource(self.rows.plan, None, self.rows.names))

    def bind_targets(self):
        source, = self.scope.sources
        for number, (name, column) in enumerate(zip(self.rows.names, self.rows.columns)):
            self.targets.append(Target(name, self.binder.at(source.expression(number), column)))

    def find(self, node, clause):
        count = len(self.targets)
        number = super().find(node, clause)
        if number == count:
            raise self.binder.error(
                "0A000", "invalid UNION/INTERSECT/EXCEPT ORDER BY clause",
                self.binder.location(self.targets[number].expression),
                detail="Only result column names can be used, not expressions or functions.",
                hint="Add the expression/function to every SELECT, or move the UNION into a FROM clause.")
        return number


@dataclass
class Rows:
    """The rows of a set operation or of one of its branches. columns: the plan's output, whose places are known. parts: of a
    UNION the pairs (plan, columns) whose rows it has; is_distinct: without duplicates."""
    plan: Any
    columns: list
    names: tuple
    parts: list = field(default_factory=list)
    is_distinct: bool = False


class Branch:
    """A query that is no set operation: its literals may still get a type. columns: its output as expressions."""

    def __init__(self, scope, fields):
        self.binder = scope.binder
        self.query = analyzed(scope.binder, fields, scope.parent, scope.common_tables, lambda _, expression: expression)
        self.targets = [target for target in self.query.targets if not target.hidden]

    @property
    def columns(self):
        return [target.expression for target in self.targets]

    @property
    def names(self):
        return tuple(target.name for target in self.targets)

    def settled(self, types, what):
        """The Rows of the branch, whose literals have these types now."""
        for target, type in zip(self.targets, types):
            if target.expression.type.name == "unknown" or has_records(type):
                target.expression = to_common_type(self.binder, target.expression, type, what)
        expressions = self.columns
        plan, names = self.query.assemble()
        columns = list(plan.output)
        for column, expression in zip(columns, expressions):
            self.binder.at(column, expression)
        return Rows(plan, columns, names)


def combined(scope, fields):
    """The Rows of a set operation's syntax, without its ORDER BY and LIMIT."""
    what = fields["op"].removeprefix("SETOP_")
    left, right = branch(scope, fields["larg"]), branch(scope, fields["rarg"])
    return combine(scope, what, bool(fields.get("all")), left, right)


def branch(scope, fields):
    """One side: the Rows of a further set operation, or a Branch."""
    if fields.get("op", "SETOP_NONE") != "SETOP_NONE" and not OF_WHOLE & set(fields):
        return combined(scope, fields)
    return Branch(scope, fields)


def combine(scope, what, keeps_all, left, right):
    """The Rows of an operation ("UNION") on two sides. Raises 42601 and 42804 where they do not fit."""
    binder = scope.binder
    if len(left.columns) != len(right.columns):
        places = (binder.location(column) for column in right.columns)
        raise binder.error("42601", f"each {what} query must have the same number of columns",
                           next((place for place in places if place is not None), None))
    pairs = list(zip(left.columns, right.columns))
    types = [common_type(binder, pair, what) for pair in pairs]
    left, right = (side.settled(types, what) if isinstance(side, Branch) else side for side in (left, right))
    modifiers = [common_modifier(pair, type) for pair, type in zip(zip(left.columns, right.columns), types)]
    left, right = converted(scope, left, types, what), converted(scope, right, types, what)
    columns = []
    for name, type, modifier, *pair in zip(left.names, types, modifiers, left.columns, right.columns):
        columns.append(new_column(name, type, modifier, any(column.nullable for column in pair)))
        chosen = pair[0] if pair[0].type is type else pair[1]
        binder.at(columns[-1], chosen)
    operation = union if what == "UNION" else counted
    return operation(scope, what, keeps_all, left, right, columns)


def converted(scope, rows, types, what):
    """Rows whose columns have the given types."""
    if all(column.type is type for column, type in zip(rows.columns, types)):
        return rows
    items = []
    for column, type in zip(rows.columns, types):
        expression = to_common_type(scope.binder, column, type, what)
        items.append((new_column(column.name, type, None, expression.nullable), expression))
        scope.binder.at(items[-1][0], column)
    return Rows(Project(rows.plan, tuple(items)), [column for column, _ in items], rows.names)


def union(scope, what, keeps_all, left, right, columns):
    """All rows of both sides; without `keeps_all`, each once. A union inside a union is part of it."""
    parts = []
    for side in (left, right):
        parts += side.parts if side.parts and not (keeps_all and side.is_distinct) else [(side.plan, side.columns)]
    plan = Append(tuple(plan for plan, _ in parts), tuple(tuple(given) for _, given in parts), tuple(columns))
    if not keeps_all:
        plan, columns = grouped(scope, plan, columns, ())
    return Rows(plan, columns, left.names, parts, not keeps_all)


def counted(scope, what, keeps_all, left, right, columns):
    """INTERSECT and EXCEPT: groups of equal rows, of which it is known how many each side has."""
    sides = []
    for side, is_left in ((left, True), (right, False)):
        mark = new_column("left", TYPES["bool"], None, False)
        sides.append((side, Project(side.plan, (*((column, column) for column in side.columns),
                                                (mark, Constant(is_left, TYPES["bool"])))), mark))
    mark = new_column("left", TYPES["bool"], None, False)
    plan = Append(tuple(plan for _, plan, _ in sides), tuple((*side.columns, mark) for side, _, mark in sides),
                  (*columns, mark))
    count = next(signature for signature in functions.AGGREGATES["count"] if not signature.arguments)
    calls = [(new_column(name, count.result, None, False), AggregateCall(count, (), count.result, None, False, filter))
             for name, filter in (("left_rows", mark), ("right_rows", Not(mark)))]
    plan, columns = grouped(scope, plan, columns, calls)
    (of_left, _), (of_right, _) = calls
    if keeps_all:
        times = Extreme(False, (of_left, of_right), count.result, None) if what == "INTERSECT" else \
            apply(scope, "-", of_left, of_right, None)
        plan = Repeat(plan, times)
    else:
        none = Constant(0, count.result)
        plan = Filter(plan, And((apply(scope, ">", of_left, none, None),
                                 apply(scope, ">" if what == "INTERSECT" else "=", of_right, none, None))))
    return Rows(Project(plan, tuple((column, column) for column in columns)), columns, left.names, [], not keeps_all)


def grouped(scope, plan, columns, calls):
    """(an Aggregate of groups of equal rows, its columns). Rows without columns are all equal."""
    check_equality(scope.binder, columns)
    keys = [new_column(column.name, column.type, column.modifier, column.nullable) for column in columns]
    for key, column in zip(keys, columns):
        scope.binder.at(key, column)
    pairs = tuple(zip(keys, columns)) or ((new_column("row", TYPES["bool"], None, False), Constant(True, TYPES["bool"])),)
    return Aggregate(plan, pairs, tuple(calls)), keys
