"""Functions of one row's values, and the operators and casts that are such functions. One definition each: @scalar.

    numbers         integers, floats, numeric (numeric_words: staged), math, randoms, number_casts
    texts, bytes    text_* (casts: text_reading, text_writing, text_casts), bytes, encodings, quoting, patterns (LIKE),
                    regexps (functions.regexp), sizes
    arrays          arrays (comparisons, bounds), array_building, array_searching, array_texts, regexp_arrays; array_parts:
                    what they share
    dates, times    dates, times, timestamps, intervals, zones, fields, extract, truncation, clock
                    staged parts: moments, clocks; on datums: wall_clock, spans
    pictures        to_char, to_date, to_number: pictures, number_pictures, number_reading, date_pictures, date_reading;
                    date_writing (staged)
    JSON            json_members (staged: -> and ->>), json_facts, json_changes, json_building, json_casts, json_queries
    all types       comparison, boolean, nulls, uuids
    the session     session_facts, type_facts (names of types and relations)          TABLESAMPLE     sampling
"""
