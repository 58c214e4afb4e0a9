"""What becomes of a plan's rows: an answer to the client, rows of a table, a file."""
from dataclasses import dataclass, field, replace

from caldera.execute.split_plan import row_count
from caldera.plan import nodes
from caldera.storage import arrays, external
from caldera.types.registry import base_of


@dataclass
class Result:
    """What a statement answers. tag: the command tag ("SELECT 3"). names: of the columns; types: pairs (SqlType, modifier).
    columns: a list of ColumnData, or None for a statement without rows. timings: seconds by stage."""
    tag: str
    names: list = field(default_factory=list)
    types: list = field(default_factory=list)
    columns: list | None = None
    row_count: int = 0
    timings: dict = field(default_factory=dict)


def perform(session, plan, columns, timings):
    """Do with the rows what the statement says; its Result."""
    count = row_count(columns)
    if isinstance(plan, nodes.Query):
        return rows_result(f"SELECT {count}", plan, columns, count, timings)
    assert isinstance(plan, nodes.CopyTo), plan
    types = [shown_type(column.type, column.modifier) for column in plan.input.output]
    columns = [of_shown_type(data) for data in columns]
    count = external.copy_to(plan.path, plan.format, plan.options, list(plan.names), types, columns, session)
    return Result(f"COPY {count}", row_count=count, timings=dict(timings))


def rows_result(tag, plan, columns, count, timings=None):
    """The Result with `count` rows of a Query, which owns their numbers."""
    output = plan.input.output
    result = Result(tag, list(plan.names) or [column.name for column in output],
                    [shown_type(column.type, column.modifier) for column in output],
                    [of_shown_type(data) for data in columns], count, dict(timings or {}))
    arrays.keep_big_numbers(result, columns)
    return result


def shown_type(type, modifier):
    """The type that clients see: of a domain its base type."""
    while type.base is not None:
        type, modifier = type.base, type.base_modifier
    return type, modifier


def of_shown_type(data):
    """A ColumnData whose type is the one that clients see."""
    return data if data.type.base is None else replace(data, type=base_of(data.type))


def append(session, entry, columns):
    """Add columns, in the order of the table's, to a table."""
    if columns and row_count(columns):
        entry.relation.append(session.transaction, {schema.name: data for schema, data in zip(entry.columns, columns)})


def utility_result(tag, answer):
    """The Result of a statement that no pipeline ran: a tag, (names, types, columns), or the Result itself."""
    if isinstance(answer, Result):
        return answer
    if isinstance(answer, tuple):
        names, types, columns = answer
        return Result(tag, list(names), list(types), columns, row_count(columns))
    return Result(answer or tag)
