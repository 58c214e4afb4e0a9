"""uuid: 128 bits, in memory as two words, the first half first, so that their unsigned order is the order of the text."""
import re
from uuid import UUID

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.types.registry import SqlType, register

DIGITS = "(?:[0-9a-fA-F]{4}-?){7}[0-9a-fA-F]{4}"
SHAPE = re.compile(rf"{DIGITS}|\{{{DIGITS}\}}")


class Uuid(SqlType):
    """Read with hyphens behind any group of four digits, and in braces if you like."""
    equal_is_same = True
    name = sql_name = "uuid"
    oid, array_oid = 2950, 2951
    category, length = "U", 16
    layout = layouts.UUID
    python_type = UUID

    def parse(self, text, modifier=None, session=None):
        if not SHAPE.fullmatch(text):
            raise error("22P02", f'invalid input syntax for type uuid: "{text}"')
        return UUID(text.strip("{}").replace("-", ""))

    def from_python(self, thing):
        return self.parse(thing) if isinstance(thing, str) else thing

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.uuid()


UUID_TYPE = register(Uuid())
