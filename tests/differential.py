"""Caldera's answers against PostgreSQL's.

    expected = expect(postgres, sql)                     PostgreSQL's answer and what its order leaves open
    caldera.use(configuration); ours = caldera.query(sql)
    problem = difference(expected, ours)                 None, or a sentence that says what differs

Equal means: the same column names and types; the same rows as text; rows ordered as ORDER BY asks, where rows that tie may
change places and LIMIT may choose among ties; for an error the same SQLSTATE, and for errors about values (class 22) the
same message. Floats may be allowed to differ by 1e-12 of their value, for aggregates whose order of summation is open.
"""
import collections
import contextlib
import functools
import math
import re
from dataclasses import dataclass, field, replace

import postgast

from caldera.optimize import RULES
from tests.answer import Answer
from tests.layouts import LAYOUTS, arrange
from tests.ranking import ranking

FLOAT_OIDS = {700: 1e-6, 701: 1e-12}            # relative difference allowed where a query is marked as `float`
FIRST_USERS_OID = 16384             # from here on OIDs are of what users made
ENGINE_CLAUSE = re.compile(r"\s+USING\s+mergetree\b(\s+WITH\s*\((?:[^()']|'[^']*'|\([^()]*\))*\))?", re.IGNORECASE)


@dataclass(frozen=True)
class Configuration:
    """A way to run queries: settings by name, and where the tables' rows lie (a name in tests.layouts.LAYOUTS, or "delta").
    The answer must not depend on it."""
    name: str
    settings: dict = field(default_factory=dict)
    layout: str = "delta"

    def __str__(self):
        return self.name


CONFIGURATIONS = (
    Configuration("fast", {"caldera.tier": "fast", "threads": "1"}),
    Configuration("fast2", {"caldera.tier": "fast", "threads": "2"}),
    Configuration("o3", {"caldera.tier": "o3", "threads": "1"}),
    Configuration("o3_2", {"caldera.tier": "o3", "threads": "2"}),
    Configuration("python", {"caldera.tier": "python", "threads": "1"}),
    Configuration("ones", {"caldera.tier": "fast", "threads": "2", "caldera.block_rows": "1", "caldera.morsel_rows": "1"}),
    Configuration("spill", {"caldera.tier": "fast", "threads": "2", "caldera.forced_spill": "on", "work_mem": "64kB"}),
    Configuration("hashes", {"caldera.tier": "fast", "threads": "2", "caldera.equal_hashes": "on"}),
)
SAMPLED_FROM = (("fast", "fast2"), ("o3", "o3_2"), ("python", "ones", "hashes", "spill"))         # one of each is tried
IN_PARTS = tuple(replace(configuration, name=f"{layout}_{configuration.name}", layout=layout)
                 for layout in LAYOUTS for configuration in CONFIGURATIONS
                 if configuration.name in ("fast", "o3_2", "python", "ones"))
BY_NAME = {configuration.name: configuration for configuration in (*CONFIGURATIONS, *IN_PARTS)}
WITHOUT_RULES = tuple(Configuration(f"without_{rule.__name__}", {"disabled_rules": rule.__name__, "threads": "1"})
                      for rule in RULES)
LARGE = tuple(BY_NAME[name] for name in ("fast", "fast2", "o3", "o3_2", "large_granules_fast",
                                         "large_granules_o3_2"))             # for more than 2,000 rows


def for_postgres(sql):
    """The statement without what only Caldera knows: `USING mergetree WITH (...)`."""
    return ENGINE_CLAUSE.sub("", sql)


class CalderaSession:
    """A Caldera database in memory (or in a folder), with the same calls as tests.oracle.Session."""

    def __init__(self, path=None):
        import caldera
        self.Error = caldera.Error
        self.path = path
        self.connection = caldera.connect(path)
        self.configuration = Configuration("default")

    def query(self, sql):
        """The Answer to one statement. What is no database error (a fault in Caldera) becomes an Answer of class XX."""
        try:
            columns, rows = self.connection.execute_text(sql)
        except self.Error as problem:
            return Answer(sqlstate=problem.sqlstate, message=problem.message)
        except Exception as fault:
            return Answer(sqlstate="XX000", message=f"{type(fault).__name__}: {fault}")
        return Answer(tuple(name for name, _ in columns), tuple(oid for _, oid in columns), [tuple(row) for row in rows])

    def rules_at_work(self, sql):
        """The names of the optimizer's rules that change the plan of a query; without another one it is the same plan."""
        from caldera.bind import bind
        from caldera.optimize import optimize
        from caldera.sql.parse import parse
        raised_or_changed, session = [], self.connection.session

        def watched(rule):
            def apply(plan, session):
                raised_or_changed.append(rule.__name__)
                changed = rule(plan, session)
                if changed is plan or changed == plan:
                    raised_or_changed.pop()
                return changed
            return functools.update_wrapper(apply, rule)
        try:
            for statement in parse(sql):
                with session.statement():
                    plan = bind(statement, session, session.view)
                    if hasattr(plan, "inputs"):
                        optimize(plan, session, [watched(rule) for rule in RULES])
        except self.Error:                                  # of the binder, or of the rule that came last
            pass
        return set(raised_or_changed)

    def run(self, script):
        """Every statement of a script; RuntimeError at the first that fails."""
        for statement in split(script):
            answer = self.query(statement)
            if answer.failed:
                raise RuntimeError(f"{answer}\nin: {statement[:500]}")

    def use(self, configuration):
        """Let the next queries run under that configuration."""
        for name in self.configuration.settings.keys() - configuration.settings.keys():
            self.run(f"RESET {name}")
        for name, value in configuration.settings.items():
            if self.configuration.settings.get(name) != value:
                self.run(f"SET {name} = '{value}'")
        self.configuration = configuration

    def arrange(self, layout):
        """Move the rows of all tables, in a folder, to where the layout wants them, and open the database anew."""
        import caldera
        arrange(self.connection, layout)
        self.connection.close()
        self.connection = caldera.connect(self.path)

    def close(self):
        """End the database."""
        self.connection.close()


@contextlib.contextmanager
def settings(session, pairs):
    """`SET name = value` for the length of a block; values are SQL."""
    for name, value in pairs:
        session.run(f"SET {name} = {value}")
    try:
        yield
    finally:
        for name, _ in pairs:
            session.run(f"RESET {name}")


def split(script):
    """The statements of a script, as texts."""
    return [statement for statement in postgast.split(script) if statement.strip()]


# ---- expectations -------------------------------------------------------------------------------------------------------
@dataclass
class Expected:
    """PostgreSQL's answer. groups: runs of positions in it, each with the rows that may stand there: [(count, rows)];
    an answer without any order is one run whose rows are all there are."""
    answer: Answer
    groups: list


def expect(session, sql, exact=False):
    """PostgreSQL's Answer to a query and the freedom that its ORDER BY and LIMIT leave; `exact` allows none."""
    answer = session.query(sql)
    if answer.failed or not answer.columns:
        return Expected(answer, [])
    if exact:
        return Expected(answer, [(1, [row]) for row in answer.rows])
    ranked = ranking(sql, answer.columns)
    if ranked is None:
        return Expected(answer, [(len(answer.rows), answer.rows)])
    offset = int(session.run(ranked.offset_sql).rows[0][0]) if ranked.offset_sql else 0
    everything = session.run(ranked.sql).rows
    pools = collections.defaultdict(list)
    for row in everything:
        pools[row[-1]].append(row[:-1])
    counts = collections.Counter(row[-1] for row in everything[offset:offset + len(answer.rows)])
    expected = Expected(answer, [(count, pools[rank]) for rank, count in counts.items()])
    problem = difference(expected, answer)
    if problem:
        raise AssertionError(f"the oracle's own answer does not fit its ranking ({problem}); mark the query as exact: {sql}")
    return expected


def difference(expected, ours, approximate=False, shape_only=False):
    """None if `ours` is right; else what is wrong, in a line or two.

    approximate: float columns may differ by FLOAT_OIDS. shape_only: names, types and the number of rows are enough."""
    theirs = expected.answer
    if theirs.failed or ours.failed:
        return _error_difference(theirs, ours)
    if ours.columns != theirs.columns:
        return f"columns {ours.columns} instead of {theirs.columns}"
    if any(map(_differ, ours.oids, theirs.oids)):
        return f"types {ours.oids} instead of {theirs.oids}"
    if len(ours.rows) != len(theirs.rows):
        return f"{len(ours.rows)} rows instead of {len(theirs.rows)}: {_sample(ours.rows)} instead of {_sample(theirs.rows)}"
    if shape_only:
        return None
    tolerances = [FLOAT_OIDS.get(oid) if approximate else None for oid in theirs.oids]
    start = 0
    for count, pool in expected.groups:
        rows = ours.rows[start:start + count]
        missing, unexpected = _unmatched(pool, rows, tolerances)
        if unexpected:
            where = f"rows {start + 1} to {start + count}: " if len(expected.groups) > 1 else ""
            return f"{where}{_sample(unexpected)} instead of {_sample(missing)}"
        start += count
    return None


def _differ(ours, theirs):
    """Whether two OIDs are of different types; those of users' types are alike."""
    return min(ours, FIRST_USERS_OID) != min(theirs, FIRST_USERS_OID)


def _error_difference(theirs, ours):
    if theirs.sqlstate != ours.sqlstate:
        return f"{_brief(ours)} instead of {_brief(theirs)}"
    if theirs.sqlstate.startswith("22") and theirs.message != ours.message:
        return f"message {ours.message!r} instead of {theirs.message!r}"
    return None


def _unmatched(pool, rows, tolerances):
    """(rows of the pool left over, rows that are not in the pool), as multisets."""
    exact = [column for column, tolerance in enumerate(tolerances) if tolerance is None]
    available = collections.defaultdict(list)
    for row in pool:
        available[tuple(row[column] for column in exact)].append(row)
    unexpected = []
    for row in rows:
        candidates = available[tuple(row[column] for column in exact)]
        for position, candidate in enumerate(candidates):
            if all(tolerance is None or _near(row[column], candidate[column], tolerance)
                   for column, tolerance in enumerate(tolerances)):
                del candidates[position]
                break
        else:
            unexpected.append(row)
    return [row for left in available.values() for row in left], unexpected


def _near(ours, theirs, tolerance):
    if ours == theirs:
        return True
    if ours is None or theirs is None:
        return False
    try:
        a, b = float(ours), float(theirs)
    except ValueError:                                      # no number at all
        return False
    return math.isfinite(a) and math.isfinite(b) and abs(a - b) <= tolerance * max(abs(a), abs(b))


def _brief(answer):
    return str(answer) if answer.failed else f"{len(answer.rows)} rows {_sample(answer.rows)}"


def _sample(rows, limit=4):
    texts = [", ".join("NULL" if value is None else value[:60] for value in row) for row in rows[:limit]]
    return ", ".join(f"({text})" for text in texts) + (", ..." if len(rows) > limit else "")


def differences_in_a_script(postgres, statements):
    """Run statements one after the other in a new session of Caldera and in PostgreSQL's; a list of those that answer
    otherwise: (number, statement, our columns and rows or SQLSTATE and message, PostgreSQL's)."""
    session, differences = CalderaSession(), []
    try:
        for number, statement in enumerate(statements):
            found, wanted = ([answer.sqlstate, answer.message] if answer.failed else [answer.columns, answer.rows]
                             for answer in (session.query(statement), postgres.query(statement)))
            if found != wanted:
                differences.append((number, statement, found, wanted))
    finally:
        session.close()
    return differences
