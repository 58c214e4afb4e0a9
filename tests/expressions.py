"""Random expressions over a small table of edge cases, as SQL text, for hypothesis.

    queries()  ->  "SELECT (i + 3) / s, upper(t) FROM r WHERE d < '2024-01-01' AND t LIKE 'a%'"

Expressions are typed, so that most are valid; they may fail for their values (overflow, division by zero). What can fail
stays out of AND, OR and WHERE, where SQL leaves open what is evaluated. Values whose choice is open are avoided: minus
zero, numbers of different scale as group keys, and float sums over rows in different order (compared to 1e-12).
"""
from hypothesis import strategies as st

SETUP = """
CREATE TABLE r (id int, s int2, i int4, b int8, f float8, n numeric, m numeric(8, 2), t text, v varchar(8), d date,
                ts timestamp, o bool) USING mergetree;
INSERT INTO r VALUES
  (1, 0, 0, 0, 0, 0, 0, '', '', '2000-01-01', '2000-01-01', true),
  (2, 1, 1, 1, 1.5, 1.5, 1.25, 'a', 'a', '1999-12-31', '1999-12-31 23:59:59.999999', false),
  (3, -1, -1, -1, -2.5, -2.5, -1.25, 'abc', 'Abc', '2024-02-29', '2024-02-29 12:34:56', NULL),
  (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (5, 32767, 2147483647, 9223372036854775807, 1e300, 123456789012345678901234567890.5, 999999.99, 'äöü %_', 'ÄÖ',
   '5000-12-31', '5000-12-31 00:00:00', true),
  (6, -32768, -2147483648, -9223372036854775808, -1e300, -0.000000000000000000001, -999999.99,
   'a longer text with \\ and ''quotes''', 'x', '0001-01-01', '0001-01-01 00:00:01', false),
  (7, 7, 42, 3000000000, 0.1, 1e20, 0.01, 'ABC', 'abc', '2024-01-31', '2024-01-31 06:00:00.5', true),
  (8, 2, 3, 5, 'NaN', 'NaN', 7, 'abcabc', NULL, '2013-07-15', '2013-07-15 10:20:30', NULL),
  (9, 100, NULL, 100, 'Infinity', 100, 100, 'aab', 'b', NULL, '2013-07-15 10:21:00', true),
  (10, NULL, 100, NULL, 2, 2, NULL, 'x%y', '%', '2013-07-14', NULL, false);
"""
COLUMNS = {"int2": ["s"], "int4": ["i", "id"], "int8": ["b"], "float8": ["f"], "numeric": ["n", "m"], "text": ["t", "v"],
           "date": ["d"], "timestamp": ["ts"], "bool": ["o"]}
LITERALS = {
    "int2": ["3::int2", "(-2)::int2", "0::int2"], "int4": ["1", "2", "(-3)", "0", "10", "2147483647"],
    "int8": ["4::int8", "3000000000", "(-1)::int8"], "float8": ["0.5::float8", "2e10::float8", "(-3)::float8", "1::float8"],
    "numeric": ["1.5", "0.001", "(-2.25)", "10.0", "3.00"],
    "text": ["'a'", "'abc'", "''", "'ö'", "'B'", "'a longer literal text'"],
    "date": ["DATE '2024-02-29'", "DATE '1970-01-01'"],
    "timestamp": ["TIMESTAMP '2024-02-29 12:00'", "TIMESTAMP '1999-12-31'"],
    "bool": ["true", "false"],
}
NUMBERS = ("int2", "int4", "int8", "float8", "numeric")
TYPES = tuple(COLUMNS)
PATTERNS = ["'a%'", "'%b%'", "'_b_'", "'%'", "''", "'abc'", "'%ö%'", "'a\\%'", "'%c'"]


def leaf(kind):
    """A column, a literal or NULL of that type."""
    return st.one_of(st.sampled_from(COLUMNS[kind]), st.sampled_from(LITERALS[kind]), st.just(f"NULL::{kind}"),
                     st.sampled_from(COLUMNS[kind]))


@st.composite
def expression(draw, kind, depth):
    """An expression of a type; its operands are at most `depth` levels deep."""
    if depth <= 0:
        return draw(leaf(kind))

    def operand(other=kind):
        return draw(expression(other, draw(st.integers(0, depth - 1))))
    general = [lambda: draw(leaf(kind)), lambda: f"coalesce({operand()}, {operand()})",
               lambda: f"nullif({operand()}, {operand()})",
               lambda: f"CASE WHEN {draw(condition(depth - 1))} THEN {operand()} ELSE {operand()} END",
               lambda: f"CASE {operand('int4')} WHEN 1 THEN {operand()} WHEN 42 THEN {operand()} END"]
    return "(" + draw(st.sampled_from(general + special(kind, operand, draw, depth)))() + ")"


def special(kind, operand, draw, depth):
    """The forms that only this type has."""
    def operators(*symbols):
        return [lambda symbol=symbol: f"{operand()} {symbol} {operand()}" for symbol in symbols]
    forms = {
        "int2": lambda: operators("+", "-", "*", "/", "%", "&", "|"),
        "int4": lambda: operators("+", "-", "*", "/", "%", "#") + [
            lambda: f"length({operand('text')})", lambda: f"extract(year from {operand('date')})::int",
            lambda: f"abs({operand()})", lambda: f"{operand('int2')} + {operand('int4')}",
            lambda: f"{operand('date')} - {operand('date')}",
            lambda: f"position({operand('text')} in {operand('text')})", lambda: f"{operand('bool')}::int"],
        "int8": lambda: operators("+", "-", "*", "/", "%") + [
            lambda: f"{operand('int4')} * {operand('int8')}", lambda: f"{operand('int4')}::int8", lambda: f"-{operand()}"],
        "float8": lambda: operators("+", "-", "*", "/") + [
            lambda: f"{operand('int4')} + {operand()}", lambda: f"abs({operand()})", lambda: f"floor({operand()})",
            lambda: f"{operand('int8')}::float8"],
        "numeric": lambda: operators("+", "-", "*") + [
            lambda: f"{operand()} / nullif({operand('int4')}, 0)", lambda: f"round({operand()}, 2)",
            lambda: f"{operand('int4')} * {operand()}", lambda: f"trunc({operand()})",
            lambda: f"{operand('int8')}::numeric"],
        "text": lambda: operators("||") + [
            lambda: f"upper({operand()})", lambda: f"lower({operand()})",
            lambda: f"substr({operand()}, {draw(st.integers(-1, 4))}, 3)",
            lambda: f"replace({operand()}, 'a', 'xyz')", lambda: f"{operand('int4')}::text", lambda: f"left({operand()}, 2)",
            lambda: f"trim({operand()})", lambda: f"reverse({operand()})", lambda: f"{operand('numeric')}::text"],
        "date": lambda: [lambda: f"{operand()} + {draw(st.integers(-400, 400))}", lambda: f"{operand('timestamp')}::date"],
        "timestamp": lambda: [
            lambda: f"{operand('date')}::timestamp",
            lambda: f"date_trunc('{draw(st.sampled_from(['day', 'hour', 'month']))}', {operand()})",
            lambda: f"{operand()} + INTERVAL '{draw(st.sampled_from(['1 day', '1 month', '-90 minutes']))}'"],
        "bool": lambda: [lambda: draw(condition(depth))],
    }
    return forms[kind]()


@st.composite
def condition(draw, depth):
    """A predicate that cannot fail: comparisons of leaves, joined by AND, OR and NOT."""
    kind = draw(st.sampled_from(TYPES))
    a, b, c = (draw(leaf(kind)) for _ in range(3))
    simple = [lambda: f"{a} {draw(st.sampled_from(['=', '<>', '<', '<=', '>', '>=']))} {b}", lambda: f"{a} IS NULL",
              lambda: f"{a} IS NOT NULL", lambda: f"{a} IS DISTINCT FROM {b}", lambda: f"{a} BETWEEN {b} AND {c}",
              lambda: f"{a} IN ({b}, {c})", lambda: f"{a} NOT IN ({b}, {c})", lambda: f"{draw(leaf('bool'))} IS NOT TRUE",
              lambda: f"{draw(leaf('text'))} LIKE {draw(st.sampled_from(PATTERNS))}",
              lambda: f"{draw(leaf('text'))} NOT LIKE {draw(st.sampled_from(PATTERNS))}",
              lambda: f"{draw(leaf('int4'))} < {draw(leaf('numeric'))}",
              lambda: f"{draw(leaf('int2'))} = {draw(leaf('int8'))}",
              lambda: f"{draw(leaf('float8'))} > {draw(leaf('int4'))}"]
    if depth > 0:
        left, right = draw(condition(depth - 1)), draw(condition(depth - 1))
        simple += [lambda: f"({left}) AND ({right})", lambda: f"({left}) OR ({right})", lambda: f"NOT ({left})"]
    return draw(st.sampled_from(simple))()


@st.composite
def queries(draw):
    """A SELECT over r: expressions row by row, or aggregates with or without groups, with or without WHERE."""
    where = f" WHERE {draw(condition(2))}" if draw(st.booleans()) else ""
    if draw(st.booleans()):
        items = [draw(expression(draw(st.sampled_from(TYPES)), 3)) for _ in range(draw(st.integers(1, 3)))]
        return f"SELECT id, {', '.join(items)} FROM r{where}"
    aggregates = [draw(aggregate()) for _ in range(draw(st.integers(1, 3)))]
    kinds = st.sampled_from(["int4", "text", "bool", "date", "int8"])
    keys = [draw(expression(draw(kinds), 2)) for _ in range(draw(st.integers(0, 2)))]
    group = f" GROUP BY {', '.join(str(position + 1) for position in range(len(keys)))}" if keys else ""
    having = f" HAVING count(*) > {draw(st.integers(0, 2))}" if draw(st.integers(0, 3)) == 0 else ""
    return f"SELECT {', '.join(f'{key} AS k{number}' for number, key in enumerate(keys))}{', ' if keys else ''}" \
           f"{', '.join(aggregates)} FROM r{where}{group}{having}"


@st.composite
def aggregate(draw):
    """An aggregate over an expression, perhaps with FILTER or DISTINCT."""
    function, kinds = draw(st.sampled_from([
        ("count", TYPES), ("sum", NUMBERS), ("avg", NUMBERS), ("min", ("int2", "int4", "int8", "text", "date", "timestamp")),
        ("max", ("int2", "int4", "int8", "text", "date", "timestamp")), ("bool_and", ("bool",)), ("bool_or", ("bool",)),
        ("count", ("text", "int4")), ("sum", ("int4", "int8"))]))
    argument = draw(expression(draw(st.sampled_from(kinds)), 2))
    distinct = "DISTINCT " if function == "count" and draw(st.booleans()) else ""
    filtered = f" FILTER (WHERE {draw(condition(1))})" if draw(st.integers(0, 3)) == 0 else ""
    return f"{function}({distinct}{argument}){filtered}"
