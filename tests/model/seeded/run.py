#!/usr/bin/env python3
"""Puts old bugs back into the library, one at a time, and requires that the model checker finds each.

run.py TOP CHECKER MAIN LIBRARY [NAME...]

TOP is the source tree; CHECKER, MAIN and LIBRARY are the archives to link with (the model checker, doctest's main, libfurca's
objects). NAME is that of a patch beside this script; without any, all are tried. What stands before the first `---` of a patch
tells what the bug was and where it happened, and

  Caught by: model_deque_test -tc="deque: every task*"   a test program of tests/model, and a doctest filter
  Program: classic deque: growing twice                  what the names of the programs to explore contain (MODEL_PROGRAM)
  Says: a task was consumed twice                        part of what the checker says

A patch that does not apply is a failure: the source has moved on, and the bug has to be put back in its new shape. No fuzz is
allowed, so that none lands where it does not belong.
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
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
COMPILE = shlex.split(os.environ.get('CXX', 'c++')) + ['-std=c++20', '-O1', '-DNDEBUG', '-pthread', '-Iinclude', '-Isrc', '-Itests']
# What model_pool_test is made of: the list in tests/model/meson.build.
POOL = [*(f'tests/model/{file}' for file in re.findall(r"'(machine/\w+\.cpp)'", (HERE.parent / 'meson.build').read_text())),
        *re.findall(r"'\.\./\.\./(src/\w+/\w+\.cpp)'", (HERE.parent / 'meson.build').read_text())]
POOL_IN_ONE = 'pool_in_one.cpp'  # compiles in a fraction of the time; includes them


class Broken(Exception):
    """The seed is at fault, not the checker."""


class Seed(NamedTuple):
    name: str
    patch: Path
    changed: set  # files
    test: str
    filter: str
    program: str
    says: str


def read(patch):
    head, _, body = patch.read_text().partition('\n--- ')
    told = dict(re.findall(r'^(Caught by|Program|Says): (.+)$', head, re.M))
    caught_by = re.fullmatch(r'(\w+) -tc="([^"]+)"', told.get('Caught by', ''))
    changed = set(re.findall(r'^\+\+\+ b/(\S+)', body, re.M))
    if caught_by is None or not changed or not told.keys() >= {'Program', 'Says'}:
        raise Broken('the head of a seed has "Caught by", "Program" and "Says", and its diff is from a/... to b/...')
    return Seed(patch.stem, patch, changed, caught_by[1], caught_by[2], told['Program'], told['Says'])


def copy_tree(top, to):
    for part in ('include', 'src', 'tests/model'):
        shutil.copytree(top / part, to / part)
    for header in (top / 'tests').glob('*.hpp'):
        shutil.copy(header, to / 'tests')
    (to / POOL_IN_ONE).write_text(''.join(f'#include "{file}"\n' for file in POOL))


def run(command, tree, why):
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    if done.returncode != 0:
        raise Broken(f'{why}\n{done.stdout}{done.stderr}')
    return done.stdout


class Objects:
    """Of a test program. What a patch does not reach is compiled once, in the tree as it is. For any number of threads."""

    def __init__(self, tree, to):
        self.tree = tree
        self.to = to
        self.includes = {}
        self.locks = defaultdict(threading.Lock)  # for each name

    def of(self, test, patched_tree, changed):
        source = f'tests/model/{test.replace("_classic", "")}.cpp'
        if not test.startswith('model_pool'):
            return [self._one(test, source, [], patched_tree, changed)]
        asymmetric = 'false' if 'classic' in test else 'true'
        machine = ['-DFURCA_ATOMICS_HEADER="model/machine/machine.hpp"', '-DFURCA_MODEL_ASYMMETRIC=' + asymmetric]
        return [self._one(test, each, machine, patched_tree, changed) for each in [source, POOL_IN_ONE]]

    def _one(self, test, source, machine, patched_tree, changed):
        name = f'{test}-{Path(source).stem}.o'
        with self.locks[name]:
            if name not in self.includes:
                rule = run([*COMPILE, *machine, '-MM', source], self.tree, f'{source} cannot be read')
                self.includes[name] = {os.path.normpath(file) for file in rule.replace('\\\n', ' ').split()[1:]}
            if self.includes[name].isdisjoint(changed):
                if not (self.to / name).exists():
                    self._compile(source, machine, self.tree, self.to / name)
                return self.to / name
        self._compile(source, machine, patched_tree, patched_tree / name)
        return patched_tree / name

    @staticmethod
    def _compile(source, machine, tree, to):
        run([*COMPILE, *machine, '-c', source, '-o', to], tree, f'{source} does not compile')


def explore(seed, tree, objects, libraries):
    """What the checker has to say of the library with that bug: its exit code and its words."""
    with tempfile.TemporaryDirectory() as scratch:
        patched = Path(scratch)
        copy_tree(tree, patched)
        run(['patch', '-p1', '--fuzz=0', '--silent', '-i', seed.patch], patched, 'does not apply: the source has moved on')
        run([*COMPILE, '-o', 'program', *objects.of(seed.test, patched, seed.changed), *libraries], patched, 'does not link')
        done = subprocess.run([patched / 'program', '-tc=' + seed.filter], cwd=patched, capture_output=True, text=True,
                              env={**os.environ, 'MODEL_PROGRAM': seed.program})
    if ' executions ' not in done.stdout:
        raise Broken(f'no program was explored\n{done.stdout}{done.stderr}')
    return done.returncode, done.stdout


def is_caught(patch, tree, objects, libraries):
    """Whether the bug is found, and a line about it, or all that was said."""
    try:
        seed = read(patch)
        exit_code, output = explore(seed, tree, objects, libraries)
    except Broken as why:
        return False, f'BROKEN   {patch.stem}: {why}'
    failure = re.search(rf'(\d+) executions [^\n]*\n([^\n]*{re.escape(seed.says)}[^\n]*)', output)
    if exit_code == 0 or failure is None:
        return False, f'MISSED   {seed.name}\n{output}'
    return True, f'caught   {seed.name} after {failure[1]} executions: {failure[2]}'


def main(top, *arguments):
    libraries = [str(Path(library).resolve()) for library in arguments[:3]]
    patches = [HERE / f'{name}.patch' for name in arguments[3:]] or sorted(HERE.glob('*.patch'))
    if shutil.which('patch') is None:
        print('patch(1) is not installed')
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / 'tree'
        copy_tree(Path(top).resolve(), tree)
        objects = Objects(tree, Path(scratch))
        caught = 0
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            for found, said in threads.map(lambda patch: is_caught(patch, tree, objects, libraries), patches):
                print(said, flush=True)
                caught += found
    print(f'{caught} of {len(patches)} seeded bugs caught')
    return 0 if caught == len(patches) > 0 else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
