"""COPY TO: rows to a file in PostgreSQL's text or CSV format, or Parquet. A plain file exists whole or not at all."""
import re

import pyarrow as pa
import pyarrow.compute as pc

from caldera.base.errors import error
from caldera.storage.arrays import row_count
from caldera.storage.engine import ColumnData
from caldera.transaction.files import UserFile
from caldera.types.columns import to_arrow, to_text

CHUNK_ROWS = 1 << 16            # rows that become text at a time
ROW_GROUP_ROWS = 1 << 20
COMPRESSIONS = {"none": "NONE", "uncompressed": "NONE", "snappy": "SNAPPY", "gzip": "GZIP", "zstd": "ZSTD", "lz4": "LZ4"}
ESCAPES = (("\\", "\\\\"), ("\b", "\\b"), ("\f", "\\f"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"), ("\v", "\\v"))


def copy_to(path, format, options, names, types, columns, session=None):
    """Write rows. format: "csv", "text" or "parquet". options: of COPY, by lower-case name. names: of the columns; types:
    pairs (SqlType, modifier); columns: ColumnDatas. Returns how many rows. Raises 53100, 58P01 and the like, 22023 for
    options."""
    count = row_count(columns[0]) if columns else 0
    with UserFile(path) as file:
        if format == "parquet":
            write_parquet(file, options, names, types, columns)
        else:
            Texts(format, options, names).write(file, columns, count, session)
    return count


# ------------------------------------------------------------------------------------------------ Parquet

class Sink:
    """A UserFile as pyarrow wants a file."""

    def __init__(self, file):
        self.file, self.closed = file, False

    def write(self, data):
        self.file.write(data)
        return memoryview(data).nbytes

    def tell(self):
        return self.file.size

    def flush(self):
        """Nothing is held back."""

    def close(self):
        self.closed = True

    def readable(self):
        return False

    def seekable(self):
        return False

    def writable(self):
        return True


def write_parquet(file, options, names, types, columns):
    """Write columns as a Parquet file. Raises 22023 for options."""
    import pyarrow.parquet as pq
    compression = COMPRESSIONS.get(str(options.get("compression", "zstd")).lower())
    if compression is None:
        raise error("22023", f'compression "{options["compression"]}" not recognized')
    try:
        group_rows = int(options.get("row_group_size", ROW_GROUP_ROWS))
    except ValueError:
        raise error("22023", f'invalid value for option "row_group_size": "{options["row_group_size"]}"') from None
    arrays = [to_arrow(type, modifier, data.values, data.valid) for (type, modifier), data in zip(types, columns)]
    table = pa.Table.from_arrays(arrays, names=list(names))
    pq.write_table(table, pa.PythonFile(Sink(file), mode="w"), compression=compression, row_group_size=max(1, group_rows))


# ------------------------------------------------------------------------------------------------ text and CSV

class Texts:
    """Rows as lines, by the rules of COPY."""

    def __init__(self, format, options, names):
        self.is_csv, self.options, self.names = format == "csv", options, list(names)
        self.delimiter = options.get("delimiter", "," if self.is_csv else "\t")
        self.null = options.get("null", "" if self.is_csv else "\\N")
        self.quote = options.get("quote", '"')
        self.escape = options.get("escape", self.quote)
        forced = options.get("force_quote", ())
        self.forced = {number for number, name in enumerate(self.names) if forced == "*" or name in forced}
        if options.get("encoding", "utf8").lower().replace("-", "").replace("_", "") not in ("utf8", "unicode"):
            raise error("0A000", f'encoding "{options["encoding"]}" is not supported')

    def write(self, file, columns, count, session):
        if self.options.get("header"):
            cells = [self.cells(pa.array([name], pa.large_string()), None) for name in self.names]
            file.write(self.lines(cells, 1))
        for first in range(0, count, CHUNK_ROWS):
            rows = min(CHUNK_ROWS, count - first)
            cells = [self.cells(texts_of(data, first, rows, session), number) for number, data in enumerate(columns)]
            file.write(self.lines(cells, rows))

    def lines(self, cells, count):
        """The bytes of lines made of columns of cells."""
        if not cells:
            return b"\n" * count
        delimiter, nothing, line_end = (pa.scalar(text, pa.large_string()) for text in (self.delimiter, "", "\n"))
        joined = pc.binary_join_element_wise(*cells, delimiter) if len(cells) > 1 else cells[0]
        ended = pc.binary_join_element_wise(joined, nothing, line_end)
        offsets, blob = ended.buffers()[1:]
        ends = memoryview(offsets).cast("q")[ended.offset:ended.offset + count + 1]
        return memoryview(blob)[ends[0]:ends[count]] if blob is not None else b""

    def cells(self, texts, number):
        """Texts as they stand in the file; number: of the column, None for the header."""
        texts = self.csv_cells(texts, number) if self.is_csv else self.text_cells(texts)
        return texts.fill_null(self.null) if texts.null_count else texts

    def csv_cells(self, texts, number):
        """In quotes where they must be: where they hold a delimiter, a quote or a line end, or look like NULL."""
        special = "|".join(map(re.escape, (self.delimiter, self.quote, "\n", "\r")))
        needs = pc.or_(pc.match_substring_regex(texts, special), pc.equal(texts, self.null))
        if len(self.names) == 1:
            needs = pc.or_(needs, pc.equal(texts, "\\."))
        if number in self.forced:
            needs = pc.is_valid(texts)
        if not pc.any(needs).as_py():
            return texts
        inside = texts
        if self.escape != self.quote:
            inside = pc.replace_substring(inside, self.escape, self.escape * 2)
        inside = pc.replace_substring(inside, self.quote, self.escape + self.quote)
        mark, nothing = (pa.scalar(text, pa.large_string()) for text in (self.quote, ""))
        return pc.if_else(needs, pc.binary_join_element_wise(mark, inside, mark, nothing), texts)

    def text_cells(self, texts):
        """With backslashes before what would be read as something else."""
        for letter, escape in (*ESCAPES, (self.delimiter, "\\" + self.delimiter)):
            if letter == self.delimiter and letter == "\t" and escape != "\\t":
                continue
            if pc.any(pc.match_substring(texts, letter)).as_py():
                texts = pc.replace_substring(texts, letter, escape)
        return texts


def texts_of(data, first, count, session):
    """A run of rows as PostgreSQL writes them: an Arrow array of large strings."""
    values = (data.values[0][first:first + count + 1], data.values[1]) if isinstance(data.values, tuple) \
        else data.values[first:first + count]
    valid = None if data.valid is None else data.valid[first:first + count]
    part = ColumnData(data.type, values, valid)
    if data.type.name in ("int2", "int4", "int8", "text", "varchar", "bpchar"):
        return to_arrow(part.type, None, values, valid).cast(pa.large_string())
    return pa.array(to_text(part.type, values, valid, session), pa.large_string())
