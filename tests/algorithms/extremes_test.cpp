#include <furca/extremes.hpp>

#include "support/elements.hpp"
#include "support/pools.hpp"

using namespace furca::test;

namespace {

template <class T>
void compare_extremes(const std::vector<T>& marked) {
  CHECK(furca::min_element(marked) == std::min_element(marked.begin(), marked.end()));
  CHECK(furca::max_element(marked) == std::max_element(marked.begin(), marked.end()));
  CHECK(furca::max_element(marked, std::greater<>{}) ==
        std::max_element(marked.begin(), marked.end(), std::greater<>{}));
  CHECK(furca::min_element(marked, [](const T& a, const T& b) { return a < b; }) ==
        std::min_element(marked.begin(), marked.end()));
  const auto both = furca::minmax_element(marked);
  const auto expected = std::minmax_element(marked.begin(), marked.end());
  CHECK(both.min == expected.first);
  CHECK(both.max == expected.second);
  if (!marked.empty()) {
    CHECK(furca::min(marked) == *expected.first);
    CHECK(furca::max(marked) == *expected.second);
    CHECK(furca::minmax(marked).min == *expected.first);
    CHECK(furca::minmax(marked).max == *expected.second);
  }
}

}  // namespace

TEST_CASE("extremes are those that the serial algorithms find") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes(kSanitized ? 9'000 : 70'000)) {
      CAPTURE(n);
      for (int distribution = 0; distribution < kDistributions; ++distribution) {
        CAPTURE(distribution);
        const Numbers numbers = values(n, distribution);
        compare_extremes(numbers);
        if (distribution != 4) continue;
        compare_extremes(std::vector<double>(numbers.begin(), numbers.end()));
        compare_extremes(std::vector<std::uint8_t>(numbers.begin(), numbers.end()));
        if (n < 5'000) {
          std::vector<std::string> words;
          for (const std::uint32_t number : numbers) words.push_back(std::to_string(number));
          compare_extremes(words);
        }
      }
    }
  });
}

TEST_CASE("the extremes of a million elements") {
  on_pools_of_all_sizes([] { compare_extremes(values(kMostElements, 4)); });
}

TEST_CASE("numbers that are none are found where the serial algorithm finds them") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  on_pools_of_all_sizes([none] {
    for (const std::size_t n :
         {std::size_t{1}, std::size_t{100}, std::size_t{600}, std::size_t{5'000}}) {
      for (const std::size_t at : {std::size_t{0}, std::size_t{63} % n, n / 3, n / 2, n - 1}) {
        std::vector<double> range(n);
        for (std::size_t i = 0; i < n; ++i) range[i] = static_cast<double>((i * 7'919) % n);
        range[at] = none;
        CHECK(furca::min_element(range) == std::min_element(range.begin(), range.end()));
        CHECK(furca::max_element(range) == std::max_element(range.begin(), range.end()));
        // The greatest number, whoever compares; but a NaN in front stays.
        const auto greatest =
            at == 0 ? range.begin() : std::max_element(range.begin(), range.end());
        CHECK(furca::minmax_element(range).max == greatest);
        CHECK(furca::minmax_element(range, [](double a, double b) { return a < b; }).max ==
              greatest);
      }
    }
  });
}

TEST_CASE("zeros of both signs are equal") {
  std::vector<double> range(1'000, 1.0);
  range[300] = 0.0;
  range[400] = -0.0;
  CHECK(furca::min_element(range) - range.begin() == 300);
}

TEST_CASE("a comparison gets the elements themselves, as the serial algorithm gives them") {
  struct Counted {
    int value = 0;
    int get() { return value; }  // not const
  };
  std::vector<Counted> all(3'000);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i].value = static_cast<int>((i * 7'919) % all.size());
  const auto by_get = [](auto& a, auto& b) { return a.get() < b.get(); };
  std::vector<int> numbers(3'000, 1);
  const auto by_place = [](const int& a, const int& b) { return &a > &b; };
  std::vector<std::unique_ptr<int>> owned(100);
  for (std::size_t i = 0; i < owned.size(); ++i)
    owned[i] = std::make_unique<int>(static_cast<int>(99 - i));
  on_every_pool([&] {
    CHECK(furca::min_element(all, by_get)->value == 0);
    CHECK(furca::minmax_element(all, by_get).max->value == 2'999);
    CHECK(furca::min_element(numbers, by_place) == numbers.end() - 1);
    CHECK(**furca::min_element(owned, [](auto& a, auto& b) { return *a < *b; }) == 0);
    CHECK(furca::max_element(numbers, {}, [&](const int& x) { return &x - numbers.data(); }) ==
          numbers.end() - 1);
  });
}

TEST_CASE("elements that are volatile") {
  volatile int numbers[] = {3, 1, 4, 1, 5, 5, 2};
  const std::span<volatile int> all(numbers);
  CHECK(furca::min_element(all) - all.begin() == 1);
  const auto both = furca::minmax_element(all);
  CHECK(both.min - all.begin() == 1);
  CHECK(both.max - all.begin() == 5);
}
