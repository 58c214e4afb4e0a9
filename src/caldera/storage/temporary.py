"""Temporary files: where rows go that memory has no room for.

    TemporaryFolder   one for each database: DIRECTORY/temporary, or a folder of the system's for a database in memory
    TemporaryFile     one for each operator that has run out of room: pages, appended one after the other, read in any order

A page is bytes; where it lies and its checksum (CRC-32, as that of parts) are kept in memory, since nobody reads the file
after its query. Files go when the query ends, however it ends; what a crash leaves, the next opening removes.
"""
import itertools
import os
import shutil
import tempfile
import threading
import weakref
import zlib
from dataclasses import dataclass

import numpy as np

from caldera.base.errors import error
from caldera.kernel.text import TEXT_PADDING
from caldera.transaction.files import file_error, remove_quietly, write_all

PAGES_AT_ONCE = 256             # in one read; the system takes 1,024 buffers


@dataclass(frozen=True)
class Extent:
    """Where a page lies in a file: its first byte, how many there are, and their checksum."""
    offset: int
    size: int
    checksum: int


class TemporaryQuota:
    """How many bytes the temporary files of one session have together, and may have. `bytes_max()`: the limit, or None."""

    def __init__(self, bytes_max):
        self.bytes_max, self.used, self.lock = bytes_max, 0, threading.Lock()

    def take(self, size):
        """Some bytes more. Raises 53400."""
        limit = self.bytes_max()
        with self.lock:
            if limit is not None and self.used + size > limit:
                raise error("53400", f'temporary file size exceeds "temp_file_limit" ({limit >> 10}kB)')
            self.used += size

    def release(self, size):
        """Some bytes less."""
        with self.lock:
            self.used -= size


UNLIMITED = TemporaryQuota(lambda: None)


class TemporaryFolder:
    """Makes files in a directory, which is made for the first of them. path: of the directory, or None for one of the
    system's."""

    def __init__(self, path=None):
        self.path, self.is_own, self.numbers, self.lock = path, path is None, itertools.count(1), threading.Lock()

    def clear(self):
        """Remove what a crash has left."""
        if self.path is not None and os.path.isdir(self.path):
            for name in os.listdir(self.path):
                remove_quietly(os.path.join(self.path, name))

    def file(self, quota=UNLIMITED):
        """A new, empty TemporaryFile, for whose bytes the TemporaryQuota is asked. Raises the database's error for what the
        system says."""
        with self.lock:
            try:
                if self.path is None:
                    self.path = tempfile.mkdtemp(prefix="caldera-")
                    weakref.finalize(self, remove_folder, self.path, os.getpid())       # if nobody closes the database
                else:
                    os.makedirs(self.path, exist_ok=True)
            except OSError as exception:
                raise file_error(exception, "create directory", self.path or tempfile.gettempdir()) from exception
            return TemporaryFile(os.path.join(self.path, f"{next(self.numbers)}.rows"), quota)

    def close(self):
        """Remove a directory of the system's."""
        if self.is_own and self.path is not None:
            shutil.rmtree(self.path, ignore_errors=True)
            self.path = None


def remove_folder(path, process):
    """Remove a directory with all that is in it, but not that of the process that this one was forked from."""
    if os.getpid() == process:
        shutil.rmtree(path, ignore_errors=True)


class TemporaryFile:
    """A file of pages. Several threads may write and read. size: its bytes so far."""

    def __init__(self, path, quota=UNLIMITED):
        self.path, self.quota, self.size, self.lock = path, quota, 0, threading.Lock()
        try:
            self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except OSError as exception:
            raise file_error(exception, "create temporary file", path) from exception

    def write(self, *buffers):
        """Append a page made of some buffers; its Extent. Raises 53100 for a full disk, and the like."""
        return self.write_pages([buffers])[0]

    def write_pages(self, pages, whole=None):
        """Append pages, each made of some buffers; their Extents. `whole`: one buffer of all, if they lie so in memory."""
        views = [[memoryview(buffer).cast("B") for buffer in buffers if memoryview(buffer).nbytes] for buffers in pages]
        sizes, checksums = [], []
        for page in views:
            checksum = 0
            for view in page:
                checksum = zlib.crc32(view, checksum)
            sizes.append(sum(map(len, page)))
            checksums.append(checksum)
        data = b"".join(itertools.chain.from_iterable(views)) if whole is None else memoryview(whole).cast("B")
        with self.lock:
            offset = self.size
            self.quota.take(len(data))
            self.size += len(data)
            try:
                write_all(self.descriptor, data)
            except OSError as exception:
                raise file_error(exception, "write to temporary file", self.path) from exception
        begins = itertools.accumulate(sizes, initial=offset)
        return [Extent(begin, size, checksum) for begin, size, checksum in zip(begins, sizes, checksums)]

    def read(self, extent):
        """The bytes of a page (uint8), with TEXT_PADDING zeros behind them. Raises XX001 if they are not those written."""
        page = np.zeros(-(-(extent.size + TEXT_PADDING) // 8), np.int64).view(np.uint8)
        self.read_into(extent, memoryview(page)[:extent.size])
        return page

    def read_into(self, extent, *targets):
        """The bytes of a page into writable buffers that have room for just those. Raises XX001 if they are not those
        written."""
        self.read_pages([(extent, targets)])

    def read_pages(self, pages):
        """The same for pairs (extent, buffers). Pages that lie one behind the other are read together."""
        pages = [(extent, [view for target in targets if len(view := memoryview(target))]) for extent, targets in pages]
        first = 0
        for number, (extent, targets) in enumerate(pages, 1):
            ends_here = number == len(pages) or pages[number][0].offset != extent.offset + extent.size
            if ends_here or number - first == PAGES_AT_ONCE:
                self.fill([view for _, targets in pages[first:number] for view in targets], pages[first][0].offset)
                first = number
        for extent, targets in pages:
            checksum = 0
            for target in targets:
                checksum = zlib.crc32(target, checksum)
            if checksum != extent.checksum:
                raise error("XX001", f'temporary file "{self.path}" is damaged')

    def fill(self, targets, offset):
        """Read what lies from an offset on into buffers, as far as there is anything."""
        try:
            count = os.preadv(self.descriptor, targets, offset) if targets else 0
            while count and (targets := beyond(targets, count)):        # the system may give less than was asked for
                offset += count
                count = os.preadv(self.descriptor, targets, offset)
        except OSError as exception:
            raise file_error(exception, "read from temporary file", self.path) from exception

    def close(self):
        """Remove the file."""
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None
            self.quota.release(self.size)
            remove_quietly(self.path)


def beyond(views, size):
    """What is left of buffers behind the first bytes of them all."""
    rest = []
    for view in views:
        if size < len(view):
            rest.append(view[size:])
        size = max(0, size - len(view))
    return rest
