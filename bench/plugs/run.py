#!/usr/bin/env python3
"""Other libraries on their own threads and on furca's: run.py [--rounds 9] [--compiler CXX]
[--clang clang++-19] [--prefix DIR,...] [--only NAME,...]

Builds bench/plugs/NAME.cpp for each library that is there (opencv, eigen, fftw, blosc2, jxl,
halide, pthreadpool, senders: stdexec, libcxx: with --clang; --prefix: where others than Debian's
were installed, or a clone of stdexec), and runs it in turns with the library's own two threads and
with furca's, in processes of their own: eight minutes in all on two processors. OpenCV's own are
oneTBB's where Debian has built it; libc++'s own back end has one thread. By name alone: execution,
a quarter of an hour, std::execution::par of 10^4, 10^6 and 10^7 doubles, on oneTBB and on furca;
containers, oneTBB's and the look-alike's, with two threads in one all the time. A ratio is the own
time divided by furca's in the same round (above 1: furca is faster). Times are the medians of the
rounds, as ratios are, with their quartiles.
The last line names the rows on which furca is slower by more than 5 %. Exit code 1 if a run fails.
"""
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from shared import (  # noqa: E402: it lies beside this directory
    TOP,
    Ratio,
    build,
    heading,
    in_turns,
    options,
    output,
    tabbed,
)

LIBRARIES = {
    'opencv': ('-isystem /usr/include/opencv4', '-lopencv_imgproc -lopencv_core'),
    'eigen': ('-isystem /usr/include/eigen3', ''),
    'fftw': ('', '-lfftw3_threads -lfftw3'),
    'blosc2': ('', '-lblosc2'),
    'jxl': ('', '-ljxl_threads -ljxl'),
    'halide': ('-isystem /usr/include/halide14', '-lHalide14'),
    'pthreadpool': ('', '-lpthreadpool'),
    'senders': ('', ''),
    'libcxx': ('-stdlib=libc++ -fexperimental-library', ''),
    'execution': ('', '-ltbb'),
    'containers': ('', '-ltbb'),
}
# Flags of those that are compiled anew for furca's threads.
ANEW = {
    'libcxx': {'own': '', 'furca': f'-include {TOP}/include/furca/plugs/libcxx.hpp'},
    'execution': {'own': '-DOWN_THREADS', 'furca': f'-include {TOP}/include/furca/execution.hpp'},
    'containers': {'own': '', 'furca': f'-I{TOP}/include/furca/compat'},
}
BY_NAME_ALONE = ('execution', 'containers')


def programs_of(name, chosen, directory):
    """What runs on its own threads, and on furca's; None if the library is absent."""
    flags, links = LIBRARIES[name]
    prefixes = [Path(prefix).resolve() for prefix in chosen.prefix.split(',') if prefix]
    includes = ' '.join(f'-isystem {prefix / "include"}' for prefix in prefixes)
    places = [f'-L{prefix / "lib"}' for prefix in prefixes]
    places += [f'-Wl,-rpath,{prefix / "lib"}' for prefix in prefixes]
    compiler = chosen.clang if name == 'libcxx' else chosen.compiler
    words = f'-O2 {includes} {flags}'
    libraries = [*places, *links.split()]
    try:
        if name in ANEW:
            return {
                threads: build(f'plugs/{name}.cpp', compiler, f'{words} {more}', directory,
                               libraries, name=f'{name}-{threads}')
                for threads, more in ANEW[name].items()
            }  # fmt: skip
        built = build(f'plugs/{name}.cpp', compiler, words, directory, libraries)
        return dict.fromkeys(('own', 'furca'), built)
    except (subprocess.CalledProcessError, FileNotFoundError):
        return print(f'{name}: this library is absent, or too old')


def main():
    names = ','.join(name for name in LIBRARIES if name not in BY_NAME_ALONE)
    chosen = options(__doc__, rounds=9, clang='clang++-19', prefix='', only=names).parse_args()
    names = chosen.only.split(',')
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(2) as building:
        built = building.map(lambda name: programs_of(name, chosen, directory), names)
        programs = {name: each for name, each in zip(names, built) if each}
        heading(chosen.compiler, 2, '2 threads')
        environment = {'HL_NUM_THREADS': '2'}
        found = in_turns(
            [(name, threads) for name in programs for threads in ('own', 'furca')],
            chosen.rounds,
            lambda name, threads: tabbed(
                output(programs[name][threads], threads, threads=2, **environment), 1
            ),
        )
        print(f'{"":>38}{"own, us":>12}{"furca, us":>12}   own / furca')
        slower = []
        for name in programs:
            own, furca = found[name, 'own'], found[name, 'furca']
            for row in own[0]:
                times = [[run[row][0] for run in runs] for runs in (own, furca)]
                middle = [statistics.median(each) for each in times]
                ratio = Ratio.of(*times)
                print(f'{name:>12} {row[0]:>25}{middle[0]:12.1f}{middle[1]:12.1f}   {ratio.text()}')
                slower += [f'{name} {row[0]}'] if ratio.middle < 0.95 else []
        print(f'slower by more than 5 %: {", ".join(slower) or "none"}')


if __name__ == '__main__':
    main()
