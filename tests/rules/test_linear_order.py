"""The line of inputs that linearised dynamic programming begins with, compared with all that there are."""
import itertools
import random

import pytest

from caldera.optimize.linear_order import linear_order, spanning_tree


def cost_of(line, rows, tree):
    """The rows of all results of a left-deep order along a tree; None where an input comes before what it hangs on."""
    size, cost = rows[line[0]], 0.0
    for place, input in enumerate(line[1:], 1):
        shares = [share for neighbour, share in tree[input].items() if neighbour in line[:place]]
        if not shares:
            return None
        size *= rows[input] * shares[0]
        cost += size
    return cost


def random_tree(seed, count):
    """(rows, shares) of inputs that hang on each other at random."""
    source = random.Random(seed)
    rows = {number: 10 ** source.uniform(0, 5) for number in range(count)}
    return rows, {(source.randrange(number), number): 10 ** source.uniform(-6, 0) for number in range(1, count)}


@pytest.mark.parametrize("seed", range(40))
def test_no_order_along_a_tree_costs_less_than_the_line(seed):
    rows, shares = random_tree(seed, 6)
    tree = spanning_tree(rows, shares)
    costs = [cost_of(order, rows, tree) for order in itertools.permutations(rows)]
    line = linear_order(rows, shares)
    assert sorted(line) == sorted(rows)
    assert cost_of(line, rows, tree) == pytest.approx(min(cost for cost in costs if cost is not None))


def test_cycles_are_cut_at_the_condition_that_leaves_most_rows():
    tree = spanning_tree({1: 10, 2: 10, 3: 10}, {(1, 2): 0.1, (2, 3): 0.5, (1, 3): 0.2})
    assert tree == {1: {2: 0.1, 3: 0.2}, 2: {1: 0.1}, 3: {1: 0.2}}


def test_one_input_is_a_line():
    assert linear_order({7: 3.0}, {}) == (7,)
