"""Between text and bytes: encode and decode (hex, base64, escape), and character sets (convert_from, convert_to)."""
from caldera.base.errors import Error, error
from caldera.base.settings import BadValue, Setting, define
from caldera.functions.registry import scalar

BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
BASE64_VALUES = {letter: number for number, letter in enumerate(BASE64)}
BASE64_LINE = 76
# PostgreSQL's names of character sets, without punctuation, and Python's.
CHARACTER_SETS = {"utf8": "UTF8", "unicode": "UTF8", "sqlascii": "SQL_ASCII"} | {
    name: name.upper() for name in ("latin1", "latin2", "latin3", "latin4", "latin5", "latin6", "latin7", "latin8", "latin9",
                                    "latin10", "win1250", "win1251", "win1252", "win1253", "win1254", "win1255", "win1256",
                                    "win1257", "win1258", "win866", "win874", "koi8r", "koi8u", "gbk", "big5", "uhc",
                                    "sjis")}
CHARACTER_SETS |= {f"iso8859{number}": f"LATIN{latin}" for number, latin in
                   ((1, 1), (2, 2), (3, 3), (4, 4), (9, 5), (10, 6), (13, 7), (14, 8), (15, 9), (16, 10))}
CHARACTER_SETS |= {f"windows{number}": f"WIN{number}" for number in (1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258)}
CHARACTER_SETS |= {"iso88595": "ISO_8859_5", "iso88596": "ISO_8859_6", "iso88597": "ISO_8859_7", "iso88598": "ISO_8859_8",
                   "koi8": "KOI8R", "gb18030": "GB18030", "eucjp": "EUC_JP", "euckr": "EUC_KR", "euccn": "EUC_CN"}
CODECS = {"UTF8": "utf-8", "KOI8R": "koi8-r", "KOI8U": "koi8-u", "WIN866": "cp866", "WIN874": "cp874", "SJIS": "cp932",
          "UHC": "cp949", "EUC_CN": "gb2312", "LATIN6": "iso8859-10", "LATIN7": "iso8859-13", "LATIN8": "iso8859-14",
          "LATIN9": "iso8859-15", "LATIN10": "iso8859-16", "LATIN5": "iso8859-9"}


def unknown_encoding(name):
    """The error for an encoding that encode and decode do not know."""
    return error("22023", f'unrecognized encoding: "{name}"')


@scalar("encode(bytea, text) -> text", python=True, doc="Bytes as text in the encoding hex, base64 or escape.",
        example=r"SELECT encode('\x1234'::bytea, 'base64')  -- EjQ=")
def encode(data, name):
    encoding = name.lower()
    if encoding == "hex":
        return data.hex()
    if encoding == "base64":
        return encoded_base64(data)
    if encoding == "escape":
        return "".join("\\\\" if byte == 92 else chr(byte) if 0 < byte < 128 else f"\\{byte:03o}" for byte in data)
    raise unknown_encoding(name)


@scalar("decode(text, text) -> bytea", python=True, doc="The bytes that a text in the encoding hex, base64 or escape means.",
        example=r"SELECT decode('EjQ=', 'base64')  -- \x1234")
def decode(text, name):
    decoder = {"hex": decoded_hex, "base64": decoded_base64, "escape": decoded_escape}.get(name.lower())
    if decoder is None:
        raise unknown_encoding(name)
    return decoder(text)


def encoded_base64(data):
    """With a line break behind every 76 characters but the last."""
    import base64
    text = base64.b64encode(data).decode()
    return "\n".join(text[at:at + BASE64_LINE] for at in range(0, len(text), BASE64_LINE))


def decoded_base64(text):
    """White space is passed over; = ends a group of four."""
    result, buffer, place, end = bytearray(), 0, 0, 0
    for letter in text:
        if letter in " \t\n\r":
            continue
        value = BASE64_VALUES.get(letter)
        if letter == "=":
            if not end:
                if place < 2:
                    raise error("22023", 'unexpected "=" while decoding base64 sequence')
                end = place - 1
            value = 0
        if value is None:
            raise error("22023", f'invalid symbol "{letter}" found while decoding base64 sequence')
        buffer, place = buffer << 6 | value, place + 1
        if place == 4:
            group = buffer.to_bytes(3, "big")
            result += group[:end] if end else group
            buffer = place = 0
    if place:
        raise error("22023", "invalid base64 end sequence",
                    hint="Input data is missing padding, is truncated, or is otherwise corrupted.")
    return bytes(result)


def decoded_hex(text):
    """White space is passed over between bytes."""
    result, at = bytearray(), 0
    while at < len(text):
        if text[at] in " \n\t\r":
            at += 1
            continue
        high = hex_digit(text[at])
        if at + 1 >= len(text):
            raise error("22023", "invalid hexadecimal data: odd number of digits")
        result.append(high << 4 | hex_digit(text[at + 1]))
        at += 2
    return bytes(result)


def hex_digit(letter):
    """The value of a digit; 22023 if it is none."""
    if letter not in "0123456789abcdefABCDEF":
        raise error("22023", f'invalid hexadecimal digit: "{letter}"')
    return int(letter, 16)


def decoded_escape(text):
    r"""\\ is a backslash, \ooo a byte in octal; all else stands for itself."""
    data, result, at = text.encode(), bytearray(), 0
    while at < len(data):
        digits = data[at + 1:at + 4]
        if data[at] != 92:
            result.append(data[at])
            at += 1
        elif digits[:1] == b"\\":
            result.append(92)
            at += 2
        elif len(digits) == 3 and digits[0] in b"0123" and all(digit in b"01234567" for digit in digits):
            result.append(int(digits, 8))
            at += 4
        else:
            raise error("22P02", "invalid input syntax for type bytea")
    return bytes(result)


# ------------------------------------------------------------------------------------------------ character sets

def character_set(name, role):
    """PostgreSQL's name of a character set; `role`: "source" or "destination"."""
    found = CHARACTER_SETS.get("".join(letter for letter in name.lower() if letter.isalnum()))
    if found is None:
        raise error("22023", f'invalid {role} encoding name "{name}"')
    return found


def client_encoding(text):
    """The encoding of the client's text, by any of PostgreSQL's names for it: only Unicode is there."""
    try:
        name = character_set(text, "client")
    except Error:
        raise BadValue() from None
    if name != "UTF8":
        raise BadValue(f"client encoding {name} is not supported yet", sqlstate="0A000")
    return name


define(Setting("client_encoding", "UTF8", client_encoding, "The encoding of the client's text."))


def codec(character_set_name):
    """Python's name of it."""
    if character_set_name in CODECS:
        return CODECS[character_set_name]
    name = character_set_name.lower().replace("win", "cp") if character_set_name.startswith("WIN") else character_set_name
    return name.replace("LATIN", "latin-")


def invalid_bytes(data, name):
    """The error for bytes that are no text."""
    return error("22021", f'invalid byte sequence for encoding "{name}": ' + " ".join(f"0x{byte:02x}" for byte in data))


def char_size(byte):
    """How long UTF-8 says a character is, by its first byte."""
    return 1 if byte < 0xC0 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4 if byte < 0xF8 else 1


def decoded_utf8(data, claimed):
    """Bytes as text; 22021 if they are none. A zero byte is blamed on the character set that the caller `claimed`."""
    try:
        text, stop = data.decode(), data.find(0)
    except UnicodeDecodeError as fault:
        first_zero = data.find(0, 0, fault.start)
        stop = fault.start if first_zero < 0 else first_zero
    if stop >= 0:
        raise invalid_bytes(data[stop:stop + char_size(data[stop])], "UTF8" if data[stop] else claimed)
    return text


@scalar("convert_from(bytea, name) -> text", python=True, volatility="s", doc="The text that bytes mean in a character set.",
        example="SELECT convert_from('text_in_utf8'::bytea, 'UTF8')  -- text_in_utf8")
def convert_from(data, name):
    source = character_set(name, "source")
    if source in ("UTF8", "SQL_ASCII"):
        return decoded_utf8(data, source)
    if 0 in data:
        raise invalid_bytes(b"\0", source)
    if source == "LATIN1":
        return data.decode("latin-1")
    try:
        return data.decode(codec(source))
    except UnicodeDecodeError as fault:
        sequence = " ".join(f"0x{byte:02x}" for byte in data[fault.start:fault.end])
        raise error("22P05", f'character with byte sequence {sequence} in encoding "{source}" has no equivalent in encoding '
                    '"UTF8"') from None


@scalar("convert_to(text, name) -> bytea", python=True, volatility="s", doc="The bytes of a text in a character set.",
        example=r"SELECT convert_to('é', 'latin1')  -- \xe9")
def convert_to(text, name):
    target = character_set(name, "destination")
    if target in ("UTF8", "SQL_ASCII"):
        return text.encode()
    try:
        return text.encode(codec(target))
    except UnicodeEncodeError as fault:
        sequence = " ".join(f"0x{byte:02x}" for byte in text[fault.start].encode())
        raise error("22P05", f'character with byte sequence {sequence} in encoding "UTF8" has no equivalent in encoding '
                    f'"{target}"') from None


@scalar("convert(bytea, name, name) -> bytea", python=True, volatility="s", doc="Bytes of a text in another character set.",
        example=r"SELECT convert('\xe9'::bytea, 'latin1', 'utf8')  -- \xc3a9")
def convert(data, source, target):
    return convert_to(convert_from(data, source), target)


@scalar("length(bytea, name) -> int4", python=True, volatility="s", doc="Characters in bytes of a character set.",
        example="SELECT length('jose'::bytea, 'UTF8')  -- 4")
def length(data, name):
    return len(convert_from(data, name))
