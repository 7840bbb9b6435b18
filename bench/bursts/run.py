#!/usr/bin/env python3
"""Loops in a row after a rest: run.py [--elements N,...] [--rest MICROSECONDS] [--calls 30]
[--compiler CXX] [--rounds N]

After a rest the pool's threads sleep, and a row of short loops begins: when does the second thread
come, and what does it cost until then? Builds bench/bursts/main.cpp with the library and runs it so
many times for each size. Shown are the microseconds of the first, second, third, tenth and last
call, plain and by furca (the median of 60 bursts, and of the rounds), a call of furca's in a row
without end, the last call's ratio to that, and how much longer the first one takes than the plain
one. Exit code 1 if a run fails.
"""
import statistics
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from shared import build, heading, options, output, tabbed  # noqa: E402

BURSTS = 60


def measure(binary, elements, chosen):
    """From a way to the medians of its calls."""
    command = (binary, elements, chosen.rest, chosen.calls, BURSTS)
    rounds = [tabbed(output(*command, threads=chosen.threads), 1) for _ in range(chosen.rounds)]
    return {
        way: [statistics.median(call) for call in zip(*(times[way,] for times in rounds))]
        for way, in rounds[0]
    }


def show(binary, chosen):
    last = chosen.calls - 1
    shown = sorted({min(call, last) for call in (0, 1, 2, 9, last)})
    calls = ''.join(f'{f"call {call + 1}":>10}' for call in shown)
    print(f'{"us a call":>20}{calls}{"endless":>10}{"last / it":>10}{"first - plain":>15}')
    for elements in chosen.elements.split(','):
        times = measure(binary, elements, chosen)
        plain, furca, endless = times['plain'], times['furca'], times['endless'][0]
        for name, way, ways_times, more in (
            (elements, 'plain', plain, ''),
            (
                '',
                'furca',
                furca,
                f'{endless:10.1f}{furca[-1] / endless:10.2f}' f'{furca[0] - plain[0]:15.1f}',
            ),
        ):
            columns = ''.join(f'{ways_times[call]:10.1f}' for call in shown)
            print(f'{name:>12} {way:>7}{columns}{more}', flush=True)


def main():
    sizes = '10000,30000,100000,300000,1000000'
    others = {'elements': sizes, 'rest': 1200, 'calls': 30, 'threads': 2, 'rounds': 3}
    chosen = options(__doc__, level='3', **others).parse_args()
    with tempfile.TemporaryDirectory() as directory:
        binary = build('bursts/main.cpp', chosen.compiler, f'-O{chosen.level}', directory)
        about = f'{chosen.threads} threads, {chosen.rest} us of rest'
        heading(chosen.compiler, chosen.level, about)
        show(binary, chosen)


if __name__ == '__main__':
    main()
