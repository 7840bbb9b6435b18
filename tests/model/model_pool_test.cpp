// The shipped pool, workers and join, whole, on the model's machine.
#include "checked.hpp"
#include "mutation.hpp"
#include "pool_programs.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace {

const std::vector<furca::model::Survivor> kSurvivors = {
    {"outside_tasks.hpp", "while (passing_.load(", "", "matters only after a task from outside; see seeded/pool_gone_while_posting.patch"},
    {"roll_call.cpp", "outcome_.store(", "", "matters only to a start_hook, which reads the pool's size when a thread was refused: nothing here refuses one"},
    {"tally.hpp", "tally.ended_.load(", "", "matters only after a task; it has programs of its own, in model_tally_test"},
};

}  // namespace

TEST_CASE("joins on a pool: each arm once, awaited, and helped with by its forker alone; no wake-up is lost") {
  furca::model::check_all(furca::model::started_thread_programs());
}

TEST_CASE("scopes: each task once, all awaited; no wake-up is lost") {
  furca::model::check_all(furca::model::scope_programs());
}

TEST_CASE("open tasks: each once, and awaited by all who wait; no wake-up is lost") {
  furca::model::check_all(furca::model::open_task_programs());
}

TEST_CASE("detached tasks: each once, and all of them; no wake-up is lost") {
  furca::model::check_all(furca::model::task_programs());
}

TEST_CASE("limits: what is posted runs, before, under and after them; no wake-up is lost") {
  furca::model::check_all(furca::model::limit_programs());
}

TEST_CASE("guests have numbers of their own, and each finds the deque as the one before it left it") {
  furca::model::check_all(furca::model::guest_programs());
  furca::model::check_all(furca::model::large_guest_programs());
}

TEST_CASE("each order in the pool is needed") {
  CHECK(furca::model::judge(furca::model::weaken_each(furca::model::guest_programs(), "/src/"), kSurvivors));
}
