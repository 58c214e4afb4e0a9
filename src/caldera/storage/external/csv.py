"""CSV files as tables: empty fields are NULL, and types are inferred from the beginning of each file.

    the first SAMPLE_BYTES ─▶ names and types, unified over all files ─▶ the files in batches, as these types
"""
import contextlib

import pyarrow as pa
import pyarrow.csv as pc

from caldera.base.errors import error
from caldera.storage.engine import ColumnData
from caldera.storage.external.relation import check_options, schema_of, truth
from caldera.storage.external.row_stream import Lane, RowStream, StreamedRelation, piece_of
from caldera.transaction.files import file_error
from caldera.types.columns import from_arrow

OPTIONS = ("delimiter", "delim", "sep", "header", "quote", "escape", "nullstr", "null", "names", "all_varchar")
SAMPLE_BYTES = 1 << 23          # and of a batch: longer rows cannot be read
FIRST_BYTES = 1 << 20           # of a batch where perhaps only the first rows are wanted


class CsvRelation(StreamedRelation):
    """CSV files with columns that go together. version: the files' fingerprints, in order (see files). options: delimiter,
    header (true), quote, escape, null (""), names (a list separated by commas), all_varchar. Raises 22023 for options, 22P04
    for rows that have too many or too few fields, 42804 for files that do not go together."""

    def __init__(self, paths, options, version):
        check_options("read_csv", options, OPTIONS)
        self.paths, self.prints, self.where = paths, dict(zip(paths, version)), f'file "{paths[0]}"'
        self.options, self.sizes, self.row_counts, self.names, schema = options, dict.fromkeys(paths, 1), {}, {}, None
        for path in paths:
            found = self.sample(path)
            self.names[path] = set(found.names)
            schema = found if schema is None else self.unified(schema, found, path)
        self.arrow_types = {field.name: field.type for field in schema}
        self.columns = schema_of(schema, self.where)
        self.types = {column.name: column.type for column in self.columns}

    def sample(self, path):
        """The schema of a file's beginning. Notes about how many rows and batches there are."""
        size = self.prints[path][1]
        with self.opened(path, SAMPLE_BYTES) as reader:
            schema = reader.schema
            with self.told(path):
                batch = following(reader)
        self.sizes[path] = -(-size // SAMPLE_BYTES) or 1
        self.row_counts[path] = (0 if batch is None else batch.num_rows) * max(SAMPLE_BYTES, size) // SAMPLE_BYTES
        fields = []
        for field in schema:
            type = field.type
            if truth(self.options, "all_varchar") or pa.types.is_null(type):
                type = pa.string()
            elif type == pa.timestamp("s"):
                type = pa.timestamp("us")               # later rows may have fractions
            fields.append(pa.field(field.name, type))
        return pa.schema(fields)

    def unified(self, schema, other, path):
        """The schema that rows of both fit in."""
        try:
            return pa.unify_schemas([schema, other], promote_options="permissive")
        except (pa.ArrowInvalid, pa.ArrowTypeError) as exception:
            raise error("42804", f'the columns of file "{path}" do not go together with those of "{self.paths[0]}"',
                        detail=str(exception).splitlines()[0]) from exception

    def version(self, snapshot):
        return "csv", tuple(self.prints.values()), str(sorted(self.options.items()))

    def row_estimate(self, snapshot):
        return sum(self.row_counts.values())

    def stream(self, names, ranges=(), in_order=False):
        names = list(dict.fromkeys(names))
        lanes = [self.lane(path, names, FIRST_BYTES if in_order else SAMPLE_BYTES) for path in self.paths]
        return RowStream(lanes, dict.fromkeys(names, True), self.row_estimate(None), sum(self.sizes.values()), "Files",
                         len(lanes))

    def lane(self, path, names, block_bytes):
        """The Lane of a file."""
        def convert(batch):
            columns = {}
            for name in names:
                array = batch.column(name) if name in self.names[path] else pa.nulls(batch.num_rows, self.arrow_types[name])
                columns[name] = ColumnData(self.types[name], *from_arrow(self.types[name], array))
            return piece_of(batch.num_rows, columns)
        return Lane(self.read(path, [name for name in names if name in self.names[path]], block_bytes), convert)

    def read(self, path, names, block_bytes):
        """Yield record batches with some columns of a file; with some other column if there are none."""
        self.check(path)
        types = {name: type for name, type in self.arrow_types.items() if name in self.names[path]}
        wanted = names or [min(types)]
        types |= {} if names else {wanted[0]: pa.string()}
        with self.opened(path, block_bytes, column_types=types, include_columns=wanted) as reader:
            while True:
                with self.told(path):
                    batch = following(reader)
                self.check(path)
                if batch is None:
                    return
                yield batch

    def opened(self, path, block_bytes, **converting):
        """Arrow's reader of a file."""
        options = self.options
        delimiter = next((str(options[name]) for name in ("delimiter", "delim", "sep") if name in options), None)
        if delimiter is None:
            delimiter = "\t" if ".tsv" in path.lower() else ","
        has_header = truth(options, "header", True)
        names = [name.strip() for name in str(options["names"]).split(",")] if "names" in options else None
        null = next((str(options[name]) for name in ("null", "nullstr") if name in options), "")
        quote = str(options.get("quote", '"'))
        escape = str(options.get("escape", quote))
        if len(delimiter) != 1 or len(quote) > 1 or len(escape) > 1:
            raise error("22023", "delimiter, quote and escape of read_csv must be single characters")
        with self.told(path):
            return pc.open_csv(
                path, pc.ReadOptions(column_names=names, autogenerate_column_names=names is None and not has_header,
                                     skip_rows=1 if names and has_header else 0, block_size=block_bytes),
                pc.ParseOptions(delimiter=delimiter, quote_char=quote or False, double_quote=escape == quote,
                                escape_char=False if escape in (quote, "") else escape, newlines_in_values=True),
                pc.ConvertOptions(null_values=[null], strings_can_be_null=True, quoted_strings_can_be_null=False,
                                  **converting))

    @contextlib.contextmanager
    def told(self, path):
        """What Arrow raises inside becomes the database's errors."""
        try:
            yield
        except pa.ArrowInvalid as exception:
            self.check(path)
            reason = str(exception).splitlines()[0]
            if "Empty CSV file" in reason:
                raise error("22P04", f'file "{path}" is empty: it has no header') from exception
            if "conversion error" in reason:
                raise error("22P02", f'could not read file "{path}": {reason}',
                            hint=f"Types are inferred from the first {SAMPLE_BYTES >> 20} MB; "
                                 "read_csv('...', all_varchar => true) takes all fields as text.") from exception
            raise error("22P04", f'could not read file "{path}": {reason}') from exception
        except OSError as exception:
            raise file_error(exception, "read file", path) from exception


def following(reader):
    """The next batch of a reader, None at its end."""
    try:
        return reader.read_next_batch()
    except StopIteration:
        return None
