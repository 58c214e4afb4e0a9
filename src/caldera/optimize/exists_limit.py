"""EXISTS stops at the first row, and computes nothing and sorts nothing for it.

    EXISTS (SELECT a + 1 FROM t WHERE b ORDER BY c)   ──▶   EXISTS (SELECT true FROM t WHERE b LIMIT 1)
"""
from dataclasses import replace

from caldera.optimize.applied import integer
from caldera.plan.expressions import Constant, ScalarSubquery, new_column
from caldera.plan.nodes import Limit, Project, Sort
from caldera.plan.walk import rewrite, rewrite_expressions, rewrite_nodes
from caldera.types.registry import TYPES


def exists_limit(plan, session):
    """Limit the subqueries of EXISTS. One that is mentioned twice stays one."""
    limited = {}

    def change(expression):
        if not isinstance(expression, ScalarSubquery) or not expression.exists:
            return expression
        if id(expression.plan) not in limited:
            limited[id(expression.plan)] = expression.plan, first_row(expression.plan)
        return replace(expression, plan=limited[id(expression.plan)][1])
    return rewrite_nodes(plan, lambda node: rewrite_expressions(node, lambda outer: rewrite(outer, change)))


def first_row(plan):
    """At most one row of a plan, whichever, as a column that is true."""
    while isinstance(plan, Project) or isinstance(plan, Sort) and plan.limit is None:
        plan = plan.input
    found = Constant(True, TYPES["bool"])
    plan = Project(plan, ((new_column("exists", found.type, None, False), found),))
    return Limit(plan, integer(1))
