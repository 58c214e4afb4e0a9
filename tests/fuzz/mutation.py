"""Statements with something wrong in them, most of them: made of others on PostgreSQL's syntax tree, for their errors.

    moved        an expression stands where another one stood: an aggregate in WHERE, a text where a number was
    left_out     a step of shrinking that nobody has asked for: a FROM item or a key of GROUP BY is missing
    renamed      a column, function or type has the name of another one, or of none
    wrapped      an expression is the argument of an aggregate, a window function or one that gives several rows
"""
import postgast

from tests.fuzz.shrinking import at, changes, members, paths, role

WRAPPERS = ("sum({})", "count(DISTINCT {})", "max({}) OVER ()", "generate_series(1, {})", "unnest({})", "({})[1]", "({}).x",
            "(SELECT {})", "ARRAY[{}]", "ROW({}, 1)", "upper({})", "({} + 1)", "({} || 'a')", "coalesce({}, 'a')",
            "nullif({}, 1)", "row_number() OVER (ORDER BY {})", "string_agg({}, ',')", "min(min({}))", "abs({})",
            "({} = ALL (SELECT 1))", "grouping({})", "CASE {} WHEN 1 THEN 2 END", "extract(year FROM {})", "({})::mood",
            "JSON_VALUE({}, '$')")
STRANGE_NAMES = ("nowhere", "id", "r1", "ctid", "int4", "sum", "lower", "text", "pair", "n", "rank", "count")
ATTEMPTS = 6


def mutated(random, sql):
    """The statement after one or two changes; as it was if no attempt gives one that parses."""
    for _ in range(random.choice((1, 1, 2))):
        for _ in range(ATTEMPTS):
            parsed = postgast.parse(sql)
            random.choice((moved, moved, left_out, renamed, wrapped, wrapped))(random, parsed)
            try:
                text = postgast.deparse(parsed)
                postgast.parse(text)
            except postgast.PgQueryError:                       # no statement any more
                continue
            sql = text
            break
    return sql


def values(parsed):
    """All expressions of a tree."""
    found = (at(parsed, path) for path in paths(parsed))
    return [message for message in found if message.DESCRIPTOR.name == "Node" and role(message) == "value"]


def moved(random, parsed):
    """Put a copy of an expression in the place of another."""
    nodes = values(parsed)
    if len(nodes) > 1:
        target, source = random.sample(nodes, 2)
        copied = type(source)()
        copied.CopyFrom(source)
        target.CopyFrom(copied)


def left_out(random, parsed):
    """Leave something out, or put a part in the place of the whole."""
    places = list(paths(parsed))
    for _ in range(ATTEMPTS):
        message = at(parsed, random.choice(places))
        if found := list(changes(message)):
            random.choice(found)(message)
            return


def renamed(random, parsed):
    """Give a name that another thing has, or none."""
    names = [message for message in (at(parsed, path) for path in paths(parsed)) if message.DESCRIPTOR.name == "String"]
    if names:
        changed = random.choice(names)
        changed.sval = random.choice((random.choice(names).sval, random.choice(STRANGE_NAMES)))


def wrapped(random, parsed):
    """Put a call around an expression."""
    nodes = values(parsed)
    if nodes:
        target = random.choice(nodes)
        call = postgast.parse(f"SELECT {random.choice(WRAPPERS).format('the_argument')}")
        place = next(node for node in values(call) if node.HasField("column_ref")
                     and node.column_ref.fields[0].string.sval == "the_argument")
        place.CopyFrom(target)
        target.CopyFrom(next(node for _, node in members(call.stmts[0].stmt.select_stmt.target_list[0].res_target)))
