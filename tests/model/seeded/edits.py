#!/usr/bin/env python3
"""Known bugs as named edits of the library's source: edits.py TOP fails unless each still fits.

The bugs stand in the text files beside this script:

  == model_deque_test -tc="deque: every task*"     what finds the bugs below: a program, a filter

  pop_without_fence: The owner has no fence ...    the name, what the bug was, where it happened
  Program: classic deque: the last two items       part of the names of the programs to explore
  Says: a task was consumed twice                  part of what the model checker says
  @ deque.hpp                                      a file's name, or the end of its path
    bottom_.store(b, std::memory_order_release);   code that stays,
  - fence_.before_look();                          goes,
  + if (false) fence_.before_look();               or comes

An edit is what follows one `@`; `@` alone means the file of the edit before. Code is compared token
by token: white space, line ends, comments and the file's folder do not matter. The old code must be
found exactly once in include/ and src/.
"""
import re
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
IGNORED = r'//[^\n]*|/\*.*?\*/|\\\n'
LITERAL = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\d(?:\'?[\w.])*'
TOKEN = re.compile(rf'(?P<ignored>{IGNORED})|{LITERAL}|\w+|[^\w\s]', re.DOTALL)
HEAD = re.compile(r'(\w+): (.+?)\nProgram: (.*)\nSays: (.+?)\n(@ .*)', re.DOTALL)


class Misfit(Exception):
    """The bug has to be put back in its new shape."""


class Edit(NamedTuple):
    file: str
    old: str
    new: str


class Bug(NamedTuple):
    name: str
    test: str
    filter: str
    program: str
    says: str
    edits: list


def tokens(code):
    """(text, start, end) of each; string literals that follow each other are one."""
    found = []
    for token in TOKEN.finditer(code):
        text = token[0]
        if token['ignored']:
            continue
        if text[0] == '"' and found and found[-1][0][0] == '"':
            last = found.pop()
            found.append((last[0][:-1] + text[1:], last[1], token.end()))
        else:
            found.append((text, *token.span()))
    return found


def words(code):
    return [text for text, _, _ in tokens(code)]


def edits_of(text):
    """Each begins with a line with @."""
    edits = []
    for part in re.split(r'^@', text, flags=re.MULTILINE)[1:]:
        file, *lines = part.splitlines()
        old = '\n'.join(line[1:] for line in lines if line[0] in ' -')
        new = '\n'.join(line[1:] for line in lines if line[0] in ' +')
        edits.append(Edit(file.strip() or edits[-1].file, old, new))
    return edits


def bugs_of(text):
    """Those of one file, in order."""
    bugs = []
    test = shown = None
    for paragraph in re.split(r'\n\s*\n', text.strip()):
        if heading := re.fullmatch(r'== (\w+) -tc="([^"]+)"', paragraph):
            test, shown = heading.groups()
            continue
        head = HEAD.fullmatch(paragraph)
        if head is None or test is None:
            raise Misfit(f'not as {Path(__file__).name} describes it: {paragraph}')
        bugs.append(Bug(head[1], test, shown, head[3], head[4], edits_of(head[5])))
    return bugs


def read():
    return [bug for file in sorted(HERE.glob('*.txt')) for bug in bugs_of(file.read_text())]


def place(edit, tree):
    """(path, start, end) of the old code, in {path: text}."""
    old = words(edit.old)
    if not old or old == words(edit.new):
        raise Misfit(f'an edit of {edit.file} changes nothing, or stands nowhere')
    places = []
    for path, text in tree.items():
        if f'/{path}'.endswith(f'/{edit.file}'):
            there = tokens(text)
            these = [text for text, _, _ in there]
            places += [
                (path, there[at][1], there[at + len(old) - 1][2])
                for at in range(len(these) - len(old) + 1)
                if these[at : at + len(old)] == old
            ]
    if len(places) != 1:
        raise Misfit(f'fits {len(places)} places of {edit.file}, and not one:\n{edit.old}')
    return places[0]


def apply(bug, tree):
    """{path: text} of the files that have the bug then."""
    changed = {}
    found = sorted(((*place(edit, tree), edit.new) for edit in bug.edits), reverse=True)
    for (path, start, end, new), later in zip(found, [None, *found]):
        if later and later[0] == path and end > later[1]:
            raise Misfit(f'two edits of {path} overlap')
        text = changed.get(path, tree[path])
        changed[path] = text[:start] + new + text[end:]
    return changed


def library(top):
    """{path: text} of all of its code."""
    paths = [path for part in ('include', 'src') for path in sorted((top / part).rglob('*'))]
    code = [path for path in paths if path.suffix in ('.h', '.hpp', '.cpp')]
    return {str(path.relative_to(top)): path.read_text() for path in code}


def main():
    tree = library(Path(sys.argv[1]))
    bugs = read()
    names = [bug.name for bug in bugs]
    wrong = [f'{name}: there are two' for name in names if names.count(name) > 1]
    for bug in bugs:
        try:
            apply(bug, tree)
        except Misfit as why:
            wrong.append(f'{bug.name}: {why}')
    print(*wrong, f'{len(bugs)} bugs, {len(wrong)} complaints', sep='\n')
    return 1 if wrong or not bugs else 0


if __name__ == '__main__':
    sys.exit(main())
