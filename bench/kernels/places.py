#!/usr/bin/env python3
"""Whether a loop's place in memory decides what it takes: places.py [--compiler CXX,...]
[--flags=FLAGS]... [--most N] [--step BYTES] [--rounds N].

Compiles bench/kernels/main.cpp to assembler, with each compiler and all FLAGS (-O2 and -O3, unless
some are given), and without the alignment that the other benchmarks ask for. Then every function of
it is moved by 0, BYTES, ... below 64 bytes behind a cache line, and the loops of bodies.hpp are
timed on one thread, over 1,000 elements, ten times as many, and so on up to N.

Prints the nanoseconds in the best place, and how many times as long the worst one takes: of the
plain loop, and of furca's alone, in a function with all the others, and in another parallel loop. A
place has the least of all its rounds: where two processors are one core, or other programs run,
every third process takes 1.5 times as long in all loops, wherever they lie. Marked with an
exclamation mark: more than 1.1. Exit code 1 if a program cannot be built or run.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from shared import TOP, in_turns, options, output, processor, tabbed, version  # noqa: E402

LINE = 64
WAYS = ('plain', 'alone', 'crowded', 'nested')
# What stands before a function, whichever of its attributes are said there.
FUNCTION = re.compile(
    r'^[ \t]*\.p2align[^\n]*\n((?:[ \t]*\.(?:globl|weak|hidden|local)[^\n]*\n)*'
    r'[ \t]*\.type[ \t]+[^\n]*@function)',
    re.MULTILINE,
)


def compiled(compiler, flags, scratch):
    """The library, and the assembler of the loops."""
    command = [*compiler.split(), '-std=c++20', '-DNDEBUG', *flags.split(), '-I', TOP / 'include']
    library, loops = Path(scratch) / 'furca.o', Path(scratch) / 'main.s'
    subprocess.run([*command, '-c', TOP / 'src/furca.cpp', '-o', library], check=True)
    subprocess.run([*command, '-S', TOP / 'bench/kernels/main.cpp', '-o', loops], check=True)
    return library, loops.read_text(encoding='utf-8')


def moved(compiler, library, text, place, scratch):
    """The program in which every function lies so many bytes behind a cache line."""
    skip = f'\t.skip {place}, 0x90\n' if place else ''
    text, found = FUNCTION.subn(rf'\t.p2align 6\n{skip}\1', text)
    if found == 0:
        sys.exit(f'{compiler}: no function found')
    loops, program = Path(scratch) / 'moved.s', Path(scratch) / f'moved_{place}'
    loops.write_text(text, encoding='utf-8')
    subprocess.run([*compiler.split(), loops, library, '-o', program, '-pthread'], check=True)
    return program


def least(program, most):
    """The least time of each loop, size and way."""
    times = tabbed(output(program, most, threads=1), 3)
    return {loop: min(rounds) for loop, rounds in times.items()}


def show(places):
    """`places`: of each place what least() has told, round by round."""
    names = list(dict.fromkeys(name for name, _, _ in places[0][0]))
    rows = {(name, int(size)) for name, size, _ in places[0][0]}
    print(f'{"":16} {"elements":>10}' + ''.join(f'{way + ", ns":>14}  worst' for way in WAYS))
    for name, size in sorted(rows, key=lambda row: (names.index(row[0]), row[1])):
        text = ''
        for way in WAYS:
            times = [min(one[name, str(size), way] for one in place) for place in places]
            ratio = max(times) / min(times)
            text += f'{min(times):14,.0f} {ratio:5.2f}{"!" if ratio > 1.1 else " "}'
        print(f'{name:16} {size:10,}{text}'.rstrip())


def main():
    parser = options(__doc__, compiler='g++', most=100_000, step=8, rounds=9)
    parser.add_argument('--flags', action='append')
    chosen = parser.parse_args()
    print(processor())
    for compiler in chosen.compiler.split(','):
        if shutil.which(compiler.split()[0]) is None:
            print(f'no {compiler} here')
            continue
        for flags in chosen.flags or ['-O2', '-O3']:
            with tempfile.TemporaryDirectory() as scratch:
                library, text = compiled(compiler, flags, scratch)
                programs = [
                    (moved(compiler, library, text, place, scratch), chosen.most)
                    for place in range(0, LINE, chosen.step)
                ]
                found = in_turns(programs, chosen.rounds, least)
            print(f'\n{version(compiler)}, {flags}')
            show(list(found.values()))


if __name__ == '__main__':
    main()
