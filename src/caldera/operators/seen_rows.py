"""Which rows a recursion has given already: keys in a set of Python's, or in sets on disk where memory is short.

    keys ─▶ one set, while there is room
    keys ─▶ by hash ─▶ pages of a temporary file, a list of them for each part; one part's set is in memory at a time
"""
import pickle

from caldera.types.columns import to_datums

KEY_BYTES = 100                 # of a value in a set, about
PARTS = 64


class SeenRows:
    """The keys of the rows that have come while a run lasts."""

    def __init__(self, run):
        self.run, self.keys, self.held, self.file = run, set(), 0, None
        self.pages = [[] for _ in range(PARTS)]

    def new(self, columns, count):
        """The numbers of those rows that have not come before, each once. They have come now."""
        columns = [keys(data) for data in columns]
        rows = list(zip(*columns)) if columns else [()] * count
        if self.file is None:
            chosen = self.added(self.keys, rows, range(count))
            self.hold(len(chosen) * KEY_BYTES * max(1, len(columns)))
            return chosen
        return self.new_on_disk(rows)

    @staticmethod
    def added(known, rows, numbers):
        """The numbers among some of rows that are not in a set, which has them then."""
        chosen = []
        for number in numbers:
            if rows[number] not in known:
                known.add(rows[number])
                chosen.append(number)
        return chosen

    def hold(self, size):
        """Keep some bytes more in memory, or write all keys to disk."""
        allocation = self.run.allocation
        if allocation.allows(self.held, size):
            allocation.account(size)
            self.held += size
            return
        self.file = self.run.temporary_file()
        parts = [[] for _ in range(PARTS)]
        for key in self.keys:
            parts[hash(key) % PARTS].append(key)
        for part, members in enumerate(parts):
            self.write(part, members)
        allocation.discount(self.held)
        self.keys, self.held = set(), 0

    def write(self, part, members):
        """Write keys of a part to disk."""
        if members:
            self.pages[part].append(self.file.write(pickle.dumps(members, pickle.HIGHEST_PROTOCOL)))

    def new_on_disk(self, rows):
        """As `new`, with keys on disk: part by part."""
        numbers_of, chosen = {}, []
        for number, row in enumerate(rows):
            numbers_of.setdefault(hash(row) % PARTS, []).append(number)
        for part, numbers in numbers_of.items():
            self.run.check()
            known = set()
            for page in self.pages[part]:
                known.update(pickle.loads(self.file.read(page)[:page.size].tobytes()))
            added = self.added(known, rows, numbers)
            self.write(part, [rows[number] for number in added])
            chosen += added
        return sorted(chosen)


def keys(data):
    """For each value of a column a key that is the same for values that SQL calls equal."""
    datums = to_datums(data.type, data.values, data.valid)
    return [None if datum is None else data.type.sort_key(datum) for datum in datums]
