"""Every line of generated code can name the line of the generator that asked for it."""
import inspect
import re

import caldera
from caldera.compile.jit import Jit
from caldera.execute.run import Run
from caldera.execute.split_plan import split
from caldera.kernel.interface import I64, Control
from caldera.kernel.llvm import LlvmKernel
from caldera.kernel.nullable import checked
from tests.kernel.staged import Arrays

ORIGIN = re.compile(r"; (\S+):(\d+) (\w+)$")


def staged(k, here):
    total = k.variable(I64, 0)
    for i in k.range(0, here.n):
        total.set(total.get() + i * 3)
        for _ in k.when(i > 5):
            here.n = checked(k, "add", total.get(), i)[0]


def module(origins):
    arrays = Arrays({}, {"n": 4})
    k = LlvmKernel(Control(), origins=origins)
    staged(k, k.memory(arrays))
    return k.finish()


def test_each_line_names_the_generator_that_asked_for_it():
    source, first = inspect.getsourcelines(staged)
    lines = [line for line in module(origins=True).splitlines() if line.startswith("  ") and ";" in line]
    found = [ORIGIN.search(line) for line in lines]
    assert all(found) and {match[3] for match in found} == {"staged"}
    assert {match[1] for match in found} == {__file__}
    numbers = {int(match[2]) - first for match in found}
    assert numbers <= set(range(len(source)))
    product = next(match for line, match in zip(lines, found) if " mul " in line)
    assert "i * 3" in source[int(product[2]) - first]


def test_origins_are_comments_only():
    plain, told = module(origins=False), module(origins=True)
    assert "; " not in plain
    assert [ORIGIN.sub("", line).rstrip() for line in told.splitlines()] == [line.rstrip() for line in plain.splitlines()]
    assert Jit().program(told, "fast") is not None


def test_operators_of_a_query_are_named_by_their_files():
    with caldera.connect() as connection:
        connection.sql("CREATE TABLE t (a int)")
        connection.sql("INSERT INTO t VALUES (1), (2)")
        texts = pipelines_of(connection, "SELECT a % 3, sum(a) FROM t WHERE a > 1 GROUP BY 1")
    named = set(re.findall(r"; ([\w/]+\.py):\d+", "\n".join(texts)))
    assert {"operators/scan.py", "operators/filter.py", "kernel/blocks.py", "functions/aggregate/sums.py"} <= named


def pipelines_of(connection, sql):
    """The texts of a query's pipelines, with origins."""
    from caldera.bind import bind
    from caldera.optimize import optimize
    from caldera.sql.parse import parse
    session, texts = connection.session, []
    with session.statement() as scope:
        plan = optimize(bind(parse(sql)[0], session, session.view, ()), session)
        run = Run(session, scope.snapshot)
        try:
            for pipeline in split(session, plan.input, run).pipelines:
                run.run(pipeline)
                if pipeline.guard is None or pipeline.guard.wanted(run):
                    texts.append(pipeline.stage(LlvmKernel(run.control, origins=True)))
        finally:
            run.close()
    return texts
