-- bytea and uuid.
-- setup
CREATE TABLE bytes (id int, b bytea, u uuid) USING mergetree;
INSERT INTO bytes VALUES
  (1, '', '00000000-0000-0000-0000-000000000000'), (2, '\x00', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
  (3, '\xdeadbeef', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'), (4, NULL, NULL), (5, 'abc', '{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A12}'),
  (6, '\x616263', 'a0eebc999c0b4ef8bb6d6bb9bd380a13'), (7, '\x00ff00ff00ff00ff00ff00ff00ff00ff', '80000000-0000-0000-0000-000000000000'), (8, 'a\\b\001', '7fffffff-ffff-ffff-ffff-ffffffffffff');

-- name: all_rows
SELECT * FROM bytes ORDER BY id;

-- name: order_of_bytes
SELECT id, b FROM bytes ORDER BY b NULLS FIRST, id;

-- name: order_of_uuids
SELECT id, u FROM bytes ORDER BY u DESC NULLS LAST;

-- name: comparisons
SELECT id, b = 'abc', b < '\xde', u = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', u > '80000000-0000-0000-0000-000000000000' FROM bytes ORDER BY id;

-- name: lengths
SELECT id, length(b), octet_length(b), bit_length(b) FROM bytes ORDER BY id;

-- name: concatenation_and_substring
SELECT id, b || '\x01'::bytea, substring(b from 2 for 2), substr(b, 2), position('\xff'::bytea in b) FROM bytes ORDER BY id;

-- name: encodings
SELECT id, encode(b, 'hex'), encode(b, 'base64'), encode(b, 'escape'), md5(b) FROM bytes ORDER BY id;

-- name: digests
SELECT id, sha256(b), sha224(b), crc32(b) FROM bytes ORDER BY id;

-- name: single_bytes
SELECT get_byte('\xdeadbeef'::bytea, 1), set_byte('\xdeadbeef'::bytea, 1, 0), get_bit('\x80'::bytea, 7), bit_count('\xff01'::bytea);

-- name: get_byte_out_of_range
SELECT get_byte(b, 10) FROM bytes WHERE id = 3;

-- name: conversions
SELECT convert_from('\x616263'::bytea, 'UTF8'), convert_to('äb', 'UTF8'), convert_from('\xe4'::bytea, 'LATIN1');

-- name: convert_from_bad_utf8
SELECT convert_from('\xff'::bytea, 'UTF8');

-- name: input_bad_hex
SELECT '\xabc'::bytea;

-- name: input_bad_escape
SELECT 'a\9'::bytea;

-- name: uuid_bad_input
SELECT 'a0eebc99-9c0b-4ef8-bb6d'::uuid;

-- name: groups
SELECT b, count(*) FROM bytes GROUP BY b ORDER BY b;

-- name: distinct_counts
SELECT count(DISTINCT b), count(DISTINCT u), count(u), min(b), max(b) FROM bytes;

-- name: trims
SELECT trim('\x00'::bytea from '\x00610000'::bytea), btrim('\x6162'::bytea, '\x61'::bytea), reverse('\x0102'::bytea);

-- name: output_escape
-- with: bytea_output = 'escape'
SELECT id, b FROM bytes ORDER BY id;

-- name: uuid_functions
SELECT uuid_extract_version('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'), gen_random_uuid() IS NOT NULL, uuid_extract_version(uuidv7());
