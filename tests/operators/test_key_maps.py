"""The bit map of a join's keys, however many of its bits are set."""
import numpy as np
import pytest

from caldera.operators.key_filter import set_bits

CASES = [([0], 1), ([0, 7, 8, 8], 9), ([99_999], 100_000), (range(0, 1000, 3), 1000)]


@pytest.mark.parametrize("places, size", CASES, ids=str)
def test_bits_of_several_batches_are_set(places, size):
    bits = np.zeros(size // 8 + 1, np.uint8)
    for batch in (places[:1], places[1:]):
        set_bits(bits, np.array(batch, np.int64))
    assert np.flatnonzero(np.unpackbits(bits, bitorder="little")).tolist() == sorted(set(places))
