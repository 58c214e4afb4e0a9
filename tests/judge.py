"""Runs queries of the corpus on both engines: shared by the test and by the report.

A Judge holds the engines' sessions for the file that it worked on last, so that queries of one file cost one set-up, and for
Caldera one for each layout of the tables.
"""
import contextlib
import zlib

from tests.differential import CONFIGURATIONS, SAMPLED_FROM, difference, expect, for_postgres, settings
from tests.process import open_caldera


def problems(expected, session, query, configurations):
    """{configuration's name: what differs} of a query's answers under each configuration; empty if all are right.
    session(layout): that of Caldera whose tables are laid out like that."""
    found = {}
    for configuration in configurations:
        try:
            caldera = session(configuration.layout)
            caldera.use(configuration)
            with settings(caldera, query.settings):
                ours = caldera.query(query.sql)
            problem = difference(expected, ours, "float" in query.flags, "shape" in query.flags)
        except RuntimeError as failure:
            problem = str(failure)
        if problem:
            found[configuration.name] = problem
    return found


def settle(query, found, known, complete):
    """Fail unless a query is right, or wrong and among the known gaps. complete: all configurations were tried, so that a
    known gap without problems has become right."""
    report = "\n".join(f"{name}: {problem}" for name, problem in found.items())
    if query.id not in known:
        assert not found, f"\n{query.sql}\n{report}"
    elif complete:
        assert found, f"{query.id} is right now: take it out of tests/known_gaps.txt\n{query.sql}"


def sample(configurations, query):
    """One configuration of each kind (SAMPLED_FROM), which one depends on the query's name: the queries of a file are tried
    under all, each under a few."""
    choice = zlib.crc32(query.id.encode())
    kinds = [[configuration for configuration in configurations if configuration.name in names] for names in SAMPLED_FROM]
    return [kind[choice % len(kind)] for kind in kinds if kind]


class Judge:
    """Compares queries under a sequence of configurations; `close` when done. in_full: tells for a query whether it is to be
    tried under all of them or under a sample."""

    def __init__(self, oracle, files, configurations=CONFIGURATIONS, in_full=lambda query: True):
        self.oracle, self.files, self.configurations, self.in_full = oracle, files, configurations, in_full
        self.file, self.stack, self.postgres, self.sessions = None, contextlib.ExitStack(), None, {}

    def _open(self, file):
        """A fresh session of PostgreSQL with the file's tables."""
        if file == self.file:
            return
        self.close()
        source = self.files[file]
        self.postgres = self.stack.enter_context(self.oracle.session(for_postgres(source.setup)))
        source.into_postgres(self.postgres)
        self.file = file

    def session(self, layout):
        """Caldera's session whose tables are laid out like that. RuntimeError if Caldera cannot run the set-up."""
        if layout not in self.sessions:
            try:
                self.sessions[layout] = open_caldera(self.files[self.file].prepare_caldera, layout)
                self.stack.callback(self.sessions[layout].close)
            except Exception as problem:
                self.sessions[layout] = problem
        found = self.sessions[layout]
        if isinstance(found, Exception):
            raise RuntimeError(f"set-up failed: {found}")
        return found

    def expected(self, query):
        """PostgreSQL's answer to a query of the corpus."""
        self._open(query.file)
        with settings(self.postgres, query.settings):
            return expect(self.postgres, query.sql, exact="exact" in query.flags)

    def problems(self, query):
        """{configuration's name: what differs} for those under which Caldera's answer is wrong."""
        expected = self.expected(query)
        return problems(expected, self.session, query, self.meant_for(query))

    def meant_for(self, query):
        """The configurations to try for a query: ours, or a sample, as far as its file is meant for them."""
        allowed = self.files[query.file].configurations
        ours = [configuration for configuration in self.configurations if allowed is None or configuration in allowed]
        return ours if self.in_full(query) else sample(ours, query)

    def close(self):
        """Drop the tables, leave both engines."""
        self.stack.close()
        self.stack, self.file, self.sessions = contextlib.ExitStack(), None, {}
