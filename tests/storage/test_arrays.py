"""Orders of column arrays."""
import itertools
import random
from decimal import Decimal

import numpy as np
import pytest

from caldera.kernel.decimal import words_of
from caldera.storage import arrays


def words(numbers):
    """Decimals as a column has them."""
    return np.array([words_of(number) for number in numbers], np.int64).reshape(-1, 2)



def test_numerics_that_fit_in_64_bits_become_numbers_of_the_same_order(request):
    choose = random.Random(request.config.getoption("--seed") or 1)
    for count in (0, 1, 2, 40):
        numbers = [Decimal(choose.randint(-10**digits, 10**digits)).scaleb(-choose.choice((0, 2, 5)))
                   for digits in choose.choices((1, 5, 12), k=count)]
        found = arrays.numeric_numbers(words(numbers)).tolist()
        for (a, x), (b, y) in itertools.product(zip(numbers, found, strict=True), repeat=2):
            assert (a < b, a == b) == (x < y, x == y)


@pytest.mark.parametrize("numbers", [["NaN"], ["-9223372036854775808"], ["9223372036854775807", "0.1"], ["1e30"],
                                     ["1", "1e-19"]])
def test_numerics_that_do_not_fit_in_64_bits_do_not_become_numbers(numbers):
    assert arrays.numeric_numbers(words(map(Decimal, numbers))) is None
