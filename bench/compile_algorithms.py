"""Programs of one call of an algorithm each, furca's and the standard library's, for compile_time.py."""

POSITIVE = '[](double v) { return v > 0; }'
# name: (header of furca, function with the call, and what stands there in std's program if it is not the same with std::ranges)
CALLS = {
    'find': ('search', 'auto f(Input x) { return LIBRARY::find(x, 1.0) - x.begin(); }', None),
    'find_if': ('search', f'auto f(Input x) {{ return LIBRARY::find_if(x, {POSITIVE}) - x.begin(); }}', None),
    'all_of': ('search', f'auto f(Input x) {{ return LIBRARY::all_of(x, {POSITIVE}); }}', None),
    'adjacent_find': ('search', 'auto f(Input x) { return LIBRARY::adjacent_find(x) - x.begin(); }', None),
    'mismatch': ('search', 'auto f(Input x, Input y) { return LIBRARY::mismatch(x, y).in1 - x.begin(); }', None),
    'equal': ('search', 'auto f(Input x, Input y) { return LIBRARY::equal(x, y); }', None),
    'is_sorted': ('search', 'auto f(Input x) { return LIBRARY::is_sorted(x); }', None),
    'count': ('search', 'auto f(Input x) { return LIBRARY::count(x, 1.0); }', None),
    'count_if': ('search', f'auto f(Input x) {{ return LIBRARY::count_if(x, {POSITIVE}); }}', None),
    'min_element': ('search', 'auto f(Input x) { return LIBRARY::min_element(x) - x.begin(); }', None),
    'minmax_element': ('search', 'auto f(Input x) { return LIBRARY::minmax_element(x).min - x.begin(); }', None),
    'max': ('search', 'auto f(Input x) { return LIBRARY::max(x); }', None),
    'transform': ('write', 'void f(Input x, Output y) { LIBRARY::transform(x, OUT(y), [](double v) { return 2 * v; }); }', None),
    'copy': ('write', 'void f(Input x, Output y) { LIBRARY::copy(x, OUT(y)); }', None),
    'fill': ('write', 'void f(Output x) { LIBRARY::fill(x, 1.0); }', None),
    'generate': ('write', 'void f(Output x) { LIBRARY::generate(x, [] { return 1.0; }); }', None),
    'for_each': ('write', 'void f(Output x) { LIBRARY::for_each(x, [](double& v) { v *= 2; }); }', None),
    'inclusive_scan': ('scan', 'void f(Input x, Output y) { LIBRARY::inclusive_scan(x, y); }', 'void f(Input x, Output y) { std::inclusive_scan(x.begin(), x.end(), y.begin()); }'),
    'exclusive_scan': ('scan', 'void f(Input x, Output y) { LIBRARY::exclusive_scan(x, y, 0.0); }',
                       'void f(Input x, Output y) { std::exclusive_scan(x.begin(), x.end(), y.begin(), 0.0); }'),
    'copy_if': ('pack', f'auto f(Input x, Output y) {{ return LIBRARY::copy_if(x, OUT(y), {POSITIVE}).out - y.begin(); }}', None),
    'remove_if': ('pack', f'auto f(Output x) {{ return LIBRARY::remove_if(x, {POSITIVE}).size(); }}', None),
    'unique': ('pack', 'auto f(Output x) { return LIBRARY::unique(x).size(); }', None),
    'partition': ('pack', f'auto f(Output x) {{ return LIBRARY::partition(x, {POSITIVE}).size(); }}', None),
    'stable_partition': ('pack', f'auto f(Output x) {{ return LIBRARY::stable_partition(x, {POSITIVE}).size(); }}', None),
    'filter': ('collect', f'auto f(Input x) {{ return LIBRARY::filter(x, {POSITIVE}); }}',
               f'auto f(Input x) {{ Vector out; std::ranges::copy_if(x, std::back_inserter(out), {POSITIVE}); return out; }}'),
    'map': ('collect', 'auto f(Input x) { return LIBRARY::map(x, [](double v) { return 2 * v; }); }',
            'auto f(Input x) { Vector out(x.size()); std::ranges::transform(x, out.begin(), [](double v) { return 2 * v; }); return out; }'),
    'collect': ('collect', 'auto f(Input x) { return LIBRARY::collect<double>(x, [](double v, Vector& out) { if (v > 0) out.push_back(v); }); }',
                'auto f(Input x) { Vector out; std::ranges::for_each(x, [&](double v) { if (v > 0) out.push_back(v); }); return out; }'),
    'sort': ('sort', 'void f(Output x) { LIBRARY::sort(x); }', None),
    'nth_element': ('sort', 'void f(Output x) { LIBRARY::nth_element(x, x.begin() + 9); }', None),
    'partial_sort': ('sort', 'void f(Output x) { LIBRARY::partial_sort(x, x.begin() + 9); }', None),
    'stable_sort': ('stable_sort', 'void f(Output x) { LIBRARY::stable_sort(x); }', None),
    'stable_sort of int': ('stable_sort', 'void f(std::vector<int>& x) { LIBRARY::stable_sort(x); }', None),
    'merge': ('merge', 'void f(Input x, Input y, Output z) { LIBRARY::merge(x, y, OUT(z)); }', None),
    'inplace_merge': ('merge', 'void f(Output x) { LIBRARY::inplace_merge(x, x.begin() + 9); }', None),
    'set_union': ('sets', 'void f(Input x, Input y, Output z) { LIBRARY::set_union(x, y, OUT(z)); }', None),
    'set_intersection': ('sets', 'void f(Input x, Input y, Output z) { LIBRARY::set_intersection(x, y, OUT(z)); }', None),
    'set_difference': ('sets', 'void f(Input x, Input y, Output z) { LIBRARY::set_difference(x, y, OUT(z)); }', None),
    'includes': ('sets', 'bool f(Input x, Input y) { return LIBRARY::includes(x, y); }', None),
    'reverse': ('permute', 'void f(Output x) { LIBRARY::reverse(x); }', None),
    'rotate': ('permute', 'void f(Output x) { LIBRARY::rotate(x, x.begin() + 9); }', None),
    'shuffle': ('permute', 'void f(Output x) { LIBRARY::shuffle(x, 42); }', 'void f(Output x) { std::mt19937_64 bits(42); std::ranges::shuffle(x, bits); }'),
    'histogram': ('group', 'auto f(const std::vector<int>& x) { return LIBRARY::histogram(x, 256); }',
                  'auto f(const std::vector<int>& x) { std::vector<std::size_t> counts(256); std::ranges::for_each(x, [&](int v) { ++counts.at(v); }); return counts; }'),
    'count_by': ('group', 'auto f(const std::vector<int>& x) { return LIBRARY::count_by(x); }',
                 'auto f(const std::vector<int>& x) { std::unordered_map<int, std::size_t> counts; std::ranges::for_each(x, [&](int v) { ++counts[v]; }); '
                 'std::vector<std::pair<int, std::size_t>> all(counts.begin(), counts.end()); std::ranges::sort(all); return all; }'),
    'group_by': ('group', 'auto f(const std::vector<int>& x) { return LIBRARY::group_by(x, [](int v) { return v / 10; }); }',
                 'auto f(const std::vector<int>& x) { std::map<int, std::vector<int>> groups; std::ranges::for_each(x, [&](int v) { groups[v / 10].push_back(v); }); return groups; }'),
}
STD_HEADERS = {'shuffle': 'random', 'count_by': 'unordered_map', 'group_by': 'map'}
COMMON = 'using Vector = std::vector<double>;\nusing Input = const Vector&;\nusing Output = Vector&;\n'


def program(headers, function, library, out):
    return ''.join(f'#include <{header}>\n' for header in [*headers, 'vector']) + COMMON + function.replace('LIBRARY', library).replace('OUT', out) + '\n'


def programs():
    """{name: (source, what it is compared with)}"""
    std = ['algorithm', 'iterator', 'numeric']
    found = {'call of none, std': (program(std, '', '', ''), None)}
    for header in sorted({header for header, _, _ in CALLS.values()}):
        found[f'call of none, {header}.hpp'] = (program([f'furca/{header}.hpp'], '', '', ''), 'call of none, std')
    for name, (header, ours, theirs) in CALLS.items():
        peer = f'call of {name}, std'
        found[peer] = (program([*std, *STD_HEADERS.get(name, '').split()], theirs or ours, 'std::ranges', 'std::ranges::begin'), None)
        found[f'call of {name}, furca'] = (program([f'furca/{header}.hpp'], ours, 'furca', ''), peer)
    calls = {library: ''.join(f'namespace of_{name.replace(" ", "_")} {{ {function.replace("LIBRARY", library).replace("OUT", out)} }}\n' for name, function in functions.items())
             for library, out, functions in (('furca', '', {name: ours for name, (_, ours, _) in CALLS.items()}),
                                             ('std::ranges', 'std::ranges::begin', {name: theirs or ours for name, (_, ours, theirs) in CALLS.items()}))}
    found['call of all, std'] = (program([*std, *STD_HEADERS.values()], calls['std::ranges'], '', ''), None)
    found['call of all, furca'] = (program(['furca/algorithms.hpp'], calls['furca'], '', ''), 'call of all, std')
    return found
