#!/usr/bin/env python3
"""What it costs that furca can be watched: run.py [--rounds N] [--compiler CXX] [--threads N,...].

Builds bench/observing/work.cpp with the library twice at -O2, as it is and without its counts
(-DFURCA_UNCOUNTED), and runs in each round, in an order that changes, every kind of work
- without counts,
- as it is (stats() can be asked for at any time),
- with FURCA_STATS=1, FURCA_STATS=span and FURCA_TRACE.
Prints the time of one repetition without counts, and the ratio of each of the others to it: median,
and in brackets the quartiles of the rounds' ratios. A ratio that has 1.00 within its quartiles is
no difference that was seen. Exit code 1 if a run fails.
"""
import statistics
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from shared import PROCESSORS, Ratio, build, heading, in_turns, options, output  # noqa: E402

KINDS = {
    'fib': 'a fork for every addition',
    'loops': 'loops of 20,000 additions',
    'tasks': '500 tasks of a scope, 500 detached',
}
BASE = 'without counts'
SHORT = ('FURCA_STATS=span', 'FURCA_TRACE')  # where a fork takes fifty times as long


def main():
    numbers = ','.join(dict.fromkeys(['1', str(PROCESSORS)]))
    chosen = options(__doc__, level='2', rounds=11, threads=numbers).parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        source, level = 'observing/work.cpp', f'-O{chosen.level}'
        counted = build(source, chosen.compiler, level, scratch, name='counted')
        flags = f'{level} -DFURCA_UNCOUNTED'
        uncounted = build(source, chosen.compiler, flags, scratch, name='uncounted')
        variants = {
            BASE: (uncounted, {}),
            'as it is': (counted, {}),
            'FURCA_STATS=1': (counted, {'FURCA_STATS': '1'}),
            'FURCA_STATS=span': (counted, {'FURCA_STATS': 'span'}),
            'FURCA_TRACE': (counted, {'FURCA_TRACE': f'{scratch}/trace.json'}),
        }
        for threads in chosen.threads.split(','):

            def seconds(kind, variant):
                program, environment = variants[variant]
                length = 'short' if variant in SHORT else 'full'
                return float(output(program, kind, length, threads=threads, **environment))

            keys = [(kind, variant) for kind in KINDS for variant in variants]
            times = in_turns(keys, chosen.rounds, seconds)
            heading(chosen.compiler, chosen.level, f'{threads} threads, {chosen.rounds} rounds')
            for kind, what in KINDS.items():
                base = times[kind, BASE]
                print(f'  {kind} ({what}): {1e3 * statistics.median(base):.3f} ms {BASE}')
                for variant in list(variants)[1:]:
                    ratio = Ratio.of(times[kind, variant], base)
                    print(f'    {variant:18} {ratio.text(3):>24}', flush=True)


if __name__ == '__main__':
    main()
