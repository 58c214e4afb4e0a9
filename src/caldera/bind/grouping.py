"""GROUP BY and aggregates: what may stand above an Aggregate node, in terms of its output.

    SELECT a + 1, sum(b) * 2 ... GROUP BY a + 1
      keys        {a + 1 ─▶ column k}
      regroup     a + 1 ─▶ k,  sum(b) * 2 ─▶ s * 2 with s = sum(b) an aggregate of the node,  a ─▶ error 42803
"""
from caldera.base.errors import Error
from caldera.bind.scope import mention
from caldera.functions import registry as functions
from caldera.plan.expressions import AggregateCall, Column, Subquery, new_column
from caldera.plan.nodes import Aggregate

UNGROUPED = 'column "{}" must appear in the GROUP BY clause or be used in an aggregate function'


class Grouping:
    """The keys and aggregates of one SELECT. `names` and `targets`: its output, to name keys as the targets they are."""

    def __init__(self, scope, keys, names, targets):
        self.scope, self.binder = scope, scope.binder
        self.keys, self.aggregates, self._by_text = [], list(scope.outer_aggregates), {}
        self.given = scope.outer | {column.id for column, _ in scope.outer_aggregates}      # what is no affair of the keys
        for key in keys:
            name = next((name for name, target in zip(names, targets) if name and target == key), str(key)[:60])
            self.keys.append((new_column(name, key.type, key.modifier, key.nullable), key))

    def regroup(self, expression):
        """The expression over the Aggregate's output. Raises 42803 for a column that is neither grouped nor aggregated."""
        for column, key in self.keys:
            if key == expression and str(key) == str(expression):
                return self.binder.at(mention(column), expression)
        if isinstance(expression, AggregateCall):
            self._check_direct_arguments(expression)
            return self._aggregate(expression)
        if isinstance(expression, Column):
            if expression.id in self.given:
                return expression
            raise self._ungrouped(expression)
        if isinstance(expression, Subquery):
            return self._regroup_subquery(expression)
        children = expression.children
        if not children:
            return expression
        return self.binder.at(expression.with_children([self.regroup(child) for child in children]), expression)

    def _regroup_subquery(self, subquery):
        """A subquery knows whole keys only where they are columns."""
        keys = {key.id for _, key in self.keys if isinstance(key, Column)}
        for column in subquery.outer:
            if isinstance(column, Column) and column.id in subquery.parameters and column.id not in keys | self.given:
                raise self._ungrouped(column, 'subquery uses ungrouped column "{}" from outer query')
        return self.binder.at(subquery.with_children([self.regroup(child) for child in subquery.children]), subquery)

    def _aggregate(self, call):
        """The column of an aggregate; the same aggregate is computed once."""
        alike = self._by_text.setdefault(str(call), [])
        for column, other in alike:
            if other == call:
                return column
        column = new_column(call.signature.name, call.type, call.modifier, call.nullable)
        alike.append((column, call))
        self.aggregates.append((column, call))
        return column

    def _check_direct_arguments(self, call):
        """Raise 42803 where the arguments before WITHIN GROUP, which one value stands for, change within a group."""
        if call.signature.implementation.within_group:
            for argument in call.arguments[:len(call.arguments) - len(call.order_by)]:
                try:
                    self.regroup(argument)
                except Error as fault:
                    fault.detail = "Direct arguments of an ordered-set aggregate must use only grouped columns."
                    raise

    def _ungrouped(self, column, message=UNGROUPED):
        names = (f"{source.alias}.{name}" for source in self.scope.sources
                 for number, name in enumerate(source.column_names) if source.column(number).id == column.id)
        return self.binder.error("42803", message.format(next(names, column.name)), self.binder.location(column))

    def plan(self, input):
        """The Aggregate node over an input. Without keys there is one row, even if nothing is computed."""
        if not self.keys and not self.aggregates:
            count = next(signature for signature in functions.AGGREGATES["count"] if not signature.arguments)
            call = AggregateCall(count, (), count.result)
            self.aggregates.append((new_column("count", count.result, None, False), call))
        return Aggregate(input, tuple(self.keys), tuple(self.aggregates))
