// Programs that run the shipped deque. Each has an owner, thieves, and the same checks: every task
// is consumed exactly once, what the task points to is seen whole, and no ring is used before it is
// published or after it was freed.
#pragma once

#include "fence_programs.hpp"

#include <furca/deque.hpp>
#include <furca/detail/fork/chain_deque.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace furca::model {

struct Task {
  using earned_by_cas = void;
  int number = -1;
};

/// One that may be stolen together with the one below it. A thief looks at the item above those
/// that it gets, too, so a read is not always earned.
template <std::int64_t most>
struct SiblingOf {
  static constexpr std::int64_t kMostAtOnce = most;
  bool follows() const noexcept { return following; }
  std::int32_t number = -1;
  std::int32_t following = 0;
};
using Sibling = SiblingOf<2>;

using ClassicFence = furca::detail::BasicSeqCstFence<Machine>;

template <class Fence, class Task>
struct ShippedFor {
  using Type = Deque<Task, Fence>;
};
template <class Fence, std::int64_t most>
struct ShippedFor<Fence, SiblingOf<most>> {
  using Type = furca::detail::ChainDeque<SiblingOf<most>, Fence>;
};

/// A deque and the accounts of what went in and came out.
template <class Fence, class Task = model::Task>
class Scene {
 public:
  explicit Scene(std::size_t capacity) : deque_(capacity) {}

  void push() {
    const int number = pushed_++;
    payloads_[number].set(number + 1);
    deque_.offer(Task{number});
  }
  void push_following() {
    if constexpr (kSeveral) {
      const int number = pushed_++;
      payloads_[number].set(number + 1);
      deque_.offer_following(Task{number, 1});
    }
  }
  /// From here on the owner takes only what it pushes from here on.
  void open_frame() {
    least_ = deque_.end();
    oldest_ = pushed_;
  }
  void pop() {
    if (const std::optional<Task> task = pop_any()) {
      check(oldest_ == 0 || task->number >= oldest_, "the owner took what is not its frame's");
      consume(*task);
    }
  }
  void expect_thieves() { deque_.expect_thieves(); }
  void steal() {
    if constexpr (kSeveral) {
      std::array<Task, Task::kMostAtOnce> tasks;
      const auto count = static_cast<std::size_t>(deque_.steal_several(tasks));
      for (std::size_t i = 0; i < count; ++i) consume(tasks[i]);
    } else if (const Steal<Task> got = deque_.steal()) {
      consume(got.item);
    }
  }

  /// When all threads have ended: what is left must be all that was not consumed.
  void finish() {
    least_ = oldest_ = 0;
    while (const std::optional<Task> task = pop_any()) consume(*task);
    for (int number = 0; number < pushed_; ++number) check(consumed_[number], "a task was lost");
  }

 private:
  static constexpr int kMost = 8;
  static constexpr bool kSeveral = requires { Task::kMostAtOnce; };

  std::optional<Task> pop_any() {
    if constexpr (kSeveral) {
      Task task;
      return deque_.pop_from(least_, task) ? std::optional(task) : std::nullopt;
    } else {
      return deque_.pop();
    }
  }
  void consume(Task task) {
    check(task.number >= 0 && task.number < pushed_, "a task that nobody pushed");
    check(!consumed_[task.number], "a task was consumed twice");
    consumed_[task.number] = true;
    check(payloads_[task.number].get() == task.number + 1, "a task without its payload");
  }

  typename ShippedFor<Fence, Task>::Type deque_;
  Plain<int> payloads_[kMost];
  typename Deque<Task, Fence>::Index least_ = 0;
  int oldest_ = 0;
  int pushed_ = 0;  // the owner's, and read when a task has been received
  bool consumed_[kMost] = {};
};

/// The owner's part is a string of pushes and pops, as "++-", with an e where it expects thieves, a
/// * for a push of what follows, and an f where a frame opens; a thief's is how often it steals.
/// What `before` has, and a first steal if it is to be armed, is done before the threads start, so
/// that the courses are spent on what follows.
struct Play {
  const char* name;
  std::size_t capacity;
  const char* before;
  bool armed;
  const char* owner;
  int steals;
  int steals_of_second = 0;
};

template <class Fence, class Task = model::Task>
std::function<void()> played(const Play& play) {
  return [play] {
    Scene<Fence, Task> scene(play.capacity);
    const auto own = [&scene](const char* steps) {
      for (const char* step = steps; *step != '\0'; ++step) switch (*step) {
          case '+':
            scene.push();
            break;
          case '*':
            scene.push_following();
            break;
          case 'e':
            scene.expect_thieves();
            break;
          case 'f':
            scene.open_frame();
            break;
          default:
            scene.pop();
        }
    };
    const auto thief = [&scene](int count) {
      for (; count > 0; --count) scene.steal();
    };
    own(play.before);
    if (play.armed) thief(1);
    Thread first([&] { thief(play.steals); });
    std::optional<Thread> second;
    if (play.steals_of_second > 0) second.emplace([&] { thief(play.steals_of_second); });
    own(play.owner);
    first.join();
    if (second) second->join();
    scene.finish();
  };
}

/// What the classic deque is shown with.
inline const Play kClassicPlays[] = {
    {"the last two items", 2, "", false, "++--", 2},
    {"two thieves", 2, "", false, "++-", 1, 1},
    {"growing twice", 1, "", false, "+++", 1},
    {"the only slot again", 1, "", false, "+-+", 2},
    {"growing, then a pop", 1, "", false, "+++-", 2},
    {"growing once", 2, "", false, "+++", 1},
    {"a pop of nothing", 2, "", false, "+--", 1},
    {"a pop before the first push", 2, "", false, "-+", 1},
    {"pops and pushes in turn", 2, "", false, "++-+-", 2},
};

/// And the adaptive one: quiet, arming, armed, going quiet.
inline const Play kAdaptivePlays[] = {
    {"arming while the owner pops", 2, "++", false, "-", 2},
    {"a pop, and the owner arms", 2, "++", false, "-e", 1},
    {"the owner arms, and pops", 2, "++", false, "e-", 1},
    {"arming while the owner pops the last", 2, "++", false, "--", 1},
    {"going quiet under a thief", 4, "+++", true, "--", 1},
    {"growing twice", 1, "", false, "+++", 1},
    {"the only slot again", 1, "", false, "+-+", 2},
    {"growing once", 2, "", false, "+++", 1},
    {"a pop of nothing", 2, "", false, "+--", 1},
    {"a pop before the first push", 2, "", false, "-+", 1},
};

/// Of what follows the thief takes two at once.
inline const Play kPlaysOfSeveral[] = {
    {"two of three, and a pop", 4, "+**", false, "-", 1},
    {"two of three, and two pops", 4, "+**", false, "--", 1},
    {"two of four, and pops from far to near", 4, "+***", false, "--", 1},
    {"what is pushed where another one was", 4, "+", false, "++--*", 1},
    {"two pushes and a pop", 4, "", false, "+*-", 1},
    {"a pop, and a push, and the ring is full", 2, "+*", false, "-**", 1},
};

inline std::vector<Program> deque_programs() {
  std::vector<Program> programs;
  for (const Play& play : kClassicPlays)
    programs.push_back({std::string("classic deque: ") + play.name, played<ClassicFence>(play)});
  for (const Play& play : kAdaptivePlays)
    programs.push_back({std::string("adaptive deque: ") + play.name, played<HastyFence>(play)});
  for (const Play& play : kPlaysOfSeveral)
    programs.push_back({std::string("several: ") + play.name, played<ClassicFence, Sibling>(play)});
  // so near to the top that it would be the oldest's turn
  programs.push_back({"several: pops in a frame above others",
                      played<ClassicFence, SiblingOf<3>>({"", 4, "+", false, "f+*--", 1})});
  return programs;
}

/// Taken to the end too, but too long for the mutations: five million courses.
inline std::vector<Program> long_deque_programs() {
  return {
      {"adaptive deque: going quiet under a thief who comes twice",
       played<HastyFence>({"", 4, "++++", true, "--", 2})},
  };
}

/// Too many courses: explored with few preemptions, which proves nothing and finds most.
inline std::vector<Program> large_deque_programs() {
  return {
      {"classic deque: growing under two thieves",
       played<ClassicFence>({"", 1, "", false, "++-+", 2, 1}), with_preemptions(2)},
      {"adaptive deque: arming while the owner pushes and pops",
       played<HastyFence>({"", 2, "", false, "++--", 2}), with_preemptions(2)},
      {"several, adaptive: two of three, and two pops",
       played<HastyFence, Sibling>({"", 4, "+**", false, "--", 1}), with_preemptions(2)},
      {"several, adaptive: going quiet under a thief",
       played<HastyFence, Sibling>({"", 4, "++***", true, "--", 1}), with_preemptions(2)},
      {"several: two thieves", played<ClassicFence, Sibling>({"", 4, "+***", false, "--", 1, 1}),
       with_preemptions(2)},
      {"adaptive deque: two thieves", played<HastyFence>({"", 2, "", false, "++-", 1, 1}),
       with_preemptions(2)},
      {"adaptive deque: going quiet under two thieves",
       played<HastyFence>({"", 4, "++++", true, "--", 1, 1}), with_preemptions(2)},
  };
}

}  // namespace furca::model
