"""Casts between bool and int4. AND, OR and NOT belong to the language; comparisons are made in comparison.py."""
from caldera.functions.registry import scalar
from caldera.kernel.interface import I32


@scalar("bool(int4) -> bool", cast="explicit", cheap=True, doc="True unless the number is 0.",
        example="SELECT bool(2)  -- t")
def bool_of_int4(call, a):
    return a != 0


@scalar("int4(bool) -> int4", cast="explicit", cheap=True, doc="1 for true, 0 for false.",
        example="SELECT int4(true)  -- 1")
def int4_of_bool(call, a):
    return call.k.convert(call.k.as_condition(a), I32)
