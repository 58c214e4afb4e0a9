"""What a jsonpath finds in a jsonb.

    evaluation.py    Evaluation(path, document, variables, ...).items() ─▶ the values found, one by one
    methods.py       .type(), .double(), .datetime() and the other methods: value ─▶ value
    moments.py       dates and times, which JSON itself does not have
    places.py        where a container lies in PostgreSQL's jsonb: the ids that .keyvalue() gives

Values are those of types.json_values. What goes wrong is raised where it is found; predicates, and functions that are asked
to be silent, take it for "unknown".
"""
