"""WITH RECURSIVE: a union of a first term and a step that reads the rows that came last.

    check_form of all ── bind_recursive ── first term ── step, in whose sight the table is a WorkingScan ──▶ Recursion

The first term alone decides the columns' types. Where the table may be mentioned is checked on the syntax, as PostgreSQL
does it: once, in the step, where every row of a round gives its rows independently of the others.
"""
from caldera.bind.binder import leftmost
from caldera.bind.common_tables import mentions, renamed
from caldera.bind.conversions import common_modifier, common_type, text_if_unknown
from caldera.bind.scope import Scope
from caldera.bind.search_and_cycle import bind_search_and_cycle
from caldera.bind.set_operations import Branch, branch, converted
from caldera.plan.expressions import new_column
from caldera.plan.nodes import Aggregate, Filter, GroupingSets, Join, Recursion, WorkingScan

OUTER_SIDES = {"JOIN_LEFT": ("rarg",), "JOIN_RIGHT": ("larg",), "JOIN_FULL": ("larg", "rarg")}
DECORATIONS = (("sortClause", "ORDER BY"), ("limitOffset", "OFFSET"), ("limitCount", "LIMIT"),
               ("lockingClause", "FOR UPDATE/SHARE"))


def bind_recursive(binder, table):
    """The pair (Recursion, names of its columns) of a common table that mentions itself."""
    query = table.query
    scope = Scope(binder, table.parent, table.visible)
    first = branch(scope, query["larg"])
    columns = [text_if_unknown(binder, column) for column in first.columns]
    table.names = renamed(binder, table, first.names)
    table.columns = [new_column(name, column.type, column.modifier) for name, column in zip(table.names, columns)]
    further = bind_search_and_cycle(binder, table, table.names, table.columns)
    table.columns += further.columns
    scope.common_tables = {**table.visible, table.name: table}
    step = branch(scope, query["rarg"])
    types = overall_types(binder, table, first, step)
    if further.columns:
        further.carry(first, step)
    first, step = (side.settled(types, "UNION") if isinstance(side, Branch) else side for side in (first, step))
    step = converted(scope, step, types + [column.type for column in further.columns], "UNION")
    if further.columns:
        first, step = further.of_first(first), further.of_step(scope, step)
    refuse_aggregates(binder, step.plan)
    output = tuple(new_column(column.name, column.type, column.modifier) for column in table.columns)
    return Recursion(first.plan, step.plan, table.number, table.name, (tuple(first.columns), tuple(step.columns)), output,
                     not query.get("all")), (*table.names, *further.names)


def overall_types(binder, table, first, step):
    """The types of the whole union's columns. Raises 42601, and 42804 where they are not those of the first term."""
    if len(first.columns) != len(step.columns):
        places = (binder.location(column) for column in step.columns)
        raise binder.error("42601", "each UNION query must have the same number of columns",
                           next((place for place in places if place is not None), None))
    types = []
    for number, (pair, column) in enumerate(zip(zip(first.columns, step.columns), table.columns), 1):
        type = common_type(binder, pair, "UNION")
        modifier = common_modifier(pair, type)
        if type is not column.type or modifier != column.modifier:
            raise binder.error(
                "42804", f'recursive query "{table.name}" column {number} has type {column.type.spell(column.modifier)} in '
                         f"non-recursive term but type {type.spell(modifier)} overall", binder.location(pair[0]),
                hint="Cast the output of the non-recursive term to the correct type.")
        types.append(type)
    return types


def refuse_aggregates(binder, plan):
    """Raise 42P19 for an aggregate over the rows of the last round as FROM gives them."""
    for input in plan.inputs:
        refuse_aggregates(binder, input)
    if isinstance(plan, (Aggregate, GroupingSets)) and plan.aggregates and is_read_from(plan.input):
        raise binder.error("42P19", "aggregate functions are not allowed in a recursive query's recursive term",
                           binder.location(plan.aggregates[0][1]))


def is_read_from(plan):
    """Whether a FROM list with these rows has the last round's among its items."""
    return isinstance(plan, WorkingScan) or isinstance(plan, (Filter, Join)) and any(map(is_read_from, plan.inputs))


# ------------------------------------------------------------------------------------------------ where it may be mentioned

def check_form(binder, table, query):
    """Raise 42P19 or 0A000 unless the query is a union whose step mentions the table once, where that is allowed."""
    if query.get("op") != "SETOP_UNION":
        raise binder.error("42P19", f'recursive query "{table.name}" does not have the form non-recursive-term UNION [ALL] '
                                    "recursive-term", table.location)
    MentionCheck(binder, table.name).look(query["larg"], "its non-recursive term")
    MentionCheck(binder, table.name).look(query["rarg"], None)
    for clause, words in DECORATIONS:
        if clause in query:
            node = query[clause]
            place = leftmost(node[0] if isinstance(node, list) else node) if clause != "lockingClause" else None
            raise binder.error("0A000", f"{words} in a recursive query is not implemented", place)


class MentionCheck:
    """Looks for mentions of a table in syntax. `place`: what around here forbids them, None if nothing does."""

    def __init__(self, binder, name):
        self.binder, self.name, self.count = binder, name, 0

    def look(self, syntax, place):
        """Raise 42P19 for a mention that is not allowed, or the second one."""
        if isinstance(syntax, list):
            for item in syntax:
                self.look(item, place)
        if not isinstance(syntax, dict):
            return
        if syntax.get("relname") == self.name and "schemaname" not in syntax:
            self.found(syntax.get("location", 0), place)
        elif "withClause" in syntax and self.name not in mentions(syntax):
            return                                          # an inner WITH query has the name
        elif syntax.get("op") == "SETOP_EXCEPT":
            self.look(syntax["larg"], place or ("EXCEPT" if syntax.get("all") else None))
            self.look(syntax["rarg"], place or "EXCEPT")
        elif syntax.get("op") == "SETOP_INTERSECT":
            for side in ("larg", "rarg"):
                self.look(syntax[side], place or ("INTERSECT" if syntax.get("all") else None))
        else:
            sides = OUTER_SIDES.get(syntax.get("jointype"), ())
            for key, value in syntax.items():
                inside = "an outer join" if key in sides else "a subquery" if key == "SubLink" else None
                self.look(value, place or inside)

    def found(self, location, place):
        """A mention."""
        self.count += 1
        if place is None and self.count > 1:
            raise self.binder.error("42P19", f'recursive reference to query "{self.name}" must not appear more than once',
                                    location)
        if place is not None:
            raise self.binder.error("42P19", f'recursive reference to query "{self.name}" must not appear within {place}',
                                    location)
