"""regtype, regclass, regproc and their like: OIDs of things of the catalog, written as their names.

    text ─ parse ─▶ OID         a name goes through session.view.named_oid(type, text), digits are the OID itself
    OID ─ format ─▶ text        session.view.oid_text(type, oid); digits where nothing has the OID
"""
import re

from caldera.base.errors import error
from caldera.types.integers import SPACE, Oid
from caldera.types.registry import BY_OID, TYPES, register

DIGITS = re.compile(r"[0-9]+")


class RegName(Oid):
    """The OID of something in the catalog. nothing: how 0 is written."""
    python_type: type = object

    def __init__(self, name, oid, array_oid, nothing="-"):
        super().__init__(name, oid, array_oid, preferred=False)
        self.nothing = nothing

    def parse(self, text, modifier=None, session=None):
        if text == self.nothing:
            return 0
        if DIGITS.fullmatch(text) or session is None:
            return super().parse(text, modifier, session)
        return session.view.named_oid(self.name, text)

    def format(self, datum, session=None):
        if datum == 0:
            return self.nothing
        name = None if session is None or session.view is None else session.view.oid_text(self.name, datum)
        return str(datum) if name is None else name

    def to_python(self, datum, session=None):
        return self.format(datum, session)


class RegType(RegName):
    """The OID of a type: what pg_typeof gives."""

    def parse(self, text, modifier=None, session=None):
        name = text.strip(SPACE)
        if name == self.nothing or DIGITS.fullmatch(name):
            return super().parse(name, modifier, session)
        if session is not None:
            return session.type_oid(name)
        found = TYPES.get(name) or next((type for type in TYPES.values() if type.sql_name == name.lower()), None)
        if found is None:
            raise error("42704", f'type "{name}" does not exist')
        return found.oid

    def format(self, datum, session=None):
        return BY_OID[datum].sql_name if datum in BY_OID else super().format(datum, session)


for name, oid, array_oid in (("regproc", 24, 1008), ("regprocedure", 2202, 2207), ("regclass", 2205, 2210),
                             ("regrole", 4096, 4097), ("regnamespace", 4089, 4090), ("regcollation", 4191, 4192),
                             ("regconfig", 3734, 3735), ("regdictionary", 3769, 3770)):
    register(RegName(name, oid, array_oid))
register(RegName("regoper", 2203, 2208, nothing="0"))
register(RegName("regoperator", 2204, 2209, nothing="0"))
register(RegType("regtype", 2206, 2211))
