"""Fixtures and options of all tests: the oracle, `--quick`, `--campaign`, `--seed`."""
import random

import pytest

# Files that take more than a second or two each, on one core: a quick run does not even read them.
SLOW_FILES = {"bench/test_clickbench.py", "bench/test_demo.py", "bind/test_copy_options.py", "bind/test_limits.py",
              "bind/test_mutations.py", "client/test_batches.py", "client/test_psql.py", "client/test_shell.py",
              "compile/test_portability.py", "execute/test_checked.py", "execute/test_cursors.py",
              "execute/test_failed_runs.py", "execute/test_kept_plans.py", "execute/test_long_texts.py",
              "execute/test_python_states.py", "execute/test_stopping.py", "execute/test_streamed_files.py",
              "execute/test_swaps.py", "execute/test_transaction_modes.py", "explain/test_explain.py",
              "functions/test_dates.py", "functions/test_null_results.py", "functions/test_numbers_words.py",
              "functions/test_patterns.py", "functions/test_regexps.py", "functions/test_strings.py",
              "kernel/test_text.py", "operators/test_dictionaries.py", "operators/test_groups.py",
              "operators/test_row_order.py", "operators/test_sorting.py", "storage/test_crashes.py",
              "storage/test_damage.py", "storage/test_database.py", "storage/test_encodings.py",
              "storage/test_external.py", "storage/test_parts.py", "test_differential.py", "test_documentation.py",
              "rules/test_disabled.py", "test_function_examples.py", "test_layouts.py"}


def pytest_addoption(parser):
    group = parser.getgroup("caldera")
    group.addoption("--quick", action="store_true", help="leave out slow tests; the corpus runs in one configuration only")
    group.addoption("--campaign", action="store_true", help="run the long randomised tests, which are left out otherwise")
    group.addoption("--seed", type=int, default=None, help="seed of randomised tests; printed by those that fail")


def pytest_ignore_collect(collection_path, config):
    """Whether a file is left out; None leaves that to others."""
    if config.getoption("--quick") and collection_path.is_relative_to(config.rootpath / "tests"):
        return collection_path.relative_to(config.rootpath / "tests").as_posix() in SLOW_FILES or None
    return None


def pytest_collection_modifyitems(config, items):
    """Long tests stay out unless they are asked for."""
    left_out = set()
    if not config.getoption("--campaign"):
        left_out.add("campaign")
    if config.getoption("--quick"):
        left_out.add("slow")
    kept, gone = [], []
    for item in items:
        (gone if left_out & {mark.name for mark in item.iter_markers()} else kept).append(item)
    if gone:
        config.hook.pytest_deselected(items=gone)
        items[:] = kept


@pytest.fixture
def seed(request):
    """What a randomised test begins with: --seed, another one each time in campaigns, the same in ordinary runs."""
    chosen = request.config.getoption("--seed")
    if chosen is None:
        chosen = random.randrange(1 << 32) if request.config.getoption("--campaign") else 1
    print("seed", chosen)
    return chosen


@pytest.fixture(scope="session")
def oracle():
    """PostgreSQL 18, started at its first use."""
    from tests.oracle import Oracle
    server = Oracle.start()
    yield server
    server.stop()


@pytest.fixture
def postgres(oracle):
    """A connection to PostgreSQL with a schema of its own, dropped after the test."""
    with oracle.session() as session:
        yield session
