// The checker itself: what it must find, refuse, repeat and admit.
#include "programs/litmus.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

using namespace furca::model;

TEST_CASE("data races on plain cells") {
  const auto program = [](std::memory_order store) {
    return [=] {
      Plain<int> data(0);
      Atomic<int> flag(0);
      together(
          [&] {
            data.set(1);
            flag.store(1, store);
          },
          [&] {
            if (flag.load(kAcquire) == 1) data.get();
          });
      data.set(2);
    };
  };
  CHECK(failure_of(program(kRelease)) == "none");
  CHECK(failure_of(program(kRelaxed)) ==
        "data race: a read, and a write that did not happen before it");
}

TEST_CASE("a sequentially consistent fence excuses no data race") {
  CHECK(failure_of([] {
          Plain<int> data(0);
          Atomic<int> x(0);
          Atomic<int> y(0);
          together(
              [&] {
                data.set(1);
                x.store(1, kRelaxed);
                Machine::fence();
                if (y.load(kRelaxed) == 0) data.set(2);
              },
              [&] {
                y.store(1, kRelaxed);
                Machine::fence();
                if (x.load(kRelaxed) == 0) data.get();
              });
        }) == "data race: a read, and a write that did not happen before it");
}

TEST_CASE("an object that another thread sees before its construction happened before") {
  const auto program = [](std::memory_order store) {
    return [=] {
      Atomic<Atomic<int>*> where(nullptr);
      together([&] { where.store(new Atomic<int>(1), store); },
               [&] {
                 if (Atomic<int>* const it = where.load(kAcquire)) it->load(kRelaxed);
               });
    };
  };
  CHECK(failure_of(program(kRelease)) == "none");
  CHECK(failure_of(program(kRelaxed)) ==
        "use of an object whose construction did not happen before");
}

TEST_CASE("an object that is destroyed while another thread still uses it") {
  const auto program = [](bool late) {
    return [=] {
      Atomic<int> done(0);
      auto* const object = new Atomic<int>(0);
      together(
          [&] {
            object->store(1, kRelaxed);
            done.store(1, kRelease);
            if (late) object->load(kRelaxed);
          },
          [&] {
            assume(done.load(kAcquire) == 1);
            delete object;
          });
    };
  };
  CHECK(failure_of(program(false)) == "none");
  const std::string what = failure_of(program(true));
  const bool found =
      what == "use of an object that is not alive: never constructed, or destroyed before" ||
      what == "destroyed while another thread may still use it";
  CHECK(found);
}

TEST_CASE(
    "a slot whose read was earned by a CAS, and that is overwritten by one who does not know") {
  const auto program = [](std::memory_order cas) {
    return [=] {
      Atomic<Item> slot(Item{1});
      Atomic<int> top(0);
      together(
          [&] {
            slot.load(kRelaxed);
            int expected = 0;
            top.compare_exchange_strong(expected, 1, cas, kRelaxed);
          },
          [&] {
            if (top.load(kAcquire) == 1) slot.store(Item{2}, kRelaxed);
          });
    };
  };
  CHECK(failure_of(program(kRelease)) == "none");
  CHECK(failure_of(program(kRelaxed)) ==
        "overwritten without happening after the read that was earned by a CAS");
}

TEST_CASE("two stores to one word that are concurrent are refused, not guessed at") {
  CHECK(failure_of([] {
          Atomic<int> x(0);
          together([&] { x.store(1, kRelaxed); }, [&] { x.store(2, kRelaxed); });
        }) == "model: a store that is concurrent with another write to its location");
}

TEST_CASE(
    "a futex: no wake-up is lost if the word is changed first; it is if the word is changed "
    "afterwards") {
  const auto program = [](bool store_first) {
    return [=] {
      Atomic<std::uint32_t> word(0);
      together(
          [&] {
            while (word.load(kRelaxed) == 0) Machine::wait(word, 0);
          },
          [&] {
            if (store_first) word.store(1, kRelaxed);
            Machine::wake(word, 1);
            if (!store_first) word.store(1, kRelaxed);
          });
    };
  };
  CHECK(failure_of(program(true)) == "none");
  CHECK(failure_of(program(false)) == "deadlock: thread 0 joins thread 1, thread 1 sleeps");
}

TEST_CASE("a futex wakes as many as it is told, any of them") {
  const auto program = [](int count) {
    return [=] {
      Atomic<std::uint32_t> word(0);
      const auto sleeper = [&] {
        while (word.load(kRelaxed) == 0) Machine::wait(word, 0);
      };
      together(sleeper, sleeper, [&] {
        word.store(1, kRelaxed);
        Machine::wake(word, count);
      });
    };
  };
  CHECK(failure_of(program(2)) == "none");
  CHECK(failure_of(program(1)).starts_with("deadlock"));
}

TEST_CASE("a failure can be repeated from its decisions, and its trace is short") {
  const auto failing = [&] {
    Atomic<int> x(0);
    Atomic<int> y(0);
    int a = 0;
    int b = 0;
    together(
        [&] {
          x.store(1, kRelaxed);
          a = y.load(kRelaxed);
        },
        [&] {
          y.store(1, kRelaxed);
          b = x.load(kRelaxed);
        });
    check(a == 1 || b == 1, "both missed the other");
  };
  const Result found = explore(failing);
  REQUIRE(found.failure != nullptr);
  CHECK(found.failure->what == "both missed the other");
  CHECK(found.failure->trace.find(" is 0! relaxed") != std::string::npos);
  Options again;
  again.replay = found.failure->decisions;
  const Result repeated = explore(failing, again);
  REQUIRE(repeated.failure != nullptr);
  CHECK(repeated.failure->trace == found.failure->trace);
  CHECK(repeated.runs == 1);
}

TEST_CASE("a cap is no proof") {
  Options options;
  options.max_runs = 3;
  const Result result = explore(store_buffering(kRelaxed, kRelaxed, nothing, nothing), options);
  CHECK(result.failure == nullptr);
  CHECK_FALSE(result.exhaustive);
  CHECK_FALSE(result.proven());
}

TEST_CASE("weak CASes and waits that end for no reason, as often as is allowed") {
  const auto program = [] {
    Atomic<int> x(0);
    int expected = 0;
    observe(x.compare_exchange_weak(expected, 1, kRelaxed, kRelaxed));
  };
  check_outcomes(program, "1");
  Options options;
  options.spurious = 1;
  CHECK(explore(program, options).outcomes == std::set<std::vector<int>>{{0}, {1}});
}
