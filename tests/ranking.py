"""What the order of an answer leaves open: ties of ORDER BY, and the rows that LIMIT may choose among.

    SELECT name FROM t ORDER BY age LIMIT 3
      │ sort items that are no output columns are appended; LIMIT and OFFSET go away
      ▼
    SELECT q.*, dense_rank() OVER (ORDER BY q.k1) FROM (SELECT name, age FROM t ORDER BY age) q (c1, k1)

PostgreSQL's answer to the second statement gives every row its group of ties, so position i of the first one's answer may
hold any row of the group that the i-th row belongs to. The rewriting works on libpg_query's tree.
"""
import copy
from dataclasses import dataclass

import postgast
from postgast import pg_query_pb2 as tree


@dataclass(frozen=True)
class Ranking:
    """The statement that ranks, whose last column is the group of ties; and the OFFSET's expression as a statement."""
    sql: str
    offset_sql: str | None


def ranking(sql, columns):
    """The Ranking of a SELECT or VALUES with these output columns; None if it has neither ORDER BY nor LIMIT nor OFFSET."""
    statements = postgast.parse(sql).stmts
    if len(statements) != 1 or not statements[0].stmt.HasField("select_stmt"):
        return None
    select = statements[0].stmt.select_stmt
    limited = select.HasField("limit_count") or select.HasField("limit_offset")
    if not select.sort_clause and not limited:
        return None
    offset = _deparse_scalar(select.limit_offset) if select.HasField("limit_offset") else None
    inner = copy.deepcopy(select)
    inner.ClearField("limit_count")
    inner.ClearField("limit_offset")
    inner.limit_option = tree.LimitOption.LIMIT_OPTION_DEFAULT
    names = [f"c{number}" for number in range(1, len(columns) + 1)]
    keys, outputs = [], list(names)
    for item in select.sort_clause:
        name = _output_name(item.sort_by.node, columns)
        if name is None:
            name = f"k{len(outputs)}"
            inner.target_list.add().res_target.val.CopyFrom(item.sort_by.node)
            outputs.append(name)
        key = copy.deepcopy(item)
        key.sort_by.node.CopyFrom(_column(name))
        keys.append(key)
    order = "ORDER BY " + _deparse_order(keys) if keys else ""
    return Ranking(f"SELECT {', '.join(names)}, dense_rank() OVER ({order}) "
                   f"FROM ({_deparse(inner)}) AS q ({', '.join(outputs)}) ORDER BY {len(names) + 1}", offset)


def _output_name(node, columns):
    """c1, c2, ... if the sort item is an output column, by its position or by its name; else None."""
    if node.HasField("a_const") and node.a_const.HasField("ival"):
        return f"c{node.a_const.ival.ival}"
    if node.HasField("column_ref") and len(node.column_ref.fields) == 1:
        name = node.column_ref.fields[0].string.sval
        if name in columns:
            return f"c{columns.index(name) + 1}"
    return None


def _column(name):
    node = tree.Node()
    node.column_ref.fields.add().string.sval = name
    return node


def _deparse(select):
    result = tree.ParseResult()
    result.stmts.add().stmt.select_stmt.CopyFrom(select)
    return postgast.deparse(result)


def _deparse_order(keys):
    select = postgast.parse("SELECT 1 ORDER BY 1").stmts[0].stmt.select_stmt
    select.ClearField("sort_clause")
    select.sort_clause.extend(keys)
    return _deparse(select).split("ORDER BY", 1)[1]


def _deparse_scalar(node):
    select = postgast.parse("SELECT 1").stmts[0].stmt.select_stmt
    select.target_list[0].res_target.val.CopyFrom(node)
    return f"SELECT coalesce(({_deparse(select)})::int8, 0)"
