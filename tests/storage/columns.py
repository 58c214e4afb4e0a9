"""Columns for the tests of storage: every layout, every encoding, awkward values; and how to compare them."""
import ctypes
import decimal
import random
import uuid

import numpy as np

import caldera.types  # noqa: F401  (registers the types)
from caldera.catalog.columns import ColumnSchema
from caldera.kernel import layouts
from caldera.kernel.decimal import number_of
from caldera.storage import arrays
from caldera.storage.engine import ColumnData
from caldera.types.registry import lookup
from caldera.types.text_arrays import text_from_bytes, text_items

TEXTS = [b"", b"a", b"tie", b"twelve bytes", b"thirteen byte", "größer als zwölf Bytes".encode(), "日本語".encode() * 200,
         b"\xf4\x8f\xbf\xbf" * 9]


def column(type_name, values, valid=None):
    """A ColumnData; texts are given as a list of bytes."""
    type = lookup(type_name)
    values = text_from_bytes(values) if type.layout is layouts.TEXT else np.asarray(values, type.layout.dtype)
    valid = None if valid is None else np.asarray(valid, np.uint8)
    return arrays.without_null_values(ColumnData(type, values, valid))


def numerics(mantissas, scales):
    """Two-word numerics of 64-bit mantissas."""
    mantissas = np.asarray(mantissas, np.int64)
    words = np.empty((len(mantissas), 2), np.int64)
    words[:, 0] = mantissas
    words[:, 1] = mantissas >> 63 & (1 << 48) - 1 | np.asarray(scales, np.int64) << 48
    return words


def wide_numerics(generator, count):
    """Two-word numerics whose mantissas need up to 112 bits, with special values among them."""
    words = generator.integers(-1 << 63, 1 << 63, (count, 2))
    words[:, 1] = words[:, 1] & (1 << 48) - 1 | generator.integers(0, 5, count) << 48
    for row, tag in enumerate((0x8000, 0x8001, 0x8002)):
        words[row::50] = 0, tag << 48 if tag < 0x8000 else (tag << 48) - (1 << 64)
    return words


def samples(seed, rows):
    """{name: ColumnData}: one column or more for each encoding of each layout, without NULLs."""
    generator = np.random.default_rng(seed)
    columns = {}
    for type_name, dtype in (("int2", np.int16), ("int4", np.int32), ("int8", np.int64)):
        limits = np.iinfo(dtype)
        for bits in (0, 1, 2, 4, 8, 16, 32, 63):
            if bits < limits.bits:
                values = generator.integers(0, 1 << bits, rows) - (1 << bits) // 3
                columns[f"{type_name}_{bits}"] = column(type_name, np.clip(values, limits.min, limits.max))
        columns[f"{type_name}_limits"] = column(type_name, generator.choice([limits.min, 0, limits.max], rows))
    columns["bool"] = column("bool", generator.integers(0, 2, rows))
    for type_name in ("float4", "float8"):
        columns[type_name] = column(type_name, generator.choice([np.nan, -0.0, 0.0, 1.5, np.inf, -np.inf], rows))
        columns[f"{type_name}_constant"] = column(type_name, np.full(rows, -0.0))
    for bits in (0, 1, 2, 4, 8, 16, 32, 63):
        values = generator.integers(0, 1 << bits, rows) - (1 << bits) // 2
        columns[f"numeric_{bits}"] = column("numeric", numerics(values, 3))
    mantissas, scales = generator.integers(-999, 999, rows), generator.integers(0, 3, rows)
    columns["numeric_scales"] = column("numeric", numerics(mantissas, scales))
    columns["numeric_wide"] = column("numeric", wide_numerics(generator, rows))
    columns["uuid"] = column("uuid", generator.integers(-1 << 63, 1 << 63, (rows, 2)))
    columns["interval"] = column("interval", generator.integers(-999, 999, (rows, 2)) * 3_600_000_000)
    for distinct in (1, 7, 300, rows // 3):
        chosen = generator.integers(0, distinct, rows)
        columns[f"text_{distinct}"] = column("text", [TEXTS[i] if i < len(TEXTS) else b"number %d" % i for i in chosen])
    columns["text_plain"] = column("text", [b"https://example.org/%d" % i * int(i % 3)
                                            for i in generator.integers(0, 1 << 60, rows)])
    return columns


def with_nulls(columns, seed, share=0.3):
    """The columns with NULLs strewn in, and once more with nothing else."""
    generator, changed = np.random.default_rng(seed), {}
    for name, data in columns.items():
        valid = generator.random(arrays.row_count(data)) >= share
        for suffix, mask in (("nulls", valid.astype(np.uint8)), ("void", np.zeros(len(valid), np.uint8))):
            changed[f"{name}_{suffix}"] = arrays.without_null_values(ColumnData(data.type, data.values, mask))
    return changed


def schema_of(columns):
    """ColumnSchemas for {name: ColumnData}."""
    return [ColumnSchema(name, data.type) for name, data in columns.items()]


def rows_of(data):
    """A column as a list of comparable things, None for NULL: bytes of the value."""
    if arrays.is_text(data.type):
        items = text_items(data.values)
    else:
        items = [value.tobytes() for value in data.values]
    return items if data.valid is None else [item if ok else None for item, ok in zip(items, data.valid.tolist())]


def cells_at(address, count):
    """Texts of cells in memory, as bytes."""
    texts = []
    for word0, word1 in np.ctypeslib.as_array((ctypes.c_int64 * (2 * count)).from_address(address)).reshape(-1, 2).tolist():
        length = word0 & 0xFFFFFFFF
        inline = word0.to_bytes(8, "little", signed=True)[4:] + word1.to_bytes(8, "little", signed=True)
        text = inline[:length] if length <= 12 else ctypes.string_at(word1, length)
        assert length <= 12 or inline[:4] == text[:4]
        texts.append(text)
    return texts


def datums(data):
    """A column as datums that Python orders as SQL does, for types where that is simple; None for NULL."""
    name = data.type.name
    if name == "text":
        values = [item.decode() for item in text_items(data.values)]
    elif name == "numeric":
        values = [number_of(*words) for words in data.values.tolist()]
    elif name == "uuid":
        values = [uuid.UUID(int=(high & (1 << 64) - 1) << 64 | low & (1 << 64) - 1) for high, low in data.values.tolist()]
    else:
        values = data.values.tolist()
    return values if data.valid is None else [value if ok else None for value, ok in zip(values, data.valid.tolist())]


def sort_key(datum):
    """A key that orders datums as SQL does, NaN last."""
    if isinstance(datum, (float, decimal.Decimal)):
        return datum != datum, 0 if datum != datum else datum
    return datum.encode() if isinstance(datum, str) else datum


def some_runs(seed, rows, count):
    """(first row, row count) of runs to decode: edges, and random ones."""
    chooser = random.Random(seed)
    runs = [(0, min(rows, 1024)), (rows - 1, 1), (max(0, rows - 7), min(rows, 7)), (min(5, rows - 1), 1)]
    for _ in range(count):
        first = chooser.randrange(rows)
        runs.append((first, chooser.randint(1, min(1100, rows - first))))
    return runs
