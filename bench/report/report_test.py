#!/usr/bin/env python3
"""Estimates and verdicts, what each report says of made-up runs, and what is refused."""
import copy
import io
import json
import math
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import furca_bench  # noqa: E402
from report import losses, summary, svg, terminal, text  # noqa: E402
from report.chart import chart_document  # noqa: E402

# noqa: E402
from report.estimates import (
    NONE,
    Interval,
    estimate_geometric_mean,
    estimate_median,
    estimate_ratio,
    judge,
    median,
    noise_factor,
    paired_ratios,
    quantile,
)
from report.page import page  # noqa: E402
from report.results import check, find, load, speedups, text_of, typical  # noqa: E402
from report.targets import judge_targets  # noqa: E402


def series_of(family, threads, walls, control=False):
    return {
        'family': family,
        'contender': family,
        'threads': threads,
        'control': control,
        'wall_ns': list(walls),
        'cpu_ns': [None if wall is None else 2 * wall for wall in walls],
        'peak_kib': [1024] * len(walls),
        'voluntary_switches': [1] * len(walls),
        'involuntary_switches': [1] * len(walls),
        'calls': [1] * len(walls),
    }


def row_of(workload, group, size, series, rest_ms=0, span_ns=None):
    return {
        'workload': workload,
        'summary': 'what it does: why it is there',
        'group': group,
        'size': size,
        'rest_ms': rest_ms,
        'span_ns': span_ns,
        'series': series,
    }


def row_with(workload, group, size, ratios):
    """oneTBB takes so many times furca's time in each round; furca against itself is equal."""
    furca = [1e6 + number for number in range(len(ratios))]
    return row_of(
        workload,
        group,
        size,
        [
            series_of('serial', 1, [2 * wall for wall in furca]),
            series_of('furca', 2, furca),
            series_of('furca', 2, furca, control=True),
            series_of('oneTBB', 2, [wall * ratio for wall, ratio in zip(furca, ratios)]),
        ],
    )


def figure_of(name, family, variant, unit, values, group='micro'):
    return {
        'name': name,
        'summary': 'how long it takes',
        'group': group,
        'family': family,
        'variant': variant,
        'unit': unit,
        'values': values,
    }


def run_of(rows=(), figures=(), **setting):
    return {
        'format': 'furca-bench 1',
        'setting': {
            'date': '2031-05-06T07:08:09Z',
            'processor': 'a processor',
            'processors': 2,
            'affinity': 2,
            'quota': 'none',
            'topology': {'borders': []},
            'kernel': 'Linux',
            'load_before': '0.10',
            'load_after': '0.20',
            'stolen_percent': 0,
            'others_percent': 0,
            'compiler': 'gcc',
            'flags': '-O2',
            'versions': ['furca 0.1.0', 'oneTBB 2021.8'],
            'effort': 'quick',
            'seed': 1,
            'rounds': 6,
            'threads': [2],
            'seconds': 12.25,
        }
        | setting,
        'rows': list(rows),
        'figures': list(figures),
        'failures': 0,
    }


def example_run(**setting):
    """Forks on which furca is faster by far, and a loop of which nothing is known."""
    return run_of(
        [
            row_with('fib', 'forks', 35, [40] * 6),
            row_with('skynet', 'forks', 1000, [10] * 6),
            row_with('heat', 'loops', 64, [0.40, 0.42, 0.80, 0.80, 1.14, 1.14]),
        ],
        [
            figure_of('wake from sleep', 'furca', 'adaptive fence', 'ns', [30, 31, 32]),
            figure_of('wake from sleep', 'oneTBB', '', 'ns', [20, 20, 20]),
        ],
        **setting,
    )


def busy_run():
    return example_run(others_percent=94)


def scaling_run():
    """1, 4 and 16 threads of a machine of 8 cores in two caches: half as much as there are
    threads, with the others idle as long as the span says."""
    row = row_of(
        'heat', 'loops', 64, [series_of('serial', 1, [16e6] * 3)], span_ns=16e6 / 8 * 16 / 15 / 4
    )
    for threads in (1, 4, 16):
        wall = 16e6 if threads == 1 else 2 * 16e6 / threads
        busy = 1 if threads == 1 else threads / 2
        row['series'] += [
            series_of('furca', threads, [wall] * 3)
            | {
                'busy_threads': [busy] * 3,
                'cpu_ns': [wall * busy] * 3,
                'heavy_fences': [0 if threads == 1 else 2.5] * 3,
            },
            series_of('oneTBB', threads, [2 * wall] * 3),
        ]
    borders = [
        {'threads': 4, 'meaning': 'the cores of one last-level cache'},
        {'threads': 8, 'meaning': 'all cores; beyond, two threads share a core'},
    ]
    return run_of([row], threads=[1, 4, 16], affinity=16, topology={'borders': borders})


def first_rounds(run, rounds):
    for row in run['rows']:
        for series in row['series']:
            for column, samples in series.items():
                if isinstance(samples, list):
                    series[column] = samples[:rounds]
    return run


def without(run, *families):
    for row in run['rows']:
        row['series'] = [one for one in row['series'] if one['family'] not in families]
    return run


def scaled(run, factor, family='furca'):
    """The times of a family in the first row."""
    for series in run['rows'][0]['series']:
        if series['family'] == family:
            series['wall_ns'] = [factor * wall for wall in series['wall_ns']]
    return run


def shown(run):
    return '\n'.join([*terminal.tables(run), *terminal.verdicts(run), ''])


def targets(run):
    return '\n'.join([*terminal.targets(run), ''])


def line_of(text, beginning):
    return next((line for line in text.splitlines() if line.startswith(beginning)), '')


class Estimates(unittest.TestCase):
    def test_median_and_quantiles(self):
        self.assertEqual(median([100, 2, 1, 3, -50]), 2)
        self.assertEqual(median([8, 1, 2, 100]), 5)
        samples = [40, 10, 30, 20]
        for share, value in ((0, 10), (0.25, 17.5), (0.5, 25), (0.9, 37), (1, 40)):
            self.assertAlmostEqual(quantile(samples, share), value)
        self.assertTrue(math.isnan(median([])) and math.isnan(median([NONE, NONE])))
        self.assertEqual(median([NONE, 3, NONE, 1, 2]), 2)

    def test_ratios_are_of_rounds_that_have_both(self):
        self.assertEqual(paired_ratios([2, NONE, 8, 6], [1, 3, NONE, 2]), [2, 3])
        a, b = [10, 40, 20], [10, 10, 40]
        self.assertEqual(median(paired_ratios(a, b)), 1)
        self.assertEqual(median(a) / median(b), 2)

    def test_few_samples_have_no_interval(self):
        self.assertEqual(estimate_median([3, 1, 5, 2, 4]), (1, 3, 5, 5))
        self.assertEqual(estimate_median([10, 30, NONE, 20]), (10, 20, 30, 3))
        self.assertEqual(estimate_median([2]), (2, 2, 2, 1))
        # 6 samples: the resampled median is the mean of the two least ones, or less, in 2.3 % of
        # cases: there is an interval.
        self.assertEqual(estimate_median([3, 1, 5, 2, 4, 6]).range_of, 0)
        for none in (estimate_median([NONE]), estimate_geometric_mean([]), estimate_ratio([], [1])):
            self.assertTrue(math.isnan(none.middle))

    def test_many_samples_have_the_bounds_of_the_binomial_distribution(self):
        # The median of a resample of n different samples is at most the k-th smallest with the
        # probability that a binomial variable of n trials, each k/n likely, is (n + 1)/2 or more:
        # the 7th in 1.0 %, the 8th in 3.0 %; the 17th in 97.0 %, the 18th in 99.0 %.
        self.assertEqual(estimate_median(range(1, 26)), (8, 13, 18, 0))
        samples = [1.3, 0.8, 1.1, 0.9, 1.7, 1.2]
        self.assertEqual(estimate_median(samples), estimate_median(samples))

    def test_geometric_mean_is_of_the_medians(self):
        for bound in estimate_geometric_mean([[2, 2, 2], [8, 8], [], [NONE]])[:3]:
            self.assertAlmostEqual(bound, 4)
        enough = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6]
        found = estimate_geometric_mean([enough, enough])
        self.assertEqual(found.range_of, 0)
        self.assertAlmostEqual(found.middle, 1.3)
        self.assertTrue(1.0 < found.low < 1.3 < found.high < 1.6)
        alone = estimate_geometric_mean([enough])
        self.assertLess(found.high - found.low, alone.high - alone.low)  # each is drawn anew
        mixed = estimate_geometric_mean([enough, [4, 1, 2, 3]])
        self.assertEqual(mixed.range_of, 4)
        self.assertAlmostEqual(mixed.high, math.sqrt(1.6 * 4))

    def test_ratio_of_two_runs_takes_the_doubt_of_both(self):
        self.assertEqual(estimate_ratio([2, 4, 6], [1, 2, 1]), (1, 4, 6, 3))
        six = [1, 2, 3, 4, 5, 6]
        self.assertEqual(estimate_ratio(six, [1, 2, 3, 4]).range_of, 4)
        self.assertEqual(estimate_ratio(six, six).range_of, 0)
        self.assertGreater(estimate_ratio(six, six).high, 1)

    def test_noise_is_what_furca_beside_itself_reaches(self):
        for control, noise in (
            ((0.999, 1, 1.001), 1.02),
            ((0.99, 1.02, 1.07), 1.07),
            ((0.8, 1, 1.1), 1.25),
            ((1.05, 1.06, 1.08), 1.08),
            ((NONE, NONE, NONE), math.inf),
        ):
            self.assertEqual(noise_factor(Interval(*control)), noise)

    def test_verdicts(self):
        for ratio, noise, verdict in (
            ((1.05, 1.10, 1.20), 1.02, 'faster'),
            ((0.80, 0.90, 0.95), 1.02, 'slower'),
            ((0.80, 0.86, 0.95), 1.15, 'slower'),
            ((1.021, 1.03, 1.04), 1.02, 'faster'),
            ((NONE, NONE, NONE), 1.02, 'no result'),
            ((0.98, 1.00, 1.02), 1.02, 'tie'),
            ((1.01, 1.015, 1.02), 1.02, 'tie'),
            ((0.953, 1.00, 1.049), 1.02, 'tie'),
            ((0.98, 1.00, 1.06), 1.02, 'not known'),
            ((0.94, 1.00, 1.02), 1.02, 'not known'),
            ((0.40, 0.80, 1.14), 1.02, 'not known'),
            ((1.00, 1.10, 1.20), 1.02, 'not known'),
            ((1.05, 1.10, 1.20), 1.15, 'not known'),
            ((0.80, 0.90, 0.95), 1.15, 'not known'),
            ((1.5, 2, 3), math.inf, 'not known'),
            ((1, 1, 1), math.inf, 'not known'),
        ):
            self.assertEqual(judge(Interval(*ratio), noise), verdict, (ratio, noise))


def worked(*without_families):
    """oneTBB takes twice furca's time, whatever the round; OpenMP half; A/A is 5 % off."""
    series = [
        series_of('serial', 1, [20, 40, 80]),
        series_of('furca', 1, [22, 44, 88]),
        series_of('furca', 2, [10, 20, 40]),
        series_of('furca', 2, [10.5, 21, 42], True),
        series_of('OpenMP', 2, [5, 10, 20]),
        series_of('oneTBB', 1, [23, 46, 92]),
        series_of('oneTBB', 2, [20, 40, 80]),
    ]
    return row_of(
        'work', 'loops', 7, [one for one in series if one['family'] not in without_families]
    )


class Summary(unittest.TestCase):
    def test_comparison_is_round_by_round_and_knows_the_noise_of_its_row(self):
        quiet = run_of()['setting']
        found = summary.compare(quiet, worked(), 'oneTBB', 2)
        self.assertEqual(found.ratio, (2, 2, 2, 3))
        self.assertAlmostEqual(found.noise, 1.05)
        self.assertEqual(found.verdict, 'faster')
        self.assertEqual(summary.compare(quiet, worked(), 'OpenMP', 2).verdict, 'slower')
        alone = summary.compare(quiet, worked(), 'oneTBB', 1)  # A/A was measured with 2 threads
        self.assertAlmostEqual(alone.noise, 1.05)
        self.assertEqual(alone.verdict, 'tie')
        for rival, threads in (('oneTBB', 4), ('Cilk', 2)):
            self.assertEqual(summary.compare(quiet, worked(), rival, threads).verdict, 'no result')
        row = worked()
        row['series'] = [one for one in row['series'] if not one['control']]
        self.assertEqual(summary.compare(quiet, row, 'oneTBB', 2)[1:], (math.inf, 'not known'))

    def test_of_a_busy_machine_there_are_ratios_and_no_verdicts(self):
        setting = run_of(others_percent=4, stolen_percent=1)['setting']
        self.assertEqual(summary.compare(setting, worked(), 'oneTBB', 2).verdict, 'faster')
        setting['stolen_percent'] = 1.1
        found = summary.compare(setting, worked(), 'oneTBB', 2)
        self.assertEqual((found.ratio.middle, found.verdict), (2, 'withheld'))
        self.assertEqual(summary.compare(setting, worked(), 'oneTBB', 4).verdict, 'no result')

    def test_speedups_and_other_quantities(self):
        self.assertEqual(speedups(worked(), 'furca', 2), [2, 2, 2])
        self.assertEqual(typical(find(worked(), 'furca', 2), 'cpu_ns'), 40)
        self.assertTrue(math.isnan(typical(None)))

    def test_tally_counts_rows_that_a_rival_ran_in(self):
        run = run_of([worked(), worked(), worked('OpenMP')])
        for series in run['rows'][2]['series']:
            if series['family'] == 'oneTBB':
                series['wall_ns'] = [None] * 3
        self.assertEqual(summary.tally(run, 'oneTBB', 2), {'faster': 2, 'no result': 1})
        self.assertEqual(summary.tally(run, 'OpenMP', 2), {'slower': 2})
        self.assertEqual(summary.rivals(run), ['oneTBB', 'OpenMP'])
        self.assertEqual(summary.thread_counts(run), [1, 2])
        self.assertAlmostEqual(summary.typical_noise(run, 2), 1.05)

    def test_mean_is_of_one_family(self):
        run = run_of([worked(), worked(), worked()])
        run['rows'][0] |= {'workload': 'fib', 'group': 'forks'}
        for series in run['rows'][2]['series']:
            if series['family'] == 'oneTBB':
                series['wall_ns'] = [4 * wall for wall in series['wall_ns']]  # a ratio of 8
        found = summary.tallies_by_family(run, 'oneTBB', 2)
        self.assertEqual(list(found), ['bare forks', 'loops'])
        self.assertAlmostEqual(found['bare forks'][1].middle, 2)
        self.assertAlmostEqual(found['loops'][1].middle, 4)
        self.assertEqual(found['loops'][0], {'faster': 2})
        self.assertEqual(summary.tallies_by_family(run, 'Cilk', 2), {})
        self.assertAlmostEqual(summary.speedups_by_family(run, 2)['loops'].middle, 2)

    def test_families(self):
        for name, group, size, rest_ms, family in (
            ('skynet', 'forks', 100, 0, 'bare forks'),
            ('mergesort', 'forks', 100, 0, 'forks'),
            ('empty', 'loops', 10_000_000, 0, 'near-empty loops'),
            ('axpy', 'loops', 10_000, 0, 'near-empty loops'),
            ('axpy-rested', 'loops', 10_000, 2, 'near-empty loops'),
            ('axpy-rested', 'loops', 100_000, 2, 'loops after a rest'),
            ('axpy', 'loops', 100_000, 0, 'loops'),
            ('heat', 'loops', 256, 0, 'loops'),
            ('cost-ramp', 'loops', 1, 0, 'loops by cost'),
            ('bfs', 'reductions', 1, 0, 'reductions'),
        ):
            self.assertEqual(summary.family_of(row_of(name, group, size, [], rest_ms)), family)

    def test_what_a_run_comes_to_is_there_for_other_programs(self):
        row = row_of(
            'fib',
            'forks',
            30,
            [
                series_of('serial', 1, [1.5, 0.1]),
                series_of('furca', 2, [None, 1e-9], True),
                series_of('oneTBB', 2, [4, 8]),
                series_of('furca', 2, [2, 2]),
            ],
        )
        found = summary.summarized(run_of([row]))['summary']
        self.assertEqual(found['bounds'], 'in parentheses: range of one to two rounds')
        (family,) = found['families']
        self.assertEqual(
            (family['rows'], family['rival'], family['threads'], family['range_of']),
            ('bare forks', 'oneTBB', 2, 2),
        )
        self.assertAlmostEqual(family['mean'], 3)
        self.assertEqual(family['verdicts']['withheld'], 0)
        busy = summary.summarized(run_of([row], others_percent=94))['summary']
        self.assertFalse(busy['quiet'])
        self.assertIn('other programs used 94 %', busy['notice'])
        self.assertEqual(busy['families'][0]['verdicts']['withheld'], 1)


class Losses(unittest.TestCase):
    """Each way to lose time, alone, of a serial time of 64 ms and 64 threads."""

    def row(self, on_one=64e6, on_all=1e6, busy=64, processors=64, span=0):
        """Between the rounds the machine is once twice as slow."""
        row = row_of('made-up', 'loops', 0, [], span_ns=span)
        for family, threads, wall, cpu, of_threads in (
            ('serial', 1, 64e6, 64e6, 1),
            ('furca', 1, on_one, on_one, 1),
            ('furca', 64, on_all, on_all * processors, busy),
        ):
            row['series'].append(
                series_of(family, threads, [wall, 2 * wall, wall])
                | {'cpu_ns': [cpu, 2 * cpu, cpu], 'busy_threads': [of_threads] * 3}
            )
        return row

    def lost(self, expected, affinity=64, **made):
        setting, row = {'affinity': affinity}, self.row(**made)
        parts = losses.breakdown(setting, row, 64)
        self.assertAlmostEqual(sum(parts.values()), 1)
        self.assertGreaterEqual(min(parts.values()), 0)
        for part, share in expected.items():
            self.assertAlmostEqual(parts[part], share, msg=part)
        return losses.largest_loss(setting, row, 64)

    def test_each_alone(self):
        self.assertEqual(self.lost({'useful': 1}), '-')
        self.assertEqual(self.lost({}, on_all=64e6 / 60, busy=60, processors=60), '-')
        self.assertEqual(self.lost({'work': 0.5, 'useful': 0.5}, on_one=128e6, on_all=2e6), 'work')
        self.assertEqual(self.lost({'memory': 0.75}, on_all=4e6), 'memory')
        few = {'on_all': 4e6, 'busy': 16, 'processors': 16}
        self.assertEqual(self.lost({'span': 0.75}, **few, span=4e6), 'span')
        short = 0.01 * 63 / 64
        self.assertEqual(
            self.lost({'span': short, 'scheduler': 0.75 - short}, **few, span=4e4), 'scheduler'
        )

    def test_processors(self):
        for busy in (64, 2):  # they take turns on two, or all but two sleep
            self.assertEqual(
                self.lost(
                    {'processors': 62 / 64, 'useful': 2 / 64},
                    affinity=2,
                    on_all=32e6,
                    busy=busy,
                    processors=2,
                ),
                'processors',
            )
        self.assertEqual(self.lost({'processors': 0.5}, on_all=2e6, processors=32), 'processors')

    def test_all_together(self):
        call = 1e6 / 0.20
        self.lost(
            {
                'useful': 0.20,
                'work': 0.10,
                'processors': 0.15,
                'memory': 0.25,
                'span': 0.12,
                'scheduler': 0.18,
            },
            on_one=96e6,
            on_all=call,
            busy=0.70 * 64,
            processors=0.55 * 64,
            span=0.12 * 64 / 63 * call,
        )

    def test_figures_that_contradict_each_other_still_come_to_1(self):
        self.lost({'useful': 1}, on_one=32e6, on_all=5e5)  # more threads have more cache
        self.lost({'useful': 1}, busy=10)  # fewer busy than there was work for
        self.lost({}, on_one=6400e6, on_all=64e6)  # less on 64 threads than on one
        self.lost({'useful': 1}, busy=90, processors=90, span=64e6 / 60)

    def test_where_something_is_missing_nothing_is_said(self):
        setting = {'affinity': 64}
        self.assertIsNotNone(losses.breakdown(setting, self.row(span=1.1e6), 64))
        self.assertIsNone(losses.breakdown(setting, self.row(span=2e6), 64))  # badly measured
        self.assertIsNone(losses.breakdown(setting, self.row(), 32))
        self.assertIsNone(losses.breakdown(setting, self.row(span=None), 64))
        for missing in range(3):
            row = self.row()
            del row['series'][missing]
            self.assertIsNone(losses.breakdown(setting, row, 64))
        old = self.row()
        del old['series'][2]['busy_threads']
        self.assertEqual(losses.largest_loss(setting, old, 64), '-')


class Targets(unittest.TestCase):
    def row(self, workload, size, serial, alone, together, tbb, openmp):
        return row_of(
            workload,
            'loops',
            size,
            [
                series_of(family, threads, [wall] * 3)
                for family, threads, wall in (
                    ('serial', 1, serial),
                    ('furca', 1, alone),
                    ('furca', 2, together),
                    ('oneTBB', 1, 2 * tbb),
                    ('oneTBB', 2, tbb),
                    ('OpenMP', 2, openmp),
                )
            ],
        )

    def judged(self, *rows, figures=()):
        """By what is judged: the value, and whether it is reached."""
        return {
            one.what: (None if math.isnan(one.value) else round(one.value, 4), one.reached())
            for one in judge_targets(run_of(rows, figures))
        }

    def test_nothing_is_judged_that_was_not_measured(self):
        self.assertEqual(self.judged(), {})
        self.assertEqual(self.judged(self.row('heat', 1, 1, 1, 1, 1, 1)), {})
        skynet = self.row('skynet', 10, 9, 9, 9, 10, 1)
        self.assertEqual(len(self.judged(skynet)), 1)
        self.assertEqual(self.judged(*without(run_of([skynet]), 'oneTBB')['rows']), {})

    def test_fib_is_compared_at_each_number_of_threads(self):
        self.assertEqual(
            self.judged(self.row('fib', 35, 10, 17, 9, 300, 0)),
            {
                'fib 35: furca/serial, threads: 1': (1.7, True),
                'fib 35: furca/serial, threads: 2': (0.9, True),
                'fib 35: oneTBB/furca, threads: 1': (35.2941, True),
                'fib 35: oneTBB/furca, threads: 2': (33.3333, True),
            },
        )

    def test_other_rows(self):
        self.assertEqual(
            self.judged(
                self.row('sum', 5, 100, 104, 50, 1, 48),
                self.row('chain', 5, 10, 1, 6, 1, 1),
                self.row('unbalanced', 5, 10, 10, 5, 1, 1),
                self.row('matmul', 5, 10, 10, 10, 9, 1),
            ),
            {
                'sum 5: furca/serial, threads: 1': (1.04, False),
                'sum 5: OpenMP/furca, threads: 2': (0.96, False),
                'chain 5: furca/serial, threads: 2': (0.6, False),
                'unbalanced 5: furca, 1 thread/2 threads': (2, True),
                'matmul 5: oneTBB/furca, threads: 2': (0.9, False),
            },
        )
        self.assertEqual(
            self.judged(self.row('axpy', 100_000, 10, 10, 10, 20, 20)),
            {
                'axpy 100000: oneTBB/furca, threads: 2': (2, True),
                'axpy: ns above 1.15 serial + 40, at 100000, threads: 1': (-41.5, True),
                'axpy: furca/the best other, at 100000, threads: 2': (0.5, True),
            },
        )

    def test_of_many_rows_the_worst_stands_for_all(self):
        self.assertEqual(
            self.judged(
                self.row('axpy', 1, 10, 20, 20, 1000, 900),
                self.row('axpy', 2, 100, 120, 165, 150, 1000),
                self.row('axpy', 5, 200, 200, 200, 300, 400),
            ),
            {
                'axpy: ns above 1.15 serial + 40, at 2, threads: 2': (10, False),
                'axpy: furca/the best other, at 2, threads: 2': (1.1, False),
            },
        )
        self.assertEqual(
            self.judged(
                self.row('axpy-rested', 5_000, 1_000, 1_500, 3_900, 1, 1),
                self.row('axpy-rested', 10_000, 1_000, 1, 90_000, 1, 1),
            ),
            {'axpy-rested, n < 10,000: ns above serial, at 5000, threads: 2': (2900, True)},
        )
        self.assertEqual(
            self.judged(
                self.row('cost-first', 1, 9, 9, 10, 10, 1),
                self.row('cost-first', 10, 9, 9, None, 10, 1),
                self.row('cost-last', 1, 9, 9, 9, 10, 1),
            ),
            {
                'cost-first: furca/oneTBB, at 10 ns, threads: 2': (None, False),
                'cost-last: furca/oneTBB, at 1 ns, threads: 2': (0.9, True),
            },
        )

    def test_figures_are_of_the_usual_fence_alone_and_some_beside_another_family(self):
        figures = [
            figure_of('wake from sleep', 'furca', 'classic fence', 'ns', [9, 9]),
            figure_of('wake from sleep', 'furca', 'adaptive fence', 'ns', [4, 9]),
            figure_of('wake from sleep', 'oneTBB', '', 'ns', [10, 20]),
            figure_of('push and pop', 'furca', 'adaptive fence', 'instructions', [20]),
            figure_of('mostly idle', 'furca', '', 'ms', [6]),  # without the plain loops
            figure_of('idle', 'oneTBB', '', 'ms', [100]),
            figure_of('memory of a thread', 'furca', '', 'KiB', [65]),
        ]
        self.assertEqual(
            self.judged(figures=figures),
            {
                'wake from sleep: furca/oneTBB': (0.425, True),
                'memory of a thread: KiB': (65, False),
            },
        )

    def test_figures_that_should_be_so_many_times_anothers(self):
        name = 'spawn detached and run'
        figures = [
            figure_of(name, 'furca', 'adaptive fence', 'ns', [10]),
            figure_of(name, 'oneTBB', 'enqueue', 'ns', [20]),
            figure_of(name, 'oneTBB', '', 'ns', [29]),
        ]
        self.assertEqual(self.judged(figures=figures), {f'{name}: oneTBB/furca': (2.9, False)})
        figures[2]['values'] = [32]
        self.assertEqual(self.judged(figures=figures), {f'{name}: oneTBB/furca': (3.2, True)})
        self.assertEqual(self.judged(figures=figures[:2]), {})


class Terminal(unittest.TestCase):
    def test_quiet_machine(self):
        text = shown(example_run())
        self.assertNotIn('ithheld', text)
        self.assertNotIn('quiet machine', text)
        self.assertIn(' faster ', line_of(text, 'fib 35 '))
        self.assertIn(' not known ', line_of(text, 'heat 64 '))
        self.assertIn(
            'furca beside oneTBB at 2 threads, 3 rows: faster  2, slower  0, tie  0, '
            'not known  1\n',
            text,
        )
        slow = shown(scaled(example_run(), 100))
        self.assertIn(' SLOWER ', line_of(slow, 'fib 35 '))
        self.assertIn('  furca is SLOWER on: fib 35 (oneTBB)\n', slow)

    def test_busy_machine_has_no_verdict_and_says_so_above_on_each_row_and_at_the_end(self):
        text = shown(busy_run())
        self.assertLess(
            text.index('Not a quiet machine: other programs used 94 %'), text.index('fib 35')
        )
        self.assertGreater(text.rindex('Not a quiet machine'), text.index('A/A'))
        for part in (
            'Verdicts are withheld',
            'times, 2 threads (not a quiet machine)\n',
            'micro (not a quiet machine)',
        ):
            self.assertIn(part, text)
        for row in ('fib 35 ', 'skynet 1000 ', 'heat 64 '):
            self.assertIn(' withheld ', line_of(text, row))
        self.assertIn('verdicts withheld on 2', line_of(text, '  bare forks '))
        self.assertIn('furca less 2, more 0, tie 0, not known 1', text)
        self.assertNotIn('faster', text)
        self.assertNotIn('SLOWER', text)

    def test_three_rounds_have_a_range_and_no_interval(self):
        three = shown(first_rounds(example_run(), 3))
        self.assertIn('in parentheses: range of three rounds\n', three)
        self.assertIn('0.42 (0.40 .. 0.80)', line_of(three, 'heat 64 '))
        self.assertNotIn('95 %', three)
        self.assertNotIn('[', three)
        six = shown(example_run())
        self.assertIn('in brackets: 95 % interval\n', six)
        self.assertIn('0.80 [0.4', line_of(six, 'heat 64 '))
        self.assertNotIn('range of', six)
        both = example_run()
        first_rounds({'rows': both['rows'][2:]}, 4)
        self.assertIn(
            'in brackets: 95 % interval; in parentheses: range of four rounds\n', shown(both)
        )

    def test_times_on_one_thread_and_what_else_the_runs_took(self):
        text = shown(scaling_run())
        self.assertIn(
            '\nheat 64               16.0 ms  1.00   2.00  8.00   4.00   2.00 (2.00 .. '
            '2.00)     ? not known      -\n',
            text,
        )
        run = example_run()
        for series in run['rows'][0]['series'][1:]:
            series['voluntary_switches'] = [3] * 6
            series['cpu_ns'] = series['wall_ns']
        self.assertIn(
            f'\nfib 35 {"":18}0.25     10.0        -      1.0      1.0      1.0       -'
            '     4.00    0.10\n',
            shown(run),
        )

    def test_figures(self):
        run = example_run()
        run['figures'] += [
            figure_of('idle', 'furca', '', 'ms', [0.001, None], 'behaviour'),
            figure_of('idle', 'serial', '', 'ms', [26_500], 'behaviour'),
            figure_of('idle', 'oneTBB', '', 'ms', [None], 'behaviour'),
            figure_of('fork', 'furca', 'a', 'instructions', [209.4], 'instructions'),
            figure_of('fork', 'furca', 'b', 'instructions', [2.756], 'instructions'),
            figure_of('fork', 'OpenMP', '', 'instructions', [0], 'instructions'),
        ]
        text = shown(run)
        for line in (
            ('idle (serial 26.5k)', 'ms', '1e-03', 'no result', '-'),
            ('wake from sleep, adaptive fence', 'ns', '31.0 +-3 %', '20.0', '-'),
            ('fork, a', '', '209', '-', '0'),
            ('fork, b', '', '2.76', '-', '-'),
        ):
            self.assertIn('\n{:46} {:11} {:>13} {:>13} {:>13}\n'.format(*line), text)

    def test_numbers_as_people_read_them(self):
        self.assertEqual(
            [text.time(ns) for ns in (NONE, 3.104, 999.4, 999.5, 23.26e6, 4.2e12)],
            ['-', '3.10 ns', '999 ns', '1.00 us', '23.3 ms', '4200 s'],
        )
        self.assertEqual([text.noise(noise) for noise in (1.04, math.inf)], ['4 %', '?'])

    def test_means_are_by_family_and_none_is_over_all(self):
        text = shown(example_run())
        self.assertIn(' 20.0 [20.0 .. 20.0] ', line_of(text, '  bare forks '))
        self.assertIn(' 0.80 [', line_of(text, '  loops '))
        self.assertNotIn('6.84', text)  # of all rows

    def test_rows_are_explained_where_they_stand_and_those_of_a_workload_once(self):
        run = example_run()
        run['rows'].insert(1, row_with('fib', 'forks', 40, [40] * 3))
        text = shown(run)
        self.assertIn(
            'bare forks: recursions with next to no work in them: what a fork costs\n'
            '  fib: what it does: why it is there\nfib 35 ',
            text,
        )
        self.assertEqual(text.count('  fib: what'), 1)
        self.assertIn('  heat: what it does: why it is there\nheat 64 ', text)

    def test_numbers_of_threads(self):
        self.assertNotIn('by number of threads', shown(example_run()))
        self.assertNotIn('where the time', shown(example_run()))
        text = shown(scaling_run())
        for part in (
            f'{"":33}  1      4     16   / 16\n'
            'heat 64               furca     1.00   2.00   8.00   0.50\n'
            f'{"":22}oneTBB    0.50   1.00   4.00   0.25\n',
            '\n  at   4: the cores of one last-level cache\n'
            '  at   8: all cores; beyond, two threads share a core\n',
            "\nwhere the time of furca's threads goes",
            '\nheat 64                     1     100      0          0      0      0'
            '          0  -             0.00\n',
            f'\n{"":27}16      50      0          0      0     25'
            '         25  span          2.50\n',
        ):
            self.assertIn(part, text)
        run = scaling_run()
        run['rows'][0]['series'] = [
            one
            for one in run['rows'][0]['series']
            if (one['family'], one['threads']) != ('furca', 1)
        ]
        run['rows'][0]['series'].append(series_of('furca', 8, [4e6] * 3))
        self.assertIn(
            f'\n{"":27}16       -      -          -      -      -          -  -'
            '             2.50\n',
            shown(run),
        )

    def test_without_another_library_the_serial_code_is_what_there_is(self):
        run = without(example_run(), 'oneTBB')
        self.assertIn('oneTBB was not there when this was built', shown(run))
        self.assertIn(
            'serial / furca at 2 threads, geometric means:\n  bare forks           2.00 '
            '[2.00 .. 2.00]\n',
            shown(run),
        )
        run['setting']['others_percent'] = 94
        self.assertIn('serial / furca at 2 threads (not a quiet machine), geometric', shown(run))

    def test_failures_are_said(self):
        run = example_run()
        run['failures'] = 3
        find(run['rows'][0], 'oneTBB', 2)['wall_ns'] = [None] * 6
        text = shown(run)
        self.assertIn('FAILED: 3 runs; see above\n', text)
        self.assertIn('  without a result: fib 35 (oneTBB)\n', text)
        self.assertIn('not known  1, no result 1\n', text)

    def test_no_table_is_wider_than_a_hundred_columns(self):
        many = scaling_run()
        many['rows'][0]['series'] += [
            series_of('furca', threads, [1e6] * 3) for threads in range(20, 100, 8)
        ]
        for run in (example_run(), busy_run(), many):
            run['rows'].append(row_with('empty-rested', 'loops', 10_000_000, [1234] * 3))
            text = shown(run) + targets(run)
            self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_targets_are_part_of_no_result_and_of_a_busy_machine_not_judged(self):
        self.assertNotIn('target', shown(example_run()))
        self.assertIn('MISSED', targets(example_run()))
        busy = targets(busy_run())
        self.assertNotIn('MISSED', busy)
        self.assertNotIn('reached', busy)
        self.assertIn('withheld\n', busy)
        self.assertIn('Not a quiet machine', busy)


class Drawings(unittest.TestCase):
    def body(self, text):
        return text[text.rindex('</style>') :]

    def chart(self, run):
        return self.body(chart_document(run))

    def page(self, run):
        return self.body(page(run))

    def test_page_has_the_verdicts_then_the_chart_then_the_tables(self):
        text = self.page(example_run())
        verdicts = text.index('furca beside oneTBB at 2 threads, 3 rows: faster  2, slower  0, ')
        self.assertLess(verdicts, text.index('<svg'))
        self.assertLess(text.index('<svg'), text.index('\ntimes, 2 threads\n'))
        self.assertNotIn('ithheld', text)
        self.assertIn('class="mark faster"', text)

    def test_page_and_chart_of_a_busy_machine_open_with_why_there_is_no_verdict(self):
        text = self.page(busy_run())
        self.assertLess(text.index('Not a quiet machine: other'), text.index('<svg'))
        for each in (text, self.chart(busy_run())):
            self.assertIn('>Not a quiet machine: other programs used 94 % of the processors', each)
            self.assertIn('verdict withheld</text>', each)
            self.assertNotIn('mark faster', each)
            self.assertNotIn('mark slower', each)

    def test_three_rounds_have_a_range_and_no_interval(self):
        three = self.chart(first_rounds(example_run(), 3))
        self.assertIn('>in parentheses: range of three rounds</text>', three)
        self.assertIn('>0.42 (0.40 .. 0.80)</text>', three)
        self.assertNotIn('95 %', three)
        self.assertIn('>in brackets: 95 % interval</text>', self.chart(example_run()))

    def test_published_chart_is_what_its_samples_make(self):
        results = Path(__file__).resolve().parents[1] / 'results' / '2-processors-gcc12'
        self.assertEqual(
            chart_document(load(results.with_suffix('.json'))),
            results.with_suffix('.svg').read_text(encoding='utf-8'),
        )

    def test_row_says_what_it_is_and_in_which_form_each_of_the_others_ran(self):
        run = example_run()
        run['rows'][0]['series'][-1]['contender'] = 'oneTBB task_group'
        self.assertIn(
            '<title>fib 35: what it does: why it is there\noneTBB task_group/furca 40.0 '
            '[40.0 .. 40.0]</title>',
            self.chart(run),
        )

    def test_where_there_is_no_other_library_there_is_no_chart_on_the_page(self):
        run = without(example_run(), 'oneTBB')
        self.assertNotIn('<svg', self.page(run))
        self.assertIn('furca was compared with no other library', self.chart(run))

    def test_what_has_a_meaning_in_html_is_escaped(self):
        run = example_run(processor='<b> & "co"')
        self.assertIn('host      &lt;b&gt; &amp; &quot;co&quot;, ', self.page(run))
        self.assertIn('>&lt;b&gt; &amp; &quot;co&quot;, 2031-05-06, ', self.chart(run))

    def test_axis_has_round_numbers_that_are_not_too_close(self):
        for most, spacing, ticks in (
            (10, 36, [1, 2, 5, 10]),
            (1000, 36, [1, 3, 10, 30, 100, 300, 1000]),
            (1e6, 30, [1, 10, 100, 1e3, 1e4, 1e5, 1e6]),
        ):
            scale = svg.LogScale((1, most), 0, 300)
            self.assertEqual([round(tick, 6) for tick in scale.ticks(spacing)], ticks)
        self.assertLess(scale(1e-9), scale(1))  # beyond an end it is drawn there
        self.assertEqual(scale(1e9), 300)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = str(self.folder / 'run.json')

    def command(self, *words):
        """Exit code, output and errors."""
        output, errors = io.StringIO(), io.StringIO()
        with redirect_stdout(output), redirect_stderr(errors):
            try:
                code = furca_bench.main(list(words))
            except SystemExit as ended:
                code = ended.code
        return code, output.getvalue(), errors.getvalue()

    def test_results_come_back_as_they_were_with_a_row_a_line(self):
        run = summary.summarized(example_run(processor='A "quoted" \\ processor\n'))
        find(run['rows'][0], 'furca', 2)['wall_ns'][0] = None
        Path(self.path).write_text(text_of(run), encoding='utf-8')
        self.assertEqual(load(self.path), run)
        lines = text_of(run).splitlines()
        for row in run['rows'] + run['figures']:
            beginning = f'{{"{"workload" if "workload" in row else "name"}":'
            self.assertEqual(
                sum(
                    json.loads(line.rstrip(',')) == row
                    for line in lines
                    if line.startswith(beginning)
                ),
                1,
            )

    def test_what_is_no_result_is_refused_and_why_is_said(self):
        good = example_run()

        def changed_by(change):
            bad = copy.deepcopy(good)
            change(bad)
            Path(self.path).write_text(json.dumps(bad), encoding='utf-8')
            code, _, errors = self.command('--show', self.path)
            self.assertEqual((code, errors.count('\n')), (2, 1))
            return errors

        self.assertIn(
            'its format is "other 2", not "furca-bench 1"',
            changed_by(lambda run: run.update(format='other 2')),
        )
        self.assertIn("no 'rows'", changed_by(lambda run: run.pop('rows')))
        self.assertIn(
            'no numbers of threads', changed_by(lambda run: run['setting'].update(threads=[]))
        )
        self.assertIn(
            'columns of different lengths',
            changed_by(lambda run: run['rows'][0]['series'][0]['wall_ns'].pop()),
        )
        self.assertIn(
            'no such group: knives', changed_by(lambda run: run['rows'][0].update(group='knives'))
        )
        self.assertIn(
            'wall_ns that are no numbers',
            changed_by(lambda run: run['rows'][0]['series'][0]['wall_ns'].__setitem__(0, '7')),
        )
        for text in ('', '[]', '{}', text_of(good)[:999]):
            Path(self.path).write_text(text, encoding='utf-8')
            self.assertIn('is not a result of this program: ', self.command('--show', self.path)[2])
        with self.assertRaisesRegex(ValueError, 'cannot read /nowhere.json'):
            load('/nowhere.json')

    def test_files_of_earlier_versions_are_read(self):
        run = scaling_run()
        del run['setting']['topology'], run['rows'][0]['span_ns']
        for series in run['rows'][0]['series']:
            series.pop('busy_threads', None)
            series.pop('heavy_fences', None)
        check(run)
        self.assertNotIn('where the time', shown(run))

    def test_command_shows_a_run_and_writes_all_that_is_asked_for(self):
        Path(self.path).write_text(text_of(example_run()), encoding='utf-8')
        files = [str(self.folder / name) for name in ('a.json', 'a.html', 'a.svg')]
        options = [word for pair in zip(furca_bench.WRITERS, files) for word in pair]
        code, output, errors = self.command('--show', self.path, '--targets', *options)
        self.assertEqual((code, errors), (0, ''.join(f'wrote {file}\n' for file in files)))
        for part in (
            'versions  furca 0.1.0',
            '\ntimes, 2 threads\n',
            'furca beside oneTBB at 2',
            "the project's own targets",
        ):
            self.assertIn(part, output)
        for file, end in zip(files, ('}\n', '</html>\n', '</svg>\n')):
            self.assertTrue(Path(file).read_text(encoding='utf-8').endswith(end))

    def test_command_refuses_before_it_runs_anything(self):
        for words, why in (
            (('--json',), '--json wants a value'),
            (('--svg', '/nowhere/chart.svg'), 'cannot write /nowhere/chart.svg'),
            ((), 'or a furca-measure to run'),
        ):
            code, _, errors = self.command(*words)
            self.assertEqual(code, 2)
            self.assertIn(why, errors)

    def test_failed_runs_are_an_exit_code(self):
        Path(self.path).write_text(text_of(example_run() | {'failures': 1}), encoding='utf-8')
        self.assertEqual(self.command('--show', self.path)[0], 1)


if __name__ == '__main__':
    unittest.main()
