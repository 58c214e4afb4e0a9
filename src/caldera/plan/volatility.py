"""Whether an expression or a plan gives the same again; the only place that asks functions for their volatility.

    immutable   the same for the same arguments, for ever                     kept maps, kept plans, lasting constants
    stable      the same during one statement: now(), settings                constants of this statement
    volatile    another value each time: random()                             stays where it is, once for each row

Letters are PostgreSQL's (pg_proc.provolatile): i, s, v. An expression is as volatile as the most volatile of its parts.
"""
from caldera.plan.expressions import Subquery
from caldera.plan.nodes import Scan
from caldera.plan.walk import all_expressions, all_plans, nodes_of


def volatility(part):
    """The letter of one part of an expression; what is inside it does not count."""
    return "i" if part.called is None else part.called.volatility


def is_volatile(expression):
    """Whether an expression may give another value each time; kept with it, as many rules ask."""
    known = vars(expression)
    if "is_volatile" not in known:
        known["is_volatile"] = any(volatility(part) == "v" for part in all_expressions(expression))
    return known["is_volatile"]


def changes_settings(part):
    """Whether one part of an expression changes settings, on which functions that are stable may depend."""
    return part.called is not None and part.called.name == "set_config"


def is_volatile_plan(plan):
    """Whether a plan may give other rows each time."""
    return any(is_volatile(expression) for each in all_plans(plan) for node in nodes_of(each)
               for expression in node.expressions)


def is_immutable(expression):
    """Whether an expression gives the same for the same columns and constants, for ever."""
    return all(volatility(part) == "i" for part in all_expressions(expression))


def lasts(expression):
    """The same where its constants were not made for this statement only (the value of now())."""
    return is_immutable(expression) and all(part.lasting for part in all_expressions(expression))


def is_lasting(plan):
    """Whether a plan means the same later: no function in it depends on the moment, and it reads no files or data frames,
    which are looked up anew for each statement."""
    return all(node_is_lasting(node) for node in nodes_of(plan))


def node_is_lasting(node):
    """The same for a node by itself."""
    if isinstance(node, Scan) and node.relation.momentary or not all(map(is_lasting, node.inner)):
        return False
    for outer in node.expressions:
        if not lasts(outer):
            return False
        if any(isinstance(part, Subquery) and not is_lasting(part.plan) for part in all_expressions(outer)):
            return False
    return True
