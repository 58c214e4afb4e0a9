"""What the engine asks about the work of a node: operators by the kind of node that they run.

    @runs(nodes.Sort)                           operators/sort.py: all there is to know about sorting
    class SortOperator(Operator): ...

                  ┌─ describe ─▶ plan.outline        what EXPLAIN shows
    operator_of ──┼─ estimate ─▶ optimize.estimates  rows and costs
                  └─ build ────▶ compile.pipelines   source, steps and sinks

Adding an operator touches two places: its node in nodes.py, and a file in operators/, whose modules are all imported with
that package.
"""
import re

OPERATORS: dict = {}                # kind of node -> Operator


class Operator:
    """One kind of node's operator. Without a definition of its own a node is called by its class, costs nothing and gives
    as many rows as its first input."""

    def describe(self, node):
        """(name, title, details): the name of the kind, the same with what it is about, {label: text, number or list of
        texts}."""
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(node).__name__)
        return words, words, {}

    def estimate(self, estimates, node):
        """(rows, cost until the first row, cost until the last). `estimates`: optimize.estimates.Estimates, which knows the
        same of the inputs."""
        return estimates.of(node.inputs[0]) if node.inputs else estimates.unknown

    def build(self, builder, node):
        """The Stream (operators.pipeline) of the node's rows. `builder`: compile.pipelines.Builder, which builds the
        inputs."""
        raise NotImplementedError(f"no operator runs {type(node).__name__}")


def runs(kind):
    """Enter an Operator's class as what runs a kind of node."""
    def register(operator):
        OPERATORS[kind] = operator()
        return operator
    return register


def operator_of(node):
    """The Operator that runs a node."""
    return OPERATORS.get(type(node), UNDEFINED)


UNDEFINED = Operator()
