"""Joins for each kind of subquery: what an input has to be joined with, so that an expression can take its value from there.

    EXISTS                semi, anti or mark join
    x op ANY              the same with the comparison among the conditions; NULLs by further mark joins
    a value               left join with one group for each outer row; 21000 where the group is of several rows
    LATERAL               inner or left join
    ... LIMIT 1           as-of join, for values and LATERAL
"""
from dataclasses import dataclass, replace

from caldera.functions import registry
from caldera.optimize.applied import applied, counting, takes
from caldera.optimize.unnesting import guards
from caldera.optimize.unnesting.domain import Domain, or_empty, same, shared, unsupported, with_column_ids
from caldera.optimize.unnesting.guards import rewrite_guarded
from caldera.optimize.unnesting.pulling import NotSimple, grouped, has_order, may_fail, pulled, refuse_order
from caldera.plan.expansion import Expand
from caldera.plan.expressions import (AggregateCall, AnySubquery, Call, Case, Column, Constant, IsNull, Not, OneRow, Or,
                                      ScalarSubquery, new_column)
from caldera.plan.nodes import Aggregate, Filter, Join, Limit, Project, Scan, Shared, Sort, Values, nulled
from caldera.plan.predicates import conjunction, conjuncts, is_known, substituted
from caldera.plan.volatility import is_volatile_plan
from caldera.plan.walk import all_expressions, free_columns, nodes_of
from caldera.types.registry import TYPES

TRUE, NULL = Constant(True, TYPES["bool"]), Constant(None, TYPES["bool"])


def depends(part, given):
    """Whether a part of an expression is a subquery to be replaced where the columns with the ids `given` are known."""
    if not isinstance(part, (AnySubquery, ScalarSubquery)):
        return False
    if part.columns:
        return bool(part.columns & given)
    return isinstance(part, AnySubquery) or bool(part.parameters)


def strip_not(condition):
    """(what is below any number of NOTs, whether their number is odd)."""
    negated = False
    while isinstance(condition, Not):
        condition, negated = condition.argument, not negated
    return condition, negated


@dataclass
class Correlated:
    """How rows of a subquery belong to outer rows. input: the outer rows; right: the subquery's rows, which use nothing from
    outside; conditions: what holds of an outer row and its rows. both: {id: expression over outer rows and `right`} of
    parameters and of columns that `right` lacks. order: None, or by what one of an outer row's rows is chosen."""
    input: object
    right: object
    conditions: list
    both: dict
    order: tuple | None = None


def correlated(input, plan, values, unnest, simple=True, may_choose=False):
    """The Correlated of a plan. values: {id of a parameter: its expression over the input}. simple: whether conditions may
    be pulled up. may_choose: whether one row may be chosen by an order. Raises NotSimple."""
    of_rows = must_run_for_each(plan, values)
    if simple:
        if of_rows:
            raise NotSimple
        inner = pulled(plan, values.keys(), may_choose)
        made = {id: substituted(expression, values) for id, expression in inner.made.items()}
        return Correlated(input, inner.plan, [substituted(condition, values) for condition in inner.conditions],
                          values | made, inner.order)
    domain = Domain(input, values, unnest, of_rows)
    right, keys = domain.push(plan)
    named = domain.named(keys)
    return Correlated(domain.input, right, same(domain.values, keys), named)


def must_run_for_each(plan, values):
    """Whether a plan that uses outer `values` must run for each outer row, since it gives something else each time."""
    return bool(values) and is_volatile_plan(plan)


def either_way(make):
    """What `make(simple)` gives the simple way, or else the general way."""
    try:
        return make(True)
    except NotSimple:
        return make(False)


def values_of(subquery):
    """{id of a parameter: its expression over the outer rows}."""
    return dict(zip(subquery.parameters, subquery.outer))


class Attached:
    """An input with joins, one for each subquery that has been replaced. unnest: unnested_node, for what new nodes hold."""

    def __init__(self, input, unnest):
        self.input, self.unnest, self.done = input, unnest, []

    def replaced(self, expression, wanted=None):
        """The expression with subqueries replaced: those for which `wanted` holds, or all whose outer columns are there."""
        wanted = wanted or (lambda part: depends(part, {column.id for column in self.input.output}))
        while any(wanted(part) for part in all_expressions(expression)):
            expression = rewrite_guarded(expression, lambda part, where: self.value(part, where) if wanted(part) else part)
        return expression

    def settled(self, subquery):
        """A subquery whose outer expressions hold no others any more."""
        return subquery.with_children([self.replaced(child) for child in subquery.children])

    def keep(self, condition):
        """Only rows for which a condition holds, which may hold subqueries that came to light."""
        self.input = Filter(self.input, condition)

    def value(self, subquery, where=None):
        """The expression that a subquery's value is. where: the value of an expression for the rows that ask for it."""
        if where is not None and guards.may_fail(subquery.plan):
            subquery = replace(subquery, outer=tuple(map(where, subquery.outer)))
        for other, value in self.done:
            if other.plan is subquery.plan and other.outer == subquery.outer:
                return value
        if isinstance(subquery, AnySubquery):
            value = self.any_value(subquery)
        else:
            value = self.exists(subquery, "mark") if subquery.exists else self.scalar(subquery)
        self.done.append((subquery, value))
        return value

    # ---- EXISTS

    def exists(self, subquery, kind):
        """Join with the rows of EXISTS; of a mark join, the column that tells."""
        plan = rows_of_exists(subquery.plan)
        if plan is None or isinstance(plan, Aggregate):         # an aggregate without keys has one row, whatever happens
            value = Constant(plan is not None, TYPES["bool"])
            if kind != "mark" and value.value == (kind == "anti"):
                self.keep(Constant(False, TYPES["bool"]))
            return value
        found = either_way(lambda simple: correlated(self.input, plan, values_of(subquery), self.unnest, simple))
        return self.join(found, kind, [])

    def join(self, found, kind, conditions):
        """Join the input with what was found, under its and further conditions."""
        mark = new_column("mark", TYPES["bool"], None, False) if kind == "mark" else None
        self.input = Join(found.input, found.right, kind, conjunction(found.conditions + conditions), mark)
        return mark

    # ---- IN, ANY

    def member(self, subquery):
        """The rows whose argument is in an uncorrelated subquery. Its values may come several times."""
        argument, plan = self.replaced(subquery.argument), subquery.plan
        if isinstance(plan, Aggregate) and not plan.aggregates:
            plan = Project(plan.input, plan.keys)
        column, = plan.output
        self.input = Join(self.input, plan, "semi", applied("=", argument, column))

    def some(self, subquery):
        """The rows for which the condition holds for some row of the subquery."""
        found, condition = self.compared(subquery)
        self.join(found, "semi", [condition])

    def none(self, subquery):
        """The rows for which the condition is false for all rows of the subquery."""
        found, condition = self.compared(subquery)
        if not condition.nullable:
            self.join(found, "anti", [condition])
            return
        found = read_twice(found)
        self.join(found, "anti", [condition])
        self.keep(Not(self.unknown(found, condition)))

    def any_value(self, subquery):
        """The three-valued truth: true if the condition is for some row, else NULL if it is for some row, else false."""
        found, condition = self.compared(subquery)
        if not condition.nullable:
            return self.join(found, "mark", [condition])
        found = read_twice(found)
        holds = self.join(found, "mark", [condition])
        unknown = self.unknown(found, condition)
        return Case((holds, unknown), (TRUE, NULL), Constant(False, TYPES["bool"]), TYPES["bool"])

    def compared(self, subquery):
        """(the Correlated of an AnySubquery, its condition over both)."""
        found = either_way(lambda simple: correlated(self.input, subquery.plan, values_of(subquery), self.unnest, simple))
        column, = subquery.plan.output
        return found, found.both.get(column.id, column)

    def unknown(self, found, condition):
        """Whether a condition is NULL for some row. Of a strict comparison that is so if either side is: each side is asked
        for by itself, so that no join has to compare all rows with all."""
        given = {column.id for column in found.right.output}
        sides = strict_sides(condition)
        if sides is None or any(side.columns & given and not side.columns <= given for side in sides):
            return self.again(found, [IsNull(condition)])
        inner = [IsNull(side) for side in sides if side.nullable and side.columns & given]
        outer = [IsNull(side) for side in sides if side.nullable and not side.columns & given]
        answers = [self.again(found, [disjunction(inner)])] if inner else []
        if outer:
            any_row = self.again(found, [])
            answers.append(Case((disjunction(outer),), (any_row,), Constant(False, TYPES["bool"]), TYPES["bool"]))
        return disjunction(answers)

    def again(self, found, conditions):
        """The mark of a further join with the same rows."""
        copy = fresh(found.right)
        names = {old.id: new for old, new in zip(found.right.output, copy.output)}
        conditions = [substituted(condition, names) for condition in found.conditions + conditions]
        mark = new_column("mark", TYPES["bool"], None, False)
        self.input = Join(self.input, copy, "mark", conjunction(conditions), mark)
        return mark

    # ---- values

    def scalar(self, subquery):
        """The value of a subquery: NULL without row."""
        plan, values = subquery.plan, values_of(subquery)
        inlined = one_row_of_nothing(plan, values)
        if inlined is not None:
            return inlined
        above, top = chain(plan)
        if isinstance(top, Aggregate) and not top.keys and not must_run_for_each(plan, values):
            return either_way(lambda simple: self.aggregated(above, top, plan.output[0], values, simple))
        return either_way(lambda simple: self.single(plan, values, simple))

    def aggregated(self, above, top, column, values, simple):
        """The value of a subquery that has one row, of aggregates. above: the Projects and Filters over it, top first."""
        if simple and may_fail([*above, top]):
            raise NotSimple
        self.input, known, conditions = with_groups(self.input, above, top, values, self.unnest, simple)
        return only_where(conditions, known[column.id])

    def single(self, plan, values, simple):
        """The value of a subquery that may have several rows, which is an error where it is asked for."""
        anyone = not simple and isinstance(plan, Limit) and takes_one(plan)
        if anyone:
            plan = plan.input
        column, = plan.output
        if simple and may_fail([node for node in nodes_of(plan) if isinstance(node, Project)]):
            raise NotSimple
        found = correlated(self.input, plan, values, self.unnest, simple, may_choose=True)
        value = found.both.get(column.id, column)
        if found.order is not None:
            self.input, guards, columns = with_chosen(found)
            value = substituted(value, columns)
            is_of_rows = isinstance(value, Column) and any(value.id == each.id for each in columns.values())
            return value if is_of_rows else only_where(guards, value)
        inside = {each.id: each for each in found.right.output}
        needed = [inside[id] for id in sorted(value.columns & inside.keys())]
        calls = [(new_column(each.name, each.type, each.modifier), any_of(each)) for each in needed]
        rows = new_column("rows", TYPES["int8"], None, False)
        groups, conditions = grouped(found.right, found.conditions, (), [*calls, (rows, counting())])
        self.input = Join(found.input, groups, "left", conjunction(conditions))
        count = replace(rows, nullable=True)
        value = substituted(value, {each.id: replace(new, nullable=True) for each, (new, _) in zip(needed, calls)})
        checked = value if anyone else OneRow(value, count)
        is_of_rows = isinstance(value, Column) and any(value.id == new.id for new, _ in calls)
        return checked if is_of_rows else only_where([IsNull(count, negated=True)], checked)


def with_chosen(found):
    """Outer rows with the row that is chosen for each: (an as-of join, the conditions that there is a row, {id of a column
    of it: the same as the join gives it})."""
    there = new_column("there", TYPES["bool"], None, False)
    right = Project(found.right, (*((column, column) for column in found.right.output), (there, TRUE)))
    join = Join(found.input, right, "asof", conjunction(found.conditions), order=found.order)
    columns = {column.id: column for column in nulled(right.output)}
    return join, [IsNull(columns[there.id], negated=True)], columns


def only_where(conditions, value):
    """The value where conditions hold, else NULL."""
    if not conditions:
        return value
    return Case((conjunction(conditions),), (value,), Constant(None, value.type, value.modifier), value.type, value.modifier)


def with_groups(input, above, top, values, unnest, simple):
    """An input with the aggregates of a subquery: (the join, {id: expression over it} of what the subquery gives, the
    conditions of its Filters). top: an Aggregate without keys; above: the Projects and Filters over it, top first."""
    if simple:
        refuse_order(top.aggregates, top.input)
    found = correlated(input, top.input, values, unnest, simple)
    calls = [(with_column_ids(column), inner_call(call, found)) for column, call in top.aggregates]
    groups, conditions = grouped(found.right, found.conditions, (), calls)
    join = Join(found.input, unnest(groups), "left", conjunction(conditions))
    known = {column.id: or_empty(new, call) for (column, _), (new, call) in zip(top.aggregates, calls)}
    return join, *through(above, values | known)


def through(above, known):
    """({id: expression} of what Projects give, the conditions of Filters), over what is `known` below them."""
    conditions = []
    for node in reversed(above):
        if isinstance(node, Filter):
            conditions.append(substituted(node.predicate, known))
        else:
            known = known | {column.id: substituted(expression, known) for column, expression in node.items}
    return known, conditions


def strict_sides(condition):
    """The arguments of a call that is NULL exactly where one of them is; None of other expressions."""
    if not isinstance(condition, Call):
        return None
    function = condition.function
    return condition.arguments if function.strict and not function.may_be_null and not function.python else None


def disjunction(conditions):
    """One condition that holds where any of several does."""
    return conditions[0] if len(conditions) == 1 else Or(tuple(conditions))


def any_of(column):
    """any_value(column)."""
    signature = next((signature for signature in registry.AGGREGATES["any_value"] if takes(signature, [column.type])), None)
    if signature is None:
        raise unsupported(f"values of type {column.type.sql_name}")
    return AggregateCall(signature, (column,), column.type, column.modifier)


def inner_call(call, found):
    """An aggregate over the subquery's rows alone. Raises NotSimple if it needs outer columns."""
    call = substituted(call, found.both)
    if call.columns & {column.id for column in found.input.output}:
        raise NotSimple
    return call


def chain(plan):
    """(the Projects and Filters on top of a plan, top first; what is below)."""
    above = []
    while isinstance(plan, (Project, Filter)) or isinstance(plan, Sort) and plan.limit is None:
        if not isinstance(plan, Sort):
            above.append(plan)
        plan = plan.input
    return above, plan


def one_row_of_nothing(plan, values):
    """The value of a subquery without FROM, as an expression; None if it is none, or what is volatile might be computed
    more than once."""
    above, top = chain(plan)
    if not isinstance(top, Values) or len(top.rows) != 1:
        return None
    if is_volatile_plan(plan) and not (isinstance(plan, Project) and plan.input == Values(((),), ())):
        return None
    known = values | {column.id: substituted(cell, values) for column, cell in zip(top.columns, top.rows[0])}
    known, conditions = through(above, known)
    return only_where(conditions, known[plan.output[0].id])


def takes_one(limit):
    """Whether a Limit takes one row, whichever: nothing below says which comes first."""
    return limit.offset is None and is_known(limit.limit) and limit.limit.value == 1 and \
        not has_order(limit.input)


def rows_of_exists(plan):
    """A plan that has rows where another one has; None if that has none. An Aggregate without keys has one."""
    while True:
        if isinstance(plan, (Project, Sort)) or isinstance(plan, Aggregate) and plan.keys:
            plan = plan.input
        elif isinstance(plan, Limit) and plan.offset is None and (plan.limit is None or is_known(plan.limit)):
            if plan.limit is not None and plan.limit.value == 0:
                return None
            plan = plan.input
        else:
            return plan


# ------------------------------------------------------------------------------------------------ rows that are read again

def read_twice(found):
    """The same rows in a form that can be read several times."""
    if not all(isinstance(node, (Scan, Filter, Project)) for node in nodes_of(found.right)):
        found = replace(found, right=shared(found.right))
    return found


def fresh(plan):
    """The same rows under new column ids."""
    columns = tuple(map(with_column_ids, plan.output))
    if isinstance(plan, Shared):
        return replace(plan, columns=columns)
    return Project(plan, tuple(zip(columns, plan.output)))


# ------------------------------------------------------------------------------------------------ LATERAL

def lateral(node, unnest):
    """A Join whose right input uses the left one's columns, as a plan in which it does not."""
    left = {column.id: column for column in node.left.output}
    values = {id: left[id] for id in free_columns(node.right) if id in left}
    if not values or node.kind not in ("inner", "left"):
        return node
    expanded = expansion(node)
    if expanded is not None:
        return expanded
    return either_way(lambda simple: unnest_lateral(node, values, unnest, simple))


def expansion(node):
    """A join with lists that are made for each left row, as an Expand of the left input; None of other joins."""
    right, items = node.right, None
    if isinstance(right, Project) and isinstance(right.input, Expand):
        right, items = right.input, right.items
    if not isinstance(right, Expand) or right.input != Values(((),), ()):
        return None
    conditions = [] if node.condition is None else [each for each in conjuncts(node.condition) if each != TRUE]
    keeps_all = node.kind == "left"
    if keeps_all and conditions or has_subqueries(node.right) or has_subqueries(right):
        return None
    plan = replace(right, input=node.left, keeps_all=keeps_all)
    if items is not None:
        plan = projected(plan, items)
    return Filter(plan, conjunction(conditions)) if conditions else plan


def projected(plan, items):
    """The columns of an Expand's input, and what is computed from its lists: NULL where they are all empty."""
    kept = tuple((column, column) for column in plan.input.output)
    if plan.keeps_all:
        number = plan.ordinality or new_column("number", TYPES["int8"])
        plan = replace(plan, ordinality=number)
        made = {column.id for column in plan.made}
        items = tuple((column, item if isinstance(item, Column) and item.id in made else
                       Case((IsNull(number),), (Constant(None, item.type),), item, item.type, item.modifier))
                      for column, item in items)
    return Project(plan, kept + items)


def has_subqueries(node):
    """Whether a node's expressions hold subqueries."""
    return any(outer.subqueries for outer in node.evaluated)


def unnest_lateral(node, values, unnest, simple):
    """The join with what can be computed for all left rows at once; columns that need both inputs come above."""
    above, top = chain(node.right)
    conditions = [] if node.condition is None else [each for each in conjuncts(node.condition) if each != TRUE]
    keeps_one_row = node.kind == "inner" or not conditions and not any(isinstance(below, Filter) for below in above)
    if isinstance(top, Aggregate) and not top.keys and keeps_one_row and not must_run_for_each(node.right, values):
        return lateral_row(node, above, top, conditions, values, unnest, simple)
    found = correlated(node.left, node.right, values, unnest, simple, may_choose=True)
    made = {column.id: found.both[column.id] for column in node.right.output if column.id in found.both}
    if found.order is not None:
        return lateral_choice(node, found, made, conditions, unnest)
    conditions = found.conditions + [substituted(condition, made) for condition in conditions]
    right = found.right
    there = new_column("there", TYPES["bool"], None, False)
    if made and node.kind == "left":
        right = Project(right, (*((column, column) for column in right.output), (there, TRUE)))
    join = unnest(Join(found.input, right, node.kind, conjunction(conditions)))
    if not made:
        return project_to(join, node.output, {})
    guards = [IsNull(replace(there, nullable=True), negated=True)] if node.kind == "left" else []
    nullable = {column.id: column for column in nulled(right.output)} if node.kind == "left" else {}
    items = {id: only_where(guards, substituted(expression, nullable)) for id, expression in made.items()}
    return unnest(project_to(join, node.output, items))


def lateral_choice(node, found, made, own, unnest):
    """LATERAL with LIMIT 1: each left row with the row that is chosen for it, which its `own` conditions may then refuse."""
    if node.kind == "left" and own:
        raise NotSimple
    plan, guards, columns = with_chosen(found)
    plan = unnest(plan)
    made = {id: substituted(expression, columns) for id, expression in made.items()}
    if node.kind == "left":
        made = {id: only_where(guards, expression) for id, expression in made.items()}
    else:
        plan = unnest(Filter(plan, conjunction(guards + [substituted(condition, made) for condition in own])))
    return unnest(project_to(plan, node.output, made))


def project_to(plan, output, items):
    """The plan's rows with just these columns: those in `items` {id: expression} are computed."""
    given = {column.id: column for column in plan.output}
    return Project(plan, tuple((column, items[column.id]) if column.id in items else (given[column.id], given[column.id])
                               for column in output))


def lateral_row(node, above, top, own, values, unnest, simple):
    """LATERAL with aggregates: each left row gets exactly one row, which its `own` conditions may then refuse."""
    plan, known, conditions = with_groups(node.left, above, top, values, unnest, simple)
    items = {column.id: known[column.id] for column in node.right.output}
    conditions += [substituted(condition, items) for condition in own]
    if conditions:
        plan = unnest(Filter(plan, conjunction(conditions)))
    return unnest(project_to(plan, node.output, items))
