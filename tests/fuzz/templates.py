"""What random expressions are made of: templates by result type, comparisons, guards, and what types are good for.

"{int4} + {int4}" stands for an expression with operands of those types. Those under FALLIBLE may fail for their operands;
those under GUARDED are written as CASE WHEN <it cannot fail> THEN ... END. Types that schemas define stand in
tests.fuzz.user_types.
"""
import re

HOLE = re.compile(r"\{(\w+(?:\(\d+(?:,\d+)?\))?(?:\[\])?)\}")
NUMBERS = ("int2", "int4", "int8", "float4", "float8", "numeric", "numeric(10,2)")
TEXTS = ("text", "varchar(12)", "char(5)")
RANGES = ("int4range", "daterange", "int4multirange")
SUMMABLE = ("int2", "int4", "int8", "float4", "float8", "numeric", "numeric(10,2)", "interval")
ORDERED = NUMBERS + TEXTS + ("bytea", "date", "time", "timestamp", "timestamptz", "interval", "int4[]",
                             "mood")                   # with min and max
BASE = {"numeric(10,2)": "numeric", "varchar(12)": "text", "few": "int4", "word": "text"}       # type: one it may stand for
TEMPLATES = {
    "bool": ("({int4} % 2 = 0)", "(NOT {bool})", "coalesce({bool}, false)", "({text} LIKE 'a%')", "({text} LIKE '%b%')",
             "({text} IS NULL)", "({int4} = ANY ({int4[]}))", "({int4[]} @> {int4[]})", "({text[]} && {text[]})",
             "({jsonb} @> {jsonb})", "({jsonb} ? 'a')", "({int4} <> ALL ({int4[]}))", "({text} LIKE ANY ({text[]}))",
             "({int4} BETWEEN SYMMETRIC {int4} AND {int4})", "(({int4}, {text}) < ({int4}, {text}))",
             "(({int4}, {date}) = ({int4}, {date}))", "(({int4}, {text}) IN (({int4}, {text}), ({int4}, 'a')))",
             "({mood} < {mood})", "({mood} = ANY (enum_range({mood}, NULL)))", "({mood} IN ('ok', 'sad'))",
             "({pair} = {pair})", "({pair} IS NULL)", "({pair} < ROW({int4}, {text}))", "(ROW({pair}, {int4}) IS NOT NULL)",
             "({pair} IS DISTINCT FROM {pair})", "(ROW({int4}, {date}) >= ROW({int4}, {date}))",
             "({int4range} @> {int4})", "({int4range} && {int4range})", "isempty({int4range})",
             "({int4range} << {int4range})",
             "({int4range} -|- {int4range})", "({daterange} <@ {daterange})", "({daterange} @> {date})",
             "upper_inf({daterange})", "({int4multirange} @> {int4range})", "({int4multirange} && {int4multirange})",
             "({int4range} &< {int4range})", "({int4} <@ {int4multirange})",
             "JSON_EXISTS({jsonb}, '$.a')", "JSON_EXISTS({jsonb}, '$.a ? (@ > $x)' PASSING {int4} AS x)",
             "JSON_EXISTS({jsonb}, 'strict $.b' UNKNOWN ON ERROR)", "({text} IS JSON)", "({jsonb} IS JSON OBJECT)",
             "({text} IS NOT JSON SCALAR)", "({jsonb} @? '$[*]')", "({jsonb} @@ '$.a == 1')",
             "JSON_VALUE({jsonb}, '$.a' RETURNING bool)", "({jsonb} < {jsonb})"),
    "mood": ("enum_first({mood})", "enum_last(NULL::mood)", "(enum_range({mood}, NULL))[1]"),
    "few": (), "word": (),
    "pair": ("ROW({int4}, {text})::pair", "ROW(({pair}).x, {text})::pair"),
    "int4range": ("({int4range} * {int4range})", "range_merge({int4range}, {int4range})", "range_merge({int4multirange})",
                  "int4range(least({int4}, 7), 9)", "int4range({int2}::int4, NULL)"),
    "daterange": ("({daterange} * {daterange})", "range_merge({daterange}, {daterange})", "daterange(NULL, {date}, '()')"),
    "int4multirange": ("multirange({int4range})", "({int4multirange} + {int4multirange})",
                       "({int4multirange} - {int4multirange})", "({int4multirange} * {int4multirange})",
                       "int4multirange({int4range}, {int4range})"),
    "int2": ("({int2} & {int2})", "({int2} # 5::int2)", "({int2} >> 3)"),
    "int4": ("length({text})", "octet_length({text})", "({int4} & {int4})", "({int4} % 7)", "({int4} / 3)",
             "position('b' in {text})", "{bool}::int4", "({date} - DATE '2013-07-01')", "({int2} + 7)", "ascii({text})",
             "octet_length({bytea})", "length({char(5)})", "({int4[]})[1]", "cardinality({int4[]})",
             "array_length({text[]}, 1)", "array_position({int4[]}, {int4})", "({int4[]})[{int2}]",
             "num_nulls({int4}, {text})", "({pair}).x", "lower({int4range})", "upper({int4range})",
             "cardinality(enum_range(NULL, {mood}))", "lower({int4multirange})", "JSON_VALUE({jsonb}, '$.a' RETURNING int4)",
             "JSON_VALUE({jsonb}, '$[0]' RETURNING int4 DEFAULT 7 ON EMPTY DEFAULT -1 ON ERROR)",
             "bit_count({bytea})::int4"),
    "int8": ("({int4} + {int4}::int8)", "({int8} % 1000)", "({int8} / 2)", "{int4}::int8", "({int4} * {int2}::int8)",
             "({int8} & 255)"),
    "float4": ("({float4} * 2)", "{int2}::float4", "(- {float4})"),
    "float8": ("({float8} / 2)", "{int4}::float8", "abs({float8})", "floor({float8})", "{float4}::float8",
               "extract(epoch from {time})::float8"),
    "numeric": ("({numeric} + 1)", "({numeric} * {int4})", "round({numeric}, 1)", "trunc({numeric})", "{int8}::numeric",
                "({int4} / 7.0)", "abs({numeric})", "extract(year from {date})", "({numeric(10,2)} * {numeric(10,2)})",
                "extract(second from {timestamp})"),
    "numeric(10,2)": (),
    "text": ("upper({text})", "lower({text})", "substr({text}, 2, 3)", "left({text}, 2)", "right({text}, 2)",
             "({text} || {text})", "replace({text}, 'a', 'bb')", "trim({text})", "{int4}::text", "reverse({text})",
             "{date}::text", "{numeric}::text", "{bool}::text", "{uuid}::text", "{interval}::text", "{timestamp}::text",
             "concat({text}, '-', {int4})", "regexp_replace({text}, '^https?://(?:www\\.)?([^/]+)/.*$', '\\1')",
             "{bytea}::text", "split_part({text}, '/', 3)", "lpad({text}, 6, '*')", "{char(5)}::text",
             "translate({text}, 'ab', 'b')", "repeat({text}, 2)", "({text[]})[2]", "array_to_string({text[]}, ',', '-')",
             "({int4[]})::text", "({jsonb} ->> 'a')", "({jsonb} #>> ARRAY['a', 'b'])", "({jsonb})::text",
             "jsonb_typeof({jsonb})", "initcap({text})", "overlay({text} placing 'x' from 2)", "md5({text})",
             "({mood})::text", "({pair}).y", "({pair})::text", "ROW({int4}, {text}, {date})::text", "({int4range})::text",
             "({daterange})::text", "({int4multirange})::text", "JSON_VALUE({jsonb}, '$.b')", "JSON_SERIALIZE({jsonb})",
             "JSON_VALUE({jsonb}, '$.a' DEFAULT 'none' ON EMPTY)", "JSON_QUERY({jsonb}, '$.b' RETURNING text OMIT QUOTES)",
             "JSON_OBJECT('a': {int4}, 'b': {text})::text", "JSON_ARRAY({int4}, {text}, {date} NULL ON NULL)::text",
             "JSON_SCALAR({text})::text", "row_to_json({pair})::text", "concat_ws(',', {text}, {mood}, {int4range})",
             "format('%s-%L', {text}, {int4})"),
    "varchar(12)": ("{text}::varchar(12)",), "char(5)": ("left({text}, 5)::char(5)",),
    "bytea": ("({bytea} || {bytea})", "convert_to({text}, 'UTF8')"),
    "date": ("{timestamp}::date", "lower({daterange})", "upper({daterange})"), "time": ("{timestamp}::time",),
    "timestamp": ("date_trunc('hour', {timestamp})", "date_trunc('month', {timestamp})", "{date}::timestamp"),
    "timestamptz": ("date_trunc('day', {timestamptz})", "{timestamp}::timestamptz"),
    "interval": ("({timestamp} - TIMESTAMP '2013-07-15')", "(- {interval})", "{time}::interval"),
    "uuid": (),
    "int4[]": ("({int4[]} || {int4[]})", "array_append({int4[]}, {int4})", "array_remove({int4[]}, {int4})",
               "ARRAY[{int4}, {int4}]", "array_prepend({int4}, {int4[]})", "({int4[]})[2:3]",
               "array_replace({int4[]}, {int4}, 7)"),
    "text[]": ("string_to_array({text}, 'b')", "({text[]} || {text[]})", "ARRAY[{text}, NULL, {text}]",
               "enum_range({mood}, NULL)::text[]",
               "array_append({text[]}, {text})"),
    "jsonb": ("to_jsonb({int4})", "jsonb_build_object('a', {int4}, 'b', {text})",
              "jsonb_build_array({text}, {bool}, {date})", "({jsonb} -> 'a')", "({jsonb} -> 0)", "to_jsonb({int4[]})",
              "jsonb_strip_nulls({jsonb})", "to_jsonb({pair})", "to_jsonb({mood})", "jsonb_path_query_first({jsonb}, '$.a')",
              "JSON_QUERY({jsonb}, '$.a')", "JSON_QUERY({jsonb}, '$[*]' WITH WRAPPER)", "to_jsonb({int4range})",
              "JSON_QUERY({jsonb}, 'strict $.b' EMPTY ARRAY ON ERROR)", "jsonb_path_query_array({jsonb}, '$.*')",
              "JSON_OBJECT('a': {int4}, 'b': {text} ABSENT ON NULL RETURNING jsonb)",
              "JSON_ARRAY({int4}, {text} NULL ON NULL RETURNING jsonb)", "JSON_ARRAY({bool}, {jsonb} RETURNING jsonb)"),
}
FALLIBLE = {                                                            # may fail; where rows fail, both engines must
    "int2": ("({int2} + {int2})", "({int2} * {int2})", "{int4}::int2"),
    "int4": ("({int4} + {int4})", "({int4} * {int4})", "({int4} - {int4})", "{int8}::int4", "{text}::int4",
             "({int4})::few", "JSON_VALUE({jsonb}, '$.a' RETURNING int4 ERROR ON ERROR)",
             "JSON_VALUE({jsonb}, '$.b' ERROR ON EMPTY)::int4",
             "({jsonb})::int4", "(({text})::pair).x"),
    "int8": ("({int8} + {int8})", "({int8} * {int8})", "({int8} / {int4})", "{float8}::int8", "{numeric}::int8"),
    "float8": ("({float8} / {float8})", "sqrt({float8})", "ln({float8})", "({float8} * {float8})"),
    "numeric": ("({numeric} / {numeric})", "({int4} / {numeric})"),
    "date": ("({date} + {int4})", "{text}::date"), "text": ("substr({text}, 1, {int4})", "chr({int4})",
    "({text})::word"), "mood": ("({text})::mood",), "few": ("({int4})::few",), "pair": ("({text})::pair",),
    "int4range": ("({int4range} + {int4range})", "({int4range} - {int4range})", "int4range({int4}, {int4})",
                  "int4range({int4}, {int4}, '[]')", "({text})::int4range"),
    "daterange": ("daterange({date}, {date})", "({daterange} + {daterange})"),
    "int4multirange": ("({text})::int4multirange",),
    "bool": ("JSON_EXISTS({jsonb}, 'strict $.a' ERROR ON ERROR)", "({text})::bool",
             "({int4range} @> int4range({int4}, {int2}))"),
    "jsonb": ("({jsonb} || {jsonb})", "({jsonb} - 'a')", "jsonb_set({jsonb}, ARRAY['a'], {jsonb})", "({text})::jsonb",
              "JSON_QUERY({jsonb}, '$.a[*]' ERROR ON ERROR)", "jsonb_path_query_first({jsonb}, 'strict $.a.b')"),
    "int4[]": ("({text})::int4[]", "({jsonb} #> {text[]})::text::int4[]"), "uuid": ("({text})::uuid",),
    "bytea": ("decode({text}, 'hex')",),
    "timestamp": ("({timestamp} + {interval})", "({date} + {time})"), "interval": ("({interval} + {interval})",),
}
GUARDED = {
    "int4": ("CASE WHEN {0} <> 0 THEN {1} / {0} END", "int4", "int2"),
    "int8": ("CASE WHEN {0} > 0 AND {0} < 1000 THEN {1} % {0} ELSE {1} END", "int8", "int8"),
    "float8": ("CASE WHEN {0} > 0 THEN sqrt({0}) END", "float8", "float8"),
    "text": ("CASE WHEN {0} > 0 THEN left({1}, {0}) ELSE {1} END", "int2", "text"),
    "date": ("CASE WHEN {1} > DATE '2000-01-01' AND {1} < DATE '2100-01-01' THEN {1} + {0}::int4 END", "int2", "date"),
    "numeric": ("CASE WHEN {0} <> 0 THEN round({1} / {0}, 3) END", "int4", "int2"),
}
COMPARISONS = ("{a} {op} {b}", "{a} {op} {b}", "{a} IS NULL", "{a} IS NOT NULL", "{a} IS DISTINCT FROM {b}",
               "{a} BETWEEN {b} AND {c}", "{a} NOT BETWEEN {b} AND {c}", "{a} IN ({b}, {c})", "{a} NOT IN ({b}, {c})",
               "{a} IN ({b}, {c}, NULL)", "{b} {op} {a}", "{a} {op} ANY (ARRAY[{b}, {c}])",
               "{a} <> ALL (ARRAY[{b}, {c}, NULL])")
TEXT_COMPARISONS = ("{a} LIKE '{pattern}'", "{a} NOT LIKE '{pattern}'", "{a} ILIKE '{pattern}'", "{a} ~ 'a.*b'",
                    "starts_with({a}, {b})", "{a} ~* '^(A|prefix)'")
OPERATORS = ("=", "<>", "<", "<=", ">", ">=")
CANONICAL = ("bool", "int2", "int4", "int8", "text", "text", "date", "timestamp", "bytea", "time", "int4[]", "jsonb",
             "mood", "int4range", "daterange", "int4multirange", "pair", "few")
PATTERNS = ("a%", "%b%", "_b_", "%", "", "abc", "%example%", "http%//%.com/%", "%ä%", "a\\%b", "prefix-000_", "%long%long%")

