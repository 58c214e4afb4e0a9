-- Two thousand rows: several blocks, dictionaries, runs, skewed groups, wide ranges.
-- setup
CREATE TABLE many (id int, small int2, wide int8, ratio float8, price numeric(12, 2), city text, url text, day date, moment timestamp, flag bool)
  USING mergetree WITH (order_by = 'city, id');
INSERT INTO many SELECT g, (g % 7)::int2, (g::int8 * 1000003) % 100000007 - 50000000, (g % 1000) / 8.0, ((g * 37) % 10000)::numeric / 100,
    CASE WHEN g % 11 = 0 THEN NULL ELSE 'city ' || (g % 5) END,
    'http://host' || (g % 13) || '.example.com/path/' || (g % 101) || '?q=' || repeat('x', g % 20),
    DATE '2024-01-01' + g % 60, TIMESTAMP '2024-01-01' + g * INTERVAL '17 minutes', CASE WHEN g % 3 = 0 THEN true WHEN g % 3 = 1 THEN false END
  FROM generate_series(1, 2000) AS g;

-- name: counts
SELECT count(*), count(city), count(flag), count(DISTINCT city), count(DISTINCT url), count(DISTINCT wide) FROM many;

-- name: sums
SELECT sum(id), sum(small), sum(wide), sum(ratio), sum(price), avg(id), avg(wide), avg(price), avg(ratio) FROM many;

-- name: extremes
SELECT min(id), max(id), min(wide), max(wide), min(url), max(url), min(day), max(moment), min(price), max(price) FROM many;

-- name: point_lookup
SELECT id, wide, price, city FROM many WHERE id = 1234;

-- name: key_range
SELECT count(*), sum(price) FROM many WHERE city = 'city 3' AND id BETWEEN 500 AND 700;

-- name: filter_by_range_of_dates
SELECT count(*), min(id), max(id) FROM many WHERE day >= '2024-01-15' AND day < '2024-02-01';

-- name: filter_by_text
SELECT count(*), sum(small) FROM many WHERE url LIKE 'http://host7.%' AND city <> 'city 1';

-- name: filter_by_infix
SELECT count(*) FROM many WHERE url LIKE '%path/77?%';

-- name: filter_by_flag
SELECT flag, count(*), sum(wide) FROM many WHERE flag IS NOT TRUE GROUP BY flag ORDER BY flag;

-- name: group_by_text
SELECT city, count(*), sum(price), avg(wide), min(url) FROM many GROUP BY city ORDER BY city;

-- name: group_by_small_int
SELECT small, count(*), sum(id), max(price) FROM many GROUP BY small ORDER BY small;

-- name: group_by_many_distinct
SELECT url, count(*) AS c, sum(id) FROM many GROUP BY url ORDER BY c DESC, url LIMIT 20;

-- name: group_by_unique_key
SELECT count(*), sum(c) FROM (SELECT wide, count(*) AS c FROM many GROUP BY wide) AS q;

-- name: group_by_three_keys
SELECT city, small, flag, count(*) FROM many GROUP BY city, small, flag ORDER BY count(*) DESC, city, small, flag LIMIT 25;

-- name: group_by_expression
SELECT extract(hour from moment) AS h, count(*), sum(price) FROM many GROUP BY h ORDER BY h;

-- name: group_by_truncated_time
SELECT date_trunc('day', moment) AS d, count(*) FROM many WHERE id < 900 GROUP BY d ORDER BY d;

-- name: group_by_regex
SELECT regexp_replace(url, '^http://([^./]+).*$', '\1') AS host, count(*), avg(length(url)) FROM many GROUP BY host ORDER BY host;

-- name: group_having
SELECT city, day, count(*) FROM many GROUP BY city, day HAVING count(*) > 6 ORDER BY city, day;

-- name: distinct_count_by_group
SELECT city, count(DISTINCT small), count(DISTINCT url), count(DISTINCT day) FROM many GROUP BY city ORDER BY city;

-- name: top_rows
SELECT id, wide FROM many ORDER BY wide DESC LIMIT 10;

-- name: top_rows_with_ties_open
SELECT id, price FROM many ORDER BY price LIMIT 10;

-- name: top_by_text
SELECT url, id FROM many WHERE city = 'city 2' ORDER BY url, id LIMIT 10;

-- name: page_of_rows
SELECT id, city FROM many ORDER BY city DESC NULLS LAST, id LIMIT 10 OFFSET 1000;

-- name: full_sort
SELECT id, ratio FROM many ORDER BY ratio DESC, id;

-- name: sort_by_long_text
SELECT id FROM many WHERE id % 10 = 0 ORDER BY url DESC, id;

-- name: limit_without_order
SELECT id, url FROM many WHERE small = 3 LIMIT 5;

-- name: statistics (float)
SELECT stddev_samp(wide), var_pop(ratio), corr(wide, ratio), stddev(price), covar_pop(id, small) FROM many;

-- name: string_agg_by_group
SELECT small, string_agg(id::text, ',' ORDER BY id) FROM many WHERE id <= 60 GROUP BY small ORDER BY small;

-- name: division_by_zero_somewhere
SELECT sum(100 / (id - 1777)) FROM many;

-- name: division_guarded
SELECT sum(CASE WHEN id <> 1777 THEN 100 / (id - 1777) END) FROM many;

-- name: overflow_somewhere
SELECT max(id * 1100000) FROM many;

-- name: cast_failure_somewhere
SELECT sum(substr(url, 13, 1)::int) FROM many;

-- name: filter_selects_everything
SELECT sum(id) FROM many WHERE id > 0 AND url <> '' AND wide IS NOT NULL;

-- name: filter_selects_nothing
SELECT sum(id), count(*) FROM many WHERE id < 0 OR city = 'nowhere';

-- name: filter_on_ratio
SELECT count(*), sum(ratio) FROM many WHERE ratio BETWEEN 10 AND 20 AND price < 50;

-- name: in_list_of_texts
SELECT city, count(*) FROM many WHERE city IN ('city 0', 'city 4', 'city 9') GROUP BY city ORDER BY city;

-- name: scalar_subquery_threshold
SELECT count(*) FROM many WHERE price > (SELECT avg(price) FROM many);

-- name: arithmetic_on_every_row
SELECT sum(wide * 2 + id - small), sum(price * (1 - 0.1) + 0.05), sum(ratio * 1.5 - 2), count(*) FROM many;

-- name: case_buckets
SELECT CASE WHEN price < 25 THEN 'low' WHEN price < 75 THEN 'middle' ELSE 'high' END AS bucket, count(*), sum(price) FROM many GROUP BY bucket ORDER BY bucket;

-- name: text_functions_on_every_row
SELECT sum(length(url)), sum(position('path' in url)), count(DISTINCT upper(city)), count(DISTINCT left(url, 14)), max(reverse(url)) FROM many;

-- name: date_functions_on_every_row
SELECT extract(dow from day) AS dow, count(*), min(moment::time), max(moment - day) FROM many GROUP BY dow ORDER BY dow;

-- name: percentiles_of_many
SELECT percentile_cont(0.37) WITHIN GROUP (ORDER BY ratio), percentile_cont(0.37) WITHIN GROUP (ORDER BY wide DESC), percentile_disc(0.9) WITHIN GROUP (ORDER BY moment), mode() WITHIN GROUP (ORDER BY small), mode() WITHIN GROUP (ORDER BY small DESC) FROM many;

-- name: percentiles_by_many_groups
SELECT id % 301 AS part, percentile_cont(0.5) WITHIN GROUP (ORDER BY wide), percentile_disc(0.25) WITHIN GROUP (ORDER BY day DESC), mode() WITHIN GROUP (ORDER BY flag) FROM many GROUP BY 1 ORDER BY 1;

-- name: percentiles_by_city
SELECT city, percentile_cont(0.5) WITHIN GROUP (ORDER BY ratio), percentile_cont(0.5) WITHIN GROUP (ORDER BY price), mode() WITHIN GROUP (ORDER BY url) FROM many GROUP BY city ORDER BY city;
