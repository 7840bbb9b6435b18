// Shipped parts that stand alone, on the courses that the model allows, and whether each of their
// orders is needed: injector, tallies, task queue, places, search front, mutex, and of the oneTBB
// look-alike contexts and skip list.
#include "checker/checked.hpp"
#include "checker/mutation.hpp"
#include "programs/context_programs.hpp"
#include "programs/injector_programs.hpp"
#include "programs/mutex_programs.hpp"
#include "programs/places_programs.hpp"
#include "programs/search_front_programs.hpp"
#include "programs/skip_programs.hpp"
#include "programs/tally_programs.hpp"
#include "programs/task_queue_programs.hpp"

#include <doctest/doctest.h>

using namespace furca::model;

namespace {

/// The programs notice each order of that header that is weakened.
void check_orders(const std::vector<Program>& programs, const char* header) {
  const std::vector<Verdict> verdicts = weaken_each(programs, {header});
  CHECK(judge(verdicts, {}));
  CHECK(survive_together(verdicts, programs));
}

}  // namespace

TEST_CASE("injector: every item is taken once, whole, and in its producer's order") {
  check_proven(injector_programs());
}

TEST_CASE("injector: each order is needed") { check_orders(injector_programs(), "injector.hpp"); }

TEST_CASE("tally: who is told that all have ended has seen what they did") {
  check_proven(tally_programs());
}

TEST_CASE("tally: each order is needed") { check_orders(tally_programs(), "tally.hpp"); }

TEST_CASE("task queue: every task is taken once, and whole") { check_all(task_queue_programs()); }

TEST_CASE("task queue: each order is needed") {
  check_orders(task_queue_programs(), "task_queue.hpp");
}

TEST_CASE("places: each portion is run once, and nobody sleeps beside one") {
  check_all(places_programs());
}

TEST_CASE("places: each order is needed") {
  const std::vector<Verdict> verdicts = weaken_each(places_programs(), {"places.hpp"});
  CHECK(verdicts.size() == 2);
  CHECK(judge(verdicts, {}));
}

// All its orders are relaxed already, so there is none to weaken.
TEST_CASE("search front: each position below the end is claimed by one thread") {
  check_all(search_front_programs());
}

TEST_CASE("mutex: one thread at a time has it, and none sleeps for ever") {
  check_all(mutex_programs());
}

TEST_CASE("mutex: each order is needed") { check_orders(mutex_programs(), "mutex.hpp"); }

// Orders are not weakened one by one: most of them guard what contexts are made for, the elements
// of a loop that was cancelled, and memory that is freed.
TEST_CASE("contexts: a cancellation is seen below by who can know of it, and none that is over") {
  check_all(context_programs());
}

TEST_CASE("skip list: threads add and look") { check_all(skip_programs()); }

TEST_CASE("skip list: each order is needed") { check_orders(skip_programs(), "skip_list.h"); }
