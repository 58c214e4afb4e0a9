"""What operators build pipelines of.

    Stream: source and steps so far ─ Builder.end(stream, sink) ─▶ Pipeline: source, steps, sink ─ stage(kernel) ─▶ code

Sources, steps and sinks are described at operators/__init__.py; each has `words` for EXPLAIN.
"""
import math
from dataclasses import dataclass, field, replace
from typing import Any

from caldera.plan.expressions import AggregateCall


class Source:
    """Where a pipeline's blocks come from: `open(run)` looks at the data, then `blocks(k)` is staged.

    words: for EXPLAIN. row_count: how many rows there are, once it is open. parallel: whether several workers may run it.
    morsel_count: how many pieces it has for workers; None if there is enough for all. facts: what the staged text takes for
    granted about the data (hashable). scan: what a relation said it will read (storage.engine.TableScan), or None.
    gives_rows: whether its blocks consist of rows, which EXPLAIN ANALYZE can count. is_repeatable: whether its rows are
    still there once they were read, so that the pipeline may run over them again.
    """
    gives_rows, is_repeatable = True, False
    words, parallel, morsel_count, facts, scan = "", True, None, (), None

    def rounds(self, run):
        """Yield each time when the pipeline shall run with this source: what does not fit into memory at once comes in
        several rounds, before each of which the source is opened."""
        yield

    def see(self, run):
        """Note what data there are now, although other pipelines will run before."""

    def progress(self):
        """The share of the work that has been handed out, 0 to 1; 0 where nobody knows."""
        return 0.0

    def close(self):
        """The run has ended."""


class Sink:
    """Where a pipeline's rows end: `open(run)` takes memory, then `consume(k, blocks)` is staged. words, facts: see
    Source. spills: what its rows go to disk by (pages.Spill and the like), for EXPLAIN. texts_are_alike: whether pipelines
    that consist of a source and this have one text, but for facts, and reach no other owner. hand_on: None, or a function
    that takes rows before the end."""
    words, facts, spills, texts_are_alike, hand_on = "", (), (), False, None

    def close(self):
        """The run has ended."""


ROWS_UNKNOWN = 1 << 40          # so many that nobody wants to handle them in Python


class FansOut:
    """A step that may look at several rows for one that comes, and give several, says how many."""

    def rows_for_one(self):
        """At most how many; asked when the pipeline is about to run, and all before it have run."""
        return ROWS_UNKNOWN

    @staticmethod
    def must_stop(k):
        """Whether workers shall give no more rows for those that came. Not if only the source has given enough."""
        control = k.control
        return (k.stop_flags() & ~(control.STOP_SWAP | control.STOP_SOURCE)) != 0


class EndsEarly:
    """A step that may know that no more rows are wanted (`has_enough`). is_fanned_out: whether steps behind it make several
    rows of one, for which those that it has handed on are still wanted."""
    is_fanned_out, has_enough = False, False


@dataclass
class Pipeline:
    """A source, steps and a sink; `label` is for people. `scratch`: the arena to reset with every block, or None.
    `guard`: what decides when the run comes to it whether the pipeline is needed (operators.dictionary.MapPipeline), or
    None. `releases`: functions of the run that give back the memory of what nobody reads behind this pipeline.
    `followed_from`: the number of the first step that pipelines of later branches go through, too; None if there are none.
    """
    source: Any
    steps: list
    sink: Any
    label: str
    scratch: Any = None
    guard: Any = None
    in_order: bool = False
    timings: dict = field(default_factory=dict)
    staged: Any = None              # its text and programs (execute.run.Staged), once it has run
    variants: list = field(default_factory=list)        # the same for this and other facts
    cut: dict = field(default_factory=dict)                     # numbers of steps -> the pieces that end before them
    releases: list = field(default_factory=list)
    followed_from: int | None = None

    def pieces(self):
        """The pipelines that do the work of this one, in order: itself, unless a step's other input went to disk (`detour`).
        Then the pipeline is cut before that step: rows go to disk, too, and both come back by `detour.source`, when the last
        of the branches that lead there has run."""
        numbers = self.taken_detours()
        if not numbers:
            return [self]
        if numbers not in self.cut:
            source, first, pieces = self.source, 0, []
            for number in numbers:
                detour = self.steps[number].detour
                pieces.append(self.piece(source, self.steps[first:number], detour.sink))
                source, first = detour.source, number
                source.maps = getattr(self.source, "maps", {})
                if self.followed_from is not None and number >= self.followed_from:
                    break
            else:
                pieces.append(self.piece(source, self.steps[first:], self.sink))
            self.cut[numbers] = pieces
        return self.cut[numbers]

    def piece(self, source, steps, sink):
        """A pipeline of some of the steps."""
        return replace(self, source=source, steps=steps, sink=sink, guard=None, timings={}, staged=None, variants=[], cut={})

    def stage(self, k):
        """Emit the pipeline's one function; the text, if the kernel makes text."""
        blocks = self.with_scratch(k, self.source.blocks(k)) if self.scratch else self.source.blocks(k)
        for number, step in enumerate(self.steps):
            if isinstance(step, EndsEarly):
                step.is_fanned_out = any(isinstance(later, FansOut) for later in self.steps[number + 1:])
            blocks = step.blocks(k, blocks)
        self.sink.consume(k, blocks)
        return k.finish()

    def taken_detours(self):
        """The numbers of steps whose other input went to disk."""
        return tuple(number for number, step in enumerate(self.steps)
                     if (detour := getattr(step, "detour", None)) is not None and detour.is_taken)

    @property
    def has_enough(self):
        """Whether no more rows are wanted after what earlier branches have given, and none are to come back from disk."""
        return any(step.has_enough for step in self.steps if isinstance(step, EndsEarly)) and not self.taken_detours()

    @property
    def text_is_common(self):
        """Whether its text is that of all pipelines with ends of the same kinds, and the same facts."""
        return self.sink.texts_are_alike and not self.steps

    def rows_max(self):
        """At most how many rows its source and steps handle, once the source is open."""
        factors = (max(1, step.rows_for_one()) for step in self.steps if isinstance(step, FansOut))
        return self.source.row_count * math.prod(factors)

    def with_scratch(self, k, blocks):
        """The blocks, behind each of which scratch memory is empty again: a source may compute the next one before it is
        handed on."""
        self.scratch.reset(k)
        for block in blocks:
            yield block
            self.scratch.reset(k)

    @property
    def words(self):
        """Source, steps and sink for people: "Seq Scan on hits -> Filter (x > 1) -> Aggregate"."""
        return " -> ".join(part.words for part in (self.source, *self.steps, self.sink) if part.words)


@dataclass
class Stream:
    """Rows on their way: a source and the steps so far. `plain_columns` maps ids of the plan to ids of the source's own
    columns while nothing but renaming has happened, else it is None. `in_order`: whether one worker shall take the rows as
    the source has them. `releases`, `followed_from`: see Pipeline. `branches`: the Streams whose rows these are, one after
    the other, in place of a source (UNION ALL)."""
    source: Any
    steps: list
    needs_scratch: bool = False
    plain_columns: dict | None = None
    origins: dict = field(default_factory=dict)         # id in the plan -> name in the relation of the TableSource
    maps: dict = field(default_factory=dict)            # expression over a dictionary -> EntryMap
    in_order: bool = False
    releases: list = field(default_factory=list)
    followed_from: int | None = None
    branches: tuple = ()

    def heads(self):
        """The Streams from the sources of all branches through their steps and those of this one, in order."""
        if not self.branches:
            return [self]
        heads = [replace(head, steps=[*head.steps, *self.steps], needs_scratch=head.needs_scratch or self.needs_scratch,
                         in_order=head.in_order or self.in_order,
                         followed_from=len(head.steps) if head.followed_from is None else head.followed_from)
                 for branch in self.branches for head in branch.heads()]
        heads[-1] = replace(heads[-1], followed_from=None, releases=[*heads[-1].releases, *self.releases])
        return heads

    def evaluates(self, expressions):
        """Take note that steps or the sink will stage expressions."""
        self.needs_scratch |= any(needs_scratch(expression) for expression in expressions)


def needs_scratch(expression):
    """Whether staging an expression may ask for scratch memory."""
    called = expression.called
    if expression.allocates or called is not None and (called.python or not called.cheap):
        return True
    if isinstance(expression, AggregateCall):
        return True
    return any(needs_scratch(child) for child in expression.children)
