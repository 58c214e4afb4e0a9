"""From a plan to machine code.

    plan ─ pipelines.Builder ─▶ Pipeline(source, steps, sink) ─ stage(kernel) ─▶ IR text ─ jit ─▶ Program
                                                                                      │
                                              memory and disk caches, tiers fast, plain and o3

    pipelines.py    cuts a plan where all rows are needed first; each cut is the end of one pipeline
    jit.py          text to object bytes to a callable; the helper process; the only file that imports llvmlite
    routines.py     takes a text apart: what a program does by itself, and routines that programs share
    decoders.py     one compiled function for each encoding of stored columns
"""
