"""Domains: a type's values that satisfy conditions, under a name of their own.

    CREATE DOMAIN age AS int DEFAULT 0 NOT NULL CHECK (VALUE < 200)
    definition: {"base": "int4", "modifier": None, "default": "0", "not_null": "age_not_null",
                 "checks": [["age_check", "VALUE < 200"]]}

In memory, on disk and in text a value is one of the base type. Conditions are SQL, so the binder looks after them
(caldera.bind.domains) wherever something becomes a value of the domain.
"""
from caldera.types.registry import TYPES
from caldera.types.user_types import UserType, family

ALIKE = ("category", "length", "comparable", "equal_is_same", "bytes_are_ordered", "arrow_as_text", "layout", "python_type")


@family("domain")
class Domain(UserType):
    """Values of `base` (with `base_modifier`). not_null: the name of that constraint, or None. checks: pairs of a
    constraint's name and its SQL. default: SQL text or None."""
    kind = "d"

    def define(self, definition):
        super().define(definition)
        self.base, modifier = TYPES[definition["base"]], definition["modifier"]
        self.base_modifier = None if modifier is None else tuple(modifier)
        self.default, self.not_null, self.checks = definition["default"], definition["not_null"], definition["checks"]
        for name in ALIKE:
            setattr(self, name, getattr(self.base, name))

    def catalog_row(self):
        return dict(typnotnull=self.not_null is not None, typbasetype=self.base.oid, typdefault=self.default,
                    typtypmod=self.base.typmod_of(self.base_modifier))

    @property
    def element(self):
        """Of a domain over arrays the type of the elements."""
        return self.base.element

    def root(self):
        """(the type below all domains, its modifier)."""
        type, modifier = self, None
        while type.base is not None:
            type, modifier = type.base, type.base_modifier
        return type, modifier

    def constraints(self):
        """(whether NULL is refused, pairs of name and SQL), with those of domains below, which come first."""
        if self.base.base is None:
            return self.not_null is not None, list(self.checks)
        refuses_null, checks = self.base.constraints()
        return refuses_null or self.not_null is not None, checks + list(self.checks)

    # ---- as the base type has it

    def parse(self, text, modifier=None, session=None):
        """The datum of a text. With a session, raises 23514 where a condition does not hold."""
        root, limit = self.root()
        datum = root.apply_modifier(root.parse(text, limit, session), limit)
        return datum if session is None else session.checked(datum, self)

    def format(self, datum, session=None):
        return self.base.format(datum, session)

    def to_python(self, datum, session=None):
        return self.base.to_python(datum, session)

    def from_python(self, thing):
        return self.base.from_python(thing)

    def to_bytes(self, datum):
        return self.base.to_bytes(datum)

    def from_bytes(self, data):
        return self.base.from_bytes(data)

    def sort_key(self, datum):
        return self.base.sort_key(datum)

    def arrow_type(self, modifier=None):
        return self.base.arrow_type(self.base_modifier)

    def equal(self, k, a, b):
        return self.base.equal(k, a, b)

    def less(self, k, a, b):
        return self.base.less(k, a, b)

    def hash(self, k, a):
        return self.base.hash(k, a)

    def key(self, k, a):
        return self.base.key(k, a)

    @property
    def key_is_exact(self):
        return self.base.key_is_exact

    @property
    def key_words(self):
        return self.base.key_words
