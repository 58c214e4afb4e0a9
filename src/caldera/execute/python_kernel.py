"""The Python kernel inside a run."""
from caldera.compile.decoders import ALL_VALID
from caldera.kernel.python import PythonKernel


class AllValid:
    """The bytes of validity that all columns without NULLs share."""

    @staticmethod
    def reachable():
        """See Owner.reachable."""
        yield ALL_VALID.ctypes.data, ALL_VALID.nbytes


class OpeningPythonKernel(PythonKernel):
    """The Python kernel for one worker of a run: opens owners when they are first reached."""

    def __init__(self, run, **options):
        self.run = run
        super().__init__(run.control, **options)
        run.control.kernel_faults = self.faults

    def known_owners(self):
        """All that the run has opened: owners point into each other's memory."""
        opened = [thing for thing in self.run.opened.values() if hasattr(thing, "reachable")]
        return [self.control, *opened, AllValid]

    def memory(self, owner):
        if owner is not self.control:
            self.run.open(owner)
        return super().memory(owner)
