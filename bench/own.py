#!/usr/bin/env python3
"""Is a program of yours, which uses oneTBB or std::execution, faster on furca? own.sh [--pairs N]
PROGRAM.cpp [FLAG...] [-- ARGUMENT...]

Compiles the program twice with the flags: as it is, with -ltbb, and on furca, with -include
furca/execution.hpp if it includes <execution>, and with the headers of include/furca/compat in
place of oneTBB's if it includes those. Runs the two in turns, with the arguments, and prints how
long each takes as a whole, and oneTBB's time divided by furca's, so more than 1 means that furca is
faster: the median of the pairs' ratios, and in brackets their quartiles. Says if the two do not
print the same, as programs do not that print times.

What comes by a pipe or a file on standard input is read once, and each run gets it; from a terminal
the program gets nothing. The two take turns in being first.

Without a flag -O the two are compiled with -O2, without -std with -std=c++20; furca needs that or a
later one. CXX: the compiler, c++. BUILD: the folder for furca's objects, build-own at the top of
the tree. FURCA_LIBRARY: a libfurca to link, in place of one compiled there. Exit code 1 if the
program fails in one of the two ways, 2 if it cannot be compiled.
"""
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from shared import PROCESSORS, TOP, Ratio

INCLUDE = TOP / 'include'
COMPAT = INCLUDE / 'furca' / 'compat'
FURCA_FLAGS = ['-std=c++20', '-O2', '-DNDEBUG', '-pthread']


def fail(words, output=''):
    sys.stderr.write(output)
    print(f'own.sh: {words}', file=sys.stderr)
    sys.exit(2)


def parse(arguments):
    """Pairs, the program, flags for the compiler, and the program's arguments."""
    pairs = 9
    if arguments and (option := re.fullmatch(r'--pairs(?:=(.*))?', arguments[0])):
        value = option[1] if option[1] is not None else (arguments[1:2] or [''])[0]
        if not re.fullmatch(r'[1-9][0-9]{0,5}', value):
            fail(f'--pairs is to be a number, 1 or more, and not "{value}"')
        pairs, arguments = int(value), arguments[1 if option[1] is not None else 2 :]
    if not arguments or arguments[0] in ('-h', '--help'):
        print(__doc__)
        sys.exit(0 if arguments else 2)
    source, *rest = arguments
    split = rest.index('--') if '--' in rest else len(rest)
    if not Path(source).is_file():
        fail(f'no such program: {source}')
    for flag in rest[:split]:
        if flag in ('-c', '-S', '-E', '-M', '-MM', '-fsyntax-only') or flag.startswith('-o'):
            fail(f'no program comes of the flag {flag}')
    return pairs, source, rest[:split], rest[split + 1 :]


def with_defaults(flags):
    level = [] if any(re.match(r'-O', flag) for flag in flags) else ['-O2']
    standard = [] if any(flag.startswith('-std=') for flag in flags) else ['-std=c++20']
    return standard + level + flags


def run_compiler(command):
    return subprocess.run(command, capture_output=True, text=True, errors='replace')


def headers(compiler, source, flags):
    """All that it includes, and no errors; or None, and what is wrong."""
    run = run_compiler([*compiler, *flags, '-M', source])
    return (run.stdout, '') if run.returncode == 0 else (None, run.stderr)


def includes_onetbb(known):
    """By the names of oneTBB's headers: a folder of the program's may be called tbb as well."""
    return re.search(r'[/ ](oneapi|include)/tbb(/[a-z_]+)?\.h\b', known) is not None


def furca_library(compiler, build):
    """Compiled anew where a source or header is newer."""
    if 'FURCA_LIBRARY' in os.environ:
        return os.environ['FURCA_LIBRARY']
    library = build / 'libfurca.a'
    newest = max(
        file.stat().st_mtime for folder in (INCLUDE, TOP / 'src') for file in folder.rglob('*.?pp')
    )
    made_by = build / 'compiler'
    if (
        library.exists()
        and library.stat().st_mtime > newest
        and made_by.exists()
        and made_by.read_text() == shlex.join(compiler)
    ):
        return library
    print('compiling furca ...', flush=True)
    whole = build / 'furca.o'
    run = run_compiler(
        [*compiler, *FURCA_FLAGS, '-I', INCLUDE, '-c', TOP / 'src' / 'furca.cpp', '-o', whole]
    )
    if run.returncode != 0:
        fail('furca does not compile', run.stderr)
    library.unlink(missing_ok=True)
    subprocess.run(['ar', 'rcs', library, whole], check=True)
    made_by.write_text(shlex.join(compiler))
    return library


def compile_both(compiler, source, flags, build, folder):
    """The programs, in `folder`."""
    known, errors = headers(compiler, source, flags)
    if known is None:
        fail(
            'oneTBB is not here: install what Debian calls libtbb-dev'
            if re.search(r'tbb/\S+: No such file|\'?(oneapi/)?tbb/\S+\' file not found', errors)
            else 'the program does not compile as it is',
            errors,
        )
    ours = ['-I', INCLUDE]
    if 'pstl/glue_execution_defs.h' in known:
        ours += ['-include', 'furca/execution.hpp']
    if includes_onetbb(headers(compiler, source, flags + ours)[0] or ''):
        ours += ['-I', COMPAT]
        if not COMPAT.is_dir():
            fail(f'the program includes headers of oneTBB, and there is no {COMPAT}')
    elif '-include' not in ours:
        fail(
            'the program includes neither <execution> nor headers of oneTBB, so there is nothing '
            'to compare'
        )
    programs = {
        'oneTBB': (flags, ['-ltbb']),
        'furca': (flags + ours, [furca_library(compiler, build)]),
    }
    for way, (options, libraries) in programs.items():
        # A flag may name a library, and those count behind the program.
        run = run_compiler(
            [
                *compiler,
                *options,
                source,
                '-o',
                folder / way,
                *[flag for flag in flags if flag.startswith('-l')],
                *libraries,
                '-pthread',
            ]
        )
        if run.returncode != 0:
            fail(f'the program does not compile with {way}', run.stderr)
    return [folder / way for way in programs]


def seconds(program, arguments, data):
    """How long it runs, and what it prints."""
    start = time.monotonic()
    run = subprocess.run([program.resolve(), *arguments], stdout=subprocess.PIPE, input=data)
    took = time.monotonic() - start
    if run.returncode != 0:
        print(
            f'own.sh: on {program.name} the program ends with exit code {run.returncode}',
            file=sys.stderr,
        )
        sys.exit(1)
    return took, run.stdout


def main():
    pairs, source, flags, arguments = parse(sys.argv[1:])
    compiler = shlex.split(os.environ.get('CXX', 'c++'))
    if not compiler or shutil.which(compiler[0]) is None:
        fail(f'no such compiler: {shlex.join(compiler)}')
    build = Path(os.environ.get('BUILD', TOP / 'build-own'))
    build.mkdir(parents=True, exist_ok=True)
    data = b'' if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
    times = []
    same = True
    with tempfile.TemporaryDirectory(
        prefix='own-'
    ) as folder:  # of its own: there may be another own.sh
        programs = compile_both(compiler, source, with_defaults(flags), build, Path(folder))
        for pair in range(pairs):
            runs = {
                program: seconds(program, arguments, data)
                for program in (programs if pair % 2 == 0 else programs[::-1])
            }
            (their_time, their_output), (our_time, our_output) = [
                runs[program] for program in programs
            ]
            times.append((their_time, our_time))
            same = same and their_output == our_output
    for way, took in zip(('oneTBB', 'furca'), zip(*times)):
        print(f'{way:7} {statistics.median(took):9.3f} s')
    ratio = Ratio.of(*zip(*times)).text()
    print(f'ratio        {ratio}, {pairs} pairs, {PROCESSORS} processors')
    print('outputs are the same' if same else 'outputs differ')


if __name__ == '__main__':
    main()
