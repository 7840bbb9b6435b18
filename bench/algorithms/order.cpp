// The algorithms that sort stably, merge and group.
#include "rows.hpp"

#include <furca/group.hpp>
#include <furca/merge.hpp>
#include <furca/stable_sort.hpp>

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <execution>
#include <parallel/algorithm>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bench {

namespace {

const auto kPar = std::execution::par;

struct Record {
  double key;
  std::uint64_t value;
};

struct Numbered {
  std::uint32_t key;
  std::uint32_t value;
};

/// What is sorted is a copy, whose making is in the time. ours: furca's sort of it.
template <class T, class Make, class Less, class Ours>
void stable_sorts(const Rows& rows, const char* name, Make make, Less less, Ours ours) {
  if (!rows.wanted(name)) return;
  Inputs<T> inputs(rows.size, make);
  rows.compare(
      name, 6.0 * sizeof(T),
      {
          {"serial",
           inputs.with_copy([less](auto& y) { std::stable_sort(y.begin(), y.end(), less); })},
          {"furca", inputs.with_copy([ours](auto& y) { ours(y); })},
          {"std::par",
           inputs.with_copy([less](auto& y) { std::stable_sort(kPar, y.begin(), y.end(), less); })},
          {"__gnu_parallel", inputs.with_copy([less](auto& y) {
             __gnu_parallel::stable_sort(y.begin(), y.end(), less);
           })},
      },
      [&] { return std::is_sorted(inputs.last_copy().begin(), inputs.last_copy().end(), less); });
}

/// Of the halves of what is given.
void merges(const Rows& rows) {
  if (!rows.wanted("merge")) return;
  const std::size_t n = std::max<std::size_t>(rows.size / 2, 1);
  Inputs<double> inputs(2 * n, [](std::size_t, auto& random) { return number(random); });
  inputs.change([n](auto runs) {
    std::sort(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(n));
    std::sort(runs.begin() + static_cast<std::ptrdiff_t>(n), runs.end());
  });
  std::vector<double> out(2 * n);
  const auto with_two = [&inputs, n](auto merge) {
    return inputs.with([n, merge](auto runs) { merge(runs.first(n), runs.last(n)); });
  };
  rows.compare("merge", 24,
               {
                   {"serial", with_two([&](auto a, auto b) {
                      std::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
                    })},
                   {"furca", with_two([&](auto a, auto b) { furca::merge(a, b, out); })},
                   {"std::par", with_two([&](auto a, auto b) {
                      std::merge(kPar, a.begin(), a.end(), b.begin(), b.end(), out.begin());
                    })},
                   {"__gnu_parallel", with_two([&](auto a, auto b) {
                      __gnu_parallel::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
                    })},
               },
               [&] {
                 const bool right = std::is_sorted(out.begin(), out.end());
                 out[out.size() / 2] = -1;
                 return right;
               });
}

void histograms(const Rows& rows, const std::vector<std::uint32_t>& keys) {
  std::vector<std::size_t> counts;
  const std::vector<unsigned char> bytes(keys.begin(), keys.end());
  const auto serial = [&] {
    counts.assign(256, 0);
    for (const unsigned char byte : bytes) ++counts[byte];
  };
  serial();
  const std::vector<std::size_t> expected = counts;
  rows.compare("histogram 256", 1,
               {
                   {"serial", serial},
                   {"furca", [&] { counts = furca::histogram(bytes, 256); }},
                   {"oneTBB",
                    [&] {
                      tbb::enumerable_thread_specific<std::vector<std::size_t>> local(
                          std::vector<std::size_t>(256));
                      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, bytes.size()),
                                        [&](const auto& r) {
                                          std::vector<std::size_t>& mine = local.local();
                                          for (std::size_t i = r.begin(); i != r.end(); ++i)
                                            ++mine[bytes[i]];
                                        });
                      counts.assign(256, 0);
                      for (const auto& mine : local) {
                        for (std::size_t i = 0; i < 256; ++i) counts[i] += mine[i];
                      }
                    }},
               },
               [&] { return counts == expected; });
}

/// Of so many bins, and of rows by index, beside a serial counting sort. Each way makes new
/// vectors, as a function does that returns them.
void indices(const Rows& rows, const std::string& kind, const std::vector<std::uint32_t>& numbers,
             std::size_t bins) {
  const std::string histogram = "histogram " + kind;
  const std::string group_by_index = "group_by_index " + kind;
  if (!rows.wanted(histogram.c_str()) && !rows.wanted(group_by_index.c_str())) return;
  std::vector<std::uint32_t> keys = numbers;
  for (std::uint32_t& x : keys) x = static_cast<std::uint32_t>(x % bins);
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> values;
  const auto count = [&] {
    offsets = std::vector<std::size_t>(bins + 1);
    for (const std::uint32_t x : keys) ++offsets[x];
  };
  const auto sort = [&] {
    count();
    std::exclusive_scan(offsets.begin(), offsets.end(), offsets.begin(), std::size_t{0});
    std::vector<std::size_t> next = offsets;
    values = std::vector<std::uint32_t>(keys.size());
    for (const std::uint32_t x : keys) values[next[x]++] = x;
  };
  rows.compare(histogram.c_str(), 4,
               {
                   {"serial", count},
                   {"furca", [&] { offsets = furca::histogram(keys, bins + 1); }},
               },
               [&] {
                 const std::vector<std::size_t> counts = offsets;
                 count();
                 return counts == offsets;
               });
  rows.compare(group_by_index.c_str(), 12,
               {
                   {"serial", sort},
                   {"furca",
                    [&] {
                      auto all = furca::group_by_index(keys, bins);
                      offsets = std::move(all.offsets);
                      values = std::move(all.values);
                    }},
               },
               [&] {
                 const auto made = std::pair(offsets, values);
                 sort();
                 return made == std::pair(offsets, values);
               });
}

/// The elements by `key_of`, as serial programs write it, too: with room for all keys from the
/// beginning.
template <class T, class KeyOf>
void groups(const Rows& rows, const std::string& kind, const std::vector<T>& elements,
            KeyOf key_of) {
  const std::string group_by = "group_by " + kind;
  const std::string count_by = "count_by " + kind;
  const std::string reduce_by = "reduce_by " + kind;
  if (!rows.wanted(group_by.c_str()) && !rows.wanted(count_by.c_str()) &&
      !rows.wanted(reduce_by.c_str())) {
    return;
  }
  using Key = std::decay_t<std::invoke_result_t<KeyOf, const T&>>;
  const std::size_t n = elements.size();
  const std::size_t keys = furca::count_by(elements, key_of).size();
  std::size_t grouped = 0;
  const auto right = [&, expected = keys + n] { return std::exchange(grouped, 0) == expected; };
  const auto group_in_map = [&](std::size_t room) {
    return [&, room] {
      std::unordered_map<Key, std::vector<T>> all;
      all.reserve(room);
      for (const T& x : elements) all[key_of(x)].push_back(x);
      grouped = all.size() + n;
      used(&all);
    };
  };
  const auto count_in_map = [&](std::size_t room) {
    return [&, room] {
      std::unordered_map<Key, std::size_t> all;
      all.reserve(room);
      for (const T& x : elements) ++all[key_of(x)];
      grouped = all.size() + n;
      used(&all);
    };
  };
  rows.compare(group_by.c_str(), 3 * sizeof(T),
               {
                   {"unordered_map", group_in_map(0)},
                   {"one with room", group_in_map(keys)},
                   {"furca",
                    [&] {
                      const auto all = furca::group_by(elements, key_of);
                      grouped = all.size() + all.rows.values.size();
                      used(all.rows.values.data());
                    }},
               },
               right);
  rows.compare(count_by.c_str(), sizeof(T),
               {
                   {"unordered_map", count_in_map(0)},
                   {"one with room", count_in_map(keys)},
                   {"furca",
                    [&] {
                      const auto all = furca::count_by(elements, key_of);
                      grouped = all.size() + n;
                      used(all.data());
                    }},
               },
               right);
  const auto size_of = [](const T& x) { return static_cast<double>(sizeof(x)); };
  const auto reduce_in_map = [&](std::size_t room) {
    return [&, room] {
      std::unordered_map<Key, double> all;
      all.reserve(room);
      for (const T& x : elements) all[key_of(x)] += size_of(x);
      grouped = all.size() + n;
      used(&all);
    };
  };
  rows.compare(reduce_by.c_str(), sizeof(T),
               {
                   {"unordered_map", reduce_in_map(0)},
                   {"one with room", reduce_in_map(keys)},
                   {"furca",
                    [&] {
                      const auto all = furca::reduce_by(elements, key_of, size_of);
                      grouped = all.size() + n;
                      used(all.data());
                    }},
               },
               right);
}

void groups(const Rows& rows, const std::vector<std::uint32_t>& keys) {
  groups(rows, "10^4", keys, [](std::uint32_t x) { return x % 10'000; });
  groups(rows, "100", keys, [](std::uint32_t x) { return x % 100; });
  groups(rows, "many", keys, std::identity());  // nearly as many keys as elements
  std::vector<std::string> words;
  for (const std::uint32_t x : keys) words.push_back("word " + std::to_string(x % 10'000));
  groups(rows, "strings", words,
         [](const std::string& word) -> const std::string& { return word; });
  words.clear();
  for (const std::uint32_t x : keys) words.push_back("word " + std::to_string(x));
  groups(rows, "many strings", words,
         [](const std::string& word) -> const std::string& { return word; });
}

/// Everything that groups, from few keys to as many as elements: --only keys.
void keys(const Rows& rows, const std::vector<std::uint32_t>& numbers) {
  if (!rows.wanted("keys")) return;
  for (const std::uint32_t keys :
       {50U, 1'000U, 10'000U, 20'000U, 50'000U, 100'000U, 1'000'000U, 10'000'000U}) {
    if (keys > rows.size) break;
    const std::string kind = std::to_string(keys);
    indices(rows, kind + " keys", numbers, keys);
    groups(rows, kind + " keys", numbers, [keys](std::uint32_t x) { return x % keys; });
    if (keys > 1'000'000) break;
    std::vector<std::string> words;
    for (const std::uint32_t x : numbers) words.push_back("word " + std::to_string(x % keys));
    groups(rows, kind + " string keys", words,
           [](const std::string& word) -> const std::string& { return word; });
  }
}

}  // namespace

void rows_of_order(const Rows& rows) {
  const auto by_key = [](const auto& a, const auto& b) { return a.key < b.key; };
  const auto plainly = [](auto& y) { furca::stable_sort(y); };
  const auto integer = [](auto& random) {
    return static_cast<std::uint32_t>(number(random) * 0x1p32);
  };
  stable_sorts<double>(
      rows, "stable_sort", [](std::size_t, auto& random) { return number(random); }, std::less<>(),
      plainly);
  stable_sorts<Record>(
      rows, "stable_sort 16", [](std::size_t i, auto& random) { return Record{number(random), i}; },
      by_key, [by_key](auto& y) { furca::stable_sort(y, by_key); });
  stable_sorts<std::uint32_t>(
      rows, "stable_sort uint32", [integer](std::size_t, auto& random) { return integer(random); },
      std::less<>(), plainly);
  stable_sorts<Numbered>(
      rows, "stable_sort by uint32",
      [integer](std::size_t i, auto& random) {
        return Numbered{integer(random), static_cast<std::uint32_t>(i)};
      },
      by_key, [](auto& y) { furca::stable_sort(y, {}, &Numbered::key); });
  merges(rows);
  const std::vector<double> x = random_doubles(rows.size);
  std::vector<std::uint32_t> numbers(rows.size);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<std::uint32_t>(x[i] * 4e9);
  histograms(rows, numbers);
  indices(rows, "10^6", numbers, 1'000'000);
  indices(rows, "500", numbers, 500);
  indices(rows, "100", numbers, 100);
  groups(rows, numbers);
  keys(rows, numbers);
}

}  // namespace bench
