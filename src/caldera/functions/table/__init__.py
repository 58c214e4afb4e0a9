"""Set-returning functions in plain Python: each yields rows of datums.

generate_series of integers is a node of the plan; unnest needs no function, since its argument is the list (plan.expansion).
"""
