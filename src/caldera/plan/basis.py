"""What all nodes of a plan (plan/nodes.py) have in common."""
from dataclasses import replace

from caldera.plan.expressions import expressions_in, kept, member_names


class Node:
    """Base of all nodes. `per_row`: whether its expressions may use the input's columns, or are the same for all rows.
    The properties below `output` are what plan/spec.py asks."""
    per_row = True

    @kept
    def inputs(self):
        """The nodes below."""
        return tuple(value for name in member_names(type(self)) if isinstance(value := getattr(self, name), Node))

    def with_inputs(self, inputs):
        """The same node over other inputs."""
        names = [name for name in member_names(type(self)) if isinstance(getattr(self, name), Node)]
        return replace(self, **dict(zip(names, inputs)))

    @property
    def inner(self):
        """Plans that the node has run by themselves: a common table's, the terms of a recursion."""
        return ()

    @property
    def terms(self):
        """Those of the `inner` plans that may use columns of the queries around the one that the node is in."""
        return ()

    def with_inner(self, plans):
        """The same node with other such plans."""
        return self

    @property
    def output(self):
        """The columns of the rows that this node gives."""
        return self.input.output

    @kept
    def expressions(self):
        """The expressions that stand in the node itself, among them the columns that it makes."""
        return tuple(expression for name in member_names(type(self)) for expression in expressions_in(getattr(self, name)))

    @property
    def computed(self):
        """Pairs (Column, Expression over the input's columns) of what the node computes."""
        return ()

    @property
    def evaluated(self):
        """The expressions over the input's columns that the node evaluates."""
        return [expression for _, expression in self.computed] or self.expressions

    @property
    def conditions(self):
        """The expressions that the node asks whether they are true."""
        return ()

    @property
    def aggregate_calls(self):
        """Pairs (Column, AggregateCall) of a node that evaluates aggregates."""
        return ()

    @property
    def window_calls(self):
        """Pairs (Column, WindowCall) of a node that evaluates window functions."""
        return ()

    @property
    def is_logical(self):
        """Whether the node says only what is wanted; what says how is for the optimizer to make."""
        return True

    def __str__(self):
        from caldera.plan.outline import lines, outline
        return "\n".join(lines(outline(self)))
