// Is each memory order needed? Every one in the deque, the fences, the latch, the bell and the
// sleep protocol is weakened by one step, one at a time, and some program must fail. What survives
// is listed with the reason; that it survives is checked too.
#include "checker/mutation.hpp"
#include "programs/deque_programs.hpp"
#include "programs/fence_programs.hpp"
#include "programs/latch_programs.hpp"
#include "programs/sleep_programs.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace {

using namespace furca::model;

constexpr const char* kLoadBuffering =
    "matters only where a later store becomes visible before an earlier read-modify-write; see "
    "README.md, load buffering";
constexpr const char* kFenced =
    "follows a fence, but where the item is the last and no thief has come";
constexpr const char* kFirstLook =
    "kept for speed: without it the woken thread may have to look a second time";

/// Files whose orders are weakened.
const std::vector<const char*> kParts = {"include/furca/", "fork/sleep.hpp"};

const std::vector<Survivor> kSurvivors = {
    {"deque_thieves.hpp", "bottom_.store(won ? b + 1 : t", "", kLoadBuffering},
    {"deque_thieves.hpp", "bottom_.store(b + 1, std::memory_order_release);  // [deque.P5]", "",
     kFenced},
    {"deque_thieves.hpp", "bottom_.store(bottom_.load(", "", kLoadBuffering},
    {"sleep.hpp", "permits_.fetch_add(count", "", kFirstLook},
    {"sleep.hpp", "permits_.fetch_sub(", "", kFirstLook},
};

std::vector<Program> all_of(const std::vector<std::vector<Program>>& groups) {
  std::vector<Program> all;
  for (const std::vector<Program>& group : groups)
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

std::vector<Program> short_programs() {
  return all_of({fence_programs(), large_fence_programs(), deque_programs(), latch_programs(),
                 sleep_programs()});
}

}  // namespace

TEST_CASE("weakenings of single orders are noticed, but for those that are known not to matter") {
  const std::vector<Program> programs = short_programs();
  const std::vector<Verdict> verdicts = weaken_each(programs, kParts);
  CHECK(judge(verdicts, kSurvivors));
  CHECK(survive_together(verdicts, programs));
}

TEST_CASE("orders that are known not to matter do not stand in for each other: longer programs") {
  const std::vector<Verdict> verdicts = weaken_each(short_programs(), kParts);
  CHECK(survive_together(
      verdicts, all_of({large_deque_programs(), large_join_programs(), large_sleep_programs()})));
}
