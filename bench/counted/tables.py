#!/usr/bin/env python3
"""Tables from the counted machine: tables.py judged|costs|believed|fits [BUILD] [--OPTION VALUE...]

  judged    What each mechanism for many threads gains: the library runs without it, edited as
            mechanisms.txt says (--names, --workers, --rows, --data, --seeds).
  costs     How many percent faster each row is at half and at twice of each cost that matters
            (--names, --workers, --rows, --seeds, --machine).
  believed  What two threads gain of this machine, counted and measured (--rows, --repeats, --seeds,
            --measured FILE, to keep what was measured). Takes four minutes of a machine with
            nothing else to do.
  fits      Whether mechanisms.txt fits the source.

BUILD is a build directory with bench/counted/furca-counted, and furca-real for the last table.
"""

import argparse
import functools
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
sys.path.insert(0, str(TOP / 'tests/model/seeded'))
import edits

COUNTED = 'bench/counted/furca-counted'
REAL = 'bench/counted/furca-real'
ROWS = 'loop-10ms,loop-1ms,reduction-10ms,steps-40us,fib-25,skynet-10^5,scope-100us,again-300us'
BELIEVED = (
    'again-1us,again-3us,again-10us,again-30us,again-100us,again-300us,again-1000us,again-3000us,'
    'loop-10ms,loop-100ms,fib-25,skynet-10^5,queens-10,sort-10^6,scope-2us,scope-100us,spawn-2us'
)
COSTS = 'transfer near follow fence heavy-base heavy-each interrupt wake-call wake-up pause'.split()
STARTS = ('awake', 'rested')


class Run(NamedTuple):
    speed_up: float
    error: float  # of that, standard, in percent
    time: float  # us
    work: float  # percent of all threads' time


class Mechanisms(NamedTuple):
    names: list
    edits: list


def mechanisms():
    paragraphs = (HERE / 'mechanisms.txt').read_text().split('\n\n')
    found = [edit for one in paragraphs for edit in edits.edits_of(one)]
    return Mechanisms([one.split(':')[0] for one in paragraphs], found)


def counted(program, *options, without=''):
    """{(row, start): Run}"""
    env = {**os.environ, 'FURCA_WITHOUT': without}
    output = subprocess.check_output([program, *options], text=True, env=env)
    runs = {}
    for line in output.splitlines()[1:]:
        row, _, start, *figures = line.split()
        runs[row, start] = Run(*map(float, figures[:4]))
    return runs


def each(f, items):
    """f of all, so many at once as there are processors."""
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return list(threads.map(f, items))


# --- judged ---------------------------------------------------------------------------------------


def print_gain(workers, start, name, kind, pairs):
    """pairs: {row: (Run with it, Run without)}"""
    gains = {row: whole.speed_up / less.speed_up for row, (whole, less) in pairs.items()}
    mean = math.exp(statistics.fmean(map(math.log, gains.values())))
    variances = sum(one.error**2 for pair in pairs.values() for one in pair)
    ordered = sorted(gains, key=gains.get)
    least, most = ordered[0], ordered[-1]
    print(
        f'{workers:>4} {start:6} {name:16} {kind:4} {100 * (mean - 1):+6.1f} '
        f'{math.sqrt(variances) / len(pairs):4.1f}   '
        f'{least} {100 * (gains[least] - 1):+.0f}, {most} {100 * (gains[most] - 1):+.0f}',
        flush=True,
    )


def compiled(tree):
    """The program from that copy of the source: it leaves out what FURCA_WITHOUT says."""
    shutil.copytree(TOP, tree, ignore=shutil.ignore_patterns('build*', '.git'))
    for path, text in edits.apply(mechanisms(), edits.library(TOP)).items():
        (tree / path).write_text(text)
    off = (f'-D{name}=disabled' for name in ('tests', 'examples', 'docs', 'mpi'))
    for command in (['meson', 'setup', tree / 'build', tree, *off],
                    ['ninja', '-C', tree / 'build', COUNTED]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return tree / 'build' / COUNTED


def judge(options):
    names = options.names or mechanisms().names
    with tempfile.TemporaryDirectory() as scratch:
        program = compiled(Path(scratch) / 'tree')
        print(f'{"P":>4} {"start":6} {"without":16} rows gain,%  +-   of a row: least, most')
        for workers in options.workers.split(','):
            rows = f'{options.rows},{options.data}'
            asked = ['--workers', workers, '--rows', rows, '--machine', options.machine]
            asked += ['--seed', '1', '--seeds', options.seeds]
            run = functools.partial(counted, program, *asked)
            whole, *others = each(lambda name: run(without=name), ['', *names])
            for name, less in zip(names, others):
                for start in STARTS:
                    for kind in ('', 'data'):
                        pairs = {
                            row: (whole[row, at], less[row, at])
                            for row, at in whole
                            if at == start and row.startswith('data') == bool(kind)
                        }
                        if pairs:
                            print_gain(workers, start, name, kind, pairs)


# --- costs ----------------------------------------------------------------------------------------


def print_costs(options):
    names = options.names or COSTS
    asked = ['--workers', options.workers.split(',')[0], '--rows', options.rows, '--seed', '1']
    asked += ['--seeds', options.seeds, '--machine', options.machine]
    program = options.build / COUNTED
    listed = subprocess.check_output([program, '--machine', options.machine, '--costs'], text=True)
    values = dict(line.split() for line in listed.splitlines())
    changes = [[], *(['--cost', f'{name}={float(values[name]) * factor}']
                     for name in names for factor in (0.5, 2))]
    as_it_is, *changed = each(lambda change: counted(program, *asked, *change), changes)
    print(f'{"row":15} {"":6} {"gain":>6}', *(f'{name:>11}' for name in names))
    for key, run in as_it_is.items():
        percent = [f'{100 * (other[key].speed_up / run.speed_up - 1):+.0f}' for other in changed]
        both = (f'{half + " " + twice:>11}' for half, twice in zip(percent[::2], percent[1::2]))
        print(f'{key[0]:15} {key[1]:6} {run.speed_up:6.1f}', *both)


# --- believed -------------------------------------------------------------------------------------


def measure(options):
    """The machine's costs; {row and start: [[ns of a call, by one thread and by two], ...]}"""
    program = options.build / REAL

    def ask(*words):
        return subprocess.check_output([program, *words], text=True)

    costs = ask('--costs')
    times = {f'{row} {start}': [] for row in options.rows.split(',') for start in STARTS}
    for _ in range(options.repeats):
        for key, pairs in times.items():
            row, start = key.split()
            pairs.append([float(ask(row, threads, start)) for threads in '12'])
        if options.measured:
            options.measured.write_text(json.dumps([costs, times]))
    return costs, times


def print_believed(options):
    if options.measured and options.measured.exists():
        costs, times = json.loads(options.measured.read_text())
    else:
        costs, times = measure(options)
    print(', '.join(costs.split('\n')))
    print(f'{"row":15} {"":6} measured  from    to  counted   +-%  off,%')
    with tempfile.NamedTemporaryFile('w') as machine:
        machine.write(costs)
        machine.flush()

        def count(key):
            row, start = key.split()
            asked = ['--machine', machine.name, '--rows', row, '--' + start, '--seed', '1']
            alone = counted(options.build / COUNTED, *asked, '--workers', '1')[row, start]
            # what one thread takes beyond what is counted is its bodies'
            real = statistics.median(pair[0] for pair in times[key]) / 1_000
            body = 1 + (real - alone.time) / (alone.time * alone.work / 100)
            asked += ['--cost', f'body={max(body, 0.05)}', '--seeds', options.seeds]
            return counted(options.build / COUNTED, *asked, '--workers', '2')[row, start]

        for key, run in zip(times, each(count, times)):
            ratios = sorted(one / two for one, two in times[key])
            middle = statistics.median(ratios)
            row, start = key.split()
            print(
                f'{row:15} {start:6} {middle:8.2f} {ratios[0]:5.2f} {ratios[-1]:5.2f} '
                f'{run.speed_up:8.2f} {run.error:5.1f} {100 * (run.speed_up / middle - 1):+6.0f}'
            )


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('table', choices=('judged', 'costs', 'believed', 'fits'))
    parser.add_argument('build', nargs='?', default=Path('build'), type=Path)
    parser.add_argument('--names', type=lambda names: names.split(','))
    parser.add_argument('--workers')
    parser.add_argument('--rows')
    parser.add_argument('--data', default='data-16mib')
    parser.add_argument('--seeds', default='3')
    parser.add_argument('--machine', default='epyc-7742')
    parser.add_argument('--repeats', default=20, type=int)
    parser.add_argument('--measured', type=Path)
    options = parser.parse_args()
    options.rows = options.rows or (BELIEVED if options.table == 'believed' else ROWS)
    if options.table == 'fits':
        edits.apply(mechanisms(), edits.library(TOP))
    elif options.table == 'judged':
        options.workers = options.workers or '8,16,64,128,256'
        judge(options)
    elif options.table == 'costs':
        options.workers = options.workers or '64'
        print_costs(options)
    else:
        print_believed(options)


if __name__ == '__main__':
    main()
