// libc++'s parallel algorithms on furca's threads, beside its serial ones. It is compiled with
// furca/plugs/libcxx.hpp before all.
#include "everywhere.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <execution>
#include <functional>
#include <list>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr auto& par = std::execution::par;

std::vector<int> some(std::size_t n, unsigned keys = 1'000'003) {
  std::vector<int> all(n);
  unsigned x = 1;
  for (int& each : all) each = static_cast<int>((x = x * 1'664'525 + 1'013'904'223) / 7 % keys);
  return all;
}

const std::size_t kSizes[] = {0, 1, 2, 3, 63, 64, 65, 1'000, 4'097, 100'003};

/// With all lengths, on vectors and on deques, whose parts do not lie side by side.
template <class Check>
void with_all(Check check) {
  for (const std::size_t n : kSizes) {
    CAPTURE(n);
    const std::vector<int> v = some(n);
    check(v);
    check(std::deque<int>(v.begin(), v.end()));
  }
}

bool odd(int i) { return i % 2 != 0; }

TEST_CASE("loops") {
  with_all([](auto in) {
    auto mine = in;
    auto theirs = in;
    const auto twice = [](int& i) { i = i * 2 + 1; };
    std::for_each(par, mine.begin(), mine.end(), twice);
    std::for_each(theirs.begin(), theirs.end(), twice);
    CHECK(mine == theirs);
    const auto half = [](int i) { return i / 2; };
    std::transform(std::execution::par_unseq, in.begin(), in.end(), mine.begin(), half);
    std::transform(in.begin(), in.end(), theirs.begin(), half);
    CHECK(mine == theirs);
    std::transform(par, mine.begin(), mine.end(), mine.begin(), half);
    std::transform(theirs.begin(), theirs.end(), theirs.begin(), half);
    std::transform(par, mine.begin(), mine.end(), in.begin(), mine.begin(), std::minus<>());
    std::transform(theirs.begin(), theirs.end(), in.begin(), theirs.begin(), std::minus<>());
    CHECK(mine == theirs);
    std::transform(par, in.begin(), in.end(), mine.begin(), mine.begin(), std::minus<>());
    std::transform(in.begin(), in.end(), theirs.begin(), theirs.begin(), std::minus<>());
    CHECK(mine == theirs);
    std::transform(par, in.begin(), in.end(), mine.begin(), mine.begin(), std::plus<>());
    std::transform(in.begin(), in.end(), theirs.begin(), theirs.begin(), std::plus<>());
    CHECK(mine == theirs);
    std::replace_if(par, mine.begin(), mine.end(), odd, 7);
    std::replace_if(theirs.begin(), theirs.end(), odd, 7);
    CHECK(mine == theirs);
    std::replace(par, mine.begin(), mine.end(), 7, 8);
    std::replace(theirs.begin(), theirs.end(), 7, 8);
    CHECK(mine == theirs);
    CHECK(std::count(par, mine.begin(), mine.end(), 8) ==
          std::count(theirs.begin(), theirs.end(), 8));
    std::replace_copy_if(par, in.begin(), in.end(), mine.begin(), odd, 7);
    std::replace_copy_if(in.begin(), in.end(), theirs.begin(), odd, 7);
    CHECK(mine == theirs);
    std::transform(par, in.begin(), in.end(), in.begin(), mine.begin(), std::minus<>());
    CHECK(std::count(mine.begin(), mine.end(), 0) == static_cast<std::ptrdiff_t>(mine.size()));
    std::move(par, in.begin(), in.end(), mine.begin());
    CHECK(mine == in);
    std::fill(par, mine.begin(), mine.end(), 5);
    CHECK(std::count(mine.begin(), mine.end(), 5) == static_cast<std::ptrdiff_t>(mine.size()));
    std::copy(par, in.begin(), in.end(), mine.begin());
    CHECK(mine == in);
  });
}

TEST_CASE("what vectors went through fast: without a loop, but for some") {
  for (const std::size_t n : {std::size_t{1'000}, std::size_t{10'000}, std::size_t{300'000}}) {
    CAPTURE(n);
    std::vector<float> in(n);
    std::iota(in.begin(), in.end(), 0.0F);
    std::vector<float> out(n);
    int wrong = 0;
    for (int round = 0; round < 300; ++round) {
      const auto add = [by = static_cast<float>(round)](float x) { return x + by; };
      std::transform(par, in.begin(), in.end(), out.begin(), add);
      if (out.front() != add(in.front()) || out.back() != add(in.back())) ++wrong;
      std::for_each(par, out.begin(), out.end(), [](float& x) { x = x * 2; });
      if (out.back() != 2 * add(in.back())) ++wrong;
    }
    CHECK(wrong == 0);
    for (std::size_t i = 0; i < n; ++i) wrong += out[i] != 2 * (in[i] + 299.0F);
    CHECK(wrong == 0);
  }
}

TEST_CASE("functions are called as the iterators have it, and values are converted") {
  const std::vector<float> in(1'000, 1);
  std::vector<float> more(1'000, 2);
  std::vector<float> out(1'000);
  std::transform(par, in.begin(), in.end(), more.begin(), out.begin(),
                 [](const float& x, float& y) { return x + y; });
  CHECK(std::count(out.begin(), out.end(), 3.0F) == 1'000);
  std::vector<int> v = some(1'000);
  std::replace_if(par, v.begin(), v.end(), odd, 7.5);
  CHECK(std::count_if(v.begin(), v.end(), odd) == std::count(v.begin(), v.end(), 7));
}

TEST_CASE("reductions") {
  with_all([](const auto& in) {
    const auto square = [](int i) { return static_cast<long long>(i) * i; };
    CHECK(std::reduce(par, in.begin(), in.end(), 5LL) ==
          std::accumulate(in.begin(), in.end(), 5LL));
    CHECK(std::transform_reduce(par, in.begin(), in.end(), 1LL, std::plus<>(), square) ==
          std::transform_reduce(in.begin(), in.end(), 1LL, std::plus<>(), square));
    CHECK(std::transform_reduce(par, in.begin(), in.end(), in.begin(), 2LL, std::plus<>(),
                                std::bit_xor<>()) == 2LL);
    CHECK(std::count_if(par, in.begin(), in.end(), odd) ==
          std::count_if(in.begin(), in.end(), odd));
    CHECK(std::equal(par, in.begin(), in.end(), in.begin()));
  });
  with_all([](const auto& in) {  // numbers that are rounded: the same bits, whatever threads
    std::vector<float> floats(in.begin(), in.end());
    const auto sum = [&] { return std::reduce(par, floats.begin(), floats.end(), 0.1F); };
    float first = 0;
    std::thread([&] { first = sum(); }).join();  // its first call
    furca::ThreadPool pool({.threads = 3});
    for (int round = 0; round < 20; ++round)
      CHECK(first == (round % 2 ? sum() : pool.install(sum)));
    double exact = 0.1;
    for (const float each : floats) exact += static_cast<double>(each);
    CHECK(static_cast<double>(first) == doctest::Approx(exact).epsilon(1e-4));
  });
  // an operation that does not commute
  std::vector<std::string> words;
  for (const int i : some(5'000)) words.push_back(std::to_string(i));
  CHECK(std::reduce(par, words.begin(), words.end(), std::string("x")) ==
        std::accumulate(words.begin(), words.end(), std::string("x")));
}

/// A number that can be moved, but not copied.
struct Moved {
  explicit Moved(long long i) : value(i) {}
  Moved(Moved&&) = default;
  Moved& operator=(Moved&&) = default;
  long long value;
};

TEST_CASE("a reduction of what can only be moved") {
  for (const std::size_t n : kSizes) {
    CAPTURE(n);
    const std::vector<int> in = some(n);
    const Moved sum = std::transform_reduce(
        par, in.begin(), in.end(), Moved(3),
        [](Moved a, Moved b) { return Moved(a.value + b.value); }, [](int i) { return Moved(i); });
    CHECK(sum.value == std::accumulate(in.begin(), in.end(), 3LL));
  }
}

TEST_CASE("searches") {
  with_all([](auto in) {
    for (const std::size_t at :
         {std::size_t{0}, in.size() / 2, std::max(in.size(), std::size_t{1}) - 1}) {
      const auto begin = in.begin();
      CHECK(std::none_of(par, begin, in.end(), [](int i) { return i < 0; }));
      CHECK(std::find(par, begin, in.end(), -1) == in.end());
      if (in.empty()) continue;
      const int last = in.back();
      const int before = std::exchange(in[at], -1);
      CHECK(std::find(par, begin, in.end(), -1) - begin == static_cast<std::ptrdiff_t>(at));
      in.back() = -1;  // not the first
      CHECK(std::find(par, begin, in.end(), -1) - begin == static_cast<std::ptrdiff_t>(at));
      CHECK(std::any_of(par, begin, in.end(), [](int i) { return i < 0; }));
      in.back() = last;
      in[at] = before;
    }
  });
}

TEST_CASE("sorts and merges") {
  for (const unsigned keys : {10U, 1'000'003U}) {
    for (const std::size_t n : kSizes) {
      CAPTURE(n);
      std::vector<std::pair<int, std::string>> in;
      for (const int i : some(n, keys)) in.emplace_back(i, std::to_string(in.size()));
      const auto by_key = [](const auto& a, const auto& b) { return a.first < b.first; };
      auto mine = in;
      auto theirs = in;
      std::stable_sort(par, mine.begin(), mine.end(), by_key);
      std::stable_sort(theirs.begin(), theirs.end(), by_key);
      CHECK(mine == theirs);
      mine = in;
      std::sort(par, mine.begin(), mine.end());
      std::sort(theirs.begin(), theirs.end());
      CHECK(mine == theirs);

      auto other = in;
      for (auto& each : other) each.second += 'b';
      std::stable_sort(mine.begin(), mine.end(), by_key);
      std::stable_sort(other.begin(), other.end(), by_key);
      std::vector<std::pair<int, std::string>> merged(2 * n);
      auto serial = merged;
      std::merge(par, mine.begin(), mine.end(), other.begin(), other.end(), merged.begin(), by_key);
      std::merge(mine.begin(), mine.end(), other.begin(), other.end(), serial.begin(), by_key);
      CHECK(merged == serial);

      std::vector<bool> bits(n);
      for (std::size_t i = 0; i < n; ++i) bits[i] = in[i].first % 3 == 0;
      const auto set = std::count(bits.begin(), bits.end(), true);
      std::sort(par, bits.begin(), bits.end());
      CHECK(std::is_sorted(bits.begin(), bits.end()));
      CHECK(std::count(bits.begin(), bits.end(), true) == set);
    }
  }
}

TEST_CASE("iterators that cannot be divided") {
  const std::list<int> in = {3, 1, 2};
  CHECK(std::reduce(par, in.begin(), in.end()) == 6);
  std::vector<int> out(3);
  std::transform(par, in.begin(), in.end(), out.begin(), std::negate<>());
  CHECK(out == std::vector<int>{-3, -1, -2});
}

TEST_CASE("on the pool that the caller is in, and on all of its threads") {
  furca::ThreadPool pool({.threads = 3});
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::vector<int> v(300);
  pool.install([&] {
    std::for_each(par, v.begin(), v.end(), [&](int&) {
      CHECK(furca::num_threads() == 3);
      for (int tries = 0; tries < 10'000; ++tries) {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
        if (threads.size() == 3) return;
        std::this_thread::yield();
      }
    });
  });
  CHECK(threads.size() == 3);
}

TEST_CASE("in a furca loop, and around one") {
  std::atomic<int> calls = 0;
  furca::parallel_for(0, 20, [&](int) {
    std::vector<int> v = some(2'000);
    std::sort(par, v.begin(), v.end());
    CHECK(std::is_sorted(v.begin(), v.end()));
    std::for_each(par, v.begin(), v.begin() + 10,
                  [&](int) { furca::parallel_for(0, 10, [&](int) { ++calls; }); });
  });
  CHECK(calls == 2'000);
}

TEST_CASE("a sort everywhere, with no more threads than the pool's") {
  everywhere::call_everywhere_inside([] {
    std::vector<int> v = some(5'000);
    std::sort(par, v.begin(), v.end());
    return std::is_sorted(v.begin(), v.end());
  });
}

TEST_CASE("what a callable throws ends the program") {
  CHECK(everywhere::ends_program([](furca::ThreadPool& pool) {
    pool.install([] {
      std::vector<int> v(5'000);
      std::for_each(par, v.begin(), v.end(), [](int&) { throw 1; });
    });
  }));
}

TEST_CASE("a pool's tasks use it while it is being destroyed") {
  for (const std::size_t threads : {1U, 3U}) {
    std::atomic<int> calls = 0;
    {
      furca::ThreadPool pool({.threads = threads});
      for (int i = 0; i < 1'000; ++i) pool.spawn([&] { pool.spawn([&] { ++calls; }); });
    }
    CHECK(calls == 1'000);
  }
}

const everywhere::AtExit after_main([] {
  const std::vector<int> v = some(100'003);
  return std::reduce(par, v.begin(), v.end(), 0LL) == std::accumulate(v.begin(), v.end(), 0LL);
});

}  // namespace
