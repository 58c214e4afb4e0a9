"""What must hold of a query's answers, as functions (engines, sql) -> judge.

judge(ask) gives None or what is wrong; ask(sql) is Caldera's Answer in some configuration.

    postgres    the answer is PostgreSQL's
    tlp         Q is the union of Q where p, Q where not p, Q where p is null; for DISTINCT, aggregates and HAVING likewise
    errors      where a statement is wrong, PostgreSQL's SQLSTATE; where it is not, names and types of the columns
    norec       count(*) ... WHERE p is the number of rows for which SELECT p gives true, which no rule can push anywhere

(Rigger and Su: "Finding Bugs in Database Systems via Query Partitioning", OOPSLA 2020; "Detecting Optimization Bugs in
Database Engines via Non-Optimizing Reference Engine Construction", ESEC/FSE 2020.)
"""
import collections
import copy
import re

import postgast
from postgast import pg_query_pb2 as tree

from tests.differential import Expected, difference, expect
from tests.fuzz.explained import explanation
from tests.fuzz.shrinking import smaller_queries

PLACE = "the_condition"
SHAPE = "SELECT * FROM ({}) AS q LIMIT 0"               # tells the errors and the columns of a statement without its rows
COMBINED = {"count": "sum", "sum": "sum", "min": "min", "max": "max", "bool_or": "bool_or"}


class Unsupported(Exception):
    """Caldera refused a query with 0A000; the message says what it has not."""


def postgres(engines, sql):
    """Compare with PostgreSQL, but for differences with an explanation."""
    try:
        expected = expect(engines.postgres, sql)
    except RuntimeError:                                        # the query that ranks was too slow, or could not be written
        return None
    theirs = expected.answer
    fails_in_planning = theirs.failed and engines.postgres.query(f"EXPLAIN {sql}").failed

    def judge(ask):
        ours = supported(ask(sql))
        return unexplained(engines, difference(expected, ours, approximate=True), sql, theirs, ours, fails_in_planning)
    return judge


def unexplained(engines, problem, sql, theirs, ours, fails_in_planning):
    """The problem, unless there is none or a reason for it, which is counted."""
    reason = explanation(sql, theirs, ours, fails_in_planning) if problem else None
    if reason:
        engines.explained[reason] += 1
    return None if reason else problem


def supported(answer):
    """An Answer, unless it is a refusal: raises Unsupported."""
    if answer.sqlstate == "0A000":
        raise Unsupported(answer.message)
    return answer


def tlp(engines, sql):
    """Divide by the condition of HAVING if there is one, else by that of WHERE."""
    select = postgast.parse(sql).stmts[0].stmt.select_stmt
    field = "having_clause" if select.HasField("having_clause") else "where_clause"
    if not select.HasField(field) or engines.postgres.query(f"EXPLAIN {sql}").failed:
        return None
    condition = expression_text(getattr(select, field))
    whole = text_of(with_condition(select, field, None))
    parts = [with_text(select, field, form.format(condition)) for form in ("({})", "(NOT ({}))", "(({}) IS NULL)")]
    functions = [aggregate_of(item) for item in select.target_list]
    if field == "where_clause" and None not in functions:
        return summed(engines, whole, parts, functions)
    distinct = bool(select.distinct_clause)

    def judge(ask):
        answers = [supported(ask(text)) for text in (whole, *parts)]
        failure = failures(engines, (whole, *parts), answers)
        if failure is not None:
            return failure or None
        union = [row for answer in answers[1:] for row in answer.rows]
        return unlike(answers[0].rows, set(union) if distinct else union, " + ".join(parts))
    return judge


def summed(engines, whole, parts, functions):
    """The aggregates of all rows are combined from those of the three parts."""
    names = [f"c{number}" for number in range(len(functions))]
    items = ", ".join(f"{COMBINED[function]}({name})" for function, name in zip(functions, names))
    together = f"SELECT {items} FROM (({') UNION ALL ('.join(parts)})) AS q ({', '.join(names)})"

    def judge(ask):
        answers = [supported(ask(whole)), supported(ask(together))]
        failure = failures(engines, (whole, together), answers)
        return (failure or None) if failure is not None else unlike(answers[0].rows, answers[1].rows, together)
    return judge


def norec(engines, sql):
    """Count by WHERE, and by the condition's value for each row."""
    select = postgast.parse(sql).stmts[0].stmt.select_stmt
    if not select.HasField("where_clause") or engines.postgres.query(f"EXPLAIN {sql}").failed:
        return None
    condition = expression_text(select.where_clause)
    plain = with_condition(select, "where_clause", None)
    plain.target_list[0].CopyFrom(target(f"coalesce(sum({PLACE}::int), 0)"))
    reference = text_of(plain).replace(PLACE, f"({condition})")

    def judge(ask):
        answers = [supported(ask(text)) for text in (sql, reference)]
        failure = failures(engines, (sql, reference), answers)
        return (failure or None) if failure is not None else unlike(answers[0].rows, answers[1].rows, reference)
    return judge


def errors(engines, sql):
    """Compare what is known of a statement before it runs: its error, or its columns."""
    text = SHAPE.format(sql)
    expected = Expected(engines.postgres.query(text), [])
    fails_in_planning = expected.answer.failed and engines.postgres.query(f"EXPLAIN {text}").failed

    def judge(ask):
        ours = supported(ask(text))
        problem = unexplained(engines, difference(expected, ours, shape_only=True), text, expected.answer, ours,
                              fails_in_planning)
        if problem and expected.answer.failed and ours.failed and has_mistake(engines, sql, ours):
            engines.explained["several_mistakes"] += 1
            return None
        return problem
    return judge


def has_mistake(engines, sql, ours):
    """Whether our error is PostgreSQL's for the statement with something left out. Then the statement has several mistakes,
    and which one is told depends on the order in which its clauses are looked at, which nobody promises."""
    answers = (engines.postgres.query(SHAPE.format(smaller)) for smaller in smaller_queries(sql))
    return any((answer.sqlstate, answer.message) == (ours.sqlstate, ours.message) for answer in answers)


CHECKS = {"postgres": postgres, "errors": errors, "tlp": tlp, "norec": norec}


def failures(engines, texts, answers):
    """None if no answer is an error; else what is wrong with the first one, empty if PostgreSQL fails, too."""
    for text, answer in zip(texts, answers):
        if answer.failed:
            return "" if engines.postgres.query(text).failed else f"{answer} for {text}"
    return None


def unlike(rows, others, how):
    """None, or how two multisets of rows differ."""
    left, right = collections.Counter(rows), collections.Counter(others)
    if left == right:
        return None
    return f"{len(rows)} rows, but {right.total()} rows of {how}; too few: {list((right - left).elements())[:3]}, " \
           f"too many: {list((left - right).elements())[:3]}"


def aggregate_of(item):
    """The name of the aggregate that an output column is, if it is one that can be combined."""
    node = item.res_target.val
    if not node.HasField("func_call") or node.func_call.HasField("agg_filter"):
        return None
    name = node.func_call.funcname[-1].string.sval
    return name if name in COMBINED else None


# ---- syntax trees
def text_of(select):
    """The SQL of a SelectStmt."""
    result = tree.ParseResult()
    result.stmts.add().stmt.select_stmt.CopyFrom(select)
    return postgast.deparse(result)


def expression_text(node):
    """The SQL of an expression."""
    select = postgast.parse("SELECT 1").stmts[0].stmt.select_stmt
    select.target_list[0].res_target.val.CopyFrom(node)
    return re.sub(r"^SELECT\s+", "", text_of(select))


def with_condition(select, field, condition):
    """The SELECT with another WHERE or HAVING, given as text; None for none."""
    changed = copy.deepcopy(select)
    changed.ClearField(field)
    if condition is not None:
        parsed = postgast.parse(f"SELECT 1 WHERE {condition}").stmts[0].stmt.select_stmt
        getattr(changed, field).CopyFrom(parsed.where_clause)
    return changed


def with_text(select, field, condition):
    """The SQL of the SELECT with another WHERE or HAVING, which stands there as it is given: (NOT a) IS NULL loses its
    parentheses on the way through a syntax tree."""
    return text_of(with_condition(select, field, PLACE)).replace(PLACE, condition)


def target(expression):
    """An output column, as a Node."""
    return postgast.parse(f"SELECT {expression}").stmts[0].stmt.select_stmt.target_list[0]
