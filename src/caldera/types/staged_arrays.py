"""Arrays while staging: their images (types.array_image) read, compared, hashed and made by generated code.

    view = ArrayView(k, element, text)      view.count, view.dimensions, view.dims(n) ─ view[index] ─▶ Sql of the element
    build(k, allocate, element, ...)        values in a buffer of words ─▶ the Text of a new image

What a text is to arrays is its bytes: an array's layout is that of texts.
"""
from caldera.kernel import layouts
from caldera.kernel.interface import I8, I32, I64
from caldera.kernel.nullable import Sql
from caldera.kernel.text import Text, copy_bytes, finish_hash, mix, word_at

HEAD_BYTES, DIMENSION_BYTES = 8, 8


class ArrayView:
    """The parts of an image. `element`: the SqlType of the elements; `text`: the Text of the image. A text of no bytes, as
    it stands for NULL, is taken for an empty array."""

    def __init__(self, k, element, text):
        self.k, self.element, self.text = k, element, text
        head = k.choose(text.length > 0, word_at(k, text.address), k.constant(I64, 0))
        self.count, self.dimensions = head & 0xFFFFFFFF, head >> 32 & 0xFF
        self.has_nulls = (head >> 40 & 1) != 0
        self.flags = text.address + HEAD_BYTES + self.dimensions * DIMENSION_BYTES
        self.data = self.flags + k.choose(self.has_nulls, self.count, 0)

    @property
    def shape_address(self):
        """Where the words of the dimensions stand."""
        return self.text.address + HEAD_BYTES

    def dimension(self, number):
        """(length, lower bound) of a dimension, as I64, where the array has so many."""
        word = word_at(self.k, self.text.address + HEAD_BYTES + number * DIMENSION_BYTES)
        return word & 0xFFFFFFFF, self.k.binary("ashr", word, 32)

    def is_there(self, index):
        """Whether an element is not NULL; index: from 0 to below the count. Behind the head there is something to read."""
        flag = self.k.array(I8, self.flags)[index]
        return self.k.or_(self.k.not_(self.has_nulls), flag != 0)

    def __getitem__(self, index):
        """The Sql of an element."""
        k, layout = self.k, self.element.layout
        if layout is not layouts.TEXT:
            return Sql(layout.load(k, k.array(layout.element, self.data, alignment=1), index), self.is_there(index))
        offsets, start = k.array(I32, self.data, alignment=1), self.data + (self.count + 1) * 4
        low, high = k.convert(offsets[index], I64), k.convert(offsets[index + 1], I64)
        return Sql(Text(k, start + low, high - low, self.text.lifetime), self.is_there(index))

    def at(self, index, wanted):
        """The Sql of an element where `wanted` holds, elsewhere NULL: then the index may be anything."""
        k = self.k
        sql = self[k.choose(wanted, index, 0)]
        valid = k.and_(wanted, sql.valid)
        if not isinstance(sql.value, Text):             # the words of a numeric must not be anything
            return Sql(self.element.layout.choose(k, valid, sql.value, self.element.layout.default(k)), valid)
        address, length = k.choose(valid, sql.value.address, self.text.address), k.choose(valid, sql.value.length, 0)
        return Sql(Text(k, address, length, sql.value.lifetime), valid)


def no_nulls(k, image):
    """The Text of an image, as one that can be read: an empty array where it is NULL."""
    return layouts.TEXT.choose(k, k.as_condition(image.valid), image.value, layouts.TEXT.default(k))


# ------------------------------------------------------------------------------------------------ comparing

def comparing(element):
    """The routine (address and length of two images) -> I64: below, at or above 0 as the first sorts before, with or behind
    the second.

    Elements decide first, NULL behind all others; then how many there are, then dimensions and lower bounds."""
    def compare_arrays(k, a_address, a_length, b_address, b_length):
        a, b = (ArrayView(k, element, Text(k, *image)) for image in ((a_address, a_length), (b_address, b_length)))
        order, at, shorter = k.variable(I64, 0), k.variable(I64, 0), k.least(a.count, b.count)
        for _ in k.while_(lambda: k.and_(order.get() == 0, at.get() < shorter)):
            order.set(compared_elements(k, element, a[at.get()], b[at.get()]))
            at.set(at.get() + 1)
        for _ in k.when(order.get() == 0):
            order.set(a.count - b.count)
        for _ in k.when(order.get() == 0):
            order.set(a.dimensions - b.dimensions)
        for _ in k.when(order.get() == 0):
            order.set(compared_shapes(k, a, b))
        return order.get()
    return compare_arrays


def compared_elements(k, element, a, b):
    """The order of two elements."""
    both, order = k.and_(a.valid, b.valid), k.variable(I64, 0)
    order.set(number_of(k, b.valid) - number_of(k, a.valid))
    for _ in k.when(both):
        order.set(number_of(k, element.less(k, b.value, a.value)) - number_of(k, element.less(k, a.value, b.value)))
    return order.get()


def compared_shapes(k, a, b):
    """The order of two arrays of as many elements and dimensions: by lengths, then by lower bounds."""
    lengths, lowers = k.variable(I64, 0), k.variable(I64, 0)
    for number in k.range(0, a.dimensions, vectorize=False):
        (length, lower), (other_length, other_lower) = a.dimension(number), b.dimension(number)
        lengths.set(k.choose(lengths.get() == 0, length - other_length, lengths.get()))
        lowers.set(k.choose(lowers.get() == 0, lower - other_lower, lowers.get()))
    return k.choose(lengths.get() != 0, lengths.get(), lowers.get())


def number_of(k, condition):
    """1 where it holds, else 0."""
    return k.convert(k.as_condition(condition), I64)


def hashing(element):
    """The routine (address and length of an image) -> I64: a hash that is the same for equal arrays."""
    def hash_array(k, address, length):
        view = ArrayView(k, element, Text(k, address, length))
        hash = k.variable(I64, mix(k, k.constant(I64, 0x243F6A88), view.count))
        for index in k.range(0, view.count, vectorize=False):
            sql, word = view[index], k.variable(I64, 0)
            for _ in k.when(sql.valid):
                word.set(element.hash(k, sql.value))
            hash.set(mix(k, hash.get(), word.get()))
        return finish_hash(k, hash.get())
    return hash_array


def leading_key(k, element, text):
    """A word whose order as a signed integer is that of arrays, as far as their first elements tell."""
    view = ArrayView(k, element, text)
    first, word = view.at(k.constant(I64, 0), view.count > 0), k.variable(I64, (1 << 63) - 1)
    for _ in k.when(first.valid):
        word.set(element.key(k, first.value)[0])
    return k.choose(view.count == 0, k.constant(I64, -1 << 63), word.get())


# ------------------------------------------------------------------------------------------------ making

class Elements:
    """Room for the elements of an array in the making: `count` (I64) of them; `allocate(k, bytes)` gives memory."""

    def __init__(self, k, allocate, element, count):
        self.k, self.allocate, self.element, self.count = k, allocate, element, count
        self.stride = 1 + element.layout.words
        self.words = k.array(I64, allocate(k, count * (8 * self.stride)))
        self.nulls = k.variable(I64, 0)

    def put(self, index, sql):
        """Element number `index`."""
        k, at = self.k, index * self.stride
        valid = k.as_condition(sql.valid)
        self.words[at] = k.convert(valid, I64)
        self.nulls.set(self.nulls.get() | (k.convert(valid, I64) ^ 1))
        for number, word in enumerate(self.element.layout.to_words(k, self.present(valid, sql.value)), 1):
            self.words[at + number] = word

    def present(self, valid, value):
        """The value, or a harmless one that is always the same."""
        layout = self.element.layout
        return layout.choose(self.k, valid, value, layout.default(self.k))

    def __getitem__(self, index):
        """The value of an element."""
        return self.element.layout.from_words(self.k, self.words, index * self.stride + 1, "block")

    def image(self, dimensions, shape_address):
        """The Text of the array's image; `shape_address`: where the words of its dimensions stand."""
        k, count, text = self.k, self.count, self.element.layout is layouts.TEXT
        before = dimensions * DIMENSION_BYTES + HEAD_BYTES
        flags = k.choose(self.nulls.get() != 0, count, 0)
        size = before + flags + (self.text_bytes() if text else count * self.element.layout.size)
        address = self.allocate(k, size + 16)
        k.array(I64, address)[0] = count | dimensions << 32 | self.nulls.get() << 40
        k.routine(copy_bytes, shape_address, dimensions * DIMENSION_BYTES, address + HEAD_BYTES)
        for _ in k.when(self.nulls.get() != 0):
            target = k.array(I8, address + before)
            for index in k.range(0, count, vectorize=False):
                target[index] = k.convert(self.words[index * self.stride], I8)
        (self.write_texts if text else self.write_values)(address + before + flags)
        return Text(k, address, size, "block")

    def text_bytes(self):
        """How many bytes the elements' part takes where they are texts."""
        k, total = self.k, self.k.variable(I64, (self.count + 1) * 4)
        for index in k.range(0, self.count, vectorize=False):
            total.set(total.get() + self[index].length)
        return total.get()

    def write_values(self, address):
        """The elements' part, of a fixed size each."""
        k, layout = self.k, self.element.layout
        target = k.array(layout.element, address, alignment=1)
        for index in k.range(0, self.count, vectorize=False):
            layout.store(k, target, index, self[index])

    def write_texts(self, address):
        """The elements' part, offsets first."""
        k, offsets, at = self.k, self.k.array(I32, address, alignment=1), self.k.variable(I64, 0)
        start = address + (self.count + 1) * 4
        offsets[0] = k.constant(I32, 0)
        for index in k.range(0, self.count, vectorize=False):
            text = self[index]
            k.routine(copy_bytes, text.address, text.length, start + at.get())
            at.set(at.get() + text.length)
            offsets[index + 1] = k.convert(at.get(), I32)


def shape_of_one(k, count):
    """(number of dimensions, address of their words) of an array of one dimension from 1 on; of none if it is empty."""
    shape = k.buffer(I64, 3)
    shape[0] = count | k.constant(I64, 1) << 32
    return k.choose(count > 0, k.constant(I64, 1), k.constant(I64, 0)), k.address(shape)
