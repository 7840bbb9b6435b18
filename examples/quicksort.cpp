// Quicksort by recursive join, as one would write it serially: the two sides of the pivot are
// seldom of equal size.
//
// Work O(n log n) and span O(n), both expected: the first partition passes over all keys alone, the
// next over half of them, so the speed-up is bounded by about log2(n) / 2.
#include "arguments.hpp"
#include "timing.hpp"

#include <furca/furca.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace {

using Key = std::uint64_t;
using Keys = std::span<Key>;

constexpr std::size_t kSmall = 32;  // std::sort is the better one from here on, in both versions

Key median(Key a, Key b, Key c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }

/// Orders the keys into less than, equal to and greater than a pivot; returns the first and the
/// last part. That equal keys are out of the game is what keeps skewed keys from going quadratic.
std::pair<Keys, Keys> partition(Keys keys) {
  const Key pivot = median(keys.front(), keys[keys.size() / 2], keys.back());
  std::size_t below = 0;
  std::size_t above = keys.size();
  for (std::size_t i = 0; i < above;) {
    if (keys[i] < pivot) {
      std::swap(keys[i++], keys[below++]);
    } else if (keys[i] > pivot) {
      std::swap(keys[i], keys[--above]);
    } else {
      ++i;
    }
  }
  return {keys.first(below), keys.subspan(above)};
}

/// Pivots can be unlucky; after this many levels std::sort finishes the job, which is O(n log n)
/// whatever the keys.
int most_levels(Keys keys) { return 4 * static_cast<int>(std::bit_width(keys.size())); }

void sort_serially(Keys keys, int levels) {
  if (keys.size() <= kSmall || levels == 0) return std::sort(keys.begin(), keys.end());
  const auto [less, greater] = partition(keys);
  sort_serially(less, levels - 1);
  sort_serially(greater, levels - 1);
}

void sort_in_parallel(Keys keys, int levels) {
  if (keys.size() <= kSmall || levels == 0) return std::sort(keys.begin(), keys.end());
  const auto parts = partition(keys);
  furca::join([=] { sort_in_parallel(parts.first, levels - 1); },
              [=] { sort_in_parallel(parts.second, levels - 1); });
}

/// True if both versions sort a copy of the keys as std::sort does.
bool sort_all_ways(const char* name, const std::vector<Key>& keys) {
  std::vector<Key> expected = keys;
  std::vector<Key> serial = keys;
  std::vector<Key> parallel = keys;
  const double standard_time =
      examples::seconds([&] { std::sort(expected.begin(), expected.end()); });
  const double serial_time = examples::seconds([&] { sort_serially(serial, most_levels(serial)); });
  const double parallel_time =
      examples::seconds([&] { sort_in_parallel(parallel, most_levels(parallel)); });

  std::printf("%s keys: %zu, least %ju, median %ju, greatest %ju; std::sort %.1f ms\n", name,
              parallel.size(), std::uintmax_t{parallel.front()},
              std::uintmax_t{parallel[parallel.size() / 2]}, std::uintmax_t{parallel.back()},
              1e3 * standard_time);
  examples::print_comparison(serial_time, parallel_time);
  return std::is_sorted(parallel.begin(), parallel.end()) && parallel == expected &&
         serial == expected;
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(argc, argv,
                                "usage: quicksort [N]\n"
                                "Sorts N random and N skewed keys (default 4000000).\n");
  const std::size_t n = arguments.number("N", 4'000'000, 1, 100'000'000);
  arguments.done();

  std::mt19937_64 random(2024);
  std::vector<Key> uniform(n);
  for (Key& key : uniform) key = random();

  // As many between 1 and 2 as between 2 and 4, 4 and 8, and so on up to a million: a thousand
  // small ones are half of all.
  std::vector<Key> skewed(n);
  for (Key& key : skewed)
    key = static_cast<Key>(std::exp2(std::uniform_real_distribution(0.0, 20.0)(random)));

  if (!sort_all_ways("random", uniform) || !sort_all_ways("skewed", skewed))
    return examples::disagreement("not sorted as by std::sort");
  return 0;
}
