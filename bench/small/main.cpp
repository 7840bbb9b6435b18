// A call of each algorithm over few elements, and its serial form: the standard library's, or a
// plain loop. small ELEMENTS ROUNDS: per line a name, and with tabs between the nanoseconds that
// furca's took and the serial one's.
#include <furca/algorithms.hpp>
#include <furca/furca.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using Numbers = std::vector<double>;
using Place = std::ptrdiff_t;

/// What a call works on. A branch predictor learns one such set by heart, so there are many.
struct Input {
  Numbers x, y;                // as they come, multiples of an eighth: sums have no rounding
  Numbers sorted_x, sorted_y;  // both with elements of the other
  Numbers halves;              // each half is sorted
  std::vector<int> counts;     // below 16
  Numbers some_of_x;           // every third, sorted
  std::vector<int> numbers;
  std::vector<Numbers> rows;  // of four
};

/// Shared by all calls: where they write to.
struct Output {
  Numbers v, w, twice;
  std::vector<int> numbers;
};

std::vector<Input> inputs_of(std::size_t n) {
  std::mt19937_64 random(1);
  const auto below = [&](std::uint64_t most) { return static_cast<int>(random() % most); };
  std::vector<Input> all(std::max<std::size_t>(64 * 1024 / n, 16));
  for (Input& input : all) {
    for (std::size_t i = 0; i < n; ++i) {
      input.x.push_back(below(1000) / 8.0);
      input.y.push_back(below(1000) / 8.0);
      input.counts.push_back(below(16));
      input.numbers.push_back(below(1'000'000));
    }
    input.sorted_x = input.x;
    input.sorted_y = input.y;
    for (std::size_t i = 0; i < n; i += 3) input.sorted_y[i] = input.x[i];
    std::ranges::sort(input.sorted_x);
    for (std::size_t i = 0; i < n; i += 3) input.some_of_x.push_back(input.sorted_x[i]);
    std::ranges::sort(input.sorted_y);
    input.halves = input.x;
    const auto middle = input.halves.begin() + static_cast<Place>(n / 2);
    std::sort(input.halves.begin(), middle);
    std::sort(middle, input.halves.end());
    for (std::size_t i = 0; i + 4 <= n; i += 4)
      input.rows.emplace_back(input.x.begin() + static_cast<Place>(i),
                              input.x.begin() + static_cast<Place>(i + 4));
  }
  return all;
}

class Rows {
 public:
  Rows(std::size_t n, int rounds) : n_(n), rounds_(rounds), inputs_(inputs_of(n)) {
    out_.v.resize(n);
    out_.w.resize(n);
    out_.twice.resize(2 * n);
    out_.numbers.resize(n);
  }

  std::size_t size() const { return n_; }

  /// The least of all rounds, in each of which both have their turn. Each is a function of an input
  /// and the output that returns what both must agree on.
  template <class Ours, class Theirs>
  void compare(const char* name, Ours ours, Theirs theirs) {
    for (const Input& input : inputs_) {
      const auto a = ours(input, out_);
      const auto b = theirs(input, out_);
      if (a == b) continue;
      std::fprintf(stderr, "%s: the results differ\n", name);
      std::exit(1);
    }
    double our_best = 1e9;
    double their_best = 1e9;
    for (int round = 0; round < rounds_; ++round) {
      our_best = std::min(our_best, time(ours));
      their_best = std::min(their_best, time(theirs));
    }
    std::printf("%s\t%.2f\t%.2f\n", name, our_best, their_best);
    std::fflush(stdout);
  }

 private:
  /// Nanoseconds for a call: of one for each input.
  template <class Call>
  double time(const Call& call) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    for (const Input& input : inputs_) {
      const auto result = call(input, out_);
      asm volatile("" : : "g"(&result), "g"(&out_) : "memory");
    }
    const std::chrono::duration<double, std::nano> passed = Clock::now() - start;
    return passed.count() / static_cast<double>(inputs_.size());
  }

  std::size_t n_;
  int rounds_;
  std::vector<Input> inputs_;
  Output out_;
};

/// A row: in front of both calls `before`, behind both `result`.
#define COMPARE(name, before, ours, serial, result)        \
  rows.compare(                                            \
      name,                                                \
      [=]([[maybe_unused]] const Input& in, Output& out) { \
        (void)out;                                         \
        before;                                            \
        ours;                                              \
        return result;                                     \
      },                                                   \
      [=]([[maybe_unused]] const Input& in, Output& out) { \
        (void)out;                                         \
        before;                                            \
        serial;                                            \
        return result;                                     \
      })

// What the calls use.
constexpr auto kTwice = [](double v) { return 2 * v; };
constexpr auto kSquare = [](double v) { return v * v; };
constexpr auto kTest = [](double v) { return v > 60; };
constexpr auto kNever = [](double v) { return v > 1e9; };
constexpr auto kAlways = [](double v) { return v < 1e9; };
constexpr auto kAsDouble = [](int each) { return 1.0 * each; };
constexpr auto kAddUp = [](double& sum, std::span<const double> part) {
  sum = std::accumulate(part.begin(), part.end(), sum);
};
constexpr double kMissing = 1e9;

// No function, which would be called by its pointer.
constexpr auto kAppend = [](double each, Numbers& to) {
  if (kTest(each)) to.push_back(each);
};

/// v[i] = 2 * x[i], for one index or several.
struct Double {
  const double* x;
  double* v;

  void operator()(std::size_t i) const { v[i] = 2 * x[i]; }
  void operator()(std::size_t from, std::size_t to) const {
    for (; from < to; ++from) v[from] = 2 * x[from];
  }
};

/// A copy for what works in place.
Numbers& copied(const Numbers& from, Output& out) {
  std::copy(from.begin(), from.end(), out.v.begin());
  return out.v;
}
std::vector<int>& copied(const std::vector<int>& from, Output& out) {
  std::copy(from.begin(), from.end(), out.numbers.begin());
  return out.numbers;
}

// The serial forms that are more than a call.

Numbers twice(const Numbers& x) {
  Numbers made(x.size());
  std::ranges::transform(x, made.begin(), kTwice);
  return made;
}

Numbers counted_twice(std::size_t n) {
  Numbers made(n);
  for (std::size_t i = 0; i < n; ++i) made[i] = 2.0 * static_cast<int>(i);
  return made;
}

Numbers collected(const Numbers& x) {
  Numbers to;
  for (const double each : x) kAppend(each, to);
  return to;
}

Numbers collected_rows(const Numbers& x) {
  Numbers to;
  std::vector<std::size_t> ends{0};
  for (const double each : x) {
    kAppend(each, to);
    ends.push_back(to.size());
  }
  asm volatile("" : : "g"(ends.data()) : "memory");
  return to;
}

Numbers flat(const std::vector<Numbers>& rows) {
  Numbers to;
  for (const Numbers& row : rows) to.insert(to.end(), row.begin(), row.end());
  return to;
}

Numbers filtered(const Numbers& x) {
  Numbers to;
  std::ranges::copy_if(x, std::back_inserter(to), kTest);
  return to;
}

double squares(const Numbers& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return sum;
}

void sort_pairs(std::vector<int>& keys, Numbers& values) {
  std::vector<std::pair<int, double>> both(keys.size());
  for (std::size_t i = 0; i < both.size(); ++i) both[i] = {keys[i], values[i]};
  std::ranges::sort(both, {}, &std::pair<int, double>::first);
  for (std::size_t i = 0; i < both.size(); ++i) std::tie(keys[i], values[i]) = both[i];
}

void shuffle(Numbers& v) {
  std::mt19937_64 bits(42);
  std::ranges::shuffle(v, bits);
}

std::vector<std::size_t> bins_of(const std::vector<int>& counts) {
  std::vector<std::size_t> bins(16);
  for (const int each : counts) ++bins.at(static_cast<std::size_t>(each));
  return bins;
}

/// What add makes of each key's value, sorted by key.
template <class Value, class Add>
std::vector<std::pair<int, Value>> by_key(const std::vector<int>& counts, Add add) {
  std::unordered_map<int, Value> found;
  for (const int each : counts) add(found[each], each);
  std::vector<std::pair<int, Value>> all(found.begin(), found.end());
  std::ranges::sort(all);
  return all;
}

std::size_t groups(const std::vector<int>& counts) {
  std::map<int, std::vector<int>> found;
  for (const int each : counts) found[each].push_back(each);
  return found.size();
}

std::size_t rows_by_index(const std::vector<int>& counts) {
  std::vector<std::vector<int>> found(16);
  for (const int each : counts) found[static_cast<std::size_t>(each)].push_back(each);
  return counts.size();
}

void write(Rows& rows) {
  // what both have written last
#define ROW(name, ours, serial) COMPARE(name, , ours, serial, out.v.back())
  ROW("transform", furca::transform(in.x, out.v, kTwice),
      std::ranges::transform(in.x, out.v.begin(), kTwice));
  ROW("copy", furca::copy(in.x, out.v), std::ranges::copy(in.x, out.v.begin()));
  ROW("fill", furca::fill(out.v, in.x[0]), std::ranges::fill(out.v, in.x[0]));
  ROW("generate", furca::generate(out.v, [x = in.x[0]] { return x; }),
      std::ranges::generate(out.v, [x = in.x[0]] { return x; }));
  ROW("for_each", furca::for_each(out.v, [x = in.x[0]](double& v) { v = 2 * x; }),
      std::ranges::for_each(out.v, [x = in.x[0]](double& v) { v = 2 * x; }));
  ROW("parallel_for",
      furca::parallel_for(std::size_t{0}, in.x.size(), Double{in.x.data(), out.v.data()}),
      (Double{in.x.data(), out.v.data()}(0, in.x.size())));
  ROW("parallel_for_chunks",
      furca::parallel_for_chunks(std::size_t{0}, in.x.size(), Double{in.x.data(), out.v.data()}),
      (Double{in.x.data(), out.v.data()}(0, in.x.size())));
  ROW("inclusive_scan", furca::inclusive_scan(in.x, out.v),
      std::inclusive_scan(in.x.begin(), in.x.end(), out.v.begin()));
  ROW("exclusive_scan", furca::exclusive_scan(in.x, out.v, 0.0),
      std::exclusive_scan(in.x.begin(), in.x.end(), out.v.begin(), 0.0));
  ROW("adjacent_difference", furca::adjacent_difference(in.x, out.v),
      std::adjacent_difference(in.x.begin(), in.x.end(), out.v.begin()));
#undef ROW
}

void collect(Rows& rows) {
#define ROW(name, ours, serial) \
  COMPARE(name, , const auto made = ours, const auto made = serial, made)
  ROW("map", furca::map(in.x, kTwice), twice(in.x));
  ROW("tabulate",
      furca::tabulate(in.x.size(), [](std::size_t i) { return 2.0 * static_cast<int>(i); }),
      counted_twice(in.x.size()));
  ROW("collect", furca::collect<double>(in.x, kAppend), collected(in.x));
  ROW("collect_rows", furca::collect_rows<double>(in.x, kAppend).values, collected_rows(in.x));
  ROW("flatten", furca::flatten(in.rows), flat(in.rows));
  ROW("filter", furca::filter(in.x, kTest), filtered(in.x));
  ROW("histogram", furca::histogram(in.counts, 16), bins_of(in.counts));
  ROW("count_by", furca::count_by(in.counts),
      by_key<std::size_t>(in.counts, [](std::size_t& n, int) { ++n; }));
  ROW("reduce_by", furca::reduce_by(in.counts, std::identity(), kAsDouble),
      by_key<double>(in.counts, [](double& sum, int each) { sum += each; }));
  ROW("group_by", furca::group_by(in.counts, std::identity()).size(), groups(in.counts));
  ROW("group_by_index", furca::group_by_index(in.counts, 16, std::identity()).values.size(),
      rows_by_index(in.counts));
#undef ROW
}

void reduce(Rows& rows) {
#define ROW(name, ours, serial) COMPARE(name, , const auto all = ours, const auto all = serial, all)
  ROW("parallel_reduce", furca::parallel_reduce(in.x, 0.0),
      std::accumulate(in.x.begin(), in.x.end(), 0.0));
  ROW("parallel_reduce of squares", furca::parallel_reduce(in.x, 0.0, kSquare), squares(in.x));
  ROW("parallel_reduce of int", furca::parallel_reduce(in.counts, 0),
      std::accumulate(in.counts.begin(), in.counts.end(), 0));
  ROW("parallel_reduce_chunks", furca::parallel_reduce_chunks(in.x, 0.0, kAddUp, std::plus<>()),
      std::accumulate(in.x.begin(), in.x.end(), 0.0));
  ROW("transform_reduce", furca::transform_reduce(in.x, in.y, 0.0),
      std::inner_product(in.x.begin(), in.x.end(), in.y.begin(), 0.0));
  ROW("find", furca::find(in.x, kMissing), std::ranges::find(in.x, kMissing));
  ROW("find_if", furca::find_if(in.x, kNever), std::ranges::find_if(in.x, kNever));
  ROW("find_if_not", furca::find_if_not(in.x, kAlways), std::ranges::find_if_not(in.x, kAlways));
  ROW("adjacent_find", furca::adjacent_find(in.x), std::ranges::adjacent_find(in.x));
  ROW("mismatch", furca::mismatch(in.x, in.x).in1, std::ranges::mismatch(in.x, in.x).in1);
  ROW("equal", furca::equal(in.x, in.x), std::ranges::equal(in.x, in.x));
  ROW("contains", furca::contains(in.x, kMissing), std::ranges::find(in.x, kMissing) != in.x.end());
  ROW("all_of", furca::all_of(in.x, kAlways), std::ranges::all_of(in.x, kAlways));
  ROW("any_of", furca::any_of(in.x, kNever), std::ranges::any_of(in.x, kNever));
  ROW("none_of", furca::none_of(in.x, kNever), std::ranges::none_of(in.x, kNever));
  ROW("count", furca::count(in.x, in.x[0]), std::ranges::count(in.x, in.x[0]));
  ROW("count_if", furca::count_if(in.x, kTest), std::ranges::count_if(in.x, kTest));
  ROW("is_sorted", furca::is_sorted(in.sorted_x), std::ranges::is_sorted(in.sorted_x));
  ROW("is_sorted_until", furca::is_sorted_until(in.sorted_x),
      std::ranges::is_sorted_until(in.sorted_x));
  ROW("min", furca::min(in.x), std::ranges::min(in.x));
  ROW("max", furca::max(in.x), std::ranges::max(in.x));
  ROW("minmax", furca::minmax(in.x).max, std::ranges::minmax(in.x).max);
  ROW("min_element", furca::min_element(in.x), std::ranges::min_element(in.x));
  ROW("max_element", furca::max_element(in.x), std::ranges::max_element(in.x));
  ROW("minmax_element", furca::minmax_element(in.x).max, std::ranges::minmax_element(in.x).max);
  ROW("includes", furca::includes(in.sorted_x, in.some_of_x),
      std::ranges::includes(in.sorted_x, in.some_of_x));
#undef ROW
}

void order(Rows& rows) {
  const Place middle = static_cast<Place>(rows.size() / 2);
  const Place tenth = static_cast<Place>(rows.size() / 10);
  // in place, in a copy of an input; whose making is part of the call
#define ROW(name, input, ours, serial) \
  COMPARE(name, auto& v = copied(in.input, out), ours, serial, v[static_cast<std::size_t>(middle)])
#define TAIL(name, input, ours, serial)                                                            \
  COMPARE(name, auto& v = copied(in.input, out), const auto rest = ours, const auto rest = serial, \
          rest.begin())
  TAIL("remove_if", x, furca::remove_if(v, kTest), std::ranges::remove_if(v, kTest));
  TAIL("unique", sorted_x, furca::unique(v), std::ranges::unique(v));
  TAIL("partition", x, furca::partition(v, kTest), std::ranges::partition(v, kTest));
  ROW("stable_partition", x, furca::stable_partition(v, kTest),
      std::ranges::stable_partition(v, kTest));
  ROW("sort", x, furca::sort(v), std::ranges::sort(v));
  ROW("sort of int", numbers, furca::sort(v), std::ranges::sort(v));
  ROW("sort_by_key", numbers, furca::sort_by_key(v, out.w = in.y), sort_pairs(v, out.w = in.y));
  ROW("nth_element", x, furca::nth_element(v, v.begin() + middle),
      std::ranges::nth_element(v, v.begin() + middle));
  COMPARE("partial_sort", auto& v = copied(in.x, out), furca::partial_sort(v, v.begin() + tenth),
          std::ranges::partial_sort(v, v.begin() + tenth), v[0]);
  ROW("stable_sort", x, furca::stable_sort(v), std::ranges::stable_sort(v));
  ROW("stable_sort of int", numbers, furca::stable_sort(v), std::ranges::stable_sort(v));
  ROW("inplace_merge", halves, furca::inplace_merge(v, v.begin() + middle),
      std::ranges::inplace_merge(v, v.begin() + middle));
  ROW("reverse", x, furca::reverse(v), std::ranges::reverse(v));
  ROW("rotate", x, furca::rotate(v, v.begin() + 3 * tenth),
      std::ranges::rotate(v, v.begin() + 3 * tenth));
  COMPARE("shuffle", auto& v = copied(in.x, out), furca::shuffle(v, 42), shuffle(v), v.size());
#undef TAIL
#undef ROW
}

void merge(Rows& rows) {
#define SETS(function)                                                                             \
  COMPARE(#function, , const auto end = furca::function(in.sorted_x, in.sorted_y, out.twice).out,  \
          const auto end = std::ranges::function(in.sorted_x, in.sorted_y, out.twice.begin()).out, \
          end)
  SETS(merge);
  SETS(set_union);
  SETS(set_intersection);
  SETS(set_difference);
  SETS(set_symmetric_difference);
  COMPARE("copy_if", , const auto end = furca::copy_if(in.x, out.v, kTest).out,
          const auto end = std::ranges::copy_if(in.x, out.v.begin(), kTest).out, end);
#undef SETS
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: small ELEMENTS ROUNDS\n", stderr);
    return 2;
  }
  Rows rows(std::strtoul(argv[1], nullptr, 10), std::atoi(argv[2]));
  write(rows);
  collect(rows);
  reduce(rows);
  order(rows);
  merge(rows);
}
