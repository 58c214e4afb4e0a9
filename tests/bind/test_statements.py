"""Statements other than SELECT, parameters, and plans: what the binder makes of them."""
import pytest

from caldera import functions
from caldera.base.errors import Error
from caldera.bind import bind
from caldera.bind.definitions import quoted
from caldera.bind.names import edit_distance
from caldera.execute.session import Session
from caldera.plan import nodes
from caldera.plan.expressions import Constant, InList
from caldera.query import execute
from caldera.sql.parse import parse_one
from caldera.storage.database import Database
from caldera.types.columns import to_text


@pytest.fixture
def session():
    functions.load()
    session = Session(Database())
    run(session, "create table t (a int not null, b varchar(3), c text default 'x' || 'y', d numeric(5,2) default 1)")
    yield session
    session.database.close()


def run(session, text):
    """The rows of the last statement as tuples of texts, or its tag."""
    result = list(execute(session, text))[-1]
    if result.columns is None:
        return result.tag
    return list(zip(*(to_text(column.type, column.values, column.valid, session) for column in result.columns)))


def bound(session, text, parameter_types=None):
    """The plan of one statement."""
    with session.statement():
        return bind(parse_one(text), session, session.view, parameter_types)


def error_of(session, text):
    """(SQLSTATE, message, position) of the error that a statement meets."""
    with pytest.raises(Error) as caught:
        run(session, text)
    return caught.value.sqlstate, caught.value.message, caught.value.position


# The right values are PostgreSQL 18's.
WRONG = [
    ("insert into t values (1, 2, 3, 4, 5)", "42601", "INSERT has more expressions than target columns", 35),
    ("insert into t (a, b) values (1)", "42601", "INSERT has more target columns than expressions", 19),
    ("insert into t (a, zz) values (1, 2)", "42703", 'column "zz" of relation "t" does not exist', 19),
    ("insert into t (a, a) values (1, 2)", "42701", 'column "a" specified more than once', 19),
    ("insert into t values ('x')", "22P02", 'invalid input syntax for type integer: "x"', 23),
    ("insert into t values (date '2020-01-01')", "42804",
     'column "a" is of type integer but expression is of type date', 28),
    ("insert into t select true", "42804", 'column "a" is of type integer but expression is of type boolean', 22),
    ("insert into t values (1), (2, 3)", "42601", "VALUES lists must all be the same length", 28),
    ("insert into nope values (1)", "42P01", 'relation "nope" does not exist', 13),
    ("insert into t values (sum(1))", "42803", "aggregate functions are not allowed in VALUES", 23),
    ("insert into t values (a)", "42703", 'column "a" does not exist', 23),
    ("create table u (a int not null null)", "42601",
     'conflicting NULL/NOT NULL declarations for column "a" of table "u"', 32),
    ("create table u (a int default 1 default 2)", "42601",
     'multiple default values specified for column "a" of table "u"', 33),
    ("create table u (a int default true)", "42804",
     'column "a" is of type integer but default expression is of type boolean', None),
    ("create table u (a int, b int default a)", "0A000", "cannot use column reference in DEFAULT expression", 38),
    ("create table u (a int default sum(1))", "42803", "aggregate functions are not allowed in DEFAULT expressions", 31),
    ("create table u (a int default (select 1))", "0A000", "cannot use subquery in DEFAULT expression", 31),
    ("create table u (a int, a text)", "42701", 'column "a" specified more than once', None),
    ("create table u (a nope)", "42704", 'type "nope" does not exist', 19),
    ("create table u (a int default 'x')", "22P02", 'invalid input syntax for type integer: "x"', 31),
    ("create table u (a text collate nope)", "42704", 'collation "nope" for encoding "UTF8" does not exist', 24),
    ("create table u (a int collate \"C\")", "42804", "collations are not supported by type integer", 23),
    ("create table u (a int, ctid int)", "42701", 'column name "ctid" conflicts with a system column name', None),
    ("create table nope.u (a int)", "3F000", 'schema "nope" does not exist', 14),
    ("create table nope.u as select 1", "3F000", 'schema "nope" does not exist', None),
    ("create view nope.u as select 1", "3F000", 'schema "nope" does not exist', None),
    ("create table u (a int) using nope", "42704", 'access method "nope" does not exist', None),
    ("create table u(x, y) as select 1", "42601", "too many column names were specified", None),
    ("create view w(x, y) as select 1", "42601", "CREATE VIEW specifies more column names than columns", None),
    ("drop table nope", "42P01", 'table "nope" does not exist', None),
    ("drop view t", "42809", '"t" is not a view', None),
    ("truncate nope", "42P01", 'relation "nope" does not exist', None),
    ("copy t from 'x' (format nope)", "22023", 'COPY format "nope" not recognized', 18),
    ("copy t from 'x' (nope 1)", "42601", 'option "nope" not recognized', 18),
    ("copy t from 'x' (format csv, format csv)", "42601", "conflicting or redundant options", 30),
    ("copy t from 'x' (quote '!')", "0A000", "COPY QUOTE requires CSV mode", None),
    ("copy t (zz) from 'x'", "42703", 'column "zz" of relation "t" does not exist', None),
    ("explain (nope) select 1", "42601", 'unrecognized EXPLAIN option "nope"', 10),
    ("explain (format nope) select 1", "22023", 'unrecognized value for EXPLAIN option "format": "nope"', 10),
    ("set nope = 1", "42704", 'unrecognized configuration parameter "nope"', None),
]


@pytest.mark.parametrize("text, state, message, position", WRONG)
def test_a_wrong_statement_is_refused_in_postgresqls_words(session, text, state, message, position):
    assert error_of(session, text) == (state, message, position)


@pytest.mark.parametrize("text", [
    "update t set a = 1", "delete from t", "select a from t for update", "create index on t (a)",
    "create table u (a int primary key)", "create table u (a int check (a > 0))", "create table u (a serial)",
    "insert into t values (1) returning a", "merge into t using t x on true when matched then delete",
    "copy t from stdin", "create table u (a inet[])", "create table u (a inet)"])
def test_what_caldera_lacks_is_said_so(session, text):
    assert error_of(session, text)[0] == "0A000"


def test_columns_left_out_get_their_defaults_and_values_are_assigned(session):
    run(session, "insert into t values (1); insert into t values ('2', 'b', default, 2.345)")
    run(session, "insert into t (d, a) select '7', 8")
    assert run(session, "select * from t order by a") == [
        ("1", None, "xy", "1.00"), ("2", "b", "xy", "2.35"), ("8", None, "xy", "7.00")]


def test_a_default_is_cut_out_of_the_statement_as_it_was_written(session):
    run(session, "create table u (a text default 'a,)' || ('b') not null, b int constraint z not null default (1 + 2), "
                 "c text default null collate \"C\", d int default 5)")
    with session.statement():
        entry = session.view.find_relation(None, "u")
    assert [column.default for column in entry.columns] == ["'a,)' || ('b')", "(1 + 2)", "null", "5"]
    assert [column.nullable for column in entry.columns] == [False, False, True, True]


def test_like_copies_columns_and_defaults_only_if_asked(session):
    run(session, "create table u (like t, e int); create table w (like t including defaults)")
    with session.statement():
        plain, full = (session.view.find_relation(None, name) for name in "uw")
    assert [column.name for column in plain.columns] == ["a", "b", "c", "d", "e"]
    assert plain.columns[2].default is None and full.columns[2].default == "'x' || 'y'"


def test_a_view_keeps_its_text_and_its_names(session):
    run(session, "insert into t values (1), (2)")
    run(session, "create view v(p) as select a as q, 'as' as r from t as t2 where a > 1")
    with session.statement():
        written = session.view.find_relation(None, "v").query
    assert written == "select a as q, 'as' as r from public.t as t2 where a > 1"
    assert run(session, "select v.p, r from v") == [("2", "as")]
    assert error_of(session, "drop table t")[0] == "2BP01"


@pytest.mark.parametrize("name, written", [
    ("plain_1", "plain_1"), ("Upper", '"Upper"'), ("select", '"select"'), ('a"b', '"a""b"'), ("é", '"é"'), ("1a", '"1a"')])
def test_names_are_quoted_where_they_must_be(name, written):
    assert quoted(name) == written


def test_a_view_means_the_same_under_another_search_path(session):
    run(session, "create schema s; create table s.t (other int); create table only_here (é text)")
    run(session, "create view v as with t as (select 1 as x) select 'é', x, (select count(*) from only_here) from t")
    run(session, "create view w as select * from t")
    run(session, "insert into t values (5)")
    run(session, "set search_path = s, pg_catalog")
    assert run(session, "select a from public.w") == [("5",)]
    assert run(session, "select x from public.v") == [("1",)]


def test_a_table_made_of_a_query_has_its_types(session):
    run(session, "create table u(x) as select a + 1::int8 as y, b, 'z' as z from t with no data")
    with session.statement():
        columns = session.view.find_relation(None, "u").columns
    assert [(column.name, column.type.name, column.modifier) for column in columns] == [
        ("x", "int8", None), ("b", "varchar", (3,)), ("z", "text", None)]


def test_parameters_take_the_types_that_their_use_tells(session):
    types = []
    bound(session, "select a + $1, b || $2 from t where d = $3 and a in ($4, $5) limit $6", types)
    assert [type.name for type in types] == ["int4", "text", "numeric", "int4", "int4", "int8"]
    bound(session, "select a from t where $1 is null or a = $1", types := [])
    assert [type.name for type in types] == ["int4"]
    with pytest.raises(Error) as caught:
        bound(session, "select $1 is null", [])
    assert (caught.value.sqlstate, caught.value.message) == ("42P18", "could not determine data type of parameter $1")


def test_only_mentioned_columns_are_scanned(session):
    plan = bound(session, "select count(*) from t where c = 'x' and a > 1")
    scan = plan
    while scan.inputs:
        scan = scan.inputs[0]
    assert [name for _, name in scan.columns] == ["a", "c"]


def test_a_constant_in_list_is_a_set_and_an_array_too(session):
    for text in ("select a in (1, 2, null, 2) from t", "select a = any ('{1,2,NULL,2}') from t"):
        (_, expression), = bound(session, text).input.items
        assert isinstance(expression, InList) and expression.values == (1, 2) and expression.has_null


def test_literals_are_read_while_binding_unless_they_depend_on_the_moment(session):
    (_, fixed), (_, moving) = bound(session, "select date '2020-01-01', date 'today'").input.items
    assert isinstance(fixed, Constant) and not isinstance(moving, Constant)


def test_a_hidden_sort_column_is_dropped_at_the_end(session):
    plan = bound(session, "select a from t order by b")
    assert isinstance(plan, nodes.Query) and [column.name for column in plan.output] == ["a"]


def test_common_table_expressions_are_bound_where_they_are_named(session):
    run(session, "insert into t values (1), (2)")
    query = "with x as (select a * 10 as m from t), y(n) as (select m + 1 from x) select n from y order by 1"
    assert run(session, query) == [("11",), ("21",)]


def test_edit_distance_counts_changed_characters():
    assert [edit_distance(*pair) for pair in (("kitten", "sitting"), ("a", ""), ("same", "same"))] == [3, 1, 0]
