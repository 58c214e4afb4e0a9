"""to_char, to_date, to_timestamp and to_number: well-known cases with PostgreSQL's answers, and random ones against it."""
import random

import pytest

import caldera.functions
from caldera.functions.scalar.pictures import DATE_LISTING
from caldera.types.registry import lookup
from tests.functions.staged import evaluate, find
from tests.functions.test_dates import ATTEMPT, EDGES, Session, check

caldera.functions.load()
MOMENT, SPAN = "2024-02-29 15:04:05.067089", "-1 year -2 mons +3 days -04:05:06.789"
WRITTEN = [
    ("timestamp", MOMENT, "FMDay, FMDDth FMMonth YYYY HH12:MI AM", "Thursday, 29th February 2024 03:04 PM"),
    ("timestamp", MOMENT, "DAY|Dy|MONTH|mon|RM", "THURSDAY |Thu|FEBRUARY |feb|II  "),
    ("timestamp", MOMENT, "HH24:MI:SS.MS US FF2 SSSS", "15:04:05.067 067089 06 54245"),
    ("timestamp", MOMENT, "DDD D ID WW IW IYYY IDDD Q CC W J", "060 5 4 09 09 2024 060 1 21 5 2460370"),
    ("timestamp", MOMENT, 'YYYY-MM-DD"T"HH24 "a \\"quote\\""', '2024-02-29T15 a "quote"'),
    ("timestamp", MOMENT, "Y,YYY YYY YY Y A.D. pm TZH", "2,024 024 24 4 A.D. pm +00"),
    ("timestamp", "0044-03-15 00:00:00 BC", "YYYY BC b.c. CC", "0044 BC b.c. -01"),
    ("timestamp", "infinity", "YYYY", None), ("timestamp", MOMENT, "", None),
    ("interval", SPAN, "HH24:MI:SS YYYY MM DD", "-04:-05:-06 -0001 -02 03"),
    ("interval", "15 h 2 m 12 s", "HH12:MI:SS", "03:02:12"),
    ("interval", SPAN, "Day", ("22007", "invalid format specification for an interval value")),
    ("int4", "1234", "9,999", " 1,234"), ("int4", "-1234", "FM9,999", "-1,234"), ("int4", "12345", "9,999", " #,###"),
    ("int4", "485", "RN", "        CDLXXXV"), ("int4", "4000", "FMRN", "###############"), ("int4", "2", "9th", " 2nd"),
    ("int4", "-5", "9PR", "<5>"), ("int4", "5", "S9", "+5"), ("int4", "12", "0009", " 0012"),
    ("int4", "12", "99V99", " 1200"),
    ("int4", "1", "9.9.9", ("42601", "multiple decimal points")),
    ("int4", "1", "9S9S", ("42601", 'cannot use "S" twice')),
    ("int4", "1", "RN0", ("42601", '"RN" is incompatible with other formats')),
    ("numeric", "-0.1", "9.99", " -.10"), ("numeric", "0.1", "FM9.99", ".1"), ("numeric", "0", "FM9.9", "0."),
    ("numeric", "148.5", "FM999.990", "148.500"), ("numeric", "1485.8", "9EEEE", " 1e+03"),
    ("numeric", "NaN", "999", " NaN"), ("numeric", "999.995", "999.99", " ###.##"),
    ("float8", "3.14159", "FM9.99", "3.14"), ("float8", "1e20", "9.99", " #."),
    ("float8", "Infinity", "9.9EEEE", " #.#####"),
    ("float8", "123456789.123456789", "999999999.999999999", " 123456789.123457"),
]
READ = [
    ("to_timestamp", "0097/Feb/16 --> 08:14:30", "YYYY/Mon/DD --> HH:MI:SS", "0097-02-16 08:14:30+00"),
    ("to_timestamp", "97/2/16 8:14:30", "FMYYYY/FMMM/FMDD FMHH:FMMI:FMSS", "0097-02-16 08:14:30+00"),
    ("to_timestamp", "2011$03!18 23_38_15", "YYYY-MM-DD HH24:MI:SS", "2011-03-18 23:38:15+00"),
    ("to_timestamp", "1,582nd VIII 21", "Y,YYYth FMRM DD", "1582-08-21 00:00:00+00"),
    ("to_timestamp", "05121445482000", "MMDDHH24MISSYYYY", "2000-05-12 14:45:48+00"),
    ("to_timestamp", "2005527", "IYYYIWID", "2006-01-01 00:00:00+00"),
    ("to_timestamp", "2011-12-18 11:38 -05:20", "YYYY-MM-DD HH12:MI OF", "2011-12-18 16:58:00+00"),
    ("to_timestamp", "2011-12-18 11:38 EST", "YYYY-MM-DD HH12:MI TZ", "2011-12-18 16:38:00+00"),
    ("to_timestamp", "2018-11-02 12:34:56.123456", "YYYY-MM-DD HH24:MI:SS.FF3", "2018-11-02 12:34:56.123+00"),
    ("to_timestamp", "2018-11-02 12:34:56.025", "YYYY-MM-DD HH24:MI:SS.MS", "2018-11-02 12:34:56.025+00"),
    ("to_timestamp", "2016-06-13 15:50", "YYYY-MM-DD HH:MI", ("22007", 'hour "15" is invalid for the 12-hour clock')),
    ("to_timestamp", "2016-02-30", "YYYY-MM-DD", ("22008", 'date/time field value out of range: "2016-02-30"')),
    ("to_timestamp", "199711xy", "YYYYMMDD", ("22007", 'invalid value "xy" for "DD"')),
    ("to_timestamp", "2005-52 1", "IYYY-MM D", ("22007", "invalid combination of date conventions")),
    ("to_timestamp", "1997-11-Jan-16", "YYYY-MM-Mon-DD",
     ("22007", 'conflicting values for "Mon" field in formatting string')),
    ("to_date", "44-02-01 BC", "YYYY-MM-DD BC", "0044-02-01 BC"), ("to_date", "2458872", "J", "2020-01-23"),
    ("to_date", "2016 366", "YYYY DDD", "2016-12-31"), ("to_date", "20 00", "CC YY", "2000-01-01"),
    ("to_date", "05 Dec 99", "DD Mon YY", "1999-12-05"),
    ("to_date", "2024 x", "YYYY MM", ("22007", 'invalid value "x" for "MM"')),
    ("to_number", "-34,338,492.654,878", "99G999G999D999G999", "-34338492.654878"),
    ("to_number", "<564646.654564>", "999999.999999PR", "-564646.654564"), ("to_number", "5.01-", "FM9.999999MI", "-5.01"),
    ("to_number", "$1,234.56", "L99,999.99", "1234.56"), ("to_number", "42nd", "99th", "42"),
    ("to_number", "CvIiI", "rn", "108"),
    ("to_number", "123456", "99999V99", "1234.560000000000000000"),
    ("to_number", "", "9", ("22P02", 'invalid input syntax for type numeric: " "')),
    ("to_number", "viv", "RN", ("22P02", "invalid Roman numeral")),
]


@pytest.mark.parametrize("kind, value, picture, written", WRITTEN)
def test_a_value_is_written_by_a_picture(kind, value, picture, written):
    assert evaluate(f"to_char({kind}, text)", [(lookup(kind).parse(value), picture)]) == [written]


@pytest.mark.parametrize("name, text, picture, value", READ)
def test_a_text_is_read_by_a_picture(name, text, picture, value):
    function, session = find(f"{name}(text, text)"), Session("UTC")
    answer, = evaluate(function, [(text, picture)], session=session)
    assert (answer if type(answer) is tuple else function.result.format(answer, session)) == value


@pytest.fixture(scope="module")
def postgres(oracle):
    with oracle.session(ATTEMPT) as session:
        yield session


WORDS = DATE_LISTING.split()
WORDS += [word.lower() for word in WORDS]
NUMBER_PIECES = "9 9 9 0 0 . , D G S MI PL SG PR FM L B TH th V EEEE RN rn C SP - x".split()


def date_picture(numbers):
    """A picture of random fields and separators."""
    pieces = [numbers.choice(("", "", "", "FM", "TM")) + numbers.choice(WORDS) + numbers.choice(("", "", "", "TH", "th"))
              + numbers.choice((" ", "-", "/", ":", "", "x", '"q"')) for _ in range(numbers.randint(1, 5))]
    return numbers.choice(("", "", "", "FX")) + "".join(pieces)


def number_picture(numbers):
    """A picture of random digits and signs."""
    if numbers.random() < 0.3:
        return "".join(numbers.choices(NUMBER_PIECES, k=numbers.randint(1, 6)))
    before, behind = ("".join(numbers.choices("99990,", k=numbers.randint(0, 6))) for _ in range(2))
    point = numbers.choice(("", ".", "D"))
    return (numbers.choice(("", "", "FM", "S", "MI", "FMS", "SG", "L")) + before + point + (behind if point else "")
            + numbers.choice(("", "", "S", "MI", "PR", "th", " x")))


def date_text(numbers):
    """A text of random pieces of dates."""
    pieces = [numbers.choice((str(numbers.randint(1, 31)), str(numbers.randint(1900, 2100)), f"{numbers.randint(0, 60):02d}",
                              numbers.choice("Jan january FEB Tue sunday AM pm BC A.D. xii IV utc EST +05 -03:30".split())))
              + numbers.choice(("", "-", " ", "/", ":", "  ")) for _ in range(numbers.randint(1, 5))]
    return "".join(pieces)


@pytest.mark.oracle
@pytest.mark.parametrize("signature", ["to_char(timestamp, text)", "to_char(timestamptz, text)", "to_char(interval, text)"])
def test_random_pictures_of_moments_are_written_as_postgresql_writes_them(postgres, signature, request):
    seed = request.config.getoption("--seed") or 1
    numbers, function = random.Random(seed), find(signature)
    values = [value for value in EDGES[function.arguments[0].name]
              if not any(odd in value for odd in ("years", "2147", "36500000"))]
    rows = [(numbers.choice(values), date_picture(numbers)) for _ in range(600)]
    check(postgres, function, rows, "Europe/Paris")


@pytest.mark.oracle
@pytest.mark.parametrize("kind", ["int4", "int8", "numeric", "float8", "float4"])
def test_random_pictures_of_numbers_are_written_as_postgresql_writes_them(postgres, kind, request):
    seed = request.config.getoption("--seed") or 2
    numbers = random.Random(seed)
    values = ["0", "1", "-1", "12", "-485", "3999", "4000", "111", "100000"]
    if kind not in ("int4", "int8"):
        values += ["0.1", "-0.1", "0.5", "-12.00", "148.5", "12.3456", "999.995", "NaN", "Infinity", "1e15"]
    rows = [(numbers.choice(values), number_picture(numbers)) for _ in range(800)]
    check(postgres, find(f"to_char({kind}, text)"), rows, "UTC")


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["to_timestamp", "to_date"])
def test_random_texts_are_read_by_random_pictures_as_postgresql_reads_them(postgres, name, request):
    seed = request.config.getoption("--seed") or 3
    numbers = random.Random(seed)
    rows = [(date_text(numbers), date_picture(numbers)) for _ in range(800)]
    check(postgres, find(f"{name}(text, text)"), rows, "Europe/Paris")


@pytest.mark.oracle
def test_random_numbers_are_read_by_random_pictures_as_postgresql_reads_them(postgres, request):
    seed = request.config.getoption("--seed") or 4
    numbers = random.Random(seed)
    rows = [("".join(numbers.choices("01234567899.,-+ <$x", k=numbers.randint(0, 8))), number_picture(numbers))
            for _ in range(1000)]
    check(postgres, find("to_number(text, text)"), rows, "UTC")
