"""Sources whose rows workers claim in morsels, by an atomic addition inside generated code."""
import numpy as np

from caldera.kernel.blocks import claimed
from caldera.kernel.interface import I32, I64, Owner, Pointer
from caldera.operators.pipeline import Source


class Morsels(Source, Owner):
    """Runs of rows that workers claim. Subclasses yield blocks for the rows of one morsel (`morsel_blocks`)."""
    fields = dict(next=I64, count=I64, segment=Pointer(I32), first=Pointer(I64), rows=Pointer(I32))

    def __init__(self):
        super().__init__()
        self.row_count = self.morsel_count = 0

    def morsel_fields(self, runs, morsel_rows):
        """The struct's values for runs of rows: a list, for each segment, of pairs (first row, row count)."""
        segment, first, rows = [], [], []
        for number, segment_runs in enumerate(runs):
            for start, count in segment_runs:
                for offset in range(0, count, morsel_rows):
                    segment.append(number)
                    first.append(start + offset)
                    rows.append(min(morsel_rows, count - offset))
        self.row_count, self.morsel_count = sum(rows), len(rows)
        return dict(next=0, count=len(rows), segment=self.keep(np.array(segment, np.int32)),
                    first=self.keep(np.array(first, np.int64)), rows=self.keep(np.array(rows, np.int32)))

    def progress(self):
        """The share of morsels that have been claimed, 0 to 1."""
        return min(1.0, self.instances[0].next / max(1, self.morsel_count)) if self.instances else 0.0

    def bounds_of(self, k, here, morsel):
        """(segment, first row, the row behind the last) of a morsel."""
        first = here.first[morsel]
        return k.convert(here.segment[morsel], I64), first, first + k.convert(here.rows[morsel], I64)

    def blocks(self, k):
        here = k.memory(self)
        for morsel in claimed(k, here.field("next"), here.count):
            segment, first, stop = self.bounds_of(k, here, morsel)
            at, state = k.variable(I64, first), self.morsel_state(k, here, segment)
            for _ in k.while_(lambda: k.and_(at.get() < stop, k.not_(self.must_stop(k)))):
                count = k.least(stop - at.get(), k.constant(I64, k.block_rows))
                for block in self.morsel_block(k, state, at.get(), count):
                    block.morsel = self.morsel_number(here, morsel)
                    yield block
                at.set(at.get() + k.block_rows)

    @staticmethod
    def morsel_number(here, morsel):
        """Which one a morsel is among all that the pipeline will have seen."""
        return morsel

    @staticmethod
    def must_stop(k):
        """Whether workers shall leave at once; for a change of tier they finish their morsel."""
        return (k.stop_flags() & ~k.control.STOP_SWAP) != 0
