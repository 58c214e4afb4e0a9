-- Dates and times of day.
-- setup
CREATE TABLE days (id int, d date, t time) USING mergetree WITH (order_by = 'd');
INSERT INTO days VALUES
  (1, '2000-01-01', '00:00:00'), (2, '1999-12-31', '23:59:59.999999'), (3, '2024-02-29', '12:34:56'), (4, NULL, NULL),
  (5, 'infinity', '24:00:00'), (6, '-infinity', '00:00:00.000001'), (7, '4713-01-01 BC', '01:02:03.4'), (8, '5874897-12-31', '13:00'),
  (9, '0001-01-01', '06:30'), (10, '1970-01-01', '18:45:30.5'), (11, '2023-12-31', '08:00'), (12, '2024-12-30', '08:00'), (13, '0044-03-15 BC', '12:00');

-- name: all_rows
SELECT * FROM days ORDER BY id;

-- name: order_by_date
SELECT id, d FROM days ORDER BY d NULLS FIRST;

-- name: date_plus_integer
SELECT id, d + 1, d - 1, 7 + d FROM days WHERE id NOT IN (7, 8) ORDER BY id;

-- name: date_difference
SELECT id, d - DATE '2000-01-01' FROM days WHERE isfinite(d) ORDER BY id;

-- name: date_difference_of_infinity
SELECT d - DATE '2000-01-01' FROM days WHERE id = 5;

-- name: date_overflow
SELECT d + 1 FROM days WHERE id = 8;

-- name: date_underflow
SELECT d - 100000 FROM days WHERE id = 7;

-- name: date_plus_time_and_interval
SELECT id, d + t, d + INTERVAL '1 month', d - INTERVAL '1 day 02:00' FROM days WHERE id IN (1, 2, 3, 4, 9, 10, 11);

-- name: month_arithmetic_clamps
SELECT DATE '2024-01-31' + INTERVAL '1 month', DATE '2024-02-29' + INTERVAL '1 year', DATE '2024-03-31' - INTERVAL '1 month';

-- name: comparisons
SELECT id, d < '2000-01-02', d = DATE '2024-02-29', d >= '-infinity', d <> d FROM days ORDER BY id;

-- name: filter_range
SELECT id FROM days WHERE d BETWEEN '1999-01-01' AND '2023-12-31' ORDER BY d;

-- name: filter_against_timestamp
SELECT id FROM days WHERE d > TIMESTAMP '2024-02-28 12:00:00' ORDER BY id;

-- name: extract_fields
SELECT id, extract(year from d), extract(month from d), extract(day from d), extract(dow from d), extract(doy from d) FROM days WHERE isfinite(d) ORDER BY id;

-- name: extract_more_fields
SELECT id, extract(week from d), extract(isoyear from d), extract(isodow from d), extract(quarter from d), extract(century from d), extract(decade from d), extract(millennium from d), extract(epoch from d), extract(julian from d) FROM days WHERE isfinite(d) ORDER BY id;

-- name: extract_from_infinity
SELECT extract(year from d), extract(epoch from d), extract(day from d) FROM days WHERE id = 5;

-- name: extract_time_from_date
SELECT extract(hour from d) FROM days;

-- name: extract_from_time
SELECT id, extract(hour from t), extract(minute from t), extract(second from t), extract(milliseconds from t), extract(microseconds from t), extract(epoch from t) FROM days ORDER BY id;

-- name: date_part_gives_double
SELECT id, date_part('year', d), date_part('dow', d), date_part('second', t) FROM days WHERE id < 5;

-- name: extract_unknown_field
SELECT extract(fortnight from d) FROM days;

-- name: date_trunc_of_date
SELECT id, date_trunc('month', d), date_trunc('year', d), date_trunc('week', d), date_trunc('quarter', d) FROM days WHERE id IN (1, 2, 3, 4, 5, 10, 11, 12);

-- name: make_date
SELECT make_date(2024, 2, 29), make_date(-44, 3, 15), make_time(12, 34, 56.789);

-- name: make_date_invalid
SELECT make_date(2023, 2, 29);

-- name: make_time_invalid
SELECT make_time(25, 0, 0);

-- name: date_inputs
SELECT 'January 8, 1999'::date, '1999-01-08'::date, '1/8/1999'::date, '19990108'::date, '1999.008'::date, 'Jan-08-1999'::date, '08-Jan-99'::date, 'J2451187'::date, 'epoch'::date;

-- name: date_input_invalid_day
SELECT '2023-02-29'::date;

-- name: date_input_garbage
SELECT 'not a date'::date;

-- name: date_input_out_of_range
SELECT '5874898-01-01'::date;

-- name: date_input_invalid_month
SELECT '2024-13-01'::date;

-- name: time_inputs
SELECT '04:05:06.789'::time, '04:05'::time, '040506'::time, '04:05 PM'::time, '04:05:06.1234567'::time, 'allballs'::time, '23:59:60'::time;

-- name: time_input_invalid
SELECT '25:00'::time;

-- name: time_precision
SELECT '12:34:56.789'::time(0), '12:34:56.789'::time(1), '23:59:59.9999'::time(2);

-- name: time_arithmetic
SELECT id, t + INTERVAL '1 hour', t - INTERVAL '30 minutes', t - TIME '01:00' FROM days ORDER BY id;

-- name: time_order
SELECT id, t FROM days ORDER BY t DESC NULLS LAST, id;

-- name: time_extremes
SELECT min(t), max(t), min(d), max(d), count(d) FROM days;

-- name: group_by_date_part
SELECT extract(month from d) AS month, count(*) FROM days WHERE isfinite(d) GROUP BY 1 ORDER BY 1;

-- name: group_by_date
SELECT d, count(*) FROM days GROUP BY d ORDER BY d;

-- name: date_to_text
SELECT id, d::text, t::text, d || ' ' || t FROM days ORDER BY id;

-- name: to_char_of_date
SELECT to_char(d, 'YYYY-MM-DD'), to_char(d, 'Day, DD Month YYYY'), to_char(d, 'FMDay, FMDD FMMonth'), to_char(d, 'IYYY-IW-ID'), to_char(d, 'Q J DDD D') FROM days WHERE id IN (1, 3, 12);

-- name: to_date
SELECT to_date('29 02 2024', 'DD MM YYYY'), to_date('05 Dec 2000', 'DD Mon YYYY'), to_date('2024-060', 'YYYY-DDD');

-- name: to_date_out_of_range
SELECT to_date('2024-02-30', 'YYYY-MM-DD');

-- name: date_style
-- with: DateStyle = 'German'
SELECT d FROM days WHERE id IN (1, 3, 13) ORDER BY id;

-- name: date_style_sql_dmy
-- with: DateStyle = 'SQL, DMY'
SELECT d, '03/04/2024'::date FROM days WHERE id IN (1, 3);

-- name: casts_between
SELECT d::timestamp, d::timestamptz, (d + t)::date, (d + t)::time, t::interval FROM days WHERE id IN (1, 3, 10);

-- name: generate_dates
SELECT g::date FROM generate_series(DATE '2024-02-27', DATE '2024-03-02', INTERVAL '1 day') AS g;

-- name: is_finite
SELECT id, isfinite(d) FROM days ORDER BY id;

-- name: age_of_dates
SELECT age(DATE '2024-03-01', DATE '2023-12-31'), age(DATE '2000-01-01', DATE '2024-02-29');

-- name: overlaps
SELECT (DATE '2024-01-01', DATE '2024-02-01') OVERLAPS (DATE '2024-01-15', DATE '2024-03-01'), (DATE '2024-01-01', INTERVAL '10 days') OVERLAPS (DATE '2024-01-11', INTERVAL '1 day');

-- name: date_style_of_moments
-- with: DateStyle = 'SQL, MDY'
-- with: TimeZone = 'America/New_York'
SELECT TIMESTAMP '2024-02-29 10:11:12.5', TIMESTAMPTZ '2024-02-29 10:11:12.5+00', DATE '0044-03-15 BC';

-- name: date_style_postgres
-- with: DateStyle = 'Postgres, DMY'
-- with: TimeZone = 'America/New_York'
SELECT TIMESTAMP '2024-02-29 10:11:12.5', TIMESTAMPTZ '2024-02-29 10:11:12.5+00', DATE '2024-02-29', TIMESTAMP '0044-03-15 01:00 BC';
