"""Random numbers: the same streams as PostgreSQL's for the same seed.

A session has one generator, xoroshiro128** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021),
whose state is filled from a seed by splitmix64. Ranges are drawn by rejection, so that all numbers are equally likely.
"""
import math
import os
from decimal import Decimal

from caldera.base.errors import error
from caldera.base.settings import Setting, define, real
from caldera.functions.registry import scalar
from caldera.types import arithmetic

WORD = (1 << 64) - 1


def rotated(word, count):
    """64 bits turned to the left."""
    return (word << count | word >> 64 - count) & WORD


class Generator:
    """The state of one session's random numbers."""

    def __init__(self, seed=None):
        self.seed(int.from_bytes(os.urandom(8), "little") if seed is None else seed)

    def seed(self, seed):
        """Fill the state from 64 bits."""
        words = []
        for _ in range(2):
            seed = seed + 0x9E3779B97F4A7C15 & WORD
            mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & WORD
            mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & WORD
            words.append(mixed ^ mixed >> 31)
        self.first, self.second = words if any(words) else (0x5851F42D4C957F2D, 0x14057B7EF767814F)

    def next(self):
        """The next 64 bits."""
        first, changed = self.first, self.second ^ self.first
        result = rotated(first * 5 & WORD, 7) * 9 & WORD
        self.first, self.second = rotated(first, 24) ^ changed ^ changed << 16 & WORD, rotated(changed, 37)
        return result

    def uniform(self):
        """A float from 0 to 1, 1 excluded."""
        return (self.next() >> 12) * 2.0 ** -52

    def between(self, low, high):
        """An integer from low to high (inclusive), at most 64 bits apart."""
        spread = high - low
        if spread == 0:
            return low
        shift = 64 - spread.bit_length()
        while (drawn := self.next() >> shift) > spread:
            pass
        return low + drawn

    def below(self, bound):
        """An integer from 0 to below `bound`, of any length: by words, drawn again if out of range."""
        words = -(-(bound - 1).bit_length() // 64)
        surplus = 64 * words - (bound - 1).bit_length()
        while True:
            drawn = 0
            for _ in range(words):
                drawn = drawn << 64 | self.next()
            if drawn >> surplus < bound:
                return drawn >> surplus


def generator(session):
    """The generator of a session; without one, of this process."""
    if session is None:
        return PROCESS
    if session.random is None:
        session.random = Generator()
    return session.random


PROCESS = Generator()


@scalar("random() -> float8", python=True, wants_session=True, volatility="v",
        doc="A random number from 0 to 1, 1 excluded.", example="SELECT random() < 1  -- t")
def random(session):
    return generator(session).uniform()


@scalar("random(int4, int4) -> int4", "random(int8, int8) -> int8", python=True, wants_session=True, volatility="v",
        doc="A random integer between two others, both included.", example="SELECT random(1, 6) BETWEEN 1 AND 6  -- t")
def random_integer(session, low, high):
    if low > high:
        raise error("22023", "lower bound must be less than or equal to upper bound")
    return generator(session).between(low, high)


@scalar("random(numeric, numeric) -> numeric", python=True, wants_session=True, volatility="v",
        doc="A random number between two others, both included, with as many decimals as they have.",
        example="SELECT random(0.5, 1.25) BETWEEN 0.5 AND 1.25  -- t")
def random_numeric(session, low, high):
    for bound, name in ((low, "lower"), (high, "upper")):
        if not bound.is_finite():
            raise error("22023", f"{name} bound cannot be {'NaN' if bound.is_nan() else 'infinity'}")
    if low > high:
        raise error("22023", "lower bound must be less than or equal to upper bound")
    scale = max(arithmetic.scale(low), arithmetic.scale(high))
    first, last = arithmetic.scaled_integer(low, scale), arithmetic.scaled_integer(high, scale)
    drawn = generator(session).below(last - first + 1) if last > first else 0
    return Decimal(first + drawn).scaleb(-scale, arithmetic.EXACT)


@scalar("random_normal(float8, float8) -> float8", python=True, wants_session=True, volatility="v",
        doc="A random number of the normal distribution with this mean and standard deviation.",
        example="SELECT random_normal(1, 0)  -- 1")
def random_normal(session, mean, deviation):
    source = generator(session)
    distance = math.sqrt(-2 * math.log(1 - source.uniform()))          # Box and Muller, 1958
    return mean + deviation * (distance * math.sin(2 * math.pi * source.uniform()))


@scalar("random_normal() -> float8", python=True, wants_session=True, volatility="v",
        doc="A random number of the normal distribution with mean 0 and standard deviation 1.",
        example="SELECT random_normal() < 100  -- t")
def random_standard_normal(session):
    return random_normal(session, 0.0, 1.0)


@scalar("random_normal(float8) -> float8", python=True, wants_session=True, volatility="v",
        doc="A random number of the normal distribution with this mean and standard deviation 1.",
        example="SELECT random_normal(0) < 100  -- t")
def random_normal_around(session, mean):
    return random_normal(session, mean, 1.0)


@scalar("setseed(float8) -> void", python=True, wants_session=True, volatility="v",
        doc="Start the session's random numbers anew from a number between -1 and 1.", example="SELECT setseed(0.5)  -- ")
def setseed(session, value):
    if math.isnan(value) or not -1 <= value <= 1:
        raise error("22023", f"setseed parameter {format_parameter(value)} is out of allowed range [-1,1]")
    generator(session).seed(int(float((1 << 52) - 1) * value) & WORD)
    return ""


def seed(text):
    """What SHOW gives of a seed: it cannot be read back. Raises ValueError for what setseed would not take."""
    real(-1, 1)(text)
    return "unavailable"


define(Setting("seed", "unavailable", seed, "Start the session's random numbers anew.",
               effect=lambda session, text: setseed(session, float(text))))


def format_parameter(value):
    """A float as C's %g writes it."""
    return "NaN" if math.isnan(value) else f"{value:g}".replace("inf", "Infinity")
