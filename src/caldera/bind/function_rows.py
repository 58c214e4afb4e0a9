"""Functions in FROM: generate_series(1, 3), json_to_record(j) AS (a int), WITH ORDINALITY, ROWS FROM (f(x), g(y)).

    each call ─ part_of_call ─▶ FunctionPart: a value or lists, and the columns made of them
    all parts ─▶ Expand, which runs lists side by side; of one function also Values, Series or FunctionScan
              ─▶ Project, if there are records, which become columns

The fields of a record are those of its type, if that has a name, or what a column definition list says.
"""
from dataclasses import dataclass, replace
from typing import Any

from caldera.bind.binder import leftmost, strings
from caldera.bind.calls import bound_arguments, check_polymorphic, completed
from caldera.bind.conversions import spelled, supported
from caldera.bind.overloads import AMBIGUOUS, NOT_FOUND, choose_function
from caldera.bind.record_types import relabelled
from caldera.bind.records import below_domains
from caldera.bind.rules import bind_expression
from caldera.bind.set_returning import IN_FROM, ONE_ROW, lists_of, one_element, table_function
from caldera.bind.typenames import bind_type
from caldera.catalog import facts
from caldera.plan.arrays import Steps
from caldera.plan.expansion import Expand
from caldera.plan.expressions import Call, new_column
from caldera.plan.nodes import FunctionScan, Project, Series, Values
from caldera.plan.records import fields_of
from caldera.types.array import list_of
from caldera.types.mixed_records import MixedRecord
from caldera.types.record import RECORD, Field, RecordType, record_of
from caldera.types.registry import TYPES, base_of


@dataclass
class FunctionRows:
    """A RangeFunction: a plan, the alias it has by itself, its columns' names. is_value: whether its rows are values of one
    type; composite: the type of its rows, if that has a name."""
    plan: Any
    alias: str
    names: list
    is_value: bool
    composite: Any = None


@dataclass
class FunctionPart:
    """One function. lists: pairs (Column, the list of its values); value: the only one, if the function gives one row;
    columns: pairs (name, expression over the Columns of `lists`); scanned: (TableFunction, arguments), if the rows can come
    from there. composite: the RecordType of records that have become columns."""
    lists: list
    columns: list
    value: Any = None
    scanned: Any = None
    composite: Any = None


def function_rows(scope, fields):
    """The FunctionRows of a RangeFunction."""
    calls = defined_calls(scope, fields)
    with scope.in_clause(IN_FROM):
        parts = [part_of_call(scope, call, definitions) for call, definitions in calls]
    name, ordinality = name_of_call(calls[0][0]), None
    if fields.get("ordinality"):
        ordinality = new_column("ordinality", TYPES["int8"], None, False)
    columns = [pair for part in parts for pair in part.columns]
    names = [column_name for column_name, _ in columns]
    if len(parts) == 1 and ordinality is None:
        plan, composite = plan_of_one(parts[0]), parts[0].composite
    else:
        plan, composite = Expand(ONE_ROW, tuple(pair for part in parts for pair in part.lists), ordinality), None
    if any(part.composite is not None for part in parts):
        expressions = [expression for _, expression in columns] + [ordinality] * bool(ordinality)
        plan = Project(plan, tuple((new_column(name, each.type, each.modifier), each)
                                   for name, each in zip([*names, "ordinality"], expressions)))
    is_value = len(names) == 1 and parts[0].composite is None and ordinality is None
    if len(parts) == 1 and parts[0].composite is None and names == [name] and "alias" in fields:
        names = [fields["alias"]["aliasname"]]          # the only column goes by the item's alias
    return FunctionRows(plan, name, names + ["ordinality"] * bool(ordinality), is_value,
                        composite if composite is not None and composite.kind == "c" else None)


def plan_of_one(part):
    """The plan of one function without ordinality."""
    columns = tuple(column for column, _ in part.lists)
    if part.value is not None:
        return Values(((part.value,),), columns)
    if any(expression.columns for _, expression in part.lists):
        return Expand(ONE_ROW, tuple(part.lists))
    if isinstance(part.lists[0][1], Steps):
        return Series(*part.lists[0][1].children, replace(columns[0], nullable=False))
    if part.scanned is not None:
        return FunctionScan(*part.scanned, columns)
    return Expand(ONE_ROW, tuple(part.lists))


# ------------------------------------------------------------------------------------------------ calls

def defined_calls(scope, fields):
    """Pairs (call, its ColumnDefs) of a RangeFunction. Raises 42601 for a column definition list that could be of several
    functions."""
    binder, items, outer = scope.binder, fields["functions"], fields.get("coldeflist", [])
    if len(items) > 1 and outer:
        raise binder.error("42601", "ROWS FROM() with multiple functions cannot have a column definition list",
                           location_of(outer),
                           hint="Put a separate column definition list for each function inside ROWS FROM().")
    pairs = []
    for item in items:
        call, inner = item["List"]["items"]
        inner = inner.get("List", {}).get("items", [])
        if inner and outer:
            raise binder.error("42601", "multiple column definition lists are not allowed for the same function",
                               location_of(outer))
        pairs += single_calls(binder, call, inner or outer)
    if outer and fields.get("ordinality"):
        raise binder.error("42601", "WITH ORDINALITY cannot be used with a column definition list", location_of(outer),
                           hint="Put the column definition list inside ROWS FROM().")
    return pairs


def single_calls(binder, call, definitions):
    """unnest(a, b) is unnest(a) beside unnest(b). Raises 42601 if it has a column definition list."""
    fields = call.get("FuncCall")
    if fields and strings(fields["funcname"]) in (["unnest"], ["pg_catalog", "unnest"]) and len(fields.get("args", ())) > 1:
        if definitions:
            raise binder.error("42601", "UNNEST() with multiple arguments cannot have a column definition list",
                               location_of(definitions), hint="Use separate UNNEST() calls inside ROWS FROM(), and attach a "
                                                              "column definition list to each one.")
        return [({"FuncCall": {**fields, "args": [argument]}}, []) for argument in fields["args"]]
    return [(call, definitions)]


def location_of(definitions):
    """Where a column definition list begins."""
    return definitions[0]["ColumnDef"].get("location", 0)


def name_of_call(call):
    """What a function in FROM is called."""
    if "FuncCall" in call:
        return strings(call["FuncCall"]["funcname"])[-1]
    return "coalesce" if "CoalesceExpr" in call else "unnamed"


def set_overload(scope, call):
    """(the arguments of a call, the set-returning overload chosen for them); (None, None) if it means something else, which
    gives one row."""
    if "FuncCall" not in call or call["FuncCall"].get("func_variadic"):
        return None, None
    arguments, names = bound_arguments(scope, call["FuncCall"], False)
    sources = tuple(argument.type.name for argument in arguments)
    chosen = choose_function(name_of_call(call), sources, names)
    if chosen in (NOT_FOUND, AMBIGUOUS) or not chosen.signature.many:
        return None, None
    check_polymorphic(scope.binder, chosen.signature, sources)
    return completed(scope, arguments, chosen) if names else (arguments, chosen)


def part_of_call(scope, call, definitions):
    """The FunctionPart of a call. Raises 42601 for a column definition list where there may be none, or where one is
    missing."""
    binder, location, name = scope.binder, leftmost(call), name_of_call(call)
    arguments, chosen = set_overload(scope, call)
    if chosen is None:
        value = bind_expression(scope, call)
        supported(binder, value.type.name)
        defined = definition_for(binder, value.type, definitions, location)
        value = as_defined(binder, value, value.type, defined)
        column = new_column(name, value.type, value.modifier, value.nullable)
        part = FunctionPart([(column, one_element(value))], [(name, column)], value)
    else:
        pairs, defined = lists_of(scope, name, arguments, chosen, location), None
        if definitions and len(pairs) > 1:
            raise binder.error("42601", "a column definition list is redundant for a function with OUT parameters",
                               location_of(definitions))
        if len(pairs) == 1:
            (column_name, rows), = pairs
            defined = definition_for(binder, rows.type.element, definitions, location)
            pairs = [(column_name, as_defined(binder, rows, rows.type.element, defined))]
        lists = [(new_column(column_name, rows.type.element, rows.modifier), rows) for column_name, rows in pairs]
        columns = [(column_name, column) for (column_name, _), (column, _) in zip(pairs, lists)]
        part = FunctionPart(lists, columns, None, scanned_function(scope, name, chosen, pairs, location))
    return with_fields(binder, part)


def scanned_function(scope, name, chosen, pairs, location):
    """(TableFunction, arguments) of lists whose rows plain Python gives; None for others."""
    rows = pairs[0][1]
    if name == "unnest" or not isinstance(rows, Call) or isinstance(base_of(rows.type.element), RecordType):
        return None
    return table_function(scope, name, chosen, location), rows.arguments


def with_fields(binder, part):
    """A FunctionPart whose only column is a record as one of the record's fields; others as they are."""
    column = part.lists[0][0]
    type = base_of(column.type)
    if len(part.lists) > 1 or not isinstance(type, RecordType):
        return part
    fields = fields_of(below_domains(binder, column))
    return replace(part, composite=type, columns=[(field.name, each) for field, each in zip(type.fields, fields)])


# ------------------------------------------------------------------------------------------------ column definition lists

def definition_for(binder, type, definitions, location):
    """The RecordType that ColumnDefs say for a function of a type, None where there may be none. Raises 42601."""
    record = base_of(type)
    if isinstance(record, RecordType) and record.kind == "p":
        if not definitions:
            raise binder.error("42601", 'a column definition list is required for functions returning "record"', location)
        return defined_type(binder, definitions)
    if definitions:
        what = "redundant for a function returning a named composite type" if isinstance(record, RecordType) else \
            'only allowed for functions returning "record"'
        raise binder.error("42601", f"a column definition list is {what}", location_of(definitions))
    return None


def defined_type(binder, definitions):
    """The RecordType of ColumnDefs. Raises 42P16 for SETOF and pseudo-types, 42701 for a name that comes twice."""
    fields = []
    for definition in definitions:
        syntax = definition["ColumnDef"]
        name, written = syntax["colname"], syntax["typeName"]
        if written.get("setof"):
            raise binder.error("42P16", f'column "{name}" cannot be declared SETOF', syntax.get("location", 0))
        pseudo = facts.TYPES.get(strings(written["names"])[-1])
        if pseudo is not None and pseudo.kind == "p" and pseudo.name != "record":
            raise binder.error("42P16", f'column "{name}" has pseudo-type {spelled(pseudo.name)}')
        fields.append(Field(name, *bind_type(binder, written)))
    names = [field.name for field in fields]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise binder.error("42701", f'column name "{name}" specified more than once')
    return record_of(tuple(fields))


def as_defined(binder, expression, type, defined):
    """A record, or a list of records, of a type as one of the type that a column definition list says; without a list as
    it is. Raises 42804 where the types of fields differ."""
    if defined is None:
        return expression
    is_list = expression.type is not type
    result = list_of(defined) if is_list else defined
    if type is RECORD and isinstance(expression, Call) and expression.function.wants_result:
        return replace(expression, type=result)
    if isinstance(type, MixedRecord):
        raise binder.unsupported("a column definition list for such records is")
    mismatch = "function return row and query-specified return row do not match"
    count, expected = len(type.fields), len(defined.fields)
    if count != expected:
        raise binder.error("42804", mismatch, detail=f"Returned row contains {count} attribute{'s' * (count != 1)}, but "
                                                     f"query expects {expected}.")
    for number, (field, other) in enumerate(zip(type.fields, defined.fields), 1):
        if field.type is not other.type:
            raise binder.error("42804", mismatch, detail=f"Returned type {field.type.sql_name} at ordinal position "
                                                         f"{number}, but query expects {other.type.sql_name}.")
    return relabelled(binder, expression, result)
