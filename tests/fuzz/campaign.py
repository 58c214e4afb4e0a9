"""Many random cases from a seed; each that fails is made small and reported as a query for a file of the corpus."""
import argparse
import collections
import random
import re
import sys
import time
from dataclasses import dataclass, field

from tests.fuzz.checks import CHECKS, Unsupported
from tests.fuzz.engines import CONFIGURATIONS, Engines, configurations_for
from tests.fuzz.journal import Journal, totals
from tests.fuzz.queries import random_case
from tests.fuzz.shrinking import shrink
from tests.fuzz.tables import random_schema

QUERIES_PER_SCHEMA = 40
ATTEMPTS = 4


@dataclass(frozen=True)
class Fault:
    """What is wrong with a case, and in which configuration."""
    configuration: str
    text: str

    @property
    def kind(self):
        """What two faults have in common that may be one: the error, or that rows differ."""
        error = re.search(r"ERROR (\w+): (.*)", self.text)
        if error:
            return error[1], re.sub(r"\W*\d+\W*|'[^']*'|\"[^\"]*\"", "", error[2])[:60]
        return "columns" if self.text.startswith(("columns", "types")) else "rows"


@dataclass
class Outcome:
    """faults: reports. refused: {message: how often} of what is not supported. skipped: cases that could not be judged.
    checks: how many cases of each. explained: {reason: how many differences}."""
    queries: int = 0
    skipped: int = 0
    faults: list = field(default_factory=list)
    refused: collections.Counter = field(default_factory=collections.Counter)
    checks: collections.Counter = field(default_factory=collections.Counter)
    explained: collections.Counter = field(default_factory=collections.Counter)

    def include(self, other):
        """Count another Outcome's cases as well."""
        self.queries += other.queries
        self.skipped += other.skipped
        self.faults += other.faults
        for name in ("refused", "checks", "explained"):
            getattr(self, name).update(getattr(other, name))

    def summary(self):
        """What the campaign did, in a few lines."""
        lines = [f"{self.queries} queries, {self.skipped} without judgement, {sum(self.refused.values())} refused, "
                 f"{len(self.faults)} faults", f"  checks: {dict(self.checks)}; explained: {dict(self.explained)}"]
        return "\n".join([*lines, *(f"  {count:6}  {message}" for message, count in self.refused.most_common())])


def examine(engines, case, configurations, outcome=None):
    """The Fault of a case, or None."""
    engines.explained = outcome.explained if outcome is not None else collections.Counter()
    try:
        judge = CHECKS[case.check](engines, case.sql)
        if judge is None:
            if outcome is not None:
                outcome.skipped += 1
            return None
        for configuration in configurations:
            engines.caldera.use(configuration)
            for _ in range(2 if configuration.name == "auto" else 1):
                problem = judge(engines.caldera.query)
                if problem:
                    return Fault(configuration.name, problem)
    except Unsupported as refusal:
        if outcome is not None:
            outcome.refused[re.sub(r'".*?"|\d+', "...", str(refusal))] += 1
    except AssertionError as odd:
        return Fault("any", f"{type(odd).__name__}: {odd}")
    return None


def smallest(engines, schema, case, fault):
    """(schema, case) of the same fault, made small."""
    configurations = [CONFIGURATIONS[fault.configuration]]

    def fails(tables, sql):
        try:
            if tables is not engines.schema:
                engines.load(tables)
            found = examine(engines, type(case)(case.check, sql), configurations)
        except RuntimeError:                            # a table that the other engine refuses
            return False
        return found is not None and found.kind == fault.kind
    small_schema, sql = shrink(fails, schema, case.sql)
    return small_schema, type(case)(case.check, sql)


def report_of(where, schema, case, fault):
    """The report of a fault: how to find it again, and a query for the corpus with its tables."""
    text = fault.text.replace("\n", "\n--   ")[:1500]
    return f"-- {where}, {case.check}, {fault.configuration}, rows in {schema.layout}: {text}\n{schema.sql()[:4000]}\n" \
           f"-- name: fuzz_{re.sub(r'[^0-9a-z]+', '_', where)}\n{case.sql};\n"


def telling_case(dice, schema, postgres):
    """A Case whose answer has rows, if a few attempts give one: an empty answer tells little."""
    for _ in range(ATTEMPTS):
        case = random_case(dice, schema)
        answer = postgres.query(case.sql)
        if answer.failed or answer.rows:
            break
    return case


def explore(engines, seed, number, queries, report, rows_max=None):
    """The Outcome of so many cases over the schema of that number."""
    outcome, schema = Outcome(), random_schema(random.Random(f"{seed}/{number}"), rows_max)
    engines.load(schema)
    for at in range(queries):
        dice = random.Random(f"{seed}/{number}/{at}")
        case = telling_case(dice, schema, engines.postgres)
        outcome.queries += 1
        outcome.checks[case.check] += 1
        fault = examine(engines, case, configurations_for(dice, engines.cost(case.sql)), outcome)
        if fault is None:
            continue
        small_schema, small = (schema, case) if fault.configuration == "any" else smallest(engines, schema, case, fault)
        outcome.faults.append(report_of(f"seed {seed} schema {number} query {at}", small_schema, small, fault))
        report(outcome.faults[-1])
        engines.load(schema)
    return outcome


def campaign(oracle, seed, queries, report=print, rows_max=None, per_schema=QUERIES_PER_SCHEMA, first=0, journal=None,
             progress=lambda text: None):
    """Run; returns the Outcome. first: the schema to begin with. journal: a Journal, to go on behind what it has of the
    seed. progress(text): told after each schema how far it is."""
    outcome, engines = Outcome(), Engines(oracle)
    number = max(first, journal.next_schema()) if journal else first
    try:
        while outcome.queries < queries:
            found = explore(engines, seed, number, min(per_schema, queries - outcome.queries), report, rows_max)
            outcome.include(found)
            if journal:
                journal.add(number, found)
            progress(f"schema {number}: {outcome.summary().splitlines()[0]}")
            number += 1
    finally:
        engines.close()
    return outcome


def main(arguments=None):
    """The command line; exit status 1 for faults."""
    from tests.oracle import Oracle
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", default=str(int(time.time())))
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the schema to begin with")
    parser.add_argument("--per-schema", type=int, default=QUERIES_PER_SCHEMA)
    parser.add_argument("--rows-max", type=int, default=None, help="of each INSERT")
    parser.add_argument("--journal", help="a file to note what was run, and to go on behind what it has of the seed")
    parser.add_argument("--totals", nargs="+", metavar="JOURNAL", help="run nothing; count what journals tell")
    options = parser.parse_args(arguments)
    if options.totals:
        print(totals(options.totals))
        return 0
    print(f"seed {options.seed}", flush=True)
    oracle, started = Oracle.start(), time.monotonic()
    try:
        outcome = campaign(oracle, options.seed, options.queries, lambda text: print(text, flush=True), options.rows_max,
                           options.per_schema, options.first,
                           Journal(options.journal, options.seed) if options.journal else None,
                           lambda text: print(text, file=sys.stderr, flush=True))
    finally:
        oracle.stop()
    print(f"{outcome.summary()}\n{time.monotonic() - started:.0f} s")
    return 1 if outcome.faults else 0
