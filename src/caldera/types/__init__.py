"""SQL types: registry.py says what one is; every other file defines a few and registers them on import."""
from caldera.types import (boolean, bytea, date, floats, integers, interval, numeric, text, time, timestamp,  # noqa: F401
                           uuid, void)
