"""JOIN: sides, conditions, and the columns that USING and NATURAL merge.

    a LEFT JOIN b USING (x)     sources a, b, and a JoinSource over both: x, the rest of a, the rest of b
                                names: a.x, b.x, x;  b's columns are nullable from here on

The sides stay in the scope, for qualified names; the join stands for their bare ones. A condition sees its own sides only.
"""
from caldera.bind.binder import strings
from caldera.bind.conversions import common_type, to_boolean, to_common_type
from caldera.bind.operators import apply
from caldera.bind.rules import bind_expression
from caldera.bind.scope import JoinSource
from caldera.plan.expressions import Coalesce
from caldera.plan.predicates import conjunction

KINDS = {"JOIN_INNER": "inner", "JOIN_LEFT": "left", "JOIN_RIGHT": "right", "JOIN_FULL": "full"}
NULLED = {"inner": (), "left": ("right",), "right": ("left",), "full": ("left", "right")}


def bind_join(scope, fields):
    """Put a JoinExpr into scope: its sides, then a JoinSource over them."""
    kind = KINDS[fields["jointype"]]
    if "join_using_alias" in fields:
        raise scope.binder.unsupported("an alias of USING is")
    left, left_sources = bind_side(scope, fields["larg"])
    before, scope.not_lateral = scope.not_lateral, scope.not_lateral + (left_sources if kind in ("right", "full") else [])
    right, right_sources = bind_side(scope, fields["rarg"])
    scope.not_lateral = before
    below = left_sources + right_sources
    left_columns, right_columns = visible_columns(left_sources), visible_columns(right_sources)
    if fields.get("isNatural"):
        common = [name for name, _ in left_columns if any(name == other for other, _ in right_columns)]
        merged, condition = merge(scope, kind, list(dict.fromkeys(common)), left_columns, right_columns)
    elif "usingClause" in fields:
        merged, condition = merge(scope, kind, strings(fields["usingClause"]), left_columns, right_columns)
    else:
        merged, condition = [], bind_condition(scope, fields["quals"], below) if "quals" in fields else None
    for side in NULLED[kind]:
        for source in left_sources if side == "left" else right_sources:
            source.nulled = True
    taken = {name for name, _ in merged}
    columns = merged + [pair for pair in left_columns + right_columns if pair[0] not in taken]
    alias, names = None, [name for name, _ in columns]
    if "alias" in fields:
        given = strings(fields["alias"].get("colnames", ()))
        alias = fields["alias"]["aliasname"]
        if len(given) > len(names):
            raise scope.binder.error("42P10", f'join expression "{alias}" has {len(names)} columns available but '
                                              f"{len(given)} columns specified")
        names = given + names[len(given):]
    for source in below:
        source.open, source.named = False, source.named and alias is None
    scope.roots = [root for root in scope.roots if root is not left and root is not right]
    scope.add(JoinSource(alias, names, [column for _, column in columns], left, right, kind, condition))


def bind_side(scope, node):
    """(the Source on top of a side, all sources of the side)."""
    from caldera.bind.sources import bind_from
    before = len(scope.sources)
    bind_from(scope, [node])
    return scope.roots[-1], scope.sources[before:]


def visible_columns(sources):
    """Pairs (name, (source, number)) of the columns that a side has."""
    return [(name, (source, number)) for source in sources if source.open
            for number, name in enumerate(source.column_names)]


def bind_condition(scope, node, sources):
    """The condition of ON, which sees the sides of its join."""
    before = scope.sources, scope.unreachable, scope.clause, scope.aggregates_allowed
    scope.unreachable = scope.unreachable + [source for source in scope.sources if source not in sources]
    scope.sources, scope.clause, scope.aggregates_allowed = sources, "JOIN conditions", False
    try:
        return to_boolean(scope.binder, bind_expression(scope, node), "JOIN/ON")
    finally:
        scope.sources, scope.unreachable, scope.clause, scope.aggregates_allowed = before


def merge(scope, kind, names, left_columns, right_columns):
    """(pairs of a name and the function that makes the merged column's expression, the condition that they are equal).
    Raises 42703 and 42702 for names that a side has not, or has twice, and 42701 for one that is listed twice."""
    merged, conditions = [], []
    for number, name in enumerate(names):
        if name in names[:number]:
            raise scope.binder.error("42701", f'column name "{name}" appears more than once in USING clause')
        left, right = find(scope, name, left_columns, "left"), find(scope, name, right_columns, "right")
        merged.append((name, merged_expression(scope, kind, left, right)))
        conditions.append(apply(scope, "=", left[0].expression(left[1]), right[0].expression(right[1]), None))
    return merged, conjunction(conditions)


def merged_expression(scope, kind, left, right):
    """What a merged column is: the left side's or the right side's column, in their common type; of a full join whichever is
    not NULL."""
    def expression():
        sides = [source.expression(number) for source, number in (left, right)]
        type = common_type(scope.binder, sides, "JOIN/USING")
        sides = [to_common_type(scope.binder, side, type, "JOIN/USING") for side in sides]
        return Coalesce(tuple(sides), type) if kind == "full" else sides[kind == "right"]
    return expression


def find(scope, name, columns, side):
    """(source, number) of the only column of a name on one side."""
    found = [column for other, column in columns if other == name]
    if not found:
        raise scope.binder.error("42703", f'column "{name}" specified in USING clause does not exist in {side} table')
    if len(found) > 1:
        raise scope.binder.error("42702", f'common column name "{name}" appears more than once in {side} table')
    return found[0]
