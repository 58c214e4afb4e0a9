"""Which type becomes which, and how: PostgreSQL's rules for casts and for the common type of several expressions.

    can_convert("int4", "numeric", IMPLICIT)         a question, by type names, over all of PostgreSQL's types
    convert(binder, expression, type, ...)           an answer: the expression with the cast around it
    common_type(binder, expressions, "CASE")         what the arms of a CASE become, and COALESCE, VALUES, IN lists ...

A literal in quotes has the type *unknown* until somewhere it is converted; then its text is read by the type's own input
function, here and now. A conversion is one of: nothing (same type), a Relabel (the bits stay), a cast function of
`caldera.functions`, or through text. A modifier, as in numeric(10,2), is applied after the type by a further cast from the
type to itself.
"""
import re
from decimal import Decimal
from functools import cache, lru_cache

from caldera.base.errors import Error, error
from caldera.bind.record_types import common_shape, has_records, record_as
from caldera.catalog import facts
from caldera.functions import registry as functions
from caldera.functions.scalar.enums import LABELS_COMPARED_MAX, label_choice
from caldera.functions.scalar.ranges import users_cast
from caldera.plan.arrays import ElementMap, Lambda
from caldera.plan.expressions import Call, Constant, Parameter, Relabel, new_column
from caldera.types.registry import TYPES, base_of

IMPLICIT, ASSIGNMENT, EXPLICIT = 0, 1, 2
CONTEXTS = {"i": IMPLICIT, "a": ASSIGNMENT, "e": EXPLICIT}
STRING = "S"
ELEMENT_LIKE = {"anyelement", "anynonarray", "anyenum"}
COMPATIBLE_LIKE = {"anycompatible", "anycompatiblenonarray"}
CONTAINERS = {"anyarray": ("bA",), "anyrange": ("rR",), "anymultirange": ("mR",), "anycompatiblearray": ("bA",),
              "anycompatiblerange": ("rR",), "anycompatiblemultirange": ("mR",)}     # kind and category of types
RANGES = {name for name in CONTAINERS if name.endswith("range")}
POLYMORPHIC = ELEMENT_LIKE | COMPATIBLE_LIKE | set(CONTAINERS)


def type_fact(name):
    """What is known of a type, PostgreSQL's or a user's."""
    if name == "_record":               # for pg_type no array, though it is one wherever arrays may be
        return facts.TYPES[name]._replace(category="A", kind="b")
    if name in facts.TYPES:
        return facts.TYPES[name]
    type = TYPES[name]
    element = getattr(type, "element", None)
    return facts.TypeFact(name, type.oid, type.sql_name, type.category, type.preferred, type.length, type.kind,
                          "" if element is None else element.name)


def base_name(name):
    """The name of the type whose values a domain has; of other types the name itself."""
    return name if name in facts.TYPES or name not in TYPES else base_of(TYPES[name]).name


def spelled(name):
    """A type's name as messages spell it: "integer" for int4."""
    return type_fact(name).sql_name


def supported(binder, name, location=None):
    """The SqlType of a name; raises 0A000 if PostgreSQL has the type and Caldera has not."""
    type = TYPES.get(name)
    if type is None:
        raise binder.error("0A000", f"type {spelled(name)} is not supported", location)
    return type


# ------------------------------------------------------------------------------------------------ questions, by name

def is_record(name):
    """Whether a type is that of some records, or of any."""
    return name == "record" or name in TYPES and TYPES[name].kind == "c"


@lru_cache(maxsize=4096)
def pathway(source, target, context):
    """How a value of one type becomes one of another in a context: "b" the bits stay, "f" by a function, "i" through text,
    "a" element by element, None not at all."""
    source, target = base_name(source), base_name(target)
    if source == target or is_record(source) and is_record(target):
        return "b"
    known = facts.CASTS.get((source, target))
    if known is None and source in TYPES and target in TYPES:       # casts that users added
        function = functions.CASTS.get((TYPES[source], TYPES[target]))
        if function is not None and (source not in facts.TYPES or target not in facts.TYPES):
            known = function.cast[0], "f"
        elif users_cast(TYPES[source], TYPES[target]) is not None:
            known = "e", "f"
    if known is not None:
        return known[1] if context >= CONTEXTS[known[0]] else None
    if source.startswith("_") and target.startswith("_"):
        inner = pathway(type_fact(source).element, type_fact(target).element, context)
        if inner is not None:
            return "b" if inner == "b" and type_fact(target).element == base_name(type_fact(target).element) else "a"
    if context >= ASSIGNMENT and type_fact(target).category == STRING:
        return "i"
    if context >= EXPLICIT and type_fact(source).category == STRING:
        return "i"
    return None


def binary_coercible(source, target):
    """Whether a value of one type is one of the other as it stands."""
    return source == target or pathway(source, target, IMPLICIT) == "b"


def can_convert(source, target, context=IMPLICIT):
    """Whether one type may become another in a context."""
    return (source == target or target == "any" or source == "unknown" or target in POLYMORPHIC
            or pathway(source, target, context) is not None)


def can_convert_all(sources, targets, context=IMPLICIT):
    """The same for the arguments of a call, and whether arguments declared alike ("anyelement") are alike."""
    if not all(can_convert(source, target, context) for source, target in zip(sources, targets)):
        return False
    return not POLYMORPHIC.intersection(targets) or polymorphic_agree(sources, targets)


def polymorphic_agree(sources, targets):
    """Whether one type can stand for "anyelement" and its like in all places, and one for "anycompatible" and its like."""
    elements, compatible, ranges = set(), [], set()
    for source, target in zip(sources, targets):
        if target not in POLYMORPHIC or source == "unknown":
            continue
        fact = type_fact(source)
        if target in CONTAINERS and fact.kind + fact.category not in CONTAINERS[target] \
                or target.endswith("nonarray") and fact.category == "A" or target == "anyenum" and fact.kind != "e":
            return False
        inner = element_name(source, target)
        if target.startswith("anycompatible"):
            compatible.append(inner)
        else:
            elements.add(base_name(inner))
        if target in RANGES:
            ranges.add(range_name(source))
    if "anyenum" in targets and not elements:
        return False
    return len(elements) <= 1 and len(ranges) <= 1 and (len(compatible) <= 1 or common_name(compatible) is not None)


def element_name(source, target):
    """What "anyelement" stands for where an argument of a type is declared as `target`."""
    if target in RANGES:
        return TYPES[range_name(source)].subtype.name
    return type_fact(source).element or source if target in CONTAINERS else source


def range_name(name):
    """A range's name, also of a multirange."""
    return TYPES[name].range.name if type_fact(name).kind == "m" else name


def polymorphic_type(sources, targets):
    """The type that "anyelement" and its like stand for in a call whose arguments have these types."""
    for is_compatible in (False, True):
        found = [element_name(source, target) for source, target in zip(sources, targets)
                 if target in POLYMORPHIC and target.startswith("anycompatible") == is_compatible and source != "unknown"]
        if found:
            return common_name(found) or found[0]
    return "text"


def polymorphic_range(sources, targets):
    """The range type that "anyrange" stands for, and of whose multiranges "anymultirange" is; None without one."""
    return next((range_name(source) for source, target in zip(sources, targets)
                 if target in RANGES and source != "unknown"), None)


def common_name(names):
    """The common type of some types by name, or None; `select_common_type` without a complaint."""
    chosen = None
    for name in names:
        chosen = better_type(chosen, name)
        if chosen is False:
            return None
    return chosen


def better_type(chosen, name):
    """Of two types the one that both become; False if their categories differ."""
    if name == "unknown" or name == chosen:
        return chosen
    if chosen is None:
        return name
    old, new = type_fact(chosen), type_fact(name)
    if old.category != new.category:
        return False
    if not old.preferred and can_convert(chosen, name) and not can_convert(name, chosen):
        return name
    return chosen


# ------------------------------------------------------------------------------------------------ conversions

def convert(binder, expression, type, modifier=None, context=IMPLICIT):
    """The expression as a value of a type, with a modifier if one is given. Raises 42846 if there is no such cast in the
    context; callers with words of their own ask `can_convert` first."""
    converted = to_type(binder, expression, type, context, modifier)
    return fit(binder, converted, modifier, context) if modifier is not None else converted


def to_type(binder, expression, type, context=IMPLICIT, modifier=None):
    """The expression as a value of a type whose modifier is left open (an interval literal needs it to be read)."""
    source = expression.type
    if source is type:
        return expression
    if type.base is not None:
        from caldera.bind.domains import constrained
        root, limit = type.root()
        return constrained(binder, fit(binder, to_type(binder, expression, root, context, limit), limit, context), type)
    if source.base is not None:
        return to_type(binder, binder.at(Relabel(expression, source.base), expression), type, context, modifier)
    if has_records(source) and has_records(type):
        return record_as(binder, expression, type, context)
    if source.name == "unknown":
        if isinstance(expression, Constant):
            return read_literal(binder, expression, type, modifier if type.name == "interval" else None)
        if isinstance(expression, Parameter):
            return binder.settle_parameter(expression, type)
    way = "i" if source.name == "unknown" else pathway(source.name, type.name, context)
    if way is None:
        raise binder.error("42846", f"cannot cast type {source.sql_name} to {type.sql_name}", binder.location(expression))
    if isinstance(expression, Constant):
        known = known_number(expression, type)
        if known is not None:
            return binder.at(known, expression)
    if way == "b" and (source, type) not in functions.CASTS:           # an int4 has other bits than an oid in memory
        return binder.at(Relabel(expression, type), expression)
    if way == "a":
        element = new_column("element", source.element)
        change = Lambda((element,), to_type(binder, element, type.element, context))
        return binder.at(ElementMap(expression, change, type), expression)
    return binder.at(cast_call(binder, expression, type, way), expression)


def known_number(constant, type):
    """A constant as one of another type, where that is NULL or a number that stays the same; else None."""
    value, integers = constant.value, ("int2", "int4", "int8")
    if value is None:
        return Constant(None, type, position=constant.position)
    if constant.type.name in integers:
        if type.name in integers and -1 << 8 * type.length - 1 <= value < 1 << 8 * type.length - 1:
            return Constant(value, type, position=constant.position)
        if type.name == "numeric":
            return Constant(Decimal(value), type, position=constant.position)
    if type.name == "float8" and (constant.type.name in integers or constant.type.name == "numeric" and value.is_finite()):
        if abs(value) < 1 << 53:
            return Constant(float(value), type, position=constant.position)
    return None


def read_literal(binder, constant, type, modifier):
    """A literal as a Constant of a type; as a Call where it means another value at another time ('now'). Raises what the
    type does for a text that it cannot read, at the literal's position."""
    if constant.value is None:
        return binder.at(Constant(None, type, position=constant.position), constant)
    try:
        value = type.parse(constant.value, modifier, binder.session)
    except Error as fault:
        if fault.position is None:
            fault.position = binder.position(binder.location(constant))
        raise
    if type.category in "DT" and _MOMENTS.search(constant.value):       # the plan may be run again at another time
        text = binder.at(Constant(constant.value, TYPES["text"], position=constant.position), constant)
        return binder.at(Call(through_text(TYPES["text"], type), (text,), type), constant)
    return binder.at(Constant(value, type, modifier, position=constant.position), constant)


_MOMENTS = re.compile(r"\b(now|today|tomorrow|yesterday)\b", re.IGNORECASE)


def cast_call(binder, expression, type, way):
    """A cast by a function. Casts through text know only text: varchar and the like are relabelled before or after."""
    source, text = expression.type, TYPES["text"]
    function = functions.CASTS.get((source, type)) or users_cast(source, type)
    if function is not None:
        return Call(function, (expression,), type)
    if way == "i" and type is text and source.kind == "e" and 0 < len(source.labels) <= LABELS_COMPARED_MAX:
        codes = tuple(sorted(source.labels))
        labels = (Constant(source.label_for(code, binder.session), text) for code in codes)
        return Call(label_choice(source, codes), (expression, *labels), text)
    if way == "i":
        if source.category == STRING and source is not text:
            return to_type(binder, binder.at(Relabel(expression, text), expression), type, EXPLICIT)
        if type.category == STRING and type is not text:
            return Relabel(to_type(binder, expression, text, EXPLICIT), type)
        return Call(through_text(source, type), (expression,), type)
    if type.category == STRING and (source, text) in functions.CASTS:
        return Relabel(to_type(binder, expression, text, EXPLICIT), type)
    raise binder.error("0A000", f"the cast from {source.sql_name} to {type.sql_name} is not supported",
                       binder.location(expression))


@cache
def through_text(source, type):
    """The cast that writes a value as text or reads it from text, value by value; for pairs without a faster one."""
    if type.category == STRING:
        return functions.Function(type.name, (source,), type, lambda session, datum: source.format(datum, session),
                                  python=True, cast="assignment", volatility="s", wants_session=True)
    return functions.Function(type.name, (source,), type, lambda session, text: type.parse(text, None, session),
                              python=True, cast="explicit", volatility="s", wants_session=True)


def fit(binder, expression, modifier, context=IMPLICIT):
    """The expression made to fit its type's modifier: rounded, padded, cut off (only in explicit casts) or refused."""
    type = expression.type
    if modifier is None or modifier == expression.modifier:
        return expression
    explicit = context == EXPLICIT
    if isinstance(expression, Constant):
        try:
            value = None if expression.value is None else type.apply_modifier(expression.value, modifier, explicit)
            return binder.at(Constant(value, type, modifier, position=expression.position), expression)
        except Error:
            pass                                    # it is an error only if the expression is evaluated
    return binder.at(Call(fitting_function(type, modifier, explicit), (expression,), type, modifier), expression)


def fitting_function(type, modifier, explicit):
    """The cast from a type to itself that applies a modifier, which the Call carries. Types for which an assignment is
    stricter than an explicit cast have a second one, named "assign_<type>". Where neither is registered, the type's own
    `apply_modifier` does it, value by value."""
    if not explicit:
        for function in functions.FUNCTIONS.get(f"assign_{type.name}", ()):
            return function
    return functions.CASTS.get((type, type)) or fitting_by_value(type, modifier, explicit)


@lru_cache(maxsize=1024)
def fitting_by_value(type, modifier, explicit):
    """A plain Python function that makes values fit a modifier."""
    return functions.Function(type.name, (type,), type, lambda datum: type.apply_modifier(datum, modifier, explicit),
                              python=True, cast="explicit" if explicit else "assignment")


def check_equality(binder, expressions):
    """Raise 42883 for the first expression whose type has no =."""
    for expression in expressions:
        if not expression.type.comparable:
            raise binder.error("42883", f"could not identify an equality operator for type {expression.type.sql_name}",
                               binder.location(expression))


def check_order(binder, expression):
    """Raise 42883 for an expression whose type has no <."""
    if not expression.type.comparable:
        raise binder.error("42883", f"could not identify an ordering operator for type {expression.type.sql_name}",
                           binder.location(expression),
                           hint="Use an explicit ordering operator or modify the query.")


def text_if_unknown(binder, expression):
    """A literal whose type nothing has settled becomes text."""
    return to_type(binder, expression, TYPES["text"]) if expression.type.name == "unknown" else expression


# ------------------------------------------------------------------------------------------------ common types

def common_type(binder, expressions, what):
    """The type that all of the expressions become: of the first unless a later one is of the same category and the
    former converts to it implicitly but not back; text if all are unknown. Raises 42804 naming `what` across categories."""
    chosen = expressions[0].type.name
    if chosen != "unknown" and all(expression.type.name == chosen for expression in expressions):
        return alike_type(binder, expressions)
    chosen = None
    for expression in expressions:
        name = base_name(expression.type.name)
        better = better_type(chosen, name)
        if better is False:
            raise binder.error("42804", f"{what} types {spelled(chosen)} and {spelled(name)} cannot be matched",
                               binder.location(expression))
        chosen = better
    alike = [each for each in expressions if each.type.name == chosen]
    return alike_type(binder, alike) if alike else TYPES[chosen or "text"]


def alike_type(binder, expressions):
    """The type of expressions whose types have one name: of records and arrays of them, one that all become."""
    type = expressions[0].type
    return common_shape(binder, expressions) if has_records(type) else type


def common_modifier(expressions, type):
    """The modifier that all the expressions share, if they have the common type already; else None."""
    first = expressions[0].modifier
    return first if all(each.type is type and each.modifier == first for each in expressions) else None


def to_common_type(binder, expression, type, what):
    """The expression as a value of the common type; raises 42846 if that is impossible."""
    if not can_convert(expression.type.name, type.name):
        raise error("42846", f"{what} could not convert type {expression.type.sql_name} to {type.sql_name}",
                    position=binder.position(binder.location(expression)))
    return to_type(binder, expression, type)


def to_boolean(binder, expression, what):
    """The expression as a condition; raises 42804 unless it is boolean (or unknown)."""
    boolean = TYPES["bool"]
    if not can_convert(expression.type.name, "bool", ASSIGNMENT):
        raise binder.error("42804", f"argument of {what} must be type boolean, not type {expression.type.sql_name}",
                           binder.location(expression))
    return convert(binder, expression, boolean, context=ASSIGNMENT)
