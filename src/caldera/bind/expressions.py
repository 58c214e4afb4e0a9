"""Expressions of the syntax tree to expressions of the plan: literals, casts, names, logic, conditionals.

Operators are in `operators.py`, functions and aggregates in `calls.py`, subqueries in `subqueries.py`.
"""
from caldera.base.errors import Error
from caldera.bind.arrays import constructor
from caldera.bind.binder import strings
from caldera.bind.conversions import (EXPLICIT, can_convert, common_modifier, common_type, fit, text_if_unknown,
                                      to_boolean, to_common_type, to_type)
from caldera.bind.operators import apply
from caldera.bind.overloads import AMBIGUOUS, NOT_FOUND, choose_function
from caldera.bind.records import all_fields_null, below_domains, whole_row_of
from caldera.bind.rules import bind_expression, rule
from caldera.bind.set_returning import check_no_sets
from caldera.bind.typenames import bind_type
from caldera.plan.expressions import And, Case, Coalesce, Constant, Extreme, IsNull, IsTruth, Not, Or
from caldera.types.record import RecordType
from caldera.types.registry import TYPES, base_of


# ------------------------------------------------------------------------------------------------ literals and casts

@rule("A_Const")
def constant(scope, fields, node):
    """A literal; one in quotes, and NULL, are of type unknown. Raises 0A000 for strings of bits."""
    place = scope.binder.position(fields.get("location", 0))
    if fields.get("isnull"):
        return Constant(None, TYPES["unknown"], position=place)
    if "sval" in fields:
        return Constant(fields["sval"].get("sval", ""), TYPES["unknown"], position=place)
    if "ival" in fields:
        return Constant(fields["ival"].get("ival", 0), TYPES["int4"], position=place)
    if "fval" in fields:
        return number(scope, fields["fval"]["fval"], place)
    if "boolval" in fields:
        return Constant(fields["boolval"].get("boolval", False), TYPES["bool"], position=place)
    raise scope.binder.error("0A000", "type bit is not supported", fields.get("location", 0))


def number(scope, text, place):
    """A number that is no int4: an int8 if it is whole and fits, else numeric."""
    try:
        value = int(text.replace("_", ""), 0)
    except ValueError:
        value = None
    if value is not None and -2**63 <= value < 2**63:
        return Constant(value, TYPES["int4" if -2**31 <= value < 2**31 else "int8"], position=place)
    try:
        return Constant(TYPES["numeric"].parse(text, None, scope.binder.session), TYPES["numeric"], position=place)
    except Error as fault:
        fault.position = place
        raise


@rule("TypeCast")
def cast(scope, fields, node):
    """CAST(x AS type), x::type. Raises 42846 where no cast leads from one type to the other."""
    binder = scope.binder
    type, modifier = bind_type(binder, fields["typeName"])
    if "A_ArrayExpr" in fields["arg"] and type.category == "A":
        root, limit = (type, modifier) if type.base is None else type.root()
        array = binder.note(constructor(scope, fields["arg"]["A_ArrayExpr"], root, limit), fields["arg"])
        return to_type(binder, array, type, EXPLICIT, modifier)
    argument, location = bind_expression(scope, fields["arg"]), fields.get("location", 0)
    if location < 0:
        location = fields["typeName"].get("location", 0)
    if not can_convert(argument.type.name, type.name, EXPLICIT):
        raise binder.error("42846", f"cannot cast type {argument.type.sql_name} to {type.sql_name}", location)
    try:
        return fit(binder, to_type(binder, argument, type, EXPLICIT, modifier), modifier, EXPLICIT)
    except Error as fault:
        if fault.sqlstate == "42846":                   # of a field of a record
            fault.position = binder.position(location)
        raise


@rule("ParamRef")
def bind_parameter(scope, fields, node):
    """$1: a Parameter, whose type its place tells if nothing else did."""
    return scope.binder.parameter(fields.get("number", 0), fields.get("location", 0))


# What C stands for here: the order of bytes, which is also that of PostgreSQL's builtin C.UTF-8.
COLLATIONS = {"C", "POSIX", "ucs_basic", "pg_c_utf8", "default", "C.UTF-8", "C.utf8"}


@rule("CollateClause")
def collation(scope, fields, node):
    """x COLLATE "C": x itself, as there is one collation. Raises what `check_collation` does."""
    argument = bind_expression(scope, fields["arg"])
    check_collation(scope.binder, fields, argument.type)
    return text_if_unknown(scope.binder, argument)


def check_collation(binder, fields, type):
    """Raise 42704 for a CollateClause with a collation that is not there, 42804 for a type that has no collations."""
    names, location = strings(fields["collname"]), fields.get("location", 0)
    if names[-1] not in COLLATIONS:
        raise binder.error("42704", f'collation "{".".join(names)}" for encoding "UTF8" does not exist', location)
    if type.category not in ("S", "X"):
        raise binder.error("42804", f"collations are not supported by type {type.sql_name}", location)


# ------------------------------------------------------------------------------------------------ names

@rule("ColumnRef")
def bind_column(scope, fields, node):
    """A column by its name; a whole row, t.*; or t.f for f(t), where t has no column f, but a function takes the row."""
    if "A_Star" in fields["fields"][-1]:
        return whole_row_of(scope, fields, node)
    names = strings(fields["fields"])
    try:
        return scope.find_column(names, node)
    except Error as fault:
        if fault.sqlstate != "42703" or len(names) == 1 or not takes_row(scope, names, node):
            raise
    location = fields.get("location", 0)
    row = {"ColumnRef": {"fields": fields["fields"][:-1], "location": location}}
    return bind_expression(scope, {"FuncCall": {"funcname": fields["fields"][-1:], "args": [row], "location": location}})


def takes_row(scope, names, node):
    """Whether the last name is that of a function of the FROM item's rows, which are records."""
    type = scope.whole_row(names[:-1], node).type
    return isinstance(type, RecordType) and choose_function(names[-1], (type.name,)) not in (NOT_FOUND, AMBIGUOUS)


# ------------------------------------------------------------------------------------------------ logic

@rule("BoolExpr")
def logic(scope, fields, node):
    """AND, OR, NOT. Raises 42804 for an operand that is not boolean."""
    word = fields["boolop"].removesuffix("_EXPR")
    arguments = tuple(to_boolean(scope.binder, bind_expression(scope, argument), word) for argument in fields["args"])
    return Not(arguments[0]) if word == "NOT" else (And if word == "AND" else Or)(arguments)


@rule("NullTest")
def null_test(scope, fields, node):
    """IS NULL, IS NOT NULL; of records it asks for their fields."""
    argument, negated = bind_expression(scope, fields["arg"]), fields["nulltesttype"] == "IS_NOT_NULL"
    if isinstance(base_of(argument.type), RecordType):
        return all_fields_null(below_domains(scope.binder, argument), negated)
    if isinstance(argument, Constant):
        argument = text_if_unknown(scope.binder, argument)
    return IsNull(argument, negated)


@rule("BooleanTest")
def truth_test(scope, fields, node):
    """IS [NOT] TRUE, FALSE, UNKNOWN. Raises 42804 for what is not boolean."""
    words = fields["booltesttype"].split("_")               # IS_NOT_TRUE
    argument = to_boolean(scope.binder, bind_expression(scope, fields["arg"]), " ".join(words))
    if words[-1] == "UNKNOWN":
        return IsNull(argument, "NOT" in words)
    return IsTruth(argument, words[-1] == "TRUE", "NOT" in words)


# ------------------------------------------------------------------------------------------------ conditionals

@rule("CaseExpr")
def case(scope, fields, node):
    """CASE. Raises 0A000 for set-returning functions in it."""
    with check_no_sets(scope, "CASE"):
        return case_without_sets(scope, fields)


def case_without_sets(scope, fields):
    """The Case of a CaseExpr. Raises 42804 for results without a common type and for conditions that are not boolean."""
    binder, conditions, results = scope.binder, [], []
    for arm in fields["args"]:
        arm = arm["CaseWhen"]
        if "arg" in fields:                                 # the operand is bound anew for each arm, as it is compared anew
            operand = text_if_unknown(binder, bind_expression(scope, fields["arg"]))
            condition = apply(scope, "=", operand, bind_expression(scope, arm["expr"]), arm.get("location", 0))
            binder.note(condition, arm["expr"])
        else:
            condition = bind_expression(scope, arm["expr"])
        conditions.append(to_boolean(binder, condition, "CASE/WHEN"))
        results.append(bind_expression(scope, arm["result"]))
    otherwise = bind_expression(scope, fields["defresult"]) if "defresult" in fields else Constant(None, TYPES["unknown"])
    type = common_type(binder, [otherwise, *results], "CASE")
    otherwise = to_common_type(binder, otherwise, type, "CASE/ELSE")
    results = [to_common_type(binder, result, type, "CASE/WHEN") for result in results]
    return Case(tuple(conditions), tuple(results), otherwise, type, common_modifier([otherwise, *results], type))


def alike(scope, nodes, what):
    """Several expressions as values of their common type: (expressions, type, modifier)."""
    expressions = [bind_expression(scope, node) for node in nodes]
    type = common_type(scope.binder, expressions, what)
    expressions = tuple(to_common_type(scope.binder, expression, type, what) for expression in expressions)
    return expressions, type, common_modifier(expressions, type)


@rule("CoalesceExpr")
def coalesce(scope, fields, node):
    """COALESCE(a, b, ...). Raises 42804 for arguments without a common type, 0A000 for set-returning functions."""
    with check_no_sets(scope, "COALESCE"):
        return Coalesce(*alike(scope, fields["args"], "COALESCE"))


@rule("MinMaxExpr")
def extreme(scope, fields, node):
    """GREATEST(a, b, ...), LEAST(a, b, ...). Raises 42804 for arguments without a common type."""
    greatest = fields["op"] == "IS_GREATEST"
    return Extreme(greatest, *alike(scope, fields["args"], "GREATEST" if greatest else "LEAST"))


# ------------------------------------------------------------------------------------------------ what is refused

@rule("SetToDefault")
def misplaced_default(scope, fields, node):
    """DEFAULT where it stands for no column's value: raises 42601."""
    raise scope.binder.error("42601", "DEFAULT is not allowed in this context", fields.get("location", 0))
