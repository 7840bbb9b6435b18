#include "explorer.hpp"

#include "search.hpp"
#include "trace.hpp"

#include <algorithm>
#include <utility>

namespace furca::model {

/// To the last decision that has an alternative left. False: there is none.
bool Explorer::backtrack() {
  while (depth_ > 0) {
    Decision& last = decisions_[depth_ - 1];
    repeated_ = last.steps;
    if (last.schedule) {
      last.done |= only(last.taken);
      const Threads left = last.wanted & ~(last.done | last.asleep);
      if (left != 0) {
        last.taken = static_cast<std::uint8_t>(first_of(left));
        return true;
      }
    } else if (last.taken + 1 < last.options) {
      ++last.taken;
      return true;
    }
    --depth_;
  }
  return false;
}

Result Explorer::explore_all(const Options& options) {
  options_ = options;
  options_.reduce = options.reduce && options.preemptions < 0;
  depth_ = 0;
  repeated_ = 0;
  replaying_ = !options.replay.empty();
  replay_ = options_.replay.c_str();
  Result result;
  result.preemptions = options.preemptions;
  result.stale = options.stale;
  do {
    const End how = run_once();
    result.runs += how == End::complete || how == End::failed;
    result.redundant += how == End::redundant;
    result.discarded += how == End::discarded;
    result.longest = std::max(result.longest, steps_);
    result.locations = std::max(result.locations, memory_.locations());
    if (how == End::complete && observed_count_ > 0)
      result.outcomes.emplace(observed_.begin(),
                              observed_.begin() + static_cast<std::ptrdiff_t>(observed_count_));
    if (how == End::failed) {
      std::string what = what_;
      if (what == "deadlock") what += deadlock();
      result.failure = std::make_unique<Failure>(
          Failure{std::move(what), decisions(), print_trace(events_.data(), event_count_)});
      return result;
    }
    if (replaying_) return result;
    if (result.runs + result.redundant + result.discarded >= options.max_runs && backtrack()) {
      result.capped = true;
      return result;
    }
  } while (backtrack());
  result.exhaustive = options.preemptions < 0 && options.stale < 0;
  return result;
}

Result Explorer::explore(const std::function<void()>& program, const Options& options) {
  program_ = &program;
  Result result = explore_all(options);
  if (result.failure == nullptr || !options.minimise || !options.replay.empty()) return result;
  for (int preemptions = 0; preemptions < 5; ++preemptions) {
    Options bounded = options;
    bounded.preemptions = preemptions;
    bounded.max_runs = 200'000;
    Result shorter = explore_all(bounded);
    if (shorter.failure == nullptr) continue;
    result.failure = std::move(shorter.failure);
    break;
  }
  return result;
}

std::string Explorer::decisions() const {
  std::string all;
  for (std::size_t i = 0; i < at_; ++i) {
    if (i > 0) all += '.';
    all += std::to_string(decisions_[i].taken);
  }
  return all;
}

unsigned Explorer::next_replayed() {
  char* rest = nullptr;
  const unsigned long taken = std::strtoul(replay_, &rest, 10);
  if (rest == replay_) end(End::failed, "model: the replay has ended before the run has");
  replay_ = *rest == '.' ? rest + 1 : rest;
  return static_cast<unsigned>(taken);
}

std::string Explorer::deadlock() const {
  std::string who;
  for (std::size_t i = 0; i < kMaxThreads; ++i) {
    const ModelThread& thread = threads_[i];
    if (thread.state == ModelThread::State::blocked)
      who += (who.empty() ? ": " : ", ") + std::string("thread ") + std::to_string(i) + " sleeps";
    if (thread.state == ModelThread::State::ready)
      who += (who.empty() ? ": " : ", ") + std::string("thread ") + std::to_string(i) +
             " joins thread " + std::to_string(thread.next.object);
  }
  return who;
}

std::string Result::bounds() const {
  std::string text;
  if (stale == 0) text += ", sequentially consistent";
  if (stale > 0) text += ", at most " + std::to_string(stale) + " old values";
  if (preemptions >= 0) text += ", at most " + std::to_string(preemptions) + " preemptions";
  return text + (stale == 0 && preemptions < 0 ? " courses: all of them" : ": not proven");
}

std::string Result::report() const {
  std::string text = std::to_string(runs) + " executions (+" + std::to_string(redundant) +
                     " redundant, " + std::to_string(discarded) + " discarded), at most " +
                     std::to_string(longest) + " steps, " + std::to_string(locations) +
                     " locations" +
                     (exhaustive           ? ", exhaustive"
                      : capped             ? ", CAPPED: nothing is proven"
                      : failure != nullptr ? ""
                                           : bounds());
  if (failure != nullptr)
    text += "\n" + failure->what + "\nreplay: " + failure->decisions + "\n" + failure->trace;
  return text;
}

Result explore(const std::function<void()>& program, const Options& options) {
  return explorer.explore(program, options);
}

}  // namespace furca::model
