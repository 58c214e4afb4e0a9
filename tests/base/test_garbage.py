"""The collector rests while queries are planned and staged, and wakes up whatever happens."""
import gc
import threading

import pytest

import caldera
from caldera.base.garbage import AT_REST


def test_the_collector_rests_inside_and_works_again_outside():
    with AT_REST, AT_REST:
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError), AT_REST:
        raise ValueError
    assert gc.isenabled()


def test_the_last_of_several_threads_wakes_it():
    inside, leave = threading.Event(), threading.Event()

    def rest():
        with AT_REST:
            inside.set()
            leave.wait(60)
    thread = threading.Thread(target=rest)
    thread.start()
    inside.wait(60)
    with AT_REST:
        pass
    assert not gc.isenabled()
    leave.set()
    thread.join()
    assert gc.isenabled()


def test_who_has_switched_it_off_keeps_it_off():
    gc.disable()
    try:
        with caldera.connect() as connection:
            assert connection.sql("SELECT 1").fetchall() == [(1,)]
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_errors_of_statements_leave_it_on():
    with caldera.connect() as connection:
        for text in ("SELECT FROM WHERE", "SELECT nothing", "SELECT 1 / 0", "no statement"):
            with pytest.raises(caldera.Error):
                connection.sql(text).fetchall()
            assert gc.isenabled()
