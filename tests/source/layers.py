#!/usr/bin/env python3
"""Fails when a file includes what is above it: layers.py TOP.

The layers are the rooms of include/furca/detail, then those of src/, in the order of ROOMS. A file
includes files of its own room and of those before it. A public header is in the highest room that
it includes. The look-alike of oneTBB, the folder compat, is above all, and so are the plugs.
"""
import re
import sys
from functools import cache
from pathlib import Path
from posixpath import dirname, normpath

DETAIL = 'base measuring observing mistakes fork tasks loop'
DETAIL += ' algorithms sorting grouping execution mpi tbb'
SRC = 'measuring system observing queues fork pool tasks loop algorithms tbb'
ROOMS = [f'include/furca/detail/{room}' for room in DETAIL.split()]
ROOMS += [f'src/{room}' for room in SRC.split()]
# Nobody includes these but files of the same folder.
ABOVE_ALL = ('include/furca/compat/', 'include/furca/plugs/')
INCLUDE = re.compile(r'^\s*#\s*include (?:<(furca/[^>]+)>|"([^"]+)")', re.M)


def check(files):
    """Complaints about {path: text}."""

    def included(name):
        for found in INCLUDE.finditer(files[name]):
            yield normpath(f'include/{found[1]}' if found[1] else f'{dirname(name)}/{found[2]}')

    @cache
    def layer(name):
        if name.startswith(ABOVE_ALL) or name == 'src/furca.cpp':
            return len(ROOMS)
        if dirname(name) in ROOMS:
            return ROOMS.index(dirname(name))
        return max((layer(other) for other in included(name) if other in files), default=-1)

    wrong = []
    for name in files:
        if layer(name) < len(ROOMS) and dirname(name) not in [*ROOMS, 'include/furca']:
            wrong.append(f'{name}: is in no room')
        for other in included(name):
            above = other in files and layer(other) > layer(name)
            outside = any(other.startswith(top) and not name.startswith(top) for top in ABOVE_ALL)
            if outside or above:
                wrong.append(f'{name}: includes {other}, which is above it')
    return wrong


if __name__ == '__main__':
    top = Path(sys.argv[1])
    paths = [path for tree in ('include', 'src') for path in sorted((top / tree).rglob('*.[hc]pp'))]
    complaints = check({str(path.relative_to(top)): path.read_text() for path in paths})
    print('\n'.join(complaints))
    sys.exit(bool(complaints))
