"""Runs queries of the corpus on both engines: shared by the test and by the report.

A Judge holds the two engines' sessions for the file that it worked on last, so that queries of one file cost one set-up.
"""
import contextlib

from tests.differential import CONFIGURATIONS, CalderaSession, difference, expect, for_postgres, settings


class Judge:
    """Compares queries under a sequence of configurations; `close` when done."""

    def __init__(self, oracle, files, configurations=CONFIGURATIONS):
        self.oracle, self.files, self.configurations = oracle, files, configurations
        self.file, self.stack, self.postgres, self.caldera, self.broken = None, contextlib.ExitStack(), None, None, None

    def _open(self, file):
        """Fresh sessions with the file's tables; a set-up that Caldera cannot run breaks every query of the file."""
        if file == self.file:
            return
        self.close()
        setup = self.files[file].setup
        self.postgres = self.stack.enter_context(self.oracle.session(for_postgres(setup)))
        self.file, self.broken = file, None
        try:
            self.caldera = CalderaSession()
            self.stack.callback(self.caldera.close)
            self.caldera.run(setup)
        except Exception as problem:
            self.broken = f"set-up failed: {problem}"

    def expected(self, query):
        """PostgreSQL's answer to a query of the corpus."""
        self._open(query.file)
        with settings(self.postgres, query.settings):
            return expect(self.postgres, query.sql, exact="exact" in query.flags)

    def problems(self, query):
        """{configuration's name: what differs} for those under which Caldera's answer is wrong."""
        expected = self.expected(query)
        if self.broken:
            return {"setup": self.broken}
        problems = {}
        for configuration in self.configurations:
            try:
                self.caldera.use(configuration)
                with settings(self.caldera, query.settings):
                    ours = self.caldera.query(query.sql)
                problem = difference(expected, ours, "float" in query.flags, "shape" in query.flags)
            except RuntimeError as failure:
                problem = str(failure)
            if problem:
                problems[configuration.name] = problem
        return problems

    def close(self):
        """Drop the tables, leave both engines."""
        self.stack.close()
        self.stack, self.file = contextlib.ExitStack(), None
