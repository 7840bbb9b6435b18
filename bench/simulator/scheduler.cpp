// The machine, and the side of a worker that runs the program.
#include "scheduler.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace simulator {

Time Outcome::total(Activity activity) const {
  return std::accumulate(spent.begin(), spent.end(), Time{0},
                         [&](Time sum, const auto& of_worker) { return sum + of_worker[static_cast<std::size_t>(activity)]; });
}

double Outcome::idle() const {
  const Time idle = total(Activity::look) + total(Activity::wait) + total(Activity::sleep);
  return static_cast<double>(idle) / (static_cast<double>(time) * static_cast<double>(spent.size()));
}

Scheduler::Scheduler(const Tree& tree, const Setting& setting)
    : tree_(tree), setting_(setting), costs_(setting.costs), workers_(setting.workers) {
  outcome_.spent.resize(setting.workers);
  state_.give_all();
  permits_line_.give_all();
  for (Worker& w : workers_) {
    w.id = static_cast<Id>(&w - workers_.data());
    w.bottom_line.give(w.id);
    w.top_line.give(w.id);
    w.bell_line.give(w.id);
    w.random = (w.id * 2654435769U + 1U) ^ static_cast<std::uint32_t>(setting.seed * 0x9E3779B97F4A7C15U >> 32U);
    if (w.random == 0) w.random = 1;
    ++running_;
    if (w.id == 0) {
      w.next = tree.root();
      schedule(w);
    } else if (setting.start == Start::looking) {
      ++looking_;
      look_again(w);
      schedule(w);
    } else {
      ++asleep_;
      w.at = At::use_permit;
      sleepers_.push_back(w.id);
      block(w);
    }
  }
}

Outcome Scheduler::run() {
  while (!done_) {
    check(!agenda_.empty(), "somebody can go on");
    Worker& w = workers_[agenda_.top().second];
    agenda_.pop();
    if (w.woken) {
      w.woken = false;
      ++running_;
    }
    // Its steps for as long as nobody else's come first.
    do {
      if (w.late != 0) {
        spend(w, std::exchange(w.late, 0), Activity::interrupt);
      } else {
        step(w);
      }
    } while (!done_ && !w.blocked && (agenda_.empty() || std::pair(w.time, w.id) < agenda_.top()));
    if (!w.blocked) schedule(w);
  }
  outcome_.time = workers_[0].time;
  for (const Worker& w : workers_) {
    std::array<Time, kActivities>& spent = outcome_.spent[w.id];
    if (w.blocked) {
      spent[static_cast<std::size_t>(Activity::sleep)] += outcome_.time - w.time;
    } else {
      spent[static_cast<std::size_t>(w.doing)] -= w.time - outcome_.time;  // the step that it is at ends later
    }
  }
  return outcome_;
}

void Scheduler::step(Worker& w) {
  if (w.at < At::ring) {
    step_program(w);
  } else if (w.at < At::look_around) {
    step_waker(w);
  } else if (w.at < At::pause) {
    step_thief(w);
  } else if (w.at < At::wait) {
    step_sleeper(w);
  } else {
    step_waiter(w);
  }
}

/// All that one step spends is of one activity: see the end of run().
void Scheduler::spend(Worker& w, Time time, Activity activity) {
  w.time += time;
  w.doing = activity;
  outcome_.spent[w.id][static_cast<std::size_t>(activity)] += time;
}

void Scheduler::load(Worker& w, Line& line, At next, Activity activity) {
  w.at = next;
  spend(w, line.read(w.id, w.time, costs_.transfer, costs_, outcome_.traffic) - w.time, activity);
}

/// A load whose value only tells whether to look further.
void Scheduler::look(Worker& w, Line& line, At next) {
  w.at = next;
  spend(w, line.read(w.id, w.time, costs_.look_miss, costs_, outcome_.traffic) - w.time, idling(w));
}

void Scheduler::store(Worker& w, Line& line, At next, Activity activity) {
  w.at = next;
  spend(w, line.write(w.id, w.time, costs_, outcome_.traffic) - w.time, activity);
}

/// One at a time, as the kernel serialises them.
void Scheduler::heavy_fence(Worker& w, At next, Activity activity) {
  const bool shares = setting_.heavy == Heavy::shared && membarrier_start_ > w.time;
  if (!shares) {
    membarrier_start_ = std::max(w.time, membarrier_free_);
    membarrier_free_ = membarrier_start_ + costs_.heavy + costs_.heavy_each * (running_ - 1);
    for (Worker& other : workers_)
      if (&other != &w && !other.blocked && !other.woken) other.late += costs_.interrupt;
    ++outcome_.membarriers;
  }
  outcome_.traffic[static_cast<std::size_t>(Word::membarrier)].add(membarrier_start_ - w.time);
  w.at = next;
  spend(w, membarrier_free_ - w.time, activity);
}

void Scheduler::block(Worker& w) {
  w.blocked = true;
  --running_;
}

void Scheduler::unblock(Worker& w, Time now) {
  check(w.blocked && w.time <= now, "a thread that is woken sleeps");
  w.blocked = false;
  w.woken = true;
  spend(w, now + costs_.wake_up - w.time, Activity::sleep);
  schedule(w);
}

void Scheduler::check(bool holds, const char* what) const {
  if (!holds) throw std::logic_error(tree_.name() + ", P = " + std::to_string(workers_.size()) + ": not true: " + what);
}

Scheduler::Id Scheduler::new_job(Worker& w) {
  if (free_jobs_.empty()) {
    free_jobs_.push_back(static_cast<Id>(jobs_.size()));
    jobs_.emplace_back();
  }
  const Id id = free_jobs_.back();
  free_jobs_.pop_back();
  Job& job = jobs_[id];
  const Frame& frame = w.frames.back();
  job.what = frame.what;
  // The middle, moved to a multiple of a power of two, as the splitter does.
  const std::uint64_t length = frame.what.hi - frame.what.lo;
  const std::uint64_t middle = (frame.what.lo + length / 2) & ~(std::bit_floor(length / 16 + 1) - 1);
  if (frame.what.loop) job.what.lo = middle > frame.what.lo ? middle : frame.what.lo + length / 2;
  job.latch.give(w.id);
  job.forked_in = w.job;
  job.taker = kNone;
  job.set = false;
  return id;
}

void Scheduler::step_program(Worker& w) {
  switch (w.at) {
    case At::begin: return begin(w);
    case At::returned: return returned(w);
    case At::fork:
      spend(w, costs_.fork, Activity::fork);
      return store(w, w.bottom_line, At::pushed, Activity::fork);
    case At::pushed: return push(w);
    case At::bell_seen:
      w.then = At::attended;
      w.at = w.listened_to ? At::ring : w.told || setting_.count == Count::state ? At::attended : At::forked;
      return;
    case At::attended:
      if (w.told && setting_.count != Count::state) return store(w, w.bell_line, At::forgotten, Activity::fork);
      ++outcome_.asked;
      return load(w, state_, At::state_seen, Activity::fork);
    case At::forgotten:
      w.told = false;
      w.at = At::attended;
      return spend(w, costs_.fence, Activity::fork);
    case At::state_seen:
      w.then = At::forked;
      if (must_wake()) return about_to_wake(w);
      w.at = At::forked;
      return;
    case At::forked:
      check(looking_ > 0 || asleep_ == 0 || w.told || minding_ > 0, "a fork leaves nobody asleep who will not be woken");
      if (w.frames.back().kind == Frame::Kind::loop) {
        Frame lower = w.frames.back();
        lower.stage = Frame::Stage::before;
        lower.what.hi = jobs_[lower.job].what.lo;
        w.frames.push_back(lower);
        w.at = At::loop;
      } else {
        w.at = At::begin;
      }
      return;
    case At::take: return store(w, w.bottom_line, At::lowered, Activity::fork);
    case At::lowered:
      check(w.frames.back().at < w.bottom, "what is taken is the newest");
      w.bottom = w.frames.back().at;
      return load(w, w.top_line, At::top_seen, Activity::fork);
    case At::top_seen:
      if (w.mode == Mode::quiet) return settle(w);
      w.at = At::fenced;
      return spend(w, costs_.fence, Activity::fork);
    case At::fenced: return count_down(w);
    case At::quieted:
      if (w.visitors != 0) {
        w.left = w.patience;
      } else if (w.mode == Mode::armed) {
        w.mode = Mode::quiet;
        w.quiet_since = w.time;
      }
      return settle(w);
    case At::last_item: {
      const bool won = w.top == w.bottom;
      if (won) ++w.top;
      w.bottom = w.top;
      return took(w, won);
    }
    case At::loop: return loop(w);
    case At::own_deque_seen: {
      const Stretch& what = w.frames.back().what;
      if (!empty(w) || what.hi - what.lo < 2 || (what.hi - what.lo) * what.mean < 4'000) return run_chunk(w);
      if (setting_.count == Count::loops) return load(w, w.bell_line, At::loop_bell_seen, Activity::fork);
      return load(w, state_, At::loop_state_seen, Activity::fork);
    }
    case At::loop_bell_seen:
      if (w.told) return load(w, state_, At::loop_state_seen, Activity::fork);
      w.at = At::fork;
      return;
    default: {
      const Stretch& what = w.frames.back().what;
      if (must_wake() && (what.hi - what.lo) * what.mean < 12'000) return run_chunk(w);
      w.at = At::fork;
      return;
    }
  }
}

void Scheduler::begin(Worker& w) {
  const Node node = w.next;
  const Plan plan = tree_.plan(node);
  outcome_.marks += mark(node);
  w.at = At::returned;
  if (plan.kind != Plan::Kind::work) {
    Frame frame;
    frame.what = {node, 0, plan.count, plan.mean, plan.kind == Plan::Kind::loop, plan.nested};
    frame.after = plan.after;
    frame.kind = Frame::Kind::sequence;
    if (plan.kind == Plan::Kind::loop) {
      frame.kind = Frame::Kind::loop;
      w.at = At::loop;
    } else if (plan.kind == Plan::Kind::fork) {
      frame.kind = Frame::Kind::fork;
      frame.what = {plan.second, 0, 0, 0, false, false};
      w.next = plan.first;
      w.at = At::fork;
    }
    w.frames.push_back(frame);
  }
  spend(w, plan.before, Activity::work);
}

/// What was begun last has ended: on with the frame below it.
void Scheduler::returned(Worker& w) {
  if (w.frames.empty()) {
    done_ = true;
    return;
  }
  Frame& frame = w.frames.back();
  if (frame.stage == Frame::Stage::first) {
    w.at = At::take;
  } else if (frame.kind == Frame::Kind::job) {
    w.at = At::finish;
  } else if (frame.kind == Frame::Kind::fork) {
    joined(w);
  } else if (frame.kind == Frame::Kind::loop) {
    if (frame.left == 0) {
      w.at = At::loop;
    } else {
      run_chunk(w);
    }
  } else if (frame.what.lo == frame.what.hi) {
    w.frames.pop_back();
  } else {
    w.next = tree_.child(frame.what.node, frame.what.lo++);
    w.at = At::begin;
  }
}

void Scheduler::push(Worker& w) {
  ++outcome_.forks;
  if (w.bottom - w.top >= static_cast<Index>(w.slots.size())) {
    std::vector<Id> bigger(2 * w.slots.size());
    for (Index i = w.top; i < w.bottom; ++i)
      bigger[static_cast<std::size_t>(i) % bigger.size()] = w.slots[static_cast<std::size_t>(i) % w.slots.size()];
    w.slots.swap(bigger);
  }
  const Id job = new_job(w);
  Frame& frame = w.frames.back();
  frame.job = job;
  frame.stage = Frame::Stage::first;
  frame.at = w.bottom;
  w.slots[static_cast<std::size_t>(w.bottom) % w.slots.size()] = job;
  ++w.bottom;
  load(w, w.bell_line, At::bell_seen, Activity::fork);
}

/// BasicAdaptiveFence::look_while_armed.
void Scheduler::count_down(Worker& w) {
  if (w.left == 0) {
    const bool soon = w.quiet_since != 0 && w.time - w.quiet_since < costs_.soon;
    w.patience = !soon ? costs_.patience : w.patience < costs_.most_patience ? 2 * w.patience : w.patience;
    w.left = w.patience;
  }
  if (--w.left != 0) return settle(w);
  if (w.mode == Mode::armed) return store(w, w.top_line, At::quieted, Activity::fork);
  w.left = 1;
  settle(w);
}

void Scheduler::settle(Worker& w) {
  if (w.top < w.bottom) return took(w, true);
  if (w.top == w.bottom) return store(w, w.top_line, At::last_item, Activity::fork);
  w.bottom = w.top;
  took(w, false);
}

void Scheduler::took(Worker& w, bool won) {
  Frame& frame = w.frames.back();
  if (!won) {
    check(empty(w), "a worker that waits has an empty deque");
    frame.stage = Frame::Stage::waiting;
    w.round = 0;
    w.at = At::wait;
    return;
  }
  free_jobs_.push_back(frame.job);
  if (frame.kind == Frame::Kind::loop) {
    frame.stage = Frame::Stage::before;
    frame.what.lo = jobs_[frame.job].what.lo;
    w.at = At::loop;
  } else {
    frame.stage = Frame::Stage::second;
    w.next = frame.what.node;
    w.at = At::begin;
  }
}

/// Both arms of the top frame have ended, or both halves.
void Scheduler::joined(Worker& w) {
  const Frame frame = w.frames.back();
  w.frames.pop_back();
  w.at = At::returned;
  spend(w, frame.after, Activity::work);
}

void Scheduler::loop(Worker& w) {
  const Stretch& what = w.frames.back().what;
  if (what.lo >= what.hi) {
    w.frames.pop_back();
    w.at = At::returned;
  } else if (workers_.size() == 1) {
    run_chunk(w);
  } else {
    load(w, w.top_line, At::own_deque_seen, Activity::fork);
  }
}

/// Two microseconds' worth of iterations. Of a nested loop: the next one of these.
void Scheduler::run_chunk(Worker& w) {
  Frame& frame = w.frames.back();
  Stretch& what = frame.what;
  const std::uint64_t chunk = std::min(what.hi - what.lo, 2'000 / std::max<Time>(what.mean, 1) + 1);
  if (what.nested) {
    frame.left = (frame.left == 0 ? chunk : frame.left) - 1;
    outcome_.marks += mark(what.node, what.lo, what.lo + 1);
    w.next = tree_.child(what.node, what.lo++);
    w.at = At::begin;
    return;
  }
  outcome_.marks += mark(what.node, what.lo, what.lo + chunk);
  const Time cost = tree_.cost(what.node, what.lo, what.lo + chunk);
  what.lo += chunk;
  w.at = At::loop;
  spend(w, cost, Activity::work);
}

Outcome simulate(const Tree& tree, const Setting& setting, const Totals& totals) {
  const Outcome outcome = Scheduler(tree, setting).run();
  const auto check = [&](bool holds, const char* what) {
    if (!holds) throw std::logic_error(tree.name() + ", P = " + std::to_string(setting.workers) + ": not true: " + what);
  };
  check(outcome.marks == totals.marks, "everything ran once");
  check(outcome.total(Activity::work) == totals.work, "the work done is T1");
  check(outcome.time >= totals.span, "the time is no less than the span");
  for (const auto& spent : outcome.spent)
    check(std::accumulate(spent.begin(), spent.end(), Time{0}) == outcome.time, "a worker's times add up to the run's");
  return outcome;
}

}  // namespace simulator
