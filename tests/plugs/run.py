#!/usr/bin/env python3
"""Tests of the plugs with the libraries that are installed: run.py [NAME...] [--flags FLAG...]
[--prefix DIR...] [--libcxx DIR]

For each library of PLUGS (or those that are named):

1. the plug's headers compile twice in a file, alone but for the names of a sender library, without
   a warning, with all compilers that are there and know the library;
2. its test: results, exceptions, thread numbers, nested both ways, pools of 1 to 64 threads, never
   more threads than the pool's, calls after the end of main;
3. its example, as a program, and as a library that is loaded, run and unloaded twenty times, with
   furca in it.

And of some:

- OpenCV's plugin: a program that knows nothing of furca takes it by the environment;
- Halide: a pipeline that is compiled ahead of time;
- libc++: sentences for wrong uses; --libcxx: libc++'s own tests, pstl.*.pass.cpp below
  libcxx/test, its folder DIR, of the same version, with pools of 1, 2 and 8 threads.

--prefix: where other libraries are, as a pthreadpool of 2025 (XNNPACK, too, needs that), c-blosc2,
which Debian 12 has not, or clones of stdexec and beman.execution (std: its senders under C++26's
names). They come before Debian's. --flags: further flags of the compiler, as
--flags=-fsanitize=address. What is absent is named. Ends with "N passed, N failed"; exit code 77
if no library is there.
"""
import argparse
import os
import shlex
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'support'))
from programs import (  # noqa: E402: it lies in another room
    STRICT,
    TOP,
    check,
    ended,
    furca,
    run,
    unloadable,
)


class Plug(NamedTuple):
    """A library, and furca's plug for it."""

    asks: str  # compiles where the library is there
    prints: str  # by the example
    headers: tuple  # of include/furca/plugs
    links: tuple = ()
    words: tuple = ()  # for the compiler
    test_words: tuple = ()
    first: str = ''  # comes before the plug's headers
    test: str = ''  # if it has another name
    compilers: tuple = ('g++', 'clang++-14', 'clang++-19')  # the first that knows it runs the tests


def senders(header, namespace, standard):
    return Plug(
        f'#include <{header}>\nnamespace ex = {namespace};\n'
        'auto n = std::get<0>(ex::sync_wait(ex::just(1)).value());',
        'is 499999500000',
        ('parallel_scheduler', 'scheduler', 'sync_wait'),
        words=(f'-std={standard}', f'-DLIBRARY=<{header}>', f'-DNAMESPACE={namespace}'),
        test_words=('-DDOCTEST_CONFIG_VOID_CAST_EXPRESSIONS',),
        first=f'#include <{header}>\n',
        test='senders',
        compilers=('clang++-19', 'g++'),
    )


# The version that Debian has: 14 in 12, 19 in 13.
HALIDE = max([14, *(int(one.name[6:]) for one in Path('/usr/include').glob('halide[0-9]*'))])
PLUGS = {
    'opencv': Plug(
        '#include <opencv2/core/parallel/parallel_backend.hpp>',
        'by 3 threads',
        ('opencv',),
        ('-lopencv_core',),
        ('-isystem', '/usr/include/opencv4'),
    ),
    'eigen': Plug(
        '#include <unsupported/Eigen/CXX11/ThreadPool>',
        '300 x 2 x 2 is 1200',
        ('eigen',),
        words=('-isystem', '/usr/include/eigen3'),
    ),
    'fftw': Plug(
        '#include <fftw3.h>\nauto* const f = &fftw_threads_set_callback;',
        'the sum is 262144',
        ('callbacks',),
        ('-lfftw3_threads', '-lfftw3'),
    ),
    'blosc2': Plug('#include <blosc2.h>', '4000000 bytes are', ('callbacks',), ('-lblosc2',)),
    'jxl': Plug(
        '#include <jxl/decode.h>',
        '600 x 600, first 0 0 0',  # of a picture that the test has written
        ('callbacks',),
        ('-ljxl',),
    ),
    'halide': Plug(
        '#include <Halide.h>',
        '9 * 9 + 4 is 85',
        ('callbacks',),
        (f'-lHalide{HALIDE}',),
        ('-isystem', f'/usr/include/halide{HALIDE}'),
    ),
    'pthreadpool': Plug(
        '#include <pthreadpool.h>\npthreadpool_executor e{};',
        '31 * 31 is 961',
        ('pthreadpool',),
        ('-lpthreadpool',),
    ),
    'xnnpack': Plug(
        '#include <pthreadpool.h>\n#include <xnnpack.h>\npthreadpool_executor e{};',
        '31 * 31 is 961',
        ('pthreadpool',),
        ('-lpthreadpool', '-lXNNPACK'),
    ),
    'onednn': Plug(
        '#include <cstdint>\n#include <oneapi/dnnl/dnnl_threadpool_iface.hpp>',
        'oneDNN',
        ('onednn',),
        ('-ldnnl',),
    ),
    'stdexec': senders('stdexec/execution.hpp', 'stdexec', 'c++20'),
    'beman': senders('beman/execution.hpp', 'beman::execution', 'c++23'),
    # those of the standard library to come, by a double
    'std': senders('../tests/plugs/std_execution.hpp', 'std::execution', 'c++23'),
    'libcxx': Plug(
        '#include <version>\n#if _LIBCPP_VERSION < 190000\n#error "too old"\n#endif',
        'the sum is',
        ('libcxx',),
        words=('-stdlib=libc++', '-fexperimental-library'),
        # libc++ asks for vectors in loops that have none
        test_words=('-include', 'furca/plugs/libcxx.hpp', '-Wno-pass-failed'),
        compilers=('clang++-19',),
    ),
}
LOADS = '''#include <dlfcn.h>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <thread>
int main(int argc, char** argv) {
  for (int round = 0; round < 20; ++round) {
    void* const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::puts(dlerror()), 1;
    const auto program = reinterpret_cast<int (*)(int, char**)>(dlsym(library, "main"));
    if (program(argc - 1, argv + 1) != 0 || dlclose(library) != 0) return 2;
    if (dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) != nullptr) return 3;
  }
  const auto count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  };
  for (int tries = 0; tries < 2000 && count() > 1; ++tries) std::this_thread::yield();
  std::printf("%d threads are left\\n", static_cast<int>(count()));
  void* const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);  // it is there until the end
  return reinterpret_cast<int (*)(int, char**)>(dlsym(library, "main"))(argc - 1, argv + 1);
}
'''
KNOWS_NOTHING = '''#include <cstdio>
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


OPENCV_RUNS = '''#include <atomic>
#include <cstdio>
#include <opencv2/core/parallel/parallel_backend.hpp>
extern "C" const void* opencv_core_parallel_plugin_init_v0(int, int, void*) noexcept;
struct Api {
  std::size_t size;
  unsigned numbers[5];
  const char *status, *description;
  int (*get)(cv::parallel::ParallelForAPI**);
};
int main() {
  const auto init = opencv_core_parallel_plugin_init_v0;
  if (init(1, 0, nullptr) != nullptr || init(0, 1, nullptr) != nullptr) return 1;
  cv::parallel::ParallelForAPI* api = nullptr;
  if (static_cast<const Api*>(init(0, 0, nullptr))->get(&api) != 0) return 2;
  std::atomic<int> steps = 0;
  api->parallel_for(
      100, [](int lo, int hi, void* n) { *static_cast<std::atomic<int>*>(n) += hi - lo; }, &steps);
  std::printf("%d steps by %d threads\\n", steps.load(), api->getNumThreads());
  return steps == 100 ? 0 : 3;
}
'''
HALIDE_WRITES = '''#include <Halide.h>
int main(int, char** argv) {
  Halide::Var x;
  Halide::Var y;
  Halide::Func squares;
  squares(x, y) = x * x + y;
  squares.parallel(y).parallel(x);
  squares.compile_to_static_library(argv[1], {}, "squares");
}
'''
HALIDE_USES = '''#include <squares.h>
#include <HalideBuffer.h>
#include <furca/plugs/callbacks.hpp>
#include <cstdio>
std::atomic<int> jobs = 0;
int counted(void* user, int (*task)(void*, int, std::uint8_t*), int min, int size,
            std::uint8_t* closure) {
  jobs += size;
  return furca::plugs::halide(user, task, min, size, closure);
}
bool right() {
  Halide::Runtime::Buffer<int> result(60, 40);
  int wrong = squares(result);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 60; ++x) wrong += result(x, y) != x * x + y;
  return wrong == 0;
}
const struct AfterMain {
  ~AfterMain() { std::puts(right() ? "right" : "wrong"); }
} after_main;
int main() {
  halide_set_custom_do_par_for(counted);
  const bool first = right();
  std::printf("%s, %d jobs\\n", first ? "right" : "wrong", jobs.load());
  halide_set_custom_do_par_for(furca::plugs::halide);
}
'''
LATE = '''#include <algorithm>
#include <execution>
#include <furca/plugs/libcxx.hpp>
'''


class Programs:
    """What is compiled of one plug, by the first compiler that knows it."""

    def __init__(self, name, plug, scratch, prefixes, flags):
        self.name, self.plug, self.scratch = name, plug, scratch / name
        self.scratch.mkdir()
        self.words = ['-std=c++20', '-O1', '-g1', f'-I{TOP / "include"}']
        self.links = [*plug.links, '-pthread', '-ldl']
        for prefix in prefixes:  # before what Debian has
            self.words += ['-isystem', prefix / 'include']
            self.links[:0] = [f'-L{prefix / "lib"}', f'-Wl,-rpath,{prefix / "lib"}']
        self.words += [*plug.words, *flags]
        asks = self.write('asks', f'{plug.asks}\n')
        self.compilers = [
            compiler
            for compiler in filter(shutil.which, plug.compilers)
            if run(compiler, *self.words, '-fsyntax-only', asks)[0] == 0
        ]

    def write(self, name, text):
        (self.scratch / f'{name}.cpp').write_text(text)
        return self.scratch / f'{name}.cpp'

    def headers(self):
        for header in self.plug.headers:
            text = self.plug.first + f'#include <furca/plugs/{header}.hpp>\n' * 2
            source = self.write(header, text)
            for compiler in self.compilers:
                code, said = run(compiler, *self.words, *STRICT, '-fsyntax-only', source)
                check(f'{self.name}: {header}.hpp alone, {compiler}', code == 0, said)

    def furca(self):
        """The compiler, and flags that furca needs, too."""
        common = [word for word in self.words if str(word).startswith(('-stdlib', '-f', '-O'))]
        return self.compilers[0], *common

    def compile(self, name, sources, *words):
        program = self.scratch / name
        command = [self.compilers[0], *self.words, *STRICT, *sources, *words]
        code, said = run(*command, *self.links, '-o', program)
        check(f'{self.name}: {name} compiles', code == 0, said)
        return program if code == 0 else None

    def build(self, object_file):
        """The test, the example, and this as a library."""
        test = TOP / f'tests/plugs/{self.plug.test or self.name}_test.cpp'
        example = TOP / f'examples/plugs/{self.plug.test or self.name}.cpp'
        self.test = self.compile('test', [test, object_file], *self.plug.test_words)
        if self.name in ('beman', 'std', 'xnnpack'):  # their examples are stdexec's, pthreadpool's
            self.example = self.library = None
            return
        self.example = self.compile('example', [example, object_file])
        sources = [example]
        if self.name == 'opencv':  # in which the example leaves its backend: the plugin
            sources = [TOP / 'examples/plugs/opencv_plugin.cpp', self.write('runs', OPENCV_RUNS)]
        self.library = self.unloadable('library.so', [*sources, object_file])
        # the library itself, and what it has of its own, stays
        self.loads = self.compile('loads', [self.write('loads', LOADS)], '-Wl,--no-as-needed')

    def unloadable(self, name, sources):
        return self.compile(name, sources, '-shared', *unloadable(self.compilers[0]))

    def run(self, picture):
        for threads in ('2', '64', '1') if self.test else ():
            code, said = run(self.test, FURCA_NUM_THREADS=threads, PICTURE=str(picture))
            check(f'{self.name}, {threads} threads', code == 0, f'exit code {code}\n{said}')
        words = [picture] if self.name == 'jxl' else []
        if self.example:
            code, said = run(self.example, *words, FURCA_NUM_THREADS='3')
            right = code == 0 and self.plug.prints in said
            check(f'{self.name}: example', right, f'exit code {code}\n{said}')
        if self.library and self.loads:
            code, said = run(self.loads, self.library, *words, FURCA_NUM_THREADS='3')
            right = code == 0 and said.count(self.plug.prints) == 21
            right = right and '\n1 threads are left' in said
            check(f'{self.name}: unloaded', right, f'exit code {code}\n{said[-600:]}')


def opencv_plugin(programs, object_file):
    source = TOP / 'examples/plugs/opencv_plugin.cpp'
    plugin = programs.unloadable('libopencv_core_parallel_furca.so', [source, object_file])
    program = programs.compile('nothing', [programs.write('nothing', KNOWS_NOTHING)])
    if plugin and program:
        code, said = run(
            program,
            OPENCV_CORE_PLUGIN_PATH=str(programs.scratch),
            OPENCV_PARALLEL_PRIORITY_LIST='FURCA',
            OPENCV_LOG_LEVEL='INFO',
            FURCA_NUM_THREADS='3',
            FURCA_DISPLAY='1',
        )
        taken = 'using backend: FURCA' in said and 'furca: version' in said
        check("OpenCV's plugin", code == 0 and taken and 'told 3, seen 3' in said, said)


def halide_ahead_of_time(programs, object_file):
    writes = programs.compile('writes', [programs.write('writes', HALIDE_WRITES)])
    pipeline = programs.scratch / 'squares'
    if writes and run(writes, pipeline)[0] == 0:
        uses = programs.write('uses', HALIDE_USES)
        sources = [uses, f'{pipeline}.a', object_file]
        program = programs.compile('uses', sources, '-isystem', programs.scratch)
        code, said = run(program, FURCA_NUM_THREADS='3') if program else (1, '')
        check('Halide, ahead of time', code == 0 and said == 'right, 2440 jobs\nright\n', said)
    else:
        check('Halide writes a pipeline', False)


def libcxx_sentences(programs, _):
    for name, text, flag, sentence in (
        ('late', LATE, '-stdlib=libc++', 'before <algorithm>'),
        ('other', LATE[-len('#include <furca/plugs/libcxx.hpp>') - 1 :], '-stdlib=libstdc++',
         'for libc++'),
    ):  # fmt: skip
        source = programs.write(name, text)
        code, said = run(programs.compilers[0], *programs.words, flag, '-fsyntax-only', source)
        check(f'it says: {sentence}', code and sentence in said.split('error:')[1], said)


def libcxx_suite(programs, object_file, folder, many):
    words = ['-w', f'-I{folder / "support"}', *programs.plug.test_words]
    words += ['-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_EXTENSIVE']
    # those of another back end are left out
    tests = [one for one in folder.rglob('pstl*.pass.cpp') if 'libdispatch' not in one.name]
    check(f'there are tests in {folder}', tests != [])

    def test(source):
        name = str(source.relative_to(folder)).replace('/', '.')
        program = programs.compile(name, [source, object_file], *words)
        for threads in ('1', '2', '8') if program else ():
            code, said = run(program, FURCA_NUM_THREADS=threads)
            check(f'{name} with {threads} threads', code == 0, said)
        if program:
            program.unlink()

    list(many.map(test, sorted(tests)))


EXTRAS = {
    'opencv': opencv_plugin,
    'halide': halide_ahead_of_time,
    'libcxx': libcxx_sentences,
}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('--flags', action='extend', nargs='+', type=shlex.split, default=[])
    arguments.add_argument('--prefix', action='extend', nargs='+', type=Path, default=[])
    arguments.add_argument('--libcxx', type=Path)
    arguments.add_argument('names', nargs='*', metavar='NAME')
    arguments = arguments.parse_args()
    unknown = [name for name in arguments.names if name not in PLUGS]
    if unknown:
        print(f'unknown: {", ".join(unknown)}')
        return 2
    prefixes = [prefix.resolve() for prefix in arguments.prefix]
    flags = [word for words in arguments.flags for word in words]
    names = arguments.names or PLUGS
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(
        len(os.sched_getaffinity(0))
    ) as many:
        scratch = Path(directory)
        chosen = many.map(
            lambda name: Programs(name, PLUGS[name], scratch, prefixes, flags), names
        )
        there = {programs.name: programs for programs in chosen if programs.compilers}
        absent = [name for name in names if name not in there]
        if not there:
            print(f'absent: {", ".join(absent)}; no library is there')
            return 77
        kinds = {programs.furca() for programs in there.values()}
        compiled = many.map(lambda kind: furca(kind[0], scratch, *kind[1:]), kinds)
        objects = dict(zip(kinds, compiled))
        built = [many.submit(each.headers) for each in there.values()]
        built += [many.submit(each.build, objects[each.furca()]) for each in there.values()]
        for each in built:
            each.result()  # nothing is compiled while tests run
        for name, each in there.items():
            each.run(scratch / 'picture.jxl')
            if name in EXTRAS:
                EXTRAS[name](each, objects[each.furca()])
        if arguments.libcxx and 'libcxx' in there:
            programs = there['libcxx']
            libcxx_suite(programs, objects[programs.furca()], arguments.libcxx, many)
    if absent:
        print(f'absent: {", ".join(absent)}')
    return ended(', '.join(there))


if __name__ == '__main__':
    sys.exit(main())
