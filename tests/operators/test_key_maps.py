"""The bit map of a join's keys, however many of its bits are set."""
import numpy as np
import pytest

from caldera.operators.key_filter import bit_map


CASES = [([0], 1), ([0, 7, 8, 8], 9), ([99_999], 100_000), (range(0, 1000, 3), 1000)]


@pytest.mark.parametrize("places, size", CASES, ids=str)
def test_map_has_the_bits_of_its_places(places, size):
    bits = bit_map(np.array(places, np.int64), size)
    assert len(bits) == size // 8 + 1
    assert np.flatnonzero(np.unpackbits(bits, bitorder="little")).tolist() == sorted(set(places))
