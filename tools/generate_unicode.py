"""Write src/caldera/functions/unicode.json: the character classes and case mappings of PostgreSQL's builtin C.UTF-8.

    python tools/generate_unicode.py "host=localhost dbname=postgres user=postgres"

The argument is the connection string of a PostgreSQL 18 server whose database has the locale provider builtin and the
locale C.UTF-8. `caldera.functions.unicode` says what the file holds and reads it.
"""
import json
import sys
from pathlib import Path

import psycopg

TARGET = Path(__file__).parent.parent / "src/caldera/functions/unicode.json"
CLASSES = "alpha", "lower", "upper", "graph", "print", "punct", "space", "cntrl"
QUERY = """
    SELECT code, ascii(lower(chr(code))), ascii(upper(chr(code))), ascii(casefold(chr(code))), {classes}
    FROM generate_series(1, 1114111) AS code WHERE code NOT BETWEEN 55296 AND 57343"""


def ranges(codes):
    """Sorted code points as first, last, first, last, ..."""
    found = []
    for code in codes:
        if found and found[-1] == code - 1:
            found[-1] = code
        else:
            found += [code, code]
    return found


def runs(pairs):
    """Sorted (code, mapped code) as flat lists of runs: first, last, step, distance."""
    found = []
    for code, mapped in pairs:
        distance = mapped - code
        if found:
            first, last, step, before = found[-1]
            if before == distance and (code - last == step or first == last and code - last == 2):
                found[-1] = first, code, code - last, distance
                continue
        found.append((code, code, 1, distance))
    return [number for run in found for number in run]


def differences(numbers):
    """Each number less the one before it: small, so the file is short."""
    return [number - before for before, number in zip([0, *numbers], numbers)]


def main(conninfo):
    """Ask the server about every code point; write the file."""
    query = QUERY.format(classes=", ".join(f"chr(code) ~ '[[:{name}:]]'" for name in CLASSES))
    with psycopg.connect(conninfo) as connection:
        rows = connection.execute(query).fetchall()
    content = {name: differences(ranges(row[0] for row in rows if row[4 + number])) for number, name in enumerate(CLASSES)}
    content["to_lower"] = runs((row[0], row[1]) for row in rows if row[1] != row[0])
    content["to_upper"] = runs((row[0], row[2]) for row in rows if row[2] != row[0])
    content["to_fold"] = runs((row[0], row[3]) for row in rows if row[3] != row[0])
    lines = ",\n".join(f'"{name}": {json.dumps(numbers, separators=(",", ":"))}' for name, numbers in content.items())
    TARGET.write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1])
