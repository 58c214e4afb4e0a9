"""Aggregates: a class each, registered with @aggregate. registry.Aggregate says what they consist of.

    counting, sums, totals (of the optimizer), extremes, logic      staged: cells in the group's row
    variance, regression                                            staged; settled in Python once per group
    strings, arrays, json, ordered                                  plain Python over the rows in order
    hypothetical                                                    counts of rows, by the binder
"""
