"""What results come to: families of rows, verdicts, and what all reports say in the same words.

Every report takes its ratios from here.
"""
import math
from collections import Counter
from typing import NamedTuple

from .estimates import (
    LEAST_FOR_INTERVAL,
    Interval,
    estimate_geometric_mean,
    estimate_median,
    judge,
    median,
    noise_factor,
)
from .results import BASELINE, OURS, find, ratios, speedups

LEAST_FOR_CURVE = 3  # the table of times has one thread and all
MOST_DISTURBANCE = 5  # per cent
BARE_FORKS = ('fib', 'fib-calls', 'integrate', 'skynet')
SHORT = 10_000  # additions, which take some ten microseconds

# Rows of a family ask the same question, so a mean over them says something. In the reports' order.
FAMILIES = {
    'bare forks': 'recursions with next to no work in them: what a fork costs',
    'forks': 'recursions with work in them: sorting, matrices, searches',
    'near-empty loops': 'nothing, or 10,000 additions at most: what a loop costs',
    'loops after a rest': '100,000 iterations or more after 2 ms without work: threads may have '
    'to be woken',
    'loops by cost': 'by what an iteration costs and where the cost lies; n is the cost in ns',
    'loops': 'loops with work in them',
    'reductions': 'loops that fold what they find into one result',
}
VERDICTS = ('faster', 'slower', 'tie', 'not known', 'withheld', 'no result')
VERDICT_RULES = {
    'faster, slower': "1 is outside of the bounds, and the ratio is beyond the row's noise",
    'tie': 'the bounds lie within 5 % of 1',
    'not known': 'everything else',
    'noise': 'how far furca measured against itself strays from 1, and 2 % at least',
}


def family_of(row):
    """By the workload's name and size alone: a row is in the same family in every run."""
    name = row['workload']
    if row['group'] == 'reductions':
        return 'reductions'
    if row['group'] == 'forks':
        return 'bare forks' if name in BARE_FORKS else 'forks'
    empty = name.startswith('empty')
    if (empty or name.startswith('axpy')) and row['size'] <= SHORT:
        return 'near-empty loops'
    if row['rest_ms'] > 0:
        return 'loops after a rest'
    if empty:
        return 'near-empty loops'
    return 'loops by cost' if name.startswith('cost-') else 'loops'


def rivals(results):
    """Families to compare with, oneTBB first."""
    found = {series['family'] for row in results['rows'] for series in row['series']}
    return sorted(found - {OURS, 'serial'}, key=lambda family: (family != BASELINE, family))


def thread_counts(results):
    """Numbers of threads that furca was run with, ascending."""
    return sorted(
        {
            series['threads']
            for row in results['rows']
            for series in row['series']
            if series['family'] == OURS
        }
    )


def most_threads(results):
    return max(thread_counts(results), default=1)


def was_quiet(setting):
    """Whether the run had the machine to itself. Else ratios say more of others than of furca."""
    return setting['others_percent'] + setting['stolen_percent'] <= MOST_DISTURBANCE


class Comparison(NamedTuple):
    ratio: Interval  # rival's time / furca's; above 1 furca is faster
    noise: float  # a factor; infinite if furca was not measured beside itself
    verdict: str


def control_interval(row, threads):
    """The ratio of furca to itself; with another number of threads if not measured with this."""
    control = find(row, OURS, threads, control=True) or next(
        (series for series in row['series'] if series['control']), None
    )
    beside = find(row, OURS, control['threads']) if control else None
    return estimate_median(ratios(control, beside))


def verdict_on(setting, verdict):
    return verdict if verdict == 'no result' or was_quiet(setting) else 'withheld'


def compare(setting, row, rival, threads):
    """Furca beside a rival in one row."""
    ratio = estimate_median(ratios(find(row, rival, threads), find(row, OURS, threads)))
    noise = noise_factor(control_interval(row, threads))
    return Comparison(ratio, noise, verdict_on(setting, judge(ratio, noise)))


def tally(results, rival, threads):
    """How often each verdict was found, over the rows in which the rival ran."""
    return Counter(
        compare(results['setting'], row, rival, threads).verdict
        for row in results['rows']
        if find(row, rival, threads)
    )


def processor_tally(results, rival, threads):
    """The same by processor time, which other programs disturb less than the time that passes."""
    found = Counter()
    for row in results['rows']:
        ours, theirs = find(row, OURS, threads), find(row, rival, threads)
        if theirs:
            control = ratios(find(row, OURS, threads, control=True), ours, 'cpu_ns')
            ratio = estimate_median(ratios(theirs, ours, 'cpu_ns'))
            found[judge(ratio, noise_factor(estimate_median(control)))] += 1
    return found


def by_family(results):
    """The rows of each family that has some."""
    found = {
        family: [row for row in results['rows'] if family_of(row) == family] for family in FAMILIES
    }
    return {family: rows for family, rows in found.items() if rows}


def tallies_by_family(results, rival, threads):
    """Of each family in which the rival ran: its tally, and the geometric mean of the ratios.

    There is no mean over several families: it would say how many rows of each there are.
    """
    found = {}
    for family, rows in by_family(results).items():
        rows = [row for row in rows if find(row, rival, threads)]
        if rows:
            sets = [ratios(find(row, rival, threads), find(row, OURS, threads)) for row in rows]
            found[family] = (
                tally(results | {'rows': rows}, rival, threads),
                estimate_geometric_mean(sets),
            )
    return found


def speedups_by_family(results, threads):
    """The geometric mean of serial time / furca's time."""
    return {
        family: estimate_geometric_mean([speedups(row, OURS, threads) for row in rows])
        for family, rows in by_family(results).items()
    }


def noises(results, threads):
    """The noise factor of each row in which it was measured, with the row."""
    found = ((control_interval(row, threads), row) for row in results['rows'])
    return [
        (noise_factor(control), row) for control, row in found if not math.isnan(control.middle)
    ]


def typical_noise(results, threads):
    return median([noise for noise, _ in noises(results, threads)])


def noisiest_row(results, threads):
    """With its noise; None if none was measured."""
    return max(noises(results, threads), key=lambda one: one[0], default=None)


def summarized(results):
    """The results with their summary, for other programs: made anew from the samples."""
    families = []
    for rival in rivals(results):
        for threads in thread_counts(results):
            for family, (found, mean) in tallies_by_family(results, rival, threads).items():
                verdicts = {name.replace(' ', '_'): found[name] for name in VERDICTS}
                bounds = {
                    name: None if math.isnan(value) else value
                    for name, value in (
                        ('mean', mean.middle),
                        ('low', mean.low),
                        ('high', mean.high),
                    )
                }
                families.append(
                    {
                        'rows': family,
                        'rival': rival,
                        'threads': threads,
                        **bounds,
                        'range_of': mean.range_of,
                        'verdicts': verdicts,
                    }
                )
    summary = {
        'quiet': was_quiet(results['setting']),
        'notice': withheld_notice(results['setting']),
        'bounds': bounds_sentence(results),
        'families': families,
    }
    return results | {'summary': summary}


# What tables, chart and page say in the same words.


def _percent(value):
    return f'{value:.0f} %' if value >= 10 else f'{value:.1f} %'


def disturbance_sentence(setting):
    return (
        f'other programs used {_percent(setting["others_percent"])} of the processors, '
        f'the hypervisor {_percent(setting["stolen_percent"])}'
    )


def withheld_notice(setting):
    """Why there are no verdicts. Empty if there are some."""
    if was_quiet(setting):
        return ''
    return (
        f'Not a quiet machine: {disturbance_sentence(setting)}, more than 5 % together. '
        'Verdicts are withheld: the figures say more of what else ran than of furca.'
    )


def machine_mark(setting):
    return '' if was_quiet(setting) else ' (not a quiet machine)'


def bounds_sentence(results):
    """What bounds are: an interval, a range of so many rounds, or both where rows differ."""
    counts = [
        len(ratios(series, find(row, 'serial', 1)))
        for row in results['rows']
        for series in row['series']
        if series['family'] != 'serial'
    ]
    few = [count for count in counts if 0 < count < LEAST_FOR_INTERVAL]
    parts = []
    if max(counts, default=0) >= LEAST_FOR_INTERVAL:
        parts.append('in brackets: 95 % interval')
    if few:
        words = ('no', 'one', 'two', 'three', 'four', 'five')
        fewest = f'{words[min(few)]} to ' if min(few) < max(few) else ''
        rounds = 'round' if max(few) == 1 else 'rounds'
        parts.append(f'in parentheses: range of {fewest}{words[max(few)]} {rounds}')
    return '; '.join(parts)


def caption(setting):
    """The machine, the day and the versions."""
    return ', '.join([setting['processor'], setting['date'][:10], *setting['versions']])
