"""num_nulls and num_nonnulls."""
from caldera.functions.registry import scalar
from caldera.kernel.interface import I32


def count_valid(call, values):
    """How many Sql values are there, I32."""
    total = call.k.constant(I32, 0)
    for value in values:
        total = total + call.k.convert(call.k.as_condition(value.valid), I32)
    return total


@scalar("num_nonnulls(any) -> int4", strict=False, variadic=True, doc="How many arguments are not NULL.",
        example="SELECT num_nonnulls(1, NULL, 'a')  -- 2")
def num_nonnulls(call, *values):
    return count_valid(call, values)


@scalar("num_nulls(any) -> int4", strict=False, variadic=True, doc="How many arguments are NULL.",
        example="SELECT num_nulls(1, NULL, 'a')  -- 1")
def num_nulls(call, *values):
    return call.k.constant(I32, len(values)) - count_valid(call, values)
