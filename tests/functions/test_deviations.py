"""Deviations in 128 bits, against the same computed of Decimals."""
import random
from decimal import Decimal, localcontext

import pytest

import caldera
from caldera.functions.aggregate.variance import deviation

SPREADS = (0, 1, 3, 1000, 10**8)
FORMS = {"var_samp": (True, False), "var_pop": (False, False), "stddev_samp": (True, True), "stddev_pop": (False, True)}


@pytest.mark.parametrize("type, middles, scale", [("int4", (0, 1, 10**6, 2 * 10**9), 0), ("int8", (0, 10**6, 9 * 10**18), 0),
                                                  ("numeric", (0, 1, 10**12, 10**30), 5)])
def test_deviations_equal_those_of_decimals(request, type, middles, scale):
    choose = random.Random(request.config.getoption("--seed") or 1)
    groups = []
    for _ in range(300):
        middle, spread = choose.choice(middles), choose.choice(SPREADS)
        numbers = [middle + choose.randint(-spread, spread) for _ in range(choose.choice((1, 2, 3, 20)))]
        groups.append([Decimal(number).scaleb(-scale) for number in numbers])
    rows = ", ".join(f"({number}, {value})" for number, values in enumerate(groups) for value in values)
    calls = ", ".join(f"{name}(x::{type})" for name in FORMS)
    with caldera.connect() as connection:
        found = connection.sql(f"SELECT {calls} FROM (VALUES {rows}) t (g, x) GROUP BY g ORDER BY g").fetchall()
    for values, answers in zip(groups, found, strict=True):
        with localcontext(prec=100):
            sums = len(values), sum(values), sum(value * value for value in values)
        for answer, (sample, root) in zip(answers, FORMS.values()):
            wanted = deviation(*sums, sample, root) if len(values) > sample else None
            assert str(answer) == str(wanted), values
