"""Statements put together from pieces of others: whatever they are, they are bound or refused with an SQLSTATE."""
import contextlib
import copy
import random

import pytest

from caldera.base.errors import Error
from caldera.bind import bind
from caldera.bind.rules import RULES
from caldera.sql.parse import Statement, parse
from tests.bind.test_resolution import entries, prepared_session


session = pytest.fixture(name="session")(prepared_session)


def expressions(node):
    """The nodes of a syntax tree that are expressions, outermost first."""
    if isinstance(node, list):
        for item in node:
            yield from expressions(item)
    elif isinstance(node, dict):
        if set(node) & set(RULES) and len(node) == 1 and "SetToDefault" not in node:
            yield node
        for value in node.values():
            yield from expressions(value)


def is_star(node):
    """Whether an expression is t.*, which only some places take."""
    return "ColumnRef" in node and "A_Star" in node["ColumnRef"]["fields"][-1]


def attempt(session, statement, pieces, chance):
    """Replace one to three expressions by pieces of other statements, and bind. Gives the SQLSTATE or None."""
    tree = copy.deepcopy(statement.fields)
    for _ in range(chance.randint(1, 3)):
        places = [place for place in expressions(tree) if not is_star(place)]
        if places:
            place = chance.choice(places)
            piece = copy.deepcopy(chance.choice(pieces))
            place.clear()
            place.update(piece)
    try:
        with session.statement():
            bind(Statement(statement.kind, tree, statement.source), session, session.view)
    except Error as fault:
        return fault.sqlstate
    return None


def run(session, seed, count):
    """Bind so many mutated statements; the SQLSTATEs that were met."""
    chance, statements = random.Random(seed), []
    for query, _ in entries():
        with contextlib.suppress(Error):                # the grammar refuses some
            statements += parse(query)
    pieces = [piece for statement in statements for piece in expressions(statement.fields) if not is_star(piece)]
    return {attempt(session, chance.choice(statements), pieces, chance) for _ in range(count)}


def test_mutated_statements_are_bound_or_refused(session, seed):
    states = run(session, seed, 3000)
    assert None in states and "42883" in states and "42804" in states
    assert "XX000" not in states


@pytest.mark.campaign
def test_many_mutated_statements_are_bound_or_refused(session, seed):
    assert "XX000" not in run(session, seed, 300_000)
