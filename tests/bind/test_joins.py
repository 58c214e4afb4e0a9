"""What joins refuse, in PostgreSQL's words; tests/corpus/joins.sql compares answers and SQLSTATEs."""
import pytest

import caldera

TABLES = ("CREATE TABLE a (id int, x int)", "CREATE TABLE b (id int8, y int)", "CREATE TABLE c (id int, z text)")
NOT_HERE = 'There is an entry for table "{}", but it cannot be referenced from this part of the query.'
MESSAGES = {                            # the join: SQLSTATE, message, detail
    "a JOIN b ON a.id = c.id JOIN c ON true": ("42P01", 'missing FROM-clause entry for table "c"', None),
    "a, b JOIN c ON a.id = c.id": ("42P01", 'invalid reference to FROM-clause entry for table "a"', NOT_HERE.format("a")),
    "(a JOIN c USING (id)) AS j WHERE a.x = 1": ("42P01", 'invalid reference to FROM-clause entry for table "a"',
                                                NOT_HERE.format("a")),
    "a JOIN b ON true JOIN c USING (id)": ("42702", 'common column name "id" appears more than once in left table', None),
    "a JOIN c USING (z)": ("42703", 'column "z" specified in USING clause does not exist in left table', None),
    "a JOIN c USING (x)": ("42703", 'column "x" specified in USING clause does not exist in right table', None),
    "a JOIN c USING (id, id)": ("42701", 'column name "id" appears more than once in USING clause', None),
    "a JOIN a ON true": ("42712", 'table name "a" specified more than once', None),
    "a JOIN b ON a.id": ("42804", "argument of JOIN/ON must be type boolean, not type integer", None),
    "a JOIN b ON sum(a.id) = 1": ("42803", "aggregate functions are not allowed in JOIN conditions", None),
    "(a JOIN c USING (id)) AS j (p, q, r, s)": (
        "42P10", 'join expression "j" has 3 columns available but 4 columns specified', None),
}


@pytest.mark.parametrize("join", MESSAGES)
def test_a_join_is_refused_in_the_words_of_postgresql(join):
    with caldera.connect() as connection:
        for statement in TABLES:
            connection.execute(statement)
        with pytest.raises(caldera.Error) as caught:
            connection.execute(f"SELECT 1 FROM {join}")
        assert (caught.value.sqlstate, caught.value.message, caught.value.detail) == MESSAGES[join]
