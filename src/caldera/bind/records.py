"""Records: ROW(a, b), whole rows of FROM items, fields, IS NULL.

    ROW(t.*, 1), (a, b)    RowOf, a tuple of expressions       (r).a    field_of: the expression itself, if r is made here
    t, t.*                 RowOf of the columns of t           (r).*    all fields, in a SELECT list

Operators between two ROW(...) compare their fields (`bind.operators`); others compare records as wholes, for which two NULLs
are alike.
"""
from caldera.bind.arrays import subscripted
from caldera.bind.binder import strings
from caldera.bind.rules import bind_expression, rule
from caldera.functions.registry import Function
from caldera.plan.expressions import And, Call, Constant, IsNull, Relabel
from caldera.plan.records import RowOf, field_of, fields_of
from caldera.types.mixed_records import MixedRecord
from caldera.types.record import RECORD, Field, RecordType, record_of
from caldera.types.registry import TYPES, base_of

FIELDS_MAX = 1664


def nulls_test(negated):
    """The function that tells whether all fields of a mixed record are NULL, or all of them are not."""
    def test(record):
        return not negated if record is None else all((part is None) != negated for part in record[1])
    return Function("record_is_null", (RECORD,), TYPES["bool"], test, python=True, strict=False)


MIXED_NULLS = {negated: nulls_test(negated) for negated in (False, True)}


@rule("RowExpr")
def bind_row(scope, fields, node):
    """ROW(a, b), (a, b): fields named f1, f2, ... Raises 54011 for too many."""
    items = bind_items(scope, fields.get("args", ()))
    if len(items) > FIELDS_MAX:
        raise scope.binder.error("54011", f"ROW expressions can have at most {FIELDS_MAX} entries",
                                 fields.get("location", 0))
    return RowOf(tuple(items), record_of(tuple(Field(f"f{number}", item.type, item.modifier)
                                               for number, item in enumerate(items, 1))))


def bind_items(scope, nodes):
    """The expressions of a list in which t.* and (r).* stand for several."""
    items = []
    for node in nodes:
        (kind, fields), = node.items()
        if kind == "ColumnRef" and len(fields["fields"]) > 1 and "A_Star" in fields["fields"][-1]:
            items += fields_of(whole_row_of(scope, fields, node))
        elif kind == "A_Indirection" and "A_Star" in fields["indirection"][-1]:
            items += [field for _, field in expanded_record(scope, node)]
        else:
            items.append(bind_expression(scope, node))
    return items


def whole_row_of(scope, fields, node):
    """The record of a FROM item, written t.*. Raises 42601 for a bare star."""
    qualifier = strings(fields["fields"][:-1])
    if not qualifier:
        raise scope.binder.error("42601", 'improper use of "*"', fields.get("location", 0))
    return scope.whole_row(qualifier, node)


# ------------------------------------------------------------------------------------------------ fields

@rule("A_Indirection")
def bind_indirection(scope, fields, node):
    """What stands behind an expression: subscripts, and names of fields. Raises 0A000 for a star where it stands for no
    list."""
    parts = fields["indirection"]
    if "A_Star" in parts[-1]:
        raise scope.binder.error("0A000", 'row expansion via "*" is not supported here', fields.get("location"))
    return inside(scope, fields["arg"], parts)


def inside(scope, syntax, parts):
    """What parts mean of an expression: runs of subscripts, and names between them."""
    expression, subscripts = bind_expression(scope, syntax), []
    for part in parts:
        if "A_Indices" in part:
            subscripts.append(part["A_Indices"])
            continue
        if subscripts:
            expression, subscripts = scope.binder.note(subscripted(scope, expression, subscripts), syntax), []
        expression = scope.binder.note(named_field(scope, expression, part["String"]["sval"], syntax), syntax)
    return subscripted(scope, expression, subscripts) if subscripts else expression


def below_domains(binder, record):
    """A record of a domain as one of the type below it; what is of no domain as it is."""
    return record if record.type.base is None else binder.at(Relabel(record, base_of(record.type)), record)


def named_field(scope, record, name, syntax):
    """A field of a record by its name. Raises 42703, 42809."""
    binder, location, domain = scope.binder, scope.binder.location(record), record.type
    if not isinstance(base_of(domain), RecordType):
        raise binder.error("42809", f"column notation .{name} applied to type {domain.sql_name}, which is not a "
                                    "composite type", location)
    record = below_domains(binder, record)
    number = record.type.number_of(name)
    if number is not None:
        return field_of(record, number)
    if isinstance(record, RowOf) and "ColumnRef" in syntax and "String" in syntax["ColumnRef"]["fields"][-1]:
        raise binder.error("42703", f"column {strings(syntax['ColumnRef']['fields'])[-1]}.{name} does not exist", location)
    if record.type.kind == "c":
        raise binder.error("42703", f'column "{name}" not found in data type {domain.sql_name}', location)
    raise binder.error("42703", f'could not identify column "{name}" in record data type', location)


def expanded_record(scope, node):
    """Pairs (name, expression) of all fields of a record, written (r).*. Raises 42809 for what is no record."""
    fields = node["A_Indirection"]
    record = inside(scope, fields["arg"], fields["indirection"][:-1])
    if not isinstance(base_of(record.type), RecordType):
        raise scope.binder.error("42809", f"type {record.type.sql_name} is not composite", scope.binder.location(record))
    record = below_domains(scope.binder, record)
    if isinstance(record.type, MixedRecord):
        raise scope.binder.error("42809", "record type has not been registered")
    return [(field.name, scope.binder.note(expression, node))
            for field, expression in zip(record.type.fields, fields_of(record))]


# ------------------------------------------------------------------------------------------------ NULL

def all_fields_null(record, negated):
    """record IS [NOT] NULL: whether all fields are NULL, or all of them are not; fields that are records count as wholes."""
    if isinstance(record.type, MixedRecord):
        return Call(MIXED_NULLS[negated], (record,), TYPES["bool"])
    tests = tuple(IsNull(field, negated) for field in fields_of(record))
    if not tests:
        return Constant(True, TYPES["bool"])
    return tests[0] if len(tests) == 1 else And(tests)
