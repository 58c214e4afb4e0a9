"""The Python kernel inside a run."""
from caldera.kernel.python import PythonKernel


class OpeningPythonKernel(PythonKernel):
    """The Python kernel for one worker of a run: opens owners when they are first reached."""

    def __init__(self, run, **options):
        self.run = run
        super().__init__(run.control, **options)
        run.control.kernel_faults = self.faults

    def memory(self, owner):
        if owner is not self.control:
            self.run.open(owner)
        return super().memory(owner)
