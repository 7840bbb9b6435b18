#!/usr/bin/env python3
"""Tests of furca/plugs/libcxx.hpp: libcxx.py [--compiler clang++-19] [--flags FLAG...]
[--suite DIR]

1. the header makes no warnings, and says so where it comes too late, or with libstdc++;
2. libcxx_test.cpp runs with pools of 1, 2 and 64 threads;
3. the example runs;
4. --suite: libc++'s own tests, pstl.*.pass.cpp below libcxx/test, its folder DIR, of the same
   version; each with pools of 1, 2 and 8 threads. Those of other back ends are left out.

furca is compiled with libc++, too. --flags: further flags of the compiler, as
--flags=-fsanitize=thread. Ends with "N passed, N failed"; exit code 77 without clang and libc++ 19
or later.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
STRICT = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Werror']
HEADER = '#include <furca/plugs/libcxx.hpp>\n'
LATE = '#include <algorithm>\n#include <execution>\n' + HEADER
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
    except FileNotFoundError as absent:
        return 127, str(absent)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('--compiler', default='clang++-19')
    arguments.add_argument('--flags', nargs='+', default=[])
    arguments.add_argument('--suite', type=Path)
    arguments = arguments.parse_args()
    libcxx = ['-stdlib=libc++', '-fexperimental-library']
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        common = ['-std=c++20', '-O1', '-g', f'-I{TOP / "include"}', '-pthread']
        common += arguments.flags

        def compiles(name, text, *flags):
            source = scratch / f'{name}.cpp'
            source.write_text(text)
            return run(arguments.compiler, *common, *flags, '-fsyntax-only', source)

        asked = '#include <version>\n#if _LIBCPP_VERSION < 190000\n#error "too old"\n#endif\n'
        code, said = compiles('asks', asked, *libcxx)
        if code:
            print(f'{arguments.compiler} with libc++ 19 or later is not there: {said}')
            return 77
        code, said = compiles('alone', HEADER * 2, *libcxx, *STRICT)
        check('libcxx.hpp makes no warnings', code == 0, said)
        sentences = {
            'before <algorithm>': ('late', LATE, libcxx),
            'for libc++': ('other', HEADER, ['-stdlib=libstdc++']),
        }
        for sentence, (name, text, flags) in sentences.items():
            code, said = compiles(name, text, *flags)
            check(f'it says: {sentence}', code and sentence in said.split('error:')[1], said)

        library = scratch / 'furca.o'
        source = TOP / 'src/furca.cpp'
        code, said = run(
            arguments.compiler, *common, *libcxx, *STRICT, '-c', source, '-o', library
        )
        check('furca compiles with libc++', code == 0, said)

        def program(source, *flags, pools, right=lambda said: True):
            built = scratch / str(abs(hash(source)))
            code, said = run(
                arguments.compiler, *common, *libcxx, *flags, source, library, '-o', built
            )
            if code:
                return [(f'{source.name} compiles', False, said)]
            outcomes = []
            for threads in pools:
                code, said = run(built, FURCA_NUM_THREADS=str(threads))
                name = f'{source.name} with {threads} threads'
                outcomes.append((name, code == 0 and right(said), said))
            built.unlink()
            return outcomes

        before_all = ['-include', 'furca/plugs/libcxx.hpp']
        # libc++ asks for vectors in loops that have none
        strict = [*before_all, *STRICT, '-Wno-pass-failed']
        outcomes = program(TOP / 'tests/plugs/libcxx_test.cpp', *strict, pools=(1, 2, 64))
        outcomes += program(
            TOP / 'examples/plugs/libcxx.cpp', pools=(1, 2), right=lambda said: 'the sum is' in said
        )
        if arguments.suite:
            words = [*before_all, '-w', f'-I{arguments.suite / "support"}']
            words += ['-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_EXTENSIVE']
            tests = [
                test
                for test in sorted(arguments.suite.rglob('pstl*.pass.cpp'))
                if 'libdispatch' not in test.name
            ]
            check(f'there are tests in {arguments.suite}', tests != [])
            with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as running:
                runs = running.map(lambda test: program(test, *words, pools=(1, 2, 8)), tests)
                outcomes += [outcome for each in runs for outcome in each]
        for outcome in outcomes:
            check(*outcome)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
