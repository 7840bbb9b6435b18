#!/usr/bin/env python3
"""What it costs to compile with furca, beside oneTBB and std::ranges: compile_time.py [--compiler
CXX]... [--rounds N] [--filter TEXT]...

Compiles small programs: each header alone; one loop, one reduction, one recursion; nests of loops,
one to five deep; a program of many calls; and one call of each algorithm beside the same of
std::ranges (--filter 'call of' for these alone; 'call of none' is the headers). In each round
everything is compiled once, in random order, as `CXX -std=c++20 -O2 -c`. Shown are

- the compiler's processor time: its median and least, and the median ratio to oneTBB's counterpart
  or to an empty main, with the smallest and the largest of all rounds. Processor time, for it
  suffers least from what else the machine does;
- the most memory that the compiler had;
- lines after the preprocessor;
- bytes of code, as `size` counts them: with read-only data and tables for exceptions.
"""
import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True
import compile_algorithms  # noqa: E402
from shared import TOP  # noqa: E402

INCLUDE = TOP / 'include'
TBB_LOOP = '#include <tbb/parallel_for.h>\n'
EMPTY = 'empty main'

LOOP = 'void scale(double* x, long n) {{ {0}(0L, n, [=](long i) {{ x[i] *= 2; }}); }}\n'
FIB = '''long fib(long n) {{
  if (n < 2) return n;
  {0}
  return a + b;
}}
'''
NEST_DEPTHS = range(1, 6)
CALLS = 50


def loop_nest(library, depth):
    """A loop in a loop in a loop: what is nested is instantiated in what is around it."""
    open_loops, indices = '', []
    for level in range(depth):
        index = f'i{level}'
        indices.append(f'{index} * {level + 3}')
        open_loops += '  ' * (level + 1) + f'{library}::parallel_for(0L, n, [=](long {index}) {{\n'
    body = '  ' * (depth + 1) + f'x[{" + ".join(indices)}] *= 2;\n'
    close = ''.join('  ' * (level + 1) + '});\n' for level in reversed(range(depth)))
    return f'void nest(double* x, long n) {{\n{open_loops}{body}{close}}}\n'


def reduction(library, index, value):
    """The sum over `index` of what `value` says, as an expression."""
    if library == 'furca':
        return (
            f'furca::parallel_reduce(0L, n, 0.0, [=](long {index}) {{ return {value}; }}, '
            'std::plus<>{})'
        )
    part = f'part{index}'
    return (
        'tbb::parallel_reduce(tbb::blocked_range<long>(0, n), 0.0, '
        f'[=](const tbb::blocked_range<long>& {part}, double sum) {{ '
        f'for (long {index} = {part}.begin(); {index} != {part}.end(); ++{index}) '
        f'sum += {value}; return sum; }}, std::plus<>{{}})'
    )


def many_calls(library):
    """Loops, reductions and forks by turns, none like another."""
    functions = []
    for k in range(CALLS):
        if k % 3 == 0:
            functions.append(
                f'void loop{k}(double* x, long n) {{ {library}::parallel_for(0L, n, '
                f'[=](long i) {{ x[i] = x[i] * {k} + {k + 1}; }}); }}'
            )
        elif k % 3 == 1:
            call = reduction(library, 'i', f'x[i] * x[i] + {k}')
            functions.append(f'double sum{k}(const double* x, long n) {{ return {call}; }}')
        else:
            call = 'furca::join' if library == 'furca' else 'tbb::parallel_invoke'
            arms = (
                f'[=] {{ x[0] += n + {k}; work({k}); }}, '
                f'[=] {{ x[1] += n * {k}; work({k + 1}); }}'
            )
            functions.append(f'void fork{k}(double* x, long n) {{ {call}({arms}); }}')
    return 'void work(int);\n' + '\n'.join(functions) + '\n'


TBB = '''#include <functional>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
'''
FURCA = '#include <functional>\n#include <furca/furca.hpp>\n'


def nests_and_calls():
    found = {}
    for depth in NEST_DEPTHS:
        peer = f'{depth} nested loops, oneTBB'
        found[peer] = (TBB + loop_nest('tbb', depth), EMPTY)
        found[f'{depth} nested loops, furca'] = (FURCA + loop_nest('furca', depth), peer)
    found[f'{CALLS} calls, oneTBB'] = (TBB + many_calls('tbb'), EMPTY)
    found[f'{CALLS} calls, furca'] = (FURCA + many_calls('furca'), f'{CALLS} calls, oneTBB')
    return found


# name: (source, what it is compared with)
PROGRAMS = {
    'loop, oneTBB': (TBB_LOOP + LOOP.format('tbb::parallel_for'), EMPTY),
    'loop, furca': (
        '#include <furca/parallel_for.hpp>\n' + LOOP.format('furca::parallel_for'),
        'loop, oneTBB',
    ),
    'reduction, oneTBB': (
        '''#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <functional>
double sum(const double* x, long n) {
  return tbb::parallel_reduce(tbb::blocked_range<long>(0, n), 0.0,
                              [=](const tbb::blocked_range<long>& part, double sum) {
    for (long i = part.begin(); i != part.end(); ++i) sum += x[i];
    return sum;
  }, std::plus<>{});
}
''',
        EMPTY,
    ),
    'reduction, furca': (
        '''#include <furca/parallel_reduce.hpp>
#include <functional>
double sum(const double* x, long n) {
  return furca::parallel_reduce(0L, n, 0.0, [=](long i) { return x[i]; }, std::plus<>{});
}
''',
        'reduction, oneTBB',
    ),
    'fib, oneTBB': (
        '#include <tbb/parallel_invoke.h>\n'
        + FIB.format(
            'long a, b;\n'
            '  tbb::parallel_invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });'
        ),
        EMPTY,
    ),
    'fib, furca': (
        '#include <furca/join.hpp>\n'
        + FIB.format(
            'auto [a, b] = furca::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });'
        ),
        'fib, oneTBB',
    ),
}


def sources(with_tbb):
    """{name: (source, name of what it is compared with)}; without oneTBB nothing of it."""
    all_of_them = {EMPTY: ('int main() {}\n', None)}
    include = '#include <{}>\nint main() {{}}\n'
    for header in ('tbb/tbb.h', 'tbb/parallel_for.h'):
        all_of_them[f'<{header}>'] = (include.format(header), EMPTY)
    beside = {'furca.hpp': '<tbb/tbb.h>', 'parallel_for.hpp': '<tbb/parallel_for.h>'}
    headers = sorted(path.name for path in (INCLUDE / 'furca').glob('*.hpp'))
    for header in sorted(headers, key='furca.hpp'.__ne__):
        source = include.format(f'furca/{header}')
        all_of_them[f'<furca/{header}>'] = (source, beside.get(header, EMPTY))
    all_of_them |= PROGRAMS | nests_and_calls() | compile_algorithms.programs()
    if with_tbb:
        return all_of_them
    return {
        name: (source, None if beside and 'tbb' in beside.lower() else beside)
        for name, (source, beside) in all_of_them.items()
        if 'tbb' not in name.lower()
    }


class Ran(NamedTuple):
    said: str
    seconds: float  # of processor time
    mebibytes: float  # the most that it had, or one of the programs that it started


def run(command):
    """In a process of its own, which measures that command alone."""
    measuring = """
import json, resource, subprocess, sys
ended = subprocess.run(sys.argv[1:], capture_output=True, text=True, check=False)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = used.ru_utime + used.ru_stime
ended = [ended.returncode, ended.stdout, ended.stderr]
json.dump([*ended, seconds, used.ru_maxrss / 1024], sys.stdout)
"""
    words = [sys.executable, '-c', measuring, *map(str, command)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    failed, said, errors, seconds, mebibytes = json.loads(done.stdout)
    if failed:
        sys.exit(f'compile_time.py: {" ".join(map(str, command))} failed:\n{errors}')
    return Ran(said, seconds, mebibytes)


def text_bytes(program):
    """The first figure of the second line that `size` prints; '-' where it is not here."""
    return run(['size', program]).said.splitlines()[1].split()[0] if shutil.which('size') else '-'


def measure(compiler, rounds, wanted, folder):
    flags = [compiler, '-std=c++20', '-O2', f'-I{INCLUDE}']
    probe = Path(folder) / 'probe.cpp'
    probe.write_text(TBB_LOOP)
    tried = subprocess.run([*flags, '-fsyntax-only', probe], capture_output=True, check=False)
    with_tbb = tried.returncode == 0
    found = sources(with_tbb)
    names = {name for name in found if any(text in name for text in wanted)}
    names |= {EMPTY} | {found[name][1] for name in names if found[name][1]}
    chosen = [name for name in found if name in names]
    times, memory, lines, sizes = {name: [] for name in chosen}, {}, {}, {}
    files = {name: Path(folder) / f'{number}.cpp' for number, name in enumerate(chosen)}
    for name in chosen:
        files[name].write_text(found[name][0])
        lines[name] = run([*flags, '-E', '-P', files[name]]).said.count('\n')
    for _ in range(rounds):
        for name in random.sample(chosen, len(chosen)):
            result = files[name].with_suffix('.o')
            ran = run([*flags, '-c', files[name], '-o', result])
            times[name].append(ran.seconds)
            memory[name] = max(memory.get(name, 0), ran.mebibytes)
            sizes[name] = text_bytes(result)
    version = run([compiler, '--version']).said.splitlines()[0]
    print(f'{version}, -O2, rounds: {rounds}' + ('' if with_tbb else '; no oneTBB here'))
    print(
        f'{"":30} {"median":>8} {"least":>8}   {"ratio":>5} {"from - to":>12} {"memory":>8} '
        f'{"lines":>8} {"code":>7}'
    )
    for name in chosen:
        ratio, other = '', found[name][1]
        if other:
            ratios = [mine / theirs for mine, theirs in zip(times[name], times[other])]
            ratio = f'{statistics.median(ratios):5.2f} {min(ratios):5.2f} - {max(ratios):.2f}'
        time = f'{statistics.median(times[name]):6.2f} s {min(times[name]):6.2f} s   {ratio:18}'
        rest = f'{memory[name]:5.0f} MB {lines[name]:8} {sizes[name]:>7}'
        beside = f'  beside {other}' if other else ''
        print(f'{name:30} {time} {rest}{beside}', flush=True)
    print()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        '--compiler',
        action='append',
        help='may be given again; g++ and ' 'clang++-19, those that are here, if not given',
    )
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument(
        '--filter',
        action='append',
        help='only what has this in its name, and '
        'what that is compared with; may be given again',
    )
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
            measure(compiler, options.rounds, options.filter or [''], folder)


if __name__ == '__main__':
    main()
