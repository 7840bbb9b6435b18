"""Drawings in CSS pixels, y downwards. What an element looks like is said by its class."""
import html
import math
import textwrap

# Blue and orange differ for every common kind of colour blindness, and all text has a contrast of
# 4.5 at least against the paper, as WCAG 2.1 AA asks. "soft" also says "no difference".
LIGHT = {
    'paper': '#ffffff',
    'ink': '#1b1f24',
    'soft': '#59636e',
    'grid': '#e2e6ea',
    'band': '#e7ebf0',
    'blue': '#0b5cc0',
    'orange': '#b84300',
}
DARK = {
    'paper': '#14181d',
    'ink': '#e6e9ec',
    'soft': '#a2abb5',
    'grid': '#333b44',
    'band': '#2a323b',
    'blue': '#6fb1ff',
    'orange': '#ff9a57',
}
# No variables of CSS: not every program that shows an SVG has them.
COLOURS = '''.faster{{color:{blue}}}
.slower{{color:{orange}}}
.tie{{color:{soft}}}
svg text{{fill:{ink}}}
svg text.soft{{fill:{soft}}}
.hollow,.paper{{fill:{paper}}}
.grid{{stroke:{grid}}}
.band{{fill:{band}}}
.parity{{stroke:{ink}}}
'''
SHAPES = '''\
svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
svg text.strong{font-weight:650}
svg text.title{font-size:17px;font-weight:650}
svg text.number{font-variant-numeric:tabular-nums}
.mark{fill:currentColor;stroke:currentColor;stroke-width:1}
.hollow{stroke:currentColor;stroke-width:1.6}
.bar{stroke:currentColor;stroke-width:2}
.grid{stroke-width:1}
.parity{stroke-width:1.3}
'''
# Only screens are dark: a print is on white paper.
SHEET = (
    COLOURS.format(**LIGHT)
    + '@media screen and (prefers-color-scheme:dark){\n'
    + COLOURS.format(**DARK)
    + '}\n'
    + SHAPES
)
TEXT = 12  # pixels high, as in the sheet

# Corners around the centre, of about the same area for every shape; a circle has none.
CORNERS = {
    'square': ((-3.8, -3.8), (3.8, -3.8), (3.8, 3.8), (-3.8, 3.8)),
    'diamond': ((-5.2, 0), (0, -5.2), (5.2, 0), (0, 5.2)),
    'left': ((-5.5, 0), (4, -5.2), (4, 5.2)),
    'right': ((5.5, 0), (-4, -5.2), (-4, 5.2)),
}


def escape(text):
    """For the content of elements and for attributes in double quotes, in HTML and XML."""
    safe = ''.join(' ' if c < ' ' and c != '\n' else c for c in text)
    return html.escape(safe).replace('&#x27;', "'")


def _element(name, style, content=None, **attributes):
    places = {
        key: value if isinstance(value, str) else f'{value:.1f}'
        for key, value in attributes.items()
    }
    text = ''.join(f' {key.replace("_", "-")}="{value}"' for key, value in places.items())
    end = '/>' if content is None else f'>{escape(content)}</{name}>'
    return f'<{name} class="{escape(style)}"{text}{end}'


def text_width(text):
    """About how wide it is: nobody here knows the reader's font, so rather too wide."""
    return 0.6 * TEXT * len(text)


def wrap_text(text, width):
    return textwrap.wrap(
        text, int(width / text_width(' ')), break_long_words=False, break_on_hyphens=False
    )


class Svg:
    def __init__(self):
        self.body = ''
        self.end = '\n'  # of an element: a group is one line

    def _add(self, *element, **attributes):
        self.body += _element(*element, **attributes) + self.end

    def line(self, begin, end, style):
        self._add('line', style, x1=begin[0], y1=begin[1], x2=end[0], y2=end[1])

    def rectangle(self, corner, width, height, style):
        self._add('rect', style, x=corner[0], y=corner[1], width=width, height=height)

    def mark(self, centre, shape, style):
        x, y = centre
        if shape == 'circle':
            self._add('circle', style, cx=x, cy=y, r=4.2)
            return
        points = ' '.join(f'{x + dx:.1f},{y + dy:.1f}' for dx, dy in CORNERS[shape])
        self._add('polygon', style, points=points)

    def text(self, start, text, style, anchor=''):
        anchored = {'text_anchor': anchor} if anchor else {}
        self._add('text', style, text, x=start[0], y=start[1], **anchored)

    def begin_group(self, hint):
        """What is drawn until end_group() shows the hint when pointed at."""
        self.body += f'<g><title>{escape(hint)}</title>'
        self.end = ''

    def end_group(self):
        self.body += '</g>\n'
        self.end = '\n'

    def element(self, width, height, description, sheet=''):
        """For a page: it keeps its proportions, and shrinks with the space that it is given.

        The description is for those who cannot see it.
        """
        space = ' xmlns="http://www.w3.org/2000/svg"' if sheet else ''
        style = (
            f'<style>\n{sheet}</style>\n<rect class="paper" width="100%" height="100%"/>\n'
            if sheet
            else ''
        )
        size = f'width="{width:.1f}" height="{height:.1f}" viewBox="0 0 {width:.1f} {height:.1f}"'
        return (
            f'<svg{space} role="img" aria-label="{escape(description)}" {size}>\n'
            f'{style}{self.body}</svg>\n'
        )

    def document(self, width, height, description):
        """The same as a file of its own, for light and dark backgrounds."""
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + self.element(
            width, height, description, SHEET
        )


class LogScale:
    """A logarithmic axis: a factor is as long everywhere, so that twice as fast and half as fast
    lie as far from parity. It shows a little more than the values, without those that have no
    logarithm.
    """

    def __init__(self, shown, begin, end):
        shown = [value for value in shown if math.isfinite(value) and value > 0]
        pad = 1 + 0.04 * math.log(max(shown) / min(shown))
        self.low, self.high = min(shown) / pad, max(shown) * pad
        self.begin, self.end = begin, end

    def __call__(self, value):
        """Where the value is drawn: at the nearer end if it is outside."""
        inside = min(max(value, self.low), self.high)
        share = math.log(inside / self.low) / math.log(self.high / self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self, spacing):
        """Round values, at least that many pixels apart."""
        per_decade = abs(self.end - self.begin) / math.log10(self.high / self.low)
        # The closest neighbours of a decade's 1, 2, 5 are 1 and 2, and 5 and 10; of 1, 3 it is 1,
        # 3.
        if per_decade * math.log10(2) >= spacing:
            mantissas, step = (1, 2, 5), 1
        elif per_decade * math.log10(3) >= spacing:
            mantissas, step = (1, 3), 1
        else:
            mantissas, step = (1,), max(1, math.ceil(spacing / per_decade))
        first = math.floor(math.log10(self.low) / step) * step
        last = math.floor(math.log10(self.high))
        values = [
            mantissa * 10.0**exponent
            for exponent in range(first, last + 1, step)
            for mantissa in mantissas
        ]
        return [value for value in values if self.low <= value <= self.high]
