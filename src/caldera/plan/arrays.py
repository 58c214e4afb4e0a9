"""Expressions over arrays. What is computed for each element is a `Lambda`, an expression over columns of its own."""
from dataclasses import dataclass, replace
from typing import Any

from caldera.plan.expressions import Column, Expression, Truth, kept
from caldera.plan.walk import rewrite
from caldera.types.array import array_of
from caldera.types.registry import SqlType


@dataclass(frozen=True, eq=False)
class Lambda:
    """`body`: an expression over `parameters`, Columns that nothing else uses. So it is closed: no rule needs to look
    inside, and what walks the plan does not see it. Lambdas that compute the same are equal, whatever columns they use."""
    parameters: tuple
    body: Expression

    @kept
    def shape(self):
        """The body over columns that only tell the places of the parameters."""
        places = {column.id: replace(column, id=-number, name="") for number, column in enumerate(self.parameters, 1)}
        return rewrite(self.body, lambda part: places.get(part.id, part) if isinstance(part, Column) else part)

    def __eq__(self, other):
        return isinstance(other, Lambda) and self.shape == other.shape

    def __hash__(self):
        return hash(self.shape)

    @property
    def called(self):
        """Of the functions applied the one that asks for most care: volatile before stable, Python before generated code."""
        found, waiting = [], [self.body]
        while waiting:
            part = waiting.pop()
            found += [part.called] if part.called is not None else []
            waiting += part.children
        return max(found, key=lambda function: ("isv".index(function.volatility), function.python), default=None)

    def __str__(self):
        return str(self.body)


@dataclass(frozen=True)
class ArrayOf(Expression):
    """ARRAY[...]: the array of one dimension of some elements, which have the type's element type."""
    elements: tuple
    type: SqlType
    modifier: tuple | None = None
    nullable, allocates = False, True

    def __str__(self):
        return f"ARRAY[{', '.join(map(str, self.elements))}]"


@dataclass(frozen=True)
class Subscript(Expression):
    """array[i, ...]: an element, with an int4 for each dimension. NULL where the array has no such element, or not as many
    dimensions."""
    array: Expression
    indexes: tuple

    @property
    def type(self):
        return self.array.type.element

    @property
    def modifier(self):
        return self.array.modifier

    def __str__(self):
        return f"{self.array}{''.join(f'[{index}]' for index in self.indexes)}"


@dataclass(frozen=True)
class Steps(Expression):
    """start, start + step, ... up to stop (down to it): the list of generate_series over int4 or int8, of which an Expand
    takes the elements. It is never made as a whole."""
    start: Expression
    stop: Expression
    step: Expression

    @property
    def type(self):
        return array_of(self.start.type)

    def __str__(self):
        return f"generate_series({self.start}, {self.stop}, {self.step})"


@dataclass(frozen=True)
class ElementTest(Truth, Expression):
    """argument op ANY (array), or ALL: whether `test`, of the argument and an element, is true for some element, or for all.
    NULL where that depends on elements for which the test is NULL."""
    argument: Expression
    array: Expression
    test: Lambda
    some: bool

    @property
    def called(self):
        return self.test.called

    def __str__(self):
        argument, element = self.test.parameters
        shown = str(self.test).replace(element.name, f"{'ANY' if self.some else 'ALL'} ({self.array})")
        return shown.replace(argument.name, str(self.argument))


@dataclass(frozen=True)
class ElementMap(Expression):
    """The array of what `change` gives for each element, with the same dimensions."""
    array: Expression
    change: Lambda
    type: SqlType
    modifier: tuple | None = None
    allocates = True

    @property
    def called(self) -> Any:
        return self.change.called

    @property
    def nullable(self):
        return self.array.nullable

    def __str__(self):
        return f"({self.array})::{self.type.spell(self.modifier)}"
