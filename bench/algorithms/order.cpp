// The algorithms that sort stably, merge and group.
#include "rows.hpp"

#include <furca/group.hpp>
#include <furca/merge.hpp>
#include <furca/stable_sort.hpp>

#include <execution>
#include <parallel/algorithm>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
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

// Other elements in each call, since a branch predictor learns a thousand by heart: parts of those that there are, one behind the other.

struct Numbered {
  std::uint32_t key;
  std::uint32_t value;
};

/// What is sorted is a copy, whose making is in the time. ours: furca's sort of it.
template <class T, class Less, class Ours>
void stable_sorts(const Rows& rows, const char* name, const std::vector<T>& all, Less less, Ours ours) {
  const std::size_t n = rows.size;
  std::vector<T> y(n);
  const auto on_copy = [&all, &y, n](auto sort) {
    return [&all, &y, n, sort, at = std::size_t{0}]() mutable {
      std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(at), n, y.begin());
      at = at + 2 * n <= all.size() ? at + n : 0;
      sort();
    };
  };
  rows.compare(name, 6.0 * sizeof(T),
               {
                   {"serial", on_copy([&] { std::stable_sort(y.begin(), y.end(), less); })},
                   {"furca", on_copy([&] { ours(y); })},
                   {"std::par", on_copy([&] { std::stable_sort(kPar, y.begin(), y.end(), less); })},
                   {"__gnu_parallel", on_copy([&] { __gnu_parallel::stable_sort(y.begin(), y.end(), less); })},
               },
               [&] { return std::is_sorted(y.begin(), y.end(), less); });
}

void merges(const Rows& rows, const std::vector<double>& x) {
  const std::size_t n = rows.size / 2;
  std::vector<double> runs = x;  // sorted ones of n elements each
  for (std::size_t at = 0; at + n <= runs.size(); at += n) std::sort(runs.data() + at, runs.data() + at + n);
  std::vector<double> out(2 * n);
  const auto with_two = [&runs, n](auto merge) {
    return [&runs, n, merge, at = std::size_t{0}]() mutable {
      const std::span<double> a(runs.data() + at, n);
      const std::span<double> b(runs.data() + at + n, n);
      at = at + 4 * n <= runs.size() ? at + 2 * n : 0;
      merge(a, b);
    };
  };
  rows.compare("merge", 24,
               {
                   {"serial", with_two([&](auto a, auto b) { std::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin()); })},
                   {"furca", with_two([&](auto a, auto b) { furca::merge(a, b, out); })},
                   {"std::par", with_two([&](auto a, auto b) { std::merge(kPar, a.begin(), a.end(), b.begin(), b.end(), out.begin()); })},
                   {"__gnu_parallel", with_two([&](auto a, auto b) { __gnu_parallel::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin()); })},
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
                      tbb::enumerable_thread_specific<std::vector<std::size_t>> local(std::vector<std::size_t>(256));
                      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, bytes.size()), [&](const auto& r) {
                        std::vector<std::size_t>& mine = local.local();
                        for (std::size_t i = r.begin(); i != r.end(); ++i) ++mine[bytes[i]];
                      });
                      counts.assign(256, 0);
                      for (const auto& mine : local) {
                        for (std::size_t i = 0; i < 256; ++i) counts[i] += mine[i];
                      }
                    }},
               },
               [&] { return counts == expected; });
}

void groups(const Rows& rows, const std::vector<std::uint32_t>& keys) {
  constexpr std::uint32_t kKeys = 10'000;
  const std::size_t n = keys.size();
  const auto key_of = [](std::uint32_t x) { return x % kKeys; };
  std::size_t grouped = 0;
  std::vector<std::uint32_t> sorted(kKeys);
  for (const std::uint32_t x : keys) sorted[key_of(x)] = 1;
  const auto expected = static_cast<std::size_t>(std::count(sorted.begin(), sorted.end(), 1U)) + n;
  const auto right = [&] { return std::exchange(grouped, 0) == expected; };
  rows.compare("group_by 10^4", 12,
               {
                   {"unordered_map",
                    [&] {
                      std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> all;
                      for (const std::uint32_t x : keys) all[key_of(x)].push_back(x);
                      grouped = all.size() + n;
                      used(&all);
                    }},
                   {"furca",
                    [&] {
                      const auto all = furca::group_by(keys, key_of);
                      grouped = all.size() + all.rows.values.size();
                      used(all.rows.values.data());
                    }},
               },
               right);
  rows.compare("count_by 10^4", 4,
               {
                   {"unordered_map",
                    [&] {
                      std::unordered_map<std::uint32_t, std::size_t> all;
                      for (const std::uint32_t x : keys) ++all[key_of(x)];
                      grouped = all.size() + n;
                      used(&all);
                    }},
                   {"furca",
                    [&] {
                      const auto all = furca::count_by(keys, key_of);
                      grouped = all.size() + n;
                      used(all.data());
                    }},
               },
               right);
}

}  // namespace

void rows_of_order(const Rows& rows) {
  const std::vector<double> x = random_doubles(std::max(rows.size, std::size_t{1'000'000}));
  std::vector<Record> records;
  for (const double one : x) records.push_back({one, records.size()});
  stable_sorts(rows, "stable_sort", x, std::less<>(), [](auto& y) { furca::stable_sort(y); });
  const auto by_key = [](const auto& a, const auto& b) { return a.key < b.key; };
  stable_sorts(rows, "stable_sort 16", records, by_key, [by_key](auto& y) { furca::stable_sort(y, by_key); });
  std::vector<std::uint32_t> integers;
  std::vector<Numbered> numbered;
  for (const double one : x) {
    integers.push_back(static_cast<std::uint32_t>(one * 0x1p32));
    numbered.push_back({integers.back(), static_cast<std::uint32_t>(numbered.size())});
  }
  stable_sorts(rows, "stable_sort uint32", integers, std::less<>(), [](auto& y) { furca::stable_sort(y); });
  stable_sorts(rows, "stable_sort by uint32", numbered, by_key, [](auto& y) { furca::stable_sort(y, {}, &Numbered::key); });
  merges(rows, x);
  std::vector<std::uint32_t> keys(rows.size);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::uint32_t>(x[i] * 4e9);
  histograms(rows, keys);
  groups(rows, keys);
}

}  // namespace bench
