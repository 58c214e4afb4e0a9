"""LIKE and its like: against PostgreSQL on a grid and on random pairs, and the search for a needle."""
import random

import numpy as np
import pytest

import caldera.functions
from caldera.kernel.interface import I64, Control, Owner, Pointer, Struct
from caldera.kernel.patterns import finder, split_pattern
from tests.functions import staged
from tests.functions.test_strings import TEXTS, expected, product, shown

caldera.functions.load()

PATTERNS = ["", "%", "_", "a%", "%a", "%c%", "%b%", "a%c", "é", "_é%", "%é_", "\\", "a\\", "a%\\", "\\%", "%\\%%", "__",
            "a_c", "%本%", "日_語", "abc%\\", "%%", "%_%", "x%y%x", "%trim%", "%a%b%c%", "abcdefghijklmnop", "abcdefghijklmno%",
            "%cdefghijklmno%", "ABC%", "a" * 50 + "%", "%" + "B" * 10, "%é" + "é" * 10 + "B%", "\\a\\b%", "%,%,%",
            "12345678", "_%%_\\", "%%_\\"]
OPERATORS = ["textlike(text, text)", "textnlike(text, text)", "texticlike(text, text)", "texticnlike(text, text)",
             "bpcharlike(bpchar, text)", "bytealike(bytea, bytea)"]


def rows_for(signature, pairs):
    """The pairs as arguments of an operator."""
    if "bytea" in signature:
        return [(text.encode(), pattern.encode()) for text, pattern in pairs]
    return [(text + "  ", pattern) for text, pattern in pairs] if "bpchar" in signature else pairs


def compare(oracle, signature, rows):
    """Under both kernels, and with the pattern known while staging."""
    function = staged.find(signature)
    wanted = [want if isinstance(want, tuple) else want == "t" for want in expected(oracle, function, rows)]
    for tier, step in (("python", 4), ("fast", 1)):
        found = staged.evaluate(function, rows[::step], tier)
        assert list(zip(rows[::step], found)) == list(zip(rows[::step], wanted[::step]))
    for pattern in dict.fromkeys(pattern for _, pattern in rows):
        some = [(row, want) for row, want in zip(rows, wanted) if row[1] == pattern][::2]
        found = staged.evaluate(function, [row for row, _ in some], known=(None, pattern))
        assert [(row, got) for (row, _), got in zip(some, found)] == some


@pytest.mark.oracle
@pytest.mark.parametrize("signature", OPERATORS)
def test_like_agrees_with_postgresql(oracle, signature):
    compare(oracle, signature, rows_for(signature, product(TEXTS[:12], PATTERNS)))


@pytest.mark.oracle
def test_like_agrees_with_postgresql_on_random_pairs(oracle, seed):
    choose = random.Random(seed)
    patterns = ["".join(choose.choice("ab%_\\é%") for _ in range(choose.randint(0, 6))) for _ in range(60)]
    texts = ["".join(choose.choice("aabbé") for _ in range(choose.randint(0, 9))) for _ in range(60)]
    compare(oracle, "textlike(text, text)", [(choose.choice(texts), choose.choice(patterns)) for _ in range(600)])


@pytest.mark.oracle
def test_similar_patterns_become_postgresqls_regular_expressions(oracle, seed):
    choose = random.Random(seed)
    words = ["a", "[", "]", "^", "%", "_", "[:alpha:]", "#", '"', "\\", "(", ")", "|", ".", '#"']
    patterns = ["".join(choose.choice(words) for _ in range(choose.randint(1, 9))) for _ in range(400)]
    rows = [(pattern, choose.choice(["#", "\\", "", "##"])) for pattern in patterns]
    function = staged.find("similar_to_escape(text, text)")
    found = [shown(function, result) for result in staged.evaluate(function, rows)]
    assert list(zip(rows, found)) == list(zip(rows, expected(oracle, function, rows)))


def test_patterns_are_split_into_literal_pieces():
    assert split_pattern(b"a%b\\%c%%d") == [b"a", b"b%c", b"d"]
    assert split_pattern(b"%") == [b"", b""]
    assert split_pattern(b"a_") is None
    assert split_pattern(b"a\\") is None


class Blob(Owner):
    """Bytes to search and a place for the hits."""
    layout = Struct(blob=I64, hits=Pointer(I64), count=I64)

    def __init__(self, data):
        super().__init__()
        self.found = np.zeros(len(data) + 1, np.int64)
        padded = np.frombuffer(data + bytes(128), np.uint8).copy()
        self.instances = [self.layout.make(blob=self.keep(padded), hits=self.keep(self.found), count=0)]


@pytest.mark.parametrize("tier", ["python", "fast", "o3"])
@pytest.mark.parametrize("needle", [b"a", b"ab", b"aba", b"\xc3\xa9", b"abcabcabcabcabcabcabcabc", b"x" * 100])
def test_a_needle_is_found_from_wherever_the_search_starts(tier, needle):
    choose = random.Random(7)
    data = bytes(choose.choice(b"ab\xc3\xa9") for _ in range(500)) + needle * 3 + b"abc" * 70 + needle
    blob = Blob(data)

    def stage(k):
        here, start = k.memory(blob), k.variable(I64, 3)
        for _ in k.while_(lambda: start.get() >= 0):
            hit = k.routine(finder(needle), here.blob, k.constant(I64, len(data)), start.get())
            for _ in k.when(hit >= 0):
                here.hits[here.count] = hit
                here.count = here.count + 1
            start.set(k.choose(hit >= 0, hit + 1, hit))
    staged.run(stage, tier, Control())
    wanted = [at for at in range(3, len(data)) if data.startswith(needle, at)]
    assert list(blob.found[:blob.instances[0].count]) == wanted
