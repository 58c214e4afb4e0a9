"""The general way to unnest: a subquery is computed at once for all values that its outer columns have.

    the domain D      the distinct values of the outer columns that the subquery uses; where it is volatile the outer rows,
                      each by its number, so that none gets what was computed for another one
    push(plan)        D x plan, computed together: each row with the value of D that it is for
      Filter, Project     use D's columns instead of the outer ones
      Aggregate           groups by D's columns, too; a value without rows still has its count of 0
      GroupingSets        likewise; the set without keys becomes an Aggregate of its own
      Limit               numbers the rows of each value
      Join                has D in the inputs that need it; if both do, rows of one value meet
      Recursion           its rows know their value, and so does each round: a value without new rows is through
      Scan ...            uses nothing from outside: all its rows for each value, until a filter above says which

Then an equality of the outer columns with D's brings the rows back to their outer rows (Neumann and Kemper, "Unnesting
Arbitrary Queries", BTW 2015). The outer rows are Shared, since both the domain and the join read them.
"""
from dataclasses import replace
from itertools import count

from caldera.base.errors import error
from caldera.bind.conversions import through_text
from caldera.functions import registry
from caldera.optimize.applied import applied, cast, integer
from caldera.plan.expansion import Expand
from caldera.plan.expressions import (AggregateCall, And, Call, Case, Coalesce, Constant, IsDistinct, Not, Or, Relabel,
                                      ScalarSubquery, new_column)
from caldera.plan.nodes import (Aggregate, Append, Filter, FunctionScan, GroupingSets, Join, Limit, Project, Repeat,
                                Recursion, Series, Shared, Sort, Values, Window, WorkingScan)
from caldera.plan.predicates import conjunction, conjuncts, is_known, substituted
from caldera.plan.volatility import is_volatile, is_volatile_plan
from caldera.plan.walk import all_plans, correlation, free_columns, nodes_of, rewrite_expressions
from caldera.plan.windows import WindowCall
from caldera.types.json_of_datums import DOCUMENTS
from caldera.types.registry import TYPES

SHARED_NUMBERS = count(1)


def unsupported(what):
    """The error for what is not unnested yet, to be raised by the caller."""
    return error("0A000", f"correlated subqueries with {what} are not supported yet")


def with_column_ids(column):
    """A new column like another one."""
    return new_column(column.name, column.type, column.modifier, column.nullable)


def texts_of(values):
    """Where values that are equal may be different (1.0 and 1.00), their text forms tell them apart."""
    for value in values:
        if not value.type.equal_is_same and value.type.name in DOCUMENTS:       # it lies as its text does
            yield Relabel(value, TYPES["text"])
        elif not value.type.equal_is_same:
            function = registry.CASTS.get((value.type, TYPES["text"]))
            if function is None and not value.type.has_parts and not any(
                    equal.arguments == (value.type, value.type) for equal in registry.OPERATORS["="]):
                raise unsupported(f"outer columns of type {value.type.sql_name}")
            function = through_text(value.type, TYPES["text"]) if function is None or value.type.has_parts else function
            yield Call(function, (value,), TYPES["text"])


def shared(input):
    """An input that several places read, with the columns that it has."""
    return Shared(input, next(SHARED_NUMBERS), input.output, input.output)


def numbered(input):
    """(an input that several places read, with a number for each of its rows, the column of the numbers)."""
    number, call = row_number()
    return shared(Window((), (), input=input, calls=((number, call),))), number


def row_number():
    """A new column of numbers of rows, and the WindowCall that gives it."""
    function, = registry.WINDOW_FUNCTIONS["row_number"]
    return new_column("row_number", function.result, None, False), WindowCall(function=function, type=function.result)


def same(left, right):
    """The conditions that two lists of expressions are the same, NULL or not."""
    return [IsDistinct(a, b, negated=True) for a, b in zip(left, right)]


class Domain:
    """The distinct values of outer columns. input: the outer rows. values: {id of a parameter: its expression over them}.
    unnest(node): what to do with a node whose expressions hold subqueries that may now find their outer columns. of_rows:
    whether each outer row is a value of its own, and all that is volatile is computed for each."""

    def __init__(self, input, values, unnest, of_rows=False):
        self.parameters, self.unnest, self.pushed_shares, self.of_rows = list(values), unnest, {}, of_rows
        outer = list(values.values())
        if of_rows:
            self.input, number = numbered(input)
            self.values = [*outer, number]
        else:
            self.input = shared(input)
            self.values = outer + list(texts_of(outer))
        keys = tuple((new_column(getattr(value, "name", "outer"), value.type, value.modifier, value.nullable), value)
                     for value in self.values)
        self.rows, self.number = Aggregate(self.input, keys, ()), next(SHARED_NUMBERS)

    def copy(self):
        """(a node that gives the domain, its columns)."""
        columns = tuple(map(with_column_ids, self.rows.output))
        return Shared(self.rows, self.number, self.rows.output, columns), list(columns)

    def named(self, keys):
        """{id of a parameter: its column}, given the columns of a copy of the domain."""
        return dict(zip(self.parameters, keys))

    def needed_by(self, *things):
        """Whether plans or expressions use outer columns, or must be computed for each outer row."""
        if self.of_rows and any(is_volatile_plan(thing) for thing in things if hasattr(thing, "inputs")):
            return True
        return any((free_columns(thing).keys() if hasattr(thing, "inputs") else thing.columns) & set(self.parameters)
                   for thing in things if thing is not None)

    def push(self, plan):
        """(the plan for all values of the domain, the columns that tell which value a row is for)."""
        if not self.needed_by(plan):
            copy, keys = self.copy()
            return Join(copy, plan, "inner"), keys
        rule = RULES.get(type(plan))
        if rule is None:
            raise unsupported("this function in FROM" if isinstance(plan, FunctionScan) else type(plan).__name__)
        plan, keys = rule(self, plan)
        return self.unnest(plan), keys


class RoundDomain(Domain):
    """The values for which a recursion goes on: those that the last round's rows are for, which the WorkingScan's rows bring
    with them, and of which the rest of the step has a copy. around: the Domain of the recursion; keys: its columns among
    the rows. Where the step may have rows without a row of the first term, that has a row `begins` for each value."""

    def __init__(self, around, recursion, keys, begins=None):
        self.parameters, self.unnest, self.pushed_shares = around.parameters, around.unnest, {}
        self.of_rows = around.of_rows
        self.recursion, self.keys, self.begins, self.is_copied = recursion, keys, begins, False
        rows, own, _ = self.with_keys(WorkingScan(recursion.number, recursion.name, recursion.columns))
        self.rows, self.number = Aggregate(rows, tuple((with_column_ids(key), key) for key in own), ()), next(SHARED_NUMBERS)

    def copy(self):
        self.is_copied = True
        return super().copy()

    def with_keys(self, scan):
        """(a WorkingScan with what tells which value a row is for, its columns that do, its column of `begins`, if any)."""
        keys = [with_column_ids(key) for key in self.keys]
        begins = [] if self.begins is None else [with_column_ids(self.begins)]
        return replace(scan, columns=(*scan.columns, *keys, *begins)), keys, begins

    def working(self, scan):
        """(the last round's rows, the columns that tell which value a row is for)."""
        rows, keys, begins = self.with_keys(scan)
        return (Filter(rows, Not(begins[0])) if begins else rows), keys

    def reads_round(self, thing):
        """Whether a plan reads the last round's rows."""
        return hasattr(thing, "inputs") and any(isinstance(node, WorkingScan) and node.number == self.recursion.number
                                                for each in all_plans(thing) for node in nodes_of(each))

    def needed_by(self, *things):
        return super().needed_by(*things) or any(map(self.reads_round, things))


def push_recursion(domain, node):
    """The terms for all values. A value is through after a round without rows, the first one aside."""
    first, keys = domain.push(node.first)
    step, inner, is_copied = pushed_step(domain, node, keys, None)
    columns = node.columns + tuple(map(with_column_ids, keys))
    given = node.given[0] + tuple(keys), node.given[1] + tuple(inner)
    known = list(columns[len(node.columns):])
    if not is_copied:
        return replace(node, first=first, step=step, given=given, columns=columns), known
    begins = new_column("begins", TYPES["bool"], None, False)
    step, inner, _ = pushed_step(domain, node, keys, begins)
    later = with_column_ids(begins)
    step = Project(step, (*((column, column) for column in step.output), (later, Constant(False, TYPES["bool"]))))
    first, given_first = with_beginnings(domain, first, given[0])
    plan = replace(node, first=first, step=step, given=(given_first, (*node.given[1], *inner, later)),
                   columns=(*columns, begins))
    return Filter(plan, Not(begins)), known


def pushed_step(domain, node, keys, begins):
    """(the step of a recursion for all values, the columns that tell which, whether any of its rows comes without a row of
    the last round)."""
    round = RoundDomain(domain, node, keys, begins)
    step, inner = round.push(node.step)
    return step, inner, round.is_copied


def with_beginnings(domain, first, given):
    """(a first term with a row for each value of the domain besides, its columns and the one that tells these rows)."""
    copy, keys = domain.copy()
    nothing = [Constant(None, column.type, column.modifier) for column in given[:len(given) - len(keys)]]
    branches = [Project(first, tuple((with_column_ids(column), column) for column in given) + (beginning(False),)),
                Project(copy, tuple((with_column_ids(column), value) for column, value in zip(given, nothing + keys))
                        + (beginning(True),))]
    columns = tuple(replace(with_column_ids(column), nullable=True) for column in branches[0].output[:-1])
    columns += (with_column_ids(branches[0].output[-1]),)
    return Append(tuple(branches), tuple(branch.output for branch in branches), columns), columns


def beginning(value):
    """The item of a Project that says whether its rows begin a recursion."""
    return new_column("begins", TYPES["bool"], None, False), Constant(value, TYPES["bool"])


def push_working(domain, node):
    """The last round's rows bring their values."""
    return domain.working(node)


def push_filter(domain, node):
    """Filter by the domain's columns."""
    input, keys = domain.push(node.input)
    return Filter(input, substituted(node.predicate, domain.named(keys))), keys


def push_project(domain, node):
    """Compute from the domain's columns, and hand them on."""
    input, keys = domain.push(node.input)
    named = domain.named(keys)
    items = tuple((column, substituted(expression, named)) for column, expression in node.items)
    return Project(input, items + tuple((key, key) for key in keys)), keys


def push_join(domain, node):
    """The domain comes in with the inputs that use it. A left row that may stay without partner must know its value, so that
    a left input always has it where the kind is not inner; a full join's rows know it from either side."""
    left_needs, right_needs = domain.needed_by(node.left), domain.needed_by(node.right)
    full = node.kind == "full"
    left, right, keys, other = node.left, node.right, None, None
    if left_needs or node.kind != "inner" or not right_needs:
        left, keys = domain.push(node.left)
    if right_needs or full:
        right, other = domain.push(node.right)
    conditions = conjuncts(node.condition) if node.condition is not None else []
    named = domain.named(keys if keys is not None else other)
    conditions = [substituted(condition, named) for condition in conditions]
    if keys is not None and other is not None:
        conditions += same(keys, other)
    join = replace(node, left=left, right=right, condition=conjunction(conditions))
    if not full:
        return join, keys if keys is not None else other
    known = [with_column_ids(key) for key in keys]
    items = [(column, column) for column in node.output]
    items += [(column, Coalesce((a, b), a.type, a.modifier)) for column, a, b in zip(known, keys, other)]
    return Project(join, tuple(items)), known


def push_aggregate(domain, node):
    """Groups within each value. Without keys there is a group for each value, be it of no rows."""
    input, inner = domain.push(node.input)
    named, keys = domain.named(inner), [with_column_ids(key) for key in inner]
    own = tuple((column, substituted(key, named)) for column, key in node.keys)
    calls = tuple((column, substituted(call, named)) for column, call in node.aggregates)
    if node.keys:
        return Aggregate(input, own + tuple(zip(keys, inner)), calls), keys
    copy, all_keys = domain.copy()
    calls = [(with_column_ids(column), call) for column, call in calls]
    groups = Aggregate(input, tuple(zip(keys, inner)), tuple(calls))
    items = [(column, or_empty(found, call)) for (column, _), (found, call) in zip(node.aggregates, calls)]
    join = Join(copy, groups, "left", conjunction(same(all_keys, keys)))
    return Project(join, (*items, *((key, key) for key in all_keys))), all_keys


def push_sets(domain, node):
    """Every set groups by the domain's columns, too; so sets without keys, which have a row of no rows, stand apart."""
    if not all(node.sets):
        return domain.push(sets_apart(node))
    input, inner = domain.push(node.input)
    named, keys = domain.named(inner), [with_column_ids(key) for key in inner]
    own = tuple((column, substituted(key, named)) for column, key in node.keys)
    calls = tuple((column, substituted(call, named)) for column, call in node.aggregates)
    more = tuple(range(len(own), len(own) + len(keys)))
    return replace(node, input=input, keys=own + tuple(zip(keys, inner)), aggregates=calls,
                   sets=tuple(keys_of_set + more for keys_of_set in node.sets)), keys


def sets_apart(node):
    """A GroupingSets as an Append of its sets with keys and of an Aggregate for each one without, over a Shared input."""
    input = shared(node.input)
    columns = dict(zip(node.output, map(with_column_ids, node.output)))
    kept = [number for number, keys in enumerate(node.sets) if keys]
    branches = [GroupingSets(input, tuple((columns[column], key) for column, key in node.keys),
                             tuple(node.sets[number] for number in kept),
                             tuple((columns[column], call) for column, call in node.aggregates),
                             tuple((columns[column], tuple(values[number] for number in kept))
                                   for column, values in node.groupings))] if kept else []
    for number in range(len(node.sets)):
        if number not in kept:
            calls = {column: (with_column_ids(column), call) for column, call in node.aggregates}
            items = [(column, Constant(None, column.type, column.modifier)) for column, _ in node.keys]
            items += [(column, Constant(values[number], column.type)) for column, values in node.groupings]
            items = [(with_column_ids(column), value) for column, value in items]
            items += [(column, column) for column, _ in calls.values()]
            branches.append(Project(Aggregate(input, (), tuple(calls.values())), tuple(items)))
    return Append(tuple(branches), tuple(branch.output for branch in branches), node.output)


def or_empty(column, call):
    """An aggregate's column of an outer join: without a group it is what the aggregate gives for no rows."""
    column = replace(column, nullable=True)
    if call.signature.implementation.empty_is_null:
        return column
    return Coalesce((column, Constant(0, call.type)), call.type, call.modifier)


def push_sort(domain, node):
    """Rows of one value stay in order."""
    if node.limit is not None or node.offset:
        raise unsupported("LIMIT")
    input, keys = domain.push(node.input)
    return Sort(input, substituted_keys(node.keys, domain.named(keys))), keys


def substituted_keys(sort_keys, named):
    """SortKeys with columns replaced."""
    return tuple(replace(key, expression=substituted(key.expression, named)) for key in sort_keys)


def push_window(domain, node):
    """Partitions within each value."""
    input, keys = domain.push(node.input)
    named = domain.named(keys)
    node = rewrite_expressions(node, lambda expression: substituted(expression, named))
    return replace(node, input=input, partition=node.partition + tuple(keys)), keys


def push_limit(domain, node):
    """The first rows of each value: those whose numbers, in the order of the Sort below, are low enough."""
    below, order = (node.input.input, node.input.keys) if isinstance(node.input, Sort) else (node.input, ())
    input, keys = domain.push(below)
    limit, offset = (bound_of(bound, clause, domain.named(keys)) for bound, clause in ((node.limit, "LIMIT"),
                                                                                      (node.offset, "OFFSET")))
    number, call = row_number()
    rows = Window(tuple(keys), substituted_keys(order, domain.named(keys)), input=input, calls=((number, call),))
    conditions = [] if offset is None else [applied(">", number, offset)]
    if limit is not None:
        conditions.append(applied("<=", number if offset is None else applied("-", number, offset), limit))
    return (Filter(rows, conjunction(conditions)) if conditions else input), keys


def bound_of(bound, clause, named):
    """A number of LIMIT or OFFSET as an expression over the domain's columns; None if it leaves out nothing. NULL stands for
    all rows, or none."""
    if bound is None or is_known(bound) and (bound.value is None or clause == "OFFSET" and bound.value == 0):
        return None
    if is_known(bound):
        return integer(bound.value)
    checked = Call(NOT_NEGATIVE[clause], (substituted(bound, named),), bound.type)
    return Coalesce((checked, integer((1 << 63) - 1 if clause == "LIMIT" else 0)), bound.type)


def not_negative(clause, sqlstate):
    """The function that gives a number of rows back. Raises 2201W or 2201X for a negative one."""
    def body(call, number):
        call.fault(number < 0, sqlstate, f"{clause} must not be negative")
        return number
    return registry.Function(clause.lower(), (TYPES["int8"],), TYPES["int8"], body)


NOT_NEGATIVE = {"LIMIT": not_negative("LIMIT", "2201W"), "OFFSET": not_negative("OFFSET", "2201X")}


def push_append(domain, node):
    """Every input for all values."""
    pairs = [domain.push(branch) for branch in node.branches]
    keys = [with_column_ids(key) for key in pairs[0][1]]
    given = tuple(own + tuple(inner) for own, (_, inner) in zip(node.given, pairs))
    return replace(node, branches=tuple(plan for plan, _ in pairs), given=given, columns=node.columns + tuple(keys)), keys


def push_repeat(domain, node):
    """As often as before."""
    input, keys = domain.push(node.input)
    return Repeat(input, substituted(node.times, domain.named(keys))), keys


def push_expand(domain, node):
    """The same lists, over the domain's columns."""
    input, keys = domain.push(node.input)
    named = domain.named(keys)
    lists = tuple((column, substituted(each, named)) for column, each in node.lists)
    return replace(node, input=input, lists=lists), keys


def push_values(domain, node):
    """One row of expressions is a projection of the domain; of several rows, a number says which is meant."""
    copy, keys = domain.copy()
    named = domain.named(keys)
    rows = [[substituted(cell, named) for cell in row] for row in node.rows]
    handed = tuple((key, key) for key in keys)
    if len(rows) == 1:
        return Project(copy, tuple(zip(node.columns, rows[0])) + handed), keys
    number = new_column("row", TYPES["int8"], None, False)
    input = Join(copy, Values(tuple((integer(at),) for at in range(len(rows))), (number,)), "inner")
    items = []
    for place, column in enumerate(node.columns):
        conditions = tuple(applied("=", number, integer(at)) for at in range(len(rows)))
        cells = tuple(row[place] for row in rows)
        items.append((column, Case(conditions, cells, Constant(None, column.type), column.type, column.modifier)))
    return Project(input, tuple(items) + handed), keys


def push_series(domain, node):
    """start + i * step for all i up to the largest number of steps that any value asks for."""
    if any(map(is_volatile, node.evaluated)):
        raise unsupported("a series whose bounds are volatile")
    copy, keys = domain.copy()
    named = domain.named(keys)
    start, stop, step, last = steps(node, named)
    most = longest(domain, node)
    number = new_column("number", TYPES["int8"], None, False)
    value = applied("+", start, applied("*", number, step))
    up = And((applied(">", step, integer(0)), applied("<=", value, stop)))
    down = And((applied("<", step, integer(0)), applied(">=", value, stop)))
    condition = And((applied("<=", number, last), Or((up, down))))
    join = Join(copy, Series(integer(0), most, integer(1), number), "inner", condition)
    value = value if node.column.type.name == "int8" else Call(registry.CASTS[value.type, node.column.type], (value,),
                                                               node.column.type)
    return Project(join, ((node.column, value), *((key, key) for key in keys))), keys


def steps(node, named):
    """Of a Series over a domain's columns: start, stop, step, and how many steps there are, all as int8."""
    start, stop, step = (cast(substituted(each, named), "int8") for each in (node.start, node.stop, node.step))
    return start, stop, step, applied("/", applied("-", stop, start), step)


def longest(domain, node):
    """The number of steps of the longest series, as a subquery that is computed before."""
    copy, keys = domain.copy()
    named = domain.named(keys)
    *_, last = steps(node, named)
    largest = next(signature for signature in registry.AGGREGATES["max"] if signature.arguments == (last.type,))
    column = new_column("max", last.type)
    plan = Aggregate(copy, (), ((column, AggregateCall(largest, (last,), last.type)),))
    return ScalarSubquery(plan, last.type, None, False, *correlation(plan))


def push_shared(domain, node):
    """What is shared is shared with the domain."""
    if node.number not in domain.pushed_shares:
        domain.pushed_shares[node.number] = (*domain.push(node.input), next(SHARED_NUMBERS))
    input, inner, number = domain.pushed_shares[node.number]
    keys = [with_column_ids(key) for key in inner]
    return Shared(input, number, node.given + tuple(inner), node.columns + tuple(keys)), keys


RULES = {Filter: push_filter, Project: push_project, Join: push_join, Aggregate: push_aggregate, GroupingSets: push_sets,
         Sort: push_sort, Window: push_window, Limit: push_limit, Append: push_append, Repeat: push_repeat,
         Expand: push_expand,
         Values: push_values, Series: push_series, Shared: push_shared, Recursion: push_recursion, WorkingScan: push_working}
