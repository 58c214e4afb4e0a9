"""Reading and writing every type as PostgreSQL does, to the character, by recorded answers (see recorded.py)."""
import os
import re
from decimal import Decimal

import pytest

from caldera.types import arithmetic, registry
from caldera.types.interval import INTERVAL
from caldera.types.interval_fields import ALL_FIELDS, RANGES
from tests.types import recorded

FILES = sorted(path.name for path in recorded.FOLDER.glob("*.txt"))
CAST = re.compile(r'%L::"?(\w+)"?')
WITH_MODIFIER = re.compile(r"%L::(\w+)(?:\((\d+)(?:,(-?\d+))?\))")
RANGED = re.compile(r"interval (?:\((\d)\) )?%L ?([a-z ]*[a-z])?(?:\((\d)\))?")
OPERATORS = {"+": arithmetic.add, "-": arithmetic.sub, "*": arithmetic.mul, "/": arithmetic.div, "%": arithmetic.mod}
FUNCTIONS = {"div": arithmetic.div_trunc, "gcd": arithmetic.gcd, "lcm": arithmetic.lcm, "power": arithmetic.power,
             "log": arithmetic.log, "sqrt": arithmetic.sqrt, "ln": arithmetic.ln, "exp": arithmetic.exp,
             "floor": arithmetic.floor, "ceil": arithmetic.ceil, "sign": arithmetic.sign}


def evaluate(expression, text, session):
    """What Caldera makes of an input: the expressions in forms/ are casts, interval literals and arithmetic of numeric."""
    if "numeric" in expression and "split_part" in expression:
        return calculate(expression, text)
    if expression.startswith("interval "):
        first, fields, last = RANGED.fullmatch(expression).groups()
        precision = int(first or last) if first or last else None
        modifier = (RANGES[fields] if fields else ALL_FIELDS), precision
        return INTERVAL.format(INTERVAL.parse(text, modifier, session), session)
    found = WITH_MODIFIER.fullmatch(expression)
    if found:
        type = registry.lookup(found[1])
        modifier = type.encode_modifier([int(number) for number in found.groups()[1:] if number])
        return type.format(type.apply_modifier(type.parse(text, None, session), modifier, explicit=True), session)
    type = registry.lookup(CAST.fullmatch(expression)[1])
    text = type.format(type.parse(text, None, session), session)
    return {"t": "true", "f": "false"}[text] if type.name == "bool" else text       # as a cast to text gives it


def calculate(expression, text):
    """Arithmetic on the numbers in "a;b"."""
    numbers = [registry.lookup("numeric").parse(part) for part in text.split(";")]
    word = re.match(r"(\w+)\(", expression)
    if word and word[1] in ("round", "trunc"):
        function = arithmetic.round_to if word[1] == "round" else arithmetic.trunc_to
        result = function(numbers[0], int(numbers[1]))
    elif word and word[1] in FUNCTIONS:
        result = FUNCTIONS[word[1]](*numbers)
    else:
        result = OPERATORS[re.search(r"::numeric (\S)", expression)[1]](*numbers)
    assert isinstance(result, Decimal)
    return registry.lookup("numeric").format(result)


@pytest.mark.parametrize("name", FILES)
def test_texts_are_read_and_written_as_postgresql_does(name, request):
    sections = recorded.read(name)
    if os.environ.get("UPDATE"):
        postgres = request.getfixturevalue("postgres")
        for section in sections:
            section.answers = recorded.ask(postgres, section)
        recorded.write(name, sections)
    wrong = []
    for section in sections:
        session = recorded.Session(section.settings)
        for text, answer in zip(section.inputs, section.answers):
            ours = recorded.attempt(evaluate, section.expression, text, session)
            if ours != answer:
                wrong.append(f"{section.title}: {text!r}\n    PostgreSQL {answer!r}\n    Caldera    {ours!r}")
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:20])


def test_every_file_holds_many_cases():
    assert sum(len(section.inputs) for name in FILES for section in recorded.read(name)) > 3000
