// In the place of src/system, but for what is the same everywhere, and of measuring/clock.cpp: the
// operating system is the counted machine.
#include <furca/detail/base/atomics.hpp>

#include "measuring/costs.hpp"
#include "system/placement.hpp"
#include "system/processors.hpp"
#include "system/thread.hpp"

#include "machine.hpp"

namespace furca::detail {

using counted::machine;

// --- the clock ----------------------------------------------------------------------------------

constinit std::atomic<float> clock_rate{1'000.0F};
float ticks_per_microsecond() noexcept { return 1'000.0F; }
std::uint64_t steady_ticks() noexcept {
  return machine != nullptr ? static_cast<std::uint64_t>(machine->read_clock() / 1'000) : 0;
}
std::uint64_t StdAtomics::nanoseconds() noexcept { return steady_ticks(); }

// --- the fence: as fence.cpp ---------------------------------------------------------------------

bool StdAtomics::asymmetric() noexcept { return machine == nullptr || machine->asymmetric(); }

void StdAtomics::heavy_fence() noexcept {
  if (machine == nullptr) return;
  if (!asymmetric()) return machine->fence();
  const std::uint64_t began = Atomics::nanoseconds();
  machine->heavy_fence();
  measured_costs.heavy_fence_took(static_cast<float>(Atomics::nanoseconds() - began));
}

void StdAtomics::wait(Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  if (machine != nullptr) machine->sleep(word, expected);
}
void StdAtomics::wake(Atomic<std::uint32_t>& word, int count) noexcept {
  if (machine != nullptr) machine->wake(word, count);
}

// --- threads ------------------------------------------------------------------------------------

Thread::Thread(Entry entry, void* argument, const std::string&, std::size_t) {
  handle_ = static_cast<std::uintptr_t>(machine->start([=] { entry(argument); }).number);
}

void Thread::join() noexcept {
  if (machine != nullptr) machine->join(machine->thread(handle_));
}

void Thread::detach() noexcept {}
std::size_t Thread::least_stack_size() noexcept { return 0; }
std::pair<const void*, std::size_t> Thread::stack() noexcept { return {nullptr, 0}; }
std::size_t Thread::stack_used(const char*, std::size_t) noexcept { return 0; }
const void* Thread::middle_of_stack() noexcept { return nullptr; }
bool Thread::past_middle_of_stack() noexcept { return false; }

// --- processors: threads lie side by side, and stay ---------------------------------------------

Processor current_processor() noexcept {
  return machine != nullptr ? machine->running().processor->number : kNoProcessor;
}
bool restrict_to(std::span<const Processor>) noexcept { return false; }
bool bind(const Binding&) noexcept { return false; }
std::optional<Binding> find_binding() noexcept { return {}; }
void unbind() noexcept {}
bool Affinity::keep_off(Processor) noexcept { return false; }
void Affinity::let_back() noexcept {}

std::size_t processors_in_affinity_mask() noexcept {
  return machine != nullptr ? machine->processors() : 1;
}
std::size_t default_thread_count() noexcept { return processors_in_affinity_mask(); }
std::size_t usable_processors() noexcept { return processors_in_affinity_mask(); }
std::vector<Processor> processors_to_bind_to() { return {}; }
std::vector<Processor> affinity_mask() { return {}; }
std::optional<double> quota_of_process() noexcept { return {}; }

}  // namespace furca::detail
