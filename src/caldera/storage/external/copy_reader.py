"""COPY FROM: files in PostgreSQL's text and CSV formats, read as the columns of a table.

    file ─▶ Arrow's CSV reader: columns of texts ─▶ conversion ─▶ ColumnData          nearly always
       └──▶ the rows one by one, by PostgreSQL's rules ─▶ the same                    options that Arrow lacks; errors

Arrow splits a file in the same way as PostgreSQL if it is regular. When it is not, or a value is refused, the file is read
again row by row, so that the error is PostgreSQL's and says in which line it is.
"""
import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from caldera.base.errors import error
from caldera.storage.external.conversion import Refused, column_of_texts
from caldera.storage.external.copy_rows import Rows, shown
from caldera.storage.external.files import fingerprint, matching
from caldera.storage.external.relation import ReadOnlyRelation
from caldera.storage.segment import memory_segment
from caldera.transaction.files import file_error

ROW_BYTES_GUESS, SEGMENT_ROWS = 100, 1 << 20
BLOCK_BYTES, WHOLE_BYTES = 1 << 24, 1 << 28      # files up to WHOLE_BYTES are split at once, by all cores
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


class CopyRelation(ReadOnlyRelation):
    """Files in text or CSV format as a table. They are read when they are scanned."""

    def __init__(self, paths, format, options, columns, session):
        self.paths, self.format, self.options, self.session = paths, format, dict(options), session
        self.columns, self.where = tuple(columns), f'file "{paths[0]}"'
        self.prints = [fingerprint(path, " for reading") for path in paths]
        if self.options.get("encoding", "utf8").lower().replace("-", "").replace("_", "") not in ("utf8", "unicode"):
            raise error("0A000", f'encoding "{self.options["encoding"]}" is not supported')
        if self.options.get("on_error", "stop") != "stop":
            raise error("0A000", "COPY ON_ERROR ignore is not supported")

    def version(self, snapshot):
        return "copy", tuple(self.prints), self.format, str(sorted(self.options.items()))

    def row_estimate(self, snapshot):
        return 1 + sum(size for _, size, *_ in self.prints) // ROW_BYTES_GUESS

    def segments(self, names, ranges):
        for path in self.paths:
            for columns in self.read(path):
                yield memory_segment(columns), 0

    def read(self, path):
        """Yield {name: ColumnData} for runs of rows of one file."""
        data, first = read_bytes(path), 0
        for table in self.tables(path, data):
            converted, refusals = {}, []
            for number, column in enumerate(self.columns):
                try:
                    texts = table.column(number)
                    converted[column.name] = column_of_texts(column.type, column.modifier, texts, self.session)
                except Refused as refused:
                    refusals.append((refused.row, number, refused.fault))
            if refusals:
                row, number, fault = min(refusals, key=lambda refusal: refusal[:2])
                raise self.refusal(path, data, first + row, number, fault)
            first += table.num_rows
            yield converted

    def tables(self, path, data):
        """Yield Tables of strings, of at most SEGMENT_ROWS rows, that together are a file."""
        done = 0
        if self.is_regular(data):
            suspicious = has_empty_line(data)               # Arrow takes an empty line for a row of NULLs
            try:
                for batch in self.split(data):
                    if suspicious and empty_rows(batch):
                        break
                    for at in range(0, batch.num_rows, SEGMENT_ROWS):
                        yield batch.slice(at, SEGMENT_ROWS)
                    done += batch.num_rows
                else:
                    return
            except (pa.ArrowInvalid, pa.ArrowKeyError):
                pass                                        # the rows one by one tell what is wrong, or read it after all
        rest = self.split_row_by_row(path, data).slice(done)
        for at in range(0, rest.num_rows, SEGMENT_ROWS):
            yield rest.slice(at, SEGMENT_ROWS)

    # Arrow's reader
    def is_regular(self, data):
        """Whether Arrow's reader splits this file as PostgreSQL would, as far as can be told before."""
        options = self.options
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

    def split(self, data):
        """Tables of strings with as many columns as are wanted; large files come in several. Raises pa.ArrowInvalid if the
        file is not regular."""
        options, names = self.options, [f"c{number}" for number in range(len(self.columns))]
        is_csv = self.format == "csv"
        reading = dict(
            read_options=pa.csv.ReadOptions(column_names=names, skip_rows=1 if options.get("header") is True else 0,
                                            block_size=BLOCK_BYTES),
            parse_options=pa.csv.ParseOptions(
                delimiter=options.get("delimiter", "," if is_csv else "\t"),
                quote_char=options.get("quote", '"') if is_csv else False, double_quote=is_csv, escape_char=False,
                newlines_in_values=is_csv, ignore_empty_lines=False),
            convert_options=pa.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), null_values=[options.get("null", "" if is_csv else "\\N")],
                strings_can_be_null=True, quoted_strings_can_be_null=False))
        if len(data) <= WHOLE_BYTES:
            yield pyarrow.csv.read_csv(pa.BufferReader(data), **reading)
            return
        waiting, size = [], 0
        for batch in pyarrow.csv.open_csv(pa.BufferReader(data), **reading):
            waiting.append(batch)
            size += batch.nbytes
            if size >= WHOLE_BYTES:
                yield pa.Table.from_batches(waiting)
                waiting, size = [], 0
        if waiting:
            yield pa.Table.from_batches(waiting)

    # row by row
    def rows(self, path, data):
        return Rows(bytes(data), path, self.format, self.options, [column.name for column in self.columns])

    def split_row_by_row(self, path, data):
        columns = [[] for _ in self.columns]
        for _, fields in self.rows(path, data):
            for column, field in zip(columns, fields):
                column.append(field)
        return pa.table([pa.array(column, pa.large_string()) for column in columns],
                        names=[f"c{number}" for number in range(len(columns))])

    def refusal(self, path, data, row, number, fault):
        """The error for a value, with the line it stands in."""
        for at, (line, fields) in enumerate(self.rows(path, data)):
            if at == row:
                where = f'File "{path}", line {line}, column {self.columns[number].name}: {shown(fields[number])}'
                break
        return error(fault.sqlstate, fault.message, detail="\n".join(filter(None, (fault.detail, where))), hint=fault.hint)


def read_bytes(path):
    """The bytes of a file, decompressed if its name says that it is compressed: a pyarrow Buffer. Not mapped: a file that
    becomes shorter while it is read would end the process."""
    try:
        if path.lower().endswith((".gz", ".bz2", ".zst", ".lz4")):
            with pa.input_stream(path, compression="detect") as stream:
                return pa.py_buffer(stream.read())
        with pa.OSFile(path) as file:
            return file.read_buffer()
    except OSError as exception:
        raise file_error(exception, "read file", path) from exception


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
