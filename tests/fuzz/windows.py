"""Random calls of window functions whose values do not depend on the order of rows that tie."""
from tests.fuzz.templates import ORDERED

PEER_FRAMES = ("", "", "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
               "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", "GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
               "GROUPS BETWEEN CURRENT ROW AND 2 FOLLOWING",
               "GROUPS BETWEEN 3 PRECEDING AND 1 PRECEDING", "RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING")
DISTANCES = {"int2": "2", "int4": "1", "int8": "7::int8", "numeric": "1.5", "date": "INTERVAL '10 days'",
             "timestamp": "INTERVAL '1 month'", "time": "INTERVAL '2 hours'"}          # for RANGE, by the order's type
ROW_FRAMES = ("ROWS BETWEEN 1 PRECEDING AND CURRENT ROW", "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING",
              "ROWS BETWEEN 2 FOLLOWING AND 3 FOLLOWING", "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING")
EXCLUSIONS = ("", "", "", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES")


def window_item(random, writer):
    """(a call with its OVER clause, its type) over a Writer's columns."""
    partition = [writer.key() for _ in range(random.choice((0, 1, 1, 2)))]
    is_total = all(column.canonical for column in writer.columns) and random.random() < 0.5
    order = [writer.key() for _ in range(random.choice((0, 1, 1, 2)))]
    distant = [column for column in writer.columns if column.type in DISTANCES]
    frame = random.choice(PEER_FRAMES + ROW_FRAMES if is_total else PEER_FRAMES)
    if distant and random.random() < 0.2:
        column, is_total = random.choice(distant), False
        order, distance = [column.name], DISTANCES[column.type]
        frame = random.choice((f"RANGE BETWEEN {distance} PRECEDING AND CURRENT ROW",
                               f"RANGE BETWEEN {distance} PRECEDING AND {distance} FOLLOWING",
                               f"RANGE BETWEEN {distance} FOLLOWING AND UNBOUNDED FOLLOWING"))
    if is_total:
        order += random.sample([column.name for column in writer.columns], len(writer.columns))
    if "GROUPS" in frame and not order:
        frame = ""
    directed = [key + random.choice(("", "", " DESC", " NULLS FIRST", " DESC NULLS LAST")) for key in order]
    text, type, framed = call(random, writer, is_total)
    if frame and framed:
        frame += random.choice(EXCLUSIONS)
    clauses = [f"PARTITION BY {', '.join(partition)}" if partition else "",
               f"ORDER BY {', '.join(directed)}" if directed else "", frame if framed else ""]
    return f"{text} OVER ({' '.join(filter(None, clauses))})", type


def call(random, writer, is_total):
    """(a call, its type, whether its frame matters)."""
    ordered = [column for column in writer.columns if column.type in ORDERED and column.canonical]
    column = random.choice(ordered) if ordered else None
    forms = [("rank()", "int8", False), ("dense_rank()", "int8", False), ("percent_rank()", "float8", False),
             ("cume_dist()", "float8", False), ("count(*)", "int8", True), (f"count({writer.leaf('text')})", "int8", True),
             (f"sum({writer.leaf('int4')})", "int8", True), (f"sum({writer.leaf('int2')})", "int8", True)]
    forms += [(f"avg({writer.leaf('int4')})", "numeric", True), (f"sum({writer.leaf('numeric')})", "numeric", True),
              (f"bool_and({writer.leaf('bool')})", "bool", True), (f"variance({writer.leaf('int2')})", "numeric", True)]
    if column is not None:
        forms += [(f"{random.choice(('min', 'max'))}({column.name})", column.type, True)] * 3
    if is_total:
        forms += [("row_number()", "int8", False), ("ntile(3)", "int4", False),
                  (f"string_agg({writer.leaf('text')}, ',')", "text", True),
                  (f"array_agg({writer.leaf('int4')})", "int4[]", True)]
        if column is not None:
            forms += [(f"{name}({column.name})", column.type, name.endswith("value"))
                      for name in ("lag", "lead", "first_value", "last_value")]
            forms += [(f"nth_value({column.name}, 2)", column.type, True), (f"lag({column.name}, 2)", column.type, False)]
    text, type, framed = random.choice(forms)
    if text.startswith(("count", "sum", "min", "max", "avg", "string", "array")) and random.random() < 0.2:
        text += f" FILTER (WHERE {writer.predicate(0)})"
    return text, type, framed
