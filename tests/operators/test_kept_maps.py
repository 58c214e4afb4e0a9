"""Values of expressions over a dictionary are kept with the part; only the same expression may find them again."""
import caldera


def answers(*queries):
    """The only value of each query, over a column table whose text column has a dictionary."""
    with caldera.connect() as connection:
        connection.execute_text("CREATE TABLE t (x text)")
        connection.execute_text("INSERT INTO t SELECT 'abcde' FROM generate_series(1, 100000)")
        connection.execute_text("VACUUM")
        return [connection.execute_text(query)[1][0][0] for query in queries]


def test_constants_of_other_types_make_another_expression():
    by_type = [f"SELECT max((length(x) / 2::{type})::int) FROM t" for type in ("int", "float8", "numeric")]
    assert answers(*by_type) == ["2", "2", "3"]


def test_constants_that_are_equal_but_show_apart_make_another_expression():
    queries = "SELECT max(x || 1.0), max(x || 1.00) FROM t", "SELECT max(x || 1.00) FROM t"
    assert answers(*queries) == ["abcde1.0", "abcde1.00"]
