"""Random calls of what gives several rows: in FROM beside the columns that they are made of, and in SELECT lists."""
from tests.fuzz.expressions import Writer
from tests.fuzz.tables import Column

TABLES_OF_DOCUMENTS = (                             # COLUMNS of JSON_TABLE, and the columns that they give
    ("n FOR ORDINALITY, a int4 PATH '$.a', b text PATH '$.b'", (("n", "int4"), ("a", "int4"), ("b", "text"))),
    ("a text PATH '$', e bool EXISTS PATH '$.a'", (("a", "text"), ("e", "bool"))),
    ("a int4 PATH '$.a' DEFAULT 7 ON EMPTY, d jsonb PATH '$.b' WITH WRAPPER", (("a", "int4"), ("d", "jsonb"))),
    ("n FOR ORDINALITY, NESTED PATH '$[*]' COLUMNS (c text PATH '$', m FOR ORDINALITY)",
     (("n", "int4"), ("c", "text"), ("m", "int4"))),
    ("a jsonb PATH '$', NESTED '$.b[*]' COLUMNS (b int4 PATH '$'), NESTED '$.*' COLUMNS (c text FORMAT JSON PATH '$')",
     (("a", "jsonb"), ("b", "int4"), ("c", "text"))),
)
JOINS = (" CROSS JOIN {}", " CROSS JOIN LATERAL {}", " LEFT JOIN LATERAL {} ON true")


def rows_beside(random, columns, name):
    """(a join with a function over the columns, the columns of the function's rows), which are called `name`."""
    writer = Writer(random, columns)
    if random.random() < 0.3:
        return table_of_document(random, writer, name)
    array = "CASE WHEN jsonb_typeof({0}) = '{1}' THEN {0} END".format
    document = writer.leaf("jsonb")
    function, names, types = random.choice((
        (f"unnest({writer.expression('int4[]', 1)})", "n", ("int4",)),
        (f"unnest({writer.expression('text[]', 1)})", "n", ("text",)),
        (f"unnest({writer.expression('int4multirange', 1)})", "n", ("int4range",)),
        (f"unnest(enum_range({writer.leaf('mood')}, NULL))", "n", ("mood",)),
        (f"generate_series(1, {writer.leaf('int2')} % 4)", "n", ("int4",)),
        (f"generate_series({writer.leaf('date')}::timestamp, '2013-07-20', '9 days')", "n", ("timestamp",)),
        (f"string_to_table({writer.leaf('text')}, 'b')", "n", ("text",)),
        (f"jsonb_array_elements({array(document, 'array')})", "n", ("jsonb",)),
        (f"jsonb_each_text({array(document, 'object')})", "k, v", ("text", "text"))))
    numbered = random.random() < 0.3 and "generate_series" not in function or random.random() < 0.2
    text = random.choice(JOINS).format(f"{function}{' WITH ORDINALITY' * numbered} AS {name} ({names}{', o' * numbered})")
    named = zip([*names.split(", "), *["o"] * numbered], (*types, *["int8"] * numbered))
    return text, tuple(Column(f"{name}.{column}", type) for column, type in named)


def table_of_document(random, writer, name):
    """The same of JSON_TABLE."""
    described, columns = random.choice(TABLES_OF_DOCUMENTS)
    path = random.choice(("$", "$[*]", "$.a", "lax $.*", "$ ? (@.a > 1)", "strict $[*]"))
    call = f"JSON_TABLE({writer.expression('jsonb', 1)}, '{path}' COLUMNS ({described})) AS {name}"
    return random.choice(JOINS[::2]).format(call), tuple(Column(f"{name}.{column}", type) for column, type in columns)


def set_returning(writer):
    """A call of a function that gives several rows, to stand in the SELECT list."""
    return writer.random.choice((f"unnest({writer.expression('int4[]', 1)})", f"unnest({writer.leaf('text[]')})",
                                 f"generate_series(1, {writer.leaf('int2')} % 4)", "generate_series(3, 1, -1)",
                                 f"string_to_table({writer.leaf('text')}, 'b')", f"unnest({writer.leaf('int4multirange')})",
                                 f"generate_subscripts({writer.leaf('text[]')}, 1)", "unnest(enum_range(NULL::mood))",
                                 f"jsonb_path_query({writer.leaf('jsonb')}, '$[*]')",
                                 f"1 + unnest({writer.leaf('int4[]')}) % 3"))
