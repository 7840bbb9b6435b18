// The machine, and the side of a worker that runs the program.
#include "scheduler.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace simulator {

// src/fork/places.hpp
constexpr std::size_t kMostParts = 256;

Time Outcome::total(Activity activity) const {
  return std::accumulate(spent.begin(), spent.end(), Time{0}, [&](Time sum, const auto& of_worker) {
    return sum + of_worker[static_cast<std::size_t>(activity)];
  });
}

double Outcome::idle() const {
  const Time idle = total(Activity::look) + total(Activity::wait) + total(Activity::sleep);
  return static_cast<double>(idle) /
         (static_cast<double>(time) * static_cast<double>(spent.size()));
}

double Outcome::on_fences() const {
  const Time lost = total(Activity::heavy) + total(Activity::interrupt);
  return static_cast<double>(lost) /
         (static_cast<double>(time) * static_cast<double>(spent.size()));
}

Scheduler::Scheduler(const Tree& tree, const Setting& setting)
    : tree_(tree), setting_(setting), costs_(setting.costs), workers_(setting.workers) {
  outcome_.spent.resize(setting.workers);
  heavy_known_ = static_cast<double>(std::min<Time>(costs_.heavy, 10'000));
  state_.give_all();
  permits_line_.give_all();
  places_.word.give_all();
  for (Worker& w : workers_) {
    w.id = static_cast<Id>(&w - workers_.data());
    w.bottom_line.give(w.id);
    w.top_line.give(w.id);
    w.bell_line.give(w.id);
    w.place_line.give(w.id);
    w.random = (w.id * 2654435769U + 1U) ^
               static_cast<std::uint32_t>(setting.seed * 0x9E3779B97F4A7C15U >> 32U);
    if (w.random == 0) w.random = 1;
    if (setting.fence == Fence::armed || setting.fence == Fence::classic ||
        setting.fence == Fence::classic_bell)
      w.mode = Mode::armed;
    if (!setting.sleeps) w.told = false;
    ++running_;
    if (w.id == 0) {
      w.next = tree.root();
      schedule(w);
    } else if (setting.start == Start::looking || !setting.sleeps) {
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
    } while (!done_ && !w.blocked &&
             (agenda_.empty() ||
              std::pair(w.time, w.id) <
                  std::pair(agenda_.top().first + setting_.slack, agenda_.top().second)));
    if (!w.blocked) schedule(w);
    if (done_) outcome_.time = w.time;
  }
  for (const Worker& w : workers_) {
    std::array<Time, kActivities>& spent = outcome_.spent[w.id];
    if (w.blocked || w.time < outcome_.time) {
      spent[static_cast<std::size_t>(Activity::sleep)] += outcome_.time - w.time;
    } else {
      // the step that it is at ends later
      spent[static_cast<std::size_t>(w.doing)] -= w.time - outcome_.time;
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
  spend(w, line.read(w.id, w.time, false, costs_, outcome_.traffic) - w.time, activity);
}

/// A load whose value only tells whether to look further.
void Scheduler::look(Worker& w, Line& line, At next) {
  w.at = next;
  spend(w, line.read(w.id, w.time, true, costs_, outcome_.traffic) - w.time, idling(w));
}

void Scheduler::store(Worker& w, Line& line, At next, Activity activity) {
  w.at = next;
  spend(w, line.write(w.id, w.time, costs_, outcome_.traffic) - w.time, activity);
}

/// When a heavy fence that `w` needs now has ended. One at a time, as the kernel serialises them.
Time Scheduler::order_heavy_fence(Worker& w) {
  if (setting_.heavy == Heavy::single || membarrier_start_ <= w.time) {
    membarrier_start_ = std::max(w.time, membarrier_free_);
    membarrier_free_ = membarrier_start_ + costs_.heavy + costs_.heavy_each * (running_ - 1);
    membarrier_by_ = w.id;
    for (Worker& other : workers_)
      if (&other != &w && !other.blocked && !other.woken) other.late += costs_.interrupt;
    ++outcome_.membarriers;
  }
  outcome_.traffic[static_cast<std::size_t>(Word::membarrier)].add(membarrier_start_ - w.time);
  return membarrier_free_;
}

/// The same for one who is in no hurry.
Time Scheduler::order_patient_fence(Worker& w) {
  if (patient_start_ <= w.time) {
    patient_start_ = std::max({w.time, membarrier_free_,
                               patient_start_ == 0 ? 0 : patient_start_ + setting_.fence_every});
    for (Worker& other : workers_)
      if (&other != &w && !other.blocked && !other.woken) other.late += costs_.interrupt;
    ++outcome_.membarriers;
  }
  return patient_start_ + costs_.heavy + costs_.heavy_each * (running_ - 1);
}

void Scheduler::heavy_fence(Worker& w, At next, bool patient) {
  w.at = next;
  if (setting_.fence == Fence::classic || setting_.fence == Fence::classic_bell)
    return spend(w, costs_.fence, Activity::heavy);
  if (patient && setting_.fence_every != 0)
    return spend(w, order_patient_fence(w) - w.time, idling(w));
  const Time took = order_heavy_fence(w) - w.time;
  // MeasuredTime::learn
  heavy_known_ = std::min(
      heavy_known_ + 0.125 * (std::min(static_cast<double>(took), 2 * heavy_known_) - heavy_known_),
      100'000.0);
  spend(w, took, Activity::heavy);
}

void Scheduler::block(Worker& w) {
  w.blocked = true;
  --running_;
}

void Scheduler::unblock(Worker& w, Time now) {
  check(w.blocked, "a thread that is woken sleeps");
  now = std::max(now, w.time);
  w.blocked = false;
  w.woken = true;
  spend(w, now + costs_.wake_up - w.time, Activity::sleep);
  schedule(w);
}

void Scheduler::check(bool holds, const char* what) const {
  if (!holds)
    throw std::logic_error(tree_.name() + ", P = " + std::to_string(workers_.size()) +
                           ": not true: " + what);
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
  const std::uint64_t middle =
      (frame.what.lo + length / 2) & ~(std::bit_floor(length / 128 + 1) - 1);
  if (frame.what.loop) job.what.lo = middle > frame.what.lo ? middle : frame.what.lo + length / 2;
  job.latch.give(w.id);
  job.forked_in = w.job;
  job.taker = kNone;
  job.set = false;
  job.was_left = false;
  job.steps = frame.steps;
  job.few = frame.few;
  job.looked_for = false;
  job.part_lo = job.part_hi = 0;
  job.next = kNone;
  return id;
}

void Scheduler::step_program(Worker& w) {
  switch (w.at) {
    case At::begin:
      return begin(w);
    case At::returned:
      return returned(w);
    case At::fork:
      spend(w, costs_.fork, Activity::fork);
      if (setting_.fence == Fence::classic || setting_.fence == Fence::classic_bell)
        spend(w, costs_.fence, Activity::fork);
      return store(w, w.bottom_line, At::pushed, Activity::fork);
    case At::pushed:
      return push(w);
    case At::bell_seen:
      w.then = At::attended;
      w.at = w.listened_to ? At::ring : w.told || always_asks() ? At::attended : At::forked;
      return;
    case At::attended:
      if (w.told && !always_asks()) return store(w, w.bell_line, At::forgotten, Activity::fork);
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
      check(!setting_.sleeps || looking_ > 0 || asleep_ == 0 || w.told || minding_ > 0,
            "a fork leaves nobody asleep who will not be woken");
      if (w.frames.back().kind == Frame::Kind::loop) {
        Frame lower = w.frames.back();
        w.frames.back().shared = true;
        lower.call = false;
        lower.stage = Frame::Stage::before;
        lower.what.hi = jobs_[lower.job].what.lo;
        w.frames.push_back(lower);
        w.at = At::loop;
      } else {
        w.at = At::begin;
      }
      return;
    case At::take:
      return store(w, w.bottom_line, At::lowered, Activity::fork);
    case At::lowered:
      check(w.frames.back().at < w.bottom, "what is taken is the newest");
      w.bottom = w.frames.back().at;
      return load(w, w.top_line, At::top_seen, Activity::fork);
    case At::top_seen:
      if (w.mode == Mode::quiet || setting_.fence == Fence::none) return settle(w);
      w.at = At::fenced;
      return spend(w, costs_.fence, Activity::fork);
    case At::fenced:
      if (setting_.owners_arm && w.mode == Mode::arming)
        return store(w, w.top_line, At::answered, Activity::fork);
      return count_down(w);
    case At::answered:
      if (w.mode == Mode::arming) {
        w.mode = Mode::armed;
        ++outcome_.answers;
      }
      return count_down(w);
    case At::quieted:
      if (w.visitors != 0 || (setting_.renews && w.visits != w.visits_known)) {
        w.visits_known = w.visits;
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
    case At::loop:
      return loop(w);
    case At::own_deque_seen: {
      const Frame& frame = w.frames.back();
      const Time left = (frame.what.hi - frame.what.lo) * frame.what.mean;
      if (!empty(w)) {
        if (frame.what.hi - frame.what.lo <= std::max<std::uint64_t>(frame.steps / 64, 1) ||
            left < 4 * sharing())
          return run_chunk(w);
        return arm_oneself(w, At::fork);
      }
      if (frame.what.hi - frame.what.lo < 2 || left < sharing()) return run_chunk(w);
      if (!setting_.sleeps) return arm_oneself(w, At::fork);
      if (setting_.count == Count::loops)
        return load(w, w.bell_line, At::loop_bell_seen, Activity::fork);
      return load(w, state_, At::loop_state_seen, Activity::fork);
    }
    case At::loop_bell_seen:
      if (w.told) return load(w, state_, At::loop_state_seen, Activity::fork);
      return arm_oneself(w, At::fork);
    case At::loop_state_seen: {
      const Frame& frame = w.frames.back();
      if (must_wake() && (frame.what.hi - frame.what.lo) * frame.what.mean < frame.worth_waking)
        return run_chunk(w);
      return arm_oneself(w, At::fork);
    }
    case At::laying:
      ++places_.layers;
      w.at = At::lay_next;
      return;
    case At::lay_next:
      return lay_next(w);
    case At::laid: {
      Frame& frame = w.frames.back();
      Worker& owner = workers_[frame.part_hi];
      check(owner.part == kNone, "nothing lies where a part is laid");
      owner.part = frame.job;
      w.at = At::lay_next;
      return;
    }
    case At::all_laid:
      --places_.layers;
      return load(w, w.bell_line, At::opened_bell, Activity::fork);
    case At::opened_bell:
      w.then = w.at =
          w.frames.back().call && setting_.loops_call ? At::expected_seen : At::place_next;
      if (w.told || always_asks()) return load(w, state_, At::opened_state, Activity::fork);
      return;
    case At::opened_state:
      w.at = w.then;
      w.may_wake = 1;  // Worker::announce
      if (asleep_ != 0 && looking_ == 0) about_to_wake(w);
      return;
    case At::expected_seen:  // Lookers::expect
      w.then = w.at = At::place_next;
      if (std::min(places_.parts, workers_.size() / 4) < 2) return;
      on_way_ =
          std::max(on_way_, static_cast<double>(std::min(places_.parts, workers_.size() / 4)));
      w.may_wake = 2;
      if (must_wake()) return about_to_wake(w);
      return load(w, state_, At::place_next, Activity::fork);
    case At::place_next:
      return next_place(w);
    case At::place_mine:
    case At::place_behind: {
      Frame& frame = w.frames.back();
      const Id part = w.at == At::place_mine ? frame.job : frame.behind;
      if (w.at == At::place_behind || frame.behind == part) frame.behind = jobs_[part].next;
      Worker& owner = workers_[jobs_[part].part_lo];
      w.at = At::place_next;
      if (owner.part != part) return;
      owner.part = kNone;
      jobs_[part].taker = w.id;
      jobs_[part].set = true;  // by the time that anybody looks
      return run_part(w, jobs_[part]);
    }
    default:  // self_armed
      if (w.mode == Mode::quiet) {
        w.mode = Mode::armed;
        w.patience = std::max(w.patience, patience());
        w.left = w.patience;
      }
      w.at = w.then;
      return spend(w, costs_.fence, Activity::fork);
  }
}

/// Long enough for a part that is worth stealing for each of a few workers. Loops in loops share
/// what they have as before, and two or three workers too.
bool Scheduler::deserves_places(const Worker& w, const Frame& frame) const {
  if (!setting_.places || workers_.size() < 4 || !frame.call || frame.few || frame.shared ||
      places_.open || w.job != kNone)
    return false;
  return frame.what.hi - frame.what.lo >= 8 &&
         (frame.what.hi - frame.what.lo) * frame.what.mean >= 8 * sharing();
}

void Scheduler::open_places(Worker& w) {
  Frame& frame = w.frames.back();
  const std::uint64_t length = frame.what.hi;
  const std::uint64_t worth = length * frame.what.mean / sharing();
  places_.parts =
      std::min<std::size_t>({workers_.size(), kMostParts, length, std::bit_floor(worth)});
  places_.open = true;
  cut_places(length);
  frame.kind = Frame::Kind::places;
  frame.stage = Frame::Stage::waiting;
  frame.left = 0;
  frame.job = frame.behind = kNone;
  frame.part_lo = 0;
  frame.part_hi = places_.parts;
  frame.begun = false;
}

/// Where what is laid next begins.
std::size_t Scheduler::next_cut(const Frame& frame) const {
  const std::size_t many = frame.part_hi - frame.part_lo;
  if (setting_.lay == Lay::halves) return frame.part_lo + std::bit_ceil(many) / 2;
  if (setting_.lay == Lay::groups && places_.parts >= 16) {
    const std::size_t group = std::size_t{1}
                              << static_cast<std::size_t>(std::bit_width(places_.parts - 1) / 2);
    if (many > group) return frame.part_lo + (many - 1) / group * group;
  }
  return frame.part_hi - 1;
}

/// Its last part, or more of them.
void Scheduler::lay_next(Worker& w) {
  if (w.frames.back().part_hi - w.frames.back().part_lo == 1) {
    w.at = At::all_laid;
    w.frames.back().behind = w.frames.back().job;
    return store(w, places_.word, At::all_laid, Activity::fork);
  }
  const Id id = new_job(w);
  Frame& frame = w.frames.back();
  Job& job = jobs_[id];
  job.part_lo = next_cut(frame);
  job.part_hi = frame.part_hi;
  frame.part_hi = job.part_lo;
  job.what.lo = places_.cuts[job.part_lo];
  job.what.hi = places_.cuts[job.part_hi];
  job.steps = job.what.hi - job.what.lo;
  job.few = false;
  job.next = std::exchange(frame.job, id);
  if (job.part_hi - job.part_lo > 1) ++places_.layers;
  store(w, workers_[job.part_lo].place_line, At::laid, Activity::fork);
}

/// One part, or several, which are laid first.
void Scheduler::run_part(Worker& w, const Job& job) {
  if (job.part_hi - job.part_lo < 2) return run_half(w, job);
  Frame frame;
  frame.kind = Frame::Kind::places;
  frame.stage = Frame::Stage::waiting;
  frame.what = job.what;
  frame.part_lo = job.part_lo;
  frame.part_hi = job.part_hi;
  w.frames.push_back(frame);
  w.at = At::lay_next;
}

/// Equally long parts; or those that would have taken equally long, if within each part of the last
/// call all elements cost the same.
void Scheduler::cut_places(std::uint64_t length) {
  const std::size_t parts = places_.parts;
  std::vector<std::uint64_t> cuts{0};
  Time all = std::accumulate(places_.spent.begin(), places_.spent.end(), Time{0});
  if (!setting_.remembers || places_.spent.size() != parts || places_.cuts.back() != length)
    all = 0;
  std::size_t old = 0;
  Time before = 0;  // spent on the parts below `old`
  for (std::size_t i = 1; i < parts; ++i) {
    if (all == 0) {
      cuts.push_back(length * i / parts);
      continue;
    }
    const Time wanted = all * i / parts;
    while (old + 1 < parts && before + places_.spent[old] < wanted) before += places_.spent[old++];
    const double share = static_cast<double>(wanted - before) /
                         static_cast<double>(std::max<Time>(places_.spent[old], 1));
    const auto within = static_cast<std::uint64_t>(
        share * static_cast<double>(places_.cuts[old + 1] - places_.cuts[old]));
    cuts.push_back(std::clamp(places_.cuts[old] + within, cuts.back() + 1, length - (parts - i)));
  }
  cuts.push_back(length);
  // One that moves by little stays: then its elements stay where they are.
  if (all != 0)
    for (std::size_t i = 1; i < parts; ++i) {
      const std::uint64_t was = places_.cuts[i];
      if (std::max(cuts[i], was) - std::min(cuts[i], was) < length / parts / 16 &&
          was > cuts[i - 1])
        cuts[i] = was;
    }
  places_.cuts = cuts;
  places_.spent.assign(parts, 0);
}

/// Its caller: the first part, then from below what nobody has taken; it waits for the others.
void Scheduler::next_place(Worker& w) {
  Frame& frame = w.frames.back();
  if (!frame.begun) {
    frame.begun = true;
    Job part;
    part.what = frame.what;
    part.what.lo = places_.cuts[frame.part_lo];
    part.what.hi = places_.cuts[frame.part_lo + 1];
    part.steps = part.what.hi - part.what.lo;
    return run_half(w, part);
  }
  while (frame.job != kNone) {
    Job& job = jobs_[frame.job];
    const bool done = job.set && (job.taker == w.id || job.latch.at_hand(w.id));
    if (!done && !job.looked_for) {
      job.looked_for = true;
      return store(w, workers_[job.part_lo].place_line, At::place_mine, Activity::fork);
    }
    if (!done && !job.set && frame.behind != kNone) {
      return store(w, workers_[jobs_[frame.behind].part_lo].place_line, At::place_behind,
                   Activity::fork);
    }
    if (!done) {
      patience_for(w, 1);
      w.at = At::wait;
      return;
    }
    const Id id = frame.job;
    frame.job = job.next;
    frame.behind = frame.job == kNone ? kNone : jobs_[frame.job].next;
    free_jobs_.push_back(id);
  }
  frame.shared = true;
  if (frame.call) places_.open = false;
  end_loop(w);
}

/// The owner's own deque needs no heavy fence: its program order and one of its own do. Only if it
/// is quiet.
void Scheduler::arm_oneself(Worker& w, At next) {
  w.at = next;
  if (!setting_.loops_arm || setting_.fence != Fence::adaptive || w.mode != Mode::quiet) return;
  w.then = next;
  store(w, w.top_line, At::self_armed, Activity::fork);
}

/// Of an owner, in fenced pops: tuning_for(), or what the costs say.
Time Scheduler::patience() const {
  if (costs_.patience != 0) return costs_.patience;
  double lost = heavy_known_;
  if (setting_.machine_patience) lost += static_cast<double>(costs_.interrupt * (running_ - 1));
  const double pops = 2 * lost / static_cast<double>(std::max<Time>(costs_.fence, 1));
  return static_cast<Time>(std::clamp(pops, 256.0, setting_.machine_patience ? 1e7 : 65'536.0));
}

bool Scheduler::always_asks() const {
  return setting_.count == Count::state || setting_.fence == Fence::classic;
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
      begin_loop(w, frame);
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

/// Loop::run.
void Scheduler::begin_loop(Worker& w, Frame& frame) {
  const Stretch& what = frame.what;
  frame.kind = Frame::Kind::loop;
  frame.call = true;
  frame.steps = what.hi;
  const Time mean = std::max<Time>(what.mean, 1);
  frame.few = what.hi <= 64 && what.hi >= 2 && what.hi * mean > sharing();
  frame.chunk = std::max<std::uint64_t>(1, std::min(what.hi / 8, chunk_time() / 4 / mean));
  if (frame.few)
    frame.chunk = std::max<std::uint64_t>(1, std::min(what.hi / 8, sharing() / 2 / mean));
  if (what.hi * mean <= sharing() || workers_.size() == 1) frame.chunk = what.hi;
  if (w.time >= w.row_ends) w.row_lost = 0;
  const auto alone = static_cast<double>(costs_.wake_up + costs_.wake_call);
  const double worth =
      w.row_lost > 0 ? std::min(alone, 2 * (static_cast<double>(costs_.wake_call) - w.row_lost))
                     : alone;
  frame.worth_waking = static_cast<Time>(std::max(worth, static_cast<double>(sharing())));
  w.loop_began = w.time;
  w.at = At::loop;
}

/// LoopRow's part of it.
void Scheduler::end_loop(Worker& w) {
  const Frame& frame = w.frames.back();
  if (frame.call && !frame.few) {
    if (frame.shared) {
      w.row_lost = 0;
    } else {
      w.row_lost += 0.5 * static_cast<double>(w.time - w.loop_began);
      w.row_ends = w.time + static_cast<Time>(idle_time());
    }
  }
  w.frames.pop_back();
  w.at = At::returned;
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
  } else if (frame.stage == Frame::Stage::gone) {
    took(w, false);
  } else if (frame.kind == Frame::Kind::places) {
    w.at = At::place_next;
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
      bigger[static_cast<std::size_t>(i) % bigger.size()] =
          w.slots[static_cast<std::size_t>(i) % w.slots.size()];
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
  if (setting_.fence != Fence::adaptive) return settle(w);
  if (w.left == 0) {
    const double soon_after = std::clamp(8 * heavy_known_, 20'000.0, 1e6);
    const bool soon =
        w.quiet_since != 0 && static_cast<double>(w.time - w.quiet_since) < soon_after;
    const Time least = patience();
    const Time most = costs_.most_patience != 0 ? costs_.most_patience : 64 * least;
    w.patience = soon ? std::clamp(2 * w.patience, least, std::max(least, most)) : least;
    w.left = w.patience;
    w.visits_known = w.visits;
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
    patience_for(w, 1);
    w.at = At::wait;
    if (setting_.wait == Wait::resume)
      store(w, jobs_[frame.job].latch, At::latch_seen, Activity::steal);
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
  const Frame& frame = w.frames.back();
  const Stretch& what = frame.what;
  if (what.lo >= what.hi) {
    end_loop(w);
  } else if (workers_.size() == 1 || frame.chunk >= frame.steps) {
    run_chunk(w);
  } else if (deserves_places(w, frame)) {
    open_places(w);
    store(w, places_.word, At::laying, Activity::fork);
  } else if (frame.few) {
    w.at = At::fork;
    if ((what.hi - what.lo) / 2 < frame.chunk || what.hi - what.lo < 2) run_chunk(w);
  } else {
    load(w, w.top_line, At::own_deque_seen, Activity::fork);
  }
}

/// Pace: some microseconds' worth of iterations. Of a nested loop: the next one of these.
void Scheduler::run_chunk(Worker& w) {
  Frame& frame = w.frames.back();
  Stretch& what = frame.what;
  const std::uint64_t chunk = std::min(what.hi - what.lo, frame.chunk);
  if (frame.left == 0 && !frame.few && workers_.size() > 1 && frame.chunk < frame.steps) {
    const std::uint64_t shortest = chunk_time() / std::max<Time>(what.mean, 1) + 1;
    const std::uint64_t left = what.hi - what.lo - chunk;
    frame.chunk = std::min(4 * frame.chunk, std::clamp(left / 8, shortest, 8 * (shortest - 1) + 1));
    spend(w, costs_.clock, Activity::fork);
  }
  if (what.nested) {
    frame.left = (frame.left == 0 ? chunk : frame.left) - 1;
    outcome_.marks += mark(what.node, what.lo, what.lo + 1);
    w.next = tree_.child(what.node, what.lo++);
    w.at = At::begin;
    return;
  }
  outcome_.marks += mark(what.node, what.lo, what.lo + chunk);
  const Time cost = tree_.cost(what.node, what.lo, what.lo + chunk);
  if (tree_.one_range()) ran(w, what.lo, what.lo + chunk);
  if (places_.open && setting_.remembers) {
    const auto above = std::upper_bound(places_.cuts.begin(), places_.cuts.end() - 1, what.lo);
    places_.spent[static_cast<std::size_t>(above - places_.cuts.begin()) - 1] += cost;
  }
  what.lo += chunk;
  w.at = At::loop;
  spend(w, cost, Activity::work);
}

/// Elements that somebody else had in the call before.
void Scheduler::ran(const Worker& w, std::uint64_t lo, std::uint64_t hi) {
  if (last_ran_.size() < hi) last_ran_.resize(hi, 0xFFFF);
  for (std::uint64_t i = lo; i < hi; ++i) {
    if (last_ran_[i] != 0xFFFF) ++outcome_.elements;
    if (last_ran_[i] != 0xFFFF && last_ran_[i] != w.id) ++outcome_.moved;
    last_ran_[i] = static_cast<std::uint16_t>(w.id);
  }
}

Setting as_built(Setting setting) {
  setting.loops_arm = true;
  setting.heavy = Heavy::shared;
  setting.wakers = Wakers::tree;
  setting.places = true;
  setting.owners_arm = setting.uncounted = setting.loops_call = setting.asks_again = true;
  setting.lay = Lay::groups;
  setting.window = 64;
  setting.count = Count::loops;
  return setting;
}

Setting plan(Setting setting) {
  setting = as_built(setting);
  setting.fence_every = 100 * setting.costs.interrupt;
  return setting;
}

Outcome simulate(const Tree& tree, const Setting& setting, const Totals& totals) {
  const Outcome outcome = Scheduler(tree, setting).run();
  const auto check = [&](bool holds, const char* what) {
    if (!holds)
      throw std::logic_error(tree.name() + ", P = " + std::to_string(setting.workers) +
                             ": not true: " + what);
  };
  check(outcome.marks == totals.marks, "everything ran once");
  check(outcome.total(Activity::work) == totals.work, "the work done is T1");
  check(outcome.time >= totals.span, "the time is no less than the span");
  for (const auto& spent : outcome.spent)
    check(std::accumulate(spent.begin(), spent.end(), Time{0}) == outcome.time,
          "a worker's times add up to the run's");
  return outcome;
}

}  // namespace simulator
