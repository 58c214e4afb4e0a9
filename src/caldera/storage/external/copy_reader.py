"""COPY FROM: files in PostgreSQL's text and CSV formats, read as the columns of a table.

    file ─▶ chunks of whole rows ─┬─▶ Arrow's CSV reader: columns of texts ─▶ conversion ─▶ Pieces     nearly always
                                  └─▶ the rows one by one, by PostgreSQL's rules ─▶ the same           options that Arrow
                                                                                                       lacks; errors
Arrow splits rows in the same way as PostgreSQL if they are regular. When they are not, or a value is refused, the chunk is
read again row by row, so that the error is PostgreSQL's and says in which line it is.
"""
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from caldera.base.errors import error
from caldera.storage.external.conversion import Refused, column_of_texts
from caldera.storage.external.copy_rows import Rows, shown
from caldera.storage.external.files import fingerprint, matching
from caldera.storage.external.row_stream import PIECE_ROWS, Lane, RowStream, StreamedRelation, piece_of
from caldera.transaction.files import file_error

ROW_BYTES_GUESS = 100
CHUNK_BYTES = 1 << 25           # of a file that are in memory at a time; all cores split them,
BLOCK_BYTES = 1 << 22           # in pieces of this size
EMPTY_LINE = re.compile(rb"(?:\A|\n)\r?\n")
INSIDE_QUOTE = {}                           # compiled patterns by delimiter and quote


def open_copy(path, format, options, columns, session=None):
    """The relation that COPY FROM reads. format: "csv", "text" or "parquet". options: of COPY, by lower-case name. columns:
    the ColumnSchemas that the file's columns are to be read as; of a Parquet file those that it has. Raises 58P01 and the
    like now, 22P04, 22P02 and the like when it is scanned."""
    if format == "parquet":
        from caldera.storage.external.files import open_file
        return open_file(path, "parquet", {}, session)
    return CopyRelation(matching(path), format, options, columns, session)


class CopyRelation(StreamedRelation):
    """Files in text or CSV format as a table. They are read when they are scanned."""

    def __init__(self, paths, format, options, columns, session):
        self.paths, self.format, self.options, self.session = paths, format, dict(options), session
        self.columns, self.where = tuple(columns), f'file "{paths[0]}"'
        self.prints = {path: fingerprint(path, " for reading") for path in paths}
        if self.options.get("encoding", "utf8").lower().replace("-", "").replace("_", "") not in ("utf8", "unicode"):
            raise error("0A000", f'encoding "{self.options["encoding"]}" is not supported')
        if self.options.get("on_error", "stop") != "stop":
            raise error("0A000", "COPY ON_ERROR ignore is not supported")

    def version(self, snapshot):
        return "copy", tuple(self.prints.values()), self.format, str(sorted(self.options.items()))

    def row_estimate(self, snapshot):
        return 1 + sum(size for _, size, *_ in self.prints.values()) // ROW_BYTES_GUESS

    def stream(self, names, ranges=(), in_order=False):
        lanes = [Lane(self.read(path), lambda piece: piece) for path in self.paths]
        size = sum(size for _, size, *_ in self.prints.values())
        return RowStream(lanes, dict.fromkeys(names, True), self.row_estimate(None), 1 + size // CHUNK_BYTES, "Files",
                         len(lanes))

    def read(self, path):
        """Yield Pieces of one file, with all columns: an error in any of them is one of the file."""
        for chunk in self.chunks(path):
            first = 0
            for table in self.tables(chunk):
                yield piece_of(table.num_rows, self.converted(chunk, first, table))
                first += table.num_rows
            if chunk.rows is not None and chunk.rows.ended:
                return

    def chunks(self, path):
        """Yield a file as Chunks of whole rows, of CHUNK_BYTES where no row is longer."""
        rest, lines, options = b"", 0, self.options
        with reading(path) as file:
            while True:
                data = read_bytes(path, file, CHUNK_BYTES)
                whole = rest + data if rest else data
                stop = rows_end(whole, self.format, options) if data else len(whole)
                if stop:
                    yield Chunk(path, whole[:stop] if stop < len(whole) else whole, lines, options)
                    lines, options = lines + whole.count(b"\n", 0, stop), self.options | {"header": False}
                if not data:
                    return
                rest = whole[stop:]

    def converted(self, chunk, first, table):
        """{name: ColumnData} of a table of texts, the rows of a chunk from `first` on."""
        converted, refusals = {}, []
        for number, column in enumerate(self.columns):
            try:
                texts = table.column(number)
                converted[column.name] = column_of_texts(column.type, column.modifier, texts, self.session)
            except Refused as refused:
                refusals.append((refused.row, number, refused.fault))
        if refusals:
            row, number, fault = min(refusals, key=lambda refusal: refusal[:2])
            raise self.refusal(chunk, first + row, number, fault)
        return converted

    def tables(self, chunk):
        """Yield Tables of strings, of at most PIECE_ROWS rows, that together are a chunk."""
        table = None
        if self.is_regular(chunk):
            try:
                table = self.split(chunk)
            except (pa.ArrowInvalid, pa.ArrowKeyError):
                pass                                        # the rows one by one tell what is wrong, or read it after all
        if table is None or has_empty_line(chunk.data) and empty_rows(table):       # Arrow takes it for a row of NULLs
            table = self.split_row_by_row(chunk)
        for at in range(0, table.num_rows, PIECE_ROWS):
            yield table.slice(at, PIECE_ROWS)

    # Arrow's reader
    def is_regular(self, chunk):
        """Whether Arrow's reader splits these rows as PostgreSQL would, as far as can be told before."""
        options, data = chunk.options, chunk.data
        if set(options) & {"force_not_null", "force_null", "default"} or options.get("header") == "match" or not len(data):
            return False
        if len(self.columns) < 1 or len(self.columns) == 1 and data[-1:] != b"\n":
            return False
        if self.format == "text":
            backslashes = count(data, b"\\")
            return options.get("null", "\\N") == "\\N" and (backslashes == 0 or backslashes == count(data, b"\\N"))
        quote = options.get("quote", '"')
        if options.get("escape", quote) != quote or not options.get("null", "").isprintable():
            return False
        quotes = count(data, quote.encode())
        return quotes == 0 or quotes % 2 == 0 and not quote_inside(data, options.get("delimiter", ","), quote)

    def split(self, chunk):
        """The Table of strings with as many columns as are wanted. Raises pa.ArrowInvalid if the rows are not regular."""
        options, names = chunk.options, [f"c{number}" for number in range(len(self.columns))]
        is_csv = self.format == "csv"
        return pyarrow.csv.read_csv(
            pa.BufferReader(chunk.data),
            pa.csv.ReadOptions(column_names=names, skip_rows=1 if options.get("header") is True else 0,
                               block_size=BLOCK_BYTES),
            pa.csv.ParseOptions(
                delimiter=options.get("delimiter", "," if is_csv else "\t"),
                quote_char=options.get("quote", '"') if is_csv else False, double_quote=is_csv, escape_char=False,
                newlines_in_values=is_csv, ignore_empty_lines=False),
            pa.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), null_values=[options.get("null", "" if is_csv else "\\N")],
                strings_can_be_null=True, quoted_strings_can_be_null=False))

    # row by row
    def rows(self, chunk):
        return Rows(chunk.data, chunk.path, self.format, chunk.options, [column.name for column in self.columns],
                    chunk.lines_before)

    def split_row_by_row(self, chunk):
        """The Table of strings, by PostgreSQL's rules."""
        columns, chunk.rows = [[] for _ in self.columns], self.rows(chunk)
        for _, fields in chunk.rows:
            for column, field in zip(columns, fields):
                column.append(field)
        return pa.table([pa.array(column, pa.large_string()) for column in columns],
                        names=[f"c{number}" for number in range(len(columns))])

    def refusal(self, chunk, row, number, fault):
        """The error for a value, with the line it stands in."""
        for at, (line, fields) in enumerate(self.rows(chunk)):
            if at == row:
                where = f'File "{chunk.path}", line {line}, column {self.columns[number].name}: {shown(fields[number])}'
                break
        return error(fault.sqlstate, fault.message, detail="\n".join(filter(None, (fault.detail, where))), hint=fault.hint)


@dataclass
class Chunk:
    """Whole rows of a file. options: of COPY, as they hold for these rows. rows: the Rows that read them, if those did."""
    path: str
    data: bytes
    lines_before: int
    options: dict
    rows: Any = None


def reading(path):
    """The file, decompressed if its name says that it is compressed. Not mapped: a file that becomes shorter while it is
    read would end the process."""
    try:
        if path.lower().endswith((".gz", ".bz2", ".zst", ".lz4")):
            return pa.input_stream(path, compression="detect")
        return open(path, "rb")
    except OSError as exception:
        raise file_error(exception, "read file", path) from exception


def read_bytes(path, file, size):
    """The next bytes of a file; none at its end."""
    try:
        return file.read(size)
    except OSError as exception:
        raise file_error(exception, "read file", path) from exception


def rows_end(data, format, options):
    """Where the last row in `data`, which begins with a row, ends for certain: behind a line end. 0 if none does."""
    stop = data.rfind(b"\n")
    if format != "csv":
        while stop >= 0 and backslashes_before(data, stop) % 2:         # then the line end is data
            stop = data.rfind(b"\n", 0, stop)
        return stop + 1
    quote = options.get("quote", '"')
    escape = options.get("escape", quote)
    if escape != quote:
        return rows_end_with_escape(data, quote.encode(), escape.encode())
    quotes = data.count(quote.encode(), 0, stop + 1)
    while stop >= 0 and quotes % 2:                                     # inside quotes
        before = data.rfind(b"\n", 0, stop)
        quotes, stop = quotes - data.count(quote.encode(), before + 1, stop), before
    return stop + 1


def rows_end_with_escape(data, quote, escape):
    """The same where quotes inside quotes are escaped by another letter."""
    inside, end = False, 0
    pair = re.escape(escape) + b"[" + re.escape(quote + escape) + b"]"
    for found in re.finditer(pair + b"|" + re.escape(quote) + b"|\n", data, re.DOTALL):
        mark = found.group()
        if mark == b"\n":
            end = end if inside else found.end()
        elif mark == quote or not inside and mark[1:] == quote:         # outside quotes the escape is a letter
            inside = not inside
    return end


def backslashes_before(data, stop):
    """How many backslashes stand before a place."""
    start = stop
    while start and data[start - 1:start] == b"\\":
        start -= 1
    return stop - start


def count(data, what):
    """How often one byte, or some, occur."""
    if len(what) == 1:
        return int(np.count_nonzero(np.frombuffer(data, np.uint8) == what[0]))
    return len(re.findall(re.escape(what), memoryview(data)))


def has_empty_line(data):
    """Whether a line, perhaps inside quotes, is empty."""
    return EMPTY_LINE.search(memoryview(data)) is not None


def empty_rows(table):
    """Whether some row of a table has only NULLs."""
    empty = np.ones(table.num_rows, bool)
    for column in table.columns:
        empty &= pc.is_null(column).to_numpy()
    return table.num_columns > 1 and bool(empty.any())


def quote_inside(data, delimiter, quote):
    """Whether some field has a quote that neither begins nor ends it nor is doubled: PostgreSQL takes it as a quote, Arrow
    as a letter."""
    key = delimiter, quote
    if key not in INSIDE_QUOTE:
        mark, other = re.escape(quote.encode()), b"[^" + re.escape((delimiter + quote).encode()) + b"\r\n]"
        INSIDE_QUOTE[key] = re.compile(other + mark + other)
    return INSIDE_QUOTE[key].search(memoryview(data)) is not None
