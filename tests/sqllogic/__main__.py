"""python -m tests.sqllogic FILE... [--postgres] [--complete] [--configurations NAMES]

    --configurations fast,o3    only these; without it all: those of tests/differential.py, and without each rule
    --postgres                  run the files on PostgreSQL 18 as well
    --complete                  rewrite what the files expect with what PostgreSQL 18 answers, and run nothing else
"""
import argparse
import pathlib

from tests.sqllogic.engines import ALL, Caldera, configurations_for, postgres
from tests.sqllogic.records import parse, written
from tests.sqllogic.runner import complete, run_file


def main(arguments=None):
    """The command line; exit status 1 for files that are not right."""
    parser = argparse.ArgumentParser(prog="python -m tests.sqllogic", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--configurations", default="")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--complete", action="store_true")
    options = parser.parse_args(arguments)
    wanted = chosen(parser, options.configurations)
    if options.complete:
        return with_oracle(options.files, complete_file)
    count = run_on_caldera(options.files, wanted)
    if options.postgres:
        count += with_oracle(options.files, lambda path, engine: reported(path, "postgresql", read(path), engine))
    print(f"{len(options.files)} files, {count} problems")
    return int(count > 0)


def chosen(parser, names):
    """The configurations of these names; all of none."""
    known = {configuration.name: configuration for configuration in ALL}
    wanted = [name for name in names.split(",") if name]
    for name in wanted:
        if name not in known:
            parser.error(f"there is no configuration {name!r}; there are {', '.join(known)}")
    return [known[name] for name in wanted] or ALL


def read(path):
    """The records of a file."""
    return parse(path.read_text(encoding="utf-8"))


def run_on_caldera(paths, wanted):
    """Run files in all wanted configurations; the number of problems."""
    count, engine = 0, Caldera()
    try:
        for path in paths:
            records = read(path)
            for configuration in configurations_for(path.read_text(encoding="utf-8"), wanted):
                engine.begin(configuration)
                count += reported(path, configuration.name, records, engine)
    finally:
        engine.close()
    return count


def reported(path, name, records, engine):
    """Run a file, print its problems; their number."""
    problems = run_file(records, engine)
    for problem in problems:
        print(f"{path}:{problem.line}: {name}: {problem.text}\n    " + problem.sql.replace("\n", "\n    "))
    return len(problems)


def with_oracle(paths, action):
    """Call action(path, engine) for each file with PostgreSQL; the sum of what it gives."""
    from tests.oracle import Oracle
    oracle, count = Oracle.start(), 0
    try:
        for path in paths:
            with postgres(oracle) as engine:
                count += action(path, engine)
    finally:
        oracle.stop()
    return count


def complete_file(path, engine):
    """Rewrite a file; 0, as nothing can be wrong with it then."""
    path.write_text(written(complete(read(path), engine)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
