#!/usr/bin/env python3
"""What it costs that furca can be watched: run.py [--rounds N] [--compiler CXX] [--threads N,...].

Builds bench/observing/work.cpp with the library twice at -O2, as it is and without its counts (-DFURCA_UNCOUNTED), and runs in each round, in an order
that changes, every kind of work
- without counts,
- as it is (stats() can be asked for at any time),
- with FURCA_STATS=1, FURCA_STATS=span and FURCA_TRACE.
Prints the time of one repetition without counts, and the ratio of each of the others to it: median, and in brackets the quartiles of the rounds' ratios. A
ratio that has 1.00 within its quartiles is no difference that was seen. Exit code 1 if a run fails.
"""
import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
KINDS = {'fib': 'a fork for every addition', 'loops': 'loops of 20,000 additions', 'tasks': '500 tasks of a scope, 500 detached'}
BASE = 'without counts'
SHORT = ('FURCA_STATS=span', 'FURCA_TRACE')  # where a fork takes fifty times as long


def build(compiler, flags, program, scratch):
    sources = [TOP / 'bench/observing/work.cpp', TOP / 'src' / 'furca.cpp']
    alignment = ['-falign-functions=64', '-falign-loops=64']  # else the layout decides, by up to a tenth
    subprocess.run([*compiler.split(), '-std=c++20', '-O2', '-DNDEBUG', *alignment, *flags, '-I', TOP / 'include', *sources, '-o', scratch / program, '-pthread'], check=True)
    return scratch / program


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rounds', type=int, default=11)
    parser.add_argument('--compiler', default=os.environ.get('CXX', 'g++'))
    parser.add_argument('--threads', default=f'1,{len(os.sched_getaffinity(0))}')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        counted = build(arguments.compiler, [], 'counted', scratch)
        uncounted = build(arguments.compiler, ['-DFURCA_UNCOUNTED'], 'uncounted', scratch)
        variants = {
            BASE: (uncounted, {}),
            'as it is': (counted, {}),
            'FURCA_STATS=1': (counted, {'FURCA_STATS': '1'}),
            'FURCA_STATS=span': (counted, {'FURCA_STATS': 'span'}),
            'FURCA_TRACE': (counted, {'FURCA_TRACE': str(scratch / 'trace.json')}),
        }
        for threads in arguments.threads.split(','):
            times = {(kind, variant): [] for kind in KINDS for variant in variants}
            for _ in range(arguments.rounds):
                for kind, variant in random.sample(list(times), len(times)):
                    program, environment = variants[variant]
                    run = subprocess.run([program, kind, 'short' if variant in SHORT else 'full'], capture_output=True, text=True,
                                         env={**os.environ, 'FURCA_NUM_THREADS': threads, **environment})
                    if run.returncode != 0:
                        print(f'{kind}, {variant}: exit code {run.returncode}\n{run.stderr}', file=sys.stderr)
                        return 1
                    times[kind, variant].append(float(run.stdout))
            print(f'{arguments.compiler}, {threads} thread{"s" if threads != "1" else ""}, {arguments.rounds} rounds')
            for kind, what in KINDS.items():
                print(f'  {kind} ({what}): {1e3 * statistics.median(times[kind, BASE]):.3f} ms {BASE}')
                for variant in list(variants)[1:]:
                    ratios = [a / b for a, b in zip(times[kind, variant], times[kind, BASE])]
                    low, _, high = statistics.quantiles(ratios, n=4, method='inclusive')
                    print(f'    {variant:18} {statistics.median(ratios):8.3f} x  [{low:.3f}, {high:.3f}]')
    return 0


if __name__ == '__main__':
    sys.exit(main())
