#include <furca/join.hpp>
#include <furca/thread_pool.hpp>

#include "support/pools.hpp"
#include "support/trials.hpp"

using furca::join;
using furca::test::on_every_pool;

namespace {

long fib(long n) {
  if (n < 2) return n;
  auto [a, b] = join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

void wait_for(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

/// Waits until `count` threads are here at the same time.
class Meeting {
 public:
  explicit Meeting(int count) : missing_(count) {}
  void arrive() {
    missing_.fetch_sub(1);
    while (missing_.load() > 0) std::this_thread::yield();
  }

 private:
  std::atomic<int> missing_;
};

/// Counts its living copies.
struct Tracked {
  static inline std::atomic<int> alive{0};
  int value;
  explicit Tracked(int v) : value(v) { ++alive; }
  Tracked(const Tracked& other) : value(other.value) { ++alive; }
  Tracked(Tracked&& other) noexcept : value(other.value) { ++alive; }
  ~Tracked() { --alive; }
};

}  // namespace

TEST_CASE("the first arm may return a reference to its own captures: it is not copied") {
  const auto first = [x = 7]() -> const int& { return x; };
  static_assert(std::is_reference_v<furca::detail::Passed<decltype(first)>>);
  CHECK(std::get<0>(join([x = 7]() -> const int& { return x; }, [] { return 0; })) == 7);
}

TEST_CASE("results come back in order") {
  on_every_pool([] {
    const auto results =
        join([] { return 1; }, [] { return std::string("two"); }, [] { return 3.0; });
    static_assert(std::is_same_v<decltype(results), const std::tuple<int, std::string, double>>);
    CHECK(results == std::tuple(1, std::string("two"), 3.0));
  });
}

TEST_CASE("small results and references side by side") {
  on_every_pool([] {
    int x = 7;
    static const int constant = 8;
    const auto results =
        join([] { return true; }, [] { return 'b'; }, [&]() -> int& { return x; },
             []() -> const int& { return constant; }, [] { return std::int64_t{-5}; },
             [&] { return &x; }, [] { return static_cast<short>(-6); });
    CHECK(results == std::tuple<bool, char, int&, const int&, std::int64_t, int*, short>(
                         true, 'b', x, constant, -5, &x, -6));
    CHECK(&std::get<2>(results) == &x);
    CHECK(&std::get<3>(results) == &constant);
  });
}

TEST_CASE("arms that return void drop out") {
  on_every_pool([] {
    int ran = 0;
    const auto results = join([&] { ran += 1; }, [] { return 2; }, [] {});
    static_assert(std::is_same_v<decltype(results), const std::tuple<int>>);
    CHECK(std::get<0>(results) == 2);
    CHECK(ran == 1);
    static_assert(std::is_void_v<decltype(join([] {}, [] {}))>);
    static_assert(std::is_void_v<decltype(join([] {}, [] {}, [] {}))>);
  });
}

TEST_CASE("references and move-only results pass through") {
  on_every_pool([] {
    int x = 1;
    int y = 2;
    auto [first, second] = join([&]() -> int& { return x; }, [&]() -> int& { return y; });
    first = 10;
    second = 20;
    CHECK(x == 10);
    CHECK(y == 20);
    auto [p, q] =
        join([] { return std::make_unique<int>(5); }, [] { return std::make_unique<int>(6); });
    CHECK(*p + *q == 11);
  });
}

TEST_CASE("any callable will do") {
  on_every_pool([] {
    std::function<int()> named = [] { return 4; };
    auto counting = [n = 0]() mutable { return ++n; };
    auto [a, b] = join(named, counting);
    CHECK(a == 4);
    CHECK(b == 1);
    CHECK(counting() == 2);  // the caller's own callable was run, not a copy
    struct MoveOnly {
      std::unique_ptr<int> p = std::make_unique<int>(9);
      int operator()() && { return *p; }
    };
    auto [c, d] = join(MoveOnly{}, MoveOnly{});
    CHECK(c + d == 18);
  });
}

TEST_CASE("the caller's own callable is run when it is stolen, too") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    Meeting both(2);
    auto counting = [&both, n = 0]() mutable {
      both.arrive();
      return ++n;
    };
    (void)join([&] { both.arrive(); }, counting);
    CHECK(counting.operator()() == 2);
  });
}

namespace {

/// Arms whose captures are N bytes: taken back by the forker, and stolen.
template <std::size_t N>
void check_arms_of_size() {
  std::array<unsigned char, N> a;
  std::array<unsigned char, N> b;
  std::iota(a.begin(), a.end(), static_cast<unsigned char>(1));
  std::iota(b.begin(), b.end(), static_cast<unsigned char>(101));
  static Meeting* meeting = nullptr;
  const auto run = [&] {
    const auto [first, second, third] = join([a] { return a; },
                                             [b] {
                                               if (meeting != nullptr) meeting->arrive();
                                               return b;
                                             },
                                             [a] {
                                               if (meeting != nullptr) meeting->arrive();
                                               return a;
                                             });
    CHECK(first == a);
    CHECK(second == b);
    CHECK(third == a);
    const auto [one, two] = join([b] { return b; }, [a] { return a; });
    CHECK(one == b);
    CHECK(two == a);
  };
  on_every_pool(run);
  Meeting both(2);
  meeting = &both;
  furca::ThreadPool({.threads = 2}).install(run);
  meeting = nullptr;
}

}  // namespace

TEST_CASE("an arm runs with what it captured, whatever its size") {
  check_arms_of_size<1>();
  check_arms_of_size<8>();
  check_arms_of_size<12>();
  check_arms_of_size<16>();
  check_arms_of_size<17>();
  check_arms_of_size<64>();
  check_arms_of_size<65>();
}

TEST_CASE("an arm may capture constants and values of any alignment") {
  on_every_pool([] {
    const long x = 3;
    const long y = 4;
    const long double wide = 5;
    const auto arm = [=] { return [=] { return x + y; }; };
    CHECK(join(arm(), arm()) == std::tuple(7L, 7L));
    CHECK(join([wide] { return wide; }, [wide] { return 2 * wide; }) == std::tuple(wide, 2 * wide));
  });
}

TEST_CASE("arms assign to variables of the caller") {
  on_every_pool([] {
    struct Fib {
      static long of(long n) {
        if (n < 2) return n;
        long a = 0;
        long b = 0;
        join([&] { a = of(n - 1); }, [&] { b = of(n - 2); });
        return a + b;
      }
    };
    CHECK(Fib::of(20) == 6765);
  });
}

TEST_CASE("recursion without cut-off") {
  on_every_pool([] { CHECK(fib(20) == 6765); });
}

TEST_CASE("exception in a skips b if nobody took it") {
  furca::ThreadPool pool({.threads = 1});
  bool b_ran = false;
  CHECK_THROWS_AS(pool.install([&] { join([] { throw 1; }, [&] { b_ran = true; }); }), int);
  CHECK_FALSE(b_ran);
}

TEST_CASE("a mutex held across join is never taken below it") {
  // With a waiter that runs whatever it finds, two of these on one stack deadlock within moments
  // (rayon #592).
  furca::ThreadPool pool({.threads = 3});
  std::mutex mutex;
  long sum = 0;
  const std::function<void(int)> task = [&](int depth) {
    if (depth == 0) {
      const std::lock_guard lock(mutex);
      auto [a, b] = join([] { return fib(8); }, [] { return fib(9); });
      sum += a + b;
    } else {
      join([&] { task(depth - 1); }, [&] { task(depth - 1); });
    }
  };
  pool.install([&] { task(12); });
  CHECK(sum == (21 + 34) * 4096);
}

TEST_CASE("a join that waits leaves a stranger's arm alone; a greedy one takes it up") {
  // The caller waits for an arm that the pool's thread holds on to, while another caller's arm lies
  // there to be stolen. If it took that up it would be stuck behind it, and would deadlock if the
  // stranger wanted a mutex that is held here.
  for (const furca::WaitPolicy wait : {furca::WaitPolicy::own_subtree, furca::WaitPolicy::greedy}) {
    const bool greedy = wait == furca::WaitPolicy::greedy;
    furca::ThreadPool pool({.threads = 2, .wait = wait});
    for (std::uint64_t left = greedy ? 1 : furca::test::rounds(20); left > 0; --left) {
      std::atomic<bool> mine_started{false};
      std::atomic<bool> stranger_published{false};
      std::atomic<bool> stranger_ran{false};
      std::atomic<bool> mine_may_end{false};
      bool ran_early = false;
      std::thread other([&] {
        wait_for(mine_started);
        pool.install([&] {
          join(
              [&] {
                stranger_published = true;
                if (greedy) wait_for(stranger_ran);  // ends only because the waiter runs it
                for (int i = 0; i < 100; ++i) std::this_thread::yield();  // the waiter's chance
                ran_early = stranger_ran;
                mine_may_end = true;
              },
              [&] { stranger_ran = true; });
        });
      });
      pool.install([&] {
        join([&] { wait_for(stranger_published); },
             [&] {
               mine_started = true;
               wait_for(mine_may_end);
             });
      });
      other.join();
      CHECK(ran_early == greedy);
    }
  }
}

TEST_CASE("a waiter runs nothing but the awaited arm's own subtree") {
  // Jobs carry the identity of the top-level call they belong to; a thread inside a wait of one
  // must never run another's.
  furca::ThreadPool pool({.threads = 4});
  static thread_local int inside = -1;
  std::atomic<long> strangers{0};
  const std::function<void(int, int)> tree = [&](int call, int depth) {
    const int outer = inside;
    if (outer != -1 && outer != call) ++strangers;
    inside = call;
    if (depth > 0) {
      join([&] { tree(call, depth - 1); }, [&] { tree(call, depth - 1); });
    } else {
      furca::test::spin(50);
    }
    inside = outer;
  };
  furca::test::on_threads(4, [&](int call) {
    for (int round = 0; round < 20; ++round) pool.install([&] { tree(call, 10); });
  });
  CHECK(strangers == 0);
}

TEST_CASE("a long chain of joins keeps every arm in reach") {
  // join(rest, work) publishes four hundred arms from one end; all of them must be run, and by more
  // than one thread.
  furca::ThreadPool pool({.threads = 2});
  std::atomic<int> worked{0};
  const std::function<void(int)> walk = [&](int left) {
    if (left > 0) join([&] { walk(left - 1); }, [&] { ++worked; });
  };
  pool.install([&] { walk(400); });
  CHECK(worked == 400);
}

namespace elsewhere {

/// Found by argument-dependent lookup for every closure made here, should furca not say which call
/// it means.
template <class F>
int call(F&&) {
  return -1;
}

std::tuple<int, int> join_here() {
  return join([] { return 1; }, [] { return 2; });
}

}  // namespace elsewhere

TEST_CASE("a function of the user's that has an internal name is left alone") {
  CHECK(elsewhere::join_here() == std::tuple(1, 2));
}

namespace {

int one() { return 1; }
int two() { return 2; }

}  // namespace

TEST_CASE("functions, pointers to them, and results by rvalue reference") {
  on_every_pool([] {
    CHECK(join(one, two) == std::tuple(1, 2));
    CHECK(join(&one, &two) == std::tuple(1, 2));
    int x = 3;
    CHECK(join([&]() -> int&& { return std::move(x); }, [&]() -> int&& { return std::move(x); }) ==
          std::tuple(3, 3));
    std::string text = "moved into the result";
    auto kept = join([&]() -> std::string&& { return std::move(text); },
                     [&]() -> int& { return x; }, [&]() -> int (&&)() { return std::move(one); });
    static_assert(std::is_same_v<decltype(kept), std::tuple<std::string, int&, int (&)()>>);
    CHECK(std::get<0>(kept) == "moved into the result");
    CHECK(text.empty());
    struct MoveOnlyTrivial {
      int value;
      explicit MoveOnlyTrivial(int v) : value(v) {}
      MoveOnlyTrivial(MoveOnlyTrivial&&) = default;
      int operator()() const { return value; }
    };
    CHECK(join(MoveOnlyTrivial(4), MoveOnlyTrivial(5)) == std::tuple(4, 5));
  });
}

TEST_CASE("arms that run while an exception leaves see no current exception") {
  furca::ThreadPool pool({.threads = 2});
  for (int round = 0; round < 50; ++round) {
    Meeting both(2);
    std::atomic<int> seen{0};
    const std::function<void(int)> tree = [&](int depth) {
      if (std::current_exception()) ++seen;
      if (depth > 0) join([&] { tree(depth - 1); }, [&] { tree(depth - 1); });
    };
    const auto failing = [&] {
      both.arrive();
      throw 1;
    };
    const auto busy = [&] {
      both.arrive();
      tree(10);  // the thrower waits for this one, and helps
    };
    CHECK_THROWS_AS(pool.install([&] { join(failing, busy); }), int);
    CHECK(seen == 0);
  }
}
