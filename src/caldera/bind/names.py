"""The names of output columns, and suggestions for misspelt ones, as PostgreSQL makes them."""
from caldera.bind.binder import strings

_FIXED = {"RowExpr": "row", "A_ArrayExpr": "array", "CoalesceExpr": "coalesce", "GroupingFunc": "grouping",
          "JsonObjectConstructor": "json_object", "JsonArrayConstructor": "json_array", "JsonScalarExpr": "json_scalar",
          "JsonArrayQueryConstructor": "json_array", "JsonParseExpr": "json", "JsonSerializeExpr": "json_serialize",
          "JsonObjectAgg": "json_objectagg", "JsonArrayAgg": "json_arrayagg"}
_VALUE_FUNCTIONS = {"CURRENT_DATE": "current_date", "CURRENT_TIME": "current_time", "CURRENT_TIME_N": "current_time",
                    "CURRENT_TIMESTAMP": "current_timestamp", "CURRENT_TIMESTAMP_N": "current_timestamp",
                    "LOCALTIME": "localtime", "LOCALTIME_N": "localtime", "LOCALTIMESTAMP": "localtimestamp",
                    "LOCALTIMESTAMP_N": "localtimestamp", "CURRENT_ROLE": "current_role", "CURRENT_USER": "current_user",
                    "USER": "user", "SESSION_USER": "session_user", "CURRENT_CATALOG": "current_catalog",
                    "CURRENT_SCHEMA": "current_schema"}
NAMELESS = "?column?"
DISTANCE_MAX = 3


def output_name(node):
    """The name of a column that a SELECT list gives no name."""
    return name_and_strength(node)[0] or NAMELESS


def name_and_strength(node):
    """(name or None, strength): a name of strength 1 (a type's, "case") gives way to one of strength 2 around it."""
    (kind, fields), = node.items()
    if kind in _FIXED:
        return _FIXED[kind], 2
    rule = _RULES.get(kind)
    return rule(fields) if rule else (None, 0)


def column_name(fields):
    """Of a column its own name; none of t.*."""
    last = fields["fields"][-1]
    return (last["String"].get("sval", ""), 2) if "String" in last else (None, 0)


def field_name(fields):
    """Of (r).f, a[1] the last field's name, or what stands before the subscripts."""
    names = [node for node in fields.get("indirection", ()) if "String" in node]
    return (names[-1]["String"]["sval"], 2) if names else name_and_strength(fields["arg"])


def cast_name(fields):
    """Of a cast the operand's name if it is a strong one, else the type's."""
    name, strength = name_and_strength(fields["arg"])
    return (name, strength) if strength > 1 else (strings(fields["typeName"]["names"])[-1], 1)


def case_name(fields):
    """Of CASE the name of its ELSE if it is a strong one, else "case"."""
    name, strength = name_and_strength(fields["defresult"]) if "defresult" in fields else (None, 0)
    return (name, strength) if strength > 1 else ("case", 1)


def subquery_name(fields):
    """Of a subquery "exists", "array", or the name of its first column; none of IN and ANY."""
    if fields["subLinkType"] == "EXISTS_SUBLINK":
        return "exists", 2
    if fields["subLinkType"] == "ARRAY_SUBLINK":
        return "array", 2
    if fields["subLinkType"] != "EXPR_SUBLINK":
        return None, 0
    query = fields["subselect"].get("SelectStmt", {})
    while "larg" in query:
        query = query["larg"]
    if "valuesLists" in query:
        return "column1", 2
    targets = query.get("targetList")
    if not targets:
        return None, 0
    target = targets[0]["ResTarget"]
    return target.get("name") or output_name(target["val"]), 2          # a name of any strength counts in a subquery


_RULES = {
    "ColumnRef": column_name, "A_Indirection": field_name, "TypeCast": cast_name, "CaseExpr": case_name,
    "SubLink": subquery_name,
    "JsonFuncExpr": lambda fields: (fields["op"].removesuffix("_OP").lower(), 2),
    "FuncCall": lambda fields: (strings(fields["funcname"])[-1], 2),
    "A_Expr": lambda fields: ("nullif", 2) if fields["kind"] == "AEXPR_NULLIF" else (None, 0),
    "CollateClause": lambda fields: name_and_strength(fields["arg"]) if "arg" in fields else (None, 0),
    "MinMaxExpr": lambda fields: ("least" if fields["op"] == "IS_LEAST" else "greatest", 2),
    "SQLValueFunction": lambda fields: (_VALUE_FUNCTIONS[fields["op"].removeprefix("SVFOP_")], 2),
}


# ------------------------------------------------------------------------------------------------ suggestions

def suggestion(name, qualifier, tables):
    """The hint for a column that does not exist, or None. `tables`: pairs (alias, names of columns). At most two columns
    are named, those at the least edit distance (at most 3, and at most half of the name's length)."""
    best, found = DISTANCE_MAX + 1, []
    for alias, columns in tables:
        penalty = edit_distance(qualifier, alias) if qualifier is not None else 0
        if penalty > best:
            continue
        for column in columns:
            distance = edit_distance(name, column)
            if distance > len(name) // 2 or distance + penalty > min(best, DISTANCE_MAX):
                continue
            if distance + penalty < best:
                best, found = distance + penalty, []
            found.append(f'"{alias}.{column}"')
            if len(found) > 2:
                best, found = best - 1, []
    return "Perhaps you meant to reference the column " + " or the column ".join(found) + "." if found else None


def edit_distance(left, right):
    """The fewest insertions, deletions and replacements of characters between two words (Levenshtein 1965)."""
    above = list(range(len(right) + 1))
    for number, character in enumerate(left, 1):
        row = [number]
        for column, other in enumerate(right, 1):
            row.append(min(above[column] + 1, row[-1] + 1, above[column - 1] + (character != other)))
        above = row
    return above[-1]
