"""Expressions of a plan: frozen, typed, printable. The binder makes them, rules rewrite them, operators stage them.

Every expression has `type` (an SqlType), `modifier` and `nullable`. `children`, `with_children` and `called` let rules walk
and judge without knowing the kinds. Truth is three-valued: And, Or and Not follow SQL.
"""
import functools
from dataclasses import dataclass, field, fields, replace
from itertools import count
from typing import Any

from caldera.types.registry import TYPES, SqlType

COLUMN_IDS = count(1)


class Truth:
    """What is true, false or NULL."""

    @property
    def type(self):
        return TYPES["bool"]


class kept:
    """Decorator: a property that is computed once for each object, whose fields never change."""

    def __init__(self, compute):
        self.compute, self.name, self.__doc__ = compute, compute.__name__, compute.__doc__

    def __get__(self, thing, kind=None):
        if thing is None:
            return self
        value = thing.__dict__[self.name] = self.compute(thing)
        return value


@functools.cache
def member_names(kind):
    """The names of a dataclass's fields, in order."""
    return tuple(member.name for member in fields(kind))


def holds_expression(item):
    """Whether a member of a tuple is an expression or a SortKey."""
    return isinstance(item, (Expression, SortKey))


def with_expression(item, expression):
    """The expression, or the SortKey over it."""
    return expression if isinstance(item, Expression) else replace(item, expression=expression)


class Expression:
    """Base of all expressions. `called`: the functions.registry.Function that is applied, or None. `lasting`: whether the
    value holds for other statements, too. `allocates`: whether computing it takes scratch memory. `position`: of
    the character where it was written, None if unknown."""
    modifier: tuple | None = None
    nullable = True
    called: Any = None
    lasting = True
    allocates = False
    position: int | None = None

    @kept
    def children(self):
        """The expressions directly inside, in the order of evaluation; those of sort keys, too."""
        found = []
        for name in member_names(type(self)):
            value = getattr(self, name)
            if isinstance(value, Expression):
                found.append(value)
            elif isinstance(value, tuple):
                found += [item if isinstance(item, Expression) else item.expression
                          for item in value if holds_expression(item)]
        return tuple(found)

    def with_children(self, children):
        """The same kind of expression over other children."""
        remaining, changed = list(children), {}
        for name in member_names(type(self)):
            value = getattr(self, name)
            if isinstance(value, Expression):
                changed[name] = remaining.pop(0)
            elif isinstance(value, tuple) and any(map(holds_expression, value)):
                changed[name] = tuple(with_expression(item, remaining.pop(0)) if holds_expression(item) else item
                                      for item in value)
        return replace(self, **changed)

    @kept
    def subqueries(self):
        """The Subquery expressions in it, outermost first, without those inside other subqueries' plans."""
        own = (self,) if isinstance(self, Subquery) else ()
        return own + tuple(inner for child in self.children for inner in child.subqueries)

    @kept
    def columns(self):
        """The ids of all columns used."""
        found = frozenset()
        for child in self.children:
            found |= child.columns
        return found


@dataclass(frozen=True)
class SortKey:
    """One key of an order. NULLs sort last by default when ascending, first when descending, as in PostgreSQL."""
    expression: Expression
    descending: bool = False
    nulls_first: bool = False

    def __str__(self):
        nulls = "" if self.nulls_first == self.descending else " NULLS FIRST" if self.nulls_first else " NULLS LAST"
        return f"{self.expression}{' DESC' if self.descending else ''}{nulls}"


def expressions_in(thing):
    """The outermost expressions in what a field may hold: an expression, a SortKey, a tuple of such."""
    if isinstance(thing, Expression):
        yield thing
    elif isinstance(thing, SortKey):
        yield thing.expression
    elif isinstance(thing, tuple):
        for item in thing:
            yield from expressions_in(item)


@dataclass(frozen=True)
class Column(Expression):
    """A column of some node's output; `id` is unique in the query, `name` is for people."""
    id: int
    name: str
    type: SqlType
    modifier: tuple | None = None
    nullable: bool = True

    subqueries = ()

    @property
    def columns(self):
        return {self.id}

    def __str__(self):
        return self.name


def new_column(name, type, modifier=None, nullable=True):
    """A column with a fresh id."""
    return Column(next(COLUMN_IDS), name, type, modifier, nullable)


@dataclass(frozen=True, eq=False)
class Constant(Expression):
    """A datum, or None for NULL. `static`: part of the program's text instead of a parameter. `lasting`: False for what
    holds for this statement only (now()). Constants are equal if they are the same, not if SQL calls them equal: 1.0 and
    1.00 show apart, 0.0 and -0.0 as well."""
    value: Any
    type: SqlType
    modifier: tuple | None = None
    static: bool = False
    lasting: bool = True
    position: int | None = None

    @property
    def identity(self):
        """What is compared."""
        return repr(self.value), self.type, self.modifier, self.static

    def __eq__(self, other):
        return isinstance(other, Constant) and self.identity == other.identity

    def __hash__(self):
        return hash(self.identity)

    @property
    def nullable(self):
        return self.value is None

    def __str__(self):
        if self.value is None:
            return f"NULL::{self.type.spell(self.modifier)}"
        text = self.type.format(self.value)
        if self.type.name in ("int4", "float8", "numeric"):
            return text
        return text if self.type.name == "bool" else "'" + text.replace("'", "''") + f"'::{self.type.spell(self.modifier)}"


@dataclass(frozen=True)
class Parameter(Expression):
    """$number of a prepared statement, or the value of a subquery that is computed before (then `number` is its key)."""
    number: Any
    type: SqlType
    modifier: tuple | None = None

    def __str__(self):
        return f"${self.number}"


@dataclass(frozen=True)
class Call(Expression):
    """A function or operator applied. `function` is a caldera.functions.registry.Function."""
    function: Any
    arguments: tuple
    type: SqlType
    modifier: tuple | None = None
    position: int | None = field(default=None, compare=False)

    @property
    def called(self):
        return self.function

    @property
    def nullable(self):
        return not self.function.strict or self.function.python or self.function.may_be_null or \
            any(argument.nullable for argument in self.arguments)

    def __str__(self):
        name, arguments = self.function.operator, [str(argument) for argument in self.arguments]
        if name and len(arguments) == 2:
            return f"({arguments[0]} {name} {arguments[1]})"
        if name and len(arguments) == 1:
            return f"({name} {arguments[0]})"
        if self.function.cast:
            return f"({arguments[0]})::{self.type.spell(self.modifier)}"
        return f"{self.function.name}({', '.join(arguments)})"


@dataclass(frozen=True)
class Relabel(Expression):
    """A cast that changes the type only: the bits stay (varchar to text)."""
    argument: Expression
    type: SqlType
    modifier: tuple | None = None

    @property
    def nullable(self):
        return self.argument.nullable

    def __str__(self):
        return f"({self.argument})::{self.type.spell(self.modifier)}"


@dataclass(frozen=True)
class And(Truth, Expression):
    """Conjunction of two or more; operands to the right are guarded by those to the left, so that they cannot fail where
    those are false."""
    arguments: tuple

    @property
    def nullable(self):
        return any(argument.nullable for argument in self.arguments)

    def __str__(self):
        return "(" + " AND ".join(map(str, self.arguments)) + ")"


@dataclass(frozen=True)
class Or(And):
    """Disjunction of two or more."""

    def __str__(self):
        return "(" + " OR ".join(map(str, self.arguments)) + ")"


@dataclass(frozen=True)
class Not(Truth, Expression):
    """Negation; NULL stays NULL."""
    argument: Expression

    @property
    def nullable(self):
        return self.argument.nullable

    def __str__(self):
        return f"(NOT {self.argument})"


@dataclass(frozen=True)
class IsNull(Truth, Expression):
    """argument IS [NOT] NULL. Never NULL itself."""
    argument: Expression
    negated: bool = False
    nullable = False

    def __str__(self):
        return f"({self.argument} IS {'NOT ' if self.negated else ''}NULL)"


@dataclass(frozen=True)
class IsTruth(Truth, Expression):
    """argument IS [NOT] TRUE | FALSE (`truth`); IS UNKNOWN is IsNull. Never NULL."""
    argument: Expression
    truth: bool
    negated: bool = False
    nullable = False

    def __str__(self):
        return f"({self.argument} IS {'NOT ' if self.negated else ''}{str(self.truth).upper()})"


@dataclass(frozen=True)
class IsDistinct(Truth, Expression):
    """left IS [NOT] DISTINCT FROM right, both of one type. Never NULL."""
    left: Expression
    right: Expression
    negated: bool = False
    nullable = False

    def __str__(self):
        return f"({self.left} IS {'NOT ' if self.negated else ''}DISTINCT FROM {self.right})"


@dataclass(frozen=True)
class Case(Expression):
    """CASE WHEN conditions[i] THEN results[i] ... ELSE otherwise END. The simple form is bound to this one, its operand
    repeated. A result is evaluated only where its condition holds and none before it does."""
    conditions: tuple
    results: tuple
    otherwise: Expression
    type: SqlType
    modifier: tuple | None = None

    @property
    def nullable(self):
        return self.otherwise.nullable or any(result.nullable for result in self.results)

    def __str__(self):
        arms = " ".join(f"WHEN {condition} THEN {result}" for condition, result in zip(self.conditions, self.results))
        return f"CASE {arms} ELSE {self.otherwise} END"


@dataclass(frozen=True)
class Coalesce(Expression):
    """The first argument that is not NULL; later ones are evaluated only where needed."""
    arguments: tuple
    type: SqlType
    modifier: tuple | None = None

    @property
    def nullable(self):
        return all(argument.nullable for argument in self.arguments)

    def __str__(self):
        return f"COALESCE({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class Extreme(Expression):
    """GREATEST or LEAST: ignores NULLs."""
    greatest: bool
    arguments: tuple
    type: SqlType
    modifier: tuple | None = None

    @property
    def nullable(self):
        return all(argument.nullable for argument in self.arguments)

    def __str__(self):
        return f"{'GREATEST' if self.greatest else 'LEAST'}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class InList(Truth, Expression):
    """argument [NOT] IN (constants), all constants of the argument's type: membership in a set. Other IN lists are Or of
    equalities. `has_null`: the list held a NULL."""
    argument: Expression
    values: tuple                   # datums
    has_null: bool = False
    negated: bool = False

    @property
    def nullable(self):
        return self.has_null or self.argument.nullable

    def __str__(self):
        listed = ", ".join(str(Constant(value, self.argument.type)) for value in self.values)
        return f"({self.argument} {'NOT ' if self.negated else ''}IN ({listed}))"


class Subquery(Expression):
    """What is computed from the rows of a subquery, `plan`: a function of the columns of the queries around that it uses.
    `parameters`: the ids by which the plan knows them, `outer`: the expressions that they stand for where the subquery
    stands. Without any, it is uncorrelated, and computed before the pipelines; others are for optimize.unnesting to replace.
    `exists`: it asks whether there are rows, so that the plan may have any number of output columns."""
    exists = False
    plan: Any
    parameters: tuple
    outer: tuple


@dataclass(frozen=True)
class ScalarSubquery(Subquery):
    """The one value of a subquery (NULL if it has no row; 21000 if it has several). `plan` has one output column.
    `exists`: the value is instead whether there is a row (EXISTS)."""
    plan: Any
    type: SqlType
    modifier: tuple | None = None
    exists: bool = False
    parameters: tuple = ()
    outer: tuple = ()

    @property
    def nullable(self):
        return not self.exists

    def __str__(self):
        return "EXISTS(...)" if self.exists else "(subquery)"


@dataclass(frozen=True)
class InSubquery(Truth, Subquery):
    """argument IN (an uncorrelated subquery), or argument operator ANY (...): `plan` has one output column, of the
    argument's type."""
    argument: Expression
    plan: Any
    parameters: tuple = ()
    outer: tuple = ()
    operator: str = "="

    def __str__(self):
        return f"({self.argument} {'IN' if self.operator == '=' else f'{self.operator} ANY'} (subquery))"


@dataclass(frozen=True)
class AnySubquery(Truth, Subquery):
    """Whether the only column of `plan`, a condition, is true in some row; NULL if in none, but NULL in some. What is
    compared with the rows is among the parameters. Always replaced by a join."""
    plan: Any
    parameters: tuple = ()
    outer: tuple = ()

    def __str__(self):
        return f"ANY({', '.join(map(str, self.outer))})"


@dataclass(frozen=True)
class OneRow(Expression):
    """The argument, which a subquery has given; 21000 where `count`, the number of its rows, is more than 1."""
    argument: Expression
    count: Expression

    @property
    def type(self):
        return self.argument.type

    @property
    def modifier(self):
        return self.argument.modifier

    def __str__(self):
        return f"one row({self.argument})"


@dataclass(frozen=True)
class AggregateCall(Expression):
    """An aggregate in an Aggregate node. `signature`: caldera.functions.registry.AggregateSignature. `order_by`: SortKeys
    of an ordered aggregate. `direct`: expressions inside that only keys of groups may be used in; for the binder."""
    signature: Any
    arguments: tuple
    type: SqlType
    modifier: tuple | None = None
    distinct: bool = False
    filter: Expression | None = None
    order_by: tuple = ()
    direct: tuple = ()

    @property
    def nullable(self):
        return self.signature.implementation.empty_is_null

    @property
    def direct_arguments(self):
        """`direct`, or of an ordered-set aggregate the arguments that stand before WITHIN GROUP."""
        if not self.signature.implementation.within_group:
            return self.direct
        return self.arguments[:len(self.arguments) - len(self.order_by)]

    def __str__(self):
        inner = ", ".join(map(str, self.arguments)) or "*"
        order = " ORDER BY " + ", ".join(map(str, self.order_by)) if self.order_by else ""
        condition = f" FILTER (WHERE {self.filter})" if self.filter is not None else ""
        return f"{self.signature.name}({'DISTINCT ' if self.distinct else ''}{inner}{order}){condition}"


@dataclass(frozen=True)
class GroupingCall(Expression):
    """GROUPING(a, b): a number with a bit for each argument, the last one's lowest: 1 where the argument is not among the
    keys of the row's grouping set. The binder replaces it by a column or a constant."""
    arguments: tuple
    nullable = False

    @property
    def type(self):
        return TYPES["int4"]

    def __str__(self):
        return f"GROUPING({', '.join(map(str, self.arguments))})"
