#!/usr/bin/env python3
"""Calls over few elements: run.py [--sizes 10,100,1000] [--compiler CXX] [--level 2]
[--processes 5] [--rounds 60]

Each algorithm (bench/small/main.cpp) beside its serial form, in turns, on as many different inputs
as a branch predictor cannot learn by heart. Shown is the least time of each in all processes, in
nanoseconds for a call, and by how much furca's is over what it should be: 1.1 times the serial one
and 30 ns, of which two looks at a clock take most. Built with all of the library.
"""
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from shared import build, heading, options, output, tabbed  # noqa: E402


def main():
    parser = options(__doc__, level='2', sizes='10,100,1000', processes=5, rounds=60)
    chosen = parser.parse_args()
    sizes = chosen.sizes.split(',')
    found = {}  # (furca, serial) by size and name
    with tempfile.TemporaryDirectory() as directory:
        program = build('small/main.cpp', chosen.compiler, f'-O{chosen.level}', directory)
        heading(chosen.compiler, chosen.level, f'{chosen.processes} processes')
        for _ in range(chosen.processes):
            for size in sizes:
                rows = tabbed(output(program, size, chosen.rounds), 1)
                for (name,), times in rows.items():
                    before = found.get((size, name), times)
                    found[size, name] = [min(both) for both in zip(before, times)]
    print(f'{"":28}' + ''.join(f'{size + " elements":>28}' for size in sizes))
    within = 0
    for name in dict.fromkeys(name for _, name in found):
        cells = ''
        for size in sizes:
            ours, serial = found[size, name]
            over = ours - (1.1 * serial + 30)
            within += over <= 0
            cells += f'{ours:10.1f} / {serial:8.1f}' + (f'{over:+7.0f}' if over > 0 else ' ' * 7)
        print(f'{name:28}{cells}'.rstrip())
    print(f'{within} of {len(found)} within 1.1 times the serial form and 30 ns')


if __name__ == '__main__':
    main()
