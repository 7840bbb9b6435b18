// Counts and rows by an index.
#include <furca/group.hpp>
#include <furca/scan.hpp>
#include <furca/views.hpp>

#include "support/orders.hpp"
#include "support/pools.hpp"

using furca::test::on_pools_of_all_sizes;
using furca::test::Order;
using furca::test::orders;
using furca::test::sizes;
using furca::test::thrown_by;
using furca::test::values;

namespace {

using Numbers = std::vector<std::uint32_t>;
using Function = std::function<std::uint32_t(std::uint32_t)>;

}  // namespace

TEST_CASE("a histogram counts, and refuses what is not in it") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes(70'000)) {
      for (const int distribution : {0, 4}) {
        const Numbers numbers = values(n, distribution);
        for (const std::uint32_t bins : {1U, 100U, 256U, 257U, 10'000U}) {
          const Function index = [bins](std::uint32_t x) { return x % bins; };
          std::vector<std::size_t> expected(bins);
          for (const std::uint32_t x : numbers) ++expected[index(x)];
          CHECK(furca::histogram(numbers, bins, index) == expected);
        }
      }
    }
    for (const std::size_t n : {std::size_t{10}, std::size_t{50'000}}) {
      std::vector<int> some(n, 3);
      CHECK_THROWS_AS((void)furca::histogram(some, 3), std::out_of_range);
      some[n / 2] = -1;
      CHECK_THROWS_AS((void)furca::histogram(some, 4), std::out_of_range);
    }
#if defined(__SIZEOF_INT128__)
    __extension__ using Wide = __int128;
    std::vector<std::size_t> counts(4);
    for (const Wide index : {Wide{4}, Wide{-1}, (Wide{1} << 64) + 1, 3 - (Wide{1} << 64)}) {
      CHECK_THROWS_AS(furca::detail::count_into<1>(counts.data(), 4, 0, 1,
                                                   [index](std::size_t) { return index; }),
                      std::out_of_range);
    }
#endif
    for (const int n : {20'000, 40'000}) {  // up to 32,768 are one thread's, without a function
      CHECK(furca::histogram(furca::lazy(n, [](int i) { return i % 4; }), 4) ==
            std::vector<std::size_t>(4, static_cast<std::size_t>(n) / 4));
      CHECK(furca::histogram(std::vector<char>(static_cast<std::size_t>(n), 1), 3) ==
            std::vector<std::size_t>{0, static_cast<std::size_t>(n), 0});
    }
    std::deque<int> queue(40'000, 2);
    CHECK(furca::histogram(queue, 4) == std::vector<std::size_t>{0, 0, 40'000, 0});
    CHECK(furca::histogram(std::vector<int>(), 2) == std::vector<std::size_t>(2));
  });
}

TEST_CASE("many bins, and counts of another type") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : {std::size_t{5}, std::size_t{20'000}, std::size_t{100'000}}) {
      const Numbers numbers = values(n, 4);
      constexpr std::uint32_t kBins = 300'000;
      std::vector<std::uint32_t> expected(kBins);
      for (const std::uint32_t x : numbers) ++expected[x % kBins];
      const Function index = [](std::uint32_t x) { return x % kBins; };
      CHECK(furca::histogram<std::uint32_t>(numbers, kBins, index) == expected);
      const Function too_large = [](std::uint32_t x) { return x % kBins + 200'000; };
      CHECK_THROWS_AS((void)furca::histogram(numbers, kBins, too_large), std::out_of_range);
    }
    CHECK(furca::histogram<unsigned char>(Numbers{1, 1, 0}, 3) ==
          std::vector<unsigned char>{1, 2, 0});
    std::vector<std::uint32_t> offsets(4);
    const auto counts = furca::histogram<std::uint32_t>(Numbers{1, 1, 0, 3}, 4);
    CHECK(furca::exclusive_scan(counts, offsets, 0).total == 4);
    CHECK(offsets == std::vector<std::uint32_t>{0, 1, 3, 3});
  });
}

TEST_CASE("rows by index: the range's order, and rows for indices that nobody has") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{1'000}, std::size_t{70'000},
          std::size_t{140'000}}) {  // up to 131,072 are one thread's if their index lies in them
      for (const std::uint32_t keys : {1U, 1'000U, 100'000U}) {
        CAPTURE(n);
        CAPTURE(keys);
        const std::vector<Order> all = orders(n, 4, keys);
        const auto check = [&](const auto& rows) {
          std::vector<Numbers> expected(keys + 1);
          for (const Order& one : all) expected[one.customer].push_back(one.number);
          REQUIRE(rows.size() == keys + 1);
          std::size_t wrong = 0;
          for (std::size_t k = 0; k <= keys; ++k) {
            wrong +=
                !std::equal(rows[k].begin(), rows[k].end(), expected[k].begin(), expected[k].end());
          }
          CHECK(wrong == 0);
        };
        check(furca::group_by_index(all, keys + 1, &Order::customer, &Order::number));
        check(furca::group_by_index(all, keys + 1, &Order::customer,
                                    [](const Order& one) { return one.number; }));
      }
    }
    for (const int keys : {3, 5'000}) {
      const auto rows = furca::group_by_index(
          std::vector<int>{2, 0, 2}, keys, std::identity(),
          [](int i) { return furca::test::Particular(static_cast<std::uint32_t>(i)); });
      CHECK(*rows[2].back().value == 2);
    }
    CHECK(furca::group_by_index(std::vector<int>(), 0).offsets == std::vector<std::size_t>{0});
    CHECK(furca::group_by_index(std::vector<int>(), 2).offsets ==
          std::vector<std::size_t>{0, 0, 0});
    CHECK_THROWS_AS((void)furca::group_by_index(std::vector<int>{0, -1}, 3), std::out_of_range);
    CHECK_THROWS_AS((void)furca::group_by_index(std::vector<int>(50'000, 3), 3), std::out_of_range);
    const Function hundred = [](std::uint32_t x) { return x % 100; };
    const Numbers numbers = values(50'000, 1);
    for (const std::size_t at : {std::size_t{0}, std::size_t{20'000}, std::size_t{49'999}}) {
      const Function throws = [at](std::uint32_t x) {
        furca::test::throw_from(at, x);
        return x % 100;
      };
      const auto check = [at](const auto& call) { CHECK(thrown_by(call) == std::to_string(at)); };
      check([&] { (void)furca::histogram(numbers, 100, throws); });
      for (const int keys : {100, 5'000}) {  // up to 2,048 rows each block counts its own
        check([&] { (void)furca::group_by_index(numbers, keys, throws, hundred); });
        check([&] { (void)furca::group_by_index(numbers, keys, hundred, throws); });
      }
    }
  });
}
