"""Conditions tried on a sample of a table's rows: how often they hold, and how many different values expressions have.

    x > 5 AND city LIKE 'V%'  ─ truth(condition, columns) ─▶ bool arrays (true, known)  ─▶  hits of n rows

The rows are the same for all columns, so that what columns have to do with each other shows. Only what plain arrays can do
is tried, and only about: numerics are floats here. Of other expressions nothing is said (`Untried`).
"""
import datetime
import operator
import re
from decimal import Decimal

import numpy as np

from caldera.kernel import layouts
from caldera.plan.expressions import And, Call, Column, Constant, InList, IsDistinct, IsNull, IsTruth, Not, Or, Relabel
from caldera.types.calendar import DAY

NUMBERS = {"int2", "int4", "int8", "float4", "float8", "numeric"}
ORDERED = {"=": operator.eq, "<>": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
LIKES = {"~~": (False, False), "!~~": (True, False), "~~*": (False, True), "!~~*": (True, True)}    # negated, ignoring case
PATTERNS = {"~": (False, False), "!~": (True, False), "~*": (False, True), "!~*": (True, True)}
PARTS = {"year": "Y", "month": "M"}
EPOCH_DAYS = (datetime.date(2000, 1, 1) - datetime.date(1970, 1, 1)).days


class Untried(Exception):
    """Nothing is known of such an expression."""


UNTRIED = Untried, re.error, ArithmeticError, TypeError, ValueError        # what trying an expression may end in


class Trial:
    """Evaluates expressions over the rows of one sample. column_of(Column) gives a pair (values, valid), see
    TableStatistics.sample; values may be None."""

    def __init__(self, column_of, rows):
        self.column_of, self.rows, self.known = column_of, rows, {}

    def hits(self, condition):
        """For how many rows a condition is true."""
        return int(np.count_nonzero(self.truth(condition)[0]))

    def distinct(self, expressions):
        """How many different combinations of values several expressions have; NULL is one."""
        numbers = np.zeros(self.rows, np.int64)
        for expression in expressions:
            values, valid = self.value(expression)
            codes = np.array(numbered(np.broadcast_to(values, self.rows).tolist()), np.int64)
            codes = codes if valid is None else np.where(valid, codes + 1, 0)
            numbers = np.array(numbered((numbers * (self.rows + 1) + codes).tolist()), np.int64)
        return int(numbers.max(initial=-1)) + 1

    # ---- truth

    def truth(self, condition):
        """(where a condition is true, where it is not NULL): bool arrays."""
        if type(condition) in (And, Or):
            return self.joined(type(condition) is And, [self.truth(argument) for argument in condition.arguments])
        if isinstance(condition, Not):
            true, known = self.truth(condition.argument)
            return known & ~true, known
        if isinstance(condition, IsNull):
            valid = self.value(condition.argument)[1]
            valid = np.ones(self.rows, bool) if valid is None else valid
            return (valid if condition.negated else ~valid), np.ones(self.rows, bool)
        if isinstance(condition, IsTruth):
            true, known = self.truth(condition.argument)
            holds = true if condition.truth else known & ~true
            return (~holds if condition.negated else holds), np.ones(self.rows, bool)
        if isinstance(condition, InList):
            return self.in_list(condition)
        if isinstance(condition, IsDistinct):
            return self.is_distinct(condition)
        if isinstance(condition, Call) and condition.type.name == "bool":
            return self.call_truth(condition)
        if isinstance(condition, (Column, Constant)) and condition.type.name == "bool":
            values, valid = self.value(condition)
            return self.with_validity(np.broadcast_to(np.asarray(values) != 0, self.rows), valid)
        raise Untried

    def with_validity(self, true, *valid):
        """(true where it is not NULL, where it is not NULL)."""
        known = np.ones(self.rows, bool)
        for mask in valid:
            if mask is not None:
                known = known & mask
        return np.asarray(true, bool) & known, known

    @staticmethod
    def joined(is_and, sides):
        """AND or OR of pairs."""
        true, known = sides[0]
        for other, other_known in sides[1:]:
            if is_and:
                false = known & ~true | other_known & ~other
                true, known = true & other, known & other_known | false
            else:
                known, true = known & other_known | true | other, true | other
        return true, known

    def in_list(self, condition):
        values, valid = self.value(condition.argument)
        wanted, values = {self.constant(value) for value in condition.values}, np.broadcast_to(values, self.rows)
        true = np.fromiter((value in wanted for value in values.tolist()), bool, self.rows)
        return self.with_validity(~true if condition.negated else true, valid)

    def is_distinct(self, condition):
        (left, left_valid), (right, right_valid) = self.value(condition.left), self.value(condition.right)
        same = self.with_validity(self.compared("=", left, right), left_valid, right_valid)[0]
        if left_valid is not None and right_valid is not None:
            same = same | ~left_valid & ~right_valid
        return (same if condition.negated else ~same), np.ones(self.rows, bool)

    def call_truth(self, call):
        sign = call.function.operator
        if sign in ORDERED and len(call.arguments) == 2:
            left, right = call.arguments
            if left.type.name != right.type.name and not {left.type.name, right.type.name} <= NUMBERS:
                raise Untried
            (left, left_valid), (right, right_valid) = self.value(left), self.value(right)
            return self.with_validity(self.compared(sign, left, right), left_valid, right_valid)
        if sign in LIKES or sign in PATTERNS or sign == "^@":
            return self.matched(sign, *call.arguments)
        raise Untried

    def compared(self, sign, left, right):
        """A comparison of arrays or constants."""
        return np.broadcast_to(ORDERED[sign](left, right), self.rows)

    def matched(self, sign, text, pattern):
        """LIKE and its kin, and regular expressions."""
        if not isinstance(pattern, Constant) or not isinstance(pattern.value, str):
            raise Untried
        values, valid = self.value(text)
        if sign == "^@":
            true = np.fromiter((value.startswith(pattern.value) for value in values), bool, self.rows)
            return self.with_validity(true, valid)
        negated, folded = LIKES.get(sign) or PATTERNS[sign]
        text = like_pattern(pattern.value) if sign in LIKES else pattern.value
        found = re.compile(text, re.IGNORECASE * folded | re.DOTALL).search
        true = np.fromiter((found(value) is not None for value in np.broadcast_to(values, self.rows)), bool, self.rows)
        return self.with_validity(~true if negated else true, valid)

    # ---- values

    def value(self, expression):
        """(values, valid): an array (of str objects for text), or a constant; a bool array or None."""
        if expression not in self.known:
            self.known[expression] = self.computed(expression)
        return self.known[expression]

    def computed(self, expression):
        if isinstance(expression, Column):
            return self.stored(expression)
        if isinstance(expression, Constant) and expression.value is not None:
            return self.constant(expression.value), None
        if isinstance(expression, Relabel):
            return self.value(expression.argument)
        if not isinstance(expression, Call):
            raise Untried
        arguments, function = expression.arguments, expression.function
        if function.operator in ARITHMETIC and len(arguments) == 2 and all(part.type.name in NUMBERS for part in arguments):
            (left, left_valid), (right, right_valid) = map(self.value, arguments)
            with np.errstate(all="ignore"):
                result = ARITHMETIC[function.operator](left, right)
            return result, right_valid if left_valid is None else left_valid if right_valid is None else \
                left_valid & right_valid
        if function.cast and len(arguments) == 1:
            return self.converted(arguments[0], expression.type)
        if function.name == "extract" and isinstance(arguments[0], Constant) and arguments[0].value in PARTS:
            return self.extracted(arguments[0].value, arguments[1])
        if function.name in ("substring", "substr") and arguments[0].type.layout is layouts.TEXT:
            return self.part_of_text(*map(self.value, arguments))
        raise Untried

    def part_of_text(self, text, *bounds):
        """substring from a first letter on, perhaps of some length; both constants. All are pairs (values, valid)."""
        if not all(isinstance(bound, int) and bound > 0 for bound, _ in bounds) or isinstance(text[0], str):
            raise Untried
        first, *length = (bound for bound, _ in bounds)
        run = slice(first - 1, first - 1 + length[0] if length else None)
        return objects([value[run] for value in text[0]]), text[1]

    def converted(self, argument, type):
        """A cast."""
        values, valid = self.value(argument)
        if {argument.type.name, type.name} <= NUMBERS or argument.type.layout is type.layout is layouts.TEXT:
            return values, valid
        if argument.type.name == "date" and type.name in ("timestamp", "timestamptz"):
            return np.asarray(values, np.int64) * DAY, valid
        raise Untried

    def extracted(self, part, argument):
        """The year or month of a date or timestamp."""
        if argument.type.name not in ("date", "timestamp"):
            raise Untried
        values, valid = self.value(argument)
        days = np.asarray(values, np.int64) // (DAY if argument.type.name == "timestamp" else 1) + EPOCH_DAYS
        months = days.astype("datetime64[D]").astype(f"datetime64[{PARTS[part]}]").astype(np.int64)
        return (months + 1970 if part == "year" else months % 12 + 1).astype(np.float64), valid

    @staticmethod
    def constant(datum):
        """A datum as arrays are compared with it."""
        if isinstance(datum, (Decimal, int, float)):
            return float(datum) if isinstance(datum, Decimal) else datum
        if isinstance(datum, str):
            return datum
        raise Untried

    def stored(self, column):
        """A column of the sample."""
        values, valid = self.column_of(column)
        if values is None:
            raise Untried
        return values, valid


def numbered(items):
    """For each item the number of the first one that is equal, counting different ones."""
    numbers: dict = {}
    return [numbers.setdefault(item, len(numbers)) for item in items]


def objects(items):
    """Python objects as an array."""
    array = np.empty(len(items), object)
    array[:] = items
    return array


def like_pattern(pattern):
    """A LIKE pattern as a regular expression of Python."""
    parts = re.findall(r"\\.|.", pattern, re.DOTALL)
    kinds = {"%": ".*", "_": "."}
    return r"\A" + "".join(kinds.get(part) or re.escape(part[-1]) for part in parts) + r"\Z"
