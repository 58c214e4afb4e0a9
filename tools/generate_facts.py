"""Write src/caldera/catalog/facts.json: what PostgreSQL 18 knows about its own types, operators, functions and casts; and
oids.json beside it: the OIDs of what has a name in it.

    python tools/generate_facts.py "host=localhost dbname=postgres user=postgres"

The argument is the connection string of any PostgreSQL 18 server; a fresh cluster is best. `caldera.catalog.facts`
and `caldera.catalog.oids` say what the files hold and read them. The tool is run when the version of PostgreSQL that Caldera
follows changes.
"""
import json
import sys
from pathlib import Path

import psycopg

TARGET = Path(__file__).parent.parent / "src/caldera/catalog/facts.json"
OIDS_TARGET = TARGET.with_name("oids.json")

TYPES = """
    SELECT t.typname, t.oid::int, format_type(t.oid, NULL), t.typcategory, t.typispreferred, t.typlen, t.typtype,
           coalesce((SELECT e.typname FROM pg_type e WHERE e.typarray = t.oid), '')
    FROM pg_type t
    WHERE t.typnamespace = 'pg_catalog'::regnamespace AND t.typrelid = 0
      AND NOT EXISTS (SELECT FROM pg_type e WHERE e.typarray = t.oid AND e.typrelid <> 0)
    ORDER BY t.oid"""

OPERATORS = """
    SELECT o.oprname, coalesce(l.typname, ''), r.typname, z.typname, p.proname
    FROM pg_operator o LEFT JOIN pg_type l ON l.oid = o.oprleft JOIN pg_type r ON r.oid = o.oprright
         JOIN pg_type z ON z.oid = o.oprresult JOIN pg_proc p ON p.oid = o.oprcode
    WHERE o.oprnamespace = 'pg_catalog'::regnamespace
    ORDER BY o.oprname, o.oid"""

# Not those that only the server's own machinery calls, with arguments that SQL cannot write.
FUNCTIONS = """
    SELECT p.proname, ARRAY(SELECT t.typname::text FROM unnest(p.proargtypes) WITH ORDINALITY a(oid, n)
                            JOIN pg_type t ON t.oid = a.oid ORDER BY n),
           z.typname, CASE WHEN p.prokind <> 'a' THEN p.prokind::text WHEN g.aggkind <> 'n' THEN 'o' ELSE 'a' END,
           p.proretset, p.provariadic <> 0, p.pronargdefaults, p.proisstrict, p.provolatile,
           ARRAY(SELECT name FROM unnest(p.proargnames) WITH ORDINALITY AS named(name, n)
                 WHERE coalesce(p.proargmodes[n], 'i') IN ('i', 'b', 'v') ORDER BY n),
           coalesce(pg_get_expr(p.proargdefaults, 0), '')
    FROM pg_proc p JOIN pg_type z ON z.oid = p.prorettype LEFT JOIN pg_aggregate g ON g.aggfnoid = p.oid
    WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind <> 'p'
      AND NOT EXISTS (SELECT FROM unnest(p.proargtypes::oid[] || p.prorettype) AS used
                      WHERE used::regtype::text IN ('internal', 'cstring', 'trigger', 'event_trigger', 'language_handler',
                            'fdw_handler', 'index_am_handler', 'table_am_handler', 'tsm_handler', 'pg_ddl_command'))
    ORDER BY p.proname, p.oid"""

CASTS = """
    SELECT s.typname, t.typname, c.castcontext, c.castmethod
    FROM pg_cast c JOIN pg_type s ON s.oid = c.castsource JOIN pg_type t ON t.oid = c.casttarget
    ORDER BY s.oid, t.oid"""

# The queries of oids.json, by section: lines of words.
NAMED = {
    "functions": """SELECT p.proname, p.oid, z.typname, p.prokind, p.provolatile, p.proretset::int,
                           ARRAY(SELECT t.typname::text FROM unnest(p.proargtypes) WITH ORDINALITY a(oid, n)
                                 JOIN pg_type t ON t.oid = a.oid ORDER BY n)
                    FROM pg_proc p JOIN pg_type z ON z.oid = p.prorettype
                    WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.oid < 16384 ORDER BY p.oid""",
    "operators": """SELECT o.oprname, o.oid, o.oprcode::oid, z.typname, coalesce(l.typname, '-'), r.typname
                    FROM pg_operator o LEFT JOIN pg_type l ON l.oid = o.oprleft JOIN pg_type r ON r.oid = o.oprright
                         JOIN pg_type z ON z.oid = o.oprresult
                    WHERE o.oprnamespace = 'pg_catalog'::regnamespace ORDER BY o.oid""",
    "orders": """SELECT c.opcname, c.oid, t.typname, c.opcdefault::int
                 FROM pg_opclass c JOIN pg_am m ON m.oid = c.opcmethod JOIN pg_type t ON t.oid = c.opcintype
                 WHERE m.amname = 'btree' ORDER BY c.oid""",
    "types": """SELECT t.typname, t.typinput::oid, t.typoutput::oid, t.typreceive::oid, t.typsend::oid, t.typmodin::oid,
                       t.typmodout::oid, t.typanalyze::oid, t.typsubscript::oid, t.typalign, t.typstorage, t.typcollation,
                       t.typdelim
                FROM pg_type t WHERE t.typnamespace = 'pg_catalog'::regnamespace AND t.oid < 16384 ORDER BY t.oid""",
    "collations": """SELECT collname, oid FROM pg_collation WHERE collencoding IN (-1, 6) AND collprovider <> 'i'
                     ORDER BY oid""",
    "roles": "SELECT rolname, oid FROM pg_authid WHERE oid > 10 ORDER BY oid",
    "configurations": "SELECT cfgname, oid FROM pg_ts_config ORDER BY oid",
    "dictionaries": "SELECT dictname, oid FROM pg_ts_dict ORDER BY oid"}


def words(values):
    """A row as one line."""
    return " ".join(" ".join(value) if isinstance(value, list) else str(value) for value in values).strip()


def main(connection_string):
    with psycopg.connect(connection_string) as connection:
        def rows(sql):
            return connection.execute(sql).fetchall()
        version = connection.info.server_version
        types = {name: [oid, spelled, category, int(preferred), length, kind, element]
                 for name, oid, spelled, category, preferred, length, kind, element in rows(TYPES)}
        operators, functions = {}, {}
        for name, left, right, result, function in rows(OPERATORS):
            operators.setdefault(name, []).append(f"{left} {right}>{result} {function}")
        for name, arguments, result, kind, many, variadic, defaults, strict, volatility, names, values in rows(FUNCTIONS):
            flags = "".join([kind, "s" * many, "v" * variadic, "n" * (not strict), f"d{defaults}" if defaults else "",
                             "!" if volatility == "v" else "~" if volatility == "s" else ""])
            named = f" {','.join(names)}" if len(names) == len(arguments) and all(names) and names else ""
            functions.setdefault(name, []).append(f"{' '.join(arguments)}>{result} {flags}{named}"
                                                  + (f" = {values}" if values else ""))
        casts = [" ".join(row) for row in rows(CASTS)]
        named = {section: list(map(words, rows(sql))) for section, sql in NAMED.items()}
    sections = {"version": version, "types": types, "operators": operators, "functions": functions, "casts": casts}
    TARGET.write_text(json.dumps(sections, separators=(",", ":")).replace('],"', '],\n"') + "\n")
    OIDS_TARGET.write_text(json.dumps(named, separators=(",", ":")).replace('","', '",\n"') + "\n")
    print(f"{TARGET}: {len(types)} types, {sum(map(len, operators.values()))} operators, "
          f"{sum(map(len, functions.values()))} functions, {len(casts)} casts")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
