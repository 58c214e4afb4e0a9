"""From a plan to pipelines: where rows stream through, and where they must be kept.

    Scan ─ Filter ─ Project ─┐ Aggregate ┌─ Project ─┐ Sort ┌─ result
    source   step     step   sink        source step  sink  source

`Builder.build` walks the plan from the top down to its source; each node's operator (plan.operator) says what it adds, and
cuts where it needs all rows first (breakers). A pipeline is staged when it is about to run, since its source knows facts
only then: which columns hold NULLs.
"""
import itertools
from dataclasses import dataclass, field
from typing import Any

from caldera.operators.append import numbered
from caldera.operators.collect import Collect
from caldera.operators.evaluate import Evaluator
from caldera.operators.pipeline import Pipeline
from caldera.operators.rows_in_memory import StoredResult
from caldera.plan.operator import operator_of


@dataclass
class SplitPlan:
    """A plan as pipelines, in the order they run, and what holds the result. `subqueries`: those whose values must be there
    before; `kept`: their own SplitPlans, by the id of the plan, once they have run."""
    pipelines: list
    evaluator: Any
    result: Any
    subqueries: list
    kept: dict = field(default_factory=dict)


class Builder:
    """Builds pipelines for one query; what operators are given.

    constant(expression): the datum of an expression without columns, when the run has started. rows_of(run, plan): the
    columns of a plan that a node runs by itself while `run` runs; kept under the plan for the next time. evaluator: stages
    expressions. pipelines: those that are complete, in the order they will run. word_ids: fresh ids for columns that no
    plan has. row_sources: {id of a column of row ids: the TableSource that gives them}. shared: {number of a Shared: what
    holds its rows}. join_keys: {number of a Join: for each of its keys what is known of it (operators.key_filter.KeptKey)}.
    """

    def __init__(self, session, constant, rows_of, block_rows, counts=None):
        self.session, self.constant, self.rows_of = session, constant, rows_of
        self.block_rows, self.counts = block_rows, counts
        self.evaluator, self.pipelines, self.word_ids = Evaluator(session), [], itertools.count(-1, -1)
        self.row_sources, self.shared, self.join_keys = {}, {}, {}

    def split(self, node, subqueries=()):
        """The SplitPlan whose result has the columns of `node.output`."""
        return SplitPlan(self.pipelines, self.evaluator, self.keep(node, node.output, "result"), subqueries)

    def keep(self, node, columns, label):
        """What holds some columns of a node's rows when the pipelines have run: a Collect or a StoredResult."""
        stream = self.build(node)
        if stream.plain_columns is not None:
            return StoredResult([stream.plain_columns[column.id] for column in columns], stream.source)
        result = Collect(columns)
        self.end(stream, result, label)
        return result

    def build(self, node):
        """The Stream of a node's rows."""
        stream = operator_of(node).build(self, node)
        if self.counts is not None:
            self.counts.watch(node, stream)
        return stream

    def end(self, stream, sink, label, guard=None):
        """Complete a pipeline from a stream to a sink, or one from each of the stream's branches to the same sink."""
        heads = stream.heads() if not stream.branches else numbered(stream.heads())
        for head in heads:
            scratch = self.evaluator.scratch if head.needs_scratch else None
            self.pipelines.append(Pipeline(head.source, head.steps, sink, label, scratch, guard, head.in_order,
                                           releases=head.releases, followed_from=head.followed_from))
