"""Random recursive queries that end: steps are counted, or rows that were there already are left out.

    chain       a number's neighbours through another table, three steps far
    counter     a number and a text that grow without a table
    closure     what can be reached from a row by an edge; UNION, or UNION ALL with CYCLE
    refused     what PostgreSQL has an error for: aggregates of the recursive part, two references, other types
"""
from tests.fuzz.expressions import Writer
from tests.fuzz.tables import Column

NUMBERS = ("int2", "int4", "int8", "few")
SELVES = ("{name} AS a", "{name} AS a", "{name} AS a", "(SELECT * FROM {name} WHERE c0 IS NOT NULL) AS a",
          "(SELECT c0, c1 FROM {name} OFFSET 0) AS a")


def recursive_query(random, tables, name):
    """(the query in the parentheses of WITH RECURSIVE name (c0, c1) AS (...), what follows them, its columns)."""
    form = random.choice((chain, chain, counter, counter, closure, closure, refused))
    return form(random, tables, name)


def itself(random, name):
    """The recursive reference, called a, as it may stand in FROM."""
    return random.choice(SELVES).format(name=name)


def chain(random, tables, name):
    """Rows of a second table whose number is a little greater."""
    first, second = random.choice(tables), random.choice(tables)
    word = random.choice(("UNION", "UNION", "UNION ALL"))
    link = "id" if word == "UNION ALL" else random.choice([one.name for one in second.columns if one.type in NUMBERS])
    join = random.choice(("JOIN", "JOIN", "LEFT JOIN")) if word == "UNION" else "JOIN"
    near = random.choice((f"b.{link} = a.c0 + 1", f"b.{link} BETWEEN a.c0 + 1 AND a.c0 + 2"))
    more = Writer(random, (Column("a.c1", "int4"), Column("b.id", "int4"))).predicate(0)
    where = f"a.c1 < {random.choice((1, 2, 3))}" + (f" AND {more}" if random.random() < 0.3 else "")
    text = f"SELECT id, 0 FROM {first.name} {word} SELECT b.id, a.c1 + 1 FROM {itself(random, name)} {join} {second.name} " \
           f"AS b ON {near} WHERE {where}"
    return text, ordered(random), (Column("c0", "int4"), Column("c1", "int4"))


def counter(random, tables, name):
    """A few numbers counted up, each with a text made of the one before."""
    columns = (Column("a.c0", "int4"), Column("a.c1", "text"))
    start = ", ".join(f"({number}, {Writer(random, ()).constant('text')})"
                      for number in random.sample(range(7), random.randint(1, 3)))
    text = f"VALUES {start} {random.choice(('UNION', 'UNION ALL'))} SELECT a.c0 + {random.choice((1, 1, 2))}, " \
           f"left({Writer(random, columns).expression('text', 1)}, 20) FROM {itself(random, name)} " \
           f"WHERE a.c0 < {random.choice((3, 6, 9))}"
    return text, ordered(random), (Column("c0", "int4"), Column("c1", "text"))


def closure(random, tables, name):
    """Pairs of numbers of which the second can be reached from the first."""
    table = random.choice(tables)
    edge = random.choice([one.name for one in table.columns if one.type in ("int2", "int4", "few")])
    mark, suffix = random.choice((("'y'", "'n'"), None, None)), ""
    word = random.choice(("UNION", "UNION ALL"))
    if word == "UNION ALL":
        shown = f" TO {mark[0]} DEFAULT {mark[1]}" if mark else ""
        suffix = f"{ordered(random)} CYCLE c1 SET cycled{shown} USING path"
    text = f"SELECT id, {edge}::int4 FROM {table.name} {word} SELECT a.c0, b.{edge}::int4 FROM {name} AS a " \
           f"JOIN {table.name} AS b ON b.id = a.c1"
    columns = (Column("c0", "int4"), Column("c1", "int4"))
    return text, suffix, columns + ((Column("cycled", "text" if mark else "bool"),) if suffix else ())


def ordered(random):
    """SEARCH, seldom."""
    return random.choice((" SEARCH DEPTH FIRST BY c0 SET place", " SEARCH BREADTH FIRST BY c1, c0 SET place")) \
        if random.random() < 0.25 else ""


def refused(random, tables, name):
    """What may not be in a recursive query."""
    table = random.choice(tables).name
    step = random.choice((f"SELECT max(c0), 1 FROM {name}", f"SELECT a.c0, b.c1 FROM {name} a JOIN {name} b USING (c0)",
                          f"SELECT b.id, a.c1 FROM {table} b LEFT JOIN {name} a ON a.c0 = b.id",
                          f"SELECT c0 + 0.5, c1 FROM {name} WHERE c1 < 2", f"SELECT c0 FROM {name}",
                          f"SELECT c0, c1 FROM {name} ORDER BY 1", f"SELECT c0, c1 FROM {name} LIMIT 3",
                          f"SELECT id, 1 FROM {table} WHERE id IN (SELECT c0 FROM {name})",
                          f"SELECT c0, c1 || 'a' FROM {name}"))
    text = f"SELECT id, 0 FROM {table} {random.choice(('UNION ALL', 'UNION', 'INTERSECT'))} {step}"
    return (text if random.random() < 0.8 else f"({step}) UNION ALL SELECT id, 0 FROM {table}"), "", \
        (Column("c0", "int4"), Column("c1", "int4"))
