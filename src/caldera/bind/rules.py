"""One rule for each kind of node that a syntax tree has: those of expressions and those of statements.

    bind_expression(scope, {"BoolExpr": fields}) ── RULES["BoolExpr"](scope, fields, node) ──▶ Expression

The modules of this folder enter their rules with `@rule` and `@statement_rule`; those of expressions call each other only
through `bind_expression`.
"""


class Rules(dict):
    """{kind of node: the function that binds it}."""

    def enter(self, *kinds):
        """Decorator: the function is the rule for kinds of nodes."""
        def entered(function):
            self.update(dict.fromkeys(kinds, function))
            return function
        return entered


RULES, STATEMENT_RULES = Rules(), Rules()
rule = RULES.enter                              # (scope, fields, node) -> Expression
statement_rule = STATEMENT_RULES.enter          # (binder, fields) -> plan node


def bind_expression(scope, node):
    """The expression that a node of the syntax tree means in a scope. It may have the type *unknown* (a literal in quotes,
    NULL, an untyped parameter): whoever asked converts it."""
    (kind, fields), = node.items()
    found = RULES.get(kind)
    if found is None:
        raise scope.binder.unsupported(f"{kind} is", fields.get("location", 0))
    return scope.binder.note(found(scope, fields, node), node)
