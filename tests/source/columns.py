#!/usr/bin/env python3
"""Fails when a line of the repository is longer than 100 columns: columns.py TOP.

Left out are pictures, results, and ```text blocks of a page, which show what a program prints. In a
page code in backticks stands on one line, where prose.py looks at it.
Exit code 77, skipped: this is no clone of the repository.
"""
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r'^ *```([^\n]*)\n.*?^ *```', re.M | re.S)


def without_blocks(text, language=None):
    """A page without its fenced blocks, all or those in one language; lines keep their numbers."""
    return BLOCK.sub(
        lambda block: '\n' * block[0].count('\n') if language in (None, block[1]) else block[0],
        text,
    )


def check(name, text):
    """What is wrong with a file."""
    page = name.endswith('.md')
    shown = without_blocks(text, 'text') if page else text
    for number, line in enumerate(shown.splitlines(), 1):
        if len(line) > 100:
            yield f'{name}:{number}: has {len(line)} columns'
    for number, line in enumerate(without_blocks(text).splitlines() if page else [], 1):
        if line.replace('``', '').count('`') % 2:
            yield f'{name}:{number}: code in backticks is broken over two lines'


def main(top):
    listed = subprocess.run(['git', '-C', top, 'ls-files', '-z'], capture_output=True, check=False)
    if listed.returncode != 0:
        return 77
    wrong = []
    for name in listed.stdout.decode().split('\0'):
        if name and not name.endswith(('.svg', '.json', '.ppm')):
            wrong += check(name, Path(top, name).read_text())
    print('\n'.join(wrong))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
