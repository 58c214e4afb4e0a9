"""Staging expressions over records: what makes one value of several, and what takes one of them out again."""
from caldera.kernel.decimal import BIG
from caldera.kernel.layouts import NUMERIC
from caldera.kernel.nullable import Sql
from caldera.types.array_image import BIG_REFUSED
from caldera.types.staged_arrays import no_nulls
from caldera.types.staged_records import RecordView, image_of


class RecordEvaluator:
    """The part of operators.evaluate.Evaluator that is about records."""

    def eval_RowOf(self, k, record, row):
        """A numeric that is known by name only cannot be a field of one value."""
        fields = [self.eval(k, field, row) for field in record.fields]
        for type, field in zip(record.type.types, fields):
            if type.layout is NUMERIC:
                row.report("0A000", BIG_REFUSED, k.and_(field.valid, field.value.high >> 48 == BIG))
        valid = True if record.there is None else self.eval(k, record.there, row).valid
        return Sql(image_of(k, self.scratch.allocate, record.type.types, fields), valid)

    def eval_FieldOf(self, k, selected, row):
        record = self.eval(k, selected.record, row)
        text = record.value if record.valid is True else no_nulls(k, record)
        return RecordView(k, selected.record.type.types, text)[selected.number]
