"""Whether two expressions of one SELECT are the same: ORDER BY's and DISTINCT's, a target and a key of GROUP BY.

Expressions are compared as they are bound. Subqueries are not, since each has columns of its own: they are the same where
they are written alike, names of relations included, over the same columns of the queries around them.
"""
from caldera.plan.expressions import Subquery
from caldera.plan.walk import all_expressions

PLACES = {"location", "stmt_location", "stmt_len", "name_location", "list_start", "list_end", "rexpr_list_start",
          "rexpr_list_end"}                         # fields of syntax trees that tell where in the text something stands


def same(binder, left, right):
    """Whether two expressions are the same, and shown alike (1.0 and 1.00 are equal and are not)."""
    if left == right:
        return str(left) == str(right)
    return type(left) is type(right) and left.columns == right.columns and has_subquery(left) and has_subquery(right) and \
        same_but_for_subqueries(binder, left, right)


def has_subquery(expression):
    """Whether an expression is a subquery or has one in it."""
    return any(isinstance(part, Subquery) for part in all_expressions(expression))


def same_but_for_subqueries(binder, left, right):
    """The same of two expressions of one kind that have subqueries in them."""
    origins = binder.syntax(left), binder.syntax(right)
    if all(origin is not None and "SubLink" in origin for origin in origins):
        return left.type is right.type and left.modifier == right.modifier and same_syntax(*origins)
    if isinstance(left, Subquery) or len(left.children) != len(right.children):
        return False
    return left.with_children(right.children) == right and all(
        same(binder, one, other) for one, other in zip(left.children, right.children))


def same_syntax(left, right):
    """Whether two parts of a syntax tree say the same, wherever they stand."""
    if isinstance(left, dict) and isinstance(right, dict):
        names = (left.keys() | right.keys()) - PLACES
        return all(same_syntax(left.get(name), right.get(name)) for name in names)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_syntax, left, right))
    return left == right
