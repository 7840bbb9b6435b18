#include <furca/sort.hpp>
#include <furca/views.hpp>

#include "support/elements.hpp"
#include "support/pools.hpp"

using namespace furca::test;

namespace {

/// A key, and what tells equal elements apart.
struct Item {
  std::uint32_t key = 0;
  std::uint32_t number = 0;
  friend bool operator==(const Item&, const Item&) = default;
};

/// Not small: sorted by swaps.
struct Large {
  Item item;
  std::array<std::uint64_t, 6> more{};
};

/// What sorts are fed with: the inputs of the IPS4o benchmark suite, and those that pivots of
/// simple quicksorts fall for.
constexpr int kInputs = 13;
std::uint32_t key_of(int input, std::size_t i, std::size_t n, std::mt19937& random) {
  const auto number = static_cast<std::uint32_t>(i);
  const auto size = static_cast<std::uint32_t>(n);
  const auto root = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(n)));
  const double uniform = static_cast<double>(random()) / 4294967296.0;
  switch (input) {
    case 0:
      return static_cast<std::uint32_t>(random());  // uniform
    case 1:
      return static_cast<std::uint32_t>(std::exp2(uniform * 31));  // exponential
    case 2:
      return static_cast<std::uint32_t>(std::pow(static_cast<double>(n) + 1, uniform));  // Zipf's
    case 3:
      return number % std::max(1U, root);  // duplicates of a root, of squares, of eighth powers
    case 4:
      return number * number % size;
    case 5:
      return (number * number % size * (number * number % size) % size + size / 2) % size;
    case 6:
      // almost sorted
      return random() % std::max(1U, root) == 0 ? static_cast<std::uint32_t>(random()) % size
                                                : number;
    case 7:
      return number;
    case 8:
      return size - number;
    case 9:
      return 1;
    case 10:
      return std::min(number, size - number);  // organ pipes
    case 11:
      return number % std::max(1U, size / 8);  // saw teeth
    default:
      return static_cast<std::uint32_t>(random() % 3);
  }
}

std::vector<Item> items(int input, std::size_t n) {
  std::mt19937 random(static_cast<std::uint32_t>(n) + 1);
  std::vector<Item> all(n);
  for (std::size_t i = 0; i < n; ++i)
    all[i] = {key_of(input, i, n, random), static_cast<std::uint32_t>(i)};
  return all;
}

std::vector<std::size_t> some_sizes() {
  std::vector<std::size_t> all = {0,  1,  2,   3,   4,   5,   15,  16,    17,    31,     32,
                                  33, 64, 100, 300, 511, 512, 513, 1'000, 5'003, 65'536, 200'003};
  if (kSanitized) all = {0, 1, 3, 4, 5, 33, 600, 65'536};
  std::erase_if(all, [](std::size_t n) { return n > kMostElements; });
  return all;
}

bool is_less(const Item& a, const Item& b) { return a.key < b.key; }

/// Any comparison of keys, so that each kind of element is sorted by one type of them.
using Order = std::function<bool(std::uint32_t, std::uint32_t)>;
std::uint32_t large_key(const Large& l) { return l.item.key; }
void sort_large(std::vector<Large>& large, const Order& order) {
  furca::sort(large, order, large_key);
}
void sort_small(std::vector<Item>& small, const Order& order) {
  furca::sort(small, order, &Item::key);
}
void select_small(std::vector<Item>& small, std::ptrdiff_t nth, const Order& order) {
  furca::nth_element(small, small.begin() + nth, order, &Item::key);
}

/// The items by number: what they were before they were sorted.
bool are_all(std::vector<Item> sorted, const std::vector<Item>& original) {
  std::sort(sorted.begin(), sorted.end(),
            [](const Item& a, const Item& b) { return a.number < b.number; });
  return sorted == original;
}

}  // namespace

TEST_CASE(
    "what is sorted is in order, and the order of equal elements depends on the range alone") {
  struct Result {
    std::vector<Item> small;
    std::vector<std::uint32_t> large;
  };
  std::vector<Result> first;
  on_pools_of_all_sizes([&] {
    std::size_t at = 0;
    for (const std::size_t n : some_sizes()) {
      CAPTURE(n);
      for (int input = 0; input < kInputs; ++input) {
        if (n > 6'000 && input % (kSanitized ? kInputs : 6) != 0) continue;
        CAPTURE(input);
        const std::vector<Item> original = items(input, n);
        std::vector<Item> some = original;
        CHECK(furca::sort(some, {}, &Item::key) == some.end());
        CHECK(std::is_sorted(some.begin(), some.end(), is_less));
        std::vector<Large> large(n);
        for (std::size_t i = 0; i < n; ++i) large[i].item = original[i];
        sort_large(large, std::less<>());
        std::vector<std::uint32_t> order(n);
        for (std::size_t i = 0; i < n; ++i) order[i] = large[i].item.number;
        CHECK(std::equal(large.begin(), large.end(), some.begin(),
                         [](const Large& a, const Item& b) { return a.item.key == b.key; }));
        if (first.size() == at) {
          CHECK(are_all(some, original));
          first.push_back({some, order});
        }
        CHECK(first[at].small == some);
        CHECK(first[at].large == order);
        ++at;
      }
    }
  });
}

TEST_CASE("the n-th element and the first ones are where sorting would have them") {
  std::vector<Numbers> first;
  on_pools_of_all_sizes([&] {
    std::size_t at = 0;
    for (const std::size_t n : some_sizes()) {
      if (n == 0) continue;
      CAPTURE(n);
      for (int input = 0; input < kInputs; ++input) {
        if (n > 6'000 && input % 6 != 0) continue;
        CAPTURE(input);
        Numbers original;
        for (const Item& item : items(input, n)) original.push_back(item.key);
        Numbers sorted = original;
        std::sort(sorted.begin(), sorted.end());
        for (const std::size_t place : {std::size_t{0}, n / 3, n - 1, n}) {
          CAPTURE(place);
          Numbers some = original;
          const auto middle = some.begin() + static_cast<std::ptrdiff_t>(place);
          CHECK(furca::nth_element(some, middle) == some.end());
          if (place < n) {
            CHECK(*middle == sorted[place]);
            CHECK(std::none_of(some.begin(), middle,
                               [&](std::uint32_t x) { return x > sorted[place]; }));
            CHECK(std::none_of(middle, some.end(),
                               [&](std::uint32_t x) { return x < sorted[place]; }));
          }
          Numbers part = original;
          CHECK(furca::partial_sort(part, part.begin() + static_cast<std::ptrdiff_t>(place)) ==
                part.end());
          CHECK(std::equal(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(place),
                           part.begin()));
          some.insert(some.end(), part.begin(), part.end());
          if (first.size() == at) {
            first.push_back(some);
            std::sort(part.begin(), part.end());
            CHECK(part == sorted);
          }
          CHECK(first[at] == some);
          ++at;
        }
      }
    }
  });
}

TEST_CASE("two ranges by the keys of one") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : some_sizes()) {
      CAPTURE(n);
      const std::vector<Item> original = items(0, n);
      std::vector<double> keys(n);
      std::vector<std::unique_ptr<std::uint32_t>> values(n + 3);  // the longer one
      for (std::size_t i = 0; i < n; ++i) {
        keys[i] = original[i].key % 1'000;
        values[i] = std::make_unique<std::uint32_t>(original[i].number);
      }
      const auto end = furca::sort_by_key(keys, values, std::greater<>{});
      CHECK(end.in1 == keys.end());
      CHECK(end.in2 - values.begin() == static_cast<std::ptrdiff_t>(n));
      CHECK(std::is_sorted(keys.begin(), keys.end(), std::greater<>{}));
      std::vector<int> seen(n);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t number = *values[i];
        wrong += ++seen[number] != 1 || keys[i] != original[number].key % 1'000;
      }
      CHECK(wrong == 0);
    }
  });
  std::deque<std::string> names = {"c", "a", "b"};
  std::vector<int> numbers = {3, 1, 2, 9};
  furca::sort_by_key(names, std::span(numbers), {},
                     [](const std::string& name) { return name + "!"; });
  CHECK(numbers == std::vector<int>{1, 2, 3, 9});
  CHECK(names == std::deque<std::string>{"a", "b", "c"});
}

namespace {

/// Counts, and throws at the k-th call, from all threads.
struct Calls {
  std::size_t k = std::numeric_limits<std::size_t>::max();
  std::atomic<std::size_t> made{0};

  void one() {
    if (made.fetch_add(1, std::memory_order_relaxed) == k) throw std::runtime_error("k-th");
  }
};

/// Of which equal ones are told apart. Small: sorted by copies.
struct Tracked {
  std::uint32_t value;
  std::array<char, 12> more{};
};

std::uint32_t number_of(const std::unique_ptr<std::uint32_t>& p) { return p == nullptr ? ~0U : *p; }
std::uint32_t number_of(const Tracked& t) { return t.value; }

/// Keys of which some are equal.
std::uint32_t scattered(std::uint32_t number) { return number * 2'654'435'761U >> 22U; }

// Of one type for all comparisons of an element, and for all algorithms: each other one would be
// compiled for seconds.
template <class T>
using Before = std::function<bool(const T&, const T&)>;
template <class T>
using Algorithm = void (*)(std::vector<T>& some, Before<T>& before);

template <class T>
void sort_all(std::vector<T>& some, Before<T>& before) {
  furca::sort(some, std::ref(before));
}

template <class T>
void sort_a_third(std::vector<T>& some, Before<T>& before) {
  furca::partial_sort(some, some.begin() + static_cast<std::ptrdiff_t>(some.size() / 3 + 1),
                      std::ref(before));
}

template <class T>
void select_a_third(std::vector<T>& some, Before<T>& before) {
  furca::nth_element(some, some.begin() + static_cast<std::ptrdiff_t>(some.size() / 3),
                     std::ref(before));
}

template <class T>
bool is_before(const T& a, const T& b) {
  return scattered(number_of(a)) < scattered(number_of(b));
}

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

/// Runs algorithm(range, order) for `n` elements made by make(i). Throws at call k, then all
/// elements have to be there. Returns how many calls it made.
template <class T>
std::size_t none_is_lost(std::size_t n, std::size_t k, T make(std::uint32_t),
                         Algorithm<T> algorithm, const Before<T>& order) {
  std::vector<T> some;
  for (std::uint32_t i = 0; i < n; ++i) some.push_back(make(i));
  Calls calls{k};
  Before<T> before = [&](const T& a, const T& b) {
    calls.one();
    return order(a, b);
  };
  const std::string thrown = thrown_by([&] { algorithm(some, before); });
  // On several threads the k-th may be one that serial execution would not have made, behind the
  // end of the run that the range begins with.
  if ((thrown == "k-th") != (calls.made > k) && (furca::num_threads() == 1 || !thrown.empty()))
    FAIL("call ", k, ": ", thrown);
  std::vector<int> seen(n);
  for (const T& one : some) {
    const std::uint32_t number = number_of(one);
    if (number < n) ++seen[number];
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (seen[i] != 1)
      FAIL("element ", i, " of ", n, " is there ", seen[i], " times after call ", k);
  }
  return calls.made;
}

std::unique_ptr<std::uint32_t> pointer(std::uint32_t i) {
  return std::make_unique<std::uint32_t>(i);
}
Tracked tracked(std::uint32_t i) { return {i}; }

template <class T>
void throw_at_comparisons(T make(std::uint32_t)) {
  for (const std::size_t n : {std::size_t{300}, std::size_t{20'000}, std::size_t{66'000}}) {
    if (n > kMostElements || (kSanitized && n == 20'000)) continue;
    const std::size_t all = none_is_lost<T>(n, kNever, make, sort_all<T>, is_before<T>);
    const std::size_t step = n > 300 ? all / (kSanitized ? 3 : 11) : kSanitized ? 29 : 1;
    for (std::size_t k = 0; k < all; k += step)
      none_is_lost<T>(n, k, make, sort_all<T>, is_before<T>);
    for (std::size_t k = 0; k < all / 4; k += step)
      none_is_lost<T>(n, k, make, sort_a_third<T>, is_before<T>);
  }
}

template <class T>
void compare_without_order(T make(std::uint32_t), std::size_t n) {
  std::atomic<std::uint32_t> turn{0};
  const Before<T> random = [&turn](const T&, const T&) {
    return (turn.fetch_add(1, std::memory_order_relaxed) * 2'654'435'761U >> 16U) % 2 == 1;
  };
  const Before<T> always = [](const T&, const T&) { return true; };
  const Before<T> or_equal = [](const T& a, const T& b) { return !is_before(b, a); };
  for (const Before<T>& order : {random, always, or_equal}) {
    none_is_lost<T>(n, kNever, make, sort_all<T>, order);
    none_is_lost<T>(n, kNever, make, sort_a_third<T>, order);
    none_is_lost<T>(n, kNever, make, select_a_third<T>, order);
  }
}

}  // namespace

TEST_CASE("whatever throws at the k-th comparison, no element is lost") {
  for (const std::size_t threads : {1U, 3U}) {
    furca::ThreadPool pool({.threads = threads});
    pool.install([] {
      throw_at_comparisons(pointer);
      throw_at_comparisons(tracked);
    });
  }
}

TEST_CASE("a comparison that is no order gives some order, and nothing else") {
  furca::ThreadPool pool({.threads = 3});
  pool.install([] {
    for (const std::size_t n : {std::size_t{2}, std::size_t{3}, std::size_t{31}, std::size_t{33},
                                std::size_t{300}, std::size_t{70'000}}) {
      if (n > kMostElements) continue;
      CAPTURE(n);
      if (!few_cases() || n < 70'000) compare_without_order(pointer, n);
      compare_without_order(tracked, n);
      std::vector<double> some(n);
      for (std::size_t i = 0; i < n; ++i)
        some[i] = i % 3 == 0 ? std::nan("") : static_cast<double>(i * 7'919 % n);
      std::vector<double> all = some;
      std::vector<double> selected = some;
      furca::sort(some);
      furca::nth_element(selected, selected.begin() + static_cast<std::ptrdiff_t>(n / 2));
      const auto in_bits = [](std::vector<double>& numbers) {
        std::vector<std::uint64_t> bits;
        for (const double x : numbers) bits.push_back(std::bit_cast<std::uint64_t>(x));
        std::sort(bits.begin(), bits.end());
        return bits;
      };
      CHECK(in_bits(some) == in_bits(all));
      CHECK(in_bits(selected) == in_bits(all));
    }
  });
}

TEST_CASE("n log n comparisons, whatever the input") {
  const std::size_t n = std::min<std::size_t>(kMostElements, kSanitized ? 10'000 : 100'000);
  const double log_n = std::log2(static_cast<double>(n));
  const auto most = [&](double factor) {
    return static_cast<std::size_t>(factor * static_cast<double>(n) * log_n) + 100;
  };
  furca::ThreadPool pool({.threads = 2});
  pool.install([&] {
    for (int input = 0; input < kInputs; ++input) {
      CAPTURE(input);
      const std::vector<Item> original = items(input, n);
      std::vector<Large> large(n);
      for (std::size_t i = 0; i < n; ++i) large[i].item = original[i];
      const auto count = [](const std::function<void(const Order&)>& algorithm) {
        std::atomic<std::size_t> calls{0};
        algorithm([&](std::uint32_t a, std::uint32_t b) {
          calls.fetch_add(1, std::memory_order_relaxed);
          return a < b;
        });
        return calls.load();
      };
      std::vector<Item> small = original;
      const std::size_t by_gap = count([&](const Order& before) { sort_small(small, before); });
      const std::size_t by_swaps = count([&](const Order& before) { sort_large(large, before); });
      const bool few = input == 3 || input >= 12;
      const bool run = input >= 7 && input <= 9;
      CHECK(by_gap <= (run ? n : most(few ? 0.9 : 1.4)));
      CHECK(by_swaps <= (run ? n : most(few ? 0.9 : 1.4)));
      small = original;
      CHECK(count([&](const Order& before) { select_small(small, 17, before); }) <= 6 * n);
    }
  });
}

TEST_CASE("n log n comparisons against an adversary") {
  // McIlroy: A Killer Adversary for Quicksort, Software: Practice and Experience 29, 1999. Values
  // are decided when they are compared: what is likely to be the pivot gets the least one.
  const std::size_t n = std::min<std::size_t>(kMostElements, 20'000);
  furca::ThreadPool pool({.threads = 1});
  pool.install([&] {
    const auto count = [](const std::function<void(const Order&)>& sort) {
      const auto gas = static_cast<std::uint32_t>(n);
      std::vector<std::uint32_t> value(n, gas);
      value[0] = 1;  // neither rising nor falling
      value[1] = 0;
      value[2] = 2;
      std::uint32_t solid = 3;
      std::uint32_t candidate = 0;
      std::size_t calls = 0;
      sort([&](std::uint32_t a, std::uint32_t b) {
        ++calls;
        if (value[a] == gas && value[b] == gas) value[a == candidate ? a : b] = solid++;
        if (value[a] == gas) {
          candidate = a;
        } else if (value[b] == gas) {
          candidate = b;
        }
        return value[a] < value[b];
      });
      return calls;
    };
    const double limit = 5 * static_cast<double>(n) * std::log2(static_cast<double>(n));
    std::vector<Item> small(n);
    std::vector<Large> large(n);
    for (std::uint32_t i = 0; i < n; ++i) small[i].key = large[i].item.key = i;
    const auto calls =
        static_cast<double>(count([&](const Order& before) { sort_small(small, before); }));
    CHECK(calls < limit);
    CHECK(calls > limit / 5);  // it is one
    CHECK(static_cast<double>(count([&](const Order& before) { sort_large(large, before); })) <
          limit);
    CHECK(static_cast<double>(count([&](const Order& before) { select_small(small, 9, before); })) <
          limit);
  });
}

namespace {

/// Small if it has few bytes, and must not be assigned to itself.
template <std::size_t kMore>
struct NotToItself {
  std::uint32_t value = 0;
  std::array<char, kMore> more{};
  NotToItself() = default;
  NotToItself(NotToItself&&) = default;
  NotToItself& operator=(NotToItself&& other) noexcept {
    if (&other == this) ++moved_to_itself;
    value = std::exchange(other.value, 0U);
    return *this;
  }
  static inline std::atomic<int> moved_to_itself{0};
};

}  // namespace

TEST_CASE("what a move throws is thrown") {
  // 2 elements: the last move of a cycle. 3,000: those of partitions, on several threads.
  for (const std::uint32_t n : {2U, 3'000U}) {
    for (const int moves : {0, 1, 2, 3, 5'000}) {
      CAPTURE(n);
      CAPTURE(moves);
      std::vector<MayThrow> some;
      for (std::uint32_t i = 0; i < n; ++i) some.emplace_back(n - 1 - i * 7 % n);
      MayThrow::moves_left = moves;
      const bool throws = moves > 0 && (n > 2 || moves < 3);
      CHECK(thrown_by([&] { furca::sort(some, {}, &MayThrow::word); }) == (throws ? "move" : ""));
      MayThrow::moves_left = 0;
      if (!throws) CHECK(std::ranges::is_sorted(some, {}, &MayThrow::word));
    }
  }
}

TEST_CASE("no element is moved or assigned to itself") {
  const auto check = [](auto some) {
    for (int input = 0; input < kInputs; ++input) {
      CAPTURE(input);
      const std::vector<Item> original = items(input, some.size());
      for (std::size_t i = 0; i < some.size(); ++i) some[i].value = original[i].key;
      furca::sort(some, [](const auto& a, const auto& b) { return a.value < b.value; });
      CHECK(some[0].moved_to_itself == 0);
      CHECK(std::is_sorted(some.begin(), some.end(),
                           [](const auto& a, const auto& b) { return a.value < b.value; }));
    }
  };
  furca::ThreadPool pool({.threads = 2});
  pool.install([&] {
    check(std::vector<NotToItself<4>>(1'000));
    check(std::vector<NotToItself<60>>(1'000));
  });
}

TEST_CASE("orders, projections and elements of all kinds") {
  on_pools_of_all_sizes([] {
    std::deque<std::string> words;
    std::vector<Handle> handles;
    std::vector<OverAligned> aligned;
    std::vector<std::pair<int, double>> pairs;
    std::vector<Huge> huge(300);
    for (std::uint32_t i = 0; i < 3'000; ++i) {
      words.push_back(std::to_string(scattered(i)));
      handles.emplace_back(static_cast<int>(scattered(i)));
      aligned.emplace_back(scattered(i));
      pairs.emplace_back(static_cast<int>(scattered(i) % 10), scattered(i));
      huge[i % 300].value = scattered(i);
    }
    CHECK(furca::sort(words, std::ranges::greater{}) == words.end());
    CHECK(std::is_sorted(words.rbegin(), words.rend()));
    furca::sort(handles, std::less<>{}, &Handle::number);
    CHECK(std::ranges::is_sorted(handles, {}, &Handle::number));
    furca::sort(aligned, {}, &OverAligned::value);
    CHECK(std::ranges::is_sorted(aligned, {}, &OverAligned::value));
    furca::sort(pairs, {}, [](const auto& pair) { return std::tuple(-pair.first, pair.second); });
    CHECK(std::ranges::is_sorted(
        pairs, {}, [](const auto& pair) { return std::tuple(-pair.first, pair.second); }));
    furca::sort(huge, [](std::uint32_t a, std::uint32_t b) { return a > b; }, &Huge::value);
    CHECK(std::ranges::is_sorted(huge, std::greater<>{}, &Huge::value));
    Numbers some(1'000);
    std::iota(some.rbegin(), some.rend(), 0U);
    furca::sort(std::span(some).first(500));
    CHECK(some[0] == 500);
    CHECK(some[999] == 0);
    std::size_t calls = 0;  // a comparison with a state of its own is not copied
    Numbers few(20);
    furca::sort(few, [&calls](std::uint32_t a, std::uint32_t b) mutable { return ++calls, a < b; });
    CHECK(calls > 0);
  });
}

template <class T, class Make>
void check_small(const Make& make) {
  for (const std::size_t n : {2UL, 31UL, 300UL, 5'000UL, 200'000UL}) {
    for (const std::uint32_t kinds : {1U, 7U, 1'000'000U}) {
      CAPTURE(n);
      CAPTURE(kinds);
      std::vector<T> some;
      for (std::uint32_t i = 0; i < n; ++i) some.push_back(make(scattered(i) % kinds, i));
      std::vector<T> expected = some;
      std::sort(expected.begin(), expected.end());
      furca::sort(some);
      CHECK(some == expected);
    }
  }
}

TEST_CASE("elements of two and four numbers are where std::sort has them") {
  struct Four {
    std::uint64_t a, b, c, d;
    auto operator<=>(const Four&) const = default;
  };
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  furca::ThreadPool({.threads = 2}).install([] {
    check_small<Pair>([](std::uint32_t x, std::uint32_t i) { return Pair(x, i % 3); });
    check_small<Four>([](std::uint32_t x, std::uint32_t i) { return Four{x, i % 3, i, 0}; });
  });
}

TEST_CASE("from outside, and in a loop") {
  Numbers expected(50'000);
  std::iota(expected.begin(), expected.end(), 0U);
  Numbers shuffled = expected;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(1));
  Numbers outside = shuffled;
  furca::sort(outside);
  CHECK(outside == expected);
  std::vector<Numbers> several(6, shuffled);
  furca::parallel_for(several, [](Numbers& some) { furca::sort(some); });
  CHECK(std::count(several.begin(), several.end(), expected) == 6);
}
