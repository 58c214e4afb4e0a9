"""Counting the rows that pass between two steps of a pipeline, for EXPLAIN ANALYZE."""
from caldera.kernel.interface import I64, Owner, Struct


class RowCount(Owner):
    """A step that hands on every block and counts its rows, for each worker."""
    words = ""                      # it only watches
    layout = Struct(rows=I64)

    def open(self, run):
        self.instances = [self.layout.make() for _ in range(run.workers)]

    @property
    def rows(self):
        """Their number; None if the pipeline has not run, or is closed."""
        return sum(instance.rows for instance in self.instances) if self.instances else None

    def close(self):
        self.instances = []

    def blocks(self, k, blocks):
        """The same blocks."""
        here = k.memory(self)               # also where no block comes: then they are known to be none
        for block in blocks:
            block = block.settled()
            here.rows = here.rows + block.count
            yield block
