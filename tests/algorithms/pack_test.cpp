#include <furca/pack.hpp>
#include <furca/views.hpp>

#include "support/elements.hpp"
#include "support/pools.hpp"

using namespace furca::test;

namespace {

/// A share of all, at random or in runs.
bool kept(std::uint32_t x, std::uint32_t share) { return x * 2'654'435'761U >> 25U < share; }

template <class T>
std::vector<T> tail_erased(std::vector<T> range, auto algorithm) {
  const auto tail = algorithm(range);
  range.erase(tail.begin(), tail.end());
  return range;
}

/// What the serial algorithms make of a range.
template <class T>
struct Packed {
  template <class Pred>
  Packed(const std::vector<T>& range, Pred pred) : apart(range) {
    std::partition_copy(range.begin(), range.end(), std::back_inserter(chosen),
                        std::back_inserter(rest), pred);
    apart.erase(std::unique(apart.begin(), apart.end()), apart.end());
  }

  std::vector<T> chosen;
  std::vector<T> rest;
  std::vector<T> apart;
};

template <class T, class Pred>
void compare_packing_here(const std::vector<T>& range, Pred pred, const Packed<T>& packed) {
  const std::size_t n = range.size();
  const std::vector<T>& expected = packed.chosen;
  CHECK(furca::filter(range, pred) == expected);
  std::vector<T> out(n);
  const auto end = furca::copy_if(range, out, pred);
  CHECK(end.in == range.end());
  out.erase(end.out, out.end());
  CHECK(out == expected);
  for (const std::size_t room :
       {expected.size() / 2, expected.size(), expected.size() - (expected.empty() ? 0 : 1)}) {
    std::vector<T> few(room);
    const auto stopped = furca::copy_if(range, few, pred);
    CHECK(stopped.out == few.end());
    CHECK(std::equal(few.begin(), few.end(), expected.begin()));
    // In front of the first that has no place.
    CHECK(static_cast<std::size_t>(std::count_if(range.begin(), stopped.in, pred)) == room);
    CHECK((stopped.in == range.end() ? room == expected.size() : pred(*stopped.in)));
  }
  const auto not_pred = [&](const T& x) { return !pred(x); };
  CHECK(tail_erased(range, [&](std::vector<T>& some) {
          return furca::remove_if(some, not_pred);
        }) == expected);
  CHECK(tail_erased(range, [](std::vector<T>& some) { return furca::unique(some); }) ==
        packed.apart);

  std::vector<T> sides = range;
  const auto others = furca::stable_partition(sides, pred);
  CHECK(others.begin() - sides.begin() == static_cast<std::ptrdiff_t>(expected.size()));
  CHECK(std::equal(expected.begin(), expected.end(), sides.begin()));
  CHECK(std::equal(others.begin(), others.end(), packed.rest.begin(), packed.rest.end()));
}

template <class T, class Pred>
void compare_packing(const PoolsOfAllSizes& everywhere, const std::vector<T>& range, Pred pred) {
  const Packed<T> packed(range, pred);
  everywhere([&] { compare_packing_here(range, pred, packed); });
}

}  // namespace

TEST_CASE("packing gives what the serial algorithms give") {
  const PoolsOfAllSizes everywhere;
  for (const std::size_t n : sizes()) {
    CAPTURE(n);
    for (int distribution = n > (few_cases() ? 9'000 : 100'000) ? 4 : 0;
         distribution < kDistributions; ++distribution) {
      CAPTURE(distribution);
      const Numbers numbers = values(n, distribution);
      for (const std::uint32_t share : {0U, 1U, 64U, 127U, 128U}) {
        CAPTURE(share);
        compare_packing(everywhere, numbers, [share](std::uint32_t x) { return kept(x, share); });
      }
      if (distribution != 4 || n > 9'000) continue;
      std::vector<std::string> words;
      for (const std::uint32_t number : numbers) words.push_back(std::to_string(number % 3));
      compare_packing(everywhere, words, [](const std::string& word) { return word != "1"; });
      compare_packing(everywhere, std::vector<double>(numbers.begin(), numbers.end()),
                      [](double x) { return x < 2e9; });
    }
  }
}

TEST_CASE("a partition has the same order for any number of threads") {
  const PoolsOfAllSizes everywhere;
  for (const std::size_t n : sizes()) {
    CAPTURE(n);
    for (const std::uint32_t share : {1U, 30U, 64U, 127U}) {
      const Numbers numbers = values(n, 1);
      const auto pred = [share](std::uint32_t x) { return kept(x, share); };
      Numbers first;
      everywhere([&] {
        Numbers some = numbers;
        const auto others = furca::partition(some, pred);
        CHECK(std::all_of(some.begin(), others.begin(), pred));
        CHECK(std::none_of(others.begin(), others.end(), pred));
        CHECK(others.end() == some.end());
        if (first.empty()) first = some;
        CHECK(some == first);
      });
      std::sort(first.begin(), first.end());
      CHECK(first == numbers);
    }
  }
}

TEST_CASE("volatile elements are packed one by one") {
  std::vector<int> numbers(5'000);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto third = [](int x) { return x % 3 == 0; };
  const std::vector<int> expected = furca::filter(numbers, third);
  CHECK(furca::filter(std::span<volatile int>(numbers), third) == expected);
  std::vector<int> kept(numbers.size());
  const std::span<volatile int> out(kept);
  kept.resize(static_cast<std::size_t>(furca::copy_if(numbers, out, third).out - out.begin()));
  CHECK(kept == expected);
}

TEST_CASE("a predicate is called once for each element") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes(9'000)) {
      const Numbers numbers = values(n, 1);
      const auto count = [&](auto algorithm, int times) {
        std::vector<std::atomic<int>> asked(n);
        Numbers some = numbers;
        algorithm(some, [&](std::uint32_t x) {
          ++asked[x];
          return kept(x, 64);
        });
        CHECK(std::all_of(asked.begin(), asked.end(),
                          [times](const auto& one) { return one == times; }));
      };
      count([](Numbers& some, auto pred) { (void)furca::filter(some, pred); }, 1);
      count(
          [](Numbers& some, auto pred) {
            Numbers out(some.size());
            (void)furca::copy_if(some, out, pred);
          },
          1);
      count([](Numbers& some, auto pred) { (void)furca::remove_if(some, pred); }, 1);
      count([](Numbers& some, auto pred) { (void)furca::partition(some, pred); }, 1);
      count([](Numbers& some, auto pred) { (void)furca::stable_partition(some, pred); }, 1);
      std::atomic<std::size_t> compared{0};
      Numbers some = numbers;
      (void)furca::unique(some, [&](std::uint32_t, std::uint32_t) {
        ++compared;
        return false;
      });
      CHECK(compared == (n > 0 ? n - 1 : 0));
    }
  });
}

TEST_CASE(
    "copy_if and filter throw what serial execution would throw, and have copied what comes before "
    "it") {
  on_every_pool([] {
    for (const std::size_t n : {std::size_t{300}, std::size_t{9'000}}) {
      const Numbers numbers = values(n, 1);
      for (std::size_t at = 0; at < n; at += n / (few_cases() ? 6 : 60)) {
        const auto pred = [at](std::uint32_t x) {
          throw_from(at, x);
          return kept(x, 64);
        };
        Numbers expected;
        std::copy_if(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(at),
                     std::back_inserter(expected), [](std::uint32_t x) { return kept(x, 64); });
        Numbers out(n);
        CHECK(thrown_by([&] { (void)furca::copy_if(numbers, out, pred); }) == std::to_string(at));
        CHECK(std::equal(expected.begin(), expected.end(), out.begin()));
        CHECK(thrown_by([&] { (void)furca::filter(numbers, pred); }) == std::to_string(at));
        // An output that is full before it comes to that is no error.
        if (expected.size() > 1) {
          Numbers few(expected.size() - 1);
          CHECK(thrown_by([&] { (void)furca::copy_if(numbers, few, pred); }).empty());
          CHECK(std::equal(few.begin(), few.end(), expected.begin()));
        }
      }
    }
  });
}

TEST_CASE(
    "few doubles: what is behind the kept ones stays, and an exception comes behind what was "
    "copied") {
  on_every_pool([] {
    for (const std::size_t n : {1U, 7U, 8U, 63U, 64U, 65U, 200U, 2'047U, 2'048U, 2'049U}) {
      CAPTURE(n);
      std::vector<double> numbers(n);
      for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<double>(i);
      for (const std::size_t apart : {1U, 3U, 60U, 300U, 5'000U}) {
        CAPTURE(apart);
        const auto wanted = [apart](double x) {
          return static_cast<std::size_t>(x) % apart == apart / 2;
        };
        std::vector<double> expected;
        std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(expected), wanted);
        std::vector<double> out(n + 8, -1);
        const auto end = furca::copy_if(numbers, out, wanted).out;
        CHECK(std::equal(out.begin(), end, expected.begin(), expected.end()));
        CHECK(std::all_of(end, out.end(), [](double x) { return x == -1; }));
        CHECK(furca::filter(numbers, wanted) == expected);
        for (std::size_t at = 0; at < n; at += n / (few_cases() ? 7 : 71) + 1) {
          CAPTURE(at);
          const auto throws = [&](double x) {
            throw_from(at, static_cast<std::size_t>(x));
            return wanted(x);
          };
          out.assign(n + 8, -1);
          CHECK(thrown_by([&] { (void)furca::copy_if(numbers, out, throws); }) ==
                std::to_string(at));
          const auto copied = static_cast<std::size_t>(std::count_if(
              numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(at), wanted));
          CHECK(std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(copied),
                           expected.begin()));
          CHECK(std::all_of(out.begin() + static_cast<std::ptrdiff_t>(copied), out.end(),
                            [](double x) { return x == -1; }));
        }
      }
    }
  });
}

TEST_CASE("whatever throws at the k-th call, no element is lost") {
  using Pointers = std::vector<std::unique_ptr<std::uint32_t>>;
  const auto check = [](std::size_t n, std::size_t step) {
    for (std::size_t k = 0; k < n; k += step) {
      const auto run = [&](auto algorithm, bool keeps_all) {
        Pointers some;
        for (std::uint32_t i = 0; i < n; ++i) some.push_back(std::make_unique<std::uint32_t>(i));
        std::atomic<std::size_t> calls{0};
        const auto may_throw = [&] {
          if (calls++ == k) throw std::runtime_error("k-th");
        };
        CHECK(thrown_by([&] { algorithm(some, may_throw); }) == "k-th");
        std::vector<int> seen(n);
        for (const auto& one : some) {
          if (one != nullptr) ++seen[*one];
        }
        for (std::uint32_t i = 0; i < n; ++i) {
          // remove_if and unique may have dropped those that do not stay.
          if (seen[i] > 1 || (seen[i] == 0 && (keeps_all || kept(i, 64))))
            FAIL("element ", i, " of ", n, " is there ", seen[i], " times after call ", k);
        }
      };
      run(
          [](Pointers& some, auto& may_throw) {
            furca::partition(some, [&](const auto& p) {
              may_throw();
              return kept(*p, 64);
            });
          },
          true);
      run(
          [](Pointers& some, auto& may_throw) {
            furca::stable_partition(some, [&](const auto& p) {
              may_throw();
              return kept(*p, 64);
            });
          },
          true);
      run(
          [](Pointers& some, auto& may_throw) {
            (void)furca::remove_if(some, [&](const auto& p) {
              may_throw();
              return !kept(*p, 64);
            });
          },
          false);
      if (k + 1 < n) {
        run(
            [](Pointers& some, auto& may_throw) {
              (void)furca::unique(some, [&](const auto&, const auto& p) {
                may_throw();
                return !kept(*p, 64);
              });
            },
            false);
      }
    }
  };
  for (const std::size_t threads : {1U, 3U}) {
    furca::ThreadPool pool({.threads = threads});
    pool.install([&] {
      check(300, few_cases() ? 17 : 1);
      for (const std::size_t n : {2'047U, 2'048U, 2'049U}) check(n, few_cases() ? 509 : 61);
      if (kMostElements > 70'000) check(70'000, 6'997);
    });
  }
}

TEST_CASE("elements of unusual types") {
  on_pools_of_all_sizes([] {
    std::deque<OverAligned> aligned;
    for (std::uint32_t i = 0; i < 6'000; ++i) aligned.emplace_back(i);
    const auto odd = [](std::uint32_t x) { return x % 2 == 1; };
    const std::vector<OverAligned> some = furca::filter(aligned, odd, &OverAligned::value);
    CHECK(some.size() == 3'000);
    CHECK(std::all_of(some.begin(), some.end(),
                      [](const OverAligned& one) { return one.aligned() && one.value % 2 == 1; }));
    const auto evens = furca::stable_partition(aligned, odd, &OverAligned::value);
    CHECK(evens.begin()->value == 0);
    CHECK(evens.size() == 3'000);
    std::vector<Huge> huge(300);
    for (std::uint32_t i = 0; i < 300; ++i) huge[i].value = i;
    CHECK(furca::partition(huge, odd, &Huge::value).size() == 150);
    CHECK(furca::remove_if(huge, odd, &Huge::value).size() == 150);
    std::vector<bool> bits(10'000);
    for (std::size_t i = 0; i < bits.size(); i += 3) bits[i] = true;
    CHECK(furca::filter(bits, [](bool bit) { return bit; }) == std::vector<bool>(3'334, true));
    std::vector<char> out(10'000);
    CHECK(furca::copy_if(bits, out, [](bool bit) { return bit; }).out - out.begin() == 3'334);
    const auto numbered =
        furca::filter(furca::enumerate(bits), [](const auto& each) { return each.first % 3 < 2; });
    static_assert(
        std::is_same_v<decltype(numbered), const std::vector<std::pair<std::size_t, bool>>>);
    const auto nested =
        furca::filter(furca::zip(furca::enumerate(bits), out),
                      [](const auto& each) { return bool(std::get<0>(each).second); });
    static_assert(
        std::is_same_v<decltype(nested),
                       const std::vector<std::tuple<std::pair<std::size_t, bool>, char>>>);
    bits.flip();
    CHECK(numbered.size() == 6'667);
    CHECK(std::all_of(numbered.begin(), numbered.end(),
                      [](const auto& each) { return each.second == (each.first % 3 == 0); }));
    CHECK(nested.back() == std::tuple(std::pair<std::size_t, bool>(9'999, true), out[9'999]));
    std::vector<Counted> counted;
    for (std::uint32_t i = 0; i < 5'000; ++i) counted.emplace_back(i);
    CHECK(furca::filter(counted, odd, &Counted::value).size() == 2'500);
    furca::stable_partition(counted, odd, &Counted::value);
    CHECK(counted[0].value == 1);
    CHECK(Counted::alive == 5'000);
    Numbers none;
    CHECK(furca::unique(none).empty());
    CHECK(furca::partition(none, odd).empty());
    CHECK(furca::filter(none, odd).empty());
    const auto [begin, end] = furca::remove_if(none, odd);
    CHECK(begin == end);
  });
}

TEST_CASE("elements that are moved as bytes, and cannot be copied") {
  std::vector<Handle> handles;
  for (int i = 0; i < 10'000; ++i) handles.emplace_back(i);
  const auto rest = furca::remove_if(handles, [](int n) { return n % 3 == 0; }, &Handle::number);
  const auto left = static_cast<std::size_t>(rest.begin() - handles.begin());
  REQUIRE(left == 6'666);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < left; ++i)
    wrong += handles[i].number != static_cast<int>(i / 2 * 3 + i % 2 + 1);
  CHECK(wrong == 0);
}

namespace {

/// Trivially copyable, and can be assigned, but not copied otherwise.
struct Assigned {
  int number = 0;
  explicit Assigned(int n) : number(n) {}
  Assigned(Assigned&&) = default;
  Assigned& operator=(const Assigned&) = default;
};

}  // namespace

TEST_CASE("elements that can be assigned, and not copied") {
  std::vector<Assigned> all;
  for (int i = 0; i < 10'000; ++i) all.emplace_back(i);
  CHECK(furca::partition(all, [](int n) { return n % 2 == 1; }, &Assigned::number).size() == 5'000);
  CHECK(furca::remove_if(all, [](int n) { return n % 2 == 0; }, &Assigned::number).size() == 5'000);
  CHECK(std::all_of(all.begin(), all.begin() + 5'000,
                    [](const Assigned& one) { return one.number % 2 == 1; }));
}

TEST_CASE(
    "an output of a narrower type gets what std::ranges::copy_if writes, and there is no warning") {
  const std::vector<long long> wide = {1, -2, (1LL << 32) + 3};
  std::vector<int> narrow(3);
  const auto positive = [](auto v) { return v > 0; };
  CHECK(furca::copy_if(wide, narrow, positive).out == narrow.begin() + 2);
  CHECK((narrow[0] == 1 && narrow[1] == 3));
  const std::vector<double> precise = {0.1, -0.2};
  std::vector<float> rounded(1);
  furca::copy_if(precise, rounded, positive);
  CHECK(rounded[0] == 0.1F);
}
