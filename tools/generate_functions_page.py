"""Write docs/functions.md: which of PostgreSQL's functions and operators Caldera has, and which not.

    python tools/generate_functions_page.py

Both sides come from the code: what PostgreSQL has from `caldera.catalog.facts`, what Caldera has from its registry. Counted
are rows of pg_proc and pg_operator, so that each overload counts; rows that only the server's own machinery can call (input
and output functions, index support) are in the total of pg_proc, but not listed.
"""
import collections
import fnmatch
from pathlib import Path

from caldera import functions
from caldera.catalog import facts
from caldera.functions import registry

TARGET = Path(__file__).parent.parent / "docs/functions.md"
PG_PROC_ROWS = 3413             # SELECT count(*) FROM pg_proc, in a fresh cluster
KINDS = {"f": "Functions", "a": "Aggregates", "o": "Ordered-set aggregates", "w": "Window functions",
         "s": "Functions that give a set"}
LATER = {"network": ("inet", "cidr", "macaddr", "macaddr8"),
         "text search": ("tsvector", "tsquery", "regconfig", "regdictionary"),
         "geometry": ("point", "line", "lseg", "box", "path", "polygon", "circle"), "bit strings": ("bit", "varbit"),
         "xml": ("xml",), "money": ("money",)}

FAMILIES = ("pg_stat_*", "binary_upgrade_*", "pg_replication_*", "pg_logical_*", "pg_wal_*", "pg_last_*",
            "pg_control_*", "lo_*", "pg_lsn*", "txid_*", "*xid*", "tid*", "pg_snapshot*", "pg_advisory_*",
            "pg_try_advisory_*", "has_*_privilege", "pg_get_*", "*send", "hash*", "*_hash", "*_hash_extended", "bt*",
            "*_cmp", "*cmp", "*typmodin", "*larger", "*smaller", "*_accum", "*_combine", "float8_*", "int?_*",
            "jsonb_*", "json_*", "multirange*", "range_*", "*range", "record_*", "enum_*", "array_*", "timetz*",
            "oidvector*", "acl*", "reg*", "to_reg*", "name*", "brin_*", "gin_*", "pg_*_is_visible")


def name_of(type):
    """A type's name in pg_type; pseudo-types are names already."""
    return type if isinstance(type, str) else type.name


def present():
    """The set of (name, names of argument types) that the registry has, under names that SQL knows."""
    kinds = (registry.FUNCTIONS, registry.AGGREGATES, registry.WINDOW_FUNCTIONS, registry.TABLE_FUNCTIONS)
    return {(name, tuple(map(name_of, signature.arguments)))
            for kind in kinds for name, signatures in kind.items() for signature in signatures}


def present_operators():
    """The set of (operator, left type or "", right type) of the registry."""
    return {(name, *(("",) * (2 - len(function.arguments)) + tuple(map(name_of, function.arguments))))
            for name, functions_of_it in registry.OPERATORS.items() for function in functions_of_it}


def signatures():
    """All of PostgreSQL's that SQL can call."""
    return [signature for name in facts._sections["functions"] for signature in facts.functions(name)]


def has(signature, have):
    """Whether Caldera has a signature; it may have it for each type of a polymorphic one."""
    if (signature.name, signature.arguments) in have:
        return True
    if not any(argument.startswith("any") for argument in signature.arguments):
        return False
    return any(name == signature.name and len(arguments) == len(signature.arguments) for name, arguments in have)


def kind_of(signature):
    """The key in KINDS."""
    return "s" if signature.many else signature.kind


def later(signature):
    """The family of types that comes later and that a signature is about, or None."""
    used = {type.lstrip("_") for type in (*signature.arguments, signature.result)}
    return next((family for family, names in LATER.items() if used & set(names)), None)


def counted(signatures, have):
    """Pairs (name, "present/all overloads") in the order of names, split into those of which Caldera has some, and none."""
    by_name = {}
    for signature in signatures:
        by_name.setdefault(signature.name, []).append(has(signature, have))
    some = [f"`{name}`" + (f" {sum(found)}/{len(found)}" if not all(found) else "")
            for name, found in sorted(by_name.items()) if any(found)]
    return some, folded([name for name, found in sorted(by_name.items()) if not any(found)])


def folded(names):
    """Names as the page shows them, those of one family as its pattern and their number."""
    single, families = [], collections.Counter()
    for name in names:
        family = next((pattern for pattern in FAMILIES if fnmatch.fnmatchcase(name, pattern)), None)
        families.update([family] if family else [])
        single += [] if family else [f"`{name}`"]
    return single + [f"`{pattern}` ({count})" for pattern, count in sorted(families.items())]


def section(kind, those, have):
    """One kind's part of the page."""
    some, none = counted([signature for signature in those if later(signature) is None], have)
    waiting = {}
    for signature in those:
        if later(signature) is not None and not has(signature, have):
            waiting.setdefault(later(signature), set()).add(f"`{signature.name}`")
    found = sum(has(signature, have) for signature in those)
    lines = [f"## {KINDS[kind]}: {found} of {len(those)}", "", "There: " + (", ".join(some) or "none") + ".", "",
             "Missing: " + (", ".join(none) or "none") + "."]
    for family, names in sorted(waiting.items()):
        lines += ["", f"Missing with the types for {family}: " + ", ".join(sorted(names)) + "."]
    return "\n".join(lines)


def operators():
    """The operators' part of the page."""
    have, lines, found, total = present_operators(), [], 0, 0
    for name in sorted(facts._sections["operators"]):
        candidates = facts.operators(name)
        there = [candidate for candidate in candidates
                 if (name, *(("",) * (2 - len(candidate.arguments)) + tuple(candidate.arguments))) in have]
        found, total = found + len(there), total + len(candidates)
        lines.append(f"`{name}` {len(there)}/{len(candidates)}")
    return f"## Operators: {found} of {total}\n\n" + ", ".join(lines) + "."


def main():
    functions.load()
    have, every = present(), signatures()
    found = sum(has(signature, have) for signature in every)
    head = f"""# Functions and operators

Which of PostgreSQL 18's Caldera has: {found} of the {len(every)} rows of pg_proc that SQL can call ({PG_PROC_ROWS} with
those that only the server itself calls). Written by `python tools/generate_functions_page.py`. A number such as 2/5 says
how many of a name's overloads there are; a name without one is complete. What is missing is refused with SQLSTATE
0A000. Syntax that is no function (CASE, COALESCE, EXTRACT, CAST, IS NULL, ...) is not counted."""
    parts = [section(kind, [signature for signature in every if kind_of(signature) == kind], have) for kind in KINDS]
    TARGET.write_text("\n\n".join([head, *parts, operators()]) + "\n")
    print(f"{TARGET}: {found} of {len(every)} functions")


if __name__ == "__main__":
    main()
