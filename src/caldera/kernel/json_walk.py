"""Walks over texts of JSON in staged code: what ends where, and where a member or an element is.

Texts are valid. jsonb's have one form (types.json_values); json's may hold white space anywhere, keys twice (the last one
counts) and escapes in keys, which `find_member` leaves to others. A walk looks at each byte once, and at what stands in
front of what it looks for only: documents are short, and a walk does about a byte a nanosecond.
"""
from caldera.kernel.interface import BOOL, I64
from caldera.kernel.text import same_bytes
from caldera.kernel.utf8 import byte_at

QUOTE, BACKSLASH, COMMA, COLON, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT = b'"\\,:[]{}'
NOT_FOUND = -1


def is_one_of(k, byte, bytes):
    """Staged BOOL: whether a byte is one of these."""
    return k.as_condition(k.or_(*(byte == each for each in bytes)))


def is_space(k, byte):
    """Staged BOOL: white space of JSON."""
    return k.compare("ule", byte, k.constant(I64, 32))


def skip_space(k, address, at, stop):
    """Routine: the first place from `at` on that is no white space."""
    place = k.variable(I64, at)
    for _ in k.while_(lambda: k.and_(place.get() < stop, is_space(k, byte_at(k, address + place.get())))):
        place.set(place.get() + 1)
    return place.get()


def string_end(k, address, at, stop):
    """Routine: the place behind the string that begins at `at`."""
    place, open = k.variable(I64, at + 1), k.variable(BOOL, True)
    for _ in k.while_(lambda: k.and_(open.get(), place.get() < stop)):
        byte = byte_at(k, address + place.get())
        open.set(byte != QUOTE)
        place.set(place.get() + k.choose(byte == BACKSLASH, k.constant(I64, 2), 1))
    return place.get()


def value_end(k, address, at, stop):
    """Routine: the place behind the value that begins at `at`; white space behind it is not part of it."""
    place, depth, going_on = k.variable(I64, at), k.variable(I64, 0), k.variable(BOOL, True)
    for _ in k.while_(lambda: k.and_(going_on.get(), place.get() < stop)):
        byte = byte_at(k, address + place.get())
        is_string = byte == QUOTE
        opens, closes = is_one_of(k, byte, b"[{"), is_one_of(k, byte, b"]}")
        ends = k.and_(depth.get() == 0, k.or_(closes, byte == COMMA, is_space(k, byte)))
        going_on.set(k.not_(ends))
        depth.set(depth.get() + k.convert(opens, I64) - k.convert(k.and_(closes, k.not_(ends)), I64))
        for _ in k.when(is_string):
            place.set(k.routine(string_end, address, place.get(), stop))
        for _ in k.when(k.not_(is_string)):
            place.set(place.get() + k.convert(going_on.get(), I64))
        for _ in k.when(k.and_(depth.get() == 0, k.or_(is_string, closes))):
            going_on.set(False)
    return place.get()


def find_member(k, address, length, key, key_length, is_unique):
    """Routine: (start, stop) of the value of the last member of an object whose key is written like this, without quotes;
    NOT_FOUND and 0 if the text is no object or has none. is_unique (I64, 0 or 1): no key comes twice."""
    start, stop = k.variable(I64, NOT_FOUND), k.variable(I64, 0)
    for place in members(k, address, length, OPEN_OBJECT):
        key_end = k.routine(string_end, address, place.get(), length)
        is_wanted = k.variable(BOOL, False)
        for _ in k.when(key_end - place.get() - 2 == key_length):
            is_wanted.set(k.routine(same_bytes, address + place.get() + 1, key, key_length))
        colon = k.routine(skip_space, address, key_end, length)
        value = k.routine(skip_space, address, colon + 1, length)
        end = k.routine(value_end, address, value, length)
        for _ in k.when(is_wanted.get()):
            start.set(value)
            stop.set(end)
        place.set(k.choose(k.and_(is_wanted.get(), is_unique != 0), length, end))
    return start.get(), stop.get()


def members(k, address, length, bracket):
    """A loop over what is in the array or object that a text is: yields a variable with the place where a part begins, which
    the body sets to where it ends, or to the text's length to stop. Nothing if the text is something else."""
    place = k.variable(I64, k.routine(skip_space, address, k.constant(I64, 0), length))
    right = k.and_(place.get() < length, byte_at(k, address + place.get()) == bracket)
    going_on = k.variable(BOOL, k.as_condition(right))
    for _ in k.while_(lambda: going_on.get()):
        place.set(k.routine(skip_space, address, place.get() + 1, length))      # beyond a bracket or a comma
        is_part = k.not_(is_one_of(k, byte_at(k, address + place.get()), b"]}"))
        going_on.set(k.as_condition(is_part))
        for _ in k.when(is_part):
            yield place
            place.set(k.routine(skip_space, address, place.get(), length))
            going_on.set(k.and_(place.get() < length, byte_at(k, address + place.get()) == COMMA))


def count_elements(k, address, length):
    """Routine: how many elements an array has; NOT_FOUND if the text is none."""
    first = k.routine(skip_space, address, k.constant(I64, 0), length)
    is_array = k.and_(first < length, byte_at(k, address + first) == OPEN_ARRAY)
    count = k.variable(I64, k.choose(is_array, k.constant(I64, 0), NOT_FOUND))
    for place in members(k, address, length, OPEN_ARRAY):
        count.set(count.get() + 1)
        place.set(k.routine(value_end, address, place.get(), length))
    return count.get()


def find_element(k, address, length, index):
    """Routine: (start, stop) of an element of an array, from 0; NOT_FOUND and 0 if the text is no array or too short."""
    start, stop, number = k.variable(I64, NOT_FOUND), k.variable(I64, 0), k.variable(I64, 0)
    for place in members(k, address, length, OPEN_ARRAY):
        end = k.routine(value_end, address, place.get(), length)
        for _ in k.when(number.get() == index):
            start.set(place.get())
            stop.set(end)
        number.set(number.get() + 1)
        place.set(end)
    return start.get(), stop.get()
