"""Programs are portable: the text of any query's program becomes code for another kind of machine, too."""
import contextlib
import struct

import pytest

from caldera.compile.jit import cross_compile
from caldera.execute import run as running
from caldera.kernel import layouts
from caldera.kernel.llvm import plain_function
from caldera.storage.encodings import DECODERS
from tests.differential import CalderaSession, Configuration, settings
from tests.execute.engine import rows_in_parts
from tests.queries import FOLDER, corpus, read

TRIPLE = "aarch64-linux-gnu"
ELF, AARCH64 = b"\x7fELF", 183
FILES = {path.stem: read(path) for path in sorted(FOLDER.glob("*.sql"))}
FAST = Configuration("fast", {"caldera.tier": "fast", "threads": "2"})
SAMPLE_STEP = 12


def is_for_aarch64(object_bytes):
    """Whether bytes are an object file for that machine, by the ELF header."""
    return object_bytes[:4] == ELF and struct.unpack_from("<H", object_bytes, 18)[0] == AARCH64


def programs(file, queries, monkeypatch):
    """{text: id of the query} of all programs that queries of a file run."""
    texts, current, staged = {}, [None], running.Run.staged

    def noting(run, pipeline):
        result = staged(run, pipeline)
        texts.setdefault(result.text, current[0])
        return result
    monkeypatch.setattr(running.Run, "staged", noting)
    session = CalderaSession()
    try:
        with rows_in_parts():
            file.prepare_caldera(session)
        session.use(FAST)
        for query in queries:
            current[0] = query.id
            with contextlib.suppress(RuntimeError), settings(session, query.settings):    # a setting that is a known gap
                session.query(query.sql)
    finally:
        session.close()
    return texts


def failures(texts):
    """(query, message) of the texts that cannot be compiled for the other machine."""
    found = []
    for text, query in texts.items():
        try:
            if not is_for_aarch64(cross_compile(text, TRIPLE)):
                found.append((query, "no object file for aarch64"))
        except RuntimeError as problem:
            found.append((query, str(problem)[:300]))
    return found


@pytest.mark.parametrize("file", FILES)
def test_programs_of_a_sample_compile_for_aarch64(file, monkeypatch):
    texts = programs(FILES[file], FILES[file].queries[::SAMPLE_STEP], monkeypatch)
    assert failures(texts) == []
    assert texts or file == "errors"


@pytest.mark.campaign
@pytest.mark.parametrize("file", corpus())
def test_programs_of_the_corpus_compile_for_aarch64(file, monkeypatch):
    file = corpus()[file]
    assert failures(programs(file, file.queries, monkeypatch)) == []


@pytest.mark.parametrize("tier", ["fast", "o3"])
def test_decoders_compile_for_aarch64(tier):
    texts = {plain_function(encoding.stage, 4): encoding.name for encoding in DECODERS}
    assert len(texts) > 5
    for text in texts:
        assert is_for_aarch64(cross_compile(text, TRIPLE, tier))


def test_a_program_names_no_address_of_this_machine(monkeypatch):
    """Constants of programs are small; whatever lies somewhere is reached from the state block."""
    texts = programs(FILES["grouping"], FILES["grouping"].queries[:6], monkeypatch)
    for text in texts:
        numbers = [int(word) for word in text.replace(",", " ").split() if word.isdigit()]
        assert not [number for number in numbers if 0x5000_0000_0000 <= number < 0x8000_0000_0000]


def test_text_that_is_no_program_is_refused():
    with pytest.raises(RuntimeError):
        cross_compile("define i64 @run(ptr %state) { ret i32 0 }", TRIPLE)
    assert layouts.INT4.size == 4
