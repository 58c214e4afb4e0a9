"""Reading dates, times and timestamps: the forms that PostgreSQL accepts, which are many.

    text ─ tokens ─▶ [(kind, word)] ─ DateTimeReader ─▶ Reading ─ date.py, time.py, timestamp.py ─▶ datum

A text is cut into tokens whose kind follows from their punctuation alone: "2001-02-03" is a DATE, "04:05" a TIME, "-08" a
ZONE, "feb" a WORD. The reader then goes from left to right. What a bare NUMBER means depends on what is known by then, and
on the session's order of day and month; what is known is kept as a set of flags, and a token that says something a second
time is an error.
"""
import re
from dataclasses import dataclass
from datetime import datetime, timedelta, UTC

from caldera.base.errors import error
from caldera.types.calendar import (DAY, HOUR, MINUTE, SECOND, civil_from_days, days_from_civil, month_length,
                                    split_time)
from caldera.types.session import date_order, now
from caldera.types.zones import abbreviation_offset, find_zone, session_zone

# what is known so far
YEAR_KNOWN, MONTH_KNOWN, DAY_KNOWN, YEARDAY_KNOWN, TIME_KNOWN, ZONE_KNOWN, SUMMER_KNOWN, HALF_KNOWN, ERA_KNOWN, \
    WEEKDAY_KNOWN, SPECIAL_KNOWN = (1 << bit for bit in range(11))
DATE_KNOWN = YEAR_KNOWN | MONTH_KNOWN | DAY_KNOWN

MONTHS = {name: number for number, names in enumerate((
    "jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
    "sep sept september", "oct october", "nov november", "dec december"), 1) for name in names.split()}
WEEKDAYS = set("sun sunday mon monday tue tues tuesday wed weds wednesday thu thur thurs thursday fri friday sat "
               "saturday".split())
LABELS = {"j": "julian", "jd": "julian", "julian": "julian", "t": "time", "y": "other", "m": "other", "d": "other",
          "h": "other", "mm": "other", "s": "other", "dow": "other", "doy": "other", "isodow": "other",
          "isoyear": "other"}
OTHER_WORDS = set("am pm ad bc dst at on now today tomorrow yesterday epoch infinity -infinity +infinity "
                  "allballs".split())
CORE_WORDS = set(MONTHS) | WEEKDAYS | set(LABELS) | OTHER_WORDS

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
INTEGER_MAX, TEXT_MAX, TOKENS_MAX = 2**31 - 1, 150, 25
DATE_PART = re.compile(r"[^a-z0-9]*(\d+|[a-z]+).?")
DATE_PARTS = re.compile(r"(?:[^a-z0-9]*(?:\d+|[a-z]+).?)+")


class Malformed(Exception):
    """A text that cannot be read; `reason` picks SQLSTATE and message in `complain`."""

    def __init__(self, reason="syntax", zone=None):
        super().__init__(reason)
        self.reason, self.zone = reason, zone


def complain(fault, text, type_name):
    """The error that a Malformed means for the text of that type."""
    if fault.reason == "syntax":
        return error("22007", f'invalid input syntax for type {type_name}: "{text}"')
    if fault.reason == "interval":
        return error("22015", f'interval field value out of range: "{text}"')
    if fault.reason == "displacement":
        return error("22009", f'time zone displacement out of range: "{text}"')
    if fault.reason == "zone":
        return error("22023", f'time zone "{fault.zone}" not recognized')
    hint = 'Perhaps you need a different "DateStyle" setting.' if fault.reason == "order" else None
    return error("22008", f'date/time field value out of range: "{text}"', hint=hint)


TOKEN = re.compile(r"""[ \t\n\v\f\r]*(?:
    (?P<time>    \d+ : [\d:.]* )
  | (?P<date>    \d+ ([-/.]) \d+ \3 (?: \d | \3 )* )
  | (?P<decimal> \d+ \. \d+ | \. \d* )
  | (?P<pair>    \d+ [-/] \d+ )
  | (?P<named>   \d+ ([-/.]) (?!\d) (?: [a-z0-9] | \7 )* )
  | (?P<number>  \d+ )
  | (?P<zone>    [+-] [ \t\n\v\f\r]* \d [\d:.-]* )
  | (?P<special> [+-] [ \t\n\v\f\r]* [a-z]+ )
  | (?P<word>    [a-z]+ )
  | (?P<punctuation> [!-/:-@[-`{-~] )
)""", re.VERBOSE)
KINDS = {"decimal": "number", "pair": "date", "named": "date", "special": "word"}
WORD_TAIL = re.compile(r"[-+/_.:a-z0-9]*")


def tokens(text):
    """The (kind, word) pairs of a text, in lower case. Kinds: date time number zone word. Raises Malformed."""
    if len(text) > TEXT_MAX or not text.isascii():
        raise Malformed()
    text, position, found = text.lower(), 0, []
    end = len(text.rstrip(" \t\n\v\f\r"))
    while position < end:
        match = TOKEN.match(text, position)
        if not match:
            raise Malformed()
        kind, word, position = match.lastgroup, match[match.lastgroup], match.end()
        if kind == "punctuation":
            if word in "+-":
                raise Malformed()
            continue
        if kind in ("zone", "special"):
            word = word[0] + word[1:].lstrip()
        elif kind == "word" and position < end:
            follower = text[position]
            if follower in "-/." or (follower in "+0123456789" and word not in CORE_WORDS):
                tail = WORD_TAIL.match(text, position)
                kind, word, position = "date", word + tail[0], tail.end()
        found.append((KINDS.get(kind, kind), word))
    if len(found) > TOKENS_MAX:
        raise Malformed()
    return found


def integer(digits):
    """A number of a field; Malformed beyond 32 bits."""
    value = int(digits)
    if value > INTEGER_MAX:
        raise Malformed("range")
    return value


def fraction(digits):
    """Microseconds of ".5"; the dot alone is 0."""
    if not re.fullmatch(r"\.\d*", digits):
        raise Malformed()
    return round(float(digits) * SECOND) if len(digits) > 1 else 0


CLOCK = re.compile(r"(\d+):(\d*)(?::(\d*))?(\.\d*)?")


def clock(text, minutes_and_seconds=False):
    """(hours, minutes, seconds, microseconds) of "04:05:06.7", "04:05", or "05:06.7" which is minutes and seconds.

    `minutes_and_seconds`: also "05:06" is (what INTERVAL MINUTE TO SECOND wants). Hours are not bounded here.
    """
    found = CLOCK.fullmatch(text)
    if not found:
        raise Malformed()
    first, second, third, rest = found.groups()
    hours, minutes = int(first), integer(second or "0")
    seconds = integer(third or "0") if third is not None else 0
    if third is None and (rest is not None or minutes_and_seconds):
        hours, minutes, seconds = 0, hours, minutes
    microseconds = fraction(rest) if rest else 0
    if hours >= 2**63 or minutes > 59 or seconds > 60:
        raise Malformed("range")
    return hours, minutes, seconds, microseconds


DISPLACEMENT = re.compile(r"([+-])([+-]?\d*)(?::([+-]?\d*)(?::([+-]?\d*))?)?")


def displacement(text):
    """Seconds east of "+05:30", "-0800" or "+5"."""
    found = DISPLACEMENT.match(text)
    if not found:
        raise Malformed()
    sign, hours, minutes, seconds = found.groups()
    if minutes is None and len(hours) > 2 and found.end() == len(text):
        hours, minutes = hours[:-2], hours[-2:]
    hours, minutes, seconds = (int(part) if part and part not in "+-" else 0 for part in (hours, minutes, seconds))
    if not (0 <= hours <= 15 and 0 <= minutes <= 59 and 0 <= seconds <= 59):
        raise Malformed("displacement")
    if found.end() < len(text):
        raise Malformed()
    east = (hours * 60 + minutes) * 60 + seconds
    return -east if sign == "-" else east


@dataclass
class Reading:
    """What a text says. special: None, "epoch", "infinity" or "-infinity", and then nothing else counts. days: since
    2000-01-01, or None for a time without a date. microseconds: of the day, up to a whole day. offset: seconds east."""
    special: str | None = None
    days: int | None = None
    microseconds: int = 0
    offset: int = 0


class DateTimeReader:
    """Reads one text for one session. With `time_only` a date may be left out, and a bare number is a time."""

    def __init__(self, session, time_only=False):
        self.session, self.time_only = session, time_only
        self.order = date_order(session)
        self.known = self.label = 0
        self.year = self.month = self.day = self.yearday = 0
        self.hour = self.minute = self.second = self.microsecond = 0
        self.short_year = self.month_in_words = self.is_bc = self.is_julian = False
        self.half = self.special = self.zone = self.abbreviation = None
        self.offset = self.summer = 0

    def read(self, found):
        """The Reading of a list of tokens. Raises Malformed."""
        if not found:
            raise Malformed()
        self.found = found
        for position, (kind, word) in enumerate(found):
            learned = getattr(self, f"read_{kind}")(position, word)
            if learned & self.known:
                raise Malformed()
            self.known |= learned
        if self.label:
            raise Malformed()
        if self.special:
            return Reading(special=self.special)
        self.settle_date()
        self.settle_time()
        return self.result()

    def date_known(self):
        """Whether a number can no longer belong to the date."""
        return self.time_only or self.known & DATE_KNOWN == DATE_KNOWN

    # one method for each kind of token; each returns what it has learned
    def read_date(self, position, word):
        if self.time_only:
            later = self.found[1:]
            if position == 0 and later and (self.found[-1][0] == "date" or later[0][0] == "time"):
                return self.date_field(word)
            return self.zone_field(word)
        if self.label == "julian":
            return self.julian_with_zone(word)
        if self.known & MONTH_KNOWN and self.known & DAY_KNOWN or self.label:
            return self.zone_field(word)
        return self.date_field(word)

    def zone_field(self, word):
        """A zone's name with punctuation in it, or a run-together time with a zone: 040506-08."""
        if not word[0].isdigit() and (self.time_only or not self.label):
            self.zone = find_zone(word)
            if self.zone is None:
                raise Malformed("zone", word)
            return ZONE_KNOWN
        if self.label and (self.label != "time" or not word[0].isdigit()):
            raise Malformed()
        self.label = 0
        if self.known & TIME_KNOWN:
            raise Malformed()
        number, sign, rest = word.partition("-")
        if not sign:
            raise Malformed()
        self.offset = displacement(sign + rest)
        return self.run_together(number) | ZONE_KNOWN

    def julian_with_zone(self, word):
        number, sign, rest = word.partition("-")
        if not sign or not number.isdigit():
            raise Malformed()
        self.label = 0
        self.offset = displacement(sign + rest)
        self.set_julian(integer(number))
        return DATE_KNOWN | TIME_KNOWN | ZONE_KNOWN

    def read_time(self, position, word):
        if self.label:
            if self.label != "time":
                raise Malformed()
            self.label = 0
        self.hour, self.minute, self.second, self.microsecond = clock(word)
        if not self.time_only:
            self.check_clock()
        return TIME_KNOWN

    def read_zone(self, position, word):
        self.offset = displacement(word)
        return ZONE_KNOWN

    def read_number(self, position, word):
        if self.label:
            return self.labelled(word)
        digits, dot, _ = word.partition(".")
        if self.time_only:
            if dot:
                if position == 0 and len(self.found) > 1 and self.found[-1][0] == "date":
                    return self.date_field(word)
                if len(digits) > 2:
                    return self.run_together(word)
                raise Malformed()
            return self.run_together(word) if len(word) > 4 else self.number(word)
        if dot and self.known & DATE_KNOWN == 0:
            return self.date_field(word)
        if dot and len(digits) > 2:
            return self.run_together(word)
        if len(word) >= 6 and not (self.date_known() and self.known & TIME_KNOWN):
            return self.run_together(word)
        return self.number(word)

    def labelled(self, word):
        """A number behind J (a Julian day) or T (a time)."""
        label, self.label = self.label, 0
        if label == "time":
            learned = self.run_together(word, date_known=True)
            if learned != TIME_KNOWN:
                raise Malformed()
            return learned
        if label != "julian" or word.startswith("."):
            raise Malformed()
        number, dot, rest = word.partition(".")
        self.set_julian(integer(number))
        if not dot:
            return DATE_KNOWN
        parts = split_time(int(float("0." + (rest or "0")) * DAY))
        self.hour, self.minute, self.second, self.microsecond = parts
        return DATE_KNOWN | TIME_KNOWN

    def set_julian(self, number):
        self.year, self.month, self.day = civil_from_days(number - 2451545)
        self.is_julian = True

    def read_word(self, position, word):
        if abbreviation_offset(word.upper(), 0, self.session) is not None:
            self.abbreviation = word.upper()
            return ZONE_KNOWN
        if word in ("at", "on"):
            return 0
        if self.time_only and (word in MONTHS or word in WEEKDAYS):
            raise Malformed()
        if word in MONTHS:
            return self.month_name(MONTHS[word])
        if word in WEEKDAYS:
            return WEEKDAY_KNOWN
        if word in ("am", "pm"):
            self.half = word
            return HALF_KNOWN
        if word in ("ad", "bc"):
            self.is_bc = word == "bc"
            return ERA_KNOWN
        if word == "dst":
            self.summer = 3600
            return SUMMER_KNOWN
        if word in LABELS:
            is_filler = word == "t"
            if self.label or (is_filler and not self.date_known()):
                raise Malformed()
            self.label = LABELS[word]
            return 0
        if word in CORE_WORDS:
            return self.reserved(word)
        self.zone = find_zone(word)
        if self.zone is None:
            raise Malformed()
        return ZONE_KNOWN

    def month_name(self, month):
        learned = MONTH_KNOWN
        if self.known & MONTH_KNOWN and not self.month_in_words and not self.known & DAY_KNOWN and 1 <= self.month <= 31:
            self.day, learned = self.month, DAY_KNOWN      # what was taken for a month was the day
        self.month_in_words, self.month = True, month
        return learned

    def reserved(self, word):
        """now, today, epoch and the like."""
        if word == "allballs":
            self.offset = 0
            return TIME_KNOWN | ZONE_KNOWN
        if self.time_only and word != "now":
            raise Malformed()
        if word in ("epoch", "infinity", "-infinity", "+infinity"):
            self.special = word.lstrip("+")
            return DATE_KNOWN | TIME_KNOWN | ZONE_KNOWN
        local = local_now(self.session)
        days = local // DAY + {"now": 0, "today": 0, "tomorrow": 1, "yesterday": -1}[word]
        if not self.time_only:
            self.year, self.month, self.day = civil_from_days(days)
        if word != "now":
            return DATE_KNOWN
        self.hour, self.minute, self.second, self.microsecond = split_time(local % DAY)
        if self.time_only:
            return TIME_KNOWN
        self.offset = session_zone(self.session).offset_at(current_moment(self.session))
        return DATE_KNOWN | TIME_KNOWN | ZONE_KNOWN

    # numbers and dates
    def date_field(self, word):
        """A date with separators: 2001-02-03, 8-Jan-1999, 1.2.2003."""
        if not DATE_PARTS.fullmatch(word):
            raise Malformed()
        parts = [part[1] for part in DATE_PART.finditer(word)]
        before, in_words = self.known, self.month_in_words
        self.month_in_words = False
        for part in [part for part in parts if part.isalpha()]:
            if part not in MONTHS or self.known & MONTH_KNOWN:
                raise Malformed()
            self.month, self.month_in_words = MONTHS[part], True
            self.known |= MONTH_KNOWN
        for part in [part for part in parts if part.isdigit()]:
            learned = self.number(part, self.known & DATE_KNOWN)
            if learned & self.known:
                raise Malformed()
            self.known |= learned
        if self.known & ~(YEARDAY_KNOWN | ZONE_KNOWN) != DATE_KNOWN:
            raise Malformed()
        learned, self.known, self.month_in_words = self.known & ~before, before, in_words or self.month_in_words
        return learned

    def number(self, word, known=None):
        """A number: year, month or day, by what is known of the date and by the session's order; else a time."""
        digits, dot, rest = word.partition(".")
        if not digits:
            raise Malformed()
        value = integer(digits)
        if dot:
            if len(digits) > 2:
                return self.run_together(word, date_known=True)
            self.microsecond = fraction(dot + rest)
        if known is None:
            known = DATE_KNOWN if self.time_only else self.known & DATE_KNOWN
        if len(word) == 3 and known == YEAR_KNOWN and 1 <= value <= 366:
            self.yearday = value
            return YEARDAY_KNOWN | MONTH_KNOWN | DAY_KNOWN
        if known == DATE_KNOWN:
            return self.run_together(word)
        is_year = len(word) >= 3 or self.order == "YMD"
        if known == 0:
            field = YEAR_KNOWN if is_year else DAY_KNOWN if self.order == "DMY" else MONTH_KNOWN
        elif known in (YEAR_KNOWN, DAY_KNOWN):
            field = MONTH_KNOWN
        elif known == MONTH_KNOWN:
            field = YEAR_KNOWN if is_year and self.month_in_words else DAY_KNOWN
        elif known == YEAR_KNOWN | MONTH_KNOWN:
            field = DAY_KNOWN
            if self.month_in_words and len(word) >= 3 and self.short_year:    # what was taken for the year was the day
                self.day, self.year, self.short_year = self.year, value, False
                return DAY_KNOWN
        elif known == MONTH_KNOWN | DAY_KNOWN:
            field = YEAR_KNOWN
        else:
            raise Malformed()
        if field == YEAR_KNOWN:
            self.year, self.short_year = value, len(word) <= 2
        elif field == MONTH_KNOWN:
            self.month = value
        else:
            self.day = value
        return field

    def run_together(self, word, date_known=False):
        """Digits without separators: 20010203, 010203, 040506.789, 0405."""
        digits, dot, rest = word.partition(".")
        if not digits.isdigit() or dot and not re.fullmatch(r"\d*", rest):
            raise Malformed()
        if dot:
            self.microsecond = fraction(dot + rest)
        elif not (date_known or self.date_known()) and len(digits) >= 6:
            self.year, self.month, self.day = integer(digits[:-4]), int(digits[-4:-2]), int(digits[-2:])
            self.short_year = len(digits) == 6
            return DATE_KNOWN
        if self.known & TIME_KNOWN or len(digits) not in (4, 6):
            raise Malformed()
        self.hour, self.minute, self.second = int(digits[:2]), int(digits[2:4]), int(digits[4:] or "0")
        return TIME_KNOWN

    # what can only be decided at the end
    def settle_date(self):
        if self.known & YEAR_KNOWN and not self.is_julian:
            if self.is_bc:
                if self.year <= 0:
                    raise Malformed("range")
                self.year = 1 - self.year
            elif self.short_year:
                self.year += 2000 if self.year < 70 else 1900
            elif self.year <= 0:
                raise Malformed("range")
        if self.known & YEARDAY_KNOWN:
            days = days_from_civil(self.year, 1, 1) + self.yearday - 1
            self.year, self.month, self.day = civil_from_days(days)
        if self.known & MONTH_KNOWN and not 1 <= self.month <= 12:
            raise Malformed("order")
        if self.known & DAY_KNOWN and not 1 <= self.day <= 31:
            raise Malformed("order")
        if self.known & DATE_KNOWN == DATE_KNOWN and self.day > month_length(self.year, self.month):
            raise Malformed("range")

    def settle_time(self):
        if self.half and self.hour > 12:
            raise Malformed("range")
        if self.half == "am" and self.hour == 12:
            self.hour = 0
        elif self.half == "pm" and self.hour != 12:
            self.hour += 12
        if self.time_only:
            self.check_clock()
            if not self.known & TIME_KNOWN:
                raise Malformed()
        elif self.known & DATE_KNOWN != DATE_KNOWN:
            raise Malformed()

    def check_clock(self):
        """Up to 24:00:00, with a leap second 60."""
        if self.hour > 24 or self.minute > 59 or self.second > 60 or self.time_of_day() > DAY:
            raise Malformed("range")

    def time_of_day(self):
        return self.hour * HOUR + self.minute * MINUTE + self.second * SECOND + self.microsecond

    def result(self):
        has_date = self.known & DATE_KNOWN == DATE_KNOWN
        days = days_from_civil(self.year, self.month, self.day) if has_date else None
        time = self.time_of_day()
        local = (days if has_date else local_now(self.session) // DAY) * DAY + time
        if self.zone is not None:
            if self.summer or not has_date and not self.zone.is_fixed:
                raise Malformed()
            self.offset = self.zone.offset_of_local(local)
        elif self.abbreviation is not None:
            self.offset = abbreviation_offset(self.abbreviation, local, self.session)
        elif not self.known & ZONE_KNOWN:
            if self.summer:
                raise Malformed()
            self.offset = session_zone(self.session).offset_of_local(local)
        return Reading(None, days, time, self.offset + self.summer)


def current_moment(session):
    """The transaction's time, microseconds since 2000-01-01 UTC."""
    return (now(session) - EPOCH) // timedelta(microseconds=1)


def local_now(session):
    """The transaction's time on the session's clock, microseconds since 2000-01-01."""
    moment = current_moment(session)
    return moment + session_zone(session).offset_at(moment) * SECOND


ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+-]\d\d(?::\d\d)?)?)?", re.ASCII)


def read_iso(text, session):
    """The Reading of nearly all texts there are, 2001-02-03 04:05:06.7+08, for speed; None if it takes a closer look."""
    found = ISO.fullmatch(text)
    if not found:
        return None
    year, month, day, hour, minute, second = (int(part or "0") for part in found.groups()[:6])
    if not (year and 1 <= month <= 12 and 1 <= day <= month_length(year, month)):
        return None
    if hour > 23 or minute > 59 or second > 59:
        return None
    days, zone = days_from_civil(year, month, day), found[8]
    microseconds = hour * HOUR + minute * MINUTE + second * SECOND + int((found[7] or "0").ljust(6, "0"))
    if zone:
        offset = 0 if zone == "Z" else displacement(zone)
    else:
        offset = session_zone(session).offset_of_local(days * DAY + microseconds)
    return Reading(None, days, microseconds, offset)


def read(text, type_name, session, time_only=False):
    """The Reading of a text; raises PostgreSQL's error for the type if there is none."""
    try:
        if not time_only and (reading := read_iso(text, session)):
            return reading
        return DateTimeReader(session, time_only).read(tokens(text))
    except Malformed as fault:
        raise complain(fault, text, type_name) from None
