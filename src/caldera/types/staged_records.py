"""Records while staging: their images (types.record_image) read, compared, hashed and made by generated code.

    view = RecordView(k, types, text)          view[n] ─▶ Sql of field n
    image_of(k, allocate, types, fields)       Sqls of the fields ─▶ the Text of a new image

What a text is to records is its bytes: a record's layout is that of texts. All loops over fields run while staging.
"""
from caldera.kernel import layouts
from caldera.kernel.interface import I8, I64
from caldera.kernel.nullable import Sql
from caldera.kernel.text import TEXT_SPARE, Text, copy_bytes, finish_hash, mix
from caldera.types.record_image import WORD, places_of
from caldera.types.staged_arrays import compared_elements, number_of


class RecordView:
    """The fields of an image. `types`: their SqlTypes; `text`: the Text of the image. A text of no bytes, as it stands for
    NULL, is taken for a record whose fields are all NULL."""

    def __init__(self, k, types, text):
        self.k, self.types, self.text, self.places = k, types, text, places_of(types)[0]
        self.is_there = text.length > 0

    def address(self, offset):
        """Where to read what an image has at an offset: behind a text of no bytes only its beginning may be read."""
        return self.text.address + self.k.choose(self.is_there, self.k.constant(I64, offset), 0)

    def __getitem__(self, number):
        """The Sql of a field."""
        k, layout = self.k, self.types[number].layout
        valid = k.and_(self.is_there, k.array(I8, self.address(number))[0] != 0)
        words = k.array(I64, self.address(self.places[number]), alignment=1)
        if layout is layouts.TEXT:
            place, nothing = words[0], k.constant(I64, 0)
            start, length = (k.choose(valid, part, nothing) for part in (place & 0xFFFFFFFF, place >> 32))
            return Sql(Text(k, self.text.address + start, length, self.text.lifetime), valid)
        value = layout.from_words(k, words, 0)
        return Sql(layout.choose(k, valid, value, layout.default(k)), valid)


# ------------------------------------------------------------------------------------------------ comparing

def comparing(types):
    """The routine (address and length of two images) -> I64: below, at or above 0 as the first sorts before, with or behind
    the second. Fields decide in order, NULL behind all others."""
    def compare_records(k, a_address, a_length, b_address, b_length):
        a, b = (RecordView(k, types, Text(k, *image)) for image in ((a_address, a_length), (b_address, b_length)))
        order = k.variable(I64, 0)
        for number, type in enumerate(types):
            for _ in k.when(order.get() == 0):
                order.set(compared_elements(k, type, a[number], b[number]))
        return order.get()
    return compare_records


def hashing(types):
    """The routine (address and length of an image) -> I64: a hash that is the same for equal records."""
    def hash_record(k, address, length):
        view, hash = RecordView(k, types, Text(k, address, length)), k.variable(I64, 0x243F6A88)
        for number, type in enumerate(types):
            field, word = view[number], k.variable(I64, 0)
            for _ in k.when(field.valid):
                word.set(type.hash(k, field.value))
            hash.set(mix(k, hash.get(), word.get()))
        return finish_hash(k, hash.get())
    return hash_record


def leading_key(k, types, text):
    """A word whose order as a signed integer is that of records, as far as their first fields tell."""
    word = k.variable(I64, (1 << 63) - 1)
    if types:
        first = RecordView(k, types, text)[0]
        for _ in k.when(first.valid):
            word.set(types[0].key(k, first.value)[0])
    return word.get()


# ------------------------------------------------------------------------------------------------ making

def image_of(k, allocate, types, fields):
    """The Text of the image of some fields, given as Sqls; `allocate(k, bytes)` gives memory."""
    places, fixed = places_of(types)
    present = [present_value(k, type, field) for type, field in zip(types, fields)]
    size = k.constant(I64, fixed)
    for type, value in zip(types, present):
        size = size + value.length if type.layout is layouts.TEXT else size
    address = allocate(k, size + TEXT_SPARE)
    words, at = k.array(I64, address), k.constant(I64, fixed)
    for first in range(0, len(types), WORD):
        words[first // WORD] = flags_of(k, fields[first:first + WORD])
    for type, field, value, place in zip(types, fields, present, places):
        if type.layout is layouts.TEXT:
            k.routine(copy_bytes, value.address, value.length, address + at)
            words[place // WORD] = k.choose(k.as_condition(field.valid), at | value.length << 32, k.constant(I64, 0))
            at = at + value.length
        else:
            for number, word in enumerate(type.layout.to_words(k, value)):
                words[place // WORD + number] = word
    return Text(k, address, size, "block")


def present_value(k, type, field):
    """The value of a field, or a harmless one that is always the same."""
    if field.valid is True:
        return field.value
    return type.layout.choose(k, k.as_condition(field.valid), field.value, type.layout.default(k))


def flags_of(k, fields):
    """The word that says which of up to eight fields are there."""
    flags = k.constant(I64, 0)
    for number, field in enumerate(fields):
        flags = flags | number_of(k, field.valid) << 8 * number
    return flags
