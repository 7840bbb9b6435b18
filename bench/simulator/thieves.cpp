// The side of a worker that has no work: it looks, steals, waits, sleeps; and how it is woken.
#include "scheduler.hpp"

#include <algorithm>

namespace simulator {
namespace {

// src/core/backoff.hpp, kSpins and kYields of the atomics' seam.
constexpr std::uint32_t kSpins = 64;
constexpr std::uint32_t kYields = 16;
constexpr std::uint32_t kLongestPause = 16;

/// Looks at empty deques, all at hand, that count as one step.
constexpr std::size_t kLooksAtOnce = 32;

std::uint32_t next_random(std::uint32_t& state) {
  state ^= state << 13U;
  state ^= state >> 17U;
  state ^= state << 5U;
  return state;
}

}  // namespace

bool Scheduler::must_wake() const {
  if (asleep_ == 0) return false;
  if (setting_.wakers == Wakers::chain) return looking_ == 0;
  return looking_ == 0 || 2 * looking_ < workers_.size() - looking_ - asleep_;
}

void Scheduler::about_to_wake(Worker& w) {
  ++minding_;
  w.at = At::wake;
}

void Scheduler::step_waker(Worker& w) {
  switch (w.at) {
    case At::ring: return store(w, w.bell_line, At::rung, Activity::wake);
    case At::rung:
      w.listened_to = false;
      ++w.rings;
      ++outcome_.rung;
      for (const Id listener : std::exchange(w.listeners, {})) unblock(workers_[listener], w.time);
      w.at = w.then;
      return spend(w, costs_.wake_call, Activity::wake);
    case At::wake: return store(w, state_, At::counted, Activity::wake);
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
      if (setting_.wakers == Wakers::spread && must_wake()) about_to_wake(w);
      return;
  }
}

/// Pool::any_worker: the guest first or last, the threads from a random one on.
std::size_t Scheduler::victim(const Worker& w, std::size_t turn) const {
  const std::size_t threads = workers_.size() - 1;
  const bool guest_first = (w.seed & 1U) != 0;
  if (turn == (guest_first ? 0 : threads)) return 0;
  return 1 + ((w.seed >> 1U) + turn - (guest_first ? 1 : 0)) % threads;
}

void Scheduler::scan(Worker& w) {
  Time time = 0;
  for (std::size_t looks = 0; looks < kLooksAtOnce && w.looked < workers_.size();) {
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
  if (w.looked == workers_.size()) {
    w.at = w.aim == Aim::last_look ? At::use_permit : w.frames.empty() ? At::pause : At::wait_pause;
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
      w.seed = next_random(w.random);
      w.looked = 0;
      w.aim = Aim::anyone;
      w.at = At::scan;
      return;
    case At::scan: return scan(w);
    case At::see_top: return look(w, victim_of(w).top_line, At::see_bottom);
    case At::see_bottom: return look(w, victim_of(w).bottom_line, At::seen);
    case At::seen:
      if (empty(victim_of(w))) return look_failed(w);
      if (w.aim == Aim::last_look) return store(w, state_, At::stay, Activity::look);
      w.stolen = kNone;
      return store(w, victim_of(w).top_line, At::entered, Activity::steal);
    case At::entered:
      ++victim_of(w).visitors;
      spend(w, costs_.fence, Activity::steal);
      if (victim_of(w).mode == Mode::arming) return store(w, victim_of(w).top_line, At::left_unarmed, Activity::steal);
      w.at = At::visit;
      if (victim_of(w).mode == Mode::armed) return;
      victim_of(w).mode = Mode::arming;
      ++outcome_.arming_fences;
      return heavy_fence(w, At::arm, Activity::steal);
    case At::arm: return store(w, victim_of(w).top_line, At::armed, Activity::steal);
    case At::armed:
      victim_of(w).mode = Mode::armed;
      w.at = At::visit;
      return;
    case At::left_unarmed:
      --victim_of(w).visitors;
      return look_failed(w);
    case At::visit: return load(w, victim_of(w).top_line, At::top_noted, Activity::steal);
    case At::top_noted:
      w.seen_top = victim_of(w).top;
      if (w.aim == Aim::below) return load(w, jobs_[w.frames.back().job].latch, At::latch_noted, Activity::steal);
      w.at = At::latch_noted;
      return;
    case At::latch_noted:
      if (w.aim == Aim::below && jobs_[w.frames.back().job].set)
        return store(w, victim_of(w).top_line, At::left, Activity::steal);
      spend(w, costs_.fence, Activity::steal);
      return load(w, victim_of(w).bottom_line, At::bottom_noted, Activity::steal);
    case At::bottom_noted:
      return store(w, victim_of(w).top_line, w.seen_top < victim_of(w).bottom ? At::stolen : At::left, Activity::steal);
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
      return w.stolen != kNone ? got(w) : look_failed(w);
    case At::found:
      check(looking_ > 0, "who finds work was looking");
      --looking_;
      w.then = w.at = At::run;
      if (must_wake()) about_to_wake(w);
      return;
    case At::run: return store(w, jobs_[w.stolen].latch, At::taken, Activity::steal);
    case At::taken: return run_stolen(w);
    case At::finish: return store(w, jobs_[w.job].latch, At::finished, Activity::steal);
    case At::finished:
      jobs_[w.job].set = true;
      return load(w, w.bell_line, At::bell_heard, Activity::steal);
    case At::bell_heard:
      w.then = At::skip;
      w.at = w.listened_to ? At::ring : At::skip;
      return;
    case At::skip: return store(w, w.top_line, At::top_skipped, Activity::steal);
    case At::top_skipped:
      ++w.top;
      return store(w, w.bottom_line, At::bottom_skipped, Activity::steal);
    case At::bottom_skipped:
      ++w.bottom;
      w.job = w.frames.back().outer;
      w.frames.pop_back();
      if (w.frames.empty()) return store(w, state_, At::looking, Activity::steal);
      w.round = 0;
      w.at = At::wait;
      return;
    default:  // looking
      ++looking_;
      return look_again(w);
  }
}

void Scheduler::got(Worker& w) {
  ++outcome_.steals;
  if (w.aim == Aim::below) ++outcome_.steal_backs;
  spend(w, costs_.steal, Activity::steal);
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
  Job& job = jobs_[w.stolen];
  job.taker = w.id;
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
  if (job.what.loop) {
    frame.kind = Frame::Kind::loop;
    frame.what = job.what;
    w.frames.push_back(frame);
    w.at = At::loop;
  }
}

void Scheduler::look_again(Worker& w) {
  w.round = 0;
  w.at = At::look_around;
}

/// Backoff::pause.
void Scheduler::pause(Worker& w) {
  spend(w, w.round < kSpins ? costs_.pause * std::min(1 + w.round, kLongestPause) : costs_.yield, idling(w));
  if (w.round < kSpins + kYields) ++w.round;
}

void Scheduler::step_sleeper(Worker& w) {
  switch (w.at) {
    case At::pause:
      pause(w);
      w.at = At::look_around;
      if (w.round == kSpins + kYields) store(w, state_, At::asleep, Activity::look);
      return;
    case At::asleep:
      check(looking_ > 0, "who falls asleep was looking");
      --looking_;
      ++asleep_;
      ++minding_;
      w.looked = 0;
      w.at = looking_ == 0 && setting_.count != Count::state ? At::tell : At::heavy;
      return spend(w, w.at == At::tell ? costs_.fence : 0, Activity::look);
    case At::tell:
      if (w.looked < workers_.size()) return store(w, workers_[w.looked].bell_line, At::told, Activity::look);
      w.at = At::heavy;
      return;
    case At::told:
      workers_[w.looked++].told = true;
      ++outcome_.told;
      w.at = At::tell;
      return;
    case At::heavy:
      ++outcome_.sleeping_fences;
      return heavy_fence(w, At::last_look, Activity::look);
    case At::last_look:
      w.seed = 0;
      w.looked = 0;
      w.aim = Aim::last_look;
      w.at = At::scan;
      return;
    case At::stay:
      --minding_;
      if (asleep_ == 0) return void(w.at = At::use_permit);
      --asleep_;
      ++looking_;
      return look_again(w);
    case At::use_permit: return load(w, permits_line_, At::permits_seen, Activity::look);
    case At::permits_seen:
      if (permits_ > 0) return store(w, permits_line_, At::permit_taken, Activity::look);
      w.at = At::drowsy;
      return spend(w, costs_.sleep_call, Activity::look);
    case At::permit_taken:
      if (permits_ == 0) return void(w.at = At::use_permit);
      --permits_;
      return look_again(w);
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
    case At::wait: return load(w, job.latch, At::latch_seen, Activity::wait);
    case At::latch_seen:
      if (job.set) {
        free_jobs_.push_back(awaited);
        return joined(w);
      }
      w.at = At::wait_pause;
      if (job.taker == kNone) return;
      w.aim = Aim::below;
      w.victim = job.taker;
      w.at = At::see_top;
      return;
    case At::wait_pause:
      w.at = w.round == kSpins + kYields && job.taker != kNone ? At::listen : At::wait;
      return pause(w);
    case At::listen:
      w.victim = job.taker;
      return store(w, victim_of(w).bell_line, At::listening, Activity::wait);
    case At::listening:
      victim_of(w).listened_to = true;
      w.rings_heard = victim_of(w).rings;
      ++outcome_.sleeping_fences;
      return heavy_fence(w, At::listen_latch, Activity::wait);
    case At::listen_latch: return load(w, job.latch, At::listen_top, Activity::wait);
    case At::listen_top:
      if (job.set) return void(w.at = At::wait);
      return load(w, victim_of(w).top_line, At::listen_bottom, Activity::wait);
    case At::listen_bottom: return load(w, victim_of(w).bottom_line, At::listen_end, Activity::wait);
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
