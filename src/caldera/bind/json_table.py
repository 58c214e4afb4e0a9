"""JSON_TABLE: what jsonpaths find in a document, as rows.

    JSON_TABLE(document, path COLUMNS (a int, NESTED PATH p COLUMNS (b text)))
    ─▶ Project(Expand(one row, records of TableRows), JSON_VALUE(item of the row, '$.a'), ...)

The row patterns, that of the table and the nested ones, give for each row a record of items (functions.jsonpath.questions).
Columns are JSON_VALUE, JSON_QUERY or JSON_EXISTS of their pattern's item, so that those that nobody asks for cost nothing,
unless they may raise errors.
"""
from functools import lru_cache

from caldera.bind.conversions import EXPLICIT, can_convert, convert
from caldera.bind.json import document_of
from caldera.bind.json_questions import asked, check_returned, passed, text_path
from caldera.bind.set_returning import IN_FROM, ONE_ROW
from caldera.bind.typenames import bind_type
from caldera.functions.jsonpath.questions import EXISTS, QUERY, VALUE, Question, RowPattern, TableRows
from caldera.functions.registry import ANY, Function
from caldera.plan.expansion import Expand
from caldera.plan.expressions import Call, new_column
from caldera.plan.nodes import Project
from caldera.plan.records import field_of
from caldera.plan.walk import all_expressions
from caldera.types.array import list_of
from caldera.types.json_values import quoted
from caldera.types.record import Field, RecordType, record_of
from caldera.types.registry import TYPES

UNSPECIFIED = {"wrapper": "JSW_UNSPEC", "quotes": "JS_QUOTES_UNSPEC"}
TABLE_BEHAVIOURS = {"JSON_BEHAVIOR_EMPTY", "JSON_BEHAVIOR_EMPTY_ARRAY", "JSON_BEHAVIOR_ERROR"}


def json_table_rows(scope, fields):
    """(plan, column names) of a JsonTable in FROM."""
    binder = scope.binder
    check_names(scope, fields)
    behaviour = fields.get("on_error", {"btype": "JSON_BEHAVIOR_EMPTY"})
    if behaviour["btype"] not in TABLE_BEHAVIOURS:
        raise binder.error("42601", "invalid ON ERROR behavior", behaviour.get("location"),
                           detail="Only EMPTY [ ARRAY ] or ERROR is allowed in the top-level ON ERROR clause.")
    with scope.in_clause(IN_FROM):
        document = document_of(scope, fields["context_item"])
        names, values = passed(scope, fields)
        levels = []
        pattern = row_pattern(scope, fields, levels)
        record = new_column("json_table", items_type(len(levels)))
        columns = [(number, *pair) for number, level in enumerate(levels)
                   for pair in level_columns(scope, level, record, number, names, values)]
        failing = tuple((number, *failure) for number, _, expression in columns for failure in failures(expression))
        rows = table_rows(TableRows(pattern, names, behaviour["btype"] == "JSON_BEHAVIOR_ERROR", failing), record.type)
    items = tuple((new_column(syntax["name"], expression.type, expression.modifier), expression)
                  for _, syntax, expression in columns)
    plan = Project(Expand(ONE_ROW, ((record, Call(rows, (document, *values), rows.result)),)), items)
    return plan, [syntax["name"] for _, syntax, _ in columns]


def items_type(count):
    """The type of the rows of a JSON_TABLE of so many patterns."""
    return record_of(tuple(Field(f"{name}{number}", TYPES[type]) for number in range(count)
                           for name, type in (("item", "jsonb"), ("number", "int4"))))


@lru_cache(maxsize=256)
def table_rows(table, type):
    """The function that gives the rows of a JSON_TABLE as a list of records of a type."""
    return Function("json_table", (ANY,), list_of(type), table.rows, python=True, strict=False, variadic=True,
                    volatility="s", wants_session=True, wants_types=True)


def failures(column):
    """Pairs (Question, path) of what may raise an error in a column: with ERROR ON ERROR or ERROR ON EMPTY."""
    for part in all_expressions(column):
        question = getattr(part.function.body, "__self__", None) if isinstance(part, Call) else None
        if isinstance(question, Question) and (question.error_fails or question.empty_fails):
            yield question, part.arguments[1].value


def check_names(scope, fields, seen=None):
    """Raise 42712 for columns and paths of one name, 42601 for two FOR ORDINALITY at one level."""
    seen = set() if seen is None else seen
    columns = [column["JsonTableColumn"] for column in fields["columns"]]
    path = fields.get("pathspec", {})
    named = [path] if "name" in path else []
    for item in named + [column for column in columns if column["coltype"] != "JTC_NESTED"]:
        if item["name"] in seen:
            raise scope.binder.error("42712", f"duplicate JSON_TABLE column or path name: {item['name']}",
                                     item.get("name_location", item["location"]))
        seen.add(item["name"])
    numbering = [column for column in columns if column["coltype"] == "JTC_FOR_ORDINALITY"]
    if len(numbering) > 1:
        raise scope.binder.error("42601", "only one FOR ORDINALITY column is allowed", numbering[1]["location"])
    for column in columns:
        if column["coltype"] == "JTC_NESTED":
            check_names(scope, column, seen)


def row_pattern(scope, fields, levels):
    """The RowPattern of a COLUMNS clause; its columns become an entry of `levels`, those of the clauses inside
    further ones."""
    binder, syntax = scope.binder, fields["pathspec"]["string"]
    if "sval" not in syntax.get("A_Const", {}):
        raise binder.error("0A000", "only string constants are supported in JSON_TABLE path specification",
                           fields["pathspec"].get("location"))
    number, columns = len(levels), [column["JsonTableColumn"] for column in fields["columns"]]
    levels.append([column for column in columns if column["coltype"] != "JTC_NESTED"])
    nested = tuple(row_pattern(scope, column, levels) for column in columns if column["coltype"] == "JTC_NESTED")
    return RowPattern(text_path(syntax["A_Const"]["sval"].get("sval", "")).value, number, nested)


# ------------------------------------------------------------------------------------------------ columns

def level_columns(scope, level, record, number, names, values):
    """Pairs (syntax, expression) of the columns of a pattern: questions about its item, which the record of a row holds."""
    item, ordinality = field_of(record, 2 * number), field_of(record, 2 * number + 1)
    for syntax in level:
        numbers = syntax["coltype"] == "JTC_FOR_ORDINALITY"
        yield syntax, ordinality if numbers else column_question(scope, syntax, item, names, values)


def column_question(scope, syntax, item, names, values):
    """A column as a question about the item."""
    binder, name = scope.binder, syntax["name"]
    type, modifier = bind_type(binder, syntax["typeName"])
    check_returned(scope, type, syntax["typeName"].get("location"))
    path = text_path(syntax["pathspec"]["string"]["A_Const"]["sval"].get("sval", "")
                     if "pathspec" in syntax else f"$.{quoted(name)}")
    kind = kind_of_column(syntax, type)
    if kind != EXISTS:
        question = Question(kind, type, modifier, name, names)
        return asked(scope, syntax, question, item, path, values)
    if modifier is not None or not can_convert("bool", type.name, EXPLICIT):
        raise binder.error("42804", "could not coerce ON ERROR expression (FALSE) to the RETURNING type", syntax["location"])
    question = Question(kind, TYPES["bool"], None, name, names)
    return convert(binder, asked(scope, syntax, question, item, path, values), type, context=EXPLICIT)


def kind_of_column(syntax, type):
    """Which function a column is."""
    if syntax["coltype"] == "JTC_EXISTS":
        return EXISTS
    is_scalar = type.name not in ("json", "jsonb") and type.category != "A" and not isinstance(type, RecordType)
    plain = all(syntax[clause] == unspecified for clause, unspecified in UNSPECIFIED.items())
    return VALUE if syntax["coltype"] == "JTC_REGULAR" and is_scalar and plain else QUERY
