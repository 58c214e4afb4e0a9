"""What generators of benchmarks write, text with fields between bars and nothing for NULL, as Parquet files.

    into_parquet("store.dat", "store.parquet", (("s_store_sk", "INTEGER"), ("s_store_id", "CHAR(16)"), ...))
"""
import re


def into_parquet(written, path, columns):
    """Copy the rows of a table. columns: pairs of a name and a SQL type. The text is in Latin-1, or ASCII."""
    import pyarrow.csv
    import pyarrow.parquet
    reader = pyarrow.csv.open_csv(
        written, pyarrow.csv.ReadOptions(column_names=[name for name, _ in columns], encoding="latin-1"),
        pyarrow.csv.ParseOptions(delimiter="|", quote_char=False),
        pyarrow.csv.ConvertOptions(column_types={name: arrow_type(kind) for name, kind in columns},
                                   strings_can_be_null=True, null_values=[""]))
    with pyarrow.parquet.ParquetWriter(path, reader.schema) as sink:
        for batch in reader:
            sink.write_batch(batch)


def arrow_type(kind):
    """Arrow's type for a SQL type: INTEGER, DATE, DECIMAL(p,s), CHAR(n) or VARCHAR(n)."""
    import pyarrow
    decimal = re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", kind)
    if decimal:
        return pyarrow.decimal128(int(decimal[1]), int(decimal[2]))
    return {"INTEGER": pyarrow.int32(), "DATE": pyarrow.date32()}.get(kind, pyarrow.string())
