#include <furca/views.hpp>
#include <furca/write.hpp>

#include "support/elements.hpp"

#include <ranges>

using namespace furca::test;

namespace {

TEST_CASE("transform writes what std::transform writes") {
  const PoolsOfAllSizes everywhere;
  for (const std::size_t n : sizes()) {
    for (int distribution = 0; distribution < kDistributions; ++distribution) {
      CAPTURE(n);
      CAPTURE(distribution);
      const Numbers x = values(n, distribution);
      Numbers expected(n);
      std::transform(x.begin(), x.end(), expected.begin(), mixed);
      Numbers differences(n);
      std::transform(x.begin(), x.end(), expected.begin(), differences.begin(), std::minus<>{});
      everywhere([&] {
        Numbers y(n);
        const auto ends = furca::transform(x, y, mixed);
        CHECK(y == expected);
        CHECK(ends.in == x.end());
        CHECK(ends.out == y.end());

        const auto three = furca::transform(x, y, y, std::minus<>{});  // the output is an input
        CHECK(y == differences);
        CHECK(three.in1 == x.end());
        CHECK(three.in2 == y.end());
        CHECK(three.out == y.end());
      });
    }
  }
}

TEST_CASE("copy, fill and generate write every element once") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes()) {
      CAPTURE(n);
      const Numbers x = values(n, 4);
      Numbers y(n);
      const auto ends = furca::copy(x, y);
      CHECK(y == x);
      CHECK(ends.in == x.end());
      CHECK(ends.out == y.end());
      std::vector<double> other(n);
      furca::copy(x, other);  // another type, so element by element
      CHECK(std::equal(x.begin(), x.end(), other.begin(), other.end()));
      CHECK(furca::fill(y, 5U) == y.end());
      CHECK(std::count(y.begin(), y.end(), 5U) == static_cast<std::ptrdiff_t>(n));
      std::atomic<std::uint32_t> calls{0};
      CHECK(furca::generate(y, [&] { return calls++; }) == y.end());
      CHECK(calls == n);
      std::sort(y.begin(), y.end());
      CHECK(std::adjacent_find(y.begin(), y.end()) == y.end());
    }
  });
}

TEST_CASE("plain memory around as much as the caller copies alone") {
  on_pools_of_all_sizes([] {
    const auto check = [](auto one) {
      using T = decltype(one);
      for (const std::size_t n :
           {16'384 / sizeof(T) - 1, 16'384 / sizeof(T), 16'384 / sizeof(T) + 1}) {
        std::vector<T> x(n, one);
        x.back() = T();
        std::vector<T> y(n + 1, one);
        CHECK(furca::copy(x, y).out == y.end() - 1);
        CHECK(std::equal(x.begin(), x.end(), y.begin()));
        CHECK(y.back() == one);
        CHECK(furca::fill(std::span<T>(x).first(n - 1), one) == std::span<T>(x).last(1).begin());
        CHECK(std::count(x.begin(), x.end(), one) == static_cast<std::ptrdiff_t>(n - 1));
      }
    };
    check('x');
    check(1.5);
    check(std::array<int, 5>{1, 2, 3, 4, 5});
  });
}

TEST_CASE("an output that is too short ends the algorithm, and the result tells where") {
  const Numbers x = values(1'000, 1);
  for (const std::size_t room : {0U, 1U, 64U, 999U, 1'000U, 1'001U}) {
    CAPTURE(room);
    const std::size_t n = std::min<std::size_t>(room, 1'000);
    Numbers y(room, 7);
    std::atomic<std::size_t> calls{0};
    const auto transformed =
        furca::transform(x, y, [&](std::uint32_t v) { return ++calls, v + 1; });
    CHECK(transformed.in == x.begin() + static_cast<std::ptrdiff_t>(n));
    CHECK(transformed.out == y.begin() + static_cast<std::ptrdiff_t>(n));
    CHECK(calls == n);
    const auto copied = furca::copy(x, y);
    CHECK(copied.in == transformed.in);
    CHECK(copied.out == transformed.out);
    CHECK(std::equal(copied.in, copied.in, x.begin()));
    CHECK(std::equal(y.begin(), copied.out, x.begin()));
    const std::span<const std::uint32_t> shorter(x.data(), std::min<std::size_t>(500, x.size()));
    const auto both = furca::transform(x, shorter, y, std::plus<>{});
    const auto m = static_cast<std::ptrdiff_t>(std::min<std::size_t>(n, 500));
    CHECK(both.in1 - x.begin() == m);
    CHECK(both.in2 - shorter.begin() == m);
    CHECK(both.out - y.begin() == m);
  }
}

TEST_CASE("the exception is the serial one, and all before it is written") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : {1U, 65U, 5'000U}) {
      for (const std::size_t first : {std::size_t{0}, std::size_t{n} / 3, std::size_t{n} - 1}) {
        CAPTURE(n);
        CAPTURE(first);
        const Numbers x = values(n, 1);
        Numbers y(n, 0);
        const auto throwing = [&](std::uint32_t v) { return throw_from(first, v), v + 1; };
        CHECK(thrown_by([&] { furca::transform(x, y, throwing); }) == std::to_string(first));
        for (std::size_t i = 0; i < first; ++i) REQUIRE(y[i] == i + 1);
        CHECK(thrown_by([&] {
                furca::transform(x, x, y,
                                 [&](std::uint32_t v, std::uint32_t) { return throwing(v); });
              }) == std::to_string(first));
        CHECK(thrown_by([&] {
                furca::for_each(x, [&](std::uint32_t v) { throw_from(first, v); });
              }) == std::to_string(first));
        struct Assigned {
          Assigned& operator=(std::uint32_t v) {
            throw_from(limit, v);
            return *this;
          }
          std::size_t limit;
        };
        std::vector<Assigned> out(n, Assigned{first});
        CHECK(thrown_by([&] { furca::transform(x, out, std::identity{}); }) ==
              std::to_string(first));
      }
    }
  });
}

TEST_CASE("projections, members, and calls once an element") {
  struct Point {
    int x;
    std::string name;
  };
  std::vector<Point> points(3'000, Point{2, "a"});
  std::vector<int> doubled(3'000);
  std::atomic<int> calls{0};
  furca::transform(points, doubled, [&](int x) { return ++calls, 2 * x; }, &Point::x);
  CHECK(std::count(doubled.begin(), doubled.end(), 4) == 3'000);
  CHECK(calls == 3'000);
  calls = 0;
  furca::transform(
      points, points, doubled,
      [&](int x, const std::string& name) { return ++calls, x + static_cast<int>(name.size()); },
      &Point::x, &Point::name);
  CHECK(std::count(doubled.begin(), doubled.end(), 3) == 3'000);
  CHECK(calls == 3'000);
  CHECK(furca::for_each(
            points, [](std::string& name) { name += "b"; }, &Point::name) == points.end());
  CHECK(std::ranges::all_of(points, [](const Point& p) { return p.name == "ab"; }));
  furca::fill(points, Point{1, "filled"});
  CHECK(std::ranges::all_of(points, [](const Point& p) { return p.name == "filled"; }));
}

TEST_CASE("a function that can only be moved, or changes itself") {
  Numbers x = values(500, 1);
  furca::for_each(x, [step = std::make_unique<std::uint32_t>(3)](std::uint32_t& v) { v += *step; });
  CHECK(x[0] == 3);
  CHECK(x[499] == 502);
  Numbers y(500);
  furca::transform(
      x, y, [step = std::make_unique<std::uint32_t>(3)](std::uint32_t v) { return v - *step; });
  CHECK(y == values(500, 1));
}

TEST_CASE("elements that are moved, large, aligned, bits or proxies") {
  std::vector<std::unique_ptr<int>> pointers(1'000);
  furca::generate(pointers, [] { return std::make_unique<int>(1); });
  CHECK(std::ranges::all_of(pointers, [](const auto& p) { return *p == 1; }));

  std::vector<OverAligned> aligned(100);
  furca::fill(aligned, OverAligned(3));
  CHECK(std::ranges::all_of(aligned,
                            [](const OverAligned& a) { return a.value == 3 && a.aligned(); }));

  std::vector<Huge> huge(50);
  furca::for_each(huge, [](std::uint32_t& v) { v = 9; }, &Huge::value);
  std::vector<Huge> more(50);
  furca::copy(huge, more);
  CHECK(std::ranges::all_of(more, [](const Huge& h) { return h.value == 9; }));

  const std::vector<bool> bits = {true, false, true};
  std::vector<char> bytes(3);
  furca::copy(bits, bytes);  // read, not written
  CHECK(bytes == std::vector<char>{1, 0, 1});
  static_assert(furca::LoopRange<std::vector<bool>&> && !furca::OutputRange<std::vector<bool>&>);

  std::deque<int> deque(1'000);
  furca::transform(furca::lazy(1'000, [](std::size_t i) { return static_cast<int>(i); }), deque,
                   std::negate<>{});
  CHECK(deque[999] == -999);
}

TEST_CASE("of temporaries the result dangles, as in std::ranges") {
  static_assert(std::is_same_v<decltype(furca::fill(Numbers(3), 1U)), std::ranges::dangling>);
  static_assert(std::is_same_v<decltype(furca::for_each(std::span<int>(), [](int) {})),
                               std::span<int>::iterator>);
  Numbers y(3);
  const auto result = furca::copy(Numbers{1, 2, 3}, y);
  static_assert(std::is_same_v<decltype(result.in), std::ranges::dangling>);
  CHECK(y == Numbers{1, 2, 3});
}

}  // namespace
