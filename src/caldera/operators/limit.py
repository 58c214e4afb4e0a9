"""LIMIT and OFFSET without an order of their own: rows are counted over all workers, and the run stops when there are
enough."""
from caldera.kernel.interface import I32, I64, Owner, Struct

ROWS_MAX = 1 << 62              # larger than any table; sums with it do not overflow


class Limit(Owner):
    """Hands on rows number offset to offset + limit. `bounds()` gives (limit or None, offset) when the run starts."""
    layout = Struct(seen=I64, first=I64, stop=I64)

    def __init__(self, bounds):
        super().__init__()
        self.bounds = bounds

    def open(self, run):
        limit, offset = self.bounds()
        stop = ROWS_MAX if limit is None else min(offset + limit, ROWS_MAX)
        self.instances = [self.layout.make(seen=0, first=offset, stop=stop)]

    def close(self):
        self.instances = []

    def blocks(self, k, blocks):
        """Cut every block to the rows that are wanted."""
        here = k.memory(self)
        for block in blocks:
            block = block.settled()
            before = k.variable(I64, k.atomic_add(here.field("seen"), 0, block.count))
            low = k.greatest(here.first - before.get(), k.constant(I64, 0))
            high = k.least(here.stop - before.get(), block.count)
            for _ in k.when(before.get() + block.count >= here.stop):
                control = k.memory(k.control)
                control.stop = control.stop | k.control.STOP_ENOUGH
            positions = k.buffer(I32, k.block_rows)
            for number in k.range(low, high):
                positions[number - low] = k.convert(number, I32)
            for _ in k.when(high > low):
                yield block.narrowed(high - low, positions)
