"""A session of PostgreSQL and a Caldera process that hold the same random tables."""
import collections
import contextlib
import re

from caldera.optimize import RULES
from tests.differential import BY_NAME, WITHOUT_RULES, Configuration, for_postgres
from tests.process import CalderaProcess

RULE_NAMES = [rule.__name__ for rule in RULES]
RULES_OFF = Configuration("rules_off", {"caldera.tier": "fast", "threads": "2", "disabled_rules": ",".join(RULE_NAMES)})
AUTO = Configuration("auto", {"caldera.tier": "auto", "threads": "2"})
SMALL_BLOCKS = Configuration("small_blocks", {"caldera.tier": "fast", "threads": "2", "caldera.block_rows": "7",
                                              "caldera.morsel_rows": "20"})
CHECKED = Configuration("checked", {"caldera.tier": "python", "threads": "1", "caldera.checked": "on"})
CONFIGURATIONS = {**BY_NAME, **{one.name: one for one in (RULES_OFF, AUTO, SMALL_BLOCKS, CHECKED, *WITHOUT_RULES)}}
COSTS_MAX = {"checked": 12, "ones": 200}        # by PostgreSQL's plan; the Python kernel takes a millisecond for a row
WEIGHTS = {"fast": 40, "checked": 12, "rules_off": 10, "without a rule": 10, "small_blocks": 6, "ones": 6, "fast2": 4,
           "hashes": 5, "spill": 5, "o3": 2, "auto": 2}        # how often; o3 takes ten times as long as fast
POSTGRES_SECONDS_MAX = 20       # a query that takes PostgreSQL longer tells more about its size than about an engine


def configurations_for(random, cost):
    """Configurations to try for a query that PostgreSQL's planner thinks to cost so much: one, seldom two, since another
    query tells more than the same one once more."""
    weights = {name: weight for name, weight in WEIGHTS.items() if cost <= COSTS_MAX.get(name, cost)}
    chosen = set(random.choices(list(weights), weights.values(), k=random.choice((1, 1, 1, 1, 1, 1, 1, 2))))
    names = [random.choice(WITHOUT_RULES).name if name == "without a rule" else name for name in sorted(chosen)]
    return [CONFIGURATIONS[name] for name in names]


class Engines:
    """Both engines; `load` begins anew with other tables. Caldera has one process for each layout of tables. explained:
    counts the differences that have a reason."""

    def __init__(self, oracle):
        self.oracle, self.stack = oracle, contextlib.ExitStack()
        self.schema, self.postgres, self.caldera, self.processes = None, None, None, {}
        self.explained = collections.Counter()

    def load(self, schema):
        """Let both have the tables of a schema. RuntimeError if one cannot."""
        self.stack.close()
        self.schema = None
        self.postgres = self.stack.enter_context(self.oracle.session(for_postgres(schema.sql())))
        self.postgres.run(f"SET statement_timeout = '{POSTGRES_SECONDS_MAX}s'")
        self.postgres.run(f"ANALYZE {', '.join(table.name for table in schema.tables)}")

        def prepare(caldera):
            caldera.run(schema.sql())
        if schema.layout in self.processes:
            self.processes[schema.layout].prepare_anew(prepare)
        else:
            self.processes[schema.layout] = CalderaProcess(prepare, schema.layout)
        self.caldera, self.schema = self.processes[schema.layout], schema

    def cost(self, sql):
        """What PostgreSQL's planner thinks that a query costs; 0 if it fails."""
        plan = self.postgres.query(f"EXPLAIN {sql}")
        return 0.0 if plan.failed else float(re.search(r"cost=[\d.]+\.\.([\d.]+)", plan.rows[0][0])[1])

    def close(self):
        """End both sessions and all processes."""
        self.stack.close()
        for process in self.processes.values():
            process.close()
        self.schema = self.postgres = self.caldera = None
        self.processes = {}
