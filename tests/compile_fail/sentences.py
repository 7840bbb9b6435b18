#!/usr/bin/env python3
"""sentences.py INCLUDE -- COMPILER [ARGUMENT...]

Calls every public function with every public header of the directory INCLUDE alone, one run of the
compiler for a header, which must say nothing else of it. Where the header does not declare the
function, the first error must name the one that does; where it does, a wrong call must be told what
to write. join.hpp, which brings the least, names no other header. The functions are read from the
headers' own declarations, so one without a sentence fails.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../source'))
import functions  # noqa: E402
import wrong_calls  # noqa: E402

# Headers that name no other for what they do not declare.
NAMES_NONE = {'join.hpp'}
# map has its sentence in collect.hpp alone: `using namespace` must not make std::map ambiguous. The
# other header needs MPI.
NOT_ELSEWHERE = {'map'}
NOT_ALONE = {'mpi.hpp'}


def declared_in(path):
    """Functions that a header declares in furca or furca::found_by_name: name and declaration."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    text = re.sub(r'//.*|/\*.*?\*/|^\s*#(?:.*\\\n)*.*|\[\[.*?\]\]', '', text, flags=re.M)
    text = re.sub(r'"(?:\\.|[^"\\])*"', '""', text).replace('= {}', '= 0')
    functions, open_blocks, chunk = {}, [], ''
    for character in text:
        if character not in '{};':
            chunk += character
            continue
        statement, chunk = ' '.join(chunk.split()), ''
        if character != '}' and open_blocks in (['furca'], ['furca::found_by_name']):
            functions.update((name, statement) for name in function_in(statement))
        if character == '{':
            open_blocks.append(statement.removeprefix('namespace '))
        elif character == '}':
            open_blocks.pop()
    return functions


def function_in(statement):
    """The name before the last parameters, unless these belong to a member or an operator."""
    statement = re.sub(r'( noexcept| const)+$', '', statement)
    if not statement.endswith(')') or statement.startswith('extern template'):
        return []
    depth = 0
    for at in range(len(statement) - 1, -1, -1):
        depth += {')': 1, '(': -1}.get(statement[at], 0)
        if depth == 0:
            break
    found = re.search(r'(?<![:\w])(?<!operator )(\w+)$', statement[:at])
    no_function = ('requires', 'decltype', 'FURCA_REFUSES')  # which has its sentence in it
    return [found.group(1)] if found and found.group(1) not in no_function else []


def compile_text(text, compiler, *arguments):
    with tempfile.TemporaryDirectory() as directory:
        source = os.path.join(directory, 'calls.cpp')
        with open(source, 'w', encoding='utf-8') as file:
            file.write(text)
        run = subprocess.run(
            compiler + list(arguments) + [source], capture_output=True, text=True, check=False
        )
        return run.stdout, wrong_calls.diagnostics(run.stderr, source)


def main():
    include = os.path.abspath(sys.argv[1])
    compiler = sys.argv[sys.argv.index('--') + 1 :] + ['-I' + include]
    furca = os.path.join(include, 'furca')
    headers = sorted(h for h in os.listdir(furca) if h.endswith('.hpp') and h not in NOT_ALONE)
    preprocessed, _ = compile_text(
        '#include <furca/detail/mistakes/mistakes.hpp>\n', compiler, '-E'
    )
    table = dict(re.findall(r'"furca: " "(\w+)" " is in <furca/" "(\w+)" "\.hpp>', preprocessed))
    listed = {
        (function.name, header.name.removesuffix('.hpp'))
        for header in functions.table()
        for function in header.functions
        if function.name not in NOT_ELSEWHERE
    }
    failures = [
        f'{name}, {header}.hpp: not in both, mistakes.hpp and functions.txt'
        for name, header in sorted(listed ^ set(table.items()))
    ]
    for header in headers:
        closure, _ = compile_text(f'#include <furca/{header}>\n', compiler, '-MM')
        declared = {}
        for file in re.findall(r'\S+', closure):
            if file.startswith(furca + '/') and not file.endswith(
                ('mistakes.hpp', 'sentences.hpp', 'wrong_call.hpp')
            ):
                declared.update(declared_in(file))
        failures += [
            f'{header}: {n} has no sentence'
            for n in sorted(set(declared) - set(table) - NOT_ELSEWHERE)
        ]
        # The compiler says of functions that are no templates how many arguments they take.
        hinted = declared if header in NAMES_NONE else table
        called = [n for n in sorted(hinted) if 'template' in declared.get(n, 'template')]
        calls = [
            f'furca::{n}{"<int>" if n.startswith("collect") else ""}(Wrong(), Wrong(), Wrong());'
            for n in called
        ]
        text = '\n'.join(
            [f'#include <furca/{header}>'] * 2
            + ['struct Wrong {};', 'void wrong() {', *calls, '}', '']
        )
        said = {}
        for words, lines in compile_text(text, compiler, '-fsyntax-only')[1]:
            said.setdefault(lines[-1] if lines else 0, words)
        for line, name in enumerate(called, 5):
            words = said.pop(line, 'nothing')
            expected = (
                'furca: write '
                if name in declared
                else f'furca: {name} is in <furca/{table[name]}.hpp>: include'
            )
            if expected not in words:
                failures.append(
                    f'{header}: {name}: expected "{expected}", the first error is: {words}'
                )
        failures += [f'{header}: line {line}: {words}' for line, words in said.items()]
    print('\n'.join(failures))
    sys.exit(bool(failures))


if __name__ == '__main__':
    main()
