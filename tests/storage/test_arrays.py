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


WORDS = {"few": lambda chance: chance.randint(-3, 3), "many": lambda chance: chance.randint(-10**9, 10**9),
         "all": lambda chance: chance.choice((-2**63, 2**63 - 1, 0, chance.randint(-2**63, 2**63 - 1)))}


@pytest.mark.parametrize("kinds", [["few"], ["all"], ["few", "few"], ["many", "few"], ["few", "all"], ["many"] * 3])
def test_rows_are_ordered_by_all_words_and_then_by_their_numbers(request, kinds):
    chance = random.Random(request.config.getoption("--seed") or 1)
    for count in (0, 1, 2, 300):
        words = [[WORDS[kind](chance) for _ in range(count)] for kind in kinds]
        found = arrays.order_of([np.array(word, np.int64) for word in words])
        assert found.tolist() == sorted(range(count), key=lambda row, words=words: [word[row] for word in words])


def test_unsigned_words_and_truths_are_ordered_with_others():
    words = [np.array([True, False, True, False]), np.array([2**64 - 1, 5, 2**64 - 2, 2**63], np.uint64)]
    assert arrays.order_of(words).tolist() == [1, 3, 2, 0]
