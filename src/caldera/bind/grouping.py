"""GROUP BY and aggregates: what may stand above an Aggregate or GroupingSets node, in terms of its output.

    SELECT a + 1, sum(b) * 2 ... GROUP BY a + 1
      keys        {a + 1 ─▶ column k}
      regroup     a + 1 ─▶ k,  sum(b) * 2 ─▶ s * 2 with s = sum(b) an aggregate of the node,  a ─▶ error 42803,
                  GROUPING(a + 1) ─▶ a column of the node with a number for each set; 0 where there is one set
"""
from dataclasses import replace

from caldera.base.errors import Error
from caldera.bind.sameness import same
from caldera.bind.scope import mention
from caldera.functions import registry as functions
from caldera.plan.expressions import AggregateCall, Column, Constant, GroupingCall, Subquery, new_column
from caldera.plan.nodes import Aggregate, GroupingSets, Join, Project, Values
from caldera.plan.records import RowOf, field_of

UNGROUPED = 'column "{}" must appear in the GROUP BY clause or be used in an aggregate function'
NOT_A_KEY = "arguments to GROUPING must be grouping expressions of the associated query level"


class Grouping:
    """The keys and aggregates of one SELECT. `sets`: of numbers of targets, those that are keys in each grouping set;
    `names` and `targets`: its output, to name keys as the targets they are."""

    def __init__(self, scope, sets, names, targets):
        self.scope, self.binder = scope, scope.binder
        self.keys, self._by_text = [], {}
        self.numbers = sorted(set().union(*sets))               # of the targets that are keys
        if len(sets) == 1:
            self.numbers = [number for place, number in enumerate(self.numbers)
                            if not any(same(self.binder, targets[number], targets[other]) for other in self.numbers[:place])]
        self.sets = [tuple(place for place, number in enumerate(self.numbers) if number in keys) for keys in sets]
        self.given = scope.outer | {column.id for column, _ in scope.outer_aggregates + scope.outer_groupings}
        for place, number in enumerate(self.numbers):           # `given` is what is no affair of the keys
            key = targets[number]
            name = next((name for name, target in zip(names, targets) if name and target == key), str(key)[:60])
            nullable = key.nullable or any(place not in keys for keys in self.sets)
            self.keys.append((new_column(name, key.type, key.modifier, nullable), key))
        self.aggregates = [(column, self.checked(call)) for column, call in scope.outer_aggregates]
        self.groupings = [(column, self.set_bits(call)) for column, call in scope.outer_groupings]

    def regrouped_targets(self, targets):
        """The targets over the node's output. One that is a key stands for that key, even if others are the same."""
        columns = {number: column for number, (column, _) in zip(self.numbers, self.keys)}
        return [self.binder.at(mention(columns[number]), target) if number in columns else self.regroup(target)
                for number, target in enumerate(targets)]

    def regroup(self, expression):
        """The expression over the node's output. Raises 42803 for a column that is neither grouped nor aggregated."""
        for column, key in self.keys:
            if same(self.binder, key, expression) and expression.columns:   # constants stay what they are, whatever the set
                return self.binder.at(mention(column), expression)
        for column, key in self.keys:                           # what a record that is a key consists of is known, too
            if isinstance(key, RowOf) and expression.columns and expression in key.fields:
                return self.binder.at(field_of(mention(column), key.fields.index(expression)), expression)
        if isinstance(expression, GroupingCall):
            return self.binder.at(self.grouping(expression), expression)
        if isinstance(expression, AggregateCall):
            return self.aggregate_column(self.checked(expression))
        if isinstance(expression, Column):
            if expression.id in self.given:
                return expression
            raise self.ungrouped(expression)
        if isinstance(expression, Subquery):
            return self.regroup_subquery(expression)
        children = expression.children
        if not children:
            return expression
        return self.binder.at(expression.with_children([self.regroup(child) for child in children]), expression)

    def regroup_subquery(self, subquery):
        """A subquery knows whole keys only where they are columns."""
        keys = {key.id for _, key in self.keys if isinstance(key, Column)}
        for column in subquery.outer:
            if isinstance(column, Column) and column.id in subquery.parameters and column.id not in keys | self.given:
                raise self.ungrouped(column, 'subquery uses ungrouped column "{}" from outer query')
        return self.binder.at(subquery.with_children([self.regroup(child) for child in subquery.children]), subquery)

    def grouping(self, call):
        """What a GROUPING(...) is: a column, or 0 where there is one set, which has all keys."""
        bits = self.set_bits(call)
        if len(self.sets) == 1:
            return Constant(0, call.type)
        column = next((column for column, other in self.groupings if other == bits), None)
        if column is None:
            column = new_column("grouping", call.type, None, False)
            self.groupings.append((column, bits))
        return mention(column)

    def set_bits(self, call):
        """The value of a GROUPING(...) in each set. Raises 42803 for an argument that is no key."""
        places = []
        for argument in call.arguments:
            place = next((place for place, (_, key) in enumerate(self.keys) if same(self.binder, key, argument)), None)
            if place is None:
                raise self.binder.error("42803", NOT_A_KEY, self.binder.location(argument))
            places.append(place)
        return tuple(sum((place not in keys) << bit for bit, place in enumerate(reversed(places))) for keys in self.sets)

    def aggregate_column(self, call):
        """The column of an aggregate; the same aggregate is computed once."""
        alike = self._by_text.setdefault(str(call), [])
        for column, other in alike:
            if other == call:
                return column
        column = new_column(call.signature.name, call.type, call.modifier, call.nullable)
        alike.append((column, call))
        self.aggregates.append((column, call))
        return column

    def checked(self, call):
        """The aggregate. Raises 42803 where direct arguments, which one value stands for, change within a group; 0A000 where
        they are keys of some sets only, so that they would be NULL in others."""
        for argument in call.direct_arguments:
            try:
                used = self.regroup(argument).columns
            except Error as fault:
                fault.detail = "Direct arguments of an ordered-set aggregate must use only grouped columns."
                raise
            if any(column.id in used and any(place not in keys for keys in self.sets)
                   for place, (column, _) in enumerate(self.keys)):
                raise self.binder.unsupported("direct arguments that are not keys of all grouping sets are",
                                              self.binder.location(argument))
        return replace(call, direct=())

    def ungrouped(self, column, message=UNGROUPED):
        names = (f"{source.alias}.{name}" for source in self.scope.sources
                 for number, name in enumerate(source.column_names) if source.column(number).id == column.id)
        return self.binder.error("42803", message.format(next(names, column.name)), self.binder.location(column))

    def plan(self, input):
        """The node over an input. Without keys there is one row for each set, even if nothing is computed."""
        if not self.keys and not self.aggregates:
            count = next(signature for signature in functions.AGGREGATES["count"] if not signature.arguments)
            call = AggregateCall(count, (), count.result)
            self.aggregates.append((new_column("count", count.result, None, False), call))
        if self.keys and len(self.sets) > 1:
            return GroupingSets(input, tuple(self.keys), tuple(self.sets), tuple(self.aggregates), tuple(self.groupings))
        node = Aggregate(input, tuple(self.keys), tuple(self.aggregates))
        if self.groupings:
            zeros = tuple((column, Constant(0, column.type)) for column, _ in self.groupings)
            node = Project(node, tuple((column, column) for column in node.output) + zeros)
        return node if len(self.sets) == 1 else Join(node, Values(((),) * len(self.sets), ()), "inner")
