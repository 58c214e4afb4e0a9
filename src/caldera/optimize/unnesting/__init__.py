"""Subqueries that use columns of the queries around them, and LATERAL, become joins: nothing runs once for each row.

    unnesting ─ unnested, from the sources up ─▶ unnested_node
      Filter              EXISTS ─▶ semi join     NOT EXISTS ─▶ anti join     IN, = ANY ─▶ semi join
      any expression      joins.Attached: EXISTS, IN, ANY ─▶ mark join        a value ─▶ left join with groups
      Join                LATERAL ─▶ inner or left join; subqueries in its condition go to the input they are about

    pulling.py    the simple way: conditions are pulled up into the join
    domain.py     the general way: computed for all values of the outer columns at once
    joins.py      joins for each kind of subquery
    guards.py     rows that do not ask for a subquery, since it stands in an arm of CASE

A subquery of which nothing is known where it stands, because its outer columns are those of a query further out, stays until
that one is unnested and has brought them. (Neumann and Kemper, "Unnesting Arbitrary Queries", BTW 2015; Neumann, "Improving
Unnesting of Complex Queries", BTW 2025.) A plan runs only when this is done, so that nobody can leave it out.
"""
from dataclasses import replace

from caldera.base.errors import error
from caldera.optimize.applied import applied
from caldera.optimize.unnesting.domain import numbered, with_column_ids
from caldera.optimize.unnesting.joins import Attached, depends, lateral, strip_not
from caldera.plan.expansion import Expand
from caldera.plan.expressions import AnySubquery, InSubquery, ScalarSubquery, Subquery
from caldera.plan.nodes import Aggregate, Append, Filter, GroupingSets, Join, Node, Project, Values, Window
from caldera.plan.predicates import conjunction, conjuncts
from caldera.plan.walk import all_expressions, nodes_of, rewrite, rewrite_expressions, rewrite_nodes, subqueries


def unnesting(plan, session):
    """Replace all correlated subqueries. Raises 0A000 for those for which it is not known how."""
    if not any(needs_unnesting(node) for node in nodes_of(plan)):
        return plan
    plan = unnested(plan, {})
    check(plan)
    return plan


def check(plan):
    """Raise 0A000 if a subquery is left that would have to run for each row."""
    for subquery in subqueries(plan):
        if isinstance(subquery, AnySubquery) or subquery.parameters:
            raise error("0A000", "correlated subqueries in this place are not supported yet")
        check(subquery.plan)


def needs_unnesting(node):
    """Whether a node has subqueries, or is a join that may be LATERAL."""
    if isinstance(node, Join):
        return True
    return any(outer.subqueries for outer in node.expressions)


def unnested(plan, seen):
    """The plan without correlated subqueries, but for those whose outer columns are not there. seen: {id of a subquery's
    plan: (that plan, what became of it)}."""
    def inside(expression):
        if not isinstance(expression, Subquery):
            return expression
        if id(expression.plan) not in seen:
            seen[id(expression.plan)] = expression.plan, unnested(expression.plan, seen)
        plan = seen[id(expression.plan)][1]
        return expression if plan is expression.plan else replace(expression, plan=plan)

    def of_node(node):
        terms = [unnested(term, seen) for term in node.terms]
        if any(new is not old for new, old in zip(terms, node.terms)):
            node = node.with_inner(terms)
        return unnested_node(rewrite_expressions(node, lambda outer: rewrite(outer, inside)))
    return rewrite_nodes(plan, of_node)


def unnested_node(node):
    """The node without correlated subqueries in its expressions, over inputs that have none any more."""
    if isinstance(node, Join):
        node = lateral(node, unnested_node)
        if not isinstance(node, Join):
            return node
    given = {column.id for input in node.inputs for column in input.output}
    if isinstance(node, Values):
        return values_of_subqueries(node) if any(has_dependent(outer, given) for outer in node.expressions) else node
    rule = RULES.get(type(node))
    wanted = isinstance(node, Filter) and any(isinstance(part, InSubquery) for part in conjuncts(node.predicate))
    if rule is None or not wanted and not any(has_dependent(outer, given) for outer in node.expressions):
        return node
    return rule(node)


def has_dependent(expression, given):
    """Whether an expression holds a subquery to be replaced where the columns with the ids `given` are known."""
    return any(depends(part, given) for part in all_expressions(expression))


def only(node, columns):
    """The node's rows with just these columns."""
    if [column.id for column in node.output] == [column.id for column in columns]:
        return node
    given = {column.id: column for column in node.output}
    return Project(node, tuple((given[column.id], given[column.id]) for column in columns))


def unnested_filter(node):
    """Conditions without subqueries first, then a join for each EXISTS and IN; others are computed and filtered by."""
    output, given = node.output, {column.id for column in node.input.output}
    conditions = conjuncts(node.predicate)
    special = [condition for condition in conditions if has_dependent(condition, given) or isinstance(condition, InSubquery)]
    plain = [condition for condition in conditions if condition not in special]
    attached = Attached(Filter(node.input, conjunction(plain)) if plain else node.input, unnested_node)
    for condition in special:
        subquery, negated = strip_not(condition)
        if isinstance(subquery, InSubquery) and not negated:
            attached.member(subquery)
        elif isinstance(subquery, ScalarSubquery) and subquery.exists and depends(subquery, given):
            attached.exists(attached.settled(subquery), "anti" if negated else "semi")
        elif isinstance(subquery, AnySubquery) and depends(subquery, given):
            subquery = attached.settled(subquery)
            attached.none(subquery) if negated else attached.some(subquery)
        else:
            attached.keep(attached.replaced(condition))
    return only(attached.input, output)


def unnested_project(node):
    """The node over an input that has what the subqueries give."""
    attached = Attached(node.input, unnested_node)
    items = tuple((column, attached.replaced(expression)) for column, expression in node.items)
    return Project(attached.input, items)


def unnested_aggregate(node):
    """The same for keys, arguments and filters of aggregates."""
    attached = Attached(node.input, unnested_node)
    keys = tuple((column, attached.replaced(key)) for column, key in node.keys)
    calls = tuple((column, attached.replaced(call)) for column, call in node.aggregates)
    return replace(node, input=attached.input, keys=keys, aggregates=calls)


def unnested_window(node):
    """The same for what window functions are about."""
    attached = Attached(node.input, unnested_node)
    changed = rewrite_expressions(node, attached.replaced)
    return only(replace(changed, input=attached.input), node.output)


def unnested_expand(node):
    """The same for what lists are made of."""
    attached = Attached(node.input, unnested_node)
    lists = tuple((column, attached.replaced(expression)) for column, expression in node.lists)
    return only(replace(node, input=attached.input, lists=lists), node.output)


def unnested_join(node):
    """Conditions with subqueries stand above an inner join; those of an outer one go to the only input they are about, if
    there is one."""
    given = {column.id for input in node.inputs for column in input.output}
    conditions = conjuncts(node.condition)
    special = [condition for condition in conditions if has_dependent(condition, given)]
    plain = conjunction(condition for condition in conditions if condition not in special)
    if node.kind == "inner":
        return unnested_filter(Filter(replace(node, condition=plain), conjunction(special)))
    inputs = [Attached(input, unnested_node) for input in node.inputs]
    replaced = [] if plain is None else [plain]
    for condition in special:
        for attached in inputs:
            own = {column.id for column in attached.input.output}
            condition = attached.replaced(condition, lambda part, own=own: depends(part, own) and part.columns <= own)
        if has_dependent(condition, given):
            return join_of_pairs(node)
        replaced.append(condition)
    left, right = (attached.input for attached in inputs)
    return only(replace(node, left=left, right=right, condition=conjunction(replaced)), node.output)


def join_of_pairs(node):
    """A join, not an inner one, whose condition holds subqueries about both inputs: an inner join finds the pairs of rows
    for which it holds, then the rows' numbers say to which rows partners belong.

        l LEFT JOIN r ON c      l LEFT JOIN (l JOIN r ON c) USING (l's number)
        l FULL JOIN r ON c      (the same) FULL JOIN r USING (r's number)
    """
    left, of_left = numbered(node.left)
    right, of_right = numbered(node.right) if node.kind == "full" else (node.right, None)
    pairs = unnested_node(Join(left, right, "inner", node.condition))
    pairs = only(pairs, (of_left, of_right) if node.kind == "full" else (of_left, *right.output))
    again, names = renewed(left)
    kind = "left" if node.kind == "full" else node.kind
    plan = replace(node, left=again, right=pairs, kind=kind, condition=applied("=", names[of_left.id], of_left))
    if node.kind == "full":
        copy, right_names = renewed(right)
        plan = Join(plan, copy, "full", applied("=", of_right, right_names[of_right.id]))
        names |= right_names
    given = {column.id: column for column in plan.output}
    items = ((column, names.get(column.id, column)) for column in node.output)
    return Project(plan, tuple((column, given[source.id]) for column, source in items))


def renewed(rows):
    """(a Shared once more with new columns, {id of a column: the new one})."""
    columns = tuple(map(with_column_ids, rows.columns))
    return replace(rows, columns=columns), {old.id: new for old, new in zip(rows.columns, columns)}


def values_of_subqueries(node):
    """Each row of VALUES as a projection of a row of nothing."""
    if len(node.rows) == 1:
        return unnested_node(Project(Values(((),), ()), tuple(zip(node.columns, node.rows[0]))))
    rows = [tuple((with_column_ids(column), cell) for column, cell in zip(node.columns, row)) for row in node.rows]
    branches = tuple(unnested_node(Project(Values(((),), ()), row)) for row in rows)
    return Append(branches, tuple(branch.output for branch in branches), node.columns)


RULES: dict[type[Node], object] = {Filter: unnested_filter, Project: unnested_project, Aggregate: unnested_aggregate,
                                   GroupingSets: unnested_aggregate,
                                   Window: unnested_window, Expand: unnested_expand, Join: unnested_join}
