#!/usr/bin/env python3
"""Tests of furca::mpi with every MPI that is installed: run.py [--library DIR] [--mpi NAME...]

For each of openmpi and mpich (mpicxx.NAME, mpirun.NAME, as Debian has them; with others mpicxx and
mpirun alone):

1. mpi.hpp compiles without a warning, with all compilers that are there, and wrong calls with one
   sentence that says what to write;
2. one hash for 1 to 4 ranks x 1 to 3 threads, with both MPIs, and parallel_reduce on one machine
   has it too;
3. exceptions, wrong arguments, messages of the program's own; a rank that throws ends the program
   with its words;
4. fair_threads under --bind-to core, none, and a mask of taskset's;
5. the examples: each compares several ranks with one, bit by bit.

--library: a directory with libfurca.a that was built already. Ends with "N passed, N failed"; exit
code 77 if there is no MPI.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
STRICT = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Werror']
# MPI's own macros, in a user's code, do not pass
STRICTER = [
    '-Wold-style-cast',
    '-Wcast-function-type',
    '-Wzero-as-null-pointer-constant',
    '-Wnon-virtual-dtor',
]
CALLS = '''#include <furca/mpi.hpp>
double sum(const double* x, std::uint64_t n) {
  return furca::mpi::reduce(n, 0.0, [=](std::uint64_t i) { return x[i]; }, std::plus<>{});
}
std::uint64_t first(std::uint64_t n) { return furca::mpi::share(n).first; }
std::size_t threads() { return furca::mpi::fair_threads(); }
int main(int argc, char** argv) { return furca::mpi::run(argc, argv, [] { return 0; }); }
'''
BYTES = 'furca: accumulators go to other ranks as bytes'
WRITE = 'furca: write furca::mpi::reduce(n, 0.0,'
WRONG = {  # arguments of furca::mpi::reduce: what the first error says
    '9, std::string(), [](std::uint64_t) { return std::string(); }, std::plus<>{}': BYTES,
    '9, Pair(), [](std::uint64_t) { return Pair(); }, [](auto a, auto) { return a; }': BYTES,
    '9, Large(), [](std::uint64_t) { return Large(); }, [](auto a, auto) { return a; }': (
        'furca: accumulators that go to other ranks have up to 1,024 bytes'
    ),
    '9, 0, [](std::uint64_t) { return 0.5; }, std::plus<>{}': (
        'furca: a sum has the type of the value to begin with'
    ),
    '9, 0.0, [] { return 0.5; }, std::plus<>{}': WRITE,
    '9, 0.0, [](std::uint64_t) { return 0.5; }, [](double a) { return a; }': WRITE,
}
EXAMPLES = {
    'examples/mpi/mpi_heat.cpp': ['--size', '90', '--steps', '40'],
    'examples/mpi/mpi_primes.cpp': ['100000'],
    'examples/mpi/mpi_sort.cpp': ['30000'],
}
TEST = 'tests/mpi/ranks_test.cpp'
PROGRAMS = {TEST: ['-O1', *STRICT], **{example: [] for example in EXAMPLES}}
passed = failed = 0


def check(name, right, said=''):
    global passed, failed
    if right:
        passed += 1
    else:
        failed += 1
        print(f'FAILED: {name}\n{said}'.rstrip(), flush=True)


def run(command, **environment):
    """(exit code, stdout, stderr); 124 if it takes a minute."""
    settings = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', **environment}
    try:
        done = subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, **settings},
        )
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as expired:
        return 124, str(expired.stdout), str(expired.stderr) + '\nit took more than a minute'


class Mpi:
    def __init__(self, name, library, scratch):
        suffix = f'.{name}' if shutil.which(f'mpicxx.{name}') else ''
        self.name, self.compiler, self.starter = name, f'mpicxx{suffix}', f'mpirun{suffix}'
        self.library, self.scratch = library, scratch / name
        self.scratch.mkdir()
        self.is_openmpi = (
            'Open MPI' in run([self.starter, '--version'])[1]
            or 'OpenRTE' in run([self.starter, '--version'])[1]
        )

    def compile(self, source, flags=()):
        program = self.scratch / source.stem
        code, _, said = run(
            [
                self.compiler,
                '-std=c++20',
                *flags,
                f'-I{TOP / "include"}',
                source,
                self.library / 'libfurca.a',
                '-pthread',
                '-o',
                program,
            ]
        )
        check(f'{self.name}: {source.name} compiles', code == 0, said)
        return program if code == 0 else None

    def ranks(self, count, *command, bind='none', **environment):
        binding = (
            ['--oversubscribe', '--bind-to', bind]
            if self.is_openmpi
            else []
            if bind == 'none'
            else ['-bind-to', bind]
        )
        if self.is_openmpi and bind == 'core':
            binding.remove('--oversubscribe')  # which would bind nothing
        return run([self.starter, *binding, '-n', count, *command], **environment)


def hashes(mpi, program, expected):
    for ranks in (1, 2, 3, 4):
        code, out, err = mpi.ranks(ranks, program, 'hash')
        found = re.findall(r'hash (\w+)', out)
        check(
            f'{mpi.name}: {ranks} ranks x 1, 2, 3 threads have one hash',
            code == 0 and found == [expected] * 3,
            f'{expected} expected\n{out}{err}',
        )


def threads(mpi, program):
    """Each rank's fair_threads."""
    processors = sorted(os.sched_getaffinity(0))
    count = int(run([program, 'num_threads'], FURCA_NUM_THREADS='')[1].split()[1])
    if count != len(processors):
        print(
            f'{mpi.name}: fair_threads not looked at, since a quota gives {count} of '
            f'{len(processors)} processors'
        )
        return
    code, out, err = mpi.ranks(2, 'nproc', bind='core', OMP_NUM_THREADS='', OMP_THREAD_LIMIT='')
    of_core = [int(n) for n in out.split()] or [0, 0]  # 2 each where a core is two processors
    first = str(processors[0])

    def expect(name, outcome, right):
        code, out, err = outcome
        found = sorted(int(n) for n in re.findall(r'threads (\d+)', out))
        check(
            f'{mpi.name}: fair_threads, {name}',
            code == 0 and found == right,
            f'{right} expected\n{out}{err}',
        )

    unset = {'FURCA_NUM_THREADS': ''}
    expect('one rank has all', mpi.ranks(1, program, 'threads', **unset), [count])
    expect(
        'one rank on one core', mpi.ranks(1, program, 'threads', bind='core', **unset), of_core[:1]
    )
    shared = sorted(max(1, count // 3 + (k < count % 3)) for k in range(3))
    expect('three unbound ranks divide it', mpi.ranks(3, program, 'threads', **unset), shared)
    if count > 1:
        expect(
            'bound to cores',
            mpi.ranks(2, program, 'threads', bind='core', **unset),
            sorted(of_core),
        )
        expect(
            'one with a mask of its own',
            mpi.ranks(
                1,
                'taskset',
                '-c',
                first,
                program,
                'threads',
                ':',
                '-n',
                1,
                program,
                'threads',
                **unset,
            ),
            [1, count],
        )
    expect(
        'a mask for both', mpi.ranks(2, 'taskset', '-c', first, program, 'threads', **unset), [1, 1]
    )
    expect(
        'as the environment says, with a zero before it',
        mpi.ranks(2, program, 'threads', FURCA_NUM_THREADS='05'),
        [5, 5],
    )
    expect(
        'as the environment says', mpi.ranks(2, program, 'threads', FURCA_NUM_THREADS='5'), [5, 5]
    )


def behaviour(mpi, program):
    for ranks in (1, 2, 3):
        code, out, err = mpi.ranks(ranks, program, 'checks', FURCA_NUM_THREADS='3')
        check(
            f'{mpi.name}: exceptions, misuse and messages on {ranks} ranks',
            code == 0 and 'all as expected' in out,
            out + err,
        )
    for _ in range(3):  # mpirun may end before it has passed on what a rank has written
        code, out, err = mpi.ranks(3, program, 'throw')
        if code in (0, 124) or 'rank 1 has ended the program' in err:
            break
    check(
        f'{mpi.name}: a rank that throws ends the program',
        code not in (0, 124) and "furca: rank 1 has ended the program: it was rank 1's turn" in err,
        f'exit code {code}\n{out}{err}',
    )


def no_warnings(mpi):
    source = mpi.scratch / 'calls.cpp'
    source.write_text(CALLS)
    for compiler in ('g++', 'clang++-14', 'clang++-19'):
        if shutil.which(compiler):
            code, _, said = run(
                [
                    mpi.compiler,
                    '-std=c++20',
                    *STRICT,
                    *STRICTER,
                    f'-I{TOP / "include"}',
                    '-c',
                    '-fsyntax-only',
                    source,
                ],
                OMPI_CXX=compiler,
                MPICH_CXX=compiler,
            )
            check(f'{mpi.name}: mpi.hpp makes no warnings with {compiler}', code == 0, said)


def wrong_calls(mpi):
    for number, (arguments, sentence) in enumerate(WRONG.items()):
        source = mpi.scratch / f'wrong{number}.cpp'
        source.write_text(
            '#include <furca/mpi.hpp>\n#include <array>\n#include <string>\n'
            'using Pair = std::pair<double, int>;\nusing Large = std::array<double, 200>;\n'
            f'auto wrong() {{ return furca::mpi::reduce({arguments}); }}\n'
        )
        _, _, said = run(
            [mpi.compiler, '-std=c++20', f'-I{TOP / "include"}', '-c', '-fsyntax-only', source]
        )
        errors = [line for line in said.splitlines() if 'error:' in line]
        check(
            f'{mpi.name}: {sentence}',
            bool(errors) and sentence in errors[0],
            f'{arguments}\n' + '\n'.join(errors[:3]),
        )


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
    arguments.add_argument('--library', type=Path)
    arguments.add_argument('--mpi', nargs='+')
    arguments = arguments.parse_args()
    names = (
        arguments.mpi
        or [name for name in ('openmpi', 'mpich') if shutil.which(f'mpicxx.{name}')]
        or (['mpi'] if shutil.which('mpicxx') else [])
    )
    if not names:
        print('no MPI is installed: neither mpicxx.openmpi, mpicxx.mpich nor mpicxx')
        return 77
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(
        len(os.sched_getaffinity(0))
    ) as compiling:
        scratch = Path(directory)
        built = arguments.library or library(scratch)
        mpis = [Mpi(name, built, scratch) for name in names]
        programs = {
            (mpi, source): compiling.submit(mpi.compile, TOP / source, flags)
            for mpi in mpis
            for source, flags in PROGRAMS.items()
        }
        # sentences have nothing to do with the MPI
        looked_at = [compiling.submit(no_warnings, mpi) for mpi in mpis] + [
            compiling.submit(wrong_calls, mpis[0])
        ]
        for each in [*programs.values(), *looked_at]:
            each.result()  # nothing is compiled while ranks run
        expected = None
        for mpi in mpis:
            program = programs[mpi, TEST].result()
            if program:
                if expected is None:
                    code, out, err = run([program, 'parallel_reduce'])
                    expected = (re.findall(r'hash (\w+)', out) or ['none'])[0]
                    check(
                        'parallel_reduce on one machine',
                        code == 0 and expected != 'none',
                        out + err,
                    )
                hashes(mpi, program, expected)
                behaviour(mpi, program)
                threads(mpi, program)
            for example, words in EXAMPLES.items():
                program = programs[mpi, example].result()
                for ranks in (1, 3) if program else ():
                    code, out, err = mpi.ranks(ranks, program, *words, FURCA_NUM_THREADS='2')
                    check(
                        f'{mpi.name}: {example} on {ranks} ranks',
                        code == 0 and f'on {ranks} ranks of 2 threads' in out,
                        f'exit code {code}\n{out}{err}',
                    )
    print(f'{", ".join(names)}: {passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
