"""Enums: a value is a small integer in the order of the labels, its *code*; labels are seen by those who read and write.

    CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')         definition: {"labels": ["sad", ...], "codes": [0, 16, 32]}
    ALTER TYPE mood ADD VALUE 'glad' BEFORE 'happy'         a code between the others: 24; no stored value changes

So comparisons, sorts, groups, zone maps and min and max work as for integers.
"""
from caldera.base.errors import error
from caldera.kernel import layouts
from caldera.types.user_types import UserType, family

GAP = 16                        # between the codes of neighbours, so that labels may come between them later
LABEL_BYTES = 63


def first_definition(labels):
    """The definition of a new enum. Raises 42602 for a label that is too long, 23505 for one that comes twice."""
    for number, label in enumerate(labels):
        check_label(label)
        if label in labels[:number]:
            raise error("23505", 'duplicate key value violates unique constraint "pg_enum_typid_label_index"')
    return {"labels": list(labels), "codes": [GAP * number for number in range(len(labels))]}


def check_label(label):
    """Raise 42602 for a label that is too long."""
    if len(label.encode()) > LABEL_BYTES:
        raise error("42602", f'invalid enum label "{label}"', detail=f"Labels must be {LABEL_BYTES} bytes or less.")


def with_label(definition, label, neighbour=None, after=True):
    """A definition with one more label: at the end, or before or after a neighbour. Raises 22023 for a neighbour that there
    is not, 54000 where no code is left between two labels."""
    labels, codes = list(definition["labels"]), list(definition["codes"])
    place = len(labels)
    if neighbour is not None:
        place = place_of(definition, neighbour) + after
    if place == len(labels):
        code = codes[-1] + GAP if codes else 0
    elif place == 0:
        code = codes[0] - GAP
    else:
        code = (codes[place - 1] + codes[place]) // 2
        if code == codes[place - 1]:
            raise error("54000", f'there is no room for another label between "{labels[place - 1]}" and "{labels[place]}"',
                        hint="Create another type with all labels, and a table with it.")
    labels.insert(place, label)
    codes.insert(place, code)
    return {"labels": labels, "codes": codes}


def renamed_label(definition, old, new):
    """A definition with a label called otherwise. Raises 22023, 42710."""
    place = place_of(definition, old)
    if new in definition["labels"]:
        raise error("42710", f'enum label "{new}" already exists')
    labels = list(definition["labels"])
    labels[place] = new
    return {**definition, "labels": labels}


def place_of(definition, label):
    """The number of a label; 22023 if there is none."""
    if label not in definition["labels"]:
        raise error("22023", f'"{label}" is not an existing enum label')
    return definition["labels"].index(label)


@family("enum")
class Enum(UserType):
    """Values that have labels. A datum is a code. unsafe: {code: the transaction that has added it and is not over};
    renamed: {code: (the transaction that has given it another label and is not over, the label that others see)}."""
    category, kind, length = "E", "e", 4
    layout = layouts.INT4
    equal_is_same = arrow_as_text = True
    unsafe: dict = {}
    renamed: dict = {}

    def define(self, definition):
        super().define(definition)
        self.codes = dict(zip(definition["labels"], definition["codes"]))
        self.labels = dict(zip(definition["codes"], definition["labels"]))
        self.unsafe = {code: adding for code, adding in self.unsafe.items() if code in self.labels}

    def label_for(self, code, session=None):
        """The label of a code as a session sees it."""
        return self.labels[code] if code not in self.renamed_by_others(session) else self.renamed[code][1]

    def code_for(self, label, session=None):
        """The code of a label as a session sees it; None if there is none."""
        hidden = self.renamed_by_others(session)
        found = next((code for code in hidden if self.renamed[code][1] == label), self.codes.get(label))
        return None if found in hidden and self.renamed[found][1] != label else found

    def renamed_by_others(self, session):
        """The codes whose new labels a session does not see yet."""
        own = getattr(session, "transaction", None)
        return [code for code, (renaming, _) in self.renamed.items() if renaming is not own]

    def rename_label(self, code, old, transaction):
        """See to it that others see the old label until a transaction is over."""
        self.renamed = {code: (transaction, old), **self.renamed}          # of several renamings the first one's counts
        transaction.after.append(lambda: self.renamed.pop(code, None))

    def codes_for(self, session):
        """The codes of all labels in order, but for those that other sessions have added and not committed."""
        return sorted(code for code in self.labels if self.unsafe.get(code) in (None, session.transaction))

    def check_safe(self, codes, session):
        """Raise 55P04 if the session's own transaction has added one of some codes."""
        for code in codes:
            if code in self.unsafe and self.unsafe[code] is session.transaction:
                raise error("55P04", f'unsafe use of new value "{self.labels[code]}" of enum type {self.sql_name}',
                            hint="New enum values must be committed before they can be used.")

    def parse(self, text, modifier=None, session=None):
        code = self.code_for(text, session)
        adding = self.unsafe.get(code)
        if adding is not None and session is not None:
            self.check_safe([code], session)
        if code is None or adding is not None:
            raise error("22P02", f'invalid input value for enum {self.sql_name}: "{text}"')
        return code

    def format(self, datum, session=None):
        return self.label_for(datum, session)

    def to_python(self, datum, session=None):
        return self.label_for(datum, session)

    def from_python(self, thing):
        return self.parse(thing if isinstance(thing, str) else str(thing))

    def arrow_type(self, modifier=None):
        import pyarrow
        return pyarrow.string()
