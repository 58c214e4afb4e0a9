"""CSV files as tables: types are inferred from all rows, and empty fields are NULL."""
import pyarrow as pa
import pyarrow.csv as pc

from caldera.base.errors import error
from caldera.storage.external.frames import ArrowRelation
from caldera.storage.external.relation import truth
from caldera.transaction.files import file_error

OPTIONS = {"delimiter", "delim", "sep", "header", "quote", "escape", "null", "nullstr", "names", "all_varchar"}


def read_csv(paths, options):
    """The relation of CSV files. options: delimiter, header (true), quote, escape, null (""), names (a list separated by
    commas), all_varchar. Raises 22023 for options, 22P04 for rows that have too many or too few fields."""
    unknown = set(options) - OPTIONS
    if unknown:
        raise error("22023", f'unrecognized option "{min(unknown)}" of read_csv')
    tables = [read_one(path, options) for path in paths]
    if len(tables) > 1:
        try:
            tables = [pa.concat_tables(tables, promote_options="permissive")]
        except (pa.ArrowInvalid, pa.ArrowTypeError) as exception:
            raise error("42804", f'the files "{paths[0]}", ... have columns that do not go together',
                        detail=str(exception)) from exception
    return ArrowRelation(tables[0], f'file "{paths[0]}"')


def read_one(path, options):
    """The Arrow table of one file."""
    delimiter = next((str(options[name]) for name in ("delimiter", "delim", "sep") if name in options), None)
    if delimiter is None:
        delimiter = "\t" if ".tsv" in path.lower() else ","
    has_header = truth(options.get("header", True))
    names = [name.strip() for name in str(options["names"]).split(",")] if "names" in options else None
    null = next((str(options[name]) for name in ("null", "nullstr") if name in options), "")
    quote = str(options.get("quote", '"'))
    escape = str(options.get("escape", quote))
    if len(delimiter) != 1 or len(quote) > 1 or len(escape) > 1:
        raise error("22023", "delimiter, quote and escape of read_csv must be single characters")
    parsing = dict(
        read_options=pc.ReadOptions(column_names=names, autogenerate_column_names=names is None and not has_header,
                                    skip_rows=1 if names and has_header else 0, block_size=1 << 24),
        parse_options=pc.ParseOptions(delimiter=delimiter, quote_char=quote or False, double_quote=escape == quote,
                                      escape_char=False if escape in (quote, "") else escape, newlines_in_values=True))
    converting = dict(null_values=[null], strings_can_be_null=True, quoted_strings_can_be_null=False)
    try:
        if truth(options.get("all_varchar", False)):
            found = pc.open_csv(path, **parsing).schema.names
            converting["column_types"] = dict.fromkeys(found, pa.string())
        return pc.read_csv(path, **parsing, convert_options=pc.ConvertOptions(**converting))
    except pa.ArrowInvalid as exception:
        if "Empty CSV file" in str(exception):
            raise error("22P04", f'file "{path}" is empty: it has no header') from exception
        raise error("22P04", f'could not read file "{path}": {exception}') from exception
    except OSError as exception:
        raise file_error(exception, "read file", path) from exception
