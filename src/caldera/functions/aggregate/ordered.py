"""Ordered-set aggregates: percentile_cont, percentile_disc and mode, over the values in the order of WITHIN GROUP.

The arguments are those in parentheses, then the value that is ordered; rows arrive in order.
"""
import math

from caldera.base.errors import error
from caldera.functions.registry import Aggregate, aggregate
from caldera.functions.scalar import spans


class Percentile(Aggregate):
    """State: (fraction, values)."""
    python = ordered = within_group = grows = True

    def start(self):
        return None, []

    def step(self, state, fraction, value):
        state[1].append(value)
        return fraction, state[1]

    def gathered(self, fraction, values):
        """The state of values that are in order."""
        return fraction, values

    def merge(self, state, other):
        return (other if state[0] is None else state)[0], state[1] + other[1]

    def finish(self, state):
        fraction, values = state
        return self.checked(fraction, values) if values else None

    def checked(self, fraction, values):
        """The value at a fraction. Raises 22003 for one that is none."""
        if not 0 <= fraction <= 1:
            raise error("22003", f"percentile value {fraction:g} is not between 0 and 1".replace(" nan ", " NaN "))
        return self.pick(fraction, values)

    def pick(self, fraction, values):
        """The value at a fraction."""
        return values[max(math.ceil(fraction * len(values)), 1) - 1]


class InterpolatedPercentile(Percentile):
    """Between two values, the one that lies as far between them as the fraction does."""

    def pick(self, fraction, values):
        place = fraction * (len(values) - 1)
        low, high = values[math.floor(place)], values[math.ceil(place)]
        return low if math.floor(place) == math.ceil(place) else self.between(low, high, place - math.floor(place))

    def between(self, low, high, share):
        """The number at a share of the way."""
        return low + share * (high - low)


class InterpolatedInterval(InterpolatedPercentile):
    """The same for intervals."""

    def between(self, low, high, share):
        return spans.add(spans.multiply(spans.subtract(high, low), share), low)


class OfFractions(Percentile):
    """The same for an array of fractions: an array of the same form, with NULL for NULL."""

    def checked(self, fraction, values):
        """The values at all fractions."""
        return fraction._replace(elements=tuple(
            None if each is None else super(OfFractions, self).checked(each, values) for each in fraction.elements))


class InterpolatedOfFractions(OfFractions, InterpolatedPercentile):
    """Interpolated."""


class IntervalsOfFractions(OfFractions, InterpolatedInterval):
    """Interpolated intervals."""


class Mode(Aggregate):
    """The most frequent value, the first one of several. State: the values."""
    python = ordered = within_group = grows = True

    def start(self):
        return []

    def step(self, state, value):
        state.append(value)
        return state

    def gathered(self, values):
        """The state of values that are in order."""
        return values

    def merge(self, state, other):
        return state + other

    def finish(self, state):
        best, best_count, start = None, 0, 0
        for place in range(1, len(state) + 1):
            if place == len(state) or not self.alike(state[place], state[start]):
                if place - start > best_count:
                    best, best_count = state[start], place - start
                start = place
        return best

    @staticmethod
    def alike(a, b):
        """Whether two datums are equal for SQL: NaN is, and intervals of one length are."""
        return getattr(a, "span", a) == getattr(b, "span", b) or a != a and b != b


aggregate("percentile_cont(float8, float8) -> float8", doc="The value at a fraction of the ordered values, interpolated.",
          example="SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2)) t (x)  -- 1.5",
          )(InterpolatedPercentile)
aggregate("percentile_cont(float8, interval) -> interval",
          doc="The value at a fraction of the ordered values, interpolated.",
          example="SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) "
                  "FROM (VALUES (interval '1 day'), ('2 days')) t (x)  -- 1 day 12:00:00")(InterpolatedInterval)

aggregate("percentile_disc(float8, anyelement) -> anyelement",
          doc="The first of the ordered values at or behind a fraction of them.",
          example="SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2), (4)) t (x)  -- 2",
          )(Percentile)
aggregate("mode(anyelement) -> anyelement", doc="The most frequent value.",
          example="SELECT mode() WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2), (2)) t (x)  -- 2")(Mode)

DOC, HALVES = "The values at fractions of the ordered values.", "ARRAY[0.5, 1]"
aggregate("percentile_cont(_float8, float8) -> _float8", doc=DOC[:-1] + ", interpolated.",
          example=f"SELECT percentile_cont({HALVES}) WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2)) t (x)  -- {{1.5,2}}",
          )(InterpolatedOfFractions)
aggregate("percentile_cont(_float8, interval) -> _interval", doc=DOC[:-1] + ", interpolated.",
          example=f"SELECT percentile_cont({HALVES}) WITHIN GROUP (ORDER BY x) "
                  "FROM (VALUES (interval '1 day'), ('3 days')) t (x)  -- {\"2 days\",\"3 days\"}")(IntervalsOfFractions)
aggregate("percentile_disc(_float8, anynonarray) -> anyarray", doc=DOC,
          example=f"SELECT percentile_disc({HALVES}) WITHIN GROUP (ORDER BY x) FROM (VALUES ('a'), ('b')) t (x)  -- {{a,b}}",
          )(OfFractions)
