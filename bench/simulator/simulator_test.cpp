// What the simulator's figures rest on: nothing is lost, run twice or run where it must not be, and all time is accounted for.
#include "report.hpp"
#include "scheduler.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

using namespace simulator;

namespace {

Setting on(std::size_t workers, Wait wait = Wait::own_subtree, Start start = Start::asleep) {
  Setting setting;
  setting.workers = workers;
  setting.wait = wait;
  setting.start = start;
  return setting;
}

/// f(tree, its totals) for every workload.
template <class F>
void for_all_trees(F f) {
  for (const auto& tree : all_trees(Size::tiny)) {
    CAPTURE(tree->name());
    f(*tree, walk(*tree));
  }
}

/// f(outcome, setting, tree, totals), without what simulate() itself checks.
template <class F>
void for_all_runs(F f) {
  for_all_trees([&](const Tree& tree, const Totals& totals) {
    for (const unsigned workers : {1U, 2U, 3U, 16U, 64U}) {
      for (const Wait wait : {Wait::own_subtree, Wait::greedy}) {
        for (const Start start : {Start::asleep, Start::looking}) {
          CAPTURE(workers);
          const Setting setting = on(workers, wait, start);
          f(Scheduler(tree, setting).run(), setting, tree, totals);
        }
      }
    }
  });
}

std::unique_ptr<Tree> find(const std::string& name, Size size) {
  auto trees = all_trees(size);
  return std::move(*std::find_if(trees.begin(), trees.end(), [&](const auto& tree) { return tree->name() == name; }));
}

}  // namespace

TEST_CASE("on one worker: T1 and the forks, to the nanosecond") {
  for_all_trees([](const Tree& tree, const Totals& totals) {
    const Setting setting = on(1);
    const Outcome outcome = Scheduler(tree, setting).run();
    CHECK(outcome.forks == totals.forks);
    const Time first = totals.forks > 0 ? setting.costs.fence : 0;  // its bell tells it that threads might sleep
    CHECK(outcome.time == totals.work + totals.forks * setting.costs.fork + first);
  });
}

TEST_CASE("work and span of trees that one can add up by hand") {
  const Totals fib = walk(*find("fib", Size::tiny));  // fib(16): 1,597 calls with n < 2, 1,596 forks
  CHECK(fib.forks == 1596);
  CHECK(fib.work == 1597 * 2 + 1596 * 2);
  CHECK(fib.span == 15 * 2 + 2);
  const Totals skynet = walk(*find("skynet", Size::tiny));
  CHECK(skynet.forks == 9 * 111);
  CHECK(skynet.work == 1111 * 3);
  const Totals loop = walk(*find("loop", Size::tiny));
  CHECK(loop.work == 500 * 2000);
  CHECK(loop.span == 2000);
  CHECK(walk(*find("bfs", Size::tiny)).span == 8 * 100);
}

TEST_CASE("everything runs once") {
  for_all_runs([](const Outcome& outcome, const Setting&, const Tree&, const Totals& totals) {
    CHECK(outcome.marks == totals.marks);
  });
}

TEST_CASE("work is conserved: what workers spend on it is T1, and all that they spend adds up to the time") {
  for_all_runs([](const Outcome& outcome, const Setting&, const Tree&, const Totals& totals) {
    CHECK(outcome.total(Activity::work) == totals.work);
    for (const auto& spent : outcome.spent) CHECK(std::accumulate(spent.begin(), spent.end(), Time{0}) == outcome.time);
  });
}

TEST_CASE("nobody is faster than T1 / P and T_inf") {
  for_all_runs([](const Outcome& outcome, const Setting& setting, const Tree&, const Totals& totals) {
    CHECK(outcome.time * setting.workers >= totals.work);
    CHECK(outcome.time >= totals.span);
  });
}

TEST_CASE("fib on two workers that are awake takes half of T1 and of the forks' time") {
  const auto fib = find("fib", Size::quick);
  const Totals totals = walk(*fib);
  Setting setting = on(2, Wait::own_subtree, Start::looking);
  setting.costs.fence = setting.costs.heavy = setting.costs.interrupt = 0;  // in so short a run they count for more
  const auto half = static_cast<double>(totals.work + totals.forks * setting.costs.fork) / 2;
  const auto time = static_cast<double>(simulate(*fib, setting, totals).time);
  CHECK(time >= half);
  CHECK(time <= 1.05 * half);
}

TEST_CASE("a waiter runs nothing from outside of the subtree that it waits for; a greedy one does") {
  std::uint64_t strangers = 0;
  std::uint64_t backs = 0;
  for_all_runs([&](const Outcome& outcome, const Setting& setting, const Tree&, const Totals&) {
    if (setting.wait == Wait::greedy) strangers += outcome.strangers;
    if (setting.wait != Wait::own_subtree) return;
    CHECK(outcome.strangers == 0);
    backs += outcome.steal_backs;
  });
  CHECK(strangers > 100);
  CHECK(backs > 100);
}

TEST_CASE("the same seed gives the same run, another seed another") {
  for (const char* const name : {"uts-binomial", "loop-pareto", "bfs"}) {
    const auto tree = find(name, Size::quick);
    const Totals totals = walk(*tree);
    const auto text = [&](std::uint64_t seed) {
      Setting setting = on(16);
      setting.seed = seed;
      const Row row{tree->name(), tree->summary(), totals, {{16, Wait::own_subtree, simulate(*tree, setting, totals)}}};
      return table(row) + detail(row);
    };
    CHECK(text(1) == text(1));
    CHECK(text(1) != text(2));
  }
}

TEST_CASE("one who writes a line takes it from all others, and they queue for it") {
  const Costs costs;
  std::array<Traffic, kWords> traffic{};
  Line line(Word::state);
  line.give_all();
  CHECK(line.read(0, 1000, costs.transfer, costs, traffic) == 1000);
  CHECK(line.write(1, 1000, costs, traffic) == 1080);
  CHECK(line.write(1, 1080, costs, traffic) == 1080);
  CHECK(line.read(0, 1080, costs.transfer, costs, traffic) == 1160);
  CHECK(line.read(2, 1080, costs.transfer, costs, traffic) == 1240);  // after the first reader had it
  CHECK(line.read(3, 1080, costs.transfer, costs, traffic) == 1260);  // unchanged since
  CHECK(line.write(1, 1300, costs, traffic) == 1380);                 // it had a copy, but not alone
  CHECK(traffic[static_cast<std::size_t>(Word::state)].transfers == 5);
  CHECK(traffic[static_cast<std::size_t>(Word::state)].longest == 100);
}

TEST_CASE("one thread is on its way at a time, so the chain is as long as the pool; a trial's is not") {
  const auto loop = find("loop", Size::quick);
  const Totals totals = walk(*loop);
  Setting setting = on(64);
  const Outcome chain = simulate(*loop, setting, totals);
  for (std::size_t i = 0; i < chain.first_job.size(); ++i) CHECK(chain.first_job[i] > i * setting.costs.wake_up * 3 / 4);
  setting.wakers = Wakers::spread;
  const Outcome spread = simulate(*loop, setting, totals);
  REQUIRE(spread.first_job.size() >= 32);
  CHECK(spread.first_job[31] < 10 * setting.costs.wake_up);
}

TEST_CASE("a fork reads the counts only once after each time that its bell told it or rang") {
  std::uint64_t told = 0;
  for_all_runs([&](const Outcome& outcome, const Setting& setting, const Tree&, const Totals&) {
    CHECK(outcome.asked <= outcome.told + outcome.rung + setting.workers);
    told += outcome.told;
  });
  CHECK(told > 100);
}

TEST_CASE("a pool that fell asleep is woken again, whoever reads the counts") {
  for_all_trees([](const Tree& tree, const Totals& totals) {
    for (const Count count : {Count::bell, Count::state, Count::loops}) {
      Setting setting = on(16);
      setting.count = count;
      const Outcome outcome = simulate(tree, setting, totals);
      if (count == Count::state) CHECK(outcome.asked == outcome.forks);
    }
  });
  const auto sort = find("quicksort", Size::quick);  // its first partitions are longer than anybody looks
  CHECK(simulate(*sort, on(16), walk(*sort)).wakes > 30);
}

TEST_CASE("an owner that was armed stays so for its patience") {
  const auto fib = find("fib", Size::quick);
  const Totals totals = walk(*fib);
  Setting setting = on(16, Wait::own_subtree, Start::looking);
  const Outcome usual = simulate(*fib, setting, totals);
  CHECK(usual.arming_fences > 0);
  CHECK(usual.arming_fences <= totals.forks / setting.costs.patience + setting.workers);
  setting.costs.patience = 1;
  setting.costs.most_patience = 1;
  CHECK(simulate(*fib, setting, totals).arming_fences > usual.arming_fences);
}
