"""Column arrays to and from Arrow, whole columns at a time.

    pyarrow type  ─ sql_type_of ─▶ (SQL type, modifier)
    pyarrow array ─ plain ─▶ without dictionary, runs, extension ─ READERS ─▶ (values, valid)
    (values, valid) ─ WRITERS ─▶ pyarrow array

Arrow counts days and microseconds from 1970. It has no infinite dates: those are the least and the greatest number of the
type, both ways. Numerics are decimals of 128 bits where they fit, else of 256, else text.
"""
import functools
from itertools import islice
from math import prod

import numpy as np

from caldera.base.errors import error
from caldera.base.lazy import LazyModule
from caldera.kernel import layouts
from caldera.kernel.decimal import BIG, words_of
from caldera.types.array import array_of
from caldera.types.array_image import EMPTY, Array, joined
from caldera.types.boolean import BOOL
from caldera.types.bytea import BYTEA
from caldera.types.calendar import DATE_MAX, DATE_MIN, MOMENT_END, MOMENT_MIN, UNIX_EPOCH, UNIX_EPOCH_DAYS
from caldera.types.date import DATE
from caldera.types.datums import from_datums, row_count, to_datums, to_text
from caldera.types.floats import FLOAT4, FLOAT8
from caldera.types.integers import INT2, INT4, INT8
from caldera.types.interval import INTERVAL
from caldera.types.numeric import NUMERIC
from caldera.types.record import RecordType
from caldera.types.text import TEXT
from caldera.types.text_arrays import from_binary
from caldera.types.time import TIME
from caldera.types.timestamp import TIMESTAMP, TIMESTAMPTZ
from caldera.types.uuid import UUID_TYPE

pa = LazyModule("pyarrow")
pc = LazyModule("pyarrow.compute")

NANOSECONDS = {"s": 1_000_000_000, "ms": 1_000_000, "us": 1000, "ns": 1}
MONTH_DAY_NANO = np.dtype([("months", "<i4"), ("days", "<i4"), ("nanoseconds", "<i8")])
JSON_NAMES = {"json", "jsonb", "jsonpath"}              # texts that must be read
STRING_BYTES_MAX = 2**31 - 1
DECIMAL128_DIGITS, DECIMAL256_DIGITS = 38, 76


@functools.cache
def simple_types():
    """{pyarrow type: SQL type} where there is nothing more to say."""
    return {pa.bool_(): BOOL, pa.int8(): INT2, pa.uint8(): INT2, pa.int16(): INT2, pa.uint16(): INT4, pa.int32(): INT4,
            pa.uint32(): INT8, pa.int64(): INT8, pa.float16(): FLOAT4, pa.float32(): FLOAT4, pa.float64(): FLOAT8,
            pa.string(): TEXT, pa.large_string(): TEXT, pa.string_view(): TEXT, pa.null(): TEXT,
            pa.binary(): BYTEA, pa.large_binary(): BYTEA, pa.binary_view(): BYTEA, pa.date32(): DATE, pa.date64(): DATE,
            pa.month_day_nano_interval(): INTERVAL}


def sql_type_of(arrow_type):
    """(SQL type, modifier) for the values of an Arrow type. 0A000 for nested types and others that have no counterpart."""
    if arrow_type in simple_types():
        return simple_types()[arrow_type], None
    if arrow_type == pa.uint64():
        return NUMERIC, (20, 0)
    if isinstance(arrow_type, pa.BaseExtensionType):
        return sql_type_of(arrow_type.storage_type)
    if pa.types.is_dictionary(arrow_type) or pa.types.is_run_end_encoded(arrow_type):
        return sql_type_of(arrow_type.value_type)
    if pa.types.is_decimal(arrow_type):
        return NUMERIC, (arrow_type.precision, arrow_type.scale)
    if pa.types.is_timestamp(arrow_type):
        return (TIMESTAMPTZ if arrow_type.tz else TIMESTAMP), None
    if pa.types.is_time(arrow_type):
        return TIME, None
    if pa.types.is_duration(arrow_type):
        return INTERVAL, None
    if pa.types.is_fixed_size_binary(arrow_type):
        return (UUID_TYPE if arrow_type.byte_width == UUID_TYPE.length else BYTEA), None
    if is_list(arrow_type):
        type, modifier = sql_type_of(arrow_type.value_type)
        return type if type.category == "A" else array_of(type), modifier
    raise error("0A000", f"Arrow type {arrow_type} is not supported")


def is_list(arrow_type):
    """Whether values of an Arrow type are lists; lists of lists are arrays of two dimensions."""
    return pa.types.is_list(arrow_type) or pa.types.is_large_list(arrow_type) or pa.types.is_fixed_size_list(arrow_type)


def plain(array):
    """One array of a chunked one, without extension, dictionary and run-end encoding, and with 64-bit offsets."""
    if isinstance(array.type, pa.BaseExtensionType):
        array = array.cast(array.type.storage_type) if isinstance(array, pa.ChunkedArray) else array.storage
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if pa.types.is_run_end_encoded(array.type):
        array = pc.run_end_decode(array)
    kind = array.type
    if pa.types.is_string(kind) or kind == pa.string_view():
        array = array.cast(pa.large_string())
    elif (pa.types.is_binary(kind) or kind == pa.binary_view()
          or pa.types.is_fixed_size_binary(kind) and kind.byte_width != UUID_TYPE.length):
        array = array.cast(pa.large_binary())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def from_arrow(type, array):
    """(values, valid) of an Arrow array or chunked array, as values of a SQL type. Of lists: arrays.

    The array's type need not be the one of `arrow_type`: numbers are converted, texts parsed. Raises 22003, 22008 or 22021
    for values that the SQL type cannot hold, 22P02 for texts it cannot read, 42846 for types that do not go together.
    """
    array = plain(array)
    if is_list(array.type) and type.category == "A":
        return from_datums(type, read_lists(type, array))
    valid = None
    if pa.types.is_null(array.type):
        array = pa.nulls(len(array), pa.large_string())
    if array.null_count:
        valid = pc.is_valid(array).cast(pa.uint8()).to_numpy(zero_copy_only=False)
    is_text = pa.types.is_large_string(array.type)
    if is_text and (type.layout is not layouts.TEXT or type.name in JSON_NAMES or type.arrow_as_text):
        return from_datums(type, [None if text is None else type.parse(text) for text in array.to_pylist()])
    try:
        return READERS.get(type.name, READERS[type.layout.name])(type, array), valid
    except (pa.ArrowInvalid, OverflowError):
        code, name = ("22008", type.name) if type.category == "D" else ("22003", type.sql_name)
        raise error(code, f"{name} out of range") from None
    except (pa.ArrowNotImplementedError, pa.ArrowTypeError):
        raise error("42846", f"cannot cast Arrow type {array.type} to {type.sql_name}") from None


def buffer_of(array, dtype):
    """The numbers in an array of fixed width, zeros at NULLs."""
    if array.null_count:
        array = array.fill_null(0)
    return np.frombuffer(array.buffers()[1], dtype, len(array), array.offset * np.dtype(dtype).itemsize) if len(array) else \
        np.zeros(0, dtype)


def read_lists(type, array):
    """The Arrays of lists, None for NULL. Raises 2202E for lists of lists that are not alike."""
    lengths, inner = pc.list_value_length(array).to_pylist(), plain(pc.list_flatten(array))
    nested = is_list(inner.type)
    items = iter(read_lists(type, inner) if nested else to_datums(type.element, *from_arrow(type.element, inner)))
    found = []
    for length in lengths:
        parts = None if length is None else list(islice(items, length))
        found.append(None if parts is None else joined(parts) if nested else Array.of(parts))
    return found


# from Arrow: one function a layout or type, (type, array) -> values
def read_number(type, array):
    """Integers, floats and booleans: whatever number is given, converted."""
    if pa.types.is_floating(array.type) and type.layout not in (layouts.FLOAT4, layouts.FLOAT8):
        array = pc.round(array, round_mode="half_to_even")
    if array.type == pa.float16():
        array = array.cast(pa.float32())
    if pa.types.is_decimal(array.type) and type.python_type is int:
        array = pc.round(array, round_mode="half_towards_infinity")
    if type.name == "bool":
        array = array.cast(pa.bool_())
    target = pa.from_numpy_dtype(type.layout.dtype)
    converted = array.cast(target, safe=type.python_type is not float)
    return buffer_of(converted, type.layout.dtype)


def read_date(type, array):
    """Days since 1970 to days since 2000."""
    days = buffer_of(array.cast(pa.date32()).cast(pa.int32()), np.int32)
    return within(shifted(days, UNIX_EPOCH_DAYS, array), DATE_MIN, DATE_MAX)


def read_moment(type, array):
    """Timestamps of any unit, or dates."""
    if pa.types.is_date(array.type):
        array = array.cast(pa.timestamp("us"))
    return within(shifted(microseconds(array), UNIX_EPOCH, array), MOMENT_MIN, MOMENT_END - 1)


def read_time(type, array):
    """Times of day of any unit."""
    return microseconds(array)


def shifted(numbers, distance, array=None):
    """Numbers moved by a distance, but for the least and greatest, which mean infinity; NULLs stay zero."""
    ends = np.iinfo(numbers.dtype)
    moved = numbers + numbers.dtype.type(distance)
    infinite = (numbers == ends.min) | (numbers == ends.max)
    if ((moved > numbers) != (distance > 0))[~infinite].any():
        raise OverflowError
    moved = np.where(infinite, numbers, moved)
    if array is not None and array.null_count:
        moved *= pc.is_valid(array).to_numpy(zero_copy_only=False)
    return moved


def within(numbers, least, greatest):
    """The numbers, if all lie between two bounds or are infinite."""
    ends = np.iinfo(numbers.dtype)
    if (((numbers < least) & (numbers != ends.min)) | ((numbers > greatest) & (numbers != ends.max))).any():
        raise OverflowError
    return numbers


def microseconds(array):
    """Counts of a unit of time as microseconds; nanoseconds are cut, towards the past."""
    unit = getattr(array.type, "unit", None)
    if unit not in NANOSECONDS:
        raise pa.ArrowTypeError
    narrow = array.type.bit_width == 32
    numbers = buffer_of(array.cast(pa.int32() if narrow else pa.int64()), np.int32 if narrow else np.int64).astype(np.int64)
    if unit == "ns":
        return numbers // 1000
    factor = NANOSECONDS[unit] // 1000
    if factor > 1 and len(numbers) and max(-int(numbers.min()), int(numbers.max())) * factor >= 2**63:
        raise OverflowError
    return numbers * factor


def read_interval(type, array):
    """Durations, or Arrow's own intervals."""
    values = np.zeros((len(array), 2), np.int64)
    if pa.types.is_duration(array.type):
        values[:, 0] = microseconds(array)
    elif array.type == pa.month_day_nano_interval() and len(array):
        parts = np.frombuffer(array.buffers()[1], MONTH_DAY_NANO, len(array), array.offset * 16)
        ends = np.iinfo(np.int64)
        infinite = (parts["nanoseconds"] == ends.min) | (parts["nanoseconds"] == ends.max)
        truncated = np.sign(parts["nanoseconds"]) * (np.abs(parts["nanoseconds"]) // 1000)
        values[:, 0] = np.where(infinite, parts["nanoseconds"], truncated)
        values[:, 1] = parts["months"].astype(np.int64) << 32 | parts["days"].view(np.uint32)
    elif len(array):
        raise pa.ArrowTypeError
    return zeroed(values, array)


def zeroed(values, array):
    """The values with zeros where the array is NULL."""
    if array.null_count:
        values[~pc.is_valid(array).to_numpy(zero_copy_only=False)] = 0
    return values


def read_uuid(type, array):
    """Values of 16 bytes."""
    if len(array) == 0:
        return np.zeros((0, 2), np.int64)
    if not pa.types.is_fixed_size_binary(array.type):
        raise pa.ArrowTypeError
    halves = np.frombuffer(array.buffers()[1], ">i8", 2 * len(array), array.offset * 16)
    return zeroed(halves.astype(np.int64).reshape(-1, 2), array)


def read_text(type, array):
    """(offsets, blob). Text must be UTF-8 without zero bytes; numbers and the like are written as Arrow writes them."""
    if not pa.types.is_large_binary(array.type):
        if type.name == "bytea" and not pa.types.is_large_string(array.type):
            raise pa.ArrowTypeError
        array = array.cast(pa.large_string())
    if array.null_count:
        array = array.fill_null(b"" if pa.types.is_large_binary(array.type) else "")
    offsets, blob = from_binary(array)
    if type.name != "bytea":
        check_text(offsets, blob[:int(offsets[-1])])
    return offsets, blob


def check_text(offsets, blob):
    """Raises 22021 unless every row is UTF-8 without zero bytes."""
    shown = None
    if len(blob) and not blob.all():
        shown = "0x00"
    elif len(blob) and blob.max() >= 128:
        array = pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(blob))
        try:
            array.validate(full=True)
        except pa.ArrowInvalid:
            shown = first_bad_bytes(offsets, blob)
    if shown:
        raise error("22021", f'invalid byte sequence for encoding "UTF8": {shown}')


def first_bad_bytes(offsets, blob):
    """The first bytes that are no UTF-8, as PostgreSQL shows them: as many as their first byte promises."""
    for first, last in zip(offsets, offsets[1:]):
        row = blob[first:last].tobytes()
        try:
            row.decode()
        except UnicodeDecodeError as fault:
            lead = row[fault.start]
            length = 1 if lead < 0xC0 or lead >= 0xF8 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
            return " ".join(f"0x{byte:02x}" for byte in row[fault.start:fault.start + length])
    raise AssertionError("every row is UTF-8")


def read_numeric(type, array):
    """Decimals, integers and floats."""
    if pa.types.is_floating(array.type):
        return read_numeric_rows(type, array)
    if pa.types.is_integer(array.type):
        array = array.cast(pa.decimal128(20, 0))
    kind = array.type
    if kind.scale < 0 or kind.precision > DECIMAL128_DIGITS:
        digits = min(kind.precision + max(-kind.scale, 0), DECIMAL256_DIGITS)
        array = array.cast(pa.decimal256(digits, max(kind.scale, 0)))
        return read_numeric_rows(type, array)
    if kind.bit_width < 128:
        array = array.cast(pa.decimal128(kind.precision, kind.scale))
    if len(array) == 0:
        return np.zeros((0, 2), np.int64)
    words = np.frombuffer(array.buffers()[1], np.int64, 2 * len(array), array.offset * 16).reshape(-1, 2)
    values = words.copy()
    values[:, 1] = words[:, 1] & 0xFFFFFFFFFFFF | kind.scale << 48
    too_long = words[:, 1] << 16 >> 16 != words[:, 1]
    if array.null_count:
        too_long &= pc.is_valid(array).to_numpy(zero_copy_only=False)
    for row in np.flatnonzero(too_long).tolist():
        values[row] = words_of(array[row].as_py())
    return zeroed(values, array)


def read_numeric_rows(type, array):
    """Numbers one by one: those that are not decimals of 128 bits."""
    words = [(0, 0) if number is None else words_of(type.from_python(number)) for number in array.to_pylist()]
    return np.array(words, np.int64).reshape(-1, 2)


READERS = {"date": read_date, "timestamp": read_moment, "timestamptz": read_moment, "time": read_time,
           "NUMERIC": read_numeric, "INTERVAL": read_interval, "UUID": read_uuid, "TEXT": read_text,
           **dict.fromkeys(("BOOLEAN", "INT2", "INT4", "INT8", "FLOAT4", "FLOAT8"), read_number)}


# to Arrow: (type, modifier, values, bitmap) -> array
def to_arrow(type, modifier, values, valid=None):
    """An Arrow array of a column array. Its type is `type.arrow_type(modifier)`, but for texts of 2 GB and more, which are
    large_string, and for numerics without modifier. Raises 22008 for what Arrow's range does not hold."""
    bitmap = None if valid is None else pa.py_buffer(np.packbits(valid != 0, bitorder="little"))
    if type.base is not None:
        type, modifier = type.root()
    if type.category == "A":
        return write_lists(type, modifier, values, bitmap)
    if type.arrow_as_text:
        return pa.array(to_text(type, values, valid), pa.string())
    if isinstance(type, RecordType):
        return write_structs(type, values, valid)
    try:
        return WRITERS.get(type.name, WRITERS[type.layout.name])(type, modifier, values, bitmap)
    except OverflowError:
        raise error("22008", f"{type.name} out of range for Arrow") from None


def fixed_width(arrow_type, numbers, bitmap):
    """An array over the memory of a numpy array."""
    numbers = np.ascontiguousarray(numbers)
    return pa.Array.from_buffers(arrow_type, len(numbers), [bitmap, pa.py_buffer(numbers)])


def write_boolean(type, modifier, values, bitmap):
    """A bit for each row."""
    bits = np.packbits(values != 0, bitorder="little")
    return pa.Array.from_buffers(pa.bool_(), len(values), [bitmap, pa.py_buffer(bits)])


def write_number(type, modifier, values, bitmap):
    """The same memory, or a narrower type."""
    arrow_type = type.arrow_type(modifier)
    if arrow_type.bit_width != values.dtype.itemsize * 8:
        values = values.astype(arrow_type.to_pandas_dtype())
    return fixed_width(arrow_type, values, bitmap)


def write_lists(type, modifier, values, bitmap):
    """Lists, of lists where the arrays have several dimensions; all must have as many. Lower bounds are lost."""
    count = row_count(values)
    valid = None if bitmap is None else np.unpackbits(np.frombuffer(bitmap, np.uint8), count=count, bitorder="little")
    arrays = to_datums(type, values, valid)
    depths = {len(array.dims) for array in arrays if array is not None and array.dims} or {1}
    if len(depths) > 1:
        raise error("0A000", "arrays of different numbers of dimensions have no Arrow form together")
    present = [EMPTY if array is None else array for array in arrays]
    elements = [element for array in present for element in array.elements]
    found = to_arrow(type.element, modifier, *from_datums(type.element, elements))
    for level in range(max(depths) - 1, 0, -1):
        sizes = [array.dims[level] for array in present if array.dims for _ in range(prod(array.dims[:level]))]
        found = pa.ListArray.from_arrays(pa.array(np.append(0, np.cumsum(sizes)), pa.int32()), found)
    offsets = np.append(0, np.cumsum([array.dims[0] if array.dims else 0 for array in present])).astype(np.int32)
    mask = None if valid is None else pa.array(valid == 0)
    return pa.ListArray.from_arrays(pa.array(offsets), found, mask=mask)


def write_structs(type, values, valid):
    """Records as structs of their fields."""
    records = to_datums(type, values, valid)
    parts = zip(*((None,) * len(type.fields) if record is None else record for record in records)) if records else \
        [()] * len(type.fields)
    columns = [to_arrow(field.type, field.modifier, *from_datums(field.type, list(part)))
               for field, part in zip(type.fields, parts)]
    fields = [pa.field(field.name, column.type) for field, column in zip(type.fields, columns)]
    if not fields:
        return pa.array([None if record is None else {} for record in records], pa.struct([]))
    mask = pa.array([record is None for record in records], pa.bool_())
    return pa.StructArray.from_arrays(columns, fields=fields, mask=mask)


def write_date(type, modifier, values, bitmap):
    """Days since 2000 to days since 1970."""
    return fixed_width(pa.date32(), shifted(values, -UNIX_EPOCH_DAYS), bitmap)


def write_moment(type, modifier, values, bitmap):
    """Microseconds since 2000 to microseconds since 1970."""
    return fixed_width(type.arrow_type(modifier), shifted(values, -UNIX_EPOCH), bitmap)


def write_interval(type, modifier, values, bitmap):
    """Months, days and nanoseconds."""
    parts = np.zeros(len(values), MONTH_DAY_NANO)
    parts["months"], parts["days"] = values[:, 1] >> 32, values[:, 1].astype(np.int32)
    ends = np.iinfo(np.int64)
    infinite = (values[:, 0] == ends.min) | (values[:, 0] == ends.max)
    if (np.abs(values[~infinite, 0]) > ends.max // 1000).any():
        raise OverflowError
    parts["nanoseconds"] = np.where(infinite, values[:, 0], values[:, 0] * 1000)
    return fixed_width(pa.month_day_nano_interval(), parts.view(np.uint8).reshape(-1, 16), bitmap)


def write_uuid(type, modifier, values, bitmap):
    """16 bytes for each row."""
    storage = fixed_width(pa.binary(16), values.astype(">i8").view(np.uint8).reshape(-1, 16), bitmap)
    return pa.ExtensionArray.from_storage(pa.uuid(), storage)


def write_text(type, modifier, values, bitmap):
    """The same bytes, with offsets of 32 bits if they suffice."""
    offsets, blob = values
    large, small = (pa.large_binary(), pa.binary()) if type.name == "bytea" else (pa.large_string(), pa.string())
    if int(offsets[-1]) > STRING_BYTES_MAX:
        return pa.Array.from_buffers(large, len(offsets) - 1, [bitmap, pa.py_buffer(np.ascontiguousarray(offsets)),
                                                               pa.py_buffer(blob)])
    narrow = offsets.astype(np.int32)
    return pa.Array.from_buffers(small, len(narrow) - 1, [bitmap, pa.py_buffer(narrow), pa.py_buffer(blob)])


def write_numeric(type, modifier, values, bitmap):
    """Decimals of the modifier's size; without one, of the largest scale that occurs. Text, if a value is NaN or infinite
    or has more digits than Arrow's decimals."""
    tags = values[:, 1] >> 48 & 0xFFFF
    wanted = type.arrow_type(modifier)
    if pa.types.is_string(wanted):
        digits = int(tags.max()) if len(tags) else 0
        wanted = pa.decimal128(DECIMAL128_DIGITS, digits) if digits <= DECIMAL128_DIGITS else None
    if wanted is None or (tags >= BIG).any():
        return numeric_rows(type, values, bitmap)
    mantissas = values.copy()
    mantissas[:, 1] = values[:, 1] << 16 >> 16
    if wanted.bit_width == 128 and (tags == wanted.scale).all():
        return fixed_width(wanted, mantissas, bitmap)
    try:
        parts, order = [], []
        for tag in np.unique(tags).tolist():
            rows = np.flatnonzero(tags == tag)
            part = fixed_width(pa.decimal128(DECIMAL128_DIGITS, tag), mantissas[rows], None)
            parts.append(part.cast(wanted))
            order.append(rows)
        place = np.empty(len(values), np.int64)
        if order:
            place[np.concatenate(order)] = np.arange(len(values))
        merged = pa.chunked_array(parts, wanted).combine_chunks().take(pa.array(place))
        return pa.Array.from_buffers(wanted, len(values), [bitmap, merged.buffers()[1]])
    except pa.ArrowInvalid:
        return numeric_rows(type, values, bitmap)


def numeric_rows(type, values, bitmap):
    """Row by row: decimals of 256 bits if all values fit, else texts."""
    valid = None
    if bitmap is not None:
        valid = np.unpackbits(np.frombuffer(bitmap, np.uint8), count=len(values), bitorder="little")
    numbers = to_datums(type, values, valid)
    present = [number for number in numbers if number is not None]
    if all(number.is_finite() for number in present):
        digits = max((-number.as_tuple().exponent for number in present), default=0)
        if digits <= DECIMAL256_DIGITS and all(number.adjusted() + digits < DECIMAL256_DIGITS for number in present):
            return pa.array(numbers, pa.decimal256(DECIMAL256_DIGITS, digits))
    return pa.array([None if number is None else type.format(number) for number in numbers], pa.string())


WRITERS = {"date": write_date, "timestamp": write_moment, "timestamptz": write_moment, "BOOLEAN": write_boolean,
           "NUMERIC": write_numeric, "INTERVAL": write_interval, "UUID": write_uuid, "TEXT": write_text,
           **dict.fromkeys(("INT2", "INT4", "INT8", "FLOAT4", "FLOAT8"), write_number)}
