#!/usr/bin/env python3
"""The algorithms beside the serial ones of the standard library, oneTBB's, std::execution::par and
__gnu_parallel: run.py [--only NAME,...] [--sizes N,...] [--rounds N] [--compiler g++] [--level 2]
[--json FILE] [--svg FILE] [--table] [--show OLD.json].

Builds the programs of bench/algorithms with the library, and runs each algorithm over each number
of elements, in every way in turns.

Prints the nanoseconds of furca's call, and the ratios of the others' times to it, so more than 1
means that furca is faster: the median of the rounds' ratios, and in brackets their quartiles. Then
the bytes that the algorithm has to read and write for an element, and how many GB a second that
makes; where no cache holds what it goes through, also which share that is of the machine's, by a
triad of plain loops on as many threads in the same run. --json keeps all times, --svg
makes the chart of the largest size, --table a table in Markdown; --show does so with a run that was
kept, and runs nothing. Exit code 1 if a program cannot be built or run, or an algorithm's
result is wrong.
"""
import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import page  # noqa: E402: it lies beside this file
from report.results import text_of  # noqa: E402
from shared import (  # noqa: E402: it lies beside this directory
    PROCESSORS,
    Ratio,
    build,
    options,
    output,
    processor,
    tabbed,
    version,
)

SOURCES = [
    f'algorithms/{name}.cpp' for name in ('main', 'memory', 'collect', 'search', 'sort', 'order')
]
# Else OpenMP's threads look for work for milliseconds, now and then on the processor of whoever
# has some.
PATIENCE = {'GOMP_SPINCOUNT': '20000'}


def rate(row, times):
    """GB a second."""
    return row['bytes'] * row['size'] / statistics.median(times)


def show_machine(row):
    ways = ', '.join(f'{rate(row, times):.1f} GB/s on {way}' for way, times in row['ways'].items())
    print(f'{row["algorithm"]:16} {row["size"]:10,} {ways}, {row["bytes"]:g} bytes', flush=True)


def show(row, ours, machine):
    """A line for each of furca's ways, over the times of the others. `machine`: GB a second."""
    ways = row['ways']
    for way in ours:
        others = '   '.join(
            f'{Ratio.of(times, ways[way]).text()} {other}'
            for other, times in ways.items()
            if other not in ours
        )
        reached = rate(row, ways[way])
        share = f', {100 * reached / machine:.0f} % of the machine' if machine else ''
        name = f'{row["algorithm"]:16} {row["size"]:10,} {way:14}'
        time = f'{statistics.median(ways[way]):13,.0f} ns'
        memory = f'{row["bytes"]:g} bytes, {reached:.1f} GB/s{share}'
        print(f'{name} {time}   {others}   {memory}', flush=True)


def show_all(results):
    machine = {}
    for row in results['rows']:
        ours = list(filter(page.is_ours, row['ways']))
        if ours:
            show(row, ours, machine.get(row['size']))
        else:
            machine[row['size']] = rate(row, row['ways']['all threads'])
            show_machine(row)


def measure(chosen):
    with tempfile.TemporaryDirectory() as directory:
        binary = chosen.binary or build(
            SOURCES,
            chosen.compiler,
            f'-O{chosen.level} -fopenmp',
            chosen.build_only or directory,
            ['-ltbb'],
        )
        if chosen.build_only:
            sys.exit(0)
        words = [binary, chosen.sizes, chosen.rounds, *filter(None, [chosen.only])]
        rows = {}
        for (*row, way), times in tabbed(output(*words, **PATIENCE), 4).items():
            rows.setdefault(tuple(row), {})[way] = [round(time, 1) for time in times]
    return {
        'processor': processor(),
        'processors': PROCESSORS,
        'compiler': version(chosen.compiler),
        'level': chosen.level,
        'rounds': chosen.rounds,
        'rows': [
            {'algorithm': name, 'size': int(size), 'bytes': float(each), 'ways': ways}
            for (name, size, each), ways in rows.items()
        ],
    }


def main():
    parser = options(__doc__, level='2', sizes='1000,100000,10000000', rounds=21)
    parser.add_argument('--only', help='some of the algorithms, or "keys": groups of 50 to 10^7')
    parser.add_argument('--build-only', metavar='DIRECTORY', help='build there and run nothing')
    parser.add_argument('--binary', help='run what was built so')
    parser.add_argument('--json', metavar='FILE', help='keep all times there')
    parser.add_argument('--show', metavar='FILE', help='run nothing: show a run that was kept')
    parser.add_argument('--svg', metavar='FILE', help='write the chart of the largest size')
    parser.add_argument('--table', action='store_true', help='print a table in Markdown')
    chosen = parser.parse_args()
    if chosen.show:
        results = json.loads(Path(chosen.show).read_text(encoding='utf-8'))
    else:
        results = measure(chosen)
    largest = max(row['size'] for row in results['rows'])
    for file, write in (
        (chosen.json, text_of),
        (chosen.svg, lambda results: page.chart(results, largest)),
    ):
        if file:
            Path(file).write_text(write(results), encoding='utf-8')
    if chosen.table:
        print(page.table(results), end='')
        return
    compiler = f'{results["compiler"]}, -O{results["level"]}'
    print(f'{results["processor"]}, {results["processors"]} processors; {compiler}', flush=True)
    show_all(results)


if __name__ == '__main__':
    main()
