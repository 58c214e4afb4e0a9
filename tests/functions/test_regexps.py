"""Regular expressions against PostgreSQL: spans of matches and groups, errors, functions, in Python and as machine code."""
import random

import pytest

import caldera
import caldera.functions
from caldera.base.errors import Error
from caldera.functions.regexp.matching import Regex, compiled
from caldera.functions.regexp.syntax import parse_options

caldera.functions.load()

TOKENS = ["a", "b", "(", ")", "(?:", "(?=", "(?<!", "[", "[^", "]", "-", "\\", "*", "+", "?", "{", "}", "1", ",", "{1,2}",
          "{2", "|", "^", "$", ".", "[:alpha:]", "[[:upper:]]", "[.a.]", "[=b=]", "[[:foo:]]", "[.hyphen.]", "\\x41",
          "\\u0062", "\\d", "\\D", "\\1", "\\10", "\\m", "\\Q", "\\07", "\\e", "\\cA", "(?i)", "(?x)", "(?", "#", " ",
          "\n", "***", "***:", "***=", "[]a]", "[^]b]", "[a-c]", "[c-a]", "[[:<:]]", "\\B", "é", "É", "ǅ", "[à-é]", "(?#",
          "(?z)", "(?q)", "(?e)", "\\(", "\\)", "\\{", "\\}", "(?b)", "\\<", "ſ"]
ASSERTIONS = ["^", "$", "\\m", "\\M", "\\y", "\\Y", "\\A", "\\Z"]
QUANTIFIERS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{2,}", "{1,1}", "{1,1}?", "{0}", "{3}?", "{0,1}"]


class Generator:
    """Random patterns. `rich`: with lookaround and back references, which generated code leaves to Python."""

    def __init__(self, choose, rich=True):
        self.choose, self.rich = choose, rich

    def atom(self, depth, groups):
        chance = self.choose.random()
        if chance < .55 or depth <= 0:
            return self.choose.choice("aabbc")
        if chance < .66:
            return self.choose.choice([".", "[ab]", "[^a]", "[a-c]", "[[:alpha:]]", "\\w", "\\d", "\\W", "[b\\d]", "é",
                                       "\\n"])
        if chance < .70:
            return self.choose.choice(ASSERTIONS)
        if chance < .74 and groups[0] and self.rich:
            return f"\\{self.choose.randint(1, groups[0])}"
        if chance < .80 and self.rich:
            return self.choose.choice(["(?=", "(?!", "(?<=", "(?<!"]) + self.alternatives(depth - 1, [0]) + ")"
        inner = self.alternatives(depth - 1, groups)
        if chance < .88:
            return f"(?:{inner})"
        groups[0] += 1
        return f"({inner})"

    def sequence(self, depth, groups):
        parts = []
        for _ in range(self.choose.randint(self.choose.random() > .1, 4)):
            atom = self.atom(depth, groups)
            bare = atom in ASSERTIONS or atom.startswith(("(?=", "(?!", "(?<")) or self.choose.random() < .55
            parts.append(atom if bare else atom + self.choose.choice(QUANTIFIERS))
        return "".join(parts)

    def alternatives(self, depth=3, groups=None):
        groups = [0] if groups is None else groups
        count = 1 if self.choose.random() < .75 else self.choose.randint(2, 3)
        return "|".join(self.sequence(depth, groups) for _ in range(count))

    def text(self):
        letters = "aabbcA\né 1" if self.choose.random() < .3 else "aabbc"
        return "".join(self.choose.choice(letters) for _ in range(self.choose.randint(0, 12)))


def quoted(text):
    return "E'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


def postgresqls_spans(oracle, pattern, flags, texts, groups):
    """For each text the spans of the first match and its groups, as `Regex.search` gives them; or (sqlstate, message)."""
    columns = ", ".join(f"regexp_instr(t, {quoted(pattern)}, 1, 1, {end}, '{flags}', {group}) - 1"
                        for group in range(groups + 1) for end in (0, 1))
    values = ", ".join(f"({number}, {quoted(text)})" for number, text in enumerate(texts))
    answer = oracle.query(f"SELECT {columns} FROM (VALUES {values}) AS v(n, t) ORDER BY n")
    if answer.failed:
        return answer.sqlstate, answer.message
    numbers = [[int(value) for value in row] for row in answer.rows]
    return [None if row[0] < 0 else [(start, stop) if start >= 0 else None for start, stop in zip(row[::2], row[1::2])]
            for row in numbers]


def our_spans(pattern, flags, texts):
    """(number of groups, the same by our own means)."""
    try:
        regex = Regex(pattern, parse_options(flags))
    except Error as fault:
        return 0, (fault.sqlstate, fault.message)
    return regex.groups, [regex.search(text) for text in texts]


def differences(oracle, cases):
    """The (pattern, flags) of cases (pattern, flags, texts) for which we differ from PostgreSQL."""
    found = []
    for pattern, flags, texts in cases:
        groups, ours = our_spans(pattern, flags, texts)
        theirs = postgresqls_spans(oracle, pattern, flags, texts, groups)
        if ours != theirs:
            found.append((pattern, flags, ours, theirs))
    return found


@pytest.mark.oracle
def test_random_patterns_match_as_in_postgresql(oracle, seed):
    choose = random.Random(seed)
    generator = Generator(choose)
    cases = [(generator.alternatives(), "".join(choose.sample("inpwxc", choose.choice([0, 0, 0, 1, 2]))),
              [generator.text() for _ in range(12)]) for _ in range(250)]
    assert differences(oracle, cases) == []


@pytest.mark.oracle
def test_random_tokens_parse_as_in_postgresql(oracle, seed):
    choose, cases = random.Random(seed), []
    for _ in range(600):
        pattern = "".join(choose.choice(TOKENS) for _ in range(choose.randint(1, 6)))
        prefix = choose.choice(["", "", "", "a", "(?i)", "(?b)", "(?e)", "(?x)", "***:", "***="])
        flags = "".join(choose.sample("inpwxcbeq", choose.choice([0, 0, 0, 1, 2])))
        texts = ["".join(choose.choice("abAB1-éÉǅǆ# \n(){[]^\\skQd") for _ in range(choose.randint(0, 8))) for _ in range(8)]
        cases.append((prefix + pattern, flags, texts))
    assert differences(oracle, cases) == []


@pytest.mark.oracle
@pytest.mark.parametrize("tier", ["python", "fast"])
def test_generated_code_agrees_with_postgresql(oracle, seed, tier):
    choose = random.Random(seed)
    generator = Generator(choose, rich=False)
    texts = [generator.text() for _ in range(20)] + ["http://www.ya.ru/x/y", "https://a.b/", "http://www./", ""]
    values = "(VALUES " + ", ".join(f"({number}, {quoted(text)})" for number, text in enumerate(texts)) + ") AS v(n, x)"
    connection = caldera.connect()
    connection.execute_text(f"SET caldera.tier = '{tier}'")
    patterns = [r"^https?://(?:www\.)?([^/]+)/.*$"] + [generator.alternatives() for _ in range(8 if tier == "fast" else 3)]
    for pattern in patterns:
        p, template = quoted(pattern), quoted(choose.choice(["\\1", "<\\1|\\2>", "\\&!", "X", "[\\3]"]))
        flags = choose.choice(["''", "'i'", "'n'"])
        sql = (f"SELECT x ~ {p}, x !~* {p}, regexp_replace(x, {p}, {template}), "
               f"regexp_replace(x, {p}, {template}, {flags}), substring(x from {p}), "
               f"regexp_substr(x, {p}), regexp_like(x, {p}) FROM {values} ORDER BY n")
        assert connection.execute_text(sql)[1] == oracle.query(sql).rows, pattern


@pytest.mark.parametrize("pattern, text, spans", [       # values from PostgreSQL 18
    (r"(a*?)(b*)(c|cd)+\2", "xaabbcdcbb", [(1, 10), (1, 3), (3, 5), (7, 8)]),
    (r"(a)|(?:\1)?c", "bc", [(1, 2), None]),
    (r"((\W??)*)*", "", [(0, 0), (0, 0), None]),
    (r"($$)*", "", [(0, 0), (0, 0)]),
    (r"c??((c*?|a(?:a+\d{0,2}?b*?){2,}){0,1}ab{0})", "bacc ca", [(1, 2), (1, 2), (1, 1)]),
    (r"XY*?Z{1,1}?|a", "bXYYZ", [(1, 5)]),
    (r"(week|wee)(night|knights)", "xweeknights", [(1, 11), (1, 4), (4, 11)]),
    (r"(?<=a)b(?!c)", "abcab", [(4, 5)])])
def test_preferences_and_groups(pattern, text, spans):
    assert compiled(pattern).search(text) == spans


def test_a_pattern_too_complex_is_refused():
    with pytest.raises(Error, match="too complex"):
        Regex("(" * 5000 + ")" * 5000)
