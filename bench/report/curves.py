"""Curves over the numbers of threads: how much faster than the serial code each row is, and where
the machine has its borders."""
import math

from . import text
from .estimates import estimate_median, median
from .losses import largest_loss
from .results import BASELINE, OURS, find, label, speedups
from .summary import LEAST_FOR_CURVE, by_family, caption, rivals, thread_counts, withheld_notice
from .svg import LogScale, Svg, text_width, wrap_text

WIDTH = 960
MARGIN = 10
COLUMNS = 4
PANEL_WIDTH = (WIDTH - 2 * MARGIN) / COLUMNS
PANEL_HEIGHT = 224
PLOT_X = (32, PANEL_WIDTH - 14)  # within a panel
PLOT_Y = (174, 54)  # upwards
GROUP_HEIGHT = 40
CLOSEST = 18  # pixels between the numbers on an axis
MOST_PANELS = 12  # of one family
LEAST_SPEEDUP = 0.01
# furca's colour, shape and filling, then those of its rivals.
STYLES = (('ours', 'circle', 'mark'), ('rival0', 'square', 'mark'), ('rival1', 'diamond', 'hollow'))


def style_of(number):
    return STYLES[min(number, len(STYLES) - 1)]


def panels_of(rows):
    """At most a dozen: of too many rows the largest of each workload."""
    if len(rows) > MOST_PANELS:
        largest = {row['workload']: row for row in rows}
        rows = [row for row in rows if largest[row['workload']] is row][:MOST_PANELS]
    return rows


class _Curves:
    def __init__(self, results):
        self.results, self.setting = results, results['setting']
        self.counts = thread_counts(results)
        self.families = [OURS, *rivals(results)]
        self.any = len(self.counts) >= LEAST_FOR_CURVE
        self.svg, self.y = Svg(), 32
        self.borders = [
            one
            for one in self.setting.get('topology', {}).get('borders', [])
            if self.any and one['threads'] <= self.counts[-1]
        ]
        self.draw_heading()
        if self.any:
            self.draw_keys()
            for family, rows in by_family(results).items():
                self.draw_family(family, rows)

    def draw_heading(self):
        title = (
            'Speed-up over the serial code, by number of threads'
            if self.any
            else 'fewer than three numbers of threads make no curves'
        )
        self.svg.text((MARGIN, 28), title, 'title')
        borders = '; '.join(f'{one["threads"]}, {one["meaning"]}' for one in self.borders)
        for line in [
            withheld_notice(self.setting) or caption(self.setting),
            f'dashed: {borders}' if borders else '',
        ]:
            for part in wrap_text(line, WIDTH - 2 * MARGIN):
                self.y += 18
                self.svg.text((MARGIN, self.y), part, 'soft')

    def draw_keys(self):
        x = MARGIN
        self.y += 24
        for number, family in enumerate(self.families):
            self.draw_mark((x + 5, self.y - 4), number)
            self.svg.text((x + 16, self.y), family, 'soft')
            x += 32 + text_width(family)
        self.svg.line((x, self.y - 4), (x + 24, self.y - 4), 'parity ideal')
        self.svg.text((x + 30, self.y), 'as many times as there are threads, or processors', 'soft')
        self.y += 6

    def least_speedup(self, rows):
        """What bare forks come to with furca and the first of its rivals is to be seen."""
        found = [
            median(speedups(row, family, count))
            for row in rows
            for count in self.counts
            for family in (OURS, BASELINE)
        ]
        return max(LEAST_SPEEDUP, min([0.5, *(one for one in found if one > 0)]))

    def draw_family(self, family, rows):
        shown = panels_of(rows)
        left_out = f': {len(shown)} of {len(rows)} rows' if len(shown) < len(rows) else ''
        self.svg.text((MARGIN, self.y + 30), family + left_out, 'title')
        self.y += GROUP_HEIGHT
        # One axis for all panels of a family, so that one can be compared with another.
        shown_speedups = (self.least_speedup(shown), max(2, self.counts[-1]))
        for number, row in enumerate(shown):
            corner = (
                MARGIN + number % COLUMNS * PANEL_WIDTH,
                self.y + number // COLUMNS * PANEL_HEIGHT,
            )
            self.draw_panel(row, shown_speedups, corner)
        self.y += math.ceil(len(shown) / COLUMNS) * PANEL_HEIGHT

    def draw_panel(self, row, shown_speedups, corner):
        left, top = corner
        most = self.counts[-1]
        x = LogScale((1, most), *(left + edge for edge in PLOT_X))
        y = LogScale(shown_speedups, *(top + edge for edge in PLOT_Y))
        self.svg.begin_group(self.hint_of(row))
        self.svg.text((left, top + 18), label(row), 'strong')
        loss = largest_loss(self.setting, row, most)
        if loss != '-':
            self.svg.text((left, top + 33), f'lost most to: {loss}', 'soft')
        self.draw_axes(x, y)
        processors = min(most, self.setting['affinity'] or most)
        bend = (x(processors), y(processors))
        self.svg.line((x(1), y(1)), bend, 'parity ideal')
        self.svg.line(bend, (x(most), y(processors)), 'parity ideal')
        for number in reversed(range(len(self.families))):  # furca's is on top
            self.draw_curve(row, number, x, y)
        self.draw_efficiencies(row, (left, top + PLOT_Y[0] + 34))
        self.svg.end_group()

    def draw_axes(self, x, y):
        for tick in y.ticks(CLOSEST):
            self.svg.line((x.begin, y(tick)), (x.end, y(tick)), 'grid')
            self.svg.text((x.begin - 4, y(tick) + 4), f'{tick:g}', 'soft number', 'end')
        last = -CLOSEST
        end = x(self.counts[-1])
        for count in self.counts:
            if count == self.counts[-1] or x(count) - last >= CLOSEST <= end - x(count):
                last = x(count)
                self.svg.text((last, y.begin + 15), str(count), 'soft number', 'middle')
        last = -CLOSEST
        for border in self.borders:
            place = x(border['threads'])
            self.svg.line((place, y.end), (place, y.begin), 'border')
            if place - last >= CLOSEST:
                last = place
                self.svg.text((place, y.end - 4), str(border['threads']), 'soft number', 'middle')

    def draw_curve(self, row, number, x, y):
        colour = style_of(number)[0]
        before, points = None, []
        for count in self.counts:
            speedup = estimate_median(speedups(row, self.families[number], count))
            if not math.isfinite(speedup.middle):
                before = None
                continue
            here = (x(count), y(speedup.middle))
            self.svg.line((here[0], y(speedup.low)), (here[0], y(speedup.high)), f'bar {colour}')
            if before:
                self.svg.line(before, here, f'curve {colour}')
            points.append(here)
            before = here
        for point in points:
            self.draw_mark(point, number)

    def draw_efficiencies(self, row, start):
        x, y = start
        self.svg.text((x, y), 'efficiency', 'soft')
        x += text_width('efficiency') + 10
        most = self.counts[-1]
        for number, family in enumerate(self.families):
            efficiency = median(speedups(row, family, most)) / most
            if math.isfinite(efficiency):
                self.draw_mark((x, y - 4), number)
                self.svg.text((x + 9, y), f'{efficiency:.2f}', 'number')
                x += 52

    def draw_mark(self, place, number):
        colour, shape, filling = style_of(number)
        self.svg.mark(place, shape, f'{filling} {colour}')

    def hint_of(self, row):
        lines = [f'{label(row)}: {row["summary"]}']
        for family in self.families:
            ran = find(row, family, self.counts[-1])
            if ran:
                found = (
                    f'{count}: {text.ratio(median(speedups(row, family, count)))}'
                    for count in self.counts
                )
                lines.append(f'{ran["contender"]}: {" ".join(found)}')
        return '\n'.join(lines)


DESCRIPTION = (
    'Speed-up over the serial code by number of threads, for each row. The table of '
    'speed-ups has the same figures.'
)


def curves_element(results):
    """An <svg> for a page that has the sheet. Empty if there are too few numbers of threads."""
    curves = _Curves(results)
    return curves.svg.element(WIDTH, curves.y + MARGIN, DESCRIPTION) if curves.any else ''


def curves_document(results):
    """A file of its own; without curves it says so."""
    curves = _Curves(results)
    return curves.svg.document(WIDTH, curves.y + MARGIN, DESCRIPTION)
