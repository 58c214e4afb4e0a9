"""The import order of docs/design.md, section 4, and what the package may depend on when it runs."""
import ast
import importlib.metadata
import pathlib
import re
import sys
import tomllib

import pytest

ROOT = pathlib.Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "caldera"
ORDER = ({"base"}, {"kernel"}, {"types"}, {"functions"}, {"sql", "catalog", "transaction"}, {"plan", "storage"}, {"bind"},
         {"optimize"}, {"operators"}, {"compile"}, {"execute"}, {"query"}, {"server", "client", "cluster"}, {"bench"})
LEVEL = {name: level for level, names in enumerate(ORDER) for name in names}
ONLY = {"sql": {"base", "sql"}}                                       # folders with a shorter list than the order gives
MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
BUILT_IN_OPTIONAL = {"pandas", "polars"}                              # of the caller, if at all: imported inside functions
INSTRUCTION = re.compile(r"\b(getelementptr|icmp (eq|ne|[su][lg][te])|fcmp (o|u)\w\w|br i1 %|phi [a-z0-9]+ \[|"
                         r"extractvalue|insertelement|ret void|zext i\d+)")


def folder(module):
    """The part of the package that a module (a path below caldera/) belongs to; None for the package's own __init__."""
    first = module.split("/")[0]
    return None if first.startswith("__") else first.removesuffix(".py")


def imports(module):
    """(absolute dotted name, line, inside a function or TYPE_CHECKING block) of everything that a module imports."""
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    package = ["caldera", *module.split("/")[:-1]]

    def walk(node, lazy):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                yield from ((name.name, child.lineno, lazy) for name in child.names)
            elif isinstance(child, ast.Call) and getattr(child.func, "id", None) == "LazyModule":
                yield child.args[0].value, child.lineno, True
            elif isinstance(child, ast.ImportFrom):
                base = package[:len(package) - child.level + 1] if child.level else []
                stem = ".".join([*base, *([child.module] if child.module else [])])
                yield from ((f"{stem}.{name.name}", child.lineno, lazy) for name in child.names)
            else:
                yield from walk(child, lazy or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.If)))
    yield from walk(tree, False)


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down_only(module):
    here, faults = folder(module), []
    if here is None:
        return
    assert here in LEVEL, f"{here} has no place in the order"
    for name, line, _ in imports(module):
        parts = name.split(".")
        if parts[0] != "caldera" or len(parts) < 2 or parts[1] not in LEVEL or parts[1] == here:
            continue
        if LEVEL[parts[1]] >= LEVEL[here] or parts[1] not in ONLY.get(here, LEVEL):
            faults.append(f"{module}:{line} imports {name}")
    assert faults == []


def test_only_the_jit_imports_llvmlite():
    assert {module for module in MODULES for name, *_ in imports(module) if name.split(".")[0] == "llvmlite"} \
        <= {"compile/jit.py"}


def test_only_the_llvm_kernel_spells_llvm():
    guilty = []
    for module in MODULES:
        tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
        prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}           # docstrings
        for node in ast.walk(tree):
            text = node.value if isinstance(node, ast.Constant) and id(node) not in prose else None
            if isinstance(text, str) and INSTRUCTION.search(text):
                guilty.append(f"{module}:{node.lineno}")
    assert [place for place in guilty if not place.startswith("kernel/llvm.py:")] == []


def declared(extra=None):
    """The names of the distributions in pyproject.toml: run-time ones, or those of an extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    texts = project["dependencies"] if extra is None else project["optional-dependencies"][extra]
    return {re.match(r"[\w.-]+", text)[0].lower().replace("_", "-") for text in texts}


def test_run_time_imports_are_declared():
    provided = importlib.metadata.packages_distributions()
    guilty = []
    for module in MODULES:
        allowed = declared() | (declared("bench") if folder(module) == "bench" else set())
        for name, line, lazy in imports(module):
            top = name.split(".")[0]
            if top in sys.stdlib_module_names or top == "caldera" or (lazy and top in BUILT_IN_OPTIONAL):
                continue
            if not {distribution.lower().replace("_", "-") for distribution in provided.get(top, [top])} & allowed:
                guilty.append(f"{module}:{line} imports {name}")
    assert guilty == []


def test_no_run_time_dependency_is_gpl():
    seen, waiting = set(), sorted(declared())
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        distribution = importlib.metadata.distribution(name)
        licence = [distribution.metadata.get("License-Expression"), distribution.metadata.get("License"),
                   *(text for text in distribution.metadata.get_all("Classifier", []) if text.startswith("License"))]
        assert "GPL" not in " ".join((text or "").split("\n")[0] for text in licence), name
        waiting += [re.match(r"[\w.-]+", text)[0] for text in distribution.requires or [] if "extra ==" not in text]
    assert "llvmlite" in seen


def test_importing_caldera_loads_nothing_heavy():
    import subprocess
    code = "import sys, caldera; print(sorted({'numpy', 'pyarrow', 'llvmlite', 'pandas', 'rich'} & set(sys.modules)))"
    environment = {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr
