"""Editing at the prompt: history, completion, a little colour. Built on prompt_toolkit.

    prompts(shell) ─▶ lines, as they are entered; the prompt says what is open: memory=> memory-> memory(> memory'>

Ctrl-C forgets what was typed, Ctrl-D leaves.
"""
import os
import re

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import Completer, Completion, PathCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, InMemoryHistory
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.styles import Style

from caldera.base.settings import SETTINGS
from caldera.client.commands import COMMANDS
from caldera.execute.session import FAILED, IN_BLOCK
from caldera.functions import registry
from caldera.types.registry import TYPES

KEYWORDS = """
ALL ANALYZE AND ANY AS ASC BEGIN BETWEEN BY CASCADE CASE CAST COMMIT COPY COUNT CREATE CROSS CSV CURRENT_DATE
CURRENT_TIMESTAMP DATABASE DEFAULT DELETE DESC DISTINCT DROP ELSE END EXCEPT EXISTS EXPLAIN EXTRACT FALSE FETCH FILTER FIRST
FORMAT FROM FULL GROUP HAVING HEADER IF ILIKE IN INNER INSERT INTERSECT INTERVAL INTO IS JOIN LAST LEFT LIKE LIMIT NOT NULL
NULLS OFFSET ON OR ORDER OUTER OVER PARQUET PARTITION PRIMARY REPLACE RESET RIGHT ROLLBACK SCHEMA SELECT SET SHOW SIMILAR
SOME
TABLE TEMPORARY THEN TIMESTAMP TO TRUE TRUNCATE UNION UNIQUE UPDATE USING VALUES VIEW WHEN WHERE WITH""".split()
KEYWORD_SET = frozenset(KEYWORDS)
LEXEMES = re.compile(r"""(?P<comment>--.*|/\*.*?(?:\*/|\Z)) | (?P<string>[eE]?'(?:[^']|'')*'?) | (?P<name>"[^"]*"?)
                       | (?P<number>\b\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?) | (?P<command>^\s*\\\S+)
                       | (?P<word>[^\W\d]\w*)""", re.VERBOSE)
COLOURS = Style.from_dict({"comment": "ansibrightblack", "string": "ansigreen", "number": "ansicyan",
                           "command": "ansiyellow", "keyword": "bold ansiblue"})


def history_path():
    """Where what was typed is kept: CALDERA_HISTORY, or a file in the home directory."""
    return os.environ.get("CALDERA_HISTORY") or os.path.expanduser("~/.caldera_history")


def history():
    """The history in its file, or in memory if that cannot be written."""
    path = history_path()
    try:
        with open(path, "a", encoding="utf-8"):
            pass
        os.chmod(path, 0o600)
    except OSError:
        return InMemoryHistory()
    return FileHistory(path)


def prompts(shell):
    """Yields the lines that the user enters, until Ctrl-D."""
    session = PromptSession(history=history(), completer=SqlCompleter(shell), complete_while_typing=False, lexer=SqlLexer(),
                            style=COLOURS, auto_suggest=AutoSuggestFromHistory(), enable_open_in_editor=True)
    while True:
        try:
            yield from session.prompt(prompt_text(shell)).split("\n")
        except KeyboardInterrupt:
            shell.reader.reset()
        except EOFError:
            if shell.reader.waits_for == "=":
                shell.say("\\q")
                return
            shell.reader.reset()


def prompt_text(shell):
    """name, what is waited for, the state of the transaction."""
    transaction = {IN_BLOCK: "*", FAILED: "!"}.get(shell.connection.session.state, "")
    return f"{shell.database_name()}{shell.reader.waits_for}{transaction}> "


class SqlLexer(Lexer):
    """Colours for what is typed."""

    def lex_document(self, document):
        def line(number):
            text, at, fragments = document.lines[number], 0, []
            for match in LEXEMES.finditer(text):
                kind = match.lastgroup
                if kind == "word":
                    kind = "keyword" if match.group().upper() in KEYWORD_SET else ""
                fragments += [("", text[at:match.start()]), (f"class:{kind}" if kind else "", match.group())]
                at = match.end()
            return [*fragments, ("", text[at:])]
        return line


class SqlCompleter(Completer):
    """Keywords, and the names of what there is: tables, columns, functions, settings, commands, files."""

    def __init__(self, shell):
        self.shell, self.files = shell, PathCompleter(expanduser=True)

    def get_completions(self, document, event):
        before = document.text_before_cursor
        file = re.search(r"(?:^\s*\\(?:i|o|cd|c|e)\s+|')(?P<path>[^'\s]*)\Z", before)
        if file and before.count("'") % 2 == ("'" in file.group()):
            yield from self.files.get_completions(Document(file["path"]), event)
            return
        word = re.search(r"[\w.$]*\Z", before).group()
        if re.search(r"^\s*\\\w*\Z", before):
            word = before.split("\\")[-1]
            candidates = sorted(COMMANDS)
        elif re.search(r"\b(?:SET|SHOW|RESET)\s+[\w.]*\Z", before, re.IGNORECASE):
            candidates = sorted(setting.name for setting in SETTINGS.values())
        else:
            candidates = self.names(before, word)
        for candidate in candidates:
            if candidate.lower().startswith(word.lower()):
                yield Completion(candidate, -len(word))

    def names(self, before, word):
        """What may stand here, what the statement mentions first. Behind FROM and the like only relations."""
        relations = self.relations()
        names = [entry.name for entry in relations if not entry.system or word.startswith("pg_")]
        if "." in word:
            names += [f"{entry.schema.name}.{entry.name}" for entry in relations]
        if re.search(r"\b(?:FROM|JOIN|INTO|TABLE|VIEW|COPY|\\d[tv]?)\s+[\w.$]*\Z", before, re.IGNORECASE):
            return unique(names)
        statement = self.shell.reader.pending + before
        mentioned = [entry for entry in relations if re.search(rf"\b{re.escape(entry.name)}\b", statement)]
        likely = mentioned or [entry for entry in relations if not entry.system]
        columns = [column.name for entry in likely for column in entry.columns]
        if not word:
            return unique(columns + names)
        keywords = KEYWORDS if word.isupper() else [keyword.lower() for keyword in KEYWORDS]
        functions = [name for table in (registry.FUNCTIONS, registry.AGGREGATES, registry.WINDOW_FUNCTIONS)
                     for name in table if len(word) > 1]
        return unique(columns + names + keywords + sorted(functions) + [name for name in TYPES if len(word) > 1])

    def relations(self):
        """The entries of the catalog; none in a transaction that failed."""
        from caldera.base.errors import Error
        try:
            with self.shell.catalog() as view:
                return view.relations()
        except Error:
            return []


def unique(names):
    """The names in order, each once."""
    return list(dict.fromkeys(names))
