"""Making what fails small: by leaving out parts of the query's syntax tree, and tables, rows and columns.

    SELECT a, b FROM t JOIN u ON ... WHERE p AND q ORDER BY a
       lists lose a member          a target, a condition of AND, an arm of CASE, a sort item
       clauses go away              WHERE, HAVING, LIMIT, DISTINCT, FILTER
       a node becomes one of those below it      t JOIN u ─▶ t;  f(x) ─▶ x;  Q UNION R ─▶ Q

Each candidate is kept if the case still fails in the same way (delta debugging, Zeller and Hildebrandt 2002).
"""
import copy
import time

import postgast

LISTS = {           # (message, field): how many members must stay
    ("SelectStmt", "target_list"): 1, ("SelectStmt", "from_clause"): 0, ("SelectStmt", "group_clause"): 0,
    ("SelectStmt", "sort_clause"): 0, ("SelectStmt", "values_lists"): 1, ("SelectStmt", "distinct_clause"): 0,
    ("BoolExpr", "args"): 2, ("CaseExpr", "args"): 1, ("WithClause", "ctes"): 1, ("CoalesceExpr", "args"): 1,
    ("MinMaxExpr", "args"): 1, ("WindowDef", "partition_clause"): 0, ("WindowDef", "order_clause"): 0,
    ("FuncCall", "agg_order"): 0, ("List", "items"): 1, ("RowExpr", "args"): 1, ("GroupingSet", "content"): 1,
    ("JsonTable", "columns"): 1, ("JsonTableColumn", "columns"): 1, ("JsonObjectConstructor", "exprs"): 1,
    ("JsonArrayConstructor", "exprs"): 1, ("SelectStmt", "window_clause"): 0, ("A_ArrayExpr", "elements"): 1,
}
CLAUSES = {("SelectStmt", "where_clause"), ("SelectStmt", "having_clause"), ("SelectStmt", "limit_count"),
           ("SelectStmt", "limit_offset"), ("SelectStmt", "with_clause"), ("FuncCall", "agg_filter"),
           ("CaseExpr", "defresult"), ("JoinExpr", "quals"), ("CommonTableExpr", "search_clause"),
           ("CommonTableExpr", "cycle_clause"), ("JsonFuncExpr", "on_empty"), ("JsonFuncExpr", "on_error")}
RELATIONS = {"range_var", "range_subselect", "join_expr", "range_function", "json_table"}
VALUES = {"a_expr", "bool_expr", "column_ref", "a_const", "type_cast", "func_call", "case_expr", "null_test", "boolean_test",
          "coalesce_expr", "min_max_expr", "sub_link", "row_expr", "a_array_expr", "a_indirection", "grouping_func",
          "json_func_expr", "json_is_predicate", "json_object_constructor", "json_array_constructor", "json_array_agg",
          "json_object_agg", "json_scalar_expr", "json_serialize_expr"}
SECONDS_MAX = 90


def smaller_queries(sql):
    """Texts of the query with something left out, the shortest first."""
    parsed = postgast.parse(sql)
    texts = set()
    for path in list(paths(parsed)):
        for change in changes(at(parsed, path)):
            candidate = copy.deepcopy(parsed)
            change(at(candidate, path))
            try:
                text = postgast.deparse(candidate)
                postgast.parse(text)
            except postgast.PgQueryError:               # no statement any more
                continue
            texts.add(text)
    return sorted((text for text in texts if len(text) < len(sql) and text != sql), key=len)


def members(message):
    """Pairs (path, message) of the messages directly in a message."""
    for field, value in message.ListFields():
        if field.type != field.TYPE_MESSAGE:
            continue
        if hasattr(value, "ListFields"):
            yield (field.name,), value
        else:
            yield from (((field.name, number), member) for number, member in enumerate(value))


def paths(message, prefix=()):
    """Where messages stand in a message: tuples of field names and list positions."""
    yield prefix
    for path, member in members(message):
        yield from paths(member, prefix + path)


def at(message, path):
    """The message at a path."""
    for step in path:
        message = message[step] if isinstance(step, int) else getattr(message, step)
    return message


def changes(message):
    """Functions that make a message smaller in place."""
    kind = message.DESCRIPTOR.name
    for field, value in message.ListFields():
        if (kind, field.name) in CLAUSES:
            yield lambda one, name=field.name: one.ClearField(name)
        least = LISTS.get((kind, field.name))
        if least is not None and len(value) > least and is_list_of_things(kind, value):
            if least == 0:
                yield lambda one, name=field.name: one.ClearField(name)
            for number in range(len(value)):
                yield lambda one, name=field.name, number=number: getattr(one, name).__delitem__(number)
    if kind == "SelectStmt" and message.HasField("larg"):
        for side in ("larg", "rarg"):
            yield lambda one, side=side: one.CopyFrom(copy.deepcopy(getattr(one, side)))
    if kind == "Node":
        for path in nodes_below(message, role(message)):
            yield lambda one, path=path: one.CopyFrom(copy.deepcopy(at(one, path)))


def is_list_of_things(kind, value):
    """Whether members of a list stand for themselves: in that of a function in FROM, the second one tells of the first."""
    return kind != "List" or all(member.WhichOneof("node") for member in value)


def nodes_below(message, wanted, prefix=()):
    """Paths to the nearest Nodes of a role below a message."""
    for path, member in members(message):
        if member.DESCRIPTOR.name == "Node" and role(member) == wanted:
            yield prefix + path
        else:
            yield from nodes_below(member, wanted, prefix + path)


def role(node):
    """What a Node is good for: "relation", "value", or its own kind."""
    kind = node.WhichOneof("node")
    return "relation" if kind in RELATIONS else "value" if kind in VALUES else kind


def shrink(fails, schema, sql, seconds_max=SECONDS_MAX):
    """The smallest (schema, sql) found for which `fails(schema, sql)`."""
    until = time.monotonic() + seconds_max

    def first(candidates, test):
        return next((one for one in candidates if time.monotonic() < until and test(one)), None)
    while True:
        query = first(smaller_queries(sql), lambda text: fails(schema, text))
        tables = None if query is not None else first(schema.smaller(), lambda tables: fails(tables, sql))
        if query is None and tables is None:
            return schema, sql
        schema, sql = tables or schema, query or sql
