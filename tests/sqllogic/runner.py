"""Running the records of a file on an engine, and taking their expectations from one."""
import re
from dataclasses import dataclass, replace

from tests.sqllogic.results import lines_of, unlike, values_of

SQLSTATE = re.compile(r"[0-9A-Z]{5}")


@dataclass(frozen=True)
class Problem:
    """What is not as a file says."""
    line: int
    sql: str
    text: str


def running(records, names):
    """Pairs (record, hash threshold) of the statements and queries that an engine of these names is to run."""
    threshold = 0
    for record in records:
        if not record.meant_for(names):
            continue
        if record.kind == "halt":
            return
        if record.kind == "hash-threshold":
            threshold = record.number
        elif record.kind in ("statement", "query"):
            yield record, threshold


def run_file(records, engine):
    """The Problems of a file on an engine: an object with `names` and `query(sql)` -> Answer."""
    problems, labelled = [], {}
    for record, _ in running(records, engine.names):
        answer = engine.query(record.sql)
        text = statement_problem(record, answer) if record.kind == "statement" else query_problem(record, answer, labelled)
        if text:
            problems.append(Problem(record.line, record.sql, text))
    return problems


def statement_problem(record, answer):
    """None, or why a statement's answer is wrong."""
    if record.error is None:
        return str(answer) if answer.failed else None
    if not answer.failed:
        return f"no error instead of {record.error or 'one'}"
    if SQLSTATE.fullmatch(record.error):
        return None if answer.sqlstate == record.error else f"{answer} instead of {record.error}"
    return None if re.search(record.error, answer.message) else f"{answer.message!r} does not match {record.error!r}"


def query_problem(record, answer, labelled):
    """None, or why a query's answer is wrong. labelled: {label: values} of queries before, which must give the same."""
    if answer.failed:
        return str(answer)
    if len(answer.columns) != len(record.types):
        return f"{len(answer.columns)} columns instead of {len(record.types)}"
    values = values_of(answer.rows, record.types, record.sort)
    if record.label and labelled.setdefault(record.label, values) != values:
        return f"another result than that of the query before with the label {record.label!r}"
    return None if record.expected is None else unlike(values, record.expected, len(record.types))


def complete(records, engine):
    """The records with what the engine answers as expectations. A query that fails becomes `statement error`; what the
    engine does not run stays as it is."""
    answered = {id(record): completed(record, engine.query(record.sql), threshold)
                for record, threshold in running(records, engine.names)}
    return [answered.get(id(record), record) for record in records]


def completed(record, answer, threshold):
    """One record with its expectation."""
    if answer.failed:
        return replace(record, kind="statement", error=answer.sqlstate)
    if record.kind == "statement":
        return replace(record, error=None)
    types = record.types if len(record.types) == len(answer.columns) else "".join(map(letter, answer.oids))
    values = values_of(answer.rows, types, record.sort)
    return replace(record, types=types, expected=lines_of(values, len(types), record.sort, threshold))


def letter(oid):
    """The type of a column in a file: integers and booleans are I, floats are R, all others T."""
    return "I" if oid in (16, 20, 21, 23, 26) else "R" if oid in (700, 701) else "T"
