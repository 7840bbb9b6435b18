#!/usr/bin/env python3
"""The memory that algorithms have at their peak, beyond the input and an output that is there
before: peak.py [--sizes N,...] [--threads N] [--compiler g++].

Counts what `operator new` gives and gets back during a call, over elements of 8 bytes of which half
are kept, the most of eleven calls. Prints for each size the bytes for an element at the peak, those
of the result, and the bound that the headers promise: the result for map, twice that for filter,
three times for collect, whose vectors grow by doubling; half a megabyte a thread for what goes
through memory in stretches; a copy of the range, and a byte for each element, for stable_partition
and stable_sort. Of the sorts, it is the resident memory that counts, also std::execution::par's,
for which nothing is promised; pages that they had before are not seen. Exit code 1 if one is above
its bound.
"""
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from shared import PROCESSORS, build, heading, options, output  # noqa: E402: beside this directory


def main():
    sizes = '100000,1000000,10000000'
    chosen = options(__doc__, level='2', sizes=sizes, threads=PROCESSORS).parse_args()
    above = 0
    with tempfile.TemporaryDirectory() as directory:
        level = f'-O{chosen.level}'
        binary = build('algorithms/peak.cpp', chosen.compiler, level, directory, ['-ltbb'])
        about = f'{chosen.threads} threads; bytes for an element'
        heading(chosen.compiler, chosen.level, about)
        print(f'{"":24} {"elements":>10} {"peak":>8} {"result":>8} {"bound":>8}')
        for size in chosen.sizes.split(','):
            for line in output(binary, size, threads=chosen.threads).splitlines():
                name, peak, result, bound = line.split('\t')
                over = bound != '-' and float(peak) > 1.05 * float(bound)
                above += over
                mark = '  above' if over else ''
                row = f'{name:24} {int(size):10,} {peak:>8} {result:>8} {bound:>8}{mark}'
                print(row, flush=True)
    sys.exit(1 if above else 0)


if __name__ == '__main__':
    main()
