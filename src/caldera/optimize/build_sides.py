"""Left, semi, anti and mark joins keep the rows of the smaller input.

    Join(small, large, semi, a = b)   ──▶   the same, builds_left: small rows are kept, and large ones mark those they match

What a left join gives is collected where the left input is kept, those without a partner last, so that it counts as well.
Inner joins are given the right order by join_order. Without keys nothing is kept by them: then a row of the left input is
done with the first partner.
"""
from dataclasses import replace

from caldera.optimize.estimates import Estimates
from caldera.plan.nodes import Join
from caldera.plan.predicates import equalities
from caldera.plan.walk import rewrite_nodes


def build_sides(plan, session):
    """Choose the input whose rows are kept."""
    estimates = Estimates(plan, session.view.snapshot)

    def chosen(node):
        if not isinstance(node, Join) or node.kind not in ("left", "semi", "anti", "mark") or not equalities(node)[0]:
            return node
        left, right = words_of_sides(estimates, node)
        return replace(node, builds_left=True) if left < right else node
    return rewrite_nodes(plan, chosen)


def words_of_sides(estimates, node):
    """About how many words are kept where the left input's rows are, and where the right one's are."""
    left, right = (estimates.rows(input) * kept_words(input) for input in node.inputs)
    return left + (estimates.rows(node) * kept_words(node) if node.kind == "left" else 0), right


def kept_words(input):
    """Words of a kept row: its hash, where it is noted if it was met, and the columns."""
    return 2 + sum(column.type.layout.words for column in input.output)
