"""DECLARE, FETCH, MOVE and CLOSE of cursors (execute.cursors)."""
from caldera.base.errors import error
from caldera.bind.rules import statement_rule
from caldera.bind.select import bind_query
from caldera.plan.nodes import DeclareCursor, Query, Utility

SCROLL, HOLD = 0x2, 0x20                # bits of a DeclareCursorStmt's options


@statement_rule("DeclareCursorStmt")
def bind_declare(binder, fields):
    """DECLARE: the query is planned now."""
    name, options = fields["portalname"], fields.get("options", 0)
    (_, query), = fields["query"].items()
    if "intoClause" in query:
        raise binder.error("42P11", "DECLARE CURSOR must not contain SELECT INTO", query["intoClause"].get("location"))
    plan, names = bind_query(binder, query)
    return DeclareCursor(Query(plan, names), name, bool(options & SCROLL), bool(options & HOLD), binder.statement.text)


@statement_rule("FetchStmt")
def bind_fetch(binder, fields):
    """FETCH and MOVE: `howMany` rows in a direction; all is a very large number."""
    direction = fields["direction"].removeprefix("FETCH_").lower()
    count, moves = fields.get("howMany", 0), fields.get("ismove", False)
    return Utility("MOVE" if moves else "FETCH",
                   lambda session: cursor_named(session, fields["portalname"]).fetch(direction, count, moves))


@statement_rule("ClosePortalStmt")
def bind_close(binder, fields):
    """CLOSE of one or of all."""
    name = fields.get("portalname")

    def run(session):
        for cursor in list(session.cursors.values()) if name is None else [cursor_named(session, name)]:
            cursor.close()
        return "CLOSE CURSOR ALL" if name is None else "CLOSE CURSOR"
    return Utility("CLOSE CURSOR", run)


def refuse_if_read(session, entry, tag):
    """Raise 55006 if a cursor that is open reads a table that a statement is to take away."""
    if any(not cursor.held and entry.relation in cursor.relations for cursor in session.cursors.values()):
        raise error("55006", f'cannot {tag} "{entry.name}" because it is being used by active queries in this session')


def cursor_named(session, name):
    """A cursor of the session. Raises 34000."""
    if name not in session.cursors:
        raise error("34000", f'cursor "{name}" does not exist')
    return session.cursors[name]
