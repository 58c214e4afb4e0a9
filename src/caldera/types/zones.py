"""Time zones: which offset from UTC holds at a moment, or at a local time.

A zone is a table of transitions read from the tzdata package (TZif files, RFC 8536), so that every machine gives the same
answer. The rule at a file's end ("the last Sunday of March ...") is unrolled for 400 years, after which the calendar
repeats to the weekday; later moments are mapped back by whole cycles. So a zone is two arrays, for Python code here and for
compiled code elsewhere: `transitions` (moments, microseconds since 2000-01-01 UTC) and `offsets` (seconds east, one more
than there are transitions; offsets[i] holds before transitions[i]).

    name ─ find_zone ─▶ Zone ─ offset_at(moment) / offset_of_local(local time) ─▶ seconds east of Greenwich

Where a local time does not exist or comes twice, PostgreSQL's choice holds: a time in the gap of spring is read with the
offset before it, a doubled time of autumn with the offset after it.
"""
import re
import struct
from bisect import bisect_right
from functools import lru_cache
from importlib import resources

from caldera.base.errors import error
from caldera.types.calendar import DAY, SECOND, UNIX_EPOCH, civil_from_days, days_from_civil, is_leap
from caldera.types.session import setting

CYCLE_YEARS, CYCLE = 400, 146097 * DAY
DEFAULT_RULES = ",M3.2.0,M11.1.0"       # for "EST5EDT"-like specifications that say nothing more, as PostgreSQL has it


class Zone:
    """A time zone. `rule` is its POSIX specification for the time after the table, or None."""

    def __init__(self, name, transitions, offsets, names, rule=None):
        self.name = name
        self.transitions, self.offsets, self.names = transitions, offsets, names
        self.cycle_start = None
        self.has_past = bool(transitions)       # a mere rule also holds before its table
        if rule and rule.summer:
            self.unroll(rule)

    def __repr__(self):
        return f"Zone({self.name})"

    def unroll(self, rule):
        last = self.transitions[-1] if self.transitions else days_from_civil(1900, 1, 1) * DAY
        first_year = civil_from_days(last // DAY)[0]
        for year in range(first_year, first_year + CYCLE_YEARS + 2):
            for moment, offset, name in rule.year(year):
                if moment > last:
                    self.transitions.append(moment)
                    self.offsets.append(offset)
                    self.names.append(name)
        self.cycle_start = self.transitions[-1] - CYCLE

    @property
    def is_fixed(self):
        """Whether one offset holds for ever."""
        return not self.transitions

    def in_table(self, moment):
        """The moment itself, or the one before it by whole cycles that the table covers."""
        if self.cycle_start is None or moment < self.cycle_start + CYCLE and (self.has_past or moment >= self.cycle_start):
            return moment
        return self.cycle_start + (moment - self.cycle_start) % CYCLE

    def offset_at(self, moment):
        """Seconds east of Greenwich at a moment (UTC microseconds)."""
        return self.offsets[bisect_right(self.transitions, self.in_table(moment))]

    def name_at(self, moment):
        """The abbreviation in use at a moment: "CEST"."""
        return self.names[bisect_right(self.transitions, self.in_table(moment))]

    def offset_of_local(self, local):
        """Seconds east for a local time (microseconds since 2000-01-01 of that clock).

        Looks at the first transition later than a day before the local time, as PostgreSQL does.
        """
        local = self.in_table(local)
        index = bisect_right(self.transitions, local - DAY)
        before = self.offsets[index]
        if index == len(self.transitions):
            return before
        boundary, after = self.transitions[index], self.offsets[index + 1]
        read_before, read_after = local - before * SECOND, local - after * SECOND
        if read_before < boundary and read_after < boundary:
            return before
        if read_before > boundary and read_after >= boundary:
            return after
        return before if read_before > read_after else after


class PosixRule:
    """A POSIX TZ specification such as "CET-1CEST,M3.5.0,M10.5.0/3": names, offsets (seconds east) and when they change."""
    NAME, OFFSET = r"(?:<[^>]*>|[^\d,+-]+)", r"[+-]?\d{1,3}(?::\d{1,2}(?::\d{1,2})?)?"
    SHAPE = re.compile(rf"({NAME}|)({OFFSET})(?:(?!:)({NAME})({OFFSET})?(,.+)?)?")
    DAY_SHAPE = re.compile(rf"(?:M(\d+)\.(\d)\.(\d)|(J?)(\d+))(?:/({OFFSET}))?")

    def __init__(self, text):
        """Raises ValueError if the text is no such specification."""
        found = self.SHAPE.fullmatch(text)
        if not found:
            raise ValueError(text)
        winter, offset, summer, summer_offset, rules = found.groups()
        self.winter, self.offset = winter.strip("<>"), -self.seconds(offset)
        self.summer = summer.strip("<>") if summer else None
        self.summer_offset = -self.seconds(summer_offset) if summer_offset else self.offset + 3600
        self.changes = []
        if self.summer:
            self.changes = [self.DAY_SHAPE.fullmatch(part) for part in (rules or DEFAULT_RULES)[1:].split(",")]
            if len(self.changes) != 2 or not all(self.changes):
                raise ValueError(text)

    @staticmethod
    def seconds(text):
        """"-1:30" as -5400."""
        hours, minutes, seconds = (text.lstrip("+-") + ":0:0").split(":")[:3]
        total = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
        if int(hours) > 167 or int(minutes) > 59 or int(seconds) > 60:
            raise ValueError(text)
        return -total if text.startswith("-") else total

    def year(self, year):
        """The two transitions of a year as (moment, offset that begins, name), in order."""
        start, stop = (self.moment(change, year) for change in self.changes)
        return sorted([(start - self.offset * SECOND, self.summer_offset, self.summer),
                       (stop - self.summer_offset * SECOND, self.offset, self.winter)])

    def moment(self, change, year):
        """When a change happens in a year, on the local clock, microseconds since 2000-01-01."""
        month, week, weekday, julian, number, at = change.groups()
        if month:
            first = days_from_civil(year, int(month), 1)
            days = first + (int(weekday) - (first + 6)) % 7 + 7 * (int(week) - 1)      # 2000-01-01 was a Saturday: 6
            if days >= days_from_civil(year, int(month) + 1, 1):
                days -= 7
        else:
            days = days_from_civil(year, 1, 1) + int(number)
            if julian:                  # counts from 1 and knows no 29th of February
                days += -1 if int(number) < 60 or not is_leap(year) else 0
        return days * DAY + (self.seconds(at) if at else 7200) * SECOND


def read_zone(name, data):
    """The zone in the bytes of a TZif file of version 2 or later."""
    def header(start):
        magic, version, *counts = struct.unpack_from(">4sc15x6l", data, start)
        if magic != b"TZif" or version < b"2":
            raise ValueError(f"{name} is not a TZif file of version 2")
        return counts
    utc_count, std_count, leap_count, time_count, type_count, char_count = header(0)
    start = 44 + time_count * 5 + type_count * 6 + char_count + leap_count * 8 + std_count + utc_count
    utc_count, std_count, leap_count, time_count, type_count, char_count = header(start)
    start += 44
    moments = struct.unpack_from(f">{time_count}q", data, start)
    indexes = struct.unpack_from(f">{time_count}B", data, start + 8 * time_count)
    start += 9 * time_count
    kinds = [struct.unpack_from(">lBB", data, start + 6 * number) for number in range(type_count)]
    start += 6 * type_count
    letters = data[start:start + char_count]
    start += char_count + leap_count * 12 + std_count + utc_count
    footer = data[start:].strip(b"\n").decode()
    kinds = [(offset, letters[at:letters.index(b"\0", at)].decode()) for offset, _, at in kinds]
    used = [kinds[0]] + [kinds[index] for index in indexes]
    return Zone(name, [moment * SECOND + UNIX_EPOCH for moment in moments], [offset for offset, _ in used],
                [abbreviation for _, abbreviation in used], PosixRule(footer) if footer else None)


@lru_cache(1)
def zone_names():
    """Every zone of the tzdata package: lower-case name to name."""
    names = resources.files("tzdata").joinpath("zones").read_text(encoding="utf-8").split()
    return {name.lower(): name for name in names}


@lru_cache(1000)
def find_zone(name):
    """The zone of that name ("Europe/Paris", in any case) or POSIX specification ("CET-1CEST"); None if there is none."""
    known = zone_names().get(name.lower())
    if known is not None:
        return read_zone(known, resources.files("tzdata").joinpath("zoneinfo", *known.split("/")).read_bytes())
    try:
        rule = PosixRule(name.upper())
    except ValueError:
        return None
    return Zone(name.upper(), [], [rule.offset], [rule.winter], rule)


UTC = Zone("UTC", [], [0], ["UTC"])


@lru_cache(100)
def zone_of_setting(text):
    """The zone that a value of the setting TimeZone means. Raises 22023."""
    zone = UTC if text == "UTC" else find_zone(text)
    if zone is None:
        raise error("22023", f'invalid value for parameter "TimeZone": "{text}"')
    return zone


def fixed_zone(offset):
    """The zone that is always so many seconds east; its name is a POSIX specification, as PostgreSQL shows it."""
    def spelled(seconds):
        hours, minutes, seconds = abs(seconds) // 3600, abs(seconds) // 60 % 60, abs(seconds) % 60
        return f"{hours:02d}" + (f":{minutes:02d}" if minutes or seconds else "") + (f":{seconds:02d}" if seconds else "")
    east, west = ("-", "+") if offset < 0 else ("+", "-")
    return Zone(f"<{east}{spelled(offset)}>{west}{spelled(offset)}", [], [offset], [east + spelled(offset)])


def session_zone(session):
    """The zone in which the session reads and writes timestamptz."""
    return UTC if session is None else zone_of_setting(setting(session, "TimeZone"))


def abbreviation_offset(abbreviation, local, session=None):
    """Seconds east for an abbreviation ("EST", "MSK") at a local time; None if nobody uses it.

    The session's own zone is asked first, then the table below. Some abbreviations have meant different offsets over time:
    those stand for a zone, and mean what the zone has at that moment.
    """
    zone = session_zone(session)
    if abbreviation in zone.names and zone is not UTC:
        return offset_in_zone(abbreviation, zone, local)
    meaning = ABBREVIATIONS.get(abbreviation)
    if isinstance(meaning, str):
        return offset_in_zone(abbreviation, find_zone(meaning), local)
    return meaning


def offset_in_zone(abbreviation, zone, local):
    """What the abbreviation means in a zone at about a local time: its latest use before it, else its first after it."""
    index = bisect_right(zone.transitions, zone.in_table(local - zone.offset_of_local(local) * SECOND))
    uses = [number for number, name in enumerate(zone.names) if name == abbreviation]
    if not uses:
        return zone.offset_of_local(local)
    before = [number for number in uses if number <= index]
    return zone.offsets[before[-1] if before else uses[0]]


def read_abbreviations(text):
    """{abbreviation: seconds east of Greenwich, or the zone that decides} of words `name=meaning`."""
    table = {}
    for entry in text.split():
        name, _, meaning = entry.partition("=")
        table[name] = int(meaning) if meaning.lstrip("-").isdigit() else meaning
    return table


# PostgreSQL's default set: seconds east, or the zone that decides.
ABBREVIATIONS = read_abbreviations("""
ACDT=37800 ACSST=37800 ACST=34200 ACT=-18000 ACWST=31500 ADT=-10800 AEDT=39600 AESST=39600 AEST=36000 AFT=16200
AKDT=-28800 AKST=-32400 ALMST=25200 ALMT=21600 AMST=Asia/Yerevan AMT=-14400 ANAST=Asia/Anadyr ANAT=Asia/Anadyr
ARST=America/Argentina/Buenos_Aires ART=America/Argentina/Buenos_Aires AST=-14400 AWSST=32400 AWST=28800 AZOST=0
AZOT=-3600 AZST=Asia/Baku AZT=Asia/Baku BDST=7200 BDT=21600 BNT=28800 BORT=28800 BOT=-14400 BRA=-10800 BRST=-7200
BRT=-10800 BST=3600 BTT=21600 CADT=37800 CAST=34200 CCT=28800 CDT=-18000 CEST=7200 CET=3600 CETDST=7200 CHADT=49500
CHAST=45900 CHUT=36000 CKT=Pacific/Rarotonga CLST=-10800 CLT=America/Santiago COT=-18000 CST=-21600 CXT=25200
DAVT=Antarctica/Davis DDUT=36000 EASST=Pacific/Easter EAST=Pacific/Easter EAT=10800 EDT=-14400 EEST=10800 EET=7200
EETDST=10800 EGST=0 EGT=-3600 EST=-18000 FET=10800 FJST=46800 FJT=43200 FKST=Atlantic/Stanley FKT=Atlantic/Stanley
FNST=-3600 FNT=-7200 GALT=-21600 GAMT=-32400 GEST=Asia/Tbilisi GET=Asia/Tbilisi GFT=-10800 GILT=43200 GMT=0
GYT=America/Guyana HKT=28800 HST=-36000 ICT=25200 IDT=10800 IOT=Indian/Chagos IRKST=Asia/Irkutsk IRKT=Asia/Irkutsk
IRT=12600 IST=7200 JAYT=32400 JST=32400 KDT=36000 KGST=21600 KGT=Asia/Bishkek KOST=Pacific/Kosrae
KRAST=Asia/Krasnoyarsk KRAT=Asia/Krasnoyarsk KST=32400 LHDT=Australia/Lord_Howe LHST=37800 LIGT=36000
LINT=Pacific/Kiritimati LKT=Asia/Colombo MAGST=Asia/Magadan MAGT=Asia/Magadan MART=-34200 MAWT=Antarctica/Mawson
MDT=-21600 MEST=7200 MESZ=7200 MET=3600 METDST=7200 MEZ=3600 MHT=43200 MMT=23400 MPT=36000 MSD=14400
MSK=Europe/Moscow MST=-25200 MUST=18000 MUT=14400 MVT=18000 MYT=28800 NDT=-9000 NFT=-12600 NOVST=Asia/Novosibirsk
NOVT=Asia/Novosibirsk NPT=20700 NST=-12600 NUT=Pacific/Niue NZDT=46800 NZST=43200 NZT=43200 OMSST=Asia/Omsk
OMST=Asia/Omsk PDT=-25200 PET=-18000 PETST=Asia/Kamchatka PETT=Asia/Kamchatka PGT=36000 PHT=28800 PKST=21600
PKT=18000 PMDT=-7200 PMST=-10800 PONT=39600 PST=-28800 PWT=32400 PYST=-10800 PYT=America/Asuncion RET=14400
SADT=37800 SAST=7200 SCT=14400 SGT=Asia/Singapore TAHT=-36000 TFT=18000 TJT=18000 TKT=Pacific/Fakaofo
TMT=Asia/Ashgabat TOT=46800 TRUT=36000 TVT=43200 UCT=0 ULAST=32400 ULAT=Asia/Ulaanbaatar UT=0 UTC=0 UYST=-7200
UYT=-10800 UZST=21600 UZT=18000 VET=America/Caracas VLAST=Asia/Vladivostok VLAT=Asia/Vladivostok
VOLT=Europe/Volgograd VUT=39600 WADT=28800 WAKT=43200 WAST=25200 WAT=3600 WDT=32400 WET=0 WETDST=3600 WFT=43200
WGST=-7200 WGT=-10800 XJT=21600 YAKST=Asia/Yakutsk YAKT=Asia/Yakutsk YAPT=36000 YEKST=21600 YEKT=Asia/Yekaterinburg
Z=0 ZULU=0
""")
