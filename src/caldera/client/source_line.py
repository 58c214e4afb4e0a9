"""Where in a statement an error lies, shown as psql shows it:

    LINE 2: FROM measurments;
                 ^
"""
from caldera.client.text_width import width

MARGIN, WIDTH_MAX = 10, 78          # how much of a long line is shown to the left of the place at least; how much in all


def marked_line(text, position):
    """The line that holds a position (characters from 1) and below it a mark. Long lines are cut to what is near."""
    at = min(position - 1, len(text))
    first = text.rfind("\n", 0, at) + 1
    stop = text.find("\n", at)
    line = text[first:len(text) if stop < 0 else stop].replace("\t", " ").rstrip("\r")
    column, head = at - first, f"LINE {text.count(chr(10), 0, at) + 1}: "
    room = WIDTH_MAX - len(head)
    if len(line) > room:
        start = max(0, min(column - room // 2, len(line) - room))
        before, after = "..." if start else "", "..." if start + room < len(line) else ""
        line = before + line[start + len(before):start + room - len(after)] + after
        column -= start
    return f"{head}{line}\n{' ' * (len(head) + width(line[:column]))}^"
