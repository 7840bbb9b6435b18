#!/usr/bin/env python3
"""Fails when src/README.md is no map any more: glossary.py TOP.

The page has at most 150 lines. Its glossary has at most 40 words, each once,
as `- **run queue** (`RunQueue`): meaning`. The name has the words in it; `A` is a type of
include/ or src/, and the b of `A::b` is declared in a file that has A.
"""
import re
import sys
from pathlib import Path

PAGE = 'src/README.md'
ENTRY = re.compile(r'^- \*\*([^*]+)\*\*(?: \(`([\w:]+)`\))?', re.M)
COMMENT = re.compile(r'//.*')


def check(files):
    """Complaints about {path: text}."""
    page = files[PAGE]
    lines = page.count('\n')
    wrong = [f'{PAGE}: {lines} lines'] if lines > 150 else []
    entries = ENTRY.findall(page)
    if not 1 <= len(entries) <= 40:
        wrong.append(f'{PAGE}: {len(entries)} words')
    code = [COMMENT.sub('', text) for path, text in files.items() if path != PAGE]
    for number, (word, name) in enumerate(entries):
        if word in [other for other, _ in entries[:number]]:
            wrong.append(f'{PAGE}: {word}: twice')
        owner, _, member = name.partition('::')
        if not name or word.replace(' ', '').rstrip('s') not in name.lower().replace('_', ''):
            wrong.append(f'{PAGE}: {word}: named for no class or function')
            continue
        is_type = re.compile(rf'\b(?:class|struct|using|enum)\b[^;{{}}()=]*\b(?:Basic)?{owner}\b')
        has_member = re.compile(rf'\b{member}\b\s*[(;]')
        declared = (not member or has_member.search(text) for text in code if is_type.search(text))
        if not any(declared):
            wrong.append(f'{PAGE}: {word}: there is no {name}')
    return wrong


if __name__ == '__main__':
    top = Path(sys.argv[1])
    paths = [top / PAGE, *(top / 'include').rglob('*.hpp'), *(top / 'src').rglob('*.[hc]pp')]
    complaints = check({str(path.relative_to(top)): path.read_text() for path in paths})
    print('\n'.join(complaints))
    sys.exit(bool(complaints))
