"""Window functions in expressions and plans.

    sum(x) OVER (PARTITION BY a ORDER BY b)     the binder's WindowCall carries its whole window
    Window(PARTITION BY a ORDER BY b): sum(x)   a node has the window once, and calls without one
"""
from dataclasses import dataclass
from typing import Any

from caldera.functions.registry import AggregateSignature
from caldera.plan.expressions import Expression


@dataclass(frozen=True)
class Frame:
    """Which rows of its partition a window function sees from a row. `mode`: what offsets count, ROWS, RANGE or GROUPS;
    `start`, `stop`: UNBOUNDED PRECEDING, PRECEDING (by an offset), CURRENT ROW, FOLLOWING, UNBOUNDED FOLLOWING; `exclude`:
    CURRENT ROW, GROUP or TIES, what is left out of the frame again; else empty."""
    mode: str = "RANGE"
    start: str = "UNBOUNDED PRECEDING"
    stop: str = "CURRENT ROW"
    exclude: str = ""

    def spell(self, offsets):
        """As it is written, with the expressions of its offsets."""
        start, stop = (bound if offset is None else f"{offset} {bound}"
                       for bound, offset in zip((self.start, self.stop), offsets))
        return f"{self.mode} BETWEEN {start} AND {stop}" + (f" EXCLUDE {self.exclude}" if self.exclude else "")


@dataclass(frozen=True)
class Windowed:
    """What a WindowCall and a Window node have alike. partition: expressions. order: SortKeys. offsets: the expressions of
    the frame's two offsets, or None. bounds: with RANGE and offsets of types that numpy does not add, expressions of the
    order's key, and of the least and the greatest key in the frame (or None), all of one type. `name`: of the window, for
    people."""
    partition: tuple = ()
    order: tuple = ()
    frame: Frame = Frame()
    offsets: tuple = (None, None)
    bounds: tuple = ()
    name: str = ""

    @property
    def window(self):
        """The window without its name: what calls that share a node agree on."""
        return self.partition, self.order, self.frame, self.offsets, self.bounds

    def spell_window(self):
        """As it is written between the parentheses."""
        parts = ["PARTITION BY " + ", ".join(map(str, self.partition))] if self.partition else []
        parts += ["ORDER BY " + ", ".join(map(str, self.order))] if self.order else []
        parts += [self.frame.spell(self.offsets)] if self.frame != Frame() else []
        return f"({' '.join(parts)})"


@dataclass(frozen=True)
class FunctionUse(Expression):
    """A function and what it is applied to. `function`: caldera.functions.registry.WindowFunction or AggregateSignature."""
    function: Any = None
    arguments: tuple = ()
    type: Any = None                # an SqlType
    modifier: tuple | None = None
    filter: Expression | None = None


@dataclass(frozen=True)
class WindowCall(Windowed, FunctionUse):
    """A window function, or an aggregate, over a window. Its arguments come before the window's keys among its children."""

    @property
    def is_aggregate(self):
        """Whether it is an aggregate."""
        return isinstance(self.function, AggregateSignature)

    @property
    def nullable(self):
        return self.function.implementation.empty_is_null if self.is_aggregate else bool(self.arguments)

    def __str__(self):
        inner = ", ".join(map(str, self.arguments)) or ("*" if self.is_aggregate else "")
        condition = f" FILTER (WHERE {self.filter})" if self.filter is not None else ""
        return f"{self.function.name}({inner}){condition} OVER {self.name or self.spell_window()}"
