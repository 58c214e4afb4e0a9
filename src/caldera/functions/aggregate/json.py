"""json_agg, json_object_agg and their relatives: the values of all rows as an array, or as the members of an object."""
from caldera.base.errors import error
from caldera.functions.registry import Aggregate, aggregate
from caldera.types.json_of_datums import json_of, jsonb_of, key_of
from caldera.types.json_values import quoted, write

ARRAY_COMMA = ", \n "                # between arrays and records


class Gathered(Aggregate):
    """State: a list of what the rows give, and whether there was a row at all. absent_on_null: NULLs are left out."""
    python, strict, ordered, grows = True, False, True, True
    absent_on_null = False

    def start(self):
        return None

    def step(self, state, *datums):
        state = [] if state is None else state
        if not self.absent_on_null or datums[-1] is not None:
            state.append(self.part(*datums))
        return state

    def merge(self, state, other):
        return other if state is None else state if other is None else state + other

    def finish(self, state):
        return None if state is None else self.whole(state)


class JsonArray(Gathered):
    """The values in brackets; arrays on lines of their own."""

    def part(self, datum):
        """The text of a value."""
        return json_of(self.types[0], datum, self.session)

    def whole(self, parts):
        """The array of all."""
        return f"[{(ARRAY_COMMA if self.types[0].has_parts else ', ').join(parts)}]"


class JsonbArray(Gathered):
    """The values as jsonb."""

    def part(self, datum):
        """The value as jsonb has it."""
        return jsonb_of(self.types[0], datum, self.session)

    def whole(self, parts):
        """The array of all."""
        return write(parts)


class JsonObject(Gathered):
    """Members in the order of the rows, keys twice if they come twice, unless `unique`: then the state is a dict, in which
    None stands for a value that is left out, as its key counts."""
    unique = False

    def part(self, key, value):
        """A pair of texts."""
        return quoted(key_of(self.types[0], key, self.session)), json_of(self.types[1], value, self.session)

    def step(self, state, key, value):
        if key is None:
            raise error("22004", "null value not allowed for object key")
        if not self.unique:
            return super().step(state, key, value)
        name, text = self.part(key, value)
        return self.merge({} if state is None else state, {name: None if self.absent_on_null and value is None else text})

    def merge(self, state, other):
        """Both; raises 22030 for a key that comes twice, if that matters."""
        if self.unique and state is not None and other is not None:
            for key in other:
                if key in state:
                    raise error("22030", f"duplicate JSON object key value: {key}")
            state.update(other)
            return state
        return super().merge(state, other)

    def whole(self, parts):
        """The object of all."""
        members = [(key, value) for key, value in parts.items() if value is not None] if self.unique else parts
        return f"{{ {', '.join(f'{key} : {value}' for key, value in members)} }}"


class JsonbObject(Gathered):
    """The same as jsonb, where the last of equal keys counts; whether there are any is seen at the end."""
    unique = False

    def part(self, key, value):
        """Key and value as jsonb has them."""
        return key_of(self.types[0], key, self.session), jsonb_of(self.types[1], value, self.session)

    def step(self, state, key, value):
        if key is None:
            raise error("22023", "field name must not be null")
        if self.unique and self.absent_on_null and value is None:
            return [*(state or ()), (self.part(key, value)[0], None)]       # the key counts
        return super().step(state, key, value)

    def whole(self, parts):
        """The object of all. Raises 22030 for a key that comes twice, if that matters."""
        if self.unique:
            check_unique([key for key, _ in parts], shown=False)
        return write({key: value for key, value in parts if value is not None or not self.absent_on_null})


def check_unique(keys, shown=True):
    """Raise 22030 for the first key that is there already; `shown`: by name."""
    seen = set()
    for key in keys:
        if key in seen:
            raise error("22030", f"duplicate JSON object key value{f': {key}' if shown else ''}")
        seen.add(key)


ROWS = "FROM (VALUES ('a', 1), ('b', NULL)) t (k, v)"
OBJECTS = {("json", False): '{ "a" : 1, "b" : null }', ("json", True): '{ "a" : 1 }',
           ("jsonb", False): '{"a": 1, "b": null}', ("jsonb", True): '{"a": 1}'}


def define(name, array, members):
    """The aggregates that give a type: plain ones, those that leave out NULLs, those that check keys."""
    for absent, suffix in ((False, ""), (True, "_strict")):
        aggregate(f"{name}_agg{suffix}(anyelement) -> {name}", doc="The values as an array.",
                  example=f"SELECT {name}_agg{suffix}(v ORDER BY k) {ROWS}  -- {'[1]' if absent else '[1, null]'}",
                  )(type(array.__name__, (array,), {"absent_on_null": absent}))
        for unique, mark in ((False, ""), (True, "_unique")):
            function = f"{name}_object_agg{mark}{suffix}"
            aggregate(f"{function}(any, any) -> {name}", doc="Keys and values as an object.",
                      example=f"SELECT {function}(k, v ORDER BY k) {ROWS}  -- {OBJECTS[name, absent]}",
                      )(type(members.__name__, (members,), {"absent_on_null": absent, "unique": unique}))


define("json", JsonArray, JsonObject)
define("jsonb", JsonbArray, JsonbObject)
