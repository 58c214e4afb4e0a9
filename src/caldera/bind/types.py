"""CREATE TYPE and ALTER TYPE: what the grammar says, to a family and a definition for the catalog.

    CreateEnumStmt ──▶ Utility whose run has catalog.types.create_type("enum", {...}) make the type
    RenameStmt, AlterObjectSchemaStmt of a type ──▶ catalog.types.alter_type
"""
import re

from caldera.base.errors import error
from caldera.base.names import quoted_name
from caldera.bind.binder import strings
from caldera.bind.definitions import check_named
from caldera.bind.rules import statement_rule
from caldera.bind.statistics import altered_statistics, schema_named
from caldera.bind.typenames import bind_type
from caldera.catalog.entries import describe
from caldera.catalog.names import role_oid
from caldera.catalog.search_path import schema_and_name
from caldera.catalog.types import alter_type, create_type
from caldera.functions.scalar.quoting import quoted_text
from caldera.plan.nodes import Utility
from caldera.types.composites import definition_of
from caldera.types.enums import check_label, first_definition, renamed_label, with_label
from caldera.types.record import Field


def created(binder, names, family, definition, uses=(), tag="CREATE TYPE"):
    """The Utility that makes a type. names: its qualified name; uses: the SqlTypes in the definition."""
    schema, name = schema_and_name(names)
    mentioned = [entry.type for entry in binder.entries if entry.kind == "type"]

    def run(session):
        create_type(session.catalog, session.transaction, session.view, schema, name, family, definition,
                    (*uses, *mentioned))
        return tag
    return Utility(tag, run)


def altered(binder, names, change, family=None, tag="ALTER TYPE", then=lambda session, entry: None):
    """The Utility that changes a type. change: (session, TypeEntry) -> the fields of alter_type that change, or None;
    then: called with the TypeEntry that was, if there was a change."""
    schema, name = schema_and_name(names)

    def run(session):
        entry = session.view.find_type(schema, name)
        if entry is None:
            raise binder.error("42704", f'type "{".".join(names)}" does not exist')
        if family is not None and entry.family != family:
            raise binder.error("42809", f'{entry.type.sql_name} is not {"an" if family[0] in "aeiou" else "a"} {family}')
        fields = change(session, entry)
        if fields is not None:
            alter_type(session.catalog, session.transaction, entry, **fields)
            then(session, entry)
        return tag
    return Utility(tag, run)


def refuse_where_written(session, entry, pattern):
    """Raise 0A000 if a view, a default or a condition that depends on a type is written with what is to be renamed, since
    the catalog keeps their SQL. pattern: a regular expression for what it may look like there."""
    for dependent, _ in session.view.dependents([entry]):
        if any(re.search(pattern, text) for text in texts_of(dependent)):
            raise error("0A000", f"renaming what {describe(session.view, dependent)} mentions is not supported yet")


def texts_of(dependent):
    """The SQL that the catalog keeps of something that depends on a type."""
    if dependent.kind == "view":
        return [dependent.query]
    if dependent.kind == "column":
        return [text for text in [dependent.entry.column(dependent.name).default] if text is not None]
    definition = dependent.definition
    return [text for text in [definition.get("default"), *(text for _, text in definition.get("checks", ()))]
            if text is not None]


# ------------------------------------------------------------------------------------------------ enums

@statement_rule("CreateEnumStmt")
def create_enum(binder, fields):
    """CREATE TYPE ... AS ENUM."""
    return created(binder, strings(fields["typeName"]), "enum", first_definition(strings(fields.get("vals", ()))))


@statement_rule("AlterEnumStmt")
def alter_enum(binder, fields):
    """ALTER TYPE ... ADD VALUE, RENAME VALUE. Raises 42710 for a label that is there, and what `check_label` does."""
    new, old = fields["newVal"], fields.get("oldVal")

    def change(session, entry):
        if old is not None:
            check_label(new)
            definition = renamed_label(entry.definition, old, new)
            refuse_where_written(session, entry, re.escape(quoted_text(old)))
            return {"definition": definition}
        check_label(new)
        if new in entry.definition["labels"]:
            if not fields.get("skipIfNewValExists"):
                raise binder.error("42710", f'enum label "{new}" already exists')
            session.notice(f'enum label "{new}" already exists, skipping')
            return None
        neighbour, after = fields.get("newValNeighbor"), fields.get("newValIsAfter", False)
        return {"definition": with_label(entry.definition, new, neighbour, after)}

    def changed(session, entry):
        """Nobody may use a new label of a type that others know before the transaction has committed; others see those
        that have been renamed as they were."""
        code = entry.type.codes[new]
        if old is not None:
            entry.type.rename_label(code, old, session.transaction)
        elif entry.came > 0:
            entry.type.unsafe = {**entry.type.unsafe, code: session.transaction}
            session.transaction.after.append(lambda: entry.type.unsafe.pop(code, None))
    return altered(binder, strings(fields["typeName"]), change, "enum", then=changed)


# ------------------------------------------------------------------------------------------------ composite types

@statement_rule("CompositeTypeStmt")
def create_composite(binder, fields):
    """CREATE TYPE ... AS (name type, ...)."""
    members = []
    for node in fields.get("coldeflist", ()):
        column = node["ColumnDef"]
        type, modifier = bind_type(binder, column["typeName"])
        check_named(binder, column["colname"], type)
        members.append(Field(column["colname"], type, modifier))
    relation = fields["typevar"]
    names = [relation["schemaname"]] if "schemaname" in relation else []
    return created(binder, [*names, relation["relname"]], "composite", definition_of(members),
                   [member.type for member in members])


# ------------------------------------------------------------------------------------------------ all families

@statement_rule("RenameStmt")
def bind_rename(binder, fields):
    """ALTER ... RENAME of a type, a domain, a domain's constraint, or statistics. Raises 0A000 for others."""
    kind = fields["renameType"].removeprefix("OBJECT_")
    if kind == "STATISTIC_EXT":
        return altered_statistics(binder, strings(fields["object"]["List"]["items"]),
                                  lambda session: {"name": fields["newname"]})
    if kind == "DOMCONSTRAINT":
        from caldera.bind.domains import rename_constraint
        return rename_constraint(binder, fields)
    if kind not in ("TYPE", "DOMAIN"):
        raise binder.unsupported(f"renaming of a {kind.lower()} is")

    def change(session, entry):
        refuse_where_written(session, entry, rf"(?i)\b{re.escape(entry.name)}\b")
        return {"name": fields["newname"]}
    return altered(binder, strings(fields["object"]["List"]["items"]), change, "domain" if kind == "DOMAIN" else None,
                   f"ALTER {kind}")


@statement_rule("AlterObjectSchemaStmt")
def bind_set_schema(binder, fields):
    """ALTER ... SET SCHEMA of a type, a domain or statistics. Raises 0A000 for others."""
    kind = fields["objectType"].removeprefix("OBJECT_")
    if kind == "STATISTIC_EXT":
        return altered_statistics(binder, strings(fields["object"]["List"]["items"]),
                                  lambda session: {"schema": schema_named(binder, session, fields["newschema"])})
    if kind not in ("TYPE", "DOMAIN"):
        raise binder.unsupported(f"SET SCHEMA of a {kind.lower()} is")

    def change(session, entry):
        schema = schema_named(binder, session, fields["newschema"])
        if schema is entry.schema:
            return None
        refuse_where_written(session, entry, rf"(?i)\b{re.escape(entry.name)}\b")
        return {"schema": schema}
    return altered(binder, strings(fields["object"]["List"]["items"]), change, "domain" if kind == "DOMAIN" else None,
                   f"ALTER {kind}")


@statement_rule("AlterOwnerStmt")
def bind_owner(binder, fields):
    """ALTER ... OWNER TO of a type or a domain, for the one user that there is. Raises 42704, 0A000 for other roles."""
    kind, role = fields["objectType"].removeprefix("OBJECT_"), fields["newowner"]
    if kind not in ("TYPE", "DOMAIN"):
        raise binder.unsupported(f"ALTER {kind} OWNER is")
    if role["roletype"] == "ROLESPEC_CSTRING" and role["rolename"] != binder.catalog.user:
        role_oid(binder.catalog, quoted_name(role["rolename"]))
        raise binder.unsupported("another owner than the user is")

    def change(session, entry):
        if entry.family == "multirange":
            range = describe(session.view, session.view.type_by_oid(entry.type.range.oid))
            raise error("42809", f"cannot alter multirange {describe(session.view, entry)}",
                        hint=f"You can alter {range}, which will alter the multirange type as well.")
    names = strings(fields["object"]["List"]["items"])
    return altered(binder, names, change, "domain" if kind == "DOMAIN" else None, f"ALTER {kind}")
