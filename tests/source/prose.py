#!/usr/bin/env python3
"""Fails when prose names what does not exist (any more): prose.py TOP.

Prose is README.md, CHANGELOG.md, the pages (*.md) of src/, tests/, bench/ and examples/, and the
comments of include/ and src/:

1. names of files, in backticks or not (`src/fork/sleep.md`, sleep.hpp, `*_programs.hpp`): a file of
   the tree must end in that path;
2. links to files, which must exist;
3. identifiers in backticks (`Worker::steal_below`, `.grain`, `FURCA_FENCE`) or called, as
   skip_index(): each must stand in the code of the tree, comments left out; of `A::b`, both in one
   file;
4. Meson options in backticks (`-Dportable=true`, `-Dfurca:default_library`): in meson_options.txt,
   or one of Meson's own.

Fenced blocks of a page are left out: they have the reader's code. OUTSIDE is what others have
named, and in a page so are the words of its blocks in other languages than ours (```c++, ```rust:
see src/doxygen/guide.py).
"""
import re
import sys
from fnmatch import fnmatch
from os.path import dirname, normpath
from pathlib import Path

# Of Rayon, oneTBB, OpenMP, other libraries, the system and a project that uses furca.
OUTSIDE = set(
    '''
    par_iter par_chunks for_each with_min_len find_any RAYON_NUM_THREADS
    parallel_deterministic_reduce this_task_arena isolate combinable enumerable_thread_specific
    threadprivate task_group_context cancel sections taskloop master lastprivate OMP_NUM_THREADS
    subprojects tbb blocked_range2d parallel_scan parallel_sort parallel_pipeline
    current_thread_index ordered omp_get_max_threads OMP_CANCELLATION OMP_MAX_ACTIVE_LEVELS
    OMP_PROC_BIND OMP_PLACES GOMP_SPINCOUNT into_par_iter current_num_threads par_sort
    par_sort_unstable par_sort_unstable_by_key zip flat_map par_bridge spawn_fifo panic_handler
    par_unseq unseq seq perf OPENBLAS_NUM_THREADS MKL_NUM_THREADS for_each_init ldconfig
    filter_map find_first halide_set_custom_do_par_for xnn_scheduler
    openblas_set_threads_callback_function openblas_set_num_threads enqueueTask position_first
    min_by_key retain MPI_Init MPI_THREAD_MULTIPLE MPICH_ASYNC_PROGRESS lib64 furca_DIR
    add_subdirectory FetchContent CMAKE_BUILD_TYPE blocked_range3d dedup par_sort_by_cached_key
    select_nth_unstable collaborative_call_once flow_graph flow_graph_abstractions memory_pool
    concurrent_lru_cache blocked_rangeNd __has_include tbbmalloc
    '''.split()
)
MESON_OPTIONS = set(
    '''
    default_library cpp_std buildtype optimization werror libdir b_sanitize b_lundef b_ndebug
    '''.split()
)
CODE = ('.hpp', '.cpp', '.py', '.sh', '.build', '.txt', '.in', '.ini', '.wrap')
FILE = re.compile(r'(?<![\w<.-])((?:[\w*-]+/)*[\w*-]+\.(?:hpp|cpp|md|py|sh|ini))\b(?!\.)')
TICKED = re.compile(r'`([^`]+)`')
CALLED = re.compile(r'(?<![\w:])((?:\w+::)*[a-z]\w*)\(\)')
FENCE = re.compile(r'^ *```(.*)\n((?:.*\n)*?) *```$', re.M)
LINK = re.compile(r'\]\((?!\w+:)([^)#]+)\)')
WORD = re.compile(r'[A-Za-z_]\w*')


def without_comments(name, text):
    mark = '//' if name.endswith(('.hpp', '.cpp')) else '#'
    return '\n'.join(
        line.split(mark + ' ')[0].split(mark + '/')[0] if mark in line else line
        for line in text.splitlines()
    )


def prose(name, text):
    """(line number, text) of what people read, fenced blocks left out."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if name.endswith('.md'):
            fence = line.lstrip().startswith('```')
            fenced ^= fence
            if not fenced and not fence:
                yield number, line
        elif '//' in line:
            yield number, line[line.index('//') :]


def is_prose(name):
    return (
        name in ('README.md', 'CHANGELOG.md')
        or name.startswith(('src/', 'tests/', 'bench/', 'examples/'))
        and name.endswith('.md')
        or name.startswith(('include/', 'src/'))
        and name.endswith(('.hpp', '.cpp'))
    )


class Names:
    """What there is in a tree, {path: text}."""

    def __init__(self, files):
        self.files = files
        code = [
            name for name in files if name.endswith(CODE) and not name.startswith('tests/source/')
        ]
        self.words = {name: set(WORD.findall(without_comments(name, files[name]))) for name in code}
        self.all = set().union(
            OUTSIDE, *self.words.values(), *(WORD.findall(name) for name in files)
        )
        self.options = MESON_OPTIONS | set(
            re.findall(r"option\('(\w+)'", files.get('meson_options.txt', ''))
        )

    def has_file(self, path):
        return any(fnmatch('/' + name, '*/' + path) for name in self.files)

    def has_link(self, page, link):
        return normpath(f'{dirname(page)}/{link}'.lstrip('/')) in self.files

    def complaint(self, ticked, others=frozenset()):
        """What is wrong with the text between two backticks, or None. `FURCA_*` stands for all that
        begin so. `others`: what this page has of others."""
        option = re.match(r'-D(?:\w+:)?(\w+)', ticked)
        if option:
            return None if option[1] in self.options else f'no option {option[1]}'
        if re.search(r'\bstd::|^<|/\w*$|^\$|^\[', ticked) or re.match(r'-\w', ticked):
            return None  # the standard library's, a directory, another program's option
        ticked = FILE.sub('', ticked)
        for word in WORD.findall(ticked):
            if word not in self.all | others and not any(
                known.startswith(word) for known in self.all if f'{word}*' in ticked
            ):
                return f'nothing in the code is called {word}'
        for owner, member in re.findall(r'(\w+)::~?(\w+)', ticked):
            if owner not in OUTSIDE | others and not any(
                {owner, member} <= words for words in self.words.values()
            ):
                return f'no file of code has both {owner} and {member}'
        return None


def check(files):
    """What is wrong with a tree."""
    names, wrong = Names(files), []
    for name in filter(is_prose, files):
        blocks = FENCE.findall(files[name]) if name.endswith('.md') else []
        others = set().union(
            *(WORD.findall(code) for language, code in blocks if language in ('c++', 'rust'))
        )
        for number, line in prose(name, files[name]):
            for path in sorted(set(FILE.findall(line))):
                if not names.has_file(path):
                    wrong.append(f'{name}:{number}: there is no file {path}')
            for link in LINK.findall(line) if name.endswith('.md') else []:
                if not names.has_link(name, link):
                    wrong.append(f'{name}:{number}: there is no {link}')
            for ticked in TICKED.findall(line) + CALLED.findall(TICKED.sub('', line)):
                complaint = names.complaint(ticked, others)
                if complaint:
                    wrong.append(f'{name}:{number}: `{ticked}`: {complaint}')
    return wrong


def tree(top):
    """The project's own files: not what a build or a subproject put there."""
    found = {}
    inside = [
        path
        for part in ('include', 'src', 'tests', 'bench', 'examples')
        for path in (top / part).rglob('*')
    ]
    for path in sorted([*top.glob('*'), *inside]):
        if path.is_file() and path.suffix in CODE + ('.h', '.md', '.svg', '.html', '.json'):
            found[str(path.relative_to(top))] = (
                path.read_text() if path.suffix in CODE + ('.md',) else ''
            )
    return found


def main():
    wrong = check(tree(Path(sys.argv[1])))
    for complaint in wrong:
        print(complaint)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
