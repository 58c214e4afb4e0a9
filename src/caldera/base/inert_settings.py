"""PostgreSQL's settings that change nothing here: planner, parallelism, logging, vacuum, what dumps and drivers set.

They are checked as PostgreSQL checks them, kept and shown. A setting that promises something is not among them, unless only
with the value that Caldera keeps the promise of (no timeout for idle sessions, locale C).
"""
from caldera.base.settings import INTEGER_MAX, Setting, boolean, choice, define, integer, only, quantity, real

DOUBLE_MAX = 1.7976931348623157e308
LEVELS = choice("debug5", "debug4", "debug3", "debug2", "debug1", "info", "notice", "warning", "error", "log", "fatal",
                "panic")
LOCALE = choice("C", "POSIX", "C.UTF-8", "C.utf8")

# (how values are checked, "name=default name=default ..."); a default that is not given is empty
GROUPS = (
    (boolean, """
        enable_async_append=on enable_bitmapscan=on enable_distinct_reordering=on enable_gathermerge=on
        enable_group_by_reordering=on enable_hashagg=on enable_hashjoin=on enable_incremental_sort=on
        enable_indexonlyscan=on enable_indexscan=on enable_material=on enable_memoize=on enable_mergejoin=on
        enable_nestloop=on enable_parallel_append=on enable_parallel_hash=on enable_partition_pruning=on
        enable_partitionwise_aggregate=off enable_partitionwise_join=off enable_presorted_aggregate=on
        enable_self_join_elimination=on enable_seqscan=on enable_sort=on enable_tidscan=on
        jit=on jit_expressions=on jit_tuple_deforming=on geqo=on parallel_leader_participation=on
        check_function_bodies=on row_security=on event_triggers=on quote_all_identifiers=off synchronize_seqscans=on
        escape_string_warning=on array_nulls=on allow_system_table_mods=off md5_password_warnings=on
        log_duration=off log_lock_waits=off log_parser_stats=off log_planner_stats=off log_executor_stats=off
        log_statement_stats=off track_activities=on track_counts=on track_io_timing=off track_wal_io_timing=off
        vacuum_truncate=on"""),
    (real(0, DOUBLE_MAX), "seq_page_cost=1 random_page_cost=4 cpu_tuple_cost=0.01 cpu_index_tuple_cost=0.005 "
                          "cpu_operator_cost=0.0025 parallel_setup_cost=1000 parallel_tuple_cost=0.1"),
    (real(-1, DOUBLE_MAX), "jit_above_cost=100000 jit_inline_above_cost=500000 jit_optimize_above_cost=500000"),
    (real(0, 1), "cursor_tuple_fraction=0.1 geqo_seed=0"),
    (real(1.5, 2), "geqo_selection_bias=2"),
    (real(0.001, 1e6), "recursive_worktable_factor=10"),
    (real(1, 1000), "hash_mem_multiplier=2"),
    (integer(0, 1024), "max_parallel_workers=8 max_parallel_workers_per_gather=2 max_parallel_maintenance_workers=2"),
    (integer(0, 1000), "effective_io_concurrency=16 maintenance_io_concurrency=16 commit_siblings=5"),
    (integer(1, INTEGER_MAX), "from_collapse_limit=8 join_collapse_limit=8 scram_iterations=4096"),
    (integer(2, INTEGER_MAX), "geqo_threshold=12"),
    (integer(0, INTEGER_MAX), "geqo_pool_size=0 geqo_generations=0 gin_fuzzy_search_limit=0 tcp_keepalives_count=0"),
    (integer(1, 10), "geqo_effort=5"),
    (integer(1, 10_000), "vacuum_cost_limit=200"),
    (integer(0, 10_000), "vacuum_cost_page_dirty=20 vacuum_cost_page_hit=1 vacuum_cost_page_miss=2"),
    (integer(0, 1_000_000_000), "vacuum_freeze_min_age=50000000 vacuum_multixact_freeze_min_age=5000000"),
    (integer(0, 2_000_000_000), "vacuum_freeze_table_age=150000000 vacuum_multixact_freeze_table_age=150000000"),
    (quantity("kB", 64, INTEGER_MAX), "maintenance_work_mem=64MB logical_decoding_work_mem=64MB gin_pending_list_limit=4MB"),
    (quantity("8kB", 100, INTEGER_MAX // 2), "temp_buffers=8MB"),
    (quantity("8kB", 1, INTEGER_MAX), "effective_cache_size=4GB"),
    (quantity("8kB", 0, INTEGER_MAX // 3), "min_parallel_table_scan_size=8MB min_parallel_index_scan_size=512kB"),
    (quantity("ms", -1, INTEGER_MAX), "log_min_duration_statement=-1 log_min_duration_sample=-1"),
    (quantity("ms", 1, INTEGER_MAX), "deadlock_timeout=1s"),
    (quantity("ms", 0, INTEGER_MAX), "client_connection_check_interval=0 tcp_user_timeout=0"),
    (quantity("s", 0, INTEGER_MAX), "tcp_keepalives_idle=0 tcp_keepalives_interval=0"),
    (only("0", quantity("ms", 0, INTEGER_MAX)),
     "idle_in_transaction_session_timeout=0 idle_session_timeout=0 transaction_timeout=0"),
    (only("off", boolean), "transform_null_equals=off"),
    (choice("partition", "on", "off"), "constraint_exclusion=partition"),
    (choice("auto", "force_generic_plan", "force_custom_plan"), "plan_cache_mode=auto"),
    (choice("off", "on", "regress"), "debug_parallel_query=off"),
    (choice("auto", "regress", "on", "off"), "compute_query_id=auto"),
    (choice("safe_encoding", "on", "off"), "backslash_quote=safe_encoding"),
    (choice("origin", "replica", "local"), "session_replication_role=origin"),
    (choice("base64", "hex"), "xmlbinary=base64"),
    (choice("content", "document"), "xmloption=content"),
    (choice("md5", "scram-sha-256"), "password_encryption=scram-sha-256"),
    (choice("none", "pl", "all"), "track_functions=none"),
    (choice("none", "ddl", "mod", "all"), "log_statement=none"),
    (choice("terse", "default", "verbose"), "log_error_verbosity=default"),
    (LEVELS, "log_min_messages=warning log_min_error_statement=error"),
    (LOCALE, "lc_messages=C lc_monetary=C lc_numeric=C lc_time=C"),
    (str, "default_tablespace temp_tablespaces local_preload_libraries session_preload_libraries createrole_self_grant "
          "default_text_search_config=pg_catalog.english"),
    (choice("pglz"), "default_toast_compression=pglz"),
)

for parse, names in GROUPS:
    for item in names.split():
        name, _, value = item.partition("=")
        define(Setting(name, value, parse, "One of PostgreSQL's that changes nothing here."))
