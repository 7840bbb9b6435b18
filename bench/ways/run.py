#!/usr/bin/env python3
"""One program, written in several ways, beside each other: run.py arms|trees [--only NAME,...]
[--full] [--compiler CXX] [--level 2] [--threads N,...] [--rounds N]

- arms: fib, and its like of three and four terms, whose arms return what they compute or assign it
  to a variable of the caller's, and capture the argument by value or by reference. A fork in each
  call, so the ratios are those of forks.
- trees: skynet, n-queens, two trees of the Unbalanced Tree Search and a walk over a binary tree:
  with a parallel_for over the children of a node, with joins that halve them, and with a
  parallel_reduce. A loop and a reduction should cost what the joins cost.

Builds bench/ways/PROGRAM.cpp with the library, and runs in each round every way once with each
number of threads, in an order that changes, each time in a process of its own. Shown are the median
time, and ratios within a round: their median, and in brackets their quartiles. Exit code 1 if a run
fails.
"""
import statistics
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from shared import Ratio, build, heading, in_turns, options, output  # noqa: E402


class Program(NamedTuple):
    inputs: str
    ways: tuple  # the first is plain, and runs on one thread alone
    compared: tuple  # pairs of ways


PROGRAMS = {
    'arms': Program(
        'fib,three,four',
        ('plain', 'returned', 'returned-by-reference', 'mixed', 'by-reference'),
        (('by-reference', 'returned'), ('mixed', 'returned')),
    ),
    'trees': Program(
        'skynet,queens,uts-geometric,uts-binomial,walk',
        ('plain', 'joins', 'loops', 'reductions'),
        (('loops', 'joins'), ('reductions', 'joins')),
    ),
}


def show(program, inputs, threads, times):
    """`times`: seconds of each round, by input, way and number of threads."""

    def line(name, columns):
        print(f'  {name:24}' + '   '.join(f'{column:28}' for column in columns).rstrip())

    plain, first, most = program.ways[0], threads[0], threads[-1]
    for what in inputs:
        base = times[what, plain, first]
        print(f'{what}: {plain} {1e3 * statistics.median(base):.3f} ms')
        for way in program.ways[1:]:
            of_way = {count: times[what, way, count] for count in threads}
            columns = [f'{Ratio.of(found, base).text()} x {plain}' for found in of_way.values()]
            if len(threads) > 1:
                both = Ratio.of(of_way[most], of_way[first]).text()
                columns.append(f'{most} / {first}: {both}')
            line(way, columns)
        for pair in program.compared:
            ratios = [Ratio.of(*(times[what, way, count] for way in pair)) for count in threads]
            line(' / '.join(pair), [ratio.text() for ratio in ratios])


def main():
    parser = options(__doc__, level='2', threads='1,2', rounds=7)
    parser.add_argument('program', choices=PROGRAMS)
    parser.add_argument('--only', help='some of the inputs')
    parser.add_argument('--full', action='store_true', help='larger inputs')
    parser.add_argument('--build-only', metavar='DIRECTORY', help='build there and run nothing')
    parser.add_argument('--binary', help='run what was built so')
    chosen = parser.parse_args()
    program = PROGRAMS[chosen.program]
    inputs = (chosen.only or program.inputs).split(',')
    threads = [int(count) for count in chosen.threads.split(',')]
    with tempfile.TemporaryDirectory() as directory:
        source, level = f'ways/{chosen.program}.cpp', f'-O{chosen.level}'
        folder = chosen.build_only or directory
        binary = chosen.binary or build(source, chosen.compiler, level, folder)
        if chosen.build_only:
            return
        numbers = ' and '.join(map(str, threads))
        heading(chosen.compiler, chosen.level, f'{numbers} threads', f'{chosen.rounds} rounds')
        size = 'full' if chosen.full else 'short'
        keys = [
            (what, way, count)
            for what in inputs
            for way in program.ways
            for count in (threads if way != program.ways[0] else threads[:1])
        ]
        times = in_turns(
            keys,
            chosen.rounds,
            lambda what, way, count: float(output(binary, what, way, size, threads=count)),
        )
        show(program, inputs, threads, times)


if __name__ == '__main__':
    main()
