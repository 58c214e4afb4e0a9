"""Computed columns. Nothing is computed here: a column's code appears where it is first read."""
from caldera.operators.dictionary import mapped
from caldera.plan import nodes
from caldera.plan.expressions import Column
from caldera.plan.operator import Operator, runs


@runs(nodes.Project)
class ProjectOperator(Operator):
    """Renames and computes. EXPLAIN leaves out what only renames (plan.outline)."""

    def describe(self, node):
        shown = [f"{expression} AS {column.name}" for column, expression in node.items if not isinstance(expression, Column)]
        return "Project", "Project", {"Compute": shown} if shown else {}

    def estimate(self, estimates, node):
        rows, startup, total = estimates.of(node.input)
        return rows, startup, total + rows * sum(estimates.expression_cost(expression) for expression in node.evaluated)

    def build(self, builder, node):
        stream = builder.build(node.input)
        stream.evaluates(node.evaluated)
        items = tuple((column, mapped(builder, stream, expression)) for column, expression in node.items)
        stream.origins = {column.id: stream.origins[expression.id] for column, expression in node.items
                          if type(expression) is Column and expression.id in stream.origins}
        if stream.plain_columns is not None and all(type(expression) is Column for expression in node.evaluated):
            stream.plain_columns = {column.id: stream.plain_columns[expression.id] for column, expression in node.items}
        else:
            stream.plain_columns = None
        stream.steps.append(Project(items, builder.evaluator))
        return stream


class Project:
    """`items`: pairs (Column, Expression)."""

    def __init__(self, items, evaluator):
        self.items, self.evaluator = items, evaluator

    @property
    def words(self):
        computed = [str(expression) for _, expression in self.items if not isinstance(expression, Column)]
        return f"Compute {', '.join(computed)}" if computed else ""

    def blocks(self, k, blocks):
        """The block with the items beside its own columns."""
        for block in blocks:
            yield block.extended({column.id: (expression.columns, self.staged(k, expression))
                                  for column, expression in self.items})

    def staged(self, k, expression):
        return lambda row: self.evaluator.eval(k, expression, row)
