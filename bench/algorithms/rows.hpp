// What the rows of bench/algorithms have in common: an algorithm written in several ways, run in
// turns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <random>
#include <span>
#include <vector>

namespace bench {

struct Way {
  const char* name;  // "serial", "furca", "oneTBB", "std::par", "__gnu_parallel", or what tells it
                     // from these
  std::function<void()> call;
};

/// All algorithms over `size` elements.
class Rows {
 public:
  explicit Rows(std::size_t elements) : size(elements) {}

  /// Times a call of each way. `bytes`: what the algorithm reads and writes for an element if the
  /// caches hold nothing, and writes read what they replace. `right`: whether the call before it
  /// did what it should.
  void compare(const char* algorithm, double bytes, std::initializer_list<Way> ways,
               const std::function<bool()>& right) const;

  /// Whether an algorithm is among those asked for.
  bool wanted(const char* algorithm) const;

  const std::size_t size;
};

/// Of so many elements on, no cache holds what an algorithm goes through.
inline constexpr std::size_t kOfMemory = 4'000'000;

/// In [0, 1).
inline double number(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11U) * 0x1p-53;
}

/// Numbers in [0, 1), the same in each run.
inline std::vector<double> random_doubles(std::size_t n) {
  std::mt19937_64 random(1);
  std::vector<double> numbers(n);
  for (double& x : numbers) x = number(random);
  return numbers;
}

/// What the calls of a row work on, each on the next. Of few elements there are many, since a
/// branch predictor learns one by heart: as many as a second-level cache holds.
template <class T>
class Inputs {
 public:
  /// Of n elements: make(i, random) is element i of each.
  template <class Make>
  Inputs(std::size_t n, Make make)
      : n_(n), all_(n * std::max<std::size_t>(1, kTogether / (n * sizeof(T)))), copy_(n) {
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < all_.size(); ++i) all_[i] = make(i % n, random);
  }

  /// f(element range) for each.
  template <class F>
  void change(F f) {
    for (std::size_t at = 0; at < all_.size(); at += n_) f(std::span<T>(all_).subspan(at, n_));
  }

  /// A way's call: f(the next one). It may write to it, so that libstdc++'s __gnu_parallel::merge
  /// compiles, and does not.
  template <class F>
  std::function<void()> with(F f) {
    return [this, f] { f(next()); };
  }

  /// The same with a copy, for what works in place. To make it is part of the call.
  template <class F>
  std::function<void()> with_copy(F f) {
    return [this, f] {
      const std::span<T> from = next();
      std::copy(from.begin(), from.end(), copy_.begin());
      f(copy_);
    };
  }

  /// What the last call was given.
  std::span<T> last() { return std::span<T>(all_).subspan(at_, n_); }
  std::vector<T>& last_copy() { return copy_; }

 private:
  static constexpr std::size_t kTogether = 512 * 1024;

  std::span<T> next() {
    at_ = (at_ + n_) % all_.size();
    return last();
  }

  const std::size_t n_;
  std::vector<T> all_;
  std::vector<T> copy_;
  std::size_t at_ = 0;
};

/// The compiler knows nothing of what is at `p` any more, and has to have written it.
inline void used(const void* p) { asm volatile("" : : "g"(p) : "memory"); }

void rows_of_memory(const Rows& rows);
void rows_of_collect(const Rows& rows);
void rows_of_search(const Rows& rows);
void rows_of_sort(const Rows& rows);
void rows_of_order(const Rows& rows);

}  // namespace bench
