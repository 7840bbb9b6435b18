#!/usr/bin/env python3
"""std::execution::par on oneTBB and on furca: run.py [--only NAME,...] [--sizes N,...] [--pairs N] [--milliseconds N] [--compiler g++] [--level 2].

Builds one program twice, as it is with -ltbb, and with -include furca/execution.hpp and the library, and runs the two in turns for each algorithm and number of elements.

Prints the nanoseconds of a call on furca, and oneTBB's time divided by it, so more than 1 means that furca is faster: the median of the pairs' ratios, and in
brackets their quartiles. Exit code 1 if a program cannot be built or run.
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
from program import TOP, build, processor, version  # noqa: E402: it lies beside this directory

ALGORITHMS = ('for_each', 'transform', 'reduce', 'transform_reduce', 'min_element', 'inclusive_scan', 'exclusive_scan', 'copy_if', 'partition', 'find', 'any_of',
              'sort', 'stable_sort', 'merge')


def build_both(compiler, level, scratch):
    """Of each a folder of its own, since a program has its source's name."""
    programs = {}
    for way, flags, libraries in (('oneTBB', '', ['-ltbb']), ('furca', f'-include {TOP}/include/furca/execution.hpp', [])):
        folder = Path(scratch) / way
        folder.mkdir(parents=True, exist_ok=True)
        programs[way] = build('execution/main.cpp', compiler, f'-O{level} {flags}'.strip(), folder, libraries)
    return programs


def nanoseconds(program, algorithm, size, milliseconds):
    run = subprocess.run([program, algorithm, size, milliseconds], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f'{program} {algorithm} {size}: exit code {run.returncode}\n{run.stderr}')
    return float(run.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--only', default=','.join(ALGORITHMS), help='some of the algorithms')
    parser.add_argument('--sizes', default='10000,1000000,10000000')
    parser.add_argument('--pairs', type=int, default=9, help='times that the two run in turns')
    parser.add_argument('--milliseconds', default='100', help='for one run')
    parser.add_argument('--compiler', default=os.environ.get('CXX', 'g++'))
    parser.add_argument('--level', default='2', help='of optimisation: 2, 3')
    parser.add_argument('--build-only', metavar='DIRECTORY', help='build there and run nothing')
    parser.add_argument('--binaries', metavar='DIRECTORY', help='run what was built so')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        if arguments.binaries:
            programs = {way: Path(arguments.binaries) / way / 'main' for way in ('oneTBB', 'furca')}
        else:
            programs = build_both(arguments.compiler, arguments.level, arguments.build_only or directory)
        if arguments.build_only:
            return
        print(f'{processor()}, {len(os.sched_getaffinity(0))} processors; {version(arguments.compiler)}, -O{arguments.level}', flush=True)
        for size in arguments.sizes.split(','):
            for algorithm in arguments.only.split(','):
                ratios, ours = [], []
                for _ in range(arguments.pairs):
                    theirs = nanoseconds(programs['oneTBB'], algorithm, size, arguments.milliseconds)
                    ours.append(nanoseconds(programs['furca'], algorithm, size, arguments.milliseconds))
                    ratios.append(theirs / ours[-1])
                low, middle, high = statistics.quantiles(ratios, n=4, method='inclusive') if len(ratios) > 1 else ratios * 3
                print(f'{algorithm:17} {int(size):10,} {statistics.median(ours):13,.0f} ns   {middle:.2f} [{low:.2f}, {high:.2f}]', flush=True)


if __name__ == '__main__':
    main()
