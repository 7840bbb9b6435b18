#!/usr/bin/env python3
"""Tests of the plugs for senders: senders.py [--stdexec DIR] [--beman DIR] [--library DIR]
[--flags FLAG...]

Of NVIDIA's stdexec and of beman.execution, each where its headers are: DIR is a clone; without one
the compiler's own folders are looked at, and the environment's STDEXEC and BEMAN.

1. the headers compile without a warning, with all compilers that are there and know the library;
2. senders_test.cpp runs with pools of 1, 2 and 64 threads;
3. the example runs.

--library: a directory with libfurca.a that was built already. --flags: further flags of the
compiler, as --flags=-fsanitize=thread. Ends with "N passed, N failed"; exit code 77 if neither
library is there.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
STRICT = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Werror']
COMPILERS = ('g++', 'clang++-19')
# Of each its header, its namespace, and the C++ that it needs.
LIBRARIES = {
    'stdexec': ('stdexec/execution.hpp', 'stdexec', 'c++20'),
    'beman': ('beman/execution.hpp', 'beman::execution', 'c++23'),
}
HEADERS = ('parallel_scheduler', 'scheduler', 'sync_wait')
passed = failed = 0


def check(name, right, said=''):
    global passed, failed
    if right:
        passed += 1
    else:
        failed += 1
        print(f'FAILED: {name}\n{said}'.rstrip(), flush=True)


def run(*command, **environment):
    """(exit code, what it says); 124 if it takes five minutes."""
    try:
        done = subprocess.run(
            [str(word) for word in command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            env={**os.environ, **environment},
        )
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as expired:
        return 124, f'{expired.stdout}\nit took more than five minutes'


def library(scratch):
    """libfurca.a, in a build of its own."""
    for command in (
        ['meson', 'setup', scratch / 'build', TOP, '--buildtype=release'],
        ['ninja', '-C', scratch / 'build', 'src/libfurca.a'],
    ):
        subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    return scratch / 'build' / 'src'


def main():
    arguments = argparse.ArgumentParser()
    for name in LIBRARIES:
        arguments.add_argument(f'--{name}', default=os.environ.get(name.upper()))
    arguments.add_argument('--library', type=Path)
    arguments.add_argument('--flags', nargs='+', default=[])
    arguments = arguments.parse_args()
    compilers = [compiler for compiler in COMPILERS if shutil.which(compiler)]
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        there = []
        for name, (header, namespace, standard) in LIBRARIES.items():
            folder = getattr(arguments, name)
            common = [f'-std={standard}', f'-I{TOP / "include"}', f'-DLIBRARY=<{header}>']
            common += [f'-DNAMESPACE={namespace}', '-pthread']
            common += [] if folder is None else ['-isystem', Path(folder) / 'include']
            probe = scratch / f'{name}.cpp'
            probe.write_text(
                '#include LIBRARY\nnamespace ex = NAMESPACE;\n'
                'auto n = std::get<0>(ex::sync_wait(ex::just(1)).value());\n'
            )
            said = ''
            known = []
            for compiler in compilers:
                code, said = run(compiler, *common, '-fsyntax-only', probe)
                known += [] if code else [compiler]
            if known:
                there.append((name, common, known))
            else:
                print(f'{name} is not there, or these compilers do not know it: say --{name}=DIR')
                check(f'{name} is in {folder}', folder is None, said)
        if not there:
            print('neither stdexec nor beman.execution is there')
            return 1 if failed else 77
        built = arguments.library or library(scratch)
        for name, common, known in there:
            for compiler in known:
                for header in HEADERS:
                    source = scratch / f'{name}-{header}.cpp'
                    include = f'#include <furca/plugs/{header}.hpp>\n'
                    source.write_text(f'#include LIBRARY\n{include * 2}')
                    code, said = run(compiler, *common, *STRICT, '-fsyntax-only', source)
                    check(f'{name}, {compiler}: {header}.hpp makes no warnings', code == 0, said)
            test = TOP / 'tests/plugs/senders_test.cpp'
            example = TOP / 'examples/plugs/senders.cpp'
            for source, flags in ((test, STRICT), (example, []))[: 2 if name == 'stdexec' else 1]:
                program = scratch / f'{name}-{source.stem}'
                code, said = run(
                    known[-1], *common, '-O1', '-g', '-DDOCTEST_CONFIG_VOID_CAST_EXPRESSIONS',
                    *flags, *arguments.flags, source, built / 'libfurca.a', '-o', program,
                )  # fmt: skip
                check(f'{name}: {source.name} compiles', code == 0, said)
                for threads in (1, 2, 64) if code == 0 else ():
                    code, said = run(program, FURCA_NUM_THREADS=str(threads))
                    right = code == 0 and (source == test or 'is 499999500000' in said)
                    check(f'{name}: {source.name} with {threads} threads', right, said)
    print(f'{", ".join(name for name, _, _ in there)}: {passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
