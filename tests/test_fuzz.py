"""Random queries over random tables give PostgreSQL's answers in all configurations (see tests.fuzz), and what fails is made
small.

The ordinary run repeats a few; `make campaign-fuzz N=2000` makes that many new ones.
"""
import os
import random
import time
from dataclasses import replace

import postgast
import pytest

from tests.answer import Answer
from tests.differential import WITHOUT_RULES
from tests.fuzz.campaign import Fault, Outcome, campaign, examine, report_of
from tests.fuzz.checks import CHECKS
from tests.fuzz.engines import CONFIGURATIONS, Engines
from tests.fuzz.explained import EXPLAINED, explanation
from tests.fuzz.queries import Case, random_case
from tests.fuzz.shrinking import shrink, smaller_queries
from tests.fuzz.tables import Column, Schema, Table, random_schema

ROWS = (("1", "10"), ("2", "NULL"), ("3", "30"), ("4", "10"))
SCHEMA = Schema((Table("t1", (Column("id", "int4"), Column("a", "int4")), "", (ROWS,), frozenset({"id"})),
                 Table("t2", (Column("id", "int4"), Column("a", "int4")), "", (ROWS[:2],), frozenset({"id"}))))


@pytest.mark.oracle
@pytest.mark.slow
def test_random_queries_over_random_tables_give_postgresql_s_answers(oracle):
    outcome = campaign(oracle, "ordinary", 36, rows_max=20, per_schema=12)
    assert not outcome.faults, outcome.faults[0]
    assert outcome.queries == 36 and outcome.skipped + sum(outcome.refused.values()) < 12, outcome.summary()


@pytest.mark.oracle
@pytest.mark.campaign
def test_fuzz_at_length(oracle, request):
    seed = request.config.getoption("--seed")
    seed = str(seed if seed is not None else int(time.time()))
    outcome = campaign(oracle, seed, int(os.environ.get("N", "2000")), lambda text: print(text, flush=True))
    print(f"seed {seed}: {outcome.summary()}")
    assert not outcome.faults, f"seed {seed}: {len(outcome.faults)} faults, first:\n{outcome.faults[0]}"


def cases(count, seed="cases"):
    """Some Cases over several schemas."""
    for number in range(count // 10):
        schema = random_schema(random.Random(f"{seed}/{number}"))
        yield from (random_case(random.Random(f"{seed}/{number}/{at}"), schema) for at in range(10))


def test_a_seed_gives_the_same_queries_again_and_all_of_them_parse():
    first, again = list(cases(150)), list(cases(150))
    assert first == again and len({case.sql for case in first}) > 140
    for case in first:
        postgast.parse(case.sql)


def test_the_generator_reaches_the_whole_language():
    text = "\n".join(case.sql for case in cases(600))
    wanted = ("LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN", "USING (id)", "LATERAL", "EXISTS (", "NOT EXISTS",
              " IN (", "NOT IN (", " ANY (", " ALL (", "UNION ALL", "INTERSECT", "EXCEPT", "WITH RECURSIVE",
              "MATERIALIZED", "OVER (", "GROUPS BETWEEN", "EXCLUDE", "DISTINCT ON", "GROUP BY", "HAVING", "FILTER",
              "LIMIT", "OFFSET", "VALUES", "generate_series", "CASE WHEN", "IS DISTINCT FROM", "ROLLUP", "GROUPING SETS",
              "WITH TIES", "WITH ORDINALITY", "unnest(", "jsonb", "array_agg", "RANGE BETWEEN 1 PRECEDING", "LIMIT (SELECT",
              "JSON_TABLE(", "NESTED PATH", "JSON_VALUE(", "JSON_QUERY(", "JSON_EXISTS(", "IS JSON", "JSON_ARRAYAGG(",
              "::mood", "::few", "::pair", "::int4range", "::int4multirange", "range_agg(", "ROW(", "CYCLE", "SEARCH",
              "WINDOW v0", "WITHIN GROUP", "GROUP BY DISTINCT", "CUBE", "jsonb_each_text(", " < r")
    assert [word for word in wanted if word not in text] == []


# ---- checks notice what is wrong

class Pretender:
    """Engines whose Caldera is a function from SQL to an Answer."""

    def __init__(self, postgres, answer):
        self.postgres, self.caldera = postgres, self
        self.query, self.use = answer, lambda configuration: None


@pytest.fixture(scope="module")
def postgres_with_tables(oracle):
    with oracle.session(SCHEMA.sql().replace(" USING mergetree", "")) as session:
        yield session


QUERY = "SELECT id, a FROM t1 WHERE a > 10"
TEN = [CONFIGURATIONS["fast"]]


@pytest.mark.oracle
@pytest.mark.parametrize("check, sql, wrong", [
    ("postgres", QUERY, lambda sql, right: replace(right, rows=right.rows[1:])),
    ("postgres", QUERY, lambda sql, right: Answer(sqlstate="XX000", message="no")),
    ("tlp", QUERY, lambda sql, right: right if "IS NULL" not in sql else replace(right, rows=[])),
    ("tlp", "SELECT DISTINCT a FROM t1 WHERE id > 2", lambda sql, right: right if "NOT" not in sql else
     replace(right, rows=[])),
    ("tlp", "SELECT count(*), min(a) FROM t1 WHERE a > 10", lambda sql, right: right if "UNION" in sql else
     replace(right, rows=[("3", "10")])),
    ("tlp", "SELECT a, count(*) FROM t1 GROUP BY a HAVING a > 10", lambda sql, right: right if "HAVING" in sql else
     replace(right, rows=right.rows[1:])),
    ("norec", "SELECT count(*) FROM t1 WHERE a > 10", lambda sql, right: right if "sum" in sql else
     replace(right, rows=[("2",)])),
])
def test_a_check_notices_a_wrong_answer(postgres_with_tables, check, sql, wrong):
    honest = Pretender(postgres_with_tables, postgres_with_tables.query)
    liar = Pretender(postgres_with_tables, lambda text: wrong(text, postgres_with_tables.query(text)))
    assert examine(honest, Case(check, sql), TEN) is None
    assert examine(liar, Case(check, sql), TEN) is not None


@pytest.mark.oracle
def test_refusals_are_counted_and_are_no_faults(postgres_with_tables):
    refusal, outcome = Answer(sqlstate="0A000", message="not yet 7"), Outcome()
    refusing = Pretender(postgres_with_tables, lambda text: refusal)
    for check in CHECKS:
        assert examine(refusing, Case(check, "SELECT count(*) FROM t1 WHERE a > 1"), TEN, outcome) is None
    assert outcome.refused == {"not yet ...": len(CHECKS)}


def test_explained_differences_have_reasons_and_explain_no_other():
    assert all(entry.__doc__ for entry in EXPLAINED)
    zero = Answer(sqlstate="22012", message="division by zero")
    assert explanation("SELECT 1", zero, Answer(sqlstate="22003", message="out of range"), False) == "other_row_fails_first"
    assert explanation("SELECT 1", zero, Answer(("a",), (23,), []), False) is None
    assert explanation("SELECT 1", Answer(("a",), (23,), []), zero, False) is None


# ---- shrinking

def test_a_query_shrinks_to_what_matters():
    sql = ("SELECT DISTINCT r1.id, count(*) FROM t1 AS r1 LEFT JOIN t2 AS r2 ON r1.id = r2.id AND (r1.a > 1 OR r2.a > 2) "
           "WHERE CASE WHEN r1.a = 3 THEN EXISTS (SELECT 1 FROM t2 WHERE t2.a = 1 / 0) ELSE r2.a > 7 END "
           "GROUP BY r1.id HAVING count(*) > 1 ORDER BY 1 LIMIT 7")
    schema, small = shrink(lambda schema, text: "1 / 0" in text, SCHEMA, sql)
    assert small == "SELECT 1 WHERE 1 / 0"
    assert schema.row_count == 0 and len(schema.tables) == 1


def test_every_step_of_shrinking_is_a_smaller_statement_that_parses():
    for case in list(cases(10, "shrinking"))[:5]:
        for text in smaller_queries(case.sql):
            assert len(text) < len(case.sql)
            postgast.parse(text)


def test_schemas_shrink_in_layout_tables_rows_and_columns():
    schema = replace(SCHEMA, layout="many_parts")
    found = list(schema.smaller())
    assert {one.layout for one in found} == {"delta", "parts", "many_parts"}
    assert any(len(one.tables) == 1 for one in found) and any(one.row_count < schema.row_count for one in found)
    assert any(len(one.tables[0].columns) == 1 for one in found)


def test_a_report_tells_the_seed_and_is_a_query_of_the_corpus():
    text = report_of("seed 7 schema 1 query 2", SCHEMA, Case("postgres", QUERY), Fault("fast", "1 rows instead of 2"))
    assert "seed 7 schema 1 query 2, postgres, fast, rows in delta: 1 rows instead of 2" in text
    assert "CREATE TABLE t1" in text and f"-- name: fuzz_seed_7_schema_1_query_2\n{QUERY};\n" in text


@pytest.mark.oracle
@pytest.mark.slow
def test_both_engines_hold_the_tables_of_a_schema_in_every_configuration(oracle):
    engines = Engines(oracle)
    try:
        engines.load(replace(SCHEMA, layout="many_parts"))
        chosen = [*(CONFIGURATIONS[name] for name in ("fast", "checked", "rules_off")), WITHOUT_RULES[0]]
        assert examine(engines, Case("postgres", "SELECT * FROM t1 JOIN t2 USING (id)"), chosen) is None
        assert examine(engines, Case("tlp", QUERY), chosen) is None
    finally:
        engines.close()
