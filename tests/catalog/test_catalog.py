"""The catalog: names, schemas, search_path, temporary relations, dependencies; in PostgreSQL's words."""
import threading

import pytest

from caldera.base.errors import Error
from caldera.catalog.columns import ColumnSchema
from caldera.catalog.search_path import creation_names, schema_names, split_identifiers
from caldera.storage.database import Database
from caldera.types.columns import to_datums
from caldera.types.registry import lookup
from tests.storage.databases import Session

COLUMNS = (ColumnSchema("a", lookup("int4")), ColumnSchema("b", lookup("varchar"), (10,), default="'x'"))


class Client:
    """One session and its transactions: what a test's sentences are made of."""

    def __init__(self, database, search_path='"$user", public'):
        self.database, self.session, self.transaction = database, Session(search_path), None

    @property
    def view(self):
        snapshot = self.database.snapshot() if self.transaction is None else self.transaction.snapshot()
        return self.database.catalog.view(snapshot, self.session)

    def begin(self):
        self.transaction = self.database.begin()
        return self

    def commit(self):
        self.transaction.commit()
        self.transaction = None

    def rollback(self):
        self.transaction.rollback()
        self.transaction = None

    def do(self, name, *arguments, **options):
        """Call a method of the catalog in the open transaction, or in one of its own."""
        if self.transaction is not None:
            return self.call(name, self.transaction, arguments, options)
        transaction = self.database.begin()
        try:
            result = self.call(name, transaction, arguments, options)
            transaction.commit()
            return result
        finally:
            transaction.rollback()

    def call(self, name, transaction, arguments, options):
        method = getattr(self.database.catalog, name)
        if name == "create_schema":
            return method(transaction, *arguments, **options)
        view = self.database.catalog.view(transaction.snapshot(), self.session)
        return method(transaction, view, *arguments, **options)

    def table(self, name, schema=None, **options):
        return self.do("create_table", schema, name, COLUMNS, **options)[0]

    def make_view(self, name, *reads, schema=None, **options):
        return self.do("create_view", schema, name, COLUMNS, f"SELECT * FROM {name}_source", [entry.oid for entry in reads],
                       **options)[0]

    def drop(self, *names, kind="table", **options):
        return self.do("drop_relations", kind, [(None, name) for name in names], **options)

    def find(self, name, schema=None):
        return self.view.find_relation(schema, name)


@pytest.fixture
def database(tmp_path):
    with Database(tmp_path / "db", durable=False, merging=False) as database:
        yield database


@pytest.fixture
def alice(database):
    return Client(database)


@pytest.fixture
def bob(database):
    return Client(database)


def fails(sqlstate, message, call, detail=None, hint=None):
    """The call raises this error."""
    with pytest.raises(Error) as caught:
        call()
    assert (caught.value.sqlstate, caught.value.message) == (sqlstate, message)
    assert detail is None or caught.value.detail == detail
    assert hint is None or caught.value.hint == hint


# ------------------------------------------------------------------------------------------------ who sees what

def test_ddl_is_seen_by_its_transaction_and_after_commit_by_all(alice, bob):
    alice.begin()
    entry = alice.table("t")
    assert alice.find("t") is entry and bob.find("t") is None
    alice.commit()
    assert bob.find("t") is entry
    bob.begin().drop("t")
    assert bob.find("t") is None and alice.find("t") is entry
    bob.rollback()
    assert bob.find("t") is entry


def test_a_rolled_back_table_leaves_its_name_free(alice, bob):
    alice.begin().table("t")
    alice.rollback()
    assert alice.find("t") is None and bob.table("t") is bob.find("t")


def test_a_table_may_be_dropped_and_made_again_in_one_transaction(alice, bob):
    old = alice.table("t")
    alice.begin().drop("t")
    new = alice.table("t")
    assert alice.find("t") is new and bob.find("t") is old
    alice.commit()
    assert bob.find("t") is new and old.oid != new.oid


def test_a_name_that_another_transaction_is_making_is_waited_for(alice, bob):
    alice.begin().table("t")
    outcome = []

    def make():
        try:
            outcome.append(bob.table("t"))
        except Error as error:
            outcome.append(error.sqlstate)
    thread = threading.Thread(target=make)
    thread.start()
    thread.join(0.1)
    assert thread.is_alive()
    alice.commit()
    thread.join(10)
    assert outcome == ["42P07"]


def test_a_schema_is_not_dropped_under_a_table_that_is_being_made(alice, bob):
    alice.do("create_schema", "s")
    alice.begin().table("t", "s")
    outcome = []

    def drop():
        try:
            bob.do("drop_schema", "s")
        except Error as error:
            outcome.append(error.sqlstate)
    thread = threading.Thread(target=drop)
    thread.start()
    thread.join(0.1)
    assert thread.is_alive()
    alice.commit()
    thread.join(10)
    assert outcome == ["2BP01"] or alice.find("t", "s") is not None


# ------------------------------------------------------------------------------------------------ errors

def test_names_that_exist_or_do_not(alice):
    alice.table("t")
    fails("42P07", 'relation "t" already exists', lambda: alice.table("t"))
    assert alice.do("create_table", None, "t", COLUMNS, if_not_exists=True) == (
        None, 'relation "t" already exists, skipping')
    fails("42P01", 'relation "u" does not exist', lambda: alice.view.resolve_relation(None, "u"))
    fails("42P01", 'relation "s.u" does not exist', lambda: alice.view.resolve_relation("s", "u"))
    fails("42P01", 'table "u" does not exist', lambda: alice.drop("u"))
    assert alice.drop("u", if_exists=True) == ['table "u" does not exist, skipping']
    fails("3F000", 'schema "s" does not exist', lambda: alice.table("t", "s"))
    fails("3F000", 'schema "s" does not exist', lambda: alice.do("drop_relations", "table", [("s", "t")]))
    fails("42701", 'column "a" specified more than once', lambda: alice.do("create_table", None, "w", COLUMNS[:1] * 2))
    fails("42809", '"t" is not a view', lambda: alice.drop("t", kind="view"), hint="Use DROP TABLE to remove a table.")


def test_schemas_that_exist_or_do_not(alice):
    alice.do("create_schema", "s")
    fails("42P06", 'schema "s" already exists', lambda: alice.do("create_schema", "s"))
    assert alice.do("create_schema", "s", if_not_exists=True) == (None, 'schema "s" already exists, skipping')
    fails("42939", 'unacceptable schema name "pg_s"', lambda: alice.do("create_schema", "pg_s"))
    fails("3F000", 'schema "r" does not exist', lambda: alice.do("drop_schema", "r"))
    assert alice.do("drop_schema", "r", if_exists=True) == ['schema "r" does not exist, skipping']
    fails("42501", 'permission denied to create "pg_catalog.t"', lambda: alice.table("t", "pg_catalog"))
    fails("2BP01", "cannot drop schema pg_catalog because it is required by the database system",
          lambda: alice.do("drop_schema", "pg_catalog"))


def test_engines_and_options_are_looked_at(alice):
    fails("42704", 'access method "heap2" does not exist', lambda: alice.table("t", engine="heap2"))
    fails("22023", 'unrecognized parameter "speed"', lambda: alice.table("t", options={"speed": "high"}))
    fails("42703", 'column "z" named in order_by does not exist', lambda: alice.table("t", options={"order_by": "a, z"}))
    assert alice.table("t", options={"order_by": '(B, "a")'}).relation.order_by == ("b", "a")
    assert alice.find("t") is not None


# ------------------------------------------------------------------------------------------------ dependencies

def test_what_views_read_is_not_dropped_without_them(alice):
    table = alice.table("t")
    first = alice.make_view("v", table)
    alice.make_view("w", first)
    fails("2BP01", "cannot drop table t because other objects depend on it", lambda: alice.drop("t"),
          detail="view v depends on table t\nview w depends on view v",
          hint="Use DROP ... CASCADE to drop the dependent objects too.")
    assert alice.find("t") is table
    assert alice.drop("t", cascade=True) == ["drop cascades to 2 other objects"]
    assert alice.find("v") is alice.find("w") is alice.find("t") is None


def test_relations_that_are_dropped_together_do_not_hinder_each_other(alice):
    table, other = alice.table("t"), alice.table("u")
    alice.make_view("v", table)
    fails("2BP01", "cannot drop desired object(s) because other objects depend on them", lambda: alice.drop("t", "u"))
    alice.drop("v", kind="view")
    assert alice.drop("t", "u") == [] and alice.find("u") is not other


def test_a_schema_goes_with_what_is_in_it_only_by_cascade(alice):
    alice.do("create_schema", "s")
    table = alice.table("t", "s")
    alice.make_view("v", table)
    fails("2BP01", "cannot drop schema s because other objects depend on it", lambda: alice.do("drop_schema", "s"),
          detail="table s.t depends on schema s\nview v depends on table s.t")
    assert alice.find("t", "s") is table
    assert alice.do("drop_schema", "s", cascade=True) == ["drop cascades to 2 other objects"]
    assert alice.view.schema("s") is None and alice.find("v") is None


def test_a_view_may_be_replaced_by_one_with_more_columns(alice):
    table = alice.table("t")
    old = alice.make_view("v", table)
    more = (*COLUMNS, ColumnSchema("c", lookup("int8")))
    new, _ = alice.do("create_view", None, "v", more, "SELECT 2", [table.oid], replace=True)
    assert new.oid == old.oid and alice.find("v") is new
    fails("42P16", "cannot drop columns from view",
          lambda: alice.do("create_view", None, "v", COLUMNS, "SELECT 3", [], replace=True))
    renamed = (ColumnSchema("z", lookup("int4")), *more[1:])
    fails("42P16", 'cannot change name of view column "a" to "z"',
          lambda: alice.do("create_view", None, "v", renamed, "SELECT 3", [], replace=True))
    other = (ColumnSchema("a", lookup("text")), *more[1:])
    fails("42P16", 'cannot change data type of view column "a" from integer to text',
          lambda: alice.do("create_view", None, "v", other, "SELECT 3", [], replace=True))
    fails("42809", '"t" is not a view', lambda: alice.do("create_view", None, "t", COLUMNS, "SELECT 3", [], replace=True))
    assert alice.find("v") is new


# ------------------------------------------------------------------------------------------------ names without a schema

@pytest.mark.parametrize("text, names", [
    ('"$user", public', ["$user", "public"]), ("", []), ("A,b , \"C d\"", ["a", "b", "C d"]), ('"a""b"', ['a"b'])])
def test_lists_of_names_are_split(text, names):
    assert split_identifiers(text) == names


@pytest.mark.parametrize("text", ["a,", ",a", "a b", '"a', "a,,b"])
def test_what_is_no_list_of_names_is_refused(text):
    fails("22023", f'invalid value for parameter "search_path": "{text}"', lambda: split_identifiers(text))


def test_temporary_and_system_schemas_are_searched_first_unless_listed():
    assert schema_names("$user, public", "alice", "pg_temp_3") == ["pg_temp_3", "pg_catalog", "alice", "public"]
    assert schema_names("public, pg_catalog, pg_temp", None, "pg_temp_3") == ["public", "pg_catalog", "pg_temp_3"]
    assert schema_names("pg_temp, s", None, None) == ["pg_catalog", "s"]
    assert creation_names('"$user", s', "alice", None) == ["alice", "s"]


def test_search_path_says_where_names_are_found_and_made(alice, database):
    alice.do("create_schema", "s")
    public = alice.table("t")
    carol = Client(database, "nowhere, s, public")
    assert carol.find("t") is public
    assert [schema.name for schema in carol.view.search_path()] == ["pg_catalog", "s", "public"]
    own = carol.table("t")
    assert own.schema.name == "s" and carol.find("t") is own and carol.find("t", "public") is public
    assert carol.view.spell(public) == "public.t" and carol.view.spell(own) == "t" and alice.view.spell(own) == "s.t"
    assert alice.view.relation("s.t") is own
    nobody = Client(database, "nowhere")
    fails("3F000", "no schema has been selected to create in", lambda: nobody.table("t"))


def test_temporary_tables_belong_to_a_session_and_hide_others(alice, bob, database):
    public = alice.table("t")
    own = alice.table("t", temporary=True)
    assert alice.find("t") is own is alice.find("t", "pg_temp") and bob.find("t") is public
    assert bob.view.relations("public") == [public] and bob.view.relations(own.schema.name) == []
    assert alice.view.relations(own.schema.name) == [own]
    assert bob.table("t", temporary=True) is bob.find("t") is not own
    fails("42P16", "cannot create temporary relation in non-temporary schema",
          lambda: alice.table("u", "public", temporary=True))
    view = alice.make_view("v", own)
    assert view.temporary and view.schema is own.schema
    transaction = database.begin()
    database.catalog.end_session(transaction, alice.session)
    transaction.commit()
    assert alice.find("t") is public and alice.session.temp_schema is None


def test_temporary_tables_do_not_survive_and_the_rest_does(tmp_path):
    with Database(tmp_path / "db", durable=False, merging=False) as database:
        alice = Client(database)
        alice.do("create_schema", "s")
        table = alice.table("t", "s", options={"order_by": "a"})
        alice.make_view("v", table)
        alice.table("temporary", temporary=True)
        alice.do("drop_schema", "public", cascade=True)
    for _ in range(2):
        with Database(tmp_path / "db", durable=False, merging=False) as database:
            alice = Client(database)
            assert [str(entry) for entry in alice.view.relations() if not entry.system] == ["s.t"]
            again = alice.find("t", "s")
            assert (again.oid, again.columns, again.options) == (table.oid, table.columns, {"order_by": "a"})
            assert [schema.name for schema in alice.view.schemas()] == ["information_schema", "pg_catalog", "s"]
            database.checkpoint()


# ------------------------------------------------------------------------------------------------ the system's relations

def listed(client, schema, name, *columns):
    """Rows of a system relation, as datums."""
    relation = client.view.resolve_relation(schema, name).relation
    scan, rows = relation.scan(client.view.snapshot, columns), []
    for segment in scan.segments:
        found = [segment.column(column).decode() for column in columns]
        rows += zip(*(to_datums(data.type, data.values, data.valid) for data in found))
    return rows


def test_tables_are_listed_in_the_information_schema(alice):
    table = alice.table("t")
    alice.make_view("v", table)
    own = [row for row in listed(alice, "information_schema", "tables", "table_schema", "table_name", "table_type")
           if row[0] == "public"]
    assert own == [("public", "t", "BASE TABLE"), ("public", "v", "VIEW")]
    columns = [row for row in listed(alice, "information_schema", "columns", "table_name", "column_name", "ordinal_position",
                                     "column_default", "data_type", "character_maximum_length") if row[0] == "t"]
    assert columns == [("t", "a", 1, None, "integer", None), ("t", "b", 2, "'x'", "character varying", 10)]
    assert ("caldera", "public") in listed(alice, "information_schema", "schemata", "catalog_name", "schema_name")


def test_tables_are_listed_in_pg_catalog(alice):
    table = alice.table("t")
    assert alice.find("pg_class").schema.name == "pg_catalog"
    classes = listed(alice, None, "pg_class", "oid", "relname", "relnamespace", "relkind", "relnatts")
    assert (table.oid, "t", 2200, "r", 2) in classes
    assert [row[1:] for row in listed(alice, None, "pg_attribute", "attrelid", "attname", "atttypid", "atttypmod")
            if row[0] == table.oid] == [("a", 23, -1), ("b", 1043, 14)]
    assert ("int4", 23, "N", 1007) in listed(alice, None, "pg_type", "typname", "oid", "typcategory", "typarray")
    assert ("public", "t") in listed(alice, None, "pg_tables", "schemaname", "tablename")
    fails("42501", 'permission denied: "pg_class" is a system catalog', lambda: alice.drop("pg_class"))
