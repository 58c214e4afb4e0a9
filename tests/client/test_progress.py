"""The progress bar of the shell."""
import io
import time
import types

from caldera.client import progress


class Screen(io.StringIO):
    """A terminal that keeps what it was shown."""

    def isatty(self):
        return True


def shown(monkeypatch, *told):
    """What is on the screen after a statement of a fifth of a second of which the engine told `told`."""
    monkeypatch.setattr(progress, "SILENT_S", 0.05)
    monkeypatch.setattr(progress, "REDRAW_S", 0.02)
    monkeypatch.setenv("TERM", "xterm")
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    session = types.SimpleNamespace(watch=None)
    with progress.ProgressBar(session) as bar:
        for each in told:
            session.watch(*each)
        assert bar.thread is not None
        deadline = time.monotonic() + 20
        while not screen.getvalue() and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.1)
    assert session.watch is None and not bar.thread.is_alive()
    return screen.getvalue()


def test_the_bar_shows_label_and_share(monkeypatch):
    text = shown(monkeypatch, ("aggregate", 0.25, 3.0))
    assert "aggregate" in text and "25%" in text and "about 9 s left" in text


def test_the_bar_is_there_though_the_engine_tells_nothing(monkeypatch):
    text = shown(monkeypatch)
    assert "running" in text and "%" not in text.replace("0%", "")
