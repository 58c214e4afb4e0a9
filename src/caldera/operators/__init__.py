"""Operators: what pipelines are made of, as generators over staged blocks.

    source.blocks(k) ─▶ step.blocks(k, blocks) ─▶ ... ─▶ sink.consume(k, blocks)          staged once, one fused loop
    open(run) before: look at the data, take memory          finish() behind: the columns, or the next pipeline's source

    scan.py filter.py project.py aggregate.py sort.py limit.py       one file for each kind of node, with all its aspects:
    values.py series.py function_scan.py row_fetch.py table_facts.py   what EXPLAIN says, rows and costs, its pipeline pieces
    append.py repeat.py common_scan.py recursion.py grouping_sets.py join.py window.py expand.py sample.py shared.py

    pipeline.py  Source, Sink, Stream, Pipeline: what is built   collect.py   the sink of results, which sort.py extends
    morsels.py   sources that workers share                      row_count.py   a step for EXPLAIN ANALYZE
    rows_in_memory.py   columns in memory as a source, or as the result

    grouping.py  rows to groups: code_table.py by small numbers, kernel.structures.group_table by hash
    evaluate.py  expressions, staged row by row; evaluate_arrays.py, evaluate_records.py; constants.py: what they take from
                 memory; python_calls.py: plain Python
    dictionary.py  expressions over a text column, evaluated once for each entry of its dictionaries
    aggregate_use.py  one aggregate's cells; kept_values.py: the values that percentiles are taken from
    key_filter.py     what a join knows of its keys, for the rows that will look for partners
    direct_rows.py    partners by the key itself; row_search.py: by bisection
    seen_rows.py      which rows a recursion has given already
    window_rows.py    partitions, peers and frames of sorted rows; window_aggregates.py: aggregates over frames

    larger than memory: join_spill.py, sort_runs.py, spilled_rows.py (of hash tables), spilled_columns.py (of sinks)

Each file registers an Operator (plan.operator) for its node. Sources, steps and sinks have `words` for EXPLAIN. An operator
that may find its work done, or needless, guards its pipeline (`wanted`, `ended`).
"""
import importlib
import pkgutil

for module in pkgutil.iter_modules(__path__):           # so that a new operator is one new file, besides its node
    importlib.import_module(f"{__name__}.{module.name}")
