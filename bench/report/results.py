"""What a run found, as its JSON has it: the samples of rows and figures, and the setting.

A row is one workload at one size. Its series are contenders at a number of threads, with a column
of samples for each quantity and a sample for each round.
"""
import json
import math
from pathlib import Path

from .estimates import median, paired_ratios

FORMAT = 'furca-bench 1'
OURS, BASELINE = 'furca', 'oneTBB'
ROW_GROUPS = ('forks', 'loops', 'reductions')
FIGURE_GROUPS = ('behaviour', 'micro', 'instructions')
COLUMNS = ('wall_ns', 'cpu_ns', 'peak_kib', 'voluntary_switches', 'involuntary_switches', 'calls')
OPTIONAL = ('busy_threads', 'heavy_fences')  # of furca alone, and not in earlier files


def text_of(results):
    """The JSON with one row a line: differences between two runs show which rows differ."""

    def lines(value):
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return '[\n' + ',\n'.join(map(json_of, value)) + '\n]'
        return json_of(value)

    def json_of(value):
        return json.dumps(value, ensure_ascii=False, separators=(',', ':'), allow_nan=False)

    return '{' + ',\n'.join(f'"{name}":{lines(value)}' for name, value in results.items()) + '}\n'


def _refuse_unless(right, why):
    if not right:
        raise ValueError(why)


def _check_series(series):
    columns = COLUMNS + tuple(column for column in OPTIONAL if column in series)
    lengths = {len(series[column]) for column in columns}
    _refuse_unless(len(lengths) == 1, 'columns of different lengths')
    for column in columns:
        _refuse_unless(
            all(value is None or isinstance(value, (int, float)) for value in series[column]),
            f'{column} that are no numbers',
        )
    _refuse_unless(series['threads'] >= 1, 'no threads')
    series['family'], series['contender'], series['control']  # pylint: disable=W0104


def check(results):
    """Raises an exception that says what is wrong, if this is not what furca-bench writes."""
    _refuse_unless(
        results['format'] == FORMAT, f'its format is "{results["format"]}", not "{FORMAT}"'
    )
    setting = results['setting']
    _refuse_unless(setting['threads'], 'no numbers of threads')
    _refuse_unless(setting['versions'], 'no versions')
    _refuse_unless(
        isinstance(setting['rounds'], int) and setting['rounds'] >= 0,
        'rounds that are no whole number',
    )
    for row in results['rows']:
        _refuse_unless(row['group'] in ROW_GROUPS, f'no such group: {row["group"]}')
        for series in row['series']:
            _check_series(series)
    for figure in results['figures']:
        _refuse_unless(figure['group'] in FIGURE_GROUPS, f'no such group: {figure["group"]}')
    return results


def load(path):
    """The results in a file. Raises ValueError, in words for the user, if it has none."""
    try:
        text = Path(path).read_text(encoding='utf-8')
    except (OSError, UnicodeDecodeError):
        raise ValueError(f'cannot read {path}') from None
    try:
        return check(json.loads(text))
    except KeyError as error:
        raise ValueError(f'{path} is not a result of this program: no {error}') from None
    except (ValueError, TypeError) as error:
        raise ValueError(f'{path} is not a result of this program: {error}') from None


def label(row):
    return f'{row["workload"]} {row["size"]}' if row['size'] else row['workload']


def find(row, family, threads, control=False):
    """The series of a row; None if there is none. `control`: of furca beside itself."""
    for series in row['series']:
        if (series['family'], series['threads'], series['control']) == (family, threads, control):
            return series
    return None


def numbers(samples):
    return [math.nan if sample is None else sample for sample in samples]


def values(series, column='wall_ns'):
    """One quantity of every round; none if there is no such series, or it does not tell that."""
    return numbers(series.get(column, ())) if series else []


def typical(series, column='wall_ns'):
    return median(values(series, column))


def ratios(above, below, column='wall_ns'):
    """The ratio within each round; none if one of the series is missing."""
    return paired_ratios(values(above, column), values(below, column))


def speedups(row, family, threads):
    """Serial time / the family's time."""
    return ratios(find(row, 'serial', 1), find(row, family, threads))
