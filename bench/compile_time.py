#!/usr/bin/env python3
"""What it costs to compile with furca, beside oneTBB: compile_time.py [--compiler CXX]... [--rounds N] [--filter TEXT]

In each round everything is compiled once, in random order, as `CXX -std=c++20 -O2 -c`. Shown are the compiler's processor time (its
median and least, and the median ratio to oneTBB's counterpart or to an empty main, with the smallest and the largest of all rounds),
lines after the preprocessor, and bytes of code. Processor time, for it suffers least from what else the machine does.
"""
import argparse
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

INCLUDE = Path(__file__).resolve().parent.parent / 'include'
TBB_LOOP = '#include <tbb/parallel_for.h>\n'
EMPTY = 'empty main'

LOOP = 'void scale(double* x, long n) {{ {0}(0L, n, [=](long i) {{ x[i] *= 2; }}); }}\n'
FIB = '''long fib(long n) {{
  if (n < 2) return n;
  {0}
  return a + b;
}}
'''
# name: (source, what it is compared with)
PROGRAMS = {
    'loop, oneTBB': (TBB_LOOP + LOOP.format('tbb::parallel_for'), EMPTY),
    'loop, furca': ('#include <furca/parallel_for.hpp>\n' + LOOP.format('furca::parallel_for'), 'loop, oneTBB'),
    'reduction, oneTBB': ('''#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <functional>
double sum(const double* x, long n) {
  return tbb::parallel_reduce(tbb::blocked_range<long>(0, n), 0.0, [=](const tbb::blocked_range<long>& part, double sum) {
    for (long i = part.begin(); i != part.end(); ++i) sum += x[i];
    return sum;
  }, std::plus<>{});
}
''', EMPTY),
    'reduction, furca': ('''#include <furca/parallel_reduce.hpp>
#include <functional>
double sum(const double* x, long n) {
  return furca::parallel_reduce(0L, n, 0.0, [=](long i) { return x[i]; }, std::plus<>{});
}
''', 'reduction, oneTBB'),
    'fib, oneTBB': ('#include <tbb/parallel_invoke.h>\n' + FIB.format(
        'long a, b;\n  tbb::parallel_invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });'), EMPTY),
    'fib, furca': ('#include <furca/join.hpp>\n' + FIB.format(
        'auto [a, b] = furca::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });'), 'fib, oneTBB'),
}


def sources(with_tbb):
    """{name: (source, name of what it is compared with)}; nothing to compare with where there is no oneTBB."""
    all_of_them = {EMPTY: ('int main() {}\n', None)}
    include = '#include <{}>\nint main() {{}}\n'
    for header in ('tbb/tbb.h', 'tbb/parallel_for.h'):
        all_of_them[f'<{header}>'] = (include.format(header), EMPTY)
    for header in ['furca.hpp'] + sorted(path.name for path in (INCLUDE / 'furca').glob('*.hpp') if path.name != 'furca.hpp'):
        beside = '<tbb/tbb.h>' if header == 'furca.hpp' else '<tbb/parallel_for.h>' if header == 'parallel_for.hpp' else EMPTY
        all_of_them[f'<furca/{header}>'] = (include.format(f'furca/{header}'), beside)
    all_of_them |= PROGRAMS
    if with_tbb:
        return all_of_them
    return {name: (source, None if beside and 'tbb' in beside.lower() else beside)
            for name, (source, beside) in all_of_them.items() if 'tbb' not in name.lower()}


def run(command):
    """What it prints, and the processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode != 0:
        sys.exit(f'compile_time.py: {" ".join(map(str, command))} failed:\n{ended.stderr}')
    return ended.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def text_bytes(program):
    """The first figure of the second line that `size` prints; None where there is no such program."""
    return int(run(['size', program])[0].splitlines()[1].split()[0]) if shutil.which('size') else None


def measure(compiler, rounds, wanted, folder):
    flags = [compiler, '-std=c++20', '-O2', f'-I{INCLUDE}']
    probe = Path(folder) / 'probe.cpp'
    probe.write_text(TBB_LOOP)
    with_tbb = subprocess.run([*flags, '-fsyntax-only', probe], capture_output=True, check=False).returncode == 0
    found = sources(with_tbb)
    names = {name for name in found if wanted in name}
    names |= {EMPTY} | {found[name][1] for name in names if found[name][1]}
    chosen = [name for name in found if name in names]
    times, lines, sizes = {name: [] for name in chosen}, {}, {}
    files = {name: Path(folder) / f'{number}.cpp' for number, name in enumerate(chosen)}
    for name in chosen:
        files[name].write_text(found[name][0])
        lines[name] = run([*flags, '-E', '-P', files[name]])[0].count('\n')
    for _ in range(rounds):
        for name in random.sample(chosen, len(chosen)):
            result = files[name].with_suffix('.o')
            times[name].append(run([*flags, '-c', files[name], '-o', result])[1])
            sizes[name] = text_bytes(result)
    version = run([compiler, '--version'])[0].splitlines()[0]
    print(f'{version}, -O2, rounds: {rounds}' + ('' if with_tbb else '; no oneTBB here'))
    print(f'{"":30} {"median":>8} {"least":>8}   {"ratio":>5} {"from - to":>12} {"lines":>8} {"code":>7}')
    for name in chosen:
        beside = found[name][1]
        ratio = ''
        if beside:
            ratios = [mine / other for mine, other in zip(times[name], times[beside])]
            ratio = f'{statistics.median(ratios):5.2f} {min(ratios):5.2f} - {max(ratios):.2f}'
        size = '-' if sizes[name] is None else sizes[name]
        print(f'{name:30} {statistics.median(times[name]):6.2f} s {min(times[name]):6.2f} s   {ratio:18} {lines[name]:8} {size:>7}' +
              (f'  beside {beside}' if beside else ''), flush=True)
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--compiler', action='append', help='may be given again; g++ and clang++-19, those that are here, if not given')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--filter', default='', help='only what has this in its name, and what that is compared with')
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f'--rounds wants a number from 1 on, not {options.rounds}')
    compilers = options.compiler or [name for name in ('g++', 'clang++-19') if shutil.which(name)]
    for compiler in compilers:
        if not shutil.which(compiler):
            parser.error(f'no such compiler: {compiler}')
    if not compilers:
        parser.error('neither g++ nor clang++-19 is here; name one with --compiler')
    os.environ['LC_ALL'] = 'C'
    for compiler in compilers:
        with tempfile.TemporaryDirectory() as folder:
            measure(compiler, options.rounds, options.filter, folder)


if __name__ == '__main__':
    main()
