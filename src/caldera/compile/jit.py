"""From IR text to machine code. Only this file imports llvmlite.

    text ──compile(tier)──▶ object bytes ──link──▶ Program ──call──▶
               │  ▲
               ▼  │ keyed by text, tier, CPU name and features, LLVM version
        memory and disk (the user's cache directory)

Three tiers: `fast` (code generation level 0, of the text as it is), `plain` (two cheap passes, level 1: real register
allocation) and `o3` (all passes, vectorised). What is cached is object bytes: linking them takes a fraction of a
millisecond. One lock in LLVM serialises its calls within a process, so `o3` in the background is done by a second process,
this file run as a program, which reads texts and answers with object bytes; it is a fresh interpreter, never a fork.
"""
import atexit
import ctypes
import hashlib
import itertools
import os
import pathlib
import queue
import re
import struct
import subprocess
import sys
import threading
import time
import zlib
from functools import cached_property, lru_cache

from caldera.base.lazy import LazyModule
from caldera.compile.routines import take_apart
from caldera.kernel.llvm import NOTES

llvm = LazyModule("llvmlite.binding")

LEVELS = {"fast": 0, "plain": 1, "o3": 3}
ROUTINE_TIER = "plain"          # of routines that programs share
PREFETCH = re.compile(r"\n  call void @llvm\.prefetch\..*")
RUN = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
CACHE_BYTES_MAX = 256 << 20
DIGESTS_MAX = 16                # texts whose digests are kept
KEPT_PROGRAMS_MAX = 4096        # programs that stay linked, and object bytes that stay in memory
EXIT_WAIT_S = 2.0               # how long the process waits at its end until code is on disk
WRITE_DELAY_S = 0.05            # how long code waits for being written, as the query that wanted it has better things to do
PRUNING_KEYS = "00"             # how keys begin that bring about a look at the size of the cache on disk: one in 256 does


def host():
    """The CPU that code is made for, as a string that distinguishes machines."""
    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()} {llvm.llvm_version_info}"


def target_machine(level, triple=None, cpu=None, features=None):
    """A code generator for this machine or, with a triple, for another."""
    if triple:
        return llvm.Target.from_triple(triple).create_target_machine(cpu=cpu or "", features=features or "", opt=level)
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple().create_target_machine(cpu, features, level, reloc="pic", codemodel="small")


def parsed(text, tier):
    """The module of a text. `fast` takes no advice: metadata is half of what there is to read, and each prefetch costs as
    much as twenty other instructions."""
    if tier == "fast":
        text = PREFETCH.sub("", NOTES.sub("", text.partition("\n!")[0])) + "\n"
    module = llvm.parse_assembly(text)
    module.verify()
    return module


def optimize(module, machine, tier):
    """Run a tier's passes over a parsed module: none in the first, whose variables stay in memory anyway."""
    if tier == "fast":
        return
    options = llvm.create_pipeline_tuning_options(max(1, LEVELS[tier]))
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = tier == "o3"
    builder = llvm.create_pass_builder(machine, options)
    if tier == "o3":
        builder.getModulePassManager().run(module, builder)
        return
    passes = llvm.create_new_function_pass_manager()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)


@lru_cache(DIGESTS_MAX)
def digest(cpu, text):
    """What stands for a text in the names of what is made of it for a CPU; the tiers of one text are asked for in a row."""
    return hashlib.sha256(f"{cpu} {text}".encode()).hexdigest()


class Compiler:
    """IR text to object bytes, in this process."""

    def __init__(self):
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        self.machines, self.lock = {}, threading.Lock()

    def machine(self, tier):
        if tier not in self.machines:
            self.machines[tier] = target_machine(LEVELS[tier])
        return self.machines[tier]

    def optimized(self, text, tier):
        module = parsed(text, tier)
        optimize(module, self.machine(tier), tier)
        return module

    def object_bytes(self, text, tier):
        """Compile. Raises RuntimeError with LLVM's message if the text is not valid IR."""
        with self.lock:
            return self.machine(tier).emit_object(self.optimized(text, tier))

    def assembly(self, text, tier):
        """What the machine will run, for EXPLAIN (ASM)."""
        with self.lock:
            return self.machine(tier).emit_assembly(self.optimized(text, tier))


def cross_compile(text, triple, tier="fast"):
    """Object bytes for another kind of machine ("aarch64-linux-gnu"): a check that programs are portable."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = target_machine(LEVELS[tier], triple)
    module = parsed(text, tier)
    module.triple = triple
    optimize(module, machine, tier)
    return machine.emit_object(module)


class Program:
    """Machine code that is ready to be called: `program(address of the state block)`. `address` is its own address;
    `routines`: the Programs that it calls."""

    def __init__(self, tracker, tier, routines):
        self.tracker, self.tier, self.routines = tracker, tier, routines
        self.address = tracker["run"]
        self.run = RUN(self.address)

    def __call__(self, state):
        return self.run(state)


class DiskCache:
    """Object bytes in the user's cache directory; a file is its checksum followed by the bytes. It is never kept inside a
    database: who opens a downloaded database must not run its code."""

    def __init__(self, folder=None):
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        self.folder = pathlib.Path(folder or os.environ.get("CALDERA_CODE_CACHE") or os.path.join(base, "caldera", "code"))

    def get(self, key):
        try:
            with open(f"{self.folder}/{key}", "rb", buffering=0) as file:
                data = file.readall()
        except OSError:
            return None
        if len(data) < 4 or struct.unpack("<I", data[:4])[0] != zlib.crc32(data[4:]):
            return None
        return data[4:]

    def put(self, key, object_bytes):
        """Best effort: a cache that cannot be written is only slow."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            temporary = self.folder / f".{key}.{os.getpid()}.{threading.get_ident()}"
            temporary.write_bytes(struct.pack("<I", zlib.crc32(object_bytes)) + object_bytes)
            temporary.replace(self.folder / key)
        except OSError:
            return

    def prune(self, bytes_max=CACHE_BYTES_MAX):
        """Drop the oldest files beyond a total size."""
        try:
            files = sorted((entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in os.scandir(self.folder))
            total = sum(size for _, size, _ in files)
            for _, size, path in files:
                if total <= bytes_max:
                    return
                os.unlink(path)
                total -= size
        except OSError:
            return


class CacheWriter:
    """A thread that writes to disk caches, a little later: queries wait for code long enough."""

    def __init__(self):
        self.waiting, self.hurry, self.process = queue.Queue(), threading.Event(), os.getpid()
        threading.Thread(target=self.loop, daemon=True, name="caldera-code-cache").start()
        atexit.register(self.flush, EXIT_WAIT_S)

    def put(self, cache, key, object_bytes):
        """Have object bytes written."""
        self.waiting.put((cache, key, object_bytes))

    def loop(self):
        """Write what comes; now and then, and seldom in a process that compiles little, tidy up."""
        while True:
            cache, key, object_bytes = self.waiting.get()
            if self.waiting.empty():
                self.hurry.wait(WRITE_DELAY_S)
            cache.put(key, object_bytes)
            if key.startswith(PRUNING_KEYS):
                cache.prune()
            self.waiting.task_done()

    def flush(self, seconds=60.0):
        """Wait until all is written, but no longer than that. After a fork it is the parent that writes."""
        deadline = time.monotonic() + seconds
        if os.getpid() != self.process:
            return
        self.hurry.set()
        with self.waiting.all_tasks_done:
            while self.waiting.unfinished_tasks and (left := deadline - time.monotonic()) > 0:
                self.waiting.all_tasks_done.wait(left)
        self.hurry.clear()


class Jit:
    """Programs by text and tier. One instance serves the process; all methods may be called from several threads."""

    def __init__(self, disk=None):
        self.disk, self.lock = disk if disk is not None else DiskCache(), threading.RLock()
        self.objects, self.programs, self.library_names = {}, {}, itertools.count()
        self.pending, self.compiled = {}, 0
        self.cpu = None

    def renew(self):
        """In a child process after a fork: the helper and whoever held a lock stayed with the parent."""
        self.lock, self.pending = threading.RLock(), {}
        if "compiler" in self.__dict__:
            self.compiler.lock = threading.Lock()
        self.__dict__.pop("writer", None)
        if "background" in self.__dict__:
            self.__dict__.pop("background").leave()

    @cached_property
    def compiler(self):
        return Compiler()

    @cached_property
    def linker(self):
        with self.compiler.lock:
            return llvm.create_lljit_compiler(target_machine(0), use_jit_link=True)

    @cached_property
    def background(self):
        return BackgroundCompiler()

    @cached_property
    def writer(self):
        return CacheWriter()

    def key(self, text, tier):
        if self.cpu is None:
            self.cpu = host()
        return f"{digest(self.cpu, text)}.{tier}"

    def cached_object(self, key):
        """Object bytes from memory or disk, or None."""
        found = self.objects.get(key)
        if found is None and (found := self.disk.get(key)) is not None:
            self.objects[key] = found
        return found

    def program(self, text, tier):
        """The program, compiled now unless some cache has it; in the fast tier, linked to routines that others share."""
        key = self.key(text, tier)
        if key in self.programs:
            return self.programs[key]
        if tier != "fast":
            return self.ready(key, text, tier, {})
        text, routines = take_apart(text)
        return self.ready(key, text, tier, self.routines_of(routines))

    def routines_of(self, routines):
        """{name: Program} of Routines, callees first."""
        found = {}
        for routine in routines:
            called = {name: found[name] for name in routine.calls}
            found[routine.name] = self.ready(self.key(routine.text, ROUTINE_TIER), routine.text, ROUTINE_TIER, called)
        return found

    def ready(self, key, text, tier, routines):
        """The program of a text that calls other programs by some names."""
        if key not in self.programs:
            found = self.cached_object(key)
            if found is None:
                found = self.compiler.object_bytes(text, tier)
                self.compiled += 1
                self.keep(key, found)
            return self.link(key, found, tier, routines)
        return self.programs[key]

    def program_if_ready(self, text, tier):
        """The program of a tier other than fast if a cache has it, else None."""
        key = self.key(text, tier)
        if key not in self.programs:
            found = self.cached_object(key)
            if found is None:
                return None
            return self.link(key, found, tier, {})
        return self.programs[key]

    def keep(self, key, object_bytes):
        """Put object bytes into both caches; the one on disk is another thread's affair."""
        self.objects[key] = object_bytes
        self.writer.put(self.disk, key, object_bytes)

    def link(self, key, object_bytes, tier, routines):
        """Object bytes to a Program that calls others by their names. The library's name must be new: LLJIT does not accept
        one twice."""
        linker = self.linker
        with self.lock, self.compiler.lock:
            if key in self.programs:
                return self.programs[key]
            library = llvm.JITLibraryBuilder().add_object_img(object_bytes).add_current_process().export_symbol("run")
            for name, routine in routines.items():
                library.import_symbol(name, routine.address)
            tracker = library.link(linker, f"program{next(self.library_names)}")
            program = self.programs[key] = Program(tracker, tier, list(routines.values()))
            for cache in (self.programs, self.objects):         # who runs an old program still holds it
                while len(cache) > KEPT_PROGRAMS_MAX:
                    cache.pop(next(iter(cache)))
            return program

    def compile_in_background(self, text, tier="o3"):
        """Have the helper process compile; returns an Event that is set when `program_if_ready` will find it (or never)."""
        key = self.key(text, tier)
        with self.lock:
            if key in self.pending:
                return self.pending[key]
            ready = self.pending[key] = threading.Event()
        if self.cached_object(key) is not None:
            ready.set()
        else:
            self.background.submit(text, tier, lambda found: (self.keep(key, found) if found else None, ready.set()))
        return ready


class BackgroundCompiler:
    """The helper process and the threads that write its requests and read its answers. If the process dies, requests are
    answered with None and callers go on with the code they have."""

    def __init__(self):
        self.lock, self.waiting, self.numbers, self.process = threading.Lock(), {}, itertools.count(), None
        self.requests = queue.SimpleQueue()
        threading.Thread(target=self.write_requests, daemon=True, name="caldera-requests").start()

    def start(self):
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
        self.process = subprocess.Popen([sys.executable, "-m", "caldera.compile.jit"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
                                        start_new_session=True)
        self.waiting = {}                           # of this process: what its predecessor owes is its reader's affair
        threading.Thread(target=self.read_answers, args=(self.process, self.waiting), daemon=True,
                         name="caldera-compiler").start()

    def leave(self):
        """Close this process's ends of the pipes to the helper, which is another process's."""
        if self.process is not None:
            for pipe in (self.process.stdin, self.process.stdout):
                os.close(pipe.fileno())
            self.process.returncode = 0             # nobody here shall wait for it

    def submit(self, text, tier, done):
        """`done(object bytes or None)` is called later, from another thread. Who asks does not wait: the process reads a
        request when it is done with those before, and a pipe holds less than many a text."""
        self.requests.put((text, tier, done))

    def write_requests(self):
        """A thread: send what is asked for."""
        while True:
            self.send(*self.requests.get())

    def send(self, text, tier, done):
        """Write one request."""
        payload = text.encode()
        with self.lock:
            number = next(self.numbers)
            try:
                if self.process is None or self.process.poll() is not None:
                    self.start()
                self.waiting[number] = done
                self.process.stdin.write(struct.pack("<q5sq", number, tier.encode().ljust(5), len(payload)) + payload)
                self.process.stdin.flush()
                return
            except OSError:
                self.waiting.pop(number, None)
        done(None)

    def read_answers(self, process, waiting):
        while header := process.stdout.read(16):
            if len(header) < 16:
                break
            number, size = struct.unpack("<qq", header)
            answer = process.stdout.read(size) if size else None
            waiting.pop(number)(answer)
        with self.lock:
            if self.process is process:
                self.process = None
            orphans = dict(waiting)
            waiting.clear()
        for done in orphans.values():
            done(None)


def serve(requests, answers):
    """The helper process: compile what is asked, in order, until the other side closes."""
    os.nice(5)
    compiler = Compiler()
    while header := requests.read(21):
        number, tier, size = struct.unpack("<q5sq", header)
        text = requests.read(size).decode()
        try:
            found = compiler.object_bytes(text, tier.decode().strip())
        except RuntimeError:
            found = b""
        answers.write(struct.pack("<qq", number, len(found)) + found)
        answers.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
