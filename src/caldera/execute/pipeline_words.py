"""Pipelines in words: "Seq Scan on hits -> Filter -> HashAggregate"."""
from caldera.plan.expressions import Column

SOURCES = {"ValuesSource": "Values Scan", "SeriesSource": "Function Scan on generate_series", "OneGroup": "Group",
           "ColumnsSource": "Rows in Memory", "DistinctRows": "Distinct Rows", "MergeSource": "Groups of Workers"}
SINKS = {"AggregateSink": "Aggregate", "DistinctSink": "Aggregate", "Collect": "Result", "Grouping": "Merged Groups"}
STEPS = {"Limit": "Limit"}


def described(pipeline):
    """A pipeline's source, steps and sink."""
    steps = [step_words(step) for step in pipeline.steps]
    return " -> ".join([source_words(pipeline.source), *(step for step in steps if step), sink_words(pipeline.sink)])


def source_words(source):
    """What a source reads."""
    kind = type(source).__name__
    if kind == "TableSource":
        return f"Seq Scan on {source.label}"
    if kind == "DictionarySource":
        return f"Dictionary of {source.map.name}"
    return SOURCES.get(kind, kind)


def step_words(step):
    """What a step does; "" for those that only rename or count."""
    kind = type(step).__name__
    if kind == "Filter":
        return f"Filter {step.predicate}"
    if kind == "Project":
        computed = [str(expression) for _, expression in step.items if not isinstance(expression, Column)]
        return f"Compute {', '.join(computed)}" if computed else ""
    return STEPS.get(kind, "")


def sink_words(sink):
    """What becomes of the rows."""
    kind = type(sink).__name__
    if kind == "Sort":
        return "Sort" if sink.limit is None else f"Top-N Sort (limit {sink.limit})"
    if kind == "MapSink":
        return f"Map of {sink.map.expression}"
    return SINKS.get(kind, kind)
