"""Random queries over random tables: compared with PostgreSQL and with themselves, from a seed; what fails is made small.

    python -m tests.fuzz --seed 7 --queries 1000

    Random(seed) ─▶ Schema (tables, rows, layout) ──▶ both engines
                 └▶ Case (a SELECT, a check) ───────▶ check: holds in all configurations? ─ no ─▶ shrink ─▶ corpus

    tables.py        random tables            checks.py      PostgreSQL, TLP, NoREC: what must hold of a query's answers
    expressions.py   random expressions       explained.py   differences that are not faults, with their reasons
    queries.py       random SELECTs           shrinking.py   the smallest query and tables that still fail
    engines.py       both engines, loaded     campaign.py    many cases from a seed, and the reports

What SQL leaves open is not generated: equal keys that look different (1.0 and 1.00), float sums that depend on the order
(floats that are summed are small multiples of 1/4), window functions and LIMITs in subqueries over rows that tie, errors
that only some orders of evaluation meet (what can fail is guarded by CASE).
"""
