"""What a text form may ask of the session: settings and the clock.

A type's `parse` and `format` get a session or None. None means the defaults: time zone UTC, ISO output, MDY input order,
shortest floats, the real clock.
"""
from datetime import datetime, UTC
from typing import Protocol

DEFAULTS = {"timezone": "UTC", "datestyle": "ISO, MDY", "intervalstyle": "postgres", "extra_float_digits": "1",
            "bytea_output": "hex"}


class Session(Protocol):
    """The part of a session that types need."""

    def setting(self, name: str) -> str:
        """The value of a setting, as SHOW gives it."""

    def now(self) -> datetime:
        """When the transaction started, with a time zone; what 'now' and 'today' mean."""


def setting(session, name):
    """The value of one of the settings above, for a session or for none."""
    return DEFAULTS[name.lower()] if session is None else str(session.setting(name))


def now(session):
    """The transaction's time as an aware datetime."""
    return datetime.now(UTC) if session is None else session.now()


def date_order(session):
    """"MDY", "DMY" or "YMD": how 1/2/03 is read."""
    style = setting(session, "DateStyle").upper()
    for order in ("DMY", "YMD"):
        if order in style:
            return order
    return "DMY" if "EURO" in style and "NON" not in style else "MDY"


def output_style(session):
    """("ISO", "SQL", "Postgres" or "German", the field order): how dates are shown."""
    style, _, order = setting(session, "DateStyle").partition(", ")
    return style, order
