#!/usr/bin/env python3
"""Loops of which a few steps take nearly all the time: run.py [--milliseconds 20] [--calls 12] [--compiler CXX]

Builds bench/balance/main.cpp with the library and runs it. Shown is, for loops of 10,000 steps of which those named take the time, what one thread takes, and the
ratio of two threads to that: in the first call of a body, in the third, and the median from the fourth on. A half is perfect. Exit code 1 if the run fails.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import program  # noqa: E402: it lies beside this directory


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--milliseconds', type=float, default=20)
    parser.add_argument('--calls', type=int, default=12)
    parser.add_argument('--compiler', default=os.environ.get('CXX', 'g++'))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        binary = program.build('balance/main.cpp', arguments.compiler, '-O2', directory)
        print(f'{program.processor()}; {program.version(arguments.compiler)}, -O2', flush=True)
        print(f'{"expensive":>20}{"one, ms":>10}{"call 1":>9}{"call 3":>9}{"later":>9}')
        run = subprocess.run([binary, str(arguments.milliseconds), str(arguments.calls)], capture_output=True, text=True)
        for line in run.stdout.splitlines():
            name, serial, first, third, later = line.split('\t')
            print(f'{name:>20}{serial:>10}{first:>9}{third:>9}{later:>9}')
        if run.returncode != 0:
            sys.exit(f'exit code {run.returncode}\n{run.stderr}')


if __name__ == '__main__':
    main()
