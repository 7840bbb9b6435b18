#!/usr/bin/env python3
"""std::execution::par on oneTBB and on furca: run.py [--only NAME,...] [--sizes N,...] [--pairs N]
[--milliseconds N] [--compiler g++] [--level 2].

Builds one program twice, as it is with -ltbb, and with -include furca/execution.hpp and the
library, and runs the two in turns for each algorithm and number of elements.

Prints the nanoseconds of a call on furca, and oneTBB's time divided by it, so more than 1 means
that furca is faster: the median of the pairs' ratios, and in brackets their quartiles. Exit code 1
if a program cannot be built or run.
"""
import statistics
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from shared import TOP, Ratio, build, heading, options, output  # noqa: E402

ALGORITHMS = (
    'for_each,transform,reduce,transform_reduce,min_element,inclusive_scan,exclusive_scan,'
    'copy_if,partition,find,any_of,sort,stable_sort,merge'
)
WAYS = {'oneTBB': ('', ['-ltbb']), 'furca': (f' -include {TOP}/include/furca/execution.hpp', [])}


def main():
    sizes = '10000,1000000,10000000'
    parser = options(__doc__, level='2', only=ALGORITHMS, sizes=sizes, pairs=9, milliseconds=100)
    parser.add_argument('--build-only', metavar='DIRECTORY', help='build there and run nothing')
    parser.add_argument('--binaries', metavar='DIRECTORY', help='run what was built so')
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(chosen.binaries or chosen.build_only or directory)
        programs = {way: folder / way / 'main' for way in WAYS}
        for way, (flags, libraries) in WAYS.items() if not chosen.binaries else ():
            level = f'-O{chosen.level}{flags}'
            build('execution/main.cpp', chosen.compiler, level, folder / way, libraries)
        if chosen.build_only:
            return
        heading(chosen.compiler, chosen.level)
        for size in chosen.sizes.split(','):
            for algorithm in chosen.only.split(','):
                arguments = (algorithm, size, chosen.milliseconds)
                pairs = [
                    [float(output(program, *arguments)) for program in programs.values()]
                    for _ in range(chosen.pairs)
                ]
                theirs, ours = zip(*pairs)
                time = f'{statistics.median(ours):13,.0f} ns'
                ratio = Ratio.of(theirs, ours).text()
                print(f'{algorithm:17} {int(size):10,} {time}   {ratio}', flush=True)


if __name__ == '__main__':
    main()
