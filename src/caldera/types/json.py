"""json: text that is valid JSON, kept as it was written; jsonb: values, kept as the one text that jsonb has for each.

Both lie in memory as texts. jsonb's is in the form that `json_values.write` gives, so that it needs no conversion to be
shown, generated code finds members by a walk over bytes (kernel.json_walk), and two values with the same bytes are equal.
Others may be equal, too (1.0 and 1.00): kernel.json_order compares.
"""
import json

from caldera.kernel import json_order, layouts
from caldera.types.json_values import canonical, check, read, top_order_key
from caldera.types.registry import SqlType, register


class Json(SqlType):
    """Text of JSON. Has no comparisons."""
    name = sql_name = "json"
    oid, array_oid = 114, 199
    layout = layouts.TEXT
    bytes_are_ordered = comparable = False

    def parse(self, text, modifier=None, session=None):
        check(text)
        return text

    def format(self, datum, session=None):
        return datum

    def to_python(self, datum, session=None):
        return json.loads(datum)

    def from_python(self, thing):
        return self.parse(thing) if isinstance(thing, str) else json.dumps(thing, ensure_ascii=False)

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.string()


class Jsonb(Json):
    """Values of JSON: null, strings, numbers, booleans, arrays and objects, in this order."""
    name = sql_name = "jsonb"
    oid, array_oid = 3802, 3807
    comparable = True

    def parse(self, text, modifier=None, session=None):
        return canonical(text)

    def from_python(self, thing):
        return canonical(super().from_python(thing))

    def sort_key(self, datum):
        return top_order_key(read(datum)) if datum else ()      # columns hold no text at all for NULL

    def equal(self, k, a, b):
        return json_order.equal(k, a, b)

    def less(self, k, a, b):
        return json_order.compared(k, a, b) < 0

    def hash(self, k, a):
        return k.routine(json_order.hash_json, a.address, a.length)

    def key(self, k, a):
        return [k.routine(json_order.leading_key, a.address, a.length)]


JSON, JSONB = register(Json()), register(Jsonb())
