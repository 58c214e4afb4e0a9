"""Computed columns. Nothing is computed here: a column's code appears where it is first read."""


class Project:
    """`items`: pairs (Column, Expression)."""

    def __init__(self, items, evaluator):
        self.items, self.evaluator = items, evaluator

    def blocks(self, k, blocks):
        """The block with the items beside its own columns."""
        for block in blocks:
            yield block.extended({column.id: (expression.columns, self.staged(k, expression))
                                  for column, expression in self.items})

    def staged(self, k, expression):
        return lambda row: self.evaluator.eval(k, expression, row)
