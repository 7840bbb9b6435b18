"""Programs of one call of an algorithm each, furca's and the standard library's."""
import re

# Header of furca and name; the function with the call; and what stands there in std's program, if
# it is not the same with std::ranges.
CALLS = '''
search: find
  auto f(Input x) { return LIBRARY::find(x, 1.0) - x.begin(); }
search: find_if
  auto f(Input x) { return LIBRARY::find_if(x, POSITIVE) - x.begin(); }
search: all_of
  auto f(Input x) { return LIBRARY::all_of(x, POSITIVE); }
search: adjacent_find
  auto f(Input x) { return LIBRARY::adjacent_find(x) - x.begin(); }
search: mismatch
  auto f(Input x, Input y) { return LIBRARY::mismatch(x, y).in1 - x.begin(); }
search: equal
  auto f(Input x, Input y) { return LIBRARY::equal(x, y); }
search: is_sorted
  auto f(Input x) { return LIBRARY::is_sorted(x); }
search: count
  auto f(Input x) { return LIBRARY::count(x, 1.0); }
search: count_if
  auto f(Input x) { return LIBRARY::count_if(x, POSITIVE); }
search: min_element
  auto f(Input x) { return LIBRARY::min_element(x) - x.begin(); }
search: minmax_element
  auto f(Input x) { return LIBRARY::minmax_element(x).min - x.begin(); }
search: max
  auto f(Input x) { return LIBRARY::max(x); }
write: transform
  void f(Input x, Output y) { LIBRARY::transform(x, OUT(y), [](double v) { return 2 * v; }); }
write: copy
  void f(Input x, Output y) { LIBRARY::copy(x, OUT(y)); }
write: fill
  void f(Output x) { LIBRARY::fill(x, 1.0); }
write: generate
  void f(Output x) { LIBRARY::generate(x, [] { return 1.0; }); }
write: for_each
  void f(Output x) { LIBRARY::for_each(x, [](double& v) { v *= 2; }); }
scan: inclusive_scan
  void f(Input x, Output y) { LIBRARY::inclusive_scan(x, y); }
  std: void f(Input x, Output y) { std::inclusive_scan(x.begin(), x.end(), y.begin()); }
scan: exclusive_scan
  void f(Input x, Output y) { LIBRARY::exclusive_scan(x, y, 0.0); }
  std: void f(Input x, Output y) { std::exclusive_scan(x.begin(), x.end(), y.begin(), 0.0); }
pack: copy_if
  auto f(Input x, Output y) { return LIBRARY::copy_if(x, OUT(y), POSITIVE).out - y.begin(); }
pack: remove_if
  auto f(Output x) { return LIBRARY::remove_if(x, POSITIVE).size(); }
pack: unique
  auto f(Output x) { return LIBRARY::unique(x).size(); }
pack: partition
  auto f(Output x) { return LIBRARY::partition(x, POSITIVE).size(); }
pack: stable_partition
  auto f(Output x) { return LIBRARY::stable_partition(x, POSITIVE).size(); }
collect: filter
  auto f(Input x) { return LIBRARY::filter(x, POSITIVE); }
  std: auto f(Input x) { Vector out; std::ranges::copy_if(x, std::back_inserter(out), POSITIVE);
    return out; }
collect: map
  auto f(Input x) { return LIBRARY::map(x, [](double v) { return 2 * v; }); }
  std: auto f(Input x) { Vector out(x.size()); std::ranges::transform(x, out.begin(), [](double v) {
    return 2 * v; }); return out; }
collect: collect
  auto f(Input x) { return LIBRARY::collect<double>(x, [](double v, Vector& out) { if (v > 0)
    out.push_back(v); }); }
  std: auto f(Input x) { Vector out; std::ranges::for_each(x, [&](double v) { if (v > 0)
    out.push_back(v); }); return out; }
sort: sort
  void f(Output x) { LIBRARY::sort(x); }
sort: nth_element
  void f(Output x) { LIBRARY::nth_element(x, x.begin() + 9); }
sort: partial_sort
  void f(Output x) { LIBRARY::partial_sort(x, x.begin() + 9); }
stable_sort: stable_sort
  void f(Output x) { LIBRARY::stable_sort(x); }
stable_sort: stable_sort of int
  void f(std::vector<int>& x) { LIBRARY::stable_sort(x); }
merge: merge
  void f(Input x, Input y, Output z) { LIBRARY::merge(x, y, OUT(z)); }
merge: inplace_merge
  void f(Output x) { LIBRARY::inplace_merge(x, x.begin() + 9); }
sets: set_union
  void f(Input x, Input y, Output z) { LIBRARY::set_union(x, y, OUT(z)); }
sets: set_intersection
  void f(Input x, Input y, Output z) { LIBRARY::set_intersection(x, y, OUT(z)); }
sets: set_difference
  void f(Input x, Input y, Output z) { LIBRARY::set_difference(x, y, OUT(z)); }
sets: includes
  bool f(Input x, Input y) { return LIBRARY::includes(x, y); }
permute: reverse
  void f(Output x) { LIBRARY::reverse(x); }
permute: rotate
  void f(Output x) { LIBRARY::rotate(x, x.begin() + 9); }
permute: shuffle
  void f(Output x) { LIBRARY::shuffle(x, 42); }
  std: void f(Output x) { std::mt19937_64 bits(42); std::ranges::shuffle(x, bits); }
group: histogram
  auto f(const std::vector<int>& x) { return LIBRARY::histogram(x, 256); }
  std: auto f(const std::vector<int>& x) { std::vector<std::size_t> counts(256);
    std::ranges::for_each(x, [&](int v) { ++counts.at(v); }); return counts; }
group: count_by
  auto f(const std::vector<int>& x) { return LIBRARY::count_by(x); }
  std: auto f(const std::vector<int>& x) { std::unordered_map<int, std::size_t> counts;
    std::ranges::for_each(x, [&](int v) { ++counts[v]; }); std::vector<std::pair<int, std::size_t>>
    all(counts.begin(), counts.end()); std::ranges::sort(all); return all; }
group: group_by
  auto f(const std::vector<int>& x) { return LIBRARY::group_by(x, [](int v) { return v / 10; }); }
  std: auto f(const std::vector<int>& x) { std::map<int, std::vector<int>> groups;
    std::ranges::for_each(x, [&](int v) { groups[v / 10].push_back(v); }); return groups; }
'''
POSITIVE = '[](double v) { return v > 0; }'
STD = ('algorithm', 'iterator', 'numeric')
STD_HEADERS = {'shuffle': 'random', 'count_by': 'unordered_map', 'group_by': 'map'}
COMMON = (
    'using Vector = std::vector<double>;\nusing Input = const Vector&;\nusing Output = Vector&;\n'
)


def calls():
    """(header, name, furca's function, std's) of each."""
    text = re.sub(r'\n    +', ' ', CALLS.strip()).replace('POSITIVE', POSITIVE)
    for header, name, ours, theirs in re.findall(
        r'^(\w+): (.*)\n  (.*)(?:\n  std: (.*))?', text, re.MULTILINE
    ):
        yield header, name, ours, theirs or ours


def of_furca(function):
    return function.replace('LIBRARY', 'furca').replace('OUT', '')


def of_std(function):
    return function.replace('LIBRARY', 'std::ranges').replace('OUT', 'std::ranges::begin')


def program(headers, text):
    includes = ''.join(f'#include <{header}>\n' for header in [*headers, 'vector'])
    return f'{includes}{COMMON}{text}\n'


def programs():
    """{name: (source, what it is compared with)}"""
    none, every = 'call of none, std', 'call of all, std'
    found = {none: (program(STD, ''), None)}
    all_calls = list(calls())
    for header in sorted({header for header, *_ in all_calls}):
        found[f'call of none, {header}.hpp'] = (program([f'furca/{header}.hpp'], ''), none)
    all_std = all_furca = ''
    for header, name, ours, theirs in all_calls:
        peer = f'call of {name}, std'
        std = [*STD, *STD_HEADERS.get(name, '').split()]
        found[peer] = (program(std, of_std(theirs)), None)
        found[f'call of {name}, furca'] = (program([f'furca/{header}.hpp'], of_furca(ours)), peer)
        space = f'namespace of_{name.replace(" ", "_")}'
        all_std += f'{space} {{ {of_std(theirs)} }}\n'
        all_furca += f'{space} {{ {of_furca(ours)} }}\n'
    found[every] = (program([*STD, *STD_HEADERS.values()], all_std), None)
    found['call of all, furca'] = (program(['furca/algorithms.hpp'], all_furca), every)
    return found
