"""Style as a test, with a ratchet: what exceeds a limit today is listed in tests/tidy_ratchet.txt and may only get better.

UPDATE=1 rewrites the list with what is there now, but never with more than it allowed before; where there is no list it
begins one.
"""
import ast
import os
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parent.parent
RATCHET = pathlib.Path(__file__).parent / "tidy_ratchet.txt"
FILE_LINES_MAX, FUNCTION_LINES_MAX, LINE_LENGTH_MAX = 600, 70, 125
BANNED_WORDS = {"util", "utils", "helper", "helpers", "manager", "managers", "misc", "stuff"}
LEFT_TO_DO = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")

SOURCES = sorted(path for folder in ("src", "tests", "tools", "examples") for path in (ROOT / folder).rglob("*.py"))
PATHS = [path.relative_to(ROOT).as_posix() for path in SOURCES]


def words(name):
    """The words of a snake_case or CamelCase name, lower case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)}


def definitions(tree):
    """Every class and function of a module with its qualified name."""
    def walk(node, prefix):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield prefix + child.name, child
                yield from walk(child, prefix + child.name + ".")
            else:
                yield from walk(child, prefix)
    yield from walk(tree, "")


def described(node):
    """Whether a decorator carries the documentation: @scalar("...", doc="...")."""
    return any(isinstance(call, ast.Call) and any(keyword.arg == "doc" for keyword in call.keywords)
               for call in node.decorator_list)


def measure(path):
    """{(path, fault, name): how much} for all that exceeds a limit in one file; most faults count 1."""
    text, faults = (ROOT / path).read_text(encoding="utf-8"), {}
    lines, tree = text.splitlines(), ast.parse(text)
    if len(lines) > FILE_LINES_MAX:
        faults[path, "file-lines", "-"] = len(lines)
    too_long = sum(len(line) > LINE_LENGTH_MAX for line in lines)
    if too_long:
        faults[path, "long-lines", "-"] = too_long
    unfinished = len(LEFT_TO_DO.findall(text))
    if unfinished:
        faults[path, "left-to-do", "-"] = unfinished
    product = path.startswith("src/")
    if not ast.get_docstring(tree) and text.strip():
        faults[path, "no-docstring", "-"] = 1
    if words(pathlib.Path(path).stem) & BANNED_WORDS:
        faults[path, "banned-word", "-"] = 1
    for name, node in definitions(tree):
        length = node.end_lineno - node.lineno + 1
        if not isinstance(node, ast.ClassDef) and length > FUNCTION_LINES_MAX:
            faults[path, "function-lines", name] = length
        if words(node.name) & BANNED_WORDS:
            faults[path, "banned-word", name] = 1
        public = "." not in name and not name.startswith("_")
        if product and public and not ast.get_docstring(node) and not described(node):
            faults[path, "no-docstring", name] = 1
    return faults


def read_ratchet():
    """{(path, fault, name): allowed} from the list."""
    if not RATCHET.exists():
        return {}
    lines = [line.split() for line in RATCHET.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {(path, fault, name): int(allowed) for path, fault, name, allowed in lines}


ALLOWED = read_ratchet()


@pytest.mark.parametrize("path", PATHS)
def test_file_is_tidy(path):
    found = measure(path)
    worse = {key: amount for key, amount in found.items() if amount > ALLOWED.get(key, 0)}
    assert not worse, "\n".join(f"{path}: {fault} {name}: {amount}" for (path, fault, name), amount in worse.items())


def test_ratchet_is_tight():
    found = {key: amount for path in PATHS for key, amount in measure(path).items()}
    tight = {key: min(amount, ALLOWED[key]) for key, amount in found.items() if key in ALLOWED}
    if os.environ.get("UPDATE") and not RATCHET.exists():
        tight = found
    if os.environ.get("UPDATE"):
        header = "# What exceeds the limits of tests/test_tidy.py: path, fault, name, how much. UPDATE=1 tightens it.\n"
        lines = [" ".join(map(str, (*key, amount))) + "\n" for key, amount in sorted(tight.items())]
        RATCHET.write_text(header + "".join(lines))
    else:
        assert tight == ALLOWED, "better than the list says; tighten it: UPDATE=1 pytest tests/test_tidy.py"


def test_every_package_tells_what_it_is():
    packages = {path.parent for path in (ROOT / "src").rglob("*.py")}
    missing = [p.relative_to(ROOT).as_posix() for p in packages if p.name != "src" and not (p / "__init__.py").exists()]
    assert sorted(missing) == []


def test_product_text_names_no_machine():
    here = str(ROOT.parent) + "/"
    texts = [path for pattern in ("src/**/*.py", "tests/**/*.py", "docs/**/*.md", "*.md", "Makefile")
             for path in ROOT.glob(pattern)]
    guilty = [path.relative_to(ROOT).as_posix() for path in texts if here in path.read_text(encoding="utf-8")]
    assert guilty == [] or len(here) < 4
