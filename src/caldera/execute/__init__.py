"""Running statements: sessions, runs, workers.

    Session.statement() ─▶ snapshot ─▶ split_plan.split(plan) ─▶ Run.run(pipeline), one after the other ─▶ actions.perform
                                                                   │
                  open what it needs ─▶ stage, unless it is known ─▶ program of a tier ─▶ workers claim morsels ─▶ faults?

    session.py          settings, the transaction block, kept plans; `cancel` from any thread
    split_plan.py       subqueries first, then pipelines in order
    run.py              one execution: memory, tiers, workers, cancel and timeouts, errors
    python_kernel.py    the Python kernel inside a run, for tiny inputs and as the oracle
    constants.py        the value of one expression, now
    actions.py          what becomes of the rows: a Result, an insertion, a file        streaming.py   files batch by batch
    cursors.py          queries whose rows are computed as they are fetched; kept_chunks.py: those that a cursor keeps
    explain.py          EXPLAIN [ANALYZE]
"""
