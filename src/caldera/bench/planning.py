"""`python -m caldera.bench.planning`: how long joins of many tables are planned, by the form of their graph.

    chain       each table is joined with the next
    cycle       a chain whose ends are joined too
    star        one table is joined with all others
    clique      each pair of tables has a condition of its own
    class       one column of all tables is equal
    snowflake   a star whose arms are chains of three tables

Times are processor time for binding and optimizing, the least of some runs; the same loop as in `code_waits` tells how
fast the machine is. `--profile` shows where the time of the last form goes.
"""
import argparse
import cProfile
import pstats
import random
import sys
import time

from caldera.bench.code_waits import LOOP_TURNS, loop_ms

ROWS_MAX = 1000                 # of a table; each has its own number of rows


def edges_of(form, count):
    """The pairs of tables that a condition connects."""
    chain = [(number, number + 1) for number in range(count - 1)]
    arms = [(0 if number % 3 == 1 else number - 1, number) for number in range(1, count)]
    return {"chain": chain, "cycle": [*chain, (0, count - 1)], "star": [(0, number) for number in range(1, count)],
            "clique": [(one, other) for other in range(count) for one in range(other)], "class": chain,
            "snowflake": arms}[form]


def query_of(form, count):
    """A query that joins tables t0, t1, ... of `tables_of` in a form."""
    if form == "class":
        conditions = [f"t{one}.c0 = t{other}.c0" for one, other in edges_of(form, count)]
    else:
        conditions = [f"t{one}.c{other} = t{other}.c{one}" for one, other in edges_of(form, count)]
    return f"SELECT count(*) FROM {', '.join(f't{number}' for number in range(count))} WHERE {' AND '.join(conditions)}"


def tables_of(count):
    """A connection with tables of count columns each, filled and analyzed."""
    import caldera
    connection, sizes = caldera.connect(), random.Random(count)
    for number in range(count):
        columns = ", ".join(f"i % {sizes.randint(2, ROWS_MAX)} AS c{column}" for column in range(count))
        series = f"generate_series(1, {sizes.randint(1, ROWS_MAX)}) AS g (i)"
        connection.sql(f"CREATE TABLE t{number} AS SELECT {columns} FROM {series}")
        connection.sql(f"ANALYZE t{number}")
    return connection


def planning_ms(connection, text, rounds):
    """Processor time from syntax tree to plan, in ms: the least of some rounds."""
    from caldera.bind import bind
    from caldera.optimize import optimize
    from caldera.sql.parse import parse
    session, times = connection.session, []
    statement = next(iter(parse(text)))
    for _ in range(rounds):
        with session.statement():
            started = time.thread_time()
            optimize(bind(statement, session, session.view, None), session)
            times.append((time.thread_time() - started) * 1e3)
    return min(times)


def main(arguments=None):
    """Run the command; the exit status is 0 whatever the figures are."""
    parser = argparse.ArgumentParser(prog="python -m caldera.bench.planning", description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--forms", default="chain,cycle,star,snowflake,class,clique")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args(arguments)
    connection, forms = tables_of(options.tables), options.forms.split(",")
    for form in forms:
        print(f"{form:<10} {planning_ms(connection, query_of(form, options.tables), options.rounds):>8.1f} ms", flush=True)
    print(f"a loop of {LOOP_TURNS} turns: {loop_ms():.1f} ms")
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(planning_ms, connection, query_of(forms[-1], options.tables), 1)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
    return 0


if __name__ == "__main__":
    sys.exit(main())
