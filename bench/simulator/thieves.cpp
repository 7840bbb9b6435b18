// The side of a worker that has no work: it looks, steals, waits, sleeps; and how it is woken.
#include "scheduler.hpp"

#include <algorithm>
#include <utility>

namespace simulator {
namespace {

// src/measuring/backoff.hpp
constexpr std::uint32_t kLongestPause = 16;
constexpr std::uint32_t kFew = 32;

/// Looks at empty deques, all at hand, that count as one step.
constexpr std::size_t kLooksAtOnce = 32;

std::uint32_t next_random(std::uint32_t& state) {
  state ^= state << 13U;
  state ^= state >> 17U;
  state ^= state << 5U;
  return state;
}

}  // namespace

/// Nobody is woken beside so many that look.
std::size_t Scheduler::may_look() const {
  if (setting_.wakers == Wakers::tree) return static_cast<std::size_t>(on_way_);
  if (setting_.wakers == Wakers::spread)
    return std::max<std::size_t>(1, (workers_.size() - looking_ - asleep_ + 1) / 2);
  return 1;
}

bool Scheduler::must_wake() const { return asleep_ != 0 && looking_ < may_look(); }

void Scheduler::about_to_wake(Worker& w) {
  ++minding_;
  w.at = At::wake;
}

void Scheduler::step_waker(Worker& w) {
  switch (w.at) {
    case At::ring:
      return store(w, w.bell_line, At::rung, Activity::wake);
    case At::rung:
      w.listened_to = false;
      ++w.rings;
      ++outcome_.rung;
      for (const Id listener : std::exchange(w.listeners, {})) unblock(workers_[listener], w.time);
      w.at = w.then;
      return spend(w, costs_.wake_call, Activity::wake);
    case At::wake:
      return store(w, state_, At::counted, Activity::wake);
    case At::counted:
      if (!must_wake()) {
        --minding_;
        w.at = w.then;
        return;
      }
      --asleep_;
      ++looking_;
      return store(w, permits_line_, At::granted, Activity::wake);
    case At::granted:
      ++permits_;
      ++outcome_.wakes;
      if (!sleepers_.empty()) {
        unblock(workers_[sleepers_.front()], w.time);
        sleepers_.erase(sleepers_.begin());
      }
      w.at = At::woke;
      return spend(w, costs_.wake_call, Activity::wake);
    default:  // woke
      --minding_;
      w.at = w.then;
      if (w.may_wake != 0) --w.may_wake;
      if (must_wake() && (setting_.wakers == Wakers::spread ||
                          (setting_.wakers == Wakers::tree && w.may_wake != 0)))
        about_to_wake(w);
      return;
  }
}

/// Pool::any_worker: the guest first or last, the threads from a random one on.
std::size_t Scheduler::victim(const Worker& w, std::size_t turn) const {
  if (turn < near_looks(w)) {
    const std::size_t first = w.id / costs_.cores_per_cache * costs_.cores_per_cache;
    const std::size_t many = std::min<std::size_t>(costs_.cores_per_cache, workers_.size() - first);
    return first + (w.seed + turn) % many;
  }
  turn -= near_looks(w);
  const std::size_t threads = workers_.size() - 1;
  const bool guest_first = (w.seed & 1U) != 0;
  if (turn == (guest_first ? 0 : threads)) return 0;
  return 1 + ((w.seed >> 1U) + turn - (guest_first ? 1 : 0)) % threads;
}

/// How many victims with its own cache it looks at before all others, where there are others.
std::size_t Scheduler::near_looks(const Worker& w) const {
  if (!setting_.near_first || w.aim != Aim::anyone || costs_.cores_per_cache >= workers_.size())
    return 0;
  return costs_.cores_per_cache;
}

void Scheduler::scan(Worker& w) {
  const std::size_t looks_in_all = w.last;
  Time time = 0;
  for (std::size_t looks = 0; looks < kLooksAtOnce && w.looked < looks_in_all;) {
    const Worker& other = workers_[victim(w, w.looked)];
    if (&other != &w) {
      if (!empty(other) || !other.top_line.at_hand(w.id) || !other.bottom_line.at_hand(w.id)) {
        w.victim = other.id;
        w.at = At::see_top;
        return spend(w, time, idling(w));
      }
      if (w.aim == Aim::anyone) ++outcome_.failed;
      time += costs_.look;
      ++looks;
    }
    ++w.looked;
  }
  if (w.looked == looks_in_all && setting_.places && w.frames.empty() &&
      ((places_.open && !w.robbed) || w.aim == Aim::last_look)) {
    w.looked = 0;
    w.at = At::rob;
  } else if (w.looked == looks_in_all) {
    w.at = w.aim == Aim::last_look ? At::use_permit : w.frames.empty() ? At::pause : At::wait_pause;
    if (w.aim == Aim::last_look) --minding_;
  }
  spend(w, time, idling(w));
}

/// Other workers' places: what lies in one of them at two looks in a row.
void Scheduler::rob(Worker& w) {
  Time time = 0;
  for (std::size_t looks = 0; looks < kLooksAtOnce && w.looked < workers_.size(); ++w.looked) {
    const Worker& other = workers_[(w.seed + w.looked) % workers_.size()];
    if (&other == &w) continue;
    if (other.part != kNone || !other.place_line.at_hand(w.id)) {
      w.victim = other.id;
      spend(w, time, idling(w));
      return look(w, victim_of(w).place_line, At::place_looked);
    }
    if (w.suspect == other.id) w.suspect = kNone;
    time += costs_.look;
    ++looks;
  }
  if (w.looked == workers_.size() && w.robs_first) {
    w.robs_first = false;
    w.robbed = true;
    w.looked = w.begins_at;
    w.at = w.suspect != kNone ? At::pause : At::scan;
  } else if (w.looked == workers_.size()) {
    w.at = w.aim == Aim::last_look ? At::use_permit : At::pause;
    if (w.aim == Aim::last_look) --minding_;
  }
  spend(w, time, idling(w));
}

void Scheduler::look_failed(Worker& w) {
  if (w.aim != Aim::last_look) ++outcome_.failed;
  if (w.aim == Aim::below) {
    w.at = setting_.wait == Wait::greedy ? At::look_around : At::wait_pause;
  } else {
    ++w.looked;
    w.at = At::scan;
  }
}

void Scheduler::step_thief(Worker& w) {
  switch (w.at) {
    case At::look_around:
      if (w.counted || !w.frames.empty()) return void(w.at = At::look_first);
      return look(w, state_, At::counts_seen);
    case At::counts_seen:
      w.at = At::look_first;
      if (asleep_ != 0 || w.round >= kFew || exhausted(w))
        store(w, state_, At::now_counted, Activity::look);
      return;
    case At::now_counted:
      ++looking_;
      w.counted = true;
      w.at = At::look_first;
      return;
    case At::look_first:
      w.aim = Aim::anyone;
      w.robs_first = w.robbed = false;
      if (w.cycle == 0) w.seed = next_random(w.random);
      w.looked = w.cycle;
      w.last = workers_.size() + near_looks(w);
      if (setting_.window != 0) w.last = std::min(w.last, w.looked + setting_.window);
      w.cycle = w.last == workers_.size() + near_looks(w) ? 0 : w.last;
      w.at = At::scan;
      w.victim = w.id;
      if (setting_.places && w.frames.empty()) look(w, w.place_line, At::place_seen);
      return;
    case At::place_seen:
      w.at = At::scan;
      if (w.part != kNone) return store(w, w.place_line, At::place_claimed, Activity::steal);
      return look(w, places_.word, At::laying_seen);
    case At::laying_seen:
      w.at = At::scan;
      if (places_.layers == 0) return;
      w.at = At::pause;
      if (w.round < w.spins) return;
      w.begins_at = std::exchange(w.looked, 0);
      w.robs_first = true;
      w.at = At::rob;
      return;
    case At::rob:
      return rob(w);
    case At::place_looked:
      w.at = At::rob;
      if (victim_of(w).part != kNone) {
        if (w.aim == Aim::last_look) return store(w, state_, At::stay, Activity::look);
        if (w.suspect == w.victim)
          return store(w, victim_of(w).place_line, At::place_claimed, Activity::steal);
        if (w.suspect == kNone) w.suspect = w.victim;
      } else if (w.suspect == w.victim) {
        w.suspect = kNone;
      }
      ++w.looked;
      return;
    case At::place_claimed: {
      Worker& owner = victim_of(w);
      w.suspect = kNone;
      w.at = &owner == &w ? At::scan : At::rob;
      if (owner.part == kNone) return;
      w.stolen = std::exchange(owner.part, kNone);
      jobs_[w.stolen].taker = w.id;
      return got(w);
    }
    case At::scan:
      return scan(w);
    case At::see_top:
      return look(w, victim_of(w).top_line, At::see_bottom);
    case At::see_bottom:
      return look(w, victim_of(w).bottom_line, At::seen);
    case At::seen:
      if (empty(victim_of(w))) return look_failed(w);
      if (w.aim == Aim::last_look) return store(w, state_, At::stay, Activity::look);
      if (setting_.polite && victim_of(w).visitors != 0 && w.round < w.spins) return look_failed(w);
      if (setting_.asks_again && setting_.places && w.frames.empty() && w.round < w.spins)
        return look(w, places_.word, At::still_none_laid);
      w.stolen = kNone;
      return store(w, victim_of(w).top_line, At::entered, Activity::steal);
    case At::still_none_laid:
      if (places_.layers != 0) return void(w.at = At::pause);
      w.stolen = kNone;
      return store(w, victim_of(w).top_line, At::entered, Activity::steal);
    case At::entered: {
      Worker& victim = victim_of(w);
      if (victim.visitors != 0) ++outcome_.crowded;
      ++victim.visitors;
      ++victim.visits;
      spend(w, costs_.fence, Activity::steal);
      const bool ended =
          victim.mode == Mode::arming && victim.armed_at != 0 && victim.armed_at <= w.time;
      if (victim.mode == Mode::arming && !ended)
        return store(w, victim.top_line, At::left_unarmed, Activity::steal);
      w.at = ended ? At::arm : At::visit;
      if (victim.mode == Mode::armed || ended || setting_.fence == Fence::none) return;
      victim.mode = Mode::arming;
      w.asked_at = w.time;
      if (setting_.owners_arm) return void(w.at = At::await_owner);
      ++outcome_.arming_fences;
      if (setting_.heavy != Heavy::announced || membarrier_free_ <= w.time)
        return heavy_fence(w, At::arm);
      // One is under way: who issued it issues the next as well, unless somebody waits for that
      // already.
      if (membarrier_start_ <= w.time) {
        const Time under_way = membarrier_free_;
        Worker& issuer = workers_[membarrier_by_];
        victim.armed_at = order_heavy_fence(w);
        membarrier_by_ = issuer.id;
        issuer.late += membarrier_free_ - under_way;
      } else {
        victim.armed_at = order_heavy_fence(w);
      }
      return store(w, victim.top_line, At::left_unarmed, Activity::steal);
    }
    case At::await_owner:
      spend(w, costs_.pause, Activity::heavy);
      return load(w, victim_of(w).top_line, At::owner_asked, Activity::heavy);
    case At::owner_asked: {
      const bool armed = victim_of(w).mode == Mode::armed;
      w.at = armed ? At::visit : At::await_owner;
      if (armed || static_cast<double>(w.time - w.asked_at) < heavy_known_) return;
      ++outcome_.arming_fences;
      return heavy_fence(w, At::arm);
    }
    case At::arm:
      return store(w, victim_of(w).top_line, At::armed, Activity::steal);
    case At::armed:
      victim_of(w).mode = Mode::armed;
      victim_of(w).armed_at = 0;
      w.at = At::visit;
      return;
    case At::left_unarmed:
      --victim_of(w).visitors;
      return look_failed(w);
    case At::visit:
      return load(w, victim_of(w).top_line, At::top_noted, Activity::steal);
    case At::top_noted:
      w.seen_top = victim_of(w).top;
      if (w.aim == Aim::below)
        return load(w, jobs_[w.frames.back().job].latch, At::latch_noted, Activity::steal);
      w.at = At::latch_noted;
      return;
    case At::latch_noted:
      if (w.aim == Aim::below && jobs_[w.frames.back().job].set)
        return store(w, victim_of(w).top_line, At::left, Activity::steal);
      spend(w, costs_.fence, Activity::steal);
      return load(w, victim_of(w).bottom_line, At::bottom_noted, Activity::steal);
    case At::bottom_noted:
      return store(w, victim_of(w).top_line,
                   w.seen_top < victim_of(w).bottom ? At::stolen : At::left, Activity::steal);
    case At::stolen: {
      Worker& victim = victim_of(w);
      if (victim.top == w.seen_top) {
        w.stolen = victim.slots[static_cast<std::size_t>(victim.top) % victim.slots.size()];
        ++victim.top;
      }
      return store(w, victim.top_line, At::left, Activity::steal);
    }
    case At::left:
      --victim_of(w).visitors;
      if (w.stolen != kNone) return got(w);
      w.lost = std::min(w.lost + 1, 6U);
      if (setting_.losers_pause) spend(w, costs_.pause << w.lost, idling(w));
      return look_failed(w);
    case At::found:
      check(looking_ > 0, "who finds work was looking");
      --looking_;
      if (w.just_woken)
        on_way_ = std::min(on_way_ + 1, std::max(1.0, static_cast<double>(workers_.size()) / 4));
      w.just_woken = false;
      w.may_wake = 2;
      w.then = w.at = At::run;
      if (must_wake()) about_to_wake(w);
      return;
    case At::run:
      return store(w, jobs_[w.stolen].latch, At::taken, Activity::steal);
    case At::taken:
      jobs_[w.stolen].taker = w.id;
      w.at = At::born_armed;
      if (setting_.thieves_arm && setting_.fence == Fence::adaptive && w.mode == Mode::quiet)
        store(w, w.top_line, At::born_armed, Activity::steal);
      return;
    case At::born_armed:
      if (setting_.thieves_arm && setting_.fence == Fence::adaptive && w.mode == Mode::quiet &&
          w.top_line.alone(w.id)) {
        w.mode = Mode::armed;
        w.patience = std::max(w.patience, patience());
        w.left = w.patience;
        w.visits_known = w.visits;
        spend(w, costs_.fence, Activity::steal);
      }
      return run_stolen(w);
    case At::finish:
      return store(w, jobs_[w.job].latch, At::finished, Activity::steal);
    case At::finished:
      return finished(w);
    case At::bell_heard:
      w.then = At::skip;
      w.at = w.listened_to ? At::ring : At::skip;
      return;
    case At::skip:
      return store(w, w.top_line, At::top_skipped, Activity::steal);
    case At::top_skipped:
      ++w.top;
      return store(w, w.bottom_line, At::bottom_skipped, Activity::steal);
    case At::bottom_skipped:
      ++w.bottom;
      w.job = w.frames.back().outer;
      w.frames.pop_back();
      if (w.frames.empty() && !setting_.sleeps) return look_again(w);
      if (w.frames.empty() && setting_.uncounted) {
        w.counted = false;
        return look_again(w);
      }
      if (w.frames.empty()) return store(w, state_, At::looking, Activity::steal);
      patience_for(w, 1);
      w.at = At::wait;
      return;
    default:  // looking
      ++looking_;
      return look_again(w);
  }
}

/// Its job is done. Whoever left his stack because of it has it continued here.
void Scheduler::finished(Worker& w) {
  Job& job = jobs_[w.job];
  job.set = true;
  if (job.was_left) {
    const Id done = w.job;
    w.job = job.left_job;
    w.frames = std::move(job.left);
    job.left.clear();
    free_jobs_.push_back(done);
    return joined(w);
  }
  load(w, w.bell_line, At::bell_heard, Activity::steal);
}

void Scheduler::got(Worker& w) {
  ++outcome_.steals;
  w.cycle = 0;
  w.suspect = kNone;
  w.lost = 0;
  if (w.aim == Aim::below) ++outcome_.steal_backs;
  spend(w, costs_.steal, Activity::steal);
  w.at = At::run;
  if (w.frames.empty() && !setting_.sleeps) return;
  if (w.frames.empty() && !w.counted) return;
  if (w.frames.empty()) return store(w, state_, At::found, Activity::steal);
  if (!descends(w.stolen, w.frames.back().job)) {
    ++outcome_.strangers;
    check(setting_.wait == Wait::greedy, "a waiter runs only what it waits for");
  }
  w.at = At::run;
}

/// Was forked below `from`, which has not ended: then nor has anything between the two.
bool Scheduler::descends(Id job, Id from) const {
  for (; job != kNone; job = jobs_[job].forked_in)
    if (job == from) return true;
  return false;
}

void Scheduler::run_stolen(Worker& w) {
  const Job& job = jobs_[w.stolen];
  check(empty(w), "a worker that steals has an empty deque");
  if (!w.had_job) outcome_.first_job.push_back(w.time);
  w.had_job = true;
  Frame frame;
  frame.kind = Frame::Kind::job;
  frame.outer = w.job;
  w.frames.push_back(frame);
  w.job = w.stolen;
  w.next = job.what.node;
  w.at = At::begin;
  if (job.what.loop) run_part(w, job);
}

/// Of a loop, or a part that has a place.
void Scheduler::run_half(Worker& w, const Job& job) {
  Frame frame;
  frame.kind = Frame::Kind::loop;
  frame.what = job.what;
  frame.steps = job.steps;
  frame.few = job.few;
  frame.worth_waking = 6 * sharing();
  const Time mean = std::max<Time>(job.what.mean, 1);
  const std::uint64_t length = job.what.hi - job.what.lo;
  frame.chunk = std::max<std::uint64_t>(1, std::min(length / 8, chunk_time() / 4 / mean));
  if (job.few)
    frame.chunk = std::max<std::uint64_t>(1, std::min(job.steps / 8, sharing() / 2 / mean));
  w.frames.push_back(frame);
  w.at = At::loop;
}

void Scheduler::look_again(Worker& w) {
  patience_for(w, w.idle_share);
  w.at = At::look_around;
}

/// tuning_for(): as long as falling asleep and being woken take.
double Scheduler::idle_time() const {
  return std::clamp(heavy_known_ + static_cast<double>(costs_.wake_call + costs_.wake_up), 5'000.0,
                    50'000.0);
}

/// patience_for(), Backoff::rounds_of.
void Scheduler::patience_for(Worker& w, double share) {
  w.round = 0;
  const double time = share * idle_time();
  const double pauses =
      0.75 * time / static_cast<double>(std::max<Time>(costs_.pause * pause_scale(), 1));
  constexpr double kRising = kLongestPause * (kLongestPause + 1) / 2;
  w.spins = kLongestPause;
  if (pauses >= kRising) {
    w.spins += static_cast<std::uint32_t>((pauses - kRising) / kLongestPause);
  } else {
    w.spins = 0;
    for (double left = pauses; left > w.spins; ++w.spins) left -= w.spins + 1;
  }
  w.yields = static_cast<std::uint32_t>(
      std::clamp(0.25 * time / static_cast<double>(std::max<Time>(costs_.yield, 1)), 1.0, 64.0));
}

/// Backoff::pause.
void Scheduler::pause(Worker& w) {
  spend(w,
        w.round < w.spins ? costs_.pause * pause_scale() * std::min(1 + w.round, kLongestPause)
                          : costs_.yield,
        idling(w));
  if (!exhausted(w)) ++w.round;
}

void Scheduler::step_sleeper(Worker& w) {
  switch (w.at) {
    case At::pause:
      pause(w);
      w.at = At::look_around;
      if (exhausted(w) && setting_.sleeps && w.counted)
        store(w, state_, At::asleep, Activity::look);
      return;
    case At::asleep:
      check(looking_ > 0, "who falls asleep was looking");
      --looking_;
      ++asleep_;
      ++minding_;
      if (w.just_woken) {
        ++outcome_.vain;
        on_way_ = std::max(1.0, on_way_ / 2);
      }
      w.just_woken = false;
      w.looked = 0;
      w.at = looking_ == 0 && !always_asks() ? At::tell : At::heavy;
      return spend(w, w.at == At::tell ? costs_.fence : 0, Activity::look);
    case At::tell:
      if (w.looked < workers_.size())
        return store(w, workers_[w.looked].bell_line, At::told, Activity::look);
      w.at = At::heavy;
      return;
    case At::told:
      workers_[w.looked++].told = true;
      ++outcome_.told;
      w.at = At::tell;
      return;
    case At::heavy:
      w.slept_at = w.time;
      ++outcome_.sleeping_fences;
      return heavy_fence(w, At::last_look, true);
    case At::last_look:
      w.seed = 0;
      w.looked = w.cycle = 0;
      w.last = workers_.size();
      w.aim = Aim::last_look;
      w.at = At::scan;
      return;
    case At::stay:
      --minding_;
      if (asleep_ == 0) return void(w.at = At::use_permit);
      --asleep_;
      ++looking_;
      return look_again(w);
    case At::use_permit:
      return load(w, permits_line_, At::permits_seen, Activity::look);
    case At::permits_seen:
      if (permits_ > 0) return store(w, permits_line_, At::permit_taken, Activity::look);
      w.at = At::drowsy;
      return spend(w, costs_.sleep_call, Activity::look);
    case At::permit_taken:
      if (permits_ == 0) return void(w.at = At::use_permit);
      --permits_;
      w.just_woken = true;
      // Nap
      w.idle_share = static_cast<double>(w.time - w.slept_at) < idle_time()
                         ? 1
                         : std::max(0.125, 0.5 * w.idle_share);
      look_again(w);
      w.then = w.at;
      w.may_wake = 2;
      if (setting_.wakers == Wakers::tree && must_wake()) about_to_wake(w);
      return;
    default:  // drowsy
      w.at = At::use_permit;
      if (permits_ > 0) return;
      sleepers_.push_back(w.id);
      return block(w);
  }
}

void Scheduler::step_waiter(Worker& w) {
  const Id awaited = w.frames.back().job;
  Job& job = jobs_[awaited];
  switch (w.at) {
    case At::wait:
      return load(w, job.latch, At::latch_seen, Activity::wait);
    case At::latch_seen:
      if (job.set && w.frames.back().kind == Frame::Kind::places)
        return void(w.at = At::place_next);
      if (job.set) {
        free_jobs_.push_back(awaited);
        return joined(w);
      }
      if (setting_.wait == Wait::resume) {
        job.was_left = true;
        job.left_job = w.job;
        job.left = std::move(w.frames);
        for (Frame& frame : job.left)
          // older, so it was stolen before
          if (frame.stage == Frame::Stage::first) frame.stage = Frame::Stage::gone;
        w.frames.clear();
        w.job = kNone;
        return look_again(w);
      }
      w.at = At::wait_pause;
      // who has older forks in its deque may not take more on top
      if (job.taker == kNone || !empty(w)) return;
      w.aim = Aim::below;
      w.victim = job.taker;
      w.at = At::see_top;
      return;
    case At::wait_pause:
      w.at = exhausted(w) && job.taker != kNone && setting_.sleeps ? At::listen : At::wait;
      return pause(w);
    case At::listen:
      w.victim = job.taker;
      return store(w, victim_of(w).bell_line, At::listening, Activity::wait);
    case At::listening:
      victim_of(w).listened_to = true;
      w.rings_heard = victim_of(w).rings;
      ++outcome_.sleeping_fences;
      return heavy_fence(w, At::listen_latch, true);
    case At::listen_latch:
      return load(w, job.latch, At::listen_top, Activity::wait);
    case At::listen_top:
      if (job.set) return void(w.at = At::wait);
      return load(w, victim_of(w).top_line, At::listen_bottom, Activity::wait);
    case At::listen_bottom:
      return load(w, victim_of(w).bottom_line, At::listen_end, Activity::wait);
    case At::listen_end:
      w.at = At::wait;
      if (!empty(victim_of(w))) return;
      w.at = At::nod;
      return spend(w, costs_.sleep_call, Activity::wait);
    default:  // nod
      w.at = At::wait;
      if (victim_of(w).rings != w.rings_heard) return;
      victim_of(w).listeners.push_back(w.id);
      return block(w);
  }
}

}  // namespace simulator
