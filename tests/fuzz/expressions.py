"""Random SQL expressions over given columns.

Templates by result type: "{0:int4} + {1:int4}" stands for an expression with operands of those types. Those under GUARDED
may fail for their operands; they are written as CASE WHEN <it cannot fail> THEN ... END.
"""
import re

from tests.fuzz.tables import LIMITS, literal, value

HOLE = re.compile(r"\{(\w+(?:\(\d+(?:,\d+)?\))?(?:\[\])?)\}")
NUMBERS = ("int2", "int4", "int8", "float4", "float8", "numeric", "numeric(10,2)")
TEXTS = ("text", "varchar(12)", "char(5)")
SUMMABLE = ("int2", "int4", "int8", "float4", "float8", "numeric", "numeric(10,2)", "interval")
ORDERED = NUMBERS + TEXTS + ("bytea", "date", "time", "timestamp", "timestamptz", "interval", "int4[]")    # with min and max
BASE = {"numeric(10,2)": "numeric", "varchar(12)": "text"}
TEMPLATES = {
    "bool": ("({int4} % 2 = 0)", "(NOT {bool})", "coalesce({bool}, false)", "({text} LIKE 'a%')", "({text} LIKE '%b%')",
             "({text} IS NULL)", "({int4} = ANY ({int4[]}))", "({int4[]} @> {int4[]})", "({text[]} && {text[]})",
             "({jsonb} @> {jsonb})", "({jsonb} ? 'a')", "({int4} <> ALL ({int4[]}))", "({text} LIKE ANY ({text[]}))",
             "({int4} BETWEEN SYMMETRIC {int4} AND {int4})", "(({int4}, {text}) < ({int4}, {text}))",
             "(({int4}, {date}) = ({int4}, {date}))", "(({int4}, {text}) IN (({int4}, {text}), ({int4}, 'a')))"),
    "int2": ("({int2} & {int2})", "({int2} # 5::int2)", "({int2} >> 3)"),
    "int4": ("length({text})", "octet_length({text})", "({int4} & {int4})", "({int4} % 7)", "({int4} / 3)",
             "position('b' in {text})", "{bool}::int4", "({date} - DATE '2013-07-01')", "({int2} + 7)", "ascii({text})",
             "octet_length({bytea})", "length({char(5)})", "({int4[]})[1]", "cardinality({int4[]})",
             "array_length({text[]}, 1)", "array_position({int4[]}, {int4})", "({int4[]})[{int2}]",
             "num_nulls({int4}, {text})"),
    "int8": ("({int4} + {int4}::int8)", "({int8} % 1000)", "({int8} / 2)", "{int4}::int8", "({int4} * {int2}::int8)",
             "({int8} & 255)"),
    "float4": ("({float4} * 2)", "{int2}::float4", "(- {float4})"),
    "float8": ("({float8} / 2)", "{int4}::float8", "abs({float8})", "floor({float8})", "{float4}::float8",
               "extract(epoch from {time})::float8"),
    "numeric": ("({numeric} + 1)", "({numeric} * {int4})", "round({numeric}, 1)", "trunc({numeric})", "{int8}::numeric",
                "({int4} / 7.0)", "abs({numeric})", "extract(year from {date})", "({numeric(10,2)} * {numeric(10,2)})",
                "extract(second from {timestamp})"),
    "numeric(10,2)": (),
    "text": ("upper({text})", "lower({text})", "substr({text}, 2, 3)", "left({text}, 2)", "right({text}, 2)",
             "({text} || {text})", "replace({text}, 'a', 'bb')", "trim({text})", "{int4}::text", "reverse({text})",
             "{date}::text", "{numeric}::text", "{bool}::text", "{uuid}::text", "{interval}::text", "{timestamp}::text",
             "concat({text}, '-', {int4})", "regexp_replace({text}, '^https?://(?:www\\.)?([^/]+)/.*$', '\\1')",
             "{bytea}::text", "split_part({text}, '/', 3)", "lpad({text}, 6, '*')", "{char(5)}::text",
             "translate({text}, 'ab', 'b')", "repeat({text}, 2)", "({text[]})[2]", "array_to_string({text[]}, ',', '-')",
             "({int4[]})::text", "({jsonb} ->> 'a')", "({jsonb} #>> ARRAY['a', 'b'])", "({jsonb})::text",
             "jsonb_typeof({jsonb})", "initcap({text})", "overlay({text} placing 'x' from 2)", "md5({text})"),
    "varchar(12)": ("{text}::varchar(12)",), "char(5)": ("left({text}, 5)::char(5)",),
    "bytea": ("({bytea} || {bytea})", "convert_to({text}, 'UTF8')"),
    "date": ("{timestamp}::date",), "time": ("{timestamp}::time",),
    "timestamp": ("date_trunc('hour', {timestamp})", "date_trunc('month', {timestamp})", "{date}::timestamp"),
    "timestamptz": ("date_trunc('day', {timestamptz})", "{timestamp}::timestamptz"),
    "interval": ("({timestamp} - TIMESTAMP '2013-07-15')", "(- {interval})", "{time}::interval"),
    "uuid": (),
    "int4[]": ("({int4[]} || {int4[]})", "array_append({int4[]}, {int4})", "array_remove({int4[]}, {int4})",
               "ARRAY[{int4}, {int4}]", "array_prepend({int4}, {int4[]})", "({int4[]})[2:3]",
               "array_replace({int4[]}, {int4}, 7)"),
    "text[]": ("string_to_array({text}, 'b')", "({text[]} || {text[]})", "ARRAY[{text}, NULL, {text}]",
               "array_append({text[]}, {text})"),
    "jsonb": ("to_jsonb({int4})", "jsonb_build_object('a', {int4}, 'b', {text})",
              "jsonb_build_array({text}, {bool}, {date})", "({jsonb} -> 'a')", "({jsonb} -> 0)", "to_jsonb({int4[]})",
              "jsonb_strip_nulls({jsonb})"),
}
FALLIBLE = {                                                            # may fail; where rows fail, both engines must
    "int2": ("({int2} + {int2})", "({int2} * {int2})", "{int4}::int2"),
    "int4": ("({int4} + {int4})", "({int4} * {int4})", "({int4} - {int4})", "{int8}::int4", "{text}::int4"),
    "int8": ("({int8} + {int8})", "({int8} * {int8})", "({int8} / {int4})", "{float8}::int8", "{numeric}::int8"),
    "float8": ("({float8} / {float8})", "sqrt({float8})", "ln({float8})", "({float8} * {float8})"),
    "numeric": ("({numeric} / {numeric})", "({int4} / {numeric})"),
    "date": ("({date} + {int4})", "{text}::date"), "text": ("substr({text}, 1, {int4})", "chr({int4})"),
    "timestamp": ("({timestamp} + {interval})", "({date} + {time})"), "interval": ("({interval} + {interval})",),
}
GUARDED = {
    "int4": ("CASE WHEN {0} <> 0 THEN {1} / {0} END", "int4", "int2"),
    "int8": ("CASE WHEN {0} > 0 AND {0} < 1000 THEN {1} % {0} ELSE {1} END", "int8", "int8"),
    "float8": ("CASE WHEN {0} > 0 THEN sqrt({0}) END", "float8", "float8"),
    "text": ("CASE WHEN {0} > 0 THEN left({1}, {0}) ELSE {1} END", "int2", "text"),
    "date": ("CASE WHEN {1} > DATE '2000-01-01' AND {1} < DATE '2100-01-01' THEN {1} + {0}::int4 END", "int2", "date"),
    "numeric": ("CASE WHEN {0} <> 0 THEN round({1} / {0}, 3) END", "int4", "int2"),
}
COMPARISONS = ("{a} {op} {b}", "{a} {op} {b}", "{a} IS NULL", "{a} IS NOT NULL", "{a} IS DISTINCT FROM {b}",
               "{a} BETWEEN {b} AND {c}", "{a} NOT BETWEEN {b} AND {c}", "{a} IN ({b}, {c})", "{a} NOT IN ({b}, {c})",
               "{a} IN ({b}, {c}, NULL)", "{b} {op} {a}", "{a} {op} ANY (ARRAY[{b}, {c}])",
               "{a} <> ALL (ARRAY[{b}, {c}, NULL])")
TEXT_COMPARISONS = ("{a} LIKE '{pattern}'", "{a} NOT LIKE '{pattern}'", "{a} ILIKE '{pattern}'", "{a} ~ 'a.*b'",
                    "starts_with({a}, {b})", "{a} ~* '^(A|prefix)'")
OPERATORS = ("=", "<>", "<", "<=", ">", ">=")
CANONICAL = ("bool", "int2", "int4", "int8", "text", "text", "date", "timestamp", "bytea", "time", "int4[]", "jsonb")
PATTERNS = ("a%", "%b%", "_b_", "%", "", "abc", "%example%", "http%//%.com/%", "%ä%", "a\\%b", "prefix-000_", "%long%long%")


def names_by_type(columns):
    """{type: names of the columns that have it, or a type that stands for it}."""
    found = {}
    for column in columns:
        for type in {column.type, BASE.get(column.type, column.type)}:
            found.setdefault(type, []).append(column.name)
    return found


class Writer:
    """Writes expressions over columns (tests.fuzz.tables.Column).

    outer: columns of the queries around, to correlate with. subqueries: what writes them, an object with `scalar(writer,
    type)`, `exists(writer)` and `members(writer, type)`; None for none.
    """

    def __init__(self, random, columns, outer=(), subqueries=None):
        self.random, self.columns, self.outer, self.subqueries = random, columns, outer, subqueries
        self.by_type, self.outer_by_type = names_by_type(columns), names_by_type(outer)
        self.values = {column.type: column.values for column in (*outer, *columns) if column.values}

    def inner(self):
        """A Writer over the same columns alone: for arguments of aggregates, which must not belong to a query around. Its
        subqueries, if it has some, may use the same columns."""
        return Writer(self.random, self.columns, (), self.subqueries if self.random.random() < 0.2 else None)

    def leaf(self, type):
        """A column of the type if there is one, mostly; else a constant, or a subquery."""
        if type in self.outer_by_type and self.random.random() < (0.25 if type in self.by_type else 0.6):
            return self.random.choice(self.outer_by_type[type])
        if self.subqueries is not None and self.random.random() < 0.05:
            return self.subqueries.scalar(self, type)
        if type in self.by_type and self.random.random() < 0.85:
            return self.random.choice(self.by_type[type])
        if self.random.random() < 0.08:
            return f"NULL::{type}"
        return self.constant(type)

    def constant(self, type):
        """A value that some column may have, mostly; else any."""
        if type in self.values and self.random.random() < 0.7:
            return f"{self.random.choice(self.values[type])}::{type}"
        if type in LIMITS and self.random.random() < 0.7:
            return f"({self.random.choice((0, 1, 2, 3, 7, 10, 100, -1))})::{type}"
        return f"{literal(value(self.random, type))}::{type}"

    def expression(self, type, depth, fallible=False):
        """An expression of the type, at most `depth` levels deep."""
        if depth <= 0:
            return self.leaf(type)
        dice = self.random.random()

        def operand(other=type):
            return self.expression(other, depth - 1 if self.random.random() < 0.5 else 0, fallible)
        if dice < 0.12:
            return f"coalesce({operand()}, {operand()})"
        if dice < 0.2:
            return f"nullif({operand()}, {operand()})"
        if dice < 0.33:
            return f"CASE WHEN {self.predicate(depth - 1)} THEN {operand()} ELSE {operand()} END"
        if dice < 0.4:
            return f"CASE {self.leaf('int4')} WHEN 1 THEN {operand()} WHEN 7 THEN {operand()} END"
        if dice < 0.46 and type != "bool":
            return f"{self.random.choice(('greatest', 'least'))}({operand()}, {operand()})"
        if dice < 0.55 and type in GUARDED:
            text, first, second = GUARDED[type]
            return text.format(self.leaf(first), self.leaf(second))
        templates = TEMPLATES[type] + (FALLIBLE.get(type, ()) if fallible else ())
        if type == "bool" and dice < 0.8 or not templates:
            return self.predicate(depth - 1) if type == "bool" else self.leaf(type)
        return HOLE.sub(lambda hole: operand(hole.group(1)), self.random.choice(templates))

    def some_type(self):
        """A type, of a column if possible."""
        if self.columns and self.random.random() < 0.85:
            return self.random.choice(self.columns).type
        return self.random.choice(tuple(TEMPLATES))

    def any_expression(self, depth):
        return self.expression(self.some_type(), depth, self.random.random() < 0.08)

    def key(self):
        """What one may group or order by: equal values look the same."""
        return self.typed_key()[0]

    def typed_key(self):
        """(what one may group by, its type)."""
        dice, columns = self.random.random(), [column for column in self.columns if column.canonical]
        if dice < 0.65 and columns:
            column = self.random.choice(columns)
            return column.name, column.type
        if dice < 0.7:
            return self.random.choice(("(NOT {bool})", "({bool} = true)")).format(bool=self.predicate(0)), "bool"
        type = self.random.choice(CANONICAL)
        return "(" + self.expression(type, self.random.randint(1, 2)) + ")", type

    def key_of(self, type):
        """The same of a given type."""
        columns = [column.name for column in self.columns if column.type == type and column.canonical]
        if columns and self.random.random() < 0.7:
            return self.random.choice(columns)
        return self.expression(type, 1) if type in CANONICAL and self.random.random() < 0.6 else self.constant(type)

    def predicate(self, depth):
        """A condition that cannot fail."""
        if depth > 0 and self.random.random() < 0.5:
            left, right = self.predicate(depth - 1), self.predicate(depth - 1)
            forms = ("({0} AND {1})", "({0} OR {1})", "(NOT {0})", "({0} OR NOT {1})",
                     "({0} IS NOT TRUE)", "({0} IS UNKNOWN)")
            return self.random.choice(forms[:4 if " IS " in left or "NOT" in left else 6]).format(left, right)
        type = self.some_type()
        a = self.expression(type, depth) if type != "bool" and self.random.random() < 0.4 else self.leaf(type)
        b, c = (self.constant(type) if self.random.random() < 0.7 else self.leaf(type) for _ in range(2))
        if self.subqueries is not None and self.random.random() < 0.2:
            return self.membership(type, a, operator=self.random.choice(OPERATORS))
        if self.random.random() < 0.1 and "int4" in self.by_type:
            x, y = self.leaf("int4"), self.leaf("int2")
            return f"({x} <> 0 AND {y} / {x} > 1)"
        choices = COMPARISONS + TEXT_COMPARISONS if type in ("text", "varchar(12)") else \
            [form for form in COMPARISONS if "ARRAY" not in form] if type.endswith("[]") else COMPARISONS
        operator, pattern = self.random.choice(OPERATORS), self.random.choice(PATTERNS)
        return "(" + self.random.choice(choices).format(a=a, b=b, c=c, op=operator, pattern=pattern) + ")"

    def membership(self, type, value, operator):
        """EXISTS, IN, ANY, ALL, or a comparison with a subquery's value."""
        form = self.random.choice(("EXISTS {exists}", "NOT EXISTS {exists}", "{value} IN {members}",
                                   "{value} NOT IN {members}", "{value} {operator} ANY {members}",
                                   "{value} {operator} ALL {members}", "{value} {operator} {scalar}"))
        made = {}
        if "exists" in form:
            made["exists"] = self.subqueries.exists(self)
        if "members" in form:
            made["members"] = self.subqueries.members(self, type)
        if "scalar" in form:
            made["scalar"] = self.subqueries.scalar(self, type)
        return "(" + form.format(value=value, operator=operator, **made) + ")"

    def aggregate(self):
        """A call of an aggregate, perhaps with DISTINCT, ORDER BY, FILTER."""
        text = self.random.choice((self.count, self.count, self.sum, self.sum, self.extreme, self.extreme, self.logic,
                                   self.text, self.statistic, self.ordered, self.collected))()
        if self.random.random() < 0.25:
            text += f" FILTER (WHERE {self.predicate(1)})"
        return text if self.random.random() < 0.9 else f"coalesce({text}, NULL)"

    def having(self):
        """A condition on a group."""
        return self.random.choice((f"count(*) > {self.random.randint(0, 3)}",
                                   f"count({self.random.choice(self.columns).name}) < 3",
                                   f"{self.logic()} IS NOT NULL", f"min({self.leaf('int4')}) > 0", "false"))

    def count(self):
        kind = self.random.random()
        if kind < 0.3:
            return "count(*)"
        argument = self.key() if kind < 0.8 else self.any_expression(1)
        return f"count({'DISTINCT ' if self.random.random() < 0.5 else ''}{argument})"

    def sum(self):
        columns = [column for column in self.columns if column.type in SUMMABLE and column.exact]
        kinds = ("int2", "int4", "int8", "numeric")
        if columns and self.random.random() < 0.7:
            column = self.random.choice(columns)
            argument = column.name
            if column.type in ("int2", "int4") and self.random.random() < 0.3:
                argument += self.random.choice(("::int8 + 1", "::int8 * 1000", "::int8 - 3"))
            elif column.type in ("numeric", "float8") and self.random.random() < 0.3:
                argument += self.random.choice((" + 1", " * 2", " - 3"))
        else:
            argument = self.expression(self.random.choice(kinds), 1)
        return f"{self.random.choice(('sum', 'avg', 'sum'))}({'DISTINCT ' if self.random.random() < 0.15 else ''}{argument})"

    def extreme(self):
        columns = [column for column in self.columns if column.type in ORDERED]
        argument = self.random.choice(columns).name if columns and self.random.random() < 0.7 else \
            self.expression(self.random.choice(ORDERED), 1)
        return f"{self.random.choice(('min', 'max'))}({'DISTINCT ' if self.random.random() < 0.05 else ''}{argument})"

    def logic(self):
        if self.random.random() < 0.5:
            return f"{self.random.choice(('bool_and', 'bool_or', 'every'))}({self.predicate(0)})"
        argument = self.expression(self.random.choice(("int2", "int4", "int8")), 1)
        return f"{self.random.choice(('bit_and', 'bit_or', 'bit_xor'))}({argument})"

    def text(self):
        argument = self.expression("text", 1)
        if self.random.random() < 0.4:
            return f"string_agg(DISTINCT {argument}, ',' ORDER BY {argument})"
        return f"string_agg({argument}, ';' ORDER BY {argument}{self.random.choice((' DESC', '', ' NULLS FIRST'))})"

    def statistic(self):
        function = self.random.choice(("stddev", "var_pop", "variance", "stddev_pop"))
        return f"{function}({self.leaf(self.random.choice(('int2', 'int4', 'int8')))})"

    def collected(self):
        """All values as one array or document."""
        value = self.expression(self.random.choice(("int4", "text", "date", "bool")), 1)
        distinct = "DISTINCT " * (self.random.random() < 0.3)
        return f"{self.random.choice(('array_agg', 'jsonb_agg'))}({distinct}{value} ORDER BY {value}" \
               f"{self.random.choice((' DESC', '', ' NULLS FIRST'))})"

    def ordered(self):
        type = self.random.choice(("int4", "float8", "date", "text", "int8"))
        number = self.leaf(self.random.choice(("int4", "int2")))
        return self.random.choice((f"mode() WITHIN GROUP (ORDER BY {self.leaf(type)})",
                                   f"percentile_disc(0.5) WITHIN GROUP (ORDER BY {self.leaf(type)})",
                                   f"percentile_cont(ARRAY[0, 0.25, NULL]) WITHIN GROUP (ORDER BY {number})",
                                   f"percentile_disc(ARRAY[0.1, 1]) WITHIN GROUP (ORDER BY {number})",
                                   f"rank(3, 'a') WITHIN GROUP (ORDER BY {number}, {self.leaf('text')} DESC)",
                                   f"{self.random.choice(('dense_rank', 'cume_dist', 'percent_rank'))}(3) "
                                   f"WITHIN GROUP (ORDER BY {number})",
                                   f"percentile_disc(0.9) WITHIN GROUP (ORDER BY {self.leaf(type)} DESC)"))
