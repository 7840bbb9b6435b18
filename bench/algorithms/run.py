#!/usr/bin/env python3
"""The algorithms beside the serial ones of the standard library, oneTBB's, std::execution::par and __gnu_parallel: run.py [--only NAME,...] [--sizes N,...] [--rounds N] [--compiler g++] [--level 2]
[--json FILE] [--html FILE] [--svg FILE] [--table] [--show OLD.json].

Builds the programs of bench/algorithms with the library, and runs each algorithm over each number of elements, in every way in turns.

Prints the nanoseconds of furca's call, and the ratios of the others' times to it, so more than 1 means that furca is faster: the median of the rounds' ratios,
and in brackets their quartiles. Then the bytes that the algorithm has to read and write for an element, and how many GB a second that makes; where no cache
holds what it goes through, also which share that is of the machine's, by a triad of plain loops on as many threads in the same run. --json keeps all times, --html makes a page of them, --svg the
chart of the largest size, --table a table in Markdown; --show does so with a run that was kept, and runs nothing. Exit code 1 if a program
cannot be built or run, or an algorithm's result is wrong.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program import build, processor, version  # noqa: E402: it lies beside this directory

import page  # noqa: E402: it lies beside this file

SOURCES = [f'algorithms/{name}.cpp' for name in ('main', 'memory', 'collect', 'search', 'sort', 'order')]


def rate(row, times):
    """GB a second."""
    return row['bytes'] * row['size'] / statistics.median(times)


def show_machine(row):
    ways = ', '.join(f'{rate(row, times):.1f} GB/s on {way}' for way, times in row['ways'].items())
    print(f'{row["algorithm"]:16} {row["size"]:10,} {ways}, {row["bytes"]:g} bytes', flush=True)


def show(row, ours, machine):
    """A line for each of furca's ways, over the times of the others. `machine`: GB a second, if it is known."""
    ways = row['ways']
    for way in ours:
        others = '   '.join(f'{page.Ratio(times, ways[way])} {other}' for other, times in ways.items() if other not in ours)
        reached = rate(row, ways[way])
        share = f', {100 * reached / machine:.0f} % of the machine' if machine else ''
        print(f'{row["algorithm"]:16} {row["size"]:10,} {way:14} {statistics.median(ways[way]):13,.0f} ns   {others}   {row["bytes"]:g} bytes, {reached:.1f} GB/s{share}', flush=True)


def show_all(results):
    machine = {}
    for row in results['rows']:
        ours = list(filter(page.is_ours, row['ways']))
        if ours:
            show(row, ours, machine.get(row['size']))
        else:
            machine[row['size']] = rate(row, row['ways']['all threads'])
            show_machine(row)


def measure(arguments):
    with tempfile.TemporaryDirectory() as directory:
        binary = arguments.binary or build(SOURCES, arguments.compiler, f'-O{arguments.level} -fopenmp', arguments.build_only or directory, ['-ltbb'])
        if arguments.build_only:
            sys.exit(0)
        patience = {'GOMP_SPINCOUNT': '20000'}  # else OpenMP's threads look for work for milliseconds, now and then on the processor of whoever has some
        run = subprocess.run([binary, arguments.sizes, arguments.rounds] + ([arguments.only] if arguments.only else []), env=patience | os.environ, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f'exit code {run.returncode}\n{run.stderr}')
    rows = {}
    for line in run.stdout.splitlines():
        name, size, bytes_each, way, *rounds = line.split('\t')
        rows.setdefault((name, size, bytes_each), {})[way] = [round(float(one), 1) for one in rounds]
    return {'processor': processor(), 'processors': len(os.sched_getaffinity(0)), 'compiler': version(arguments.compiler), 'level': arguments.level, 'rounds': int(arguments.rounds),
            'rows': [{'algorithm': name, 'size': int(size), 'bytes': float(bytes_each), 'ways': ways} for (name, size, bytes_each), ways in rows.items()]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--only', help='some of the algorithms')
    parser.add_argument('--sizes', default='1000,100000,10000000')
    parser.add_argument('--rounds', default='21')
    parser.add_argument('--compiler', default=os.environ.get('CXX', 'g++'))
    parser.add_argument('--level', default='2', help='of optimisation: 2, 3')
    parser.add_argument('--build-only', metavar='DIRECTORY', help='build there and run nothing')
    parser.add_argument('--binary', help='run what was built so')
    parser.add_argument('--json', metavar='FILE', help='keep all times there')
    parser.add_argument('--show', metavar='FILE', help='run nothing: show a run that was kept')
    parser.add_argument('--html', metavar='FILE', help='write a page')
    parser.add_argument('--svg', metavar='FILE', help='write the chart of the largest size')
    parser.add_argument('--table', action='store_true', help='print a table in Markdown instead of lines')
    arguments = parser.parse_args()
    results = json.loads(Path(arguments.show).read_text(encoding='utf-8')) if arguments.show else measure(arguments)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(results, separators=(',', ':')) + '\n', encoding='utf-8')
    if arguments.html:
        Path(arguments.html).write_text(page.page(results), encoding='utf-8')
    if arguments.svg:
        Path(arguments.svg).write_text(page.chart(results, max(row['size'] for row in results['rows'])), encoding='utf-8')
    if arguments.table:
        print(page.table(results), end='')
        return
    print(f'{results["processor"]}, {results["processors"]} processors; {results["compiler"]}, -O{results["level"]}', flush=True)
    show_all(results)


if __name__ == '__main__':
    main()
