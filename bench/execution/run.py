#!/usr/bin/env python3
"""std::execution::par on oneTBB and on furca: run.py [--program main] [--only NAME,...]
[--sizes N,...] [--pairs N] [--milliseconds N] [--compiler g++] [--level 2].

Builds one program twice, as it is with -ltbb, and with -include furca/execution.hpp and the
library, and runs the two in turns for each algorithm and number of elements. --program containers:
oneTBB's containers on several threads, and the look-alike's.

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
CONTAINERS = (
    'vector,queue,bounded_queue,priority_queue,hash_map_few,hash_map_many,unordered_map,map'
)
PROGRAMS = {
    'main': (ALGORITHMS, f' -include {TOP}/include/furca/execution.hpp'),
    'containers': (CONTAINERS, f' -I {TOP}/include/furca/compat'),
}


def main():
    sizes = '10000,1000000,10000000'
    parser = options(__doc__, level='2', only='', sizes=sizes, pairs=9, milliseconds=100)
    parser.add_argument('--program', choices=PROGRAMS, default='main')
    parser.add_argument('--build-only', metavar='DIRECTORY', help='build there and run nothing')
    parser.add_argument('--binaries', metavar='DIRECTORY', help='run what was built so')
    chosen = parser.parse_args()
    every, on_furca = PROGRAMS[chosen.program]
    ways = {'oneTBB': ('', ['-ltbb']), 'furca': (on_furca, [])}
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(chosen.binaries or chosen.build_only or directory)
        programs = {way: folder / way / chosen.program for way in ways}
        for way, (flags, libraries) in ways.items() if not chosen.binaries else ():
            level = f'-O{chosen.level}{flags}'
            source = f'execution/{chosen.program}.cpp'
            build(source, chosen.compiler, level, folder / way, libraries)
        if chosen.build_only:
            return
        heading(chosen.compiler, chosen.level)
        for size in chosen.sizes.split(','):
            for algorithm in (chosen.only or every).split(','):
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
