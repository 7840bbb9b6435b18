#!/usr/bin/env python3
"""Loops of which a few steps take nearly all the time: run.py [--milliseconds 20] [--calls 12]
[--compiler CXX]

Builds bench/balance/main.cpp with the library and runs it. Shown is, for loops of 10,000 steps of
which those named take the time, what one thread takes, and the ratio of two threads to that: in the
first call of a body, in the third, and the median from the fourth on. A half is perfect. Exit code
1 if the run fails.
"""
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from shared import build, heading, options, output  # noqa: E402: it lies beside this directory


def main():
    chosen = options(__doc__, milliseconds=20.0, calls=12).parse_args()
    with tempfile.TemporaryDirectory() as directory:
        binary = build('balance/main.cpp', chosen.compiler, '-O2', directory)
        heading(chosen.compiler, 2)
        print(f'{"expensive":>20}{"one, ms":>10}{"call 1":>9}{"call 3":>9}{"later":>9}')
        for line in output(binary, chosen.milliseconds, chosen.calls).splitlines():
            name, serial, first, third, later = line.split('\t')
            print(f'{name:>20}{serial:>10}{first:>9}{third:>9}{later:>9}')


if __name__ == '__main__':
    main()
