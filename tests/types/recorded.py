"""Recorded answers of PostgreSQL: what it makes of many inputs, so that tests need not start it.

A file in forms/ holds sections. A section names an SQL expression with %L where the input goes, and settings; then one line
for each input: the input, a tab, and PostgreSQL's answer as text, or "!" with SQLSTATE, message, detail and hint.

    # %L::timestamptz    TimeZone=America/New_York
    2001-02-03 04:05<tab>2001-02-03 04:05:00-05
    nonsense<tab>!22007|invalid input syntax for type timestamp with time zone: "nonsense"||

`UPDATE=1 pytest tests/types` asks PostgreSQL again and rewrites all answers; new inputs may stand without one.
"""
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from caldera.base.errors import Error
from caldera.types.session import DEFAULTS

FOLDER = Path(__file__).parent / "forms"
ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r"}
CHARACTERS = {escape: character for character, escape in ESCAPES.items()}
ASK = """CREATE FUNCTION pg_temp.ask(expression text, input text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text; state text; message text; detail text; hint text;
BEGIN
    EXECUTE 'SELECT (' || format(expression, VARIADIC array_fill(input, ARRAY[5])) || ')::text' INTO answer;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
        hint = PG_EXCEPTION_HINT;
    RETURN '!' || concat_ws('|', state, message, detail, hint);
END $$"""


@dataclass
class Section:
    """Inputs to one expression under some settings; `answers` has None for what was not recorded yet."""
    expression: str
    settings: dict
    inputs: list = field(default_factory=list)
    answers: list = field(default_factory=list)

    @property
    def title(self):
        return " ".join([self.expression, *(f"{name}={value}" for name, value in self.settings.items())])


class Session:
    """A session with settings, in which it is always the same time."""

    def __init__(self, settings):
        self.settings = {name.lower(): value for name, value in settings.items()}

    def setting(self, name):
        return self.settings.get(name.lower(), DEFAULTS[name.lower()])

    def now(self):
        return datetime(2026, 7, 1, 12, tzinfo=UTC)


def escape(text):
    return re.sub(r"[\\\t\n\v\f\r]", lambda found: ESCAPES[found[0]], text)


def unescape(text):
    return re.sub(r"\\.", lambda found: CHARACTERS[found[0]], text)


def read(name):
    """The sections of a file."""
    sections = []
    for line in (FOLDER / name).read_text(encoding="utf-8").split("\n")[:-1]:
        if line.startswith("# "):
            expression, *settings = re.split(r"\s{2,}", line[2:])
            sections.append(Section(expression, dict(setting.split("=", 1) for setting in settings)))
            continue
        text, tab, answer = line.partition("\t")
        sections[-1].inputs.append(unescape(text))
        sections[-1].answers.append(unescape(answer) if tab else None)
    return sections


def write(name, sections):
    lines = []
    for section in sections:
        settings = [f"{key}={value}" for key, value in section.settings.items()]
        lines.append("    ".join([f"# {section.expression}", *settings]))
        lines += [f"{escape(text)}\t{escape(answer)}" for text, answer in zip(section.inputs, section.answers)]
    (FOLDER / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def ask(postgres, section):
    """PostgreSQL's answers to a section's inputs, through a tests.oracle.Session."""
    postgres.query(ASK)
    for name, value in section.settings.items():
        postgres.run(f"SET {name} = '{value}'")
    quoted = [text.replace("\\", "\\\\").replace("'", "\\'") for text in section.inputs]
    inputs = ", ".join(f"({number}, E'{text}')" for number, text in enumerate(quoted))
    expression = section.expression.replace("'", "''")
    source = f"(VALUES {inputs}) AS v(number, input)"
    answer = postgres.run(f"SELECT pg_temp.ask('{expression}', input) FROM {source} ORDER BY number")
    for name in section.settings:
        postgres.run(f"RESET {name}")
    return [row[0] for row in answer.rows]


def attempt(function, *arguments):
    """A function's text, or its error in the form of a recorded one."""
    try:
        return function(*arguments)
    except Error as fault:
        return "!" + "|".join([fault.sqlstate, fault.message, fault.detail or "", fault.hint or ""])
