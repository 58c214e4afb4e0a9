"""The shell's backslash commands: one function each, with the line of help that \\? shows.

    @command("x", "[on|off|auto]", doc="a line for each value")       \\x
    def expanded(shell, argument): ...                              argument: the rest of the line

A command returns False if it failed and has said so. Wrong use raises UsageError, whose text is shown.
"""
import os
import re
import shlex
import subprocess
import tempfile
from dataclasses import replace

from caldera.client import describe

COMMANDS, HELP = {}, []
CALL = re.compile(r"\\(?P<name>\?|!|[a-zA-Z]+)(?P<plus>\+?)\s*(?P<argument>.*)\Z", re.DOTALL)


class UsageError(Exception):
    """A command was given something it does not take."""


class Quit(Exception):
    """The shell is to end."""


def command(names, argument, doc, section="General"):
    """Register a function under one or more names separated by spaces; the first one is in the help."""
    def register(function):
        for name in names.split():
            COMMANDS[name] = function
        HELP.append((section, f"\\{names.split()[0]} {argument}".rstrip(), doc))
        return function
    return register


def run_command(shell, text):
    """Run a backslash command; what it returns. Raises UsageError, Quit."""
    match = CALL.match(text)
    function = COMMANDS.get(match["name"]) if match else None
    if function is None:
        raise UsageError(f"invalid command {text.split()[0]}\nTry \\? for help.")
    return function(shell, match["argument"].strip())


def words(argument):
    """The words of an argument; quotes keep blanks together. Raises UsageError for a quote that does not end."""
    try:
        return shlex.split(argument)
    except ValueError as fault:
        raise UsageError(str(fault)) from None


def switched(argument, before, name):
    """on, off, or the other one if nothing is said. Raises UsageError."""
    if not argument:
        return not before
    if argument.lower() in ("on", "true", "yes", "1", "off", "false", "no", "0"):
        return argument.lower() in ("on", "true", "yes", "1")
    raise UsageError(f'unrecognized value "{argument}" for "\\{name}": Boolean expected')


# ------------------------------------------------------------------------------------------------ general

@command("?", "", doc="this help")
def help_(shell, argument):
    section, lines = None, []
    for place, usage, text in sorted(HELP, key=lambda entry: SECTIONS.index(entry[0])):
        if place != section:
            lines += [""] * (section is not None) + [place]
            section = place
        lines.append(f"  {usage:<28} {text}")
    shell.page(lines)


SECTIONS = ["General", "Query", "Input and output", "What there is", "Format", "Variables"]


@command("q quit exit", "", doc="quit")
def quit_(shell, argument):
    raise Quit


@command("timing", "[on|off]", doc="show how long each statement takes")
def timing(shell, argument):
    shell.timing = switched(argument, shell.timing, "timing")
    shell.say(f"Timing is {'on' if shell.timing else 'off'}.")


@command("c connect", "[PATH]", doc="open another database; without a path, one in memory")
def connect(shell, argument):
    path = next(iter(words(argument)), None)
    shell.open(path)
    shell.say(f"You are now connected to {shell.database_words()}.")


@command("conninfo", "", doc="which database this is")
def conninfo(shell, argument):
    shell.say(f"You are connected to {shell.database_words()}.")


@command("cd", "[DIRECTORY]", doc="change the working directory")
def change_directory(shell, argument):
    path = os.path.expanduser(next(iter(words(argument)), "~"))
    try:
        os.chdir(path)
    except OSError as fault:
        raise UsageError(f"could not change directory to {path}: {fault.strerror}") from None


@command("!", "[COMMAND]", doc="run a command of the system's shell, or that shell itself")
def system(shell, argument):
    shell.out.flush()
    subprocess.run(argument or os.environ.get("SHELL", "/bin/sh"), shell=bool(argument))


@command("copyright", "", doc="the licence")
def copyright_(shell, argument):
    shell.say("Caldera is free software under the Apache License, version 2.0.")


# ------------------------------------------------------------------------------------------------ query

@command("g", "", doc="run what was typed, as a semicolon does", section="Query")
def go(shell, argument):
    shell.run_pending()


@command("gx", "", doc="run it, and show a line for each value", section="Query")
def go_expanded(shell, argument):
    before, shell.style = shell.style, replace(shell.style, expanded="on")
    try:
        shell.run_pending()
    finally:
        shell.style = replace(shell.style, expanded=before.expanded)


@command("p print", "", doc="show what was typed and not run yet, or else what ran last", section="Query")
def print_buffer(shell, argument):
    shell.say(shell.reader.pending.rstrip() or shell.last_statement or "Query buffer is empty.")


@command("r reset", "", doc="forget what was typed", section="Query")
def reset(shell, argument):
    shell.reader.reset()
    shell.say("Query buffer reset (cleared).")


@command("e edit", "[FILE]", doc="edit what was typed, or what ran last, with $EDITOR, and run it", section="Query")
def edit(shell, argument):
    text, name = shell.reader.pending or shell.last_statement, next(iter(words(argument)), None)
    shell.reader.reset()
    made = name is None
    if made:
        descriptor, name = tempfile.mkstemp(suffix=".sql")
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text.rstrip() + "\n" if text else "")
    try:
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
        if subprocess.run([*shlex.split(editor), name]).returncode:
            raise UsageError(f"could not start editor {editor}")
        with open(name, encoding="utf-8") as file:
            shell.run_lines(file.read().splitlines() + [";"], name)
    except OSError as fault:
        raise UsageError(f"{name}: {fault.strerror}") from None
    finally:
        if made:
            os.unlink(name)


# ------------------------------------------------------------------------------------------------ input and output

@command("i include", "FILE", doc="run the statements and commands of a file", section="Input and output")
def include(shell, argument):
    names = words(argument)
    if not names:
        raise UsageError("\\i: missing required argument")
    shell.run_file(os.path.expanduser(names[0]))


@command("o out", "[FILE | |COMMAND]", doc="send results to a file or a command; without one, back to the screen",
         section="Input and output")
def output(shell, argument):
    shell.redirect(argument)


@command("echo", "[TEXT]", doc="print a text", section="Input and output")
def echo(shell, argument):
    print(" ".join(words(argument)), file=shell.out)


@command("copy", "...", doc="as COPY; the file's name needs no quotes", section="Input and output")
def copy(shell, argument):
    text, to_stdout = with_file_quoted(argument.rstrip(";"))
    before, shell.quiet = shell.quiet, shell.quiet or to_stdout         # then rows only, without "COPY 3"
    try:
        return shell.run_statement("COPY " + text)
    finally:
        shell.quiet = before


COPY_WORD = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]|[^\s()'"]+""")


def with_file_quoted(argument):
    """(the argument of \\copy with the file's name in quotes, as COPY wants it; whether that is the standard output). The
    name follows FROM or TO outside of parentheses."""
    depth, words = 0, list(COPY_WORD.finditer(argument))
    for word, file in zip(words, words[1:]):
        depth += (word.group() == "(") - (word.group() == ")")
        if depth == 0 and word.group().lower() in ("from", "to"):
            name = file.group()
            if name[0] in "'(" or name.lower() in ("stdin", "pstdin", "program"):
                break
            name = re.compile(r"\S+").match(argument, file.start()).group()
            to_stdout = name.lower() in ("stdout", "pstdout")
            quoted = "/dev/stdout" if to_stdout else name.strip('"').replace("'", "''")
            return f"{argument[:file.start()]}'{quoted}'{argument[file.start() + len(name):]}", to_stdout
    return argument, False


# ------------------------------------------------------------------------------------------------ what there is

def show_relations(shell, argument, kinds):
    """List the relations of some kinds that a pattern means."""
    with shell.catalog() as view:
        table = describe.list_of_relations(view, next(iter(words_of_pattern(argument)), None), kinds)
    if table is not None:
        shell.print_table(table)
    else:
        shell.complain(f'Did not find any relation named "{argument}".' if argument else "Did not find any relations.")


def words_of_pattern(argument):
    """A pattern keeps its quotes."""
    return argument.rstrip(";").split()


@command("d", "[NAME]", doc="tables and views; with a name or pattern, their columns", section="What there is")
def describe_(shell, argument):
    pattern = next(iter(words_of_pattern(argument)), None)
    if pattern is None:
        return show_relations(shell, "", ("table", "view"))
    with shell.catalog() as view:
        tables = [describe.described(view, entry) for entry in describe.relations(view, pattern, ("table", "view"))]
    if not tables:
        raise UsageError(f'Did not find any relation named "{pattern}".')
    for table in tables:
        shell.print_table(table)


@command("dt", "[PATTERN]", doc="tables", section="What there is")
def tables(shell, argument):
    show_relations(shell, argument, ("table",))


@command("dv", "[PATTERN]", doc="views", section="What there is")
def views(shell, argument):
    show_relations(shell, argument, ("view",))


@command("dn", "[PATTERN]", doc="schemas", section="What there is")
def schemas(shell, argument):
    with shell.catalog() as view:
        shell.print_table(describe.list_of_schemas(view, next(iter(words_of_pattern(argument)), None)))


@command("dT", "[PATTERN]", doc="your types; with a pattern, all that it means", section="What there is")
def types(shell, argument):
    with shell.catalog() as view:
        shell.print_table(describe.list_of_types(view, next(iter(words_of_pattern(argument)), None)))


@command("df", "[PATTERN]", doc="your functions; with a pattern, all that it means", section="What there is")
def functions(shell, argument):
    shell.print_table(describe.list_of_functions(next(iter(words_of_pattern(argument)), None)))


@command("l list", "", doc="the database", section="What there is")
def databases(shell, argument):
    name, path = shell.database_name(), shell.connection.key
    shell.print_table(describe.table_of(("Name", "Directory"), [(name, path or "in memory")], "List of databases"))


# ------------------------------------------------------------------------------------------------ format

@command("x", "[on|off|auto]", doc="a line for each value; auto: where rows are too wide", section="Format")
def expanded(shell, argument):
    value = "auto" if argument == "auto" else "on" if switched(argument, shell.style.expanded != "off", "x") else "off"
    shell.style = replace(shell.style, expanded=value)
    shell.say({"on": "Expanded display is on.", "off": "Expanded display is off.",
               "auto": "Expanded display is used automatically."}[value])


@command("a", "", doc="values unaligned or aligned", section="Format")
def unaligned(shell, argument):
    shell.style = replace(shell.style, format="unaligned" if shell.style.format == "aligned" else "aligned")
    shell.say(f"Output format is {shell.style.format}.")


@command("t", "[on|off]", doc="rows only, without names and counts", section="Format")
def tuples_only(shell, argument):
    shell.style = replace(shell.style, tuples_only=switched(argument, shell.style.tuples_only, "t"))
    shell.say(f"Tuples only is {'on' if shell.style.tuples_only else 'off'}.")


@command("pset", "[NAME [VALUE]]", doc="how results are printed; without a name, list it all",
         section="Format")
def print_setting(shell, argument):
    name, value = (words(argument) + [None, None])[:2]
    values = {"format": shell.style.format, "null": shell.style.null, "expanded": shell.style.expanded,
              "fieldsep": shell.style.separator, "tuples_only": "on" if shell.style.tuples_only else "off",
              "rows": str(shell.rows_max), "pager": "on" if shell.pager else "off"}
    if name is None:
        return shell.print_lines([f"{name:<12} {value!r}" for name, value in sorted(values.items())])
    if name not in values:
        raise UsageError(f"\\pset: unknown option: {name}")
    if name == "expanded":
        return expanded(shell, value or "")
    if name == "format":
        if value not in ("aligned", "unaligned", "csv"):
            raise UsageError("\\pset: allowed formats are aligned, csv, unaligned")
        shell.style = replace(shell.style, format=value)
    elif name == "tuples_only":
        return tuples_only(shell, value or "")
    elif name == "pager":
        shell.pager = switched(value, shell.pager, "pset pager")
    elif name == "rows":
        if not (value or "").isdecimal():
            raise UsageError("\\pset: rows takes a number; 0 shows all")
        shell.rows_max = int(value)
    else:
        shell.style = replace(shell.style, **{"separator" if name == "fieldsep" else name: value or ""})
    shell.say(SETTING_WORDS.get(name, name + ' is "{}".').format(value or ""))


SETTING_WORDS = {"null": 'Null display is "{}".', "fieldsep": 'Field separator is "{}".', "format": "Output format is {}.",
                 "pager": "Pager usage is {}.", "rows": "At most {} rows are shown on a screen."}


# ------------------------------------------------------------------------------------------------ variables

@command("set", "[NAME [VALUE]]", doc="set a variable, which :NAME then means; without a name, list them",
         section="Variables")
def set_(shell, argument):
    name, *values = words(argument) or [None]
    if name is None:
        return shell.print_lines([f"{name} = {value!r}" for name, value in sorted(shell.variables.items())])
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise UsageError(f'invalid variable name: "{name}"')
    shell.variables[name] = "".join(values)


@command("unset", "NAME", doc="forget a variable", section="Variables")
def unset(shell, argument):
    shell.variables.pop(argument, None)
