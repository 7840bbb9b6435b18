#!/usr/bin/env python3
"""The table of public functions, functions.txt, and what is made of it:

    functions.py TOP            fails unless all that has a list of functions agrees with the table:
                                the reference in api.md, the module's exports, the headers there
                                are, and the tests of each algorithm
    functions.py TOP --write    writes the reference into api.md, and what the module lacks
    functions.py TOP --calls    prints the calls that lookup_test.cpp asks whose they are

bench/compile_algorithms.py and tests/compile_fail/sentences.py read the table, too.
"""

import re
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name('functions.txt')
PAGE = 'examples/guide/api.md'
MODULE = 'include/furca/furca.cppm'
HEADING = '## Reference\n'
# The iterators of a call of std's, of the arguments of furca's.
ITERATORS = (
    (r'\bv, middle\b', 'v.begin(), middle, v.end()'),
    (r'\b([xyv])(?=,|$)', r'\1.begin(), \1.end()'),
    (r'\bout\b', 'out.begin()'),
)


class Function(NamedTuple):
    name: str
    does: str
    call: str = ''
    iterators: str = ''
    program: str = ''

    def of_std(self):
        """The arguments of std's function of that name; empty if there is none."""
        if self.iterators or not self.call:
            return self.iterators.removeprefix('-')
        call = self.call
        for pattern, iterators in ITERATORS:
            call = re.sub(pattern, iterators, call)
        return call


class Header(NamedTuple):
    name: str
    has: str
    functions: list


def table(text=None):
    """The headers, in their order."""
    headers = []
    text = re.sub(r'^#.*\n', '', TABLE.read_text() if text is None else text, flags=re.M)
    for line in re.sub(r'\n +', ' ', text).split('\n'):
        if line.startswith('== '):
            headers.append(Header(*line.removeprefix('== ').split(': ', 1), []))
        elif line:
            headers[-1].functions.append(Function(*re.split(r' ?\|(?: |$)', line)))
    return headers


def item(indent, text):
    """An item of a list of Markdown, whose links and code are not broken over lines."""
    whole = re.sub(r'\[[^]]*\]\([^)]*\)|`[^`]*`', lambda found: found[0].replace(' ', '\0'), text)
    return textwrap.fill(
        whole,
        100,
        initial_indent=indent + '- ',
        subsequent_indent=indent + '  ',
        break_long_words=False,
        break_on_hyphens=False,
    ).replace('\0', ' ')


def reference(headers):
    """A list of Markdown."""
    lines = ['']
    for header in headers:
        link = f'[`{header.name}`](../../include/furca/{header.name})'
        lines.append(item('', f'{link}: {header.has}'))
        lines += [item('  ', f'`{each.name}`: {each.does}') for each in header.functions]
    return '\n'.join([*lines, ''])


def calls(headers):
    return [
        f'FURCA_CALL({function.name}, {function.of_std()})'
        for header in headers
        for function in header.functions
        if function.of_std()
    ]


def parted(page):
    """What is in front of the list of the reference, the list, and what is behind it."""
    before, heading, rest = page.partition(HEADING)
    found = re.match(r'((?:[^- ].*\n|\n)*?)(\n(?:- .*\n|  .*\n)+)', rest)
    if not found:
        sys.exit(f'{PAGE} has no list below {HEADING}')
    return before + heading + found[1], found[2], rest[found.end() :]


def exporting(module, names):
    """A module that exports these names, too."""
    exports = re.compile(r'(?:^using furca::.*;\n)+', re.M)
    lines = {*exports.search(module)[0].splitlines(True), *(f'using furca::{n};\n' for n in names)}
    return exports.sub(''.join(sorted(lines, key=lambda line: (line[:-2].lower(), line))), module)


def check(files, headers):
    """What is wrong with a tree, {path: text}."""
    named = [function.name for header in headers for function in header.functions]
    twice = sorted({name for name in named if named.count(name) > 1})
    wrong = [f'functions.txt has two {name}' for name in twice]
    there = {path.split('/')[-1] for path in files if re.fullmatch(r'include/furca/\w+\.hpp', path)}
    listed = {header.name for header in headers}
    wrong += [f'functions.txt has no {name}' for name in sorted(there - listed)]
    wrong += [f'functions.txt has {name}, and there is none' for name in sorted(listed - there)]
    if parted(files[PAGE])[1] != reference(headers):
        wrong.append(f'{PAGE}: the reference is not that of functions.txt: functions.py --write')
    if files[MODULE] != exporting(files[MODULE], named):
        wrong.append(f'{MODULE} does not export all of functions.txt: functions.py --write')
    for header in headers:
        include = f'#include <furca/{header.name}>'
        tests = ''.join(t for path, t in files.items() if path.endswith('.cpp') and include in t)
        wrong += [
            f'no test that has {include} calls {function.name}'
            for function in header.functions
            if function.call and not re.search(rf'\b{function.name}(?:<[^;()]*>)?\(', tests)
        ]
    return wrong


def main(top, *options):
    headers = table()
    if options == ('--calls',):
        print('\n'.join(calls(headers)))
        return 0
    if options == ('--write',):
        page = Path(top, PAGE)
        before, _, behind = parted(page.read_text())
        page.write_text(before + reference(headers) + behind)
        module = Path(top, MODULE)
        names = [function.name for header in headers for function in header.functions]
        module.write_text(exporting(module.read_text(), names))
        return 0
    paths = [*Path(top, 'include/furca').glob('*.hpp'), *Path(top, 'tests').rglob('*_test.cpp')]
    files = {str(path.relative_to(top)): path.read_text() for path in paths}
    files |= {path: Path(top, path).read_text() for path in (PAGE, MODULE)}
    wrong = check(files, headers)
    print('\n'.join(wrong), end='\n' if wrong else '')
    return 1 if wrong else 0


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit('usage: functions.py TOP [--write | --calls]')
    sys.exit(main(*sys.argv[1:]))
