#!/usr/bin/env python3
"""Fails when the guide shows code that is not compiled: guide.py TOP.

1. Every ```cpp block of README.md and examples/**/*.md stands, line by line, in a program of
   examples/, indented or not. Other libraries' code is in ```c++ blocks, without furca in them.
2. Every program of examples/ is in examples/meson.build, and so compiled and run, but for those of
   examples/plugs/, which need other libraries (tests/plugs/run.py compiles and runs them), and
   examples/browser/, which needs emscripten (tests/cross/browser.py).
"""
import re
import sys
from pathlib import Path

import markdown


def stands_in(block, text):
    lines = block.split('\n')
    return any(
        '\n' + '\n'.join(' ' * indent + line if line else line for line in lines) + '\n'
        in f'\n{text}\n'
        for indent in range(0, 9, 2)
    )


def check(pages, programs, build):
    """`pages`, `programs`: {path: text}; `build`: the text of examples/meson.build."""
    wrong = []
    for path, text in sorted(pages.items()):
        for number, block in markdown.blocks(text, 'cpp'):
            if not any(stands_in(block, program) for program in programs.values()):
                wrong.append(f'{path}:{number}: no program of examples/ has this block')
        for number, block in markdown.blocks(text, 'c++'):
            if 'furca' in block:
                wrong.append(
                    f'{path}:{number}: a c++ block with furca in it: what is ours is in ```cpp '
                    'blocks, and compiled'
                )
    for path in sorted(programs):
        elsewhere = re.search('/(plugs|browser)/', path)
        if not elsewhere and not re.search(rf"'{Path(path).stem}'", build):
            wrong.append(f'{path}: is not in examples/meson.build')
    return wrong


def main():
    top = Path(sys.argv[1])
    pages = {
        str(path.relative_to(top)): path.read_text()
        for path in [top / 'README.md', *(top / 'examples').rglob('*.md')]
    }
    programs = {
        str(path.relative_to(top)): path.read_text() for path in (top / 'examples').rglob('*.cpp')
    }
    wrong = check(pages, programs, (top / 'examples' / 'meson.build').read_text())
    for complaint in wrong:
        print(complaint)
    return 1 if wrong or not pages else 0


if __name__ == '__main__':
    sys.exit(main())
