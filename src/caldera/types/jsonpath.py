"""jsonpath: questions about jsonb. In memory and as datum the text in its one form; `path_of` gives the tree of one."""
from functools import lru_cache

from caldera.kernel import layouts
from caldera.types.json_values import number_text, quoted
from caldera.types.jsonpath_syntax import LAST_LEVEL, parse
from caldera.types.registry import SqlType, register

PRIORITIES = {"||": 0, "&&": 1, **dict.fromkeys(("==", "<>", "<", "<=", ">", ">=", "starts_with"), 2), "+": 3, "-": 3,
              "*": 4, "/": 4, "%": 4}
SIGN_PRIORITY, HIGHEST_PRIORITY = 5, 6
SHOWN = {"<>": "!=", "starts_with": "starts with"}


class JsonPath(SqlType):
    """Has no comparisons."""
    name = sql_name = "jsonpath"
    oid, array_oid = 4072, 4073
    layout = layouts.TEXT
    python_type = str
    bytes_are_ordered = comparable = False

    def parse(self, text, modifier=None, session=None):
        return write(parse(text))

    def format(self, datum, session=None):
        return datum

    def from_python(self, thing):
        return self.parse(thing)

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.string()


@lru_cache(maxsize=512)
def path_of(datum):
    """The Path that a datum is."""
    return parse(datum)


# ------------------------------------------------------------------------------------------------ writing

def write(path):
    """The text of a Path as PostgreSQL writes it."""
    return ("strict " if path.strict else "") + written(path.item, True)


def priority(item):
    """How tightly an item's operator binds."""
    if len(item.arguments) == 1 and item.kind in ("+", "-"):
        return SIGN_PRIORITY
    return PRIORITIES.get(item.kind, HIGHEST_PRIORITY)


def written(item, brackets):
    """The text of an item; `brackets`: an operation stands in parentheses."""
    writer = WRITERS.get(item.kind)
    if writer is not None:
        return writer(item)
    text = operation(item)
    return f"({text})" if brackets else text


def operation(item):
    """The text of an operator with its operands."""
    own = priority(item)
    parts = [written(argument, priority(argument) <= own) for argument in item.arguments]
    if item.kind == "like_regex":
        pattern, flags = item.value
        return f"{parts[0]} like_regex {quoted(pattern)}" + (f' flag "{flags}"' if flags else "")
    if len(parts) == 1:
        return item.kind + parts[0]
    return f"{parts[0]} {SHOWN.get(item.kind, item.kind)} {parts[1]}"


def literal(item):
    """The text of a literal."""
    value = item.value
    if isinstance(value, str):
        return quoted(value)
    return {None: "null", True: "true", False: "false"}[value] if value is None or isinstance(value, bool) \
        else number_text(value)


def chain(item):
    """What an expression begins with, and its steps. A number before a step stands in parentheses."""
    head, *steps = item.arguments
    text = written(head, True)
    if head.kind == "literal" and not isinstance(head.value, (str, bool, type(None))):
        text = f"({text})"
    return text + "".join(map(step_text, steps))


def step_text(step):
    """The text of a step."""
    if step.kind == "key":
        return f".{quoted(step.value)}"
    if step.kind == "filter":
        return f"?({written(step.arguments[0], False)})"
    if step.kind == "subscripts":
        return f"[{','.join(' to '.join(written(end, False) for end in pair if end) for pair in step.arguments)}]"
    if step.kind == "levels":
        return f".**{levels_text(*step.value)}"
    if step.kind == "method":
        shown = ",".join(quoted(argument) if isinstance(argument, str) else str(argument) for argument in step.arguments)
        return f".{step.value}({shown})"
    return {"any_key": ".*", "elements": "[*]"}[step.kind]


def levels_text(first, last):
    """The text of the levels behind **."""
    if (first, last) == (0, LAST_LEVEL):
        return ""
    first_text, last_text = ("last" if level == LAST_LEVEL else str(level) for level in (first, last))
    return f"{{{first_text}}}" if first == last else f"{{{first_text} to {last_text}}}"


WRITERS = {
    "root": lambda item: "$", "current": lambda item: "@", "last": lambda item: "last", "literal": literal, "chain": chain,
    "variable": lambda item: f"${quoted(item.value)}",
    "!": lambda item: f"!({written(item.arguments[0], False)})",
    "is_unknown": lambda item: f"({written(item.arguments[0], False)}) is unknown",
    "exists": lambda item: f"exists ({written(item.arguments[0], False)})",
}
JSONPATH = register(JsonPath())
