"""The form of a part's file; docs/format.md describes it for readers without this code.

    header 64 bytes │ chunk, padded to 64 │ chunk │ ... │ footer (msgpack) │ trailer 24 bytes

A chunk is one array of one column. The footer says where each is, how long, of what, and its CRC-32. Reading starts at the
trailer. Nothing of a file is believed before `check_file` and `check_chunks` have looked at it.
"""
import struct
import zlib

import msgspec
import numpy as np

from caldera.base.errors import error
from caldera.storage import zones
from caldera.storage.encodings import encoding_of
from caldera.storage.engine import GRANULE_ROWS
from caldera.types import registry

VERSION = 1
HEADER_MAGIC, TRAILER_MAGIC = b"CALDPART", b"PARTCALD"
HEADER = struct.Struct("<8sI52x")           # magic, version
TRAILER = struct.Struct("<IIQ8s")           # CRC-32 of the footer, version, length of the footer, magic
ALIGNMENT = 64
PADDING = 128                               # readable bytes behind every chunk


class Chunk(msgspec.Struct, array_like=True):
    """Where an array lies: byte offset in the file, bytes without padding, CRC-32 of them."""
    offset: int
    length: int
    checksum: int


class ColumnFooter(msgspec.Struct, array_like=True):
    """A column of a part. `type` is a pg_type name. bounds: the least and greatest bytes of plain text, if short."""
    name: str
    type: str
    modifier: list[int] | None
    encoding: str
    parameters: dict[str, int]
    chunks: dict[str, Chunk]
    zone_kind: str
    validity: str | None = None
    validity_parameters: dict[str, int] = {}
    bounds: list[bytes] | None = None


class Footer(msgspec.Struct, array_like=True):
    """What a part's file says about itself. order_by: names of the columns that its rows are sorted by."""
    row_count: int
    granule_rows: int
    order_by: list[str]
    columns: list[ColumnFooter]


ENCODER, DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Footer)


def checksum(array):
    """CRC-32 of an array's bytes."""
    return zlib.crc32(memoryview(array).cast("B")) if array.nbytes else 0


def broken(path, what):
    """The error for a file that is not as it was written."""
    return error("XX001", f'file "{path}" is damaged: {what}', hint="Restore the file from a backup, or drop the table.")


def read_footer(path, data, expected=None):
    """The Footer of a mapped file (anything with the buffer interface). Raises XX001 unless sizes, magics and the footer's
    checksum are right, and the latter is the `expected` one, if known; 0A000 for a version that is not known."""
    size = len(data)
    if size < HEADER.size + TRAILER.size:
        raise broken(path, f"it has only {size} bytes")
    magic, version = HEADER.unpack(data[:HEADER.size])
    if magic != HEADER_MAGIC:
        raise broken(path, "it does not begin as a part does")
    if version != VERSION:
        raise error("0A000", f'file "{path}" has format version {version}, this is for version {VERSION}')
    footer_checksum, _, length, magic = TRAILER.unpack(data[size - TRAILER.size:])
    start = size - TRAILER.size - length
    if magic != TRAILER_MAGIC or start < HEADER.size:
        raise broken(path, "its end is missing")
    footer_bytes = data[start:size - TRAILER.size]
    if zlib.crc32(footer_bytes) != footer_checksum:
        raise broken(path, "the checksum of its footer is wrong")
    if expected is not None and footer_checksum != expected:
        raise broken(path, "it is another file than the one that was written under this name")
    try:
        footer = DECODER.decode(footer_bytes)
        check_chunks(footer, start)
    except (msgspec.MsgspecError, KeyError, ValueError) as exception:
        raise broken(path, f"its footer cannot be understood ({exception})") from exception
    return footer


def check_chunks(footer, limit):
    """Raise ValueError or KeyError unless all chunks lie in front of `limit` and have the sizes that the rows ask for."""
    if footer.granule_rows != GRANULE_ROWS or footer.row_count < 0:
        raise ValueError("granules or rows")
    for column in footer.columns:
        for name, (dtype, count) in column_shapes(footer, column).items():
            chunk = column.chunks[name]
            if chunk.offset % ALIGNMENT or chunk.offset < HEADER.size or chunk.length < 0 \
                    or chunk.offset + chunk.length + PADDING > limit:
                raise ValueError(f"place of {column.name}.{name}")
            if chunk.length % dtype.itemsize or count is not None and chunk.length != count * dtype.itemsize:
                raise ValueError(f"size of {column.name}.{name}")


def column_shapes(footer, column):
    """{array name: (dtype, element count or None)} of everything that belongs to a column."""
    layout = registry.lookup(column.type).layout
    shapes = dict(encoding_of(column.encoding, layout).array_shapes(footer.row_count, column.parameters))
    if column.validity is not None:
        validity = validity_encoding(column.validity)
        shapes |= {f"valid.{name}": shape for name, shape in
                   validity.array_shapes(footer.row_count, column.validity_parameters).items()}
    if column.zone_kind:
        granules = -(-footer.row_count // footer.granule_rows)
        shapes |= zones.array_shapes(column.zone_kind, granules, "zone.sums" in column.chunks)
    if "statistics" in column.chunks:                           # which parts of earlier days have not
        shapes["statistics"] = np.dtype(np.uint8), None
    return shapes


def validity_encoding(family):
    """The encoding of validity bytes by its name in a file."""
    return encoding_of(family, registry.lookup("bool").layout)


def chunk_array(data, chunk, dtype):
    """A chunk as an array over the mapping."""
    return np.frombuffer(data, dtype, chunk.length // dtype.itemsize, chunk.offset)
