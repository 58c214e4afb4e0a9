"""The binder: what a syntax tree means. Names become columns, literals get types, overloads are chosen, casts appear.

    bind(statement, session, catalog) ── STATEMENT_RULES[statement.kind] ──▶ plan
      select.py       SELECT: order of clauses, output names ──▶ Scan ▸ Filter ▸ Aggregate ▸ Window ▸ Project ▸ Sort ▸ Limit
      sources.py      FROM ──▶ scope.py: which names mean which columns; joins.py; sampling.py: TABLESAMPLE
      common_tables.py, recursion.py, search_and_cycle.py      WITH; set_operations.py: UNION, INTERSECT, EXCEPT
      grouping.py     GROUP BY and aggregates; grouping_sets.py: which sets of keys a clause means; hypothetical.py
      windows.py      OVER; first_rows.py: DISTINCT ON, WITH TIES
      set_returning.py      functions that give several rows; function_rows.py: functions in FROM
      expressions.py, operators.py, calls.py, subqueries.py      one rule for each kind of expression (rules.py)
      orders.py       the keys of ORDER BY, in queries, aggregates and windows
      overloads.py    which of the functions of one name is meant; conversions.py: which type becomes which, and how
      records.py      ROW(a, b), t.*, (r).a; record_types.py: which records become which
      typenames.py    numeric(10,2); arrays.py: what stands behind ANY; json.py: IS JSON, JSON_OBJECT
      files.py        FROM 'x.csv'; defaults.py: of columns
      types.py, range_types.py, domains.py     users' types
      insert.py, copy.py, definitions.py, prepared.py, cursors.py, settings.py     the other statements

What it asks of others: `catalog` is a caldera.catalog.view.CatalogView; `session` gives `setting(name)` and `now()` to types
and what utility statements need when they run (statements.py).
"""
from caldera.bind import (  # noqa: F401  they enter their rules
    copy, cursors, definitions, domains, expressions, insert, json, prepared, range_types, settings, subqueries, types)
from caldera.bind.statements import bind  # noqa: F401
