"""WITH: queries that a statement gives names to.

    add_common_tables ── each query is bound where it stands ──▶ CommonTable in the scope
    mention           ── a name in FROM                      ──▶ CommonScan of the table's plan
    inlined           ── at the end of binding               ──▶ a plan that is read at one place stands there itself

As in PostgreSQL, a query is computed once if it is MATERIALIZED, volatile, or mentioned more than once; one that is NOT
MATERIALIZED is bound anew at each place. In WITH RECURSIVE a query may be a union with a term that mentions itself
(`bind.recursion`), and may mention those that are written behind it.
"""
import itertools
from dataclasses import dataclass, field, replace
from typing import Any

from caldera.bind.binder import strings
from caldera.plan.expressions import new_column
from caldera.plan.nodes import CommonScan, Project, Recursion, WorkingScan
from caldera.plan.volatility import is_volatile_plan
from caldera.plan.walk import all_plans, free_columns, nodes_of, rewrite_nodes, rewrite_plans

NUMBERS = itertools.count(1)


@dataclass(eq=False)
class CommonTable:
    """A query of a WITH. plan, names: its rows, once it is bound; columns: of one that mentions itself, before that. fields:
    its syntax. visible: the WITH queries that it may mention. parent: the scope around the WITH. is_recursive: whether it
    mentions itself."""
    name: str
    fields: dict
    visible: dict
    parent: Any
    number: int = 0
    is_recursive: bool = False
    plan: Any = None
    names: tuple = ()
    columns: list = field(default_factory=list)

    @property
    def location(self):
        return self.fields.get("location", 0)

    @property
    def query(self):
        return self.fields["ctequery"]["SelectStmt"]

    @property
    def anew(self):
        """Whether each mention is bound anew: if that is wished and makes no difference, or if the rows depend on those of
        the queries around."""
        wished = self.fields.get("ctematerialized") == "CTEMaterializeNever" and not is_volatile_plan(self.plan)
        return bool(free_columns(self.plan)) or wished and not isinstance(self.plan, Recursion)


def add_common_tables(scope, clause):
    """Bind the queries of a WITH clause, and put them into scope. Raises 42712 for a name that comes twice."""
    from caldera.bind.recursion import check_form           # which binds queries in its turn
    binder, tables = scope.binder, {}
    for node in clause["ctes"]:
        fields = node["CommonTableExpr"]
        name, location = fields["ctename"], fields.get("location", 0)
        if name in tables:
            raise binder.error("42712", f'WITH query name "{name}" specified more than once', location)
        if "SelectStmt" not in fields["ctequery"]:
            raise binder.unsupported("statements in WITH that change data are", location)
        tables[name] = CommonTable(name, fields, {}, scope.parent, next(NUMBERS))
    ordered = in_order(binder, tables) if clause.get("recursive") else tables.values()
    binder.has_common_tables = True
    for table in ordered:
        table.is_recursive = bool(clause.get("recursive")) and table.name in mentions(table.query)
        if table.is_recursive:
            check_form(binder, table, table.query)
    for table in ordered:
        table.visible = scope.common_tables
        if not table.is_recursive and ("search_clause" in table.fields or "cycle_clause" in table.fields):
            raise binder.error("42601", "WITH query is not recursive", table.location)
        table.plan, table.names = bind_table(binder, table)
        scope.common_tables = {**scope.common_tables, table.name: table}


def in_order(binder, tables):
    """The tables such that each comes behind those that it mentions. Raises 0A000 where two mention each other."""
    ordered, waiting = [], dict(tables)
    needs = {name: mentions(table.query) & set(tables) - {name} for name, table in tables.items()}
    while waiting:
        ready = next((name for name in waiting if not needs[name] & set(waiting)), None)
        if ready is None:
            first = next(iter(waiting.values()))
            raise binder.error("0A000", "mutual recursion between WITH items is not implemented", first.location)
        ordered.append(waiting.pop(ready))
    return ordered


def bind_table(binder, table):
    """The pair (plan, names of its columns) of a query."""
    from caldera.bind.recursion import bind_recursive
    from caldera.bind.select import bind_query              # both bind WITH queries in their turn
    if table.is_recursive:
        return bind_recursive(binder, table)
    plan, names = bind_query(binder, table.query, table.parent, table.visible)
    return plan, renamed(binder, table, names)


def renamed(binder, table, names):
    """The names of a table's columns: those that WITH lists, then its own. Raises 42P10 for too many."""
    given = strings(table.fields.get("aliascolnames", ()))
    if len(given) > len(names):
        raise binder.error("42P10", f'WITH query "{table.name}" has {len(names)} columns available but '
                                    f"{len(given)} columns specified", table.location)
    return tuple(given) + tuple(names[len(given):])


def mentions(syntax):
    """The names of tables without a schema that syntax mentions, but for those of its own WITH clauses."""
    if isinstance(syntax, list):
        return set().union(*map(mentions, syntax))
    if not isinstance(syntax, dict):
        return set()
    if "relname" in syntax and "schemaname" not in syntax:
        return {syntax["relname"]}
    found = set().union(*map(mentions, syntax.values()))
    own = syntax.get("withClause")
    return found - {table["CommonTableExpr"]["ctename"] for table in own["ctes"]} if own else found


def common_rows(binder, table):
    """The plan that a mention of a table reads."""
    if table.plan is None:
        return working_rows(table)
    if table.anew:
        return bind_table(binder, replace(table, plan=None, number=next(NUMBERS)))[0]
    columns = tuple(new_column(name, column.type, column.modifier, column.nullable)
                    for name, column in zip(table.names, table.plan.output))
    always = table.fields.get("ctematerialized") == "CTEMaterializeAlways"
    return CommonScan(table.plan, table.number, table.name, tuple(table.plan.output), columns, always)


def working_rows(table):
    """The plan that a mention of a table inside its own step reads."""
    return WorkingScan(table.number, table.name, tuple(replace(column, id=new_column("", column.type).id)
                                                       for column in table.columns))


def inlined(plan):
    """The plan in which common tables that one place reads stand at that place, unless they are to be computed once."""
    places, kept = {}, set()
    for each in all_plans(plan):
        for node in nodes_of(each):
            if isinstance(node, CommonScan):
                places[node.number] = places.get(node.number, 0) + 1
                if node.is_materialized or is_volatile_plan(node.plan) and not isinstance(node.plan, Recursion):
                    kept.add(node.number)

    def in_place(node):
        if not isinstance(node, CommonScan) or node.number in kept or places[node.number] > 1:
            return node
        return Project(node.plan, tuple(zip(node.columns, node.given)))
    return rewrite_plans(plan, lambda plan: rewrite_nodes(plan, in_place))
