"""What run.py has measured, as a chart and as a table for the guide."""
import statistics
from typing import NamedTuple

from report.svg import LogScale, Svg
from shared import Ratio

WIDTH = 760
AXIS = (175, 720)  # left of it are the names
LEAST, MOST = 1 / 4, 64  # ratios that the chart has
ROW_HEIGHT = 18


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


def chart(results, size):
    """An SVG file: for each algorithm over `size` elements both ratios."""
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
    description = f'furca’s algorithms beside others, {size:,} elements'
    return svg.document(WIDTH, bottom + 32, description)


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
