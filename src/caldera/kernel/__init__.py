"""The staged language: operators are written once, and either executed at once or compiled.

    operator text ─ verbs of a Kernel ─┬─ llvm.LlvmKernel: lines of LLVM IR, one function for each pipeline
                                       └─ python.PythonKernel: the same on real memory, now; the definition of each verb

    interface.py    types, values, structs, the verbs: read this first        blocks.py     blocks, rows, stages, guards
    nullable.py     Sql(value, valid): NULL, three-valued logic               layouts.py    how values lie in memory
    text.py         texts: cells of 16 bytes, comparing, hashing              utf8.py       characters
    decimal.py      numerics of two words                                     digits.py     numbers as digits
    scaled.py       numerics of one integer, where scale and bounds are known
    calendar.py     days, moments and intervals                               patterns.py   LIKE, searching for bytes
    json_walk.py    members and elements of JSON in its text                  json_order.py comparing and hashing jsonb
    structures/     data structures that own arrays: arenas, group and join tables, pooled memory

Nothing here knows SQL's types, functions or plans.
"""
