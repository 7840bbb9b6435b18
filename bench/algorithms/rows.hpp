// What the rows of bench/algorithms have in common: an algorithm written in several ways, run in turns.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <random>
#include <vector>

namespace bench {

struct Way {
  const char* name;  // "serial", "furca", "oneTBB", "std::par", "__gnu_parallel", or what tells it from these
  std::function<void()> call;
};

/// All algorithms over `size` elements.
class Rows {
 public:
  explicit Rows(std::size_t elements) : size(elements) {}

  /// Times a call of each way. `bytes`: what the algorithm reads and writes for an element if the caches hold nothing, and writes read what they replace. `right`:
  /// whether the call before it did what it should.
  void compare(const char* algorithm, double bytes, std::initializer_list<Way> ways, const std::function<bool()>& right) const;

  /// Whether an algorithm is among those asked for.
  bool wanted(const char* algorithm) const;

  const std::size_t size;
};

/// Of so many elements on, no cache holds what an algorithm goes through.
inline constexpr std::size_t kOfMemory = 4'000'000;

/// Numbers in [0, 1), the same in each run.
inline std::vector<double> random_doubles(std::size_t n) {
  std::mt19937_64 random(1);
  std::vector<double> numbers(n);
  for (double& x : numbers) x = static_cast<double>(random() >> 11U) * 0x1p-53;
  return numbers;
}

/// The compiler knows nothing of what is at `p` any more, and has to have written it.
inline void used(const void* p) { asm volatile("" : : "g"(p) : "memory"); }

void rows_of_memory(const Rows& rows);
void rows_of_collect(const Rows& rows);
void rows_of_search(const Rows& rows);
void rows_of_sort(const Rows& rows);
void rows_of_order(const Rows& rows);

}  // namespace bench
