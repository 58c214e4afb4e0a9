"""The shell beside psql: the same script, the same output, to the character."""
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.oracle, pytest.mark.xdist_group("oracle")]

SCRIPT = r"""
\set ON_ERROR_STOP off
create temporary table t (id int, name text, amount numeric(10,2), moment timestamp);
insert into t values (1, 'plain', 1.5, '2024-02-29 12:00'), (200, E'two\nlines', null, null),
    (3, '', -12345.67, '2000-01-01');
select * from t order by id;
select id, name as "a long name for a short column", name as "two
lines" from t order by id;
select * from t where false;
select 1 as a, 'x' as b \gx
\x
select * from t order by id;
select * from t where false;
\x
\pset null '(null)'
select amount from t order by id;
\t
select id, name from t order by id;
\t
\a
select id, amount from t order by id;
\a
select '日本' as wide, 'é' as narrow, E'tab\there' as tab, 12345678 as number;
\echo 'one  two' three
\set n 7
\set word it''s
select :n + 1 as n, :'word' as w;
selec 1;
select 1 +
  nothing;
select 1 / 0;
select * from missing;
select 'a' || ;
begin;
select 1/0;
select 1;
rollback;
select 'not; a; statement' as "semi;colon", $$dollar;$$ as d; select 2 as second;
/* comments /* nest; */ */ select 3 as three; -- and end; here
select 4
"""
slow = pytest.mark.slow
FORMS = [[], ["-x"], *(pytest.param(options, marks=slow) for options in (
    ["-t"], ["-A"], ["-A", "-t"], ["-A", "-F", ","], ["--csv"], ["-q"]))]


def run(command, script):
    """(standard output and errors in the order of lines, exit status) of a shell that is given a script."""
    done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=120)
    return done.stdout, done.stderr, done.returncode


@pytest.mark.parametrize("options", FORMS, ids=" ".join)
def test_the_shell_prints_what_psql_prints(oracle, options):
    psql = [str(oracle.binaries / "bin" / "psql"), "-X", "-d", oracle.conninfo, *options]
    expected_out, expected_err, expected_status = run(psql, SCRIPT)
    out, err, status = run([sys.executable, "-m", "caldera", *options], SCRIPT)
    assert out.splitlines() == expected_out.splitlines()
    assert without_place(err) == without_place(expected_err)
    assert status == expected_status == 0


def without_place(errors):
    """Lines of errors without the program and line in front."""
    return [line.partition(": ")[2] if line.startswith(("psql:", "caldera:")) else line for line in errors.splitlines()]


@pytest.mark.parametrize("arguments", [["-c", "select 1/0", "-c", "select 2"], ["-v", "ON_ERROR_STOP=1", "-f", "-"],
                                       ["-c", "select 1;"], ["-f", "/does/not/exist"], ["--no-such-option"]])
def test_a_failing_statement_ends_the_shell_with_psqls_output_and_a_status(oracle, arguments):
    """psql ends with status 1 or 3 for a statement that fails; here it is always 3."""
    psql = [str(oracle.binaries / "bin" / "psql"), "-X", "-d", oracle.conninfo, *arguments]
    out, err, status = run([sys.executable, "-m", "caldera", *arguments], "select 1/0;\nselect 2;\n")
    if "-c" in arguments:
        psql[1:1] = ["-v", "ON_ERROR_STOP=1"]
    expected_out, _, expected_status = run(psql, "select 1/0;\nselect 2;\n")
    assert out == expected_out
    assert (status != 0) == (expected_status != 0)
    assert status == (0 if expected_status == 0 else 3 if "ERROR" in err else 1)
