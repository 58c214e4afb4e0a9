"""What queries mean before they run: names and types of the output, or the error, all as PostgreSQL 18 has them.

`resolution.txt` holds queries over one table and PostgreSQL's analysis of each:

    select a + l from t
        ?column? bigint
    select a + x from t
        ERROR 42883 at 10: operator does not exist: integer + text
        HINT: No operator matches ...

`python -m tests.bind.test_resolution` asks PostgreSQL anew and rewrites the answers; new queries are added as bare lines.
"""
import pathlib
import re

import pytest

from caldera import functions
from caldera.base.errors import Error
from caldera.bind import bind
from caldera.execute.session import Session
from caldera.query import execute
from caldera.sql.parse import parse_one
from caldera.storage.database import Database

FILE = pathlib.Path(__file__).with_name("resolution.txt")
COLUMNS = """a int4, b int4, x text, y varchar(5), n numeric(10,2), d date, ts timestamp, tz timestamptz, f float8, r float4,
             s int2, l int8, c char(3), q bool, u uuid, bb bytea, iv interval, tm time"""
SETUP = [f"create table t ({COLUMNS})", "create view v as select a, x as name from t where a > 0"]


def entries():
    """Pairs (query, answer) of the file."""
    found = []
    for line in FILE.read_text().splitlines():
        if line.startswith("    "):
            found[-1][1].append(line[4:])
        elif line:
            found.append((line, []))
    return [(query, "\n".join(lines)) for query, lines in found]


def written(names_and_types):
    """An answer without an error, as the file has it."""
    return ", ".join(f"{name} {type}" for name, type in names_and_types) or "no columns"


def written_error(state, message, position, hint):
    """An answer that is an error, as the file has it."""
    place = f" at {position}" if position else ""
    return f"ERROR {state}{place}: {message}" + (f"\nHINT: {hint}" if hint else "")


def prepared_session():
    """Yields a session of a new database with the tables of SETUP: the body of a fixture."""
    functions.load()
    session = Session(Database())
    for statement in SETUP:
        list(execute(session, statement))
    yield session
    session.database.close()


session = pytest.fixture(scope="module", name="session")(prepared_session)


def answer(session, query):
    """Caldera's analysis of a query."""
    try:
        with session.statement():
            plan = bind(parse_one(query), session, session.view, [])
    except Error as fault:
        return written_error(fault.sqlstate, fault.message, fault.position, fault.hint)
    return written((name, column.type.spell(column.modifier)) for name, column in zip(plan.names, plan.input.output))


@pytest.mark.parametrize("query, expected", entries())
def test_a_query_means_what_it_means_in_postgresql(session, query, expected):
    found = answer(session, query)
    if found != expected and found.startswith("ERROR 0A000"):
        pytest.skip(found.splitlines()[0])
    assert found == expected


def ask_postgresql():
    """Rewrite the file with PostgreSQL's answers."""
    from psycopg import pq

    from tests.oracle import Oracle
    oracle, field = Oracle.start(), pq.DiagnosticField
    with oracle.session("; ".join(SETUP)) as postgres:
        def analysis(query):
            prepared = postgres.connection.prepare(b"", query.encode())
            if prepared.status != pq.ExecStatus.COMMAND_OK:
                state, message, position, hint = (
                    (prepared.error_field(code) or b"").decode() for code in
                    (field.SQLSTATE, field.MESSAGE_PRIMARY, field.STATEMENT_POSITION, field.MESSAGE_HINT))
                return written_error(state, message, position, hint)
            described = postgres.connection.describe_prepared(b"")
            columns = [(described.fname(i).decode(), described.ftype(i), described.fmod(i))
                       for i in range(described.nfields)]
            return written((name, postgres.query(f"select format_type({oid}, nullif({modifier}, -1))").rows[0][0])
                           for name, oid, modifier in columns)
        lines = [query + "\n" + re.sub("^", "    ", analysis(query), flags=re.MULTILINE) for query, _ in entries()]
    FILE.write_text("\n".join(lines) + "\n")
    oracle.stop()


if __name__ == "__main__":
    ask_postgresql()
