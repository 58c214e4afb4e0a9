"""Each optimizer rule: what it makes of queries, and that their answers do not depend on it.

`<rule>.sql` has a set-up and named queries, each followed by the plan that the rule gives, in comments. A line
`-- rules: a, b` names rules that come before it. UPDATE=1 writes the plans anew. The queries also run with the rule and
without, and must answer the same.
"""
import os
import pathlib
import re

import pytest

import caldera
from caldera.bind import bind
from caldera.optimize import RULES, optimize
from caldera.optimize.unnesting import unnesting
from caldera.plan.outline import lines, outline
from caldera.sql.parse import parse
from tests.differential import split

FOLDER = pathlib.Path(__file__).parent
HEADER = re.compile(r"^-- name: *(\w+) *$", re.MULTILINE)
BEFORE = re.compile(r"^-- rules: *(.*)$", re.MULTILINE)
ALWAYS = [unnesting]                            # what no plan can do without
BY_NAME = {rule.__name__: rule for rule in (*ALWAYS, *RULES)}


def read(path):
    """(text before the first query, [(name, SQL, plan)]) of a file."""
    head, *pieces = HEADER.split(path.read_text(encoding="utf-8"))
    queries = []
    for name, body in zip(pieces[0::2], pieces[1::2]):
        sql = "\n".join(line for line in body.splitlines() if not line.startswith("--")).strip()
        plan = [line.removeprefix("--").removeprefix(" ") for line in body.splitlines() if line.startswith("--")]
        queries.append((name, sql, plan))
    return head, queries


def rules_of(path, head):
    """The rules that a file's plans have gone through."""
    before = BEFORE.search(head)
    return [BY_NAME[name.strip()] for name in (before.group(1).split(",") if before else [])] + [BY_NAME[path.stem]]


@pytest.fixture(scope="module")
def connections():
    """{path: a connection with the file's tables}, made when needed."""
    made = {}
    yield made
    for connection in made.values():
        connection.close()


def connection_of(path, head, connections):
    if path not in connections:
        connections[path] = caldera.connect(threads=1)
        for statement in split(head.split("-- setup", 1)[1]):
            connections[path].execute_text(statement)
    return connections[path]


def planned(connection, sql, rules):
    """The lines of a plan that has gone through rules."""
    session = connection.session
    with session.statement():
        plan = optimize(bind(parse(sql)[0], session, session.view), session, rules)
    return list(lines(outline(plan)))


FILES = sorted(FOLDER.glob("*.sql"))
QUERIES = [pytest.param(path, name, id=f"{path.stem}-{name}") for path in FILES if BY_NAME[path.stem] not in ALWAYS
           for name, _, _ in read(path)[1]]


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_rule_gives_the_plans_of_its_file(path, connections):
    head, queries = read(path)
    connection, rules = connection_of(path, head, connections), rules_of(path, head)
    plans = [planned(connection, sql, rules) for _, sql, _ in queries]
    if os.environ.get("UPDATE"):
        parts = [f"-- name: {name}\n{sql}\n" + "".join(f"-- {line}\n" for line in plan)
                 for (name, sql, _), plan in zip(queries, plans)]
        path.write_text(head + "\n".join(parts), encoding="utf-8")
    else:
        assert plans == [plan for _, _, plan in queries]


@pytest.mark.parametrize("path, name", QUERIES)
def test_answer_does_not_depend_on_the_rule(path, name, connections):
    head, queries = read(path)
    connection = connection_of(path, head, connections)
    sql = next(sql for other, sql, _ in queries if other == name)
    with_rule = answer(connection, sql)
    connection.execute_text(f"SET disabled_rules = '{path.stem}'")
    without = answer(connection, sql)
    connection.execute_text("RESET disabled_rules")
    assert with_rule == without


def answer(connection, sql):
    """The rows of a query, in order only if it asks for that; or its SQLSTATE."""
    try:
        columns, rows = connection.execute_text(sql)
    except caldera.Error as problem:
        return problem.sqlstate
    return columns, list(rows) if "ORDER BY" in sql else sorted(rows, key=repr)


def test_every_rule_has_a_file():
    assert set(BY_NAME) <= {path.stem for path in FILES}
