"""The log: a file to which each transaction that commits appends one record; a commit is acknowledged when it is durable.

    header 16 bytes │ length, CRC-32, payload │ length, CRC-32, payload │ ...

A crash while appending leaves a torn record at the end, which is cut off when the log is opened: it was never acknowledged.
A damaged record with sound ones behind it is something else, and refused. `rewrite` replaces the whole log by a shorter one
that says the same (a checkpoint); it has its name only when it is complete.
"""
import os
import re
import struct
import zlib

from caldera.base.errors import error
from caldera.transaction.files import WholeFile, file_error, sync_directory, system, write_all

HEADER = struct.pack("<8sII", b"CALDLOG\0", 1, 0)
FRAME = struct.Struct("<II")                # length and CRC-32 of the payload
LENGTH_MAX = (1 << 32) - 1
# How a payload begins (transaction.changes.Record): an array of two, a number, an array whose first element names a change.
PAYLOAD_START = re.compile(rb"\x92(?:[\x00-\x7f]|\xcc.|\xcd..|\xce.{4}|\xcf.{8})(?:[\x91-\x9f]|\xdc..|\xdd.{4})[\x92-\x9f]"
                           rb"[\xa8-\xad](?:create |drop |add |counters)", re.DOTALL)


def read_records(path):
    """(payloads, bytes of the sound beginning) of a log. Raises XX001 if more than its end is damaged."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as exception:
        raise file_error(exception, "read file", path) from exception
    if data[:8] != HEADER[:8]:
        raise error("XX001", f'file "{path}" is not a log of this database')
    if data[:len(HEADER)] != HEADER:
        raise error("0A000", f'file "{path}" has a format version that is not known')
    payloads, at = [], len(HEADER)
    while (payload := record_at(data, at)) is not None:
        payloads.append(payload)
        at += FRAME.size + len(payload)
    if at < len(data) and sound_record_behind(data, at):
        raise error("XX001", f'file "{path}" is damaged at byte {at}', hint="Restore the database from a backup.")
    return payloads, at


def record_at(data, at):
    """The payload of the record at a place, or None if there is no sound one."""
    if at + FRAME.size > len(data):
        return None
    length, checksum = FRAME.unpack_from(data, at)
    payload = data[at + FRAME.size:at + FRAME.size + length]
    return payload if 0 < length == len(payload) and zlib.crc32(payload) == checksum else None


def sound_record_behind(data, at):
    """Whether what is broken at a place is followed by a sound record, so that it is not the torn end of the log. Its length
    may be what is broken, so sound records are looked for at all places."""
    return any(record_at(data, found.start() - FRAME.size) is not None
               for found in PAYLOAD_START.finditer(data, at + FRAME.size))


def frame(payload):
    """A record as it stands in the file. Raises 54000 for one that is too long."""
    if len(payload) > LENGTH_MAX:
        raise error("54000", f"a transaction's record in the log would have {len(payload)} bytes",
                    detail=f"The limit is {LENGTH_MAX} bytes.")
    return FRAME.pack(len(payload), zlib.crc32(payload)) + payload


class Log:
    """The open log of a database directory. Not for several threads at once: the timeline's commit lock guards it."""

    def __init__(self, path, durable=True):
        self.path, self.durable, self.suspect = str(path), durable, False
        self.descriptor = None
        if not os.path.lexists(self.path):
            self.replace([])
        self.payloads, self.size = read_records(self.path)
        self.open()
        self.compact_size = self.size       # after the last rewrite

    def open(self):
        """Open for appending, without what a crash may have left at the end."""
        self.close()
        try:
            self.descriptor = os.open(self.path, os.O_WRONLY | os.O_CLOEXEC)
            if os.fstat(self.descriptor).st_size != self.size:
                os.ftruncate(self.descriptor, self.size)
                system.fsync(self.descriptor)
            os.lseek(self.descriptor, self.size, os.SEEK_SET)
        except OSError as exception:
            raise file_error(exception, "open file", self.path) from exception

    def replace(self, payloads):
        """Install a new file with these payloads and go on with it."""
        file = WholeFile(self.path, self.durable, lasting=True)
        try:
            with file:
                file.write(HEADER)
                for payload in payloads:
                    file.write(frame(payload))
        finally:
            if file.installed:      # perhaps not durably: then commits would not be, either, until this is done again
                self.close()
                self.descriptor, self.size, self.suspect = file.descriptor, file.size, True
        self.suspect = False

    def append(self, payload):
        """Make a record durable. If that fails (53100 for a full disk), the log is as before."""
        if self.suspect:
            raise error("58030", f'the log "{self.path}" could not be repaired after a failure',
                        hint="Open the database again.")
        data, size = frame(payload), self.size
        try:
            write_all(self.descriptor, data)
            if self.durable:
                system.fsync(self.descriptor)
            self.size = size + len(data)
        except BaseException as exception:          # also Ctrl-C, which may come between any two lines
            self.size = size
            self.cut_back()
            if isinstance(exception, OSError):
                raise file_error(exception, "write to file", self.path) from exception
            raise

    def cut_back(self):
        """Take away a record that was not completed."""
        try:
            os.ftruncate(self.descriptor, self.size)
            os.lseek(self.descriptor, self.size, os.SEEK_SET)
            if self.durable:
                os.fsync(self.descriptor)
        except OSError:
            self.suspect = True

    def rewrite(self, payloads):
        """Replace the log by one with these payloads. If that fails, the log is as before."""
        self.replace(payloads)
        self.compact_size = self.size

    def close(self):
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None


class NoLog:
    """The log of a database that lives in memory."""
    payloads, size, compact_size = (), 0, 0
    suspect = property(lambda self: False, lambda self, value: None)        # nothing can be wrong in it

    def append(self, payload):
        """Nothing to keep."""

    def close(self):
        """Nothing to close."""


def open_log(directory, durable=True):
    """The log of a database directory, made if it is new; of None, a log that keeps nothing."""
    if directory is None:
        return NoLog()
    log = Log(os.path.join(directory, "log"), durable)
    if durable:
        sync_directory(directory)
    return log
