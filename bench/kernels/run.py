#!/usr/bin/env python3
"""What a loop takes on one thread beside the plain loop: run.py [--compiler CXX,...]
[--flags=FLAGS]... [--most N].

Builds bench/kernels/main.cpp with the library, with each compiler and all FLAGS (-O2, -O3, "-O3
-march=native", unless some are given). Each of the loops in bodies.hpp is timed plain and in three
surroundings: alone in its function, in a function with all the others, and inside another parallel
loop, in turns, over 1,000 elements, ten times as many, and so on up to N.

Prints the nanoseconds of the plain loop, and the ratio of furca's time to it in each of the
surroundings: the median of the rounds' ratios, and in brackets their quartiles. Marked with an
exclamation mark: more than 1.05 times the plain loop and 60 nanoseconds. Exit code 1 if a program
cannot be built or run.
"""
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from shared import Ratio, build, options, output, processor, tabbed, version  # noqa: E402

SURROUNDINGS = ('alone', 'crowded', 'nested')


def described(plain, ours):
    """A column, and whether it is beyond the bound."""
    ratio = Ratio.of(ours, plain)
    beyond = statistics.median((b - 60) / a for a, b in zip(plain, ours)) > 1.05
    text = f'{ratio.middle:6.2f}{"!" if beyond else " "}[{ratio.low:.2f}, {ratio.high:.2f}]'
    return text, beyond


def show(times):
    """`times`: by loop, size and way."""
    beyond = columns = 0
    above = ''.join(f'{one:22}' for one in SURROUNDINGS)
    print(f'{"":16} {"elements":>10} {"plain, ns":>12}   {above}')
    names = list(dict.fromkeys(name for name, _, _ in times))
    rows = dict.fromkeys((name, int(size)) for name, size, _ in times)
    for name, size in sorted(rows, key=lambda row: names.index(row[0])):
        plain = times[name, str(size), 'plain']
        told = [described(plain, times[name, str(size), how]) for how in SURROUNDINGS]
        columns += len(told)
        beyond += sum(one[1] for one in told)
        ratios = ''.join(f'{one[0]:22}' for one in told).rstrip()
        print(f'{name:16} {size:10,} {statistics.median(plain):12,.0f} {ratios}')
    print(f'{columns - beyond} of {columns} within 1.05 x plain and 60 ns')


def main():
    parser = options(__doc__, compiler='g++,clang++-14,clang++-19', most=10_000_000)
    parser.add_argument('--flags', action='append')
    chosen = parser.parse_args()
    print(processor())
    for compiler in chosen.compiler.split(','):
        if shutil.which(compiler.split()[0]) is None:
            print(f'no {compiler} here')
            continue
        for flags in chosen.flags or ['-O2', '-O3', '-O3 -march=native']:
            with tempfile.TemporaryDirectory() as scratch:
                binary = build('kernels/main.cpp', compiler, flags, scratch)
                times = tabbed(output(binary, chosen.most, threads=1), 3)
            print(f'\n{version(compiler)}, {flags}')
            show(times)


if __name__ == '__main__':
    main()
