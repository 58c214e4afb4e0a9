"""date: days since 2000-01-01, 4713 BC to AD 5874897, with both infinities."""
from datetime import date, datetime, timedelta

from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.types.calendar import (DATE_EARLY, DATE_LATE, DATE_MAX, DATE_MIN, UNIX_EPOCH_DAYS, civil_from_days, era,
                                    write_styled_date)
from caldera.types.datetime_input import read
from caldera.types.registry import SqlType, register
from caldera.types.session import output_style

EPOCH = date(2000, 1, 1)


class Date(SqlType):
    """Reads every form that `datetime_input` does; a time or zone in the text is ignored."""
    equal_is_same = True
    name = sql_name = "date"
    oid, array_oid = 1082, 1182
    category, length = "D", 4
    layout = layouts.INT4
    python_type = date

    def parse(self, text, modifier=None, session=None):
        reading = read(text, "date", session)
        if reading.special:
            return {"epoch": UNIX_EPOCH_DAYS, "infinity": DATE_LATE, "-infinity": DATE_EARLY}[reading.special]
        if not DATE_MIN <= reading.days <= DATE_MAX:
            raise error("22008", f'date out of range: "{text}"')
        return reading.days

    def format(self, datum, session=None):
        if datum in (DATE_EARLY, DATE_LATE):
            return "infinity" if datum > 0 else "-infinity"
        year, month, day = civil_from_days(datum)
        return write_styled_date(year, month, day, *output_style(session)) + era(year)

    def to_python(self, datum, session=None):
        """A datetime.date; what Python's calendar cannot hold comes as text."""
        try:
            return EPOCH + timedelta(days=datum)
        except OverflowError:
            return self.format(datum)

    def from_python(self, thing):
        if isinstance(thing, datetime):
            thing = thing.date()
        if isinstance(thing, date):
            return (thing - EPOCH).days
        return self.parse(thing) if isinstance(thing, str) else thing

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.date32()


DATE = register(Date())
