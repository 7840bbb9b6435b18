"""What the small benchmarks share: options, programs of the library and one file, runs, ratios."""
import argparse
import os
import random
import statistics
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[1]
PROCESSORS = len(os.sched_getaffinity(0))
# Else the layout decides, by up to a half, about plain loops as well as others.
ALIGNMENT = ['-falign-functions=64', '-falign-loops=64']


class Ratio(NamedTuple):
    """The median of the rounds' ratios, and their quartiles."""

    low: float
    middle: float
    high: float

    @classmethod
    def of(cls, above, below):
        ratios = [a / b for a, b in zip(above, below)]
        if len(ratios) == 1:
            return cls(*ratios * 3)
        return cls(*statistics.quantiles(ratios, n=4, method='inclusive'))

    def text(self, digits=2):
        low, middle, high = (f'{value:.{digits}f}' for value in self)
        return f'{middle} [{low}, {high}]'


def options(usage, compiler='g++', **others):
    """A parser with --compiler, and --NAME for each of the others with its default."""
    parser = argparse.ArgumentParser(
        description=usage, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--compiler', default=os.environ.get('CXX', compiler))
    for name, default in others.items():
        parser.add_argument(f'--{name}', default=default, type=type(default))
    return parser


def build(source, compiler, flags, scratch, libraries=(), name=None):
    """A file of bench/, or several, with all of the library; the program, called as the first."""
    own = [source] if isinstance(source, str) else source
    program = Path(scratch) / (name or Path(own[0]).stem)
    program.parent.mkdir(parents=True, exist_ok=True)
    files = [*(TOP / 'bench' / one for one in own), TOP / 'src' / 'furca.cpp', '-o', program]
    command = [*compiler.split(), '-std=c++20', '-DNDEBUG', *ALIGNMENT, *flags.split()]
    subprocess.run([*command, '-I', TOP / 'include', *files, '-pthread', *libraries], check=True)
    return program


def output(*command, threads=None, **environment):
    """What a program prints. Ends this one, with the errors, if that fails."""
    if threads:
        environment['FURCA_NUM_THREADS'] = str(threads)
    words = [str(word) for word in command]
    run = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **environment})
    if run.returncode != 0:
        sys.exit(f'{" ".join(words)}: exit code {run.returncode}\n{run.stderr}')
    return run.stdout


def in_turns(keys, rounds, measure):
    """measure(*key) for each key in each round, in random order; the values of each key."""
    found = {key: [] for key in keys}
    for _ in range(rounds):
        for key in random.sample(list(found), len(found)):
            found[key].append(measure(*key))
    return found


def tabbed(text, columns):
    """Lines of names and then times, with tabs between, by names."""
    rows = (line.split('\t') for line in text.splitlines())
    return {tuple(row[:columns]): [float(time) for time in row[columns:]] for row in rows}


def processor():
    try:
        lines = Path('/proc/cpuinfo').read_text(encoding='utf-8').splitlines()
    except OSError:
        return os.uname().machine
    models = (line.split(': ', 1)[1] for line in lines if line.startswith('model name\t: '))
    return next(models, os.uname().machine)


def version(compiler):
    return output(*compiler.split(), '--version').splitlines()[0]


def heading(compiler, level, *more):
    """What stands above all figures."""
    words = [f'{processor()}, {PROCESSORS} processors', f'{version(compiler)}, -O{level}', *more]
    print('; '.join(words), flush=True)
