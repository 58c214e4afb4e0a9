"""A run as one HTML page that needs nothing else: inline SVG, inline styles, light or dark as the reader likes.

    render(result of report.summarise) ──▶ means as bars ─▶ times of each query as bars ─▶ the table ─▶ how it was measured
"""
import html
import math

COLOURS = ("#d2452d", "#e0a72e", "#4a7fb5", "#5c9e6a", "#8a63a8", "#7c8790")
STYLE = """
:root { --paper: #fbfaf8; --ink: #23211f; --faint: #8b8580; --rule: #e4dfd9; --good: 90 158 106; --bad: 210 69 45 }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1a19; --ink: #ece8e3; --faint: #968f88; --rule: #37332f } }
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; max-width: 68rem;
       margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; margin: 0 } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem } p { margin: .4rem 0 }
.faint { color: var(--faint) } svg { width: 100%; height: auto; display: block }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif } svg .faint { fill: var(--faint) }
svg line { stroke: var(--rule) } svg .one { stroke: var(--ink) }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; width: 100% }
th, td { padding: .2rem .5rem; text-align: right; border-bottom: 1px solid var(--rule) } th { font-weight: 600 }
td:first-child, th:first-child { text-align: left }
td.sql { text-align: left; color: var(--faint); font: 11px ui-monospace, monospace; max-width: 22rem; overflow: hidden;
         text-overflow: ellipsis; white-space: nowrap }
.wrong { text-decoration: line-through; color: var(--faint) } .scroll { overflow-x: auto }
.key i { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin: 0 .35em 0 1em }
"""


def render(result):
    """The page's text."""
    engines = result["engines"]
    colours = {engine["name"]: COLOURS[i % len(COLOURS)] for i, engine in enumerate(engines)}
    machine = result["machine"]
    memory = f"{machine['memory_bytes'] / 2 ** 30:.0f} GiB, " if machine["memory_bytes"] else ""
    title = f"{result['benchmark']}, {result['rows']:,} rows, {result['threads']} threads"
    key = "".join(f'<i style="background:{colours[engine["name"]]}"></i>'
                  f'{html.escape(engine["title"] + " " + engine["version"])}' for engine in engines)
    sizes = "; ".join(f'{html.escape(engine["title"])}: loaded in {engine["load_s"]:.1f} s, {engine["bytes"] / 1e6:,.0f} MB'
                      for engine in engines)
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>{STYLE}</style></head><body>
<h1>{title}</h1>
<p class="faint">{html.escape(machine['cpu'])}, {machine['cores']} cores, {memory}{machine['system']}
{machine['architecture']}; {result['taken_at']}</p>
<p class="key">{key}</p>
<h2>Geometric mean of hot times, relative to {html.escape(engines[0]['title'])}</h2>
{means(result, colours)}
<h2>Hot time of each query, logarithmic</h2>
{times(result, colours)}
<h2>All figures, milliseconds</h2>
<div class="scroll">{table(result)}</div>
<h2>How it was measured</h2>
<p>All engines in one run on one machine with the same number of threads, one at a time. Cold: the first run after the
engine's and the operating system's caches for its files were emptied. Hot: the best of {repeats(result)} runs, which take
turns between the engines. Times include parsing, planning and handing the rows to Python. Answers were compared first: a
time whose answer differs is struck out and counts nowhere.</p>
<p>{sizes}.</p>
</body></html>
"""


def repeats(result):
    """How many hot runs there were."""
    return max((len(timing["hot_s"]) for query in result["queries"] for timing in query["engines"].values()), default=0)


def means(result, colours):
    """A bar for each engine: how many times the first engine's hot time it takes, in the geometric mean."""
    rows = [(result["engines"][0], 1.0)]
    for engine in result["engines"][1:]:
        ratio = result["summary"]["versus"][engine["name"]]["hot_ratio"]
        rows.append((engine, None if ratio is None else 1 / ratio))
    longest = max((value for _, value in rows if value), default=1.0)
    parts = []
    for i, (engine, value) in enumerate(rows):
        top = 4 + i * 26
        parts.append(f'<text x="0" y="{top + 14}">{html.escape(engine["title"])}</text>')
        if value:
            parts.append(f'<rect x="110" y="{top}" width="{max(2, 760 * value / longest):.1f}" height="18" rx="2" '
                         f'fill="{colours[engine["name"]]}"/>')
        label = f"{value:.2f}" if value else "-"
        parts.append(f'<text x="{118 + 760 * (value or 0) / longest:.1f}" y="{top + 14}">{label}</text>')
    return f'<svg viewBox="0 0 960 {8 + 26 * len(rows)}" role="img" aria-label="means">{"".join(parts)}</svg>'


def times(result, colours):
    """For each query a bar for each engine, on a logarithmic scale of milliseconds."""
    names = [engine["name"] for engine in result["engines"]]
    timings = [timing for query in result["queries"] for timing in query["engines"].values() if timing["best_s"]]
    if not timings:
        return "<p>No query was answered.</p>"
    low = math.floor(math.log10(min(timing["best_s"] for timing in timings) * 1e3))
    high = max(math.ceil(math.log10(max(timing["best_s"] for timing in timings) * 1e3)), low + 1)
    bar, gap, left, width = 7, 8, 44, 890
    step = bar * len(names) + gap
    height = step * len(result["queries"]) + 30

    def across(value):
        return left + width * (math.log10(value) - low) / (high - low)

    parts = []
    for decade in range(low, high + 1):
        x = across(10 ** decade)
        parts.append(f'<line x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{height - 20}"/>'
                     f'<text class="faint" x="{x:.1f}" y="{height - 6}" text-anchor="middle">{10.0 ** decade:g} ms</text>')
    for i, query in enumerate(result["queries"]):
        parts.append(f'<text x="0" y="{i * step + step / 2 + 2:.1f}">Q{query["number"]}</text>')
        for j, name in enumerate(names):
            timing = query["engines"][name]
            if timing["best_s"]:
                value = timing["best_s"] * 1e3
                faint = ' opacity="0.25"' if timing["problem"] else ""
                parts.append(f'<rect x="{left}" y="{i * step + j * bar}" width="{max(1, across(value) - left):.1f}" '
                             f'height="{bar - 1}" fill="{colours[name]}"{faint}>'
                             f'<title>{name}: {value:.2f} ms</title></rect>')
    return f'<svg viewBox="0 0 960 {height}" role="img" aria-label="hot times by query">{"".join(parts)}</svg>'


def table(result):
    """Cold and hot of every engine and the first one's ratios, shaded from green (faster) to red."""
    engines = result["engines"]
    head = "".join(f"<th>{html.escape(engine['title'])}<br>cold</th><th>hot</th>" for engine in engines)
    ours = html.escape(engines[0]["title"])
    head += "".join(f"<th>{ours}<br>/ {html.escape(engine['title'])}</th>" for engine in engines[1:])
    lines = []
    for query in result["queries"]:
        timings = [query["engines"][engine["name"]] for engine in engines]
        cells = "".join([*map(timing_cells, timings), *(ratio_cell(timings[0], timing) for timing in timings[1:])])
        sql = html.escape(query["sql"], quote=True)
        lines.append(f'<tr><td>Q{query["number"]}</td>{cells}<td class="sql" title="{sql}">{sql}</td></tr>')
    return f"<table><tr><th></th>{head}<th></th></tr>{''.join(lines)}</table>"


def timing_cells(timing):
    """Two table cells for an engine's timing of a query: the cold run and the best one, in milliseconds."""
    wrong = f' class="wrong" title="{html.escape(timing["problem"], quote=True)}"' if timing["problem"] else ""
    return "".join(f"<td{wrong}>{'-' if seconds is None else f'{seconds * 1e3:.1f}'}</td>"
                   for seconds in (timing["cold_s"], timing["best_s"]))


def ratio_cell(ours, theirs):
    """A table cell with our best time divided by theirs, coloured by how far it is from 1; - unless both answered."""
    if ours["problem"] or theirs["problem"] or not ours["best_s"] or not theirs["best_s"]:
        return "<td>-</td>"
    ratio = ours["best_s"] / theirs["best_s"]
    shade = min(0.6, abs(math.log(ratio)) / 3)
    return f'<td style="background:rgb(var(--{"good" if ratio < 1 else "bad"})/{shade:.2f})">{ratio:.2f}</td>'
