"""The `hits` table of ClickBench: 105 columns, one row per page view, and how each engine spells it.

ClickBench's table is a flat log of a web-analytics service. The columns, their order and their PostgreSQL types are its
(https://github.com/ClickHouse/ClickBench); what is here is one compact list from which every engine's CREATE TABLE, the
Arrow schema of the generated file and the conversion of the real file are derived. No column is nullable: absent text is
''.

    COLUMNS ──▶ create_table(dialect)          what an engine is told
            ──▶ arrow_schema()                 what hits.parquet holds
            ──▶ conform(batch)                 a batch of the real file in these types
"""
import datetime

import pyarrow as pa
import pyarrow.compute as pc

# One row a type, `type: names`, would lose the order, which `SELECT *` shows; so one word a column, `Name` or `Name:type`,
# and int2, the most frequent type, left out.
LAYOUT = """
WatchID:int8 JavaEnable Title:text GoodEvent EventTime:timestamp EventDate:date CounterID:int4 ClientIP:int4 RegionID:int4
UserID:int8 CounterClass OS UserAgent URL:text Referer:text IsRefresh RefererCategoryID RefererRegionID:int4 URLCategoryID
URLRegionID:int4 ResolutionWidth ResolutionHeight ResolutionDepth FlashMajor FlashMinor FlashMinor2:text NetMajor NetMinor
UserAgentMajor UserAgentMinor:varchar CookieEnable JavascriptEnable IsMobile MobilePhone MobilePhoneModel:text Params:text
IPNetworkID:int4 TraficSourceID SearchEngineID SearchPhrase:text AdvEngineID IsArtifical WindowClientWidth WindowClientHeight
ClientTimeZone ClientEventTime:timestamp SilverlightVersion1 SilverlightVersion2 SilverlightVersion3:int4 SilverlightVersion4
PageCharset:text CodeVersion:int4 IsLink IsDownload IsNotBounce FUniqID:int8 OriginalURL:text HID:int4 IsOldCounter IsEvent
IsParameter DontCountHits WithHash HitColor:char LocalEventTime:timestamp Age Sex Income Interests Robotness RemoteIP:int4
WindowName:int4 OpenerName:int4 HistoryLength BrowserLanguage:text BrowserCountry:text SocialNetwork:text SocialAction:text
HTTPError SendTiming:int4 DNSTiming:int4 ConnectTiming:int4 ResponseStartTiming:int4 ResponseEndTiming:int4 FetchTiming:int4
SocialSourceNetworkID SocialSourcePage:text ParamPrice:int8 ParamOrderID:text ParamCurrency:text ParamCurrencyID
OpenstatServiceName:text OpenstatCampaignID:text OpenstatAdID:text OpenstatSourceID:text UTMSource:text UTMMedium:text
UTMCampaign:text UTMContent:text UTMTerm:text FromTag:text HasGCLID RefererHash:int8 URLHash:int8 CLID:int4
"""


def parsed_layout(layout):
    """Pairs (name, kind) of the columns in a layout: words `name:kind`, or `name` for an int2."""
    for word in layout.split():
        name, _, kind = word.partition(":")
        yield name, kind or "int2"


COLUMNS = tuple(parsed_layout(LAYOUT))                     # (name, kind) in the table's order
KINDS = dict(COLUMNS)
ORDER_BY = ("CounterID", "EventDate", "UserID", "EventTime", "WatchID")

POSTGRESQL = {"int2": "SMALLINT", "int4": "INTEGER", "int8": "BIGINT", "text": "TEXT", "varchar": "VARCHAR(255)",
              "char": "CHAR", "date": "DATE", "timestamp": "TIMESTAMP"}
CLICKHOUSE = {"int2": "Int16", "int4": "Int32", "int8": "Int64", "text": "String", "varchar": "String", "char": "String",
              "date": "Date", "timestamp": "DateTime"}
ARROW = {"int2": pa.int16(), "int4": pa.int32(), "int8": pa.int64(), "text": pa.string(), "varchar": pa.string(),
         "char": pa.string(), "date": pa.date32(), "timestamp": pa.timestamp("us")}


def create_table(dialect, name="hits"):
    """The CREATE TABLE statement for "postgresql", "duckdb", "caldera" or "clickhouse".

    The column stores that sort are told ORDER_BY, as in ClickBench; PostgreSQL and DuckDB get plain tables, as there.
    """
    if dialect == "clickhouse":
        columns = ",\n".join(f"    {column} {CLICKHOUSE[kind]}" for column, kind in COLUMNS)
        return f"CREATE TABLE {name} (\n{columns}\n) ENGINE = MergeTree ORDER BY ({', '.join(ORDER_BY)})"
    columns = ",\n".join(f"    {column} {POSTGRESQL[kind]} NOT NULL" for column, kind in COLUMNS)
    sorted_by = f" USING mergetree WITH (order_by = '{', '.join(ORDER_BY)}')"
    return f"CREATE TABLE {name} (\n{columns}\n){sorted_by if dialect == 'caldera' else ''}"


def arrow_schema():
    """The Arrow schema of a file of hits in this module's types."""
    return pa.schema([pa.field(name, ARROW[kind], nullable=False) for name, kind in COLUMNS])


def conforms(schema):
    """Whether a file's Arrow schema is `arrow_schema()`, apart from nullability."""
    return [(field.name, field.type) for field in schema] == [(name, ARROW[kind]) for name, kind in COLUMNS]


def conform(batch):
    """A record batch of the published hits.parquet in this module's types.

    That file holds text as bytes, EventTime and its like as seconds and EventDate as days since 1970, and unsigned small
    integers. Raises KeyError if a column is missing, pa.ArrowInvalid if a value does not fit.
    """
    return pa.record_batch([conformed(batch.column(name), kind) for name, kind in COLUMNS], schema=arrow_schema())


def conformed(array, kind):
    """A column as the Arrow array of its kind; whole numbers become seconds (timestamp) or days (date) since 1970."""
    target = ARROW[kind]
    if kind == "timestamp" and pa.types.is_integer(array.type):
        return array.cast(pa.int64()).cast(pa.timestamp("s")).cast(target)
    if kind == "date" and pa.types.is_integer(array.type):
        return array.cast(pa.int32()).cast(target)
    if pa.types.is_string(target):
        return as_text(array)
    return array.cast(target)


def as_text(array):
    """Bytes as text: what is not UTF-8 becomes U+FFFD, and the NUL character, which PostgreSQL refuses, a space."""
    try:
        text = array.cast(pa.string())
    except pa.ArrowInvalid:
        text = pa.array([value.decode("utf-8", "replace") for value in array.to_pylist()], pa.string())
    return pc.replace_substring(text, "\0", " ") if pc.any(pc.match_substring(text, "\0")).as_py() else text


EPOCH = datetime.date(1970, 1, 1)
FIRST_DAY = datetime.date(2013, 7, 1)
DAYS = 31
