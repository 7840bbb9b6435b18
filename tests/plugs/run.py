#!/usr/bin/env python3
"""Tests of the plugs with the libraries that are installed: run.py [NAME...] [--library DIR]
[--flags FLAG...] [--prefix DIR...]

For each of opencv, eigen, fftw, blosc2, jxl, halide, pthreadpool and onednn (or those that are
named):

1. the header compiles alone, twice, without a warning, with all compilers that are there; those
   that need no library on any machine;
2. its test: results, exceptions, thread numbers, nested both ways, pools of 1 to 64 threads, never
   more threads than the pool's;
3. its example;
4. OpenCV's plugin: a program that knows nothing of furca takes it by the environment; loaded and
   unloaded fifty times.

--library: a directory with libfurca.a that was built already. --flags: further flags of the
compiler, as --flags=-fsanitize=address. --prefix: where other libraries were installed, as a
pthreadpool of 2025 or c-blosc2, which Debian 12 has not. What is absent is named. Ends with
"N passed, N failed"; exit code 77 if no library is there.
"""
import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
STRICT = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Werror']
COMPILERS = ('g++', 'clang++-14', 'clang++-19')

# Of each: the header of the plug, what compiles where the library is there, its directory in
# /usr/include, its libraries, and what the example prints.
LIBRARIES = {
    'opencv': {
        'header': 'opencv',
        'asks': '#include <opencv2/core/parallel/parallel_backend.hpp>',
        'include': 'opencv4',
        'libraries': ['-lopencv_core'],
        'prints': 'e is 2.71828, by 3 threads',
    },
    'eigen': {
        'header': 'eigen',
        'asks': '#include <unsupported/Eigen/CXX11/ThreadPool>',
        'include': 'eigen3',
        'libraries': [],
        'prints': '300 x 2 x 2 is 1200',
    },
    'fftw': {
        'header': 'callbacks',
        'asks': '#include <fftw3.h>\nauto* const f = &fftw_threads_set_callback;',
        'libraries': ['-lfftw3_threads', '-lfftw3'],
        'prints': 'the sum is 262144',
    },
    'blosc2': {
        'header': 'callbacks',
        'asks': '#include <blosc2.h>',
        'libraries': ['-lblosc2'],
        'prints': '4000000 bytes are',
    },
    'jxl': {
        'header': 'callbacks',
        'asks': '#include <jxl/decode.h>',
        'libraries': ['-ljxl'],
        'prints': '600 x 600, first 0 0 0',  # of a picture that the test has written
    },
    'halide': {
        'header': 'callbacks',
        'asks': '#include <Halide.h>',
        'include': 'halide14',
        'libraries': ['-lHalide14'],
        'prints': '9 * 9 + 4 is 85',
    },
    'pthreadpool': {
        'header': 'pthreadpool',
        'asks': '#include <pthreadpool.h>\npthreadpool_executor e{};',
        'libraries': ['-lpthreadpool'],
        'prints': '31 * 31 is 961',
    },
    'onednn': {
        'header': 'onednn',
        'asks': '#include <cstdint>\n#include <oneapi/dnnl/dnnl_threadpool_iface.hpp>',
        'libraries': ['-ldnnl'],
        'prints': 'threads',
    },
}
OPENCV_PROGRAM = '''#include <cstdio>
#include <mutex>
#include <opencv2/core.hpp>
#include <set>
#include <thread>
int main() {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for (int round = 0; round < 100 && threads.size() < 3; ++round)
    cv::parallel_for_(cv::Range(0, 300), [&](const cv::Range&) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
  std::printf("told %d, seen %zu\\n", cv::getNumThreads(), threads.size());
}
'''
UNLOADS = '''#include <atomic>
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <iterator>
#include <opencv2/core/parallel/parallel_backend.hpp>
#include <thread>
struct Api {
  std::size_t size;
  unsigned numbers[5];
  const char *status, *description;
  int (*get)(cv::parallel::ParallelForAPI**);
};
int main(int, char** argv) {
  for (int round = 0; round < 50; ++round) {
    void* const plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) return 1;
    using Init = const Api* (*)(int, int, void*);
    const auto init =
        reinterpret_cast<Init>(dlsym(plugin, "opencv_core_parallel_plugin_init_v0"));
    if (init(1, 0, nullptr) != nullptr || init(0, 1, nullptr) != nullptr) return 2;
    cv::parallel::ParallelForAPI* api = nullptr;
    if (init(0, 0, nullptr)->get(&api) != 0) return 3;
    std::atomic<int> steps = 0;
    api->parallel_for(
        100, [](int lo, int hi, void* n) { *static_cast<std::atomic<int>*>(n) += hi - lo; },
        &steps);
    if (steps != 100 || dlclose(plugin) != 0) return 4;
    // OpenCV itself was there before
    if (dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) != nullptr) return 5;
  }
  const auto count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  };
  for (int tries = 0; tries < 2000 && count() > 1; ++tries) std::this_thread::yield();
  std::printf("%d threads are left\\n", static_cast<int>(count()));
}
'''
passed = failed = 0


def check(name, right, said=''):
    global passed, failed
    if right:
        passed += 1
    else:
        failed += 1
        print(f'FAILED: {name}\n{said}'.rstrip(), flush=True)


def run(command, **environment):
    """(exit code, what it printed); 124 if it takes twenty minutes."""
    try:
        done = subprocess.run(
            [str(word) for word in command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=1200,
            env={**os.environ, **environment},
        )
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as expired:
        return 124, f'{expired.stdout}\nit took more than twenty minutes'


def flags_of(library, prefixes):
    """For the compiler and for the linker."""
    includes, links = [], []
    for prefix in prefixes:
        includes += ['-isystem', prefix / 'include']
        links += [f'-L{prefix / "lib"}', f'-Wl,-rpath,{prefix / "lib"}']
    if 'include' in library:
        includes += ['-isystem', f'/usr/include/{library["include"]}']
    return includes, [*links, *library['libraries']]


class Programs:
    def __init__(self, scratch, built, prefixes, flags):
        self.scratch, self.built, self.prefixes, self.flags = scratch, built, prefixes, flags

    def there(self, library):
        includes, _ = flags_of(library, self.prefixes)
        source = self.scratch / f'asks{len(list(self.scratch.iterdir()))}.cpp'
        source.write_text(f'{library["asks"]}\n')
        return run(['g++', '-std=c++20', *includes, '-fsyntax-only', source])[0] == 0

    def header(self, name, includes, compiler):
        source = self.scratch / f'header_{name}_{compiler}.cpp'
        source.write_text(f'#include <furca/plugs/{name}.hpp>\n' * 2)
        words = ['-std=c++20', *STRICT, f'-I{TOP / "include"}', *includes, '-fsyntax-only']
        code, said = run([compiler, *words, source])
        check(f'plugs/{name}.hpp alone, {compiler}', code == 0, said)

    def compile(self, name, library, sources, *words):
        includes, links = flags_of(library, self.prefixes)
        program = self.scratch / name
        code, said = run(
            [
                *['g++', '-std=c++20', '-O1', '-g1', *STRICT, *self.flags],
                *[f'-I{TOP / "include"}', f'-I{TOP / "tests"}', *includes],
                *[*sources, *words, *links, '-pthread', '-o', program],
            ]
        )
        check(f'{name} compiles', code == 0, said)
        return program if code == 0 else None

    def test(self, name, library):
        sources = [TOP / f'tests/plugs/{name}_test.cpp', *self.main]
        return self.compile(f'{name}_test', library, sources, self.built / 'libfurca.a')

    def example(self, name, library):
        source = TOP / f'examples/plugs/{name}.cpp'
        return self.compile(name, library, [source], self.built / 'libfurca.a')

    def compile_main(self):
        """doctest's part of the tests, once."""
        self.main = [self.scratch / f'{name}.o' for name in ('doctest', 'main')]
        for into in self.main:
            source = TOP / f'tests/support/{into.stem}.cpp'
            run(['g++', '-std=c++20', *self.flags, '-c', source, '-o', into])


def opencv_plugin(programs):
    library = LIBRARIES['opencv']
    plugin = programs.compile(
        'libopencv_core_parallel_furca.so',
        library,
        [TOP / 'examples/plugs/opencv_plugin.cpp', TOP / 'src/furca.cpp'],
        *['-shared', '-fPIC', '-fno-gnu-unique'],
    )
    for name, text in (('knows_nothing', OPENCV_PROGRAM), ('unloads', UNLOADS)):
        (programs.scratch / f'{name}.cpp').write_text(text)
    program = programs.compile('knows_nothing', library, [programs.scratch / 'knows_nothing.cpp'])
    unloads = programs.compile(
        'unloads', library, [programs.scratch / 'unloads.cpp'], '-Wl,--no-as-needed'
    )
    if not (plugin and program and unloads):
        return
    code, said = run(
        [program],
        OPENCV_CORE_PLUGIN_PATH=str(programs.scratch),
        OPENCV_PARALLEL_PRIORITY_LIST='FURCA',
        OPENCV_LOG_LEVEL='INFO',
        FURCA_NUM_THREADS='3',
        FURCA_DISPLAY='1',
    )
    taken = 'using backend: FURCA' in said and 'furca: version' in said
    check("OpenCV's plugin", code == 0 and taken and 'told 3, seen 3' in said, said)
    code, said = run([unloads, plugin], FURCA_NUM_THREADS='3')
    check('the plugin unloaded', code == 0 and '1 threads are left' in said, f'{code}: {said}')


def library_in(scratch):
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
    arguments.add_argument('--flags', action='extend', nargs='+', type=shlex.split, default=[])
    arguments.add_argument('--prefix', action='extend', nargs='+', type=Path, default=[])
    arguments.add_argument('names', nargs='*', metavar='NAME')
    arguments = arguments.parse_args()
    unknown = [name for name in arguments.names if name not in LIBRARIES]
    if unknown:
        print(f'unknown: {", ".join(unknown)}')
        return 2
    prefixes = [prefix.resolve() for prefix in arguments.prefix]
    flags = [word for words in arguments.flags for word in words]
    chosen = {name: LIBRARIES[name] for name in arguments.names or LIBRARIES}
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(
        len(os.sched_getaffinity(0))
    ) as compiling:
        scratch = Path(directory)
        programs = Programs(scratch, arguments.library or library_in(scratch), prefixes, flags)
        there = {name: library for name, library in chosen.items() if programs.there(library)}
        absent = [name for name in chosen if name not in there]
        if not there:
            print(f'no library is installed: {", ".join(absent)}')
            return 77
        programs.compile_main()
        headers = {'pool': [], 'callbacks': [], 'pthreadpool': []}
        headers |= {each['header']: flags_of(each, prefixes)[0] for each in there.values()}
        looked_at = [
            compiling.submit(programs.header, header, includes, compiler)
            for header, includes in headers.items()
            for compiler in filter(shutil.which, COMPILERS)
        ]
        tests = {name: compiling.submit(programs.test, name, each) for name, each in there.items()}
        examples = {
            name: compiling.submit(programs.example, name, each) for name, each in there.items()
        }
        for each in [*looked_at, *tests.values(), *examples.values()]:
            each.result()  # nothing is compiled while tests run
        for name, each in there.items():
            picture = scratch / 'picture.jxl'
            if test := tests[name].result():
                for threads in ('2', '5', '1'):
                    code, said = run([test], FURCA_NUM_THREADS=threads, PICTURE=str(picture))
                    check(f'{name}, {threads} threads', code == 0, f'exit code {code}\n{said}')
            if example := examples[name].result():
                words = [picture] if name == 'jxl' else []
                code, said = run([example, *words], FURCA_NUM_THREADS='3')
                right = code == 0 and each['prints'] in said
                check(f'example {name}', right, f'exit code {code}\n{said}')
        if 'opencv' in there:
            opencv_plugin(programs)
    if absent:
        print(f'absent, so not tested: {", ".join(absent)}')
    print(f'{", ".join(there)}: {passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
