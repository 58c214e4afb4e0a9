-- What WITH queries give that several places read, and left joins that ask for rows without a partner.
-- setup
CREATE TABLE t (a int, b int, c int, s text);
INSERT INTO t SELECT i, i % 7, i % 3, 'text ' || i FROM generate_series(1, 60) AS g (i);

-- name: each_row_of_one_with_one_of_the_other
with w as (select a,b from t) select count(*) from w, w v where w.a=v.b;

-- name: one_reads_another_under_other_names
with w(x,y) as (select a,a from t), v as (select x,y from w where x<5 union all select y,x from w where y>55) select v.x,w.y from v,v z,w where v.x=z.y and w.x=v.x order by 1,2;

-- name: recursive_and_read_twice
with recursive r as (select a,b from t where a<4 union select a+10,b from r where a<40) select x.a,y.a from r x, r y where x.b=1 and y.b=2 and x.a=y.a-1 order by 1,2;

-- name: read_by_correlated_subqueries
with w as (select a,b,s from t) select a,(select max(s) from w where w.b=t.b) m,(select count(*) from w where w.b=t.c) n from t order by 1;

-- name: read_by_in
with w as (select a,b,c from t) select * from t where a in (select a from w where b=2) and c in (select c from w where a=3) order by a;

-- name: conditions_on_row_numbers
with w as (select a,b,c, row_number() over (partition by b order by a) r from t) select x.a,y.a from w x,w y where x.r=1 and y.r=2 and x.b=y.b order by 1;

-- name: conditions_on_partitions
with w as (select a,b,c, row_number() over (partition by b order by a) r from t) select x.a,y.a from w x,w y where x.b=1 and y.b=1 and x.r=y.r+1 order by 1;

-- name: conditions_on_keys_of_sets
with w as (select b,c,count(*) n,sum(a) s from t group by rollup(b,c)) select x.b,y.c,x.n,y.s from w x,w y where x.b=1 and y.b=1 and x.c is null and y.c=2 order by 1,2,3;

-- name: conditions_above_a_limit
with w as (select a,b,c from t order by a limit 10) select x.a,y.a from w x,w y where x.b=1 and y.b=2 order by 1,2;

-- name: volatile_columns_are_computed_once
with w as (select a,b, random() as r from t) select count(*) from w x, w y where x.a=y.a and x.r=y.r and x.b=1;

-- name: conditions_on_a_difference
with w as (select a,b from t except select c,b from t) select x.a,y.a from w x,w y where x.a=7 and y.b=2 order by 1,2;

-- name: conditions_on_rows_made_of_arrays
with w as (select a,b,unnest(array[c,c+1]) u from t) select x.a,y.u from w x,w y where x.u=1 and y.u=2 and x.a=y.a order by 1,2;

-- name: inside_another
with w as (with i as (select a,b,c from t) select x.a,y.c from i x,i y where x.b=1 and y.b=2 and x.a=y.a+1) select p.a,q.c from w p left join w q on p.a=q.a and q.c=1 order by 1,2;

-- name: read_by_both_sides_of_a_full_join
with w as (select a,b,c from t) select p.a,q.a from w p full join w q on p.a=q.a+1 and q.b=3 where coalesce(p.b,1)=4 order by 1,2;

-- name: read_laterally
with w as (select a,b,c from t) select p.a,q.n from w p, lateral (select count(*) n from w q where q.b=p.c and q.a<p.a) q where p.b=2 order by 1;

-- name: read_by_exists
with w as (select a,b from t) select p.a from w p where exists(select from w q where q.a=p.a+1 and q.b=3) and not exists (select from w z where z.a=p.a+2 and z.b=4) order by 1;

-- name: left_join_without_partner
select x.a, y.b from t x left join t y on x.a=y.b where y.b is null order by 1,2;

-- name: left_join_without_partner_and_a_condition
select x.a, y.b,y.a from t x left join t y on x.a=y.b and y.c=1 where y.b is null and x.c=1 order by 1,2;

-- name: left_joins_without_partner_behind_one_another
select x.a, y.b,z.a from t x left join t y on x.a=y.b left join t z on z.a=y.a+50 where z.a is null order by 1,2,3 limit 40;

-- name: left_join_with_null_in_a_partner
select x.a, count(*) from t x left join (select b, null::int as n from t) y on x.a=y.b where y.n is null group by 1 order by 1;

-- name: left_join_without_partner_by_or
select x.a from t x left join t y on x.a=y.b or y.c=5 where y.b is null order by 1;

-- name: condition_above_a_union
select * from (select a,'x' k from t union all select b,'y' from t) u where k='y' and a>5 order by 1,2;
