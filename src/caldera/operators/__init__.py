"""Operators: what pipelines are made of, as generators over staged blocks.

    source.blocks(k) ─▶ step.blocks(k, blocks) ─▶ ... ─▶ sink.consume(k, blocks)          staged once, one fused loop
    open(run) before: look at the data, take memory          finish() behind: the columns, or the next pipeline's source

    sources      scan.py (tables, series, columns in memory), aggregate.Groups, dictionary.DictionarySource
    steps        filter.py, project.py, limit.py
    sinks        collect.py (results), aggregate.py, sort.py (ORDER BY, top-N), dictionary.MapSink

    grouping.py  rows to groups: code_table.py by small numbers, kernel.structures.group_table by hash
    evaluate.py  expressions, staged row by row; constants.py: what they take from memory; python_calls.py: plain Python
    dictionary.py  expressions over a text column, evaluated once for each entry of its dictionaries
    aggregate_use.py  one aggregate's cells; row_fetch.py: columns read late; table_facts.py: answers without reading rows

An operator that may find its work done, or needless, guards its pipeline (`wanted`, `ended`).
"""
