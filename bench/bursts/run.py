#!/usr/bin/env python3
"""Loops in a row after a rest: run.py [--elements N,...] [--rest MICROSECONDS] [--calls 30] [--compiler CXX] [--rounds N]

After a rest the pool's threads sleep, and a row of short loops begins: when does the second thread come, and what does it cost until then? Builds
bench/bursts/main.cpp with the library and runs it so many times for each size. Shown are the microseconds of the first, second, third, tenth and last call, plain
and by furca (the median of 60 bursts, and of the rounds), a call of furca's in a row without end, the last call's ratio to that, and how much longer the first one
takes than the plain one. Exit code 1 if a run fails.
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
import program  # noqa: E402: it lies beside this directory


def measure(binary, elements, arguments):
    """From a way to the medians of its calls."""
    rounds = {}
    for _ in range(arguments.rounds):
        run = subprocess.run([binary, str(elements), str(arguments.rest), str(arguments.calls), '60'], capture_output=True, text=True,
                             env={**os.environ, 'FURCA_NUM_THREADS': str(arguments.threads)})
        if run.returncode != 0:
            sys.exit(f'{elements} elements: exit code {run.returncode}\n{run.stderr}')
        for line in run.stdout.splitlines():
            way, *times = line.split('\t')
            rounds.setdefault(way, []).append([float(time) for time in times])
    return {way: [statistics.median(call) for call in zip(*times)] for way, times in rounds.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--elements', default='10000,30000,100000,300000,1000000')
    parser.add_argument('--rest', type=int, default=1200)
    parser.add_argument('--calls', type=int, default=30)
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--compiler', default=os.environ.get('CXX', 'g++'))
    parser.add_argument('--rounds', type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        binary = program.build('bursts/main.cpp', arguments.compiler, '-O3', directory)
        print(f'{program.processor()}; {program.version(arguments.compiler)}, -O3; {arguments.threads} threads, {arguments.rest} us of rest', flush=True)
        shown = sorted({min(call, arguments.calls - 1) for call in (0, 1, 2, 9, arguments.calls - 1)})
        print(f'{"us a call":>20}' + ''.join(f'{f"call {call + 1}":>10}' for call in shown) + f'{"endless":>10}{"last / it":>10}{"first - plain":>15}')
        for elements in arguments.elements.split(','):
            times = measure(binary, int(elements), arguments)
            for way in ('plain', 'furca'):
                line = f'{elements if way == "plain" else "":>12} {way:>7}' + ''.join(f'{times[way][call]:10.1f}' for call in shown)
                if way == 'furca':
                    line += f'{times["endless"][0]:10.1f}{times["furca"][-1] / times["endless"][0]:10.2f}{times["furca"][0] - times["plain"][0]:15.1f}'
                print(line, flush=True)


if __name__ == '__main__':
    main()
