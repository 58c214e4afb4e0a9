"""generate_series over numerics: from a start by steps up (or down) to an end."""
from decimal import Decimal

from caldera.base.errors import error
from caldera.functions.registry import TABLE_FUNCTIONS, TableFunction
from caldera.types import arithmetic
from caldera.types.registry import lookup

ONE = Decimal(1)


def check(number, what):
    """Raise 22023 for what no series can start from, end at or go by."""
    if number.is_nan():
        raise error("22023", f"{what} cannot be NaN")
    if number.is_infinite():
        raise error("22023", f"{what} cannot be infinity")


def series(session, start, stop, step=ONE):
    """The numbers start, start + step, ... that are not beyond `stop`, as rows; none if a bound is NULL."""
    if None in (start, stop, step):
        return
    for number, what in ((start, "start value"), (stop, "stop value"), (step, "step size")):
        check(number, what)
    if not step:
        raise error("22023", "step size cannot equal zero")
    number = start
    while (number <= stop) if step > 0 else (number >= stop):
        yield (number,)
        number = arithmetic.add(number, step)


NUMERIC = lookup("numeric")
for count in (2, 3):
    TABLE_FUNCTIONS.setdefault("generate_series", []).append(TableFunction(
        "generate_series", (NUMERIC,) * count, (("generate_series", NUMERIC),), series,
        doc="Numbers from a start by steps (of 1) up to an end"))
