"""Plans: what is to be done with rows, as a tree of frozen values that print.

    bind ─▶ nodes of expressions ─ optimize: walk, predicates ─▶ the same vocabulary ─ compile ─▶ pipelines
                        │                                               └─ outline ─▶ EXPLAIN
                        └─ spec: what is legal after which stage

    nodes.py          Scan, Filter, Project, Aggregate, Sort, ...: logical nodes and algorithms are one vocabulary
    expansion.py      the node Expand: rows that come once for each element of lists
    basis.py          Node: what all of them have in common
    expressions.py    Column, Constant, Call, And, Case, AggregateCall, ...: typed; every Column has an id of its own
    arrays.py, records.py   expressions over arrays, records       windows.py   calls of window functions, and their frames
    operator.py       what the engine asks about the work of a node; operators/ answers
    walk.py           all nodes or expressions of a plan; the same plan with something replaced
    predicates.py     conditions taken apart: conjuncts, comparisons with what is fixed
    volatility.py     what gives the same again
    spec.py           checks of a whole plan, made under tests after each stage
    outline.py        a plan in the layout of PostgreSQL's EXPLAIN
"""
