"""Domains: what becomes a value of one is checked; CREATE DOMAIN and ALTER DOMAIN.

    constrained(binder, value, domain) ──▶ Call of `check`(value, condition, ...), which gives the value or reports a fault

A condition is bound anew for each place where a value is checked, with the value in place of VALUE.
"""
from functools import lru_cache

from caldera.base.errors import error
from caldera.bind.binder import Binder, strings
from caldera.bind.conversions import ASSIGNMENT, can_convert, convert, to_boolean
from caldera.bind.defaults import bind_default, text_of_default
from caldera.bind.expressions import check_collation
from caldera.bind.rules import bind_expression, statement_rule
from caldera.bind.scope import Scope
from caldera.bind.typenames import bind_type
from caldera.bind.types import altered, created
from caldera.catalog.search_path import schema_and_name
from caldera.functions.registry import Function
from caldera.plan.expressions import Call, Constant
from caldera.sql.libpg_query import scan
from caldera.sql.parse import parse_one
from caldera.types.registry import TYPES

IMPOSSIBLE = {"UNIQUE": "unique", "PRIMARY": "primary key", "FOREIGN": "foreign key", "EXCLUSION": "exclusion"}


# ------------------------------------------------------------------------------------------------ values

class ValueScope(Scope):
    """Names in a domain's condition: VALUE."""
    no_subqueries_in = "check constraint"

    def __init__(self, binder, value):
        super().__init__(binder)
        self.value, self.clause, self.aggregates_allowed = value, "check constraints", False

    def find_column(self, names, syntax):
        if names == ["value"]:
            return self.value
        raise self.binder.error("42703", f'column "{".".join(names)}" does not exist',
                                syntax["ColumnRef"].get("location", 0))


def constrained(binder, value, domain):
    """A value of the type below a domain as one of the domain; 23502 and 23514 where it must not be."""
    refuses_null, checks = domain.constraints()
    conditions = [condition_of(binder, value, text) for _, text in checks]
    function = check_of(domain, value.type, refuses_null, tuple(name for name, _ in checks))
    return binder.at(Call(function, (value, *conditions), domain), value)


def condition_of(binder, value, text):
    """A condition's expression for a value."""
    inner = Binder(parsed(text), binder.session, binder.catalog)
    scope = ValueScope(inner, value)
    return to_boolean(inner, bind_expression(scope, inner.statement.fields["targetList"][0]["ResTarget"]["val"]), "CHECK")


@lru_cache(maxsize=256)
def parsed(text):
    """The statement whose only target is an expression."""
    return parse_one(f"SELECT ({text})")


@lru_cache(maxsize=256)
def check_of(domain, root, refuses_null, names):
    """The function (value, condition, ...) -> value that reports conditions that do not hold."""
    def check(call, value, *conditions):
        k = call.k
        if refuses_null and value.valid is not True:
            call.fault(k.not_(value.valid), "23502", f"domain {domain.sql_name} does not allow null values")
        for name, condition in zip(names, conditions):
            fails = k.and_(condition.valid, k.not_(k.as_condition(condition.value)))
            call.fault(fails, "23514", f'value for domain {domain.sql_name} violates check constraint "{name}"')
        return value
    return Function("domain_check", (root,) + (TYPES["bool"],) * len(names), domain, check, strict=False)


# ------------------------------------------------------------------------------------------------ CREATE DOMAIN

@statement_rule("CreateDomainStmt")
def create_domain(binder, fields):
    """CREATE DOMAIN. Raises 42601 for constraints that contradict each other or that no domain can have."""
    base, modifier = bind_type(binder, fields["typeName"])
    if "collClause" in fields:
        check_collation(binder, fields["collClause"], base)
    name = schema_and_name(strings(fields["domainname"]))[1]
    definition = {"base": base.name, "modifier": None if modifier is None else list(modifier), "default": None,
                  "not_null": None, "checks": []}
    said, constraints = None, [node["Constraint"] for node in fields.get("constraints", ())]
    for number, constraint in enumerate(constraints):
        kind, location = constraint["contype"].removeprefix("CONSTR_"), constraint.get("location", 0)
        if kind in ("NOTNULL", "NULL"):
            if said not in (None, kind):
                raise binder.error("42601", "conflicting NULL/NOT NULL constraints", location)
            said = kind
            definition["not_null"] = constraint.get("conname", f"{name}_not_null") if kind == "NOTNULL" else None
        elif kind == "DEFAULT":
            if definition["default"] is not None:
                raise binder.error("42601", "multiple default expressions", location)
            ends = [other.get("location", 0) for other in constraints[number + 1:]]
            definition["default"] = text_of_default(binder, location, ends)
            check_default(binder, constraint["raw_expr"], name, base, modifier)
        elif kind == "CHECK":
            definition["checks"].append(new_check(binder, constraint, name, base, modifier, definition["checks"]))
        elif kind in IMPOSSIBLE:
            raise binder.error("42601", f"{IMPOSSIBLE[kind]} constraints not possible for domains", location)
        else:
            raise binder.unsupported(f"constraint {kind} is", location)
    definition["checks"].sort()
    return created(binder, strings(fields["domainname"]), "domain", definition, (base,), "CREATE DOMAIN")


def check_default(binder, node, name, base, modifier):
    """Raise 42804 and the like unless a default is a value of the base type."""
    expression = bind_default(binder, node)
    if not can_convert(expression.type.name, base.name, ASSIGNMENT):
        raise binder.error("42804", f'column "{name}" is of type {base.sql_name} but default expression is of type '
                                    f"{expression.type.sql_name}", hint="You will need to rewrite or cast the expression.")
    convert(binder, expression, base, modifier, ASSIGNMENT)


def new_check(binder, constraint, domain_name, base, modifier, others):
    """[name, SQL] of a CHECK. Raises what is wrong with it, and 42710 for a name that is taken."""
    names = {name for name, _ in others}
    name = constraint.get("conname")
    if name in names:
        raise error("42710", f'constraint "{name}" for domain "{domain_name}" already exists')
    number = 0
    while name is None:
        candidate = f"{domain_name}_check{number or ''}"
        name, number = candidate if candidate not in names else None, number + 1
    scope = ValueScope(binder, Constant(None, base, modifier))
    to_boolean(binder, bind_expression(scope, constraint["raw_expr"]), "CHECK")
    return [name, text_of_check(binder, constraint.get("location", 0))]


def text_of_check(binder, location):
    """The text in the parentheses behind the word CHECK, the first one from a location on."""
    encoded = binder.statement.encoded[location:binder.statement.stop]
    depth, start = 0, None
    for first, end, *_ in scan(encoded.decode()):
        token = encoded[first:end].lower()
        if start is None:
            start = -1 if token == b"check" else None
        elif token == b"(":
            start, depth = (end if depth == 0 else start), depth + 1
        elif token == b")":
            depth -= 1
            if depth == 0:
                break
    return encoded[start:first].decode().strip()


# ------------------------------------------------------------------------------------------------ ALTER DOMAIN

@statement_rule("AlterDomainStmt")
def alter_domain(binder, fields):
    """ALTER DOMAIN, by the change in `CHANGES` that its subtype names. Raises 0A000 for others."""
    change = CHANGES.get(fields["subtype"])
    if change is None:
        raise binder.unsupported("this ALTER DOMAIN is")

    def changed(session, entry):
        altered_fields = change(binder, session, entry, fields)
        if altered_fields is not None:
            altered_fields["uses"] = types_in(session, entry.type, altered_fields["definition"])
        return altered_fields
    return altered(binder, strings(fields["typeName"]), changed, "domain", "ALTER DOMAIN")


def types_in(session, domain, definition):
    """The SqlTypes that a domain's definition mentions: the type below, and those in its conditions and its default."""
    found, texts = [domain.base], [text for _, text in definition["checks"]]
    for text in texts if definition["default"] is None else [*texts, definition["default"]]:
        binder = Binder(parsed(text), session, session.view)
        scope = ValueScope(binder, Constant(None, domain.base, domain.base_modifier))
        bind_expression(scope, binder.statement.fields["targetList"][0]["ResTarget"]["val"])
        found += [entry.type for entry in binder.entries if entry.kind == "type"]
    return tuple(found)


def rename_constraint(binder, fields):
    """ALTER DOMAIN ... RENAME CONSTRAINT."""
    def changed(session, entry):
        old, new = fields["subname"], fields["newname"]
        known = [name for name, _ in entry.definition["checks"]] + [entry.definition["not_null"]]
        if old not in known:
            raise no_constraint(old, entry)
        if new in known:
            raise error("42710", f'constraint "{new}" for domain {entry.name} already exists')
        checks = sorted([new if name == old else name, text] for name, text in entry.definition["checks"])
        not_null = new if entry.definition["not_null"] == old else entry.definition["not_null"]
        return with_fields(entry, checks=checks, not_null=not_null)
    return altered(binder, strings(fields["object"]["List"]["items"]), changed, "domain", "ALTER DOMAIN")


def with_fields(entry, **fields):
    """What alter_type is told of a changed definition."""
    return {"definition": {**entry.definition, **fields}}


def no_constraint(name, entry):
    """The error for a constraint that a domain does not have."""
    return error("42704", f'constraint "{name}" of domain "{entry.name}" does not exist')


def refuse_where_used(session, entry):
    """Raise 0A000 if there may be values that a new condition would have to be tried on."""
    if any(True for _ in session.view.columns_of_type(entry)) or session.view.dependents([entry]):
        raise error("0A000", f'adding constraints to domain "{entry.name}", which columns have, is not supported yet')


def set_default(binder, session, entry, fields):
    """SET DEFAULT, DROP DEFAULT."""
    if "def" not in fields:
        return with_fields(entry, default=None)
    check_default(binder, fields["def"], entry.name, entry.type.base, entry.type.base_modifier)
    encoded, word = binder.statement.encoded, b"default"
    start = next(first for first, end, *_ in scan(encoded.decode()) if encoded[first:end].lower() == word
                 and first >= binder.statement.first)
    return with_fields(entry, default=text_of_default(binder, start, []))


def set_not_null(binder, session, entry, fields):
    """SET NOT NULL."""
    if entry.definition["not_null"] is not None:
        return None
    refuse_where_used(session, entry)
    return with_fields(entry, not_null=f"{entry.name}_not_null")


def drop_not_null(binder, session, entry, fields):
    """DROP NOT NULL."""
    return None if entry.definition["not_null"] is None else with_fields(entry, not_null=None)


def add_constraint(binder, session, entry, fields):
    """ADD CHECK and ADD NOT NULL."""
    constraint = fields["def"]["Constraint"]
    kind = constraint["contype"].removeprefix("CONSTR_")
    if kind == "NOTNULL":
        return set_not_null(binder, session, entry, fields)
    if kind in IMPOSSIBLE:
        raise binder.error("42601", f"{IMPOSSIBLE[kind]} constraints not possible for domains",
                           constraint.get("location", 0))
    check = new_check(binder, constraint, entry.name, entry.type.base, entry.type.base_modifier, entry.definition["checks"])
    if not constraint.get("skip_validation"):
        refuse_where_used(session, entry)
    return with_fields(entry, checks=sorted([*entry.definition["checks"], check]))


def drop_constraint(binder, session, entry, fields):
    """DROP CONSTRAINT."""
    name, definition = fields["name"], entry.definition
    if name == definition["not_null"]:
        return with_fields(entry, not_null=None)
    checks = [check for check in definition["checks"] if check[0] != name]
    if len(checks) == len(definition["checks"]):
        if not fields.get("missing_ok"):
            raise no_constraint(name, entry)
        session.notice(f'constraint "{name}" of domain "{entry.name}" does not exist, skipping')
        return None
    return with_fields(entry, checks=checks)


CHANGES = {"T": set_default, "O": set_not_null, "N": drop_not_null, "C": add_constraint, "X": drop_constraint}
