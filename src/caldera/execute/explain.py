"""EXPLAIN: how a statement would run and, with ANALYZE, how it ran.

    plan ─ outline ─▶ entries ─┬─ costs and estimated rows      COSTS      (optimize.estimates)
                               ├─ counted rows                  ANALYZE    RowCounts sits between the steps of pipelines
                               └─ pipelines: source, steps, sink PIPELINES; with ANALYZE times, tiers, granules, workers,
                                                                           what became of maps over dictionaries
                                                                CODE, ASM  each one's text with origins, and its assembly

Rows are counted for each node, but time only for each pipeline: in it, the work of several nodes is one loop.
"""
import json
import time
from dataclasses import dataclass

from caldera.base.errors import error
from caldera.execute.actions import Result, perform
from caldera.execute.split_plan import run_pipelines, split
from caldera.execute.run import JIT, O3_ROWS_MIN, Run
from caldera.execute.streaming import load_of
from caldera.kernel.llvm import LlvmKernel
from caldera.operators.dictionary import MapPipeline
from caldera.operators.key_filter import FilterByKey
from caldera.operators.row_count import RowCount
from caldera.optimize.estimates import Estimates
from caldera.optimize.refusals import refusals
from caldera.plan.nodes import Filter, KeyFilter, Query
from caldera.plan.outline import document, lines, outline
from caldera.storage.engine import ColumnData
from caldera.types.columns import from_datums
from caldera.types.registry import TYPES


def explain(session, snapshot, plan, trace, parameters=()):
    """The Result of an EXPLAIN: one column of text, a row for each line, or all of it as JSON."""
    options = plan.options
    for name in ("timing", "wal", "serialize"):
        if options.get(name) and not options.get("analyze"):
            raise error("22023", f"EXPLAIN option {name.upper()} requires ANALYZE")
    report = Report(session, snapshot, plan.input, options, trace.seconds, parameters)
    report.gather()
    texts = [report.json()] if options["format"] == "json" else list(report.text())
    text = TYPES["text"]
    return Result("EXPLAIN", ["QUERY PLAN"], [(text, None)], [ColumnData(text, *from_datums(text, texts))], len(texts))


@dataclass
class PipelineReport:
    """What is known of one pipeline. facts: {label: number or text}; code, assembly: texts or None."""
    title: str
    facts: dict
    code: str | None = None
    assembly: str | None = None


class Report:
    """Gathers what an EXPLAIN shows, then words it."""

    def __init__(self, session, snapshot, statement, options, seconds, parameters):
        self.session, self.snapshot, self.statement, self.options = session, snapshot, statement, options
        self.parameters, self.counts, self.pipelines, self.execution_s = parameters, RowCounts(), [], None
        self.planning_s = sum(seconds.get(stage, 0) for stage in ("bind", "optimize"))
        self.estimates, self.ran = Estimates(statement, snapshot), []

    def wanted(self, name, default=False):
        """Whether an option is on."""
        return bool(self.options.get(name, default))

    @property
    def wants_pipelines(self):
        return any(self.wanted(name) for name in ("pipelines", "code", "asm"))

    def gather(self):
        """Run the statement, or stage it, as the options demand, and word the plan."""
        analyze = self.wanted("analyze")
        run = Run(self.session, self.snapshot, self.session.budget, self.session.cancelled, self.session.watch)
        try:
            if analyze:
                self.run(run)
            elif self.wants_pipelines:
                split_plan = split(self.session, self.statement.input, run)
                self.pipelines = [self.pipeline(run, pipeline) for pipeline in split_plan.pipelines if opened(run, pipeline)]
            self.entry = outline(self.statement, self.figures, self.wanted("verbose"),
                                 self.refusals if self.wanted("costs", True) else None)
        finally:
            run.close()

    def run(self, run):
        """ANALYZE."""
        started = time.perf_counter()
        split_plan = split(self.session, self.statement.input, run, self.counts)
        self.counts.watch_sources(split_plan.pipelines)
        load = load_of(self.session, self.statement)
        columns = run_pipelines(run, split_plan, self.parameters, load and load.add)
        if load is not None:
            load.add(columns, columns.row_count)
        elif not isinstance(self.statement, Query):
            perform(self.session, self.statement, columns, {})
        self.execution_s, self.ran = time.perf_counter() - started, split_plan.pipelines
        self.pipelines = [self.pipeline(run, pipeline) for pipeline in split_plan.pipelines]

    def refusals(self, node, shown):
        """What else a node could have done, and why it does not. After a run it is known which key filters were of use."""
        for pipeline in self.ran:
            for step in pipeline.steps:
                if isinstance(step, FilterByKey) and step.node is node and step.refused:
                    return [step.refused]
        disabled = {name.strip() for name in self.session.setting("disabled_rules").split(",")}
        return refusals(shown, self.estimates, disabled, self.wanted("verbose"))

    def figures(self, node):
        """What stands behind a node's title."""
        figures = self.estimates.figures(node) if self.wanted("costs", True) else {}
        rows = self.counts.rows_of(node)
        if rows is None and self.counts.knows(node):
            figures["Never Executed"] = True
        elif rows is not None:
            figures["Actual Rows"] = rows
            below = self.counts.rows_of(node.input) if isinstance(node, (Filter, KeyFilter)) else None
            if below is not None and below > rows:
                figures["Rows Removed by Filter"] = below - rows
        return figures

    def pipeline(self, run, pipeline):
        """The PipelineReport of a pipeline whose source is open, or that was not needed."""
        title, timings = pipeline.words, pipeline.timings
        if self.wanted("analyze") and "total_s" not in timings:
            return PipelineReport(title, map_facts(pipeline) | {"Needed": False})
        facts = self.facts(run, pipeline) if self.wanted("analyze") else {}
        report = PipelineReport(title, facts)
        if self.wanted("code"):
            report.code = staged_text(run, pipeline, origins=True)
        if self.wanted("asm"):
            tier = run.tier if run.tier in ("fast", "plain", "o3") else \
                "o3" if pipeline.source.row_count >= O3_ROWS_MIN else "fast"
            report.assembly = JIT.compiler.assembly(staged_text(run, pipeline), tier)
        return report

    def facts(self, run, pipeline):
        """How a pipeline ran."""
        timings, scan = pipeline.timings, pipeline.source.scan
        facts = map_facts(pipeline) | {"Rows": self.counts.rows_of_source(pipeline), "Workers": run.active_workers(pipeline),
                                       "Tier": timings["tier"]} | spill_facts(pipeline)
        if scan is not None:
            facts[f"{scan.granule} Read"] = scan.granules_read
            facts[f"{scan.granule} Skipped"] = scan.granules_total - scan.granules_read
        if self.wanted("timing", True):
            facts |= {f"{what} Time": round(timings.get(key, 0) * 1e3, 3) for what, key in
                      (("Total", "total_s"), ("Open", "open_s"), ("Emit", "emit_s"), ("Compile", "compile_s"))}
        return facts

    # ---- wording

    @property
    def times(self):
        """{label: milliseconds} of the whole."""
        if not self.wanted("summary", self.wanted("analyze")):
            return {}
        times = {"Planning Time": self.planning_s}
        if self.execution_s is not None:
            times["Execution Time"] = self.execution_s
        return {label: round(seconds * 1e3, 3) for label, seconds in times.items()}

    def text(self):
        """The lines of FORMAT TEXT."""
        yield from lines(self.entry)
        if self.pipelines:
            yield "Pipelines:"
        elif self.wants_pipelines:
            yield "Pipelines: none is needed, the rows are known"
        for number, report in enumerate(self.pipelines, 1):
            yield f"  {number}: {report.title}"
            if shown := pipeline_facts(report.facts):
                yield f"     {shown}"
            for text in (report.code, report.assembly):
                yield from ("     " + line for line in (text or "").rstrip().splitlines())
        for label, milliseconds in self.times.items():
            yield f"{label}: {milliseconds:.3f} ms"

    def json(self):
        """FORMAT JSON."""
        whole = {"Plan": document(self.entry)}
        if self.pipelines or self.wants_pipelines:
            whole["Pipelines"] = [{"Pipeline": report.title} | report.facts
                                  | {label: text for label, text in (("Code", report.code), ("Assembly", report.assembly))
                                     if text is not None} for report in self.pipelines]
        return json.dumps([whole | self.times], indent=2, ensure_ascii=False)


def opened(run, pipeline):
    """Open a pipeline's source and sink as if it was to run; False if it is not needed."""
    if pipeline.guard is not None and not pipeline.guard.wanted(run):
        return False
    run.pipeline = pipeline
    run.open(pipeline.source)
    run.open(pipeline.sink)
    return True


def staged_text(run, pipeline, origins=False):
    """The text of a pipeline's program."""
    return pipeline.stage(LlvmKernel(run.control, origins=origins, **run.options()))


def map_facts(pipeline):
    """What became of the map that a pipeline over the entries of a dictionary is there for."""
    return {"Map": pipeline.guard.map.outcome} if isinstance(pipeline.guard, MapPipeline) else {}


def spill_facts(pipeline):
    """What a pipeline wrote to disk for want of memory: its sink, and before its steps the rows for joins on disk."""
    spills = [*pipeline.sink.spills, *(step.detour.left.spill for step in pipeline.steps if hasattr(step, "detour"))]
    written = [spill for spill in spills if spill.bytes]
    return {f"Spilled {what.title()}": sum(getattr(spill, what) for spill in written)
            for what in ("bytes", "partitions", "runs")} if written else {}


def pipeline_facts(facts):
    """A pipeline's facts as one line."""
    parts = [f"map={facts['Map']}"] if facts.get("Map") else []
    if "Needed" in facts:
        return " ".join(parts) or "not needed"
    if facts:
        parts.append(f"rows={facts['Rows']} workers={facts['Workers']} tier={facts['Tier']}")
    if "Spilled Bytes" in facts:
        parts.append(f"spilled={-(-facts['Spilled Bytes'] >> 10)} kB (partitions {facts['Spilled Partitions']}, "
                     f"runs {facts['Spilled Runs']})")
    for unit in ("Granules", "Row Groups", "Files"):
        if f"{unit} Read" in facts:
            read, skipped = facts[f"{unit} Read"], facts[f"{unit} Skipped"]
            parts.append(f"{unit.lower().replace(' ', '_')}={read} of {read + skipped}")
    if "Total Time" in facts:
        parts.append(f"time={facts['Total Time']:.3f} ms (open {facts['Open Time']:.3f}, emit {facts['Emit Time']:.3f}, "
                     f"compile {facts['Compile Time']:.3f})")
    return " ".join(parts)


class RowCounts:
    """Counts the rows of each node, while a plan is split (`watch`) and run."""

    def __init__(self):
        self.found = {}             # id of a node -> (the node, what has `rows`)

    def watch(self, node, stream):
        """Told by the builder of every node's stream: put a counter behind it."""
        if stream.plain_columns is not None:
            counter = MemoryRows(stream.source)
        else:
            counter = RowCount()
            stream.steps.append(counter)
        self.found[id(node)] = node, counter

    def watch_sources(self, pipelines):
        """Put a counter behind every source that has none. What a source says of itself is the room it has, which for
        groups by code is more than there are groups."""
        for pipeline in pipelines:
            if pipeline.source.gives_rows and not (pipeline.steps and isinstance(pipeline.steps[0], RowCount)):
                pipeline.steps.insert(0, RowCount())

    @staticmethod
    def rows_of_source(pipeline):
        """How many rows came from a pipeline's source."""
        return pipeline.steps[0].rows if pipeline.source.gives_rows else pipeline.source.row_count

    def knows(self, node):
        """Whether a node was to be counted."""
        return id(node) in self.found

    def rows_of(self, node):
        """How many rows a node gave; None if it was not counted."""
        _, counter = self.found.get(id(node), (None, None))
        return None if counter is None else counter.rows


class MemoryRows:
    """Notes how many rows a ColumnsSource gives when it is asked for them."""

    def __init__(self, source):
        self.source, self.rows = source, None
        self.data, self.order, self.batches = source.data, source.order, source.batches
        source.data = self.noted_data
        if self.batches is not None:
            source.batches = self.noted_batches
        if source.order is not None:
            source.order = self.noted_order

    def noted_data(self):
        """The source's columns."""
        columns = self.data()
        if self.order is None:
            values = columns[0].values if columns else None
            self.rows = self.source.row_count_without_columns if values is None else \
                len(values[0]) - 1 if isinstance(values, tuple) else len(values)
        return columns

    def noted_batches(self):
        """The source's batches."""
        batches = self.batches()
        return None if batches is None else self.counted(batches)

    def counted(self, batches):
        """The same, counted when they come."""
        self.rows = 0
        for columns, count in batches:
            self.rows += count
            yield columns, count

    def noted_order(self):
        """The source's order."""
        order = self.order()
        self.rows = len(order)
        return order
