"""Files that survive: written whole, made durable, and errors in PostgreSQL's words.

All that the database writes goes through this file, so that tests can make the disk fail in one place (`system`).
"""
import errno
import itertools
import os
import stat
import sys
import types

from caldera.base.errors import error

# The calls that reach the disk; tests put failing ones here.
system = types.SimpleNamespace(write=os.write, fsync=os.fsync, rename=os.rename)

SQLSTATES = {errno.ENOSPC: "53100", errno.EDQUOT: "53100", errno.EFBIG: "53100", errno.ENOENT: "58P01",
             errno.ENOTDIR: "58P01", errno.EEXIST: "58P02", errno.ENOTEMPTY: "58P02", errno.EACCES: "42501",
             errno.EPERM: "42501", errno.EROFS: "42501", errno.EMFILE: "53000", errno.ENFILE: "53000",
             errno.ENOMEM: "53200", errno.EISDIR: "42809", errno.EIO: "58030"}
WRITE_BYTES = 1 << 26           # of one call
NUMBERS = itertools.count(1)    # of this process's temporary files


def file_error(exception, action, path, purpose=""):
    """The database's error for an OSError: `could not write to file "x": No space left on device`. purpose: said after the
    file's name (" for reading")."""
    hint = "Check free disk space." if SQLSTATES.get(exception.errno) == "53100" else None
    reason = os.strerror(exception.errno) if exception.errno else str(exception)
    return error(SQLSTATES.get(exception.errno, "58030"), f'could not {action} "{path}"{purpose}: {reason}', hint=hint)


def write_all(descriptor, data):
    """Write all bytes of a buffer; raises OSError."""
    view = memoryview(data).cast("B")
    while len(view):
        view = view[system.write(descriptor, view[:WRITE_BYTES]):]


def sync_directory(path):
    """Make names in a directory durable."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        system.fsync(descriptor)
    finally:
        os.close(descriptor)


class WholeFile:
    """A file that gets its name only when it is complete and durable. As a context: commits at the end, or leaves nothing.

        with WholeFile(path, durable) as file:
            file.write(b"...")

    lasting: the file is more than its writer's: once it has its name it stays, also if that name could not be made durable,
    and `descriptor` remains open for whoever goes on writing. `installed`: whether it has its name.
    """

    def __init__(self, path, durable=True, lasting=False):
        self.path, self.temporary, self.durable, self.size, self.descriptor = str(path), f"{path}.tmp", durable, 0, None
        self.lasting, self.installed = lasting, False

    def __enter__(self):
        try:
            self.descriptor = os.open(self.temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        except OSError as exception:
            raise file_error(exception, "open file", self.path, " for writing") from exception
        return self

    def write(self, data):
        try:
            write_all(self.descriptor, data)
        except OSError as exception:
            raise file_error(exception, "write to file", self.path) from exception
        self.size += memoryview(data).nbytes

    def __exit__(self, kind, exception, traceback):
        try:
            if exception is None:
                self.install()
        finally:
            if self.descriptor is not None and not (self.lasting and self.installed):
                os.close(self.descriptor)
                self.descriptor = None
            if not self.installed and self.temporary is not None:
                remove_quietly(self.temporary)

    def install(self):
        try:
            if self.durable:
                system.fsync(self.descriptor)
            system.rename(self.temporary, self.path)
            self.installed = True
            if self.durable:
                sync_directory(os.path.dirname(self.path) or ".")
        except OSError as exception:
            if self.installed and not self.lasting:
                remove_quietly(self.path)
            raise file_error(exception, "write to file", self.path) from exception


def descriptor_named(path):
    """The number of the open file of this process that a path like /dev/stdout or /dev/fd/3 names, or None."""
    path = os.path.abspath(path)
    while True:
        folder, name = os.path.split(path)
        if name.isdecimal() and os.path.realpath(folder) == f"/proc/{os.getpid()}/fd":
            return int(name)
        if folder != "/dev" or not os.path.islink(path):
            return None
        path = os.path.join(folder, os.readlink(path))


class UserFile(WholeFile):
    """The same for a file that a user named. Symbolic links are followed and an old file's permissions stay; its temporary
    file takes nobody's name. What is no plain file (a pipe, a device), or stands in a directory that may not be changed, is
    written to as it is; /dev/stdout goes on where the program is with it, be it a file."""

    def __init__(self, path):
        super().__init__(os.path.realpath(path), durable=False)
        self.temporary = f"{self.path}.{os.getpid()}.{next(NUMBERS)}.tmp"
        self.named = str(path)

    def __enter__(self):
        try:
            number = descriptor_named(self.named)
            if number is not None:
                sys.stdout.flush()
                self.temporary, self.descriptor = None, os.dup(number)
                return self
            known = os.stat(self.path) if os.path.exists(self.path) else None
            if known is None or stat.S_ISREG(known.st_mode):
                try:
                    self.descriptor = os.open(self.temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
                    if known is not None:
                        os.fchmod(self.descriptor, stat.S_IMODE(known.st_mode))
                    return self
                except PermissionError:
                    if known is None:
                        raise
            self.temporary = None
            self.descriptor = os.open(self.path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
        except OSError as exception:
            raise file_error(exception, "open file", self.named, " for writing") from exception
        return self

    def install(self):
        if self.temporary is not None:
            super().install()


def remove_quietly(path):
    """Remove a file that nobody needs; if it cannot be done now, the next opening of the database will try again."""
    try:
        os.unlink(path)
    except OSError:
        pass
