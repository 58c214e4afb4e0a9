"""Relation: the answer to `connection.sql(...)`, a table in memory that shows itself and becomes what the program needs."""
import shutil
from datetime import date

from caldera.client.rows import Rows
from caldera.client.text_width import cut, one_line, padded, width
from caldera.types.calendar import DAY, UNIX_EPOCH
from caldera.types.columns import to_arrow, to_text
from caldera.types.date import DATE

SHOWN_ROWS, NARROW = 20, 12
FINITE = -2**63 + 1, 2**63 - 2                  # microseconds: the ends of the range stand for the infinities
MOMENTS = FINITE[0], FINITE[1] + UNIX_EPOCH      # data frames count from 1970, which is before 2000
ENDS = {"timestamp": MOMENTS, "timestamptz": MOMENTS, "interval": FINITE, "time": (0, DAY - 1),
        "date": (DATE.from_python(date.min), DATE.from_python(date.max))}       # what data frames can hold


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
        rows, self.position = self.rows.next_objects(self.position, size)
        return rows

    def fetchone(self):
        """The next row as a tuple, or None."""
        return next(iter(self.fetchmany(1)), None)

    def fetchall(self):
        """All rows that are left, as a list of tuples."""
        return self.fetchmany(len(self))

    # other shapes
    def arrow(self):
        """A pyarrow.Table."""
        return self.arrow_table(to_arrow)

    def arrow_table(self, convert):
        """The Arrow table whose columns `convert` makes, as to_arrow does."""
        import pyarrow
        result = self.rows.result
        arrays = [convert(type, modifier, data.values, data.valid)
                  for (type, modifier), data in zip(result.types, result.columns or ())]
        return pyarrow.Table.from_arrays(arrays, names=list(result.names))

    def __arrow_c_stream__(self, requested_schema=None):
        """Arrow's own protocol: what reads Arrow streams, Caldera among them, reads Relations."""
        return self.arrow().__arrow_c_stream__(requested_schema)

    def df(self):
        """A pandas.DataFrame. Intervals become timedeltas, a month taken for 30 days and 12 months for 365; UUIDs, and
        columns with a value that pandas cannot hold (an infinite date, 24:00:00), texts."""
        return self.for_frames().to_pandas()

    def pl(self):
        """A polars.DataFrame, with columns as in `df`; numerics of more than 38 digits are texts, too. Names that occur
        more than once are numbered, since polars wants them distinct."""
        import polars
        return polars.from_arrow(self.for_frames(digits_max=38).rename_columns(distinct(self.columns)))

    def for_frames(self, digits_max=76):
        """The Arrow table with columns that data frames know: intervals as durations; UUIDs, and columns with a value that
        the frame's type cannot hold, as texts."""
        import pyarrow

        def convert(type, modifier, values, valid):
            if fits_frames(type, values, valid):
                array = durations(values, valid) if type.name == "interval" else to_arrow(type, modifier, values, valid)
                if not pyarrow.types.is_decimal(array.type) or array.type.precision <= digits_max:
                    return array
            return pyarrow.array(to_text(type, values, valid, self.rows.session), pyarrow.string())
        return self.arrow_table(convert)

    # for people
    def show(self, max_rows=SHOWN_ROWS, max_width=None):
        """Print the first rows as a table, a plan as it is. max_rows: None for all. max_width: characters of the whole
        table; the terminal's by default."""
        print(self.drawn(max_rows, max_width))

    def __repr__(self):
        return self.drawn(SHOWN_ROWS)

    def drawn(self, max_rows, max_width=None):
        """The table as text, cut to fit."""
        if not self.rows.has_rows:
            return self.tag
        if self.tag == "EXPLAIN":
            return "\n".join(line for column in self.rows.texts(0, len(self)) for line in column)
        count = len(self)
        shown = count if max_rows is None else min(max(max_rows, 0), count)
        texts = [[name, type.short_name] + ["NULL" if text is None else one_line(text) for text in column]
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


def fits_frames(type, values, valid):
    """Whether data frames can hold all values of a column of that type."""
    import numpy
    if type.name not in ENDS:
        return type.name != "uuid"
    low, high = ENDS[type.name]
    values = values[:, 0] if type.name == "interval" else values
    fits = (values >= low) & (values <= high)
    return bool(numpy.all(fits if valid is None else fits | (valid == 0)))


def durations(values, valid):
    """A column of intervals as an Arrow array of durations."""
    import numpy
    import pyarrow
    months, days = values[:, 1] >> 32, values[:, 1].astype(numpy.int32).astype(numpy.int64)
    years, rest = numpy.abs(months) // 12, numpy.abs(months) % 12
    days += numpy.sign(months) * (365 * years + 30 * rest)
    missing = None if valid is None else valid == 0
    microseconds = values[:, 0] + days * DAY
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
