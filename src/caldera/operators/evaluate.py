"""Staging expressions: `Evaluator.eval(k, expression, row)` emits code for one row and gives its Sql.

One method for each kind of expression, found by the class's name. Guards: whatever is evaluated only under a condition
(an arm of CASE, what stands to the right in AND) is emitted without a branch where it is cheap, with its faults masked
by the condition; where it is not cheap, the code stands in a branch. A function never sees NULL unless it asked for it.
"""
from dataclasses import dataclass

from caldera.functions.registry import Call
from caldera.kernel.interface import BOOL, I64, Fault
from caldera.kernel.nullable import Sql, both_true, either_true, is_true
from caldera.kernel.structures.arena import SCRATCH_WORDS, Arena
from caldera.operators.constants import Constants
from caldera.operators.evaluate_arrays import ArrayEvaluator
from caldera.operators.evaluate_records import RecordEvaluator
from caldera.operators.python_calls import PythonCall
from caldera.plan.expressions import And, Case, Coalesce, Constant, InList, InSubquery
from caldera.types.staged_arrays import no_nulls

LINEAR_SEARCH_MAX = 12


@dataclass(frozen=True)
class FailureOf:
    """The error for which a value could not be computed before the pipelines, once a run has failed for it."""
    constants: Constants
    key: tuple

    def __call__(self):
        return self.constants.values[self.key].error


class Evaluator(ArrayEvaluator, RecordEvaluator):
    """What the expressions of one query's pipelines share: constants, scratch memory, calls into Python."""

    def __init__(self, session):
        self.session, self.constants, self.scratch = session, Constants(), Arena(SCRATCH_WORDS)
        self.python_calls, self.lists = [], {}

    @property
    def owners(self):
        """What must be opened before the pipelines run."""
        return [self.constants, self.scratch, *self.python_calls]

    def eval(self, k, expression, row):
        """Emit code for an expression; faults are reported through the row."""
        return getattr(self, "eval_" + type(expression).__name__)(k, expression, row)

    def eval_Column(self, k, column, row):
        return row[column.id]

    def eval_Constant(self, k, constant, row):
        if constant.value is None:
            return Sql(constant.type.layout.default(k), False)
        if constant.type.name == "bool":
            return Sql(k.constant(BOOL, constant.value), True)
        if constant.static and constant.type.layout.words == 1:
            return Sql(k.constant(constant.type.layout.type, constant.value), True)
        return Sql(self.constants.load(k, constant.type, constant.value), True)

    def eval_Parameter(self, k, parameter, row):
        value, _ = self.constants.load_parameter(k, parameter.number, parameter.type)
        return value

    def eval_ScalarSubquery(self, k, subquery, row):
        """Its value was computed before the pipelines; if that failed, the row that asks for it does."""
        key = "subquery", id(subquery.plan)
        value, failed = self.constants.load_parameter(k, key, subquery.type)
        self.report_failed(row, key, failed)
        return value

    def report_failed(self, row, key, failed):
        """Raise the error of a subquery where it is needed."""
        row.faults.report(Fault("XX000", "", raised=FailureOf(self.constants, key)), failed)

    def eval_InSubquery(self, k, member, row):
        """Whether a comparison holds for any of the values that were computed before the pipelines: of no rows it holds for
        none, not even for NULL."""
        a, type = self.eval(k, member.argument, row), member.argument.type
        key = "subquery", id(member.plan)
        values, count, has_null, failed = self.constants.members(k, key)
        self.report_failed(row, key, failed)
        holds = self.search_words(k, type, values, 0, count, a.value) if member.operator == "=" else \
            self.holds_for_extreme(k, type, values, count, a.value, member.operator)
        found, empty = k.and_(count > 0, holds), k.and_(count == 0, k.not_(has_null))
        return Sql(found, k.as_condition(k.or_(empty, k.and_(a.valid, k.or_(found, k.not_(has_null))))))

    def holds_for_extreme(self, k, type, words, count, value, operator):
        """Whether `value operator member` holds for any of `count` members in the type's order: the least or the greatest
        decides."""
        least = type.layout.from_words(k, words, 0)
        greatest = type.layout.from_words(k, words, k.choose(count > 0, count - 1, count) * type.layout.words)
        if operator == "<>":
            return k.not_(k.and_(type.equal(k, value, least), type.equal(k, value, greatest)))
        if operator in (">", ">="):
            return type.less(k, least, value) if operator == ">" else k.not_(type.less(k, value, least))
        return type.less(k, value, greatest) if operator == "<" else k.not_(type.less(k, greatest, value))

    def eval_OneRow(self, k, single, row):
        count = self.eval(k, single.count, row)
        message = "more than one row returned by a subquery used as an expression"
        row.report("21000", message, k.and_(count.valid, count.value > 1))
        return self.eval(k, single.argument, row)

    def eval_OverDictionary(self, k, mapped, row):
        """The value for the row's entry if there is a map, else what it stands for."""
        return row[mapped.map.id] if mapped.map.active else self.eval(k, mapped.argument, row)

    def eval_Relabel(self, k, relabel, row):
        return self.eval(k, relabel.argument, row)

    def eval_Call(self, k, call, row):
        """Strict functions: the arguments' validity guards the body and is the result's."""
        function, arguments = call.function, [self.eval(k, argument, row) for argument in call.arguments]
        if function.python:
            return self.python_call(k, call, arguments, row)
        if function.strict and any(argument.valid is False for argument in arguments):
            return Sql(call.type.layout.default(k), False)
        known = [argument.value if isinstance(argument, Constant) and number in function.static else None
                 for number, argument in enumerate(call.arguments)]
        use = Call(k, row, [argument.type for argument in call.arguments], call.type,
                   [argument.modifier for argument in call.arguments], call.modifier, known, self.session, self.scratch)
        use.python = lambda function, types, result, values: self.python_value(k, function, types, result, values, row)
        if not function.strict:
            result = function.body(use, *arguments)
            return result if isinstance(result, Sql) else Sql(result, True)
        valid = k.and_(*(argument.valid for argument in arguments))
        arguments = [Sql(no_nulls(k, argument), True) if type.has_parts and argument.valid is not True else argument
                     for type, argument in zip(use.types, arguments)]
        with row.faults.guarded(valid):
            result = function.body(use, *(argument.value for argument in arguments))
        if isinstance(result, Sql):
            return Sql(result.value, k.and_(valid, result.valid))
        return Sql(result, valid)

    def python_call(self, k, call, arguments, row):
        types = [argument.type for argument in call.arguments]
        site = PythonCall(call.function, types, call.type, self.scratch, self.session)
        self.python_calls.append(site)
        return site.stage(k, arguments, row)

    def python_value(self, k, function, types, result, values, row):
        """For staged bodies: a plain function over datums, called out of line for this row under the guards in force."""
        site = PythonCall.of_function(function, types, result, self.scratch, self.session)
        self.python_calls.append(site)
        return site.stage(k, [Sql(value, True) for value in values], row)

    def eval_And(self, k, conjunction, row):
        result = self.eval(k, conjunction.arguments[0], row)
        for argument in conjunction.arguments[1:]:
            wanted = k.or_(k.not_(result.valid), result.value)             # false decides; then the rest must not fail
            other = self.guarded(k, argument, wanted, row)
            result = both_true(k, result, other)
        return result

    def eval_Or(self, k, disjunction, row):
        result = self.eval(k, disjunction.arguments[0], row)
        for argument in disjunction.arguments[1:]:
            wanted = k.or_(k.not_(result.valid), k.not_(result.value))
            other = self.guarded(k, argument, wanted, row)
            result = either_true(k, result, other)
        return result

    def eval_Not(self, k, negation, row):
        a = self.eval(k, negation.argument, row)
        return Sql(k.not_(a.value), a.valid)

    def eval_IsNull(self, k, test, row):
        valid = self.eval(k, test.argument, row).valid
        return Sql(k.as_condition(valid if test.negated else k.not_(valid)), True)

    def eval_IsTruth(self, k, test, row):
        a = self.eval(k, test.argument, row)
        holds = k.and_(a.valid, a.value if test.truth else k.not_(a.value))
        return Sql(k.as_condition(k.not_(holds) if test.negated else holds), True)

    def eval_IsDistinct(self, k, test, row):
        a, b = self.eval(k, test.left, row), self.eval(k, test.right, row)
        equal = test.left.type.equal(k, a.value, b.value)
        neither = k.and_(k.not_(a.valid), k.not_(b.valid))
        same = k.or_(k.and_(a.valid, b.valid, equal), neither)
        return Sql(k.as_condition(same if test.negated else k.not_(same)), True)

    def eval_Case(self, k, case, row):
        """Arms in order; an arm is wanted where its condition is true and none before it was."""
        undecided, arms = True, []
        for condition, result in zip(case.conditions, case.results):
            holds = is_true(k, self.guarded(k, condition, undecided, row))
            wanted = k.and_(undecided, holds)
            arms.append((wanted, self.guarded(k, result, wanted, row)))
            undecided = k.and_(undecided, k.not_(holds))
        return self.chosen(k, case.type.layout, arms, self.guarded(k, case.otherwise, undecided, row))

    def eval_Coalesce(self, k, coalesce, row):
        missing, arms = True, []
        for argument in coalesce.arguments:
            value = self.guarded(k, argument, missing, row)
            arms.append((k.and_(missing, value.valid), value))
            missing = k.and_(missing, k.not_(value.valid))
            if missing is False:
                break
        return self.chosen(k, coalesce.type.layout, arms[:-1], arms[-1][1])

    def chosen(self, k, layout, arms, otherwise):
        """The first arm whose condition holds. `arms`: pairs (condition, Sql)."""
        result = otherwise
        for condition, sql in reversed(arms):
            if condition is False:
                continue
            if condition is True:
                result = sql
                continue
            valid = sql.valid if sql.valid is result.valid is True else \
                k.choose(condition, k.as_condition(sql.valid), k.as_condition(result.valid))
            result = Sql(layout.choose(k, condition, sql.value, result.value), valid)
        return result

    def eval_Extreme(self, k, extreme, row):
        """GREATEST and LEAST: NULLs do not count."""
        layout, result = extreme.type.layout, None
        for argument in extreme.arguments:
            sql = self.eval(k, argument, row)
            if result is None:
                result = sql
                continue
            first, second = (result.value, sql.value) if extreme.greatest else (sql.value, result.value)
            better = extreme.type.less(k, first, second)
            take = k.as_condition(k.and_(sql.valid, k.or_(k.not_(result.valid), better)))
            result = Sql(layout.choose(k, take, sql.value, result.value), k.or_(result.valid, sql.valid))
        return result

    def eval_InList(self, k, member, row):
        a = self.eval(k, member.argument, row)
        type, found = member.argument.type, False
        if len(member.values) > LINEAR_SEARCH_MAX:
            integers = type.layout.words == 1 and not type.layout.type.is_float
            found = (self.search_sorted if integers else self.search_ordered)(k, member, a.value)
        else:
            for value in member.values:
                constant = self.eval(k, Constant(value, type), row).value
                found = k.or_(found, type.equal(k, a.value, constant))
        found = k.as_condition(found)
        valid = k.and_(a.valid, found) if member.has_null else a.valid
        return Sql(k.not_(found) if member.negated else found, valid)

    def search_sorted(self, k, member, value):
        """Binary search in a sorted array of integers, without branches."""
        numbers = self.in_order(member, lambda: tuple(sorted({int(number) for number in member.values})))
        words, needle = self.constants.array(k, numbers), k.convert(value, I64)
        low, length = k.variable(I64, 0), len(numbers)
        while length > 1:
            half = length // 2
            low.set(k.choose(words[low.get() + half] <= needle, low.get() + half, low.get()))
            length -= half
        return words[low.get()] == needle

    def search_ordered(self, k, member, value):
        """Binary search in constants of any type, which stand in the type's order."""
        type = member.argument.type
        start = self.in_order(member, lambda: self.constants.add_all(type, sorted(member.values, key=type.sort_key)))
        return self.search_words(k, type, self.constants.ready(k), start, len(member.values), value)

    def search_words(self, k, type, words, start, count, value):
        """Binary search in `count` values from word `start` on, which stand in the type's order."""
        low, length = k.variable(I64, 0), k.variable(I64, count)

        def constant(number):
            return type.layout.from_words(k, words, number * type.layout.words + start)
        for _ in k.while_(lambda: length.get() > 1):
            half = length.get() >> 1
            middle = low.get() + half
            low.set(k.choose(type.less(k, value, constant(middle)), low.get(), middle))
            length.set(length.get() - half)
        return type.equal(k, value, constant(low.get()))

    def in_order(self, member, make):
        """What `make` makes of a list, once: the Python kernel comes here for every row."""
        if id(member) not in self.lists:
            self.lists[id(member)] = member, make()
        return self.lists[id(member)][1]

    def guarded(self, k, expression, condition, row):
        """An expression that is wanted only where a condition holds."""
        if condition is True:
            return self.eval(k, expression, row)
        if condition is False:
            return Sql(expression.type.layout.default(k), False)
        if is_cheap(expression):
            with row.faults.guarded(condition):
                return self.eval(k, expression, row)
        layout = expression.type.layout
        value, valid = layout.variable(k, layout.default(k)), k.variable(BOOL, False)
        always_valid = False
        for _ in k.when(condition):
            sql = self.eval(k, expression, row)
            value.set(sql.value)
            valid.set(k.as_condition(sql.valid))
            always_valid = sql.valid is True
        return Sql(value.get(), True if always_valid else valid.get())


def is_cheap(expression):
    """Whether an expression is worth computing for rows that do not want it, rather than branching."""
    if isinstance(expression, Case) or isinstance(expression, InList) and len(expression.values) > 4 or \
            isinstance(expression, InSubquery):
        return False
    if isinstance(expression, (Coalesce, And)):
        return all(is_cheap(child) for child in expression.children)
    called = expression.called
    if called is not None and (called.python or not called.cheap):
        return False
    return expression.type.layout.words == 1 and all(is_cheap(child) for child in expression.children)
