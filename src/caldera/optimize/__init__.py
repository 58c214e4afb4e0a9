"""The optimizer: a tuple of rules, each a pure function from plan to plan, applied in order.

    plan ─ RULES[0] ─▶ plan ─ RULES[1] ─▶ ... ─▶ plan

A rule is one file with one function `rule(plan, session)`; `SET disabled_rules = 'name, ...'` leaves rules out by name.
"""
from caldera.optimize.constant_folding import constant_folding
from caldera.optimize.top_n import top_n

RULES = (constant_folding, top_n)


def optimize(plan, session):
    """The plan that will run."""
    disabled = {name.strip() for name in session.setting("disabled_rules").split(",")}
    for rule in RULES:
        if rule.__name__ not in disabled:
            plan = rule(plan, session)
    return plan
