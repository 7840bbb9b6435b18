#include <furca/detail/loop/index_range.hpp>

#include "support/standard.hpp"

using furca::detail::IndexRange;
using furca::detail::LoopIndex;
using furca::detail::run_aligned;

namespace {

enum class Colour { red };
static_assert(LoopIndex<int> && LoopIndex<unsigned char> && LoopIndex<std::size_t> &&
              LoopIndex<std::int64_t> && LoopIndex<const long>);
static_assert(LoopIndex<char> && LoopIndex<char8_t> && LoopIndex<wchar_t>);
static_assert(!LoopIndex<bool> && !LoopIndex<const bool> && !LoopIndex<double> &&
              !LoopIndex<int*> && !LoopIndex<Colour>);

static_assert(IndexRange(0, 10).size() == 10, "a loop's length may be a constant");

}  // namespace

TEST_CASE("the empty range, and the one that runs backwards") {
  CHECK(IndexRange(5, 5).size() == 0);
  CHECK(IndexRange(5, 4).size() == 0);
  CHECK(IndexRange(INT64_MAX, INT64_MIN).size() == 0);
  CHECK(IndexRange<unsigned>(1, 0).size() == 0);
  CHECK(IndexRange(std::size_t{0}, std::size_t{0}).size() == 0);
}

TEST_CASE_TEMPLATE("the whole of a type", Index, signed char, unsigned char, char, std::int16_t,
                   std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, char8_t,
                   char16_t, wchar_t) {
  using Limits = std::numeric_limits<Index>;
  const IndexRange<Index> all(Limits::min(), Limits::max());
  const std::uint64_t span =
      sizeof(Index) == 8 ? UINT64_MAX : (std::uint64_t{1} << (8 * sizeof(Index))) - 1;
  CHECK(all.size() == span);
  CHECK(all.at(0) == Limits::min());
  CHECK(all.at(all.size()) == Limits::max());
  CHECK(all.at(span / 2) == static_cast<Index>(Limits::min() + static_cast<Index>(span / 2)));
  CHECK(all.step(Limits::min()) == 0);
  CHECK(all.step(Limits::max()) == span);
}

TEST_CASE("steps and indices are each other's inverse, across zero and at both ends") {
  const IndexRange<int> across(-3, 4);
  CHECK(across.size() == 7);
  for (int index = -3; index <= 4; ++index) {
    const auto step = static_cast<std::uint64_t>(index + 3);
    CHECK(across.at(step) == index);
    CHECK(across.step(index) == step);
  }
  const IndexRange<std::int64_t> low(INT64_MIN, INT64_MIN + 2);
  CHECK(low.size() == 2);
  CHECK(low.at(1) == INT64_MIN + 1);
  CHECK(low.at(2) == INT64_MIN + 2);
  const IndexRange<std::int64_t> high(INT64_MAX - 2, INT64_MAX);
  CHECK(high.size() == 2);
  CHECK(high.at(2) == INT64_MAX);
  const IndexRange<std::uint64_t> top(UINT64_MAX - 1, UINT64_MAX);
  CHECK(top.size() == 1);
  CHECK(top.at(1) == UINT64_MAX);
}

TEST_CASE("every pair of ends of an 8-bit type") {
  int wrong = 0;
  for (int first = -128; first < 128; ++first) {
    for (int last = -128; last < 128; ++last) {
      const IndexRange<std::int8_t> range(static_cast<std::int8_t>(first),
                                          static_cast<std::int8_t>(last));
      wrong += range.size() != static_cast<std::uint64_t>(first < last ? last - first : 0);
      for (std::uint64_t step = 0; step <= range.size(); step += 17)
        wrong += range.at(step) != first + static_cast<int>(step);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a stretch runs in one piece from a multiple of 64 on, and up to it in another") {
  using Pieces = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  const auto pieces = [](std::uint64_t lo, std::uint64_t hi) {
    Pieces run;
    run_aligned(lo, hi,
                [&run](std::uint64_t from, std::uint64_t to) { run.emplace_back(from, to); });
    return run;
  };
  CHECK(pieces(0, 1000) == Pieces{{0, 1000}});
  CHECK(pieces(64, 1000) == Pieces{{64, 1000}});
  CHECK(pieces(1, 1000) == Pieces{{1, 64}, {64, 1000}});
  CHECK(pieces(125, 1000) == Pieces{{125, 128}, {128, 1000}});
  CHECK(pieces(127, 129) == Pieces{{127, 128}, {128, 129}});
  CHECK(pieces(1, 64) == Pieces{{1, 64}});
  CHECK(pieces(5, 6) == Pieces{{5, 6}});
  CHECK(pieces(UINT64_MAX - 3, UINT64_MAX) == Pieces{{UINT64_MAX - 3, UINT64_MAX}});
}
