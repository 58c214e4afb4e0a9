-- Timestamps with and without time zone.
-- setup
CREATE TABLE moments (id int, ts timestamp, tz timestamptz) USING mergetree WITH (order_by = 'id');
INSERT INTO moments VALUES
  (1, '2000-01-01 00:00:00', '2000-01-01 00:00:00+00'), (2, '1999-12-31 23:59:59.999999', '1999-12-31 23:59:59.999999+02'),
  (3, '2024-02-29 12:34:56.789', '2024-02-29 12:34:56.789-05'), (4, NULL, NULL), (5, 'infinity', 'infinity'), (6, '-infinity', '-infinity'),
  (7, '4713-01-01 00:00:00 BC', '4713-01-01 00:00:00+00 BC'), (8, '294276-12-31 23:59:59.999999', '294276-12-31 23:59:59.999999+00'),
  (9, '2024-03-31 02:30:00', '2024-03-31 02:30:00 Europe/Berlin'), (10, '2024-10-27 02:30:00', '2024-10-27 00:30:00+00'),
  (11, '1970-01-01 00:00:00', 'epoch'), (12, '2013-07-15 10:20:30', '2013-07-15 10:20:30 America/New_York'), (13, '2013-07-15 10:59:59.5', '2013-07-15 10:59:59.5 UTC');

-- name: all_rows
SELECT * FROM moments ORDER BY id;

-- name: order_by_timestamp
SELECT id, ts FROM moments ORDER BY ts DESC NULLS LAST;

-- name: in_berlin
-- with: TimeZone = 'Europe/Berlin'
SELECT id, tz, tz::timestamp, ts::timestamptz FROM moments WHERE id NOT IN (7, 8) ORDER BY id;

-- name: in_new_york
-- with: TimeZone = 'America/New_York'
SELECT id, tz, tz::date, tz::time FROM moments WHERE id NOT IN (7, 8) ORDER BY id;

-- name: in_a_fixed_offset
-- with: TimeZone = '+05:30'
SELECT id, tz FROM moments WHERE id IN (1, 3) ORDER BY id;

-- name: at_time_zone
SELECT id, tz AT TIME ZONE 'Europe/Berlin', ts AT TIME ZONE 'America/New_York', ts AT TIME ZONE 'UTC' FROM moments WHERE id NOT IN (7, 8) ORDER BY id;

-- name: at_time_zone_abbreviation
SELECT TIMESTAMP '2024-07-01 12:00' AT TIME ZONE 'EST', TIMESTAMPTZ '2024-07-01 12:00+00' AT TIME ZONE 'PST', TIMESTAMPTZ '2024-07-01 12:00+00' AT TIME ZONE INTERVAL '-3 hours';

-- name: at_time_zone_unknown
SELECT ts AT TIME ZONE 'Nowhere/Land' FROM moments;

-- name: plus_interval
SELECT id, ts + INTERVAL '1 day', ts - INTERVAL '1 hour', ts + INTERVAL '1 month', tz + INTERVAL '1 day' FROM moments WHERE id NOT IN (7, 8) ORDER BY id;

-- name: plus_day_across_summer_time
-- with: TimeZone = 'Europe/Berlin'
SELECT TIMESTAMPTZ '2024-03-30 12:00' + INTERVAL '1 day', TIMESTAMPTZ '2024-03-30 12:00' + INTERVAL '24 hours', TIMESTAMPTZ '2024-10-26 12:00' + INTERVAL '1 day';

-- name: overflow
SELECT ts + INTERVAL '1 second' FROM moments WHERE id = 8;

-- name: underflow
SELECT ts - INTERVAL '1 year' FROM moments WHERE id = 7;

-- name: difference
SELECT id, ts - TIMESTAMP '2000-01-01 12:00', tz - TIMESTAMPTZ '2000-01-01 00:00+00' FROM moments WHERE id NOT IN (5, 6, 7, 8) ORDER BY id;

-- name: difference_of_infinities
SELECT ts - TIMESTAMP '2000-01-01' FROM moments WHERE id IN (5, 6) ORDER BY id;

-- name: comparisons
SELECT id, ts < '2000-01-01 00:00:01', ts = '1970-01-01', tz >= '2024-02-29 17:34:56.789+00', ts > DATE '2013-07-15' FROM moments ORDER BY id;

-- name: filter_range
SELECT id FROM moments WHERE ts >= '2013-07-01' AND ts < '2013-08-01' ORDER BY ts;

-- name: filter_day
SELECT id FROM moments WHERE ts::date = '2013-07-15' ORDER BY id;

-- name: extract_fields
SELECT id, extract(year from ts), extract(hour from ts), extract(minute from ts), extract(second from ts), extract(epoch from ts) FROM moments ORDER BY id;

-- name: extract_small_units
SELECT id, extract(milliseconds from ts), extract(microseconds from ts), extract(doy from ts), extract(week from ts), extract(julian from ts) FROM moments ORDER BY id;

-- name: extract_zone_fields
-- with: TimeZone = 'Europe/Berlin'
SELECT id, extract(timezone from tz), extract(timezone_hour from tz), extract(hour from tz), extract(epoch from tz) FROM moments WHERE id IN (1, 3, 9, 10, 12);

-- name: extract_zone_of_timestamp
SELECT extract(timezone from ts) FROM moments;

-- name: date_part_of_timestamp
SELECT id, date_part('minute', ts), date_part('epoch', tz) FROM moments WHERE id IN (1, 2, 3, 4, 13);

-- name: truncation
SELECT id, date_trunc('minute', ts), date_trunc('hour', ts), date_trunc('day', ts), date_trunc('month', ts) FROM moments ORDER BY id;

-- name: truncation_of_longer_units
SELECT id, date_trunc('week', ts), date_trunc('quarter', ts), date_trunc('year', ts), date_trunc('decade', ts), date_trunc('century', ts) FROM moments WHERE id NOT IN (7, 8) ORDER BY id;

-- name: truncation_of_small_units
SELECT id, date_trunc('second', ts), date_trunc('milliseconds', ts), date_trunc('microseconds', ts) FROM moments WHERE id IN (1, 2, 3, 4, 13);

-- name: truncation_with_zone
-- with: TimeZone = 'America/New_York'
SELECT id, date_trunc('day', tz), date_trunc('day', tz, 'Asia/Tokyo') FROM moments WHERE id IN (1, 3, 4, 9, 12);

-- name: truncation_unknown_unit
SELECT date_trunc('fortnight', ts) FROM moments;

-- name: binning
SELECT id, date_bin('15 minutes', ts, TIMESTAMP '2001-01-01') FROM moments WHERE id IN (1, 2, 3, 4, 12, 13);

-- name: group_by_minute
SELECT date_trunc('hour', ts) AS hour, count(*), min(ts), max(ts) FROM moments WHERE id > 8 GROUP BY hour ORDER BY hour;

-- name: extremes
SELECT min(ts), max(ts), min(tz), max(tz) FROM moments;

-- name: inputs
SELECT '2024-01-02 03:04:05'::timestamp, '2024-01-02T03:04:05Z'::timestamptz, 'Jan 2 2024 3:04 PM'::timestamp, '20240102T030405'::timestamp, '2024-01-02 03:04:05.123456789'::timestamp, '2024-01-02'::timestamp;

-- name: inputs_with_zones
SELECT '2024-01-02 03:04:05+05:30'::timestamptz, '2024-07-02 03:04:05 PST'::timestamptz, '2024-07-02 03:04:05 Europe/Paris'::timestamptz, '2024-01-02 03:04:05-08'::timestamp;

-- name: input_garbage
SELECT 'yesterdayish'::timestamp;

-- name: input_hour_out_of_range
SELECT '2024-01-01 25:00:00'::timestamp;

-- name: input_year_out_of_range
SELECT '294277-01-01'::timestamp;

-- name: precision
SELECT '2024-01-02 03:04:05.678901'::timestamp(0), '2024-01-02 03:04:05.678901'::timestamp(3), '2024-12-31 23:59:59.9999'::timestamptz(2);

-- name: to_text
SELECT id, ts::text, tz::text FROM moments ORDER BY id;

-- name: casts
SELECT id, ts::date, ts::time, tz::date FROM moments WHERE id NOT IN (5, 6) ORDER BY id;

-- name: to_char_of_timestamp
SELECT to_char(ts, 'YYYY-MM-DD HH24:MI:SS.US'), to_char(ts, 'HH12:MI AM'), to_char(ts, 'Mon DD, YY'), to_char(ts, 'SSSS MS "at" CC'), to_char(tz, 'TZ OF') FROM moments WHERE id IN (2, 3, 12) ORDER BY id;

-- name: to_timestamp_of_epoch
SELECT to_timestamp(0), to_timestamp(1709210096.789), to_timestamp(-1);

-- name: to_timestamp_of_text
SELECT to_timestamp('2024-02-29 12:34:56', 'YYYY-MM-DD HH24:MI:SS'), to_timestamp('05 Dec 2000', 'DD Mon YYYY');

-- name: make_timestamps
SELECT make_timestamp(2024, 2, 29, 12, 34, 56.789), make_timestamptz(2024, 2, 29, 12, 34, 56.789, 'Europe/Berlin');

-- name: age_of_timestamps
SELECT age(TIMESTAMP '2024-02-29 12:00', TIMESTAMP '2000-01-31 13:30'), age(TIMESTAMP '2000-01-01', TIMESTAMP '2000-01-01'), age(TIMESTAMP '2000-01-31', TIMESTAMP '2024-02-29');

-- name: timestamp_against_timestamptz
-- with: TimeZone = 'Europe/Berlin'
SELECT id, ts = tz, ts < tz FROM moments WHERE id NOT IN (7, 8) ORDER BY id;

-- name: generate_timestamps
SELECT * FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-02', INTERVAL '8 hours') AS g (moment);

-- name: date_add_functions
SELECT date_add('2024-03-30 12:00+01'::timestamptz, '1 day'::interval, 'Europe/Berlin'), date_subtract('2024-03-31 12:00+02'::timestamptz, '1 day'::interval, 'Europe/Berlin');

-- name: justify_and_isfinite
SELECT id, isfinite(ts), isfinite(tz) FROM moments ORDER BY id;

-- name: in_hours_east
-- with: TimeZone = -8
SELECT TIMESTAMPTZ '2024-07-01 12:00+00', current_setting('TimeZone');

-- name: in_a_posix_rule
-- with: TimeZone = 'foo5bar'
SELECT TIMESTAMPTZ '2024-07-01 12:00+00', TIMESTAMPTZ '2024-01-01 12:00+00', current_setting('TimeZone');

-- name: digits_by_a_call
SELECT id, "timestamp"(ts, 1), "timestamptz"(tz, 1), "timestamp"(ts, -1) FROM moments;

-- name: too_many_digits_by_a_call
SELECT id, "timestamp"(ts, 7) FROM moments;

-- name: too_few_digits_by_a_call
SELECT id, "timestamptz"(tz, -2) FROM moments;

-- name: too_many_digits_of_an_infinity
SELECT "timestamp"(timestamp 'infinity', 7);
