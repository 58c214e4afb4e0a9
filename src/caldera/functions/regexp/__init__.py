"""Regular expressions as PostgreSQL has them: advanced (ARE), extended and basic syntax, POSIX longest matching.

    pattern ─ syntax.parse ─▶ Alternatives ─ dissection.plan ─▶ tree of Parts ─ each with its automaton ─▶ Regex.search
                                   │                                                                     └▶ machine (staged)
                                   └─ automaton: one NFA, a DFA built state by state while texts are scanned

A match is found in two steps (after Henry Spencer's design). First automata find where it starts, leftmost, and where it
ends, longest or shortest as the whole expression prefers. Then, if groups are asked for, the span is taken apart: each
concatenation is split where its left part ends longest (or shortest), provided that its right part matches the rest. An
expression prefers long matches or short ones by its first quantified atom that has a preference; alternation prefers long.
Only back references need backtracking.

`compiled(pattern, options)` is the entry, and remembers what it has compiled. Sets of characters are in charsets.
"""
