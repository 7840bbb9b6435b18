#include <furca/permute.hpp>

#include "support/elements.hpp"

using namespace furca::test;

namespace {

using Owned = std::deque<std::unique_ptr<std::uint32_t>>;

/// Calls check() inside pools of 1 to 8 threads.
template <class Check>
void on_pools(Check check) {
  for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
    CAPTURE(threads);
    furca::ThreadPool pool({.threads = threads});
    pool.install(check);
  }
}

/// 0, 1, ... n - 1.
Numbers counted(std::size_t n) {
  Numbers all(n);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

/// The same on the heap: elements that are moved only, in a range whose elements do not lie side by
/// side.
Owned owned(std::size_t n) {
  Owned all;
  for (const std::uint32_t each : counted(n)) all.push_back(std::make_unique<std::uint32_t>(each));
  return all;
}

/// Whether these are the numbers; none is missing.
bool are(const Owned& some, const Numbers& expected) {
  const auto is = [](const auto& one, std::uint32_t number) {
    return one != nullptr && *one == number;
  };
  return std::equal(some.begin(), some.end(), expected.begin(), expected.end(), is);
}

/// How far counts are from what is expected of each: the sum of squared deviations, in units of the
/// expected count.
template <class Counts>
double chi_square(const Counts& counts, double expected) {
  double sum = 0;
  for (const auto count : counts)
    sum += (static_cast<double>(count) - expected) * (static_cast<double>(count) - expected) /
           expected;
  return sum;
}

}  // namespace

TEST_CASE("reverse and rotate give what those of std give") {
  on_pools([] {
    for (const std::size_t n : sizes(kSanitized ? 9'000 : 270'000)) {
      CAPTURE(n);
      Numbers expected = counted(n);
      std::reverse(expected.begin(), expected.end());
      Numbers numbers = counted(n);
      CHECK(furca::reverse(numbers) == numbers.end());
      CHECK(numbers == expected);
      for (const std::size_t left : {std::size_t{0}, n / 100, n / 2, n - n / 3, n}) {
        CAPTURE(left);
        const auto middle = static_cast<std::ptrdiff_t>(left);
        Numbers rotated = numbers;
        const auto first = std::rotate(expected.begin(), expected.begin() + middle, expected.end());
        const auto moved = furca::rotate(rotated, rotated.begin() + middle);
        CHECK(rotated == expected);
        CHECK(moved.begin() - rotated.begin() == first - expected.begin());
        CHECK(moved.end() == rotated.end());
        expected = numbers;
      }
    }
    Owned few = owned(3'000);
    Numbers expected = counted(3'000);
    furca::rotate(few, few.begin() + 1'000);
    std::rotate(expected.begin(), expected.begin() + 1'000, expected.end());
    CHECK(are(few, expected));
    furca::reverse(few);
    std::reverse(expected.begin(), expected.end());
    CHECK(are(few, expected));
  });
}

TEST_CASE(
    "shuffle has every element once, in an order that depends on the seed and the length alone") {
  constexpr std::size_t kAlone = furca::detail::Shuffle<std::uint32_t*>::kAlone;
  std::map<std::size_t, Numbers> first;
  on_pools([&] {
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{10},
                                kAlone, kAlone + 1, 3 * kAlone + 5}) {
      CAPTURE(n);
      Numbers numbers = counted(n);
      CHECK(furca::shuffle(numbers, 42) == numbers.end());
      const Numbers& expected = first.try_emplace(n, numbers).first->second;
      CHECK(numbers == expected);
      Owned others = owned(n);
      furca::shuffle(others, std::uint64_t{42});
      CHECK(are(others, expected));
      if (n >= 10) {
        Numbers again = counted(n);
        furca::shuffle(again, 43);
        CHECK(again != expected);
      }
      std::sort(numbers.begin(), numbers.end());
      CHECK(numbers == counted(n));
    }
  });
  CHECK(first[10] == Numbers{3, 7, 2, 4, 9, 5, 8, 1, 0, 6});  // on every machine
  const Numbers& many = first[3 * kAlone + 5];
  CHECK(Numbers(many.end() - 4, many.end()) == Numbers{3844, 26353, 10009, 31910});
}

TEST_CASE("each order of four elements comes equally often") {
  constexpr int kTimes = 24 * 500;
  std::map<Numbers, int> times;
  for (int seed = 0; seed < kTimes; ++seed) {
    Numbers four = counted(4);
    furca::shuffle(four, seed);
    ++times[four];
  }
  CHECK(times.size() == 24);
  std::vector<int> counts;
  for (const auto& [order, count] : times) counts.push_back(count);
  // 23 degrees of freedom: one seed of a thousand would be above
  CHECK(chi_square(counts, kTimes / 24.0) < 49.7);
}

TEST_CASE("where an element goes does not depend on where it was, in a range of many parts") {
  constexpr std::size_t n = 64'000;
  Numbers numbers = counted(n);
  furca::shuffle(numbers, 7);
  constexpr std::size_t kCells = 16;
  std::vector<int> counts(kCells * kCells);
  Numbers place(n);
  for (std::uint32_t i = 0; i < n; ++i) place[numbers[i]] = i;
  std::size_t rises = 0;
  std::size_t together = 0;
  std::size_t stayed = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ++counts[i * kCells / n * kCells + numbers[i] * kCells / n];
    rises += i > 0 && numbers[i - 1] < numbers[i] ? 1 : 0;
    together += i > 0 && place[i - 1] * kCells / n == place[i] * kCells / n ? 1 : 0;
    stayed += numbers[i] == i ? 1 : 0;
  }
  // 15 * 15 degrees of freedom, one of a thousand
  CHECK(chi_square(counts, static_cast<double>(n) / (kCells * kCells)) < 295);
  CHECK(std::abs(static_cast<double>(rises) - n / 2.0) < 4 * std::sqrt(n / 12.0));
  CHECK(std::abs(static_cast<double>(together) - static_cast<double>(n) / kCells) <
        4 * std::sqrt(static_cast<double>(n) / kCells));
  CHECK(stayed < 8);  // one on average
}

TEST_CASE("a first element's place is any, over many seeds") {
  constexpr std::size_t n = 20'000;  // two parts
  constexpr int kSeeds = kSanitized ? 160 : 800;
  std::vector<int> counts(16);
  Numbers numbers(n);
  for (int seed = 0; seed < kSeeds; ++seed) {
    std::fill(numbers.begin(), numbers.end(), 0U);
    numbers.front() = 1;
    furca::shuffle(numbers, seed);
    ++counts[static_cast<std::size_t>(std::find(numbers.begin(), numbers.end(), 1U) -
                                      numbers.begin()) *
             16 / n];
  }
  CHECK(chi_square(counts, kSeeds / 16.0) < 37.7);  // 15 degrees of freedom, one of a thousand
}
