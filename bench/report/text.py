"""Numbers as people read them, and lines of at most 100 columns. '-' stands for NaN."""
import math
import textwrap

COLUMNS = 100


def time(ns):
    """'3.10 ms'"""
    if math.isnan(ns):
        return '-'
    units = ['ns', 'us', 'ms', 's']
    while ns >= 999.5 and len(units) > 1:
        ns /= 1000
        units.pop(0)
    return f'{three_digits(ns)} {units[0]}'


def three_digits(value):
    return f'{value:.2f}' if value < 9.995 else f'{value:.1f}' if value < 99.95 else f'{value:.0f}'


def ratio(value):
    """Three digits or so: '0.51', '23.3', '118'"""
    return '-' if math.isnan(value) else three_digits(value)


def bounds(interval):
    """'[1.02 .. 1.10]', of a range '(1.02 .. 1.10)'"""
    if math.isnan(interval.low):
        return '-'
    text = f'{ratio(interval.low)} .. {ratio(interval.high)}'
    return f'({text})' if interval.range_of else f'[{text}]'


def interval(estimate):
    return f'{ratio(estimate.middle)} {bounds(estimate)}'


def noise(factor):
    """What a noise factor allows: '4 %'; '?' if it is infinite"""
    return '?' if math.isinf(factor) else f'{100 * (factor - 1):.0f} %'


def wrap(text, first='', indent=''):
    return textwrap.fill(
        text,
        COLUMNS,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def columns(widths, *texts):
    """A line of a table. A negative width stands for a text on the left of its column."""
    return ' '.join(
        f'{text:<{-width}}' if width < 0 else f'{text:>{width}}'
        for text, width in zip(texts, map(int, widths.split()), strict=True)
    )
