"""Random SQL expressions over given columns, made of tests.fuzz.templates."""
from tests.fuzz.tables import LIMITS, literal, value
from tests.fuzz.templates import (BASE, CANONICAL, COMPARISONS, FALLIBLE, GUARDED, HOLE, OPERATORS, ORDERED, PATTERNS,
                                  RANGES, SUMMABLE, TEMPLATES, TEXT_COMPARISONS)


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
    type)`, `exists(writer)` and `members(writer, type)`; None for none. careless: how often an operand is of another type
    than is asked for, or a constant of none.
    """

    def __init__(self, random, columns, outer=(), subqueries=None, careless=0.0):
        self.random, self.columns, self.outer, self.subqueries = random, columns, outer, subqueries
        self.careless = careless
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
        if self.random.random() < self.careless:
            return literal(value(self.random, type))
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
            if self.random.random() < self.careless:
                other = self.some_type()
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

    def relations(self):
        """The names of the relations that columns are of."""
        return sorted({column.name.split(".")[0] for column in self.columns if "." in column.name})

    def record(self):
        """A whole row of a relation, or some columns as a row."""
        relations = self.relations()
        if relations and self.random.random() < 0.5:
            return self.random.choice(relations)
        return f"ROW({', '.join(self.leaf(self.some_type()) for _ in range(self.random.randint(1, 3)))})"

    def condition_on_records(self):
        """A condition on whole rows or on rows of columns."""
        types = [self.some_type() for _ in range(self.random.randint(2, 3))]
        a, b = (f"ROW({', '.join(map(self.leaf, types))})" for _ in range(2))
        record, operator = self.record(), self.random.choice((*OPERATORS, "IS DISTINCT FROM", "IS NOT DISTINCT FROM"))
        return self.random.choice((f"({record} IS NULL)", f"({record} IS NOT NULL)", f"(({record})::text LIKE '%1%')",
                                   f"({a} {operator} {b})", f"({a} IN ({b}, {a}))", f"(({record} IS NULL) = ({a} = {b}))"))

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
        if self.random.random() < 0.1:
            return HOLE.sub(lambda hole: self.leaf(hole.group(1)), self.random.choice(TEMPLATES["bool"]))
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
        if kind < 0.35:
            return f"count({self.record()})"
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
        """All values as one array, document, or set of ranges."""
        form = self.random.random()
        if form < 0.25:
            return f"{self.random.choice(('range_agg', 'range_intersect_agg'))}({self.leaf(self.random.choice(RANGES))})"
        if form < 0.4:
            x, y = self.leaf("int4"), self.leaf("text")
            return self.random.choice((f"JSON_OBJECTAGG(coalesce({x}, 0): coalesce({x}, 0) RETURNING jsonb)",
                                       f"JSON_ARRAYAGG({y} ORDER BY {y} DESC NULL ON NULL RETURNING jsonb)",
                                       f"JSON_ARRAYAGG({x} ORDER BY {x} RETURNING text)"))
        value = self.expression(self.random.choice(("int4", "text", "date", "bool", "mood", "pair", "int4range")), 1)
        distinct = "DISTINCT " * (self.random.random() < 0.3)
        return f"{self.random.choice(('array_agg', 'jsonb_agg'))}({distinct}{value} ORDER BY {value}" \
               f"{self.random.choice((' DESC', '', ' NULLS FIRST'))})"

    def ordered(self):
        type = self.random.choice(("int4", "float8", "date", "text", "int8", "mood", "int4range", "numeric(10,2)"))
        number = self.leaf(self.random.choice(("int4", "int2")))
        return self.random.choice((f"mode() WITHIN GROUP (ORDER BY {self.leaf(type)})",
                                   f"percentile_disc(0.5) WITHIN GROUP (ORDER BY {self.leaf(type)})",
                                   f"percentile_cont(ARRAY[0, 0.25, NULL]) WITHIN GROUP (ORDER BY {number})",
                                   f"percentile_cont({self.random.choice(('0.3', '1', 'NULL', '0.5 + 0.25'))}) WITHIN GROUP "
                                   f"(ORDER BY {self.leaf(self.random.choice(('int4', 'interval', 'int8')))} DESC)",
                                   f"percentile_disc(ARRAY[0.1, 1]) WITHIN GROUP (ORDER BY {number})",
                                   f"rank(3, 'a') WITHIN GROUP (ORDER BY {number}, {self.leaf('text')} DESC)",
                                   f"{self.random.choice(('dense_rank', 'cume_dist', 'percent_rank'))}(3) "
                                   f"WITHIN GROUP (ORDER BY {number})",
                                   f"percentile_disc(0.9) WITHIN GROUP (ORDER BY {self.leaf(type)} DESC)"))
