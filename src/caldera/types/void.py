"""void: what functions return that are called for their effect. Its one value is shown as an empty text."""
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


VOID = register(Void())
