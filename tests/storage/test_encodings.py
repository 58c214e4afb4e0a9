"""Encodings: numpy, the Python kernel and machine code get the same values back."""
import ctypes

import numpy as np
import pytest

from caldera.compile.jit import DiskCache, Jit
from caldera.kernel import layouts
from caldera.kernel.interface import Control, I64
from caldera.kernel.llvm import plain_function
from caldera.kernel.python import PythonKernel
from caldera.storage import arrays
from caldera.storage.encodings import DECODERS, SPARE_ROWS, choose, choose_validity, encoding_of
from caldera.storage.segment import StoredColumn
from caldera.types.text_arrays import text_from_bytes, text_items
from tests.storage.columns import cells_at, column, rows_of, samples, some_runs, with_nulls

ROWS = 3_000
SAMPLES = samples(1, ROWS)
SAMPLES |= with_nulls(SAMPLES, 2)
PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 4)


def stored(data):
    """A StoredColumn encoded as a part would."""
    valid = None if data.valid is None else data.valid != 0
    values = choose(data.type.layout, data.values, valid)
    return StoredColumn(data.type, values, None if valid is None else choose_validity(data.valid))


@pytest.mark.parametrize("name", SAMPLES)
def test_numpy_decodes_what_was_encoded(name):
    data = SAMPLES[name]
    again = stored(data)
    assert rows_of(again.decode()) == rows_of(data)
    for first, count in some_runs(3, ROWS, 5):
        assert rows_of(again.decode(first, count)) == rows_of(arrays.cut(data, first, count))
    rows = np.array([ROWS - 1, 0, 7, 7, 1234, 1233], np.int64)
    assert rows_of(again.take(rows)) == rows_of(arrays.take(data, rows))
    assert rows_of(again.take(rows[:0])) == []


def test_the_data_choose_the_encoding():
    families = {name: stored(data).encoding.family for name, data in SAMPLES.items()}
    assert families["int4_0"] == "constant" and families["int4_limits"] == "plain"
    widths = (1, 2, 4, 8, 16)
    assert [families[f"int4_{bits}"] for bits in widths] == [f"packed{bits}" for bits in widths]
    assert [families[f"int8_{bits}"] for bits in (16, 32, 63)] == ["packed16", "packed32", "plain"]
    assert families["numeric_16"] == "numeric16" and families["numeric_scales"] == families["numeric_wide"] == "plain"
    assert (families["text_1"], families["text_7"], families["text_300"]) == ("constant", "dictionary8", "dictionary16")
    assert families["text_plain"] == "plain" and families["float8_constant"] == "constant"
    assert families["text_plain_void"] == families["int8_63_void"] == "constant"


def test_negative_zero_is_not_zero_to_an_encoding():
    data = column("float8", [0.0, -0.0])
    assert stored(data).encoding.family == "plain"


def test_a_dictionary_is_sorted_bytewise_and_knows_positions():
    dictionary = stored(column("text", [b"b", b"a", b"\xc3\xa4", b"a", b"B"] * 100)).dictionary
    assert [dictionary.entry(code) for code in range(dictionary.size)] == [b"B", b"a", b"b", b"\xc3\xa4"]
    assert [dictionary.position(text) for text in (b"", b"a", b"aa", b"z")] == [0, 1, 2, 3]
    assert [dictionary.position(text, after=True) for text in (b"", b"a", b"\xff")] == [0, 2, 4]


def decoders_of(data):
    """(encoding, struct address, numpy's answer) for everything that generated code can decode from a column."""
    whole = stored(data)
    yield whole, whole.encoding, whole.address, whole.values.decode
    if whole.dictionary is not None:
        yield whole, whole.codes, whole.address, lambda first, count: whole.codes.decode(whole.values, first, count)
    if whole.mantissas is not None:
        yield whole, whole.mantissas, whole.address, \
            lambda first, count: whole.encoding.decode_mantissas(whole.values, first, count)
    if whole.validity is not None:
        yield whole, whole.validity_encoding, whole.validity_address, whole.validity.decode


def fetched(decode, encoding, struct, first, count, room):
    """What a decoder gives, as numpy's answer would be."""
    address = decode(struct, first, count, room.ctypes.data)
    if encoding.output is layouts.TEXT:
        return cells_at(address, count)
    layout = encoding.output
    found = np.ctypeslib.as_array((ctypes.c_byte * (layout.size * count)).from_address(address))
    return found.tobytes()


def expected(encoding, values):
    return text_items(values) if encoding.output is layouts.TEXT else np.ascontiguousarray(values).tobytes()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """compiled(encoding, tier): the decoder as machine code."""
    jit, programs = Jit(DiskCache(tmp_path_factory.mktemp("code"))), {}

    def decoder(encoding, tier):
        if (encoding, tier) not in programs:
            program = jit.program(plain_function(encoding.stage, 4), tier)
            programs[encoding, tier] = program, PROTOTYPE(program.address)
        return programs[encoding, tier][1]
    return decoder


@pytest.mark.parametrize("tier", ["fast", "o3"])
def test_machine_code_decodes_as_numpy_does(compiled, tier):
    room, covered = np.zeros(2 * (1100 + SPARE_ROWS), np.int64), set()
    for name, data in SAMPLES.items():
        for keep, encoding, address, decode in decoders_of(data):
            for first, count in some_runs(4, ROWS, 3):
                assert fetched(compiled(encoding, tier), encoding, address, first, count, room) \
                    == expected(encoding, decode(first, count)), (name, encoding, first, count, keep)
            covered.add(encoding)
    assert len(covered) > 35
    assert {encoding.family for encoding in DECODERS} - {encoding.family for encoding in covered} \
        <= {"dictionary32", "codes32"}


def test_the_python_kernel_decodes_as_numpy_does():
    def decoder(encoding):
        def run(*arguments):
            k = PythonKernel(Control())
            return k.use(encoding.stage(k, *(k.constant(I64, argument) for argument in arguments)))
        return run
    room, covered = np.zeros(2 * (64 + SPARE_ROWS), np.int64), set()
    for data in SAMPLES.values():
        for _, encoding, address, decode in decoders_of(data):
            if encoding not in covered:
                for first, count in ((0, 20), (1013, 9), (ROWS - 3, 3), (77, 1)):
                    assert fetched(decoder(encoding), encoding, address, first, count, room) \
                        == expected(encoding, decode(first, count)), (encoding, first, count)
                covered.add(encoding)


def test_a_constant_serves_blocks_longer_than_what_is_repeated(compiled):
    whole, room = stored(column("int8", np.full(10_000, 42))), np.zeros(10_000 + SPARE_ROWS, np.int64)
    assert fetched(compiled(whole.encoding, "fast"), whole.encoding, whole.address, 0, 9_000, room) \
        == np.full(9_000, 42).tobytes()


def test_wide_codes_are_decoded(compiled):
    """Dictionaries of more than 65,536 entries are rare in tests, not in life."""
    texts = text_from_bytes([b"entry %06d" % i for i in range(100)])
    encoding = encoding_of("dictionary32", layouts.TEXT)
    encoded = encoding.encode(np.arange(99, -1, -1), texts)
    whole, room = StoredColumn(column("text", []).type, encoded), np.zeros(300, np.int64)
    for tier in ("fast", "o3"):
        assert fetched(compiled(encoding, tier), encoding, whole.address, 90, 3, room) \
            == [b"entry 000009", b"entry 000008", b"entry 000007"]
        assert fetched(compiled(whole.codes, tier), whole.codes, whole.address, 90, 3, room) \
            == np.array([9, 8, 7], np.int32).tobytes()


def test_encodings_of_files_that_are_unknown_are_told():
    with pytest.raises(KeyError):
        encoding_of("packed3", layouts.INT4)
    with pytest.raises(KeyError):
        encoding_of("packed8", layouts.FLOAT8)
