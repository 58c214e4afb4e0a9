"""One rule for each kind of node that an expression's syntax tree has.

    bind_expression(scope, {"BoolExpr": fields}) ── RULES["BoolExpr"](scope, fields, node) ──▶ Expression

The modules of this folder enter their rules with `@rule`; they call each other only through `bind_expression`.
"""
RULES = {}


def rule(*kinds):
    """Enter a function (scope, fields, node) -> Expression as the rule for kinds of nodes."""
    def enter(function):
        for kind in kinds:
            RULES[kind] = function
        return function
    return enter


def bind_expression(scope, node):
    """The expression that a node of the syntax tree means in a scope. It may have the type *unknown* (a literal in quotes,
    NULL, an untyped parameter): whoever asked converts it."""
    (kind, fields), = node.items()
    found = RULES.get(kind)
    if found is None:
        raise scope.binder.unsupported(f"{kind} is", fields.get("location", 0))
    return scope.binder.note(found(scope, fields, node), node)
