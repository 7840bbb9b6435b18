#include <furca/parallel_reduce.hpp>
#include <furca/views.hpp>

#include "support/elements.hpp"

#include <ranges>

using furca::chunks;
using furca::enumerate;
using furca::lazy;
using furca::LoopRange;
using furca::parallel_for;
using furca::Tile;
using furca::Tile3;
using furca::tiles;
using furca::windows;
using furca::zip;
using namespace furca::test;

namespace {

TEST_CASE("a lazy element is what the function returns, by iterators as by indices") {
  const auto squares = lazy(10, [](std::size_t i) { return i * i; });
  static_assert(LoopRange<decltype(squares)>);
  static_assert(std::ranges::borrowed_range<decltype(squares)>);
  CHECK(squares.size() == 10);
  CHECK(!squares.empty());
  CHECK(squares[3] == 9);
  std::size_t expected = 0;
  for (const std::size_t square : squares) {
    CHECK(square == expected * expected);
    ++expected;
  }
  CHECK(expected == 10);
  auto it = squares.begin();
  CHECK(it[4] == 16);
  CHECK(*(it + 2) == 4);
  CHECK(*(2 + it) == 4);
  CHECK(*it++ == 0);
  CHECK(*it == 1);
  CHECK(*++it == 4);
  CHECK(*it-- == 4);
  CHECK(*--it == 0);
  it += 7;
  CHECK(*it == 49);
  it -= 6;
  CHECK(*it == 1);
  CHECK(squares.end() - it == 9);
  CHECK(it < squares.end());
  CHECK(squares.begin() + 10 == squares.end());
  CHECK(*std::ranges::lower_bound(squares, 50U) == 64);
}

TEST_CASE("none below zero") {
  CHECK(lazy(-5, [](std::size_t i) { return i; }).empty());
  CHECK(tiles(-1, 5).empty());
  CHECK(tiles(5, 0).empty());
  CHECK(tiles(5, 5, 0).empty());
}

TEST_CASE("iterators are assigned, whatever the function captures") {
  Numbers numbers = values(9, 1);
  const auto by_value = lazy(9, [&numbers](std::size_t i) -> std::uint32_t& { return numbers[i]; });
  auto it = by_value.begin();
  it = by_value.begin() + 3;
  decltype(it) none;
  none = it;
  CHECK(*none == 3);
  *none = 30;
  CHECK(numbers[3] == 30);

  // What is not trivially copyable stays where it is; iterators point to it.
  const auto owner = lazy(9, [numbers](std::size_t i) { return numbers[i]; });
  static_assert(!std::ranges::borrowed_range<decltype(owner)>);
  static_assert(LoopRange<decltype(owner)>);
  auto there = owner.begin();
  there = owner.begin() + 3;
  CHECK(*there == 30);
  CHECK(furca::parallel_reduce(lazy(9, [numbers](std::size_t i) { return numbers[i]; }), 0U) ==
        36 + 27);
}

TEST_CASE("loops and reductions over a lazy sequence are those over indices") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes()) {
      CAPTURE(n);
      const Numbers numbers = values(n, 4);
      const auto reversed =
          lazy(n, [&](std::size_t i) -> const std::uint32_t& { return numbers[n - 1 - i]; });
      Numbers seen(n);
      parallel_for(enumerate(reversed),
                   [&](auto element) { seen[element.first] = element.second; });
      CHECK(std::equal(seen.begin(), seen.end(), numbers.rbegin(), numbers.rend()));
      CHECK(furca::parallel_reduce(reversed, 0U) ==
            std::accumulate(numbers.begin(), numbers.end(), 0U));
    }
  });
}

TEST_CASE("a zip is as long as the shortest, and its elements are references") {
  std::vector<int> a = {1, 2, 3, 4};
  std::deque<std::string> b = {"a", "b", "c"};
  const std::array<double, 5> c = {0.5, 1.5, 2.5, 3.5, 4.5};
  const auto z = zip(a, b, c);
  static_assert(std::is_same_v<std::ranges::range_reference_t<decltype(z)>,
                               std::tuple<int&, std::string&, const double&>>);
  CHECK(z.size() == 3);
  parallel_for(z, [](auto t) {
    auto& [number, text, half] = t;
    number = static_cast<int>(2 * half);
    text += "!";
  });
  CHECK(a == std::vector<int>{1, 3, 5, 4});
  CHECK(b == std::deque<std::string>{"a!", "b!", "c!"});
  CHECK(zip(a).size() == 4);
  CHECK(zip(a, std::span(a).first(0)).empty());
}

TEST_CASE("a zip of what cannot be copied, of bits, of views, of const elements") {
  std::vector<std::unique_ptr<int>> pointers(100);
  const std::vector<bool> bits = {true, false, true};
  parallel_for(
      zip(enumerate(pointers), lazy(100, [](std::size_t i) { return static_cast<int>(i); })),
      [](auto t) {
        auto& [numbered, i] = t;
        numbered.second = std::make_unique<int>(static_cast<int>(numbered.first) + i);
      });
  for (std::size_t i = 0; i < 100; ++i) CHECK(*pointers[i] == static_cast<int>(2 * i));
  const auto both = zip(bits, std::as_const(pointers));
  static_assert(LoopRange<decltype(both)>);
  CHECK(both.size() == 3);
  CHECK(std::get<0>(both[0]));
  CHECK(!std::get<0>(both[1]));
  CHECK(*std::get<1>(both[2]) == 4);
}

TEST_CASE("zip, enumerate and the loop over indices do the same") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes()) {
      CAPTURE(n);
      const Numbers x = values(n, 4);
      const Numbers y = values(n, 1);
      Numbers by_zip(n);
      Numbers by_number(n);
      Numbers expected(n);
      for (std::size_t i = 0; i < n; ++i) expected[i] = x[i] ^ (2 * y[i]);
      parallel_for(zip(x, y, by_zip), [](auto t) {
        auto& [a, b, out] = t;
        out = a ^ (2 * b);
      });
      parallel_for(enumerate(by_number), [&](auto element) {
        element.second = x[element.first] ^ (2 * y[element.first]);
      });
      CHECK(by_zip == expected);
      CHECK(by_number == expected);
    }
  });
}

TEST_CASE("chunks make up the range, and only the last may be shorter") {
  for (const std::size_t n : sizes(5'000)) {
    for (const std::size_t length : {1U, 2U, 7U, 64U, 5'000U}) {
      CAPTURE(n);
      CAPTURE(length);
      Numbers x = values(n, 1);
      const auto parts = chunks(x, length);
      CHECK(parts.size() == (n + length - 1) / length);
      std::size_t next = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::span<std::uint32_t> part = parts[i];
        CHECK(part.data() == x.data() + next);
        CHECK(part.size() == (i + 1 < parts.size() ? length : n - next));
        CHECK(!part.empty());
        next += part.size();
      }
      CHECK(next == n);
      parallel_for(parts,
                   [](std::span<std::uint32_t> part) { std::reverse(part.begin(), part.end()); });
      for (const auto part : chunks(x, length)) CHECK(std::is_sorted(part.rbegin(), part.rend()));
    }
  }
  Numbers x(3);
  static_assert(
      std::is_same_v<std::ranges::range_reference_t<decltype(chunks(std::as_const(x), 2))>,
                     std::span<const std::uint32_t>>);
  CHECK_THROWS_AS(chunks(x, 0), std::invalid_argument);
  CHECK_THROWS_AS(chunks(x, -1), std::invalid_argument);
  CHECK(chunks(x, SIZE_MAX).size() == 1);
}

TEST_CASE("windows are all stretches of a length") {
  const Numbers x = values(100, 4);
  for (const std::size_t length : {1U, 2U, 99U, 100U, 101U}) {
    CAPTURE(length);
    const auto all = windows(x, length);
    REQUIRE(all.size() == (length > 100 ? 0 : 101 - length));
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK(all[i].data() == x.data() + i);
      CHECK(all[i].size() == length);
    }
  }
  CHECK_THROWS_AS(windows(x, 0), std::invalid_argument);
}

TEST_CASE("every place is in exactly one tile, and none is empty") {
  struct Case {
    std::size_t rows, columns;
    furca::TileSize size;
  };
  for (const Case& one :
       {Case{1, 1, {}}, Case{64, 1'024, {}}, Case{65, 1'025, {}}, Case{100, 37, {7, 5}},
        Case{3, 200, {100, 1}}, Case{50, 50, {1, SIZE_MAX}}}) {
    CAPTURE(one.rows);
    CAPTURE(one.columns);
    std::vector<int> seen(one.rows * one.columns);
    std::vector<Tile> in_order;
    for (const Tile& t : tiles(one.rows, one.columns, one.size)) in_order.push_back(t);
    CHECK(std::is_sorted(in_order.begin(), in_order.end(), [](const Tile& a, const Tile& b) {
      return std::pair(a.row_begin, a.column_begin) < std::pair(b.row_begin, b.column_begin);
    }));
    parallel_for(tiles(one.rows, one.columns, one.size), [&](const Tile& t) {
      if (t.row_begin >= t.row_end || t.column_begin >= t.column_end)
        throw std::logic_error("empty");
      for (std::size_t i = t.row_begin; i < t.row_end; ++i)
        for (std::size_t j = t.column_begin; j < t.column_end; ++j) ++seen[i * one.columns + j];
    });
    CHECK(std::ranges::count(seen, 1) == static_cast<std::ptrdiff_t>(seen.size()));
  }
  CHECK(tiles(10, 10, {10, 5})[1] == Tile{0, 10, 5, 10});
  CHECK_THROWS_AS(tiles(1, 1, {0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(tiles(1, 1, {1, 0}), std::invalid_argument);
}

TEST_CASE("every place of a volume is in exactly one box") {
  constexpr std::size_t kPlanes = 11, kRows = 9, kColumns = 30;
  std::vector<int> seen(kPlanes * kRows * kColumns);
  const auto boxes = tiles(kPlanes, kRows, kColumns, {4, 3, 7});
  CHECK(boxes.size() == 3 * 3 * 5);
  parallel_for(boxes, [&](const Tile3& t) {
    for (std::size_t h = t.plane_begin; h < t.plane_end; ++h)
      for (std::size_t i = t.row_begin; i < t.row_end; ++i)
        for (std::size_t j = t.column_begin; j < t.column_end; ++j)
          ++seen[(h * kRows + i) * kColumns + j];
  });
  CHECK(std::ranges::count(seen, 1) == static_cast<std::ptrdiff_t>(seen.size()));
  CHECK(boxes[1] == Tile3{0, 4, 0, 3, 7, 14});
  CHECK(tiles(1, 1, 1)[0] == Tile3{0, 1, 0, 1, 0, 1});
  CHECK_THROWS_AS(tiles(1, 1, 1, {0, 1, 1}), std::invalid_argument);
}

TEST_CASE("more tiles than can be counted are an error, and not fewer tiles") {
  constexpr std::size_t kMany = std::numeric_limits<std::size_t>::max();
  CHECK_THROWS_AS(tiles(kMany, kMany), std::length_error);
  constexpr int kHalf = std::numeric_limits<std::size_t>::digits / 2;
  constexpr std::size_t kRoot = std::size_t{1} << kHalf;
  // as many as there are sizes, which would be none
  CHECK_THROWS_AS(tiles(kRoot, kRoot, {1, 1}), std::length_error);
  // half as many: no difference of iterators
  CHECK_THROWS_AS(tiles(kRoot, kRoot / 2, {1, 1}), std::length_error);
  CHECK_THROWS_AS(tiles(2, kRoot, kRoot, {1, 1, 1}), std::length_error);
  CHECK_THROWS_AS(tiles(kRoot / 4, kRoot / 2, 4, {1, 1, 1}), std::length_error);
  CHECK(tiles(0, kRoot, kRoot / 2, {1, 1, 1}).empty());
  const auto wide = tiles(2, kMany, {1, kMany / 2});  // three in a row
  CHECK(wide.size() == 6);
  CHECK(wide[5] == Tile{1, 2, kMany / 2 * 2, kMany});
}

}  // namespace
