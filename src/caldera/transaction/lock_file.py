"""One process owns a database directory: it holds a lock on a file in it, which the system lets go when the process ends."""
import contextlib
import fcntl
import os

from caldera.base.errors import error
from caldera.transaction.files import file_error

NAME = "lock"


class DirectoryLock:
    """Held from construction to `release`. Raises 55006 if another process has the directory."""

    def __init__(self, directory):
        path = os.path.join(directory, NAME)
        try:
            self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as exception:
            raise file_error(exception, "open lock file", path) from exception
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exception:
            owner = os.pread(self.descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(self.descriptor)
            raise error("55006", f'database "{directory}" is being used by another process (PID {owner})',
                        hint="Only one process at a time may open a database directory.") from exception
        with contextlib.suppress(OSError):          # on a full disk nobody is told who has the directory
            os.ftruncate(self.descriptor, 0)
            os.pwrite(self.descriptor, f"{os.getpid()}\n".encode(), 0)

    def release(self):
        """Let another process have the directory, even if a child still holds a copy of the descriptor."""
        if self.descriptor is not None:
            fcntl.flock(self.descriptor, fcntl.LOCK_UN)
        self.leave()

    def leave(self):
        """Close the descriptor: after a fork, the lock stays with the parent."""
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None
