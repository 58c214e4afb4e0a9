"""Dear expressions that occur several times at a node are computed once for a row.

    Project(x, md5(s) AS a, md5(s) || 'x' AS b)      ──▶   Project(Project(x, *, md5(s) AS c), c AS a, c || 'x' AS b)
    Aggregate(Filter(x, sin(f) > 0), sum(sin(f)))    ──▶   Aggregate(Filter(Project(x, *, sin(f) AS c), c > 0), sum(c))

A computed column is nothing but code that appears where it is first read, so that it costs nothing where it is not, and an
arm of CASE stays an arm of CASE. Cheap arithmetic is left alone: LLVM sees for itself that it is the same. So is what is
computed for the entries of a dictionary and not for rows (operators/dictionary.py).
"""
from collections import Counter
from dataclasses import replace

from caldera.kernel.layouts import TEXT
from caldera.optimize.estimates import DEAR_COST, Estimates, part_cost
from caldera.plan.expressions import AggregateCall, Call, Column, new_column
from caldera.plan.nodes import Aggregate, Filter, GroupingSets, Project
from caldera.plan.predicates import is_fixed
from caldera.plan.volatility import is_volatile
from caldera.plan.walk import all_expressions, rewrite, rewrite_expressions, rewrite_nodes

DICTIONARY_SHARE = 0.7          # distinct values of all rows, up to which a text column may have a dictionary


def common_expressions(plan, session):
    """Have expressions computed once."""
    estimates = Estimates(plan, session.view.snapshot)
    return rewrite_nodes(plan, lambda node: sharing(node, estimates))


def sharing(node, estimates):
    """A Project or Aggregate, with the Filters below it, over Projects that compute what they have in common, the innermost
    parts first."""
    if not isinstance(node, (Project, Aggregate, GroupingSets)):
        return node
    filters, below = [], node.input
    while isinstance(below, Filter):
        filters.append(below)
        below = below.input
    while shared := common([part for each in (node, *filters) for part in evaluated(each)], estimates):
        columns = {each: new_column(str(each)[:60], each.type, each.modifier, each.nullable) for each in shared}
        below = Project(below, (*((column, column) for column in below.output),
                                *((column, each) for each, column in columns.items())))

        def replaced(expression, columns=columns):
            return rewrite(expression, lambda part: columns.get(part, part) if isinstance(part, Call) else part)
        node, *filters = (rewrite_expressions(each, replaced) for each in (node, *filters))
    for filter in reversed(filters):
        below = replace(filter, input=below)
    return node if below is node.input else replace(node, input=below)


def evaluated(node):
    """The expressions that a node evaluates for rows of its input."""
    return [part for expression in node.evaluated
            for part in (expression.children if isinstance(expression, AggregateCall) else (expression,))]


def common(expressions, estimates):
    """The dear expressions that occur several times among some, of those inside each other the inner ones."""
    counts = Counter(part for expression in expressions for part in all_expressions(expression) if is_dear(part))
    shared = {part: None for part, count in counts.items() if count > 1 and not is_volatile(part) and not is_fixed(part)
              and not is_of_entries(part, estimates)}
    return [part for part in shared if not any(inner in shared for inner in all_expressions(part) if inner != part)]


def is_dear(expression):
    """Whether a call itself takes much longer than an operation of the processor."""
    return isinstance(expression, Call) and part_cost(expression) >= DEAR_COST


def is_of_entries(expression, estimates):
    """Whether an expression may be computed for the entries of a dictionary: one over a text column with few values."""
    columns = {part.id: part for part in all_expressions(expression) if isinstance(part, Column)}
    column = next(iter(columns.values()))
    known = estimates.column_statistics(column)
    return len(columns) == 1 and column.type.layout is TEXT and known is not None and known.distinct is not None and \
        known.distinct <= DICTIONARY_SHARE * known.rows
