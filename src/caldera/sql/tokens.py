"""Forms that PostgreSQL's grammar lacks, rewritten on tokens before parsing.

There is one: a file's name, quoted as text, where a table's name goes.

    SELECT count(*) FROM 'hits_*.parquet' AS h, 'more.csv'
                         ▲ syntax error         ▲ syntax error

In PostgreSQL's grammar a text never stands there, and wherever FROM is followed by a text rightly (`trim(both from 'x')`,
`a IS DISTINCT FROM 'x'`, `COPY t FROM 'file'`) there is no error. So nothing is looked for until the parser complains of a
text; then that text, if it follows FROM, JOIN or a comma of a FROM list, is replaced by a quoted name *of the same length*,
and all locations stay right. The names of the files are handed on beside the tree.
"""
from caldera.base.errors import Error
from caldera.sql.libpg_query import parse_tree, scan

STARTERS = {"from", "join"}
# Between FROM and a comma of its list none of these stands outside parentheses.
ENDERS = {"select", "where", "group", "having", "order", "limit", "offset", "window", "values", "set", "returning", ";"}


def with_files_named(text, fault):
    """The text with a name in place of every file, and {byte: the file's name}. `fault` is the error that the text met; it
    is raised again if it does not complain of a file's name."""
    files = {}
    while True:
        token = complained_of(text, fault)
        if token is None:
            raise fault
        first, stop = token
        encoded = text.encode()
        files[first] = literal_value(encoded[first:stop].decode())
        text = (encoded[:first] + b'"' + b"f" * (stop - first - 2) + b'"' + encoded[stop:]).decode()
        try:
            parse_tree(text)
            return text, files
        except Error as next_fault:
            fault = next_fault


def complained_of(text, fault):
    """The bytes (first, stop) of the text literal at which a syntax error was found if it is a file's name, else None."""
    if fault.sqlstate != "42601" or fault.position is None or not fault.message.startswith("syntax error at or near"):
        return None
    if text[fault.position - 1:fault.position] not in ("'", "e", "E"):
        return None
    first = len(text[:fault.position - 1].encode())
    encoded = text.encode()
    tokens = scan(text)
    index = next((i for i, token in enumerate(tokens) if token[0] == first), None)
    if index is None or encoded[tokens[index][1] - 1:tokens[index][1]] != b"'" or tokens[index][1] - first < 3:
        return None
    words = [encoded[start:stop].decode().lower() for start, stop, _, _ in tokens[:index]]
    return tokens[index][:2] if names_a_table(words) else None


def names_a_table(words):
    """Whether a name that follows these tokens (lower case) is a table's: behind FROM, JOIN, or a comma of a FROM list."""
    if not words or words[-1] in STARTERS:
        return bool(words)
    if words[-1] != ",":
        return False
    depth = 0
    for word in reversed(words):
        depth += (word == ")") - (word == "(")
        if depth < 0:
            return False
        if depth == 0 and word in STARTERS | ENDERS:
            return word in STARTERS
    return False


def literal_value(literal):
    """The text that a literal stands for."""
    constant = parse_tree(f"SELECT {literal}")[0]["stmt"]["SelectStmt"]["targetList"][0]["ResTarget"]["val"]["A_Const"]
    return constant["sval"].get("sval", "")
