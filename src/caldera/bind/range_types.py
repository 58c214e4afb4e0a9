"""CREATE TYPE ... AS RANGE: a range type, its multirange type, and what PostgreSQL asks of their attributes.

    CreateRangeStmt ─▶ attributes ─▶ subtype, order, collation, difference ─▶ two catalog.types.create_type

The order of a subtype is that of its type, whichever operator class of it is named; a difference function is only looked up,
since what PostgreSQL needs it for, GiST, is not there. Both stand in pg_range.
"""
from caldera.base.errors import Error, error
from caldera.bind.binder import strings
from caldera.bind.conversions import binary_coercible, type_fact
from caldera.bind.expressions import COLLATIONS
from caldera.bind.rules import statement_rule
from caldera.bind.typenames import bind_type, find_type
from caldera.catalog import facts, oids
from caldera.catalog.search_path import schema_and_name
from caldera.catalog.types import create_type
from caldera.plan.nodes import Utility
from caldera.types.record import RowType
from caldera.types.registry import base_of

ATTRIBUTES = ("subtype", "subtype_opclass", "collation", "canonical", "subtype_diff", "multirange_type_name")
NAME_BYTES, DEFAULT_COLLATION = 63, "default"
POLYMORPHIC_ORDERS = {"A": "anyarray", "E": "anyenum", "r": "anyrange", "m": "anymultirange", "C": "record"}


@statement_rule("CreateRangeStmt")
def create_range(binder, fields):
    """CREATE TYPE ... AS RANGE. Raises 42601, 42804, 42704, 42809, 42883, 42P17 for attributes that PostgreSQL refuses."""
    schema, name = schema_and_name(strings(fields["typeName"]))
    attributes = attributes_of(binder, fields["params"])
    if "subtype" not in attributes:
        raise binder.error("42601", 'type attribute "subtype" is required')
    subtype = range_subtype(binder, attributes["subtype"])
    known = {"rngsubopc": order_of(binder, names_of(attributes.get("subtype_opclass")), subtype).oid,
             "rngcollation": collation_oid(binder, names_of(attributes.get("collation")), subtype),
             "rngsubdiff": difference_oid(binder, names_of(attributes.get("subtype_diff")), subtype)}
    if "canonical" in attributes:
        raise binder.error("42P17", "cannot specify a canonical function without a pre-created shell type",
                           hint="Create the type as a shell type, then create its canonicalization function, "
                                "then do a full CREATE TYPE.")
    multirange_names = names_of(attributes.get("multirange_type_name"))
    mentioned = [entry.type for entry in binder.entries if entry.kind == "type"]

    def run(session):
        catalog, transaction, view = session.catalog, session.transaction, session.view
        place = catalog.schema_for_new(view, schema, name).name
        definition = {"subtype": subtype.name, "facts": known, "constructors": [place, name]}
        entry = create_type(catalog, transaction, view, place, name, "range", definition, (subtype, *mentioned))
        multirange_schema, multirange_name = (place, multirange_name_of(name)) if multirange_names is None else \
            schema_and_name(multirange_names)
        multirange_place = catalog.schema_for_new(view, multirange_schema, multirange_name).name
        try:
            create_type(catalog, transaction, view, multirange_place, multirange_name, "multirange",
                        {"range": entry.type.name, "constructors": [multirange_place, multirange_name]}, (entry.type,))
        except Error as fault:
            if fault.sqlstate == "42710" and multirange_names is None:
                fault.detail = f'Failed while creating a multirange type for type "{name}".'
                fault.hint = 'You can manually specify a multirange type name using the "multirange_type_name" attribute.'
            raise
        return "CREATE TYPE"
    return Utility("CREATE TYPE", run)


def attributes_of(binder, nodes):
    """{name: syntax} of what stands in the parentheses. Raises 42601 for names that are unknown or come twice."""
    found = {}
    for node in (node["DefElem"] for node in nodes):
        name = node["defname"]
        if name not in ATTRIBUTES:
            raise binder.error("42601", f'type attribute "{name}" not recognized')
        if name in found:
            raise binder.error("42601", "conflicting or redundant options", node.get("location", 0))
        found[name] = node.get("arg", {})
    return found


def names_of(syntax):
    """The qualified name that an attribute's value is; None for no attribute."""
    if syntax is None:
        return None
    return strings(syntax["TypeName"]["names"]) if "TypeName" in syntax else [syntax.get("String", {}).get("sval", "")]


def range_subtype(binder, syntax):
    """The SqlType of a range's bounds. Raises 42804 for a pseudo-type, and errors of type names without their position."""
    if "TypeName" in syntax:
        names = strings(syntax["TypeName"]["names"])
        if names[-1] in facts.TYPES and facts.TYPES[names[-1]].kind == "p":
            raise binder.error("42804", f"range subtype cannot be {facts.TYPES[names[-1]].sql_name}")
        try:
            subtype, _ = bind_type(binder, syntax["TypeName"])
        except Error as fault:
            fault.position = None
            raise
    elif "String" in syntax:
        subtype = find_type(binder, [syntax["String"]["sval"]])
    else:
        raise binder.error("42601", "argument of subtype must be a type name")
    if isinstance(subtype, RowType):
        raise binder.unsupported("ranges of the rows of a relation are")
    return subtype


def order_of(binder, names, subtype):
    """The operator class of a name for a type, or the type's own. Raises 42704, 42804."""
    type = base_of(subtype)
    fact = type_fact(type.name)
    own = {type.name, POLYMORPHIC_ORDERS.get(fact.category if fact.category in "AEC" else fact.kind)}
    accepted = [order for order in oids.orders() if order.type in own or binary_coercible(type.name, order.type)]
    if names is None:
        found = [order for order in accepted if order.is_default]
        if not found or not type.comparable:
            raise binder.error("42704", f"data type {subtype.sql_name} has no default operator class for access method "
                                        '"btree"',
                               hint="You must specify an operator class for the range type or define a default operator "
                                    "class for the subtype.")
        return next((order for order in found if order.type in own), found[0])
    if not any(order.name == names[-1] for order in oids.orders()):
        raise binder.error("42704", f'operator class "{".".join(names)}" does not exist for access method "btree"')
    order = next((order for order in accepted if order.name == names[-1]), None)
    if order is None:
        raise binder.error("42804", f'operator class "{".".join(names)}" does not accept data type {subtype.sql_name}')
    return order


def collation_oid(binder, names, subtype):
    """The OID of a range's collation, 0 for a type without. Raises 42809, 42704."""
    collated = type_fact(base_of(subtype).name)
    element = type_fact(collated.element) if collated.category == "A" else collated
    if element.category != "S":
        if names is not None:
            raise binder.error("42809", "range collation specified but subtype does not support collation")
        return 0
    if names is not None and (names[-1] not in COLLATIONS or names[-1] not in oids.by_name("collations")):
        raise binder.error("42704", f'collation "{".".join(names)}" for encoding "UTF8" does not exist')
    if names is None and base_of(subtype).name == "name":
        names = ["C"]
    return oids.by_name("collations")[names[-1] if names else DEFAULT_COLLATION]


def difference_oid(binder, names, subtype):
    """The OID of the function for the distance of two bounds, 0 without one. Raises 42883, 42P17."""
    if names is None:
        return 0
    written = f"{'.'.join(names)}({subtype.sql_name}, {subtype.sql_name})"
    known = oids.grouped(oids.functions).get(names[-1], ()) if len(names) == 1 or names[0] == "pg_catalog" else ()
    found = [function for function in known if len(function.arguments) == 2 and not function.many
             and all(binary_coercible(subtype.name, argument) for argument in function.arguments)]
    if not found:
        raise error("42883", f"function {written} does not exist")
    if found[0].result != "float8":
        raise error("42P17", f"range subtype diff function {written} must return type double precision")
    if found[0].volatility != "i":
        raise error("42P17", f"range subtype diff function {written} must be immutable")
    return found[0].oid


def multirange_name_of(name):
    """What the multirange type of a range type is called if nobody says otherwise."""
    if "range" in name:
        return cut(name.replace("range", "multirange", 1), NAME_BYTES)
    suffix = "_multirange"
    return cut(name, NAME_BYTES - len(suffix)) + suffix


def cut(name, byte_count):
    """The letters of a name that fit into so many bytes."""
    return name.encode()[:byte_count].decode(errors="ignore")
