#!/usr/bin/env python3
"""wrong_calls.py SOURCE... -- COMPILER [ARGUMENT...]

Compiles each source once. A case begins with a comment line of words, and ends before the next one,
an empty line or the end of its function. What the compiler says first about the lines of a case
must contain these words, and little may follow; about all other lines it must say nothing. So a
test fails when a mistake is accepted, when the message does not help, and when a right call is told
off.
"""
import os
import re
import subprocess
import sys

MOST = 3  # errors that one case may have

SAID = re.compile(r'^(?:[^\s:][^:]*:\d+:\d+:|cc1plus:) (?:fatal )?(?:error|warning): (.*)')
BEFORE = re.compile(r'^(In file included from|\s+from |[^ ]+: (In|At) |[^ ]+:\d+:\d+:\s+required)')


def cases_of(lines):
    """Words and line numbers of each case."""
    cases = []
    inside = False
    begun = False
    for number, line in enumerate(lines, 1):
        begun = begun or line.startswith('void wrong')
        comment = re.match(r'\s+// (.*)', line)
        if comment and begun:
            cases.append((comment.group(1).strip(), set()))
            inside = True
        elif not line.strip() or line.startswith('}'):
            inside = False
        if inside:
            cases[-1][1].add(number)
    return cases


def diagnostics(output, source):
    """What is said, and the lines of the source that it is about, the outermost one last."""
    found = []
    pending = []
    for line in output.splitlines():
        at = [int(n) for n in re.findall('^' + re.escape(source) + r':(\d+):\d+', line)]
        said = SAID.match(line)
        if said:
            found.append((said.group(1), at or pending, bool(at)))
            pending = []
        elif BEFORE.match(line):
            pending = pending + (at if 'required' in line else [])
        elif found and not found[-1][2] and at and 'instantiation' in line:
            found[-1] = (found[-1][0], found[-1][1] + at, False)
    return [(words, lines) for words, lines, _ in found]


def check(source, compiler):
    with open(source, encoding='utf-8') as file:
        cases = cases_of(file.read().splitlines())
    run = subprocess.run(
        compiler + ['-fsyntax-only', source], capture_output=True, text=True, check=False,
        env={**os.environ, 'CCACHE_DISABLE': '1'},  # which may shorten the names of files
    )  # fmt: skip
    said = {index: [] for index in range(len(cases))}
    failures = []
    for words, lines in diagnostics(run.stderr, source):
        index = next((i for i, case in enumerate(cases) if lines and lines[-1] in case[1]), None)
        if index is None:
            failures.append(f'{source}: outside of all cases, lines {lines}: {words}')
        else:
            said[index].append(words)
    for index, (expected, lines) in enumerate(cases):
        where = f'{source}:{min(lines)}'
        if not said[index]:
            failures.append(f'{where}: the compiler says nothing, expected "{expected}"')
        elif expected not in said[index][0]:
            failures.append(f'{where}: expected "{expected}", the first error is: {said[index][0]}')
        elif len(said[index]) > MOST:
            failures.append(
                f'{where}: {len(said[index])} errors, and more than {MOST} are not read'
            )
    if not cases:
        failures.append(f'{source}: no cases')
    return failures


def main():
    split = sys.argv.index('--')
    failures = [f for source in sys.argv[1:split] for f in check(source, sys.argv[split + 1 :])]
    print('\n'.join(failures))
    sys.exit(bool(failures))


if __name__ == '__main__':
    main()
