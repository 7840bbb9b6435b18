#include <furca/merge.hpp>

#include "support/elements.hpp"
#include "support/pools.hpp"

using namespace furca::test;

namespace {

/// Calls check(a, b) for sorted ranges of many sizes, with few and with many equal elements.
template <class Check>
void on_sorted_pairs(std::size_t most, Check check) {
  for (const std::size_t n : sizes(most)) {
    for (const std::size_t m : {std::size_t{0}, std::size_t{1}, n / 100, n - n / 3, n}) {
      for (const std::uint32_t keys : {1U, 3U, 1'000U, ~0U}) {
        CAPTURE(n);
        CAPTURE(m);
        CAPTURE(keys);
        check(sorted_keys(n, keys, 0), sorted_keys(m, keys, 1U << 30U));
      }
    }
  }
}

}  // namespace

TEST_CASE("merge gives what std::merge gives, and ends where the output does") {
  const PoolsOfAllSizes everywhere;
  on_sorted_pairs(kSanitized ? 9'000 : 70'000, [&](const std::vector<Placed>& a,
                                                   const std::vector<Placed>& b) {
    std::vector<Placed> expected;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected), less_key);
    everywhere([&] {
      std::vector<Placed> out(a.size() + b.size());
      const auto end = furca::merge(a, b, out, {}, &Placed::key, &Placed::key);
      CHECK(end.in1 == a.end());
      CHECK(end.in2 == b.end());
      CHECK(end.out == out.end());
      CHECK(out == expected);
      const std::size_t room = out.size() / 3;
      std::vector<Placed> few(room);
      const auto stopped = furca::merge(a, b, few, less_key);
      CHECK(std::equal(few.begin(), few.end(), expected.begin()));
      CHECK(static_cast<std::size_t>((stopped.in1 - a.begin()) + (stopped.in2 - b.begin())) ==
            room);
      CHECK(static_cast<std::size_t>(stopped.in1 - a.begin()) ==
            static_cast<std::size_t>(std::count_if(
                few.begin(), few.end(), [](const Placed& one) { return one.place < 1U << 30U; })));
    });
  });
}

TEST_CASE("ranges of different types, and elements that own memory") {
  on_pools_of_all_sizes([] {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < 9'000; ++i) words.push_back(std::string(i / 100, 'x'));
    std::vector<std::string> more(words.begin() + 50, words.end());
    std::vector<std::string> both(words.size() + more.size());
    furca::merge(words, more, both);
    CHECK(std::is_sorted(both.begin(), both.end()));
    CHECK(both[50] == "");
    std::deque<int> queue(10'000, 3);
    std::vector<long> numbers(5'000);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<long>(i / 1'000);
    std::vector<long> all(15'000);
    furca::merge(queue, numbers, all);
    CHECK(std::is_sorted(all.begin(), all.end()));
    CHECK(std::count(all.begin(), all.end(), 3) == 11'000);
  });
}

TEST_CASE("ranges that are not sorted, and what is no order") {
  for (const std::size_t n : sizes(20'000)) {
    for (const auto& order : no_orders) {
      Numbers a = values(n, 1);
      std::shuffle(a.begin(), a.end(), std::mt19937(3));
      Numbers b(a.begin() + static_cast<std::ptrdiff_t>(n / 3), a.end());
      Numbers first;
      for (const std::size_t threads : {1U, 2U, 8U}) {
        furca::ThreadPool pool({.threads = threads});
        pool.install([&] {
          Numbers out(a.size() + b.size());
          furca::merge(a, b, out, order);
          if (first.empty()) first = out;
          CHECK(out == first);
        });
      }
      Numbers expected = a;
      expected.insert(expected.end(), b.begin(), b.end());
      std::sort(expected.begin(), expected.end());
      std::sort(first.begin(), first.end());
      CHECK(first == expected);
    }
  }
}

TEST_CASE("comparisons are few, and what they throw is thrown") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : {std::size_t{500}, std::size_t{60'000}}) {
      if (n > kMostElements) continue;
      const std::vector<Placed> a = sorted_keys(n, ~0U, 0);
      const std::vector<Placed> b = sorted_keys(n, ~0U, 1U << 30U);
      std::vector<Placed> out(2 * n);
      std::atomic<std::size_t> compared{0};
      const auto counts = [&compared](std::uint32_t x, std::uint32_t y) {
        compared.fetch_add(1, std::memory_order_relaxed);
        return x < y;
      };
      furca::merge(a, b, out, counts, &Placed::key, &Placed::key);
      CHECK(compared <= 2 * n + n / 50 + 50);
      const std::uint32_t at = a[n / 2].key;
      CHECK(thrown_by([&] {
              furca::merge(a, b, out, [at](const Placed& x, const Placed& y) {
                return x.key == at || y.key == at ? throw std::runtime_error("here")
                                                  : x.key < y.key;
              });
            }) == "here");
    }
  });
}

namespace {

/// Counts copies, and throws from the k-th on.
struct Copied {
  std::uint32_t value = 0;
  Copied() = default;
  explicit Copied(std::uint32_t v) : value(v) {}
  Copied(const Copied&) = default;
  Copied& operator=(const Copied& other) {
    if (copies++ >= limit) throw std::runtime_error(std::to_string(copies));
    value = other.value;
    return *this;
  }
  static inline int copies = 0;
  static inline int limit = 0;
};

}  // namespace

TEST_CASE("after an exception nothing more is copied") {
  furca::ThreadPool pool({.threads = 1});
  pool.install([] {
    const std::vector<Copied> some(2'000, Copied(1));
    std::vector<Copied> out(4'000);
    const auto merged = [&](int limit, std::uint32_t throwing) {
      Copied::copies = 0;
      Copied::limit = limit;
      const auto order = [throwing](std::uint32_t a, std::uint32_t b) {
        return throwing == 1 ? throw std::runtime_error("comparison") : a < b;
      };
      return thrown_by(
          [&] { furca::merge(some, some, out, order, &Copied::value, &Copied::value); });
    };
    CHECK(merged(4'000, 0) == "");
    CHECK(merged(4'000, 1) == "comparison");
    CHECK(Copied::copies == 0);
    CHECK(merged(17, 0) == "18");
    CHECK(Copied::copies == 18);
  });
}

TEST_CASE("inplace_merge gives what std::inplace_merge gives") {
  const PoolsOfAllSizes everywhere;
  on_sorted_pairs(
      kSanitized ? 2'100 : 20'000, [&](const std::vector<Placed>& a, const std::vector<Placed>& b) {
        std::vector<Placed> both = a;
        both.insert(both.end(), b.begin(), b.end());
        std::vector<Placed> expected(both.size());
        const auto left = static_cast<std::ptrdiff_t>(a.size());
        std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin(), less_key);
        everywhere([&] {
          std::vector<Placed> some = both;
          CHECK(furca::inplace_merge(some, some.begin() + left, {}, &Placed::key) == some.end());
          CHECK(some == expected);
        });
      });
}

TEST_CASE("whatever throws at the k-th comparison of inplace_merge, each element is there once") {
  for (const std::size_t n : {std::size_t{300}, std::size_t{30'000}}) {
    if (n > kMostElements) continue;
    furca::ThreadPool pool({.threads = 3});
    pool.install([n] {
      const std::vector<Placed> a = sorted_keys(n, 1'000, 0);
      const std::vector<Placed> b = sorted_keys(n, 1'000, static_cast<std::uint32_t>(n));
      bool thrown = true;
      for (std::size_t k = 0; thrown; k += n / (few_cases() ? 12 : 300)) {
        std::vector<std::unique_ptr<Placed>> some;
        for (const Placed& one : a) some.push_back(std::make_unique<Placed>(one));
        for (const Placed& one : b) some.push_back(std::make_unique<Placed>(one));
        std::atomic<std::size_t> calls{0};
        const auto order = [&](const std::unique_ptr<Placed>& x, const std::unique_ptr<Placed>& y) {
          return calls++ >= k ? throw std::runtime_error("k-th") : x->key < y->key;
        };
        thrown =
            !thrown_by([&] {
               furca::inplace_merge(some, some.begin() + static_cast<std::ptrdiff_t>(n), order);
             }).empty();
        std::vector<char> seen(2 * n);
        for (const auto& one : some) {
          if (one == nullptr || seen[one->place]++ != 0)
            FAIL("an element of ", n, " is lost or double when comparison ", k, " throws");
        }
      }
    });
  }
}
