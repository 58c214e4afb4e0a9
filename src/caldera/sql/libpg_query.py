"""PostgreSQL's own parser, through libpg_query: text to a syntax tree, to tokens, to a fingerprint.

    text ── pg_query_parse ──▶ JSON ── msgspec ──▶ dicts: {"stmts": [{"stmt": {"SelectStmt": {...}}, "stmt_location": ...}]}

This is the only file that knows the library, so the parser can be replaced. The library is the one inside the `postgast`
wheel; the package itself is found but never imported (importing it takes longer than parsing a thousand statements).

A node of the tree is a dict of one entry, its kind and its fields: {"A_Const": {"ival": {"ival": 1}, "location": 7}}.
Fields that hold zero, false or nothing are left out (also `location`!). Locations count *bytes* from 0 in UTF-8; -1 means
unknown. Plain dicts were measured against msgspec structures and against the tree of protobuf objects: decoding takes
as long as the dicts need and a binder looks at each field once, so nothing is gained by giving them classes.
"""
import ctypes
import importlib.util
import os
import re
import sys
import threading

import msgspec

from caldera.base.errors import error
from caldera.base.forks import in_child

DEEP_LEVELS = 20_000            # so deep a tree fits the stack of any thread: a level takes about 130 bytes
LEVEL_BYTES = 512
STACK_MAX = 1 << 30
LIBRARY_NAMES = {"darwin": "libpg_query.dylib", "win32": "pg_query.dll"}


class Fault(ctypes.Structure):
    """The library's error (PgQueryError); position: in characters, from 1."""
    _fields_ = [("message", ctypes.c_char_p), ("function", ctypes.c_char_p), ("file", ctypes.c_char_p),
                ("line", ctypes.c_int), ("position", ctypes.c_int), ("context", ctypes.c_char_p)]


class Buffer(ctypes.Structure):
    """A protobuf message (PgQueryProtobuf); length: in bytes."""
    _fields_ = [("length", ctypes.c_size_t), ("data", ctypes.c_void_p)]


class ParseResult(ctypes.Structure):
    """A syntax tree as JSON (PgQueryParseResult)."""
    _fields_ = [("tree", ctypes.c_char_p), ("notices", ctypes.c_char_p), ("error", ctypes.POINTER(Fault))]


class ScanResult(ctypes.Structure):
    """The tokens of a text (PgQueryScanResult)."""
    _fields_ = [("tokens", Buffer), ("notices", ctypes.c_char_p), ("error", ctypes.POINTER(Fault))]


class NormalizeResult(ctypes.Structure):
    """A text with $n in place of its constants (PgQueryNormalizeResult)."""
    _fields_ = [("text", ctypes.c_char_p), ("error", ctypes.POINTER(Fault))]


class FingerprintResult(ctypes.Structure):
    """What texts that differ in constants alone have in common (PgQueryFingerprintResult)."""
    _fields_ = [("number", ctypes.c_uint64), ("text", ctypes.c_char_p), ("notices", ctypes.c_char_p),
                ("error", ctypes.POINTER(Fault))]


class Extent(ctypes.Structure):
    """Where a statement lies in a text, in bytes (PgQuerySplitStmt)."""
    _fields_ = [("start", ctypes.c_int), ("length", ctypes.c_int)]


class SplitResult(ctypes.Structure):
    """The statements of a text (PgQuerySplitResult)."""
    _fields_ = [("extents", ctypes.POINTER(ctypes.POINTER(Extent))), ("count", ctypes.c_int),
                ("notices", ctypes.c_char_p), ("error", ctypes.POINTER(Fault))]


_CALLS = {"parse": (ParseResult, "pg_query_parse", "pg_query_free_parse_result"),
          "scan": (ScanResult, "pg_query_scan", "pg_query_free_scan_result"),
          "normalize": (NormalizeResult, "pg_query_normalize", "pg_query_free_normalize_result"),
          "fingerprint": (FingerprintResult, "pg_query_fingerprint", "pg_query_free_fingerprint_result"),
          "split": (SplitResult, "pg_query_split_with_scanner", "pg_query_free_split_result")}


def load():
    """Find the library and give for each call the pair (call, release)."""
    package = importlib.util.find_spec("postgast")
    if package is None:
        raise error("58P01", "the SQL parser is missing", hint='Install the package "postgast".')
    name = LIBRARY_NAMES.get(sys.platform, "libpg_query.so")
    library = ctypes.CDLL(os.path.join(package.submodule_search_locations[0], name))
    calls = {}
    for verb, (result, call_name, free_name) in _CALLS.items():
        call, free = getattr(library, call_name), getattr(library, free_name)
        call.argtypes, call.restype = [ctypes.c_char_p], result
        free.argtypes, free.restype = [result], None
        calls[verb] = call, free
    return calls


_calls = load()


def run_library(verb, text, read):
    """Call the library with a text and give what `read` makes of its result; raises its error as a database error."""
    if "\0" in text:
        raise error("22021", 'invalid byte sequence for encoding "UTF8": 0x00', position=text.index("\0") + 1)
    try:
        encoded = text.encode()
    except UnicodeEncodeError as fault:             # a lone surrogate: Python can hold it, UTF-8 cannot
        raise error("22021", 'invalid byte sequence for encoding "UTF8"', position=fault.start + 1) from None
    if len(encoded) > 2 * DEEP_LEVELS and (levels := depth_bound(encoded)) > DEEP_LEVELS:
        return with_stack(min(STACK_MAX, levels * LEVEL_BYTES), lambda: call_library(verb, encoded, read))
    return call_library(verb, encoded, read)


def call_library(verb, encoded, read):
    """One call on this thread's stack, whose result is released; as `run_library`."""
    call, free = _calls[verb]
    result = call(encoded)
    try:
        if result.error:
            raise translated(result.error.contents)
        return read(result)
    finally:
        free(result)


# The library gives no SQLSTATE and no hint. Its grammar and scanner raise 42601 but for these, tried in order; a pattern is
# for the message and, in parentheses, the C function that raised it.
_SQLSTATES = [(re.compile(pattern), state) for pattern, state in [
    (r"^(syntax error|unterminated|zero-length|LIMIT #)", "42601"),
    (r"^frame (start|end)", "42P20"),
    (r"invalid byte sequence for encoding", "22021"),
    (r"^unsafe use of \\' in a string literal", "22P06"),
    (r"^invalid Unicode escape \(core_yylex\)", "22025"),
    (r"^precision for type float must be", "22023"),
    (r"not (yet )?implemented|(not|no longer) supported|cannot be marked|unsafe use of string constant", "0A000"),
    (r"^stack depth limit exceeded", "54001"),
]]
_HINTS = {"LIMIT #,# syntax is not supported": "Use separate LIMIT and OFFSET clauses.",
          "invalid Unicode escape (core_yylex)": r"Unicode escapes must be \uXXXX or \UXXXXXXXX.",
          "invalid Unicode escape": r"Unicode escapes must be \XXXX or \+XXXXXX.",
          **dict.fromkeys(['syntax error at or near "=>"', 'syntax error at or near ":="'],
                          'The name of a function\'s argument that is a reserved word stands in quotes: "null" => ...')}


def translated(fault):
    """The library's error as ours. The position is already in characters, from 1; 0 means that there is none."""
    message, function = fault.message.decode(errors="replace"), (fault.function or b"").decode()
    sought = f"{message} ({function})"
    state = next((state for pattern, state in _SQLSTATES if pattern.search(sought)), "42601")
    return error(state, message, hint=_HINTS.get(sought, _HINTS.get(message)), position=fault.position or None)


# ---------------------------------------------------------------------------------------------------- deep trees

_LEVELS = re.compile(rb"[-+*/<>=~!@#%^&|`?:\[]|\b(?:is|isnull|notnull|at|collate|like|ilike|in|similar|between"
                     rb"|union|intersect|except|join)\b", re.IGNORECASE)


def depth_bound(encoded):
    """At most so many levels can the tree of a text have. The grammar bounds its own nesting (10,000 levels), but lets
    chains like 1+1+1 grow to the left as long as they like; writing such a tree recurses and would overrun the stack."""
    return sum(1 for _ in _LEVELS.finditer(encoded))


def with_stack(stack_bytes, action):
    """Run an action in a thread of its own that has so much stack."""
    outcome = []

    def run():
        try:
            outcome.append((True, action()))
        except BaseException as fault:              # handed over, and raised again below
            outcome.append((False, fault))
    with _stack_size_lock:
        before = threading.stack_size(stack_bytes)
        try:
            thread = threading.Thread(target=run, name="caldera-parser")
            thread.start()
        finally:
            threading.stack_size(before)
    thread.join()
    succeeded, value = outcome[0]
    if not succeeded:
        raise value
    return value


_stack_size_lock = threading.Lock()


@in_child
def renew_lock():
    """A lock of its own for a forked child: another thread may have held the parent's."""
    global _stack_size_lock
    _stack_size_lock = threading.Lock()


# ---------------------------------------------------------------------------------------------------- what others call

_decode = msgspec.json.Decoder().decode


def read_tree(result):
    """The statements of a ParseResult as dicts. Raises 54001 for a tree too deep for Python's stack."""
    try:
        return _decode(result.tree)["stmts"]
    except RecursionError:
        raise error("54001", "stack depth limit exceeded",
                    hint="Write the expression with fewer nested or chained operators.") from None


def parse_tree(text):
    """The statements of a text: a list of {"stmt": {kind: fields}, "stmt_location": byte, "stmt_len": bytes} (a length of 0
    or none means: to the end). Raises 42601 with PostgreSQL's message and position, and the few others that its grammar
    knows; 54001 if the tree is too deep."""
    return run_library("parse", text, read_tree)


def normalize(text):
    """The text with its constants replaced by $1, $2, ..."""
    return run_library("normalize", text, lambda result: result.text.decode())


def fingerprint(text):
    """A 64-bit number, equal for statements that differ only in constants, white space and the like."""
    return run_library("fingerprint", text, lambda result: result.number)


def extents(text):
    """Where the statements of a script are: pairs (first byte, byte count), without semicolons and white space around
    them. The statements need not be valid, only their tokens; but those that hold no keyword at all are left out."""
    return run_library("split", text, lambda result: [(extent.contents.start, extent.contents.length)
                                               for extent in (result.extents[i] for i in range(result.count))])


def scan(text):
    """The tokens of a text: a list of (first byte, byte behind the last, token number, keyword kind). Keyword kinds: 0 no
    keyword, 1 unreserved, 2 may not be a function or type, 3 may be one, 4 reserved."""
    def read(result):
        return tokens_of(ctypes.string_at(result.tokens.data, result.tokens.length))
    return run_library("scan", text, read)


def tokens_of(message):
    """Decode a protobuf message `repeated Token = 2`, where Token is {start = 1, end = 2, token = 4, keyword_kind = 5}."""
    tokens, at, stop = [], 0, len(message)
    while at < stop:
        tag, at = read_varint(message, at)
        if tag & 7 != 2:                            # the version: a number
            _, at = read_varint(message, at)
            continue
        length, at = read_varint(message, at)
        fields, token_stop = [0] * 6, at + length
        while at < token_stop:
            field_tag, at = read_varint(message, at)
            fields[field_tag >> 3], at = read_varint(message, at)
        tokens.append((fields[1], fields[2], fields[4], fields[5]))
    return tokens


def read_varint(message, at):
    """(an unsigned protobuf integer that begins at a byte of the message, the byte behind it)."""
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
