#!/usr/bin/env python3
"""Fails when a file includes what is above it, or asks for the system: layers.py TOP.

The layers are the rooms of include/furca/detail, then those of src/, in the order of ROOMS. A file
includes files of its own room and of those before it. A public header is in the highest room that
it includes. The look-alike of oneTBB, the folder compat, is above all, and so are the plugs.

A folder of src/system is for one system, or for several. Outside of src/system no file includes a
system's header or asks which system it is compiled for; in it one alone asks. What compilers have
words of their own for has furca's names in base/config.hpp: few others use such a word.

What names the look-alike, or what is there for it alone, is told in a section of ALGORITHMS.
"""
import re
import sys
from functools import cache
from pathlib import Path
from posixpath import dirname, normpath

DETAIL = 'base observing mistakes fork tasks loop'
DETAIL += ' algorithms sorting grouping execution mpi tbb'
SRC = 'measuring system observing queues fork pool tasks loop algorithms tbb'
ROOMS = [f'include/furca/detail/{room}' for room in DETAIL.split()]
ROOMS += [f'src/{room}' for room in SRC.split()]
# Nobody includes these but files of the same folder.
ABOVE_ALL = ('include/furca/compat/', 'include/furca/plugs/')
CHOOSES = 'src/system/chosen.cpp'
ASKS = re.compile(r'^\s*#\s*(?:el)?if.*\b_*(linux|unix|apple|mach|environment_mac\w+|win32|win64|'
                  r'mingw\w+|cygwin|emscripten|android|[a-z]+bsd)_*\b', re.M | re.I)
# Besides those that cl.exe has too.
WORD = re.compile(r'__builtin_(?!addressof|FILE|FUNCTION|LINE)\w+|__attribute__|__asm__|__declspec|'
                  r'\b(?:gnu|clang|msvc)::\w+|\[\[no_unique_address')
USE_WORDS = ['src/measuring/clock.hpp', 'src/system/windows/process.cpp']
USE_WORDS += [f'include/furca/detail/{name}.hpp' for name in (
    'base/config', 'base/inner_loop', 'base/instructions', 'base/layout', 'base/opaque',
    'base/processor', 'mistakes/members', 'algorithms/searching')]
# The standard's headers have names without .h, but for those of its parallel algorithms; cl.exe has
# one of its own.
HEADER = re.compile(r'^\s*#\s*include <(?!furca/|mpi\.h|intrin\.h|(?:__)?pstl/)([^>]+\.h)>', re.M)
ALGORITHMS, SECTION = 'src/algorithms/README.md', '### Without the look-alike\n'
FOR_LOOK_ALIKE = re.compile(
    r'look-alike|furca[/_:-]+(?:compat|tbb)|detail/tbb|open[ _]?tasks?\b|await_with_mail|'
    r'(?:set_|and_)callers\b|callers_of|\.apart\(|\bapart_|bool apart', re.I)
INCLUDE = re.compile(r'^\s*#\s*include (?:<(furca/[^>]+)>|"([^"]+)")', re.M)


def check(files):
    """Complaints about {path: text}."""

    def included(name):
        for found in INCLUDE.finditer(files[name]):
            yield normpath(f'include/{found[1]}' if found[1] else f'{dirname(name)}/{found[2]}')

    def room(name):
        return 'src/system' if name.startswith('src/system/') else dirname(name)

    @cache
    def layer(name):
        if name.startswith(ABOVE_ALL) or name == 'src/furca.cpp':
            return len(ROOMS)
        if room(name) in ROOMS:
            return ROOMS.index(room(name))
        return max((layer(other) for other in included(name) if other in files), default=-1)

    wrong = []
    for name, text in files.items():
        if name != CHOOSES:
            wrong += [f'{name}: asks for {found[1]}' for found in ASKS.finditer(text)]
        if name not in USE_WORDS:
            wrong += [f'{name}: {found[0]} is not in config.hpp' for found in WORD.finditer(text)]
        if room(name) != 'src/system':
            wrong += [f'{name}: includes <{found[1]}>' for found in HEADER.finditer(text)]
        if layer(name) < len(ROOMS) and room(name) not in [*ROOMS, 'include/furca']:
            wrong.append(f'{name}: is in no room')
        for other in included(name):
            above = other in files and layer(other) > layer(name)
            outside = any(other.startswith(top) and not name.startswith(top) for top in ABOVE_ALL)
            if outside or above:
                wrong.append(f'{name}: includes {other}, which is above it')
    return wrong


def check_look_alike(files):
    """Complaints about {path: text}."""
    told = re.findall(r'`([\w./]+)`', files[ALGORITHMS].partition(SECTION)[2].partition('\n#')[0])
    return [f'{name}: {found[0]} is not in {ALGORITHMS}, "{SECTION.strip()}"'
            for name, text in files.items() if (found := FOR_LOOK_ALIKE.search(text))
            and not any(name.startswith(f'{word}/') or f'/{name}'.endswith(f'/{word}')
                        for word in [ALGORITHMS, *told])]


if __name__ == '__main__':
    top = Path(sys.argv[1])
    paths = [path for tree in ('include', 'src') for path in sorted((top / tree).rglob('*'))
             if path.suffix in ('.h', '.hpp', '.cpp', '.cppm')]
    complaints = check({str(path.relative_to(top)): path.read_text() for path in paths})
    paths = [path for tree in ('include', 'src', 'tests', 'bench', 'examples')
             for path in sorted((top / tree).rglob('*')) if path.is_file()]
    complaints += check_look_alike(
        {str(path.relative_to(top)): path.read_text(errors='ignore') for path in paths})
    print('\n'.join(complaints))
    sys.exit(bool(complaints))
