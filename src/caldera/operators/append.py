"""UNION ALL: the rows of several inputs, one input after the other.

    input 1 ─▶ its steps ─┐
    input 2 ─▶ its steps ─┴─▶ steps above ─▶ sink          a pipeline for each input, all to the same sink

Nothing is kept: every input has a pipeline of its own, which goes through the steps above it, too. The steps and the sink
are the same objects in all of them, and their memory is opened once, as for a pipeline that is run in several rounds. Rows
that a sink keeps come in the order of the inputs, since morsels are numbered through.
"""
from caldera.kernel.interface import I64, Owner, Struct
from caldera.operators.pipeline import Stream
from caldera.operators.project import Project
from caldera.plan import nodes
from caldera.plan.operator import Operator, runs

MORSEL_BITS = 40                # of a morsel's number: branch << MORSEL_BITS | morsel


@runs(nodes.Append)
class AppendOperator(Operator):
    """Names the columns of all inputs alike, and lets their rows stream on."""

    def estimate(self, estimates, node):
        figures = [estimates.of(input) for input in node.inputs]
        rows, total = sum(rows for rows, _, _ in figures), sum(total for _, _, total in figures)
        return rows, figures[0][1], total

    def build(self, builder, node):
        branches = []
        for branch, given in zip(node.branches, node.given):
            stream = builder.build(branch)
            stream.steps.append(Project(tuple(zip(node.columns, given)), builder.evaluator))
            branches.append(stream)
        return Stream(None, [], branches=tuple(branches))


def numbered(heads):
    """Streams of branches, each with a step that tells its morsels from those of the others."""
    for number, head in enumerate(heads):
        head.steps.insert(0, Numbered(number))
        head.followed_from = None if head.followed_from is None else head.followed_from + 1
    return heads


class Numbered(Owner):
    """A step: the morsels of branch `number` come behind those of the branches before. Blocks without morsel get one."""
    words = ""
    layout = Struct(first=I64)

    def __init__(self, number):
        super().__init__()
        self.number = number

    def open(self, run):
        self.instances = [self.layout.make(first=self.number << MORSEL_BITS)]

    def close(self):
        self.instances = []

    def blocks(self, k, blocks):
        """The same blocks."""
        first = k.memory(self).first
        for block in blocks:
            block.morsel = first if block.morsel is None else first + block.morsel
            yield block
