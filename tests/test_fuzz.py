"""Random queries over random tables give PostgreSQL's answers in all configurations (see tests.fuzz).

The ordinary run repeats a few; `make campaign-fuzz N=2000` makes that many new ones.
"""
import os
import time

import pytest

from tests.fuzz import campaign

QUERIES_PER_TABLE = 40


@pytest.mark.oracle
@pytest.mark.slow
def test_random_tables_and_queries_give_postgresql_s_answers(oracle):
    faults = campaign(oracle, "ordinary", tables=3, queries=8, rows_max=70, stop_at=1)
    assert not faults, faults[0]


@pytest.mark.oracle
@pytest.mark.campaign
def test_fuzz_at_length(oracle, request):
    seed = request.config.getoption("--seed")
    seed = str(seed if seed is not None else int(time.time()))
    tables = max(1, int(os.environ.get("N", "2000")) // QUERIES_PER_TABLE)
    faults = campaign(oracle, seed, tables, QUERIES_PER_TABLE, lambda text: print(text, flush=True))
    assert not faults, f"seed {seed}: {len(faults)} faults, first:\n{faults[0]}"
