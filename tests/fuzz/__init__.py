"""Random queries over random tables: compared with PostgreSQL and with themselves, from a seed; what fails is made small.

    python -m tests.fuzz --seed 7 --queries 1000

    Random(seed) ─▶ Schema (tables, rows, layout) ──▶ both engines
                 └▶ Case (a SELECT, a check) ───────▶ check: holds in all configurations? ─ no ─▶ shrink ─▶ corpus

    tables.py          random tables, of columns       engines.py     both engines, loaded
    user_types.py      of these types, too             checks.py      PostgreSQL, TLP, NoREC: what must hold of answers
    templates.py       what is written for a type      explained.py   differences that are not faults, with reasons
    expressions.py     random expressions              shrinking.py   the smallest query and tables that still fail
    windows.py         calls over windows              campaign.py    many cases from a seed, and the reports
    set_returning.py   calls that give several rows
    recursion.py       recursive queries
    queries.py         random SELECTs
    mutation.py        SELECTs with something wrong

What SQL leaves open is not generated: equal keys that look different (1.0 and 1.00), float sums that depend on the order
(floats that are summed are small multiples of 1/4), window functions and LIMITs in subqueries over rows that tie, errors
that only some orders of evaluation meet (what can fail is guarded by CASE).
"""
