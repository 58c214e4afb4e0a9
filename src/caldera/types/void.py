"""void: what functions return that are called for their effect. Its one value is shown as an empty text.

And the type of columns whose values cannot be had, which is no type of SQL's."""
from caldera.kernel import layouts
from caldera.types.registry import SqlType, register


class Void(SqlType):
    """No value to speak of; the datum is an empty str."""
    name = sql_name = "void"
    oid, array_oid, category, length = 2278, 0, "P", 4
    layout = layouts.TEXT
    python_type = str

    def parse(self, text, modifier=None, session=None):
        return ""

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.string()


class Unreadable(Void):
    """Of a column in a file or a frame whose type SQL has nothing for. It may stand beside others as long as nobody wants
    its values; `reason` is what those are told who do."""

    def __init__(self, reason):
        self.reason = reason


VOID = register(Void())
