"""What run.py has measured, as a page, as a chart and as a table for the guide."""
import statistics
from html import escape
from math import log2

WIDTH = 760
NAMES = 175  # the width that the names have
LEAST, MOST = 1 / 4, 64  # ratios that the chart has
STYLE = '''
  text { font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1f2933 }
  .small { font-size: 12px; fill: #52606d } .title { font-weight: 600 } .card { fill: #ffffff; stroke: #d0d7de } .grid { stroke: #e2e6ea } .one { stroke: #1f2933 }
  .serial { fill: #59636e; stroke: #59636e } .other { fill: #0b5cc0; stroke: #0b5cc0 } .slow { fill: #b84300; stroke: #b84300 }
  @media screen and (prefers-color-scheme: dark) {
    text { fill: #e6e9ec } .small { fill: #a2abb5 } .card { fill: #14181d; stroke: #333b44 } .grid { stroke: #333b44 } .one { stroke: #e6e9ec }
    .serial { fill: #a2abb5; stroke: #a2abb5 } .other { fill: #6fb1ff; stroke: #6fb1ff } .slow { fill: #ff9a57; stroke: #ff9a57 }
  }'''
PAGE_STYLE = '''
  body { font: 15px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; max-width: 860px; margin: 2em auto; padding: 0 1em; color: #1b1f24; background: #ffffff }
  .wide { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums } svg { max-width: 100%; height: auto }
  th, td { padding: 2px 10px; text-align: right; border-bottom: 1px solid #e2e6ea; white-space: nowrap } th:first-child, td:first-child { text-align: left }
  .soft { color: #59636e } .slow { color: #b84300 }
  @media screen and (prefers-color-scheme: dark) {
    body { color: #e6e9ec; background: #14181d } th, td { border-color: #333b44 } .soft { color: #a2abb5 } .slow { color: #ff9a57 }
  }'''


class Ratio:
    """Of times in the same rounds: the median and the quartiles."""

    def __init__(self, above, below):
        self.low, self.middle, self.high = statistics.quantiles([a / b for a, b in zip(above, below)], n=4, method='inclusive')

    def __str__(self):
        return f'{self.middle:.2f} [{self.low:.2f}, {self.high:.2f}]'


def is_ours(way):
    return way.startswith('furca')


def compared(results):
    """(size, algorithm, our way, its median in ns, the ratio to the serial form, the ratio to the fastest of the others, its name), by size."""
    for row in sorted(results['rows'], key=lambda row: row['size']):
        ways = row['ways']
        for way in filter(is_ours, ways):
            ratios = {other: Ratio(times, ways[way]) for other, times in ways.items() if not is_ours(other)}
            if not ratios:
                continue
            serial = min((name for name in ratios if name.startswith(('serial', 'unordered'))), key=lambda name: ratios[name].middle, default=None)
            peer = min((name for name in ratios if not name.startswith(('serial', 'unordered'))), key=lambda name: ratios[name].middle, default=None)
            yield row['size'], row['algorithm'], way, statistics.median(ways[way]), ratios.get(serial), ratios.get(peer), peer


def duration(nanoseconds):
    for unit, name in ((1e9, 's'), (1e6, 'ms'), (1e3, 'us')):
        if nanoseconds >= unit:
            return f'{nanoseconds / unit:.3g} {name}'
    return f'{nanoseconds:.0f} ns'


def label(algorithm, way):
    return algorithm if way == 'furca' else f'{algorithm}, {way.removeprefix("furca").strip(" ,")}'


def run_on(results):
    return f'{results["processor"]}, {results["processors"]} processors; {results["compiler"]}, -O{results["level"]}; medians of {results["rounds"]} rounds and quartiles'


def chart(results, size):
    """An SVG: for each algorithm over `size` elements the time of the serial form and of the fastest of the others, divided by furca's."""
    lines = [line for line in compared(results) if line[0] == size]

    def x(ratio):
        return round(NAMES + (WIDTH - NAMES - 40) * log2(min(max(ratio, LEAST), MOST) / LEAST) / log2(MOST / LEAST), 1)

    bottom = 78 + 18 * len(lines)
    parts = [f'<text x="20" y="28" class="title">{size:,} elements: time of others / time of furca</text>',
             f'<circle cx="26" cy="46" r="4" class="serial"/><text x="36" y="50" class="small">serial, std</text>',
             f'<rect x="128" y="42" width="8" height="8" class="other"/><text x="142" y="50" class="small">the fastest of oneTBB, std::execution::par and __gnu_parallel</text>']
    ratio = LEAST
    while ratio <= MOST:
        parts.append(f'<path d="M{x(ratio)} 62V{bottom}" class="{"one" if ratio == 1 else "grid"}"/><text x="{x(ratio)}" y="{bottom + 18}" class="small" text-anchor="middle">{ratio:g}</text>')
        ratio *= 2
    for i, (_, algorithm, way, _, serial, peer, _) in enumerate(lines):
        y = 72 + 18 * i
        parts.append(f'<text x="20" y="{y + 4}" class="small">{escape(label(algorithm, way))}</text>')
        for ratio, up in ((serial, -3), (peer, 3)):
            if ratio is not None:
                kind = 'slow' if ratio.high < 1 else 'serial' if ratio is serial else 'other'
                parts.append(f'<path d="M{x(ratio.low)} {y + up}H{x(ratio.high)}" class="{kind}"/>')
                if ratio is serial:
                    parts.append(f'<circle cx="{x(ratio.middle)}" cy="{y + up}" r="4" class="{kind}"/>')
                else:
                    parts.append(f'<rect x="{x(ratio.middle) - 4}" y="{y + up - 4}" width="8" height="8" class="{kind}"/>')
    height = bottom + 32
    body = '\n'.join(parts)
    return f'''<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" role="img">
<title>furca’s algorithms beside others, {size:,} elements</title>
<style>{STYLE}
</style>
<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8" class="card"/>
{body}
</svg>
'''


def cell(ratio, name=''):
    if ratio is None:
        return '<td class="soft">-</td>'
    return f'<td{" class=slow" if ratio.high < 1 else ""}>{ratio} {escape(name)}</td>'


def page(results):
    """HTML that needs no other file."""
    sizes = sorted({line[0] for line in compared(results)})
    parts = []
    for size in sizes:
        rows = ''.join(f'<tr><td>{escape(label(algorithm, way))}</td><td>{duration(time)}</td>{cell(serial)}{cell(peer, name or "")}</tr>\n'
                       for at, algorithm, way, time, serial, peer, name in compared(results) if at == size)
        parts.append(f'<h2>{size:,} elements</h2>\n{chart(results, size)}\n<div class="wide"><table>\n'
                     f'<tr><th>algorithm</th><th>furca</th><th>serial / furca</th><th>fastest other / furca</th></tr>\n{rows}</table></div>\n')
    return f'''<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>furca’s algorithms beside others</title>
<style>{PAGE_STYLE}
</style></head><body>
<h1>furca’s algorithms beside others</h1>
<p class="soft">{escape(run_on(results))}</p>
<p>A ratio is the other’s time divided by furca’s in the same round: above 1 furca is faster. Orange: furca is slower. The serial form is the best that the standard library has; the others
are oneTBB, std::execution::par and __gnu_parallel, of which the fastest is named.</p>
{"".join(parts)}</body></html>
'''


def table(results):
    """Markdown: a line for each algorithm, with two ratios for each size."""
    sizes = sorted({line[0] for line in compared(results)})
    rows = {}
    for size, algorithm, way, _, serial, peer, _ in compared(results):
        rows.setdefault(label(algorithm, way), {})[size] = ' / '.join('-' if ratio is None else f'{ratio.middle:.2f}' for ratio in (serial, peer))
    lines = [run_on(results), '', '| serial / furca, fastest other / furca | ' + ' | '.join(f'{size:,}' for size in sizes) + ' |', '|---' * (len(sizes) + 1) + '|']
    lines += [f'| {name} | ' + ' | '.join(by_size.get(size, '-') for size in sizes) + ' |' for name, by_size in rows.items()]
    return '\n'.join(lines) + '\n'
