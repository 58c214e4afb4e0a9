"""SQL values while staging: NULL, three-valued logic, and arithmetic that cannot fail silently.

A staged SQL value is a value and whether it is there: `Sql(value, valid)`. For a NOT NULL expression `valid` is Python's
True, and then no code for NULL is emitted. Verbs are total: checked arithmetic gives `(value, bad)`, where `bad` says
that the result is not what SQL promises. The row masks `bad` by validity and OR-s it into a variable, which is tested
once per block: a branch per operation would make the loop scalar.
"""
from dataclasses import dataclass

from caldera.kernel.interface import I16, I32, I64, I128

WIDER = {I16: I32, I32: I64, I64: I128}


@dataclass
class Sql:
    """`value`: a staged Value, Pair or Text, meaningless where not valid. `valid`: True, False (NULL, known while staging)
    or a staged BOOL."""
    value: object
    valid: object


def checked(k, operation, a, b):
    """Integer `a operation b` (add, sub, mul) as (value, bad), branch-free, with the type of `a`."""
    if a.type == I64 and operation in ("add", "sub"):       # the sign is wrong exactly if both inputs disagree with it
        result = k.binary(operation, a, b)
        agree = (a ^ result) & (b ^ result) if operation == "add" else (a ^ b) & (a ^ result)
        return result, agree < 0
    wide_type = WIDER[a.type]
    wide = k.binary(operation, k.convert(a, wide_type), k.convert(b, wide_type))
    result = k.convert(wide, a.type)
    return result, k.convert(result, wide_type) != wide


def both_true(k, a, b):
    """SQL's AND of two Sql truth values: false if either side is false, otherwise NULL if either is NULL."""
    is_false = k.or_(k.and_(a.valid, k.not_(a.value)), k.and_(b.valid, k.not_(b.value)))
    return Sql(k.and_(a.value, b.value), k.or_(k.and_(a.valid, b.valid), is_false))


def either_true(k, a, b):
    """SQL's OR: true if either side is true, otherwise NULL if either is NULL."""
    is_true_somewhere = k.or_(k.and_(a.valid, a.value), k.and_(b.valid, b.value))
    return Sql(is_true_somewhere, k.or_(k.and_(a.valid, b.valid), is_true_somewhere))


def is_true(k, sql):
    """What WHERE keeps: true, and neither false nor NULL."""
    return k.and_(sql.value, sql.valid)
