// The shipped pool, workers and join, whole, on the model's machine.
#include "checker/checked.hpp"
#include "checker/mutation.hpp"
#include "programs/kept_programs.hpp"
#include "programs/loop_programs.hpp"
#include "programs/pool_programs.hpp"
#include "programs/waiting_programs.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

constexpr const char* kFollowedByWrites =
    "what follows are read-modify-writes of words that who listens or sleeps reads, too: a fence "
    "that releases would do";

const std::vector<furca::model::Survivor> kSurvivors = {
    {"outside_tasks.hpp", "while (passing_.load(", "",
     "matters only after a task from outside; see pool_gone_while_posting in "
     "seeded/pool.txt"},
    {"team.cpp", "[mail.Q5]", "", kFollowedByWrites},
    {"roll_call.cpp", "state_.store(", "",
     "matters only to a start_hook, which reads the pool's size when a thread was refused: nothing "
     "here refuses one"},
    {"tally.hpp", "tally.ended_.load(", "",
     "matters only after a task; it has programs of its own, in model_tally_test"},
};

/// Where the waiter's fence is a heavy one it is a fence of the other thread's too. That thread
/// need not be one of the pool's, so it has a fence all the same.
std::vector<furca::model::Survivor> of_this_machine(const char* file) {
  if (!furca::detail::Atomics::asymmetric()) return {};
  constexpr const char* kHeavy =
      "the waiter's heavy fence does what it does; without membarrier it is needed";
  return {{file, "Atomics::fence();", "", kHeavy}};
}

constexpr const char* kFreesOnly =
    "guards memory that is freed, which the checker does not see; AddressSanitizer does";
constexpr const char* kLatchToo =
    "whoever finds that the task is over looks at its latch next, which says the same";
constexpr const char* kLinksOnly =
    "guards plain links, which the checker does not see; ThreadSanitizer does";

/// Without membarrier a look at the bell is a fence, which here hands over what the exchange does.
std::vector<furca::model::Survivor> kept_survivors() {
  std::vector<furca::model::Survivor> survivors = {
      {"shared_task.hpp", "word_.fetch_add(kEmpty - kParty", "", kFreesOnly},
      {"shared_task.hpp", "continuation_.compare_exchange_strong(", "failing, acquire -> relaxed",
       kLatchToo},
      {"shared_task.cpp", "continuation_.exchange(",
       FURCA_MODEL_ASYMMETRIC ? "acq_rel -> acquire" : "", kLatchToo},
      {"per_worker.hpp", "slot.load(std::memory_order_acquire)", "", kLinksOnly},
      {"per_worker.hpp", "slot.compare_exchange_weak(", "", kLinksOnly},
  };
  if (!furca::detail::Atomics::asymmetric())
    survivors.push_back({"shared_task.hpp", "word_.fetch_sub(kParty", "acq_rel -> acquire",
                         "who has run something passes the fence of tell_resting() before; with "
                         "membarrier that is none"});
  return survivors;
}

/// thread_limit.cpp is not here: its list is under a lock, and it has no order of its own. What a
/// limit does is in pool.cpp.
std::vector<furca::model::Survivor> task_survivors() {
  std::vector<furca::model::Survivor> survivors = {
      {"team.cpp", "[mail.Q5]", "", kFollowedByWrites},
      {"task_thread.cpp", "[task_thread.Q1]", "",
       "takes over what a start that failed has left: none fails here"},
      {"task_thread.cpp", "State::started, std::memory_order_release)", "",
       "hands over a plain member to retire(), which only the global pool calls; there is none "
       "here"},
  };
  if (furca::detail::Atomics::asymmetric()) {
    for (const char* file : {"outside_tasks.hpp", "working_waits.cpp"})
      survivors.push_back(
          {file, "Atomics::fence();", "",
           "the sleeper's heavy fence does what it does; without membarrier it is needed"});
  } else {
    survivors.push_back(
        {"pool.cpp", "[limit.Q8]", "",
         "the fence of ring_all() [mail.Q5], which comes before it, does what it does; "
         "with membarrier it is needed"});
    survivors.push_back({"working_waits.cpp", "Atomics::light_fence() : Atomics::fence();", "",
                         "no task is left in these programs, so tell_if_idle() tells as well"});
  }
  return survivors;
}

/// Of the programs of tasks and limits the few that are known to see an order: with all of them
/// this would take minutes.
std::vector<furca::model::Program> those_that_see_orders(
    const std::vector<furca::model::Program>& all) {
  std::vector<furca::model::Program> some;
  for (const furca::model::Program& program : all)
    for (const char* part :
         {"a coroutine goes to the pool and back", "who posts from outside may still be at it",
          "a guest waits for one task after the other", "one that was only counted",
          "seats: ", "is told of it by a thread", "limits: awaited"})
      if (program.name.find(part) != std::string::npos) some.push_back(program);
  return some;
}

std::vector<furca::model::Program> both(std::vector<furca::model::Program> some,
                                        const std::vector<furca::model::Program>& others) {
  some.insert(some.end(), others.begin(), others.end());
  return some;
}

}  // namespace

TEST_CASE(
    "joins on a pool: each arm once, awaited, and helped with by its forker alone; no wake-up is "
    "lost") {
  furca::model::check_all(furca::model::started_thread_programs());
}

TEST_CASE("scopes: each task once, all awaited; no wake-up is lost") {
  furca::model::check_all(furca::model::scope_programs());
}

TEST_CASE("open tasks: each once, and awaited by all who wait; no wake-up is lost") {
  furca::model::check_all(furca::model::open_task_programs());
  furca::model::check_all(furca::model::awaited_open_task_programs());
}

TEST_CASE(
    "events: who waits sees what was done before, answers mail, and sleeps through neither; "
    "nothing is touched once it returns") {
  furca::model::check_all(furca::model::event_programs());
}

TEST_CASE("scopes: a stolen task waits for something else, and its thread helps others meanwhile") {
  furca::model::check_all(furca::model::serving_programs());
}

TEST_CASE("detached tasks: each once, and all of them; no wake-up is lost") {
  furca::model::check_all(furca::model::task_programs());
}

TEST_CASE("detached tasks on three threads: longer programs") {
  furca::model::check_all(furca::model::long_task_programs());
}

TEST_CASE("memory for tasks: a block comes back to its worker with all that was done in it") {
  furca::model::check_all(furca::model::task_memory_programs());
}

TEST_CASE("retired: at exit no thread counts as in a job that others know to have ended") {
  furca::model::check_all(furca::model::retired_programs());
}

TEST_CASE("limits: what is posted runs, before, under and after them; no wake-up is lost") {
  furca::model::check_all(furca::model::limit_programs());
}

TEST_CASE(
    "loops: each step once, all awaited, results in order; nothing is touched once the call "
    "returns or throws") {
  furca::model::check_all(furca::model::loop_programs());
}

TEST_CASE("loops with a portion for each thread: the same, whoever comes for his portion") {
  furca::model::check_all(furca::model::placed_loop_programs());
}

TEST_CASE(
    "what users keep in the library: each thread has a value of its own, and what a task holds is "
    "destroyed once, and late enough") {
  furca::model::check_all(furca::model::per_worker_programs());
  furca::model::check_all(furca::model::shared_task_programs());
}

TEST_CASE(
    "guests have numbers of their own, and each finds the deque as the one before it left it") {
  furca::model::check_all(furca::model::guest_programs());
  furca::model::check_all(furca::model::large_guest_programs());
}

TEST_CASE("each order in the pool is needed") {
  CHECK(furca::model::judge(
      furca::model::weaken_each(furca::model::guest_programs(),
                                {"guests.", "fork/team.", "src/pool/roll_call", "queues/"}),
      kSurvivors));
}

TEST_CASE("each order of events and open tasks is needed") {
  using namespace furca::model;
  const std::vector<Program> programs = both(event_programs(), awaited_open_task_programs());
  CHECK(judge(weaken_each(programs, {"event.", "open_tasks."}), of_this_machine("event.cpp")));
}

TEST_CASE("each order of scopes is needed, where nothing throws") {
  using namespace furca::model;
  std::vector<Program> programs = serving_programs();
  for (const Program& program : scope_programs())
    if (program.options.preemptions == 1 && program.name.find("guest") == std::string::npos)
      programs.push_back(program);
  CHECK(judge(weaken_each(programs, {"scope_state.", "scope_help.hpp"}),
              of_this_machine("scope_help.hpp")));
}

TEST_CASE("each order of what users keep in the library is needed") {
  using namespace furca::model;
  const std::vector<Program> programs = both(per_worker_programs(), shared_task_programs());
  CHECK(judge(weaken_each(programs, {"per_worker.hpp", "shared_task."}), kept_survivors()));
}

TEST_CASE("each order of tasks and limits is needed") {
  using namespace furca::model;
  const std::vector<Program> programs =
      both(task_memory_programs(), those_that_see_orders(both(task_programs(), limit_programs())));
  CHECK(judge(
      weaken_each(programs, {"pool/pool.", "fork/team.", "outside_tasks.hpp", "working_waits.",
                             "task_thread.", "detail/fork/task_memory.hpp"}),
      task_survivors()));
}
