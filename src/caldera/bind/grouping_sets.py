"""GROUP BY with grouping sets: the sets of keys that it means, and GROUPING(...).

    GROUP BY a, ROLLUP (b, (c, d))    ──▶   {a, b, c, d}, {a, b}, {a}

Each item gives sets; the clause means all unions of one set of each item.
"""
from itertools import chain, combinations, product

from caldera.bind.calls import check_place
from caldera.bind.rules import bind_expression, rule
from caldera.plan.expressions import GroupingCall, new_column

SETS_MAX, CUBE_MAX, ARGUMENTS_MAX = 4096, 12, 31


def sets_of_clause(binder, nodes, key_of, is_distinct):
    """The sets of a GROUP BY clause as rising tuples of numbers, in order. key_of: the number of the key that an item of
    the syntax tree means. is_distinct: whether a set that comes again is left out. Raises 54001 for too many sets."""
    sets = [()]
    for item in [sets_of_item(binder, node, key_of) for node in nodes]:
        if len(sets) * len(item) > SETS_MAX:
            raise binder.error("54001", f"too many grouping sets present (maximum {SETS_MAX})")
        sets = [left + right for left, right in product(sets, item)]
    found = [tuple(sorted(set(keys))) for keys in sets]
    return list(dict.fromkeys(found)) if is_distinct else found


def sets_of_item(binder, node, key_of):
    """The sets that one item of GROUP BY, or of GROUPING SETS, stands for. Raises 54011 for too large a CUBE."""
    fields = node.get("GroupingSet")
    if fields is None:
        return [keys_of_element(node, key_of)]
    kind, content = fields["kind"].removeprefix("GROUPING_SET_"), fields.get("content", ())
    if kind == "EMPTY":
        return [()]
    if kind == "SETS":
        return list(chain.from_iterable(sets_of_item(binder, part, key_of) for part in content))
    elements = [keys_of_element(part, key_of) for part in content]
    if kind == "CUBE" and len(elements) > CUBE_MAX:
        raise binder.error("54011", f"CUBE is limited to {CUBE_MAX} elements", fields.get("location", 0))
    counts = range(len(elements), -1, -1)
    chosen = [elements[:count] for count in counts] if kind == "ROLLUP" else \
        chain.from_iterable(combinations(elements, count) for count in counts)
    return [tuple(chain.from_iterable(each)) for each in chosen]


def keys_of_element(node, key_of):
    """The keys of an expression, or of several in parentheses: (a, b)."""
    if node.get("RowExpr", {}).get("row_format") == "COERCE_IMPLICIT_CAST":
        return tuple(chain.from_iterable(keys_of_element(part, key_of) for part in node["RowExpr"].get("args", ())))
    return (key_of(node),)


@rule("GroupingFunc")
def bind_grouping(scope, fields, node):
    """GROUPING(a, b): like an aggregate it belongs to the innermost query that its columns are of."""
    binder, location, nodes = scope.binder, fields.get("location", 0), fields["args"]
    if len(nodes) > ARGUMENTS_MAX:
        raise binder.error("54023", f"GROUPING must have fewer than {ARGUMENTS_MAX + 1} arguments", location)
    before, scope.in_aggregate = scope.in_aggregate, True
    call = GroupingCall(tuple(bind_expression(scope, argument) for argument in nodes))
    scope.in_aggregate = before
    level = scope.home_of(call)
    check_place(level, location, "grouping operations")
    if level is scope:
        return call
    column = binder.at(new_column("grouping", call.type, None, False), call.arguments[0])
    level.outer_groupings.append((column, call))
    return scope.of_level(level, column)
