"""Which of several operators or functions of one name a call means.

    select("+", operator candidates, ("unknown", "int4"))
       exact match? ── only one that accepts? ── most exact matches? ── most preferred types? ── categories of the unknown
       arguments? ── unknown arguments of the type of the known ones? ──▶ Chosen | NOT_FOUND | AMBIGUOUS

These are the rules of PostgreSQL's manual, chapter "Type Conversion", sections "Operators" and "Functions", step by step.
They run over names of types and over all candidates that PostgreSQL has (`catalog.facts`) besides those of users;
`implementation` finds the Caldera function for the chosen one: the same, or one that its arguments widen to.
"""
from dataclasses import dataclass, replace
from functools import lru_cache

from caldera.bind.conversions import (IMPLICIT, POLYMORPHIC, RANGES, STRING, base_name, binary_coercible,
                                      can_convert_all, polymorphic_range, polymorphic_type, type_fact)
from caldera.catalog import facts
from caldera.functions import registry as functions
from caldera.types.registry import TYPES

NOT_FOUND, AMBIGUOUS = "not found", "ambiguous"
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Chosen:
    """The overload that a call means. `arguments`: the type each argument becomes, by name, variadic ones repeated and
    polymorphic ones replaced; `result` likewise."""
    signature: facts.Signature
    arguments: tuple
    result: str
    places: tuple = ()          # where the call names arguments: the number in the definition of each argument of the call


# ------------------------------------------------------------------------------------------------ the choice

def choose_operator(name, sources):
    """The operator meant by a name and the types of one (prefix) or two operands. Domains count as their base types."""
    sources = tuple(map(base_name, sources))
    users = users_signatures("operator", name, tuple(functions.OPERATORS.get(name, ())))
    return operator_overload(name, sources, users)


@lru_cache(maxsize=4096)
def operator_overload(name, sources, users):
    """`choose_operator` over base types: Chosen, NOT_FOUND or AMBIGUOUS. users: Signatures beside PostgreSQL's. With one
    operand unknown, the operator for twice the other type wins (step 2a)."""
    candidates = [(signature, signature.arguments) for signature in facts.operators(name) + users
                  if len(signature.arguments) == len(sources)]
    exact = exact_candidate(candidates, sources)
    if exact is None and len(sources) == 2 and UNKNOWN in sources and sources != (UNKNOWN, UNKNOWN):
        known = sources[0] if sources[1] == UNKNOWN else sources[1]
        exact = exact_candidate(candidates, (known, known))
    return as_chosen(exact, sources) if exact else selected(candidates, sources)


def choose_function(name, sources, argument_names=()):
    """The function, aggregate or window function meant by a name and the types of its arguments, the last of which may
    have names. Domains count as their base types."""
    sources = tuple(map(base_name, sources))
    users = users_signatures("function", name, (*functions.FUNCTIONS.get(name, ()), *functions.AGGREGATES.get(name, ()),
                                                 *functions.TABLE_FUNCTIONS.get(name, ())))
    return function_overload(name, sources, argument_names, users)


@lru_cache(maxsize=4096)
def function_overload(name, sources, argument_names, users):
    """`choose_function` over base types: Chosen, NOT_FOUND or AMBIGUOUS. users: Signatures beside PostgreSQL's."""
    candidates = []
    if argument_names:
        return choose_by_names(name, sources, argument_names)
    for signature in facts.functions(name) + users:
        arguments = spread(signature, len(sources))
        if arguments is not None and not any(arguments == other for _, other in candidates):
            candidates.append((signature, arguments))
    exact = exact_candidate(candidates, sources)
    return as_chosen(exact, sources) if exact else selected(candidates, sources)


def choose_by_names(name, sources, argument_names):
    """The choice among the overloads that have arguments of these names, and defaults for those that are left out."""
    candidates, places_of, count = [], {}, len(sources) - len(argument_names)
    for signature in facts.functions(name):
        numbers = {argument: number for number, argument in enumerate(signature.names)}
        places = (*range(count), *(numbers.get(argument, -1) for argument in argument_names))
        required = range(len(signature.arguments) - signature.defaults)
        if signature.names and len(set(places)) == len(places) and min(places[count:]) >= count \
                and set(required) <= set(places):
            candidates.append((signature, tuple(signature.arguments[place] for place in places)))
            places_of[signature] = places
    exact = exact_candidate(candidates, sources)
    chosen = as_chosen(exact, sources) if exact else selected(candidates, sources)
    return chosen if isinstance(chosen, str) else replace(chosen, places=places_of[chosen.signature])


def spread(signature, count):
    """A signature's arguments for a call with so many: the variadic one repeated, defaults left out; None if it cannot."""
    arguments = signature.arguments
    if signature.variadic and count >= len(arguments):
        last = arguments[-1]
        element = last if last == "any" else "anyelement" if last == "anyarray" else type_fact(last).element or last
        return arguments[:-1] + (element,) * (count - len(arguments) + 1)
    if len(arguments) - signature.defaults <= count <= len(arguments):
        return arguments[:count]
    return None


_seen_signatures = {}       # (kind, name) -> what was registered at that time, and what of it PostgreSQL has not


def users_signatures(kind_of_name, name, registered):
    """Registered functions or operators that PostgreSQL has not, as signatures."""
    before, found = _seen_signatures.get((kind_of_name, name), ((), ()))
    if before != registered:
        known = facts.operators(name) if kind_of_name == "operator" else facts.functions(name)
        found = unknown_signatures(registered, known)
        _seen_signatures[kind_of_name, name] = registered, found
    return found


def unknown_signatures(registered, known):
    """Signatures of the registered functions that none of the known ones covers."""
    found = []
    for function in registered:
        names = tuple(getattr(argument, "name", argument) for argument in function.arguments)
        if not any(covers(signature.arguments, names) for signature in known):
            kind = "f"
            if isinstance(function, functions.AggregateSignature):
                kind = "o" if function.implementation.within_group else "a"
            many = isinstance(function, functions.TableFunction)
            result = "record" if many else getattr(function.result, "name", function.result)
            if not (function.variadic and any(signature.variadic for signature in known)):
                found.append(facts.Signature(function.name, names, result, kind, many, function.variadic))
    return tuple(found)


def covers(declared, names):
    """Whether an overload of PostgreSQL's is one for these types, or for any types in their places."""
    return declared == names or len(declared) == len(names) and all(
        one == other or one in POLYMORPHIC for one, other in zip(declared, names)) and can_convert_all(names, declared)


def exact_candidate(candidates, sources):
    """The first candidate (signature, arguments) with exactly these types, or None."""
    return next((candidate for candidate in candidates if candidate[1] == sources), None)


def as_chosen(candidate, sources):
    """The Chosen of a candidate, with concrete types in place of polymorphic ones."""
    signature, arguments = candidate
    if POLYMORPHIC.intersection(arguments) or signature.result in POLYMORPHIC:
        stands_for = polymorphic_type(sources, arguments)
        array = facts.ARRAYS.get(stands_for) or (f"_{stands_for}" if f"_{stands_for}" in TYPES else "anyarray")

        range = polymorphic_range(sources, arguments)

        def concrete(name):
            if name not in POLYMORPHIC:
                return name
            if name in RANGES:
                return "anyrange" if range is None else TYPES[range].multirange.name if "multi" in name else range
            return array if name.endswith("array") and "non" not in name else stands_for
        return Chosen(signature, tuple(map(concrete, arguments)), concrete(signature.result))
    return Chosen(signature, arguments, signature.result)


def selected(candidates, sources):
    """Steps 3 and 4: candidates that accept the types; then the best of several."""
    accepting = [candidate for candidate in candidates if can_convert_all(sources, candidate[1], IMPLICIT)]
    if not accepting:
        return NOT_FOUND
    if len(accepting) > 1:
        accepting = most_matching(accepting, lambda source, target: source == target, sources)
    if len(accepting) > 1:
        accepting = most_matching(accepting, lambda source, target: source == target or prefers(target, source), sources)
        if len(accepting) > 1:
            accepting = by_unknowns(accepting, sources)
    return as_chosen(accepting[0], sources) if accepting else AMBIGUOUS


def prefers(target, source):
    """Whether the target is the preferred type of the source's category."""
    fact = type_fact(target)
    return fact.preferred and fact.category == type_fact(source).category


def most_matching(candidates, matches, sources):
    """The candidates for which most of the known arguments match."""
    counts = [sum(source != UNKNOWN and matches(source, target) for source, target in zip(sources, arguments))
              for _, arguments in candidates]
    most = max(counts)
    return [candidate for candidate, count in zip(candidates, counts) if count == most]


def by_unknowns(candidates, sources):
    """Steps 4e and 4f: a list of the one candidate left, or an empty list."""
    unknown = [number for number, source in enumerate(sources) if source == UNKNOWN]
    if not unknown:
        return []
    wanted = {}
    for number in unknown:
        slot = unknown_slot(candidates, number)
        if slot is None:
            break
        wanted[number] = slot
    else:
        fitting = [candidate for candidate in candidates if all(
            type_fact(candidate[1][number]).category == category
            and (type_fact(candidate[1][number]).preferred or not preferred)
            for number, (category, preferred) in wanted.items())]
        candidates = fitting or candidates
        if len(candidates) == 1:
            return candidates
    known = {source for source in sources if source != UNKNOWN}
    if len(known) == 1:
        alike = tuple(known) * len(sources)
        accepting = [candidate for candidate in candidates if can_convert_all(alike, candidate[1], IMPLICIT)]
        if len(accepting) == 1:
            return accepting
    return []


def unknown_slot(candidates, number):
    """The category that an unknown argument is taken for, and whether a candidate has a preferred type there: the string
    category if any candidate has one there, else the only one; None if they differ."""
    category, preferred, conflict = None, False, False
    for _, arguments in candidates:
        fact = type_fact(arguments[number])
        if category is None:
            category, preferred = fact.category, fact.preferred
        elif fact.category == category:
            preferred = preferred or fact.preferred
        elif fact.category == STRING:
            category, preferred = STRING, fact.preferred
        else:
            conflict = True
    return None if conflict and category != STRING else (category, preferred)


# ------------------------------------------------------------------------------------------------ what Caldera has

def implementation(registered, chosen):
    """The registered function for a chosen overload: with exactly its arguments; or else one of the same result to which
    its arguments widen (PostgreSQL has int2 + int4, here it may be int4 + int4). None if there is none."""
    return implementation_of(tuple(registered), chosen)


@lru_cache(maxsize=4096)
def implementation_of(registered, chosen):
    """`implementation`, kept for the pairs that come again."""
    widened = next((function for function in registered if declared_as(function, chosen.signature)
                    and len(function.arguments) <= len(chosen.arguments)), None)        # else it waits for defaults
    for function in registered:
        arguments = registered_arguments(function, len(chosen.arguments))
        if arguments is None or getattr(function.result, "name", chosen.result) != chosen.result:
            continue
        if arguments == chosen.arguments:
            return function
        if widened is None and all(accepts(target, source) for source, target in zip(chosen.arguments, arguments)):
            widened = function
    return widened


def declared_as(function, signature):
    """Whether a registered function has an overload's very arguments, polymorphic ones as they are."""
    names = tuple(getattr(argument, "name", argument) for argument in function.arguments)
    return names == signature.arguments and bool(POLYMORPHIC.intersection(names))


def fits(function, chosen):
    """Whether a table function takes the arguments of a chosen overload."""
    names = [getattr(type, "name", type) for type in function.arguments]
    return len(names) == len(chosen.arguments) and all(
        source == target or target in POLYMORPHIC or widens(source, target)
        for source, target in zip(chosen.arguments, names))


def accepts(target, source):
    """Whether an implementation's argument may be given a value of the source's type."""
    return (target in ("any", source) or target in POLYMORPHIC or binary_coercible(source, target)
            or widens(source, target))


def widens(source, target):
    """Whether the source becomes the target implicitly and within its category."""
    return can_convert_all((source,), (target,), IMPLICIT) and type_fact(source).category == type_fact(target).category


def registered_arguments(function, count):
    """The names of the types that a registered function takes in a call with `count` arguments, or None if it takes fewer
    or more."""
    names = tuple(getattr(argument, "name", argument) for argument in function.arguments)
    if function.variadic and count >= len(names) - 1:
        return names[:-1] + names[-1:] * (count - len(names) + 1)
    return names if len(names) == count else None
