"""What a side-by-side run tells: a line for each query while it runs, totals, JSON.

    header ─▶ line, line, ... ─▶ summarise ─▶ totals | write_json | page.write

A ratio is the first engine's time (Caldera's, where it takes part) over a peer's: below 1 it is faster. Means of ratios
are geometric. A time without the reference's answer is shown struck out and counts nowhere.
"""
import datetime
import json
import math
import os
import platform
import statistics
import sys
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.text import Text

WIDTH = 12


def console():
    """Standard output as it is now; lines are not broken at the terminal's width."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=True)


def loaded(contestant):
    """Say that an engine is ready."""
    console().print(f"{contestant.title + ' ' + contestant.version:<26} loaded in {contestant.load_s:7.1f} s, "
                    f"{contestant.bytes / 1e6:8.0f} MB")


def header(contestants):
    """The heading of the lines: hot milliseconds of each engine, then the first engine's ratio to each other."""
    titles = [contestant.title for contestant in contestants]
    cells = [*titles, *(f"/{title}" for title in titles[1:])]
    console().print("\n[bold]hot, ms" + "".join(f"{cell:>{WIDTH}}" for cell in cells) + "[/]")


def line(contestants, outcome):
    """One query: times and ratios, coloured; problems on lines of their own."""
    timings = [outcome.timings[contestant.name] for contestant in contestants]
    text = Text(f"Q{outcome.number:<6}")
    best = min((min(timing.hot) for timing in timings if counts(timing)), default=None)
    for timing in timings:
        if not timing.hot:
            text.append(f"{'-':>{WIDTH}}")
        else:
            style = "strike" if timing.problem else "green" if min(timing.hot) == best else ""
            text.append(" " * (WIDTH - len(milliseconds(min(timing.hot)))))
            text.append(milliseconds(min(timing.hot)), style)
    for timing in timings[1:]:
        ratio = min(timings[0].hot) / min(timing.hot) if counts(timings[0]) and counts(timing) else None
        style = "" if ratio is None else "green" if ratio <= 1 else "yellow" if ratio <= 3 else "red"
        text.append(f"{'-' if ratio is None else f'{ratio:.2f}':>{WIDTH}}", style)
    console().print(text)
    for contestant, timing in zip(contestants, timings, strict=True):
        if timing.problem:
            console().print(f"        [red]{contestant.title}:[/] {escape(timing.problem.splitlines()[0][:200])}")


def counts(timing):
    """Whether a timing is to be believed."""
    return timing.problem is None and bool(timing.hot)


def milliseconds(seconds):
    """Three digits that mean something: 0.52, 3.1, 12.4, 1234."""
    value = seconds * 1e3
    return f"{value:.2f}" if value < 1 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def summarise(contestants, outcomes, **facts):
    """All of a run as one dictionary, which is what the JSON file holds. Times are in seconds."""
    names = [contestant.name for contestant in contestants]
    engines = [{"name": contestant.name, "title": contestant.title, "version": contestant.version,
                "load_s": contestant.load_s, "bytes": contestant.bytes} for contestant in contestants]
    measured = [{"number": outcome.number, "sql": outcome.text,
                 "engines": {name: timing_figures(outcome.timings[name]) for name in names}} for outcome in outcomes]
    versus = {name: beside(names[0], name, measured) for name in names[1:]}
    now = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    return {"benchmark": "ClickBench", "taken_at": now, **facts, "machine": machine(), "engines": engines,
            "queries": measured, "summary": {"base": names[0], "versus": versus}}


def timing_figures(timing):
    """A Timing for JSON: seconds of the cold run, of the hot ones, their best and their median, and what was wrong."""
    return {"cold_s": timing.cold, "hot_s": timing.hot, "best_s": min(timing.hot, default=None),
            "median_s": statistics.median(timing.hot) if timing.hot else None, "problem": timing.problem}


def beside(base, name, measured):
    """How the first engine compares to another over the queries that both answered rightly."""
    pairs = [(query["number"], query["engines"][base], query["engines"][name]) for query in measured]
    pairs = [(number, ours, theirs) for number, ours, theirs in pairs
             if not ours["problem"] and not theirs["problem"] and ours["hot_s"] and theirs["hot_s"]]
    ratios = {number: ours["best_s"] / theirs["best_s"] for number, ours, theirs in pairs}
    return {"queries": len(pairs), "hot_ratio": mean(list(ratios.values())),
            "median_ratio": mean([ours["median_s"] / theirs["median_s"] for _, ours, theirs in pairs]),
            "cold_ratio": mean([ours["cold_s"] / theirs["cold_s"] for _, ours, theirs in pairs]),
            "sum_ratio": sum(ours["best_s"] for _, ours, _ in pairs) / sum(theirs["best_s"] for _, _, theirs in pairs)
            if pairs else None,
            "faster": sorted(number for number, ratio in ratios.items() if ratio < 1),
            "above_3": sorted(number for number, ratio in ratios.items() if ratio > 3),
            "above_6": sorted(number for number, ratio in ratios.items() if ratio > 6)}


def mean(ratios):
    """The geometric mean, None of nothing."""
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else None


def totals(result):
    """The means, and where the first engine is behind."""
    base = next(engine["title"] for engine in result["engines"] if engine["name"] == result["summary"]["base"])
    out = console()
    for engine in result["engines"][1:]:
        versus = result["summary"]["versus"][engine["name"]]
        if not versus["queries"]:
            out.print(f"\n[bold]{base} / {engine['title']}[/]: no query that both answered")
            continue
        out.print(f"\n[bold]{base} / {engine['title']}[/] over {versus['queries']} queries, geometric means: hot "
                  f"[bold]{versus['hot_ratio']:.2f}[/] (medians {versus['median_ratio']:.2f}), "
                  f"cold {versus['cold_ratio']:.2f}; sum of hot times {versus['sum_ratio']:.2f}; "
                  f"faster in {len(versus['faster'])}")
        for limit, numbers in (("3", versus["above_3"]), ("6", versus["above_6"])):
            if numbers:
                out.print(f"  above {limit}: " + ", ".join(f"Q{number}" for number in numbers))


def cores():
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def chosen_engines(parser, text, known):
    """The names in a list with commas; an unknown one ends the program, as argparse does."""
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in known]
    if unknown:
        parser.error(f"no engine is called {', '.join(unknown)}; there are {', '.join(known)}")
    return names


def warn_if_busy():
    """Say on standard error that other programs use the machine, since times will then mean little."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if load > 0.5 * cores():
        print(f"caldera: other programs are at work (load {load:.1f} on {cores()} cores) and will disturb the times",
              file=sys.stderr)


def machine():
    """What the run happened on."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((text.split(":", 1)[1].strip() for text in lines if text.startswith("model name")), model)
    except OSError:
        pass
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError):
        memory = None
    return {"cpu": model, "cores": cores(), "memory_bytes": memory, "system": platform.system(),
            "architecture": platform.machine(), "python": platform.python_version()}


def write_json(result, path):
    """All figures of a run, as JSON."""
    Path(path).write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def write_html(result, path):
    """A run as a page, see caldera.bench.page."""
    from caldera.bench import page
    Path(path).write_text(page.render(result), encoding="utf-8")
