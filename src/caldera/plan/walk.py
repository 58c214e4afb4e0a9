"""Walking plans and expressions: all of a kind, and the same plan with something replaced."""
from dataclasses import fields, is_dataclass, replace

from caldera.functions.registry import AggregateSignature, Function
from caldera.plan.expressions import Column, Constant, Expression, SortKey, Subquery, member_names
from caldera.types.registry import SqlType


def nodes_of(plan):
    """The plan and all nodes below, top first; not those inside subqueries. Without recursion, whose generators would make
    deep plans slow."""
    waiting = [plan]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.inputs))


def all_expressions(expression):
    """An expression and all inside it, outermost first. Without recursion, whose generators would make long chains slow."""
    waiting = [expression]
    while waiting:
        expression = waiting.pop()
        yield expression
        waiting.extend(reversed(expression.children))


def subqueries(plan):
    """The Subquery expressions of a plan, without those inside other subqueries; each once."""
    found = {}
    for node in nodes_of(plan):
        for outer in node.expressions:
            for expression in outer.subqueries:
                found[id(expression.plan)] = expression
    return list(found.values())


def free_columns(plan):
    """The columns that a plan uses and does not make, in order: {id: Column}. Its subqueries' are among what they stand
    in."""
    made, used = set(), {}
    for node in nodes_of(plan):
        made.update(column.id for column in node.output)
        for term in node.terms:
            used.update(free_columns(term))
        for outer in node.evaluated:
            if outer.columns:
                used.update((part.id, part) for part in all_expressions(outer) if isinstance(part, Column))
    return {id: column for id, column in used.items() if id not in made}


def correlation(plan):
    """(the parameters, the outer expressions) of a Subquery with a plan, where it stands in the query that the plan uses
    columns of."""
    free = free_columns(plan)
    return tuple(free), tuple(free.values())


def identity(expression):
    """A hashable value that is the same for expressions that compute the same from their columns, in whatever plan they
    stand: columns count by their place among those used, functions as the objects they are."""
    columns = {}

    def of(thing):
        if isinstance(thing, Column):
            return "column", columns.setdefault(thing.id, len(columns)), thing.type, thing.modifier
        if isinstance(thing, Constant):
            return "constant", thing.identity
        if isinstance(thing, Expression):
            return (type(thing).__name__, *((member.name, of(getattr(thing, member.name))) for member in fields(thing)
                                            if member.compare))
        if isinstance(thing, tuple):
            return tuple(of(item) for item in thing)
        return thing if isinstance(thing, (Function, AggregateSignature, SqlType)) else repr(thing)
    return of(expression)


def rewrite(expression, change):
    """The expression with `change` applied to every part, innermost first. `change` gives back what it does not touch."""
    children = expression.children
    if children:
        rewritten = [rewrite(child, change) for child in children]
        if any(new is not old for new, old in zip(rewritten, children)):
            expression = expression.with_children(rewritten)
    return change(expression)


def rewrite_expressions(node, change):
    """The node with `change(expression)` applied to each expression that stands in it, as a whole."""
    changed = {}
    for name in member_names(type(node)):
        value = getattr(node, name)
        new = changed_value(value, change)
        if new is not value:
            changed[name] = new
    return replace(node, **changed) if changed else node


def changed_value(value, change):
    """A field's value with its outermost expressions changed."""
    if isinstance(value, Expression):
        return change(value)
    if isinstance(value, SortKey):
        new = change(value.expression)
        return value if new is value.expression else replace(value, expression=new)
    if isinstance(value, tuple) and not is_dataclass(value):
        new = tuple(changed_value(item, change) for item in value)
        return value if all(a is b for a, b in zip(new, value)) else new
    return value


def all_plans(plan, seen=None):
    """The plan, and all plans that its nodes and expressions run by themselves, at any depth; each once."""
    seen = {} if seen is None else seen
    if id(plan) not in seen:
        seen[id(plan)] = plan
        for node in nodes_of(plan):
            for inner in node.inner:
                all_plans(inner, seen)
        for subquery in subqueries(plan):
            all_plans(subquery.plan, seen)
    return list(seen.values())


def rewrite_plans(plan, change, prepare=None):
    """The plan with `change` applied to it and to all plans inside it (see `all_plans`), innermost first. One that is
    mentioned twice stays one. prepare: applied before that to the plan and to those that nodes run, outermost first."""
    seen = {}

    def inside(expression):
        if not isinstance(expression, Subquery):
            return expression
        new = changed(expression.plan, expression.plan)
        return expression if new is expression.plan else replace(expression, plan=new)

    def of_node(node):
        inner = node.inner
        new = tuple(prepared(plan) for plan in inner)
        if any(a is not b for a, b in zip(new, inner)):
            node = node.with_inner(new)
        return rewrite_expressions(node, lambda outer: rewrite(outer, inside))

    def changed(plan, ready):
        if id(plan) not in seen:
            seen[id(plan)] = plan, change(rewrite_nodes(ready, of_node))
        return seen[id(plan)][1]

    def prepared(plan):
        return changed(plan, plan if prepare is None or id(plan) in seen else prepare(plan))
    return prepared(plan)


def rewrite_nodes(plan, change):
    """The plan with `change` applied to every node, from the sources up."""
    inputs = plan.inputs
    if inputs:
        rewritten = [rewrite_nodes(node, change) for node in inputs]
        if any(new is not old for new, old in zip(rewritten, inputs)):
            plan = plan.with_inputs(rewritten)
    return change(plan)
