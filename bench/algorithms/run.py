#!/usr/bin/env python3
"""The algorithms beside the serial ones of the standard library, oneTBB's, std::execution::par and __gnu_parallel: run.py [--only NAME,...] [--sizes N,...] [--rounds N] [--compiler g++] [--level 2].

Builds the programs of bench/algorithms with the library, and runs each algorithm over each number of elements, in every way in turns.

Prints the nanoseconds of furca's call, and the ratios of the others' times to it, so more than 1 means that furca is faster: the median of the rounds' ratios,
and in brackets their quartiles. Then the bytes that the algorithm has to read and write for an element, and how many GB a second that makes; where no cache
holds what it goes through, also which share that is of the machine's, by a triad of plain loops on as many threads in the same run. Exit code 1 if a program
cannot be built or run, or an algorithm's result is wrong.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program import build, processor, version  # noqa: E402: it lies beside this directory

SOURCES = [f'algorithms/{name}.cpp' for name in ('main', 'memory', 'collect', 'search', 'sort', 'order')]


def ratio(above, below):
    low, middle, high = statistics.quantiles([a / b for a, b in zip(above, below)], n=4, method='inclusive')
    return f'{middle:.2f} [{low:.2f}, {high:.2f}]'


def rate(line, times):
    """GB a second."""
    _, size, bytes_each = line
    return float(bytes_each) * int(size) / statistics.median(times)


def show_machine(line, rounds):
    name, size, bytes_each = line
    ways = ', '.join(f'{rate(line, times):.1f} GB/s on {way}' for way, times in rounds.items())
    print(f'{name:16} {int(size):10,} {ways}, {bytes_each} bytes', flush=True)


def show(line, rounds, ours, machine):
    """A line for each of furca's ways, over the times of the others. `machine`: GB a second, if it is known."""
    name, size, bytes_each = line
    for way in ours:
        nanoseconds = statistics.median(rounds[way])
        others = '   '.join(f'{ratio(times, rounds[way])} {other}' for other, times in rounds.items() if other not in ours)
        reached = rate(line, rounds[way])
        share = f', {100 * reached / machine:.0f} % of the machine' if machine else ''
        print(f'{name:16} {int(size):10,} {way:14} {nanoseconds:13,.0f} ns   {others}   {bytes_each} bytes, {reached:.1f} GB/s{share}', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--only', help='some of the algorithms')
    parser.add_argument('--sizes', default='1000,100000,10000000')
    parser.add_argument('--rounds', default='21')
    parser.add_argument('--compiler', default=os.environ.get('CXX', 'g++'))
    parser.add_argument('--level', default='2', help='of optimisation: 2, 3')
    parser.add_argument('--build-only', metavar='DIRECTORY', help='build there and run nothing')
    parser.add_argument('--binary', help='run what was built so')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        binary = arguments.binary or build(SOURCES, arguments.compiler, f'-O{arguments.level} -fopenmp', arguments.build_only or directory, ['-ltbb'])
        if arguments.build_only:
            return
        print(f'{processor()}, {len(os.sched_getaffinity(0))} processors; {version(arguments.compiler)}, -O{arguments.level}', flush=True)
        patience = {'GOMP_SPINCOUNT': '20000'}  # else OpenMP's threads look for work for milliseconds, now and then on the processor of whoever has some
        run = subprocess.run([binary, arguments.sizes, arguments.rounds] + ([arguments.only] if arguments.only else []), env=patience | os.environ, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f'exit code {run.returncode}\n{run.stderr}')
    rows = {}
    for line in run.stdout.splitlines():
        name, size, bytes_each, way, *rounds = line.split('\t')
        rows.setdefault((name, size, bytes_each), {})[way] = [float(one) for one in rounds]
    machine = {}
    for line, rounds in rows.items():
        ours = [way for way in rounds if way.startswith('furca')]
        if ours:
            show(line, rounds, ours, machine.get(line[1]))
        else:
            machine[line[1]] = rate(line, rounds['all threads'])
            show_machine(line, rounds)


if __name__ == '__main__':
    main()
