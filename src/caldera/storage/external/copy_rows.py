"""The rows of a file in PostgreSQL's text or CSV format, one by one, by the rules of COPY.

CSV: a quote switches between quoted and not, anywhere in a field; inside quotes the escape stands before a quote or itself;
an unquoted field that equals the null string is NULL. Text: backslashes escape; a field that equals the null string before
escapes are resolved is NULL; a line of only `\\.` ends the data.
"""
from caldera.base.errors import error

SHOWN_BYTES = 100
LETTERS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
HEX, OCTAL = "0123456789abcdefABCDEF", "01234567"


def shown(text):
    """A field or line as error messages quote it."""
    if text is None:
        return "null input"
    return f'"{text[:SHOWN_BYTES]}..."' if len(text) > SHOWN_BYTES else f'"{text}"'


class Rows:
    """Iterates over pairs (number of the line in which a row ends, list of its fields: str, or None for NULL). Raises 22P04
    for rows with too few or too many fields, 22021 for bytes that are not UTF-8. lines_before: what comes before the data in
    the file. `ended`: whether a line of only `\\.` was met."""

    def __init__(self, data, path, format, options, names, lines_before=0):
        self.data, self.path, self.is_csv, self.options, self.names = data, path, format == "csv", options, names
        self.lines_before, self.ended = lines_before, False
        self.delimiter = options.get("delimiter", "," if self.is_csv else "\t")
        self.null = options.get("null", "" if self.is_csv else "\\N")
        self.quote = options.get("quote", '"')
        self.escape = options.get("escape", self.quote)
        self.never_null, self.quoted_null = (self.named(options.get(name, ())) for name in ("force_not_null", "force_null"))

    def named(self, names):
        """Numbers of the columns that an option names; "*" means all."""
        return {number for number, name in enumerate(self.names) if names == "*" or name in names}

    def __iter__(self):
        try:
            text = self.data.decode()
        except UnicodeDecodeError as fault:
            line = self.lines_before + self.data[:fault.start].count(b"\n") + 1
            raise error("22021", f'invalid byte sequence for encoding "UTF8": 0x{self.data[fault.start]:02x}',
                        detail=f'File "{self.path}", line {line}') from fault
        header = self.options.get("header", False)
        for line, whole, fields in (self.csv_rows(text) if self.is_csv else self.text_rows(text)):
            if header:
                if header == "match":
                    self.check_header(line, [field for field, _ in fields])
                header = False
                continue
            yield line, self.checked(line, whole, fields)

    def checked(self, line, whole, fields):
        """The fields of a row as texts and NULLs."""
        if len(fields) < len(self.names):
            raise self.fault(f'missing data for column "{self.names[len(fields)]}"', line, whole)
        if len(fields) > len(self.names):
            raise self.fault("extra data after last expected column", line, whole)
        values = []
        for number, (field, is_quoted) in enumerate(fields):
            is_null = field is None or self.is_csv and field == self.null and (
                number in self.quoted_null if is_quoted else number not in self.never_null)
            values.append(None if is_null else field)
        return values

    def check_header(self, line, found):
        """HEADER MATCH."""
        if len(found) != len(self.names):
            counts = f"got {len(found)}, expected {len(self.names)}"
            raise self.fault(f"wrong number of fields in header line: {counts}", line, None)
        for number, (got, expected) in enumerate(zip(found, self.names), 1):
            if got != expected:
                raise self.fault(f'column name mismatch in header line field {number}: got "{got}", expected "{expected}"',
                                 line, None)

    def fault(self, message, line, whole):
        place = f'File "{self.path}", line {line}'
        return error("22P04", message, detail=place if whole is None else f"{place}: {shown(whole)}")

    # CSV
    def csv_rows(self, text):
        """(line number, text of the row, pairs (field, whether any of it was quoted))."""
        at, line = 0, self.lines_before
        while at < len(text):
            start, line = at, line + 1
            fields, more = [], True
            while more:
                field, was_quoted, at, lines, more = self.csv_field(text, at, line, start)
                line += lines
                fields.append((field, was_quoted))
            end = at
            if text.startswith("\r\n", at):
                at += 2
            elif at < len(text):
                at += 1
            yield line, text[start:end], fields

    def csv_field(self, text, at, line, row_start):
        """(field, whether quoted, where it ends, line ends inside, whether another field follows)."""
        pieces, was_quoted, lines, quote, escape = [], False, 0, self.quote, self.escape
        while True:
            start = at
            while at < len(text) and text[at] not in (self.delimiter, quote, "\n", "\r"):
                at += 1
            pieces.append(text[start:at])
            if at == len(text) or text[at] in "\r\n":
                return "".join(pieces), was_quoted, at, lines, False
            if text[at] == self.delimiter:
                return "".join(pieces), was_quoted, at + 1, lines, True
            was_quoted, at = True, at + 1
            while True:
                start = at
                while at < len(text) and text[at] != quote and text[at] != escape:
                    at += 1
                pieces.append(text[start:at])
                lines += text.count("\n", start, at)
                if at == len(text):
                    raise self.fault("unterminated CSV quoted field", line + lines, text[row_start:])
                if text[at] == escape and text[at + 1:at + 2] in (quote, escape) and text[at + 1:at + 2]:
                    pieces.append(text[at + 1])
                    at += 2
                elif text[at] == quote:
                    at += 1
                    break
                else:
                    pieces.append(text[at])
                    at += 1

    # text
    def text_rows(self, text):
        """The same for the text format; a NULL comes as the field None."""
        lines = text.split("\n")
        if lines[-1] == "":
            lines.pop()
        pending, first = None, 0
        for number, line in enumerate(lines, 1):
            line = line.removesuffix("\r")
            if pending is None and line == "\\.":
                self.ended = True
                return
            whole = line if pending is None else f"{pending}\n{line}"
            backslashes = len(whole) - len(whole.rstrip("\\"))
            if backslashes % 2 and number < len(lines):         # a line end behind a backslash is data
                pending, first = whole, first or number
                continue
            yield self.lines_before + number, whole, [(self.unescaped(field), False) for field in self.split_text(whole)]
            pending, first = None, 0

    def split_text(self, line):
        """The fields of a line, escapes kept."""
        if "\\" not in line:
            return line.split(self.delimiter)
        fields, start, at = [], 0, 0
        while at < len(line):
            if line[at] == "\\":
                at += 2
            elif line[at] == self.delimiter:
                fields.append(line[start:at])
                start = at = at + 1
            else:
                at += 1
        return [*fields, line[start:]]

    def unescaped(self, field):
        """A field with its escapes resolved, None for NULL. Octal and hexadecimal escapes give bytes of UTF-8."""
        if field == self.null:
            return None
        if "\\" not in field:
            return field
        out, at = bytearray(), 0
        while at < len(field):
            if field[at] != "\\" or at + 1 == len(field):
                out += field[at].encode()
                at += 1
                continue
            letter = field[at + 1]
            start, allowed, most, base = (at + 2, HEX, 2, 16) if letter == "x" else (at + 1, OCTAL, 3, 8)
            digits = self.digits(field, start, allowed, most)
            if digits:
                out.append(int(digits, base) & 255)
                at = start + len(digits)
            else:
                out += LETTERS.get(letter, letter).encode()
                at += 2
        try:
            return out.decode()
        except UnicodeDecodeError as fault:
            raise error("22021", f'invalid byte sequence for encoding "UTF8": 0x{out[fault.start]:02x}') from fault

    @staticmethod
    def digits(field, at, allowed, most):
        stop = at
        while stop < len(field) and stop - at < most and field[stop] in allowed:
            stop += 1
        return field[at:stop]
