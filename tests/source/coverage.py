#!/usr/bin/env python3
"""Reads what tests/coverage.sh has measured: coverage.py TOP LCOV_FILE...

Prints for each file of include/ and src/ its lines, those that ran, their share, and the numbers of
those that did not. Fails if less than 95 % ran in total, if a catch block was never entered, or if
a file of src/ is not in the figures at all, but for chosen.cpp, which only includes others.
"""
import re
import sys
from pathlib import Path

# tested by tests/mpi/run.py and tests/plugs/run.py, by other compilers and with other libraries
ELSEWHERE = ('include/furca/mpi.hpp', 'include/furca/detail/mpi/', 'include/furca/plugs/')
LEAST = 95.0


def read_lcov(*texts):
    """{absolute path: {line: how often it ran, in the build where it ran most}}"""
    files, lines = {}, {}
    for record in '\n'.join(texts).splitlines():
        kind, _, value = record.partition(':')
        if kind == 'SF':
            lines = files.setdefault(value, {})
        elif kind == 'DA':
            number, count = value.split(',')[:2]
            lines[int(number)] = max(lines.get(int(number), 0), int(count))
    return files


def ranges(numbers):
    """[3, 4, 5, 9] as '3-5, 9'"""
    groups = []
    for number in numbers:
        if groups and number == groups[-1][1] + 1:
            groups[-1][1] = number
        else:
            groups.append([number, number])
    return ', '.join(str(first) if first == last else f'{first}-{last}' for first, last in groups)


def catch_blocks(text, lines):
    """The first line with a figure, or None, in the body of each catch block."""
    text = text.splitlines()
    for number, line in enumerate(text, 1):
        if re.search(r'\bcatch \(.*\) \{$', line):
            indent = line[: len(line) - len(line.lstrip())]
            end = next(
                after for after in range(number, len(text)) if text[after].startswith(indent + '}')
            )
            yield number, next(
                (inside for inside in range(number + 1, end + 2) if inside in lines), None
            )


def judge(top, measured):
    wrong, total, total_ran = [], 0, 0
    print(f'{"file":40} {"lines":>6} {"ran":>6} {"%":>6}  not run')
    for path in sorted([*top.glob('include/**/*.hpp'), *top.glob('src/*/*.[ch]pp')]):
        name, lines = path.relative_to(top), measured.get(str(path), {})
        if str(name).startswith(ELSEWHERE):
            continue
        missed = [number for number in sorted(lines) if lines[number] == 0]
        ran = len(lines) - len(missed)
        total, total_ran = total + len(lines), total_ran + ran
        share = f'{100 * ran / len(lines):6.1f}' if lines else '     -'
        print(f'{str(name):40} {len(lines):6} {ran:6} {share}  {ranges(missed)}')
        if path.suffix == '.cpp' and path.name != 'chosen.cpp' and not lines:
            wrong.append(f'{name}: not in the figures')
        for catch, inside in catch_blocks(path.read_text(), lines):
            if inside is None:
                wrong.append(f'{name}:{catch}: this catch block was not compiled')
            elif lines[inside] == 0:
                wrong.append(f'{name}:{catch}: no test enters this catch block')
    share = 100 * total_ran / total if total else 0.0
    print(f'{"total":40} {total:6} {total_ran:6} {share:6.1f}')
    if share < LEAST:
        wrong.append(f'{share:.1f} % of the lines ran; at least {LEAST} % must')
    return wrong


def main():
    top, *reports = map(Path, sys.argv[1:])
    wrong = judge(top, read_lcov(*(report.read_text() for report in reports)))
    for complaint in wrong:
        print('FAILED', complaint)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
