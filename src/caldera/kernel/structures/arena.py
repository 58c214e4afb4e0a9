"""Bytes that grow at one end, one arena for each worker.

As scratch it is reset with every block: strings under construction. As the home of texts that a structure owns it only
grows. Memory that was handed out never moves before `close`, so addresses stay good when the arena grows.
"""
from caldera.kernel.interface import FUNCTION, I64, Owner, Struct
from caldera.kernel.text import INLINE_BYTES, TEXT_SPARE, Text, copy_bytes

FIRST_WORDS = 1 << 10
LAST_WORDS = 1 << 15            # of chunks that stay, each of which is twice the one before
SCRATCH_WORDS = 1 << 40         # of chunks of scratch memory: the last one must hold all that a block needs
TURNS = 4                       # more than one row's long texts, mostly; fewer would only spoil what nobody reads


class Arena(Owner):
    """`allocate` hands out bytes; `own` copies a text into the arena. `when_full(worker)`, if set, hears of each further
    chunk. last_words: how large chunks become by themselves."""
    layout = Struct(start=I64, next=I64, limit=I64, grow=FUNCTION)
    when_full = None

    def __init__(self, last_words=LAST_WORDS):
        super().__init__()
        self.last_words = last_words
        self.turns = {}             # of a run that has failed: id of a worker's struct -> the chunks that take turns

    def open(self, run):
        """Give workers nothing yet: many an arena is never asked. `run`: what knows the workers, the control and the
        allocation."""
        self.run, self.instances, self.arrays, self.chunks, self.turns = run, [], [], [], {}
        for _ in range(run.workers):
            state = self.layout.make(limit=-TEXT_SPARE)
            self.instances.append(state)
            self.chunks.append([])
            state.grow = self.callback(run.control.guarded(lambda size, state=state: self.grow(state, size)))

    def chunk(self, state, words):
        array = self.run.allocation.take(words)
        self.arrays.append(array)
        self.chunks[self.instances.index(state)].append(array)
        self.use(state, array, words)

    @staticmethod
    def use(state, array, words):
        """Hand out the first words of an array from now on."""
        state.start = state.next = array.ctypes.data
        state.limit = array.ctypes.data + 8 * words - TEXT_SPARE

    def grow(self, state, size):
        """The first chunk, or one of twice the size; the old one stays, since texts lie in it. Once the run has failed (for
        want of memory, perhaps), nothing that is written until the block's end will be read: then a few chunks take turns.
        """
        needed = size + 2 * TEXT_SPARE
        if self.run.control.exception is None:
            is_first, twice = not state.start, 2 * (state.limit - state.start) // 8
            self.chunk(state, max(min(twice, self.last_words), -(-needed // 8), FIRST_WORDS if is_first else 0))
            if self.when_full is not None and not is_first:
                self.when_full(self.instances.index(state))
            return
        turns = self.turns.setdefault(id(state), [])
        oldest = turns.pop(0) if len(turns) == TURNS else None
        if oldest is not None and needed <= oldest.nbytes:
            self.use(state, oldest, len(oldest))
        else:
            self.chunk(state, -(-needed // 8))
            oldest = self.arrays[-1]
        turns.append(oldest)

    def close(self):
        self.instances, self.arrays, self.chunks = [], [], []

    def held_bytes(self, worker):
        """Bytes of a worker's chunks."""
        return sum(map(self.run.allocation.bytes_of, self.chunks[worker]))

    def start_over(self, worker):
        """Nobody needs what a worker's part was handed out: its first chunk stays."""
        if not self.chunks[worker]:
            return
        first, *others = self.chunks[worker]
        for array in others:
            self.arrays = [kept for kept in self.arrays if kept is not array]
            self.run.allocation.give_back(array)
        state, self.chunks[worker] = self.instances[worker], [first]
        self.turns.pop(id(state), None)
        self.use(state, first, FIRST_WORDS)

    def reset(self, k):
        """All that was handed out may be overwritten."""
        here = k.memory(self)
        here.next = here.start

    def allocate(self, k, size):
        """The address of `size` bytes (I64); TEXT_SPARE more may be touched."""
        here = k.memory(self)
        for _ in k.when(here.next + size > here.limit):
            k.call(here.grow, size)
        address = here.next
        here.next = address + ((size + 7) & -8)
        return address

    def allocate_in_python(self, worker, size):
        """The same for Python code that runs on behalf of a worker."""
        state = self.instances[worker % len(self.instances)]
        if state.next + size > state.limit:
            self.grow(state, size)
        address = state.next
        state.next += (size + 7) & -8
        return address

    def own(self, k, text):
        """The text, in bytes that live as long as this arena."""
        address = k.variable(I64, text.address)
        for _ in k.when(text.length > INLINE_BYTES):
            address.set(self.allocate(k, text.length))
            k.routine(copy_bytes, text.address, text.length, address.get())
        return Text(k, address.get(), text.length, "part")
