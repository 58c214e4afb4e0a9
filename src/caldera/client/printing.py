"""Tables as text, in the forms that psql prints: aligned, expanded, unaligned, CSV.

    Table(names, rights, columns) ─ Style ─▶ lines

Columns are lists of texts, None for NULL. A value of several lines takes several lines of its row, with + where it goes on.
"""
from dataclasses import dataclass, field

from caldera.client.text_width import padded, width

WIDTH_MAX = 1 << 20


@dataclass
class Table:
    """What to print. rights: whether each column stands to the right, as numbers do. row_count: of the whole answer, which
    may be more than is printed."""
    names: list
    rights: list
    columns: list
    row_count: int
    title: str = ""
    footers: list = field(default_factory=list)


@dataclass
class Style:
    """How to print. expanded: "on", "off" or "auto" (where rows are wider than the screen); null: what stands for NULL."""
    format: str = "aligned"             # or "unaligned", "csv"
    expanded: str = "off"
    null: str = ""
    tuples_only: bool = False
    separator: str = "|"
    screen_width: int | None = None


def lines_of(table, style):
    """The lines of a printed table."""
    if style.format == "csv":
        return csv_lines(table, style)
    shown = [[style.null if text is None else text for text in column] for column in table.columns]
    if style.format == "unaligned":
        return unaligned_lines(table, shown, style)
    if style.expanded == "on":
        return expanded_lines(table, shown, style)
    cells, widths = measured(table, shown)
    too_wide = style.screen_width is not None and sum(widths) + 3 * len(widths) - 1 > style.screen_width
    if style.expanded == "auto" and too_wide and table.names:
        return expanded_lines(table, shown, style)
    return aligned_lines(table, cells, widths, style)


def counted(count):
    """(2 rows)"""
    return f"({count} row{'' if count == 1 else 's'})"


def footers(table, style):
    """What stands below a table."""
    if style.tuples_only:
        return [""]
    return [*(table.footers or [counted(table.row_count)]), ""]


# ------------------------------------------------------------------------------------------------ aligned

def split_lines(text):
    """The lines of a value; control characters are spelled out."""
    if text.isprintable():
        return [text]
    return ["".join(line_of(line)) for line in text.split("\n")]


def line_of(line):
    """The letters of a line as psql shows them: tabs lead to every eighth column, control characters are spelled out."""
    column = 0
    for letter in line:
        if not letter.isprintable():
            letter = " " * (8 - column % 8) if letter == "\t" else "\\r" if letter == "\r" else \
                f"\\x{ord(letter):02X}" if ord(letter) < 256 else letter
        column += width(letter)
        yield letter


def measured(table, shown):
    """(columns of cells, each a list of lines; the columns' widths)."""
    cells = [[split_lines(text) for text in column] for column in shown]
    names = [split_lines(name) for name in table.names]        # their widths count even where they are not shown
    widths = [max((width(line) for cell in [name, *column] for line in cell), default=0)
              for name, column in zip(names, cells)]
    return cells, widths


def aligned_lines(table, cells, widths, style):
    """The usual form: a line of names, a rule, the rows."""
    result = []
    if not style.tuples_only:
        inner = sum(widths) + 3 * len(widths) - 1
        if table.title:
            result.append(centered(table.title, max(inner, width(table.title))).rstrip() if width(table.title) < inner
                          else table.title)
        headers = [split_lines(name) for name in table.names]
        for number in range(max(map(len, headers), default=1)):
            result.append("|".join(f" {centered(line_at(lines, number), wide)}{'+' if number + 1 < len(lines) else ' '}"
                                   for lines, wide in zip(headers, widths)))
        result.append("+".join("-" * (wide + 2) for wide in widths) if widths else "--")
    last = len(widths) - 1
    for row in zip(*cells):
        for number in range(max(map(len, row))):
            parts = []
            for place, (lines, wide, right) in enumerate(zip(row, widths, table.rights)):
                text = line_at(lines, number)
                goes_on = number + 1 < len(lines)
                text = text if place == last and not right and not goes_on else padded(text, wide, right)
                parts.append(f" {text}{'+' if goes_on else ' ' if place < last else ''}")
            result.append("|".join(parts))
    return result + footers(table, style)


def line_at(lines, number):
    """A line of a cell; below its last one it is empty."""
    return lines[number] if number < len(lines) else ""


def centered(text, wide):
    """The text in the middle; the odd space stands on the right."""
    room = max(0, wide - width(text))
    return " " * (room // 2) + text + " " * (room - room // 2)


# ------------------------------------------------------------------------------------------------ expanded

def expanded_lines(table, shown, style):
    """A line for each value, a rule before each row."""
    if not any(shown) or not table.row_count:
        return [""] if style.tuples_only else [counted(0), ""]
    names = [split_lines(name) for name in table.names]
    name_width = max(width(line) for name in names for line in name)
    rows = [[split_lines(text) for text in row] for row in zip(*shown)]
    value_width = max((width(line) for row in rows for cell in row for line in cell), default=0)
    if style.screen_width is not None:
        value_width = max(1, min(value_width, style.screen_width - name_width - 3))
    result = [table.title] if table.title and not style.tuples_only else []
    rule = "-" * (name_width + 1) + "+" + "-" * (value_width + 1)
    for number, row in enumerate(rows, 1):
        record = f"-[ RECORD {number} ]"
        if not style.tuples_only:
            result.append(record + rule[len(record):])
        elif number > 1:
            result.append(rule)
        for name, cell in zip(names, row):
            for place in range(max(len(name), len(cell))):
                label, value = padded(line_at(name, place), name_width), line_at(cell, place)
                if place + 1 < len(cell):
                    value = padded(value, value_width) + "+"
                result.append(f"{label}{'+' if place + 1 < len(name) else ' '}|{' ' if place < len(cell) else ''}{value}")
    return [*result, *table.footers, ""]


# ------------------------------------------------------------------------------------------------ for programs

def unaligned_lines(table, shown, style):
    """Values with a separator between them."""
    if style.expanded == "on":
        result = []
        for row in zip(*shown):
            result += [style.separator.join(pair) for pair in zip(table.names, row)] + [""]
        return result[:-1]
    result = [] if style.tuples_only else [style.separator.join(table.names)]
    result += [style.separator.join(row) for row in zip(*shown)]
    return result if style.tuples_only else result + (table.footers or [counted(table.row_count)])


def csv_lines(table, style):
    """Comma-separated values by RFC 4180; NULL and the empty text are the same."""
    def quoted(text):
        if text is None:
            return style.null
        return '"' + text.replace('"', '""') + '"' if any(letter in text for letter in ',"\r\n') else text
    if style.expanded == "on":
        return [f"{quoted(name)},{quoted(text)}" for row in zip(*table.columns) for name, text in zip(table.names, row)]
    result = [] if style.tuples_only else [",".join(map(quoted, table.names))]
    return result + [",".join(map(quoted, row)) for row in zip(*table.columns)]
