"""Pictures: the formats of to_char, to_date, to_timestamp and to_number, taken apart.

    "FMDay, DD \\"of\\" Month" ─ parse_date_picture ─▶ [Item(Day, fill mode), Item(','), Item(' '), Item(DD), Item('o'), ...]

A picture is read from left to right; at each place the first word of a table that fits is a field, whatever follows. What is
no field is a literal: between double quotes everything is, and elsewhere a backslash quotes a double quote.
"""
from dataclasses import dataclass
from functools import lru_cache

from caldera.base.errors import error

FIELD, SPACE, SEPARATOR, LITERAL = "field", "space", "separator", "literal"
WHITE = " \t\n\v\f\r"


@dataclass(frozen=True)
class Word:
    """A field's name in a picture. `field`: in upper case; `case`: how a name is to be written. is_number: it is read as
    digits. convention: "gregorian" or "iso" if it belongs to one of them."""
    text: str
    field: str
    case: str
    is_number: bool = False
    convention: str = ""


@dataclass(frozen=True)
class Item:
    """One piece of a picture: a field, or one character of another kind. fill: FM, no padding. translated:
    TM, names in the language of LC_TIME, which is C's here. ordinal: "", "TH" or "th"."""
    kind: str
    word: Word | None = None
    text: str = ""
    fill: bool = False
    translated: bool = False
    ordinal: str = ""

    @property
    def field(self):
        return self.word.field if self.word else None


def words_of(listing, numbers=(), gregorian=(), iso=()):
    """The table of a listing: words that stand for a field in the order in which they are tried, by their first letter."""
    table = {}
    for text in listing.split():
        field = text.upper()
        case = "upper" if text == field else "lower" if text == text.lower() else "capital"
        convention = "gregorian" if field in gregorian else "iso" if field in iso else ""
        table.setdefault(text[0], []).append(Word(text, field, case, field in numbers, convention))
    return table


DATE_LISTING = """A.D. A.M. AD AM B.C. BC CC DAY DDD DD DY Day Dy D FF1 FF2 FF3 FF4 FF5 FF6 FX HH24 HH12 HH IDDD ID IW
    IYYY IYY IY I J MI MM MONTH MON MS Month Mon OF P.M. PM Q RM SSSSS SSSS SS TZH TZM TZ US WW W Y,YYY YYYY YYY YY Y"""
LOWER_LISTING = " ".join(dict.fromkeys(DATE_LISTING.lower().split()))
NUMBER_LISTING = ", . 0 9 B C D EEEE FM G L MI PL PR RN SG SP S TH V b c d eeee fm g l mi pl pr rn sg sp s th v"
NUMBERS = set("""CC DDD DD D FF1 FF2 FF3 FF4 FF5 FF6 HH24 HH12 HH IDDD ID IW IYYY IYY IY I J MI MM MS Q SSSSS SSSS SS TZM
    US WW W Y,YYY YYYY YYY YY Y""".split())
GREGORIAN = set("DDD DD D MM MONTH MON RM WW W Y,YYY YYYY YYY YY Y".split())
ISO = set("IDDD ID IW IYYY IYY IY I".split())
DATE_WORDS = words_of(DATE_LISTING + " " + LOWER_LISTING, NUMBERS, GREGORIAN, ISO)
NUMBER_WORDS = words_of(NUMBER_LISTING)
PREFIXES, ORDINALS, SPELLED = ("FM", "fm", "TM", "tm"), ("TH", "th"), "SP"


def is_separator(character):
    """Whether a character separates fields: ASCII that is printed, and neither letter nor digit."""
    return " " < character < "\x7f" and not character.isalnum()


def word_at(table, text, position):
    """The first word of the table that stands at a position, or None."""
    return next((word for word in table.get(text[position], ()) if text.startswith(word.text, position)), None)


@lru_cache(500)
def parse_date_picture(text):
    """The Items of a picture for dates and times."""
    items, position = [], 0
    while position < len(text):
        prefix = text[position:position + 2] if text[position:position + 2] in PREFIXES else ""
        position += len(prefix)
        word = word_at(DATE_WORDS, text, position) if position < len(text) else None
        if word is None:
            position = add_literal(items, text, position, with_separators=True)
            continue
        position += len(word.text)
        suffix = text[position:position + 2]
        position += 2 if suffix in ORDINALS or suffix == SPELLED else 0
        items.append(Item(FIELD, word, word.text, prefix.upper() == "FM", prefix.upper() == "TM",
                          suffix if suffix in ORDINALS else ""))
    return tuple(items)


@lru_cache(500)
def parse_number_picture(text):
    """The Items of a picture for numbers."""
    items, position = [], 0
    while position < len(text):
        word = word_at(NUMBER_WORDS, text, position)
        if word is None:
            position = add_literal(items, text, position, with_separators=False)
        else:
            items.append(Item(FIELD, word, word.text))
            position += len(word.text)
    return tuple(items)


def add_literal(items, text, position, with_separators):
    """Append what stands at a position and is no field; returns the position behind it."""
    if position >= len(text):
        return position
    if text[position] == '"':
        position += 1
        while position < len(text) and text[position] != '"':
            if text[position] == "\\" and position + 1 < len(text):
                position += 1
            items.append(Item(LITERAL, text=text[position]))
            position += 1
        return position + 1
    if text.startswith('\\"', position):
        position += 1
    character = text[position]
    kind = SEPARATOR if with_separators and is_separator(character) else SPACE if character in WHITE else LITERAL
    items.append(Item(kind, text=character))
    return position + 1


def ordinal(digits, style):
    """"st", "nd", "rd" or "th" behind a number, in upper case for the style "TH". Raises 22P02 for what ends in no digit."""
    if not digits[-1:].isdigit():
        raise error("22P02", f'"{digits}" is not a number')
    ending = "th" if digits[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(digits[-1:], "th")
    return ending.upper() if style == "TH" else ending
