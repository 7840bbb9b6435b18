#!/usr/bin/env python3
"""Fails when a link of a page (*.md) leads nowhere: links.py TOP.

Every link and picture to something in the repository: the file or directory exists, and the page
has the heading that is named after the #. Links to elsewhere are not looked at, and so nothing
needs the network.
"""
import re
import sys
from os.path import dirname, normpath
from pathlib import Path

import markdown


def check(pages, exists):
    """What is wrong with these pages, {path: text}; `exists(path)` tells of everything else."""
    wrong = []
    anchors = {path: markdown.anchors(text) for path, text in pages.items()}
    for path, text in sorted(pages.items()):
        for number, target in markdown.links(text):
            if re.match(r'\w+:', target):
                continue
            file, _, anchor = target.partition('#')
            there = normpath(f'{dirname(path)}/{file}'.lstrip('/')) if file else path
            if there.startswith('..') or not (there in pages or exists(there)):
                wrong.append(f'{path}:{number}: there is no {target}')
            elif anchor and anchor not in anchors.get(there, set()):
                wrong.append(f'{path}:{number}: {there} has no heading #{anchor}')
    return wrong


def main():
    top = Path(sys.argv[1])
    pages = {path: (top / path).read_text() for path in markdown.pages(top)}
    wrong = check(pages, lambda path: (top / path).exists())
    for complaint in wrong:
        print(complaint)
    return 1 if wrong or not pages else 0


if __name__ == '__main__':
    sys.exit(main())
