"""jsonb to numbers and truth values."""
from decimal import Decimal

from caldera.base.errors import error
from caldera.functions.registry import scalar
from caldera.types import arithmetic
from caldera.types.json_values import read, type_name
from caldera.types.registry import lookup

WHOLE = {"int2": 15, "int4": 31, "int8": 63}
KINDS = {"array": "array", "object": "object", "null": "null", "string": "string", "number": "numeric", "boolean": "boolean"}


def scalar_of(document, wanted, type):
    """The value of a document, None for null; 22023 if it is not of the kind `wanted`."""
    value = read(document)
    if value is not None and type_name(value) != wanted:
        raise error("22023", f"cannot cast jsonb {KINDS[type_name(value)]} to type {lookup(type).sql_name}")
    return value


@scalar("bool(jsonb) -> bool", cast="explicit", python=True, doc="The truth value in a jsonb.",
        example="SELECT 'true'::jsonb::bool  -- t")
def jsonb_bool(document):
    return scalar_of(document, "boolean", "bool")


@scalar("numeric(jsonb) -> numeric", cast="explicit", python=True, doc="The number in a jsonb.",
        example="SELECT '1.50'::jsonb::numeric  -- 1.50")
def jsonb_numeric(document):
    value = scalar_of(document, "number", "numeric")
    return None if value is None else Decimal(value)


def define_whole(name, bits):
    """The cast to an integer type, which rounds."""
    @scalar(f"{name}(jsonb) -> {name}", cast="explicit", python=True, doc="The number in a jsonb, rounded.",
            example=f"SELECT '1.5'::jsonb::{name}  -- 2")
    def whole(document):
        value = scalar_of(document, "number", name)
        if value is None:
            return None
        rounded = value if isinstance(value, int) else int(arithmetic.round_to(value, 0))
        if not -1 << bits <= rounded < 1 << bits:
            raise error("22003", f"{lookup(name).sql_name} out of range")
        return rounded


def define_float(name):
    """The cast to a floating-point type."""
    @scalar(f"{name}(jsonb) -> {name}", cast="explicit", python=True, doc="The number in a jsonb.",
            example=f"SELECT '1.5'::jsonb::{name}  -- 1.5")
    def floating(document):
        value = scalar_of(document, "number", name)
        return None if value is None else lookup(name).parse(format(Decimal(value), "f"))


for name, bits in WHOLE.items():
    define_whole(name, bits)
for name in ("float4", "float8"):
    define_float(name)
