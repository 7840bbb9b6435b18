#include <furca/detail/loop/aligned_tree.hpp>

#include "support/trials.hpp"

namespace {

using furca::detail::AlignedTree;
using furca::detail::block_size;
using furca::test::Random;
using furca::test::rounds;
using furca::test::seed;

/// Neither associative nor commutative, so that the result tells the tree.
std::string bracket(std::string left, std::string right) {
  return "(" + std::move(left) + right + ")";
}
std::uint64_t mix(std::uint64_t left, std::uint64_t right) {
  return Random(left * 3 + std::rotl(right, 17)).next();
}

std::string block_name(std::uint32_t block) { return std::to_string(block) + " "; }

/// The tree by its definition: the largest aligned subtree that fits on the left, the rest on the
/// right.
template <class T, class Leaf, class Op>
T oracle(std::uint32_t first, std::uint32_t last, const Leaf& leaf, Op& op) {
  if (last - first == 1) return leaf(first);
  const std::uint32_t half = std::bit_floor(last - first - 1);
  return op(oracle<T>(first, first + half, leaf, op), oracle<T>(first + half, last, leaf, op));
}

template <class T, class Leaf, class Op>
AlignedTree<T> blocks(std::uint32_t first, std::uint32_t last, const Leaf& leaf, Op& op) {
  AlignedTree<T> tree;
  for (std::uint32_t k = first; k < last; ++k) tree.append(0, k, leaf(k), op);
  return tree;
}

/// The same stretch as a random schedule would put it together.
template <class T, class Leaf, class Op>
AlignedTree<T> scheduled(std::uint32_t first, std::uint32_t last, const Leaf& leaf, Op& op,
                         Random& random) {
  if (last - first < 2 || random.below(8) == 0) return blocks<T>(first, last, leaf, op);
  const auto middle = first + static_cast<std::uint32_t>(random.below(last - first + 1));
  AlignedTree<T> left = scheduled<T>(first, middle, leaf, op, random);
  left.append(scheduled<T>(middle, last, leaf, op, random), op);
  return left;
}

/// Lives in the tree's raw slots; every one made is destroyed.
struct Fussy {
  explicit Fussy(std::uint64_t v) : value(v) { ++living; }
  Fussy(Fussy&& other) noexcept : value(other.value) { ++living; }
  Fussy& operator=(Fussy&&) noexcept = default;
  ~Fussy() { --living; }
  std::uint64_t value;
  static inline long living = 0;
};

struct Wide {
  std::uint64_t words[16];
};

// enough for most tests, and there are a thousand times as many
constexpr std::uint32_t kBlocks = 4096;

}  // namespace

TEST_CASE("an empty tree") {
  AlignedTree<std::string> tree;
  CHECK(tree.empty());
  tree.append(AlignedTree<std::string>(), bracket);
  CHECK(tree.empty());
  tree.append(0, 0, block_name(0), bracket);
  tree.append(AlignedTree<std::string>(), bracket);
  CHECK_FALSE(tree.empty());
  CHECK(tree.total(bracket) == "0 ");
}

TEST_CASE("every length up to 300, cut in two at every place: the tree of its definition") {
  int wrong = 0;
  for (std::uint32_t n = 1; n <= 300; ++n) {
    const auto leaf = [](std::uint32_t k) { return std::uint64_t{k}; };
    const std::uint64_t expected = oracle<std::uint64_t>(0, n, leaf, mix);
    wrong += blocks<std::uint64_t>(0, n, leaf, mix).total(mix) != expected;
    for (std::uint32_t cut = 0; cut <= n; ++cut) {
      AlignedTree<std::uint64_t> left = blocks<std::uint64_t>(0, cut, leaf, mix);
      left.append(blocks<std::uint64_t>(cut, n, leaf, mix), mix);
      wrong += left.total(mix) != expected;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("whatever was cut where, and put together in which order, the result has the same bits") {
  Random random(seed());
  const auto leaf = [](std::uint32_t k) { return 1.0 / (k + 1); };
  const auto add = [](double a, double b) { return a + b; };
  int wrong = 0;
  for (std::uint64_t round = rounds(2000); round > 0; --round) {
    const auto n = static_cast<std::uint32_t>(random.below(kBlocks) + 1);
    wrong +=
        scheduled<double>(0, n, leaf, add, random).total(add) != oracle<double>(0, n, leaf, add);
  }
  CHECK(wrong == 0);
  CHECK(scheduled<std::string>(0, 100, block_name, bracket, random).total(bracket) ==
        oracle<std::string>(0, 100, block_name, bracket));
}

TEST_CASE("the most nodes a stretch can have find room: all blocks but the first and the last") {
  const auto check = []<class T, std::size_t kLevels>(AlignedTree<T, kLevels> tree, auto leaf,
                                                      auto op) {
    constexpr auto kMost = static_cast<std::uint32_t>(AlignedTree<T, kLevels>::kMostBlocks);
    const auto add = [&](AlignedTree<T, kLevels>& to, std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t k = first; k < last; ++k) to.append(0, k, leaf(k), op);
    };
    AlignedTree<T, kLevels> middle;
    AlignedTree<T, kLevels> end;
    add(tree, 0, 1);
    add(middle, 1, kMost - 1);
    CHECK(middle.nodes() == 2 * kLevels - 2);
    add(end, kMost - 1, kMost);
    middle.append(std::move(end), op);
    tree.append(std::move(middle), op);
    return tree.total(op);
  };
  const auto number = [](std::uint32_t k) { return std::uint64_t{k}; };
  CHECK(check(AlignedTree<std::uint64_t, 12>(), number, mix) ==
        oracle<std::uint64_t>(0, 4096, number, mix));
  CHECK(check(AlignedTree<std::uint64_t>(), number, mix) ==
        oracle<std::uint64_t>(0, 1U << 20U, number, mix));

  const auto wide = [](std::uint32_t k) { return Wide{{k}}; };
  const auto mix_wide = [](Wide a, Wide b) { return Wide{{mix(a.words[0], b.words[0])}}; };
  static_assert(AlignedTree<Wide>::kMostBlocks == 256, "large accumulators sit in stack frames");
  CHECK(check(AlignedTree<Wide>(), wide, mix_wide).words[0] ==
        oracle<std::uint64_t>(0, 256, number, mix));
}

TEST_CASE("the nodes of a stretch, told from left to right, are the stretch again") {
  Random random(seed());
  int wrong = 0;
  for (std::uint64_t round = rounds(500); round > 0; --round) {
    const auto last = static_cast<std::uint32_t>(random.below(kBlocks) + 1);
    const auto cut = static_cast<std::uint32_t>(random.below(last + 1));
    const auto leaf = [](std::uint32_t k) { return std::uint64_t{k}; };
    AlignedTree<std::uint64_t> tree = blocks<std::uint64_t>(0, cut, leaf, mix);
    const AlignedTree<std::uint64_t> right = blocks<std::uint64_t>(cut, last, leaf, mix);
    std::size_t nodes = 0;
    right.for_each_node([&](std::uint32_t level, std::uint32_t start, std::uint64_t value) {
      tree.append(level, start, value, mix);
      ++nodes;
    });
    wrong += nodes != right.nodes() || tree.total(mix) != oracle<std::uint64_t>(0, last, leaf, mix);
  }
  CHECK(wrong == 0);
}

// After a stop stretches end early, and more nodes come together than a whole tree can have.
TEST_CASE("with gaps between them, all stretches are in the total, each once and in order") {
  Random random(seed());
  const auto concatenate = [](std::string a, std::string b) { return a + b; };
  for (std::uint64_t round = rounds(300); round > 0; --round) {
    std::string expected;
    std::vector<AlignedTree<std::string>> parts;  // two levels of them, as of halves in halves
    for (std::uint32_t at = 0; at < kBlocks;) {
      const auto length = std::min(static_cast<std::uint32_t>(random.below(60)), kBlocks - at);
      AlignedTree<std::string> stretch =
          blocks<std::string>(at, at + length, block_name, concatenate);
      for (std::uint32_t k = at; k < at + length; ++k) expected += block_name(k);
      if (parts.empty() || random.below(40) == 0) {
        parts.push_back(std::move(stretch));
      } else {
        parts.back().append(std::move(stretch), concatenate);
      }
      at += length + 1 + static_cast<std::uint32_t>(random.below(3));
    }
    AlignedTree<std::string> all;
    for (AlignedTree<std::string>& part : parts) all.append(std::move(part), concatenate);
    CHECK((all.empty() ? "" : all.total(concatenate)) == expected);
  }
}

TEST_CASE("n blocks take n - 1 combinations") {
  for (std::uint32_t n = 1; n < 100; ++n) {
    std::uint32_t combined = 0;
    const auto count = [&](int a, int b) {
      ++combined;
      return a + b;
    };
    const auto one = [](std::uint32_t) { return 1; };
    CHECK(blocks<int>(0, n, one, count).total(count) == static_cast<int>(n));
    CHECK(combined == n - 1);
  }
}

TEST_CASE("values that only move, and nothing leaks: used up, moved or left behind") {
  const auto leaf = [](std::uint32_t k) { return Fussy(k); };
  const auto op = [](Fussy a, Fussy b) { return Fussy(mix(a.value, b.value)); };
  Random random(seed());
  for (std::uint32_t n = 1; n < 200; ++n) {
    AlignedTree<Fussy> tree = scheduled<Fussy>(0, n, leaf, op, random);
    AlignedTree<Fussy> moved(std::move(tree));
    CHECK(moved.total(op).value == oracle<Fussy>(0, n, leaf, op).value);
    const AlignedTree<Fussy> left_behind = scheduled<Fussy>(0, n, leaf, op, random);
    CHECK(Fussy::living > 0);
  }
  CHECK(Fussy::living == 0);
  static_assert(std::is_nothrow_move_constructible_v<AlignedTree<Fussy>>);
}

TEST_CASE("an operation that throws, at any combination, leaves nothing undestroyed") {
  const auto leaf = [](std::uint32_t k) { return Fussy(k); };
  for (int allowed = 0; allowed < 40; ++allowed) {
    CAPTURE(allowed);
    int left = allowed;
    const auto op = [&](Fussy a, Fussy b) {
      if (left-- == 0) throw std::runtime_error("enough");
      return Fussy(a.value + b.value);
    };
    bool thrown = false;
    std::uint64_t sum = 0;
    try {
      AlignedTree<Fussy> tree = blocks<Fussy>(0, 13, leaf, op);
      tree.append(blocks<Fussy>(13, 27, leaf, op), op);
      sum = tree.total(op).value;
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    CHECK(thrown == (allowed < 26));
    CHECK(sum == (thrown ? 0 : 26 * 27 / 2));
    CHECK(Fussy::living == 0);
  }
}

// --- block_size ----------------------------------------------------------------------------------

TEST_CASE(
    "block_size: single elements up to 256, then at most 256 blocks, then 2,048 elements, then few "
    "enough") {
  CHECK(block_size(0, 4096, 1) == 1);
  CHECK(block_size(1, 4096, 1) == 1);
  CHECK(block_size(256, 4096, 1) == 1);
  CHECK(block_size(257, 4096, 1) == 2);
  CHECK(block_size(512, 4096, 1) == 2);
  CHECK(block_size(513, 4096, 1) == 4);
  CHECK(block_size(256 * 2048, 4096, 1) == 2048);
  CHECK(block_size(256 * 2048 + 1, 4096, 1) == 2048);
  CHECK(block_size(4096 * 2048, 4096, 1) == 2048);
  CHECK(block_size(4096 * 2048 + 1, 4096, 1) == 4096);
  CHECK(block_size(1'000'000, 256, 1) == 4096);
}

TEST_CASE("block_size: the grain is a floor, rounded up to a power of two") {
  CHECK(block_size(100, 4096, 0) == 1);
  CHECK(block_size(100, 4096, 3) == 4);
  CHECK(block_size(100, 4096, 4) == 4);
  CHECK(block_size(1 << 30, 4096, 5000) == 1 << 18);
  CHECK(block_size(100, 4096, UINT64_MAX) == std::uint64_t{1} << 62U);
}

TEST_CASE("block_size: always a power of two, and never too many blocks, up to the longest loop") {
  Random random(seed());
  for (int round = 0; round < 100'000; ++round) {
    const std::uint64_t n = round < 10 ? UINT64_MAX - static_cast<std::uint64_t>(round)
                                       : random.next() >> random.below(64);
    const std::uint64_t most = random.below(2) == 0 ? 4096 : 256;
    const std::uint64_t grain = random.next() >> random.below(64);
    CAPTURE(n);
    CAPTURE(most);
    CAPTURE(grain);
    const std::uint64_t size = block_size(n, most, grain);
    REQUIRE(std::has_single_bit(size));
    REQUIRE(size >= std::min(grain, std::uint64_t{1} << 62U));
    REQUIRE(n / size + (n % size != 0 ? 1 : 0) <= most);
  }
}
