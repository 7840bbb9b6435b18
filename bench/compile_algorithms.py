"""Programs of one call of each algorithm of functions.txt, furca's and the standard library's, for
compile_time.py."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'tests' / 'source'))
import functions  # noqa: E402

STD_HEADERS = ['algorithm', 'iterator', 'numeric']
# Of few programs.
MORE_HEADERS = {'std::map': 'map', 'std::mt19937': 'random', 'std::unordered_map': 'unordered_map'}
COMMON = """using Vector = std::vector<double>;
constexpr double value = 1;
constexpr auto test = [](double v) { return v > 0; };
constexpr auto twice = [](double v) { return 2 * v; };
constexpr auto make = [] { return 1.0; };
constexpr auto change = [](double& v) { v *= 2; };
"""
PARAMETERS = {
    'x': 'const Vector& x',
    'y': 'const Vector& y',
    'v': 'Vector& v',
    'out': 'Vector& out',
    'counts': 'const std::vector<int>& counts',
}


def program(headers, *bodies):
    includes = ''.join(f'#include <{header}>\n' for header in [*headers, 'vector'])
    return includes + COMMON + ''.join(bodies)


def body(name, call, statements):
    """A function of these statements, whose parameters are the ranges of the call."""
    words = re.sub(r'\[.*', '', call)
    ranges = [PARAMETERS[word] for word in re.findall(r'\w+', words) if word in PARAMETERS]
    statements = statements.replace('middle', 'v.begin() + 9')
    return f'auto f_{name}({", ".join(ranges)}) {{ {statements} }}\n'


def programs():
    """{name: (source, what it is compared with)}"""
    found = {'call of none, std': (program(STD_HEADERS), None)}
    all_of_std, all_of_furca = [], []
    for header in functions.table():
        called = [function for function in header.functions if function.call]
        if called:
            own = [f'furca/{header.name}']
            found[f'call of none, {header.name}'] = (program(own), 'call of none, std')
        for name, _, call, _, theirs in called:
            told, call = re.match(r'(<\w+>)? ?(.*)', call).groups('')
            out = re.sub(r'\bout\b', 'std::ranges::begin(out)', call)
            std = body(name, call, theirs or f'return std::ranges::{name}({out});')
            ours = body(name, call, f'return furca::{name}{told}({call});')
            more = [brings for what, brings in MORE_HEADERS.items() if what in theirs]
            peer = f'call of {name}, std'
            found[peer] = (program([*STD_HEADERS, *more], std), None)
            found[f'call of {name}, furca'] = (program(own, ours), peer)
            all_of_std.append(std)
            all_of_furca.append(ours)
    found['call of all, std'] = (program([*STD_HEADERS, *MORE_HEADERS.values()], *all_of_std), None)
    found['call of all, furca'] = (
        program(['furca/algorithms.hpp'], *all_of_furca),
        'call of all, std',
    )
    return found
