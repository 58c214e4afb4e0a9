"""Three-valued logic and checked arithmetic, under every kernel."""
import itertools

import pytest

from caldera.kernel.interface import BOOL, I16, I32, I64
from caldera.kernel.nullable import Sql, both_true, checked, either_true, is_true
from tests.kernel.staged import differing, every_kernel, rows

TRUTHS = True, False, None
PAIRS = list(itertools.product(TRUTHS, repeat=2))


def conjunction(a, b):
    return False if a is False or b is False else None if a is None or b is None else True


def disjunction(a, b):
    return True if a is True or b is True else None if a is None or b is None else False


def staged_truths(kernel, known):
    """AND, OR and `is_true` of all pairs. known: for each side, whether NULL or its absence is known while staging."""
    found = []
    pairs = [pair for pair in PAIRS if all(side is not None or not fixed for side, fixed in zip(pair, known))]

    def body(k, a, a_valid, b, b_valid):
        left, right = Sql(a, True if known[0] else a_valid), Sql(b, True if known[1] else b_valid)
        result = []
        for sql in (both_true(k, left, right), either_true(k, left, right)):
            result += [k.as_condition(sql.value), k.as_condition(sql.valid), k.as_condition(is_true(k, sql))]
        return result
    values = [(bool(a), a is not None, bool(b), b is not None) for a, b in pairs]
    for row in rows(kernel, values, (BOOL,) * 4, body):
        found.append(tuple((row[at] if row[at + 1] else None, row[at + 2]) for at in (0, 3)))
    return pairs, found


@every_kernel
@pytest.mark.parametrize("known", list(itertools.product([False, True], repeat=2)), ids=str)
def test_logic_has_three_values(kernel, known):
    pairs, found = staged_truths(kernel, known)
    expected = [tuple((truth, truth is True) for truth in (conjunction(a, b), disjunction(a, b))) for a, b in pairs]
    assert found == expected


@every_kernel
def test_a_null_known_while_staging_folds(kernel):
    def body(k, a, a_valid):
        null, value = Sql(a, False), Sql(a, a_valid)
        return [k.as_condition(part) for sql in (both_true(k, null, value), either_true(k, null, value))
                for part in (sql.valid, is_true(k, sql))]
    found = rows(kernel, [(True, True), (False, True), (True, False)], (BOOL, BOOL), body)
    assert found == [(False, False, True, True), (True, False, False, False), (False, False, False, False)]


def edges(type):
    top = 1 << (type.bits - 1)
    root = 1 << (type.bits // 2 - 1)
    return sorted({-top, -top + 1, -top // 2, -root - 1, -root, -2, -1, 0, 1, 2, root - 1, root, root * 2, top // 2, top - 2,
                   top - 1})


@every_kernel
@pytest.mark.parametrize("type", (I16, I32, I64), ids=lambda type: type.name)
def test_checked_arithmetic_knows_when_a_result_does_not_fit(kernel, type):
    values, operations = list(itertools.product(edges(type), repeat=2)), ("add", "sub", "mul")
    found = rows(kernel, values, (type, type), lambda k, a, b: [
        part for operation in operations for part in checked(k, operation, a, b)])
    expected = []
    for x, y in values:
        row = []
        for result in (x + y, x - y, x * y):
            half = 1 << (type.bits - 1)
            wrapped = (result + half) % (2 * half) - half
            row += [wrapped, wrapped != result]
        expected.append(tuple(row))
    assert differing(values, found, expected) == []
