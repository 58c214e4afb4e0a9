"""How good the planner's estimates are: the q-error of every node of many plans.

    tables of films, people and companies, skewed and correlated ─▶ queries of 1 to 8 joins ─ EXPLAIN (ANALYZE) ─▶ estimated
    and counted rows of each node ─▶ q-error = the larger of the two over the smaller, both at least 1

The shape is that of the join order benchmark (Leis et al.: "How good are query optimizers, really?", VLDB 2015): facts about
films with many companies, people, keywords and notes each, filtered by what people would ask for. The rows are made here,
the same ones for a seed: a few films, people and words have most of the rows, kinds depend on years, languages on countries,
roles on sexes.
"""
import argparse
import json
import math
import statistics
import tempfile
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

TABLES = {
    "kind": "id int NOT NULL, kind text NOT NULL",
    "film": "id int NOT NULL, kind_id int NOT NULL, year int, title text NOT NULL, country text NOT NULL",
    "company": "id int NOT NULL, country text, name text NOT NULL",
    "film_company": "film_id int NOT NULL, company_id int NOT NULL, part text NOT NULL, note text",
    "person": "id int NOT NULL, sex text, name text NOT NULL",
    "film_person": "film_id int NOT NULL, person_id int NOT NULL, role text NOT NULL",
    "word": "id int NOT NULL, word text NOT NULL",
    "film_word": "film_id int NOT NULL, word_id int NOT NULL",
    "note": "film_id int NOT NULL, topic text NOT NULL, value text NOT NULL",
}
TOGETHER = ("kind_id, year FROM film", "year, country FROM film", "part, note FROM film_company",
            "country, name FROM company", "sex, name FROM person", "topic, value FROM note")
KINDS = ("feature", "series", "episode", "short", "video", "game")
COUNTRIES = ("us", "in", "gb", "fr", "de", "jp", "it", "ca", "es", "se", "kr", "br")
LANGUAGES = {"us": "English", "gb": "English", "ca": "English", "in": "Hindi", "fr": "French", "de": "German",
             "jp": "Japanese", "it": "Italian", "es": "Spanish", "se": "Swedish", "kr": "Korean", "br": "Portuguese"}
PARTS, ROLES = ("production", "distribution", "effects", "music"), ("actor", "actress", "director", "writer", "producer")
GENRES = ("Drama", "Comedy", "Documentary", "Thriller", "Romance", "Action", "Horror", "Western", "Musical")
SYLLABLES = ("ka", "lo", "mi", "ter", "ran", "sol", "ve", "du", "pin", "gor", "shi", "bel", "na", "qui", "zed", "wo")

QUERIES = """
    FROM film f WHERE f.year > 2000 AND f.kind_id = 1
    FROM film f WHERE f.country = 'in' AND f.year BETWEEN 1990 AND 2005
    FROM film f WHERE f.title LIKE 'So%' AND f.year IS NOT NULL
    FROM film f WHERE f.title LIKE '%zed%'
    FROM film f WHERE f.year < 1950 OR f.kind_id IN (5, 6)
    FROM note n WHERE n.topic = 'language' AND n.value = 'English'
    FROM film_company c WHERE c.note IS NULL AND c.part = 'production'
    FROM film f, kind k WHERE f.kind_id = k.id AND k.kind = 'episode'
    FROM film f, film_company m, company c WHERE m.film_id = f.id AND m.company_id = c.id AND c.country = 'us'
    FROM film f, film_company m, company c WHERE m.film_id = f.id AND m.company_id = c.id AND c.country = 'jp'
        AND f.year > 1995
    FROM film f, film_person r, person p WHERE r.film_id = f.id AND r.person_id = p.id AND r.role = 'actress' AND p.sex = 'f'
    FROM film f, film_person r, person p WHERE r.film_id = f.id AND r.person_id = p.id AND p.name LIKE 'Ka%'
        AND f.year > 2005
    FROM film f, film_word m, word w WHERE m.film_id = f.id AND m.word_id = w.id AND w.word LIKE '%pin%' AND f.year > 1980
    FROM film f, note n WHERE n.film_id = f.id AND n.topic = 'genre' AND n.value IN ('Horror', 'Western') AND f.year < 1970
    FROM film f, note n, note l WHERE n.film_id = f.id AND l.film_id = f.id AND n.topic = 'genre' AND n.value = 'Drama'
        AND l.topic = 'language' AND l.value = 'French'
    FROM film f, kind k, film_company m, company c WHERE f.kind_id = k.id AND m.film_id = f.id AND m.company_id = c.id
        AND k.kind = 'feature' AND c.name LIKE 'Mi%' AND m.part = 'distribution'
    FROM film f, film_company m, company c, film_word v, word w WHERE m.film_id = f.id AND m.company_id = c.id
        AND v.film_id = f.id AND v.word_id = w.id AND c.country = 'de' AND w.id < 40
    FROM film f, film_person r, person p, film_word v, word w WHERE r.film_id = f.id AND r.person_id = p.id
        AND v.film_id = f.id AND v.word_id = w.id AND r.role = 'director' AND w.id BETWEEN 10 AND 20 AND f.kind_id = 1
    FROM film f, film_person r, person p, film_company m, company c WHERE r.film_id = f.id AND r.person_id = p.id
        AND m.film_id = f.id AND m.company_id = c.id AND c.country = 'fr' AND p.sex = 'm' AND f.year BETWEEN 1960 AND 1980
    FROM film f, kind k, note n, film_person r WHERE f.kind_id = k.id AND n.film_id = f.id AND r.film_id = f.id
        AND n.topic = 'genre' AND n.value = 'Comedy' AND k.kind IN ('series', 'episode') AND r.role = 'actor'
    FROM film f, note n, film_company m, company c, film_word v, word w, kind k WHERE n.film_id = f.id AND m.film_id = f.id
        AND m.company_id = c.id AND v.film_id = f.id AND v.word_id = w.id AND f.kind_id = k.id AND k.kind = 'feature'
        AND n.topic = 'language' AND n.value = 'German' AND c.country = 'de' AND w.word LIKE 'sol%'
    FROM film f, film_person r, person p, note n, film_company m, company c WHERE r.film_id = f.id AND r.person_id = p.id
        AND n.film_id = f.id AND m.film_id = f.id AND m.company_id = c.id AND n.value = 'Documentary' AND f.year > 2000
        AND r.role IN ('writer', 'director')
    FROM film f WHERE EXISTS (SELECT FROM film_word v WHERE v.film_id = f.id AND v.word_id < 5)
    FROM film f WHERE NOT EXISTS (SELECT FROM film_company m WHERE m.film_id = f.id) AND f.kind_id = 3
    FROM film f WHERE f.id IN (SELECT film_id FROM note WHERE topic = 'genre' AND value = 'Romance') AND f.country = 'fr'
    FROM film f LEFT JOIN film_word v ON v.film_id = f.id AND v.word_id = 3 WHERE f.year > 2010
    FROM (SELECT f.kind_id, f.country FROM film f GROUP BY 1, 2) q
    FROM (SELECT m.company_id FROM film_company m WHERE m.part = 'music' GROUP BY 1) q
    FROM (SELECT DISTINCT f.country, n.value FROM film f, note n WHERE n.film_id = f.id AND n.topic = 'language') q
    FROM (SELECT r.person_id FROM film_person r, film f WHERE r.film_id = f.id AND f.year > 2010 GROUP BY 1) q
"""


@dataclass
class NodeError:
    """A node of a plan: which query's, what it is called, its estimated and its counted rows."""
    query: int
    title: str
    estimated: float
    counted: float

    @property
    def q_error(self):
        """By what factor the estimate is wrong, 1 or more."""
        low, high = sorted((max(1.0, self.estimated), max(1.0, self.counted)))
        return high / low


def tables(films=20_000, seed=1):
    """{name: pyarrow.Table} of all rows."""
    random = np.random.default_rng(seed)
    people, companies, words = films // 2, films // 20, films // 10
    countries = skewed(random, films, len(COUNTRIES), 1.1)
    years = 1900 + (120 * random.beta(5, 1.6, films)).astype(int)
    kinds = np.where(years > 1965, skewed(random, films, 6, 1.0), np.where(random.random(films) < 0.9, 0, 3)) + 1
    sexes = random.random(people) < 0.35
    cast = film_facts(random, films, films * 4)
    actors = skewed(random, len(cast), people, 0.7)
    roles = np.where(random.random(len(cast)) < 0.7, sexes[actors].astype(int), random.integers(2, 5, len(cast)))
    made = film_facts(random, films, films * 2)
    home = skewed(random, companies, len(COUNTRIES), 1.0)
    by_country = np.argsort(home, kind="stable")
    first = np.searchsorted(home[by_country], np.arange(len(COUNTRIES) + 1))
    owners = by_country[local(random, countries[made], first, companies)]
    genres = film_facts(random, films, films * 2)
    tags = film_facts(random, films, films * 3)
    notes = np.concatenate([np.arange(films), genres])
    values = [LANGUAGES[COUNTRIES[country]] for country in countries.tolist()]
    values += [GENRES[(number + film // 4000) % len(GENRES)] for number, film in
               zip(skewed(random, len(genres), len(GENRES), 0.9).tolist(), genres.tolist())]
    return {
        "kind": pa.table({"id": np.arange(1, 7), "kind": list(KINDS)}),
        "film": pa.table({"id": np.arange(films), "kind_id": kinds,
                          "year": pa.array(years, mask=random.random(films) < 0.05), "title": names(random, films),
                          "country": np.array(COUNTRIES)[countries]}),
        "company": pa.table({"id": np.arange(companies), "name": names(random, companies),
                             "country": pa.array(np.array(COUNTRIES)[home].tolist(), mask=random.random(companies) < 0.1)}),
        "film_company": pa.table({"film_id": made, "company_id": owners,
                                  "part": np.array(PARTS)[skewed(random, len(made), 4, 1.2)],
                                  "note": pa.array(names(random, len(made)), mask=random.random(len(made)) < 0.6)}),
        "person": pa.table({"id": np.arange(people), "name": names(random, people),
                            "sex": pa.array(np.where(sexes, "f", "m").tolist(), mask=random.random(people) < 0.1)}),
        "film_person": pa.table({"film_id": cast, "person_id": actors, "role": np.array(ROLES)[roles]}),
        "word": pa.table({"id": np.arange(words), "word": [name.lower() for name in names(random, words)]}),
        "film_word": pa.table({"film_id": tags, "word_id": skewed(random, len(tags), words, 1.0)}),
        "note": pa.table({"film_id": notes, "topic": ["language"] * films + ["genre"] * len(genres), "value": values}),
    }


def skewed(random, rows, count, exponent):
    """Numbers from 0 to count - 1, number n in proportion to (n + 1) ** -exponent (Zipf)."""
    weights = np.arange(1, count + 1) ** -float(exponent)
    return random.choice(count, rows, p=weights / weights.sum())


def film_facts(random, films, rows):
    """The films that facts are about: new and well-known ones have more of them."""
    weights = (np.arange(films) + films / 10) ** 0.5 * random.exponential(1.0, films)
    return np.sort(random.choice(films, rows, p=weights / weights.sum()))


def local(random, countries, first, companies):
    """For each film one of the companies of its country, sometimes of any. first: where those of a country begin."""
    starts, counts = first[countries], np.diff(first)[countries]
    chosen = starts + (random.random(len(countries)) ** 2 * np.maximum(counts, 1)).astype(int)
    return np.where((counts == 0) | (random.random(len(countries)) < 0.2), random.integers(0, companies, len(countries)),
                    np.minimum(chosen, companies - 1))


def names(random, count):
    """Made-up names of two to four syllables."""
    parts = np.array(SYLLABLES)[skewed(random, 4 * count, len(SYLLABLES), 0.5)].reshape(count, 4)
    return ["".join(row[:length]).capitalize() for row, length in zip(parts.tolist(), random.integers(2, 5, count).tolist())]


def queries():
    """What stands behind SELECT count(*) in each query."""
    found = []
    for line in QUERIES.strip().splitlines():
        if line.strip().startswith("FROM"):
            found.append(line.strip())
        else:
            found[-1] += " " + line.strip()
    return found


def measure(films=20_000, seed=1, extended=False):
    """A NodeError for each node below the count(*) of each query. Joins do not drop rows of their inputs before here, and
    there are no groups below them: what a node gives would depend on what stands above it. extended: whether statistics of
    columns together are made (TOGETHER)."""
    import caldera
    errors = []
    with caldera.connect() as connection:
        for name, table in tables(films, seed).items():
            load(connection, name, table)
        for columns in TOGETHER if extended else ():
            connection.execute_text(f"CREATE STATISTICS ON {columns}")
        connection.execute_text("ANALYZE; SET disabled_rules = 'key_filters, eager_aggregation'")
        for number, query in enumerate(queries(), 1):
            text = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) SELECT count(*) {query}").fetchone()[0]
            errors += [NodeError(number, *found) for found in nodes(json.loads(text)[0]["Plan"])][1:]
    return errors


def load(connection, name, table):
    """Make a table of the database with the rows of an Arrow table."""
    connection.execute_text(f"CREATE TABLE {name} ({TABLES[name]})")
    with tempfile.TemporaryDirectory(prefix="caldera-estimates-") as folder:
        pq.write_table(table, f"{folder}/rows.parquet")
        columns = ", ".join(table.column_names)
        connection.execute_text(f"COPY {name} ({columns}) FROM '{folder}/rows.parquet' (FORMAT parquet)")


def nodes(plan):
    """(title, estimated rows, counted rows) of each node of a plan in JSON that was counted, top first."""
    if "Actual Rows" in plan and "Plan Rows" in plan:
        yield plan["Node Type"], plan["Plan Rows"], plan["Actual Rows"]
    for below in plan.get("Plans", ()):
        yield from nodes(below)


def quantile(values, share):
    """The value below which a share of sorted values lies."""
    return values[min(len(values) - 1, math.ceil(share * len(values)) - 1)]


def main(arguments):
    """`caldera bench estimates`."""
    parser = argparse.ArgumentParser(prog="caldera bench estimates", description="The q-errors of the planner's estimates.")
    parser.add_argument("--films", type=int, default=20_000, help="how large the tables are")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", type=int, default=10, help="how many of the worst nodes to list")
    parser.add_argument("--extended", action="store_true", help="with CREATE STATISTICS on columns that hang together")
    options = parser.parse_args(arguments)
    errors = measure(options.films, options.seed, options.extended)
    print(f"{'nodes':32} {'count':>6} {'median':>8} {'90 %':>8} {'95 %':>8} {'worst':>8}")
    kinds = sorted({error.title for error in errors})
    for title, chosen in [("all", errors)] + [(kind, [error for error in errors if error.title == kind]) for kind in kinds]:
        values = sorted(error.q_error for error in chosen)
        print(f"{title:32} {len(values):6} {statistics.median(values):8.2f} {quantile(values, 0.9):8.2f} "
              f"{quantile(values, 0.95):8.2f} {values[-1]:8.1f}")
    for error in sorted(errors, key=lambda error: -error.q_error)[:options.worst]:
        print(f"query {error.query:2}  {error.title:26} estimated {error.estimated:10.0f}  counted {error.counted:10.0f}")
    return 0
