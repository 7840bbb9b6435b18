#!/usr/bin/env python3
"""Loops after a rest: run.py [--compiler CXX] [--level 3] [ARGUMENT...]

Builds bench/loops/bursts.cpp with the library and runs it on two threads. Its first lines say what
it shows and which arguments it takes. Exit code 1 if it fails.
"""
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from shared import build, heading, options, output  # noqa: E402: it lies beside this directory


def main():
    parser = options(__doc__, level='3')
    parser.add_argument('arguments', nargs='*', metavar='ARGUMENT')
    chosen = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as directory:
        program = build('loops/bursts.cpp', chosen.compiler, f'-O{chosen.level}', directory)
        heading(chosen.compiler, chosen.level, '2 threads')
        print(output(program, *chosen.arguments, threads=2), end='')


if __name__ == '__main__':
    main()
