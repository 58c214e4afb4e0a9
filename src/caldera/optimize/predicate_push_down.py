"""Conditions go down to where the rows come from, so that fewer rows are worked on and scans can leave out granules.

    Filter(Project(x, a + 1 AS b), b > 5)          ──▶   Project(Filter(x, a + 1 > 5), ...)
    Filter(Aggregate(x, k), k = 3 AND count > 1)   ──▶   Filter(Aggregate(Filter(x, k = 3), k), count > 1)
    Filter(GroupingSets(x, {k, l}, {k}), k = 3)    ──▶   GroupingSets(Filter(x, k = 3), {k, l}, {k})
    Filter(Window(x, PARTITION BY k), k = 3)       ──▶   Window(Filter(x, k = 3), PARTITION BY k)
    Filter(Sort(x), ...)                           ──▶   Sort(Filter(x, ...))
    Filter(Append(x, y), ...)                      ──▶   Append(Filter(x, ...), Filter(y, ...))

    Filter(Join(x, y, ON a = b), x.c = 1 AND d = e)   ──▶   Join(Filter(x, c = 1), y, ON a = b AND d = e)
    Filter(Left Join(x, y, ON a = b), b IS NULL)      ──▶   Anti Join(x, y, ON a = b)
    Join(Left Join(x, y, ON a = b), z, ON y.c = z.c)  ──▶   Join(Join(x, y, ON a = b), z, ON y.c = z.c)
    Filter(Left Join(x, y, ON a = b), a = 1)          ──▶   Left Join(Filter(x, a = 1), Filter(y, b = 1), ON a = b)

What is asked of the left keys of a join that is no inner one is asked of the right keys, too: rows that would not pass are
nobody's partners. Inner joins have filters by their keys for that (key_filters).

Conditions on the side of an outer join that may be missing stay above it, unless they make it an inner join (no row without
a partner survives them, nor what a join above asks) or an anti join (only such rows do). Nothing passes a Limit or a top-N,
which would then choose among other rows, nor a volatile expression. A condition on group keys passes only where equal keys
are the same, since it would otherwise see more values than the group shows.
"""
from dataclasses import replace

from caldera.plan.expansion import Expand
from caldera.plan.expressions import Call, Column, Constant, InList, IsNull, Relabel
from caldera.plan.nodes import Aggregate, Append, Filter, GroupingSets, Join, Project, Sort, Window
from caldera.plan.predicates import cannot_fail, conjunction, conjuncts, equalities, substituted
from caldera.plan.volatility import is_volatile
from caldera.plan.walk import rewrite_nodes


def predicate_push_down(plan, session):
    """Move conditions towards the sources."""
    return rewrite_nodes(plan, pushed)


def pushed(node):
    """A Filter or Join whose input is settled already, with its conditions as far down as they can go."""
    if isinstance(node, Join):
        return joined(node, [])
    if not isinstance(node, Filter):
        return node
    if isinstance(node.input, Filter):
        inner = node.input
        return pushed(Filter(inner.input, conjunction(conjuncts(inner.predicate) + conjuncts(node.predicate))))
    if isinstance(node.input, Join):
        return joined(node.input, conjuncts(node.predicate))
    if isinstance(node.input, Append):
        return appended(node.input, conjuncts(node.predicate))
    movable, staying = [], []
    passes = {Project: passes_project, Aggregate: passes_aggregate, Sort: passes_sort,
              GroupingSets: passes_sets, Window: passes_window, Expand: passes_expand}.get(type(node.input))
    for condition in conjuncts(node.predicate):
        below = passes(node.input, condition) if passes and not is_volatile(condition) else None
        if below is None or staying and not isinstance(node.input, (Aggregate, GroupingSets)):
            staying.append(condition)           # what stands behind a condition that stays may rely on it
        else:
            movable.append(below)
    if not movable:
        return node
    plan = replace(node.input, input=pushed(Filter(node.input.input, conjunction(movable))))
    return Filter(plan, conjunction(staying)) if staying else plan


def appended(append, conditions):
    """An Append under conditions: each of its branches under them, up to the first that is volatile."""
    count = next((place for place, condition in enumerate(conditions) if is_volatile(condition)), len(conditions))
    movable, staying = conditions[:count], conditions[count:]
    if not movable:
        return Filter(append, conjunction(staying))
    branches = []
    for branch, columns in zip(append.branches, append.given):
        given = dict(zip((column.id for column in append.columns), columns))
        branches.append(pushed(Filter(branch, conjunction(substituted(condition, given) for condition in movable))))
    plan = append.with_inputs(branches)
    return Filter(plan, conjunction(staying)) if staying else plan


def passes_project(node, condition):
    """The condition below a Project, or None."""
    items = {column.id: expression for column, expression in node.items if column.id in condition.columns}
    return None if any(is_volatile(expression) for expression in items.values()) else substituted(condition, items)


def passes_aggregate(node, condition):
    """The condition below an Aggregate, or None."""
    keys = {column.id: expression for column, expression in node.keys
            if column.type.equal_is_same and not is_volatile(expression)}
    return substituted(condition, keys) if condition.columns and condition.columns <= keys.keys() else None


def passes_sets(node, condition):
    """The condition below a GroupingSets, or None: what is about keys that all sets have."""
    common = set.intersection(*map(set, node.sets))
    everywhere = {column.id for place, (column, _) in enumerate(node.keys) if place in common}
    return passes_aggregate(node, condition) if condition.columns <= everywhere else None


def passes_window(node, condition):
    """The condition below a Window, or None: what leaves out whole partitions."""
    keys = {key.id for key in node.partition if isinstance(key, Column) and key.type.equal_is_same}
    return condition if condition.columns and condition.columns <= keys else None


def passes_expand(node, condition):
    """The condition below an Expand, or None: what is about its input."""
    return None if condition.columns & {column.id for column in node.made} else condition


def passes_sort(node, condition):
    """The condition below a Sort, or None."""
    return condition if node.limit is None else None


def joined(join, conditions):
    """A Join under conditions, each of which goes to the input it is about, into the join, or stays above."""
    join = stricter(join, conditions)
    if join.kind == "left" and any(asks_for_no_partner(condition, join) for condition in conditions):
        return without_partner(join, conditions)
    left, right = ({column.id for column in input.output} for input in join.inputs)
    own = conjuncts(join.condition) if join.condition is not None else []
    above, inside, lower, upper = [], [], [], []
    for condition in conditions:
        if is_volatile(condition):
            above.append(condition)
        elif condition.columns <= left and join.kind != "full":
            lower.append(condition)
        elif condition.columns <= right and join.kind == "inner":
            upper.append(condition)
        else:
            (inside if join.kind == "inner" else above).append(condition)
    for condition in own:
        if condition.columns <= right and join.kind != "full" and not is_volatile(condition):
            upper.append(condition)
        elif condition.columns <= left and join.kind in ("inner", "semi") and not is_volatile(condition):
            lower.append(condition)
        else:
            inside.append(condition)
    if join.kind not in ("inner", "full"):
        upper += asked_of_partners(join, lower + own_conditions(join.left), own_conditions(join.right))
    left_input = with_partners(join.left, inside) if join.kind in ("inner", "semi") else join.left
    right_input = with_partners(join.right, inside) if join.kind in ("inner", "semi", "left", "anti") else join.right
    plan = replace(join, condition=conjunction(inside),
                   left=pushed(Filter(left_input, conjunction(lower))) if lower else left_input,
                   right=pushed(Filter(right_input, conjunction(upper))) if upper else right_input)
    return Filter(plan, conjunction(above)) if above else plan


def with_partners(node, conditions):
    """A node whose rows have to satisfy conditions of a join above: its outer joins are stricter (`stricter`)."""
    if isinstance(node, Filter):
        return replace(node, input=with_partners(node.input, conditions))
    if not isinstance(node, Join) or node.kind in ("mark", "asof"):
        return node
    join = stricter(node, conditions)
    left = with_partners(join.left, conditions) if join.kind != "full" else join.left
    right = with_partners(join.right, conditions) if join.kind == "inner" else join.right
    if join is node and left is node.left and right is node.right:
        return node
    return replace(join, left=left, right=right)


def own_conditions(node):
    """The conditions of a Filter."""
    return conjuncts(node.predicate) if isinstance(node, Filter) else []


def asked_of_partners(join, conditions, known):
    """What conditions on the left keys of a join ask of the right ones, which equal them; without those that are known."""
    partners = {left.id: right for left, right in equalities(join)[0] if isinstance(left, Column) and
                isinstance(right, Column) and left.type == right.type and left.type.equal_is_same}
    asked = [substituted(condition, partners) for condition in conditions
             if condition.columns and condition.columns <= partners.keys() and cannot_fail(condition)]
    return [condition for condition in asked if condition not in known]


def stricter(join, conditions):
    """An outer join whose rows without a partner do not survive the conditions, as what is left of it."""
    left, right = ({column.id for column in input.output} for input in join.inputs)
    if join.kind == "left" and any(refuses_nulls(condition, right) for condition in conditions):
        return replace(join, kind="inner")
    if join.kind == "full":
        keeps_left = not any(refuses_nulls(condition, right) for condition in conditions)
        keeps_right = not any(refuses_nulls(condition, left) for condition in conditions)
        if keeps_left and keeps_right:
            return join
        if keeps_left:
            return replace(join, kind="left")
        return replace(join, kind="left", left=join.right, right=join.left) if keeps_right else replace(join, kind="inner")
    return join


def asks_for_no_partner(condition, join):
    """Whether a condition on a left join is true for rows without a partner only: it asks for NULL in a column that cannot
    be NULL where the join's condition holds."""
    if not isinstance(condition, IsNull) or condition.negated or not isinstance(condition.argument, Column):
        return False
    id = condition.argument.id
    return any(column.id == id for column in join.right.output) and join.condition is not None and \
        any(refuses_nulls(own, {id}) for own in conjuncts(join.condition))


def without_partner(join, conditions):
    """A left join under conditions one of which asks for rows without a partner, as an anti join."""
    rest = [condition for condition in conditions if not asks_for_no_partner(condition, join)]
    missing = tuple((column, Constant(None, column.type)) for column in join.right.output)
    plan = Project(joined(replace(join, kind="anti"), []), (*((column, column) for column in join.left.output), *missing))
    return pushed(Filter(plan, conjunction(rest))) if rest else plan


def refuses_nulls(condition, ids):
    """Whether a condition cannot be true where all columns in `ids` are NULL."""
    if isinstance(condition, Call):
        return condition.function.strict and any(is_null_with(argument, ids) for argument in condition.arguments)
    return isinstance(condition, IsNull) and condition.negated and is_null_with(condition.argument, ids) or \
        isinstance(condition, InList) and is_null_with(condition.argument, ids)


def is_null_with(expression, ids):
    """Whether an expression is NULL where all columns in `ids` are."""
    if isinstance(expression, Column):
        return expression.id in ids
    if isinstance(expression, Relabel):
        return is_null_with(expression.argument, ids)
    return isinstance(expression, Call) and expression.function.strict and \
        any(is_null_with(argument, ids) for argument in expression.arguments)
