"""LIMIT and OFFSET without an order of their own: rows are counted over all workers, and the run stops when there are
enough."""
from caldera.base.errors import error
from caldera.kernel.interface import I32, I64, Owner, Struct
from caldera.operators.pipeline import EndsEarly
from caldera.operators.project import Project
from caldera.plan import nodes
from caldera.plan.expressions import Constant
from caldera.plan.operator import Operator, runs
from caldera.plan.predicates import is_known

ROWS_MAX = 1 << 62              # larger than any table; sums with it do not overflow


@runs(nodes.Limit)
class LimitOperator(Operator):
    """Counts rows; both numbers are evaluated when the run starts."""

    def describe(self, node):
        bounds = (("Limit", node.limit), ("Offset", node.offset))
        return "Limit", "Limit", {label: str(bound.value if isinstance(bound, Constant) else bound)
                                  for label, bound in bounds if bound is not None}

    def estimate(self, estimates, node):
        rows, startup, total = estimates.of(node.input)
        wanted = node.limit.value if is_known(node.limit) else rows / 10 if node.limit is not None else rows
        skipped = node.offset.value if is_known(node.offset) else 0
        kept = min(wanted, max(0, rows - skipped))
        share = min(1.0, (kept + skipped) / rows) if rows else 1
        return kept, startup, startup + (total - startup) * share

    def build(self, builder, node):
        stream = builder.build(node.input)
        stream.plain_columns = None

        def bounds():
            return row_number(builder, node.limit, "LIMIT"), row_number(builder, node.offset, "OFFSET") or 0
        if all(isinstance(step, Project) for head in stream.heads() for step in head.steps):
            stream.in_order = True              # people who ask for a few rows expect the first ones
        stream.steps.append(Limit(bounds))
        return stream


def row_number(builder, expression, clause):
    """The datum of LIMIT or OFFSET; None if there is none. Raises 2201W or 2201X for negative ones."""
    number = None if expression is None else builder.constant(expression)
    if number is not None and number < 0:
        raise error("2201W" if clause == "LIMIT" else "2201X", f"{clause} must not be negative")
    return number


class Limit(Owner, EndsEarly):
    """Hands on rows number offset to offset + limit. `bounds()` gives (limit or None, offset) when the run starts."""
    words = "Limit"
    layout = Struct(seen=I64, first=I64, stop=I64)

    def __init__(self, bounds):
        super().__init__()
        self.bounds = bounds

    def open(self, run):
        limit, offset = self.bounds()
        stop = ROWS_MAX if limit is None else min(offset + limit, ROWS_MAX)
        self.instances = [self.layout.make(seen=0, first=offset, stop=stop)]

    def close(self):
        self.instances = []

    @property
    def has_enough(self):
        """Whether rows of earlier branches were enough."""
        return any(state.seen >= state.stop for state in self.instances)

    def blocks(self, k, blocks):
        """Cut every block to the rows that are wanted."""
        here = k.memory(self)
        for block in blocks:
            block = block.settled()
            before = k.variable(I64, k.atomic_add(here.field("seen"), 0, block.count))
            low = k.greatest(here.first - before.get(), k.constant(I64, 0))
            high = k.least(here.stop - before.get(), block.count)
            for _ in k.when(before.get() + block.count >= here.stop):
                control = k.memory(k.control)
                control.stop = control.stop | (k.control.STOP_SOURCE if self.is_fanned_out else k.control.STOP_ENOUGH)
            positions = k.buffer(I32, k.block_rows)
            for number in k.range(low, high):
                positions[number - low] = k.convert(number, I32)
            for _ in k.when(high > low):
                yield block.narrowed(high - low, positions)
