"""Running one query's pipelines: memory is opened, code is staged and compiled, workers enter it, faults come out as errors.

    for pipeline:  open source and sink ─▶ stage ─▶ program of some tier ─▶ workers ─▶ faults? ─▶ next
                                                        ▲ swapped for o3 between morsels when the helper process has it

Code that is ready in a cache is used; otherwise tiny inputs are executed by the Python kernel, others get the `fast` tier at
once, and large ones `o3` as soon as it is compiled. Workers enter machine code once for each pipeline and program, and claim
morsels inside it.
"""
import ctypes
import threading
import time

from caldera.base.errors import Error, error
from caldera.base.forks import in_child
from caldera.base.garbage import AT_REST
from caldera.base.settings import duration_ms, memory_bytes
from caldera.compile.decoders import Decoders
from caldera.compile.jit import Jit
from caldera.execute.python_kernel import OpeningPythonKernel
from caldera.kernel.decimal import RunWithBigNumbers
from caldera.kernel.interface import BLOCK_ROWS, Control
from caldera.kernel.llvm import LlvmKernel
from caldera.kernel.structures.memory import Allocation

PYTHON_ROWS_MAX = 4             # inputs up to which executing beats compiling
PYTHON_PAIRS_MAX = 32           # rows that joins may make of them
PYTHON_RUNS_MAX = 3             # runs of a kept pipeline after which compiling pays nevertheless
PYTHON_SLOW_S = 0.005           # a run that took longer shows that compiling pays at once
O3_ROWS_MIN = 200_000           # inputs from which waiting for o3 may pay
O3_RUNS_MIN = 8                 # runs after which a program for small inputs is worth it, too,
O3_SLOW_S = 0.01                # or after a run that took longer
INLINE_ROWS_MAX = 1 << 16       # inputs that the calling thread handles alone, though it cannot look up meanwhile,
INLINE_PAIRS_MAX = 1 << 22      # and rows that joins may make of them
VARIANTS_MAX = 4                # of a pipeline's text
ROW_ERRORS = {"21", "22", "23", "42"}               # classes of errors that come of rows' values
ROWS_TRIED_AGAIN_MAX = 100_000      # rows that are tried again after an error, to find the first that has one,
ROWS_TRIED_IN_PYTHON_MAX = 64       # and those for which compiling does not pay
WAIT_S = 0.02                   # between looks at timeouts, Ctrl-C and new code

JIT = Jit()
in_child(JIT.renew)
DECODERS = Decoders(JIT)
COMMON_TEXTS = {}               # by kind and facts of pipelines that share it: (text, its owners' places, its faults)


class Staged:
    """A pipeline's text, what it reaches, what can go wrong, and the programs made of it so far."""

    def __init__(self, text, owners, faults, facts, emit_s):
        self.text, self.owners, self.faults, self.facts, self.emit_s = text, owners, faults, facts, emit_s
        self.line_count, self.runs = text.count("\n"), 0
        self.best, self.better = None, None         # the Program to run, and the Event of one that is being compiled
        self.programs = {}                          # by tier, where the session asks for one

    def program(self, tier):
        """The Program of a tier that was asked for."""
        if tier not in self.programs:
            self.programs[tier] = JIT.program(self.text, tier)
        return self.programs[tier]

    def best_program(self):
        """The best Program there is; the first time, one that is compiled at once."""
        if self.best is None:
            self.best = JIT.program_if_ready(self.text, "o3") or JIT.program(self.text, "fast")
        elif self.better is not None and self.better.is_set():
            self.best, self.better = JIT.program_if_ready(self.text, "o3") or self.best, None
        return self.best

    def want_better(self, row_count):
        """Have o3 compiled in the background if that may pay: for a large input, or a program that runs again and again.
        Returns the Event that tells when it is there, or None."""
        self.runs += 1
        if row_count >= O3_ROWS_MIN or self.runs == O3_RUNS_MIN:
            self.compile_better()
        return self.better

    def compile_better(self):
        """Have o3 compiled in the background, unless it is there or being compiled."""
        if self.best.tier != "o3" and self.better is None:
            self.better = JIT.compile_in_background(self.text)


class Workers:
    """Threads that run functions, kept for the next query. They are daemons: machine code that is to stop is told so."""

    def __init__(self):
        self.idle, self.lock = [], threading.Lock()

    def start(self, function):
        """Run a function in some thread; returns an object whose `done` (Event) is set when it has ended."""
        with self.lock:
            worker = self.idle.pop() if self.idle else Worker(self)
        worker.begin(function)
        return worker


class Worker:
    """One thread that waits for work."""

    def __init__(self, pool):
        self.pool, self.wake, self.done, self.function = pool, threading.Semaphore(0), threading.Event(), None
        threading.Thread(target=self.loop, daemon=True, name="caldera-worker").start()

    def begin(self, function):
        self.done = threading.Event()
        self.function = function
        self.wake.release()

    def loop(self):
        while True:
            self.wake.acquire()
            done = self.done
            try:
                self.function()
            finally:
                self.function = None
                with self.pool.lock:
                    self.pool.idle.append(self)
                done.set()


WORKERS = Workers()
in_child(lambda: Workers.__init__(WORKERS))


class Run:
    """One execution of a query: what operators may ask of the engine while they open, and how pipelines are run.

    workers: how many may run. control: where they are stopped. allocation: memory that is given back at the end.
    snapshot: what scans see. parameters: what $1, ... are. common: {number of a common table: its columns}; working:
    {number of a recursion: the columns of the rows that came last}; both are shared with runs for parts of the query.
    cancelled: a threading.Event that stops the run with 57014; deadline: time.monotonic() at which it times out.
    """

    def __init__(self, session, snapshot, budget=None, cancelled=None, watch=None):
        self.session, self.snapshot = session, snapshot
        self.workers = int(session.setting("threads"))
        self.tier = session.setting("caldera.tier")
        self.block_rows = int(session.setting("caldera.block_rows")) or BLOCK_ROWS
        self.morsel_rows = max(int(session.setting("caldera.morsel_rows")) or 1 << 16, self.block_rows)
        self.equal_hashes = session.setting("caldera.equal_hashes") == "on"
        self.disabled = {name.strip() for name in session.setting("disabled_rules").split(",")}
        self.checked = session.setting("caldera.checked") == "on"
        self.keeps_maps = session.setting("caldera.keep_maps") == "on"
        self.control = Control()
        self.allocation = Allocation(budget, self.control.fail, memory_bytes(session.setting("work_mem")),
                                     session.setting("caldera.forced_spill") == "on", self.words_of_pipeline)
        self.cancelled, self.watch, self.opened, self.pipeline = cancelled or threading.Event(), watch, {}, None
        self.files = []
        self.parameters, self.common, self.working, self.root = (), {}, {}, self
        self.open(RunWithBigNumbers())
        timeout_ms = duration_ms(session.setting("statement_timeout"))
        self.deadline = time.monotonic() + timeout_ms / 1e3 if timeout_ms else None

    def inner(self):
        """A run for a part of the query, which shares what is computed once."""
        run = Run(self.session, self.snapshot, self.allocation.budget, self.cancelled, self.watch)
        run.parameters, run.common, run.working, run.deadline = self.parameters, self.common, self.working, self.deadline
        run.root = self.root
        return run

    # what operators ask for
    def decoder(self, encoding):
        """The address of an encoding's decoder."""
        return DECODERS.address(encoding)

    @property
    def all_valid(self):
        """(struct, decoder) of validity without a NULL."""
        return DECODERS.all_valid()

    def open(self, thing, memory=None):
        """Open an owner, source or sink, unless it is open. memory: what it shall take for the run, if its memory is to
        outlive this one."""
        if id(thing) not in self.opened:
            self.opened[id(thing)] = thing
            thing.open(memory or self)

    def shut(self, thing):
        """Close an owner, source or sink if it is open, so that it can be opened again."""
        if self.opened.pop(id(thing), None) is not None:
            thing.close()

    def give_up(self, *stores):
        """Have stores that are open give back their memory, which nobody will read or fill in this run."""
        for store in stores:
            if id(store) in self.opened:
                store.give_up()

    def words_of_pipeline(self):
        """What runs now, as EXPLAIN (PIPELINES) says it; None before anything does."""
        return None if self.pipeline is None else self.pipeline.words

    def temporary_file(self):
        """A new file for rows that memory has no room for; it goes when the run ends."""
        file = self.session.database.temporary.file(self.session.temporary_quota)
        self.files.append(file)
        return file

    def close(self):
        """Close what was opened, last first, and give all memory back."""
        for thing in reversed(list(self.opened.values())):
            thing.close()
        for file in self.files:
            file.close()
        self.opened, self.files = {}, []
        self.allocation.close()

    # pipelines
    def run(self, pipeline):
        """Run a pipeline to its end. Raises the SQL error of a fault, 57014 if cancelled, what Python callbacks raised."""
        if not pipeline.has_enough:
            self.run_guarded(pipeline)
        for release in pipeline.releases:
            release(self)

    def run_guarded(self, pipeline):
        """Run a pipeline if its guard wants it."""
        if pipeline.guard is None:
            self.run_unguarded(pipeline)
        elif pipeline.guard.wanted(self):
            failure = None
            try:
                self.run_unguarded(pipeline)
            except Error as exception:
                failure = exception
            if not pipeline.guard.ended(failure):
                raise failure
            self.control.instances[0].faults, self.control.exception = 0, None

    def run_unguarded(self, pipeline):
        """Run the pieces of a pipeline, each as often as its source has rounds."""
        pieces = pipeline.pieces()
        for piece in pieces:
            piece.timings = {"python_runs": piece.timings.get("python_runs", 0)}
            for _ in piece.source.rounds(self):
                self.run_once(piece)
            self.pipeline = piece
            self.open(piece.sink)               # what it holds is read, even if there was no round
        if len(pieces) > 1:
            seconds = {name: sum(piece.timings.get(name, 0) for piece in pieces) for name in ("open_s", "total_s")}
            pipeline.timings = pieces[-1].timings | seconds

    def run_once(self, pipeline):
        """Run a pipeline over what its source has now. Raises the error of the first row that has one."""
        try:
            self.run_over(pipeline)
        except Error as failure:
            first = self.failure_of_first_row(pipeline, failure)
            if first is failure:
                raise
            raise first from None

    def failure_of_first_row(self, pipeline, failure):
        """The Error of the first row that has one; the failure itself where that is known, or the rows are too many. Of the
        rows of a block, and of several workers, it is open whose error comes out: so they are tried again one by one, and
        nothing else has to come of that."""
        is_first = self.block_rows == 1 and self.workers == 1
        if is_first or failure.sqlstate[:2] not in ROW_ERRORS or not pipeline.source.is_repeatable or \
                not 1 < pipeline.source.row_count <= ROWS_TRIED_AGAIN_MAX:
            return failure
        sink, hand_on, before = pipeline.sink, pipeline.sink.hand_on, (self.block_rows, self.workers, self.tier)
        tier = "python" if pipeline.source.row_count <= ROWS_TRIED_IN_PYTHON_MAX else "fast"
        self.block_rows, self.workers, self.tier = 1, 1, tier
        if hand_on is not None:
            sink.hand_on = lambda columns, row_count: None          # who takes rows has had these
        self.control.instances[0].faults, self.control.exception = 0, None
        self.shut(pipeline.source)
        self.shut(sink)
        try:
            self.run_over(pipeline)
        except Error as first:
            return first if first.sqlstate[:2] in ROW_ERRORS else failure
        finally:
            (self.block_rows, self.workers, self.tier), sink.hand_on = before, hand_on
        return failure

    def run_over(self, pipeline):
        """Run a pipeline over what its source has now, in blocks. Raises the error of some row that has one."""
        self.pipeline, timings = pipeline, pipeline.timings
        self.control.instances[0].stop = 0
        started = time.perf_counter()
        self.open(pipeline.source)
        self.open(pipeline.sink)
        timings["open_s"] = timings.get("open_s", 0) + time.perf_counter() - started
        timings["rows"] = timings.get("rows", 0) + pipeline.source.row_count
        if self.wants_python(pipeline):
            self.run_in_python(pipeline)
        else:
            self.run_compiled(pipeline)
        timings["total_s"] = timings.get("total_s", 0) + time.perf_counter() - started
        self.check()

    def wants_python(self, pipeline):
        if self.tier != "auto":
            return self.tier == "python"
        staged = pipeline.staged
        return (pipeline.source.row_count <= PYTHON_ROWS_MAX and pipeline.rows_max() <= PYTHON_PAIRS_MAX
                and (staged is None or staged.best is None)
                and pipeline.timings.get("python_runs", 0) < PYTHON_RUNS_MAX)

    def active_workers(self, pipeline):
        """How many workers there is work for. A block's rows are one worker's, whatever the source has to give."""
        source = pipeline.source
        if pipeline.in_order or not source.parallel or source.row_count <= self.block_rows:
            return 1
        return max(1, self.workers if source.morsel_count is None else min(self.workers, source.morsel_count))

    def options(self):
        return dict(block_rows=self.block_rows, equal_hashes=self.equal_hashes)

    @staticmethod
    def compiled(text):
        """The program of a text, for those who want some code at once."""
        return JIT.program(text, "fast")

    def run_in_python(self, pipeline):
        """Every worker's share, one after the other, by the kernel that executes."""
        pipeline.timings["tier"] = "python"
        started = time.perf_counter()
        for worker in range(self.active_workers(pipeline)):
            with AT_REST:
                pipeline.stage(OpeningPythonKernel(self, worker=worker, checked=self.checked, **self.options()))
            if self.control.instances[0].faults:
                self.raise_fault(self.control.kernel_faults)
        was_slow = time.perf_counter() - started > PYTHON_SLOW_S
        timings = pipeline.timings
        timings["python_runs"] = timings.get("python_runs", 0) + (PYTHON_RUNS_MAX if was_slow else 1)

    def staged(self, pipeline):
        """The pipeline's text for the facts of now."""
        steps = tuple(step.facts for step in pipeline.steps if hasattr(step, "facts"))
        facts = (pipeline.source.facts, steps, pipeline.sink.facts, self.active_workers(pipeline) == 1, self.block_rows)
        staged = pipeline.staged
        if staged is None or staged.facts != facts:
            known = (other for other in pipeline.variants if other.facts == facts)
            pipeline.staged = staged = next(known, None) or self.stage(pipeline, facts)
        return staged

    def stage(self, pipeline, facts):
        """Make a pipeline's text for some facts. Rounds over rows from disk go to and fro between few variants."""
        started = time.perf_counter()
        written = self.written_for_all(pipeline, facts) if pipeline.text_is_common else self.written(pipeline)
        staged = Staged(*written, facts, time.perf_counter() - started)
        pipeline.variants = [*pipeline.variants[-VARIANTS_MAX + 1:], staged]
        pipeline.timings["emit_s"] = staged.emit_s
        return staged

    def written(self, pipeline):
        """The pipeline's text, the owners that it reaches beside the run's control, and what can go wrong."""
        kernel = LlvmKernel(self.control, **self.options())
        text = pipeline.stage(kernel)
        return text, kernel.owners[1:], kernel.faults

    def written_for_all(self, pipeline, facts):
        """The same for a pipeline of which all have one text: it reaches nothing but its source and its sink."""
        ends = pipeline.source, pipeline.sink
        key = (*map(type, ends), facts, *self.options().values())
        if key not in COMMON_TEXTS:
            text, owners, faults = self.written(pipeline)
            COMMON_TEXTS[key] = text, [ends.index(owner) for owner in owners], faults
        text, places, faults = COMMON_TEXTS[key]
        return text, [ends[place] for place in places], faults

    def run_compiled(self, pipeline):
        """Machine code: the best that is ready, then better code if it arrives in time."""
        with AT_REST:
            staged = self.staged(pipeline)
            for owner in staged.owners:
                self.open(owner)
            started = time.perf_counter()
            program = staged.best_program() if self.tier == "auto" else staged.program(self.tier)
        pipeline.timings |= {"compile_s": time.perf_counter() - started, "tier": program.tier}
        better = staged.want_better(pipeline.source.row_count) if self.tier == "auto" else None
        count = self.active_workers(pipeline)
        states = self.states(staged, count)
        while True:
            self.enter(program, states, better)
            if self.control.instances[0].stop & ~Control.STOP_SWAP or not self.control.instances[0].stop:
                break
            self.control.instances[0].stop = 0
            program, better = staged.best_program(), None
            pipeline.timings["tier"] = "fast, then o3"
        if self.tier == "auto" and time.perf_counter() - started > O3_SLOW_S:
            staged.compile_better()                 # for the next time
        if self.control.instances[0].faults:
            self.raise_fault(staged.faults)

    def states(self, staged, count):
        """A state block for each worker: pointers to the structs of all owners."""
        owners = [self.control, *staged.owners]
        return [(ctypes.c_void_p * len(owners))(*(owner.address(worker) for owner in owners)) for worker in range(count)]

    def enter(self, program, states, better):
        """Let the workers run. A small input is run by this thread alone, without the cost of waking another."""
        addresses = [ctypes.addressof(state) for state in states]
        is_small = self.pipeline.source.row_count <= INLINE_ROWS_MAX and self.pipeline.rows_max() <= INLINE_PAIRS_MAX
        if len(addresses) == 1 and is_small:
            program(addresses[0])
            return
        working = [WORKERS.start(lambda address=address: program(address)) for address in addresses]
        started = time.monotonic()
        try:
            for worker in working:
                while not worker.done.wait(WAIT_S):
                    self.look_up(better, started)
                    if better is not None and better.is_set():
                        better = None
        except BaseException:
            self.control.instances[0].stop |= Control.STOP_CANCEL
            for worker in working:
                worker.done.wait()
            raise

    def look_up(self, better, started):
        """From time to time while workers run: cancel, timeout, progress, better code."""
        control = self.control.instances[0]
        if self.cancelled.is_set():
            control.stop |= Control.STOP_CANCEL
        if self.deadline is not None and time.monotonic() > self.deadline:
            control.stop |= Control.STOP_CANCEL
        if better is not None and better.is_set() and JIT.program_if_ready(self.pipeline.staged.text, "o3"):
            control.stop |= Control.STOP_SWAP
        if self.watch is not None:
            self.watch(self.pipeline.label, self.pipeline.source.progress(), time.monotonic() - started)

    def check(self):
        """Raise what stopped the run, if anything did."""
        if self.control.exception is not None:
            raise self.control.exception
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise error("57014", "canceling statement due to statement timeout")
        if self.cancelled.is_set() or self.control.instances[0].stop & Control.STOP_CANCEL:
            raise error("57014", "canceling statement due to user request")

    def raise_fault(self, faults):
        """The error for the first fault that was reported."""
        if self.control.exception is not None:
            raise self.control.exception
        state = self.control.instances[0]
        number = next(bit for bit in range(64) if state.faults >> bit & 1)
        fault = faults[state.late if number == Control.BIT_OF_LATE else number]
        if fault.raised is not None:
            raise fault.raised()
        message = fault.message
        if "{}" in message:
            culprit = ctypes.string_at(state.culprit, state.culprit_length) if state.culprit else b""
            message = message.replace("{}", culprit.decode("utf-8", "replace"))
        raise error(fault.sqlstate, message, detail=fault.detail)
