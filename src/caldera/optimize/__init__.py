"""The optimizer: a tuple of rules, each a pure function from plan to plan, applied in order.

    plan ─ RULES[0] ─▶ plan ─ RULES[1] ─▶ ... ─▶ plan

A rule is one file with one function `rule(plan, session)`; `SET disabled_rules = 'name, ...'` leaves rules out by name.

    constant_folding      expressions without columns           column_pruning    columns that nobody needs
    narrow_comparisons    columns compared in their own type    condition_order   cheap and selective conditions first
    simple_conditions     Boolean algebra                       scan_ranges       granules that conditions rule out
    predicate_push_down   conditions to where rows come from    table_facts       aggregates that segments know
    simple_orders         orders that make no difference        top_n             LIMIT over ORDER BY
    derived_keys          group keys that others decide         late_columns      columns of top-N's winners only
    totals                shared totals and counts              exists_limit      EXISTS stops at the first row
    join_order            small results early, small tables     build_sides       which rows semi joins keep
    key_filters           rows that will find no partner    range_joins       sorted rows for joins by comparisons
    eager_aggregation     groups below joins                common_tables     rows and columns that WITH queries need
    common_expressions    dear expressions that occur twice
    common_subplans       groups that are asked for twice

Before them all, `unnesting` makes joins of correlated subqueries and LATERAL; no plan runs without, so that it is no rule to
leave out. `common_subplans` and `common_tables` look at all plans of a statement, before the others look at each; they need
conditions that are pushed down, and the second one columns that are pruned.
`estimates.py` says how many rows nodes give and what they cost, by statistics of their tables: `selectivity.py` of
conditions, which `sampled.py` tries on a sample of rows, `join_estimates.py` of joins. `linear_order.py` helps `join_order`
where joins are many.
"""
from caldera.base.settings import BadValue, Setting, define
from caldera.optimize.build_sides import build_sides
from caldera.optimize.column_pruning import column_pruning
from caldera.optimize.common_expressions import common_expressions
from caldera.optimize.common_subplans import common_subplans
from caldera.optimize.common_tables import common_tables
from caldera.optimize.condition_order import condition_order
from caldera.optimize.constant_folding import constant_folding
from caldera.optimize.derived_keys import derived_keys
from caldera.optimize.eager_aggregation import eager_aggregation
from caldera.optimize.exists_limit import exists_limit
from caldera.optimize.join_order import join_order
from caldera.optimize.key_filters import key_filters
from caldera.optimize.late_columns import late_columns
from caldera.optimize.narrow_comparisons import narrow_comparisons
from caldera.optimize.predicate_push_down import predicate_push_down
from caldera.optimize.range_joins import range_joins
from caldera.optimize.scan_ranges import scan_ranges
from caldera.optimize.simple_conditions import simple_conditions
from caldera.optimize.simple_orders import simple_orders
from caldera.optimize.table_facts import table_facts
from caldera.optimize.totals import totals
from caldera.optimize.top_n import top_n
from caldera.optimize.unnesting import unnesting
from caldera.plan.walk import rewrite_plans

RULES = (common_subplans, common_tables, constant_folding, narrow_comparisons, simple_conditions, predicate_push_down,
         join_order, simple_orders, derived_keys, totals, eager_aggregation, exists_limit, column_pruning, condition_order,
         scan_ranges, table_facts, top_n, late_columns, build_sides, range_joins, key_filters, common_expressions)

OF_STATEMENTS = {common_subplans: {predicate_push_down},                # rules that look at all plans, and what they need
                 common_tables: {predicate_push_down, column_pruning}}
DECIDED_LATER = {"direct_groups", "scaled_numerics"}       # choices of operators when they open (grouping.py, scan.py)


def rule_names(text):
    """A list of rules that there are. Raises BadValue."""
    known = {rule.__name__ for rule in RULES} | DECIDED_LATER
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise BadValue(f'unrecognized optimizer rule "{name}"', hint=f"Available rules: {', '.join(sorted(known))}.")
    return ", ".join(names)


define(Setting("disabled_rules", "", rule_names, "Optimizer rules to leave out, separated by commas."))


def optimize(plan, session, rules=RULES):
    """The plan that will run. Correlated subqueries become joins, come what may; the others are optimized first, each by
    itself; one that is mentioned twice stays one."""
    disabled = {name.strip() for name in session.setting("disabled_rules").split(",")}
    chosen = [rule for rule in rules if rule.__name__ not in disabled]
    each_plan = [rule for rule in chosen if rule not in OF_STATEMENTS]

    for rule, needed in OF_STATEMENTS.items():
        if {rule, *needed} <= set(chosen):
            plan = rule(plan, session)

    def ruled(plan):
        for rule in each_plan:
            plan = rule(plan, session)
        return plan
    return rewrite_plans(plan, ruled, prepare=lambda plan: unnesting(plan, session))
