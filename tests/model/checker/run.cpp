// One run: whose turn it is, and which of the earlier steps the next one races with.
#include "search.hpp"

#include <cstring>

namespace furca::model {

Explorer explorer;

End Explorer::run_once() {
  for (ModelThread& thread : threads_) thread = ModelThread{};
  threads_[0].state = ModelThread::State::ready;
  current_ = 0;
  asleep_ = 0;
  preemptions_ = 0;
  stale_ = 0;
  threads_[0].spurious = options_.spurious;
  steps_ = 0;
  at_ = 0;
  observed_count_ = event_count_ = 0;
  end_ = End::complete;
  what_ = nullptr;
  thread_local_count_ = thread_local_bytes_ = 0;
  memory_.begin();
  fibers::run(0, [](std::size_t index) { explorer.run_thread(index); });
  return end_;
}

/// Who goes on. Ends the run if nobody can, or if all that can are asleep.
std::size_t Explorer::next_thread() {
  Threads able = 0;
  bool all_ended = true;
  bool stuck = false;
  for (std::size_t i = 0; i < kMaxThreads; ++i) {
    const ModelThread& thread = threads_[i];
    if (thread.state == ModelThread::State::absent) continue;
    // To the first step that concerns others; its order with what they do is of no importance.
    if (thread.state == ModelThread::State::ready && thread.next.kind == Step::Kind::local)
      return i;
    if (enabled(thread)) able |= only(i);
    all_ended = all_ended && thread.state == ModelThread::State::ended;
    stuck = stuck || thread.state == ModelThread::State::stuck;
  }
  if (all_ended) end(End::complete);
  if (able == 0 && stuck) end(End::discarded);
  if (able == 0) end(End::failed, "deadlock");
  std::size_t next = first_of(able);
  int decision = -1;
  if (able == only(next)) {
    if ((asleep_ & able) != 0) end(End::redundant);
  } else {
    decision = static_cast<int>(at_);
    next = decide(able);
  }
  take(next, decision);
  Threads still_asleep = 0;
  for (Threads left = asleep_; left != 0; left &= left - 1) {
    const std::size_t sleeper = first_of(left);
    if (!dependent(sleeper, threads_[sleeper].next, next, threads_[next].next))
      still_asleep |= only(sleeper);
  }
  asleep_ = still_asleep;
  return next;
}

/// Notes the thread's step, and where it could have come earlier with another effect.
void Explorer::take(std::size_t thread, int decision) {
  if (steps_ == kMaxSteps) end(End::failed, "too many steps: somebody goes round in a circle");
  const std::size_t index = steps_++;
  ModelThread& it = threads_[thread];
  if (!options_.reduce) return;  // every order is tried anyway
  if (index < repeated_) {
    it.clock = taken_[index].clock;
    return;
  }
  Clock clock = it.clock;
  if (it.next.kind == Step::Kind::join)
    clock.join(threads_[static_cast<std::size_t>(it.next.object)].clock);
  for (std::size_t i = index; i > 0; --i) {
    const Taken& earlier = taken_[i - 1];
    if (earlier.before(clock) || !dependent(earlier.thread, earlier.step, thread, it.next))
      continue;
    if (earlier.decision >= 0) reverse(earlier, i - 1, thread, clock);
    clock.join(earlier.clock);
  }
  ++clock.of[thread];
  it.clock = clock;
  taken_[index] = {static_cast<std::uint8_t>(thread), it.next, decision, clock};
}

/// `thread`, whose next step races with an earlier one, shall be tried in its place: or whatever
/// else can come first of the steps that lie between the two and do not depend on the earlier one
/// (source sets: Abdulla, Aronis, Jonsson, Sagonas, POPL 2014).
void Explorer::reverse(const Taken& earlier, std::size_t index, std::size_t thread,
                       const Clock& clock) {
  Decision& at = decisions_[static_cast<std::size_t>(earlier.decision)];
  Threads first = 0;
  Threads later = 0;  // threads whose first step between depends on another one there
  for (std::size_t i = index + 1; i < steps_ - 1; ++i) {
    const Taken& between = taken_[i];
    if (earlier.before(between.clock) || ((first | later) & only(between.thread)) != 0) continue;
    bool can_be_first = true;
    for (std::size_t j = index + 1; j < i && can_be_first; ++j)
      can_be_first = earlier.before(taken_[j].clock) || !taken_[j].before(between.clock);
    (can_be_first ? first : later) |= only(between.thread);
  }
  if (((first | later) & only(thread)) == 0) {
    bool can_be_first = true;
    for (std::size_t j = index + 1; j < steps_ - 1 && can_be_first; ++j)
      can_be_first = earlier.before(taken_[j].clock) || !taken_[j].before(clock);
    if (can_be_first) first |= only(thread);
  }
  if (((at.wanted | at.asleep) & first) != 0) return;
  const Threads possible = first & at.enabled;
  at.wanted |= possible == 0                    ? at.enabled
               : (possible & only(thread)) != 0 ? only(thread)
                                                : only(first_of(possible));
}

std::size_t Explorer::decide(Threads able) {
  const bool preempts = (able & only(current_)) != 0;  // if another one goes on
  if (at_ == depth_) {
    const Threads allowed =
        options_.preemptions == preemptions_ && preempts ? only(current_) : able & ~asleep_;
    if (allowed == 0) end(End::redundant);
    const std::size_t first = (allowed & only(current_)) != 0 ? current_ : first_of(allowed);
    push({true, static_cast<std::uint8_t>(first), 0, steps_, allowed, asleep_,
          options_.reduce ? only(first) : allowed, 0});
    if (replaying_) decisions_[at_].taken = static_cast<std::uint8_t>(next_replayed());
  }
  const Decision& decision = decisions_[at_++];
  if (!decision.schedule || (able & only(decision.taken)) == 0) diverged();
  if (preempts && decision.taken != current_) ++preemptions_;
  asleep_ = options_.reduce ? decision.asleep | decision.done : 0;
  return decision.taken;
}

void Explorer::change_to(std::size_t thread) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < thread_local_count_; ++i) {
    const auto [variable, bytes] = thread_locals_[i];
    std::memcpy(&threads_[current_].locals[at], variable, bytes);
    std::memcpy(variable, &threads_[thread].locals[at], bytes);
    at += bytes;
  }
  current_ = thread;
}

void Explorer::push(const Decision& decision) {
  if (depth_ == kMaxDecisions) end(End::failed, "model: too many decisions in one run");
  decisions_[depth_++] = decision;
}

}  // namespace furca::model
