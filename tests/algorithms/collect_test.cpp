#include <furca/collect.hpp>
#include <furca/pack.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/views.hpp>
#include <furca/write.hpp>

#include "support/elements.hpp"
#include "support/pools.hpp"

#include <ranges>

using furca::collect;
using furca::collect_rows;
using furca::flatten;
using furca::map;
using furca::Rows;
using furca::tabulate;
using furca::Vector;
using namespace furca::test;

namespace {

/// None, one or several for an element: up to three, and now and then many.
void append(std::uint32_t v, Numbers& out) {
  const std::uint32_t count = v % 257 == 5 ? 300 : v % 4;
  for (std::uint32_t k = 0; k < count; ++k) out.push_back(v + k);
}

TEST_CASE("map and tabulate make what the serial loop makes, in every container") {
  const PoolsOfAllSizes everywhere;
  for (const std::size_t n : sizes()) {
    for (int distribution = 0; distribution < kDistributions; distribution += 2) {
      CAPTURE(n);
      CAPTURE(distribution);
      const Numbers x = values(n, distribution);
      Numbers expected(n);
      std::transform(x.begin(), x.end(), expected.begin(), mixed);
      everywhere([&] {
        static_assert(std::is_same_v<decltype(map(x, mixed)), Numbers>);
        CHECK(map(x, mixed) == expected);
        CHECK(tabulate(n, [&](std::size_t i) { return mixed(x[i]); }) == expected);
        const Vector<std::uint32_t> untouched = map<Vector>(x, mixed);
        CHECK(std::equal(untouched.begin(), untouched.end(), expected.begin(), expected.end()));
        const std::deque<std::uint32_t> deque = map<std::deque>(x, mixed);
        CHECK(std::equal(deque.begin(), deque.end(), expected.begin(), expected.end()));
        const std::vector<bool> bits = map(x, [](std::uint32_t v) { return mixed(v) % 2 == 1; });
        CHECK(std::equal(bits.begin(), bits.end(), expected.begin(), expected.end(),
                         [](bool bit, std::uint32_t v) { return bit == (v % 2 == 1); }));
        CHECK(Vector<bool>(tabulate<Vector>(n, [&](std::size_t i) {
                return expected[i] % 2 == 1;
              })).size() == n);
      });
    }
  }
}

TEST_CASE("below zero there is nothing to tabulate") {
  CHECK(tabulate(-3, [](std::size_t i) { return i; }).empty());
}

TEST_CASE("results that can only be moved, are aligned, large, without default") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : {0U, 1U, 100U, 3'000U}) {
      CAPTURE(n);
      const Numbers x = values(n, 1);
      const auto pointers =
          map(x, [](std::uint32_t v) { return std::make_unique<std::uint32_t>(v); });
      const auto particular = map(x, [](std::uint32_t v) { return Particular(v); });
      const auto particular_too = map<Vector>(x, [](std::uint32_t v) { return Particular(v); });
      const auto aligned = map(x, [](std::uint32_t v) { return OverAligned(v); });
      const auto aligned_too = map<Vector>(x, [](std::uint32_t v) { return OverAligned(v); });
      const auto huge = map(x, [](std::uint32_t v) { return Huge{v, {}}; });
      const auto texts = map(x, [](std::uint32_t v) { return std::to_string(v); });
      REQUIRE(pointers.size() == n);
      REQUIRE(particular.size() == n);
      REQUIRE(particular_too.size() == n);
      REQUIRE(aligned.size() == n);
      REQUIRE(aligned_too.size() == n);
      REQUIRE(huge.size() == n);
      REQUIRE(texts.size() == n);
      for (std::size_t i = 0; i < n; ++i) {
        REQUIRE(*pointers[i] == x[i]);
        REQUIRE(*particular[i].value == x[i]);
        REQUIRE(*particular_too[i].value == x[i]);
        REQUIRE((aligned[i].value == x[i] && aligned[i].aligned()));
        REQUIRE((aligned_too[i].value == x[i] && aligned_too[i].aligned()));
        REQUIRE(huge[i].value == x[i]);
        REQUIRE(texts[i] == std::to_string(x[i]));
      }
    }
  });
}

TEST_CASE("a reference that is returned becomes a copy") {
  std::vector<std::string> texts = {"a", "b"};
  static_assert(std::is_same_v<
                decltype(map(texts, [](const std::string& s) -> const std::string& { return s; })),
                std::vector<std::string>>);
  CHECK(map(texts, std::identity{}) == texts);
  CHECK(map(texts, &std::string::size) == std::vector<std::size_t>{1, 1});
}

TEST_CASE("plain elements of a longer vector have the bytes that were there") {
  std::vector<std::pair<int, std::uint64_t>> pairs(2, {1, 2});
  pairs.reserve(100);
  std::memset(static_cast<void*>(pairs.data() + 2), 3, 98 * sizeof(pairs[0]));
  furca::detail::lengthen<std::pair<int, std::uint64_t>>(pairs, 100);
  CHECK(pairs.size() == 100);
  CHECK(pairs[1].second == 2);
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG)
  CHECK(pairs[99].first == 0x03030303);
#else
  CHECK(pairs[99].first == 0);
#endif
  furca::detail::lengthen<std::pair<int, std::uint64_t>>(
      pairs, 10'000);  // elsewhere, with those that it had
  CHECK(pairs[1].second == 2);
  CHECK(pairs.size() == 10'000);
  pairs.emplace_back(5, 6);
  CHECK(pairs.back().second == 6);

  std::vector<int> numbers(1);  // what is assigned from others need not be written whole
  numbers.reserve(2);
  std::memset(numbers.data() + 1, 3, sizeof(int));
  furca::detail::lengthen<long>(numbers, 2);
  CHECK(numbers[1] == 0);

  std::vector<std::string> texts(1, "one");
  furca::detail::lengthen<std::string>(texts, 3);
  CHECK(texts == std::vector<std::string>{"one", "", ""});
}

/// Nobody may ask for its address.
struct NoAddress {
  bool operator()(int x) const { return x % 2 == 0; }
  int operator()(std::size_t i) const { return static_cast<int>(i); }
  void operator&() const = delete;
};

TEST_CASE("a function whose address is not to be had") {
  const auto even = furca::filter(furca::lazy(10, NoAddress()), NoAddress());
  CHECK(even == std::vector<int>{0, 2, 4, 6, 8});
}

TEST_CASE("structs with values to begin with, pairs and tuples are written where they lie") {
  struct Point {
    int x = 1;
    int y = 2;
    bool operator==(const Point&) const = default;
  };
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes()) {
      CAPTURE(n);
      const auto points = tabulate(n, [](std::size_t i) { return Point{int(i % 1'000), 3}; });
      const auto sums = map(points, [](const Point& p) { return std::pair(p.x, double(p.y)); });
      const auto triples =
          map(sums, [](const auto& p) { return std::tuple(p.first, p.second, 'c'); });
      REQUIRE(triples.size() == n);
      bool right = true;
      for (std::size_t i = 0; i < n; ++i)
        right = right && triples[i] == std::tuple(int(i % 1'000), 3.0, 'c');
      CHECK(right);
      const auto odd = furca::filter(points, [](const Point& p) { return p.x % 2 == 1; });
      CHECK(std::all_of(odd.begin(), odd.end(),
                        [](const Point& p) { return p.x % 2 == 1 && p.y == 3; }));
    }
  });
}

TEST_CASE("the zeros that a vector begins with are not in a Vector") {
  // Memory that was given back, and is had again: what was in it is there still. It is a fault of
  // neither if it is not, as with a checking allocator.
  Vector<std::uint64_t> first(1'000);
  std::fill(first.begin(), first.end(), 0x5A5A5A5A5A5A5A5AU);
  first.resize(10);
  first.resize(1'000);
  CHECK(first[500] == 0x5A5A5A5A5A5A5A5AU);  // written by nobody
  const Vector<std::string> texts(3);
  CHECK(texts[2].empty());
  Vector<int> some(3, 7);
  some.push_back(8);
  CHECK(Vector<int>(some) == some);
  CHECK(some == Vector<int>{7, 7, 7, 8});
}

TEST_CASE("collect is the serial loop's vector") {
  const PoolsOfAllSizes everywhere;
  for (const std::size_t n : sizes()) {
    for (int distribution = 0; distribution < kDistributions; ++distribution) {
      CAPTURE(n);
      CAPTURE(distribution);
      const Numbers x = values(n, distribution);
      Numbers expected;
      std::vector<std::size_t> offsets = {0};
      for (const std::uint32_t v : x) {
        append(v, expected);
        offsets.push_back(expected.size());
      }
      everywhere([&] {
        CHECK(collect<std::uint32_t>(x, append) == expected);
        const Rows<std::uint32_t> rows = collect_rows<std::uint32_t>(x, append);
        CHECK(rows.values == expected);
        CHECK(rows.offsets == offsets);
      });
    }
  }
}

TEST_CASE("collect when parts are stolen at every step") {
  on_pools_of_all_sizes([] {
    for (int round = 0; round < 20; ++round) {
      const auto n = static_cast<std::uint32_t>(40 + round);
      Numbers expected;
      const auto slow = [&](std::uint32_t v, Numbers& out) {
        if (v % 5 != 0) spin(5'000);
        for (std::uint32_t k = 0; k < v % 3; ++k) out.push_back(v);
      };
      const Numbers x = values(n, 1);
      for (const std::uint32_t v : x) slow(v, expected);
      CHECK(collect<std::uint32_t>(x, slow) == expected);
      const auto rows = collect_rows<std::uint32_t>(x, slow);
      REQUIRE(rows.size() == n);
      for (std::uint32_t v = 0; v < n; ++v) CHECK(rows[v].size() == v % 3);
      CHECK(rows.values == expected);
    }
  });
}

TEST_CASE("collect of what can only be moved, or not assigned") {
  on_pools_of_all_sizes([] {
    const Numbers x = values(3'000, 1);
    const auto found = collect<Particular>(x, [](std::uint32_t v, std::vector<Particular>& out) {
      if (v % 2 == 0) out.emplace_back(v);
    });
    REQUIRE(found.size() == 1'500);
    for (std::uint32_t i = 0; i < 1'500; ++i) REQUIRE(*found[i].value == 2 * i);
    const auto bits = collect<bool>(
        x, [](std::uint32_t v, std::vector<bool>& out) { out.push_back(v % 2 == 0); });
    CHECK(std::count(bits.begin(), bits.end(), true) == 1'500);
  });
}

TEST_CASE("large results grow without a loss") {
  constexpr std::size_t n = kMostElements;
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    const auto rows = collect_rows<std::uint64_t>(
        furca::lazy(n, std::identity{}),
        [](std::size_t i, std::vector<std::uint64_t>& out) { out.insert(out.end(), 3, i); });
    REQUIRE(rows.values.size() == 3 * n);
    bool right = true;
    for (std::size_t i = 0; i < n; ++i)
      right = right && rows.offsets[i + 1] == 3 * (i + 1) && rows.values[3 * i + 2] == i;
    CHECK(right);
  });
}

TEST_CASE("rows are spans of one vector, and a range for loops") {
  Rows<int> none;
  CHECK(none.empty());
  Rows<int> rows = collect_rows<int>(
      furca::lazy(5, std::identity{}),
      [](std::size_t i, std::vector<int>& out) { out.insert(out.end(), i, static_cast<int>(i)); });
  static_assert(furca::LoopRange<Rows<int>&> && furca::LoopRange<const Rows<int>&>);
  static_assert(std::is_same_v<decltype(std::as_const(rows)[0]), std::span<const int>>);
  CHECK(rows.size() == 5);
  CHECK(rows[0].empty());
  CHECK(std::ranges::equal(rows[3], std::vector<int>{3, 3, 3}));
  furca::parallel_for(rows, [](std::span<int> row) { std::fill(row.begin(), row.end(), 1); });
  CHECK(furca::parallel_reduce(std::as_const(rows), 0, [](std::span<const int> row) {
          return std::accumulate(row.begin(), row.end(), 0);
        }) == 10);
  const char nothing = 0;
  CHECK_THROWS_AS(
      (void)collect_rows<int>(std::span(&nothing, SIZE_MAX), [](char, std::vector<int>&) {}),
      std::length_error);
}

TEST_CASE("flatten strings ranges together, large and small, copied or moved") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : {0U, 1U, 2U, 100U, 3'000U}) {
      CAPTURE(n);
      std::vector<Numbers> lists(n);
      Numbers expected;
      for (std::size_t i = 0; i < n; ++i) {
        lists[i] = values(i == n / 2 ? 10'000 : i % 7, 4);
        expected.insert(expected.end(), lists[i].begin(), lists[i].end());
      }
      CHECK(flatten(lists) == expected);
      CHECK(flatten(std::as_const(lists)) == expected);
      const auto as_lists = map(lists, [](const Numbers& one) {
        return std::list<std::uint32_t>(one.begin(), one.end());
      });
      CHECK(flatten(as_lists) == expected);
      CHECK(flatten(map(lists, [](const Numbers& one) { return one; })) == expected);
      std::vector<std::vector<std::unique_ptr<std::uint32_t>>> pointers(n);
      for (std::size_t i = 0; i < n; ++i)
        for (const std::uint32_t v : lists[i])
          pointers[i].push_back(std::make_unique<std::uint32_t>(v));
      const auto moved = flatten(std::move(pointers));
      CHECK(std::ranges::equal(moved, expected, {}, [](const auto& p) { return *p; }));
      auto particular = map(lists, [](const Numbers& one) {
        return map(one, [](std::uint32_t v) { return Particular(v); });
      });
      CHECK(std::ranges::equal(flatten(std::move(particular)), expected, {},
                               [](const Particular& p) { return *p.value; }));
    }
  });
  CHECK(flatten(std::vector<std::vector<bool>>{{true, false}, {}, {true}}) ==
        std::vector<bool>{true, false, true});
  Numbers x = values(10, 1);
  CHECK(flatten(furca::chunks(x, 3)) == x);
  const std::vector<std::string> texts = {"ab", "", "c"};
  CHECK(flatten(texts) == std::vector<char>{'a', 'b', 'c'});
}

TEST_CASE("a range of views that is moved is copied all the same") {
  std::vector<std::string> texts = {"long enough to lie on the heap",
                                    "so is this one, by some letters"};
  std::vector<std::span<std::string>> views = {texts};
  CHECK(flatten(std::move(views)) == texts);
  CHECK(!texts[0].empty());
}

TEST_CASE("the exception is the serial one, and nothing is left behind") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : {1U, 65U, 5'000U}) {
      for (const std::size_t first : {std::size_t{0}, std::size_t{n} / 3, std::size_t{n} - 1}) {
        CAPTURE(n);
        CAPTURE(first);
        const Numbers x = values(n, 1);
        const std::string expected = std::to_string(first);
        CHECK(thrown_by([&] {
                (void)map(x, [&](std::uint32_t v) { return throw_from(first, v), Counted(v); });
              }) == expected);
        CHECK(thrown_by([&] {
                (void)map(x, [&](std::uint32_t v) { return throw_from(first, v), Particular(v); });
              }) == expected);
        CHECK(thrown_by([&] {
                (void)map(x, [&](std::uint32_t v) { return throw_from(first, v), v == 3; });
              }) == expected);
        CHECK(thrown_by([&] {
                (void)tabulate(n, [&](std::size_t i) { return throw_from(first, i), i; });
              }) == expected);
        const auto appending = [&](std::uint32_t v, std::vector<Counted>& out) {
          out.emplace_back(v);
          throw_from(first, v);
        };
        CHECK(thrown_by([&] { (void)collect<Counted>(x, appending); }) == expected);
        CHECK(thrown_by([&] { (void)collect_rows<Counted>(x, appending); }) == expected);
        CHECK(Counted::alive == 0);
      }
    }
  });
}

TEST_CASE("a function is called once an element") {
  on_pools_of_all_sizes([] {
    std::vector<std::atomic<int>> calls(5'000);
    (void)tabulate(calls.size(), [&](std::size_t i) { return ++calls[i]; });
    (void)tabulate(calls.size(), [&](std::size_t i) { return ++calls[i], Particular(0); });
    (void)collect<int>(furca::enumerate(calls), [&](auto e, std::vector<int>&) { ++e.second; });
    CHECK(std::ranges::all_of(calls, [](const auto& c) { return c == 3; }));
  });
}

TEST_CASE("what a function returns of an element that exists only here is a value") {
  // std::identity returns a reference to its argument
  const auto numbers = furca::lazy(100, std::identity{});
  static_assert(std::is_same_v<std::ranges::range_reference_t<decltype(numbers)>, std::size_t>);
  CHECK(tabulate(100, std::identity{}) == map(numbers, std::identity{}));
  CHECK(numbers[42] == 42);
  const auto texts =
      map(furca::lazy(
              50, [](std::size_t i) { return std::string(30, static_cast<char>('a' + i % 26)); }),
          std::identity{});
  CHECK(texts[27] == std::string(30, 'b'));
}

TEST_CASE("algorithms inside of algorithms") {
  on_pools_of_all_sizes([] {
    const auto table = tabulate(
        60, [](std::size_t i) { return tabulate(i, [i](std::size_t j) { return i * j; }); });
    const auto sums = map(table, [](const std::vector<std::size_t>& row) {
      return furca::parallel_reduce(row, std::size_t{0});
    });
    for (std::size_t i = 0; i < 60; ++i) CHECK(sums[i] == (i == 0 ? 0 : i * i * (i - 1) / 2));
    CHECK(flatten(table).size() == 59 * 60 / 2);
  });
}

}  // namespace

TEST_CASE("flatten moves out of nothing but a container that is given away") {
  const std::string text(40, 'a');
  std::vector<std::vector<std::string>> lists(3, {text, text});
  // A sequence that hands out other people's lists: no copy of its function is trivial, so that
  // nobody takes it for borrowed.
  const auto handed_out = [&lists, kept = std::vector<int>(3)](
                              std::size_t i) -> std::vector<std::string>& { return lists[i]; };
  CHECK(furca::flatten(furca::lazy(lists.size(), handed_out)).size() == 6);
  for (const auto& list : lists) CHECK(list == std::vector<std::string>{text, text});
  std::vector<std::span<std::string>> parts(lists.begin(), lists.end());
  CHECK(furca::flatten(std::move(parts)).size() == 6);
  for (const auto& list : lists) CHECK(list == std::vector<std::string>{text, text});
  CHECK(furca::flatten(std::move(lists))[0] == text);
  CHECK(lists[0][0].empty());
}

TEST_CASE("flatten asks once for each range that exists only when it is asked for") {
  std::atomic<int> asked{0};
  const std::vector<int> all = furca::flatten(furca::lazy(100, [&](std::size_t i) {
    ++asked;
    return std::vector<int>(i % 3 + static_cast<std::size_t>(asked > 100 ? 5 : 0), 1);
  }));
  CHECK(asked == 100);
  CHECK(all.size() == 99);
}

namespace {

/// Cannot be made without an argument.
struct Given {
  explicit Given(std::size_t n) : number(n) {}
  std::size_t number;
};

}  // namespace

TEST_CASE("a std::deque of what cannot be made beforehand; rows that were moved from") {
  furca::ThreadPool pool({.threads = 4});
  pool.install([] {
    const std::size_t n = std::min<std::size_t>(kMostElements, 100'000);
    const auto all = furca::tabulate<std::deque>(n, [](std::size_t i) { return Given(i); });
    REQUIRE(all.size() == n);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < all.size(); ++i) wrong += all[i].number != i;
    CHECK(wrong == 0);
  });
  furca::Rows<int> rows = furca::collect_rows<int>(
      std::vector{1, 2}, [](int x, std::vector<int>& out) { out.push_back(x); });
  const furca::Rows<int> others = std::move(rows);
  CHECK(others.size() == 2);
  CHECK(rows.empty());
}

TEST_CASE("what stands for a value elsewhere becomes that value") {
  const std::vector<bool> bits = {true, false, true};
  std::vector<bool> changed = bits;
  const auto kept = map(changed, std::identity{});
  const auto looked_up = tabulate(3, [&](std::size_t i) { return changed[i]; });
  static_assert(std::is_same_v<decltype(kept), const std::vector<bool>>);
  static_assert(std::is_same_v<decltype(looked_up), const std::vector<bool>>);
  std::vector<int> x = {1, 2};
  const std::vector<std::string> y = {"a", "b"};
  const auto pairs = map(furca::zip(x, y), std::identity{});
  const auto numbered = map<std::deque>(furca::enumerate(x), [](auto each) { return each; });
  static_assert(std::is_same_v<decltype(pairs), const std::vector<std::tuple<int, std::string>>>);
  static_assert(std::is_same_v<decltype(numbered), const std::deque<std::pair<std::size_t, int>>>);
  // made by the function: what it says
  const auto references = map(x, [](int& each) { return std::tie(each); });
  static_assert(std::is_same_v<decltype(references), const std::vector<std::tuple<int&>>>);
  changed.flip();
  x = {3, 4};
  CHECK(kept == bits);
  CHECK(looked_up == bits);
  CHECK((pairs[0] == std::tuple(1, "a") && pairs[1] == std::tuple(2, "b")));
  CHECK((numbered[1] == std::pair<std::size_t, int>(1, 2)));
  CHECK(&std::get<0>(references[1]) == &x[1]);
}

TEST_CASE(
    "bits in the tuples of a view, and tuples in tuples, become values; what stands for bits is "
    "never made of nothing") {
  std::vector<bool> bits = {true, false, true};
  std::vector<int> x = {1, 2, 3};
  const auto pairs = map(furca::zip(bits, x), std::identity{});
  const auto nested = map(furca::zip(furca::enumerate(x), bits), std::identity{});
  const auto references = map(furca::lazy(3, [&](std::size_t i) { return std::pair(bits[i], 1); }),
                              [](const auto& each) { return std::tuple(each.first, 2); });
  static_assert(std::is_same_v<decltype(pairs), const std::vector<std::tuple<bool, int>>>);
  static_assert(std::is_same_v<decltype(nested),
                               const std::vector<std::tuple<std::pair<std::size_t, int>, bool>>>);
  // made by the function: what it says
  static_assert(std::is_same_v<decltype(references)::value_type,
                               std::tuple<std::vector<bool>::reference, int>>);
  bits.flip();
  x = {4, 5, 6};
  CHECK(pairs == std::vector<std::tuple<bool, int>>{{true, 1}, {false, 2}, {true, 3}});
  CHECK(nested[2] == std::tuple(std::pair<std::size_t, int>(2, 3), true));
  CHECK(std::get<0>(references[1]));
  // Values of these have nothing in common with their references, which are what is left.
  const auto handed_over = map(
      furca::lazy(
          3, [&](std::size_t i) { return std::pair(bits[i], std::make_unique<std::size_t>(i)); }),
      std::identity{});
  CHECK((!handed_over[0].first && *handed_over[2].second == 2));
}

namespace {

/// The call operator that algorithms ask for, and another one for const objects that they would
/// copy into a loop.
struct TwoCalls {
  int operator()(int v) { return -v; }
  std::string operator()(int) const { return "const"; }
};

}  // namespace

TEST_CASE("of two call operators the one that was checked is called") {
  std::vector<int> x = {1, 2, 3};
  const std::vector<int> expected = {-1, -2, -3};
  CHECK(map(x, TwoCalls()) == expected);
  CHECK(tabulate(3, TwoCalls()).back() == -2);
  furca::transform(x, x, TwoCalls());
  CHECK(x == expected);
  CHECK(furca::parallel_reduce(x, 0, TwoCalls()) == 6);
}
