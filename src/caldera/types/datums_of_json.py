"""JSON as SQL values, the way back of json_of_datums: objects become records, arrays arrays, all else what its text means.

    datum_of(type, modifier, text, session)          of a value, as it is written there; null is NULL
    record_datum(type, text, base, session)          of an object; what it lacks is as in the record `base`

Values of domains are checked as they come. Raises what the types' own input functions do.
"""
from caldera.base.errors import error
from caldera.types.array_image import EMPTY, Array
from caldera.types.array_text import DIMENSIONS_MAX
from caldera.types.json_parts import kind_of, parts
from caldera.types.json_values import canonical, read, write
from caldera.types.record import RecordType


def datum_of(type, modifier, text, session, base=None, key=None):
    """The datum that a text of JSON means as a value of a type. `base`: what members of a record are that the text lacks;
    key: of the member that it is, for messages. text: None stands for null."""
    domain, kind = None if type.base is None else type, "n" if text is None else kind_of(text)
    if domain is not None:
        type, modifier = domain.root()
    if kind == "n":
        datum = None
    elif kind == '"' and (type.category == "A" or isinstance(type, RecordType)):
        datum = read_datum(type, modifier, read(text), session)
    elif type.category == "A":
        datum = ArrayOfJson(type.element, modifier, session, key).array(text)
    elif isinstance(type, RecordType):
        datum = inner_record(type, text, base, session)
    else:
        datum = scalar_of(type, modifier, text, session)
    return datum if domain is None else session.checked(datum, domain)


def scalar_of(type, modifier, text, session):
    """The datum of a type without parts: of the text inside of quotes, or of the JSON as it is written."""
    if type.name == "json":
        return write(read(text)) if text[0] == '"' else text
    if type.name == "jsonb":
        return canonical(text)
    return read_datum(type, modifier, read(text) if text[0] == '"' else text, session)


def read_datum(type, modifier, text, session):
    """The datum of a type that a text means; it must fit the modifier."""
    datum = type.parse(text, modifier if type.name == "interval" else None, session)
    return datum if modifier is None else type.apply_modifier(datum, modifier, False)


# ------------------------------------------------------------------------------------------------ records

def record_datum(type, text, base, session):
    """The tuple of an object's members as fields. Fields that it lacks are those of `base`, a tuple; without one they are
    NULL. Raises 22023 for what is no object."""
    kind = kind_of(text)
    if kind != "{":
        raise error("22023", f"cannot call populate_composite on {'an array' if kind == '[' else 'a scalar'}")
    members = dict(parts(text))
    known = (None,) * len(type.fields) if base is None else base
    return tuple(before if base is not None and field.name not in members else
                 datum_of(field.type, field.modifier, members.get(field.name), session, before, field.name)
                 for field, before in zip(type.fields, known))


def inner_record(type, text, base, session):
    """The same for a field of a record. Raises 42809 for types without a name, of which PostgreSQL does not know the fields
    there."""
    if type.kind == "p":
        raise error("42809", "record type has not been registered")
    return record_datum(type, text, base, session)


# ------------------------------------------------------------------------------------------------ arrays

class ArrayOfJson:
    """An array that is being read. It has as many dimensions (`count`, None while unknown) as there are brackets around the
    first value that is no array, or around what is in the first empty one; what stands deeper is an element's own.

    sizes: how many parts the array that is open at each depth has so far; dims: how many those before it had."""

    def __init__(self, element, modifier, session, key=None):
        self.element, self.modifier, self.session, self.key = element, modifier, session, key
        self.count, self.elements, self.sizes, self.dims = None, [], [], []

    def array(self, text):
        """The Array. Raises 22P02 for parts that are no arrays or differ in length, 54000 for too many dimensions."""
        self.take(text, 0)
        if self.count > DIMENSIONS_MAX and self.elements:
            raise error("54000", f"number of array dimensions ({self.count}) exceeds the maximum allowed ({DIMENSIONS_MAX})")
        return Array(tuple(self.elements), tuple(self.dims), (1,) * self.count) if self.elements else EMPTY

    def take(self, text, depth):
        """Read a value that stands in so many arrays."""
        if kind_of(text) == "[" and depth != self.count:
            self.sizes[depth:] = [0]
            for _, part in parts(text):
                self.take(part, depth + 1)
            self.settle(depth + 1)
            self.close(depth)
        else:
            self.settle(depth)
            if depth < self.count or depth == 0:
                raise self.no_array(depth)
            self.elements.append(datum_of(self.element, self.modifier, text, self.session))
        if depth > 0:
            self.sizes[depth - 1] += 1

    def settle(self, depth):
        """It has so many dimensions, if that was not known."""
        if self.count is None:
            self.count, self.dims = depth, [None] * depth

    def close(self, depth):
        """See that an array has as many parts as others at its depth."""
        if self.dims[depth] not in (None, self.sizes[depth]):
            raise error("22P02", "malformed JSON array",
                        detail="Multidimensional arrays must have sub-arrays with matching dimensions.")
        self.dims[depth] = self.sizes[depth]

    def no_array(self, depth):
        """The error for a part that should be an array."""
        subscripts = "".join(f"[{size}]" for size in self.sizes[:depth])
        what = f"the array element {subscripts}" if depth else "the value"
        of_key = "" if self.key is None else f" of key \"{self.key}\""
        return error("22P02", "expected JSON array", hint=f"See {what}{of_key}." if depth or of_key else None)
