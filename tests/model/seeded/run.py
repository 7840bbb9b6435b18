#!/usr/bin/env python3
"""Puts old bugs back into the library, one at a time: the model checker must find each.

run.py TOP CHECKER MAIN LIBRARY [NAME...]

TOP is the source tree; CHECKER, MAIN and LIBRARY are the archives to link with (the model checker,
doctest's main, libfurca's objects). NAME is that of a bug; without any, all are tried. edits.py
tells how they are written. An edit that does not fit is a failure: the source has moved on, and the
bug has to be put back in its new shape.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import edits

MODEL = Path(__file__).resolve().parents[1]
COMPILE = shlex.split(os.environ.get('CXX', 'c++'))
COMPILE += ['-std=c++20', '-O1', '-DNDEBUG', '-pthread', '-Iinclude', '-Isrc', '-Itests']
# What model_pool_test is made of: the list in tests/model/meson.build.
LISTED = (MODEL / 'meson.build').read_text()
POOL = [
    *(f'tests/model/{file}' for file in re.findall(r"'(machine/\w+\.cpp)'", LISTED)),
    *re.findall(r"'\.\./\.\./(src/[\w/]+\.cpp)'", LISTED),
]
POOL_IN_ONE = 'pool_in_one.cpp'  # compiles in a fraction of the time; includes them


class Broken(Exception):
    """The bug is at fault, not the checker."""


def copy_tree(top, to):
    for part in ('include', 'src', 'tests/model'):
        shutil.copytree(top / part, to / part)
    for header in (top / 'tests').rglob('*.hpp'):
        copy = to / header.relative_to(top)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(header, copy)
    (to / POOL_IN_ONE).write_text(''.join(f'#include "{file}"\n' for file in POOL))


def run(command, tree, why):
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    if done.returncode != 0:
        raise Broken(f'{why}\n{done.stdout}{done.stderr}')
    return done.stdout


class Objects:
    """Of a test program. What a bug does not reach is compiled once, in the tree as it is.

    For any number of threads."""

    def __init__(self, tree, to):
        self.tree = tree
        self.to = to
        self.includes = {}
        self.locks = defaultdict(threading.Lock)  # for each name

    def of(self, test, changed_tree, changed):
        source = f'tests/model/{test.replace("_classic", "")}.cpp'
        if not test.startswith('model_pool'):
            return [self._one(test, source, [], changed_tree, changed)]
        asymmetric = 'false' if 'classic' in test else 'true'
        machine = [
            '-DFURCA_ATOMICS_HEADER="model/machine/machine.hpp"',
            '-DFURCA_MODEL_ASYMMETRIC=' + asymmetric,
        ]
        parts = [source, POOL_IN_ONE]
        return [self._one(test, part, machine, changed_tree, changed) for part in parts]

    def _one(self, test, source, machine, changed_tree, changed):
        name = f'{test}-{Path(source).stem}.o'
        with self.locks[name]:
            if name not in self.includes:
                command = [*COMPILE, *machine, '-MM', source]
                rule = run(command, self.tree, f'{source} cannot be read')
                read = rule.replace('\\\n', ' ').split()[1:]
                self.includes[name] = {os.path.normpath(file) for file in read}
            if self.includes[name].isdisjoint(changed):
                if not (self.to / name).exists():
                    self._compile(source, machine, self.tree, self.to / name)
                return self.to / name
        self._compile(source, machine, changed_tree, changed_tree / name)
        return changed_tree / name

    @staticmethod
    def _compile(source, machine, tree, to):
        run([*COMPILE, *machine, '-c', source, '-o', to], tree, f'{source} does not compile')


def explore(bug, tree, objects, libraries):
    """What the checker has to say of the library with that bug: its exit code and its words."""
    changed = edits.apply(bug, edits.library(tree))
    with tempfile.TemporaryDirectory() as scratch:
        changed_tree = Path(scratch)
        copy_tree(tree, changed_tree)
        for path, text in changed.items():
            (changed_tree / path).write_text(text)
        parts = objects.of(bug.test, changed_tree, changed.keys())
        run([*COMPILE, '-o', 'program', *parts, *libraries], changed_tree, 'does not link')
        done = subprocess.run(
            [changed_tree / 'program', '-tc=' + bug.filter],
            cwd=changed_tree,
            env={**os.environ, 'MODEL_PROGRAM': bug.program},
            capture_output=True,
            text=True,
        )
    if ' executions ' not in done.stdout:
        raise Broken(f'no program was explored\n{done.stdout}{done.stderr}')
    return done.returncode, done.stdout


def is_caught(bug, tree, objects, libraries):
    """Whether the bug is found, and a line about it, or all that was said."""
    try:
        exit_code, output = explore(bug, tree, objects, libraries)
    except (Broken, edits.Misfit) as why:
        return False, f'BROKEN   {bug.name}: {why}'
    failure = re.search(rf'(\d+) executions [^\n]*\n([^\n]*{re.escape(bug.says)}[^\n]*)', output)
    if exit_code == 0 or failure is None:
        return False, f'MISSED   {bug.name}\n{output}'
    return True, f'caught   {bug.name} after {failure[1]} executions: {failure[2]}'


def main(top, *arguments):
    libraries = [str(Path(library).resolve()) for library in arguments[:3]]
    names = arguments[3:]
    bugs = [bug for bug in edits.read() if bug.name in names or not names]
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / 'tree'
        copy_tree(Path(top).resolve(), tree)
        objects = Objects(tree, Path(scratch))
        caught = 0
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            results = threads.map(lambda bug: is_caught(bug, tree, objects, libraries), bugs)
            for found, said in results:
                print(said, flush=True)
                caught += found
    expected = len(names) or len(bugs)
    print(f'{caught} of {expected} seeded bugs caught')
    return 0 if caught == expected > 0 else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
