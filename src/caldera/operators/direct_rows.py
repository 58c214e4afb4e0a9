"""Joins by integers that lie close together: a row's place is looked up by the key itself, without a hash.

    rows in their places ─▶ DirectRows.look ─▶ places[key - low] = number of the row + 1, or 0
    Probe: places[key - low] ─▶ the one partner that there can be

Keys of tables are often such: numbers given one after the other, days of a calendar. It is decided when the rows are there;
they have to have different keys, of one column, and nothing else may be asked of a partner. The rows themselves lie where
their hashes say, so that nothing else needs to know of this.
"""
import numpy as np

from caldera.kernel.interface import I32, I64, Owner, Pointer, Struct
from caldera.operators.key_filter import INTEGERS

ROWS_MAX = 1 << 18                          # beyond that it takes the one thread that writes places too long
SPAN_MIN, SPAN_FACTOR = 1 << 16, 4          # places that there may always be, and for each row


class DirectRows(Owner):
    """The numbers of a JoinTable's rows by their key. id, type: of the key in the rows, None where none will do.

    low: the least key; span: how many places there are; places: for each key from `low` on its row's number + 1, or 0.
    """
    layout = Struct(low=I64, span=I64, places=Pointer(I32))

    def __init__(self, table, id=None, type=None):
        super().__init__()
        self.table, self.is_ready = table, False
        self.id = id if type is not None and type.name in INTEGERS else None
        self.instances = [self.layout.make()]

    def forget(self):
        """The rows have gone."""
        self.is_ready, self.arrays = False, []

    def look(self, rows):
        """Make the places of rows, int64[n, width], in their order, if their keys are different and close together."""
        self.forget()
        if self.id is None or not 0 < len(rows) <= ROWS_MAX:
            return
        keys = rows[:, self.table.row_layout.word[self.id]]
        low = int(keys.min())
        span = int(keys.max()) - low + 1
        if span > max(SPAN_MIN, SPAN_FACTOR * len(rows)):
            return
        numbers, offsets, places = np.arange(1, len(rows) + 1, dtype=np.int32), keys - low, np.zeros(span, np.int32)
        places[offsets] = numbers
        if (places[offsets] == numbers).all():                  # else some keys are equal
            self.is_ready, state = True, self.instances[0]
            state.low, state.span, state.places = low, span, self.keep(places)

    def row_of(self, k, key):
        """Staged: the number of the row with a key, an Sql of an integer; -1 where there is none."""
        here = k.memory(self)
        place = k.convert(key.value, I64) - here.low
        is_inside = k.and_(k.compare("ult", place, here.span), key.valid)
        place = k.choose(k.as_condition(is_inside), place, k.constant(I64, 0))
        found = k.convert(here.places[place], I64) - 1
        return k.choose(k.as_condition(is_inside), found, k.constant(I64, -1))
