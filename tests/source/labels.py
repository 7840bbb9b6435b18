#!/usr/bin/env python3
"""Fails when a memory order or a fence of the library is not accounted for: labels.py TOP.

A *site* is a statement in include/ or src/ that asks for an order other than relaxed, or has a
fence (light, heavy or plain).

1. A site has a label, `// [P1]`: its comment, or the `//` lines just above it, begin with it. A
   label may stand at relaxed accesses and at calls too, where a protocol speaks of them, and at
   several lines.
2. `[P1] pairs with [T3]`, there or in any prose, makes two labels partners of each other. What a
   site asks for must be answered at a partner's lines: a release by an acquire, an acquire by a
   release, either by a fence, a fence by a fence; acq_rel and seq_cst accesses ask for both halves.
   What nothing answers is either a mistake or need not be asked for.
3. Every label that a comment, a page (*.md) or a test mentions stands at a line of code.
4. A row of a table, `[P1] bottom_ = b   release`, claims no order that the code at that label does
   not have.
5. A file with sites names what checks it: `Checked by: tests/model/deque_programs.hpp ("growing
   twice")`. The file exists, and what is quoted (a program, a test case) stands in it.

An atomic used without any order is sequentially consistent, and so a site. detail/base/atomics.hpp
is the seam, which defines the fences, and is exempt.
"""
import re
import sys
from pathlib import Path
from typing import NamedTuple

SEAM = 'include/furca/detail/base/atomics.hpp'
LABEL = r'\[[A-Z]\d\]'
LABELS = rf'{LABEL}(?:(?:,? and |, | ){LABEL})*'
ORDER = re.compile(r'memory_order(?:_|::)(\w+)')
FENCE = re.compile(r'(?:^|[;{}()])\s*(?:\w+::)*(?:\w+_)?fence\(')
OPERATION = re.compile(r'(?:\.|->)(?:load|store|exchange|compare_exchange_\w+|fetch_\w+)\(')
ATOMIC = re.compile(r'\b[Aa]tomic<[^;()]*>\s+(\w+)\s*[{;]')
BOTH = {'acquire', 'release'}
HALVES = {
    'relaxed': set(),
    'acquire': {'acquire'},
    'release': {'release'},
    'acq_rel': BOTH,
    'seq_cst': BOTH,
}
ANSWERS = {'acquire': {'release', 'fence'}, 'release': {'acquire', 'fence'}, 'fence': {'fence'}}
IN_ROW = re.compile(rf'({LABEL})((?:(?!{LABEL}).)*)')
CLAIM = re.compile(rf'\s\s({"|".join(HALVES)})(?:,.*)?\s*$')


class Statement(NamedTuple):
    place: str
    code: str
    labels: list
    asks: set  # of acquire, release, fence
    # asks is all that there is to know: it is no call of something that has orders of its own
    explicit: bool


def split(line):
    """The code of a line, with string literals emptied, and its comment."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', lambda text: '"' + '_' * (len(text[0]) - 2) + '"', line)
    at = bare.find('//')
    return (bare, '') if at < 0 else (bare[:at], line[at:])


def labels_at(comment):
    """Those that a comment begins with; what follows is about them."""
    found = re.match(rf'//\s*({LABEL}(?:\s*{LABEL})*)', comment)
    return re.findall(LABEL, found[1]) if found else []


def asked(code, atomics):
    orders = ORDER.findall(code)
    asks = set().union(*(HALVES[order] for order in orders))
    converted = any(
        re.search(rf'(?:^|[!(=&|]|return)\s*{name}\s*(?:[)?;&|=<>+]|-[^>])', code)
        for name in atomics
    )
    if converted or (OPERATION.search(code) and not orders):
        asks = BOTH
    if FENCE.search(code):
        asks = {'fence'}
    return asks, bool(orders) or bool(asks)


def statements(name, text):
    """Lines of code; those that end within parentheses go on in the next."""
    atomics = set(ATOMIC.findall(text))
    code = comment = above = ''
    for number, line in enumerate(text.splitlines(), 1):
        part, remark = split(line)
        if not part.strip():
            above = above if labels_at(above) and re.match(r'//\s*[^/\[\s]', remark) else remark
            continue
        start = number if not code else start
        code, comment = code + part, comment or remark
        if code.count('(') > code.count(')') and not part.rstrip().endswith(('{', ';')):
            continue
        asks, explicit = asked(code, atomics)
        yield Statement(
            f'{name}:{start}', code, labels_at(comment) or labels_at(above), asks, explicit
        )
        code = comment = above = ''


def prose(name, text):
    """(place, line) of all that is not code: pages, comments, and what tests say in strings."""
    for number, line in enumerate(text.splitlines(), 1):
        if name.endswith('.md') or name.startswith('tests/'):
            yield f'{name}:{number}', line
        elif split(line)[1]:
            yield f'{name}:{number}', split(line)[1]


def check(files):
    """What is wrong with a tree, {path: text}."""
    wrong = []
    sources = [
        name for name in files if re.fullmatch(r'(include|src)/.*\.[ch]pp', name) and name != SEAM
    ]
    code = [line for name in sources for line in statements(name, files[name])]
    told = [line for name, text in files.items() for line in prose(name, text)]
    there, open_ended, partners = {}, set(), {}
    for line in code:
        for label in line.labels:
            there.setdefault(label, set()).update(line.asks)
            if not line.explicit:
                open_ended.add(label)
    for _, text in told:
        for ours, theirs in re.findall(rf'({LABELS}) pairs? with ({LABELS})', text):
            for one in re.findall(LABEL, ours):
                for other in re.findall(LABEL, theirs):
                    partners.setdefault(one, set()).add(other)
                    partners.setdefault(other, set()).add(one)

    for line in (line for line in code if line.asks):
        if not line.labels:
            wrong.append(f'{line.place}: an order or a fence without a label: {line.code.strip()}')
            continue
        theirs = set().union(*(partners.get(label, set()) for label in line.labels))
        answers = set().union(*(there.get(label, set()) for label in theirs))
        for half in sorted(line.asks):
            if not ANSWERS[half] & answers:
                wrong.append(
                    f'{line.place}: {" ".join(line.labels)}: nothing that it pairs with answers '
                    f'its {half}'
                )
    for place, text in told:
        for label in re.findall(LABEL, text):
            if label not in there:
                wrong.append(f'{place}: {label} stands at no line of code')
        for label, row in IN_ROW.findall(text):
            claim = CLAIM.search(row)
            known = label in there and label not in open_ended and 'fence' not in there[label]
            if claim and known and not HALVES[claim[1]] <= there[label]:
                wrong.append(f'{place}: {label} is said to be {claim[1]}, and is not')
    for name in sorted({line.place.rpartition(':')[0] for line in code if line.asks}):
        wrong += unchecked(name, files)
    return wrong


def unchecked(name, files):
    said = [
        (re.findall(r'\btests/[\w/.]+\b', line), line)
        for line in re.findall(r'Checked by: (.*)', files[name])
    ]
    if not any(paths for paths, _ in said):
        return [f'{name}: has orders, and no line "Checked by: tests/..."']
    wrong = []
    for paths, line in said:
        wrong += [
            f'{name}: checked by {path}, which does not exist'
            for path in paths
            if path not in files
        ]
        shown = ''.join(files.get(path, '') for path in paths)
        wrong += [
            f'{name}: checked by "{quoted}", which {" and ".join(paths)} does not have'
            for quoted in re.findall(r'"([^"]+)"', line)
            if quoted not in shown
        ]
    return wrong


def tree(top):
    found = {}
    inside = [
        path
        for part in ('include', 'src', 'tests', 'bench', 'examples')
        for path in (top / part).rglob('*')
    ]
    for path in sorted([*top.glob('*.md'), *inside]):
        if path.suffix in ('.hpp', '.cpp', '.md') and path.is_file():
            found[str(path.relative_to(top))] = path.read_text()
    return found


def main():
    wrong = check(tree(Path(sys.argv[1])))
    for complaint in wrong:
        print(complaint)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
