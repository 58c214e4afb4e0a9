"""From a plan to its pipelines and through them: subqueries first, then the pipelines in order."""
from caldera.base.errors import Error, error
from caldera.compile.pipelines import Builder
from caldera.execute.constants import constant_value
from caldera.operators.constants import Failed, Members
from caldera.plan.expressions import InSubquery
from caldera.plan.walk import subqueries
from caldera.storage import arrays
from caldera.types.columns import to_datums

DATA_ERRORS = {"21", "22"}      # classes of SQLSTATE: cardinality violation, data exception


def split(session, plan, run, counts=None):
    """The SplitPlan of a plan whose rows are wanted: pipelines, and the plans of uncorrelated subqueries. `counts`: told of
    each node's stream (`counts.watch(node, stream)`), or None."""
    def constant(expression):
        return constant_value(session, expression, builder.evaluator.constants.values)
    builder = Builder(session, constant, inner_rows({}), run.block_rows, counts)
    return builder.split(plan, subqueries(plan))


def run_pipelines(run, split_plan, parameters=(), hand_on=None, is_eager=True):
    """Run everything; the columns of the result as ColumnData. hand_on(columns, row count): takes rows before the end, when
    there are many or, unless `is_eager`, memory is short, so that only the last ones are returned."""
    split_plan.result.hand_on, split_plan.result.is_eager = hand_on, is_eager
    values, run.parameters = split_plan.evaluator.constants.values, parameters
    for number, datum in enumerate(parameters, 1):
        values[number] = datum
    for subquery in split_plan.subqueries:
        values["subquery", id(subquery.plan)] = value_or_failure(run, subquery, parameters, split_plan.kept)
    for number, pipeline in enumerate(split_plan.pipelines):
        if hand_on is not None and pipeline.followed_from is not None:
            for later in split_plan.pipelines[number:]:         # whoever takes rows may change what these read
                later.source.see(run)
        run.run(pipeline)
    columns = split_plan.result.finish()
    return Columns(columns, split_plan.result.row_count)


def value_or_failure(run, subquery, parameters, kept):
    """The value of a subquery, or the Failed of an error about data, which counts only if some row needs the value."""
    try:
        return subquery_value(run, subquery, parameters, kept)
    except Error as failure:
        if failure.sqlstate[:2] not in DATA_ERRORS:
            raise
        return Failed(failure)


def subquery_value(outer, subquery, parameters, kept):
    """The datum of a ScalarSubquery, or the Members of an InSubquery, with a run of its own. Its pipelines are kept in
    `kept`. Raises 21000 for a ScalarSubquery of more than one row."""
    run = outer.inner()
    try:
        if id(subquery.plan) not in kept:
            kept[id(subquery.plan)] = split(outer.session, subquery.plan, run)
        columns = run_pipelines(run, kept[id(subquery.plan)], parameters)
        count = row_count(columns)
        if isinstance(subquery, InSubquery):
            return members(columns[0])
        if subquery.exists:
            return count > 0
        if count > 1:
            raise error("21000", "more than one row returned by a subquery used as an expression")
        data = columns[0]
        return to_datums(data.type, data.values, data.valid)[0] if count else None
    finally:
        run.close()


def inner_rows(kept):
    """The function (run, plan) -> columns of a plan that a node runs by itself, whose pipelines are kept in `kept`. It may
    be given a `hand_on` as `run_pipelines` is, for all columns of the plan, when memory is short."""
    def rows_of(outer, plan, given, hand_on=None):
        run = outer.inner()
        try:
            if id(plan) not in kept:
                kept[id(plan)] = plan, split(outer.session, plan, run)
            columns = run_pipelines(run, kept[id(plan)][1], outer.parameters, hand_on, is_eager=False)
            columns = Columns([columns[number] for number in places(plan, given)], columns.row_count)
            arrays.keep_big_numbers(columns, columns)
            outer.allocation.account(sum(map(arrays.byte_count, columns)))
            return columns
        finally:
            run.close()
    return rows_of


def places(plan, given):
    """Where some columns stand in a plan's output."""
    numbers = {column.id: number for number, column in enumerate(plan.output)}
    return [numbers[column.id] for column in given]


def members(data):
    """The Members in a column."""
    type, values, valid = data.type, data.values, data.valid
    has_null = valid is not None and not valid.all()
    if type.layout.words == 1 and not type.layout.type.is_float:
        return Members(type, values if valid is None else values[valid.astype(bool)], has_null)
    return Members(type, [datum for datum in to_datums(type, values, valid) if datum is not None], has_null)


class Columns(list):
    """ColumnData of one length, which a list of none could not tell: SELECT FROM t has rows without columns."""

    def __init__(self, columns, row_count):
        super().__init__(columns)
        self.row_count = row_count


def row_count(columns):
    """How many rows columns have."""
    return arrays.row_count(columns[0]) if columns else getattr(columns, "row_count", 0)
