"""What an engine replied to one statement, in a form in which two engines can be compared.

Values are text as PostgreSQL prints them, or None for NULL, so that nothing is lost or made equal by a driver's conversion.
"""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Answer:
    """Either columns and rows, or an error.

    columns: names. oids: the types' OIDs, one for each column. rows: tuples of str or None.
    sqlstate: five characters if the statement failed, else None; message is then the error's primary message.
    """
    columns: tuple = ()
    oids: tuple = ()
    rows: list = field(default_factory=list)
    sqlstate: str | None = None
    message: str = ""

    @property
    def failed(self):
        return self.sqlstate is not None

    def __str__(self):
        if self.failed:
            return f"ERROR {self.sqlstate}: {self.message}"
        lines = [" | ".join(f"{name}:{oid}" for name, oid in zip(self.columns, self.oids))]
        lines += [" | ".join("NULL" if value is None else repr(value)[1:-1][:60] for value in row) for row in self.rows[:12]]
        if len(self.rows) > 12:
            lines.append(f"... {len(self.rows)} rows")
        return "\n".join(lines)
