-- Intervals: three fields, normalised only for comparison.
-- setup
CREATE TABLE spans (id int, v interval) USING mergetree;
INSERT INTO spans VALUES
  (1, '0'), (2, '1 day'), (3, '24 hours'), (4, '1 month'), (5, '30 days'), (6, NULL), (7, '-1 day 02:03:04'), (8, '1 year 2 months 3 days 04:05:06.789'),
  (9, '-178000000 years'), (10, '178000000 years'), (11, '-00:00:00.000001'), (12, '1 mon -1 day'), (13, 'infinity'), (14, '-infinity'), (15, '100 hours');

-- name: all_rows
SELECT * FROM spans ORDER BY id;

-- name: order_by_interval
SELECT id, v FROM spans ORDER BY v, id;

-- name: equality_normalises
SELECT id FROM spans WHERE v = '24 hours' ORDER BY id;

-- name: months_are_thirty_days
SELECT id FROM spans WHERE v = '30 days' ORDER BY id;

-- name: comparisons
SELECT id, v < '1 day', v > '29 days 24:00:00', v <> '1 mon' FROM spans ORDER BY id;

-- name: addition
SELECT id, v + INTERVAL '1 day', v - INTERVAL '1 month', -v FROM spans WHERE id NOT IN (9, 10) ORDER BY id;

-- name: multiplication
SELECT id, v * 2, v * 1.5, v / 3, 0.5 * v FROM spans WHERE id NOT IN (9, 10) ORDER BY id;

-- name: division_by_zero
SELECT v / 0 FROM spans WHERE id = 2;

-- name: overflow
SELECT v + v FROM spans WHERE id = 10;

-- name: fields
SELECT id, extract(year from v), extract(month from v), extract(day from v), extract(hour from v), extract(second from v), extract(epoch from v) FROM spans ORDER BY id;

-- name: more_fields
SELECT id, extract(decade from v), extract(quarter from v), extract(minute from v), extract(milliseconds from v), date_part('epoch', v) FROM spans ORDER BY id;

-- name: truncation
SELECT id, date_trunc('hour', v), date_trunc('day', v), date_trunc('month', v), date_trunc('year', v) FROM spans WHERE id NOT IN (13, 14) ORDER BY id;

-- name: justification
SELECT id, justify_days(v), justify_hours(v), justify_interval(v) FROM spans WHERE id NOT IN (9, 10) ORDER BY id;

-- name: inputs
SELECT '1-2'::interval, '3 4:05:06'::interval, 'P1Y2M3DT4H5M6S'::interval, 'P0001-02-03T04:05:06'::interval, '1 week 2 days ago'::interval, '1.5 days'::interval, '90 minutes'::interval, '@ 1 hour'::interval;

-- name: inputs_with_fields
SELECT INTERVAL '1' YEAR, INTERVAL '2' MONTH, INTERVAL '3' DAY, INTERVAL '4' HOUR, INTERVAL '5' MINUTE, INTERVAL '6.7' SECOND, INTERVAL '1-2' YEAR TO MONTH, INTERVAL '3 04:05' DAY TO MINUTE;

-- name: input_garbage
SELECT 'one day'::interval;

-- name: input_out_of_range
SELECT '1e20 years'::interval;

-- name: precision
SELECT INTERVAL '1.23456789 seconds', '1.23456789 seconds'::interval(2), INTERVAL(0) '1.5 seconds';

-- name: make_interval
SELECT make_interval(1, 2, 3, 4, 5, 6, 7.5), make_interval();

-- name: aggregates
SELECT sum(v), avg(v), min(v), max(v), count(v) FROM spans WHERE id NOT IN (9, 10, 13, 14);

-- name: aggregates_with_infinity
SELECT sum(v), avg(v), max(v) FROM spans WHERE id IN (2, 13);

-- name: group_by_interval_normalises
SELECT count(*) AS n, min(id) FROM spans GROUP BY v ORDER BY n DESC, min(id);

-- name: distinct_intervals
SELECT count(DISTINCT v) FROM spans;

-- name: to_text
SELECT id, v::text, length(v::text) FROM spans ORDER BY id;

-- name: style_iso_8601
-- with: IntervalStyle = 'iso_8601'
SELECT id, v FROM spans ORDER BY id;

-- name: style_verbose
-- with: IntervalStyle = 'postgres_verbose'
SELECT id, v FROM spans ORDER BY id;

-- name: style_sql
-- with: IntervalStyle = 'sql_standard'
SELECT id, v FROM spans ORDER BY id;

-- name: to_time
SELECT id, v::time FROM spans WHERE id IN (1, 2, 3, 7, 8, 11, 15) ORDER BY id;

-- name: to_char_of_interval
SELECT to_char(v, 'DD HH24:MI:SS'), to_char(v, 'YYYY MM') FROM spans WHERE id IN (2, 8, 15) ORDER BY id;
