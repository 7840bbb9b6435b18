// What tests of algorithms run over: sizes around those of blocks, values of several distributions,
// elements of unusual types, pools of up to 64 threads.
#pragma once

#include "trials.hpp"

#include <furca/thread_pool.hpp>

namespace furca::test {

#if defined(FURCA_ATOMICS_HEADER)
inline constexpr std::size_t kMostElements = 600;  // with random delays
#else
inline constexpr std::size_t kMostElements = kSanitized ? 70'000 : 1'000'003;
#endif

using Numbers = std::vector<std::uint32_t>;

inline std::uint32_t mixed(std::uint32_t v) { return v * 2'654'435'761U ^ (v >> 3U); }

/// Of ranges: none, one, and around powers of two, up to a million and some. Some of them if few
/// cases will do.
inline std::vector<std::size_t> sizes(std::size_t most = kMostElements) {
  most = std::min(most, kMostElements);
  std::vector<std::size_t> all = {0, 1, 2, 3, 5, 1'000'003};
  for (const std::size_t power :
       {8U, 64U, 128U, 512U, 1'024U, 2'048U, 4'096U, 8'192U, 65'536U, 262'144U})
    all.insert(all.end(), {power - 1, power, power + 1});
  if (few_cases()) all = {0, 1, 3, 63, 64, 65, 513, 1'025, 2'049, 8'191, 65'537};
  std::erase_if(all, [most](std::size_t n) { return n > most; });
  return all;
}

/// In this order: all alike, rising, falling, few different ones, any.
inline constexpr int kDistributions = 5;
inline Numbers values(std::size_t n, int distribution) {
  std::mt19937 random(static_cast<std::uint32_t>(n) + 1);
  Numbers all(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto number = static_cast<std::uint32_t>(i);
    switch (distribution) {
      case 0:
        all[i] = 7;
        break;
      case 1:
        all[i] = number;
        break;
      case 2:
        all[i] = static_cast<std::uint32_t>(n) - number;
        break;
      case 3:
        all[i] = static_cast<std::uint32_t>(random() % 3);
        break;
      default:
        all[i] = static_cast<std::uint32_t>(random());
        break;
    }
  }
  return all;
}

/// A key, and where the element was.
struct Placed {
  std::uint32_t key = 0;
  std::uint32_t place = 0;
  friend bool operator==(const Placed&, const Placed&) = default;
};

inline bool less_key(const Placed& a, const Placed& b) { return a.key < b.key; }

/// Sorted; of `keys` different ones, or as many as there are. Places begin at `first`.
inline std::vector<Placed> sorted_keys(std::size_t n, std::uint32_t keys, std::uint32_t first) {
  std::vector<Placed> all;
  std::mt19937 random(static_cast<std::uint32_t>(n) + first);
  for (std::size_t i = 0; i < n; ++i)
    all.push_back({static_cast<std::uint32_t>(random()) % keys, 0});
  std::sort(all.begin(), all.end(), less_key);
  for (std::size_t i = 0; i < n; ++i) all[i].place = first + static_cast<std::uint32_t>(i);
  return all;
}

/// Calls check() inside pools of 1 to 64 threads, or of 1 and 8 if few cases will do. Kept by tests
/// that ask much of all pools: what is expected is computed once for all of them.
class PoolsOfAllSizes {
 public:
  PoolsOfAllSizes() {
    for (const std::size_t threads : {1U, 2U, 3U, 8U, 64U})
      if (!few_cases() || threads == 1 || threads == 8)
        pools_.push_back(std::make_unique<ThreadPool>(Config{.threads = threads}));
  }
  void operator()(const std::function<void()>& check) const {
    for (const auto& pool : pools_) {
      pool->install([&check] {
        CAPTURE(num_threads());
        check();
      });
    }
  }

 private:
  std::vector<std::unique_ptr<ThreadPool>> pools_;
};

/// The same with one pool at a time.
inline void on_pools_of_all_sizes(const std::function<void()>& check) {
  for (const std::size_t threads : {1U, 2U, 3U, 8U, 64U}) {
    if (few_cases() && threads != 1 && threads != 8) continue;
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    pool.install([&check] { check(); });
  }
}

/// What call() throws: a std::runtime_error, or one like it, and what it says. Empty: nothing.
template <class Call>
std::string thrown_by(Call call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

/// Throws from index `first` on, at every third one, and says where.
inline void throw_from(std::size_t first, std::size_t i) {
  if (i >= first && (i - first) % 3 == 0) throw std::runtime_error(std::to_string(i));
}

/// Comparisons that are no order.
inline const std::vector<std::function<bool(std::uint32_t, std::uint32_t)>> no_orders = {
    [](std::uint32_t, std::uint32_t) { return true; },
    [](std::uint32_t a, std::uint32_t b) { return a <= b; },
    [](std::uint32_t a, std::uint32_t b) { return ((a * 2'654'435'761U) ^ (b * 40'503U)) % 7 < 3; },
};

/// Trivially copyable, and cannot be copied.
struct Handle {
  int number = 0;
  explicit Handle(int n) : number(n) {}
  Handle(Handle&&) = default;
  Handle& operator=(Handle&&) = default;
};

struct alignas(256) OverAligned {
  std::uint32_t value = 0;
  OverAligned() = default;
  explicit OverAligned(std::uint32_t v) : value(v) {}
  bool aligned() const noexcept { return reinterpret_cast<std::uintptr_t>(this) % 256 == 0; }
};

struct Huge {
  std::uint32_t value = 0;
  char more[5'000] = {};
};

/// Made of a number only, and moved only, and not assigned.
struct Particular {
  explicit Particular(std::uint32_t v) : value(std::make_unique<std::uint32_t>(v)) {}
  Particular(Particular&&) = default;
  Particular& operator=(Particular&&) = delete;
  std::unique_ptr<std::uint32_t> value;
};

/// The move may throw, as the compiler sees it.
struct MayThrow {
  std::string word;
  explicit MayThrow(std::uint32_t n) : word(std::to_string(n)) {}
  MayThrow(const MayThrow& other) : word(other.word) {}
  MayThrow& operator=(const MayThrow& other) {
    if (moves_left > 0 && --moves_left == 0) throw std::runtime_error("move");
    word = other.word;
    return *this;
  }
  static inline std::atomic<int> moves_left{0};
};

/// Counts those that there are.
struct Counted {
  static inline std::atomic<long> alive{0};

  Counted() noexcept { ++alive; }
  explicit Counted(std::uint32_t v) noexcept : value(v) { ++alive; }
  Counted(const Counted& other) noexcept : value(other.value) { ++alive; }
  Counted& operator=(const Counted&) noexcept = default;
  ~Counted() { --alive; }

  std::uint32_t value = 0;
};

}  // namespace furca::test
