// Is each memory order needed? Every one in the deque, the fences, the latch, the bell and the sleep protocol is weakened by
// one step, one at a time, and some program must fail. What survives is listed with the reason; that it survives is checked
// too.
#include "deque_programs.hpp"
#include "fence_programs.hpp"
#include "latch_programs.hpp"
#include "mutation.hpp"
#include "sleep_programs.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace {

using namespace furca::model;

constexpr const char* kFenced =
    "a fence that is needed for another reason stands between this and all that it would have to be ordered with: [V2] and [T2] "
    "in the "
    "thief, [A2] around the arming, [Q2] in the owner";
constexpr const char* kLoadBuffering =
    "matters only where a later store becomes visible before an earlier read-modify-write; see README.md, load buffering";
constexpr const char* kNoData =
    "the word hands over no data: jobs travel by the deque and outcomes by the latch, and what a wake-up must see is ordered by "
    "the heavy "
    "fence";
constexpr const char* kNothingToSee = "a thread that is told to stop reads nothing that was written for it before";

const std::vector<Survivor> kSurvivors = {
    {"deque.hpp", "bottom_.store(won ? b + 1 : t", "", kLoadBuffering},
    {"deque.hpp", "bottom_.store(bottom_.load(", "", kLoadBuffering},
    {"fence.hpp", "visitors_.fetch_add(", "", kFenced},
    {"fence.hpp", "mode_.load(std::memory_order_acquire", "", kFenced},
    {"fence.hpp", "visitors_.fetch_sub(", "",
     "[T2] is a release fence too; the CAS of top that comes after it is the last, and is settled at [P4]"},
    {"fence.hpp", "mode_.compare_exchange_strong(seen, kArming", "", kFenced},
    {"fence.hpp", "mode_.exchange(kArmed", "", kFenced},
    {"fence.hpp", "mode_.compare_exchange_strong(seen, kQuiet", "", kFenced},
    {"fence.hpp", "mode_.compare_exchange_strong(seen, kArmed", "",
     "the owner only takes back its own [Q1], and pops unfenced in between never"},
    {"sleep.hpp", "state_.store(threads * kLooking", "", "the threads are started after it"},
    {"sleep.hpp", "state_.compare_exchange_weak(state, state - kAsleep + kLooking", "", kNoData},
    {"sleep.hpp", "state_.fetch_sub(kLooking, ", "", kNoData},
    {"sleep.hpp", "state_.fetch_add(kAsleep - kLooking", "", kNoData},
    {"sleep.hpp", "stopping_.store(true", "", kNothingToSee},
    {"sleep.hpp", "stopping_.load(", "", kNothingToSee},
    {"sleep.hpp", "A::fence();                                        // [F2]", "",
     "stop() changes the same word as [S1] by a read-modify-write: the later of the two sees the earlier, and acquires what came "
     "before"},
    {"sleep.hpp", "state_.compare_exchange_weak(state, state + asleep(state)", "",
     "[F2] does the same; one of the two would be enough"},
    {"sleep.hpp", "permits_.fetch_add(", "", kNoData},
    {"sleep.hpp", "permits_.compare_exchange_weak(", "", kNoData},
    {"sleep.hpp", "word_.fetch_add(kRing - kListening", "", kNoData},
    {"sleep.hpp", "word_.fetch_or(kListening", "", kNoData},
};

std::vector<Program> all_of(const std::vector<std::vector<Program>>& groups) {
  std::vector<Program> all;
  for (const std::vector<Program>& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

}  // namespace

TEST_CASE("weakenings of single orders are noticed, but for those that are known not to matter") {
  const std::vector<Program> programs = all_of({fence_programs(), deque_programs(), latch_programs(), sleep_programs()});
  const std::vector<Verdict> verdicts = weaken_each(programs);
  CHECK(judge(verdicts, kSurvivors));
  CHECK(survive_together(verdicts, programs));
  CHECK(survive_together(
      verdicts, all_of({large_fence_programs(), large_deque_programs(), large_join_programs(), large_sleep_programs()})));
}
