#!/usr/bin/env python3
"""One program, written in several ways, beside each other: run.py arms|trees [--only NAME,...] [--full] [--compiler CXX] [--level 2] [--threads N,...] [--rounds N]

- arms: fib, and its like of three and four terms, whose arms return what they compute or assign it to a variable of the caller's, and capture the argument by
  value or by reference. A fork in each call, so the ratios are those of forks.
- trees: skynet, n-queens, two trees of the Unbalanced Tree Search and a walk over a binary tree: with a parallel_for over the children of a node, with joins
  that halve them, and with a parallel_reduce. A loop and a reduction should cost what the joins cost.

Builds bench/ways/PROGRAM.cpp with the library, and runs in each round every way once with each number of threads, in an order that changes, each time in a
process of its own. Shown are the median time, and ratios within a round: their median, and in brackets their quartiles. Exit code 1 if a run fails.
"""
import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program import build, processor, version  # noqa: E402: it lies beside this directory


class Program(NamedTuple):
    inputs: tuple
    ways: tuple       # the first is plain, and runs on one thread alone
    compared: tuple   # pairs of ways


PROGRAMS = {
    'arms': Program(('fib', 'three', 'four'), ('plain', 'returned', 'returned-by-reference', 'mixed', 'by-reference'),
                    (('by-reference', 'returned'), ('mixed', 'returned'))),
    'trees': Program(('skynet', 'queens', 'uts-geometric', 'uts-binomial', 'walk'), ('plain', 'joins', 'loops', 'reductions'), (('loops', 'joins'), ('reductions', 'joins'))),
}


def ratio(above, below):
    ratios = [a / b for a, b in zip(above, below)]
    low, _, high = statistics.quantiles(ratios, n=4, method='inclusive')
    return f'{statistics.median(ratios):.2f} [{low:.2f}, {high:.2f}]'


def measure(binary, program, inputs, threads, size, rounds):
    """Seconds of each round, by input, way and number of threads."""
    times = {(what, way, count): [] for what in inputs for way in program.ways for count in threads if way != program.ways[0] or count == threads[0]}
    for _ in range(rounds):
        for what, way, count in random.sample(list(times), len(times)):
            run = subprocess.run([binary, what, way, size], capture_output=True, text=True, env={**os.environ, 'FURCA_NUM_THREADS': str(count)})
            if run.returncode != 0:
                sys.exit(f'{what} {way}, {count} threads: exit code {run.returncode}\n{run.stderr}')
            times[what, way, count].append(float(run.stdout))
    return times


def show(program, inputs, threads, times):
    plain = program.ways[0]
    for what in inputs:
        base = times[what, plain, threads[0]]
        print(f'{what}: {plain} {1e3 * statistics.median(base):.3f} ms')
        for way in program.ways[1:]:
            columns = [f'{ratio(times[what, way, count], base)} x {plain}' for count in threads]
            if len(threads) > 1:
                columns.append(f'{threads[-1]} / {threads[0]}: {ratio(times[what, way, threads[-1]], times[what, way, threads[0]])}')
            print(f'  {way:24}' + '   '.join(f'{column:28}' for column in columns).rstrip())
        for way, other in program.compared:
            columns = [ratio(times[what, way, count], times[what, other, count]) for count in threads]
            print(f'  {way + " / " + other:24}' + '   '.join(f'{column:28}' for column in columns).rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program', choices=PROGRAMS)
    parser.add_argument('--only', help='some of the inputs')
    parser.add_argument('--full', action='store_true', help='larger inputs')
    parser.add_argument('--compiler', default=os.environ.get('CXX', 'g++'))
    parser.add_argument('--level', default='2', help='of optimisation: 2, 3')
    parser.add_argument('--threads', default='1,2')
    parser.add_argument('--rounds', type=int, default=7)
    parser.add_argument('--build-only', metavar='DIRECTORY', help='build there and run nothing')
    parser.add_argument('--binary', help='run what was built so')
    arguments = parser.parse_args()
    if arguments.build_only:
        build(f'ways/{arguments.program}.cpp', arguments.compiler, f'-O{arguments.level}', arguments.build_only)
        return
    program = PROGRAMS[arguments.program]
    inputs = arguments.only.split(',') if arguments.only else program.inputs
    threads = [int(count) for count in arguments.threads.split(',')]
    with tempfile.TemporaryDirectory() as directory:
        binary = arguments.binary or build(f'ways/{arguments.program}.cpp', arguments.compiler, f'-O{arguments.level}', directory)
        print(f'{processor()}, {len(os.sched_getaffinity(0))} processors; {version(arguments.compiler)}, -O{arguments.level}; '
              f'{" and ".join(map(str, threads))} threads; {arguments.rounds} rounds', flush=True)
        show(program, inputs, threads, measure(binary, program, inputs, threads, 'full' if arguments.full else 'short', arguments.rounds))


if __name__ == '__main__':
    main()
