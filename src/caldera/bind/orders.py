"""ORDER BY x USING > NULLS LAST: what a key of an order says, wherever there are orders: queries, aggregates, windows."""
from caldera.bind.binder import strings
from caldera.bind.conversions import check_order
from caldera.plan.expressions import SortKey


def sort_key(binder, fields, expression):
    """The SortKey of a SortBy over an expression that is bound already."""
    descending = fields.get("sortby_dir") == "SORTBY_DESC"
    if fields.get("sortby_dir") == "SORTBY_USING":
        operator = strings(fields["useOp"])[-1]
        if operator not in ("<", ">"):
            raise binder.error("42809", f"operator {operator} is not a valid ordering operator", fields.get("location", 0),
                               hint='Ordering operators must be "<" or ">" members of btree operator families.')
        descending = operator == ">"
    check_order(binder, expression)
    nulls = fields.get("sortby_nulls", "SORTBY_NULLS_DEFAULT")
    nulls_first = descending if nulls == "SORTBY_NULLS_DEFAULT" else nulls == "SORTBY_NULLS_FIRST"
    return SortKey(expression, descending, nulls_first)
