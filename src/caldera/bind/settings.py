"""Statements about the session: SET, SHOW, RESET, DISCARD, and those that begin and end transactions."""
from caldera.base.errors import error
from caldera.bind.cursors import refuse_if_read
from caldera.bind.rules import statement_rule
from caldera.bind.typenames import bind_type
from caldera.plan.nodes import Utility
from caldera.storage.engine import ColumnData
from caldera.types.columns import from_datums
from caldera.types.registry import TYPES

# Settings that take a list of names; a name that is no plain identifier is quoted in it.
NAME_LISTS = {"search_path"}


@statement_rule("VariableSetStmt")
def bind_set(binder, fields):
    """SET, SET LOCAL, RESET, SET TRANSACTION. Raises 0A000 for other forms."""
    kind, name, local = fields["kind"], fields.get("name"), fields.get("is_local", False)
    if kind == "VAR_RESET_ALL":
        return utility("RESET", lambda session: session.reset_all())
    if kind == "VAR_RESET":
        return utility("RESET", lambda session: session.reset(name))
    if kind == "VAR_SET_DEFAULT":
        return utility("SET", lambda session: session.reset(name))
    if kind == "VAR_SET_MULTI":
        return set_transaction(binder, fields)
    if kind != "VAR_SET_VALUE":
        raise binder.unsupported("this SET is")
    text = ", ".join(setting_value(binder, node, name) for node in fields["args"])
    return utility("SET", lambda session: session.set(name, text, local))


def setting_value(binder, node, name):
    """The text of a value in SET. Raises 0A000 for what is no literal."""
    if "TypeCast" in node:                      # SET TIME ZONE INTERVAL '-8' HOUR is all that the grammar lets through
        cast = node["TypeCast"]
        type, modifier = bind_type(binder, cast["typeName"])
        datum = type.parse(cast["arg"]["A_Const"]["sval"].get("sval", ""), modifier, binder.session)
        return f"INTERVAL '{type.format(datum)}'"
    constant = node.get("A_Const")
    if constant is None:
        raise binder.unsupported("this value of a setting is")
    if "sval" in constant:
        value = constant["sval"].get("sval", "")
        if name in NAME_LISTS and value != value.lower() or name in NAME_LISTS and not value.replace("_", "a").isalnum():
            return '"' + value.replace('"', '""') + '"'
        return value
    if "fval" in constant:
        return constant["fval"]["fval"]
    return str(constant["ival"].get("ival", 0))


def mode_options(fields):
    """The options of BEGIN and SET TRANSACTION: pairs of a setting's name and its text."""
    modes = []
    for node in fields.get("options") or fields.get("args", ()):
        option = node["DefElem"]
        constant = option["arg"]["A_Const"]
        value = constant["sval"]["sval"] if "sval" in constant else "on" if constant["ival"].get("ival", 0) else "off"
        modes.append((option["defname"], value))
    return modes


def set_transaction(binder, fields):
    """SET TRANSACTION, SET SESSION CHARACTERISTICS. Raises 0A000 for SNAPSHOT."""
    if fields["name"] == "TRANSACTION SNAPSHOT":
        raise binder.unsupported("SET TRANSACTION SNAPSHOT is")
    whole_session = fields["name"] == "SESSION CHARACTERISTICS"

    def run(session):
        for name, value in mode_options(fields):
            session.set(f"default_{name}" if whole_session else name, value, not whole_session)
    return utility("SET", run)


@statement_rule("VariableShowStmt")
def bind_show(binder, fields):
    """SHOW name, SHOW ALL."""
    name = fields["name"]
    if name.lower() == "all":
        return Utility("SHOW", lambda session: texts(("name", "setting", "description"), session.show_all()))

    def run(session):
        spelled, value = session.show(name)
        return texts((spelled,), [(value,)])
    return Utility("SHOW", run)


def texts(names, rows):
    """Rows of texts as a Utility answers with them: (names, types, columns)."""
    text = TYPES["text"]
    columns = [ColumnData(text, *from_datums(text, list(column))) for column in zip(*rows)]
    return names, [(text, None)] * len(names), columns


@statement_rule("TransactionStmt")
def bind_transaction(binder, fields):
    """BEGIN, COMMIT, ROLLBACK, SAVEPOINT and their like. Raises 0A000 for AND CHAIN and two-phase commit."""
    kind = fields["kind"].removeprefix("TRANS_STMT_")
    if fields.get("chain") or kind not in TRANSACTIONS:
        raise binder.unsupported("AND CHAIN is" if fields.get("chain") else "two-phase commit is")
    tag, verb = TRANSACTIONS[kind]
    if kind in ("BEGIN", "START"):
        modes = dict(mode_options(fields))
        return utility(tag, lambda session: session.begin(modes.get("transaction_isolation"),
                                                           modes.get("transaction_read_only")))
    if "savepoint_name" in fields:
        return utility(tag, lambda session: getattr(session, verb)(fields["savepoint_name"]))
    return utility(tag, lambda session: getattr(session, verb)())


TRANSACTIONS = {"BEGIN": ("BEGIN", "begin"), "START": ("START TRANSACTION", "begin"), "COMMIT": ("COMMIT", "commit"),
                "ROLLBACK": ("ROLLBACK", "rollback"), "SAVEPOINT": ("SAVEPOINT", "savepoint"),
                "RELEASE": ("RELEASE", "release"), "ROLLBACK_TO": ("ROLLBACK", "rollback_to")}


@statement_rule("DiscardStmt")
def bind_discard(binder, fields):
    """DISCARD: TEMP drops what is temporary; ALL forgets settings, prepared statements and cursors, too. Of the other forms
    there is nothing to forget. Raises 25001 for ALL in a transaction block."""
    target = fields["target"].removeprefix("DISCARD_")

    def run(session):
        if target == "ALL":
            if session.in_block:
                raise error("25001", "DISCARD ALL cannot run inside a transaction block")
            session.reset_all()
            session.prepared.clear()
            session.close_cursors()
        if target in ("ALL", "TEMP"):
            for entry in session.catalog.discard_temporary(session.transaction, session.view):
                refuse_if_read(session, entry, "DROP TABLE")
    return utility(f"DISCARD {target}", run)


@statement_rule("CheckPointStmt")
def bind_checkpoint(binder, fields):
    """CHECKPOINT."""
    return utility("CHECKPOINT", lambda session: session.database.checkpoint())


def utility(tag, action):
    """A Utility that does something and answers with its tag (COMMIT of a failed transaction answers otherwise)."""
    def run(session):
        return action(session) or tag
    return Utility(tag, run)
