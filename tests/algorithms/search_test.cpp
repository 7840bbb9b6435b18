#include <furca/extremes.hpp>
#include <furca/search.hpp>
#include <furca/views.hpp>

#include "algorithms/shared_search.hpp"
#include "support/elements.hpp"
#include "support/pools.hpp"

using furca::detail::Claim;
using furca::detail::Claimant;
using furca::detail::SharedSearch;
using namespace furca::test;

namespace {

struct Item {
  std::uint32_t key;
  std::string text;
};

/// Positions around which a hit may be missed or found too late.
std::vector<std::size_t> places(std::size_t n) {
  std::vector<std::size_t> all = {0, 1, 63, 64, 65, n / 3, n / 2, n - n / 3, n - 1, n};
  if (few_cases()) all = {0, 64, n - n / 3, n};
  std::erase_if(all, [n](std::size_t at) { return at > n; });
  return all;
}

template <class T>
void compare_searches(std::vector<T> range, const T& mark) {
  const std::size_t n = range.size();
  for (const std::size_t at : places(n)) {
    CAPTURE(at);
    std::vector<T> marked = range;
    for (std::size_t i = at; i < n; i += n / 7 + 1) marked[i] = mark;
    const auto is_mark = [&](const T& x) { return x == mark; };
    const auto is_not = [&](const T& x) { return !(x == mark); };
    CHECK(furca::find(marked, mark) == std::find(marked.begin(), marked.end(), mark));
    CHECK(furca::find_if(marked, is_mark) == std::find_if(marked.begin(), marked.end(), is_mark));
    CHECK(furca::find_if_not(marked, is_not) ==
          std::find_if_not(marked.begin(), marked.end(), is_not));
    CHECK(furca::contains(marked, mark) ==
          (std::find(marked.begin(), marked.end(), mark) != marked.end()));
    CHECK(furca::any_of(marked, is_mark) == std::any_of(marked.begin(), marked.end(), is_mark));
    CHECK(furca::all_of(marked, is_not) == std::all_of(marked.begin(), marked.end(), is_not));
    CHECK(furca::none_of(marked, is_mark) == std::none_of(marked.begin(), marked.end(), is_mark));
    CHECK(furca::count(marked, mark) == std::count(marked.begin(), marked.end(), mark));
    CHECK(furca::count_if(marked, is_not) == std::count_if(marked.begin(), marked.end(), is_not));
    CHECK(furca::adjacent_find(marked) == std::adjacent_find(marked.begin(), marked.end()));
    CHECK(furca::is_sorted_until(marked) == std::is_sorted_until(marked.begin(), marked.end()));
    CHECK(furca::is_sorted(marked) == std::is_sorted(marked.begin(), marked.end()));
    const auto differ = furca::mismatch(range, marked);
    const auto difference = std::mismatch(range.begin(), range.end(), marked.begin(), marked.end());
    CHECK(differ.in1 == difference.first);
    CHECK(differ.in2 == difference.second);
    CHECK(furca::equal(range, marked) ==
          std::equal(range.begin(), range.end(), marked.begin(), marked.end()));
  }
}

}  // namespace

TEST_CASE("searches find what the serial algorithms find") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes(kSanitized ? 9'000 : 70'000)) {
      CAPTURE(n);
      for (int distribution = 0; distribution < kDistributions; ++distribution) {
        CAPTURE(distribution);
        const Numbers numbers = values(n, distribution);
        compare_searches(numbers, std::uint32_t{4'000'000'000});
        if (distribution != 4) continue;
        compare_searches(std::vector<double>(numbers.begin(), numbers.end()), -0.5);
        compare_searches(std::vector<std::uint8_t>(numbers.begin(), numbers.end()),
                         std::uint8_t{200});
        if (n < 5'000) {
          std::vector<std::string> words;
          for (const std::uint32_t number : numbers) words.push_back(std::to_string(number));
          compare_searches(words, std::string("mark"));
        }
      }
    }
  });
}

TEST_CASE("a million elements") {
  on_pools_of_all_sizes([] {
    const std::size_t n = kMostElements;
    compare_searches(values(n, 4), std::uint32_t{4'000'000'000});
  });
}

TEST_CASE("the first of several hits, however long those in front of it take") {
  on_every_pool([] {
    for (const std::size_t hit :
         {std::size_t{0}, std::size_t{700}, std::size_t{5'000}, std::size_t{9'999}}) {
      const Numbers numbers = values(20'000, 1);
      const auto slow_in_front = [hit](std::uint32_t x) {
        if (x <= hit && x % 64 == 0) spin(2'000);
        return x >= hit;
      };
      CHECK(furca::find_if(numbers, slow_in_front) - numbers.begin() ==
            static_cast<std::ptrdiff_t>(hit));
    }
  });
}

TEST_CASE(
    "nothing is asked behind a hit but the rest of 64 by one thread, and the place is the same for "
    "more") {
  on_pools_of_all_sizes([] {
    const std::size_t n = std::min<std::size_t>(kMostElements, 400'000);
    const Numbers numbers = values(n, 1);
    for (const std::size_t hit : {std::size_t{0}, std::size_t{3'000}, n / 3}) {
      std::atomic<std::size_t> asked{0};
      const auto at = furca::find_if(numbers, [&](std::uint32_t x) {
        ++asked;
        return x == hit;
      });
      CHECK(static_cast<std::size_t>(at - numbers.begin()) == std::min(hit, n));
      // More threads may go on for as long as the one that has the hit is held up.
      CHECK(asked <= (furca::num_threads() == 1 ? hit + 64 : n));
    }
  });
}

TEST_CASE("a piece is given up when another thread has found what lies in front of it") {
  constexpr std::size_t n = 10'000;
  std::size_t asked = 0;
  SharedSearch* searched = nullptr;
  auto test = [&](std::size_t i) {
    if (++asked; i == 1'000) searched->hit.lower_to(7);  // as another thread would
    return false;
  };
  const auto search = [&]<class Answer>(std::type_identity<Answer>) {
    SharedSearch shared(n);
    searched = &shared;
    asked = 0;
    furca::detail::LoopEnd steps(n);
    furca::detail::SearchPart part(shared, &furca::detail::look_at<decltype(test), Answer>, &test);
    part.run(0, n, steps);
    CHECK(shared.hit.get() == 7);
    CHECK(asked <= 1'000 + 64);
    CHECK(steps.get() == n);
    part.run(0, 1, steps);
    CHECK(steps.get() == 0);  // nothing is left in front of the hit: the loop is over
  };
  search(std::type_identity<float>{});
  search(std::type_identity<unsigned char>{});
  search(std::type_identity<void>{});
}

TEST_CASE(
    "each position is claimed by one thread, whichever way blocks are shared and pieces are long") {
  // Threads 7 and 39 keep what is left of their blocks in the same place.
  for (const std::size_t n :
       {std::size_t{1}, std::size_t{63}, std::size_t{4'097}, std::size_t{200'001}}) {
    CAPTURE(n);
    SharedSearch search(n);
    std::vector<std::atomic<int>> claimed(n);
    const auto claim_all = [&](std::size_t thread, std::uint64_t most) {
      Claimant claimant{thread};
      for (;; most = most * 5 % 61 + 1) {
        const Claim piece = search.front.claim(claimant, most, n);
        if (piece.empty()) return;
        for (auto i = static_cast<std::size_t>(piece.from); i < piece.to; ++i) ++claimed[i];
      }
    };
    Claimant before{0};
    const Claim first = search.front.claim(before, n / 3, n);
    for (auto i = static_cast<std::size_t>(first.from); i < first.to; ++i) ++claimed[i];
    SharedSearch::Blocks blocks(100'000);  // so they are short
    search.front.use(&blocks);
    std::vector<std::thread> threads;
    for (const std::size_t thread : {1U, 7U, 39U, 71U})
      threads.emplace_back(claim_all, thread, thread);
    for (std::thread& thread : threads) thread.join();
    CHECK(
        std::all_of(claimed.begin(), claimed.end(), [](const auto& times) { return times == 1; }));
  }
}

TEST_CASE(
    "after a hit what lies in front of it is still claimed, what another thread has left of its "
    "block too, and nothing behind it") {
  SharedSearch search(100'000);
  Claimant one{1};
  Claimant other{2};
  (void)search.front.claim(one, 10'000, 100'000);
  SharedSearch::Blocks blocks(2);
  search.front.use(&blocks);
  // the rest of its block stays where it is
  std::uint64_t claimed = search.front.claim(one, 100, 100'000).to - 10'000;
  CHECK(search.front.left(10'500) == 400);
  for (Claim piece = search.front.claim(other, 64, 10'500); !piece.empty();
       piece = search.front.claim(other, 64, 10'500)) {
    CHECK(piece.to <= 10'500);
    claimed += piece.to - piece.from;
  }
  CHECK(claimed == 500);
  CHECK(search.front.left(10'500) == 0);
}

namespace {

/// Threads that look at 64 positions each in turns, and claim ever more at a time, as loops do: how
/// many have been looked at when one comes to the hit.
std::uint64_t looked_at_until(std::size_t hit, std::size_t threads, std::uint64_t longest) {
  struct Looker {
    Claimant claimant;
    Claim piece{0, 0};
    std::uint64_t most = 64;
  };
  SharedSearch search(std::size_t{1} << 30U);
  SharedSearch::Blocks blocks(threads);
  std::vector<Looker> lookers(threads);
  for (std::size_t i = 0; i < threads; ++i) lookers[i].claimant.thread = i;
  std::uint64_t all = search.front.claim(lookers[0].claimant, 2'048, 2'048).to;
  search.front.use(&blocks);
  for (;;) {
    for (Looker& one : lookers) {
      if (one.piece.empty()) {
        one.piece = search.front.claim(one.claimant, one.most, search.hit.get());
        one.most = std::min(4 * one.most, longest);
      }
      const std::uint64_t to = std::min(one.piece.from + 64, one.piece.to);
      all += to - one.piece.from;
      if (one.piece.from <= hit && hit < to) return all;
      one.piece.from = to;
    }
  }
}

}  // namespace

TEST_CASE("a hit is found as much earlier as there are threads") {
  for (const std::size_t threads : {1U, 2U, 16U, 64U, 200U}) {
    for (const std::uint64_t longest : {100U, 5'000U, 200'000U}) {
      for (std::size_t hit = 2'048; hit < 1'000'000; hit += hit / 7) {
        CAPTURE(threads);
        CAPTURE(longest);
        CAPTURE(hit);
        CHECK(looked_at_until(hit, threads, longest) <= 2 * hit + 2'048 + 64 * threads);
      }
    }
  }
}

TEST_CASE("what a thread has left of its block is looked at long before the end") {
  SharedSearch search(std::size_t{1} << 30U);
  Claimant gone{1};
  Claimant other{2};
  (void)search.front.claim(gone, 1'000'000, 1'000'000);
  SharedSearch::Blocks blocks(4);
  search.front.use(&blocks);
  const std::uint64_t left = search.front.claim(gone, 100, search.hit.get()).to;
  std::uint64_t most = 0;
  for (Claim piece{0, 0}; piece.from != left;
       piece = search.front.claim(other, 10'000, search.hit.get()))
    most = std::max(most, piece.to);
  CHECK(most < 4 * left);
}

TEST_CASE("more positions than a thread can look at in a year") {
  on_every_pool([] {
    for (const unsigned bits : {31U, 50U, 57U, 58U, 63U}) {
      if (bits >= std::numeric_limits<std::size_t>::digits) continue;
      const auto huge = furca::lazy(std::size_t{1} << bits, [](std::size_t i) { return i; });
      CHECK(*furca::find(huge, std::size_t{300'000}) == 300'000);
    }
  });
}

TEST_CASE("a predicate is called once for each element") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes(5'000)) {
      std::vector<std::atomic<int>> asked(n);
      std::vector<std::uint32_t> numbers = values(n, 1);
      const auto never = [&](std::uint32_t i) {
        ++asked[i];
        return false;
      };
      const auto each_is = [&](int times) {
        return std::all_of(asked.begin(), asked.end(),
                           [times](const auto& one) { return one == times; });
      };
      CHECK(furca::find_if(numbers, never) == numbers.end());
      CHECK(each_is(1));
      CHECK(furca::count_if(numbers, never) == 0);
      CHECK(each_is(2));
      CHECK_FALSE(furca::any_of(numbers, std::identity{}, never));
      CHECK(each_is(3));
      std::atomic<std::size_t> compared{0};
      (void)furca::min_element(numbers, [&](std::uint32_t a, std::uint32_t b) {
        ++compared;
        return a < b;
      });
      CHECK(compared >= (n > 0 ? n - 1 : 0));
      CHECK(compared <= n + n / 2 + 64);  // once more for each stretch that is stolen
    }
  });
}

namespace {

/// Searches that throw at one element and hit at another, by T's way of looking at several at once.
template <class T>
void search_and_throw(const Numbers& numbers, std::size_t at, std::size_t hit) {
  const std::vector<T> range(numbers.begin(), numbers.end());
  const auto is_hit = [&](T x) {
    throw_from(at, static_cast<std::size_t>(x));
    return x == static_cast<T>(hit);
  };
  const std::string expected = at <= hit ? std::to_string(at) : "";
  const auto find = [&] {
    const auto found = furca::find_if(range, is_hit);
    CHECK(found - range.begin() == static_cast<std::ptrdiff_t>(hit));
  };
  CHECK(thrown_by(find) == expected);
  CHECK(thrown_by([&] { (void)furca::any_of(range, is_hit); }) == expected);
}

}  // namespace

TEST_CASE("what is thrown is what serial execution would throw") {
  on_every_pool([] {
    for (const std::size_t n : {std::size_t{300}, std::size_t{5'000}}) {
      const Numbers numbers = values(n, 1);
      for (std::size_t at = 0; at < n; at += n / (few_cases() ? 20 : 100)) {
        for (const std::size_t hit : {at / 2, at + 1, n}) {
          search_and_throw<std::uint16_t>(numbers, at, hit);
          search_and_throw<std::uint64_t>(numbers, at, hit);
          search_and_throw<double>(numbers, at, hit);
        }
        const auto throwing = [&](std::uint32_t x) {
          throw_from(at, x);
          return true;
        };
        CHECK(thrown_by([&] { (void)furca::count_if(numbers, throwing); }) == std::to_string(at));
        CHECK(thrown_by([&] { (void)furca::all_of(numbers, throwing); }) == std::to_string(at));
        const auto smaller = [&](std::uint32_t a, std::uint32_t b) {
          throw_from(at, a);
          return a < b;
        };
        if (at > 0)
          CHECK(thrown_by([&] { (void)furca::min_element(numbers, smaller); }) ==
                std::to_string(at));
      }
    }
  });
}

TEST_CASE("numbers around as many as the caller looks at alone") {
  on_every_pool([] {
    const auto check = [](auto number) {
      using T = decltype(number);
      for (const std::size_t n : {1U, 3U, 63U, 64U, 130U, 2'047U, 2'048U, 2'049U}) {
        CAPTURE(n);
        std::vector<std::pair<T, int>> pairs(n);
        std::vector<T> range(n);
        for (const std::size_t at : places(n)) {
          CAPTURE(at);
          if (at < n) range[at] = pairs[at].first = number;
          if (at + 70 < n) range[at + 70] = pairs[at + 70].first = number;
          CHECK(furca::find(range, number) - range.begin() == static_cast<std::ptrdiff_t>(at));
          CHECK(furca::find(pairs, number, &std::pair<T, int>::first) - pairs.begin() ==
                static_cast<std::ptrdiff_t>(at));
          CHECK(furca::contains(range, number) == (at < n));
          range.assign(n, T());
          pairs.assign(n, {});
        }
      }
    };
    check(static_cast<signed char>(-3));
    check(std::uint16_t{40'000});
    check(7);
    check(1.5F);
    check(-2.5);
    check(std::uint64_t{1} << 40U);
  });
}

TEST_CASE("a number is found at each place, wherever the range begins, and not outside of it") {
  on_every_pool([] {
    const auto check = [](auto number) {
      using T = decltype(number);
      for (const std::size_t n : {300U, 2'600U, 5'000U}) {
        std::vector<T> all(n + 9, T());
        for (std::size_t skipped = 0; skipped < 4; ++skipped) {
          CAPTURE(skipped);
          const std::span<const T> range(all.data() + skipped, n);
          const std::size_t step = kMostElements < 5'000 ? n / 7
                                   : kSanitized          ? 101
                                   : n == 5'000          ? 13
                                                         : 1;
          if (skipped > 0) all[skipped - 1] = number;
          all[skipped + n] = number;
          for (std::size_t at = skipped % step; at < n; at += step) {
            all[skipped + at] = number;
            if (furca::find(range, number) - range.begin() != static_cast<std::ptrdiff_t>(at))
              FAIL_CHECK("not at ", at, " of ", n);
            all[skipped + at] = T();
          }
          CHECK(furca::find(range, number) == range.end());
          CHECK(furca::find(range, T()) == range.begin());
          all.assign(n + 9, T());
        }
      }
    };
    check(static_cast<signed char>(-3));
    check(std::uint16_t{40'000});
    check(-7);
    check(1.5F);
    check(-2.5);
    check(std::int64_t{1} << 40U);  // half of its bits are those of zero
    check(std::uint64_t{7});
    check('x');
    check(u'x');
    check(1.5L);
  });
}

TEST_CASE("numbers are found as they compare: both zeros, and none that is no number") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t n : {std::size_t{70}, std::size_t{1'000}, std::size_t{5'000}}) {
    std::vector<double> range(n, 1.0);
    range[n / 2] = none;
    CHECK(furca::find(range, none) == range.end());
    range[n - 3] = -0.0;
    CHECK(furca::find(range, 0.0) - range.begin() == static_cast<std::ptrdiff_t>(n - 3));
    range[n - 40] = 0.0;
    CHECK(furca::find(range, -0.0) - range.begin() == static_cast<std::ptrdiff_t>(n - 40));
    // of another type
    CHECK(furca::find(range, 0) - range.begin() == static_cast<std::ptrdiff_t>(n - 40));
  }
}

TEST_CASE("few elements that are computed when they are looked at are shared") {
  on_every_pool([] {
    std::atomic<int> at_once{0};
    std::atomic<int> most{0};
    const auto slow = [&](std::size_t i) {
      const int now = ++at_once;
      for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
      // Until another thread has come, if one does: the first elements may be looked at alone.
      int waits = 0;
      do std::this_thread::sleep_for(std::chrono::microseconds(100));
      while (most < 2 && furca::num_threads() > 1 && ++waits < 1'000);
      --at_once;
      return static_cast<double>(i);
    };
    CHECK(!furca::contains(furca::lazy(200, slow), -1.0));
    CHECK((most > 1 || furca::num_threads() == 1));
  });
}

TEST_CASE("projections, proxies, temporaries, elements of unusual types") {
  std::deque<Item> items;
  for (std::uint32_t i = 0; i < 3'000; ++i) items.push_back({i, "item " + std::to_string(i)});
  CHECK(furca::find(items, "item 2500", &Item::text)->key == 2'500);
  CHECK(furca::count(items, "item 2500", &Item::text) == 1);
  CHECK(furca::max_element(items, {}, &Item::key)->key == 2'999);
  CHECK(furca::min_element(items, {}, &Item::text)->key == 0);
  CHECK(furca::is_sorted(items, {}, &Item::key));
  CHECK(furca::equal(items, items, {}, &Item::text, &Item::text));

  std::vector<bool> bits(10'000);
  bits[9'999] = true;
  CHECK(furca::find(bits, true) - bits.begin() == 9'999);
  CHECK(furca::count(bits, false) == 9'999);
  CHECK(furca::max_element(bits) - bits.begin() == 9'999);

  std::vector<std::unique_ptr<int>> pointers(1'000);
  pointers[500] = std::make_unique<int>(5);
  CHECK(furca::find_if(pointers, [](const std::unique_ptr<int>& p) { return p != nullptr; }) -
            pointers.begin() ==
        500);

  std::vector<OverAligned> aligned(500);
  aligned[400].value = 1;
  CHECK(furca::find(aligned, 1U, &OverAligned::value) - aligned.begin() == 400);

  static_assert(
      std::is_same_v<decltype(furca::find(std::vector<int>{1}, 1)), std::ranges::dangling>);
  CHECK(*furca::find(std::span(bits.begin() == bits.end() ? nullptr : "abc", 3), 'b') == 'b');
}

namespace {

/// Trivially copyable, and cannot be copied.
struct Key {
  int number;
  explicit Key(int n) : number(n) {}
  Key(Key&&) = default;
  bool operator==(const Key&) const = default;
};

}  // namespace

TEST_CASE("values that cannot be copied, and bit-fields") {
  std::vector<Key> keys;
  for (int i = 0; i < 3'000; ++i) keys.emplace_back(i);
  const Key key(2'500);
  CHECK(furca::find(keys, key)->number == 2'500);
  CHECK(furca::contains(keys, Key(1)));
  CHECK(furca::count(keys, key) == 1);
  struct {
    unsigned low : 4;
    unsigned high : 4;
  } const parts{3, 5};
  auto changing = parts;
  const std::vector<unsigned> numbers = {1, 3, 3};
  CHECK(furca::find(numbers, parts.low) - numbers.begin() == 1);
  CHECK(!furca::contains(numbers, changing.high));
  CHECK(furca::count(numbers, changing.low) == 2);
}

TEST_CASE("a predicate that cannot be called when constant, and one with state by reference") {
  struct Mutable {
    std::atomic<int>* calls;
    bool operator()(int x) {
      ++*calls;
      return x == 99;
    }
  };
  std::atomic<int> calls{0};
  std::vector<int> range(100);
  range[99] = 99;
  CHECK(furca::find_if(range, Mutable{&calls}) - range.begin() == 99);
  CHECK(calls == 100);
}

TEST_CASE("searches in searches") {
  std::vector<std::vector<int>> rows(200, std::vector<int>(3'000, 1));
  rows[150][2'000] = 7;
  on_every_pool([&] {
    const auto row =
        furca::find_if(rows, [](const std::vector<int>& one) { return furca::contains(one, 7); });
    CHECK(row - rows.begin() == 150);
  });
}

TEST_CASE("what is thrown far apart by several threads is what serial execution would throw") {
  on_every_pool([] {
    const Numbers numbers = values(30'000, 1);
    for (const std::uint32_t at :
         {std::uint32_t{2'100}, std::uint32_t{9'000}, std::uint32_t{29'999}}) {
      const auto throws_behind = [at](std::uint32_t x) {
        if (x < at) spin(20);
        throw_from(at, x);
        return false;
      };
      CHECK(thrown_by([&] { (void)furca::find_if(numbers, throws_behind); }) == std::to_string(at));
    }
  });
}
