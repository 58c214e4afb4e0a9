"""Staging expressions over arrays: constructors, subscripts, ANY and ALL, casts of elements."""
from caldera.kernel.decimal import BIG
from caldera.kernel.interface import I64
from caldera.kernel.layouts import NUMERIC
from caldera.kernel.nullable import Sql
from caldera.types.array_image import BIG_REFUSED
from caldera.types.staged_arrays import ArrayView, Elements, no_nulls, shape_of_one


class LambdaRow:
    """A row whose only columns are a Lambda's parameters; what goes wrong goes wrong in the row around."""

    def __init__(self, row, values):
        self.row, self.values, self.faults = row, values, row.faults

    def __getitem__(self, id):
        return self.values[id]

    def report(self, *fault):
        self.row.report(*fault)


def view_of(k, type, sql):
    """The ArrayView of an Sql of an array type; of an empty array where it is NULL."""
    return ArrayView(k, type.element, sql.value if sql.valid is True else no_nulls(k, sql))


class ArrayEvaluator:
    """The part of operators.evaluate.Evaluator that is about arrays."""

    def eval_ArrayOf(self, k, constructor, row):
        count = k.constant(I64, len(constructor.elements))
        elements = Elements(k, self.scratch.allocate, constructor.type.element, count)
        for number, element in enumerate(constructor.elements):
            self.put(k, elements, k.constant(I64, number), self.eval(k, element, row), row)
        return Sql(elements.image(*shape_of_one(k, count)), True)

    @staticmethod
    def put(k, elements, index, sql, row):
        """An element of an array in the making. A numeric that is known by name only cannot be one."""
        if elements.element.layout is NUMERIC:
            row.report("0A000", BIG_REFUSED, k.and_(sql.valid, sql.value.high >> 48 == BIG))
        elements.put(index, sql)

    def eval_Subscript(self, k, subscript, row):
        """The place of an element follows from its distance from the lower bound in each dimension."""
        array, indexes = self.eval(k, subscript.array, row), [self.eval(k, index, row) for index in subscript.indexes]
        if array.valid is False or any(index.valid is False for index in indexes):
            return Sql(subscript.type.layout.default(k), False)
        view, place = view_of(k, subscript.array.type, array), k.constant(I64, 0)
        is_inside = k.and_(array.valid, view.dimensions == len(indexes), *(index.valid for index in indexes))
        for number, index in enumerate(indexes):
            length, lower = view.dimension(number)
            distance = k.convert(index.value, I64) - lower
            is_inside = k.and_(is_inside, distance >= 0, distance < length)
            place = place * length + distance
        return view.at(place, is_inside)

    def eval_ElementTest(self, k, quantified, row):
        """A loop that ends when the answer is known: at an element for which the test is true (of ALL: false)."""
        argument, array = self.eval(k, quantified.argument, row), self.eval(k, quantified.array, row)
        view, index = view_of(k, quantified.array.type, array), k.variable(I64, 0)
        decided, unknown = k.variable(I64, 0), k.variable(I64, 0)
        for _ in k.while_(lambda: k.and_(decided.get() == 0, index.get() < view.count)):
            given = dict(zip((column.id for column in quantified.test.parameters), (argument, view[index.get()])))
            result = self.eval(k, quantified.test.body, LambdaRow(row, given))
            decides = result.value if quantified.some else k.not_(result.value)
            decided.set(k.convert(k.as_condition(k.and_(result.valid, decides)), I64))
            unknown.set(unknown.get() | k.convert(k.as_condition(k.not_(result.valid)), I64))
            index.set(index.get() + 1)
        is_decided = decided.get() != 0
        valid = k.and_(array.valid, k.or_(is_decided, unknown.get() == 0))
        return Sql(is_decided if quantified.some else k.not_(is_decided), valid)

    def eval_ElementMap(self, k, mapped, row):
        array, type = self.eval(k, mapped.array, row), mapped.array.type
        view = view_of(k, type, array)
        elements = Elements(k, self.scratch.allocate, mapped.type.element, view.count)
        parameter, = mapped.change.parameters
        for index in k.range(0, view.count, vectorize=False):
            element = self.eval(k, mapped.change.body, LambdaRow(row, {parameter.id: view[index]}))
            self.put(k, elements, index, element, row)
        return Sql(elements.image(view.dimensions, view.shape_address), array.valid)
