"""What the types regclass, regproc, ... ask: names to OIDs, and back.

    FINDERS["regproc"](view, "now") ─▶ 1299         WRITERS["regproc"](view, 1299) ─▶ "now"

A finder raises PostgreSQL's error for a name that means nothing, or several things; a writer gives None for an unknown OID.
`view` is a CatalogView.
"""
from caldera.base.errors import error
from caldera.base.names import quoted_name
from caldera.catalog import facts, oids, search_path

SYSTEM = (None, "pg_catalog")
OWNER_OID = 10                  # of the one user, to whom everything belongs
ARGUMENTS_MAX = 100             # of a function


# ------------------------------------------------------------------------------------------------ relations, schemas, types

def relation_oid(view, text):
    """Raises 42P01, 42602."""
    return view.resolve_relation(*search_path.schema_and_name(search_path.split_qualified(text))).oid


def relation_text(view, oid):
    """The name of a relation."""
    entry = view.relation_by_oid(oid)
    return None if entry is None else within_schema(view, entry)


def within_schema(view, entry):
    """An entry's name, with its schema unless the bare name means it."""
    name = quoted_name(entry.name)
    return name if view.is_reachable(entry) else f"{quoted_name(entry.schema.name)}.{name}"


def schema_oid(view, text):
    """Raises 3F000, 42602."""
    name = only_name(text)
    schema = view.schema(name)
    if schema is None:
        raise error("3F000", f'schema "{name}" does not exist')
    return schema.oid


def only_name(text):
    """The one name that a text is. Raises 42602."""
    names = search_path.split_qualified(text)
    if len(names) > 1:
        raise error("42602", "invalid name syntax")
    return names[0]


def schema_text(view, oid):
    """The name of a schema."""
    return next((quoted_name(schema.name) for schema in view.schemas() if schema.oid == oid), None)


def type_text(view, oid):
    """The name of a type."""
    type = view.any_type_by_oid(oid)
    return None if type is None else type.sql_name


# ------------------------------------------------------------------------------------------------ functions

def functions_named(names):
    """PostgreSQL's functions of a qualified name. Raises 0A000."""
    if len(names) > 2:
        raise error("0A000", f"cross-database references are not implemented: {'.'.join(names)}")
    return oids.grouped(oids.functions).get(names[-1], ()) if len(names) == 1 or names[0] in SYSTEM else ()


def function_oid(view, text):
    """Raises 42883 for a function that there is not, 42725 for one of several."""
    found = functions_named(search_path.split_qualified(text))
    if not found:
        raise error("42883", f'function "{text}" does not exist')
    if len(found) > 1:
        raise error("42725", f'more than one function named "{text}"')
    return found[0].oid


def function_text(view, oid):
    """The name of a function, with its schema if several have it."""
    function = oids.by_oid(oids.functions).get(oid)
    if function is None:
        return None
    name = quoted_name(function.name)
    return name if len(oids.grouped(oids.functions)[function.name]) == 1 else f"pg_catalog.{name}"


def procedure_oid(view, text):
    """Of a function with the types of its arguments. Raises 42883, 22P02, what types do."""
    names, types = name_and_types(view, text)
    found = next((function for function in functions_named(names) if function.arguments == tuple(types)), None)
    if found is None:
        raise error("42883", f'function "{text}" does not exist')
    return found.oid


def procedure_text(view, oid):
    """A function with the types of its arguments."""
    function = oids.by_oid(oids.functions).get(oid)
    return None if function is None else f"{quoted_name(function.name)}({spelled(function.arguments)})"


def name_and_types(view, text, may_lack=False):
    """(qualified name, names of types) of 'name(type, type)'. may_lack: whether the word NONE stands for no type, given as
    None. Raises 22P02, 54023."""
    head, parenthesis, rest = text.partition("(")
    if not parenthesis:
        raise error("22P02", "expected a left parenthesis")
    if not rest.rstrip().endswith(")"):
        raise error("22P02", "expected a right parenthesis")
    inner = rest.rstrip()[:-1]
    parts = split_types(inner) if inner.strip() else []
    if len(parts) > ARGUMENTS_MAX:
        raise error("54023", "too many arguments")
    types = [None if may_lack and part.strip().lower() == "none" else type_name(view, part.strip()) for part in parts]
    return (operator_names if may_lack else search_path.split_qualified)(head.strip()), types


def split_types(text):
    """The parts of a list between commas outside parentheses, brackets and quotes. Raises 22P02 for a part without text."""
    parts, depth, quoted = [""], 0, False
    for letter in text:
        quoted ^= letter == '"'
        depth += 0 if quoted else (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    if not all(part.strip() for part in parts):
        raise error("22P02", "expected a type name")
    return parts


def type_name(view, text):
    """The name of the type that a text spells. Raises 42704, 42601."""
    bare = text.strip('"')
    if bare in facts.TYPES and facts.TYPES[bare].kind == "p":
        return bare
    oid = view.session.type_oid(text)
    known = facts.BY_OID.get(oid)
    return known.name if known is not None else str(oid)


def spelled(names):
    """Types by name as SQL lists them."""
    return ",".join("NONE" if name is None else facts.TYPES[name].sql_name for name in names)


# ------------------------------------------------------------------------------------------------ operators

def operator_names(text):
    """The qualified name of an operator."""
    return text.split(".")


def operators_named(names):
    """PostgreSQL's operators of a qualified name."""
    return oids.grouped(oids.operators).get(names[-1], ()) if len(names) == 1 or names[0] in SYSTEM else ()


def operator_oid(view, text):
    """Raises 42883, 42725."""
    found = operators_named(operator_names(text.strip()))
    if text.strip() == "0":
        return 0
    if not found:
        raise error("42883", f"operator does not exist: {text}")
    if len(found) > 1:
        raise error("42725", f"more than one operator named {text}")
    return found[0].oid


def operator_text(view, oid):
    """The name of an operator, with its schema if several have it."""
    operator = oids.by_oid(oids.operators).get(oid)
    if operator is None:
        return None
    return operator.name if len(oids.grouped(oids.operators)[operator.name]) == 1 else f"pg_catalog.{operator.name}"


def typed_operator_oid(view, text):
    """Of an operator with the types of its operands. Raises 42883, 42P02, 54023, 22P02."""
    names, types = name_and_types(view, text, may_lack=True)
    if len(types) == 1:
        raise error("42P02", "missing argument", hint="Use NONE to denote the missing argument of a unary operator.")
    if len(types) != 2:
        raise error("54023", "too many arguments", hint="Provide two argument types for operator.")
    wanted = tuple(types[1:] if types[0] is None else types)
    found = next((operator for operator in operators_named(names) if operator.arguments == wanted), None)
    if found is None:
        raise error("42883", f"operator does not exist: {text}")
    return found.oid


def typed_operator_text(view, oid):
    """An operator with the types of its operands."""
    operator = oids.by_oid(oids.operators).get(oid)
    if operator is None:
        return None
    operands = operator.arguments if len(operator.arguments) == 2 else (None, *operator.arguments)
    return f"{operator.name}({spelled(operands)})"


# ------------------------------------------------------------------------------------------------ things with a name alone

def roles(view):
    """{name: OID} of the roles."""
    return {view.user: OWNER_OID, **oids.by_name("roles")}


def role_oid(view, text):
    """Raises 42704, 42602."""
    name = only_name(text)
    if name not in roles(view):
        raise error("42704", f'role "{name}" does not exist')
    return roles(view)[name]


def role_text(view, oid):
    """The name of a role."""
    return next((quoted_name(name) for name, other in roles(view).items() if other == oid), None)


def system_finder(section, message):
    """The finder of things of a section of oids.json. message: of the error 42704, with the name in it."""
    def find(view, text):
        names = search_path.split_qualified(text)
        found = oids.by_name(section).get(names[-1]) if len(names) == 1 or names[0] in SYSTEM else None
        if found is None:
            raise error("42704", message.format(".".join(names)))
        return found
    return find


def system_writer(section):
    """The writer of things of a section."""
    def write(view, oid):
        return next((quoted_name(name) for name, other in oids.by_name(section).items() if other == oid), None)
    return write


FINDERS = {"regclass": relation_oid, "regnamespace": schema_oid, "regproc": function_oid, "regprocedure": procedure_oid,
           "regoper": operator_oid, "regoperator": typed_operator_oid, "regrole": role_oid,
           "regcollation": system_finder("collations", 'collation "{}" for encoding "UTF8" does not exist'),
           "regconfig": system_finder("configurations", 'text search configuration "{}" does not exist'),
           "regdictionary": system_finder("dictionaries", 'text search dictionary "{}" does not exist')}
WRITERS = {"regclass": relation_text, "regnamespace": schema_text, "regtype": type_text, "regrole": role_text,
           "regproc": function_text, "regprocedure": procedure_text, "regoper": operator_text,
           "regoperator": typed_operator_text, "regcollation": system_writer("collations"),
           "regconfig": system_writer("configurations"), "regdictionary": system_writer("dictionaries")}
