"""What the README and the documentation show is so: examples run, functions and files exist."""
import doctest
import importlib
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parent.parent
PAGES = ["README.md", "docs/using.md"]


def blocks(page):
    """The fenced blocks of a page: (language, text)."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_python_examples_run_as_shown(page):
    text = "\n".join(text for language, text in blocks(page) if language == "python")
    assert ">>>" in text
    example, report = doctest.DocTestParser().get_doctest(text, {"__name__": "examples"}, page, page, 0), []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=report.append)
    assert report == [], "".join(report)


def test_shell_examples_print_what_is_shown():
    commands = [part for language, text in blocks("README.md") if not language
                for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]]
    assert commands
    for part in commands:
        command, _, expected = part.partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "caldera"
        done = subprocess.run([sys.executable, "-m", "caldera", *arguments], capture_output=True, text=True, timeout=120)
        assert [line.rstrip() for line in done.stdout.strip().splitlines()] == \
            [line.rstrip() for line in expected.strip().splitlines()], done.stderr


@pytest.mark.parametrize("page", ["README.md", "docs/using.md", "docs/glossary.md"])
def test_functions_that_are_named_exist(page):
    names = re.findall(r"`(caldera(?:\.\w+)+)(?=[`(])", (ROOT / page).read_text(encoding="utf-8"))
    assert names
    for name in names:
        assert found(name), f"{page} names {name}"


def found(name):
    """Whether a dotted name leads to something: modules first, then attributes."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            thing = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[count:]:
            thing = getattr(thing, attribute, None)
        return thing is not None
    return False


def test_folders_and_links_of_the_readme_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    folders = re.findall(r"^\| `([\w./]+)` \|", text, re.MULTILINE)
    assert len(folders) > 10
    assert [name for name in folders if not (ROOT / "src/caldera" / name).exists()] == []
    assert [link for link in re.findall(r"\]\(([^):]+)\)", text) if not (ROOT / link).exists()] == []


def test_every_folder_stands_in_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    folders = [path.parent.name for path in (ROOT / "src/caldera").glob("*/__init__.py")
               if any(other.name != "__init__.py" for other in path.parent.iterdir() if other.suffix == ".py")]
    assert [name for name in folders if f"| `{name}/` |" not in text] == []


def test_targets_of_make_that_are_named_exist():
    targets = set(re.findall(r"^([\w%-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake ([\w-]+)", (ROOT / "README.md").read_text(encoding="utf-8"))) - {"machine"}
    assert named - targets == set()
