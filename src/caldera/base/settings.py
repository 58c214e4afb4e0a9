"""Settings (PostgreSQL calls them GUCs): names, defaults, what values they take, how they are spelled.

A session keeps its own values over the defaults. Values are text in canonical form, as SHOW gives them; `Setting.parse`
checks and canonicalises what SET is given. Names are case-insensitive.
"""
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_letters

from caldera.base.errors import error

MEMORY_UNITS = {"B": 1, "kB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}                 # smallest first
TIME_UNITS_MS = {"us": 1e-3, "ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
INTEGER_MAX = 2**31 - 1


class BadValue(ValueError):
    """What is wrong with a value, in words of its own: a message, or a detail or hint of the usual message."""

    def __init__(self, message=None, *, detail=None, hint=None, sqlstate="22023"):
        super().__init__(message)
        self.message, self.detail, self.hint, self.sqlstate = message, detail, hint, sqlstate


@dataclass(frozen=True)
class Setting:
    """name as SHOW ALL spells it; default: text, or a function that computes it once; parse(text) -> canonical text, raises
    ValueError, best a BadValue, in whose message {} stands for the name; read_only: SET is refused with 55P02; completes:
    parse(text, value so far), where text may name parts only; effect(session, text): what SET does besides."""
    name: str
    default: str | Callable
    parse: Callable
    description: str = ""
    read_only: bool = False
    completes: bool = False
    effect: Callable | None = None


FRACTION = r"[-+]?(\d+\.\d*|\.\d+|\d+(?=e))(e[-+]?\d+)?"         # a whole number is rounded from it


def choice(*options):
    """One of the options, whatever the case."""
    def parse(text):
        for option in options:
            if text.lower() == option.lower():
                return option
        raise BadValue(hint=f"Available values: {', '.join(options)}.")
    return parse


def boolean(text):
    """PostgreSQL's spellings of a Boolean, to on or off."""
    lowered = text.strip().lower()
    for value, words in (("on", ("on", "true", "yes", "1")), ("off", ("off", "false", "no", "0"))):
        if lowered and any(word.startswith(lowered) for word in words if lowered != "o"):
            return value
    raise BadValue('parameter "{}" requires a Boolean value')


def integer(low, high):
    """A whole number within bounds."""
    def parse(text):
        number = round(float(text)) if re.fullmatch(FRACTION, text.strip()) else int(text, 0)
        return str(within(number, low, high))
    return parse


def within(number, low, high, unit=""):
    """A whole number, if it is within bounds. Raises BadValue."""
    if not -INTEGER_MAX - 1 <= number <= INTEGER_MAX:
        raise BadValue(hint="Value exceeds integer range.")
    if not low <= number <= high:
        raise BadValue(f'{number}{unit} is outside the valid range for parameter "{{}}" ({low}{unit} .. {high}{unit})')
    return number


def real(low, high):
    """A number within bounds."""
    def parse(text):
        number = float(text)
        if not low <= number <= high:
            raise BadValue(f'{number:g} is outside the valid range for parameter "{{}}" ({low:g} .. {high:g})')
        return f"{number:g}"
    return parse


def quantity(unit, low, high):
    """A whole number of a unit ("8kB", too) within bounds, in the largest unit that keeps it whole. 0 and less are no
    quantities: they switch things off."""
    units = TIME_UNITS_MS if unit in TIME_UNITS_MS else MEMORY_UNITS
    size = units[unit.lstrip("8")] * (8 if unit[0] == "8" else 1)

    def parse(text):
        number = within(round(in_units(text, units, size) / size), low, high, f" {unit}")
        return spelled(number * size, units) if number > 0 else str(number)
    return parse


def only(kept, check):
    """What `check` lets through, as long as it means the value that is kept here."""
    def parse(text):
        if check(text) != kept:
            raise BadValue(f'parameter "{{}}" set to "{text}" is not supported yet', sqlstate="0A000")
        return kept
    return parse


def memory(text):
    """A size with a unit ("4GB", kB without one), in the largest unit that keeps it whole."""
    return spelled(memory_bytes(text), MEMORY_UNITS)


def memory_bytes(text):
    """A size with a unit, in bytes."""
    return int(in_units(text, MEMORY_UNITS, MEMORY_UNITS["kB"]))


def duration_ms(text):
    """A time with a unit, in milliseconds."""
    return in_units(text, TIME_UNITS_MS, TIME_UNITS_MS["ms"])


def in_units(text, units, default):
    """A number with one of the units, or without (then it counts things of the default size), in what the units are
    multiples of."""
    digits = text.strip().rstrip(ascii_letters + " ")
    name = text.strip()[len(digits):].strip()
    size = default if not name else next((size for unit, size in units.items() if unit.lower() == name.lower()), None)
    if size is None:
        *most, last = [f'"{unit}"' for unit in units]
        raise BadValue(hint=f"Valid units for this parameter are {', '.join(most)}, and {last}.")
    return float(digits) * size


def spelled(number, units):
    """A whole number with the largest unit that divides it."""
    if not number:
        return "0"
    return next(f"{number // size}{unit}" for unit, size in reversed(units.items()) if size >= 1 and number % size == 0)


ORDER_WORDS = {"MDY": "MDY", "DMY": "DMY", "YMD": "YMD", "US": "MDY", "NONEURO": "MDY", "NONEUROPEAN": "MDY",
               "EURO": "DMY", "EUROPEAN": "DMY"}


def date_style(text, current):
    """Output style and field order; a part left out stays, but that German means DMY. Raises ValueError for two of one."""
    styles, orders = [], []
    for word in text.replace(",", " ").upper().split():
        if word in ("ISO", "SQL", "POSTGRES", "GERMAN"):
            styles.append({"POSTGRES": "Postgres", "GERMAN": "German"}.get(word, word))
        elif word in ORDER_WORDS:
            orders.append(ORDER_WORDS[word])
        elif word != "DEFAULT":
            raise BadValue(detail=f'Unrecognized key word: "{word.lower()}".')
    if len(set(styles)) > 1 or len(set(orders)) > 1:
        raise BadValue(detail='Conflicting "DateStyle" specifications.')
    style, order = current.split(", ")
    if styles:
        style = styles[0]
        order = "DMY" if style == "German" else order
    return f"{style}, {orders[0] if orders else order}"


def default_memory_limit():
    """Four fifths of what the cgroup, or else the machine, has."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(path, encoding="ascii") as file:
                limits.append(int(file.read()))
        except (OSError, ValueError):
            continue
    return memory(f"{min(limits) * 4 // 5 >> 20}MB")


def default_work_mem():
    """A quarter of the memory limit's default."""
    return memory(f"{memory_bytes(default_memory_limit()) // 4 >> 20}MB")


def default_threads():
    """As many workers as this process may use cores."""
    return str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


DURATION = quantity("ms", 0, INTEGER_MAX)             # 0 means never
ISOLATION = choice("serializable", "repeatable read", "read committed", "read uncommitted")

SETTINGS = {setting.name.lower(): setting for setting in (
    Setting("threads", default_threads, integer(1, 1024), "How many workers a query may use."),
    Setting("memory_limit", default_memory_limit, memory, "How much memory all queries together may hold."),
    Setting("work_mem", default_work_mem, quantity("kB", 64, INTEGER_MAX),
            "What one operation may use before it writes to disk."),
    Setting("temp_file_limit", "-1", quantity("kB", -1, INTEGER_MAX),
            "How large what this session has written to disk for lack of memory may be at once; -1 is for any size."),
    Setting("DateStyle", "ISO, MDY", date_style, "How dates are shown, and in what order ambiguous ones are read.",
            completes=True),
    Setting("IntervalStyle", "postgres", choice("postgres", "postgres_verbose", "sql_standard", "iso_8601"),
            "How intervals are shown."),
    Setting("search_path", '"$user", public', str, "The schemas in which names without one are looked for."),
    Setting("extra_float_digits", "1", integer(-15, 3), "How floats are shown: above 0, the shortest exact form."),
    Setting("bytea_output", "hex", choice("escape", "hex"), "How bytea is shown."),
    Setting("statement_timeout", "0", DURATION, "How long a statement may take; 0 is for ever."),
    Setting("lock_timeout", "0", DURATION, "How long a statement may wait for a lock; 0 is for ever."),
    Setting("default_transaction_isolation", "read committed", ISOLATION, "The isolation of transactions."),
    Setting("transaction_isolation", "read committed", ISOLATION, "That of this transaction."),
    Setting("default_transaction_read_only", "off", boolean, "Whether transactions only read."),
    Setting("transaction_read_only", "off", boolean, "Whether this transaction only reads."),
    Setting("default_transaction_deferrable", "off", boolean, "Whether transactions may wait; none has to."),
    Setting("transaction_deferrable", "off", boolean, "Whether this transaction may wait."),
    Setting("application_name", "", str, "What the client calls itself."),
    Setting("client_min_messages", "notice",
            choice("debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice", "warning", "error"),
            "What clients are told."),
    Setting("standard_conforming_strings", "on", only("on", boolean),
            "Backslashes in plain literals are ordinary characters."),
    Setting("synchronous_commit", "on", choice("on", "off", "local", "remote_write", "remote_apply"),
            "Whether a commit waits until it is on disk."),
    Setting("default_statistics_target", "100", integer(1, 10_000),
            "How closely ANALYZE looks: at 300 rows for each of these."),
    Setting("debug", "0", integer(0, 6), "How much of each stage is printed."),
    Setting("caldera.tier", "auto", choice("auto", "python", "fast", "plain", "o3"), "The code that queries run as."),
    Setting("caldera.block_rows", "0", integer(0, 1 << 12), "Rows of a block; 0 is the default."),
    Setting("caldera.morsel_rows", "0", integer(0, 1 << 30), "Rows of a morsel; 0 is the default."),
    Setting("caldera.equal_hashes", "off", boolean, "Give all values one hash, to test hash tables."),
    Setting("caldera.forced_spill", "off", boolean, "Write rows to disk whenever that is possible, to test it."),
    Setting("caldera.checked", "off", boolean, "Check plans and, in the Python kernel, every access to memory."),
    Setting("caldera.keep_maps", "on", boolean,
            "Keep with a part what expressions over its texts gave, for the queries to come."),
    Setting("server_version", "18.0 (Caldera)", str, "The version of PostgreSQL that clients may assume.", read_only=True),
    Setting("server_version_num", "180000", str, "The same as a number.", read_only=True),
    Setting("server_encoding", "UTF8", str, "The encoding of the database.", read_only=True),
    Setting("in_hot_standby", "off", str, "Whether this is a standby.", read_only=True),
    Setting("integer_datetimes", "on", str, "Time stamps are whole numbers.", read_only=True),
    Setting("max_identifier_length", "63", str, "Bytes of a name.", read_only=True),
    Setting("is_superuser", "on", str, "Whether the user may do everything.", read_only=True),
)}


def define(setting):
    """Add a setting whose values only a higher layer can check."""
    SETTINGS[setting.name.lower()] = setting


class Settings:
    """One session's values: for the session, and for the transaction (SET LOCAL), over the defaults."""

    def __init__(self):
        self.values, self.local = {}, {}

    def setting(self, name):
        """The definition. Raises 42704 for an unknown name."""
        found = SETTINGS.get(name.lower())
        if found is None and any(name.lower() in values for values in (self.local, self.values)):
            return Setting(name, "", str)
        if found is None:
            raise error("42704", f'unrecognized configuration parameter "{name}"')
        return found

    def for_change(self, name):
        """The definition of a setting that SET names: a name with a period may be one of the user's own. Raises 42704, 42602
        for what no such name can be."""
        prefix, period, _ = name.partition(".")
        if not period or name.lower() in SETTINGS:
            return self.setting(name)
        if not re.fullmatch(r"[^\W\d][\w$]*(\.[^\W\d][\w$]*)+", name):
            raise error("42602", f'invalid configuration parameter name "{name}"',
                        detail="Custom parameter names must be two or more simple identifiers separated by dots.")
        if prefix.lower() == "caldera":
            raise error("42602", f'invalid configuration parameter name "{name}"',
                        detail=f'"{prefix}" is a reserved prefix.')
        return Setting(name, "", str)

    def get(self, name):
        """The value as canonical text."""
        key = name.lower()
        for values in (self.local, self.values, DEFAULTS):
            if key in values:
                return values[key]
        setting = self.setting(name)
        DEFAULTS[key] = setting.default() if callable(setting.default) else setting.default
        return DEFAULTS[key]

    def set(self, name, text, local=False):
        """Change a value. Raises 42704, 55P02 (read-only) or 22023."""
        setting = self.for_change(name)
        if setting.read_only:
            raise error("55P02", f'parameter "{setting.name}" cannot be changed')
        try:
            value = setting.parse(text, self.get(name)) if setting.completes else setting.parse(text)
        except (ValueError, OverflowError) as fault:
            wrong = fault if isinstance(fault, BadValue) else BadValue()
            usual = f'invalid value for parameter "{setting.name}": "{text}"'
            raise error(wrong.sqlstate, wrong.message.replace("{}", setting.name) if wrong.message else usual,
                        detail=wrong.detail, hint=wrong.hint) from None
        (self.local if local else self.values)[setting.name.lower()] = value

    def reset(self, name):
        """Back to the default."""
        setting = self.setting(name)
        if setting.read_only:
            raise error("55P02", f'parameter "{setting.name}" cannot be changed')
        for values in (self.local, self.values):
            values.pop(setting.name.lower(), None)

    def reset_all(self):
        self.values, self.local = {}, {}

    def all(self):
        """(name, value, description) of every setting, by name."""
        return [(setting.name, self.get(setting.name), setting.description)
                for setting in sorted(SETTINGS.values(), key=lambda setting: setting.name.lower())]


DEFAULTS: dict[str, str] = {}
