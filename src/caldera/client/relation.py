"""Relation: the answer to `connection.sql(...)`, a table in memory that shows itself and becomes what the program needs."""
import shutil

from caldera.client.rows import Rows
from caldera.client.text_width import cut, one_line, padded, width

SHOWN_ROWS, NARROW = 20, 12


class Relation:
    """Rows that a statement gave. They are computed; the Relation does not change and needs its connection no more.

    Iterating gives all rows as tuples of Python objects; `fetchone`, `fetchmany` and `fetchall` go on from where the last
    fetch ended. A statement without rows (CREATE TABLE, say) gives a Relation without columns.
    """

    def __init__(self, result, session):
        self.rows, self.position = Rows(result, session), 0

    @property
    def columns(self):
        """The names of the columns."""
        return list(self.rows.result.names)

    @property
    def types(self):
        """The columns' types as SQL spells them: "integer", "numeric(10,2)"."""
        return [type.spell(modifier) for type, modifier in self.rows.result.types]

    @property
    def description(self):
        """The columns as DB-API describes them."""
        return self.rows.description

    @property
    def tag(self):
        """What the statement did, as PostgreSQL says it: "SELECT 3", "CREATE TABLE"."""
        return self.rows.result.tag

    def __len__(self):
        return len(self.rows)

    def __bool__(self):
        return True                     # also without rows: `if relation` asks for something else

    def __iter__(self):
        return iter(self.rows)

    # DB-API's ways to fetch
    def fetchmany(self, size=1):
        """The next rows, at most `size`, as a list of tuples."""
        first, self.position = self.position, min(self.position + size, len(self))
        return self.rows.objects(first, self.position) if self.position > first else []

    def fetchone(self):
        """The next row as a tuple, or None."""
        return next(iter(self.fetchmany(1)), None)

    def fetchall(self):
        """All rows that are left, as a list of tuples."""
        return self.fetchmany(len(self))

    # other shapes
    def arrow(self):
        """A pyarrow.Table."""
        import pyarrow

        from caldera.types.columns import to_arrow
        result = self.rows.result
        arrays = [to_arrow(type, modifier, data.values, data.valid)
                  for (type, modifier), data in zip(result.types, result.columns or ())]
        return pyarrow.Table.from_arrays(arrays, names=list(result.names))

    def __arrow_c_stream__(self, requested_schema=None):
        """Arrow's own protocol: what reads Arrow streams, Caldera among them, reads Relations."""
        return self.arrow().__arrow_c_stream__(requested_schema)

    def df(self):
        """A pandas.DataFrame. Intervals become timedeltas, a month taken for 30 days and 12 months for 365."""
        return self.for_frames().to_pandas()

    def pl(self):
        """A polars.DataFrame. Names that occur more than once are numbered, since polars wants them distinct; intervals
        become durations as in `df`, UUIDs texts."""
        import polars
        import pyarrow
        table = self.for_frames()
        for number, (type, _) in enumerate(self.rows.result.types):
            if type.name == "uuid":
                texts = self.rows.texts(0, len(self))[number]
                table = table.set_column(number, type.name, pyarrow.array(texts, pyarrow.string()))
        return polars.from_arrow(table.rename_columns(distinct(self.columns)))

    def for_frames(self):
        """The Arrow table with intervals as durations, for data frames know no other."""
        table = self.arrow()
        for number, (type, _) in enumerate(self.rows.result.types):
            if type.name == "interval":
                table = table.set_column(number, table.field(number).name, durations(self.rows.result.columns[number]))
        return table

    # for people
    def show(self, max_rows=SHOWN_ROWS, max_width=None):
        """Print the first rows as a table, a plan as it is. max_width: characters of the whole table; the terminal's by
        default."""
        print(self.drawn(max_rows, max_width))

    def __repr__(self):
        return self.drawn(SHOWN_ROWS)

    def drawn(self, max_rows, max_width=None):
        """The table as text, cut to fit."""
        if not self.rows.has_rows:
            return self.tag
        if self.tag == "EXPLAIN":
            return "\n".join(line for column in self.rows.texts(0, len(self)) for line in column)
        shown, count = min(max_rows, len(self)), len(self)
        texts = [[name, type.name] + ["NULL" if text is None else one_line(text) for text in column]
                 for name, (type, _), column in zip(self.columns, self.rows.result.types, self.rows.texts(0, shown))]
        rights = [type.category == "N" for type, _ in self.rows.result.types]
        table = boxed(texts, rights, max_width or shutil.get_terminal_size((100, 24)).columns)
        left_out = f", the first {shown:,} shown" if shown < count else ""
        return f"{table}\n{count:,} row{'' if count == 1 else 's'}{left_out}"


def boxed(columns, rights, max_width):
    """Columns of texts (name, type, values) in a box at most so wide: long values are cut, columns from the middle left out.
    rights: whether each stands to the right."""
    widths = [min(max(max_width, NARROW), max(map(width, texts))) for texts in columns]
    while sum(widths) + 3 * len(widths) + 1 > max_width and max(widths, default=0) > NARROW:
        widest = max(widths)
        widths = [min(each, max(NARROW, widest - 1)) for each in widths]
    columns, rights = list(columns), list(rights)
    middle = len(columns) // 2
    if sum(widths) + 3 * len(widths) + 1 > max_width:
        columns[middle], rights[middle], widths[middle] = ["…"] * len(columns[0]), False, 1
        while sum(widths) + 3 * len(widths) + 1 > max_width and len(columns) > 2:
            at = middle + 1 if middle + 1 < len(columns) and len(columns) - middle > middle else middle - 1
            middle -= at < middle
            del columns[at], rights[at], widths[at]
    cells = [[padded(cut(text, wide), wide, right) for text in texts] for texts, wide, right in zip(columns, widths, rights)]
    lines = ["│ " + " │ ".join(row) + " │" for row in zip(*cells)]
    rules = ["─" * (wide + 2) for wide in widths]
    return "\n".join(["╭" + "┬".join(rules) + "╮", *lines[:2], "├" + "┼".join(rules) + "┤", *lines[2:],
                      "╰" + "┴".join(rules) + "╯"])


def durations(data):
    """A column of intervals as an Arrow array of durations."""
    import numpy
    import pyarrow
    months, days = data.values[:, 1] >> 32, data.values[:, 1].astype(numpy.int32).astype(numpy.int64)
    years, rest = numpy.abs(months) // 12, numpy.abs(months) % 12
    days += numpy.sign(months) * (365 * years + 30 * rest)
    missing = None if data.valid is None else data.valid == 0
    ends = numpy.iinfo(numpy.int64)
    infinite = (data.values[:, 0] == ends.max) | (data.values[:, 0] == ends.min)
    microseconds = numpy.where(infinite, data.values[:, 0], data.values[:, 0] + days * 86_400_000_000)
    return pyarrow.array(microseconds, pyarrow.int64(), mask=missing).cast(pyarrow.duration("us"))


def distinct(names):
    """The names, those that occur again with a number: x, x_1."""
    found = []
    for name in names:
        number, wanted = 0, name
        while wanted in found:
            number += 1
            wanted = f"{name}_{number}"
        found.append(wanted)
    return found
