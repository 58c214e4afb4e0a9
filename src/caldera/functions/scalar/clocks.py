"""Clocks: what staged code needs of a time zone. A clock turns moments (UTC) into local times and back, and adds intervals.

    Clock         no zone, or UTC: local time and moment are the same
    FixedClock    a constant offset
    ZoneClock     a table of transitions in memory, which generated code searches

A moment plus an interval is taken in three steps, each of which must stay in the calendar: months on the local clock (to the
last day of the month if the day does not exist there), days on the local clock, microseconds. All arithmetic is total; what
has no answer comes back with a flag.
"""
from functools import lru_cache

import numpy as np

from caldera.functions.scalar.moments import DAY_END, DAY_MIN, is_finite, moment_outside, plus_months
from caldera.kernel.calendar import DAY, interval_parts, split_moment
from caldera.kernel.interface import I64, Owner, Pointer, Struct
from caldera.kernel.layouts import Pair
from caldera.kernel.nullable import checked
from caldera.types.calendar import MOMENT_EARLY, MOMENT_LATE, SECOND
from caldera.types.zones import CYCLE, zone_of_setting

EARLY_FIELDS, LATE_FIELDS = -2**63 + 2**31, (2**31 - 1) * (2**32 + 1)       # months and days of infinite intervals


class Clock:
    """No zone."""

    def local(self, k, moment):
        """The local time (I64 microseconds) at a finite moment."""
        return moment

    def universal(self, k, local):
        """The moment at which a finite local time is shown."""
        return local

    def shifted(self, k, moment, later):
        """(the moment whose local time is that of `moment`, made later by `later(k, days)`, and whether that is out of
        range); `later` gives days (I64) and whether they are bad."""
        days, time = split_moment(k, self.local(k, moment))
        days, bad = later(k, days)
        bad = k.or_(bad, days < DAY_MIN - 1, days > DAY_END)
        result = self.universal(k, k.choose(bad, k.constant(I64, 0), days) * DAY + time)
        return result, k.or_(bad, moment_outside(k, result))

    def plus_finite(self, k, moment, months, days, microseconds):
        """(finite moment + finite interval, whether any step leaves the calendar). A step of zero is none: the way to local
        time and back does not always lead to the same moment."""
        def months_later(k, start):
            result, bad = plus_months(k, start, months)
            return k.convert(result, I64), bad

        def days_later(k, start):
            return k.convert(start, I64) + k.convert(days, I64), False
        result, bad = self.shifted(k, moment, months_later)
        result, bad_month = k.choose(months == 0, moment, result), k.and_(bad, months != 0)
        later, bad = self.shifted(k, result, days_later)
        result, bad_day = k.choose(days == 0, result, later), k.and_(bad, days != 0)
        result, overflow = checked(k, "add", result, microseconds)
        return result, k.or_(bad_month, bad_day, overflow, moment_outside(k, result))

    def plus_interval(self, k, moment, low, high):
        """Routine: (moment + interval, whether there is no such moment); the interval as its two words."""
        result, bad = self.plus_finite(k, moment, *interval_parts(k, Pair(low, high)))
        finite = is_finite(k, moment)
        early = k.and_(low == MOMENT_EARLY, high == EARLY_FIELDS)
        late = k.and_(low == MOMENT_LATE, high == LATE_FIELDS)
        bad = k.choose(early, moment == MOMENT_LATE, k.choose(late, moment == MOMENT_EARLY, k.and_(bad, finite)))
        result = k.choose(finite, result, moment)
        return k.choose(k.or_(early, late), low, result), bad       # both kinds of infinity have the same microseconds


class FixedClock(Clock):
    """A clock that is always so many seconds ahead of UTC."""

    def __init__(self, offset):
        self.offset = offset

    def local(self, k, moment):
        return moment + self.offset * SECOND

    def universal(self, k, local):
        return local - self.offset * SECOND


class ZoneClock(Clock, Owner):
    """The clock of a zone whose offset changes. In memory: the moments of its transitions, the offsets (microseconds) that
    hold before each of them, and for each span of 51 days from the first one on, how many transitions came before it. Few
    comparisons are left to find the place of a moment, always the same number."""
    layout = Struct(transitions=Pointer(I64), offsets=Pointer(I64), firsts=Pointer(I64))
    SPAN_BITS = 42

    def __init__(self, zone):
        Owner.__init__(self)
        self.cycle_start, self.has_past = zone.cycle_start, zone.has_past
        known = np.array(zone.transitions, np.int64)
        self.start, self.last = int(known[0]), int(known[-1])
        starts = self.start + (np.arange(((self.last - self.start) >> self.SPAN_BITS) + 2) << self.SPAN_BITS)
        firsts = np.searchsorted(known, starts, side="left")
        self.steps = int(np.diff(firsts, append=len(known)).max())
        beyond = np.full(self.steps + 2, MOMENT_LATE, np.int64)
        offsets = np.array(zone.offsets + zone.offsets[-1:] * len(beyond), np.int64) * SECOND
        transitions = np.concatenate([known, beyond])
        self.instances = [self.layout.make(transitions=self.keep(transitions), offsets=self.keep(offsets),
                                           firsts=self.keep(firsts.astype(np.int64)))]

    def in_table(self, k, time):
        """A time that the table covers: later ones (and earlier ones, where the rule always held) by whole cycles."""
        if self.cycle_start is None:
            return time
        whole, start = k.constant(I64, CYCLE), k.constant(I64, self.cycle_start)
        rest = k.binary("rem", time, whole) - self.cycle_start % CYCLE      # time - start could overflow
        rest = k.binary("rem", rest, whole)
        moved = start + rest + k.choose(rest < 0, whole, k.constant(I64, 0))
        outside = k.or_(time >= self.cycle_start + CYCLE, k.and_(not self.has_past, time < start))
        return k.choose(outside, moved, time)

    def search(self, k, time):
        """How many transitions there are up to a time."""
        here = k.memory(self)
        bounded = k.least(k.greatest(time, k.constant(I64, self.start)), k.constant(I64, self.last))
        position = here.firsts[(bounded - self.start) >> self.SPAN_BITS]
        for _ in range(self.steps):
            position = position + k.convert(here.transitions[position] <= time, I64)
        return position

    def find_local(self, k, moment):
        """Routine: the local time at a moment."""
        return moment + k.memory(self).offsets[self.search(k, self.in_table(k, moment))]

    def find_universal(self, k, local):
        """Routine: the moment of a local time. A time that is skipped is read by the offset before it, one that comes twice
        by the offset after it (see caldera.types.zones)."""
        time = self.in_table(k, local)
        index = self.search(k, time - DAY)
        offsets, boundary = k.memory(self).offsets, k.memory(self).transitions[index]
        before, after = offsets[index], offsets[index + 1]
        read_before, read_after = time - before, time - after
        both_before = k.and_(read_before < boundary, read_after < boundary)
        both_after = k.and_(read_before > boundary, read_after >= boundary)
        use_before = k.or_(both_before, k.and_(k.not_(both_after), read_before > read_after))
        return local - k.choose(use_before, before, after)

    def local(self, k, moment):
        return k.routine(self.find_local, moment)

    def universal(self, k, local):
        return k.routine(self.find_universal, local)


NO_ZONE = Clock()


@lru_cache(200)
def clock_of_zone(zone):
    """The clock of a Zone; the same one for the same zone."""
    if not zone.is_fixed:
        return ZoneClock(zone)
    return FixedClock(zone.offsets[0]) if zone.offsets[0] else NO_ZONE


def session_clock(call):
    """The clock of the session's time zone."""
    return clock_of_zone(zone_of_setting(call.setting("TimeZone")))
