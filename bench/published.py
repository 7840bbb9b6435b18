#!/usr/bin/env python3
"""Tables of a published run, in Markdown: published.py RESULTS.json [--brief] [--in PAGE.md]
[--told-in README.md].

Prints how often furca was faster than each of the others on all threads, the geometric means by
family of rows, and, without --brief, some rows in full; and the first of these in a sentence. With
--in, every line of the tables must stand in that page, and with --told-in the sentence in that one,
else exit code 1 and what does not.

Ratios of a row are taken within a round; shown are their median, and in parentheses the least and
the greatest.
"""

import argparse
import json
import pathlib
import statistics
import sys

from report.text import three_digits, time

FAMILIES = {
    'forks': 'forks with work in them',
    'loops': 'loops with work in them',
}  # others have the names of the run

# Workload and size; what the page calls it.
ROWS = {
    ('fib', 35): 'fib(35), a fork for every addition',
    ('fib-calls', 35): 'the same beside a recursion of calls',
    ('integrate', 50_000): 'adaptive integration, no cut-off',
    ('nqueens', 12): '12 queens, a fork for every safe column',
    ('uts-t1', 10): 'Unbalanced Tree Search T1, 4.1 million nodes',
    ('mergesort', 4_194_304): 'merge sort of 2^22 items',
    ('matmul', 1024): 'product of 1024 x 1024 matrices, recursive',
    ('axpy', 100): 'y += a*x, n = 100',
    ('axpy', 1_000): 'y += a*x, n = 1,000',
    ('axpy', 100_000): 'y += a*x, n = 100,000',
    ('axpy', 10_000_000): 'y += a*x, n = 10,000,000',
    ('axpy-rested', 100_000): 'y += a*x after 2 ms of rest, n = 100,000',
    ('axpy-rested', 1_000_000): 'y += a*x after 2 ms of rest, n = 1,000,000',
    ('empty-rested', 1_000_000): '10^6 empty iterations after 2 ms of rest',
    ('heat', 1024): '200 steps of heat as loops, 1024 x 1024',
    ('pareto', 60_000): 'Pareto-distributed costs',
    ('sum', 33_554_432): 'sum of 2^25 doubles',
    ('bfs', 262_144): 'breadth-first search in an R-MAT graph',
    ('wordcount', 24): 'word count of 24 MB of text',
}


def ratio(dividends, divisors):
    ratios = [a / b for a, b in zip(dividends, divisors)]
    middle, low, high = map(three_digits, (statistics.median(ratios), min(ratios), max(ratios)))
    return f'{middle} ({low} to {high})'


def counted(run, threads):
    """By rival: how many rows there are, and on how many furca is faster, slower, as fast, and
    nobody knows."""
    counts = {}
    for family in run['summary']['families']:
        if family['threads'] == threads:
            of_rival = counts.setdefault(family['rival'], {})
            for verdict, number in family['verdicts'].items():
                of_rival[verdict] = of_rival.get(verdict, 0) + number
    return {
        rival: (
            sum(of_rival.values()) - of_rival['no_result'],
            *(of_rival[verdict] for verdict in ('faster', 'slower', 'tie')),
            of_rival['not_known'] + of_rival['withheld'],
        )
        for rival, of_rival in counts.items()
    }


def verdicts(run, threads):
    yield '| compared with | rows | furca faster | furca slower | tie | not known |'
    yield '|---|---|---|---|---|---|'
    for rival, counts in counted(run, threads).items():
        yield f'| {rival} | ' + ' | '.join(map(str, counts)) + ' |'


def sentence(run, threads):
    rows, faster, slower, tie, not_known = counted(run, threads)['oneTBB']
    return (
        f'furca is faster than oneTBB on {faster} of {rows} rows, slower on {slower}, '
        f'equal within 5 % on {tie}; '
        f'on {not_known} the measurement is too noisy to decide.'
    )


def means(run, threads):
    families = [family for family in run['summary']['families'] if family['threads'] == threads]
    names = list(dict.fromkeys(family['rows'] for family in families))
    rivals = list(dict.fromkeys(family['rival'] for family in families))
    yield '| rows | ' + ' | '.join(f'{rival} / furca' for rival in rivals) + ' |'
    yield '|---' * (1 + len(rivals)) + '|'
    for name in names:
        means_of = {
            family['rival']: '{} ({} to {})'.format(
                *(three_digits(family[bound]) for bound in ('mean', 'low', 'high'))
            )
            for family in families
            if family['rows'] == name
        }
        cells = [means_of.get(rival, '-') for rival in rivals]
        yield f'| {FAMILIES.get(name, name)} | ' + ' | '.join(cells) + ' |'


def rows(run, threads):
    told, compared = [], []
    for row in run['rows']:
        name = ROWS.get((row['workload'], row['size']))
        if name is None:
            continue
        times = {
            (series['family'], series['threads']): series['wall_ns']
            for series in row['series']
            if not series['control']
        }
        serial = times['serial', 1]
        both = {}
        for family in ('furca', 'oneTBB', 'OpenMP'):
            if (family, threads) in times and (family, 1) in times:
                speed_up = statistics.median(a / b for a, b in zip(serial, times[family, threads]))
                overhead = statistics.median(a / b for a, b in zip(times[family, 1], serial))
                both[family] = f'{three_digits(speed_up)} x, {three_digits(overhead)}'
        ratios = [
            ratio(times[rival, threads], times['furca', threads]) if rival in both else '-'
            for rival in ('oneTBB', 'OpenMP')
        ]
        told.append(
            [
                name,
                time(statistics.median(serial)),
                *(both.get(family, '-') for family in ('furca', 'oneTBB', 'OpenMP')),
            ]
        )
        compared.append([name, *ratios])
    for header, cells in (
        ('workload | serial | furca | oneTBB | OpenMP', told),
        ('workload | oneTBB / furca | OpenMP / furca', compared),
    ):
        yield f'| {header} |'
        yield '|---' * (1 + header.count('|')) + '|'
        yield from (f"| {' | '.join(row)} |" for row in cells)
        yield ''


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('results', type=pathlib.Path)
    parser.add_argument('--brief', action='store_true')
    parser.add_argument('--in', dest='page', type=pathlib.Path)
    parser.add_argument('--told-in', dest='readme', type=pathlib.Path)
    arguments = parser.parse_args()
    run = json.loads(arguments.results.read_text(encoding='utf-8'))
    threads = max(run['setting']['threads'])
    tables = [
        list(table(run, threads))
        for table in (verdicts, means, rows)[: 2 if arguments.brief else 3]
    ]
    if arguments.page is None and arguments.readme is None:
        setting = run['setting']
        quiet = 'quiet' if run['summary']['quiet'] else 'not quiet'
        compiled = f"{setting['processor']}, {setting['compiler']}, {threads} threads"
        print(f"{compiled}, {setting['rounds']} rounds, {setting['date']}, {quiet}\n")
        print('\n\n'.join(['\n'.join(table) for table in tables] + [sentence(run, threads)]))
        return 0
    missing = []
    if arguments.page is not None:
        lines = set(arguments.page.read_text(encoding='utf-8').splitlines())
        missing += [line for table in tables for line in table if line not in lines]
    if arguments.readme is not None and sentence(run, threads) not in ' '.join(
        arguments.readme.read_text(encoding='utf-8').split()
    ):
        missing.append(sentence(run, threads))
    print('\n'.join(missing) or 'what was measured stands there')
    return 1 if missing else 0


if __name__ == '__main__':
    sys.exit(main())
