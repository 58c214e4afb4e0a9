"""What a plan may look like after each stage. A plan that breaks these rules is a fault of the binder or of a rule.

    bind ─▶ bound(plan)                 optimize ─▶ optimized(plan)              both raise XX000, naming the node

    after bind        Scan Values Series FunctionScan Filter Project Join Append Repeat Expand Aggregate GroupingSets
                      Window Sort Limit CommonScan Recursion WorkingScan, under one statement or its EXPLAIN
    after optimize    also Scan with ranges or row ids, Join with a chosen side or a number, KeyFilter, Sort with a limit,
                      RowFetch, TableFacts

At all times: a node uses only columns that its inputs give, or none where it has no input; no output has one id twice; a
column that a node computes has a new id; conditions are Boolean; aggregates stand in Aggregate nodes, window functions in
Window nodes, and nowhere else.

Checked under SET caldera.checked = on, and for the whole test corpus by tests/plan.
"""
from caldera.base.errors import error
from caldera.plan.expressions import AggregateCall, And, Case, Column, Not
from caldera.plan.nodes import Explain, Join, Statement
from caldera.plan.walk import all_expressions, nodes_of, subqueries
from caldera.plan.windows import WindowCall


def bound(plan):
    """Check what the binder has made. Raises XX000."""
    check(plan, is_bound=True)


def optimized(plan):
    """Check what the rules have made of a bound plan. Raises XX000."""
    check(plan, is_bound=False)


CHECKS = {"bind": bound, "optimize": optimized}


def check(plan, is_bound, around=frozenset()):
    """Check a plan and the plans of its subqueries. `around`: the ids of columns of the queries around that it may use."""
    top = (plan, plan.input) if isinstance(plan, Explain) else (plan,)
    for node in nodes_of(plan):
        require(node in top or not isinstance(node, Statement), node, "is a statement inside of a plan")
        require(node.is_logical or not is_bound, node, "is for the optimizer to make")
        check_conditions(node)
        check_aggregates(node)
    check_columns_below(plan, is_bound, around)
    for subquery in subqueries(plan):
        require(is_bound or not subquery.parameters, subquery.plan, "is computed for each row")
        require(len(subquery.plan.output) == 1 or subquery.exists, subquery.plan, "has more than one column for one value")
        check(subquery.plan, is_bound, around | set(subquery.parameters))


def require(holds, node, fault):
    """Raise XX000 for a node unless a condition holds."""
    if not holds:
        raise error("XX000", f"illegal plan: {type(node).__name__} {fault}", detail=str(node))


def check_columns_below(node, is_bound, around):
    """The same as `check_columns` for a node and all below. A bound Join's right input may use the left one's columns."""
    check_columns(node, around)
    for inner in node.inner:
        check(inner, is_bound, around if inner in node.terms else frozenset())
    for number, input in enumerate(node.inputs):
        lateral = isinstance(node, Join) and is_bound and number == 1
        check_columns_below(input, is_bound, around | {column.id for column in node.left.output} if lateral else around)


def check_columns(node, around):
    """Columns come from the inputs, and ids are unique."""
    given = {column.id for input in node.inputs for column in input.output} if node.per_row else set()
    given |= around
    used = {id for expression in node.evaluated for id in expression.columns}
    require(used <= given, node, f"uses columns {sorted(used - given)} that its input does not give")
    ids = [column.id for column in node.output]
    require(len(ids) == len(set(ids)) or isinstance(node, Statement), node, "gives one column twice")
    for column, expression in node.computed:
        is_new = column.id not in given
        require(is_new or isinstance(expression, Column) and expression.id == column.id, node,
                f"calls what it computes by the id of its input's column {column.name}")


def check_conditions(node):
    """What is asked whether it is true has the type bool."""
    conditions = list(node.conditions)
    for expression in parts(node):
        if isinstance(expression, And):
            conditions += expression.arguments
        elif isinstance(expression, Not):
            conditions.append(expression.argument)
        elif isinstance(expression, Case):
            conditions += expression.conditions
        elif isinstance(expression, (AggregateCall, WindowCall)) and expression.filter is not None:
            conditions.append(expression.filter)
    for condition in conditions:
        require(condition.type.name == "bool", node, f"asks whether {condition} is true, which is {condition.type.sql_name}")


def check_aggregates(node):
    """An AggregateCall is what an Aggregate computes, as a whole."""
    calls = [call for _, call in node.aggregate_calls]
    for call in calls:
        require(isinstance(call, AggregateCall), node, f"computes {call}, which is no aggregate")
    for part in parts(node):
        require(not isinstance(part, AggregateCall) or any(part is call for call in calls), node,
                f"evaluates the aggregate {part} row by row")
        require(not isinstance(part, WindowCall) or any(part is call for _, call in node.window_calls), node,
                f"evaluates the window function {part} row by row")


def parts(node):
    """All expressions that a node evaluates, and all inside them."""
    return [part for expression in node.evaluated for part in all_expressions(expression)]
