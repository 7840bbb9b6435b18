"""The chart of all rows: how long each took with the others beside furca, on all threads."""
import math

from . import text
from .results import find, label
from .summary import (
    bounds_sentence,
    by_family,
    caption,
    compare,
    most_threads,
    rivals,
    was_quiet,
    withheld_notice,
)
from .svg import LogScale, Svg, text_width, wrap_text

WIDTH = 960
MARGIN = 10
AXIS = (170, 790)  # left of it the rows' names, right of it their ratios
GROUP_HEIGHT = 26
SPACING = 7  # between the marks of a row
TICK_SPACING = 36
MARKS = {
    'faster': ('right', 'faster'),
    'slower': ('left', 'slower'),
    'not known': ('diamond', 'tie'),
    'withheld': ('square', 'tie'),
}


class _Chart:
    def __init__(self, results):
        self.results, self.setting = results, results['setting']
        self.rivals, self.threads = rivals(results), most_threads(results)
        self.svg, self.y = Svg(), 0
        self.draw_heading()
        if not self.rivals:
            return
        self.families = {
            family: [
                (row, [compare(self.setting, row, rival, self.threads) for rival in self.rivals])
                for row in rows
            ]
            for family, rows in by_family(results).items()
        }
        ratios = [
            one.ratio[:3] for rows in self.families.values() for _, beside in rows for one in beside
        ]
        # Both sides of parity are there, and small differences look small.
        self.scale = LogScale([0.5, 1, 2, *(value for ratio in ratios for value in ratio)], *AXIS)
        self.row_height = 6 + SPACING * len(self.rivals)
        self.draw_keys()
        self.draw_axis()
        for family, rows in self.families.items():
            self.svg.text((MARGIN, self.y + 18), family, 'strong')
            self.y += GROUP_HEIGHT
            for row, beside in rows:
                self.draw_row(row, beside)
        self.draw_ticks(self.y + 14)
        self.y += 24

    def description(self):
        if not self.rivals:
            return 'No other library was there to compare with.'
        return (
            f'Time of {self.rivals[0]} divided by that of furca, for every row. The table of '
            'times has the same figures.'
        )

    def draw_heading(self):
        below = wrap_text(
            withheld_notice(self.setting) or caption(self.setting), WIDTH - 2 * MARGIN
        )
        if self.rivals:
            threads = f'{self.threads} thread{"s" if self.threads > 1 else ""}'
            title = f'Time of {self.rivals[0]} / time of furca, {threads}'
            below.append(bounds_sentence(self.results))
        else:
            title = 'furca was compared with no other library'
        self.svg.text((MARGIN, 28), title, 'title')
        self.y = 32
        for line in below:
            self.y += 18
            self.svg.text((MARGIN, self.y), line, 'soft')

    def draw_keys(self):
        self.y += 26
        if was_quiet(self.setting):
            keys = [
                ('faster', 'furca faster'),
                ('tie', 'tie'),
                ('not known', 'not known'),
                ('slower', 'furca slower'),
            ]
        else:
            keys = [('withheld', 'verdict withheld')]
        keys = [(*key, False) for key in keys]
        keys += [('tie', f'hollow: {rival}', True) for rival in self.rivals[1:]]
        x = MARGIN
        for verdict, meaning, hollow in keys:
            self.draw_mark((x + 5, self.y - 4), verdict, hollow)
            self.svg.text((x + 16, self.y), meaning, 'soft')
            x += 30 + text_width(meaning)
        self.svg.rectangle((x - 3, self.y - 11), 16, 14, 'band')
        self.svg.text((x + 16, self.y), 'noise: furca beside itself', 'soft')

    def draw_axis(self):
        """The names, the ticks, and the grid below all rows."""
        self.y += 26
        one = self.scale(1)
        self.svg.text((one - 10, self.y), '◀ furca slower', 'soft', 'end')
        self.svg.text((one + 10, self.y), 'furca faster ▶', 'soft')
        self.svg.text((WIDTH - MARGIN, self.y), f'{self.rivals[0]}/furca', 'soft', 'end')
        self.y += 18
        self.draw_ticks(self.y)
        self.y += 6
        bottom = self.y + sum(
            GROUP_HEIGHT + self.row_height * len(rows) for rows in self.families.values()
        )
        for tick in self.scale.ticks(TICK_SPACING):
            self.svg.line((self.scale(tick), self.y), (self.scale(tick), bottom), 'grid')
        self.svg.line((one, self.y), (one, bottom), 'parity')

    def draw_ticks(self, y):
        for tick in self.scale.ticks(TICK_SPACING):
            self.svg.text((self.scale(tick), y), f'{tick:g}', 'soft number', 'middle')

    def hint_of(self, row, beside):
        lines = [f'{label(row)}: {row["summary"]}']
        for rival, one in zip(self.rivals, beside):
            ran = find(row, rival, self.threads)
            if ran:
                lines.append(f'{ran["contender"]}/furca {text.interval(one.ratio)}')
        return '\n'.join(lines)

    def draw_row(self, row, beside):
        middle = self.y + self.row_height / 2
        self.svg.begin_group(self.hint_of(row, beside))
        self.svg.line((0, self.y), (WIDTH, self.y), 'grid')
        first = beside[0]
        if math.isfinite(first.noise):
            left, right = self.scale(1 / first.noise), self.scale(first.noise)
            self.svg.rectangle((left, self.y + 1), right - left, self.row_height - 2, 'band')
            one = self.scale(1)
            self.svg.line((one, self.y), (one, self.y + self.row_height), 'parity')
        self.svg.text((MARGIN, middle + 4), label(row), '')
        if find(row, self.rivals[0], self.threads):
            self.svg.text((WIDTH - MARGIN, middle + 4), text.interval(first.ratio), 'number', 'end')
        y = middle - SPACING * (len(self.rivals) - 1) / 2
        for one in beside:
            self.draw_ratio(one, y, one is not first)
            y += SPACING
        self.svg.end_group()
        self.y += self.row_height

    def draw_ratio(self, one, y, hollow):
        low, middle, high, _ = one.ratio
        if math.isfinite(middle) and middle > 0:
            style = MARKS.get(one.verdict, ('', 'tie'))[1]
            self.svg.line((self.scale(low), y), (self.scale(high), y), f'bar {style}')
            self.draw_mark((self.scale(middle), y), one.verdict, hollow)

    def draw_mark(self, place, verdict, hollow):
        shape, style = MARKS.get(verdict, ('circle', 'tie'))
        self.svg.mark(place, shape, f'{"hollow" if hollow else "mark"} {style}')


def chart_element(results):
    """An <svg> for a page that has the sheet. Empty if there is nobody to compare with."""
    chart = _Chart(results)
    return chart.svg.element(WIDTH, chart.y, chart.description()) if chart.rivals else ''


def chart_document(results):
    chart = _Chart(results)
    return chart.svg.document(WIDTH, chart.y, chart.description())
