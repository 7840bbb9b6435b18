#!/usr/bin/env python3
"""Fails when a memory order or a fence of the library is not accounted for: labels.py TOP.

A *site* is a statement in include/ or src/ that asks for an order other than relaxed, or has a
fence (light, heavy or plain).

1. A site has a label, `// [deque.P1]`: its comment, or the comment just above it, begins with it.
   What stands before the dot is the protocol. A label may stand at relaxed accesses and at calls
   too, where a protocol speaks of them, and at several lines, which ask for the same. If the
   failure of a compare-exchange asks for an order it has a label of its own: `// [run_queue.D4],
   on failure [run_queue.D5]`.
2. `[deque.P1] pairs with T3`, there or in any prose, makes two labels of a protocol partners of
   each other. A pair of two protocols stands at a line of code, and names both: `[event.Q7] pairs
   with [sleep.S2]`. What a site asks for is answered by a partner: a release by an acquire, an
   acquire by a release, either by a fence, a fence by a fence; acq_rel and seq_cst accesses ask for
   both halves. And each partner answers some of it. What nothing answers is either a mistake or
   need not be asked for.
3. Every label that a comment, a page (*.md) or a test mentions stands at a line of code.
4. A row of a table, `[deque.P1] bottom_ = b   release`, claims no order that the code at that label
   does not have.
5. A file with sites names what checks it: `Checked by: tests/model/programs/deque_programs.hpp
   ("growing twice")`. The file exists, and what is quoted (a program, a test case) stands in it.

So an order that is weakened breaks a rule: this is tried with each, one at a time.

An atomic used without any order is sequentially consistent, and so a site. atomics.hpp is the seam,
which has the fences, with processor.hpp, and is exempt.
"""
import re
import sys
from pathlib import Path
from typing import NamedTuple

SEAM = ('/atomics.hpp', '/processor.hpp')
STEP = r'[A-Z]\d'
LABEL = rf'\[[a-z_]+\.{STEP}\]'
NAME = rf'(?:{LABEL}|{STEP}\b)'
ON_FAILURE = re.compile(rf', on failure ({LABEL})')
BARE = re.compile(rf'(?<![\w\])])\[{STEP}\]')
PAIR = re.compile(rf'({LABEL}(?: {LABEL})*) pairs? with ({NAME}(?:(?:,? and |, | ){NAME})*)')
ORDER = re.compile(r'memory_order(?:_|::)(\w+)')
FENCE = re.compile(r'(?:^|[;{}()?]|\s:)\s*(?:\w+::)*(?:\w+_)?fence\(')
OPERATION = re.compile(r'(?:\.|->)(?:load|store|exchange|compare_exchange_\w+|fetch_\w+)\(')
ATOMIC = re.compile(r'\b[Aa]tomic<[^;()]*>\s+(\w+)\s*[{;]')
CHECKED_BY = re.compile(r'Checked by: ((?:tests/[\w/.]+(?: \([^()]*\))?(?:,? and |, )?)+)')
BOTH = {'acquire', 'release'}
HALVES = {
    'relaxed': set(),
    'acquire': {'acquire'},
    'release': {'release'},
    'acq_rel': BOTH,
    'seq_cst': BOTH,
}
WEAKER = {order: [less for less in HALVES if HALVES[less] < HALVES[order]] for order in HALVES}
ANSWERS = {'acquire': {'release', 'fence'}, 'release': {'acquire', 'fence'}, 'fence': {'fence'}}
IN_ROW = re.compile(rf'({LABEL})((?:(?!{LABEL}).)*)')
CLAIM = re.compile(rf'\s\s({"|".join(HALVES)})(?:,.*)?\s*$')


class Statement(NamedTuple):
    place: str
    code: str
    asks: dict  # label or '': of acquire, release, fence
    explicit: bool  # that is all there is to know: it calls nothing that has orders of its own


def split(line):
    """The code of a line, with string literals emptied, and its comment."""
    literal = r'"(?:[^"\\]|\\.)*"'
    bare = re.sub(literal, lambda text: '"' + '_' * (len(text[0]) - 2) + '"', line)
    at = bare.find('//')
    return (bare, '') if at < 0 else (bare[:at], line[at:])


def labels_at(comment):
    """Those that a comment begins with; what follows is about them."""
    found = re.match(rf'//\s*({LABEL}(?:(?: |, on failure ){LABEL})*)', comment)
    return re.findall(LABEL, found[1]) if found else []


def halves(orders):
    return set().union(*(HALVES[order] for order in orders))


def asked(code, atomics):
    """What a statement asks for, and what if it fails; whether it says anything of orders."""
    orders = ORDER.findall(code)
    before, exchange, after = code.partition('compare_exchange_')
    success, failure = ORDER.findall(before) + ORDER.findall(after)[:1], ORDER.findall(after)[1:]
    asks, on_failure = (halves(success), halves(failure)) if exchange else (halves(orders), set())
    used = [rf'(?:^|[!(=&|]|return)\s*{name}\s*(?:[)?;&|=<>+]|-[^>])' for name in atomics]
    if any(re.search(use, code) for use in used) or (OPERATION.search(code) and not orders):
        asks = BOTH
    if FENCE.search(code):
        asks = {'fence'}
    return asks, on_failure, bool(orders) or bool(asks)


def statements(name, text):
    """Those with a label, an order or a fence; each goes on until a line ends it."""
    atomics = set(ATOMIC.findall(text))
    code = comment = above = ''
    for number, line in enumerate(text.splitlines(), 1):
        part, remark = split(line)
        if not part.strip():
            comment = comment or remark if code else ''
            above = above if remark and labels_at(above) else remark
            continue
        start = number if not code else start
        code, comment = code + part, comment or remark
        if not part.rstrip().endswith((';', '{', '}', ':')) and not part.startswith('#'):
            continue
        asks, on_failure, explicit = asked(code, atomics)
        labels = labels_at(comment) or labels_at(above)
        at = dict.fromkeys(labels or [''] * bool(asks), asks)
        if on_failure or ON_FAILURE.search(comment or above):
            at[(ON_FAILURE.findall(comment or above) or [''])[0]] = on_failure
        if at:
            yield Statement(f'{name}:{start}', code.strip(), at, explicit)
        code = comment = above = ''


def prose(name, text):
    """(place, line) of all that is not code: pages, comments, and what tests say in strings."""
    for number, line in enumerate(text.splitlines(), 1):
        if name.endswith('.md') or name.startswith('tests/'):
            yield f'{name}:{number}', line
        elif split(line)[1]:
            yield f'{name}:{number}', split(line)[1]


def protocol(label):
    return label[1:].partition('.')[0]


def pairs(told):
    """({label: its partners}, what is wrong about what is told of pairs)."""
    partners, wrong = {}, []
    for place, text in told:
        for ours, theirs in PAIR.findall(text):
            for one in re.findall(LABEL, ours):
                for other in re.findall(NAME, theirs):
                    other = other if other[0] == '[' else f'[{protocol(one)}.{other}]'
                    if protocol(one) != protocol(other) and not labels_at(text):
                        wrong.append(f'{place}: {one} and {other} become a pair at a line of code')
                    partners.setdefault(one, set()).add(other)
                    partners.setdefault(other, set()).add(one)
    return partners, wrong


def answers(asks, theirs):
    if 'fence' in asks | theirs:
        return bool(theirs)
    return any(ANSWERS[half] & theirs for half in asks)


def unanswered(code, partners):
    """What is wrong by the first two rules."""
    wrong = []
    there = {}
    for line in code:
        for label, asks in line.asks.items():
            if line.explicit:
                place, known = there.setdefault(label, (line.place, asks))
                if label and asks != known:
                    wrong.append(f'{line.place}: {label} asks for something else at {place}')
    for line in code:
        for label, asks in line.asks.items():
            if not label and asks:
                wrong.append(f'{line.place}: an order or a fence without a label: {line.code}')
            if not label or not asks:
                continue
            theirs = {other: there[other][1] for other in partners.get(label, ()) if other in there}
            for half in sorted(asks):
                if not any(ANSWERS[half] & other for other in theirs.values()):
                    wrong.append(f'{line.place}: {label}: no partner answers its {half}')
            wrong += [
                f'{line.place}: {label}: its partner {other} does not answer'
                for other in sorted(theirs)
                if not answers(asks, theirs[other])
            ]
    return wrong


def sites(files):
    return {
        name: list(statements(name, text))
        for name, text in files.items()
        if re.fullmatch(r'(include|src)/.*\.([ch]pp|h)', name) and not name.endswith(SEAM)
    }


def check(files):
    """What is wrong with a tree, {path: text}."""
    code = [line for lines in sites(files).values() for line in lines]
    told = [line for name, text in files.items() for line in prose(name, text)]
    partners, wrong = pairs(told)
    wrong += unanswered(code, partners)
    there, open_ended = {}, set()
    for line in code:
        for label, asks in line.asks.items():
            there.setdefault(label, set()).update(asks)
            if not line.explicit:
                open_ended.add(label)
    wrong += [
        f'{label}, a partner of {" ".join(sorted(others))}, stands at no line of code'
        for label, others in sorted(partners.items())
        if label not in there
    ]
    for place, text in told:
        wrong += [f'{place}: {label} has no protocol' for label in BARE.findall(text)]
        wrong += [
            f'{place}: {label} stands at no line of code'
            for label in re.findall(LABEL, text)
            if label not in there
        ]
        for label, row in IN_ROW.findall(text):
            claim = CLAIM.search(row)
            known = label in there and label not in open_ended and 'fence' not in there[label]
            if claim and known and not HALVES[claim[1]] <= there[label]:
                wrong.append(f'{place}: {label} is said to be {claim[1]}, and is not')
    for name in sorted({line.place.rpartition(':')[0] for line in code if any(line.asks.values())}):
        wrong += unchecked(name, files)
    return wrong


def unchecked(name, files):
    text = re.sub(r'\n\s*///? +', ' ', files[name])
    said = [(re.findall(r'\btests/[\w/.]+\b', which), which) for which in CHECKED_BY.findall(text)]
    if not any(paths for paths, _ in said):
        return [f'{name}: has orders, and no line "Checked by: tests/..."']
    wrong = []
    for paths, which in said:
        wrong += [
            f'{name}: checked by {path}, which does not exist'
            for path in paths
            if path not in files
        ]
        shown = re.sub(r'"\n\s*"', '', ''.join(files.get(path, '') for path in paths))
        wrong += [
            f'{name}: checked by "{quoted}", which {" and ".join(paths)} does not have'
            for quoted in re.findall(r'"([^"]+)"', which)
            if quoted not in shown
        ]
    return wrong


def weakened(files):
    """For each order of a tree in which nothing is wrong, and each weaker one in its place: what it
    is, and what is wrong then."""
    lines = sites(files)
    partners, _ = pairs([line for name, text in files.items() for line in prose(name, text)])
    for name in lines:
        text = files[name]
        others = [line for other in lines if other != name for line in lines[other]]
        for order in ORDER.finditer(text):
            above, _, line = text[: order.start()].rpartition('\n')
            for weaker in WEAKER[order[1]] if '//' not in line else []:
                changed = text[: order.start(1)] + weaker + text[order.end(1) :]
                wrong = unanswered([*others, *statements(name, changed)], partners)
                yield f'{name}:{above.count(chr(10)) + 2}: {weaker} for {order[1]}', wrong


def tree(top):
    found = {}
    parts = ('include', 'src', 'tests', 'bench', 'examples')
    inside = [path for part in parts for path in (top / part).rglob('*')]
    for path in sorted([*top.glob('*.md'), *inside]):
        if path.suffix in ('.hpp', '.cpp', '.h', '.md') and path.is_file():
            found[str(path.relative_to(top))] = path.read_text()
    return found


def main():
    files = tree(Path(sys.argv[1]))
    wrong = check(files)
    if not wrong:
        tried = list(weakened(files))
        wrong = [f'{weaker} would not be noticed' for weaker, found in tried if not found]
        print(f'{len(tried) - len(wrong)} of {len(tried)} weaker orders noticed')
    print(*wrong, sep='\n')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
