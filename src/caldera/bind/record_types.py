"""The types of records where several meet: in operators, in the arms of CASE, in UNION.

PostgreSQL has one type for all of them and finds out row by row what is in each; here each list of fields is a type. Records
whose fields have the same types become each other's by a new name; others become mixed records, which know their fields row
by row. Where records come into one column, literals in quotes in those made on the spot are read as what stands in their
place in the others, so that the column can be sorted.
"""
from functools import cache

from caldera.base.errors import Error
from caldera.functions.registry import Function
from caldera.plan.arrays import ElementMap, Lambda
from caldera.plan.expressions import Call, Constant, Relabel, new_column
from caldera.plan.records import RowOf
from caldera.types.array import array_of
from caldera.types.mixed_records import MixedRecord, members_of, mixed_image, mixed_of
from caldera.types.record import RECORD, RecordType


def has_records(type):
    """Whether a type is that of records, or of arrays of them."""
    return isinstance(getattr(type, "element", type), RecordType)


def type_among(name, expressions):
    """The type of a name that an expression has, or its array or element; None unless it has to do with records."""
    for type in (expression.type for expression in expressions):
        if has_records(type):
            element = getattr(type, "element", type)
            if name in (element.name, "record"):
                return element
            if name in (f"_{element.name}", "_record"):
                return array_of(element)
    return None


def records_alike(binder, arguments, declared):
    """The arguments of a call such that those declared alike have one type. Raises 42804 for arrays whose records differ."""
    alike = [number for number, (argument, type) in enumerate(zip(arguments, declared))
             if type != "any" and has_records(argument.type) and argument.type is not RECORD]
    if len({arguments[number].type for number in alike}) < 2:
        return arguments
    elements = [getattr(arguments[number].type, "element", arguments[number].type) for number in alike]
    try:
        shared = shape_of_all(binder, elements, [arguments[number] for number in alike])
    except Error:
        if any(hasattr(arguments[number].type, "element") for number in alike):
            raise
        shared = mixed_type(elements)
    taken = list(arguments)
    for number in alike:
        is_array = hasattr(taken[number].type, "element")
        taken[number] = as_mixed(binder, taken[number], shared) if isinstance(shared, MixedRecord) else \
            relabelled(binder, taken[number], array_of(shared) if is_array else shared)
    return tuple(taken)


def common_shape(binder, expressions):
    """The type that several expressions become, all of them records or all arrays of records."""
    types = [expression.type for expression in expressions]
    elements = [getattr(type, "element", type) for type in types]
    try:
        shared = shape_of_all(binder, elements, expressions, reads_literals=True)
    except Error:
        shared = mixed_type(elements)
    return array_of(shared) if hasattr(types[0], "element") else shared


def mixed_type(types):
    """The type of records of several types."""
    return mixed_of(tuple(dict.fromkeys(member for type in types for member in members_of(type))))


def as_mixed(binder, record, mixed):
    """A record as one of a type that has its own among its members."""
    if record.type is mixed:
        return record
    if isinstance(record.type, MixedRecord):
        return binder.at(Relabel(record, mixed), record)
    if isinstance(record, Constant):
        value = None if record.value is None else (record.type, record.value)
        return binder.at(Constant(value, mixed, position=record.position), record)
    return binder.at(Call(mixing(record.type, mixed), (record,), mixed), record)


def without_fields(binder, record):
    """A record of whose fields PostgreSQL does not know while it binds a query; other values as they are."""
    return as_mixed(binder, record, mixed_of((record.type,))) if isinstance(record.type, RecordType) else record


@cache
def mixing(type, mixed):
    """The function that makes a record of a type a mixed one."""
    return Function("record", (type,), mixed, lambda call, text: mixed_image(call.k, call.scratch, type, text))


def shape_of_all(binder, types, expressions, reads_literals=False):
    """The first of several RecordTypes; with `reads_literals` the first without fields that are still of type unknown.
    Raises 42804 for those that differ in their number of fields, or in the types of one."""
    first = types[0]
    if reads_literals:
        first = min(types, key=lambda type: sum(field.type.name == "unknown" for field in type.fields))
    for type, expression in zip(types, expressions):
        if type is not first and (isinstance(type, MixedRecord) or len(type.fields) != len(first.fields)):
            raise binder.error("42804", "cannot compare record types with different numbers of columns",
                               binder.location(expression))
        for number, (one, other) in enumerate(zip(first.types, type.types), 1):
            if not (are_alike(one, other) or reads_literals and isinstance(expression, RowOf)
                    and becomes(expression.fields[number - 1], one)):
                raise binder.error("42804", f"cannot compare dissimilar column types {one.sql_name} and {other.sql_name} "
                                            f"at record column {number}", binder.location(expression))
    return first


def becomes(field, type):
    """Whether a field is a literal that shows alike as a value of a type: NULL, or any as text."""
    return field.type.name == "unknown" and isinstance(field, Constant) and (field.value is None or type.name == "text")


def are_alike(one, other):
    """Whether values of two types have the same bytes: the types are the same, or differ in the names of fields only."""
    if isinstance(one, RecordType) and isinstance(other, RecordType):
        return len(one.types) == len(other.types) and all(map(are_alike, one.types, other.types))
    if has_records(one) and has_records(other):
        return are_alike(one.element, other.element)
    return one is other


def record_as(binder, expression, type, context=0):
    """A record, or an array of records, as one of another such type; any is a record. Raises 42846, 0A000."""
    if expression.type is type or type is RECORD:
        return expression
    if isinstance(type, MixedRecord):
        return as_mixed(binder, expression, type)
    if isinstance(getattr(type, "element", None), MixedRecord):
        record = new_column("element", expression.type.element)
        change = Lambda((record,), as_mixed(binder, record, type.element))
        return binder.at(ElementMap(expression, change, type), expression)
    if isinstance(expression, RowOf) and isinstance(type, RecordType):
        return row_as(binder, expression, type, context)
    if getattr(type, "element", type).kind == "c":
        raise no_cast(binder, expression, type)
    if not are_alike(expression.type, type):
        raise binder.unsupported("records of different types in one column are", binder.location(expression))
    return relabelled(binder, expression, type)


def relabelled(binder, expression, type):
    """A record, or an array of records, as one of a type whose fields have the same types."""
    if expression.type is type:
        return expression
    if isinstance(expression, RowOf):
        return row_as(binder, expression, type, 0)
    if isinstance(expression, Constant):
        return binder.at(Constant(expression.value, type, position=expression.position), expression)
    return binder.at(Relabel(expression, type), expression)


def row_as(binder, row, type, context):
    """A RowOf as a record of another type, field by field. Raises 42846."""
    from caldera.bind.conversions import can_convert, convert            # which asks here about records
    if len(row.fields) != len(type.fields):
        few = len(row.fields) < len(type.fields)
        raise no_cast(binder, row, type, f"Input has too {'few' if few else 'many'} columns.")
    fields = []
    for number, (field, target) in enumerate(zip(row.fields, type.fields), 1):
        if not can_convert(field.type.name, target.type.name, context):
            raise no_cast(binder, row, type, f"Cannot cast type {field.type.sql_name} to {target.type.sql_name} "
                                             f"in column {number}.")
        modifier = None if field.type is target.type and field.modifier == target.modifier else target.modifier
        fields.append(convert(binder, field, target.type, modifier, context))
    return binder.at(RowOf(tuple(fields), type, row.there), row)


def no_cast(binder, expression, type, detail=None):
    """The error for a record that cannot become one of a type."""
    return binder.error("42846", f"cannot cast type {expression.type.sql_name} to {type.sql_name}",
                        binder.location(expression), detail=detail)
