#include "processors.hpp"

#include "environment.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

namespace furca::detail {

std::size_t processors_in_affinity_mask() noexcept {
  if (const auto binding = find_binding()) return binding->among->size();
  const std::size_t count = count_affinity_mask();
  return count > 0 ? count : std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

/// No function-local static with a guard: see StdAtomics::asymmetric().
std::size_t usable_processors() noexcept {
  constinit static std::atomic<std::size_t> known{0};
  std::size_t allowed = known.load(std::memory_order_relaxed);
  if (allowed == 0) {
    const double quota = quota_of_process().value_or(kMostThreads);
    allowed = static_cast<std::size_t>(std::clamp<double>(std::ceil(quota), 1, kMostThreads));
    known.store(allowed, std::memory_order_relaxed);
  }
  return std::min(processors_in_affinity_mask(), allowed);
}

/// No function-local static: see StdAtomics::asymmetric().
std::size_t default_thread_count() noexcept {
  constinit static std::atomic<std::size_t> known{0};
  std::size_t count = known.load(std::memory_order_relaxed);
  if (count == 0) {
    const auto chosen = threads_from_environment(kMostThreads);
    count = chosen ? *chosen : usable_processors();
    known.store(count, std::memory_order_relaxed);
  }
  return count;
}

std::vector<Processor> processors_to_bind_to() {
  const auto around = find_binding();
  std::vector<Processor> order = near_each_other(around ? *around->among : affinity_mask());
  if (around)
    std::rotate(order.begin(), std::find(order.begin(), order.end(), around->to), order.end());
  return order;
}

}  // namespace furca::detail
