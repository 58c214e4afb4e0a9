"""Texts while staging: words of cells, comparison, hashes and copies, at every length and alignment, under every kernel."""
import random

import numpy as np
import pytest

from caldera.kernel import text as texts
from caldera.kernel.interface import I64, Control
from caldera.kernel.python import PythonKernel
from caldera.kernel.text import Text
from tests.kernel.staged import every_kernel, run

LENGTHS = range(41)


def laid_out(values, alignment=0):
    """(bytes with spare room behind each text, offsets, lengths); texts start `alignment` bytes behind a multiple of 8."""
    blob, offsets = bytearray(), []
    for value in values:
        blob += bytes(-len(blob) % 8 + alignment)
        offsets.append(len(blob))
        blob += value + b"\xee" * texts.TEXT_SPARE          # what may be read, but must not matter
    lengths = [len(value) for value in values]
    return np.frombuffer(bytes(blob) + bytes(8), np.int8).copy(), np.array(offsets, np.int64), np.array(lengths, np.int64)


def by_pairs(kernel, pairs, body, results=1, alignment=0):
    """`body(k, a, b)` of each pair of texts: a list of numbers for each result."""
    blob, offsets, lengths = laid_out([text for pair in pairs for text in pair], alignment)

    def staged(k, here):
        for i in k.range(0, len(pairs), vectorize=False):
            a, b = (Text(k, k.address(here.blob, here.offsets[i * 2 + side]), here.lengths[i * 2 + side]) for side in (0, 1))
            found = body(k, a, b)
            for number, result in enumerate(found if isinstance(found, (list, tuple)) else [found]):
                here.out[i * results + number] = k.convert(k.as_condition(result), I64)
    outcome = run(kernel, staged, {"blob": blob, "offsets": offsets, "lengths": lengths,
                                   "out": np.zeros(results * len(pairs), np.int64)})
    return outcome["out"].reshape(-1, results).T.tolist()


def samples(seed=1):
    """Pairs of texts that are equal, differ in one place, or one of which is the beginning of the other."""
    source, pairs = random.Random(seed), []
    for length in LENGTHS:
        text = bytes(source.choice(b"ab\x00\xff") for _ in range(length))
        pairs += [(text, text), (text, text + b"\0"), (text[:length // 2], text)]
        for at in {0, length // 2, length - 1} & set(range(length)):
            changed = bytearray(text)
            changed[at] ^= 1 << source.randrange(8)
            pairs += [(text, bytes(changed)), (bytes(changed), text)]
    return pairs


@every_kernel
@pytest.mark.parametrize("alignment", [0, 1, 5])
def test_equality_and_order_are_those_of_bytes(kernel, alignment):
    pairs = samples(alignment)
    equal, less = by_pairs(
        kernel, pairs, lambda k, a, b: (texts.equal_texts(k, a, b), texts.less_text(k, a, b)), 2, alignment)
    assert [bool(number) for number in equal] == [a == b for a, b in pairs]
    assert [bool(number) for number in less] == [a < b for a, b in pairs]


@every_kernel
def test_equal_texts_have_equal_hashes_and_others_hardly_ever(kernel):
    pairs = samples(2)
    first, second = by_pairs(kernel, pairs, lambda k, a, b: (texts.hash_text(k, a), texts.hash_text(k, b)), 2)
    assert [a == b for a, b in zip(first, second)] == [a == b for a, b in pairs]


@every_kernel
def test_words_hold_a_prefix_and_the_rest_of_a_short_text(kernel):
    pairs = [(bytes(range(65, 65 + length)), b"") for length in LENGTHS]
    first, second = by_pairs(kernel, pairs, lambda k, a, b: a.words(), 2)
    for (text, _), word0, word1 in zip(pairs, first, second):
        assert word0 & 0xFFFFFFFF == len(text)
        assert (word0 >> 32 & 0xFFFFFFFF).to_bytes(4, "little") == text[:4].ljust(4, b"\0")
        if len(text) <= texts.INLINE_BYTES:
            assert word1.to_bytes(8, "little", signed=True) == text[4:12].ljust(8, b"\0")


@every_kernel
@pytest.mark.parametrize("alignment", range(8))
def test_a_copy_has_all_bytes_and_touches_little_more(kernel, alignment):
    values = [bytes(range(100, 100 + length)) for length in LENGTHS]
    blob, offsets, lengths = laid_out(values, alignment)

    def body(k, here):
        for i in k.range(0, len(values), vectorize=False):
            target = k.address(here.target, i * 64 + (alignment * 3 & 7))
            here.copied[i] = k.routine(texts.copy_bytes, k.address(here.blob, here.offsets[i]), here.lengths[i], target)
    outcome = run(kernel, body, {"blob": blob, "offsets": offsets, "lengths": lengths, "copied": lengths * 0,
                                 "target": np.zeros(64 * len(values), np.int8)})
    assert outcome["copied"].tolist() == list(LENGTHS)
    for value, target in zip(values, outcome["target"].reshape(-1, 64)):
        start = alignment * 3 & 7
        found = target.astype(np.uint8).tobytes()
        assert found[start:start + len(value)] == value
        assert not any(found[:start]) and not any(found[start + len(value) + 7:])


@every_kernel
def test_cells_keep_texts_short_ones_inside(kernel):
    values = [bytes(range(48, 48 + length)) for length in LENGTHS]
    blob, offsets, lengths = laid_out(values)

    def body(k, here):
        for i in k.range(0, len(values), vectorize=False):
            text = Text(k, k.address(here.blob, here.offsets[i]), here.lengths[i])
            texts.store_text(k, here.cells, i, text)
        for i in k.range(0, len(values), vectorize=False):
            text = texts.load_text(k, here.cells, i)
            other = Text(k, k.address(here.blob, here.offsets[i]), here.lengths[i])
            inside = k.and_(text.address >= k.address(here.cells), text.address < k.address(here.cells, 2 * len(values)))
            here.equal[i] = k.convert(texts.equal_texts(k, text, other), I64) + k.convert(inside, I64) * 2
    outcome = run(kernel, body, {"blob": blob, "offsets": offsets, "lengths": lengths, "equal": lengths * 0,
                                 "cells": np.zeros(2 * len(values) + 2, np.int64)})
    assert outcome["equal"].tolist() == [3 if length <= texts.INLINE_BYTES else 1 for length in LENGTHS]


@every_kernel
@pytest.mark.parametrize("equal_hashes", [False, True])
def test_hashes_can_be_made_equal_for_tests(kernel, equal_hashes):
    def body(k, here):
        here.out[0] = texts.hash_words(k, here.out[0], here.out[1])
        here.out[1] = texts.hash_words(k, here.out[1])
    outcome = run(kernel, body, {"out": np.array([1, 2], np.int64)}, {"equal_hashes": equal_hashes})
    assert (outcome["out"].tolist() == [0, 0]) == equal_hashes


def test_hashes_spread_over_the_highest_and_the_lowest_bits():
    k = PythonKernel(Control())
    hashes = [k.use(texts.hash_words(k, k.constant(I64, number))) & (1 << 64) - 1 for number in range(4096)]
    for shift in (58, 52, 0):
        buckets = np.bincount([number >> shift & 63 for number in hashes], minlength=64)
        assert buckets.max() < 4 * buckets.mean(), shift


@every_kernel
def test_low_bytes_masks_a_word(kernel):
    def body(k, here):
        for i in k.range(0, here.n):
            here.out[i] = texts.low_bytes(k, i - 3)
    outcome = run(kernel, body, {"out": np.zeros(16, np.int64)}, n=16)
    expected = [(1 << 8 * min(max(count, 0), 8)) - 1 for count in range(-3, 13)]
    assert [number & (1 << 64) - 1 for number in outcome["out"].tolist()] == expected
