"""bool."""
from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.types.registry import SqlType, register

WORDS = {word[:length]: word in ("true", "yes", "on", "1")
         for word, shortest in (("true", 1), ("false", 1), ("yes", 1), ("no", 1), ("on", 2), ("off", 2), ("1", 1), ("0", 1))
         for length in range(shortest, len(word) + 1)}


class Boolean(SqlType):
    """True or false; false comes first in order."""
    equal_is_same = True
    name, sql_name = "bool", "boolean"
    oid, array_oid = 16, 1000
    category, preferred, length = "B", True, 1
    layout = layouts.BOOLEAN
    python_type = bool

    def parse(self, text, modifier=None, session=None):
        word = text.strip(" \t\n\v\f\r").lower()
        if word not in WORDS:
            raise error("22P02", f'invalid input syntax for type boolean: "{text}"')
        return WORDS[word]

    def format(self, datum, session=None):
        return "t" if datum else "f"

    def from_python(self, thing):
        return self.parse(thing) if isinstance(thing, str) else bool(thing)

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.bool_()


BOOL = register(Boolean())
