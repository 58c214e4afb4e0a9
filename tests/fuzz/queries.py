"""Random SELECTs over a schema, as texts: joins, subqueries anywhere, set operations, WITH, windows, DISTINCT ON, groups.

    QueryWriter.query()       a statement to compare with PostgreSQL
    random_case(...)          Case(check, sql): for TLP and NoREC a plain SELECT ... FROM ... WHERE, which they divide

Sources and selects know the columns that they give (tests.fuzz.tables.Column), so that what is written above them is typed.
Relations are called r1, r2, ... through the whole statement: no name hides another.
"""
import contextlib
import re
from dataclasses import dataclass, replace

from tests.fuzz.expressions import Writer
from tests.fuzz.mutation import mutated
from tests.fuzz.recursion import recursive_query
from tests.fuzz.set_returning import rows_beside, set_returning
from tests.fuzz.tables import Column
from tests.fuzz.templates import BASE, CANONICAL, ORDERED
from tests.fuzz.windows import window_item

CROSS_ROWS_MAX = 2000           # of joins without an equality
ROWS_MAX = 20_000               # of joins at all, by a rough guess
DEPTHS_MAX = (0, 1, 1, 2)       # of subqueries in subqueries: small queries are most, since they take least time
COMPARABLE = ({"int2", "int4", "int8", "numeric", "numeric(10,2)", "float8", "float4", "few"},
              {"text", "varchar(12)", "word"},
              {"date", "timestamp"})
LIMITS = ("0", "1", "2", "3", "3", "10", "10", "100", "100", "1000", "NULL", "9223372036854775807")
OFFSETS = ("", "", "", "", "", "", "0", "1", "1", "2", "5", "1000", "NULL", "9223372036854775807")


@dataclass(frozen=True)
class Case:
    """A statement and the name of the check that it is for."""
    check: str
    sql: str


@dataclass(frozen=True)
class Source:
    """What stands in FROM. size: about how many rows it has. where: conditions that join what commas separate."""
    text: str
    columns: tuple
    size: int
    where: tuple = ()


@dataclass(frozen=True)
class Select:
    """A SELECT without parentheses, and its output columns, by their bare names."""
    sql: str
    columns: tuple


def random_case(random, schema):
    """A Case over the schema: mostly a query to compare, sometimes one to divide, or one with something wrong."""
    writer = QueryWriter(random, schema)
    dice = random.random()
    if dice < 0.72:
        return Case("postgres", writer.query())
    if dice < 0.88:
        return Case("errors", mutated(random, writer.query()))
    return Case("tlp", writer.divisible()) if dice < 0.96 else Case("norec", writer.countable())


def is_comparable(a, b):
    """Whether two types have an = between them."""
    return a == b or any(a in family and b in family for family in COMPARABLE)


def comparable_pairs(left, right):
    """Pairs of columns of two sources that have an = between them."""
    return [(a, b) for a in left.columns for b in right.columns if is_comparable(a.type, b.type)]


def grouping_sets(random, keys):
    """ROLLUP, CUBE or GROUPING SETS of the keys of a GROUP BY, perhaps of each other."""
    keys = list(dict.fromkeys(keys))
    form = random.random()
    if form < 0.5:
        elements = keys[:4]
        if len(elements) > 1 and random.random() < 0.3:
            elements = [f"({', '.join(elements[:2])})", *elements[2:]]
        return f"{random.choice(('ROLLUP', 'CUBE'))} ({', '.join(elements)}){''.join(', ' + key for key in keys[4:])}"
    sets = [random.sample(keys, random.randint(0, len(keys))) for _ in range(random.randint(1, 2))] + [keys]
    texts = [f"({', '.join(chosen)})" for chosen in sets]
    if form < 0.7:
        texts[0] = f"{random.choice(('ROLLUP', 'CUBE', 'GROUPING SETS'))} ({', '.join(keys[:3])})"
    return f"GROUPING SETS ({', '.join(texts)})"


def direction(random, key):
    """A sort item."""
    return key + random.choice(("", "", " DESC", " ASC NULLS FIRST", " DESC NULLS LAST", " NULLS LAST"))


def listed(texts, word=""):
    """" WORD a, b", or nothing of nothing."""
    return f" {word} {', '.join(texts)}" if texts else ""


def conditions(word, texts):
    """" WORD a AND b", or nothing of nothing."""
    return f" {word} {' AND '.join(texts)}" if texts else ""


class QueryWriter:
    """Writes statements over a schema. Large tables are neither joined nor correlated with."""

    def __init__(self, random, schema):
        self.random, self.tables = random, schema.tables
        self.small = schema.row_count <= 400 and all(table.columns[0].name == "id" for table in schema.tables)
        self.count, self.depth, self.depth_max, self.common = 0, 0, random.choice(DEPTHS_MAX), []

    # ---- statements

    def query(self):
        """A statement: perhaps WITH, then a SELECT or a set operation, perhaps with ORDER BY and LIMIT."""
        random = self.random
        with_text = self.with_clause() if self.small and random.random() < 0.08 * (1 + self.depth_max) else ""
        if random.random() < 0.15:
            combined = self.combined(())
            names = [column.name for column in combined.columns]
            order = [direction(random, name) for name in random.sample(names, random.randint(0, len(names)))]
            return with_text + combined.sql + listed(order, "ORDER BY") + self.limits()
        shapes = (self.plain, self.plain, self.grouped, self.grouped, self.windowed, self.distinct_on)
        return with_text + random.choice(shapes)(())

    def divisible(self):
        """SELECT ... WHERE p for TLP: rows, DISTINCT rows, aggregates of all rows, or groups with HAVING p; perhaps of a
        common table."""
        with_text = self.with_clause() if self.small and self.random.random() < 0.1 else ""
        return with_text + self.divisible_select()

    def divisible_select(self):
        """The same without WITH."""
        random, source = self.random, self.source(())
        writer = self.writer(source.columns, ())
        form, where = random.random(), conditions("WHERE", [*source.where, writer.predicate(2)])
        if form < 0.4:
            items = [writer.any_expression(1) for _ in range(random.randint(1, 3))]
            return f"SELECT {', '.join(items)} FROM {source.text}{where}"
        if form < 0.6:
            items = [writer.key() if random.random() < 0.9 else f"ROW({writer.key()}, {writer.key()})"
                     for _ in range(random.randint(1, 3))]
            return f"SELECT DISTINCT {', '.join(items)} FROM {source.text}{where}"
        if form < 0.8:
            calls = [random.choice(("count(*)", f"min({writer.leaf('int4')})", f"max({writer.leaf('date')})",
                                    f"sum({writer.inner().leaf('int4')})", f"count({writer.inner().leaf('text')})",
                                    f"bool_or({writer.leaf('bool')})")) for _ in range(random.randint(1, 3))]
            return f"SELECT {', '.join(calls)} FROM {source.text}{where}"
        keys = [writer.inner().key() for _ in range(random.randint(1, 2))]
        groups = grouping_sets(random, keys) if random.random() < 0.3 else ", ".join(keys)
        return f"SELECT {', '.join(keys)}, count(*) FROM {source.text}{conditions('WHERE', source.where)} " \
               f"GROUP BY {groups} HAVING {writer.inner().having()}"

    def countable(self):
        """SELECT count(*) FROM ... WHERE p for NoREC."""
        source = self.source(())
        where = conditions("WHERE", [*source.where, self.writer(source.columns, ()).predicate(2)])
        return f"SELECT count(*) FROM {source.text}{where}"

    def plain(self, outer):
        """Row by row: expressions, DISTINCT, ORDER BY, LIMIT."""
        random, source = self.random, self.source(outer)
        writer = self.writer(source.columns, outer)
        distinct = random.random() < 0.25
        if not distinct and random.random() < 0.1:
            writer.careless = 0.2
        items = [writer.key() if distinct or random.random() < 0.3 else writer.any_expression(random.randint(0, 3))
                 for _ in range(random.randint(1, 2 + self.depth_max))]
        items += [writer.record()] * (not distinct and random.random() < 0.08)
        items += [set_returning(writer) for _ in range(random.choice((1, 1, 2)) if random.random() < 0.08 else 0)]
        order = [str(number + 1) for number in range(len(items))] if distinct else [writer.inner().key() for _ in range(3)]
        random.shuffle(order)
        order = [direction(random, key) for key in order[:random.choice((0, 1, 1, 2, 3))]]
        return f"SELECT {'DISTINCT ' * distinct}{', '.join(items)} FROM {source.text}{self.where(writer, source)}" \
               f"{listed(order, 'ORDER BY')}{self.limits(order)}"

    def grouped(self, outer):
        """Aggregates, with or without groups; keys that are columns may be used further, in subqueries, too."""
        random, source = self.random, self.source(outer)
        writer = self.writer(source.columns, outer)
        inner = writer.inner()
        typed = [inner.typed_key() for _ in range(random.choice((0, 1, 1, 1, 2, 2, 3, 5)))]
        keys = [text for text, _ in typed]
        items = keys + [inner.aggregate() for _ in range(random.randint(0 if keys else 1, 2 + self.depth_max))]
        known = tuple(Column(text, type) for text, type in typed if not text.startswith("("))
        having = [inner.having()] if random.random() < 0.2 else []
        if known and random.random() < 0.3:
            items.append(self.writer(known, outer).any_expression(1))
        if known and random.random() < 0.15:
            having.append(self.writer(known, outer).predicate(1))
        order = []
        if random.random() < 0.5:
            positions = [str(number + 1) for number in range(len(items))] + ["count(*)"]
            order = [direction(random, key) for key in random.sample(positions, random.randint(1, 2))]
        if keys and random.random() < 0.25:
            items.append(f"grouping({', '.join(random.sample(keys, random.randint(1, len(keys))))})")
            keys = [grouping_sets(random, keys) for _ in range(random.choice((1, 1, 1, 2)))]
            keys[0] = "DISTINCT " * (random.random() < 0.2) + keys[0]
            if not having and random.random() < 0.2:
                having.append(items[-1] + f" {random.choice(('=', '>', '<='))} {random.choice((0, 1))}")
        if random.random() < 0.03:
            items.append(f"generate_series(1, {random.choice(('count(*)', 'min(' + inner.leaf('int2') + ') % 4'))})")
        return f"SELECT {', '.join(items)} FROM {source.text}{self.where(writer, source)}{listed(keys, 'GROUP BY')}" \
               f"{conditions('HAVING', having)}{listed(order, 'ORDER BY')}{self.limits(order) if keys else ''}"

    def windowed(self, outer):
        """Window functions over a source, or over the groups of one; ordered and limited as others are."""
        random, source = self.random, self.source(outer)
        writer = self.writer(source.columns, outer)
        count = random.randint(1, 1 + self.depth_max)
        items = [text for text, _ in (window_item(random, writer.inner()) for _ in range(count))]
        items += [writer.inner().key() for _ in range(random.randint(0, 2))]
        items, windows = named_windows(items) if random.random() < 0.15 else (items, "")
        order = [direction(random, str(random.randint(1, len(items))))] if random.random() < 0.4 else []
        return f"SELECT {', '.join(items)} FROM {source.text}{self.where(writer, source)}{windows}" \
               f"{listed(order, 'ORDER BY')}{self.limits()}"

    def distinct_on(self, outer):
        """DISTINCT ON of rows in a total order; where there is none, DISTINCT."""
        random, source = self.random, self.source(outer)
        writer = self.writer(source.columns, outer)
        if not all(column.canonical for column in source.columns):
            return f"SELECT DISTINCT {writer.key()}, {writer.key()} FROM {source.text}{self.where(writer, source)}"
        keys = [writer.inner().key() for _ in range(random.randint(1, 2))]
        total = random.sample([column.name for column in source.columns], len(source.columns))
        items = [*keys, writer.any_expression(1)]
        order = [direction(random, key) for key in (*keys, *total)]
        return f"SELECT DISTINCT ON ({', '.join(keys)}) {', '.join(items)} FROM {source.text}{self.where(writer, source)}" \
               f"{listed(order, 'ORDER BY')}{self.limits()}"

    def limits(self, order=()):
        """LIMIT and OFFSET, or neither; with an order also WITH TIES."""
        random = self.random
        if random.random() < 0.7:
            return ""
        if order and random.random() < 0.3:
            return f" FETCH FIRST {random.choice((1, 2, 5))} ROWS WITH TIES"
        offset, table = random.choice(OFFSETS), random.choice(self.tables).name
        limit = f"(SELECT count(*) FROM {table})" if random.random() < 0.05 else random.choice(LIMITS)
        return f" LIMIT {limit}" + (f" OFFSET {offset}" if offset else "")

    def where(self, writer, source):
        """WHERE, or none."""
        count = self.random.choice((0, 0, 0, 1, 1, 2))
        return conditions("WHERE", [*source.where, *(
            writer.predicate(self.random.randint(0, 2)) if self.random.random() < 0.95 else writer.condition_on_records()
            for _ in range(count))])

    def writer(self, columns, outer):
        """A Writer of expressions, with subqueries as far as there may be any."""
        return Writer(self.random, columns, outer, self if self.small and self.depth < self.depth_max else None)

    # ---- FROM

    def source(self, outer):
        """One relation, or a join of several."""
        random = self.random
        joined = self.relation(outer)
        counts = (0, 0, 0, 1, 1, 2) if self.depth_max == 0 else (0, 0, 1, 1, 2, 3) if self.depth == 0 else (0, 0, 0, 1)
        for _ in range(random.choice(counts) if self.small else 0):
            if random.random() < 0.08:
                joined = self.listed_beside(joined)
            elif random.random() < 0.12 and self.depth < self.depth_max:
                joined = self.lateral(joined, outer)
            else:
                right = self.relation(outer)
                if random.random() < 0.15:
                    nested = self.joined(right, self.relation(outer), outer)
                    right = right if nested is right else replace(nested, text=f"({nested.text})")
                joined = self.joined(joined, right, outer)
        return self.with_comma(joined, outer) if self.small and random.random() < 0.15 else joined

    def with_comma(self, left, outer):
        """FROM left, right: joined by WHERE, or not at all where they are small."""
        right = self.relation(outer)
        pairs = comparable_pairs(left, right)
        product = left.size * right.size
        if product > CROSS_ROWS_MAX and (not pairs or product > 100 * ROWS_MAX):
            return left
        is_cross = not pairs or product <= CROSS_ROWS_MAX and self.random.random() < 0.3
        where = () if is_cross else tuple(f"{a.name} = {b.name}" for a, b in self.random.sample(pairs, 1))
        return Source(f"{left.text}, {right.text}", left.columns + right.columns,
                      product if is_cross else min(ROWS_MAX, max(left.size, right.size) * 3), where)

    def name(self):
        """A new name for a relation."""
        self.count += 1
        return f"r{self.count}"

    def relation(self, outer):
        """A table, a common table, a subquery, VALUES, a series."""
        random, dice, name = self.random, self.random.random(), self.name()
        if self.common and dice < 0.4:
            common, columns = random.choice(self.common)
            return Source(f"{common} AS {name}", qualified(name, columns), 40)
        if dice < 0.72 or self.depth >= self.depth_max:
            table = random.choice(self.tables)
            return Source(f"{table.name} AS {name}", qualified(name, table.columns), table.row_count)
        if dice < 0.76:
            stop = random.choice((0, 1, 4, 9))
            function = random.choice((f"generate_series(1, {stop})", f"unnest(ARRAY[{stop}, 2, NULL, 7, 2])"))
            if random.random() < 0.3:
                function = f"ROWS FROM ({function}, unnest('{{1,NULL}}'::int4[])) WITH ORDINALITY"
                return Source(f"{function} AS {name} (n, m, o)",
                              (Column(f"{name}.n", "int4"), Column(f"{name}.m", "int4"), Column(f"{name}.o", "int8")), 9)
            return Source(f"{function} AS {name} (n)", (Column(f"{name}.n", "int4"),), 9)
        if dice < 0.8:
            return self.values(name)
        with self.deeper():
            select = self.select(outer)
        return Source(f"({select.sql}) AS {name}", qualified(name, select.columns), 60)

    def values(self, name):
        """VALUES of a few constants."""
        types = [self.random.choice(CANONICAL) for _ in range(self.random.randint(1, 2))]
        writer = Writer(self.random, ())
        rows = [f"({', '.join(writer.leaf(type) for type in types)})" for _ in range(self.random.randint(1, 4))]
        names = [f"v{number}" for number in range(len(types))]
        return Source(f"(VALUES {', '.join(rows)}) AS {name} ({', '.join(names)})",
                      tuple(Column(f"{name}.{column}", type) for column, type in zip(names, types)), len(rows))

    def joined(self, left, right, outer):
        """A join of two sources, of any kind; where both are large there is an equality in it."""
        random, columns = self.random, left.columns + right.columns
        pairs, product = comparable_pairs(left, right), left.size * right.size
        kind = random.choice(("JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN"))
        if product > CROSS_ROWS_MAX and (not pairs or product > 100 * ROWS_MAX):
            return left
        if kind == "CROSS JOIN" and product <= CROSS_ROWS_MAX or not pairs:
            return Source(f"{left.text} CROSS JOIN {right.text}", columns, product)
        kind = "JOIN" if kind == "CROSS JOIN" else kind
        size = min(ROWS_MAX, max(left.size, right.size) * 3)
        own = [sum(column.name.endswith(".id") for column in side.columns) for side in (left, right)]
        if own == [1, 1] and random.random() < 0.15:
            return Source(f"{left.text} {kind} {right.text} USING (id)", columns, max(left.size, right.size))
        numbers = [pair for pair in pairs if pair[0].type == pair[1].type == "int4"]
        pairs = numbers if numbers and random.random() < 0.6 else pairs         # their values meet most
        made = [f"{a.name} = {b.name}" for a, b in random.sample(pairs, min(len(pairs), random.choice((1, 1, 1, 1, 2))))]
        if kind != "FULL JOIN" and product <= CROSS_ROWS_MAX and random.random() < 0.3:
            a, b = random.choice(pairs)
            made = [f"{a.name} {random.choice(('<', '<=', '>', '>=', '<>', 'IS NOT DISTINCT FROM'))} {b.name}"]
        if random.random() < 0.3:
            inner = kind == "JOIN" and random.random() < 0.4
            made.append((self.writer(columns, outer) if inner else Writer(random, columns)).predicate(1))
        return Source(f"{left.text} {kind} {right.text} ON {' AND '.join(made)}", columns, size)

    def listed_beside(self, left):
        """A join with the elements of lists or documents that are made of the left source's columns."""
        text, columns = rows_beside(self.random, left.columns, self.name())
        return Source(left.text + text, left.columns + columns, left.size * 3, left.where)

    def lateral(self, left, outer):
        """A join with a subquery that may use the left source's columns."""
        name = self.name()
        with self.deeper():
            select = self.select((*left.columns, *outer))
        text = self.random.choice(("CROSS JOIN LATERAL ({}) AS {}", "LEFT JOIN LATERAL ({}) AS {} ON true"))
        return Source(f"{left.text} {text.format(select.sql, name)}", left.columns + qualified(name, select.columns),
                      min(ROWS_MAX, left.size * 5))

    # ---- subqueries

    @contextlib.contextmanager
    def deeper(self):
        """What is written in the meantime is a level further down."""
        self.depth += 1
        yield
        self.depth -= 1

    def select(self, outer, types=None):
        """A Select of any shape, whose columns have the `types` if they are given."""
        random = self.random
        shape = random.random()
        if shape < 0.12 and self.depth <= self.depth_max:
            return self.combined(outer, types)
        source = self.source(outer)
        writer = self.writer(source.columns, outer)
        if shape < 0.4 and (types is None or set(types) <= set(CANONICAL)):
            return self.groups(source, writer, types)
        if shape < 0.5 and types is None:
            items = [window_item(random, writer.inner()) for _ in range(random.randint(1, 2))]
            items += [writer.inner().typed_key()]
            return made(items, f"FROM {source.text}{self.where(writer, source)}", [False] * (len(items) - 1) + [True])
        wanted = types or [writer.some_type() for _ in range(random.randint(1, 4))]
        canonical = random.random() < 0.5
        items = [(writer.key_of(type) if canonical else writer.expression(type, 1), type) for type in wanted]
        select = made(items, f"FROM {source.text}{self.where(writer, source)}",
                      [canonical or type in CANONICAL for type in wanted],
                      distinct=canonical and random.random() < 0.2)
        if canonical and random.random() < 0.25:
            order = ", ".join(direction(random, str(number + 1)) for number in range(len(items)))
            return replace(select, sql=f"{select.sql} ORDER BY {order} LIMIT {random.choice((0, 1, 1, 2, 5))}")
        return select

    def groups(self, source, writer, types):
        """A Select of groups: their keys, of the types that are wanted, and simple aggregates."""
        random, inner = self.random, writer.inner()
        keys = [(inner.key_of(type), type) for type in types] if types else \
            [inner.typed_key() for _ in range(random.choice((0, 1, 1, 2)))]
        items = list(keys)
        if not types:
            ordered = [column for column in source.columns if column.type in ORDERED and column.canonical]
            items += [random.choice((("count(*)", "int8"), (f"count({inner.leaf('int4')})", "int8"),
                                     (f"sum({inner.leaf('int4')})", "int8"))) for _ in range(random.randint(1, 2))]
            if ordered:
                column = random.choice(ordered)
                items.append((f"{random.choice(('min', 'max'))}({column.name})", column.type))
        having = conditions("HAVING", [inner.having()]) if keys and random.random() < 0.15 else ""
        rest = f"FROM {source.text}{self.where(writer, source)}{listed([text for text, _ in keys], 'GROUP BY')}{having}"
        return made(items, rest, [True] * len(items))

    def combined(self, outer, types=None):
        """A set operation of two Selects or more."""
        random = self.random
        types = types or [random.choice((*CANONICAL, "int4", "int4")) for _ in range(random.choice((1, 1, 2, 3)))]
        with self.deeper():
            selects = [self.branch(outer, types) for _ in range(random.choice((2, 2, 3)))]
        text = selects[0].sql
        for select in selects[1:]:
            operator = random.choice(("UNION", "UNION", "UNION ALL", "UNION ALL", "INTERSECT", "INTERSECT ALL", "EXCEPT",
                                      "EXCEPT ALL"))
            text = f"({text}) {operator} ({select.sql})"
        return Select(text, selects[0].columns)

    def branch(self, outer, types):
        """A Select whose equal rows look the same, for a set operation."""
        source = self.source(outer)
        writer = self.writer(source.columns, outer)
        items = [(writer.key_of(type), type) for type in types]
        return made(items, f"FROM {source.text}{self.where(writer, source)}", [True] * len(items))

    def scalar(self, writer, type):
        """A subquery in parentheses that gives one value at most."""
        outer, random = writer.columns + tuple(writer.outer), self.random
        with self.deeper():
            form = random.random()
            if form < 0.1:
                return f"(SELECT {Writer(random, outer).expression(type, 1)})"
            if form < 0.35:
                return self.by_id(outer, type)
            source = self.source(outer)
            inner = self.writer(source.columns, outer)
            where = self.where(inner, source)
            if type == "int8" and form < 0.6:
                return f"(SELECT count(*) FROM {source.text}{where})"
            if type in ORDERED and form < 0.85:
                value = inner.inner().expression(type, 1)
                return f"(SELECT {random.choice(('min', 'max'))}({value}) FROM {source.text}{where})" if "." in value else \
                    f"(SELECT {value} WHERE EXISTS (SELECT FROM {source.text}{where}))"
            return f"(SELECT {inner.key_of(type)} FROM {source.text}{where} ORDER BY 1 LIMIT 1)"

    def by_id(self, outer, type):
        """The value of the row with some id."""
        table, name = self.random.choice(self.tables), self.name()
        columns = qualified(name, table.columns)
        number = Writer(self.random, outer).leaf("int4")
        return f"(SELECT {Writer(self.random, columns).expression(type, 1)} FROM {table.name} AS {name} " \
               f"WHERE {name}.id = {number})"

    def exists(self, writer):
        """A subquery in parentheses for EXISTS."""
        with self.deeper():
            return f"({self.select(writer.columns + tuple(writer.outer)).sql})"

    def members(self, writer, type):
        """A subquery in parentheses of one column of a type, correlated or not."""
        outer = writer.columns + tuple(writer.outer) if self.random.random() < 0.5 else ()
        with self.deeper():
            return f"({self.select(outer, [BASE.get(type, type)]).sql})"

    # ---- WITH

    def with_clause(self):
        """WITH of one or two common tables, which relations from now on may be."""
        random, texts = self.random, []
        for number in range(1, random.choice((1, 1, 2)) + 1):
            name = f"w{number}"
            hint = random.choice(("", "", "MATERIALIZED ", "NOT MATERIALIZED "))
            if random.random() < 0.4:
                query, suffix, columns = recursive_query(random, self.tables, name)
                texts.append(f"{name} (c0, c1) AS {hint}({query}){suffix}")
            else:
                with self.deeper():
                    select = self.select(())
                columns = tuple(replace(column, name=f"c{place}") for place, column in enumerate(select.columns))
                texts.append(f"{name} ({', '.join(column.name for column in columns)}) AS {hint}({select.sql})")
            self.common.append((name, columns))
        return f"WITH RECURSIVE {', '.join(texts)} "


def named_windows(items):
    """(the items with their windows by name, the WINDOW clause)."""
    defined = {}

    def named(found):
        return f"OVER {defined.setdefault(found[1], f'v{len(defined)}')}"
    items = [re.sub(r"OVER \(((?:[^()']|'[^']*')*)\)$", named, item) for item in items]
    return items, listed([f"{name} AS ({text})" for text, name in defined.items()], "WINDOW")


def qualified(name, columns):
    """The columns of a relation of that name."""
    return tuple(replace(column, name=f"{name}.{column.name}") for column in columns)


def made(items, rest, canonical, distinct=False):
    """The Select of items, pairs of text and type, under the names s0, s1, ..."""
    columns = tuple(Column(f"s{number}", type, is_simple(text), same)
                    for number, ((text, type), same) in enumerate(zip(items, canonical)))
    shown = ", ".join(f"{text} AS {column.name}" for (text, _), column in zip(items, columns))
    return Select(f"SELECT {'DISTINCT ' * distinct}{shown} {rest}", columns)


def is_simple(text):
    """Whether an expression is a column: sums of others may depend on the order."""
    return text.replace(".", "").replace("_", "").isalnum()
