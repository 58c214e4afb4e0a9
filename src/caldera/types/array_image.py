"""What the bytes of an array are: its *image*, the same in memory, in files and while staging (types.staged_arrays).

    int32 count       of the elements
    uint8             number of dimensions; 0 for an empty array
    uint8             1 if there are NULLs among the elements
    2 bytes           0
    (int32, int32)    for each dimension its length and lower bound
    uint8[count]      1 for each element that is there; only if there are NULLs
    elements          of a fixed size: one after the other, zeros for NULL
                      of the layout TEXT: int32[count + 1] offsets from here behind the offsets, then the bytes

Elements come in the order in which they are written, the last subscript changing fastest. Nothing is aligned, and nothing
points anywhere, so that an image can be copied as texts are. One value has one image.
"""
import struct
from functools import partial
from typing import Any, NamedTuple

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.kernel.decimal import words_of
from caldera.types.datums import FROM_WORDS, TO_WORDS

HEAD = struct.Struct("<iBBH")
DIMENSION = struct.Struct("<ii")
NUMBERS = {"INT2": "h", "INT4": "i", "INT8": "q", "FLOAT4": "f", "FLOAT8": "d", "BOOLEAN": "b"}


class Array(NamedTuple):
    """The datum: elements in order (None for NULL), and for each dimension its length and its lower bound."""
    elements: tuple[Any, ...]
    dims: tuple[int, ...]
    lowers: tuple[int, ...]

    @classmethod
    def of(cls, elements):
        """The array of one dimension, from subscript 1 on."""
        elements = tuple(elements)
        return cls(elements, (len(elements),), (1,)) if elements else EMPTY


EMPTY = Array((), (), ())


def joined(arrays):
    """The Array of a dimension more that consists of others; NULL counts as empty. Raises 2202E where they are not alike."""
    present = [array for array in arrays if array is not None and array.elements]
    if not present:
        return EMPTY
    first = present[0]
    if len(present) < len(arrays) or any((each.dims, each.lowers) != (first.dims, first.lowers) for each in present):
        raise error("2202E", "multidimensional arrays must have array expressions with matching dimensions")
    elements = tuple(element for array in present for element in array.elements)
    return Array(elements, (len(arrays), *first.dims), (1, *first.lowers))


def refuse_big(number):
    """Raise 0A000: the words of such a number are a name that is good during one run only, and images outlive runs."""
    raise error("0A000", BIG_REFUSED)


BIG_REFUSED = "numerics of more than 33 digits in arrays and records are not supported yet"
IMAGE_WORDS = {"NUMERIC": partial(words_of, spill=refuse_big)}


def pack(element, array):
    """The image of an Array whose elements are datums of the SqlType `element`."""
    elements, dims, lowers = array
    has_nulls = None in elements
    parts = [HEAD.pack(len(elements), len(dims), has_nulls, 0)]
    parts += map(DIMENSION.pack, dims, lowers)
    if has_nulls:
        parts.append(bytes(datum is not None for datum in elements))
    parts.append(packed_elements(element, elements))
    return b"".join(parts)


def packed_elements(element, datums):
    """The elements' part of an image."""
    layout = element.layout
    if layout is layouts.TEXT:
        items = [b"" if datum is None else element.to_bytes(datum) for datum in datums]
        offsets, at = [0], 0
        for item in items:
            at += len(item)
            offsets.append(at)
        return struct.pack(f"<{len(offsets)}i", *offsets) + b"".join(items)
    if layout.name in TO_WORDS:
        to_words = IMAGE_WORDS.get(layout.name, TO_WORDS[layout.name])
        words = [word for datum in datums for word in ((0, 0) if datum is None else to_words(datum))]
        return struct.pack(f"<{len(words)}q", *words)
    numbers = [0 if datum is None else datum for datum in datums]
    return struct.pack(f"<{len(numbers)}{NUMBERS[layout.name]}", *numbers)


def unpack(element, image):
    """The Array that an image is of; no bytes at all are an empty one."""
    if not image:
        return EMPTY
    count, dimensions, has_nulls, _ = HEAD.unpack_from(image)
    shape = [DIMENSION.unpack_from(image, HEAD.size + DIMENSION.size * number) for number in range(dimensions)]
    at, flags = HEAD.size + DIMENSION.size * dimensions, None
    if has_nulls:
        flags, at = image[at:at + count], at + count
    datums = unpacked_elements(element, image, at, count)
    if flags is not None:
        datums = [datum if present else None for datum, present in zip(datums, flags)]
    return Array(tuple(datums), tuple(length for length, _ in shape), tuple(lower for _, lower in shape))


def unpacked_elements(element, image, at, count):
    """The datums of the elements' part, which begins at a byte of an image."""
    layout = element.layout
    if layout is layouts.TEXT:
        offsets, start = struct.unpack_from(f"<{count + 1}i", image, at), at + 4 * (count + 1)
        of_bytes = element.from_bytes
        return [of_bytes(image[start + low:start + high]) for low, high in zip(offsets, offsets[1:])]
    if layout.name in FROM_WORDS:
        of_words, words = FROM_WORDS[layout.name], struct.unpack_from(f"<{2 * count}q", image, at)
        return list(map(of_words, words[::2], words[1::2]))
    numbers = struct.unpack_from(f"<{count}{NUMBERS[layout.name]}", image, at)
    return list(map(bool, numbers)) if layout is layouts.BOOLEAN else list(numbers)
