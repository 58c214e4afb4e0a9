"""The simple way to unnest: conditions that use columns of the query around are pulled up, until they can stand in a join.

    SELECT y + t.b AS z FROM u WHERE u.a = t.a AND y > 0
      plan          SELECT y, a FROM u WHERE y > 0            uses nothing from outside
      conditions    u.a = t.a                                 which pairs of rows belong together
      made          z: y + t.b                                columns that can be had only from both
      order         None                                      or, of ORDER BY ... LIMIT 1, by what one row is chosen

It is possible as long as what stands above such a condition does not mind more rows: filters, projections, joins, groups
where the condition says what else to group by, and LIMIT 1 on top, for which there is the as-of join. Otherwise `domain.py`
knows how.
"""
from dataclasses import dataclass, replace

from caldera.optimize.simple_orders import minds_order
from caldera.plan.expressions import Call, Column, IsDistinct, Subquery, new_column
from caldera.plan.nodes import Aggregate, Filter, Join, Limit, Project, Sort, Values
from caldera.plan.predicates import conjunction, conjuncts, is_known, substituted
from caldera.plan.volatility import is_volatile
from caldera.plan.walk import all_expressions, free_columns, nodes_of


class NotSimple(Exception):
    """Conditions cannot be pulled up through something."""


@dataclass
class Pulled:
    """A plan without outer columns, the conditions under which its rows belong to an outer row, and {id of an output column:
    the expression over both that it is}. order: None, or the SortKeys by which one of these rows is chosen."""
    plan: object
    conditions: list
    made: dict
    order: tuple | None = None


def pulled(plan, outer, may_choose=False):
    """The Pulled of a plan that may use the columns whose ids are `outer`; with an order only if it `may_choose` one row.
    Raises NotSimple."""
    if not free_columns(plan).keys() & outer:
        return Pulled(plan, [], {})
    rule = RULES.get(type(plan))
    if rule is None:
        raise NotSimple
    found = rule(plan, outer)
    if found.order is not None and not may_choose:
        raise NotSimple
    return found


def over_both(expression, inner, outer):
    """(the expression over the input's plan and outer columns, whether it needs outer ones)."""
    expression = substituted(expression, inner.made)
    needs_outer = bool(expression.columns & outer)
    if needs_outer and (is_volatile(expression) or any(isinstance(part, Subquery) for part in all_expressions(expression))):
        raise NotSimple
    return expression, needs_outer


def pulled_filter(node, outer):
    """Conditions on outer columns leave the filter."""
    inner = pulled(node.input, outer)
    staying, moved = divided(conjuncts(node.predicate), inner, outer)
    plan = Filter(inner.plan, conjunction(staying)) if staying else inner.plan
    return Pulled(plan, inner.conditions + moved, inner.made)


def divided(conditions, inner, outer):
    """Conditions in two lists: those that stay, and those that use outer columns."""
    staying, moved = [], []
    for condition in conditions:
        condition, needs_outer = over_both(condition, inner, outer)
        (moved if needs_outer else staying).append(condition)
    return staying, moved


def pulled_project(node, outer):
    """Items that use outer columns are left for later; what they and the conditions need is handed on."""
    inner = pulled(node.input, outer, may_choose=True)
    items, made = [], {}
    for column, expression in node.items:
        expression, needs_outer = over_both(expression, inner, outer)
        if needs_outer:
            made[column.id] = expression
        else:
            items.append((column, expression))
    given, taken = {column.id: column for column in inner.plan.output}, {column.id for column, _ in items}
    keys = [key.expression for key in inner.order or ()]
    needed = set().union(*(expression.columns for expression in (*inner.conditions, *made.values(), *keys)))
    items += [(given[id], given[id]) for id in sorted(needed & given.keys() - taken)]
    return Pulled(Project(inner.plan, tuple(items)), inner.conditions, made, inner.order)


def pulled_join(node, outer):
    """From inner joins everything can be pulled, from others only what their left input has."""
    left, right = pulled(node.left, outer), pulled(node.right, outer)
    both = Pulled(None, left.conditions + right.conditions, left.made | right.made)
    staying, moved = divided(conjuncts(node.condition) if node.condition is not None else [], both, outer)
    if node.kind != "inner" and (moved or right.conditions or right.made or node.kind == "full"):
        raise NotSimple
    join = replace(node, left=left.plan, right=right.plan, condition=conjunction(staying))
    return Pulled(join, both.conditions + moved, both.made)


def pulled_aggregate(node, outer):
    """Groups are made for all outer rows at once: conditions must be equalities, whose inner sides become keys."""
    if not node.keys:
        raise NotSimple
    refuse_order(node.aggregates, node.input)
    inner = pulled(node.input, outer)
    if any(over_both(expression, inner, outer)[1] for _, expression in node.computed):
        raise NotSimple
    plan, conditions = grouped(inner.plan, inner.conditions, node.keys, node.aggregates)
    return Pulled(plan, conditions, {})


def grouped(plan, conditions, keys, aggregates):
    """(the Aggregate over a plan with the inner sides of the conditions among its keys, the conditions over these). Raises
    NotSimple for a condition that is no equality of something inside and something outside."""
    keys, remaining, inside = list(keys), [], {column.id for column in plan.output}
    for condition in conditions:
        sides = (condition.left, condition.right) if isinstance(condition, IsDistinct) and condition.negated else \
            condition.arguments if isinstance(condition, Call) and condition.function.operator == "=" else ()
        own = [number for number, side in enumerate(sides) if side.columns and side.columns <= inside]
        if len(own) != 1 or sides[1 - own[0]].columns & inside:
            raise NotSimple
        side = sides[own[0]]
        column = next((column for column, key in keys if key == side), None)
        if column is None:
            name = side.name if isinstance(side, Column) else str(side)[:60]
            column = new_column(name, side.type, side.modifier, side.nullable)
            keys.append((column, side))
        remaining.append(condition.with_children([column if other is side else other for other in sides]))
    return Aggregate(plan, tuple(keys), tuple(aggregates)), remaining


def refuse_order(aggregates, input):
    """Raise NotSimple where aggregates depend on the order that their input has: a join would lose it."""
    while isinstance(input, (Project, Filter)):
        input = input.input
    if isinstance(input, Sort) and any(minds_order(call) for _, call in aggregates):
        raise NotSimple


def pulled_sort(node, outer):
    """Rows have no order beyond a subquery, but for aggregates that ask for it."""
    if node.limit is not None or node.offset:
        raise NotSimple
    return pulled(node.input, outer)


def pulled_limit(node, outer):
    """LIMIT 1 chooses a row: the first in the order of the Sort below, or any where there is none. What could fail for rows
    that are not chosen, and orders that words do not tell, are not for this way."""
    below, keys = (node.input.input, node.input.keys) if isinstance(node.input, Sort) else (node.input, ())
    if node.offset is not None or not is_known(node.limit) or node.limit.value != 1 or has_order(below) or \
            may_fail([each for each in nodes_of(below) if isinstance(each, Project)]):
        raise NotSimple
    inner = pulled(below, outer)
    for key in keys:
        if not key.expression.type.key_is_exact or over_both(key.expression, inner, outer)[1] or is_volatile(key.expression):
            raise NotSimple
    return Pulled(inner.plan, inner.conditions, inner.made, tuple(keys))


def has_order(plan):
    """Whether the rows of a plan come in an order, as a Sort on its top says."""
    while isinstance(plan, (Project, Filter)):
        plan = plan.input
    return isinstance(plan, Sort)


SAFE_OPERATORS = {"=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "~~", "!~~"}


def may_fail(nodes):
    """Whether what nodes compute may fail for values that no outer row asks for; arithmetic that only overflows aside."""
    return any(isinstance(part, Call) and part.function.operator not in SAFE_OPERATORS and not part.function.cast
               or isinstance(part, Call) and part.function.cast == "explicit"
               for node in nodes for outer in node.evaluated for part in all_expressions(outer))


def pulled_values(node, outer):
    """Of one row, what uses outer columns is left for later."""
    if len(node.rows) != 1 or any(isinstance(part, Subquery) or is_volatile(part)
                                  for cell in node.rows[0] for part in all_expressions(cell)):
        raise NotSimple
    cells = list(zip(node.columns, node.rows[0]))
    fixed = [(column, cell) for column, cell in cells if not cell.columns & outer]
    made = {column.id: cell for column, cell in cells if cell.columns & outer}
    return Pulled(Values((tuple(cell for _, cell in fixed),), tuple(column for column, _ in fixed)), [], made)


RULES = {Filter: pulled_filter, Project: pulled_project, Join: pulled_join, Aggregate: pulled_aggregate, Sort: pulled_sort,
         Limit: pulled_limit, Values: pulled_values}
