"""The Python kernel inside a run. What is long about a few rows are their texts: a routine that goes over megabytes is
compiled, and called from here."""
import ctypes

from caldera.compile.decoders import ALL_VALID
from caldera.kernel.interface import BOOL, I64, Owner, Struct, Value
from caldera.kernel.llvm import LlvmKernel
from caldera.kernel.python import PythonKernel, wrap

ROUTINE_STEPS_MAX = 3000        # steps of loops that take about as long as compiling


class AllValid:
    """The bytes of validity that all columns without NULLs share."""

    @staticmethod
    def reachable():
        """See Owner.reachable."""
        yield ALL_VALID.ctypes.data, ALL_VALID.nbytes


class Frame(Owner):
    """Arguments and results of a routine that is called from Python, a word for each."""
    layout = Struct(**{f"word{number}": I64 for number in range(16)})

    def __init__(self):
        super().__init__()
        self.instances = [self.layout.make()]

    @staticmethod
    def words(k, memory, types):
        """The staged arguments."""
        words = [getattr(memory, f"word{number}") for number in range(len(types))]
        return [word != 0 if type == BOOL else k.convert(word, type) for word, type in zip(words, types)]


class OpeningPythonKernel(PythonKernel):
    """The Python kernel for one worker of a run: opens owners when they are first reached."""

    def __init__(self, run, **options):
        self.run, self.programs = run, {}
        self.routine_steps_max = ROUTINE_STEPS_MAX if run.tier != "python" and not options.get("checked") else None
        super().__init__(run.control, **options)
        run.control.kernel_faults = self.faults

    def known_owners(self):
        """All that the run has opened: owners point into each other's memory."""
        opened = [thing for thing in self.run.opened.values() if isinstance(thing, Owner)]
        return [self.control, *opened, AllValid]

    def memory(self, owner):
        if owner is not self.control:
            self.run.open(owner)
        return super().memory(owner)

    def run_long_routine(self, function, types, numbers):
        """Compile a program that calls just this routine."""
        key = function, tuple(types)
        if key not in self.programs:
            self.programs[key] = self.program_of_routine(function, types)
        program, owners, frame, result_types, single = self.programs[key]
        for number, value in enumerate(numbers):
            setattr(frame.instances[0], f"word{number}", value)
        for owner in owners:
            self.run.open(owner)
        addresses = [owner.address(self.worker) for owner in (self.control, *owners)]
        program(ctypes.addressof((ctypes.c_void_p * len(addresses))(*addresses)))
        words = [getattr(frame.instances[0], f"word{number}") for number in range(len(result_types))]
        return single, [(type, wrap(type, word)) for type, word in zip(result_types, words)]

    def program_of_routine(self, function, types):
        """(program, owners, frame, types of the results, whether there is one result)."""
        k, frame = LlvmKernel(self.control, block_rows=self.block_rows, equal_hashes=self.equal_hashes), Frame()
        here = k.memory(frame)
        results = k.routine(function, *frame.words(k, here, types))
        single = isinstance(results, Value)
        results = (results,) if single else results
        for number, result in enumerate(results):
            setattr(here, f"word{number}", k.convert(result, I64))
        return self.run.compiled(k.finish()), k.owners[1:], frame, [result.type for result in results], single
