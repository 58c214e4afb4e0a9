"""What the binding of one statement knows: its text for positions, the session and the catalog, and what stands where.

An expression of the plan does not say where it was written, but messages do. So the binder remembers, for each expression
that it makes, the syntax it came from (`note`), and finds the place from there when something is wrong (`location`).
"""
from caldera.base.errors import error
from caldera.plan.expressions import Constant, Parameter
from caldera.types.registry import TYPES


class Binder:
    """The state of binding one statement.

    statement: caldera.sql.parse.Statement. session: `setting(name)`, `now()`, and what utility statements need. catalog: the
    catalog as the statement's snapshot sees it. parameter_types: SqlType or None (still open) for $1, $2, ...; the list
    grows and its open places are filled as their use tells; without a list the statement may have no parameters. values:
    their datums, if the plan is for these alone. entries:
    the catalog's entries that the statement mentions; bare_names: {location: entry} of those whose name stands there without
    a schema. has_common_tables: whether it has a WITH.
    """

    def __init__(self, statement, session, catalog, parameter_types=None, values=None):
        self.values = values
        self.statement, self.session, self.catalog = statement, session, catalog
        self.may_have_parameters = parameter_types is not None
        self.parameter_types = [] if parameter_types is None else parameter_types
        self.view_depth, self.entries, self.bare_names, self.only_explains = 0, [], {}, False
        self._origins, self.has_common_tables = {}, False

    # ---- places

    def note(self, expression, syntax):
        """Remember that an expression was made from a node of the syntax tree; gives the expression."""
        self._origins[id(expression)] = expression, syntax      # kept alive, so that its id stays its own
        return expression

    def at(self, expression, other):
        """Remember that an expression stands where another one does; gives the expression."""
        origin = self._origins.get(id(other))
        if origin is not None:
            self._origins[id(expression)] = expression, origin[1]
        return expression

    def syntax(self, expression):
        """The node of the syntax tree that an expression was made from, or None."""
        origin = self._origins.get(id(expression))
        return None if origin is None else origin[1]

    def location(self, expression):
        """The first byte of what an expression was made from, or None."""
        syntax = self.syntax(expression)
        return None if syntax is None else leftmost(syntax)

    def position(self, location):
        """A location as a position in characters, or None."""
        return self.statement.position(location)

    def error(self, sqlstate, message, location=None, *, detail=None, hint=None):
        """The error for something wrong at a location (bytes, or None), to be raised by the caller."""
        return error(sqlstate, message, detail=detail, hint=hint, position=self.position(location))

    def unsupported(self, what, location=None):
        """The error for something that PostgreSQL has and Caldera has not, to be raised by the caller."""
        return self.error("0A000", f"{what} not supported yet", location)

    def refuse_in_read_only(self, tag):
        """Raise 25006 for a statement that writes, if the transaction only reads. What is only explained writes nothing."""
        if not self.only_explains and self.session.setting("transaction_read_only") == "on":
            raise self.error("25006", f"cannot execute {tag} in a read-only transaction")

    # ---- parameters

    def parameter(self, number, location):
        """The expression $number; of type unknown until its use tells the type."""
        if not self.may_have_parameters or not 1 <= number <= 65535:
            raise self.error("42P02", f"there is no parameter ${number}", location)
        self.parameter_types.extend([None] * (number - len(self.parameter_types)))
        if self.values is not None:
            return Constant(self.values[number - 1], self.parameter_types[number - 1], lasting=False)
        return Parameter(number, self.parameter_types[number - 1] or TYPES["unknown"])

    def settle_parameter(self, parameter, type):
        """A parameter of type unknown is used as a value of a type: it has that type from now on."""
        known = self.parameter_types[parameter.number - 1]
        if known is not None and known is not type:
            raise self.error("42P08", f"inconsistent types deduced for parameter ${parameter.number}",
                             self.location(parameter), detail=f"{known.sql_name} versus {type.sql_name}")
        self.parameter_types[parameter.number - 1] = type
        return self.at(Parameter(parameter.number, type), parameter)

    def check_parameters(self):
        """Raise 42P18 if the type of a parameter is still open."""
        for number, type in enumerate(self.parameter_types, 1):
            if type is None:
                raise self.error("42P18", f"could not determine data type of parameter ${number}")


# Where an expression begins: the leftmost of its own mark (an operator's, say) and of these operands.
_OPERANDS = {"A_Expr": ("lexpr",), "FuncCall": ("args",), "TypeCast": ("arg",), "BoolExpr": ("args",), "NullTest": ("arg",),
             "BooleanTest": ("arg",), "CollateClause": ("arg",), "A_Indirection": ("arg",), "SubLink": ("testexpr",),
             "ResTarget": ("val",), "SortBy": ("node",)}


def leftmost(node):
    """The first byte of a node of the syntax tree; None if it has no place."""
    while True:
        (kind, fields), = node.items()
        own = fields.get("location", 0)
        operands = [operand for name in _OPERANDS.get(kind, ()) if (operand := fields.get(name))]
        first = operands[0] if operands else None
        if isinstance(first, list):
            first = first[0] if first else None
        if kind == "List":
            first, own = (fields.get("items") or [None])[0], -1
        if first is None:
            return own if own >= 0 else None
        inner = leftmost(first)
        if inner is None:
            return own if own >= 0 else None
        return inner if own < 0 else min(own, inner)


def strings(nodes):
    """The texts of a list of String nodes: a qualified name."""
    return [node["String"].get("sval", "") for node in nodes]
