#!/usr/bin/env python3
"""The checks of this directory find what they are for: each complaint is provoked in a small tree
that is right otherwise."""
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

import columns
import coverage
import functions
import glossary
import labels
import layers
import prose
import reach
import readme_commands
import readme_names

sys.path.append(str(Path(__file__).parents[1] / 'model' / 'seeded'))
import edits


class Labels(unittest.TestCase):
    HEADER = '''/// Tells a reader.
///   [flag.X1] word = 1     release      [flag.X2] word       acquire
/// Checked by: tests/flag_test.cpp ("the reader is told")
class Flag {
  void set() { word_.store(1, std::memory_order_release); }  // [flag.X1] pairs with X2
  // [flag.X2] the other side
  int get() { return word_.load(std::memory_order_acquire); }
  int peek() { return word_.load(std::memory_order_relaxed); }
  std::atomic<int> word_;
};
'''
    TREE = {
        'include/furca/flag.hpp': HEADER,
        'src/flag.md': 'First [flag.X1], then [flag.X2].\n',
        'tests/flag_test.cpp': 'TEST_CASE("the reader is told") {}\n',
    }

    def complaints(self, old='', new='', path='include/furca/flag.hpp'):
        if old:
            self.assertIn(old, self.TREE[path])
        return labels.check(
            self.TREE | {path: self.TREE[path].replace(old, new, 1) if old else new}
        )

    def test_all_is_accounted_for(self):
        self.assertEqual(labels.check(self.TREE), [])

    def test_no_label(self):
        self.assertIn('without a label', self.complaints('  // [flag.X1] pairs with X2')[0])

    def test_a_label_further_up_is_not_the_statements(self):
        self.assertIn(
            'flag.hpp:8: an order or a fence without a label',
            '\n'.join(self.complaints('side\n', 'side\n\n')),
        )

    def test_no_partner(self):
        complaints = self.complaints(' pairs with X2')
        self.assertEqual(len(complaints), 2)
        self.assertIn('[flag.X1]: no partner answers its release', complaints[0])
        self.assertIn('[flag.X2]: no partner answers its acquire', complaints[1])

    def test_a_partner_that_asks_for_less_is_none(self):
        for relaxed in ('acquire', 'release'):
            complaints = self.complaints(f'memory_order_{relaxed}', 'memory_order_relaxed')
            self.assertTrue(any('answers its' in complaint for complaint in complaints))

    def test_half_an_answer_to_acq_rel(self):
        complaints = self.complaints(
            'store(1, std::memory_order_release)', 'exchange(1, std::memory_order_acq_rel)'
        )
        self.assertEqual(len(complaints), 1)
        self.assertIn('answers its acquire', complaints[0])

    def test_a_fence_pairs_with_a_fence(self):
        alone = self.complaints(
            '  int peek', '  void a() { A::heavy_fence(); }  // [flag.X3] pairs with X1\n  int peek'
        )
        self.assertIn('answers its fence', alone[0])
        self.assertEqual(
            self.complaints(
                '  int peek',
                '  void a() { A::fence(); }  // [flag.X3] pairs with X4\n'
                '  void b() { A::light_fence(); }  // [flag.X4]\n  int peek',
            ),
            [],
        )

    def test_no_order_is_the_strongest(self):
        for strong in (
            'word_.store(2);',
            'word_ = 2;',
            'return word_;',
            'if (word_) f();',
            'word_.exchange(\n    a);',
        ):
            self.assertIn(
                'without a label',
                self.complaints('  int peek', f'  {strong}\n  int peek')[0],
                strong,
            )

    def test_an_order_in_the_second_line_of_a_statement(self):
        complaints = self.complaints(
            '  int peek', '  f(word_.load(\n    std::memory_order_acquire));\n  int peek'
        )
        self.assertIn('without a label', complaints[0])

    def test_a_partner_that_is_weakened_beside_another_one(self):
        more = '  void drop() { word_.store(2, std::memory_order_release); }  // [flag.X3]\n'
        pair = more.replace(']\n', '] pairs with X2\n')
        self.assertEqual(self.complaints('  int peek', pair + '  int peek'), [])
        weaker = self.complaints('  int peek', pair.replace('_release', '_relaxed') + '  int peek')
        self.assertIn('[flag.X2]: its partner [flag.X3] does not answer', weaker[0])

    def test_lines_of_one_label(self):
        line = '  int see() { return word_.load(std::memory_order_acquire); }  // [flag.X2]\n'
        self.assertEqual(self.complaints('  int peek', line + '  int peek'), [])
        weaker = self.complaints('  int peek', line.replace('acquire', 'relaxed') + '  int peek')
        self.assertIn('[flag.X2] asks for something else at', weaker[0])

    def test_the_failure_of_a_compare_exchange(self):
        line = (
            '  // [flag.X3] pairs with X2\n  bool swap(int& old) {\n    // [flag.X3]\n    return\n'
            '        word_.compare_exchange_weak(old, 3, std::memory_order_release,\n'
            '                                    std::memory_order_acquire);\n  }\n'
        )
        self.assertIn('without a label', self.complaints('  int peek', line + '  int peek')[0])
        both = line.replace(
            '// [flag.X3]\n', '// [flag.X3], on failure [flag.X4] pairs with X1 X3\n'
        )
        self.assertEqual(self.complaints('  int peek', both + '  int peek'), [])
        weaker = self.complaints('  int peek', both.replace('_acquire', '_relaxed') + '  int peek')
        self.assertIn('its partner [flag.X4] does not answer', weaker[0])

    def test_partners_of_another_protocol(self):
        bell = '  void ring() { word_.store(1, std::memory_order_release); }  // [bell.X1]'
        self.assertEqual(
            self.complaints('  int peek', f'{bell} pairs with [flag.X2]\n  int peek'), []
        )
        for pair in ('', ' pairs with X2'):
            complaints = self.complaints('  int peek', f'{bell}{pair}\n  int peek')
            self.assertIn('[bell.X1]: no partner answers its release', complaints[0])
        told = self.TREE['src/flag.md'] + '[bell.X1] pairs with [flag.X2].\n'
        tree = self.TREE | {'src/flag.md': told, 'src/bell.cpp': bell + '\n'}
        self.assertIn('src/flag.md:2: [bell.X1] and [flag.X2] become a pair', labels.check(tree)[0])
        self.assertIn(
            'has no protocol', self.complaints('First [flag.X1]', 'First [X1]', 'src/flag.md')[0]
        )

    def test_each_order_is_weakened(self):
        tried = list(labels.weakened(self.TREE))
        self.assertEqual(
            [weaker for weaker, _ in tried],
            [
                f'include/furca/flag.hpp:{line}: relaxed for {order}'
                for line, order in ((5, 'release'), (7, 'acquire'))
            ],
        )
        self.assertTrue(all(found for _, found in tried))
        header = self.HEADER.replace(
            'store(1, std::memory_order_release)', 'exchange(1, std::memory_order_acq_rel)'
        )
        tried = list(labels.weakened(self.TREE | {'include/furca/flag.hpp': header}))
        self.assertEqual(
            [weaker.split(': ')[1] for weaker, _ in tried[:3]],
            [f'{less} for acq_rel' for less in ('relaxed', 'acquire', 'release')],
        )

    def test_a_label_that_no_code_has(self):
        for path in self.TREE:
            self.assertIn(
                '[flag.X7] stands at no line of code',
                self.complaints(path=path, new=self.TREE[path] + '// see [flag.X7]\n')[0],
            )

    def test_a_table_that_claims_more_than_the_code(self):
        self.assertIn(
            '[flag.X1] is said to be acq_rel', self.complaints('1     release', '1     acq_rel')[0]
        )

    def test_nobody_checks_it(self):
        self.assertIn(
            'no line "Checked by',
            self.complaints('/// Checked by: tests/flag_test.cpp ("the reader is told")\n')[0],
        )

    def test_the_check_is_gone(self):
        self.assertIn('does not exist', self.complaints('flag_test', 'flags_test')[0])
        self.assertIn(
            'does not have',
            self.complaints('the reader is told', 'two readers are told', 'tests/flag_test.cpp')[0],
        )


class Glossary(unittest.TestCase):
    PAGE = '- **latch** (`Latch`): one word\n- **claim** (`Latch::claim`): to have\n'
    TREE = {'src/README.md': PAGE, 'include/latch.hpp': 'class Latch {\n  void claim();\n};\n'}

    def complaint(self, path, text):
        return glossary.check(self.TREE | {path: text})[0]

    def test_all_words_are_used(self):
        self.assertEqual(glossary.check(self.TREE), [])

    def test_words_without_a_name(self):
        for line in ('- **bell**: rings', '- **bell** (`Latch`): rings'):
            self.assertIn('no class or function', self.complaint('src/README.md', line))

    def test_what_is_not_declared(self):
        for text in ('class Latch {};', 'class Other { void claim(); };', '// class Latch claim()'):
            self.assertIn('there is no', self.complaint('include/latch.hpp', text))

    def test_a_map_is_short(self):
        self.assertIn('twice', self.complaint('src/README.md', self.PAGE + self.PAGE))
        self.assertIn('words', self.complaint('src/README.md', ''))
        self.assertIn('82 words', self.complaint('src/README.md', self.PAGE * 41))
        self.assertIn('151 lines', self.complaint('src/README.md', self.PAGE + 149 * '\n'))


class Layers(unittest.TestCase):
    TREE = {
        'include/furca/detail/base/ranges.hpp': '',
        'include/furca/detail/loop/fold.hpp': '#include <furca/detail/base/ranges.hpp>\n',
        'include/furca/search.hpp': '#include <furca/detail/loop/fold.hpp>\n',
        'src/fork/thief.cpp': '#include "team.hpp"\n',
        'src/pool/pool.hpp': '#include "../fork/team.hpp"\n',
        'src/fork/team.hpp': '',
        'src/furca.cpp': '#include "fork/thief.cpp"\n',
    }

    def test_down(self):
        self.assertEqual(layers.check(self.TREE), [])

    def test_up(self):
        for name, include in (
            ('include/furca/detail/base/ranges.hpp', '<furca/detail/loop/fold.hpp>'),
            ('src/fork/thief.cpp', '"../pool/pool.hpp"'),
            ('include/furca/detail/base/ranges.hpp', '<furca/search.hpp>'),
            ('src/fork/worker.hpp', '"../tasks/event.hpp"'),
            ('include/furca/search.hpp', '<furca/compat/tbb/tbb.h>'),
        ):
            tree = {'src/tasks/event.hpp': ''} | self.TREE
            self.assertIn('above', layers.check(tree | {name: f'#include {include}\n'})[0])

    def test_no_room(self):
        for name in ('src/one.cpp', 'include/furca/detail/one.hpp', 'src/new/one.cpp'):
            self.assertIn('is in no room', layers.check({name: ''})[0])

    def test_systems(self):
        for text in ('#if defined(__linux__)\n', '#  elif _WIN32\n', '#include <unistd.h>\n',
                     '#ifdef __APPLE__\n', '#ifdef __FreeBSD__\n', '#include <sys/mman.h>\n'):
            for name in ('include/furca/search.hpp', 'src/fork/thief.cpp'):
                self.assertEqual(len(layers.check({name: text})), 1, text)
            asked = layers.check({'src/system/linux/futex.cpp': text})
            self.assertEqual(len(asked), 0 if 'include' in text else 1, text)
            self.assertEqual(layers.check({'src/system/chosen.cpp': text}), [])
        self.assertEqual(layers.check({'src/fork/thief.cpp': '#include <cstdlib>\n'}), [])

    def test_compilers(self):
        for text in ('[[gnu::noinline]] void f();', '[[gnu::cold, clang::noinline]] void f();',
                     '__builtin_prefetch(p);', '[[no_unique_address]] T t;', '__asm__("");'):
            self.assertIn('not in config.hpp', ' '.join(layers.check({'src/fork/f.hpp': text})))
            self.assertEqual(layers.check({'include/furca/detail/base/config.hpp': text}), [])
        self.assertEqual(layers.check({'src/fork/f.hpp': 'p = __builtin_addressof(t);'}), [])

    def test_look_alike(self):
        page = layers.SECTION + 'In `tests/compat` and `event.hpp`.\n## Other\nIn `team.hpp`.\n'
        tree = {layers.ALGORITHMS: page, 'tests/compat/a.cpp': 'look-alike',
                'include/furca/event.hpp': 'await_with_mail', 'src/fork/team.hpp': 'seats apart'}
        self.assertEqual(layers.check_look_alike(tree), [])
        for text in ('callers_of(pool)', 'Open tasks', '<furca/compat/tbb/tbb.h>', 'furca::tbb'):
            wrong = layers.check_look_alike(tree | {'src/fork/team.hpp': text})
            self.assertIn('src/fork/team.hpp: ', ' '.join(wrong))


class Prose(unittest.TestCase):
    TREE = {
        'README.md': 'See [the tour](src/README.md), `Flag::set` with `.grain`,\n'
        '`-Dportable=true`, `FURCA_*`, `*_test.cpp`.\n'
        '```\nyours()\n```\n',
        'src/README.md': 'In `src/flag.cpp`, or flag.cpp, see [there](../README.md).\n',
        'src/flag.cpp': 'void Flag::set() { grain = getenv("FURCA_GRAIN"); }'
        '  // set() is of `Flag`, not std::exchange()\n',
        'tests/flag_test.cpp': '// `gone` here is not looked at\n',
        'meson_options.txt': "option('portable', type: 'boolean')\n",
    }

    def complaints(self, path, text):
        return prose.check(self.TREE | {path: self.TREE[path] + text})

    def test_all_is_there(self):
        self.assertEqual(prose.check(self.TREE), [])

    def test_a_file_that_is_gone(self):
        for text in ('`src/fork/sleep.md`', 'sleep.md', '`*_programs.hpp`', 'detail/flag.cpp'):
            self.assertIn('there is no file', self.complaints('README.md', text)[0], text)
        self.assertIn('there is no file', self.complaints('src/flag.cpp', '// see sleep.hpp\n')[0])

    def test_a_link_that_leads_nowhere(self):
        self.assertEqual(
            self.complaints('src/README.md', '[x](README.md#top) [y](https://example.org/README)'),
            [],
        )
        self.assertIn('there is no', self.complaints('src/README.md', '[x](src/flag.cpp)')[0])

    def test_a_name_that_is_gone(self):
        for text in ('`Flag::reset`', '`.grains`', '`reset()`', 'reset()', '`FLAG_*`'):
            self.assertIn(
                'nothing in the code is called', self.complaints('src/README.md', text)[0], text
            )

    def test_a_name_that_only_comments_have(self):
        self.assertIn('nothing in the code', self.complaints('src/flag.cpp', '// `gone`\n')[0])

    def test_a_member_of_something_else(self):
        files = self.TREE | {
            'src/pool/pool.cpp': 'void Pool::stop();\n',
            'README.md': '`Flag::stop`\n',
        }
        self.assertIn('no file of code has both', prose.check(files)[0])

    def test_a_name_of_others(self):
        for language, complaints in (('rust', 0), ('c++', 0), ('cpp', 1), ('', 1)):
            self.assertEqual(
                len(
                    self.complaints(
                        'src/README.md', f'`par_map`\n```{language}\nv.par_map();\n```\n'
                    )
                ),
                complaints,
                language,
            )

    def test_an_option_that_is_gone(self):
        self.assertIn('no option', self.complaints('README.md', '`-Dportably=true`')[0])


class Columns(unittest.TestCase):
    def complaints(self, name, text):
        return list(columns.check(name, text))

    def test_a_hundred_fit(self):
        self.assertEqual(self.complaints('a.cpp', 'x' * 100 + '\n'), [])
        self.assertEqual(self.complaints('a.cpp', '\n' + 'é' * 101), ['a.cpp:2: has 101 columns'])

    def test_blocks_of_a_page(self):
        long = 'x' * 101
        for language, wrong in (('text', 0), ('', 1), ('sh', 1), ('cpp', 1)):
            page = f'```c++\na\n```\n{long}\n```{language}\n{long}\n```\n'
            self.assertEqual(len(self.complaints('a.md', page)), 1 + wrong, language)

    def test_code_over_two_lines(self):
        self.assertEqual(self.complaints('a.md', '`a b` ``c``\n```\n`\n```\n'), [])
        self.assertEqual(len(self.complaints('a.md', '`sh\na` b\n')), 2)
        self.assertEqual(self.complaints('a.cpp', '// `sh\n// a`\n'), [])


class Reach(unittest.TestCase):
    FILES = {f'a/{i}.txt': '' for i in range(26)} | {
        'include/furca/join.hpp': '#include <furca/b.hpp>\n' + 'x' * 101 + '\n',
        'include/furca/b.hpp': 'b\n#include <furca/join.hpp>\n',
        'include/furca/parallel_for.hpp': '',
        'include/furca/compat/c.hpp': 'c\n',
        'src/fork/a.cpp': 'memory_order_relaxed  // memory_order_acquire\n',
        'src/algorithms/adding.md': '- a\n- b\n\n## Rules\n\n- c\n',
        'tests/b.py': '1\n2\n',
    }

    def test_figures(self):
        found = {what: figure for what, figure, most, must in reach.figures(self.FILES)}
        self.assertEqual(
            found,
            {
                'files in a row, most in a': 26,
                'lines of the longest file, include/furca/join.hpp': 2,
                'lines over 100 columns': 1,
                'lines of include and src, code without the look-alike': 5,
                'lines of tests and bench, without results': 2,
                'lines that join.hpp brings, 2 files': 4,
                'lines that parallel_for.hpp brings, 1 files': 0,
                'explicit orders in the core': 1,
                'files to add an algorithm': 2,
            },
        )

    def test_public_names_may_be_many(self):
        files = self.FILES | {f'include/furca/{i}.hpp': '' for i in range(30)}
        self.assertEqual(next(reach.figures(files))[:2], ('files in a row, most in a', 26))


class Coverage(unittest.TestCase):
    LCOV = (
        'SF:/a/b.hpp\nDA:1,4\nDA:2,0\nDA:3,0\nend_of_record\nSF:/a/b.hpp\nDA:2,1\nend_of_record\n'
    )

    def test_reads_lcov(self):
        self.assertEqual(coverage.read_lcov(self.LCOV), {'/a/b.hpp': {1: 4, 2: 1, 3: 0}})
        self.assertEqual(
            coverage.read_lcov(self.LCOV, 'SF:/a/b.hpp\nDA:3,7\n'), {'/a/b.hpp': {1: 4, 2: 1, 3: 7}}
        )

    def test_ranges(self):
        self.assertEqual(coverage.ranges([3, 4, 5, 9, 11, 12]), '3-5, 9, 11-12')

    def test_judges(self):
        with tempfile.TemporaryDirectory() as directory:
            top = Path(directory)
            source = top / 'src' / 'core' / 'a.cpp'
            source.parent.mkdir(parents=True)
            source.write_text(
                'void f() {\n  try {\n    g();\n  } catch (...) {\n    h();\n  }\n}\n'
            )
            with contextlib.redirect_stdout(io.StringIO()) as table:
                self.assertEqual(coverage.judge(top, {str(source): {3: 1, 5: 1}}), [])
                enough = {line: 1 for line in range(100, 200)} | {3: 1}
                self.assertIn(
                    'a.cpp:4: no test enters',
                    coverage.judge(top, {str(source): enough | {5: 0}})[0],
                )
                self.assertIn(
                    'a.cpp:4: this catch block was not compiled',
                    coverage.judge(top, {str(source): enough})[0],
                )
                self.assertIn('50.0 %', coverage.judge(top, {str(source): {1: 0, 5: 1}})[0])
                self.assertIn('not in the figures', coverage.judge(top, {})[0])
            self.assertRegex(table.getvalue(), r'src/core/a.cpp +2 +1 +50.0  1\n')

    def test_catch_blocks(self):
        text = (
            'try {\n} catch (const E& e) {\n  f();\n}\n'
            '  try {\n  } catch (...) {\n    // nothing\n  }\n'
        )
        self.assertEqual(list(coverage.catch_blocks(text, {3: 1, 8: 0, 9: 1})), [(2, 3), (6, 8)])
        self.assertEqual(list(coverage.catch_blocks(text, {1: 1, 9: 1})), [(2, None), (6, None)])


class ReadmeCommands(unittest.TestCase):
    PAGE = """# Examples
| `sort [N]` | sorts |
```sh
build/examples/sort 1
build/examples/sort 2  # a comment
```
Not build/examples/this
"""

    def complaints(self, old='', new='', examples=('sort',)):
        self.assertIn(old, self.PAGE)
        return '\n'.join(readme_commands.check(self.PAGE.replace(old, new), examples))

    def test_all_is_accounted_for(self):
        self.assertEqual(self.complaints(), '')

    def test_an_example_that_is_not_there(self):
        complaints = self.complaints(examples=('sort', 'life'))
        self.assertIn('no row for examples/life.cpp', complaints)
        self.assertIn('no command for examples/life.cpp', complaints)
        self.assertIn(
            'no command for examples/sort.cpp', self.complaints('build/examples/sort', 'build/sort')
        )

    def test_a_command_and_a_row_without_an_example(self):
        self.assertIn(
            'a command for life, and there is no',
            self.complaints('build/examples/sort 2', 'build/examples/sort 2\nbuild/examples/life'),
        )
        self.assertIn(
            'a row for life, and there is no',
            self.complaints('| `sort [N]` |', '| `sort [N]` |\n| `life` |'),
        )

    def test_runs_them(self):
        self.assertEqual(
            readme_commands.commands(self.PAGE),
            [['build/examples/sort', '1'], ['build/examples/sort', '2']],
        )
        with contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertEqual(readme_commands.run(['build/examples/echo', 'to be seen'], '/bin'), [])
            self.assertIn('exit code 1', readme_commands.run(['build/examples/false'], '/bin')[0])
            self.assertIn('prints nothing', readme_commands.run(['build/examples/true'], '/bin')[0])
            self.assertIn(
                'No such file', readme_commands.run(['build/examples/nobody'], '/nowhere')[0]
            )
        self.assertIn('\nto be seen\n', output.getvalue())


class ReadmeNames(unittest.TestCase):
    PAGE = """# Forks
Headers are in `include/furca/`, write `subprojects/furca.wrap`:
```ini
[provide]
dependency_names = furca, furca-tbb
```
```meson
furca_dep = dependency('furca', version: ['>=0.1', '<0.2'])
```
```sh
sh bench/run.sh --threads all    # or --threads 1,2, with --quick less
meson setup build --buildtype=release && meson compile -C build && meson test -C build
build/examples/sort 1
```
All is in `<furca/furca.hpp>`. `meson compile -C build docs` makes build/src/html/index.html, and
`sh bench/own.sh program.cpp` needs `libtbb-dev`. Results: `build-bench/results.json`.
"""
    TREE = {
        'README.md': PAGE,
        'examples/guide/install.md': "find_package(furca 0.1) furca-0.1.0.tar.xz\n",
        'src/packaging/vcpkg/vcpkg.json': '  "version": "0.1.0",\n',
        'src/packaging/wrapdb/furca.wrap': 'directory = furca-0.1.0\n',
        'meson.build': "project('furca',\n  version: '0.1.7',\n"
        "meson.override_dependency('furca', d)\nmeson.override_dependency('furca-tbb', d)\n",
        'src/meson.build': "run_target('docs')\n",
        'src/build.py': "print('index.html')\n",
        'examples/meson.build': "examples = ['sort']\n",
        'bench/run.sh': 'build=${BUILD:-build-bench}\n$build/results.json libtbb-dev\n',
        'bench/own.sh': '',
        'bench/own.py': '',
        'bench/furca_bench.py': '  --threads 1,2,... numbers\n  --threads all\n  --quick less\n',
        'include/furca/furca.hpp': '',
    }
    MESON = {'setup': '--buildtype {plain,release}', 'compile': '-C DIR', 'test': '-C DIR'}

    def complaints(self, old='', new='', path='README.md'):
        self.assertIn(old, self.TREE[path])
        with tempfile.TemporaryDirectory() as directory:
            for name, text in self.TREE.items():
                Path(directory, name).parent.mkdir(parents=True, exist_ok=True)
                Path(directory, name).write_text(text.replace(old, new) if name == path else text)
            return '\n'.join(
                readme_names.Page(directory, lambda of: self.MESON.get(of, '')).check()
            )

    def test_all_is_there(self):
        self.assertEqual(self.complaints(), '')

    def test_files_and_folders_that_are_gone(self):
        for old, new, complaint in (
            ('`include/furca/`', '`include/forks/`', 'no folder include/forks/'),
            ('<furca/furca.hpp>', '<furca/all.hpp>', 'no header furca/all.hpp'),
            ('sh bench/run.sh', 'sh bench/start.sh', 'no script bench/start.sh'),
            ('sh bench/own.sh', 'sh bench/mine.sh', 'no script bench/mine.sh'),
            ('libtbb-dev', 'libtbb2-dev', 'no script installs libtbb2-dev'),
            ('examples/sort', 'examples/life', 'nothing builds build/examples/life'),
            ('src/html/index.html', 'docs/index.html', 'nothing builds build/docs/index.html'),
            ('results.json', 'all.json', 'no script writes build-bench/all.json'),
            ('build-bench', 'build-b', 'no script writes build-b/'),
        ):
            self.assertIn(complaint, self.complaints(old, new), new)

    def test_options_that_are_not_taken(self):
        for old, new, complaint in (
            ('--threads all ', '--threads many --rounds 3 ', 'has no option --rounds'),
            ('with --quick', 'with --fast', 'has no option --fast'),
            ('=release', '=quick', 'meson setup has no --buildtype=quick'),
            ('meson test', 'meson check', 'meson has no check'),
            ('-C build docs', '-C build pages', '0 targets pages'),
        ):
            self.assertIn(complaint, self.complaints(old, new), new)
        self.assertIn(
            '2 targets docs',
            self.complaints("('docs')", "('docs')\nlibrary('docs')", 'src/meson.build'),
        )
        self.assertIn(
            'has no --threads all', self.complaints('--threads all\n', '', 'bench/furca_bench.py')
        )
        self.assertIn(
            'has no --threads 1,2',
            self.complaints('--threads 1,2,... numbers', '', 'bench/furca_bench.py'),
        )

    def test_versions_that_differ(self):
        for old, new, path in (
            ('>=0.1', '>=0.2', 'README.md'),
            ('furca 0.1', 'furca 0.3', 'examples/guide/install.md'),
            ('furca-0.1', 'furca-1.0', 'examples/guide/install.md'),
            ('0.1.0', '0.2.0', 'src/packaging/vcpkg/vcpkg.json'),
            ('0.1.0', '0.2.0', 'src/packaging/wrapdb/furca.wrap'),
        ):
            self.assertIn('and meson.build has 0.1', self.complaints(old, new, path), new)
        self.assertIn('asks for no version', self.complaints(", version: ['>=0.1', '<0.2']", ''))
        self.assertIn('the next minor version is 0.2', self.complaints("'<0.2'", "'<0.3'"))
        self.assertIn('does not provide it', self.complaints('furca-tbb', 'furca-omp'))


class Functions(unittest.TestCase):
    TABLE = """# name | what it does
== furca.hpp: all; `Task`
== sort.hpp: sorts
sort | sorts | v
rotate | the n-th
  first | v, middle
== scan.hpp: sums
scan | adds up | x, out, 0 | | std::scan(x);
max | the greatest | x | value, value
map | makes | x | -
join | forks
"""
    HEADERS = functions.table(TABLE)
    TREE = {
        functions.PAGE: f'# API\n{functions.HEADING}\nAll.\n{functions.reference(HEADERS)}\nEnd.\n',
        functions.MODULE: functions.exporting(
            'using furca::Task;\n}', ('sort', 'rotate', 'scan', 'max', 'map', 'join')
        ),
        'include/furca/furca.hpp': '',
        'include/furca/sort.hpp': '',
        'include/furca/scan.hpp': '',
        'tests/a/sort_test.cpp': '#include <furca/sort.hpp>\nfurca::sort(v); rotate(v);',
        'tests/b_test.cpp': '#include <furca/scan.hpp>\nscan(x); max(x); furca::map<L<int>>(x);',
    }

    def complaints(self, path=functions.PAGE, old='', new=''):
        self.assertIn(old, self.TREE[path])
        text = self.TREE[path].replace(old, new)
        return '\n'.join(functions.check(self.TREE | {path: text}, self.HEADERS))

    def test_the_table(self):
        self.assertEqual(self.HEADERS[2].functions[0].program, 'std::scan(x);')
        self.assertEqual(
            functions.calls(self.HEADERS),
            [
                'FURCA_CALL(sort, v.begin(), v.end())',
                'FURCA_CALL(rotate, v.begin(), middle, v.end())',
                'FURCA_CALL(scan, x.begin(), x.end(), out.begin(), 0)',
                'FURCA_CALL(max, value, value)',
            ],
        )

    def test_what_differs(self):
        self.assertEqual(self.complaints(), '')
        self.assertIn('calls map', self.complaints(list(self.TREE)[-1], '::map', '::maps'))
        self.assertIn('--write', self.complaints(functions.PAGE, 'the n-th first', 'the first'))
        self.assertIn('--write', self.complaints(functions.MODULE, 'using furca::map;\n'))
        tree = {path: text for path, text in self.TREE.items() if 'include/furca/sort' not in path}
        tree['include/furca/search.hpp'] = ''
        self.assertEqual(
            functions.check(tree, self.HEADERS),
            ['functions.txt has no search.hpp', 'functions.txt has sort.hpp, and there is none'],
        )


class Edits(unittest.TestCase):
    TREE = {
        'include/furca/a/flag.hpp': 'int set() {\n  word = 1;  // [X1]\n  ring("a", 1\'000);\n}\n',
        'src/b/flag.cpp': 'int b() { word = 1; }\n',
    }

    def edited(self, *body, file='flag.hpp'):
        head = [
            '== model_flag_test -tc="flags*"',
            '',
            'silent: Rings',
            'nobody.',
            'Program: flag',
            'Says: deadlock',
        ]
        (bug,) = edits.bugs_of('\n'.join([*head, '@ ' + file, *body]))
        self.assertEqual(bug[:5], ('silent', 'model_flag_test', 'flags*', 'flag', 'deadlock'))
        return edits.apply(bug, self.TREE)

    def test_wherever_it_is_and_however_it_is_wrapped(self):
        text = 'int set() {\n  word = 1;  // [X1]\n  \n}\n'
        self.assertEqual(
            self.edited('- ring("a",', '-     1\'000);', '+'), {'include/furca/a/flag.hpp': text}
        )
        self.assertEqual(
            edits.words(
                self.edited('  word=1;', '- ring("" "a",1\'000);')['include/furca/a/flag.hpp']
            ),
            edits.words(text),
        )

    def test_two_edits(self):
        (changed,) = self.edited('- word = 1;', '@', '+ late();', '  }').values()
        self.assertEqual(
            edits.words(changed), edits.words('int set() { ring("a", 1\'000); late(); }')
        )
        with self.assertRaisesRegex(edits.Misfit, 'overlap'):
            self.edited('- word = 1;', '  ring', '@', '- ring')

    def test_what_does_not_fit(self):
        for body, file, complaint in (
            (['- word = 2;'], 'flag.hpp', 'fits 0 places'),
            (['- word'], 'bell.hpp', 'fits 0 places'),
            (['- (', '+ )'], 'flag.hpp', 'fits 2 places'),
            (['  word'], 'flag.hpp', 'changes nothing'),
            (['+ word'], 'flag.hpp', 'stands nowhere'),
        ):
            with self.assertRaisesRegex(edits.Misfit, complaint):
                self.edited(*body, file=file)
        with self.assertRaisesRegex(edits.Misfit, 'not as edits.py'):
            edits.bugs_of(
                '== model_flag_test -tc="flags*"\n\nsilent: Rings nobody.\n@ flag.hpp\n- word'
            )


if __name__ == '__main__':
    unittest.main()
