// The state of an exploration: explorer.cpp goes from run to run, run.cpp through one.
#pragma once

#include "explorer.hpp"
#include "fiber.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <string>

namespace furca::model {

using Threads = unsigned;  // a set, a bit for each
inline constexpr Threads only(std::size_t thread) noexcept { return 1U << thread; }
inline constexpr std::size_t first_of(Threads set) noexcept {
  return static_cast<std::size_t>(std::countr_zero(set));
}

struct Decision {
  bool schedule;  // which thread goes on; else which value
  std::uint8_t taken;
  std::uint8_t options;  // of a value
  std::size_t steps;     // that were taken before
  Threads enabled;       // of a schedule, as all below
  Threads asleep;        // explored elsewhere, on arrival
  Threads wanted;        // to be explored here; grows as races are found further down
  Threads done;          // explored here
};

/// A step that was taken. `clock` counts, for each thread, its steps that come before this one in
/// every equivalent run, and itself.
struct Taken {
  std::uint8_t thread;
  Step step;
  int decision;  // the schedule that let it go; -1: there was nobody else
  Clock clock;

  bool before(const Clock& other) const noexcept { return other.covers(thread, clock.of[thread]); }
};

struct ModelThread {
  enum class State : std::uint8_t { absent, ready, blocked, stuck, ended };
  State state = State::absent;
  int blocked_on = -1;
  std::function<void()>* body = nullptr;
  // not beside state: both are tested all the time, and a load of the two at once has to wait for
  // two stores
  Step next;
  int spurious = 0;
  int yields = 0;
  Clock clock;                         // of its last step, and what made it ready since
  std::array<std::byte, 64> locals{};  // its own of each ThreadLocal, one after the other
};

/// How a run ended.
enum class End : std::uint8_t { complete, redundant, discarded, failed };

/// The one exploration that goes on: the decisions, and the threads of the present run.
class Explorer {
 public:
  Result explore(const std::function<void()>& program, const Options& options);

  // --- called on fibers: nothing here may allocate -----------------------------------------------

  void arrive(Step step) {
    threads_[current_].next = step;
    const std::size_t from = current_;
    const std::size_t to = next_thread();
    if (to != from) {
      change_to(to);
      fibers::switch_to(from, to);
    }
    threads_[from].next = Step{};
  }

  int choose(int options) {
    if (options <= 1) return 0;
    if (at_ == depth_) {
      push({false, 0, static_cast<std::uint8_t>(options), steps_, 0, 0, 0, 0});
      if (replaying_) decisions_[at_].taken = static_cast<std::uint8_t>(next_replayed());
    }
    const Decision& decision = decisions_[at_++];
    if (decision.schedule || decision.options != options || decision.taken >= options) diverged();
    return decision.taken;
  }

  int choose_value(int options) {
    if (stale_ == options_.stale) return 0;
    const int back = choose(options);
    if (back != 0) ++stale_;
    return back;
  }

  [[noreturn]] void end(End how, const char* what = nullptr) {
    end_ = how;
    what_ = what;
    fibers::leave();
  }

  void run_thread(std::size_t index) {
    if (index == 0) {
      (*program_)();
    } else {
      (*threads_[index].body)();
    }
    threads_[index].state = ModelThread::State::ended;
    const std::size_t to = next_thread();
    change_to(to);
    fibers::abandon_for(to);
  }

  std::size_t spawn(std::function<void()>* body) {
    std::size_t child = 1;
    while (child < kMaxThreads && threads_[child].state != ModelThread::State::absent) ++child;
    if (child == kMaxThreads) end(End::failed, "model: too many threads");
    threads_[child] = ModelThread{ModelThread::State::ready, -1, body, {}, options_.spurious, 0,
                                  threads_[current_].clock,  {}};
    memory_.fork(current_, child);
    return child;
  }

  void block(int location) {
    threads_[current_].state = ModelThread::State::blocked;
    threads_[current_].blocked_on = location;
    arrive({});
  }

  void wake_up(int location, int count) {
    for (; count > 0; --count) {
      Threads waiting = 0;
      for (std::size_t i = 0; i < kMaxThreads; ++i)
        if (threads_[i].state == ModelThread::State::blocked && threads_[i].blocked_on == location)
          waiting |= only(i);
      if (waiting == 0) return;
      for (int skip = choose(std::popcount(waiting)); skip > 0; --skip) waiting &= waiting - 1;
      ModelThread& woken = threads_[first_of(waiting)];
      woken.state = ModelThread::State::ready;
      woken.clock.join(threads_[current_].clock);
    }
  }

  Threads others() const {
    Threads all = 0;
    for (std::size_t i = 0; i < kMaxThreads; ++i)
      if (i != current_ && threads_[i].state != ModelThread::State::absent) all |= only(i);
    return all;
  }

  bool has_ended(std::size_t thread) const {
    return threads_[thread].state == ModelThread::State::ended;
  }

  bool spuriously() {
    if (threads_[current_].spurious == 0 || choose(2) == 0) return false;
    --threads_[current_].spurious;
    return true;
  }

  void yield() {
    if (++threads_[current_].yields > options_.yields) discard();
  }

  /// The thread never goes on. The others do, so that all races are found that make the condition
  /// true.
  [[noreturn]] void discard() {
    threads_[current_].state = ModelThread::State::stuck;
    arrive({});
    std::abort();
  }

  void observe(int value) {
    if (observed_count_ == observed_.size()) end(End::failed, "model: too many observations");
    observed_[observed_count_++] = value;
  }

  void note(const Event& event) {
    if (event_count_ == events_.size()) end(End::failed, "model: the trace is full");
    events_[event_count_++] = event;
  }

  void add_thread_local(void* variable, std::size_t bytes) {
    if (thread_local_bytes_ + bytes > threads_[0].locals.size())
      end(End::failed, "model: too many thread-local variables");
    thread_locals_[thread_local_count_++] = {static_cast<std::byte*>(variable), bytes};
    thread_local_bytes_ += bytes;
  }

  bool bounded() const { return options_.preemptions >= 0; }
  std::size_t self() const { return current_; }
  std::uint64_t steps() const { return steps_; }
  Memory& memory() { return memory_; }

 private:
  static constexpr std::size_t kMaxDecisions = 4096;
  // more in one run: a thread goes round in a circle
  static constexpr std::size_t kMaxSteps = 3000;

  End run_once();
  bool backtrack();
  Result explore_all(const Options& options);
  std::size_t next_thread();
  std::size_t decide(Threads enabled);

  bool enabled(const ModelThread& it) const {
    if (it.state != ModelThread::State::ready) return false;
    return it.next.kind != Step::Kind::join || has_ended(static_cast<std::size_t>(it.next.object));
  }

  /// The order of the two steps matters, thread a's x and thread b's y.
  static bool dependent(std::size_t a, const Step& x, std::size_t b, const Step& y) {
    using Kind = Step::Kind;
    const auto accesses = [](const Step& step) {
      return step.kind == Kind::load || step.kind == Kind::write;
    };
    if (accesses(x) && accesses(y))
      return x.object == y.object && (x.kind == Kind::write || y.kind == Kind::write);
    const auto strikes = [](const Step& step, std::size_t thread) {
      return step.kind == Kind::strike && step.object == static_cast<int>(thread);
    };
    if (strikes(x, b) || strikes(y, a)) return true;
    const auto fences = [](const Step& step) {
      return step.kind == Kind::fence || step.kind == Kind::strike;
    };
    return fences(x) && fences(y);
  }

  void take(std::size_t thread, int decision);
  void reverse(const Taken& earlier, std::size_t index, std::size_t thread, const Clock& clock);
  void change_to(std::size_t thread);
  void push(const Decision& decision);
  unsigned next_replayed();
  std::string decisions() const;
  std::string deadlock() const;

  [[noreturn]] void diverged() { end(End::failed, "model: the program is not deterministic"); }

  const std::function<void()>* program_ = nullptr;
  Options options_;
  Memory memory_;

  // One run.
  std::array<ModelThread, kMaxThreads> threads_;
  std::size_t current_ = 0;
  Threads asleep_ = 0;  // what they would do next was explored from an equal state
  int preemptions_ = 0;
  int stale_ = 0;
  std::size_t steps_ = 0;
  End end_ = End::complete;
  const char* what_ = nullptr;
  std::array<int, 64> observed_{};
  std::size_t observed_count_ = 0;
  std::array<Event, 4096> events_;
  std::size_t event_count_ = 0;
  struct ThreadLocal {
    std::byte* variable;
    std::size_t bytes;
  };
  std::array<ThreadLocal, 4> thread_locals_{};
  std::size_t thread_local_count_ = 0;
  std::size_t thread_local_bytes_ = 0;

  // From run to run: the decisions of the last one, and what was left over at each.
  std::array<Decision, kMaxDecisions> decisions_;
  std::size_t depth_ = 0;
  std::size_t at_ = 0;
  std::array<Taken, kMaxSteps> taken_;
  std::size_t repeated_ = 0;  // so many steps are the last run's
  bool replaying_ = false;
  const char* replay_ = nullptr;
};

extern Explorer explorer;

// --- what explorer.hpp declares, here to be inlined: programs of a dozen steps are run millions of

inline std::size_t self() { return explorer.self(); }
inline std::uint64_t steps() { return explorer.steps(); }
inline Memory& memory() { return explorer.memory(); }
inline void arrive(Step step) { explorer.arrive(step); }
inline int choose(int options) { return explorer.choose(options); }
inline int choose_value(int options) { return explorer.choose_value(options); }
inline bool bounded() { return explorer.bounded(); }
inline bool spuriously() { return explorer.spuriously(); }
inline std::size_t spawn(std::function<void()>* body) { return explorer.spawn(body); }
inline void join(std::size_t thread) {
  explorer.arrive({Step::Kind::join, static_cast<int>(thread)});
  explorer.memory().join(explorer.self(), thread);
}
inline void block(int location) { explorer.block(location); }
inline void wake_up(int location, int count) { explorer.wake_up(location, count); }
inline unsigned others() { return explorer.others(); }
inline bool has_ended(std::size_t thread) { return explorer.has_ended(thread); }
inline void fail(const char* what) { explorer.end(End::failed, what); }
inline void yield() { explorer.yield(); }
inline void discard() { explorer.discard(); }
inline void observe(int value) { explorer.observe(value); }
inline void note(const Event& event) { explorer.note(event); }
inline void add_thread_local(void* variable, std::size_t bytes) {
  explorer.add_thread_local(variable, bytes);
}

}  // namespace furca::model
