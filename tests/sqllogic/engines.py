"""The engines that files run on. Each file begins with an empty database."""
import contextlib

from tests.differential import CONFIGURATIONS, WITHOUT_RULES, for_postgres
from tests.process import CalderaProcess

ALL = (*CONFIGURATIONS, *WITHOUT_RULES)
SMALL_FILE_BYTES = 20_000       # of files whose tables are small enough for the Python kernel and blocks of one row
FOR_SMALL_FILES = {"python", "ones"}


class Caldera:
    """A Caldera process; `begin` empties its database and takes a configuration."""
    names = {"caldera", "postgresql"}

    def __init__(self):
        self.process = CalderaProcess(lambda session: None)

    def begin(self, configuration):
        """Begin a file: a new database, queries under a configuration."""
        self.process.begin_anew()
        self.process.use(configuration)

    def query(self, sql):
        """The Answer to one statement."""
        return self.process.query(sql)

    def close(self):
        """End the process."""
        self.process.close()


class Postgres:
    """A session of PostgreSQL with a schema of its own."""
    names = {"postgresql"}

    def __init__(self, session):
        self.session = session

    def query(self, sql):
        """The Answer to one statement."""
        return self.session.query(for_postgres(sql))


@contextlib.contextmanager
def postgres(oracle):
    """A Postgres for the length of a file."""
    with oracle.session() as session:
        yield Postgres(session)


def configurations_for(text, wanted=ALL):
    """Those of the wanted configurations in which a file with that text is to run."""
    small = len(text) <= SMALL_FILE_BYTES
    return [configuration for configuration in wanted if small or configuration.name not in FOR_SMALL_FILES]
