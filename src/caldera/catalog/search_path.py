"""search_path: in which schemas a name without one is looked for, and where it is created.

As in PostgreSQL, a session's temporary schema and pg_catalog come first unless the setting names them, schemas that do not
exist are passed over, and "$user" stands for the user's name.
"""
import re

from caldera.base.errors import error

PART = r"""\s*("(?:[^"]|"")+"|[^\s."][^\s.]*)\s*"""           # of a qualified name


def split_identifiers(text):
    """'"$user", Public' to ['$user', 'public']. Raises 22023 for a list that is not one."""
    names, at = [], 0
    text = text.strip()
    if not text:
        return names
    while True:
        name, at = one_identifier(text, at)
        names.append(name)
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text):
            return names
        if text[at] != ",":
            raise invalid(text)
        at += 1
        while at < len(text) and text[at].isspace():
            at += 1


def one_identifier(text, at):
    """The identifier at a place, folded or unquoted, and where it ends."""
    if at < len(text) and text[at] == '"':
        letters, at = [], at + 1
        while True:
            close = text.find('"', at)
            if close < 0:
                raise invalid(text)
            letters.append(text[at:close])
            at = close + 1
            if text[at:at + 1] != '"':
                return "".join(letters), at
            letters.append('"')
            at += 1
    start = at
    while at < len(text) and text[at] != "," and not text[at].isspace():
        at += 1
    if at == start:
        raise invalid(text)
    return text[start:at].lower(), at


def split_qualified(text):
    """'"My"."table"' to ['My', 'table']. Raises 42602 for what is no name."""
    if not re.fullmatch(rf"{PART}(\.{PART})*", text):
        raise error("42602", "invalid name syntax")
    return [part[1:-1].replace('""', '"') if part[0] == '"' else part.lower() for part in re.findall(PART, text)]


def schema_and_name(names):
    """(schema or None, name) of a relation's qualified name. Raises 42601, 0A000."""
    if len(names) > 3:
        raise error("42601", f"improper relation name (too many dotted names): {'.'.join(names)}")
    if len(names) == 3:
        raise error("0A000", f'cross-database references are not implemented: "{".".join(names)}"')
    return (names[0] if len(names) == 2 else None), names[-1]


def invalid(text):
    """The error for a setting that is no list of names."""
    return error("22023", f'invalid value for parameter "search_path": "{text}"', detail="List syntax is invalid.")


def schema_names(setting, user=None, temporary=None):
    """The names of schemas in the order in which they are searched. `temporary`: the session's own, or None."""
    listed = []
    for name in split_identifiers(setting):
        if name == "$user":
            name = user
        elif name == "pg_temp":
            name = temporary
        if name is not None and name not in listed:
            listed.append(name)
    implied = [name for name in (temporary, "pg_catalog") if name is not None and name not in listed]
    return implied + listed


def creation_names(setting, user=None, temporary=None):
    """The names of schemas of which the first that exists is where new relations go."""
    names = [user if name == "$user" else temporary if name == "pg_temp" else name for name in split_identifiers(setting)]
    return [name for name in names if name is not None]
