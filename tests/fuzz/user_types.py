"""Types that random schemas define, an enum, domains and a composite type, and values of theirs and of ranges, as text."""
import datetime

DEFINITIONS = """CREATE TYPE mood AS ENUM ('sad', 'ok', 'two words', 'happy');
CREATE DOMAIN few AS int4 CHECK (VALUE < 1000000);
CREATE DOMAIN word AS text CHECK (VALUE <> 'none');
CREATE TYPE pair AS (x int4, y text);"""
LABELS = ("sad", "ok", "two words", "happy")
COMPOSED = {}                   # {type: function (random, words) that gives a value}


def composed(function):
    """Make a function the one that gives values of the type it is called after."""
    COMPOSED[function.__name__] = function
    return function


@composed
def mood(random, words):
    """A label."""
    return random.choice(LABELS)


@composed
def word(random, words):
    """Any text but the one that the domain refuses."""
    return random.choice(words)


@composed
def pair(random, words):
    """Two fields, either of which may be NULL."""
    number, text = random.choice((1, 2, 7, "")), random.choice(words).replace("\\", "\\\\")
    return f"({number},)" if random.random() < 0.3 else f'({number},"{text}")'


def bounds(random, first, last):
    """A range between two texts that stand in order, one of which may be missing."""
    if random.random() < 0.1:
        return "empty"
    low, high = random.choice((first, first, first, "")), random.choice((last, last, last, ""))
    return f"{random.choice('[[(')}{low},{high}{random.choice('))]')}"


@composed
def int4range(random, words):
    """Small numbers, so that ranges meet."""
    first = random.randrange(-4, 20)
    return bounds(random, first, first + random.randrange(8))


@composed
def daterange(random, words):
    """Days of two months."""
    first = datetime.date(2013, 7, 1) + datetime.timedelta(random.randrange(40))
    return bounds(random, first, first + datetime.timedelta(random.randrange(20)))


@composed
def int4multirange(random, words):
    """None to three ranges, which may touch."""
    return "{" + ",".join(int4range(random, words) for _ in range(random.choice((0, 1, 1, 2, 3)))) + "}"
