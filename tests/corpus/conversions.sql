-- Casts between text and other types, over columns: forms that the machine code reads and writes, and those beyond them.
-- setup
CREATE TABLE int4_texts (id int, s text) USING mergetree;
INSERT INTO int4_texts VALUES (1, '1'), (2, '-7'), (3, '+5'), (4, ' 42 '), (5, '2147483647'), (6, '-2147483648'), (7, '-2147483647'), (8, '1_000'), (9, '0x1F'), (10, '0b101'), (11, '0o17'), (12, '-0'), (13, '00000000000000000000012'), (14, NULL);
CREATE TABLE int2_texts (id int, s text) USING mergetree;
INSERT INTO int2_texts VALUES (1, '32767'), (2, '-32768'), (3, '+1'), (4, '007'), (5, '1_0'), (6, NULL);
CREATE TABLE int8_texts (id int, s text) USING mergetree;
INSERT INTO int8_texts VALUES (1, '9223372036854775807'), (2, '-9223372036854775808'), (3, '-9223372036854775807'), (4, '1000000000000000000'), (5, '0'), (6, NULL);
CREATE TABLE float8_texts (id int, s text) USING mergetree;
INSERT INTO float8_texts VALUES (1, '1'), (2, '-0'), (3, '0.1'), (4, '1e5'), (5, '1e-5'), (6, '1.5E+3'), (7, '123456789012345678'), (8, '0.12345678901234567'), (9, '1234567.8901234567'), (10, '9.109e-31'), (11, '1e308'), (12, '4.9e-324'), (13, 'inf'), (14, '-Infinity'), (15, 'nan'), (16, '.5'), (17, '5.'), (18, ' 1 '), (19, '-1.7976931348623157e308'), (20, '18446744073709551616'), (21, '0.30000000000000004'), (22, '9007199254740993'), (23, '9007199254740993.0'), (24, '0e500'), (25, '0.000000000000000000000001'), (26, '1e22'), (27, '1e23'), (28, '8.5e-23'), (29, '2.2250738585072011e-308'), (30, '0x1p3'), (31, NULL);
CREATE TABLE float4_texts (id int, s text) USING mergetree;
INSERT INTO float4_texts VALUES (1, '0.1'), (2, '16777217'), (3, '3.4e38'), (4, '0.30000000000000004'), (5, '1.17549435e-38'), (6, '-0'), (7, '8388608.5'), (8, '16777219.0000001'), (9, '1e10'), (10, '1e11'), (11, '33554433.5'), (12, 'NaN'), (13, NULL);
CREATE TABLE numeric_texts (id int, s text) USING mergetree;
INSERT INTO numeric_texts VALUES (1, '1'), (2, '-0'), (3, '-0.00'), (4, '0.10'), (5, '1e5'), (6, '123456789012345678.90'), (7, '1234567890123456789012'), (8, '18446744073709551616'), (9, '9223372036854775808'), (10, '.5'), (11, '5.'), (12, '-.5'), (13, 'NaN'), (14, '-Infinity'), (15, ' 1.5 '), (16, '0.0000000000000000000000000001'), (17, '1_000.5'), (18, '0x10'), (19, NULL);
CREATE TABLE date_texts (id int, s text) USING mergetree;
INSERT INTO date_texts VALUES (1, '2024-02-29'), (2, '0001-01-01'), (3, '9999-12-31'), (4, '10000-01-01'), (5, '2024-02-29 10:00'), (6, '2024-02-29 23:59:59.9+05'), (7, '2024-2-9'), (8, 'Feb 29 2024'), (9, 'infinity'), (10, '-infinity'), (11, '0044-03-15 BC'), (12, '20240229'), (13, '2024.02.29'), (14, '2000-02-29'), (15, 'epoch'), (16, NULL);
CREATE TABLE timestamp_texts (id int, s text) USING mergetree;
INSERT INTO timestamp_texts VALUES (1, '2024-02-29'), (2, '2024-02-29 12:34'), (3, '2024-02-29T12:34:56'), (4, '2024-02-29 12:34:56.7'), (5, '2024-02-29 12:34:56.123456'), (6, '2024-02-29 12:34:56.1234567'), (7, '2024-02-29 24:00'), (8, '2024-02-29 24:00:00'), (9, '2024-02-29 23:59:60'), (10, '2024-02-29 12:34:56+02'), (11, '2024-02-29 12:34:56Z'), (12, '2024-02-29 12:34:56.'), (13, '2024-02-29 '), (14, 'infinity'), (15, '0044-03-15 12:00 BC'), (16, '2024-02-29 12:34:56 PM'), (17, '  2024-02-29 12:34'), (18, NULL);
CREATE TABLE timestamptz_texts (id int, s text) USING mergetree;
INSERT INTO timestamptz_texts VALUES (1, '2024-02-29'), (2, '2024-07-29 12:34'), (3, '2024-02-29T12:34:56Z'), (4, '2024-02-29 12:34:56.7+02'), (5, '2024-02-29 12:34:56-03:30'), (6, '2024-02-29 12:34:56+15:59'), (7, '2024-02-29 12:34:56+0530'), (8, '2024-02-29 12:34:56 Europe/Oslo'), (9, '-infinity'), (10, '2024-03-31 02:30'), (11, '2024-10-27 02:30'), (12, NULL);
CREATE TABLE time_texts (id int, s text) USING mergetree;
INSERT INTO time_texts VALUES (1, '12:34'), (2, '12:34:56'), (3, '12:34:56.789'), (4, '24:00:00'), (5, '12:34:56.1234567'), (6, '1:2'), (7, '12:34 PM'), (8, '23:59:60'), (9, '12:34:56+02'), (10, NULL);
CREATE TABLE bool_texts (id int, s text) USING mergetree;
INSERT INTO bool_texts VALUES (1, 'true'), (2, 't'), (3, 'f'), (4, '0'), (5, '1'), (6, 'TRUE'), (7, 'yes'), (8, 'on'), (9, ' off '), (10, 'fal'), (11, 'Y'), (12, NULL);

-- name: int4_of_texts
SELECT id, s::int4 FROM int4_texts ORDER BY id;

-- name: int2_of_texts
SELECT id, s::int2 FROM int2_texts ORDER BY id;

-- name: int8_of_texts
SELECT id, s::int8 FROM int8_texts ORDER BY id;

-- name: float8_of_texts
SELECT id, s::float8 FROM float8_texts ORDER BY id;

-- name: float4_of_texts
SELECT id, s::float4 FROM float4_texts ORDER BY id;

-- name: numeric_of_texts
SELECT id, s::numeric FROM numeric_texts ORDER BY id;

-- name: date_of_texts
SELECT id, s::date FROM date_texts ORDER BY id;

-- name: timestamp_of_texts
SELECT id, s::timestamp FROM timestamp_texts ORDER BY id;

-- name: timestamptz_of_texts
SELECT id, s::timestamptz FROM timestamptz_texts ORDER BY id;

-- name: time_of_texts
SELECT id, s::time FROM time_texts ORDER BY id;

-- name: bool_of_texts
SELECT id, s::bool FROM bool_texts ORDER BY id;

-- name: int4_of_bad_text_1
SELECT v.s::int4 FROM (SELECT CASE WHEN id = 2 THEN '2147483648' ELSE s END AS s FROM int4_texts WHERE id <= 2) v;

-- name: int4_of_bad_text_2
SELECT v.s::int4 FROM (SELECT CASE WHEN id = 2 THEN '-2147483649' ELSE s END AS s FROM int4_texts WHERE id <= 2) v;

-- name: int4_of_bad_text_3
SELECT v.s::int4 FROM (SELECT CASE WHEN id = 2 THEN '12a' ELSE s END AS s FROM int4_texts WHERE id <= 2) v;

-- name: int4_of_bad_text_4
SELECT v.s::int4 FROM (SELECT CASE WHEN id = 2 THEN '-' ELSE s END AS s FROM int4_texts WHERE id <= 2) v;

-- name: int4_of_bad_text_5
SELECT v.s::int4 FROM (SELECT CASE WHEN id = 2 THEN '+' ELSE s END AS s FROM int4_texts WHERE id <= 2) v;

-- name: int4_of_bad_text_6
SELECT v.s::int4 FROM (SELECT CASE WHEN id = 2 THEN '' ELSE s END AS s FROM int4_texts WHERE id <= 2) v;

-- name: int4_of_bad_text_7
SELECT v.s::int4 FROM (SELECT CASE WHEN id = 2 THEN '1__0' ELSE s END AS s FROM int4_texts WHERE id <= 2) v;

-- name: int4_of_bad_text_8
SELECT v.s::int4 FROM (SELECT CASE WHEN id = 2 THEN '99999999999999999999' ELSE s END AS s FROM int4_texts WHERE id <= 2) v;

-- name: int4_of_bad_text_9
SELECT v.s::int4 FROM (SELECT CASE WHEN id = 2 THEN '+-1' ELSE s END AS s FROM int4_texts WHERE id <= 2) v;

-- name: int4_of_bad_text_10
SELECT v.s::int4 FROM (SELECT CASE WHEN id = 2 THEN '1.0' ELSE s END AS s FROM int4_texts WHERE id <= 2) v;

-- name: int2_of_bad_text_1
SELECT v.s::int2 FROM (SELECT CASE WHEN id = 2 THEN '32768' ELSE s END AS s FROM int2_texts WHERE id <= 2) v;

-- name: int8_of_bad_text_1
SELECT v.s::int8 FROM (SELECT CASE WHEN id = 2 THEN '9223372036854775808' ELSE s END AS s FROM int8_texts WHERE id <= 2) v;

-- name: int8_of_bad_text_2
SELECT v.s::int8 FROM (SELECT CASE WHEN id = 2 THEN '18446744073709551617' ELSE s END AS s FROM int8_texts WHERE id <= 2) v;

-- name: int8_of_bad_text_3
SELECT v.s::int8 FROM (SELECT CASE WHEN id = 2 THEN '-9223372036854775809' ELSE s END AS s FROM int8_texts WHERE id <= 2) v;

-- name: float8_of_bad_text_1
SELECT v.s::float8 FROM (SELECT CASE WHEN id = 2 THEN '1e309' ELSE s END AS s FROM float8_texts WHERE id <= 2) v;

-- name: float8_of_bad_text_2
SELECT v.s::float8 FROM (SELECT CASE WHEN id = 2 THEN '1e-400' ELSE s END AS s FROM float8_texts WHERE id <= 2) v;

-- name: float8_of_bad_text_3
SELECT v.s::float8 FROM (SELECT CASE WHEN id = 2 THEN '.' ELSE s END AS s FROM float8_texts WHERE id <= 2) v;

-- name: float8_of_bad_text_4
SELECT v.s::float8 FROM (SELECT CASE WHEN id = 2 THEN '1e' ELSE s END AS s FROM float8_texts WHERE id <= 2) v;

-- name: float8_of_bad_text_5
SELECT v.s::float8 FROM (SELECT CASE WHEN id = 2 THEN '1e5x' ELSE s END AS s FROM float8_texts WHERE id <= 2) v;

-- name: float8_of_bad_text_6
SELECT v.s::float8 FROM (SELECT CASE WHEN id = 2 THEN '1 2' ELSE s END AS s FROM float8_texts WHERE id <= 2) v;

-- name: numeric_of_bad_text_1
SELECT v.s::numeric FROM (SELECT CASE WHEN id = 2 THEN '.' ELSE s END AS s FROM numeric_texts WHERE id <= 2) v;

-- name: numeric_of_bad_text_2
SELECT v.s::numeric FROM (SELECT CASE WHEN id = 2 THEN '1..2' ELSE s END AS s FROM numeric_texts WHERE id <= 2) v;

-- name: numeric_of_bad_text_3
SELECT v.s::numeric FROM (SELECT CASE WHEN id = 2 THEN '1e' ELSE s END AS s FROM numeric_texts WHERE id <= 2) v;

-- name: numeric_of_bad_text_4
SELECT v.s::numeric FROM (SELECT CASE WHEN id = 2 THEN '--1' ELSE s END AS s FROM numeric_texts WHERE id <= 2) v;

-- name: date_of_bad_text_1
SELECT v.s::date FROM (SELECT CASE WHEN id = 2 THEN '2023-02-29' ELSE s END AS s FROM date_texts WHERE id <= 2) v;

-- name: date_of_bad_text_2
SELECT v.s::date FROM (SELECT CASE WHEN id = 2 THEN '0000-01-01' ELSE s END AS s FROM date_texts WHERE id <= 2) v;

-- name: date_of_bad_text_3
SELECT v.s::date FROM (SELECT CASE WHEN id = 2 THEN '2024-13-01' ELSE s END AS s FROM date_texts WHERE id <= 2) v;

-- name: date_of_bad_text_4
SELECT v.s::date FROM (SELECT CASE WHEN id = 2 THEN '2024-00-01' ELSE s END AS s FROM date_texts WHERE id <= 2) v;

-- name: date_of_bad_text_5
SELECT v.s::date FROM (SELECT CASE WHEN id = 2 THEN '2024-01-00' ELSE s END AS s FROM date_texts WHERE id <= 2) v;

-- name: date_of_bad_text_6
SELECT v.s::date FROM (SELECT CASE WHEN id = 2 THEN '2024-02-29x' ELSE s END AS s FROM date_texts WHERE id <= 2) v;

-- name: date_of_bad_text_7
SELECT v.s::date FROM (SELECT CASE WHEN id = 2 THEN '2024-02-30' ELSE s END AS s FROM date_texts WHERE id <= 2) v;

-- name: timestamp_of_bad_text_1
SELECT v.s::timestamp FROM (SELECT CASE WHEN id = 2 THEN '2024-02-29 25:00' ELSE s END AS s FROM timestamp_texts WHERE id <= 2) v;

-- name: timestamp_of_bad_text_2
SELECT v.s::timestamp FROM (SELECT CASE WHEN id = 2 THEN '2024-02-29 12:60' ELSE s END AS s FROM timestamp_texts WHERE id <= 2) v;

-- name: timestamp_of_bad_text_3
SELECT v.s::timestamp FROM (SELECT CASE WHEN id = 2 THEN '2024-02-29 12:34x' ELSE s END AS s FROM timestamp_texts WHERE id <= 2) v;

-- name: timestamp_of_bad_text_4
SELECT v.s::timestamp FROM (SELECT CASE WHEN id = 2 THEN '2024-02-29 12:34:61' ELSE s END AS s FROM timestamp_texts WHERE id <= 2) v;

-- name: timestamp_of_bad_text_5
SELECT v.s::timestamp FROM (SELECT CASE WHEN id = 2 THEN '1900-02-29' ELSE s END AS s FROM timestamp_texts WHERE id <= 2) v;

-- name: timestamptz_of_bad_text_1
SELECT v.s::timestamptz FROM (SELECT CASE WHEN id = 2 THEN '2024-02-29 12:34+16' ELSE s END AS s FROM timestamptz_texts WHERE id <= 2) v;

-- name: time_of_bad_text_1
SELECT v.s::time FROM (SELECT CASE WHEN id = 2 THEN '25:00' ELSE s END AS s FROM time_texts WHERE id <= 2) v;

-- name: time_of_bad_text_2
SELECT v.s::time FROM (SELECT CASE WHEN id = 2 THEN '12:60' ELSE s END AS s FROM time_texts WHERE id <= 2) v;

-- name: time_of_bad_text_3
SELECT v.s::time FROM (SELECT CASE WHEN id = 2 THEN '' ELSE s END AS s FROM time_texts WHERE id <= 2) v;

-- name: time_of_bad_text_4
SELECT v.s::time FROM (SELECT CASE WHEN id = 2 THEN '12:34:56x' ELSE s END AS s FROM time_texts WHERE id <= 2) v;

-- name: bool_of_bad_text_1
SELECT v.s::bool FROM (SELECT CASE WHEN id = 2 THEN '' ELSE s END AS s FROM bool_texts WHERE id <= 2) v;

-- name: bool_of_bad_text_2
SELECT v.s::bool FROM (SELECT CASE WHEN id = 2 THEN '2' ELSE s END AS s FROM bool_texts WHERE id <= 2) v;

-- name: bool_of_bad_text_3
SELECT v.s::bool FROM (SELECT CASE WHEN id = 2 THEN 'tru e' ELSE s END AS s FROM bool_texts WHERE id <= 2) v;

-- name: bad_texts_that_are_not_wanted
SELECT id, CASE WHEN id < 3 THEN s::int4 END, CASE WHEN id > 3 THEN s::date END FROM date_texts WHERE id BETWEEN 3 AND 3 ORDER BY id;

-- name: numerics_of_texts_with_modifier
SELECT id, s::numeric(30, 1) FROM numeric_texts WHERE s NOT LIKE '%nf%' ORDER BY id;

-- name: timestamps_of_texts_with_precision
SELECT id, s::timestamp(1), s::timestamp(0) FROM timestamp_texts ORDER BY id;

-- name: texts_of_varchar_and_char
SELECT id, s::varchar(12)::int8, s::char(25)::int8 FROM int8_texts WHERE length(s) < 13 ORDER BY id;

-- name: texts_of_dates
SELECT id, s::date::text, 'x' || s::date || 'y' FROM date_texts ORDER BY id;

-- name: texts_of_timestamps
SELECT id, s::timestamp::text, concat(s::timestamp, '|') FROM timestamp_texts ORDER BY id;

-- name: texts_of_moments
SELECT id, s::timestamptz::text FROM timestamptz_texts ORDER BY id;

-- name: texts_of_times
SELECT id, s::time::text FROM time_texts ORDER BY id;

-- name: texts_of_numerics
SELECT id, s::numeric::text, s::numeric || '|', (s::numeric / 3)::text FROM numeric_texts ORDER BY id;

-- name: texts_of_long_numerics
SELECT id, (v * 1e15)::text, (v * 99999999999999999)::text, (-v * 1000000000000000000)::text, (v / 7)::text, (v * 1234567890.12345678901234567890)::text, (v * 0)::text FROM (SELECT id, s::numeric AS v FROM numeric_texts WHERE s !~* 'n') q ORDER BY id;

-- name: texts_of_powers_of_ten
SELECT g, (10::numeric ^ g)::numeric(40)::text, (10::numeric ^ g - 1)::numeric(40)::text, ((10::numeric ^ g)::numeric(40) / 1000)::numeric(40, 5)::text FROM generate_series(0, 36) g ORDER BY g;

-- name: texts_of_numerics_with_many_decimals
SELECT id, (s::numeric * 0.00000000000000000000000001)::text, (s::numeric * 0.00000000000000000000000000000000000000001)::text FROM numeric_texts WHERE id < 9 ORDER BY id;

-- name: texts_of_floats
SELECT id, s::float8::text, (s::float8 / 7)::text, (s::float8 * 1.1::float8)::text FROM float8_texts WHERE s NOT LIKE '%308%' AND s NOT LIKE '%324' ORDER BY id;

-- name: texts_of_single_floats
SELECT id, s::float4::text, (s::float4 / 7)::text FROM float4_texts WHERE s NOT LIKE '%38' ORDER BY id;

-- name: texts_of_nulls
SELECT count(s::date::text), count(s::float8::text), count(s::numeric || '') FROM (SELECT NULL::text AS s FROM date_texts) v;

-- name: texts_of_values_as_varchar
SELECT id, s::date::varchar(7), s::date::varchar, s::date::char(12) || '|' FROM date_texts WHERE id < 5 ORDER BY id;

-- name: pictures_of_dates
SELECT id, to_char(s::date, 'YYYY-MM-DD'), to_char(s::date, 'Mon YYYY'), to_char(s::date, 'FMMonth DDth, YYYY') FROM date_texts ORDER BY id;

-- name: pictures_of_timestamps
SELECT id, to_char(s::timestamp, 'YYYY-MM-DD"T"HH24:MI:SS.US'), to_char(s::timestamp, 'HH12:MI:SS am, SSSS SSSSth FMSSSS MS FF1 FF2 FF5') FROM timestamp_texts ORDER BY id;

-- name: pictures_of_every_day
SELECT id, to_char(s::timestamp + id * interval '37 days 5 hours 7 minutes', 'Y,YYY YYYY YYY YY Y IYYY IYY IY I CC Q MM DD DDD IDDD WW IW W D ID J BC A.D. ad b.c.') FROM timestamp_texts ORDER BY 1;

-- name: pictures_of_days_of_a_series
SELECT g, to_char(g, 'Day|DAY|day|Dy|DY|dy|Month|MONTH|month|Mon|MON|mon|RM|rm|FMDay|FMMONTH|FMrm|TMDay|TMmonth|TMRM'), to_char(g, 'FMMM FMDD FMDDD FMIDDD FMWW FMIW FMHH24 FMHH12 FMMI FMSS FMY FMYY FMYYY FMYYYY FMMS FMCC FMJ FMQ') FROM generate_series(timestamp '2023-12-20 22:58:57.000123', '2025-01-10', interval '17 days 13 hours 31 minutes') g ORDER BY g;

-- name: ordinals_in_pictures
SELECT g, to_char(g, 'DDth DDTH MMth YYYYth DDDTH FMDDth Dth IDth Wth Qth HH24th MIth SSth MSth USTH Yth Y,YYYth AMth Monthth Jth CCth TZHth') FROM generate_series(timestamp '2023-12-30 21:58:57.000111', '2024-02-10', interval '1 day 1 hour 3 minutes') g ORDER BY g;

-- name: pictures_at_the_ends_of_the_years
SELECT g, to_char(g, 'YYYY-IYYY-YY CC IW J Y,YYY'), to_char(g::timestamp, 'FMYYYY YYYYth AD') FROM (SELECT s::date FROM (VALUES ('0001-01-01'), ('0999-12-31'), ('1000-01-01'), ('1000-12-31'), ('1001-01-01'), ('1001-01-02'), ('9900-12-31'), ('9901-01-01'), ('9999-12-31'), ('10000-01-01'), ('0044-03-15 BC'), ('infinity')) v (s)) w (g) ORDER BY g;

-- name: pictures_of_moments
SELECT id, to_char(s::timestamptz, 'YYYY-MM-DD HH24:MI:SS TZH TZM'), to_char(s::timestamptz, 'HH24:MI TZ OF') FROM timestamptz_texts ORDER BY id;

-- name: pictures_with_literals
SELECT id, to_char(s::timestamp, '"Jahr: "YYYY, "äöü" \"x\" FXMM - / é'), to_char(s::timestamp, ''), to_char(s::timestamp, 'nothing') FROM timestamp_texts ORDER BY id;

-- name: pictures_from_a_column
SELECT id, to_char(timestamp '2024-02-29 12:34:56', s) FROM (VALUES (1, 'YYYY'), (2, 'Day'), (3, ''), (4, NULL)) v (id, s) ORDER BY id;

-- name: moments_of_texts_in_another_zone
SET TimeZone = 'Europe/Oslo';
SELECT id, s::timestamptz FROM timestamptz_texts ORDER BY id;

-- name: texts_of_moments_in_another_zone
SET TimeZone = 'Asia/Kathmandu';
SELECT id, s::timestamptz::text FROM timestamptz_texts ORDER BY id;

-- name: texts_of_moments_with_seconds_in_the_offset
SET TimeZone = 'Europe/Amsterdam';
SELECT (s::timestamptz - interval '130 years')::text FROM timestamptz_texts WHERE id BETWEEN 2 AND 4 ORDER BY id;

-- name: pictures_of_moments_in_another_zone
SET TimeZone = 'America/St_Johns';
SELECT id, to_char(s::timestamptz, 'YYYY-MM-DD HH24:MI:SS TZH:TZM'), to_char(s::timestamptz, 'tz TZ OF') FROM timestamptz_texts ORDER BY id;

-- name: the_usual_timezone
SET TimeZone = 'UTC';

-- name: dates_of_texts_with_days_first
SET DateStyle = 'ISO, DMY';
SELECT id, s::date FROM date_texts ORDER BY id;

-- name: texts_of_dates_in_another_style
SET DateStyle = 'SQL, DMY';
SELECT id, s::date::text FROM date_texts WHERE id < 5 ORDER BY id;

-- name: texts_of_moments_in_another_style
SET DateStyle = 'Postgres';
SELECT id, s::timestamptz::text FROM timestamptz_texts WHERE id < 5 ORDER BY id;

-- name: the_usual_datestyle
SET DateStyle = 'ISO, MDY';

-- name: texts_of_floats_with_fewer_digits
SET extra_float_digits = 0;
SELECT id, (s::float8 / 7)::text FROM float8_texts WHERE id < 10 AND id <> 12 ORDER BY id;

-- name: the_usual_extra_float_digits
SET extra_float_digits = 1;
