#!/usr/bin/env python3
"""What it costs to compile with furca, beside oneTBB and std::ranges: compile_time.py [--compiler CXX]... [--rounds N] [--filter TEXT]...

Compiles small programs: each header alone; one loop, one reduction, one recursion; nests of them, one to five deep; programs of many calls; and one call of
each algorithm beside the same of std::ranges (--filter 'call of' for these alone; 'call of none' is the headers). In each round
everything is compiled once, in random order, as `CXX -std=c++20 -O2 -c`. Shown are

- the compiler's processor time: its median and least, and the median ratio to oneTBB's counterpart or to an empty main, with the smallest and the largest of
  all rounds. Processor time, for it suffers least from what else the machine does;
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
        return f'furca::parallel_reduce(0L, n, 0.0, [=](long {index}) {{ return {value}; }}, std::plus<>{{}})'
    return (f'tbb::parallel_reduce(tbb::blocked_range<long>(0, n), 0.0, [=](const tbb::blocked_range<long>& part{index}, double sum) {{ '
            f'for (long {index} = part{index}.begin(); {index} != part{index}.end(); ++{index}) sum += {value}; return sum; }}, std::plus<>{{}})')


def reduction_nest(library, depth):
    value = 'x[' + ' + '.join(f'i{level} * {level + 3}' for level in range(depth)) + ']'
    for level in reversed(range(depth)):
        value = reduction(library, f'i{level}', value)
    return f'double nest(const double* x, long n) {{ return {value}; }}\n'


def join_nest(library, depth, first=0):
    """Two arms, each of which forks two arms."""
    if depth == 0:
        return f'work({first})'
    left, right = join_nest(library, depth - 1, 2 * first), join_nest(library, depth - 1, 2 * first + 1)
    call = 'furca::join' if library == 'furca' else 'tbb::parallel_invoke'
    return f'{call}([] {{ {left}; }}, [] {{ {right}; }})'


def many_calls(library):
    """Loops, reductions and forks by turns, none like another."""
    functions = []
    for k in range(CALLS):
        if k % 3 == 0:
            functions.append(f'void loop{k}(double* x, long n) {{ {library}::parallel_for(0L, n, [=](long i) {{ x[i] = x[i] * {k} + {k + 1}; }}); }}')
        elif k % 3 == 1:
            functions.append(f'double sum{k}(const double* x, long n) {{ return {reduction(library, "i", f"x[i] * x[i] + {k}")}; }}')
        else:
            call = 'furca::join' if library == 'furca' else 'tbb::parallel_invoke'
            functions.append(f'void fork{k}(double* x, long n) {{ {call}([=] {{ x[0] += n + {k}; work({k}); }}, [=] {{ x[1] += n * {k}; work({k + 1}); }}); }}')
    return 'void work(int);\n' + '\n'.join(functions) + '\n'


TBB = '#include <functional>\n#include <tbb/blocked_range.h>\n#include <tbb/parallel_for.h>\n#include <tbb/parallel_invoke.h>\n#include <tbb/parallel_reduce.h>\n'
FURCA = '#include <functional>\n#include <furca/furca.hpp>\n'


def nests():
    found = {}
    for what, make in (('loops', loop_nest), ('reductions', reduction_nest), ('joins', lambda library, depth: f'void work(int);\nvoid nest() {{ {join_nest(library, depth)}; }}\n')):
        for depth in NEST_DEPTHS:
            peer = f'{depth} nested {what}, oneTBB'
            found[peer] = (TBB + make('tbb', depth), EMPTY)
            found[f'{depth} nested {what}, furca'] = (FURCA + make('furca', depth), peer)
    found[f'{CALLS} calls, oneTBB'] = (TBB + many_calls('tbb'), EMPTY)
    found[f'{CALLS} calls, furca'] = (FURCA + many_calls('furca'), f'{CALLS} calls, oneTBB')
    return found


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
    all_of_them |= PROGRAMS | nests() | compile_algorithms.programs()
    if with_tbb:
        return all_of_them
    return {name: (source, None if beside and 'tbb' in beside.lower() else beside)
            for name, (source, beside) in all_of_them.items() if 'tbb' not in name.lower()}


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
json.dump([ended.returncode, ended.stdout, ended.stderr, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024], sys.stdout)
"""
    done = subprocess.run([sys.executable, '-c', measuring, *map(str, command)], capture_output=True, text=True, check=True)
    failed, said, errors, seconds, mebibytes = json.loads(done.stdout)
    if failed:
        sys.exit(f'compile_time.py: {" ".join(map(str, command))} failed:\n{errors}')
    return Ran(said, seconds, mebibytes)


def text_bytes(program):
    """The first figure of the second line that `size` prints; None where there is no such program."""
    return int(run(['size', program]).said.splitlines()[1].split()[0]) if shutil.which('size') else None


def measure(compiler, rounds, wanted, folder):
    flags = [compiler, '-std=c++20', '-O2', f'-I{INCLUDE}']
    probe = Path(folder) / 'probe.cpp'
    probe.write_text(TBB_LOOP)
    with_tbb = subprocess.run([*flags, '-fsyntax-only', probe], capture_output=True, check=False).returncode == 0
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
    print(f'{"":30} {"median":>8} {"least":>8}   {"ratio":>5} {"from - to":>12} {"memory":>8} {"lines":>8} {"code":>7}')
    for name in chosen:
        beside = found[name][1]
        ratio = ''
        if beside:
            ratios = [mine / other for mine, other in zip(times[name], times[beside])]
            ratio = f'{statistics.median(ratios):5.2f} {min(ratios):5.2f} - {max(ratios):.2f}'
        size = '-' if sizes[name] is None else sizes[name]
        print(f'{name:30} {statistics.median(times[name]):6.2f} s {min(times[name]):6.2f} s   {ratio:18} {memory[name]:5.0f} MB {lines[name]:8} {size:>7}' +
              (f'  beside {beside}' if beside else ''), flush=True)
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--compiler', action='append', help='may be given again; g++ and clang++-19, those that are here, if not given')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--filter', action='append', help='only what has this in its name, and what that is compared with; may be given again')
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
