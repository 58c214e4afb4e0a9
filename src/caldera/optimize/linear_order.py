"""Inputs to join on a line, where they are too many to look at all sets of them: join_order looks at its intervals only.

    rows and shares ─ spanning tree ─▶ tree ─ for each root: ranks, merged ─▶ line      (join_order then tries its intervals)

Linearised dynamic programming (Neumann and Radke: "Adaptive Optimization of Very Large Join Queries", SIGMOD 2018): the
best left-deep order of an acyclic graph is found in polynomial time by sorting (Ibaraki and Kameda 1984; Krishnamurthy,
Boral and Zaniolo: "Optimization of Nonrecursive Queries", VLDB 1986), and dynamic programming over its intervals finds bushy
trees that are at least as good. Cycles are cut first, at the conditions that leave most rows. An order costs the sum of the
sizes of its results here.
"""
import heapq
from typing import NamedTuple


class Run(NamedTuple):
    """Inputs that follow each other. factor: by how much they change the number of rows before them; cost: the rows of
    all their results, for one row before them."""
    inputs: tuple
    factor: float
    cost: float

    @property
    def rank(self):
        """Runs with the least ones come first: those that take away most rows for what they cost."""
        return (self.factor - 1) / self.cost

    def before(self, other):
        """The Run of both."""
        return Run(self.inputs + other.inputs, self.factor * other.factor, self.cost + self.factor * other.cost)


def linear_order(rows, shares):
    """The inputs in the line that costs least, of all lines that begin somewhere and go on along a spanning tree.

    rows: {input: its rows}, all positive; shares: {(input, input): the share of their pairs of rows that joins keep}, all
    positive, which connects all inputs.
    """
    tree = spanning_tree(rows, shares)

    def line_from(root):
        start = Run((root,), rows[root], 0.0)
        for run in merged(tree, root, None, rows):
            start = start.before(run)
        return start
    return min((line_from(root) for root in rows), key=lambda line: line.cost).inputs


def spanning_tree(rows, shares):
    """{input: {neighbour: share}} of a tree with the conditions that keep the smallest shares (Kruskal)."""
    tree, group = {input: {} for input in rows}, {input: {input} for input in rows}
    for (one, other), share in sorted(shares.items(), key=lambda item: item[1]):
        if group[one] is group[other]:
            continue
        tree[one][other] = tree[other][one] = share
        union = group[one] | group[other]
        group |= dict.fromkeys(union, union)
    return tree


def merged(tree, input, parent, rows):
    """The Runs of all inputs below one in the tree, by rank; each input is behind the one that it hangs on."""
    return list(heapq.merge(*(chain(tree, child, input, rows) for child in tree[input] if child != parent),
                            key=lambda run: run.rank))


def chain(tree, input, parent, rows):
    """The Runs of an input and all below it, by rank. Where the input must come before one with a smaller rank, both are
    one Run from then on, since nothing is better put between them."""
    factor = tree[parent][input] * rows[input]
    first, rest = Run((input,), factor, factor), merged(tree, input, parent, rows)
    while rest and rest[0].rank < first.rank:
        first = first.before(rest.pop(0))
    return [first, *rest]
