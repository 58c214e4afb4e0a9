"""string_agg: the values one after the other, with separators between them."""
from caldera.base.errors import error
from caldera.functions.registry import Aggregate, aggregate

BYTES_MAX = (1 << 30) - 1


class Joined(Aggregate):
    """State: a list of pairs (separator, value). The first separator is not used; a NULL one counts as empty."""
    python, strict, ordered, grows = True, False, True, True
    empty: str | bytes = ""

    def start(self):
        return []

    def step(self, state, value, separator):
        if value is not None:
            state.append((self.empty if separator is None else separator, value))
        return state

    def merge(self, state, other):
        return state + other

    def finish(self, state):
        if not state:
            return None
        parts = [part for pair in state for part in pair][1:]
        if sum(map(len, parts)) > BYTES_MAX:
            raise error("54000", f"string buffer exceeds maximum allowed length ({BYTES_MAX} bytes)")
        return self.empty.join(parts)


aggregate("string_agg(text, text) -> text", doc="The values joined, with a separator before each but the first.",
          example="SELECT string_agg(x, ', ' ORDER BY x) FROM (VALUES ('a'), ('b')) t (x)  -- a, b")(Joined)


@aggregate("string_agg(bytea, bytea) -> bytea", doc="The values joined, with a separator before each but the first.",
           example=r"SELECT string_agg(x, '\x00'::bytea) FROM (VALUES ('\x01'::bytea), ('\x02')) t (x)  -- \x010002")
class JoinedBytes(Joined):
    """The same for bytes."""
    empty = b""
