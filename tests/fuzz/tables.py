"""Random tables: columns of all types, several INSERTs of different character.

Each column has a type and, for each insert, a character: few values or many, sorted, constant, extreme, all NULL. So one
column's parts differ in encoding, and zone maps and sort orders have something to say.
"""
import datetime
import decimal
from dataclasses import dataclass, replace

from tests.fuzz.user_types import COMPOSED, DEFINITIONS
from tests.layouts import LAYOUTS

TYPES = ("bool", "int2", "int4", "int8", "float4", "float8", "numeric", "numeric(10,2)", "text", "varchar(12)", "char(5)",
         "bytea", "date", "time", "timestamp", "timestamptz", "interval", "uuid", "int4[]", "text[]", "jsonb",
         "few", *COMPOSED)
WILD_IN_SMALL = {"int2", "int4", "int8", "numeric", "time", "uuid", "int4[]"}  # no safe expression fails for their extremes
USUAL_TYPES = ("int4", "int4", "int4", "int8", "text", "text", "numeric", "date", "bool", "jsonb", "int4range")
LIMITS = {"int2": 1 << 15, "int4": 1 << 31, "int8": 1 << 63, "few": 1_000_000}
WORDS = ("", "a", "b", "ab", "abc", "abd", "Abc", "ä", "äb", "日本語", "日本", "😀", "a b", "a%b", "a_b", "x'y", "\\", "zz",
         "http://example.com/", "http://example.com/path?q=1", "https://example.com/", "www.example.org", "a" * 12, "a" * 13,
         "a" * 12 + "b", "prefix-0001", "prefix-0002", "prefix-00001", "ÿ", "~", "\u00a0", "tab\tand\nline", "long " * 60)
DOCUMENTS = ("0", "null", "true", "{}", "[]", '"a"', '"abc"', '[0, "b"]', '[[0], null]', '{"a": 0}', '{"a": 0, "b": "ab"}',
             '{"a": {"b": [0, 1]}}', '{"b": null, "abc": true}', '[{"a": 0}, {"a": 1}]')      # for 0, any other digit
EXTREMES = {
    "int2": ("-32768", "32767", "0"), "int4": ("-2147483648", "2147483647", "0"),
    "int8": ("-9223372036854775808", "9223372036854775807", "0"),
    "float4": ("NaN", "Infinity", "-Infinity", "3.4028235e38", "1e-45", "0", "0.1", "-1.5"),
    "float8": ("NaN", "Infinity", "-Infinity", "1.7976931348623157e308", "5e-324", "0", "0.1", "-1.5"),
    "numeric": ("NaN", "Infinity", "-Infinity", "99999999999999999999999999999999999999", "-0.00000000000000000000000001",
                "1" + "0" * 60 + ".5", "0", "170141183460469231731687303715884105728"),
    "numeric(10,2)": ("99999999.99", "-99999999.99", "0.00", "NaN"),
    "date": ("infinity", "-infinity", "4713-01-01 BC", "5874897-12-31", "1970-01-01", "2000-02-29"),
    "time": ("00:00:00", "24:00:00", "23:59:59.999999", "12:00:00.5"),
    "timestamp": ("infinity", "-infinity", "4713-01-01 00:00:00 BC", "294276-12-31 23:59:59.999999", "1970-01-01 00:00:00",
                  "1999-12-31 23:59:59.999999"),
    "interval": ("1 day", "-1 day", "1 mon", "178000000 years", "-178000000 years", "infinity", "-infinity",
                 "00:00:00.000001", "2 years 3 mons 4 days 05:06:07.89"),
    "uuid": ("00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
             "80000000-0000-0000-0000-000000000000", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    "int4[]": ("{}", "{NULL}", "{-2147483648,2147483647}"),
}
EXTREMES["timestamptz"] = tuple(text if "inf" in text else text.replace(" BC", "+00 BC") if "BC" in text else text + "+00"
                                for text in EXTREMES["timestamp"])


@dataclass(frozen=True)
class Column:
    """exact: its sum does not depend on the order of rows. canonical: values that are equal look the same (unlike 1.0 and
    1.00), so that one may group by it. name: as it is referred to, "r1.a". values: some that it may have, as literals."""
    name: str
    type: str
    exact: bool = True
    canonical: bool = True
    values: tuple = ()


@dataclass(frozen=True)
class Table:
    """name, columns, names of those that are NOT NULL, order_by clause, and inserts: tuples of rows, which are tuples of SQL
    literals."""
    name: str
    columns: tuple
    order_by: str
    inserts: tuple
    required: frozenset = frozenset()

    @property
    def row_count(self):
        return sum(map(len, self.inserts))

    def sql(self):
        """CREATE TABLE and INSERTs."""
        described = ", ".join(f"{column.name} {column.type}{' NOT NULL' * (column.name in self.required)}"
                              for column in self.columns)
        options = f" WITH (order_by = '{self.order_by}')" if self.order_by else ""
        return "\n".join([f"CREATE TABLE {self.name} ({described}) USING mergetree{options};", *(
            f"INSERT INTO {self.name} VALUES {', '.join('(' + ', '.join(row) + ')' for row in rows)};"
            for rows in self.inserts)])

    def smaller(self):
        """Tables with fewer inserts, fewer rows, fewer columns."""
        for position in range(len(self.inserts)):
            yield replace(self, inserts=self.inserts[:position] + self.inserts[position + 1:])
        for position, rows in enumerate(self.inserts):
            size = len(rows) // 2
            while size:
                for start in range(0, len(rows), size):
                    left = rows[:start] + rows[start + size:]
                    if left:
                        yield replace(self, inserts=(*self.inserts[:position], left, *self.inserts[position + 1:]))
                size //= 2
                if len(rows) // max(size, 1) > 16:
                    break
        for position, column in enumerate(self.columns):
            if len(self.columns) > 1 and column.name not in self.order_by:
                yield replace(self, columns=self.columns[:position] + self.columns[position + 1:], inserts=tuple(
                    tuple(row[:position] + row[position + 1:] for row in rows) for rows in self.inserts))


@dataclass(frozen=True)
class Schema:
    """Tables; where Caldera keeps their rows, a name in tests.layouts.LAYOUTS, or "delta"; what makes the columns' types."""
    tables: tuple
    layout: str = "delta"
    types: str = DEFINITIONS

    @property
    def row_count(self):
        return sum(table.row_count for table in self.tables)

    def sql(self):
        """The script that makes the types and tables."""
        return "\n".join([*filter(None, [self.types]), *(table.sql() for table in self.tables)])

    def smaller(self):
        """Schemas in simpler layouts, without types of their own, of fewer or smaller tables."""
        if self.types:
            yield replace(self, types="")
        if self.layout != "delta":
            yield from (replace(self, layout=layout) for layout in ("delta", "parts") if layout != self.layout)
        for position in range(len(self.tables) if len(self.tables) > 1 else 0):
            yield replace(self, tables=self.tables[:position] + self.tables[position + 1:])
        for position, table in enumerate(self.tables):
            for less in table.smaller():
                yield replace(self, tables=(*self.tables[:position], less, *self.tables[position + 1:]))


def random_schema(random, rows_max=None):
    """One table of many rows and wild values, or several small ones whose values meet."""
    layout = random.choice(("delta", *LAYOUTS))
    if random.random() < 0.2:
        return Schema((wide_table(random, rows_max),), layout)
    pools = {type: Pool(random, type, type in WILD_IN_SMALL and random.random() < 0.15, small=True) for type in TYPES}
    count = random.choice((2, 3, 3, 4, 5))
    return Schema(tuple(small_table(random, f"t{number}", pools, rows_max) for number in range(1, count + 1)), layout)


def small_table(random, name, pools, rows_max):
    """A table of a number `id`, which is unique in it, and up to six columns of the common pools; some tables are empty."""
    types = ["int4", *(random.choice(random.choice((TYPES, USUAL_TYPES))) for _ in range(random.randint(1, 6)))]
    columns = tuple(Column("id" if number == 0 else f"{type[0]}{number}", type, values=tuple(pools[type].values[:12]))
                    for number, type in enumerate(types))
    required = frozenset(column.name for number, column in enumerate(columns) if number == 0 or random.random() < 0.2)
    counts = [random.choice((1, 3, 5, 8, 13, 20)) for _ in range(random.choice((0, 1, 1, 1, 1, 2, 2, 2, 3)))]
    inserts, first, step = [], random.choice((0, 1, 1, -5)), random.choice((1, 1, 2))
    for count in counts:
        count = min(count, rows_max or count)
        parts = [[literal(str(first + step * at)) for at in range(count)]]
        parts += [pools[column.type].part(random, count, column.name in required) for column in columns[1:]]
        inserts.append(tuple(zip(*parts)))
        first += step * count
    order_by = ", ".join(column.name for column in random.sample(columns, min(len(columns), random.choice((0, 0, 1, 2)))))
    return Table(name, columns, order_by, tuple(inserts), required)


def wide_table(random, rows_max=None):
    """A Table of one to twelve columns and none to some thousand rows."""
    types = [random.choice(TYPES) for _ in range(random.randint(1, 12))]
    wild = [random.random() < 0.4 for _ in types]
    columns = tuple(Column(f"{type[0]}{number}", type, not (is_wild and type.startswith("float")))
                    for number, (type, is_wild) in enumerate(zip(types, wild)))
    pools = [Pool(random, type, is_wild) for type, is_wild in zip(types, wild)]
    order_by = ", ".join(column.name for column in random.sample(columns, min(len(columns), random.choice((0, 0, 1, 2)))))
    counts = [random.choice((1, 1, 2, 3, 7, 20, 64, 100, 250, 1023, 1024, 1025, 3000, 8193))
              for _ in range(random.choice((0, 1, 1, 2, 2, 3, 6)))]
    if rows_max is not None:
        counts = [min(count, rows_max) for count in counts]
    inserts = tuple(tuple(zip(*(pool.part(random, count) for pool in pools))) for count in counts)
    return Table("t", columns, order_by, inserts)


class Pool:
    """Where one column's values come from: a domain of the type, shared by all parts so that values meet again."""

    def __init__(self, random, type, wild, small=False):
        self.type, self.wild = type, wild
        size = random.choice((1, 2, 5, 12, 30) if small else (1, 2, 5, 30, 300, 2000))
        made = [literal(str(random.randrange(-3, 25)) if small and type in LIMITS else value(random, type))
                for _ in range(size)]
        if wild and type in EXTREMES:
            made += [literal(text) for text in EXTREMES[type]]
        self.values = sorted({text: None for text in made})
        self.null_share = random.choice((0, 0, 0, 0.1, 0.5, 1))

    def part(self, random, count, required=False):
        """`count` literals: one of several characters. required: none of them NULL."""
        character = random.choice(("any", "any", "few", "sorted", "constant", "runs", "nulls"))
        values, null_share = self.values, 0 if required else random.choice((0, self.null_share))
        if character == "few":
            values = random.sample(values, min(len(values), 3))
        if character == "constant":
            values = [random.choice(values)]
        if character == "nulls" and random.random() < 0.5 and not required:
            return ["NULL"] * count
        if character == "runs":
            made = [text for _ in range(count // 8 + 1) for text in [random.choice(values)] * 8][:count]
        else:
            made = [random.choice(values) for _ in range(count)]
        if character == "sorted":
            made.sort()
        return ["NULL" if null_share and random.random() < null_share else text for text in made]


def literal(text):
    return "'" + text.replace("'", "''") + "'"


def value(random, type):
    """A value as text; sums of floats over these are exact."""
    if type in LIMITS:
        bits = random.choice((1, 3, 7, 8, 12, 15, 20, 31, 40))
        number = random.randrange(-(1 << bits), 1 << bits) if random.random() < 0.5 else random.randrange(1 << bits)
        return str(number % LIMITS[type])
    if type.startswith("float"):
        return str(random.randrange(-400, 400) / 4)
    if type == "numeric":                                               # equal numbers must look the same
        number = decimal.Decimal(random.randrange(-10 ** random.choice((2, 6, 17, 18, 19, 30)), 10 ** 19))
        text = format(number.scaleb(-random.choice((0, 1, 2, 5, 20))), "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    if type == "numeric(10,2)":
        return f"{random.randrange(-10 ** 6, 10 ** 7) / 100:.2f}"
    if type in ("text", "varchar(12)", "char(5)"):
        text = random.choice(WORDS) if random.random() < 0.7 else random.choice(WORDS)[:20] + str(random.randrange(3000))
        if type == "char(5)":
            return text[:5].rstrip()
        return text[:12] if type != "text" else text
    return structured(random, type)


def structured(random, type):
    """The types that are written in several fields."""
    if type in COMPOSED:
        return COMPOSED[type](random, WORDS)
    if type == "bool":
        return random.choice("tf")
    if type == "int4[]":
        return "{" + ",".join(random.choice(("1", "2", "3", "7", "NULL"))
                              for _ in range(random.choice((0, 1, 2, 3, 5)))) + "}"
    if type == "text[]":
        return "{" + ",".join(random.choice(("a", "b", "abc", '""', "NULL", "prefix-0001 ä"))
                              for _ in range(random.choice((0, 1, 2, 4)))) + "}"
    if type == "jsonb":
        return random.choice(DOCUMENTS).replace("0", str(random.randrange(4)))
    if type == "bytea":
        return "\\x" + random.randbytes(random.choice((0, 1, 2, 12, 13, 40))).hex()
    if type == "uuid":
        return f"{random.choice((0, 0x7fffffff, 0x80000000, 0xffffffff)):08x}-0000-4000-8000-{random.randrange(5000):012x}"
    if type == "time":
        clock = f"{random.randrange(24):02d}:{random.choice((0, 30)):02d}:{random.choice((0, 0, 1, 59)):02d}"
        return clock + random.choice(("", ".25"))
    if type == "interval":
        days, seconds = random.randrange(-20, 25), random.randrange(-80000, 80000)
        return f"{days} days {seconds} seconds" if random.random() < 0.7 else f"{random.randrange(-30, 30)} mons"
    day = datetime.date(2013, 7, 1) + datetime.timedelta(random.randrange(random.choice((1, 40, 4000))))
    if type == "date":
        return day.isoformat()
    moment = f"{day} {random.randrange(24):02d}:{random.choice((0, 15)):02d}:{random.choice((0, 7)):02d}"
    moment += random.choice(("", ".125"))
    return moment if type == "timestamp" else moment + random.choice(("+00", "+02"))
