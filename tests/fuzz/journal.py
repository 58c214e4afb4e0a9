"""What campaigns have done, a line of JSON for each schema: to go on where one stopped, and to count what was run on what.

    journal = Journal("fuzz.jsonl", seed)
    journal.next_schema()             the first schema that is not in it yet
    journal.add(number, outcome)      after each schema
    python -m tests.fuzz --totals fuzz.jsonl ...
"""
import collections
import json
import pathlib
import subprocess


def commit():
    """The commit of this code, with a + if the files differ from it; "unknown" outside of a repository."""
    def git(*words):
        return subprocess.run(["git", *words], capture_output=True, text=True, cwd=pathlib.Path(__file__).parent)
    found = git("rev-parse", "--short", "HEAD")
    if found.returncode:
        return "unknown"
    return found.stdout.strip() + "+" * bool(git("status", "--porcelain", "--untracked-files=no", ":/src", ":/tests").stdout)


class Journal:
    """The lines of one seed in a file, which several campaigns of other seeds may write as well."""

    def __init__(self, path, seed):
        self.path, self.seed, self.commit = pathlib.Path(path), seed, commit()

    def next_schema(self):
        """The number after the last schema that was finished, 0 at first."""
        done = [line["schema"] for line in read(self.path) if line["seed"] == self.seed]
        return max(done, default=-1) + 1

    def add(self, number, outcome):
        """Note what was found with a schema."""
        line = {"commit": self.commit, "seed": self.seed, "schema": number, "queries": outcome.queries,
                "checks": dict(outcome.checks), "skipped": outcome.skipped, "refused": outcome.refused.total(),
                "faults": len(outcome.faults), "explained": dict(outcome.explained)}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def read(path):
    """The lines of a journal; none if there is no such file."""
    path = pathlib.Path(path)
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def totals(paths):
    """A text that counts the lines of journals, by commit."""
    by_commit = collections.defaultdict(list)
    for path in paths:
        for line in read(path):
            by_commit[line["commit"]].append(line)
    return "\n".join(f"{name}: {described(lines)}" for name, lines in
                     [*by_commit.items(), ("all", [line for lines in by_commit.values() for line in lines])])


def described(lines):
    """The counts of some lines, on one line."""
    counts, checks, explained = collections.Counter(), collections.Counter(), collections.Counter()
    for line in lines:
        counts.update({name: line[name] for name in ("queries", "skipped", "refused", "faults")})
        checks.update(line["checks"])
        explained.update(line["explained"])
    by_check = ", ".join(f"{name} {count}" for name, count in sorted(checks.items()))
    reasons = ", ".join(f"{name} {count}" for name, count in explained.most_common()) or "none"
    return f"{counts['queries']} queries ({by_check}) of {len({line['seed'] for line in lines})} seeds, " \
           f"{counts['skipped']} without judgement, {counts['refused']} refused, {counts['faults']} faults; " \
           f"differences explained: {reasons}"
