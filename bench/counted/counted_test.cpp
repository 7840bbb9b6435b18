// The counted machine itself: what steps cost, and who waits for whom.
#include <furca/furca.hpp>

#include "counted.hpp"
#include "machine/atomics.hpp"
#include "run.hpp"
#include "support/random_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace counted;

Machine::Setting of(int processors, const Costs& costs = {}) {
  return {.costs = costs, .processors = processors};
}

/// Runs body(machine) on it.
template <class Body>
bool run_on(const Machine::Setting& setting, Body body) {
  Machine machine(setting);
  return machine.run([&] { body(machine); });
}

/// How long f() takes the running thread.
template <class F>
Time taken(F f) {
  machine->catch_up();
  const Time began = machine->now();
  f();
  return machine->now() - began;
}

/// f() on a thread of its own, on the processor after those of all threads before; waits for it.
Time taken_elsewhere(const std::function<void()>& f) {
  Time time = 0;
  machine->join(machine->start([&] { time = taken(f); }));
  return time;
}

struct alignas(64) Word {
  Atomic<std::uint32_t> value{0};
};

struct alignas(64) Job {};

TEST_CASE("a line comes from the same cache, the same socket, or beyond") {
  Costs costs;
  costs.cores_per_cache = 2;
  costs.cores_per_socket = 4;
  run_on(of(8, costs), [&](Machine&) {
    Word word;
    word.value.store(1);
    CHECK(taken([&] { word.value.load(); }) == costs.hit);
    std::vector<Time> ways;
    for (int core = 1; core < 6; ++core)
      ways.push_back(taken_elsewhere([&] {
                       word.value.fetch_add(1);
                       CHECK(taken([&] { word.value.load(); }) == costs.hit);
                     }) -
                     costs.locked - costs.hit);
    CHECK(ways == std::vector{costs.near, costs.transfer, costs.near, costs.far, costs.near});
  });
}

TEST_CASE("a change takes the copies of all others, and the second one waits for the first") {
  const Costs costs;
  run_on(of(3), [&](Machine&) {
    Word word;
    word.value.store(1);
    CHECK(taken_elsewhere([&] { word.value.load(); }) == costs.near);
    CHECK(taken([&] { word.value.load(); }) == costs.hit);  // both have one
    CHECK(taken([&] { word.value.fetch_add(1); }) == costs.near + costs.locked);
  });
  run_on(of(3), [&](Machine& machine) {
    Word word;
    std::vector<Time> times;
    std::vector<Thread*> threads;
    word.value.store(1);
    const Time meeting = machine.now() + nanoseconds(1e6);
    for (int i = 0; i < 2; ++i)
      threads.push_back(&machine.start([&] {
        machine.work(meeting - machine.now());
        times.push_back(taken([&] { word.value.fetch_add(1); }));
      }));
    for (Thread* const thread : threads) machine.join(*thread);
    CHECK(times == std::vector{costs.near + costs.locked, 2 * costs.near + costs.locked});
  });
}

TEST_CASE("a store is done at once, and a fence or a locked instruction waits until it is out") {
  const Costs costs;
  run_on(of(2), [&](Machine&) {
    Word word;
    Word own;
    word.value.store(1);
    own.value.store(1);
    taken_elsewhere([&] { word.value.load(); });
    CHECK(taken([&] { word.value.store(2); }) == costs.hit);
    CHECK(taken([] { machine->fence(); }) == costs.near - costs.hit + costs.fence);
    CHECK(taken([] { machine->fence(); }) == costs.fence);
    taken_elsewhere([&] { word.value.load(); });
    word.value.store(3);
    CHECK(taken([&] { own.value.fetch_add(1); }) == costs.near - costs.hit + costs.locked);
    CHECK(taken([&] { own.value.fetch_add(1); }) == costs.locked);
  });
}

TEST_CASE("a job that is got comes by one line") {
  const Costs costs;
  run_on(of(2), [&](Machine& machine) {
    Job job;
    Word top;
    top.value.store(0);
    machine.offer_job(&job);
    taken_elsewhere([&] {
      std::uint32_t none = 0;
      machine.see_job(&job);
      CHECK(taken([&] { top.value.compare_exchange_strong(none, 1); }) ==
            costs.near + costs.locked + costs.near);
      CHECK(taken([&] { top.value.compare_exchange_strong(none, 2); }) == costs.locked);
    });
  });
}

TEST_CASE("heavy fences come one at a time, and interrupt who runs") {
  const Costs costs;
  run_on(of(3), [&](Machine& machine) {
    std::vector<Thread*> threads;
    Time disturbed = 0;
    std::vector<Time> ends;
    const Time meeting = machine.now() + nanoseconds(1e6);
    const auto meet = [&] { machine.work(meeting - machine.now()); };
    for (int i = 0; i < 2; ++i)
      threads.push_back(&machine.start([&] {
        meet();
        machine.heavy_fence();
        machine.catch_up();
        ends.push_back(machine.now() - meeting);
      }));
    meet();
    disturbed = taken([&] {
      machine.work(nanoseconds(1e5));
      machine.catch_up();
    });
    for (Thread* const thread : threads) machine.join(*thread);
    const Time one = costs.heavy_base + 2 * costs.heavy_each;
    REQUIRE(ends.size() == 2);
    CHECK(ends[0] == one + costs.interrupt);  // by the second
    CHECK(ends[1] >= 2 * one - costs.heavy_each);
    CHECK(disturbed == nanoseconds(1e5) + 2 * costs.interrupt);
    CHECK(machine.take_counts().heavy_fences == 2);
  });
}

TEST_CASE("a thread sleeps until it is woken, and all asleep is a lost wake-up") {
  const Costs costs;
  CHECK(run_on(of(2), [&](Machine& machine) {
    Word word;
    Thread& sleeper = machine.start([&] {
      machine.sleep(word.value.value(), 1);  // holds another value
      machine.sleep(word.value.value(), 0);
    });
    machine.work(nanoseconds(1e6));
    const Time woken = machine.now();
    word.value.store(1);
    machine.wake(word.value.value(), 1);
    machine.join(sleeper);
    CHECK(machine.now() >= woken + costs.wake_up);
    CHECK(machine.take_counts().naps == 1);
  }));
  CHECK_FALSE(run_on(of(2), [](Machine& machine) {
    static Word word;
    machine.join(machine.start([&] { machine.sleep(word.value.value(), 0); }));
  }));
}

TEST_CASE("more threads than processors take turns") {
  Costs costs;
  costs.slice = nanoseconds(1e5);
  run_on(of(1, costs), [&](Machine& machine) {
    std::vector<Thread*> threads;
    std::vector<Time> ends;
    for (int i = 0; i < 2; ++i)
      threads.push_back(&machine.start([&] {
        machine.work(nanoseconds(1e6));
        ends.push_back(machine.now());
      }));
    for (Thread* const thread : threads) machine.join(*thread);
    REQUIRE(ends.size() == 2);
    CHECK(ends[0] > nanoseconds(1.8e6));
    CHECK(ends[1] < nanoseconds(2.2e6));
  });
}

TEST_CASE("a processor is taken away, and threads of one core slow each other") {
  Costs costs;
  costs.taken_every = nanoseconds(1e5);
  const auto loop = [](Machine& machine) {
    return taken([&] {
      for (int i = 0; i < 100; ++i) {
        machine.work(nanoseconds(1e4));
        machine.catch_up();
      }
    });
  };
  run_on(of(1, costs), [&](Machine& machine) {
    const Time time = loop(machine);
    CHECK(time > nanoseconds(1.1e6));
    CHECK(time < nanoseconds(3e6));
  });
  costs.taken_every = 0;
  costs.threads_per_core = 2;
  run_on(of(4, costs), [&](Machine& machine) {
    CHECK(loop(machine) == nanoseconds(1e6));
    Thread& other = machine.start([&] { machine.work(nanoseconds(1e8)); });    // of core 1
    Thread& sibling = machine.start([&] { machine.work(nanoseconds(1e8)); });  // of core 0
    CHECK(loop(machine) == nanoseconds(1.6e6));
    machine.join(other);
    machine.join(sibling);
  });
}

TEST_CASE("data lies in a core's cache, in the shared one, or in memory") {
  Costs costs;
  costs.own_cache = 16 * Data::kBlock;
  costs.shared_cache = 64 * Data::kBlock;
  costs.cores_per_socket = 8;
  Data data(costs);
  Time time = 0;
  const auto pass = [&](std::size_t blocks, int core, Data::Use use = Data::Use::read) {
    const Time began = time;
    for (std::size_t i = 0; i < blocks; ++i)
      time = data.use(reinterpret_cast<const void*>((i + 1) * Data::kBlock), Data::kBlock, use,
                      core, time);
    return (time - began) / static_cast<Time>(blocks);
  };
  const auto per_block = [](double rate) { return nanoseconds(Data::kBlock / rate); };
  CHECK(pass(16, 0) == per_block(costs.memory_rate));
  CHECK(pass(16, 0) == 0);
  CHECK(pass(16, 1) == per_block(costs.shared_rate));
  CHECK(pass(16, 4) == per_block(costs.memory_rate));
  CHECK(pass(16, 8) == per_block(costs.far_rate));
  CHECK(pass(16, 1, Data::Use::write) == 0);
  CHECK(pass(16, 0) == per_block(costs.shared_rate));  // what is there is what 1 wrote
  CHECK(pass(16, 4) == per_block(costs.memory_rate));
  CHECK(pass(64, 0) > 0);
  CHECK(pass(64, 0) == per_block(costs.shared_rate));
  CHECK(pass(128, 0) > 0);
  CHECK(pass(128, 0) == per_block(costs.memory_rate));
}

TEST_CASE("cores of a socket share its memory") {
  Costs costs;
  costs.socket_rate = costs.memory_rate;
  Data data(costs);
  const auto use = [&](std::uintptr_t block, int core) {
    return data.use(reinterpret_cast<const void*>(block * Data::kBlock), Data::kBlock,
                    Data::Use::read, core, 0);
  };
  const Time one = use(1, 0);
  CHECK(one == nanoseconds(Data::kBlock / costs.memory_rate));
  CHECK(use(2, 4) == 2 * one);
}

TEST_CASE("the same seed is the same picosecond") {
  const auto fib = std::find_if(rows().begin(), rows().end(),
                                [](const Row& row) { return row.name == std::string("fib-25"); });
  REQUIRE(fib != rows().end());
  const auto time = [&](std::uint64_t seed) {
    Machine::Setting setting = of(8);
    setting.seed = seed;
    return run(*fib, setting, 8, Start::rested).time;
  };
  CHECK(time(0) == time(0));
  CHECK(time(1) == time(1));
  CHECK(time(1) != time(2));
}

TEST_CASE("a row that does not end is an error") {
  const Row row = {"lost",
                   [] {
                     machine->join(machine->start([] {
                       static Word word;
                       machine->sleep(word.value.value(), 0);
                     }));
                   },
                   1,
                   {},
                   false};
  CHECK_THROWS_AS(run(row, of(4), 2, Start::awake), std::runtime_error);
}

TEST_CASE("main computes with the global pool, on all processors") {
  const Result least = run_apart([](Result& result) {
    return run_on(of(8), [&](Machine&) {
      std::vector<int> by_processor(8);
      furca::parallel_for(0, 800, [&](int) {
        work(10'000);
        ++by_processor[static_cast<std::size_t>(machine->running().processor->number)];
      });
      result.calls = *std::min_element(by_processor.begin(), by_processor.end());
    });
  });
  CHECK(least.calls > 0);
}

/// Loops and scopes of so many threads, some of whose processors are taken away: true if each step
/// was done once. Throws if a wake-up was lost.
bool all_once(Machine::Setting setting, std::size_t tasks) {
  setting.costs.taken_every = nanoseconds(2e5);
  const auto rounds = [&] {
    bool right = true;
    for (int round = 0; round < 2; ++round) {
      std::vector<int> times(2 * tasks);
      furca::parallel_for(std::size_t{0}, tasks, [&](std::size_t i) {
        work(2'000);
        ++times[i];
      });
      if (round == 1) work(1e6);  // all fall asleep
      furca::scope([&](furca::Scope& scope) {
        for (std::size_t i = tasks; i < 2 * tasks; ++i)
          scope.spawn([&times, i] {
            work(5'000);
            ++times[i];
          });
      });
      right = right && std::count(times.begin(), times.end(), 1) == std::ssize(times);
    }
    return right;
  };
  const Result right = run_apart([&](Result& result) {
    return run_on(setting, [&](Machine&) {
      furca::ThreadPool pool({.threads = static_cast<std::size_t>(setting.processors)});
      result.calls = pool.install(rounds) ? 1 : 0;
    });
  });
  return right.calls == 1;
}

TEST_CASE("a hundred threads, some of them taken away: all once, no wake-up is lost") {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Machine::Setting setting = of(100);
    setting.seed = seed;
    CHECK(all_once(setting, 2'500));
  }
}

TEST_CASE("a thousand threads, some of them taken away: all once, no wake-up is lost") {
  Costs costs;  // few steps: what all look for lies in one deque, and each look is a turn
  costs.thread_start = nanoseconds(500);
  costs.pause = nanoseconds(200);
  Machine::Setting setting = of(1'000, costs);
  setting.seed = 1;
  CHECK(all_once(setting, 60));
}

TEST_CASE("random programs on many threads, some of them taken away, come to what serial ones do") {
  using furca::test::outcome;
  for (const int threads : {3, 30, 300}) {
    Machine::Setting setting = of(threads);
    setting.costs.taken_every = nanoseconds(1e5);
    setting.costs.thread_start = nanoseconds(500);
    setting.seed = 1;
    const Result right = run_apart([&](Result& result) {
      return run_on(setting, [&](Machine&) {
        furca::ThreadPool pool({.threads = static_cast<std::size_t>(threads)});
        for (std::uint64_t program = 0; program < 12; ++program)
          result.calls +=
              pool.install([=] { return outcome(program, 4, false); }) == outcome(program, 4, true);
      });
    });
    CHECK(right.calls == 1 + 12);
  }
}

TEST_CASE("a body that is measured takes as long as it takes here") {
  using Clock = std::chrono::steady_clock;
  run_on(of(1), [](Machine&) {
    constexpr std::chrono::microseconds kTime{200};
    CHECK(taken([&] {
            measured([&] {
              for (const auto end = Clock::now() + kTime; Clock::now() < end;) {
              }
            });
          }) >= nanoseconds(2e5));
  });
}

TEST_CASE("machines are files") {
  for (const std::string name : {"epyc-7742", "milan-vm", "two-cores"})
    CHECK(read_costs(FURCA_MACHINES "/" + name + ".txt").transfer > 0);
  Costs costs;
  set_cost(costs, "near=1.5");
  CHECK(costs.near == 1'500);
  CHECK(list(costs).find("near 1.5\n") != std::string::npos);
  CHECK_THROWS_AS(set_cost(costs, "nearly=1"), std::runtime_error);
  CHECK_THROWS_AS(set_cost(costs, "near=x"), std::runtime_error);
  CHECK_THROWS_AS(read_costs("nowhere.txt"), std::runtime_error);
}

}  // namespace
