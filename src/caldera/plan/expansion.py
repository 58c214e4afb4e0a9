"""The node of set-returning functions over rows."""
from dataclasses import dataclass

from caldera.plan.expressions import Column
from caldera.plan.nodes import Node, nulled


@dataclass(frozen=True)
class Expand(Node):
    """Each row of the input as often as the longest of several lists has elements, with the lists' elements beside it; a
    list that has ended gives NULL. `lists`: pairs (Column, expression), of an array (unnest gives its elements) or Steps.
    `ordinality`: a column of the elements' numbers, from 1. `keeps_all`: a row whose lists are all empty comes once, with
    NULLs, as in LEFT JOIN LATERAL."""
    input: Node
    lists: tuple
    ordinality: Column | None = None
    keeps_all: bool = False

    @property
    def made(self):
        """The columns that the input has not."""
        columns = tuple(column for column, _ in self.lists) + (() if self.ordinality is None else (self.ordinality,))
        return nulled(columns) if self.keeps_all else columns

    @property
    def output(self):
        return self.input.output + self.made

    @property
    def computed(self):
        return self.lists
