#!/usr/bin/env python3
"""Prints how long and how divided the project is, beside what is wanted: reach.py TOP.

A figure that must hold fails where it does not; the others are printed. Folders whose files bear
names that users write (`#include <furca/sort.hpp>`, oneTBB's headers, an example for each header)
may be as long as those names are many.
Exit code 77, skipped: this is no clone of the repository.
"""
import collections
import re
import subprocess
import sys
from pathlib import Path
from posixpath import dirname

import columns

PUBLIC = re.compile(
    'include/furca(/compat/(oneapi/)?tbb)?|examples/(guide|reference)|tests/compile_fail'
)
DATA = ('.json', '.svg', '.ppm')
CORE = re.compile(r'(include/furca/detail|src)/(fork|loop|tasks|pool|queues)/')
INCLUDE = re.compile(r'^\s*#\s*include <(furca/[^>]+)>', re.M)


def brought(header, files, seen):
    """The public and private headers that one brings along, itself first."""
    name = 'include/' + header
    if name in files and name not in seen:
        seen.add(name)
        for other in INCLUDE.findall(files[name]):
            brought(other, files, seen)
    return seen


def lines_of(files, chosen):
    return sum(text.count('\n') for name, text in files.items() if chosen(name))


def figures(files):
    """Rows of what it is, how much, the most that is wanted, whether more than that fails."""
    library = re.compile(r'(include|src)/(?!.*compat/).*\.(hpp|cpp|h)$')
    shipped = [name for name in files if library.match(name)]
    folders = collections.Counter(map(dirname, files))
    longest = max(shipped, key=lambda name: files[name].count('\n'))
    row = max((folder for folder in folders if not PUBLIC.fullmatch(folder)), key=folders.get)
    yield f'files in a row, most in {row}', folders[row], 25, True
    yield f'lines of the longest file, {longest}', files[longest].count('\n'), 300, False
    too_wide = sum(len(list(columns.check(name, text))) for name, text in files.items())
    yield 'lines over 100 columns', too_wide, 0, True
    lines = lines_of(files, library.match)
    yield 'lines of include and src, code without the look-alike', lines, 27000, False
    lines = lines_of(files, re.compile('(tests|bench)/').match)
    yield 'lines of tests and bench, without results', lines, 60000, False
    for header, most in (('join', 1600), ('parallel_for', 1200)):
        seen = brought(f'furca/{header}.hpp', files, set())
        lines = lines_of(files, seen.__contains__)
        yield f'lines that {header}.hpp brings, {len(seen)} files', lines, most, False
    core = [re.sub('//.*', '', text) for name, text in files.items() if CORE.match(name)]
    orders = sum(len(re.findall(r'\bmemory_order_\w+', text)) for text in core)
    yield 'explicit orders in the core', orders, 180, False
    page = files['src/algorithms/adding.md'].split('## Rules')[0]
    yield 'files to add an algorithm', len(re.findall('^- ', page, re.M)), 8, True


def main(top):
    listed = subprocess.run(['git', '-C', top, 'ls-files', '-z'], capture_output=True, check=False)
    if listed.returncode != 0:
        return 77
    names = [name for name in listed.stdout.decode().split('\0') if Path(top, name).is_file()]
    files = {name: Path(top, name).read_text() for name in names if not name.endswith(DATA)}
    failed = False
    for what, figure, most, must in figures(files):
        over = figure > most
        failed |= over and must
        verdict = ('FAILED' if must else 'more') if over else 'ok'
        print(f'{figure:7,}  {most:7,}  {verdict:6}  {what}')
    return int(failed)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
