#include "machine.hpp"

#include "../counted.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <cxxabi.h>
#include <utility>

namespace counted {

constinit Machine* machine = nullptr;

namespace {

/// Of the thread of the system that runs all fibers.
void* handled_exceptions = nullptr;

}  // namespace

void ThreadLocals::leave() noexcept {
  current = furca::detail::current_forks;
  observed = furca::detail::observed_worker;
  values = furca::detail::local_values;
  std::memcpy(exceptions.data(), handled_exceptions, exceptions.size());
}

void ThreadLocals::enter() noexcept {
  furca::detail::current_forks = current;
  furca::detail::observed_worker = observed;
  furca::detail::local_values = values;
  std::memcpy(handled_exceptions, exceptions.data(), exceptions.size());
}

Machine::Machine(const Setting& setting)
    : costs_(setting.costs),
      cores_((setting.processors + costs_.threads_per_core - 1) / costs_.threads_per_core),
      asymmetric_(setting.asymmetric),
      seeded_(setting.seed != 0),
      random_((setting.seed + 1) * 0x9E3779B97F4A7C15U),
      processors_(static_cast<std::size_t>(setting.processors)),
      lines_(costs_),
      data_(costs_) {
  if (cores_ > kMostCores) throw std::runtime_error("more than 1,024 cores");
  for (std::size_t i = 0; i < processors_.size(); ++i) {
    processors_[i].number = static_cast<int>(i);
    if (costs_.taken_every > 0)
      processors_[i].event = processors_[i].taken_at = at_random(costs_.taken_every);
  }
}

Machine::~Machine() = default;

bool Machine::run(std::function<void()> body) {
  handled_exceptions = abi::__cxa_get_globals();
  ThreadLocals hosts;
  hosts.leave();
  machine = this;
  Thread& first = start(std::move(body));
  first.locals.enter();
  running_ = &turns_.take();
  first.fiber.enter_from(host_);
  machine = nullptr;
  hosts.enter();
  return !lost_;
}

void Machine::bottom_of_stack() {
  Machine& here = *machine;
  Thread& thread = *here.running_;
  thread.body();
  thread.ended = true;
  if (thread.number == 0) here.host_.enter_from(thread.fiber);
  here.turn();
  for (Thread* const other : thread.joining) {
    other->time = std::max(other->time, thread.time);
    here.place(*other);
  }
  here.leave_processor();
  here.block();
  std::abort();
}

// --- turns and processors -----------------------------------------------------------------------

void Machine::go(Thread& to) noexcept {
  Thread& from = *running_;
  if (&to == &from) return;
  ++counts_.switches;
  from.locals.leave();
  running_ = &to;
  to.locals.enter();
  to.fiber.enter_from(from.fiber);
}

void Machine::block() noexcept {
  if (!turns_.empty()) return go(turns_.take());
  lost_ = true;
  host_.enter_from(running_->fiber);
}

/// Exponentially distributed: xorshift64.
Time Machine::at_random(Time average) noexcept {
  random_ ^= random_ << 13U;
  random_ ^= random_ >> 7U;
  random_ ^= random_ << 17U;
  const double uniform = (static_cast<double>(random_ >> 11U) + 1) / 9007199254740993.0;
  return static_cast<Time>(-std::log(uniform) * static_cast<double>(average));
}

/// What takes so long takes a tenth longer on average, if there is a seed.
Time Machine::late(Time time) noexcept { return time + (seeded_ ? at_random(time / 10) : 0); }

/// The system has taken the processor away meanwhile; or another thread's slice begins.
void Machine::disturb() noexcept {
  Thread& thread = *running_;
  Processor& processor = *thread.processor;
  if (thread.time >= processor.taken_at) {
    thread.time = std::max(thread.time, processor.taken_at + at_random(costs_.taken_for));
    processor.taken_at = thread.time + at_random(costs_.taken_every);
  }
  processor.event = processor.taken_at;
  if (processor.waiting.empty()) return;
  if (thread.time >= processor.slice_ends && give_way()) return;
  processor.event = std::min(processor.taken_at, std::max(processor.slice_ends, thread.time + 1));
}

/// The running thread goes behind the others that want its processor. False: none can run yet.
bool Machine::give_way() noexcept {
  Thread& thread = *running_;
  Processor& processor = *thread.processor;
  const auto next = std::find_if(processor.waiting.begin(), processor.waiting.end(),
                                 [&](const Thread* other) { return other->time <= thread.time; });
  if (next == processor.waiting.end()) return false;
  Thread& other = **next;
  processor.waiting.erase(next);
  processor.waiting.push_back(&thread);
  other.time = thread.time + costs_.change;
  run_on(processor, other);
  block();
  return true;
}

void Machine::run_on(Processor& processor, Thread& thread) noexcept {
  thread.processor = &processor;
  processor.running = &thread;
  processor.slice_ends = thread.time + costs_.slice;
  processor.event = processor.waiting.empty() ? processor.taken_at
                                              : std::min(processor.taken_at, processor.slice_ends);
  turns_.add(thread);
}

/// Idle, or with the fewest that wait; from `first` on.
Processor& Machine::least_busy(Processor& first) noexcept {
  Processor* best = &first;
  const auto threads = [](const Processor& p) {
    return p.waiting.size() + (p.running != nullptr ? 1 : 0);
  };
  for (std::size_t i = 0; i < processors_.size() && threads(*best) > 0; ++i) {
    Processor& other =
        processors_[(static_cast<std::size_t>(first.number) + i) % processors_.size()];
    if (threads(other) < threads(*best)) best = &other;
  }
  return *best;
}

void Machine::place(Thread& thread) noexcept {
  Processor& processor = least_busy(*thread.processor);
  thread.processor = &processor;
  if (processor.running == nullptr) return run_on(processor, thread);
  processor.waiting.push_back(&thread);
  processor.event = std::min(processor.event, processor.slice_ends);
}

/// To the next that waits here, or to one that waits elsewhere.
void Machine::leave_processor() noexcept {
  Processor& processor = *running_->processor;
  processor.running = nullptr;
  Processor* from = &processor;
  if (threads_.size() > processors_.size())
    for (Processor& other : processors_)
      if (other.waiting.size() > from->waiting.size() && from->waiting.empty()) from = &other;
  if (from->waiting.empty()) return;
  Thread& next = *from->waiting.front();
  from->waiting.pop_front();
  next.time = std::max(next.time, running_->time) + costs_.change;
  run_on(processor, next);
}

// --- steps --------------------------------------------------------------------------------------

/// A change of a line takes a while until copies are gone: so long they may still be read, though
/// others are earlier.
void Machine::access(const void* address, Access access) noexcept {
  Thread& thread = *running_;
  ++counts_.accesses;
  if (access == Access::read && !turns_.before(thread, costs_.near) &&
      lines_.has(address, core(*thread.processor))) {
    thread.time += costs_.hit;
    return;
  }
  turn();
  const Time began = thread.time;
  const int here = core(*thread.processor);
  if (access == Access::read) {
    thread.time = lines_.read(address, here, began);
  } else {
    const Time owned = lines_.own(address, here, began);
    if (access == Access::write) {
      thread.time += costs_.hit;
      thread.drained = std::max(thread.drained, owned);
      counts_.transfers += owned > began ? 1 : 0;
      return;
    }
    thread.time = std::max(owned, thread.drained) + costs_.locked;
  }
  const Time waited = thread.time - began - (access == Access::read ? costs_.hit : costs_.locked);
  if (waited > 0) ++counts_.transfers;
  thread.spent.lines += waited;
}

void Machine::offer_job(const void* job) noexcept {
  if (job != nullptr) lines_.make(job, core(*running_->processor));
}

void Machine::get_job() noexcept {
  if (const void* const job = std::exchange(running_->job, nullptr)) access(job, Access::read);
}

void Machine::fence() noexcept {
  Thread& thread = *running_;
  const Time began = thread.time;
  thread.time = std::max(thread.time, thread.drained) + costs_.fence;
  thread.spent.fences += thread.time - began;
}

void Machine::heavy_fence() noexcept {
  turn();
  Thread& thread = *running_;
  ++counts_.heavy_fences;
  const Time began = thread.time;
  const Time start = std::max(std::max(began, thread.drained), kernel_free_);
  const auto others = static_cast<Time>(turns_.size());
  thread.time = kernel_free_ = start + costs_.heavy_base + costs_.heavy_each * others;
  thread.spent.heavy += thread.time - began;
  turns_.delay(costs_.interrupt, [this](Thread& other) { other.spent.heavy += costs_.interrupt; });
}

void Machine::yield() noexcept {
  running_->time += costs_.yield;
  if (!running_->processor->waiting.empty()) {
    turn();
    give_way();
  }
}

void Machine::work(Time time) noexcept {
  const Processor& processor = *running_->processor;
  const auto sibling = static_cast<std::size_t>(processor.number + cores_) % processors_.size();
  if (costs_.threads_per_core > 1 && processors_[sibling].running != nullptr &&
      sibling != static_cast<std::size_t>(processor.number))
    time = static_cast<Time>(static_cast<double>(time) * costs_.slowdown);
  running_->spent.work += time;
  if (threads_.size() <= processors_.size()) {
    running_->time += time;
    return;
  }
  while (time > 0) {  // others want the processor meanwhile
    const Time part = std::min(time, std::max<Time>(costs_.slice / 4, 1));
    running_->time += part;
    time -= part;
    turn();
  }
}

void Machine::use(const void* address, std::size_t bytes, Data::Use use) noexcept {
  turn();
  Thread& thread = *running_;
  const Time began = thread.time;
  auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const std::uintptr_t end = at + bytes; at < end;) {
    const std::uintptr_t next = std::min(end, (at / Data::kBlock + 1) * Data::kBlock);
    thread.time = data_.use(reinterpret_cast<const void*>(at), next - at, use,
                            core(*thread.processor), thread.time);
    at = next;
  }
  thread.spent.lines += thread.time - began;
}

// --- the system ---------------------------------------------------------------------------------

void Machine::sleep(const std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  access(&word, Access::read);
  Thread& thread = *running_;
  if (word.load(std::memory_order_relaxed) != expected) {
    thread.time += costs_.syscall;
    return;
  }
  thread.time += costs_.wait_call;
  turn();
  if (word.load(std::memory_order_relaxed) != expected) return;
  ++counts_.naps;
  thread.asleep_on = &word;
  thread.asleep_since = thread.time;
  asleep_[&word].push_back(&thread);
  leave_processor();
  block();
  thread.spent.asleep += thread.time - thread.asleep_since;
}

void Machine::wake(const std::atomic<std::uint32_t>& word, int count) noexcept {
  turn();
  Thread& waker = *running_;
  waker.time += costs_.syscall;
  const auto found = asleep_.find(&word);
  if (found == asleep_.end()) return;
  for (std::deque<Thread*>& sleepers = found->second; count > 0 && !sleepers.empty(); --count) {
    Thread& thread = *sleepers.front();
    sleepers.pop_front();
    thread.asleep_on = nullptr;
    thread.time = std::max(thread.time, waker.time + late(costs_.wake_up));
    waker.time += costs_.wake_call;
    place(thread);
  }
  if (found->second.empty()) asleep_.erase(found);
}

Thread& Machine::start(std::function<void()> body) {
  if (running_ != nullptr) {
    turn();
    running_->time += late(costs_.thread_start);
  }
  Thread& thread = *threads_.emplace_back(std::make_unique<Thread>(&bottom_of_stack));
  thread.body = std::move(body);
  thread.number = static_cast<int>(threads_.size() - 1);
  thread.time = running_ != nullptr ? running_->time : 0;
  thread.processor = &processors_[static_cast<std::size_t>(thread.number) % processors_.size()];
  place(thread);
  return thread;
}

void Machine::join(Thread& thread) noexcept {
  turn();
  if (thread.ended) return;
  thread.joining.push_back(running_);
  leave_processor();
  block();
}

// --- accounts -----------------------------------------------------------------------------------

Counts Machine::take_counts() noexcept { return std::exchange(counts_, {}); }

Spent Machine::take_spent() noexcept {
  Spent sum;
  for (const auto& thread : threads_) {
    if (thread->asleep_on != nullptr) {
      thread->spent.asleep += now() - thread->asleep_since;
      thread->asleep_since = now();
    }
    sum += std::exchange(thread->spent, {});
  }
  return sum;
}

// --- what programs say --------------------------------------------------------------------------

void work(double ns) noexcept {
  if (machine != nullptr) machine->work(nanoseconds(ns * machine->costs().body));
}

void measured(const std::function<void()>& f) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point began = Clock::now();
  f();
  work(std::chrono::duration<double, std::nano>(Clock::now() - began).count());
}

void read(const void* address, std::size_t bytes) noexcept {
  if (machine != nullptr) machine->use(address, bytes, Data::Use::read);
}

void write(const void* address, std::size_t bytes) noexcept {
  if (machine != nullptr) machine->use(address, bytes, Data::Use::write);
}

double now() noexcept {
  return machine != nullptr ? static_cast<double>(machine->now()) / 1'000 : 0;
}

}  // namespace counted
