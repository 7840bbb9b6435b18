"""What run.py has measured, as a page, as a chart and as a table for the guide."""
import statistics
from typing import NamedTuple

from report.page import PAGE_SHEET
from report.svg import SHEET, LogScale, Svg, escape
from shared import Ratio

WIDTH = 760
AXIS = (175, 720)  # left of it are the names
LEAST, MOST = 1 / 4, 64  # ratios that the chart has
ROW_HEIGHT = 18
TABLE_SHEET = '''\
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:2px 10px;text-align:right;border-bottom:1px solid #8886;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
'''
ABOUT = (
    'A ratio is the other’s time divided by furca’s in the same round: above 1 furca is faster. '
    'Orange: furca is slower. The serial form is the best that the standard library has; the '
    'others are oneTBB, std::execution::par and __gnu_parallel, of which the fastest is named.'
)


class Line(NamedTuple):
    """One of furca's ways beside the serial form and beside the fastest of the others."""

    size: int
    name: str
    time: float  # median, ns
    serial: Ratio
    peer: Ratio
    peer_name: str


def is_ours(way):
    return way.startswith('furca')


def _fastest(ratios):
    name = min(ratios, key=lambda way: ratios[way].middle, default='')
    return ratios.get(name), name


def compared(results):
    """The lines, by size."""
    lines = []
    for row in results['rows']:
        ways = row['ways']
        for way in filter(is_ours, ways):
            ratios = {
                other: Ratio.of(times, ways[way])
                for other, times in ways.items()
                if not is_ours(other)
            }
            serial = {way for way in ratios if way.startswith(('serial', 'unordered'))}
            form = way.removeprefix('furca').strip(' ,')
            line = Line(
                row['size'],
                ', '.join(filter(None, (row['algorithm'], form))),
                statistics.median(ways[way]),
                _fastest({way: ratios[way] for way in ratios if way in serial})[0],
                *_fastest({way: ratios[way] for way in ratios if way not in serial}),
            )
            lines += [line] if ratios else []
    return sorted(lines, key=lambda line: line.size)


def duration(nanoseconds):
    for unit, name in ((1e9, 's'), (1e6, 'ms'), (1e3, 'us')):
        if nanoseconds >= unit:
            return f'{nanoseconds / unit:.3g} {name}'
    return f'{nanoseconds:.0f} ns'


def run_on(results):
    return (
        f'{results["processor"]}, {results["processors"]} processors; {results["compiler"]}, '
        f'-O{results["level"]}; medians of {results["rounds"]} rounds and quartiles'
    )


def _drawn(results, size):
    """The drawing and its height: for each algorithm over `size` elements both ratios."""
    lines = [line for line in compared(results) if line.size == size]
    svg, x = Svg(), LogScale((LEAST, MOST), *AXIS)
    bottom = 78 + ROW_HEIGHT * len(lines)
    title = f'{size:,} elements: time of others / time of furca'
    svg.text((20, 28), title, 'title')
    svg.mark((26, 46), 'circle', 'mark tie')
    svg.text((36, 50), 'serial, std', 'soft')
    svg.mark((132, 46), 'square', 'mark faster')
    peers = 'the fastest of oneTBB, std::execution::par and __gnu_parallel'
    svg.text((142, 50), peers, 'soft')
    for exponent in range(-2, 7):
        at = x(2.0**exponent)
        svg.line((at, 62), (at, bottom), 'parity' if exponent == 0 else 'grid')
        svg.text((at, bottom + 18), f'{2.0 ** exponent:g}', 'soft number', 'middle')
    for number, line in enumerate(lines):
        y = 72 + ROW_HEIGHT * number
        svg.begin_group(f'{line.name}: {duration(line.time)}; fastest other: {line.peer_name}')
        svg.text((20, y + 4), line.name, '')
        for ratio, up, shape, style in (
            (line.serial, -3, 'circle', 'tie'),
            (line.peer, 3, 'square', 'faster'),
        ):
            if ratio is not None:
                style = 'slower' if ratio.high < 1 else style
                svg.line((x(ratio.low), y + up), (x(ratio.high), y + up), f'bar {style}')
                svg.mark((x(ratio.middle), y + up), shape, f'mark {style}')
        svg.end_group()
    return svg, bottom + 32, f'furca’s algorithms beside others, {size:,} elements'


def chart(results, size):
    """A file of its own."""
    svg, height, description = _drawn(results, size)
    return svg.document(WIDTH, height, description)


def _cell(ratio, name=''):
    if ratio is None:
        return '<td>-</td>'
    slower = ' class="slower"' if ratio.high < 1 else ''
    return f'<td{slower}>{ratio.text()} {escape(name)}</td>'


def page(results):
    """HTML that needs no other file."""
    lines = compared(results)
    parts = []
    for size in sorted({line.size for line in lines}):
        svg, height, description = _drawn(results, size)
        rows = '\n'.join(
            f'<tr><td>{escape(line.name)}</td><td>{duration(line.time)}</td>'
            f'{_cell(line.serial)}{_cell(line.peer, line.peer_name)}</tr>'
            for line in lines
            if line.size == size
        )
        parts.append(
            f'<h2>{size:,} elements</h2>\n{svg.element(WIDTH, height, description)}'
            '<div class="wide"><table>\n<tr><th>algorithm</th><th>furca</th>'
            f'<th>serial / furca</th><th>fastest other / furca</th></tr>\n{rows}\n</table></div>\n'
        )
    return f'''<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>furca’s algorithms beside others</title>
<style>
{PAGE_SHEET}{TABLE_SHEET}{SHEET}</style>
</head>
<body>
<h1>furca’s algorithms beside others</h1>
<p>{escape(run_on(results))}</p>
<p>{ABOUT}</p>
{"".join(parts)}</body>
</html>
'''


def table(results):
    """Markdown: a line for each algorithm, with two ratios for each size."""
    rows, sizes = {}, {}
    for line in compared(results):
        pair = ('-' if one is None else f'{one.middle:.2f}' for one in (line.serial, line.peer))
        rows.setdefault(line.name, {})[line.size] = ' / '.join(pair)
        sizes[line.size] = f'{line.size:,}'
    above = ['serial / furca, fastest other / furca', *sizes.values()]
    lines = [run_on(results), '', f'| {" | ".join(above)} |', '|---' * len(above) + '|']
    for name, by_size in rows.items():
        lines.append(f'| {" | ".join([name, *(by_size.get(size, "-") for size in sizes)])} |')
    return '\n'.join(lines) + '\n'
