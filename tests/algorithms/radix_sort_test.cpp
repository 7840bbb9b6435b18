// stable_sort where it needs no comparisons: integers, and elements by a member that is one. Beside
// std::stable_sort.
#include <furca/detail/sorting/radix_sort.hpp>
#include <furca/stable_sort.hpp>

#include "support/allocations.hpp"
#include "support/elements.hpp"

using furca::test::kSanitized;
using furca::test::PoolsOfAllSizes;

namespace {

/// As std::stable_sort, of which clang warns with libstdc++.
template <class Element, class Less>
void sort_stably(std::vector<Element>& all, Less less) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return less(all[a], all[b]) || (!less(all[b], all[a]) && a < b);
  });
  const std::vector<Element> before = all;
  std::transform(order.begin(), order.end(), all.begin(), [&](std::size_t i) { return before[i]; });
}

template <class Key, std::size_t kMore>
struct Tagged {
  Key key;
  std::uint32_t place;
  std::array<std::uint32_t, kMore> more;
  friend bool operator==(const Tagged&, const Tagged&) = default;
};

constexpr std::size_t kKinds = 12;

/// Keys of one kind of distribution.
template <class Key>
std::vector<Key> keys(std::size_t n, std::size_t kind) {
  std::mt19937_64 random(n + kind);
  const auto least = static_cast<std::uint64_t>(std::numeric_limits<Key>::min());
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<Key>::max());
  std::vector<Key> all(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t any = random();
    const std::uint64_t at = i;
    std::uint64_t key = any;                                // 0: uniform
    if (kind == 1) key = at;                                // rising
    if (kind == 2) key = n - at;                            // falling
    if (kind == 3) key = at < n / 2 ? at : n - at;          // an organ pipe
    if (kind == 4) key = any % 5 * (most / 5);              // few, far from each other
    if (kind == 5) key = at == n / 3 ? most : any % 1'000;  // one far from the others
    // as many of each number of bits
    if (kind == 6) key = any >> random() % 64;
    if (kind == 7) key = std::uint64_t{0} - any % 300 + 150;             // around 0
    if (kind == 8) key = any % 50 == 0 ? any : most / 2 + any / 50 % 3;  // nearly all side by side
    if (kind == 9) key = (any % 2 == 0 ? least : most - 40'000) + any / 2 % 40'000;  // at both ends
    // another one where a sample looks
    if (kind == 10) key = at % 64 == 0 ? at << 32U : at % 40;
    // the same last bits in all
    if (kind == 11) key = (any % 8 << 40U) + (any / 8 % 200 << 20U);
    all[i] = static_cast<Key>(key);
  }
  return all;
}

/// Around the limits: few, one block and several, parts that a cache does not hold.
std::vector<std::size_t> sizes() {
  std::vector<std::size_t> all = {511,   512,    513,    2'000,  8'191,
                                  8'192, 16'383, 16'384, 20'000, 70'001};
  if (!kSanitized) all.push_back(200'003);
  if (furca::test::few_cases()) all = {511, 512, 20'000};
  std::erase_if(all, [](std::size_t n) { return n > furca::test::kMostElements; });
  return all;
}

/// A place to call what is given: on the caller's own threads.
constexpr auto here = [](const auto& check) { check(); };

template <class Element, class Comp, class Proj, class Make, class Where>
void compare(const Where& where, Comp comp, Proj proj, Make make) {
  using Key = std::remove_cvref_t<std::invoke_result_t<Proj&, Element&>>;
  static_assert(furca::detail::SortedByRadix<Element, Comp, Proj>);
  for (const std::size_t n : sizes()) {
    if (n * sizeof(Element) > 4'000'000) continue;
    CAPTURE(n);
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      if (furca::test::few_cases() && n > 512 && kind % 3 != 0) continue;
      CAPTURE(kind);
      std::vector<Element> all;
      for (const Key key : keys<Key>(n, kind)) all.push_back(make(key, all.size()));
      std::vector<Element> expected = all;
      sort_stably(expected, [&](const Element& a, const Element& b) {
        return comp(std::invoke(proj, a), std::invoke(proj, b));
      });
      where([&] {
        std::vector<Element> sorted = all;
        CHECK(furca::stable_sort(sorted, comp, proj) == sorted.end());
        CHECK((sorted == expected));
      });
    }
  }
}

template <class Key, class Where, class Comp>
void compare_numbers(const Where& where, Comp comp) {
  compare<Key>(where, comp, std::identity(), [](Key key, std::size_t) { return key; });
}

template <class Element, class Where, class Comp>
void compare_members(const Where& where, Comp comp) {
  compare<Element>(where, comp, &Element::key, [](auto key, std::size_t place) {
    return Element{key, static_cast<std::uint32_t>(place), {}};
  });
}

}  // namespace

TEST_CASE("integers of any size, rising and falling") {
  const PoolsOfAllSizes everywhere;
  compare_numbers<std::uint32_t>(everywhere, std::ranges::less());
  compare_numbers<std::int64_t>(everywhere, std::less<>());
  compare_numbers<std::int32_t>(here, std::greater<>());
  compare_numbers<std::uint64_t>(here, std::ranges::greater());
  compare_numbers<std::uint8_t>(here, std::less<std::uint8_t>());
  compare_numbers<std::int16_t>(here, std::greater<std::int16_t>());
  compare_numbers<char>(here, std::ranges::less());
}

TEST_CASE("elements by a member: equal ones stay in their order") {
  compare_members<Tagged<std::uint64_t, 1>>(PoolsOfAllSizes(), std::ranges::greater());
  compare_members<Tagged<std::int32_t, 0>>(here, std::ranges::less());
  compare_members<Tagged<std::uint16_t, 5>>(here, std::greater<>());
  compare_members<Tagged<std::int8_t, 14>>(here, std::ranges::less());
  using Pair = std::pair<std::int64_t, std::uint32_t>;  // its assignment is not trivial
  compare<Pair>(here, std::ranges::less(), &Pair::first, [](std::int64_t key, std::size_t place) {
    return Pair(key, static_cast<std::uint32_t>(place));
  });
}

TEST_CASE("truth values") {
  std::vector<Tagged<bool, 0>> all(30'000);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {i * 7 % 11 < 5, static_cast<std::uint32_t>(i), {}};
  std::vector<Tagged<bool, 0>> expected = all;
  sort_stably(expected,
              [](const Tagged<bool, 0>& a, const Tagged<bool, 0>& b) { return a.key < b.key; });
  furca::stable_sort(all, {}, &Tagged<bool, 0>::key);
  CHECK((all == expected));
}

TEST_CASE(
    "others are compared: floating-point numbers, what is not plain memory, comparisons and "
    "projections of one's own") {
  using furca::detail::SortedByRadix;
  using Element = Tagged<int, 0>;
  const auto own_order = [](int a, int b) { return a < b; };
  const auto own_key = [](const Element& one) { return one.key; };
  enum class Colour { red };
  CHECK(!SortedByRadix<double, std::ranges::less, std::identity>);
  CHECK(!SortedByRadix<Colour, std::ranges::less, std::identity>);
  CHECK(!SortedByRadix<int*, std::ranges::less, std::identity>);
  CHECK(!SortedByRadix<std::string, std::ranges::less, std::identity>);
  CHECK(!SortedByRadix<std::pair<int, std::string>, std::ranges::less,
                       int std::pair<int, std::string>::*>);
  CHECK(!SortedByRadix<int, decltype(own_order), std::identity>);
  CHECK(!SortedByRadix<int, std::less<double>, std::identity>);
  CHECK(!SortedByRadix<Element, std::ranges::less, decltype(own_key)>);
  // larger than 64 bytes
  CHECK(!SortedByRadix<Tagged<int, 15>, std::ranges::less, int Tagged<int, 15>::*>);
  CHECK(SortedByRadix<Tagged<int, 14>, std::ranges::less, int Tagged<int, 14>::*>);
  std::deque<int> queue;
  for (const int key : keys<int>(20'000, 0)) queue.push_back(key);
  furca::stable_sort(queue);
  CHECK(std::is_sorted(queue.begin(), queue.end()));
}

TEST_CASE("a buffer, and a sixteenth as much for counts; no memory for these moves nothing") {
  if (!furca::test::allocations_are_counted()) return;
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    const std::size_t n = std::min<std::size_t>(100'000, furca::test::kMostElements);
    std::vector<std::uint32_t> all = keys<std::uint32_t>(n, 0);
    const std::vector<std::uint32_t> before = all;
    furca::stable_sort(all);
    all = before;
    const int expected = n > 16'384 ? 2 : 1;
    CHECK(furca::test::allocations_in([&] { furca::stable_sort(all); }) == expected);
    for (int successes = 0; successes < expected; ++successes) {
      all = before;
      const furca::test::FailingAllocations fail(successes);
      CHECK_THROWS_AS(furca::stable_sort(all), std::bad_alloc);
      CHECK((all == before));
    }
  });
}
