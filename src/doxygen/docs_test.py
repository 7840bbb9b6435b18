#!/usr/bin/env python3
"""The checks of this directory find what they are for, and what Doxygen reads is what the headers
and pages say."""
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import build
import doxygen_input
import guide
import links
import markdown


class Markdown(unittest.TestCase):
    def test_anchors_are_those_of_a_git_host(self):
        text = (
            '# A page\n\n## `join`, and [more](x.md): 2 + 2\n\n'
            '```sh\n# no heading\n```\n## Again\n## Again\n'
        )
        self.assertEqual(
            markdown.anchors(text), {'a-page', 'join-and-more-2--2', 'again', 'again-1'}
        )

    def test_links(self):
        text = (
            '[a](b.md#c) and ![p](q.svg)\n```\n[no](no.md)\n```\n'
            '`[no](no.md)` [`x`](y.md) [[P1]](z.md)\n'
        )
        self.assertEqual(
            [target for _, target in markdown.links(text)], ['b.md#c', 'q.svg', 'y.md', 'z.md']
        )

    def test_blocks(self):
        self.assertEqual(
            list(markdown.blocks('x\n```cpp\na\n\nb\n```\n```c++\nc\n```\n', 'cpp')),
            [(2, 'a\n\nb')],
        )


class Pages(unittest.TestCase):
    def test_none_has_a_place_left_to_fill(self):
        pages = list((Path(__file__).resolve().parents[2] / 'examples' / 'guide').glob('*.md'))
        self.assertTrue(pages)
        for page in pages:
            self.assertNotIn('@@', page.read_text(), page.name)


class Links(unittest.TestCase):
    PAGES = {
        'README.md': '# Top\n[d](examples/guide/a.md#part) [e](examples/) [f](#top)\n'
        '[w](https://example.org/x)\n',
        'examples/guide/a.md': '# A\n## Part\n[up](../../README.md)\n',
    }

    def complaints(self, path, text):
        return links.check(
            self.PAGES | {path: self.PAGES[path] + text}, lambda there: there == 'examples'
        )

    def test_all_is_there(self):
        self.assertEqual(self.complaints('README.md', ''), [])

    def test_a_file_that_is_gone(self):
        self.assertIn(
            'examples/guide/a.md:4: there is no b.md',
            self.complaints('examples/guide/a.md', '[x](b.md)\n')[0],
        )
        self.assertIn(
            'there is no ../../../x', self.complaints('examples/guide/a.md', '[x](../../../x)\n')[0]
        )

    def test_a_heading_that_is_gone(self):
        self.assertIn(
            'examples/guide/a.md has no heading #parts',
            self.complaints('README.md', '[x](examples/guide/a.md#parts)\n')[0],
        )
        self.assertIn('has no heading', self.complaints('README.md', '[x](#bottom)\n')[0])


class Guide(unittest.TestCase):
    PROGRAMS = {'examples/guide/a.cpp': 'void f() {\n  g();\n\n  if (x) {\n    h();\n  }\n}\n'}

    def complaints(self, text, build="'a'"):
        return guide.check({'examples/guide/a.md': text}, self.PROGRAMS, build)

    def test_indented_or_not(self):
        self.assertEqual(
            self.complaints('```cpp\nif (x) {\n  h();\n}\n```\n```cpp\nvoid f() {\n  g();\n```\n'),
            [],
        )

    def test_what_is_not_compiled(self):
        self.assertIn('a.md:2: no program', self.complaints('x\n```cpp\nif (y) {\n```\n')[0])
        self.assertIn('no program', self.complaints('```cpp\ng();\nif (x) {\n```\n')[0])
        self.assertIn('no program', self.complaints('```cpp\nh()\n```\n')[0])

    def test_what_is_ours_is_compiled(self):
        self.assertIn('furca in it', self.complaints('```c++\nfurca::join(f, g);\n```\n')[0])

    def test_a_program_that_is_not_built(self):
        self.assertIn('is not in examples/meson.build', self.complaints('', "'b'")[0])


class Filter(unittest.TestCase):
    def test_a_page_for_each_header(self):
        text = (
            '// A header.\n#pragma once\n\nnamespace furca::found_by_name {\n\nvoid f(int x,\n'
            '       const SourceLocation where =\n           SourceLocation::current());\n\n'
            '}  // namespace furca::found_by_name\n\nnamespace furca::detail {\n\n'
            '}  // namespace furca::detail\n'
        )
        made = doxygen_input.header('a.hpp', text)
        self.assertEqual(len(made.splitlines()), len(text.splitlines()))
        group = '/** @addtogroup a_hpp furca/a.hpp\nA header. @{ */'
        self.assertIn(f'namespace furca {{ {group}\nvoid f(int x\n\n);', made)
        self.assertIn('/** @} */ }  // namespace furca\n', made)
        self.assertIn('\nnamespace furca::detail {\n\n}  // namespace furca::detail', made)

    def test_a_header(self):
        text = (
            '// A header.\n#pragma once\n'
            '/// A class.\n///\n/// owner     thief\n///   [P1] x   [T1] y\n/// P1 first.\n'
            'class C;\n'
            '/// Last:\n///   f();\n/// Cost: none.\nvoid f();\n'
            '  template <class>\n  friend void h();\nint g();\n'
        )
        lines = doxygen_input.header('a.hpp', text).splitlines()
        self.assertEqual(len(lines), len(text.splitlines()))
        self.assertEqual(lines[:2], ['/// @file', '/// A header.'])
        self.assertEqual(
            lines[3:7],
            [
                '/// @code{.unparsed}',
                '/// owner     thief',
                '///   [P1] x   [T1] y @endcode',
                '/// P1 first.',
            ],
        )
        self.assertEqual(
            lines[8:12],
            [
                '/// Last: @code{.cpp}',
                '///   f(); @endcode',
                '/// <p><b>Cost:</b> none.',
                'void f();',
            ],
        )
        self.assertNotIn('friend', '\n'.join(lines))

    def test_a_line_that_ends_early(self):
        early, full = '/// One.', '/// ' + 'x' * 106 + '.'
        self.assertEqual(
            doxygen_input.laid_out(f'{early}\n/// Two.\n{full}\n/// Three.\n/// no end\n/// Four.'),
            [early, '/// <p> Two.', full, '/// Three.', '/// <p> no end', '/// Four.'],
        )

    def test_an_example_for_each_name(self):
        snippets = doxygen_input.snippets(
            {
                'x/a.cpp': '//! [f]\n//! [f]\n  //! [C]\n//! [two]\n',
                'x/b.cpp': '//! [M]\n//! [two]\n//! [constexpr]\n',
            }
        )
        self.assertEqual(snippets, {'f': 'a.cpp', 'C': 'a.cpp', 'M': 'b.cpp', 'constexpr': 'b.cpp'})
        for docstring, declaration, shown in (
            (
                '/// F.',
                'template <C T, class U = C<T>>\n  requires(!C<T>)\n[[nodiscard("(")]] C f(T);',
                '/// F. @snippet a.cpp f',
            ),
            ('/// C.\n/// @{', 'class [[a]] M_API C : f {', '/// C. @snippet a.cpp C\n/// @{'),
            ('/// C.', 'template <class T>\nconcept C = f<T>(0);', '/// C. @snippet a.cpp C'),
            ('/// M.', '#define M \\\n  f(1)', '/// M. @snippet b.cpp M'),
            ('/// F.\n/// @snippet b.cpp two', 'void f();', '/// F.\n/// @snippet b.cpp two'),
            ('/// G.', 'inline constexpr bool g = f(1);', '/// G.'),
        ):
            made = doxygen_input.header('a.hpp', f'{docstring}\n{declaration}', snippets)
            self.assertTrue(made.startswith(f'{shown}\n'), made)
        self.assertEqual(
            doxygen_input.header('a.hpp', '/// F.\nint f();\n/// F.\nint f(int);', snippets),
            '/// F. @snippet a.cpp f\nint f();\n/// F.\nint f(int);',
        )

    def test_sentences_for_wrong_calls(self):
        begin, end = 'namespace furca::found_by_name {\n', '}  // namespace furca::found_by_name'
        text = f'{begin}FURCA_SAYS(f, "f()")\nauto f();\n{end}\n{begin}\nvoid g();\n{end}\n'
        made = doxygen_input.header('a.hpp', text)
        self.assertTrue(made.startswith('\n\n\n\nnamespace furca {'), made)
        self.assertIn('\nvoid g();\n', made)

    def test_a_snippet(self):
        self.assertEqual(
            doxygen_input.example('int main() {\n  //! [a]\n  if (x)\n    f();\n  //! [a]\n}\n'),
            'int main() {\n  //! [a]\nif (x)\n  f();\n  //! [a]\n}',
        )

    def test_a_page(self):
        text = (
            '# T\n## Part `a`\n[x](b.md#c) [y](../../src/x.cpp) [z](#part-a) ![p](pictures/p.svg)\n'
            '[w](https://example.org)\n```\n# [x](b.md)\n```\n'
        )
        self.assertEqual(
            doxygen_input.page(
                'examples/guide/a.md', text, {'examples/guide/a.md', 'examples/guide/b.md'}
            ).splitlines(),
            [
                '# T {#a}',
                '## Part `a` {#a-part-a}',
                '<a href="b.html#b-c">x</a> y <a href="a.html#a-part-a">z</a> ![p](p.svg)',
                '[w](https://example.org)',
                '```',
                '# [x](b.md)',
                '```',
            ],
        )

    def test_bold_words_and_options(self):
        self.assertEqual(
            doxygen_input.page('a.md', '**a `b`** `** --b` --c|---| **d\ne**', {'a.md'}),
            '<b>a `b`</b> `** --b` \\--c|---| <b>d\ne</b>',
        )

    def test_code_with_an_apostrophe(self):
        self.assertEqual(
            doxygen_input.page('a.md', "`f('x')` and `g` of a's `h(\"y\")`", {'a.md'}),
            "``f('x')`` and `g` of a's `h(\"y\")`",
        )


class Examples(unittest.TestCase):
    SHOWN = (
        '<detaileddescription><para><programlisting filename="c.cpp"/></para></detaileddescription>'
    )
    XML = f'''<doxygen><compounddef kind="class" prot="public"><compoundname>furca::C</compoundname>
      <sectiondef><memberdef kind="function" prot="public"><name>f</name></memberdef>
      <memberdef kind="function" prot="public"><name>operator++</name></memberdef>
      <memberdef kind="function" prot="public"><name>~C</name></memberdef>
      <memberdef kind="friend" prot="public"><name>Other</name></memberdef>
      <memberdef kind="function" prot="private"><name>hidden</name></memberdef></sectiondef>
      {SHOWN}</compounddef>
      <compounddef kind="namespace"><compoundname>furca</compoundname><sectiondef>
      <memberdef kind="function"><name>g</name>
      <qualifiedname>furca::g</qualifiedname>{SHOWN}</memberdef>
      <memberdef kind="enum"><qualifiedname>furca::E</qualifiedname>
      <enumvalue><name>one</name></enumvalue>
      {SHOWN}</memberdef></sectiondef></compounddef></doxygen>'''

    def complaints(self, old='', new='', code='C c; c.f(); ++c; E e = one; g();'):
        self.assertIn(old, self.XML)
        return build.uncovered(
            [ElementTree.fromstring(self.XML.replace(old, new, 1))], {'c.cpp': code}
        )

    def test_all_are_shown(self):
        self.assertEqual(self.complaints(), [])

    def test_a_class_without_an_example(self):
        self.assertIn(
            'furca::C: shows no example', self.complaints('<programlisting filename="c.cpp"/>')[0]
        )

    def test_a_function_without_an_example(self):
        self.assertIn(
            'furca::h: shows no example',
            self.complaints(
                '</sectiondef></compounddef></doxygen>',
                '<memberdef kind="function"><qualifiedname>furca::h</qualifiedname></memberdef>'
                '</sectiondef></compounddef></doxygen>',
            )[0],
        )

    def test_what_a_module_exports(self):
        root = ElementTree.fromstring(self.XML)
        self.assertEqual(
            build.exported_wrongly([root], 'using furca::E;\nusing furca::h;\n'),
            [
                'furca::g: furca.cppm does not export it',
                'furca::h: furca.cppm exports what is not public',
            ],
        )

    def test_a_macro_without_an_example(self):
        self.assertEqual(
            ['M: shows no example'],
            self.complaints(
                '<doxygen>',
                '<doxygen><compounddef kind="file"><sectiondef>'
                '<memberdef kind="define"><name>M</name></memberdef></sectiondef></compounddef>',
            ),
        )

    def test_code_in_the_docstring_is_no_example(self):
        self.assertIn(
            'furca::C: shows no example',
            self.complaints('filename="c.cpp"', 'filename=".unparsed"')[0],
        )

    def test_a_member_that_is_not_used(self):
        for code, name in (
            ('++c; E one; g(); // f()', 'f'),
            ('c.f(); E one; g()', 'operator++'),
            ('c.f(); ++c; E e; g();', 'one'),
            ('c.f(); ++c; E one;', 'g'),
        ):
            self.assertIn(f'::{name}: is ', self.complaints(code=code)[0])

    def test_dead_links(self):
        with tempfile.TemporaryDirectory() as directory:
            (Path(directory) / 'a.html').write_text(
                '<a href="b.html#x">1</a><a href="b.html#y">2</a><img src="p.svg">'
                '<a href="https://e.org/">3</a>'
            )
            (Path(directory) / 'b.html').write_text('<a id="x" href="#x"></a>')
            self.assertEqual(
                list(build.dead_links(Path(directory))),
                ['a.html: there is no b.html#y', 'a.html: there is no p.svg'],
            )

    def test_marks_that_are_left(self):
        with tempfile.TemporaryDirectory() as directory:
            (Path(directory) / 'a.html').write_text(
                '<p>x <code>`y`</code> z</p>'
                '<div class="fragment"><div>`**</div></div><!-- fragment --><p>u` v</p>'
                '<p>w**<b>x</b></p><p>run &ndash;y</p>'
            )
            self.assertEqual(
                list(build.marks_left(Path(directory))),
                [
                    f'a.html: is shown as it is written: {mark}'
                    for mark in ('u` v', 'w**', 'run &ndash;y')
                ],
            )


if __name__ == '__main__':
    unittest.main()
