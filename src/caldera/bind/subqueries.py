"""Subqueries in expressions: EXISTS, IN, ANY, ALL, and those that stand for a value.

    x < ANY (SELECT b FROM u WHERE u.a = t.a)
      plan          SELECT p < b FROM u WHERE u.a = t.a          a condition in place of the column
      parameters    p, t.a                                       what the plan knows them as
      outer         x, t.a                                       what they are for the row in which the subquery stands

A subquery may use the columns of the queries around it; `optimize.unnesting` makes joins of such ones. x op ALL (...) is
NOT (x opposite-of-op ANY (...)).
"""
from caldera.bind.arrays import bind_array_query
from caldera.bind.binder import strings
from caldera.bind.conversions import to_boolean
from caldera.bind.operators import apply, row_comparison, same_type
from caldera.bind.records import bind_items
from caldera.bind.rules import bind_expression, rule
from caldera.plan.expressions import AnySubquery, Constant, InSubquery, Not, Parameter, ScalarSubquery, new_column
from caldera.plan.nodes import Aggregate, Project
from caldera.plan.predicates import NEGATED
from caldera.plan.walk import correlation, free_columns
from caldera.types.registry import TYPES

MEMBERSHIP = {("ANY_SUBLINK", "="), ("ALL_SUBLINK", "<>")}          # IN is = ANY


@rule("SubLink")
def bind_sublink(scope, fields, node):
    """A SubLink: whatever holds a query in parentheses. Raises 0A000 where there may be none."""
    from caldera.bind.select import bind_subquery           # it binds expressions in its turn
    binder, location, kind = scope.binder, fields.get("location", 0), fields["subLinkType"]
    if scope.no_subqueries_in is not None:
        raise binder.error("0A000", f"cannot use subquery in {scope.no_subqueries_in}", location)
    plan, _ = bind_subquery(scope, fields["subselect"])
    if kind == "EXISTS_SUBLINK":
        return ScalarSubquery(plan, TYPES["bool"], None, True, *correlation(plan))
    if kind == "EXPR_SUBLINK":
        if len(plan.output) != 1:
            raise binder.error("42601", "subquery must return only one column", location)
        return ScalarSubquery(plan, plan.output[0].type, plan.output[0].modifier, False, *correlation(plan))
    if kind == "ARRAY_SUBLINK":
        return bind_array_query(scope, plan, location)
    return bind_quantified(scope, fields, kind, plan, location)


def bind_quantified(scope, fields, kind, plan, location):
    """x op ANY (subquery), x op ALL (subquery), and the same for rows."""
    operator = (strings(fields.get("operName", ()))[-1:] or ["="])[0]
    test = fields["testexpr"]
    operands = bind_items(scope, test["RowExpr"].get("args", ())) if "RowExpr" in test else [bind_expression(scope, test)]
    if len(plan.output) != len(operands):
        few = len(plan.output) < len(operands)
        raise scope.binder.error("42601", f"subquery has too {'few' if few else 'many'} columns", location)
    if kind == "ROWCOMPARE_SUBLINK":
        return row_against_row(scope, operator, operands, plan, location)
    if (kind, operator) in MEMBERSHIP and len(operands) == 1 and not free_columns(plan):
        found = membership(scope, operands[0], plan, location)
        return found if kind == "ANY_SUBLINK" else Not(found)
    if kind == "ANY_SUBLINK":
        return any_subquery(scope, operator, operands, plan, location)
    if operator in NEGATED:
        return Not(any_subquery(scope, NEGATED[operator], operands, plan, location))
    return Not(any_subquery(scope, operator, operands, plan, location, negated=True))


def membership(scope, argument, plan, location):
    """Whether a value is in the only column of an uncorrelated plan, both converted to the type in which they compare."""
    argument, value = same_type(scope, argument, plan.output[0], location)
    column = new_column(plan.output[0].name, value.type, value.modifier, value.nullable)
    return InSubquery(argument, Aggregate(plan, ((column, value),), ()))


def row_against_row(scope, operator, operands, plan, location):
    """(a, b) op (subquery): what the comparison gives for the one row of a plan; NULL if it has none."""
    plan, parameters, outer = compared_rows(scope, operator, operands, plan, location)
    return ScalarSubquery(plan, TYPES["bool"], None, False, parameters, outer)


def any_subquery(scope, operator, operands, plan, location, negated=False):
    """The AnySubquery of a comparison of operands with a plan's columns."""
    return AnySubquery(*compared_rows(scope, operator, operands, plan, location, negated))


def compared_rows(scope, operator, operands, plan, location, negated=False):
    """(a plan that compares operands with each row of another one, its parameters, what they stand for). Operands become
    parameters, but for literals, whose type the comparison tells."""
    values, parts = {}, []
    for operand in operands:
        if not isinstance(operand, (Constant, Parameter)):
            column = scope.binder.at(new_column("compared", operand.type, operand.modifier, operand.nullable), operand)
            values[column.id] = operand
            operand = column
        parts.append(operand)

    def compared(name, number):
        return apply(scope, name, parts[number], plan.output[number], location)
    condition = compared(operator, 0) if len(parts) == 1 else row_comparison(scope, operator, len(parts), compared, location)
    condition = to_boolean(scope.binder, condition, "ANY")
    if negated:
        condition = Not(condition)
    plan = Project(plan, ((new_column("holds", condition.type, None, condition.nullable), condition),))
    parameters, outer = correlation(plan)
    return plan, parameters, tuple(values.get(id, column) for id, column in zip(parameters, outer))
