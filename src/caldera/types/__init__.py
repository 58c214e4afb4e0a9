"""SQL types: registry.py says what one is; each type is one file that registers it on import.

    text ─ parse ─▶ datum ─ format ─▶ text          datums ─ columns.from_datums ─▶ arrays ─ columns.to_arrow ─▶ Arrow
                     │                                       staged: equal, less, hash, key over the type's layout
                     └─ to_python, from_python: what users of DB-API 2.0 see

    registry.py       SqlType, TYPES; what a datum of each type is        session.py   settings that text forms depend on
    columns.py        arrays of whole columns: datums.py, text_arrays.py, arrow.py
    arithmetic.py     numeric on Decimals
    json_values.py, json_syntax.py, json_parts.py                         JSON as values, its errors, its parts
    json_of_datums.py, datums_of_json.py                                  SQL values as JSON, and back
    jsonpath_syntax.py                                                    the language of jsonpath
    calendar.py, datetime_input.py, zones.py                              what dates, times and moments share
    zone_setting.py   what SET TimeZone takes
    array.py          arrays of all types, by array_image.py, array_text.py and staged_arrays.py
    record.py         rows as values, by record_image.py, record_text.py and staged_records.py
    mixed_records.py  records of several types in one column
    ranges.py         ranges and multiranges, by range_algebra.py, range_bounds.py and range_text.py
    user_types.py     types that statements of SQL make: enums.py, composites.py, domains.py, user_ranges.py
    reg_names.py      OIDs written as names
    interval_fields.py, interval_input.py, interval_output.py             what intervals are, and their forms
"""
import importlib
import pkgutil

for module in pkgutil.iter_modules(__path__):           # so that a new type is one new file
    importlib.import_module(f"{__name__}.{module.name}")
importlib.import_module(f"{__name__}.array").register_arrays()
