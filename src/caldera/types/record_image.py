"""The bytes of a record: whether each field is there, then a place of whole words for each, then the bytes of its texts.

    0              a byte for each field, 1 if it is not NULL; filled up to whole words
    places[n]      field n: the words of its layout (kernel.layouts), little-endian; zeros for NULL
                   of a text one word: where its bytes begin, from the image's beginning | how many they are << 32
    fixed size     the bytes of the texts, in order

Where the places are follows from the fields' types, so that generated code reads a field by one load. The image points
nowhere: whatever holds texts holds records. Equal records of types whose equal values are the same have the same bytes.
"""
import struct

from caldera.kernel import layouts
from caldera.types.array_image import IMAGE_WORDS
from caldera.types.datums import FROM_WORDS, TO_WORDS

WORD = 8
NUMBERS = {"FLOAT4": "f4x", "FLOAT8": "d"}          # how a field of one word is packed, if not as an integer


def places_of(types):
    """(the offset of each field's place, the size of the part that all images of these types have)."""
    places, at = [], WORD * -(-len(types) // WORD)
    for type in types:
        places.append(at)
        at += WORD * (1 if type.layout is layouts.TEXT else type.layout.words)
    return places, at


def pack(types, datums):
    """The image of a tuple of datums, None for NULL."""
    places, at = places_of(types)
    flags = bytes(datum is not None for datum in datums)
    parts, texts = [flags.ljust(places[0] if places else 0, b"\0")], []
    for type, datum in zip(types, datums):
        if type.layout is layouts.TEXT:
            data = b"" if datum is None else type.to_bytes(datum)
            parts.append(struct.pack("<ii", 0 if datum is None else at, len(data)))
            texts.append(data)
            at += len(data)
        elif type.layout.name in TO_WORDS:
            to_words = IMAGE_WORDS.get(type.layout.name, TO_WORDS[type.layout.name])
            parts.append(struct.pack("<qq", *((0, 0) if datum is None else to_words(datum))))
        else:
            parts.append(struct.pack("<" + NUMBERS.get(type.layout.name, "q"), 0 if datum is None else datum))
    return b"".join(parts + texts)


def unpack(types, image):
    """The tuple of datums that an image is of; no bytes at all are fields that are all NULL."""
    if not image:
        return (None,) * len(types)
    places, _ = places_of(types)
    return tuple(unpacked_field(type, image, place) if image[number] else None
                 for number, (type, place) in enumerate(zip(types, places)))


def unpacked_field(type, image, place):
    """The datum at a place of an image."""
    layout = type.layout
    if layout is layouts.TEXT:
        start, length = struct.unpack_from("<ii", image, place)
        return type.from_bytes(image[start:start + length])
    if layout.name in FROM_WORDS:
        return FROM_WORDS[layout.name](*struct.unpack_from("<qq", image, place))
    number, = struct.unpack_from("<" + NUMBERS.get(layout.name, "q"), image, place)
    return bool(number) if layout is layouts.BOOLEAN else number
