// tbb's loops: what a program that was written for oneTBB relies on. Also compiled with oneTBB's
// own headers, where all of this must hold too.
#include <tbb/parallel_sort.h>

/// What that header brings by those that it includes: programs rely on it.
namespace brought {
using tbb::attach;
using tbb::auto_partitioner;
using tbb::blocked_range;
using tbb::cache_aligned_allocator;
using tbb::parallel_for;
using tbb::task_group;
using tbb::info::default_concurrency;
using tbb::profiling::event;
using tbb::this_task_arena::max_concurrency;
}  // namespace brought

#include <oneapi/tbb.h>
#include <tbb/tbb.h>  // both names of everything

#include "support/standard.hpp"

#include <forward_list>
#include <sstream>

namespace {

/// How often each of n places was visited.
class Visits {
 public:
  explicit Visits(std::size_t n) : counts_(n) {}

  void at(std::size_t i) { counts_.at(i).fetch_add(1, std::memory_order_relaxed); }

  /// All of them so often, and then from the beginning again.
  bool each_is(int times) {
    return std::all_of(counts_.begin(), counts_.end(),
                       [times](std::atomic<int>& count) { return count.exchange(0) == times; });
  }

 private:
  std::vector<std::atomic<int>> counts_;
};

using Blocked = tbb::blocked_range<std::size_t>;
using Body = std::function<void(const Blocked&)>;
using Indexed = std::function<void(int)>;

/// Each way to write a loop over a range.
std::vector<std::function<void(const Blocked&, const Body&)>> range_loops() {
  return {
      [](const Blocked& r, const Body& f) { tbb::parallel_for(r, f); },
      [](const Blocked& r, const Body& f) { tbb::parallel_for(r, f, tbb::auto_partitioner()); },
      [](const Blocked& r, const Body& f) {
        oneapi::tbb::parallel_for(r, f, oneapi::tbb::simple_partitioner{});
      },
      [](const Blocked& r, const Body& f) { tbb::parallel_for(r, f, tbb::static_partitioner()); },
      [](const Blocked& r, const Body& f) {
        static tbb::affinity_partitioner affinity;
        tbb::parallel_for(r, f, affinity);
      },
      [](const Blocked& r, const Body& f) {
        tbb::task_group_context context;
        tbb::parallel_for(r, f, context);
      },
      [](const Blocked& r, const Body& f) {
        tbb::task_group_context context;
        tbb::affinity_partitioner affinity;
        tbb::parallel_for(r, f, tbb::simple_partitioner(), context);
        tbb::parallel_for(r, [](const Blocked&) {}, tbb::auto_partitioner(), context);
        tbb::parallel_for(r, [](const Blocked&) {}, tbb::static_partitioner(), context);
        tbb::parallel_for(r, [](const Blocked&) {}, affinity, context);
      },
  };
}

TEST_CASE(
    "a loop of no more steps than threads: each may wait for all, though it was short before") {
  const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  bool waits = false;
  std::atomic<std::size_t> begun{0};
  const auto wait = [&] {
    if (!waits) return;
    ++begun;
    while (begun < threads) std::this_thread::yield();
  };
  const Body waits_each = [&](const Blocked& r) {
    for (std::size_t i = r.begin(); i != r.end(); ++i) wait();
  };
  for (const auto& loop : range_loops()) {
    for (int k = 0; k <= 100; ++k) {
      waits = k == 100;
      loop(Blocked(0, threads), waits_each);
    }
    CHECK(begun.exchange(0) == threads);
  }
  for (int k = 0; k <= 100; ++k) {
    waits = k == 100;
    tbb::parallel_for(
        std::size_t{0}, threads, [&](std::size_t) { wait(); }, tbb::static_partitioner());
  }
  CHECK(begun == threads);
}

TEST_CASE("static_partitioner: a part for each thread, all of one length") {
  const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const Blocked range(0, 1000 * threads);
  for (int repeated = 0; repeated < 100; ++repeated) {
    std::atomic<std::size_t> parts{0};
    std::atomic<std::size_t> others{0};
    const auto count = [&](const Blocked& r) { (r.size() == 1000 ? parts : others)++; };
    tbb::parallel_for(range, count, tbb::static_partitioner());
    CHECK(parts == threads);
    const auto add = [&](const Blocked& r, std::size_t all) {
      count(r);
      return all + r.size();
    };
    CHECK(tbb::parallel_reduce(range, std::size_t{0}, add, std::plus<>(),
                               tbb::static_partitioner()) == range.size());
    CHECK(parts == 2 * threads);
    CHECK(others == 0);
  }
  std::atomic<std::size_t> parts{0};
  tbb::parallel_for(
      Blocked(0, 100, 100), [&](const Blocked&) { ++parts; }, tbb::static_partitioner());
  CHECK(parts == 1);
}

TEST_CASE("a blocked range is split in two, in the middle or where it is asked") {
  Blocked right(10, 30, 5);
  CHECK(right.size() == 20);
  CHECK(right.grainsize() == 5);
  CHECK(right.is_divisible());
  CHECK_FALSE(right.empty());
  Blocked left = right;
  const Blocked other(left, tbb::split());
  CHECK(left.begin() == 10);
  CHECK(left.end() == 20);
  CHECK(other.begin() == 20);
  CHECK(other.end() == 30);
  CHECK(other.grainsize() == 5);
  tbb::proportional_split three_to_one(3, 1);
  const Blocked quarter(right, three_to_one);
  CHECK(right.end() == 25);
  CHECK(quarter.begin() == 25);
  CHECK(quarter.size() == 5);
  CHECK_FALSE(quarter.is_divisible());
  CHECK(Blocked(3, 3).empty());

  std::vector<int> numbers(9);
  tbb::blocked_range<std::vector<int>::iterator> iterators(numbers.begin(), numbers.end());
  const tbb::blocked_range<std::vector<int>::iterator> upper(iterators, tbb::split());
  CHECK(iterators.size() == 4);
  CHECK(upper.begin() == numbers.begin() + 4);
  CHECK(upper.size() == 5);
}

TEST_CASE("parts are disjoint, cover the range, and have its grain") {
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{100}, std::size_t{10'000}})
    for (const std::size_t grain :
         {std::size_t{1}, std::size_t{3}, std::size_t{64}, std::size_t{1000}})
      for (const auto& loop : range_loops()) {
        Visits visits(n + 5);
        std::atomic<bool> right{true};
        loop(Blocked(5, n + 5, grain), [&](const Blocked& part) {
          if (part.empty() || part.grainsize() != grain || (n >= grain && part.size() < grain / 2))
            right = false;
          for (std::size_t i = part.begin(); i != part.end(); ++i) visits.at(i);
        });
        for (std::size_t i = 0; i < 5; ++i) visits.at(i);
        CHECK(right);
        CHECK(visits.each_is(1));
      }
}

TEST_CASE("simple_partitioner splits down to the grain") {
  for (const std::size_t n : {std::size_t{1}, std::size_t{99}, std::size_t{1000}})
    for (const std::size_t grain : {std::size_t{1}, std::size_t{10}}) {
      std::atomic<bool> right{true};
      std::atomic<std::size_t> sum{0};
      tbb::parallel_for(
          Blocked(0, n, grain),
          [&](const Blocked& part) {
            if (part.size() > grain || (n >= grain && part.size() < grain / 2)) right = false;
            sum += part.size();
          },
          tbb::simple_partitioner());
      CHECK(right);
      CHECK(sum == n);
    }
}

TEST_CASE("ranges of small, signed and iterator values") {
  std::atomic<int> sum{0};
  tbb::parallel_for(tbb::blocked_range<int>(-50, 51), [&](const tbb::blocked_range<int>& part) {
    for (int i = part.begin(); i < part.end(); ++i) sum += i + 1;
  });
  CHECK(sum == 101);
  std::atomic<int> bytes{0};
  tbb::parallel_for(
      tbb::blocked_range<signed char>(-128, 127),
      [&](tbb::blocked_range<signed char> part) { bytes += static_cast<int>(part.size()); });
  CHECK(bytes == 255);
  std::vector<int> numbers(1000, 1);
  tbb::parallel_for(tbb::blocked_range<int*>(numbers.data(), numbers.data() + 1000, 10),
                    [](const tbb::blocked_range<int*>& part) {
                      for (int& number : part) number = 2;
                    });
  CHECK(std::accumulate(numbers.begin(), numbers.end(), 0) == 2000);
}

TEST_CASE("loops over indices, with a step, from any beginning") {
  const std::vector<std::function<void(int, int, const Indexed&)>> loops{
      [](int first, int last, const Indexed& f) { tbb::parallel_for(first, last, f); },
      [](int first, int last, const Indexed& f) {
        tbb::parallel_for(first, last, f, tbb::simple_partitioner());
      },
      [](int first, int last, const Indexed& f) { tbb::parallel_for(first, last, 1, f); },
      [](int first, int last, const Indexed& f) {
        tbb::task_group_context context;
        tbb::affinity_partitioner affinity;
        tbb::parallel_for(first, last, [](int) {}, context);
        tbb::parallel_for(first, last, [](int) {}, tbb::static_partitioner(), context);
        tbb::parallel_for(first, last, 1, [](int) {}, affinity);
        tbb::parallel_for(first, last, 1, [](int) {}, affinity, context);
        tbb::parallel_for(first, last, 1, f, context);
      },
  };
  for (const auto& loop : loops)
    for (const int n : {0, 1, 5, 1000}) {
      Visits visits(static_cast<std::size_t>(n));
      loop(-3, n - 3, [&](int i) { visits.at(static_cast<std::size_t>(i + 3)); });
      CHECK(visits.each_is(1));
    }
  std::atomic<int> sum{0};
  std::atomic<int> calls{0};
  tbb::parallel_for(-5, 18, 7, [&](int i) {
    sum += i;
    ++calls;
  });
  CHECK(calls == 4);
  CHECK(sum == -5 + 2 + 9 + 16);
  tbb::parallel_for(3, -3, [&](int) { ++calls; });
  tbb::parallel_for(3, -3, 2, [&](int) { ++calls; });
  CHECK(calls == 4);
  CHECK_THROWS_AS(tbb::parallel_for(0, 5, 0, [](int) {}), std::invalid_argument);
}

/// Its copies count themselves, and say when two threads are in one.
struct Counted {
  explicit Counted(std::atomic<int>& calls) : calls_(calls) {}
  Counted(const Counted& other) : calls_(other.calls_) {}
  Counted& operator=(const Counted&) = delete;

  void operator()(const Blocked& part) const {
    if (inside_.exchange(true)) throw std::logic_error("two threads in one body");
    calls_ += static_cast<int>(part.size());
    inside_ = false;
  }

  std::atomic<int>& calls_;
  mutable std::atomic<bool> inside_{false};
};

TEST_CASE("a body is copied, and no two threads call one copy") {
  std::atomic<int> calls{0};
  const Counted body(calls);
  tbb::parallel_for(Blocked(0, 100'000), body);
  CHECK(calls == 100'000);
}

/// A range of the user's own: pairs of numbers, which can only be halved. Copies of it know where
/// the whole began.
class Triangle {
 public:
  Triangle(int first, int last) : first_(first), last_(last) {}
  Triangle(Triangle& r, tbb::split) : first_((r.first_ + r.last_) / 2), last_(r.last_) {
    r.last_ = first_;
  }

  bool empty() const { return first_ >= last_; }
  bool is_divisible() const { return last_ - first_ > 2; }
  int first() const { return first_; }
  int last() const { return last_; }

 private:
  int first_;
  int last_;
};

TEST_CASE("a range of the user's own") {
  Visits visits(1000);
  const auto body = [&](const Triangle& part) {
    for (int i = part.first(); i < part.last(); ++i) visits.at(static_cast<std::size_t>(i));
  };
  tbb::parallel_for(Triangle(0, 1000), body);
  CHECK(visits.each_is(1));
  std::atomic<bool> small{true};
  tbb::parallel_for(
      Triangle(0, 1000),
      [&](Triangle& part) {
        if (part.last() - part.first() > 2) small = false;
        body(part);
      },
      tbb::simple_partitioner());
  CHECK(visits.each_is(1));
  CHECK(small);
  tbb::parallel_for(Triangle(4, 4), [](const Triangle&) { FAIL("an empty range"); });
}

TEST_CASE("ranges of two and three dimensions") {
  const tbb::blocked_range2d<int> cells(0, 40, 4, 10, 60, 5);
  for (const bool simple : {false, true}) {
    Visits visits(40 * 60);
    std::atomic<bool> small{true};
    const auto body = [&](const tbb::blocked_range2d<int>& part) {
      if (part.rows().size() > 4 || part.cols().size() > 5) small = false;
      for (int row = part.rows().begin(); row != part.rows().end(); ++row)
        for (int column = part.cols().begin(); column != part.cols().end(); ++column)
          visits.at(static_cast<std::size_t>(row * 60 + column));
    };
    if (simple) {
      tbb::parallel_for(cells, body, tbb::simple_partitioner());
      CHECK(small);
    } else {
      tbb::parallel_for(cells, body);
    }
    for (std::size_t row = 0; row < 40; ++row)
      for (std::size_t column = 0; column < 10; ++column) visits.at(row * 60 + column);
    CHECK(visits.each_is(1));
  }
  tbb::blocked_range2d<int, long> wide(0, 10, 0, 1000);
  CHECK(wide.is_divisible());
  const tbb::blocked_range2d<int, long> right(wide, tbb::split());
  CHECK(wide.rows().size() == 10);
  CHECK(wide.cols().size() == 500);
  CHECK(right.cols().begin() == 500);
  tbb::blocked_range3d<int> box(0, 3, 1, 0, 4, 1, 0, 50, 10);
  CHECK_FALSE(box.empty());
  std::atomic<std::size_t> volume{0};
  tbb::parallel_for(box, [&](const tbb::blocked_range3d<int>& part) {
    volume += part.pages().size() * part.rows().size() * part.cols().size();
  });
  CHECK(volume == 600);
  const tbb::blocked_range3d<int> upper(box, tbb::split());
  CHECK(box.cols().size() == 25);
  CHECK(box.rows().size() == 4);
  CHECK(upper.cols().begin() == 25);
}

/// Appends what it gets, and so tells the order.
struct Append {
  Append() = default;
  Append(Append&, tbb::split) {}
  void operator()(const Blocked& part) {
    for (std::size_t i = part.begin(); i != part.end(); ++i) all.push_back(i);
  }
  void operator()(const Triangle& part) {
    for (int i = part.first(); i != part.last(); ++i) all.push_back(static_cast<std::size_t>(i));
  }
  void join(Append& right) { all.insert(all.end(), right.all.begin(), right.all.end()); }
  bool in_order(std::size_t n) const {
    std::vector<std::size_t> expected(n);
    std::iota(expected.begin(), expected.end(), std::size_t{0});
    return all == expected;
  }

  std::vector<std::size_t> all;
};

TEST_CASE("a reduction's body that splits and joins gets its parts in order") {
  tbb::affinity_partitioner affinity;
  tbb::task_group_context context;
  const std::vector<std::function<void(const Blocked&, Append&)>> reductions{
      [](const Blocked& r, Append& body) { tbb::parallel_reduce(r, body); },
      [](const Blocked& r, Append& body) {
        tbb::parallel_reduce(r, body, tbb::simple_partitioner());
      },
      [](const Blocked& r, Append& body) {
        tbb::parallel_reduce(r, body, tbb::static_partitioner());
      },
      [&](const Blocked& r, Append& body) { tbb::parallel_reduce(r, body, affinity); },
      [&](const Blocked& r, Append& body) { tbb::parallel_reduce(r, body, context); },
      [&](const Blocked& r, Append& body) {
        tbb::parallel_reduce(r, body, tbb::auto_partitioner(), context);
      },
      [](const Blocked& r, Append& body) { tbb::parallel_deterministic_reduce(r, body); },
      [](const Blocked& r, Append& body) {
        tbb::parallel_deterministic_reduce(r, body, tbb::static_partitioner());
      },
      [&](const Blocked& r, Append& body) { tbb::parallel_deterministic_reduce(r, body, context); },
      [&](const Blocked& r, Append& body) {
        tbb::parallel_deterministic_reduce(r, body, tbb::simple_partitioner(), context);
      },
  };
  for (const auto& reduce : reductions)
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{50'000}}) {
      Append body;
      reduce(Blocked(0, n, 10), body);
      CHECK(body.in_order(n));
    }
  for (int round = 0; round < 20; ++round) {
    Append body;
    tbb::parallel_reduce(Triangle(0, 1000), body);
    CHECK(body.in_order(1000));
  }
}

TEST_CASE("a reduction with functions") {
  const auto add = [](const Blocked& part, std::string text) {
    for (std::size_t i = part.begin(); i != part.end(); ++i)
      text += static_cast<char>('a' + i % 26);
    return text;
  };
  const auto join = [](const std::string& left, const std::string& right) { return left + right; };
  std::string expected;
  for (std::size_t i = 0; i < 3000; ++i) expected += static_cast<char>('a' + i % 26);
  tbb::affinity_partitioner affinity;
  tbb::task_group_context context;
  const Blocked range(0, 3000);
  CHECK(tbb::parallel_reduce(range, std::string(), add, join) == expected);
  CHECK(tbb::parallel_reduce(range, std::string(), add, join, tbb::simple_partitioner()) ==
        expected);
  CHECK(tbb::parallel_reduce(range, std::string(), add, join, affinity) == expected);
  CHECK(tbb::parallel_reduce(range, std::string(), add, join, context) == expected);
  CHECK(tbb::parallel_reduce(range, std::string(), add, join, tbb::static_partitioner(), context) ==
        expected);
  CHECK(tbb::parallel_deterministic_reduce(range, std::string(), add, join) == expected);
  CHECK(tbb::parallel_deterministic_reduce(range, std::string(), add, join, context) == expected);
  CHECK(tbb::parallel_reduce(Blocked(3, 3), std::string("none"), add, join) == "none");
}

/// oneTBB's tree: halves down to the grain.
double halves(std::size_t first, std::size_t last, std::size_t grain,
              const std::function<double(std::size_t)>& value) {
  if (last - first <= grain) {
    double sum = 0;
    for (std::size_t i = first; i != last; ++i) sum += value(i);
    return sum;
  }
  const std::size_t middle = first + (last - first) / 2;
  return halves(first, middle, grain, value) + halves(middle, last, grain, value);
}

TEST_CASE("a deterministic reduction has the same bits, and which ones") {
  const auto value = [](std::size_t i) { return 1.0 / static_cast<double>(i + 1); };
  const auto sum = [&](std::size_t n, std::size_t grain) {
    return tbb::parallel_deterministic_reduce(
        Blocked(0, n, grain), 0.0,
        [&](const Blocked& part, double all) {
          for (std::size_t i = part.begin(); i != part.end(); ++i) all += value(i);
          return all;
        },
        std::plus<double>());
  };
  for (const std::size_t n : {std::size_t{10}, std::size_t{999}, std::size_t{20'000}})
    for (const std::size_t grain : {std::size_t{1}, std::size_t{7}, std::size_t{500}}) {
      const double expected = halves(0, n, grain, value);
      for (int round = 0; round < 3; ++round)
        CHECK(std::equal_to<double>()(sum(n, grain), expected));
    }
}

struct Thrown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

TEST_CASE("an exception leaves the loop, and a context that was given is cancelled") {
  tbb::task_group_context context;
  const auto throws = [](const Blocked& part) {
    if (part.begin() <= 700 && 700 < part.end()) throw Thrown("700");
  };
  CHECK_THROWS_AS(tbb::parallel_for(Blocked(0, 10'000), throws, context), Thrown);
  CHECK(context.is_group_execution_cancelled());
  context.reset();
  context.cancel_group_execution();
  std::atomic<int> calls{0};
  tbb::parallel_for(Blocked(0, 100), [&](const Blocked&) { ++calls; }, context);
  tbb::parallel_for(0, 100, [&](int) { ++calls; }, context);
  tbb::parallel_for(Triangle(0, 100), [&](const Triangle&) { ++calls; }, context);
  tbb::parallel_invoke([&] { ++calls; }, [&] { ++calls; }, context);
  const std::vector<int> numbers(10);
  tbb::parallel_for_each(numbers, [&](int) { ++calls; }, context);
  CHECK(calls == 0);
  context.reset();
  tbb::parallel_for(Blocked(0, 100, 100), [&](const Blocked&) { ++calls; }, context);
  CHECK(calls == 1);
  CHECK_THROWS_AS(tbb::parallel_for(0, 1000,
                                    [](int i) {
                                      if (i == 3) throw Thrown("3");
                                    }),
                  Thrown);
  CHECK_THROWS_AS(tbb::parallel_for(Triangle(0, 1000),
                                    [](const Triangle& part) {
                                      if (part.first() == 0) throw Thrown("0");
                                    }),
                  Thrown);
  CHECK_THROWS_AS(tbb::parallel_for_each(numbers, [](int) { throw Thrown("each"); }), Thrown);
  CHECK_THROWS_AS(tbb::parallel_invoke([] {}, [] { throw Thrown("second"); }, [] {}), Thrown);
  CHECK_THROWS_AS(tbb::parallel_reduce(
                      Blocked(0, 1000), 0,
                      [](const Blocked&, int) -> int { throw Thrown("reduce"); }, std::plus<int>()),
                  Thrown);
}

TEST_CASE("a loop that is cancelled begins no more parts, and returns") {
  tbb::task_group_context context;
  std::atomic<int> calls{0};
  tbb::parallel_for(
      0, 100'000'000,
      [&](int) {
        if (++calls == 10) context.cancel_group_execution();
        std::this_thread::yield();
      },
      context);
  CHECK(context.is_group_execution_cancelled());
  CHECK(calls < 10'000'000);
  context.reset();
  calls = 0;
  tbb::parallel_for(
      0, 1000,
      [&](int) {
        tbb::parallel_for(0, 100'000, [&](int) {
          if (++calls == 10) context.cancel_group_execution();
          std::this_thread::yield();
        });
      },
      context);
  CHECK(calls < 10'000'000);
}

TEST_CASE(
    "a loop that is cancelled on one thread begins no more parts, though all others over that body "
    "were short") {
  tbb::task_arena one(1);
  tbb::task_group_context* cancelled = nullptr;
  int calls = 0;
  const auto count = [&](std::size_t steps) {
    calls += static_cast<int>(steps);
    if (cancelled != nullptr) cancelled->cancel_group_execution();
  };
  const auto of_index = [&](int) { count(1); };
  const auto of_range = [&](const Blocked& part) { count(part.size()); };
  const Body copied = of_range;  // as in std::function: for each thread a copy
  const auto of_value = [&](const Blocked& part, int sum) {
    count(part.size());
    return sum;
  };
  const Blocked all(0, 1000);
  const std::vector<std::function<void(tbb::task_group_context&)>> loops{
      [&](tbb::task_group_context& context) { tbb::parallel_for(0, 1000, of_index, context); },
      [&](tbb::task_group_context& context) { tbb::parallel_for(all, of_range, context); },
      [&](tbb::task_group_context& context) { tbb::parallel_for(all, copied, context); },
      [&](tbb::task_group_context& context) {
        (void)tbb::parallel_reduce(all, 0, of_value, std::plus<int>(), context);
      },
      // In a context that is not its own.
      [&](tbb::task_group_context& context) {
        tbb::parallel_for(0, 1, [&](int) { tbb::parallel_for(all, of_range); }, context);
      },
  };
  for (const auto& loop : loops) {
    int whole = 0;
    for (int k = 0; k < 20; ++k) {
      one.execute([&] {
        for (int i = 0; i < 10; ++i) {
          tbb::task_group_context context;
          loop(context);
        }
        tbb::task_group_context context;
        cancelled = &context;
        calls = 0;
        loop(context);
        whole += calls == 1000;
        cancelled = nullptr;
      });
    }
    CHECK(whole == 0);
  }
}

TEST_CASE("of a range that is divided to the grain no part begins after the loop was cancelled") {
  tbb::task_arena one(1);
  bool cancels = false;
  int parts = 0;
  const auto count = [&] {
    ++parts;
    if (cancels) tbb::task::current_context()->cancel_group_execution();
  };
  const auto of_range = [&](const Blocked&) { count(); };
  const auto of_value = [&](const Blocked&, int sum) {
    count();
    return sum;
  };
  const Blocked all(0, 10'240, 10);
  const std::vector<std::function<void(tbb::task_group_context&)>> loops{
      [&](tbb::task_group_context& context) {
        tbb::parallel_for(all, of_range, tbb::simple_partitioner(), context);
      },
      [&](tbb::task_group_context& context) {
        (void)tbb::parallel_reduce(all, 0, of_value, std::plus<int>(), tbb::simple_partitioner(),
                                   context);
      },
  };
  for (const auto& loop : loops) {
    for (int k = 0; k < 200; ++k) {  // by now the parts are known to be cheap
      cancels = k % 10 == 9;
      parts = 0;
      tbb::task_group_context context;
      one.execute([&] { loop(context); });
      REQUIRE(parts == (cancels ? 1 : 1024));
    }
  }
}

long fibonacci(long n) {
  if (n < 2) return n;
  long a = 0;
  long b = 0;
  tbb::parallel_invoke([&a, n] { a = fibonacci(n - 1); }, [&b, n] { return b = fibonacci(n - 2); });
  return a + b;
}

TEST_CASE("parallel_invoke runs all functions, and drops what they return") {
  CHECK(fibonacci(15) == 610);
  std::atomic<int> bits{0};
  const auto set = [&bits](int bit) { return [&bits, bit] { bits += 1 << bit; }; };
  tbb::parallel_invoke(set(0), set(1), set(2), set(3), set(4), set(5), set(6), set(7), set(8),
                       set(9));
  CHECK(bits == 1023);
  tbb::task_group_context context;
  tbb::parallel_invoke(set(10), set(11), set(12), context);
  CHECK(bits == 8191);
}

TEST_CASE("parallel_for_each over each kind of range") {
  Visits visits(500);
  const auto visit = [&](std::size_t i) { visits.at(i); };
  std::vector<std::size_t> numbers(500);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  tbb::parallel_for_each(numbers.begin(), numbers.end(), visit);
  CHECK(visits.each_is(1));
  tbb::parallel_for_each(numbers, visit);
  CHECK(visits.each_is(1));
  const std::list<std::size_t> list(numbers.begin(), numbers.end());
  tbb::parallel_for_each(list, visit);
  CHECK(visits.each_is(1));
  std::string text;
  for (const std::size_t i : numbers) text += std::to_string(i) + ' ';
  std::istringstream stream(text);
  tbb::parallel_for_each(std::istream_iterator<std::size_t>(stream),
                         std::istream_iterator<std::size_t>(), visit);
  CHECK(visits.each_is(1));
  tbb::parallel_for_each(numbers, [](std::size_t& i) { i = 1; });
  CHECK(std::accumulate(numbers.begin(), numbers.end(), std::size_t{0}) == 500);
  std::map<int, int> map{{1, 2}, {3, 4}};
  tbb::task_group_context context;
  tbb::parallel_for_each(
      map.begin(), map.end(), [](std::pair<const int, int>& item) { item.second += item.first; },
      context);
  CHECK(map[3] == 7);
}

/// Each number below a limit is a tree: i has the children 2i and 2i + 1.
struct VisitTree {
  Visits& visits;
  void operator()(std::size_t i, tbb::feeder<std::size_t>& feeder) const {
    visits.at(i);
    const std::size_t left = 2 * i;
    if (left < 2000) feeder.add(left);
    if (left + 1 < 2000) feeder.add(left + 1);
  }
};

TEST_CASE("parallel_for_each with a feeder") {
  Visits visits(2000);
  visits.at(0);
  const std::vector<std::size_t> roots{1};
  tbb::parallel_for_each(roots.begin(), roots.end(), VisitTree{visits});
  CHECK(visits.each_is(1));
  visits.at(0);
  visits.at(1);
  const std::forward_list<std::size_t> list{2, 3};
  tbb::parallel_for_each(list, VisitTree{visits});
  CHECK(visits.each_is(1));
  std::istringstream stream("1");
  visits.at(0);
  tbb::parallel_for_each(std::istream_iterator<std::size_t>(stream),
                         std::istream_iterator<std::size_t>(), VisitTree{visits});
  CHECK(visits.each_is(1));
  std::vector<std::unique_ptr<int>> pointers;
  pointers.push_back(std::make_unique<int>(40));
  std::atomic<int> calls{0};
  tbb::parallel_for_each(
      pointers, [&](const std::unique_ptr<int>& item, tbb::feeder<std::unique_ptr<int>>& feeder) {
        ++calls;
        if (*item > 0) feeder.add(std::make_unique<int>(*item - 1));
      });
  CHECK(calls == 41);
}

TEST_CASE("parallel_for_each with a feeder of what the body takes, whatever the elements are") {
  std::atomic<int> sum{0};
  const short roots[] = {3};
  tbb::parallel_for_each(roots, roots + 1, [&](std::size_t i, tbb::feeder<std::size_t>& feeder) {
    sum += static_cast<int>(i);
    if (i > 0) feeder.add(i - 1);
  });
  CHECK(sum == 6);
  std::atomic<int> reached{0};
  struct Node {
    const Node* next;
  };
  const Node last{nullptr};
  Node first{&last};
  Node* const nodes[] = {&first};
  tbb::parallel_for_each(nodes, [&](const Node* node, tbb::feeder<const Node*>& feeder) {
    ++reached;
    if (node->next != nullptr) feeder.add(node->next);
  });
  CHECK(reached == 2);
}

/// A running text, which does not commute.
struct RunningText {
  RunningText(const std::vector<char>& in, std::vector<std::size_t>& hashes)
      : input(in), out(hashes) {}
  RunningText(RunningText& left, tbb::split) : input(left.input), out(left.out) {}
  template <class Tag>
  void operator()(const Blocked& part, Tag) {
    // meanwhile others add up what comes later
    if (part.begin() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    for (std::size_t i = part.begin(); i != part.end(); ++i) {
      text += input[i];
      if (Tag::is_final_scan()) out[i] += std::hash<std::string>()(text);
    }
  }
  void reverse_join(RunningText& left) { text = left.text + text; }
  void assign(RunningText& last) { text = last.text; }

  const std::vector<char>& input;
  std::vector<std::size_t>& out;
  std::string text;
};

TEST_CASE("parallel_scan, with a body and with functions") {
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{700}}) {
    std::vector<char> input(n);
    for (std::size_t i = 0; i < n; ++i) input[i] = static_cast<char>('a' + i % 23);
    std::vector<std::size_t> expected(n);
    std::string text;
    for (std::size_t i = 0; i < n; ++i) expected[i] = std::hash<std::string>()(text += input[i]);
    for (const bool simple : {false, true}) {
      std::vector<std::size_t> out(n);
      RunningText body(input, out);
      simple ? tbb::parallel_scan(Blocked(0, n, 7), body, tbb::simple_partitioner())
             : tbb::parallel_scan(Blocked(0, n), body, tbb::auto_partitioner());
      CHECK(out == expected);
      CHECK(body.text == text);
    }
  }
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{10}, std::size_t{1000}, std::size_t{300'000}}) {
    std::vector<std::uint64_t> sums(n);
    const auto scan = [&](const Blocked& part, std::uint64_t sum, bool is_final) {
      for (std::size_t i = part.begin(); i != part.end(); ++i) {
        sum += i;
        if (is_final) sums[i] += sum;
      }
      return sum;
    };
    const auto all =
        tbb::parallel_scan(Blocked(0, n), std::uint64_t{0}, scan, std::plus<std::uint64_t>());
    CHECK(all == n * (n - (n > 0)) / 2);
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) right &= sums[i] == std::uint64_t{i} * (i + 1) / 2;
    CHECK(right);
    sums.assign(n, 0);
    CHECK(tbb::parallel_scan(Blocked(0, n, 100), std::uint64_t{0}, scan, std::plus<std::uint64_t>(),
                             tbb::simple_partitioner()) == all);
  }
  std::vector<int> places(100);
  const int last = tbb::parallel_scan(
      Triangle(0, 100), 0,
      [&](const Triangle& part, int sum, bool is_final) {
        for (int i = part.first(); i < part.last(); ++i) {
          ++sum;
          if (is_final) places[static_cast<std::size_t>(i)] += sum;
        }
        return sum;
      },
      std::plus<int>());
  CHECK(last == 100);
  for (int i = 0; i < 100; ++i) CHECK(places[static_cast<std::size_t>(i)] == i + 1);
}

struct Row {
  int key = 0;
};

/// An iterator from before C++20: at[n] is not a Row&, but becomes one.
class RowIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Row;
  using difference_type = std::ptrdiff_t;
  using pointer = Row*;
  using reference = Row&;

  class Proxy {
   public:
    explicit Proxy(Row& row) : row_(row) {}
    operator Row&() const { return row_; }

   private:
    Row& row_;
  };

  RowIterator() = default;
  explicit RowIterator(Row* at) : at_(at) {}

  Row& operator*() const { return *at_; }
  Row* operator->() const { return at_; }
  Proxy operator[](difference_type n) const { return Proxy(at_[n]); }
  RowIterator& operator++() { return *this += 1; }
  RowIterator& operator--() { return *this += -1; }
  RowIterator operator++(int) { return RowIterator(at_++); }
  RowIterator operator--(int) { return RowIterator(at_--); }
  RowIterator& operator+=(difference_type n) {
    at_ += n;
    return *this;
  }
  RowIterator& operator-=(difference_type n) { return *this += -n; }
  friend RowIterator operator+(RowIterator i, difference_type n) { return i += n; }
  [[maybe_unused]] friend RowIterator operator-(RowIterator i, difference_type n) { return i -= n; }
  friend difference_type operator-(RowIterator a, RowIterator b) { return a.at_ - b.at_; }
  [[maybe_unused]] friend auto operator<=>(RowIterator, RowIterator) = default;

 private:
  Row* at_ = nullptr;
};

TEST_CASE("iterators whose elements by number are proxies") {
  std::vector<Row> rows(5000);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].key = static_cast<int>(i * 7919 % 5003);
  const RowIterator first(rows.data());
  const RowIterator last(rows.data() + rows.size());
#ifdef FURCA_TBB  // oneTBB takes them only from programs of C++17 or older
  const auto less = [](const Row& a, const Row& b) { return a.key < b.key; };
  tbb::parallel_sort(first, last, less);
  CHECK(std::is_sorted(rows.begin(), rows.end(), less));
#endif
  tbb::parallel_for_each(first, last, [](Row& row) { row.key = 7; });
  CHECK(std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.key == 7; }));
}

TEST_CASE("parallel_sort") {
  std::vector<int> numbers(5000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * 7919 % 5003);
  std::vector<int> copy = numbers;
  tbb::parallel_sort(numbers.begin(), numbers.end());
  CHECK(std::is_sorted(numbers.begin(), numbers.end()));
  tbb::parallel_sort(numbers.begin(), numbers.end(), std::greater<int>());
  CHECK(std::is_sorted(numbers.begin(), numbers.end(), std::greater<int>()));
  tbb::parallel_sort(copy);
  CHECK(std::equal(copy.begin(), copy.end(), numbers.rbegin()));
  tbb::parallel_sort(copy, std::greater<int>());
  CHECK(copy == numbers);
  tbb::parallel_sort(copy.data(), copy.data() + 2500);
  CHECK(std::is_sorted(copy.begin(), copy.begin() + 2500));
}

TEST_CASE("loops in loops") {
  std::atomic<int> sum{0};
  tbb::parallel_for(0, 30, [&](int i) {
    tbb::parallel_for(Blocked(0, 30),
                      [&](const Blocked& part) { sum += i * static_cast<int>(part.size()); });
  });
  CHECK(sum == 435 * 30);
}

TEST_CASE("versions") {
  CHECK(TBB_VERSION_MAJOR >= 2021);
  CHECK(TBB_INTERFACE_VERSION_MAJOR == 12);
  CHECK(TBB_INTERFACE_VERSION / 1000 == 12);
  CHECK(TBB_runtime_interface_version() / 1000 == 12);
  CHECK(std::string(TBB_runtime_version()).substr(0, 3) == "202");
  CHECK(tbb::info::default_concurrency() >= 1);
  CHECK_FALSE(tbb::info::numa_nodes().empty());
}

}  // namespace
