// The affinity mask; and where this system says the rest.
#include "../processors.hpp"

#include "files.hpp"

#include <exception>
#include <memory>
#include <utility>

#include <sched.h>

namespace furca::detail {

namespace {

/// The result of `read(mask, bytes)` of the calling thread's affinity mask; nullopt: the system
/// does not tell.
template <class Read>
auto read_affinity_mask(Read read) -> std::optional<decltype(read(nullptr, 0))> {
  // too small a mask is refused with EINVAL
  for (std::size_t bits = 1024; bits <= (std::size_t{1} << 20U); bits *= 2) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> mask(
        CPU_ALLOC(bits), [](cpu_set_t* one) { CPU_FREE(one); });
    if (mask == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(bits);
    if (sched_getaffinity(0, bytes, mask.get()) == 0) return read(mask.get(), bytes);
  }
  return std::nullopt;
}

}  // namespace

std::size_t count_affinity_mask() noexcept {
  const int count = read_affinity_mask([](const cpu_set_t* mask, std::size_t bytes) {
                      return CPU_COUNT_S(bytes, mask);
                    }).value_or(0);
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

std::vector<Processor> affinity_mask() {
  std::vector<Processor> processors;
  read_affinity_mask([&](const cpu_set_t* mask, std::size_t bytes) {
    for (std::size_t processor = 0; processor < 8 * bytes; ++processor)
      if (CPU_ISSET_S(processor, bytes, mask))
        processors.push_back(static_cast<Processor>(processor));
    return true;
  });
  return processors;
}

std::vector<Processor> near_each_other(std::vector<Processor> processors) {
  return near_each_other(std::move(processors), "/sys/devices/system/cpu");
}

std::optional<double> quota_of_process() noexcept {
  try {
    return cgroup_quota("/proc/self/cgroup", "/sys/fs/cgroup");
  } catch (const std::exception&) {
    // out of memory while reading: the affinity mask will do
    return std::nullopt;
  }
}

}  // namespace furca::detail
