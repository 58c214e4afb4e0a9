"""The value of an expression without columns, by the Python kernel: constant folding, LIMIT, arguments of table
functions."""
import ctypes

from caldera.execute.run import Run
from caldera.execute.python_kernel import OpeningPythonKernel
from caldera.kernel.blocks import Block
from caldera.kernel.interface import I64
from caldera.operators.constants import datum_of_words
from caldera.operators.evaluate import Evaluator


def constant_value(session, expression, parameters=None):
    """The datum, or None for NULL. parameters: those of the statement, datums by number. Raises the SQL error that
    evaluating it raises."""
    evaluator, run, outcome = Evaluator(session), Run(session, None, session.budget), []
    evaluator.constants.values = parameters or {}
    try:
        k = OpeningPythonKernel(run)
        for row in Block(k, k.constant(I64, 1), {}).rows(()):
            sql = evaluator.eval(k, expression, row)
            valid = sql.valid if isinstance(sql.valid, bool) else k.use(sql.valid)
            if valid:
                layout = expression.type.layout
                words = (ctypes.c_int64 * (layout.words + 2))(*(k.use(word) for word in layout.to_words(k, sql.value)))
                outcome.append(datum_of_words(expression.type, layout, words, ctypes.addressof(words)))
            else:
                outcome.append(None)
        if run.control.exception is not None:
            raise run.control.exception
        if run.control.instances[0].faults:
            run.raise_fault(k.faults)
        return outcome[0]
    finally:
        run.close()
