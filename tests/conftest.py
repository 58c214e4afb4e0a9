"""Fixtures and options of all tests: the oracle, `--quick`, `--campaign`, `--seed`."""
import pytest


def pytest_addoption(parser):
    group = parser.getgroup("caldera")
    group.addoption("--quick", action="store_true", help="leave out slow tests; the corpus runs in one configuration only")
    group.addoption("--campaign", action="store_true", help="run the long randomised tests, which are left out otherwise")
    group.addoption("--seed", type=int, default=None, help="seed of randomised tests; printed by those that fail")


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
