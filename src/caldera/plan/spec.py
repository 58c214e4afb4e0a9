"""What a plan may look like after each stage. A plan that breaks these rules is a fault of the binder or of a rule.

    bind ─▶ bound(plan)                 optimize ─▶ optimized(plan)              both raise XX000, naming the node

    after bind        Scan Values Series FunctionScan Filter Project Aggregate Sort Limit, under one statement or its EXPLAIN
    after optimize    also Scan with ranges or row ids, Sort with a limit, RowFetch, TableFacts

At all times: a node uses only columns that its inputs give, or none where it has no input; no output has one id twice; a
column that a node computes has a new id; conditions are Boolean; aggregates stand in Aggregate nodes and nowhere else.

Checked under SET caldera.checked = on, and for the whole test corpus by tests/plan.
"""
from caldera.base.errors import error
from caldera.plan import nodes
from caldera.plan.expressions import AggregateCall, And, Case, Column, Not
from caldera.plan.walk import all_expressions, expressions_of, nodes_of, subqueries

STATEMENTS = (nodes.Query, nodes.Insert, nodes.CreateTableAs, nodes.CopyTo, nodes.Explain, nodes.Utility)
ONLY_OPTIMIZED = (nodes.RowFetch, nodes.TableFacts)


def bound(plan):
    """Check what the binder has made. Raises XX000."""
    check(plan, is_bound=True)


def optimized(plan):
    """Check what the rules have made of a bound plan. Raises XX000."""
    check(plan, is_bound=False)


CHECKS = {"bind": bound, "optimize": optimized}


def check(plan, is_bound):
    """Check a plan and the plans of its subqueries."""
    top = (plan, plan.input) if isinstance(plan, nodes.Explain) else (plan,)
    for node in nodes_of(plan):
        require(node in top or not isinstance(node, STATEMENTS), node, "is a statement inside of a plan")
        if is_bound:
            check_is_logical(node)
        check_columns(node)
        check_conditions(node)
        check_aggregates(node)
    for subquery in subqueries(plan):
        is_exists = getattr(subquery, "exists", False)
        require(len(subquery.plan.output) == 1 or is_exists, subquery.plan, "has more than one column for one value")
        check(subquery.plan, is_bound)


def require(holds, node, fault):
    """Raise XX000 for a node unless a condition holds."""
    if not holds:
        raise error("XX000", f"illegal plan: {type(node).__name__} {fault}", detail=str(node))


def check_is_logical(node):
    """What rules add is not there yet."""
    require(not isinstance(node, ONLY_OPTIMIZED), node, "is for the optimizer to make")
    if isinstance(node, nodes.Scan):
        require(not node.ranges and node.row_id is None, node, "has ranges or row ids before it was optimized")
    if isinstance(node, nodes.Sort):
        require(node.limit is None and node.offset == 0, node, "has a limit before it was optimized")


def check_columns(node):
    """Columns come from the inputs, and ids are unique."""
    given = {column.id for input in node.inputs for column in input.output}
    if isinstance(node, nodes.Limit):
        given = set()                                   # LIMIT and OFFSET are the same for all rows
    used = {id for expression in used_expressions(node) for id in expression.columns}
    require(used <= given, node, f"uses columns {sorted(used - given)} that its input does not give")
    ids = [column.id for column in node.output]
    require(len(ids) == len(set(ids)) or isinstance(node, STATEMENTS), node, "gives one column twice")
    for column, expression in computed(node):
        is_new = column.id not in given
        require(is_new or isinstance(expression, Column) and expression.id == column.id, node,
                f"calls what it computes by the id of its input's column {column.name}")


def used_expressions(node):
    """The expressions that a node evaluates over its input; the columns that it makes are none of them."""
    if isinstance(node, (nodes.Project, nodes.Aggregate)):
        return [expression for _, expression in computed(node)]
    if isinstance(node, nodes.Scan):
        return [bound for range in node.ranges for bound in (range.low, range.high) if bound is not None]
    if isinstance(node, nodes.Values):
        return [expression for row in node.rows for expression in row]
    if isinstance(node, nodes.Series):
        return [node.start, node.stop, node.step]
    if isinstance(node, nodes.FunctionScan):
        return list(node.arguments)
    if isinstance(node, nodes.RowFetch):
        return [node.row_id]
    return [] if isinstance(node, nodes.TableFacts) else list(expressions_of(node))


def computed(node):
    """Pairs (Column, Expression) of what a node computes."""
    if isinstance(node, nodes.Project):
        return node.items
    return (*node.keys, *node.aggregates) if isinstance(node, nodes.Aggregate) else ()


def check_conditions(node):
    """What is asked whether it is true has the type bool."""
    conditions = [node.predicate] if isinstance(node, nodes.Filter) else []
    for expression in parts(node):
        if isinstance(expression, And):
            conditions += expression.arguments
        elif isinstance(expression, Not):
            conditions.append(expression.argument)
        elif isinstance(expression, Case):
            conditions += expression.conditions
        elif isinstance(expression, AggregateCall) and expression.filter is not None:
            conditions.append(expression.filter)
    for condition in conditions:
        require(condition.type.name == "bool", node, f"asks whether {condition} is true, which is {condition.type.sql_name}")


def check_aggregates(node):
    """An AggregateCall is what an Aggregate computes, as a whole."""
    calls = [call for _, call in node.aggregates] if isinstance(node, nodes.Aggregate) else []
    for call in calls:
        require(isinstance(call, AggregateCall), node, f"computes {call}, which is no aggregate")
    for part in parts(node):
        require(not isinstance(part, AggregateCall) or any(part is call for call in calls), node,
                f"evaluates the aggregate {part} row by row")


def parts(node):
    """All expressions that a node evaluates, and all inside them."""
    return [part for expression in used_expressions(node) for part in all_expressions(expression)]
