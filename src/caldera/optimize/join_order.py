"""Inner joins in the order that costs least: small results early, and tables built of the smaller inputs.

    Join(Join(a, b, a.x = b.x), c, b.x = c.x AND c.y = 5)   ──▶   Join(b, Join(a, Filter(c, y = 5), a.x = c.x), b.x = a.x)

Trees of inner joins are taken apart into inputs and conditions; Projects between them that only hand columns on, under
whatever names, leave the tree and rename above it. Columns that must be equal form classes, of which
each join asks for one equality, so that inputs may meet which no condition names together; a constant that one column
equals is asked of all. Of alternatives, each input is asked what they all ask of it. The order is found by dynamic
programming over connected sets of inputs (Moerkotte and Neumann: "Analysis of Two Existing and One New Dynamic
Programming Algorithm for the Generation of Optimal Bushy Join Trees without Cross Products", VLDB 2006). Where there are
too many of them, it is the better one of two: by dynamic programming over the intervals of a line (linear_order), and by
always making the smallest result (Fegaras: "A New Heuristic for Optimizing Large Queries", 1998), which is all that there
is for still more inputs, and for what no condition connects. Other joins are inputs like tables.

Sets of inputs are bit masks here.
"""
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from typing import Any

from caldera.functions.registry import OPERATORS
from caldera.optimize.estimates import Estimates, join_costs
from caldera.optimize.join_estimates import asked_of, join_key, pair_share, rest_share
from caldera.optimize.linear_order import linear_order
from caldera.optimize.narrow_comparisons import WIDTHS, narrowed, same_type
from caldera.optimize.predicate_push_down import pushed
from caldera.plan.expressions import Call, Column, Constant, IsDistinct, Or
from caldera.plan.nodes import Filter, Join, Project, Statement
from caldera.plan.predicates import (EXACT_CASTS, bare_column, comparison, conjunction, conjuncts, equal_sides,
                                     substituted)
from caldera.plan.volatility import is_volatile

PAIRS_MAX = 2000            # of sets to join, that dynamic programming looks at
INTERVALS_MAX = 4000        # to join with the next ones on a line: 28 inputs
LEAST_ROWS = 1e-9           # that an estimate says, so that products of estimates tell better from worse


def join_order(plan, session):
    """Put inner joins in order, and the smaller input of joins that do not care on the right."""
    if isinstance(plan, Statement):
        return plan.with_inputs([join_order(input, session) for input in plan.inputs])
    ordered = reordered(plan, Estimates(plan, session.view.snapshot))
    if [column.id for column in ordered.output] == [column.id for column in plan.output]:
        return ordered
    return Project(ordered, tuple((column, column) for column in plan.output))


def reordered(node, estimates):
    """A node with all joins in it and below in order."""
    if isinstance(node, Join) and node.kind == "inner":
        inputs, conditions, names = taken_apart(node)
        plan = JoinGraph([reordered(input, estimates) for input in inputs], conditions, estimates).plan()
        return with_names(plan, [(column, names[column.id]) for column in node.output if column.id in names])
    inputs = [reordered(input, estimates) for input in node.inputs]
    if any(new is not old for new, old in zip(inputs, node.inputs)):
        node = node.with_inputs(inputs)
    if isinstance(node, Join) and node.kind == "full" and estimates.rows(node.right) > estimates.rows(node.left):
        return replace(node, left=node.right, right=node.left)
    return node


def taken_apart(node):
    """(inputs, conditions, {id of a column: that of an input that it is a new name of}) of a tree of inner joins."""
    if isinstance(node, Project) and all(isinstance(expression, Column) for _, expression in node.items):
        inputs, conditions, names = taken_apart(node.input)
        if len(inputs) > 1:
            new = {column.id: substituted(expression, names) for column, expression in node.items if column != expression}
            return inputs, conditions, names | new
    if not isinstance(node, Join) or node.kind != "inner":
        return [node], [], {}
    (left, over_left, left_names), (right, over_right, right_names) = taken_apart(node.left), taken_apart(node.right)
    names = left_names | right_names
    own = [] if node.condition is None else conjuncts(node.condition)
    return left + right, over_left + over_right + [substituted(condition, names) for condition in own], names


def with_names(plan, renamed):
    """A plan with further names for some of its columns: pairs (Column, the plan's)."""
    return Project(plan, (*((column, column) for column in plan.output), *renamed)) if renamed else plan


@dataclass
class EqualColumns:
    """Expressions of one type that must all be equal, each a column but for a cast: {(column id, type): (input, it)}.
    `condition`: one that says so."""
    type: Any
    condition: Call
    members: dict = field(default_factory=dict)

    def equality(self, left, right):
        """The condition that two of them are equal."""
        return same_type("=", left, right, self.condition)

    @property
    def inputs(self):
        """The inputs that have a member."""
        return mask_of(input for input, _ in self.members.values())

    def member_of(self, input):
        """The first member that an input has."""
        return next(expression for number, expression in self.members.values() if number == input)


@dataclass
class PartialJoin:
    """A set of inputs joined in the best way known: `sides`: the two PartialJoins that it joins, None for an input."""
    inputs: int
    rows: float
    cost: float
    sides: tuple | None = None


class JoinGraph:
    """Inputs, and the conditions between them."""

    def __init__(self, inputs, conditions, estimates):
        self.inputs, self.estimates, self.classes, self.others, self.last, self.class_of = inputs, estimates, [], [], [], {}
        self.ids = [{column.id for column in input.output} for input in inputs]
        self.owner = {id: number for number, ids in enumerate(self.ids) for id in ids}
        for condition in conditions:
            self.place(condition)
        for equal in self.classes:
            self.spread_constant(equal)
            self.equate_within(equal)
        for input in self.inputs:
            if isinstance(input, Filter):
                estimates.find_restrictions(input)
        self.everything = (1 << len(inputs)) - 1
        self.edges = self.found_edges()
        self.masks = [equal.inputs for equal in self.classes]
        self.distinct = [{number: join_key(estimates, equal.member_of(number), estimates.rows(self.inputs[number]))
                          for number in bits_of(mask)} for equal, mask in zip(self.classes, self.masks)]
        self.shares = [(mask, rest_share(estimates, condition, [self.inputs[number] for number in bits_of(mask)]))
                       for mask, condition in self.others]
        self.known_rows, self.known_keys, self.known_neighbours, self.known_partners = {}, {}, {}, {}

    # ---- conditions

    def place(self, condition):
        """Put a condition where it belongs: into a class of columns, to one input, between several, or to the end."""
        mask = mask_of(self.owner[id] for id in condition.columns if id in self.owner)
        if is_volatile(condition) or not mask:
            self.last.append(condition)
        elif mask.bit_count() == 1:
            number = mask.bit_length() - 1
            self.inputs[number] = pushed(Filter(self.inputs[number], condition))
        elif not self.equated(condition, mask):
            self.others.append((mask, condition))
            for number in bits_of(mask) if type(condition) is Or else ():
                self.restrict(number, condition)

    def restrict(self, number, alternatives):
        """Ask of an input what it must satisfy for one of several alternatives to hold, if each asks something of it."""
        asked = asked_of(alternatives, self.ids[number])
        if asked is not None:
            self.inputs[number] = pushed(Filter(self.inputs[number], asked))

    def equated(self, condition, mask):
        """Add an equality of columns of two inputs to the classes; whether it is one."""
        if mask.bit_count() != 2:
            return False
        first, second = bits_of(mask)
        pair = equal_sides(condition, self.ids[first], self.ids[second])
        if pair is None or any(column_of(side) is None for side in pair) or not has_equality(pair[0].type):
            return False
        names = [(column_of(side).id, side.type.name) for side in pair]
        merged = EqualColumns(pair[0].type, condition)
        for equal in {id(equal): equal for name in names if (equal := self.class_of.get(name)) is not None}.values():
            self.classes.remove(equal)
            merged.members |= equal.members
        merged.members |= {name: (number, side) for name, number, side in zip(names, (first, second), pair)}
        self.class_of |= dict.fromkeys(merged.members, merged)
        self.classes.append(merged)
        return True

    def spread_constant(self, equal):
        """Ask all members for the constant that an input's filter asks one of."""
        constants = {name: self.constant_of(*name, number, equal.type) for name, (number, _) in equal.members.items()}
        constant = next((constant for constant in constants.values() if constant is not None), None)
        if constant is None:
            return
        for name, (number, expression) in equal.members.items():
            if constants[name] is None:
                condition = narrowed(equal.equality(expression, constant))
                self.inputs[number] = pushed(Filter(self.inputs[number], condition))

    def constant_of(self, id, type_name, number, type):
        """The constant, in the class's type, that an input's own filter wants a column to equal; or None."""
        input = self.inputs[number]
        for condition in conjuncts(input.predicate) if isinstance(input, Filter) else ():
            compared = comparison(condition)
            if compared is None or compared.operator != "=" or not isinstance(compared.right, Constant) or \
                    getattr(column_of(compared.left), "id", None) != id:
                continue
            if compared.right.type.name == type_name == compared.left.type.name:
                return compared.right
            if type_name in WIDTHS and compared.right.type.name in WIDTHS:
                return Constant(compared.right.value, type)
        return None

    def equate_within(self, equal):
        """Ask an input with several members of a class that they are equal."""
        for number in bits_of(equal.inputs):
            first, *others = [expression for owner, expression in equal.members.values() if owner == number]
            for other in others:
                self.inputs[number] = pushed(Filter(self.inputs[number], equal.equality(first, other)))

    def found_edges(self):
        """For each input those that a condition connects it with."""
        edges = [0] * len(self.inputs)
        for mask in [equal.inputs for equal in self.classes] + [mask for mask, _ in self.others if mask.bit_count() == 2]:
            for number in bits_of(mask):
                edges[number] |= mask & ~(1 << number)
        return edges

    def neighbours(self, mask):
        """The inputs that conditions connect with those of a set."""
        found = self.known_neighbours.get(mask)
        if found is None:
            found = 0
            for number in bits_of(mask):
                found |= self.edges[number]
            found = self.known_neighbours[mask] = found & ~mask
        return found

    # ---- search

    def plan(self):
        """The joins in the best order."""
        parts, left = [], self.everything
        while left:
            component = grown = left & -left
            while grown:
                grown = self.neighbours(component)
                component |= grown
            left &= ~component
            parts.append(self.best(component))
        return self.built(self.greedy(parts), self.last)

    def best(self, component):
        """The best PartialJoin of connected inputs."""
        single = {1 << number: PartialJoin(1 << number, self.estimates.rows(self.inputs[number]), 0.0)
                  for number in bits_of(component)}
        pairs = list(islice(connected_pairs(self, component), PAIRS_MAX + 1))
        if len(pairs) > PAIRS_MAX:
            greedy = self.greedy(list(single.values()))
            count = len(single)
            if (count ** 3 - count) // 6 > INTERVALS_MAX:
                return greedy
            return min(greedy, self.linear(single), key=lambda part: part.cost)
        best = single
        for one, other in sorted(pairs, key=lambda pair: (pair[0] | pair[1]).bit_count()):
            part = self.joined(best[one], best[other])
            if part.inputs not in best or part.cost < best[part.inputs].cost:
                best[part.inputs] = part
        return best[component]

    def linear(self, single):
        """The best PartialJoin of connected inputs that consists of intervals of a line."""
        rows = {mask: max(part.rows, LEAST_ROWS) for mask, part in single.items()}
        shares = {(one, other): max(self.joined(single[one], single[other]).rows, LEAST_ROWS) / (rows[one] * rows[other])
                  for one, other in combinations(single, 2) if self.neighbours(one) & other}
        line = linear_order(rows, shares)
        best = {(start, start + 1): single[mask] for start, mask in enumerate(line)}
        for length in range(2, len(line) + 1):
            for start in range(len(line) - length + 1):
                end = start + length
                for middle in range(start + 1, end):
                    one, other = best.get((start, middle)), best.get((middle, end))
                    if one is None or other is None or not self.neighbours(one.inputs) & other.inputs:
                        continue
                    part = self.joined(one, other)
                    if (start, end) not in best or part.cost < best[start, end].cost:
                        best[start, end] = part
        return best[0, len(line)]

    def greedy(self, parts):
        """One PartialJoin of several, by joining the two with the smallest result, again and again."""
        made = {}
        while len(parts) > 1:
            pairs = [(one, other) for number, one in enumerate(parts) for other in parts[:number]]
            connected = [pair for pair in pairs if self.neighbours(pair[0].inputs) & pair[1].inputs]
            for one, other in connected or pairs:
                if (one.inputs, other.inputs) not in made:
                    made[one.inputs, other.inputs] = self.joined(other, one)
            chosen = min((made[one.inputs, other.inputs] for one, other in connected or pairs), key=lambda part: part.rows)
            parts = [part for part in parts if not part.inputs & chosen.inputs] + [chosen]
        return parts[0]

    def joined(self, one, other):
        """The PartialJoin that joins two; the smaller one goes to the right."""
        if other.rows > one.rows:
            one, other = other, one
        union = one.inputs | other.inputs
        rows = self.known_rows.get(union)
        if rows is None:
            rows = self.known_rows[union] = max(LEAST_ROWS, self.rows(one, other, self.keys(one.inputs, other.inputs)))
        by_keys = self.share_keys(one.inputs, other.inputs) or self.has_expression_keys(union)
        startup, total = join_costs(one.rows, other.rows, rows, by_keys)
        return PartialJoin(union, rows, one.cost + other.cost + startup + total, (one, other))

    def keys(self, one, other):
        """The classes that have members on both sides, by number."""
        return [number for number, mask in enumerate(self.masks) if mask & one and mask & other]

    def share_keys(self, one, other):
        """Whether a class has members on both sides."""
        found = self.known_partners.get(one)
        if found is None:
            found = 0
            for mask in self.masks:
                if mask & one:
                    found |= mask
            self.known_partners[one] = found
        return found & other != 0

    def has_expression_keys(self, union):
        """Whether another condition between the inputs of a set may be looked up."""
        return any(mask & union == mask and (isinstance(condition, Call) and condition.function.operator == "=" or
                                             isinstance(condition, IsDistinct) and condition.negated)
                   for mask, condition in self.others)

    def rows(self, one, other, keys):
        """How many rows the join of two PartialJoins has."""
        rows = one.rows * other.rows * pair_share(
            [(self.least_distinct(key, one.inputs), self.least_distinct(key, other.inputs)) for key in keys],
            *(self.rows_of_one(side.inputs, keys) for side in (one, other)))
        union = one.inputs | other.inputs
        for mask, share in self.shares:
            if mask & union == mask and mask & one.inputs and mask & other.inputs:
                rows *= share
        return rows

    def least_distinct(self, key, mask):
        """How many values of a class are left where its members in a set of inputs are equal."""
        found = self.known_keys.get((key, mask))
        if found is None:
            members = [self.distinct[key][number] for number in bits_of(mask & self.masks[key])]
            found = self.known_keys[key, mask] = min(members, key=lambda key: key.order)
        return found

    def rows_of_one(self, mask, keys):
        """How many rows the table has that all keys of a side come from, as a bound of their values together; or None."""
        for key in keys:
            mask &= self.masks[key]
        if not mask or len(keys) < 2:
            return None
        return self.estimates.table_rows([self.classes[key].member_of(next(bits_of(mask))) for key in keys])

    # ---- the plan

    def input_of(self, key, keys, inputs):
        """Which of some inputs a join takes a key from: one that has all its keys, if there is one."""
        with_all = inputs
        for other in keys:
            with_all &= self.masks[other]
        return next(bits_of(with_all or inputs & self.masks[key]))

    def built(self, part, last=()):
        """The plan of a PartialJoin; `last` are conditions for the join on its top."""
        if part.sides is None:
            return self.inputs[part.inputs.bit_length() - 1]
        one, other = part.sides
        conditions = []
        keys = self.keys(one.inputs, other.inputs)
        for key in keys:
            equal = self.classes[key]
            sides = [equal.member_of(self.input_of(key, keys, side.inputs)) for side in part.sides]
            conditions.append(equal.equality(*sides))
        conditions += [condition for mask, condition in self.others
                       if mask & part.inputs == mask and mask & one.inputs and mask & other.inputs]
        return Join(self.built(one), self.built(other), "inner", conjunction([*conditions, *last]))


def connected_pairs(graph, component):
    """Pairs of disjoint connected sets of inputs that are connected with each other, each pair once."""
    for number in reversed(list(bits_of(component))):
        below = (2 << number) - 1
        for one in connected_sets(graph, 1 << number, below):
            lowest = one & -one
            shut = (lowest << 1) - 1 | one
            near = graph.neighbours(one) & ~shut
            for other in reversed(list(bits_of(near))):
                for set in connected_sets(graph, 1 << other, shut | near & ((2 << other) - 1)):
                    yield one, set


def connected_sets(graph, start, shut):
    """Connected sets that contain `start` and further inputs, but for those in `shut`."""
    yield start
    near = graph.neighbours(start) & ~shut
    subset = near & -near
    while subset:
        yield from connected_sets(graph, start | subset, shut | near)
        subset = (subset - near) & near


def column_of(expression):
    """The Column that an expression is, but for a cast that keeps all values apart; or None."""
    if isinstance(expression, Call) and expression.function.cast and len(expression.arguments) == 1 and \
            (expression.arguments[0].type.name, expression.type.name) in EXACT_CASTS:
        expression = expression.arguments[0]
    column = bare_column(expression)
    return column if isinstance(column, Column) else None


def has_equality(type):
    """Whether values of a type can be compared without a cast."""
    return any(function.arguments == (type, type) for function in OPERATORS["="])


def mask_of(numbers):
    """The set of some numbers."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def bits_of(mask):
    """The numbers in a set, in order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
