#!/usr/bin/env python3
"""Tests of furca::mpi with every MPI that is installed: run.py [--library DIR] [--mpi NAME...]

For each of openmpi and mpich (mpicxx.NAME, mpirun.NAME, as Debian has them; with others mpicxx and
mpirun alone):

1. mpi.hpp compiles without a warning, with all compilers that are there, and wrong calls with one
   sentence that says what to write;
2. one hash for 1 to 4 ranks x 1 to 3 threads, with both MPIs, and parallel_reduce on one machine
   has it too; the same bits also where the compiler contracts to fused multiply-adds;
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
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'support'))
from programs import STRICT, TOP, check, ended, furca, run  # noqa: E402: it lies in another room

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
# Where the processor can, g++ fuses a * b + c there, in each place in its own way.
CONTRACTED = 'tests/mpi/contracted_test.cpp'
PROGRAMS = {
    TEST: ['-O1', *STRICT],
    CONTRACTED: ['-O2', '-march=native', *STRICT],
    **{example: [] for example in EXAMPLES},
}


class Mpi:
    def __init__(self, name, furca_built, scratch):
        suffix = f'.{name}' if shutil.which(f'mpicxx.{name}') else ''
        self.name, self.compiler, self.starter = name, f'mpicxx{suffix}', f'mpirun{suffix}'
        self.furca, self.scratch = furca_built, scratch / name
        self.scratch.mkdir()
        said = run(self.starter, '--version')[1]
        self.is_openmpi = 'Open MPI' in said or 'OpenRTE' in said

    def check(self, name, right, said):
        check(f'{self.name}: {name}', right, said)

    def compile(self, source, flags=()):
        program = self.scratch / source.stem
        words = ['-std=c++20', *flags, f'-I{TOP / "include"}', source, self.furca]
        code, said = run(self.compiler, *words, '-pthread', '-o', program)
        self.check(f'{source.name} compiles', code == 0, said)
        return program if code == 0 else None

    def ranks(self, count, *command, bind='none', **environment):
        if self.is_openmpi:  # --oversubscribe would bind nothing
            binding = ['--bind-to', bind] + (['--oversubscribe'] if bind != 'core' else [])
        else:
            binding = [] if bind == 'none' else ['-bind-to', bind]
        return run(self.starter, *binding, '-n', count, *command, **environment)


def hashes(mpi, program, expected):
    for ranks in (1, 2, 3, 4):
        code, said = mpi.ranks(ranks, program, 'hash')
        right = code == 0 and re.findall(r'hash (\w+)', said) == [expected] * 3
        name = f'{ranks} ranks x 1, 2, 3 threads have one hash'
        mpi.check(name, right, f'{expected} expected\n{said}')


def contracted(mpi, program):
    for ranks in (1, 2, 3, 4):
        code, said = mpi.ranks(ranks, program)
        mpi.check(f'{ranks} ranks have the bits of one where products are fused', code == 0, said)


def threads(mpi, program):
    """Each rank's fair_threads."""
    processors = sorted(os.sched_getaffinity(0))
    count = int(run(program, 'num_threads', FURCA_NUM_THREADS='')[1].split()[1])
    if count != len(processors):
        print(
            f'{mpi.name}: fair_threads not looked at, since a quota gives {count} of '
            f'{len(processors)} processors'
        )
        return
    _, said = mpi.ranks(2, 'nproc', bind='core', OMP_NUM_THREADS='', OMP_THREAD_LIMIT='')
    # 2 each where a core is two processors
    of_core = [int(n) for n in re.findall(r'^\d+$', said, re.MULTILINE)] or [0, 0]
    first = str(processors[0])

    def expect(name, right, ranks, *command, bind='none', FURCA_NUM_THREADS=''):
        settings = {'bind': bind, 'FURCA_NUM_THREADS': FURCA_NUM_THREADS}
        code, said = mpi.ranks(ranks, *command, program, 'threads', **settings)
        found = sorted(int(n) for n in re.findall(r'threads (\d+)', said))
        right = sorted(right)
        mpi.check(
            f'fair_threads, {name}', code == 0 and found == right, f'{right} expected\n{said}'
        )

    expect('one rank has all', [count], 1)
    expect('one rank on one core', of_core[:1], 1, bind='core')
    shared = [max(1, count // 3 + (k < count % 3)) for k in range(3)]
    expect('three unbound ranks divide it', shared, 3)
    masked = ['taskset', '-c', first]
    if count > 1:
        expect('bound to cores', of_core, 2, bind='core')
        one = [*masked, program, 'threads', ':', '-n', 1]
        expect('one with a mask of its own', [1, count], 1, *one)
    expect('a mask for both', [1, 1], 2, *masked)
    name = 'as the environment says'
    expect(f'{name}, with a zero before it', [5, 5], 2, FURCA_NUM_THREADS='05')
    expect(name, [5, 5], 2, FURCA_NUM_THREADS='5')


def behaviour(mpi, program):
    for ranks in (1, 2, 3):
        code, said = mpi.ranks(ranks, program, 'checks', FURCA_NUM_THREADS='3')
        right = code == 0 and 'all as expected' in said
        mpi.check(f'exceptions, misuse and messages on {ranks} ranks', right, said)
    words = "furca: rank 1 has ended the program: it was rank 1's turn"
    for _ in range(3):  # mpirun may end before it has passed on what a rank has written
        code, said = mpi.ranks(3, program, 'throw')
        if code in (0, 124) or words in said:
            break
    right = code not in (0, 124) and words in said
    mpi.check('a rank that throws ends the program', right, f'exit code {code}\n{said}')


def no_warnings(mpi):
    source = mpi.scratch / 'calls.cpp'
    source.write_text(CALLS)
    words = ['-std=c++20', *STRICT, *STRICTER, f'-I{TOP / "include"}', '-c', '-fsyntax-only']
    for compiler in filter(shutil.which, ('g++', 'clang++-14', 'clang++-19')):
        code, said = run(mpi.compiler, *words, source, OMPI_CXX=compiler, MPICH_CXX=compiler)
        mpi.check(f'mpi.hpp makes no warnings with {compiler}', code == 0, said)


def wrong_calls(mpi):
    for number, (arguments, sentence) in enumerate(WRONG.items()):
        source = mpi.scratch / f'wrong{number}.cpp'
        source.write_text(
            '#include <furca/mpi.hpp>\n#include <array>\n#include <string>\n'
            'using Pair = std::pair<double, int>;\nusing Large = std::array<double, 200>;\n'
            f'auto wrong() {{ return furca::mpi::reduce({arguments}); }}\n'
        )
        words = ['-std=c++20', f'-I{TOP / "include"}', '-c', '-fsyntax-only']
        _, said = run(mpi.compiler, *words, source)
        errors = [line for line in said.splitlines() if 'error:' in line]
        right = bool(errors) and sentence in errors[0]
        mpi.check(sentence, right, '\n'.join([arguments, *errors[:3]]))


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
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(
        len(os.sched_getaffinity(0))
    ) as compiling:
        scratch = Path(directory)
        library = arguments.library
        built = library / 'libfurca.a' if library else furca('g++', scratch, '-O2')
        mpis = [Mpi(name, built, scratch) for name in names]
        programs = {
            (mpi, source): compiling.submit(mpi.compile, TOP / source, flags)
            for mpi in mpis
            for source, flags in PROGRAMS.items()
        }
        # sentences have nothing to do with the MPI
        looked_at = [compiling.submit(no_warnings, mpi) for mpi in mpis]
        looked_at += [compiling.submit(wrong_calls, mpis[0])]
        for each in [*programs.values(), *looked_at]:
            each.result()  # nothing is compiled while ranks run
        expected = None
        for mpi in mpis:
            program = programs[mpi, TEST].result()
            if program:
                if expected is None:
                    code, said = run(program, 'parallel_reduce')
                    expected = (re.findall(r'hash (\w+)', said) or ['none'])[0]
                    right = code == 0 and expected != 'none'
                    check('parallel_reduce on one machine', right, said)
                hashes(mpi, program, expected)
                behaviour(mpi, program)
                threads(mpi, program)
            program = programs[mpi, CONTRACTED].result()
            if program:
                contracted(mpi, program)
            for example, words in EXAMPLES.items():
                program = programs[mpi, example].result()
                for ranks in (1, 3) if program else ():
                    code, said = mpi.ranks(ranks, program, *words, FURCA_NUM_THREADS='2')
                    right = code == 0 and f'on {ranks} ranks of 2 threads' in said
                    mpi.check(f'{example} on {ranks} ranks', right, f'exit code {code}\n{said}')
    return ended(', '.join(names))


if __name__ == '__main__':
    sys.exit(main())
