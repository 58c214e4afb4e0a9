"""SELECT and VALUES to a plan.

    bind_query ──▶ FROM ─ targets ─ WHERE ─ HAVING ─ ORDER BY ─ GROUP BY ─ DISTINCT ─ LIMIT      the order of binding
                   Scan ▸ Filter ▸ Aggregate ▸ Filter ▸ Window ▸ Project ▸ Aggregate (DISTINCT) ▸ Sort ▸ Limit ▸ Project

A *target* is an output column: a name and an expression, or a hidden one that only ORDER BY or GROUP BY needs. The last
Project drops the hidden ones.
"""
from dataclasses import dataclass, replace
from typing import Any

from caldera.bind.binder import leftmost
from caldera.bind.common_tables import add_common_tables
from caldera.bind.conversions import (ASSIGNMENT, can_convert, check_equality, common_modifier, common_type, convert,
                                      text_if_unknown, to_boolean, to_common_type)
from caldera.bind.first_rows import first_of_each, with_ties
from caldera.bind.grouping import Grouping
from caldera.bind.grouping_sets import sets_of_clause
from caldera.bind.names import output_name
from caldera.bind.operators import known_value
from caldera.bind.orders import sort_key
from caldera.bind.records import bind_items, expanded_record
from caldera.bind.rules import bind_expression
from caldera.bind.sameness import same
from caldera.bind.scope import PlanSource, Scope
from caldera.bind.set_returning import divided, expand
from caldera.bind.sources import bind_from
from caldera.bind.windows import WindowDefinitions, plan_windows, window_calls
from caldera.plan.expressions import AggregateCall, Column, Constant, GroupingCall, new_column
from caldera.plan.nodes import Aggregate, Filter, Join, Limit, Project, Sort, Values
from caldera.types.registry import TYPES

TARGETS_MAX = 1664              # hidden ones included


@dataclass
class Target:
    """An output column; hidden ones have no name."""
    name: str | None
    expression: Any

    @property
    def hidden(self):
        return self.name is None


def bind_query(binder, fields, parent=None, common_tables=None, settle=None):
    """The pair (plan, names of its output columns) of a SelectStmt. For `settle` see `analyzed`."""
    return analyzed(binder, fields, parent, common_tables, settle).assemble()


def analyzed(binder, fields, parent=None, common_tables=None, settle=None):
    """The Select of a SelectStmt, whose targets are known; `assemble` gives its plan.

    settle: what becomes of an output expression that is still of type unknown, (number of the column, expression) ->
    expression; without it, text.
    """
    for clause, what in (("lockingClause", "FOR UPDATE and FOR SHARE are"), ("intoClause", "SELECT INTO is")):
        if clause in fields:
            raise binder.unsupported(what)
    scope = Scope(binder, parent, common_tables)
    if "withClause" in fields:
        add_common_tables(scope, fields["withClause"])
    if fields.get("op", "SETOP_NONE") != "SETOP_NONE":
        from caldera.bind.set_operations import SetOperation        # whose branches are queries in their turn
        return SetOperation(scope, fields).analyze()
    return Select(scope, fields, settle).analyze()


def bind_subquery(scope, node):
    """The pair (plan, names) of a query inside another one's expressions."""
    return bind_query(scope.binder, node["SelectStmt"], scope)


class Select:
    """The binding of one SELECT without set operations: `analyze` finds out what everything means, `assemble` makes the
    plan. Between the two, `targets` may still get other types."""

    def __init__(self, scope, fields, settle):
        self.scope, self.fields, self.binder, self.settle = scope, fields, scope.binder, settle
        self.targets, self.sort, self.clauses, self.has_ties = [], [], (), False

    def analyze(self):
        """Bind all clauses."""
        fields = self.fields
        self.bind_input()
        self.scope.windows = WindowDefinitions(self.scope, fields.get("windowClause", ()))
        self.bind_targets()
        condition = self.bind_condition("whereClause", "WHERE")
        having = self.bind_condition("havingClause", "HAVING", aggregates=True)
        self.sort = [(self.find_target(node["SortBy"]["node"], "ORDER BY"), node["SortBy"])
                     for node in fields.get("sortClause", ())]
        sets = self.bind_grouping_sets()
        distinct = self.bind_distinct()
        limit, offset = self.bind_limit("limitCount", "LIMIT"), self.bind_limit("limitOffset", "OFFSET")
        self.scope.windows.bind_all()
        self.check_ties(limit)
        self.clauses = condition, sets, having, distinct, limit, offset
        return self

    # ---- the parts

    def bind_input(self):
        if "valuesLists" in self.fields:
            self.scope.add(bind_values(self.scope, self.fields["valuesLists"], settle=self.settle))
        else:
            bind_from(self.scope, self.fields.get("fromClause", ()))

    def bind_targets(self):
        scope, targets = self.scope, self.targets
        if "valuesLists" in self.fields:
            self.star_targets(scope.sources, {"location": -1})
            return
        for node in self.fields.get("targetList", ()):
            target = node["ResTarget"]
            value = target["val"]
            reference = value.get("ColumnRef")
            if reference is not None and "A_Star" in reference["fields"][-1]:
                self.expand_star(reference)
                continue
            if "A_Indirection" in value and "A_Star" in value["A_Indirection"]["indirection"][-1]:
                for name, expression in expanded_record(scope, value):
                    targets.append(Target(name, self.settled(len(targets), expression)))
                continue
            expression = self.settled(len(targets), bind_expression(scope, value))
            targets.append(Target(target.get("name") or output_name(value), expression))

    def settled(self, number, expression):
        """The expression of an output column, of a type that it can have."""
        if expression.type.name != "unknown":
            return expression
        return self.settle(number, expression) if self.settle else text_if_unknown(self.binder, expression)

    def expand_star(self, reference):
        location, qualifier = reference.get("location", 0), reference["fields"][:-1]
        if qualifier:
            names = [node["String"]["sval"] for node in qualifier]
            self.star_targets([self.scope.find_source(names, location)[0]], reference)
        elif not self.scope.sources:
            raise self.binder.error("42601", "SELECT * with no tables specified is not valid", location)
        else:
            self.star_targets(self.scope.open_sources, reference)

    def star_targets(self, sources, reference):
        """Targets for all columns of the sources, which stand where the star stands."""
        for source in sources:
            for number, name in enumerate(source.column_names):
                self.targets.append(Target(name, self.scope.mention(source, number, {"ColumnRef": reference})))

    def bind_condition(self, field, clause, aggregates=False):
        if field not in self.fields:
            return None
        return to_boolean(self.binder, self.bind_in_clause(self.fields[field], clause, aggregates), clause)

    def bind_in_clause(self, node, clause, aggregates=False):
        """Bind an expression of a clause, and go back to the SELECT list's rules."""
        scope = self.scope
        scope.clause, scope.aggregates_allowed = clause, aggregates
        expression = bind_expression(scope, node)
        scope.clause, scope.aggregates_allowed = "SELECT", True
        return expression

    def find_target(self, node, clause):
        """The number of the target that an item of ORDER BY, GROUP BY or DISTINCT ON means. Its type matters from now on."""
        number = self.find(node, clause)
        self.targets[number].expression = text_if_unknown(self.binder, self.targets[number].expression)
        if clause != "ORDER BY":
            check_equality(self.binder, [self.targets[number].expression])
        return number

    def find(self, node, clause):
        """SQL-92's output names and positions first, then SQL-99's expressions over the input, which become hidden
        targets."""
        reference, constant = node.get("ColumnRef"), node.get("A_Const")
        if reference is not None and len(reference["fields"]) == 1 and "String" in reference["fields"][0]:
            found = self.by_name(reference["fields"][0]["String"]["sval"], clause, reference.get("location", 0))
            if found is not None:
                return found
        if constant is not None:
            return self.by_position(constant, clause)
        expression = self.bind_in_clause(node, clause, aggregates=clause != "GROUP BY")
        expression = text_if_unknown(self.binder, expression)
        for number, target in enumerate(self.targets):
            if same(self.binder, target.expression, expression):
                return number
        self.targets.append(Target(None, expression))
        return len(self.targets) - 1

    def by_name(self, name, clause, location):
        if clause == "GROUP BY" and self.scope.has_column(name):
            return None                             # a column of the input comes first, as SQL-99 has it
        found = [number for number, target in enumerate(self.targets) if target.name == name]
        meant = [self.targets[number].expression for number in found]
        if not all(same(self.binder, expression, meant[0]) for expression in meant):
            raise self.binder.error("42702", f'{clause} "{name}" is ambiguous', location)
        return found[0] if found else None

    def by_position(self, constant, clause):
        location = constant.get("location", 0)
        if "ival" not in constant:
            raise self.binder.error("42601", f"non-integer constant in {clause}", location)
        position, visible = constant["ival"].get("ival", 0), [n for n, t in enumerate(self.targets) if not t.hidden]
        if not 1 <= position <= len(visible):
            raise self.binder.error("42P10", f"{clause} position {position} is not in select list", location)
        return visible[position - 1]

    def bind_grouping_sets(self):
        """The sets of GROUP BY, as tuples of the numbers of targets; one without keys if there is no GROUP BY."""
        return sets_of_clause(self.binder, self.fields.get("groupClause", ()), self.group_key,
                              self.fields.get("groupDistinct", False))

    def group_key(self, node):
        number = self.find_target(node, "GROUP BY")
        refuse_aggregates(self.binder, self.targets[number].expression)
        return number

    def bind_distinct(self):
        """Whether the SELECT is DISTINCT, or the targets of DISTINCT ON. Raises 42P10 if ORDER BY is in its way."""
        if "distinctClause" not in self.fields:
            return False
        if any(self.fields["distinctClause"]):      # [{}] is plain DISTINCT
            return self.bind_distinct_on()
        for target in self.targets:
            target.expression = text_if_unknown(self.binder, target.expression)
        for number, _ in self.sort:
            if self.targets[number].hidden:
                raise self.binder.error("42P10", "for SELECT DISTINCT, ORDER BY expressions must appear in select list",
                                        self.binder.location(self.targets[number].expression))
        return True

    def bind_distinct_on(self):
        """The numbers of the targets of DISTINCT ON. Raises 42P10 unless they are the first of ORDER BY, in any order."""
        keys = [self.find_target(node, "DISTINCT ON") for node in self.fields["distinctClause"]]
        ordered = [number for number, _ in self.sort]
        leading = next((place for place, number in enumerate(ordered) if number not in keys), len(ordered))
        missing = [node for node, number in zip(self.fields["distinctClause"], keys) if number not in ordered[:leading]]
        if missing and leading < len(ordered):
            raise self.binder.error("42P10", "SELECT DISTINCT ON expressions must match initial ORDER BY expressions",
                                    leftmost(missing[0]))
        return keys

    def check_ties(self, limit):
        """Raise 42601 for WITH TIES without an order, 2201W without a number."""
        self.has_ties = self.fields.get("limitOption") == "LIMIT_OPTION_WITH_TIES"
        if self.has_ties and not self.sort:
            raise self.binder.error("42601", "WITH TIES cannot be specified without ORDER BY clause")
        if self.has_ties and limit is None:
            raise self.binder.error("2201W", "row count cannot be null in FETCH FIRST ... WITH TIES clause")

    def bind_limit(self, field, clause):
        if field not in self.fields:
            return None
        before, self.scope.sources = self.scope.sources, []
        expression = self.limit_expression(before, clause, self.fields[field])
        self.scope.sources = before
        return expression

    def limit_expression(self, sources, clause, node):
        self.scope.sources = sources                # names are found, to say that they may not be used
        expression = self.bind_in_clause(node, clause)
        location = self.binder.location(expression)
        if not can_convert(expression.type.name, "int8", ASSIGNMENT):
            raise self.binder.error("42804", f"argument of {clause} must be type bigint, not type "
                                             f"{expression.type.sql_name}", location)
        if expression.columns - self.scope.outer:
            raise self.binder.error("42P10", f"argument of {clause} must not contain variables", location)
        if isinstance(expression, Constant):
            known = known_value(self.binder, expression, TYPES["int8"])
            if known is not None:
                if known.value is not None and known.value < 0:
                    raise self.binder.error("2201W" if clause == "LIMIT" else "2201X", f"{clause} must not be negative")
                return None if known.value is None else known
        return convert(self.binder, expression, TYPES["int8"], context=ASSIGNMENT)

    # ---- the whole

    def assemble(self):
        """The pair (plan, names of its output columns)."""
        condition, sets, having, distinct, limit, offset = self.clauses
        scope = self.scope
        if len(self.targets) > TARGETS_MAX:
            raise self.binder.error("54011", f"target lists can have at most {TARGETS_MAX} entries")
        expressions = [target.expression for target in self.targets]
        keys = [expressions[number] for numbers in sets for number in numbers]
        early, late = divided(scope.set_calls, [*keys, *(call for each in expressions for call in window_calls(each))])
        if having is not None or scope.has_aggregates or "groupClause" in self.fields:
            grouping = Grouping(scope, sets, [target.name for target in self.targets], expressions)
            grouping.given |= {call.column.id for call in late}
            late = [replace(call, expression=grouping.regroup(call.expression)) for call in late]
            expressions = grouping.regrouped_targets(expressions)
            having = grouping.regroup(having) if having is not None else None
            plan = grouping.plan(expand(self.filtered_rows(condition), early))
        else:
            plan = expand(self.filtered_rows(condition), early)
        if having is not None:
            plan = Filter(plan, having)
        plan, expressions = plan_windows(self.binder, plan, expressions)
        plan = expand(plan, late)
        if distinct is True:                        # rows are compared by what is shown; hidden targets come last
            self.targets = [target for target in self.targets if not target.hidden]
        plan, columns = project(self.binder, plan, self.targets, expressions)
        if distinct is True:
            check_equality(self.binder, columns)
            named = [new_column(column.name, column.type, column.modifier, column.nullable) for column in columns]
            plan, columns = Aggregate(plan, tuple(zip(named, columns)), ()), named
        order = tuple(sort_key(self.binder, node, columns[number]) for number, node in self.sort)
        if distinct and distinct is not True:
            plan = first_of_each(scope, plan, [columns[number] for number in distinct], order)
        if self.has_ties:
            plan = with_ties(scope, plan, order, limit, offset)
        if order:
            plan = Sort(plan, order)
        if not self.has_ties and (limit is not None or offset is not None):
            plan = Limit(plan, limit, offset)
        visible = [column for column, target in zip(columns, self.targets) if not target.hidden]
        if len(visible) < len(plan.output):
            plan = Project(plan, tuple((column, column) for column in visible))
        return plan, tuple(target.name for target in self.targets if not target.hidden)

    def filtered_rows(self, condition):
        """The rows of FROM that satisfy WHERE. Without FROM there is one row of no columns."""
        plans = [source.plan() for source in self.scope.roots] or [Values(((),), ())]
        plan = plans[0]
        for other in plans[1:]:
            plan = Join(plan, other, "inner")
        return plan if condition is None else Filter(plan, condition)


def project(binder, plan, targets, expressions):
    """A Project of the targets, and its columns. A column of the input that is only handed on keeps its id, once."""
    items, taken, given = [], set(), {column.id for column in plan.output}
    for target, expression in zip(targets, expressions):
        if isinstance(expression, Column) and expression.id in given - taken:
            column = expression
        else:
            name = target.name or str(expression)[:60]
            column = new_column(name, expression.type, expression.modifier, expression.nullable)
            binder.at(column, expression)
        taken.add(column.id)
        items.append((column, expression))
    return Project(plan, tuple(items)), [column for column, _ in items]


def refuse_aggregates(binder, expression):
    """Raise 42803 if a key of GROUP BY, found among the targets, holds an aggregate, 42P20 if it holds a window function."""
    for call in window_calls(expression):
        raise binder.error("42P20", "window functions are not allowed in GROUP BY", binder.location(call))
    if isinstance(expression, (AggregateCall, GroupingCall)):
        what = "aggregate functions" if isinstance(expression, AggregateCall) else "grouping operations"
        raise binder.error("42803", f"{what} are not allowed in GROUP BY", binder.location(expression))
    for child in expression.children:
        refuse_aggregates(binder, child)


def bind_values(scope, lists, settle=None, alias="*VALUES*", names=None):
    """VALUES lists as a FROM item. `settle` as for `bind_query`."""
    binder = scope.binder
    with scope.in_clause("VALUES"):
        rows = [bind_items(scope, node["List"].get("items", ())) for node in lists]
    for row in rows:
        if len(row) != len(rows[0]):
            raise binder.error("42601", "VALUES lists must all be the same length", binder.location(row[0]) if row else None)
    columns = []
    for number in range(len(rows[0])):
        cells = [row[number] for row in rows]
        if settle and all(cell.type.name == "unknown" for cell in cells):
            cells = [settle(number, cell) for cell in cells]
        type = common_type(binder, cells, "VALUES")
        cells = [to_common_type(binder, cell, type, "VALUES") for cell in cells]
        columns.append((new_column(f"column{number + 1}", type, common_modifier(cells, type),
                                   any(cell.nullable for cell in cells)), cells))
    node = Values(tuple(zip(*(cells for _, cells in columns))), tuple(column for column, _ in columns))
    return PlanSource(node, alias, names or [column.name for column, _ in columns])
