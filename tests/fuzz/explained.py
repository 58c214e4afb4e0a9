"""Differences from PostgreSQL that are no faults, each with its reason.

An entry is a function of the statement, PostgreSQL's Answer and ours, and whether PostgreSQL fails while it plans; its
docstring is the reason.
"""
OF_VALUES = {"21", "22", "23"}           # classes of errors that rows cause: of subqueries' rows, of data, of constraints


def constants_fail_in_planning(sql, theirs, ours, fails_in_planning):
    """PostgreSQL computes constant expressions while it plans, also those that no row would have needed."""
    return fails_in_planning and theirs.sqlstate.startswith("22") and not ours.failed


def other_row_fails_first(sql, theirs, ours, fails_in_planning):
    """Where several rows fail in different ways, which is met first depends on the plan."""
    return theirs.failed and ours.failed and {theirs.sqlstate[:2], ours.sqlstate[:2]} <= OF_VALUES


def failing_rows_beyond_the_limit(sql, theirs, ours, fails_in_planning):
    """LIMIT may be reached before the row that fails, depending on the plan."""
    return theirs.failed and theirs.sqlstate[:2] in OF_VALUES and not ours.failed and " LIMIT " in sql


def merge_joinable_only(sql, theirs, ours, fails_in_planning):
    """PostgreSQL has no FULL JOIN on conditions that it can neither hash nor merge; Caldera has."""
    return theirs.sqlstate == "0A000" and "FULL JOIN is only supported" in theirs.message


def too_large_for_postgresql(sql, theirs, ours, fails_in_planning):
    """The time for one query was over: nothing to compare with."""
    return theirs.sqlstate == "57014"


def records_of_other_types(sql, theirs, ours, fails_in_planning):
    """Records whose fields' types differ are refused when their types are known, not when the first two are compared."""
    return ours.failed and ours.sqlstate == "42804" and ours.message.startswith("cannot compare dissimilar column types")


EXPLAINED = (constants_fail_in_planning, other_row_fails_first, failing_rows_beyond_the_limit, merge_joinable_only,
             too_large_for_postgresql, records_of_other_types)


def explanation(sql, theirs, ours, fails_in_planning):
    """The name of the entry that explains a difference, or None."""
    return next((entry.__name__ for entry in EXPLAINED if entry(sql, theirs, ours, fails_in_planning)), None)
