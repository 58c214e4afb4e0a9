"""Evaluates a jsonpath, as the SQL standard has it: lax or strict, filters with three-valued logic.

Everything that gives values is a generator, so that who wants the first one only meets no error behind it.
"""
from decimal import Decimal

from caldera.base.errors import Error, error
from caldera.functions.jsonpath import methods
from caldera.functions.jsonpath.moments import Moment, compared_moments
from caldera.functions.jsonpath.places import Places
from caldera.functions.regexp import matching, syntax
from caldera.types import arithmetic
from caldera.types.json_values import BOOLEAN, NULL, NUMBER, STRING, rank
from caldera.types.jsonpath_syntax import LAST_LEVEL, PREDICATES

UNKNOWN = None
MEMBER_NOT_FOUND, OBJECT_NOT_FOUND, ARRAY_NOT_FOUND, INVALID_SUBSCRIPT = "2203A", "2203C", "22039", "22033"
ARITHMETIC = {"+": arithmetic.add, "-": arithmetic.sub, "*": arithmetic.mul, "/": arithmetic.div, "%": arithmetic.mod}
INT_MAX = 2**31 - 1


def is_number(value):
    """Whether a value is a number; a truth value is none."""
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def settled(number):
    """A Decimal as a value: an int if it has no decimals."""
    return int(number) if number.as_tuple().exponent == 0 else number


class Evaluation:
    """One use of a Path on one document, whose members come in jsonb's order. variables: a dict. with_zones: times with a
    zone and without may be compared."""

    def __init__(self, path, document, variables, session=None, with_zones=False):
        self.path, self.root, self.variables = path, document, variables
        self.strict, self.session, self.with_zones = path.strict, session, with_zones
        self.ignores_structure, self.places = not path.strict, None

    def items(self):
        """The values that the whole path gives."""
        return self.values(self.path.item, self.root, None)

    # ---- expressions

    def values(self, item, current, size):
        """The values of an expression; `current` is what @ means, `size` that of the array whose subscripts are meant."""
        kind = item.kind
        if kind == "chain":
            head, *steps = item.arguments
            for value in self.values(head, current, size):
                yield from self.after(value, steps, 0, current, size)
        elif kind == "root":
            yield self.root
        elif kind == "current":
            yield current
        elif kind == "literal":
            yield item.value
        elif kind == "last":
            yield size - 1
        elif kind == "variable":
            if item.value not in self.variables:
                raise error("42704", f'could not find jsonpath variable "{item.value}"')
            yield self.variables[item.value]
        elif kind in PREDICATES:
            yield self.truth(item, current, size)
        elif len(item.arguments) == 1:
            yield from self.signed(item, current, size)
        else:
            yield self.calculated(item, current, size)

    def unwrapped(self, item, current, size):
        """The values of an expression, arrays replaced by their elements unless the path is strict."""
        for value in self.values(item, current, size):
            if isinstance(value, list) and not self.strict:
                yield from value
            else:
                yield value

    def signed(self, item, current, size):
        """-a or +a for each value."""
        for value in self.unwrapped(item.arguments[0], current, size):
            if not is_number(value):
                raise error("2203B", f"operand of unary jsonpath operator {item.kind} is not a numeric value")
            yield -value if item.kind == "-" else value

    def calculated(self, item, current, size):
        """An operation on two numbers."""
        operands = []
        for side, argument in zip(("left", "right"), item.arguments):
            found = list(self.unwrapped(argument, current, size))
            if len(found) != 1 or not is_number(found[0]):
                raise error("22038", f"{side} operand of jsonpath operator {item.kind} is not a single numeric value")
            operands.append(Decimal(found[0]))
        return settled(ARITHMETIC[item.kind](*operands))

    # ---- steps

    def after(self, value, steps, at, current, size, unwraps=True):
        """What steps number `at` and later make of a value. unwraps: an array may be taken for its elements."""
        if at == len(steps):
            yield value
            return
        step, unwraps = steps[at], unwraps and not self.strict
        if unwraps and isinstance(value, list) and unwraps_target(step):
            for element in value:
                yield from self.after(element, steps, at, current, size, False)
            return
        for found in getattr(self, f"step_{step.kind}")(step, value, current, size):
            yield from self.after(found, steps, at + 1, current, size)

    def structural(self, sqlstate, message):
        """Raise an error about the document's structure, if the path is strict."""
        if not self.ignores_structure:
            raise error(sqlstate, message)

    def step_key(self, step, value, current, size):
        """.key"""
        if isinstance(value, dict):
            if step.value in value:
                yield value[step.value]
            else:
                self.structural(MEMBER_NOT_FOUND, f'JSON object does not contain key "{step.value}"')
        else:
            self.structural(MEMBER_NOT_FOUND, "jsonpath member accessor can only be applied to an object")

    def step_any_key(self, step, value, current, size):
        """.*"""
        if isinstance(value, dict):
            yield from value.values()
        else:
            self.structural(OBJECT_NOT_FOUND, "jsonpath wildcard member accessor can only be applied to an object")

    def step_elements(self, step, value, current, size):
        """[*]"""
        if isinstance(value, list):
            yield from value
        elif not self.strict:
            yield value
        else:
            self.structural(ARRAY_NOT_FOUND, "jsonpath wildcard array accessor can only be applied to an array")

    def step_subscripts(self, step, value, current, size):
        """[a, b to c]"""
        if not isinstance(value, list) and self.strict:
            self.structural(ARRAY_NOT_FOUND, "jsonpath array accessor can only be applied to an array")
            return
        elements = value if isinstance(value, list) else [value]
        for first, last in step.arguments:
            low = self.index(first, current, len(elements))
            high = low if last is None else self.index(last, current, len(elements))
            if low < 0 or low > high or high >= len(elements):
                self.structural(INVALID_SUBSCRIPT, "jsonpath array subscript is out of bounds")
            yield from elements[max(low, 0):max(high + 1, 0)]

    def index(self, item, current, size):
        """The number of an element."""
        found = list(self.values(item, current, size))
        if len(found) != 1 or not is_number(found[0]):
            raise error(INVALID_SUBSCRIPT, "jsonpath array subscript is not a single numeric value")
        if not -INT_MAX - 1 <= int(found[0]) <= INT_MAX:
            raise error(INVALID_SUBSCRIPT, "jsonpath array subscript is out of integer range")
        return int(found[0])

    def step_levels(self, step, value, current, size):
        """.**{first to last}"""
        before, self.ignores_structure = self.ignores_structure, True
        first, last = step.value
        try:
            if first == 0:
                yield value
            yield from self.inside(value, 1, first, last)
        finally:
            self.ignores_structure = before

    def inside(self, value, level, first, last):
        """What is inside a value at some levels, a container before what it holds."""
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for part in parts if level <= last else ():
            is_leaf = not isinstance(part, (dict, list))
            if level >= first or first == last == LAST_LEVEL and is_leaf:
                yield part
            if level < last:
                yield from self.inside(part, level + 1, first, last)

    def step_filter(self, step, value, current, size):
        """?(predicate)"""
        if self.truth(step.arguments[0], value, size) is True:
            yield value

    def step_method(self, step, value, current, size):
        """.method()"""
        if step.value == "keyvalue":
            return self.key_values(value)
        if step.value == "size":
            return self.size_of(value)
        return iter((methods.METHODS[step.value](value, step, self),))

    def size_of(self, value):
        """.size(): anything but an array counts as one."""
        if not isinstance(value, list) and self.strict:
            self.structural(ARRAY_NOT_FOUND, "jsonpath item method .size() can only be applied to an array")
        else:
            yield len(value) if isinstance(value, list) else 1

    def key_values(self, value):
        """.keyvalue(): an object for each member."""
        if not isinstance(value, dict):
            raise error(OBJECT_NOT_FOUND, "jsonpath item method .keyvalue() can only be applied to an object")
        self.places = self.places or Places(self.root)
        place = self.places.of(value)
        for key, item in value.items():
            pair = {"id": place, "key": key, "value": item}
            self.places.add_base(pair)
            yield pair

    # ---- predicates: True, False or UNKNOWN

    def truth(self, item, current, size):
        """The truth of a predicate."""
        kind, arguments = item.kind, item.arguments
        if kind in ("&&", "||"):
            decisive = kind == "||"
            left = self.truth(arguments[0], current, size)
            if left is decisive:
                return left
            right = self.truth(arguments[1], current, size)
            return right if right is decisive or left is not UNKNOWN else UNKNOWN
        if kind == "!":
            inner = self.truth(arguments[0], current, size)
            return UNKNOWN if inner is UNKNOWN else not inner
        if kind == "is_unknown":
            return self.truth(arguments[0], current, size) is UNKNOWN
        if kind not in PREDICATES:
            raise AssertionError(f"{kind} is no predicate")
        try:
            if kind == "exists":
                return self.finds(arguments[0], current, size)
            left = list(self.unwrapped(arguments[0], current, size))
            right = [None]
            if kind == "starts_with":
                right = list(self.values(arguments[1], current, size))
            elif len(arguments) == 2:
                right = list(self.unwrapped(arguments[1], current, size))
        except Error as fault:
            if fault.sqlstate in LASTING:
                raise
            return UNKNOWN
        return self.some_pair(PREDICATE_TESTS.get(kind) or comparing(kind), item, left, right)

    def finds(self, item, current, size):
        """Whether an expression gives a value; a strict path looks for errors behind the first one, too."""
        found = self.values(item, current, size)
        return bool(list(found)) if self.strict else next((True for _ in found), False)

    def some_pair(self, test, item, left, right):
        """Whether a test holds for a pair of values: a strict path stops at the first unknown one, a lax one at the first
        that holds."""
        held = unknown = False
        for a in left:
            for b in right:
                outcome = test(self, item, a, b)
                if outcome is UNKNOWN:
                    if self.strict:
                        return UNKNOWN
                    unknown = True
                elif outcome:
                    if not self.strict:
                        return True
                    held = True
        return True if held else UNKNOWN if unknown else False


LASTING = {"42704", "0A000"}                # errors that are no answer of a predicate


def unwraps_target(step):
    """Whether a step that meets an array applies to its elements, in a lax path."""
    return step.kind in ("key", "any_key", "filter") or step.kind == "method" and step.value not in ("type", "size")


def comparing(kind):
    """The test of a comparison."""
    return lambda evaluation, item, a, b: compare(evaluation, kind, a, b)


def compare(evaluation, kind, a, b):
    """The truth of `a kind b`. null differs from all else; other kinds cannot be compared with each other."""
    if isinstance(a, Moment) or isinstance(b, Moment):
        order = compared_moments(evaluation, a, b) if isinstance(a, Moment) and isinstance(b, Moment) else UNKNOWN
        if order is UNKNOWN:
            return kind == "<>" if a is None or b is None else UNKNOWN
        return holds(kind, order)
    left, right = rank(a), rank(b)
    if left != right:
        return kind == "<>" if NULL in (left, right) else UNKNOWN
    if left == NULL:
        return holds(kind, 0)
    return holds(kind, (a > b) - (a < b)) if left in (BOOLEAN, NUMBER, STRING) else UNKNOWN


def holds(kind, order):
    """Whether a comparison holds for values in an order (below, at or above 0)."""
    return {"==": order == 0, "<>": order != 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[kind]


def starts_with(evaluation, item, a, b):
    """Whether one text starts with another."""
    return a.startswith(b) if isinstance(a, str) and isinstance(b, str) else UNKNOWN


def like_regex(evaluation, item, a, b):
    """Whether a text matches a regular expression somewhere."""
    if not isinstance(a, str):
        return UNKNOWN
    return regex_of(*item.value).matches(a)


def regex_of(pattern, flags):
    """The regular expression of a pattern with flags of XQuery."""
    literal = "q" in flags
    return matching.compiled(pattern, syntax.Options(
        "literal" if literal else "advanced", ignore_case="i" in flags, newline_stops="s" not in flags and not literal,
        newline_anchors="m" in flags and not literal))


PREDICATE_TESTS = {"starts_with": starts_with, "like_regex": like_regex}
