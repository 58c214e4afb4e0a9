"""A disk that loses power: what was not made durable by fsync is gone.

`Disk` stands before caldera.transaction.files.system and keeps book of what is durable: the bytes of a file when it was last
synced, and the names of a directory when that was. At the chosen call it raises PowerLoss, and `survivors` writes what a
machine would find after a restart.
"""
import os


class PowerLoss(BaseException):
    """The power is gone. Not an Exception, so that nothing recovers from it."""


class Disk:
    """Counts the calls that reach the disk below `directory`; at call number `fatal` the power fails."""

    def __init__(self, directory, fatal, honest=True):
        self.directory, self.fatal, self.honest = str(directory), fatal, honest
        self.calls, self.contents, self.names = 0, {}, {}       # inode -> bytes; directory -> {name: inode}

    def attach(self, patch, system):
        """Stand before `system`, until the monkeypatch context ends."""
        self.system = {name: getattr(system, name) for name in ("write", "fsync", "rename")}
        for name in self.system:
            patch.setattr(system, name, getattr(self, name))

    def count(self):
        self.calls += 1
        if self.calls >= self.fatal:
            raise PowerLoss

    def write(self, descriptor, data):
        if self.calls + 1 >= self.fatal:
            self.system["write"](descriptor, bytes(data)[:len(data) // 2])
        self.count()
        return self.system["write"](descriptor, data)

    def rename(self, source, target):
        self.count()
        self.system["rename"](source, target)

    def fsync(self, descriptor):
        self.count()
        if self.honest:
            self.keep(descriptor)

    def keep(self, descriptor):
        """Take note of what has become durable."""
        path, inode = os.readlink(f"/proc/self/fd/{descriptor}"), os.fstat(descriptor).st_ino
        if os.path.isdir(path):
            self.names[path] = {name: os.stat(os.path.join(path, name)).st_ino for name in os.listdir(path)
                                if os.path.isfile(os.path.join(path, name))}
        else:
            with open(path, "rb") as file:
                self.contents[inode] = file.read()

    def survivors(self, target):
        """Write to a new directory what is left after the power failed."""
        os.makedirs(os.path.join(target, "parts"))
        for folder, names in self.names.items():
            place = os.path.join(target, os.path.relpath(folder, self.directory))
            for name, inode in names.items():
                with open(os.path.join(place, name), "wb") as file:
                    file.write(self.contents.get(inode, b""))
