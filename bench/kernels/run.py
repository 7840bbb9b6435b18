#!/usr/bin/env python3
"""What a loop takes on one thread beside the plain loop: run.py [--compiler CXX,...] [--flags=FLAGS]... [--most N].

Builds bench/kernels/main.cpp with the library, with each compiler and all FLAGS (-O2, -O3, "-O3 -march=native", unless some are given). Each of the loops in
bodies.hpp is timed plain and in three surroundings: alone in its function, in a function with all the others, and inside another parallel loop, in turns,
over 1,000 elements, ten times as many, and so on up to N.

Prints the nanoseconds of the plain loop, and the ratio of furca's time to it in each of the surroundings: the median of the rounds' ratios, and in brackets
their quartiles. Marked with an exclamation mark: more than 1.05 times the plain loop and 60 nanoseconds. Exit code 1 if a program cannot be built or run.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import program  # noqa: E402: it lies beside this directory

SURROUNDINGS = ('alone', 'crowded', 'nested')


def times_of(output):
    """From a loop and a size to the surroundings' rounds."""
    times = {}
    for line in output.splitlines():
        name, size, how, *rounds = line.split('\t')
        times.setdefault((name, int(size)), {})[how] = [float(one) for one in rounds]
    return times


def described(plain, ours):
    """A column, and whether it is beyond the bound."""
    low, middle, high = statistics.quantiles([b / a for a, b in zip(plain, ours)], n=4, method='inclusive')
    beyond = statistics.median((b - 60) / a for a, b in zip(plain, ours)) > 1.05
    return f'{middle:6.2f}{"!" if beyond else " "}[{low:.2f}, {high:.2f}]', beyond


def show(times):
    beyond = columns = 0
    print(f'{"":16} {"elements":>10} {"plain, ns":>12}   ' + ''.join(f'{one:22}' for one in SURROUNDINGS))
    names = list(dict.fromkeys(name for name, _ in times))
    for (name, size), rounds in sorted(times.items(), key=lambda one: names.index(one[0][0])):
        told = [described(rounds['plain'], rounds[how]) for how in SURROUNDINGS]
        columns += len(told)
        beyond += sum(one[1] for one in told)
        print(f'{name:16} {size:10,} {statistics.median(rounds["plain"]):12,.0f} ' + ''.join(f'{one[0]:22}' for one in told).rstrip())
    print(f'{columns - beyond} of {columns} within 1.05 x plain and 60 ns')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--compiler', default=os.environ.get('CXX', 'g++,clang++-14,clang++-19'))
    parser.add_argument('--flags', action='append')
    parser.add_argument('--most', type=int, default=10_000_000)
    arguments = parser.parse_args()
    print(program.processor())
    for compiler in arguments.compiler.split(','):
        if shutil.which(compiler.split()[0]) is None:
            print(f'no {compiler} here')
            continue
        for flags in arguments.flags or ['-O2', '-O3', '-O3 -march=native']:
            with tempfile.TemporaryDirectory() as scratch:
                binary = program.build('kernels/main.cpp', compiler, flags, scratch)
                run = subprocess.run([binary, str(arguments.most)], capture_output=True, text=True, env={**os.environ, 'FURCA_NUM_THREADS': '1'})
            if run.returncode != 0:
                print(f'exit code {run.returncode}\n{run.stderr}', file=sys.stderr)
                return 1
            print(f'\n{program.version(compiler)}, {flags}')
            show(times_of(run.stdout))
    return 0


if __name__ == '__main__':
    sys.exit(main())
